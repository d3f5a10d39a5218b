//! When to look at the readers of a pipe, and how long the first bytes wait for the result: `head -1` ends with the
//! first byte, and cannot be looked at after that.

use std::time::{Duration, Instant};

use crate::consumer::View;

/// Longest that the first bytes wait for a shell that is about to become a viewer. It cannot read before it has
/// become one, so nobody misses the bytes; on an idle machine that takes less than a millisecond.
const RUNNING: Duration = Duration::from_secs(10);
/// Longest that the first bytes wait for a shell that sleeps.
const ASLEEP: Duration = Duration::from_millis(20);
/// Interval between looks while the first bytes wait: at first this; later the time that has passed divided by
/// [`PART`], so that looking does not keep the shell from its processor.
const AT_FIRST: Duration = Duration::from_micros(250);
const PART: u32 = 8;
/// Interval between looks once the first bytes have gone out.
const LATER: Duration = Duration::from_millis(20);

#[derive(Default)]
pub(super) struct Looks {
    /// When the first bytes came.
    begun: Option<Instant>,
    /// When to look next; None before the first byte, and once it is known who reads.
    pub(super) next: Option<Instant>,
    /// Whether the first bytes wait.
    holds: bool,
}

impl Looks {
    pub(super) fn let_pass(&self) -> bool {
        self.begun.is_some() && !self.holds
    }

    /// Looks if it is time to, and returns what was found. `has_bytes` says whether there is output to pass on.
    pub(super) fn turn(&mut self, has_bytes: bool, look: &mut dyn FnMut() -> View) -> Option<View> {
        let now = Instant::now();
        let begun = match self.begun {
            None if !has_bytes => return None,
            None => *self.begun.insert(now),
            Some(_) if self.next.is_none_or(|next| now < next) => return None,
            Some(begun) => begun,
        };
        let is_first = begun == now;
        let looked = look();
        let waited = begun.elapsed();
        self.holds = (is_first || self.holds)
            && match looked {
                View::Soon => waited < RUNNING,
                View::NotYet => waited < ASLEEP,
                View::Through(_) | View::Closed => false,
            };
        let pause = if self.holds { AT_FIRST.max(waited / PART) } else { LATER };
        self.next = matches!(looked, View::Soon | View::NotYet).then(|| Instant::now() + pause);
        Some(looked)
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/run/window/looks.rs"]
mod tests;

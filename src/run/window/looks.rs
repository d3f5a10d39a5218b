//! When to ask who reads a pipe, and how long the first bytes wait for the answer: `head -1` ends with the first byte,
//! and cannot be looked at then.

use std::time::{Duration, Instant};

/// The first bytes wait so long for a shell that is on its way to become a viewer. It cannot read before that, so that
/// nobody misses them; on an idle machine it takes less than a millisecond.
const RUNNING: Duration = Duration::from_secs(10);
/// They wait so long for one that sleeps.
const ASLEEP: Duration = Duration::from_millis(20);
/// From one look to the next while they wait: at first, and later a part of the time that has gone by, so that looking
/// does not keep the shell from its processor.
const AT_FIRST: Duration = Duration::from_micros(250);
const PART: u32 = 8;
/// From one look to the next when they have gone out.
const LATER: Duration = Duration::from_millis(20);

/// What somebody who looks at the readers knows of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looked {
    /// They are viewers: what passes is worth keeping, and nobody has to look again.
    Viewers,
    /// They have a moment to go until it is known.
    Soon,
    /// They may become viewers, some time.
    NotYet,
    /// They are not.
    Others,
}

/// The looks at one pipe's readers.
#[derive(Default)]
pub(super) struct Looks {
    /// When the first bytes came.
    begun: Option<Instant>,
    next: Option<Instant>,
    /// Do the first bytes wait?
    holds: bool,
}

impl Looks {
    /// When to look next; none where it is known who reads, and before the first byte.
    pub(super) fn due(&self) -> Option<Instant> {
        self.next
    }

    /// May bytes go out?
    pub(super) fn let_pass(&self) -> bool {
        self.begun.is_some() && !self.holds
    }

    /// Looks if it is time, and returns what is known now. `has_bytes`: is there something to be handed on?
    pub(super) fn turn(&mut self, has_bytes: bool, look: &mut dyn FnMut() -> Looked) -> Option<Looked> {
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
                Looked::Soon => waited < RUNNING,
                Looked::NotYet => waited < ASLEEP,
                Looked::Viewers | Looked::Others => false,
            };
        let pause = if self.holds { AT_FIRST.max(waited / PART) } else { LATER };
        self.next = matches!(looked, Looked::Soon | Looked::NotYet).then(|| Instant::now() + pause);
        Some(looked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_goes_out_until_it_is_known_who_reads() {
        let mut looks = Looks::default();
        assert_eq!(looks.turn(false, &mut || unreachable!("nothing has come")), None);
        assert!(!looks.let_pass());
        assert_eq!(looks.turn(true, &mut || Looked::Soon), Some(Looked::Soon));
        assert!(!looks.let_pass() && looks.due().is_some());
        std::thread::sleep(AT_FIRST);
        assert_eq!(looks.turn(true, &mut || Looked::Viewers), Some(Looked::Viewers));
        assert!(looks.let_pass() && looks.due().is_none());
    }

    #[test]
    fn a_shell_that_sleeps_is_not_waited_for_long() {
        let mut looks = Looks::default();
        looks.turn(true, &mut || Looked::NotYet);
        assert!(!looks.let_pass());
        std::thread::sleep(ASLEEP);
        looks.turn(true, &mut || Looked::NotYet);
        assert!(looks.let_pass() && looks.due().is_some());
        std::thread::sleep(LATER);
        looks.turn(true, &mut || Looked::Soon);
        assert!(looks.let_pass(), "what has gone out is not called back");
    }
}

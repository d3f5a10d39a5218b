//! A viewer that has ended before its tool: how much longer the tool's output is taken.

use std::time::{Duration, Instant};

/// Most bytes that are still taken, for at most [`WAIT`]: a tool that ends by itself within both is told of. A tool
/// that never ends meets the closed pipe a few milliseconds later than it would with the kernel alone.
const MOST: u64 = 4 << 20;
const WAIT: Duration = Duration::from_millis(100);
/// Time in which some process waited for a processor does not count, since that may have been the tool; but after
/// this time in all, no more output is taken.
const BUSY_WAIT: Duration = Duration::from_secs(1);
/// Interval between two looks at the clock.
const TURN: Duration = Duration::from_millis(5);

pub(super) struct Gone {
    at: Instant,
    waited_at: Duration,
    /// When to look at the clock again.
    pub(super) next_turn: Instant,
    pub(super) bytes: u64,
}

impl Gone {
    pub(super) fn now() -> Self {
        let at = Instant::now();
        Self { at, waited_at: waited_for_processors(), next_turn: at + WAIT, bytes: 0 }
    }

    /// Whether the tool is to meet the closed pipe now.
    pub(super) fn is_over(&mut self) -> bool {
        if self.bytes >= MOST {
            return true;
        }
        let now = Instant::now();
        if now < self.next_turn {
            return false;
        }
        self.next_turn = now + TURN;
        let waited = waited_for_processors().saturating_sub(self.waited_at);
        let gone_by = now - self.at;
        gone_by >= BUSY_WAIT || gone_by.saturating_sub(waited) >= WAIT
    }
}

/// Time since the machine's start in which some process waited for a processor: the total of `some` in
/// `/proc/pressure/cpu` (Documentation/accounting/psi.rst of the kernel), there in microseconds. Zero where it
/// cannot be read.
fn waited_for_processors() -> Duration {
    let text = std::fs::read("/proc/pressure/cpu").unwrap_or_default();
    total(&text).map_or(Duration::ZERO, Duration::from_micros)
}

fn total(text: &[u8]) -> Option<u64> {
    let line = std::str::from_utf8(text).ok()?.lines().find(|line| line.starts_with("some "))?;
    line.rsplit_once("total=")?.1.trim().parse().ok()
}

#[cfg(test)]
#[path = "../../../tests/unit/run/window/gone.rs"]
mod tests;

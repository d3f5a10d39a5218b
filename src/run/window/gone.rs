//! A viewer that has ended before its tool: how much longer the tool's output is taken.

use std::time::{Duration, Instant};

/// So many bytes, for so long: a tool that ends by itself within them is told of. One that never ends is ended a few
/// milliseconds later than by a pipe of the kernel's.
const MOST: u64 = 4 << 20;
const WAIT: Duration = Duration::from_millis(100);
/// Time in which somebody waited for a processor does not count, up to this much in all: the tool may be who waited.
const BUSY_WAIT: Duration = Duration::from_secs(1);
/// From one look at the clock to the next.
const TURN: Duration = Duration::from_millis(5);

/// The viewer has ended.
pub(super) struct Gone {
    at: Instant,
    waited_at: Duration,
    next_turn: Instant,
    bytes: u64,
}

impl Gone {
    pub(super) fn now() -> Self {
        let at = Instant::now();
        Self { at, waited_at: waited_for_processors(), next_turn: at + WAIT, bytes: 0 }
    }

    /// So many bytes more were taken.
    pub(super) fn took(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
    }

    /// When to look again.
    pub(super) fn due(&self) -> Instant {
        self.next_turn
    }

    /// Would the tool have met the closed pipe by now?
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

/// For how long since the machine's start somebody on it has waited for a processor: `some` of `/proc/pressure/cpu`
/// (Documentation/accounting/psi.rst of the kernel), in microseconds there. Zero where that is not told.
fn waited_for_processors() -> Duration {
    let text = std::fs::read("/proc/pressure/cpu").unwrap_or_default();
    total(&text).map_or(Duration::ZERO, Duration::from_micros)
}

fn total(text: &[u8]) -> Option<u64> {
    let line = std::str::from_utf8(text).ok()?.lines().find(|line| line.starts_with("some "))?;
    line.rsplit_once("total=")?.1.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_figure_is_read() {
        let text = b"some avg10=99.14 avg60=98.53 avg300=98.25 total=11736322530\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n";
        assert_eq!(total(text), Some(11_736_322_530));
        for other in [&b""[..], b"full total=7", b"some", b"some total=x", &[0xff]] {
            assert_eq!(total(other), None);
        }
    }

    #[test]
    fn so_many_bytes_or_a_second_is_all_that_is_taken() {
        let mut gone = Gone::now();
        assert!(!gone.is_over() && gone.due() > Instant::now());
        gone.took(1 << 20);
        assert!(!gone.is_over());
        gone.took(3 << 20);
        assert!(gone.is_over());
        let mut gone = Gone { next_turn: Instant::now(), ..Gone::now() };
        gone.at -= BUSY_WAIT;
        assert!(gone.is_over());
    }
}

//! Processor time, shared by the suite and the benchmarks. A busy machine adds nothing to it.

use std::hint::black_box;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The least time of this clock (a thread's, a process's) that `act` takes in some rounds.
pub fn least<T>(clock: ClockId, rounds: usize, mut act: impl FnMut() -> T) -> Duration {
    let now = || Duration::try_from(clock_gettime(clock)).expect("no time before the start");
    let times = (0..rounds).map(|_| {
        let start = now();
        black_box(act());
        now().saturating_sub(start)
    });
    times.min().expect("some rounds")
}

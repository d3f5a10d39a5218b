//! Work of unforeseeable duration, under a time limit that is watched from outside.

use std::sync::mpsc;
use std::time::Duration;

/// The result of `work`, which runs in a thread of this name; the error is one line. The thread is waited for no longer
/// than `time`; after that it goes on, and ends with the process at the latest.
pub fn within<T: Send + 'static>(
    time: Duration,
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let worker = std::thread::Builder::new().name(name.into()).spawn(move || sender.send(work()));
    worker.map_err(|error| error.to_string())?;
    receiver.recv_timeout(time).map_err(|_| late(time))
}

pub fn late(time: Duration) -> String {
    format!("took longer than {} ms", time.as_millis())
}

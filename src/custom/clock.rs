//! Work whose time nobody can foresee, watched from outside.

use std::sync::mpsc;
use std::time::Duration;

/// What `work` makes, in a thread of this name, which is waited for this long and no longer: the thread ends with the
/// process, at the latest.
///
/// # Errors
/// In one line: that it took longer, or that there is no thread.
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

/// How it is told that something took longer.
pub fn late(time: Duration) -> String {
    format!("took longer than {} ms", time.as_millis())
}

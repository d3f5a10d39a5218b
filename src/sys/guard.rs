//! Catches our own panics.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Mutex;

static PLACE: Mutex<Option<String>> = Mutex::new(None);

/// Calls `act`, and writes nothing of a panic; returns the panic's place instead (` at src/a.rs:12`), or nothing.
/// Fails when `act` panics.
pub fn guarded<T>(act: impl FnOnce() -> T) -> Result<T, String> {
    set_hook(Box::new(|panic| {
        let place = panic.location().map(|place| format!(" at {}:{}", place.file(), place.line()));
        if let Ok(mut last) = PLACE.lock() {
            *last = place;
        }
    }));
    let result = catch_unwind(AssertUnwindSafe(act));
    let _ = take_hook();
    result.map_err(|_| PLACE.lock().ok().and_then(|mut last| last.take()).unwrap_or_default())
}

//! Catches our own panics, so that each costs one line on stderr and the tool's own bytes still go out.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

/// A panic of ours, as a line for stderr.
pub(super) struct Fault(pub(super) String);

static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Calls `act`; returns a panic as a [`Fault`].
pub(super) fn guarded<T>(act: impl FnOnce() -> T) -> Result<T, Fault> {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map_or_else(String::new, |l| format!(" at {}:{}", l.file(), l.line()));
        if let Ok(mut last) = PANIC.lock() {
            *last = Some(place);
        }
    }));
    let result = catch_unwind(AssertUnwindSafe(|| {
        #[cfg(debug_assertions)]
        assert!(std::env::var_os(crate::env::TOTO_FAULT).is_none_or(|fault| fault != "panic"), "asked for");
        act()
    }));
    let _ = std::panic::take_hook();
    result.map_err(|_| {
        let place = PANIC.lock().ok().and_then(|mut last| last.take()).unwrap_or_default();
        Fault(format!("toto: internal error{place}; the output is the tool's own"))
    })
}

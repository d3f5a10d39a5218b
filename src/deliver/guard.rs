//! Catches our own panics, so that each costs one line on stderr and the tool's own bytes still go out.

use crate::sys::guard;

/// Calls `act`; returns a panic as a line for stderr.
pub(super) fn guarded<T>(act: impl FnOnce() -> T) -> Result<T, String> {
    let act = || {
        #[cfg(debug_assertions)]
        assert!(std::env::var_os(crate::env::TOTO_FAULT).is_none_or(|fault| fault != "panic"), "asked for");
        act()
    };
    guard::guarded(act).map_err(|place| format!("toto: internal error{place}; the output is the tool's own"))
}

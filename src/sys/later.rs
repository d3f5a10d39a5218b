//! Luau's static constructors: `src/start.ld` takes them out of what runs before `main`, where every command would pay
//! for them.

// Where that script is not used (tests), there are none between the symbols: they have run.
#[cfg(target_os = "linux")]
std::arch::global_asm!(
    ".pushsection .data.rel.ro.later, \"aw\"",
    ".weak later_begins, later_ends",
    "later_begins: later_ends:",
    ".quad 0",
    ".popsection"
);

/// Runs the constructors, if that has not been done. Before, nothing of Luau may be called.
pub fn construct() {
    #[cfg(target_os = "linux")]
    {
        unsafe extern "C" {
            static later_begins: extern "C" fn();
            static later_ends: extern "C" fn();
        }
        static DONE: std::sync::Once = std::sync::Once::new();
        DONE.call_once(|| {
            let (mut next, end) = (&raw const later_begins, &raw const later_ends);
            while next < end {
                // SAFETY: between the symbols the linker has put the addresses of the constructors and nothing else;
                // each runs once, in the order in which the C runtime would run them.
                unsafe {
                    (*next)();
                    next = next.add(1);
                }
            }
        });
    }
}

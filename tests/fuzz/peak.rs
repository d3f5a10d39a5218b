//! Memory in use, counted by the allocator: a finding is also what takes too much of it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

static USED: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        PEAK.fetch_max(USED.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Panics if `what` has more than `most` bytes in use at once, beside what was in use before. A second run decides:
/// tables that are built once, and kept, are not counted.
pub fn within(most: usize, what: impl Fn()) {
    if peak_of(&what) > most {
        let peak = peak_of(&what);
        assert!(peak <= most, "{peak} bytes of memory");
    }
}

fn peak_of(what: impl Fn()) -> usize {
    let before = USED.load(Relaxed);
    PEAK.store(before, Relaxed);
    what();
    PEAK.load(Relaxed) - before
}

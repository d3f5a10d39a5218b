//! Unit tests of the room, one file a module.

#[path = "pipeline/kind.rs"]
mod kind;
#[path = "pipeline/scrub/progress.rs"]
mod progress;
#[path = "pipeline/scrub.rs"]
mod scrub;
#[path = "pipeline/visible.rs"]
mod visible;

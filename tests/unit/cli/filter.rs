//! Unit tests of the room, one file a module.

#[path = "filter/new.rs"]
mod new;
#[path = "filter/test.rs"]
mod test;

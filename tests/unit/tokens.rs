//! Unit tests of the room, one file a module.

#[path = "tokens/counter.rs"]
mod counter;
#[path = "tokens/long.rs"]
mod long;
#[path = "tokens/vocabulary.rs"]
mod vocabulary;

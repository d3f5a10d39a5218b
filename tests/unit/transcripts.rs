//! Unit tests of the room, one file a module.

#[path = "transcripts/format.rs"]
mod format;
#[path = "transcripts/line.rs"]
mod line;
#[path = "transcripts/read.rs"]
mod read;

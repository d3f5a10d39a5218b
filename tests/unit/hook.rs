//! Unit tests of the room, one file a module.

#[path = "hook/definitions.rs"]
mod definitions;
#[path = "hook/lexer.rs"]
mod lexer;
#[path = "hook/line.rs"]
mod line;
#[path = "hook/protocol.rs"]
mod protocol;
#[path = "hook/rules.rs"]
mod rules;
#[path = "hook/word.rs"]
mod word;

//! Unit tests of the room, one file a module.

#[path = "report/render/names.rs"]
mod names;
#[path = "report/findings/pattern.rs"]
mod pattern;
#[path = "report/render/template.rs"]
mod template;

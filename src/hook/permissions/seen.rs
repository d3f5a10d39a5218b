//! The forms of a command that permission rules may see.

use super::super::line::Simple;
use crate::commands::base_name;

#[derive(Debug)]
pub struct Seen {
    /// The line as it is, and other forms of it: without assignments, without quotes, the name without a directory.
    pub forms: Vec<String>,
    /// The tool's name, without a directory.
    pub name: String,
}

impl Seen {
    pub fn new(line: &str, command: &Simple<'_>) -> Self {
        let mut values = command.values();
        let behind = &line[command.words[0].start..];
        let mut forms = vec![line.trim().to_owned(), behind.trim().to_owned(), values.join(" ")];
        values[0] = base_name(&values[0]).into();
        forms.push(values.join(" "));
        Self { forms, name: values.swap_remove(0) }
    }
}

//! What is to be said on stderr about a filter that could not be used: once, whoever found it out.

use std::cell::RefCell;

/// Lines to say, each once.
#[derive(Debug, Default)]
pub struct Notices(RefCell<Vec<String>>);

impl Notices {
    /// Adds a line, where somebody listens.
    pub fn add(to: Option<&Self>, line: &str) {
        if let Some(Self(lines)) = to {
            let mut lines = lines.borrow_mut();
            if !lines.iter().any(|known| known == line) {
                lines.push(line.to_owned());
            }
        }
    }

    /// Takes the lines out.
    pub fn take(&self) -> Vec<String> {
        self.0.take()
    }
}

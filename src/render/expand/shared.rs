//! Aliases and anchors, which a text refers to.

use std::collections::HashMap;

use super::error::{Fault, MAX_DEPTH, too_deep};
use super::value::Value;

/// Aliases and anchors, each known from the place where it stands to the end of the text.
pub struct Shared {
    aliases: HashMap<String, String>,
    anchors: HashMap<u32, Anchored>,
    left: usize,
    /// The line that was read last, and how many of its bytes were not read yet: the place of a fault.
    pub line: usize,
    pub unread: usize,
}

struct Anchored {
    value: Value,
    size: usize,
    depth: usize,
}

impl Shared {
    /// For a text that has not been read yet, and may stand for `most` values beyond those written in it.
    pub fn new(most: usize) -> Self {
        Self { aliases: HashMap::new(), anchors: HashMap::new(), left: most, line: 0, unread: 0 }
    }

    /// Gives a text a name.
    pub fn define(&mut self, name: String, text: String) {
        self.aliases.insert(name, text);
    }

    /// The text with that name, if there is one.
    pub fn alias(&mut self, name: &str) -> Result<Option<String>, Fault> {
        let text = self.aliases.get(name).cloned();
        self.spend(text.as_ref().map_or(0, String::len) / 16)?;
        Ok(text)
    }

    /// Gives a value a number.
    pub fn anchor(&mut self, number: u32, value: &Value) -> Result<(), Fault> {
        let depth = value.depth();
        if depth > MAX_DEPTH {
            return Err(too_deep());
        }
        let mut value = value.clone();
        value.settle();
        let size = value.size();
        self.spend(size)?;
        self.anchors.insert(number, Anchored { value, size, depth });
        Ok(())
    }

    /// The value with that number, and its depth.
    pub fn refer(&mut self, number: u32) -> Result<(Value, usize), Fault> {
        let missing = || format!("there is no &{number} before *{number}");
        let size = self.anchors.get(&number).ok_or_else(missing)?.size;
        self.spend(size)?;
        let anchored = self.anchors.get(&number).ok_or_else(missing)?;
        Ok((anchored.value.clone(), anchored.depth))
    }

    /// Counts values, or sixteen bytes of text each, that do not stand in the text as such; fails where they are too
    /// many.
    pub fn spend(&mut self, values: usize) -> Result<(), Fault> {
        self.left = self.left.checked_sub(values).ok_or("the text stands for too much")?;
        Ok(())
    }
}

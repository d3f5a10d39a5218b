//! Aliases and anchors, which a text refers to.

use std::collections::HashMap;

use super::error::{Fault, MAX_DEPTH, too_deep};
use super::value::Value;

/// Most values that a text may stand for beyond those written in it, and most times sixteen bytes of text. No output
/// that toto renders has more of either.
pub const MOST: usize = 16 << 20;

/// Aliases and anchors, each known from the place where it stands to the end of the text.
#[derive(Default)]
pub struct Shared {
    /// The texts of aliases, by their names.
    pub aliases: HashMap<String, String>,
    /// Values with their sizes and depths, by the numbers of their anchors.
    anchors: HashMap<u32, (Value, usize, usize)>,
    left: usize,
    /// The line that was read last, and how many of its bytes were not read yet: the place of a fault.
    pub line: usize,
    pub unread: usize,
    /// Whether values and names are texts, as in tables that were printed as text.
    pub are_texts: bool,
}

impl Shared {
    /// For a text that has not been read yet, and may stand for `most` values beyond those written in it.
    pub fn new(most: usize) -> Self {
        Self { left: most, ..Self::default() }
    }

    /// The text with that name, if there is one.
    pub fn alias(&mut self, name: &str) -> Result<Option<String>, Fault> {
        let text = self.aliases.get(name).cloned();
        self.spend(text.as_ref().map_or(0, String::len) / 16)?;
        Ok(text)
    }

    pub fn anchor(&mut self, number: u32, value: &Value) -> Result<(), Fault> {
        let depth = value.depth();
        if depth > MAX_DEPTH {
            return Err(too_deep());
        }
        let mut value = value.clone();
        value.settle();
        let size = value.size();
        self.spend(size)?;
        self.anchors.insert(number, (value, size, depth));
        Ok(())
    }

    /// The value with that number, and its depth.
    pub fn refer(&mut self, number: u32) -> Result<(Value, usize), Fault> {
        let anchored = self.anchors.get(&number);
        let &(_, size, depth) = anchored.ok_or_else(|| format!("there is no &{number} before *{number}"))?;
        self.spend(size)?;
        Ok((self.anchors[&number].0.clone(), depth))
    }

    /// Counts values, or sixteen bytes of text each, that do not stand in the text as such; fails where they are too
    /// many.
    pub fn spend(&mut self, values: usize) -> Result<(), Fault> {
        self.left = self.left.checked_sub(values).ok_or("the text stands for too much")?;
        Ok(())
    }
}

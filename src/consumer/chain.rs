//! The chain of our process and its ancestors.

use super::process::Process;

/// Most links that are read, more than any sane chain has. A longer chain is cut, and then proves nothing at its
/// top.
const LONGEST: usize = 64;

/// Ourselves (0) and our ancestors, nearest first, each read when it is first asked for.
pub struct Chain {
    /// The links that have been read.
    pub links: Vec<Process>,
    complete: bool,
    /// Whether the chain was read to its end, and an ancestor there is hidden, or there are too many.
    pub is_cut: bool,
}

impl Chain {
    /// A chain of which only our own process has been read; `None` where processes cannot be seen.
    pub fn new() -> Option<Self> {
        Some(Self { links: vec![Process::ourselves()?], complete: false, is_cut: false })
    }

    /// Whether there is a link with this number. Reads the chain up to it.
    pub fn reaches(&mut self, index: usize) -> bool {
        while self.links.len() <= index && !self.complete {
            let top = &self.links[self.links.len() - 1];
            match top.parent() {
                Some(parent) if self.links.len() < LONGEST => self.links.push(parent),
                _ => {
                    self.is_cut = top.parent_id() != 0;
                    self.complete = true;
                }
            }
        }
        index < self.links.len()
    }

    /// Every link, read to the top.
    pub fn all(&mut self) -> &[Process] {
        self.reaches(LONGEST);
        &self.links
    }
}

//! Ways to find lines that are alike, and which of them were of use so far: in a large text only those are tried.

use super::grid::Cut;

/// In a text of no more bytes all ways are tried everywhere.
const SMALL: usize = 512 * 1024;
/// Beyond that, on one of so many parts.
const OFTEN: usize = 12;
/// Ways that are tried on the others.
const BEST_WAYS: usize = 2;

/// A way to find lines that are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Lines of one kind with few others between them.
    Alike { family: usize, gap: usize },
    /// So many lines that come again and again, told by their first words.
    Records { words: usize, height: usize },
    /// Lines of several kinds, told apart by the name in this place.
    Forms { place: usize },
}

/// A way that was of use.
struct Useful {
    way: Way,
    /// About the tokens that it saved.
    saved: usize,
    /// How rows were taken apart by it.
    cuts: Vec<Cut>,
}

/// Which ways were of use so far.
#[derive(Default)]
pub(super) struct Ways {
    useful: Vec<Useful>,
    parts: usize,
    pub(super) is_small: bool,
}

impl Ways {
    pub(super) fn for_text(bytes: usize) -> Self {
        Self { is_small: bytes <= SMALL, ..Self::default() }
    }

    /// Whether all are tried on the next part.
    pub(super) fn tries_all(&self) -> bool {
        self.is_small || self.parts.is_multiple_of(OFTEN)
    }

    pub(super) fn wants(&self, way: Way) -> bool {
        self.tries_all() || self.useful.iter().any(|useful| useful.way == way)
    }

    /// Whether any of them compares lines by their keys.
    pub(super) fn want_keys(&self) -> bool {
        self.tries_all() || self.useful.iter().any(|useful| !matches!(useful.way, Way::Forms { .. }))
    }

    /// How rows are taken apart by a way; empty: all is tried.
    pub(super) fn cuts(&self, way: Way) -> &[Cut] {
        let useful = self.useful.iter().find(|useful| useful.way == way && !self.tries_all());
        useful.map_or(&[], |useful| &useful.cuts)
    }

    /// Remembers what each way saved on the last part.
    pub(super) fn learn<'a>(&mut self, chosen: impl Iterator<Item = (Way, usize, &'a [Cut])>) {
        if self.tries_all() && !self.is_small {
            self.useful.clear();
            for (way, saved, cuts) in chosen {
                let index = self.useful.iter().position(|useful| useful.way == way).unwrap_or_else(|| {
                    self.useful.push(Useful { way, saved: 0, cuts: Vec::new() });
                    self.useful.len() - 1
                });
                let useful = &mut self.useful[index];
                useful.saved += saved;
                for cut in cuts {
                    useful.cuts.extend((!useful.cuts.contains(cut)).then_some(*cut));
                }
            }
            self.useful.sort_by_key(|useful| usize::MAX - useful.saved);
            self.useful.truncate(BEST_WAYS);
        }
        self.parts += 1;
    }
}

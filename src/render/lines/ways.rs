//! Ways to find lines that are alike, and which of them saved tokens so far: in a large text most parts try only those.

use super::grid::Cut;

/// Largest text in which all ways are tried everywhere, in bytes.
const SMALL: usize = 512 * 1024;
/// Number of parts of a larger text of which one tries all ways.
const OFTEN: usize = 12;
/// Ways that are tried on the other parts.
const BEST_WAYS: usize = 2;

/// A way to find lines that are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Lines of one kind with few others between them.
    Alike { family: usize, gap: usize },
    /// Records of `height` lines that come again and again, recognised by the first `words` words of each line.
    Records { words: usize, height: usize },
    /// Lines of several kinds, told apart by the name in this place of each line.
    Forms { place: usize },
}

/// A way, the estimated tokens that it saved, and the cuts that took its rows apart.
type Useful = (Way, usize, Vec<Cut>);

/// The ways that saved tokens so far.
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

    /// Whether all ways are tried on the next part.
    pub(super) fn tries_all(&self) -> bool {
        self.is_small || self.parts.is_multiple_of(OFTEN)
    }

    pub(super) fn wants(&self, way: Way) -> bool {
        self.tries_all() || self.useful.iter().any(|(useful, ..)| *useful == way)
    }

    /// Whether a way that is to be tried compares lines by their keys.
    pub(super) fn want_keys(&self) -> bool {
        self.tries_all() || self.useful.iter().any(|(way, ..)| !matches!(way, Way::Forms { .. }))
    }

    /// The cuts that are tried for a way; empty if all are.
    pub(super) fn cuts(&self, way: Way) -> &[Cut] {
        let useful = self.useful.iter().find(|(useful, ..)| *useful == way && !self.tries_all());
        useful.map_or(&[], |(.., cuts)| cuts)
    }

    /// Remembers what each way saved on the last part.
    pub(super) fn learn<'a>(&mut self, chosen: impl Iterator<Item = (Way, usize, &'a [Cut])>) {
        if self.tries_all() && !self.is_small {
            self.useful.clear();
            for (way, saved, cuts) in chosen {
                let index = self.useful.iter().position(|(useful, ..)| *useful == way).unwrap_or_else(|| {
                    self.useful.push((way, 0, Vec::new()));
                    self.useful.len() - 1
                });
                let (_, all, known) = &mut self.useful[index];
                *all += saved;
                for cut in cuts {
                    known.extend((!known.contains(cut)).then_some(*cut));
                }
            }
            self.useful.sort_by_key(|(_, saved, _)| usize::MAX - saved);
            self.useful.truncate(BEST_WAYS);
        }
        self.parts += 1;
    }
}

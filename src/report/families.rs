//! The table of families, and the single pass over a text that says which of them to ask.

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use once_cell::sync::Lazy;

use super::family::Family;
use super::{findings, runners};

/// In the order in which they are asked: the first family that reads a line owns it. Test runners come first, since
/// what a test printed is the test's; forms that say least about themselves (`path:line:col: message`, stack traces)
/// come last.
const FAMILIES: &[&[&[Family]]] = &[runners::FAMILIES, findings::FAMILIES, &[runners::TRACES]];

/// All families in their order.
pub fn all() -> impl Iterator<Item = &'static Family> {
    FAMILIES.iter().copied().flatten().copied().flatten()
}

struct Signs {
    automaton: AhoCorasick,
    /// The index of each pattern's family.
    families: Vec<usize>,
}

/// Bytes from which a text is long. The automaton that reads a long text fastest takes longer to build than a short
/// text takes to read.
const LONG: usize = 1 << 20;
static OF_SHORT: Lazy<Option<Signs>> = Lazy::new(|| signs(AhoCorasickKind::ContiguousNFA));
static OF_LONG: Lazy<Option<Signs>> = Lazy::new(|| signs(AhoCorasickKind::DFA));

fn signs(kind: AhoCorasickKind) -> Option<Signs> {
    let mut patterns: Vec<&str> = Vec::new();
    let mut families = Vec::new();
    for (at, family) in all().enumerate() {
        patterns.extend(family.signs);
        families.extend(family.signs.iter().map(|_| at));
    }
    let automaton = AhoCorasick::builder().kind(Some(kind)).build(patterns).ok()?;
    Some(Signs { automaton, families })
}

/// The families whose signs stand in a text, and those without signs.
pub fn in_question(text: &str) -> Vec<&'static Family> {
    let mut asked: Vec<bool> = all().map(|family| family.signs.is_empty()).collect();
    if let Some(signs) = if text.len() < LONG { &*OF_SHORT } else { &*OF_LONG } {
        let mut missing = asked.iter().filter(|asked| !**asked).count();
        for found in signs.automaton.find_overlapping_iter(text) {
            let family = signs.families[found.pattern().as_usize()];
            if !std::mem::replace(&mut asked[family], true) {
                missing -= 1;
                if missing == 0 {
                    break;
                }
            }
        }
    }
    all().zip(asked).filter(|(_, asked)| *asked).map(|(family, _)| family).collect()
}

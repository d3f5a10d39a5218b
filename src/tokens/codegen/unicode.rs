//! The class of every Unicode scalar, four bits each, in blocks of 256 of which equal ones are stored once.

use regex_syntax::hir::{self, HirKind};

use super::layout::Class;

/// The pattern of each class. A scalar in none is a symbol; line breaks, listed last, are not spaces.
const PATTERNS: [(&str, Class); 4] =
    [(r"\p{L}", Class::Letter), (r"\p{N}", Class::Number), (r"\s", Class::Space), (r"[\r\n]", Class::Break)];
const SCALARS: usize = 0x11_0000;
const BLOCK: usize = 256;

/// Writes the classes as `unicode.index` (one block number per byte) and `unicode.blocks` through `write`.
pub fn write(write: &impl Fn(&str, &[u8])) {
    let mut classes = vec![Class::Symbol as u8; SCALARS];
    for (pattern, class) in PATTERNS {
        for range in scalars_of(pattern) {
            classes[range].fill(class as u8);
        }
    }
    let mut blocks: Vec<Vec<u8>> = Vec::new();
    let mut index = Vec::new();
    for block in classes.chunks(BLOCK) {
        let packed: Vec<u8> = block.chunks(2).map(|pair| pair[0] | pair[1] << 4).collect();
        let number = blocks.iter().position(|known| *known == packed).unwrap_or_else(|| {
            blocks.push(packed);
            blocks.len() - 1
        });
        index.push(u8::try_from(number).expect("at most 256 distinct blocks"));
    }
    write("unicode.index", &index);
    write("unicode.blocks", &blocks.concat());
}

/// The scalars that a pattern of one character class matches.
fn scalars_of(pattern: &str) -> Vec<std::ops::RangeInclusive<usize>> {
    let parsed = regex_syntax::parse(pattern).expect("a valid pattern");
    let HirKind::Class(hir::Class::Unicode(class)) = parsed.kind() else {
        panic!("{pattern} is not one class")
    };
    class.ranges().iter().map(|range| range.start() as usize..=range.end() as usize).collect()
}

//! Unicode classes of every scalar, four bits each, in blocks of 256 of which equal ones are stored once.

use regex_syntax::hir::{Class, HirKind};

/// What each value or bit of an entry stands for; `class.rs` reads them back.
const CLASSES: [(&str, u8); 5] = [
    (r"\p{L}", 1),
    (r"\p{N}", 2),
    (r"\s", 3),
    (r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", 4),
    (r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]", 8),
];
const SCALARS: usize = 0x11_0000;
const BLOCK: usize = 256;

/// Writes the classes as `unicode.index` (a block number a byte) and `unicode.blocks` through `write`.
pub fn write(write: &impl Fn(&str, &[u8])) {
    let mut classes = vec![0_u8; SCALARS];
    for (pattern, bits) in CLASSES {
        for range in scalars_of(pattern) {
            for class in &mut classes[range] {
                *class |= bits;
            }
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
    let HirKind::Class(Class::Unicode(class)) = parsed.kind() else { panic!("{pattern} is not one class") };
    class.ranges().iter().map(|range| range.start() as usize..=range.end() as usize).collect()
}

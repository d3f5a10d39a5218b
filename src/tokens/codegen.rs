//! The build script's part of the tokenizer: writes the tables that `vocabulary.rs` and `unicode.rs` include.
//!
//! Everything is taken from pinned build dependencies: the vocabulary from `tiktoken-rs`, and the Unicode classes from
//! `regex-syntax`, whose tables `tiktoken-rs`'s own regular expressions use. What the counter takes for granted of the
//! vocabulary, tests/unit/tokens/vocabulary.rs holds. CONTRIBUTING.md tells how to follow a new version.

use std::path::Path;

#[expect(dead_code, reason = "the tables hold the classes of scalars, not of a text's end")]
#[path = "layout.rs"]
mod layout;
#[path = "codegen/perfect_hash.rs"]
mod perfect_hash;
#[path = "codegen/tables.rs"]
mod tables;
#[path = "codegen/unicode.rs"]
mod unicode;

/// Writes all tables into `out_dir`.
///
/// # Panics
/// Panics, and so fails the build, if the vocabulary does not fit the tables.
pub fn generate(out_dir: &Path) {
    let write = |name: &str, bytes: &[u8]| {
        let path = out_dir.join(name);
        std::fs::write(&path, bytes)
            .unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
    };
    let encoding = tiktoken_rs::cl100k_base().expect("tiktoken-rs carries cl100k_base");
    // Ids from 0 up to the first gap; the special tokens (`<|endoftext|>`, …) lie beyond it.
    let vocabulary: Vec<Vec<u8>> = (0..).map_while(|id| encoding.decode_bytes(&[id]).ok()).collect();
    tables::write(&vocabulary, &write);
    unicode::write(&write);
}

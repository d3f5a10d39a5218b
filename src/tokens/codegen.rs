//! The build script's part of the tokenizer: writes the tables that `vocabulary.rs` and `unicode.rs` include.
//!
//! Everything is taken from pinned build dependencies: the vocabulary from `tiktoken-rs`, checked against the
//! SHA-256 their publisher gives, and the Unicode classes from `regex-syntax`, whose tables `tiktoken-rs`'s own
//! regular expressions use. CONTRIBUTING.md tells how to follow a new version.

use std::path::Path;

#[expect(dead_code, reason = "the tables hold the classes of scalars, not of a text's end")]
#[path = "layout.rs"]
mod layout;
#[path = "codegen/perfect_hash.rs"]
mod perfect_hash;
#[path = "codegen/published.rs"]
mod published;
#[path = "codegen/reach.rs"]
mod reach;
#[path = "codegen/tables.rs"]
mod tables;
#[path = "codegen/unicode.rs"]
mod unicode;

/// Writes all tables into `out_dir`.
///
/// # Panics
/// Panics, and so fails the build, if the vocabulary is not the published one or breaks an assumption of the
/// counter.
pub fn generate(out_dir: &Path) {
    let write = |name: &str, bytes: &[u8]| {
        let path = out_dir.join(name);
        std::fs::write(&path, bytes)
            .unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
    };
    tables::write(&published::cl100k(), &write);
    unicode::write(&write);
}

//! Recognisers of what compilers, type checkers and linters print.

mod arrow;
mod blocks;
mod build;
mod configuration;
mod excerpts;
mod form;
mod github;
mod headed;
mod learned;
mod lines;
mod memory;
mod pattern;
mod pretty;
mod tool;
mod word;

use super::section::Family;

/// In the order in which they are asked: forms of a single tool first, forms that many tools share last.
pub const FAMILIES: &[&[Family]] = &[
    &[
        arrow::RUSTC,
        arrow::RUFF,
        blocks::BANDIT,
        blocks::BIOME,
        blocks::SHELLCHECK,
        configuration::TERRAFORM,
        configuration::CMAKE,
        memory::VALGRIND,
        memory::SANITIZER,
        github::FAMILY,
        pretty::TSC,
        headed::PYRIGHT,
        headed::BARRED,
        build::UNFORMATTED,
    ],
    lines::FAMILIES,
    &[build::LINKER, build::MAKE, learned::FAMILY],
];

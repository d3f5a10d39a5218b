//! Recognisers of what compilers, type checkers and linters print.

mod arrow;
mod blocks;
mod build;
mod configuration;
mod detail;
mod form;
mod github;
mod headed;
mod lines;
mod locale;
mod pattern;
mod pretty;
mod tool;
mod word;
mod wrapped;

use super::family::Family;

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
        github::FAMILY,
        pretty::FAMILY,
        headed::PYRIGHT,
        locale::FAMILY,
        build::UNFORMATTED,
    ],
    lines::FAMILIES,
    &[headed::TABLE, build::LINKER, build::MAKE],
];

//! Tables of patterns, by language, for runners whose reports are headings with text below them.

mod below;
mod go;
mod java;
mod javascript;
mod native;
mod others;
mod python;
mod ruby;
mod rust;

use super::super::family::Family;
use super::engine;

/// Defines a family by its table.
macro_rules! runner {
    ($name:ident, $tool:literal, $signs:expr, $table:expr) => {
        pub const $name: $crate::report::family::Family = {
            static RUNNER: once_cell::sync::Lazy<Option<super::engine::Runner>> =
                once_cell::sync::Lazy::new(|| {
                    static TABLE: super::engine::Table = $table;
                    super::engine::Runner::new(&TABLE)
                });
            fn read<'t>(
                section: &$crate::report::section::Section<'t>,
                records: &mut $crate::report::section::Records<'t>,
            ) {
                if let Some(runner) = &*RUNNER {
                    runner.read(section, records);
                }
            }
            $crate::report::family::Family { name: $tool, signs: $signs, read }
        };
    };
}
use runner;

/// In the order in which they are asked: what may stand inside another's output comes first.
pub const FAMILIES: &[Family] = &[
    python::UNITTEST,
    rust::NEXTEST,
    rust::CARGO,
    go::GO,
    javascript::JEST,
    javascript::VITEST,
    javascript::PLAYWRIGHT,
    javascript::MOCHA,
    javascript::NODE,
    ruby::MINITEST,
    ruby::RSPEC,
    java::SUREFIRE,
    java::GRADLE,
    java::DOTNET,
    native::GTEST,
    native::CATCH2,
    native::CTEST,
    native::SWIFT,
    others::PHPUNIT,
    others::EXUNIT,
    others::TAP,
];

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

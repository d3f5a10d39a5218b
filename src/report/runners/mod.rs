//! Recognisers of what test runners print.

mod ava;
mod below;
mod body;
mod compiled;
mod dynamic;
mod engine;
mod frame;
mod pytest;
mod reckoning;
mod rule;
mod told;
mod traces;

use super::section::Family;

/// In the order in which they are asked: what may stand inside another's output comes first.
pub const FAMILIES: &[Family] = &[
    pytest::FAMILY,
    dynamic::UNITTEST,
    compiled::NEXTEST,
    compiled::CARGO,
    dynamic::JEST,
    dynamic::VITEST,
    dynamic::PLAYWRIGHT,
    dynamic::MOCHA,
    ava::FAMILY,
    dynamic::MINITEST,
    dynamic::RSPEC,
    compiled::SUREFIRE,
    compiled::GRADLE,
    compiled::DOTNET,
    compiled::GTEST,
    compiled::CATCH2,
    compiled::CTEST,
    compiled::MESON,
    dynamic::PHPUNIT,
    dynamic::EXUNIT,
    dynamic::BEHAVE,
    dynamic::BUSTED,
    // Those whose totals count no failures, and so cannot tell whose words a failure is, come last.
    compiled::GO,
    compiled::SWIFT,
    dynamic::NODE,
    dynamic::ROBOT,
    dynamic::PROVE,
    dynamic::TAP_OF_VITEST,
    dynamic::TAP_OF_NODE,
    dynamic::TAP,
];
/// Asked behind all others: a trace inside another report is a part of that report.
pub const TRACES: &[Family] = &[traces::FAMILY];

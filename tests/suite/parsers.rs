//! The properties of the fuzz targets (`tests/parsers.rs`), on texts put together out of pieces that mean something and on
//! seeds with changes. So the targets hold wherever the suite runs, with no fuzzer; `PROPTEST_CASES=100000` plays longer.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestError, TestRng, TestRunner};

#[path = "../parsers.rs"]
pub mod properties;

use crate::harness::{files_below, side_by_side};
use properties::{PROPERTIES, hold};

/// A longer file is no seed here, in bytes: the suite is a debug build.
const LONGEST_SEED: u64 = 4096;

/// Of each target: words of its language.
fn pieces() -> toml::Table {
    toml::from_str(include_str!("../fuzz/pieces.toml")).expect("tests/fuzz/pieces.toml is TOML")
}

fn strings(table: &toml::Table, name: &str) -> Vec<String> {
    let list = table.get(name).and_then(toml::Value::as_array).unwrap_or_else(|| panic!("{name} has none"));
    list.iter().map(|text| text.as_str().expect("texts").to_owned()).collect()
}

/// The seeds of a target that lie in this repository.
fn seeds(name: &str) -> Vec<Vec<u8>> {
    let directories: toml::Table = toml::from_str(include_str!("../fuzz/seeds.toml")).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let here = strings(&directories, name).into_iter().filter(|directory| !directory.starts_with("../"));
    let found = |directory: String| {
        let files = files_below(&root.join(&directory));
        assert!(!files.is_empty(), "{directory} has no seeds");
        files
    };
    let mut files: Vec<PathBuf> = here.flat_map(found).collect();
    files.retain(|path| path.metadata().unwrap().len() <= LONGEST_SEED);
    files.sort();
    files.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Some bytes in place of some others.
type Change = (Index, usize, Vec<u8>);

fn changed((mut text, changes): (Vec<u8>, Vec<Change>)) -> Vec<u8> {
    for (at, length, new) in changes {
        let at = at.index(text.len() + 1);
        text.splice(at..text.len().min(at + length), new);
    }
    text
}

fn texts(name: &str) -> impl Strategy<Value = Vec<u8>> + use<> {
    let piece = prop_oneof![
        12 => select(strings(&pieces(), name)).prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>(), 1..4),
        1 => "[ -~]{1,6}".prop_map(String::into_bytes),
    ];
    let change = (
        any::<Index>(),
        prop_oneof![4 => 0..4usize, 1 => 0..400usize],
        prop_oneof![
            1 => Just(Vec::new()),
            3 => piece.clone(),
        ],
    );
    prop_oneof![
        prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat()),
        (select(seeds(name)), prop::collection::vec(change, 0..6)).prop_map(changed),
    ]
}

#[test]
fn whatever_the_bytes() {
    side_by_side(PROPERTIES, |(name, _)| {
        let config = Config { failure_persistence: None, ..Config::default() };
        let rng = TestRng::deterministic_rng(config.rng_algorithm);
        let held = TestRunner::new_with_rng(config, rng).run(&texts(name), |text| {
            hold(name, &text);
            Ok(())
        });
        match held {
            Ok(()) => {}
            Err(TestError::Fail(why, text)) => panic!("{why}\n{name}: \"{}\"", text.escape_ascii()),
            Err(error) => panic!("{name}: {error}"),
        }
    });
}

#[test]
fn every_property_has_its_fuzz_target() {
    let manifest = include_str!("../fuzz/Cargo.toml");
    for (name, _) in PROPERTIES {
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name}");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fuzz/fuzz_targets/{name}.rs"));
        assert!(fs::read_to_string(&source).unwrap().contains(&format!("hold({name:?}, data)")), "{name}");
    }
}

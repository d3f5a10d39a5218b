//! Generates static tables from data files; each room has its own generator.

use std::path::PathBuf;

#[path = "src/agents/codegen.rs"]
mod agents;
#[path = "src/filter/codegen.rs"]
mod filter;
#[path = "src/ledger/codegen.rs"]
mod ledger;
#[path = "src/passthrough/codegen.rs"]
mod passthrough;
#[path = "src/tokens/codegen.rs"]
mod tokens;

fn main() {
    let out_dir = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    println!("cargo::rerun-if-changed=build.rs");
    agents::generate(&out_dir);
    filter::generate(&out_dir);
    ledger::generate(&out_dir);
    passthrough::generate(&out_dir);
    tokens::generate(&out_dir);
}

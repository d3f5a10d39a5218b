//! Generates static tables from data files; each room has its own generator.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "src/agents/codegen.rs"]
mod agents;
#[path = "src/commands/codegen.rs"]
mod commands;
#[path = "src/filter/codegen.rs"]
mod filter;
#[path = "src/report/codegen.rs"]
mod report;
#[path = "src/tokens/codegen.rs"]
mod tokens;

fn main() {
    let out_dir = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
        println!("cargo::rustc-link-arg-bins=-T{root}/src/start.ld");
        println!("cargo::rerun-if-changed=src/start.ld");
    }
    if let Err(message) = agents::generate(&out_dir) {
        println!("cargo::error={message}");
    }
    let table = commands::generate(&out_dir);
    filter::generate(&out_dir, &table);
    report::generate(&out_dir);
    words("src/failure.toml", &out_dir.join("failure.rs"));
    tokens::generate(&out_dir);
    println!("cargo::rustc-env=TOTO_COMMIT={}", commit().map_or_else(String::new, |it| format!(" ({it})")));
}

/// Lays the lists of a file out as statics.
fn words(source: &str, target: &Path) {
    println!("cargo::rerun-if-changed={source}");
    let text = std::fs::read_to_string(source).expect(source);
    let lists: BTreeMap<String, Vec<String>> = toml::from_str(&text).expect(source);
    let laid_out = |(name, words): (&String, &Vec<String>)| {
        format!("pub static {}: [&str; {}] = {words:?};\n", name.to_uppercase(), words.len())
    };
    std::fs::write(target, lists.iter().map(laid_out).collect::<String>()).expect("OUT_DIR is writable");
}

/// The checkout's commit, for release builds: a debug build would be made anew after each commit. None without git, and
/// where the sources lie in somebody else's repository.
fn commit() -> Option<String> {
    if std::env::var("PROFILE").ok()? != "release" {
        return None;
    }
    git(&["ls-files", "--error-unmatch", "Cargo.toml"])?;
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    if Path::new(&log).exists() {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&["rev-parse", "--short=7", "HEAD"])
}

#[expect(clippy::disallowed_methods, reason = "the build asks git, which may be missing")]
fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

//! Unit tests of the room, those of its modules in files of their own.

#[path = "overflow/finder.rs"]
mod finder;
#[path = "overflow/pages.rs"]
mod pages;
#[path = "overflow/passages.rs"]
mod passages;
#[path = "overflow/preview.rs"]
mod preview;
#[path = "overflow/summary.rs"]
mod summary;

use super::*;
use crate::tokens;

fn saved() -> Original<'static> {
    Original::Saved { path: Path::new("/s/x.out"), id: "k7q2x" }
}

fn log(lines: usize) -> String {
    (0..lines).map(|n| format!("compiled unit {n} of the program, all well\n")).collect()
}

fn reduced(text: &str, mode: Mode, whole: Original<'_>, failed: bool, most: usize) -> String {
    let summary = &Summary::of(text.as_bytes(), &["error", "warn"].map(String::from));
    let outcome = if failed { Outcome::Failed(1) } else { Outcome::Succeeded };
    Large { summary, outline: None, whole, outcome, most, threshold: None }.reduced(mode).1
}

fn buffered(text: &str, failed: bool) -> String {
    reduced(text, Mode::Buffer, saved(), failed, usize::MAX)
}

#[test]
fn a_preview_is_left_out_where_it_saves_little_or_has_a_long_line() {
    let many = buffered(&log(200), false);
    assert!(many.contains("\n… (lines 6-190)\n"), "{many}");
    let few = "Output buffered to /s/x.out (25 lines)\ntoto show k7q2x [--lines A:B] [--grep RE]\n";
    assert_eq!(buffered(&log(25), false), few);
    let long = format!("{}{}\n", log(200), "x".repeat(201));
    assert_eq!(buffered(&long, false).lines().count(), 2);
    // A failure is described in spite of the long line.
    let failed = buffered(&long, true);
    assert!(failed.contains(&format!("{}… (1 characters more)", "x".repeat(200))), "{failed}");
}

#[test]
fn a_preview_is_within_a_thousand_tokens_and_tells_every_kind_of_error() {
    let error = |n: usize| {
        let name = ["foo", "bar", "baz"][n % 3];
        format!("src/f{n}.c:{n}:1: error: no {name} in scope\n    {n} | call(one, two, three);\n")
    };
    let preview = buffered(&(0..3000).map(error).collect::<String>(), true);
    assert!(tokens::count(preview.as_bytes()) <= 1_000, "{}", tokens::count(preview.as_bytes()));
    for word in ["no foo in", "no bar in", "no baz in", "Keyword mentions: error 3000", " like it)"] {
        assert!(preview.contains(word), "{word}\n{preview}");
    }
}

#[test]
fn an_agents_own_limit_is_kept() {
    let modes = [(Mode::Truncate, saved()), (Mode::Buffer, saved()), (Mode::Buffer, Original::Lost("full"))];
    for (mode, whole) in modes {
        let text = reduced(&log(5_000), mode, whole, true, 20_000);
        assert!(text.len() <= 20_000, "{mode:?}: {}", text.len());
    }
    let cut = reduced(&log(5_000), Mode::Truncate, saved(), false, usize::MAX);
    assert!(cut.len() > 20_000 && cut.matches("Output truncated: ").count() == 2);
}

//! Facts that were lost or changed.

use llm_toto::custom::Call;
use llm_toto::pipeline::{Options, compress};
use llm_toto::render::expand::{expand, expand_within};

use crate::harness::{Sandbox, call_words, run_with};

/// What `toto` makes of an input that is piped into it.
fn piped(input: &[u8], options: &[&str]) -> String {
    let sandbox = Sandbox::new();
    let mut command = sandbox.toto(options);
    let written = run_with(command.args(["--receipt", "off"]), input).ok();
    String::from_utf8_lossy(&written.out).into_owned()
}

#[test]
fn lines_that_end_in_a_carriage_return_alone_were_laid_over_each_other() {
    for level in ["lossless", "standard"] {
        let balances = piped(b"user,balance\ralice,1000\rbob,25\r", &["--level", level]);
        assert_eq!(balances, "user,balance\nalice,1000\nbob,25\n");
    }
}

#[test]
fn a_warning_was_written_over_by_the_progress_behind_it() {
    let text = b"WARNING: certificate expires in 2 days\rdownloading  10%\rdownloading 100%\n";
    assert!(piped(text, &[]).contains("certificate expires in 2 days"), "{}", piped(text, &[]));
}

#[test]
fn an_error_was_mixed_with_the_progress_behind_it() {
    let state = |n: u32| format!("step {n} of the build running, please wait");
    let mut text: String = (1..=30).map(|n| state(n) + "\r").collect();
    text += &format!("error: cannot reach db01.internal:5432\r{}\n", state(31));
    let out = piped(text.as_bytes(), &[]);
    let want = format!(
        "{}\nerror: cannot reach db01.internal:5432\n{}\n(29 states of progress left out",
        state(30),
        state(31)
    );
    assert!(out.starts_with(&want), "{out}");
    assert_eq!(piped(text.as_bytes(), &["--level", "lossless"]), text.replace('\r', "\n"));
}

#[test]
fn the_address_of_a_link_was_lost() {
    // So many that leaving their escape sequences out is worth a changed output.
    let link = "see \x1b]8;;https://ci.example/42\x1b\\log\x1b]8;;\x1b\\ please\n".repeat(12);
    for level in ["lossless", "standard"] {
        let out = piped(link.as_bytes(), &["--level", level]);
        assert!(out.contains("see log (https://ci.example/42) please") && !out.contains('\u{1b}'), "{out}");
    }
}

#[test]
fn bytes_that_are_no_text_were_written_anew() {
    // A multiplicative generator: as good as random, without a NUL.
    let mut seed = 1_u64;
    let mut byte = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 33) as u8).max(1)
    };
    for _ in 0..50 {
        let bytes: Vec<u8> = (0..100).map(|_| byte()).collect();
        let report = compress(&bytes, &Options::default());
        assert_eq!(report.output, bytes);
    }
}

#[test]
fn lines_that_differ_in_a_number_were_folded_into_the_first() {
    let nodes: String =
        (1..=12).map(|n| format!("node {n}: disk usage is {}% of the volume\n", 8 * n)).collect();
    let out = piped(nodes.as_bytes(), &[]);
    assert!(nodes.lines().all(|line| out.contains(line)), "{out}");
}

#[test]
fn a_commits_hash_was_cut_and_the_headers_of_a_patch_dropped() {
    let hash = "8b2034d3c9a018c14f2b2f7d9c1f0a4e5d6c7b8a";
    let commit = format!(
        "commit {hash}\nAuthor: A Thor <a@b.c>\nDate:   Wed Apr 20 10:03:36 2022 -0400\n\n    why\n\n"
    );
    let patch =
        "diff --git a/x b/x\nindex 8b2034d..a018c14 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n";
    let text = (commit + patch).repeat(3);
    for words in ["git log -p", "git show", "git diff"] {
        let words = call_words(words);
        let call = Call { words: &words, exit: Some(0), ..Default::default() };
        let options = Options { call, ..Default::default() };
        let out = String::from_utf8(compress(text.as_bytes(), &options).output).unwrap();
        assert_eq!((out.matches(hash).count(), out.matches(patch).count()), (3, 3), "{words:?}: {out}");
    }
}

#[test]
fn words_that_only_their_colour_told_apart_ran_into_each_other() {
    let text = "from .globals import \x1b[31mcurrent_app\x1b[m\x1b[32mapp_ctx\x1b[m\n".repeat(9);
    for words in ["git diff --color-words", "git show --word-diff=color", "git diff --color-words=."] {
        let words = call_words(words);
        let call = Call { words: &words, exit: Some(0), ..Default::default() };
        let options = Options { call, ..Default::default() };
        assert_eq!(compress(text.as_bytes(), &options).output, text.as_bytes(), "{words:?}");
    }
}

#[test]
fn a_million_receipts_around_a_document_ended_the_stack() {
    let receipts = "[toto] x\n".repeat(1_000_000);
    for text in [format!("{receipts}a=1\n"), format!("a=1\n{receipts}")] {
        assert_eq!(expand(&text), Ok(b"{\"a\":1}\n".to_vec()));
    }
    assert_eq!(expand(&format!("{receipts}a=[\n")).map_err(|error| error.line), Err(1_000_001));
}

#[test]
fn a_line_with_a_count_stood_for_gigabytes() {
    let counted = |count: usize| expand_within(&format!("x ×{count}\n"), 100);
    assert_eq!(counted(150), Ok(b"x\n".repeat(150)));
    assert_eq!(counted(1000).map_err(|error| error.line), Err(1));
}

use super::super::Passage;
use super::super::summary::{KEPT, Summariser, Summary};

fn keywords() -> Vec<String> {
    crate::failure::KEYWORDS.map(String::from).to_vec()
}

fn counted(summary: &Summary) -> Vec<u64> {
    summary.keywords.iter().map(|(_, count)| *count).collect()
}

#[test]
fn however_a_text_is_cut_its_facts_are_the_same() {
    let text = "one\nERROR: two error\n  more\nWarning: x\nprogress 1\rprogress 2 fail\nlast line\u{e4}";
    let whole = Summary::of(text.as_bytes(), &keywords());
    assert_eq!((whole.lines, counted(&whole)), (6, vec![0, 1, 1, 1]));
    assert_eq!(whole.characters, text.chars().count() as u64);
    assert_eq!(whole.tokens, crate::tokens::count(text.as_bytes()) as u64);
    for size in [1, 3, 7, 20] {
        let mut summariser = Summariser::new(&keywords());
        text.as_bytes().chunks(size).for_each(|part| summariser.push(part));
        let parts = summariser.finish();
        assert_eq!((parts.lines, counted(&parts), parts.characters), (6, counted(&whole), whole.characters));
        assert_eq!((parts.head, parts.tail), (whole.head.clone(), whole.tail.clone()));
        let lines = |s: &[Passage]| s.iter().map(|p| p.lines.clone()).collect::<Vec<_>>();
        assert_eq!(lines(&parts.passages), lines(&whole.passages), "{size}");
    }
}

#[test]
fn the_first_and_the_last_bytes_are_kept() {
    let text: Vec<u8> = (0..100_000).flat_map(|n| format!("{n}\n").into_bytes()).collect();
    let summary = Summary::of(&text, &[]);
    assert_eq!(summary.lines, 100_000);
    assert_eq!(summary.head, &text[..KEPT]);
    assert_eq!(summary.tail, &text[text.len() - KEPT..]);
}

#[test]
fn a_count_of_none_mentions_nothing() {
    let text = "app-1 : ok=6 failed=0\n0 errors, 0 warnings\nerrors: 0\nFailures: 10\n10 failed\n0 errors, 1 failed\n\
                web-0 failed\ntask 0 failed\nversion 2.0 failed\nerror: 0x80070005\n(0 errors)\n";
    // Of critical, error, fail, warn.
    assert_eq!(counted(&Summary::of(text.as_bytes(), &keywords())), [0, 1, 6, 0]);
}

use proptest::prelude::*;

use super::super::pages::{Page, divide_text};

fn page(bytes: usize) -> Page {
    Page { bytes, lines: usize::MAX }
}

fn parts(text: &str, bytes: usize) -> Vec<&str> {
    let pages = divide_text(text.as_bytes(), page(bytes), page(bytes));
    pages.iter().map(|page| &text[page.start as usize..page.end as usize]).collect()
}

#[test]
fn a_page_ends_before_a_file_or_a_hunk_where_that_costs_no_further_page() {
    let hunk = |n: usize| format!("@@ -{n} +{n} @@\n{}", "+x\n".repeat(10));
    let file = |n: usize| format!("diff --git a/{n} b/{n}\n{}{}", hunk(1), hunk(2));
    let text: String = (1..=4).map(file).collect();
    let one = file(1).len();
    assert!(parts(&text, one * 2 + 9).iter().all(|part| part.starts_with("diff --git")));
    let by_hunk = parts(&text, one + 60);
    assert!(by_hunk.iter().all(|part| part.starts_with("diff") || part.starts_with("@@")), "{by_hunk:?}");
    // Without room to spare a page ends behind a line.
    assert_eq!(parts(&text, text.len() / 2 + 2).len(), 2);
}

#[test]
fn a_host_that_counts_lines_is_not_given_more_of_them() {
    let room = Page { bytes: 1_000, lines: 20 };
    assert!(room.holds("a line\n".repeat(20).as_bytes()));
    assert!(!room.holds("a line\n".repeat(21).as_bytes()));
    assert!(!room.holds("x".repeat(1_001).as_bytes()));
    let text = "a line\n".repeat(50);
    let pages = divide_text(text.as_bytes(), room, room);
    assert_eq!(pages.iter().map(|page| (page.end - page.start) / 7).collect::<Vec<_>>(), [20, 20, 10]);
}

proptest! {
    #[test]
    fn pages_are_the_text_within_their_size(
        text in "([a-zä @]{0,30}\n){0,60}[aä]{0,90}", first in 40..200usize, size in 40..200usize,
    ) {
        let pages = divide_text(text.as_bytes(), page(first), page(size));
        let mut at = 0;
        for (number, part) in pages.iter().enumerate() {
            prop_assert_eq!(part.start, at);
            let most = if number == 0 { first } else { size } as u64;
            prop_assert!(part.end - part.start <= most);
            prop_assert!(text.is_char_boundary(part.end as usize));
            at = part.end;
        }
        prop_assert_eq!(at, text.len() as u64);
    }
}

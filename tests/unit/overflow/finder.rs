use super::super::finder::{Finder, is_found_anyway};
use crate::failure::spellings;

fn places(text: &str, keywords: &[&str]) -> Vec<usize> {
    let keywords: Vec<String> = keywords.iter().map(ToString::to_string).collect();
    let mut finder = Finder::new(&keywords);
    finder.look(text.as_bytes());
    std::iter::successors(finder.next(0), |at| finder.next(at + 1)).collect()
}

#[test]
fn words_are_found_as_they_are_commonly_written() {
    for line in
        ["an error", "Error!", "ERROR", "x: Failed", "✗ it", "a × b", "PanicException", "permission denied"]
    {
        assert!(!places(line, &[]).is_empty(), "{line}");
    }
    assert_eq!(places("all is well\nnothing to see\n", &[]), Vec::<usize>::new());
}

#[test]
fn a_keyword_of_the_users_is_found_however_it_is_written() {
    assert_eq!(places("a TimeOut b\n", &["timeout"]), [2]);
    let words = spellings();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let anyway = |keyword| is_found_anyway(keyword, &words);
    assert!(anyway("Exception") && anyway("warn") && !anyway("err"));
}

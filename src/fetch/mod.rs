//! Several calls, one answer: names the calls, and joins the documents of their outputs. Pure.

mod alike;
mod join;

use std::collections::HashSet;

pub use alike::Merged;
pub use join::{Printed, joined, keyed, verbatim};

/// A distinct name for each call, given its words. If all calls have the same number of words, the name is the words
/// at the places where they differ; else the words after the common beginning, at least one. For a single call, or if
/// a name would be blank, the names are the whole lines.
pub fn names(calls: &[Vec<String>]) -> Vec<String> {
    let whole = || calls.iter().map(|words| words.join(" ")).collect();
    let [first, _, ..] = calls else { return unique(whole()) };
    let agree = |at: usize| calls.iter().all(|words| words.get(at) == first.get(at));
    let names: Vec<String> = if calls.iter().all(|words| words.len() == first.len()) {
        let places: Vec<usize> = (0..first.len()).filter(|at| !agree(*at)).collect();
        let name =
            |words: &Vec<String>| places.iter().map(|at| words[*at].as_str()).collect::<Vec<_>>().join(" ");
        calls.iter().map(name).collect()
    } else {
        let shortest = calls.iter().map(Vec::len).min().unwrap_or_default();
        let common = (0..shortest.saturating_sub(1)).take_while(|at| agree(*at)).count();
        calls.iter().map(|words| words[common..].join(" ")).collect()
    };
    unique(if names.iter().any(|name| name.trim().is_empty()) { whole() } else { names })
}

/// The names, each on one line and distinct: a name that occurs again gets a number.
pub fn unique(names: Vec<String>) -> Vec<String> {
    let names: Vec<String> = names.into_iter().map(|name| name.replace(char::is_control, " ")).collect();
    let all: HashSet<String> = names.iter().cloned().collect();
    let mut taken = HashSet::new();
    names
        .into_iter()
        .map(|name| {
            let numbered = (2..).map(|number| format!("{name} ({number})"));
            let free = |candidate: &String| !taken.contains(candidate) && !all.contains(candidate);
            let name = if taken.contains(&name) { numbered.into_iter().find(free) } else { Some(name) };
            let name = name.unwrap_or_default();
            taken.insert(name.clone());
            name
        })
        .collect()
}

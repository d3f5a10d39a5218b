//! The name of each call in the answer: the words in which the calls differ.

use std::collections::HashSet;

/// A distinct name for each call, given its words. If all calls have the same number of words, the name is the words
/// at the places where they differ; else the words after the common beginning, at least one. For a single call, or if
/// a name would be blank, the names are the whole lines.
pub fn names(calls: &[Vec<String>]) -> Vec<String> {
    let mut names = differing(calls);
    if calls.len() < 2 || names.iter().any(|name| name.trim().is_empty()) {
        names = calls.iter().map(|words| words.join(" ")).collect();
    }
    unique(names)
}

fn differing(calls: &[Vec<String>]) -> Vec<String> {
    let Some((first, others)) = calls.split_first() else { return Vec::new() };
    let agree = |at: usize| others.iter().all(|words| words.get(at) == first.get(at));
    if others.iter().all(|words| words.len() == first.len()) {
        let places: Vec<usize> = (0..first.len()).filter(|at| !agree(*at)).collect();
        return calls
            .iter()
            .map(|words| places.iter().map(|at| words[*at].as_str()).collect::<Vec<_>>().join(" "))
            .collect();
    }
    let shortest = calls.iter().map(Vec::len).min().unwrap_or_default();
    let common = (0..shortest.saturating_sub(1)).take_while(|at| agree(*at)).count();
    calls.iter().map(|words| words[common..].join(" ")).collect()
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

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_call_is_named_by_what_sets_it_apart() {
        for (calls, expected) in [
            (&["aws x --region us-east-1", "aws x --region eu-west-1"][..], &["us-east-1", "eu-west-1"][..]),
            (&["kubectl get pods -n a", "kubectl get svc -n b"], &["pods a", "svc b"]),
            (&["git log", "git status -s"], &["log", "status -s"]),
            (&["git", "git status"], &["git", "git status"]),
            (&["git log -1", "git log -1 a"], &["-1", "-1 a"]),
            (&["ls /a"], &["ls /a"]),
            (&["ls", "ls", "ls"], &["ls", "ls (2)", "ls (3)"]),
            (&["e a", "e a", "e b"], &["a", "a (2)", "b"]),
            (&["e x (2)", "e x y", "e x y"], &["(2)", "y", "y (2)"]),
            (&["e a", "e a (2)", "e a", "e a"], &["a", "a (2)", "a (3)", "a (4)"]),
            (&["e b\nc", "e d"], &["b c", "d"]),
        ] {
            let calls: Vec<Vec<String>> =
                calls.iter().map(|line| line.split(' ').map(str::to_owned).collect()).collect();
            assert_eq!(names(&calls), expected);
        }
    }
}

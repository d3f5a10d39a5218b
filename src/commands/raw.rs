//! Calls that are never captured: they need a terminal, talk with their user, or do not end by themselves.
//!
//! The configuration's `[passthrough]` adds patterns.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;

use super::table::{Pattern, RAW};

/// The pattern that matches this call of `tool`, from the built-in table or from `extra` (patterns of the same
/// syntax); `None` where no pattern does.
pub fn pattern_of(tool: &str, args: &[OsString], extra: &[String]) -> Option<String> {
    let args: Vec<&[u8]> = args.iter().map(|arg| arg.as_bytes()).collect();
    let own = patterns_of(tool);
    let marked = |mark| own.iter().filter_map(move |words| words.first()?.strip_prefix(mark));
    let values = marked('=').next().unwrap_or_default();
    let is_lifted = |words: &&&[&str]| matches!(words, [word] if marked('!').any(|lifted| lifted == *word));
    let for_all = patterns_of("*").iter().filter(|words| !is_lifted(words));
    let is_lifted_call = |words: &[&str]| {
        let first = words.first().and_then(|word| word.strip_prefix('!')).filter(|_| words.len() > 1);
        first
            .is_some_and(|first| matches_pattern(&[&[first], &words[1..]].concat(), &args, values.as_bytes()))
    };
    if own.iter().any(|words| is_lifted_call(words)) {
        return None;
    }
    let own = own.iter().filter(|words| !words.first().is_some_and(|word| word.starts_with(['!', '='])));
    let extra = extra.iter().map(|pattern| pattern.split_whitespace().collect::<Vec<_>>());
    for_all
        .chain(own)
        .map(|words| words.to_vec())
        .chain(extra)
        .find(|words| matches_pattern(words, &args, values.as_bytes()))
        .map(|words| words.join(" "))
}

fn patterns_of(tool: &str) -> &'static [Pattern] {
    RAW.of(tool).unwrap_or_default()
}

/// Whether the arguments match a pattern's words. `values` holds the letters of flags that take a value.
fn matches_pattern(words: &[&str], args: &[&[u8]], values: &[u8]) -> bool {
    let flags_end = args.iter().position(|arg| *arg == b"--").unwrap_or(args.len());
    let mut at = 0;
    words.iter().all(|word| {
        if word.len() > 1 && word.starts_with('-') {
            args[at.min(flags_end)..flags_end].iter().any(|arg| is_flag(word.as_bytes(), arg, values))
        } else {
            let found = args[at..].iter().position(|arg| *arg == word.as_bytes());
            at += found.map_or(0, |found| found + 1);
            found.is_some()
        }
    })
}

fn is_flag(flag: &[u8], arg: &[u8], values: &[u8]) -> bool {
    if let [b'-', letter] = flag {
        let [b'-', cluster @ ..] = arg else { return false };
        let is_letter = |c: &&u8| **c == *letter || **c == b'=' || **c == b'-' || values.contains(*c);
        return *letter != b'-' && cluster.iter().find(is_letter) == Some(letter);
    }
    match arg.strip_prefix(flag) {
        Some(b"") => true,
        Some(value) => value[0] == b'=' && value != b"=false",
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passes(line: &str) -> bool {
        let mut words = line.split(' ');
        let tool = words.next().unwrap();
        pattern_of(tool, &words.map(OsString::from).collect::<Vec<_>>(), &[]).is_some()
    }

    #[test]
    fn what_follows_or_talks_is_passed_on_and_what_ends_by_itself_is_not() {
        let passed_on = "kubectl logs -f pod; kubectl -n kube-system logs pod --follow; kubectl exec -it pod -- sh; \
                         kubectl get pods -w; kubectl get pods --watch=true; docker run --rm -ti alpine; \
                         aws sso login --profile x; aws --region us-east-1 eks get-token --cluster-name c; \
                         npm run dev; cargo run --release; git rebase -i HEAD~3; psql -c select; kubectl get pods --watch-only; \
                         kubectl events -w; kubectl get pods -wowide; kubectl get pods -nprod -w; \
                         docker exec -uroot -it c sh; docker compose -f x.yml logs -f; journalctl -lf; \
                         journalctl -efu nginx; tail -fn5 log; git restore --patch";
        let captured = "kubectl logs pod; kubectl get pods --watch=false; kubectl exec pod -- tail -f log; \
                        docker run --rm alpine ls; aws ec2 describe-instances; aws logs filter-log-events; \
                        git status; npm run build; cargo test; kubectl get pods -owide; \
                        kubectl get pods -nworkflows; docker exec -uroot c id; docker compose -f x.yml logs; \
                        gradle build -Dtest.single=x; git log --follow file; cargo nextest run; \
                        cargo --locked nextest run --no-fail-fast";
        for (lines, expected) in [(passed_on, true), (captured, false)] {
            for line in lines.split("; ") {
                assert_eq!(passes(line), expected, "{line}");
            }
        }
    }

    #[test]
    fn the_user_can_add_to_the_table() {
        let args = ["serve".into()];
        assert_eq!(pattern_of("mytool", &args, &[]), None);
        assert_eq!(pattern_of("mytool", &args, &["serve".into()]).as_deref(), Some("serve"));
    }
}

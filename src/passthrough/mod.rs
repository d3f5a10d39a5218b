//! What is never captured: it needs a terminal, talks with its user, or does not end by itself.
//!
//! The table is data (`table.toml`, which also says how a pattern is read); the configuration's
//! `[passthrough]` adds to it.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;

include!(concat!(env!("OUT_DIR"), "/passthrough.rs"));

/// Is this call of `tool` in the built-in table, or in `extra` (patterns as in the table)? Returns the
/// pattern that says so.
pub fn matches(tool: &str, args: &[OsString], extra: &[String]) -> Option<String> {
    let args: Vec<&[u8]> = args.iter().map(|arg| arg.as_bytes()).collect();
    let built_in = ["*", tool].into_iter().filter_map(|name| {
        TABLE.binary_search_by_key(&name, |(tool, _)| tool).ok().map(|found| TABLE[found].1)
    });
    let extra = extra.iter().map(|pattern| pattern.split_whitespace().collect::<Vec<_>>());
    built_in
        .flatten()
        .map(|words| words.to_vec())
        .chain(extra)
        .find(|words| matches_pattern(words, &args))
        .map(|words| words.join(" "))
}

fn matches_pattern(words: &[&str], args: &[&[u8]]) -> bool {
    let flags_end = args.iter().position(|arg| *arg == b"--").unwrap_or(args.len());
    let mut rest = args.iter();
    words.iter().all(|word| {
        if word.len() > 1 && word.starts_with('-') {
            args[..flags_end].iter().any(|arg| is_flag(word.as_bytes(), arg))
        } else {
            rest.any(|arg| *arg == word.as_bytes())
        }
    })
}

fn is_flag(flag: &[u8], arg: &[u8]) -> bool {
    if let [b'-', letter] = flag {
        return *letter != b'-'
            && arg.len() > 1
            && arg[0] == b'-'
            && arg[1] != b'-'
            && arg[1..].split(|c| *c == b'=').next().is_some_and(|cluster| cluster.contains(letter));
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
        matches(tool, &words.map(OsString::from).collect::<Vec<_>>(), &[]).is_some()
    }

    #[test]
    fn what_follows_or_talks_is_passed_on() {
        for line in [
            "kubectl logs -f pod",
            "kubectl -n kube-system logs pod --follow",
            "kubectl exec -it pod -- sh",
            "kubectl get pods -w",
            "kubectl get pods --watch=true",
            "docker run --rm -ti alpine",
            "aws sso login --profile x",
            "aws --region us-east-1 eks get-token --cluster-name c",
            "npm run dev",
            "git rebase -i HEAD~3",
            "psql -c select",
        ] {
            assert!(passes(line), "{line}");
        }
    }

    #[test]
    fn what_ends_by_itself_is_captured() {
        for line in [
            "kubectl logs pod",
            "kubectl get pods --watch=false",
            "kubectl exec pod -- tail -f log",
            "docker run --rm alpine ls",
            "aws ec2 describe-instances",
            "aws logs filter-log-events",
            "git status",
            "npm run build",
            "cargo test",
        ] {
            assert!(!passes(line), "{line}");
        }
    }

    #[test]
    fn the_user_can_add_to_the_table() {
        let args = ["serve".into()];
        assert_eq!(matches("mytool", &args, &[]), None);
        assert_eq!(matches("mytool", &args, &["serve".into()]).as_deref(), Some("serve"));
    }
}

//! The kind of an output by its command and its text.

use llm_toto::pipeline::Kind;

fn kind(line: &str, text: &str, is_structured: bool) -> Kind {
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    Kind::of(&words, text.as_bytes(), is_structured)
}

#[test]
fn a_command_tells_its_kind() {
    for (line, expected) in [
        ("git -C /dir --no-pager diff HEAD~1", Kind::Content),
        ("npx tsc --noEmit", Kind::Report),
        ("sudo apt-get -y install jq", Kind::Action),
        ("python3 -m pytest -q", Kind::Report),
        ("cargo build --release", Kind::Action),
        ("docker compose -f a.yml logs web", Kind::Log),
        ("./report.sh", Kind::Unknown),
    ] {
        assert_eq!(kind(line, "", false), expected, "{line}");
    }
    assert_eq!(kind("kubectl get pod -o yaml", "", true), Kind::Content);
    assert_eq!(kind("kubectl get pod -ojson", "", true), Kind::Data);
    assert_eq!(kind("aws ec2 describe-instances", "", true), Kind::Data);
}

#[test]
fn a_log_shows_itself() {
    let log = |line: &str| line.repeat(30);
    for line in [
        "2026-11-22T10:00:01.5Z INFO started\n",
        "2026-11-22 10:00:01,123 [main] started\n",
        "Nov 22 10:00:01 host sshd[1]: started\n",
        "[10:00:01] started\n",
        "web-1  | 2026-11-22 10:00:01 started\n",
    ] {
        assert_eq!(kind("./serve", &log(line), false), Kind::Log, "{line}");
    }
    for line in ["src/main.rs:12:30: text\n", "12 34 56\n", "a line of text\n"] {
        assert_eq!(kind("./serve", &log(line), false), Kind::Unknown, "{line}");
    }
}

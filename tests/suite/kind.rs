//! The kind of an output by its command and its text.

use llm_toto::pipeline::OutputKind;

fn kind(line: &str, text: &str, is_structured: bool) -> OutputKind {
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    OutputKind::of(&words, text.as_bytes(), is_structured)
}

#[test]
fn a_command_tells_its_kind() {
    for (line, expected) in [
        ("git -C /dir --no-pager diff HEAD~1", OutputKind::Content),
        ("npx tsc --noEmit", OutputKind::Report),
        ("sudo apt-get -y install jq", OutputKind::Action),
        ("python3 -m pytest -q", OutputKind::Report),
        ("cargo build --release", OutputKind::Action),
        ("docker compose -f a.yml logs web", OutputKind::Log),
        ("./report.sh", OutputKind::Unknown),
    ] {
        assert_eq!(kind(line, "", false), expected, "{line}");
    }
    assert_eq!(kind("kubectl get pod -o yaml", "", true), OutputKind::Content);
    assert_eq!(kind("kubectl get pod -ojson", "", true), OutputKind::Data);
    assert_eq!(kind("aws ec2 describe-instances", "", true), OutputKind::Data);
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
        assert_eq!(kind("./serve", &log(line), false), OutputKind::Log, "{line}");
    }
    for line in ["src/main.rs:12:30: text\n", "12 34 56\n", "a line of text\n"] {
        assert_eq!(kind("./serve", &log(line), false), OutputKind::Unknown, "{line}");
    }
}

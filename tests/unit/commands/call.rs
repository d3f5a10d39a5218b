use crate::commands::call::*;

fn is_for(pattern: &str, line: &str) -> bool {
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    matches(&pattern.split_whitespace().collect::<Vec<_>>(), unwrap(&words))
}

#[test]
fn options_do_not_hide_the_subcommand() {
    for (pattern, line) in [
        ("status", "git -C /dir --no-pager status -s"),
        ("get pods", "/usr/bin/kubectl -n x get pods -o wide"),
        ("test", "cargo +nightly --color never test --all"),
        ("-v", "pytest tests -v"),
        ("", "npx jest src"),
    ] {
        assert!(is_for(pattern, line), "{pattern} / {line}");
    }
    assert!(!is_for("add", "git remote add"));
}

#[test]
fn wrappers_have_options_and_words_of_their_own() {
    for (line, inner) in [
        ("sudo python3 -m pytest -q", "pytest -q"),
        ("sudo", "sudo"),
        ("uv run --group test --frozen pytest -q", "pytest -q"),
        ("npx -y -p typescript tsc --noEmit", "tsc --noEmit"),
        ("timeout -k 5 60 pytest -x", "pytest -x"),
        ("env -u X A=1 B=2 cargo test", "cargo test"),
        ("nice -n 10 make -j4", "make -j4"),
        ("docker compose -f a.yml exec -T web pytest tests", "pytest tests"),
        ("docker compose run --rm -e A=1 web npm test", "npm test"),
        ("kubectl -n prod exec deploy/web -c app -- aws s3 ls", "aws s3 ls"),
        ("ssh -p 22 host.example journalctl -u x", "journalctl -u x"),
        ("xargs -I {} aws s3 rm {}", "aws s3 rm {}"),
        ("mise x node@22 -- npm test", "npm test"),
        ("sudo -u web env A=1 timeout 5 git status", "git status"),
        ("coverage run -m pytest tests", "pytest tests"),
        // None of these runs another command.
        ("docker compose up web", "docker compose up web"),
        ("kubectl exec pod ls", "kubectl exec pod ls"),
        ("uv sync --group test", "uv sync --group test"),
        ("timeout 5", "timeout 5"),
        ("env A=1", "env A=1"),
    ] {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        assert_eq!(unwrap(&words).join(" "), inner, "{line}");
    }
}

//! Finds the words of a command that name the tool and its subcommand, behind wrappers, options and their values.

use std::ffi::OsString;

use super::table::{RUNS, VALUES};

/// The words of a call as text; what is not UTF-8 becomes U+FFFD.
pub fn as_text(words: &[OsString]) -> Vec<String> {
    words.iter().map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Whether `pattern`, a filter's command without its tool, matches the command `words`. Options of the pattern may
/// stand anywhere; its other words must be the first positional words of the command. `*` matches any word.
pub fn matches(pattern: &[&str], words: &[String]) -> bool {
    let named = positional(words);
    let mut at = 0;
    pattern.iter().all(|word| {
        if word.starts_with('-') && word.len() > 1 {
            return words[1..].iter().any(|given| {
                given == word || given.strip_prefix(word).is_some_and(|value| value.starts_with('='))
            });
        }
        at += 1;
        named.get(at - 1).is_some_and(|given| *word == "*" || given == word)
    })
}

/// The positional words behind the tool's name: neither options (`-x`, `+nightly`) nor values of options.
pub fn positional(words: &[String]) -> Vec<&str> {
    let tool = base_name(&words[0]);
    let with_value = values_of(tool);
    let mut named = Vec::new();
    let mut rest = words[1..].iter();
    while let Some(word) = rest.next() {
        if with_value.contains(&word.as_str()) {
            rest.next();
        } else if !(word.starts_with('-') && word.len() > 1 || word.starts_with('+')) {
            named.push(word.as_str());
        }
    }
    named
}

/// The words without leading wrappers, which are commands that only run another one.
pub fn unwrap(words: &[String]) -> &[String] {
    let mut words = words;
    while let Some(inner) = behind_wrapper(words) {
        words = inner;
    }
    words
}

/// The command that these words' own command runs, if that is a wrapper.
pub fn behind_wrapper(words: &[String]) -> Option<&[String]> {
    let (first, rest) = words.split_first()?;
    let tool = base_name(first);
    RUNS.of(tool)?.iter().find_map(|wanted| behind(wanted, values_of(tool), rest))
}

/// The command that a wrapper runs, if these are the words behind its name.
fn behind<'a>(wanted: &[&str], values: &[&str], mut rest: &'a [String]) -> Option<&'a [String]> {
    for wanted in wanted {
        rest = if wanted.starts_with('-') { rest } else { without_options(rest, values) };
        rest = match *wanted {
            "=" => &rest[rest.iter().take_while(|word| word.contains('=')).count()..],
            "*" => rest.split_first()?.1,
            "--" => &rest[rest.iter().position(|word| word == "--")? + 1..],
            _ => rest.split_first().filter(|(word, _)| word == wanted)?.1,
        };
    }
    let rest = without_options(rest, values);
    (!rest.is_empty()).then_some(rest)
}

/// The words from the first that is neither an option nor the value of an option; `--` ends the options.
fn without_options<'a>(words: &'a [String], values: &[&str]) -> &'a [String] {
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|word| word.starts_with('-') && word.len() > 1) {
        at += 1 + usize::from(values.contains(&word.as_str()));
        if word == "--" {
            break;
        }
    }
    words.get(at..).unwrap_or_default()
}

fn values_of(tool: &str) -> &'static [&'static str] {
    VALUES.of(tool).map_or(&[][..], |patterns| patterns[0])
}

/// The last part of a path.
pub fn base_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}

//! The words of a command: which of them name what is run, behind wrappers, options and their values.

use super::library::{OPTIONS, WRAPPERS};

/// Whether a filter's command, without its tool, is for these words. Options of a pattern stand anywhere, its other
/// words are the first that are no options; `*` is any word.
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

/// The words that are neither options nor their values, behind the tool's name.
pub fn positional(words: &[String]) -> Vec<&str> {
    let tool = base_name(&words[0]);
    let with_value =
        OPTIONS.binary_search_by_key(&tool, |(name, _)| name).map_or(&[][..], |found| OPTIONS[found].1);
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

/// The words without commands that only run another one.
pub fn unwrap(words: &[String]) -> &[String] {
    let mut words = words;
    while let Some(wrapper) = WRAPPERS.iter().find(|wrapper| {
        words.len() > wrapper.len()
            && base_name(&words[0]) == wrapper[0]
            && words[1..].iter().zip(&wrapper[1..]).all(|(word, wanted)| word == wanted)
            && !words[wrapper.len()].starts_with('-')
    }) {
        words = &words[wrapper.len()..];
    }
    words
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
            ("", "sudo python3 -m pytest -q"),
            ("add", "git remote add"),
        ] {
            let expected = pattern != "add";
            assert_eq!(is_for(pattern, line), expected, "{pattern} / {line}");
        }
    }

    #[test]
    fn wrappers_are_taken_off() {
        let words: Vec<String> = "sudo python3 -m pytest -q".split(' ').map(str::to_owned).collect();
        assert_eq!(unwrap(&words), ["pytest", "-q"]);
        assert_eq!(unwrap(&words[..1]), ["sudo"]);
    }
}

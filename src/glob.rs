//! Globs with one wildcard: `*` matches any run of bytes, `/` included; every other byte matches itself.

/// Whether a pattern matches the whole text. Takes time linear in the text for each star.
pub fn matches(pattern: &str, text: &[u8]) -> bool {
    let mut parts = pattern.as_bytes().split(|&b| b == b'*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = memchr::memmem::find(rest, part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_match_runs() {
        let p = "/tmp/claude-*/tasks/*.output";
        assert!(matches(p, b"/tmp/claude-0/-root-x/9f/tasks/b1.output"));
        assert!(matches(p, b"/tmp/claude-0/tasks/.output"));
        for path in [
            "/tmp/claude-0/tasks/x.output (deleted)",
            "/tmp/claude-0/x.output",
            "/var/tmp/claude-0/tasks/x.output",
            "/tmp/claude-/tasks.output",
            "",
        ] {
            assert!(!matches(p, path.as_bytes()), "{path}");
        }
    }

    #[test]
    fn edges() {
        assert!(matches("/a", b"/a") && !matches("/a", b"/ab"));
        assert!(matches("/a*b", b"/ab") && !matches("/a*ba", b"/aba "));
        assert!(!matches("/aa*aa", b"/aaa"));
        assert!(matches("/x*ab*ab", b"/xabab") && !matches("/x*ab*ab", b"/xab"));
    }
}

//! A process's environment as the kernel shows it: the memory where the environment lay when the program was
//! started.

/// `NAME=VALUE` entries, each followed by NUL.
pub struct Environment(pub Vec<u8>);

impl Environment {
    fn entries(&self) -> impl Iterator<Item = &[u8]> {
        self.0.strip_suffix(b"\0").unwrap_or(&self.0).split(|&b| b == 0)
    }

    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.entries().find_map(|entry| entry.strip_prefix(name.as_bytes())?.strip_prefix(b"="))
    }

    /// Whether a variable's absence may be believed.
    ///
    /// Not while the process is in the middle of execve(2): until the new image's stack is laid out, the file reads
    /// as empty. And not when the program wrote its title over its environment (`setproctitle`).
    pub fn is_whole(&self) -> bool {
        self.entries().all(|entry| entry.iter().position(|&b| b == b'=').is_some_and(|at| at > 0))
    }
}

/// Whether a mark with this value counts as set: empty and `0` mean that it was taken away.
pub fn is_set(value: &[u8]) -> bool {
    !value.is_empty() && value != b"0"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(text: &str) -> Environment {
        Environment(text.into())
    }

    #[test]
    fn values_by_whole_name() {
        let e = environment("PATHS=no\0PATH=/bin:/usr/bin\0EMPTY=\0LINES=a\nb=c\0");
        assert_eq!(e.get("PATH"), Some(&b"/bin:/usr/bin"[..]));
        assert_eq!(e.get("EMPTY"), Some(&b""[..]));
        assert_eq!(e.get("LINES"), Some(&b"a\nb=c"[..]));
        assert_eq!(e.get("PAT"), None);
    }

    #[test]
    fn absence_is_believed_only_of_a_whole_environment() {
        assert!(environment("A=1\0B=\0").is_whole());
        // in the middle of execve
        assert!(!environment("").is_whole());
        // overwritten by a title, padded with NUL
        assert!(!environment("gunicorn: worker\0\0\0\0\0LC_ALL=C\0").is_whole());
        assert!(!environment("\0\0\0\0").is_whole());
        assert!(!environment("A=1\0=2\0").is_whole());
    }

    #[test]
    fn a_mark_taken_away_is_not_set() {
        assert!(is_set(b"1") && is_set(b"true"));
        assert!(!is_set(b"") && !is_set(b"0"));
    }
}

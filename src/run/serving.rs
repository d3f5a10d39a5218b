//! Does a tool say that it has begun to serve, and so will not end by itself?

use regex::bytes::Regex;

/// Who has said more than this, in bytes, is not looked at: servers say where they listen and wait.
const MOST: usize = 64 << 10;

/// What servers and watchers say once they are ready: web servers, development servers, databases, watchers.
const READY: &str = concat!(
    r"(?i)\b(?:listening (?:on|at|for)|serving (?:http|at|on)\b|(?:dev |development )?server (?:is )?(?:running|started|listening|ready)",
    r"|now serving|running on https?://|local: +https?://|available (?:on|at):? +https?://|accepting connections",
    r"|ready to accept connections|waiting for (?:connections|(?:file )?changes)|watching for (?:file )?changes",
    r"|press (?:ctrl|control|\^)[-+ ]?c)",
);

/// Whether this output of a tool that runs on in silence is a server's.
pub(super) fn is_announced(output: &[u8]) -> bool {
    output.len() <= MOST && Regex::new(READY).is_ok_and(|ready| ready.is_match(output))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_known_by_what_they_say() {
        for line in [
            "Serving HTTP on 0.0.0.0 port 8000 (http://0.0.0.0:8000/) ...",
            "  \u{279c}  Local:   http://localhost:5173/",
            "Example app listening on port 3000",
            " * Running on http://127.0.0.1:5000",
            "LOG:  database system is ready to accept connections",
            "Found 0 errors. Watching for file changes.",
        ] {
            assert!(is_announced(line.as_bytes()), "{line}");
        }
        for line in ["Compiling server v1.0", "building local: x", "connecting to http://x", ""] {
            assert!(!is_announced(line.as_bytes()), "{line}");
        }
    }
}

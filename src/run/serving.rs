//! Finds out whether a tool says that it has begun to serve, and so will not end by itself.

use regex::bytes::Regex;

/// Longest output that is searched, in bytes: servers say where they listen, and then wait.
const MOST: usize = 64 << 10;

/// What web servers, development servers, databases and file watchers print once they are ready.
const READY: &str = concat!(
    r"(?i)\b(?:listening (?:on|at|for)|serving (?:http|at|on)\b|(?:dev |development )?server (?:is )?(?:running|started|listening|ready)",
    r"|now serving|running on https?://|local: +https?://|available (?:on|at):? +https?://|accepting connections",
    r"|ready to accept connections|waiting for (?:connections|(?:file )?changes)|watching for (?:file )?changes",
    r"|press (?:ctrl|control|\^)[-+ ]?c)",
);

/// Whether this output, of a tool that still runs and is silent, is a server's.
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

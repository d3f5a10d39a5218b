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
#[path = "../../tests/unit/run/serving.rs"]
mod tests;

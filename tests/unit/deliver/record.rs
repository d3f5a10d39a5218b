use super::*;
use crate::agents::AGENTS;

#[test]
fn what_an_agent_cuts_by_itself_is_no_saving() {
    let without = |id: &str, tokens, bytes, before| {
        without(AGENTS.iter().find(|agent| agent.id == id), tokens, bytes, before)
    };
    // Of an output of more than 30,000 bytes Claude Code shows 2,048 bytes; Gemini CLI shows as many as its limit.
    assert_eq!(without("claude", 9000, 30_000, 0), 9000);
    assert_eq!(without("claude", 30_000, 120_000, 0), 512);
    assert_eq!(without("gemini", 30_000, 120_000, 0), 10_000);
    assert_eq!(without("claude", u64::MAX, u64::MAX, 0), 2048);
    // Of a host that is not known the usual limit holds, and what a call printed before counts.
    assert_eq!(without("nobody", 30_000, 120_000, 0), 6_000);
    assert_eq!(without("gemini", 5_000, 20_000, 30_000), 2_500);
    assert_eq!(without("gemini", 5_000, 20_000, 60_000), 0);
}

#[test]
fn a_filter_is_named_without_its_directories() {
    let own = |path: &str| filter_name(&FilterName::Own(path.to_owned()));
    assert_eq!(filter_name(&FilterName::Library("git")), "git");
    assert_eq!(own("/home/u/.config/toto/filters/npm test.toml"), "own/npm_test");
    assert_eq!(own(".toto/filters/x.toml"), "own/x");
}

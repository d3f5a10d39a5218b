use crate::cli::gain::query::{Overview, Query};
use crate::cli::gain::table::*;
use crate::ledger::sums::Beside;
use crate::ledger::sums::Sums;
use crate::ledger::sums::{Scope, date_of};

const TODAY: i64 = 20_778;

fn sums(saved: u64) -> Sums {
    Sums { runs: saved / 100 + 1, without: saved * 5 / 4, given: saved / 4, ..Sums::default() }
}

fn shown(width: usize, top: Option<usize>) -> String {
    let tools = [("aws", 4_000_000), ("kubectl", 2_000_000), ("a-tool-with-quite-a-long-name", 400_000)];
    let day = |day: i64| (date_of(TODAY - 20 + day).to_string(), sums(day as u64 * 1000));
    let overview = Overview {
        total: sums(6_400_000),
        today: sums(60_000),
        tools: tools.map(|(tool, saved)| (tool.into(), sums(saved))).into(),
        days: (1..20).map(day).collect(),
        beside: Beside { told: 3, told_tokens: 900, again: vec![("git".into(), 2, 7_100)] },
    };
    let query = Query { scope: Scope::default(), price: 3.0, top };
    anstream::adapter::strip_str(&glance(&overview, &query, width, TODAY)).to_string()
}

#[test]
fn it_fits_every_width() {
    for width in [44, 60, 80, 120] {
        let text = shown(width, None);
        let widest = text.lines().map(|line| line.trim_end().chars().count()).max().unwrap();
        assert!(widest <= width, "{width}:\n{text}");
    }
}

#[test]
fn it_says_what_was_saved() {
    let text = shown(80, Some(2));
    assert!(
        text.starts_with("6.40M of 8.00M tokens saved, 80.0%, $19.20\nsince 2026-11-02, $3.00"),
        "{text}"
    );
    let beside =
        "told of behind a viewer: 3 failures in 900 tokens\nasked again: 2 times, -11.1k tokens (git 2)\n";
    assert!(text.ends_with(&format!("\n{beside}")), "{text}");
    assert!(text.contains("1 more: 400k (--by-tool)"), "{text}");
    assert!(text.contains("4.00M   62.5%") && text.contains("the most on 2026-11-20: 19.0k"), "{text}");
    assert!(text.contains("▁▁▂▂▃▃▃▄▄▅▅▆▆▆▇▇███"), "{text}");
}

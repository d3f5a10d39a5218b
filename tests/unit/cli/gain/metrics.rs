use crate::cli::gain::rows::*;
use crate::ledger::sums::Sums;

#[test]
fn counters_are_written_as_the_format_asks() {
    let sums = Sums { runs: 3, without: 100, given: 20, tool_us: 1_500_000, ..Sums::default() };
    let text = metrics_of(&[(["a\"b".into(), "claude".into()], sums)]);
    assert!(text.starts_with("# TYPE toto_runs counter\n# HELP toto_runs Commands"), "{text}");
    let labels = "tool=\"a\\\"b\",agent=\"claude\"";
    for line in [
        format!("toto_runs_total{{{labels}}} 3"),
        format!("toto_tokens_total{{{labels},kind=\"without\"}} 100"),
        "# UNIT toto_tool_seconds seconds".to_owned(),
        format!("toto_tool_seconds_total{{{labels}}} 1.5"),
    ] {
        assert!(text.contains(&format!("{line}\n")), "{line}: {text}");
    }
    assert!(text.ends_with("# EOF\n"));
}

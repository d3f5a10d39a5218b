use crate::report::read;
use crate::report::record::What;

#[test]
fn a_line_of_source_that_ends_like_a_head_is_of_the_finding_above() {
    let text = "src/a.ts:2:1 lint/style/useConst ━━━━━━━━\n\n  × Use const.\n\n    1 │ // ━━━━━━━━\n  \
                > 2 │ let a = 1;\n\n  i It is never written.\n";
    let report = read(text, &[]).unwrap();
    let records: Vec<_> = report.records().collect();
    let [record] = &records[..] else { panic!("{records:?}") };
    let What::Finding(finding) = &record.what else { panic!("{record:?}") };
    assert_eq!((finding.source[0].text, finding.notes[0].text), ("let a = 1;", "It is never written."));
}

//! Real reports grown to any number of records: the part between their first and their last record, again and again
//! under other names and at other places.

use llm_toto::report;
use llm_toto::report::record::{Dropped, Record, What};

/// A report of at least `count` records (failures, findings, tests that passed); `None` where the text has no record.
pub fn grown(text: &str, count: usize) -> Option<String> {
    let text = report::plain(text);
    let report = report::read(&text, &[])?;
    let grows = |record: &&Record<'_>| {
        matches!(record.what, What::Test(_) | What::Finding(_) | What::Dropped(Dropped::Passing(_)))
    };
    let records: Vec<_> = report.records().filter(grows).collect();
    let (first, last) = (records.first()?.lines.start, records.iter().map(|record| record.lines.end).max()?);
    let ids: Vec<_> = records
        .iter()
        .filter_map(|record| match &record.what {
            What::Test(test) => test.id.rsplit(['.', ':', ' ', '>', '\'']).find(|name| name.len() > 2),
            _ => None,
        })
        .map(str::to_owned)
        .collect();
    let lines: Vec<_> = text.lines().collect();
    let block = lines.get(first..last)?.join("\n") + "\n";
    let names = aho_corasick::AhoCorasick::new(&ids).ok()?;
    let mut grown = lines[..first].join("\n");
    grown.push('\n');
    for copy in 0..count.div_ceil(records.len()) {
        let mut at = 0;
        for found in names.find_iter(&block) {
            moved(&mut grown, &block[at..found.start()], copy);
            grown.push_str(&block[found.range()]);
            if copy > 0 {
                grown.push_str(&format!("_{copy}"));
            }
            at = found.end();
        }
        moved(&mut grown, &block[at..], copy);
    }
    grown.push_str(&lines[last..].join("\n"));
    grown.push('\n');
    Some(grown)
}

/// Appends a text to `to`, with its places `by` lines further down.
fn moved(to: &mut String, text: &str, by: usize) {
    for (at, piece) in text.split(':').enumerate() {
        if at > 0 {
            to.push(':');
        }
        let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
        match piece[..digits].parse::<usize>() {
            Ok(line) if at > 0 => to.push_str(&format!("{}{}", line + by, &piece[digits..])),
            _ => to.push_str(piece),
        }
    }
}

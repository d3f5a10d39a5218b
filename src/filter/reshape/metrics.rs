//! Prometheus' text exposition format (<https://prometheus.io/docs/instrumenting/exposition_formats/>): the samples of
//! a family become rows of label values under a mark that names the labels; the buckets of a histogram become one row.
//! Nothing is lost: the tests read the samples back.

use std::fmt::Write as _;

use super::super::lines::{Cut, Lines};

/// Minimum number of samples of a family that is written as rows.
const FEWEST: usize = 3;

/// Writes every family of samples in `lines` as rows.
pub fn fold(lines: &mut Lines<'_>) {
    let mut cuts = Vec::new();
    let mut rows = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let Some((name, kind)) = family(lines.get(at)) else {
            at += 1;
            continue;
        };
        let end = at + 1 + (at + 1..lines.len()).take_while(|at| sample(lines.get(*at)).is_some()).count();
        let samples: Vec<Sample<'_>> = (at + 1..end).filter_map(|at| sample(lines.get(at))).collect();
        if let Some(table) = (samples.len() >= FEWEST).then(|| Table::new(&samples, name, kind)).flatten() {
            let written: Vec<String> = table.rows.iter().map(|row| table.row(row)).collect();
            cuts.push(Cut { start: at + 1, end: at + 1, mark: Some(table.head()) });
            cuts.push(Cut { start: at + 1 + written.len(), end, mark: None });
            rows.push((at + 1, written));
        }
        at = end;
    }
    for (start, written) in rows {
        for (step, row) in written.into_iter().enumerate() {
            lines.set(start + step, row.into_bytes());
        }
    }
    lines.cut(cuts);
}

/// Name and kind of a family, from its line `# TYPE name kind`.
fn family(line: &[u8]) -> Option<(&str, &str)> {
    std::str::from_utf8(line).ok()?.strip_prefix("# TYPE ")?.split_once(' ')
}

/// `name{label="value",…} value`; a timestamp behind the value counts as a part of it.
struct Sample<'a> {
    name: &'a str,
    /// Names and quoted values of the labels.
    labels: Vec<(&'a str, &'a str)>,
    value: &'a str,
}

fn sample(line: &[u8]) -> Option<Sample<'_>> {
    let text = std::str::from_utf8(line).ok()?;
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | ':')))?;
    let (name, mut rest) = text.split_at(end);
    let mut labels = Vec::new();
    if name.is_empty() {
        return None;
    }
    if let Some(inner) = rest.strip_prefix('{') {
        rest = inner;
        while let Some((label, value)) = rest.split_once('=').filter(|_| !rest.starts_with('}')) {
            let length = quoted_length(value)?;
            labels.push((label, &value[..length]));
            rest = value[length..].strip_prefix(',').unwrap_or(&value[length..]);
        }
        rest = rest.strip_prefix('}')?;
    }
    let value = rest.strip_prefix(' ')?;
    (!value.is_empty()).then_some(Sample { name, labels, value })
}

/// Length of the quoted value that `text` begins with, in bytes, quotes included.
fn quoted_length(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in text.strip_prefix('"')?.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Some(at + 2),
            _ => {}
        }
    }
    None
}

/// One label set: its values, and the cells behind them in the row.
struct Row<'a> {
    values: Vec<&'a str>,
    rest: Vec<String>,
}

/// A family as rows.
struct Table<'a> {
    labels: Vec<&'a str>,
    rows: Vec<Row<'a>>,
    /// The upper bounds of a histogram's buckets; empty for every other family.
    bounds: Vec<&'a str>,
}

impl<'a> Table<'a> {
    fn new(samples: &[Sample<'a>], name: &str, kind: &str) -> Option<Self> {
        let table =
            if kind == "histogram" { Self::histogram(samples, name) } else { Self::plain(samples, name) };
        table.filter(|table| !table.bounds.is_empty() || !table.labels.is_empty())
    }

    fn plain(samples: &[Sample<'a>], name: &str) -> Option<Self> {
        let labels: Vec<&str> = samples[0].labels.iter().map(|label| label.0).collect();
        let mut rows = Vec::with_capacity(samples.len());
        for sample in samples {
            if sample.name != name || !sample.labels.iter().map(|label| label.0).eq(labels.iter().copied()) {
                return None;
            }
            let values = sample.labels.iter().map(|label| label.1).collect();
            rows.push(Row { values, rest: vec![sample.value.to_owned()] });
        }
        Some(Self { labels, rows, bounds: Vec::new() })
    }

    fn histogram(samples: &[Sample<'a>], name: &str) -> Option<Self> {
        let part = |sample: &Sample<'a>| sample.name.strip_prefix(name).map(str::to_owned);
        let first = samples.iter().position(|sample| part(sample).as_deref() != Some("_bucket"))?;
        let bounds: Vec<&str> = samples[..first].iter().map(|sample| bound(sample)).collect::<Option<_>>()?;
        let labels: Vec<&str> = samples[first].labels.iter().map(|label| label.0).collect();
        let mut rows = Vec::new();
        for group in samples.chunks(first + 2) {
            let [buckets @ .., sum, count] = group else { return None };
            let ends = part(sum).as_deref() == Some("_sum") && part(count).as_deref() == Some("_count");
            if buckets.len() != first || !ends || sum.labels != count.labels {
                return None;
            }
            let (mut rest, mut before) = (Vec::new(), "0");
            for (bucket, le) in buckets.iter().zip(&bounds) {
                let labels = bucket.labels.split_last().map(|(_, labels)| labels);
                if part(bucket).as_deref() != Some("_bucket")
                    || bound(bucket) != Some(le)
                    || labels != Some(&sum.labels)
                {
                    return None;
                }
                if bucket.value != before {
                    rest.push(format!("{le}={}", bucket.value));
                    before = bucket.value;
                }
            }
            rest.extend([sum.value.to_owned(), count.value.to_owned()]);
            if !sum.labels.iter().map(|label| label.0).eq(labels.iter().copied()) {
                return None;
            }
            rows.push(Row { values: sum.labels.iter().map(|label| label.1).collect(), rest });
        }
        Some(Self { labels, rows, bounds })
    }

    /// Whether a label has the same value in all rows, where there is more than one row.
    fn is_constant(&self, label: usize) -> bool {
        self.rows.len() > 1 && self.rows.iter().all(|row| row.values[label] == self.rows[0].values[label])
    }

    /// The mark above the rows: `… 12 rows of “verb version”, value; all with “component="apiserver"”`.
    fn head(&self) -> String {
        let (once, names): (Vec<usize>, Vec<usize>) =
            (0..self.labels.len()).partition(|label| self.is_constant(*label));
        let names: Vec<&str> = names.into_iter().map(|label| self.labels[label]).collect();
        let mut head = format!("… {} rows of “{}”, ", self.rows.len(), names.join(" "));
        if self.bounds.is_empty() {
            head.push_str("value");
        } else {
            let _ = write!(head, "le=count where it changes (le: “{}”), sum, count", self.bounds.join(" "));
        }
        if !once.is_empty() {
            let once: Vec<String> = once
                .into_iter()
                .map(|label| format!("{}={}", self.labels[label], self.rows[0].values[label]))
                .collect();
            let _ = write!(head, "; all with “{}”", once.join(","));
        }
        head
    }

    fn row(&self, row: &Row<'a>) -> String {
        let mut cells: Vec<&str> = Vec::new();
        for (label, value) in row.values.iter().enumerate() {
            if !self.is_constant(label) {
                cells.push(bare(value));
            }
        }
        cells.extend(row.rest.iter().map(String::as_str));
        cells.join(" ")
    }
}

fn bound<'a>(sample: &Sample<'a>) -> Option<&'a str> {
    let (name, value) = sample.labels.last()?;
    (*name == "le").then(|| value.trim_matches('"'))
}

/// A quoted value without its quotes where it needs none.
fn bare(value: &str) -> &str {
    let inner = &value[1..value.len() - 1];
    if inner.is_empty() || inner.contains([' ', '"', '\\', '#', '…']) { value } else { inner }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text with its rows written as the samples they stand for: the inverse of `fold`.
    fn read_back(text: &str) -> String {
        let mut out = String::new();
        let mut lines = text.lines();
        let mut name = "";
        while let Some(line) = lines.next() {
            if let Some((family, _)) = family(line.as_bytes()) {
                name = family;
            }
            if let Some(head) = head(line) {
                for row in lines.by_ref().take(head.rows) {
                    head.write(name, row, &mut out);
                }
            } else {
                out.push_str(line);
                out.push('\n');
            }
        }
        out
    }

    struct Head<'a> {
        rows: usize,
        labels: Vec<&'a str>,
        bounds: Vec<&'a str>,
        once: &'a str,
    }

    fn head(line: &str) -> Option<Head<'_>> {
        let (rows, rest) = line.strip_prefix("… ")?.split_once(" rows of “")?;
        let (labels, rest) = rest.split_once('”')?;
        let bounds =
            rest.split_once("(le: “").and_then(|(_, rest)| rest.split_once('”')).map_or("", |found| found.0);
        let once = rest.split_once("; all with “").map_or("", |(_, once)| once.trim_end_matches('”'));
        Some(Head {
            rows: rows.parse().ok()?,
            labels: labels.split_whitespace().collect(),
            bounds: bounds.split_whitespace().collect(),
            once,
        })
    }

    impl Head<'_> {
        /// Writes the samples of one row. Labels are sorted by name, since rows do not keep their order.
        fn write(&self, name: &str, row: &str, out: &mut String) {
            let mut rest = row;
            let mut labels: Vec<String> = Vec::new();
            for label in &self.labels {
                let length = quoted_length(rest).unwrap_or_else(|| rest.find(' ').unwrap_or(rest.len()));
                let value = &rest[..length];
                let quote = if value.starts_with('"') { "" } else { "\"" };
                labels.push(format!("{label}={quote}{value}{quote}"));
                rest = rest[length..].trim_start();
            }
            let mut once = self.once;
            while let Some((label, value)) = once.split_once('=') {
                let length = quoted_length(value).unwrap_or(value.len());
                labels.push(format!("{label}={}", &value[..length]));
                once = value[length..].trim_start_matches(',');
            }
            labels.sort();
            let set = |more: Option<String>| {
                let all: Vec<&str> = labels.iter().map(String::as_str).chain(more.as_deref()).collect();
                if all.is_empty() { String::new() } else { format!("{{{}}}", all.join(",")) }
            };
            if self.bounds.is_empty() {
                let _ = writeln!(out, "{name}{} {rest}", set(None));
                return;
            }
            let cells: Vec<&str> = rest.split(' ').collect();
            let (changes, ends) = cells.split_at(cells.len().saturating_sub(2));
            let mut changes = changes.iter().filter_map(|cell| cell.split_once('=')).peekable();
            let mut count = "0";
            for le in &self.bounds {
                if let Some((_, changed)) = changes.next_if(|change| change.0 == *le) {
                    count = changed;
                }
                let _ = writeln!(out, "{name}_bucket{} {count}", set(Some(format!("le=\"{le}\""))));
            }
            for (part, value) in ["sum", "count"].iter().zip(ends) {
                let _ = writeln!(out, "{name}_{part}{} {value}", set(None));
            }
        }
    }

    #[test]
    fn samples_become_rows_and_come_back() {
        let bucket = |verb: &str, le: &str, count: u8| {
            format!("t_seconds_bucket{{app=\"api\",verb=\"{verb}\",le=\"{le}\"}} {count}\n")
        };
        let ends = |verb: &str| {
            format!(
                "t_seconds_sum{{app=\"api\",verb=\"{verb}\"}} 1.5\nt_seconds_count{{app=\"api\",verb=\"{verb}\"}} 7\n"
            )
        };
        let group = |verb: &str| {
            [
                bucket(verb, "0.1", 0),
                bucket(verb, "1", 5),
                bucket(verb, "5", 5),
                bucket(verb, "+Inf", 7),
                ends(verb),
            ]
            .concat()
        };
        let text = format!(
            "# HELP t_seconds Time\n# TYPE t_seconds histogram\n{}{}# TYPE n counter\nn{{a=\"\",b=\"x y\"}} 1\nn{{a=\"1\",b=\"c\"}} 2\n\
             n{{a=\"2\",b=\"d\"}} 3\n",
            group("GET"),
            group("PUT")
        );
        let mut lines = Lines::new(text.as_bytes());
        fold(&mut lines);
        let out = String::from_utf8(lines.finish(text.as_bytes()).unwrap().text).unwrap();
        assert_eq!(
            out,
            "# HELP t_seconds Time\n# TYPE t_seconds histogram\n\
             … 2 rows of “verb”, le=count where it changes (le: “0.1 1 5 +Inf”), sum, count; all with “app=\"api\"”\n\
             GET 1=5 +Inf=7 1.5 7\nPUT 1=5 +Inf=7 1.5 7\n# TYPE n counter\n… 3 rows of “a b”, value\n\"\" \"x y\" 1\n1 c 2\n2 d 3\n"
        );
        assert_eq!(read_back(&out), text);
        let mut again = Lines::new(out.as_bytes());
        fold(&mut again);
        assert_eq!(again.finish(out.as_bytes()), None);
    }
}

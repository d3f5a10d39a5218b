//! Prometheus' text exposition format (<https://prometheus.io/docs/instrumenting/exposition_formats/>): the samples of
//! a family become rows of label values under a mark that names the labels; the buckets of a histogram become one row.
//! Nothing is lost: tests/suite/filter.rs reads the samples back.

use std::fmt::Write as _;

use super::super::lines::{Cut, Lines};

/// Minimum number of samples of a family that is written as rows.
const FEWEST: usize = 3;

/// Writes every family of samples in `lines` as rows.
pub fn fold(lines: &mut Lines<'_>) {
    let (mut cuts, mut rows, mut at) = (Vec::new(), Vec::new(), 0);
    while at < lines.len() {
        let of_family = family(lines.get(at));
        at += 1;
        let Some((name, kind)) = of_family else { continue };
        let samples: Vec<Sample<'_>> = (at..lines.len()).map_while(|at| sample(lines.get(at))).collect();
        let end = at + samples.len();
        if let Some(table) = (samples.len() >= FEWEST).then(|| Table::new(&samples, name, kind)).flatten() {
            let (head, written) = table.written();
            cuts.push(Cut { start: at, end: at, mark: Some(head) });
            cuts.push(Cut { start: at + written.len(), end, mark: None });
            rows.extend((at..).zip(written));
        }
        at = end;
    }
    for (at, row) in rows {
        lines.set(at, row.into_bytes());
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
    let ends = |byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    };
    Some(text.strip_prefix('"')?.bytes().position(ends)? + 2)
}

/// A family as rows.
struct Table<'a> {
    labels: Vec<&'a str>,
    /// Each label set: its values, and the cells behind them.
    rows: Vec<(Vec<&'a str>, Vec<String>)>,
    /// The upper bounds of a histogram's buckets; empty for every other family.
    bounds: Vec<&'a str>,
}

impl<'a> Table<'a> {
    fn new(samples: &[Sample<'a>], name: &str, kind: &str) -> Option<Self> {
        let table =
            if kind == "histogram" { Self::histogram(samples, name) } else { Self::plain(samples, name) };
        table.filter(|table| !table.bounds.is_empty() || !table.labels.is_empty())
    }

    /// Adds a row; `None` where the sample has other labels than the table.
    fn push(&mut self, sample: &Sample<'a>, rest: Vec<String>) -> Option<()> {
        let (labels, values): (Vec<_>, Vec<_>) = sample.labels.iter().copied().unzip();
        (labels == self.labels).then(|| self.rows.push((values, rest)))
    }

    fn plain(samples: &[Sample<'a>], name: &str) -> Option<Self> {
        let labels = samples[0].labels.iter().map(|label| label.0).collect();
        let mut table = Self { labels, rows: Vec::with_capacity(samples.len()), bounds: Vec::new() };
        for sample in samples {
            table.push(sample, vec![sample.value.to_owned()]).filter(|()| sample.name == name)?;
        }
        Some(table)
    }

    fn histogram(samples: &[Sample<'a>], name: &str) -> Option<Self> {
        let is = |sample: &Sample<'_>, part| sample.name.strip_prefix(name) == Some(part);
        let first = samples.iter().position(|sample| !is(sample, "_bucket"))?;
        let bounds: Vec<&str> = samples[..first].iter().map(|sample| bound(sample)).collect::<Option<_>>()?;
        let labels = samples[first].labels.iter().map(|label| label.0).collect();
        let mut table = Self { labels, rows: Vec::new(), bounds };
        for group in samples.chunks(first + 2) {
            let [buckets @ .., sum, count] = group else { return None };
            let ends = is(sum, "_sum") && is(count, "_count") && sum.labels == count.labels;
            if buckets.len() != first || !ends {
                return None;
            }
            let (mut rest, mut before) = (Vec::new(), "0");
            for (bucket, le) in buckets.iter().zip(&table.bounds) {
                let labels = bucket.labels.split_last().map(|(_, labels)| labels);
                if !is(bucket, "_bucket") || bound(bucket) != Some(le) || labels != Some(&sum.labels) {
                    return None;
                }
                if bucket.value != before {
                    rest.push(format!("{le}={}", bucket.value));
                    before = bucket.value;
                }
            }
            rest.extend([sum.value.to_owned(), count.value.to_owned()]);
            table.push(sum, rest)?;
        }
        Some(table)
    }

    /// Whether a label has the same value in all rows, where there is more than one row.
    fn is_constant(&self, label: usize) -> bool {
        self.rows.len() > 1 && self.rows.iter().all(|(values, _)| values[label] == self.rows[0].0[label])
    }

    /// The mark above the rows, `… 12 rows of “verb version”, value; all with “component="apiserver"”`, and the rows.
    fn written(&self) -> (String, Vec<String>) {
        let (once, shown): (Vec<usize>, Vec<usize>) =
            (0..self.labels.len()).partition(|label| self.is_constant(*label));
        let names: Vec<&str> = shown.iter().map(|label| self.labels[*label]).collect();
        let mut head = format!("… {} rows of “{}”, ", self.rows.len(), names.join(" "));
        if self.bounds.is_empty() {
            head.push_str("value");
        } else {
            let _ = write!(head, "le=count where it changes (le: “{}”), sum, count", self.bounds.join(" "));
        }
        if !once.is_empty() {
            let once = once.iter().map(|label| format!("{}={}", self.labels[*label], self.rows[0].0[*label]));
            let _ = write!(head, "; all with “{}”", once.collect::<Vec<_>>().join(","));
        }
        let row = |(values, rest): &(Vec<&'a str>, Vec<String>)| {
            let values = shown.iter().map(|label| bare(values[*label]));
            values.chain(rest.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
        };
        (head, self.rows.iter().map(row).collect())
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
    use super::super::super::lines::tests::changed;
    use super::*;

    #[test]
    fn samples_become_rows() {
        let bucket = |verb: &str, le: &str, count: u8| {
            format!("t_seconds_bucket{{app=\"api\",verb=\"{verb}\",le=\"{le}\"}} {count}\n")
        };
        let group = |verb: &str| {
            let buckets =
                [("0.1", 0), ("1", 5), ("5", 5), ("+Inf", 7)].map(|(le, count)| bucket(verb, le, count));
            let end = format!("{{app=\"api\",verb=\"{verb}\"}}");
            format!("{}t_seconds_sum{end} 1.5\nt_seconds_count{end} 7\n", buckets.concat())
        };
        let text = format!(
            "# HELP t_seconds Time\n# TYPE t_seconds histogram\n{}{}# TYPE n counter\nn{{a=\"\",b=\"x y\"}} 1\nn{{a=\"1\",b=\"c\"}} 2\n\
             n{{a=\"2\",b=\"d\"}} 3\n",
            group("GET"),
            group("PUT")
        );
        let out = changed(&text, fold);
        assert_eq!(
            out,
            "# HELP t_seconds Time\n# TYPE t_seconds histogram\n\
             … 2 rows of “verb”, le=count where it changes (le: “0.1 1 5 +Inf”), sum, count; all with “app=\"api\"”\n\
             GET 1=5 +Inf=7 1.5 7\nPUT 1=5 +Inf=7 1.5 7\n# TYPE n counter\n… 3 rows of “a b”, value\n\"\" \"x y\" 1\n1 c 2\n2 d 3\n"
        );
        assert_eq!(changed(&out, fold), out, "twice is once");
    }
}

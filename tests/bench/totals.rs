//! Prints exact token totals of a corpus of JSON outputs, by group: `cargo run --release --example totals -- [DIR]`.
//!
//! DIR (default ../shared/corpus/dev/json) holds one directory a group and a `counts.csv` with the columns
//! path, group, raw (pretty-printed), min (minified) and toon. With a group's name as second argument each of
//! its documents is listed, with a document's path its output is shown.
#![expect(clippy::print_stdout, reason = "a report on the terminal")]

use std::collections::BTreeMap;
use std::path::Path;

use llm_toto::config::{Format, Level};
use llm_toto::document::{Kind, Layout, scan};
use llm_toto::pipeline::{Options, Report, Shape, compress};
use llm_toto::render::expand::expand;

#[derive(Default)]
struct Totals {
    raw: usize,
    minified: usize,
    toon: usize,
    lossless: usize,
    standard: usize,
    documents: usize,
    above_minified: usize,
}

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().unwrap_or_else(|| "../shared/corpus/dev/json".into());
    let root = Path::new(&root);
    let wanted = arguments.next();
    if let Some(path) = wanted.as_deref().filter(|path| path.contains('/')) {
        let report = run(&fs_err::read(root.join(path))?, Level::Lossless);
        println!("{}{:?} {:?}", String::from_utf8_lossy(&report.output), report.candidates, report.timings);
        return Ok(());
    }
    let mut groups: BTreeMap<String, Totals> = BTreeMap::new();
    for line in fs_err::read_to_string(root.join("counts.csv"))?.lines().skip(1) {
        let mut fields = line.split(',');
        let (Some(path), Some(group)) = (fields.next(), fields.next()) else { continue };
        if wanted.as_deref().is_some_and(|wanted| wanted != group) {
            continue;
        }
        let mut number = || fields.next().and_then(|field| field.parse::<usize>().ok()).unwrap_or(0);
        let (raw, minified, toon) = (number(), number(), number());
        let input = fs_err::read(root.join(path))?;
        let report = run(&input, Level::Lossless);
        let lossless = report.output_tokens;
        if report.shape == Shape::Pvfn {
            match expand(&String::from_utf8_lossy(&report.output)) {
                Ok(back) if leaves(&back) == leaves(&input) => {}
                Ok(back) => println!("LOST {path}: {}", difference(&leaves(&input), &leaves(&back))),
                Err(error) => println!("UNREADABLE {path}: {error}"),
            }
        }
        let standard = run(&input, Level::Standard).output_tokens;
        for group in [group, "total"] {
            let totals = groups.entry(group.into()).or_default();
            totals.raw += raw;
            totals.minified += minified;
            totals.toon += toon;
            totals.lossless += lossless;
            totals.standard += standard;
            totals.documents += 1;
            totals.above_minified += usize::from(lossless > minified);
        }
        if wanted.is_some() {
            let [minified, lossless, standard] = [minified, lossless, standard].map(|part| ratio(part, raw));
            println!("{raw:>8} {minified:.3} {lossless:.3} {standard:.3} {path}");
        }
    }
    println!("group       docs       raw  minified   toon  lossless  standard  above minified");
    for (group, totals) in groups {
        println!(
            "{group:<10} {:>5} {:>9}     {:.3}  {:.3}     {:.3}     {:.3}  {}",
            totals.documents,
            totals.raw,
            ratio(totals.minified, totals.raw),
            ratio(totals.toon, totals.raw),
            ratio(totals.lossless, totals.raw),
            ratio(totals.standard, totals.raw),
            totals.above_minified
        );
    }
    Ok(())
}

fn run(input: &[u8], level: Level) -> Report {
    compress(input, &Options { level, format: Format::Auto, ..Options::default() })
}

/// Every leaf of all documents of a text, as its path and its text.
fn leaves(text: &[u8]) -> Vec<String> {
    let Layout::Document(document) = scan(std::str::from_utf8(text).unwrap_or_default()) else {
        return vec![];
    };
    let mut found = Vec::new();
    let mut stack = vec![(document.root(), String::new())];
    while let Some((id, path)) = stack.pop() {
        if document.is_scalar(id) || document.is_childless(id) {
            found.push(match document.kind(id) {
                Kind::Array => format!("{path} []"),
                Kind::Object => format!("{path} {{}}"),
                Kind::Plain | Kind::Escaped => format!("{path} text {}", document.text(id)),
                _ => format!("{path} literal {}", document.text(id)),
            });
        }
        for (index, child) in document.children(id).enumerate() {
            let step =
                document.key_id(child).map_or(index.to_string(), |key| format!("{:?}", document.key(key)));
            stack.push((child, format!("{path}/{step}")));
        }
    }
    found.sort_unstable();
    found
}

fn difference(want: &[String], got: &[String]) -> String {
    let missing = want.iter().find(|leaf| got.binary_search(leaf).is_err());
    let added = got.iter().find(|leaf| want.binary_search(leaf).is_err());
    format!("{missing:?} is missing, {added:?} is new")
}

fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

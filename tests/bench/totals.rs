//! Prints exact token totals of a corpus of JSON outputs, by group: `cargo run --release --example totals -- [DIR]`.
//!
//! DIR (default ../shared/corpus/dev/json) holds one directory a group and a `counts.csv` with the columns
//! path, group, raw (pretty-printed), min (minified) and toon, in `cl100k_base`. With a group's name as
//! second argument each of its documents is listed, with a document's path its output is shown.
#![expect(clippy::print_stdout, reason = "a report on the terminal")]

use std::collections::BTreeMap;
use std::path::Path;

use llm_toto::config::{Format, Level};
use llm_toto::pipeline::{Compressed, Options, compress};
use llm_toto::tokens::count;

#[path = "../round_trip.rs"]
mod round_trip;

use round_trip::violation;

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
        println!("{}{:?} {:?}", String::from_utf8_lossy(&report.output), report.costs, report.timings);
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
        let lossless = count(&run(&input, Level::Lossless).output);
        if let Some(wrong) = violation(std::str::from_utf8(&input)?) {
            println!("WRONG {path}: {}", wrong.lines().next().unwrap_or_default());
        }
        let standard = count(&run(&input, Level::Standard).output);
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
    print(&groups);
    Ok(())
}

fn print(groups: &BTreeMap<String, Totals>) {
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
}

fn run(input: &[u8], level: Level) -> Compressed {
    compress(input, &Options { level, format: Format::Auto, ..Options::default() })
}

fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

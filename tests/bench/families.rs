//! Prints exact tokens saved on a corpus of text outputs, by tool: `cargo run --release --example families -- [DIR]`.
//!
//! DIR (default ../shared/corpus/dev/text) holds NAME.txt and NAME.meta.json (`argv`, `exit_code`). With a tool's
//! name as second argument each of its outputs is listed, with an output's name its filtered text is shown.
#![expect(clippy::print_stdout, reason = "a report on the terminal")]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::time::Instant;

use llm_toto::filter::{Call, honesty, library};
use llm_toto::pipeline::{Options, Report, Shape, compress, scrub};
use serde_json::Value;

#[derive(Default)]
struct Totals {
    outputs: usize,
    before: usize,
    after: usize,
    dishonest: usize,
}

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().unwrap_or_else(|| "../shared/corpus/dev/text".into());
    let wanted = arguments.next();
    let mut names: Vec<String> = fs_err::read_dir(&root)?
        .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".meta.json")?.to_owned()))
        .collect();
    names.sort();
    let (mut look_ups, mut slowest) = (Vec::new(), (0.0, String::new()));
    let mut families: BTreeMap<(String, bool), Totals> = BTreeMap::new();
    for name in names {
        let path = Path::new(&root).join(&name);
        let meta: Value =
            serde_json::from_slice(&fs_err::read(path.with_file_name(format!("{name}.meta.json")))?)?;
        let words = words(&name, &meta);
        let tool = words.first().and_then(|word| word.to_str()).unwrap_or("?");
        let tool = tool.rsplit('/').next().unwrap_or(tool).to_owned();
        if wanted.as_ref().is_some_and(|wanted| *wanted != tool && *wanted != name) {
            continue;
        }
        let exit = meta["exit_code"].as_i64().unwrap_or(0) as i32;
        let text = fs_err::read(path.with_file_name(format!("{name}.txt")))?;
        let call = Call { words: &words, exit: Some(exit), ..Call::default() };
        let start = Instant::now();
        drop(library::find(&call));
        look_ups.push(start.elapsed());
        let start = Instant::now();
        let report = compress(&text, &Options { recall: "toto show k7q2x", call, ..Options::default() });
        let took = start.elapsed();
        let each_100_kb = report.timings.filter.as_secs_f64() * 1e3 * 100e3 / text.len().max(100_000) as f64;
        if each_100_kb > slowest.0 {
            slowest = (each_100_kb, name.clone());
        }
        let mut wrong = violations(&text, &report, exit);
        let options = Options { recall: "toto show k7q2x", call, ..Options::default() };
        if report.shape == Shape::Text {
            wrong.extend(changed_again(&report.output, &compress(&report.output, &options).output));
        }
        if wanted.as_ref() == Some(&name) {
            print!("{}", String::from_utf8_lossy(&report.output));
            println!("{:?}", report.timings);
        }
        for wrong in wrong.iter().take(5).filter(|_| wanted.is_some()) {
            println!("  {wrong}");
        }
        if wanted.is_some() {
            let (before, after) = (report.original_tokens, report.output_tokens);
            println!(
                "{before:>8} {after:>8} {:5.1}% exit {exit} {took:?} {} {name}",
                saved(before, after),
                wrong.len()
            );
        }
        for family in [tool.as_str(), "total"] {
            let totals = families.entry((family.to_owned(), exit == 0)).or_default();
            totals.outputs += 1;
            totals.before += report.original_tokens;
            totals.after += report.output_tokens;
            totals.dishonest += usize::from(!wrong.is_empty());
        }
    }
    look_ups.sort();
    if let (Some(median), Some(most)) = (look_ups.get(look_ups.len() / 2), look_ups.last()) {
        println!("look-up of a filter: median {median:?}, most {most:?}");
    }
    println!("filters at most {:.2} ms each 100 KB ({})", slowest.0, slowest.1);
    println!("tool                 run      outputs    before     after   saved  dishonest");
    for ((family, passing), totals) in families {
        println!(
            "{family:<20} {:<8} {:>7} {:>9} {:>9} {:>6.1}% {:>6}",
            if passing { "passing" } else { "failing" },
            totals.outputs,
            totals.before,
            totals.after,
            saved(totals.before, totals.after),
            totals.dishonest
        );
    }
    Ok(())
}

/// The first line that filtering an output again changes.
fn changed_again(once: &[u8], twice: &[u8]) -> Option<String> {
    let mut pairs = once.split(|byte| *byte == b'\n').zip(twice.split(|byte| *byte == b'\n'));
    let (before, after) = pairs.find(|(before, after)| before != after)?;
    let show = String::from_utf8_lossy;
    Some(format!("twice is not once: {:?} became {:?}", show(before), show(after)))
}

/// The command. The fixtures of jc (`jc__ubuntu-18.04__ls-alh`) have theirs as one word.
fn words(name: &str, meta: &Value) -> Vec<OsString> {
    let argv = meta["argv"].as_array().into_iter().flatten().filter_map(Value::as_str);
    if name.starts_with("jc__") {
        return argv.flat_map(|word| word.split('-')).map(OsString::from).collect();
    }
    argv.map(OsString::from).collect()
}

fn violations(text: &[u8], report: &Report, exit: i32) -> Vec<String> {
    if report.shape != Shape::Text {
        return vec![];
    }
    let note = format!("({} left out: toto show k7q2x)\n", report.omitted);
    let output = report.output.strip_suffix(note.as_bytes()).unwrap_or(&report.output);
    honesty::violations(&scrub::scrub(text), output, exit, honesty::Author::Library)
}

fn saved(before: usize, after: usize) -> f64 {
    100.0 * (1.0 - after as f64 / before.max(1) as f64)
}

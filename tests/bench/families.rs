//! Prints exact tokens saved on a corpus of text outputs, by tool: `cargo run --release --example families -- [DIR]`.
//!
//! DIR (default ../shared/corpus/dev/text) holds NAME.txt and NAME.meta.json (`argv`, `exit_code`). With a tool's
//! name as second argument each of its outputs is listed, with an output's name its filtered text is shown.
//!
//! `saved` is the share saved of all tokens of a tool's outputs, `mean` the mean of its outputs' shares. `overflow`
//! counts the last step, too: an output that is large after its filter is kept, and the agent gets a preview.
//! `dishonest` counts outputs that break a check.
#![expect(clippy::print_stdout, reason = "a report on the terminal")]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

use llm_toto::Status;
use llm_toto::config::Settings;
use llm_toto::custom::{Call, checks};
use llm_toto::overflow::{self, Large, Original, Page, Summary, pages, readable};
use llm_toto::pipeline::{Compressed, Keys, Options, OutputKind, Shape, compress, scrub};
use llm_toto::tokens;
use serde_json::Value;

const RECALL: &str = "toto show k7q2x";
/// A path of usual length.
const SAVED: &str = "/home/dev/.local/state/toto/sessions/default/20261121-101654.123-tool-k7q2x.out";

#[derive(Default)]
struct Totals {
    outputs: usize,
    before: usize,
    after: usize,
    given: usize,
    shares: f64,
    dishonest: usize,
}

/// An output of the corpus.
struct Sample {
    name: String,
    words: Vec<OsString>,
    tool: String,
    exit: i32,
    text: Vec<u8>,
}

/// The result for one output.
struct Outcome {
    report: Compressed,
    before: usize,
    after: usize,
    given: usize,
    wrong: Vec<String>,
    took: Duration,
}

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().unwrap_or_else(|| "../shared/corpus/dev/text".into());
    let wanted = arguments.next();
    let mut names: Vec<String> = fs_err::read_dir(&root)?
        .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".meta.json")?.to_owned()))
        .collect();
    names.sort();
    let mut families: BTreeMap<(String, bool), Totals> = BTreeMap::new();
    for name in names {
        let sample = Sample::read(Path::new(&root), name)?;
        if wanted.as_ref().is_some_and(|wanted| *wanted != sample.tool && *wanted != sample.name) {
            continue;
        }
        let outcome = run(&sample);
        if let Some(wanted) = &wanted {
            list(&sample, &outcome, *wanted == sample.name);
        }
        for family in [sample.tool.as_str(), "total"] {
            families.entry((family.to_owned(), sample.exit == 0)).or_default().add(&outcome);
        }
    }
    print_table(&families);
    Ok(())
}

impl Sample {
    fn read(root: &Path, name: String) -> anyhow::Result<Self> {
        let meta: Value = serde_json::from_slice(&fs_err::read(root.join(format!("{name}.meta.json")))?)?;
        let words = words(&name, &meta);
        let tool = words.first().and_then(|word| word.to_str()).unwrap_or("?");
        let tool = tool.rsplit('/').next().unwrap_or(tool).to_owned();
        let exit = meta["exit_code"].as_i64().unwrap_or(0) as i32;
        let text = fs_err::read(root.join(format!("{name}.txt")))?;
        Ok(Self { name, words, tool, exit, text })
    }
}

impl Totals {
    fn add(&mut self, outcome: &Outcome) {
        self.outputs += 1;
        self.before += outcome.before;
        self.after += outcome.after;
        self.given += outcome.given;
        self.shares += saved(outcome.before, outcome.after);
        self.dishonest += usize::from(!outcome.wrong.is_empty());
    }
}

fn run(sample: &Sample) -> Outcome {
    let call = Call { words: &sample.words, exit: Some(sample.exit), ..Call::default() };
    let options = Options { recall: RECALL, call, ..Options::default() };
    let start = Instant::now();
    let report = compress(&sample.text, &options);
    let took = start.elapsed();
    let wrong = violations(&sample.text, &report, sample.exit);
    // The pipeline estimates the tokens of very large texts; here every count is exact.
    let exact = |text: &[u8], counted: usize| if report.estimated { tokens::count(text) } else { counted };
    let before = exact(&sample.text, report.original_tokens);
    let after = exact(&report.output, report.output_tokens);
    let given = preview_of(sample, &report).map_or(after, |preview| after.min(preview));
    Outcome { report, before, after, given, wrong, took }
}

/// The tokens of what an agent gets in place of an output that is still large, with the default settings; `None` where
/// the output is given as it is.
fn preview_of(sample: &Sample, report: &Compressed) -> Option<usize> {
    let limits = Settings::default().limits(&sample.tool, false);
    let page = Page::of_host(None, None);
    let is_text = matches!(report.shape, Shape::Text | Shape::Raw);
    let words: Vec<String> = sample.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let kind = OutputKind::of(&words, &report.output, !is_text);
    let shortened = kind == OutputKind::Action && sample.exit == 0;
    if page.holds(&report.output)
        && !shortened
        && (is_text || report.output.len() <= limits.structured.number())
    {
        return None;
    }
    if matches!(kind, OutputKind::Content | OutputKind::Unknown) {
        let first = pages::divide_text(&report.output, page, page).first()?.end as usize;
        return Some(tokens::count(&report.output[..first]));
    }
    let summary = Summary::of(&sample.text, &limits.keywords);
    let outline = (!is_text).then(|| overflow::outline(std::str::from_utf8(&sample.text).ok()?)).flatten();
    let large = Large {
        summary: &summary,
        outline: outline.as_ref(),
        whole: Original::Saved { path: Path::new(SAVED), id: "k7q2x" },
        outcome: overflow::Outcome::of(Some(Status::Exited(sample.exit))),
        most: usize::MAX,
        threshold: limits.text,
    };
    Some(tokens::count(large.reduced(limits.mode).1.as_bytes()))
}

fn list(sample: &Sample, outcome: &Outcome, whole: bool) {
    if whole {
        print!("{}", String::from_utf8_lossy(&outcome.report.output));
        println!("{:?}", outcome.report.timings);
    }
    for wrong in outcome.wrong.iter().take(5) {
        println!("  {wrong}");
    }
    let Outcome { before, after, given, took, .. } = outcome;
    println!(
        "{before:>8} {after:>8} {:5.1}% given {given:>8} exit {} {took:?} {} {}",
        saved(*before, *after),
        sample.exit,
        outcome.wrong.len(),
        sample.name
    );
}

fn print_table(families: &BTreeMap<(String, bool), Totals>) {
    println!(
        "tool                 run      outputs    before     after   saved    mean  overflow  dishonest"
    );
    let mut rows: Vec<_> = families.iter().collect();
    rows.sort_by_key(|((family, _), _)| family == "total");
    for ((family, passing), totals) in rows {
        println!(
            "{family:<20} {:<8} {:>7} {:>9} {:>9} {:>6.1}% {:>6.1}%   {:>6.1}% {:>10}",
            if *passing { "passing" } else { "failing" },
            totals.outputs,
            totals.before,
            totals.after,
            saved(totals.before, totals.after),
            totals.shares / totals.outputs as f64,
            saved(totals.before, totals.given),
            totals.dishonest
        );
    }
}

/// The words of the command. The fixtures of jc (`jc__ubuntu-18.04__ls-alh`) have theirs as one word.
fn words(name: &str, meta: &Value) -> Vec<OsString> {
    let argv = meta["argv"].as_array().into_iter().flatten().filter_map(Value::as_str);
    if name.starts_with("jc__") {
        return argv.flat_map(|word| word.split('-')).map(OsString::from).collect();
    }
    argv.map(OsString::from).collect()
}

fn violations(text: &[u8], report: &Compressed, exit: i32) -> Vec<String> {
    if report.shape != Shape::Text {
        return vec![];
    }
    let note = report.omitted.note(RECALL, &Keys::default());
    let output = report.output.strip_suffix(b"\n").unwrap_or(&report.output);
    let output = output.strip_suffix(note.trim_end().as_bytes()).unwrap_or(&report.output);
    // Colours that tell something stay, hidden characters are written out.
    checks::violations(readable(text).as_bytes(), &scrub::scrub(output), exit, checks::Author::Library)
}

/// The share saved, in percent.
fn saved(before: usize, after: usize) -> f64 {
    if before == 0 { 0.0 } else { 100.0 * (1.0 - after as f64 / before as f64) }
}

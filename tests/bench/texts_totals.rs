//! Prints exact token totals of a corpus of texts in known forms alone, by family, and checks that its words are whole:
//! `cargo run --release --example texts-totals -- [DIR] [NAME] [OUT]`.
//!
//! DIR (default ../shared/corpus/dev/text) holds NAME.txt. Terminal control is scrubbed; no filter runs, and nothing is
//! left out. Texts that are content are not in the total: tests/bench/texts.toml lists them, each with the reason. If
//! NAME is a family, each of its texts is listed; if it is a text, its forms are shown; `-` is neither. With a
//! directory OUT the forms of each text are written to OUT/NAME.form.
#![expect(clippy::print_stdout, reason = "a report on the terminal")]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use llm_toto::pipeline::scrub::scrub;
use llm_toto::render::forms;
use llm_toto::tokens;

#[path = "../whole_words.rs"]
mod whole_words;

/// Bytes of the texts that are counted.
const SIZES: std::ops::RangeInclusive<usize> = 1500..=1 << 20;

#[derive(Default)]
struct Totals {
    texts: usize,
    before: usize,
    after: usize,
    above: usize,
    wrong: usize,
    took: Duration,
    bytes: usize,
}

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().unwrap_or_else(|| "../shared/corpus/dev/text".into());
    let wanted = arguments.next();
    let written = arguments.next();
    let families = families()?;
    let mut names: Vec<String> = fs_err::read_dir(&root)?
        .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".txt")?.to_owned()))
        .collect();
    names.sort();
    let mut all: BTreeMap<String, Totals> = BTreeMap::new();
    for name in names {
        let raw = fs_err::read(Path::new(&root).join(format!("{name}.txt")))?;
        let Ok(text) = String::from_utf8(scrub(&raw).into_owned()) else { continue };
        let start = Instant::now();
        let rendered = forms::render(&text, false);
        let took = start.elapsed();
        let before = tokens::count(text.as_bytes());
        let after = rendered.as_ref().map_or(before, |rendered| tokens::count(rendered.as_bytes()));
        let family = families.get(&name).map_or("others", String::as_str);
        let wrong = whole_words::violation(&text);
        if let Some(wrong) = &wrong {
            println!("WRONG {name}: {}", wrong.lines().next().unwrap_or_default());
        }
        if let (Some(directory), Some(rendered)) = (&written, &rendered) {
            fs_err::write(Path::new(directory).join(format!("{name}.form")), rendered)?;
        }
        if wanted.as_ref() == Some(&name) {
            println!("{}", rendered.as_deref().unwrap_or("no form saves anything here"));
        }
        if wanted.as_ref().is_some_and(|wanted| *wanted == name || *wanted == family) {
            println!(
                "{before:>8} {after:>8} {:.3} {:>8.1} ms {name}",
                ratio(after, before),
                took.as_secs_f64() * 1e3
            );
        }
        if !SIZES.contains(&raw.len()) {
            continue;
        }
        let counted = if family == "content" { &[family][..] } else { &[family, "total"] };
        for family in counted {
            let totals = all.entry((*family).to_owned()).or_default();
            totals.texts += 1;
            totals.before += before;
            // Where they save nothing, the router gives the original.
            totals.after += after.min(before);
            totals.above += usize::from(after > before);
            totals.wrong += usize::from(wrong.is_some());
            totals.took += took;
            totals.bytes += text.len();
        }
    }
    print(&all);
    Ok(())
}

fn print(all: &BTreeMap<String, Totals>) {
    println!("family        texts   tokens  notation  share  refused  wrong   MB/s");
    for (family, totals) in all {
        println!(
            "{family:<13} {:>5} {:>8}  {:>8}  {:.3}  {:>7}  {:>5}  {:>5.1}",
            totals.texts,
            totals.before,
            totals.after,
            ratio(totals.after, totals.before),
            totals.above,
            totals.wrong,
            totals.bytes as f64 / 1e6 / totals.took.as_secs_f64().max(1e-9)
        );
    }
}

/// The family of each text that texts.toml names.
fn families() -> anyhow::Result<BTreeMap<String, String>> {
    let table: toml::Table = toml::from_str(include_str!("texts.toml"))?;
    let mut families = BTreeMap::new();
    for name in table["content"].as_table().into_iter().flatten().map(|(name, _)| name) {
        families.insert(name.clone(), "content".to_owned());
    }
    for (family, names) in table["families"].as_table().into_iter().flatten() {
        for name in names.as_array().into_iter().flatten().filter_map(toml::Value::as_str) {
            families.insert(name.to_owned(), family.clone());
        }
    }
    Ok(families)
}

fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

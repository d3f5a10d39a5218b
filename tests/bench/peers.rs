//! Prints exact token counts beside what others publish: `cargo run --release --example peers -- [CORPUS [TOON]]`.
//!
//! CORPUS (default ../shared/corpus) holds `toon/`, the data sets of TOON's own benchmark, and `dev/json/aws-live/`,
//! answers of the AWS command line. TOON holds what TOON's encoder made of the data sets, under the same names with
//! `.toon`; without it there is no such column.
#![expect(clippy::print_stdout, reason = "a report on the terminal")]

use std::path::{Path, PathBuf};

use llm_toto::config::{Format, Level};
use llm_toto::pipeline::{Options, compress};
use llm_toto::tokens::count;

/// A call, the file of its answer, and the share (per cent) that was published as saved, with losses allowed.
const CALLS: [(&str, &str, usize); 8] = [
    ("eks describe-cluster", "eks__describe-cluster", 66),
    ("ec2 describe-security-groups, 5", "ec2__describe-security-groups__5", 55),
    ("ec2 describe-subnets, 8", "ec2__describe-subnets__8", 52),
    ("ec2 describe-vpcs", "ec2__describe-vpcs", 49),
    ("ec2 describe-instances, 6", "ec2__describe-instances__006", 42),
    ("logs describe-log-groups, 10", "logs__describe-log-groups__10", 30),
    ("iam list-roles, 5", "iam__list-roles__5", 27),
    ("kms list-keys, 10", "kms__list-keys__10", 15),
];
/// The published share over all of these calls.
const ALL_CALLS: f64 = 46.9;

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let corpus = PathBuf::from(arguments.next().unwrap_or_else(|| "../shared/corpus".into()));
    data_sets(&corpus.join("toon"), arguments.next().as_deref().map(Path::new))?;
    live_calls(&corpus.join("dev/json/aws-live"))
}

fn data_sets(directory: &Path, encoded: Option<&Path>) -> anyhow::Result<()> {
    let mut files: Vec<PathBuf> =
        fs_err::read_dir(directory)?.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<_>>()?;
    files.sort();
    println!("TOON's data sets              pretty minified     TOON    toto  of TOON");
    for file in files {
        let input = fs_err::read(&file)?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let minified = written(&input, Format::Json, Level::Lossless);
        let ours = written(&input, Format::Auto, Level::Lossless);
        let toon = encoded.map(|encoded| fs_err::read(encoded.join(format!("{name}.toon")))).transpose()?;
        let toon = toon.map(|text| count(&text));
        println!(
            "{name:<27} {:>8} {minified:>8} {:>8} {ours:>7}  {}",
            count(&input),
            toon.map_or("-".into(), |toon| toon.to_string()),
            toon.map_or("-".into(), |toon| format!("{:.3}", ours as f64 / toon as f64)),
        );
    }
    Ok(())
}

fn live_calls(directory: &Path) -> anyhow::Result<()> {
    println!("\nlive calls to AWS, saved         before  lossless standard  published");
    let (mut before, mut lossless, mut standard) = (0, 0, 0);
    for (name, file, published) in CALLS {
        let input = fs_err::read(directory.join(file).with_extension("json"))?;
        let tokens = [
            count(&input),
            written(&input, Format::Auto, Level::Lossless),
            written(&input, Format::Auto, Level::Standard),
        ];
        row(name, tokens, published as f64);
        (before, lossless, standard) = (before + tokens[0], lossless + tokens[1], standard + tokens[2]);
    }
    row("all of them", [before, lossless, standard], ALL_CALLS);
    Ok(())
}

fn row(name: &str, [before, lossless, standard]: [usize; 3], published: f64) {
    let saved = |after: usize| 100.0 * (before as f64 - after as f64) / before as f64;
    println!("{name:<32} {before:>6}  {:>7.1}% {:>7.1}% {published:>9.1}%", saved(lossless), saved(standard));
}

fn written(input: &[u8], format: Format, level: Level) -> usize {
    let options = Options { format, level, recall: "toto show k7q2x", ..Options::default() };
    count(&compress(input, &options).output)
}

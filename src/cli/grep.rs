//! `toto grep PATTERN [PATH…]`: matching lines below a directory, or how many there are if they are too many.

use std::path::PathBuf;

use clap::Args;
use grep_regex::RegexMatcherBuilder;
use grep_searcher::{BinaryDetection, SearcherBuilder, sinks::Bytes};
use ignore::WalkBuilder;

use super::host::Reader;
use super::out::{self, Refusal};
use crate::config::MOST_TOKENS;
use crate::overflow::pages;
use crate::pipeline::visible;
use crate::store;
use crate::tokens;

/// Most bytes of matches that are kept; more is too much for an agent in any case.
const KEPT: usize = 16 * MOST_TOKENS;
/// Length, in bytes, at which a longer line is cut.
const LONGEST_LINE: usize = 500;

/// Search files for a pattern; refuses what is too much for an agent
#[derive(Debug, Args)]
pub struct GrepArgs {
    /// A regular expression
    pattern: String,
    /// Files and directories [default: the current one]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Upper or lower case
    #[arg(short, long)]
    ignore_case: bool,
    /// Line numbers, which are always there
    #[arg(short = 'n', hide = true)]
    _numbers: bool,
}

/// Writes `path:line:text` of every matching line. Exit status 1 if there is none, as grep's. Fails when the pattern is
/// invalid, a path does not exist, or there are too many matches.
pub fn run(args: &GrepArgs) -> anyhow::Result<i32> {
    super::lines::pattern(&args.pattern)?;
    let matcher = RegexMatcherBuilder::new()
        .case_insensitive(args.ignore_case)
        .build(&args.pattern)
        .map_err(|error| Refusal::bad(format!("`{}` cannot be searched for: {error}", args.pattern)))?;
    let here = [PathBuf::from(".")];
    let paths = if args.paths.is_empty() { &here[..] } else { &args.paths };
    if let Some((path, error)) = paths.iter().find_map(|path| Some((path, path.metadata().err()?))) {
        return Err(Refusal::bad(format!("cannot read {}: {error}", path.display())));
    }
    let mut found = Found::default();
    let mut searcher =
        SearcherBuilder::new().binary_detection(BinaryDetection::quit(0)).line_number(true).build();
    for path in paths {
        for entry in WalkBuilder::new(path).sort_by_file_path(Ord::cmp).build().flatten() {
            if entry.file_type().is_some_and(|kind| kind.is_file()) {
                let shown = entry.path().strip_prefix("./").unwrap_or(entry.path());
                let shown = visible::line(&shown.display().to_string());
                // A file that cannot be read is skipped, like an ignored one.
                let add = Bytes(|number, line| {
                    found.add(&shown, number, line);
                    Ok(true)
                });
                let _ = searcher.search_path(&matcher, entry.path(), add);
            }
        }
    }
    let reader = super::host::reader();
    let status = found.answer(reader.as_ref())?;
    if let Some(saved) = paths.iter().find(|path| store::at(path).is_some()) {
        super::host::note_file(saved, reader.as_ref(), &found.bytes);
    }
    Ok(status)
}

/// The matching lines of all files.
#[derive(Default)]
struct Found {
    bytes: Vec<u8>,
    /// Bytes that were not kept.
    more: usize,
    lines: u64,
}

impl Found {
    /// Adds a line of the file `path`.
    fn add(&mut self, path: &str, number: u64, line: &[u8]) {
        let line = visible::lines(line);
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        let cut = line.char_indices().map(|(at, _)| at).find(|at| *at > LONGEST_LINE);
        let mark = if cut.is_some() { "…" } else { "" };
        let text = format!("{path}:{number}:{}{mark}\n", &line[..cut.unwrap_or(line.len())]);
        self.lines += 1;
        if self.bytes.len() < KEPT {
            self.bytes.extend_from_slice(text.as_bytes());
        } else {
            self.more += text.len();
        }
    }

    fn answer(&mut self, reader: Option<&Reader>) -> anyhow::Result<i32> {
        if let Some(page) = reader.map(|reader| reader.page).filter(|page| !page.holds(&self.bytes)) {
            let cut = pages::divide_text(&self.bytes, page, page)[0].end as usize;
            self.bytes.truncate(cut);
            let shown = memchr::memchr_iter(b'\n', &self.bytes).count();
            let more = format!(
                "({shown} of {} matching lines: a narrower pattern, or name the files or directories to search)\n",
                self.lines
            );
            self.bytes.extend_from_slice(more.as_bytes());
            return out::bytes(&self.bytes);
        }
        let mut count = tokens::count(&self.bytes);
        if self.more > 0 {
            count = count * ((self.bytes.len() + self.more) / 1024) / (self.bytes.len() / 1024).max(1);
        }
        if count > MOST_TOKENS {
            return Err(Refusal::TooMuch(format!(
                "Error: Search returned ~{count} tokens of matches. At most {MOST_TOKENS} are shown ({} matched): \
                 use a narrower pattern, or name the files or directories to search",
                out::counted(self.lines, "line")
            ))
            .into());
        }
        out::bytes(&self.bytes)?;
        Ok(if self.lines == 0 { out::FAILURE } else { 0 })
    }
}

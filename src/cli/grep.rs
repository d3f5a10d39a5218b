//! `toto grep PATTERN [PATH…]`: matching lines below a directory, or how many there are if they are too many.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use grep_regex::RegexMatcherBuilder;
use grep_searcher::{BinaryDetection, SearcherBuilder, sinks::Bytes};
use ignore::WalkBuilder;

use super::lines::{self, Reader, page_for};
use super::out::{self, Refusal, refuse, refuse_unless};
use crate::config::MOST_TOKENS;
use crate::farm::shells::quote;
use crate::overflow::{Page, pages};
use crate::path::FileId;
use crate::pipeline::visible;
use crate::source::word;
use crate::store;
use crate::sys::files::identity;
use crate::tokens;

/// Most bytes of matches that are kept for pages; more is too much for an agent in any case.
const KEPT: usize = 8 << 20;
/// Length, in bytes, at which a longer line is cut.
const LONGEST_LINE: usize = 500;
/// Bytes of a page that are kept free for the counts of matches.
const COUNTS: usize = 120;

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
    /// Only the paths of the files with a match
    #[arg(short = 'l', long)]
    files_with_matches: bool,
    /// Only this page, counted from 1: what an agent's host shows of one call
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    page: Option<u32>,
    /// Line numbers, which are always there
    #[arg(short = 'n', hide = true)]
    _numbers: bool,
}

/// Writes `path:line:text` of every matching line, or the paths alone. Exit status 1 if there is none, as grep's. Fails
/// when the pattern is invalid, a path does not exist, or there are too many matches for whoever reads.
pub fn run(args: &GrepArgs) -> anyhow::Result<i32> {
    lines::pattern(&args.pattern)?;
    let matcher = RegexMatcherBuilder::new()
        .case_insensitive(args.ignore_case)
        .build(&args.pattern)
        .map_err(|error| Refusal::bad(format!("`{}` cannot be searched for: {error}", args.pattern)))?;
    let here = [PathBuf::from(".")];
    let paths = if args.paths.is_empty() { &here[..] } else { &args.paths };
    if let Some((path, error)) = paths.iter().find_map(|path| Some((path, path.metadata().err()?))) {
        refuse!("cannot read {}: {error}", path.display());
    }
    let reader = lines::reader();
    let is_unbounded = args.page.is_none() && lines::is_unbounded(reader.as_ref());
    let mut found = Found { program: is_unbounded.then(out::stream), bytes: Vec::new(), more: 0, lines: 0 };
    let our_output = identity(1).map(|(device, inode)| FileId(device, inode));
    let mut searcher =
        SearcherBuilder::new().binary_detection(BinaryDetection::quit(0)).line_number(true).build();
    for path in paths {
        for entry in WalkBuilder::new(path).sort_by_file_path(Ord::cmp).build().flatten() {
            // The file that the answer goes to would grow for ever.
            let is_ours = || our_output.is_some() && our_output == FileId::of(entry.path());
            if entry.file_type().is_some_and(|kind| kind.is_file()) && !is_ours() {
                let path = entry.path().strip_prefix("./").unwrap_or(entry.path());
                let add = Bytes(|number, line| {
                    found.add(path, (!args.files_with_matches).then_some((number, line)))?;
                    Ok(!args.files_with_matches)
                });
                match searcher.search_path(&matcher, entry.path(), add) {
                    // Whoever read has gone away: the rest of the search would be for nobody.
                    Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Err(error.into()),
                    // A file that cannot be read is skipped, like an ignored one.
                    _ => {}
                }
            }
        }
    }
    let status = found.answer(args, reader.as_ref())?;
    if let Some(saved) = paths.iter().find(|path| store::at(path).is_some()) {
        lines::note_file(saved, reader.as_ref(), &found.bytes);
    }
    Ok(status)
}

struct Found<W> {
    /// Where the lines go at once, as they are, if a program reads.
    program: Option<W>,
    /// What is kept of them for any other reader.
    bytes: Vec<u8>,
    /// Bytes that were not kept.
    more: usize,
    lines: u64,
}

impl<W: Write> Found<W> {
    /// Adds a line of the file `path`, or the path alone.
    fn add(&mut self, path: &Path, line: Option<(u64, &[u8])>) -> io::Result<()> {
        self.lines += 1;
        if let Some(out) = &mut self.program {
            out.write_all(path.as_os_str().as_encoded_bytes())?;
            if let Some((number, line)) = line {
                write!(out, ":{number}:")?;
                out.write_all(line.strip_suffix(b"\n").unwrap_or(line))?;
            }
            return out.write_all(b"\n");
        }
        let path = visible::line(&path.display().to_string());
        let text = line.map_or_else(String::new, |(number, line)| {
            let line = visible::lines(line);
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end();
            let cut = line.char_indices().map(|(at, _)| at).find(|at| *at > LONGEST_LINE);
            let mark = if cut.is_some() { "…" } else { "" };
            format!(":{number}:{}{mark}", &line[..cut.unwrap_or(line.len())])
        });
        let text = format!("{path}{text}\n");
        if self.bytes.len() + text.len() <= KEPT {
            self.bytes.extend_from_slice(text.as_bytes());
        } else {
            self.more += text.len();
        }
        Ok(())
    }

    fn answer(&mut self, args: &GrepArgs, reader: Option<&Reader>) -> anyhow::Result<i32> {
        let status = if self.lines == 0 { out::FAILURE } else { 0 };
        if let Some(out) = &mut self.program {
            out.flush()?;
            return Ok(status);
        }
        let page = reader.map(|reader| reader.page).filter(|page| !page.holds(&self.bytes));
        if let Some(page) = page.or_else(|| args.page.map(|_| page_for(None))) {
            self.page(args, page)?;
        } else {
            let mut count = tokens::count(&self.bytes);
            if self.more > 0 {
                count = count * ((self.bytes.len() + self.more) / 1024) / (self.bytes.len() / 1024).max(1);
            }
            let lines = out::counted(self.lines, "line");
            let too_many = format!(
                "Error: Search returned ~{count} tokens of matches. At most {MOST_TOKENS} are shown ({lines} matched): \
                 use a narrower pattern, or name the files or directories to search"
            );
            anyhow::ensure!(count <= MOST_TOKENS, Refusal::TooMuch(too_many));
        }
        out::bytes(&self.bytes)?;
        Ok(status)
    }

    /// Keeps one page of the lines, with the line that names the next.
    fn page(&mut self, args: &GrepArgs, size: Page) -> anyhow::Result<()> {
        let next = args.command();
        let size = size.without(next.len() + COUNTS, 1);
        let (pages, number) = (pages::divide_text(&self.bytes, size, size), args.page.unwrap_or(1) as usize);
        let count = pages.len().max(1);
        let of = out::counted(count as u64, "page");
        refuse_unless!(number <= count, "there is no page {number}: {of} of matches");
        let Some(page) = pages.get(number - 1) else { return Ok(()) };
        let mut given = self.bytes[page.start as usize..page.end as usize].to_vec();
        let shown = memchr::memchr_iter(b'\n', &given).count() as u64;
        if shown < self.lines {
            let what = if args.files_with_matches { "files" } else { "matching lines" };
            let more =
                format!("({shown} of {} {what}: a narrower pattern, or name what to search)\n", self.lines);
            given.extend_from_slice(more.as_bytes());
        }
        if count > 1 {
            given.extend_from_slice(pages::footer(number, &count.to_string(), &next).as_bytes());
        }
        self.bytes = given;
        Ok(())
    }
}

impl GrepArgs {
    /// The command for another page of the same search: no word of it looks like an option, as one will follow.
    fn command(&self) -> String {
        let options = [(self.ignore_case, " -i"), (self.files_with_matches, " -l")];
        let options: String = options.iter().filter(|(is_on, _)| *is_on).map(|(_, option)| *option).collect();
        let escape = if self.pattern.starts_with('-') { "\\" } else { "" };
        let pattern = quote(Path::new(&format!("{escape}{}", self.pattern)));
        let paths: String =
            self.paths.iter().map(|path| format!(" {}", word(&path.to_string_lossy()))).collect();
        format!("toto grep{options} {pattern}{paths}")
    }
}

//! `toto read FILE`: a file, or some of its lines, never more than an agent can take.

use std::fs::File;
use std::io::{self, BufReader, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;

use super::lines::{self, Range, Reader, is_unbounded, note_file, page_for, page_of};
use super::out::{self, Refusal, refuse_unless};
use crate::config::MOST_TOKENS;
use crate::marks::UP_TO;
use crate::overflow::Page;
use crate::pipeline::visible;
use crate::source::{LOOKED_AT, word};
use crate::sys::files::at_most;
use crate::tokens;

/// Bytes above which tokens are estimated, not counted: more than the limit, as tokens rarely have over 128 bytes.
const COUNTED: u64 = 128 * MOST_TOKENS as u64;
/// Bytes of an average token, for the estimate.
const BYTES_PER_TOKEN: u64 = 4;
/// Bytes of the command for the next part for which the line behind a page has room.
const NEXT: usize = 40;

/// Read a file, or some of its lines; refuses what is too much for an agent
#[derive(Debug, Args)]
pub struct ReadArgs {
    /// The file
    file: PathBuf,
    /// The first line, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    offset: Option<u64>,
    /// How many lines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Only this page, counted from 1: what an agent's host shows of one call
    #[arg(long, value_name = "N", conflicts_with_all = ["offset", "limit"],
        value_parser = clap::value_parser!(u32).range(1..))]
    page: Option<u32>,
}

/// Writes the file's lines to standard output. Fails when the path is no regular file, the file holds no text, or the
/// lines that were asked for are too much.
pub fn run(args: &ReadArgs) -> anyhow::Result<i32> {
    let (file, size) = open(&args.file)?;
    let name = args.file.display();
    let reader = lines::reader();
    let next = format!("toto read {}", word(&args.file.to_string_lossy()));
    let without_next = |page: Page| page.without(next.len().saturating_sub(NEXT), 0);
    let page = reader.as_ref().map(|reader| without_next(reader.page));
    let is_whole = args.offset.or(args.limit).is_none();
    if args.page.is_some() || page.is_some() && is_whole {
        let (name, size) = (name.to_string(), page.unwrap_or_else(|| without_next(page_for(None))));
        let bytes =
            page_of(&file, (None, size), args.page.unwrap_or(1), (visible::file, None), &name, &next)?;
        return give(args, reader.as_ref(), &bytes);
    }
    let first = args.offset.unwrap_or(1);
    let range = Range::new(first, args.limit.map_or(u64::MAX, |limit| first.saturating_add(limit - 1)));
    if is_unbounded(reader.as_ref()) {
        let (input, mut output) = (BufReader::with_capacity(1 << 18, file), out::stream());
        let (seen, _) = lines::write_range(input, range, (lines::as_they_are, None), &mut output)?;
        output.flush()?;
        return there_is(first, seen, &args.file).map(|()| 0);
    }
    if is_whole && size > COUNTED {
        return Err(too_much("File content", size / BYTES_PER_TOKEN, &args.file));
    }
    let mut part = Part { bytes: Vec::new(), passed_over: 0 };
    let input = BufReader::with_capacity(1 << 18, file);
    let (seen, cut) = lines::write_range(input, range, (visible::file, page), &mut part)?;
    there_is(first, seen, &args.file)?;
    if let Some(cut) = cut.filter(|cut| *cut <= range.last) {
        let limit = args.limit.map_or_else(String::new, |_| format!(" --limit {}", range.last - cut + 1));
        let more = format!("{UP_TO}{}; next: {next} --offset {cut}{limit})\n", cut - 1);
        part.bytes.extend_from_slice(more.as_bytes());
    }
    let count = match part.passed_over {
        0 => tokens::count(&part.bytes) as u64,
        more => (part.bytes.len() as u64 + more) / BYTES_PER_TOKEN,
    };
    if count > MOST_TOKENS as u64 {
        let what = if is_whole { "File content" } else { "Requested content" };
        return Err(too_much(what, count, &args.file));
    }
    give(args, reader.as_ref(), &part.bytes)
}

/// Fails where a file, of whose lines the last that was read is `seen`, has no line `first`.
fn there_is(first: u64, seen: u64, file: &Path) -> anyhow::Result<()> {
    let (file, lines) = (file.display(), out::counted(seen, "line"));
    refuse_unless!(first <= seen.max(1), "{file} has {lines}, so there is none at offset {first}");
    Ok(())
}

fn give(args: &ReadArgs, reader: Option<&Reader>, bytes: &[u8]) -> anyhow::Result<i32> {
    out::bytes(bytes)?;
    note_file(&args.file, reader, bytes);
    Ok(0)
}

/// Collects lines while they can still be an answer; of the rest only the bytes are counted.
struct Part {
    bytes: Vec<u8>,
    passed_over: u64,
}

impl io::Write for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() as u64 <= COUNTED {
            self.bytes.extend_from_slice(bytes);
        } else {
            self.passed_over += bytes.len() as u64;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn too_much(what: &str, tokens: u64, file: &Path) -> anyhow::Error {
    let file = word(&file.to_string_lossy());
    Refusal::TooMuch(format!(
        "Error: {what} (~{tokens} tokens) exceeds maximum allowed tokens ({MOST_TOKENS}). \
         Read a part: toto read {file} --page N, or --offset N --limit N (lines), or search it: toto grep PATTERN {file}"
    ))
    .into()
}

/// Opens a text file, and never blocks. Returns the file and its size in bytes.
fn open(path: &Path) -> anyhow::Result<(File, u64)> {
    let name = path.display();
    let unreadable = |error: io::Error| Refusal::bad(format!("cannot read {name}: {error}"));
    // Asked before the file is opened: opening a FIFO would wait for its writer.
    let meta = std::fs::metadata(path).map_err(unreadable)?;
    refuse_unless!(!meta.is_dir(), "{name} is a directory; toto read takes a file");
    refuse_unless!(meta.is_file(), "{name} is no regular file");
    let mut file = File::open(path).map_err(unreadable)?;
    let beginning = at_most(&file, LOOKED_AT as u64)?;
    let is_text = memchr::memchr(0, &beginning).is_none();
    refuse_unless!(is_text, "{name} is a binary file of {} bytes", meta.len());
    file.rewind()?;
    Ok((file, meta.len()))
}

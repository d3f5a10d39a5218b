//! `toto show ID|last`: the saved original of a reduced output, whole or in part.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, IsTerminal as _, Write as _};
use std::path::Path;

use clap::Args;
use serde_json::json;

use super::lines::{self, Carried, Range, Style};
use super::out::{Refusal, counted, refuse_unless};
use crate::document::{Document, Id, Kind, Layout, scan};
use crate::farm::shells::quote;
use crate::marks::UP_TO;
use crate::overflow::{Page, largest_document, pages};
use crate::pipeline::visible;
use crate::render::minified;
use crate::render::pvfn::carried::{HEAD_LINES, LONGEST_HEAD, head_at};
use crate::report::{self, Report};
use crate::store::{Facts, NO_SESSION, Saved, find, session_of_caller};
use crate::sys::files::at_most;

/// Largest document, in bytes, that is read into memory to show a part of it.
const LARGEST_DOCUMENT: u64 = 512 << 20;
/// Most keys that are named when a key is not found.
const NAMED_KEYS: usize = 12;

/// Show the whole original of a compressed output, or parts of it
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The id that the output names, or `last`
    #[arg(default_value = "last")]
    id: String,
    /// Only this page, counted from 1: what an agent's host shows of one call
    #[arg(long, value_name = "N", conflicts_with_all = ["lines", "grep", "path"],
        value_parser = clap::value_parser!(u32).range(1..))]
    page: Option<u32>,
    /// Only these lines: A:B, A: or :B, counted from 1; -N: is the last N
    #[arg(long, value_name = "A:B", allow_hyphen_values = true, conflicts_with_all = ["grep", "path"])]
    lines: Option<Range>,
    /// Only lines that match, with their numbers
    #[arg(long, value_name = "RE", allow_hyphen_values = true, conflicts_with = "path")]
    grep: Option<String>,
    /// Lines around each match
    #[arg(short = 'C', long, value_name = "N", default_value_t = 2, requires = "grep")]
    context: usize,
    /// Only these failures of a report: A:B, counted from 1
    #[arg(long, value_name = "A:B", conflicts_with_all = ["lines", "grep", "path", "page", "raw"])]
    failures: Option<Range>,
    /// Only this part of structured data: keys and list positions (from 0), such as Items.0.Name
    #[arg(long, value_name = "PATH", allow_hyphen_values = true)]
    path: Option<String>,
    /// Lines as they are, colours and all (the whole is, but for a terminal)
    #[arg(long)]
    raw: bool,
    /// What is known of the output, not the output
    #[arg(long, conflicts_with_all = ["lines", "grep", "path", "raw"])]
    json: bool,
    /// The session it was saved in
    #[arg(short, long, value_name = "NAME")]
    session: Option<OsString>,
}

/// Writes what was asked for. Fails when there is no such output, line or path, or the pattern is invalid.
pub fn run(args: &ShowArgs) -> anyhow::Result<i32> {
    let session = args.session.clone().unwrap_or_else(session_of_caller);
    let saved = find(&session, &args.id).ok_or_else(|| {
        let why = "it was cleaned up, or nothing was left out (toto history lists what is saved)";
        let of = if args.id == "last" && session != NO_SESSION {
            format!(" in session {}", session.display())
        } else {
            String::new()
        };
        Refusal::bad(format!("nothing is saved as `{}`{of}: {why}", args.id))
    })?;
    let reader = lines::reader();
    let is_seen = reader.is_some() || io::stdout().is_terminal();
    let style = match args.raw {
        true if is_seen => visible::file,
        true => lines::as_they_are,
        false => visible::lines,
    };
    let request = Request { args, saved: &saved, page: reader.as_ref().map(|reader| reader.page), style };
    let Some(reader) = reader else {
        let mut out = super::out::stream();
        let status = request.write(&mut out)?;
        out.flush()?;
        return Ok(status);
    };
    let mut given = Vec::new();
    let status = request.write(&mut given)?;
    super::out::bytes(&given)?;
    lines::note(&saved, &reader, &given, args.page.filter(|_| !args.raw));
    Ok(status)
}

/// What is asked for of a saved output, in at most one `page` if there is one.
struct Request<'a> {
    args: &'a ShowArgs,
    saved: &'a Saved,
    page: Option<Page>,
    style: Style,
}

impl Request<'_> {
    fn write(&self, out: &mut impl io::Write) -> anyhow::Result<i32> {
        let Self { args, saved, page, style } = self;
        if args.json {
            writeln!(out, "{}", facts(saved))?;
        } else if let Some(path) = &args.path {
            self.part(path, out)?;
        } else if let Some(range) = args.failures {
            out.write_all(failures(saved, range, *page)?.as_bytes())?;
        } else if let Some(range) = args.lines {
            self.lines(range, out)?;
        } else if let Some(text) = &args.grep {
            return self.matches(text, out);
        } else if args.page.is_some() || page.is_some() {
            self.page(out)?;
        } else {
            lines::write_range(open(saved)?, Range::ALL, (*style, None), out)?;
        }
        Ok(0)
    }

    fn lines(&self, range: Range, out: &mut impl io::Write) -> anyhow::Result<()> {
        let Self { args, saved, page, style } = self;
        let range = range.of(|| lines::for_each(open(saved)?, |_, _| Ok(true)))?;
        let (seen, cut) = lines::write_range(open(saved)?, range, (*style, *page), out)?;
        let (id, first, lines) = (&args.id, range.first, counted(seen, "line"));
        refuse_unless!(seen >= first, "{id} has {lines}, so there is no line {first}");
        if let Some(cut) = cut.filter(|cut| *cut <= range.last) {
            let last = if range.last == u64::MAX { String::new() } else { range.last.to_string() };
            writeln!(out, "{UP_TO}{}; next: toto show {} --lines {cut}:{last})", cut - 1, saved.id)?;
        }
        Ok(())
    }

    /// Writes the lines that match `--grep`; exit status 1 if there is none.
    fn matches(&self, text: &str, out: &mut impl io::Write) -> anyhow::Result<i32> {
        let Self { args, saved, page, style } = self;
        let pattern = lines::pattern(text)?;
        let (matching, cut) =
            lines::write_matches(open(saved)?, &pattern, args.context, (*style, *page), out)?;
        if matching == 0 {
            super::complain(&format!("no line of {} matches `{text}`", args.id));
            return Ok(super::out::FAILURE);
        }
        if let Some(cut) = cut {
            let (all, last) = (counted(matching, "line"), cut - 1);
            let next = format!("shown up to line {last}: a narrower pattern, or --lines {cut}:");
            writeln!(out, "({all} of {} in all; {next})", saved.id)?;
        }
        Ok(0)
    }

    /// Writes one page: where the reader was given the first page of a text, of that text as it was divided.
    fn page(&self, out: &mut impl io::Write) -> anyhow::Result<()> {
        let Self { args, saved, page, style } = self;
        let page = page.unwrap_or_else(|| lines::page_for(None));
        let divided = Facts::of(&saved.path).and_then(|facts| facts.pages).filter(|_| !args.raw);
        let path = if divided.is_some() { saved.paged() } else { saved.path.clone() };
        // For a host with a smaller page the text is divided anew.
        let known = divided.filter(|divided| divided.bytes <= page.bytes && divided.lines <= page.lines);
        let page = if path == saved.path { page } else { page.without(LONGEST_HEAD, HEAD_LINES) };
        let size = known.map_or(page, |known| Page { bytes: known.bytes, lines: known.lines });
        // What was compacted has lines of toto's.
        let style = if path == saved.path { *style } else { lines::as_they_are };
        let next = format!("toto show {}{}", saved.id, if args.raw { " --raw" } else { "" });
        let (file, pages) = (fs_err::File::open(&path)?, (known.map(|known| known.first), size));
        let number = args.page.unwrap_or(1);
        let carried: Option<Carried> = (path != saved.path).then_some(head_at);
        Ok(out.write_all(&lines::page_of(file.file(), pages, number, (style, carried), &saved.id, &next)?)?)
    }

    /// Writes the part of a document that `--path` names, or its beginning if the part is longer than a page.
    fn part(&self, path: &str, out: &mut impl io::Write) -> anyhow::Result<()> {
        let part = part(self.saved, path)?;
        // A string of the document may hold what a terminal obeys, and lines that could be toto's.
        let part = (self.style)(&part);
        let Some(page) = self.page.filter(|page| part.len() > page.bytes) else {
            return Ok(out.write_all(&part)?);
        };
        let cut = pages::divide_text(&part, page, page)[0].end as usize;
        out.write_all(&part[..cut])?;
        let (all, id, path) = (part.len(), &self.saved.id, quote(Path::new(path)));
        writeln!(out, "\n({cut} of {all} bytes; for programs all: toto show {id} --path {path} | jq …)")?;
        Ok(())
    }
}

fn open(saved: &Saved) -> io::Result<BufReader<File>> {
    Ok(BufReader::new(fs_err::File::open(&saved.path)?.into_file()))
}

/// The failures of a saved report that `range` asks for, as text.
fn failures(saved: &Saved, range: Range, page: Option<Page>) -> anyhow::Result<String> {
    let id = &saved.id;
    let told = of_report(saved, |report| {
        let count = report.digest(&report::Options::default()).failures as u64;
        let range = range.of(|| anyhow::Ok(count))?;
        let (first, failures) = (range.first, counted(count, "failure"));
        refuse_unless!(first <= count, "{id} has {failures}, so there is no failure {first}");
        let options = report::Options {
            most: page.map_or(usize::MAX, |page| page.bytes),
            recall: &format!("toto show {id}"),
            failures: Some((range.first - 1) as usize..range.last.min(count) as usize),
            ..report::Options::default()
        };
        Ok(report.digest(&options).text)
    })?;
    told.unwrap_or_else(|| {
        Err(Refusal::bad(format!("{id} is no report of tests or findings; use --lines or --grep")))
    })
}

/// What `tell` tells of the saved report; `None` if the saved text is none.
fn of_report<T>(saved: &Saved, tell: impl FnOnce(&Report<'_>) -> T) -> anyhow::Result<Option<T>> {
    // As a terminal would show it.
    let text = visible::readable(&at_most(open_small(saved, "that")?, u64::MAX)?);
    let words = [OsString::from(&saved.tool)];
    let report = report::read(&report::plain(&text), &words).as_ref().map(tell);
    Ok(report)
}

/// The file, unless it is too large to be read into memory, as `what` asks.
fn open_small(saved: &Saved, what: &str) -> anyhow::Result<File> {
    let file = File::open(&saved.path)?;
    let is_small = file.metadata()?.len() <= LARGEST_DOCUMENT;
    refuse_unless!(is_small, "{} is too large for {what}; use --lines or --grep", saved.id);
    Ok(file)
}

fn facts(saved: &Saved) -> serde_json::Value {
    let facts = Facts::of(&saved.path);
    let bytes = saved.path.metadata().map_or(0, |meta| meta.len());
    let Saved { path, id, tool, time } = saved;
    let stream = if path.extension().is_some_and(|e| e == "err") { "stderr" } else { "stdout" };
    let mut told = json!({
        "id": id, "tool": tool, "time": time, "stream": stream, "path": path, "bytes": bytes,
        "complete": facts.is_some(),
    });
    // A text that is too large, or no report, has none.
    let _ = of_report(saved, |report| told["report"] = report.to_json());
    if let Some(facts) = facts {
        told["lines"] = facts.lines.into();
        told["tokens"] = facts.tokens.into();
        told["tokens_estimated"] = facts.estimated.into();
        told["status"] = facts.status.into();
    }
    told
}

/// The part of a document that a path names: JSON on one line, or a scalar's text.
fn part(saved: &Saved, path: &str) -> anyhow::Result<Vec<u8>> {
    let text = io::read_to_string(open_small(saved, "--path")?)
        .map_err(|_| Refusal::bad(format!("{} is no text", saved.id)))?;
    let document = largest_document(&text)
        .ok_or_else(|| Refusal::bad(format!("{} holds no document; use --lines or --grep", saved.id)))?;
    let node = walk(&document, path)?;
    let mut bytes = match scan(document.span(node)) {
        Layout::Document(part) if !document.is_scalar(node) => minified::render(&part),
        _ => document.text(node).into_owned().into_bytes(),
    };
    if !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    Ok(bytes)
}

/// Follows a path from the root. Keys may contain dots: the longest key that fits is taken.
fn walk(document: &Document<'_>, path: &str) -> anyhow::Result<Id> {
    let mut node = document.root();
    let mut rest = path.trim_matches('.');
    while !rest.is_empty() {
        let (child, length) = step(document, node, rest).ok_or_else(|| {
            let reached = path[..path.len() - rest.len()].trim_end_matches('.');
            let place = if reached.is_empty() { "the top".into() } else { format!("`{reached}`") };
            Refusal::bad(format!("no `{rest}` at {place}, {}", there_is(document, node)))
        })?;
        node = child;
        rest = rest[length..].trim_start_matches('.');
    }
    Ok(node)
}

fn step(document: &Document<'_>, node: Id, rest: &str) -> Option<(Id, usize)> {
    let ends_here = |length: usize| rest.len() == length || rest[length..].starts_with('.');
    match document.kind(node) {
        Kind::Array => {
            let word = rest.split('.').next()?;
            Some((document.children(node).nth(word.parse().ok()?)?, word.len()))
        }
        Kind::Object => document
            .children(node)
            .filter_map(|child| Some((child, document.key(document.key_id(child)?))))
            .filter(|(_, key)| rest.starts_with(key) && ends_here(key.len()))
            .map(|(child, key)| (child, key.len()))
            .max_by_key(|(_, length)| *length),
        _ => None,
    }
}

fn there_is(document: &Document<'_>, node: Id) -> String {
    match document.kind(node) {
        Kind::Array => format!("a list of {}", document.children(node).count()),
        Kind::Object => {
            let keys: Vec<_> = document
                .children(node)
                .filter_map(|child| Some(document.key(document.key_id(child)?)))
                .take(NAMED_KEYS + 1)
                .collect();
            let more = if keys.len() > NAMED_KEYS { ", …" } else { "" };
            format!("which has {}{more}", keys[..keys.len().min(NAMED_KEYS)].join(", "))
        }
        _ => "a scalar".into(),
    }
}

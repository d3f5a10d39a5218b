//! What an agent is given by `show`, `read` and `grep`: never more than its host shows of one call, and deducted from
//! what was saved, where it is of a saved output.

use std::fs::File;
use std::io::{self, Seek as _, SeekFrom};
use std::path::Path;

use super::lines::Style;
use super::out::{counted, refuse_unless};
use crate::agents::Agent;
use crate::config;
use crate::consumer::{self, Consumer, Fd, Trace};
use crate::ledger::record::{AGAIN, Record};
use crate::ledger::{calls, spool};
use crate::overflow::{Page, pages};
use crate::store::{self, Facts, Saved, session_of_caller};
use crate::sys::files::at_most;
use crate::tokens;

/// An agent that reads our standard output.
pub struct Reader {
    agent: Option<&'static Agent>,
    /// What the agent's host shows of one call, less the line behind a page.
    pub page: Page,
}

/// Whether our answer may be as long as it is: a program of the same command line reads it, or nobody.
pub fn is_unbounded(reader: Option<&Reader>) -> bool {
    reader.is_none() && !consumer::may_be_read_by_an_agent()
}

/// The agent that reads our standard output; `None` if a program or a person does, who get the whole answer.
pub fn reader() -> Option<Reader> {
    let decision = consumer::decide(&mut Trace::off());
    let agent = decision.agent;
    (decision.reader(Fd::Stdout) == Some(Consumer::Agent)).then(|| Reader { agent, page: page_for(agent) })
}

/// The size of a page for an agent, or for a program or a person who asks for one.
pub fn page_for(agent: Option<&Agent>) -> Page {
    let (limit, lines) = agent.map_or((None, None), |agent| (agent.output_limit, agent.output_lines));
    Page::of_host(limit, lines).without(pages::FOOTER, 1)
}

/// Says what stands in front of a page, given the text before the page, and the page.
pub type Carried = fn(&str, &str) -> String;

/// The page `number`, counted from 1, of a file in pages of the size `size`, the first of which ends at the byte `first`
/// if that is given; and the line behind the page. `style` rewrites the page's bytes, `carried` what stands in front of a
/// further one; `name` names the file in an error; `next` is the command
/// that shows another page. Fails when there is no such page, or the file cannot be read.
pub fn page_of(
    file: &File,
    (first, size): (Option<u64>, Page),
    number: u32,
    (style, carried): (Style, Option<Carried>),
    name: &str,
    next: &str,
) -> anyhow::Result<Vec<u8>> {
    let length = file.metadata()?.len();
    let from = first.unwrap_or(0).min(length);
    let rest = pages::divide(length - from, size, size, |at, most| read_at(file, from + at, most))?;
    let first = (from > 0).then_some(0..from);
    let rest = rest.into_iter().map(|page| page.start + from..page.end + from);
    let (all, number) = (first.into_iter().chain(rest).collect::<Vec<_>>(), number as usize);
    let count = all.len().max(1);
    let pages = counted(count as u64, "page");
    refuse_unless!(number <= count, "{name} has {pages}, so there is no page {number}");
    let Some(page) = all.get(number - 1) else { return Ok(Vec::new()) };
    let text = read_at(file, page.start, (page.end - page.start) as usize)?;
    let mut bytes = Vec::new();
    if let Some(carried) = carried.filter(|_| number > 1) {
        let before = read_at(file, 0, page.start as usize)?;
        bytes = carried(&String::from_utf8_lossy(&before), &String::from_utf8_lossy(&text)).into_bytes();
    }
    bytes.extend_from_slice(&style(&text));
    if count > 1 {
        bytes.extend_from_slice(if bytes.ends_with(b"\n") { b"" } else { b"\n" });
        bytes.extend_from_slice(pages::footer(number, &count.to_string(), next).as_bytes());
    }
    Ok(bytes)
}

/// At most `most` bytes of the file, from the offset `at` on.
fn read_at(mut file: &File, at: u64, most: usize) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(at))?;
    at_most(file, most as u64)
}

/// Records that the reader was given `given` of a saved output; `page` is its page number if it is a page. If the
/// record cannot be written, it is lost without a message.
pub fn note(saved: &Saved, reader: &Reader, given: &[u8], page: Option<u32>) {
    if !config::load().unwrap_or_default().ledger.enabled {
        return;
    }
    let facts = Facts::of(&saved.path).unwrap_or_default();
    // Of an output that an older toto saved only the tool is known.
    let call = facts.call.unwrap_or_else(|| calls::file_name(&saved.tool));
    let tokens = tokens::count(given) as u64;
    // What the first page left to later pages did not count as saved, so a later page costs only its call.
    let is_next = facts.pages.is_some() && page.is_some_and(|page| page > 1);
    let record = Record {
        shape: AGAIN.into(),
        given_bytes: given.len() as u64,
        without: if is_next { tokens } else { 0 },
        given: tokens,
        status: Some(0),
        saved: Some(saved.id.as_str().into()),
        ..Record::new(&saved.tool, call, reader.agent, &session_of_caller())
    };
    let _ = spool::append(record.at, &record.line());
}

/// Like [`note`], for a file; does nothing if the file is not a saved output.
pub fn note_file(path: &Path, reader: Option<&Reader>, given: &[u8]) {
    if let Some((reader, saved)) = reader.and_then(|reader| Some((reader, store::at(path)?))) {
        note(&saved, reader, given, None);
    }
}

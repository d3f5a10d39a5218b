//! Pages for toto's own answers: `show`, `read` and `grep` never print more than the reader's host shows of one call.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write};
use std::ops::Range;

use super::out::{Refusal, counted};
use crate::agents::Agent;
use crate::consumer::{self, Consumer, Fd, Trace};
use crate::overflow::{Page, pages};

/// An agent that reads our standard output.
pub struct Reader {
    /// The agent, if it is known.
    pub agent: Option<&'static Agent>,
    /// What the agent's host shows of one call, less the line behind a page.
    pub page: Page,
}

/// The agent that reads our standard output; `None` if a program or a person does, who get the whole answer.
pub fn reader() -> Option<Reader> {
    let decision = consumer::decide(&mut Trace::off());
    (decision.reader(Fd::Stdout) == Some(Consumer::Agent)).then(|| {
        let agent = decision.agent;
        let (limit, lines) = agent.map_or((None, None), |agent| (agent.output_limit, agent.output_lines));
        Reader { agent, page: Page::of_host(limit, lines).without(pages::FOOTER, 1) }
    })
}

/// The size of a page for a program or a person who asks for one.
pub fn usual_page() -> Page {
    Page::of_host(None, None).without(pages::FOOTER, 1)
}

/// A file divided into pages.
pub struct Divided {
    file: File,
    pages: Vec<Range<u64>>,
}

impl Divided {
    /// Divides the file into pages of the size `page`. If `first` is given, the first page ends at that byte.
    pub fn new(file: File, first: Option<u64>, page: Page) -> io::Result<Self> {
        let length = file.metadata()?.len();
        let from = first.unwrap_or(0).min(length);
        let rest = pages::divide(length - from, page, page, |at, most| read_at(&file, from + at, most))?;
        let first = (from > 0).then_some(0..from);
        let rest = rest.into_iter().map(|page| page.start + from..page.end + from);
        let pages = first.into_iter().chain(rest).collect();
        Ok(Self { file, pages })
    }

    /// Writes the page `number`, counted from 1, and the line behind it. `name` names the file in an error; `next` is
    /// the command that shows another page; `style` rewrites the bytes. Fails when there is no such page, the file
    /// cannot be read, or `out` cannot be written.
    pub fn write(
        &self,
        number: usize,
        name: &str,
        next: &str,
        style: impl Fn(Vec<u8>) -> Vec<u8>,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let count = self.pages.len().max(1);
        if number > count {
            let pages = counted(count as u64, "page");
            return Err(Refusal::bad(format!("{name} has {pages}, so there is no page {number}")));
        }
        let Some(page) = self.pages.get(number - 1) else { return Ok(()) };
        let bytes = style(read_at(&self.file, page.start, (page.end - page.start) as usize)?);
        out.write_all(&bytes)?;
        if count > 1 {
            out.write_all(if bytes.ends_with(b"\n") { b"" } else { b"\n" })?;
            out.write_all(pages::footer(number, &count.to_string(), next).as_bytes())?;
        }
        Ok(())
    }
}

/// At most `most` bytes of the file, from the offset `at` on.
fn read_at(mut file: &File, at: u64, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(at))?;
    file.take(most as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

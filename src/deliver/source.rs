//! Files that are printed and do not fit the page: as much as fits, then how to go on. Nothing is saved, since the
//! files are there.

use std::borrow::Cow;
use std::io;

use super::delivery::{Delivery, Given, PIPELINE_LIMIT, Text};
use super::guard::guarded;
use super::{host, large};
use crate::commands::as_text;
use crate::config::Mode;
use crate::overflow::Outcome;
use crate::pipeline::{Shape, visible};
use crate::run::emit::{say, write_all};
use crate::run::{Capture, Copying};
use crate::source::{Look, Part, Request, Room};
use crate::store::{Bytes, Source, Store};

/// What the agent is to be given of the files that are asked for; `None` where the tool is to take our place: they
/// fit, nothing is known of them, or the user wants no output cut.
pub fn part_of(delivery: &Delivery<'_>, asked: &Request<'_>) -> Option<Part> {
    let room = left_of_page(delivery)?;
    match guarded(|| asked.look(&room)).inspect_err(|line| say(line)).ok()?? {
        Look::Beyond(part) => Some(part),
        Look::Fits(bytes) => {
            host::note_given(delivery, Bytes { given: bytes, printed: bytes });
            None
        }
    }
}

/// What the agent is to be given of a file of a revision, byte for byte: all of it, or the part that fits. `None` for
/// any other output.
pub(super) fn file_of_revision(delivery: &Delivery<'_>, text: &Text<'_>) -> Option<Given> {
    let words = as_text(delivery.command);
    let asked = Request::of_revision(&words)?;
    let is_clean = || matches!(visible::lines(text.original), Cow::Borrowed(_));
    if text.run.outcome != Outcome::Succeeded
        || text.run.source != Source::Out
        || delivery.ran.is_some()
        || !is_clean()
    {
        return None;
    }
    let output = match asked.look_at(text.original, &left_of_page(delivery)?)? {
        Look::Fits(_) => text.original.to_vec(),
        Look::Beyond(part) => part.bytes(),
    };
    let given = Given::of(output, Shape::Raw.to_string());
    // The lines that are not shown are not saved: they are asked for again.
    Some(Given { original_tokens: given.tokens, ..given })
}

/// What the reader's host shows; `None` where the user wants no output cut.
fn left_of_page(delivery: &Delivery<'_>) -> Option<Room> {
    let limits = large::limits(delivery, Source::Out).filter(|limits| limits.mode == Mode::Buffer)?;
    let (host, filled) = host::whole_page(delivery);
    Some(Room { page: host.asked_for(limits.text).page, filled })
}

/// Collects what the tool prints and gives the reader the part that fits, or everything where that is not what the
/// files have; ends as the tool ended.
pub fn run_source(delivery: &Delivery<'_>, mut capture: Capture, part: &Part) -> ! {
    let store = Store::for_saving(&delivery.session, delivery.settings.store);
    let copying = Copying { store: &store, tool: delivery.tool, keywords: &[], slow_after: None };
    capture.collect(&copying, &|_| {});
    let written = if capture.passing_through { Ok(()) } else { write_part(delivery, &mut capture, part) };
    capture.end(written)
}

fn write_part(delivery: &Delivery<'_>, capture: &mut Capture, part: &Part) -> io::Result<()> {
    let is_gone = capture.reader_gone;
    let Some(stream) = capture.tool.streams.first_mut() else { return Ok(()) };
    let length = stream.length();
    let is_read = !is_gone && length > 0 && delivery.is_read(stream.target);
    let written = match is_read.then(|| stream.take_within(PIPELINE_LIMIT)).flatten() {
        Some(text) if is_text(&text, &part.text) => {
            let bytes = part.bytes();
            host::note_given(delivery, Bytes { given: bytes.len() as u64, printed: length });
            let written = write_all(stream.target, &bytes);
            delivery.wait_for_drain(bytes.len() as u64);
            written
        }
        Some(text) => write_all(stream.target, &text),
        None => stream.write_raw(),
    };
    stream.discard_copy();
    written
}

/// Whether a tool printed this text; awk ends a last line that has no end.
fn is_text(printed: &[u8], text: &[u8]) -> bool {
    printed == text || printed.strip_suffix(b"\n") == Some(text)
}

//! The page of the agent's host: how much of a call it shows without cutting, and how much of that the same call has
//! filled before: through other shims of the same command line, or, where the host reads a file, through any program.

use std::time::Duration;

use rustix::fs::{FileType, Stat, fstat};

use super::delivery::{Delivery, Run};
use super::guard::guarded;
use crate::agents::{Agent, time_limit};
use crate::config::Threshold;
use crate::consumer;
use crate::overflow::{Page, pages};
use crate::render::pvfn::carried::{HEAD_LINES, LONGEST_HEAD};
use crate::store::{Bytes, Store};

/// Bytes of a page that are kept for the receipt.
const RECEIPT_ROOM: usize = 160;
/// Lines of a page that are kept for the receipt and for what a tool may say on standard error.
const RECEIPT_LINES: usize = 20;

/// Time that is left, when the host is about to give a command up, for what is then said to arrive.
const TO_SPARE: Duration = Duration::from_secs(2);

/// Fewer bytes than this are not noted: they hardly shorten a page.
const FEWEST: u64 = 1_000;

/// How much of one stream its reader's host shows.
#[derive(Clone, Copy)]
pub(super) struct Host {
    pub(super) page: Page,
    /// What the host shows of a call that prints nothing else.
    whole: Page,
    /// Whether the limit is known from the host itself, which then cuts longer output; otherwise it is a default.
    pub(super) is_known: bool,
}

impl Host {
    /// This host with pages of as many characters as the user asks for, but no larger than the host shows.
    pub(super) fn asked_for(self, threshold: Option<Threshold>) -> Self {
        let Some(Threshold::Characters(threshold)) = threshold else { return self };
        let asked_for = |page: Page| {
            let most = if self.is_known { page.bytes } else { usize::MAX };
            Page { bytes: threshold.max(pages::LEAST).min(most), ..page }
        };
        Self { page: asked_for(self.page), whole: asked_for(self.whole), ..self }
    }

    /// The sizes of an output's first page, which also holds the `reasons`, and of its further pages, where the head of
    /// a table may stand again.
    pub(super) fn sizes(self, reasons: &str) -> (Page, Page) {
        let lines = memchr::memchr_iter(b'\n', reasons.as_bytes()).count();
        let first = self.page.without(pages::FOOTER + reasons.len(), lines + 1);
        (first, self.whole.without(pages::FOOTER + LONGEST_HEAD, 1 + HEAD_LINES))
    }

    /// Bytes that may be written before the host cuts.
    pub(super) fn uncut(self) -> usize {
        if self.is_known { self.page.bytes } else { usize::MAX }
    }
}

/// The part of the host's page that one stream of this call may fill.
pub(super) fn of_stream(delivery: &Delivery<'_>, run: Run) -> Host {
    let (Host { whole, is_known, .. }, before) = whole_page(delivery);
    let beside = usize::try_from(run.beside).unwrap_or(usize::MAX).min(whole.bytes / 2);
    let page = whole
        .shared(run.sharing)
        .without(beside.saturating_add(before).saturating_add(RECEIPT_ROOM), RECEIPT_LINES);
    Host { page, whole: whole.without(RECEIPT_ROOM, 0), is_known }
}

/// The page of a call that prints nothing else, and the bytes of it that are filled already.
pub(super) fn whole_page(delivery: &Delivery<'_>) -> (Host, usize) {
    let limit = delivery.agent.and_then(|agent| agent.output_limit);
    let whole = Page::of_host(limit, delivery.agent.and_then(|agent| agent.output_lines));
    let before = usize::try_from(given_before(delivery).given).unwrap_or(usize::MAX);
    (Host { page: whole, whole, is_known: limit.is_some() }, before)
}

/// What this call's tools gave to standard output before, as far as known.
pub(super) fn given_before(delivery: &Delivery<'_>) -> Bytes {
    match fstat(rustix::stdio::stdout()) {
        Ok(stat) if delivery.shares_page && is_file(&stat) => {
            let given = stat.st_size as u64;
            Bytes { given, printed: given }
        }
        Ok(stat) if delivery.shares_page => Store::of_session(&delivery.session).given(&stream_name(&stat)),
        _ => Bytes::default(),
    }
}

/// Notes what this call gave to the agent: it shares one page, whichever stream it came by. A failure here only makes
/// a page too long.
pub(super) fn note_given(delivery: &Delivery<'_>, bytes: Bytes) {
    let note = || {
        if let Ok(stat) = fstat(rustix::stdio::stdout())
            && !is_file(&stat)
            // One stream of such a shell carries many calls, which cannot be told apart.
            && !consumer::is_below_lasting_shell()
        {
            Store::of_session(&delivery.session).note_given(&stream_name(&stat), bytes);
        }
    };
    if delivery.shares_page && bytes.printed.max(bytes.given) >= FEWEST {
        let _ = guarded(note);
    }
}

/// The run time after which the agent is told that a command still runs; `None` where its host waits.
pub fn patience(agent: Option<&Agent>) -> Option<Duration> {
    time_limit(agent)?.checked_sub(TO_SPARE)
}

fn is_file(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
}

fn stream_name(stat: &Stat) -> String {
    format!("{:x}-{:x}", stat.st_dev, stat.st_ino)
}

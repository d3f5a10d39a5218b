//! Notes beside an output: which command runs, where its output can be read, the receipt.

use std::io;

use super::delivery::{Delivery, Given};
use super::guard::guarded;
use crate::config::Format;
use crate::custom::{self, Applied};
use crate::filter::MARK;
use crate::marks::OURS;
use crate::overflow::Outcome;
use crate::pipeline::Timings;
use crate::receipt::Receipt;
use crate::run::emit::{say, write_all};
use crate::run::{Capture, Stream};
use crate::{tokens, trust};

/// Announces that another command runs in place of the requested one.
pub(super) fn tell_other(delivery: &Delivery<'_>) {
    let target = rustix::stdio::stdout();
    if let Some(ran) = delivery.ran.filter(|_| delivery.is_read(target)) {
        let _ = write_all(target, format!("{MARK}{ran}\n").as_bytes());
    }
}

/// Tells that a tool goes on although somebody has asked for its end.
pub(super) fn tell_unended(delivery: &Delivery<'_>, capture: &Capture) {
    let (target, tool) = (rustix::stdio::stderr(), &capture.tool);
    let is_asked =
        capture.signals.interrupted().is_some() && tool.status().is_none() && !capture.passing_through;
    if is_asked && delivery.receipt && delivery.is_read(target) {
        say(&format!("{OURS}still running; its output so far is above"));
    }
}

/// Tells, once, where the output of a command can be read that its reader's host is about to give up.
pub(super) fn tell_slow(delivery: &Delivery<'_>, stream: &Stream) {
    let target = if delivery.receipt { rustix::stdio::stderr() } else { stream.target };
    if let Some(copy) = stream.copy.as_ref().filter(|_| delivery.is_read(target)) {
        let line = format!("{OURS}still running; its output so far: {}\n", copy.path.display());
        let _ = write_all(target, line.as_bytes());
    }
}

/// Writes what a user's own filter says of a command that printed nothing.
pub(super) fn write_of_nothing(delivery: &Delivery<'_>, outcome: Outcome) -> io::Result<()> {
    let target = rustix::stdio::stdout();
    if !delivery.may_reduce() || delivery.settings.format != Format::Auto || !delivery.is_read(target) {
        return Ok(());
    }
    match guarded(|| custom::apply(b"", &delivery.call(outcome))) {
        Ok(Applied::Own(said)) => write_all(target, &[said.text.trim_ascii_end(), b"\n"].concat()),
        _ => Ok(()),
    }
}

/// Writes the receipt, and the messages about filters. Returns the tokens of the receipt.
pub(super) fn write_receipt(delivery: &Delivery<'_>, given: &[Given]) -> usize {
    for line in delivery.notices.take_news(trust::should_warn_again) {
        say(&format!("toto: {line}"));
    }
    let main = given.iter().max_by_key(|given| given.saved());
    let is_read = || delivery.receipt && delivery.is_read(rustix::stdio::stderr());
    let Some(main) = main.filter(|_| is_read()) else { return 0 };
    // A host that appends standard error to standard output would show the receipt on the output's last line.
    let is_open = given.last().is_some_and(|given| given.output.last().is_some_and(|last| *last != b'\n'));
    let receipt = Receipt {
        original: given.iter().map(|given| given.original_tokens).sum(),
        whole: main.whole,
        estimated: given.iter().any(|given| given.estimated),
        compressed: given.iter().map(|given| given.tokens).sum::<usize>() + usize::from(is_open),
        shape: main.shape.clone(),
        left_out: given.iter().any(|given| given.left_out),
    };
    let Some(line) = receipt.line(delivery.settings.receipt) else { return 0 };
    if is_open {
        let _ = write_all(rustix::stdio::stderr(), b"\n");
    }
    say(&line);
    // Its newline is a token, too.
    tokens::count(line.as_bytes()) + 1 + usize::from(is_open)
}

/// Writes how long each stage took, if that was asked for.
pub(super) fn write_timings(delivery: &Delivery<'_>, given: &[Given]) {
    for given in given.iter().filter(|_| delivery.timing) {
        let Timings { scrub, parse, sieve, filter, render, count } = given.timings;
        let stages = [
            ("scrub", scrub),
            ("parse", parse),
            ("sieve", sieve),
            ("filter", filter),
            ("render", render),
            ("count", count),
        ];
        let stages = stages.map(|(name, took)| format!("{name} {:.2} ms", took.as_secs_f64() * 1e3));
        say(&format!("{OURS}{}", stages.join(" | ")));
    }
}

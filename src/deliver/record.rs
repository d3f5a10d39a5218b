//! The ledger's record of a run, made once its output and the receipt are written.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

use clap::ValueEnum as _;
use rustix::time::{ClockId, clock_gettime};

use super::delivery::{Delivery, Given};
use super::guard::guarded;
use super::keeper::Keeper;
use super::notes;
use crate::agents::Agent;
use crate::filter::FilterName;
use crate::ledger::record::Record;
use crate::ledger::{calls, spool};
use crate::overflow::Outcome;
use crate::pipeline::page::UNKNOWN_HOST;
use crate::sys::signals::survive_file_size_limit;

pub(super) struct RunSummary {
    pub(super) bytes: u64,
    /// Bytes that the same call's tools had printed before.
    pub(super) before: u64,
    pub(super) outcome: Outcome,
    pub(super) ran: Duration,
}

/// Writes the receipt if the reader may be `told`, appends the run to the ledger's spool, and settles the saved
/// originals. A fault costs only the record.
pub(super) fn settle(
    delivery: &Delivery<'_>,
    given: &[Given],
    keepers: Vec<Keeper<'_>>,
    told: bool,
    run: Option<RunSummary>,
) {
    let receipt = if told { notes::write_receipt(delivery, given) } else { 0 };
    notes::write_timings(delivery, given);
    if let Some(run) = run.filter(|_| delivery.settings.ledger.enabled) {
        survive_file_size_limit();
        let _ = guarded(|| {
            let record = record_of(delivery, &run, given, receipt, &keepers);
            spool::append(record.at, &record.line())
        });
    }
    for keeper in keepers {
        keeper.conclude(delivery.settings.store, delivery.name());
    }
}

fn record_of<'a>(
    delivery: &'a Delivery<'_>,
    run: &RunSummary,
    given: &[Given],
    receipt: usize,
    keepers: &[Keeper<'_>],
) -> Record<'a> {
    let main = given.iter().max_by_key(|given| given.saved());
    let sum = |figure: fn(&Given) -> usize| given.iter().map(figure).sum::<usize>() as u64;
    let tokens = sum(|given| given.original_tokens);
    let whole = sum(|given| given.whole.unwrap_or(given.original_tokens));
    let kept = keepers.iter().find_map(Keeper::saved_id);
    let level = delivery.level().to_possible_value();
    let own = clock_gettime(ClockId::ProcessCPUTime);
    Record {
        shape: main.map_or("Empty".into(), |given| given.shape.clone().into()),
        filter: main.and_then(|given| given.filter.as_ref()).map(filter_name).map(Cow::Owned),
        level: level.map_or_else(String::new, |level| level.get_name().to_owned()).into(),
        bytes: run.bytes,
        given_bytes: sum(|given| given.output.len()),
        tokens,
        without: without(delivery.agent, whole, run.bytes, run.before).min(tokens),
        given: sum(|given| given.tokens),
        receipt: receipt as u64,
        tool_us: run.ran.as_micros() as u64,
        own_us: own.tv_sec as u64 * 1_000_000 + own.tv_nsec as u64 / 1000,
        status: run.outcome.status(),
        saved: kept.map(|id| id.to_string().into()),
        estimated: given.iter().any(|given| given.estimated),
        ..delivery.record()
    }
}

/// Tokens that the agent would have been given of an output of this many tokens and bytes, behind `before` bytes of the
/// same call: what the agent's host cuts by itself is not saved by us. Where it cuts, the part that it keeps is assumed
/// to be of the same density as the whole.
fn without(agent: Option<&Agent>, tokens: u64, bytes: u64, before: u64) -> u64 {
    let limit = agent.and_then(|agent| agent.output_limit).map_or(UNKNOWN_HOST as u64, u64::from);
    let kept = agent.and_then(|agent| agent.output_kept).map_or(limit, u64::from);
    let shown = |bytes: u64| if bytes > limit { kept } else { bytes };
    let own = shown(before.saturating_add(bytes)).saturating_sub(shown(before));
    u64::try_from(u128::from(tokens) * u128::from(own) / u128::from(bytes.max(1))).unwrap_or(tokens)
}

/// The name of a library filter; for a user's filter `own/` and its file's name, without the directories.
fn filter_name(filter: &FilterName) -> String {
    match filter {
        FilterName::Library(name) => calls::plain_name(name),
        FilterName::Own(path) => {
            let stem = Path::new(path).file_stem().map_or(Cow::default(), OsStr::to_string_lossy);
            format!("own/{}", calls::plain_name(&stem))
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/deliver/record.rs"]
mod tests;

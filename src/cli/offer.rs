//! What `toto setup` offers: the well-known tools that are here, and how often agents called each.

use std::cmp::Reverse;
use std::path::PathBuf;

use super::discover::read_all;
use super::gain::figures::grouped;
use super::gain::table::fitted;
use crate::farm::environments;
use crate::farm::known::well_known;
use crate::path::Search;
use crate::transcripts::Calls;

pub struct Offer {
    pub name: &'static str,
    /// Where it is: on PATH, or in one of this directory's environments; None where only agents' transcripts have it.
    at: Option<PathBuf>,
    /// How often agents called it, by their transcripts on this machine.
    calls: u64,
}

/// The well-known tools that are on PATH, in this directory's environments or in agents' transcripts; most called first.
pub fn here() -> anyhow::Result<Vec<Offer>> {
    let mut calls = Calls::default();
    read_all(&mut |format, session, document| calls.take(format, session, document))?;
    let search = Search::from_env();
    let offer = |name: &'static str| Offer {
        name,
        at: environments::find(name.as_ref(), &search).map(|found| found.path),
        calls: calls.by_tool.get(name).copied().unwrap_or_default(),
    };
    let is_here = |offer: &Offer| offer.at.is_some() || offer.calls > 0;
    let mut offers: Vec<Offer> = well_known().map(offer).filter(is_here).collect();
    offers.sort_by_key(|offer| Reverse(offer.calls));
    Ok(offers)
}

impl Offer {
    pub fn table(offers: &[Self], width: usize) -> String {
        let row = |offer: &Self| {
            let at = offer.at.as_ref().map(|at| at.display().to_string());
            let calls = if offer.calls == 0 { String::new() } else { grouped(offer.calls) };
            [
                offer.name.to_owned(),
                at.unwrap_or_else(|| "in agents' sessions".into()),
                format!("{calls:>15}"),
            ]
        };
        fitted(["tool", "where", "calls by agents"], offers.iter().map(row).collect(), 1, width)
    }
}

//! What `toto setup` offers: the well-known tools that are here, and how often agents called each.

use std::cmp::Reverse;
use std::path::PathBuf;

use super::discover::read_all;
use super::gain::figures::grouped;
use super::gain::table::{FAINT, cut};
use crate::farm::environments;
use crate::farm::known::well_known;
use crate::path::Search;
use crate::transcripts::Calls;

/// A well-known tool that is here.
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
        at: environments::find(name.as_ref(), &search).map(environments::Found::into_path),
        calls: calls.by_tool.get(name).copied().unwrap_or_default(),
    };
    let is_here = |offer: &Offer| offer.at.is_some() || offer.calls > 0;
    let mut offers: Vec<Offer> = well_known().map(offer).filter(is_here).collect();
    offers.sort_by_key(|offer| Reverse(offer.calls));
    Ok(offers)
}

impl Offer {
    /// The offers as a table for `width` columns.
    pub fn table(offers: &[Self], width: usize) -> String {
        const CALLS: &str = "calls by agents";
        let places: Vec<String> = offers
            .iter()
            .map(|offer| {
                offer.at.as_ref().map_or("in agents' sessions".into(), |at| at.display().to_string())
            })
            .collect();
        let names = offers.iter().map(|offer| offer.name.len()).fold("tool".len(), usize::max);
        let most = width.saturating_sub(names + CALLS.len() + 4).max(12);
        let longest =
            places.iter().map(|place| place.chars().count()).fold("where".len(), usize::max).min(most);
        let mut text =
            format!("{FAINT}{}  {}  {CALLS}{FAINT:#}\n", cut("tool", names), cut("where", longest));
        for (offer, place) in offers.iter().zip(&places) {
            let calls = if offer.calls == 0 { String::new() } else { grouped(offer.calls) };
            let line = format!(
                "{}  {}  {calls:>width$}",
                cut(offer.name, names),
                cut(place, longest),
                width = CALLS.len()
            );
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}

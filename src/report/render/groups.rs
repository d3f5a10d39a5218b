//! Groups of records that are told once: tests that fail for the same reason, findings of the same words.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::hash::Hash;

use once_cell::sync::Lazy;
use regex::Regex;

use super::super::maps::by;
use super::super::record::{Finding, PartKind, Severity, Test};
use super::reason;
use super::template::{self, Template};

/// Groups tests that failed by their reason, each group in the position of its first test. Tests that failed on one line
/// (parameters) are a group as well, those of one reason side by side: flat, since a reader may ask for a part of it.
pub fn tests<'r, 't>(
    failed: Vec<(usize, &'r Test<'t>)>,
    is_torn: impl Fn(usize) -> bool,
) -> Vec<(usize, Vec<&'r Test<'t>>)> {
    let groups = by(failed.into_iter().map(|(at, test)| (key(at, test, is_torn(at)), (at, test))));
    let line = |group: &[(usize, &'r Test<'t>)]| {
        let (at, first) = group[0];
        let is_here = |(at, test): &(usize, &Test<'_>)| test.place == first.place && !is_torn(*at);
        let place = first.place.filter(|_| group.iter().all(is_here) && reason::brief(first).is_some());
        let source: Vec<_> = first.said(&[PartKind::Source]).collect();
        (place, if place.is_some() { 0 } else { at }, first.outcome, source)
    };
    by(groups.map(|group| (line(&group), group)))
        .map(|groups| (groups[0][0].0, groups.into_iter().flatten().map(|(_, test)| test).collect()))
        .collect()
}

/// Whether two tests say the same of why they failed, and printed the same.
pub fn has_same_reason(one: &Test<'_>, other: &Test<'_>) -> bool {
    said(one).eq(said(other))
}

/// What a test says of why it failed, and what it printed.
fn said<'r, 't>(test: &'r Test<'t>) -> impl Iterator<Item = Cow<'t, str>> + use<'r, 't> {
    test.said(&[PartKind::Reason, PartKind::Values, PartKind::Captured]).map(masked)
}

/// Findings that are told once: at least one.
pub struct Findings<'r, 't> {
    /// In the order of the text.
    pub all: Vec<&'r Finding<'t>>,
    /// The words that they share; `None` where all have the same words.
    pub template: Option<Template>,
}

/// Groups findings of one severity, code and message, or of messages that share a template: errors first, then the most
/// frequent, then in the order of the text.
pub fn findings<'r, 't: 'r>(findings: impl Iterator<Item = &'r Finding<'t>>) -> Vec<Findings<'r, 't>> {
    let words =
        |finding: &'r Finding<'t>| (finding.word, finding.code, &finding.message, finding.place.is_some());
    let mut told = alike(by(findings.map(|finding| ((finding.severity, words(finding)), finding))));
    told.sort_by_key(|group| (group.all[0].severity, Reverse(group.all.len())));
    told
}

/// The key of a test's group: its reason, and what it printed. A test of which something is told, but no reason, or
/// whose body goes on elsewhere, has a group of its own.
fn key<'r, 't>(at: usize, test: &'r Test<'t>, is_torn: bool) -> impl Eq + Hash + use<'r, 't> {
    let has_reason = test.said(reason::WHY).next().is_some();
    let alone = (is_torn || !test.why.is_empty() && !has_reason).then_some(at);
    (test.outcome, alone, said(test).collect::<Vec<_>>())
}

/// Groups of fewer findings than this are joined if their words differ only in a template's holes.
const FEW: usize = 5;
/// Fewer findings are read faster as they stand, but for long ones, and warnings whose source or notes are then not told.
const FEWEST: usize = 3;
const LONG: usize = 60;

/// Joins groups whose messages share a template, in the position of the first of them.
fn alike<'r, 't>(groups: impl Iterator<Item = Vec<&'r Finding<'t>>>) -> Vec<Findings<'r, 't>> {
    let can_join = |group: &Vec<&Finding<'_>>| {
        let finding = group[0];
        group.len() < FEW
            && finding.message.len() == 1
            && finding.place.is_some()
            && (finding.notes.is_empty() || finding.severity != Severity::Error)
    };
    let (joinable, alone): (Vec<_>, Vec<_>) = groups.enumerate().partition(|(_, group)| can_join(group));
    let of_same_words = |(at, all)| (at, Findings { all, template: None });
    let mut told: Vec<_> = alone.into_iter().map(of_same_words).collect();
    let key =
        |finding: &'r Finding<'t>| (finding.severity, finding.word, finding.code, template::key(finding));
    let kin = by(joinable.into_iter().map(|(at, group)| (key(group[0]), (at, group))));
    let mut join = |kin: Placed<'r, 't>| {
        let (alike, alone) = with_template(kin);
        told.extend(alike);
        alone
    };
    // Groups that share no template with all others may share one with those that begin with the same words.
    let mut alone: Vec<_> = kin.flat_map(&mut join).collect();
    for count in 1..=2 {
        let words = |(_, group): &(usize, Vec<&'r Finding<'t>>)| {
            let finding = group[0];
            (key(finding), template::first_words(finding, count))
        };
        alone = by(alone.into_iter().map(|placed| (words(&placed), placed))).flat_map(&mut join).collect();
    }
    told.extend(alone.into_iter().map(of_same_words));
    told.sort_by_key(|(at, _)| *at);
    told.into_iter().map(|(_, group)| group).collect()
}

/// Groups with their positions in the order of the text.
type Placed<'r, 't> = Vec<(usize, Vec<&'r Finding<'t>>)>;

/// The groups that share one template, as one in the position of the first, and the others.
fn with_template<'r, 't>(kin: Placed<'r, 't>) -> (Option<(usize, Findings<'r, 't>)>, Placed<'r, 't>) {
    let is_worth = |(_, group): &(usize, Vec<&Finding<'_>>)| {
        let finding = group[0];
        let has_more = !finding.source.is_empty() || !finding.notes.is_empty();
        finding.message[0].len() > LONG || has_more && finding.severity != Severity::Error
    };
    let joined = |kin: &Placed<'r, 't>| {
        let all: Vec<_> = kin.iter().flat_map(|(_, group)| group.iter().copied()).collect();
        let is_enough = all.len() >= FEWEST || kin.iter().any(is_worth);
        let (template, fits) = (kin.len() > 1 && is_enough).then(|| Template::of(&all)).flatten()?;
        Some((kin[0].0, Findings { all, template: Some(template) }, fits))
    };
    let Some((at, findings, fits)) = joined(&kin) else { return (None, kin) };
    if !fits.contains(&false) {
        return (Some((at, findings)), Vec::new());
    }
    let mut fits = fits.into_iter();
    // Findings of one group have the same words.
    let (alike, mut alone): (Placed<'r, 't>, Placed<'r, 't>) = kin
        .into_iter()
        .partition(|(_, group)| fits.by_ref().take(group.len()).filter(|fits| !fits).count() == 0);
    if let Some((at, findings, fits)) = joined(&alike)
        && !fits.contains(&false)
    {
        return (Some((at, findings)), alone);
    }
    alone.extend(alike);
    (None, alone)
}

/// Memory addresses and times of day, which differ from run to run, and from test to test.
static PASSING: Lazy<Option<Regex>> =
    Lazy::new(|| Regex::new(r"0x[0-9a-fA-F]{6,}|\b[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]+)?\b").ok());

/// A text with its addresses and times masked.
pub fn masked(text: &str) -> Cow<'_, str> {
    let may_have = text.contains("0x") || text.contains(':');
    let passing = PASSING.as_ref().filter(|_| may_have);
    passing.map_or(Cow::Borrowed(text), |passing| passing.replace_all(text, "…"))
}

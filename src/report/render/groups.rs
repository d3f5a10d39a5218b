//! Groups of records that are told once: tests that fail for the same reason, findings of the same words.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::Hash;

use foldhash::fast::RandomState;

use super::super::record::{Finding, Kind, Outcome, Record, Severity, Test, What};
use super::template::{self, Template};

/// Tests with one reason, in the order of the text.
pub struct Tests<'r, 't> {
    /// Index of the first test's record, where the group is told.
    pub at: usize,
    /// At least one.
    pub tests: Vec<&'r Test<'t>>,
}

/// Findings of one severity, code and message, or of messages that share a template, in the order of the text.
pub struct Findings<'r, 't> {
    /// At least one.
    pub findings: Vec<&'r Finding<'t>>,
}

/// The groups of a section's records.
pub struct Groups<'r, 't> {
    /// In the order of their first lines.
    pub tests: Vec<Tests<'r, 't>>,
    /// Tests that failed as expected; tests that were not run.
    pub others: [Vec<&'r Test<'t>>; 2],
    /// Errors first, then in the order of their first lines.
    pub findings: Vec<Findings<'r, 't>>,
    /// Index of the first finding's record.
    pub findings_at: Option<usize>,
}

/// Groups items by key, in the order of each group's first item, with one look-up an item.
fn by<K: Eq + Hash, T>(items: impl Iterator<Item = (K, T)>) -> Vec<Vec<T>> {
    let mut places: HashMap<K, usize, RandomState> = HashMap::default();
    let mut groups: Vec<Vec<T>> = Vec::new();
    for (key, item) in items {
        let at = *places.entry(key).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[at].push(item);
    }
    groups
}

/// Groups the records of a section.
pub fn of<'r, 't>(records: &'r [Record<'t>]) -> Groups<'r, 't> {
    let tests = || {
        records.iter().enumerate().filter_map(|(at, record)| match &record.what {
            What::Test(test) => Some((at, &**test)),
            _ => None,
        })
    };
    let findings = || {
        records.iter().enumerate().filter_map(|(at, record)| match &record.what {
            What::Finding(finding) => Some((at, &**finding)),
            _ => None,
        })
    };
    let failed = tests().filter(|(_, test)| test.outcome.is_failure());
    let groups = by(failed.map(|(at, test)| (reason(at, test), (at, test))));
    let told = by(findings().map(|(_, finding)| (words(finding), finding)));
    let mut told: Vec<_> = alike(told).into_iter().map(|findings| Findings { findings }).collect();
    told.sort_by_key(|group| group.findings.first().map_or(Severity::Note, |finding| finding.severity));
    Groups {
        tests: groups
            .into_iter()
            .map(|group| Tests {
                at: group.first().map_or(0, |(at, _)| *at),
                tests: group.into_iter().map(|(_, test)| test).collect(),
            })
            .collect(),
        others: [Outcome::Expected, Outcome::Skipped]
            .map(|outcome| tests().map(|(_, test)| test).filter(|test| test.outcome == outcome).collect()),
        findings: told,
        findings_at: findings().next().map(|(at, _)| at),
    }
}

/// The key of a test's group. A test of which something is told, but no reason, has a group of its own.
fn reason<'r, 't>(at: usize, test: &'r Test<'t>) -> impl Eq + Hash + use<'r, 't> {
    let said: Vec<_> = test.said(&[Kind::Reason, Kind::Values]).map(without_addresses).collect();
    let alone = (!test.why.is_empty() && said.is_empty()).then_some(at);
    (test.outcome, alone, said)
}

/// The key of a finding's group.
type Words<'r, 't> = (Severity, &'t str, &'t str, &'r [Cow<'t, str>], bool);

fn words<'r, 't>(finding: &'r Finding<'t>) -> Words<'r, 't> {
    (finding.severity, finding.word, finding.code, &finding.message, finding.place.is_some())
}

/// Groups of fewer findings than this are joined if their words differ only in a template's holes.
const FEW: usize = 5;
/// Fewest groups that are joined.
const FEWEST: usize = 2;

/// Joins groups whose messages share a template, in the position of the first of them.
fn alike<'r, 't>(groups: Vec<Vec<&'r Finding<'t>>>) -> Vec<Vec<&'r Finding<'t>>> {
    let can_join = |group: &Vec<&Finding<'_>>| {
        let finding = group[0];
        group.len() < FEW
            && finding.message.len() == 1
            && finding.place.is_some()
            && (finding.notes.is_empty() || finding.severity != Severity::Error)
    };
    let (joinable, mut told): (Vec<_>, Vec<_>) =
        groups.into_iter().enumerate().partition(|(_, group)| can_join(group));
    let kin = by(joinable.into_iter().map(|(at, group)| {
        let finding = group[0];
        (
            (finding.severity, finding.word, finding.code, template::key(finding.code, &finding.message[0])),
            (at, group),
        )
    }));
    let mut join = |kin: Placed<'r, 't>| {
        let (alike, alone) = with_template(kin);
        let first = alike.first().map(|(at, _)| *at);
        told.extend(first.map(|at| (at, alike.into_iter().flat_map(|(_, group)| group).collect())));
        alone
    };
    let mut alone = Vec::new();
    for kin in kin {
        // Groups that share no template with all others may share one with those that begin with the same word.
        let rest = join(kin).into_iter().map(|(at, group)| (template::first_word(group[0]), (at, group)));
        for kin in by(rest) {
            alone.extend(join(kin));
        }
    }
    told.extend(alone);
    told.sort_by_key(|(at, _)| *at);
    told.into_iter().map(|(_, group)| group).collect()
}

/// Groups with their positions in the order of the text.
type Placed<'r, 't> = Vec<(usize, Vec<&'r Finding<'t>>)>;

/// The groups that share one template, and the others.
fn with_template<'r, 't>(kin: Placed<'r, 't>) -> (Placed<'r, 't>, Placed<'r, 't>) {
    let template = |kin: &Placed<'r, 't>| {
        let all: Vec<_> = kin.iter().flat_map(|(_, group)| group.iter().copied()).collect();
        (kin.len() >= FEWEST).then(|| Template::of_most(&all)).flatten()
    };
    let Some((_, fits)) = template(&kin) else { return (Vec::new(), kin) };
    if fits.iter().all(|fits| *fits) {
        return (kin, Vec::new());
    }
    let mut fits = fits.into_iter();
    // Findings of one group have the same words.
    let (alike, mut alone): (Placed<'r, 't>, Placed<'r, 't>) = kin
        .into_iter()
        .partition(|(_, group)| fits.by_ref().take(group.len()).filter(|fits| !fits).count() == 0);
    if template(&alike).is_some_and(|(_, fits)| fits.iter().all(|fits| *fits)) {
        return (alike, alone);
    }
    alone.extend(alike);
    (Vec::new(), alone)
}

/// A text with its memory addresses masked: they differ from run to run, and from test to test.
fn without_addresses(text: &str) -> Cow<'_, str> {
    let Some(first) = memchr::memmem::find(text.as_bytes(), b"0x") else { return Cow::Borrowed(text) };
    let mut masked = text[..first].to_owned();
    for part in text[first + 2..].split("0x") {
        let digits = part.bytes().take_while(u8::is_ascii_hexdigit).count();
        masked.push_str(if digits >= 6 { "0x…" } else { "0x" });
        masked.push_str(&part[if digits >= 6 { digits } else { 0 }..]);
    }
    Cow::Owned(masked)
}

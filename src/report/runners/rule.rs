//! A row of a runner's table: what a line is, its pattern and the pattern's groups.

use once_cell::sync::OnceCell;
use regex_automata::util::primitives::PatternID;
use regex_automata::{Anchored, Input, meta};
use regex_syntax::hir::{Hir, HirKind, Look};

use super::super::record::{Outcome, Place};

/// What a line is if a pattern fits it. Groups of the pattern: `id`, `file`, `line`, `col`, `why`, `n`, `of`; `key` is
/// the name under which the test began, `sure` marks what no other tool writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// The heading of a failure, with what stands below.
    Fail(Outcome),
    /// A failure on one line: told only if nothing else tells it at length.
    Brief(Outcome),
    /// A test that was not run (`why`).
    Skip,
    /// A test that passed, or `n` of them.
    Pass,
    /// A file, a class, a package whose tests passed.
    PassGroup,
    /// A test that passed, with lines below that are indented more.
    PassBlock,
    /// Totals, and what they count.
    Total(Counted),
    /// So many tests (`n`) are to be run: what the next total counts.
    Planned,
    /// So many failures (`n`) follow, whatever the totals count.
    Listed,
    /// Names the suite (`id`) whose total follows; `of` tells apart suites of that name.
    Suite,
    /// Says nothing about a result, and proves nothing either.
    Heading,
    /// Repeats what other lines tell.
    Repeated,
    /// Names the `file` (`line`, `col`) of the failures that follow.
    File,
    /// Sets the outcome of the headings that follow.
    Now(Outcome),
    /// The headings that follow are no failures (risky tests): they stay lines.
    Aside,
    /// A test begins or goes on: the lines up to the next sign are its output.
    Begin,
    /// A test begins: whatever follows is its output, up to the sign that it ended.
    Open,
    /// Output that belongs to no failure.
    Log,
    /// Ends what stands below a failure, and stays where it stands.
    End,
}

/// What a line of totals counts: the tool's words whose counts are failures. More failures than these, or fewer, were
/// not all told by the runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Nothing that can be compared.
    Nothing,
    /// Failures of the run, which says so once.
    Run(&'static [&'static str]),
    /// Nothing that can be compared, of the suite named by the line above, which is no test.
    Above,
    /// Nothing, but failures follow only behind it: what looked like one before was printed, unless a group `sure` fit.
    Opening,
    /// The same as `Run`, of programs that may be test runs themselves.
    Programs(&'static [&'static str]),
    /// Failures of one suite or module of several.
    Suite(&'static [&'static str]),
    /// Files with failures, or that could not be run; the counts of tests leave the latter out.
    Files(&'static [&'static str]),
}

/// A row of the table.
pub struct Rule {
    /// The row's number.
    pub number: usize,
    /// What a line is if the pattern fits it.
    pub act: Act,
    /// Whether the pattern's groups say more than the fact that it fits.
    pub has_groups: bool,
    /// The parsed pattern.
    pub pattern: Hir,
    /// Number of bytes in front of and behind the pattern's only group, if both are literal.
    around: Option<(usize, usize)>,
    /// Compiled on demand, where groups are asked for and `around` is not known.
    compiled: OnceCell<Option<Compiled>>,
}

/// A pattern compiled for its groups, and the number of each of [`GROUPS`] in it.
type Compiled = (meta::Regex, [Option<usize>; GROUPS.len()]);

/// Names of groups.
const GROUPS: [&str; 10] = ["id", "key", "file", "line", "col", "why", "n", "nth", "of", "sure"];

/// Slots for both ends of a match and of each of its groups.
const SLOTS: usize = 2 * (GROUPS.len() + 1);

impl Rule {
    /// The rule, or `None` if the pattern is invalid.
    pub fn new(number: usize, act: Act, pattern: &str) -> Option<Self> {
        let hir = regex_syntax::parse(pattern).ok()?;
        let has_groups = matches!(
            act,
            Act::Fail(_) | Act::Brief(_) | Act::Skip | Act::Begin | Act::Open | Act::File | Act::Suite
        ) || ["(?P<n>", "(?P<key>", "(?P<sure>"].iter().any(|group| pattern.contains(group));
        let around = around_id(&hir);
        Some(Self { number, act, has_groups, pattern: hir, around, compiled: OnceCell::new() })
    }

    /// The groups in a line that the pattern fits.
    pub fn groups<'t>(&self, line: &'t str) -> Groups<'t> {
        let mut groups = Groups::default();
        if let Some((before, behind)) = self.around {
            groups.0[0] = line.get(before..line.len() - behind);
            return groups;
        }
        let Some((regex, numbers)) = self.compiled.get_or_init(|| compile(&self.pattern)) else {
            return groups;
        };
        let mut slots = [None; SLOTS];
        regex.search_slots(&Input::new(line).anchored(Anchored::Yes), &mut slots);
        for (group, number) in groups.0.iter_mut().zip(numbers) {
            let end = |end: usize| Some(slots.get(2 * (*number)? + end).copied()??.get());
            *group = end(0).zip(end(1)).and_then(|(start, end)| line.get(start..end));
        }
        groups
    }
}

fn compile(pattern: &Hir) -> Option<Compiled> {
    // It is known that the pattern fits.
    let config = meta::Config::new().hybrid(false).dfa(false);
    let regex = meta::Builder::new().configure(config).build_from_hir(pattern).ok()?;
    let numbers = GROUPS.map(|name| regex.group_info().to_index(PatternID::ZERO, name));
    Some((regex, numbers))
}

/// Bytes on either side of the only group `id`, if the rest of the pattern is literal: `^FAILED (?P<id>.*) in time$`.
fn around_id(pattern: &Hir) -> Option<(usize, usize)> {
    let HirKind::Concat(pieces) = pattern.kind() else { return None };
    let is_id =
        |piece: &Hir| matches!(piece.kind(), HirKind::Capture(group) if group.name.as_deref() == Some("id"));
    let id = pieces.iter().position(is_id).filter(|_| pattern.properties().explicit_captures_len() == 1)?;
    let length = |pieces: &[Hir]| pieces.iter().map(literal).sum::<Option<usize>>();
    let is_whole = pattern.properties().look_set_prefix().contains(Look::Start)
        && pattern.properties().look_set_suffix().contains(Look::End);
    Some((length(&pieces[..id])?, length(&pieces[id + 1..])?)).filter(|_| is_whole)
}

/// Length in bytes of a piece that is the same in every line.
fn literal(piece: &Hir) -> Option<usize> {
    match piece.kind() {
        HirKind::Literal(literal) => Some(literal.0.len()),
        HirKind::Look(Look::Start | Look::End) => Some(0),
        _ => None,
    }
}

/// The text of each of [`GROUPS`] in a line.
#[derive(Default)]
pub struct Groups<'t>([Option<&'t str>; GROUPS.len()]);

impl<'t> Groups<'t> {
    /// The text of a group as it stands.
    pub fn get(&self, name: &str) -> Option<&'t str> {
        self.0[GROUPS.iter().position(|group| *group == name)?]
    }

    /// The text of a group, trimmed; empty if the pattern has no such group.
    pub fn of(&self, name: &str) -> &'t str {
        self.get(name).unwrap_or("").trim()
    }

    /// The place that the groups name.
    pub fn place(&self) -> Option<Place<'t>> {
        let (file, line, column) = (self.of("file"), self.of("line").parse().unwrap_or(0), self.of("col"));
        (!file.is_empty()).then_some(Place { file, line, column: column.parse().ok() })
    }
}

//! Writes a report's parts into a draft: totals, failures and findings group by group, lines that are no record.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::maps::HashSet;
use super::super::record::{Finding, Said, Severity};
use super::super::section::Section;
use super::contents::{Contents, Item};
use super::draft::{DETAILS, Draft, Omission, is_own, is_rule};
use super::{Digest, Options, findings, groups, paths, tests};
use crate::marks::{BEFORE, QUOTE};
use crate::plural::counted;

/// From this many findings on, their number is told.
const MANY: usize = 10;

/// A draft, and how far the report's failures have come.
pub struct Writer<'o, 'r> {
    pub draft: Draft<'r>,
    options: &'o Options<'o>,
    /// Number of the next failure.
    number: usize,
    /// The first failure for which there was no room.
    untold: Option<usize>,
    /// The first of the failures that were begun last, and where in the text.
    begun: (usize, usize),
    /// Whether something else had no room.
    is_cut: bool,
    /// Whether there are several sections, each told under its name.
    is_several: bool,
    /// Whether this is the last row of [`DETAILS`]; a draft by any other row is thrown away if it is too long.
    is_last: bool,
}

impl<'o, 'r> Writer<'o, 'r> {
    /// A writer that has written nothing; `options` say what is asked for.
    pub fn new(draft: Draft<'r>, options: &'o Options<'o>, is_several: bool, is_last: bool) -> Self {
        Self { draft, options, number: 0, untold: None, begun: (0, 0), is_cut: false, is_several, is_last }
    }

    /// Whether everything had room.
    pub fn has_all(&self) -> bool {
        !self.draft.is_full() && self.untold.is_none() && !self.is_cut
    }

    /// Writes a section's part of the report, as far as there is room.
    pub fn part(&mut self, part: &Contents<'r, '_>) {
        if self.options.failures.is_none() {
            if self.is_several && !part.section.name.is_empty() {
                self.draft.line(0, &format!("{}:", part.section.name), usize::MAX);
            }
            self.totals(part, false);
            if self.is_last {
                self.totals(part, true);
            }
        }
        let is_lean = self.draft.detail.is_lean();
        for run in part.items.chunk_by(|one, next| is_lean && Item::are_listed(&one.1, &next.1)) {
            if !self.draft.is_full() {
                // Whatever was begun has room.
                self.begun = (0, 0);
            } else if !self.is_last {
                return;
            }
            if run.len() > 1 {
                let groups: Vec<_> =
                    run.iter().map(|(_, item)| &item.listed()[self.asked(item.listed().len())]).collect();
                tests::listed(&mut self.draft, &groups);
                self.begun = (0, 0);
                continue;
            }
            match &run[0].1 {
                Item::Tests(group) => {
                    let asked = self.asked(group.len());
                    tests::group(&mut self.draft, &group[asked]);
                }
                Item::Findings(groups) => {
                    self.sum(part, groups);
                    self.draft.names = part.names();
                    let mut shown = findings::Shown::default();
                    let is_of_file = |one: &groups::Findings<'_, '_>, next: &groups::Findings<'_, '_>| {
                        let file = findings::file_of(&one.all);
                        file.is_some() && file == findings::file_of(&next.all)
                    };
                    for run in groups.chunk_by(is_of_file) {
                        self.findings(run, &mut shown);
                    }
                }
                Item::Before => {
                    let recall = self.options.since.map_or("", |earlier| earlier.recall);
                    self.draft.line(0, &format!("{BEFORE}{recall}"), usize::MAX);
                }
                Item::Kept(run) => self.kept(part.section, run.clone()),
                Item::Log(log) => tests::captured(&mut self.draft, log),
            }
        }
        if self.options.failures.is_none() {
            for tests in &part.others {
                tests::others(&mut self.draft, tests);
            }
            if !self.is_last {
                self.totals(part, true);
            }
        }
        self.passing(part);
    }

    /// Writes the tool's own totals: the closing ones, or the others. Closing totals sum up what stands above, and come
    /// behind it if everything has room.
    fn totals(&mut self, part: &Contents<'_, '_>, is_closing: bool) {
        for total in part.totals.iter().filter(|total| total.is_closing == is_closing) {
            for (at, said) in total.said.iter().enumerate() {
                if self.draft.is_full() {
                    self.is_cut = true;
                    return;
                }
                if at == 0 && !total.suite.is_empty() {
                    self.draft.words(&format!("{}: ", total.suite), usize::MAX);
                }
                self.draft.line(0, said.text, usize::MAX);
            }
        }
    }

    /// Writes a group of findings, or several findings of one file.
    fn findings<'t>(&mut self, run: &[groups::Findings<'_, 't>], shown: &mut findings::Shown<'t>) {
        match run {
            [group] => {
                let asked = self.asked(group.all.len());
                findings::group(&mut self.draft, group, asked, shown);
            }
            run => {
                let asked = self.asked(run.len());
                let findings: Vec<_> = run[asked].iter().map(|group| group.all[0]).collect();
                findings::of_file(&mut self.draft, &findings, shown);
            }
        }
    }

    /// Writes how many findings there are, if there are many and the tool has no totals: `132 errors in 63 files`.
    fn sum(&mut self, part: &Contents<'_, '_>, groups: &[groups::Findings<'_, '_>]) {
        let all = || groups.iter().flat_map(|group| &group.all);
        // Where findings are told apart by what is new, the first line has the numbers.
        let is_parted = part.items.iter().any(|(_, item)| matches!(item, Item::Before));
        if !part.totals.is_empty() || self.options.failures.is_some() || is_parted || all().count() < MANY {
            return;
        }
        let mut numbers: BTreeMap<_, u64> = BTreeMap::new();
        for finding in all() {
            *numbers.entry((finding.severity, own_word(finding))).or_default() += 1;
        }
        let counts: Vec<_> = numbers.iter().map(|((_, word), count)| counted(*count, word)).collect();
        let mut files: Vec<_> = all().filter_map(|finding| finding.place).map(|place| place.file).collect();
        files.dedup();
        let files: HashSet<_> = files.into_iter().collect();
        let files = counted(files.len() as u64, "file");
        self.draft.line(0, &format!("{} in {files}", counts.join(", ")), usize::MAX);
    }

    /// Writes how many tests passed, if the tool has no totals.
    fn passing(&mut self, part: &Contents<'_, '_>) {
        self.draft.left_out.join(part.left_out);
        if !part.totals.is_empty() || self.options.failures.is_some() {
            return;
        }
        if part.passing > 0 {
            self.draft.line(0, &format!("… {} passing", part.passing), usize::MAX);
        }
        if part.passing_groups > 0 {
            let what = if part.passing_groups == 1 { "file or package" } else { "files or packages" };
            self.draft.line(0, &format!("… {} {what} passing", part.passing_groups), usize::MAX);
        }
    }

    /// Counts the next `count` failures; returns the indices of those that are asked for, if there is room.
    fn asked(&mut self, count: usize) -> Range<usize> {
        let start = self.number;
        self.number += count;
        if self.draft.is_full() {
            self.untold.get_or_insert(start);
        }
        if self.untold.is_some() {
            return 0..0;
        }
        self.begun = (start, self.draft.text.len());
        let Some(asked) = &self.options.failures else { return 0..count };
        let [from, to] = [asked.start, asked.end].map(|at| at.clamp(start, start + count) - start);
        from..to.max(from)
    }

    /// Writes lines that are no record, without blank lines and rules: all of them, or their beginning and their end.
    fn kept(&mut self, section: &Section<'_>, run: Range<usize>) {
        if self.draft.is_full() {
            self.draft.left_out.add(Omission::Detail, run.len());
            self.is_cut = true;
            return;
        }
        let is_named = !section.name.is_empty() && self.is_several;
        let said: Vec<Said<'_>> = run
            .map(|at| section.lines[at])
            // Under its section's name a line needs no prefix; without it the prefix is a fact, such as a time.
            .map(|line| Said { number: line.number, text: if is_named { line.text } else { line.raw } })
            .filter(|said| !is_rule(said.text))
            .collect();
        let (most, is_run) = (self.draft.detail.kept, !section.runs.is_empty());
        let write = |draft: &mut Draft<'_>, said: &[Said<'_>], width| {
            for said in said {
                if is_run && is_own(said.text) {
                    draft.words(QUOTE, usize::MAX);
                }
                draft.own(0, said.text, width);
            }
        };
        if said.len() <= most.saturating_add(1) {
            return write(&mut self.draft, &said, usize::MAX);
        }
        let (head, rest) = said.split_at(most / 2);
        let (between, tail) = rest.split_at(rest.len() - most / 2);
        let width = self.draft.detail.width;
        write(&mut self.draft, head, width);
        self.draft.mark_left_out(0, between, "");
        write(&mut self.draft, tail, width);
    }

    /// Cuts what has no room, and marks what is missing.
    pub fn finish(mut self, is_most: bool) -> Digest {
        if self.draft.is_full() {
            self.is_cut = true;
            let is_boundary = |end: &usize| self.draft.text.is_char_boundary(*end);
            let end = (0..=self.draft.most).rev().find(is_boundary).unwrap_or(0);
            let mut end = self.draft.text[..end].rfind('\n').map_or(0, |end| end + 1);
            // What was begun behind others, and is torn, is told by the next page.
            let (first, begun) = self.begun;
            let is_first = first <= self.options.failures.as_ref().map_or(0, |asked| asked.start);
            if self.untold.is_some() && begun <= end && !is_first {
                (self.untold, end) = (Some(first), begun);
            }
            self.draft.left_out.add(Omission::Detail, self.draft.text[end..].lines().count());
            self.draft.text.truncate(end);
        }
        let complete = self.untold.is_none() && !self.is_cut && !self.draft.lacks_places;
        let recall = self.options.recall;
        if !complete && self.draft.detail.values < DETAILS[0].values && self.draft.left_out.lines > 0 {
            let whole = if recall.is_empty() { String::new() } else { format!(": {recall}") };
            let lines = self.draft.left_out.lines;
            self.draft.line(0, &format!("… shortened, {lines} lines left out{whole}"), usize::MAX);
        }
        if let Some(first) = self.untold {
            let (first, last) = (first + 1, self.number);
            let command = format!(": {recall} --failures {first}:{last}");
            let command = if recall.is_empty() { "" } else { &command };
            self.draft.line(0, &format!("… failures {first}-{last}{command}"), usize::MAX);
        }
        let Self { draft: Draft { text, left_out, .. }, number: failures, options, .. } = self;
        let text = paths::relative(text, options.directory);
        Digest { text, left_out, failures, complete, is_most, is_since: false }
    }
}

/// The name of a finding's severity; below a warning the tool's own (`style`), if that names a thing.
fn own_word<'t>(finding: &Finding<'t>) -> &'t str {
    match (finding.severity, finding.word) {
        (Severity::Error, _) => "error",
        (Severity::Warning, _) => "warning",
        (Severity::Note, "" | "help") => "finding",
        (Severity::Note, "info") => "info finding",
        (Severity::Note, "style") => "style finding",
        (Severity::Note, word) => word,
    }
}

//! A section as it is told: put in order once, then written with one level of detail after another until it fits.

use std::ops::Range;

use super::super::reader::Read;
use super::super::record::{Dropped, Total, What};
use super::groups::{self, Groups};
use super::omission::{LeftOut, Omission};

/// A section with all that is told of it.
pub struct Part<'r, 't> {
    /// Its lines and records.
    pub read: &'r Read<'t>,
    /// The groups that are told once.
    pub groups: Groups<'r, 't>,
    /// The tool's own totals.
    pub totals: Vec<&'r Total<'t>>,
    /// What the digest tells, each item at its line.
    pub items: Vec<(usize, Item<'r, 't>)>,
    /// Number of tests that passed.
    pub passing: usize,
    /// Number of files, classes or packages whose tests passed.
    pub passing_groups: usize,
    /// Lines that are not told in any digest.
    pub left_out: LeftOut,
}

/// An item of the digest.
pub enum Item<'r, 't> {
    /// The group of tests of this index.
    Tests(usize),
    /// All findings.
    Findings,
    /// Output that belongs to no failure.
    Log(&'r super::super::record::Part<'t>),
    /// Lines that are no record.
    Kept(Range<usize>),
}

impl<'r, 't> Part<'r, 't> {
    /// Puts a section in order; with `is_failures` only failures are told.
    pub fn of(read: &'r Read<'t>, is_failures: bool) -> Self {
        let groups = groups::of(&read.records);
        let position = |record: usize| read.records[record].lines.start;
        let tests = groups.tests.iter().enumerate();
        let mut items: Vec<_> = tests.map(|(at, group)| (position(group.at), Item::Tests(at))).collect();
        items.extend(groups.findings_at.map(|at| (position(at), Item::Findings)));
        let mut part = Self {
            read,
            groups,
            totals: Vec::new(),
            items,
            passing: 0,
            passing_groups: 0,
            left_out: LeftOut::default(),
        };
        for record in &read.records {
            match &record.what {
                What::Total(total) => part.totals.push(total),
                What::Log(log) if !is_failures => part.items.push((record.lines.start, Item::Log(log))),
                What::Dropped(dropped) => part.dropped(*dropped, record.lines.len()),
                _ => {}
            }
        }
        if !is_failures {
            let runs = read.kept.chunk_by(|at, next| at + 1 == *next);
            let runs = runs.map(|run| run[0]..run[0] + run.len());
            part.items.extend(runs.map(|run| (run.start, Item::Kept(run))));
        }
        part.items.sort_by_key(|(position, _)| *position);
        part
    }

    fn dropped(&mut self, dropped: Dropped, lines: usize) {
        let why = match dropped {
            Dropped::Passing(count) => {
                self.passing += count;
                Omission::Passing
            }
            Dropped::PassingGroup => {
                self.passing_groups += 1;
                Omission::Passing
            }
            Dropped::Heading => Omission::Heading,
            Dropped::Repeated => Omission::Repeat,
        };
        self.left_out.add(why, lines);
    }
}

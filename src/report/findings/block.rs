//! Findings of several lines, whose tools have tables of patterns: of the line that begins a finding, and of those below.

use std::borrow::Cow;

use super::super::record::{Dropped, Finding, Place, Severity, Total};
use super::super::section::{Family, Section};
use super::super::table::{Groups, Table};
use super::form;

/// What a line is. Groups of the pattern: `file`, `line`, `col`, `word`, `code`, `message`, `note`, and `source` with its
/// number `n`, if that has to be the finding's line.
#[derive(Clone, Copy)]
pub enum Act {
    /// Begins a finding of this severity, if its word tells no other; the words are its message where it has none.
    Head(Severity, &'static str),
    /// Begins what is a finding only with a place.
    Maybe(Severity),
    /// Begins a finding of several things that are said, each with its frames; without a frame its lines are totals.
    Said(Severity),
    /// Begins what other findings say, too.
    Again,
    /// Is of the finding.
    More,
    /// Is of the finding, and parts what is said.
    Part,
    /// Is of the finding as long as nothing but a headline was said.
    Gap,
    /// Says the message, and how severe it is, if there is none yet; more of it in the same part; else a note.
    Told(Severity),
    /// Goes on with a line of the message that was wrapped: with the last one from this on, in the same part.
    Join(usize),
    /// Names the function that the last line of the message led to.
    Frame,
    /// Says that the lines up to the next part are notes; is one itself, if its pattern says so.
    Notes,
    /// Names the file of the findings that follow, or their line, which then stands below.
    File,
    /// Is of no finding; its note is one on the findings that follow and have a place.
    Drop(Dropped),
    /// Is of no finding.
    End,
}

/// What a line says that is read next.
#[derive(Default, PartialEq, Eq)]
enum Next {
    /// More of the message.
    #[default]
    Message,
    /// Something else.
    Other,
    Notes,
}

#[derive(Default)]
struct Reader<'t> {
    finding: Finding<'t>,
    next: Next,
    /// Number of frames; of those of the message's last line.
    frames: [usize; 2],
}

/// Reads the findings of a tool and its totals, and drops its headings.
pub fn read(section: &mut Section<'_>, family: &Family, table: &Table<Act>) {
    let (mut head, mut within, mut found) = ((0..0, Place::of_file("")), None, false);
    section.each_free(|section, at| {
        let line = section.text(at).trim_end();
        let rule = table.rule(line)?;
        let groups = rule.groups(line);
        let (severity, words) = match rule.act {
            Act::Head(severity, words) => (severity, words),
            Act::Maybe(severity) | Act::Said(severity) => (severity, ""),
            Act::Again => (Severity::Error, ""),
            Act::File => {
                let place = groups.place()?;
                head = (at..at + 1 + usize::from(place.line > 0), place);
                return None;
            }
            Act::Drop(why) => {
                within = groups.get("note").map(|note| section.quote(at, note)).or(within);
                section.drop_lines(at..at + 1, why);
                return None;
            }
            _ => return None,
        };
        let place = groups.place_in(head.1);
        let notes = within.filter(|_| place.is_some()).into_iter().collect();
        let finding = Finding { place, severity, notes, ..Finding::default() };
        let mut reader = Reader { finding, ..Reader::default() };
        reader.add(section, at, &groups);
        reader.finding.message.extend((!words.is_empty()).then(|| words.into()));
        let end = section.while_free(at + 1, |at| reader.goes_on(section, at, table));
        let Reader { mut finding, frames, .. } = reader;
        match rule.act {
            Act::Said(_) if frames[0] == 0 => {
                for (at, line) in (at..end).zip(finding.message) {
                    if let Cow::Borrowed(line) = line {
                        section.add(at..at + 1, Total::of(vec![section.quote(at, line)]));
                    }
                }
            }
            _ if finding.message.is_empty() => return None,
            Act::Maybe(_) if finding.place.is_none() => return None,
            Act::Again => section.drop_lines(at..end, Dropped::Repeated),
            _ => {
                if finding.place.is_some_and(|place| place.file == head.1.file) {
                    let source = head.0.clone().skip(1).map(|at| section.quote(at, section.text(at).trim()));
                    finding.source.extend(source.filter(|said| !said.text.is_empty()));
                    section.drop_lines(head.0.clone(), Dropped::Heading);
                }
                found |= section.add(at..end, finding);
            }
        }
        Some(end)
    });
    let before = section.records.len();
    section.totals(family.success);
    if found || section.records.len() > before {
        section.totals(if found { family.totals } else { &[] });
        section.headings(family.headings);
    }
}

impl<'t> Reader<'t> {
    /// Adds a line below the head of a finding; returns whether it is of the finding.
    fn goes_on(&mut self, section: &Section<'t>, at: usize, table: &Table<Act>) -> bool {
        let line = section.text(at).trim_end();
        if self.next == Next::Notes && !line.is_empty() {
            self.finding.notes.push(section.quote(at, line.trim_start()));
            return true;
        }
        let Some(rule) = table.rule(line) else { return false };
        let groups = rule.groups(line);
        let (message, is_open) = (groups.of("message"), self.next == Next::Message);
        match rule.act {
            Act::More | Act::Said(_) => {}
            Act::Part => self.next = Next::Other,
            Act::Notes => self.next = Next::Notes,
            Act::Gap => return self.finding.message.len() == 1,
            Act::Told(severity) if self.finding.message.is_empty() => self.finding.severity = severity,
            Act::Told(_) if is_open => {}
            Act::Told(_) => {
                self.finding.notes.push(section.quote(at, message));
                return true;
            }
            Act::Join(first) => {
                let last = self.finding.message.iter_mut().skip(first).next_back();
                if let Some(last) = last.filter(|_| is_open) {
                    last.to_mut().extend([" ", message]);
                    return true;
                }
                self.next = Next::Message;
            }
            Act::Frame => {
                self.frame(message, groups.place());
                return true;
            }
            _ => return false,
        }
        self.add(section, at, &groups);
        true
    }

    /// Adds a frame to the last line of the message; the first one in the project is the place.
    fn frame(&mut self, name: &str, place: Option<Place<'t>>) {
        let Some(last) = self.finding.message.last_mut().map(Cow::to_mut) else { return };
        if self.frames[1] == 0 {
            last.truncate(last.trim_end_matches(" at").trim_end_matches(':').len());
        }
        last.extend([if self.frames[1] == 0 { " at " } else { ", by " }, name]);
        self.frames = self.frames.map(|count| count + 1);
        self.finding.place = self.finding.place.or(place);
    }

    /// Adds what the groups of a line say.
    fn add(&mut self, section: &Section<'t>, at: usize, groups: &Groups<'t>) {
        let finding = &mut self.finding;
        let quote = |name| groups.get(name).map(|text| section.quote(at, text.trim()));
        finding.place = groups.place().or(finding.place);
        if let Some(word) = groups.get("word") {
            (finding.word, finding.severity) = (word, form::severity(word).unwrap_or(finding.severity));
        }
        if finding.code.is_empty() {
            finding.code = groups.of("code");
        }
        if let Some(message) = groups.get("message") {
            finding.message.push(message.trim().into());
            self.frames[1] = 0;
        }
        finding.notes.extend(quote("note"));
        let line = finding.place.map(|place| place.line);
        if finding.source.is_empty() && groups.get("n").is_none_or(|number| number.parse().ok() == line) {
            finding.source.extend(quote("source"));
        }
    }
}

//! The reader of tools whose findings begin with a line of a known form.

use std::collections::HashSet;

use super::super::record::{Dropped, Finding, Place, Severity, What};
use super::super::section::{Records, Section};
use super::detail::{self, Behind, PLAIN};
use super::form::{Form, Reader};
use super::pattern;

/// A tool, or several that write alike.
pub struct Tool {
    /// The forms of a finding, tried on every line in this order.
    pub forms: &'static [Form],
    /// Whether blanks may stand in front of a finding.
    pub is_indented: bool,
    /// Whether a finding must have a column; a place without one is then a line of a program's log.
    pub needs_column: bool,
    /// The severity of a finding that has neither a word for it nor a code.
    pub severity: Severity,
    /// What may stand behind a finding's line.
    pub behind: Behind,
    /// Extensions of the tool's files; empty if the tool reads every kind.
    pub extensions: &'static [&'static str],
    /// Behind such a line, findings that were told before are listed again.
    pub again: &'static [&'static str],
    /// Lines of totals, read only if the tool found something.
    pub totals: &'static [&'static str],
    /// Lines of totals that no other tool writes, read in any case.
    pub success: &'static [&'static str],
    /// Lines that say nothing of their own, if the tool found something.
    pub headings: &'static [&'static str],
}

/// A form of the table.
pub const fn form(template: &'static str, is_code: fn(&str) -> bool) -> Form {
    Form { template, is_code }
}

/// What most tools of the table have in common.
pub const TOOL: Tool = Tool {
    forms: &[],
    is_indented: false,
    needs_column: false,
    severity: Severity::Note,
    behind: PLAIN,
    extensions: &[],
    again: &[],
    totals: &[],
    success: &[],
    headings: &[],
};

impl Tool {
    /// Whether the tool reads files with this path's extension.
    pub fn is_file(&self, path: &str) -> bool {
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        self.extensions.is_empty() || self.extensions.contains(&extension)
    }
}

/// Reads the findings of a tool, then its totals, and drops its headings.
pub fn read<'t>(section: &Section<'t>, records: &mut Records<'t>, tool: &Tool) {
    let readers: Vec<_> = tool.forms.iter().map(Form::reader).collect();
    let (mut seen, mut is_again, mut found) = (HashSet::new(), false, false);
    let (mut at, mut led) = (0, 0);
    while at < section.lines.len() {
        let line = section.text(at);
        let finding = if records.is_free(at) { finding(line, tool, &readers) } else { None };
        let Some(mut finding) = finding else {
            is_again |= found && !tool.again.is_empty() && pattern::is_like_any(line.trim_end(), tool.again);
            if !(tool.behind.leads)(line) {
                led = at + 1;
            }
            at += 1;
            continue;
        };
        if led < at
            && finding.place.is_some_and(|place| place.is_foreign() || place.file.starts_with("/usr/"))
        {
            // Otherwise it would be unknown what included a library's header.
            let from = (led..at).map(|at| section.said(at)).filter(|said| said.text.contains("from "));
            finding.notes.extend(from);
        }
        let end = detail::read(section, records, at, &tool.behind, &mut finding);
        let key = (finding.place, finding.code, finding.message[0].clone());
        let is_told = is_again && seen.contains(&key);
        if !tool.again.is_empty() {
            seen.insert(key);
        }
        let what = if is_told { What::Dropped(Dropped::Repeated) } else { finding.into() };
        found |= records.add(at..end, what);
        (at, led) = (end, end);
    }
    pattern::totals(section, records, tool.success);
    if found {
        records.drop_headings(section, tool.behind.leads);
        pattern::totals(section, records, tool.totals);
        pattern::headings(section, records, tool.headings);
    }
}

fn finding<'t>(line: &'t str, tool: &Tool, readers: &[Reader]) -> Option<Finding<'t>> {
    let line = if tool.is_indented { line.trim_start() } else { line };
    let mut found = readers.iter().find_map(|reader| reader.read(line))?;
    if found.word.is_empty() && found.code.is_empty() {
        found.severity = tool.severity;
    }
    let is_place =
        |place: Place<'_>| tool.is_file(place.file) && (place.column.is_some() || !tool.needs_column);
    found.place.is_none_or(is_place).then_some(found)
}

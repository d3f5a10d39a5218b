//! Runs a filter's rules over an output, in the order of docs/filters.md. Lines that a rule takes out are counted or
//! named by a mark. After a failure, lines that may say why stay. Text that a filter wrote and no tool stands behind a
//! mark, with the lines that must stand beside such text.

use std::collections::HashSet;

use once_cell::sync::Lazy;
use regex::bytes::Regex;

use super::schema::{Branch, FilterFile, Script};
use super::script::TIME;
use super::value::Budget;
use super::{Call, Notices, commands, summary, tidy};
use crate::failure::says_why;
use crate::filter::fold::Folds;
use crate::filter::lines::{Line, Lines, MARK, is_mark, is_settled, lines_of, mark};
use crate::filter::pattern::{Pattern, limited, ours};
use crate::filter::{Filtered, generic, reshape};
use crate::marks::fit;
use crate::mistake::Mistake;

/// Maximum number of rules of a filter, since every rule looks at every line; more are a mistake.
const MOST_RULES: usize = 200;
/// Maximum memory of all expressions of a list together, in bytes.
const JOINED_LIMIT: usize = 4 << 20;

/// A filter's compiled rules, for a command that succeeded or for one that failed.
#[derive(Debug)]
pub struct Rules<'f> {
    file: &'f FilterFile,
    branch: &'f Branch,
    skip: Option<Regex>,
    keep: Option<Regex>,
    folds: Folds<'f>,
}

#[derive(Default)]
struct Written {
    text: Option<Vec<u8>>,
    /// Lines of a tree that was drawn from the tool's own lines.
    drawn: HashSet<Vec<u8>>,
    ran: Vec<String>,
}

impl<'f> Rules<'f> {
    /// Compiles the rules of `file`, which stands in `source`, for a command that succeeded or failed. The error is a
    /// mistake in a rule that is in force then.
    pub fn new(file: &'f FilterFile, source: &str, succeeded: bool) -> Result<Self, Mistake> {
        let lists = [
            file.fold.len(),
            file.replace.len(),
            file.match_output.len(),
            file.section.len(),
            file.chunk.len(),
        ];
        let rules: usize = lists.iter().sum();
        if rules > MOST_RULES {
            return Err(Mistake::at(source, 0, format!("{rules} rules, more than {MOST_RULES}")));
        }
        let branch = if succeeded { &file.on_success } else { &file.on_failure };
        let skip = any_of(file.skip.iter().chain(&branch.skip), source)?;
        let keep = any_of(file.keep.iter().chain(&branch.keep), source)?;
        let folds = Folds::new(file.fold.iter().chain(&branch.fold), source, succeeded)?;
        let mistake = file.parts(branch).iter().find_map(|part| part.mistake(source, true));
        mistake.map_or(Ok(Self { file, branch, skip, keep, folds }), Err)
    }

    /// Whether the filter may write text that the tool did not print.
    fn writes(&self) -> bool {
        self.file.pipeline.as_ref().is_some_and(Script::is_given)
            || !self.file.match_output.is_empty()
            || summary::reads_lines(self.file, self.branch)
    }

    /// Runs the rules over the lines of `text`. Returns whether the rule for any text is left out, and the commands
    /// that were run beside the tool, as marks tell them. A filter that writes text leaves an output with a mark in it
    /// as it is, so that filtering twice is the same as filtering once.
    fn run<'a>(&self, text: &'a [u8], lines: &mut Lines<'a>, call: &Call<'_>) -> (bool, Vec<String>) {
        let (file, branch) = (self.file, self.branch);
        if (self.writes() || file.on_empty.is_some()) && lines.iter().any(is_mark) {
            return (true, Vec::new());
        }
        let written = if self.writes() {
            self.write(text, lines, call)
        } else {
            self.reduce(lines, call);
            Written::default()
        };
        if let Some(made) = &written.text {
            take(made, text, &written.drawn, lines, call);
        } else {
            self.folds.run(lines);
            let tail = branch.tail.or(file.tail).or(file.fallback.tail);
            tidy::ends(lines, branch.head.or(file.head), tail, call.succeeded());
            for line in lines.all.iter_mut().filter(|line| line.rewritten) {
                *line = marked(&line.text).into();
            }
        }
        if let Some(message) = file.on_empty.as_ref().filter(|_| tidy::is_blank(lines)) {
            take(message.as_bytes(), text, &HashSet::new(), lines, call);
        }
        tidy::ends(lines, file.max_lines, None, call.succeeded());
        tidy::truncate(lines, file.truncate_lines_at);
        let wrote = written.text.is_some();
        if !wrote {
            reshape::run(&file.reshape, lines);
        }
        (file.verbatim || wrote, written.ran)
    }

    /// Runs the rules that write text in place of the lines. Where none writes, `lines` has what is left.
    fn write<'a>(&self, text: &'a [u8], lines: &mut Lines<'a>, call: &Call<'_>) -> Written {
        let budget = Budget::for_input(text.len());
        if let Some(made) = self.file.match_output.iter().find_map(|rule| rule.apply(text, &budget)) {
            return Written { text: Some(made), ..Written::default() };
        }
        let drawn = self.reduce(lines, call);
        let left: Vec<&[u8]> = lines.iter().collect();
        if let Some(script) = self.file.pipeline.as_ref().filter(|script| script.is_given()) {
            match script.run_within(TIME, &left.join(&b'\n'), call) {
                Ok(Some(made)) => return Written { text: Some(made), drawn, ..Written::default() },
                Ok(None) => {}
                Err(reason) => {
                    Notices::add(call.notices, &format!("{reason}; the output is not filtered"));
                    // The script was to read the whole output and failed, so nothing is left out.
                    *lines = Lines::new(text);
                    return Written::default();
                }
            }
        }
        let (ran, beside) = self.steps(call);
        let made = summary::of_lines(self.file, self.branch, text, &left, &beside, &budget);
        if budget.0.get() == 0 {
            Notices::add(call.notices, "the filter's template is too much work; the output is without it");
        }
        Written { text: made, drawn, ran }
    }

    /// Runs the commands beside the tool. Returns the commands that ran, as marks tell them, and their outputs by name.
    fn steps(&self, call: &Call<'_>) -> (Vec<String>, Vec<(String, Vec<u8>)>) {
        let (mut ran, mut beside) = (Vec::new(), Vec::new());
        let Some(runner) = call.steps else { return (ran, beside) };
        for step in &self.file.step {
            let command = step.run.get_ref();
            match runner.output(&step.name, command) {
                Ok(output) => {
                    ran.push(commands::told(&[command.into()]));
                    beside.push((step.name.clone(), fit(&output).into_owned()));
                }
                Err(reason) => Notices::add(call.notices, &format!("{command}: {reason}")),
            }
        }
        (ran, beside)
    }

    /// Runs the rules that take out or change lines one by one, then draws the tree. Returns the lines of the tree.
    fn reduce(&self, lines: &mut Lines<'_>, call: &Call<'_>) -> HashSet<Vec<u8>> {
        self.one_by_one(lines, call);
        let Some(tree) = self.file.tree.as_ref().filter(|_| call.succeeded()) else { return HashSet::new() };
        // A tree that these rules would take apart again is not drawn.
        tree.draw(lines, |drawn| {
            let text = drawn.join(&b'\n');
            let mut again = Lines::new(&text);
            self.one_by_one(&mut again, call);
            again.iter().eq(drawn.iter().map(Vec::as_slice))
        })
    }

    fn one_by_one(&self, lines: &mut Lines<'_>, call: &Call<'_>) {
        let file = self.file;
        tidy::replace(&file.replace, file.trim_lines, lines, call.succeeded());
        // By `skip` and `keep`. A line that a fold matches is not dropped, since it will be counted.
        let goes = |line: &[u8]| {
            let is_skipped = self.skip.as_ref().is_some_and(|skip| skip.is_match(line));
            (is_skipped || self.keep.as_ref().is_some_and(|keep| !keep.is_match(line)))
                && (call.succeeded() || !says_why(line))
                && !is_settled(line)
                && self.folds.rule_for(line).is_none()
        };
        let before = lines.len();
        lines.all.retain(|line| !goes(&line.text));
        lines.left_out += before - lines.len();
        tidy::empties(lines, file.strip_empty_lines, file.collapse_empty_lines);
        tidy::dedup(lines, file.dedup_window.unwrap_or(0).max(usize::from(file.dedup)));
    }
}

/// Runs a filter's rules over an output, then the rule for any text.
pub fn run(rules: &Rules<'_>, text: &[u8], call: &Call<'_>) -> Option<Filtered> {
    let mut lines = Lines::new(text);
    let (is_settled, ran) = rules.run(text, &mut lines, call);
    if !is_settled {
        generic::fold(&mut lines);
    }
    // The last marks: the exit status, where a mark judges; that lines are missing, where no other mark says so.
    if rules.writes() || !rules.file.replace.is_empty() || rules.file.on_empty.is_some() {
        tell_status(&mut lines, call);
    }
    if rules.writes() && !lines.iter().any(is_mark) && !lines.iter().eq(lines_of(text)) {
        let kept: HashSet<&[u8]> = lines.iter().map(<[u8]>::trim_ascii).collect();
        let went = lines_of(text).filter(|line| !kept.contains(line.trim_ascii())).count();
        lines.all.push(mark(went, "more lines").into_bytes().into());
    }
    for command in ran.iter().rev() {
        lines.all.insert(0, marked(command.as_bytes()).into());
    }
    lines.finish(text)
}

/// One expression for all `patterns`, which stand in `source`; `None` where there are none. The error is the first
/// expression that does not parse or grows too large.
fn any_of<'a>(
    patterns: impl IntoIterator<Item = &'a Pattern> + Clone,
    source: &str,
) -> Result<Option<Regex>, Mistake> {
    let joined: Vec<String> =
        patterns.clone().into_iter().map(|pattern| format!("(?:{})", pattern.text())).collect();
    if joined.is_empty() {
        return Ok(None);
    }
    if let Ok(regex) = limited(&joined.join("|"), JOINED_LIMIT) {
        return Ok(Some(regex));
    }
    for pattern in patterns {
        pattern.compile(source)?;
    }
    Err(Mistake::at(source, 0, "these expressions are too large together"))
}

/// Number of last lines that stay of a failure that no line explains.
const LAST_LINES: usize = 10;
/// Denials of a failure: `no warnings`, `0 failed`.
static DENIAL: Lazy<Regex> = Lazy::new(|| {
    ours(r"(?i)\b(?:no|0|without)(?: \w+)? (?:errors?|warnings?|failures?|failed|vulnerabilities)\b")
});
/// Places and codes: `src/main.rs:12`, `main.ts(3,14)`, `main.py", line 7`, `--> `, `E0308`, `exit status 2`.
static PLACE: Lazy<Regex> = Lazy::new(|| {
    ours(
        r#"(?-u)[A-Za-z0-9_]\.[A-Za-z]{1,5}[:(]\d+|\.[A-Za-z]{1,5}", line \d+|^\s*(?:-->|at )|\b[A-Z]{1,4}\d{3,5}\b|(?i:exit|status|code|signal)\W{1,4}\d+"#,
    )
});
/// Words that say that all is well.
static PRAISE: Lazy<Regex> =
    Lazy::new(|| ours(r"(?i)\b(?:ok|success\w*|succeeded|pass\w*|done|clean|finished|complete\w*)\b|[✓✔√]"));

/// Puts a text that a filter wrote in place of the lines of `text`. A written line that is neither the tool's nor
/// `drawn` from the tool's goes behind a mark. After a failure, every line of `text` that may say why or where follows;
/// where no line does, the last lines follow.
fn take<'a>(
    written: &[u8],
    text: &'a [u8],
    drawn: &HashSet<Vec<u8>>,
    lines: &mut Lines<'a>,
    call: &Call<'_>,
) {
    // The written lines that are the text's. The set is made of what was written, which is short.
    let mut wanted: HashSet<&[u8]> = lines_of(written).map(<[u8]>::trim_ascii).collect();
    let known: HashSet<&[u8]> = lines_of(text).filter_map(|line| wanted.take(line.trim_ascii())).collect();
    let taken = lines_of(written).map(|line| {
        let body = line.trim_ascii();
        let is_known = body.is_empty() || known.contains(body) || drawn.contains(body) || is_mark(line);
        Line::from(if is_known { line.to_vec() } else { marked(line) })
    });
    lines.all = taken.collect();
    let mut kept: HashSet<Vec<u8>> = lines.iter().map(|line| line.trim_ascii().to_vec()).collect();
    if !call.succeeded() {
        let explains = |line: &[u8]| says_why(line) || PLACE.is_match(line);
        let mut told: Vec<&[u8]> = lines_of(text).filter(|line| explains(line)).collect();
        if told.is_empty() && !lines.iter().any(|line| !is_mark(line) && explains(line)) {
            told.extend(lines_of(text).filter(|line| !line.trim_ascii().is_empty()));
            told.drain(..told.len().saturating_sub(LAST_LINES));
        }
        told.retain(|line| kept.insert(line.trim_ascii().to_vec()));
        lines.all.extend(told.into_iter().map(Line::from));
    }
    let went =
        lines_of(text).map(<[u8]>::trim_ascii).filter(|line| !line.is_empty() && !kept.contains(*line));
    lines.left_out = went.count();
}

/// Puts the exit status in front where a mark judges: after a success by blame, after a failure also by praise.
fn tell_status(lines: &mut Lines<'_>, call: &Call<'_>) {
    let Some(exit) = call.exit else { return };
    // After a success "no warnings" is no judgement that the status has to explain.
    let condemns = |line: &[u8]| match exit {
        0 => says_why(&DENIAL.replace_all(line, &b""[..])),
        _ => says_why(line) || PRAISE.is_match(line),
    };
    let judges = |line: &[u8]| is_mark(line) && condemns(line);
    if lines.iter().any(judges) {
        let status = marked(format!("exit status {exit}").as_bytes());
        if !lines.iter().any(|line| line == status) {
            lines.all.insert(0, status.into());
        }
    }
}

fn marked(line: &[u8]) -> Vec<u8> {
    [MARK.as_bytes(), line.trim_ascii_end()].concat()
}

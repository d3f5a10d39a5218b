//! Runs a filter's rules over an output, in the order of docs/filters.md. Lines that a rule takes out are counted or
//! named by a mark. After a failure, lines that may say why stay. Text that a template writes stands behind a mark.

use std::collections::HashSet;

use super::call::Call;
use super::notice::Notices;
use super::schema::{Branch, FilterFile, Script};
use super::select::Select;
use super::value::Budget;
use super::{commands, marks, replace, summary, tidy};
use crate::filter::lines::{Lines, is_mark, lines_of, mark};
use crate::filter::{Filtered, generic, reshape};
use crate::mistake::Mistake;

/// Maximum number of rules of a filter, since every rule looks at every line; more are a mistake.
const MOST_RULES: usize = 200;

/// A filter's compiled rules, for a command that succeeded or for one that failed.
#[derive(Debug)]
pub struct Rules<'f> {
    file: &'f FilterFile,
    branch: &'f Branch,
    select: Select<'f>,
}

/// What a filter wrote in place of an output.
#[derive(Default)]
struct Written {
    text: Option<Vec<u8>>,
    /// Lines of a tree that was drawn from the tool's own lines.
    drawn: HashSet<Vec<u8>>,
    /// The commands that were run beside the tool, as marks tell them.
    ran: Vec<String>,
}

impl<'f> Rules<'f> {
    /// Compiles the rules of `file`, which stands in `source`, for a command that succeeded or failed. The error is a
    /// mistake in a rule that is in force then.
    pub fn new(file: &'f FilterFile, source: &str, succeeded: bool) -> Result<Self, Mistake> {
        let rules = file.fold.len()
            + file.replace.len()
            + file.match_output.len()
            + file.section.len()
            + file.chunk.len();
        if rules > MOST_RULES {
            return Err(Mistake::at(source, 0, format!("{rules} rules, more than {MOST_RULES}")));
        }
        let branch = if succeeded { &file.on_success } else { &file.on_failure };
        let select = Select::new(file, branch, source, succeeded)?;
        match file.parts(branch).iter().find_map(|part| part.mistake(source, true)) {
            Some(mistake) => Err(mistake),
            None => Ok(Self { file, branch, select }),
        }
    }

    /// Whether the filter may write text that the tool did not print.
    fn writes(&self) -> bool {
        self.file.pipeline.as_ref().is_some_and(Script::is_given)
            || !self.file.match_output.is_empty()
            || summary::reads_lines(self.file, self.branch)
    }

    /// Runs the rules over the lines of `text`. Returns whether the rules for any text are left out, and the commands
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
            marks::take(made, text, &written.drawn, lines, call);
        } else {
            self.select.folds.run(lines);
            let tail = branch.tail.or(file.tail).or(file.fallback.tail);
            tidy::ends(lines, branch.head.or(file.head), tail, call.succeeded());
            marks::mark_rewritten(lines);
        }
        if let Some(message) = file.on_empty.as_ref().filter(|_| tidy::is_blank(lines)) {
            marks::take(message.as_bytes(), text, &HashSet::new(), lines, call);
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
            match script.run(&left.join(&b'\n'), call) {
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
        if budget.is_spent() {
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
                    beside.push((step.name.clone(), output));
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
        replace::run(&file.replace, file.trim_lines, lines, call.succeeded());
        self.select.drop(lines);
        tidy::empties(lines, file.strip_empty_lines, file.collapse_empty_lines);
        tidy::dedup(lines, file.dedup_window.unwrap_or(0).max(usize::from(file.dedup)));
    }

    /// Adds the last marks: the exit status, where a mark judges; that lines are missing, where no other mark says so.
    fn conclude(&self, text: &[u8], lines: &mut Lines<'_>, call: &Call<'_>) {
        if self.writes() || !self.file.replace.is_empty() || self.file.on_empty.is_some() {
            marks::tell_status(lines, call);
        }
        if self.writes() && !lines.iter().any(is_mark) && !lines.is(text) {
            let kept: HashSet<&[u8]> = lines.iter().map(<[u8]>::trim_ascii).collect();
            let went = lines_of(text).filter(|line| !kept.contains(line.trim_ascii())).count();
            lines.push(mark(went, "more lines").into_bytes());
        }
    }
}

/// Runs a filter's rules over an output, then the rules for any text.
pub fn run(rules: &Rules<'_>, text: &[u8], call: &Call<'_>) -> Option<Filtered> {
    let mut lines = Lines::new(text);
    let (is_settled, ran) = rules.run(text, &mut lines, call);
    if !is_settled {
        generic::fold(&mut lines);
    }
    rules.conclude(text, &mut lines, call);
    for command in ran.iter().rev() {
        lines.insert_first(marks::marked(command.as_bytes()));
    }
    lines.finish(text)
}

#[cfg(test)]
mod tests {
    use crate::custom::tests::run;

    #[test]
    fn lines_fold_by_run_or_together() {
        let text = "ok 1\nok 2\nbad\nok 3\nok 4\nok 5\n";
        let filter = "[[fold]]\nmatch = '^ok'\nas = \"passing\"\n";
        assert_eq!(run(filter, 0, text), "… 2 passing\nbad\n… 3 passing\n");
        let filter = format!("{filter}together = true\n");
        assert_eq!(run(&filter, 0, text), "… 5 passing\nbad\n");
        assert_eq!(run(&filter, 0, "… 5 passing\nbad\n"), "… 5 passing\nbad\n");
        assert_eq!(run(&filter, 0, "ok 1\nbad\n"), "ok 1\nbad\n");
    }

    #[test]
    fn what_says_why_stays_after_a_failure() {
        let text = "note 1\nnote 2: error x\nnote 3\n";
        let filter = "skip = ['^note']\n";
        assert_eq!(run(filter, 0, text), "");
        assert_eq!(run(filter, 1, text), "note 2: error x\n");
        let filter = "[[fold]]\nmatch = '^note'\nas = \"notes\"\nharmless = true\n";
        assert_eq!(run(filter, 1, text), "… 3 notes\n");
        assert_eq!(run("[on_failure]\ntail = 1\n", 1, text), "… 1 more lines\nnote 2: error x\nnote 3\n");
        assert_eq!(run("max_lines = 1\n", 1, text), "note 1\nnote 2: error x\n… 1 more lines\n");
    }

    #[test]
    fn a_tree_that_keep_would_take_apart_is_not_drawn() {
        let source = "keep = ['^  ']\n[tree]\npattern = '^(\\s*)(\\S+)$'\nmin_files = 1\nmin_shared_depth = 0\ncollapse_single_child = false\n";
        let once = run(source, 0, "  src/b/d.rs\ngone\n");
        assert_eq!(once, "  src/b/d.rs\n");
        assert_eq!(run(source, 0, &once), once);
        assert!(run(&source.replace("['^  ']", "['']"), 0, "  src/b/d.rs\n").contains("as a tree"));
    }

    #[test]
    fn lines_that_a_fold_brings_together_are_folded_at_once() {
        let source = "[[fold]]\nmatch = '^x'\nas = 'xs'\ntogether = false\n[[fold]]\nmatch = '^c'\nas = 'cs'\ntogether = true\n";
        assert_eq!(run(source, 0, "c\nx 1\nc\nx 2\n"), "… 2 cs\n… 2 xs\n");
    }

    #[test]
    fn keep_and_tidy() {
        assert_eq!(run("keep = ['a']\n", 0, "a\nb\nab\n"), "a\nab\n");
        assert_eq!(run("collapse_empty_lines = true\n", 0, "a\n\n\n\nb\n"), "a\n\nb\n");
        assert_eq!(run("strip_empty_lines = true\ntrim_lines = true\n", 0, " a \n\nb\n"), "a\nb\n");
        assert_eq!(run("dedup = true\n", 0, "a\na\nb\n"), "a\nb\n");
        assert_eq!(run("dedup_window = 2\n", 0, "a\nb\na\nc\nd\na\n"), "a\nb\nc\nd\na\n");
        let cut = run("truncate_lines_at = 3\n", 0, &("é".repeat(99) + "\n"));
        assert_eq!(cut, "ééé… 96 more chars\n");
        assert_eq!(run("truncate_lines_at = 3\n", 0, &cut), cut);
        assert_eq!(run("head = 1\n", 0, "a\nb\nc\n"), "a\n… 2 more lines\n");
        assert_eq!(run("fallback.tail = 1\n", 0, "a\nb\nc\n"), "… 2 more lines\nc\n");
    }

    #[test]
    fn what_a_filter_writes_is_told_from_what_the_tool_printed() {
        let filter =
            "skip = ['^noise']\non_empty = \"tool: all well\"\n[on_success]\noutput = \"ok ✓ {output}\"\n";
        assert_eq!(run(filter, 0, "noise\nmain\n"), "… ok ✓ main\n");
        let filter = "[on_success]\noutput = \"{output | lines | keep: \\\"^b\\\" | join: \\\"\\\\n\\\"}\"\n";
        assert_eq!(run(filter, 0, "a\nb 1\nb 2\n"), "b 1\nb 2\n… 1 more lines\n");
        assert_eq!(run("skip = ['.']\non_empty = \"all gone\"\n", 0, "a\nb\n"), "… all gone\n");
    }

    #[test]
    fn good_news_needs_no_exit_status() {
        let filter = "[on_success]\noutput = \"ok ✓ 12 passed, 0 failed, no warnings\"\n";
        assert_eq!(run(filter, 0, "main\nx\n"), "… ok ✓ 12 passed, 0 failed, no warnings\n");
        let filter = filter.replace("0 failed", "2 failed");
        assert_eq!(run(&filter, 0, "main\n"), "… exit status 0\n… ok ✓ 12 passed, 2 failed, no warnings\n");
        let filter = "on_empty = \"nothing staged\"\n";
        assert_eq!(run(filter, 0, ""), "… nothing staged");
    }

    #[test]
    fn a_section_may_hold_the_line_that_opens_it() {
        let filter = "[[section]]\nenter = '^BAD'\nexit = '^(PASS|BAD)'\ninclude_enter = true\ncollect_as = \"blocks\"\n\
                      [on_success]\noutput = \"{blocks | join: '; '}\"\n";
        let filter = filter.replace("'; '", "\\\"; \\\"");
        assert_eq!(run(&filter, 0, "PASS a\nBAD b\nwhy\nBAD c\nPASS d\nend\n"), "… BAD b; why; BAD c\n");
        let without = filter.replace("include_enter = true\n", "");
        assert_eq!(run(&without, 0, "PASS a\nBAD b\nwhy\nPASS d\nend\n"), "why\n… 4 more lines\n");
    }

    #[test]
    fn a_summary_does_not_hide_a_failure() {
        let filter = "[[match_output]]\ncontains = \"main\"\noutput = \"ok ✓\"\n";
        assert_eq!(run(filter, 0, "main\nx\n"), "… ok ✓\n");
        assert_eq!(
            run(filter, 2, "main\nerror: no disk\nsrc/a.rs:3 here\nx\n"),
            "… exit status 2\n… ok ✓\nerror: no disk\nsrc/a.rs:3 here\n"
        );
        assert_eq!(run(filter, 2, "main\nx\n"), "… exit status 2\n… ok ✓\nmain\nx\n");
        let filter = filter.replace("ok ✓", "✗ failed");
        assert_eq!(run(&filter, 0, "main\nx\n"), "… exit status 0\n… ✗ failed\n");
    }

    #[test]
    fn match_output_has_exceptions_and_captures() {
        let filter = "match_output = [\n{ contains = \"done\", output = \"never\", unless = \"(?m)^w\" },\n\
                      { pattern = 'took (\\d+)', message = \"{1} s: {line_containing}\" },\n]\n";
        assert_eq!(run(filter, 0, "w\ndone\nit took 5 s\nx\n"), "… 5 s: it took 5 s\n");
        assert_eq!(run(filter, 0, "a\n"), "a\n");
    }

    #[test]
    fn lines_are_written_anew() {
        let filter =
            "skip = ['^up ']\n[[replace]]\npattern = '^(\\S+)\\s+\\S+\\s+(\\S+)$'\noutput = \"{1}: $2\"\n";
        assert_eq!(run(filter, 0, "web  old   new\nup\n"), "… web: new\nup\n");
        let filter = "[[replace]]\npattern = '^\\d+ (.*)$'\noutput = \"{1}\"\n";
        assert_eq!(run(filter, 0, "12 x\n"), "x\n", "a part of the line is the tool's");
        assert_eq!(run(filter, 0, "12 13 x\n"), "… 13 x\n", "it would change again");
        assert_eq!(run(filter, 1, "12 error x\n"), "12 error x\n");
        let filter = "[[replace]]\npattern = '/home/\\w+'\noutput = \"~\"\nreplace_all = true\n";
        assert_eq!(run(filter, 0, "/home/a/b /home/c\n"), "… ~/b ~\n");
    }
}

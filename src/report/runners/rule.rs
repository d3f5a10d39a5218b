//! What a line is, in a row of a runner's table.

use super::super::record::Verdict;

/// What a line is if a pattern fits it. Groups of the pattern: `id`, `file`, `line`, `col`, `why`, `n`, `of` (of a test its
/// class); `key` is the name under which the test began, `counted` the file as totals count it. `sure` marks what no other
/// tool writes, `alike` a heading whose reason may stand below the next one, `barred` one whose text stands
/// between two rules, `stacked` one below which a goroutine's stack follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// The heading of a failure, with what stands below.
    Fail(Verdict),
    /// A failure on one line: told only if nothing else tells it at length.
    Brief(Verdict),
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
    /// Repeats what other lines tell; `of` is the class of the failures that follow.
    Repeated,
    /// Names the `file` (`line`, `col`) of the failures that follow.
    File,
    /// Sets the outcome of the headings that follow.
    Now(Verdict),
    /// The headings that follow are no failures (risky tests): they stay lines.
    Aside,
    /// Skipped tests that follow may have been named before.
    Again,
    /// A test begins or goes on: the lines up to the next sign are its output.
    Begin,
    /// A test begins: whatever follows is its output, up to the sign that it ended.
    Open,
    /// Output that belongs to no failure.
    Log,
    /// A class begins (`id`): what is dropped once its results came, by `key` or `of`, or others' that name none.
    Started,
    /// So many tests (`n`) will tell their results, each at the beginning of a line.
    Plan,
    /// Ends what stands below a failure, and stays where it stands.
    End,
}

/// What a line of totals counts: the tool's words whose counts are failures. More failures than these, or fewer, were
/// not all told by the runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Nothing that can be compared.
    Nothing,
    /// Nothing that can be compared; of lines with the same words up to a colon the last.
    Last,
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

//! rspec and minitest.

use super::super::super::record::Outcome::{Error, Failed, Skipped};
use super::super::body;
use super::super::engine::{Table, Until, runner};
use super::super::rule::Act;
use super::below;

runner!(
    RSPEC,
    "rspec",
    &[" examples, ", " example, "],
    Table {
        rules: &[
            (Act::Now(Skipped), r"^Pending: .*$"),
            (Act::Now(Failed), r"^Failures:$"),
            (Act::Fail(Failed), r"^  \d+\) (?P<id>\S.*)$"),
            (Act::Fail(Error), r"^(?P<id>An error occurred while loading (?P<file>\S+?)\.)$"),
            (Act::Total, r"^\d+ examples?, .*$"),
            (
                Act::Brief(Failed),
                r"^rspec '?(?P<file>[^\s\[]+?)(?::(?P<line>\d+)|\[[\d:]+\])'? # (?P<id>\S.*)$"
            ),
            (
                Act::Heading,
                r"^Finished in .*$|^Failed examples:$|^Randomized with seed \d+$|^Run options: .*$"
            ),
            (Act::Repeated, r"^\s+.* \(FAILED - \d+\)$|^\s+.* \(PENDING: .*\)$"),
            (Act::Heading, r"^[.F*]{1,}$"),
        ],
        until: Until::Sign,
        below: body::read,
    }
);

runner!(
    MINITEST,
    "minitest",
    &[" runs, ", " assertions, "],
    Table {
        rules: &[
            (Act::Fail(Failed), r"^ *\d+\) (?P<id>Failure):$"),
            (Act::Fail(Error), r"^ *\d+\) (?P<id>Error):$"),
            (Act::Fail(Skipped), r"^ *\d+\) (?P<id>Skipped):$"),
            (Act::Total, r"^\d+ (?:runs|tests), \d+ assertions, .*$"),
            (Act::Heading, r"^Run options: .*$|^# Running:$|^Finished in .*$|^You have skipped tests\..*$"),
            (Act::Heading, r"^[.FESR]+$"),
            (Act::Pass, r"^\S+#\S+ = \d+\.\d+ s = \.$"),
            (Act::Repeated, r"^\S+#\S+ = \d+\.\d+ s = [FES]$"),
        ],
        until: Until::Sign,
        below: below::minitest,
    }
);

//! Drawn tables, listings and logs as documents: each cell in its own column, or the text as it came.

use llm_toto::document::tables::{Part, read};
use proptest::prelude::*;

use crate::notation::cases;

/// The tables of a text: of each row the names and texts of its cells.
fn tables(text: &str) -> Vec<Vec<Vec<(String, String)>>> {
    let Some(tables) = read(text) else { return Vec::new() };
    let document = &tables.document;
    let cell = |cell| {
        let key = document.key_id(cell).expect("a cell has a column");
        (document.key(key).to_owned(), document.text(cell).into_owned())
    };
    let ids = tables.parts.iter().filter_map(|part| match part {
        Part::Table(id) => Some(*id),
        Part::Text(_) => None,
    });
    ids.map(|id| document.children(id).map(|row| document.children(row).map(cell).collect()).collect())
        .collect()
}

/// What has to be read of the rows: cells that are not empty, by the names of their columns.
fn expected(names: &[&str], rows: &[Vec<String>]) -> Vec<Vec<(String, String)>> {
    let row = |row: &Vec<String>| {
        let cells = names.iter().zip(row).filter(|(_, cell)| !cell.is_empty());
        cells.map(|(name, cell)| ((*name).to_owned(), cell.clone())).collect()
    };
    rows.iter().map(row).collect()
}

/// Columns of a terminal, of the characters that [`CELLS`] has.
fn width(text: &str) -> usize {
    text.chars()
        .map(|c| if c == '\u{301}' { 0 } else { 1 + usize::from(('\u{3000}'..'\u{ffff}').contains(&c)) })
        .sum()
}

/// Pads, or for a number aligns right.
fn padded(text: &str, to: usize) -> String {
    let blanks = " ".repeat(to - width(text));
    if text.parse::<f64>().is_ok() { blanks + text } else { text.to_owned() + &blanks }
}

/// Cells that mislead, and some that do not.
const CELLS: &[&str] = &[
    "",
    "",
    "a",
    "1",
    "22",
    "-1.50",
    "a b",
    "a  b",
    "a | b",
    "|",
    "||",
    "| |",
    "x |",
    "+",
    "a +",
    "---",
    "-+-",
    "+---+",
    "(3 rows)",
    "日本",
    "日|本",
    "e\u{301}",
    "é | é",
    "│",
    "a │ b",
    "null",
    "true",
    "\"q\"",
    "a\tb",
    "\\",
    "C:\\x",
    "{\"a\": 1}",
    "a long text of several words",
    "-[ RECORD 1 ]---",
    "name | x",
    "=",
    ":",
    "...",
    "↵",
    "…",
];
const NAMES: [&str; 5] = ["id", "name", "created at", "état", "x"];

fn rows() -> impl Strategy<Value = (usize, Vec<Vec<String>>)> {
    (2..=NAMES.len()).prop_flat_map(|columns| {
        let cell = proptest::sample::select(CELLS).prop_map(str::to_owned);
        let row = proptest::collection::vec(cell, columns);
        (Just(columns), proptest::collection::vec(row, 1..6))
    })
}

/// How a kind of table is drawn: its rules with `left`, `cross`, `right` and `dash`; `bar` between cells.
fn drawn(
    names: &[&str],
    rows: &[Vec<String>],
    bar: &str,
    [top, middle, bottom]: [&str; 3],
    is_closed: bool,
) -> String {
    let widths: Vec<usize> = names
        .iter()
        .enumerate()
        .map(|(column, name)| {
            rows.iter().map(|row| width(&row[column])).chain([width(name)]).max().unwrap_or(0)
        })
        .collect();
    let rule = |parts: &str| {
        let part: Vec<String> = parts.chars().map(String::from).collect();
        let dashes: Vec<String> = widths.iter().map(|width| part[1].repeat(width + 2)).collect();
        let inner = dashes.join(&part[2]);
        if is_closed { format!("{}{inner}{}\n", part[0], part[3]) } else { inner + "\n" }
    };
    let line = |cells: Vec<&str>| {
        let cells: Vec<String> =
            cells.iter().zip(&widths).map(|(cell, width)| format!(" {} ", padded(cell, *width))).collect();
        let inner = cells.join(bar);
        if is_closed { format!("{bar}{inner}{bar}\n") } else { inner.trim_end().to_owned() + "\n" }
    };
    let mut text = if is_closed && !top.is_empty() { rule(top) } else { String::new() };
    text += &line(names.to_vec());
    text += &rule(middle);
    for row in rows {
        text += &line(row.iter().map(String::as_str).collect());
    }
    if is_closed && !bottom.is_empty() { text + &rule(bottom) } else { text }
}

/// Holds that a table is refused or read cell by cell.
fn check(text: &str, names: &[&str], rows: &[Vec<String>]) {
    let read = tables(text);
    assert!(read.is_empty() || read == [expected(names, rows)], "{text}{read:#?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(300), failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_drawn_table_is_refused_or_each_cell_stands_in_its_column((columns, rows) in rows()) {
        let names = &NAMES[..columns];
        let ascii = ["+-++"; 3];
        let aws = drawn(names, &rows, "|", ascii, true);
        let aws: String = aws.lines().map(|line| format!("||{line}||\n")).collect();
        for text in [
            drawn(names, &rows, "|", ascii, true),
            drawn(names, &rows, "│", ["┌─┬┐", "├─┼┤", "└─┴┘"], true),
            drawn(names, &rows, "┃", ["╔═╦╗", "╠═╬╣", "╚═╩╝"], true),
            drawn(names, &rows, "|", ["", "|-||", ""], true),
            drawn(names, &rows, "|", ["", " -+ ", ""], false) + "(3 rows)\n",
            drawn(names, &rows, "│", ["", " ─┼ ", ""], false),
            aws,
        ] {
            check(&text, names, &rows);
        }
    }

    #[test]
    fn records_are_refused_or_each_cell_stands_in_its_column((columns, rows) in rows()) {
        let names = &NAMES[..columns];
        let record = |(index, row): (usize, &Vec<String>)| {
            let line = |(name, cell): (&&str, &String)| format!("{} | {cell}\n", padded(name, 10));
            let lines: String = names.iter().zip(row).map(line).collect();
            format!("-[ RECORD {} ]-------\n{lines}", index + 1)
        };
        check(&rows.iter().enumerate().map(record).collect::<String>(), names, &rows);
    }

    #[test]
    fn a_listing_is_read_or_refused(rows in proptest::collection::vec((0..5usize, 0..99_999u32, "[ -~]{0,12}[!-~]"), 2..9)) {
        const DATES: [&str; 5] = ["Nov  3 20:50", "Nov 23  2025", "23 Nov 20:50", "2026-11-23 20:50", "2026-11-23 20:50:12.000000000 +0000"];
        let names = ["mode", "links", "owner", "group", "size", "modified", "name"];
        let row = |(date, size, name): &(usize, u32, String)| {
            ["-rw-r--r--", "1", "root", "me", &size.to_string(), DATES[*date], name].map(str::to_owned).to_vec()
        };
        let rows: Vec<_> = rows.iter().map(row).collect();
        let line = |row: &Vec<String>| {
            let [mode, links, owner, group, size, date, name] = &row[..] else { panic!("seven cells") };
            format!("{mode} {links:>3} {owner} {group:<5} {size:>6} {date} {name}\n")
        };
        let text = format!("total 8\n{}", rows.iter().map(line).collect::<String>());
        prop_assert_eq!(tables(&text), [expected(&names, &rows)]);
    }

    #[test]
    fn a_log_is_read_with_its_messages_whole(rows in proptest::collection::vec((0..4usize, 0..60u32, "[ -~]{0,20}[!-~]"), 8..20)) {
        let rows: Vec<Vec<String>> = rows.into_iter().map(|(level, second, message)| {
            let level = ["INFO", "WARN", "ERROR", "DEBUG"][level];
            vec!["2026-11-23T".into(), format!("10:00:{second:02}.125Z"), level.into(), "a.Logger".into(), message]
        }).collect();
        let line = |row: &Vec<String>| format!("{}{} {:>5} {} - {}\n", row[0], row[1], row[2], row[3], row[4]);
        let text: String = rows.iter().map(line).collect();
        prop_assert_eq!(tables(&text), [expected(&["date", "time", "level", "logger", "message"], &rows)]);
    }
}

#[test]
fn forms_of_logs_have_their_known_columns() {
    for (line, columns) in [
        ("Nov 20 03:15:0# depot-3 CRON[9836]: (root) CMD #", "date time host process message"),
        ("2026/11/21 11:04:0# [error] 12#34: *1 open() failed", "date time level message"),
        ("[   12.34567#] usb 1-1: new device", "time message"),
        ("[Sat Nov 21 11:04:0# 2026] usb 1-1: new device", "date time year message"),
        ("2026-11-21 11:04:0#.123 UTC [12] LOG:  ready", "date time zone message"),
        ("web-1  | 2026-11-21T11:04:0#Z INFO hello", "container date time level message"),
        ("2026-11-21 11:04:0#,329 - MainThread - a.b - DEBUG - x", "date time thread logger level message"),
        ("2026-11-21 11:04:0# INFO  [http-exec-1] a.B - x  y", "date time level thread logger message"),
        ("I1122 10:00:0#.123456   1234 server.go:1] Started", "date time pid source message"),
        (
            "::1 - bob [20/Nov/2026:03:14:0# +0000] \"GET / HTTP/1.1\" 200 - \"-\" \"curl\" rt=1",
            "client user date time zone request status agent message",
        ),
        ("10:00:0# 5 items done", "time message"),
    ] {
        let text: String = (0..9).map(|second| line.replace('#', &second.to_string()) + "\n").collect();
        let read = tables(&text);
        let names: Vec<_> = read.iter().flatten().flatten().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, [columns.split(' ').collect::<Vec<_>>()].concat().repeat(9), "{line}");
    }
}

#[test]
fn a_log_with_many_other_lines_stays() {
    let line = |second: usize| format!("2026-11-21 11:04:{second:02} INFO x\n");
    let trace = "java.lang.X: bad\n";
    let few: String =
        (0..20).map(|second| line(second) + if second % 10 == 0 { trace } else { "" }).collect();
    assert_eq!(tables(&few).iter().map(Vec::len).collect::<Vec<_>>(), [1, 10, 9]);
    let many: String = (0..20).map(|second| line(second) + &trace.repeat(3)).collect();
    assert!(tables(&many).is_empty());
}

#[test]
fn what_is_no_table_stays() {
    for text in [
        // Cells that go on in the next line.
        " a  |  b  \n----+-----\n x +| 1\n y  | \n(1 row)\n",
        "┏━━━━━━┳━━━━━━━━━━━━━┓\n┃ Name ┃ Description ┃\n┡━━━━━━╇━━━━━━━━━━━━━┩\n│ foo  │ a text that │\n│      │ is wrapped  │\n└──────┴─────────────┘\n",
        "+---+---+\n| a | b |\n+===+===+\n| x | y |\n| z |   |\n+---+---+\n| x | y |\n+---+---+\n",
        // A table that breaks off.
        "+---+---+\n| a | b |\n+---+---+\n| x | y |\n",
        // No head, for all that one knows.
        "+---+---+\n| a | b |\n+---+---+\n| c | d |\n+---+---+\n| e | f |\n+---+---+\n",
        "╭──────╮\n│ note │\n├──────┤\n│ text │\n╰──────╯\n",
        "  a | b\n    | c\n",
        " | a | b |\n |---|---|\n+| x | y |\n",
        "drwxr-xr-x 2 bob domain users 4096 Nov 23 20:50 a\ndrwxr-xr-x 2 bob domain users 4096 Nov 23 20:50 b\n",
        "2026-11-21 11:04:01,foo,bar\n2026-11-21 11:04:02,foo,bar\n",
    ] {
        assert!(tables(text).is_empty(), "{text}{:#?}", tables(text));
    }
}

//! Tables printed as text: what is written comes back cell by cell, whatever stands behind it.

use std::collections::{BTreeMap, BTreeSet};

use llm_toto::document::Id;
use llm_toto::render::expand::printed::TableReader;
use llm_toto::render::pvfn::printed::TableWriter;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{HOSTILE, cases, document};

type Row = BTreeMap<String, String>;

/// Lines that might be taken for a row, or for what a row says against its table.
const BEHIND: &[&str] = &["", " a b c\n", "  a=b\n", "rows[2]{a}\n", " all: a=b\n", "\n", "total 3\n"];

/// Writes tables of `heads`, with a text behind each, and reads them back.
fn check(heads: &[String], tables: &[(Vec<Row>, &str)], plain: bool) -> String {
    let all: Map<String, Value> = heads.iter().map(|head| (head.clone(), json!(0))).collect();
    let in_order = |row: &Row| -> Value {
        let cell = |head: &String| Some((head.clone(), row.get(head)?.as_str().into()));
        heads.iter().filter_map(cell).collect::<Map<_, _>>().into()
    };
    let mut json = vec![json!([all])];
    json.extend(tables.iter().map(|(rows, _)| rows.iter().map(in_order).collect::<Value>()));
    let json = Value::Array(json).to_string();
    let document = document(&json);
    let mut ids = document.children(document.root());
    let keys = document.children(ids.next().unwrap() + 1).filter_map(|cell| document.key_id(cell));
    let keys: Vec<u32> = keys.collect();
    let columns: Vec<(Id, Vec<u32>)> = ids.map(|id| (id, keys.clone())).collect();
    let mut printed = TableWriter::of(&document, &columns, plain);
    let (mut out, mut starts) = (Vec::new(), Vec::new());
    for ((id, _), (_, behind)) in columns.iter().zip(tables) {
        starts.push(out.len());
        printed.write(*id, &mut out);
        starts.push(out.len());
        out.extend_from_slice(behind.as_bytes());
    }
    let text = String::from_utf8(out).unwrap();
    let mut known = BTreeSet::new();
    let mut reader = TableReader::new(&text, 1 << 20);
    for ((rows, _), places) in tables.iter().zip(starts.chunks(2)) {
        let (table, end) = reader.read(places[0]).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(end, places[1], "{text}");
        let cells = |row: &Vec<Option<String>>| -> Row {
            let cells = table.heads.iter().zip(row);
            cells.filter_map(|(head, cell)| Some((head.clone(), cell.clone()?))).collect()
        };
        let back: Vec<Row> = table.rows.iter().map(cells).collect();
        assert_eq!(&back, rows, "{text}");
        known.extend(table.heads.iter().cloned());
        let mut aligned = Vec::new();
        assert!(table.print(1 << 20, &mut aligned));
    }
    assert!(heads.iter().all(|head| known.contains(head)), "{known:?}\n{text}");
    text
}

fn cell() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[a-c]",
        1 => prop::sample::select(HOSTILE).prop_map(str::to_owned),
        1 => "[0-9]{1,3}",
        2 => "[a-c ]{1,6}",
        1 => "\\PC{1,6}",
    ]
}

fn row(heads: usize) -> impl Strategy<Value = Vec<Option<String>>> {
    prop::collection::vec(prop_oneof![1 => Just(None), 6 => cell().prop_map(Some)], heads)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(300), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printed_tables_come_back(
        heads in prop::collection::btree_set(prop_oneof![4 => "[A-F]", 1 => cell().prop_filter("a name", |name| !name.is_empty())], 1..7),
        first in row(6),
        tables in prop::collection::vec((prop::collection::vec((row(6), any::<u8>()), 1..9), prop::sample::select(BEHIND)), 1..4),
        plain in any::<bool>(),
    ) {
        let heads: Vec<String> = heads.into_iter().collect();
        let row = |(cells, same): &(Vec<Option<String>>, u8)| -> Row {
            let cell = |at: usize| if same >> at & 1 == 0 { &first[at] } else { &cells[at] };
            let cells = heads.iter().enumerate().map(|(at, head)| (head, cell(at).clone()));
            cells.filter_map(|(head, cell)| Some((head.clone(), cell.filter(|cell| !cell.is_empty())?))).collect()
        };
        let tables: Vec<(Vec<Row>, &str)> =
            tables.iter().map(|(rows, behind)| (rows.iter().map(row).collect(), *behind)).collect();
        check(&heads, &tables, plain);
    }
}

fn rows(heads: &[&str], lines: &[&str]) -> (Vec<String>, Vec<Row>) {
    let heads: Vec<String> = heads.iter().map(|head| (*head).to_owned()).collect();
    let row = |line: &&str| {
        let cells = line.splitn(heads.len(), '|').map(str::to_owned);
        heads.iter().cloned().zip(cells).filter(|(_, cell)| !cell.is_empty()).collect()
    };
    (heads.clone(), lines.iter().map(row).collect())
}

#[test]
fn a_table_of_processes() {
    let (heads, table) = rows(
        &["USER", "PID", "TTY", "TIME", "COMMAND"],
        &[
            "system-node-critical|1|?|0:01|/sbin/init splash",
            "system-node-critical|80|?|0:07|[kthreadd]",
            "system-node-critical|812|pts/0|0:02|\"quoted\" -- 'x'",
            "system-node-critical|901|?|0:03|next 2 rows:",
            "system-node-critical|902|?|0:04|-",
            "system-node-critical|903|?|0:05|sh -c \"a  b\"",
            "system-node-critical|904|?|0:06| \\_ drawn",
        ],
    );
    let expected = "rows[7]{USER=system-node-critical PID TTY TIME COMMAND…}:\n 1 ? 0:01 /sbin/init splash\n \
                    80 ? 0:07 [kthreadd]\n 812 pts/0 0:02 \"quoted\" -- 'x'\n 901 ? 0:03 \"next 2 rows:\"\n \
                    902 ? 0:04 \"-\"\n 903 ? 0:05 sh -c \"a  b\"\n 904 ? 0:06  \\_ drawn\n";
    assert_eq!(check(&heads, &[(table.clone(), "")], false), expected);
    let twice = check(&heads, &[(table.clone(), "  a=b\n"), (table, "")], false);
    assert!(twice.contains("\n  a=b\nrows[7]{as above}:\n 1 ? 0:01 /sbin"), "{twice}");
}

#[test]
fn a_short_value_of_few_rows_stays_in_its_column() {
    let (heads, table) = rows(&["order_id", "line", "product_id"], &["1|1|17", "2|1|11", "3|1|14"]);
    let text = check(&heads, &[(table, "")], false);
    assert_eq!(text, "rows[3]{order_id line product_id}:\n 1 1 17\n 2 1 11\n 3 1 14\n");
}

#[test]
fn what_hardly_any_row_says_stands_in_front() {
    let lines: Vec<String> = (0..40)
        .map(|n| format!("{n}|{}|a sentence of row {n}", if n == 7 { "pts/0" } else { "?" }))
        .collect();
    let (heads, table) =
        rows(&["PID", "TTY", "COMMAND"], &lines.iter().map(String::as_str).collect::<Vec<_>>());
    let text = check(&heads, &[(table, "")], false);
    assert!(
        text.starts_with(
            "rows[40]{PID TTY=? COMMAND…}, unless a row says otherwise:\n 0 a sentence of row 0\n"
        ),
        "{text}"
    );
    assert!(text.contains("\n TTY=pts/0 7 a sentence of row 7\n 8 a"), "{text}");
}

#[test]
fn a_row_that_begins_with_a_sign_of_equality_is_quoted() {
    let (heads, table) = rows(
        &["KEY", "TTY", "TEXT"],
        &["a=1|/dev/console-1|b c", "a|/dev/console-1|d e", "b|/dev/console-1|f", "c|/dev/console-1|g"],
    );
    let expected = "rows[4]{KEY TTY=/dev/console-1 TEXT…}:\n \"a=1\" b c\n a d e\n b f\n c g\n";
    assert_eq!(check(&heads, &[(table, "")], false), expected);
    let (heads, table) = rows(&["TEXT"], &["\"| a\"=\"A\" b", "d e", "f g"]);
    let text = check(&heads, &[(table, "")], false);
    assert!(text.starts_with("rows[3]{TEXT…}:\n \"\\\"| a"), "{text}");
}

#[test]
fn an_empty_column_keeps_its_name() {
    let (heads, table) = rows(&["NAME", "CPU(cores)", "NOMINATED NODE"], &["web-1|1m|", "web-2|2m|"]);
    let text = check(&heads, &[(table, "")], false);
    assert_eq!(text, "rows[2]{NAME CPU(cores) \"NOMINATED NODE\"=-}:\n web-1 1m\n web-2 2m\n");
}

#[test]
fn a_value_that_begins_like_the_sign_of_groups_is_a_value() {
    let (heads, table) = rows(
        &["NAME", "NOTE"],
        &["web-1|…cut-by-the-kernel-log", "web-2|…cut-by-the-kernel-log", "web-3|…cut-by-the-kernel-log"],
    );
    let text = check(&heads, &[(table, "")], false);
    assert_eq!(text, "rows[3]{NAME NOTE=…cut-by-the-kernel-log}:\n web-1\n web-2\n web-3\n");
}

#[test]
fn what_is_no_table_is_refused() {
    for text in [
        "rows[2]{a}:\n 1\n",
        "rows[1]{as above}:\n 1\n",
        "rows[1]{a b}:\n 1\n",
        "rows[1]{a}:\n 1 b\n",
        "rows[1]{a}:\n \"1\n",
        "rows[1]{}:\n 1\n",
        "rows[x]{a}:\n 1\n",
        "rows[1]{a}:\n1\n",
        "rows[1]{a… b}:\n 1\n",
        "rows[1]{a b=}:\n 1\n",
        "rows[1]{a}, unless\n 1\n",
    ] {
        assert!(TableReader::new(text, 1 << 20).read(0).is_err(), "{text}");
    }
    let much = format!("rows[9999]{{a b={}}}:\n{}", "x".repeat(99_999), " 1\n".repeat(9999));
    assert!(TableReader::new(&much, 1 << 20).read(0).is_err());
    let wide = format!("rows[9999]{{a b}}:\n {} 1\n{}", "x".repeat(99_999), " 1 2\n".repeat(9998));
    assert!(
        TableReader::new(&wide, 1 << 20)
            .read(0)
            .is_ok_and(|(table, _)| !table.print(1 << 20, &mut Vec::new()))
    );
}

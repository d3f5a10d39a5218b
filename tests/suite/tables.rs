//! Tables printed as text: whatever is read as a cell stood in that row under that name, whole.

use llm_toto::document::tables::{Part, read};
use proptest::prelude::*;

use crate::notation::cases;
use crate::parsers::properties::printed_tables::{Layout, Table, rows};

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[a-z0-9./:-]{0,8}[a-z0-9]",
        2 => "[0-9]{1,6}",
        1 => "[a-z]{1,3}[é日本語😀…]{1,3}",
        1 => "(e\u{301}|a\u{308}|x){1,4}",
        1 => "[-<>\\[\\]?*\"'|_]{1,3}",
        1 => "[A-Z]{1,9}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => word(),
        1 => (word(), " {1,3}", word()).prop_map(|(a, b, c)| a + &b + &c),
        1 => proptest::collection::vec(word(), 2..7).prop_map(|words| words.join(" ")),
        1 => (word(), 0..5usize).prop_map(|(word, times)| word.repeat(times + 1)),
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[A-Z]{1,9}",
        1 => "%[A-Z]{2,4}",
        1 => "[A-Z]{2,4}\\([A-Z]\\)",
    ]
}

fn table() -> impl Strategy<Value = Table> {
    (0..7usize, 2..9usize, 1..12usize).prop_flat_map(|(kind, count, rows)| {
        let single = kind == 1 || kind == 2;
        let two_words = (name(), name()).prop_map(|(a, b)| format!("{a} {b}"));
        let of_two = prop_oneof![3 => name(), 1 => two_words].boxed();
        let names = proptest::collection::vec(if single { name().boxed() } else { of_two }, count);
        let middle = if single { word().boxed() } else { prop_oneof![4 => text(), 1 => Just(String::new())].boxed() };
        let column = (middle.clone(), any::<bool>(), proptest::collection::vec(middle, rows))
            .prop_map(|(one, same, cells)| if same { vec![one; cells.len()] } else { cells });
        let columns = proptest::collection::vec(column, count - 1);
        let last = proptest::collection::vec(text(), rows);
        let layout = (
            prop_oneof![Just(0usize), Just(10)],
            2..4usize,
            any::<bool>(),
            proptest::collection::vec(0..7usize, count),
            proptest::collection::vec(any::<bool>(), count),
        )
            .prop_map(move |(least, blanks, trailing, more, right)| match kind {
                0 | 4 => Layout::Tabwriter { least, blanks, trailing },
                1 => Layout::Fixed { more, right },
                2 => Layout::Numbers,
                3 => Layout::Underlined,
                5 => Layout::Boxed,
                _ => Layout::Psql,
            });
        let title = prop_oneof![3 => Just(String::new()), 1 => "[A-Za-z0-9 ():]{1,30}\n"];
        let total = prop_oneof![3 => Just(String::new()), 1 => "\\([0-9]{1,3} rows\\)\n", 1 => "\n[0-9]{1,3} listed.\n"];
        (names, columns, last, layout, title, total)
    })
    .prop_map(|(names, columns, last, layout, title, total)| {
        let mut columns = columns;
        let names: Vec<String> =
            names.iter().zip("ABCDEFGHIJ".chars()).map(|(name, letter)| format!("{letter}{name}")).collect();
        columns.push(last);
        let rows = (0..columns[0].len())
            .map(|row| columns.iter().map(|cells| cells[row].trim().to_owned()).collect())
            .collect();
        Table { layout, names, rows, title, total }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(400), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_cell_stands_under_another_name(table in table()) {
        prop_assert_eq!(table.violation(), None);
    }
}

/// Header, number of rows, and the last row.
type Known = (&'static str, &'static [usize], &'static str);

const KNOWN: &[Known] = &[
    (
        "CONTAINER ID   COMMAND                  LOCAL VOLUMES   NAMES\nb86aa088e154   \"true\"                   0               created-only\nd4a0dd43c68c   \"/bin/sh -c 'echo fa…\"   1               crash\n",
        &[2],
        "CONTAINER ID=d4a0dd43c68c COMMAND=\"/bin/sh -c 'echo fa…\" LOCAL VOLUMES=1 NAMES=crash",
    ),
    (
        "LAST SEEN   TYPE      MESSAGE\n4m6s        Normal    Pulled  image\n52s         Warning   no nodes: 0/12\n",
        &[2],
        "LAST SEEN=52s TYPE=Warning MESSAGE=no nodes: 0/12",
    ),
    (
        "CONTAINER ID   CREATED          PORTS     NAMES\nc6711f64f3b3   21 seconds ago             hello\nb86aa088e154   32 seconds ago   80/tcp    web\n",
        &[2],
        "CONTAINER ID=b86aa088e154 CREATED=32 seconds ago PORTS=80/tcp NAMES=web",
    ),
    (
        "Filesystem      Size  Used Avail Use% Mounted on\n/dev/vda        252G   42G   50G  46% /\ntmpfs           2.4G     0  2.4G   0% /tmp\n",
        &[2],
        "Filesystem=tmpfs Size=2.4G Used=0 Avail=2.4G Use%=0% Mounted on=/tmp",
    ),
    (
        "    PID USER      PR  NI S  %CPU COMMAND\n      1 root      20   0 S   0.0 systemd\n   1731 www-data   0 -20 S  12.5 nginx: worker\n",
        &[2],
        "PID=1731 USER=www-data PR=0 NI=-20 S=S %CPU=12.5 COMMAND=nginx: worker",
    ),
    (
        "All:\n\nPackage Version\n------- -------\nclick   6.7\nFlask   2.0.1\n\nNAME   AGE\na      1s\nb      2s\n(2 rows)\n",
        &[2, 2],
        "NAME=b AGE=2s",
    ),
];

#[test]
fn known_tables_are_read_whole() {
    for (text, counts, last) in KNOWN {
        let tables = read(text).unwrap_or_else(|| panic!("no table:\n{text}"));
        let found: Vec<u32> = tables
            .parts
            .iter()
            .filter_map(|part| if let Part::Table(table) = part { Some(*table) } else { None })
            .collect();
        assert_eq!(
            found.iter().map(|table| rows(&tables, *table).len()).collect::<Vec<_>>(),
            *counts,
            "{text}"
        );
        let document = &tables.document;
        let row = document.children(found[found.len() - 1]).last().expect("rows");
        let cells = document.children(row).map(|cell| {
            format!("{}={}", document.key(document.key_id(cell).expect("a name")), document.text(cell))
        });
        assert_eq!(cells.collect::<Vec<_>>().join(" "), *last, "{text}");
    }
}

#[test]
fn what_is_no_table_stays_text() {
    for text in [
        "Some words of prose\nthat go on here and\nare no table at all\n",
        "Name:    a\nLabels:  b\nNode:    c\n",
        "CC   = gcc\nLD   = ld\nall: x\n",
        "OPTIONS\n  -a    all\n  -b    none\n",
        "apple  red   1\ngrape  blue  2\nlemon  cyan  3\n",
        "ID NAME\n1a foo\n2b bar\n",
        "NAME   SIZE\nabcdefgh12\nijklmnop34\n",
        "A\tB\n1\t2\n3\t4\n",
        // One column `TTY COMMAND`, or two of which a cell reaches into the next?
        "USER    PID     TTY COMMAND\nroot    1       ?   /sbin/init 101\n1731    pts/0   nginx: x\nweb-0   x       x   x\n",
    ] {
        assert!(read(text).is_none(), "{text}");
    }
}

/// No table is read, however often the last row comes.
fn stays_text(header_and_rows: &str) {
    let last = header_and_rows.lines().last().expect("rows");
    let text = format!("{header_and_rows}{last}\n{last}\n");
    assert!(read(&text).is_none(), "{text}");
}

#[test]
fn a_row_in_capitals_is_no_header() {
    stays_text("AA BA\naaaaa a\na  a\n0  a\n0  0\nA  AA\n'  a\naa a0a\n0  0\n");
    stays_text(
        "   AID    BTY CAN )\n  NAME OWN:ER SIZM\n  pg_a      x x\nAFILEt    52s MESSAGE\n   AGE      x x\n",
    );
}

#[test]
fn two_words_of_a_header_that_may_be_two_columns_are_no_name() {
    stays_text("AA   BA CAAAA   DA\n0     a 00000   a\n0     a 00000   0\n");
    stays_text("AAA BAAA     CAAA     DA\n  a 0000     0        0\n  0 0000     0        a\n");
    stays_text(
        "ASER    BID CTY DOM MAND\n   r      x x   x\n SER  OYTDI x   MMAND\nrooo    s/5 nginN ESSAGE\n",
    );
    stays_text(
        "ASET SEENT    BESS CO\n       AME    EADY AST Sined\nPtabPtabwrMiter       x x\n       MAA       x x\n",
    );
    stays_text("ASER    BID CTY DOMMA N\n SER     ID TY  OMMA: imagND\n  x:      x x   x\n");
}

#[test]
fn a_row_of_signs_is_no_underline() {
    stays_text("-s    é\n-     -\nx     x\nx     x\n");
    stays_text(
        "ASE %   B/\n-       -\n日      x\n2       item 1\nIINAME  NOUE\n1       \"\"\"本-\nx       x\n",
    );
    stays_text("            e x\n            - =\n          |-- x\n            x x\n         oxed x\n");
}

#[test]
fn a_row_that_begins_as_the_header_does_is_no_header() {
    let text = "AME  BEADY  CAST\ncli  x 101  x\nAME  EADY   A0bpsql\nNAME        x\nk    2erts  x\napi  1/1    52s\n";
    stays_text(text);
}

#[test]
fn what_a_long_word_may_have_moved_stands_in_no_column() {
    stays_text("AA    BA CA\naaa0a     | a\naaa0a     | 0\n");
    stays_text("    A/TY B/ D\n/postgr-13- oot\n/postgr-13- 2kBtgr-13- es\n      ql x\n    xxx+ x\n");
    stays_text("AUN TE        BO CTYMMAND\n>/sbin/init      x x\n/de-           x x\nwww-           x x\n");
}

#[test]
fn what_bytes_may_have_moved_stands_in_no_column() {
    stays_text("A%AAA    BA\na        a\néxéé a0a 0\n>        a\n");
    let header = "AFAMENAMESTE IZE    BUSE% CMOUNTED\n";
    stays_text(&format!("{header}/d-0126Ge\u{301}6%             / x\ntm\\pfs           2.CILE4G 0%\n"));
}

#[test]
fn blanks_in_the_cells_of_all_rows_are_no_gutter() {
    stays_text("AAA BBB    CC\naaa bbb    0\naaa b      a\n");
}

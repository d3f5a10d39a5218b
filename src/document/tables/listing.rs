//! Listings without a header whose columns are known: `ls -l`, `find -ls`, `tar tv`, `aws s3 ls`.

use std::ops::Range;

use once_cell::sync::Lazy;
use regex::Regex;

use super::line::Line;
use super::rows::Rows;
use super::stamps::begins;

/// Least entries of a listing.
const LEAST: usize = 2;

/// Columns, and the lines that have them. Sizes of `aws s3 ls` end at [`S3_END`], or begin ten places before it; of
/// directories there is no date, and `PRE` in place of a size.
const FORMS: [(&str, &str); 5] = [
    ("mode owner/group size modified name", "MODE +([^ ]*/[^ ]*) +([0-9]+(?:,[0-9]+)?) +(ISO +CLOCK) (.+)"),
    ("mode links owner group size modified name", "LS"),
    ("inode blocks mode links owner group size modified name", "([0-9]+) +(SIZE) +LS"),
    (S3, "(ISO) (TIME) +(SIZE(?: +(?:Bytes?|[!-~]iB))?) (.+)"),
    (S3, "()() {27}(PRE) (.+)"),
];
const S3: &str = "date time size name";
const S3_END: usize = 30;

/// What stands for words of [`FORMS`], and for those of each other.
const PARTS: [(&str, &str); 8] = [
    ("LS", "MODE +([0-9]+) +([^ ]+) +([^ ]+) +(SIZE|[0-9]+, +[0-9]+) +(DATE) (.+)"),
    ("MODE", "([-dlbcpsDC][-rwxsStT]{9}[.+@]?)"),
    (
        "DATE",
        "ISO +(?:CLOCK|TIME[.][0-9]{9} +[+-][0-9]{4})|(?:MONTH +DAY|DAY +MONTH) +(?:[0-9]{2}:?[0-9]{2}|TIME +[0-9]{4})",
    ),
    ("CLOCK", "[0-9]{2}:[0-9]{2}(?::[0-9]{2})?"),
    ("TIME", "[0-9]{2}:[0-9]{2}:[0-9]{2}"),
    ("ISO", "[0-9]{4}-[0-9]{2}-[0-9]{2}"),
    ("MONTH", "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"),
    ("DAY", "[0-9]{1,2}"),
];

static LINES: Lazy<[Regex; FORMS.len()]> = Lazy::new(|| {
    FORMS.map(|(_, form)| {
        let form = PARTS.iter().fold(form.to_owned(), |form, (word, part)| form.replace(word, part));
        let form = form.replace("SIZE", "[0-9](?:[0-9.,]*[0-9])?[KMGTPEkiB]{0,3}");
        Regex::new(&format!("^ *{form}$")).expect("a pattern of our own")
    })
});

/// Reads a listing that begins at `at`: lines of the same form.
pub fn read<'a>(text: &'a str, at: usize, rows: &mut Rows<'a>) -> Option<usize> {
    let (columns, _) = entry(Line::at(text, at)?)?;
    rows.columns(columns.split(' '));
    let (mut end, mut count) = (at, 0);
    for line in Line::all(text, at) {
        let Some((_, cells)) = entry(line).filter(|(of_line, _)| *of_line == columns) else { break };
        rows.row();
        for (column, cell) in cells.into_iter().enumerate() {
            rows.cell(column, line.start + cell.start..line.start + cell.end);
        }
        (end, count) = (line.next, count + 1);
    }
    (count >= LEAST).then_some(end)
}

/// The columns of a line, and its cells.
fn entry(line: Line<'_>) -> Option<(&'static str, Vec<Range<usize>>)> {
    // Most lines have no word that tells of a listing.
    let is_mode = |word: &[u8]| word.len() > 9 && word[1..10].iter().all(|byte| b"rwxsStT-".contains(byte));
    let tells =
        |word: &str| word == "PRE" || is_mode(word.as_bytes()) || begins(word.as_bytes(), "0000-00-00");
    if !line.text.split_ascii_whitespace().take(3).any(tells) {
        return None;
    }
    let found =
        LINES.iter().zip(FORMS).find_map(|(form, (columns, _))| Some((columns, form.captures(line.text)?)));
    let (columns, captures) = found?;
    let cells: Vec<_> = captures.iter().skip(1).flatten().map(|cell| cell.range()).collect();
    let is_s3 = |size: &Range<usize>| size.end == S3_END || size.end > S3_END && size.start == S3_END - 10;
    (columns != S3 || cells[0].start == 0 && is_s3(&cells[2])).then_some((columns, cells))
}

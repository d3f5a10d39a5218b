//! Tables in drawn boxes (`aws --output table`, `mysql -t`): the lines between rows go, and blanks that only align.

use super::super::lines::{Cut, Lines, mark};

/// A shorter line may be anything, in bytes.
const SHORTEST: usize = 8;

/// Takes out the lines that only draw, under a mark that counts them, and alignment between the signs that part cells.
pub fn open(lines: &mut Lines<'_>) {
    let drawn: Vec<usize> = (0..lines.len()).filter(|at| only_draws(lines.get(*at))).collect();
    let rows: Vec<usize> = (0..lines.len()).filter(|at| is_row(lines.get(*at))).collect();
    if drawn.len() < 2 || rows.is_empty() {
        return;
    }
    for at in rows {
        let out = aligned_by_nothing(lines.get(at));
        if out.len() < lines.get(at).len() {
            lines.set(at, out);
        }
    }
    let mut cuts: Vec<Cut> = drawn.iter().map(|at| Cut::line(*at)).collect();
    cuts[0].mark = Some(mark(drawn.len(), "lines that draw a table"));
    lines.leave_out(drawn.len());
    lines.cut(cuts);
}

/// `+-----+----+`, `||-----||`.
fn only_draws(line: &[u8]) -> bool {
    let body = line.trim_ascii();
    body.len() >= SHORTEST
        && body.iter().all(|byte| b"+-|=".contains(byte))
        && !body.iter().all(|byte| *byte == b'=')
}

/// `|  web  |  1  |`.
fn is_row(line: &[u8]) -> bool {
    let body = line.trim_ascii();
    body.len() >= 3 && body.starts_with(b"|") && body.ends_with(b"|")
}

/// The line with one blank in place of each run of them.
fn aligned_by_nothing(line: &[u8]) -> Vec<u8> {
    let words: Vec<&[u8]> = line.split(|byte| *byte == b' ').filter(|word| !word.is_empty()).collect();
    words.join(&b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_opened() {
        let text = "--------------------\n|   DescribeThings |\n+------+-----------+\n|  Id  |   Name    |\n+------+-----------+\n\
                    |  1   |  a web    |\n+------+-----------+\nend\n";
        let mut lines = Lines::new(text.as_bytes());
        open(&mut lines);
        let out = String::from_utf8(lines.finish(text.as_bytes()).unwrap().text).unwrap();
        assert_eq!(
            out,
            "… 4 lines that draw a table\n| DescribeThings |\n| Id | Name |\n| 1 | a web |\nend\n"
        );
        for text in [out.as_str(), "a\n--------------------\nb\n| c   |\n", "========\n========\n|  a  |\n"] {
            let mut lines = Lines::new(text.as_bytes());
            open(&mut lines);
            assert_eq!(lines.finish(text.as_bytes()), None, "{text}");
        }
    }
}

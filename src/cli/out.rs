//! The command line's way out. A reader that has gone away is an error here and a success in `cli::main`.

use std::io::{self, Write as _};

/// Writes the text to standard output, whole; its styles only where that is a terminal and `NO_COLOR` is not set.
pub fn styled(text: &str) -> anyhow::Result<()> {
    let mut stream = anstream::AutoStream::auto(io::stdout().lock());
    stream.write_all(text.as_bytes())?;
    Ok(stream.flush()?)
}

/// Writes bytes to standard output as they are.
pub fn bytes(bytes: &[u8]) -> anyhow::Result<()> {
    let mut stream = io::stdout().lock();
    stream.write_all(bytes)?;
    Ok(stream.flush()?)
}

/// One line on standard error; where that fails there is nobody left to tell.
pub fn complain(message: &str) {
    let message = message.replace('\n', " ");
    let _ = io::stderr().write_all(format!("toto: {message}\n").as_bytes());
}

/// Columns of the terminal that standard output is; None where it is none.
pub fn width() -> Option<u16> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    Some(size.ws_col).filter(|columns| *columns > 0)
}

/// Columns of text, each as wide as its widest cell; nothing behind the last. Widths count characters.
pub fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', width - cell.chars().count() + 2));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A text that somebody else wrote, for a person to judge: what a terminal would obey, or what nobody would see, is
/// written out. It ends with a newline.
pub fn visible(text: &str) -> String {
    let hidden = |c: char| {
        c.is_control() && c != '\t'
            || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
            || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
    };
    let mut shown = String::new();
    for line in text.split_terminator('\n') {
        for c in line.chars() {
            if hidden(c) {
                shown.push_str(&format!("<U+{:04X}>", u32::from(c)));
            } else {
                shown.push(c);
            }
        }
        shown.push('\n');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_hidden_is_shown() {
        assert_eq!(visible("a\u{1b}[2Kb\u{202e}c\r"), "a<U+001B>[2Kb<U+202E>c<U+000D>\n");
        assert_eq!(visible("\tskip = ['é']\n\n"), "\tskip = ['é']\n\n");
    }
}

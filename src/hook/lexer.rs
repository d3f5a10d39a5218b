//! A shell lexer for one purpose: to know for certain where a command and its words begin and end.
//!
//! Its tokens tile the input. What bash, dash and zsh could read in different ways, and everything that holds
//! commands of its own (`$(…)`, backquotes, `<(…)`, heredocs), is not read at all: one token to the end of the input,
//! and whoever asks leaves the command alone. Token recognition: POSIX.1-2024, Shell Command Language, 2.3.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Spaces, tabs, and line continuations between words.
    Blank,
    /// The end of a line.
    Newline,
    /// `#` and the rest of its line.
    Comment,
    /// A word, as written: quotes, escapes and parameters in it.
    Word,
    /// `2>&1`, standing by itself.
    Merge,
    /// A single `|`.
    Pipe,
    /// Any other control or redirection operator.
    Operator,
    /// From here on the text is not understood.
    Unread,
}

/// A piece of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it stands, in bytes.
    pub at: Range<usize>,
}

/// The tokens of a command line; each begins where the one before ends.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let (kind, end) = next(text.as_bytes(), at).unwrap_or((Kind::Unread, text.len()));
        found.push(Token { kind, at: at..end });
        at = end;
    }
    found
}

/// The token at `at` and where it ends; None where it is not understood.
fn next(text: &[u8], at: usize) -> Option<(Kind, usize)> {
    let rest = &text[at..];
    let kind = match rest {
        [b'\n', ..] => return Some((Kind::Newline, at + 1)),
        [b' ' | b'\t', ..] | [b'\\', b'\n', ..] => return Some((Kind::Blank, blanks(text, at))),
        [b'#', ..] => return Some((Kind::Comment, line_end(text, at)?)),
        [b'<', b'<' | b'(', ..] | [b'>', b'(', ..] => return None,
        [b'|', next, ..] if !b"|&;".contains(next) => Kind::Pipe,
        [b'|'] => Kind::Pipe,
        [byte, ..] if is_operator(*byte) => {
            let length = rest.iter().take_while(|byte| is_operator(**byte)).count();
            return Some((Kind::Operator, at + length));
        }
        _ => match rest.strip_prefix(b"2>&1") {
            Some([]) => return Some((Kind::Merge, text.len())),
            Some([after, ..]) if b" \t\n|&;".contains(after) => return Some((Kind::Merge, at + 4)),
            _ => return Some((Kind::Word, word(text, at)?)),
        },
    };
    Some((kind, at + 1))
}

fn is_operator(byte: u8) -> bool {
    b"|&;()<>".contains(&byte)
}

fn blanks(text: &[u8], mut at: usize) -> usize {
    loop {
        match text[at..] {
            [b' ' | b'\t', ..] => at += 1,
            [b'\\', b'\n', ..] => at += 2,
            _ => return at,
        }
    }
}

fn line_end(text: &[u8], at: usize) -> Option<usize> {
    let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length);
    (!text[at..end].contains(&0)).then_some(end)
}

/// Where the word at `at` ends.
fn word(text: &[u8], mut at: usize) -> Option<usize> {
    while let Some(&byte) = text.get(at) {
        at = match byte {
            b' ' | b'\t' | b'\n' => break,
            byte if is_operator(byte) => break,
            0 | b'`' => return None,
            b'\\' => escaped(text, at)?,
            b'\'' => at + 2 + memchr::memchr(b'\'', &text[at + 1..])?,
            b'"' => double_quoted(text, at + 1)?,
            b'$' if text.get(at + 1) == Some(&b'\'') => ansi_quoted(text, at + 2)?,
            b'$' => parameter(text, at)?,
            _ => at + 1,
        };
    }
    Some(at)
}

/// Behind a backslash and the byte that it takes; a lone one at the end waits for more input.
fn escaped(text: &[u8], at: usize) -> Option<usize> {
    text.get(at + 1).filter(|byte| **byte != 0).map(|_| at + 2)
}

fn double_quoted(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at = match text.get(at)? {
            b'"' => return Some(at + 1),
            0 | b'`' => return None,
            b'\\' => escaped(text, at)?,
            b'$' => parameter(text, at)?,
            _ => at + 1,
        };
    }
}

/// `$'…'`: for dash these are plain quotes, so that an escaped quote would end them there and not in bash.
fn ansi_quoted(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at = match text[at..] {
            [b'\'', ..] => return Some(at + 1),
            [] | [0, ..] | [b'\\', b'\'', ..] => return None,
            [b'\\', b'\\', ..] => at + 2,
            _ => at + 1,
        };
    }
}

/// `$`, with the braces behind it; nothing that holds commands, quotes or braces of its own.
fn parameter(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at + 1) {
        Some(b'(' | b'[') => None,
        Some(b'{') => {
            let length = memchr::memchr(b'}', &text[at + 2..])?;
            let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_:=+?@*%#/.,-^!".contains(byte);
            text[at + 2..at + 2 + length].iter().all(plain).then_some(at + 3 + length)
        }
        _ => Some(at + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> String {
        let letter = |token: &Token| match token.kind {
            Kind::Blank => ' ',
            Kind::Newline => 'n',
            Kind::Comment => '#',
            Kind::Word => 'w',
            Kind::Merge => '&',
            Kind::Pipe => '|',
            Kind::Operator => 'o',
            Kind::Unread => '?',
        };
        tokens(text).iter().map(letter).collect()
    }

    #[test]
    fn words_are_what_every_shell_takes_for_one() {
        for (text, expected) in [
            ("aws 'a b' \"c $d\" e\\ f", "w w w w"),
            ("a'b'\"c\"$d", "w"),
            ("a#b # c", "w #"),
            ("a \\\n b\\\nc", "w w"),
            ("a 2>&1", "w &"),
            ("a2>&1", "wow"),
            ("a 2>&1x", "w wow"),
            ("a | b || c", "w | w o w"),
            ("a\n#b\nc", "wn#nw"),
            ("${x:-y} ${#x} $1 $", "w w w w"),
            ("a $'b\\n' $\"c\"", "w w w"),
        ] {
            assert_eq!(kinds(text), expected, "{text}");
        }
    }

    #[test]
    fn what_holds_commands_or_is_not_closed_is_not_read() {
        for text in [
            "$(b)",
            "\"$(b)\"",
            "`b`",
            "\"`b`\"",
            "'b",
            "\"b",
            "b\\",
            "$'it\\'s'",
            "${x:-$y}",
            "${x",
            "$((1))",
            "<<E",
            "<(b)",
            "$[1]",
            "\0",
        ] {
            assert_eq!(kinds(&format!("a {text}")), "w ?", "{text}");
        }
    }
}

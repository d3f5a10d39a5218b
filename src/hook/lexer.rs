//! A shell lexer for one purpose: to know for certain where a command and its words begin and end.
//!
//! Its tokens tile the input. Text that bash, dash and zsh could read in different ways, or that holds commands of
//! its own (`$(…)`, backquotes, `<(…)`, heredocs), is not read at all: it is one token to the end of the input, and
//! the caller leaves the command alone. Token recognition: POSIX.1-2024, Shell Command Language, 2.3.

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Spaces, tabs, and line continuations between words.
    Blank,
    Newline,
    /// `#` and the rest of its line.
    Comment,
    /// A word as written, with its quotes, escapes and parameters.
    Word,
    /// `2>&1` as a token of its own.
    Merge,
    Pipe,
    /// Any other control or redirection operator.
    Operator,
    /// From here on the text is not understood.
    Unread,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: Kind,
    /// Its range in the input, in bytes.
    pub at: Range<usize>,
}

/// The tokens of a command line; each begins where the one before ends.
pub fn tokens(text: &str) -> Vec<Token> {
    Lexer { text: text.as_bytes(), guesses: false }.tokens()
}

/// The same for a caller that only wants to know what was probably run: a substitution is a part of its word, and a
/// quote that is not closed goes to the end. Only a heredoc is not read.
pub fn likely_tokens(text: &str) -> Vec<Token> {
    Lexer { text: text.as_bytes(), guesses: true }.tokens()
}

/// Deepest nesting of substitutions that is read.
const DEEPEST: u8 = 16;

#[derive(Clone, Copy)]
struct Lexer<'t> {
    text: &'t [u8],
    guesses: bool,
}

impl Lexer<'_> {
    fn tokens(self) -> Vec<Token> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.text.len() {
            let (kind, end) = self.next(at).unwrap_or((Kind::Unread, self.text.len()));
            found.push(Token { kind, at: at..end });
            at = end;
        }
        found
    }

    /// The token at `at` and where it ends; None where it is not understood.
    fn next(self, at: usize) -> Option<(Kind, usize)> {
        let rest = &self.text[at..];
        let kind = match rest {
            [b'\n', ..] => return Some((Kind::Newline, at + 1)),
            [b' ' | b'\t', ..] | [b'\\', b'\n', ..] => return Some((Kind::Blank, self.blanks(at))),
            [b'#', ..] => {
                let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                return (!rest[..length].contains(&0)).then_some((Kind::Comment, at + length));
            }
            [b'<' | b'>', b'(', ..] if self.guesses => return Some((Kind::Word, self.whole_word(at)?)),
            [b'<', b'<' | b'(', ..] | [b'>', b'(', ..] => return None,
            [b'|', next, ..] if !b"|&;".contains(next) => Kind::Pipe,
            [b'|'] => Kind::Pipe,
            [byte, ..] if is_operator(*byte) => {
                let length = rest.iter().take_while(|byte| is_operator(**byte)).count();
                return Some((Kind::Operator, at + length));
            }
            _ => match rest.strip_prefix(b"2>&1") {
                Some([]) => return Some((Kind::Merge, self.text.len())),
                Some([after, ..]) if b" \t\n|&;".contains(after) => return Some((Kind::Merge, at + 4)),
                _ => return Some((Kind::Word, self.whole_word(at)?)),
            },
        };
        Some((kind, at + 1))
    }

    fn blanks(self, mut at: usize) -> usize {
        loop {
            match self.text[at..] {
                [b' ' | b'\t', ..] => at += 1,
                [b'\\', b'\n', ..] => at += 2,
                _ => return at,
            }
        }
    }

    fn whole_word(self, at: usize) -> Option<usize> {
        self.word(at).or_else(|| self.guesses.then_some(self.text.len()))
    }

    /// Where the word at `at` ends.
    fn word(self, mut at: usize) -> Option<usize> {
        while let Some(&byte) = self.text.get(at) {
            at = match byte {
                b' ' | b'\t' | b'\n' => break,
                b'<' | b'>' if self.guesses && self.text.get(at + 1) == Some(&b'(') => {
                    self.closed(at + 1, DEEPEST)?
                }
                byte if is_operator(byte) => break,
                0 => return None,
                _ => self.piece(at, DEEPEST)?,
            };
        }
        Some(at)
    }

    /// Where the quoted passage, the substitution or the byte at `at` ends.
    fn piece(self, at: usize, depth: u8) -> Option<usize> {
        match self.text[at] {
            b'`' if !self.guesses => None,
            b'`' => {
                let mut at = at + 1;
                while self.text.get(at)? != &b'`' {
                    at = if self.text[at] == b'\\' { self.escaped(at)? } else { at + 1 };
                }
                Some(at + 1)
            }
            b'\\' => self.escaped(at),
            b'\'' => Some(at + 2 + memchr::memchr(b'\'', &self.text[at + 1..])?),
            b'"' => self.double_quoted(at + 1, depth),
            b'$' if self.text.get(at + 1) == Some(&b'\'') => self.ansi_quoted(at + 2),
            b'$' => self.parameter(at, depth),
            _ => Some(at + 1),
        }
    }

    /// Where a backslash and the byte that it escapes end; None at the end of the text, which waits for more.
    fn escaped(self, at: usize) -> Option<usize> {
        self.text.get(at + 1).filter(|byte| **byte != 0).map(|_| at + 2)
    }

    fn double_quoted(self, mut at: usize, depth: u8) -> Option<usize> {
        loop {
            at = match self.text.get(at)? {
                b'"' => return Some(at + 1),
                0 => return None,
                b'`' | b'\\' => self.piece(at, depth)?,
                b'$' => self.parameter(at, depth)?,
                _ => at + 1,
            };
        }
    }

    /// Where the text in `$'…'` ends. For dash these are plain quotes: an escaped quote would end them there and
    /// not in bash, so it is only read where we guess.
    fn ansi_quoted(self, mut at: usize) -> Option<usize> {
        loop {
            at = match self.text[at..] {
                [b'\'', ..] => return Some(at + 1),
                [] | [0, ..] => return None,
                [b'\\', b'\'', ..] if !self.guesses => return None,
                [b'\\', b'\\' | b'\'', ..] => at + 2,
                _ => at + 1,
            };
        }
    }

    /// Where `$` and its braces end. None where these hold commands, quotes or braces, unless we guess.
    fn parameter(self, at: usize, depth: u8) -> Option<usize> {
        match self.text.get(at + 1) {
            Some(b'(' | b'[' | b'{') if self.guesses => self.closed(at + 1, depth),
            Some(b'(' | b'[') => None,
            Some(b'{') => {
                let length = memchr::memchr(b'}', &self.text[at + 2..])?;
                let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_:=+?@*%#/.,-^!".contains(byte);
                self.text[at + 2..at + 2 + length].iter().all(plain).then_some(at + 3 + length)
            }
            _ => Some(at + 1),
        }
    }

    /// The position after the bracket that closes the bracket at `at`.
    fn closed(self, at: usize, depth: u8) -> Option<usize> {
        let depth = depth.checked_sub(1)?;
        let open = self.text[at];
        let close = match open {
            b'(' => b')',
            b'[' => b']',
            _ => b'}',
        };
        let (mut at, mut level) = (at, 0);
        loop {
            let byte = *self.text.get(at)?;
            level += i32::from(byte == open) - i32::from(byte == close);
            if level == 0 {
                return Some(at + 1);
            }
            at = self.piece(at, depth)?;
        }
    }
}

fn is_operator(byte: u8) -> bool {
    b"|&;()<>".contains(&byte)
}

//! Splits a command line into words by the shell's quoting rules (POSIX, Shell Command Language 2.2), and words into
//! options and operands. Nothing else of a shell is supported: no expansion, no operators. An operator where a shell
//! would see one is an error, since its author expects a shell.

use thiserror::Error;

/// Why a command line cannot be split.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Unusable {
    /// An unquoted shell operator.
    #[error(
        "column {column}: no shell runs this, so `{operator}` does nothing; quote it to pass it on as it is"
    )]
    Operator {
        /// Position of the operator, in bytes from 1.
        column: usize,
        /// The operator.
        operator: String,
    },
    /// A quote that is not closed.
    #[error("column {column}: the quote {quote} is not closed")]
    Open {
        /// Position of the opening quote, in bytes from 1.
        column: usize,
        /// The quote character.
        quote: char,
    },
    /// Nothing to run.
    #[error("no command in it")]
    Empty,
}

/// Shell operators, longest first. Digits before `<` and `>` are skipped.
const OPERATORS: [&str; 15] =
    ["&&", "||", ";;", "&>", ">>", "<<", ">&", "<(", ">(", "$(", "|", "&", ";", ">", "<"];

/// Splits a command line into words. It is an error to leave a quote open, to begin a word with an unquoted operator or
/// end it with `;`, to break the line, or to say nothing.
pub fn split(line: &[u8]) -> Result<Vec<Vec<u8>>, Unusable> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(blanks) = line[at..].iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\r')) {
        at += blanks;
        if line[at..].iter().all(u8::is_ascii_whitespace) {
            break;
        }
        if line[at..].starts_with(b"\\\n") {
            at += 2;
            continue;
        }
        if let Some(operator) = operator(&line[at..]) {
            return Err(Unusable::Operator { column: at + 1, operator });
        }
        let (word, end) = word(line, at)?;
        words.push(word);
        at = end;
    }
    if words.is_empty() { Err(Unusable::Empty) } else { Ok(words) }
}

fn operator(rest: &[u8]) -> Option<String> {
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let redirects = |rest: &[u8]| matches!(rest.first(), Some(b'<' | b'>'));
    let begin = if redirects(&rest[digits..]) { &rest[digits..] } else { rest };
    match begin.first()? {
        b'\n' => Some("a line break".into()),
        b'`' => Some("`".into()),
        _ => OPERATORS.iter().find(|one| begin.starts_with(one.as_bytes())).map(|one| (*one).to_owned()),
    }
}

/// The word at `at` and where it ends.
fn word(line: &[u8], mut at: usize) -> Result<(Vec<u8>, usize), Unusable> {
    let mut word = Vec::new();
    while let Some(&byte) = line.get(at) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => break,
            b'\'' | b'"' => at = quoted(line, at, &mut word)?,
            b'\\' => {
                match line.get(at + 1) {
                    Some(b'\n') => {}
                    Some(next) => word.push(*next),
                    None => word.push(b'\\'),
                }
                at += 2;
            }
            b';' if line.get(at + 1).is_none_or(u8::is_ascii_whitespace) => {
                return Err(Unusable::Operator { column: at + 1, operator: ";".into() });
            }
            _ => {
                word.push(byte);
                at += 1;
            }
        }
    }
    Ok((word, at.min(line.len())))
}

/// Appends the text in the quotes that open at `open` to `word`; returns the position after the closing quote.
fn quoted(line: &[u8], open: usize, word: &mut Vec<u8>) -> Result<usize, Unusable> {
    let quote = line[open];
    let mut at = open + 1;
    loop {
        match (line.get(at), line.get(at + 1)) {
            (None, _) => return Err(Unusable::Open { column: open + 1, quote: char::from(quote) }),
            (Some(&byte), _) if byte == quote => return Ok(at + 1),
            (Some(b'\\'), Some(b'\n')) if quote == b'"' => at += 2,
            (Some(b'\\'), Some(&next)) if quote == b'"' && matches!(next, b'$' | b'`' | b'"' | b'\\') => {
                word.push(next);
                at += 2;
            }
            (Some(&byte), _) => {
                word.push(byte);
                at += 1;
            }
        }
    }
}

/// A text as one word of sh and fish, quoted only if necessary.
pub fn quote(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%".contains(c);
    if text.chars().all(plain) && !text.is_empty() {
        return text.to_owned();
    }
    // Single quotes work in both languages. A backslash in them stands for itself in sh but must be doubled in fish; a
    // path is not likely to have one.
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A program's options and operands.
#[derive(Debug, Default)]
pub struct Call<'a> {
    /// Options without their dashes, each with its value or nothing.
    pub options: Vec<(&'a str, &'a str)>,
    /// The other arguments, a lone `-` among them.
    pub operands: Vec<&'a str>,
}

impl<'a> Call<'a> {
    /// Reads arguments as `getopt_long(3)` does, with the options that take a value: letters, then long ones.
    /// `None` where a value is missing, or a long option is one letter: an abbreviation, of which option the program
    /// alone knows.
    pub fn read(
        values: &str,
        long_values: &str,
        arguments: impl IntoIterator<Item = &'a str>,
    ) -> Option<Self> {
        let mut call = Self::default();
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            if argument == "--" {
                call.operands.extend(arguments);
                break;
            }
            if argument == "-" || !argument.starts_with('-') {
                call.operands.push(argument);
            } else if let Some(long) = argument.strip_prefix("--") {
                let (name, value) = match long.split_once('=') {
                    Some(option) => option,
                    None if long_values.split(' ').any(|word| word == long) => (long, arguments.next()?),
                    None => (long, ""),
                };
                if name.len() == 1 {
                    return None;
                }
                call.options.push((name, value));
            } else {
                let mut letters = &argument[1..];
                while let Some(letter) = letters.chars().next() {
                    let digits =
                        letters.len() - letters.trim_start_matches(|c: char| c.is_ascii_digit()).len();
                    let (option, rest) = letters.split_at(digits.max(letter.len_utf8()));
                    letters = rest;
                    call.options.push(match option {
                        // `tail -80`, the number of lines; no option of other programs here.
                        _ if digits > 0 => ("n", option),
                        _ if !values.contains(option) => (option, ""),
                        _ if rest.is_empty() => (option, arguments.next()?),
                        _ => (option, std::mem::take(&mut letters)),
                    });
                }
            }
        }
        Some(call)
    }

    /// Whether no other option than these is given.
    pub fn has_only(&self, names: &[&str]) -> bool {
        self.options.iter().all(|(name, _)| names.contains(name))
    }

    /// The value of the last option of this name.
    pub fn value(&self, name: &str) -> Option<&'a str> {
        self.options.iter().rev().find(|(given, _)| *given == name).map(|(_, value)| *value)
    }

    /// The last of these options that is given, with its value.
    pub fn last_of(&self, names: &[&str]) -> Option<(&str, &str)> {
        self.options.iter().rev().find(|(name, _)| names.contains(name)).copied()
    }
}

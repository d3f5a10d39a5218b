//! The shape of a command line: one simple command and nothing else, or a pipeline of simple commands; and the value of
//! a word, where it can be told without running anything.

use std::ops::Range;

use super::lexer::{Kind, Token, tokens};
use crate::commands::base_name;

/// A simple command: assignments, a command word, arguments.
pub struct Simple<'a> {
    pub line: &'a str,
    /// The ranges of the assignments in front, in bytes.
    pub assignments: Vec<Range<usize>>,
    /// The ranges of the command word and its arguments.
    pub words: Vec<Range<usize>>,
    /// The range of a `2>&1` behind them.
    pub merge: Option<Range<usize>>,
}

impl<'a> Simple<'a> {
    pub fn word(&self, index: usize) -> &'a str {
        &self.line[self.words[index].clone()]
    }

    /// The command word and its arguments, as written.
    pub fn text(&self) -> &'a str {
        &self.line[self.words[0].start..self.end()]
    }

    pub fn end(&self) -> usize {
        self.words[self.words.len() - 1].end
    }

    /// The value of each word, or the word as written where its value cannot be told.
    pub fn values(&self) -> Vec<String> {
        (0..self.words.len())
            .map(|index| value(self.word(index)).unwrap_or_else(|| self.word(index).to_owned()))
            .collect()
    }

    /// The names of the variables that are assigned in front.
    pub fn assigned(&self) -> impl Iterator<Item = &'a str> {
        self.assignments.iter().filter_map(|at| assigned(&self.line[at.clone()]))
    }
}

/// What permission rules may see of a command.
pub struct Seen {
    /// The line as it is, and other forms of it: without assignments, without quotes, the name without a directory.
    pub forms: Vec<String>,
    /// The tool's name, without a directory.
    pub name: String,
}

impl Seen {
    pub fn new(line: &str, command: &Simple<'_>) -> Self {
        let mut values = command.values();
        let behind = &line[command.words[0].start..];
        let mut forms = vec![line.trim().to_owned(), behind.trim().to_owned(), values.join(" ")];
        values[0] = base_name(&values[0]).into();
        forms.push(values.join(" "));
        Self { forms, name: values.swap_remove(0) }
    }
}

/// The stages of a lone pipeline, a single one for a lone command; None for everything else.
///
/// Blanks, newlines and comments may stand around it.
pub fn pipeline(line: &str) -> Option<Vec<Simple<'_>>> {
    let tokens = tokens(line);
    let is_filling = |token: &Token| matches!(token.kind, Kind::Blank | Kind::Newline | Kind::Comment);
    let first = tokens.iter().position(|token| !is_filling(token))?;
    let last = tokens.iter().rposition(|token| !is_filling(token))?;
    tokens[first..=last].split(|token| token.kind == Kind::Pipe).map(|stage| simple(line, stage)).collect()
}

fn simple<'a>(line: &'a str, tokens: &[Token]) -> Option<Simple<'a>> {
    let mut command = Simple { line, assignments: Vec::new(), words: Vec::new(), merge: None };
    for token in tokens {
        match token.kind {
            Kind::Blank => {}
            Kind::Word if command.merge.is_some() => return None,
            Kind::Word if command.words.is_empty() && assigned(&line[token.at.clone()]).is_some() => {
                command.assignments.push(token.at.clone());
            }
            Kind::Word => command.words.push(token.at.clone()),
            Kind::Merge if command.merge.is_none() && !command.words.is_empty() => {
                command.merge = Some(token.at.clone());
            }
            _ => return None,
        }
    }
    (!command.words.is_empty()).then_some(command)
}

/// The word without its quotes and escapes; None where the shell would expand it into something else.
pub fn value(word: &str) -> Option<String> {
    if word.starts_with('~') || word.starts_with('=') {
        return None;
    }
    let mut value = String::with_capacity(word.len());
    let mut chars = word.chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' => value.extend(chars.by_ref().take_while(|c| *c != '\'')),
            '"' => double_quoted(&mut chars, &mut value)?,
            '\\' => match chars.next()? {
                '\n' => {}
                c => value.push(c),
            },
            '$' | '*' | '?' | '[' | '{' | '`' | '^' => return None,
            c => value.push(c),
        }
    }
    Some(value)
}

fn double_quoted(chars: &mut std::str::Chars<'_>, value: &mut String) -> Option<()> {
    loop {
        match chars.next()? {
            '"' => return Some(()),
            '$' | '`' => return None,
            '\\' => match chars.next()? {
                '\n' => {}
                c @ ('"' | '\\' | '$' | '`') => value.push(c),
                c => value.extend(['\\', c]),
            },
            c => value.push(c),
        }
    }
}

/// `NAME` of `NAME=value`; None for any other word.
pub fn assigned(word: &str) -> Option<&str> {
    let (name, _) = word.split_once('=')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (name.chars().all(plain) && name.starts_with(|c: char| !c.is_ascii_digit())).then_some(name)
}

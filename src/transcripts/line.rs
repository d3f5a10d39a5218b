//! Takes a shell's command line apart as far as needed to know whose output an agent saw. Nothing is run.

use crate::commands::QUIET;
use crate::hook::lexer::{Kind, Token, likely_tokens};
use crate::hook::line::{assigned, value};

/// One command, or several, each of which reads the output of the one before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pipeline {
    /// The words of each command.
    pub stages: Vec<Vec<String>>,
    /// Whether the last command's output goes into a file.
    pub into_file: bool,
}

/// Words that may stand in front of a command.
const LEADING: &[&str] =
    &["if", "then", "else", "elif", "do", "while", "until", "!", "time", "exec", "command", "{", "("];

impl Pipeline {
    /// The command whose output is seen; None if no output is seen.
    pub fn seen(&self) -> Option<&[String]> {
        let last = self.stages.last()?;
        let name = last.first()?;
        (!self.into_file && !name.is_empty() && QUIET.of(name).is_none()).then_some(last)
    }
}

/// The pipelines of a command line, up to the first part that we cannot read (a here-document).
pub fn pipelines(line: &str) -> Vec<Pipeline> {
    let mut reader = Reader::default();
    let tokens = likely_tokens(line);
    for (index, token) in tokens.iter().enumerate() {
        let text = &line[token.at.clone()];
        match token.kind {
            Kind::Word => {
                let redirects = |next: &Token| line[next.at.clone()].starts_with(['<', '>']);
                let is_descriptor = text.bytes().all(|byte| byte.is_ascii_digit());
                match tokens.get(index + 1) {
                    Some(next) if is_descriptor && next.kind == Kind::Operator && redirects(next) => {
                        reader.descriptor = Some(text);
                    }
                    _ => reader.word(text),
                }
            }
            Kind::Pipe => reader.end_stage(),
            Kind::Newline => reader.end_pipeline(),
            Kind::Operator => reader.operators(text),
            Kind::Blank | Kind::Comment | Kind::Merge => {}
            Kind::Unread => break,
        }
    }
    reader.end_pipeline();
    reader.done
}

/// Operators; a longer one stands before its prefixes.
const OPERATORS: &str = "&>> &> && || |& >> >| >& <& <> > < | & ; ( )";

#[derive(Default)]
struct Reader<'t> {
    done: Vec<Pipeline>,
    pipeline: Pipeline,
    words: Vec<String>,
    /// The number in front of a redirection.
    descriptor: Option<&'t str>,
    /// The next word is that of a redirection: a file's name, or a descriptor.
    skips: bool,
}

impl Reader<'_> {
    fn word(&mut self, text: &str) {
        if std::mem::take(&mut self.skips) {
            return;
        }
        if self.words.is_empty() && (assigned(text).is_some() || LEADING.contains(&text)) {
            return;
        }
        self.words.push(value(text).unwrap_or_else(|| text.to_owned()));
    }

    fn operators(&mut self, mut text: &str) {
        while let Some(operator) = OPERATORS.split(' ').find(|operator| text.starts_with(operator)) {
            text = &text[operator.len()..];
            let of_stdout = self.descriptor.take().is_none_or(|descriptor| descriptor == "1");
            match operator {
                "|" | "|&" => self.end_stage(),
                "<" | "<&" | "<>" | ">&" => self.skips = true,
                ">" | ">>" | ">|" | "&>" | "&>>" => {
                    self.pipeline.into_file |= of_stdout;
                    self.skips = true;
                }
                _ => self.end_pipeline(),
            }
        }
    }

    fn end_stage(&mut self) {
        self.skips = false;
        if !self.words.is_empty() {
            self.pipeline.stages.push(std::mem::take(&mut self.words));
        }
    }

    fn end_pipeline(&mut self) {
        self.end_stage();
        let pipeline = std::mem::take(&mut self.pipeline);
        if !pipeline.stages.is_empty() {
            self.done.push(pipeline);
        }
    }
}

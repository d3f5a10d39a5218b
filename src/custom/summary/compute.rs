//! Runs all rules that compute something, in their order, and fills the template with the results.

use regex::bytes::Regex;

use super::aggregate::Aggregate;
use super::chunk::Chunk;
use super::extract::Extract;
use super::json::{self, Paths};
use super::section::Section;
use super::status::Status;
use super::template::Template;
use super::value::{Budget, Value, capture_names};
use crate::custom::schema::{Branch, FilterFile, MatchOutput};
use crate::filter::pattern;
use crate::mistake::Mistake;

/// The compiled rules that compute something, for a command that succeeded or for one that failed.
#[derive(Debug)]
pub struct Summary {
    whole: Vec<Whole>,
    sections: Vec<Section>,
    chunks: Vec<Chunk>,
    json: Option<Paths>,
    extract: Option<Extract>,
    status: Option<Status>,
    aggregates: Vec<Aggregate>,
    output: Option<Template>,
}

/// An output, in the forms that rules look at.
#[derive(Clone, Copy)]
pub struct Outputs<'o, 'a> {
    /// The output as the tool printed it.
    pub raw: &'a [u8],
    /// The lines of `raw`.
    pub raw_lines: &'o [&'a [u8]],
    /// The lines that the line rules left.
    pub lines: &'o [&'a [u8]],
    /// The outputs of other commands, by name.
    pub beside: &'o [(String, Vec<u8>)],
}

/// A rule about the whole output.
#[derive(Debug)]
struct Whole {
    contains: Option<String>,
    pattern: Option<Regex>,
    unless: Option<Regex>,
    output: Template,
}

/// The mistakes in rules beyond those in their expressions and templates.
pub fn mistakes(file: &FilterFile, source: &str) -> Vec<Mistake> {
    let mut found: Vec<Mistake> =
        file.match_output.iter().filter_map(|rule| Whole::check(rule, source).err()).collect();
    found.extend(file.json.iter().flat_map(|rule| json::mistakes(rule, source)));
    found
}

impl Summary {
    /// Compiles what `file`, which stands in `source`, computes in this branch.
    ///
    /// # Errors
    /// An expression, a template or a path with a mistake.
    pub fn new(file: &FilterFile, branch: &Branch, source: &str) -> Result<Self, Mistake> {
        let sections = file.section.iter().map(|rule| Section::new(rule, source));
        let aggregates = branch.aggregate.iter().chain(&branch.aggregates);
        let extract = branch.extract.as_ref().or(file.extract.as_ref());
        Ok(Self {
            whole: file.match_output.iter().map(|rule| Whole::new(rule, source)).collect::<Result<_, _>>()?,
            sections: sections.filter_map(Result::transpose).collect::<Result<_, _>>()?,
            chunks: file.chunk.iter().map(|rule| Chunk::new(rule, source)).collect::<Result<_, _>>()?,
            json: file.json.as_ref().map(|rule| Paths::new(rule, source)).transpose()?,
            extract: extract.map(|rule| Extract::new(rule, source)).transpose()?,
            status: Status::new(file, source)?,
            aggregates: aggregates.map(|rule| Aggregate::new(rule, source)).collect::<Result<_, _>>()?,
            output: branch.output.as_ref().map(|text| Template::new(text, source)).transpose()?,
        })
    }

    /// Whether the rules never write a text.
    pub fn is_empty(&self) -> bool {
        self.whole.is_empty() && !self.reads_lines()
    }

    /// Whether rules may write a text from the lines.
    fn reads_lines(&self) -> bool {
        self.extract.is_some() || self.status.is_some() || self.output.is_some()
    }

    /// The text of the first rule that matches the whole output.
    pub fn of_whole(&self, text: &[u8], budget: &Budget) -> Option<Vec<u8>> {
        self.whole.iter().find_map(|rule| rule.apply(text, budget))
    }

    /// The text in place of an output; `None` where there is nothing to write, or the budget is spent.
    pub fn of_lines(&self, output: &Outputs<'_, '_>, budget: &Budget) -> Option<Vec<u8>> {
        if !self.reads_lines() {
            return None;
        }
        let mut names: Vec<(String, Value<'_>)> =
            self.sections.iter().map(|section| section.collect(output.raw_lines)).collect();
        let nothing = !names.is_empty() && names.iter().all(|(_, value)| value.is_empty());
        names.extend(output.beside.iter().map(|(name, text)| (name.clone(), Value::Text(text.into()))));
        names.extend(self.chunks.iter().map(|chunk| chunk.collect(output.raw_lines)));
        if let Some(json) = &self.json {
            names.extend(json.collect(output.raw, budget)?);
        }
        let mut extracted = None;
        if let Some(extract) = &self.extract {
            let found = output.lines.iter().find_map(|line| extract.pattern.captures(line));
            if let Some(captures) = found {
                names.extend(capture_names(&extract.pattern, &captures));
                extracted = Some(extract.output.with(&names, budget)?);
            }
        }
        if let Some(status) = &self.status {
            names.extend(status.collect(output.lines, budget)?);
        }
        for aggregate in &self.aggregates {
            let numbers = aggregate.of_collected(&names, budget)?;
            names.extend(numbers);
        }
        let Some(template) = &self.output else {
            return match &self.status {
                Some(status) => status.render(&names, budget),
                None => extracted,
            };
        };
        if nothing {
            return None; // the sections collected nothing: the fallback applies
        }
        names.push(("output".to_owned(), Value::Text(output.lines.join(&b'\n').into())));
        names.extend(extracted.map(|text| ("extract".to_owned(), Value::Text(text.into()))));
        template.with(&names, budget)
    }
}

impl Whole {
    fn check(rule: &MatchOutput, source: &str) -> Result<(), Mistake> {
        if rule.contains.is_none() && rule.pattern.is_none() {
            let at = rule.output.span().start;
            return Err(Mistake::at(source, at, "`match_output` wants `contains` or `pattern`"));
        }
        Ok(())
    }

    fn new(rule: &MatchOutput, source: &str) -> Result<Self, Mistake> {
        Self::check(rule, source)?;
        Ok(Self {
            contains: rule.contains.as_ref().map(|text| text.get_ref().clone()),
            pattern: pattern::maybe(rule.pattern.as_ref(), source)?,
            unless: pattern::maybe(rule.unless.as_ref(), source)?,
            output: Template::new(&rule.output, source)?,
        })
    }

    fn apply(&self, text: &[u8], budget: &Budget) -> Option<Vec<u8>> {
        let found = self.contains.as_ref().and_then(|wanted| memchr::memmem::find(text, wanted.as_bytes()));
        let captures = match found {
            Some(_) => None,
            None => Some(self.pattern.as_ref()?.captures(text)?),
        };
        if self.unless.as_ref().is_some_and(|unless| unless.is_match(text)) {
            return None;
        }
        let mut names = match (&captures, &self.pattern) {
            (Some(captures), Some(pattern)) => capture_names(pattern, captures),
            _ => Vec::new(),
        };
        let at = found.or_else(|| Some(captures.as_ref()?.get(0)?.start())).unwrap_or(0);
        let start = memchr::memrchr(b'\n', &text[..at]).map_or(0, |newline| newline + 1);
        let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |newline| at + newline);
        names.push(("line_containing".to_owned(), Value::Text(text[start..end].into())));
        names.push(("output".to_owned(), Value::Text(text.into())));
        self.output.with(&names, budget)
    }
}

//! The user's settings. Later ones override earlier ones: defaults, `~/.config/toto/config.toml`, variables, options.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::failure::KEYWORDS;
use crate::mistake;
use crate::sys::files::{if_there, read_text};
use crate::{commands, env};

const LONGEST_FILE: u64 = 1 << 20;
/// Default threshold of structured data, in characters of its notation. Agents count and sort with programs, and fetch
/// a larger document again for these even if they have read it.
const STRUCTURED: usize = 8_000;
/// Default threshold with mode `truncate`, in characters.
const TRUNCATED: usize = 40_000;
/// Default threshold with mode `reject`, in tokens.
pub const MOST_TOKENS: usize = 25_000;

/// How much may be left out of an output (docs/ARCHITECTURE.md, "Levels").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Presentation only: every leaf's path and text can be read back.
    Lossless,
    /// Also nulls, empty values and opaque base64; the original is kept.
    #[default]
    Standard,
    /// Also duplicate scalars (first seen wins) and epoch-millisecond stamps.
    Max,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// The one with the fewest tokens.
    #[default]
    Auto,
    /// Path-value notation.
    Pvfn,
    /// A `schema:` list and `data:` rows, valid YAML.
    SchemaYaml,
    /// Minified JSON.
    Json,
    /// The original bytes.
    Raw,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum ReceiptMode {
    /// A full one, or a short one where that alone leaves a saving, where something was left out or 300 tokens and more
    /// were saved; else nothing.
    #[default]
    Auto,
    /// Tokens before and after, the saving, the shape.
    Full,
    /// Tokens before and after.
    Short,
    /// Nothing.
    Off,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    pub(crate) level: Level,
    pub(crate) format: Format,
    pub(crate) receipt: ReceiptMode,
    /// Per tool, patterns of calls that are never captured, beside the built-in table: `kubectl = ["logs -f"]`.
    #[serde(deserialize_with = "patterns")]
    pub(crate) passthrough: HashMap<String, Vec<String>>,
    pub(crate) overflow: Overflow,
    /// The same for one tool: `[tools.cargo]`.
    pub(crate) tools: HashMap<String, Overflow>,
    pub(crate) reports: Reports,
    pub(crate) store: Storage,
    pub(crate) ledger: Ledger,
    pub(crate) viewers: Viewers,
    /// The threshold of an option or a variable; overrides every section's threshold.
    #[serde(skip)]
    pub(crate) threshold: Option<usize>,
    /// The mode of an option; overrides every section's mode.
    #[serde(skip)]
    pub(crate) mode: Option<Mode>,
}

/// A size up to which an output goes out whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threshold {
    Characters(usize),
    Tokens(usize),
}

impl Threshold {
    pub fn number(self) -> usize {
        match self {
            Self::Characters(number) | Self::Tokens(number) => number,
        }
    }
}

/// What the agent gets in place of a large output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// A page, an outline, a digest or a preview, by its kind, and where the whole is.
    #[default]
    Buffer,
    /// Its first and last characters.
    Truncate,
    /// Its size, and what to do instead.
    Reject,
    /// The output, whatever its size.
    Off,
}

/// The section `[overflow]` or `[tools.NAME]`. A key that is not set is as in the next wider section, else the default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Overflow {
    pub mode: Option<Mode>,
    /// Size up to which text goes out whole, in characters (tokens, with `reject`); by default, with `buffer`, a page.
    pub threshold: Option<usize>,
    /// The same for structured data.
    pub structured_threshold: Option<usize>,
    /// The same for standard error, where it is captured separately.
    pub stderr_threshold: Option<usize>,
    /// Words whose lines are counted, in upper or lower case.
    pub keywords: Option<Vec<String>>,
}

/// Up to which size an output of one stream goes out whole, and what the agent gets in place of a larger one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    pub mode: Mode,
    /// Up to this, text goes out whole; `None` for a page: as much as the reader's host shows of one call.
    pub text: Option<Threshold>,
    /// The same for structured data.
    pub structured: Threshold,
    /// Whether the user chose that.
    pub is_structured_chosen: bool,
    pub keywords: Vec<String>,
}

/// How fully reports of tests, builds and linters are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reports {
    /// Tokens up to which bodies, excerpts, captured output and differences of failures are told whole.
    pub room: usize,
}

impl Default for Reports {
    fn default() -> Self {
        Self { room: 2_000 }
    }
}

/// Whether outputs are saved, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Storage {
    /// Whether outputs are saved. Without a copy nothing is left out, but of what its host would cut.
    pub enabled: bool,
    /// Maximum age of an output, in days.
    pub days: u64,
    /// Maximum size of all sessions together, in mebibytes.
    pub mebibytes: u64,
}

impl Default for Storage {
    fn default() -> Self {
        Self { enabled: true, days: 7, mebibytes: 1024 }
    }
}

/// Whether runs are recorded, and the price of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ledger {
    pub enabled: bool,
    /// Price of a million tokens that a model reads, in dollars.
    #[serde(deserialize_with = "price")]
    pub price: f64,
}

impl Default for Ledger {
    fn default() -> Self {
        Self { enabled: true, price: 3.0 }
    }
}

/// Reports about a tool that an agent reads through a viewer.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Viewers {
    pub enabled: bool,
    /// Further programs that count as viewers: they only pass lines on.
    pub names: Vec<String>,
}

impl Default for Viewers {
    fn default() -> Self {
        Self { enabled: true, names: Vec::new() }
    }
}

/// What is wrong with a setting, in one line that names the variable, or the file and the place in it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Error(String);

impl Settings {
    /// Every setting in force, defaults included, as a configuration file.
    pub fn to_toml(&self) -> String {
        let overflow = self.section("");
        let tools = self.tools.keys().map(|tool| (tool.clone(), self.section(tool))).collect();
        toml::to_string(&Self { overflow, tools, ..self.clone() }).unwrap_or_default()
    }

    /// The section of one tool with every key, as it is in force; that of no tool is `[overflow]`.
    fn section(&self, tool: &str) -> Overflow {
        let [out, err] = [false, true].map(|is_stderr| self.limits(tool, is_stderr));
        Overflow {
            mode: Some(out.mode),
            threshold: out.text.map(Threshold::number),
            structured_threshold: Some(out.structured.number()),
            stderr_threshold: err.text.map(Threshold::number),
            keywords: Some(out.keywords),
        }
    }

    /// Whether this call is never captured, by the built-in table or by the configuration's.
    pub fn passes_on(&self, tool: &str, arguments: &[OsString]) -> bool {
        let extra = self.passthrough.get(tool).map_or(&[][..], Vec::as_slice);
        commands::raw_pattern(tool, arguments, extra).is_some()
    }

    /// Limits for large output of one tool's stream. The tool's section overrides `[overflow]`, which overrides the
    /// defaults; an option or a variable overrides all.
    pub fn limits(&self, tool: &str, is_stderr: bool) -> Limits {
        let sections = [self.tools.get(tool), Some(&self.overflow)];
        let sections = || sections.iter().flatten();
        let number = |key: fn(&Overflow) -> Option<usize>| {
            self.threshold.or_else(|| sections().find_map(|section| key(section)))
        };
        let mode = self.mode.or_else(|| sections().find_map(|section| section.mode)).unwrap_or_default();
        let (text, structured) = match mode {
            Mode::Buffer | Mode::Off => (None, STRUCTURED),
            Mode::Truncate => (Some(TRUNCATED), TRUNCATED),
            Mode::Reject => (Some(MOST_TOKENS), MOST_TOKENS),
        };
        let unit = if mode == Mode::Reject { Threshold::Tokens } else { Threshold::Characters };
        let of_stderr = number(|section| section.stderr_threshold).filter(|_| is_stderr);
        let of_structured = number(|section| section.structured_threshold);
        let keywords = sections().find_map(|section| section.keywords.clone());
        Limits {
            mode,
            text: of_stderr.or(number(|section| section.threshold)).or(text).map(unit),
            structured: unit(of_structured.unwrap_or(structured)),
            is_structured_chosen: of_structured.is_some(),
            keywords: keywords.unwrap_or_else(|| KEYWORDS.map(String::from).to_vec()),
        }
    }
}

/// Dollars for a million tokens: at most a dollar for each.
pub fn is_price(price: f64) -> bool {
    (0.0..=1e6).contains(&price)
}

fn price<'d, D: Deserializer<'d>>(value: D) -> Result<f64, D::Error> {
    let price = f64::deserialize(value)?;
    if is_price(price) { Ok(price) } else { Err(D::Error::custom("expected dollars for a million tokens")) }
}

fn patterns<'d, D: Deserializer<'d>>(value: D) -> Result<HashMap<String, Vec<String>>, D::Error> {
    let patterns = HashMap::<String, Vec<String>>::deserialize(value)?;
    let is_empty = |pattern: &String| pattern.trim().is_empty();
    if patterns.values().flatten().any(is_empty) {
        return Err(D::Error::custom("an empty pattern matches every command; toto unlink NAME does that"));
    }
    Ok(patterns)
}

/// Path of the configuration file; `None` without a home directory.
pub fn path() -> Option<PathBuf> {
    env::xdg_dir(env::XDG_CONFIG_HOME, ".config", "toto/config.toml")
}

/// The settings in force. A missing file stands for the defaults. Fails where the file or a variable cannot be used.
pub fn load() -> Result<Settings, Error> {
    let mut settings = match read()? {
        Some((text, path)) => parse(&text, &path)?,
        None => Settings::default(),
    };
    settings.level = one_of(env::TOTO_LEVEL)?.unwrap_or(settings.level);
    settings.format = one_of(env::TOTO_FORMAT)?.unwrap_or(settings.format);
    settings.receipt = one_of(env::TOTO_RECEIPT)?.unwrap_or(settings.receipt);
    if let Some(value) = word(env::TOTO_LEDGER, &["on", "off"])? {
        settings.ledger.enabled = value == "on";
    }
    for name in [env::LLM_TOTO_THRESHOLD, env::TOTO_THRESHOLD] {
        settings.threshold =
            number(name, "a number of characters (tokens, with mode reject)")?.or(settings.threshold);
    }
    Ok(settings)
}

/// The text of the configuration file, and its path; `None` where there is no such file.
fn read() -> Result<Option<(String, String)>, Error> {
    let Some(path) = path() else { return Ok(None) };
    let name = path.display().to_string();
    let text = if_there(read_text(&path, LONGEST_FILE));
    let text = text.map_err(|error| Error(format!("cannot read {name}: {error}")))?;
    Ok(text.map(|text| (text, name)))
}

/// Parses a configuration; `path` is named in the error. The error is the first mistake.
pub fn parse(text: &str, path: &str) -> Result<Settings, Error> {
    mistake::parse(text, true).map_err(|mistake| Error(format!("{path}:{mistake}")))
}

/// Every mistake of the file, in the order of its lines; where there is none, the error of [`load`], if any.
pub fn mistakes() -> Vec<Error> {
    let mut found = Vec::new();
    if let Ok(Some((text, path))) = read() {
        let mut mistakes = mistake::parse_all::<Settings>(&text, true).1;
        mistakes.sort_unstable();
        found.extend(mistakes.iter().map(|mistake| Error(format!("{path}:{mistake}"))));
    }
    if found.is_empty() {
        found.extend(load().err());
    }
    found.extend(unheeded());
    found
}

/// The variables that say nothing, and change nothing.
pub fn unheeded() -> Vec<Error> {
    let switch = word(env::TOTO, &["on", "off", "raw"]).err();
    switch.into_iter().chain(number::<u64>(env::TOTO_TIME_LIMIT, "a number of seconds").err()).collect()
}

/// The value of a variable; `None` where it is not set or empty.
fn variable(name: &str) -> Option<String> {
    let value = std::env::var_os(name).filter(|value| !value.is_empty())?;
    Some(value.to_string_lossy().into_owned())
}

fn unusable(name: &str, value: &str, expected: &str) -> Error {
    Error(format!("{name}={value}: expected {expected}"))
}

fn one_of<T: ValueEnum>(name: &str) -> Result<Option<T>, Error> {
    let names: Vec<_> = T::value_variants().iter().filter_map(ValueEnum::to_possible_value).collect();
    let value = word(name, &names.iter().map(PossibleValue::get_name).collect::<Vec<_>>())?;
    Ok(value.and_then(|value| T::from_str(value, true).ok()))
}

/// The value of a variable, one of `words` in upper or lower case.
fn word<'w>(name: &str, words: &[&'w str]) -> Result<Option<&'w str>, Error> {
    let Some(value) = variable(name) else { return Ok(None) };
    let word = words.iter().find(|word| value.eq_ignore_ascii_case(word));
    word.map(|word| Some(*word))
        .ok_or_else(|| unusable(name, &value, &format!("one of {}", words.join(", "))))
}

fn number<T: FromStr>(name: &str, expected: &str) -> Result<Option<T>, Error> {
    let Some(value) = variable(name) else { return Ok(None) };
    value.parse().map(Some).map_err(|_| unusable(name, &value, expected))
}

#[cfg(test)]
#[path = "../tests/unit/config.rs"]
mod tests;

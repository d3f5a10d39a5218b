//! The options that every command which compresses has in common.

use clap::Args;
use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::config::{Format, Level, ReceiptMode};

/// What the user asks for by options; what is None is the configuration's to say.
#[derive(Args, Clone, Debug, Default)]
pub struct OptionArgs {
    /// How much may be left out (the original is kept)
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub level: Option<Level>,
    /// Notation of structured output
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// The line on stderr that says what was saved
    #[arg(long, value_enum, value_name = "RECEIPT")]
    pub receipt: Option<ReceiptMode>,
    /// Say on stderr how long each stage took
    #[arg(long)]
    pub timing: bool,
}

impl ValueEnum for Level {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Lossless, Self::Standard, Self::Max]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::Lossless => PossibleValue::new("lossless"),
            Self::Standard => PossibleValue::new("standard"),
            Self::Max => PossibleValue::new("max"),
        })
    }
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Auto, Self::Pvfn, Self::SchemaYaml, Self::Json, Self::Raw]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::Auto => PossibleValue::new("auto"),
            Self::Pvfn => PossibleValue::new("pvfn"),
            Self::SchemaYaml => PossibleValue::new("schema-yaml"),
            Self::Json => PossibleValue::new("json"),
            Self::Raw => PossibleValue::new("raw"),
        })
    }
}

impl ValueEnum for ReceiptMode {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Full, Self::Short, Self::Off]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::Full => PossibleValue::new("full"),
            Self::Short => PossibleValue::new("short"),
            Self::Off => PossibleValue::new("off"),
        })
    }
}

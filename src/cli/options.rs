//! The options that every command which compresses has in common.

use clap::Args;

use crate::config::{self, Format, Level, ReceiptMode, Settings};

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

impl OptionArgs {
    /// The settings in force, these options over them.
    ///
    /// # Errors
    /// As [`config::load`].
    pub fn settings(&self) -> Result<Settings, config::Error> {
        let settings = config::load()?;
        Ok(Settings {
            level: self.level.unwrap_or(settings.level),
            format: self.format.unwrap_or(settings.format),
            receipt: self.receipt.unwrap_or(settings.receipt),
            ..settings
        })
    }
}

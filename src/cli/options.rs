//! Options that all compressing commands share.

use std::ffi::OsString;

use clap::Args;

use crate::config::{self, Format, Ledger, Level, Mode, ReceiptMode, Settings};
use crate::consumer::{self, Consumer, Fd, Trace};
use crate::deliver::Delivery;
use crate::store;

/// What the user asks for by options; what is None is the configuration's to say.
#[derive(Args, Clone, Debug, Default)]
pub struct OptionArgs {
    /// How much may be left out: lossless, standard or max (the original is kept)
    #[arg(long, value_enum, value_name = "LEVEL", hide_possible_values = true)]
    pub level: Option<Level>,
    /// Notation of structured output: auto, pvfn, schema-yaml, json, raw
    #[arg(long, value_enum, value_name = "FORMAT", hide_possible_values = true)]
    pub format: Option<Format>,
    /// The line on stderr that says what was saved: auto, full, short, off
    #[arg(long, value_enum, value_name = "RECEIPT", hide_possible_values = true)]
    pub receipt: Option<ReceiptMode>,
    /// Characters of output that still go out whole
    #[arg(short, long, value_name = "N")]
    pub threshold: Option<usize>,
    /// What is done with larger output: buffer, truncate, reject, off
    #[arg(long, value_enum, value_name = "MODE", hide_possible_values = true)]
    pub overflow: Option<Mode>,
    /// Where saved outputs go
    #[arg(short, long, value_name = "NAME")]
    pub session: Option<OsString>,
    /// Say on stderr how long each stage took
    #[arg(long)]
    pub timing: bool,
}

impl OptionArgs {
    /// The settings in force, overridden by these options.
    pub fn settings(&self) -> Result<Settings, config::Error> {
        let settings = config::load()?;
        // What a person reads is no saving of an agent's.
        let is_persons = consumer::decide(&mut Trace::off()).reader(Fd::Stdout) == Some(Consumer::Person);
        let ledger = Ledger { enabled: settings.ledger.enabled && !is_persons, ..settings.ledger };
        Ok(Settings {
            ledger,
            level: self.level.unwrap_or(settings.level),
            format: self.format.unwrap_or(settings.format),
            receipt: self.receipt.unwrap_or(settings.receipt),
            threshold: self.threshold.or(settings.threshold),
            mode: self.overflow.or(settings.mode),
            ..settings
        })
    }

    pub fn session(&self) -> OsString {
        self.session.clone().unwrap_or_else(store::session_of_caller)
    }

    /// The delivery of an output that is compressed whoever reads it. `command` is the call that printed the output,
    /// empty if it is not known; `tool` names the saved original.
    pub fn delivery<'a>(
        &self,
        settings: &'a Settings,
        tool: &'a str,
        command: &'a [OsString],
    ) -> Delivery<'a> {
        Delivery { timing: self.timing, ..Delivery::new(settings, tool, command, self.session()) }
    }
}

//! From the tool's captured bytes to what the agent gets: the pipeline, with everything that may go wrong
//! in it ending in the original bytes.

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use crate::config::{Level, Settings};
use crate::pipeline::{self, Options, Report};
use crate::store::{Id, Store};

/// One stream's way through the pipeline.
pub struct Context<'a> {
    /// The settings in force.
    pub settings: &'a Settings,
    /// The tool whose output it is; names the saved original.
    pub tool: &'a str,
    /// Where a saved original goes.
    pub session: OsString,
    /// The reader parses what it gets by a script of its own: minified JSON or nothing.
    pub machine_reader: bool,
}

/// A fault of ours, told in one line.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault(pub String);

static PANIC: Mutex<Option<String>> = Mutex::new(None);

impl Context<'_> {
    /// Compresses `original`. What is left out is saved first; where that fails, nothing is left out.
    ///
    /// # Errors
    /// When the pipeline panicked: the caller writes the original.
    pub fn compress(&self, original: &[u8]) -> Result<Report, Fault> {
        let id = Id::new();
        let report = self.run(original, self.settings.level, &format!("toto show {id}"))?;
        if report.omitted.is_empty() {
            return Ok(report);
        }
        let store = Store::of_session(&self.session);
        match store.and_then(|store| store.save(&id, self.tool, original).ok()) {
            Some(_) => Ok(report),
            None => self.run(original, Level::Lossless, ""),
        }
    }

    fn run(&self, original: &[u8], level: Level, recall: &str) -> Result<Report, Fault> {
        let options = Options {
            level,
            format: self.settings.format,
            machine_reader: self.machine_reader,
            recall: recall.to_owned(),
        };
        std::panic::set_hook(Box::new(|panic| {
            let place = panic.location().map_or_else(String::new, |l| format!(" at {}:{}", l.file(), l.line()));
            if let Ok(mut last) = PANIC.lock() {
                *last = Some(place);
            }
        }));
        let result = catch_unwind(AssertUnwindSafe(|| {
            #[cfg(debug_assertions)]
            assert!(std::env::var_os(crate::env::TOTO_FAULT).is_none_or(|fault| fault != "panic"), "asked for");
            pipeline::compress(original, &options)
        }));
        let _ = std::panic::take_hook();
        result.map_err(|_| {
            let place = PANIC.lock().ok().and_then(|mut last| last.take()).unwrap_or_default();
            Fault(format!("toto: internal error{place}; the output is the tool's own"))
        })
    }
}

//! From the tool's captured bytes to what the agent gets: the pipeline, with everything that may go wrong
//! in it ending in the original bytes.

use std::ffi::OsString;
use std::io;
use std::os::fd::BorrowedFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use crate::config::{Level, Settings};
use crate::pipeline::{self, Options, Report, Timings};
use crate::receipt::Receipt;
use crate::run::emit::{say, write_all};
use crate::run::{Captured, Status};
use crate::store::{Id, Store};

/// How one run's output is handed on.
pub struct Delivery<'a> {
    /// The settings in force.
    pub settings: &'a Settings,
    /// The tool whose output it is; names the saved original.
    pub tool: &'a str,
    /// Where a saved original goes.
    pub session: OsString,
    /// The reader parses what it gets by a script of its own: minified JSON or nothing.
    pub machine_reader: bool,
    /// The second look, before the first byte: is this descriptor still the agent's?
    pub still_read: &'a dyn Fn(BorrowedFd<'_>) -> bool,
    /// May a receipt be written: is descriptor 2 read by the same agent?
    pub receipt: bool,
    /// Are the stages' times told as well?
    pub timing: bool,
}

/// A fault of ours, told in one line.
struct Fault(String);

static PANIC: Mutex<Option<String>> = Mutex::new(None);

impl Delivery<'_> {
    /// Writes what the tool left, compressed, then the receipt, and returns what to end with.
    pub fn captured(&self, captured: &Captured) -> Status {
        if captured.passed_through {
            return captured.status;
        }
        let mut reports = Vec::new();
        let mut written = Ok(());
        for stream in &captured.streams {
            written = written.and(if captured.reader_gone {
                // Nothing is worked out for nobody: the write ends us as it would have ended the tool.
                write_all(stream.target(), &stream.bytes)
            } else {
                self.stream(&stream.bytes, stream.target(), &mut reports)
            });
        }
        self.write_receipt(&reports);
        self.write_timings(&reports);
        match (written, captured.status) {
            (Err(error), status) => {
                say(&format!("toto: cannot write the output: {error}"));
                if status == Status::Exited(0) { Status::Exited(1) } else { status }
            }
            (Ok(()), status) => status,
        }
    }

    /// Writes `original` to standard output, compressed, then the receipt.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub fn bytes(&self, original: &[u8]) -> io::Result<()> {
        let mut reports = Vec::new();
        let written = self.stream(original, rustix::stdio::stdout(), &mut reports);
        self.write_receipt(&reports);
        self.write_timings(&reports);
        written
    }

    /// Writes one stream to `target`, compressed where it is still the agent's.
    fn stream(&self, original: &[u8], target: BorrowedFd<'_>, reports: &mut Vec<Report>) -> io::Result<()> {
        if original.is_empty() {
            return Ok(());
        }
        if !(self.still_read)(target) {
            return write_all(target, original);
        }
        match self.compress(original) {
            Ok(report) => {
                let written = write_all(target, &report.output);
                reports.push(report);
                written
            }
            Err(Fault(line)) => {
                let written = write_all(target, original);
                say(&line);
                written
            }
        }
    }

    /// What is left out is saved first; where that fails, nothing is left out.
    fn compress(&self, original: &[u8]) -> Result<Report, Fault> {
        let id = Id::new();
        let report = self.run_pipeline(original, self.settings.level, &format!("toto show {id}"))?;
        if report.omitted.is_empty() {
            return Ok(report);
        }
        let store = Store::of_session(&self.session);
        match store.and_then(|store| store.save(&id, self.tool, original).ok()) {
            Some(_) => Ok(report),
            None => self.run_pipeline(original, Level::Lossless, ""),
        }
    }

    fn run_pipeline(&self, original: &[u8], level: Level, recall: &str) -> Result<Report, Fault> {
        let options = Options {
            // A script's fields are all to be there.
            level: if self.machine_reader { Level::Lossless } else { level },
            format: self.settings.format,
            machine_reader: self.machine_reader,
            recall,
        };
        std::panic::set_hook(Box::new(|panic| {
            let place =
                panic.location().map_or_else(String::new, |l| format!(" at {}:{}", l.file(), l.line()));
            if let Ok(mut last) = PANIC.lock() {
                *last = Some(place);
            }
        }));
        let result = catch_unwind(AssertUnwindSafe(|| {
            #[cfg(debug_assertions)]
            assert!(
                std::env::var_os(crate::env::TOTO_FAULT).is_none_or(|fault| fault != "panic"),
                "asked for"
            );
            pipeline::compress(original, &options)
        }));
        let _ = std::panic::take_hook();
        result.map_err(|_| {
            let place = PANIC.lock().ok().and_then(|mut last| last.take()).unwrap_or_default();
            Fault(format!("toto: internal error{place}; the output is the tool's own"))
        })
    }

    fn write_receipt(&self, reports: &[Report]) {
        let most_saved = |report: &&Report| report.original_tokens.saturating_sub(report.output_tokens);
        let Some(first) = reports.iter().max_by_key(most_saved).filter(|_| self.receipt) else { return };
        let receipt = Receipt {
            original: reports.iter().map(|report| report.original_tokens).sum(),
            compressed: reports.iter().map(|report| report.output_tokens).sum(),
            shape: first.shape.to_string(),
            read_by_agent: true,
        };
        if let Some(line) = receipt.line(self.settings.receipt) {
            say(&line);
        }
    }

    fn write_timings(&self, reports: &[Report]) {
        for report in reports.iter().filter(|_| self.timing) {
            let Timings { scrub, parse, sieve, render, count } = report.timings;
            let stages =
                [("scrub", scrub), ("parse", parse), ("sieve", sieve), ("render", render), ("count", count)];
            let stages = stages.map(|(name, took)| format!("{name} {:.2} ms", took.as_secs_f64() * 1e3));
            say(&format!("[toto] {}", stages.join(" | ")));
        }
    }
}

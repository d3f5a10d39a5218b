//! The command line's input and output, its exit statuses, and requests that it refuses. A reader that has gone away is
//! an error here and a success in `cli::main`.

pub use crate::plural::counted;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use thiserror::Error;

use crate::pipeline::visible;
use crate::run::emit::say;
use crate::sys::files::at_most;

pub const FAILURE: i32 = 1;
/// Exit status of a command line that cannot be understood.
pub const USAGE: i32 = 2;

/// A request that a subcommand cannot serve as it was made: exit status [`USAGE`].
#[derive(Debug, Error)]
pub enum Refusal {
    /// It makes no sense, or names something that is not there.
    #[error("{0}")]
    Bad(String),
    /// The answer would be too much for an agent; the line is printed as it is, without `toto:` in front.
    #[error("{0}")]
    TooMuch(String),
}

impl Refusal {
    /// A request that makes no sense, or names something that is not there.
    pub fn bad(line: impl Into<String>) -> anyhow::Error {
        Self::Bad(line.into()).into()
    }
}

/// Returns [`Refusal::bad`], with a line as for `format!`.
macro_rules! refuse {
    ($($line:tt)+) => { return Err($crate::cli::out::Refusal::bad(format!($($line)+))) };
}
/// The same unless a condition holds.
macro_rules! refuse_unless {
    ($holds:expr, $($line:tt)+) => { if !$holds { $crate::cli::out::refuse!($($line)+); } };
}
pub(crate) use {refuse, refuse_unless};

pub fn input() -> io::Result<Vec<u8>> {
    at_most(io::stdin().lock(), u64::MAX)
}

/// Writes the whole text to standard output, and returns exit status 0. Styles are kept only if that is a terminal and
/// `NO_COLOR` is not set. Other control characters come from foreign text and are made visible.
pub fn styled(text: impl AsRef<str>) -> anyhow::Result<i32> {
    let mut stream = anstream::AutoStream::auto(io::stdout().lock());
    stream.write_all(&visible::coloured(text.as_ref().as_bytes()))?;
    stream.flush()?;
    Ok(0)
}

/// Writes bytes to standard output as they are, and returns exit status 0.
pub fn bytes(bytes: impl AsRef<[u8]>) -> anyhow::Result<i32> {
    let mut stream = io::stdout().lock();
    stream.write_all(bytes.as_ref())?;
    stream.flush()?;
    Ok(0)
}

/// Standard output, to be flushed by whoever writes to it.
pub fn stream() -> impl io::Write {
    io::BufWriter::new(io::stdout().lock())
}

pub fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Asks the person at the terminal; returns the line of the answer.
pub fn answer_to(question: &str) -> anyhow::Result<String> {
    bytes(question)?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(answer)
}

/// Asks the person at the terminal; any answer but yes is a no.
pub fn ask(question: &str) -> anyhow::Result<bool> {
    Ok(matches!(answer_to(question)?.trim(), "y" | "Y" | "yes"))
}

/// Writes one line to standard error. If that fails, there is nobody left to tell.
pub fn complain(message: &str) {
    say(&format!("toto: {message}"));
}

/// Width of the terminal at standard output, in columns; None if there is no terminal.
pub fn width() -> Option<u16> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    Some(size.ws_col).filter(|columns| *columns > 0)
}

/// The rows as text, each column as wide as its widest cell (in characters, without styles), without trailing blanks.
pub fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let shown = |cell: &str| anstream::adapter::strip_str(cell).to_string().chars().count();
    let width = |column: usize| rows.iter().map(|row| shown(&row[column])).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', width - shown(cell) + 2));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

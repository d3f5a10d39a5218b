//! How one of several calls ended, as a status and in words.

use std::{fmt, io};

use crate::path::NotFound;
use crate::sys::process::Status;

/// How a call ended.
#[derive(Debug)]
pub enum End {
    /// By itself.
    Status(Status),
    /// We were asked to end before the call had ended.
    Interrupted,
    /// We were asked to end before the call was started.
    Unstarted,
    /// There is no such tool.
    NotFound(NotFound),
    /// No pipe or process could be made.
    Failed(io::Error),
    /// It printed more than can be kept, and was killed.
    Endless,
}

impl End {
    /// As an exit status; 0 is success.
    pub fn status(&self) -> i32 {
        match self {
            Self::Status(status) => status.code(),
            Self::NotFound(error) => error.status(),
            Self::Failed(_) => 126,
            Self::Interrupted | Self::Unstarted | Self::Endless => 1,
        }
    }
}

/// How the call ended, in words: `exit status 2`.
impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(Status::Exited(code)) => write!(f, "exit status {code}"),
            Self::Status(Status::Killed(signal)) => write!(f, "killed by signal {signal}"),
            Self::Status(Status::Stopped) | Self::Interrupted => f.write_str("interrupted, not finished"),
            Self::Unstarted => f.write_str("interrupted, not started"),
            Self::NotFound(error) => write!(f, "{error}"),
            Self::Failed(error) => write!(f, "cannot be started: {error}"),
            Self::Endless => f.write_str("ended by toto: more than 2 GiB of output"),
        }
    }
}

//! Running the real tool: by becoming it, or as a child whose output is captured.

pub mod aside;
pub mod batch;
pub mod capture;
pub mod emit;
mod end;
mod prompt;
mod serving;
mod stream;

pub use crate::sys::process::{Program, Status};
pub use batch::{Batch, Ended, Task};
pub use capture::{Capture, Stderr};
pub use end::End;
pub use stream::{Content, Copying, Stream};

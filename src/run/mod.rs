//! Running the real tool: by becoming it, or as a child whose output is captured or passed on.

pub mod aside;
mod batch;
pub mod capture;
pub mod emit;
mod kept;
mod prompt;
mod serving;
mod signals;
mod stream;
mod tool;
pub mod wait;
pub mod window;

pub use crate::sys::process::{Program, Status};
pub use batch::{End, Ended, Task, batch};
pub use capture::Capture;
pub use stream::{Copying, Stream};
pub use window::Passing;

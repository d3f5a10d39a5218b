//! Running the real tool: by becoming it, or as a child whose output is captured or passed on.

pub mod aside;
pub mod batch;
pub mod capture;
pub mod emit;
mod end;
mod kept;
mod prompt;
mod serving;
mod signals;
mod stream;
mod wait;
pub mod window;

pub use crate::sys::process::{Program, Status};
pub use batch::{Batch, Ended, Task};
pub use capture::Capture;
pub use end::End;
pub use kept::Kept;
pub use stream::{Content, Copying, Stream};
pub use window::{Looked, Passing};

//! Processes and their open files: the same functions on every system.

#[cfg(all(target_os = "linux", not(debug_assertions)))]
pub use super::linux::*;
#[cfg(target_os = "macos")]
pub use super::macos::*;
#[cfg(all(target_os = "linux", debug_assertions))]
pub use super::simulated::*;
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub use super::unsupported::*;

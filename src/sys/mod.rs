//! The only room with `unsafe` code: thin, documented wrappers of the C library, each block with its reason.
#![allow(unsafe_code)]

pub mod auxv;
pub mod claim;
pub mod directory;
pub mod files;
pub mod guard;
pub mod kin;
pub mod later;
#[cfg(target_os = "macos")]
pub mod libproc;
pub mod marker;
#[cfg(target_os = "linux")]
pub mod peek;
pub mod pidfd;
pub mod process;
pub mod session;
pub mod signals;

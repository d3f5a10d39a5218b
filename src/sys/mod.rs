//! To be written.

pub mod auxv;
pub mod kin;
pub mod marker;

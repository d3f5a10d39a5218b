//! Stand-in.
/// Stand-in.
pub fn main(_args: Vec<std::ffi::OsString>) -> i32 { 0 }

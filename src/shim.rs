//! The shim: find the tool and become it.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;

/// Runs the tool named by `args[0]`.
pub fn main(args: &[OsString]) -> i32 {
    let name = std::path::Path::new(&args[0]).file_name().unwrap_or_default();
    let guard = crate::path::Guard::from_env();
    match crate::path::resolve(name, &guard, &args[1..]) {
        Ok(found) => {
            #[expect(clippy::disallowed_methods, reason = "becomes the tool")]
            let error = std::process::Command::new(&found.path)
                .arg0(&args[0])
                .args(&args[1..])
                .env(crate::env::TOTO_GUARD, found.guard.for_pid(std::process::id()))
                .exec();
            crate::cli::complain(&format!("{}: {error}", found.path.display()));
            126
        }
        Err(error) => {
            crate::cli::complain(&error.to_string());
            error.status()
        }
    }
}

//! `toto link` and `toto unlink`.

use std::ffi::OsString;

use clap::Args;

use super::out;
use crate::env;
use crate::farm::{Farm, Linked, Refusal, reach};
use crate::path::{FileId, Guard, Search};

/// Put shims of these names in front of the tools
#[derive(Args)]
pub struct LinkArgs {
    /// Names of tools, such as aws or kubectl
    #[arg(required = true, value_name = "NAME")]
    names: Vec<OsString>,
    /// Also for shells, interpreters and the like
    #[arg(long)]
    force: bool,
}

/// Take shims away again
#[derive(Args)]
pub struct UnlinkArgs {
    /// Names of shims
    #[arg(required = true, value_name = "NAME")]
    names: Vec<OsString>,
}

/// Each name by itself: a refused name does not stop the others. Fails without a home directory, or where standard
/// output cannot be written.
pub fn run(args: &LinkArgs) -> anyhow::Result<i32> {
    let farm = Farm::from_env()?;
    let search = Search::from_env();
    let status = each(&args.names, |name| {
        let done = match farm.link(name, args.force, false)? {
            Linked::New => "linked",
            Linked::Renewed => "renewed",
            Linked::Already => "already linked",
        };
        Ok(match search.resolve(name, &Guard::default(), &[]) {
            Ok(_) => done.to_string(),
            Err(_) => format!("{done}; there is no such tool on PATH yet"),
        })
    })?;
    reach::renew(&farm)?;
    let directory = farm.directory();
    let path = std::env::var_os(env::PATH).unwrap_or_default();
    if !std::env::split_paths(&path).any(|entry| FileId::of(&entry) == FileId::of(&directory)) {
        out::styled(format!("{} is not on PATH: toto setup puts it there\n", directory.display()))?;
    }
    Ok(status)
}

/// Runs `toto unlink`.
pub fn run_unlink(args: &UnlinkArgs) -> anyhow::Result<i32> {
    let farm = Farm::from_env()?;
    let status =
        each(&args.names, |name| Ok(if farm.unlink(name)? { "unlinked" } else { "not linked" }.to_owned()))?;
    reach::renew(&farm)?;
    Ok(status)
}

fn each(names: &[OsString], act: impl Fn(&OsString) -> Result<String, Refusal>) -> anyhow::Result<i32> {
    let mut status = 0;
    for name in names {
        match act(name) {
            Ok(done) => {
                out::styled(format!("{}: {done}\n", name.display()))?;
            }
            Err(refusal) => {
                out::complain(&refusal.to_string());
                status = out::FAILURE;
            }
        }
    }
    Ok(status)
}

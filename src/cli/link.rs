//! `toto link` and `toto unlink`.

use std::ffi::OsString;

use clap::Args;

use super::out;
use crate::env;
use crate::farm::known::{Way, way_of};
use crate::farm::list::find_tool;
use crate::farm::{Farm, Linked, Refusal, reach};
use crate::path::{FileId, Search};

/// Put these tools on the list of what toto stands in front of
#[derive(Args)]
pub struct LinkArgs {
    /// Names of tools, such as aws or kubectl
    #[arg(required = true, value_name = "NAME")]
    names: Vec<OsString>,
    /// Also for shells, interpreters and the like
    #[arg(long)]
    force: bool,
}

/// Take tools off the list again
#[derive(Args)]
pub struct UnlinkArgs {
    /// Names of the list
    #[arg(required = true, value_name = "NAME")]
    names: Vec<OsString>,
}

/// Each name by itself: a refused name does not stop the others. Fails without a home directory.
pub fn run(args: &LinkArgs) -> anyhow::Result<i32> {
    let farm = Farm::from_env()?;
    let search = Search::from_env();
    let status = each(&args.names, |name| {
        let (done, at) = farm.link(name, args.force, false)?;
        let done = match done {
            Linked::New => "linked",
            Linked::Renewed => "renewed",
            Linked::Already => "already linked",
        };
        let is_for_shell = name.to_str().and_then(way_of) == Some(Way::Shell);
        Ok(match find_tool(name, &search) {
            _ if at.starts_with(farm.names()) && is_for_shell => format!("{done}, for agents' own shells"),
            _ if at.starts_with(farm.names()) => {
                format!("{done}, for agents' own shells: it is not on PATH now, but in environments")
            }
            Some(_) => done.to_owned(),
            None => format!("{done}; there is no such tool on PATH yet"),
        })
    })?;
    reach::renew(&farm)?;
    if !reach::is_written(&farm) && farm.names().is_dir() {
        out::styled("agents' own shells do not know the list yet: toto agents setup\n")?;
    }
    let directory = farm.directory();
    let path = std::env::var_os(env::PATH).unwrap_or_default();
    if !std::env::split_paths(&path).any(|entry| FileId::of(&entry) == FileId::of(&directory)) {
        out::styled(format!("{} is not on PATH: toto setup puts it there\n", directory.display()))?;
    }
    Ok(status)
}

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

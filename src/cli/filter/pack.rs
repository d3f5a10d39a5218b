//! `toto filter install`, `update`, `remove`: filters of other people.

use clap::Args;

use crate::cli::out::{self, Refusal, refuse_unless};
use crate::cli::trust::{agrees, show};
use crate::packs::{self, Fetched, File};

/// Install filters: gh:user/repository, a git address, a directory or a tarball
#[derive(Debug, Args)]
pub(super) struct InstallArgs {
    /// Where they are
    source: String,
    /// What they are called here
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Trust them without a question
    #[arg(short, long)]
    yes: bool,
}

/// Fetch installed filters again, and show what changed
#[derive(Debug, Args)]
pub(super) struct UpdateArgs {
    /// Which; by default all
    name: Option<String>,
    /// Trust what changed without a question
    #[arg(short, long)]
    yes: bool,
}

/// Remove installed filters
#[derive(Debug, Args)]
pub(super) struct RemoveArgs {
    /// Which: toto filter list --installed
    name: String,
}

pub(super) fn install(args: &InstallArgs) -> anyhow::Result<i32> {
    let name = args.name.clone().or_else(|| packs::name_of(&args.source));
    let name = name.filter(|name| packs::is_name(name)).ok_or_else(|| Refusal::bad("say --name NAME"))?;
    let is_new = !packs::installed().iter().any(|(known, _)| *known == name);
    refuse_unless!(is_new, "{name} is installed already: toto filter update {name}, or --name");
    // A path is made absolute, so that `update` finds it from any directory.
    let path = std::fs::canonicalize(&args.source);
    let source = path.map_or_else(|_| args.source.clone(), |path| path.display().to_string());
    take(&name, &source, &packs::fetch(&source)?, args.yes)
}

/// Fetches and installs packs again; files that have not changed are not shown again.
pub(super) fn update(args: &UpdateArgs) -> anyhow::Result<i32> {
    let wanted = |name: &String| args.name.as_ref().is_none_or(|wanted| wanted == name);
    let packs: Vec<_> = packs::installed().into_iter().filter(|(name, _)| wanted(name)).collect();
    refuse_unless!(!packs.is_empty(), "no such pack is installed (toto filter list --installed)");
    let mut status = 0;
    for (name, pack) in packs {
        status |= take(&name, &pack.source, &packs::fetch(&pack.source)?, args.yes)?;
    }
    Ok(status)
}

/// Shows the files that are new or changed, asks, and installs the pack.
fn take(name: &str, source: &str, fetched: &Fetched, yes: bool) -> anyhow::Result<i32> {
    let known = packs::files_of(name)?;
    let unseen: Vec<&File> = fetched.files.iter().filter(|file| !known.contains(file)).collect();
    for (path, bytes) in &unseen {
        show(name, path, &String::from_utf8_lossy(bytes))?;
    }
    if !unseen.is_empty() && !yes && !agrees(unseen.len())? {
        out::bytes("nothing is installed\n")?;
        return Ok(1);
    }
    let pack = packs::install(name, source, fetched)?;
    let at = pack.commit.unwrap_or(pack.sha256);
    let files = out::counted(fetched.files.len() as u64, "file");
    out::bytes(format!("{name}: {files}, {} new or changed, at {at}\n", unseen.len()))
}

pub(super) fn remove(args: &RemoveArgs) -> anyhow::Result<i32> {
    let is_installed = packs::installed().iter().any(|(name, _)| *name == args.name);
    refuse_unless!(is_installed, "{} is not installed (toto filter list --installed)", args.name);
    packs::remove(&args.name)?;
    out::bytes(format!("{} is removed\n", args.name))
}

pub(super) fn list() -> anyhow::Result<i32> {
    let packs = packs::installed().into_iter();
    let rows: Vec<_> =
        packs.map(|(name, pack)| [name, pack.commit.unwrap_or(pack.sha256), pack.source]).collect();
    out::bytes(out::columns(&rows))
}

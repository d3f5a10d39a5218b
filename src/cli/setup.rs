//! `toto setup` and `toto uninstall`.

use std::cmp::Reverse;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::agents::place;
use super::discover::read_all;
use super::gain::table::{fitted, grouped};
use super::{manual, out};
use crate::agent_setup::{self, Place};
use crate::farm::changes::Changes;
use crate::farm::known::well_known;
use crate::farm::list::find_tool;
use crate::farm::setup::SHARE;
use crate::farm::shells::{Homes, quote};
use crate::farm::{Linked, Refusal, reach, setup};
use crate::path::Search;
use crate::transcripts::Calls;

/// Install shims, and put them in front of PATH in every shell
///
/// Twice in a row changes nothing.
#[derive(Args)]
pub struct SetupArgs {
    /// Tools to link; without any, it offers the well-known ones that are here
    #[arg(value_name = "NAME")]
    names: Vec<OsString>,
    /// Say what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Leave the shells' start files alone
    #[arg(long)]
    no_modify_path: bool,
    /// Ask nothing; without names, link the well-known tools that are here
    #[arg(short, long)]
    yes: bool,
}

/// Take toto away
///
/// Your own configuration and filters stay, as do files that are not toto's.
#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct UninstallArgs {
    /// Say what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Keep saved outputs and the ledger
    #[arg(long, conflicts_with = "all")]
    keep_data: bool,
    /// Remove your configuration and filters, too
    #[arg(long)]
    all: bool,
    /// Ask nothing
    #[arg(short, long)]
    yes: bool,
}

/// Fails without a home directory, or where a file cannot be written.
pub fn run(args: &SetupArgs, toto: clap::Command) -> anyhow::Result<i32> {
    let place = place()?;
    let names = if args.names.is_empty() { choose(args)? } else { args.names.clone() };
    let mut changes = Changes::new(args.dry_run);
    let result = apply(args, &place, &names, &mut changes);
    let manual = manual::install(&place.farm.home().join(SHARE), toto, &mut changes);
    out::styled(changes.text())?;
    let status = result?;
    manual?;
    if changes.lines.is_empty() {
        out::styled(if status == 0 { "nothing to change\n" } else { "" })?;
    } else if !args.dry_run {
        let env = quote(&place.farm.home().join("env"));
        let next =
            if args.no_modify_path { "Put the farm in front of PATH by" } else { "Open a new shell, or:" };
        out::styled(format!("\n{next} . {env}\nThen restart your agents; toto doctor checks it all.\n"))?;
    }
    Ok(status)
}

fn apply(
    args: &SetupArgs,
    Place { farm, home, .. }: &Place,
    names: &[OsString],
    changes: &mut Changes,
) -> anyhow::Result<i32> {
    setup::install(farm, changes)?;
    setup::write_env_files(farm, home, changes)?;
    let (mut status, search) = (0, Search::from_env());
    for name in names {
        match farm.link(name, false, args.dry_run) {
            Ok((Linked::Already, _)) => {}
            Ok((Linked::New | Linked::Renewed, at)) => {
                changes.note("linked", "link", at.display());
                let is_here = at.starts_with(farm.names()) || find_tool(name, &search).is_some();
                // Without names, those were offered that are here or were called.
                if !is_here && !args.names.is_empty() {
                    out::complain(&format!("{}: there is no such tool on PATH yet", name.display()));
                }
            }
            // The next name would meet the same error.
            Err(Refusal::Io(error)) => return Err(error.into()),
            Err(refusal) => {
                out::complain(&refusal.to_string());
                status = out::FAILURE;
            }
        }
    }
    if !args.dry_run {
        reach::renew(farm)?;
    }
    if !args.no_modify_path {
        if let Err(error) = setup::edit_start_files(farm, &Homes::of(home), changes) {
            out::complain(&format!("{error} (--no-modify-path leaves start files alone)"));
            status = out::FAILURE;
        }
        if !args.dry_run {
            agent_setup::keep_start_files(farm);
        }
    }
    Ok(status)
}

/// The well-known tools that are here: all of them, or those that the person at the terminal picks.
fn choose(args: &SetupArgs) -> anyhow::Result<Vec<OsString>> {
    let offers = offers()?;
    let all = offers.iter().map(|offer| offer.name.into()).collect();
    if args.yes || args.dry_run || offers.is_empty() {
        return Ok(all);
    }
    out::styled(Offer::table(&offers, out::width().map_or(usize::MAX, usize::from)))?;
    if !out::can_ask() {
        out::complain("nothing was linked: toto setup --yes links them all, toto setup NAME… those named");
        return Ok(Vec::new());
    }
    let answer = out::answer_to("Link them all? [Y]es, [n]one, or names: ")?;
    Ok(match answer.trim().to_ascii_lowercase().as_str() {
        "" if answer.is_empty() => Vec::new(),
        "" | "y" | "yes" => all,
        "n" | "no" | "none" => Vec::new(),
        _ => answer.split([' ', ',', '\n']).filter(|name| !name.is_empty()).map(OsString::from).collect(),
    })
}

/// A well-known tool that is here, or that agents called.
struct Offer {
    name: &'static str,
    /// Where it is: on PATH, or in one of this directory's environments; None where only agents' transcripts have it.
    at: Option<PathBuf>,
    /// How often agents called it, by their transcripts on this machine.
    calls: u64,
}

/// The well-known tools that are on PATH, in this directory's environments or in agents' transcripts; most called
/// first.
fn offers() -> anyhow::Result<Vec<Offer>> {
    let mut calls = Calls::default();
    read_all(&mut |format, session, document| calls.take(format, session, document))?;
    let search = Search::from_env();
    let offer = |name: &'static str| Offer {
        name,
        at: find_tool(name.as_ref(), &search).map(|found| found.path),
        calls: calls.by_tool.get(name).copied().unwrap_or_default(),
    };
    let is_here = |offer: &Offer| offer.at.is_some() || offer.calls > 0;
    let mut offers: Vec<Offer> = well_known().map(offer).filter(is_here).collect();
    offers.sort_by_key(|offer| Reverse(offer.calls));
    Ok(offers)
}

impl Offer {
    fn table(offers: &[Self], width: usize) -> String {
        let row = |offer: &Self| {
            let at = offer.at.as_ref().map(|at| at.display().to_string());
            let calls = if offer.calls == 0 { String::new() } else { grouped(offer.calls) };
            [
                offer.name.to_owned(),
                at.unwrap_or_else(|| "in agents' sessions".into()),
                format!("{calls:>15}"),
            ]
        };
        fitted(["tool", "where", "calls by agents"], offers.iter().map(row).collect(), 1, width)
    }
}

/// Fails without a home directory, or where a file cannot be changed.
pub fn run_uninstall(args: &UninstallArgs) -> anyhow::Result<i32> {
    if args.all && !args.yes && !args.dry_run && !out::can_ask() {
        out::complain("--all removes what you wrote; nobody is there to ask: say the same with --yes");
        return Ok(out::USAGE);
    }
    if out::can_ask() && !args.yes && !args.dry_run {
        let mut planned = Changes::new(true);
        uninstall(args, &mut planned)?;
        if !planned.lines.is_empty() && !out::ask("Remove these? [y/N] ")? {
            return Ok(out::FAILURE);
        }
    }
    uninstall(args, &mut Changes::new(args.dry_run))
}

fn uninstall(args: &UninstallArgs, changes: &mut Changes) -> anyhow::Result<i32> {
    let place = place()?;
    let agents = agent_setup::remove_all(&place, changes);
    let shells = setup::restore_start_files(&place.farm, &Homes::of(&place.home), changes);
    // A line that stays in a start file does nothing without the file that it names.
    let mut status = 0;
    for error in [agents.err(), shells.err().map(Into::into)].into_iter().flatten() {
        out::complain(&format!("{error:#}"));
        status = out::FAILURE;
    }
    let data = [!args.keep_data, args.all];
    let result = setup::remove_data(data, changes)
        .and_then(|kept| Ok((kept, setup::remove_farm(&place.farm, changes)?)));
    out::styled(changes.text())?;
    let (kept, foreign) = result?;
    let mut text: String = kept.iter().map(|path| format!("kept {}\n", path.display())).collect();
    text.extend(foreign.iter().map(|path| format!("left {}: it is not toto's\n", path.display())));
    text += if changes.lines.is_empty() && status == 0 { "nothing to remove\n" } else { "" };
    out::styled(text)?;
    Ok(status)
}

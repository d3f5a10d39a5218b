//! Checks, in a shell started as each agent starts it, whether the farm is first on PATH; and which agents that still
//! run were started before they were set up: their commands have the PATH of that time (proc(5)).

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use super::place::{Known, OWNER, Place, agents, resolve};
use super::setup::found;
use crate::agents::{Agent, Mode, Setup, described};
use crate::consumer::{self, Process};
use crate::edits::{Change, File};
use crate::env;
use crate::farm::checkup::{Finding, Severity, judge};
use crate::farm::list::Listed;
use crate::farm::probe::{self, Around, Meaning};
use crate::farm::reach;
use crate::sys::kin;

/// The findings of `toto doctor` about the agents that are here: what their commands would run, and which of their
/// processes were started with another PATH.
pub fn examine(place: &Place, listed: &[Listed]) -> Vec<Finding> {
    let here: Vec<_> = agents().filter(|(_, setup)| found(setup, place).is_some()).collect();
    let unused =
        described().faults.iter().map(|fault| Finding::broken("agents", fault.clone(), "mend that file"));
    if here.is_empty() {
        return unused.collect();
    }
    let shell = shell();
    // The PATH of a terminal that is opened now, which an agent that is started there inherits.
    let path = std::env::var_os(env::PATH).unwrap_or_default();
    let others = std::env::split_paths(&path).filter(|entry| *entry != place.farm.directory());
    let without = std::env::join_paths(others).unwrap_or_else(|_| path.clone());
    let answer = probe::ask(&shell, Mode::Interactive, &without, &[], &Around::default());
    let terminal = answer.map_or(without, |answer| answer.path);
    let ask = |agent: &Known| one(*agent, place, &shell, &terminal, listed);
    let mut findings: Vec<Finding> = std::thread::scope(|scope| {
        let running: Vec<_> = here.iter().map(|agent| scope.spawn(move || ask(agent))).collect();
        running.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    findings.extend(running(place, &here));
    findings.extend(unused);
    findings
}

/// The user's shell if it is bash or zsh, which agents use; else bash, else sh.
fn shell() -> PathBuf {
    let own = std::env::var_os(env::SHELL).map(PathBuf::from);
    let known = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name == "bash" || name == "zsh") && path.is_file()
    };
    own.filter(known).or_else(|| probe::installed("bash")).unwrap_or_else(|| "/bin/sh".into())
}

fn one((agent, setup): Known, place: &Place, shell: &Path, terminal: &OsStr, listed: &[Listed]) -> Finding {
    let mut path = terminal.to_owned();
    let around = match own_way(agent, setup, place, &mut path) {
        Ok(around) => around,
        Err(reason) => {
            return Finding::broken(agent.id, format!("{}: {reason}", agent.title), "mend that file");
        }
    };
    let (in_farm, others): (Vec<_>, Vec<_>) = listed.iter().partition(|one| one.in_farm);
    let names: Vec<String> =
        [in_farm, others].concat().iter().filter_map(|one| one.name.to_str().map(Into::into)).collect();
    match probe::ask(shell, setup.shell, &path, &names, &around) {
        Some(mut answer) => {
            let others = answer.names.split_off(listed.iter().filter(|one| one.in_farm).count());
            let missed: Vec<_> = others.iter().filter(|(_, meaning)| *meaning != Meaning::Word).collect();
            let fix = format!("toto agents setup {}", agent.id);
            let title = format!("{}'s commands", agent.title);
            let finding = judge(agent.id, &title, &answer, &place.farm.directory(), &fix);
            if finding.severity != Severity::Ok || missed.is_empty() {
                return finding;
            }
            let missed = missed.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
            let message = format!("{}; its shell has no word for {missed}", finding.message);
            // Start files give words to some shells only.
            Finding::note(agent.id, message, Some(fix.as_str()).filter(|_| !setup.edits.is_empty()))
        }
        None => Finding::note(agent.id, format!("{}'s shell: no answer within 2 s", agent.title), None),
    }
}

/// What the agent's present configuration does to its commands; another PATH is put into `path`.
fn own_way(agent: &Agent, setup: &Setup, place: &Place, path: &mut OsString) -> Result<Around, String> {
    let mut around = Around { variables: vec![(env::TOTO_AGENT.into(), "1".into())], ..Around::default() };
    for edit in setup.edits {
        let Ok(Some((file, change))) = resolve(edit, agent, place) else { continue };
        let file = File::open(&file, place.farm.home()).map_err(|error| error.to_string())?;
        let planned =
            file.plan(OWNER, std::slice::from_ref(&change), true).map_err(|error| error.to_string())?;
        let text = planned.file.text.as_deref().unwrap_or_default();
        match change {
            // In the file the mark stands in a JSON string.
            Change::Append { element, .. } if text.contains(&edit.mark.replace('"', "\\\"")) => {
                let hooks = element["hooks"].as_array().into_iter().flatten();
                let commands = hooks.filter_map(|hook| hook["command"].as_str());
                let written = |command| Some(written_by(command, setup.env_file?));
                around.before.extend(commands.filter_map(written));
            }
            Change::Set { at, value } if text.contains(value.as_str().unwrap_or_default()) => {
                around.variables.extend(at.last().cloned().zip(value.as_str().map(Into::into)));
            }
            Change::Text { text: wanted, .. } if text == wanted => {
                let others = std::env::split_paths(&*path);
                let all = std::iter::once(place.farm.directory()).chain(others);
                *path = std::env::join_paths(all).map_err(|error| error.to_string())?;
                if wanted.contains(env::BASH_ENV) {
                    let file = place.farm.home().join(reach::FILES[0]).display().to_string();
                    around.variables.push((env::BASH_ENV.into(), file));
                }
            }
            _ => {}
        }
    }
    Ok(around)
}

/// Runs a hook, and returns what it writes to the file that this variable names.
fn written_by(hook: &str, variable: &str) -> String {
    let Ok(file) = tempfile::NamedTempFile::new() else { return String::new() };
    #[expect(clippy::disallowed_methods, reason = "runs our own hook as the agent would; no tool is run")]
    let mut command = Command::new("/bin/sh");
    command.args(["-c", hook]).env(variable, file.path());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.status() {
        Ok(_) => std::fs::read_to_string(file.path()).unwrap_or_default(),
        Err(_) => String::new(),
    }
}

/// A finding for each of these agents that has such a process. Empty where processes are hidden.
fn running(place: &Place, agents: &[Known]) -> Vec<Finding> {
    let of = |(agent, setup): &Known| {
        let old = consumer::processes_of(agent).filter(|process| is_old(process, agent, setup, place));
        let old: Vec<String> = old.map(|process| process.pid.to_string()).collect();
        let s = if old.len() == 1 { "" } else { "es" };
        (!old.is_empty()).then(|| {
            let message =
                format!("{}: process{s} {} started before the farm was on PATH", agent.title, old.join(", "));
            Finding::note("running", message, Some("end it and start it anew"))
        })
    };
    agents.iter().filter_map(of).collect()
}

fn is_old(process: &Process, agent: &Agent, setup: &Setup, place: &Place) -> bool {
    let Some(environment) = process.environment() else { return false };
    let variable = |name: &str| environment.get(name).map(OsStr::from_bytes);
    if variable("HOME").is_some_and(|home| home != place.home) {
        return false;
    }
    let file = |edit| Some(resolve(edit, agent, place).ok()??.0);
    let files = setup.edits.iter().filter_map(file);
    // When the configuration files that we edit were last modified.
    if let Some(last) = files.filter_map(|file| file.metadata().ok()?.modified().ok()).max() {
        return started(process.pid as u32).is_some_and(|started| started < last);
    }
    let farm = place.farm.directory();
    variable("PATH").is_some_and(|path| !std::env::split_paths(path).any(|entry| entry == farm))
}

fn started(pid: u32) -> Option<SystemTime> {
    let ticks = kin::start_of(pid)?;
    let system = std::fs::read_to_string("/proc/stat").ok()?;
    let boot: u64 = system.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()?;
    let since_boot = Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64);
    Some(SystemTime::UNIX_EPOCH + Duration::from_secs(boot) + since_boot)
}

//! Agents that were started before they were set up and still run: their commands have the PATH of that time. See
//! proc(5).

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::place::{Known, Place};
use super::template;
use crate::agents::{Agent, Setup};
use crate::farm::checkup::Finding;
use crate::sys::{directory, kin};

/// A finding for each of these agents that has such a process. Empty where there is no /proc.
pub fn examine(place: &Place, agents: &[Known]) -> Vec<Finding> {
    let processes = directory::entries(Path::new("/proc")).unwrap_or_default();
    let pid = |process: &PathBuf| process.file_name()?.to_str()?.parse().ok();
    let pids: Vec<u32> = processes.iter().filter_map(pid).collect();
    let of = |(agent, setup): &Known| {
        let old = pids.iter().filter(|pid| is_old(**pid, agent, setup, place));
        let old: Vec<String> = old.map(ToString::to_string).collect();
        let s = if old.len() == 1 { "" } else { "es" };
        (!old.is_empty()).then(|| {
            let message =
                format!("{}: process{s} {} started before the farm was on PATH", agent.title, old.join(", "));
            Finding::note("running", message, Some("end it and start it anew"))
        })
    };
    agents.iter().filter_map(of).collect()
}

fn is_old(pid: u32, agent: &Agent, setup: &Setup, place: &Place) -> bool {
    let process = PathBuf::from(format!("/proc/{pid}"));
    if !is_named(&process, agent) {
        return false;
    }
    let Ok(environment) = std::fs::read(process.join("environ")) else { return false };
    let variable = |name: &str| {
        let mut variables = environment.split(|byte| *byte == 0);
        variables.find_map(|variable| variable.strip_prefix(name.as_bytes())).map(OsStr::from_bytes)
    };
    if variable("HOME=").is_some_and(|home| home != place.home) {
        return false;
    }
    if let Some(last) = configuration(agent, setup, place).max() {
        return started(pid).is_some_and(|started| started < last);
    }
    let farm = place.farm.directory();
    variable("PATH=").is_some_and(|path| !std::env::split_paths(path).any(|entry| entry == farm))
}

/// When the agent's configuration files that we edit were last modified.
fn configuration(agent: &Agent, setup: &Setup, place: &Place) -> impl Iterator<Item = SystemTime> {
    let file = |edit| Some(template::resolve(edit, agent, place, None).ok()??.0);
    setup.edits.iter().filter_map(file).filter_map(|file| file.metadata().ok()?.modified().ok())
}

/// Whether the process is the agent's, by its name or by the script or package that an interpreter runs.
fn is_named(process: &Path, agent: &Agent) -> bool {
    let comm = std::fs::read(process.join("comm")).unwrap_or_default();
    let comm = String::from_utf8_lossy(&comm);
    if agent.process.names.contains(&comm.trim_end()) {
        return true;
    }
    let line = std::fs::read(process.join("cmdline")).unwrap_or_default();
    let mut words = line.split(|byte| *byte == 0).take(3).skip(1).map(String::from_utf8_lossy);
    words.any(|word| {
        let file = word.rsplit('/').next().unwrap_or_default();
        let stem = file.split('.').next().unwrap_or_default();
        agent.process.scripts.contains(&stem)
            || agent.process.packages.iter().any(|package| word.contains(package))
    })
}

fn started(pid: u32) -> Option<SystemTime> {
    let ticks = kin::start_of(pid)?;
    let system = std::fs::read_to_string("/proc/stat").ok()?;
    let boot: u64 = system.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()?;
    let since_boot = Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64);
    Some(SystemTime::UNIX_EPOCH + Duration::from_secs(boot) + since_boot)
}

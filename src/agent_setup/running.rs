//! Agents that were started before they were set up and still run: their commands have the PATH of that time. See
//! proc(5).

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::time::{Duration, SystemTime};

use super::place::{Known, Place};
use super::template;
use crate::agents::{Agent, Setup};
use crate::consumer::{self, Process};
use crate::farm::checkup::Finding;
use crate::sys::kin;

/// A finding for each of these agents that has such a process. Empty where processes are hidden.
pub fn examine(place: &Place, agents: &[Known]) -> Vec<Finding> {
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
    let file = |edit| Some(template::resolve(edit, agent, place, None).ok()??.0);
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

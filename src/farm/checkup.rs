//! The checks of `toto doctor`: each finding says what was seen and, if something is wrong, what to do.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::Farm;
use super::known::{Way, way_of};
use super::list::{Listed, State, find_tool};
use super::probe::{self, Answer, Around, Meaning};
use super::reach;
use super::shells::quote;
use crate::agents::Mode;
use crate::path::{Candidate, FileId, Search, Verdict, other_farm};
use crate::plural::counted;
use crate::{env, store};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Ok,
    Note,
    Broken,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub severity: Severity,
    /// What was looked at, in a word, or the name of a shell or the id of an agent.
    pub check: String,
    pub message: String,
    pub fix: Option<String>,
}

impl Finding {
    pub fn ok(check: &str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Ok, check: check.into(), message: message.into(), fix: None }
    }

    pub fn note(check: &str, message: impl Into<String>, fix: Option<&str>) -> Self {
        Self { severity: Severity::Note, fix: fix.map(Into::into), ..Self::ok(check, message) }
    }

    pub fn broken(check: &str, message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { severity: Severity::Broken, fix: Some(fix.into()), ..Self::ok(check, message) }
    }
}

/// Runs every check. Shells are started in parallel, each for two seconds at most.
pub fn examine(farm: &Farm) -> anyhow::Result<Vec<Finding>> {
    let listed = farm.listed()?;
    let (in_farm, others): (Vec<_>, Vec<_>) = listed.iter().partition(|one| one.in_farm);
    let names = names_of(&in_farm);
    let path = std::env::var_os(env::PATH).unwrap_or_default();
    let binary = farm.binary();
    let is_executable = rustix::fs::access(&binary, rustix::fs::Access::EXEC_OK).is_ok();
    let mut findings = vec![match super::is_toto(&binary) {
        true if is_executable => Finding::ok("install", binary.display().to_string()),
        true => {
            let message = format!("{} may not be executed: every link is dead", binary.display());
            Finding::broken("install", message, "toto setup")
        }
        false => {
            let message = format!("{} is not there or not toto", binary.display());
            Finding::note("install", message, Some("run ./install.sh, or toto setup"))
        }
    }];
    findings.extend(in_farm.iter().filter_map(|one| shim(one)));
    if listed.is_empty() {
        findings.push(Finding::note("shim", "nothing is linked yet", Some("toto setup, or toto link NAME…")));
    } else if !in_farm.is_empty() && findings.iter().all(|finding| finding.check != "shim") {
        let each = if in_farm.len() == 1 { "" } else { "each " };
        findings.push(Finding::ok(
            "shim",
            format!("{}, {each}with its tool", counted(in_farm.len() as u64, "shim")),
        ));
    }
    findings.extend((!others.is_empty()).then(|| for_agents_shells(farm, &others)));
    // This process's PATH, which every command started from here inherits.
    let search = Search::new(path.clone(), Some(farm.directory()));
    let meaning = |name: &String| first(&search, name).map(|file| Meaning::File(file.path));
    let meant = names.iter().map(|name| (name.clone(), meaning(name).unwrap_or(Meaning::Nothing))).collect();
    let fix = format!("open a new shell, or: . {}", quote(&farm.home().join("env")));
    findings.push(judge(
        "path",
        "this shell",
        &Answer { path: path.clone(), names: meant },
        &farm.directory(),
        &fix,
    ));
    findings.extend(shells(farm, &path, &names));
    let other_farm = |entry: PathBuf| {
        let name = other_farm(&entry.join("x")).filter(|_| entry != farm.directory())?;
        let message = format!("{name} has shims in {}: they are run as they are", entry.display());
        Some(Finding::note("farm", message, None))
    };
    findings.extend(std::env::split_paths(&path).filter_map(other_farm));
    findings.push(saved_outputs());
    Ok(findings)
}

/// What of the list this PATH misses. Fails where the list cannot be read.
pub fn examine_path(farm: &Farm, path: &OsStr) -> anyhow::Result<Vec<Finding>> {
    let listed = farm.listed()?;
    let (in_farm, others): (Vec<_>, Vec<_>) = listed.iter().partition(|one| one.in_farm);
    let search = Search::new(path.into(), Some(farm.directory()));
    let mut missed = Vec::new();
    for name in names_of(&in_farm) {
        match first(&search, &name) {
            Some(file) if file.verdict != Verdict::Tool => {}
            Some(file) => missed.push(format!("{name} ({} comes first)", file.path.display())),
            None => missed.push(name),
        }
    }
    let mut findings = vec![if missed.is_empty() {
        Finding::ok("path", format!("that PATH reaches {}", counted(in_farm.len() as u64, "shim")))
    } else {
        let fix = format!("put {} in front of it", farm.directory().display());
        Finding::broken("path", format!("that PATH misses {}", missed.join(", ")), fix)
    }];
    findings.extend((!others.is_empty()).then(|| for_agents_shells(farm, &others)));
    Ok(findings)
}

/// The file that a PATH has for a name.
fn first(search: &Search, name: &str) -> Option<Candidate> {
    search.all(name.as_ref()).find(|file| file.verdict != Verdict::NotExecutable)
}

fn names_of(listed: &[&Listed]) -> Vec<String> {
    listed.iter().filter_map(|one| one.name.to_str().map(Into::into)).collect()
}

/// Names without a link in the farm: no PATH leads to a shim of theirs.
fn for_agents_shells(farm: &Farm, listed: &[&Listed]) -> Finding {
    let now_on_path = |one: &&&Listed| {
        let is_path_meant = one.name.to_str().and_then(way_of) != Some(Way::Shell);
        is_path_meant && find_tool(&one.name, &Search::from_env()).is_some_and(|found| found.on_path)
    };
    let names = |listed: &[&Listed], blank: &str| names_of(listed).join(blank);
    let now: Vec<&Listed> = listed.iter().filter(now_on_path).copied().collect();
    if !now.is_empty() {
        let are = if now.len() == 1 { "is" } else { "are" };
        let message = format!("{} {are} on PATH now, and without a shim there", names(&now, ", "));
        return Finding::note("shell", message, Some(&format!("toto link {}", names(&now, " "))));
    }
    let message = format!("only in agents' own shells: {}", names(listed, ", "));
    if reach::is_written(farm) {
        Finding::ok("shell", message)
    } else {
        Finding::note("shell", format!("{message}, which are not set up"), Some("toto agents setup"))
    }
}

fn shim(shim: &Listed) -> Option<Finding> {
    let name = shim.name.display();
    Some(match &shim.state {
        State::Working(_) => return None,
        State::Unfound(reason) => {
            let fix = format!("nothing, if {name} is to be installed; else toto unlink {name}");
            Finding::note("shim", reason.to_string(), Some(&fix))
        }
        State::Stale => {
            Finding::broken("shim", format!("{name}: leads nowhere"), format!("toto link {name}"))
        }
        State::Foreign => {
            let what = "is a file of someone else's in the farm; it is run in place of the tool";
            Finding::note("shim", format!("{name}: {what}"), Some("move it to another directory"))
        }
    })
}

/// Checks each installed shell in each of its modes. Login and interactive shells must put the farm on PATH by
/// themselves; a plain shell must leave it where it is.
fn shells(farm: &Farm, path: &OsStr, names: &[String]) -> Vec<Finding> {
    let directory = farm.directory();
    let without: Vec<PathBuf> = std::env::split_paths(path).filter(|entry| *entry != directory).collect();
    let with: Vec<PathBuf> = std::iter::once(directory.clone()).chain(without.iter().cloned()).collect();
    let join = |entries| std::env::join_paths(entries).unwrap_or_else(|_| OsString::from(path));
    let (without, with) = (join(without), join(with));
    std::thread::scope(|scope| {
        let mut running = Vec::new();
        for (name, modes) in probe::SHELLS {
            let Some(shell) = probe::installed(name) else { continue };
            for &mode in modes {
                let path = if mode == Mode::Plain { &with } else { &without };
                let shell = shell.clone();
                let ask = move || probe::ask(&shell, mode, path, names, &Around::default());
                running.push((name, mode, scope.spawn(ask)));
            }
        }
        let answers =
            running.into_iter().map(|(name, mode, thread)| (name, mode, thread.join().ok().flatten()));
        let finding = |(name, mode, answer): (&str, Mode, Option<Answer>)| {
            let title = format!("{name}, {}", mode.words().0);
            let Some(answer) = answer else {
                let fix = "see what its start files wait for or print";
                return Finding::note(name, format!("{title}: no answer within 2 s"), Some(fix));
            };
            judge(name, &title, &answer, &directory, "toto setup")
        };
        answers.map(finding).collect()
    })
}

/// Judges where the farm stands in a PATH, and what is found in front of its shims.
pub fn judge(check: &str, title: &str, answer: &Answer, farm: &Path, fix: &str) -> Finding {
    let id = FileId::of(farm);
    let is_farm = |directory: &Path| directory == farm || (id.is_some() && FileId::of(directory) == id);
    let position = std::env::split_paths(&answer.path).position(|entry| is_farm(&entry));
    let (mut functions, mut files) = (Vec::new(), Vec::new());
    for (name, meaning) in &answer.names {
        match meaning {
            Meaning::Function => functions.push(format!("{name} is a function")),
            Meaning::Alias => functions.push(format!("{name} is an alias")),
            Meaning::File(file) if !file.parent().is_some_and(is_farm) => {
                files.push(file.display().to_string());
            }
            Meaning::File(_) | Meaning::Word | Meaning::Nothing => {}
        }
    }
    if position.is_none() {
        Finding::broken(check, format!("{title}: the farm is not on PATH"), fix)
    } else if !files.is_empty() {
        let message = format!("{title}: in front of the farm stands {}", files.join(", "));
        Finding::broken(check, message, fix)
    } else if !functions.is_empty() {
        let message = format!("{title}: {}, so the shim is not reached", functions.join(", "));
        let fix = match check {
            "fish" => "functions --details NAME tells its file; of fish's own, unlink the shim",
            _ => "remove it from your start files, or unlink the shim",
        };
        Finding::note(check, message, Some(fix))
    } else if position > Some(0) {
        let message =
            format!("{title}: the farm is not first on PATH, but no shim's name stands in front of it");
        Finding::note(check, message, None)
    } else {
        Finding::ok(check, format!("{title}: the farm is first on PATH"))
    }
}

/// Checks whether outputs can be saved; the store's directory itself need not be there yet.
fn saved_outputs() -> Finding {
    let Some(store) = store::root() else {
        return Finding::broken("store", "HOME is not set: outputs cannot be saved", "set HOME");
    };
    let nearest = store.ancestors().find(|directory| directory.symlink_metadata().is_ok());
    let access = rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK;
    match nearest {
        Some(directory) if directory.is_dir() && rustix::fs::access(directory, access).is_ok() => {
            Finding::ok("store", format!("{} can be written", store.display()))
        }
        nearest => {
            let nearest = nearest.unwrap_or(Path::new("/")).display();
            let message = format!(
                "{} cannot be written: outputs are saved with temporary files, if at all",
                store.display()
            );
            Finding::broken("store", message, format!("make {nearest} a directory that you may write to"))
        }
    }
}

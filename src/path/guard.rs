//! `_TOTO_GUARD`: how a shim notices that the tool it chose was another farm's shim, which called it back.
//!
//! pyenv, mise, asdf and volta have farms of their own. Behind ours, their `python` looks up `python` on PATH and
//! finds us again. So each run records in the tool's environment which file was chosen, with the id of the process
//! that the tool becomes; a shim that is called back takes the next file. An agent that was itself started through
//! a shim has old entries in its environment: an entry counts only while its process is this one or an ancestor of
//! it.
//!
//! The value is a list of entries, the newest first, separated by `/` (which no tool's name contains):
//!
//! ```text
//! 0000012345,2f7c10,c0ffee0123456789,0,801:3e9+801:4f2,python
//! └ process  │      │                │ │               └ name
//!   (ten     │      │                │ └ files tried, device:inode
//!   digits)  │      │                └ how often the same was taken again
//!            │      └ hash of arguments and working directory
//!            └ when, in hundredths of a second since boot
//! ```

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::process::parent_id;

use super::own::FileId;
use crate::sys::kin;
use crate::{env, fnv};

/// How often a tool that calls itself through the shim is run again (make, or a farm with no tool behind it).
const REPEATS: u8 = 8;
/// Repeats before another candidate is tried. A tool may well call itself: GNU make re-executes itself when its
/// makefiles have changed, and a second `make` on PATH must not get that call.
const PATIENCE: u8 = 2;
/// Longest value that is read, in bytes; no live chain has a longer one.
const LONGEST: usize = 4096;
/// A process that began this much later than its entry was written has only reused the process id; in hundredths of
/// a second. (The tool's process starts just after its entry is made.)
const LATE: u64 = 300;

/// The entries that the environment hands down, and our own place among the processes.
#[derive(Debug, Default)]
pub struct Guard {
    entries: Vec<Entry>,
    /// Ids of this process and of its parent; 0 where there are no entries, or the parent is in another PID namespace.
    process: u32,
    parent: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    process: u32,
    since: u64,
    call: u64,
    repeats: u8,
    tried: Vec<FileId>,
    name: OsString,
}

/// The record of earlier calls of one name.
pub struct Recall {
    /// The name and the call, with all files that were chosen for the name on this chain of calls.
    entry: Entry,
    /// Whether the earlier call's process is this one or its parent.
    direct: bool,
    /// Entries of other names on this chain.
    others: Vec<Entry>,
}

/// The value for the tool's environment, but for the id of the tool's process, which is not known before the fork.
pub struct GuardValue(Vec<Entry>);

impl GuardValue {
    pub fn for_pid(&self, pid: u32) -> OsString {
        let mut text = Vec::new();
        for (index, entry) in self.0.iter().enumerate() {
            text.append(&mut entry.text(if index == 0 { pid } else { entry.process }));
            text.push(b'/');
        }
        text.pop();
        OsString::from_vec(text)
    }
}

impl Guard {
    /// The guard from this process's environment; empty where there is none.
    pub fn from_env() -> Self {
        std::env::var_os(env::TOTO_GUARD).map_or_else(Self::default, |value| Self::of(value.as_bytes()))
    }

    fn of(value: &[u8]) -> Self {
        let value = if value.len() > LONGEST { b"" } else { value };
        // An entry that cannot be parsed is not ours.
        let entries = value.split(|byte| *byte == b'/').filter_map(Entry::read).collect();
        Self { entries, process: std::process::id(), parent: parent_id() }
    }

    /// The record of earlier calls of `name` on this chain.
    pub fn recall(&self, name: &OsStr, args: &[OsString]) -> Recall {
        // A hash of the arguments and the working directory, which every version of toto computes alike.
        let directory = FileId::of(".").map(|id| [id.0.to_le_bytes(), id.1.to_le_bytes()]);
        let arguments = args.iter().flat_map(|argument| argument.as_bytes().iter().chain(&[0]));
        let call = fnv::hash(arguments.chain(directory.iter().flatten().flatten()));
        let own = |entry: &&Entry| entry.process == self.process && is_alive(entry);
        let mut others = self.entries.clone();
        others.retain(|entry| entry.name != name && own(&entry));
        let entry = Entry { process: 0, since: 0, call, repeats: 0, tried: Vec::new(), name: name.into() };
        let mut recall = Recall { entry, direct: false, others };
        // This walks up the process tree, so it is asked only about entries of the same call.
        let is_above = |process| process == self.parent || kin::is_ancestor(process, self.parent);
        let ours =
            |entry: &&Entry| own(entry) || entry.call == call && is_above(entry.process) && is_alive(entry);
        if let Some(entry) = self.entries.iter().filter(|entry| entry.name == name).find(ours) {
            recall.entry.tried.clone_from(&entry.tried);
            recall.entry.repeats = entry.repeats;
            recall.direct = entry.process == self.process || entry.process == self.parent;
        }
        recall
    }
}

/// Whether the process id still belongs to the process that the entry was made for; true in doubt (no /proc).
fn is_alive(entry: &Entry) -> bool {
    kin::start_of(entry.process).is_none_or(|start| start <= entry.since.saturating_add(LATE))
}

impl Recall {
    /// Whether this file was chosen before, so that another candidate comes first: after a few repeats
    /// (`PATIENCE`), or at once where the file lies in another farm, whose shims look the name up again, and called
    /// us back directly.
    pub fn avoids(&self, file: FileId, in_other_farm: impl FnOnce() -> bool) -> bool {
        let Entry { tried, repeats, .. } = &self.entry;
        tried.contains(&file) && (*repeats >= PATIENCE || (self.direct && in_other_farm()))
    }

    /// Whether the first candidate may be run again once all have been tried.
    pub fn may_repeat(&self) -> bool {
        self.entry.repeats < REPEATS
    }

    /// The value to hand to the tool, `chosen` being its file.
    pub fn value(mut self, chosen: FileId) -> GuardValue {
        self.entry.since = kin::now();
        if self.entry.tried.contains(&chosen) {
            self.entry.repeats = self.entry.repeats.saturating_add(1);
        } else {
            self.entry.tried.push(chosen);
        }
        self.others.insert(0, self.entry);
        GuardValue(self.others)
    }
}

impl Entry {
    fn text(&self, process: u32) -> Vec<u8> {
        let Self { since, call, repeats, tried, name, .. } = self;
        let mut text = format!("{process:010},{since:x},{call:016x},{repeats}");
        for (index, FileId(device, inode)) in tried.iter().enumerate() {
            let _ = write!(text, "{}{device:x}:{inode:x}", if index == 0 { ',' } else { '+' });
        }
        [text.as_bytes(), b",", name.as_bytes()].concat()
    }

    fn read(text: &[u8]) -> Option<Self> {
        let hex = |text: &str| u64::from_str_radix(text, 16).ok();
        let mut fields = text.splitn(6, |byte| *byte == b',');
        let mut field = || std::str::from_utf8(fields.next()?).ok();
        let process = field()?.parse().ok()?;
        let since = hex(field()?)?;
        let call = hex(field()?)?;
        let repeats = field()?.parse().ok()?;
        let file = |text: &str| {
            let (device, inode) = text.split_once(':')?;
            Some(FileId(hex(device)?, hex(inode)?))
        };
        let tried = field()?.split('+').map(file).collect::<Option<_>>()?;
        let name = OsStr::from_bytes(fields.next()?).to_os_string();
        Some(Self { process, since, call, repeats, tried, name })
    }
}

#[cfg(test)]
#[path = "../../tests/unit/path/guard.rs"]
mod tests;

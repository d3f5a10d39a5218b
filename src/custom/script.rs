//! `[pipeline]`: a script in Luau that gets the output and returns another text.
//!
//! A script has tables, strings, numbers and nothing else: no file, no network, no process, no clock, no way to load
//! code. Its memory and its time are bounded. The time is also watched from outside the interpreter, which cannot
//! interrupt everything: matching one of Lua's patterns takes exponential time on some texts.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Component, Path};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use mlua::chunk::ChunkMode;
use mlua::{Lua, LuaOptions, StdLib, Value, VmState};

use super::Call;
use super::find::distrust;
use super::schema::{Part, Script};
use crate::mistake::Mistake;
use crate::sys::files::read_small;
use crate::sys::later;
use crate::trust::LONGEST_FILE;

const MEMORY: usize = 32 << 20;
pub(super) const TIME: Duration = Duration::from_millis(200);
/// Names of the interpreter that a filter must not have.
pub(super) const FORBIDDEN: &str = "print require loadstring load dofile loadfile collectgarbage getfenv setfenv newproxy io os debug package gcinfo";

struct Given {
    output: Vec<u8>,
    exit: Option<i32>,
    is_stderr: bool,
    args: Vec<OsString>,
}

impl Part for Script {
    /// The mistake of a file and a text, too, or of a file that is not beside the filter.
    fn mistake(&self, source: &str, _: bool) -> Option<Mistake> {
        let file = self.file.as_ref()?;
        let is_below = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        let message = if self.source.is_some() {
            "give either `source` or `file`".to_owned()
        } else if !Path::new(file.get_ref()).components().all(is_below) {
            format!("{:?}: a script lies beside its filter", file.get_ref())
        } else {
            return None;
        };
        Some(Mistake::at(source, file.span().start, message))
    }
}

impl Script {
    pub(super) fn is_given(&self) -> bool {
        self.source.is_some() || self.file.is_some()
    }

    /// What keeps the script, whose file lies beside the filter, from being compiled: an author's check, too slow for a call.
    pub(super) fn uncompiled(&self, source: &str, beside: &Path) -> Option<Mistake> {
        let (text, at) = match (&self.source, &self.file) {
            (Some(text), _) => (Ok(text.get_ref().clone()), text.span().start),
            (None, Some(file)) => {
                let call = Call { beside: Some(beside), ..Call::default() };
                (read(file.get_ref(), &call), file.span().start)
            }
            (None, None) => return None,
        };
        let compile = |text: String| {
            later::construct();
            let lua = Lua::new_with(StdLib::NONE, LuaOptions::new());
            let chunk = lua
                .and_then(|lua| lua.load(text).set_name("=script").set_mode(ChunkMode::Text).into_function());
            chunk.map(drop).map_err(|error| format!("the filter's script {}", first_line(&error)))
        };
        text.and_then(compile).err().map(|message| Mistake::at(source, at, message))
    }

    /// The text that the script makes of an output; `None` where it leaves the output to the other rules. The error
    /// says in one line what is wrong with the script, or which limit it exceeded.
    pub(super) fn run_within(
        &self,
        time: Duration,
        output: &[u8],
        call: &Call<'_>,
    ) -> Result<Option<Vec<u8>>, String> {
        let source = match (&self.source, &self.file) {
            (Some(source), _) => source.get_ref().clone(),
            (None, Some(file)) => read(file.get_ref(), call)?,
            (None, None) => return Ok(None),
        };
        let given = Given {
            output: output.to_vec(),
            exit: call.exit,
            is_stderr: call.is_stderr,
            args: call.words.iter().skip(1).cloned().collect(),
        };
        // The interpreter limits its own time. A script that it cannot interrupt is waited for a little longer.
        within(time + time / 4, "script", move || evaluate(&source, &given, time))
            .map_err(|_| late(time))
            .and_then(|result| result)
            .map_err(|reason| format!("the filter's script {reason}"))
    }
}

/// The text of the script's file, which lies beside the filter. A project's script must be trusted, too.
fn read(file: &str, call: &Call<'_>) -> Result<String, String> {
    let named = |error: &dyn std::fmt::Display| format!("the filter's script {file}: {error}");
    let path = call.beside.ok_or_else(|| named(&"lies beside no file"))?.join(file);
    let bytes = read_small(&path, LONGEST_FILE).map_err(|error| named(&error))?;
    if call.project.is_some_and(|project| path.starts_with(project))
        && let Some(why) = distrust(&path, &bytes)
    {
        return Err(named(&why));
    }
    String::from_utf8(bytes).map_err(|error| named(&error))
}

fn evaluate(source: &str, given: &Given, time: Duration) -> Result<Option<Vec<u8>>, String> {
    let start = Instant::now();
    let lua = sandbox(given).map_err(|error| first_line(&error))?;
    lua.set_interrupt(move |_| {
        if start.elapsed() > time { Err(mlua::Error::runtime(late(time))) } else { Ok(VmState::Continue) }
    });
    let value = lua.load(source).set_name("=script").set_mode(ChunkMode::Text).eval::<Value>();
    match value {
        Ok(Value::Nil) => Ok(None),
        Ok(Value::String(text)) => Ok(Some(text.as_bytes().to_vec())),
        Ok(other) => Err(format!("returned a {}, not a text", other.type_name())),
        Err(mlua::Error::MemoryError(_)) => Err(format!("took more than {} MiB", MEMORY >> 20)),
        Err(_) if start.elapsed() > time => Err(late(time)),
        Err(error) => Err(first_line(&error)),
    }
}

/// An interpreter that has the output and no access to anything outside.
fn sandbox(given: &Given) -> mlua::Result<Lua> {
    let libraries =
        StdLib::TABLE | StdLib::STRING | StdLib::MATH | StdLib::UTF8 | StdLib::BIT | StdLib::BUFFER;
    later::construct();
    let lua = Lua::new_with(libraries, LuaOptions::new())?;
    lua.set_memory_limit(MEMORY)?;
    let globals = lua.globals();
    for name in FORBIDDEN.split(' ') {
        globals.set(name, Value::Nil)?;
    }
    let output = lua.create_string(&given.output)?;
    let nothing = lua.create_string("")?;
    let (stdout, stderr) =
        if given.is_stderr { (nothing, output.clone()) } else { (output.clone(), nothing) };
    globals.set("output", output)?;
    globals.set("stdout", stdout)?;
    globals.set("stderr", stderr)?;
    globals.set("exit_code", given.exit)?;
    let args = lua.create_table()?;
    for arg in &given.args {
        args.push(lua.create_string(arg.clone().into_vec())?)?;
    }
    globals.set("args", args)?;
    lua.sandbox(true)?;
    Ok(lua)
}

/// The result of `work`, which runs in a thread of this name; the error is one line. The thread is waited for no longer
/// than `time`; after that it goes on, and ends with the process at the latest.
pub(super) fn within<T: Send + 'static>(
    time: Duration,
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let worker = std::thread::Builder::new().name(name.into()).spawn(move || sender.send(work()));
    worker.map_err(|error| error.to_string())?;
    receiver.recv_timeout(time).map_err(|_| late(time))
}

fn late(time: Duration) -> String {
    format!("took longer than {} ms", time.as_millis())
}

fn first_line(error: &mlua::Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    format!("failed: {}", line.chars().take(200).collect::<String>())
}

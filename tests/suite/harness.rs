//! A private world for one test: HOME, farm, and a PATH whose tools are scripts that the test writes.
//!
//! Nothing of the caller's environment reaches a command; nothing outside the temporary directory is written.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

/// Longest time for a command of a test: a hang is a failure, not a stuck suite.
pub const LIMIT: Duration = Duration::from_secs(30);
/// The part of PATH that every sandbox has behind its own tools: shells and coreutils.
pub const SYSTEM_PATH: &str = "/usr/bin:/bin";

/// The binary under test.
pub fn toto_binary() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_toto"))
}

/// What lies at `below` in the corpus of real tools' outputs (`$TOTO_CORPUS`, else `../shared/corpus`), which is no part of
/// the repository. `None` where it is not there, and a line on standard error: the test has looked at nothing of it.
pub fn corpus(below: &str) -> Option<PathBuf> {
    let root = std::env::var_os("TOTO_CORPUS").unwrap_or_else(|| "../shared/corpus".into());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(root).join(below);
    if path.exists() {
        return Some(path);
    }
    // What `eprintln!` writes is shown only of a test that fails.
    let _ =
        writeln!(std::io::stderr(), "nothing of the corpus was looked at: there is no {}", path.display());
    None
}

/// A temporary home with a farm (`~/.toto/bin`) first on PATH, then `tools`, then [`SYSTEM_PATH`].
pub struct Sandbox {
    root: tempfile::TempDir,
    path: Vec<PathBuf>,
}

/// What a failed test has started ends with the test: a tool that waits for a word from the test would wait for ever,
/// and so would whoever reads the output of `cargo test`.
impl Drop for Sandbox {
    fn drop(&mut self) {
        if !thread::panicking() {
            return;
        }
        for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let works_here = fs::read_link(process.path().join("cwd"))
                .is_ok_and(|directory| directory.starts_with(self.root.path()));
            let pid = process.file_name().to_str().and_then(|name| name.parse().ok());
            if let Some(pid) = pid.filter(|_| works_here).and_then(rustix::process::Pid::from_raw) {
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            }
        }
    }
}

impl Default for Sandbox {
    fn default() -> Self {
        Self::new()
    }
}

/// A home with `aws` installed and nothing set up; PATH without the farm, as a terminal finds it.
pub fn fresh() -> Sandbox {
    let mut sandbox = Sandbox::new();
    fs::remove_dir_all(sandbox.toto_home()).unwrap();
    sandbox.tool("aws", "echo real");
    sandbox.set_path([sandbox.tools(), "/usr/bin".into(), "/bin".into()]);
    sandbox
}

impl Sandbox {
    /// An empty home: no shims, no tools.
    pub fn new() -> Self {
        let root = tempfile::Builder::new().prefix("toto-test-").tempdir().unwrap();
        let mut sandbox = Self { path: Vec::new(), root };
        for directory in [sandbox.farm(), sandbox.tools(), sandbox.work(), sandbox.temporary()] {
            fs::create_dir_all(directory).unwrap();
        }
        sandbox.set_path([sandbox.farm(), sandbox.tools(), "/usr/bin".into(), "/bin".into()]);
        sandbox
    }

    /// The temporary directory that everything lies in.
    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// `$HOME`.
    pub fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    /// `$TOTO_HOME`, at its default place.
    pub fn toto_home(&self) -> PathBuf {
        self.home().join(".toto")
    }

    /// The farm.
    pub fn farm(&self) -> PathBuf {
        self.toto_home().join("bin")
    }

    /// The directory that [`Sandbox::tool`] writes to.
    pub fn tools(&self) -> PathBuf {
        self.root().join("tools")
    }

    /// The working directory of every command.
    pub fn work(&self) -> PathBuf {
        self.root().join("work")
    }

    /// `$TMPDIR`.
    pub fn temporary(&self) -> PathBuf {
        self.root().join("temporary")
    }

    /// Replaces the directories on PATH.
    pub fn set_path<P: Into<PathBuf>>(&mut self, directories: impl IntoIterator<Item = P>) {
        self.path = directories.into_iter().map(Into::into).collect();
    }

    /// PATH as commands get it.
    pub fn path(&self) -> OsString {
        std::env::join_paths(&self.path).unwrap()
    }

    /// A fake tool: a POSIX shell script of this body in `tools`.
    pub fn tool(&self, name: &str, body: &str) -> PathBuf {
        executable(&self.tools().join(name), &format!("#!/bin/sh\n{body}\n"))
    }

    /// An executable file anywhere below the root; `text` begins with its own `#!` line.
    pub fn script(&self, path: impl AsRef<Path>, text: &str) -> PathBuf {
        executable(&self.root().join(path), text)
    }

    /// A plain file below the home directory.
    pub fn home_file(&self, path: impl AsRef<Path>, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.home().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Puts a shim of this name into the farm, without the help of `toto link`.
    pub fn link(&self, name: &str) -> PathBuf {
        let link = self.farm().join(name);
        symlink(toto_binary(), &link).unwrap();
        link
    }

    /// A command found on the sandbox's PATH, with nothing but HOME, PATH, LANG and TMPDIR in its environment.
    pub fn command(&self, name: impl AsRef<OsStr>) -> Command {
        #[expect(clippy::disallowed_methods, reason = "a test's job is to start programs")]
        let mut command = Command::new(name);
        command
            .env_clear()
            .env("HOME", self.home())
            .env("PATH", self.path())
            .env("LANG", "C.UTF-8")
            .env("TMPDIR", self.temporary())
            .current_dir(self.work())
            .stdin(Stdio::null());
        command
    }

    /// The command line: `toto ARGS…`.
    pub fn toto<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = self.command(toto_binary());
        command.args(args);
        command
    }

    /// `SHELL -c SCRIPT`.
    pub fn shell(&self, shell: &str, script: &str) -> Command {
        let mut command = self.command(shell);
        command.args(["-c", script]);
        command
    }
}

/// Locked for writing while an executable file is written, for reading while a child is made. Otherwise the child of
/// another test would keep the file open between its fork and its exec, and running the file would fail with ETXTBSY.
static EXECUTABLES: RwLock<()> = RwLock::new(());

/// Writes an executable file (mode 0755), with its directories.
pub fn executable(path: &Path, text: &str) -> PathBuf {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let _lock = EXECUTABLES.write().unwrap_or_else(PoisonError::into_inner);
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_path_buf()
}

/// Copies an executable file with its mode.
pub fn copy_executable(from: &Path, to: &Path) {
    let _lock = EXECUTABLES.write().unwrap_or_else(PoisonError::into_inner);
    fs::copy(from, to).unwrap();
}

/// Starts a command. Tests that need the child itself use this and never `Command::spawn`.
#[track_caller]
pub fn spawn(command: &mut Command) -> Child {
    let _lock = EXECUTABLES.read().unwrap_or_else(PoisonError::into_inner);
    default_signals(command);
    command.spawn().unwrap_or_else(|e| panic!("{command:?}: {e}"))
}

/// Gives the child default signals: the process that started the tests may ignore some (`nohup`, a shell's `&`).
#[expect(
    unsafe_code,
    reason = "signal(2) with constants only, which is async-signal-safe, between fork and exec"
)]
fn default_signals(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    let reset = || {
        for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM, libc::SIGTSTP, libc::SIGCHLD]
        {
            // SAFETY: no handler is set, so nothing of ours can run by it.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
        }
        Ok(())
    };
    // SAFETY: the closure calls signal(2) alone.
    unsafe { command.pre_exec(reset) };
}

/// The words of a command line as a call has them.
pub fn call_words(command: &str) -> Vec<OsString> {
    command.split_whitespace().map(OsString::from).collect()
}

/// A few words, others for every number: lines of them have nothing in common.
pub fn words(number: usize) -> String {
    let mut seed = number as u64 + 1;
    let mut next = |most: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % most
    };
    let mut text = String::new();
    let count = 4 + next(5);
    for _ in 0..count {
        let length = 2 + next(7);
        text.extend((0..length).map(|_| char::from(b'a' + next(26) as u8)));
        text.push(' ');
    }
    text.trim_end().to_owned()
}

/// What `act` makes of each item, several at a time; in the order in which they are done.
pub fn side_by_side<T, R: Send>(
    items: impl IntoIterator<Item = T, IntoIter: Send>,
    act: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(2, |n| n.get().clamp(2, 8));
    on_threads(threads, items, act)
}

/// As [`side_by_side`], on so many threads.
pub fn on_threads<T, R: Send>(
    threads: usize,
    items: impl IntoIterator<Item = T, IntoIter: Send>,
    act: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let (items, results) = (Mutex::new(items.into_iter()), Mutex::new(Vec::new()));
    let worker = || {
        loop {
            let Some(item) = items.lock().unwrap().next() else { return };
            let result = act(item);
            results.lock().unwrap().push(result);
        }
    };
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(worker))));
    results.into_inner().unwrap()
}

/// Everything below a directory, which need not be there. No link is followed.
pub fn below(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            found.extend(below(&entry.path()));
        }
        found.push(entry.path());
    }
    found
}

/// As [`below`], without the directories.
pub fn files_below(directory: &Path) -> Vec<PathBuf> {
    below(directory).into_iter().filter(|path| path.is_symlink() || !path.is_dir()).collect()
}

/// By its path, the text of each file (where a link leads, nothing of a directory), and its mode.
pub fn contents(paths: impl IntoIterator<Item = PathBuf>) -> BTreeMap<String, (Vec<u8>, u32)> {
    let read = |path: PathBuf| {
        let metadata = path.symlink_metadata().unwrap();
        let text = if metadata.is_symlink() {
            fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
        } else if metadata.is_dir() {
            Vec::new()
        } else {
            fs::read(&path).unwrap()
        };
        (path.display().to_string(), (text, metadata.permissions().mode()))
    };
    paths.into_iter().map(read).collect()
}

/// The [`contents`] of everything below a directory, but for ~/.toto.
pub fn others_below(directory: &Path) -> BTreeMap<String, (Vec<u8>, u32)> {
    let is_ours = |path: &PathBuf| path.iter().any(|name| name == ".toto");
    contents(below(directory).into_iter().filter(|path| !is_ours(path)))
}

/// The value of `ready`, as soon as there is one.
#[track_caller]
pub fn until<T>(mut ready: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    // If the machine itself was paused, time has passed without looks: these are counted, too.
    for looks in 0.. {
        if let Some(value) = ready() {
            return value;
        }
        assert!(start.elapsed() < Duration::from_secs(20) || looks < 500, "waited in vain");
        thread::sleep(Duration::from_millis(5));
    }
    unreachable!()
}

/// The state of a process as `proc_pid_stat(5)` letters it; `None` once it has ended, even if its parent has not waited
/// for it.
pub fn state(pid: i32) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit(") ").next()?.chars().next().filter(|state| *state != 'Z')
}

/// The result of a command.
#[derive(Debug)]
pub struct Outcome {
    /// Exit code or signal.
    pub status: ExitStatus,
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard error.
    pub err: Vec<u8>,
}

impl Outcome {
    /// The exit code; −1 for a death by signal.
    pub fn code(&self) -> i32 {
        self.status.code().unwrap_or(-1)
    }

    /// Standard output as text.
    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }

    /// Standard error as text.
    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.err).into_owned()
    }

    /// The same outcome, after asserting exit status 0.
    #[track_caller]
    pub fn ok(self) -> Self {
        self.exits(0)
    }

    /// The same outcome, after asserting this exit status.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code(), code, "out: {}\nerr: {}", self.out(), self.err());
        self
    }
}

/// Runs a command to its end, both streams through pipes of their own.
#[track_caller]
pub fn run(command: &mut Command) -> Outcome {
    run_with(command, &[])
}

/// As [`run`], with `input` on standard input. If `input` is empty, standard input stays as the command has it.
#[track_caller]
pub fn run_with(command: &mut Command, input: &[u8]) -> Outcome {
    if !input.is_empty() {
        command.stdin(Stdio::piped());
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = spawn(command);
    let (out, err) = (collect(child.stdout.take()), collect(child.stderr.take()));
    let writer = child.stdin.take().map(|mut stdin| {
        let input = input.to_vec();
        thread::spawn(move || drop(stdin.write_all(&input)))
    });
    let status = wait(&mut child, command);
    if let Some(writer) = writer {
        writer.join().unwrap();
    }
    Outcome { status, out: out.join().unwrap(), err: err.join().unwrap() }
}

fn collect(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut bytes);
        }
        bytes
    })
}

#[track_caller]
fn wait(child: &mut Child, command: &Command) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if start.elapsed() > LIMIT {
            let _ = child.kill();
            panic!("{command:?} still runs after {LIMIT:?}");
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Whether a shell (or other program) is installed. In CI a missing one is a failure, not a skipped test.
pub fn installed(program: &str) -> bool {
    let found = SYSTEM_PATH.split(':').any(|dir| Path::new(dir).join(program).exists());
    assert!(found || std::env::var_os("CI").is_none(), "{program} is missing; .ci/run installs it");
    found
}

#[test]
fn a_sandbox_runs_its_own_tools_and_nothing_of_the_callers_environment() {
    let sandbox = Sandbox::new();
    sandbox.tool("speak", "echo \"$HOME:$1:$CARGO\"; cat; exit 3");
    let outcome = run_with(sandbox.command("speak").arg("word"), b"input");
    assert_eq!(outcome.code(), 3);
    assert_eq!(outcome.out(), format!("{}:word:\ninput", sandbox.home().display()));
}

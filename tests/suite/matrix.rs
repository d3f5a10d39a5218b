//! The fault matrix: every system call of a captured run fails once. The run ends in the tool's bytes or in a whole
//! compressed output, with the tool's status, at most one line of ours about the fault, and nothing left lying about.
//! `cargo test --test suite matrix:: -- --nocapture` prints the table.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a table for who asks for it")]

mod calls;
mod injector;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::UNIX_EPOCH;

use crate::harness::{Sandbox, files_below, on_threads, run};
use calls::known;
use injector::{Call, Role, Traced};

/// Runs side by side.
const SIDE_BY_SIDE: usize = 4;
/// Items of the listing.
const ITEMS: usize = 40;
/// Status of the tool.
const STATUS: i32 = 7;
/// What the tool says on standard error.
const SAID: &str = "said on stderr";

/// A kind of captured run.
struct Scenario {
    name: &'static str,
    /// The tool, a shell script in the home directory.
    tool: &'static str,
    /// Whether the run prunes the store at its end.
    prunes: bool,
    /// How many of a process's calls of one number fail: so many from the beginning, and so many from the end.
    of_each: usize,
    /// Whether a compressed output says all that it has to.
    tells: fn(&str) -> bool,
}

const SCENARIOS: [Scenario; 4] = [
    Scenario {
        name: "a document, compressed, its original kept",
        tool: "cat listing.json",
        prunes: false,
        of_each: usize::MAX,
        tells: tells_every_item,
    },
    Scenario {
        name: "a document, compressed, old outputs pruned",
        tool: "cat listing.json",
        prunes: true,
        of_each: 4,
        tells: tells_every_item,
    },
    Scenario {
        name: "a slow tool, copied while it runs",
        tool: "cat listing.json; sleep 0.4",
        prunes: false,
        of_each: 1,
        tells: tells_every_item,
    },
    Scenario {
        name: "a large text, copied and shown in part",
        tool: "cat text.txt",
        prunes: false,
        of_each: 1,
        tells: |out| out.contains("line 0 of") && out.contains("line 29999 of"),
    },
];

fn tells_every_item(out: &str) -> bool {
    (0..ITEMS).all(|n| out.contains(&format!("item-{n}\n")) || out.contains(&format!("item-{n}\"")))
}

fn listing() -> String {
    let row = |n: usize| format!("    {{\n      \"Name\": \"item-{n}\",\n      \"Note\": null\n    }}");
    format!("{{\n  \"Items\": [\n{}\n  ]\n}}\n", (0..ITEMS).map(row).collect::<Vec<_>>().join(",\n"))
}

/// A home for one run after another, each as if it were the first.
struct Stage<'a> {
    scenario: &'a Scenario,
    sandbox: Sandbox,
    /// What the tool prints.
    whole: Vec<u8>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// With the tool's own bytes.
    Raw,
    /// With a whole output, compressed.
    Compressed,
    /// The reader's own descriptor, or the tool's file, had the fault: nobody could have done better.
    Elsewhere,
}

impl<'a> Stage<'a> {
    fn new(scenario: &'a Scenario) -> Self {
        let sandbox = Sandbox::new();
        sandbox.home_file("listing.json", listing());
        let lines =
            (0..30_000).map(|n| format!("12:30:01 line {n} of a text without end, {}\n", n * 7919 % 10_007));
        sandbox.home_file("text.txt", lines.collect::<String>());
        let tool = sandbox.tool("aws", &format!("cd; echo '{SAID}' >&2; {}; exit {STATUS}", scenario.tool));
        sandbox.link("aws");
        let whole = run(&mut sandbox.command(tool)).exits(STATUS).out;
        Self { scenario, sandbox, whole }
    }

    /// An output that is too old to be kept.
    fn old(&self) -> PathBuf {
        self.sandbox.home().join(".local/state/toto/outputs/default/20200101T000000.000Z-aws-aaaaa.out")
    }

    /// Runs once; `None` where processes cannot be traced.
    fn run(&self, fault: Option<(Call, i32)>) -> Option<Traced> {
        for place in [self.sandbox.home().join(".local"), self.sandbox.temporary()] {
            let _ = fs::remove_dir_all(place);
        }
        fs::create_dir(self.sandbox.temporary()).unwrap();
        if self.scenario.prunes {
            let old = self.sandbox.home_file(self.old(), "");
            File::options().write(true).open(old).unwrap().set_modified(UNIX_EPOCH).unwrap();
        }
        let prunes = if self.scenario.prunes { "prune" } else { "no" };
        injector::run(self.sandbox.command("aws").envs([("TOTO", "on"), ("_TOTO_FAULT", prunes)]), fault)
    }

    /// Runs with a failing call: whether the call was made, and how the run ended, or what is wrong with its end.
    fn run_with(&self, call: Call, errno: i32) -> (bool, Result<Ending, String>) {
        let traced = self.run(Some((call, errno))).expect("traced before");
        let ending = self.judge(&traced, call, errno).map_err(|what| {
            let (Call { role, nth, .. }, (name, _)) = (call, known(call.number));
            let said = String::from_utf8_lossy(&traced.err);
            format!("{role:?} {name} #{nth} errno {errno}: {what}; {}", said.trim())
        });
        (traced.injected, ending)
    }

    /// How a run with a failing call ended, or what is wrong with its end.
    fn judge(&self, traced: &Traced, call: Call, errno: i32) -> Result<Ending, String> {
        let (name, _) = known(call.number);
        let (out, err) = (String::from_utf8_lossy(&traced.out), String::from_utf8_lossy(&traced.err));
        let target = traced.calls.iter().find(|(made, _)| *made == call).map_or(0, |(_, first)| *first);
        let is_medium = name == "write" && errno != libc::EINTR && (1..=2).contains(&target);
        let is_start = name == "execve" && call.role == Role::Child;
        let status = traced.status.code();
        if status != Some(if is_start { 126 } else { STATUS }) {
            return Err(format!("ended with {:?}", traced.status));
        }
        if traced.left > 0 {
            return Err(format!("{} processes would not end", traced.left));
        }
        let is_raw = traced.out == self.whole;
        let ours = err.lines().filter(|line| *line != SAID).count();
        let receipts = err.lines().filter(|line| line.starts_with("[toto] Original")).count();
        if ours - receipts > 1 || receipts > 1 || is_raw && ours > 1 {
            return Err(format!("{ours} lines of ours"));
        }
        self.leaves_nothing(&out, name.starts_with("unlink") || is_medium)?;
        if is_start || is_medium {
            return Ok(Ending::Elsewhere);
        }
        if !err.lines().any(|line| line == SAID) {
            return Err("what the tool said on stderr is gone".into());
        }
        if is_raw {
            return Ok(Ending::Raw);
        }
        if !(self.scenario.tells)(&out) {
            return Err(format!("neither the tool's bytes nor all of their facts: {} bytes", out.len()));
        }
        if let Some(id) = out.split("toto show ").nth(1) {
            let id: String = id.chars().take(5).collect();
            let shown = run(&mut self.sandbox.toto(["show", &id]));
            if shown.out != self.whole {
                return Err(format!("toto show {id} gives {} bytes: {}", shown.out.len(), shown.err()));
            }
        }
        Ok(Ending::Compressed)
    }

    /// Fails for a half-written file, and for a saved output that nobody was told of.
    fn leaves_nothing(&self, out: &str, may_stay: bool) -> Result<(), String> {
        let places = [self.sandbox.home().join(".local"), self.sandbox.temporary()];
        let files: Vec<PathBuf> = places.iter().flat_map(|place| files_below(place)).collect();
        let stray = |path: &&PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            match ending.as_str() {
                _ if **path == self.old() => false,
                // Stamps of warnings, which are not repeated for an hour: src/trust.rs.
                _ if path.parent().is_some_and(|above| above.ends_with("told")) => false,
                "out" | "err" | "json" | "page" if !name.starts_with('.') => !out.contains("toto show "),
                "jsonl" => false,
                _ => true,
            }
        };
        match files.iter().find(stray).filter(|_| !may_stay) {
            Some(path) => Err(format!("{} is left", path.display())),
            None => Ok(()),
        }
    }
}

/// The faults of a scenario, without libc's calls before `main`, whose failure is not ours to survive.
fn plan(scenario: &Scenario, reference: &[(Call, u64)]) -> Vec<(Call, i32)> {
    const BEFORE_MAIN: [i64; 10] = [
        libc::SYS_execve,
        libc::SYS_brk,
        libc::SYS_arch_prctl,
        libc::SYS_set_tid_address,
        libc::SYS_set_robust_list,
        libc::SYS_rseq,
        libc::SYS_prlimit64,
        libc::SYS_readlink,
        libc::SYS_getrandom,
        libc::SYS_mprotect,
    ];
    let ours =
        reference.iter().skip_while(|(call, _)| BEFORE_MAIN.contains(&call.number)).map(|(call, _)| *call);
    let mut by_number: BTreeMap<(Role, i64), Vec<Call>> = BTreeMap::new();
    for call in ours {
        by_number.entry((call.role, call.number)).or_default().push(call);
    }
    let mut faults = Vec::new();
    for calls in by_number.values() {
        let chosen = calls
            .iter()
            .enumerate()
            .filter(|(at, _)| *at < scenario.of_each || calls.len() - at <= scenario.of_each);
        for (_, call) in chosen {
            faults.extend(known(call.number).1.iter().map(|errno| (*call, *errno)));
        }
    }
    faults
}

/// Endings by role and name: tried, met, raw, compressed, elsewhere.
type Table = BTreeMap<(Role, String), [usize; 5]>;

fn row(role: Role, name: &str, [tried, met, raw, compressed, elsewhere]: [usize; 5]) -> String {
    format!("{:6} {name:16} {tried:5} {met:5} {raw:5} {compressed:10} {elsewhere:9}\n", format!("{role:?}"))
}

/// Prints the table; returns its sum.
fn tell(scenario: &Scenario, table: &Table) -> [usize; 5] {
    println!("\n{}\nwhose  call             tried   met   raw compressed elsewhere", scenario.name);
    let mut sum = [0; 5];
    for ((role, name), figures) in table {
        print!("{}", row(*role, name, *figures));
        sum.iter_mut().zip(figures).for_each(|(sum, figure)| *sum += figure);
    }
    println!(
        "{} faults, {} met, {} raw, {} compressed, {} elsewhere",
        sum[0], sum[1], sum[2], sum[3], sum[4]
    );
    sum
}

fn hold(scenario: &Scenario) {
    let stage = Stage::new(scenario);
    let Some(reference) = stage.run(None) else {
        assert!(std::env::var_os("CI").is_none(), "processes cannot be traced here");
        eprintln!("skipped: processes cannot be traced here");
        return;
    };
    assert_eq!(reference.status.code(), Some(STATUS), "{}", String::from_utf8_lossy(&reference.err));
    assert_ne!(reference.out, stage.whole, "it is compressed where nothing fails");
    assert!(!stage.old().exists(), "what is old is removed");
    let faults = plan(scenario, &reference.calls);
    let idle = Mutex::new(vec![stage]);
    let runs = on_threads(SIDE_BY_SIDE, &faults, |&(call, errno)| {
        let stage = idle.lock().unwrap().pop();
        let stage = stage.unwrap_or_else(|| Stage::new(scenario));
        let (is_met, ending) = stage.run_with(call, errno);
        idle.lock().unwrap().push(stage);
        (call, is_met, ending)
    });
    let (mut table, mut wrong) = (Table::new(), Vec::new());
    for (call, is_met, ending) in runs {
        let figures = table.entry((call.role, known(call.number).0)).or_default();
        figures[0] += 1;
        figures[1] += usize::from(is_met);
        match ending {
            Ok(ending) => figures[2 + ending as usize] += 1,
            Err(what) => wrong.push(what),
        }
    }
    let sum = tell(scenario, &table);
    wrong.sort();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), faults.len(), wrong.join("\n"));
    assert!(sum[1] * 10 >= sum[0] * 9, "most calls come again in every run: {sum:?}");
}

#[test]
fn a_document() {
    hold(&SCENARIOS[0]);
}

#[test]
fn a_document_and_the_store_pruned() {
    hold(&SCENARIOS[1]);
}

#[test]
fn a_slow_tool() {
    hold(&SCENARIOS[2]);
}

#[test]
fn a_large_text() {
    hold(&SCENARIOS[3]);
}

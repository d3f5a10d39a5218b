//! `toto fetch`: real processes, one answer.

use std::collections::HashSet;
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use llm_toto::document::{Layout, scan};
use llm_toto::fetch::{Source, joined};
use llm_toto::render::{expand::expand, pvfn};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::harness::{Outcome, Sandbox, run, run_with, spawn, until};

/// A sandbox whose `aws` prints the file of its region below $HOME; `bad` fails, `none` has nothing, `slow` is late.
fn regions() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.tool(
        "aws",
        "for word; do case $last in --region) region=$word;; esac; last=$word; done\n\
         case $region in\n\
         bad) echo 'denied in bad' >&2; exit 254;;\n\
         worse) echo 'denied in worse' >&2; exit 3;;\n\
         none*) echo '{\"Reservations\": []}';;\n\
         slow) sleep 0.3; cat \"$HOME/slow\";;\n\
         *) cat \"$HOME/$region\";;\n\
         esac",
    );
    for region in ["us-east-1", "eu-west-1", "slow"] {
        let rows: Vec<Value> = (0..6).map(|at| instance(region, at)).collect();
        sandbox.home_file(region, serde_json::to_string_pretty(&json!({ "Reservations": rows })).unwrap());
    }
    sandbox
}

fn instance(region: &str, at: usize) -> Value {
    json!({
        "InstanceId": format!("i-{region}-{at}"), "InstanceType": "t3.micro", "State": { "Name": "running" },
        "Placement": { "AvailabilityZone": format!("{region}a"), "Tenancy": "default" }, "EbsOptimized": false,
    })
}

/// `toto fetch ARGS…` as an agent reads it.
fn seen(sandbox: &Sandbox, args: &[&str]) -> Outcome {
    run(&mut fetch(sandbox, args))
}

fn fetch(sandbox: &Sandbox, args: &[&str]) -> Command {
    let mut command = sandbox.toto(["fetch"]);
    command.args(args).env("TOTO", "on");
    command
}

/// The same as a program reads it.
fn read(sandbox: &Sandbox, args: &[&str]) -> Outcome {
    run(sandbox.toto(["fetch"]).args(args))
}

const EACH: [&str; 5] = ["--", "aws", "describe", "--region", "{}"];

fn each<'a>(regions: &'a str, options: &[&'a str]) -> Vec<&'a str> {
    [options, &["--each", regions], &EACH].concat()
}

#[test]
fn regions_are_one_table_with_the_region_said_once_a_group() {
    let outcome = seen(&regions(), &each("us-east-1,eu-west-1", &[])).ok();
    let out = outcome.out();
    assert_eq!(out.lines().filter(|line| line.starts_with("Reservations[12]{")).count(), 1, "{out}");
    assert_eq!(out.matches("source=us-east-1").count(), 1, "{out}");
    assert_eq!(out.matches("source=eu-west-1").count(), 1, "{out}");
    assert!(outcome.err().starts_with("[toto] Original: "), "{}", outcome.err());
}

#[test]
fn command_lines_are_named_by_the_words_in_which_they_differ() {
    let calls = ["aws describe --region us-east-1", "aws describe --region eu-west-1"];
    assert_eq!(
        seen(&regions(), &calls).ok().out(),
        seen(&regions(), &each("us-east-1,eu-west-1", &[])).ok().out()
    );
}

#[test]
fn a_program_gets_one_object_of_the_documents() {
    let outcome = read(&regions(), &each("eu-west-1,none,us-east-1", &[])).ok();
    let expected =
        |region| json!({ "Reservations": (0..6).map(|at| instance(region, at)).collect::<Vec<_>>() });
    let answer: Map<String, Value> = serde_json::from_slice(&outcome.out).unwrap();
    assert_eq!(answer.keys().collect::<Vec<_>>(), ["eu-west-1", "none", "us-east-1"]);
    assert_eq!(answer["eu-west-1"], expected("eu-west-1"));
    assert_eq!(answer["none"], json!({ "Reservations": [] }));
    assert_eq!(outcome.out().lines().count(), 1);
    assert_eq!(outcome.err(), "");
}

#[test]
fn the_order_is_the_one_asked_for() {
    let outcome = read(&regions(), &each("slow,us-east-1", &[])).ok();
    assert!(outcome.out().starts_with("{\"slow\":{"), "{}", outcome.out());
    let out = seen(&regions(), &each("slow,us-east-1", &["--level", "lossless"])).ok().out();
    assert!(out.find("source=slow").unwrap() < out.find("source=us-east-1").unwrap(), "{out}");
}

#[test]
fn one_that_fails_hides_neither_itself_nor_the_others() {
    for how in [seen, read] {
        let outcome = how(&regions(), &each("us-east-1,worse,bad,eu-west-1", &[])).exits(3);
        assert!(outcome.out().contains("i-us-east-1-") || outcome.out().contains("i-*"), "{}", outcome.out());
        assert!(!outcome.out().contains("worse"), "{}", outcome.out());
        let err = outcome.err();
        assert!(
            err.starts_with("==> worse: exit status 3 <==\ndenied in worse\n==> bad: exit status 254 <==\n"),
            "{err}"
        );
    }
    let same = seen(&regions(), &["aws --region bad", "aws --region bad x"]).exits(254);
    assert_eq!(same.err(), "==> bad, bad x: exit status 254 <==\ndenied in bad\n");
}

#[test]
fn a_tool_that_is_not_there_is_one_line_and_status_127() {
    for how in [seen, read] {
        let outcome = how(&regions(), &["aws --region us-east-1", "nosuch x"]).exits(127);
        assert!(outcome.out().contains("t3.micro"), "{}", outcome.out());
        assert_eq!(outcome.err().lines().next().unwrap(), "==> nosuch x: nosuch: not found on PATH <==");
    }
    let only = seen(&regions(), &["nosuch"]).exits(127);
    assert_eq!(
        (only.out(), only.err()),
        (String::new(), "==> nosuch: nosuch: not found on PATH <==\n".into())
    );
}

#[test]
fn who_has_nothing_is_said() {
    let out = seen(&regions(), &each("us-east-1,none,none2", &[])).ok().out();
    assert!(out.contains("\nnone.Reservations=[none none2]\n"), "{out}");
    let out = seen(&regions(), &each("none,none2", &[])).ok().out();
    assert!(out.starts_with("none.Reservations=[] none2.Reservations=[]\n"), "{out}");
}

#[test]
fn other_shapes_stand_under_their_own_names() {
    let sandbox = Sandbox::new();
    sandbox.tool("kubectl", "cat \"$HOME/$2\"");
    let pods: Vec<Value> =
        (0..5).map(|at| json!({ "name": format!("web-{at}"), "phase": "Running", "node": "n1" })).collect();
    let services: Vec<Value> =
        (0..5).map(|at| json!({ "svc": format!("s{at}"), "ip": "10.0.0.1", "port": 80 })).collect();
    sandbox.home_file("pods", json!({ "items": pods }).to_string());
    sandbox.home_file("svc", json!({ "items": services }).to_string());
    let out = seen(&sandbox, &["--format", "pvfn", "kubectl get pods", "kubectl get svc"]).ok().out();
    assert!(
        out.contains("pods.items=[name phase node: ") && out.contains(" svc.items=[svc ip port: "),
        "{out}"
    );
}

#[test]
fn texts_stand_under_headings_and_the_same_text_once() {
    let sandbox = Sandbox::new();
    sandbox.tool("say", "printf 'hello %s' \"$1\"");
    sandbox.tool("same", "echo the same");
    sandbox.tool("quiet", "exit 0");
    let calls = ["say a", "same 1", "quiet x", "say b", "same 2", "quiet y"];
    let expected = "==> say a <==\nhello a\n==> same 1, same 2 <==\nthe same\n==> quiet x, quiet y: no output <==\n==> say b <==\nhello b\n";
    for how in [seen, read] {
        let outcome = how(&sandbox, &calls).ok();
        assert_eq!((outcome.out().as_str(), outcome.err().as_str()), (expected, ""));
    }
}

#[test]
fn a_text_goes_through_its_tools_filter_and_the_original_is_kept() {
    let sandbox = Sandbox::new();
    sandbox.tool("cargo", "for crate in a b c d e f g h i j k l m n o p; do echo \"   Compiling $crate v1.0.0\"; done; echo \"    Finished $1\"");
    let out = seen(&sandbox, &["cargo build", "cargo test"]).ok().out();
    assert!(out.contains("==> build <==") && out.contains("==> test <=="), "{out}");
    assert!(out.contains("Finished") && !out.contains("Compiling f "), "{out}");
    let id = out.split("toto show ").nth(1).unwrap().split(')').next().unwrap();
    assert_eq!(run(&mut sandbox.toto(["show", id])).ok().out().matches("Compiling").count(), 16);
}

#[test]
fn what_is_between_text_and_documents_is_shown_too() {
    let sandbox = Sandbox::new();
    sandbox.tool("say", "cat \"$HOME/$1\"");
    for (name, text) in [
        ("ndjson", "{\"id\":1,\"v\":1.10}\n{\"id\":2,\"v\":2.50}\n"),
        ("list", "[{\"id\":3,\"v\":1e400}]"),
        ("yaml", "id: 4\nin:\n  v: 010\n"),
        ("broken", "{\"id\":5,\n"),
        ("nothing", ""),
        ("ansi", "\x1b[1m{\"a\":{\"b\":1}}\x1b[0m\n"),
        ("mixed", "warning: old\n{\"a\":1}\n"),
    ] {
        sandbox.home_file(name, text);
    }
    let args = ["--each", "ndjson,list,yaml,broken,nothing,ansi,mixed", "--", "say", "{}"];
    let expected = concat!(
        r#"{"ndjson":[{"id":1,"v":1.10},{"id":2,"v":2.50}],"list":[{"id":3,"v":1e400}],"#,
        r#""yaml":{"id":4,"in":{"v":"010"}},"broken":"{\"id\":5,\n","nothing":null,"ansi":{"a":{"b":1}},"#,
        r#""mixed":"warning: old\n{\"a\":1}\n"}"#,
        "\n"
    );
    assert_eq!(read(&sandbox, &args).ok().out(), expected);
    let out = seen(&sandbox, &[&["--level", "lossless", "--format", "pvfn"][..], &args].concat()).ok().out();
    for part in [
        "1.10",
        "1e400",
        "yaml={id=4 in.v=010}",
        "==> broken <==\n{\"id\":5,\n",
        "==> nothing: no output <==",
        "==> mixed <==",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
}

#[test]
fn what_needs_a_shell_is_refused_before_anything_runs() {
    let sandbox = Sandbox::new();
    let ran = sandbox.home().join("ran");
    sandbox.tool("touch-it", "touch \"$HOME/ran\"");
    for (args, message) in [
        (
            &["touch-it", "a | b"][..],
            "call 2 (`a | b`), column 3: no shell runs this, so `|` does nothing; quote it to pass it on as it is",
        ),
        (
            &["touch-it", "a 2>/dev/null"],
            "call 2 (`a 2>/dev/null`), column 3: no shell runs this, so `>` does",
        ),
        (&["touch-it", "a 'b"], "call 2 (`a 'b`), column 3: the quote ' is not closed"),
        (&["touch-it", " "], "call 2 (` `), no command in it"),
        (&["touch-it", "A=1"], "no command in `A=1`"),
        (&[], "nothing to fetch: "),
        (&["--", "touch-it"], "`--` goes with --each"),
        (&["--each", "a"], "--each needs a command"),
        (&["--each", "a,b", "--", "touch-it"], "the command has no {} for"),
        (&["--each", "a,,b", "--", "touch-it", "{}"], "--each has an empty value"),
        (&["--each", "a", "touch-it {}", "touch-it {}"], "--each takes one command"),
        (&["--jobs", "0", "touch-it"], "invalid value '0' for '--jobs <N>'"),
    ] {
        let outcome = seen(&sandbox, args).exits(2);
        assert!(outcome.err().starts_with(&format!("toto: {message}")), "{}", outcome.err());
        assert_eq!((outcome.err().lines().count(), outcome.out().as_str()), (1, ""));
        assert!(!ran.exists(), "{args:?}");
    }
}

#[test]
fn words_variables_and_places_arrive_as_they_were_written() {
    let sandbox = Sandbox::new();
    sandbox.tool("show", "for word; do echo \"<$word>\"; done; echo \"$PROFILE/${TOTO-unset}\"; cat");
    let line = "PROFILE='a b' show 'x | y' \"\\$HOME\" * a\\ b";
    let mut command = fetch(&sandbox, &[line]);
    let out = run_with(&mut command, b"standard input is not the tools'").ok().out();
    assert_eq!(
        out,
        format!(
            "==> {} <==\n<x | y>\n<$HOME>\n<*>\n<a b>\na b/unset\n",
            "PROFILE=a b show x | y $HOME * a b"
        )
    );
    let out = seen(&sandbox, &["--each", "1,2", "PROFILE=p{} show {}-{}"]).ok().out();
    assert_eq!(out, "==> 1 <==\n<1-1>\np1/unset\n==> 2 <==\n<2-2>\np2/unset\n");
}

#[test]
fn a_shim_is_passed_by() {
    let sandbox = regions();
    sandbox.link("aws");
    let (with, without) =
        (seen(&sandbox, &each("us-east-1,bad", &[])), seen(&regions(), &each("us-east-1,bad", &[])));
    assert_eq!((with.out(), with.code()), (without.out(), 254));
    let only_shim = Sandbox::new();
    only_shim.link("aws");
    assert!(seen(&only_shim, &["aws x"]).exits(127).err().contains("not found on PATH behind its shim"));
}

#[test]
fn a_hundred_calls_run_eight_at_a_time_and_come_in_order() {
    let sandbox = Sandbox::new();
    sandbox.tool(
        "one",
        "echo + >> \"$HOME/log\"; sleep 0.0$(($1 % 7)); echo - >> \"$HOME/log\"; echo \"{\\\"n\\\":$1}\"",
    );
    sandbox.home_file("log", "");
    let numbers: Vec<String> = (0..100).map(|n| n.to_string()).collect();
    let outcome = read(&sandbox, &["--each", &numbers.join(","), "--", "one", "{}"]).ok();
    let expected: Vec<String> = (0..100).map(|n| format!("\"{n}\":{{\"n\":{n}}}")).collect();
    assert_eq!(outcome.out(), format!("{{{}}}\n", expected.join(",")));
    let log = std::fs::read_to_string(sandbox.home().join("log")).unwrap();
    let (mut running, mut most) = (0, 0);
    for line in log.lines() {
        running += if line == "+" { 1 } else { -1 };
        most = most.max(running);
    }
    assert!(running == 0 && (2..=8).contains(&most), "{most} at a time");
}

#[test]
fn one_job_is_one_after_another() {
    let sandbox = Sandbox::new();
    sandbox
        .tool("one", "test ! -e \"$HOME/busy\" || exit 9; : > \"$HOME/busy\"; sleep 0.02; rm \"$HOME/busy\"");
    read(&sandbox, &["-j", "1", "--each", "1,2,3,4,5", "--", "one", "{}"]).ok();
}

#[test]
fn a_large_answer_is_kept_whole_and_shown_in_part() {
    let sandbox = Sandbox::new();
    sandbox.tool(
        "big",
        "case $1 in text) yes 'a line of text that comes again' | head -c 20000000;; numbers) seq 1 20000;; \
         *) echo '['; i=0; while [ $i -lt 4000 ]; do echo \"{\\\"id\\\":\\\"$1-$i\\\",\\\"v\\\":$((i * 7919 % 10007))},\"; i=$((i+1)); done; echo '{\"id\":\"last\"}]';; esac",
    );
    let outcome = seen(&sandbox, &["--each", "a,text,numbers,b", "--", "big", "{}"]).ok();
    let out = outcome.out();
    assert!(out.len() < 20_000, "{}", out.len());
    let ids: Vec<&str> = out
        .match_indices("toto show ")
        .map(|(at, found)| &out[at + found.len()..at + found.len() + 5])
        .collect();
    let shown = |args: &[&str]| run(sandbox.toto(["show"]).args(args)).ok().out();
    assert_eq!(shown(&[ids[0], "--path", "b.4000.id"]), "last\n");
    assert_eq!(shown(&[ids[0], "--path", "a.3999.id"]), "a-3999\n");
    assert!(out.contains("==> text <==\na line of text that comes again\n… 624999 more times\n"), "{out}");
    assert_eq!(shown(&[ids.last().unwrap(), "--lines", "20000:"]), "20000\n");
    assert!(outcome.err().contains("[toto] Original: "), "{}", outcome.err());
    let saved = run(&mut sandbox.toto(["history"])).ok().out();
    assert_eq!(saved.lines().count(), 2, "no copies are left over: {saved}");
}

#[test]
fn what_a_level_leaves_out_is_named_and_kept() {
    let sandbox = Sandbox::new();
    sandbox.tool("say", "printf '{\"id\": \"%s\",  \"a\": null, \"b\": [], \"c\": {}, \"d\": \"\", \"e\": null, \"f\": 1.10}\\n' \"$1\"");
    let out = seen(&sandbox, &["--each", "x,y,z", "--", "say", "{}"]).ok().out();
    assert!(out.contains("(15 null/empty left out: toto show "), "{out}");
    let id = out.split("toto show ").nth(1).unwrap().split(')').next().unwrap();
    let whole = run(&mut sandbox.toto(["show", id])).ok().out();
    assert!(whole.contains("\"x\":\n{\"id\": \"x\",  \"a\": null, "), "as it came: {whole}");
    // Where nothing can be kept, nothing goes.
    let state = sandbox.home().join(".local/state");
    std::fs::remove_dir_all(&state).unwrap();
    std::fs::write(&state, "").unwrap();
    std::fs::remove_dir_all(sandbox.temporary()).unwrap();
    let out = seen(&sandbox, &["--each", "x,y,z", "--", "say", "{}"]).ok().out();
    assert!(out.contains(" null [] {} \"\" null 1.10") && !out.contains("left out"), "{out}");
}

#[test]
fn formats_can_be_forced() {
    let with = |format| seen(&regions(), &each("us-east-1,eu-west-1", &["--format", format])).ok().out();
    assert!(
        with("pvfn").starts_with("Reservations[12]{") || with("pvfn").starts_with('$'),
        "{}",
        with("pvfn")
    );
    assert_eq!(with("json"), read(&regions(), &each("us-east-1,eu-west-1", &[])).ok().out());
    let raw = std::fs::read_to_string(regions().home().join("us-east-1")).unwrap();
    assert!(
        with("raw").starts_with(&format!("==> us-east-1 <==\n{raw}\n==> eu-west-1 <==\n")),
        "{}",
        with("raw")
    );
    let piped = read(&regions(), &each("us-east-1,eu-west-1", &["--format", "pvfn"])).ok().out();
    assert_eq!(piped, with("pvfn"));
}

#[test]
fn a_fault_of_ours_costs_only_the_savings() {
    let sandbox = regions();
    let mut faulty = fetch(&sandbox, &each("us-east-1,none", &[]));
    let outcome = run(faulty.env("_TOTO_FAULT", "panic")).ok();
    assert!(outcome.out().starts_with("==> us-east-1 <==\n{"), "{}", outcome.out());
    assert!(outcome.out().ends_with("==> none <==\n{\"Reservations\": []}\n"), "{}", outcome.out());
    assert!(outcome.err().starts_with("toto: internal error"), "{}", outcome.err());
}

/// Starts `toto fetch` in its own process group and waits until its calls have written their names to $HOME/started.
fn started(sandbox: &Sandbox, args: &[&str], calls: usize) -> Child {
    let mut command = fetch(sandbox, args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let child = spawn(&mut command);
    let started = sandbox.home().join("started");
    until(|| std::fs::read_to_string(&started).is_ok_and(|text| text.lines().count() == calls).then_some(()));
    child
}

fn signal(name: &str, target: &str) {
    assert!(Command::new("kill").args([name, "--", target]).status().unwrap().success());
}

fn ended(mut child: Child) -> (Option<i32>, String, String) {
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    (child.wait().unwrap().signal(), out, err)
}

/// `done` ends at once; `long` is a sleep; `stubborn` counts its signals and goes on.
fn workers() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.tool(
        "work",
        "trap 'n=$((n+1)); echo got $n' TERM\n\
         [ $1 = done ] && echo '{\"v\":1}'\n\
         [ $1 = done ] || echo part of $1\n\
         echo $$ $1 >> \"$HOME/started\"\n\
         [ $1 = done ] && exit 0\n\
         [ $1 = long ] && exec sleep 60\n\
         while :; do sleep 0.01; done",
    );
    sandbox
}

#[test]
fn a_signal_ends_the_calls_and_what_there_is_goes_out() {
    let args = ["--jobs", "2", "--each", "done,long,stubborn,later", "--", "work", "{}"];
    for (name, number, group) in [("-TERM", 15, ""), ("-TERM", 15, "-"), ("-INT", 2, "")] {
        let sandbox = workers();
        let child = started(&sandbox, &args, 3);
        signal(name, &format!("{group}{}", child.id()));
        let (signal, out, err) = ended(child);
        assert_eq!(signal, Some(number), "{out}{err}");
        assert!(out.contains("done.v=1") || out.contains("{\"v\":1}"), "{out}");
        assert!(out.contains("==> long <==\npart of long\n"), "{out}");
        let got = if name == "-TERM" { "got 1\n" } else { "" };
        assert!(
            out.contains(&format!("==> stubborn <==\npart of stubborn\n{got}")) && !out.contains("got 2"),
            "{out}"
        );
        assert!(err.contains("==> later: interrupted, not started <=="), "{err}");
        let end = if name == "-TERM" {
            "==> long: killed by signal 15 <==\n==> stubborn: interrupted, not finished <==\n"
        } else {
            "==> long, stubborn: killed by signal 2 <==\n"
        };
        assert!(err.starts_with(end), "{err}");
        let pids = std::fs::read_to_string(sandbox.home().join("started")).unwrap();
        for line in pids.lines() {
            let process = format!("/proc/{}", line.split(' ').next().unwrap());
            until(|| (!std::path::Path::new(&process).exists()).then_some(()));
        }
    }
}

#[test]
fn who_reads_no_more_ends_the_calls() {
    let sandbox = Sandbox::new();
    sandbox.tool(
        "work",
        "echo $$ >> \"$HOME/started\"; trap '' TERM; while :; do echo more || exit; sleep 0.01; done",
    );
    let mut child = started(&sandbox, &["--jobs", "2", "--each", "a,b,c", "--", "work", "{}"], 2);
    drop(child.stdout.take());
    until(|| child.try_wait().unwrap());
    assert_eq!(std::fs::read_to_string(sandbox.home().join("started")).unwrap().lines().count(), 2);
}

#[test]
fn a_calls_death_by_signal_is_told() {
    let sandbox = Sandbox::new();
    sandbox.tool("work", "echo '{\"v\":1}'; kill -9 $$");
    let outcome = seen(&sandbox, &["work"]).exits(137);
    assert_eq!(outcome.err(), "==> work: killed by signal 9 <==\n");
}

#[test]
fn a_descendant_that_stays_is_not_waited_for() {
    let sandbox = Sandbox::new();
    sandbox.tool("work", "echo '{\"v\":1}'; sleep 20 & exit 0");
    let start = Instant::now();
    read(&sandbox, &["--each", "a,b", "--", "work", "{}"]).ok();
    assert!(start.elapsed() < Duration::from_secs(15));
}

#[test]
fn the_notation_reads_back_to_what_was_joined() {
    let sandbox = regions();
    let args = each("us-east-1,none,eu-west-1", &["--level", "lossless", "--format", "pvfn"]);
    let shown = seen(&sandbox, &args).ok().out;
    let expanded: Value =
        serde_json::from_slice(&run_with(&mut sandbox.toto(["expand"]), &shown).ok().out).unwrap();
    let documents: Vec<(String, Value)> = ["us-east-1", "none", "eu-west-1"]
        .map(|region| {
            let rows =
                if region == "none" { Vec::new() } else { (0..6).map(|at| instance(region, at)).collect() };
            (region.to_owned(), json!({ "Reservations": rows }))
        })
        .to_vec();
    let documents: Vec<(&String, &Value)> = documents.iter().map(|(name, value)| (name, value)).collect();
    for (name, document) in &documents {
        assert_eq!(apart(&expanded, name, document, &documents), **document, "{name}");
    }
}

/// Keys of objects anywhere that may stand beside ours.
fn taken(documents: &[(&String, &Value)]) -> HashSet<String> {
    let objects = |value: &Value| -> Vec<Map<String, Value>> {
        let rows = |value: &Value| {
            value.as_array().into_iter().flatten().filter_map(Value::as_object).cloned().collect()
        };
        let mut found: Vec<Map<String, Value>> = rows(value);
        if let Some(object) = value.as_object() {
            let is_table = |value: &&Value| {
                value.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(Value::is_object))
            };
            found.extend(object.values().filter(is_table).flat_map(rows));
            found.push(object.clone());
        }
        found
    };
    let is_table = |value: &Value| value.as_array().is_none_or(|list| list.iter().all(Value::is_object));
    let joinable = documents.iter().filter(|(_, document)| is_table(document));
    joinable
        .flat_map(|(_, document)| objects(document))
        .flat_map(|object| object.keys().cloned().collect::<Vec<_>>())
        .collect()
}

/// What the joined answer says of one call; `group` are the documents that were joined with it, itself included.
fn apart(joined: &Value, name: &str, document: &Value, group: &[(&String, &Value)]) -> Value {
    let taken = taken(group);
    let free = |key: &str| {
        (0..99).map(|n| format!("{key}{}", "_".repeat(n))).find(|key| !taken.contains(key)).unwrap()
    };
    let (source, none, calls) = (free("source"), free("none"), free("calls"));
    let is_named = |value: &Value| {
        value == name || value.as_array().is_some_and(|names| names.iter().any(|one| one == name))
    };
    let own = |list: &Value| -> Vec<Value> {
        let rows = list.as_array().unwrap().iter().filter(|row| is_named(&row[&source]));
        rows.map(|row| {
            let mut row = row.as_object().unwrap().clone();
            row.remove(&source);
            Value::Object(row)
        })
        .collect()
    };
    if joined.is_array() {
        let rows = own(joined);
        return match document {
            Value::Array(list) if !list.is_empty() => Value::Array(rows),
            Value::Array(_) => rows[0]["output"].clone(),
            _ => rows[0].clone(),
        };
    }
    let mut found = Map::new();
    for (key, value) in joined.as_object().unwrap() {
        if *key == none && value.is_object() {
            for (key, names) in value.as_object().unwrap() {
                if is_named(names) {
                    found.insert(key.clone(), json!([]));
                }
            }
        } else if *key == calls {
            found.extend(own(value).into_iter().flat_map(|row| row.as_object().unwrap().clone()));
        } else if let rows = own(value)
            && !rows.is_empty()
        {
            found.insert(key.clone(), Value::Array(rows));
        }
    }
    if document.is_array() { found["output"].clone() } else { Value::Object(found) }
}

/// Every name that stands for a call in a group.
fn names_in(joined: &Value, all: &[String]) -> Vec<String> {
    fn walk(value: &Value, depth: usize, found: &mut HashSet<String>) {
        match value {
            Value::String(text) => drop(found.insert(text.clone())),
            Value::Array(list) if depth < 5 => list.iter().for_each(|value| walk(value, depth + 1, found)),
            Value::Object(map) if depth < 5 => map.values().for_each(|value| walk(value, depth + 1, found)),
            _ => {}
        }
    }
    let mut found = HashSet::new();
    walk(joined, 0, &mut found);
    all.iter().filter(|name| found.contains(*name)).cloned().collect()
}

fn key() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "source", "source_", "none", "calls", "output", "Items", "Tags", "id", "name", "a.b", "",
    ])
    .prop_map(str::to_owned)
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<i32>().prop_map(Value::from),
        "[a-z ,]{0,3}".prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map(key(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// A list of objects, or what is nearly one.
fn list() -> impl Strategy<Value = Value> {
    let row = prop::collection::hash_map(key(), value(), 0..4)
        .prop_map(|map| Value::Object(map.into_iter().collect()));
    prop::collection::vec(row, 0..4).prop_map(Value::from)
}

fn document() -> impl Strategy<Value = Value> {
    let member = prop_oneof![value(), list(), list()];
    prop_oneof![
        list(),
        value().prop_filter("a container", |value| value.is_array() || value.is_object()),
        prop::collection::hash_map(key(), member, 0..4)
            .prop_map(|map| Value::Object(map.into_iter().collect())),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn every_call_gets_its_document_back(documents in prop::collection::vec(document(), 1..6), notation in any::<bool>()) {
        // Names that no document holds, so that a group's members can be told by them.
        let names: Vec<String> = (0..documents.len()).map(|at| format!("CALL {at}")).collect();
        let texts: Vec<String> = documents.iter().map(Value::to_string).collect();
        let sources: Vec<Source<'_>> = texts
            .iter()
            .zip(&names)
            .map(|(text, name)| {
                let Layout::Document(document) = scan(text) else { panic!("{text}") };
                Source { names: vec![name.clone()], document }
            })
            .collect();
        let text = String::from_utf8(joined(&sources)).unwrap();
        let text = match scan(&text) {
            Layout::Document(document) if notation => pvfn::render(&document)
                .map_or(text.clone(), |pvfn| String::from_utf8(expand(&String::from_utf8(pvfn).unwrap()).unwrap()).unwrap()),
            Layout::Document(_) => text,
            other => panic!("{text}: {other:?}"),
        };
        let whole: Value = serde_json::from_str(&text).unwrap();
        let pairs: Vec<(&String, &Value)> = names.iter().zip(&documents).collect();
        for (name, document) in &pairs {
            // Alone under its name, in a group of some, or in one group of all.
            let alone = whole.get(name.as_str());
            let found = alone.cloned().unwrap_or_else(|| {
                let groups = whole.as_object().filter(|groups| groups.keys().all(|key| key.starts_with("CALL ")));
                let part = groups
                    .and_then(|groups| groups.values().find(|group| names_in(group, &names).contains(name)))
                    .unwrap_or(&whole);
                let members = names_in(part, &names);
                let group: Vec<_> = pairs.iter().filter(|(name, _)| members.contains(name)).copied().collect();
                apart(part, name, document, &group)
            });
            prop_assert_eq!(&found, *document, "{} of {}", name, text);
        }
    }
}

#[test]
fn without_descriptors_to_be_had_it_says_so_and_ends() {
    let sandbox = Sandbox::new();
    let script = format!("ulimit -n 8; exec '{}' fetch --each 1,2 -- echo {{}}", env!("CARGO_BIN_EXE_toto"));
    let start = Instant::now();
    let outcome = run(sandbox.shell("sh", &script).env("TOTO", "on")).exits(126);
    assert!(outcome.err().starts_with("==> 1, 2: cannot be started: "), "{}", outcome.err());
    assert!(start.elapsed() < Duration::from_secs(10));
    let script = format!(
        "ulimit -n 24; exec '{}' fetch --jobs 40 --each {} -- echo {{}}",
        env!("CARGO_BIN_EXE_toto"),
        "1,".repeat(39) + "2"
    );
    assert!(run(sandbox.shell("sh", &script).env("TOTO", "on")).ok().out().contains("==> 2 <==\n2\n"));
}

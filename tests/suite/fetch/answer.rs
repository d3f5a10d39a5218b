//! What the agent and a program get.

use serde_json::{Map, Value, json};

use super::{each, fetch, instance, read, regions, seen};
use crate::harness::{Sandbox, run, words};

#[test]
fn regions_are_one_table_with_the_region_in_a_column() {
    let outcome = seen(&regions(), &each("us-east-1,eu-west-1", &[])).ok();
    let out = outcome.out();
    assert_eq!(out.lines().filter(|line| line.starts_with("Reservations[12]{")).count(), 1, "{out}");
    assert_eq!(out.matches("\n us-east-1 i-").count(), 6, "{out}");
    assert_eq!(out.matches("\n eu-west-1 i-").count(), 6, "{out}");
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
    assert!(out.find("\n slow i-").unwrap() < out.find("\n us-east-1 i-").unwrap(), "{out}");
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
    assert!(out.starts_with("==> none, none2 <==\n{\"Reservations\": []}\n"), "{out}");
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
        out.contains("pods.items[5]{name}:") && out.contains("svc.items=[{svc=s0 ip=10.0.0.1 port=80} "),
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
fn a_large_answer_is_kept_whole_and_shown_in_part() {
    let sandbox = Sandbox::new();
    sandbox.tool(
        "big",
        "case $1 in text) yes 'a line of text that comes again' | head -c 4000000;; numbers) cat \"$HOME/numbers\";; \
         *) echo '['; i=0; while [ $i -lt 4000 ]; do echo \"{\\\"id\\\":\\\"$1-$i\\\",\\\"v\\\":$((i * 7919 % 10007))},\"; i=$((i+1)); done; echo '{\"id\":\"last\"}]';; esac",
    );
    sandbox.home_file("numbers", (0..4000).map(|n| words(n) + "\n").collect::<String>());
    let outcome = seen(&sandbox, &["--each", "a,text,numbers,b", "--", "big", "{}"]).ok();
    let out = outcome.out();
    // They share the page.
    assert!(out.len() < 24_000, "{}", out.len());
    let ids: Vec<&str> = out
        .match_indices("toto show ")
        .map(|(at, found)| &out[at + found.len()..at + found.len() + 5])
        .collect();
    let shown = |args: &[&str]| run(sandbox.toto(["show"]).args(args)).ok().out();
    assert_eq!(shown(&[ids[0], "--path", "b.4000.id"]), "last\n");
    assert_eq!(shown(&[ids[0], "--path", "a.3999.id"]), "a-3999\n");
    assert!(out.contains("==> text <==\na line of text that comes again ×125000\n"), "{out}");
    assert_eq!(shown(&[ids.last().unwrap(), "--lines", "4000:"]), format!("{}\n", words(3999)));
    assert!(outcome.err().contains("[toto] Original: "), "{}", outcome.err());
    let saved = run(&mut sandbox.toto(["history"])).ok().out();
    assert_eq!(saved.lines().count(), 2, "no copies are left over: {saved}");
}

#[test]
fn what_a_level_leaves_out_is_named_and_kept() {
    let sandbox = Sandbox::new();
    sandbox.tool("say", "printf '{\"id\": \"%s\",  \"a\": null, \"b\": [], \"c\": {}, \"d\": \"\", \"e\": null, \"f\": 1.10}\\n' \"$1\"");
    let out = seen(&sandbox, &["--each", "x,y,z", "--", "say", "{}"]).ok().out();
    assert!(out.contains("(15 null/empty (a, b, c, …) left out: toto show "), "{out}");
    let id = out.split("toto show ").nth(1).unwrap().split(')').next().unwrap();
    let whole = run(&mut sandbox.toto(["show", id])).ok().out();
    assert!(whole.contains("\"x\":\n{\"id\": \"x\",  \"a\": null, "), "as it came: {whole}");
    // Where nothing can be kept, nothing goes.
    let state = sandbox.home().join(".local/state");
    std::fs::remove_dir_all(&state).unwrap();
    std::fs::write(&state, "").unwrap();
    std::fs::remove_dir_all(sandbox.temporary()).unwrap();
    let out = seen(&sandbox, &["--each", "x,y,z", "--", "say", "{}"]).ok().out();
    assert!(
        out.contains(" all: a=null b=[] c={} d=\"\" e=null f=1.10\n") && !out.contains("left out"),
        "{out}"
    );
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

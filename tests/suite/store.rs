//! `toto show`, `read`, `grep`, `history`, `clean` and `config`: text that was left out is one command away, and a
//! request that cannot be served is answered in one line.

use std::fs;
use std::process::Command;

use crate::harness::{Sandbox, run, words};

/// A session with one saved text of 1,000 lines and, after it, one saved document.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let lines: String = (1..=1000)
        .map(|n| format!("line {n} of \u{1b}[1mtext\u{1b}[0m {}\n", words(n)))
        .collect::<Vec<_>>()
        .concat();
    sandbox.home_file("text", lines);
    let rows: Vec<_> =
        (0..9000).map(|n| format!("{{\"id\": {n}, \"a.b\": \"x{}\"}}", n * 7919 % 4001)).collect();
    sandbox.home_file("data", format!("note\n{{\"items\": [{}]}}\n", rows.join(",\n ")));
    sandbox.home_file(".config/toto/config.toml", "[tools.make]\nthreshold = 4000\n");
    for (tool, file) in [("make", "text"), ("aws", "data")] {
        sandbox.tool(tool, &format!("cat \"$HOME/{file}\""));
        sandbox.link(tool);
        run(sandbox.command(tool).env("TOTO", "on")).ok();
    }
    sandbox
}

fn toto(sandbox: &Sandbox, line: &str) -> Command {
    sandbox.toto(line.split(' '))
}

/// The ids of the saved outputs, oldest first.
fn ids(sandbox: &Sandbox) -> Vec<String> {
    let history = run(&mut toto(sandbox, "history")).ok().out();
    history.lines().map(|line| line.split(' ').next().unwrap().to_owned()).collect()
}

#[test]
fn parts_of_a_text() {
    let sandbox = sandbox();
    let id = &ids(&sandbox)[0];
    let shown = |options: &str| run(&mut toto(&sandbox, &format!("show {id} {options}"))).ok().out();
    let line = |n: usize| format!("line {n} of text {}\n", words(n));
    assert_eq!(shown("--lines 7:8"), line(7) + &line(8));
    assert_eq!(
        shown("--lines 1000: --raw"),
        format!("line 1000 of \u{1b}[1mtext\u{1b}[0m {}\n", words(1000))
    );
    for pattern in ["line.500", "-->|line.500"] {
        assert_eq!(
            shown(&format!("--grep {pattern} -C 1")),
            format!("499-{}500:{}501-{}", line(499), line(500), line(501))
        );
    }
    assert_eq!(
        run(&mut toto(&sandbox, &format!("show {id} --raw"))).ok().out,
        fs::read(sandbox.home().join("text")).unwrap()
    );
    let facts = shown("--json");
    for fact in
        ["\"tool\":\"make\"", "\"lines\":1000", "\"status\":0", "\"complete\":true", "\"stream\":\"stdout\""]
    {
        assert!(facts.contains(fact), "{fact}: {facts}");
    }
}

#[test]
fn parts_of_a_document() {
    let sandbox = sandbox();
    let shown = |path: &str| run(&mut toto(&sandbox, &format!("show last --path {path}"))).ok().out();
    assert_eq!(shown("items.2"), "{\"id\":2,\"a.b\":\"x3835\"}\n");
    assert_eq!(shown("items.2.a.b"), "x3835\n");
    let outcome = run(&mut toto(&sandbox, "show last --path items.2.c")).exits(2);
    assert_eq!(outcome.err(), "toto: no `c` at `items.2`, which has id, a.b\n");
}

#[test]
fn what_cannot_be_served_is_one_line_and_status_2() {
    let sandbox = sandbox();
    fs::write(sandbox.work().join("binary"), b"a\0b").unwrap();
    assert!(Command::new("mkfifo").arg(sandbox.work().join("fifo")).status().unwrap().success());
    for (line, said) in [
        ("show last --lines 9:3", "line 9 comes after line 3"),
        ("show last --lines 99999:", "9001 lines"),
        ("show zzzzz", "toto history"),
        ("show last --grep (", "unclosed group"),
        ("read .", "is a directory"),
        ("read binary", "binary file"),
        ("read fifo", "no regular file"),
        ("read missing", "No such file"),
        ("read binary --offset 0", "0"),
        ("grep [ .", "is no regular expression"),
        ("grep -n x missing", "cannot read missing: No such file"),
    ] {
        let outcome = run(&mut toto(&sandbox, line)).exits(2);
        assert_eq!(outcome.err().lines().count(), 1, "{line}: {}", outcome.err());
        assert!(outcome.err().contains(said), "{line}: {}", outcome.err());
        assert_eq!(outcome.out(), "", "{line}");
    }
}

#[test]
fn a_file_is_read_whole_in_part_or_not_at_all() {
    let sandbox = Sandbox::new();
    let lines: String = (1..=20_000).map(|n| format!("word {n}\n")).collect::<Vec<_>>().concat();
    fs::write(sandbox.work().join("long"), &lines).unwrap();
    fs::write(sandbox.work().join("short"), "one\ntwo").unwrap();
    assert_eq!(run(&mut toto(&sandbox, "read short")).ok().out(), "one\ntwo");
    assert_eq!(run(&mut toto(&sandbox, "read long --offset 19999 --limit 1")).ok().out(), "word 19999\n");
    let outcome = run(&mut toto(&sandbox, "read long")).exits(2);
    assert!(outcome.err().starts_with("Error: File content (~"), "{}", outcome.err());
    assert!(outcome.err().contains(" tokens) exceeds maximum allowed tokens (25000). "), "{}", outcome.err());
    run(&mut toto(&sandbox, "read long --offset 2 --limit 19000")).exits(2);
    // A sparse file: its size is looked at, its bytes are not read.
    let huge = fs::File::create(sandbox.work().join("huge")).unwrap();
    std::io::Write::write_all(&mut &huge, lines.as_bytes()).unwrap();
    huge.set_len(10 << 30).unwrap();
    assert!(run(&mut toto(&sandbox, "read huge")).exits(2).err().contains("~2684354560 tokens"));
    assert_eq!(run(&mut toto(&sandbox, "read huge --offset 3 --limit 2")).ok().out(), "word 3\nword 4\n");
}

#[test]
fn a_search_shows_its_matches_or_how_many_they_are() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.work().join("src")).unwrap();
    fs::write(sandbox.work().join("src/a.rs"), "fn one() {}\nfn two() {}\n").unwrap();
    fs::write(sandbox.work().join("b"), "no\n").unwrap();
    assert_eq!(run(&mut toto(&sandbox, "grep fn.t")).ok().out(), "src/a.rs:2:fn two() {}\n");
    assert_eq!(run(&mut toto(&sandbox, "grep -i NO src b")).ok().out(), "b:1:no\n");
    run(&mut toto(&sandbox, "grep three")).exits(1);
    fs::write(sandbox.work().join("long"), "a line with a word in it\n".repeat(20_000)).unwrap();
    let outcome = run(&mut toto(&sandbox, "grep word")).exits(2);
    assert!(outcome.err().starts_with("Error: Search returned ~"), "{}", outcome.err());
    assert!(outcome.err().contains(" tokens of matches. "), "{}", outcome.err());
    assert_eq!((outcome.err().lines().count(), outcome.out()), (1, String::new()));
}

#[test]
fn a_program_of_the_same_line_gets_the_whole_of_a_file_and_of_a_search() {
    let sandbox = Sandbox::new();
    let lines: String = (1..=40_000).map(|n| format!("word {n}\n")).collect::<Vec<_>>().concat();
    fs::write(sandbox.work().join("long"), &lines).unwrap();
    let toto = crate::harness::toto_binary().display();
    let answer = |line: &str| run(&mut sandbox.shell("bash", &format!("set -o pipefail; {line}"))).ok().out();
    assert_eq!(answer(&format!("'{toto}' read long | tail -1")), "word 40000\n");
    assert_eq!(answer(&format!("'{toto}' read long --offset 2 --limit 39999 | wc -l")).trim(), "39999");
    assert_eq!(answer(&format!("'{toto}' read long > copy; cmp long copy && echo same")), "same\n");
    assert_eq!(answer(&format!("'{toto}' grep word long | tail -1")), "long:40000:word 40000\n");
    let refused = run(&mut sandbox.shell("bash", &format!("'{toto}' read long --offset 40002 | cat"))).ok();
    assert!(refused.err().contains("none at offset 40002"), "{}", refused.err());
}

#[test]
fn a_search_names_files_alone_and_goes_on_page_by_page() {
    let sandbox = Sandbox::new();
    for name in ["a", "b c", "-d"] {
        let lines: String = (1..=900).map(|n| format!("{name} says -{n} words of a line\n")).collect();
        fs::write(sandbox.work().join(name), lines).unwrap();
    }
    assert_eq!(run(&mut toto(&sandbox, "grep -l says")).ok().out(), "-d\na\nb c\n");
    let toto = crate::harness::toto_binary().display();
    let mut next = r"grep '\-\d+ words' --page 1".to_owned();
    let (mut found, mut pages) = (String::new(), 0);
    loop {
        let page = run(&mut sandbox.shell("bash", &format!("'{toto}' {next}"))).ok().out();
        pages += 1;
        let (text, footer) = page.split_at(page.rfind("(page ").expect("a page says which one it is"));
        let is_count = |line: &&str| line.starts_with('(') && line.contains(" of 2700 matching lines");
        assert_eq!(text.lines().filter(is_count).count(), 1, "{text}");
        found.extend(text.lines().filter(|line| !is_count(line)).flat_map(|line| [line, "\n"]));
        let Some((_, command)) = footer.trim_end().trim_end_matches(')').split_once("next: toto ") else {
            break;
        };
        command.clone_into(&mut next);
    }
    assert!(pages > 2, "{pages}");
    // The file that the answer goes to lies in the searched directory, and is not searched.
    let whole = format!("'{toto}' grep '[-][0-9]+ words' > c; cat c");
    assert_eq!(found, run(&mut sandbox.shell("bash", &whole)).ok().out(), "page by page");
    let refused = run(&mut sandbox.toto(["grep", "--page", "99", "says"])).exits(2);
    assert!(refused.err().contains("there is no page 99"), "{}", refused.err());
}

#[test]
fn what_is_saved_is_listed_and_cleaned_up() {
    let sandbox = sandbox();
    let history = run(&mut toto(&sandbox, "history")).ok().out();
    assert_eq!(history.lines().count(), 2);
    assert!(history.lines().next().unwrap().contains("make") && history.contains("1000 lines"), "{history}");
    assert!(run(&mut toto(&sandbox, "clean")).ok().out().starts_with("removed 0 saved outputs"));
    assert!(
        run(&mut toto(&sandbox, "clean --all --dry-run"))
            .ok()
            .out()
            .starts_with("would remove 2 saved outputs")
    );
    assert_eq!(ids(&sandbox).len(), 2);
    run(&mut toto(&sandbox, "clean --all")).ok();
    assert!(run(&mut toto(&sandbox, "history")).ok().out().starts_with("nothing is saved"));
    assert_eq!(fs::read_dir(sandbox.home().join(".local/state/toto/outputs")).unwrap().count(), 0);
}

// Only Linux has pipes of a size of one's own (`F_SETPIPE_SZ`, fcntl(2)).
#[cfg(target_os = "linux")]
#[test]
fn what_its_reader_has_not_been_told_of_is_not_cleaned_up() {
    use std::io::Read as _;
    use std::process::Stdio;

    let sandbox = Sandbox::new();
    let lines: Vec<_> = (1..=4000).map(|n| format!("{}\n", words(n))).collect();
    sandbox.home_file("text", lines.concat());
    sandbox.tool("make", "cat \"$HOME/text\"");
    sandbox.link("make");
    let mut child = crate::harness::spawn(sandbox.command("make").env("TOTO", "on").stdout(Stdio::piped()));
    let mut pipe = child.stdout.take().unwrap();
    // A pipe shorter than a page, so that most of the page is still to come when its first byte is here.
    rustix::pipe::fcntl_setpipe_size(&pipe, 4096).unwrap();
    let mut page = vec![0];
    pipe.read_exact(&mut page).unwrap();
    run(&mut toto(&sandbox, "clean --all")).ok();
    pipe.read_to_end(&mut page).unwrap();
    child.wait().unwrap();
    let page = String::from_utf8(page).unwrap();
    let (_, next) = page.trim_end().rsplit_once("next: toto ").expect("the page has its line");
    let rest = run(&mut toto(&sandbox, next.trim_end_matches(')'))).ok().out();
    assert!(rest.contains("(page 2 of "), "{rest}");
    run(&mut toto(&sandbox, "clean --all")).ok();
    assert!(
        run(&mut toto(&sandbox, "history")).ok().out().starts_with("nothing is saved"),
        "once told of, it can go"
    );
}

/// Makes the first saved output two days old.
fn make_old(sandbox: &Sandbox) {
    let old = ids(sandbox).remove(0);
    let session = sandbox.home().join(".local/state/toto/outputs/default");
    let file = fs::read_dir(&session)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.to_str().unwrap().ends_with(&format!("{old}.out")))
        .unwrap();
    let then = std::time::SystemTime::now() - std::time::Duration::from_secs(2 * 24 * 3600);
    fs::File::options().append(true).open(file).unwrap().set_modified(then).unwrap();
}

#[test]
fn the_oldest_go_first_and_what_is_fresh_stays() {
    let sandbox = sandbox();
    sandbox.home_file(".config/toto/config.toml", "[tools.make]\nthreshold = 4000\n[store]\ndays = 1\n");
    make_old(&sandbox);
    assert!(run(&mut toto(&sandbox, "clean")).ok().out().starts_with("removed 1 saved output,"));
    assert_eq!(ids(&sandbox).len(), 1);
}

#[test]
fn limits_beyond_all_numbers_do_not_wrap_around_and_remove_everything() {
    let sandbox = sandbox();
    let limits = format!("[store]\ndays = {}\nmebibytes = {}\n", i64::MAX, 1_u64 << 44);
    sandbox.home_file(".config/toto/config.toml", limits);
    make_old(&sandbox);
    assert!(run(&mut toto(&sandbox, "clean")).ok().out().starts_with("removed 0 saved outputs"));
    assert_eq!(ids(&sandbox).len(), 2);
}

#[test]
fn a_session_of_ones_own() {
    let sandbox = sandbox();
    let command = "--session mine -t 100 -- cat ../home/text";
    let out = run(&mut toto(&sandbox, command)).ok().out();
    assert!(out.contains("; next: toto show "), "{out}");
    assert_eq!(run(&mut toto(&sandbox, "history --session mine")).ok().out().lines().count(), 1);
    let shown = run(&mut toto(&sandbox, "show last -s mine --lines 1:1")).ok().out();
    assert!(shown.starts_with("line 1 of text "), "{shown}");
}

#[test]
fn outputs_of_all_sessions_are_listed_by_their_time_also_as_json() {
    let sandbox = sandbox();
    for session in ["c", "a", "d", "b"] {
        run(&mut toto(&sandbox, &format!("--session {session} -t 100 -- cat ../home/text"))).ok();
    }
    let json = run(&mut toto(&sandbox, "history --all --json")).ok().out();
    let listed: Vec<serde_json::Value> = serde_json::from_str(&json).unwrap();
    assert_eq!(listed.len(), 6);
    assert!(listed.is_sorted_by_key(|saved| saved["time"].as_str().unwrap()), "{json}");
}

#[test]
fn the_configuration_is_shown_and_checked() {
    let sandbox = Sandbox::new();
    let path = run(&mut toto(&sandbox, "config path")).ok().out();
    assert_eq!(path, format!("{}/.config/toto/config.toml\n", sandbox.home().display()));
    assert!(run(&mut toto(&sandbox, "config check")).ok().out().contains("the defaults are in force"));
    // The configuration that is shown is sound, and changes nothing.
    let shown = run(&mut toto(&sandbox, "config show")).ok().out();
    assert!(shown.contains("structured_threshold = 8000\n"), "{shown}");
    sandbox.home_file(".config/toto/config.toml", &shown);
    assert!(run(&mut toto(&sandbox, "config check")).ok().out().ends_with(" is sound\n"));
    assert_eq!(run(&mut toto(&sandbox, "config show")).ok().out(), shown);
    // A variable is in force, over the section of a tool as well.
    sandbox.home_file(".config/toto/config.toml", "[tools.make]\nthreshold = 4000\nmode = \"truncate\"\n");
    let shown = run(toto(&sandbox, "config show").env("TOTO_THRESHOLD", "123")).ok().out();
    assert_eq!(shown.matches("\nthreshold = 123\n").count(), 2, "{shown}");
    sandbox.home_file(".config/toto/config.toml", "[overflow]\ntreshold = 3\n");
    let outcome = run(&mut toto(&sandbox, "config check")).exits(2);
    assert!(
        outcome.err().contains("config.toml:2:1: unknown key `treshold`; did you mean `threshold`?"),
        "{}",
        outcome.err()
    );
}

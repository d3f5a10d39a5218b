//! `toto gain`: what it tells, in every form.

use std::fs;

use llm_toto::ledger::spool;
use serde_json::Value;

use crate::harness::{Sandbox, run, run_with};
use crate::ledger::{lines, made_up, put};
use crate::pages;

const DAY: i64 = 86_400_000_000;

/// A ledger of ten days, three tools and two agents.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let mut text = Vec::new();
    for number in 0..60 {
        let mut run = made_up(number);
        run.at -= i64::from(number % 10) * DAY;
        if number % 3 == 0 {
            (run.tool, run.call) = ("git".into(), "git status".into());
            (run.shape, run.filter, run.given) = ("Text".into(), Some("git".into()), 700);
        }
        if number % 6 == 1 {
            (run.tool, run.call, run.agent) = ("psql".into(), "psql".into(), None);
            (run.shape, run.given, run.receipt) = ("Raw".into(), 1000, 0);
        }
        if number % 20 == 0 {
            (run.status, run.session) = (Some(1), spool::session_hash("night".as_ref()).into());
        }
        text.extend(run.line());
    }
    put(&sandbox, &text);
    sandbox
}

fn told(sandbox: &Sandbox, args: &[&str]) -> Value {
    let outcome = run(&mut sandbox.toto(["gain", "--json"].iter().chain(args))).ok();
    serde_json::from_str(&outcome.out()).unwrap()
}

fn groups(sandbox: &Sandbox, args: &[&str], key: &str) -> Vec<(String, i64)> {
    let told = told(sandbox, args);
    let groups = told["groups"].as_array().unwrap();
    groups
        .iter()
        .map(|group| (group[key].as_str().unwrap().into(), group["saved"].as_i64().unwrap()))
        .collect()
}

#[test]
fn without_a_run_it_says_what_to_do() {
    let sandbox = Sandbox::new();
    let outcome = run(&mut sandbox.toto(["gain"])).ok();
    assert!(outcome.out().starts_with("no runs yet; toto link NAME"), "{}", outcome.out());
    assert!(run(&mut sandbox.toto(["gain", "--daily"])).ok().out().starts_with("no runs yet"));
    run(sandbox.toto(["gain"]).env_remove("HOME")).exits(1);
}

#[test]
fn groups_are_what_is_asked_for() {
    let sandbox = sandbox();
    let pairs = |list: &[(&str, i64)]| {
        list.iter().map(|(name, saved)| ((*name).to_owned(), *saved)).collect::<Vec<_>>()
    };
    assert_eq!(
        groups(&sandbox, &["--by-tool"], "tool"),
        pairs(&[("aws", 26_700), ("git", 5800), ("psql", 0)])
    );
    assert_eq!(
        groups(&sandbox, &["--by-filter"], "filter"),
        pairs(&[("PVFN", 26_700), ("git", 5800), ("Raw", 0)])
    );
    assert_eq!(groups(&sandbox, &["--by-agent"], "agent"), pairs(&[("claude", 32_500), ("-", 0)]));
    assert_eq!(
        groups(&sandbox, &["--by-command", "--top", "1"], "command"),
        pairs(&[("aws ec2 describe-instances", 26_700)])
    );
    let days = groups(&sandbox, &["--daily"], "day");
    assert_eq!((days.len(), days.iter().map(|day| day.1).sum::<i64>()), (10, 32_500));
    assert!(days.is_sorted());
    let weeks = groups(&sandbox, &["--weekly"], "week");
    assert_eq!(weeks.iter().map(|week| week.1).sum::<i64>(), 32_500);
    assert!(
        weeks.iter().all(
            |week| week.0.parse::<jiff::civil::Date>().unwrap().weekday() == jiff::civil::Weekday::Monday
        )
    );
}

#[test]
fn a_scope_leaves_what_it_names() {
    let sandbox = sandbox();
    let runs = |args: &[&str]| told(&sandbox, args)["total"]["runs"].as_u64().unwrap();
    assert_eq!(runs(&[]), 60);
    assert_eq!(runs(&["--since", "12h"]), 6);
    assert_eq!(runs(&["--since", "3d"]), 18);
    assert_eq!(runs(&["--since", "2020-01-01"]), 60);
    assert_eq!(runs(&["--session", "night"]), 3);
    assert_eq!(runs(&["--session", "day"]), 0);
    let mut own = sandbox.toto(["gain", "--json", "--session"]);
    let outcome = run(own.env("TOTO_SESSION", "night")).ok();
    assert!(outcome.out().contains("\"runs\": 3"), "{}", outcome.out());
    let outcome = run(&mut sandbox.toto(["gain", "--since", "yesterday"])).exits(2);
    assert!(outcome.err().contains("`yesterday` is no date (2026-11-21)"), "{}", outcome.err());
    let outcome = run(&mut sandbox.toto(["gain", "--price", "-3"])).exits(2);
    assert!(outcome.err().contains("dollars"), "{}", outcome.err());
    run(&mut sandbox.toto(["gain", "--json", "--csv"])).exits(2);
    run(&mut sandbox.toto(["gain", "--daily", "--by-tool"])).exits(2);
}

#[test]
fn money_is_at_the_price_that_is_set() {
    let sandbox = sandbox();
    let dollars = |args: &[&str]| told(&sandbox, args)["total"]["dollars"].as_f64().unwrap();
    assert!((dollars(&["--price", "10"]) - 0.325).abs() < 1e-9);
    sandbox.home_file(".config/toto/config.toml", "[ledger]\nprice = 1.0\n");
    assert!((dollars(&[]) - 0.0325).abs() < 1e-9);
    sandbox.home_file(".config/toto/config.toml", "[ledger]\nprice = nan\n");
    let outcome = run(&mut sandbox.toto(["gain"])).exits(2);
    assert!(outcome.err().contains("config.toml:2:9: expected dollars"), "{}", outcome.err());
}

#[test]
fn the_overview_is_for_people_and_plain_where_nobody_looks() {
    let sandbox = sandbox();
    let text = run(&mut sandbox.toto(["gain"])).ok().out();
    assert!(text.starts_with("32.5k of 60.0k tokens saved, 54.2%, $0.0975\n"), "{text}");
    assert!(text.contains("today") && text.contains("in all") && text.contains("30 days"), "{text}");
    assert!(!text.contains('\x1b'), "{text}");
    let csv = run(&mut sandbox.toto(["gain", "--csv", "--by-tool"])).ok().out();
    assert_eq!(csv.lines().count(), 4);
    assert!(csv.lines().nth(1).unwrap().starts_with("aws,30,"), "{csv}");
}

#[test]
fn metrics_hold_every_run() {
    let sandbox = sandbox();
    let text = run(&mut sandbox.toto(["gain", "--openmetrics"])).ok().out();
    let sum = |name: &str, label: &str| -> f64 {
        let lines = text.lines().filter(|line| line.starts_with(name) && line.contains(label));
        lines.map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap()).sum()
    };
    assert_eq!(sum("toto_runs_total{", "") as u64, 60);
    assert_eq!(sum("toto_failed_runs_total{", "") as u64, 3);
    assert_eq!(sum("toto_tokens_total{", "kind=\"without\"") as u64, 60_000);
    assert!(text.contains("toto_runs_total{tool=\"aws\",agent=\"claude\"} 30\n"), "{text}");
    assert!(text.ends_with("# EOF\n"));
}

#[test]
fn what_other_machines_wrote_down_is_merged_once() {
    let sandbox = sandbox();
    let (first, second) =
        (sandbox.home_file("ci/a.jsonl", lines(100..110)), sandbox.home_file("ci/b.jsonl", lines(105..130)));
    let merge = |args: &[&std::ffi::OsStr]| run(sandbox.toto(["gain", "merge"]).args(args)).ok().out();
    assert_eq!(merge(&[first.as_ref()]), "10 runs merged, 0 known already\n");
    assert_eq!(merge(&[first.as_ref(), first.as_ref()]), "0 runs merged, 20 known already\n");
    assert_eq!(merge(&[second.parent().unwrap().as_ref()]), "20 runs merged, 15 known already\n");
    let mut piped = sandbox.toto(["gain", "merge", "-"]);
    let last = &lines(130..132);
    assert_eq!(run_with(&mut piped, &last[..last.len() - 1]).ok().out(), "2 runs merged, 0 known already\n");
    assert_eq!(told(&sandbox, &[])["total"]["runs"], 92);
    // All of them, or none.
    sandbox.home_file("ci/new.jsonl", lines(200..300));
    let outcome =
        run(sandbox.toto(["gain", "merge", "ci/none.jsonl", "ci/new.jsonl"]).current_dir(sandbox.home()))
            .exits(1);
    assert!(outcome.err().contains("none.jsonl"), "{}", outcome.err());
    let outcome = run(&mut sandbox.toto(["gain", "merge", sandbox.work().to_str().unwrap()])).exits(2);
    assert!(outcome.err().contains("holds no spool files"), "{}", outcome.err());
    assert_eq!(told(&sandbox, &[])["total"]["runs"], 92);
    let noise = sandbox.home_file("noise", "some text\n<script>\n");
    let outcome = run(sandbox.toto(["gain", "merge"]).arg(noise)).exits(1);
    assert!(outcome.err().contains("not counted: 2 lines (no whole records)"), "{}", outcome.err());
}

#[test]
fn the_page_needs_nothing_but_itself() {
    let sandbox = sandbox();
    let mut evil = made_up(900);
    (evil.tool, evil.call) = ("<img src=x>".into(), "</td><script>alert(1)</script>".into());
    sandbox.home_file("evil.jsonl", evil.line());
    run(sandbox.toto(["gain", "merge"]).arg(sandbox.home().join("evil.jsonl"))).ok();
    let path = sandbox.work().join("page.html");
    let outcome = run(sandbox.toto(["gain", "--html"]).arg(&path)).ok();
    assert_eq!(outcome.out().trim(), path.to_str().unwrap());
    let page = fs::read_to_string(&path).unwrap();
    for wrong in ["http:", "https:", "src=", "href=", "@import", "url(", "{{", "<img", "<script>alert"] {
        let found = page.find(wrong);
        assert!(
            found.is_none() || wrong == "src=" && page.contains("&lt;img src=x&gt;"),
            "{wrong}: {found:?}"
        );
    }
    assert_eq!(page.matches("<script>").count(), 1);
    for part in [
        "33.4k",
        "54.7%",
        "Tokens over time",
        "aws ec2 describe-instances",
        "prefers-color-scheme: dark",
        "<td>psql</td><td>Raw</td>",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert_eq!(page.matches("<g><title>").count(), 10);
    assert_eq!(
        run(&mut sandbox.toto(["gain", "--html", "-"])).ok().out().lines().next(),
        Some("<!DOCTYPE html>")
    );
    let outcome = run(&mut sandbox.toto(["gain", "--html"])).ok();
    assert!(outcome.out().ends_with(".local/share/toto/gain.html\n"), "{}", outcome.out());
}

/// Chromium, where there is one.
fn browser() -> Option<&'static str> {
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .into_iter()
        .find(|path| std::path::Path::new(path).exists())
}

#[test]
fn the_pages_table_sorts_and_filters_in_a_browser() {
    let Some(browser) = browser() else { return };
    let sandbox = sandbox();
    let page = run(&mut sandbox.toto(["gain", "--html", "-"])).ok().out();
    // What a hand would do, and what an eye would see of it.
    let hand = r#"<script>
        const column = number => [...body.rows].filter(row => !row.hidden).map(row => row.cells[number].textContent);
        const seen = [];
        heads[0].querySelector("button").click(); seen.push(column(0).join("/"));
        heads[0].querySelector("button").click(); seen.push(column(0).join("/"), heads[0].getAttribute("aria-sort"));
        heads[3].querySelector("button").click(); seen.push(column(3).join("/"));
        const filter = document.getElementById("filter");
        const type = text => { filter.value = text; filter.dispatchEvent(new Event("input")); };
        type("CLAUDE git"); seen.push(column(0).join("/"));
        type("nothing like it"); seen.push(String(document.getElementById("none").hidden));
        seen.push(getComputedStyle(document.body).backgroundColor);
        document.title = seen.join(";");
    </script></body>"#;
    let path = sandbox.home_file("page.html", page.replace("</body>", hand));
    let mut command = sandbox.command(browser);
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
    ]);
    command.args(["--disable-sync", "--disable-dev-shm-usage", "--dump-dom"]);
    command.arg(format!("--user-data-dir={}", sandbox.root().join("browser").display())).arg(path);
    let dom = run(&mut command).ok().out();
    let title = dom.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next()).unwrap_or(&dom);
    assert_eq!(
        title,
        "aws ec2 describe-instances/git status/psql;psql/git status/aws ec2 describe-instances;descending;30/20/10;\
         git status;false;rgb(246, 247, 245)"
    );
}

/// A `git` whose patch takes three pages of the host `tokens`.
fn reviewed() -> Sandbox {
    let sandbox = pages::sandbox();
    let patch: String = (0..1_800)
        .map(|n| {
            format!("+    let value_{} = compute({}, \"{:x}\");\n", n * 37, n * 7919 % 10_007, n * 65_537)
        })
        .collect();
    sandbox.home_file("patch", format!("diff --git a/a.rs b/a.rs\n@@ -1,0 +1,1800 @@\n{patch}"));
    sandbox.tool("git", "cat \"$HOME/patch\"");
    for name in ["git", "toto"] {
        sandbox.link(name);
    }
    sandbox
}

/// What an agent is given of a line.
fn given(sandbox: &Sandbox, line: &str) -> String {
    String::from_utf8(pages::seen(sandbox, "tokens", &format!("{line}; :"))).unwrap()
}

fn saved(told: &Value) -> i64 {
    told["total"]["saved"].as_i64().unwrap()
}

/// A review (tests/real/work, task `diff`): the agent was given the first page of a patch, and fetched the rest.
#[test]
fn a_patch_that_is_fetched_whole_has_saved_nothing() {
    let sandbox = reviewed();
    let first = given(&sandbox, "git diff");
    let (_, id) = first.split_once("(page 1 of 3; next: toto show ").unwrap_or_else(|| panic!("{first}"));
    let id = id.split_whitespace().next().unwrap();
    let before = told(&sandbox, &[]);
    assert_eq!(before["asked_again"]["calls"], 0);
    let show = |args: &str| {
        llm_toto::tokens::count(given(&sandbox, &format!("toto show {id} {args}")).as_bytes()) as i64
    };
    let pages = show("--page 2") + show("--page 3");
    // A program that reads costs the agent nothing.
    given(&sandbox, &format!("toto show {id} --raw | wc -l"));
    let after = told(&sandbox, &[]);
    let again = &after["asked_again"];
    assert_eq!((again["calls"].as_i64(), again["tokens"].as_i64()), (Some(2), Some(pages)), "{again}");
    assert_eq!((&again["tools"][0]["tool"], again["tools"][0]["calls"].as_i64()), (&"git".into(), Some(2)));
    let a_call = again["tokens_a_call"].as_i64().unwrap();
    assert_eq!(saved(&after), saved(&before) - 2 * a_call);
    assert!(a_call > 0 && saved(&after) <= 0 && after["total"]["runs"] == 1, "{after}");
    // What it had been given already it was given twice.
    let twice = show("--lines 1:40");
    let last = told(&sandbox, &[]);
    assert_eq!(saved(&last), saved(&after) - twice - a_call);
    // Where the output's run is, and nowhere else.
    assert_eq!(groups(&sandbox, &["--by-command"], "command"), [("git diff".to_owned(), saved(&last))]);
    assert_eq!(saved(&told(&sandbox, &["--since", "1h"])), saved(&last));
    let glance = run(&mut sandbox.toto(["gain"])).ok().out();
    assert!(glance.contains("asked again: 3 times, -") && glance.contains("(git 3)"), "{glance}");
}

#[test]
fn a_saved_output_that_is_read_or_searched_as_a_file_is_asked_for_again() {
    let sandbox = reviewed();
    given(&sandbox, "git diff");
    let facts = run(&mut sandbox.toto(["show", "last", "--json"])).ok().out();
    let facts: Value = serde_json::from_str(&facts).unwrap();
    let path = facts["path"].as_str().unwrap();
    for (count, line) in [
        (0, format!("toto read {} --limit 5", sandbox.home().join("patch").display())),
        (1, format!("toto read {path}")),
        (2, format!("toto read {path} --limit 5")),
        (3, format!("toto grep 'value_37 ' {path}")),
        (3, format!("TOTO_LEDGER=off toto read {path} --limit 5")),
    ] {
        assert!(given(&sandbox, &line).contains("value_37 "), "{line}");
        assert_eq!(told(&sandbox, &[])["asked_again"]["calls"], count, "{line}");
    }
}

//! `toto agents`: put in, put in again, taken out; and what an agent's commands then find on PATH.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use proptest::prelude::*;

use crate::harness::{Sandbox, copy_executable, fresh, others_below, run, run_with, spawn};

fn agents(sandbox: &Sandbox, args: &[&str]) -> String {
    run(sandbox.toto(["agents"]).args(args)).ok().out()
}

const SETTINGS: &str = ".claude/settings.json";

#[test]
fn every_byte_comes_back_whatever_the_configurations_were() {
    let homes: [&[(&str, &str)]; 5] = [
        &[],
        &[(SETTINGS, "{}"), (".codex/config.toml", ""), (".config/opencode/opencode.json", "{}\n")],
        &[
            (SETTINGS, "{\n  // mine\n  \"model\": \"opus\", // tail\n  \"hooks\": {}\n}\n"),
            (
                ".codex/config.toml",
                "# mine\r\nmodel = \"x\" # tail\r\n[shell_environment_policy]\r\ninherit = \"all\"",
            ),
        ],
        &[
            (
                SETTINGS,
                "{\"hooks\":{\"SessionStart\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"theirs\"}]}]}}",
            ),
            (".codex/config.toml", "shell_environment_policy = { set = { BASH_ENV = '/theirs' } } # why\n"),
            (".bashrc", "PS1='$ '"),
        ],
        &[(SETTINGS, "\u{feff}{ \"a\": [1,] , }"), (".gemini/settings.json", "not ours to read")],
    ];
    for home in homes {
        let sandbox = fresh();
        for directory in [".claude", ".codex", ".config/opencode", ".gemini"] {
            fs::create_dir_all(sandbox.home().join(directory)).unwrap();
        }
        for (name, text) in home {
            let path = sandbox.home_file(name, text);
            fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
        }
        let before = others_below(&sandbox.home());
        let would = agents(&sandbox, &["setup", "--dry-run"]);
        assert_eq!(others_below(&sandbox.home()), before, "a dry run changes nothing");
        let done = agents(&sandbox, &["setup"]);
        for line in done.lines().filter(|line| line.starts_with("changed ") || line.starts_with("wrote ")) {
            let (verb, path) = line.split_once(' ').unwrap();
            let plain = if verb == "wrote" { "write" } else { "change" };
            assert!(would.contains(&format!("would {plain} {path}\n")), "{line} in {would}");
        }
        let after = others_below(&sandbox.home());
        assert_ne!(after, before);
        assert!(
            agents(&sandbox, &["setup"])
                .starts_with("already set up: Claude Code, Codex CLI, Gemini CLI, OpenCode")
        );
        assert_eq!(others_below(&sandbox.home()), after, "a second time changes nothing");
        agents(&sandbox, &["remove"]);
        assert_eq!(others_below(&sandbox.home()), before);
        assert!(!sandbox.toto_home().join("edited").exists());
        agents(&sandbox, &["setup"]);
        run(&mut sandbox.toto(["uninstall"])).ok();
        assert_eq!(others_below(&sandbox.home()), before, "uninstall takes it out too");
    }
}

#[test]
fn each_goes_by_itself_and_start_files_go_with_the_last_that_needs_them() {
    let sandbox = fresh();
    let before = others_below(&sandbox.home());
    agents(&sandbox, &["setup", "claude", "gemini", "qwen"]);
    agents(&sandbox, &["remove", "gemini"]);
    assert!(sandbox.home().join(".bashrc").exists());
    agents(&sandbox, &["remove", "qwen"]);
    assert!(!sandbox.home().join(".bashrc").exists());
    assert!(sandbox.home().join(SETTINGS).exists());
    agents(&sandbox, &["remove", "claude"]);
    assert_eq!(others_below(&sandbox.home()), before, "missing directories were made, and are gone again");

    agents(&sandbox, &["setup", "qwen"]);
    run(&mut sandbox.toto(["setup", "aws"])).ok();
    agents(&sandbox, &["remove", "qwen"]);
    let set_up = others_below(&sandbox.home());
    agents(&sandbox, &["setup", "gemini"]);
    agents(&sandbox, &["remove", "gemini"]);
    assert_eq!(others_below(&sandbox.home()), set_up, "start files that toto setup wrote stay");
}

/// What may lie in a home directory: files with a text, and directories with nothing in them.
const MAY_LIE_THERE: [(&str, Option<&str>); 13] = [
    (".claude", None),
    (SETTINGS, Some("")),
    (SETTINGS, Some("{\n\t\"hooks\": { \"PreCompact\": [] } // theirs\n}")),
    (".codex", None),
    (".codex/config.toml", Some("[shell_environment_policy]\nset = { A = '1' }\n")),
    (".config", None),
    (".config/fish/conf.d", None),
    (".config/opencode/plugins", None),
    (".config/opencode/opencode.jsonc", Some("// nothing\n")),
    (".bashrc", Some("")),
    (".profile", Some("PATH=/x:$PATH")),
    (".copilot/hooks", None),
    (".cursor/hooks.json", Some("{\"version\": 1}")),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_lay_there_and_in_whatever_order_nothing_is_left(
        there in prop::sample::subsequence(MAY_LIE_THERE.to_vec(), 0..=13),
        names in Just(vec!["claude", "codex", "opencode", "gemini", "copilot", "cursor"]).prop_shuffle(),
        count in 1..=4_usize,
        leave in any::<prop::sample::Index>(),
    ) {
        let sandbox = fresh();
        for (path, text) in there {
            match text {
                Some(text) => drop(sandbox.home_file(path, text)),
                None => fs::create_dir_all(sandbox.home().join(path)).unwrap(),
            }
        }
        let before = others_below(&sandbox.home());
        let mut names = names[..count].to_vec();
        let hook = |verb: &str, name: &str| {
            if !["gemini", "opencode", "copilot", "cursor"].contains(&name) {
                return;
            }
            run(&mut sandbox.toto(["hook", verb, "--agent", name])).ok();
        };
        for name in &names {
            agents(&sandbox, &["setup", name]);
            hook("install", name);
        }
        let done = others_below(&sandbox.home());
        for name in &names {
            agents(&sandbox, &["setup", name]);
            hook("install", name);
        }
        prop_assert_eq!(others_below(&sandbox.home()), done);
        names.rotate_left(leave.index(count));
        for name in &names {
            agents(&sandbox, &["remove", name]);
            hook("remove", name);
        }
        prop_assert_eq!(others_below(&sandbox.home()), before);
        prop_assert!(!sandbox.toto_home().join("made").exists());
    }
}

#[test]
fn only_ours_goes_when_the_user_has_edited_the_file_meanwhile() {
    let sandbox = fresh();
    let settings = sandbox.home_file(SETTINGS, "{\n  \"model\": \"opus\"\n}\n");
    let config = sandbox.home_file(".codex/config.toml", "model = \"x\"\n");
    agents(&sandbox, &["setup", "claude", "codex"]);
    let text = fs::read_to_string(&settings)
        .unwrap()
        .replace("\"opus\"", "\"haiku\", // cheaper\n  \"theme\": \"dark\"");
    fs::write(&settings, text).unwrap();
    fs::write(&config, fs::read_to_string(&config).unwrap() + "\n# note\n[tui]\nx = 1\n").unwrap();
    assert!(agents(&sandbox, &["setup", "claude"]).starts_with("already set up"));
    agents(&sandbox, &["remove", "claude", "codex"]);
    let expected = "{\n  \"model\": \"haiku\", // cheaper\n  \"theme\": \"dark\"\n}\n";
    assert_eq!(fs::read_to_string(&settings).unwrap(), expected);
    assert_eq!(fs::read_to_string(&config).unwrap(), "model = \"x\"\n\n# note\n[tui]\nx = 1\n");
}

#[test]
fn links_stay_links_and_modes_stay() {
    let sandbox = fresh();
    let dotfile = sandbox.home_file("dotfiles/claude.json", "{}\n");
    fs::set_permissions(&dotfile, fs::Permissions::from_mode(0o640)).unwrap();
    fs::create_dir(sandbox.home().join(".claude")).unwrap();
    symlink("../dotfiles/claude.json", sandbox.home().join(SETTINGS)).unwrap();
    let before = others_below(&sandbox.home());
    agents(&sandbox, &["setup", "claude"]);
    assert!(sandbox.home().join(SETTINGS).is_symlink());
    assert!(fs::read_to_string(&dotfile).unwrap().contains("SessionStart"));
    assert_eq!(dotfile.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    agents(&sandbox, &["remove", "claude"]);
    assert_eq!(others_below(&sandbox.home()), before);
}

#[test]
fn a_file_that_does_not_parse_is_left_alone_and_the_others_are_done() {
    let sandbox = fresh();
    let broken = "{\n  \"model\": \"opus\"\n  \"theme\": 1\n}\n";
    let settings = sandbox.home_file(SETTINGS, broken);
    let outcome = run(&mut sandbox.toto(["agents", "setup", "claude", "codex"])).exits(1);
    let expected =
        format!("toto: claude: {}:2:18: Expected comma; the file is left alone\n", settings.display());
    assert_eq!(outcome.err(), expected);
    assert_eq!(fs::read_to_string(&settings).unwrap(), broken);
    assert!(sandbox.home().join(".codex/config.toml").exists());
    let list = run(&mut sandbox.toto(["agents"])).ok().out();
    assert!(list.contains("cannot be read") && list.contains(":2:18: Expected comma"), "{list}");
    let doctor = run(&mut sandbox.toto(["doctor"])).exits(1).out();
    assert!(doctor.contains("Claude Code: ") && doctor.contains(":2:18: Expected comma"), "{doctor}");
}

/// The message of the file system was once given twice, joined by a colon.
#[test]
fn a_file_that_cannot_be_read_is_named_once() {
    let sandbox = fresh();
    let settings = sandbox.home().join(SETTINGS);
    fs::create_dir_all(&settings).unwrap();
    let said = run(&mut sandbox.toto(["agents", "setup", "claude"])).exits(1).err();
    let listed = run(&mut sandbox.toto(["agents"])).ok().out();
    for text in [said, listed] {
        assert_eq!(text.matches(settings.to_str().unwrap()).count(), 1, "{text}");
    }
}

#[test]
fn a_project_has_settings_of_its_own() {
    let sandbox = fresh();
    agents(&sandbox, &["setup", "claude", "opencode", "--project"]);
    assert!(sandbox.work().join(".claude/settings.local.json").exists());
    assert!(sandbox.work().join(".opencode/plugins/toto.js").exists());
    assert!(!sandbox.home().join(".claude").exists() && !sandbox.home().join(".bashrc").exists());
    let outcome = run(&mut sandbox.toto(["agents", "setup", "gemini", "--project"])).ok();
    assert_eq!(outcome.err(), "toto: gemini: has no settings of its own for a project\n");
    let own = "id = 'mine'\ntitle = 'Mine'\n[process]\nnames = ['mine']\n[setup]\nprograms = ['mine']\n";
    sandbox.home_file(".config/toto/agents/mine.toml", own);
    let outcome = run(&mut sandbox.toto(["agents", "setup", "mine"])).ok();
    assert_eq!(outcome.err(), "toto: mine: has no place to set it up\n");
    agents(&sandbox, &["remove", "claude", "opencode", "--project"]);
    assert_eq!(fs::read_dir(sandbox.work()).unwrap().count(), 0);
}

#[test]
fn an_unknown_name_is_refused_with_the_nearest() {
    let sandbox = fresh();
    let outcome = run(&mut sandbox.toto(["agents", "setup", "cladue"])).exits(2);
    assert_eq!(outcome.err(), "toto: cladue: no such agent; did you mean claude?\n");
}

#[test]
fn the_hook_puts_the_farm_first_for_the_shell_that_runs_it() {
    let sandbox = fresh();
    run(&mut sandbox.toto(["setup", "aws", "--no-modify-path"])).ok();
    agents(&sandbox, &["setup", "claude"]);
    let settings: serde_json::Value =
        serde_json::from_slice(&fs::read(sandbox.home().join(SETTINGS)).unwrap()).unwrap();
    let hook = settings["hooks"]["SessionStart"][0]["hooks"][0]["command"].as_str().unwrap();
    let env_file = sandbox.work().join("env file");
    for _ in 0..2 {
        run(sandbox.shell("sh", hook).env("CLAUDE_ENV_FILE", &env_file)).ok();
    }
    let script = fs::read_to_string(&env_file).unwrap();
    assert_eq!(script.lines().count(), 1, "a resumed session does not add to it: {script}");
    let outcome = run(&mut sandbox.shell("bash", &format!("{script} command -v aws"))).ok();
    assert_eq!(outcome.out(), format!("{}\n", sandbox.farm().join("aws").display()));
    let without = run(&mut sandbox.shell("sh", hook)).ok();
    assert_eq!(
        (without.out(), without.err()),
        (String::new(), String::new()),
        "a version without the variable"
    );
}

#[test]
fn doctor_asks_in_each_agents_own_shell() {
    let sandbox = fresh();
    for directory in [".claude", ".codex", ".config/opencode", ".gemini"] {
        fs::create_dir_all(sandbox.home().join(directory)).unwrap();
    }
    run(&mut sandbox.toto(["setup", "aws", "--no-modify-path"])).ok();
    let doctor = || run(sandbox.toto(["doctor"]).env("SHELL", "/bin/bash")).exits(1).out();
    let titles = ["Claude Code", "Codex CLI", "OpenCode", "Gemini CLI"];
    let text = doctor();
    for title in titles {
        assert!(text.contains(&format!("broken   {title}'s commands: the farm is not on PATH\n")), "{text}");
    }
    agents(&sandbox, &["setup", "claude", "codex", "opencode"]);
    let text = doctor();
    for title in &titles[..3] {
        assert!(
            text.contains(&format!("ok       {title}'s commands: the farm is first on PATH\n")),
            "{text}"
        );
    }
    assert!(text.contains("fix: toto agents setup gemini\n"), "{text}");
    // A tool without a link: in the shells that read our file, and in no other.
    run(&mut sandbox.toto(["setup", "aws", "mypy"])).ok();
    let text = doctor();
    for title in &titles[..3] {
        assert!(
            text.contains(&format!("ok       {title}'s commands: the farm is first on PATH\n")),
            "{text}"
        );
    }
    assert!(
        text.contains("Gemini CLI's commands: the farm is first on PATH; its shell has no word for mypy\n"),
        "{text}"
    );
}

#[test]
fn a_process_from_before_the_setup_is_named() {
    let sandbox = fresh();
    fs::create_dir_all(sandbox.home().join(".gemini")).unwrap();
    let agent = sandbox.root().join("gemini");
    copy_executable(Path::new("/bin/sleep"), &agent);
    let mut old = spawn(sandbox.command(&agent).arg("30"));
    let old_id = old.id();
    agents(&sandbox, &["setup", "gemini"]);
    // Other processes of that name may be running here, of which the environment does not tell whose they are.
    let named = |text: &str| {
        let line = text.lines().find(|line| line.contains("Gemini CLI: process")).unwrap_or_default();
        let ours = old_id.to_string();
        line.ends_with(" started before the farm was on PATH")
            && line.split([' ', ',']).any(|word| word == ours)
    };
    let text = run(&mut sandbox.toto(["doctor"])).out();
    let _ = old.kill();
    let _ = old.wait();
    assert!(named(&text), "{text}");
    assert!(!named(&run(&mut sandbox.toto(["doctor"])).out()));
}

#[test]
fn the_note_before_compaction_names_this_sessions_outputs() {
    let sandbox = fresh();
    let input = |session: &str| format!("{{\"session_id\":\"{session}\",\"trigger\":\"auto\"}}");
    let note =
        |session: &str| run_with(&mut sandbox.toto(["agents", "note"]), input(session).as_bytes()).ok().out();
    assert_eq!(note("s1"), "");
    let rows: String = (0..500).map(|n| format!("row {n} {}\n", "x".repeat(n % 7))).collect();
    sandbox.tool("lots", &format!("cat <<'EOF'\n{rows}EOF"));
    run(sandbox.toto(["run", "--threshold", "100", "--session", "s1", "lots"]).env("TOTO", "on")).ok();
    let text = note("s1");
    assert!(text.contains("- toto show ") && text.contains(": lots (500 lines), in "), "{text}");
    assert_eq!(note("s2"), "");
    let id = text.split("- toto show ").nth(1).unwrap().split(':').next().unwrap();
    assert_eq!(run(&mut sandbox.toto(["show", id, "--session", "s1", "--raw"])).ok().out(), rows);
    let garbage = run_with(&mut sandbox.toto(["agents", "note"]), b"not json").ok();
    assert_eq!((garbage.out(), garbage.err()), (String::new(), String::new()));
}

#[test]
fn the_plugin_has_the_hooks_of_the_setup() {
    let sandbox = fresh();
    agents(&sandbox, &["plugin", "claude", "plugin"]);
    let read = |path: &str| -> serde_json::Value {
        serde_json::from_slice(&fs::read(sandbox.work().join("plugin").join(path)).unwrap()).unwrap()
    };
    assert_eq!(read(".claude-plugin/plugin.json")["name"], "toto");
    assert_eq!(read(".claude-plugin/marketplace.json")["plugins"][0]["source"], "./");
    agents(&sandbox, &["setup", "claude"]);
    let settings: serde_json::Value =
        serde_json::from_slice(&fs::read(sandbox.home().join(SETTINGS)).unwrap()).unwrap();
    assert_eq!(read("hooks/hooks.json")["hooks"], settings["hooks"]);
}

#[test]
fn users_describe_agents_of_their_own() {
    let sandbox = fresh();
    let own = "id = 'mine'\ntitle = 'My agent'\n[process]\nnames = ['mine']\n[setup]\nprograms = ['mine']\nstart_files = true\n";
    sandbox.home_file(".config/toto/agents/mine.toml", own);
    sandbox.tool("mine", "");
    let list = agents(&sandbox, &[]);
    assert!(list.contains("mine") && list.contains("tools/mine"), "{list}");
    sandbox.home_file(".config/toto/agents/wrong.toml", "id = 'wrong'\ntitle = 'x'\nproces = 1\n");
    let doctor = run(&mut sandbox.toto(["doctor"])).exits(1).out();
    assert!(
        doctor.contains("agents/wrong.toml:3:1: unknown key `proces`; did you mean `process`?"),
        "{doctor}"
    );
}

#[test]
fn a_file_that_stood_in_bash_env_is_read_first() {
    let sandbox = fresh();
    let theirs = sandbox.home_file("their env", "THEIRS=read\nexport PATH=/theirs:$PATH\n");
    let config = sandbox.home_file(
        ".codex/config.toml",
        format!("[shell_environment_policy]\nset = {{ BASH_ENV = '{}' }}\n", theirs.display()),
    );
    let before = fs::read_to_string(&config).unwrap();
    agents(&sandbox, &["setup", "codex"]);
    agents(&sandbox, &["setup", "codex"]);
    let text: toml::Table = fs::read_to_string(&config).unwrap().parse().unwrap();
    let set = text["shell_environment_policy"]["set"].as_table().unwrap();
    assert_eq!(set["TOTO_BASH_ENV"].as_str(), theirs.to_str());
    let mut bash = sandbox.shell("bash", "echo $THEIRS $PATH");
    for (name, value) in set {
        bash.env(name, value.as_str().unwrap());
    }
    let out = run(&mut bash).ok().out();
    assert!(out.starts_with(&format!("read {}:/theirs:", sandbox.farm().display())), "{out}");
    agents(&sandbox, &["remove", "codex"]);
    assert_eq!(fs::read_to_string(&config).unwrap(), before);
}

#[test]
fn a_home_directory_of_the_name_toto_does_not_keep_the_farm_off_path() {
    let sandbox = fresh();
    agents(&sandbox, &["setup", "claude"]);
    let settings: serde_json::Value =
        serde_json::from_slice(&fs::read(sandbox.home().join(SETTINGS)).unwrap()).unwrap();
    let hook = settings["hooks"]["SessionStart"][0]["hooks"][0]["command"].as_str().unwrap();
    let file = sandbox.home_file("env file", "export NVM_DIR=/home/toto/.nvm\n");
    for _ in 0..2 {
        run(sandbox.shell("sh", hook).env("CLAUDE_ENV_FILE", &file)).ok();
    }
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.matches("agent.sh ]; then").count(), 1, "once, and once only: {text}");
    let out = run(&mut sandbox.shell("bash", &format!("{text}echo $PATH"))).ok().out();
    assert!(out.starts_with(sandbox.farm().to_str().unwrap()), "{out}");
}

//! Our scripts where the system's tools are BSD's, as on macOS: fakes that refuse what those do not know. The start files need
//! none at all.

use std::fs;
use std::path::PathBuf;

use crate::harness::{Sandbox, executable, installed, run, toto_binary};

/// Tools, and the arguments (as patterns of the shell's) that BSD's refuse; `*` is a tool that is not there.
const REFUSED: &[(&str, &str)] = &[
    ("stat", "-c* | -Lc* | --*"),
    ("sed", "-r* | -i | -s | -z | --*"),
    ("readlink", "-e* | -f* | -m* | --*"),
    ("grep", "-*P* | --*"),
    ("date", "*%N* | -d* | --*"),
    ("head", "-n-* | -[!n]* | --*"),
    ("tail", "--*"),
    ("xargs", "-r* | -d* | -a* | --*"),
    ("mktemp", "-p* | --*"),
    ("ln", "-r* | -t* | --*"),
    ("cp", "-t* | --*"),
    ("dirname", "--*"),
    ("realpath", "*"),
    ("timeout", "*"),
    ("nproc", "*"),
    ("sha256sum", "*"),
];

/// Puts the fakes in front of the sandbox's PATH.
fn with_bsd_tools() -> (Sandbox, PathBuf) {
    let mut sandbox = Sandbox::new();
    let fakes = sandbox.root().join("bsd");
    for (name, refused) in REFUSED {
        executable(
            &fakes.join(name),
            &format!(
                "#!/bin/sh\nfor word; do case $word in {refused}) echo \"{name}: illegal option: $word\" >&2; exit 64 ;; esac; done\n\
                 PATH=/usr/bin:/bin exec {name} \"$@\"\n"
            ),
        );
    }
    let behind: Vec<PathBuf> = std::env::split_paths(&sandbox.path()).collect();
    sandbox.set_path([fakes.clone()].into_iter().chain(behind));
    (sandbox, fakes)
}

#[test]
fn the_fakes_refuse_what_is_gnus() {
    let (sandbox, _) = with_bsd_tools();
    for line in
        ["stat -Lc %d:%i /", "sed -r s/a/b/ /dev/null", "readlink -f /", "date +%s%N", "head -n-1 /dev/null"]
    {
        run(&mut sandbox.shell("sh", line)).exits(64);
    }
    run(&mut sandbox.shell("sh", "sed -n 1p /dev/null; readlink /proc/self/exe")).ok();
}

#[test]
fn start_files_need_no_program_but_the_shell() {
    let sandbox = Sandbox::new();
    run(&mut sandbox.toto(["setup", "--no-modify-path", "aws"])).ok();
    let home = sandbox.toto_home();
    for shell in ["sh", "dash", "bash", "zsh", "mksh", "fish"].into_iter().filter(|shell| installed(shell)) {
        let lines = match shell {
            "fish" => format!(
                "set -x PATH /nowhere; source {}; string join : $PATH",
                home.join("env.fish").display()
            ),
            _ => format!(
                "PATH=/nowhere; . {}; . {}; . {0}; echo \"$PATH\"",
                home.join("env").display(),
                home.join("agent.sh").display()
            ),
        };
        let outcome = run(&mut sandbox.shell(shell, &lines)).ok();
        let farm = sandbox.farm();
        assert_eq!(outcome.out(), format!("{}:/nowhere\n", farm.display()), "{shell}");
        assert_eq!(outcome.err(), "", "{shell}");
    }
}

#[test]
fn install_sh_and_the_hook_of_the_env_file_work_with_bsds_tools() {
    let (sandbox, fakes) = with_bsd_tools();
    let message = format!(r#"{{"reason":"compiler-artifact","executable":"{}"}}"#, toto_binary().display());
    executable(
        &fakes.join("cargo"),
        &format!("#!/bin/sh\necho '{message}'\necho '{{\"reason\":\"build-finished\"}}'\n"),
    );
    sandbox.tool("aws", "");
    let install = concat!(env!("CARGO_MANIFEST_DIR"), "/install.sh");
    let outcome = run(sandbox.command(install).args(["aws", "--dry-run", "--no-modify-path"])).ok();
    assert!(outcome.out().contains("aws") && outcome.err().is_empty(), "{}{}", outcome.out(), outcome.err());

    run(&mut sandbox.toto(["setup", "aws", "--no-modify-path"])).ok();
    run(&mut sandbox.toto(["agents", "setup", "claude"])).ok();
    let settings = fs::read_to_string(sandbox.home().join(".claude/settings.json")).unwrap();
    let settings: serde_json::Value = serde_json::from_str(&settings).unwrap();
    let hooks = settings["hooks"]["SessionStart"].as_array().unwrap().iter();
    let mut commands = hooks.filter_map(|entry| entry["hooks"][0]["command"].as_str());
    let hook = commands.find(|command| command.contains("CLAUDE_ENV_FILE")).unwrap();
    let file = sandbox.root().join("env-file");
    for _ in 0..2 {
        let outcome = run(sandbox.shell("sh", hook).env("CLAUDE_ENV_FILE", &file)).ok();
        assert_eq!(outcome.err(), "");
    }
    assert_eq!(fs::read_to_string(file).unwrap().lines().count(), 1, "{hook}");
}

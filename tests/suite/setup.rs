//! `toto setup`, `toto uninstall`, `toto doctor` and the `env` files, in real shells.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use crate::harness::{Sandbox, contents, copy_executable, files_below, fresh, installed, run, toto_binary};

/// The shape that most distributions ship: nothing below the guard is reached unless the shell is interactive.
const BASHRC: &str = "# for bash\ncase $- in\n    *i*) ;;\n      *) return;;\nesac\nPS1='$ '\n";
/// Likewise: reads .bashrc under bash, then puts directories of the user's in front.
const PROFILE: &str =
    "if [ -n \"$BASH_VERSION\" ]; then\n    . \"$HOME/.bashrc\"\nfi\nPATH=\"$HOME/bin:$PATH\"\n";

/// Every file below the home directory.
fn files(sandbox: &Sandbox) -> BTreeMap<String, (Vec<u8>, u32)> {
    contents(files_below(&sandbox.home()))
}

fn setup(sandbox: &Sandbox, args: &[&str]) -> String {
    run(sandbox.toto(["setup"]).args(args)).ok().out()
}

/// The directory that comes first on the shell's PATH, and what it takes `aws` for.
fn first_and_aws(command: &mut Command, fish: bool) -> (String, String) {
    let script = if fish {
        "echo \"@$PATH[1]\"; echo \"@\"(command -s aws)"
    } else {
        "echo \"@${PATH%%:*}\"; echo \"@$(command -v aws)\""
    };
    let out = run(command.args(["-c", script])).out();
    let mut lines = out.lines().filter_map(|line| line.strip_prefix('@').map(Into::into));
    (lines.next().unwrap_or_default(), lines.next().unwrap_or_default())
}

/// The command that starts this shell without our terminal, so that interactive ones leave it alone.
fn shell(sandbox: &Sandbox, name: &str, options: &[&str]) -> Command {
    let mut command = sandbox.command("setsid");
    command.args(["-w", name]).args(options);
    command
}

#[test]
fn every_shell_has_the_farm_first_whatever_its_start_files_do() {
    let sandbox = fresh();
    let before = format!("export PATH={}:$PATH\n", sandbox.tools().display());
    sandbox.home_file(".bashrc", format!("{BASHRC}{before}"));
    sandbox.home_file(".profile", format!("PATH=/usr/bin:/bin; {before}{PROFILE}{before}"));
    sandbox.home_file(".zshrc", &before);
    sandbox.home_file(
        ".config/fish/config.fish",
        format!("fish_add_path --path {}\n", sandbox.tools().display()),
    );
    setup(&sandbox, &["aws"]);
    let cases: [(&str, &[&[&str]]); 6] = [
        ("bash", &[&["-l"], &["-i"], &["-l", "-i"]]),
        ("zsh", &[&[], &["-l"], &["-i"], &["-l", "-i"]]),
        ("fish", &[&[], &["-l"], &["-i"]]),
        ("dash", &[&["-l"]]),
        ("sh", &[&["-l"]]),
        ("mksh", &[&["-l"]]),
    ];
    let farm = sandbox.farm();
    let expected = (farm.display().to_string(), farm.join("aws").display().to_string());
    for (name, modes) in cases {
        for options in modes.iter().filter(|_| installed(name)) {
            let seen = first_and_aws(&mut shell(&sandbox, name, options), name == "fish");
            assert_eq!(seen, expected, "{name} {options:?}");
        }
    }
    let through_profile = run(&mut shell(&sandbox, "bash", &["-lc", "aws"])).ok();
    assert_eq!(through_profile.out(), "real\n");
}

#[test]
fn bashrc_puts_the_farm_first_above_its_interactive_guard() {
    let sandbox = fresh();
    sandbox.home_file(".bashrc", BASHRC);
    setup(&sandbox, &["aws"]);
    let outcome = run(&mut sandbox.shell("bash", ". ~/.bashrc; command -v aws")).ok();
    assert_eq!(outcome.out(), format!("{}\n", sandbox.farm().join("aws").display()));
}

#[test]
fn twice_changes_nothing_and_uninstall_restores_every_byte() {
    let homes: [&[(&str, &str)]; 5] = [
        &[],
        &[(".bashrc", BASHRC), (".profile", PROFILE)],
        &[
            (".bash_profile", ". ~/.bashrc"),
            (".bashrc", ""),
            (".zshrc", "autoload -U compinit"),
            (".zshenv", "\n\n"),
        ],
        &[
            (".bash_login", "x=1\r\n"),
            (".config/fish/config.fish", "set x 1"),
            (".config/fish/conf.d/a.fish", ""),
        ],
        &[(".profile", "#!/bin/sh"), (".zprofile", "# caf\u{e9}"), (".config/toto-not-ours", "")],
    ];
    for home in homes {
        let sandbox = fresh();
        for (name, text) in home {
            let path = sandbox.home_file(name, text);
            fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
        }
        let before = files(&sandbox);
        let would = run(&mut sandbox.toto(["setup", "aws", "mypy", "--dry-run"])).ok().out();
        assert_eq!(files(&sandbox), before, "a dry run changes nothing");
        setup(&sandbox, &["aws", "mypy"]);
        let after = files(&sandbox);
        // Directories that were missing, links behind the words of an agent's shell, and files that are told of together.
        let is_note = |name: &str| {
            ["/.toto/made", "/.toto/words/", "/.toto/share/"].iter().any(|part| name.contains(part))
        };
        let changed = after.iter().filter(|(name, file)| before.get(*name) != Some(file) && !is_note(name));
        let changed = changed.count();
        let told = would.lines().filter(|line| !line.contains("/.toto/share")).count();
        assert_eq!(told, changed, "the dry run told of every change: {would}");
        assert_eq!(setup(&sandbox, &["aws", "mypy"]), "nothing to change\n");
        assert_eq!(files(&sandbox), after);
        run(&mut sandbox.toto(["uninstall", "--dry-run"])).ok();
        assert_eq!(files(&sandbox), after);
        run(&mut sandbox.toto(["uninstall"])).ok();
        assert_eq!(files(&sandbox), before);
        assert_eq!(run(&mut sandbox.toto(["uninstall"])).ok().out(), "nothing to remove\n");
    }
}

#[test]
fn start_files_that_are_links_are_written_through() {
    let sandbox = fresh();
    let dotfile = sandbox.home_file("dotfiles/bashrc", BASHRC);
    symlink("dotfiles/bashrc", sandbox.home().join(".bashrc")).unwrap();
    symlink("dotfiles/none", sandbox.home().join(".profile")).unwrap();
    let before = files(&sandbox);
    setup(&sandbox, &["aws"]);
    assert!(fs::read_to_string(&dotfile).unwrap().contains("# toto setup"));
    assert!(sandbox.home().join(".bashrc").is_symlink());
    assert!(fs::read_to_string(sandbox.home().join("dotfiles/none")).unwrap().contains("# toto setup"));
    run(&mut sandbox.toto(["uninstall"])).ok();
    assert_eq!(files(&sandbox), before);
}

#[test]
fn a_hard_linked_start_file_stays_linked() {
    let sandbox = fresh();
    let file = sandbox.home_file(".bashrc", "x=1\n");
    fs::hard_link(&file, sandbox.home().join("same")).unwrap();
    setup(&sandbox, &["aws"]);
    assert_eq!(fs::read(&file).unwrap(), fs::read(sandbox.home().join("same")).unwrap());
}

#[test]
fn without_names_the_well_known_tools_are_linked_and_told() {
    let sandbox = fresh();
    let out = setup(&sandbox, &["--no-modify-path", "--yes"]);
    assert!(out.contains(&format!("linked {}\n", sandbox.farm().join("aws").display())), "{out}");
    assert!(!sandbox.home().join(".profile").exists());
    let version = run(sandbox.command(sandbox.farm().join("toto")).arg("--version")).ok();
    assert!(version.out().starts_with("toto "), "{}", version.out());
}

#[test]
fn a_refused_name_is_told_and_the_others_are_linked() {
    let sandbox = fresh();
    let outcome = run(&mut sandbox.toto(["setup", "bash", "aws"])).exits(1);
    assert_eq!(outcome.err().lines().count(), 1);
    assert!(sandbox.farm().join("aws").is_symlink() && !sandbox.farm().join("bash").exists());
}

#[test]
fn another_home_for_toto_and_names_with_blanks_and_quotes() {
    let sandbox = fresh();
    let home = sandbox.root().join("it's a home");
    run(sandbox.toto(["setup", "aws"]).env("TOTO_HOME", &home)).ok();
    for name in ["bash", "zsh", "fish", "dash"].into_iter().filter(|name| installed(name)) {
        let seen = first_and_aws(&mut shell(&sandbox, name, &["-l"]), name == "fish");
        assert_eq!(seen.0, home.join("bin").display().to_string(), "{name}");
    }
}

#[test]
fn zsh_with_a_directory_of_its_own() {
    if !installed("zsh") {
        return;
    }
    let sandbox = fresh();
    sandbox.home_file(".zshenv", "ZDOTDIR=~/.config/zsh\n");
    sandbox.home_file(".config/zsh/.zshrc", format!("path=({} $path)\n", sandbox.tools().display()));
    let before = files(&sandbox);
    setup(&sandbox, &["aws"]);
    for options in [&["-i"][..], &["-l"], &["-l", "-i"], &[]] {
        let seen = first_and_aws(&mut shell(&sandbox, "zsh", options), false);
        assert_eq!(seen.0, sandbox.farm().display().to_string(), "{options:?}");
    }
    run(&mut sandbox.toto(["uninstall"])).ok();
    assert_eq!(files(&sandbox), before);
}

#[test]
fn the_env_file_keeps_path_as_it_was_but_for_the_farm() {
    let sandbox = fresh();
    setup(&sandbox, &["--no-modify-path", "aws"]);
    let farm = sandbox.farm().display().to_string();
    let cases = [
        ("/a:/b".to_string(), format!("{farm}:/a:/b")),
        (format!("{farm}:/a"), format!("{farm}:/a")),
        (format!("/a:{farm}:/b:{farm}"), format!("{farm}:/a:/b")),
        (":/a".into(), format!("{farm}::/a")),
        ("/a:".into(), format!("{farm}:/a:")),
        (format!("/a::{farm}"), format!("{farm}:/a:")),
        (format!("{farm}x:/a b"), format!("{farm}:{farm}x:/a b")),
    ];
    for shell in ["bash", "dash", "zsh", "busybox"].into_iter().filter(|name| installed(name)) {
        for (path, expected) in &cases {
            let script = "set -eu; PATH=$1; . ~/.toto/env; . ~/.toto/env; echo \"$PATH\"";
            let mut command = sandbox.command(shell);
            command.args((shell == "busybox").then_some("sh")).args(["-c", script, "_", path]);
            assert_eq!(run(&mut command).ok().out(), format!("{expected}\n"), "{shell}: PATH={path}");
        }
    }
}

#[test]
fn foreign_files_in_the_farm_survive_uninstall() {
    let sandbox = fresh();
    setup(&sandbox, &["aws"]);
    let script = sandbox.script("home/.toto/bin/mine", "#!/bin/sh\n");
    let out = run(&mut sandbox.toto(["uninstall"])).ok().out();
    assert!(out.contains(&format!("left {}", script.display())), "{out}");
    assert!(script.exists() && !sandbox.farm().join("aws").is_symlink());
}

#[test]
fn uninstall_removes_saved_outputs_unless_told_to_keep_them() {
    let sandbox = fresh();
    let kept = [
        sandbox.home_file(".local/state/toto/outputs/x", "saved"),
        sandbox.home_file(".local/state/toto/told/x", ""),
        sandbox.home_file(".local/share/toto/gain.html", "a page of toto gain --html"),
        sandbox.home_file(".local/share/toto/trusted", "pins of projects' filters"),
        sandbox.home_file(".local/share/toto/packs/p/filters/x.toml", "command = \"x\"\n"),
    ];
    run(&mut sandbox.toto(["uninstall", "--keep-data"])).ok();
    assert!(kept.iter().all(|file| file.exists()));
    run(&mut sandbox.toto(["uninstall"])).ok();
    for place in [".local/state/toto", ".local/share/toto"] {
        assert!(!sandbox.home().join(place).exists(), "{place}");
    }
}

#[test]
fn uninstall_keeps_what_the_user_wrote_and_what_is_not_ours() {
    let sandbox = fresh();
    setup(&sandbox, &["aws"]);
    let written =
        [".config/toto/filters/q.toml", ".config/toto/config.toml"].map(|at| sandbox.home_file(at, ""));
    let foreign = [".config/toto/NOTES", ".local/share/toto/NOTES"].map(|at| sandbox.home_file(at, "mine"));
    let ours = [".local/share/toto/ledger.db-wal", ".local/state/toto/outputs/s/x"]
        .map(|at| sandbox.home_file(at, ""));
    let out = run(&mut sandbox.toto(["uninstall"])).ok().out();
    assert!(written.iter().chain(&foreign).all(|file| file.exists()), "{out}");
    assert!(ours.iter().all(|file| !file.exists()), "{out}");
    assert!(out.contains(&format!("kept {}\n", foreign[0].display())), "{out}");
    let unasked = run(&mut sandbox.toto(["uninstall", "--all"])).exits(2);
    assert!(unasked.err().contains("--yes"), "{}", unasked.err());
    let out = run(&mut sandbox.toto(["uninstall", "--all", "--yes"])).ok().out();
    assert!(written.iter().all(|file| !file.exists()) && foreign.iter().all(|file| file.exists()), "{out}");
}

#[test]
fn what_setup_and_link_tell_helps() {
    let mut sandbox = Sandbox::new();
    // A path is told as the shell takes it.
    let home = sandbox.root().join("with blank");
    fs::create_dir(&home).unwrap();
    let outcome = run(sandbox.toto(["setup", "nosuchtool", "--no-modify-path"]).env("HOME", &home)).ok();
    assert!(outcome.out().contains(&format!(". '{}/.toto/env'", home.display())), "{}", outcome.out());
    assert_eq!(outcome.err(), "toto: nosuchtool: there is no such tool on PATH yet\n");
    // Nobody answers: nothing is linked unasked.
    sandbox.tool("aws", "");
    let outcome = run(sandbox.toto(["setup", "--no-modify-path"]).env("HOME", &home)).ok();
    assert!(outcome.out().contains("\naws "), "{}", outcome.out());
    assert!(outcome.err().contains("toto setup --yes links them all"), "{}", outcome.err());
    assert!(!home.join(".toto/bin/aws").exists());
    run(sandbox.toto(["link", "a\nb"]).env("HOME", &home)).exits(1);
    let out = run(sandbox.toto(["link", "aws"]).env("HOME", &home)).ok().out();
    assert!(out.contains("is not on PATH: toto setup puts it there"), "{out}");
    sandbox.set_path([home.join(".toto/bin"), sandbox.tools()]);
    assert_eq!(run(sandbox.toto(["link", "aws"]).env("HOME", &home)).ok().out(), "aws: already linked\n");
}

#[test]
fn what_cannot_be_written_is_one_clear_line() {
    let sandbox = fresh();
    for command in ["setup", "uninstall", "doctor"] {
        let outcome = run(sandbox.toto([command]).env_remove("HOME")).exits(1);
        let expected = "toto: there is no home directory: HOME is not set to an absolute path\n";
        assert_eq!(outcome.err(), expected, "{command}");
    }
    let outcome = run(sandbox.toto(["setup", "aws"]).env("HOME", "/proc/1")).exits(1);
    assert_eq!(outcome.err().lines().count(), 1, "{}", outcome.err());
    assert!(outcome.err().contains("/proc/1/.toto"), "{}", outcome.err());
}

#[test]
fn doctor_is_content_after_setup_and_names_what_is_broken_with_its_fix() {
    let mut sandbox = fresh();
    setup(&sandbox, &["aws"]);
    let outcome = run(&mut sandbox.toto(["doctor"])).exits(1);
    assert!(outcome.out().contains("this shell: the farm is not on PATH"), "{}", outcome.out());
    assert!(outcome.out().contains("fix: open a new shell, or: . "), "{}", outcome.out());

    let farm = sandbox.farm();
    sandbox.set_path([farm.clone(), sandbox.tools(), "/usr/bin".into(), "/bin".into()]);
    let outcome = run(&mut sandbox.toto(["doctor"])).ok();
    assert!(!outcome.out().contains("broken"), "{}", outcome.out());
    for shell in ["bash, login", "bash, interactive", "bash, -c", "sh, login"] {
        assert!(outcome.out().contains(&format!("{shell}: the farm is first on PATH")), "{}", outcome.out());
    }

    sandbox.tool("gone", "");
    run(&mut sandbox.toto(["link", "gone"])).ok();
    fs::remove_file(sandbox.tools().join("gone")).unwrap();
    symlink("/nowhere/toto", farm.join("stale")).unwrap();
    let state = sandbox.home_file("state", "in the way of the store");
    sandbox.home_file(".bashrc", format!("alias aws='aws --x'\nPATH={}:$PATH\n", sandbox.tools().display()));
    let outcome = run(sandbox.toto(["doctor", "--json"]).env("XDG_STATE_HOME", state)).exits(1);
    let report: serde_json::Value = serde_json::from_slice(&outcome.out).unwrap();
    assert_eq!(report["ok"], false);
    let broken: Vec<_> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|finding| finding["severity"] != "ok")
        .map(|finding| (finding["message"].as_str().unwrap(), finding["fix"].as_str().unwrap_or("-")))
        .collect();
    let has = |message: &str, fix: &str| {
        assert!(broken.iter().any(|(m, f)| m.contains(message) && f.contains(fix)), "{message}: {broken:?}");
    };
    has("gone: not found on PATH", "toto unlink gone");
    has("stale: leads nowhere", "toto link stale");
    has("bash, interactive: the farm is not on PATH", "toto setup");
    has("outputs are saved with temporary files", "a directory that you may write to");
}

#[test]
fn doctor_sees_functions_aliases_other_farms_and_shells_that_hang() {
    let mut sandbox = fresh();
    setup(&sandbox, &["aws"]);
    let shims = sandbox.home().join(".pyenv/shims");
    sandbox.set_path([sandbox.farm(), shims, sandbox.tools(), "/usr/bin".into()]);
    let bashrc = fs::read_to_string(sandbox.home().join(".bashrc")).unwrap();
    sandbox.home_file(".bashrc", format!("{bashrc}aws() {{ command aws \"$@\"; }}\n"));
    sandbox.home_file(".profile", "sleep 60\n");
    let out = run(&mut sandbox.toto(["doctor"])).out();
    assert!(out.contains("bash, interactive: aws is a function, so the shim is not reached"), "{out}");
    assert!(out.contains("sh, login: no answer within 2 s"), "{out}");
    assert!(out.contains("pyenv has shims in "), "{out}");
}

#[test]
fn a_moved_toto_home_still_works() {
    let sandbox = fresh();
    setup(&sandbox, &["aws"]);
    let moved = sandbox.home().join("moved");
    fs::rename(sandbox.toto_home(), &moved).unwrap();
    assert_eq!(run(&mut sandbox.command(moved.join("bin/aws"))).ok().out(), "real\n");
}

#[test]
fn a_newer_binary_takes_the_place_of_the_installed_one() {
    let sandbox = fresh();
    setup(&sandbox, &["aws"]);
    let installed = sandbox.toto_home().join("toto");
    fs::remove_file(&installed).unwrap();
    copy_executable(Path::new("/bin/true"), &installed);
    assert!(setup(&sandbox, &["aws"]).starts_with("installed "));
    assert_eq!(fs::read(&installed).unwrap(), fs::read(toto_binary()).unwrap());
}

/// `.bashrc` may be a link to itself, a directory, or lie on a file system that cannot be written.
#[test]
fn a_start_file_that_cannot_be_changed_stops_neither_setup_nor_uninstall() {
    let sandbox = fresh();
    fs::create_dir(sandbox.home().join(".bashrc")).unwrap();
    let setup = run(&mut sandbox.toto(["setup", "git"])).exits(1);
    assert!(setup.err().contains(".bashrc") && setup.err().contains("--no-modify-path"), "{}", setup.err());
    for line in [".toto/share: manual pages", ".profile"] {
        assert!(setup.out().contains(line), "{line}: {}", setup.out());
    }
    let uninstall = run(&mut sandbox.toto(["uninstall", "-y"])).exits(1);
    assert!(uninstall.err().contains(".bashrc"), "{}", uninstall.err());
    assert!(!sandbox.toto_home().exists() && !sandbox.home().join(".profile").exists());
}

#[test]
fn a_binary_that_may_not_be_executed_is_seen_and_mended() {
    let sandbox = fresh();
    setup(&sandbox, &["git"]);
    let binary = sandbox.toto_home().join("toto");
    fs::set_permissions(&binary, fs::Permissions::from_mode(0o644)).unwrap();
    let doctor = run(&mut sandbox.toto(["doctor"])).exits(1).out();
    assert!(doctor.contains("may not be executed"), "{doctor}");
    assert!(setup(&sandbox, &["git"]).contains("installed"));
    assert!(fs::metadata(binary).unwrap().permissions().mode() & 0o111 != 0);
}

/// Beyond a limit on file sizes writes fail; the commands say so, and leave nothing behind.
#[test]
fn a_limit_on_file_sizes_ends_no_command_without_a_word() {
    let sandbox = fresh();
    let toto = toto_binary().display().to_string();
    let script =
        format!("ulimit -f 1; {toto} gain; echo \"status $?\"; {toto} setup git; echo \"status $?\"");
    let outcome = run(&mut sandbox.shell("bash", &format!("({script}) 2>&1 | cat"))).ok().out();
    assert!(outcome.contains("status 0") && outcome.ends_with("status 1\n"), "{outcome}");
    assert!(outcome.contains("File too large"), "{outcome}");
    let left = files_below(&sandbox.toto_home());
    assert!(!left.iter().any(|path| path.to_string_lossy().contains(".tmp")), "{left:?}");
}

//! Finding the real tool: past ourselves in every disguise, and past other farms that call back.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use crate::harness::{Outcome, Sandbox, copy_executable, executable, installed, run, toto_binary};

/// A sandbox with a shim `tool` and a farm of another kind between it and the tool's directory.
fn with_other_farm(script: &str) -> Sandbox {
    let mut sandbox = Sandbox::new();
    sandbox.link("tool");
    sandbox.tool("tool", "echo \"real $*\"");
    sandbox.script("other/shims/tool", script);
    let other = sandbox.root().join("other/shims");
    sandbox.set_path([sandbox.farm(), other, sandbox.tools(), "/usr/bin".into(), "/bin".into()]);
    sandbox
}

fn call(sandbox: &Sandbox) -> Outcome {
    run(sandbox.command("tool").args(["a", "b"]))
}

#[track_caller]
fn assert_real(sandbox: &Sandbox) {
    let outcome = call(sandbox).ok();
    assert_eq!((outcome.out().as_str(), outcome.err().as_str()), ("real a b\n", ""));
}

fn which(sandbox: &Sandbox, name: &str) -> PathBuf {
    let outcome = run(&mut sandbox.toto(["which", name])).ok();
    outcome.out().trim_end().into()
}

#[test]
fn pyenv_execs_the_name_after_putting_a_version_in_front() {
    let sandbox = with_other_farm("");
    let version = sandbox.script("other/versions/3/tool", "#!/bin/sh\necho \"version 3 $*\"\n");
    let text =
        format!("#!/bin/bash\nexport PATH={}:$PATH\nexec tool \"$@\"\n", version.parent().unwrap().display());
    sandbox.script("other/shims/tool", &text);
    assert_eq!(call(&sandbox).ok().out(), "version 3 a b\n");
}

#[test]
fn pyenvs_system_version_takes_its_shims_away_and_execs_the_name() {
    assert_real(&with_other_farm(
        "#!/bin/bash\nexport PATH=${PATH//$(dirname \"$0\"):/}\nexec tool \"$@\"\n",
    ));
}

#[test]
fn a_farm_that_execs_the_name_with_path_unchanged() {
    assert_real(&with_other_farm("#!/bin/sh\nexec tool \"$@\"\n"));
}

#[test]
fn a_farm_that_execs_through_another_program() {
    assert_real(&with_other_farm("#!/bin/sh\nexec env X=1 tool \"$@\"\n"));
}

#[test]
fn a_farm_that_spawns_a_child() {
    assert_real(&with_other_farm("#!/bin/sh\ntool \"$@\"\nexit $?\n"));
}

#[test]
fn a_farm_that_spawns_a_child_that_spawns_a_child() {
    assert_real(&with_other_farm("#!/bin/sh\nsh -c 'tool \"$@\"; exit $?' sh \"$@\"\nexit $?\n"));
}

#[test]
fn two_farms_one_behind_the_other() {
    let mut sandbox = with_other_farm("#!/bin/sh\ntool \"$@\"; exit $?\n");
    sandbox.script("third/shims/tool", "#!/bin/sh\nexec tool \"$@\"\n");
    let directories = ["other/shims", "third/shims", "tools"].map(|part| sandbox.root().join(part));
    sandbox.set_path([&[sandbox.farm()], &directories[..], &["/usr/bin".into()]].concat());
    assert_real(&sandbox);
}

#[test]
fn a_farm_with_nothing_behind_it_fails_with_126_and_one_line() {
    for script in
        ["exec tool \"$@\"", "tool \"$@\"; exit $?", "sh -c 'tool \"$@\"; exit $?' sh \"$@\"; exit $?"]
    {
        let sandbox = with_other_farm(&format!("#!/bin/sh\necho x >> calls\n{script}\n"));
        fs::remove_file(sandbox.tools().join("tool")).unwrap();
        let outcome = call(&sandbox).exits(126);
        assert!(outcome.err().contains("keeps calling the shim instead of the tool"), "{}", outcome.err());
        assert_eq!(outcome.err().lines().count(), 1, "{}", outcome.err());
        let calls = fs::read_to_string(sandbox.work().join("calls")).unwrap().lines().count();
        assert!((2..=12).contains(&calls), "{script}: {calls} calls");
    }
}

#[test]
fn a_farm_in_an_unknown_directory() {
    for script in ["exec tool \"$@\"", "tool \"$@\"; exit $?"] {
        let mut sandbox = with_other_farm("");
        sandbox.script("unknown/tool", &format!("#!/bin/sh\n{script}\n"));
        let unknown = sandbox.root().join("unknown");
        sandbox.set_path([sandbox.farm(), unknown, sandbox.tools(), "/usr/bin".into()]);
        assert_real(&sandbox);
    }
}

#[test]
fn a_tool_may_call_itself() {
    for call in ["make", "exec make", "sh -c 'make; :'"] {
        let mut sandbox = Sandbox::new();
        sandbox.link("make");
        let body = |times: u8| {
            format!("N=$((${{N-0}}+1)); export N; [ $N -lt {times} ] || {{ echo done $N; exit; }}\n{call}")
        };
        sandbox.tool("make", &body(3));
        sandbox.script("second/make", "#!/bin/sh\necho another make\n");
        let path = vec![sandbox.farm(), sandbox.tools(), sandbox.root().join("second"), "/usr/bin".into()];
        sandbox.set_path(path.clone());
        assert_eq!(run(&mut sandbox.command("make")).ok().out(), "done 3\n", "{call}");
        fs::remove_dir_all(&path[2]).unwrap();
        sandbox.tool("make", &body(9));
        let utilities = sandbox.root().join("utilities");
        fs::create_dir(&utilities).unwrap();
        symlink("/bin/sh", utilities.join("sh")).unwrap();
        sandbox.set_path([sandbox.farm(), sandbox.tools(), utilities]);
        assert_eq!(run(&mut sandbox.command("make")).ok().out(), "done 9\n", "{call}");
        sandbox.tool("make", "[ $1 -lt 40 ] || { echo done; exit; }\nmake $(($1+1))");
        assert_eq!(run(sandbox.command("make").arg("0")).ok().out(), "done\n");
    }
}

#[test]
fn an_agent_started_through_a_shim_leaves_no_trace_on_its_commands() {
    let mut sandbox = Sandbox::new();
    for name in ["npx", "tool"] {
        sandbox.link(name);
        sandbox.script(format!("second/{name}"), "#!/bin/sh\necho second\n");
    }
    sandbox.tool("tool", "echo first");
    sandbox.tool("npx", "[ $# = 0 ] && { echo first; exit; }\ntool; sh -c 'tool; :'; npx; sh -c 'npx; :'");
    let second = sandbox.root().join("second");
    sandbox.set_path([sandbox.farm(), sandbox.tools(), second, "/usr/bin".into()]);
    let outcome = run(sandbox.command("npx").arg("agent")).ok();
    assert_eq!(outcome.out(), "first\n".repeat(4), "err: {}", outcome.err());
}

#[test]
fn a_guard_of_another_process_or_no_guard_at_all_is_ignored() {
    let sandbox = Sandbox::new();
    sandbox.link("tool");
    sandbox.tool("tool", "echo ok");
    for value in ["", "x", "0000000001,0,0,0,0:0,tool", &"9".repeat(70_000), "/////", "0000000001,,,,,"] {
        assert_eq!(run(sandbox.command("tool").env("_TOTO_GUARD", value)).ok().out(), "ok\n");
    }
}

#[test]
fn past_ourselves_as_copy_hard_link_and_chain_of_links() {
    let mut sandbox = Sandbox::new();
    sandbox.link("tool");
    let directories = ["copy", "hard", "chain", "tools"].map(|part| sandbox.root().join(part));
    for directory in &directories {
        fs::create_dir_all(directory).unwrap();
    }
    copy_executable(toto_binary(), &directories[0].join("tool"));
    if fs::hard_link(toto_binary(), directories[1].join("tool")).is_err() {
        copy_executable(toto_binary(), &directories[1].join("tool"));
    }
    symlink("two", directories[2].join("tool")).unwrap();
    symlink("../chain/three", directories[2].join("two")).unwrap();
    symlink(toto_binary(), directories[2].join("three")).unwrap();
    sandbox
        .set_path([&directories[..3], &[sandbox.farm()], &directories[3..], &["/usr/bin".into()]].concat());
    run(&mut sandbox.toto(["which", "tool"])).exits(127);
    assert_eq!(run(&mut sandbox.command("tool")).exits(127).err().lines().count(), 1);
    sandbox.tool("tool", "echo \"real $*\"");
    for directory in &directories {
        let outcome = run(sandbox.command(directory.join("tool")).args(["a", "b"])).ok();
        assert_eq!(outcome.out(), "real a b\n");
    }
    let all = run(&mut sandbox.toto(["which", "--all", "tool"])).ok().out();
    let verdicts: Vec<_> = all.lines().map(|line| line.split_once("  ").unwrap().1.trim()).collect();
    let hard = if verdicts[1] == "toto itself" { "toto itself" } else { "another copy of toto" };
    assert_eq!(verdicts, ["another copy of toto", hard, "toto itself", "in the farm", "runs this"]);
}

#[test]
fn a_copy_of_us_run_as_a_shim_goes_past_the_farm() {
    let mut sandbox = Sandbox::new();
    sandbox.link("tool");
    sandbox.tool("tool", "echo real");
    let copy = sandbox.root().join("copy");
    fs::create_dir(&copy).unwrap();
    copy_executable(toto_binary(), &copy.join("tool"));
    sandbox.set_path([copy, sandbox.farm(), sandbox.tools(), "/usr/bin".into()]);
    assert_eq!(run(&mut sandbox.command("tool")).ok().out(), "real\n");
}

#[test]
fn nothing_in_the_farm_is_ever_the_tool() {
    let mut sandbox = Sandbox::new();
    sandbox.script("home/.toto/bin/tool", "#!/bin/sh\necho wrong\n");
    let alias = sandbox.root().join("alias");
    symlink(sandbox.farm(), &alias).unwrap();
    let slashes = PathBuf::from(format!("{}/", sandbox.farm().display()));
    sandbox.set_path([sandbox.farm(), alias.clone(), slashes, sandbox.tools()]);
    run(&mut sandbox.toto(["which", "tool"])).exits(127);
    sandbox.tool("tool", "echo real");
    assert_eq!(which(&sandbox, "tool"), sandbox.tools().join("tool"));

    let elsewhere = sandbox.root().join("elsewhere");
    sandbox.script("elsewhere/bin/tool", "#!/bin/sh\necho wrong\n");
    sandbox.set_path([elsewhere.join("bin"), sandbox.tools()]);
    let outcome = run(sandbox.toto(["which", "tool"]).env("TOTO_HOME", &elsewhere)).ok();
    assert_eq!(outcome.out(), format!("{}\n", sandbox.tools().join("tool").display()));
}

#[test]
fn the_tool_is_run_by_the_path_it_was_found_by() {
    let mut sandbox = Sandbox::new();
    sandbox.link("tool");
    let real = sandbox.script("store/real", "#!/bin/sh\necho \"$0\"\n");
    let venv = sandbox.root().join("venv/bin");
    fs::create_dir_all(&venv).unwrap();
    symlink(real, venv.join("tool")).unwrap();
    sandbox.set_path([sandbox.farm(), venv.clone(), "/usr/bin".into()]);
    assert_eq!(run(&mut sandbox.command("tool")).ok().out(), format!("{}\n", venv.join("tool").display()));
}

#[test]
fn relative_and_empty_entries_are_the_working_directorys() {
    let sandbox = Sandbox::new();
    let shim = sandbox.link("tool");
    sandbox.script("work/tool", "#!/bin/sh\necho \"here $0\"\n");
    sandbox.script("work/sub/tool", "#!/bin/sh\necho \"sub $0\"\n");
    let farm = sandbox.farm().display().to_string();
    let cases = [
        (format!("{farm}::/usr/bin"), "here ./tool\n"),
        (format!("{farm}:/usr/bin:"), "here ./tool\n"),
        (String::new(), "here ./tool\n"),
        (format!("{farm}:sub:/usr/bin"), "sub sub/tool\n"),
        (format!("{farm}:.:/usr/bin"), "here ./tool\n"),
    ];
    for (path, expected) in cases {
        let outcome = run(sandbox.command(&shim).env("PATH", &path)).ok();
        assert_eq!(outcome.out(), expected, "PATH={path}");
    }
}

#[test]
fn directories_and_files_that_may_not_run_are_passed_over() {
    let mut sandbox = Sandbox::new();
    sandbox.link("tool");
    let (first, second) = (sandbox.root().join("first"), sandbox.root().join("second"));
    fs::create_dir_all(first.join("tool")).unwrap();
    fs::create_dir_all(&second).unwrap();
    let plain = second.join("tool");
    fs::write(&plain, "no").unwrap();
    fs::set_permissions(&plain, fs::Permissions::from_mode(0o644)).unwrap();
    sandbox.set_path([sandbox.farm(), first, second, sandbox.tools(), "/usr/bin".into()]);
    let outcome = run(&mut sandbox.command("tool")).exits(126);
    assert_eq!(outcome.err(), format!("toto: {}: found, but not executable\n", plain.display()));
    sandbox.tool("tool", "echo \"real $*\"");
    assert_real(&sandbox);
}

#[test]
fn what_is_nowhere_is_127_and_the_line_says_how_to_remove_the_shim() {
    let sandbox = Sandbox::new();
    sandbox.link("tool");
    let outcome = call(&sandbox).exits(127);
    assert_eq!(outcome.out(), "");
    assert_eq!(
        outcome.err(),
        "toto: tool: not found on PATH behind its shim (to remove the shim: toto unlink tool)\n"
    );
}

#[test]
fn without_path_the_systems_default_is_searched() {
    let sandbox = Sandbox::new();
    let shim = sandbox.link("sh");
    let outcome = run(sandbox.command(&shim).env_remove("PATH").args(["-c", "echo hi"])).ok();
    assert_eq!(outcome.out(), "hi\n");
}

#[test]
fn without_a_home_we_still_know_ourselves() {
    let sandbox = Sandbox::new();
    sandbox.link("tool");
    sandbox.tool("tool", "echo real");
    assert_eq!(run(sandbox.command("tool").env_remove("HOME")).ok().out(), "real\n");
}

#[test]
fn a_path_of_two_hundred_entries() {
    let mut sandbox = Sandbox::new();
    sandbox.link("tool");
    sandbox.tool("tool", "echo \"real $*\"");
    let many = (0..200).map(|n| sandbox.root().join(format!("none/{n}")));
    let path: Vec<_> = [sandbox.farm()].into_iter().chain(many).chain([sandbox.tools()]).collect();
    sandbox.set_path(path);
    assert_real(&sandbox);
}

#[test]
fn names_and_arguments_that_are_not_text() {
    use std::os::unix::ffi::OsStringExt;
    let sandbox = Sandbox::new();
    let name = OsString::from_vec(b"t\xff,;x".to_vec());
    symlink(toto_binary(), sandbox.farm().join(&name)).unwrap();
    executable(&sandbox.tools().join(&name), "#!/bin/sh\nprintf %s \"$1\"\n");
    let outcome = run(sandbox.command(&name).arg(OsString::from_vec(vec![0xfe, b'a']))).ok();
    assert_eq!(outcome.out, [0xfe, b'a']);
}

#[test]
fn which_says_what_was_passed_over() {
    let sandbox = Sandbox::new();
    sandbox.link("ls");
    let tool = sandbox.tool("ls", "");
    let all = run(&mut sandbox.toto(["which", "-v", "ls"])).ok().out();
    let lines: Vec<_> = all.lines().map(|line| line.split_once("  ").unwrap()).collect();
    assert_eq!(lines[0].0, sandbox.farm().join("ls").to_str().unwrap());
    assert_eq!(lines[0].1.trim(), "in the farm");
    assert_eq!((Path::new(lines[1].0), lines[1].1.trim()), (tool.as_path(), "runs this"));
    assert_eq!(lines[2].1.trim(), "behind it");
}

/// gcc and cmake look for their own files beside the file that their name leads to on PATH: the shim. A linked `cc` could
/// not compile, nor `cmake` start.
#[test]
fn a_tool_that_looks_for_its_own_files_finds_them() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.work().join("a.c"), "int main(void) { return 0; }\n").unwrap();
    for (tool, args) in
        [("cc", &["-c", "a.c"][..]), ("cmake", &["--version"]), ("python3", &["-c", "import os"])]
    {
        if !installed(tool) {
            continue;
        }
        sandbox.link(tool);
        for asked in ["on", "off"] {
            run(sandbox.command(tool).env("TOTO", asked).args(args)).ok();
        }
        run(&mut sandbox.toto([&["run", tool], args].concat())).ok();
    }
}

#[test]
fn a_name_stays_that_says_which_program_is_wanted() {
    let sandbox = Sandbox::new();
    for (name, is_path) in [
        ("tool", false),
        ("gcc-12", true),
        ("x86_64-linux-gnu-g++", true),
        ("gcc-ar-12", true),
        ("python3.13t", true),
        ("cctool", false),
    ] {
        symlink("/bin/bash", sandbox.tools().join(name)).unwrap();
        sandbox.link(name);
        let seen =
            run(sandbox.command(name).args(["-c", "tr '\\0' '\\n' < /proc/$$/cmdline | head -1"])).ok().out();
        let expected =
            if is_path { sandbox.tools().join(name).display().to_string() } else { name.to_owned() };
        assert_eq!(seen.trim_end(), expected);
    }
}

//! What docs/security.md claims, claim by claim: hostile repositories, outputs and PATHs, other users, secrets.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::harness::{Outcome, Sandbox, copy_executable, executable, installed, run, run_with, toto_binary};
use crate::large::{LINES, captured, kept, sandbox as with_make};

/// Another user: nobody.
const OTHER: u32 = 65_534;
/// What a terminal obeys: a title, the clipboard, bracketed paste, a device string, a clear screen, C1 and a shift.
const HOSTILE: &str =
    "\u{1b}]0;title\u{7}\u{1b}]52;c;cm0gLXJm\u{7}\u{1b}[?2004h\u{1b}P1$qm\u{1b}\\\u{1b}[2J\u{9b}31m\u{e}";
/// The same in JSON.
const HOSTILE_JSON: &str =
    r"\u001b]0;title\u0007\u001b]52;c;cm0gLXJm\u0007\u001b[?2004h\u001bP1$qm\u001b\\\u001b[2J\u009b31m\u000e";

/// Nothing in it that a terminal would obey but line breaks and tabs.
#[track_caller]
fn is_inert(what: &str, text: &str) {
    let obeyed = |c: char| c.is_control() && !"\n\t".contains(c);
    assert!(!text.contains(obeyed), "{what}: {:?}", text.lines().find(|line| line.contains(obeyed)));
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Every file and directory below `dir`.
fn below(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        if entry.file_type().unwrap().is_dir() {
            found.extend(below(&entry.path()));
        }
        found.push(entry.path());
    }
    found
}

#[test]
fn a_terminal_obeys_nothing_of_a_preview() {
    let sandbox = with_make(&format!("{LINES}; cat \"$HOME/hostile\"; {LINES}; echo sorry >&2; exit 1"));
    sandbox.home_file("hostile", format!("error: {HOSTILE} disk full\n"));
    for mode in ["buffer", "truncate", "reject"] {
        sandbox.home_file(".config/toto/config.toml", format!("[overflow]\nmode = \"{mode}\"\n"));
        let outcome = run(&mut captured(&sandbox)).exits(1);
        assert!(outcome.out().contains("disk full"), "{mode}: {}", outcome.out());
        is_inert(mode, &outcome.out());
        is_inert(mode, &outcome.err());
    }
    for part in [&["--grep", "disk"][..], &["--lines", "1990:2010"]] {
        let shown = run(sandbox.toto(["show", "last"]).args(part)).ok().out();
        assert!(shown.contains("disk full"), "{shown}");
        is_inert("show", &shown);
    }
    let file = sandbox.home().join("hostile");
    is_inert("grep", &run(sandbox.toto(["grep", "disk"]).arg(&file)).ok().out());
}

#[test]
fn a_terminal_obeys_nothing_of_a_notation() {
    let sandbox = Sandbox::new();
    let row = |n: usize| {
        format!(
            "{{\"name\": \"item-{n}\", \"note\": \"{HOSTILE_JSON}\", \"k{HOSTILE_JSON}\": [{n}, \"a{HOSTILE_JSON}\"]}}"
        )
    };
    let rows: Vec<String> = (0..30).map(row).collect();
    let dense: Vec<String> = (0..30).map(|n| format!("{{\"a\": \"{HOSTILE_JSON}\", \"b\": {n}}}")).collect();
    for document in
        [format!("{{\"items\": [{}]}}", rows.join(",\n   ")), format!("[{}]", dense.join(",\n   "))]
    {
        for format in ["pvfn", "schema-yaml", "json"] {
            let outcome =
                run_with(&mut sandbox.toto(["--level", "lossless", "--format", format]), document.as_bytes());
            let out = outcome.ok().out();
            assert!(format != "pvfn" || out.len() < document.len(), "{out}");
            is_inert(format, &out);
            let read = run_with(&mut sandbox.toto(["expand"]), out.as_bytes()).ok().out();
            let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
            assert_eq!(value(&read), value(&document), "{format}");
        }
    }
}

#[test]
fn a_terminal_obeys_nothing_of_a_line_of_ours() {
    let sandbox = Sandbox::new();
    let name = format!("x{HOSTILE}");
    let file = sandbox.home_file("filter.toml", format!("command = \"x\"\nskip = [\"({HOSTILE_JSON}\"]\n"));
    sandbox.home_file(".config/toto/config.toml", format!("\"lev{HOSTILE_JSON}el\" = 1\n"));
    let calls: [&[&str]; 10] = [
        &["show", &name],
        &["read", &name],
        &["grep", "(", &name],
        &["grep", &name, &name],
        &["which", &name],
        &["run", "--", &name],
        &["why", "--", &name],
        &["count", &name],
        &["config", "check"],
        &["filter", "check", file.to_str().unwrap()],
    ];
    for call in calls {
        let outcome = run(&mut sandbox.toto(call));
        assert_ne!(outcome.code(), 0, "{call:?}");
        assert!(outcome.err().starts_with("toto: "), "{call:?}: {}", outcome.err());
        assert_eq!(outcome.err().lines().count(), 1, "{call:?}: {}", outcome.err());
        is_inert(&call.join(" "), &outcome.err());
    }
}

#[test]
fn a_terminal_obeys_nothing_of_a_name_in_a_list() {
    let sandbox = Sandbox::new();
    sandbox.script(format!("tools/x{HOSTILE}/aws"), "#!/bin/sh\n");
    let mut listing = Sandbox::new();
    listing.set_path([listing.farm(), sandbox.tools().join(format!("x{HOSTILE}"))]);
    listing.link("aws");
    let out = run(&mut listing.toto(["list"])).ok().out();
    assert!(out.contains("<U+001B>"), "{out:?}");
    is_inert("list", &out);
    is_inert("why", &run(&mut listing.toto(["why", "--", "aws"])).ok().out());
}

#[test]
fn a_terminal_obeys_nothing_of_what_is_shown_whole() {
    if !installed("script") {
        return;
    }
    let sandbox = with_make(&format!("cat \"$HOME/hostile\"; {LINES}"));
    sandbox.home_file("hostile", format!("first {HOSTILE} last\n"));
    run(&mut captured(&sandbox)).ok();
    let shown = |line: &str| {
        let line = format!("{} show {line}", toto_binary().display());
        run(sandbox.command("script").args(["-qec", &line, "/dev/null"])).out().replace("\r\n", "\n")
    };
    let text = shown("last --lines 1:1");
    is_inert("on a terminal", &text);
    let text = shown("last");
    assert!(text.contains("compiling unit 1999"), "{text}");
    is_inert("on a terminal", &text);
    assert!(shown("last --raw").contains(HOSTILE));
    // A program gets the tool's own bytes.
    assert!(run(&mut sandbox.toto(["show", "last"])).ok().out().contains(HOSTILE));
}

#[test]
fn an_output_cannot_make_it_slow_or_large() {
    let sandbox = Sandbox::new();
    let mut aliases = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for n in 1..40 {
        aliases += &format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 9].join(", "));
    }
    let inputs = [
        ("a YAML whose aliases are 9^40 nodes", aliases),
        ("lists in lists", "[".repeat(200_000)),
        (
            "keys of one hash table",
            (0..10_000).fold("{".into(), |text: String, n| text + &format!("\"k{n}\":{n},")) + "\"z\":0}",
        ),
        ("a line that is written over again and again", "x\r".repeat(100_000)),
        ("strings that do not end", "\u{1b}]".repeat(100_000)),
        ("one line", "a".repeat(1_000_000)),
    ];
    for (what, input) in inputs {
        // The harness ends what takes longer than half a minute, in a debug build.
        let outcome = run_with(&mut sandbox.toto(["--overflow", "off"]), input.as_bytes()).ok();
        assert!(outcome.out.len() <= input.len() + 200, "{what}: {}", outcome.out.len());
    }
}

#[test]
fn a_pattern_cannot_make_it_slow() {
    let sandbox = with_make("cat \"$HOME/hostile\"; echo done");
    sandbox.home_file("hostile", format!("{}!\n", "a".repeat(100_000)));
    let filter = "command = \"make\"\nskip = ['^(a+)+$', '^(a|aa)*b', '(.*a){20}$']\n";
    let path = sandbox.home_file(".config/toto/filters/make.toml", filter);
    run(sandbox.toto(["filter", "check"]).arg(&path)).ok();
    let outcome = run(captured(&sandbox).env("TOTO_THRESHOLD", "1000000")).ok();
    assert!(outcome.out().ends_with("!\ndone\n"), "{}", outcome.out.len());
    fs::write(&path, "command = \"make\"\nskip = ['((a{1000}){1000}){1000}']\n").unwrap();
    let refused = run(sandbox.toto(["filter", "check"]).arg(&path));
    assert_ne!(refused.code(), 0, "{}", refused.out());
    let outcome = run(captured(&sandbox).env("TOTO_THRESHOLD", "1000000")).ok();
    assert!(outcome.out().ends_with("!\ndone\n"), "the tool's own: {}", outcome.out.len());
}

#[test]
fn a_script_cannot_leave_its_bounds() {
    let sandbox = with_make("for n in ant bee cat; do echo \"Loading the $n\"; done");
    let scripts = [
        "while true do end",
        "local t = {} while true do t[#t + 1] = ('x'):rep(1e6) .. #t end",
        "return io.open('/etc/passwd'):read('a')",
        "return os.getenv('HOME')",
        "return require('x')",
        "return (('a'):rep(200):match(('a*'):rep(40) .. 'b')) or 'none'",
    ];
    for script in scripts {
        let text = format!("command = \"make\"\n[pipeline]\nsource = '''{script}'''\n");
        sandbox.home_file(".config/toto/filters/make.toml", text);
        let outcome = run(&mut captured(&sandbox)).ok();
        assert!(outcome.out().contains("Loading the cat"), "{script}: {}", outcome.out());
        assert!(outcome.err().contains("the filter's script "), "{script}: {}", outcome.err());
    }
}

#[test]
fn a_repository_is_not_waited_for_nor_followed() {
    let sandbox = with_make("for n in ant bee cat; do echo \"Loading the $n\"; done");
    let filters = sandbox.work().join(".toto/filters");
    fs::create_dir_all(&filters).unwrap();
    let plain = run(&mut captured(&sandbox)).ok();
    let place = filters.join("make.toml");
    assert!(Command::new("mkfifo").arg(&place).status().unwrap().success());
    assert_eq!(run(&mut captured(&sandbox)).ok().out(), plain.out(), "a FIFO");
    for target in ["/dev/zero", "/dev/stdin", "make.toml"] {
        fs::remove_file(&place).unwrap();
        symlink(target, &place).unwrap();
        assert_eq!(run(&mut captured(&sandbox)).ok().out(), plain.out(), "a link to {target}");
    }
    fs::remove_file(&place).unwrap();
    fs::write(&place, "command = \"make\"\nskip = ['.']\n".to_owned() + &"#".repeat(1 << 20)).unwrap();
    assert_eq!(run(&mut captured(&sandbox)).ok().out(), plain.out(), "a very long file");
    // Nor does a configuration in a repository mean anything.
    fs::write(sandbox.work().join(".toto/config.toml"), "level = \"nonsense\"\n").unwrap();
    fs::write(sandbox.work().join("config.toml"), "level = \"nonsense\"\n").unwrap();
    let outcome = run(&mut captured(&sandbox)).ok();
    assert!(!outcome.err().contains("nonsense") && outcome.out() == plain.out(), "{}", outcome.err());
}

#[test]
fn a_pack_cannot_grow_without_end() {
    let sandbox = Sandbox::new();
    let tarball = sandbox.root().join("bomb.tar");
    let mut header = tar::Header::new_gnu();
    header.set_path("pack/big.bin").unwrap();
    header.set_size(4 << 30);
    header.set_mode(0o644);
    header.set_cksum();
    fs::write(&tarball, header.as_bytes()).unwrap();
    // Without a block on the disk.
    fs::File::options().write(true).open(&tarball).unwrap().set_len((4 << 30) + 1024).unwrap();
    let refused = run(sandbox.toto(["filter", "install", "--yes"]).arg(&tarball)).exits(1);
    assert_eq!(refused.err().lines().count(), 1, "{}", refused.err());
    let mut archive = tar::Builder::new(fs::File::create(&tarball).unwrap());
    for n in 0..1001 {
        let mut header = tar::Header::new_gnu();
        header.set_size(16);
        header.set_mode(0o644);
        archive.append_data(&mut header, format!("filters/f{n}.toml"), &b"command = \"xyz\"\n"[..]).unwrap();
    }
    archive.finish().unwrap();
    let refused = run(sandbox.toto(["filter", "install", "--yes"]).arg(&tarball)).exits(1);
    assert!(refused.err().contains("more than 1000 files"), "{}", refused.err());
    assert!(below(&sandbox.home().join(".local/share/toto/packs")).is_empty());
}

#[test]
fn nothing_but_the_tool_is_found_on_the_path() {
    let mut sandbox = Sandbox::new();
    let hostile = sandbox.root().join("hostile");
    let names = "sh bash cat git which tput stty ps uname getconf less more env id tee tail head jq toto python3 sqlite3 gzip tar";
    for name in names.split(' ') {
        executable(
            &hostile.join(name),
            &format!("#!/bin/sh\necho {name} >>'{}'\n", sandbox.root().join("ran").display()),
        );
    }
    sandbox.set_path([sandbox.farm(), hostile, sandbox.tools(), "/usr/bin".into(), "/bin".into()]);
    sandbox.tool("make", &format!("{LINES}; echo 'error: one' >&2; exit 2"));
    sandbox.link("make");
    let outcome = run(&mut captured(&sandbox)).exits(2);
    assert!(outcome.out().starts_with("Output buffered to "), "{}", outcome.out());
    run(&mut sandbox.toto(["show", "last"])).ok();
    run(&mut sandbox.toto(["gain"])).ok();
    run(&mut sandbox.toto(["history"])).ok();
    assert!(!sandbox.root().join("ran").exists(), "{:?}", fs::read_to_string(sandbox.root().join("ran")));
}

#[test]
fn the_tool_is_the_one_that_the_shell_would_have_run() {
    let mut sandbox = Sandbox::new();
    for place in ["a", "b", "work"] {
        sandbox.script(format!("{place}/make"), &format!("#!/bin/sh\necho {place}\n"));
    }
    sandbox.script("c/make", "no program\n");
    fs::set_permissions(sandbox.root().join("c/make"), Permissions::from_mode(0o644)).unwrap();
    fs::create_dir_all(sandbox.root().join("d/make")).unwrap();
    symlink("../b/make", sandbox.root().join("tools/make")).unwrap();
    sandbox.link("make");
    let root = sandbox.root().to_owned();
    let paths: [&[&str]; 8] =
        [&["a", "b"], &["b", "a"], &["c", "a"], &["d", "b"], &["", "a"], &["a", ""], &["tools"], &["."]];
    for entries in paths {
        let place = |entry: &&str| {
            if entry.is_empty() || *entry == "." { PathBuf::from(entry) } else { root.join(entry) }
        };
        let places: Vec<PathBuf> = entries.iter().map(place).collect();
        sandbox.set_path(places.clone());
        let without = run(&mut sandbox.shell("/bin/sh", "make")).ok().out();
        sandbox.set_path([vec![sandbox.farm()], places].concat());
        assert_eq!(run(&mut sandbox.shell("/bin/sh", "make")).ok().out(), without, "{entries:?}");
    }
}

#[test]
fn what_is_kept_is_its_owners_alone_whatever_the_umask() {
    let sandbox = with_make(&format!("{LINES}; sleep 0.4; echo end"));
    let script = format!("umask 0; make; {0} gain >/dev/null; {0} trust --yes", toto_binary().display());
    fs::create_dir_all(sandbox.work().join(".toto/filters")).unwrap();
    fs::write(sandbox.work().join(".toto/filters/x.toml"), "command = \"x\"\n").unwrap();
    run(sandbox.shell("/bin/sh", &script).env("TOTO", "on")).ok();
    let mut seen = 0;
    for place in [".local/state/toto", ".local/share/toto"] {
        for path in below(&sandbox.home().join(place)).into_iter().chain([sandbox.home().join(place)]) {
            let mode = path.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{}: {mode:o}", path.display());
            seen += 1;
        }
    }
    assert!(
        seen >= 9,
        "two directories a place, an output, its facts, the spool, the database and the pins: {seen}"
    );
}

/// A copy of the binary as the tool's shim, where another user can reach it.
fn for_another_user(sandbox: &Sandbox, mode: u32) -> PathBuf {
    for open in [sandbox.root(), &sandbox.tools(), &sandbox.work()] {
        fs::set_permissions(open, Permissions::from_mode(0o755)).unwrap();
    }
    let copy = sandbox.root().join("copy/aws");
    fs::create_dir_all(copy.parent().unwrap()).unwrap();
    copy_executable(toto_binary(), &copy);
    fs::set_permissions(&copy, Permissions::from_mode(mode)).unwrap();
    copy
}

fn as_other(sandbox: &Sandbox, options: &[&str], program: &Path) -> Outcome {
    let mut command = sandbox.command("setpriv");
    command.args(options).arg(program).env("TOTO", "on");
    run(&mut command)
}

#[test]
fn a_set_user_id_binary_refuses_to_run_anything() {
    if !is_root() || !installed("setpriv") {
        return;
    }
    let sandbox = Sandbox::new();
    let mounted = rustix::fs::statvfs(sandbox.root()).unwrap().f_flag;
    if mounted.contains(rustix::fs::StatVfsMountFlags::NOSUID) {
        return;
    }
    sandbox.tool("aws", "id -u");
    let other = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    for mode in [0o4755, 0o2755] {
        let copy = for_another_user(&sandbox, mode);
        let outcome = as_other(&sandbox, &other, &copy).exits(126);
        assert_eq!(outcome.out(), "", "{mode:o}");
        assert!(outcome.err().contains("set-user-id"), "{}", outcome.err());
        assert_eq!(outcome.err().lines().count(), 1, "{}", outcome.err());
    }
    let copy = for_another_user(&sandbox, 0o755);
    assert_eq!(as_other(&sandbox, &other, &copy).ok().out(), "65534\n");
}

#[test]
fn with_rights_that_its_caller_has_not_it_keeps_out_of_the_way() {
    if !is_root() || !installed("setpriv") {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox
        .home_file("listing.json", format!("[{}]", vec!["{\"a\": null, \"name\": \"x\"}"; 50].join(",\n  ")));
    sandbox.home_file(".config/toto/config.toml", "level = \"nonsense\"\n");
    sandbox.tool("aws", &format!("cat '{}'", sandbox.home().join("listing.json").display()));
    let copy = for_another_user(&sandbox, 0o755);
    // A program that is set-user-id itself and runs `aws`: real and effective user are two.
    let outcome = as_other(&sandbox, &["--ruid=65534", "--keep-groups"], &copy).ok();
    assert_eq!(outcome.out, fs::read(sandbox.home().join("listing.json")).unwrap());
    assert_eq!(outcome.err(), "", "nor is the caller's configuration read");
    assert!(!sandbox.home().join(".local").exists());
}

#[test]
fn root_leaves_nothing_in_the_home_of_who_called_sudo() {
    if !is_root() {
        return;
    }
    let sandbox = with_make(&format!("{LINES}; id -u"));
    sandbox.home_file(".config/toto/config.toml", "level = \"nonsense\"\n");
    chown(sandbox.home(), Some(OTHER), Some(OTHER)).unwrap();
    let before = below(&sandbox.home());
    let outcome = run(captured(&sandbox).env("SUDO_UID", OTHER.to_string())).ok();
    assert!(outcome.out().contains("\n0\n"), "{}", outcome.out());
    assert!(!outcome.err().contains("nonsense"), "what its owner put there is not obeyed: {}", outcome.err());
    for call in [&["link", "aws"][..], &["setup", "--yes"], &["agents", "setup"]] {
        let refused = run(sandbox.toto(call).env("SUDO_UID", OTHER.to_string()));
        assert_ne!(refused.code(), 0, "{call:?}: {}", refused.out());
        assert!(refused.err().contains("home"), "{call:?}: {}", refused.err());
    }
    assert_eq!(below(&sandbox.home()), before);
    // Root's own home, or one that is given to it, is another matter.
    let outcome = run(captured(&sandbox).env("SUDO_UID", "1000"));
    assert!(outcome.err().contains("nonsense"), "{}", outcome.err());
}

#[test]
fn a_link_in_the_place_of_the_spool_is_not_written_through() {
    let sandbox = with_make("echo one");
    let elsewhere = sandbox.home_file("elsewhere", "mine\n");
    run(&mut captured(&sandbox)).ok();
    let spool = sandbox.home().join(".local/share/toto/spool");
    let day = fs::read_dir(&spool).unwrap().next().unwrap().unwrap().path();
    fs::remove_file(&day).unwrap();
    symlink(&elsewhere, &day).unwrap();
    run(&mut captured(&sandbox)).ok();
    assert_eq!(fs::read(&elsewhere).unwrap(), b"mine\n");
}

#[test]
fn a_secret_that_nothing_was_left_out_of_is_not_kept() {
    let sandbox = with_make("echo \"$TOKEN\"; echo \"$TOKEN\" >&2");
    let outcome = run(captured(&sandbox).arg("--password=hunter2").env("TOKEN", "s3cr3t-value")).ok();
    assert!(outcome.out().contains("s3cr3t-value"), "{}", outcome.out());
    assert!(kept(&sandbox).is_empty());
    for file in
        below(&sandbox.home()).iter().chain(&below(&sandbox.temporary())).filter(|path| path.is_file())
    {
        let text = String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned();
        assert!(!text.contains("s3cr3t") && !text.contains("hunter2"), "{}: {text}", file.display());
    }
    let why =
        run(sandbox.toto(["why", "--", "make", "--password=hunter2"]).env("TOKEN", "s3cr3t-value")).ok();
    assert!(!why.out().contains("s3cr3t") && !why.out().contains("hunter2"), "{}", why.out());
}

#[test]
fn every_claim_has_its_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/security.md")).unwrap();
    let mut claims = 0;
    for row in page.lines().filter(|line| line.starts_with("| ") && line.contains("::")) {
        for name in row.split('`').filter(|word| word.contains("::") && !word.contains(' ')) {
            let (module, test) = name.split_once("::").unwrap();
            let text = fs::read_to_string(root.join(format!("tests/suite/{module}.rs"))).unwrap();
            assert!(text.contains(&format!("fn {test}(")), "{name} is no test");
            claims += 1;
        }
    }
    assert!(claims >= 25, "{claims}");
    let own = fs::read_to_string(root.join("tests/suite/security.rs")).unwrap();
    for test in own.split("#[test]\nfn ").skip(1).filter_map(|text| text.split('(').next()) {
        assert!(
            test == "every_claim_has_its_test" || page.contains(&format!("`security::{test}`")),
            "{test}"
        );
    }
}

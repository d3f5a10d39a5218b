//! Packs: filters of a repository, a directory, a tarball, on this disk.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::harness::{Sandbox, executable, run};

const FILTER: &str = "command = \"mytool\"\nskip = ['^Loading']\n";

fn with_tool() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.tool(
        "mytool",
        "for n in 1 2 3 4 5 6 7 8 9; do echo \"Loading plugin $n of them all\"; done; echo built",
    );
    sandbox
}

fn call(sandbox: &Sandbox) -> String {
    run(&mut sandbox.toto(["run", "--receipt", "off", "--", "mytool"])).ok().out()
}

fn git(sandbox: &Sandbox, directory: &Path, args: &[&str]) {
    let mut command = sandbox.command("git");
    command.args(["-c", "user.name=x", "-c", "user.email=x@example.org"]).args(args).current_dir(directory);
    run(&mut command).ok();
}

/// A repository with a filter, beside it what must not be taken along.
fn repository(sandbox: &Sandbox) -> PathBuf {
    let directory = sandbox.root().join("pack");
    fs::create_dir_all(directory.join("filters/deep")).unwrap();
    fs::write(directory.join("filters/deep/odd-name.toml"), FILTER).unwrap();
    fs::write(directory.join("filters/binary.so"), b"\x7fELF").unwrap();
    symlink("/etc/passwd", directory.join("filters/linked.toml")).unwrap();
    fs::write(directory.join("README.toml"), "not = 'a filter'").unwrap();
    git(sandbox, &directory, &["init", "-q", "."]);
    executable(&directory.join(".git/hooks/post-checkout"), "#!/bin/sh\ntouch \"$HOME/hooked\"\n");
    git(sandbox, &directory, &["add", "."]);
    git(sandbox, &directory, &["commit", "-qm", "x"]);
    directory
}

#[test]
fn a_repositorys_filters_are_shown_pinned_updated_and_removed() {
    let sandbox = with_tool();
    let directory = repository(&sandbox);
    let refused = run(sandbox.toto(["filter", "install"]).arg(&directory)).exits(2);
    assert!(
        refused.out().contains("skip = ['^Loading']") && refused.err().contains("--yes"),
        "{}",
        refused.err()
    );
    assert!(call(&sandbox).contains("Loading"), "nothing is installed without a word");

    sandbox.link("git");
    let installed = run(sandbox.toto(["filter", "install", "--yes"]).arg(&directory).env("TOTO", "on")).ok();
    let recorded = run(&mut sandbox.toto(["gain", "--json"])).ok().out();
    assert!(
        !recorded.contains("git"),
        "git, which toto runs for itself, is no run of the user's: {recorded}"
    );
    assert!(installed.out().contains("pack: 1 file, 1 new or changed, at "), "{}", installed.out());
    assert!(!sandbox.home().join("hooked").exists());
    assert!(call(&sandbox).starts_with("built\n(9 lines left out"), "{}", call(&sandbox));
    let listed = run(&mut sandbox.toto(["filter", "list", "--installed"])).ok().out();
    let commit = listed.split_whitespace().nth(1).unwrap().to_owned();
    assert!(listed.starts_with("pack  ") && commit.len() == 40, "{listed}");
    let again = run(sandbox.toto(["filter", "install", "--yes"]).arg(&directory)).exits(2);
    assert!(again.err().contains("toto filter update pack"), "{}", again.err());

    // Pinned: what the repository does is nothing until it is asked for.
    fs::write(directory.join("filters/deep/odd-name.toml"), FILTER.replace("Loading", "built")).unwrap();
    git(&sandbox, &directory, &["commit", "-qam", "y"]);
    assert!(call(&sandbox).starts_with("built\n"));
    let refused = run(&mut sandbox.toto(["filter", "update"])).exits(2);
    assert!(refused.out().contains("skip = ['^built']"), "{}", refused.out());
    assert!(call(&sandbox).starts_with("built\n"));
    run(&mut sandbox.toto(["filter", "update", "pack", "--yes"])).ok();
    assert!(call(&sandbox).contains("Loading"));
    let listed = run(&mut sandbox.toto(["filter", "list", "--installed"])).ok().out();
    assert!(!listed.contains(&commit), "{listed}");

    run(&mut sandbox.toto(["filter", "remove", "pack"])).ok();
    assert!(run(&mut sandbox.toto(["filter", "ls", "--installed"])).ok().out().is_empty());
    assert!(run(&mut sandbox.toto(["filter", "remove", "../x"])).exits(2).err().contains("is not installed"));
}

#[test]
fn a_tarball_puts_nothing_anywhere_else() {
    let sandbox = with_tool();
    let path = sandbox.root().join("evil.tar.gz");
    let packed = flate2::write::GzEncoder::new(fs::File::create(&path).unwrap(), flate2::Compression::fast());
    let mut archive = tar::Builder::new(packed);
    let mut add = |name: &str, kind: tar::EntryType, text: &str| {
        let mut header = tar::Header::new_old();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(kind);
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        if kind.is_symlink() {
            header.set_link_name("/etc/passwd").unwrap();
        }
        header.set_cksum();
        archive.append(&header, text.as_bytes()).unwrap();
    };
    add("p/filters/mytool.toml", tar::EntryType::Regular, FILTER);
    add("p/filters/../../../../up.toml", tar::EntryType::Regular, "command = \"up\"\n");
    add("/tmp/toto-absolute.toml", tar::EntryType::Regular, "command = \"absolute\"\n");
    add("p/filters/link.toml", tar::EntryType::Symlink, "");
    archive.into_inner().unwrap().finish().unwrap();
    let installed = run(sandbox.toto(["filter", "install", "--yes"]).arg(&path)).ok();
    assert!(installed.out().contains("evil: 1 file"), "{}", installed.out());
    assert!(call(&sandbox).starts_with("built\n"));
    assert!(!Path::new("/tmp/toto-absolute.toml").exists());

    let large = sandbox.root().join("large.tar");
    let mut archive = tar::Builder::new(fs::File::create(&large).unwrap());
    let mut header = tar::Header::new_gnu();
    header.set_size(300 << 10);
    header.set_mode(0o644);
    header.set_cksum();
    archive.append_data(&mut header, "big.toml", &vec![b'#'; 300 << 10][..]).unwrap();
    archive.finish().unwrap();
    let refused = run(sandbox.toto(["filter", "install", "--yes"]).arg(&large)).exits(1);
    assert!(refused.err().contains("big.toml: longer than"), "{}", refused.err());
    let none = run(sandbox.toto(["filter", "install", "--yes"]).arg(sandbox.tools())).exits(1);
    assert!(none.err().contains("no filters in it"), "{}", none.err());
}

#[test]
fn an_address_is_an_address_and_no_option() {
    let sandbox = with_tool();
    for source in
        ["gh:--upload-pack=x", "gh:a/b/c", "--upload-pack=x", "ext::sh -c id", "http://example.org/x.git"]
    {
        let outcome = run(&mut sandbox.toto(["filter", "install", "--name", "x", "--yes", "--", source]));
        assert_eq!(outcome.code(), 1, "{source}: {}", outcome.err());
        assert!(!outcome.err().contains("git: "), "{source}: {}", outcome.err());
    }
}

#[test]
fn a_pack_is_named_by_its_source() {
    for (source, name) in [
        ("gh:user/filters", Some("filters")),
        ("https://example.org/a/my-pack.git", Some("my-pack")),
        ("git@example.org:a/b", Some("b")),
        ("./dir/pack.tar.gz", Some("pack")),
        ("/a/b/", Some("b")),
        ("..", None),
        ("/", None),
        ("a b", None),
    ] {
        assert_eq!(llm_toto::packs::name_of(source).as_deref(), name, "{source}");
    }
}

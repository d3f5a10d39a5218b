use std::ffi::OsString;

use crate::custom::Call;
use crate::custom::Notices;
use crate::custom::find::*;
use crate::mistake;

fn words(command: &str) -> Vec<OsString> {
    command.split_whitespace().map(OsString::from).collect()
}

#[test]
fn a_file_is_found_by_its_name_or_its_command() {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in [
        ("eslint/check.toml", "command = [\n  \"eslint\",\n]\n[[fold]]\nmatch = 'x'\nas = 'y'\n"),
        ("npm/test.toml", "command = [\"npm test\", \"pnpm test\", \"npx vue-tsc\"]\n"),
        ("a/all.toml", "command = \"docker\"\n"),
        ("docker/buildx-build.toml", "command = \"docker buildx build\"\n"),
        ("docker/push.toml", "command = \"docker push\"\nskp = []\n"),
        ("git.toml", "command = \"git\"\n"),
        ("a/log.toml", "command = \"git log\"\n"),
        ("git-status.toml", "command = \"git status\"\nskip = ['x']\n"),
        ("svn.toml", "command = \"hg\"\n"),
        ("a_test/one.toml", "command = \"ruff\"\n"),
        ("a/rules.toml", "[on_success]\ncommand = \"ruff\"\n"),
    ] {
        let path = dir.path().join(path);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, text).unwrap();
    }
    let (directories, notices) = ([dir.path().to_path_buf()], Notices::default());
    for (line, file) in [
        ("eslint .", Some("eslint/check.toml")),
        ("npx eslint .", Some("eslint/check.toml")),
        ("pnpm test", Some("npm/test.toml")),
        ("npx vue-tsc --noEmit", Some("npm/test.toml")),
        ("docker buildx build .", Some("docker/buildx-build.toml")),
        ("docker ps", Some("a/all.toml")),
        ("git log", Some("git.toml")),
        ("git -C /x status -s", Some("git-status.toml")),
        ("svn update", None),
        ("ruff check", None),
        ("npm", None),
    ] {
        let words = words(line);
        let call =
            Call { words: &words, directories: &directories, notices: Some(&notices), ..Call::default() };
        let expected = file.map(|file| dir.path().join(file).display().to_string());
        assert_eq!(own(&call).map(|found| found.name), expected, "{line}");
        // The project's files are not trusted.
        let call = Call { directories: &[], project: Some(dir.path()), ..call };
        assert!(own(&call).is_none(), "{line}");
    }
    assert!(notices.take().iter().all(|line| line.contains("not trusted") || line.contains("may not be")));
    let words = words("docker push x");
    let call = Call { words: &words, directories: &directories, notices: Some(&notices), ..Call::default() };
    assert!(own(&call).unwrap().name.ends_with("a/all.toml"));
    assert!(notices.take().concat().contains("push.toml:2:1: unknown key"), "a mistake is named");
}

#[test]
fn a_file_with_a_date_or_a_large_number_is_found_by_its_command() {
    for value in ["2024-01-01", "99999999999999999999", "[{ a = 1e999 }]"] {
        let text = format!("since = {value}\ncommand = \"ruff\"\n");
        let Head { command } = mistake::parse(&text, false).unwrap();
        assert_eq!(command.0, ["ruff"], "whoever uses the file tells of the unknown key");
    }
}

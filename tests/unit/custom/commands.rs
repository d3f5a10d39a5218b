use super::*;

fn instead(filter: &str, line: &str) -> Option<String> {
    let dir = tempfile::tempdir().unwrap();
    fs_err::write(dir.path().join("git-status.toml"), filter).unwrap();
    let (words, directories) = (crate::filter::library::words(line), [dir.path().to_path_buf()]);
    let call = Call { words: &words, directories: &directories, ..Call::default() };
    in_place(&call).map(|words| told(&words))
}

#[test]
fn a_command_stands_in_for_one_only_where_nothing_of_it_is_lost() {
    let plain = "command = \"git status\"\nrun = \"git status --porcelain -b\"\n";
    let with = "command = \"git status\"\nrun = \"git status -b {args} 'a b'\"\n";
    assert_eq!(instead(plain, "git status").unwrap(), "ran: git status --porcelain -b");
    assert_eq!(instead(with, "/usr/bin/git status -s x").unwrap(), "ran: git status -b -s x a b");
    let any = with.replace("\"git status\"", "\"git status *\"");
    assert_eq!(instead(&any, "git status x -s").unwrap(), "ran: git status -b x -s a b");
    for (filter, line) in [
        (plain, "git status -s"),
        (plain, "git -C /x status"),
        (with, "git -C /x status"),
        (plain, "sudo git status"),
        (plain, "git stash"),
        ("command = \"git status\"\n", "git status"),
    ] {
        assert_eq!(instead(filter, line), None, "{filter} {line}");
    }
}

#[test]
fn what_no_shell_would_run_as_meant_is_a_mistake() {
    for (keys, place) in [
        ("run = \"git status | head\"", (1, 7)),
        ("run = \"git log x{args}\"", (1, 7)),
        ("run = \"\"", (1, 7)),
        ("run = \"./tools/status.sh\"", (1, 7)),
        ("step = [{ run = \"a > b\", as = \"c\" }]", (1, 17)),
        ("[[step]]\nrun = \"a 'b\"\nas = \"c\"", (2, 7)),
    ] {
        let file = super::super::schema::parse(keys).unwrap();
        let found = mistakes(&file, keys);
        assert_eq!(found.iter().map(|m| (m.line, m.column)).collect::<Vec<_>>(), [place], "{keys}");
    }
}

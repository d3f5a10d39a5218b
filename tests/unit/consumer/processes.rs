use crate::consumer::processes::*;

#[test]
fn tables_are_sorted_for_the_search() {
    for table in [SHELLS, INTERPRETERS, INITS, NEVER] {
        assert!(table.is_sorted() && !table.is_empty());
        assert!(table.iter().all(|name| is_in(table, name.as_bytes())));
    }
}

#[test]
fn names_as_the_kernel_cuts_them_and_titles() {
    assert!(heads(NEVER, b"containerd-shim-runc-v2") && heads(NEVER, b"containerd-shim"));
    assert!(heads(NEVER, b"tmux: server") && heads(NEVER, b"npm run build"));
    assert!(!heads(NEVER, b"claude") && !heads(NEVER, b"gitlab-agent"));
}

#[test]
fn interpreters_with_a_version() {
    for name in [&b"python"[..], b"python3", b"python3.12", b"node", b"nodejs"] {
        assert!(is_interpreter(name), "{}", name.escape_ascii());
    }
    for name in [&b"pythonic"[..], b"bundle", b"3", b"", b"node-pty"] {
        assert!(!is_interpreter(name), "{}", name.escape_ascii());
    }
}

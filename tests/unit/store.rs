use super::*;

fn store(dir: &Path) -> Store {
    Store { session: "s".into(), is_enabled: true, places: vec![Place::temporary(dir, "outputs")] }
}

#[test]
fn what_was_saved_is_listed_in_order_of_time_and_for_its_owner_only() {
    let home = tempfile::tempdir().unwrap();
    let store = store(home.path());
    let ids = [Id("zzzzz".into()), Id("bbbbb".into())];
    store.save(&ids[0], "aws", Source::Out, b"one").unwrap();
    std::thread::sleep(std::time::Duration::from_millis(2));
    store.save(&ids[1], "docker-compose", Source::Err, b"two\0").unwrap();
    let saved = store.saved();
    let told: Vec<_> = saved.iter().map(|s| (s.id.as_str(), s.tool.as_str())).collect();
    assert_eq!(told, [("zzzzz", "aws"), ("bbbbb", "docker-compose")]);
    assert_eq!(std::fs::read(&saved[1].path).unwrap(), b"two\0");
}

#[test]
fn an_id_is_not_given_twice() {
    let home = tempfile::tempdir().unwrap();
    let id = Id::new();
    store(home.path()).save(&id, "aws", Source::Out, b"one").unwrap();
    let again = store(home.path()).save(&id, "aws", Source::Out, b"two").unwrap_err();
    assert!(matches!(again, Unsaved::Taken));
    // In a store of thousands an id was once taken, and the reader of a window was not told where the whole output
    // was.
    assert!(store(home.path()).has(&id) && !store(home.path()).has(&Id("aaaaa".into())));
}

#[test]
fn a_live_copy_is_read_back_also_when_its_name_is_gone() {
    let home = tempfile::tempdir().unwrap();
    let mut live = store(home.path()).live("cargo", Source::Out).unwrap();
    live.append(b"some ").unwrap();
    live.append(b"bytes").unwrap();
    assert_eq!(std::fs::read(&live.path).unwrap(), b"some bytes");
    std::fs::remove_file(&live.path).unwrap();
    assert_eq!(live.read_back().unwrap(), b"some bytes");
    live.discard();
}

#[test]
fn what_another_could_have_made_is_no_place() {
    let home = tempfile::tempdir().unwrap();
    let top = home.path().join(format!("toto-{}", rustix::process::geteuid().as_raw()));
    let refused = |why: &str| {
        let error = store(home.path()).save(&Id::new(), "aws", Source::Out, b"one").unwrap_err();
        assert!(error.to_string().contains("may be another user's"), "{why}: {error}");
        assert!(store(home.path()).saved().is_empty());
    };
    let set_mode = |path: &Path, mode| std::fs::set_permissions(path, PermissionsExt::from_mode(mode));
    std::fs::create_dir(home.path().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(home.path().join("elsewhere"), &top).unwrap();
    refused("a link");
    std::fs::remove_file(&top).unwrap();
    std::fs::create_dir(&top).unwrap();
    set_mode(&top, 0o777).unwrap();
    refused("open to others");
    set_mode(&top, 0o700).unwrap();
    set_mode(home.path(), 0o777).unwrap();
    refused("others can put another in its place");
    set_mode(home.path(), 0o1777).unwrap();
    assert!(store(home.path()).save(&Id::new(), "aws", Source::Out, b"one").is_ok());
}

#[test]
fn a_session_cannot_leave_its_directory() {
    assert_eq!(file_name(OsStr::new("../../etc/x y")), "______etc_x_y");
}

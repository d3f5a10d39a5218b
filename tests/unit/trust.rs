use super::*;

#[test]
fn other_bytes_or_another_place_are_not_trusted() {
    let mut pins = Pins::default();
    pins.pin(Path::new("/a/b.toml"), b"x").unwrap();
    assert_eq!(pins.standing(Path::new("/a/b.toml"), b"x"), Standing::Trusted);
    assert_eq!(pins.standing(Path::new("/a/b.toml"), b"y"), Standing::Changed);
    assert_eq!(pins.standing(Path::new("/b/b.toml"), b"x"), Standing::Unknown);
    assert!(pins.pin(Path::new("/a/\n/b"), b"x").is_err());
    assert_eq!(Pins::parse(&format!("{}  /a/b.toml\n", hash(b"x"))), pins);
    assert_eq!(pins.remove(Path::new("/a")), 1);
    assert_eq!(hash(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

#[test]
fn a_projects_filters_lie_between_here_and_its_root() {
    let root = tempfile::tempdir().unwrap();
    let deep = root.path().join("repo/a/b");
    fs_err::create_dir_all(&deep).unwrap();
    fs_err::create_dir_all(root.path().join(BELOW)).unwrap();
    assert_eq!(project_directory(&deep), None, "no repository: only here");
    fs_err::create_dir(root.path().join("repo/.git")).unwrap();
    assert_eq!(project_directory(&deep), None, "above the repository");
    let filters = root.path().join("repo").join(BELOW);
    fs_err::create_dir_all(&filters).unwrap();
    assert_eq!(project_directory(&deep), Some(filters));
    assert_eq!(project_directory(root.path()), Some(root.path().join(BELOW)));
}

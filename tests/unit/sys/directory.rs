use super::*;

#[test]
fn every_entry_is_there_but_the_directory_and_its_parent() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(".hidden"), "").unwrap();
    std::fs::create_dir(dir.path().join("sub")).unwrap();
    let mut found = entries(dir.path()).unwrap();
    found.sort_unstable();
    assert_eq!(found, [dir.path().join(".hidden"), dir.path().join("sub")]);
    assert_eq!(entries(&dir.path().join("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
    assert_eq!(entries(&dir.path().join(".hidden")).unwrap_err().kind(), io::ErrorKind::NotADirectory);
}

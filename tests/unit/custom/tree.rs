use crate::custom::schema::{Part as _, parse};
use crate::filter::tests::lines::changed;

fn drawn(keys: &str, text: &str) -> String {
    let source = format!("[tree]\n{keys}\n");
    let tree = parse(&source).unwrap().tree.unwrap();
    tree.pattern.check(&source).unwrap();
    changed(text, |lines| drop(tree.draw(lines, |_| true)))
}

const STATUS: &str = "## main\n M src/a/x.rs\n?? src/a/y.rs\nR  src/b.rs -> src/c.rs\n M src/d/e/f.rs\n";

#[test]
fn directories_stand_once() {
    let pattern = "pattern = '^(.. )(.+)$'";
    let out = "## main\n… 4 paths as a tree\nsrc/\n├─ a/\n│  ├─  M x.rs\n│  └─ ?? y.rs\n\
               ├─ R  b.rs -> src/c.rs\n└─  M d/e/f.rs\n";
    let status = STATUS.replace("## main", "##main");
    assert_eq!(drawn(pattern, &status), out.replace("## main", "##main"));
    assert_eq!(drawn(pattern, out), out, "twice is once");
    let keys = "pattern = '^(.. )(.+)$'\nstyle = \"indent\"\ncollapse_single_child = false\nsort = true\n\
                passthrough_unmatched = false";
    assert_eq!(
        drawn(keys, &status),
        "… 4 paths as a tree\nsrc/\n  a/\n     M x.rs\n    ?? y.rs\n  R  b.rs -> src/c.rs\n  d/\n    e/\n       M f.rs\n"
    );
}

#[test]
fn few_paths_and_such_without_a_common_directory_stay() {
    for (keys, text) in [
        ("pattern = '^()(\\S+)$'", "a/b\na/c\na/d\n"),
        ("pattern = '^()(\\S+)$'", "a/b\na/c\na/d\nb/e\n"),
        ("pattern = '^()(\\S+)$'\nmin_files = 1", "/a/b\n/a/c\n"),
    ] {
        assert_eq!(drawn(keys, text), text);
    }
    let keys = "pattern = '^()(\\S+)$'\nmin_files = 2\nmin_shared_depth = 0\nstyle = \"ascii\"";
    assert_eq!(drawn(keys, "a/b\na/c\nb\n"), "… 3 paths as a tree\na/\n|- b\n`- c\nb\n");
    let source = "[tree]\npattern = '^(\\S+)$'\n";
    let tree = parse(source).unwrap().tree.unwrap();
    let error = tree.mistake(source, true).unwrap();
    assert_eq!((error.line, error.column), (2, 11));
}

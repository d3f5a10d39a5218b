use super::*;

#[test]
fn servers_are_known_by_what_they_say() {
    for line in [
        "Serving HTTP on 0.0.0.0 port 8000 (http://0.0.0.0:8000/) ...",
        "  \u{279c}  Local:   http://localhost:5173/",
        "Example app listening on port 3000",
        " * Running on http://127.0.0.1:5000",
        "LOG:  database system is ready to accept connections",
        "Found 0 errors. Watching for file changes.",
    ] {
        assert!(is_announced(line.as_bytes()), "{line}");
    }
    for line in ["Compiling server v1.0", "building local: x", "connecting to http://x", ""] {
        assert!(!is_announced(line.as_bytes()), "{line}");
    }
}

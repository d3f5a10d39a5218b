use crate::cli::filter::new::*;

#[test]
fn lines_that_begin_alike_become_a_count() {
    for (line, rule) in [
        (" Compiled a\n", "[[fold]]\nmatch = '^\\s*Compiled(\\s|$)'\nas = \"lines of Compiled\"\n"),
        (" extracting: a\n", "[[fold]]\nmatch = '^\\s*extracting:(\\s|$)'\nas = \"lines of extracting\"\n"),
        ("error: what says why is no rule\n", "# [[fold]]\n"),
    ] {
        let text = first_filter("tool", "f.txt", (line.repeat(5) + "done\n").as_bytes(), 0);
        assert!(text.contains(rule) && text.contains("contains = \"done\"\n"), "{text}");
    }
}

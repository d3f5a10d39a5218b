use super::*;

#[test]
fn the_table_fits_the_terminal_and_without_one_nothing_is_cut() {
    let row = |name: &str, tool: Option<&str>, calls| Row {
        name: name.into(),
        reached: vec!["farm", "shell"],
        tool: tool.map(str::to_owned),
        trouble: String::new(),
        calls,
        saved: 9_000,
    };
    let path = "/home/someone/.local/share/mise/installs/terraform/1.2.3/bin/terraform";
    let rows = [row("terraform", Some(path), 1_234), row("gh", None, 0)];
    for width in [60, 80] {
        let text = anstream::adapter::strip_str(&text(&rows, width)).to_string();
        assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
        assert!(text.contains("not here now") && text.contains("1,234") && text.contains("9.00k"), "{text}");
    }
    assert!(text(&rows, usize::MAX).contains(path));
}

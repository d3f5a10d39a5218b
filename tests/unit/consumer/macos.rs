use crate::consumer::macos::{name, split};

fn area(count: i32, text: &[u8]) -> Vec<u8> {
    [&count.to_ne_bytes()[..], text].concat()
}

#[test]
fn a_name_ends_at_its_nul() {
    assert_eq!(name(b"zsh\0\0\0\0\0\0\0\0\0\0\0\0\0"), b"zsh");
    assert_eq!(name(b"sixteen-letters!"), b"sixteen-letters");
}

#[test]
fn arguments_and_environment_of_the_program_area() {
    let whole = area(2, b"/bin/zsh\0\0\0\0zsh\0-c\0A=1\0B=2\0\0executable_path=/bin/zsh\0");
    assert_eq!(split(&whole), Some((b"zsh\0-c\0".to_vec(), b"A=1\0B=2\0".to_vec())));
    // A title over the arguments.
    let title = area(3, b"/usr/bin/node\0\0gemini\0\0\0\0\0\0\0\0A=1\0\0");
    assert_eq!(split(&title), Some((b"gemini\0".to_vec(), b"A=1\0".to_vec())));
    // Hidden: no environment behind the arguments.
    let hidden = area(1, b"/bin/zsh\0\0zsh\0");
    assert_eq!(split(&hidden), Some((b"zsh\0".to_vec(), Vec::new())));
    for short in
        [&b""[..], b"\x01\0", &area(1, b"/bin/zsh"), &area(9, b"/bin/zsh\0zsh\0"), &area(-1, b"a\0b\0")]
    {
        assert_eq!(split(short), None, "{}", short.escape_ascii());
    }
}

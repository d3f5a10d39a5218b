//! The value of a shell's word, where it can be told without running anything.

/// The word without its quotes and escapes; None where the shell would expand it into something else.
pub fn value(word: &str) -> Option<String> {
    if word.starts_with('~') || word.starts_with('=') {
        return None;
    }
    let mut value = String::with_capacity(word.len());
    let mut chars = word.chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' => value.extend(chars.by_ref().take_while(|c| *c != '\'')),
            '"' => double_quoted(&mut chars, &mut value)?,
            '\\' => match chars.next()? {
                '\n' => {}
                c => value.push(c),
            },
            '$' | '*' | '?' | '[' | '{' | '`' | '^' => return None,
            c => value.push(c),
        }
    }
    Some(value)
}

fn double_quoted(chars: &mut std::str::Chars<'_>, value: &mut String) -> Option<()> {
    loop {
        match chars.next()? {
            '"' => return Some(()),
            '$' | '`' => return None,
            '\\' => match chars.next()? {
                '\n' => {}
                c @ ('"' | '\\' | '$' | '`') => value.push(c),
                c => value.extend(['\\', c]),
            },
            c => value.push(c),
        }
    }
}

/// `NAME` of `NAME=value`; None for any other word.
pub fn assigned(word: &str) -> Option<&str> {
    let (name, _) = word.split_once('=')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (name.chars().all(plain) && name.starts_with(|c: char| !c.is_ascii_digit())).then_some(name)
}

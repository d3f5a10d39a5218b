//! Globs with one wildcard: `*` matches any run of bytes, `/` included; every other byte matches itself.

/// Whether a pattern matches the whole text. Takes time linear in the text for each star.
pub fn matches(pattern: &str, text: &[u8]) -> bool {
    let mut parts = pattern.as_bytes().split(|&b| b == b'*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = memchr::memmem::find(rest, part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
#[path = "../tests/unit/glob.rs"]
mod tests;

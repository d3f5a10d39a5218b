//! Schema-YAML: a list of alike, flat objects as a `schema:` list and `data:` rows. Valid YAML 1.2.

use super::pvfn::scalar::write_bare;
use crate::document::{Document, Kind};

/// Whether a document has this shape: its root is a list of at least two objects that have the same keys in the
/// same order and hold nothing but scalars.
fn suits(document: &Document<'_>) -> bool {
    let root = document.root();
    if document.is_stream()
        || document.kind(root) != Kind::Array
        || document.is_childless(root)
        || document.is_childless(root + 1)
    {
        return false;
    }
    let mut rows = 0;
    document.children(root).all(|row| {
        rows += 1;
        let mut first = document.children(root + 1).map(|member| document.key_id(member));
        document.kind(row) == Kind::Object
            && document
                .children(row)
                .all(|member| document.is_scalar(member) && first.next() == Some(document.key_id(member)))
            && first.next().is_none()
    }) && rows > 1
}

/// The document in Schema-YAML; nothing unless it [`suits`].
pub fn render(document: &Document<'_>) -> Option<Vec<u8>> {
    if !suits(document) {
        return None;
    }
    let mut out = Vec::new();
    let root = document.root();
    out.extend_from_slice(b"schema: [");
    for (at, member) in document.children(root + 1).enumerate() {
        out.extend_from_slice(if at > 0 { b", " } else { b"" });
        write_text(&mut out, document.key_id(member).map_or("", |key| document.key(key)));
    }
    out.extend_from_slice(b"]\ndata:\n");
    for row in document.children(root) {
        for (at, member) in document.children(row).enumerate() {
            out.extend_from_slice(if at > 0 { b", " } else { b"- [" });
            match document.kind(member) {
                Kind::Plain | Kind::Escaped => write_text(&mut out, &document.text(member)),
                _ => out.extend_from_slice(document.span(member).as_bytes()),
            }
        }
        out.extend_from_slice(b"]\n");
    }
    Some(out)
}

const WORDS: [&str; 10] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan"];

/// Appends a string, plain where every reader of YAML takes it for the same string (a letter first, then letters,
/// digits and a few signs, and no word that means a truth value or nothing), else quoted as in JSON.
fn write_text(out: &mut Vec<u8>, text: &str) {
    let is_sign = |byte: u8| matches!(byte, b'_' | b'-' | b'.' | b'/' | b'@' | b'+' | b' ');
    let is_plain = text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || is_sign(byte))
        && !text.ends_with(' ')
        && !WORDS.contains(&text.to_ascii_lowercase().as_str());
    write_bare(out, text, is_plain);
}

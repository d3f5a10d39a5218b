//! The answer for an agent: documents of one shape are joined, and a column of their rows names the source.
//!
//! `{"Items":[{"source":"a",…},{"source":"b",…}],"none":{"Items":["c"]},"calls":[{"source":["a","b"],"Count":2}]}`:
//! lists of objects under the same key become one list; `none` names the calls whose list is empty; the other members
//! of a document stand in `calls`, once for all calls in which they are the same. Documents of other shapes stand
//! under their own names.

use super::alike::{Alike, Merged, Parts};
use super::joint::{Joint, write_names};
use super::keyed::{write_all, write_document, write_key};
use crate::render::minified;

/// The documents as one, minified with a final newline. Every leaf of every document is in it.
pub fn joined(sources: &[Merged<'_>]) -> Vec<u8> {
    let groups = groups(sources);
    let mut out = Vec::new();
    if let [alike] = groups.as_slice()
        && alike.members[0].is_joinable
        && alike.names().count() > 1
    {
        Joint::new(alike).write(&mut out);
    } else {
        let names = super::unique(groups.iter().map(name).collect());
        write_all("{", ",", "}", groups.iter().zip(&names), &mut out, |(group, name), out| {
            write_key(name, out);
            write(group, out);
        });
    }
    out.push(b'\n');
    out
}

fn groups<'s, 'a>(sources: &'s [Merged<'a>]) -> Vec<Alike<'s, 'a>> {
    let mut groups: Vec<Alike> = Vec::new();
    for source in sources {
        let parts = Parts::of(source);
        if let Some(alike) = groups.iter_mut().find(|alike| alike.suits(&parts)) {
            alike.add(parts);
        } else {
            let mut alike = Alike::default();
            alike.add(parts);
            groups.push(alike);
        }
    }
    groups
}

fn name(alike: &Alike<'_, '_>) -> String {
    match alike.names().collect::<Vec<_>>().as_slice() {
        [only] => (*only).clone(),
        [first, others @ ..] => format!("{first} and {} more", others.len()),
        [] => String::new(),
    }
}

/// Writes documents of one shape; the document of a single call is written as it is.
fn write(alike: &Alike<'_, '_>, out: &mut Vec<u8>) {
    let Parts { source, is_joinable, .. } = &alike.members[0];
    if alike.names().count() == 1 {
        write_document(&source.document, out, minified::write);
    } else if *is_joinable {
        Joint::new(alike).write(out);
    } else {
        out.extend_from_slice(b"{\"source\":");
        write_names(&source.names, out);
        out.extend_from_slice(b",\"output\":");
        write_document(&source.document, out, minified::write);
        out.push(b'}');
    }
}

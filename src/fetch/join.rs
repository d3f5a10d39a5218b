//! The answer for an agent: documents of one shape are joined, and a column of their rows names the source.
//!
//! `{"Items":[{"source":"a",…},{"source":"b",…}],"none":{"Items":["c"]},"calls":[{"source":["a","b"],"Count":2}]}`:
//! lists of objects under the same key become one list; `none` names the calls whose list is empty; the other members
//! of a document stand in `calls`, once for all calls in which they are the same. Documents of other shapes stand
//! under their own names.

use super::alike::{Alike, Parts, Source};
use super::joint::{Joint, write_names};
use super::keyed::{write_all, write_document, write_key};
use crate::render::minified;

/// The documents as one, minified with a final newline. Every leaf of every document is in it.
pub fn joined(sources: &[Source<'_>]) -> Vec<u8> {
    let groups = groups(sources);
    let mut out = Vec::new();
    if let [Group::Alike(alike)] = groups.as_slice()
        && alike.names().count() > 1
    {
        Joint::new(alike).write(&mut out);
    } else {
        let names = super::unique(groups.iter().map(Group::name).collect());
        write_all("{", ",", "}", groups.iter().zip(&names), &mut out, |(group, name), out| {
            write_key(name, out);
            group.write(out);
        });
    }
    out.push(b'\n');
    out
}

/// Documents that are shown together.
enum Group<'s, 'a> {
    Alike(Alike<'s, 'a>),
    Other(&'s Source<'a>),
}

fn groups<'s, 'a>(sources: &'s [Source<'a>]) -> Vec<Group<'s, 'a>> {
    let mut groups: Vec<Group> = Vec::new();
    for source in sources {
        let Some(parts) = Parts::of(source) else {
            groups.push(Group::Other(source));
            continue;
        };
        let fitting = groups.iter_mut().find_map(|group| match group {
            Group::Alike(alike) if alike.suits(&parts) => Some(alike),
            _ => None,
        });
        if let Some(alike) = fitting {
            alike.add(parts);
        } else {
            let mut alike = Alike::default();
            alike.add(parts);
            groups.push(Group::Alike(alike));
        }
    }
    groups
}

impl Group<'_, '_> {
    fn name(&self) -> String {
        let names: Vec<&String> = match self {
            Self::Alike(alike) => alike.names().collect(),
            Self::Other(source) => source.names.iter().collect(),
        };
        match names.as_slice() {
            [only] => (*only).clone(),
            [first, others @ ..] => format!("{first} and {} more", others.len()),
            [] => String::new(),
        }
    }

    /// Writes the group; the document of a single call is written as it is.
    fn write(&self, out: &mut Vec<u8>) {
        let single = match self {
            Self::Alike(alike) => (alike.names().count() == 1).then(|| alike.members[0].source),
            Self::Other(source) => (source.names.len() == 1).then_some(*source),
        };
        if let Some(source) = single {
            return write_document(&source.document, out, minified::write);
        }
        match self {
            Self::Alike(alike) => Joint::new(alike).write(out),
            Self::Other(source) => {
                out.extend_from_slice(b"{\"source\":");
                write_names(&source.names, out);
                out.extend_from_slice(b",\"output\":");
                write_document(&source.document, out, minified::write);
                out.push(b'}');
            }
        }
    }
}

//! The answer for a program: one object, each call's output under the call's name. The answer for an agent: documents
//! of one shape are joined, and a column of their rows names the source.
//!
//! `{"Items":[{"source":"a",…},{"source":"b",…}],"none":{"Items":["c"]},"calls":[{"source":["a","b"],"Count":2}]}`:
//! lists of objects under the same key become one list; `none` names the calls whose list is empty; the other members
//! of a document stand in `calls`, once for all calls in which they are the same. Documents of other shapes stand
//! under their own names.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::alike::{Alike, Merged, OUTPUT, Parts, key_of};
use crate::document::{Document, Id, Kind, write_json_string};
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

/// Documents of one shape, and three keys that no document uses: of the column that names the call, of the list of
/// members that are in no joined list, and of the calls that have an empty list where others have rows.
struct Joint<'g, 's, 'a> {
    alike: &'g Alike<'s, 'a>,
    source: String,
    calls: String,
    none: String,
}

/// Members that are in no joined list, as JSON, and the names of their calls.
type Calls<'s> = IndexMap<Vec<u8>, Vec<&'s String>>;

impl<'g, 's, 'a> Joint<'g, 's, 'a> {
    fn new(alike: &'g Alike<'s, 'a>) -> Self {
        let mut taken: HashSet<&str> = alike.keys.clone();
        for parts in &alike.members {
            let document = &parts.source.document;
            let rows = parts.lists.values().flat_map(|list| &list.rows);
            taken.extend(rows.flat_map(|row| document.children(*row)).map(|cell| key_of(document, cell)));
        }
        let free = |key: &str| {
            let mut key = key.to_owned();
            while taken.contains(key.as_str()) {
                key.push('_');
            }
            key
        };
        Self { alike, source: free("source"), calls: free("calls"), none: free("none") }
    }

    fn write(&self, out: &mut Vec<u8>) {
        let tables: Vec<&str> = self.alike.tables.keys().copied().collect();
        let (none, calls) = (self.none(), self.calls());
        match tables.as_slice() {
            [] => self.write_calls(&calls, out),
            [only] if self.alike.members[0].is_list && none.is_empty() => self.write_rows(only, out),
            _ => {
                let mut keys = tables.clone();
                keys.extend((!none.is_empty()).then_some(self.none.as_str()));
                keys.extend((!calls.is_empty()).then_some(self.calls.as_str()));
                write_all("{", ",", "}", keys, out, |key, out| {
                    write_key(key, out);
                    if key == self.none {
                        write_all("{", ",", "}", &none, out, |(key, names), out| {
                            write_key(key, out);
                            write_names(names, out);
                        });
                    } else if key == self.calls {
                        self.write_calls(&calls, out);
                    } else {
                        self.write_rows(key, out);
                    }
                });
            }
        }
    }

    /// Writes the rows of all lists under this key.
    fn write_rows(&self, key: &str, out: &mut Vec<u8>) {
        let rows_of = |parts: &'g Parts<'s, 'a>| parts.lists.get(key).map_or(&[][..], |list| &list.rows);
        let rows =
            self.alike.members.iter().flat_map(|parts| rows_of(parts).iter().map(move |row| (parts, *row)));
        write_all("[", ",", "]", rows, out, |(parts, row), out| {
            let document = &parts.source.document;
            self.write_source(&parts.source.names, out);
            write_members(document, document.children(row), out);
            out.push(b'}');
        });
    }

    /// Writes `{"source":…` and leaves the object open.
    fn write_source(&self, names: &[impl AsRef<str>], out: &mut Vec<u8>) {
        out.push(b'{');
        write_key(&self.source, out);
        match names {
            [name] => write_json_string(out, name.as_ref()),
            names => write_names(names, out),
        }
    }

    /// The calls whose list is empty where others have rows, by the list's key.
    fn none(&self) -> IndexMap<&str, Vec<&String>> {
        let mut none: IndexMap<&str, Vec<&String>> = IndexMap::new();
        let has_rows = !self.alike.tables.is_empty();
        for parts in &self.alike.members {
            let document = &parts.source.document;
            let empty = parts.rest.iter().filter(|member| self.is_none(document, **member));
            let keys = empty.map(|member| key_of(document, *member));
            let root = (parts.is_list && parts.lists.is_empty() && has_rows).then_some(OUTPUT);
            for key in keys.chain(root) {
                none.entry(key).or_default().extend(&parts.source.names);
            }
        }
        none
    }

    /// Whether the member is an empty list where others have rows.
    fn is_none(&self, document: &Document<'_>, member: Id) -> bool {
        document.kind(member) == Kind::Array
            && document.is_childless(member)
            && self.alike.tables.contains_key(key_of(document, member))
    }

    /// The members that are in no joined list, once for all calls in which they are the same.
    fn calls(&self) -> Calls<'_> {
        let mut found = Calls::new();
        for parts in &self.alike.members {
            let document = &parts.source.document;
            let rest: Vec<Id> =
                parts.rest.iter().copied().filter(|member| !self.is_none(document, *member)).collect();
            let is_shown = !parts.lists.is_empty() || rest.len() < parts.rest.len();
            let is_none = parts.is_list && !self.alike.tables.is_empty();
            if rest.is_empty() && (is_shown || is_none) {
                continue;
            }
            let mut members = Vec::new();
            if parts.is_list {
                members.extend_from_slice(format!(",\"{OUTPUT}\":[]").as_bytes());
            }
            write_members(document, rest.iter().copied(), &mut members);
            found.entry(members).or_default().extend(&parts.source.names);
        }
        found
    }

    fn write_calls(&self, calls: &Calls<'_>, out: &mut Vec<u8>) {
        write_all("[", ",", "]", calls, out, |(members, names), out| {
            self.write_source(names, out);
            out.extend_from_slice(members);
            out.push(b'}');
        });
    }
}

fn write_names(names: &[impl AsRef<str>], out: &mut Vec<u8>) {
    write_all("[", ",", "]", names, out, |name, out| write_json_string(out, name.as_ref()));
}

/// Writes `,"key":value` for each member.
fn write_members(document: &Document<'_>, members: impl Iterator<Item = Id>, out: &mut Vec<u8>) {
    for member in members {
        out.push(b',');
        write_key(key_of(document, member), out);
        minified::write(document, member, out);
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Printed<'a> {
    /// A document; a stream of several is a list of them.
    Document(&'a Document<'a>),
    Text(&'a str),
    Nothing,
}

/// `{"name":document,…}`, minified, with a final newline: text as a string, no output as null. Names are distinct.
pub fn keyed<'a>(calls: impl IntoIterator<Item = (&'a str, Printed<'a>)>) -> Vec<u8> {
    under_names(calls, ",", minified::write)
}

/// Like [`keyed`], but with each document as it stands in its source, on lines of its own.
pub fn verbatim<'a>(calls: impl IntoIterator<Item = (&'a str, Printed<'a>)>) -> Vec<u8> {
    under_names(calls, "\n,", |document, id, out| {
        out.push(b'\n');
        out.extend_from_slice(document.span(id).as_bytes());
    })
}

fn under_names<'a>(
    calls: impl IntoIterator<Item = (&'a str, Printed<'a>)>,
    comma: &str,
    write_value: impl Fn(&Document<'a>, Id, &mut Vec<u8>),
) -> Vec<u8> {
    let mut out = Vec::new();
    write_all("{", comma, "}\n", calls, &mut out, |(name, content), out| {
        write_key(name, out);
        match content {
            Printed::Nothing => out.extend_from_slice(b"null"),
            Printed::Text(text) => write_json_string(out, text),
            Printed::Document(document) => write_document(document, out, &write_value),
        }
    });
    out
}

fn write_key(key: &str, out: &mut Vec<u8>) {
    write_json_string(out, key);
    out.push(b':');
}

/// Writes all items between `open` and `close`, separated by `comma`.
fn write_all<T>(
    open: &str,
    comma: &str,
    close: &str,
    items: impl IntoIterator<Item = T>,
    out: &mut Vec<u8>,
    mut write: impl FnMut(T, &mut Vec<u8>),
) {
    out.extend_from_slice(open.as_bytes());
    for (at, item) in items.into_iter().enumerate() {
        out.extend_from_slice(if at > 0 { comma.as_bytes() } else { b"" });
        write(item, out);
    }
    out.extend_from_slice(close.as_bytes());
}

/// Writes the document by `write_value`, a stream as a list.
fn write_document<'a>(
    document: &Document<'a>,
    out: &mut Vec<u8>,
    write_value: impl Fn(&Document<'a>, Id, &mut Vec<u8>),
) {
    if !document.is_stream() {
        return write_value(document, document.root(), out);
    }
    let ids = document.children(document.root());
    write_all("[", ",", "]", ids, out, |id, out| write_value(document, id, out));
}

//! The answer for an agent: documents of one shape joined, their rows under a column that names the source.
//!
//! `{"Items":[{"source":"a",…},{"source":"b",…}],"calls":[{"source":["a","b"],"Count":2}]}`: lists of objects that
//! stand under the same key become one; what else a document holds stands in `calls`, once for all calls in which it
//! is the same, and so does a call that has no row in any list. Documents of other shapes stand under their own names.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use super::Source;
use super::columns::{Columns, Table};
use crate::document::{Document, Id, Kind, write_json_string};
use crate::render::minified;

/// The column that names the call, the list of what is not in a joined list, and the name of a list that has none.
const SOURCE: &str = "source";
const CALLS: &str = "calls";
const OUTPUT: &str = "output";

/// A list of objects, not empty.
struct List {
    rows: Vec<Id>,
    columns: Columns,
}

/// A document as what can be joined of it, and the rest.
struct Parts<'s, 'a> {
    source: &'s Source<'a>,
    is_list: bool,
    keys: HashSet<&'s str>,
    lists: IndexMap<&'s str, List>,
    /// All other members.
    rest: Vec<Id>,
    /// The document as one row, where there is no list.
    row: Columns,
}

impl<'s, 'a> Parts<'s, 'a> {
    /// None where the document is a list of something else than objects.
    fn of(source: &'s Source<'a>) -> Option<Self> {
        let document = &source.document;
        let root = document.root();
        let is_list = document.kind(root) == Kind::Array;
        let (mut lists, mut rest, mut keys) = (IndexMap::new(), Vec::new(), HashSet::new());
        let list_of = |rows: Vec<Id>| List { columns: Columns::of(document, &rows), rows };
        if is_list {
            if !document.is_childless(root) {
                lists.insert(OUTPUT, list_of(rows(document, root)?));
            }
        } else {
            for member in document.children(root) {
                let key = key_of(document, member);
                keys.insert(key);
                match rows(document, member) {
                    Some(rows) => drop(lists.insert(key, list_of(rows))),
                    None => rest.push(member),
                }
            }
        }
        let row =
            if lists.is_empty() && !is_list { Columns::of(document, &[root]) } else { Columns::default() };
        Some(Self { source, is_list, keys, lists, rest, row })
    }
}

/// The elements of a list of objects, if it is one and not empty.
fn rows(document: &Document<'_>, list: Id) -> Option<Vec<Id>> {
    let is_rows = document.kind(list) == Kind::Array
        && !document.is_childless(list)
        && document.children(list).all(|row| document.kind(row) == Kind::Object);
    is_rows.then(|| document.children(list).collect())
}

fn key_of<'d>(document: &'d Document<'_>, member: Id) -> &'d str {
    document.key_id(member).map_or("", |key| document.key(key))
}

/// The documents as one, minified with a final newline. Every leaf of every document is in it.
pub fn joined(sources: &[Source<'_>]) -> Vec<u8> {
    let groups = groups(sources);
    let mut out = Vec::new();
    if let [Group::Alike(alike)] = groups.as_slice()
        && alike.names().count() > 1
    {
        Joint::new(alike).write(&mut out);
    } else {
        out.push(b'{');
        let names = super::unique(groups.iter().map(Group::name).collect());
        for (at, (group, name)) in groups.iter().zip(&names).enumerate() {
            if at > 0 {
                out.push(b',');
            }
            write_json_string(&mut out, name);
            out.push(b':');
            group.write(&mut out);
        }
        out.push(b'}');
    }
    out.push(b'\n');
    out
}

/// Documents that are shown together.
enum Group<'s, 'a> {
    Alike(Alike<'s, 'a>),
    Other(&'s Source<'a>),
}

/// Documents of one shape.
struct Alike<'s, 'a> {
    members: Vec<Parts<'s, 'a>>,
    keys: HashSet<&'s str>,
    tables: IndexMap<&'s str, Table>,
    row: Table,
}

impl<'s, 'a> Alike<'s, 'a> {
    fn new(first: Parts<'s, 'a>) -> Self {
        let mut alike = Self {
            members: Vec::new(),
            keys: HashSet::new(),
            tables: IndexMap::new(),
            row: Table::default(),
        };
        alike.add(first);
        alike
    }

    /// Whether the document has this shape: what both have as a list makes one table.
    fn suits(&self, new: &Parts<'_, '_>) -> bool {
        let has_list = !(new.lists.is_empty() && self.tables.is_empty());
        let is_related = match (new.is_list, has_list) {
            (true, _) => true,
            (false, false) => self.row.suits(&new.row),
            (false, true) => {
                new.lists.keys().any(|key| self.keys.contains(key))
                    || self.tables.keys().any(|key| new.keys.contains(key))
            }
        };
        let suits = |(key, list): (&&str, &List)| {
            self.tables.get(*key).is_none_or(|table| table.suits(&list.columns))
        };
        new.is_list == self.members[0].is_list && is_related && new.lists.iter().all(suits)
    }

    fn add(&mut self, new: Parts<'s, 'a>) {
        for (&key, list) in &new.lists {
            self.tables.entry(key).or_default().add(&list.columns);
        }
        self.keys.extend(&new.keys);
        self.row.add(&new.row);
        self.members.push(new);
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        self.members.iter().flat_map(|parts| &parts.source.names)
    }
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
        match fitting {
            Some(alike) => alike.add(parts),
            None => groups.push(Group::Alike(Alike::new(parts))),
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

    /// A document of one call stands as it is.
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Other(source) if source.names.len() == 1 => write_whole(&source.document, out),
            Self::Alike(alike) if alike.names().count() == 1 => {
                write_whole(&alike.members[0].source.document, out);
            }
            Self::Alike(alike) => Joint::new(alike).write(out),
            Self::Other(source) => {
                out.extend_from_slice(b"{\"source\":");
                write_names(&source.names, out);
                out.extend_from_slice(b",\"output\":");
                write_whole(&source.document, out);
                out.push(b'}');
            }
        }
    }
}

fn write_whole(document: &Document<'_>, out: &mut Vec<u8>) {
    if !document.is_stream() {
        return minified::write(document, document.root(), out);
    }
    out.push(b'[');
    for (at, part) in document.children(document.root()).enumerate() {
        if at > 0 {
            out.push(b',');
        }
        minified::write(document, part, out);
    }
    out.push(b']');
}

/// One name as a string, several as a list.
fn write_names(names: &[String], out: &mut Vec<u8>) {
    if let [name] = names {
        return write_json_string(out, name);
    }
    out.push(b'[');
    for (at, name) in names.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        write_json_string(out, name);
    }
    out.push(b']');
}

/// Documents of one shape, and the keys that are free in all of them.
struct Joint<'g, 's, 'a> {
    alike: &'g Alike<'s, 'a>,
    source_key: String,
    calls_key: String,
}

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
        Self { alike, source_key: free(SOURCE), calls_key: free(CALLS) }
    }

    fn write(&self, out: &mut Vec<u8>) {
        let tables = &self.alike.tables;
        let calls = self.calls();
        match (tables.len(), calls.is_empty()) {
            (0, _) => write_list(&calls, out),
            (1, true) if self.alike.members[0].is_list => self.write_rows(OUTPUT, out),
            _ => {
                out.push(b'{');
                for (at, key) in tables.keys().enumerate() {
                    if at > 0 {
                        out.push(b',');
                    }
                    write_json_string(out, key);
                    out.push(b':');
                    self.write_rows(key, out);
                }
                if !calls.is_empty() {
                    out.push(b',');
                    write_json_string(out, &self.calls_key);
                    out.push(b':');
                    write_list(&calls, out);
                }
                out.push(b'}');
            }
        }
    }

    /// The rows of all lists under this key.
    fn write_rows(&self, key: &str, out: &mut Vec<u8>) {
        out.push(b'[');
        for parts in &self.alike.members {
            let document = &parts.source.document;
            for &row in parts.lists.get(key).map_or(&[][..], |list| &list.rows) {
                if out.last() != Some(&b'[') {
                    out.push(b',');
                }
                let cells: Vec<Id> = document.children(row).collect();
                self.write_object(&parts.source.names, document, &cells, out);
            }
        }
        out.push(b']');
    }

    fn write_object(&self, names: &[String], document: &Document<'_>, members: &[Id], out: &mut Vec<u8>) {
        out.push(b'{');
        write_json_string(out, &self.source_key);
        out.push(b':');
        write_names(names, out);
        write_members(document, members, out);
        out.push(b'}');
    }

    /// What is not in a list, as the objects of `calls`: the same of several calls once.
    fn calls(&self) -> Vec<Vec<u8>> {
        let mut found: Vec<(Vec<String>, Vec<u8>)> = Vec::new();
        let mut places: HashMap<Vec<u8>, usize> = HashMap::new();
        for parts in &self.alike.members {
            let mut members = Vec::new();
            if parts.is_list && parts.lists.is_empty() {
                members.extend_from_slice(b",\"output\":[]");
            }
            write_members(&parts.source.document, &parts.rest, &mut members);
            if members.is_empty() && !parts.lists.is_empty() {
                continue;
            }
            let place = *places.entry(members.clone()).or_insert(found.len());
            if place == found.len() {
                found.push((Vec::new(), members));
            }
            found[place].0.extend(parts.source.names.iter().cloned());
        }
        found
            .into_iter()
            .map(|(names, members)| {
                let mut out = b"{".to_vec();
                write_json_string(&mut out, &self.source_key);
                out.push(b':');
                write_names(&names, &mut out);
                out.extend_from_slice(&members);
                out.push(b'}');
                out
            })
            .collect()
    }
}

/// `,"key":value` for each.
fn write_members(document: &Document<'_>, members: &[Id], out: &mut Vec<u8>) {
    for &member in members {
        out.push(b',');
        write_json_string(out, key_of(document, member));
        out.push(b':');
        minified::write(document, member, out);
    }
}

fn write_list(objects: &[Vec<u8>], out: &mut Vec<u8>) {
    out.push(b'[');
    for (at, object) in objects.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        out.extend_from_slice(object);
    }
    out.push(b']');
}

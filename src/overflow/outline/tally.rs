//! Counts what stands at each path of a document, with the items of a list taken together: in one pass, in bounded
//! memory.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::values::{Values, written};
use crate::document::{Document, Id, Kind};

/// Most paths that are told apart, and greatest depth of one.
const MOST_PLACES: usize = 2_000;
const DEEPEST: usize = 24;
/// Most keys of one object that get a path each; the others share one.
const MOST_KEYS: usize = 200;
/// An object with more members than this, none of them a scalar, counts as a list whose items have names.
const MOST_UNLIKE: usize = 24;
/// Longest list within a list whose elements are told apart by their positions.
const MOST_COLUMNS: usize = 12;
/// In place of a place's number.
const NOWHERE: u32 = u32::MAX;
/// Number of first values that are kept of each path.
const FIRST: usize = 5;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Step {
    /// Member of an object, by the key's number in the document.
    Key(u32),
    /// Every item of a list.
    #[default]
    Items,
    /// Every member of an object whose keys are names rather than fields.
    Members,
    /// The element at one position of lists that are rows.
    Column(u32),
    /// The value of one key in a list of `{Key, Value}`, by the first node that holds the key.
    Tag(Id),
}

impl Step {
    /// The name of a field or a tag, `[2]` of a column.
    pub fn name(self, document: &Document<'_>) -> Option<String> {
        match self {
            Self::Key(key) => Some(written(document.key(key))),
            Self::Tag(id) => Some(written(&document.text(id))),
            Self::Column(at) => Some(format!("[{at}]")),
            Self::Items | Self::Members => None,
        }
    }
}

/// Everything that stands at one path.
#[derive(Debug, Default)]
pub struct Place {
    pub step: Step,
    /// The place one step above; of the root the root itself.
    pub above: u32,
    /// The places one step below, in the order of their first values.
    pub below: Vec<u32>,
    /// Number of values here.
    pub seen: u64,
    /// Number of objects, and of lists, among them.
    pub objects: u64,
    pub lists: u64,
    /// Fewest and most items of the lists, and members of the objects.
    pub fewest: usize,
    pub most: usize,
    /// Nodes of all values, the values themselves included.
    pub nodes: u64,
    pub first: Vec<Id>,
    /// The scalars among the values.
    pub scalars: Values,
}

/// All paths of a document; place 0 is the root.
#[derive(Debug, Default)]
pub struct Tally {
    places: Vec<Place>,
    by_step: HashMap<(u32, Step), u32, RandomState>,
    by_tag: HashMap<(u32, String), u32, RandomState>,
    /// The place of each node up to the last one that has a place; [`NOWHERE`] for the others.
    of_nodes: Vec<u32>,
    /// Number of different values counted so far.
    counted: usize,
    /// Number of values at paths beyond the limits.
    pub beyond: u64,
}

/// How the children of an open list or object are told apart.
#[derive(Clone, Copy)]
enum Inside {
    Fields,
    Names,
    Items,
    /// Lists that are rows, as `--query` of `aws` prints them.
    Rows,
    /// The elements of the list at this node, which is a row.
    Columns(Id),
}

impl Tally {
    /// Counts a whole document.
    pub fn of(document: &Document<'_>) -> Self {
        let mut tally = Self::default();
        let root = document.root();
        let mut open: Vec<(Id, u32, Inside)> = Vec::new();
        let mut id = root;
        while id < document.end(root) {
            while open.pop_if(|(end, ..)| *end <= id).is_some() {}
            let place = match open.last() {
                None => Some(tally.add(Step::Items, 0)),
                Some(_) if open.len() >= DEEPEST => None,
                Some(&(_, parent, inside)) => tally.child(document, parent, inside, id),
            };
            let Some(place) = place else {
                tally.beyond += 1;
                id = document.end(id);
                continue;
            };
            tally.see(document, place, id);
            if document.is_scalar(id) {
                id += 1;
            } else if is_list_of_pairs(document, id) {
                document.children(id).for_each(|pair| tally.pair(document, place, pair));
                id = document.end(id);
            } else {
                let inside = match (document.kind(id), open.last()) {
                    (Kind::Array, Some((_, _, Inside::Rows))) => Inside::Columns(id),
                    (Kind::Array, _) if are_rows(document, id) => Inside::Rows,
                    (Kind::Array, _) => Inside::Items,
                    _ if has_names(document, id) => Inside::Names,
                    _ => Inside::Fields,
                };
                open.push((document.end(id), place, inside));
                id += 1;
            }
        }
        tally
    }

    pub fn get(&self, place: u32) -> &Place {
        &self.places[place as usize]
    }

    pub fn place_of(&self, node: Id) -> Option<u32> {
        self.of_nodes.get(node as usize).copied().filter(|&place| place != NOWHERE)
    }

    /// The places below `place`, with their numbers.
    pub fn below(&self, place: u32) -> impl Iterator<Item = (u32, &Place)> {
        self.get(place).below.iter().map(|&below| (below, self.get(below)))
    }

    fn add(&mut self, step: Step, above: u32) -> u32 {
        self.places.push(Place { step, above, fewest: usize::MAX, ..Place::default() });
        self.places.len() as u32 - 1
    }

    fn child(&mut self, document: &Document<'_>, parent: u32, inside: Inside, id: Id) -> Option<u32> {
        let step = match (inside, document.key_id(id)) {
            (Inside::Fields, Some(key)) => Step::Key(key),
            (Inside::Names, _) => Step::Members,
            (Inside::Columns(list), _) => {
                Step::Column(document.children(list).take_while(|&child| child < id).count() as u32)
            }
            _ => Step::Items,
        };
        if let Some(&place) = self.by_step.get(&(parent, step)) {
            return Some(place);
        }
        if step != Step::Members && self.get(parent).below.len() >= MOST_KEYS {
            return self.child(document, parent, Inside::Names, id);
        }
        let place = self.add_below(parent, step)?;
        self.by_step.insert((parent, step), place);
        Some(place)
    }

    fn add_below(&mut self, parent: u32, step: Step) -> Option<u32> {
        if self.places.len() >= MOST_PLACES {
            return None;
        }
        let place = self.add(step, parent);
        self.places[parent as usize].below.push(place);
        Some(place)
    }

    fn see(&mut self, document: &Document<'_>, place: u32, id: Id) {
        self.of_nodes.resize(id as usize + 1, NOWHERE);
        self.of_nodes[id as usize] = place;
        let place = &mut self.places[place as usize];
        place.seen += 1;
        place.nodes += u64::from(document.end(id) - id);
        if place.first.len() < FIRST {
            place.first.push(id);
        }
        match document.kind(id) {
            Kind::Array => place.lists += 1,
            Kind::Object => place.objects += 1,
            _ => return place.scalars.add(document, id, &mut self.counted),
        }
        let length = document.children(id).count();
        (place.fewest, place.most) = (place.fewest.min(length), place.most.max(length));
    }

    /// Counts the value of one `{Key, Value}` below the place of its list.
    fn pair(&mut self, document: &Document<'_>, list: u32, pair: Id) {
        let Some((key, value)) = pair_of(document, pair) else { return };
        let name = (list, document.text(key).into_owned());
        let mut place = self.by_tag.get(&name).copied();
        if place.is_none() && self.get(list).below.len() < MOST_KEYS {
            place = self.add_below(list, Step::Tag(key));
            self.by_tag.extend(place.map(|place| (name, place)));
        }
        match place {
            Some(place) => self.see(document, place, value),
            None => self.beyond += 1,
        }
    }
}

/// Whether an object has many members, all of them lists or objects.
fn has_names(document: &Document<'_>, id: Id) -> bool {
    document.children(id).nth(MOST_UNLIKE).is_some()
        && document.children(id).all(|child| !document.is_scalar(child))
}

/// Whether a list holds nothing but short lists: of scalars, or of one length with a scalar in each.
fn are_rows(document: &Document<'_>, id: Id) -> bool {
    let length = |row: Id| document.children(row).take(MOST_COLUMNS + 1).count();
    let Some(first) = document.children(id).next().map(length) else { return false };
    let all = |holds: &dyn Fn(Id) -> bool| document.children(id).all(holds);
    let is_flat = |row: Id| document.children(row).all(|child| document.is_scalar(child));
    let is_like_first =
        |row: Id| length(row) == first && document.children(row).any(|child| document.is_scalar(child));
    all(&|row| document.kind(row) == Kind::Array && length(row) <= MOST_COLUMNS)
        && (all(&is_flat) || first > 1 && all(&is_like_first))
}

/// Whether a list holds nothing but objects of a key and its value, as AWS writes tags and Kubernetes environments.
fn is_list_of_pairs(document: &Document<'_>, id: Id) -> bool {
    document.kind(id) == Kind::Array
        && !document.is_childless(id)
        && document.children(id).all(|pair| pair_of(document, pair).is_some())
}

/// The key and the value of `{Key, Value}`, both scalars, in either order.
fn pair_of(document: &Document<'_>, id: Id) -> Option<(Id, Id)> {
    if document.kind(id) != Kind::Object || document.end(id) != id + 3 {
        return None;
    }
    let name = |id: Id| document.key_id(id).map_or("", |key| document.key(key));
    let is_key = |id: Id| matches!(name(id), "Key" | "key" | "Name" | "name") && document.is_string(id);
    let is_value = |id: Id| matches!(name(id), "Value" | "value");
    [(id + 1, id + 2), (id + 2, id + 1)].into_iter().find(|&(key, value)| is_key(key) && is_value(value))
}

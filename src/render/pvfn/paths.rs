//! The paths that occur below the rows of a table, and which of them are written as columns of their own.

use super::hash::Map;
use super::scalar::estimate;
use crate::document::{Document, Id, Kind};

/// Deepest path below a row; anything nested deeper is one value.
const DEEPEST: u32 = 16;
/// Longest list whose elements get paths of their own (`containers.0.name`).
const LONGEST_LIST: u32 = 12;

/// Most distinct keys below a path, unless each comes at least twice on average: an object of ids is no row of columns.
const WIDEST: u32 = 1000;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Step {
    /// None: the row itself.
    #[default]
    Row,
    /// Member of an object, by the key's number in the document.
    Key(u32),
    /// Element of a list.
    Index(u32),
}

impl Step {
    /// The step below a path as one number. Neither paths nor keys are more than nodes, of which 29 bits tell apart.
    fn below(self, parent: u32) -> u64 {
        let step = match self {
            Self::Row => 0,
            Self::Key(key) => u64::from(key) << 1,
            Self::Index(index) => u64::from(index) << 1 | 1,
        };
        u64::from(parent) << 32 | step
    }
}

/// A path, and counts of the values at it.
#[derive(Debug, Default)]
pub struct Path {
    pub parent: u32,
    pub step: Step,
    /// Its place among all paths in preorder: those below it come next.
    pub rank: u32,
    /// Whether the value is taken apart into the paths below.
    pub open: bool,
    /// Estimated tokens of the last step, and of the whole dotted path.
    pub step_tokens: u32,
    pub tokens: u32,
    pub depth: u32,
    objects: u32,
    members: u32,
    distinct: u32,
    lists: u32,
    /// Lists that had another length than the one before, or hold something else than objects: such a list would stand
    /// in columns only in part.
    unlike: u32,
    last_length: u32,
    too_long: bool,
    too_wide: bool,
}

/// All paths below the rows of one table; 0 is the row itself.
#[derive(Debug, Default)]
pub struct Paths {
    all: Vec<Path>,
    below: Map<u64, u32>,
    /// The path that followed each path last time.
    next: Vec<u32>,
    last: u32,
    /// Whether the rows are those of a table that was printed as text.
    pub are_texts: bool,
}

impl Paths {
    /// Walks all rows and decides which values are taken apart; nothing if the rows have too little in common. The
    /// members named by `heads` come first.
    pub fn of(document: &Document<'_>, rows: &[Id], heads: &[u32]) -> Option<Self> {
        let mut paths = Self { are_texts: !heads.is_empty(), ..Self::default() };
        paths.add(0, Step::Row, 0, document);
        for &head in heads {
            paths.below(document, 0, Step::Key(head));
        }
        for &row in rows {
            paths.count(document, row, 0);
            if paths.all[0].too_wide {
                return None;
            }
        }
        let rows = rows.len() as u32;
        for (at, path) in paths.all.iter_mut().enumerate() {
            path.open = at == 0
                || path.objects > 0
                    && !path.too_wide
                    && (path.distinct <= 4 || path.members * 2 >= path.objects * path.distinct)
                    && path.objects * 10 >= rows * 4
                || path.lists > 0
                    && path.objects == 0
                    && !path.too_long
                    && path.unlike == 0
                    && path.lists * 10 >= rows * 9;
        }
        Some(paths)
    }

    fn add(&mut self, parent: u32, step: Step, depth: u32, document: &Document<'_>) -> u32 {
        let step_tokens = match step {
            Step::Key(key) => {
                estimate(document.key(key)) + if document.key(key).contains('.') { 2 } else { 0 }
            }
            Step::Row | Step::Index(_) => 1,
        };
        let above = self.all.get(parent as usize).map_or(0, |path| path.tokens + 1);
        self.all.push(Path {
            parent,
            step,
            step_tokens,
            tokens: if depth < 2 { step_tokens } else { above + step_tokens },
            depth,
            ..Path::default()
        });
        self.next.push(0);
        self.all.len() as u32 - 1
    }

    /// The path one step below, made if it is new.
    fn below(&mut self, document: &Document<'_>, parent: u32, step: Step) -> u32 {
        let guess = self.next[self.last as usize];
        let known = &self.all[guess as usize];
        let path = if guess != 0 && known.parent == parent && known.step == step {
            guess
        } else if let Some(&path) = self.below.get(&step.below(parent)) {
            path
        } else {
            let path = self.add(parent, step, self.all[parent as usize].depth + 1, document);
            self.all[parent as usize].distinct += 1;
            self.below.insert(step.below(parent), path);
            path
        };
        self.next[self.last as usize] = path;
        self.last = path;
        path
    }

    /// Recursion is bounded by [`DEEPEST`].
    fn count(&mut self, document: &Document<'_>, id: Id, at: u32) {
        if self.all[at as usize].depth >= DEEPEST {
            return;
        }
        match document.kind(id) {
            Kind::Object if !document.is_childless(id) => {
                self.all[at as usize].objects += 1;
                for child in document.children(id) {
                    let path = &mut self.all[at as usize];
                    path.members += 1;
                    path.too_wide |=
                        path.distinct > WIDEST && path.objects > 8 && path.members < path.distinct * 2;
                    if path.too_wide {
                        return;
                    }
                    let Some(key) = document.key_id(child) else { continue };
                    let path = self.below(document, at, Step::Key(key));
                    self.count(document, child, path);
                }
            }
            Kind::Array if holds_objects(document, id) => {
                let length = document.children(id).count() as u32;
                let path = &mut self.all[at as usize];
                path.lists += 1;
                path.unlike += u32::from(path.lists > 1 && path.last_length != length);
                path.last_length = length;
                path.too_long |= length > LONGEST_LIST;
                if path.too_long {
                    return;
                }
                for (index, child) in document.children(id).enumerate() {
                    let path = self.below(document, at, Step::Index(index as u32));
                    self.count(document, child, path);
                }
            }
            Kind::Array => self.all[at as usize].unlike += 1,
            _ => {}
        }
    }

    /// Calls `leaf` with each path of a row and the value that stands there, from the value `id` at the path `at` on.
    pub fn leaves(&mut self, document: &Document<'_>, id: Id, at: u32, leaf: &mut impl FnMut(u32, Id)) {
        let path = &self.all[at as usize];
        let apart = path.open
            && path.depth < DEEPEST
            && match document.kind(id) {
                Kind::Object => !document.is_childless(id),
                Kind::Array => path.lists > 0 && path.objects == 0 && holds_objects(document, id),
                _ => false,
            };
        if !apart {
            return leaf(at, id);
        }
        for (index, child) in document.children(id).enumerate() {
            let step = document.key_id(child).map_or(Step::Index(index as u32), Step::Key);
            let path = self.below(document, at, step);
            self.leaves(document, child, path, leaf);
        }
    }

    /// Ranks all paths, once there will be no more of them.
    pub fn rank(&mut self) {
        let mut sizes = vec![1; self.all.len()];
        for path in (1..self.all.len()).rev() {
            sizes[self.all[path].parent as usize] += sizes[path];
        }
        let mut next = vec![1; self.all.len()];
        for path in 1..self.all.len() {
            let parent = self.all[path].parent as usize;
            self.all[path].rank = next[parent];
            next[path] = next[parent] + 1;
            next[parent] += sizes[path];
        }
    }

    /// The path one step below, if there is one.
    pub fn find(&self, parent: u32, step: Step) -> Option<u32> {
        self.below.get(&step.below(parent)).copied()
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn get(&self, path: u32) -> &Path {
        &self.all[path as usize]
    }

    /// The paths above a path, from the nearest on, without the row itself.
    pub fn above(&self, path: u32) -> impl Iterator<Item = u32> {
        let parent = |path: u32| Some(self.get(path).parent).filter(|&parent| parent != 0);
        std::iter::successors(parent(path), move |&path| parent(path))
    }

    /// The first `depth` steps of a path as a path; the path itself if it has no more.
    pub fn start_of(&self, path: u32, depth: u32) -> u32 {
        (depth..self.get(path).depth).fold(path, |path, _| self.get(path).parent)
    }
}

/// Whether a node is a list or an object that holds objects that are not empty, at least one, and nothing else.
pub fn holds_objects(document: &Document<'_>, id: Id) -> bool {
    !document.is_childless(id)
        && document
            .children(id)
            .all(|child| document.kind(child) == Kind::Object && !document.is_childless(child))
}

//! The tree of a document. The nodes stand in preorder in one vector; each knows where its subtree ends, so that
//! walking needs no pointers and no recursion. Scalars are spans of the source: a number keeps its own text, a string
//! is only unescaped when it is needed.

use std::borrow::Cow;
use std::ops::Range;

use super::keys::Texts;
use super::scalars::decode;

/// The kind of a node. Strings come in two kinds so that the common one needs no decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    Null,
    Bool,
    /// Any JSON number; its span is its text.
    Number,
    /// A string without escapes; its span lies between the quotes.
    Plain,
    /// A string with at least one backslash.
    Escaped,
    Array,
    /// An object; its children carry keys.
    Object,
}

const KINDS: [Kind; 7] =
    [Kind::Null, Kind::Bool, Kind::Number, Kind::Plain, Kind::Escaped, Kind::Array, Kind::Object];
/// Bits of a key in [`Node::tag`]; its kind stands above them.
pub(super) const KEY_BITS: u32 = 29;
/// In place of a key, where a node has none.
pub(super) const NO_KEY: u32 = (1 << KEY_BITS) - 1;

/// Sixteen bytes a node: span in the source, end of the subtree, kind and key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) start: u32,
    pub(super) stop: u32,
    pub(super) end: u32,
    pub(super) tag: u32,
}

impl Node {
    /// A node of the source's `span`, whose subtree ends before the node `end`.
    pub(super) fn new(kind: Kind, key: u32, span: Range<usize>, end: usize) -> Self {
        let tag = (kind as u32) << KEY_BITS | key;
        Self { start: span.start as u32, stop: span.end as u32, end: end as u32, tag }
    }
}

/// Index of a node in its document.
pub type Id = u32;

/// One document, or a stream of several under a list that does not stand in the source.
#[derive(Debug)]
pub struct Document<'a> {
    pub(super) nodes: Vec<Node>,
    pub(super) texts: Texts<'a>,
    pub(super) root: Id,
    /// Number of lists and objects around the deepest value when the document was read. Removing nodes can only lower
    /// it.
    pub(super) depth: usize,
}

impl Document<'_> {
    /// The node that everything else hangs from.
    pub fn root(&self) -> Id {
        self.root
    }

    /// The root, or the documents of a stream.
    pub fn documents(&self) -> impl Iterator<Item = Id> {
        self.children(0)
    }

    /// Whether the root list stands for several documents one after another.
    pub fn is_stream(&self) -> bool {
        self.root == 0
    }

    /// Whether there are more than `most` lists and objects around a value.
    pub fn is_deeper(&self, most: usize) -> bool {
        if self.depth <= most {
            return false;
        }
        let mut open = Vec::new();
        (self.root..self.end(self.root)).any(|id| {
            while open.pop_if(|end| *end <= id).is_some() {}
            if !self.is_scalar(id) {
                open.push(self.end(id));
            }
            open.len() > most
        })
    }

    /// Number of nodes, the unused stream root included.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub fn kind(&self, id: Id) -> Kind {
        KINDS[(self.nodes[id as usize].tag >> KEY_BITS) as usize]
    }

    #[inline]
    pub fn is_scalar(&self, id: Id) -> bool {
        !matches!(self.kind(id), Kind::Array | Kind::Object)
    }

    #[inline]
    pub fn is_string(&self, id: Id) -> bool {
        matches!(self.kind(id), Kind::Plain | Kind::Escaped)
    }

    /// Interned number of the node's key, if its parent is an object.
    #[inline]
    pub fn key_id(&self, id: Id) -> Option<u32> {
        let key = self.nodes[id as usize].tag & NO_KEY;
        (key != NO_KEY).then_some(key)
    }

    #[inline]
    pub fn key(&self, key: u32) -> &str {
        self.texts.key(key)
    }

    pub fn key_count(&self) -> usize {
        self.texts.key_count()
    }

    /// The node's text in the source; of a string the text between the quotes, still escaped.
    #[inline]
    pub fn span(&self, id: Id) -> &str {
        let node = &self.nodes[id as usize];
        self.texts.get((node.start, node.stop))
    }

    #[inline]
    pub fn span_len(&self, id: Id) -> usize {
        let node = &self.nodes[id as usize];
        (node.stop - node.start) as usize
    }

    /// A scalar's text: the value of a string, the source of anything else.
    pub fn text(&self, id: Id) -> Cow<'_, str> {
        match self.kind(id) {
            Kind::Escaped => Cow::Owned(decode(self.span(id))),
            _ => Cow::Borrowed(self.span(id)),
        }
    }

    /// One past the last node of the subtree.
    #[inline]
    pub fn end(&self, id: Id) -> Id {
        self.nodes[id as usize].end
    }

    #[inline]
    pub fn is_childless(&self, id: Id) -> bool {
        self.end(id) == id + 1
    }

    /// The node's direct children, in order.
    #[inline]
    pub fn children(&self, id: Id) -> impl Iterator<Item = Id> {
        let (mut at, end) = (id + 1, self.end(id));
        std::iter::from_fn(move || {
            let child = (at < end).then_some(at)?;
            at = self.end(child);
            Some(child)
        })
    }

    pub fn replace_string(&mut self, id: Id, value: &str) {
        let node = &mut self.nodes[id as usize];
        (node.start, node.stop) = self.texts.add(value);
        node.tag = (Kind::Plain as u32) << KEY_BITS | node.tag & NO_KEY;
    }

    /// Keeps only the nodes that `keep` marks; a dropped node takes its whole subtree along.
    ///
    /// The arena is compacted in place, in one pass.
    pub fn retain(&mut self, keep: &[bool]) {
        let mut moved = Vec::with_capacity(self.nodes.len() + 1);
        let (mut kept, mut at) = (0u32, 0usize);
        while at < self.nodes.len() {
            let next = if keep[at] { at + 1 } else { self.nodes[at].end as usize };
            moved.resize(next, kept);
            if keep[at] {
                self.nodes[kept as usize] = self.nodes[at];
                kept += 1;
            }
            at = next;
        }
        moved.push(kept);
        self.nodes.truncate(kept as usize);
        for node in &mut self.nodes {
            node.end = moved[node.end as usize];
        }
    }
}

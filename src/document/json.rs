//! A strict JSON parser (RFC 8259) that fills the flat tree, without recursion.

use super::keys::Interner;
pub use super::scalars::Fault;
use super::scalars::{decode, hex4, number_end};
use super::tree::{Document, KEY_BITS, Kind, NO_KEY, Node};

/// Deepest nesting that is read as a document; anything deeper is left as it is.
const MAX_DEPTH: usize = 1_000;

/// Fills one document from one or several texts in `source`.
#[derive(Default)]
pub struct Parser<'a> {
    source: &'a str,
    pub(super) nodes: Vec<Node>,
    keys: Interner<'a>,
    /// The key that followed each key last time: most objects repeat their order.
    followers: Vec<u32>,
    last_key: u32,
    /// The object that used each key last, for finding duplicates.
    owners: Vec<u32>,
    open: Vec<u32>,
    /// Most containers that were open at a time.
    depth: usize,
    node_limit: usize,
}

impl<'a> Parser<'a> {
    /// A parser over `source`; offsets are positions in it. The node limit keeps the tree within four bytes
    /// of memory a byte of input once the input is larger than a few megabytes.
    pub fn new(source: &'a str) -> Self {
        let node_limit = (source.len() / 4).max(1 << 20);
        let stream = Node::new(Kind::Array, NO_KEY, 0..0, 0);
        Self { source, nodes: vec![stream], keys: Interner::new(source), node_limit, ..Self::default() }
    }

    /// The document of all values read so far: the value itself if there is one, else a stream.
    pub fn finish(mut self, values: usize) -> Document<'a> {
        self.nodes[0].end = self.nodes.len() as u32;
        self.nodes.shrink_to_fit();
        Document {
            nodes: self.nodes,
            texts: self.keys.texts,
            root: u32::from(values == 1),
            // A stream is a list around its documents.
            depth: self.depth + usize::from(values != 1),
        }
    }

    /// Reads the value at `at` and returns the offset behind it. A failed call leaves no nodes behind.
    pub fn value(&mut self, at: usize) -> Result<usize, Fault> {
        let before = self.nodes.len();
        self.open.clear();
        self.last_key = NO_KEY;
        let result = self.run(at);
        if result.is_err() {
            self.nodes.truncate(before);
        }
        result
    }

    fn run(&mut self, mut at: usize) -> Result<usize, Fault> {
        let bytes = self.source.as_bytes();
        loop {
            // A value is due at `at`; inside an object its key comes first.
            at = blanks(bytes, at);
            let mut key = NO_KEY;
            if let Some(&parent) = self.open.last()
                && self.is_object(parent)
            {
                (key, at) = self.member_key(at)?;
            }
            let opened = self.nodes.len();
            at = self.begin(at, key)?;
            if self.open.last().is_some_and(|&id| id as usize == opened) {
                let close = if self.is_object(opened as u32) { b'}' } else { b']' };
                at = blanks(bytes, at);
                if bytes.get(at) != Some(&close) {
                    continue;
                }
            }
            at = self.close(at)?;
            if self.open.is_empty() {
                return Ok(at);
            }
        }
    }

    fn is_object(&self, id: u32) -> bool {
        self.nodes[id as usize].tag >> KEY_BITS == Kind::Object as u32
    }

    /// After a value: closes as many containers as end here; returns the offset behind them, and behind the comma
    /// before the next value if one is still open.
    fn close(&mut self, mut at: usize) -> Result<usize, Fault> {
        let bytes = self.source.as_bytes();
        loop {
            let Some(&parent) = self.open.last() else { return Ok(at) };
            at = blanks(bytes, at);
            let object = self.is_object(parent);
            match bytes.get(at) {
                Some(b',') => return Ok(at + 1),
                Some(b'}') if object => {}
                Some(b']') if !object => {}
                _ => return Err(Fault::unexpected(bytes, at)),
            }
            at += 1;
            let end = self.nodes.len() as u32;
            let node = &mut self.nodes[parent as usize];
            node.end = end;
            node.stop = at as u32;
            if object {
                self.check_duplicates(parent)?;
            }
            self.open.pop();
        }
    }

    /// Fails if an object has a key twice.
    fn check_duplicates(&mut self, object: u32) -> Result<(), Fault> {
        let mut child = object + 1;
        while child < self.nodes[object as usize].end {
            let node = self.nodes[child as usize];
            if std::mem::replace(&mut self.owners[(node.tag & NO_KEY) as usize], object) == object {
                return Err(Fault::Refused);
            }
            child = node.end;
        }
        Ok(())
    }

    /// Reads `"key":` and returns the key's number and the offset of the value.
    fn member_key(&mut self, at: usize) -> Result<(u32, usize), Fault> {
        let bytes = self.source.as_bytes();
        if bytes.get(at) != Some(&b'"') {
            return Err(Fault::unexpected(bytes, at));
        }
        let (stop, escaped) = string_end(bytes, at + 1)?;
        let key = self.intern(at + 1, stop, escaped)?;
        let colon = blanks(bytes, stop + 1);
        if bytes.get(colon) != Some(&b':') {
            return Err(Fault::unexpected(bytes, colon));
        }
        Ok((key, blanks(bytes, colon + 1)))
    }

    fn intern(&mut self, start: usize, stop: usize, escaped: bool) -> Result<u32, Fault> {
        let last = std::mem::replace(&mut self.last_key, NO_KEY);
        let raw = &self.source[start..stop];
        if !escaped
            && let Some(&guess) = self.followers.get(last as usize)
            && guess != NO_KEY
            && self.keys.texts.key(guess) == raw
        {
            self.last_key = guess;
            return Ok(guess);
        }
        let key = if escaped { self.keys.decoded(&decode(raw)) } else { self.keys.plain(start, stop) };
        if key >= NO_KEY - 1 {
            return Err(Fault::Refused);
        }
        if key as usize == self.followers.len() {
            self.followers.push(NO_KEY);
            self.owners.push(0);
        }
        if let Some(follower) = self.followers.get_mut(last as usize) {
            *follower = key;
        }
        self.last_key = key;
        Ok(key)
    }

    /// Pushes the value that begins at `at`; a scalar is read to its end, a container is opened.
    fn begin(&mut self, at: usize, key: u32) -> Result<usize, Fault> {
        if self.nodes.len() >= self.node_limit {
            return Err(Fault::Refused);
        }
        let bytes = self.source.as_bytes();
        let id = self.nodes.len();
        let (kind, start, stop, after) = match *bytes.get(at).ok_or(Fault::Truncated)? {
            b'"' => {
                let (stop, escaped) = string_end(bytes, at + 1)?;
                (if escaped { Kind::Escaped } else { Kind::Plain }, at + 1, stop, stop + 1)
            }
            open @ (b'{' | b'[') => {
                if self.open.len() >= MAX_DEPTH {
                    return Err(Fault::Refused);
                }
                self.open.push(id as u32);
                self.depth = self.depth.max(self.open.len());
                (if open == b'{' { Kind::Object } else { Kind::Array }, at, at, at + 1)
            }
            b't' => literal(bytes, at, b"true", Kind::Bool)?,
            b'f' => literal(bytes, at, b"false", Kind::Bool)?,
            b'n' => literal(bytes, at, b"null", Kind::Null)?,
            _ => {
                let stop = number_end(bytes, at)?;
                (Kind::Number, at, stop, stop)
            }
        };
        self.nodes.push(Node::new(kind, key, start..stop, id + 1));
        Ok(after)
    }
}

/// The offset of the first byte at or after `at` that is not JSON white space.
pub(super) fn blanks(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

/// Offset of the closing quote, and whether there is an escape before it.
fn string_end(bytes: &[u8], mut at: usize) -> Result<(usize, bool), Fault> {
    let mut escaped = false;
    loop {
        let byte = *bytes.get(at).ok_or(Fault::Truncated)?;
        match byte {
            b'"' => return Ok((at, escaped)),
            b'\\' => {
                escaped = true;
                at = escape_end(bytes, at + 1)?;
            }
            0..0x20 => return Err(Fault::Syntax(at)),
            _ => at += 1,
        }
    }
}

/// Offset behind the escape whose letter stands at `at`; a surrogate must come with its other half.
fn escape_end(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    match *bytes.get(at).ok_or(Fault::Truncated)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(at + 1),
        b'u' => {
            let rest = &bytes[at + 1..];
            match hex4(rest).ok_or(if rest.len() < 4 { Fault::Truncated } else { Fault::Syntax(at) })? {
                0xD800..0xDC00 => match (rest.get(4..6), rest.get(6..).and_then(hex4)) {
                    (Some(b"\\u"), Some(0xDC00..0xE000)) => Ok(at + 11),
                    _ => Err(Fault::Refused),
                },
                0xDC00..0xE000 => Err(Fault::Refused),
                _ => Ok(at + 5),
            }
        }
        _ => Err(Fault::Syntax(at)),
    }
}

fn literal(bytes: &[u8], at: usize, word: &[u8], kind: Kind) -> Result<(Kind, usize, usize, usize), Fault> {
    let rest = &bytes[at..];
    if rest.starts_with(word) {
        Ok((kind, at, at + word.len(), at + word.len()))
    } else if word.starts_with(rest) {
        Err(Fault::Truncated)
    } else {
        Err(Fault::Syntax(at))
    }
}

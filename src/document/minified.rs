//! Tells whether a document was minified JSON already, by the offsets of its parts.

use super::{Document, Id, Kind, has_c1};

impl Document<'_> {
    /// Whether `input` is the document's minified JSON, byte for byte: the text that was read, one value or one a line,
    /// without blanks, and without escapes in keys. A text with C1 controls is never taken for minified, because keys
    /// are written with these escaped.
    pub fn is_minified(&self, input: &[u8]) -> bool {
        let source = self.source.as_bytes();
        if input != source || has_c1(source) {
            return false;
        }
        let mut at = 0;
        for top in self.documents() {
            match self.end_of_minified(top, at) {
                Some(end) if source.get(end) == Some(&b'\n') => at = end + 1,
                _ => return false,
            }
        }
        at == source.len()
    }

    /// The end of the value at `at`, if the value stands there in its minified form.
    fn end_of_minified(&self, top: Id, mut at: usize) -> Option<usize> {
        let source = self.source.as_bytes();
        let skip = |at: &mut usize, byte: u8| {
            let same = source.get(*at) == Some(&byte);
            *at += usize::from(same);
            same.then_some(())
        };
        let mut open: Vec<(Id, u8)> = Vec::new();
        let mut first = true;
        for id in top..self.end(top) {
            while let Some((_, close)) = open.pop_if(|(end, _)| *end <= id) {
                skip(&mut at, close)?;
                first = false;
            }
            if !std::mem::take(&mut first) {
                skip(&mut at, b',')?;
            }
            let node = &self.nodes[id as usize];
            let (start, stop) = (node.start as usize, node.stop as usize);
            let quotes = usize::from(self.is_string(id));
            if let Some(key) = self.key_id(id).filter(|_| id != top) {
                // The parser saw a string, a colon and this value, so only the key stands between the two quotes.
                skip(&mut at, b'"')?;
                at += self.key(key).len();
                skip(&mut at, b'"')?;
                skip(&mut at, b':')?;
            }
            for _ in 0..quotes {
                skip(&mut at, b'"')?;
            }
            if at != start {
                return None;
            }
            match self.kind(id) {
                Kind::Array => open.push((self.end(id), b']')),
                Kind::Object => open.push((self.end(id), b'}')),
                _ => at = stop + quotes,
            }
            if !self.is_scalar(id) {
                at += 1;
                first = true;
            }
        }
        while let Some((_, close)) = open.pop() {
            skip(&mut at, close)?;
        }
        Some(at)
    }
}

//! A path into a JSON document (RFC 9535), and the values that it leads to.

use serde_json::Value as Json;

use super::super::value::Budget;
use super::condition::Condition;

/// Conditions in conditions: no deeper.
const DEEPEST: usize = 8;

/// A path from the document's root, or from a value.
#[derive(Debug)]
pub struct Path(Vec<Segment>);

#[derive(Debug)]
enum Segment {
    /// Of each value those of its children that one of these selects.
    Children(Vec<Selector>),
    /// The value itself and everything in it.
    Descendants,
}

#[derive(Debug)]
enum Selector {
    Key(String),
    Index(i64),
    Slice(Option<i64>, Option<i64>, i64),
    Every,
    Where(Condition),
}

/// What is still to be read of a path.
#[derive(Clone, Copy)]
pub struct Cursor<'t> {
    /// The rest of its text.
    pub rest: &'t str,
    /// Conditions in conditions that may still come.
    pub depth: usize,
}

impl<'t> Cursor<'t> {
    /// Takes `wanted`, and blanks in front of it, where it comes next.
    pub fn take(&mut self, wanted: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(wanted);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Takes the signs that come next as long as they fit; none is nothing.
    pub fn while_fits(&mut self, fits: impl Fn(char) -> bool) -> Option<&'t str> {
        let end = self.rest.find(|c| !fits(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        (end > 0).then_some(taken)
    }

    /// Takes a text in quotes, where one comes next.
    pub fn quoted(&mut self) -> Option<String> {
        let quote = self.rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let (mut text, mut chars) = (String::new(), self.rest[1..].char_indices());
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => match chars.next()?.1 {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    c @ ('\'' | '"' | '\\' | '/') => text.push(c),
                    _ => return None,
                },
                c if c == quote => {
                    self.rest = &self.rest[at + 2..];
                    return Some(text);
                }
                c => text.push(c),
            }
        }
        None
    }

    /// Takes a whole number, where one comes next.
    pub fn integer(&mut self) -> Option<i64> {
        let before = self.rest;
        let number = self.while_fits(|c| c.is_ascii_digit() || c == '-').and_then(|text| text.parse().ok());
        self.rest = if number.is_none() { before } else { self.rest };
        number
    }
}

impl Path {
    /// Reads a path: `$.items[?@.status.phase == "Running"].metadata['name']`.
    ///
    /// # Errors
    /// In one line: where it is none.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut cursor = Cursor { rest: text.trim(), depth: DEEPEST };
        let path = if cursor.take("$") { Self::segments(&mut cursor) } else { None };
        path.filter(|_| cursor.rest.is_empty()).ok_or_else(|| {
            let near = if cursor.rest.is_empty() { "its end" } else { cursor.rest };
            format!("`{text}` is no path such as $.items[*].name, at {near}")
        })
    }

    /// Reads what follows `$` or `@`, up to what is no part of a path.
    pub fn segments(cursor: &mut Cursor<'_>) -> Option<Self> {
        let mut segments = Vec::new();
        loop {
            if cursor.rest.starts_with('[') {
                segments.push(Segment::Children(selectors(cursor)?));
                continue;
            }
            let Some(behind) = cursor.rest.strip_prefix('.') else { return Some(Self(segments)) };
            cursor.rest = behind;
            if let Some(behind) = behind.strip_prefix('.') {
                segments.push(Segment::Descendants);
                cursor.rest = behind;
                if behind.starts_with('[') {
                    continue;
                }
            }
            let selector = if cursor.take("*") {
                Selector::Every
            } else {
                let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-') || !c.is_ascii();
                Selector::Key(cursor.while_fits(is_name)?.to_owned())
            };
            segments.push(Segment::Children(vec![selector]));
        }
    }

    /// The values that it leads to from `from`; `None` where that is too much work.
    pub fn follow<'d>(&self, root: &'d Json, from: &'d Json, budget: &Budget) -> Option<Vec<&'d Json>> {
        let mut found = vec![from];
        for segment in &self.0 {
            let mut next = Vec::new();
            for value in found {
                match segment {
                    Segment::Descendants => descend(value, &mut next, budget)?,
                    Segment::Children(selectors) => {
                        for selector in selectors {
                            budget.spend(1)?;
                            selector.select(root, value, &mut next, budget)?;
                        }
                    }
                }
            }
            found = next;
        }
        Some(found)
    }

    /// Whether it leads to one value at most, whatever the document.
    pub fn is_singular(&self) -> bool {
        self.0.iter().all(|segment| {
            matches!(segment, Segment::Children(one) if matches!(one[..], [Selector::Key(_) | Selector::Index(_)]))
        })
    }
}

/// Reads `[...]`.
fn selectors(cursor: &mut Cursor<'_>) -> Option<Vec<Selector>> {
    cursor.take("[").then_some(())?;
    let mut selectors = Vec::new();
    loop {
        cursor.rest = cursor.rest.trim_start();
        selectors.push(selector(cursor)?);
        if cursor.take("]") {
            return Some(selectors);
        }
        cursor.take(",").then_some(())?;
    }
}

fn selector(cursor: &mut Cursor<'_>) -> Option<Selector> {
    if cursor.take("*") {
        return Some(Selector::Every);
    }
    if cursor.take("?") {
        cursor.depth = cursor.depth.checked_sub(1)?;
        let condition = Condition::parse(cursor)?;
        cursor.depth += 1;
        return Some(Selector::Where(condition));
    }
    if cursor.rest.starts_with(['\'', '"']) {
        return cursor.quoted().map(Selector::Key);
    }
    let from = cursor.integer();
    if !cursor.take(":") {
        return from.map(Selector::Index);
    }
    let mut number = || {
        cursor.rest = cursor.rest.trim_start();
        cursor.integer()
    };
    let to = number();
    let step = if cursor.take(":") {
        cursor.rest = cursor.rest.trim_start();
        cursor.integer().unwrap_or(1)
    } else {
        1
    };
    Some(Selector::Slice(from, to, step))
}

impl Selector {
    fn select<'d>(
        &self,
        root: &'d Json,
        value: &'d Json,
        found: &mut Vec<&'d Json>,
        budget: &Budget,
    ) -> Option<()> {
        match (self, value) {
            (Self::Key(key), Json::Object(fields)) => found.extend(fields.get(key)),
            (Self::Index(index), Json::Array(items)) => {
                let at = if *index < 0 { index + items.len() as i64 } else { *index };
                found.extend(usize::try_from(at).ok().and_then(|at| items.get(at)));
            }
            (Self::Slice(from, to, step), Json::Array(items)) => {
                slice(items.len(), *from, *to, *step, |at| found.extend(items.get(at)));
            }
            (Self::Every, Json::Array(items)) => found.extend(items),
            (Self::Every, Json::Object(fields)) => found.extend(fields.values()),
            (Self::Where(condition), Json::Array(items)) => {
                for item in items {
                    found.extend(condition.holds(root, item, budget)?.then_some(item));
                }
            }
            (Self::Where(condition), Json::Object(fields)) => {
                for item in fields.values() {
                    found.extend(condition.holds(root, item, budget)?.then_some(item));
                }
            }
            _ => {}
        }
        Some(())
    }
}

/// The places that `from:to:step` names in a list (RFC 9535, 2.3.4.2).
fn slice(length: usize, from: Option<i64>, to: Option<i64>, step: i64, mut take: impl FnMut(usize)) {
    let length = length as i64;
    let normal = |at: i64| if at >= 0 { at } else { length.saturating_add(at) };
    let (first, last) = if step >= 0 { (0, length) } else { (length - 1, -length - 1) };
    let (from, to) = (normal(from.unwrap_or(first)), normal(to.unwrap_or(last)));
    if step > 0 {
        let (mut at, end) = (from.clamp(0, length), to.clamp(0, length));
        while at < end {
            take(at as usize);
            at = at.saturating_add(step);
        }
    } else if step < 0 {
        let (mut at, end) = (from.clamp(-1, length - 1), to.clamp(-1, length - 1));
        while at > end {
            take(at as usize);
            at = at.saturating_add(step);
        }
    }
}

fn descend<'d>(value: &'d Json, found: &mut Vec<&'d Json>, budget: &Budget) -> Option<()> {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        budget.spend(1)?;
        found.push(value);
        match value {
            Json::Array(items) => waiting.extend(items.iter().rev()),
            Json::Object(fields) => waiting.extend(fields.values().rev()),
            _ => {}
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(document: &Json, path: &str) -> String {
        let parsed = Path::parse(path).unwrap_or_else(|error| panic!("{error}"));
        let found = parsed.follow(document, document, &Budget::for_input(0)).unwrap();
        serde_json::to_string(&found).unwrap()
    }

    #[test]
    fn paths_are_followed() {
        let document =
            serde_json::json!({"a": [{"b": 1}, {"b": 2}, {"c": {"b": 3}}], "d e": "x", "n": [0, 1, 2, 3, 4]});
        for (path, expected) in [
            ("$.a[*].b", "[1,2]"),
            ("$.a[-1].c.b", "[3]"),
            ("$.a[0:2].b", "[1,2]"),
            ("$.a[5:9]", "[]"),
            ("$..b", "[1,2,3]"),
            ("$['d e']", "[\"x\"]"),
            ("$.a[9]", "[]"),
            ("$.nope.b", "[]"),
            ("$.n[::2]", "[0,2,4]"),
            ("$.n[::-1]", "[4,3,2,1,0]"),
            ("$.n[3:1:-1]", "[3,2]"),
            ("$.n[0, 2, -1]", "[0,2,4]"),
            ("$.n[1:3:0]", "[]"),
        ] {
            assert_eq!(found(&document, path), expected, "{path}");
        }
        let deep = format!("${}", "[?@".repeat(20));
        for path in ["a", "$x", "$.", "$[", "$.a[b]", "$.a[1,]", "$['a", "$.a b", deep.as_str()] {
            assert!(Path::parse(path).is_err(), "{path}");
        }
    }

    #[test]
    fn conditions_select() {
        let document = serde_json::json!({"want": 2, "items": [
            {"name": "a", "n": 1, "tags": ["x"], "state": {"phase": "Running"}},
            {"name": "b", "n": 2, "tags": [], "state": {"phase": "Failed"}, "gone": null},
            {"name": "cc", "n": 3.5, "ready": true}
        ]});
        for (condition, expected) in [
            ("@.state.phase == 'Running'", "[\"a\"]"),
            ("@.n >= 2", "[\"b\",\"cc\"]"),
            ("@.n < 2 || @.ready == true", "[\"a\",\"cc\"]"),
            ("@.n > 1 && !(@.name == \"b\")", "[\"cc\"]"),
            ("@.n == $.want", "[\"b\"]"),
            ("@.gone", "[\"b\"]"),
            ("!@.state", "[\"cc\"]"),
            ("@.gone == null", "[\"b\"]"),
            ("@.none == @.nothing", "[\"a\",\"b\",\"cc\"]"),
            ("@.tags[?@ == 'x']", "[\"a\"]"),
            ("length(@.name) == 2", "[\"cc\"]"),
            ("count(@.tags[*]) == 1", "[\"a\"]"),
            ("match(@.name, 'c+')", "[\"cc\"]"),
            ("match(@.name, 'c')", "[]"),
            ("search(@.state.phase, '^F|nn')", "[\"a\",\"b\"]"),
            ("value(@..phase) == 'Failed'", "[\"b\"]"),
            ("@.name < 'b'", "[\"a\"]"),
            ("@.n == 2.0", "[\"b\"]"),
            ("(@.n != 1)", "[\"b\",\"cc\"]"),
        ] {
            assert_eq!(found(&document, &format!("$.items[?{condition}].name")), expected, "{condition}");
        }
        for condition in
            ["", "@.a ==", "@.a = 1", "@[*] == 1", "nope(@.a)", "match(@.a, '(')", "@.a &&", "(@.a", "1"]
        {
            assert!(Path::parse(&format!("$[?{condition}]")).is_err(), "{condition}");
        }
    }
}

//! Long texts in quotes that come again, as the types in the messages of a compiler do: each stands once, with a name, by
//! which it is called from then on.

use super::super::maps::HashMap;
use std::borrow::Cow;

/// Fewest bytes of a text that is worth a name.
const LONG: usize = 60;

/// The texts that come again, and the names given so far.
#[derive(Clone, Debug, Default)]
pub struct Names<'t> {
    /// How often each comes, and its name once that was given.
    known: HashMap<&'t str, (usize, Option<String>)>,
    /// The letters of the names; none where the tool writes such names itself.
    letters: &'static str,
    given: usize,
}

impl<'t> Names<'t> {
    /// Finds the texts that come again in these lines.
    pub fn of(lines: impl Iterator<Item = &'t str> + Clone) -> Self {
        let is_free = |letters: &&&str| !lines.clone().any(|line| line.contains(&format!("{letters}1")));
        let letters = ["T", "Type_", "Text_"].iter().find(is_free).copied().unwrap_or_default();
        let mut names = Self { letters, ..Self::default() };
        if !letters.is_empty() {
            for quoted in lines.flat_map(|line| pieces(line).filter(|piece| is_long(piece))) {
                names.known.entry(quoted).or_default().0 += 1;
            }
        }
        names.known.retain(|_, (count, _)| *count > 1);
        names
    }

    /// The line with names in the place of texts that were told, and a name behind each text that will come again.
    pub fn called<'l>(&mut self, line: &'l str) -> Cow<'l, str> {
        if self.known.is_empty() || line.len() < LONG {
            return Cow::Borrowed(line);
        }
        let mut out = String::new();
        for piece in pieces(line) {
            match self.known.get_mut(piece) {
                Some((_, Some(name))) => out += name,
                Some((_, name)) => {
                    self.given += 1;
                    let new = name.insert(format!("{}{}", self.letters, self.given));
                    out += &format!("{piece}={new}");
                }
                None => out += piece,
            }
        }
        Cow::Owned(out)
    }
}

fn is_long(piece: &str) -> bool {
    piece.len() >= LONG && piece.starts_with(['\'', '‘', '`'])
}

/// A line in pieces: texts in quotes, with their quotes, and what stands between them. An apostrophe within a word opens
/// no quotes.
fn pieces(line: &str) -> impl Iterator<Item = &str> {
    let (mut rest, mut unclosed, mut in_word) = (line, Vec::new(), false);
    std::iter::from_fn(move || {
        let open = rest.chars().next()?;
        let close = match open {
            '‘' => '’',
            '\'' | '`' => open,
            _ => '\0',
        };
        let is_quote = close != '\0' && !in_word && !unclosed.contains(&close);
        let quoted = is_quote.then(|| rest[open.len_utf8()..].find(close)).flatten();
        if is_quote && quoted.is_none() {
            unclosed.push(close);
        }
        let from = open.len_utf8();
        let next = || rest[from..].find(['\'', '‘', '`']).unwrap_or(rest.len() - from);
        let end = from + quoted.map_or_else(next, |length| length + close.len_utf8());
        let (piece, behind) = rest.split_at(end);
        in_word = piece.ends_with(char::is_alphanumeric);
        rest = behind;
        Some(piece)
    })
}

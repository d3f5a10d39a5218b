//! The lines of an outline: the paths as a tree, with what stands at each.

use std::fmt::Write as _;

use super::items::Items;
use super::tally::{Step, Tally};
use super::values::{is_id, is_reference, shown, written};
use crate::document::Document;
use crate::pipeline::visible;
use crate::plural::counted;
use crate::tokens;

/// Most bytes of a line of values that are the same everywhere.
const LONGEST_SAME: usize = 320;
/// Longest message, in characters.
const LONGEST_MESSAGE: usize = 200;
/// Ranks added to a list that is not on the path to the longest one, and to a field of the top level beside that path.
const LIST: u32 = 2;
const ASIDE: u32 = 10;
/// Ranks added for each level; taken off for a few values that occur again and again, by which readers count and
/// choose; added for values that differ in each item.
const DEEPER: u32 = 3;
const SOONER: u32 = 3;
const UNLIKE: u32 = 2;

/// The place of a line of the outline.
#[derive(Clone, Copy)]
struct At {
    above: Option<usize>,
    depth: usize,
    /// Lines of a lower rank are chosen first.
    rank: u32,
}

impl At {
    /// This place with a lower rank if `so`, but never lower than that of the line above.
    fn told_first(self, so: bool) -> Self {
        Self { rank: self.rank.saturating_sub(if so { SOONER } else { 0 }), ..self }
    }
}

/// Collects the outline's lines.
pub struct Tree<'t, 'd> {
    document: &'t Document<'d>,
    tally: &'t Tally,
    /// The places on the path to the longest list.
    way: &'t [u32],
    items: Option<&'t Items<'t, 'd>>,
    lines: Vec<(At, String)>,
}

impl<'t, 'd> Tree<'t, 'd> {
    /// All lines; [`Self::write`] chooses from them.
    pub fn of(document: &'t Document<'d>, tally: &'t Tally, items: Option<&'t Items<'t, 'd>>) -> Self {
        let way = items.map_or(&[][..], |items| &items.longest.places);
        let mut tree = Self { document, tally, way, items, lines: Vec::new() };
        let at = At { above: None, depth: 0, rank: 0 };
        if tally.get(0).lists > 0 {
            let name = if document.is_stream() { "(documents one after another)" } else { "" };
            tree.list(0, name.to_owned(), at, 1);
        } else {
            tree.object(0, String::new(), at, 1);
        }
        tree
    }

    /// The lines that fit into `most` tokens, those of a low rank first; each says how many lines below it are left
    /// out.
    pub fn write(self, most: usize) -> String {
        let mut order: Vec<usize> = (0..self.lines.len()).collect();
        order.sort_unstable_by_key(|&at| (self.lines[at].0.rank, at));
        let mut kept = vec![false; self.lines.len()];
        let mut left = most;
        for at in order {
            let (line, text) = &self.lines[at];
            // One more blank for each level, and the mark of lines that are left out below.
            let tokens = tokens::count(text.as_bytes()) + 2;
            if line.above.is_none_or(|above| kept[above]) && tokens <= left {
                kept[at] = true;
                left -= tokens;
            }
        }
        let mut missing = vec![0; self.lines.len()];
        let mut missing_at_top = 0;
        for at in (0..self.lines.len()).filter(|&at| !kept[at]) {
            let mut above = self.lines[at].0.above;
            while let Some(line) = above.filter(|&line| !kept[line]) {
                above = self.lines[line].0.above;
            }
            *above.map_or(&mut missing_at_top, |line| &mut missing[line]) += 1;
        }
        let mut out = String::new();
        for (at, (line, text)) in self.lines.iter().enumerate().filter(|(at, _)| kept[*at]) {
            let _ = write!(out, "{:depth$}{text}", "", depth = line.depth);
            out.push_str(&if missing[at] > 0 { format!(" … +{}\n", missing[at]) } else { "\n".into() });
        }
        if missing_at_top > 0 {
            let _ = writeln!(out, "… +{missing_at_top}");
        }
        out
    }

    fn add(&mut self, at: At, text: String) -> At {
        self.lines.push((at, text));
        At { above: Some(self.lines.len() - 1), depth: at.depth + 1, rank: at.rank + DEEPER }
    }

    /// Adds the fields of a place whose values are objects, or rows; those that are the same in all of them share a
    /// line.
    fn fields(&mut self, number: u32, at: At) {
        let place = self.tally.get(number);
        let of = |step| if matches!(step, Step::Column(_)) { place.lists } else { place.objects };
        let mut same = String::new();
        let mut more = 0;
        for (_, below) in self.tally.below(number) {
            if let Some(only) = below.scalars.only().filter(|_| below.scalars.count == of(below.step))
                && let Some(name) = below.step.name(self.document)
            {
                let pair = format!(" {name}={}", shown(self.document, only));
                let fits = same.len() + pair.len() <= LONGEST_SAME;
                more += u32::from(!fits);
                same.push_str(if fits { &pair } else { "" });
            }
        }
        if !same.is_empty() {
            let more = if more > 0 { format!(" … +{more}") } else { String::new() };
            let same = if place.seen > 1 { format!("all:{same}") } else { same.trim_start().to_owned() };
            let is_below = at.above.is_some_and(|above| self.lines[above].0.depth > 0);
            self.add(At { rank: at.rank + if is_below { UNLIKE } else { 0 }, ..at }, same + &more);
        }
        let tally = self.tally;
        for (below, what) in tally.below(number) {
            match what.step.name(self.document) {
                Some(name) => self.field(below, name, at, of(what.step)),
                None if what.step == Step::Members => self.members(below, at),
                None => {}
            }
        }
    }

    fn field(&mut self, number: u32, name: String, mut at: At, of: u64) {
        let place = self.tally.get(number);
        let scalars = &place.scalars;
        if scalars.count > 0 && (scalars.count < of || scalars.only().is_none()) {
            let kinds = self.items.and_then(|items| items.messages(number));
            let mut at = at.told_first(scalars.are_few() || kinds.is_some());
            if let Some(kinds) = kinds {
                let head = format!(
                    "{name}: ×{}, {}, a message of each{}",
                    scalars.count,
                    counted(kinds.len() as u64, "kind"),
                    part(scalars.count, of)
                );
                at = self.add(at, head);
                at.rank -= DEEPER;
                for (nth, kind) in kinds.iter().enumerate() {
                    // Both ends are told first: what comes most often, and what is rare.
                    let rank = at.rank + nth.min(kinds.len() - 1 - nth) as u32;
                    let message = message(&self.document.text(kind.first));
                    let note = self.items.map_or(String::new(), |items| items.of_kind(kind));
                    self.add(At { rank, ..at }, format!("×{} {message} ({note})", kind.items.len()));
                }
            } else {
                at = at.told_first(is_reference(&name) && !scalars.are_names());
                at.rank += if scalars.are_unlike() && !is_id(&name) { UNLIKE } else { 0 };
                self.add(at, format!("{name}: {}", self.values(number, of)));
            }
        }
        let is_aside = at.depth == 0 && !self.way.is_empty() && !self.way.contains(&number);
        at.rank += if is_aside { ASIDE } else { 0 };
        if place.objects > 0 {
            self.object(number, name.clone(), at, of);
        }
        if place.lists > 0 {
            self.list(number, name, at, of);
        }
    }

    /// Adds an object in a field, as `a.b.c` where each object holds a single thing.
    fn object(&mut self, mut number: u32, mut name: String, mut at: At, of: u64) {
        let tally = self.tally;
        let mut place = tally.get(number);
        while let [only] = place.below[..]
            && !name.is_empty()
            && place.scalars.count == 0
            && place.lists == 0
            && let below = tally.get(only)
            && let Some(key) = below.step.name(self.document)
            && below.objects == below.seen
        {
            name = format!("{name}.{key}");
            (number, place) = (only, below);
        }
        if let [only] = place.below[..]
            && let below = tally.get(only)
            && below.lists == 0
            && below.objects == 0
            && let Some(key) = below.step.name(self.document)
            && !name.is_empty()
        {
            let at = at.told_first(below.scalars.are_few());
            self.add(at, format!("{name}.{key}: {}", self.values(only, of)));
            return;
        }
        if place.below.is_empty() {
            self.add(at, format!("{name}: {{}}{}", part(place.objects, of)));
            return;
        }
        if !name.is_empty() {
            at = self.add(at, format!("{name}:{}", part(place.objects, of)));
        }
        self.fields(number, at);
    }

    /// Adds the members of objects whose keys are names.
    fn members(&mut self, number: u32, mut at: At) {
        let place = self.tally.get(number);
        let keys = place.first.iter().take(3).filter_map(|&id| self.document.key_id(id));
        let keys: Vec<String> = keys.map(|key| written(self.document.key(key))).collect();
        at.rank += if self.way.contains(&number) { 0 } else { LIST };
        let at = self.add(at, format!("{{{}}} keys: {}, …", place.seen, keys.join(", ")));
        self.items(number, at);
    }

    fn list(&mut self, number: u32, name: String, mut at: At, of: u64) {
        let place = self.tally.get(number);
        let on_the_way = self.way.contains(&number) || number == 0;
        let tally = self.tally;
        let below = || tally.below(number);
        let tags: Vec<_> = below().filter(|(_, below)| matches!(below.step, Step::Tag(_))).collect();
        at.rank += if on_the_way || !tags.is_empty() { 0 } else { LIST };
        let mut head = name;
        let items = below().filter(|(_, below)| !matches!(below.step, Step::Key(_) | Step::Members));
        let count: u64 = items.map(|(_, below)| below.seen).sum();
        let _ = write!(head, "[{count}]");
        if place.lists > 1 && count > 0 {
            let fewest =
                if place.fewest < place.most { format!("{} to ", place.fewest) } else { String::new() };
            let _ = write!(head, " ({fewest}{} each)", place.most);
        }
        head.push_str(&part(place.lists, of));
        let items = self.tally.below(number).find(|(_, below)| below.step == Step::Items);
        if let Some((number, items)) = items
            && items.scalars.count > 0
        {
            let _ = write!(head, ": {}", self.values(number, items.scalars.count));
        } else if !tags.is_empty() {
            head.push_str(" by key:");
        }
        let inner = self.add(at, head);
        for (number, tag) in tags {
            if let Some(name) = tag.step.name(self.document) {
                let line = format!("{name}: {}", self.values(number, place.lists));
                self.add(inner.told_first(true), line);
            }
        }
        if let Some((number, _)) = items {
            self.items(number, inner);
        }
    }

    /// Adds what the items of a list consist of.
    fn items(&mut self, number: u32, at: At) {
        let place = self.tally.get(number);
        let has_columns = self.tally.below(number).any(|(_, below)| matches!(below.step, Step::Column(_)));
        if place.objects > 0 || has_columns {
            self.fields(number, at);
        }
        if place.lists > 0 && !has_columns {
            self.list(number, String::new(), at, place.seen);
        }
    }

    /// The scalars of a place in words, and of how many values, `of` of which could be.
    fn values(&self, number: u32, of: u64) -> String {
        let scalars = &self.tally.get(number).scalars;
        let note = |first| self.items.map_or(String::new(), |items| items.note(first));
        let part = match part(scalars.count, of) {
            all if all.is_empty() && scalars.are_few() => format!(" (of all {of})"),
            part => part,
        };
        scalars.describe(self.document, note) + &part
    }
}

/// A message on one line, whole up to 200 characters.
fn message(text: &str) -> String {
    let short: String = text.trim().chars().take(LONGEST_MESSAGE).collect();
    visible::line(&short) + if short.len() < text.trim().len() { "…" } else { "" }
}

/// ` (in 20 of 46)` if some lack the value, else nothing.
fn part(seen: u64, of: u64) -> String {
    if seen < of { format!(" (in {seen} of {of})") } else { String::new() }
}

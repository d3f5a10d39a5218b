//! What the items of the longest list say together: which of them have a rare value, which rare values come in the same
//! items, and pairs of a kind and a state.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use indexmap::IndexSet;

use super::messages::{Kind, kinds};
use super::rows::Longest;
use super::tally::{Step, Tally};
use super::values::{ABSENT, is_id, is_reference, shown, written};
use crate::document::{Document, Id, is_number};

/// Fewest items with rare values. A value is rare that is one of so many where one value is half of all.
const FEWEST: usize = 10;
const RARE: usize = 8;
/// Most items that are named behind a value and in a line of their own; most that are compared with those of others.
const NAMED: usize = 2;
const LISTED: usize = 8;
const COMPARED: usize = 16;
/// Most facts that are told of the same items, and most such groups.
const FACTS: usize = 5;
const GROUPS: usize = 3;
/// How the names of fields end by which items are chosen, and of those by which they are then counted.
const STATES: [&str; 8] = ["state", "status", "phase", "ready", "conclusion", "health", "level", "severity"];
const KINDS: [&str; 6] = ["type", "kind", "class", "zone", "namespace", "event"];
/// How the names of amounts end, which are added up.
const AMOUNTS: [&str; 4] = ["size", "storage", "capacity", "bytes"];
/// Most ids and names of a row.
const NAMES: usize = 2;
/// Most ids of other things in a row.
const REFERENCES: usize = 3;
/// Most values that are told of all items with a kind of message.
const SHARED: usize = 2;
/// Most pairs of a kind and a state.
const PAIRS: usize = 4;

/// The items of the longest list.
pub struct Items<'t, 'd> {
    pub document: &'t Document<'d>,
    tally: &'t Tally,
    pub longest: &'t Longest,
    item: u32,
    /// The items of each list on the way, the outermost list first.
    levels: Vec<Vec<Id>>,
    /// The places within an item, whether keys alone lead to them, and the items that have something there with its
    /// node, where values are few or texts or items lack it.
    within: BTreeMap<u32, (bool, Vec<(u32, Id)>)>,
    /// The items of each rare value, by its first node.
    rare: BTreeMap<Id, Vec<u32>>,
    /// The kinds of messages at a place.
    messages: BTreeMap<u32, Vec<Kind>>,
}

impl<'t, 'd> Items<'t, 'd> {
    /// Looks at all items, in one pass.
    pub fn of(document: &'t Document<'d>, tally: &'t Tally, longest: &'t Longest) -> Self {
        let is_list = |place: &&u32| matches!(tally.get(**place).step, Step::Items | Step::Members);
        let lists: Vec<u32> = longest.places.iter().filter(is_list).copied().collect();
        let mut levels = vec![Vec::new(); lists.len()];
        for id in document.root()..document.end(document.root()) {
            let place = tally.place_of(id);
            if let Some(level) = lists.iter().position(|&list| place == Some(list)) {
                levels[level].push(id);
            }
        }
        let item = longest.places.last().copied().unwrap_or_default();
        let (mut within, mut open) = (BTreeMap::new(), vec![(item, true)]);
        while let Some((place, by_keys)) = open.pop() {
            for (number, below) in tally.below(place) {
                let by_keys = by_keys && matches!(below.step, Step::Key(_) | Step::Tag(_));
                within.insert(number, (by_keys, Vec::new()));
                open.push((number, by_keys));
            }
        }
        let (rare, messages) = Default::default();
        let mut items = Self { document, tally, longest, item, levels, within, rare, messages };
        let ids = items.levels.last().map_or(&[][..], Vec::as_slice);
        for (at, &id) in (0..).zip(ids) {
            for node in id + 1..document.end(id) {
                if let Some(number) = tally.place_of(node)
                    && let Some((_, nodes)) = items.within.get_mut(&number)
                    && let place = tally.get(number)
                    && (place.scalars.are_few()
                        || place.scalars.texts().is_some()
                        || place.seen < ids.len() as u64)
                {
                    nodes.push((at, node));
                }
            }
        }
        if ids.len() >= FEWEST {
            items.find_rare();
        }
        for (&place, (_, nodes)) in &items.within {
            let different = tally.get(place).scalars.texts();
            let found = different.and_then(|different| kinds(document, nodes, different));
            items.messages.extend(found.map(|kinds| (place, kinds)));
        }
        items
    }

    fn find_rare(&mut self) {
        for (&place, (_, nodes)) in &self.within {
            if !self.tally.get(place).scalars.are_few() {
                continue;
            }
            let mut values: BTreeMap<_, Vec<(u32, Id)>> = BTreeMap::new();
            for &(item, node) in nodes {
                let value = (self.document.is_string(node), self.document.text(node));
                values.entry(value).or_default().push((item, node));
            }
            if !values.values().any(|found| found.len() * 2 >= nodes.len()) {
                continue;
            }
            for found in values.into_values().filter(|found| found.len() * RARE <= nodes.len()) {
                let mut items: Vec<u32> = found.iter().map(|(item, _)| *item).collect();
                items.dedup();
                self.rare.insert(found[0].1, items);
            }
        }
    }

    /// ` (items 12, 17, …)` behind a rare value, which `first` is the first node of.
    pub fn note(&self, first: Id) -> String {
        self.rare.get(&first).map_or(String::new(), |items| format!(" ({})", self.named(items, NAMED)))
    }

    /// The kinds of the messages at a place, the most frequent first.
    pub fn messages(&self, place: u32) -> Option<&[Kind]> {
        self.messages.get(&place).map(Vec::as_slice)
    }

    /// `item 12; all host=web-4`: the first item with a kind of message, and words that all of the kind have in common.
    pub fn of_kind(&self, kind: &Kind) -> String {
        let shared = self.within.iter().filter_map(|(&place, (by_keys, nodes))| {
            let is_told = *by_keys && self.tally.get(place).scalars.are_few();
            let node = |item| Some(nodes[nodes.binary_search_by_key(item, |(at, _)| *at).ok()?].1);
            let text = |item| Some(self.document.text(node(item)?));
            let first = text(&kind.items[0]).filter(|text| is_told && !is_number(text))?;
            let is_shared = kind.items.iter().all(|item| text(item).as_ref() == Some(&first));
            let value = node(&kind.items[0]).filter(|_| is_shared)?;
            Some(format!("{}={}", self.name(place), shown(self.document, value)))
        });
        let shared = shared.take(SHARED).collect::<Vec<_>>().join(" ");
        let all = ["; ", "; all "][usize::from(kind.items.len() > 1)];
        format!("{}{}{shared}", self.named(&kind.items[..1], 1), if shared.is_empty() { "" } else { all })
    }

    /// The first item with each kind of message, that of the rarest kind first and each once; none if messages have no
    /// kinds.
    pub fn of_each_kind(&self) -> Vec<u32> {
        let firsts = self.messages.values().take(1).flatten().rev().map(|kind| kind.items[0]);
        firsts.collect::<IndexSet<_>>().into_iter().collect()
    }

    /// The nodes of items, given by number.
    pub fn ids_at(&self, items: &[u32]) -> Vec<Id> {
        items.iter().map(|&at| self.ids()[at as usize]).collect()
    }

    /// `Items 4, 9`.
    pub fn labels(&self, items: &[u32]) -> String {
        self.named(items, items.len()).replacen('i', "I", 1)
    }

    fn ids(&self) -> &[Id] {
        self.levels.last().map_or(&[], Vec::as_slice)
    }

    fn named(&self, items: &[u32], most: usize) -> String {
        let labels: Vec<_> = items.iter().take(most).map(|&at| self.label(self.ids()[at as usize])).collect();
        let more = if items.len() > most { ", …" } else { "" };
        format!("item{} {}{more}", if items.len() == 1 { "" } else { "s" }, labels.join(", "))
    }

    /// Where an item stands in the lists on the way, as `toto show --path` takes it: `12`, `3.0`.
    fn label(&self, item: Id) -> String {
        let mut above = self.document.root();
        let part = |level: &Vec<Id>| {
            let [first, next] = [above, item].map(|id| level.partition_point(|&one| one <= id));
            above = level[next - 1];
            let key = self.document.key_id(above).map(|key| written(self.document.key(key)));
            key.unwrap_or_else(|| (next - 1 - first).to_string())
        };
        self.levels.iter().map(part).collect::<Vec<_>>().join(".")
    }

    /// Lines of what comes in the same few items: `the same 2 (items 4, 9): ipFamily=IPv6, no ports`.
    pub fn together(&self) -> Vec<String> {
        let mut facts: BTreeMap<Vec<u32>, Vec<String>> = BTreeMap::new();
        for (&first, items) in self.rare.iter().filter(|(_, items)| items.len() <= COMPARED) {
            let name = self.tally.place_of(first).map_or(String::new(), |place| self.name(place));
            facts.entry(items.clone()).or_default().push(format!("{name}={}", shown(self.document, first)));
        }
        for (&place, (by_keys, nodes)) in &self.within {
            if *by_keys && let Some(items) = self.without(place, nodes) {
                facts.entry(items).or_default().push(format!("no {}", self.name(place)));
            }
        }
        let mut groups: Vec<_> = facts.into_iter().filter(|(_, facts)| facts.len() > 1).collect();
        groups.sort_by_key(|(_, facts)| std::cmp::Reverse(facts.len()));
        let line = |(items, facts): &(Vec<u32>, Vec<String>)| {
            let more = facts.len().saturating_sub(FACTS);
            let more = if more > 0 { format!(", … +{more}") } else { String::new() };
            let told = facts[..facts.len().min(FACTS)].join(", ");
            format!("the same {} ({}): {told}{more}", items.len(), self.named(items, LISTED))
        };
        groups.iter().take(GROUPS).map(line).collect()
    }

    /// The few items that lack a field which most have, given the `nodes` of those that have it.
    fn without(&self, place: u32, nodes: &[(u32, Id)]) -> Option<Vec<u32>> {
        let (field, all) = (self.tally.get(place), self.ids().len());
        // Where the keys above are names, the field may be one of them.
        let is_named = || self.tally.below(field.above).any(|(_, below)| below.step == Step::Members);
        if nodes.is_empty()
            || nodes.len() + COMPARED < all
            || self.tally.get(field.above).seen < all as u64
            || !matches!(field.step, Step::Key(_))
            || is_named()
        {
            return None;
        }
        let mut has = vec![false; all];
        for (item, _) in nodes {
            has[*item as usize] = true;
        }
        let items: Vec<u32> = (0..).zip(has).filter_map(|(item, has)| (!has).then_some(item)).collect();
        ((1..=COMPARED).contains(&items.len()) && items.len() * RARE <= all).then_some(items)
    }

    /// Lines of pairs: `type by state: running ×81: t3.micro ×72, m5.large ×9; stopped ×1: t3.micro ×1`, and one of an
    /// amount: `size by type: gp2 ×5 (56 in all): 8 ×3, 16 ×2`.
    pub fn pairs(&self) -> Vec<String> {
        let mut pairs = IndexSet::new();
        if let Some(state) = self.few(&STATES).next() {
            // Accounts are counted by their tags.
            let tags = self.few(&[""]).filter(|&place| matches!(self.tally.get(place).step, Step::Tag(_)));
            let kinds: IndexSet<u32> = self.few(&KINDS).chain(tags).filter(|kind| *kind != state).collect();
            pairs.extend(kinds.into_iter().take(PAIRS).map(|kind| (kind, state)));
        }
        pairs.extend(self.few_amounts().next().zip(self.few(&KINDS).next()));
        pairs.into_iter().map(|(kind, state)| self.pair(kind, state)).collect()
    }

    /// The fields with a few words as values whose names end so.
    fn few(&self, ends: &'static [&str]) -> impl Iterator<Item = u32> {
        self.few_of(ends, |first| !is_number(first))
    }

    /// The fields with a few numbers as values whose names say that they are amounts.
    fn few_amounts(&self) -> impl Iterator<Item = u32> {
        self.few_of(&AMOUNTS, is_number)
    }

    /// The fields with a few values whose names end so, and whose first value `is_asked`.
    fn few_of(&self, ends: &'static [&str], is_asked: fn(&str) -> bool) -> impl Iterator<Item = u32> {
        self.within.iter().filter_map(move |(&place, (by_keys, nodes))| {
            let is_few = *by_keys && self.tally.get(place).scalars.are_few();
            let first = nodes.first().filter(|_| is_few)?.1;
            let name = self.name(place).to_ascii_lowercase();
            let name = name.trim_end_matches(".name");
            (is_asked(&self.document.text(first)) && ends.iter().any(|end| name.ends_with(end)))
                .then_some(place)
        })
    }

    /// What tells these items apart, what they are, and what they belong to: ids and names, states and kinds, ids that
    /// others have as well, each with its name and a cell for each item. No cell is cut.
    pub fn columns(&self, items: &[Id]) -> Vec<(String, Vec<String>)> {
        let count = self.ids().len() as u64;
        let values = |&place: &u32| &self.tally.get(place).scalars;
        let is_own = |place: &u32| {
            is_id(&self.name(*place))
                && self.within[place].0
                && values(place).are_names()
                && values(place).count >= count
        };
        let is_of_other = |place: &u32| {
            is_reference(&self.name(*place))
                && !values(place).are_names()
                && values(place).only().is_none()
                && values(place).count <= count
        };
        let within = || self.within.keys().copied();
        // What stands in many places is told from the highest.
        let mut others: Vec<u32> = within().filter(is_of_other).collect();
        others.sort_by_key(|place| self.name(*place).matches(['.', '[']).count());
        let last_word = |place: u32| self.name(place).rsplit('.').next().map(str::to_owned);
        let mut told = IndexSet::new();
        others.retain(|place| told.insert(last_word(*place)));
        let places: IndexSet<u32> = (within().filter(is_own).take(NAMES))
            .chain(self.few(&STATES).take(NAMES))
            .chain(self.few(&KINDS).take(NAMES))
            .chain(others.into_iter().take(REFERENCES))
            .collect();
        let column = |place: u32| {
            let cell = |&item: &Id| {
                let node =
                    (item..self.document.end(item)).find(|&node| self.tally.place_of(node) == Some(place));
                node.map_or(ABSENT.into(), |node| shown(self.document, node))
            };
            (self.name(place), items.iter().map(cell).collect())
        };
        let is_whole = |(_, cells): &(String, Vec<String>)| !cells.iter().any(|cell| cell.ends_with('…'));
        places.into_iter().map(column).filter(is_whole).collect()
    }

    fn pair(&self, kind: u32, state: u32) -> String {
        let kinds: BTreeMap<u32, Id> = self.within[&kind].1.iter().copied().collect();
        let mut states: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
        for (item, node) in &self.within[&state].1 {
            let counts = states.entry(shown(self.document, *node)).or_default();
            let kind = kinds.get(item).map_or(ABSENT.into(), |&node| shown(self.document, node));
            *counts.entry(kind).or_default() += 1;
        }
        let mut out = format!("{} by {}:", self.name(kind), self.name(state));
        for (at, (state, counts)) in states.iter().enumerate() {
            let all: usize = counts.values().sum();
            let mut counted: Vec<_> = counts.iter().collect();
            counted.sort_by_key(|(kind, _)| kind.parse::<u64>().ok());
            let told: Vec<_> = counted.iter().map(|(kind, count)| format!("{kind} ×{count}")).collect();
            let sum = total(counts).map_or(String::new(), |sum| format!(" ({sum} in all)"));
            let _ = write!(out, "{} {state} ×{all}{sum}: {}", if at > 0 { ";" } else { "" }, told.join(", "));
        }
        out
    }

    /// The path of a place from the item: `State.Name`, `Tags.Name`, `ports[].name`.
    fn name(&self, mut place: u32) -> String {
        let mut name = String::new();
        while place != self.item {
            let step = self.tally.get(place).step;
            let part = step.name(self.document).unwrap_or_else(|| "[]".into());
            let dot = if name.is_empty() || name.starts_with('[') { "" } else { "." };
            name = format!("{part}{dot}{name}");
            place = self.tally.get(place).above;
        }
        name
    }
}

/// The sum of whole numbers, each as often as it stands there; `None` where one is none, or the sum is too large.
fn total(counts: &BTreeMap<String, usize>) -> Option<u64> {
    counts.iter().try_fold(0_u64, |sum, (number, &times)| {
        sum.checked_add(number.parse::<u64>().ok()?.checked_mul(times as u64)?)
    })
}

//! What a path asks of the values that it selects (RFC 9535, 2.3.5): `@.status.phase == "Running" && !@.deleted`.

use std::cmp::Ordering;

use regex::bytes::Regex;
use serde_json::Value as Json;

use super::super::value::Budget;
use super::path::{Cursor, Path};
use crate::filter::pattern;

/// What must hold of a value.
#[derive(Debug)]
pub enum Condition {
    /// One of these.
    Any(Vec<Condition>),
    /// All of these.
    All(Vec<Condition>),
    /// Not this.
    Not(Box<Condition>),
    /// One is so to the other.
    Compare(Operand, Operator, Operand),
    /// There is something there.
    Exists(Query),
    /// `match`, `search`: a text is, or holds, what the expression says.
    Matches(Operand, Regex),
}

/// A path from the value that is looked at (`@`), or from the document's root (`$`).
#[derive(Debug)]
pub struct Query {
    from_root: bool,
    path: Path,
}

/// One side of a comparison.
#[derive(Debug)]
pub enum Operand {
    /// A value as it stands.
    Literal(Json),
    /// The value that a path leads to which leads to one at most.
    Value(Query),
    /// `value`: the value that a path leads to, where that is one.
    Only(Query),
    /// How long a text is, or how many items there are in a value.
    Length(Box<Operand>),
    /// How many values a path leads to.
    Count(Query),
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
    /// `<`
    Less,
    /// `>`
    More,
}

/// Longer signs first.
const OPERATORS: [(&str, Operator); 6] = [
    ("==", Operator::Equal),
    ("!=", Operator::Unequal),
    ("<=", Operator::AtMost),
    (">=", Operator::AtLeast),
    ("<", Operator::Less),
    (">", Operator::More),
];

impl Condition {
    /// Reads a condition.
    pub fn parse(cursor: &mut Cursor<'_>) -> Option<Self> {
        let mut any = vec![Self::all(cursor)?];
        while cursor.take("||") {
            any.push(Self::all(cursor)?);
        }
        Some(if any.len() == 1 { any.remove(0) } else { Self::Any(any) })
    }

    fn all(cursor: &mut Cursor<'_>) -> Option<Self> {
        let mut all = vec![Self::one(cursor)?];
        while cursor.take("&&") {
            all.push(Self::one(cursor)?);
        }
        Some(if all.len() == 1 { all.remove(0) } else { Self::All(all) })
    }

    fn one(cursor: &mut Cursor<'_>) -> Option<Self> {
        let negated = cursor.take("!");
        let condition = if cursor.take("(") {
            cursor.depth = cursor.depth.checked_sub(1)?;
            let inner = Self::parse(cursor)?;
            cursor.depth += 1;
            cursor.take(")").then_some(inner)?
        } else {
            Self::test(cursor, negated)?
        };
        Some(if negated { Self::Not(Box::new(condition)) } else { condition })
    }

    /// A comparison, a path that must lead somewhere, or `match` and `search`.
    fn test(cursor: &mut Cursor<'_>, negated: bool) -> Option<Self> {
        for (name, whole) in [("match(", true), ("search(", false)] {
            if cursor.take(name) {
                return Self::matches(cursor, whole);
            }
        }
        let start = *cursor;
        let left = Operand::parse(cursor)?;
        let found = OPERATORS.into_iter().find(|(sign, _)| cursor.take(sign));
        if let Some((_, operator)) = found.filter(|_| !negated) {
            let right = Operand::parse(cursor)?;
            let singular =
                |operand: &Operand| !matches!(operand, Operand::Value(query) if !query.path.is_singular());
            return (singular(&left) && singular(&right)).then_some(Self::Compare(left, operator, right));
        }
        // Not a comparison: from its beginning, a path.
        *cursor = start;
        Query::parse(cursor).map(Self::Exists)
    }

    fn matches(cursor: &mut Cursor<'_>, whole: bool) -> Option<Self> {
        let text = Operand::parse(cursor)?;
        cursor.take(",").then_some(())?;
        cursor.rest = cursor.rest.trim_start();
        let expression = cursor.quoted()?;
        let expression = if whole { format!("^(?:{expression})$") } else { expression };
        cursor.take(")").then_some(())?;
        Some(Self::Matches(text, pattern::build(&expression).ok()?))
    }

    /// Whether it holds of `value`; `None` where that is too much work.
    pub fn holds(&self, root: &Json, value: &Json, budget: &Budget) -> Option<bool> {
        budget.spend(1)?;
        match self {
            Self::Any(all) => {
                for condition in all {
                    if condition.holds(root, value, budget)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
            Self::All(all) => {
                for condition in all {
                    if !condition.holds(root, value, budget)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            Self::Not(condition) => Some(!condition.holds(root, value, budget)?),
            Self::Exists(query) => Some(!query.follow(root, value, budget)?.is_empty()),
            Self::Compare(left, operator, right) => {
                let (left, right) = (left.of(root, value, budget)?, right.of(root, value, budget)?);
                Some(operator.holds(left.first(), right.first()))
            }
            Self::Matches(text, regex) => {
                let text = text.of(root, value, budget)?;
                let text = text.first().and_then(Json::as_str);
                budget.spend(text.map_or(0, str::len))?;
                Some(text.is_some_and(|text| regex.is_match(text.as_bytes())))
            }
        }
    }
}

impl Query {
    fn parse(cursor: &mut Cursor<'_>) -> Option<Self> {
        let from_root = cursor.take("$");
        (from_root || cursor.take("@")).then_some(())?;
        Some(Self { from_root, path: Path::segments(cursor)? })
    }

    fn follow<'d>(&self, root: &'d Json, value: &'d Json, budget: &Budget) -> Option<Vec<&'d Json>> {
        self.path.follow(root, if self.from_root { root } else { value }, budget)
    }
}

impl Operand {
    fn parse(cursor: &mut Cursor<'_>) -> Option<Self> {
        cursor.rest = cursor.rest.trim_start();
        if cursor.rest.starts_with(['@', '$']) {
            return Query::parse(cursor).map(Self::Value);
        }
        if cursor.rest.starts_with(['\'', '"']) {
            return cursor.quoted().map(|text| Self::Literal(Json::String(text)));
        }
        for (name, value) in [("true", Json::Bool(true)), ("false", Json::Bool(false)), ("null", Json::Null)]
        {
            if cursor.take(name) {
                return Some(Self::Literal(value));
            }
        }
        let operand = if cursor.take("length(") {
            cursor.depth = cursor.depth.checked_sub(1)?;
            let of = Self::parse(cursor)?;
            cursor.depth += 1;
            Self::Length(Box::new(of))
        } else if cursor.take("count(") {
            Self::Count(Query::parse(cursor)?)
        } else if cursor.take("value(") {
            Self::Only(Query::parse(cursor)?)
        } else {
            let number =
                cursor.while_fits(|c| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E'))?;
            return serde_json::from_str(number).ok().map(Self::Literal);
        };
        cursor.take(")").then_some(operand)
    }

    /// Its value in a list; none where there is none, or more than one. `None` where that is too much work.
    fn of(&self, root: &Json, value: &Json, budget: &Budget) -> Option<Vec<Json>> {
        Some(match self {
            Self::Literal(value) => vec![value.clone()],
            Self::Value(query) | Self::Only(query) => match query.follow(root, value, budget)?[..] {
                [one] => vec![one.clone()],
                _ => Vec::new(),
            },
            Self::Count(query) => vec![query.follow(root, value, budget)?.len().into()],
            Self::Length(of) => match of.of(root, value, budget)?.first() {
                Some(Json::String(text)) => vec![text.chars().count().into()],
                Some(Json::Array(items)) => vec![items.len().into()],
                Some(Json::Object(fields)) => vec![fields.len().into()],
                _ => Vec::new(),
            },
        })
    }
}

impl Operator {
    /// Nothing is equal to nothing; what cannot be ordered is neither less nor more.
    fn holds(self, left: Option<&Json>, right: Option<&Json>) -> bool {
        let equal = || match (left, right) {
            (Some(Json::Number(a)), Some(Json::Number(b))) => a.as_f64() == b.as_f64(),
            (left, right) => left == right,
        };
        let order = || match (left?, right?) {
            (Json::Number(a), Json::Number(b)) => a.as_f64()?.partial_cmp(&b.as_f64()?),
            (Json::String(a), Json::String(b)) => Some(a.cmp(b)),
            _ => None,
        };
        match self {
            Self::Equal => equal(),
            Self::Unequal => !equal(),
            Self::Less => order() == Some(Ordering::Less),
            Self::More => order() == Some(Ordering::Greater),
            Self::AtMost => order() == Some(Ordering::Less) || equal(),
            Self::AtLeast => order() == Some(Ordering::Greater) || equal(),
        }
    }
}

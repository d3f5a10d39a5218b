//! Typed content of a TOML text.
//!
//! Tables, items, keys and places are one deserializer, and a type is read from one kind of value: each `Deserialize`
//! is compiled once. With the `toml` crate's own, which has three kinds of maps, the binary is 0.5 MB larger.

use std::fmt::Display;
use std::ops::Range;
use std::slice;

use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, Expected, MapAccess, SeqAccess, Unexpected,
    Visitor,
};
use serde::forward_to_deserialize_any;
use toml::Spanned;
use toml::de::{DeFloat, DeInteger, DeString, DeTable, DeValue};
use toml::map::Iter;

/// The name by which [`Spanned`] asks for a value and its place.
const SPANNED: &str = "$__serde_spanned_private_Spanned";

/// What is told of a number that no type holds.
const TOO_LARGE: Unexpected<'_> = Unexpected::Other("number out of range");

/// A value that does not fit its type.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    pub message: String,
    /// Bytes of the innermost value or key that has the mistake.
    pub span: Option<Range<usize>>,
}

impl Error {
    fn within(self, span: Range<usize>) -> Self {
        Self { span: self.span.or(Some(span)), ..self }
    }
}

impl de::Error for Error {
    fn custom<T: Display>(message: T) -> Self {
        Self { message: message.to_string(), span: None }
    }
}

/// A table as a value.
pub fn value(table: Spanned<DeTable<'_>>) -> Spanned<DeValue<'_>> {
    Spanned::new(table.span(), DeValue::Table(table.into_inner()))
}

/// Reads a value as a type.
///
/// # Errors
/// The first value, key or missing key that does not fit the type.
pub fn read<T: DeserializeOwned>(value: &Spanned<DeValue<'_>>) -> Result<T, Error> {
    T::deserialize(Node::Value(value)).map_err(|error| error.within(value.span()))
}

/// What a type is read from.
#[derive(Clone, Copy)]
enum Node<'t> {
    Value(&'t Spanned<DeValue<'t>>),
    Key(&'t str),
    /// The name of a field of [`Spanned`].
    Field(&'static str),
    /// The first byte of a value, or the byte behind it.
    Place(usize),
}

impl<'t> Node<'t> {
    /// The value; `None` for a key or a place.
    fn value(self) -> Option<&'t DeValue<'t>> {
        match self {
            Self::Value(value) => Some(value.get_ref()),
            Self::Key(_) | Self::Field(_) | Self::Place(_) => None,
        }
    }

    fn does_not_fit(self, expected: &dyn Expected) -> Error {
        let found = match self.value() {
            Some(DeValue::String(text)) => Unexpected::Str(text),
            Some(DeValue::Integer(number)) => integer(number).map_or(TOO_LARGE, Unexpected::Signed),
            Some(DeValue::Float(number)) => float(number).map_or(TOO_LARGE, Unexpected::Float),
            Some(DeValue::Boolean(is_true)) => Unexpected::Bool(*is_true),
            Some(DeValue::Datetime(_)) => Unexpected::Other("datetime"),
            Some(DeValue::Array(_)) => Unexpected::Seq,
            Some(DeValue::Table(_)) => Unexpected::Map,
            None => Unexpected::Other("key"),
        };
        de::Error::invalid_type(found, expected)
    }
}

fn integer(number: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// A number; infinite only where that is written.
fn float(number: &DeFloat<'_>) -> Option<f64> {
    let read: f64 = number.as_str().parse().ok()?;
    (!read.is_infinite() || number.as_str().contains("inf")).then_some(read)
}

impl<'de> Deserializer<'de> for Node<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let too_large = || de::Error::custom(TOO_LARGE);
        match self {
            Self::Key(key) => visitor.visit_str(key),
            Self::Field(name) => visitor.visit_borrowed_str(name),
            Self::Place(place) => visitor.visit_u64(place as u64),
            Self::Value(value) => match value.get_ref() {
                DeValue::Table(_) => self.deserialize_map(visitor),
                DeValue::Array(_) => self.deserialize_seq(visitor),
                DeValue::String(text) => visitor.visit_str(text),
                DeValue::Boolean(is_true) => visitor.visit_bool(*is_true),
                DeValue::Integer(number) => visitor.visit_i64(integer(number).ok_or_else(too_large)?),
                DeValue::Float(number) => visitor.visit_f64(float(number).ok_or_else(too_large)?),
                DeValue::Datetime(_) => Err(self.does_not_fit(&visitor)),
            },
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value() {
            Some(DeValue::Table(table)) => {
                visitor.visit_map(Entries::Table { left: table.iter(), value: None })
            }
            _ => Err(self.does_not_fit(&visitor)),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value() {
            Some(DeValue::Array(items)) => visitor.visit_seq(Items(items.iter())),
            _ => Err(self.does_not_fit(&visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self {
            Self::Value(value) if name == SPANNED => {
                visitor.visit_map(Entries::Spanned { left: fields.iter(), value })
            }
            _ => self.deserialize_map(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.value() {
            Some(DeValue::String(word)) => visitor.visit_enum(StrDeserializer::new(word)),
            _ => Err(self.does_not_fit(&format!("one of `{}`", words.join("`, `")).as_str())),
        }
    }

    /// The value of a key that nobody reads: none is wrong.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 char str string bytes byte_buf unit unit_struct
        tuple_struct tuple identifier
    }
}

/// The items of a list.
struct Items<'t>(slice::Iter<'t, Spanned<DeValue<'t>>>);

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        let Some(item) = self.0.next() else { return Ok(None) };
        seed.deserialize(Node::Value(item)).map(Some).map_err(|error| error.within(item.span()))
    }
}

/// The entries of a table; or begin, end and value of a [`Spanned`], whose fields are named so.
enum Entries<'t> {
    Table {
        left: Iter<'t, Spanned<DeString<'t>>, Spanned<DeValue<'t>>>,
        value: Option<&'t Spanned<DeValue<'t>>>,
    },
    Spanned {
        left: slice::Iter<'static, &'static str>,
        value: &'t Spanned<DeValue<'t>>,
    },
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        let next = match self {
            Self::Table { left, value } => left.next().map(|(key, of_key)| {
                *value = Some(of_key);
                (Node::Key(key.get_ref()), key.span())
            }),
            Self::Spanned { left, value } => left.next().map(|name| (Node::Field(name), value.span())),
        };
        let Some((node, span)) = next else { return Ok(None) };
        seed.deserialize(node).map(Some).map_err(|error| error.within(span))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        let (node, span) = match self {
            Self::Table { value, .. } => {
                let value = value.take().ok_or_else(|| de::Error::custom("a key has no value"))?;
                (Node::Value(value), value.span())
            }
            Self::Spanned { left, value } => {
                let span = value.span();
                let part = [Node::Value(value), Node::Place(span.end), Node::Place(span.start)];
                (part[left.len().min(2)], span)
            }
        };
        seed.deserialize(node).map_err(|error| error.within(span))
    }
}

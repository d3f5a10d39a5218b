//! Typed content of a TOML text.
//!
//! Tables, items, keys and places are one deserializer, and a type is read from one kind of value: each `Deserialize`
//! is compiled once. With the `toml` crate's own, which has three kinds of maps, the binary is 0.5 MB larger.

use std::fmt::Display;
use std::marker::PhantomData;
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

impl de::Error for Error {
    fn custom<T: Display>(message: T) -> Self {
        Self { message: message.to_string(), span: None }
    }
}

pub fn value(table: Spanned<DeTable<'_>>) -> Spanned<DeValue<'_>> {
    Spanned::new(table.span(), DeValue::Table(table.into_inner()))
}

/// Reads a value as a type. The error is the first value, key or missing key that does not fit.
pub fn read<T: DeserializeOwned>(value: &Spanned<DeValue<'_>>) -> Result<T, Error> {
    Node::Value(value).give(PhantomData)
}

/// What a type is read from.
#[derive(Clone, Copy)]
enum Node<'t> {
    Value(&'t Spanned<DeValue<'t>>),
    Key(&'t Spanned<DeString<'t>>),
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

    /// Reads the node; a mistake without a place is here.
    fn give<'de, S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        let span = match self {
            Self::Value(value) => Some(value.span()),
            Self::Key(key) => Some(key.span()),
            Self::Field(_) | Self::Place(_) => None,
        };
        seed.deserialize(self).map_err(|error| Error { span: error.span.or(span), ..error })
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
            Self::Key(key) => visitor.visit_str(key.get_ref()),
            Self::Field(name) => visitor.visit_borrowed_str(name),
            Self::Place(place) => visitor.visit_u64(place as u64),
            Self::Value(value) => match value.get_ref() {
                DeValue::Table(_) => self.deserialize_map(visitor),
                DeValue::Array(items) => visitor.visit_seq(Items(items.iter())),
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
                let entries = table.iter().map(|(key, value)| (Node::Key(key), Node::Value(value)));
                visitor.visit_map(Entries { left: Box::new(entries), value: None })
            }
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
                let parts = [Node::Place(value.span().start), Node::Place(value.span().end), self];
                let entries = fields.iter().map(|field| Node::Field(field)).zip(parts);
                visitor.visit_map(Entries { left: Box::new(entries), value: None })
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

    forward_to_deserialize_any! {
        bool u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple_struct tuple identifier
    }
}

struct Items<'t>(slice::Iter<'t, Spanned<DeValue<'t>>>);

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        self.0.next().map(|item| Node::Value(item).give(seed)).transpose()
    }
}

/// The entries of a table; or begin, end and value of a [`Spanned`], whose fields are named so.
struct Entries<'t> {
    left: Box<dyn Iterator<Item = (Node<'t>, Node<'t>)> + 't>,
    /// That of the key that was read last.
    value: Option<Node<'t>>,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        let Some((key, value)) = self.left.next() else { return Ok(None) };
        self.value = Some(value);
        key.give(seed).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        self.value.take().ok_or_else(|| de::Error::custom("a key has no value"))?.give(seed)
    }
}

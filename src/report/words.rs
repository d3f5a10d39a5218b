//! The lists of words of the tables.

include!(concat!(env!("OUT_DIR"), "/words.rs"));

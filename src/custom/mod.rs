//! Filters that users write, with all their features: templates, sections, records, JSON, trees, scripts, other
//! commands. The schema is that of tokf, so that filters written for tokf run here. [`apply`] is the only way in: a
//! call for which the user has no filter is left to the library's (`filter/`), which uses nothing of this room.
//!
//! Apart from reading filter files, the room is pure. Every line of the result is a line of the input or stands behind
//! a mark (`… 212 passing tests`). docs/filters.md is the reference.
#![forbid(unsafe_code)]

mod call;
pub mod checks;
mod clock;
pub mod commands;
mod engine;
pub mod find;
mod marks;
pub mod places;
mod replace;
pub mod schema;
mod script;
mod summary;
mod template;
pub mod testing;
#[cfg(test)]
#[path = "../../tests/unit/custom.rs"]
mod tests;
mod tidy;
mod tree;
mod value;

use std::path::Path;

pub use call::{Call, Notices, Steps};

use crate::filter::{FilterName, Filtered};

/// The user's own filter for a call, unless the filter is only for the output of a `run` command that was not run.
fn own(call: &Call<'_>) -> Option<find::Found> {
    find::own(call).filter(|own| own.file.run.is_none() || call.in_place)
}

/// What the user's own filters make of a text.
pub enum Applied {
    /// The call's own filter has made this of it.
    Own(Filtered),
    /// It stays as it is: the call's own filter leaves it so.
    Unchanged,
    /// It is left to the library's filter for the call.
    Library,
    /// It is left to the library's rule for any text.
    AnyText,
}

/// Filters the text of a call by the user's own filter, where there is one.
///
/// A filter with a mistake is not used, and a notice says so; one with a `run` command only where that was run.
pub fn apply(text: &[u8], call: &Call<'_>) -> Applied {
    let Some(own) = own(call) else { return Applied::Library };
    if own.passes_on(call) {
        return Applied::AnyText;
    }
    let found = find::variant_of(own, text, call);
    let rules = match engine::Rules::new(&found.file, &found.source, call.succeeded()) {
        Ok(rules) => rules,
        Err(mistake) => {
            Notices::add(call.notices, &find::unusable(&found.name, &mistake));
            return Applied::AnyText;
        }
    };
    let call = Call { beside: Path::new(&found.name).parent(), ..*call };
    let filtered = engine::run(&rules, text, &call);
    let name = FilterName::Own(found.name);
    filtered.map_or(Applied::Unchanged, |filtered| Applied::Own(Filtered { filter: Some(name), ..filtered }))
}

/// Whether a filter of the user's own reads this call's output as JSON.
pub fn reads_json(call: &Call<'_>) -> bool {
    own(call).is_some_and(|own| own.file.json.is_some() && !own.passes_on(call))
}

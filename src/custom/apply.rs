//! The only way into users' own filters.

use std::path::Path;

use super::call::Call;
use super::engine::{self, Rules};
use super::find;
use super::notice::Notices;
use crate::filter::{self, Filtered};

/// Filters the text of a call by the user's own filter where there is one, else by the library's. `None` where the text
/// stays as it is.
///
/// A filter with a mistake is not used, and a notice says so. A filter with a `run` command is used only where that
/// command was run.
pub fn apply(text: &[u8], call: &Call<'_>) -> Option<Filtered> {
    let own = find::own(call).filter(|own| own.file.run.is_none() || call.in_place);
    let Some(own) = own else { return filter::apply(text, call.words, call.succeeded()) };
    let without_filter = || filter::apply(text, &[], call.succeeded());
    if own.passes_on(call) {
        return without_filter();
    }
    let found = find::variant_of(own, text, call);
    let rules = match Rules::new(&found.file, &found.source, call.succeeded()) {
        Ok(rules) => rules,
        Err(mistake) => {
            Notices::add(call.notices, &find::unusable(&found.name, &mistake));
            return without_filter();
        }
    };
    let call = Call { beside: Path::new(&found.name).parent(), ..*call };
    let filtered = engine::run(&rules, text, &call)?;
    Some(Filtered { filter: Some(found.name), ..filtered })
}

/// Whether a filter of the user's own reads this call's output as JSON.
pub fn reads_json(call: &Call<'_>) -> bool {
    find::own(call).is_some_and(|own| {
        own.file.json.is_some() && (own.file.run.is_none() || call.in_place) && !own.passes_on(call)
    })
}

//! Notices for stderr about filters that could not be used, each given once however often it comes up.

use std::cell::RefCell;

use indexmap::IndexMap;

/// The lines to write, each with the key of a notice that is given only now and then.
#[derive(Debug, Default)]
pub struct Notices(RefCell<IndexMap<String, Option<String>>>);

impl Notices {
    /// Adds a line to a list, if there is one.
    pub fn add(to: Option<&Self>, line: &str) {
        Self::add_about(to, line.to_owned(), None);
    }

    /// The same for a line about something that holds for one call after another: by its key `about`,
    /// [`Notices::take_news`] can leave out a line that was given lately.
    pub fn add_about(to: Option<&Self>, line: String, about: Option<String>) {
        if let Some(Self(lines)) = to {
            lines.borrow_mut().entry(line).or_insert(about);
        }
    }

    /// Takes the lines out.
    pub fn take(&self) -> Vec<String> {
        self.take_news(|_| true)
    }

    /// Takes the lines out; those with a key only where `should_warn_again` is true of the key.
    pub fn take_news(&self, should_warn_again: impl Fn(&str) -> bool) -> Vec<String> {
        let mut all = self.0.take();
        all.retain(|_, about| about.as_deref().is_none_or(&should_warn_again));
        all.into_keys().collect()
    }

    /// Moves the lines of another list into this one.
    pub fn merge(&self, other: &Self) {
        for (line, about) in other.0.take() {
            Self::add_about(Some(self), line, about);
        }
    }
}

//! Notices for stderr about filters that could not be used, each given once however often it comes up.

use std::cell::RefCell;

/// The lines to write, each once.
#[derive(Debug, Default)]
pub struct Notices(RefCell<Vec<Notice>>);

#[derive(Debug)]
struct Notice {
    line: String,
    /// The key of a notice that is given only now and then.
    about: Option<String>,
}

impl Notices {
    /// Adds a line to a list, if there is one.
    pub fn add(to: Option<&Self>, line: &str) {
        Self::push(to, line, None);
    }

    /// Adds a line about something that holds for one call after another. By its key `about`, [`Notices::take_news`]
    /// can leave out a line that was given lately.
    pub fn add_standing(to: Option<&Self>, line: &str, about: String) {
        Self::push(to, line, Some(about));
    }

    fn push(to: Option<&Self>, line: &str, about: Option<String>) {
        if let Some(Self(lines)) = to {
            let mut lines = lines.borrow_mut();
            if !lines.iter().any(|known| known.line == line) {
                lines.push(Notice { line: line.to_owned(), about });
            }
        }
    }

    /// Takes the lines out.
    pub fn take(&self) -> Vec<String> {
        self.take_news(|_| true)
    }

    /// Takes the lines out; those with a key only where `should_warn_again` is true of the key.
    pub fn take_news(&self, should_warn_again: impl Fn(&str) -> bool) -> Vec<String> {
        let all = self.0.take().into_iter();
        all.filter(|notice| notice.about.as_deref().is_none_or(&should_warn_again))
            .map(|notice| notice.line)
            .collect()
    }

    /// Moves the lines of another list into this one.
    pub fn merge(&self, other: &Self) {
        for Notice { line, about } in other.0.take() {
            Self::push(Some(self), &line, about);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_said_once_and_what_is_no_news_is_not() {
        let (one, two) = (Notices::default(), Notices::default());
        for _ in 0..2 {
            Notices::add(Some(&one), "a mistake");
            Notices::add_standing(Some(&two), "not trusted", "x".into());
        }
        one.merge(&two);
        assert_eq!(one.take_news(|about| about != "x"), ["a mistake"]);
        assert!(one.take().is_empty() && two.take().is_empty());
    }
}

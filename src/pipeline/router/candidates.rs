//! The ways in which an output was written, and the rules by which one of them is given in its place.

use crate::config::Format;
use crate::filter::FilterName;
use crate::pipeline::model::{Count, Omitted, Shape};

/// Tokens that a changed output must save, besides a tenth of the original: a changed text costs trust.
const FEWEST_SAVED: usize = 40;
/// Tokens that another form of a document must save besides, where the call asks for the form, as `jq .` does: agents
/// look at what they wrote themselves.
const FEWEST_SAVED_OF_FORM: usize = 1000;
/// The same where marks stand in the place of lines that tell of a failure: some readers ask for these, and a call
/// costs about four times as much.
pub(super) const FEWEST_SAVED_WITH_GAPS: usize = 500;

/// Whether `tokens` in place of `original` tokens are worth a changed output.
pub fn is_worth_it(tokens: usize, original: usize) -> bool {
    tokens + fewest_saved(original) <= original
}

pub(super) fn fewest_saved(original: usize) -> usize {
    FEWEST_SAVED.max(original.div_ceil(10))
}

/// The output, written in one way.
pub(super) struct Candidate {
    pub(super) shape: Shape,
    pub(super) output: Vec<u8>,
    pub(super) tokens: usize,
    pub(super) omitted: Omitted,
    /// The text filter whose rules were used.
    pub(super) filter: Option<FilterName>,
    /// Whether it says what the original does not: what changed since the last run.
    pub(super) is_news: bool,
    /// The same within the reader's page, where it is longer.
    pub(super) within_page: Option<Vec<u8>>,
}

impl Candidate {
    pub(super) fn new(shape: Shape, output: Vec<u8>, tokens: usize, omitted: Omitted) -> Self {
        Self { shape, output, tokens, omitted, filter: None, is_news: false, within_page: None }
    }
}

/// The best of the candidates so far, and what each costs.
#[derive(Default)]
pub(super) struct Candidates {
    best: Option<Candidate>,
    pub(super) costs: Vec<(Shape, Count)>,
    /// The shapes of documents that are not the form that the call asks for.
    pub(super) other_forms: &'static [Shape],
}

impl Candidates {
    /// Keeps what costs least. Of texts with as many tokens the first one stays; of a document's shapes the last one,
    /// since the more familiar ones come last.
    pub(super) fn offer(&mut self, candidate: Candidate) {
        self.costs.push((candidate.shape, Count::Exact(candidate.tokens)));
        let most = self.most(candidate.shape).unwrap_or(usize::MAX);
        if candidate.tokens < most || candidate.tokens == most && candidate.shape.is_of_documents() {
            self.best = Some(candidate);
        }
    }

    /// The tokens of a candidate of this shape that is as good as the best one so far.
    pub(super) fn most(&self, shape: Shape) -> Option<usize> {
        let best = self.best.as_ref()?;
        Some((best.tokens + self.more_to_save(best.shape)).saturating_sub(self.more_to_save(shape)))
    }

    /// Whether the call asks for the form of a document, which this shape has.
    pub(super) fn keeps(&self, shape: Shape) -> bool {
        !self.other_forms.is_empty() && !self.other_forms.contains(&shape)
    }

    fn more_to_save(&self, shape: Shape) -> usize {
        if self.other_forms.contains(&shape) { FEWEST_SAVED_OF_FORM } else { 0 }
    }

    /// The tokens of the best one.
    pub(super) fn fewest(&self) -> Option<usize> {
        self.best.as_ref().map(|best| best.tokens)
    }

    /// Whether documents are best written in a shape of theirs.
    pub(super) fn are_documents(&self) -> bool {
        self.best.as_ref().is_some_and(|best| best.shape.is_of_documents())
    }

    /// The best one, if it is given in place of an original of so many tokens.
    pub(super) fn winner(&mut self, original: usize, format: Format) -> Option<Candidate> {
        let is_forced = !matches!(format, Format::Auto | Format::Raw);
        let best = self.best.take()?;
        let is_asked_for = best.is_news || matches!(best.filter, Some(FilterName::Own(_)));
        let is_given = is_forced && best.shape.is_of_documents()
            || is_asked_for && best.tokens < original
            || is_worth_it(best.tokens, original) && best.tokens + self.more_to_save(best.shape) <= original;
        is_given.then_some(best)
    }
}

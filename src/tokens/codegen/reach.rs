//! How far back from the end of a text its tokens may still change when the text goes on.
//!
//! Encode a text, and the same text with more after it, side by side, one rank after another (parts rank before
//! the token they make, so no merge comes late). Up to a *frontier*, at first the end of the shorter text, both
//! have the same tokens. Merges between those are made in both. The frontier moves only when its last token
//! `left` merges with what follows, `right`, in one of the two alone; it then stands at the start of `left`. So
//! it moves once a rank at most, always to a higher rank, and the `right` of the next move begins at the start
//! of this move's `left`: one of its left parts, or of their left parts, is that very token.
//!
//! The longest such chain of merges is found by going through all merges once in the order of rank. It bounds the
//! reach for every text: 566 bytes in `cl100k_base`. Tokens further from the end are final.

use super::published::Vocabulary;

/// A token and the two tokens that it is merged from.
pub struct Merge {
    pub left: u32,
    pub right: u32,
    /// The merged token; its id is the rank of the merge.
    pub token: u32,
}

/// The reach in bytes. `merges` are in the order of their rank.
pub fn of(vocabulary: &Vocabulary, merges: &[Merge]) -> usize {
    let mut left_part: Vec<Option<u32>> = vec![None; vocabulary.len()];
    // The bytes moved over by the longest chain that ends with a merge of this token as the left one.
    let mut longest = vec![0; vocabulary.len()];
    for merge in merges {
        let before = std::iter::successors(Some(merge.right), |&token| left_part[token as usize])
            .map(|token| longest[token as usize])
            .max()
            .unwrap_or(0);
        let left = merge.left as usize;
        longest[left] = longest[left].max(before + vocabulary[left].len());
        left_part[merge.token as usize] = Some(merge.left);
    }
    longest.into_iter().max().unwrap_or(0)
}

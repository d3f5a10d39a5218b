//! What the counter takes for granted of the vocabulary that `tiktoken-rs` carries.

use std::collections::HashMap;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::super::vocabulary::REACH;

/// SHA-256 of `cl100k_base.tiktoken`, from `tiktoken_ext/openai_public.py` of github.com/openai/tiktoken.
const PUBLISHED: &str = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7";

fn vocabulary() -> Vec<Vec<u8>> {
    let encoding = tiktoken_rs::cl100k_base().unwrap();
    (0..).map_while(|id| encoding.decode_bytes(&[id]).ok()).collect()
}

/// `tiktoken-rs` does not expose its file, but the format has one form only: a line of base64, a space and the id for
/// each token, in the order of ids. Writing it again gives the published file, byte for byte.
#[test]
fn the_vocabulary_is_the_published_one() {
    let mut file = String::new();
    for (id, token) in vocabulary().iter().enumerate() {
        writeln!(file, "{} {id}", STANDARD.encode(token)).unwrap();
    }
    let hash = Sha256::digest(file).iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
    assert_eq!(hash, PUBLISHED);
}

#[test]
fn numbers_of_up_to_three_digits_are_tokens() {
    let vocabulary = vocabulary();
    for number in (0..1000).flat_map(|number| [1, 2, 3].map(|width| format!("{number:0width$}"))) {
        assert!(vocabulary.iter().any(|token| token == number.as_bytes()), "{number}");
    }
}

/// How far back from the end of a text its tokens may still change when the text goes on.
///
/// Encode a text, and the same text with more after it, side by side, one rank after another (parts rank before
/// the token they make, so no merge comes late). Up to a *frontier*, at first the end of the shorter text, both
/// have the same tokens. Merges between those are made in both. The frontier moves only when its last token
/// `left` merges with what follows, `right`, in one of the two alone; it then stands at the start of `left`. So
/// it moves once a rank at most, always to a higher rank, and the `right` of the next move begins at the start
/// of this move's `left`: one of its left parts, or of their left parts, is that very token.
///
/// The longest such chain of merges is found by going through all merges once in the order of rank. It bounds the
/// reach for every text. Tokens further from the end are final.
#[test]
fn the_reach_is_that_of_the_vocabulary() {
    let vocabulary = vocabulary();
    let ids: HashMap<&[u8], usize> = vocabulary.iter().map(Vec::as_slice).zip(0..).collect();
    let mut left_part: Vec<Option<usize>> = vec![None; vocabulary.len()];
    // The bytes moved over by the longest chain that ends with a merge of this token as the left one.
    let mut longest = vec![0; vocabulary.len()];
    for (token, bytes) in vocabulary.iter().enumerate().filter(|(_, bytes)| bytes.len() > 1) {
        let seam = last_seam(bytes, &ids).unwrap_or_else(|| panic!("token {token} is unreachable"));
        let (left, right) = (ids[&bytes[..seam]], ids[&bytes[seam..]]);
        assert!(left < token && right < token, "token {token} ranks before its own parts");
        let parts = std::iter::successors(Some(right), |&token| left_part[token]);
        let before = parts.map(|token| longest[token]).max().unwrap_or(0);
        longest[left] = longest[left].max(before + vocabulary[left].len());
        left_part[token] = Some(left);
    }
    assert_eq!(longest.into_iter().max(), Some(REACH));
}

/// Encodes a token's bytes until two parts are left, and returns where they meet: the last merge of these bytes, whatever
/// surrounds them, since a token is made of its own bytes alone, merged in their own order. `None` if the merges end
/// earlier: then no text encodes to this token.
fn last_seam(token: &[u8], ids: &HashMap<&[u8], usize>) -> Option<usize> {
    let mut seams: Vec<usize> = (0..=token.len()).collect();
    while seams.len() > 3 {
        let merge = |at: usize| ids.get(&token[seams[at]..seams[at + 2]]);
        let (_, lowest) = (0..seams.len() - 2).filter_map(|at| Some((merge(at)?, at))).min()?;
        seams.remove(lowest + 1);
    }
    Some(seams[1])
}

//! The published vocabulary, as `tiktoken-rs` carries them.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

/// SHA-256 of `cl100k_base.tiktoken`, from `tiktoken_ext/openai_public.py` of github.com/openai/tiktoken.
const CL100K_SHA256: &str = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7";

/// The bytes of each token. A token's place is its id, which is also the rank of the merge that makes it.
pub type Vocabulary = Vec<Vec<u8>>;

/// The 100,256 ordinary tokens of `cl100k_base`: ids from 0 up to the first gap; the special tokens (`<|endoftext|>`, …)
/// lie beyond it.
pub fn cl100k() -> Vocabulary {
    let encoding = tiktoken_rs::cl100k_base().expect("tiktoken-rs carries cl100k_base");
    let vocabulary: Vocabulary = (0..).map_while(|id| encoding.decode_bytes(&[id]).ok()).collect();
    let actual = sha256_of_published_form(&vocabulary);
    assert_eq!(actual, CL100K_SHA256, "tiktoken-rs's vocabulary is not the published one");
    vocabulary
}

/// `tiktoken-rs` does not expose its file, but the format has one form only: a line of base64, a space and the
/// id for each token, in the order of ids. Writing it again gives the published file, byte for byte.
fn sha256_of_published_form(vocabulary: &Vocabulary) -> String {
    let mut file = String::new();
    for (id, token) in vocabulary.iter().enumerate() {
        writeln!(file, "{} {id}", STANDARD.encode(token)).expect("a string takes any text");
    }
    Sha256::digest(file).iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
}

//! The order of stages: for documents scrub, parse, sieve, shapes; for text scrub, the user's own filter, the digest of
//! a report, else known forms of the text and of what the library's filter leaves. Bytes in, bytes and figures out;
//! only a user's own filter may run commands.

mod kind;
mod model;
pub mod page;
mod router;
pub mod scrub;
mod sieve;
pub mod visible;

use std::borrow::Cow;

pub use kind::OutputKind;
pub use model::{Compressed, Count, Keys, Omitted, Options, Shape, Timings, add_note};
pub use page::Page;
pub use router::is_worth_it;
use router::{Found, Router, timed};

use crate::config::Format;

/// A text has at most one NUL in this many bytes.
const LARGEST_SHARE_OF_NULS: usize = 4096;

/// At most one in this many bytes of a text is invalid UTF-8 or a control byte that no terminal knows; German in
/// Latin-1 has one in thirty.
const LARGEST_SHARE_OF_BINARY: usize = 10;

/// Options of git by which only the colour tells a removed word from an added one.
const COLOURED_WORDS: &[&str] = &["--color-words", "--word-diff=color"];

/// Compresses an output. Never more tokens than the input, unless the options ask for one format or an invisible
/// character has to be shown: the original is always a candidate, and another shape wins only where it saves enough
/// ([`is_worth_it`]; a user's own filter, anything).
///
/// Bytes that are no text come back as they are: those with NULs (but for a few in the output of a known command: a
/// file of test data in `git log -p`), with many bytes that are no UTF-8, and with invalid UTF-8 where there would be a
/// document. Of a text whose colours carry meaning nothing but the colours stays of terminal control, and of any other
/// text nothing, even where that saves nothing: see [`visible::output`].
pub fn compress(input: &[u8], options: &Options<'_>) -> Compressed {
    let nuls = memchr::memchr_iter(0, input).count();
    let is_text = nuls * LARGEST_SHARE_OF_NULS <= input.len() && !is_binary(input);
    let is_coloured = |option: &str| COLOURED_WORDS.iter().any(|coloured| option.starts_with(coloured));
    let has_colours = options.call.words.iter().any(|word| word.to_str().is_some_and(is_coloured));
    let is_raw = options.format == Format::Raw;
    let as_it_came: fn(&[u8]) -> Cow<'_, [u8]> = match (is_text, has_colours) {
        _ if is_raw || options.parses_output => |bytes| bytes.into(),
        (true, true) => visible::with_colours,
        (true, false) => visible::output,
        (false, _) if options.is_seen => visible::file,
        (false, _) => |bytes| bytes.into(),
    };
    let mut router = Router::new(input, options);
    let mut found = Found::Text;
    if is_text && !is_raw && !has_colours {
        let scrubbed = timed(&mut router.timings.scrub, || scrub::at_level(input, options.level));
        found = router.write(&scrubbed, nuls > 0);
    }
    router.choice(found, as_it_came)
}

fn is_binary(input: &[u8]) -> bool {
    let invalid: usize = input.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
    if invalid == 0 {
        return false;
    }
    let control = input.iter().filter(|byte| matches!(byte, 1..=6 | 14..=26 | 28..=31)).count();
    (invalid + control) * LARGEST_SHARE_OF_BINARY > input.len()
}

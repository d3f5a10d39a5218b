//! Texts that a tool writes over each other on one line.

use std::collections::HashSet;
use std::sync::LazyLock;

use llm_toto::config::Level;
use llm_toto::pipeline::scrub::at_level;
use proptest::prelude::*;
use regex::Regex;

static CONTROL: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\x1b\[\d*[A-Z]|[^\p{L}\d]").unwrap());

/// Lines of texts that are written over each other.
fn overwritten() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "alice 10",
        "alice 20",
        "bob 7%",
        "step 1 of 3",
        "step 2 of 3",
        "error: db01:5432",
        "12,1000",
        "94",
        "5",
        "[==> ]",
        "[===>] x",
        "ä",
        " ",
        "{",
        "\u{2819}",
    ]);
    let control = prop::sample::select(vec![
        "\r",
        "\r",
        "\n",
        "\r\n",
        "\x08",
        "\x08\x08\x08",
        "\x1b[2K",
        "\x1b[1G",
        "\x1b[99G ",
        "\x1b[3D",
        "\x1b[2C",
        " \x1b[K",
        " ",
    ]);
    prop::collection::vec((part, control), 1..12)
        .prop_map(|parts| parts.into_iter().flat_map(|(part, control)| [part, control]).collect())
}

proptest! {
    #[test]
    fn cells_of_two_texts_never_stand_in_one_word(text in overwritten()) {
        let words = |text: &str| -> HashSet<String> {
            CONTROL.split(text).filter(|word| !word.is_empty()).map(str::to_owned).collect()
        };
        let scrubbed = at_level(text.as_bytes(), Level::Standard);
        let out = String::from_utf8(scrubbed.text.into_owned()).unwrap();
        prop_assert!(words(&out).is_subset(&words(&text)), "{text:?} became {out:?}");
        prop_assert!(scrubbed.states > 0 || words(&text).is_subset(&words(&out)), "{text:?} became {out:?}");
        // Names in the states of a drawn bar are dropped with these states.
        let stay = if text.contains("[=") { "error db01" } else { "alice bob error db01" };
        prop_assert!(words(stay).intersection(&words(&text)).all(|name| words(&out).contains(name)));
        let again = at_level(out.as_bytes(), Level::Standard);
        prop_assert_eq!(&*again.text, out.as_bytes());
        let lossless = at_level(text.as_bytes(), Level::Lossless);
        let kept = String::from_utf8(lossless.text.into_owned()).unwrap();
        prop_assert!(lossless.states == 0 && words(&text).is_subset(&words(&kept)), "{text:?} became {kept:?}");
    }
}

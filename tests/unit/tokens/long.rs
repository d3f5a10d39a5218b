use proptest::collection::vec;
use proptest::prelude::*;

use super::super::layout::LONGEST_TOKEN;
use super::super::long::LongPiece;
use super::super::merge::{LONGEST, Merger};
use super::super::vocabulary::REACH;

fn piece() -> impl Strategy<Value = Vec<u8>> {
    let alphabets: [&[u8]; 5] = [b"ab", b" \t\n", b"=-*", b"etaoinshrdlu", "的一是".as_bytes()];
    let alphabet = prop::sample::select(alphabets.to_vec());
    alphabet.prop_flat_map(|bytes| vec(prop::sample::select(bytes), 1000..LONGEST))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn windows_count_what_the_whole_does(piece in piece(), step in 1_usize..300) {
        let mut long = LongPiece::default();
        for bytes in piece.chunks(step) {
            long.push(bytes);
            if long.window.len() > REACH + LONGEST_TOKEN {
                long.settle();
            }
        }
        prop_assert_eq!(long.finish(), Merger::new().encode(&piece));
    }
}

#[test]
fn the_published_vectors() {
    for (text, hash) in [("", 0xcbf2_9ce4_8422_2325), ("foobar", 0x8594_4171_f739_67e8)] {
        assert_eq!(super::hash(text.as_bytes()), hash);
    }
}

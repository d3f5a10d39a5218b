use super::*;

#[test]
fn memory_is_bounded_on_one_endless_piece() {
    for unit in [" ", "\n", "\n ", "ab", "=-", "A", "的"] {
        let mut counter = Counter::default();
        let part = unit.repeat(5000);
        for _ in 0..8 {
            counter.push(part.as_bytes());
            assert!(counter.text.capacity() <= 4 * BATCH, "{unit:?}: {} bytes", counter.text.capacity());
        }
        assert!(counter.finish() > 0);
    }
}

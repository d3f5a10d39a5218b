use super::super::count;
use super::super::counter::{BATCH, Counter, EXACT, ONE_IN, PART, Sampler};

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

#[test]
fn what_is_large_is_estimated_within_a_hundredth() {
    let line =
        |n: u64| format!("worker-{} compiled unit {} in {} ms\n", n % 37, n * 2_654_435_761 % 997, n % 89);
    let text: String = (0..200_000).map(line).collect();
    let (about, estimated) = Sampler::of(text.as_bytes());
    let exact = count(text.as_bytes());
    assert!(estimated && about.abs_diff(exact) * 100 < exact, "{about} {exact}");
    assert_eq!(Sampler::of(b"few words"), (2, false));
}

#[test]
fn a_long_run_of_one_character_costs_no_more_than_its_first_part() {
    let mut sampler = Sampler::default();
    sampler.push(&vec![b'x'; 64 << 20]);
    assert!(sampler.counted <= EXACT + (64 << 20) / ONE_IN + PART as u64);
    assert!(sampler.finish().0 > 0);
}

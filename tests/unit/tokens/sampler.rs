use super::*;

#[test]
fn what_is_large_is_estimated_within_a_hundredth() {
    let line =
        |n: u64| format!("worker-{} compiled unit {} in {} ms\n", n % 37, n * 2_654_435_761 % 997, n % 89);
    let text: String = (0..200_000).map(line).collect();
    let (about, estimated) = Sampler::of(text.as_bytes());
    let exact = super::super::count(text.as_bytes());
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

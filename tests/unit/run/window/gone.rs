use super::*;

#[test]
fn the_kernels_figure_is_read() {
    let text = b"some avg10=99.14 avg60=98.53 avg300=98.25 total=11736322530\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n";
    assert_eq!(total(text), Some(11_736_322_530));
    for other in [&b""[..], b"full total=7", b"some", b"some total=x", &[0xff]] {
        assert_eq!(total(other), None);
    }
}

#[test]
fn so_many_bytes_or_a_second_is_all_that_is_taken() {
    let mut gone = Gone::now();
    assert!(!gone.is_over() && gone.next_turn > Instant::now());
    gone.bytes += 1 << 20;
    assert!(!gone.is_over());
    gone.bytes += 3 << 20;
    assert!(gone.is_over());
    let mut gone = Gone { next_turn: Instant::now(), ..Gone::now() };
    gone.at -= BUSY_WAIT;
    assert!(gone.is_over());
}

use super::super::scrub::progress::is_next_state;

#[test]
fn the_same_text_with_other_counts_is_the_next_state() {
    for (before, after) in [
        (" 10%", " 50%"),
        (
            "Receiving objects:  50% (60/120), 1.2 MiB | 2.30 MiB/s",
            "Receiving objects: 100% (120/120), done.",
        ),
        ("step 1 of the build running, please wait", "step 31 of the build running, please wait"),
        ("⠙", "⠹"),
        (
            "Completed 256.0 KiB/1.2 MiB (3.1 MiB/s) with 1 file(s)",
            "Completed 1.2 MiB/1.2 MiB (9 MiB/s) with 1 file(s)",
        ),
        ("    Building [==>   ] 3/12: serde, regex", "    Building [====> ] 9/12: syn"),
    ] {
        assert!(is_next_state(before.as_bytes(), after.as_bytes()), "{before} / {after}");
    }
}

#[test]
fn another_name_or_a_reason_is_another_line() {
    for (before, after) in [
        ("user,balance", "alice,1000"),
        ("alice,1000", "bob,25"),
        ("alice 1000", "bob 25"),
        ("12,1000", "13,25"),
        ("checking db01 5%", "checking db02 6%"),
        ("reached 10.0.0.1 in 3 ms", "reached 10.0.0.2 in 3 ms"),
        ("pulling layer 4f2a9c1d88e0", "pulling layer 5f2a9c1d88e0"),
        ("1 test failed", "2 test failed"),
        ("WARNING: certificate expires in 2 days", "WARNING: certificate expires in 3 days"),
        ("downloading 10%", "done"),
        ("{", "\"a\": 1"),
    ] {
        assert!(!is_next_state(before.as_bytes(), after.as_bytes()), "{before} / {after}");
    }
}

use crate::cli::gain::table::*;

#[test]
fn figures_are_short() {
    for (figure, text) in [
        (0, "0"),
        (999, "999"),
        (1000, "1.00k"),
        (12_345, "12.3k"),
        (99_960, "100k"),
        (999_500, "1.00M"),
        (-4_560_000, "-4.56M"),
        (38_100_000_000, "38.1G"),
    ] {
        assert_eq!(short(figure), text);
    }
    assert_eq!(
        [36_040_000, 900_000_000, 8_956_800_000, 200_000_000_000].map(duration),
        ["36.0 s", "15 min", "2 h 29 min", "2 d 7 h"]
    );
    assert_eq!(
        [0, 1, 999, 1000, 12_345, 1_234_567].map(grouped),
        ["0", "1", "999", "1,000", "12,345", "1,234,567"]
    );
    assert_eq!(
        [0.0, 0.0012, 0.5, 114.3, -2.0, 12_345.6].map(money),
        ["$0.00", "$0.0012", "$0.50", "$114.30", "-$2.00", "$12,346"]
    );
}

#[test]
fn a_bar_is_as_long_as_its_share() {
    assert_eq!([1.0, 0.5, 0.0, 0.0001].map(|share| bar(share, 4)), ["████", "██", "", "▏"]);
    assert_eq!(sparkline(&[0, 1, 4, 8, -3]), " ▁▄█ ");
    assert_eq!(sparkline(&[]), "");
}

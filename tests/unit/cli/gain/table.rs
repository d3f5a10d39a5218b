use crate::cli::gain::table::*;
use crate::ledger::sums::Sums;

fn sums(runs: u64) -> Sums {
    Sums { runs, without: 4_000_000, given: 1_000_000, receipt: 3200, ..Sums::default() }
}

#[test]
fn a_table_fits_its_width() {
    let long = "kubectl get customresourcedefinitions and more".to_owned();
    let rows = [("aws", &sums(12_482)), (long.as_str(), &sums(3))];
    for width in [40, 60, 80, 140] {
        let text = lay_out("command", &rows, 3.0, width);
        let plain = anstream::adapter::strip_str(&text).to_string();
        let widest = plain.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= width, "{width}: {plain}");
        assert!(plain.contains("3.00M") && plain.contains("saved"), "{plain}");
        assert_eq!(plain.contains("receipts"), width == 140, "{plain}");
    }
}

#[test]
fn what_is_cut_says_so() {
    assert_eq!(cut("describe", 4), "des…");
    assert_eq!(cut("aé", 4), "aé  ");
}

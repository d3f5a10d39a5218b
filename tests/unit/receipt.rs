use super::*;

fn receipt(original: usize, compressed: usize) -> Receipt {
    Receipt { original, whole: None, estimated: false, compressed, shape: "PVFN".into(), left_out: false }
}

#[test]
fn says_what_was_saved() {
    assert_eq!(
        receipt(4821, 612).line(ReceiptMode::Full).unwrap(),
        "[toto] Original: 4821 tok | Compressed: 645 tok | Saved: 4176 (86.6%) | Shape: PVFN"
    );
    assert_eq!(receipt(4821, 612).line(ReceiptMode::Short).unwrap(), "[toto] 4821 -> 623 tok");
    assert_eq!(receipt(4821, 612).line(ReceiptMode::Off), None);
}

#[test]
fn a_small_saving_is_no_news() {
    let line = |receipt: Receipt| receipt.line(ReceiptMode::Auto);
    assert_eq!(line(receipt(500, 201)), None);
    assert!(line(receipt(500, 200)).is_some());
    assert!(line(Receipt { left_out: true, ..receipt(500, 300) }).is_some());
    assert_eq!(line(Receipt { left_out: true, ..receipt(179, 139) }), None);
}

#[test]
fn of_a_page_it_says_so() {
    let receipt = Receipt { whole: Some(41_892), ..receipt(17_008, 14_000) };
    let full = receipt.line(ReceiptMode::Full).unwrap();
    assert!(full.starts_with("[toto] Original: 17008 tok (page 1 of 41892 tok) | Compressed: "), "{full}");
    assert!(receipt.line(ReceiptMode::Short).unwrap().starts_with("[toto] page 1: 17008 -> "));
}

#[test]
fn an_estimate_is_marked() {
    let receipt = Receipt { estimated: true, ..receipt(4821, 612) };
    let full = receipt.line(ReceiptMode::Full).unwrap();
    assert!(full.contains("Original: ~4821 tok | Compressed: 645 tok | Saved: ~4176 (86.6%)"), "{full}");
    assert_eq!(receipt.line(ReceiptMode::Short).unwrap(), "[toto] ~4821 -> 623 tok");
}

#[test]
fn never_eats_the_saving() {
    assert_eq!(receipt(100, 98).line(ReceiptMode::Full), None);
    assert_eq!(receipt(100, 100).line(ReceiptMode::Full), None);
    let small = receipt(100, 75).line(ReceiptMode::Full).unwrap();
    assert!(small.starts_with("[toto] 100 -> "), "{small}");
}

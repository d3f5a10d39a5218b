use super::*;

#[test]
fn each_line_is_said_once_and_what_is_no_news_is_not() {
    let (one, two) = (Notices::default(), Notices::default());
    for _ in 0..2 {
        Notices::add(Some(&one), "a mistake");
        Notices::add_standing(Some(&two), "not trusted", "x".into());
    }
    one.merge(&two);
    assert_eq!(one.take_news(|about| about != "x"), ["a mistake"]);
    assert!(one.take().is_empty() && two.take().is_empty());
}

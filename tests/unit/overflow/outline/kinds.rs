use super::kinds;

#[test]
fn names_and_texts_without_a_pattern_have_no_kinds() {
    let words = ["ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine", "yew"];
    let texts = (3..).zip(words).map(|(n, word)| format!("{word} {}", [word].repeat(n).join(" ")));
    for texts in [(0..30).map(|n| format!("name-{n}")).collect::<Vec<_>>(), texts.collect()] {
        assert_eq!(kinds(&texts.iter().map(|text| (1, text.as_str())).collect::<Vec<_>>()), None);
    }
}

use crate::report::render::names::Names;

#[test]
fn a_long_text_stands_once() {
    let long = format!("'{{ {} }}'", "a: number; ".repeat(8));
    let lines = [format!("Type {long} is not 'x'."), format!("It's no {long}"), "short 'x'".to_owned()];
    let mut names = Names::of(lines.iter().map(String::as_str));
    assert_eq!(names.called(&lines[0]), format!("Type {long}=T1 is not 'x'."));
    assert_eq!(names.called(&lines[0]), "Type T1 is not 'x'.");
    assert_eq!(names.called(&lines[2]), lines[2]);
    let taken = format!("T1 {long}");
    let mut names = Names::of([taken.as_str(), &taken].into_iter());
    assert_eq!(names.called(&taken), format!("T1 {long}=Type_1"));
}

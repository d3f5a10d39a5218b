use crate::custom::schema::Json as Rule;
use crate::custom::value::{Budget, Value};
use crate::mistake::Mistake;

fn rule(path: &str) -> Result<Rule, Mistake> {
    let rule: Rule = toml::from_str(&format!("[[extract]]\npath = {path:?}\nas = \"x\"\n")).unwrap();
    rule.extract[0].path.check("")?;
    Ok(rule)
}

#[test]
fn values_have_their_names() {
    let document = br#"{"items": [{"name": "a", "n": 1}, {"name": "b", "n": 2, "gone": null}], "d e": "x"}"#;
    for (path, expected) in [
        ("$.items[*].name", "x_count=2, x=a\nb"),
        ("$.items", "x_count=2, x=name=a, n=1\nname=b, n=2, gone=null"),
        ("$['d e']", "x=x"),
        ("$.items[?@.n >= 2 && match(@.name, '[a-c]')].name", "x=b"),
        ("$.items[?!@.gone].n", "x=1"),
        ("$..nothing", "x_count=0, x="),
    ] {
        let (rule, budget) = (rule(path).unwrap(), Budget::for_input(0));
        let found = Value::Record(rule.collect(document, &budget).unwrap());
        assert_eq!(String::from_utf8(found.to_text(&budget).unwrap()).unwrap(), expected, "{path}");
    }
}

#[test]
fn no_path_is_a_mistake_and_none_runs_away() {
    let deep = format!("$[?{}@.a{}]", "(".repeat(20), ")".repeat(20));
    for path in ["a", "$x", "$.", "$[", "$.a[1,]", "$[?nope(@.a)]", "$[?@.a ==]", deep.as_str()] {
        assert!(rule(path).is_err(), "{path}");
    }
    let many = format!("[{}0]", "[0],".repeat(30_000));
    let (rule, budget) = (rule("$..[?count($..*) == 1]").unwrap(), Budget::for_input(0));
    assert!(rule.collect(many.as_bytes(), &budget).is_none() && budget.0.get() == 0);
}

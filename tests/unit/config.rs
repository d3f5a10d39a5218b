use super::*;
use Threshold::Characters;

#[test]
fn a_mistake_is_named_with_its_place() {
    for (text, expected) in [
        (
            "receipt = \"full\"\nlevel = \"most\"\n",
            "c.toml:2:9: unknown variant `most`, expected one of `lossless`",
        ),
        ("[store]\nqqq = 3\n", "c.toml:2:1: unknown key `qqq`; valid keys: enabled, days, mebibytes"),
    ] {
        let error = parse(text, "c.toml").unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn a_tools_section_is_over_the_general_one() {
    let text = "[overflow]\nmode = \"truncate\"\nthreshold = 9\n[tools.cargo]\nthreshold = 7\nstderr_threshold = 5\n";
    let settings = parse(text, "c.toml").unwrap();
    let limits = |tool, is_stderr| settings.limits(tool, is_stderr);
    assert_eq!(
        (limits("cargo", false).text, limits("cargo", true).text),
        (Some(Characters(7)), Some(Characters(5)))
    );
    assert_eq!((limits("aws", false).text, limits("aws", false).mode), (Some(Characters(9)), Mode::Truncate));
    assert_eq!(limits("aws", false).structured, Characters(40_000));
    let forced = Settings { threshold: Some(1), ..settings };
    assert_eq!(
        (forced.limits("cargo", true).text, forced.limits("aws", false).structured),
        (Some(Characters(1)), Characters(1))
    );
}

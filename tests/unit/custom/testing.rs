use crate::custom::testing::*;
use std::path::Path;

/// Seven thousand expressions of 0.5 MB fit into one file.
#[test]
fn a_check_keeps_no_compiled_text_that_no_rule_uses() {
    let source = "command = 'x'\nskip = ['b']\n[[variant]]\nname = 'v'\nfilter = 'x'\ndetect.args_pattern = 'c'\n\
                  [[test]]\nname = 't'\ninline = 'a'\n[[test.expect]]\nmatches = 'a'\n";
    let (file, mistakes) = check_all(source, Path::new(""));
    let file = file.filter(|_| mistakes.is_empty()).unwrap();
    assert_eq!(run(&file, source, Path::new("")).unwrap()[0].failures, [""; 0]);
    let texts = format!("{:?}", (&file.skip, &file.variant, &file.test));
    assert_eq!(texts.matches("OnceCell(Uninit)").count(), 3, "{texts}");
}

#[test]
fn a_mistake_of_a_tree_or_a_script_is_found_beside_others() {
    let source = "command = 'x'\n[tree]\npattern = 'a'\n[lua_script]\nsource = ''\nfile = 'a'\n\
                  [[match_output]]\noutput = ''\n[[section]]\nenter = '('\n";
    let places: Vec<_> =
        check_all(source, Path::new("")).1.iter().map(|mistake| (mistake.line, mistake.column)).collect();
    assert_eq!(places, [(3, 11), (6, 8), (8, 10), (10, 9)]);
}

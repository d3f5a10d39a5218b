use crate::farm::known::*;

#[test]
fn no_tool_is_there_twice() {
    let mut names: Vec<_> = well_known().collect();
    names.sort_unstable();
    assert_eq!(names.windows(2).find(|pair| pair[0] == pair[1]), None);
}

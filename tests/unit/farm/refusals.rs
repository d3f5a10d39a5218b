use crate::farm::known::*;

#[test]
fn versions_do_not_hide_an_interpreter() {
    for name in "python python3 python3.12 bash cat [ claude codex crush sudo pyenv vim".split(' ') {
        assert!(why_not(name.as_ref()).is_some(), "{name}");
    }
}

#[test]
fn what_is_worth_linking_is_never_refused() {
    // A word of the agent's own shell may be a name that scripts use: they never meet it.
    let mut in_farm = well_known().filter(|name| way_of(name) != Some(Way::Shell));
    assert_eq!(in_farm.find(|name| why_not(name.as_ref()).is_some()), None);
}

use super::*;

#[test]
fn a_script_that_quotes_the_mark_is_not_ours() {
    assert!(!is_toto(b"#!/bin/sh\n# toto shim 61c5f0d2e84b9a\n"));
}

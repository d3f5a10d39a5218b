use std::ffi::OsString;
use std::time::Duration;

use toml::Spanned;

use crate::custom::Call;
use crate::custom::schema::Script;
use crate::custom::script::{FORBIDDEN, TIME};

/// Runs a script with time enough for a busy machine.
fn run(source: &str) -> Result<Option<String>, String> {
    run_within(Duration::from_secs(20), source)
}

fn run_within(time: Duration, source: &str) -> Result<Option<String>, String> {
    let words = ["tool", "-v"].map(OsString::from);
    let call = Call { words: &words, exit: Some(3), ..Call::default() };
    let script = Script { source: Some(Spanned::new(0..0, source.to_owned())), ..Script::default() };
    let made = script.run_within(time, b"a\nb\n", &call)?;
    Ok(made.map(|text| String::from_utf8(text).unwrap()))
}

#[test]
fn a_script_makes_another_text() {
    assert_eq!(
        run("return output:upper() .. exit_code .. args[1] .. #stderr").unwrap().unwrap(),
        "A\nB\n3-v0"
    );
    assert_eq!(run("if exit_code == 0 then return 'x' end").unwrap(), None);
    assert_eq!(run("return 1").unwrap_err(), "the filter's script returned a integer, not a text");
    assert!(run("return nope.x").unwrap_err().contains("script:1"));
    assert!(run("return (").unwrap_err().contains("failed"));
}

#[test]
fn it_cannot_reach_the_world() {
    for name in FORBIDDEN.split(' ').chain(["_G.io", "coroutine", "string.dump"]) {
        assert_eq!(run(&format!("return tostring({name})")).unwrap().unwrap(), "nil", "{name}");
    }
    for source in ["string.rep = 1", "getmetatable('').__index.x = 1", "math.huge = 1"] {
        assert!(run(source).is_err(), "{source}");
    }
    assert!(run("\u{1b}Lua").is_err());
}

#[test]
fn it_is_bounded() {
    let late = "the filter's script took longer than 200 ms";
    let endless = [
        "while true do end",
        "while true do pcall(function() error('x') end) end",
        "return (('a'):rep(200):match(('a*'):rep(40) .. 'b')) or 'none'",
    ];
    for source in endless {
        assert_eq!(run_within(TIME, source).unwrap_err(), late, "{source}");
    }
    for source in ["return ('x'):rep(1e9)", "local t = {} while true do t[#t + 1] = ('x'):rep(1e6) .. #t end"]
    {
        assert_eq!(run(source).unwrap_err(), "the filter's script took more than 32 MiB", "{source}");
    }
    assert!(run("local function f() return f() + 1 end return f()").is_err());
}

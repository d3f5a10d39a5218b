//! Terminal control in a captured output: what goes, what stays, what is written over.

use std::borrow::Cow;

use llm_toto::config::Level;
use llm_toto::pipeline::scrub::{at_level, scrub};

#[test]
fn sequences_go_and_text_stays() {
    for (input, text) in [
        ("\x1b[1;31mred\x1b[0m \x1b]8;;http://x\x1b\\link\x1b]8;;\x07!", "red link (http://x)!"),
        ("\x1b]8;id=1;http://x\x07http://x\x1b]8;;\x07 \x1b]8;;a:b\x07c", "http://x c (a:b)"),
        ("\x1bP1$r0m\x1b\\a\x1b_apc\x1b\\b\x1b(Bc\x1b7d\x1b[?25le\x1b[>4;2mf", "abcdef"),
        ("a\x1b[38:2::1:2:3mb\x1b[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19mc", "abc"),
        ("ding\x07 dong", "ding dong"),
        // CAN and SUB end a string.
        ("a\x1b]0;t\x18b\x1bPq\x18c \x1b]8;;http://x\x18d\x1b]8;;\x18\n", "abc d (http://x)\n"),
        ("a\x1b]0;t\x1ab\x1bPq\x1ac \x1b]8;;http://x\x1ad\x1b]8;;\x1a\n", "abc d (http://x)\n"),
        // A sequence without an end hides nothing.
        ("\x1b]0;title and then the error", "0;title and then the error"),
        ("a\x1b[31\nb", "a\nb"),
        ("end\x1b", "end"),
        // A private sequence is not obeyed, nor is one whose end is not there.
        ("ab\x1b[?2K\x1b[2 K\x1b[>1D\x1b[3", "ab"),
        // Of a work's progress the last state stays.
        (" 10%\r 50%\r100%\ndone\r\n", "100%\ndone\n"),
        ("count 1\x1b[1G\x1b[0Kcount 2\x1b[2K\x1b[1Gcount 3\n", "count 3\n"),
        ("work |\x08/\x08-\x08 done\n", "work  done\n"),
        ("at 10%\x08\x08\x0820%\n", "at 20%\n"),
        ("NAME\x08\x08\x08\x08NAME a\x08ab\x08b _\x08x\n", "NAME ab x\n"),
        ("a\r\r\nb", "a\nb"),
        ("a\x1b[5Gb\x1b[2Cc", "a   b  c"),
        // What is no progress is never written over.
        ("longer line\rshort\x1b[K\n", "longer line\nshort\n"),
        ("longer\rab", "longer\nab"),
        ("abc\x08\x08X\n", "abc\nX\n"),
        ("höhe\rtief\n", "höhe\ntief\n"),
        ("error: x\x1b[2K\rok\n", "error: x\nok\n"),
        ("error: disk full\r            \rdone\n", "error: disk full\ndone\n"),
        ("1 failed\r2 failed\rdone    \n", "1 failed\n2 failed\ndone\n"),
    ] {
        assert_eq!(String::from_utf8_lossy(&scrub(input.as_bytes())), text, "{input:?}");
    }
    assert_eq!(at_level(b" 10%\r 50%\r100%\ndone\r\n", Level::Standard).states, 2);
    assert_eq!(at_level(b"a 1\rb 2\r\nc\n", Level::Standard).states, 0);
}

#[test]
fn at_lossless_a_line_that_takes_the_cursor_back_stays_as_it_came() {
    let lossless =
        |text: &[u8]| String::from_utf8(at_level(text, Level::Lossless).text.into_owned()).unwrap();
    for text in ["10%\r20%\r\x1b[K30%\n", "user,balance\ralice,1000\rbob,25\r", "a|\x08/\x08-\n", "a\x1b[2Kb"]
    {
        assert_eq!(lossless(text.as_bytes()), text);
    }
    assert_eq!(lossless(b"\x1b[1mbold\x1b[0m\r\na 1\ra 2\nred\x1b[0m"), "bold\na 1\ra 2\nred");
}

#[test]
fn bytes_stay_bytes_and_clean_text_is_borrowed() {
    assert_eq!(scrub(b"\xff\xfe\x1b[0m\x80\x1b[3\xffmx").as_ref(), b"\xff\xfe\x80\xffmx");
    assert!(matches!(scrub(b"clean \xff\ttext\n"), Cow::Borrowed(_)));
}

#[test]
fn cost_is_linear_on_hostile_input() {
    let mut hostile = "é".repeat(200_000).into_bytes();
    hostile.extend("\rx".repeat(200_000).bytes());
    hostile.extend("\x1b]".repeat(200_000).bytes());
    assert!(scrub(&hostile).len() < hostile.len());
}

/// The lines that stay of two texts that a tool wrote over each other.
fn last_states(before: &str, after: &str) -> Vec<String> {
    let text = scrub(format!("{before}\r{after}\n").as_bytes()).into_owned();
    String::from_utf8(text).unwrap().lines().map(String::from).collect()
}

#[test]
fn the_same_text_with_other_counts_is_the_next_state() {
    for (before, after) in [
        (" 10%", " 50%"),
        (
            "Receiving objects:  50% (60/120), 1.2 MiB | 2.30 MiB/s",
            "Receiving objects: 100% (120/120), done.",
        ),
        ("step 1 of the build running, please wait", "step 31 of the build running, please wait"),
        ("⠙", "⠹"),
        (
            "Completed 256.0 KiB/1.2 MiB (3.1 MiB/s) with 1 file(s)",
            "Completed 1.2 MiB/1.2 MiB (9 MiB/s) with 1 file(s)",
        ),
        ("    Building [==>   ] 3/12: serde, regex", "    Building [====> ] 9/12: syn"),
    ] {
        assert_eq!(last_states(before, after), [after]);
    }
}

#[test]
fn another_name_or_a_reason_is_another_line() {
    for (before, after) in [
        ("user,balance", "alice,1000"),
        ("alice,1000", "bob,25"),
        ("alice 1000", "bob 25"),
        ("12,1000", "13,25"),
        ("checking db01 5%", "checking db02 6%"),
        ("reached 10.0.0.1 in 3 ms", "reached 10.0.0.2 in 3 ms"),
        ("pulling layer 4f2a9c1d88e0", "pulling layer 5f2a9c1d88e0"),
        ("1 test failed", "2 test failed"),
        ("WARNING: certificate expires in 2 days", "WARNING: certificate expires in 3 days"),
        ("downloading 10%", "done"),
        ("{", "\"a\": 1"),
    ] {
        assert_eq!(last_states(before, after), [before, after]);
    }
}

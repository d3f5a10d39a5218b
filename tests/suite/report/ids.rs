//! Lists of tests: what their ids share stands once, and each id can be read.

use super::digest;
use llm_toto::report::Options;

/// A session of pytest: of each test its id, the line of its own and its reason; all fail in one function of the
/// project.
fn session(tests: &[(&str, u32, &str)]) -> String {
    let mut text =
        "=================================== FAILURES ===================================\n".to_owned();
    for (id, line, why) in tests {
        let (file, name) = id.split_once("::").unwrap();
        text += &format!(
            "____________________ {} ____________________\n\n    def test():\n>       total()\n\n{file}:{line}: \n\
             _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _\n\n    def total():\n>       raise ValueError(text)\n\
             E       {why}\n\nsrc/cart.py:7: ValueError\n",
            name.replace("::", ".")
        );
    }
    text += "=========================== short test summary info ============================\n";
    for (id, _, why) in tests {
        text += &format!("FAILED {id} - {why}\n");
    }
    text + &format!("{} failed in 0.12s\n", tests.len())
}

#[test]
fn failures_of_one_cause_share_a_reason_and_what_their_ids_share() {
    let why = "ValueError: no total";
    let text = session(&[
        ("tests/test_api.py::TestGet::test_one", 5, why),
        ("tests/test_api.py::TestGet::test_size[1]", 9, why),
        ("tests/test_api.py::TestGet::test_size[a, b]", 9, why),
        ("tests/test_api.py::TestPut::test_one", 20, why),
        ("tests/test_web.py::test_all[1]", 3, why),
        ("tests/test_web.py::test_all[2]", 3, why),
    ]);
    assert_eq!(
        digest(&text).unwrap().text,
        "6 failed in 0.12s\n\
         FAILED 6 at src/cart.py:7, same message:\n\
         \x20 tests/test_api.py::TestGet: test_one line 5; test_size[1], [a, b] line 9\n\
         \x20 tests/test_api.py::TestPut::test_one line 20\n\
         \x20 tests/test_web.py::test_all[1], [2] line 3\n\
         \x20 raise ValueError(text)\n\
         \x20 ValueError: no total\n"
    );
}

#[test]
fn parameters_that_would_not_be_read_as_such_keep_their_name() {
    let why = "ValueError: no total";
    let text = session(&[("tests/t.py::test_x[1]", 9, why), ("tests/t.py::test_x[a], [b]", 9, why)]);
    let told = digest(&text).unwrap().text;
    assert!(told.contains("  tests/t.py:\n    test_x[1]\n    test_x[a], [b]\n"), "{told}");
}

#[test]
fn failures_on_one_line_are_rows_by_file_and_class() {
    let text = session(&[
        ("tests/test_api.py::TestGet::test_size[1]", 9, "ValueError: no total for 1 pen"),
        ("tests/test_api.py::TestGet::test_size[2]", 9, "ValueError: no total for 2 pens"),
        ("tests/test_api.py::TestGet::test_size[3]", 9, "ValueError: no total for 3 pens"),
        ("tests/test_web.py::test_all", 3, "ValueError: no total for 4 pens"),
    ]);
    assert_eq!(
        digest(&text).unwrap().text,
        "4 failed in 0.12s\n\
         FAILED tests/test_api.py::TestGet::test_size[1] at src/cart.py:7\n\
         \x20 raise ValueError(text)\n\
         \x20 ValueError: no total for 1 pen\n\
         \x20 at tests/test_api.py:9\n\
         FAILED 3 more at src/cart.py:7:\n\
         \x20 tests/test_api.py::TestGet:\n\
         \x20 test_size[2]: ValueError: no total for 2 pens\n\
         \x20 [3]: ValueError: no total for 3 pens\n\
         \x20 tests/test_web.py:\n\
         \x20 test_all line 3: ValueError: no total for 4 pens\n"
    );
}

/// Where lines are cut, values that differ are not.
#[test]
fn a_row_tells_what_differs() {
    let long = "word ".repeat(25);
    let why = |value: u32| format!("ValueError: {long}is {value} of {long}");
    let [one, two, three] = [1, 2, 3].map(why);
    let text = session(&[
        ("tests/t.py::test_x[a]", 9, &one),
        ("tests/t.py::test_x[b]", 9, &two),
        ("tests/t.py::test_x[c]", 9, &three),
    ]);
    let options = Options { most: 900, ..Options::default() };
    let told = super::digest_by(&text, &[], &options).unwrap().text;
    assert!(told.contains("  test_x[b]: … 2 …\n  [c]: … 3 …\n"), "{told}");
}

#[test]
fn many_rows_tell_only_what_differs_below_their_class() {
    let why = |item: &str, count: u32| {
        format!("LookupError: there is no price for '{item}' in the table of prices, and no total of {count}")
    };
    let tests: Vec<_> = (1..=4)
        .flat_map(|count| {
            let id = |class: &str| format!("tests/test_api.py::{class}::test_x{count}");
            [(id("TestGet"), why("pen", count)), (id("TestPut"), why("ink", count))]
        })
        .collect();
    let text = session(&tests.iter().map(|(id, why)| (id.as_str(), 9, why.as_str())).collect::<Vec<_>>());
    let told = digest(&text).unwrap().text;
    let (_, rows) = told.split_once("FAILED 7 more at src/cart.py:7:\n").expect(&told);
    assert_eq!(
        rows,
        "  tests/test_api.py::TestPut:\n  test_x1: … 'ink' …\n  test_x2: … 'ink' … 2\n  test_x3: … 'ink' … 3\n  \
         test_x4: … 'ink' … 4\n  tests/test_api.py::TestGet:\n  test_x2: … 2\n  test_x3: … 3\n  test_x4: … 4\n"
    );
}

/// pytest shortens long values, so that both sides may look alike; the difference tells them apart.
#[test]
fn however_brief_a_digest_is_values_shortened_alike_are_told_apart() {
    let failures: String = (0..40)
        .map(|at| {
            format!(
                "_________ test_{at} _________\n\n    def test_{at}():\n>       assert text({at}) == expected\n\
                 E       AssertionError: assert 'select a,\\n ...tween 3 and 4' == 'select a,\\n ...tween 3 and 4'\n\
                 E         \n\
                 E         Skipping 164 identical leading characters in diff, use -v to show\n\
                 E         - from table_{at}\nE         -  where c\nE         + from table_{at} where c\n\n\
                 tests/t.py:{}: AssertionError\n",
                10 + at
            )
        })
        .collect();
    let text = format!("====== FAILURES ======\n{failures}===== 40 failed in 0.12s =====\n");
    for (most, between) in [(9_000, "\n  "), (7_000, "; ")] {
        let told = super::digest_by(&text, &[], &Options { most, ..Options::default() }).unwrap();
        assert!(told.complete && told.left_out.lines > 0, "{}", told.text);
        for at in 0..40 {
            let sides = format!("{between}- from table_{at}{between}+ from table_{at} where c\n");
            assert!(told.text.contains(&sides), "{at}: {}", told.text);
        }
    }
}

/// What is on one side alone tells the values apart, too, be it an empty line.
#[test]
fn a_line_that_only_one_of_two_values_has_is_told() {
    let diffs = ["E         + \nE             from t\n", "E         + \nE         -   join (...\n"];
    let failures: String = (0..40)
        .map(|at| {
            format!(
                "_________ test_{at} _________\n\n    def test_{at}():\n>       assert text({at}) == expected\n\
                 E       AssertionError: assert 'select a,\\n ...{at} and 4' == 'select a,\\n ...{at} and 4'\n\
                 E         \nE           select {at}\n{}\ntests/t.py:{}: AssertionError\n",
                diffs[at % 2],
                10 + at
            )
        })
        .collect();
    let text = format!("====== FAILURES ======\n{failures}===== 40 failed in 0.12s =====\n");
    let told = super::digest_by(&text, &[], &Options { most: 5_800, ..Options::default() }).unwrap().text;
    for at in 0..40 {
        let sides = ["; + (an empty line)\n", "; -   join (...; + (an empty line)\n"][at % 2];
        assert!(told.contains(&format!("{at} and 4' == (same when shortened){sides}")), "{at}: {told}");
    }
}

/// Of many failures an agent looks for what they have in common: each has a line, below its file.
#[test]
fn of_many_failures_each_has_a_line() {
    let failures: String = (0..30)
        .map(|at| {
            format!(
                "_________ test_{at} _________\n\n    def test_{at}():\n>       assert len(parse({at})) == 1\n\
                 E       AssertionError: assert {count} == 1\n\
                 E        +  where {count} = len([<Name 'a{at}' at 0x7F9C53AF77D0>, <Mark ';' at 0x7F9C5374AB00>])\n\
                 E        +    where [<Name 'a{at}' at 0x7F9C53AF77D0>, <Mark ';' at 0x7F9C5374AB00>] = parse({at})\n\n\
                 tests/t.py:{line}: AssertionError\n",
                count = 2 + at,
                line = 10 + at,
            )
        })
        .collect();
    let ids: String = (0..30)
        .map(|at| format!("FAILED tests/t.py::test_{at} - AssertionError: assert {} == 1\n", 2 + at))
        .collect();
    let text = format!(
        "====== FAILURES ======\n{failures}===== short test summary info =====\n{ids}===== 30 failed in 0.12s =====\n"
    );
    let told = super::digest_by(&text, &[], &Options { room: 200, ..Options::default() }).unwrap();
    let rows = (0..30).map(|at| {
        format!(
            "  test_{at} line {}: assert {count} == 1, where {count} = len([<Name 'a{at}'>, <Mark ';'>])\n",
            10 + at,
            count = 2 + at
        )
    });
    let expected = format!("30 failed in 0.12s\nFAILED tests/t.py:\n{}", rows.collect::<String>());
    assert_eq!(told.text, expected);
    assert!(told.complete);
}

/// Of many failures, those of one reason stand in the list of their file, with the reason once.
#[test]
fn of_many_failures_those_of_one_reason_stand_in_the_list_of_their_file() {
    let many = (0..30).map(|at| (format!("test_{at}"), 10 + at, format!("ValueError: {at}")));
    let of_one_line = [
        ("test_get[a]", 50, "ValueError: empty"),
        ("test_get[b]", 50, "ValueError: empty"),
        ("test_get[c]", 50, "ValueError: not a date"),
        ("test_put", 60, "ValueError: empty"),
    ];
    let of_one_line = of_one_line.map(|(name, line, why)| (name.to_owned(), line, why.to_owned()));
    let (mut failures, mut ids) = (String::new(), String::new());
    for (name, line, why) in many.chain(of_one_line) {
        failures += &format!(
            "_________ {name} _________\n\n    def test(text):\n>       check(parse(text))\nE       {why}\n\n\
             tests/t.py:{line}: ValueError\n"
        );
        ids += &format!("FAILED tests/t.py::{name} - {why}\n");
    }
    let text = format!(
        "====== FAILURES ======\n{failures}===== short test summary info =====\n{ids}===== 34 failed in 0.12s =====\n"
    );
    let told = super::digest_by(&text, &[], &Options { room: 200, ..Options::default() }).unwrap().text;
    let rows: String =
        (0..30).map(|at| format!("  test_{at} line {}: ValueError: {at}\n", 10 + at)).collect();
    let expected = format!(
        "34 failed in 0.12s\nFAILED tests/t.py:\n{rows}  test_get[a], [b] line 50, test_put line 60: ValueError: empty\n  \
         test_get[c] line 50: ValueError: not a date\n"
    );
    assert_eq!(told, expected);
}

/// A long list of ids is a block, of which a part may be told, so that the other failures have room.
#[test]
fn of_many_failures_a_long_list_of_one_reason_leaves_room_for_the_others() {
    let failed = |name: &str, line: usize, why: &str| {
        let block = format!(
            "_________ {name} _________\n\n    def test(text):\n>       check(parse(text))\nE       {why}\n\ntests/t.py:{line}: ValueError\n"
        );
        (block, format!("FAILED tests/t.py::{name} - {why}\n"))
    };
    let many = (0..2_000).map(|at| failed(&format!("test_get[a{at}]"), 50, "ValueError: empty"));
    let others = (0..30).map(|at| failed(&format!("test_{at}"), 60 + at, &format!("ValueError: {at}")));
    let (blocks, ids): (String, String) = many.chain(others).unzip();
    let text = format!(
        "====== FAILURES ======\n{blocks}===== short test summary info =====\n{ids}===== 2030 failed in 0.12s =====\n"
    );
    let told =
        super::digest_by(&text, &[], &Options { most: 6_000, room: 200, ..Options::default() }).unwrap();
    assert!(told.text.contains("FAILED 2000, same message"), "{}", told.text);
    for at in 0..30 {
        assert!(
            told.text.contains(&format!("  test_{at} line {}: ValueError: {at}\n", 60 + at)),
            "{}",
            told.text
        );
    }
}

//! What a tester found by running real tools: each text is an excerpt of what one printed.

use llm_toto::report::Options;

use super::digest_by;

fn told(command: &str, text: &str) -> String {
    let words: Vec<_> = command.split(' ').map(Into::into).collect();
    digest_by(text, &words, &Options::default()).map_or_else(|| text.to_owned(), |digest| digest.text)
}

#[test]
fn a_repair_that_shellcheck_proposes_is_told_as_such() {
    let text = r#"
In s.sh line 8:

^-- SC1072 (error): Expected end of double quoted string. Fix any mentioned problems and try again.


In s2.sh line 6:
echo "${arr[0]}" `date`
      ^-------^ SC2154 (warning): arr is referenced but not assigned.
                 ^----^ SC2046 (warning): Quote this to prevent word splitting.
                 ^----^ SC2006 (style): Use $(...) notation instead of legacy backticks `...`.

Did you mean: 
echo "${arr[0]}" $(date)

For more information:
  https://www.shellcheck.net/wiki/SC2154 -- arr is referenced but not assigned.
"#;
    let told = told("shellcheck s.sh s2.sh", text);
    assert!(told.contains("    Did you mean:\n    echo \"${arr[0]}\" $(date)\n"), "{told}");
    assert!(!told.contains("\n    \n"), "{told}");
}

#[test]
fn what_biome_marks_as_an_error_is_told_from_a_warning() {
    let text = r#"a.js:1:12 lint/style/useConst  FIXABLE  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

  ! This let declares a variable that is only assigned once.
  
  > 1 │ var x = 1; let y = 2
      │            ^^^
  

a.js:2:28 lint/suspicious/noDoubleEquals  FIXABLE  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

  × Using == may be unsafe if you are relying on type coercion.
  
    1 │ var x = 1; let y = 2
  > 2 │ function foo(a, b) { if (a == b) { return eval("1") } else return undefinedThing }
      │                            ^^
  

Checked 2 files in 16ms. No fixes applied.
Found 1 error.
Found 1 warning.
"#;
    let told = told("biome lint a.js", text);
    assert!(told.contains("2:28 × lint/suspicious/noDoubleEquals: Using =="), "{told}");
    assert!(told.contains("1:12 ! lint/style/useConst: This let"), "{told}");
}

#[test]
fn the_label_below_the_carets_is_the_errors_own() {
    let text = r#"error[E0502]: cannot borrow `v` as mutable because it is also borrowed as immutable
 --> src/main.rs:8:42
  |
8 |      let mut v = vec![1]; let f = &v[0]; v.push(2); println!("{}", f);
  |                                    -     ^^^^^^^^^                 - immutable borrow later used here
  |                                    |     |
  |                                    |     mutable borrow occurs here
  |                                    immutable borrow occurs here

error: could not compile `cb` (bin "cb") due to 1 previous error
"#;
    let told = told("cargo build", text);
    assert!(told.contains("also borrowed as immutable: mutable borrow occurs here\n"), "{told}");
}

#[test]
fn a_wrapped_message_of_mypy_keeps_its_code_and_where_it_is() {
    let text = r#"a.py: note: In function "f":
a.py:5: error: Function is missing a type annotation for one or more parameters
 [no-untyped-def]
    def f(x: int, y=[]) -> str:
    ^~~~~~~~~~~~~~~~~~~~~~~~~~~
a.py:9: error: Unsupported operand types for + ("str" and "int")  [operator]
            subprocess.call("ls " + x, shell=True)
                                    ^
a.py: note: At top level:
a.py:20: error: Incompatible types in assignment (expression has type "str",
variable has type "int")  [assignment]
    x: int = "s"
             ^~~
Found 3 errors in 1 file (checked 1 source file)
"#;
    let told = told("mypy --strict --show-error-context --pretty a.py", text);
    let expected = r#"Found 3 errors in 1 file (checked 1 source file)
a.py:
  5 error no-untyped-def: Function is missing a type annotation for one or more parameters
    def f(x: int, y=[]) -> str:
    In function "f"
  9 error operator: Unsupported operand types for + ("str" and "int")
    subprocess.call("ls " + x, shell=True)
    In function "f"
  20 error assignment: Incompatible types in assignment (expression has type "str", variable has type "int")
    x: int = "s"
"#;
    assert_eq!(told, expected);
}

#[test]
fn each_error_of_ld_keeps_its_function() {
    let text = r"/usr/bin/ld: /tmp/ccSAqdGM.o: in function `dup()':
ld2.cpp:(.text+0x0): multiple definition of `dup()'; /tmp/ccbM4vkd.o:ld1.cpp:(.text+0x0): first defined here
/usr/bin/ld: /tmp/ccbM4vkd.o: warning: relocation against `g' in read-only section `.text'
/usr/bin/ld: /tmp/ccbM4vkd.o: in function `main':
ld1.cpp:(.text+0x10): undefined reference to `f()'
/usr/bin/ld: ld1.cpp:(.text+0x16): undefined reference to `g'
/usr/bin/ld: warning: creating DT_TEXTREL in a PIE
collect2: error: ld returned 1 exit status
";
    let told = told("g++ ld1.cpp ld2.cpp", text);
    for line in [
        "multiple definition of `dup()'; /tmp/ccbM4vkd.o:ld1.cpp:(.text+0x0): first defined here\n  in function `dup()'",
        "undefined reference to `f()'\n  in function `main'",
        "undefined reference to `g'\n  in function `main'",
    ] {
        assert!(told.contains(line), "{line}:\n{told}");
    }
    let data = text.replace("ld1.cpp:(.text+0x16)", "ld1.o:(.data.rel+0x0)");
    let told = super::digest(&data).unwrap().text;
    assert!(told.contains("ld1.o:(.data.rel+0x0): undefined reference to `g'\ncollect2"), "{told}");
}

#[test]
fn each_hook_of_pre_commit_keeps_its_heading() {
    let text = r#"flake8...................................................................Failed
- hook id: flake8
- exit code: 1

a.py:1:1: F401 'os' imported but unused
a.py:1:10: E401 multiple imports on one line

mypy types...............................................................Failed
- hook id: mypy
- exit code: 1

a.py:9: error: Unsupported operand types for + ("str" and "int")  [operator]
Found 1 error in 1 file (checked 2 source files)

no files here........................................(no files to check)Skipped
"#;
    let told = told("pre-commit run --all-files", text);
    let lines: Vec<&str> = told.lines().filter(|line| !line.is_empty()).map(str::trim).collect();
    let at = |start: &str| lines.iter().position(|line| line.contains(start)).unwrap();
    let order = [
        "flake8...",
        "F401",
        "mypy types...",
        "- hook id: mypy",
        "Found 1 error",
        "operator",
        "no files here",
    ];
    assert!(order.map(at).is_sorted(), "{told}");
}

#[test]
fn a_subtest_of_meson_is_not_of_the_test_before_it() {
    let text = r#"7/9 ms:crash FAIL            0.01s   killed by signal 6 SIGABRT
>>> MALLOC_PERTURB_=44 /tmp/rev/4-w/ms/b/e abort
――――――――――――――――――――――――――――――――――――― ✀  ―――――――――――――――――――――――――――――――――――――
stderr:
arg abort
――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――

▶ 8/9 b      FAIL          
8/9 ms:tap   FAIL            0.01s   1/2 subtests passed
>>> MALLOC_PERTURB_=242 /usr/bin/sh -c 'printf "1..3
ok 1 a
not ok 2 b
"'

Ok:                7   
Expected Fail:     0   
Fail:              2   
Unexpected Pass:   0   
Skipped:           0   
Timeout:           0   
"#;
    let told = told("meson test -C b --print-errorlogs", text);
    assert!(told.contains("  arg abort\n▶ 8/9 b      FAIL\nFAILED ms:tap\n"), "{told}");
}

#[test]
fn a_note_of_perls_is_no_reason_of_the_failure_before_it() {
    let text = r"
#   Failed test 'numbers'
#   at t/a.t line 1.
#          got: '1
# one'
#     expected: '2'

#   Failed test 'sub'
#   at t/a.t line 1.
# a note
# Looks like you failed 2 tests of 7.
t/a.t .. 
Dubious, test returned 2 (wstat 512, 0x200)
Failed 2/7 subtests 

Test Summary Report
-------------------
t/a.t (Wstat: 512 (exited 2) Tests: 7 Failed: 2)
  Failed tests:  2, 6
  Non-zero exit status: 2
Files=1, Tests=7,  1 wallclock secs ( 0.01 usr  0.01 sys +  0.09 cusr  0.02 csys =  0.13 CPU)
Result: FAIL
";
    let told = told("prove t", text);
    assert!(told.contains("FAILED t/a.t:1 sub\n  printed:\n    a note\n"), "{told}");
    assert!(!told.contains("printed:\n    one'"), "{told}");
}

#[test]
fn a_caret_or_a_list_of_paths_is_no_error() {
    let rollup = r"[!] RollupError: bad.js (1:9): Expected ident
bad.js (1:9)
1: function ( {
            ^
    at Object.getRollupError (/tmp/rev/4-w/js/node_modules/rollup/dist/shared/parseAst.js:326:41)
    at ParseError.initialise (/tmp/rev/4-w/js/node_modules/rollup/dist/shared/rollup.js:18155:40)
";
    let robot = r"[ ERROR ] Error in file '/tmp/rev/4-w/rb/suite/b.robot' on line 3: Importing library 'NoSuchLib' failed: ModuleNotFoundError: No module named 'NoSuchLib'
Traceback (most recent call last):
  None
PYTHONPATH:
  /tmp/rev/4-w/v/bin
  /root/.pyenv/versions/3.11.7/lib/python311.zip
Suite.B                                                                       
==============================================================================
One                                                                   | PASS |
------------------------------------------------------------------------------
Suite.B                                                               | PASS |
1 test, 1 passed, 0 failed
";
    for (command, text) in [("rollup bad.js", rollup), ("robot --dryrun suite", robot)] {
        let told = told(command, text);
        assert!(!told.lines().any(|line| line.starts_with("ERROR")), "{told}");
    }
}

#[test]
fn both_repairs_that_clang_proposes_are_told() {
    let text = r#"w1.c:2:43: warning: using the result of an assignment as a condition without parentheses [-Wparentheses]
int f(int a, char *s) { int unused; if (a = 3) printf("%s %d\n", a, s); return; }
                                        ~~^~~
w1.c:2:43: note: place parentheses around the assignment to silence this warning
int f(int a, char *s) { int unused; if (a = 3) printf("%s %d\n", a, s); return; }
                                          ^
                                        (    )
w1.c:2:43: note: use '==' to turn this assignment into an equality comparison
int f(int a, char *s) { int unused; if (a = 3) printf("%s %d\n", a, s); return; }
                                          ^
                                          ==
1 warning generated.
"#;
    let told = told("clang -fsyntax-only w1.c", text);
    assert!(told.contains("place parentheses around") && told.contains("use '==' to turn"), "{told}");
    assert!(!told.contains("(    )"), "{told}");
}

#[test]
fn ctest_tells_what_it_could_not_run_and_what_it_did_not_want_to() {
    let text = r"      Start  2: failing
 2/10 Test  #2: failing ..........................***Failed    0.00 sec
expected 3 got 4

      Start  5: notfound
Could not find executable ./no_such_exe
Unable to find executable: ./no_such_exe
 5/10 Test  #5: notfound .........................***Not Run   0.00 sec
      Start  6: disabled
 6/10 Test  #6: disabled .........................***Not Run (Disabled)   0.00 sec
      Start  7: skipped
 7/10 Test  #7: skipped ..........................***Skipped   0.00 sec
      Start  9: dep
Failed test dependencies: failing
 9/10 Test  #9: dep ..............................***Not Run   0.00 sec

22% tests passed, 3 tests failed out of 9

The following tests did not run:
	  6 - disabled (Disabled)
	  7 - skipped (Skipped)

The following tests FAILED:
	  2 - failing (Failed)
	  5 - notfound (Not Run)
	  9 - dep (Not Run)
Errors while running CTest
";
    let told = told("ctest --test-dir b --output-on-failure", text);
    let expected = r"22% tests passed, 3 tests failed out of 9
FAILED failing
  expected 3 got 4
FAILED notfound
  Not Run
  Could not find executable ./no_such_exe
  Unable to find executable: ./no_such_exe
FAILED dep
  Not Run
  Failed test dependencies: failing
skipped:
  disabled: Disabled
  skipped
";
    assert_eq!(told, expected);
}

#[test]
fn a_pending_example_of_rspec_that_passed_is_one_failure() {
    let text = r#"Failures:

  1) Outer pend fixed FIXED
     Expected pending 'bug 4' to fail. No error was raised.
     # ./spec/a_spec.rb:8

  2) Outer same loop
     Failure/Error: [1,2].each { |i| it("same loop") { expect(i).to eq 0 } }

       expected: 0
            got: 1

       (compared using ==)
     # ./spec/a_spec.rb:9:in `block (3 levels) in <top (required)>'

Finished in 0.01058 seconds (files took 0.05415 seconds to load)
9 examples, 2 failures

Failed examples:

rspec ./spec/a_spec.rb:8 # Outer pend fixed
rspec ./spec/a_spec.rb[1:8] # Outer same loop
"#;
    let told = told("rspec", text);
    assert!(
        told.starts_with("9 examples, 2 failures\nFAILED ./spec/a_spec.rb:8 Outer pend fixed\n  Expected"),
        "{told}"
    );
}

#[test]
fn ava_tells_tests_that_log_and_those_that_were_to_fail() {
    let text = r"
  - [skip] skipped
  ✔ ok
  ✘ [unexpected pass]: known but passes Test was expected to fail, but succeeded, you should stop marking the test as failing
  ✘ [fail]: logs msg here
    ℹ some log
  ─

  known but passes

  Test was expected to fail, but succeeded, you should stop marking the test as failing



  logs
  t.js:6

   5: test.failing('known', t => t.fail());                             
   6: test('logs', t => { t.log('some log'); t.is(1, 2, 'msg here'); });
   7:                                                                   

  msg here

  Difference (- actual, + expected):

  - 1
  + 2

  › t.js:6:42

  ─

  2 tests failed
  1 test skipped
";
    let told = told("ava", text);
    for fact in [
        "2 tests failed\n1 test skipped\n",
        "  ✘ [fail]: logs msg here\n    ℹ some log\n",
        "FAILED known but passes\n  Test was expected to fail",
        "FAILED t.js:6 logs\n",
    ] {
        assert!(told.contains(fact), "{fact}:\n{told}");
    }
}

//! Texts that only look like findings: logs with `path:line`, searches, stack traces, lists, prose. They stay text.

use llm_toto::report::record::What;
use llm_toto::report::{self, Report};

/// A line each, told twelve times with another number (`#`), file (`@`) and word (`%`).
const LINES: &[&str] = &[
    // Logs.
    "@:# INFO % started",
    "@:# ERROR % could not be reached",
    "@:#: starting % on port 80#",
    "@:#: connected to % in # ms",
    "[@:#] % was handled",
    "[@:#] INFO: % was handled",
    "2026-11-22 10:00:0# @:#: % was handled",
    "2026/11/22 10:00:0# @:#: error: % was refused",
    "10:00:0# @:# error %",
    "INFO @:# % started",
    "INFO:@:#: % started",
    "ERROR:root:@:# % failed",
    "E1122 10:00:00.000000 1 @:#] % failed",
    "W1122 10:00:00.00#000 1 @:#] % is slow",
    "<3>@:#: % failed",
    "level=error caller=@:# msg=\"% failed\"",
    "ts=2026-11-22T10:00:0#Z caller=@:# level=warn msg=%",
    "{\"level\":\"error\",\"caller\":\"@:#\",\"msg\":\"%\"}",
    "Nov 22 10:00:0# web app[#]: @:#: % failed",
    "nginx: [error] #: *# open() \"/srv/%\" failed",
    "127.0.0.1 - - [22/Nov/2026:10:00:0# +0000] \"GET /% HTTP/1.1\" 200 #",
    "DEBUG @:# %: # rows",
    "@:# DEBUG %: # rows",
    "@(#) INFO % started",
    "@(#): % has started",
    "TRACE @(#): % has started",
    "web-#  | @:#: % has started",
    "[#] @: % was read",
    "10.0.0.#:443: % connected",
    "db.internal:543#: % connected",
    "api.example.com:44#: error: % refused",
    "api.example.com:44# error % refused",
    "worker-# exited with code #: %",
    "#: %: done",
    "%: error # of 12: retried",
    "error: attempt #: % was refused",
    "warning: attempt # of %",
    // Searches.
    "@:#:let % = #;",
    "@:#:    let % = #;",
    "@:#:\tlet % = #;",
    "@:#:8:    let % = #;",
    "@:#:8:let % = #;",
    "@-#-    let % = #;",
    "@#    let % = #;",
    "#:    let % = #;",
    "#:let % = \"error: #\";",
    "@:    return error(\"%\", #)",
    "@:#:    // error: % is not #",
    "@:#:// warning: % is not #",
    "@:#:  raise ValueError('% #')",
    "Binary file @ matches",
    "@:#",
    "@:12#",
    // Stack traces and frames.
    "    at % (@:#:8)",
    "    at @:#:8",
    "\tat com.acme.%.run(@:#)",
    "  File \"@\", line #, in %",
    "@:#:in `%'",
    "@:# +0x1d",
    "\t@:# +0x1d",
    "#: % at ./@:#",
    "    @ line # calls %",
    "#  0x00000000004# in % () at @:#",
    "%@http://localhost:80#/@:#:8",
    // Lists.
    "sending @ (# of 12)",
    "@",
    "src/%/@  #",
    "./@",
    "-rw-r--r-- 1 root root #00 Nov 22 10:0# @",
    "#00\t./src/@",
    "#  @",
    "   #  #0  #00 @",
    ">f+++++++++ src/@",
    "A  @",
    " M @",
    "@ | # ++--",
    " create mode 100644 @",
    "d41d8cd98f00b204e980099#ecf8427e  @",
    "@: ASCII text, with % line",
    "@: OK",
    "@: FAILED",
    "@: # lines",
    "@:\t# %",
    "@ #% %",
    "@  #0  #  9#%  #-1#",
    "Compiling @ (# of 12)",
    "[#/12] Building CXX object @.o",
    "copied @ to build/%/@",
    "inflating: @",
    "x @, # bytes, # tape blocks",
    "GET /@ 200 # ms - %",
    "@ 200 OK # bytes",
    "%.example.com. # IN A 10.0.0.#",
    "http://localhost:80#/@: %",
    "https://example.com/%/@:# % is here",
    "pkg/%#: @",
    // Prose, code, data.
    "In @ line # the word % is explained.",
    "See @, line #, for % and its friends.",
    "Chapter #: the % (page #)",
    "note #: % is not what it was",
    "Note: % is # years old",
    "He said: % and #: nothing more.",
    "1#:30: meeting about %",
    "# %: see @",
    "- @: adds % (#)",
    "* @ (#): %",
    "| @ | # | % |",
    "> @:# %",
    "+    let % = #; // @",
    "-    let % = #; // @:#",
    "@@ -#,8 +#,9 @@ %",
    "diff --git a/@ b/@",
    "key#: \"@:# %\"",
    "  \"@\": #,",
    "%(#): @",
    "if % > #: return @",
    "import % from './@' // #",
    "let a# = %(\"@\", #);",
    "<a href=\"@#%\">#</a>",
    "#,@,%,error",
    "@,#,%,8",
    "@;#;%",
    "@\t#\t%",
    "1# passed: @",
    "ok # - @ has %",
];

#[test]
fn what_only_looks_like_findings_stays_text() {
    const FILES: &[&str] =
        &["src/main.rs", "app/views.py", "lib/a.js", "cmd/x/run.go", "b.c", "web/index.ts"];
    const WORDS: &[&str] = &["cache", "queue", "broker", "session", "order"];
    assert!(LINES.len() >= 100);
    let text = |line: &&str| -> String {
        let nth = |at: usize| {
            let line = line.replace('@', "\0").replace('%', WORDS[at % WORDS.len()]);
            line.replace('\0', FILES[at % FILES.len()]).replace('#', &(at + 1).to_string()) + "\n"
        };
        (0..12).map(nth).collect()
    };
    let mut wrong = Vec::new();
    for line in LINES {
        let text = text(line);
        let report = report::read(&text, &[]);
        let found =
            report.iter().flat_map(Report::records).filter(|record| matches!(record.what, What::Finding(_)));
        if found.count() > 0 {
            wrong.push(text.lines().next().unwrap_or_default().to_owned());
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

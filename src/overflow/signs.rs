//! The looks of lines that say why something failed: data, one table a rank.

/// A line must have one of these words to be looked at. Each has at least four bytes; where spellings differ in their
/// first letters, the common part stands for them (`rror` for `error` and `Error`). `|` stands between them.
pub(super) const WORDS: &str = concat!(
    "rror|RROR|fail|Fail|FAIL|xception|XCEPTION|panic|Panic|PANIC|fatal|Fatal|FATAL|raceback|bort|BORT|",
    "ssert|SSERT|not ok|ndefined|nresolved|annot |ANNOT |an't |nable to|enied|ENIED|o such|O SUCH|",
    "ot found|OT FOUND|efused|EFUSED|illed|KILLED|egmentation|ore dumped|aused by|imed out|onflict|",
    "CONFLICT|issing|nvalid|NVALID|xpected|warn|Warn|WARN"
);

/// Words beyond ASCII, to the same purpose.
pub(super) const MARKS: &[&str] = &["✗", "✘", "✕", "×", "●"];

/// Lines that state a failure.
pub(super) const STRONG: &str = concat!(
    r"^\s*(?i:error|fatal|panic|abort|exception|traceback|caused by|failed|failure|fail)\b(?:[:!\[(]|\s)",
    r"|^\s*\d+:\d+:?\s+error\b",
    r"|^\s*\[(?:error|fatal|severe|critical|ERROR|FATAL|SEVERE|CRITICAL)\][ :]|^INTERNALERROR> \S",
    r"|\b(?:fatal )?error(?: ?\[?[A-Z]{1,4}[-_]?\d+\]?)?: ",
    r"|\berror TS\d+",
    r"|\b[A-Z][A-Za-z.]*(?:Error|Exception|Failure)\b(?::|$| \[)",
    r"|panicked at|^E  +\S|^\s*--- FAIL|^not ok\b|^\s*(?:✗|✘|✕|×|●) ?\S",
    r"|\bERR!|^npm error|^\s*\*\*\* .*(?:error|stop)|: \*\*\* |No rule to make target|undefined reference",
    r"|[Ss]egmentation fault|core dumped|command not found|No such file or directory|[Pp]ermission denied",
    r"|^CONFLICT |^\s*Caused by:|^\s*(?:unhandled|uncaught)\b|FAILED\b|^Killed|Connection refused|^goroutine \d+ \[",
    r"|^\s*(?:Error|ERROR|FATAL|E\d{4} |F\d{4} )"
);

/// Lines that name a failure, less surely.
pub(super) const WEAK: &str = concat!(
    r"\b(?:errors?|failed|fails|failure|failures|exceptions?|panic|fatal|aborted|denied|refused|killed|unresolved|",
    r"unable|cannot|can't|not found|missing|invalid|expected|timed out|conflict)\b|✗|✘|✕|×"
);

/// Lines that only sound like a failure: nothing failed, or a name has the word in it.
pub(super) const HARMLESS: &str = concat!(
    r"\b(?:0|no|without|zero) (?:errors?|fail(?:ed|ures?)|exceptions?|warnings?|problems?)\b",
    r"|\bfail(?:ed|ures)?[:=] ?0\b|\berrors?[:=] ?0\b|\.\.\. ok$|\bPASS(?:ED)?\b|^\s*(?:✓|√)|^ok \d",
    r"|^\s*Compiling |^\s*Downloaded |^\s*Downloading "
);

/// Frames of a stack: only a few of each stack are kept.
pub(super) const FRAME: &str = r#"^\s+at |^\s+File "|^\s+\d+: +0x|^\s+\d+: [\w<]|^\s+from .+:\d+:in|^\s+\.\.\. \d+ (?:more|common)|^\t\S+\.go:\d+"#;

/// Lines that continue what the line above them says, however far they are indented.
pub(super) const GOES_ON: &str = r"^\s*\||^>|^E  |^\d+ +\||^(?:note|help|hint|reason|because|left|right|Expected|Received|assertion)\b|^[+-] |^\^";

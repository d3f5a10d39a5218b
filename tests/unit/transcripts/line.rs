use crate::transcripts::line::*;

#[test]
fn whose_output_is_seen() {
    for (line, expected) in [
        ("aws ec2 describe-instances", &["aws ec2 describe-instances"][..]),
        ("cd /x && FOO=1 cargo test 2>&1", &["cargo test"]),
        ("cargo test 2>&1 | tail -5", &["tail -5"]),
        ("git status; git diff", &["git status", "git diff"]),
        ("aws s3 ls > out.txt; wc -l out.txt", &["wc -l out.txt"]),
        ("aws s3 ls >out.txt 2>/dev/null", &[]),
        ("aws s3 ls 2>/dev/null", &["aws s3 ls"]),
        ("cmd &>log", &[]),
        ("git commit -m \"a; b | c\" 'd && e'", &["git commit -m a; b | c d && e"]),
        ("X=$(aws sts get; date) echo hi", &[]),
        ("if ls; then git log; fi", &["ls", "git log"]),
        ("grep -c '#' f # a comment | x", &["grep -c # f"]),
        ("python3 - <<'EOF'\nprint(1) | x\nEOF", &["python3 -"]),
        ("(cd a; make) & wait", &["make"]),
        ("a || b |& c", &["a", "c"]),
        ("wc < in", &["wc"]),
        ("", &[]),
        ("\"unclosed | 'x", &["\"unclosed | 'x"]),
        ("\\", &["\\"]),
        ("git log --format=\"$X\" 1>f; (make) 2>&1", &["make"]),
        ("cat <(aws x | y) | head", &["head"]),
    ] {
        let pipelines = pipelines(line);
        let seen = pipelines.iter().filter_map(|pipeline| Some(pipeline.seen()?.join(" ")));
        assert_eq!(seen.collect::<Vec<_>>(), expected, "{line}");
    }
}

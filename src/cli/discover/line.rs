//! A shell's command line taken apart as far as it takes to know whose output an agent saw. Nothing is run.

/// One command, or several of which each reads the one before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pipeline {
    /// The words of each command.
    pub stages: Vec<Vec<String>>,
    /// Does the last one's output go into a file?
    pub into_file: bool,
}

/// Commands that print nothing worth counting, and separators of others' output.
const QUIET: &[&str] = &[
    "cd", "pushd", "popd", "export", "unset", "set", "source", ".", "sleep", "true", "false", "test", "[",
    "[[", "umask", "trap", "shopt", "alias", "wait", "local", "exit", "return", "read", "echo", "printf",
    "mkdir", "rm", "cp", "mv", "touch", "chmod", "chown", "ln", "kill", "fi", "done", "esac", "for", "case",
    "function",
];
/// Words in front of a command.
const LEADING: &[&str] =
    &["if", "then", "else", "elif", "do", "while", "until", "!", "time", "exec", "command", "{", "("];

impl Pipeline {
    /// The command whose output is seen; none where nothing is.
    pub fn seen(&self) -> Option<&[String]> {
        let last = self.stages.last()?;
        let name = last.first()?;
        (!self.into_file && !name.is_empty() && !QUIET.contains(&name.as_str())).then_some(last)
    }
}

/// The pipelines of a command line, up to where it is beyond us (a here-document).
pub fn pipelines(line: &str) -> Vec<Pipeline> {
    let mut reader = Reader::default();
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => reader.push(rest.next()),
            '\'' => reader.quoted(&mut rest, '\'', false),
            '"' => reader.quoted(&mut rest, '"', true),
            '`' => reader.quoted(&mut rest, '`', true),
            '$' if rest.peek() == Some(&'(') => reader.substitution(&mut rest),
            '#' if reader.word.is_none() => while rest.next_if(|c| *c != '\n').is_some() {},
            '|' if rest.next_if_eq(&'|').is_some() => reader.end_pipeline(),
            '|' => {
                rest.next_if_eq(&'&');
                reader.end_stage();
            }
            '&' if rest.peek() == Some(&'>') => reader.end_word(),
            '&' | ';' | '\n' | '(' | ')' => reader.end_pipeline(),
            '<' if rest.peek() == Some(&'<') => break,
            '>' | '<' => reader.redirection(c, &mut rest),
            c if c.is_whitespace() => reader.end_word(),
            c => reader.push(Some(c)),
        }
    }
    reader.end_pipeline();
    reader.done
}

type Rest<'t> = std::iter::Peekable<std::str::Chars<'t>>;

#[derive(Default)]
struct Reader {
    done: Vec<Pipeline>,
    pipeline: Pipeline,
    words: Vec<String>,
    word: Option<String>,
    /// The next word is a file's name.
    skips: bool,
}

impl Reader {
    fn push(&mut self, c: Option<char>) {
        self.word.get_or_insert_default().extend(c);
    }

    fn quoted(&mut self, rest: &mut Rest<'_>, end: char, escapes: bool) {
        let word = self.word.get_or_insert_default();
        while let Some(c) = rest.next() {
            match c {
                c if c == end => return,
                '\\' if escapes => word.extend(rest.next()),
                c => word.push(c),
            }
        }
    }

    /// `$(…)` is a part of a word, whatever is in it.
    fn substitution(&mut self, rest: &mut Rest<'_>) {
        let word = self.word.get_or_insert_default();
        let mut depth = 0;
        word.push('$');
        for c in rest.by_ref() {
            word.push(c);
            depth += i32::from(c == '(') - i32::from(c == ')');
            if depth == 0 {
                return;
            }
        }
    }

    fn redirection(&mut self, c: char, rest: &mut Rest<'_>) {
        let of_stderr = self.word.as_deref() == Some("2");
        if self.word.as_deref().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit())) {
            self.word = None;
        }
        self.end_word();
        rest.next_if_eq(&'>');
        rest.next_if_eq(&'|');
        if rest.next_if_eq(&'&').is_none() && c == '>' && !of_stderr {
            self.pipeline.into_file = true;
        }
        self.skips = true;
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        if std::mem::take(&mut self.skips) {
            return;
        }
        let is_assignment = word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
        });
        if self.words.is_empty() && (is_assignment || LEADING.contains(&word.as_str())) {
            return;
        }
        self.words.push(word);
    }

    fn end_stage(&mut self) {
        self.end_word();
        self.skips = false;
        if !self.words.is_empty() {
            self.pipeline.stages.push(std::mem::take(&mut self.words));
        }
    }

    fn end_pipeline(&mut self) {
        self.end_stage();
        let pipeline = std::mem::take(&mut self.pipeline);
        if !pipeline.stages.is_empty() {
            self.done.push(pipeline);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(line: &str) -> Vec<String> {
        pipelines(line).iter().filter_map(|pipeline| Some(pipeline.seen()?.join(" "))).collect()
    }

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
            ("\"unclosed | 'x", &["unclosed | 'x"]),
            ("\\", &[]),
        ] {
            assert_eq!(seen(line), expected, "{line}");
        }
    }
}

//! What a report of findings says, read from its raw text by one regular expression a form, and what a digest says,
//! read back from its lines. Shares no code with the recognisers and the renderer.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// A group: so many findings of these words.
static MANY: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^(\d+)× (.+)$").unwrap());
/// A finding alone, behind its place.
static ALONE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^(\S.*?):(\d+)(?::(\d+))? (.+)$").unwrap());
/// A finding alone, behind its file.
static BARE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^([^\s:]*[./][^\s:]*) (.+)$").unwrap());
/// The lines of a file in a group.
static ROWS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^(.+?):(\d+(?:$|[:,; ×].*))$").unwrap());
/// A file without lines in a group.
static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^([\w@./\\-]*\w)(?:×(\d+))?$").unwrap());

/// A finding as the tool wrote it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fact {
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
    pub word: String,
    pub code: String,
    pub message: String,
}

/// A form: the file it is for (or a part of its name), its expression, and totals.
struct Form {
    names: &'static [&'static str],
    /// Groups: `file`, `line`, `column`, `word`, `code`, `message`; `head` is a file that the matches below it belong to.
    finding: &'static str,
    /// Lines that must be in the digest as they are, trimmed.
    lines: &'static str,
}

const FORMS: &[Form] = &[
    Form {
        names: &[
            "rustc-build",
            "clippy",
            "clippy-denied",
            "cargo-build-errors-many",
            "cargo-build-errors-many-pty",
            "cargo-build-warnings",
            "cargo-build-warnings-pty",
            "cargo-check",
            "cargo-clippy-serde_json",
        ],
        finding: r"(?m)^(?P<word>error|warning)(?:\[(?P<code>\w+)\])?: (?P<message>.+)\n +--> (?P<file>.+?):(?P<line>\d+):(?P<column>\d+)$",
        lines: r"(?m)^(?:error: could not compile .*|warning: `.*generated \d+ warnings?.*)$",
    },
    Form {
        names: &["rustc-short", "cargo-check-short"],
        finding: r"(?m)^(?P<file>[^\s:]+):(?P<line>\d+):(?P<column>\d+): (?P<word>error|warning)(?:\[(?P<code>\w+)\])?: (?P<message>.+)$",
        lines: r"(?m)^error: could not compile .*$",
    },
    Form {
        names: &["tsc", "tsc-errors"],
        finding: r"(?m)^(?P<file>[^\s(]+)\((?P<line>\d+),(?P<column>\d+)\): (?P<word>error) (?P<code>TS\d+): (?P<message>.+)$",
        lines: r"(?m)^  \S.*$",
    },
    Form {
        names: &["tsc-pretty", "tsc-errors-pretty-pty"],
        finding: r"(?m)^(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+) - (?P<word>error) (?P<code>TS\d+): (?P<message>.+)$",
        lines: r"(?m)^Found \d+ errors.*$",
    },
    Form {
        names: &["eslint-stylish"],
        finding: r"(?m)^(?P<head>/\S+)$|^ +(?P<line>\d+):(?P<column>\d+) +(?P<word>error|warning) +(?P<message>\S.*?) {2,}(?P<code>\S+)$",
        lines: r"(?m)^✖ .*$|^ +\d+ errors? and .* fixable.*$",
    },
    Form {
        names: &["eslint-unix"],
        finding: r"(?m)^(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+): (?P<message>.+) \[(?P<word>Error|Warning)/(?P<code>\S+)\]$",
        lines: r"(?m)^\d+ problems$",
    },
    Form {
        names: &["eslint-compact"],
        finding: r"(?m)^(?P<file>\S+?): line (?P<line>\d+), col (?P<column>\d+), (?P<word>Error|Warning) - (?P<message>.+) \((?P<code>\S+)\)$",
        lines: r"(?m)^\d+ problems$",
    },
    Form {
        names: &["biome-lint"],
        finding: r"(?m)^(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+) (?P<code>lint/\S+) .*\n\s*\n  [×!] (?P<message>.+)$",
        lines: r"(?m)^(?:Checked|Found) \d+ .*$",
    },
    Form {
        names: &["prettier-check"],
        finding: r"(?m)^\[(?P<word>warn)\] (?P<file>\S+/\S+)$",
        lines: r"(?m)^\[warn\] Code style issues.*$",
    },
    Form {
        names: &["prettier-syntax"],
        finding: r"(?m)^\[(?P<word>error)\] (?P<file>\S+): (?P<message>\w+: .+) \((?P<line>\d+):(?P<column>\d+)\)$",
        lines: r"(?m)^Error occurred.*$",
    },
    Form {
        names: &["ruff-full"],
        finding: r"(?m)^(?P<code>[A-Z]+\d+) (?:\[\*\] )?(?P<message>.+)\n +--> (?P<file>\S+?):(?P<line>\d+):(?P<column>\d+)$",
        lines: r"(?m)^Found \d+ .*$|^\[\*\] \d+ fixable.*$",
    },
    Form {
        names: &["ruff-format-check"],
        finding: r"(?m)^unformatted: (?P<message>.+)\n +--> (?P<file>\S+?):(?P<line>\d+):(?P<column>\d+)$",
        lines: r"(?m)^\d+ files would be .*$",
    },
    Form {
        names: &["ruff-concise", "ruff-check", "flake8", "flake8-source"],
        finding: r"(?m)^(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+): (?P<code>[A-Z]+\d+) (?:\[\*\] )?(?P<message>.+)$",
        lines: r"(?m)^Found \d+ .*$",
    },
    Form {
        names: &["ruff-grouped"],
        finding: r"(?m)^(?P<head>\S+\.py):$|^ +(?P<line>\d+):(?P<column>\d+) +(?P<code>[A-Z]+\d+) (?:\[\*\] )?(?P<message>.+)$",
        lines: r"(?m)^Found \d+ .*$",
    },
    Form {
        names: &["ruff-github"],
        finding: r"(?m)^::(?P<word>error) title=.*?\((?P<code>\w+)\),file=(?P<file>[^,]+),line=(?P<line>\d+),col=(?P<column>\d+).*?::\S+:\d+:\d+: \w+ (?P<message>.+)$",
        lines: "",
    },
    Form {
        names: &["pylint"],
        finding: r"(?m)^(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+): (?P<code>[A-Z]\d{4}): (?P<message>.+)$",
        lines: r"(?m)^Your code has been rated.*$",
    },
    Form {
        names: &["mypy", "mypy-pretty", "mypy-strict"],
        finding: r"(?m)^(?P<file>\S+?\.py):(?P<line>\d+)(?::(?P<column>\d+))?: (?P<word>error): (?P<message>(?s:.{1,600}?))(?:  |\s*\n)\[(?P<code>[\w-]+)\]$",
        lines: r"(?m)^Found \d+ errors.*$",
    },
    Form {
        names: &["pyright"],
        finding: r"(?m)^  (?P<file>\S+?):(?P<line>\d+):(?P<column>\d+) - (?P<word>error|warning): (?P<message>.+?)(?:\n\s{4,}.+?)*? \((?P<code>report\w+)\)$",
        lines: r"(?m)^\d+ errors?, .*$",
    },
    Form {
        names: &["black-check"],
        finding: r"(?m)^(?P<message>would reformat) (?P<file>\S+)$",
        lines: r"(?m)^\d+ files would be .*$",
    },
    Form {
        names: &["bandit"],
        finding: r"(?m)^>> Issue: \[(?P<code>B\d+:\w+)\] (?P<message>.+)\n   Severity: (?P<word>\w+) .*\n(?:   .*\n)*?   Location: (?P<file>\S+?):(?P<line>\d+):(?P<column>\d+)$",
        lines: r"(?m)^\t\t(?:Low|Medium|High): \d+$",
    },
    Form {
        names: &["bandit-custom"],
        finding: r"(?m)^(?P<file>\S+?):(?P<line>\d+): (?P<code>B\d+)\[bandit\]: (?P<word>\w+): (?P<message>.+)$",
        lines: "",
    },
    Form {
        names: &[
            "gcc",
            "gcc-locale-c",
            "gxx",
            "clang",
            "clangxx",
            "make",
            "make-link",
            "cmake-build",
            "ninja",
            "make-errors",
            "make-warnings",
            "gxx-template-errors",
            "swift-build",
            "kotlinc",
        ],
        finding: r"(?m)^(?P<file>(?:/|\.|[\w-]+[/.])[^:\n]*):(?P<line>\d+):(?P<column>\d+): (?P<word>fatal error|error|warning): (?P<message>.+?)(?: \[(?P<code>-[\w=+-]+)\])?$",
        lines: r"(?m)^(?:g?make(?:\[\d+\])?: \*\*\* |collect2: error: )(.+)$|^\d+ warnings and \d+ errors generated\.$|^FAILED: .*$|undefined reference to \S+$",
    },
    Form {
        names: &["shellcheck-gcc"],
        finding: r"(?m)^(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+): (?P<word>error|warning|note): (?P<message>.+) \[(?P<code>SC\d+)\]$",
        lines: "",
    },
    Form {
        names: &["shellcheck"],
        finding: r"(?m)^In (?P<head>\S+ line \d+):$|^ *\^[-^]* (?P<code>SC\d+) \((?P<word>\w+)\): (?P<message>.+)$",
        lines: "",
    },
    Form {
        names: &["cmake-errors", "cmake-not-found"],
        finding: r"(?m)^CMake (?P<word>Error|Warning)(?: \(dev\))? at (?P<file>\S+?):(?P<line>\d+) \((?P<code>\w+)\):\n  (?P<message>.+)$",
        lines: r"(?m)^-- Configuring incomplete.*$",
    },
    Form {
        names: &["javac", "javac-syntax", "javac-errors"],
        finding: r"(?m)^(?P<file>\S+\.java):(?P<line>\d+): (?P<word>error|warning): (?:\[(?P<code>\w+)\] )?(?P<message>.+)$",
        lines: r"(?m)^\d+ (?:errors?|warnings?)$|^  (?:symbol|location): .*$",
    },
    Form {
        names: &["kotlin-gradle"],
        finding: r"(?m)^(?P<word>[ew]): (?P<file>/\S+): \((?P<line>\d+), (?P<column>\d+)\): (?P<message>.+)$",
        lines: r"(?m)^Execution failed.*$",
    },
    Form {
        names: &["kotlin-gradle-file"],
        finding: r"(?m)^(?P<word>[ew]): file://(?P<file>/\S+?):(?P<line>\d+):(?P<column>\d+) (?P<message>.+)$",
        lines: r"(?m)^Execution failed.*$",
    },
    Form {
        names: &["go-build", "go-vet", "go-build-module", "go-build-errors"],
        finding: r"(?m)^(?:vet: )?(?P<file>\S+\.go):(?P<line>\d+):(?P<column>\d+): (?P<message>.+)$",
        lines: r"(?m)^\t(?:have|want) .*$",
    },
    Form {
        names: &["staticcheck", "golangci-lint"],
        finding: r"(?m)^(?P<file>\S+\.go):(?P<line>\d+):(?P<column>\d+): (?P<message>.+?) +\((?P<code>\w+)\)$",
        lines: r"(?m)^\d+ issues:$|^\* \w+: \d+$",
    },
    Form {
        names: &["rubocop", "rubocop-emacs"],
        finding: r"(?m)^(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+): (?P<word>[CWEFR]): (?:\[Correctable\] )?(?P<code>\w+/\w+): (?P<message>.+)$",
        lines: r"(?m)^\d+ files inspected.*$",
    },
    Form {
        names: &["yamllint"],
        finding: r"(?m)^(?P<head>\S+\.ya?ml)$|^ +(?P<line>\d+):(?P<column>\d+) +(?P<word>error|warning) +(?P<message>.+?) +\((?P<code>[\w-]+)\)$",
        lines: "",
    },
    Form {
        names: &["yamllint-parsable"],
        finding: r"(?m)^(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+): \[(?P<word>error|warning)\] (?P<message>.+) \((?P<code>[\w-]+)\)$",
        lines: "",
    },
    Form {
        names: &["yamllint-github"],
        finding: r"(?m)^::(?P<word>error|warning) file=(?P<file>[^,]+),line=(?P<line>\d+),col=(?P<column>\d+)::\d+:\d+ (?:\[(?P<code>[\w-]+)\] )?(?P<message>.+)$",
        lines: "",
    },
    Form {
        names: &["hadolint", "hadolint-old"],
        finding: r"(?m)^(?P<file>[^\s:]+)(?::(?P<line>\d+))? (?P<code>(?:DL|SC)\d{4}) (?:(?P<word>error|warning|info|style): )?(?P<message>.+)$",
        lines: "",
    },
    Form {
        names: &["terraform-validate", "terraform-validate-color", "terraform-plan-error"],
        finding: r"(?m)^(?:│ )?(?P<word>Error): (?P<message>.+)\n(?:│ )?\s*\n(?:│ )?  on (?P<file>\S+) line (?P<line>\d+)",
        lines: "",
    },
    Form {
        names: &["msbuild", "dotnet-build"],
        finding: r"(?m)^(?:\d+>)?(?P<file>\S+\.cs)\((?P<line>\d+),(?P<column>\d+)[\d,]*\): (?P<word>error|warning) (?P<code>\w+): (?P<message>.+?)(?: \[[^\]]+\])?$",
        lines: r"(?m)^ +\d+ (?:Warning|Error)\(s\)$|XML comment analysis.*$",
    },
    Form {
        names: &["maven-compile"],
        finding: r"(?m)^\[(?P<word>ERROR)\] (?P<file>/\S+\.java):\[(?P<line>\d+),(?P<column>\d+)\] (?P<message>.+)$",
        lines: r"(?m)^  (?:symbol|location): .*$|^\[INFO\] \d+ errors? *$",
    },
];

/// Reports that list what they found a second time.
const TWICE: &[&str] = &["dotnet-build", "maven-compile"];

/// What the oracle reads of a text.
pub struct Read {
    pub facts: Vec<Fact>,
    pub lines: Vec<String>,
}

/// Reads a text by the form of its name; `None` where the table has no form for it.
pub fn read(name: &str, text: &str) -> Option<Read> {
    let form = FORMS.iter().find(|form| form.names.contains(&name))?;
    let expression = Regex::new(form.finding).unwrap();
    let mut head = String::new();
    let mut facts = Vec::new();
    for found in expression.captures_iter(text) {
        if let Some(name) = found.name("head") {
            name.as_str().clone_into(&mut head);
            continue;
        }
        let fact = fact(&found, &head);
        if !(TWICE.contains(&name) && facts.contains(&fact)) {
            facts.push(fact);
        }
    }
    let lines = if form.lines.is_empty() {
        Vec::new()
    } else {
        let expression = Regex::new(form.lines).unwrap();
        expression.find_iter(text).map(|found| squeeze(found.as_str())).collect()
    };
    Some(Read { facts, lines })
}

fn fact(found: &Captures<'_>, head: &str) -> Fact {
    let of = |name: &str| found.name(name).map_or("", |found| found.as_str());
    // shellcheck heads a line, the others a file.
    let (file, line) = head.rsplit_once(" line ").unwrap_or((head, ""));
    Fact {
        file: if of("file").is_empty() { file } else { of("file") }.to_owned(),
        line: if of("line").is_empty() { line } else { of("line") }.parse().unwrap_or(0),
        column: of("column").parse().ok(),
        word: of("word").to_owned(),
        code: of("code").to_owned(),
        message: squeeze(of("message")),
    }
}

/// One blank where there are several, or an end of line.
pub fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A finding as a digest tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
    /// Severity, code and message, with the place's own words in the place of a template's stars.
    pub words: String,
}

/// Reads the findings of a digest back.
pub fn told(digest: &str) -> Vec<Told> {
    let mut told = Vec::new();
    let mut group: Option<(usize, String)> = None;
    for line in digest.lines() {
        if let Some(found) = MANY.captures(line) {
            group = Some((found[1].parse().unwrap(), found[2].to_owned()));
        } else if let Some(indented) =
            line.strip_prefix("  ").filter(|line| group.is_some() && !line.starts_with(' '))
        {
            if let Some((left, words)) = &mut group {
                let places = if *left > 0 { places(indented.trim(), words) } else { Vec::new() };
                *left = left.saturating_sub(places.len());
                told.extend(places);
            }
        } else if !line.starts_with(' ') {
            group = None;
            if let Some(found) = ALONE.captures(line) {
                let column = found.get(3).and_then(|column| column.as_str().parse().ok());
                told.push(Told {
                    file: found[1].to_owned(),
                    line: found[2].parse().unwrap_or(0),
                    column,
                    words: squeeze(&found[4]),
                });
            } else if let Some(found) = BARE.captures(line) {
                told.push(Told {
                    file: found[1].to_owned(),
                    line: 0,
                    column: None,
                    words: squeeze(&found[2]),
                });
            }
        }
    }
    told
}

/// The places of an indented line; none where it is no list of places.
fn places(line: &str, words: &str) -> Vec<Told> {
    if let Some(found) = ROWS.captures(line) {
        let file = &found[1];
        let has_values = words.contains('*') && found[2].contains(' ');
        let parts: Vec<&str> =
            if has_values { found[2].split("; ").collect() } else { found[2].split(',').collect() };
        return parts.into_iter().flat_map(|part| row(file, part, words)).collect();
    }
    let (directory, names) = line
        .split_once("/: ")
        .map_or(("", line), |(_, names)| (&line[..=line.len() - names.len() - 3], names));
    let mut told = Vec::new();
    for part in names.split(", ") {
        let Some(found) =
            NAME.captures(part).filter(|found| !directory.is_empty() || found[1].contains(['.', '/']))
        else {
            return Vec::new();
        };
        let count = found.get(2).map_or(1, |count| count.as_str().parse().unwrap_or(0));
        let file = format!("{directory}{}", &found[1]);
        told.extend(vec![Told { file, line: 0, column: None, words: squeeze(words) }; count]);
    }
    told
}

fn row(file: &str, part: &str, words: &str) -> Vec<Told> {
    let (part, count) =
        part.split_once('×').map_or((part, 1), |(part, count)| (part, count.parse().unwrap_or(0)));
    let (position, values) = part.split_once(' ').unwrap_or((part, ""));
    let (line, column) =
        position.split_once(':').map_or((position, None), |(line, column)| (line, column.parse().ok()));
    let mut values = values.split(", ");
    let mut told = String::new();
    for (at, piece) in words.split('*').enumerate() {
        if at > 0 {
            told.push_str(values.next().filter(|value| !value.is_empty()).unwrap_or("*"));
        }
        told.push_str(piece);
    }
    let told = Told { file: file.to_owned(), line: line.parse().unwrap_or(0), column, words: squeeze(&told) };
    vec![told; count]
}

/// What a digest lacks of what the oracle reads: facts without an entry of their own, and lines.
pub fn missing(read: &Read, digest: &str) -> Vec<String> {
    let mut told = told(digest);
    let mut missing = Vec::new();
    for fact in &read.facts {
        let is_told = |told: &Told| {
            let has = |part: &str| part.is_empty() || told.words.contains(part);
            told.file == fact.file
                && told.line == fact.line
                && (told.column.is_none() || fact.column.is_none() || told.column == fact.column)
                && has(&fact.word)
                && has(&fact.code)
                && has(&fact.message)
        };
        match told.iter().position(is_told) {
            Some(at) => drop(told.swap_remove(at)),
            None => missing.push(format!("{fact:?}")),
        }
    }
    let digest = squeeze(digest);
    missing.extend(read.lines.iter().filter(|line| !digest.contains(*line)).cloned());
    missing
}

/// Groups of a digest whose count is not the number of the places below it.
pub fn miscounted(digest: &str) -> Vec<String> {
    let lines: Vec<&str> = digest.lines().collect();
    let mut wrong = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(found) = MANY.captures(line) else { continue };
        let end = lines[at + 1..]
            .iter()
            .position(|line| !line.starts_with(' '))
            .map_or(lines.len(), |end| at + 1 + end);
        // Read with more to find than the count says, so that one too many is seen.
        let open = line.replacen(&found[1], "1000000", 1);
        let count = told(&format!("{open}\n{}", lines[at + 1..end].join("\n"))).len();
        if count.to_string() != found[1] {
            wrong.push(format!("{line}: {count} places"));
        }
    }
    wrong
}

/// How many findings a tool says that it found, where it says so in a form of the table.
pub fn stated(name: &str, text: &str) -> Option<usize> {
    const STATED: &[(&str, &str)] = &[
        ("rustc-build", r"due to (\d+) previous errors; (\d+) warnings"),
        ("clippy", r"generated (\d+) warnings"),
        ("cargo-build-errors-many", r"due to (\d+) previous errors"),
        ("tsc-pretty", r"Found (\d+) errors"),
        ("tsc-errors-pretty-pty", r"Found (\d+) errors"),
        ("eslint-stylish", r"✖ (\d+) problems"),
        ("eslint-unix", r"(?m)^(\d+) problems"),
        ("eslint-compact", r"(?m)^(\d+) problems"),
        ("biome-lint", r"Found (\d+) errors"),
        ("ruff-full", r"Found (\d+) errors"),
        ("ruff-concise", r"Found (\d+) errors"),
        ("ruff-grouped", r"Found (\d+) errors"),
        ("ruff-check", r"(\d+) remaining"),
        ("ruff-format-check", r"(\d+) files would be reformatted"),
        ("black-check", r"(\d+) files would be reformatted"),
        ("mypy", r"Found (\d+) errors"),
        ("mypy-pretty", r"Found (\d+) errors"),
        ("pyright", r"(\d+) errors, (\d+) warnings"),
        ("clang", r"(\d+) warnings and (\d+) errors generated"),
        ("clangxx", r"(\d+) errors generated"),
        ("javac", r"(?m)^(\d+) errors\n(\d+) warnings"),
        ("javac-errors", r"(?m)^(\d+) errors\n(\d+) warnings"),
        ("maven-compile", r"(?m)^\[INFO\] (\d+) errors"),
        ("golangci-lint", r"(?m)^(\d+) issues:"),
        ("rubocop", r"(\d+) offenses detected"),
        ("prettier-check", r"issues found in (\d+) files"),
    ];
    let (_, expression) = STATED.iter().find(|(stated, _)| *stated == name)?;
    let found = Regex::new(expression).unwrap().captures(text)?;
    found.iter().skip(1).flatten().map(|number| number.as_str().parse::<usize>().ok()).sum()
}

//! Build time: lays the families of reports out as statics, in the order in which they are asked. Patterns are checked
//! here, so that none fails when a report is read.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use toml::Value;

/// The tables, each with the file that is made of it.
const TABLES: [(&str, &str); 2] =
    [("src/report/runners.toml", "runners.rs"), ("src/report/linters.toml", "linters.rs")];

#[derive(Deserialize)]
struct Table {
    family: Vec<Family>,
    #[serde(default)]
    words: BTreeMap<String, Vec<String>>,
    /// Tables of rows that are no family's, by the file that has their `Act`.
    #[serde(default)]
    tables: BTreeMap<String, Vec<(String, String)>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Family {
    name: String,
    signs: Vec<String>,
    totals: Vec<String>,
    success: Vec<String>,
    headings: Vec<String>,
    read: Option<String>,
    until: Option<Vec<String>>,
    #[serde(rename = "while")]
    only: Option<Vec<String>>,
    deeper: bool,
    below: Option<String>,
    above: Option<String>,
    rules: Vec<(String, String)>,
    blocks: Vec<(String, String)>,
    forms: Vec<Vec<String>>,
    /// Fields of a `Tool`, which the compiler knows.
    #[serde(flatten)]
    tool: BTreeMap<String, Value>,
}

/// Reads the tables and writes a file of each into `out_dir`.
pub fn generate(out_dir: &Path) {
    let mut words = BTreeMap::new();
    for (source, target) in TABLES {
        println!("cargo::rerun-if-changed={source}");
        let text = std::fs::read_to_string(source).expect(source);
        let table: Table = toml::from_str(&text).unwrap_or_else(|error| panic!("{source}: {error}"));
        let of = |family: &Family| {
            laid_out(family).unwrap_or_else(|error| panic!("{source}: {}: {error}", family.name))
        };
        let families: String = table.family.iter().map(of).collect();
        let code = format!(
            "/// In the order in which they are asked.\npub static FAMILIES: &[Family] = &[\n{families}];\n"
        );
        for (name, rows) in &table.tables {
            let table = self::table("", rows).unwrap_or_else(|error| panic!("{source}: {name}: {error}"));
            let code = format!("static TABLE: {table};\n");
            std::fs::write(out_dir.join(format!("{name}.rs")), code).expect("OUT_DIR is writable");
        }
        std::fs::write(out_dir.join(target), code).expect("OUT_DIR is writable");
        words.extend(table.words);
    }
    let mut code = String::new();
    for (name, words) in words {
        code += &format!("pub static {}: &[&str] = &{words:?};\n", name.to_uppercase());
    }
    std::fs::write(out_dir.join("words.rs"), code).expect("OUT_DIR is writable");
}

fn laid_out(family: &Family) -> Result<String, String> {
    let Family { signs, totals, success, headings, read, .. } = family;
    let read = match read {
        Some(read) => read.clone(),
        None if !family.blocks.is_empty() => format!(
            "|section, family| {{ static TABLE: {}; TABLE.iter().for_each(|table| block::read(section, family, table)); }}",
            table("block::", &family.blocks)?
        ),
        None if family.rules.is_empty() => tool(family)?,
        None => runner(family)?,
    };
    Ok(format!(
        "Family {{ signs: &{signs:?}, totals: &{totals:?}, success: &{success:?}, headings: &{headings:?}, read: {read} }},\n"
    ))
}

/// The type and the value of a table whose `Act` stands in this module.
fn table(module: &str, rows: &[(String, String)]) -> Result<String, String> {
    let rows = self::rows(module, rows)?;
    Ok(format!("Lazy<Option<Table<{module}Act>>> = Lazy::new(|| Table::new(&[{rows}]))"))
}

/// The rows of a table, each with its act as code.
fn rows(module: &str, rows: &[(String, String)]) -> Result<String, String> {
    let row = |(text, pattern): &(String, String)| {
        regex_syntax::parse(pattern).map_err(|error| error.to_string())?;
        Ok(format!("({module}{}, {pattern:?}),", act(text)))
    };
    rows.iter().map(row).collect()
}

fn runner(family: &Family) -> Result<String, String> {
    let rules = rows("", &family.rules)?;
    let until = match (&family.until, &family.only) {
        (Some(words), _) => format!("Until::Indent(&{words:?})"),
        (None, Some(words)) => format!("Until::Unlike(&{words:?})"),
        (None, None) if family.deeper => "Until::Deeper".to_owned(),
        (None, None) => "Until::Sign".into(),
    };
    let below = family.below.as_deref().unwrap_or("body::read");
    let above = camel(family.above.as_deref().unwrap_or("nothing"));
    Ok(format!(
        "|section, _| {{ static RUNNER: Lazy<Option<Runner>> = Lazy::new(|| Runner::new(&[{rules}], {until}, {below}, Above::{above}));
        RUNNER.iter().for_each(|runner| runner.read(section)); }}"
    ))
}

/// `fail error`, `pass-group`, `total run failed, errors`, `head warning not formatted`, `join 1` as a value of an `Act`.
fn act(text: &str) -> String {
    let (name, of) = text.split_once(' ').unwrap_or((text, ""));
    let (first, words) = of.split_once(' ').unwrap_or((of, ""));
    let of = match (name, first) {
        ("total", "run" | "programs" | "suite" | "files") => {
            let words: Vec<_> = words.split(", ").filter(|word| !word.is_empty()).collect();
            format!("(Counted::{}(&{words:?}))", camel(first))
        }
        ("total", _) => format!("(Counted::{})", camel(first)),
        ("head", _) => format!("(Severity::{}, {words:?})", camel(first)),
        ("maybe" | "said" | "told", _) => format!("(Severity::{})", camel(first)),
        ("drop", _) => format!("(Dropped::{})", camel(first)),
        ("join", _) => format!("({first})"),
        (_, "") => String::new(),
        _ => format!("(Verdict::{})", camel(first)),
    };
    format!("Act::{}{of}", camel(name))
}

fn camel(text: &str) -> String {
    text.split('-').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

fn tool(family: &Family) -> Result<String, String> {
    // A code is what a function says, or what is like a pattern.
    let is_code = |of: &String| match of {
        function if function.starts_with("is_") => format!("{function}(code)"),
        pattern => format!("pattern::is_like(code, {pattern:?})"),
    };
    let form = |form: &Vec<String>| match &form[..] {
        [] => Err("a form has a template".to_owned()),
        [template] => Ok(format!("form({template:?}, |_| true)")),
        [template, function] if function.starts_with("is_") => Ok(format!("form({template:?}, {function})")),
        [template, codes @ ..] => {
            let codes: Vec<_> = codes.iter().map(is_code).collect();
            Ok(format!("form({template:?}, |code| {})", codes.join(" || ")))
        }
    };
    let forms: Vec<_> = family.forms.iter().map(form).collect::<Result<_, String>>()?;
    let fields: String =
        family.tool.iter().map(|(key, value)| format!("{key}: {}, ", field(key, value))).collect();
    Ok(format!(
        "|section, family| {{ static TOOL: tool::Tool = tool::Tool {{ forms: &[{}], {fields}..tool::TOOL }};
        tool::read(section, family, &TOOL); }}",
        forms.join(", ")
    ))
}

/// A field of a `Tool`: text, a list of texts, true; of these keys the name of a variant or a function.
fn field(key: &str, value: &Value) -> String {
    match (key, value) {
        ("indented", Value::String(text)) => format!("tool::Indented::{}", camel(text)),
        ("severity", Value::String(text)) => format!("Severity::{}", camel(text)),
        (_, Value::String(text)) => format!("{text:?}"),
        (_, Value::Array(list)) => {
            format!("&[{}]", list.iter().map(|value| field("", value) + ", ").collect::<String>())
        }
        (_, value) => value.to_string(),
    }
}

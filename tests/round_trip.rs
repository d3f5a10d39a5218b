//! What the notation must hold, shared by the suite, the fuzz targets and the totals: what was rendered comes back
//! with the same text around the same documents, and each document with the same paths and the same scalars.

use llm_toto::config::{Format, Level};
use llm_toto::document::{Document, Kind, Layout, Segment, scan, yaml_to_json};
use llm_toto::pipeline::scrub::at_level;
use llm_toto::pipeline::{Options, Shape, compress};
use llm_toto::render::expand::expand;
use llm_toto::{hidden, marks};

/// Text as a reader is given it, what is unseen written out, and of each document every leaf as its path, its kind and its
/// text.
pub fn facts(text: &str) -> Vec<Vec<String>> {
    let given = |text: &str| vec![String::from_utf8_lossy(&hidden::written(text.as_bytes())).into_owned()];
    match scan(text) {
        Layout::Text => vec![given(text)],
        Layout::Document(document) => vec![leaves(&document)],
        Layout::Mixed(segments) => segments
            .iter()
            .map(|segment| match segment {
                Segment::Text(text) => given(text),
                Segment::Document(document) => leaves(document),
            })
            .collect(),
    }
}

fn leaves(document: &Document<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let root = if document.is_stream() { "stream" } else { "document" };
    let mut open = vec![(document.root(), root.to_owned())];
    while let Some((id, path)) = open.pop() {
        if document.is_scalar(id) || document.is_childless(id) {
            found.push(match document.kind(id) {
                Kind::Array => format!("{path} []"),
                Kind::Object => format!("{path} {{}}"),
                Kind::Plain | Kind::Escaped => format!("{path} text {}", document.text(id)),
                _ => format!("{path} literal {}", document.text(id)),
            });
        }
        for (index, child) in document.children(id).enumerate() {
            let step =
                document.key_id(child).map_or(index.to_string(), |key| format!("{:?}", document.key(key)));
            open.push((child, format!("{path}/{step}")));
        }
    }
    found.sort_unstable();
    found
}

/// Renders `text` in both notations at both levels that keep the facts, and reads it back; answers what was wrong.
pub fn violation(text: &str) -> Option<String> {
    if is_quoted(text) {
        return None;
    }
    [Level::Lossless, Level::Standard].into_iter().find_map(|level| {
        let options = Options { level, recall: "toto show last", ..Options::default() };
        longer(text, &options).or_else(|| changed(text, &options))
    })
}

/// Whether lines look like toto's: they are quoted, and a note says so.
fn is_quoted(text: &str) -> bool {
    !marks::note_on_quoted(&marks::quoted(text.as_bytes())).is_empty()
}

/// More tokens than the text came with: what is wrong at any level, whatever is in the text.
fn longer(text: &str, options: &Options) -> Option<String> {
    let report = compress(text.as_bytes(), options);
    (report.shape != Shape::Text && report.output_tokens > report.original_tokens)
        .then(|| format!("{} tokens of {}", report.output_tokens, report.original_tokens))
}

/// What of the documents in the text does not come back from the notations.
fn changed(text: &str, options: &Options) -> Option<String> {
    // A backspace in a YAML text takes a character away before there is a document.
    let scrubbed = String::from_utf8(at_level(text.as_bytes(), options.level).text.into_owned()).ok()?;
    // Written out, what a terminal obeys no longer breaks a document off where it did.
    let is_obeyed = |c: char| c.is_ascii_control() && !matches!(c, '\n' | '\t' | '\r');
    let seen = String::from_utf8_lossy(&hidden::written(scrubbed.as_bytes())).into_owned();
    if scrubbed.contains(is_obeyed) || is_quoted(&scrubbed) || facts(&scrubbed).len() != facts(&seen).len() {
        return None;
    }
    let json = match scan(&scrubbed) {
        Layout::Text => yaml_to_json(&scrubbed)?,
        _ => scrubbed,
    };
    let script = Options { parses_output: true, format: Format::Json, ..*options };
    let want = facts(&String::from_utf8_lossy(&compress(json.as_bytes(), &script).output));
    [Format::Auto, Format::Pvfn, Format::SchemaYaml].into_iter().find_map(|format| {
        let report = compress(text.as_bytes(), &Options { format, ..*options });
        if !matches!(report.shape, Shape::Pvfn | Shape::SchemaYaml) {
            return None;
        }
        let output = String::from_utf8_lossy(&report.output);
        match expand(&output) {
            Err(error) => Some(format!("{error}\n{output}")),
            Ok(back) => {
                let got = facts(&String::from_utf8_lossy(&back));
                (want != got).then(|| format!("{}\n{output}", difference(&want, &got)))
            }
        }
    })
}

fn difference(want: &[Vec<String>], got: &[Vec<String>]) -> String {
    let [want, got]: [Vec<&String>; 2] = [want, got].map(|facts| facts.iter().flatten().collect());
    let missing = want.iter().find(|fact| !got.contains(fact));
    let added = got.iter().find(|fact| !want.contains(fact));
    format!("{missing:?} is missing, {added:?} is new")
}

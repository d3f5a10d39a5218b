//! JSON that stands inside a string: the ways in which programs write it, so that it can be written again.

/// How a JSON text is spaced. The word stands before the value in PVFN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// `json`, `jsonl`, …
    pub word: &'static str,
    /// Blanks of indentation a level; none on one line.
    pub indent: Option<usize>,
    /// What separates members, where they share a line.
    pub comma: &'static str,
    /// What separates a key from its value.
    pub colon: &'static str,
    /// What follows the document.
    pub end: &'static str,
}

/// All styles, the most frequent first.
pub const STYLES: [Style; 5] = [
    Style { word: "json", indent: None, comma: ",", colon: ":", end: "" },
    Style { word: "jsonl", indent: None, comma: ",", colon: ":", end: "\n" },
    Style { word: "json1", indent: None, comma: ", ", colon: ": ", end: "" },
    Style { word: "json2", indent: Some(2), comma: ",", colon: ": ", end: "" },
    Style { word: "json4", indent: Some(4), comma: ",", colon: ": ", end: "" },
];

/// The style whose word a text begins with, if an object or a list follows.
pub fn style_of(text: &str) -> Option<Style> {
    STYLES
        .into_iter()
        .find(|style| text.strip_prefix(style.word).is_some_and(|rest| rest.starts_with(['{', '['])))
}

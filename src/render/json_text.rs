//! JSON inside a string: the styles in which programs write it, so that it can be written again.

/// How a JSON text is spaced. The word stands before the value in PVFN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// `json`, `jsonl`, …
    pub word: &'static str,
    pub comma: &'static str,
    pub colon: &'static str,
    /// The text behind the document.
    pub end: &'static str,
}

/// All styles, the most frequent first.
pub const STYLES: [Style; 3] = [
    Style { word: "json", comma: ",", colon: ":", end: "" },
    Style { word: "jsonl", comma: ",", colon: ":", end: "\n" },
    Style { word: "json1", comma: ", ", colon: ": ", end: "" },
];

/// The style whose word a text begins with, if an object or a list follows.
pub fn style_of(text: &str) -> Option<Style> {
    STYLES
        .into_iter()
        .find(|style| text.strip_prefix(style.word).is_some_and(|rest| rest.starts_with(['{', '['])))
}

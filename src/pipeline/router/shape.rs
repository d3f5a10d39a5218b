//! Documents, with the text around them, in one shape.

use crate::document::Segment;
use crate::pipeline::model::Shape;
use crate::pipeline::visible;
use crate::render::expand::DOCUMENT_MARK;
use crate::render::{minified, pvfn, schema_yaml};

/// The output in one shape, or nothing if the shape does not suit it.
///
/// A document between lines of text begins and ends with a line [`DOCUMENT_MARK`], unless it is JSON, which shows
/// by itself where it ends.
pub(super) fn render(shape: Shape, segments: &[Segment<'_>]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let marked = segments.len() > 1 && shape != Shape::Json;
    if marked && segments.iter().any(|segment| matches!(segment, Segment::Text(text) if misleads(text))) {
        return None;
    }
    let mark = |out: &mut Vec<u8>| {
        if marked {
            out.extend_from_slice(DOCUMENT_MARK.as_bytes());
            out.push(b'\n');
        }
    };
    for segment in segments {
        match segment {
            Segment::Text(text) => out.extend_from_slice(&visible::own(text.as_bytes().into())),
            Segment::Document(document) => {
                let part = match shape {
                    Shape::Json => minified::render(document),
                    // Between lines of text an empty document is no reason to give up the others.
                    Shape::Pvfn => pvfn::render(document)
                        .or_else(|| (segments.len() > 1).then(|| minified::render(document)))?,
                    Shape::SchemaYaml => schema_yaml::render(document)?,
                    Shape::Report | Shape::Text | Shape::Forms | Shape::Raw => return None,
                };
                mark(&mut out);
                if out.is_empty() {
                    out = part;
                } else {
                    out.extend_from_slice(&part);
                }
                mark(&mut out);
            }
        }
    }
    Some(out)
}

/// Whether a text around documents holds a line that would be read as a document's mark.
fn misleads(text: &str) -> bool {
    text.lines().any(|line| line == DOCUMENT_MARK)
}

//! A test's own code, as far as it says more than the statement at fault.

use super::super::record::{Kind, Part, Said, Test};
use super::ids;

/// The lines of code that are told: no blank ones, and of a test's body neither decorators, which may be a table of
/// values for it, nor the parameters above it if they are those of its id.
pub fn lines<'t>(test: &Test<'t>, part: &Part<'t>) -> Vec<Said<'t>> {
    let begins = |words: &[&str]| {
        let begins = |said: &Said<'_>| words.iter().any(|word| said.text.trim_start().starts_with(word));
        part.said.iter().position(begins).unwrap_or(part.said.len())
    };
    let is_body = part.kind == Kind::Body;
    let definition = if is_body { begins(DEFINITION) } else { 0 };
    let decorators = begins(&["@"]).min(definition);
    let (above, code) = (&part.said[..decorators], &part.said[definition..]);
    let above = if are_of_id(test, above) { &[] } else { above };
    above.iter().chain(code).filter(|said| !said.text.trim().is_empty()).copied().collect()
}

const DEFINITION: &[&str] = &["def ", "async def "];

/// Whether the values in lines of pytest's (`total = 100, expected = 90`) are the parameters in the test's id.
fn are_of_id(test: &Test<'_>, lines: &[Said<'_>]) -> bool {
    let values = lines.iter().flat_map(|said| said.text.split(", ")).filter(|value| !value.is_empty());
    let values: Vec<_> = values
        .map(|value| value.split_once(" = ").map_or("", |(_, value)| value.trim_matches('\'')))
        .collect();
    let parameters = ids::parameters(&test.id).map_or("", |(_, parameters)| parameters);
    parameters.strip_prefix('[').and_then(|own| own.strip_suffix(']')) == Some(&values.join("-"))
}

/// Whether a body has more than its statement at fault.
pub fn says_more(test: &Test<'_>, body: &Part<'_>) -> bool {
    let source = test.why.iter().find(|part| part.kind == Kind::Source).map_or(&[][..], |part| &part.said);
    let span = source.first().zip(source.last()).map(|(first, last)| first.number..=last.number);
    lines(test, body).iter().any(|line| {
        let is_definition = DEFINITION.iter().any(|word| line.text.trim_start().starts_with(word));
        !is_definition && !span.as_ref().is_some_and(|span| span.contains(&line.number))
    })
}

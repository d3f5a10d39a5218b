//! Estimated tokens of texts, and the places where texts may be cut.

/// Estimated tokens of a text, by its letters, digits and signs. Candidates are compared by it, because exact counts of
/// all of them would take ten times as long. The router counts the result exactly.
///
/// The weights were fitted to the texts and notations of the corpus; for a line they are right within a tenth.
pub(super) fn about(text: &str) -> usize {
    let mut state = BEGIN;
    let mut quarters = 0;
    for &byte in text.as_bytes() {
        let step = STEPS[state as usize][CLASSES[byte as usize] as usize];
        quarters += usize::from(step.quarters);
        state = step.next;
    }
    (quarters + 2) / 4
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Small,
    Capital,
    Digit,
    Other,
    Sign,
    Blank,
}

const ALL: [Class; 6] = [Class::Small, Class::Capital, Class::Digit, Class::Other, Class::Sign, Class::Blank];

/// For a run of bytes of each class, in the order of [`ALL`]: the number of positions that are told apart, the position
/// that follows the last of them, and the position at which a further byte costs something, with its cost in quarters
/// of a token.
///
/// A long word is several tokens, a long number one for each three digits.
const RUNS: [(u8, u8, u8, u8); 6] =
    [(9, 6, 6, 2), (5, 4, 4, 1), (3, 0, 0, 4), (3, 0, 0, 2), (4, 0, 0, 1), (3, 2, 1, 4)];

/// The state in front of a text, numbered behind those of all runs.
const BEGIN: u8 = first_of(ALL.len());

/// The state of the first byte of a run.
const fn first_of(class: usize) -> u8 {
    let (mut state, mut before) = (0, 0);
    while before < class {
        state += RUNS[before].0;
        before += 1;
    }
    state
}

/// The state that a byte leads to, and its cost in quarters of a token.
#[derive(Clone, Copy)]
struct Step {
    next: u8,
    quarters: u8,
}

static STEPS: [[Step; ALL.len()]; BEGIN as usize + 1] = steps();

const fn steps() -> [[Step; ALL.len()]; BEGIN as usize + 1] {
    let mut steps = [[Step { next: 0, quarters: 0 }; ALL.len()]; BEGIN as usize + 1];
    let mut last = 0;
    while last < ALL.len() {
        let (length, back, ..) = RUNS[last];
        let mut at = 0;
        while at < length {
            let follows = if at + 1 == length { back } else { at + 1 };
            steps[(first_of(last) + at) as usize] = steps_from(last, follows, false);
            at += 1;
        }
        last += 1;
    }
    steps[BEGIN as usize] = steps_from(Class::Blank as usize, 1, true);
    steps
}

/// The steps from a byte of class `last`. Another byte of that class takes the position `follows` in the run. `begins`
/// means that there is no byte before.
const fn steps_from(last: usize, follows: u8, begins: bool) -> [Step; ALL.len()] {
    let mut steps = [Step { next: 0, quarters: 0 }; ALL.len()];
    let mut class = 0;
    while class < ALL.len() {
        let (.., dear, more) = RUNS[class];
        steps[class] = if class == last {
            Step { next: first_of(class) + follows, quarters: if follows == dear { more } else { 0 } }
        } else {
            let quarters = match (ALL[last], ALL[class]) {
                // `Name` is one word. One blank belongs to the word behind it, as half of the signs do.
                (Class::Capital, Class::Small) | (_, Class::Blank) => 0,
                (Class::Sign, Class::Small | Class::Capital) | (_, Class::Other) => 2,
                // The blank in front of a digit is a token of its own.
                (Class::Blank, Class::Digit) if !begins => 8,
                _ => 4,
            };
            Step { next: first_of(class), quarters }
        };
        class += 1;
    }
    steps
}

static CLASSES: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 128 {
        classes[byte] = match byte as u8 {
            b' ' | b'\t' => Class::Blank,
            b'a'..=b'z' => Class::Small,
            b'A'..=b'Z' => Class::Capital,
            b'0'..=b'9' => Class::Digit,
            _ => Class::Sign,
        };
        byte += 1;
    }
    classes
}

/// Whether a text may be cut beside this byte.
pub(super) fn is_boundary(byte: u8) -> bool {
    byte.is_ascii() && !byte.is_ascii_alphanumeric()
}

/// Length of the prefix that all cells share, up to its last sign, in bytes; behind it also that of ids.
pub(super) fn boundary_prefix(cells: &[&str]) -> usize {
    let common = common(cells);
    let at_sign =
        cells[0].as_bytes()[..common].iter().rposition(|&byte| is_boundary(byte)).map_or(0, |at| at + 1);
    let rests: Vec<&str> = cells.iter().map(|cell| &cell[at_sign..]).collect();
    at_sign + id_prefix(&rests)
}

/// Length of the prefix that all cells share, if they are addresses, hashes or long numbers; else 0.
pub(super) fn id_prefix(cells: &[&str]) -> usize {
    let common = common(cells);
    if common >= LEAST_OF_ID && are_ids(cells) { common } else { 0 }
}

/// Length of the prefix that all cells share, in bytes.
fn common(cells: &[&str]) -> usize {
    let mut common = cells[0].len();
    for cell in cells {
        if common == 0 {
            break;
        }
        common = cells[0].bytes().zip(cell.bytes()).take(common).take_while(|(a, b)| a == b).count();
    }
    common
}

/// Shortest prefix that ids may have in a template, in bytes.
const LEAST_OF_ID: usize = 4;
/// Shortest id, in bytes.
const SHORTEST_ID: usize = 8;

/// Whether the cells are addresses, hashes or long numbers: hexadecimal digits, the same number in each.
fn are_ids(cells: &[&str]) -> bool {
    let is_id = |cell: &&str| {
        let digits = cell.strip_prefix("0x").unwrap_or(cell);
        cell.len() == cells[0].len() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    cells[0].len() >= SHORTEST_ID && cells.iter().all(is_id)
}

/// Length of the suffix that all cells share, from its first sign on, in bytes; in text with words from its first blank
/// on, so that no bracket loses its partner.
pub(super) fn boundary_suffix(cells: &[&str], in_words: bool) -> usize {
    let first = cells[0].as_bytes();
    let mut common = first.len();
    for cell in cells {
        common = first.iter().rev().zip(cell.bytes().rev()).take(common).take_while(|(a, b)| *a == b).count();
    }
    let end = &first[first.len() - common..];
    let starts = |byte: &u8| if in_words { *byte == b' ' } else { is_boundary(*byte) };
    end.iter().position(starts).map_or(0, |at| common - at)
}

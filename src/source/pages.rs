//! What of the files that are asked for fits a page, and how to go on.

use std::fs::{self, File};

use super::command::{Lines, Numbers, Request, word};
use super::outline;
use crate::marks::GO_ON;
use crate::overflow::Page;
use crate::sys::files::at_most;
use crate::words::quote;

/// Most bytes of files that are looked at; beyond, the tool prints them as it would without toto.
pub const MOST: u64 = 16 << 20;
/// Bytes at a file's beginning that tell whether it is text.
pub const LOOKED_AT: usize = 8 << 10;
/// Bytes that are left free behind a page that is cut, for what the same command line prints after it.
const BESIDE: usize = 1_000;
/// The same in lines, those behind the page included.
const BESIDE_LINES: usize = 20;
/// Bytes that the lines behind a page take, names and definitions aside.
const END: usize = 200;
/// Fewest bytes of a file for which it is begun behind others.
const FEWEST: usize = 1_000;
/// Part of a page that may stay empty so that it ends well.
const SPARE: usize = 4;
/// Most files that are named.
const NAMED: usize = 20;
/// Directories whose files are no text that lies on a disk.
const NO_FILES: [&str; 3] = ["/dev/", "/proc/", "/sys/"];

/// How much of one call the reader's host shows.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// What it shows of a call that prints nothing else.
    pub page: Page,
    /// Bytes of that which the same call has filled before.
    pub filled: usize,
}

impl Room {
    fn left(&self) -> usize {
        self.page.bytes.saturating_sub(self.filled)
    }

    fn holds(&self, text: &[u8]) -> bool {
        text.len() <= self.left() && self.page.holds(text)
    }
}

#[derive(Debug, PartialEq, Eq)]
pub enum Look {
    /// This many bytes, which fit.
    Fits(u64),
    Beyond(Part),
}

/// What is printed where not all of it fits.
#[derive(Debug, PartialEq, Eq)]
pub struct Part {
    /// All that the tool is to print.
    pub text: Vec<u8>,
    /// Bytes of that which fit.
    pub shown: usize,
    pub end: String,
}

impl Part {
    pub fn bytes(&self) -> Vec<u8> {
        let shown = &self.text[..self.shown];
        let newline: &[u8] = if shown.is_empty() || shown.ends_with(b"\n") { b"" } else { b"\n" };
        [shown, newline, self.end.as_bytes()].concat()
    }
}

/// Lines of one file, as they are printed.
struct Text<'a> {
    name: &'a str,
    bytes: Vec<u8>,
    /// The number of the first line, and of the last that was asked for.
    first: u64,
    last: u64,
    /// Whether the file goes on behind the last line.
    goes_on: bool,
}

impl Request<'_> {
    /// Looks at the files: what of them fits `room`. `None` where the tool's output cannot be known or divided: no
    /// regular files, no text, a line longer than a page, too much; or where the page is full already, so that the host
    /// cuts in any case.
    pub fn look(&self, room: &Room) -> Option<Look> {
        if room.left() == 0 {
            return None;
        }
        let mut size = 0;
        for file in &self.files {
            let metadata = fs::metadata(file).ok()?;
            if !metadata.is_file() || NO_FILES.iter().any(|directory| file.starts_with(directory)) {
                return None;
            }
            size += metadata.len();
        }
        let is_whole = self.lines == Lines::ALL && self.numbers == Numbers::None;
        // A line is a byte at least.
        if is_whole && size <= room.left().min(room.page.lines) as u64 {
            return Some(Look::Fits(size));
        }
        if size > MOST {
            return None;
        }
        let texts = self.files.iter().map(|file| self.text(file)).collect::<Option<Vec<_>>>()?;
        let text = texts.iter().map(|text| &text.bytes[..]).collect::<Vec<_>>().concat();
        if room.holds(&text) {
            return Some(Look::Fits(text.len() as u64));
        }
        self.part(&texts, text, room).map(Look::Beyond)
    }

    /// What is printed of one file; `None` if the file is no text.
    fn text<'n>(&self, name: &'n str) -> Option<Text<'n>> {
        let bytes = at_most(File::open(name).ok()?, MOST + 1).ok()?;
        if memchr::memchr(0, &bytes[..bytes.len().min(LOOKED_AT)]).is_some() {
            return None;
        }
        Some(self.lines_of(name, &bytes))
    }

    fn lines_of<'n>(&self, name: &'n str, text: &[u8]) -> Text<'n> {
        let count = count_lines(text);
        let (first, last) = match self.lines {
            Lines::Range(first, last) => (first, last.min(count)),
            Lines::Last(most) => ((count + 1).saturating_sub(most).max(1), count),
        };
        let starts = |line: u64| behind_lines(text, line - 1);
        let bytes = if first > last { Vec::new() } else { text[starts(first)..starts(last + 1)].to_vec() };
        Text { name, bytes: self.numbers.before(bytes), first, last, goes_on: last < count }
    }

    /// Looks at what a tool has printed in answer.
    pub fn look_at(&self, printed: &[u8], room: &Room) -> Option<Look> {
        if memchr::memchr(0, &printed[..printed.len().min(LOOKED_AT)]).is_some() {
            return None;
        }
        if room.holds(printed) {
            return Some(Look::Fits(printed.len() as u64));
        }
        let texts = [self.lines_of(self.files[0], printed)];
        self.part(&texts, printed.to_vec(), room).map(Look::Beyond)
    }

    fn part(&self, texts: &[Text<'_>], text: Vec<u8>, room: &Room) -> Option<Part> {
        let names: usize = texts.iter().take(NAMED).map(|text| text.name.len() + 2).sum();
        let reserved = END + outline::LONGEST + names + 2 * texts[0].name.len() + self.command.len() + BESIDE;
        let page = Page {
            bytes: room.page.bytes - reserved.min(room.page.bytes / 3),
            lines: room.page.lines.saturating_sub(BESIDE_LINES),
        };
        let mut left = Page { bytes: page.bytes.saturating_sub(room.filled), ..page };
        let mut shown = 0;
        let mut at = 0;
        while at + 1 < texts.len() && left.holds(&texts[at].bytes) {
            let length = texts[at].bytes.len();
            (shown, at) = (shown + length, at + 1);
            left.bytes -= length;
            left.lines -= count_lines(&texts[at - 1].bytes).min(left.lines as u64) as usize;
        }
        let cut = &texts[at];
        let of_cut = if at > 0 && left.bytes < FEWEST { 0 } else { end_of_page(&cut.bytes, left) };
        // A line longer than a page cannot be divided.
        if of_cut == 0 && end_of_page(&cut.bytes, page) == 0 {
            return None;
        }
        let next = cut.first + count_lines(&cut.bytes[..of_cut]);
        let (shown, end) = (shown + of_cut, self.end(texts, at, next, page));
        (shown + end.len() < text.len()).then_some(Part { text, shown, end })
    }

    /// The lines behind a page that ends in front of the line `next` of the file at `at`: how to go on, and what is
    /// further down.
    fn end(&self, texts: &[Text<'_>], at: usize, next: u64, page: Page) -> String {
        let (cut, others) = (&texts[at], &texts[at + 1..]);
        let is_begun = next > cut.first;
        let place = if is_begun {
            let from = if cut.goes_on { format!("{}-", cut.first) } else { String::new() };
            format!("{}: lines {}-{} of {from}{}", cut.name, cut.first, next - 1, cut.last)
        } else if at == 0 {
            format!("{}: nothing of it fits here", cut.name)
        } else {
            format!("{} whole", texts[at - 1].name)
        };
        let is_whole = !is_begun && self.lines == Lines::ALL;
        let (go_on, others) = if is_whole {
            let named = texts[at..].iter().take(NAMED).map(|text| word(text.name));
            let command = format!("{} {}", self.command, named.collect::<Vec<_>>().join(" "));
            (command, texts.get(at + NAMED..).unwrap_or_default())
        } else {
            (self.rest(cut, next, page), others)
        };
        let then = match others.len() {
            0 => String::new(),
            count => {
                let names: Vec<_> = others.iter().take(NAMED).map(|text| word(text.name)).collect();
                let more = count - names.len();
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                format!("; then {}{more} whole", names.join(", "))
            }
        };
        let mut end = format!("({place}{GO_ON}{go_on}{then})\n");
        let rest = texts[at..].iter().map(|text| {
            let from = if std::ptr::eq(text, cut) { next } else { text.first };
            (text.name, &text.bytes[behind_lines(&text.bytes, from - text.first)..], from)
        });
        if self.numbers == Numbers::None
            && let Some(further) = outline::further_down(rest)
        {
            end.push_str(&further);
        }
        end
    }

    /// The command that prints the lines of a file from `next` on. Behind a pipe nobody divides them, so there they are
    /// no more than a page.
    fn rest(&self, cut: &Text<'_>, next: u64, page: Page) -> String {
        let name = word(cut.name);
        if self.numbers == Numbers::None && self.on_disk {
            return format!("sed -n {} {name}", quote(&format!("{next},{}p", cut.last)));
        }
        let rest = &cut.bytes[behind_lines(&cut.bytes, next - cut.first)..];
        let last = match end_of_page(rest, page) {
            _ if page.holds(rest) => cut.last,
            0 => next,
            end => next - 1 + count_lines(&rest[..end]),
        };
        format!("{} {name} | sed -n {}", self.command, quote(&format!("{next},{last}p")))
    }
}

impl Numbers {
    /// The lines with numbers in front of them, as GNU `cat -n` and `nl` print them.
    fn before(self, lines: Vec<u8>) -> Vec<u8> {
        if self == Self::None {
            return lines;
        }
        let mut number = 0;
        let numbered = lines.split_inclusive(|byte| *byte == b'\n').map(|line| {
            if self == Self::Filled && line == b"\n" {
                return [b"       ", line].concat();
            }
            number += 1;
            [format!("{number:6}\t").as_bytes(), line].concat()
        });
        numbered.collect::<Vec<_>>().concat()
    }
}

/// The number of lines, a last line without a newline included.
pub fn count_lines(text: &[u8]) -> u64 {
    let open = text.last().is_some_and(|byte| *byte != b'\n');
    memchr::memchr_iter(b'\n', text).count() as u64 + u64::from(open)
}

/// The place behind this many lines, in bytes.
pub fn behind_lines(text: &[u8], lines: u64) -> usize {
    let Some(before) = usize::try_from(lines).ok().and_then(|lines| lines.checked_sub(1)) else { return 0 };
    memchr::memchr_iter(b'\n', text).nth(before).map_or(text.len(), |at| at + 1)
}

/// The end of a page of `text`, in bytes: in the last part of the page the place in front of a line of least
/// indentation, best behind an empty line; 0 where not even a line fits.
fn end_of_page(text: &[u8], page: Page) -> usize {
    let most = text.len().min(page.bytes);
    let lines = memchr::memchr_iter(b'\n', &text[..most]).nth(page.lines.saturating_sub(1));
    let most = lines.map_or(most, |at| at + 1);
    let mut best: Option<((usize, bool), usize)> = None;
    for end in memchr::memrchr_iter(b'\n', &text[..most]).map(|at| at + 1) {
        if best.is_some() && end < most - most / SPARE {
            break;
        }
        let rest = &text[end..];
        let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
        let indent = line.len() - line.trim_ascii_start().len();
        // An empty line ends a paragraph, and a bracket what stands before it.
        let begins = !line.trim_ascii().is_empty() && !matches!(line[indent], b'}' | b')' | b']');
        let rank = if begins { (indent, !text[..end].ends_with(b"\n\n")) } else { (usize::MAX, true) };
        if best.is_none_or(|(best, _)| rank < best) {
            best = Some((rank, end));
        }
    }
    best.map_or(0, |(_, end)| end)
}

//! The times in front of the lines of logs.

use std::ops::Range;

/// How a time is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// The names of what stands before it.
    before: &'static [&'static str],
    is_bracketed: bool,
    /// Which of [`DATES`].
    date: Option<usize>,
    /// What stands between date and time.
    between: u8,
    /// What stands behind it, a blank between.
    behind: Option<&'static str>,
}

/// `web-1  | ` of `docker compose logs`.
const CONTAINER: &[&str] = &["container"];
/// Of the common log format.
const CLIENT: &[&str] = &["client", "ident", "user"];

/// Dates: `0` is a digit, `_` a digit or blank, `a` a letter.
const DATES: [&str; 7] =
    ["0000-00-00", "0000/00/00", "00/aaa/0000", "00-aaa-0000", "aaa _0", "aaa aaa _0", "a0000"];
const SYSLOG: usize = 4;
const CTIME: usize = 5;
const KLOG: usize = 6;
const MONTHS: &str = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";

impl Stamp {
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        self.before.iter().copied().chain(self.date.map(|_| "date")).chain(["time"]).chain(self.behind)
    }

    /// Whether the line is one of an access log.
    pub fn is_access(self) -> bool {
        self.before == CLIENT
    }

    /// The fields that follow in this order; none where any may.
    pub fn fields(self) -> &'static [&'static str] {
        match self.date {
            _ if self.is_access() => &["request", "status", "bytes", "referer", "agent"],
            Some(KLOG) => &["pid", "source"],
            Some(SYSLOG) if !self.is_bracketed => &["host", "process"],
            _ => &[],
        }
    }
}

pub fn begins(text: &[u8], form: &str) -> bool {
    let is_like = |(byte, like): (&u8, u8)| match like {
        b'0' => byte.is_ascii_digit(),
        b'_' => byte.is_ascii_digit() || *byte == b' ',
        b'a' => byte.is_ascii_alphabetic(),
        _ => *byte == like,
    };
    text.len() >= form.len() && text.iter().zip(form.bytes()).all(is_like)
}

/// The form of the time in front of a line and where it ends; its cells take the place of those before.
pub fn stamp(line: &str, cells: &mut Vec<Range<usize>>) -> Option<(Stamp, usize)> {
    let bytes = line.as_bytes();
    cells.clear();
    let (before, mut at) = before(bytes, cells)?;
    let is_bracketed = bytes.get(at) == Some(&b'[');
    at += usize::from(is_bracketed);
    let (date, mut between) = (DATES.iter().position(|form| is_date(&bytes[at..], form)), 0);
    if let Some(date) = date {
        let end = at + DATES[date].len();
        between = *bytes.get(end).filter(|byte| b"T :".contains(byte))?;
        // Joined to the time, the date shows by which sign.
        cells.push(at..end + usize::from(between != b' '));
        at = end + 1;
    }
    let time = time(bytes, at, date.is_none() && is_bracketed)?;
    at = time.end;
    cells.push(time);
    let behind = behind(&bytes[at..], date);
    if let Some((_, length)) = behind {
        cells.push(at + 1..at + length);
        at += length;
    }
    if is_bracketed {
        bytes.get(at).filter(|byte| **byte == b']')?;
        at += 1;
    }
    let is_end = bytes.get(at).is_none_or(|byte| matches!(byte, b' ' | b'\t'));
    let form = Stamp { before, is_bracketed, date, between, behind: behind.map(|(name, _)| name) };
    (is_end && (before != CLIENT || is_bracketed)).then_some((form, at))
}

fn is_date(text: &[u8], form: &str) -> bool {
    begins(text, form)
        && match form {
            "aaa _0" => MONTHS.as_bytes().windows(3).any(|month| *month == text[..3]),
            "aaa aaa _0" => MONTHS.as_bytes().windows(3).any(|month| *month == text[4..7]),
            "a0000" => b"IWEF".contains(&text[0]),
            _ => true,
        }
}

/// What stands before the time, and where that ends; `None` where no time can follow.
fn before(bytes: &[u8], cells: &mut Vec<Range<usize>>) -> Option<(&'static [&'static str], usize)> {
    let first = *bytes.first()?;
    if !(first.is_ascii_alphanumeric() || matches!(first, b'[' | b':')) {
        return None;
    }
    let word = |start: usize| {
        let length = bytes[start..].iter().take(256).position(|byte| *byte == b' ')?;
        (length > 0).then_some(start..start + length)
    };
    let Some(one) = word(0) else { return Some((&[], 0)) };
    let blanks = bytes[one.end..].iter().take(256).take_while(|byte| **byte == b' ').count();
    if bytes[one.end + blanks..].starts_with(b"| ") {
        let end = one.end + blanks + 2;
        cells.push(one);
        return Some((CONTAINER, end));
    }
    let client = || {
        let identity = word(one.end + 1)?;
        let user = word(identity.end + 1)?;
        bytes[user.end + 1..].starts_with(b"[").then_some([one, identity, user])
    };
    let is_time = first == b'[' || DATES.iter().any(|form| is_date(bytes, form));
    Some(match client().filter(|_| !is_time) {
        Some(client) => {
            let end = client[2].end + 1;
            cells.extend(client);
            (CLIENT, end)
        }
        None => (&[], 0),
    })
}

/// `10:00:01`, `10:00:01.123Z`, `10:00:01,123+02:00`, of the kernel `   12.345678`.
fn time(bytes: &[u8], mut at: usize, may_be_seconds: bool) -> Option<Range<usize>> {
    let digits = |at: usize| bytes[at..].iter().take(32).take_while(|byte| byte.is_ascii_digit()).count();
    if may_be_seconds {
        at += bytes[at..].iter().take(32).take_while(|byte| **byte == b' ').count();
        let point = at + digits(at);
        if point > at && bytes.get(point) == Some(&b'.') && digits(point + 1) == 6 {
            return Some(at..point + 7);
        }
    }
    if !begins(&bytes[at..], "00:00:00") {
        return None;
    }
    let mut end = at + 8;
    if bytes.get(end).is_some_and(|byte| matches!(byte, b'.' | b',')) && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    let rest = &bytes[end..];
    end += match rest.first() {
        Some(b'Z') => 1,
        Some(b'+' | b'-') if begins(&rest[1..], "00:00") => 6,
        Some(b'+' | b'-') if begins(&rest[1..], "0000") => 5,
        _ => 0,
    };
    Some(at..end)
}

/// The name and length of what stands behind a time: a zone, a year.
fn behind(rest: &[u8], date: Option<usize>) -> Option<(&'static str, usize)> {
    let length = match rest.get(1)? {
        b'+' | b'-' if begins(&rest[2..], "0000") => 6,
        b'U' if rest.starts_with(b" UTC") => 4,
        b'G' if rest.starts_with(b" GMT") => 4,
        _ if date == Some(CTIME) && begins(rest, " 0000") => return Some(("year", 5)),
        _ => return None,
    };
    let is_word = rest[0] == b' ' && rest.get(length).is_none_or(|byte| matches!(byte, b' ' | b'\t' | b']'));
    is_word.then_some(("zone", length))
}

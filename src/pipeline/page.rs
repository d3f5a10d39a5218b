//! How much of one call an agent's host shows without cutting.

/// Characters of a page where the host's own limit is not known.
pub const UNKNOWN_HOST: usize = 24_000;
/// Smallest page in bytes: no host cuts at less, so a lower limit is nonsense and is not followed.
pub const LEAST: usize = 2_000;
/// Bytes that are left at least of a page that others have filled: a few lines, and how to go on.
const LEAST_LEFT: usize = 400;
/// Smallest page in lines.
const LEAST_LINES: usize = 20;

/// How much of a stream its reader's host shows before it cuts by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Bytes. A host's limit in characters is taken as one in bytes, which never allows more.
    pub bytes: usize,
    /// Lines.
    pub lines: usize,
}

impl Page {
    /// The page of a host that cuts beyond `bytes` or `lines`, with defaults for a limit that is unknown.
    pub fn of_host(bytes: Option<u32>, lines: Option<u32>) -> Self {
        Self {
            bytes: bytes.map_or(UNKNOWN_HOST, |bytes| (bytes as usize).max(LEAST)),
            lines: lines.map_or(usize::MAX, |lines| (lines as usize).max(LEAST_LINES)),
        }
    }

    /// Whether the host shows all of `text`.
    pub fn holds(&self, text: &[u8]) -> bool {
        // A line is a byte at least.
        text.len() <= self.bytes
            && (text.len() <= self.lines || memchr::memchr_iter(b'\n', text).count() <= self.lines)
    }

    /// One of `parts` equal parts of the page.
    #[must_use]
    pub fn shared(self, parts: usize) -> Self {
        let part = |whole: usize, least: usize| (whole / parts.max(1)).max(least.min(whole));
        Self { bytes: part(self.bytes, LEAST), lines: part(self.lines, LEAST_LINES) }
    }

    /// The page without the bytes and lines that another part of the answer takes.
    #[must_use]
    pub fn without(self, bytes: usize, lines: usize) -> Self {
        Self {
            bytes: self.bytes.saturating_sub(bytes).max(LEAST_LEFT.min(self.bytes)),
            lines: self.lines.saturating_sub(lines).max(LEAST_LINES.min(self.lines)),
        }
    }
}

//! The mark by which one copy of toto recognises another, of whatever version and under whatever name.
//!
//! The mark is an ELF note (elf(5), `Elf64_Nhdr`): linkers lay notes out beside the program headers, so that one
//! read of a file's first page finds it, and `strip` leaves allocated sections alone.

/// A note as the linker and `readelf -n` expect it.
#[repr(C, align(4))]
struct Note {
    name_size: u32,
    text_size: u32,
    kind: u32,
    name: [u8; 8],
    text: [u8; 24],
}

/// Bytes at the beginning of a file that have to be read to find the mark.
pub const WITHIN: usize = 2048;

#[used]
#[cfg_attr(target_os = "linux", unsafe(link_section = ".note.toto"))]
static NOTE: Note =
    Note { name_size: 5, text_size: 24, kind: 1, name: *b"toto\0\0\0\0", text: *b"toto shim 61c5f0d2e84b9a" };

/// Whether the first [`WITHIN`] bytes of a file are those of an ELF file with toto's mark. Notes lie at multiples of 4.
pub fn is_toto(beginning: &[u8]) -> bool {
    // The first four bytes are looked at alone: most of them are no mark, and every tool that is started waits.
    let is_mark = |at: usize| beginning[at..].starts_with(&NOTE.text);
    beginning.starts_with(b"\x7fELF")
        && beginning.as_chunks().0.iter().enumerate().any(|(at, word)| word == b"toto" && is_mark(at * 4))
}

#[cfg(test)]
#[path = "../../tests/unit/sys/marker.rs"]
mod tests;

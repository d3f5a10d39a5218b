//! Keys of a line: numbers that say what the line is like. Lines with an equal key are alike in one way.

/// Number of ways in which lines may be alike.
pub(super) const FAMILIES: usize = 7;

/// Words by which records are recognised: a tool's name or a time may stand in front of the first word that differs.
pub(super) const HEADS: usize = 3;

/// The keys of one line. Keys that are equal by chance cost savings, nothing else.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys {
    /// One key for each way in which lines may be alike.
    pub(super) families: [u64; FAMILIES],
    /// Keys of the first word, of the first two and of the first three, whatever their digits.
    pub(super) heads: [u64; HEADS],
}

const PRIME: u64 = 0x0000_0100_0000_01b3;
const SEED: u64 = 0xcbf2_9ce4_8422_2325;

fn mix(hash: u64, byte: u64) -> u64 {
    (hash ^ byte).wrapping_mul(PRIME).rotate_left(5)
}

/// Words of a line whose form is compared.
const FORMED_WORDS: u64 = 12;
/// Bytes of a line that are read: a longer line is hardly a row of anything.
const JUDGED: usize = 4096;

impl Keys {
    pub(super) fn of(line: &str) -> Self {
        let bytes = &line.as_bytes()[..line.len().min(JUDGED)];
        let (mut words, mut cells) = (0, 0);
        let (mut form, mut first_form) = (SEED, SEED);
        // The key of the words so far. Each head is its state behind the head's last word.
        let mut head = SEED;
        let mut heads = [SEED; HEADS];
        let mut last_class = 0;
        let mut blanks = 2;
        for &byte in bytes {
            if matches!(byte, b' ' | b'\t') {
                blanks += if byte == b'\t' { 2 } else { 1 };
                last_class = 0;
                continue;
            }
            if blanks > 0 {
                words += 1;
                cells += u64::from(blanks > 1);
                if words <= FORMED_WORDS {
                    form = mix(form, 1);
                }
                blanks = 0;
            }
            let class = match byte {
                b'0'..=b'9' => 2,
                b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => 3,
                _ => u64::from(byte),
            };
            if class != last_class || class > 3 {
                if words <= FORMED_WORDS {
                    form = mix(form, class);
                }
                if words == 1 {
                    first_form = mix(first_form, class);
                }
            }
            if words <= HEADS as u64 && !(class == 2 && last_class == 2) {
                head = mix(head, if class == 2 { 2 } else { u64::from(byte) });
                heads[words as usize - 1] = head;
            }
            last_class = class;
        }
        // A short line has its own key in place of the heads for which it has too few words.
        heads[words.min(HEADS as u64) as usize..].fill(head);
        let indented = u64::from(line.starts_with([' ', '\t']));
        let with = |key: u64| mix(key, indented);
        let heads = heads.map(with);
        let families = [
            with(words.min(65)),
            with(first_form),
            mix(form, words),
            heads[0],
            with(cells),
            heads[2],
            u64::from(line.is_empty()),
        ];
        Self { families, heads }
    }
}

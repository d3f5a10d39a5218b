//! Texts that a tokenizer gets wrong: made from a seed, so that a failure names the text that shows it.

use std::fmt::Write as _;

/// A small generator of numbers: `SplitMix64`.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 11) as usize % bound
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of some values.
    pub fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }
}

/// Scalars at the edges of the patterns' classes.
const ODD: &str = " \t\n\r\u{b}\u{c}\u{85}\u{a0}\u{1680}\u{2003}\u{2028}\u{2029}\u{202f}\u{3000}\u{200b}\u{feff}\
    '’ſKÅıİßẞΣςéÉñçøЖжאבعم۱१๑²½Ⅷⅷ①㊿〇零一中文字あアｱ한글\u{301}\u{300}\u{20e3}\u{fe0f}\u{200d}😀👩🏽🇫🇷\
    \u{10ffff}\u{e000}\u{ad}·_-.,;:!?\"#$%&()*+/<=>@[\\]^`{|}~ʰªºǅǲ𝒜𝟘\u{1f1e6}㋿\u{fffd}\0\u{1}\u{7f}";
const CONTRACTIONS: &[&str] = &[
    "'s", "'S", "'ſ", "'t", "'T", "'ll", "'LL", "'lL", "'ve", "'VE", "'vE", "'re", "'Re", "'d", "'D", "'m",
    "'M", "'l", "'v", "'r", "'x", "''s", "'sa", "'LLa", " 's", "I'm'd've", "’s", "Ab'S", "AB'll", "aB'ſ",
    "'",
];
/// Alphabets of runs that are one piece, or nearly.
const RUNS: &[&str] = &[
    "a",
    "ab",
    "abcdefghijklmnopqrstuvwxyz",
    "aAbBZz",
    "的一是在不了有和人这中大为",
    "=-_*#/",
    " ",
    " \t",
    " \t\n\r",
    "\n",
    "\r\n",
    " \u{a0}\u{3000}\n",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "ABあ\u{301}",
    "0123456789",
    ".\n",
    "./\n\r",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    "ǅAa",
    "😀👩🏽",
    "é\u{301}",
];
const KEYS: &[&str] =
    &["id", "name", "InstanceId", "metadata", "created_at", "tags", "spec", "CPUUtilization"];

/// A text of one of ten kinds. `tokens` are what the last two are made of.
pub fn text(random: &mut Random, tokens: &[&str]) -> String {
    match random.below(10) {
        0 => bytes(random),
        1 => mostly_ascii(random),
        2 => odd(random),
        3 => scalars(random),
        4 => json(random),
        5 => log(random),
        6 => runs(random),
        7 => one_long_run(random),
        8 => joined_tokens(random, tokens),
        _ => repeated_token(random, tokens),
    }
}

fn bytes(random: &mut Random) -> String {
    let bytes: Vec<u8> = (0..random.below(200)).map(|_| random.below(256) as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn odd_scalar(random: &mut Random) -> char {
    random.pick(&ODD.chars().collect::<Vec<_>>())
}

fn mostly_ascii(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..random.below(60) {
        let scalar =
            if random.once_in(3) { odd_scalar(random) } else { (32 + random.below(95)) as u8 as char };
        let times = if random.once_in(12) { random.below(12) } else { 1 };
        text.extend(std::iter::repeat_n(scalar, times));
    }
    text
}

fn odd(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..random.below(40) {
        if random.once_in(4) {
            text.push_str(random.pick(CONTRACTIONS));
        } else {
            text.push(odd_scalar(random));
        }
    }
    text
}

fn scalars(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..random.below(60) {
        text.extend(char::from_u32(random.below(0x11_0000) as u32));
        if random.once_in(4) {
            text.push(' ');
        }
    }
    text
}

fn word(random: &mut Random) -> String {
    (0..=random.below(12)).map(|_| (b'a' + random.below(26) as u8) as char).collect()
}

fn json(random: &mut Random) -> String {
    let mut text = String::from("[\n");
    for _ in 0..random.below(12) {
        text.push_str(&" ".repeat(2 * random.below(12)));
        let value = match random.below(5) {
            0 => random.below(1 << 40).to_string(),
            1 => format!("{}.{:03}", random.below(100), random.below(1000)),
            2 => format!("\"i-{:017x}\"", random.below(1 << 50)),
            3 => format!("\"{} {}\\n\"", word(random), odd_scalar(random)),
            _ => String::from("null"),
        };
        writeln!(text, "\"{}\": {value},", random.pick(KEYS)).unwrap();
    }
    text + "]"
}

fn log(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..random.below(10) {
        let (second, level) = (random.below(60), random.pick(&["INFO", "WARN ", "ERROR", "debug"]));
        write!(text, "2025-03-0{}T10:22:{second:02}.123Z {level} [{}] ", random.below(10), word(random))
            .unwrap();
        for _ in 0..random.below(12) {
            let part = match random.below(4) {
                0 => format!("{}={}", word(random), random.below(100_000)),
                1 => format!("/{}/{}.rs:{}", word(random), word(random), random.below(999)),
                2 => String::from(random.pick(CONTRACTIONS)),
                _ => word(random),
            };
            text.push_str(&part);
            text.push_str(random.pick(&[" ", "  ", ", ", "\t", ": "]));
        }
        text.push_str(random.pick(&["\n", "\r\n", "\n\n", "\n    at "]));
    }
    text
}

fn runs(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..random.below(8) {
        let longest = if random.once_in(3) { 120 } else { 6 };
        run(random, longest, &mut text);
        if random.once_in(3) {
            text.push(odd_scalar(random));
        }
    }
    text
}

fn run(random: &mut Random, longest: usize, text: &mut String) {
    let alphabet: Vec<char> = random.pick(RUNS).chars().collect();
    let some = 1 + random.below(alphabet.len());
    for _ in 0..=random.below(longest) {
        text.push(alphabet[random.below(some)]);
    }
}

fn one_long_run(random: &mut Random) -> String {
    let mut text = String::new();
    if random.once_in(2) {
        text.push_str(random.pick(&["x", " ", "\n", ".", "1", "A"]));
    }
    let longest = if random.once_in(8) { 9000 } else { 400 };
    run(random, longest, &mut text);
    if random.once_in(2) {
        text.push_str(random.pick(&["x", " x", "\n", ".", "1", "'s", "A"]));
    }
    text
}

fn joined_tokens(random: &mut Random, tokens: &[&str]) -> String {
    (0..random.below(100)).map(|_| random.pick(tokens)).collect()
}

fn repeated_token(random: &mut Random, tokens: &[&str]) -> String {
    let longest = if random.once_in(10) { 8000 } else { 600 };
    let unit = format!("{}{}", random.pick(tokens), random.pick(&["", "", "a", " ", "\n", "B"]));
    let mut text = unit.repeat(1 + random.below(1 + longest / unit.len()));
    if random.once_in(2) {
        text.push_str(random.pick(tokens));
    }
    text
}

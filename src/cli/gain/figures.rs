//! Figures formatted for people.

use indicatif::HumanCount;

/// A number of tokens in about four characters: `987`, `12.3k`, `4.56M`.
pub fn short(figure: i64) -> String {
    let sign = if figure < 0 { "-" } else { "" };
    let size = figure.unsigned_abs();
    if size < 1000 {
        return format!("{sign}{size}");
    }
    let mut value = size as f64;
    for unit in ["k", "M", "G", "T"] {
        value /= 1000.0;
        // 999,950 is 1.00M, not 1000.0k.
        let digits = [9.995, 99.95, 999.5].iter().position(|most| value < *most);
        if let Some(decimals) = digits.map(|digits| 2 - digits) {
            return format!("{sign}{value:.decimals$}{unit}");
        }
    }
    format!("{sign}{value:.0}T")
}

/// A figure with thousands separators: `12,482`.
pub fn grouped(figure: u64) -> String {
    HumanCount(figure).to_string()
}

/// A sum in dollars: `$0.93`; below ten cents with four decimals, so that it does not look like nothing.
pub fn money(dollars: f64) -> String {
    let sign = if dollars < 0.0 { "-" } else { "" };
    let size = dollars.abs();
    match size {
        size if size >= 1000.0 => format!("{sign}${}", grouped(size.round() as u64)),
        size if (0.000_05..0.1).contains(&size) => format!("{sign}${size:.4}"),
        size => format!("{sign}${size:.2}"),
    }
}

/// Microseconds in the one or two units that matter: `36.0 s`, `2 h 29 min`.
pub fn duration(microseconds: u64) -> String {
    let seconds = microseconds / 1_000_000;
    match seconds {
        0..120 => format!("{:.1} s", microseconds as f64 / 1e6),
        120..7200 => format!("{} min", seconds / 60),
        7200..172_800 => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds / 3600 % 24),
    }
}

pub fn percent(percent: f64) -> String {
    format!("{percent:.1}%")
}

/// A bar for `share` (0 to 1) of `width` characters, in eighths of one; at least an eighth for any share above 0.
pub fn bar(share: f64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * width as f64 * 8.0).round() as usize;
    let eighths = if share > 0.0 { eighths.max(1) } else { 0 };
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// One block character per figure, its height in proportion to the largest figure.
pub fn sparkline(figures: &[i64]) -> String {
    const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = figures.iter().copied().max().unwrap_or(0).max(1);
    let level = |figure: i64| match figure {
        ..=0 => ' ',
        figure => LEVELS[((figure as f64 / most as f64 * 8.0).ceil() as usize).clamp(1, 8) - 1],
    };
    figures.iter().map(|figure| level(*figure)).collect()
}

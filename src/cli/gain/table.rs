//! Sums for people: the overview (today, in all, each tool's share, and the trend), a table that fits the terminal (on
//! a narrow one the least important columns are left out), and how figures are written.

use anstyle::{AnsiColor, Style};
use indicatif::HumanCount;

use super::query::{Overview, Query};
use crate::cli::out;
use crate::ledger::record::COST_OF_A_CALL;
use crate::ledger::sums::{Beside, Sums, day_of};

/// Characters to which names are cut before a column is left out.
const NARROW_NAME: usize = 24;

pub const NOTHING: &str =
    "no runs yet; toto link NAME… puts a tool's shim on the way of an agent (toto doctor)\n";

pub const STRONG: Style = Style::new().bold();
pub const GAIN: Style = AnsiColor::Green.on_default();
pub const FAINT: Style = Style::new().dimmed();

/// A column: its header, its importance (the least important are left out first), and its cells.
struct Column {
    head: &'static str,
    importance: u8,
    cell: fn(&Sums, f64) -> String,
}

const COLUMNS: &[Column] = &[
    Column { head: "runs", importance: 4, cell: |sums, _| grouped(sums.runs) },
    Column { head: "failed", importance: 1, cell: |sums, _| grouped(sums.failed) },
    Column { head: "without toto", importance: 3, cell: |sums, _| short(sums.without as i64) },
    Column { head: "given", importance: 2, cell: |sums, _| short(sums.given as i64) },
    Column { head: "receipts", importance: 0, cell: |sums, _| short(sums.receipt as i64) },
    Column { head: "saved", importance: 9, cell: |sums, _| short(sums.saved()) },
    Column { head: "", importance: 8, cell: |sums, _| share(sums) },
    Column { head: "", importance: 5, cell: |sums, price| money(sums.money(price)) },
];

/// The share that was saved; none of what was only added to, such as a window.
fn share(sums: &Sums) -> String {
    if sums.without == 0 { String::new() } else { percent(sums.percent()) }
}

/// The width to use, in columns: the terminal's, within bounds, or a default where there is none.
pub fn width() -> usize {
    out::width().map_or(80, usize::from).clamp(44, 120)
}

pub fn text(name: &str, groups: &[(String, Sums)], total: &Sums, price: f64) -> String {
    if groups.is_empty() {
        return NOTHING.into();
    }
    let groups = groups.iter().map(|(name, sums)| (name.as_str(), sums));
    let rows: Vec<_> = groups.chain([("total", total)]).collect();
    let mut text = lay_out(name, &rows, price, width());
    // A blank line in front of the total.
    let last = text[..text.len() - 1].rfind('\n').map_or(0, |at| at + 1);
    text.insert(last, '\n');
    text
}

pub fn lay_out(name: &str, rows: &[(&str, &Sums)], price: f64, width: usize) -> String {
    let column = |column: &'static Column| {
        let figures = rows.iter().map(|(_, sums)| (column.cell)(sums, price));
        let cells: Vec<String> = std::iter::once(column.head.to_owned()).chain(figures).collect();
        let width = cells.iter().map(String::len).max().unwrap_or(0);
        (column, cells.iter().map(|cell| format!("{cell:>width$}")).collect())
    };
    let mut kept: Vec<(&Column, Vec<String>)> = COLUMNS.iter().map(column).collect();
    let figures =
        |kept: &[(&Column, Vec<String>)]| kept.iter().map(|(_, cells)| cells[0].len() + 2).sum::<usize>();
    let names = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(name.len());
    while names.min(NARROW_NAME) + figures(&kept) > width && kept.len() > 1 {
        let least = (0..kept.len()).min_by_key(|at| kept[*at].0.importance).unwrap_or(0);
        kept.remove(least);
    }
    let names = names.min(width.saturating_sub(figures(&kept)).max(NARROW_NAME));
    let line = |(row, name): (usize, &str)| {
        let cells = kept.iter().map(|(column, cells)| match &cells[row] {
            cell if column.head == "saved" && row > 0 => format!("  {GAIN}{cell}{GAIN:#}"),
            cell => format!("  {cell}"),
        });
        let line = cut(name, names) + &cells.collect::<String>();
        let line = line.trim_end();
        if row == 0 { format!("{FAINT}{line}{FAINT:#}\n") } else { format!("{line}\n") }
    };
    std::iter::once(name).chain(rows.iter().map(|(name, _)| *name)).enumerate().map(line).collect()
}

/// Rows of text under a header, for `width` characters: of the column `yields` is cut what does not fit.
pub fn fitted<const N: usize>(
    head: [&str; N],
    mut rows: Vec<[String; N]>,
    yields: usize,
    width: usize,
) -> String {
    rows.insert(0, head.map(|title| format!("{FAINT}{title}{FAINT:#}")));
    let whole = anstream::adapter::strip_str(&out::columns(&rows)).to_string();
    let longest = whole.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let widest = rows[1..].iter().map(|row| row[yields].chars().count()).max().unwrap_or(0);
    let most = widest.saturating_sub(longest.saturating_sub(width)).max(12);
    for row in rows[1..].iter_mut().filter(|row| row[yields].chars().count() > most) {
        row[yields] = cut(&row[yields], most);
    }
    out::columns(&rows)
}

/// The name in exactly `width` characters: padded with blanks, or cut with an ellipsis as the last character.
pub fn cut(name: &str, width: usize) -> String {
    let length = name.chars().count();
    if length <= width {
        return format!("{name}{}", " ".repeat(width - length));
    }
    name.chars().take(width - 1).chain(['…']).collect()
}

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

/// Default number of tools that are shown.
const TOOLS: usize = 8;
const TREND: usize = 30;

/// The overview for people, `width` columns wide. `today` is in days since 1970-01-01.
pub fn glance(overview: &Overview, query: &Query, width: usize, today: i64) -> String {
    let Overview { total, today: of_today, tools, days, beside } = overview;
    if total.runs == 0 {
        return NOTHING.into();
    }
    let saved = total.saved();
    let mut text = format!(
        "{STRONG}{GAIN}{}{GAIN:#}{STRONG} of {} tokens saved, {}, {}{STRONG:#}\n",
        short(saved),
        short(total.without as i64),
        percent(total.percent()),
        money(total.money(query.price)),
    );
    if let Some((first, _)) = days.first() {
        text += &format!("{FAINT}since {first}, {} a million tokens{FAINT:#}\n", money(query.price));
    }
    text.push('\n');
    text += &lay_out("", &[("today", of_today), ("in all", total)], query.price, width);
    text += &format!("\n{}", shares(tools, query.top.unwrap_or(TOOLS), saved, width));
    text += &trend(days, width, today);
    text += &told_beside(beside, width);
    text
}

/// A line about failures told behind viewers and a line about outputs that were asked for again, if there were any.
fn told_beside(beside: &Beside, width: usize) -> String {
    let mut lines = Vec::new();
    if beside.told > 0 {
        let (told, tokens) = (out::counted(beside.told, "failure"), short(beside.told_tokens as i64));
        lines.push(format!("told of behind a viewer: {told} in {tokens} tokens"));
    }
    if !beside.again.is_empty() {
        let sum = |figure: fn(&(String, u64, u64)) -> u64| beside.again.iter().map(figure).sum::<u64>();
        let (calls, tokens) = (sum(|tool| tool.1), sum(|tool| tool.2));
        let (times, cost) = (out::counted(calls, "time"), short((tokens + calls * COST_OF_A_CALL) as i64));
        let tools: Vec<_> = beside.again.iter().map(|(tool, calls, _)| format!("{tool} {calls}")).collect();
        lines.push(format!("asked again: {times}, -{cost} tokens ({})", tools.join(", ")));
    }
    let lines: String = lines.iter().map(|line| format!("{}\n", cut(line, width).trim_end())).collect();
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}

/// What each tool saved, and its share of all savings, one line per tool.
fn shares(tools: &[(String, Sums)], top: usize, saved: i64, width: usize) -> String {
    const FIGURES: usize = 18;
    let (shown, rest) = tools.split_at(top.min(tools.len()));
    let names = shown.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).clamp(4, 20);
    let bars = width.saturating_sub(names + FIGURES).min(60);
    let most = shown.iter().map(|(_, sums)| sums.saved()).max().unwrap_or(0).max(1);
    let mut text = String::new();
    for (name, sums) in shown {
        let own = sums.saved();
        let bar = bar(own as f64 / most as f64, bars);
        let share =
            if saved > 0 && own >= 0 { percent(own as f64 * 100.0 / saved as f64) } else { String::new() };
        text += &format!(
            "{}  {GAIN}{bar}{GAIN:#}{}  {:>6}  {share:>6}\n",
            cut(name, names),
            " ".repeat(bars - bar.chars().count()),
            short(own),
        );
    }
    if !rest.is_empty() {
        let saved = rest.iter().map(|(_, sums)| sums.saved()).sum();
        text += &format!("{FAINT}{} more: {} (--by-tool){FAINT:#}\n", rest.len(), short(saved));
    }
    text
}

/// The savings of the last days, one character per day, and the best day. Empty for one day, or without savings.
fn trend(days: &[(String, Sums)], width: usize, today: i64) -> String {
    let span = TREND.min(width.saturating_sub(12));
    let mut figures = vec![0; span];
    let mut best: Option<(&str, i64)> = None;
    for (day, sums) in days {
        let ago = day.parse().map_or(i64::MAX, |date| today - day_of(date));
        if let Some(place) = usize::try_from(ago).ok().and_then(|ago| span.checked_sub(ago + 1)) {
            figures[place] = sums.saved();
            if best.is_none_or(|(_, most)| sums.saved() > most) {
                best = Some((day, sums.saved()));
            }
        }
    }
    let Some((day, most)) = best.filter(|(_, most)| *most > 0 && days.len() > 1) else {
        return String::new();
    };
    let line = format!("{span} days  {GAIN}{}{GAIN:#}", sparkline(&figures));
    format!("\n{line}\n{FAINT}the most on {day}: {}{FAINT:#}\n", short(most))
}

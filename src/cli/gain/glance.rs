//! The overview for people: today, in all, each tool's share, and the trend.

use super::query::{Overview, Query};
use super::table::{FAINT, GAIN, NOTHING, STRONG, bar, cut, lay_out, money, percent, short, sparkline};
use crate::cli::out::counted;
use crate::ledger::record::COST_OF_A_CALL;
use crate::ledger::sums::{Beside, Sums, day_of};

/// Default number of tools that are shown.
const TOOLS: usize = 8;
const TREND: usize = 30;

/// The overview for people, `width` columns wide. `today` is in days since 1970-01-01.
pub fn text(overview: &Overview, query: &Query, width: usize, today: i64) -> String {
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
        let (told, tokens) = (counted(beside.told, "failure"), short(beside.told_tokens as i64));
        lines.push(format!("told of behind a viewer: {told} in {tokens} tokens"));
    }
    if !beside.again.is_empty() {
        let sum = |figure: fn(&(String, u64, u64)) -> u64| beside.again.iter().map(figure).sum::<u64>();
        let (calls, tokens) = (sum(|tool| tool.1), sum(|tool| tool.2));
        let (times, cost) = (counted(calls, "time"), short((tokens + calls * COST_OF_A_CALL) as i64));
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

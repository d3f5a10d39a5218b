//! `toto gain --html`: one self-contained page.

use std::path::Path;

use anyhow::Context as _;
use jiff::tz::TimeZone;
use regex::{Captures, Regex};
use rusqlite::Connection;
use rustix::fs::{FileType, fstat};

use super::query::{Query, overview, today};
use super::table::{duration, grouped, money, percent, short};
use crate::cli::{lines, out};
use crate::ledger::sums::{self, By, Large, Sums, date_of, day_of};
use crate::ledger::{Error, spool};

const TEMPLATE: &str = include_str!("page.html");
/// Default number of large outputs that are shown.
const LARGEST: usize = 20;
/// Default limit of rows in the table of commands.
const ROWS: usize = 500;
const BARS: usize = 12;
/// Most days that are drawn one by one; more are drawn as weeks.
const DAYS: i64 = 120;

pub fn text(connection: &Connection, query: &Query) -> Result<String, Error> {
    let overview = overview(connection, &query.scope)?;
    let shapes = sums::by(connection, By::Shape, &query.scope)?;
    let mut commands = sums::across(connection, [By::Call, By::Agent, By::Shape], &query.scope)?;
    commands.sort_by_key(|(_, sums)| std::cmp::Reverse(sums.without));
    commands.truncate(query.top.unwrap_or(ROWS));
    let largest = sums::largest(connection, &query.scope, query.top.unwrap_or(LARGEST))?;
    let first = overview.days.first().map_or("today", |(day, _)| day);
    let parts = [
        ("SINCE", first.to_owned()),
        ("PRICE", money(query.price)),
        ("TILES", tiles(&overview.total, &overview.today, query.price)),
        ("CHART", chart(&overview.days)),
        ("TOOLS", bars(&overview.tools, ": toto gain --by-tool")),
        ("SHAPES", bars(&shapes, "")),
        ("LARGEST", largest_rows(&largest)),
        ("COMMANDS", command_rows(&commands, query.price)),
        ("MADE", time(spool::now())),
    ];
    // One pass over the template: inserted text is not searched for placeholders.
    let place = Regex::new(r"\{\{(\w+)\}\}").expect("a pattern of our own");
    let part =
        |place: &Captures<'_>| parts.iter().find(|part| part.0 == &place[1]).map_or("", |part| &part.1);
    Ok(place.replace_all(TEMPLATE, part).into_owned())
}

/// Writes the page to `file` and prints its path. `-` is standard output. An empty name is standard output if that is a
/// file that no agent reads, else `gain.html` in the ledger's directory. Fails when the page cannot be written there.
pub fn write(file: &Path, text: &str) -> anyhow::Result<i32> {
    let is_redirected = || {
        let kind = fstat(rustix::stdio::stdout()).map(|stat| FileType::from_raw_mode(stat.st_mode));
        kind == Ok(FileType::RegularFile) && lines::reader().is_none()
    };
    if file.as_os_str() == "-" || file.as_os_str().is_empty() && is_redirected() {
        return out::bytes(text);
    }
    let path = if file.as_os_str().is_empty() {
        spool::home().context("no home directory; name a file")?.join("gain.html")
    } else {
        file.to_owned()
    };
    fs_err::write(&path, text)?;
    out::styled(format!("{}\n", path.display()))
}

fn tiles(total: &Sums, today: &Sums, price: f64) -> String {
    let [without, receipt] = [total.without, total.receipt].map(|tokens| short(tokens as i64));
    let [runs, of_today, failed] = [total.runs, today.runs, total.failed].map(grouped);
    [
        ("tokens saved", short(total.saved()), format!("of {without} that agents would have read")),
        ("saved", percent(total.percent()), format!("receipts of {receipt} tokens counted")),
        ("worth", money(total.money(price)), format!("at {} for a million tokens", money(price))),
        ("runs", runs, format!("{of_today} today, {failed} failed")),
        ("toto's own time", duration(total.own_us), format!("the tools took {}", duration(total.tool_us))),
    ]
    .map(|(what, figure, beside)| {
        format!("<div class=\"tile\"><span>{what}</span><b>{figure}</b><small>{beside}</small></div>\n")
    })
    .concat()
}

/// Tokens given and saved as a chart, one bar per day with runs, or per week for more than [`DAYS`] days.
pub fn chart(days: &[(String, Sums)]) -> String {
    let number = |day: &str| day.parse().map_or(0, day_of);
    let Some(first) = days.first().map(|(day, _)| number(day)) else { return String::new() };
    let last = days.last().map_or(first, |(day, _)| number(day)).max(today().min(first + 3650));
    let step = if last - first >= DAYS { 7 } else { 1 };
    let count = ((last - first) / step + 1) as usize;
    let mut bars = vec![Sums::default(); count];
    for (day, sums) in days {
        let bar = &mut bars[((number(day) - first) / step) as usize];
        bar.runs += sums.runs;
        bar.without += sums.without;
        bar.given += sums.given;
        bar.receipt += sums.receipt;
        bar.again += sums.again;
    }
    let most = bars.iter().map(height).max().unwrap_or(0).max(1);
    let mut drawn = String::new();
    for (at, sums) in bars.iter().enumerate().filter(|(_, sums)| sums.runs > 0) {
        let week = if step == 7 { "week of " } else { "" };
        drawn += &drawn_bar(at, &format!("{week}{}", date_of(first + at as i64 * step)), sums, most);
    }
    // Fewer than fourteen bars are as narrow as fourteen would be.
    let width = count.max(14);
    format!(
        "<div class=\"top\">{}</div>\n\
         <svg viewBox=\"0 0 {width} 100\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"Tokens a day\">\n{drawn}</svg>\n\
         <div class=\"axis\"><span>{}</span><span>{}</span></div>\n",
        short(most as i64),
        date_of(first),
        if count < width { String::new() } else { date_of(last).to_string() },
    )
}

fn given(sums: &Sums) -> u64 {
    sums.given + sums.receipt
}

fn height(sums: &Sums) -> u64 {
    sums.without.max(given(sums))
}

/// The bar number `at` of the chart, whose highest bar is `most` tokens high.
fn drawn_bar(at: usize, when: &str, sums: &Sums, most: u64) -> String {
    let title = format!(
        "{when}: {} saved ({}), {} given, {}",
        short(sums.saved()),
        percent(sums.percent()),
        short(given(sums) as i64),
        out::counted(sums.runs, "run")
    );
    let part = |tokens: u64| tokens as f64 * 100.0 / most as f64;
    let (low, high) = (part(given(sums)), part(height(sums)));
    format!(
        "<g><title>{title}</title><rect class=\"hit\" x=\"{at}\" y=\"0\" width=\"1\" height=\"100\"/>\
         <rect class=\"given\" x=\"{at}.1\" y=\"{:.2}\" width=\".8\" height=\"{low:.2}\"/>\
         <rect class=\"saved\" x=\"{at}.1\" y=\"{:.2}\" width=\".8\" height=\"{:.2}\"/></g>\n",
        100.0 - low,
        100.0 - high,
        high - low,
    )
}

/// A bar for each of the groups that saved most; `all` says, behind the number of the others, how to see them.
fn bars(groups: &[(String, Sums)], all: &str) -> String {
    let most = groups.iter().map(|(_, sums)| sums.saved()).max().unwrap_or(0).max(1);
    let mut text = String::new();
    for (name, sums) in groups.iter().take(BARS) {
        let share = (sums.saved() as f64 * 100.0 / most as f64).max(0.0);
        let bar = if share > 0.0 { format!("<i style=\"width:{share:.1}%\"></i>") } else { String::new() };
        text += &format!(
            "<div class=\"bar\"><span class=\"name\">{}</span><span class=\"track\">{bar}</span>\
             <span class=\"figure\">{}</span><span class=\"figure\">{}</span></div>\n",
            escaped(name),
            short(sums.saved()),
            percent(sums.percent()),
        );
    }
    if groups.len() > BARS {
        text += &format!("<p class=\"faint\">{} more{all}</p>\n", groups.len() - BARS);
    }
    text
}

fn largest_rows(runs: &[Large]) -> String {
    if runs.is_empty() {
        return "<tr><td colspan=\"6\">None: at least a tenth of every output was saved.</td></tr>\n".into();
    }
    let row = |run: &Large| {
        let names = [&run.call, &run.shape].map(|name| format!("<td>{}</td>", escaped(name))).concat();
        let figures = [grouped(run.largest), grouped(run.runs), short(run.given as i64)];
        let figures = figures.map(|figure| format!("<td class=\"n\">{figure}</td>")).concat();
        format!("<tr>{names}{figures}<td>{}</td></tr>\n", time(run.last))
    };
    runs.iter().map(row).collect()
}

pub fn command_rows(groups: &[([String; 3], Sums)], price: f64) -> String {
    let row = |(names, sums): &([String; 3], Sums)| {
        let name = |name: &String| format!("<td>{}</td>", escaped(name));
        let figure = |value: f64, text: String| format!("<td class=\"n\" data-v=\"{value}\">{text}</td>");
        let cells = [
            figure(sums.runs as f64, grouped(sums.runs)),
            figure(sums.without as f64, short(sums.without as i64)),
            figure(given(sums) as f64, short(given(sums) as i64)),
            figure(sums.saved() as f64, short(sums.saved())),
            figure(sums.percent(), percent(sums.percent())),
            figure(sums.money(price), money(sums.money(price))),
        ];
        format!("<tr>{}{}</tr>\n", names.iter().map(name).collect::<String>(), cells.concat())
    };
    groups.iter().map(row).collect()
}

fn time(at: i64) -> String {
    let time = jiff::Timestamp::from_microsecond(at).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    time.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

//! `toto discover`: the commands that cost agents the most tokens, from the agents' own transcripts on this machine.

use std::collections::{BTreeMap, HashSet};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use super::gain::table::{FAINT, GAIN, STRONG, fitted, grouped, money, percent, short, width};
use super::out;
use crate::agents::AGENTS;
use crate::config;
use crate::farm::Farm;
use crate::farm::list::State;
use crate::transcripts::{self, Again, Cost, Format, Tally};

/// Least saving, in tokens, for which a link is suggested.
const WORTH: u64 = 500;

/// Find the commands that cost your agents the most tokens, in their own transcripts
///
/// Reads the sessions that agents keep in your home directory, and runs their outputs through toto. Nothing is changed,
/// nothing is run, nothing leaves the machine.
#[derive(Args)]
pub struct DiscoverArgs {
    /// Show so many commands at most
    #[arg(long, value_name = "N", default_value_t = 15)]
    top: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

struct Findings {
    tally: Tally,
    /// Number of lines and documents that could not be read.
    broken: u64,
    /// Files that could not be read, with the reason.
    unread: Vec<String>,
    /// Names of the list, of the farm's those that work.
    shims: Vec<String>,
    price: f64,
}

/// Fails when a setting cannot be used, or nothing can be written.
pub fn run(args: &DiscoverArgs) -> anyhow::Result<i32> {
    let settings = config::load()?;
    let mut tally = Tally::default();
    let (broken, unread) = read_all(&mut |format, session, document| {
        tally.take(format, session, document, &settings);
    })?;
    for file in &unread {
        out::complain(&format!("cannot read {file}"));
    }
    // None where there is no farm.
    let listed = Farm::from_env().ok().and_then(|farm| farm.listed().ok()).unwrap_or_default();
    let working = listed.iter().filter(|one| !one.in_farm || matches!(one.state, State::Working(_)));
    let shims = working.map(|one| one.name.display().to_string()).collect();
    let findings = Findings { tally, broken, unread, shims, price: settings.ledger.price };
    if args.json {
        return out::bytes(format!("{:#}\n", findings.json(args.top)));
    }
    out::styled(findings.text(args.top, width()))
}

/// Passes every document of the agents' transcripts to `take`, with its format and session. Returns how many lines and
/// documents could not be read, and which files, with the reason.
pub fn read_all(take: &mut dyn FnMut(&Format, &str, &Value)) -> anyhow::Result<(u64, Vec<String>)> {
    let formats = transcripts::formats()?;
    let transcripts = transcripts::find(&formats);
    // Hidden where standard error is no terminal.
    let bar = ProgressBar::new(transcripts.iter().map(|transcript| transcript.bytes).sum());
    let style = ProgressStyle::with_template("reading transcripts {bar:40} {bytes} of {total_bytes}")?;
    bar.set_style(style);
    let (mut broken, mut unread) = (0, Vec::new());
    for transcript in &transcripts {
        let mut take = |session: &str, document: &Value| take(transcript.format, session, document);
        match transcript.read(&mut take) {
            Ok(lines) => broken += lines,
            Err(error) => unread.push(format!("{}: {error}", transcript.path.display())),
        }
        bar.inc(transcript.bytes);
    }
    bar.finish_and_clear();
    Ok((broken, unread))
}

impl Findings {
    fn total(&self) -> Cost {
        let mut total = Cost::default();
        for cost in self.tally.costs.values() {
            total.runs += cost.runs;
            total.tokens += cost.tokens;
            total.saved += cost.saved;
            total.compressed += cost.compressed;
        }
        total
    }

    fn is_shimmed(&self, cost: &Cost) -> Option<bool> {
        cost.tool.as_ref().map(|tool| self.shims.contains(tool))
    }

    /// Tools without a link that would save at least [`WORTH`] tokens, the largest saving first.
    fn worth_linking(&self) -> Vec<&str> {
        let mut tools: BTreeMap<&str, u64> = BTreeMap::new();
        for cost in self.tally.costs.values().filter(|cost| self.is_shimmed(cost) == Some(false)) {
            *tools.entry(cost.tool.as_deref().unwrap_or_default()).or_default() += cost.saved;
        }
        let worth = tools.into_iter().filter(|(_, saved)| *saved >= WORTH);
        most_first(worth, |(_, saved)| *saved).into_iter().map(|(tool, _)| tool).collect()
    }

    fn text(&self, top: usize, width: usize) -> String {
        let total = self.total();
        if total.runs == 0 {
            let formats = transcripts::formats().unwrap_or_default();
            let mut agents: Vec<&str> = formats.iter().map(|format| title(&format.agent)).collect();
            agents.dedup();
            return format!(
                "no agent's session with a command in it is on this machine (looked for those of {})\n",
                agents.join(", ")
            );
        }
        let mut text = self.headline(&total) + &self.table(top, width);
        if total.compressed > 0 {
            let outputs = out::counted(total.compressed, "output");
            text += &format!("{FAINT}compressed by toto already: {outputs}{FAINT:#}\n");
        }
        let worth = self.worth_linking().join(" ");
        if !worth.is_empty() {
            text += &format!("\nnot linked yet, and worth it:\n  {STRONG}toto link {worth}{STRONG:#}\n");
        }
        text += &self.looked_again(top);
        if self.broken > 0 {
            let lines = out::counted(self.broken, "line");
            text += &format!("\n{FAINT}{lines} of transcripts could not be read{FAINT:#}\n");
        }
        text
    }

    /// What all commands cost, and the sessions that they are from.
    fn headline(&self, total: &Cost) -> String {
        let by_agent = |(agent, names): (&String, &HashSet<String>)| {
            format!("{} of {}", grouped(names.len() as u64), title(agent))
        };
        let by_agent: Vec<String> = self.tally.sessions.iter().map(by_agent).collect();
        let sessions: usize = self.tally.sessions.values().map(HashSet::len).sum();
        format!(
            "{STRONG}{} cost {} tokens; toto would have saved {GAIN}{}{GAIN:#}{STRONG} ({}, {}){STRONG:#}\n\
             {FAINT}in {}: {}{FAINT:#}\n\n",
            out::counted(total.runs, "command"),
            short(total.tokens as i64),
            short(total.saved as i64),
            share(total.saved, total.tokens),
            money(total.saved as f64 * self.price / 1e6),
            out::counted(sessions as u64, "session"),
            by_agent.join(", "),
        )
    }

    fn table(&self, top: usize, width: usize) -> String {
        let costs = most_first(&self.tally.costs, |(_, cost)| cost.tokens);
        let (shown, rest) = costs.split_at(top.min(costs.len()));
        let row = |(name, cost): &(&String, &Cost)| {
            let (saved, share) = match cost.saved {
                0 => ("-".into(), String::new()),
                saved => (short(saved as i64), share(saved, cost.tokens)),
            };
            let linked = self.is_shimmed(cost).map_or("", |is_linked| if is_linked { "yes" } else { "no" });
            [
                (*name).clone(),
                format!("{:>6}", grouped(cost.runs)),
                format!("{:>6}", short(cost.tokens as i64)),
                format!("{GAIN}{saved:>10}{GAIN:#}"),
                format!("{share:>6}"),
                linked.to_owned(),
            ]
        };
        let head = ["command", "  runs", "tokens", "toto saves", "", "linked"];
        let mut text = fitted(head, shown.iter().map(row).collect(), 0, width);
        if !rest.is_empty() {
            text += &format!("{FAINT}{} more (--top){FAINT:#}\n", rest.len());
        }
        text
    }

    fn looked_again(&self, top: usize) -> String {
        let mut text = String::new();
        if !self.tally.again.is_empty() {
            text += "\nrun again to see other lines (toto keeps the whole output: toto show ID --grep RE):\n";
        }
        for (name, again) in most_first(&self.tally.again, |(_, again)| again.tokens).into_iter().take(top) {
            let times =
                if again.times == 1 { "once".to_owned() } else { format!("{} times", grouped(again.times)) };
            let (tokens, by) = (short(again.tokens as i64), Vec::from_iter(again.by.clone()).join(", "));
            text += &format!("  {name}: {times}, {tokens} tokens, with {by}\n");
        }
        text
    }

    fn json(&self, top: usize) -> Value {
        let total = self.total();
        let command = |(name, cost): &(&String, &Cost)| {
            json!({
                "command": name, "tool": cost.tool, "runs": cost.runs, "tokens": cost.tokens, "saved": cost.saved,
                "compressed": cost.compressed, "linked": self.is_shimmed(cost),
            })
        };
        let commands: Value =
            most_first(&self.tally.costs, |(_, cost)| cost.tokens).iter().take(top).map(command).collect();
        let again = |(name, again): &(&String, &Again)| {
            json!({
                "command": name, "times": again.times, "sessions": again.sessions.len(), "by": again.by,
                "tokens": again.tokens,
            })
        };
        let again: Value =
            most_first(&self.tally.again, |(_, again)| again.tokens).iter().map(again).collect();
        let sessions = self.tally.sessions.iter().map(|(agent, sessions)| (agent.clone(), sessions.len()));
        json!({
            "sessions": sessions.collect::<Value>(),
            "runs": total.runs, "tokens": total.tokens, "saved": total.saved, "compressed": total.compressed,
            "commands": commands, "worth_linking": self.worth_linking(), "run_again": again,
            "broken_lines": self.broken, "unread": self.unread,
        })
    }
}

/// The agent's name for people.
fn title(id: &str) -> &str {
    AGENTS.iter().find(|known| known.id == id).map_or(id, |known| known.title)
}

fn most_first<T>(items: impl IntoIterator<Item = T>, tokens: impl Fn(&T) -> u64) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort_by_key(|item| std::cmp::Reverse(tokens(item)));
    items
}

fn share(saved: u64, tokens: u64) -> String {
    percent(saved as f64 * 100.0 / tokens.max(1) as f64)
}

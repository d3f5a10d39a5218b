//! `toto discover`: the commands that cost agents the most tokens, from the agents' own transcripts on this machine.

use std::collections::BTreeMap;
use std::io::IsTerminal as _;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use super::gain::figures::{grouped, money, percent, short};
use super::gain::table::{FAINT, GAIN, STRONG, cut, width};
use super::out;
use crate::agents::AGENTS;
use crate::config;
use crate::farm::{Farm, State};
use crate::transcripts::{self, Again, Cost, Tally};

/// Default number of commands that are shown.
const TOP: usize = 15;
/// Least saving, in tokens, for which a link is suggested.
const WORTH: u64 = 500;

/// Find the commands that cost your agents the most tokens, in their own transcripts
///
/// Reads the sessions that Claude Code, Codex, Gemini CLI, Qwen Code and `OpenCode` keep in your home directory, and
/// runs their outputs through toto. Nothing is changed, nothing is run, nothing leaves the machine.
#[derive(Args)]
pub struct DiscoverArgs {
    /// Show so many commands at most
    #[arg(long, value_name = "N", default_value_t = TOP)]
    top: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was found in the transcripts.
struct Findings {
    tally: Tally,
    /// Number of lines and documents that could not be read.
    broken: u64,
    /// Files that could not be read, with the reason.
    unread: Vec<String>,
    /// Names of the farm's working shims.
    shims: Vec<String>,
    price: f64,
}

/// Runs `toto discover`.
///
/// # Errors
/// When a setting cannot be used, or nothing can be written.
pub fn run(args: &DiscoverArgs) -> anyhow::Result<i32> {
    let settings = config::load()?;
    let formats = transcripts::formats()?;
    let transcripts = transcripts::find(&formats);
    let bar = progress(transcripts.iter().map(|transcript| transcript.bytes).sum());
    let mut findings = Findings {
        tally: Tally::default(),
        broken: 0,
        unread: Vec::new(),
        shims: shims(),
        price: settings.ledger.price,
    };
    for transcript in &transcripts {
        let Findings { tally, broken, unread, .. } = &mut findings;
        match transcript
            .read(&mut |session, document| tally.take(transcript.format, session, document, &settings))
        {
            Ok(lines) => *broken += lines,
            Err(error) => unread.push(format!("{}: {error}", transcript.path.display())),
        }
        bar.inc(transcript.bytes);
    }
    bar.finish_and_clear();
    for file in &findings.unread {
        out::complain(&format!("cannot read {file}"));
    }
    if args.json {
        out::bytes(format!("{:#}\n", findings.json(args.top)).as_bytes())?;
    } else {
        out::styled(&findings.text(args.top, width()))?;
    }
    Ok(0)
}

/// A progress bar on standard error; hidden if that is not a terminal.
fn progress(bytes: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(bytes);
    if let Ok(style) = ProgressStyle::with_template("reading transcripts {bar:40} {bytes} of {total_bytes}") {
        bar.set_style(style);
    }
    bar
}

/// The names of the farm's working shims; none where there is no farm.
fn shims() -> Vec<String> {
    let shims = Farm::from_env().ok().and_then(|farm| farm.shims().ok()).unwrap_or_default();
    let working = shims.iter().filter(|shim| matches!(shim.state, State::Working(_)));
    working.map(|shim| shim.name.display().to_string()).collect()
}

impl Findings {
    /// The commands, those with the most tokens first.
    fn costs(&self) -> Vec<(&String, &Cost)> {
        let mut costs: Vec<_> = self.tally.costs.iter().collect();
        costs.sort_by_key(|(_, cost)| std::cmp::Reverse(cost.tokens));
        costs
    }

    fn again(&self) -> Vec<(&String, &Again)> {
        let mut again: Vec<_> = self.tally.again.iter().collect();
        again.sort_by_key(|(_, again)| std::cmp::Reverse(again.tokens));
        again
    }

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
        let mut tools: Vec<_> = tools.into_iter().filter(|(_, saved)| *saved >= WORTH).collect();
        tools.sort_by_key(|(_, saved)| std::cmp::Reverse(*saved));
        tools.into_iter().map(|(tool, _)| tool).collect()
    }

    fn text(&self, top: usize, width: usize) -> String {
        let total = self.total();
        if total.runs == 0 {
            return "no agent's session with a command in it is on this machine (looked for Claude Code's, Codex's, \
                    Gemini CLI's, Qwen Code's and OpenCode's)\n"
                .into();
        }
        let mut text = self.headline(&total) + &self.table(top, width);
        if total.compressed > 0 {
            text += &format!(
                "{FAINT}compressed by toto already: {}{FAINT:#}\n",
                out::counted(total.compressed, "output")
            );
        }
        let worth = self.worth_linking();
        if !worth.is_empty() {
            text += &format!(
                "\nnot linked yet, and worth it:\n  {STRONG}toto link {}{STRONG:#}\n",
                worth.join(" ")
            );
        }
        text += &self.looked_again(top);
        if self.broken > 0 {
            text += &format!(
                "\n{FAINT}{} of transcripts could not be read{FAINT:#}\n",
                out::counted(self.broken, "line")
            );
        }
        text
    }

    /// What all commands cost, and the sessions that they are from.
    fn headline(&self, total: &Cost) -> String {
        let sessions = self.tally.sessions.iter().map(|(agent, names)| (agent, names.len() as u64));
        let by_agent: Vec<String> = sessions
            .clone()
            .map(|(agent, count)| format!("{} of {}", grouped(count), title(agent)))
            .collect();
        format!(
            "{STRONG}{} cost {} tokens; toto would have saved {GAIN}{}{GAIN:#}{STRONG} ({}, {}){STRONG:#}\n\
             {FAINT}in {}: {}{FAINT:#}\n\n",
            out::counted(total.runs, "command"),
            short(total.tokens as i64),
            short(total.saved as i64),
            percent(total.saved as f64 * 100.0 / total.tokens.max(1) as f64),
            money(total.saved as f64 * self.price / 1e6),
            out::counted(sessions.map(|(_, count)| count).sum(), "session"),
            by_agent.join(", "),
        )
    }

    fn table(&self, top: usize, width: usize) -> String {
        const FIGURES: usize = 45;
        let costs = self.costs();
        let shown = &costs[..top.min(costs.len())];
        let longest = shown.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let names = longest.clamp(7, width.saturating_sub(FIGURES).max(12));
        let mut text = format!(
            "{FAINT}{}  {:>6}  {:>6}  {:>10}  {:>6}  {}{FAINT:#}\n",
            cut("command", names),
            "runs",
            "tokens",
            "toto saves",
            "",
            "linked"
        );
        for (name, cost) in shown {
            let saved = if cost.saved > 0 { short(cost.saved as i64) } else { "-".into() };
            let share = if cost.saved > 0 {
                percent(cost.saved as f64 * 100.0 / cost.tokens.max(1) as f64)
            } else {
                String::new()
            };
            let linked = self.is_shimmed(cost).map_or("", |is_linked| if is_linked { "yes" } else { "no" });
            let line = format!(
                "{}  {:>6}  {:>6}  {GAIN}{saved:>10}{GAIN:#}  {share:>6}  {linked}",
                cut(name, names),
                grouped(cost.runs),
                short(cost.tokens as i64),
            );
            text += &format!("{}\n", line.trim_end());
        }
        if costs.len() > shown.len() {
            text += &format!("{FAINT}{} more (--top){FAINT:#}\n", costs.len() - shown.len());
        }
        text
    }

    fn looked_again(&self, top: usize) -> String {
        let again = self.again();
        if again.is_empty() {
            return String::new();
        }
        let mut text = String::from(
            "\nrun again to see other lines (toto keeps the whole output: toto show ID --grep RE):\n",
        );
        for (name, again) in again.iter().take(top) {
            let times =
                if again.times == 1 { "once".to_owned() } else { format!("{} times", grouped(again.times)) };
            let by: Vec<&str> = again.by.iter().map(String::as_str).collect();
            text += &format!(
                "  {name}: {times}, {} tokens, with {}\n",
                short(again.tokens as i64),
                by.join(", ")
            );
        }
        text
    }

    fn json(&self, top: usize) -> Value {
        let total = self.total();
        let commands: Vec<Value> = self
            .costs()
            .iter()
            .take(top)
            .map(|(name, cost)| {
                json!({
                    "command": name, "tool": cost.tool, "runs": cost.runs, "tokens": cost.tokens, "saved": cost.saved,
                    "compressed": cost.compressed, "linked": self.is_shimmed(cost),
                })
            })
            .collect();
        let again: Vec<Value> = self
            .again()
            .iter()
            .map(|(name, again)| {
                json!({
                    "command": name, "times": again.times, "sessions": again.sessions.len(), "by": again.by,
                    "tokens": again.tokens,
                })
            })
            .collect();
        let sessions: BTreeMap<&String, usize> =
            self.tally.sessions.iter().map(|(agent, sessions)| (agent, sessions.len())).collect();
        json!({
            "sessions": sessions,
            "runs": total.runs, "tokens": total.tokens, "saved": total.saved, "compressed": total.compressed,
            "commands": commands, "worth_linking": self.worth_linking(), "run_again": again,
            "broken_lines": self.broken, "unread": self.unread,
        })
    }
}

fn title(agent: &str) -> &str {
    AGENTS.iter().find(|known| known.id == agent).map_or(agent, |known| known.title)
}

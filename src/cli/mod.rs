//! The command line: one file per subcommand, and the one place where errors become a line and an exit status.

/// Subcommands are declared in one place: a row has the variant, its arguments, and what runs it with these.
macro_rules! subcommands {
    ($($(#[$about:meta])* $name:ident($args:ty) => $run:path $(, $more:expr)?;)+) => {
        #[derive(Subcommand)]
        enum Command { $($(#[$about])* $name($args),)+ }

        impl Command {
            fn run(&self) -> anyhow::Result<i32> {
                match self { $(Self::$name(args) => $run(args $(, $more)?),)+ }
            }
        }
    };
}

mod agents;
mod config;
mod count;
mod demo;
mod discover;
mod doctor;
mod expand;
mod fetch;
mod filter;
mod gain;
mod grep;
mod history;
mod hook;
mod lines;
mod link;
mod list;
mod manual;
mod out;
mod read;
mod report;
mod run;
mod setup;
mod show;
mod trust;
mod which;
mod why;

use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::path::Path;

use clap::{CommandFactory as _, Parser, Subcommand};

pub use hook::handle as handle_hook;
pub use out::complain;

use crate::farm::shells::quote;
use crate::path::{Guard, NotFound, Search};
use crate::run::emit::say;
use crate::sys::signals::survive_file_size_limit;
use out::{FAILURE, Refusal, USAGE};
use run::OptionArgs;

/// AI agents read the same facts of aws, kubectl, cargo and git in far fewer tokens
///
/// toto stands in front of the tools that you name. When an agent reads a tool's output, it gets it compressed;
/// pipes, scripts and people get the tool's own bytes.
#[derive(Parser)]
#[command(name = "toto", version = VERSION, max_term_width = 110, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
#[command(disable_help_subcommand = true)]
struct Cli {
    #[command(flatten)]
    options: OptionArgs,
    /// A command to run as `toto run` does
    #[arg(last = true, value_name = "CMD", hide = true)]
    call: Vec<OsString>,
    #[command(subcommand)]
    command: Option<Command>,
}

/// With the commit of a release build in a checkout (build.rs).
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("TOTO_COMMIT"));

const EXAMPLES: &str = "Examples:
  toto link aws kubectl        from now on an agent's `aws` and `kubectl` are compressed
  toto doctor                  is everything in its place? with the fix where it is not
More: report, rewrite, check, test, ls, completions (toto COMMAND --help)";

subcommands! {
    Run(run::RunArgs) => run::run;
    Fetch(fetch::FetchArgs) => fetch::run;
    Show(show::ShowArgs) => show::run;
    Expand(expand::ExpandArgs) => expand::run;
    Read(read::ReadArgs) => read::run;
    Grep(grep::GrepArgs) => grep::run;
    History(history::HistoryArgs) => history::run;
    Clean(history::CleanArgs) => history::run_clean;
    Config(config::ConfigArgs) => config::run;
    Count(count::CountArgs) => count::run;
    // For CI and editors: people get reports without asking for them.
    #[command(hide = true)]
    Report(report::ReportArgs) => report::run;
    Demo(demo::DemoArgs) => demo::run;
    Discover(discover::DiscoverArgs) => discover::run;
    Link(link::LinkArgs) => link::run;
    Unlink(link::UnlinkArgs) => link::run_unlink;
    List(list::ListArgs) => list::run;
    Which(which::WhichArgs) => which::run;
    Why(why::WhyArgs) => why::run;
    Agents(agents::AgentsArgs) => agents::run;
    Doctor(doctor::DoctorArgs) => doctor::run;
    Filter(filter::FilterArgs) => filter::run;
    // Short forms of `toto filter …`, whose help lists them.
    #[command(hide = true)]
    Check(filter::CheckArgs) => filter::run_check;
    #[command(hide = true)]
    Test(filter::TestArgs) => filter::run_test;
    #[command(hide = true)]
    Ls(filter::LsArgs) => filter::run_ls;
    Trust(trust::TrustArgs) => trust::run;
    Hook(hook::HookArgs) => hook::run;
    Rewrite(hook::RewriteArgs) => hook::run_rewrite;
    Gain(gain::GainArgs) => gain::run;
    // Once a machine, or by packages.
    #[command(hide = true)]
    Completions(manual::CompletionsArgs) => manual::run_completions, definition();
    #[command(hide = true)]
    Manual(manual::ManualArgs) => manual::run, definition();
    Setup(setup::SetupArgs) => setup::run, definition();
    Uninstall(setup::UninstallArgs) => setup::run_uninstall;
}

/// The command line's definition for clap, from which shell completions and manual pages are made.
pub fn definition() -> clap::Command {
    Cli::command()
}

/// Runs the command line (`args[0]` is our own name) and returns its exit status: 0, 1 for a failure, 2 for a
/// command line that cannot be understood, else what the subcommand says.
pub fn main(args: Vec<OsString>) -> i32 {
    let args = as_options(args);
    let result = match Cli::try_parse_from(&args) {
        Ok(Cli { command: Some(command), .. }) => {
            if !matches!(command, Command::Run(_) | Command::Fetch(_)) {
                // A tool gets the signals as they came.
                survive_file_size_limit();
            }
            command.run()
        }
        Ok(Cli { options, call, command: None }) if call.is_empty() => without_command(&options),
        Ok(Cli { options, call, command: None }) => run::run(&run::RunArgs { options, command: call }),
        Err(error) if error.use_stderr() => {
            complain(&unknown_command(&args).unwrap_or_else(|| one_line(&error)));
            return USAGE;
        }
        Err(help) => out::styled(help.render().ansi().to_string()),
    };
    match result {
        Ok(status) => status,
        // The reader has read enough.
        Err(error) if error.chain().any(is_broken_pipe) => 0,
        Err(error) => {
            match error.downcast_ref() {
                Some(Refusal::TooMuch(line)) => say(line),
                _ => complain(&format!("{error:#}")),
            }
            let status = error.downcast_ref().map_or(FAILURE, NotFound::status);
            if error.is::<Refusal>() { USAGE } else { status }
        }
    }
}

/// Turns `toto help link` into `toto link --help`, and `toto version` into `toto --version`.
fn as_options(mut args: Vec<OsString>) -> Vec<OsString> {
    match args.get(1).and_then(|word| word.to_str()) {
        Some("help") => {
            args.remove(1);
            args.push("--help".into());
        }
        Some("version") if args.len() == 2 => args[1] = "--version".into(),
        _ => {}
    }
    args
}

/// The message for a first word that is no command: the one that may be meant, and how to run the tool of that name.
fn unknown_command(args: &[OsString]) -> Option<String> {
    let word = args.get(1).filter(|word| !word.as_encoded_bytes().starts_with(b"-"))?;
    let known = Cli::command();
    if known.find_subcommand(word).is_some() {
        return None;
    }
    // For a definition that has subcommands but no arguments, clap suggests a command that is spelled alike.
    let commands = clap::Command::new("toto").subcommands(known.get_subcommands().cloned());
    let error = commands.try_get_matches_from([&args[0], word]).err()?;
    let line = one_line(&error);
    let is_tool = Search::from_env().resolve(word, &Guard::default(), &[]).is_ok();
    let call = args[1..].iter().map(|word| quote(Path::new(word))).collect::<Vec<_>>().join(" ");
    Some(if is_tool { line.replace(" (see", &format!("; to run it: toto run -- {call} (see")) } else { line })
}

/// Runs `toto` without a command: prints the help if standard input is a terminal, else compresses standard input.
fn without_command(options: &OptionArgs) -> anyhow::Result<i32> {
    if io::stdin().is_terminal() {
        return out::styled(Cli::command().render_help().ansi().to_string());
    }
    let settings = options.settings()?;
    options.delivery(&settings, "pipe", &[]).bytes(&out::input()?)?;
    Ok(0)
}

fn is_broken_pipe(cause: &(dyn std::error::Error + 'static)) -> bool {
    cause.downcast_ref::<io::Error>().is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// clap's message as one line: what is wrong, clap's tip, and how to get help.
fn one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let mut paragraphs = text.split("\n\n");
    let words = |paragraph: &str| paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let wrong = words(paragraphs.next().unwrap_or_default());
    let mut line = wrong.strip_prefix("error: ").unwrap_or(&wrong).to_owned();
    for tip in paragraphs.filter_map(|paragraph| paragraph.trim().strip_prefix("tip: ").map(words)) {
        line = format!("{line}; {tip}");
    }
    line + " (see toto --help)"
}

#[cfg(test)]
#[path = "../../tests/unit/cli.rs"]
mod tests;

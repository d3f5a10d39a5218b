//! `toto filter ls` lists the filters; `toto filter show` prints one.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;

use super::check::{load, read};
use crate::cli::out::{self, refuse};
use crate::commands::unwrap;
use crate::custom::{Call, Notices, find, places};
use crate::filter::library;
use crate::trust::{Pins, Standing};

/// List every filter and the commands that it is for
#[derive(Debug, Args)]
pub struct LsArgs {
    /// Only filters and commands whose names hold this
    #[arg(value_name = "WORD")]
    word: Option<String>,
    /// List installed packs, their pins and sources
    #[arg(long)]
    installed: bool,
}

/// Print a filter: by its name, its file, or the command that it is for
#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// A filter's name, or a command: `toto filter show git status`
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "NAME")]
    words: Vec<String>,
}

/// Lists the project's filters, the user's and the library's, in the order in which they are looked for.
pub fn run(args: &LsArgs) -> anyhow::Result<i32> {
    if args.installed {
        return super::pack::list();
    }
    let mut rows = Vec::new();
    if let Some(project) = places::project_directory() {
        let pins = Pins::load()?;
        for path in places::files_below(project, usize::MAX, &["toml"]) {
            let standing = std::fs::read(&path).map(|bytes| pins.standing(&path, &bytes));
            let note = match standing {
                Ok(Standing::Trusted) => "",
                Ok(Standing::Changed) => " (changed: toto trust)",
                _ => " (not trusted: toto trust)",
            };
            rows.push([commands(&path), format!("{}{note}", path.display())]);
        }
    }
    for directory in places::user_directories() {
        let named = |path: PathBuf| [commands(&path), path.display().to_string()];
        rows.extend(places::files_below(directory, usize::MAX, &["toml"]).into_iter().map(named));
    }
    rows.extend(library::commands().into_iter().map(|(command, filter)| [command, filter.to_owned()]));
    if let Some(word) = &args.word {
        rows.retain(|row| row.iter().any(|cell| cell.contains(word)));
    }
    out::bytes(out::columns(&rows))
}

/// The commands of a filter file, or what is wrong with it.
fn commands(path: &Path) -> String {
    match load(path) {
        Ok((file, _)) => file.command.0.join(", "),
        Err(error) => format!("({error})"),
    }
}

pub(super) fn show(args: &ShowArgs) -> anyhow::Result<i32> {
    let name = args.words.join(" ");
    if let Some(filter) = library::FILTERS.iter().find(|filter| filter.name == name) {
        return print(filter.name, &filter.text());
    }
    if let [path] = args.words.as_slice()
        && Path::new(path).extension().is_some_and(|extension| extension == "toml")
    {
        return print(path, &read(Path::new(path))?);
    }
    let words: Vec<OsString> = args.words.iter().map(OsString::from).collect();
    let notices = Notices::default();
    let own = find::own(&Call {
        words: &words,
        directories: places::user_directories(),
        project: places::project_directory(),
        notices: Some(&notices),
        ..Call::default()
    });
    for line in notices.take() {
        out::complain(&line);
    }
    if let Some(own) = own {
        return print(&own.name, &own.source);
    }
    let Some(filter) = library::find_source(unwrap(&args.words)) else {
        refuse!(
            "no filter for {name:?}: a report of tests, builds or findings is read as such (toto report), and what \
             holds for any text is done (toto filter ls)"
        );
    };
    print(filter.name, &filter.text())
}

fn print(name: &str, source: &str) -> anyhow::Result<i32> {
    out::bytes(format!("# {name}\n{source}"))
}

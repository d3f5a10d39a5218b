//! `toto trust`: shows a project's filters, and pins what was shown.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;

use super::out::{self, Refusal, refuse, refuse_unless};
use crate::custom::places::files_below;
use crate::custom::testing;
use crate::pipeline::visible;
use crate::sys::files::read_small;
use crate::trust::{LONGEST_FILE, Pins, Standing, project_directory};

/// Most files of a project that are shown; a project with more is refused.
const MOST_FILES: usize = 200;

/// Show a project's filters and let them have a say in what agents read
///
/// A filter of a project (.toto/filters) does nothing until its text was shown here and trusted. Once it changes it is
/// untrusted again.
#[derive(Debug, Args)]
pub struct TrustArgs {
    /// The project; by default that of the working directory
    #[arg(value_name = "DIR")]
    directory: Option<PathBuf>,
    /// Trust them without a question
    #[arg(short, long)]
    yes: bool,
    /// List every trusted file
    #[arg(long, conflicts_with_all = ["yes", "remove"])]
    list: bool,
    /// Trust no file of the project any more
    #[arg(long, conflicts_with = "yes")]
    remove: bool,
}

/// Fails where there is no project filter, one cannot be shown, or there is nobody to ask.
pub fn run(args: &TrustArgs) -> anyhow::Result<i32> {
    let pins = Pins::load()?;
    if args.list {
        let text: String = pins.paths().map(|path| format!("{}\n", path.display())).collect();
        return out::bytes(text);
    }
    let from = args.directory.clone().map_or_else(std::env::current_dir, Ok)?;
    if args.remove { remove(pins, from) } else { trust(pins, &from, args.yes) }
}

fn remove(mut pins: Pins, from: PathBuf) -> anyhow::Result<i32> {
    // Trusted files may be gone by now, so all pins below the directory are removed, whatever is in it.
    let root = from.canonicalize().unwrap_or(from);
    let place = project_directory(&root).unwrap_or(root);
    let removed = out::counted(pins.remove(&place) as u64, "file");
    pins.save()?;
    out::bytes(format!("no longer trusted: {removed} of {}\n", place.display()))
}

/// Shows what is new or changed and, if that is wanted (`yes` or the person's answer), pins it.
fn trust(mut pins: Pins, from: &Path, yes: bool) -> anyhow::Result<i32> {
    let directory = project_directory(&from.canonicalize()?)
        .ok_or_else(|| Refusal::bad("no .toto/filters here or above, up to the repository's root"))?
        .canonicalize()?;
    let unseen = unseen(&directory, &pins)?;
    if unseen.is_empty() {
        return out::bytes(format!("{}: nothing new, nothing changed\n", directory.display()));
    }
    for (path, text, standing) in &unseen {
        let word = if *standing == Standing::Changed { "changed" } else { "new" };
        show(word, path, text)?;
    }
    if !yes && !agrees(unseen.len())? {
        out::bytes("nothing is trusted\n")?;
        return Ok(1);
    }
    // A filter that cannot be used is not trusted either: it is not what the user takes it for.
    let is_filter = |path: &Path| path.extension().is_some_and(|extension| extension == "toml");
    for (path, text, _) in unseen.iter().filter(|(path, ..)| is_filter(path)) {
        if let Some(mistake) = testing::check_all(text, path.parent().unwrap_or(&directory)).1.first() {
            refuse!("{}:{mistake}; nothing is trusted", path.display());
        }
    }
    for (path, text, _) in &unseen {
        pins.pin(path, text.as_bytes())?;
    }
    pins.save()?;
    out::bytes(format!("trusted as shown above: {}\n", out::counted(unseen.len() as u64, "file")))
}

/// The filters and scripts below the directory that are new or changed, sorted; links are not followed. Each is read
/// once: the bytes that are shown are the bytes that are pinned.
fn unseen(directory: &Path, pins: &Pins) -> anyhow::Result<Vec<(PathBuf, String, Standing)>> {
    let mut files = files_below(directory, usize::MAX, &["toml", "luau"]);
    files.retain(|path| path.symlink_metadata().is_ok_and(|file| file.is_file()));
    refuse_unless!(files.len() <= MOST_FILES, "more than {MOST_FILES} files: who would read them?");
    let mut unseen = Vec::new();
    for path in files {
        let bytes = read_small(&path, LONGEST_FILE).with_context(|| path.display().to_string())?;
        let standing = pins.standing(&path, &bytes);
        if standing != Standing::Trusted {
            let text = String::from_utf8(bytes).with_context(|| path.display().to_string())?;
            unseen.push((path, text, standing));
        }
    }
    Ok(unseen)
}

/// Prints a file that may be trusted, under a line that says what is shown.
pub(super) fn show(what: &str, path: &Path, text: &str) -> anyhow::Result<i32> {
    out::bytes(visible::text(&format!("── {what}: {}\n{text}", path.display())).as_bytes())
}

/// Asks the person at the terminal whether to trust `count` files. An error if there is no terminal.
pub(super) fn agrees(count: usize) -> anyhow::Result<bool> {
    let can_ask = out::can_ask();
    refuse_unless!(can_ask, "nobody is there to ask: read the files above, then say the same with --yes");
    out::ask(&format!("Trust {}? [y/N] ", out::counted(count as u64, "file")))
}

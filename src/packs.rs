//! Packs: filters of other people, which are fetched, shown, and installed and pinned once the user agrees.
//!
//! Installed packs lie in the user's own data directory. Only `update` fetches them again, and it shows what changed.
//! Installing runs nothing of a pack and checks nothing out: its files are read as bytes.

use std::io::{BufRead, BufReader, Read};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};
use ignore::WalkBuilder;
use serde::{Deserialize, Serialize};

use crate::custom::places::{packs, packs_directory};
use crate::sys::files::{at_most, make_private, read_small};
use crate::trust::{LONGEST_FILE, hash};
use crate::{env, mistake};

const ABOUT: &str = "pack.toml";
const MOST_FILES: usize = 1000;
const MOST_BYTES: usize = 16 << 20;
/// Most bytes of a tarball after decompression, files that are not the pack's included.
const MOST_UNPACKED: u64 = 256 << 20;
const DEEPEST: usize = 8;
/// Extensions of the files of a pack that are read: filters and their tests, scripts, fixtures.
const ENDINGS: [&str; 3] = ["toml", "luau", "txt"];

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Pack {
    /// Where it was fetched from: the source that was given to [`install`].
    pub source: String,
    /// The commit, if the source is a repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The SHA-256 over the paths and hashes of its files.
    pub sha256: String,
}

/// A file of a pack: its path below `filters/`, and its bytes.
pub type File = (PathBuf, Vec<u8>);

/// The default name of a pack: the last part of its source.
pub fn name_of(source: &str) -> Option<String> {
    let last = source.trim_end_matches('/').rsplit(['/', ':']).next()?;
    let endings = [".git", ".tar", ".tar.gz", ".tgz"];
    let name = endings.iter().find_map(|ending| last.strip_suffix(ending)).unwrap_or(last);
    is_name(name).then(|| name.to_owned())
}

pub fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !name.is_empty() && name.len() <= 64 && !name.starts_with('.') && name.chars().all(plain)
}

/// Every installed pack with its name, sorted.
pub fn installed() -> Vec<(String, Pack)> {
    let pack = |path: PathBuf| {
        let about = std::fs::read_to_string(path.join(ABOUT)).ok()?;
        Some((path.file_name()?.to_str()?.to_owned(), mistake::parse(&about, false).ok()?))
    };
    packs().into_iter().filter_map(pack).collect()
}

pub(crate) fn files_of(name: &str) -> anyhow::Result<Vec<File>> {
    let directory = directory(name)?.join("filters");
    if directory.is_dir() { files_below(&directory) } else { Ok(Vec::new()) }
}

/// Installs files under a name, whole or not at all, in place of what was installed under that name.
pub(crate) fn install(name: &str, source: &str, fetched: &Fetched) -> anyhow::Result<Pack> {
    let directory = directory(name)?;
    let parent = directory.parent().unwrap_or(Path::new("/"));
    make_private(parent)?;
    let made = tempfile::Builder::new().prefix(".new-").tempdir_in(parent)?;
    for (path, bytes) in &fetched.files {
        let path = made.path().join("filters").join(path);
        make_private(path.parent().unwrap_or(parent))?;
        fs_err::write(path, bytes)?;
    }
    let line = |(path, bytes): &File| format!("{}  {}\n", hash(bytes), path.display());
    let sha256 = hash(fetched.files.iter().map(line).collect::<String>().as_bytes());
    let pack = Pack { source: source.to_owned(), commit: fetched.commit.clone(), sha256 };
    fs_err::write(made.path().join(ABOUT), toml::to_string(&pack)?)?;
    let old = directory.with_file_name(format!(".old-{name}"));
    let _ = std::fs::remove_dir_all(&old);
    let _ = std::fs::rename(&directory, &old);
    if let Err(error) = fs_err::rename(made.path(), &directory) {
        let _ = std::fs::rename(&old, &directory);
        return Err(error.into());
    }
    let _ = std::fs::remove_dir_all(&old);
    Ok(pack)
}

/// Removes a pack; fails where there is none of this name.
pub(crate) fn remove(name: &str) -> anyhow::Result<()> {
    Ok(fs_err::remove_dir_all(directory(name)?)?)
}

fn directory(name: &str) -> anyhow::Result<PathBuf> {
    ensure!(is_name(name), "{name:?} is no name of a pack");
    Ok(packs_directory().ok_or_else(|| anyhow::anyhow!("no home directory"))?.join(name))
}

/// Whether the path is a filter's and not that of a test beside one.
pub fn is_filter(path: &Path) -> bool {
    let in_tests = |part: Component<'_>| part.as_os_str().to_string_lossy().ends_with("_test");
    path.extension().is_some_and(|extension| extension == "toml") && !path.components().any(in_tests)
}

#[derive(Debug, Default)]
pub(crate) struct Fetched {
    pub files: Vec<File>,
    pub commit: Option<String>,
}

/// Fetches a pack from `gh:user/repo`, a git URL, or the path of a repository, a directory or a tarball. Fails where
/// the pack is too large or holds no filter.
pub(crate) fn fetch(source: &str) -> anyhow::Result<Fetched> {
    let path = Path::new(source);
    let (files, commit) = if let Some(repository) = source.strip_prefix("gh:") {
        let is_plain = repository.split('/').count() == 2
            && repository.chars().all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c));
        ensure!(is_plain, "{source:?}: say gh:user/repository");
        clone(&format!("https://github.com/{repository}.git"))?
    } else if ["https://", "ssh://", "git@"].iter().any(|scheme| source.starts_with(scheme)) {
        clone(source)?
    } else if path.join(".git").exists() || path.join("objects").is_dir() && path.join("HEAD").is_file() {
        clone(&format!("file://{}", fs_err::canonicalize(path)?.display()))?
    } else if path.is_dir() {
        (files_below(path)?, None)
    } else if path.is_file() {
        let file = BufReader::new(fs_err::File::open(path)?);
        (tarball(source, file)?, None)
    } else {
        bail!("{source:?} is no path, no gh:user/repository and no https, ssh or git@ address");
    };
    let files = below_filters(files);
    ensure!(files.iter().any(|(path, _)| is_filter(path)), "{source}: no filters in it");
    Ok(Fetched { files, commit })
}

/// The files below `filters/` if there is such a directory, since it is the pack then; else all files.
fn below_filters(mut files: Vec<File>) -> Vec<File> {
    let strip = |files: &mut Vec<File>, prefix: &Path| {
        for (path, _) in files {
            *path = path.strip_prefix(prefix).unwrap_or(path).to_owned();
        }
    };
    // A tarball of a repository has one directory around all files.
    let first = files.first().and_then(|(path, _)| path.components().next());
    if let Some(first) = first.map(|part| PathBuf::from(part.as_os_str()))
        && files.iter().all(|(path, _)| path.starts_with(&first) && path.components().count() > 1)
        && first != Path::new("filters")
    {
        strip(&mut files, &first);
    }
    if files.iter().any(|(path, _)| path.starts_with("filters")) {
        files.retain(|(path, _)| path.starts_with("filters"));
        strip(&mut files, Path::new("filters"));
    }
    files.retain(|(path, _)| path.components().next().is_some());
    files.sort_unstable();
    files
}

/// Whether a path stays below its root and has the extension of a file of a pack.
fn is_wanted(path: &Path) -> bool {
    let plain =
        path.components().all(|part| matches!(part, Component::Normal(name) if name.to_str().is_some()));
    let ending = path.extension().and_then(|ending| ending.to_str());
    plain && path.components().count() <= DEEPEST && ending.is_some_and(|ending| ENDINGS.contains(&ending))
}

fn add(files: &mut Vec<File>, path: PathBuf, bytes: Vec<u8>) -> anyhow::Result<()> {
    files.push((path, bytes));
    ensure!(files.len() <= MOST_FILES, "more than {MOST_FILES} files");
    let sizes = files.iter().map(|(_, bytes)| bytes.len());
    ensure!(sizes.sum::<usize>() <= MOST_BYTES, "more than {MOST_BYTES} bytes");
    Ok(())
}

/// The pack's files below a directory; links are not followed.
fn files_below(root: &Path) -> anyhow::Result<Vec<File>> {
    let mut walk = WalkBuilder::new(root);
    walk.standard_filters(false).max_depth(Some(DEEPEST)).filter_entry(|entry| entry.file_name() != ".git");
    let mut found = Vec::new();
    for entry in walk.build() {
        let entry = entry?;
        let below = entry.path().strip_prefix(root)?;
        if entry.file_type().is_some_and(|kind| kind.is_file()) && is_wanted(below) {
            let read = read_small(entry.path(), LONGEST_FILE);
            let bytes = read.with_context(|| entry.path().display().to_string())?;
            add(&mut found, below.to_owned(), bytes)?;
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// The pack's files in a tarball, compressed by gzip or not. The tarball is only read, never unpacked to disk. `name`
/// is for the messages. Fails where it holds more than a pack may, or ends within a file; one that was cut off between
/// two files is not told from a whole one.
pub fn tarball(name: &str, mut file: impl BufRead) -> anyhow::Result<Vec<File>> {
    let is_gzip = file.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    let reader: Box<dyn Read + '_> =
        if is_gzip { Box::new(flate2::bufread::GzDecoder::new(file)) } else { Box::new(file) };
    let mut archive = tar::Archive::new(reader.take(MOST_UNPACKED));
    let mut found = Vec::new();
    for entry in archive.entries().with_context(|| format!("{name}: no tarball"))? {
        let entry = entry.with_context(|| format!("{name}: not a whole tarball"))?;
        let path = entry.path()?.into_owned();
        let path = path.strip_prefix(".").unwrap_or(&path).to_owned();
        if entry.header().entry_type().is_file() && is_wanted(&path) {
            ensure!(entry.size() <= LONGEST_FILE, "{}: longer than {LONGEST_FILE} bytes", path.display());
            add(&mut found, path, at_most(entry, LONGEST_FILE)?)?;
        }
    }
    ensure!(archive.into_inner().limit() > 0, "{name}: more than {MOST_UNPACKED} bytes");
    Ok(found)
}

/// The files of a repository's default branch, and its commit.
fn clone(url: &str) -> anyhow::Result<(Vec<File>, Option<String>)> {
    // Nothing in another machine's repository may lead to files of this machine.
    let files =
        if url.starts_with("file://") { "protocol.file.allow=always" } else { "protocol.file.allow=never" };
    let into = tempfile::Builder::new().prefix("toto-pack-").tempdir()?;
    let place = into.path().display().to_string();
    let options = ["--quiet", "--bare", "--depth=1", "--single-branch", "--no-tags", "--template="];
    git(&[&["-c", files, "clone"], &options[..], &["--", url, &place]].concat())?;
    let in_it = |args: &[&str]| git(&[&["--git-dir", place.as_str()], args].concat());
    let commit =
        String::from_utf8_lossy(&in_it(&["rev-parse", "--verify", "HEAD^{commit}"])?).trim().to_owned();
    let mut found = Vec::new();
    for entry in in_it(&["ls-tree", "-r", "-z", "-l", &commit])?.split(|byte| *byte == 0) {
        let entry = std::str::from_utf8(entry).unwrap_or_default();
        let Some((facts, path)) = entry.split_once('\t') else { continue };
        let facts: Vec<&str> = facts.split_whitespace().collect();
        let [mode, "blob", object, size] = facts.as_slice() else { continue };
        // No links, no submodules.
        if !mode.starts_with("100") || !is_wanted(Path::new(path)) {
            continue;
        }
        let is_short = size.parse().is_ok_and(|size: u64| size <= LONGEST_FILE);
        ensure!(is_short, "{path}: longer than {LONGEST_FILE} bytes");
        add(&mut found, path.into(), in_it(&["cat-file", "blob", object])?)?;
    }
    Ok((found, Some(commit)))
}

/// Runs git so that nothing in a repository, or from its server, can make it run something else. Returns its output.
fn git(args: &[&str]) -> anyhow::Result<Vec<u8>> {
    const SAFE: &[&str] = &[
        "core.hooksPath=/dev/null",
        "core.fsmonitor=false",
        "core.symlinks=false",
        "submodule.recurse=false",
        "protocol.allow=never",
        "protocol.https.allow=always",
        "protocol.ssh.allow=always",
        "transfer.fsckObjects=true",
    ];
    #[expect(clippy::disallowed_methods, reason = "git is who fetches")]
    let mut command = Command::new("git");
    for setting in SAFE {
        command.args(["-c", setting]);
    }
    command.args(args).env_remove("GIT_DIR").env(env::TOTO, "off");
    command.env("GIT_TERMINAL_PROMPT", "0").env("GIT_LFS_SKIP_SMUDGE", "1");
    let output = command.stdin(Stdio::null()).output().context("cannot run git")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "git: {}", said.trim().lines().last().unwrap_or("failed"));
    Ok(output.stdout)
}

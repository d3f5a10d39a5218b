//! Fetches a pack's files: from a repository's git objects, never by a checkout; from a directory; from a tarball.

use std::io::{BufRead, BufReader, Read};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};
use ignore::WalkBuilder;

use super::File;
use crate::sys::files::{at_most, read_small};
use crate::trust::LONGEST_FILE;

const MOST_FILES: usize = 1000;
const MOST_BYTES: usize = 16 << 20;
/// Most bytes of a tarball after decompression, files that are not the pack's included.
const MOST_UNPACKED: u64 = 256 << 20;
const DEEPEST: usize = 8;
/// Extensions of the files of a pack that are read: filters and their tests, scripts, fixtures.
const ENDINGS: [&str; 3] = ["toml", "luau", "txt"];

#[derive(Debug, Default)]
pub struct Fetched {
    pub files: Vec<File>,
    pub commit: Option<String>,
}

/// Fetches a pack from `gh:user/repo`, a git URL, or the path of a repository, a directory or a tarball. Fails where the
/// pack is too large or holds no filter.
pub fn fetch(source: &str) -> anyhow::Result<Fetched> {
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
        (directory(path)?, None)
    } else if path.is_file() {
        let file = BufReader::new(fs_err::File::open(path)?);
        (tarball(source, file)?, None)
    } else {
        bail!("{source:?} is no path, no gh:user/repository and no https, ssh or git@ address");
    };
    let files = below_filters(files);
    ensure!(files.iter().any(|(path, _)| super::is_filter(path)), "{source}: no filters in it");
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
pub fn directory(root: &Path) -> anyhow::Result<Vec<File>> {
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
/// is for the messages. Fails where it is cut off or holds more than a pack may.
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
    command.args(args).env("GIT_TERMINAL_PROMPT", "0").env("GIT_LFS_SKIP_SMUDGE", "1").env_remove("GIT_DIR");
    let output = command.stdin(Stdio::null()).output().context("cannot run git")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "git: {}", said.trim().lines().last().unwrap_or("failed"));
    Ok(output.stdout)
}

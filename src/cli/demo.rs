//! `toto demo`: what an agent sees and what a program sees, on a real listing, through a real shim.

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use anyhow::Context;
use clap::Args;

use crate::{env, tokens};

/// Output of the real aws command line against a moto server (AWS CLI: Apache-2.0, moto: Apache-2.0).
const SAMPLE: &[u8] = include_bytes!("demo/ec2-describe-instances.json");
const CALL: &str = "aws ec2 describe-instances";

/// Show what an agent sees, and what a program sees, on a sample
#[derive(Args)]
pub struct DemoArgs {}

/// Makes a farm and a tool in a temporary directory, runs the shim as an agent and as a program, and prints what each
/// reads. Fails when the temporary directory cannot be used or the shim cannot be run.
pub fn run(_: &DemoArgs) -> anyhow::Result<i32> {
    let world = tempfile::Builder::new().prefix("toto-demo-").tempdir()?;
    let path = lay_out(world.path())?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "The tool prints {} bytes, {} tokens:\n", SAMPLE.len(), tokens::count(SAMPLE))?;
    writeln!(out, "    $ {CALL}")?;
    print_head(&mut out, SAMPLE, 8)?;
    let answer = shell(world.path(), &path, CALL).env(env::TOTO, "on").output();
    let Output { stdout: seen, stderr: receipt, .. } = answer.context("cannot run sh")?;
    writeln!(out, "\nAn agent that runs it through the shim reads:\n\n    $ {CALL}")?;
    print_head(&mut out, &seen, 24)?;
    for line in String::from_utf8_lossy(&receipt).lines() {
        writeln!(out, "    {line}")?;
    }
    if memchr::memmem::find(&seen, b"toto show ").is_some() {
        writeln!(out, "    (In use that command gives the whole; of the demonstration nothing is kept.)")?;
    }
    let reader = if which::which("jq").is_ok() { "jq '.Reservations | length'" } else { "wc -c" };
    let script = format!("{CALL} > saved.json; {CALL} | {reader}");
    let answer = shell(world.path(), &path, &script).output().context("cannot run sh")?.stdout;
    let piped = fs_err::read(world.path().join("saved.json"))?;
    writeln!(
        out,
        "\nA program that reads the same shim gets the tool's own bytes:\n\n    $ {CALL} | {reader}"
    )?;
    writeln!(out, "    {}", String::from_utf8_lossy(&answer).trim())?;
    writeln!(out, "    $ {CALL} > saved.json")?;
    anyhow::ensure!(piped == SAMPLE, "the redirected output differs from the tool's own: please report this");
    writeln!(out, "    ({} bytes, identical to the tool's own)", piped.len())?;
    Ok(0)
}

/// Makes a farm with the shim `aws`, and a tool behind it that prints the sample. Returns PATH.
fn lay_out(root: &Path) -> anyhow::Result<OsString> {
    let (farm, tools) = (root.join("bin"), root.join("tools"));
    fs_err::create_dir(&farm)?;
    fs_err::create_dir(&tools)?;
    symlink(std::env::current_exe()?, farm.join("aws"))?;
    fs_err::write(root.join("sample.json"), SAMPLE)?;
    let tool = tools.join("aws");
    fs_err::write(&tool, format!("#!/bin/sh\nexec cat '{}'\n", root.join("sample.json").display()))?;
    fs_err::set_permissions(&tool, std::fs::Permissions::from_mode(0o755))?;
    let rest = std::env::var_os(env::PATH).unwrap_or_default();
    Ok(std::env::join_paths([farm, tools].into_iter().chain(std::env::split_paths(&rest)))?)
}

fn shell(root: &Path, path: &OsString, script: &str) -> Command {
    #[expect(clippy::disallowed_methods, reason = "the demonstration runs a shell, as an agent does")]
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", script]).current_dir(root).stdin(Stdio::null());
    shell.env(env::PATH, path).env(env::HOME, root).env(env::TOTO_HOME, root);
    for variable in
        [env::TOTO, env::XDG_CONFIG_HOME, env::XDG_STATE_HOME, env::XDG_DATA_HOME, env::TOTO_GUARD]
    {
        shell.env_remove(variable);
    }
    shell
}

/// Prints the first `lines` lines of `text`, shortened, and the number of those left out.
fn print_head(out: &mut impl Write, text: &[u8], lines: usize) -> anyhow::Result<()> {
    let text = String::from_utf8_lossy(text);
    for line in text.lines().take(lines) {
        let cut: String = line.chars().take(150).collect();
        writeln!(out, "    {cut}{}", if cut.len() < line.len() { "…" } else { "" })?;
    }
    let more = text.lines().count().saturating_sub(lines);
    if more > 0 {
        writeln!(out, "    … {more} lines more")?;
    }
    Ok(())
}

//! The names that are better not linked, with the reason.

use std::ffi::OsStr;

use crate::agents::{self, Agent};

/// Names by the reason not to put a shim in front of them. A version behind a name (python3.12) does not matter.
const REFUSED: &[(&str, &str)] = &[
    (
        "a shell: what it prints is the output of other commands, which have shims of their own",
        "sh bash dash zsh fish ksh mksh ash csh tcsh nu xonsh pwsh busybox",
    ),
    (
        "an interpreter: what it prints is up to the script, and other tools start through it",
        "python pypy ipython node ruby perl php lua luajit java Rscript R julia awk gawk mawk nawk \
         sed tclsh osascript",
    ),
    (
        "a core utility: scripts run it all the time, and its output is short or is the file asked for",
        "[ arch b2sum base32 base64 basename basenc cat chcon chgrp chmod chown chroot cksum comm cp csplit \
         cut date dd dir dircolors dirname echo env expand expr factor false fmt fold groups head hostid \
         hostname id install join kill link ln logname md5sum mkdir mkfifo mknod mktemp mv nice nl nohup \
         nproc numfmt od paste pathchk pinky pr printenv printf ptx pwd readlink realpath rm rmdir runcon seq \
         sha1sum sha224sum sha256sum sha384sum sha512sum shred shuf sleep sort split stat stdbuf stty sum \
         sync tac tail tee test timeout touch tr true truncate tsort tty uname unexpand uniq unlink uptime \
         users vdir wc who whoami yes",
    ),
    (
        "it only starts other commands, which have shims of their own",
        "sudo doas su xargs parallel time watch script setsid strace ltrace ssh mosh tmux screen direnv \
         unshare nsenter bwrap command exec eval which",
    ),
    (
        "a version manager: link the tools that it manages instead",
        "pyenv rbenv nodenv goenv jenv mise rtx asdf volta proto fnm nvm rustup",
    ),
    ("it needs the terminal", "vi vim nvim emacs nano less more most top htop btop man"),
];

/// Why an agent's own command is refused: a name from `src/agents/*.toml`, or one of [`OTHER_LAUNCHERS`].
const LAUNCHER: &str = "an agent's own launcher: nobody reads its output but you";
const OTHER_LAUNCHERS: &str = "crush droid auggie kiro-cli q openhands pi";

/// The name without the version behind it: `python` of `python3.12`.
pub fn without_version(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
}

/// The reason not to link this name, if there is one.
pub fn reason(name: &OsStr) -> Option<&'static str> {
    let name = name.to_str()?;
    let bare = without_version(name).trim_end_matches('-');
    let listed = |names: &str| names.split(' ').any(|listed| listed == name || listed == bare);
    let launches = |agent: &Agent| [agent.process.names, agent.process.scripts].concat().contains(&name);
    if agents::all().any(launches) || listed(OTHER_LAUNCHERS) {
        return Some(LAUNCHER);
    }
    REFUSED.iter().find(|(_, names)| listed(names)).map(|(reason, _)| *reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::farm::known::{Way, way_of, well_known};

    #[test]
    fn versions_do_not_hide_an_interpreter() {
        for name in "python python3 python3.12 bash cat [ claude codex crush sudo pyenv vim".split(' ') {
            assert!(reason(name.as_ref()).is_some(), "{name}");
        }
    }

    #[test]
    fn what_is_worth_linking_is_never_refused() {
        // A word of the agent's own shell may be a name that scripts use: they never meet it.
        let mut in_farm = well_known().filter(|name| way_of(name) != Some(Way::Shell));
        assert_eq!(in_farm.find(|name| reason(name.as_ref()).is_some()), None);
    }
}

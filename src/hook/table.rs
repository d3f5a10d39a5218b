//! Which commands are rewritten, and which are not and why. Users add to it by rules (`rewrites.toml`).
//!
//! Whether a call talks with its user or never ends is not said here but in `src/passthrough/table.toml`.

use crate::filter::library;

/// Rewritten whatever their arguments.
const WHOLE: &[&str] = &[
    // Clouds and what is deployed there.
    "aws gcloud gsutil bq az doctl heroku flyctl fly vercel netlify wrangler firebase supabase oci ibmcloud hcloud \
     scw linode-cli terraform tofu terragrunt pulumi cdk sam serverless packer ansible ansible-playbook \
     ansible-inventory",
    // Containers.
    "docker docker-compose podman podman-compose nerdctl crictl skopeo buildah kubectl oc helm helmfile kustomize \
     argocd flux istioctl eksctl kind k3d minikube",
    // Builds.
    "make gmake ninja bazel bazelisk buck2 gradle gradlew mvn mvnw ant sbt mill lein meson cmake tsc vue-tsc webpack \
     rollup esbuild turbo nx lerna xcodebuild msbuild rake scons",
    // Tests.
    "pytest py.test tox nox nose2 jest vitest mocha ava karma playwright cypress rspec phpunit pest bats ctest \
     gotestsum cucumber behave",
    // Linters and type checkers.
    "eslint stylelint biome oxlint mypy pyright basedpyright pylint flake8 bandit rubocop shellcheck hadolint yamllint \
     markdownlint golangci-lint staticcheck actionlint tflint checkov trivy semgrep phpstan psalm ktlint detekt \
     swiftlint ansible-lint",
    // Search.
    "rg grep egrep fgrep ugrep ag ack fd fdfind find ast-grep",
    // Package runners.
    "npx bunx pnpx uvx",
];

/// Rewritten where one of the patterns matches: as those of filters (`filter::library::matches`), `.` at the end for
/// "no more words but options".
const PARTS: &[(&str, &[&str])] = &[
    (
        "cargo",
        &[
            "build",
            "b",
            "check",
            "c",
            "clippy",
            "test",
            "t",
            "bench",
            "doc",
            "nextest",
            "tree",
            "metadata",
            "fmt --check",
            "audit",
            "deny",
            "outdated",
            "llvm-cov",
            "machete",
            "udeps",
            "miri",
            "hack",
            "search",
            "info",
        ],
    ),
    ("go", &["build", "test", "vet", "list", "version", "mod graph", "mod why", "doc"]),
    (
        "git",
        &[
            "status",
            "log",
            "diff",
            "show",
            "blame",
            "annotate",
            "shortlog",
            "grep",
            "ls-files",
            "ls-tree",
            "ls-remote",
            "describe",
            "rev-list",
            "rev-parse",
            "name-rev",
            "cherry",
            "range-diff",
            "diff-tree",
            "diff-index",
            "diff-files",
            "show-ref",
            "for-each-ref",
            "count-objects",
            "whatchanged",
            "merge-base",
            "check-ignore",
            "var",
            "version",
            "branch .",
            "branch --list",
            "branch -a",
            "branch -r",
            "branch --contains",
            "branch --merged",
            "branch --no-merged",
            "tag .",
            "tag -l",
            "tag --list",
            "remote .",
            "remote -v",
            "remote show",
            "remote get-url",
            "stash list",
            "stash show",
            "reflog .",
            "reflog show",
            "worktree list",
            "submodule status",
            "config --list",
            "config -l",
            "config --get",
            "bisect log",
            "notes show",
            "notes list",
            "lfs ls-files",
        ],
    ),
    (
        "gh",
        &[
            "api",
            "search",
            "status",
            "pr list",
            "pr view",
            "pr status",
            "pr checks",
            "pr diff",
            "issue list",
            "issue view",
            "issue status",
            "run list",
            "run view",
            "workflow list",
            "workflow view",
            "repo view",
            "repo list",
            "release list",
            "release view",
            "gist list",
            "gist view",
            "label list",
            "secret list",
            "variable list",
            "cache list",
            "ruleset list",
        ],
    ),
    (
        "glab",
        &[
            "api",
            "mr list",
            "mr view",
            "mr diff",
            "issue list",
            "issue view",
            "ci list",
            "ci status",
            "repo view",
            "release list",
            "pipeline list",
        ],
    ),
    ("hg", &["status", "st", "log", "diff", "annotate", "heads", "branches", "summary"]),
    ("svn", &["status", "st", "log", "diff", "info", "list", "blame"]),
    ("jj", &["log", "status", "st", "diff", "show", "file list", "op log", "bookmark list"]),
    (
        "npm",
        &[
            "run",
            "run-script",
            "test",
            "t",
            "exec",
            "x",
            "outdated",
            "audit .",
            "ls",
            "list",
            "view",
            "info",
            "explain",
            "why",
        ],
    ),
    (
        "pnpm",
        &[
            "run",
            "test",
            "t",
            "exec",
            "dlx",
            "outdated",
            "audit .",
            "ls",
            "list",
            "why",
            "build",
            "lint",
            "typecheck",
        ],
    ),
    (
        "yarn",
        &[
            "run",
            "test",
            "exec",
            "dlx",
            "outdated",
            "audit .",
            "list",
            "why",
            "info",
            "build",
            "lint",
            "typecheck",
        ],
    ),
    ("bun", &["run", "test", "x", "outdated", "pm ls"]),
    ("deno", &["task", "test", "check", "lint", "bench", "fmt --check"]),
    ("uv", &["run", "tool run", "tree", "pip list", "pip show", "pip freeze", "pip check", "tool list"]),
    ("poetry", &["run", "show", "check"]),
    ("pipenv", &["run", "graph", "check"]),
    ("hatch", &["run", "test"]),
    ("pdm", &["run", "list"]),
    ("pipx", &["run", "list"]),
    ("pip", &["list", "show", "freeze", "check", "index", "inspect"]),
    ("pip3", &["list", "show", "freeze", "check", "index", "inspect"]),
    ("bundle", &["exec", "list", "outdated", "show", "info", "check"]),
    ("rails", &["test", "routes", "stats", "about"]),
    ("composer", &["show", "outdated", "audit", "validate", "diagnose", "run-script", "run", "test"]),
    ("dotnet", &["build", "test", "publish", "msbuild", "vstest", "list", "format --verify-no-changes"]),
    ("swift", &["build", "test"]),
    ("zig", &["build", "test"]),
    ("mix", &["compile", "test", "credo", "dialyzer", "format --check-formatted"]),
    ("stack", &["build", "test"]),
    ("cabal", &["build", "test"]),
    ("dune", &["build", "test", "runtest"]),
    ("next", &["build", "lint"]),
    ("vite", &["build"]),
    ("prettier", &["--check", "-c", "--list-different", "-l"]),
    ("black", &["--check", "--diff"]),
    ("isort", &["--check", "--check-only", "-c"]),
    ("ruff", &["check", "format --check", "format --diff", "rule"]),
    ("pre-commit", &["run"]),
    ("buf", &["lint", "build", "breaking"]),
    ("python", PYTHON),
    ("python3", PYTHON),
    ("java", &["-version"]),
];

const PYTHON: &[&str] = &[
    "-m pytest",
    "-m unittest",
    "-m mypy",
    "-m pylint",
    "-m flake8",
    "-m ruff check",
    "-m tox",
    "-m nox",
    "-m build",
    "-m compileall",
    "-m pip list",
    "-m pip show",
    "-m pip freeze",
    "-m pip check",
];

/// Not rewritten in spite of the tables above.
const EXCEPT: &[(&str, &[&str])] = &[
    ("find", &["-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprintf", "-fprint0", "-fls"]),
    ("fd", &["-x", "--exec", "-X", "--exec-batch"]),
    ("fdfind", &["-x", "--exec", "-X", "--exec-batch"]),
    ("ast-grep", &["-U", "--update-all", "-i", "--interactive"]),
    ("npm", &["audit fix", "-g", "--global"]),
    ("make", &["install"]),
    ("gmake", &["install"]),
    ("ninja", &["install"]),
    ("meson", &["install"]),
    ("cmake", &["--install"]),
    ("mvn", &["install"]),
    ("mvnw", &["install"]),
    (
        "git",
        &[
            "notes add",
            "tag -d",
            "tag -a",
            "tag -s",
            "tag -m",
            "branch -d",
            "branch -D",
            "branch -m",
            "branch -M",
            "branch -u",
        ],
    ),
];

/// Names that are never rewritten, by the reason.
const NEVER: &[(&str, &str)] = &[
    (
        "it changes files",
        "cp mv rm mkdir rmdir touch ln link unlink chmod chown chgrp dd install tee truncate rsync tar zip unzip gzip \
         gunzip bzip2 xz zstd patch shred mkfifo mknod mktemp split csplit",
    ),
    (
        "it is the shell's own",
        ". : [ [[ { } ! alias bg bind break builtin case cd command compgen complete continue coproc declare dirs disown \
         do done echo elif else enable esac eval exec exit export false fc fg fi for function getopts hash help history \
         if in jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return select set \
         setopt shift shopt source suspend test then time times trap true type typeset ulimit umask unalias unset \
         unsetopt until wait while",
    ),
    (
        "it runs another command",
        "sudo doas su ssh scp sftp mosh sh bash dash zsh ksh fish busybox env nohup nice ionice setsid stdbuf script \
         timeout watch xargs parallel entr chroot unshare nsenter strace ltrace gdb tmux screen direnv",
    ),
    (
        "it installs things",
        "apt apt-get aptitude dpkg yum dnf rpm zypper pacman apk snap flatpak brew port choco winget nix-env nix nvm rustup \
         pyenv conda mamba asdf mise gem",
    ),
    (
        "it prints the file that was asked for, or little",
        "cat head tail less more wc sort uniq cut tr sed awk ls tree stat file du df date which whoami id uname hostname ps",
    ),
];

/// Searches: an agent's rules about files hold for their arguments.
const SEARCH: &str = "rg grep egrep fgrep ugrep ag ack fd fdfind find ast-grep git";

/// What the tables say of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// To be rewritten.
    Yes,
    /// Not to be, for this reason.
    No(&'static str),
}

/// What the tables say of a command's words, the tool's name (without a directory) first.
pub fn listed(words: &[String]) -> Listed {
    let name = words[0].as_str();
    if let Some((reason, _)) = NEVER.iter().find(|(_, names)| has(names, name)) {
        return Listed::No(reason);
    }
    let patterns = PARTS.iter().find(|(tool, _)| *tool == name).map(|(_, patterns)| *patterns);
    if patterns.is_none() && !WHOLE.iter().any(|names| has(names, name)) {
        return Listed::No("it is not on the list");
    }
    let excepted = EXCEPT.iter().filter(|(tool, _)| *tool == name).flat_map(|(_, patterns)| *patterns);
    if excepted.into_iter().any(|pattern| matches(pattern, words))
        || patterns.is_some_and(|patterns| !patterns.iter().any(|pattern| matches(pattern, words)))
    {
        return Listed::No("this subcommand is not on the list");
    }
    Listed::Yes
}

/// Whether the tool reads files that its arguments name.
pub fn reads_files(name: &str) -> bool {
    has(SEARCH, name)
}

fn has(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|listed| listed == name)
}

fn matches(pattern: &str, words: &[String]) -> bool {
    let mut pattern: Vec<&str> = pattern.split(' ').collect();
    let alone = pattern.last() == Some(&".");
    if alone {
        pattern.pop();
    }
    if !library::matches(&pattern, words) {
        return false;
    }
    pattern.push("*");
    !(alone && library::matches(&pattern, words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_listed(line: &str) -> bool {
        listed(&line.split(' ').map(str::to_owned).collect::<Vec<_>>()) == Listed::Yes
    }

    #[test]
    fn options_in_front_do_not_hide_the_subcommand() {
        for line in [
            "git -C /x --no-pager log -p",
            "cargo +nightly --color never test",
            "git branch -vv",
            "npm --prefix a test",
        ] {
            assert!(is_listed(line), "{line}");
        }
        for line in [
            "git -C log commit",
            "git branch new",
            "git branch -D old",
            "npm install",
            "cargo run",
            "find . -delete",
            "$X status",
        ] {
            assert!(!is_listed(line), "{line}");
        }
    }

    #[test]
    fn no_name_is_in_two_tables() {
        let whole = WHOLE.iter().flat_map(|names| names.split_whitespace());
        let never = NEVER.iter().flat_map(|(_, names)| names.split_whitespace());
        let mut names: Vec<_> = whole.chain(never).chain(PARTS.iter().map(|(name, _)| *name)).collect();
        names.sort_unstable();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}

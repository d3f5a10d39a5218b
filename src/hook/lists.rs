//! Tables of the commands that are rewritten, of those that are not, and of the reasons.

/// Tools that are rewritten whatever their arguments.
pub(super) const WHOLE: &[&str] = &[
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

/// Tools, each line with the patterns of which one has to match. Patterns are those of filters
/// (`filter::command::matches`); in addition, a `.` at the end means that no words may follow but options.
pub(super) const PARTS: &[(&str, &str)] = &[
    (
        "cargo",
        "build, b, check, c, clippy, test, t, bench, doc, nextest, tree, metadata, fmt --check, audit, \
         deny, outdated, llvm-cov, machete, udeps, miri, hack, search, info",
    ),
    ("go", "build, test, vet, list, version, mod graph, mod why, doc"),
    (
        "git",
        "status, log, diff, show, blame, annotate, shortlog, grep, ls-files, ls-tree, ls-remote, describe, \
         rev-list, rev-parse, name-rev, cherry, range-diff, diff-tree, diff-index, diff-files, show-ref, \
         for-each-ref, count-objects, whatchanged, merge-base, check-ignore, var, version, branch ., \
         branch --list, branch -a, branch -r, branch --contains, branch --merged, branch --no-merged, \
         tag ., tag -l, tag --list, remote ., remote -v, remote show, remote get-url, stash list, \
         stash show, reflog ., reflog show, worktree list, submodule status, config --list, config -l, \
         config --get, bisect log, notes show, notes list, lfs ls-files",
    ),
    (
        "gh",
        "api, search, status, pr list, pr view, pr status, pr checks, pr diff, issue list, issue view, \
         issue status, run list, run view, workflow list, workflow view, repo view, repo list, \
         release list, release view, gist list, gist view, label list, secret list, variable list, \
         cache list, ruleset list",
    ),
    (
        "glab",
        "api, mr list, mr view, mr diff, issue list, issue view, ci list, ci status, repo view, \
         release list, pipeline list",
    ),
    ("hg", "status, st, log, diff, annotate, heads, branches, summary"),
    ("svn", "status, st, log, diff, info, list, blame"),
    ("jj", "log, status, st, diff, show, file list, op log, bookmark list"),
    ("npm", "run, run-script, test, t, exec, x, outdated, audit ., ls, list, view, info, explain, why"),
    ("pnpm", "run, test, t, exec, dlx, outdated, audit ., ls, list, why, build, lint, typecheck"),
    ("yarn", "run, test, exec, dlx, outdated, audit ., list, why, info, build, lint, typecheck"),
    ("bun", "run, test, x, outdated, pm ls"),
    ("deno", "task, test, check, lint, bench, fmt --check"),
    ("uv", "run, tool run, tree, pip list, pip show, pip freeze, pip check, tool list"),
    ("poetry", "run, show, check"),
    ("pipenv", "run, graph, check"),
    ("hatch", "run, test"),
    ("pdm pipx", "run, list"),
    ("pip pip3", "list, show, freeze, check, index, inspect"),
    ("bundle", "exec, list, outdated, show, info, check"),
    ("rails", "test, routes, stats, about"),
    ("composer", "show, outdated, audit, validate, diagnose, run-script, run, test"),
    ("dotnet", "build, test, publish, msbuild, vstest, list, format --verify-no-changes"),
    ("swift zig", "build, test"),
    ("mix", "compile, test, credo, dialyzer, format --check-formatted"),
    ("stack cabal", "build, test"),
    ("dune", "build, test, runtest"),
    ("next", "build, lint"),
    ("vite", "build"),
    ("prettier", "--check, -c, --list-different, -l"),
    ("black", "--check, --diff"),
    ("isort", "--check, --check-only, -c"),
    ("ruff", "check, format --check, format --diff, rule"),
    ("pre-commit", "run"),
    ("buf", "lint, build, breaking"),
    (
        "python python3",
        "-m pytest, -m unittest, -m mypy, -m pylint, -m flake8, -m ruff check, -m tox, -m nox, -m build, \
         -m compileall, -m pip list, -m pip show, -m pip freeze, -m pip check",
    ),
    ("java", "-version"),
];

/// Calls that are not rewritten in spite of the tables above.
pub(super) const EXCEPT: &[(&str, &str)] = &[
    ("find", "-delete, -exec, -execdir, -ok, -okdir, -fprint, -fprintf, -fprint0, -fls"),
    ("fd fdfind", "-x, --exec, -X, --exec-batch"),
    ("ast-grep", "-U, --update-all, -i, --interactive"),
    ("npm", "audit fix, -g, --global"),
    ("make gmake ninja meson", "install"),
    ("cmake", "--install"),
    ("mvn mvnw", "install"),
    (
        "git",
        "notes add, tag -d, tag -a, tag -s, tag -m, branch -d, branch -D, branch -m, branch -M, branch -u",
    ),
];

/// The reasons for which names are never rewritten, each with its names.
pub(super) const NEVER: &[(&str, &str)] = &[
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

/// Tools that search files: an agent's rules about files hold for their arguments, too.
pub(super) const SEARCH: &str = "rg grep egrep fgrep ugrep ag ack fd fdfind find ast-grep git";

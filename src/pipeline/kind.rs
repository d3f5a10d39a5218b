//! The kind of an output for its reader, which decides how an output that does not fit a page is reduced.

use crate::filter::command;

/// The kind of an output for its reader (docs/large-output.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Output of test runners, compilers and linters.
    Report,
    /// The text itself is the answer, as it stands: source, patches, messages.
    Content,
    /// JSON or YAML.
    Data,
    /// Lines with times in front.
    Log,
    /// The progress of an action: an installation, a build, a deployment.
    Action,
    /// The command is not known: given as content is.
    Unknown,
}

/// Lines at the beginning in which times are looked for, empty ones not counted.
const LOOKED_AT: usize = 200;
const FEWEST_LINES: usize = 20;
/// Fewest lines of a log that show a time, in percent.
const TIMED: usize = 60;

/// Commands by kind, without their options and separated by `, `; a command of more words comes before one of fewer.
/// Output of any other command is a log if it shows times, and else unknown.
const COMMANDS: &[(Kind, &str)] = &[
    (
        Kind::Content,
        "git diff, git show, git log, git stash, git format-patch, git cat-file, gh pr diff, diff, cat, \
         bat, sed, awk, head, tail, terraform show, tofu show, helm get, helm template, kustomize, pg_dump, \
         mysqldump, man, jq, yq, xxd, base64",
    ),
    (
        Kind::Log,
        "kubectl logs, docker logs, docker compose logs, docker-compose logs, podman logs, journalctl, \
         dmesg, heroku logs, stern, oc logs",
    ),
    (
        Kind::Report,
        "pytest, py.test, tox, nox, unittest, jest, vitest, mocha, ava, playwright, cypress, npm test, \
         npm t, pnpm test, yarn test, bun test, deno test, cargo test, cargo nextest, cargo check, \
         cargo clippy, cargo bench, go test, go vet, gotestsum, golangci-lint, staticcheck, tsc, eslint, \
         biome, prettier, ruff, flake8, pylint, mypy, pyright, black, bandit, rspec, rubocop, phpunit, \
         pest, ctest, mvn test, mvn verify, gradle test, gradle check, dotnet test, swift test, mix test, \
         shellcheck, yamllint, hadolint, terraform validate, pre-commit",
    ),
    (
        Kind::Action,
        "npm install, npm i, npm ci, npm update, npm uninstall, npm publish, pnpm install, pnpm i, \
         pnpm add, pnpm update, yarn install, yarn add, bun install, bun add, pip install, pip uninstall, \
         pip download, uv sync, uv add, uv lock, uv pip install, poetry install, poetry update, poetry add, \
         pipenv install, conda install, conda create, apt install, apt upgrade, apt update, apt remove, \
         apt-get install, apt-get upgrade, apt-get update, apt-get remove, dnf install, yum install, \
         apk add, brew install, brew upgrade, brew update, gem install, bundle install, bundle update, \
         composer install, composer update, composer require, cargo build, cargo install, cargo fetch, \
         cargo update, cargo publish, cargo package, go build, go install, go get, go mod download, \
         go mod tidy, mvn install, mvn package, mvn deploy, mvn compile, gradle build, gradle assemble, \
         gradle publish, dotnet restore, dotnet build, dotnet publish, swift build, mix deps.get, \
         mix compile, docker build, docker pull, docker push, docker buildx build, docker compose build, \
         docker compose pull, docker compose up, docker compose down, podman build, podman pull, \
         podman push, kubectl apply, kubectl rollout, helm install, helm upgrade, terraform init, \
         terraform apply, terraform destroy, tofu init, tofu apply, tofu destroy, pulumi up, cdk deploy, \
         sam build, sam deploy, serverless deploy, ansible-playbook, git clone, git fetch, git pull, \
         git push, alembic upgrade, flyway migrate, wget, rsync, aws s3 sync, aws s3 cp, ninja, \
         cmake --build",
    ),
];

/// Commands that print content in the form of data: manifests that are read and edited as they stand. The second text
/// is the end of an argument that names the output's form; if it is empty, any call prints a manifest.
const MANIFESTS: &[(&str, &str)] =
    &[("kubectl get", "yaml"), ("oc get", "yaml"), ("helm get", ""), ("terraform show", "")];

impl Kind {
    /// The kind of a command's output, from the command's words and from the text.
    pub fn of(words: &[String], text: &[u8], is_structured: bool) -> Self {
        let words = command::unwrap(words);
        if is_structured {
            let is_manifest = MANIFESTS.iter().any(|(manifest, form)| {
                is_call_of(words, manifest)
                    && (form.is_empty() || words.iter().any(|word| word.ends_with(form)))
            });
            return if is_manifest { Self::Content } else { Self::Data };
        }
        let is_call = |commands: &str| commands.split(", ").any(|command| is_call_of(words, command));
        match COMMANDS.iter().find(|(_, commands)| is_call(commands)) {
            Some((kind, _)) => *kind,
            None if shows_times(text) => Self::Log,
            None => Self::Unknown,
        }
    }
}

/// Whether `words` call `command`, whatever options stand between its words.
fn is_call_of(words: &[String], command: &str) -> bool {
    let mut wanted = command.split(' ');
    let (Some(tool), Some(first)) = (wanted.next(), words.first()) else { return false };
    command::base_name(first) == tool && command::matches(&wanted.collect::<Vec<_>>(), words)
}

/// Whether most lines have a time of day near their beginning.
fn shows_times(text: &[u8]) -> bool {
    let (mut lines, mut timed) = (0, 0);
    for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).take(LOOKED_AT) {
        lines += 1;
        timed += usize::from(begins_with_time(line));
    }
    lines >= FEWEST_LINES && timed * 100 >= lines * TIMED
}

/// Whether one of the line's first four words is a time of day (`12:30:01`). Words end at `T`, too, so that the time of
/// an RFC 3339 date (`2026-11-22T12:30:01`) is one, as is the time behind syslog's month and day.
fn begins_with_time(line: &[u8]) -> bool {
    let words = line.split(|byte| matches!(byte, b' ' | b'\t' | b'T' | b'[' | b']' | b'|'));
    words
        .filter(|word| !word.is_empty())
        .take(4)
        .any(|word| matches!(word, [b'0'..=b'9', b'0'..=b'9', b':', b'0'..=b'9', b'0'..=b'9', b':', ..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &str, text: &str, is_structured: bool) -> Kind {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Kind::of(&words, text.as_bytes(), is_structured)
    }

    #[test]
    fn a_command_tells_its_kind() {
        for (line, expected) in [
            ("git -C /dir --no-pager diff HEAD~1", Kind::Content),
            ("npx tsc --noEmit", Kind::Report),
            ("sudo apt-get -y install jq", Kind::Action),
            ("python3 -m pytest -q", Kind::Report),
            ("cargo build --release", Kind::Action),
            ("docker compose -f a.yml logs web", Kind::Log),
            ("./report.sh", Kind::Unknown),
        ] {
            assert_eq!(kind(line, "", false), expected, "{line}");
        }
        assert_eq!(kind("kubectl get pod -o yaml", "", true), Kind::Content);
        assert_eq!(kind("kubectl get pod -ojson", "", true), Kind::Data);
        assert_eq!(kind("aws ec2 describe-instances", "", true), Kind::Data);
    }

    #[test]
    fn a_log_shows_itself() {
        let log = |line: &str| line.repeat(30);
        for line in [
            "2026-11-22T10:00:01.5Z INFO started\n",
            "2026-11-22 10:00:01,123 [main] started\n",
            "Nov 22 10:00:01 host sshd[1]: started\n",
            "[10:00:01] started\n",
            "web-1  | 2026-11-22 10:00:01 started\n",
        ] {
            assert_eq!(kind("./serve", &log(line), false), Kind::Log, "{line}");
        }
        for line in ["src/main.rs:12:30: text\n", "12 34 56\n", "a line of text\n"] {
            assert_eq!(kind("./serve", &log(line), false), Kind::Unknown, "{line}");
        }
    }
}

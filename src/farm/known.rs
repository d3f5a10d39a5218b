//! The well-known tools: the way by which each is reached, and the interpreter that runs it as a module or script.

/// The way by which a listed tool is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// On PATH: a link in the farm.
    Farm,
    /// In environments, too: a link in the farm only while it is on PATH, so that nobody finds what is not there.
    Environments,
    /// A word of the agent's own shell and nothing else: no link in the farm, so no script ever meets a shim of it.
    Shell,
}

/// Tools worth a shim, by way and by the words of the interpreter that runs them; most talkative first.
const TOOLS: &[(Way, &str, &str)] = &[
    (
        Way::Farm,
        "",
        "aws kubectl gcloud az gh docker git terraform cargo npm go helm make uv pnpm yarn npx tofu podman glab oc \
         eksctl ansible ansible-playbook pulumi doctl flyctl heroku vercel mvn gradle dotnet cmake ctest ninja bazel \
         golangci-lint bundle swift xcodebuild psql jq yq curl journalctl systemctl rg poetry pdm hatch pipenv uvx \
         pipx conda mamba bun bunx deno lerna biome gem brew mix sbt meson autoreconf just task mage goreleaser buf \
         docker-compose buildah skopeo kind minikube kustomize argocd flux skaffold istioctl vault packer terragrunt \
         tflint trivy shellcheck ansible-lint cdk sam wrangler supabase firebase mysql sqlite3 redis-cli",
    ),
    (
        Way::Environments,
        "python python3",
        "pytest py.test mypy ruff pip pip3 pylint flake8 black isort pyright tox nox coverage pre-commit bandit \
         pip-audit twine",
    ),
    (Way::Environments, "node", "tsc eslint jest vitest prettier mocha playwright turbo nx"),
    (Way::Environments, "ruby", "rspec rubocop rake rails"),
    (
        Way::Environments,
        "php",
        "phpunit simple-phpunit phpstan pest psalm php-cs-fixer phpcs rector testbench composer",
    ),
    // Modules and scripts, which only an interpreter runs.
    (Way::Shell, "python python3", "unittest doctest compileall build django sphinx"),
    (Way::Shell, "node", "node:test"),
    (Way::Shell, "php", "artisan"),
    // Files that are printed (`crate::source`).
    (Way::Shell, "", "cat bat batcat nl head tail sed awk gawk mawk"),
    // Programs of the project's own.
    (Way::Shell, "", "gradlew mvnw configure"),
];

/// Commands that only start another one: never listed, but words of the agent's own shell while that has words for
/// tools that the command would find in an environment.
pub const WRAPPERS: &str = "timeout env xargs";

/// Directories in which projects keep tools, and the tools that are called by such a path.
pub const BY_PATH: &[(&str, &str)] = &[
    (".venv/bin venv/bin", "pytest mypy ruff pip tox coverage python python3"),
    ("node_modules/.bin", "tsc eslint jest vitest prettier playwright"),
    ("vendor/bin", "phpunit simple-phpunit phpstan pest php-cs-fixer"),
    ("bin", "rails rspec rubocop rake phpunit composer golangci-lint"),
    (".", "gradlew mvnw configure"),
];

/// The names of tools worth a shim, most talkative first.
pub fn well_known() -> impl Iterator<Item = &'static str> {
    TOOLS.iter().flat_map(|(.., names)| names.split(' '))
}

/// The way by which a well-known tool is reached.
pub fn way_of(name: &str) -> Option<Way> {
    TOOLS.iter().find(|(.., names)| has(names, name)).map(|(way, ..)| *way)
}

/// The words of the interpreter that runs a well-known tool as a module or script; empty where none does.
pub fn interpreter_of(name: &str) -> &'static str {
    TOOLS.iter().find(|(.., names)| has(names, name)).map_or("", |(_, interpreter, _)| *interpreter)
}

/// Whether this is the word of an interpreter that runs well-known tools.
pub fn is_interpreter(word: &str) -> bool {
    TOOLS.iter().any(|(_, interpreter, _)| has(interpreter, word))
}

/// Whether a name is among these, which a blank parts.
pub fn has(names: &str, name: &str) -> bool {
    names.split(' ').any(|listed| listed == name)
}

#[cfg(test)]
#[path = "../../tests/unit/farm/known.rs"]
mod tests;

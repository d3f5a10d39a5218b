#!/bin/sh
# Builds toto and sets it up for this user:  ./install.sh [NAME…] [--dry-run] [--no-modify-path] [--yes]
# Everything goes below ~/.toto (TOTO_HOME); `toto uninstall` takes it away again.
set -eu

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

here=$(cd "$(dirname "$0")" && pwd)
[ -f "$here/Cargo.toml" ] || fail "there is no Cargo.toml beside it; run it from a checkout"

PATH=$PATH:${CARGO_HOME:-${HOME-}/.cargo}/bin
command -v cargo >/dev/null || fail "cargo is missing; install Rust from https://rustup.rs and run this again"

# The build reports where the binary is, because the user may have chosen another target directory.
messages=$(cd "$here" && cargo build --release --locked --bin toto --message-format json-render-diagnostics)
toto=$(printf '%s\n' "$messages" | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1)
[ -x "$toto" ] || fail "the build left no binary"

exec "$toto" setup "$@"

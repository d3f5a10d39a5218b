#!/bin/sh
# Sets toto up for this user:  ./install.sh [--prebuilt DIR|URL] [NAME…] [--dry-run] [--no-modify-path] [--yes]
# Builds it from this checkout; with --prebuilt takes the tarball for this machine out of a release (DIR or URL holds it
# and SHA256SUMS), checks its sum, and needs no Rust.
# Everything goes below ~/.toto (TOTO_HOME); `toto uninstall` takes it away again.
set -eu

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

# Copies a file of the release, $1, to $2.
get() {
  case $release in
    http://* | https://*)
      if command -v curl >/dev/null; then
        curl --fail --silent --show-error --location --output "$2" "$release/$1"
      else
        wget -q -O "$2" "$release/$1"
      fi || fail "cannot fetch $release/$1"
      ;;
    *) cp "$release/$1" "$2" 2>/dev/null || fail "there is no $release/$1" ;;
  esac
}

sum() {
  if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d ' ' -f 1
}

# Leaves the release's binary for this machine below $scratch, and its path in $toto.
unpack() {
  case $(uname -s)-$(uname -m) in
    Linux-x86_64 | Linux-amd64) machine=x86_64-linux ;;
    Linux-aarch64 | Linux-arm64) machine=aarch64-linux ;;
    Darwin-*) machine=universal-macos ;;
    *) fail "releases have nothing for $(uname -s) on $(uname -m); build it from a checkout" ;;
  esac
  get SHA256SUMS "$scratch/sums"
  line=$(grep "  toto-[^/]*-$machine\.tar\.gz\$" "$scratch/sums") || fail "$release/SHA256SUMS names no tarball for $machine"
  name=${line##* }
  get "$name" "$scratch/archive"
  [ "$(sum "$scratch/archive")" = "${line%% *}" ] || fail "$name is not what SHA256SUMS says; nothing was installed"
  tar -xzf "$scratch/archive" -C "$scratch"
  toto=$scratch/${name%.tar.gz}/toto
}

# Leaves the path of the binary in $toto. The build reports it, because the user may have chosen another target directory.
build() {
  here=$(cd "$(dirname "$0")" && pwd)
  [ -f "$here/Cargo.toml" ] || fail "there is no Cargo.toml beside it; run it from a checkout, or with --prebuilt"
  PATH=$PATH:${CARGO_HOME:-${HOME-}/.cargo}/bin
  command -v cargo >/dev/null || fail "cargo is missing; install Rust from https://rustup.rs and run this again, or use --prebuilt"
  messages=$(cd "$here" && cargo build --release --locked --bin toto --message-format json-render-diagnostics)
  toto=$(printf '%s\n' "$messages" | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1)
}

release=
for word; do
  shift
  if [ "${take-}" ]; then
    release=${word%/} take=
  elif [ "$word" = --prebuilt ]; then
    take=yes
  else
    set -- "$@" "$word"
  fi
done
[ -z "${take-}" ] || fail "--prebuilt wants the directory or the URL of a release"

if [ "$release" ]; then
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  unpack
else
  build
fi
[ -x "$toto" ] || fail "there is no binary at $toto"
"$toto" setup "$@"

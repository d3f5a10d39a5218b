#!/usr/bin/env bash
# Installs the peers that the report measures: those that public registries have. `tests/bench/peers.sh [DIR]`
set -euo pipefail
peers=$(realpath -m "${1:-target/peers}")
mkdir -p "$peers"
cargo install --quiet --locked --root "$peers" tokf
cargo install --quiet --locked --root "$peers" lean-ctx || echo "lean-ctx could not be built: left out" >&2
npm install --silent --no-audit --no-fund --prefix "$peers" @toon-format/toon @tron-format/tron tonl yaml
{
  "$peers/bin/tokf" --version
  if [ -x "$peers/bin/lean-ctx" ]; then "$peers/bin/lean-ctx" --version | head -n 1; fi
  for package in @toon-format/toon @tron-format/tron tonl yaml; do
    echo "$package $(node -p "require('$peers/node_modules/$package/package.json').version")"
  done
} >"$peers/versions"
cat "$peers/versions"

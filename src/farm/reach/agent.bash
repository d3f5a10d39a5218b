# For an agent's own bash. Read only by `agent.sh`.
# shellcheck shell=bash
case $- in
*c*) ;;
*i*) return 0 ;; # a person's
*) # Commands from standard input, or a script: only the shell's arguments tell which.
  if [[ ! -r /proc/$$/cmdline ]]; then return 0; fi
  {
    IFS= read -r -d '' _toto_word
    while IFS= read -r -d '' _toto_word; do
      case $_toto_word in -*) ;; *) unset _toto_word && return 0 ;; esac
    done
  } <"/proc/$$/cmdline"
  ;;
esac
case :$SHELLOPTS: in *:posix:*) return 0 ;; esac

# The words below are aliases. If aliases were switched off, only these are in effect: other definitions are ignored
# until `shopt` switches aliases on, which removes these.
_toto_words=(
  @ALIASES@
)
if shopt -q expand_aliases; then
  _toto_found=off
else
  _toto_found=on
  builtin unalias -a
  shopt -s expand_aliases
fi

# An alias or function of the user's with the same name stays.
if [[ $_toto_found == on ]] && ! compgen -A function >/dev/null; then
  builtin alias "${_toto_words[@]}"
else
  for _toto_word in "${_toto_words[@]}"; do
    builtin alias "${_toto_word%%=*}" || declare -F "${_toto_word%%=*}" || builtin alias "$_toto_word"
  done >/dev/null 2>&1
fi
unset _toto_words _toto_word

if [[ $_toto_found == on ]]; then
  function _toto_give_up { builtin unalias -a; unset -f alias unalias shopt _toto_give_up; builtin shopt -u expand_aliases; }
  function alias { [[ $* == *=* ]] || builtin alias "$@"; }
  function unalias { :; }
  function shopt {
    case $* in -[su]*expand_aliases*) _toto_give_up ;; esac
    builtin shopt "$@"
  }
fi

# In a subshell `$!` is the shell's process and not the shim's: the shim is told to end with that process.
function _toto_by_path {
  if [[ ! -x $1 ]]; then
    builtin command "$@"
  elif ((BASH_SUBSHELL)); then
    @TOTO@ shim "--tied=$BASHPID" -- "$@"
  else
    @TOTO@ shim -- "$@"
  fi
}
if [[ $OSTYPE == linux* ]]; then
  @PATH_FUNCTIONS@
fi

# `command -v` and `type` answer as if there were none of these words.
function _toto_bare {
  unset -f alias unalias shopt command type _toto_by_path _toto_give_up @PATHS@
  if [[ $_toto_found == on ]]; then builtin shopt -u expand_aliases; else builtin unalias @NAMES@ 2>/dev/null; fi
}
function command {
  case ${1-} in
  -v | -V) (_toto_bare && builtin command "$@") ;;
  *) builtin command "$@" ;;
  esac
}
function type { (_toto_bare && builtin type "$@"); }

# Names the streams that this shell was given: output to one of them is for the agent (docs/who-reads.md). A process
# is started only where other processes cannot be seen. If only a start file says that this is an agent's shell, which
# proves nothing, no stream is named.
_toto_eyes=
# A shell whose input comes from the agent may be that of a hook, which inherits BASH_ENV, too; TOTO_AGENT is set for
# the model's commands alone.
case $-:${TOTO_AGENT-}:${BASH_ENV-} in *c*::*/agent.sh) _toto_input=--unless-fed ;; *) _toto_input= ;; esac
if [[ $_toto_reading == command ]] && [[ -z $_toto_input || ! (-p /dev/fd/0 || -S /dev/fd/0) ]]; then
  if [[ -r /proc/$PPID/fd && -r /proc/self/fdinfo ]]; then
    for _toto_fd in 1 2; do
      _toto_inode=
      if [[ -p /dev/fd/$_toto_fd ]]; then _toto_kind=pipe; elif [[ -S /dev/fd/$_toto_fd ]]; then _toto_kind=socket; else continue; fi
      while read -r _toto_key _toto_value; do
        if [[ $_toto_key == ino: ]]; then _toto_inode=$_toto_value; fi
      done <"/proc/self/fdinfo/$_toto_fd"
      if [[ -n $_toto_inode ]]; then _toto_eyes+=$_toto_kind:[$_toto_inode],; fi
    done
    unset _toto_fd _toto_inode _toto_kind _toto_key _toto_value
  else
    { _toto_eyes=$(@TOTO@ eyes $_toto_input); } 3>&1 4>&2
  fi
fi
# A value that a host set for its own command says more, and stays.
case ${TOTO_EYES-} in
'' | *@*) export TOTO_EYES="${_toto_eyes%,}@$$${EPOCHREALTIME:++${EPOCHREALTIME//[.,]/}}" ;;
esac
unset _toto_eyes _toto_input

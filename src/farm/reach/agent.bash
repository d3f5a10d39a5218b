# bash, an agent's own. Read by `agent.sh`, and only by it.
# shellcheck shell=bash
case $- in
*c*) ;;
*i*) return 0 ;; # a person's
*) # Commands from standard input, or a script, of whose name nothing but the arguments tells yet.
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

# The words below are aliases. Where those were switched off, they stay so for everybody else's: what was defined is of no
# effect, and whoever switches them on gets them as they were.
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

# Where the user has words of the same name, theirs stand.
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

# In a child the shell's process is not the tool's: it is told to end with it.
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

# What asks for the meaning of a word is answered as if there were none of these.
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

# Which streams this shell was given: output to one of them is for the agent (docs/who-reads.md). A process is started only
# where others cannot be seen; nothing is told where only a start file says that this is an agent's shell, which proves nothing.
_toto_eyes=
# Who is fed by the agent may be a hook, which BASH_ENV reaches as well; TOTO_AGENT stands on the model's commands alone.
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
# A host that named the streams of its command by itself has said more.
case ${TOTO_EYES-} in
'' | *@*) export TOTO_EYES="${_toto_eyes%,}@$$${EPOCHREALTIME:++${EPOCHREALTIME//[.,]/}}" ;;
esac
unset _toto_eyes _toto_input

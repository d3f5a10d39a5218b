# For an agent's own bash. Read only by `agent.sh`.
# shellcheck shell=bash
# A tool that was taken off the list is looked up again, though this shell has met its link.
shopt -s checkhash
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

@WORDS@
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

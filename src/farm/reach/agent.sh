# An agent's own shell reads this before each command. Written by `toto setup`; safe to read any number of times.
# shellcheck shell=sh disable=SC1090,SC1091,SC2154
# First the file that BASH_ENV named before this one.
case ${BASH_ENV-} in
*/agent.sh) if [ -n "${TOTO_BASH_ENV-}" ]; then
  eval "_toto_theirs=\"$TOTO_BASH_ENV\""
  if [ -r "$_toto_theirs" ]; then . "$_toto_theirs"; fi
  unset _toto_theirs
fi ;;
esac
_toto_reading=${_toto_reading:-command}
if [ -r @HOME@/env ]; then . @HOME@/env; fi
# A shell that another shell of the agent's started, such as a script's, gets nothing but PATH.
case ${TOTO_EYES-} in
*@*) _toto_shell=${TOTO_EYES##*@} _toto_shell=${_toto_shell%%+*} ;;
*) _toto_shell= ;;
esac
if [ -z "$_toto_shell" ] || ! kill -0 "$_toto_shell" 2>/dev/null; then
  case ${BASH_VERSION:+bash}${ZSH_VERSION:+zsh} in
  bash) . @HOME@/agent.bash ;;
  zsh) . @HOME@/agent.zsh ;;
  esac
fi
unset _toto_shell _toto_reading

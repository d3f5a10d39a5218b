# Puts toto's farm in front of PATH. Written by `toto setup`; safe to read any number of times.
# shellcheck shell=sh disable=SC1091,SC2157
_toto_farm=@FARM@
case ${PATH-} in
"$_toto_farm" | "$_toto_farm":* | "") ;;
*)
  _toto_path=:$PATH:
  while :; do
    case $_toto_path in
    *":$_toto_farm:"*) _toto_path=${_toto_path%%":$_toto_farm:"*}:${_toto_path#*":$_toto_farm:"} ;;
    *) break ;;
    esac
  done
  _toto_path=${_toto_path#:}
  PATH=$_toto_farm:${_toto_path%:}
  export PATH
  unset _toto_path
  ;;
esac
unset _toto_farm
# In an agent's shell, unless agent.sh is being read already.
if [ -z "${_toto_reading-}" ] && [ -n "@MARKS@" ] && [ -r @HOME@/agent.sh ]; then
  _toto_reading=start
  . @HOME@/agent.sh
fi

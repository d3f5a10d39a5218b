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
    @TOTO@ shim --listed -- "$@"
  fi
}
if [[ $OSTYPE == linux* ]]; then
  :
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


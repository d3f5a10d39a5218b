# A command may still define a function whose name is an alias.
setopt alias_func_def
# An alias or function of the user's with the same name stays.
_toto_words=(
  @ALIASES@
  @PATH_ALIASES@
)
for _toto_word in $_toto_words; do
  alias -- ${_toto_word%%=*} || typeset -f -- ${_toto_word%%=*} || alias -- $_toto_word
done >/dev/null 2>&1
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


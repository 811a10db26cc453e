#compdef oauth-stdio
_oauth_stdio() {
  local -a found
  found=(${(f)"$("$words[1]" --complete "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#found )); then compadd -a found; else _files; fi
}
if [ "$funcstack[1]" = "_oauth_stdio" ]; then _oauth_stdio "$@"; else compdef _oauth_stdio oauth-stdio; fi

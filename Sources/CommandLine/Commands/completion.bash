_oauth_stdio() {
  local IFS=$'\n'
  COMPREPLY=($("$1" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [ ${#COMPREPLY[@]} -gt 0 ] || compopt -o default
}
complete -F _oauth_stdio oauth-stdio

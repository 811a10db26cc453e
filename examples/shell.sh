#!/usr/bin/env bash
# A shell script that uses oauth-stdio for one request at a time. It sends a line by a pipe, and jq reads the lines of the output.
#
#   examples/shell.sh me [ACCOUNT [URL]]          who the API says you are (default: github user)
#   examples/shell.sh repos [ACCOUNT]             your GitHub repositories, those pushed to last first
#   examples/shell.sh get ACCOUNT URL [NAME=VALUE…]
#   examples/shell.sh sign-out ACCOUNT
#
#   OAUTH_STDIO   the program (default: oauth-stdio)
#   OAUTH_CONFIG  the configuration file, such as config.json in this folder (default: the program's own)
#
# Grants are stored between runs. If the browser is on another machine, fetch the address of its last page with `curl` on this machine.
# Needs bash and jq.
set -euo pipefail

# oauth METHOD PARAMS: prints the result. An error's message goes to stderr, and the status is 1.
oauth() {
  local line
  while IFS= read -r line; do
    case $(jq -r '.method // "answer"' <<<"$line") in
      signInWasRequested)
        jq -r '.params | "sign in here: \(.url)" + if .userCode then "\nand type this code: \(.userCode)" else "" end' <<<"$line" >&2
        ;;
      answer)
        jq -ce '.result // empty' <<<"$line" && return
        jq -r '.error.message' <<<"$line" >&2
        return 1
        ;;
    esac
  done < <(
    # The program ends at the end of its input, but answers first.
    jq -cn --arg method "$1" --argjson params "$2" '{jsonrpc: "2.0", id: 1, method: $method, params: $params}' |
      "${OAUTH_STDIO:-oauth-stdio}" --events signInWasRequested ${OAUTH_CONFIG:+--config "$OAUTH_CONFIG"}
  )
  echo "oauth-stdio ended without an answer" >&2
  return 1
}

# get ACCOUNT URL [NAME=VALUE…]: prints the API's JSON answer. `authorize` asks the user to sign in if that is necessary.
get() {
  local params answer
  params=$(jq -cn '{account: $ARGS.positional[0], url: $ARGS.positional[1]} +
    {query: ($ARGS.positional[2:] | map(capture("^(?<key>[^=]+)=(?<value>.*)$") // error("not NAME=VALUE: \(.)")) | from_entries)}' \
    --args "$@") || return 1
  oauth authorize "$(jq -c '{account}' <<<"$params")" >/dev/null || return 1
  answer=$(oauth callAPI "$params") || return 1
  jq '.body | fromjson' <<<"$answer"
}

usage() {
  sed -n '/^#   examples/s/^#   //p' "${BASH_SOURCE[0]}" >&2
  exit 2
}

case ${1:-} in
  me) get "${2:-github}" "${3:-user}" | jq -r '.login // .username // .name // .user' ;;
  repos)
    get "${2:-github}" user/repos sort=pushed per_page=20 |
      jq -r '.[] | "\(.pushed_at[:10])  \(.full_name)"'
    ;;
  get)
    [ $# -ge 3 ] || usage
    get "${@:2}"
    ;;
  sign-out)
    [ $# -eq 2 ] || usage
    oauth revoke "$(jq -cn --arg account "$2" '{account: $account}')"
    ;;
  *) usage ;;
esac

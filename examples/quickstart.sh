#!/usr/bin/env bash
# From a fresh machine to an API call. Installs what is missing and builds. Then oauth-stdio signs in at a local demo provider,
# calls its API, refreshes the token, calls again and revokes. Every line on the pipe is shown: --> sent, <-- received.
#
#   examples/quickstart.sh                        on Debian, its derivatives, or macOS, with Swift installed
#   QUICKSTART_HEADLESS=1 examples/quickstart.sh  signs in without a browser even if there is one; BROWSER= does the same
#   QUICKSTART_SKIP_BUILD=1                       uses the existing build
#   OAUTH_STDIO=…, DEMO_PROVIDER=…                uses these programs instead of the build's and of demo-provider
#
# Nothing is left behind: the grants are in a temporary folder. The status is 0 only if every step worked.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
oauth_stdio=${OAUTH_STDIO:-$root/.build/release/oauth-stdio}
demo_provider=${DEMO_PROVIDER:-$root/examples/demo-provider}
# In seconds: for a program on a slow machine, and for a person who signs in.
patience=120
person_patience=300
children=()
folder=

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ] && [ "${TERM:-dumb}" != dumb ]; then
  sent_colour=$'\e[36m' received_colour=$'\e[32m' note_colour=$'\e[1m' no_colour=$'\e[0m'
else
  sent_colour='' received_colour='' note_colour='' no_colour=''
fi

# The columns of the terminal; without one, lines stay whole.
width=0
if [ -t 1 ]; then
  width=$(stty size 2>/dev/null <&1 | cut -d ' ' -f 2) || width=
  [ "${width:-0}" -gt 20 ] || width=80
fi

# show ARROW COLOUR MESSAGE: on a terminal, breaks the line between members. In JSON without blanks, only a separator is a comma before a quote.
show() {
  printf '%s%s%s ' "$2" "$1" "$no_colour"
  if [ "$width" -eq 0 ]; then printf '%s\n' "$3"; return; fi
  awk -v width=$((width - 5)) '{
    count = split($0, members, /,"/)
    line = members[1]
    for (i = 2; i <= count; i++) {
      member = "\"" members[i]
      if (length(line) + length(member) + 1 > width) { print line ","; line = "    " member } else line = line "," member
    }
    print line
  }' <<<"$3"
}

note() { printf '%s# %s%s\n' "$note_colour" "$*" "$no_colour"; }

fail() {
  printf 'quickstart: %s\n' "$*" >&2
  exit 1
}

# Cleans up on every exit and keeps the script's status.
clean_up() {
  local status=$? child
  trap - EXIT
  trap '' INT TERM HUP
  exec 3>&- 4<&- 5>&-
  # In bash 3.2, which macOS has, an empty "${children[@]}" counts as an unset variable.
  for child in ${children[@]+"${children[@]}"}; do end "$child"; done
  [ -z "$folder" ] || rm -rf "$folder"
  exit "$status"
}

end() {
  local tries=0
  kill "$1" 2>/dev/null || true
  while kill -0 "$1" 2>/dev/null && [ $tries -lt 50 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  kill -KILL "$1" 2>/dev/null || true
  wait "$1" 2>/dev/null || true
}

# Runs the command in the background and waits, because bash delays signals during a foreground command.
attend() {
  local status=0
  "$@" 3>&- 4<&- 5>&- &
  children+=($!)
  wait $! || status=$?
  unset "children[$((${#children[@]} - 1))]"
  return $status
}

# Installing and building

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

has_any() {
  for file; do [ ! -e "$file" ] || return 0; done
  return 1
}

install_on_linux() {
  local missing=() libraries
  libraries=$(PATH=$PATH:/usr/sbin:/sbin ldconfig -p 2>/dev/null) || libraries=
  command -v jq >/dev/null || missing+=(jq)
  command -v curl >/dev/null || missing+=(curl)
  command -v git >/dev/null || missing+=(git)
  command -v python3 >/dev/null || missing+=(python3)
  has_any /usr/include/jansson.h /usr/local/include/jansson.h || missing+=(libjansson-dev)
  [[ $libraries == *libcurl.so.4* ]] || missing+=(libcurl4)
  has_any /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/cert.pem || missing+=(ca-certificates)
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null ||
    fail "this is missing, and there is no apt-get to install it with; the names are Debian's: ${missing[*]}"
  [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null || fail "as root, please: apt-get install ${missing[*]}"
  note "installing ${missing[*]}"
  {
    as_root apt-get update -qq &&
      as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
  } >"$folder/log" 2>&1 </dev/null || fail_with_log "apt-get could not install ${missing[*]}"
}

install_on_macos() {
  local missing=()
  command -v jq >/dev/null || missing+=(jq)
  command -v python3 >/dev/null || missing+=(python3)
  has_any /opt/homebrew/include/jansson.h /usr/local/include/jansson.h || missing+=(jansson)
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v brew >/dev/null || fail "this is missing, and there is no brew (https://brew.sh) to install it with: ${missing[*]}"
  note "installing ${missing[*]}"
  brew install --quiet "${missing[@]}" >"$folder/log" 2>&1 </dev/null || fail_with_log "brew could not install ${missing[*]}"
}

fail_with_log() {
  cat "$folder/log" >&2
  fail "$@"
}

build() {
  command -v swift >/dev/null || fail "swift is missing; Swift 6.1 or later comes from https://www.swift.org/install"
  if [ -x "$root/.build/release/oauth-stdio" ]; then
    note "building"
  else
    note "building, which takes five to twenty minutes the first time"
  fi
  attend "$root/Sources/packaging/progress.sh" "$folder/log" "$root/Sources/packaging/release.sh" --product oauth-stdio ||
    fail_with_log "the build failed"
}

# The two programs

start_provider() {
  [ -x "$demo_provider" ] || fail "there is no program $demo_provider"
  # The provider ends when the last writer closes this pipe, so it ends even if the script is killed.
  mkfifo "$folder/life"
  exec 5<>"$folder/life"
  : >"$folder/provider"
  "$demo_provider" --until-stdin-closes <"$folder/life" >"$folder/provider" 5>&- &
  children+=($!)
  local deadline=$((SECONDS + patience))
  until issuer=$(jq -er .issuer "$folder/provider" 2>/dev/null) && [ -n "$issuer" ]; do
    kill -0 $! 2>/dev/null || fail "the provider ended before it said where it is: $demo_provider"
    [ $SECONDS -lt $deadline ] || fail "the provider did not say where it is within $patience seconds: $demo_provider"
    sleep 0.05
  done
}

start_oauth_stdio() {
  [ -x "$oauth_stdio" ] || fail "there is no program $oauth_stdio"
  echo '{}' >"$folder/config.json"
  mkfifo "$folder/requests" "$folder/answers"
  "$oauth_stdio" --store "$folder/store" --config "$folder/config.json" <"$folder/requests" >"$folder/answers" 5>&- &
  children+=($!)
  program=$!
  # A failing write reports that the program has ended. SIGPIPE would end the script without a message.
  trap '' PIPE
  exec 3>"$folder/requests" 4<"$folder/answers"
}

# The conversation

has_browser() {
  [ "${QUICKSTART_HEADLESS:-}" != 1 ] && [ -t 0 ] && [ -t 1 ] || return 1
  # BROWSER= means no browser, whatever else is set.
  if [ -n "${BROWSER+set}" ]; then [ -n "$BROWSER" ]; return; fi
  if [ "$(uname)" = Darwin ]; then return 0; fi
  if [ -n "${WSL_DISTRO_NAME:-}" ] && command -v wslview >/dev/null; then return 0; fi
  [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && command -v xdg-open >/dev/null
}

# Does what the page's button would do. The page then redirects the browser, here curl, to oauth-stdio's own address.
sign_in() {
  if $browser; then
    note "your browser shows this page now; press Allow there (if nothing shows up, open the URL above yourself)"
    return
  fi
  note "no browser here, so curl signs in: the same page, with demo_auto=allow at the end"
  local status page
  attend curl -sSL --noproxy '*' --max-time "$patience" -o "$folder/page" -w '%{http_code} %{url_effective}\n' \
    "$1&demo_auto=allow" >"$folder/seen" || fail "the sign-in page could not be fetched: $1"
  read -r status page <"$folder/seen"
  # The answer reports an error after the redirect. Without a redirect there is no answer, so check the status here.
  [ "$status" -lt 400 ] || [[ $page != "$issuer"/* ]] || fail "the sign-in page has status $status: $1"
}

# Sends a request and shows all messages up to its answer, whose result is then in $result.
request() {
  local method=$1 params=$2 message line
  id=$((id + 1))
  message=$(jq -cn --argjson id "$id" --arg method "$method" --argjson params "$params" \
    '{jsonrpc: "2.0", id: $id, method: $method, params: $params}')
  show '-->' "$sent_colour" "$message"
  printf '%s\n' "$message" 2>/dev/null >&3 || fail "$method: oauth-stdio has ended"
  while IFS= read -r -t "$line_patience" line <&4; do
    show '<--' "$received_colour" "$line"
    case $(jq -r '.method // "answer"' <<<"$line") in
      signInWasRequested) sign_in "$(jq -r .params.url <<<"$line")" ;;
      answer)
        [ "$(jq .id <<<"$line")" = "$id" ] || fail "$method: this answers another request: $line"
        result=$(jq -ce .result <<<"$line") || fail "$method: $(jq -r .error.message <<<"$line")"
        return
        ;;
    esac
  done
  if kill -0 "$program" 2>/dev/null; then fail "$method: no answer within $line_patience seconds"; fi
  fail "$method: oauth-stdio ended without an answer"
}

# expect CONDITION WHAT: fails with WHAT unless the result meets the jq condition.
expect() { jq -e "$1" <<<"$result" >/dev/null || fail "$2"; }

trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
folder=$(mktemp -d "${TMPDIR:-/tmp}/oauth-stdio-quickstart.XXXXXX")

if [ "$(uname)" = Darwin ]; then install_on_macos; else install_on_linux; fi
[ "${QUICKSTART_SKIP_BUILD:-}" = 1 ] || build

start_provider
note "a provider runs at $issuer"
start_oauth_stdio

id=0
if has_browser; then browser=true line_patience=$person_patience; else browser=false line_patience=$patience; fi

note "authorize: nothing is stored yet, so you have to sign in"
request authorize "$(jq -cn --arg issuer "$issuer" --argjson browser $browser --argjson timeout $line_patience '{
  account: "demo", clientId: "demo", scopes: ["profile", "read"], openBrowser: $browser, timeout: $timeout,
  provider: {
    issuer: $issuer, authorizationEndpoint: "\($issuer)/authorize", tokenEndpoint: "\($issuer)/token",
    revocationEndpoint: "\($issuer)/revoke", apiBase: "\($issuer)/api/"
  }
}')"
expect '.status == "authorized"' "authorize: the account cannot be used"
line_patience=$patience

note "callAPI: the account's name is enough; the token is added on the way"
request callAPI '{"account":"demo","url":"me","as":"json"}'
expect '.json.user == "demo"' "callAPI: the service saw another user"

note "refresh: force replaces a token that would still do"
request refresh '{"account":"demo","force":true}'
expect .refreshed "refresh: the token was not replaced"

note "callAPI: the same call with the new token"
request callAPI '{"account":"demo","url":"me","as":"json"}'
expect '.json.user == "demo"' "callAPI: the service saw another user"

note "revoke: the provider is told, then the grant is forgotten"
request revoke '{"account":"demo"}'
expect .revoked "revoke: the provider did not confirm it"

# The program ends at the end of its input.
exec 3>&-
wait "$program" || fail "oauth-stdio ended with status $?"
note "every step worked. What to type next:"
cat <<END
  examples/install.sh                    installs the program in ~/.local
  oauth-stdio login github               signs you in at GitHub, and asks for what is missing
  examples/demo-provider --port 8040     goes on with the demo: README.md, "Quick start"
The same steps in other languages are in $root/examples
END

#!/usr/bin/env bash
# Compares oauth-stdio with the minimum cost of the same work, with `bridges` its MCP bridge with others, and with `door` its HTTP door. run.py, bridges.py and door.py explain each ratio.
# Builds the release unless OAUTH_STDIO names a program. Needs cc, libjansson-dev and curl. Installs what is missing of nginx, oidc-agent and the peers.
set -euo pipefail
if ! { command -v nginx || [ -x /usr/sbin/nginx ]; } >/dev/null || ! command -v oidc-token >/dev/null || ! command -v valgrind >/dev/null || ! [ -d /usr/share/gocode/src/golang.org/x/oauth2 ]; then
  sudo=$([ "$(id -u)" -eq 0 ] || echo sudo)
  $sudo apt-get install -y -qq --no-install-recommends nginx-light oidc-agent-cli valgrind strace golang golang-golang-x-oauth2-dev nodejs >/dev/null
fi
peers=$(dirname "$0")/../../.build-peers
[ -d "$peers" ] || { python3 -m venv "$peers" && "$peers/bin/pip" install -q httpx requests-oauthlib; }
[ -x "$peers/bin/fastmcp-remote" ] || "$peers/bin/pip" install -q mcp-stdio==0.45.2 fastmcp-remote==4.1.4
[ -n "${OAUTH_STDIO:-}" ] || "$(dirname "$0")/../../Sources/packaging/release.sh" >&2
case ${1:-} in
bridges | door)
  script=$(dirname "$0")/$1.py
  shift
  exec python3 "$script" "$@"
  ;;
esac
exec python3 "$(dirname "$0")/run.py" "$@"

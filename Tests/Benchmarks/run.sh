#!/usr/bin/env bash
# Compares oauth-stdio with the minimum cost of the same work. run.py explains each ratio.
# Needs a release build, cc, libjansson-dev and curl. Installs nginx and oidc-agent if they are missing.
set -euo pipefail
if ! { command -v nginx || [ -x /usr/sbin/nginx ]; } >/dev/null || ! command -v oidc-token >/dev/null; then
  sudo=$([ "$(id -u)" -eq 0 ] || echo sudo)
  $sudo apt-get install -y -qq --no-install-recommends nginx-light oidc-agent-cli >/dev/null
fi
exec python3 "$(dirname "$0")/run.py" "$@"

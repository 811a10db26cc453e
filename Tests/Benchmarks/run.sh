#!/usr/bin/env bash
# Compares oauth-stdio with the minimum cost of the same work. run.py explains each ratio.
# Needs a release build, cc, libjansson-dev and curl. Installs nginx if it is missing.
set -euo pipefail
if ! command -v nginx >/dev/null && [ ! -x /usr/sbin/nginx ]; then
  sudo=$([ "$(id -u)" -eq 0 ] || echo sudo)
  $sudo apt-get install -y -qq --no-install-recommends nginx-light >/dev/null
fi
exec python3 "$(dirname "$0")/run.py" "$@"

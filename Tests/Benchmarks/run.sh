#!/usr/bin/env bash
# Measures oauth-stdio beside the least that the same work can cost; run.py says what each ratio means.
# Needs a release build, cc, libjansson-dev and curl; nginx is installed where it is missing.
set -euo pipefail
if ! command -v nginx >/dev/null && [ ! -x /usr/sbin/nginx ]; then
  sudo=$([ "$(id -u)" -eq 0 ] || echo sudo)
  $sudo apt-get install -y -qq --no-install-recommends nginx-light >/dev/null
fi
exec python3 "$(dirname "$0")/run.py" "$@"

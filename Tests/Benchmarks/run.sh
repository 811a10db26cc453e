#!/usr/bin/env bash
# Measures oauth-stdio beside the least that the same work can cost; run.py says what each ratio means. Needs a release build, cc, libjansson-dev and curl.
exec python3 "$(dirname "$0")/run.py" "$@"

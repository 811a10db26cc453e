#!/usr/bin/env bash
# Writes all of schemas/, first the program's three schemas and then their reference. Also writes the generated parts of the typed clients
# and the index of the transcripts.
# Builds the program first unless OAUTH_STDIO names one.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -n "${OAUTH_STDIO:-}" ] || Sources/packaging/release.sh --product oauth-stdio
for name in openrpc config provider; do
  text=$("${OAUTH_STDIO:-.build/release/oauth-stdio}" "--schema=$name")
  printf '%s\n' "$text" >"schemas/$name.json"
done
text=$(Tests/reference.py)
printf '%s\n' "$text" >schemas/README.md
text=$(Tests/clients.py python)
printf '%s\n' "$text" >examples/python/src/oauth_stdio/generated.py
text=$(Tests/clients.py typescript)
printf '%s\n' "$text" >examples/typescript/src/generated.ts
text=$(Tests/transcripts.py)
printf '%s\n' "$text" >Tests/Process/Transcripts/README.md

#!/usr/bin/env bash
# Prints who the API says you are. It asks you to sign in if that is necessary.
#
#   examples/shell.sh [ACCOUNT [URL]]     default: github user
#
# OAUTH_STDIO   the program (default: oauth-stdio)
# OAUTH_CONFIG  the configuration file, such as config.json in this folder (default: the program's own)
#
# It needs jq. A script that only needs the token says TOKEN=$(oauth-stdio token github).
set -euo pipefail
account=${1:-github}

oauth() { "${OAUTH_STDIO:-oauth-stdio}" ${OAUTH_CONFIG:+--config "$OAUTH_CONFIG"} "$@"; }

# Does nothing if the user has signed in before.
oauth login "$account" || exit 1
answer=$(oauth call "$account" "${2:-user}") || exit 1
jq -r '.login // .username // .name // .user // .' <<<"$answer"

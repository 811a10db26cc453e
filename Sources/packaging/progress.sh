#!/usr/bin/env bash
# Shows where a build is, because the first one takes minutes: runs a command of swift, and writes all that it prints into a file.
#
#   Sources/packaging/progress.sh LOG COMMAND...
#
# Prints a line on standard error every ten seconds, such as `[123/408] compiling OAuth`. The status is the command's.
set -uo pipefail
log=$1
shift
"$@" >"$log" 2>&1 </dev/null &
build=$!
trap 'kill $build 2>/dev/null; wait $build; exit 143' TERM INT HUP
next=$((SECONDS + 10))
while kill -0 $build 2>/dev/null; do
  sleep 0.2
  [ $SECONDS -ge $next ] || continue
  next=$((SECONDS + 10))
  # The last step: its number, and what happens to which module.
  read -r number verb subject _ < <(grep -aE '^\[[0-9]+/[0-9]+\] ' "$log" | tail -n 1) || number=
  if [ -n "$number" ]; then
    printf '%s %s %s\n' "$number" "$(tr '[:upper:]' '[:lower:]' <<<"${verb:-building}")" "${subject:-}" >&2
  else
    echo "[$SECONDS s] preparing the build" >&2
  fi
done
wait $build

#!/usr/bin/env bash
# Runs the program's tests: installs what is missing, builds, and runs the unit tests and the process tests, each when its own build is there.
# Shows the seconds of each step and the slowest process tests. The last line is the number of passed and failed tests. The status is 0 only
# if all passed. Arguments go to pytest. Tests/long.sh runs the tests of packages, generators and examples.
set -uo pipefail
cd "$(dirname "$0")/.."
exec 3>&2

# step NAME COMMAND...: runs the command and shows how long it took.
step() {
  local began=$SECONDS status=0
  "${@:2}" || status=$?
  printf '[%4d s] %s\n' $((SECONDS - began)) "$1" >&3
  return $status
}

reports=.build-tests/reports
rm -rf "$reports"
mkdir -p "$reports"
step "what the builds need is installed" Tests/install.sh build || exit 1
swift package resolve || exit 1

# Installs while the builds run. A second call waits for the first one, and then finds nothing missing.
install() { flock -o "$reports" Tests/install.sh; }

unit_tests() {
  step "the debug build" \
    swift build --build-tests --explicit-target-dependency-import-check error --scratch-path .build-debug || return
  install || return
  # The tests of the stores use a database. It ends with its input.
  coproc database { exec .build-tests/venv/bin/python Tests/Process/databases.py; }
  read -r OAUTH_STDIO_TEST_DATABASE <&"${database[0]}" || return
  export OAUTH_STDIO_TEST_DATABASE
  step "the unit tests" swift test --skip-build --scratch-path .build-debug
}

process_tests() {
  step "the release build" Sources/packaging/progress.sh "$reports/build.log" Sources/packaging/release.sh --product oauth-stdio ||
    { cat "$reports/build.log"; return 1; }
  install || return
  # A process test mostly waits. Tests move to a worker that has none left.
  step "the process tests" .build-tests/venv/bin/python -m pytest Tests/Process -m "not ci" -n 4 --dist worksteal --durations=30 \
    --junitxml "$reports/pytest.xml" "$@"
}

trap 'kill $(jobs -p) 2>/dev/null' EXIT
step "what the tests need is installed" install &
unit_tests >"$reports/swift.log" 2>&1 &
units=$!
process_tests "$@"
process_status=$?
wait $units
unit_status=$?
[ "$unit_status" -eq 0 ] || grep -E '✘|error: ' "$reports/swift.log" >&2
printf '[%4d s] all of it\n' $SECONDS >&3
.build-tests/venv/bin/python Tests/summary.py "$reports" "$unit_status" "$process_status"

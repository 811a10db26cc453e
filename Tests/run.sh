#!/usr/bin/env bash
# Runs all tests: installs what is missing, builds, and runs the unit tests and then the process tests.
# The last line is the number of passed and failed tests. The status is 0 only if all passed. Arguments go to pytest.
set -uo pipefail
cd "$(dirname "$0")/.."
Tests/install.sh || exit 1
reports=.build-tests/reports
rm -rf "$reports"
mkdir -p "$reports"

# The two builds run in parallel, each in its own folder, because much of the release build uses only one processor.
swift package resolve || exit 1
swift build --build-tests --explicit-target-dependency-import-check error --scratch-path .build-debug >"$reports/debug-build.log" 2>&1 &
debug_build=$!
trap 'kill $(jobs -p) 2>/dev/null' EXIT
# No library of ours is beside the binary. With a local rpath, the loader would look for libraries in 26 places there.
# The linker strips the binary, and debug information makes a build from nothing take 14 s longer.
swift build -c release --disable-local-rpath -debug-info-format none
release_status=$?
wait "$debug_build"
debug_status=$?
if [ "$debug_status" -ne 0 ]; then
  cat "$reports/debug-build.log" >&2
fi
[ "$release_status" -eq 0 ] && [ "$debug_status" -eq 0 ] || exit 1

# The unit tests of the stores use a database as well. It ends with its input.
coproc database { exec .build-tests/venv/bin/python Tests/Process/databases.py; }
read -r uri <&"${database[0]}" || exit 1
OAUTH_STDIO_TEST_DATABASE=$uri swift test --skip-build --scratch-path .build-debug 2>&1 | tee "$reports/swift.log"
swift_status=${PIPESTATUS[0]}
exec {database[1]}>&-
# A process test mostly waits. The tests of one file share its servers.
.build-tests/venv/bin/python -m pytest Tests/Process -n 4 --dist loadfile --junitxml "$reports/pytest.xml" "$@"
pytest_status=$?

.build-tests/venv/bin/python Tests/summary.py "$reports" "$swift_status" "$pytest_status"

#!/usr/bin/env bash
# Everything that can be tested: installs what is missing, builds, runs the units and then the processes.
# The last line says how many passed and failed; the status is 0 only when all passed. Arguments go to pytest.
set -uo pipefail
cd "$(dirname "$0")/.."
Tests/install.sh || exit 1
reports=.build-tests/reports
rm -rf "$reports"
mkdir -p "$reports"

# The two builds go on at the same time, each in a folder of its own, since much of the release build keeps one processor busy.
swift package resolve || exit 1
swift build --build-tests --scratch-path .build-debug >"$reports/debug-build.log" 2>&1 &
debug_build=$!
trap 'kill $(jobs -p) 2>/dev/null' EXIT
# Nothing of ours lies beside the binary, and a loader told to look there first would do so in 26 places.
swift build -c release --disable-local-rpath
release_status=$?
wait "$debug_build"
debug_status=$?
if [ "$debug_status" -ne 0 ]; then
  cat "$reports/debug-build.log" >&2
fi
[ "$release_status" -eq 0 ] && [ "$debug_status" -eq 0 ] || exit 1

swift test --skip-build --no-parallel --scratch-path .build-debug 2>&1 | tee "$reports/swift.log"
swift_status=${PIPESTATUS[0]}
# Most of a process test is waiting; the tests of one file share its servers.
.build-tests/venv/bin/python -m pytest Tests/Process -n 4 --dist loadfile --junitxml "$reports/pytest.xml" "$@"
pytest_status=$?

.build-tests/venv/bin/python Tests/summary.py "$reports" "$swift_status" "$pytest_status"

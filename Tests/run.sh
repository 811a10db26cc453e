#!/usr/bin/env bash
# Everything that can be tested: installs what is missing, builds, runs the units and then the processes.
# The last line says how many passed and failed; the status is 0 only when all passed. Arguments go to pytest.
set -uo pipefail
cd "$(dirname "$0")/.."
Tests/install.sh || exit 1
reports=.build-tests/reports
rm -rf "$reports"
mkdir -p "$reports"

# Nothing of ours lies beside the binary, and a loader told to look there first would do so in 26 places.
swift build -c release --disable-local-rpath || exit 1
swift test --no-parallel 2>&1 | tee "$reports/swift.log"
swift_status=${PIPESTATUS[0]}
.build-tests/venv/bin/python -m pytest Tests/Process --junitxml "$reports/pytest.xml" "$@"
pytest_status=$?

.build-tests/venv/bin/python Tests/summary.py "$reports" "$swift_status" "$pytest_status"

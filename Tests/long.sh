#!/usr/bin/env bash
# Runs what Tests/run.sh leaves out: the tests of packages, generators and examples; races, faults, kills, starvation and wrong clocks against
# real servers; each fuzz target for 10 seconds; and the packages in a new system. Needs root and the builds of Tests/run.sh.
# Takes about 15 minutes. Tests/sanitizers.sh is apart, because its builds alone take as long.
set -euo pipefail
cd "$(dirname "$0")/.."
# What `time` shows after each step.
TIMEFORMAT='[%0R s]'
Tests/install.sh
# This build takes ten minutes. The steps before the fuzzing mostly wait, and leave it the processors.
nice -n 19 Tests/Fuzz/run.sh 0 &
fuzz=$!
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
time .build-tests/venv/bin/python -m pytest Tests/Process -m ci -n 4 --dist loadfile --durations=10
# Two halves run at once, because each mostly waits.
endurance=(.build-tests/venv/bin/python Tests/Endurance/run.py --seconds 90 --rounds 150)
"${endurance[@]}" race machines clock accounts kill starvation >.build-tests/endurance.log 2>&1 &
half=$!
time "${endurance[@]}" disk methods
time wait $half || { cat .build-tests/endurance.log; exit 1; }
cat .build-tests/endurance.log
time .build-tests/venv/bin/python Tests/packaging.py --here
wait $fuzz
time Tests/Fuzz/run.sh 10

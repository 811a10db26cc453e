#!/usr/bin/env bash
# Runs what takes too long for Tests/run.sh: races, faults, kills, starvation and wrong clocks against real servers, each fuzz target for
# 30 seconds, and the packages in new systems. Needs root and the builds of Tests/run.sh. Takes about 30 minutes.
# Tests/sanitizers.sh is apart, because its builds alone take as long.
set -euo pipefail
cd "$(dirname "$0")/.."
Tests/install.sh
.build-tests/venv/bin/python Tests/Endurance/run.py --seconds 180 --rounds 300
Tests/Fuzz/run.sh 30
.build-tests/venv/bin/python Tests/packaging.py

#!/usr/bin/env python3
"""Adds up what ran: `summary.py REPORTS SWIFT_STATUS PYTEST_STATUS` prints `N passed, N failed` and fails when anything did.

A run that ended badly without a failing test (a crash, nothing collected) counts as one failure.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def swift_counts(log: str) -> tuple[int, int]:
    """Reads Swift Testing's own summary lines, which count test functions."""
    ended = re.findall(r"Test run with (\d+) tests?(?: in \d+ suites?)? (passed|failed)", log)
    total = sum(int(count) for count, _ in ended)
    # Matches "􀢄  Test name() failed after …" and its plain spelling. Suites and the whole run fail with their tests and don't count.
    failed = len(re.findall(r"^\S+\s+Test (?!run with )\S.* failed after ", log, re.MULTILINE))
    return max(0, total - failed), failed


def pytest_counts(report: Path) -> tuple[int, int, int]:
    suites = ElementTree.parse(report).getroot().iter("testsuite")
    total = failed = skipped = 0
    for suite in suites:
        total += int(suite.get("tests", 0))
        failed += int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        skipped += int(suite.get("skipped", 0))
    return total - failed - skipped, failed, skipped


def main() -> int:
    reports, swift_status, pytest_status = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    passed, failed = swift_counts((reports / "swift.log").read_text(errors="replace"))
    if swift_status != 0 and failed == 0:
        failed += 1
    process_passed = process_failed = skipped = 0
    if (reports / "pytest.xml").exists():
        process_passed, process_failed, skipped = pytest_counts(reports / "pytest.xml")
    if pytest_status != 0 and process_failed == 0:
        process_failed += 1
    passed, failed = passed + process_passed, failed + process_failed
    if skipped:
        print(f"{skipped} skipped")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

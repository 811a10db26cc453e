#!/usr/bin/env python3
"""Prints what the sources consist of: files, lines and lines of code by target, locks, and members that are functions.

A lock is a declaration of a Mutex, an Atomic or a Flag, local ones included. A member is a function if its type has an arrow.
"""

import re
from collections import Counter
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent / "Sources"
LOCK = re.compile(r"\b(?:let|var) \w+(?:: [\w.<>\[\]?, :]+)? ?= ?(?:Mutex|Atomic|Flag)\b|\b(?:let|var) \w+: (?:Mutex|Atomic|Flag)\b")
# At the depth of a member: two blanks for each brace around it, in a type and not in a function.
FUNCTION = re.compile(r"^ {2,6}(?:package |private |fileprivate |private\(set\) )?(?:let|var) \w+:[^={]*->")


def main() -> None:
    files, lines, code, locks, members = Counter(), Counter(), Counter(), Counter(), Counter()
    for file in sorted(SOURCES.rglob("*.swift")):
        target, text = file.relative_to(SOURCES).parts[0], file.read_text()
        files[target] += 1
        lines[target] += len(text.splitlines())
        code[target] += sum(bool(line.strip()) and not line.strip().startswith("//") for line in text.splitlines())
        locks[target] += len(LOCK.findall(text))
        members[target] += sum(bool(FUNCTION.match(line)) for line in text.splitlines())
    print(f"{'target':14} {'files':>6} {'lines':>6} {'code':>6} {'locks':>6} {'functions':>10}")
    for target in [*sorted(lines, key=lambda name: -lines[name]), "all"]:
        shown = [sum(each.values()) if target == "all" else each[target] for each in (files, lines, code, locks, members)]
        print(f"{target:14} {shown[0]:6} {shown[1]:6} {shown[2]:6} {shown[3]:6} {shown[4]:10}")


main()

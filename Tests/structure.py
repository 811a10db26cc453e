#!/usr/bin/env python3
"""Checks the structure of Sources: each import is a declared dependency, and the folders of one target depend on each other one way.
No Swift file imports Glibc outside an `#if`. Only Platform reads the machine's clock and sleeps. A target has at most 90 files.

Prints one line for each violation and exits with status 1. The compiler alone is not enough: it accepts an import that another dependency brings,
and it does not know folders.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

SYSTEM = {"Darwin", "Dispatch", "Foundation", "Glibc", "Musl", "Security", "Synchronization"}
DECLARATION = re.compile(r"^(?:package |final |indirect |@\w+ )*(?:struct|class|enum|actor|protocol|typealias|func) (\w+)", re.M)


def code(text: str) -> str:
    """Returns the text without comments and without strings, except those with an interpolation."""
    lines = re.sub(r"//[^\n]*", "", text).split("\n")
    return "\n".join(line if "\\(" in line else re.sub(r'"(\\.|[^"\\])*"', '""', line) for line in lines)


def declared(root: pathlib.Path) -> dict[str, set[str]]:
    """Returns the modules that each target of Package.swift may import."""
    text = subprocess.run(["swift", "package", "dump-package"], cwd=root, check=True, capture_output=True, text=True).stdout
    found = {}
    for target in json.loads(text)["targets"]:
        names = [dependency.get("byName", dependency.get("product", dependency.get("target")))[0] for dependency in target["dependencies"]]
        found[target["name"]] = set(names)
    return found


def imports(folder: pathlib.Path, allowed: set[str]) -> list[str]:
    """Returns a line for each import of a Swift file below the folder that the target does not declare."""
    wrong = []
    for path in sorted(folder.rglob("*.swift")):
        for name in re.findall(r"^\s*(?:@\w+ )?import (\w+)", path.read_text(), re.M):
            if name not in allowed | SYSTEM:
                wrong.append(f"{path}: imports {name}, which {folder.name} does not declare")
    return wrong


def edges(folder: pathlib.Path) -> dict[str, dict[str, str]]:
    """Returns which folder of the target uses which other one, with one example each."""
    texts = {path: code(path.read_text()) for path in sorted(folder.rglob("*.swift"))}
    homes = {}
    for path, text in texts.items():
        for name in DECLARATION.findall(text):
            homes.setdefault(name, path)
    found = collections.defaultdict(dict)
    for path, text in texts.items():
        own = str(path.parent.relative_to(folder))
        for word in set(re.findall(r"\b\w+\b", text)):
            other = str(homes[word].parent.relative_to(folder)) if word in homes else own
            if other != own:
                found[own].setdefault(other, f"{path.name} uses {word}")
    return found


def cycles(folder: pathlib.Path) -> list[str]:
    """Returns a line for each use between folders that is part of a cycle."""
    graph = edges(folder)

    def reaches(start: str, goal: str) -> bool:
        seen, waiting = set(), [start]
        while waiting:
            place = waiting.pop()
            if place == goal:
                return True
            if place not in seen:
                seen.add(place)
                waiting += graph.get(place, {})
        return False

    return [
        f"{folder}: {own} -> {other} is part of a cycle: {example}"
        for own, uses in sorted(graph.items())
        for other, example in sorted(uses.items())
        if reaches(other, own)
    ]


def unguarded(folder: pathlib.Path) -> list[str]:
    """Returns a line for each `import Glibc` outside an `#if`, which no other system could compile."""
    found = (path for path in sorted(folder.rglob("*.swift")) if re.search(r"^import Glibc$", path.read_text(), re.M))
    return [f"{path}: imports Glibc outside an #if" for path in found]


def clocks(sources: pathlib.Path) -> list[str]:
    """Returns a line for each file outside Platform that reads the machine's clock or sleeps. All others get a `Clock`."""
    found = []
    for path in sorted(sources.rglob("*.swift")):
        if path.relative_to(sources).parts[0] != "Platform":
            for use in re.findall(r"\b(?:ContinuousClock|SuspendingClock|Task\.sleep|time\(nil\)|clock_gettime|gettimeofday)", code(path.read_text())):
                found.append(f"{path}: {use} stands outside Platform, whose Clock is handed in")
    return found


def writers(sources: pathlib.Path) -> list[str]:
    """Returns a line for each place outside Store and `Account.change` that locks an account or changes its grant."""
    found = []
    for path in sorted(sources.rglob("*.swift")):
        if path.relative_to(sources).parts[0] != "Store" and path.name != "Account+Changing.swift":
            for use in re.findall(r"\bstore\.(?:write|remove|lock|lockForRefresh)\(", code(path.read_text())):
                found.append(f"{path}: {use} stands outside Account.change, which alone changes a grant")
    return found


def main(root: pathlib.Path) -> int:
    wrong = unguarded(root / "Sources") + unguarded(root / "Tests") + clocks(root / "Sources") + writers(root / "Sources")
    for name, allowed in declared(root).items():
        folder = root / "Sources" / name
        if folder.is_dir():
            wrong += imports(folder, allowed) + cycles(folder)
            if (count := len(list(folder.rglob("*.swift")))) > 90:
                wrong.append(f"{folder} has {count} files, and at most 90 are allowed")
    print("\n".join(wrong) or "every import is declared, and no folders depend on each other in a cycle")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(__file__).resolve().parent.parent))

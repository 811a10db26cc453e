#!/usr/bin/env python3
"""Prints Tests/Process/Transcripts/README.md: the notation, and each transcript's claim in the order of reading.

The committed index decides the order: a line stays after the line that it follows there. A transcript that is not in it comes last in its folder.
Tests/regenerate.sh writes the file, and a process test compares it with what this program prints.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "Process"))

import transcript

FOLDER = Path(__file__).resolve().parent / "Process" / "Transcripts"
INDEX = FOLDER / "README.md"

HEAD = """# Transcripts

Each transcript is one run of the process: every message in, every message out, and every request to the provider, byte for byte.
Its first comment says what it shows, and is repeated here. A test plays every transcript with lines, with headers, and in one-byte pieces.

The folders and the lines are in the order of reading. Begin with [sign-in-and-call](1-start/sign-in-and-call.rpc).
Most of the others use the account `me`, which `% account` changes and `% signed-in` signs in.
Values that change from run to run are placeholders: `<<name:kind>>` binds a value at its first use, and `<<name>>` is that value later.
"""

ABOUT = {
    "1-start": ("Start", "The main job, from the first page to the revocation."),
    "2-sign-in": ("Sign-in", "How the user reaches the page, how the answer comes back, and what ends a sign-in."),
    "3-tokens": ("Tokens", "How tokens are refreshed, read, revoked and imported."),
    "4-calls": ("Calls", "How the process calls an API, and how a client can do so itself."),
    "5-providers": ("Providers", "How presets and descriptions express what a provider does differently, with OAuth 1.0a and OpenID."),
    "6-protocol": ("Protocol", "JSON-RPC itself: sessions, events, batches, cancellation, invalid input, and the end of the process."),
}


class Fault(Exception):
    """The folders hold something that the index cannot list."""


def files(folder: Path = FOLDER) -> list[Path]:
    """Returns all transcripts. A name is unique in all folders, because it names the tests."""
    found = sorted(folder.rglob("*.rpc"))
    names = [file.stem for file in found]
    for file in found:
        if file.parent.parent != folder or file.parent.name not in ABOUT:
            raise Fault(f"{file.relative_to(folder)} is in none of the folders {', '.join(ABOUT)}")
        if names.count(file.stem) > 1:
            raise Fault(f"two transcripts have the name {file.name}")
    return found


def claim(file: Path) -> str:
    """Returns the text of the first comment, which is one line of whole sentences."""
    text = next((line[1:].strip() for line in file.read_text().splitlines() if line.startswith("#")), "")
    if not text.endswith("."):
        raise Fault(f"{file.name} does not begin with a claim, a comment of whole sentences")
    return text


def notation() -> str:
    """Returns the part of the reader's documentation that the reader of a transcript needs."""
    lines = transcript.__doc__.strip().splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith("    "))
    end = next(number for number in range(begin, len(lines)) if not lines[number].strip())
    table = "\n".join(line[4:] for line in lines[begin:end])
    return f"## Notation\n```text\n{table}\n```\n" + "\n".join(lines[end:]) + "\n"


def order(committed: str) -> list[str]:
    return re.findall(r"^\* \[[^]]*\]\(([^)]*)\)", committed, re.MULTILINE)


def index(folder: Path = FOLDER, committed: str = "") -> str:
    places = {path: place for place, path in enumerate(order(committed))}
    parts = [HEAD, notation()]
    for name, (title, about) in ABOUT.items():
        listed = [file for file in files(folder) if file.parent.name == name]
        listed.sort(key=lambda file: places.get(f"{name}/{file.name}", len(places)))
        lines = [f"* [{file.stem}]({name}/{file.name}): {claim(file)}" for file in listed]
        parts.append("\n".join([f"## {title}", about, "", *lines]) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    try:
        print(index(committed=INDEX.read_text() if INDEX.exists() else ""), end="")
    except Fault as fault:
        sys.exit(f"Tests/transcripts.py: {fault}")

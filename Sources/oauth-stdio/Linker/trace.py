#!/usr/bin/env python3
"""Writes start.symbols anew: what a release binary touches up to its first answers, functions and data, in the order of the first touch.

Needs valgrind and nm. To be run after larger changes; names that are gone do no harm, and ones that are missing only cost time.
"""

import bisect
import os
import re
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BINARY = ROOT / ".build" / "release" / "oauth-stdio"
# The first request of most clients, and the one that Tests/Benchmarks asks.
REQUESTS = (
    '{"jsonrpc":"2.0","id":1,"method":"account","params":{"account":"unknown"}}\n'
    '{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"processId":null}}\n'
)


def build(**environment: str) -> None:
    command = ["swift", "build", "-c", "release", "--disable-local-rpath", "--product", "oauth-stdio"]
    subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, **environment})


def symbols() -> tuple[list[tuple[int, int, str]], dict[str, int]]:
    """Address, size and name of all that has a size, by address; and every name's address."""
    sized, named = [], {}
    for line in subprocess.run(["nm", "-S", BINARY], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines():
        words = line.split()
        named[words[-1]] = int(words[0], 16) if len(words) > 2 else 0
        if len(words) == 4 and words[2] in "tTdDbBrRwWvV":
            sized.append((int(words[0], 16), int(words[1], 16), words[3]))
    return sorted(sized), named


def trace() -> list[int]:
    """Every address that is executed, read or written, in the order of time."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        subprocess.run(
            ["valgrind", "--tool=lackey", "--trace-mem=yes", f"--log-file={log}", BINARY, "--store", folder, "--events", "none"],
            input=REQUESTS, text=True, check=True, stdout=subprocess.DEVNULL)
        return [int(address, 16) for address in re.findall(r"^(?:I | S| L| M) +([0-9a-f]+),", log.read_text(), re.M)]


def main() -> None:
    build(OAUTH_STDIO_SYMBOLS="1")
    sized, named = symbols()
    addresses = trace()
    touched = set(addresses)
    # Valgrind loads the program where it likes, at the beginning of a page; all of these have run.
    start = named["_start"]
    known = [named[name] for name in ("oauth_stdio_main", "swift_retain", "swift_release", "swift_allocObject", "json_loadb")]
    bases = {address - start for address in touched if (address - start) % 4096 == 0}
    base = next(base for base in bases if all(base + address in touched for address in known))
    # The loader's relocations, which are made before, touch all data in any case.
    addresses = list(dict.fromkeys(addresses[addresses.index(base + start):]))
    begins = [address for address, _, _ in sized]
    names: dict[str, None] = {}
    for address in addresses:
        index = bisect.bisect_right(begins, address - base) - 1
        if index >= 0 and address - base < begins[index] + sized[index][1]:
            # Several names may stand at one address; they are all of one section, so that any will do.
            here = begins[index]
            names[min((name for _, _, name in sized[bisect.bisect_left(begins, here):index + 1]), key=len)] = None
    lines = ["# What runs and what is touched up to the first answers, in that order; written by trace.py.", *names]
    (HERE / "start.symbols").write_text("\n".join(lines) + "\n")
    build()


if __name__ == "__main__":
    main()

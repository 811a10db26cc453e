#!/usr/bin/env python3
"""Prints the files of Sources with a function that one request executes: a measure of how far a reader has to walk.

Builds with coverage into .build-coverage, and runs each request in a process of its own. What a second process without the request executes
does not count. Usage: Tests/walks.py [METHOD…] [--files]
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build-coverage"
PROGRAM = BUILD / "debug" / "oauth-stdio"
# The tools of the compiler itself: another version cannot read its counters.
TOOLS = Path(shutil.which("swift")).resolve().parent
RUNS = 4
METHODS = ["callAPI", "authorize", "refresh", "signOut"]
FLAGS = ["-profile-generate", "-profile-coverage-mapping"]
# The process ends with _exit, which writes no counters. The function that does is no symbol for a library.
SHIM = """
#define _GNU_SOURCE
#include <link.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
static int base(struct dl_phdr_info *info, size_t size, void *found) { *(ElfW(Addr) *)found = info->dlpi_addr; return 1; }
void _exit(int status) {
  ElfW(Addr) start = 0;
  dl_iterate_phdr(base, &start);
  ((int (*)(void))(start + strtoul(getenv("WRITE_COUNTERS"), 0, 16)))();
  for (;;) syscall(SYS_exit_group, status);
}
"""


def build() -> None:
    flags = [word for flag in FLAGS for word in ("-Xswiftc", flag)]
    subprocess.run(["swift", "build", "--product", "oauth-stdio", "--scratch-path", BUILD, *flags], cwd=ROOT, check=True, stdout=sys.stderr)
    subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", BUILD / "exit.so", "-ldl"], input=SHIM, text=True, check=True)


def counts(folder: Path, method: str | None, signs_in: bool) -> dict[tuple[str, str], int]:
    """Returns how often each function was executed, by its name and file, in a process that serves one request of the method."""
    from rpc import Peer
    from signing_in import TokenProvider, authorize

    params = {"callAPI": {"account": "a", "url": "x"}, "refresh": {"account": "a", "force": True}, "signOut": {"account": "a"}}
    folder.mkdir()
    symbols = subprocess.run(["nm", PROGRAM], check=True, capture_output=True, text=True).stdout
    place = next(line.split()[0] for line in symbols.splitlines() if line.endswith(" __llvm_profile_write_file"))
    environment = {"LLVM_PROFILE_FILE": f"{folder}/%p.profraw", "LD_PRELOAD": str(BUILD / "exit.so"), "WRITE_COUNTERS": place}
    with TokenProvider() as provider, Peer(home=folder, environment=environment) as peer:
        peer.request("providers")
        if signs_in:
            authorize(peer, provider.approve, **provider.parameters())
        if method in params:
            peer.request(method, params[method])
        peer.finish()
    merged = folder / "merged"
    subprocess.run([TOOLS / "llvm-profdata", "merge", *folder.glob("*.profraw"), "-o", merged], check=True)
    found = subprocess.run([TOOLS / "llvm-cov", "export", PROGRAM, f"-instr-profile={merged}"], check=True, capture_output=True).stdout
    functions = json.loads(found)["data"][0]["functions"]
    return {(function["name"], function["filenames"][0]): function["count"] for function in functions}


def walk(folder: Path, method: str) -> list[str]:
    signs_in = method != "authorize"
    # Other work of the process varies from run to run. What counts is executed more often in each run with the request than in any without it.
    with_it = [counts(folder / f"{method}-{run}", method, True) for run in range(RUNS)]
    without = [counts(folder / f"{method}-without-{run}", None, signs_in) for run in range(RUNS)]
    most = {place: max(run.get(place, 0) for run in without) for place in with_it[0]}
    files = {place[1] for place, most in most.items() if min(run.get(place, 0) for run in with_it) > most}
    return sorted(os.path.relpath(file, ROOT / "Sources") for file in files if "/Sources/" in file and "/.build" not in file)


def main() -> None:
    methods = [word for word in sys.argv[1:] if not word.startswith("-")] or METHODS
    build()
    os.environ["OAUTH_STDIO"] = str(PROGRAM)
    sys.path[:0] = [str(ROOT / "Tests" / "Process"), str(ROOT / "Tests" / "Servers")]
    with tempfile.TemporaryDirectory() as folder:
        walks = {method: walk(Path(folder), method) for method in methods}
    for method, files in walks.items():
        lines = sum(len((ROOT / "Sources" / file).read_text().splitlines()) for file in files)
        print(f"{method:10} {len(files):4} files {lines:6} lines")
        if "--files" in sys.argv:
            print("".join(f"    {file}\n" for file in files), end="")


main()

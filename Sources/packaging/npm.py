#!/usr/bin/env python3
"""Writes the npm packages: `oauth-stdio`, whose command starts the program, and the part of one platform, which has the program.

npm.py PROGRAM VERSION FOLDER prints the names of both files. SOURCE_DATE_EPOCH is the time of their files.
npm installs the part as an optional dependency where it fits (os, cpu, libc). Elsewhere the command says what to do.
"""

import gzip
import io
import json
import os
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# The platforms of the program, as npm names them. Only this one is built and tried.
PART = "oauth-stdio-linux-x64"


def main() -> None:
    program, version, folder = sys.argv[1:]
    about = {"version": version, "license": "Apache-2.0", "engines": {"node": ">=18"}}
    texts = {"LICENSE": (ROOT / "LICENSE").read_bytes(), "copyright": (HERE / "copyright").read_bytes()}
    whole = {
        "name": "oauth-stdio", "description": "OAuth for any program that can start a process", **about,
        "bin": {"oauth-stdio": "program.js"}, "optionalDependencies": {PART: version},
    }
    part = {
        "name": PART, "description": "The program of oauth-stdio for Linux on x64", **about,
        "os": ["linux"], "cpu": ["x64"], "libc": ["glibc"],
    }
    write(folder, whole, {**texts, "README.md": (ROOT / "README.md").read_bytes(), "program.js": (HERE / "npm" / "program.js").read_bytes()})
    write(folder, part, {**texts, "oauth-stdio": Path(program).read_bytes()})


def write(folder: str, description: dict, files: dict[str, bytes]) -> None:
    """Writes a package as `npm pack` does: a tar archive whose files are below `package`."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, content in {"package.json": json.dumps(description, indent=2).encode() + b"\n", **files}.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size, entry.mtime = len(content), int(os.environ["SOURCE_DATE_EPOCH"])
            entry.mode = 0o755 if name in ("oauth-stdio", "program.js") else 0o644
            tar.addfile(entry, io.BytesIO(content))
    name = f"{description['name']}-{description['version']}.tgz"
    (Path(folder) / name).write_bytes(gzip.compress(archive.getvalue(), 9, mtime=0))
    print(name)


main()

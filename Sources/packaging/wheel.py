#!/usr/bin/env python3
"""Writes a Python wheel that carries the program, the package `oauth_stdio` and a backend for keyring. It needs no Swift.

`uvx --from FILE oauth-stdio` runs the program. `pip install FILE` installs all of it.

wheel.py PROGRAM VERSION MACHINE FOLDER prints the wheel's name. SOURCE_DATE_EPOCH is the time of its files.
"""

import base64
import hashlib
import os
import sys
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# The glibc that check.sh allows, as the tag of a platform (PEP 600).
PLATFORM = "manylinux_2_35"
# As in examples/python/pyproject.toml.
ENTRY_POINTS = "[keyring.backends]\noauth-stdio = oauth_stdio_keyring\n"


def main() -> None:
    program, version, machine, folder = sys.argv[1:]
    tag = f"py3-none-{PLATFORM}_{machine}"
    name, info = f"oauth_stdio-{version}", f"oauth_stdio-{version}.dist-info"
    description = (ROOT / "README.md").read_text()
    metadata = f"""Metadata-Version: 2.4
Name: oauth-stdio
Version: {version}
Summary: OAuth for any program that can start a process
License-Expression: Apache-2.0
License-File: LICENSE
License-File: copyright
Requires-Python: >=3.8
Description-Content-Type: text/markdown

{description}"""
    # Root-Is-Purelib is false because the wheel has machine code (binary distribution format 1.0).
    wheel = f"Wheel-Version: 1.0\nGenerator: oauth-stdio\nRoot-Is-Purelib: false\nTag: {tag}\n"
    # The program and the backend for keyring need Python 3.8, and the package says itself that it needs a later one.
    modules = ROOT / "examples" / "python" / "src"
    sources = (path for path in sorted(modules.rglob("*")) if path.suffix == ".py" or path.name == "py.typed")
    files = {
        **{str(path.relative_to(modules)): path.read_bytes() for path in sources},
        f"{name}.data/scripts/oauth-stdio": Path(program).read_bytes(),
        f"{info}/licenses/LICENSE": (ROOT / "LICENSE").read_bytes(),
        f"{info}/licenses/copyright": (ROOT / "Sources" / "packaging" / "copyright").read_bytes(),
        f"{info}/METADATA": metadata.encode(),
        f"{info}/WHEEL": wheel.encode(),
        f"{info}/entry_points.txt": ENTRY_POINTS.encode(),
    }
    records = [f"{path},sha256={digest(content)},{len(content)}\n" for path, content in files.items()]
    files[f"{info}/RECORD"] = "".join([*records, f"{info}/RECORD,,\n"]).encode()
    moment = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
    with zipfile.ZipFile(Path(folder) / f"{name}-{tag}.whl", "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, moment)
            entry.compress_type = zipfile.ZIP_DEFLATED
            # A plain file of Unix; installers copy the bit that makes it a program.
            entry.external_attr = (0o100755 if ".data/scripts/" in path else 0o100644) << 16
            archive.writestr(entry, content)
    print(f"{name}-{tag}.whl")


def digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


main()

"""How the release binary is linked."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from rpc import BINARY

pytestmark = pytest.mark.skipif("OAUTH_STDIO" in os.environ or not shutil.which("readelf"), reason="looks at a release binary of Linux")


def shown(option: str) -> str:
    return subprocess.run(["readelf", "-W", option, BINARY], capture_output=True, check=True, text=True).stdout


def test_no_table_of_addresses_stays_writable():
    """Full RELRO: the loader fills in all addresses at the start, and their pages are read-only afterwards."""
    flags = next(line for line in shown("-d").splitlines() if "(FLAGS_1)" in line)
    assert "NOW" in flags.split() and "PIE" in flags.split()
    segments = {line.split()[0]: line for line in shown("-l").splitlines() if line.startswith("  GNU_")}
    assert "GNU_RELRO" in segments
    assert " RWE " not in segments["GNU_STACK"] and " RW " in segments["GNU_STACK"]


def test_nothing_is_looked_for_beside_the_binary():
    dynamic = shown("-d")
    assert "RUNPATH" not in dynamic and "RPATH" not in dynamic
    # The Swift runtime is linked statically, libcurl is loaded later, and jansson is linked statically if the system has the archive.
    needed = [line.split("[")[1].split("]")[0] for line in dynamic.splitlines() if "(NEEDED)" in line]
    assert all(name.startswith(("libc.", "libm.", "ld-", "libjansson.", "libpthread.", "libdl.")) for name in needed), needed


def test_the_list_of_what_a_start_runs_is_not_outdated():
    """The linker puts these functions side by side and ignores unknown names. Sources/packaging/start-order.sh updates the list."""
    root = Path(__file__).resolve().parents[2]
    listed = set((root / "Sources/oauth-stdio/Linker/start.order").read_text().split())
    modules = ("OAuth", "OAuthCore", "Signatures", "Store", "JSONRPC", "Jansson", "Platform", "oauth_stdio")
    ours = {name for name in listed if name.startswith(tuple(f"$s{len(module)}{module}" for module in modules))}
    objects = [str(file) for module in modules for file in (Path(BINARY).resolve().parent / f"{module}.build").glob("*.o")]
    known = set(subprocess.run(["nm", "--defined-only", "--format=posix", *objects], capture_output=True, check=True, text=True).stdout.split())
    assert len(ours) > 400 and len(ours & known) > 0.8 * len(ours), sorted(ours - known)[:20]

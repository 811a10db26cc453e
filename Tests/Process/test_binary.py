"""How the release binary is linked."""

import os
import shutil
import subprocess

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

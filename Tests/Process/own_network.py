"""Tests marked `own_network` run in an isolated network. Each test sets the addresses of host names, and no packet leaves it."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

# In this network all four are addresses of the loopback interface, so no real host is asked.
PUBLIC, PRIVATE, OTHER_PRIVATE, LOOPBACK = "93.184.216.34", "10.9.8.7", "192.168.9.8", "127.0.0.1"
# The environment variable with the path of the file that is mounted as /etc/hosts.
HOSTS = "OWN_NETWORK_HOSTS"

ENTER = f"""
set -e
ip link set lo up
for address in {PUBLIC} {PRIVATE} {OTHER_PRIVATE}; do ip address add "$address/32" dev lo; done
mount --bind "${HOSTS}" /etc/hosts
exec "$@"
"""


def name(**addresses: str) -> None:
    """Adds host names with their addresses. `_` in a name means a dot."""
    with open(os.environ[HOSTS], "a") as file:
        for host, address in addresses.items():
            file.write(f"{address} {host.replace('_', '.')}\n")


def move(host: str, address: str) -> None:
    """Changes a host's address. The file is rewritten in place, because it is mounted."""
    path = Path(os.environ[HOSTS])
    lines = [line for line in path.read_text().splitlines() if line.split()[1:] != [host]]
    path.write_text("\n".join([*lines, f"{address} {host}"]) + "\n")


def entered(hosts: Path) -> list[str]:
    """Returns the command prefix that runs a program in the isolated network. Skips the test if the network is unavailable."""
    faults = []
    for unshare in (["unshare", "--net", "--mount"], ["unshare", "--user", "--map-root-user", "--net", "--mount"]):
        command = [*unshare, "sh", "-c", ENTER, "sh"]
        try:
            tried = subprocess.run([*command, "true"], env={**os.environ, HOSTS: str(hosts)}, capture_output=True, text=True)
        except OSError as fault:
            faults.append(str(fault))
            continue
        if tried.returncode == 0:
            return command
        faults.append(tried.stderr.strip())
    pytest.skip("no network of its own, neither as root nor in a user namespace: " + "; ".join(faults))


def pytest_pyfunc_call(pyfuncitem) -> bool | None:
    """Runs the test in another pytest in the isolated network. A failure shows that pytest's output."""
    if pyfuncitem.get_closest_marker("own_network") is None or HOSTS in os.environ:
        return None
    with tempfile.TemporaryDirectory() as folder:
        hosts = Path(folder) / "hosts"
        hosts.write_text("127.0.0.1 localhost\n")
        pytest_command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--basetemp", folder + "/tests"]
        test = f"{pyfuncitem.path}::{pyfuncitem.nodeid.partition('::')[2]}"
        ran = subprocess.run(
            [*entered(hosts), *pytest_command, test], env={**os.environ, HOSTS: str(hosts)}, capture_output=True, text=True
        )
    if ran.returncode or "1 passed" not in ran.stdout:
        pytest.fail(f"inside its own network:\n{ran.stdout}{ran.stderr}", pytrace=False)
    return True

"""Tests marked `own_network` run in a network of their own: names have the addresses that the test says, and nothing leads out of it."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

# No real host is asked: inside, all of them are addresses of the loopback interface.
PUBLIC, PRIVATE, OTHER_PRIVATE, LOOPBACK = "93.184.216.34", "10.9.8.7", "192.168.9.8", "127.0.0.1"
# The file that is /etc/hosts inside.
HOSTS = "OWN_NETWORK_HOSTS"

ENTER = f"""
set -e
ip link set lo up
for address in {PUBLIC} {PRIVATE} {OTHER_PRIVATE}; do ip address add "$address/32" dev lo; done
mount --bind "${HOSTS}" /etc/hosts
exec "$@"
"""


def name(**addresses: str) -> None:
    """Gives hosts addresses, beside those that were given before; `_` stands for the dot in a name."""
    with open(os.environ[HOSTS], "a") as file:
        for host, address in addresses.items():
            file.write(f"{address} {host.replace('_', '.')}\n")


def move(host: str, address: str) -> None:
    """Gives a host another address. The file stays the same one, because it is mounted."""
    path = Path(os.environ[HOSTS])
    lines = [line for line in path.read_text().splitlines() if line.split()[1:] != [host]]
    path.write_text("\n".join([*lines, f"{address} {host}"]) + "\n")


def entered(hosts: Path) -> list[str]:
    """The command that runs another one inside; skips the test where there is none."""
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
    """Has another pytest run the test inside; what it said is shown where the test fails."""
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

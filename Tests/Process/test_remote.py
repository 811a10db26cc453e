"""examples/remote.md, run as it is written: a real sshd, ssh -R and socat between a near home and a far one."""

import getpass
import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
from pathlib import Path

import jsonschema
import pytest

from ports import reserve_port
from provider import Response
from rpc import BINARY, ROOT, Peer
from test_recipes import blocks
from waiting import wait_until

SSHD = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin")

pytestmark = [pytest.mark.ci, pytest.mark.skipif(not SSHD or not shutil.which("socat"), reason="needs sshd and socat")]


class Machine:
    """A home with the programs that the recipe calls."""

    def __init__(self, home: Path):
        self.home = home
        home.mkdir()
        (home / "bin").mkdir()
        (home / "bin" / "oauth-stdio").symlink_to(BINARY)
        self.environment = {
            **Peer.environment(self, None), "HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"), "PATH": f"{home}/bin:{os.environ['PATH']}"}
        self.folder, self.socket = home / ".oauth-stdio", home / ".oauth-stdio" / "socket"
        self.started: list[subprocess.Popen] = []

    def start(self, script: str, **popen) -> subprocess.Popen:
        """Runs a script in a group of its own, which lives on in the background."""
        words = ["sh", "-e", "-c", script]
        process = subprocess.Popen(words, env=self.environment, cwd=self.home, stdin=subprocess.DEVNULL, start_new_session=True, **popen)
        self.started.append(process)
        return process

    def run(self, script: str) -> subprocess.CompletedProcess:
        words = ["sh", "-e", "-c", script]
        return subprocess.run(words, env=self.environment, cwd=self.home, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)

    def end(self) -> None:
        for process in self.started:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


@pytest.fixture
def machines():
    """Returns the near machine, and the far one, to which `ssh far` leads. The name of a socket has at most 107 bytes."""
    folder = Path(tempfile.mkdtemp(prefix="oa"))
    near, far = Machine(folder / "near"), Machine(folder / "far")
    for name in ("user", "host"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
    port = reserve_port()
    # The connection's home is the far one. The system's users and their keys stay out of it.
    (folder / "sshd_config").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nAuthorizedKeysFile {folder}/user.pub\nStrictModes no\nUsePAM no\n"
        f"PidFile none\nSetEnv HOME={far.home}\nPermitRootLogin prohibit-password\n")
    (folder / "ssh_config").write_text(
        f"Host far\n HostName 127.0.0.1\n Port {port}\n User {getpass.getuser()}\n IdentityFile {folder}/user\n IdentitiesOnly yes\n"
        f" StrictHostKeyChecking no\n UserKnownHostsFile {folder}/known\n LogLevel ERROR\n")
    (near.home / "bin" / "ssh").write_text(f'#!/bin/sh\nexec {shutil.which("ssh")} -F {folder}/ssh_config "$@"\n')
    (near.home / "bin" / "ssh").chmod(0o755)
    if os.geteuid() == 0:
        # Debian's service makes it at its start.
        Path("/run/sshd").mkdir(exist_ok=True)
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen([SSHD, "-D", "-e", "-f", folder / "sshd_config"], stdin=subprocess.DEVNULL, stderr=log)
    try:
        wait_until(lambda: is_open(port) or server.poll() is not None)
        assert server.poll() is None, (folder / "log").read_text()
        yield near, far
    finally:
        near.end()
        far.end()
        server.kill()
        server.wait()
        shutil.rmtree(folder)


def is_open(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


def modes(machine: Machine) -> tuple[int, int]:
    return stat.S_IMODE(machine.folder.stat().st_mode), stat.S_IMODE(machine.socket.stat().st_mode)


PROFILE, LISTEN, CONNECT, CALL = blocks("remote", "json")[0], *blocks("remote", "sh")


def sign_in(near: Machine, provider, profile: str, accounts: list[str], **members) -> None:
    """Signs in to accounts, and writes a page's profile for the test's API."""
    profiles = json.loads(profile.replace("https://api.github.com/", provider.url + "/api/"))
    jsonschema.validate(profiles, json.loads((ROOT / "schemas" / "config.json").read_text()), jsonschema.Draft7Validator)
    folder = near.home / ".config" / "oauth-stdio"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(profiles))
    description = json.dumps({**provider.description, **members})
    for account in accounts:
        grant = json.dumps({"access_token": (token := provider.secret()), "token_type": "bearer", "client_id": "c"})
        provider.living.add(token)
        done = near.run(f"echo '{grant}' | oauth-stdio import {account} - --provider '{description}'")
        assert done.returncode == 0, done


@pytest.fixture
def near(machines, provider):
    """The near machine, signed in to the account, with the recipe's profile for the test's API and with its socket."""
    near = machines[0]
    sign_in(near, provider, PROFILE, ["github", "mail"])
    near.start(LISTEN + "wait\n")
    wait_until(near.socket.exists)
    return near


def send(machine: Machine, *requests: tuple[str, dict]) -> list[dict]:
    """Sends requests as the recipe does, and returns the answers."""
    lines = [json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) for number, (method, params) in enumerate(requests, 1)]
    done = machine.run(re.sub(r"^\{.*\}$", "\n".join(lines), CALL, flags=re.MULTILINE))
    assert (done.returncode, done.stderr) == (0, "")
    answers = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines()) if answer.get("id")}
    return [answers[number] for number in range(1, len(requests) + 1)]


def test_the_far_machine_does_what_the_profile_allows_and_no_more(near, machines, provider):
    far = machines[1]
    connection = near.start(CONNECT, stderr=subprocess.PIPE, text=True)
    wait_until(far.socket.exists)
    assert modes(near) == modes(far) == (0o700, 0o600)
    # The recipe's own request. Its answer comes after socat has read all of its input.
    slow = Response.of({"login": "octocat"})
    slow.pause = 1
    provider.instead["/api/user"] = lambda request: slow
    done = far.run(CALL)
    (answer,) = map(json.loads, done.stdout.splitlines())
    assert json.loads(answer["result"]["body"]) == {"login": "octocat"}
    assert not any(secret in done.stdout for secret in provider.living)
    refused = send(
        far, ("callAPI", {"account": "github", "url": "user", "method": "DELETE"}), ("callAPI", {"account": "github", "url": "/elsewhere"}),
        ("callAPI", {"account": "mail", "url": "user"}), ("accessToken", {"account": "github"}), ("signOut", {"account": "github"}),
        ("authorize", {"account": "github"}), ("importGrant", {"account": "x", "format": "json", "data": {}}))
    assert [answer["error"]["data"]["kind"] for answer in refused] == 7 * ["notAllowed"]
    assert {request.path for request in provider.requests} == {"/api/user"}
    # A broken connection leaves a socket behind. The recipe's next run replaces it.
    os.killpg(connection.pid, signal.SIGKILL)
    connection.wait()
    assert far.socket.exists()
    near.start(CONNECT)
    wait_until(lambda: "result" in far.run(CALL).stdout)
    assert near.run("oauth-stdio logout github").returncode == 0
    assert send(far, ("callAPI", {"account": "github", "url": "user"}))[0]["error"]["data"]["kind"] == "signInRequired"


def test_each_use_is_noted(near):
    command = re.search(r"`(--audit) FILE` after `--profile remote`", (ROOT / "examples" / "remote.md").read_text())[1]
    near.end()
    near.start(LISTEN.replace("--profile remote", f"--profile remote {command} {near.home}/uses") + "wait\n")
    wait_until(lambda: '"status":200' in near.run(CALL).stdout)
    use = json.loads((near.home / "uses").read_text().splitlines()[-1])
    assert (use["account"], use["profile"]) == ("github", "remote")


def test_a_socket_that_is_still_there_is_named(near, machines):
    """What ssh says, as the recipe quotes it."""
    far = machines[1]
    far.folder.mkdir(mode=0o700)
    far.socket.write_text("")
    there = CONNECT.replace(" && rm -f ~/.oauth-stdio/socket", "")
    assert there != CONNECT
    done = near.run(there)
    assert done.returncode != 0 and "remote port forwarding failed" in done.stderr
    text = (ROOT / "examples" / "remote.md").read_text()
    assert "remote port forwarding failed" in text


def test_a_container_reaches_the_mounted_folder(near, machines):
    far = machines[1]
    mounted = re.search(r"`-v (~/\S+):(/home/user/\S+)`", (ROOT / "examples" / "remote.md").read_text())
    assert mounted[1].replace("~", str(near.home)) == str(near.folder) and mounted[2].replace("/home/user", str(far.home)) == str(far.folder)
    far.folder.mkdir(mode=0o700)
    apart = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]
    if subprocess.run([*apart, "true"], stderr=subprocess.DEVNULL).returncode:
        pytest.skip("this system allows no mount of one's own")
    done = subprocess.run(
        [*apart, "sh", "-e", "-c", f'mount --bind "{near.folder}" "{far.folder}"\n{CALL}'], env=far.environment, cwd=far.home, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=60)
    assert '"status":200' in done.stdout, done

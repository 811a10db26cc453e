"""A secret's or key's command, a keyring and a database that hang: a request's `timeout` ends its wait, and the next one gets what was waited for."""

import json
import os
import socket
from pathlib import Path

import pytest

from rpc import RPCFault
from store_keys import keyring, store_grant, token, tokens  # noqa: F401, one is a fixture
from waiting import wait_until

SECRET = "s3cret-of-a-slow-manager"
USES = {
    "accessToken": {}, "refresh": {}, "callAPI": {"url": "x"}, "authorizeRequest": {"url": "x"}, "userInfo": {}, "introspect": {},
    "authorize": {}, "hostCredential": {},
}


def timed_out(peer, method: str) -> None:
    account = {"host": "git.example.com"} if method == "hostCredential" else {"account": "a"}
    with pytest.raises(RPCFault) as fault:
        peer.request(method, {**account, "timeout": 1, **USES[method]})
    assert fault.value.kind == "timedOut" and fault.value.data["retryable"], fault.value


@pytest.fixture
def slow(tmp_path):
    """A command that notes its process and prints what the test writes into a pipe."""
    os.mkfifo(tmp_path / "answer")
    script = tmp_path / "manager"
    script.write_text(f"#!/bin/sh\necho $$ >> {tmp_path}/runs\nexec cat {tmp_path}/answer\n")
    script.chmod(0o755)
    return script


@pytest.fixture
def configured(home, provider, slow):
    home.mkdir()
    description = {**provider.description, "userInfoEndpoint": provider.url + "/api/me", "introspectionEndpoint": provider.url + "/i"}
    description["gitHosts"] = ["git.example.com"]
    account = {"provider": description, "flow": "clientCredentials", "clientId": "c", "clientSecret": {"command": [str(slow)]}}
    (home / "config.json").write_text(json.dumps({"accounts": {"a": account}}))
    return ["--config", home / "config.json"]


@pytest.mark.parametrize("method", USES)
def test_a_secrets_command(start, configured, provider, slow, method):
    peer = start(*configured)
    timed_out(peer, method)
    waiting = peer.send("accessToken", {"account": "a"})
    (slow.parent / "answer").write_text(SECRET + "\n")
    assert {peer.result(waiting)["accessToken"]} == provider.living
    assert len((slow.parent / "runs").read_text().splitlines()) == 1


def test_the_end_of_the_process_ends_the_command(start, configured, slow):
    peer = start(*configured)
    timed_out(peer, "accessToken")
    (child,) = (slow.parent / "runs").read_text().splitlines()
    peer.finish()
    wait_until(lambda: state(child) in ("", "Z"))


def state(child: str) -> str:
    """The state of a process; empty once it is gone."""
    try:
        return Path(f"/proc/{child}/stat").read_text().split(") ")[1][0]
    except OSError:
        return ""


def test_a_cancelled_request_waits_no_longer(start, configured, slow):
    peer = start(*configured)
    identifier = peer.send("accessToken", {"account": "a"})
    wait_until((slow.parent / "runs").exists)
    peer.notify("$/cancelRequest", {"id": identifier})
    assert peer.answer(identifier)["error"]["code"] == -32800
    peer.finish()


def test_the_keys_command(start, slow):
    (slow.parent / "key").write_text("MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=\n")
    link = slow.parent / "print-key"
    link.write_text(f"#!/bin/sh\ncat {slow.parent}/key\n")
    link.chmod(0o755)
    store_grant(start("--key", f"command:{link}"), "a")
    slow.replace(link)
    peer = start()
    for method in USES:
        timed_out(peer, method)
    waiting = peer.send("accessToken", {"account": "a"})
    (slow.parent / "answer").write_text((slow.parent / "key").read_text())
    assert peer.result(waiting)["accessToken"] == token("a")
    assert len((slow.parent / "runs").read_text().splitlines()) == 1


def test_the_keyring(start, keyring):
    store_grant(start("--key", "keyring", environment=keyring.environment), "a")
    keyring.pause()
    peer = start(environment=keyring.environment)
    for method in ["accessToken", "callAPI"]:
        timed_out(peer, method)
    keyring.resume()
    assert tokens(peer, "a") == [token("a")]


def test_a_database(start):
    """It accepts connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        peer = start("--store", f"postgresql://u@127.0.0.1:{server.getsockname()[1]}/d")
        for method in ["accessToken", "callAPI", "hostCredential"]:
            timed_out(peer, method)

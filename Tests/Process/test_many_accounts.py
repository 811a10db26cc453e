"""Many accounts: no other request waits for the listing of their grants, and a request reads each file once."""

import json
import os
import re
import time

import pytest

from rpc import BINARY
from waiting import wait_until


def keep(peer, provider, count: int) -> None:
    parameters = {"format": "json", "data": {"access_token": "s3cr3t", "expires_at": 4102444800}, "provider": provider.description, "clientId": "c"}
    for identifier in [peer.send("importGrant", {**parameters, "account": f"k{index}"}) for index in range(count)]:
        peer.result(identifier)


def test_other_requests_are_answered_while_a_file_is_slow(start, provider):
    """A file system may need seconds for one file, as a network's does. strace delays its opening here."""
    keep(start(), provider, 3)
    trace = ["strace", "-f", "-o", "/dev/null", "-P", "k1.grant", "-e", "trace=openat", "-e", "inject=openat:delay_enter=3000000", BINARY]
    peer = start(binary=trace)
    listing, other = peer.send("accounts"), peer.send("account", {"account": "k2"})
    assert peer.result(other)["canAuthorize"] is True
    assert not any(message.get("id") == listing for message in peer.all_json())
    assert [state["account"] for state in peer.result(listing)["accounts"]] == ["k0", "k1", "k2"]
    # A killed strace would leave the program behind, and the test would wait for it.
    assert peer.finish() == 0


def test_each_file_is_opened_once(start, provider, home, tmp_path):
    keep(start(), provider, 100)
    config = home / "config.json"
    config.write_text(json.dumps({"accounts": {f"k{index}": {"provider": provider.description, "clientId": "c"} for index in range(100)}}))
    # A file that was just written may be written once more within the same tick of the clock.
    wait_until(lambda: time.time() - config.stat().st_ctime > 3)
    log = tmp_path / "trace"
    # The comparison for the event accountWasChanged is another listing.
    peer = start("--events", "none", "--config", config, binary=["strace", "-f", "-o", str(log), "-e", "trace=openat,open", BINARY])
    for _ in range(2):
        states = peer.request("accounts")["accounts"]
        assert len(states) == 100 and all(state["configured"] and state["expiresAt"] == 4102444800 for state in states)
        assert peer.request("authorize", {"account": "k7", "interaction": "never"})["via"] == "stored"
    assert peer.finish() == 0
    opened = re.findall(r'"[^"]*\.(grant|json)"', log.read_text())
    assert (opened.count("grant"), opened.count("json")) == (100, 1)


@pytest.mark.parametrize(
    ("method", "params", "looks"),
    [
        ("callAPI", {"url": "hello"}, 1), ("accessToken", {}, 1), ("authorize", {"interaction": "never"}, 2), ("refresh", {"force": True}, 2),
        ("signOut", {}, 2),
    ],
)
def test_a_request_reads_each_file_once(start, provider, home, tmp_path, method, params, looks):
    """The first one of a process, until it has the lock of its account or uses the token. A later look takes the file's stamp alone."""
    file = home / "config.json"
    home.mkdir(exist_ok=True)
    environment, entry = {"SECRET": "s3cr3t"}, {"provider": provider.description, "clientId": "c", "clientSecret": {"env": "SECRET"}}
    file.write_text(json.dumps({"accounts": {f"k{index}": entry for index in range(20)}}))
    data = {"access_token": "s3cr3t", "refresh_token": "r", "expires_in": 3600}
    start("--config", file, environment=environment).request("importGrant", {"account": "k7", "format": "json", "data": data})
    wait_until(lambda: time.time() - file.stat().st_ctime > 3)
    log = tmp_path / "trace"
    peer = start("--events", "none", "--config", file, binary=["strace", "-f", "-o", str(log), "-e", "trace=openat,newfstatat,flock", BINARY], environment=environment)
    peer.request(method, {"account": "k7", **params})
    assert peer.finish() == 0
    before = re.split(r"flock\(|k7\.grant\.used", log.read_text())[0]
    opened = re.findall(r'openat\([^"]*"[^"]*\.(grant|json)"', before)
    assert opened.count("grant") == 1 and opened.count("json") <= 1
    assert 1 <= len(re.findall(r'newfstatat\([^"]*"[^"]*/k7\.grant"', before)) <= looks



def test_a_configuration_that_is_written_in_place_counts_at_once(start, home):
    """The writes leave the size of the file and its time of modification, as a copy with its times does."""
    home.mkdir(exist_ok=True)
    config = home / "config.json"
    config.write_bytes(b'{"accounts":{"x":{"provider":"github"}}}')
    written = config.stat()
    wait_until(lambda: time.time() - config.stat().st_ctime > 3)
    peer = start("--config", config)
    assert "configured" not in peer.request("account", {"account": "a"})
    for name in "ab" * 50:
        with config.open("r+b") as file:
            file.write(b'{"accounts":{"%s"' % name.encode())
        os.utime(config, ns=(written.st_atime_ns, written.st_mtime_ns))
        assert ("configured" in peer.request("account", {"account": "a"})) is (name == "a")


def test_a_listing_sees_what_has_changed(start, provider):
    peer, other = start(), start()
    keep(peer, provider, 3)
    peer.request("accounts")
    other.request("signOut", {"account": "k1"})
    parameters = {"format": "json", "data": {"access_token": "x", "scope": "new"}, "provider": provider.description, "clientId": "c", "replace": True}
    other.request("importGrant", {**parameters, "account": "k2"})
    states = {state["account"]: state for state in peer.request("accounts")["accounts"]}
    assert sorted(states) == ["k0", "k2"] and states["k2"]["grantedScopes"] == ["new"]

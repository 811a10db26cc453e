"""The key of the store: in a file, in a real keyring, or printed by `pass`."""

import base64
import re
from pathlib import Path

import pytest

from keyrings import PASSWORD, Keyring
from store_keys import PROVIDER, command, fault, key_of, keyring, store_grant, token, tokens  # noqa: F401, two are fixtures


def test_the_key_is_a_file_if_the_user_chooses_nothing(start, home):
    peer = start()
    store_grant(peer, "a")
    assert key_of(peer) == "file"
    assert len((home / "store" / "key").read_bytes()) == 32


def test_a_key_in_the_keyring_is_not_in_the_folder(start, home, keyring):
    peer = start("--key", "keyring", environment=keyring.environment)
    store_grant(peer, "a")
    assert key_of(peer) == "keyring"
    line = (home / "store" / "key").read_text()
    assert line.startswith("oauth-stdio key 1 keyring ") and len(line) < 60
    # The store remembers the place: the next process needs no option.
    other = start(environment=keyring.environment)
    assert tokens(other, "a") == [token("a")] and key_of(other) == "keyring"


def test_the_configuration_chooses_the_place(start, home, keyring):
    (home / "config" / "oauth-stdio").mkdir(parents=True)
    (home / "config" / "oauth-stdio" / "config.json").write_text('{"key":"keyring"}')
    peer = start(environment=keyring.environment)
    store_grant(peer, "a")
    assert key_of(peer) == "keyring"


def test_a_locked_keyring_is_named_and_works_once_it_is_unlocked(start, home, keyring):
    peer = start("--key", "keyring", environment=keyring.environment)
    store_grant(peer, "a")
    keyring.start(None)
    other = start(environment=keyring.environment)
    for method, params in [("accessToken", {"account": "a"}), ("account", {"account": "a"})]:
        error = fault(other, method, params)
        assert error.kind == "storageFailure" and error.data["retryable"] and "the keyring is locked" in error.message
    # The process that has the key needs the keyring no more.
    assert tokens(peer, "a") == [token("a")]
    keyring.start(PASSWORD)
    assert tokens(other, "a") == [token("a")]


def test_a_locked_keyring_takes_no_new_key(work, start, home, keyring):
    keyring.start(PASSWORD)
    first = start("--key", "keyring", environment=keyring.environment)
    store_grant(first, "a")
    keyring.start(None)
    peer = start("--key", "keyring", "--store", str(home / "second"), environment=keyring.environment)
    data = {"account": "a", "format": "json", "data": {"access_token": "x"}, "provider": PROVIDER, "clientId": "c"}
    error = fault(peer, "importGrant", data)
    # Without a prompt, which a user over SSH could not see.
    assert error.kind == "storageFailure" and "the keyring is locked" in error.message
    assert not (home / "second" / "key").exists()
    # Nor does a move to it show one, and nothing has moved.
    third = start("--store", str(home / "third"), environment=keyring.environment)
    store_grant(third, "a")
    error = work("rekey", {"to": "keyring"}, "--store", home / "third", environment=keyring.environment).fault()
    assert error.kind == "storageFailure" and "the keyring is locked" in error.message
    assert tokens(third, "a") == [token("a")] and key_of(third) == "file"


def test_the_path_of_the_folder_may_be_long_and_have_any_letters(start, home, keyring):
    folder = home / ("é" * 120) / ("ü" * 100)
    peer = start("--key", "keyring", "--store", str(folder), environment=keyring.environment)
    store_grant(peer, "a")
    assert tokens(start("--store", str(folder), environment=keyring.environment), "a") == [token("a")]


def test_the_log_says_once_if_the_key_is_elsewhere(start, home, keyring):
    store_grant(start(), "a")
    peer = start("--key", "keyring", environment=keyring.environment)
    for _ in range(2):
        peer.request("accounts")
    assert key_of(peer) == "file" and tokens(peer, "a") == [token("a")]
    peer.finish()
    assert peer.stderr.decode().count("the store's key stays in the file, not in the keyring") == 1


def test_without_a_session_no_weaker_key_is_made(start, home):
    peer = start("--key", "keyring")
    data = {"account": "a", "format": "json", "data": {"access_token": "x"}, "provider": PROVIDER, "clientId": "c"}
    error = fault(peer, "importGrant", data)
    assert error.kind == "storageFailure" and "no keyring can be reached" in error.message
    assert [file.name for file in (home / "store").iterdir() if not file.name.endswith(".lock")] == []


def test_a_keyring_that_is_gone_is_named(start, home, keyring):
    store_grant(start("--key", "keyring", environment=keyring.environment), "a")
    error = fault(start(), "accessToken", {"account": "a"})
    assert error.kind == "storageFailure" and "no keyring can be reached" in error.message
    assert (home / "store" / "key").read_text().startswith("oauth-stdio key 1 keyring ")


def test_a_keyring_without_the_key_is_named(start, home, keyring, tmp_path):
    store_grant(start("--key", "keyring", environment=keyring.environment), "a")
    empty = Keyring(tmp_path / "other")
    try:
        empty.start(PASSWORD)
        error = fault(start(environment=empty.environment), "accessToken", {"account": "a"})
    finally:
        empty.close()
    assert error.kind == "storageFailure" and "the keyring has no key for this store" in error.message


def test_a_hanging_keyring_delays_no_other_request(start, home, keyring):
    store_grant(start("--key", "keyring", environment=keyring.environment), "a")
    keyring.pause()
    peer = start(environment=keyring.environment)
    waiting = peer.send("accessToken", {"account": "a"})
    assert peer.request("providers", {})["providers"]
    error = peer.answer(waiting)["error"]
    assert error["data"]["kind"] == "storageFailure" and "did not answer within 10 s" in error["message"]
    keyring.resume()
    assert tokens(peer, "a") == [token("a")]


def test_a_command_prints_the_key(start, home, command):
    peer = start("--key", command)
    store_grant(peer, "a")
    assert key_of(peer) == "command"
    other = start()
    assert tokens(other, "a") == [token("a")]


@pytest.mark.parametrize("command", ["command:echo no-key", "command:exit 3", "command:printf AAAA", "command:head -c 32 /dev/urandom | base64"])
def test_a_command_that_prints_no_usable_key_is_an_error(start, home, keyring, command):
    first = start("--key", "command:echo MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")
    store_grant(first, "a")
    path = home / "store" / "key"
    path.write_text(path.read_text().split("\n")[0] + "\n" + command.removeprefix("command:") + "\n")
    error = fault(start(), "accessToken", {"account": "a"})
    assert error.kind == "storageFailure" and "command" in error.message
    assert "MDEy" not in error.message


def test_the_key_is_in_locked_memory(start):
    peer = start()
    store_grant(peer, "a")
    assert tokens(peer, "a") == [token("a")]
    status = Path(f"/proc/{peer.process.pid}/status").read_text()
    assert int(re.search(r"^VmLck:\s+(\d+) kB$", status, re.MULTILINE)[1]) > 0


def test_a_running_process_reports_the_first_grant_of_a_store_with_its_key_in_the_keyring(start, keyring):
    peer = start("--key", "keyring", environment=keyring.environment)
    peer.request("initialize", {})
    peer.request("accounts")
    store_grant(start("--key", "keyring", environment=keyring.environment), "a")
    assert peer.event("accountWasChanged")["account"] == "a"
    assert b"cannot be read" not in peer.stderr


@pytest.mark.parametrize("flow,is_new", [("auto", True), ("auto", False), ("clientCredentials", False)])
def test_a_command_that_hangs_holds_no_request_longer_than_its_timeout(start, home, flow, is_new):
    hanging = home / "hangs"
    home.mkdir(exist_ok=True)
    key = f"command:test -e {hanging} && exec sleep 1000; echo {base64.b64encode(bytes(32)).decode()}"
    if not is_new:
        store_grant(start("--key", key), "other")
    hanging.touch()
    peer = start("--key", key)
    params = {"account": "a", "provider": PROVIDER, "clientId": "c", "clientSecret": "s", "flow": flow, "openBrowser": False, "timeout": 1}
    error = fault(peer, "authorize", params)
    assert error.kind == "timedOut" and error.message.startswith("the command that prints the store's key did not end within 1 s")
    # The end waits for the command as little.
    assert peer.finish() == 0

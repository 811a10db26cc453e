"""The process trusts only files of its user or of root, as ssh does. The files that it creates are readable for its user alone."""

import json
import os
import re
import subprocess

import pytest

from rpc import BINARY
from signing_in import authorize
from store_keys import store_grant, token, tokens

IS_ROOT = os.geteuid() == 0
# A user other than the process's own and root.
OTHER = 4242
needs_root = pytest.mark.skipif(not IS_ROOT, reason="only root can give files away")


def sign_in(peer, provider, **more) -> None:
    authorize(peer, provider.approve, **provider.parameters(**more))


def message(peer, method: str, **params) -> str:
    answer = peer.answer(peer.send(method, params))
    assert "error" in answer, answer
    return answer["error"]["message"]


@needs_root
@pytest.mark.parametrize("name", ["store", "store/key", "store/a.grant"])
def test_a_store_of_another_user_is_rejected_by_name(start, provider, home, name):
    sign_in(start(), provider)
    os.chown(home / name, OTHER, OTHER)
    peer = start()
    for method in ("account", "accessToken", "refresh"):
        text = message(peer, method, account="a")
        assert str(home / name) in text and f"--trust-owner {OTHER}" in text, text
    peer.finish()
    assert (home / "store" / "a.grant").exists() and not list(home.rglob("*unreadable*"))
    trusting = start("--trust-owner", "1", "--trust-owner", str(OTHER))
    assert trusting.request("account", {"account": "a"})["canAuthorize"] is True
    assert trusting.request("refresh", {"account": "a", "force": True})["refreshed"] is True


@needs_root
@pytest.mark.parametrize("name", ["config.json", "providers/mine.json"])
def test_a_file_of_another_user_is_rejected_by_name(start, provider, home, name):
    folder = home / "config" / "oauth-stdio"
    (folder / "providers").mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"accounts": {"work": {"provider": "mine", "clientId": "c"}}}))
    (folder / "providers" / "mine.json").write_text(json.dumps({"authorizationEndpoint": "https://p.example/a", "tokenEndpoint": "https://p.example/t"}))
    parameters = {"account": "work", "dryRun": True}
    peer = start()
    peer.request("authorize", parameters)
    os.chown(folder / name, OTHER, OTHER)
    answer = peer.answer(peer.send("authorize", parameters))
    assert answer["error"]["data"]["kind"] == "configurationInvalid" and answer["error"]["data"]["file"] == str(folder / name), answer
    assert f"--trust-owner {OTHER}" in answer["error"]["message"]
    start("--trust-owner", str(OTHER)).request("authorize", parameters)


@pytest.mark.parametrize("mode", [0o602, 0o666])
def test_a_configuration_that_others_can_change_is_rejected(start, home, mode):
    folder = home / "config" / "oauth-stdio"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"accounts": {"work": {"provider": "github", "clientId": "c"}}}))
    (folder / "config.json").chmod(mode)
    peer = start()
    assert "chmod go-w" in message(peer, "authorize", account="work", dryRun=True)
    (folder / "config.json").chmod(0o644)
    peer.request("authorize", {"account": "work", "dryRun": True})


@pytest.mark.parametrize(
    "account, mode, warns",
    [
        ({"clientSecret": "s3cr3t-of-mine"}, 0o644, True), ({"clientSecret": "s3cr3t-of-mine"}, 0o640, True), ({"clientSecret": "s3cr3t-of-mine"}, 0o600, False),
        ({"clientSecret": {"env": "X"}}, 0o644, False), ({"clientSecret": {"command": ["x"]}}, 0o644, False), ({}, 0o644, False),
    ],
)
def test_a_secret_that_others_can_read_is_warned_about(start, home, account, mode, warns):
    folder = home / "config" / "oauth-stdio"
    folder.mkdir(parents=True)
    file = folder / "config.json"
    file.write_text(json.dumps({"accounts": {"work": {"provider": "github", "clientId": "c", **account}}}))
    file.chmod(mode)
    peer = start()
    peer.request("accounts")
    assert peer.finish() == 0
    assert (f"warning: {file} contains a secret".encode() in peer.stderr) is warns
    assert b"s3cr3t" not in peer.stderr and file.stat().st_mode & 0o777 == mode, "the file is the user's"


def test_a_grant_that_others_can_read_is_used_and_warned_about_once(start, provider, home):
    """The user may have chosen the mode, so the command is the user's to run."""
    sign_in(start(), provider)
    store = home / "store"
    for file in store.iterdir():
        file.chmod(0o644)
    store.chmod(0o755)
    peer = start()
    for _ in range(2):
        assert peer.request("accessToken", {"account": "a"})["accessToken"] in provider.living
    peer.request("refresh", {"account": "a", "force": True})
    peer.request("accounts")
    assert peer.finish() == 0
    (command,) = re.findall(r"other users can read a grant or its key: run (chmod .*)", peer.stderr.decode())
    assert store.stat().st_mode & 0o777 == 0o755 and (store / "key").stat().st_mode & 0o777 == 0o644
    # The process has written the grant again, for its user alone.
    (store / "a.grant").chmod(0o640)
    subprocess.run(command, shell=True, check=True)
    peer = start()
    peer.request("accessToken", {"account": "a"})
    assert peer.finish() == 0 and b"other users" not in peer.stderr


def test_the_key_may_be_a_link(start, provider, home):
    """Systems that give secrets to a container make links."""
    sign_in(start(), provider)
    (home / "store" / "key").rename(home / "secret")
    (home / "store" / "key").symlink_to(home / "secret")
    peer = start()
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True


@pytest.fixture
def printed_key(start, home):
    """Returns the command that prints the key of the store, and the file that shows its runs."""
    ran = home / "ran"
    command = f"command:touch {ran}; echo MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
    store_grant(start("--key", command), "a")
    ran.unlink()
    return command, ran


@needs_root
def test_a_command_in_the_key_file_of_another_user_does_not_run(start, home, printed_key):
    _, ran = printed_key
    key = home / "store" / "key"
    os.chown(key, OTHER, OTHER)
    peer = start("--trust-owner", str(OTHER))
    for method in ("accessToken", "account"):
        text = message(peer, method, account="a")
        assert str(key) in text and "only if its own user alone can write the file" in text, text
    os.chown(key, 0, 0)
    key.chmod(0o620)
    assert "only if its own user alone can write the file" in message(start(), "accessToken", account="a") and not ran.exists()
    key.chmod(0o600)
    assert tokens(peer, "a") == [token("a")] and ran.exists()


@needs_root
def test_a_command_in_the_configuration_of_another_user_does_not_run(start, home, printed_key):
    command, ran = printed_key
    folder = home / "config" / "oauth-stdio"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"key": command}))
    os.chown(folder / "config.json", OTHER, OTHER)
    options = ["--trust-owner", str(OTHER), "--store", str(home / "new")]
    parameters = {"account": "b", "format": "json", "data": {"access_token": "x"}, "provider": "github", "clientId": "c"}
    text = message(start(*options), "importGrant", **parameters)
    assert str(folder / "config.json") in text and "/key" in text and "names a command" in text
    assert not ran.exists() and not (home / "new" / "key").exists()
    os.chown(folder / "config.json", 0, 0)
    start(*options).request("importGrant", parameters)
    assert ran.exists()


def test_completion_runs_no_command(start, home, printed_key):
    """A shell asks at each press of the Tab key."""
    _, ran = printed_key
    words = [BINARY, "--complete", "--store", str(home / "store"), "account", ""]
    done = subprocess.run(words, env=start().environment(None), capture_output=True, text=True, timeout=60)
    assert "a" in done.stdout.splitlines() and not ran.exists()


def test_a_folder_that_others_use_as_well_keeps_its_mode(start, provider, home):
    """`--store /tmp` must not remove other users' access to /tmp."""
    store = home / "store"
    store.mkdir(parents=True)
    (store / "notes.txt").write_text("of another program")
    (store / "notes.txt").chmod(0o644)
    store.chmod(0o755)
    peer = start()
    sign_in(peer, provider)
    start().request("account", {"account": "a"})
    assert store.stat().st_mode & 0o777 == 0o755 and (store / "notes.txt").stat().st_mode & 0o777 == 0o644
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in store.iterdir() if file.name != "notes.txt")


@pytest.mark.parametrize("value", ["", "x", "-1", "root", "4294967296"])
def test_an_owner_is_a_number(start, value):
    peer = start("--trust-owner", value)
    assert peer.wait() == 2 and b"--trust-owner" in peer.stderr

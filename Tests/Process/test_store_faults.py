"""A damaged, read-only or unusable store: the error says so, and no grant is lost."""

import json
import os
import shutil
import subprocess

import pytest

from rpc import BINARY
from signing_in import authorize

IS_ROOT = os.geteuid() == 0


def sign_in(peer, provider, account: str = "a", **more) -> None:
    authorize(peer, provider.approve, **{**provider.parameters(interaction="always"), "account": account, **more})


def grant_file(home, account: str = "a"):
    return home / "store" / f"{account}.grant"


def fault(peer, method: str, **params) -> dict:
    """Returns the error's data."""
    answer = peer.answer(peer.send(method, params))
    assert "error" in answer, answer
    return answer["error"]["data"]


def test_a_grant_file_cut_off_at_every_length(peer, provider, home):
    sign_in(peer, provider)
    sign_in(peer, provider, "other")
    whole = grant_file(home).read_bytes()
    for length in [*range(0, 80), *range(80, len(whole), 7), len(whole) - 1]:
        grant_file(home).write_bytes(whole[:length])
        data = fault(peer, "account", account="a")
        assert data["kind"] == "storageFailure" and data["account"] == "a", length
        assert peer.request("callAPI", {"account": "other", "url": "x"})["status"] == 200
    grant_file(home).write_bytes(whole)
    assert peer.request("account", {"account": "a"})["canAuthorize"] is True


@pytest.mark.parametrize("content", [b"\0" * 4096, b"\xff" * 100, b"oauth-stdio grant 1\n", b"oauth-stdio grant 0\na\n" + b"x" * 100, b"{}", b"oauth-stdio grant 1\n%zz\n" + b"x" * 100])
def test_a_grant_file_of_another_kind_is_set_aside_and_replaced(peer, provider, home, content):
    sign_in(peer, provider)
    grant_file(home).write_bytes(content)
    assert fault(peer, "callAPI", account="a", url="x")["kind"] == "storageFailure"
    sign_in(peer, provider)
    assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    assert [file.read_bytes() for file in home.rglob("*unreadable*")] == [content]


@pytest.mark.parametrize("header", [b"oauth-stdio grant 9\na\n", b"oauth-stdio grant 3 0123456789abcdef\na\n"])
def test_a_grant_of_a_newer_version_stays_where_it_is(start, peer, provider, home, header):
    sign_in(peer, provider)
    content = header + b"x" * 100
    grant_file(home).write_bytes(content)
    for method in ("account", "accessToken", "authorize", "refresh", "signOut"):
        error = peer.answer(peer.send(method, {"account": "a"}))["error"]
        assert error["data"]["kind"] == "storageFailure" and "newer version" in error["message"] and "setAside" not in error["data"]
    data = {"account": "a", "format": "json", "data": {"access_token": "s3cr3t"}, "provider": provider.description, "clientId": "c", "replace": True}
    assert "newer version" in peer.answer(peer.send("importGrant", data))["error"]["message"]
    assert peer.finish() == 0
    assert grant_file(home).read_bytes() == content and not list(home.rglob("*unreadable*"))


def test_an_open_sign_in_leaves_a_grant_of_a_newer_version_alone(peer, provider, home):
    sign_in(peer, provider, "other")
    identifier = peer.send("authorize", provider.parameters(interaction="always"))
    url = peer.event("signInWasRequested", request=identifier)["url"]
    content = b"oauth-stdio grant 3\na\n" + b"x" * 100
    grant_file(home).write_bytes(content)
    provider.approve(url)
    peer.answer(identifier)
    assert peer.finish() == 0
    assert grant_file(home).read_bytes() == content


def test_accounts_lists_what_cannot_be_read(peer, provider, home):
    for account in ("a", "b", "c", "A d"):
        sign_in(peer, provider, account)
    (home / "store" / "a.grant").write_bytes(b"damaged")
    (home / "store" / "b.grant").write_bytes(b"oauth-stdio grant 3\nb\n")
    (home / "store" / "%41%20d.grant").unlink()
    (home / "store" / "%41%20d.grant").mkdir()
    for _ in range(2):
        states = {state["account"]: state for state in peer.request("accounts")["accounts"]}
        assert sorted(states) == ["A d", "a", "b", "c"]
        assert {account for account, state in states.items() if "problem" in state} == {"A d", "a", "b"}
        assert "damaged" in states["a"]["problem"] and "newer version" in states["b"]["problem"] and "directory" in states["A d"]["problem"]
        assert states["c"]["canAuthorize"] is True and states["a"]["canAuthorize"] is False
    assert not list(home.rglob("*unreadable*")), "looking at a file moves it nowhere"


@pytest.mark.parametrize("environment", [{"HOME": "", "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": ""}])
@pytest.mark.skipif(not IS_ROOT, reason="needs a user without a home directory")
def test_without_a_home_directory_the_message_names_home(start, provider, open_home, environment):
    shutil.copy(BINARY, open_home / "program")
    done = subprocess.run(
        [str(open_home / "program")], input=b'{"jsonrpc":"2.0","id":1,"method":"authorize","params":{"account":"a","provider":"github","clientId":"c"}}\n{"jsonrpc":"2.0","id":2,"method":"accounts"}\n',
        env={**environment, "BROWSER": "/bin/true", "PATH": os.environ["PATH"]}, capture_output=True, timeout=60, user=4242, group=4242, extra_groups=[], cwd="/",
    )
    answers = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines()) if "id" in answer}
    assert answers[1]["error"]["data"]["kind"] == "storageFailure" and "set HOME" in answers[1]["error"]["message"]
    assert answers[2]["result"] == {"accounts": []}


def test_grants_of_two_accounts_swapped(peer, provider, home):
    sign_in(peer, provider)
    sign_in(peer, provider, "b")
    grant_file(home).rename(home / "c")
    grant_file(home, "b").rename(grant_file(home))
    (home / "c").rename(grant_file(home, "b"))
    for account in ("a", "b"):
        assert fault(peer, "accessToken", account=account)["kind"] == "storageFailure"
    assert "accounts" in peer.request("accounts")


@pytest.mark.parametrize("key", [b"", b"x" * 31, b"x" * 33, b"x" * 1_000_000])
def test_a_key_of_another_length_harms_no_grant(start, provider, home, key):
    sign_in(start(), provider)
    path = home / "store" / "key"
    right = path.read_bytes()
    path.chmod(0o600)
    path.write_bytes(key)
    peer = start()
    for method in ("account", "accessToken"):
        assert fault(peer, method, account="a")["kind"] == "storageFailure"
    peer.request("accounts")
    path.write_bytes(right)
    assert peer.request("account", {"account": "a"})["canAuthorize"] is True


def test_another_key_harms_no_grant(start, provider, home):
    """The grants that a wrongly restored key cannot decrypt stay in place, so the right key can be restored later."""
    sign_in(start(), provider)
    path = home / "store" / "key"
    right = path.read_bytes()
    path.write_bytes(bytes(32))
    peer = start()
    peer.request("accounts")
    assert fault(peer, "accessToken", account="a")["kind"] == "storageFailure"
    path.write_bytes(right)
    assert start().request("account", {"account": "a"})["canAuthorize"] is True


@pytest.mark.parametrize("kind", ["a file", "below a file", "/dev/null", "a loop", "too long", "a missing key", "a key that is a folder", "a grant that is a folder"])
def test_an_unusable_store(start, provider, home, kind):
    home.mkdir()
    store = home / "store"
    if kind in ("a file", "below a file"):
        store.write_text("x")
    if kind == "a loop":
        store.symlink_to(store)
    if kind.startswith("a missing") or kind.startswith("a key"):
        sign_in(start(), provider, "old")
        (store / "key").unlink()
    if kind == "a key that is a folder":
        (store / "key").mkdir()
    if kind == "a grant that is a folder":
        grant_file(home).mkdir(parents=True)
    folder = {"below a file": store / "x", "/dev/null": "/dev/null", "too long": "/tmp/" + "x" * 5000}.get(kind, store)
    peer = start("--store", folder)
    for _ in range(2):
        assert fault(peer, "authorize", **provider.parameters(interaction="always"))["kind"] == "storageFailure"
    assert not [event for event in peer.events if event["method"] == "signInWasRequested"], "no user signs in for nothing"
    listed = peer.answer(peer.send("accounts"))
    if kind.startswith(("a missing", "a key", "a grant")):
        assert all("problem" in account for account in listed["result"]["accounts"])
    else:
        assert listed["error"]["data"]["kind"] == "storageFailure"
    peer.request("providers")


@pytest.mark.skipif(not IS_ROOT, reason="needs another user")
@pytest.mark.parametrize("mode", [0o500, 0o000, 0o100, 0o600])
def test_a_folder_without_permission(start, provider, open_home, mode):
    os.chown(open_home, 65534, 65534)
    shutil.copy(BINARY, open_home / "program")
    unprivileged = {"user": 65534, "group": 65534, "extra_groups": []}
    peer = start(binary=str(open_home / "program"), **unprivileged)
    sign_in(peer, provider)
    (open_home / "store").chmod(mode)
    try:
        answer = peer.answer(peer.send("refresh", {"account": "a", "force": True}))
        assert answer["error"]["data"]["kind"] == "storageFailure"
        peer.answer(peer.send("accounts"))
        peer.request("providers")
    finally:
        (open_home / "store").chmod(0o700)
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True


def test_a_grant_file_larger_than_any_grant_is_set_aside(peer, provider, home):
    sign_in(peer, provider)
    sign_in(peer, provider, "other")
    with open(grant_file(home), "wb") as file:
        file.truncate((16 << 20) + 1)
    data = fault(peer, "account", account="a")
    assert data["kind"] == "storageFailure" and data["account"] == "a" and os.path.getsize(data["setAside"]) == (16 << 20) + 1
    sign_in(peer, provider)
    assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    assert peer.request("account", {"account": "other"})["canAuthorize"] is True


def replace_by_folder(home, place: str) -> None:
    (home / "store" / place).unlink()
    (home / "store" / place).mkdir()


CALLS = {"account": {}, "accessToken": {}, "callAPI": {"url": "x"}, "refresh": {"force": True}, "signOut": {}}


@pytest.mark.parametrize("method", CALLS)
def test_a_folder_in_the_place_of_a_grant_is_an_error_with_its_account(peer, provider, home, method):
    sign_in(peer, provider)
    replace_by_folder(home, "a.grant")
    data = fault(peer, method, account="a", **CALLS[method])
    assert data["kind"] == "storageFailure" and data["account"] == "a" and data["path"] == str(grant_file(home))


@pytest.mark.parametrize("method", ["refresh", "signOut"])
def test_a_folder_in_the_place_of_a_lock_is_an_error_for_what_needs_the_lock(peer, provider, home, method):
    sign_in(peer, provider)
    replace_by_folder(home, "a.grant.lock")
    data = fault(peer, method, account="a", **CALLS[method])
    assert data["kind"] == "storageFailure" and data["account"] == "a" and data["path"] == f"{grant_file(home)}.lock"
    assert peer.request("account", {"account": "a"})["canAuthorize"] is True


@pytest.mark.parametrize("method", ["account", "accessToken", "callAPI"])
def test_a_folder_in_the_place_of_a_lock_stops_nothing_that_needs_no_lock(peer, provider, home, method):
    sign_in(peer, provider)
    replace_by_folder(home, "a.grant.lock")
    assert peer.request(method, {"account": "a", **CALLS[method]})
    assert (home / "store" / "a.grant.lock").is_dir()


def test_a_lost_key_file_and_the_way_on(start, peer, provider, home):
    sign_in(peer, provider)
    key = home / "store" / "key"
    key.unlink()
    way = f"the key file {key} is missing, so the stored grants cannot be opened: restore the key file, or move the *.grant files of its folder away and sign in again"
    other = start()
    answer = other.answer(other.send("authorize", {**provider.parameters(), "account": "other"}))
    assert answer["error"]["data"]["kind"] == "storageFailure" and answer["error"]["message"] == way
    assert way in [finding["message"] for finding in other.request("diagnose")["findings"]]
    # What the message says helps.
    grant_file(home).rename(home / "a.grant")
    sign_in(start(), provider, "other")

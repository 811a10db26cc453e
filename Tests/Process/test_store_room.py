"""The disk fails before, during or after a refresh: the new refresh token always reaches the disk, or no refresh is sent."""

import contextlib
import fcntl
import json
import os
import resource
import shutil
import subprocess
import time

import pytest

from provider import Response
from rpc import BINARY
from signing_in import authorize

IS_ROOT = os.geteuid() == 0


def sign_in(peer, provider) -> None:
    authorize(peer, provider.approve, **provider.parameters())


def grant_file(home):
    return home / "store" / "a.grant"


def refresh(peer) -> dict:
    return peer.answer(peer.send("refresh", {"account": "a", "force": True}))


def exchanges(provider) -> int:
    return sum(request.path == "/token" for request in provider.requests)


def is_refused(answer: dict, word: str) -> bool:
    """Whether the refresh failed on the disk, with the system's reason and a file or folder that the user knows."""
    error = answer.get("error", {"data": {"kind": None}})
    return error["data"]["kind"] == "storageFailure" and word in error["message"] and error["data"]["path"].endswith(("/store", "/a.grant", "/a.grant.lock", "/config.json"))


@contextlib.contextmanager
def small_disk(home):
    home.mkdir(exist_ok=True)
    if not IS_ROOT or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "none", str(home)], capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        yield home / "filler"
    finally:
        subprocess.run(["umount", "-l", str(home)], check=True)


def fill(filler) -> None:
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(b"x" * 4096):
            pass


@contextlib.contextmanager
def limited(peer, name: int, value: int):
    """Sets the limit of the running process until the end of the block."""
    before = resource.prlimit(peer.process.pid, name)
    resource.prlimit(peer.process.pid, name, (value, before[1]))
    try:
        yield
    finally:
        resource.prlimit(peer.process.pid, name, before)


def during_the_exchange(provider, act) -> None:
    """Calls `act` after the token endpoint has received the refresh and before it responds."""

    def respond(request):
        del provider.instead["/token"]
        act()

    provider.instead["/token"] = respond


def assert_the_login_is_whole(start, home, provider) -> None:
    """Checks that a new process, which knows only the disk, can use the grant."""
    fresh = start()
    assert fresh.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    assert "result" in refresh(fresh)
    assert not list(home.rglob("*.tmp"))


def test_a_full_disk_sends_no_refresh(start, provider, home):
    with small_disk(home) as filler:
        peer = start()
        sign_in(peer, provider)
        before = grant_file(home).read_bytes(), exchanges(provider)
        fill(filler)
        assert is_refused(refresh(peer), "no space left")
        assert (grant_file(home).read_bytes(), exchanges(provider)) == before
        assert not list(home.rglob("*.tmp"))
        assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
        filler.unlink()
        assert "result" in refresh(peer)
        assert peer.finish() == 0
        assert_the_login_is_whole(start, home, provider)


def test_a_full_disk_opens_no_page(start, provider, home):
    with small_disk(home) as filler:
        peer = start()
        sign_in(peer, provider)
        fill(filler)
        # An answer, and no event with a page.
        assert is_refused(peer.answer(peer.send("authorize", provider.parameters(account="b"))), "no space left")
        found = {finding["check"]: finding for finding in peer.request("diagnose")["findings"]}
        assert found["store"]["state"] == "failed" and "no space left" in found["store"]["message"]
        filler.unlink()
        authorize(peer, provider.approve, **provider.parameters(account="b"))


def test_a_disk_that_fills_during_the_exchange(start, provider, home):
    with small_disk(home) as filler:
        peer = start()
        sign_in(peer, provider)
        during_the_exchange(provider, lambda: fill(filler))
        assert "result" in refresh(peer)
        peer.kill("KILL")
        peer.process.wait()
        filler.unlink()
        assert_the_login_is_whole(start, home, provider)


def test_room_for_the_grant_and_16_kib_is_taken_before_the_request(start, provider, home):
    peer = start()
    sign_in(peer, provider)
    seen = []

    def look():
        for file in home.rglob("*.tmp"):
            status = file.stat()
            seen.append((status.st_size, status.st_blocks * 512, status.st_mode & 0o777))

    during_the_exchange(provider, look)
    least = grant_file(home).stat().st_size + (16 << 10)
    assert "result" in refresh(peer)
    assert len(seen) == 1 and seen[0][0] >= least and seen[0][1] >= least and seen[0][2] == 0o600, seen
    assert grant_file(home).stat().st_size < least


def test_no_descriptors_left_during_the_exchange(start, provider, home):
    peer = start()
    sign_in(peer, provider)
    limits = contextlib.ExitStack()
    during_the_exchange(provider, lambda: limits.enter_context(limited(peer, resource.RLIMIT_NOFILE, 3)))
    assert "result" in refresh(peer)
    limits.close()
    peer.kill("KILL")
    peer.process.wait()
    assert_the_login_is_whole(start, home, provider)


def test_no_descriptors_left_before_the_exchange(start, provider, home):
    peer = start()
    sign_in(peer, provider)
    before = exchanges(provider)
    with limited(peer, resource.RLIMIT_NOFILE, 3):
        assert is_refused(refresh(peer), "no file descriptor left")
    assert exchanges(provider) == before
    assert "result" in refresh(peer)


@pytest.mark.parametrize("limit", [1, 4096])
def test_a_size_limit_sends_no_refresh(start, provider, home, limit):
    """As with a quota, the file can be created but not written. The system's signal for this has no effect."""
    peer = start()
    sign_in(peer, provider)
    before = exchanges(provider)
    with limited(peer, resource.RLIMIT_FSIZE, limit):
        assert is_refused(refresh(peer), "file too large")
    assert exchanges(provider) == before and not list(home.rglob("*.tmp"))
    assert "result" in refresh(peer)


@pytest.mark.parametrize("end", ["a use", "the end of input"])
def test_a_failed_write_is_repeated_later(start, provider, home, end):
    """The reserved space is useless if the file system stops writing. The tokens stay in memory, and each use tries to write them."""
    peer = start()
    sign_in(peer, provider)
    limits = contextlib.ExitStack()
    during_the_exchange(provider, lambda: limits.enter_context(limited(peer, resource.RLIMIT_FSIZE, 1)))
    before = grant_file(home).read_bytes()
    assert is_refused(refresh(peer), "file too large")
    for _ in range(2):
        assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    assert grant_file(home).read_bytes() == before, "the old grant stays whole"
    limits.close()
    if end == "a use":
        assert peer.request("accessToken", {"account": "a"})["accessToken"]
        assert grant_file(home).read_bytes() != before
        peer.kill("KILL")
        peer.process.wait()
    else:
        assert peer.finish() == 0
    assert_the_login_is_whole(start, home, provider)


def test_everything_sees_the_grant_that_only_memory_has(start, provider, home):
    """The disk has the token that the refresh has replaced."""
    provider.instead["/introspect"] = lambda request: Response.of({"active": True})
    provider.instead["/api/me"] = lambda request: Response.of({"sub": "u-1"})
    more = {"introspectionEndpoint": provider.url + "/introspect", "userInfoEndpoint": provider.url + "/api/me", "gitHosts": ["git.example"]}
    peer = start()
    authorize(peer, provider.approve, **provider.parameters(provider={**provider.description, **more}))
    provider.lifetime = 7200
    limits = contextlib.ExitStack()
    during_the_exchange(provider, lambda: limits.enter_context(limited(peer, resource.RLIMIT_FSIZE, 1)))
    assert is_refused(refresh(peer), "file too large")
    fresh = peer.request("accessToken", {"account": "a"})["accessToken"]
    state = peer.request("account", {"account": "a"})
    assert state["expiresAt"] > time.time() + 5000
    assert [(each["account"], each["expiresAt"]) for each in peer.request("accounts")["accounts"]] == [("a", state["expiresAt"])]
    assert peer.request("hostCredential", {"host": "git.example", "interaction": "never"})["password"] == fresh
    assert peer.request("introspect", {"account": "a"})["active"] is True and fresh.encode() in provider.requests[-1].body
    assert peer.request("userInfo", {"account": "a"})["claims"] == {"sub": "u-1"} and provider.requests[-1].headers["Authorization"] == f"Bearer {fresh}"
    assert "ok" in [finding["state"] for finding in peer.request("diagnose", {"account": "a"})["findings"] if finding["check"] == "grant"]
    limits.close()


def test_a_sign_in_that_only_memory_has_is_listed(start, provider, home):
    peer = start()
    sign_in(peer, provider)
    identifier = peer.send("authorize", provider.parameters(account="b"))
    url = peer.event("signInWasRequested", request=identifier)["url"]
    limits = contextlib.ExitStack()
    during_the_exchange(provider, lambda: limits.enter_context(limited(peer, resource.RLIMIT_FSIZE, 1)))
    provider.approve(url)
    assert peer.answer(identifier)["error"]["data"]["kind"] == "storageFailure"
    assert [each["account"] for each in peer.request("accounts")["accounts"]] == ["a", "b"]
    assert peer.request("account", {"account": "b"})["canAuthorize"] is True
    limits.close()
    assert peer.finish() == 0
    assert [each["account"] for each in start().request("accounts")["accounts"]] == ["a", "b"]


def is_locked(home) -> bool:
    """Whether another process cannot have the account's lock."""
    with (home / "store" / "a.grant.lock").open("r+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


@pytest.mark.parametrize("act", ["importGrant", "importGrant replace", "revoke"])
def test_only_a_write_releases_the_lock_of_an_unsaved_grant(start, provider, home, act):
    peer = start()
    sign_in(peer, provider)
    limits = contextlib.ExitStack()
    during_the_exchange(provider, lambda: limits.enter_context(limited(peer, resource.RLIMIT_FSIZE, 1)))
    assert is_refused(refresh(peer), "file too large") and is_locked(home)
    provider.instead["/revoke"] = lambda request: Response(503)
    method, _, replaces = act.partition(" ")
    params = {"account": "a"}
    if method == "importGrant":
        token = {"access_token": "x", "token_type": "bearer"}
        params |= {"format": "json", "data": token, "provider": provider.description, "clientId": "c", "replace": bool(replaces)}
    assert "error" in peer.answer(peer.send(method, params))
    assert is_locked(home)
    before = exchanges(provider)
    other = start()
    error = other.answer(other.send("refresh", {"account": "a", "force": True, "timeout": 2}))["error"]
    assert error["data"]["kind"] in ("timedOut", "storageFailure") and exchanges(provider) == before
    limits.close()
    assert peer.finish() == 0
    assert_the_login_is_whole(start, home, provider)


def test_no_other_process_sends_the_refresh_token_on_the_disk(start, provider, home):
    """The disk has the refresh token that the provider has replaced. To send it would end the login at a provider that detects reuse."""
    peer = start()
    sign_in(peer, provider)
    limits = contextlib.ExitStack()
    during_the_exchange(provider, lambda: limits.enter_context(limited(peer, resource.RLIMIT_FSIZE, 1)))
    before = exchanges(provider)
    assert is_refused(refresh(peer), "file too large")
    other = start()
    asked = other.send("refresh", {"account": "a", "force": True})
    assert peer.request("accessToken", {"account": "a"})["accessToken"], "the process with the grant in memory can use it"
    limits.close()
    assert "result" in other.answer(asked)
    assert exchanges(provider) == before + 1
    assert_the_login_is_whole(start, home, provider)


def test_a_grant_in_memory_is_refreshed_although_the_disk_is_full(start, provider, home):
    """The grant on disk is outdated anyway, so the refresh can lose nothing more."""
    peer = start()
    sign_in(peer, provider)
    limits = contextlib.ExitStack()
    during_the_exchange(provider, lambda: limits.enter_context(limited(peer, resource.RLIMIT_FSIZE, 1)))
    refresh(peer)
    before = exchanges(provider)
    assert is_refused(refresh(peer), "file too large")
    assert exchanges(provider) == before + 1
    assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    limits.close()
    assert peer.finish() == 0
    assert_the_login_is_whole(start, home, provider)


@pytest.mark.parametrize("grant", ["of the client", "with one refresh token for all"])
def test_a_token_that_needs_no_storing_is_used_on_a_full_disk(start, provider, home, grant):
    """The disk loses nothing: the client gets another token at any time, and the server takes the refresh token again."""
    provider.instead["/token"] = lambda request: Response.of(
        {**json.loads(provider.issue().body), **({} if grant == "of the client" else {"refresh_token": "r"})})
    flow = {"flow": "clientCredentials", "clientSecret": "s"} if grant == "of the client" else {}
    with small_disk(home) as filler:
        peer = start()
        if flow:
            peer.request("authorize", provider.parameters(**flow))
        else:
            sign_in(peer, provider)
            # From then on the process knows.
            assert "result" in refresh(peer)
        fill(filler)
        peer = start()
        for _ in range(2):
            assert "result" in refresh(peer)
            assert peer.request("accessToken", {"account": "a"})["accessToken"] in provider.living
        assert peer.finish() == 0
        said = [line for line in peer.stderr.decode().splitlines() if "no space left" in line]
        assert len(said) == 1 and said[0].endswith("; its token is used all the same"), said
        words = [BINARY, "--store", home / "store", "refresh", "a", "--force"]
        done = subprocess.run(words, env=peer.environment(None), capture_output=True, text=True, timeout=60)
        assert done.returncode == 0 and done.stderr.count("no space left") == 1, done
        filler.unlink()
        assert_the_login_is_whole(start, home, provider)


@pytest.mark.parametrize("call", ["fsync", "pwrite64"])
def test_a_disk_that_fails_sends_no_refresh(start, provider, home, call):
    sign_in(start(), provider)
    before = exchanges(provider)
    trace = ["strace", "-f", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:error=EIO", BINARY]
    failing = start(binary=trace)
    assert is_refused(refresh(failing), "input/output error")
    assert exchanges(provider) == before and not list(home.rglob("*.tmp"))
    assert failing.finish() == 0
    assert_the_login_is_whole(start, home, provider)


@pytest.mark.skipif(not IS_ROOT, reason="needs another user")
@pytest.mark.parametrize("mode", [0o500, 0o000])
def test_a_folder_that_takes_no_file_sends_no_refresh(start, provider, open_home, mode):
    os.chown(open_home, 65534, 65534)
    shutil.copy(BINARY, open_home / "program")
    peer = start(binary=str(open_home / "program"), user=65534, group=65534, extra_groups=[])
    sign_in(peer, provider)
    before = exchanges(provider)
    (open_home / "store").chmod(mode)
    try:
        assert is_refused(refresh(peer), "permission denied")
        assert exchanges(provider) == before
    finally:
        (open_home / "store").chmod(0o700)
    assert "result" in refresh(peer)

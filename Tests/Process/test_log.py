"""What the log says at its levels, and that it stays by names: each line is asked for by the level that it has."""

import time

import pytest

import browser
from provider import Response
from rpc import Peer
from signing_in import TokenProvider, authorize, redirect


@pytest.fixture
def provider():
    with TokenProvider() as running:
        yield running


def lines(peer: Peer, level: str) -> list[str]:
    """The lines of this level, without their beginning."""
    start = f"oauth-stdio: {level}: "
    return [line.removeprefix(start) for line in peer.stderr.decode().splitlines() if line.startswith(start)]


def session(peer: Peer, provider) -> None:
    """A sign-in with a stray redirect before it, a refresh that fails for now and one that works."""
    identifier = peer.send("authorize", provider.parameters())
    url = peer.event("signInWasRequested", request=identifier)["url"]
    browser.deliver(redirect(url, state="wrong", code="stray"))
    provider.approve(url)
    peer.result(identifier)
    provider.instead["/token"] = lambda request: Response(503)
    peer.answer(peer.send("refresh", {"account": "a", "force": True}))
    provider.instead.clear()
    peer.request("refresh", {"account": "a", "force": True})
    assert peer.finish() == 0


def test_debug_says_it_all(start, provider):
    peer = start("--log-level", "debug")
    session(peer, provider)
    debug, warnings = lines(peer, "debug"), lines(peer, "warning")
    assert len(debug) == 3 and debug[0].endswith(" of a is open") and debug[1].endswith(" of a is closed")
    assert debug[2] == "a was refreshed: a new token was asked for"
    assert warnings == ["a redirect was refused: it belongs to no open sign-in", "the refresh of a failed and is tried again at the next use (authorizationServerError)"]
    for secret in provider.secrets | {"stray"}:
        assert secret.encode() not in peer.stderr


@pytest.mark.parametrize("level", ["warning", None])
def test_warnings_are_what_is_said_by_itself(start, provider, level):
    peer = start(*(["--log-level", level] if level else []))
    session(peer, provider)
    assert len(lines(peer, "warning")) == 2 and not lines(peer, "debug") and not lines(peer, "info")


def test_errors_alone(start, provider):
    peer = start("--log-level", "error")
    session(peer, provider)
    assert peer.stderr == b""


def test_a_damaged_grant_and_a_broken_file(start, provider, home):
    peer = start()
    authorize(peer, provider.approve, **provider.parameters())
    (home / "store" / "a.grant").write_bytes(b"x")
    peer.answer(peer.send("account", {"account": "a"}))
    folder = home / "config" / "oauth-stdio" / "providers"
    folder.mkdir(parents=True)
    (folder / "torn.json").write_text("{")
    peer.answer(peer.send("provider", {"provider": "torn"}))
    peer.finish()
    warnings = lines(peer, "warning")
    assert any("set aside" in line and "a.grant.unreadable" in line for line in warnings), warnings
    assert any("torn.json" in line and "is no json at line 1" in line for line in warnings) or "torn" not in str(folder), warnings


def test_a_grant_that_cannot_be_written_is_an_error(start, provider, home):
    """A folder in the place of the file that the grant would be."""
    peer = start("--log-level", "error")
    identifier = peer.send("authorize", provider.parameters())
    url = peer.event("signInWasRequested", request=identifier)["url"]
    (home / "store").mkdir(exist_ok=True, mode=0o700)
    (home / "store" / "a.grant").mkdir()
    (home / "store" / "a.grant" / "x").mkdir()
    provider.approve(url)
    assert peer.answer(identifier)["error"]["data"]["kind"] == "storageFailure"
    peer.finish()
    assert lines(peer, "error") and lines(peer, "error")[0].startswith("the grant of a could not be written: ")


def test_a_lock_that_another_process_has(start, provider):
    first, second = start(), start("--log-level", "debug")
    authorize(first, provider.approve, **provider.parameters())
    provider.instead["/token"] = lambda request: time.sleep(0.5)
    slow = first.send("refresh", {"account": "a", "force": True})
    time.sleep(0.2)
    second.request("refresh", {"account": "a", "force": True})
    first.result(slow)
    second.finish()
    assert any(line.startswith("the lock of a was waited for, ") for line in lines(second, "debug"))

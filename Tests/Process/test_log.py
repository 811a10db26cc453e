"""The log's lines at each level, and that names appear in them: every test sets the level of its line."""

import concurrent.futures
import fcntl
import os
import re
import subprocess
import time

import pytest

import browser
from provider import Response
from rpc import BINARY, Peer
from signing_in import authorize, redirect


def lines(peer: Peer, level: str) -> list[str]:
    """Returns the lines of this level without their prefix."""
    start = f"oauth-stdio: {level}: "
    return [line.removeprefix(start) for line in peer.stderr.decode().splitlines() if line.startswith(start)]


def session(peer: Peer, provider) -> None:
    """A sign-in after a stray redirect, a refresh that fails temporarily, and one that succeeds."""
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


def test_the_level_debug(start, provider):
    peer = start("--log-level", "debug")
    session(peer, provider)
    debug, warnings = lines(peer, "debug"), lines(peer, "warning")
    assert len(debug) == 2 and debug[0].endswith(" of a is open") and debug[1].endswith(" of a is closed")
    assert warnings == ["a redirect was rejected: it belongs to no open sign-in", "the refresh of a failed and is tried again at the next use (authorizationServerError)"]
    for secret in provider.secrets | {"stray"}:
        assert secret.encode() not in peer.stderr


@pytest.mark.parametrize("level", ["warning", None])
def test_the_default_level_is_warning(start, provider, level):
    peer = start(*(["--log-level", level] if level else []))
    session(peer, provider)
    assert len(lines(peer, "warning")) == 2 and not lines(peer, "debug") and not lines(peer, "info")


def test_the_level_error(start, provider):
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
    assert any("torn.json" in line and "is not valid JSON at line 1" in line for line in warnings), warnings


def test_a_grant_that_cannot_be_written_is_an_error(start, provider, home):
    """A folder has the path of the grant's file."""
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


# A stderr that the client does not read


class Unread:
    """A full pipe of one page as the process's stderr."""

    def __init__(self):
        self.reading, self.writing = os.pipe()
        fcntl.fcntl(self.writing, fcntl.F_SETPIPE_SZ, 4096)
        self.filling = b"x" * 4095 + b"\n"
        os.write(self.writing, self.filling)

    def take(self) -> None:
        """Makes the pipe the child's stderr. Runs in the child."""
        os.dup2(self.writing, 2)

    def lines(self) -> list[str]:
        """Returns the lines after the filling, up to the end of the pipe."""
        os.close(self.writing)
        with os.fdopen(self.reading, "rb") as file:
            return file.read().removeprefix(self.filling).decode().splitlines()


@pytest.fixture
def unread():
    return Unread()


def test_forged_redirects_stop_nothing_while_stderr_is_not_read(start, provider, unread):
    peer = start(preexec_fn=unread.take)
    for number in range(1000):
        peer.request("handleRedirect", {"url": f"http://127.0.0.1/?state={number}&code=x"})
    authorize(peer, provider.approve, **provider.parameters())
    assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200


def test_lines_that_are_not_read_are_dropped_and_counted(start, unread):
    """Once stderr is read, every line is written or counted."""
    peer = start("--log-level", "debug", preexec_fn=unread.take)
    count = 2000
    for number in range(count):
        peer.notify("x" * 100)
    peer.request("accounts")
    # Reading starts first, because at its end the process waits only for a client that reads.
    with concurrent.futures.ThreadPoolExecutor() as pool:
        reading = pool.submit(unread.lines)
        peer.finish()
        lines = reading.result()
    written = [line for line in lines if line.startswith("oauth-stdio: debug: ")]
    dropped = [int(match[1]) for line in lines if (match := re.fullmatch(r"oauth-stdio: warning: (\d+) log lines were dropped because stderr was not read", line))]
    assert sum(dropped) > 0 and len(written) + sum(dropped) == count


def test_the_process_ends_although_stderr_is_not_read(start, unread):
    peer = start(preexec_fn=unread.take)
    peer.request("handleRedirect", {"url": "http://127.0.0.1/?state=forged&code=x"})
    assert peer.finish() == 0


def test_a_wrong_option_ends_although_stderr_is_not_read(unread):
    process = subprocess.Popen([BINARY, "--wrong"], stdin=subprocess.DEVNULL, preexec_fn=unread.take)
    try:
        assert process.wait(60) == 2
    finally:
        process.kill()


def test_a_repeated_warning_appears_at_most_once_a_second(start):
    """848 repeated warnings once filled a pipe."""
    peer = start()
    began = time.monotonic()
    for number in range(2000):
        assert peer.request("handleRedirect", {"url": f"http://127.0.0.1/?state={number}&code=x"})["handled"] is False
    seconds = time.monotonic() - began
    assert peer.finish() == 0
    shown = [line for line in lines(peer, "warning") if line.startswith("a redirect was rejected")]
    assert 1 <= len(shown) <= seconds + 1


# Names and server text

HIDDEN = "\u009b\u0085\u202e\u2066\u200f\u061c\u2028"


def test_control_characters_of_names_and_servers_are_in_no_message(start, provider):
    peer = start("--log-level", "debug")
    name = f"a{HIDDEN}b"
    identifier = peer.send("authorize", {**provider.parameters(), "account": name})
    provider.approve(peer.event("signInWasRequested", request=identifier)["url"])
    # In data the name is unchanged.
    assert peer.result(identifier)["account"] == name
    said = {"error": f"in{HIDDEN}valid_scope", "error_description": f"gone{HIDDEN}!", "error_uri": "https://example.com/help"}
    provider.instead["/token"] = lambda request: Response.of(said, 400)
    error = peer.answer(peer.send("refresh", {"account": name, "force": True}))["error"]
    assert "invalid_scope: gone!" in error["message"] and error["data"]["errorDescription"] == "gone!" and error["data"]["error"] == "invalid_scope"
    assert error["data"]["errorUri"] == "https://example.com/help"
    details = peer.event("errorOccuredWithShortDescription", account=name)["errorDetails"]
    unknown = peer.answer(peer.send("accounts", {f"x{HIDDEN}y": 1}))["error"]
    assert unknown["data"]["path"] == f"/x{HIDDEN}y"
    peer.finish()
    assert "the sign-in" in peer.stderr.decode() and " of ab is open" in peer.stderr.decode()
    for text in (peer.stderr.decode(), error["message"], details, unknown["message"]):
        assert not set(text) & set(HIDDEN), text


@pytest.mark.parametrize("page", ["javascript:alert(1)", "http://example.com/help", "file:///etc/passwd", "help", ""])
def test_an_error_page_is_passed_on_with_https_alone(start, provider, page):
    peer = start()
    authorize(peer, provider.approve, **provider.parameters())
    provider.instead["/token"] = lambda request: Response.of({"error": "invalid_grant", "error_uri": page}, 400)
    assert "errorUri" not in peer.answer(peer.send("refresh", {"account": "a", "force": True}))["error"]["data"]
    identifier = peer.send("authorize", {**provider.parameters(interaction="always")})
    url = peer.event("signInWasRequested", request=identifier)["url"]
    browser.deliver(redirect(url, error="access_denied", error_uri=page))
    assert "errorUri" not in peer.answer(identifier)["error"]["data"]

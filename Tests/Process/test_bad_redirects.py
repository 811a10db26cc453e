"""Foreign requests to the redirect URI, users who deny or send nothing, broken browsers, and clients that do not read."""

import json
import os
import socket
import subprocess
import time
from pathlib import Path

import pytest

import browser
from ports import reserve_port
from provider import Response
from rpc import BINARY, PATIENCE
from signing_in import authorize, redirect
from waiting import Hold, wait_until


@pytest.fixture
def page(peer, provider):
    """Opens a sign-in and returns its request's id and its URL."""
    identifier = peer.send("authorize", provider.parameters())
    return identifier, peer.event("signInWasRequested", request=identifier)["url"]


def port_of(url: str) -> int:
    return int(browser.query(url)["redirect_uri"].split(":")[2].split("/")[0])


def speak(port: int, data: bytes, timeout: float = PATIENCE) -> bytes:
    """Sends bytes and returns the whole response."""
    with socket.create_connection(("127.0.0.1", port), timeout) as connection:
        connection.settimeout(timeout)
        answer = b""
        try:
            connection.sendall(data)
            while chunk := connection.recv(1 << 16):
                answer += chunk
        except ConnectionError:
            pass
        return answer


def get(url: str, port: int, *, method: str = "GET", host: str | None = None, more: str = "", target: str | None = None) -> bytes:
    path = target or url[url.index("/callback") :]
    return f"{method} {path} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{port}'}\r\n{more}\r\n".encode()


def test_strangers_do_not_disturb_a_sign_in(peer, provider, page):
    """A request without our state and path neither ends the sign-in nor causes a token request."""
    identifier, url = page
    port = port_of(url)
    code = provider.secret()
    good = redirect(url, code=code)
    wrong = redirect(url, code=code, state="x" * 22)
    strangers = [
        (get(wrong, port), 404), (get(wrong, port, host="evil.example"), 421), (get(wrong, port, host=f"localhost:{port}"), 421), (get(good, port, host=f"127.0.0.1:{port}, x"), 400),
        (get(good, port, host="evil.example/"), 400), (get(good, port, host="evil.example", target="/callback?code=x"), 421), (get(good, port, host="evil.example", target="/"), 421),
        (get(good, port, more=f"Host: 127.0.0.1:{port}\r\n"), 400), (get(good, port, method="HEAD"), 405), (get(good, port, method="PUT"), 405), (get(good, port, method="G ET"), 400),
        (get(good, port, more="Transfer-Encoding: chunked\r\n"), 501), (get(good, port, more="X : y\r\n"), 400), (get(good, port, more=" folded\r\n"), 400), (get(good, port, more="Sec-Purpose: prefetch\r\n"), 503),
        (get(good, port).replace(b"HTTP/1.1", b"HTTP/2.0"), 505), (get(good, port).replace(b"HTTP/1.1", b"HTTP/0.9"), 505), (b"\x16\x03\x01\x02\x00\x01" * 20, 400), (b"\0" * 100, 400),
        (get(good, port, target="/callback/../callback?x"), 404), (get(good, port, target="http://evil.example/callback?state=x"), 421), (get(good, port, target="http://[::1/callback?state=x"), 400), (get(good, port, target="*"), 400),
        (get(good, port, target="/" + "a" * 100_000), 431), (get(good, port, more="X: " + "a" * 100_000 + "\r\n"), 431), (get(good, port, more="X: y\r\n" * 20_000), 431),
        (get(good, port, method="POST", target="/callback", more="Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 999999999\r\n"), 413),
        (get(good, port, method="POST", target="/callback", more="Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 5\r\nContent-Length: 6\r\n"), 400),
        (get(good, port, method="POST", target="/callback", more="Content-Type: text/plain\r\nContent-Length: 5\r\n") + b"state", 415), (get(good, port, method="POST", target="/callback"), 415),
        (get(good, port, target="/callback?state=a&state=b&code=c"), None), (get(good, port, target="/callback?" + "a=b&" * 5000), None), (get(good, port, target="/callback?state=%00&code=%ff"), None),
    ]
    for data, status in strangers:
        answer = speak(port, data)
        if status:
            assert answer.startswith(b"HTTP/1.1 %d " % status), (data[:200], answer[:100])
        assert b"200 OK" not in answer[:20] and code.encode() not in answer and b"set-cookie" not in answer.lower()
    peer.request("accounts")
    assert [request.path for request in provider.requests] == []
    provider.approve(url)
    assert peer.result(identifier)["via"] == "signedIn"


@pytest.mark.parametrize("host", ["space-8000.app.example.dev", "localhost:{port}", "[::1]:{port}", "127.0.0.1", "127.0.0.1:1", "a.example, http://a.example"])
@pytest.mark.parametrize("is_pinned", [False, True], ids=["any port", "pinned"])
def test_a_redirect_under_another_name_counts(peer, provider, host, is_pinned):
    """A forwarder of ports brings its own name. The state alone shows whose redirect it is."""
    more = {"redirectUri": f"http://localhost:{reserve_port()}/callback"} if is_pinned else {}
    identifier = peer.send("authorize", provider.parameters(**more))
    url = peer.event("signInWasRequested", request=identifier)["url"]
    port = port_of(url)
    host, _, absolute = host.format(port=port).partition(", ")
    good = redirect(url, code=provider.secret())
    answer = speak(port, get(good, port, host=host, target=absolute and absolute + good[good.index("/callback") :]))
    assert answer.startswith(b"HTTP/1.1 200 ") and b"access-control" not in answer.lower() and b"example" not in answer.partition(b"<body")[0]
    assert peer.result(identifier)["via"] == "signedIn"
    (request,) = provider.requests
    assert browser.query("?" + request.body.decode())["redirect_uri"] == browser.query(url)["redirect_uri"]


def test_a_refusal_says_what_to_do_with_the_address(start, provider, home):
    """A user whose redirect was rejected can still paste it. The sign-in is open, so no page says that it has ended."""
    peer, script = start(environment={"BROWSER": str(home / "browser")}), home / "browser"
    script.parent.mkdir(exist_ok=True)
    script.write_text('#!/bin/sh\necho "$1" > "$0.part"; mv "$0.part" "$0.url"\n')
    script.chmod(0o755)
    identifier = peer.send("authorize", provider.parameters(openBrowser=True))
    url = peer.event("signInWasRequested", request=identifier)["url"]
    port, started = port_of(url), Path(f"{script}.url")
    wait_until(started.exists)
    begin = started.read_text().strip()
    port_of_start = int(begin.split(":")[2].split("/")[0])
    good, wrong = redirect(url, code="x"), redirect(url, code="x", state="y" * 22)
    evil = "evil.example"
    for target, host, status in [
        (wrong, None, 404), (wrong, evil, 421), (redirect(url, code="x", state=""), evil, 421), (good.replace("/callback", "/proxy/callback"), None, 404), (good.replace("/callback", "/proxy/callback"), evil, 421), (good + "&code=y", None, 400),
    ]:
        path = target[target.index("/", 8) :]
        answer = speak(port, get(good, port, host=host, target=path)).decode()
        assert answer.startswith(f"HTTP/1.1 {status} ")
        head, _, page = answer.partition("\r\n\r\n")
        assert "oauth-stdio" in page and "copy the address of this page and paste it" in page and "ended" not in page, page
        assert evil not in answer and "access-control" not in head.lower()
    start_path = begin[begin.index("/start/") :]
    assert speak(port_of_start, get(good, port_of_start, host=evil, target=start_path)).startswith(b"HTTP/1.1 421 ")
    assert not provider.requests
    assert peer.request("handleRedirect", {"url": good}) == {"handled": True}
    assert peer.result(identifier)["via"] == "signedIn"


def test_a_browser_with_many_cookies(peer, provider, page):
    """Cookies of this host come from the programs of all its ports."""
    identifier, url = page
    port = port_of(url)
    cookies = "".join(f"Cookie: c{number}={'v' * 4000}\r\n" for number in range(15))
    assert speak(port, get(redirect(url, code=provider.secret()), port, more=cookies)).startswith(b"HTTP/1.1 200 ")
    assert peer.result(identifier)["via"] == "signedIn"


def test_a_second_request_in_one_connection_is_not_read(peer, provider, page):
    identifier, url = page
    port = port_of(url)
    smuggled = get(redirect(url, state="no", code="x"), port) + get(redirect(url, code="x"), port)
    assert speak(port, smuggled).count(b"HTTP/1.1") == 1
    peer.request("accounts")
    assert not provider.requests
    provider.approve(url)
    peer.result(identifier)


def test_five_hundred_silent_connections(peer, provider, page):
    identifier, url = page
    port = port_of(url)
    silent = [socket.socket() for _ in range(500)]
    try:
        for connection in silent:
            connection.setblocking(False)
            connection.connect_ex(("127.0.0.1", port))
        for connection in silent[::2]:
            try:
                connection.send(b"GET /callb")
            except OSError:
                pass
        provider.approve(url)
        assert peer.result(identifier)["via"] == "signedIn"
    finally:
        for connection in silent:
            connection.close()


def test_guessing_the_state(peer, provider, page):
    identifier, url = page
    port = port_of(url)
    state = browser.query(url)["state"]
    assert len(state) >= 22
    for number in range(300):
        guess = state[: number % len(state)] + "".join(chr(97 + (number + index) % 26) for index in range(len(state) - number % len(state)))
        if guess != state:
            assert speak(port, get(redirect(url, state=guess, code="x"), port)).startswith(b"HTTP/1.1 404")
    assert not provider.requests
    provider.approve(url)
    peer.result(identifier)


def is_read(connection) -> bool:
    """Whether the process at the other end has read all that was sent."""
    ports = [connection.getpeername()[1], connection.getsockname()[1]]
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, there, here, _, queues, *_ = line.split()
        if [int(address.split(":")[1], 16) for address in (there, here)] == ports:
            return int(queues.split(":")[1], 16) == 0
    return False


def test_the_same_redirect_twice(peer, provider, page):
    identifier, url = page
    provider.instead["/token"] = hold = Hold()
    good = redirect(url, code="abc")
    request = get(good, port_of(url))
    with socket.create_connection(("127.0.0.1", port_of(url)), PATIENCE) as first:
        first.sendall(request)
        hold.wait()
        with socket.create_connection(("127.0.0.1", port_of(url)), PATIENCE) as second:
            second.sendall(request)
            handed_in = peer.send("handleRedirect", {"url": good})
            wait_until(lambda: is_read(second))
            hold.release()
            assert b" 200 " in second.recv(1 << 16)[:20]
    assert peer.result(identifier)["via"] == "signedIn"
    assert "handled" in peer.result(handed_in) and peer.request("handleRedirect", {"url": good}) == {
        "handled": False, "reason": "the sign-in that the address belongs to has ended",
    }
    assert [entry.path for entry in provider.requests].count("/token") == 1


def test_an_error_without_the_state(peer, provider, page):
    """Some servers forget the state. Anyone can send such an error, so the user learns of it and the sign-in goes on."""
    identifier, url = page
    place = redirect(url).split("?")[0] + "?"
    error = place + "error=invalid_request&error_description=code_challenge+missing%3Cb%3E"
    answer = browser.deliver(error)
    assert answer.status == 400 and "<bdi>invalid_request</bdi>" in answer.text and "missing" not in answer.text
    assert speak(port_of(url), get(error, port_of(url), host="evil.example")).startswith(b"HTTP/1.1 421 ")
    reason = "the server reports invalid_request, without the state that says for which sign-in"
    assert peer.request("handleRedirect", {"url": error}) == {"handled": False, "reason": reason}
    provider.approve(url)
    assert peer.result(identifier)["via"] == "signedIn"


def test_the_end_of_the_time_names_such_an_error(peer, provider):
    for query, reported in [("error=invalid_request", ": a redirect without the state reported invalid_request"), ("error=See+evil.example", "")]:
        identifier = peer.send("authorize", provider.parameters(timeout=2, interaction="always"))
        browser.deliver(redirect(peer.event("signInWasRequested", request=identifier)["url"]).split("?")[0] + "?" + query)
        message = peer.answer(identifier)["error"]["message"]
        assert message.split(";")[0] == f"the sign-in was not finished within 2 s{reported}", message


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"error": "access_denied", "error_description": "no <script>alert(1)</script>"}, "accessDenied"), ({"error": "server_error"}, "authorizationServerError"), ({"error": "x\0\r\n\u202e"}, "authorizationServerError"),
        ({"error": "e", "error_description": "d" * 6000, "error_uri": "javascript:alert(1)"}, "authorizationServerError"), ({"code": ""}, "responseUntrusted"), ({}, "responseUntrusted"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_a_sign_in_that_is_refused(peer, provider, page, error, kind):
    identifier, url = page
    answer = speak(port_of(url), get(redirect(url, **error), port_of(url)))
    assert b"<script" not in answer.lower() and b"javascript:" not in answer.lower()
    data = peer.answer(identifier)["error"]
    assert kind != "accessDenied" or data["message"] == "the sign-in was denied: no <script>alert(1)</script>"
    assert data["data"]["kind"] == kind and len(json.dumps(data)) < 5000
    assert authorize(peer, provider.approve, **provider.parameters())["via"] == "signedIn"


def test_a_closed_tab(peer, provider, page):
    """A user who closes the tab during the code exchange is still signed in."""
    identifier, url = page
    provider.instead["/token"] = hold = Hold()
    with socket.create_connection(("127.0.0.1", port_of(url)), PATIENCE) as connection:
        connection.sendall(get(redirect(url, code="abc"), port_of(url)))
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        hold.wait()
    hold.release()
    assert peer.result(identifier)["via"] == "signedIn"


@pytest.mark.parametrize("command", ["/nonexistent/browser", "/bin/false", "sleep 100", "/dev/null", "", ":::", "sh -c 'echo stray; echo stray >&2; cat'", "%s", "timeout 3 yes", "'unclosed"])
def test_an_unusable_browser(start, provider, command):
    peer = start(environment={"BROWSER": command})
    identifier = peer.send("authorize", provider.parameters(openBrowser=True))
    url = peer.event("signInWasRequested", request=identifier)["url"]
    provider.approve(url)
    assert peer.result(identifier)["via"] == "signedIn"
    assert peer.finish() == 0 and b"stray" not in peer.stdout


def resident(process) -> int:
    with open(f"/proc/{process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def reader_less(home, provider, peer, params: list[dict]) -> subprocess.Popen:
    """Starts a process with the account of `peer`. Its client sends requests but does not read."""
    authorize(peer, provider.approve, **provider.parameters())
    process = subprocess.Popen([BINARY, "--store", str(peer.store)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    for number, entry in enumerate(params):
        process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": "callAPI", "params": {"account": "a", **entry}}).encode() + b"\n")
    process.stdin.flush()
    return process


def test_a_stream_that_is_not_read_takes_no_memory(home, peer, provider):
    size = 96 << 20
    provider.instead["/api/large"] = lambda request: Response(200, bytes(size))
    process = reader_less(home, provider, peer, [{"url": "large", "stream": True}])
    try:
        time.sleep(3)
        assert resident(process) < 60_000, "KiB"
        process.stdin.close()
        total = sum(len(chunk) for chunk in iter(lambda: process.stdout.read(1 << 20), b""))
        assert total > size and process.wait(60) == 0
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("params", [{"url": "large", "stream": True}, {"url": "large", "maxBytes": 1 << 30}], ids=["stream", "whole"])
def test_a_client_that_goes_in_the_middle_of_an_answer(home, peer, provider, params):
    provider.instead["/api/large"] = lambda request: Response(200, bytes(32 << 20))
    process = reader_less(home, provider, peer, [params] * 2)
    try:
        os.read(process.stdout.fileno(), 1000)
        process.stdout.close()
        # A slow machine may take a while over the rest of the answers, and says so.
        said = [line for line in process.stderr.read().splitlines() if b"waiting at most" not in line]
        assert process.wait(60) >= 0 and said == []
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("way", ["the browser", "handleRedirect"])
def test_a_description_that_is_not_utf_8(peer, provider, page, way):
    """A denial still counts if its description is Latin-1 or has a truncated escape."""
    identifier, url = page
    target = redirect(url, error="access_denied") + "&error_description=refus%E9%20%zz&%FF=%"
    if way == "the browser":
        assert b"text/html" in speak(port_of(url), get(target, port_of(url)))
    else:
        assert peer.request("handleRedirect", {"url": target}) == {"handled": True}
    error = peer.answer(identifier)["error"]
    assert error["data"]["kind"] == "accessDenied" and error["data"]["errorDescription"] == "refus\ufffd %zz"

"""The door of `http`, spoken to by raw sockets: what two parsers may read differently is refused, and nothing of it is sent.

The service records every byte. Behind each refused request stands a second one, which must not get there either, and at the end a third one on a
connection of its own shows that nothing else was sent.
"""

import base64
import contextlib
import socket
import subprocess
import threading

import pytest

from rpc import BINARY, PATIENCE, Peer

SECRET = b"placeholder/+of=the&door-0123456789"
TOKEN = "token-of-the-account"
AUTHORIZATION = b"Authorization: Bearer {secret}\r\n"
SMUGGLED = b"GET /a/smuggled HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {secret}\r\n\r\n"


class Service:
    """An API that answers 200, and records the requests that are whole."""

    def __init__(self):
        self.seen = b""
        self.requests: list[tuple[bytes, bytes]] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self.serve, args=(self.listener.accept()[0],), daemon=True).start()

    def serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError, EOFError), connection, connection.makefile("rb") as stream:
            while head := self.head(stream):
                self.requests.append((head, self.body(head.lower(), stream)))
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")

    def read(self, stream, count: int | None = None) -> bytes:
        data = stream.readline() if count is None else stream.read(count)
        self.seen += data
        if len(data) < (1 if count is None else count):
            raise EOFError
        return data

    def head(self, stream) -> bytes:
        lines = [self.read(stream)]
        while lines[-1] != b"\r\n":
            lines.append(self.read(stream))
        return b"".join(lines)

    def body(self, head: bytes, stream) -> bytes:
        if b"\r\ncontent-length:" in head:
            return self.read(stream, int(head.split(b"\r\ncontent-length:")[1].split(b"\r\n")[0]))
        body = b""
        while b"\r\ntransfer-encoding:" in head:
            count = int(self.read(stream), 16)
            body += self.read(stream, count)
            self.read(stream)
            if count == 0:
                break
        return body


class Door:
    def __init__(self, service: Service, port: int):
        self.service, self.port = service, port

    def filled(self, data: bytes) -> bytes:
        return data.replace(b"{port}", b"%d" % self.port).replace(b"{secret}", SECRET)

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE)

    def targets(self, since: int) -> list[bytes]:
        return [head.split(b" ")[1] for head, _ in self.service.requests[since:]]

    def answers(self, data: bytes) -> bytes:
        """Sends these bytes, and returns what comes until the door closes the connection."""
        with contextlib.suppress(ConnectionError), self.connect() as connection:
            connection.sendall(self.filled(data))
            return b"".join(iter(lambda: connection.recv(1 << 16), b""))
        return b""

    def ask(self, connection: socket.socket, data: bytes) -> bytes:
        """Returns one answer, whose length is known."""
        connection.sendall(self.filled(data))
        answer = b""
        while b"\r\n\r\n" not in answer or len(answer.split(b"\r\n\r\n", 1)[1]) < int(answer.split(b"Content-Length: ")[1].split(b"\r\n")[0]):
            piece = connection.recv(1 << 16)
            assert piece, answer
            answer += piece
        return answer


def message(line=b"GET /a/x HTTP/1.1", host=b"Host: 127.0.0.1:{port}\r\n", auth=AUTHORIZATION, more=b"", end=b"\r\n", body=b"") -> bytes:
    return line + b"\r\n" + host + auth + more + end + body


def post(more: bytes, body: bytes, version: bytes = b"1.1") -> dict:
    return {"line": b"POST /a/x HTTP/" + version, "more": more, "body": body}


@pytest.fixture(scope="module")
def door(tmp_path_factory):
    home = tmp_path_factory.mktemp("door")
    service = Service()
    provider = {
        "authorizationEndpoint": service.url + "/authorize", "tokenEndpoint": service.url + "/token", "apiBase": service.url + "/api/",
        "apiCredential": {"header": "X-Token"},
    }
    elsewhere = {**provider, "apiHosts": ["api.example.com"]}
    del elsewhere["apiBase"]
    with Peer(home=home) as peer:
        for account, description in (("a", provider), ("elsewhere", elsewhere), ("outside", provider)):
            grant = {"account": account, "format": "json", "data": {"access_token": TOKEN}, "provider": description, "clientId": "c"}
            peer.request("importGrant", grant)
        environment = peer.environment(None)
    secret = home / "secret"
    secret.touch(0o600)
    secret.write_bytes(SECRET + b"\n")
    process = subprocess.Popen(
        [BINARY, "--store", home / "store", "http", "a", "elsewhere", "--listen", "127.0.0.1:0", "--secret-file", secret],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
    )
    try:
        yield Door(service, int(process.stdout.readline().rsplit(b":", 1)[1]))
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)
        service.listener.close()


@pytest.fixture
def nothing_else(door):
    """Asserts at the end that the service got what the test names, and the request of this check, and never the door's secret."""
    since, expected = len(door.service.requests), []
    yield expected
    with door.connect() as connection:
        assert door.ask(connection, message(b"GET /a/check HTTP/1.1")).startswith(b"HTTP/1.1 200 ")
    assert door.targets(since) == [*expected, b"/api/check"]
    assert SECRET not in door.service.seen and base64.b64encode(SECRET) not in door.service.seen


def in_line(target: bytes) -> dict:
    return {"line": b"GET " + target + b" HTTP/1.1"}


def header(text: bytes) -> dict:
    return {"more": text + b"\r\n"}


# Refused before the rest of the request is read: 400, and the connection ends.
REFUSED = {
    "CONNECT": {"line": b"CONNECT /a/x HTTP/1.1"},
    "CONNECT-to-a-host": {"line": b"CONNECT api.example.com:443 HTTP/1.1"},
    "TRACE": {"line": b"TRACE /a/x HTTP/1.1"},
    "TRACE-with-a-body": {"line": b"TRACE /a/x HTTP/1.1", "more": b"Content-Length: 5\r\n", "body": b"hello"},
    "absolute-URL": in_line(b"http://127.0.0.1:{port}/a/x"), "asterisk": in_line(b"*"), "no-slash": in_line(b"a/x"),
    "no-account": in_line(b"/"), "empty-account": in_line(b"//a/x"), "NUL-in-the-account": in_line(b"/a%00/x"), "no-host-behind-@": in_line(b"/a/@/x"),
    "fragment": in_line(b"/a/x#y"), "fragment-in-the-query": in_line(b"/a/x?y#z"), "backslash": in_line(b"/a/x\\y"),
    "control": in_line(b"/a/x\x01"), "DEL": in_line(b"/a/x\x7f"), "UTF-8": in_line("/a/é".encode()), "Latin-1": in_line(b"/a/\xe9"),
    "tab": in_line(b"/a/x\ty"), "blank": in_line(b"/a/x y"), "CR-in-the-line": in_line(b"/a/x\ry"), "NUL-in-the-line": in_line(b"/a/x\0y"),
    **{f"dots-{each.decode()}": in_line(each) for each in (
        b"/a/.", b"/a/..", b"/a/./x", b"/a/../x", b"/../a/x", b"/a/x/..?y", b"/a/%2e/x", b"/a/%2e%2E/x", b"/a/.%2e/x", b"/a/%2e./x",
        b"/a/x%2f..%2fy", b"/a/x%2F%2e%2e", b"/a/x%5c..%5cy", b"/a/@api.example.com/../x")},
    "HTTP/0.9": {"line": b"GET /a/x"}, "HTTP/2": {"line": b"GET /a/x HTTP/2.0"}, "HTTP/1.2": {"line": b"GET /a/x HTTP/1.2"},
    "preface-of-HTTP/2": {"line": b"PRI * HTTP/2.0"}, "TLS": {"line": b"\x16\x03\x01\x02\x00\x01\x00"}, "lower-case-method": {"line": b"get /a/x HTTP/1.1"},
    "no-Host": {"host": b""}, "two-Host": header(b"Host: 127.0.0.1:{port}"), "two-different-Host": header(b"hOST: evil.example"),
    **{f"Host-{each.decode() or 'empty'}": {"host": b"Host: " + each + b"\r\n"} for each in (
        b"", b"evil.example", b"evil.example:{port}", b"127.0.0.1", b"127.0.0.1:1", b"localhost.:{port}", b"a.localhost:{port}", b"127.0.0.2:{port}",
        b"127.1:{port}", b"0.0.0.0:{port}", b"127.0.0.1:0{port}", b"127.0.0.1:{port}@evil", b"u@127.0.0.1:{port}", b"127.0.0.1:{port}, evil", b"::1:{port}")},
    "Origin": header(b"Origin: https://evil.example"), "Origin-of-the-door": header(b"Origin: http://127.0.0.1:{port}"), "Origin-null": header(b"Origin: null"),
    "Origin-named-by-Connection": header(b"Connection: origin\r\nOrigin: https://evil.example"),
    **{f"Sec-Fetch-Site-{each.decode()}": header(b"Sec-Fetch-Site: " + each) for each in (b"cross-site", b"same-site", b"same-origin", b"none, cross-site")},
    "Sec-Fetch-Site-twice": header(b"Sec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site"),
    "websocket": header(b"Connection: Upgrade\r\nUpgrade: websocket"), "Upgrade-alone": header(b"Upgrade: TLS/1.0"),
    "h2c-and-another": header(b"Connection: Upgrade\r\nUpgrade: h2c, websocket"), "two-Upgrade": header(b"Upgrade: h2c\r\nUpgrade: websocket"),
    "bare-LF-in-a-header": header(b"X: a\nY: b"), "bare-LF-in-the-line": {"line": b"GET /a/x HTTP/1.1\nX: y"}, "bare-LF-at-the-end": {"end": b"\n"},
    "bare-CR-in-a-header": header(b"X: a\rY: b"), "bare-CR-at-the-end": header(b"X: a\r"), "folded-by-a-blank": header(b"X: a\r\n b"),
    "folded-by-a-tab": header(b"X: a\r\n\tb"), "folded-before-the-first": {"host": b" X: y\r\nHost: 127.0.0.1:{port}\r\n"},
    "NUL-in-a-value": header(b"X: a\0b"), "NUL-in-a-name": header(b"X\0: a"), "control-in-a-value": header(b"X: a\x01b"), "not-UTF-8": header(b"X: \xe9"),
    "blank-before-the-colon": header(b"X : a"), "no-colon": header(b"X"), "no-name": header(b": a"),
    "one-large-header": header(b"X: " + b"a" * 70_000), "large-headers": header(b"X: y\r\n" * 12_000 + b"Y: z"),
    "empty-headers": header(b"X:\r\n" * 17_000 + b"Y: z"), "large-line": in_line(b"/a/" + b"x" * 70_000),
    "large-together": {**in_line(b"/a/" + b"x" * 40_000), "more": b"X: " + b"a" * 40_000 + b"\r\n"},
    "two-lengths": post(b"Content-Length: 5\r\nContent-Length: 5\r\n", b"hello"),
    "two-different-lengths": post(b"Content-Length: 5\r\nContent-Length: 0\r\n", b"hello"),
    "length-and-chunks": post(b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n"),
    "chunks-and-length": post(b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", b"0\r\n\r\n"),
    **{f"length-{name}": post(b"Content-Length:" + each + b"\r\n", b"hello") for name, each in {
        "plus": b" +5", "minus": b" -5", "empty": b"", "hexadecimal": b" 0x5", "list": b" 5, 5", "parameter": b" 5;a", "two": b" 5 5", "decimal": b" 5.0",
        "blank-behind": b" 5 ", "tab-behind": b" 5\t", "2^63": b" 9223372036854775808", "2^64+5": b" 18446744073709551621", "Arabic": b" \xd9\xa5"}.items()},
    **{f"coding-{each.decode('unicode_escape').strip()}": post(b"Transfer-Encoding: " + each + b"\r\n", b"0\r\n\r\n") for each in (
        b"gzip", b"gzip, chunked", b"chunked, chunked", b"chunked, gzip", b"xchunked", b"identity", b"chunked;a", b"chunked,", b",chunked", b'"chunked"',
        b"chunked\x0b")},
    "two-codings": post(b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", b"0\r\n\r\n"),
    "blank-before-the-colon-of-a-coding": post(b"Transfer-Encoding : chunked\r\n", b"0\r\n\r\n"),
    "folded-coding": post(b"Transfer-Encoding:\r\n chunked\r\n", b"0\r\n\r\n"),
    "chunks-of-HTTP/1.0": post(b"Transfer-Encoding: chunked\r\n", b"0\r\n\r\n", b"1.0"),
}


@pytest.mark.parametrize("parts", [pytest.param(parts, id=name) for name, parts in REFUSED.items()])
def test_refused(door, nothing_else, parts):
    answer = door.answers(message(**parts) + SMUGGLED)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ") and b"\r\nConnection: close" in head
    # The parser's own faults have no text.
    assert body.count(b"\n") == 0 if b"OAuth-Stdio-Error" not in head else body.startswith(b'{"kind":"badRequest",')


@pytest.mark.parametrize("parts", [pytest.param(parts, id=name) for name, parts in REFUSED.items() if len(message(**parts)) < 10_000])
def test_refused_behind_a_good_request(door, nothing_else, parts):
    """The first one gets its whole answer."""
    nothing_else.append(b"/api/first")
    answer = door.answers(message(b"GET /a/first HTTP/1.1") + message(**parts) + SMUGGLED)
    assert answer.startswith(b"HTTP/1.1 200 ") and b"\r\n\r\nokHTTP/1.1 400 " in answer


# Refused once the request is understood: the connection stays usable.
KEPT = {
    "no-secret": ({"auth": b""}, 401, "unauthorized"),
    "wrong-secret": ({"auth": b"Authorization: Bearer " + SECRET[::-1] + b"\r\n"}, 401, "unauthorized"),
    "secret-as-user-name": ({"auth": b"Authorization: Basic " + base64.b64encode(SECRET + b":x") + b"\r\n"}, 401, "unauthorized"),
    "secret-named-by-Connection": (header(b"Connection: authorization, keep-alive"), 401, "unauthorized"),
    "two-Authorization": (header(b"authorization: Basic eDp5"), 400, "badRequest"),
    "secret-under-another-scheme": ({"auth": b"Authorization: Digest {secret}\r\n"}, 400, "badRequest"),
    "secret-in-the-query": (in_line(b"/a/x?access_token={secret}"), 400, "badRequest"),
    "secret-in-the-path": (in_line(b"/a/{secret}"), 400, "badRequest"),
    "encoded-secret-in-the-query": (in_line(b"/a/x?k=" + b"".join(b"%%%02X" % byte for byte in SECRET)), 400, "badRequest"),
    "secret-in-the-Referer": (header(b"Referer: http://127.0.0.1:{port}/?{secret}"), 400, "badRequest"),
    "secret-in-another-header": (header(b"X: a{secret}b"), 400, "badRequest"),
    "secret-before-a-combining-mark": (header(b"X: {secret}\xcc\x81"), 400, "badRequest"),
    "another-account": (in_line(b"/outside/x"), 404, "noAccount"), "unknown-account": (in_line(b"/b/x"), 404, "noAccount"),
    "no-apiBase": (in_line(b"/elsewhere/x"), 404, "configurationInvalid"),
    **{f"host-{each.decode()}": (in_line(b"/elsewhere/@" + each + b"/x"), 403, "hostNotAllowed") for each in (
        b"evil.example", b"api.example.com.", b"api.example.com:444", b"evil.example@api.example.com", b"api.example.com@evil.example", b"API.example.com.evil.example",
        b"api.example.com%2eevil.example", b"%61pi.example.com", b"api.example.com;x", b"api.example.com,x", b"api.example.com:443:1", b"[::1]", b"127.0.0.1:{port}",
        b"https:", b"..%2fx")},
}


@pytest.mark.parametrize("parts, status, kind", [pytest.param(*case, id=name) for name, case in KEPT.items()])
def test_refused_and_kept(door, nothing_else, parts, status, kind):
    nothing_else.append(b"/api/next")
    with door.connect() as connection:
        answer = door.ask(connection, message(**parts))
        assert answer.startswith(b"HTTP/1.1 %d " % status) and b"\r\nOAuth-Stdio-Error: %s\r\n" % kind.encode() in answer
        assert (b"\r\nWWW-Authenticate: Basic realm=" in answer) == (status == 401)
        assert door.ask(connection, message(b"GET /a/next HTTP/1.1")).endswith(b"\r\n\r\nok")


# Faults in the body. Its head may be on its way, but the service never gets a whole request.
BROKEN = {
    "no-size": b"\r\nhello\r\n0\r\n\r\n", "minus": b"-5\r\nhello\r\n0\r\n\r\n", "hexadecimal-sign": b"0x5\r\nhello\r\n0\r\n\r\n", "blank": b" 5\r\nhello\r\n0\r\n\r\n",
    "blank-behind": b"5 \r\nhello\r\n0\r\n\r\n", "overflow": b"10000000000000005\r\nhello\r\n0\r\n\r\n", "bare-LF": b"5\nhello\n0\n\n",
    "too-long": b"5\r\nhelloxx\r\n0\r\n\r\n", "no-CRLF": b"5\r\nhello0\r\n\r\n", "bare-LF-in-an-extension": b"5;a=\n\r\nhello\r\n0\r\n\r\n",
    "NUL-in-a-trailer": b"5\r\nhello\r\n0\r\nX\0: y\r\n\r\n", "length-in-a-trailer": b"5\r\nhello\r\n0\r\nContent-Length: 5\r\n\r\n",
    "large-trailers": b"5\r\nhello\r\n0\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
}


@pytest.mark.parametrize("body", [pytest.param(body, id=name) for name, body in BROKEN.items()])
def test_broken_chunks(door, nothing_else, body):
    assert door.answers(message(**post(b"Transfer-Encoding: chunked\r\n", body)) + SMUGGLED) == b""


# What differs little from the refused ones, and is what programs send.
PASSED = {
    "GET": ({}, b""), "Host-localhost": ({"host": b"Host: LocalHost:{port}\r\n"}, b""), "Host-IPv6": ({"host": b"Host: [::1]:{port}\r\n"}, b""),
    "Sec-Fetch-Site-none": (header(b"Sec-Fetch-Site: none"), b""), "UTF-8": (header("X: é".encode()), b""), "CRLF-before": ({"line": b"\r\nGET /a/x HTTP/1.1"}, b""),
    "h2c": (header(b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__"), b""),
    "length": (post(b"Content-Length: 5\r\n", b"hello"), b"hello"), "leading-zeros": (post(b"Content-Length: 0005\r\n", b"hello"), b"hello"),
    "no-body": (post(b"Content-Length: 0\r\n", b""), b""), "chunks": (post(b"Transfer-Encoding: Chunked\r\n", b"2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"), b"hello"),
    "chunk-extensions": (post(b"Transfer-Encoding: chunked\r\n", b'5;a=b;c="d"\r\nhello\r\n0;e\r\n\r\n'), b"hello"),
    "trailers": (post(b"Transfer-Encoding: chunked\r\n", b"5\r\nhello\r\n0\r\nX: y\r\n\r\n"), b"hello"),
    "Basic": ({"auth": b"Authorization: Basic " + base64.b64encode(b"user:" + SECRET) + b"\r\n"}, b""), "token": ({"auth": b"Authorization: token {secret}\r\n"}, b""),
    "X-Api-Key": ({"auth": b"X-Api-Key: {secret}\r\n"}, b""), "header-of-the-API": ({"auth": b"x-token: {secret}\r\n"}, b""),
    "in-two-places": (header(b"PRIVATE-TOKEN: {secret}"), b""), "Cookie": (header(b"Cookie: a={secret}"), b""),
    "Proxy-Authorization": (header(b"Proxy-Authorization: Bearer {secret}"), b""), "Forwarded": (header(b"Forwarded: for={secret}\r\nX-Forwarded-For: {secret}"), b""),
    "named-by-Connection": (header(b"Connection: X, keep-alive\r\nX: {secret}"), b""),
}


@pytest.mark.parametrize("parts, body", [pytest.param(*case, id=name) for name, case in PASSED.items()])
def test_passed(door, nothing_else, parts, body):
    nothing_else.append(b"/api/x")
    since = len(door.service.requests)
    with door.connect() as connection:
        assert door.ask(connection, message(**parts)).endswith(b"\r\n\r\nok")
    head, got = door.service.requests[since]
    assert got == body
    assert f"\r\nX-Token: {TOKEN}\r\n".encode() in head
    for name in (b"upgrade", b"http2-settings", b"authorization", b"cookie", b"proxy-", b"forwarded", b"x-api-key", b"private-token", b"trailer"):
        assert b"\r\n" + name not in head.lower()

"""A service with invalid HTTP, at the API and at the token endpoint."""

import socket
import threading

import pytest

from rpc import processor_seconds
from signing_in import authorize


class RawService:
    """Responds with these bytes and repeats the last piece until the client disconnects or 64 MiB are sent."""

    def __init__(self, head: bytes, forever: bytes = b""):
        self.head, self.forever = head, forever
        self.listening = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listening.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listening.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with connection:
            try:
                connection.settimeout(10)
                connection.recv(1 << 16)
                connection.sendall(self.head)
                piece = self.forever * max(1, 65536 // len(self.forever)) if self.forever else b""
                for _ in range((64 << 20) // len(piece) if piece else 0):
                    connection.sendall(piece)
                # Closing with a part of the request unread would reset the connection, and the client might lose the response.
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(1 << 16):
                    pass
            except OSError:
                pass


OK = b"HTTP/1.1 200 OK\r\n"
ONE = b"Content-Length: 1\r\n\r\nx"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
# The possible kinds of error of an API call and a token request. None is a normal answer.
OUTCOMES = {
    "unreadable": {"api": ["networkFailure"], "token": ["networkFailure"]},
    "too large": {"api": ["responseTooLarge"], "token": ["responseTooLarge"]},
    "refused": {"api": ["serviceError"], "token": ["authorizationServerError"]},
    "readable": {"api": [None], "token": ["responseUntrusted"]},
    # The behaviour depends on libcurl's version.
    "readable or not": {"api": [None, "networkFailure"], "token": ["responseUntrusted", "networkFailure"]},
}


@pytest.mark.parametrize("outcome, head, forever", [
    *(("unreadable", head, forever) for head, forever in [
        (OK, b"X-A: " + b"b" * 200 + b"\r\n"), (OK + b"X: ", b"a"), (b"", b"HTTP/1.1 100 Continue\r\n\r\n"), (b"", b"HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n"),
        (CHUNKED + b"ffffffffffffffff\r\n", b"a"), (CHUNKED + b"-1\r\n", b"a"), (CHUNKED + b"1;", b"x"), (CHUNKED + b"0\r\n", b"T: t\r\n"),
        (OK + b"Content-Length: -1\r\n\r\n", b"a"), (OK + b"Content-Length: 5\r\n\r\nab", b""), (b"HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n", b""),
        (b"HTTP/1.1 -1 X\r\n\r\n", b""), (b"HTTP/9.9 200 X\r\n\r\nx", b""), (b"HTTP/1.1 200 OK", b""), (b"", b"\0"), (b"", b"a"),
        (OK + b"Content-Encoding: gzip, gzip, gzip, gzip, gzip, gzip, gzip\r\nContent-Length: 3\r\n\r\nabc", b""),
        (OK + b"A\0B: c\r\n" + ONE, b""), (OK + b"A: b\0c\r\n" + ONE, b""), (OK + b" folded\r\n" + ONE, b""), (OK + b"nocolon\r\n" + ONE, b""),
    ]),
    ("too large", OK + b"Content-Length: 99999999999999999999\r\n\r\n", b"a"), ("too large", OK + b"Content-Length: 9223372036854775807\r\n\r\n", b"a"),
    ("refused", b"HTTP/1.1 999 X\r\nContent-Length: 0\r\n\r\n", b""),
    ("readable", OK + b"X: \xff\xfe\r\n" + ONE, b""), ("readable", b"HTTP/1.1 200\r\n\r\nx", b""),
    ("readable or not", OK + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef", b""), ("readable or not", OK + b": empty\r\n" + ONE, b""),
    ("readable or not", OK + b"A: 1\r\na: 2\r\nA : 3\r\n" + ONE, b""),
], ids=lambda value: value if isinstance(value, str) else repr(value)[:50])
@pytest.mark.parametrize("where", ["api", "token"])
def test_responses_with_invalid_http(peer, provider, outcome, head, forever, where):
    service = RawService(head, forever)
    url = f"http://127.0.0.1:{service.port}/x"
    if where == "api":
        description = {**provider.description, "apiHosts": ["127.0.0.1"]}
        authorize(peer, provider.approve, **{**provider.parameters(), "provider": description})
        answer = peer.answer(peer.send("callAPI", {"account": "a", "url": url, "timeout": 40, "retry": False}), 60)
    else:
        identifier = peer.send("authorize", {**provider.parameters(), "provider": {**provider.description, "tokenEndpoint": url}})
        provider.approve(peer.event("signInWasRequested", request=identifier)["url"])
        answer = peer.answer(identifier, 60)
    with open(f"/proc/{peer.process.pid}/status") as status:
        memory = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    assert memory < 150_000
    kind = answer["error"]["data"]["kind"] if "error" in answer else None
    assert kind in OUTCOMES[outcome][where], answer
    authorize(peer, provider.approve, **{**provider.parameters(), "account": "other"})
    service.listening.close()


def three_letters(number: int) -> bytes:
    """Returns a different name for each number. Longer ones would exceed the limit of a header block."""
    return bytes(b"abcdefghijklmnopqrstuvwxyz0123456789"[number // divisor % 36] for divisor in (36 * 36, 36, 1))


HEADER_LINES = {
    "names of their own": lambda number: three_letters(number) + b":\r\n",
    "one name": lambda number: b"x:1\r\n",
    "one value": lambda number: b" 1\r\n" if number else b"x:1\r\n",
}


@pytest.mark.parametrize("lines", HEADER_LINES)
def test_forty_thousand_headers_cost_linear_time(start, provider, lines):
    description = {**provider.description, "apiHosts": ["127.0.0.1"]}
    authorize(start(), provider.approve, **{**provider.parameters(), "provider": description})

    def seconds(count: int) -> float:
        head = OK + b"".join(map(HEADER_LINES[lines], range(count))) + b"Content-Length: 0\r\n\r\n"
        service, peer = RawService(head), start(schema=None)
        before = processor_seconds()
        for _ in range(5):
            answer = peer.answer(peer.send("callAPI", {"account": "a", "url": f"http://127.0.0.1:{service.port}/", "timeout": 60}), 60)
            if "error" in answer and count > 5000:
                return 0
            assert len(answer["result"]["headers"]) == (count + 1 if lines == "names of their own" else 2)
        assert peer.finish() == 0
        service.listening.close()
        return processor_seconds() - before

    # From 8.6 on libcurl accepts at most 5,000 headers.
    few, many = (min(seconds(count) for _ in range(2)) for count in (4_000, 40_000))
    if many == 0:
        few, many = (min(seconds(count) for _ in range(2)) for count in (500, 5_000))
    # A linear time gives 10, a quadratic one 100.
    assert many / few < 30, f"{few} s, and for ten times as many headers {many} s"

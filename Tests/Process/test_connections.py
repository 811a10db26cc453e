"""A service's view: the number of connections and of requests."""

import itertools
import json
import socket
import subprocess
import threading

import pytest

from certificates import Authority


class Service:
    """A counting HTTP/1.1 server. `answer(connection, request)` returns bytes or pieces, with both numbers from 1. None closes the connection."""

    def __init__(self, answer):
        self.answer = answer
        self.connections = 0
        self.requests = 0
        self.changed = threading.Condition()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        for number in itertools.count(1):
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections = number
            threading.Thread(target=self.serve, args=(connection, number), daemon=True).start()

    def serve(self, connection, number):
        with connection, connection.makefile("rb") as lines:
            while line := lines.readline():
                while lines.readline() not in (b"\r\n", b""):
                    pass
                with self.changed:
                    self.requests += 1
                    request = self.requests
                    self.changed.notify_all()
                answer = self.answer(number, request)
                if answer is None:
                    return
                for piece in [answer] if isinstance(answer, bytes) else answer:
                    connection.sendall(piece)

    def wait_for(self, requests: int) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: self.requests >= requests, 60)


OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def keep(peer, url: str, account: str = "a", **more) -> None:
    provider = {"authorizationEndpoint": f"{url}/a", "tokenEndpoint": f"{url}/t", "apiBase": f"{url}/api/"}
    data = {"access_token": "at", **more}
    peer.request("importGrant", {"account": account, "provider": provider, "clientId": "c", "format": "json", "data": data})


@pytest.fixture
def service():
    running = []

    def new(answer) -> Service:
        running.append(Service(answer))
        return running[-1]

    yield new
    for one in running:
        one.listener.close()


def test_calls_beside_each_other_share_as_many_connections(peer, service):
    """64 calls are always open: the service answers none of a group of 64 before all of them have arrived."""

    def answer(connection, request):
        service_.wait_for((request + 63) // 64 * 64)
        return OK

    service_ = service(answer)
    keep(peer, service_.url)
    for _ in range(5):
        ids = [peer.send("callAPI", {"account": "a", "url": "x"}) for _ in range(64)]
        for identifier in ids:
            assert peer.result(identifier)["attempts"] == 1
    assert service_.requests == 320
    assert service_.connections == 64


def test_at_most_64_connections_serve_a_host(peer, service):
    """200 calls are open. The service answers the first one after 64 have arrived."""

    def answer(connection, request):
        service_.wait_for(64)
        return OK

    service_ = service(answer)
    keep(peer, service_.url)
    ids = [peer.send("callAPI", {"account": "a", "url": "x"}) for _ in range(200)]
    assert {peer.result(identifier)["status"] for identifier in ids} == {200}
    assert service_.connections == 64


def test_a_call_that_waits_can_end_and_holds_up_no_other_server(peer, service):
    """300 calls hang at a service, and 64 of them are open. A late and a cancelled call are among those that wait, and 200 go elsewhere."""
    hangs = threading.Event()

    def answer(connection, request):
        hangs.wait(60)
        return OK

    hanging, other = service(answer), service(lambda connection, request: OK)
    keep(peer, hanging.url)
    keep(peer, other.url, account="b")
    ids = [peer.send("callAPI", {"account": "a", "url": "x"}) for _ in range(300)]
    hanging.wait_for(64)
    late = peer.send("callAPI", {"account": "a", "url": "x", "timeout": 1})
    assert peer.answer(late)["error"]["data"]["kind"] == "timedOut"
    peer.notify("$/cancelRequest", {"id": ids[200]})
    assert peer.answer(ids[200])["error"]["code"] == -32800
    others = [peer.send("callAPI", {"account": "b", "url": "x"}) for _ in range(200)]
    assert {peer.result(identifier)["status"] for identifier in others} == {200}
    hangs.set()
    assert {peer.result(identifier)["status"] for identifier in ids if identifier != ids[200]} == {200}
    assert (hanging.requests, hanging.connections) == (299, 64)


def test_no_body_waits_for_a_call_that_pauses(peer, service):
    """64 bodies have 80 MiB together before one of them is whole, and come while an older call waits to be sent again."""
    all_have_begun = threading.Barrier(64)
    piece = b"10000\r\n%s\r\n" % (b"x" * (1 << 16))

    def answer(connection, request):
        if request == 1:
            return b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3\r\nContent-Length: 4\r\n\r\nwait"
        return large() if request <= 65 else OK

    def large():
        all_have_begun.wait(60)
        yield b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n" + piece * 20
        all_have_begun.wait(60)
        yield piece * 4 + b"0\r\n\r\n"

    service_ = service(answer)
    keep(peer, service_.url)
    ids = [peer.send("callAPI", {"account": "a", "url": "x", "timeout": 20})]
    service_.wait_for(1)
    ids += [peer.send("callAPI", {"account": "a", "url": "x", "timeout": 20}) for _ in range(70)]
    assert sorted(peer.result(identifier)["bytes"] for identifier in ids) == [2] * 7 + [24 << 16] * 64


# Answers the first call, and 200 more once it has got all of them.
HTTP2_SERVER = """
const file = require('fs').readFileSync(process.argv[1]), waiting = []
let isFirst = true
const server = require('http2').createSecureServer({ cert: file, key: file })
server.on('stream', stream => {
  waiting.push(stream)
  if (!isFirst && waiting.length < 200) return
  isFirst = false
  for (const one of waiting.splice(0)) { one.respond({ ':status': 200 }); one.end('ok') }
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
"""


def test_no_call_waits_for_another_over_http2(start, tmp_path):
    authority = Authority(tmp_path)
    with subprocess.Popen(["node", "-e", HTTP2_SERVER, authority.server()], stdout=subprocess.PIPE, text=True) as server:
        try:
            peer = start(environment={"SSL_CERT_FILE": str(authority.file)})
            keep(peer, f"https://localhost:{server.stdout.readline().strip()}")
            assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
            ids = [peer.send("callAPI", {"account": "a", "url": "x"}) for _ in range(200)]
            assert {peer.result(identifier)["status"] for identifier in ids} == {200}
        finally:
            server.kill()


def test_a_refresh_waits_for_no_call(peer, service):
    """100 calls hang at the host that also gives the tokens: 64 of them are open."""
    token = json.dumps({"access_token": "new", "token_type": "Bearer", "expires_in": 3600}).encode()
    hangs = threading.Event()

    def answer(connection, request):
        if request == 65:
            return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(token), token)
        hangs.wait(60)
        return OK

    service_ = service(answer)
    keep(peer, service_.url, refresh_token="r")
    ids = [peer.send("callAPI", {"account": "a", "url": "x"}) for _ in range(100)]
    service_.wait_for(64)
    assert peer.request("refresh", {"account": "a", "force": True})["status"] == "authorized"
    hangs.set()
    assert {peer.result(identifier)["status"] for identifier in ids} == {200}


def test_no_call_waits_for_a_stream(peer, service):
    """The service goes on with none of 70 streams before it has got a call beside them."""

    def answer(connection, request):
        service_.wait_for(71)
        return OK

    service_ = service(answer)
    keep(peer, service_.url)
    ids = [peer.send("callAPI", {"account": "a", "url": "x", "stream": True}) for _ in range(70)]
    assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    assert {peer.result(identifier)["status"] for identifier in ids} == {200}

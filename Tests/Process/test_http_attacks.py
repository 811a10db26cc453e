"""The door of `http` between a program and a hostile service."""

import contextlib
import socket
import subprocess
import threading

import pytest

from rpc import BINARY, PATIENCE, Peer

SECRET = "placeholder-of-the-door-0123456789"
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class Service:
    """An API whose answers are bytes, by the last segment of the path."""

    def __init__(self):
        self.answers: dict[bytes, bytes] = {}
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self.serve, args=(self.listener.accept()[0],), daemon=True).start()

    def serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection, connection.makefile("rb") as stream:
            while line := stream.readline():
                length = 0
                while (header := stream.readline()) not in (b"\r\n", b""):
                    length = int(header.split(b":")[1]) if header.lower().startswith(b"content-length:") else length
                stream.read(length)
                name = line.split(b" ")[1].rsplit(b"/", 1)[1]
                connection.sendall(self.answers.get(name, OK))
                if name in self.answers:
                    return


@pytest.fixture
def stage(home):
    """Returns the service, and `connect`, which opens a connection to the door."""
    home.mkdir()
    service = Service()
    description = {"authorizationEndpoint": service.url + "/a", "tokenEndpoint": service.url + "/t", "apiBase": service.url}
    with Peer(home=home) as peer:
        grant = {"account": "a", "format": "json", "data": {"access_token": "at"}, "provider": description, "clientId": "c"}
        peer.request("importGrant", grant)
        environment = peer.environment(None)
    secret = home / "secret"
    secret.touch(0o600)
    secret.write_text(SECRET)
    process = subprocess.Popen(
        [BINARY, "--store", home / "store", "http", "--listen", "127.0.0.1:0", "--secret-file", secret],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
    )
    try:
        port = int(process.stdout.readline().rsplit(b":", 1)[1])
        yield service, lambda: Program(port)
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)
        service.listener.close()


class Program:
    def __init__(self, port: int):
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.stream = self.socket.makefile("rb")
        self.head = f"HTTP/1.1\r\nHost: localhost:{port}\r\nAuthorization: Bearer {SECRET}\r\n".encode()

    def send(self, line: bytes, body: bytes | None = None, length: int | None = None) -> None:
        count = length if body is None else len(body)
        self.socket.sendall(line + b" " + self.head + (b"" if count is None else b"Content-Length: %d\r\n" % count) + b"\r\n" + (body or b""))

    def answer(self) -> tuple[int, dict[bytes, bytes], bytes]:
        status = int(self.stream.readline().split(b" ")[1])
        headers = {}
        while (line := self.stream.readline()) != b"\r\n":
            name, _, value = line.partition(b":")
            headers[name.lower()] = value.strip()
        if headers.get(b"transfer-encoding") != b"chunked":
            return status, headers, self.stream.read(int(headers[b"content-length"]))
        body = b""
        while count := int(self.stream.readline(), 16):
            body += self.stream.read(count)
            self.stream.readline()
        self.stream.readline()
        return status, headers, body

    def end(self) -> None:
        self.stream.close()
        self.socket.close()


FORGED = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"


@pytest.mark.parametrize(
    "answer, status, body",
    [
        pytest.param(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n" + FORGED, 502, None, id="101"),
        pytest.param(
            b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(FORGED), FORGED), 200, FORGED,
            id="length-beside-chunks"),
        pytest.param(b"HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n2\r\nno\r\n0\r\n\r\n", 404, b"no", id="in-an-error"),
        pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok" + FORGED, 200, b"ok", id="more-than-the-length"),
        pytest.param(b"HTTP/1.1 200 OK\r\nX: a\r\r" + FORGED.replace(b"\r\n", b"\r") + b"\r\nContent-Length: 2\r\n\r\nok", 200, b"ok", id="bare-CR"),
        pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 8\r\n\r\nok" + FORGED, 502, None, id="two-lengths"),
    ])
def test_a_service_cannot_forge_the_next_answer(stage, answer, status, body):
    service, connect = stage
    service.answers[b"forges"] = answer
    program = connect()
    program.send(b"GET /a/forges")
    got = program.answer()
    assert got[0] == status and (body is None or got[2] == body) and b"x" not in got[1]
    program.send(b"GET /a/next")
    assert program.answer()[::2] == (200, b"ok")


def test_a_pipelined_upload_whose_body_comes_later(stage):
    program = stage[1]()
    program.send(b"GET /a/first")
    program.send(b"POST /a/second", length=5)
    assert program.answer()[::2] == (200, b"ok")
    program.socket.sendall(b"hello")
    assert program.answer()[::2] == (200, b"ok")

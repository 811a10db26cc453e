"""The HTTP door and its command `http`: where it listens, who may use it, and how connections begin and end."""

import http.client
import os
import re
import select
import signal
import socket
import stat
import struct
import subprocess
import threading
from pathlib import Path

import pytest

from door import RawService, door, log_in, open_door, read_all, read_head, service, shell, user  # noqa: F401, fixtures
from misbehaving import resident
from provider import Response
from rpc import PATIENCE
from test_file_owners import OTHER, needs_root
from waiting import Hold, wait_until

# Programs at once, which no user has.
LIMIT = 256


# The end of a program, and of the door


def test_a_program_that_closes_its_side_gets_its_whole_answer(door, service):
    service.pages["/api/x"] = hold = Hold(Response(200, b"z" * 1_000_000))
    with door.connect() as connection:
        connection.sendall(door.head("GET /me/x"))
        hold.wait()
        connection.shutdown(socket.SHUT_WR)
        hold.release()
        found = read_all(connection)
    assert found.startswith(b"HTTP/1.1 200 ") and found.endswith(b"\r\n\r\n" + b"z" * 1_000_000)


@pytest.mark.parametrize("begun", [False, True], ids=["before the answer", "in the answer"])
def test_a_program_that_is_gone_ends_the_exchange_with_the_service(shell, open_door, begun):
    arrived, ended = threading.Event(), threading.Event()

    def play(connection, head) -> None:
        if begun:
            connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
        arrived.set()
        if connection.recv(1) == b"":
            ended.set()

    with RawService(play) as service:
        log_in(shell, service)
        door = open_door("me")
        with door.connect() as connection:
            connection.sendall(door.head("GET /me/x"))
            assert arrived.wait(PATIENCE)
            if begun:
                assert connection.recv(1)
            # A reset in place of a FIN.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        assert ended.wait(PATIENCE)
        assert len(service.heads) == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_door(door, number):
    assert door.ask().status == 200 and stat.S_IMODE(door.secret_file.stat().st_mode) == 0o600
    door.process.send_signal(number)
    # Standard output had the address alone.
    assert door.process.stdout.read() == "" and door.process.wait(PATIENCE) == 128 + number
    assert not door.secret_file.exists()
    with pytest.raises(ConnectionRefusedError):
        door.connect()


# Bodies


def test_an_answer_that_comes_before_the_body_was_sent(shell, open_door):
    """The program gets it although it is still sending, and sends no other request on the connection."""

    def play(connection, head) -> None:
        connection.sendall(b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 5\r\nConnection: close\r\n\r\nlarge")
        connection.shutdown(socket.SHUT_WR)
        read_all(connection)

    with RawService(play) as service:
        log_in(shell, service)
        answer = open_door("me").ask("/me/x", "PUT", b"x" * (3 << 20))
        assert (answer.status, answer.body, answer.headers["Connection"]) == (413, b"large", "close")


class Pipe:
    """Sends many bytes, and counts them."""

    def __init__(self, connection: socket.socket):
        self.connection, self.sent = connection, 0

    def fill(self, size: int) -> None:
        while self.sent < size:
            self.sent += self.connection.send(bytes(min(1 << 16, size - self.sent)))

    def is_full(self) -> bool:
        before = self.sent
        threading.Event().wait(0.1)
        return self.sent == before > 0


def drain(connection: socket.socket, size: int) -> None:
    while size > 0 and (piece := connection.recv(min(1 << 16, size))):
        size -= len(piece)
    assert size == 0


def test_large_bodies_take_little_memory(shell, open_door):
    """Neither side reads before the way is full of what the other one sends."""
    size, pipes, begins = 64 << 20, [], threading.Event()

    def play(connection, head) -> None:
        if head.startswith(b"GET"):
            connection.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
            return
        begins.wait(PATIENCE)
        drain(connection, size)
        connection.sendall(f"HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n".encode())
        pipes.append(Pipe(connection))
        pipes[-1].fill(size)

    with RawService(play) as service:
        log_in(shell, service)
        door = open_door("me")
        # The first request loads what every request needs.
        assert door.ask().status == 204
        before = resident(door)
        with door.connect() as connection:
            connection.sendall(door.head("PUT /me/x", f"{door.authorization}Content-Length: {size}\r\n"))
            pipes.append(Pipe(connection))
            sender = threading.Thread(target=pipes[0].fill, args=(size,))
            sender.start()
            wait_until(pipes[0].is_full)
            assert pipes[0].sent < size
            begins.set()
            sender.join(PATIENCE)
            wait_until(lambda: len(pipes) == 2 and pipes[1].is_full())
            assert pipes[1].sent < size
            assert read_head(connection).startswith(b"HTTP/1.1 200 ")
            drain(connection, size)
        assert resident(door) - before < 8 << 10


# Requests on a connection


def test_an_expectation_is_met_once_the_request_is_accepted(door, service):
    with door.connect() as connection:
        fields = "Expect: 100-continue\r\nContent-Length: 4\r\nConnection: close\r\n"
        connection.sendall(door.head("PUT /me/x", door.authorization + fields))
        assert read_head(connection).startswith(b"HTTP/1.1 100 ")
        connection.sendall(b"text")
        assert read_all(connection).startswith(b"HTTP/1.1 200 ")
    assert service.passed[0].body == b"text" and "Expect" not in service.passed[0].headers
    # The body of a refused request is not waited for.
    assert door.talk(door.head("PUT /me/x", fields)).startswith(b"HTTP/1.1 401 ")


def test_requests_that_do_not_wait_for_answers(door, service):
    hold = Hold(Response(200, b"first"))
    service.pages = {"/api/1": hold, "/api/2": lambda request: Response(200, b"second")}
    with door.connect() as connection:
        connection.sendall(door.head("POST /me/1", door.authorization + "Content-Length: 4\r\n") + b"text")
        connection.sendall(door.head("GET /me/2", door.authorization + "Connection: close\r\n"))
        hold.wait()
        hold.release()
        found = read_all(connection)
    assert re.findall(rb"\r\n\r\n(first|second)", found) == [b"first", b"second"]
    assert [request.body for request in service.passed] == [b"text", b""]


def test_a_body_that_comes_behind_the_answer_before(door, service):
    with door.connect() as connection:
        connection.sendall(door.head("GET /me/1") + door.head("POST /me/2", door.authorization + "Content-Length: 5\r\nConnection: close\r\n"))
        found = connection.recv(1)
        connection.sendall(b"hello")
        found += read_all(connection)
    assert found.count(b"HTTP/1.1 200 ") == 2 and [request.body for request in service.passed] == [b"", b"hello"]


def test_a_connection_serves_many_requests(door, service):
    """A body comes in pieces behind its head, while the door may still be busy with the end of the answer before."""
    connection = http.client.HTTPConnection("127.0.0.1", door.port, timeout=PATIENCE)
    for number in range(20):
        connection.request("POST", f"/me/{number}", iter([b"piece"] * 10), {"X-Api-Key": door.secret})
        own = connection.sock
        assert door.read(connection).status == 200 and connection.sock is own
    connection.close()
    assert [(request.path, request.body) for request in service.passed] == [(f"/api/{number}", b"piece" * 10) for number in range(20)]
    assert len({request.port for request in service.passed}) == 1


def test_a_hundred_open_streams_hold_nothing_up(shell, open_door):
    ends = threading.Event()

    def play(connection, head) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n")
        ends.wait(PATIENCE)
        connection.sendall(b"0\r\n\r\n")

    with RawService(play) as service:
        log_in(shell, service)
        door = open_door("me")
        connections = [door.connect() for _ in range(100)]
        for connection in connections:
            connection.sendall(door.head("GET /me/events", door.authorization + "Connection: close\r\n"))
        for connection in connections:
            assert read_head(connection).startswith(b"HTTP/1.1 200 ") and connection.recv(1) == b"9"
        ends.set()
        for connection in connections:
            assert read_all(connection).endswith(b"0\r\n\r\n")
            connection.close()


@pytest.mark.parametrize("method, statuses, requests", [("GET", [200, 200], 3), ("POST", [200, 502], 2)])
def test_a_post_is_never_sent_twice(shell, open_door, method, statuses, requests):
    """The service ends a connection in place of a second answer."""

    def play(connection, head) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        service.heads += filter(None, [read_head(connection)])

    with RawService(play) as service:
        log_in(shell, service)
        door = open_door("me")
        assert [door.ask("/me/x", method).status for _ in range(2)] == statuses and len(service.heads) == requests


def test_a_refresh_goes_on_without_the_program(door, service):
    service.living = {"another"}
    service.instead["/token"] = hold = Hold()
    with door.connect() as connection:
        connection.sendall(door.head("GET /me/x"))
        hold.wait()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    hold.release()
    assert door.ask().status == 200 and sum(request.path == "/token" for request in service.requests) == 1


def test_a_connection_goes_on_behind_a_body_that_was_not_read(shell, service, open_door):
    """The body has arrived as a whole, and is as large as what the door holds of one that waits."""
    log_in(shell, service, options=["--issuedAt", "1600000000"])
    service.instead["/token"] = hold = Hold(Response.of({"error": "server_error"}, 500))
    door = open_door("me")
    connection = http.client.HTTPConnection("127.0.0.1", door.port, timeout=PATIENCE)
    connection.request("POST", "/me/x", b"x" * ((256 << 10) + 1000), {"X-Api-Key": door.secret})
    hold.wait()
    hold.release()
    assert door.read(connection).kind == "authorizationServerError"
    del service.instead["/token"]
    connection.request("GET", "/me/x", headers={"X-Api-Key": door.secret})
    assert door.read(connection).status == 200
    connection.close()


def test_an_offer_of_http_2_is_not_taken(door, service):
    fields = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n"
    found = door.talk(door.head("GET /me/x", door.authorization + fields))
    assert found.startswith(b"HTTP/1.1 200 ")
    assert not {"upgrade", "http2-settings"} & {name.lower() for name in service.passed[0].headers}


def test_a_connection_above_the_limit_waits_for_room(door):
    request = door.head("GET /me/x", door.authorization + "Connection: close\r\n")
    connections = [door.connect() for _ in range(LIMIT + 1)]
    try:
        connections[LIMIT].sendall(request)
        # The others work, and each that ends makes room.
        connections[0].sendall(request)
        assert read_all(connections[0]).startswith(b"HTTP/1.1 200 ")
        assert not select.select([connections[LIMIT]], [], [], 0)[0]
        connections[0].close()
        assert read_all(connections[LIMIT]).startswith(b"HTTP/1.1 200 ")
    finally:
        for connection in connections:
            connection.close()


# The secret


def test_a_secret_file_is_made_and_read(user, open_door, tmp_path):
    file = tmp_path / "secret"
    first = open_door("me", secret=file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and len(first.secret) >= 43
    assert first.ask().status == 200
    first.end()
    file.write_text("my-own-secret-of-thirty-two-characters\n")
    second = open_door("me", secret=file)
    assert second.ask(Authorization="Bearer my-own-secret-of-thirty-two-characters").status == 200
    assert second.ask(Authorization=f"Bearer {first.secret}").status == 401
    second.end()
    assert file.exists()


@pytest.mark.parametrize("text, mode, problem", [("short", 0o600, "at least 32 characters"), ("s" * 43, 0o644, "chmod 600"), ("s" * 43, 0o640, "chmod 600")])
def test_a_secret_file_that_is_not_good_enough(user, tmp_path, text, mode, problem):
    file = tmp_path / "secret"
    file.write_text(text)
    file.chmod(mode)
    done = user.run("http", "me", "--listen", "127.0.0.1:0", "--secret-file", file, status=2)
    assert problem in done.stderr and str(file) in done.stderr and text not in done.stderr and done.stdout == ""


def test_each_door_has_a_secret_of_its_own(user, open_door):
    first, second = open_door("me"), open_door("me")
    assert first.port != second.port and first.secret != second.secret
    assert second.ask(Authorization=f"Bearer {first.secret}").status == 401


def test_a_port_that_is_taken(user, door):
    assert "another process listens there" in user.run("http", "me", "--listen", f"127.0.0.1:{door.port}", status=2).stderr
    # The secret of the other door is still there.
    assert door.secret_file.read_text().strip() == door.secret and door.ask().status == 200


@pytest.mark.skipif(not Path("/proc/net/if_inet6").exists() or " lo" not in Path("/proc/net/if_inet6").read_text(), reason="needs IPv6")
def test_a_port_of_ipv6(user, service, open_door):
    door = open_door("me", listen="[::1]:0")
    assert door.base == f"http://[::1]:{door.port}"
    words = ["curl", "-sSf", "-g", "-H", f"X-Api-Key: {door.secret}", f"{door.base}/me/x"]
    assert service.word in subprocess.run(words, capture_output=True, text=True, timeout=60).stdout
    with pytest.raises(ConnectionRefusedError):
        door.connect()


# A socket file


def test_a_socket_file_needs_no_secret(user, service, open_door):
    door = open_door("me", listen=f"unix:{user.home}/door")
    assert door.base == f"unix:{user.home}/door" and door.secret is None
    assert stat.S_IMODE(os.stat(door.path).st_mode) == 0o600
    assert door.ask().status == 200
    done = subprocess.run(["curl", "-sSf", "--unix-socket", door.path, "http://any.example/me/y"], capture_output=True, text=True, timeout=60)
    assert service.word in done.stdout, done
    door.end()
    assert not os.path.lexists(door.path)


def test_a_secret_that_is_sent_to_a_socket_file_does_not_pass(user, service, open_door, tmp_path):
    door = open_door("me", listen=f"unix:{user.home}/door", secret=tmp_path / "secret")
    assert door.ask(Authorization=None, X_Api_Key=door.secret).status == 200
    service.check(door.secret)
    assert not {"x-api-key"} & {name.lower() for name in service.passed[0].headers}


def test_a_socket_file_that_remains_of_a_killed_door_is_replaced(user, open_door):
    first = open_door("me", listen=f"unix:{user.home}/door")
    assert "another process listens there" in user.run("http", "me", "--listen", f"unix:{first.path}", status=2).stderr
    assert first.ask().status == 200
    first.process.kill()
    first.process.wait()
    assert os.path.lexists(first.path)
    assert open_door("me", listen=f"unix:{user.home}/door").ask().status == 200


def test_a_file_that_is_no_socket_stays(user):
    file = user.home / "file"
    file.write_text("mine")
    assert str(file) in user.run("http", "me", "--listen", f"unix:{file}", status=2).stderr
    assert file.read_text() == "mine"


@pytest.mark.parametrize("mode", [0o777, 0o775])
def test_a_folder_in_which_others_write_has_no_socket(user, tmp_path, mode):
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(mode)
    assert str(folder) in user.run("http", "me", "--listen", f"unix:{folder}/door", status=2).stderr
    assert not list(folder.iterdir())


# Other users


ASKER = """
import socket, sys
connection = socket.socket(socket.AF_UNIX if sys.argv[1].startswith("/") else socket.AF_INET)
connection.connect(sys.argv[1] if sys.argv[1].startswith("/") else ("127.0.0.1", int(sys.argv[1])))
found = b""
try:
    connection.sendall(sys.stdin.buffer.read())
    while piece := connection.recv(65536):
        found += piece
except (BrokenPipeError, ConnectionResetError):
    pass
sys.stdout.buffer.write(found)
"""


def ask_as_another(place, text: bytes) -> bytes:
    return subprocess.run(["/usr/bin/python3", "-c", ASKER, str(place)], input=text, capture_output=True, user=OTHER, group=OTHER, check=True, timeout=60).stdout


@needs_root
def test_another_user_cannot_use_a_port(door, service):
    assert ask_as_another(door.port, door.head("GET /me/x", door.authorization + "Connection: close\r\n")) == b""
    assert not service.requests and door.ask().status == 200


@needs_root
def test_another_user_needs_the_secret_at_a_socket_file(open_home, user, service, open_door, tmp_path):
    words = ["me", "--socket-mode", "0666"]
    door = open_door(*words, listen=f"unix:{user.home}/door", secret=tmp_path / "secret")
    assert stat.S_IMODE(os.stat(door.path).st_mode) == 0o666
    assert ask_as_another(door.path, door.head("GET /me/x", "Connection: close\r\n")).startswith(b"HTTP/1.1 401 ")
    assert not service.requests
    assert ask_as_another(door.path, door.head("GET /me/x", door.authorization + "Connection: close\r\n")).startswith(b"HTTP/1.1 200 ")

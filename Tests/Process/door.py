"""The HTTP door: a service behind it, programs in front of it, and what a program of this user could see of a token."""

import dataclasses
import http.client
import json
import secrets
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_server import header
from provider import Request, Response
from rpc import PATIENCE
from signing_in import TokenProvider
from test_command_line import Shell


def visible() -> Iterator[bytes]:
    """Yields the arguments and the environment of each process."""
    for folder in Path("/proc").glob("[0-9]*"):
        for name in ("cmdline", "environ"):
            try:
                yield (folder / name).read_bytes()
            except OSError:
                # It has ended, or is another user's.
                continue


class Service(TokenProvider):
    """An API whose answers contain a word that a program cannot know otherwise. It takes its token in one header."""

    def __init__(self, header: str = "Authorization"):
        self.header = header
        self.word = secrets.token_hex(8)
        # Answers by path, as functions of the request with the token.
        self.pages: dict = {}
        # The API's requests: those with a living token, and how many others.
        self.passed: list[Request] = []
        self.rejected = 0
        # Whether a token was in the arguments or the environment of a process during a request.
        self.is_shown = False
        super().__init__()

    def respond(self, request: Request) -> Response:
        if not request.path.startswith("/api/") or request.path in self.instead:
            return super().respond(request)
        self.is_shown |= any(token.encode() in text for text in visible() for token in self.living)
        value = header(request, self.header) or ""
        if (value.removeprefix("Bearer ") if self.header == "Authorization" else value) not in self.living:
            self.rejected += 1
            return Response.of({"error": "invalid_token"}, 401, **{"WWW-Authenticate": 'Bearer realm="service"'})
        self.passed.append(request)
        if request.path in self.pages:
            return self.pages[request.path](request)
        # Each client finds what it needs.
        name = {"id": self.word, "object": "model", "type": "model", "created": 1, "created_at": "2026-01-01T00:00:00Z", "display_name": "x", "owned_by": "x"}
        return Response.of({"id": 1, "login": self.word, "username": self.word, "length": len(request.body), "data": [name]})

    def check(self, secret: str) -> None:
        """Checks what has arrived: the account's token where the API takes it, and nowhere the door's secret."""
        assert secret and self.passed and self.rejected == 0
        assert not self.is_shown
        assert all(secret not in f"{request.target} {request.headers} {request.body!r}" for request in self.passed)


class RawService:
    """A service that the test plays on each connection: `play(connection, head)`."""

    def __init__(self, play):
        self.play = play
        self.heads: list[bytes] = []
        self.server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.server.getsockname()[1]}"
        self.description = {"authorizationEndpoint": self.url + "/a", "tokenEndpoint": self.url + "/t", "apiBase": self.url + "/api/"}
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self.server.accept()
            except OSError:
                return
            threading.Thread(target=self.talk, args=(connection,), daemon=True).start()

    def talk(self, connection: socket.socket) -> None:
        with connection:
            head = read_head(connection)
            if head:
                self.heads.append(head)
                self.play(connection, head)

    def __enter__(self) -> "RawService":
        return self

    def __exit__(self, *arguments) -> None:
        self.server.close()


def read_head(connection: socket.socket) -> bytes:
    """Reads to the end of a head, and not further; less at the end of the connection."""
    head = b""
    while not head.endswith(b"\r\n\r\n") and (byte := connection.recv(1)):
        head += byte
    return head


def read_all(connection: socket.socket) -> bytes:
    return b"".join(iter(lambda: connection.recv(1 << 16), b""))


def log_in(shell: Shell, service, account: str = "me", options=(), **provider) -> str:
    """Stores a login and returns its access token. `None` removes a member of the provider."""
    token = secrets.token_urlsafe(24)
    if hasattr(service, "living"):
        service.living.add(token)
    data = {"access_token": token, "refresh_token": secrets.token_urlsafe(24), "token_type": "Bearer", "expires_in": 3600}
    described = {name: value for name, value in {**service.description, **provider}.items() if value is not None}
    shell.run("importGrant", account, "json", json.dumps(data), "--provider", json.dumps(described), "--clientId", "c", *options)
    return token


@dataclasses.dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def kind(self) -> str | None:
        """The kind of the door's own error, which header and body name."""
        kind = self.headers["OAuth-Stdio-Error"]
        assert kind is None or (json.loads(self.body)["kind"] == kind and json.loads(self.body)["message"])
        return kind


class Door:
    """A running `oauth-stdio http`, and a program that uses it."""

    def __init__(self, shell: Shell, *words, options=(), listen: str = "127.0.0.1:0", secret: Path | None = None):
        self.log = shell.home / "door.log"
        runtime = shell.home / "run"
        runtime.mkdir(mode=0o700, exist_ok=True)
        shell.environment["XDG_RUNTIME_DIR"] = str(runtime)
        more = ["--secret-file", secret] if secret else []
        with self.log.open("a") as log:
            self.process = shell.start(*options, "http", *words, "--listen", listen, *more, stderr=log)
        self.base = self.process.stdout.readline().strip()
        assert self.base, (self.process.wait(PATIENCE), self.log.read_text())
        self.path = self.base.removeprefix("unix:") if self.base.startswith("unix:") else None
        self.port = None if self.path else int(self.base.rpartition(":")[2])
        self.secret_file = secret or runtime / "oauth-stdio" / f"{'ip6-' if '[' in self.base else ''}{self.port}.secret"
        self.secret = self.secret_file.read_text().strip() if self.secret_file.exists() else None
        self.authorization = f"Authorization: Bearer {self.secret}\r\n"

    def connect(self) -> socket.socket:
        if self.path is None:
            return socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(PATIENCE)
        connection.connect(self.path)
        return connection

    def head(self, line: str, fields: str | None = None) -> bytes:
        """Returns a request without its body."""
        return f"{line} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{self.authorization if fields is None else fields}\r\n".encode()

    def ask(self, target: str = "/me/x", method: str = "GET", body=None, **headers) -> Answer:
        """Sends a request and returns the answer. `None` removes a header."""
        sent = {"Authorization": f"Bearer {self.secret}" if self.secret else None, **{name.replace("_", "-"): value for name, value in headers.items()}}
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.sock = self.connect()
        try:
            connection.request(method, target, body, {name: value for name, value in sent.items() if value is not None})
            return self.read(connection)
        finally:
            connection.close()

    @staticmethod
    def read(connection: http.client.HTTPConnection) -> Answer:
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read())

    def talk(self, text: bytes) -> bytes:
        """Sends these bytes on a connection, and returns what comes until its end."""
        with self.connect() as connection:
            connection.sendall(text)
            return read_all(connection)

    def end(self) -> int:
        self.process.terminate()
        return self.process.wait(PATIENCE)


@pytest.fixture
def service():
    with Service() as running:
        yield running


@pytest.fixture
def shell(home):
    return Shell(home)


@pytest.fixture
def user(shell, service):
    """A user with the login `me` at the service."""
    log_in(shell, service)
    return shell


@pytest.fixture
def open_door(shell):
    """Returns `open_door(*words, **more)`, which starts `oauth-stdio http`. The fixture ends it."""
    doors = []

    def new(*words, **more) -> Door:
        doors.append(Door(shell, *words, **more))
        return doors[-1]

    yield new
    for door in doors:
        door.end()
        door.process.stdout.close()


@pytest.fixture
def door(user, open_door):
    return open_door("me")

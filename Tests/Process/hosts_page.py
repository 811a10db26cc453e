"""The tables of examples/hosts.md, and a server for the programs in them: it accepts the login's newest access token only."""

import base64
import json
import os
import re
import threading
import urllib.parse
from dataclasses import dataclass
from pathlib import Path

from provider import Provider, Request, Response
from rpc import ROOT
from signing_in import TokenProvider

PAGE = (ROOT / "examples" / "hosts.md").read_text()
# Seconds from the issue of a token until the tests' clock ends it.
LIFETIME = 3600


@dataclass(frozen=True)
class Row:
    """A line of a table. `code` is what stands between backticks in its second cell."""

    section: str
    name: str
    marks: str
    code: tuple[str, ...]
    renews: str

    @property
    def is_run(self) -> bool:
        return "¹" not in self.marks


def rows() -> list[Row]:
    found = []
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        title, *lines = section.splitlines()
        table = [line for line in lines if line.startswith("| ")]
        for line in table[1:]:
            name, text, renews = (cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1])
            # A name may be followed by those of programs that take the same line.
            name, marks = re.fullmatch(r"([^¹²³(]+?)((?: [¹²³])*)(?: \(.*\))?", name).groups()
            code = tuple(inner for _, inner in re.findall(r"(`+)(.+?)\1(?!`)", text))
            found.append(Row(title, name, marks, code, renews))
    return found


class HostServer(TokenProvider):
    """Provider and API. A second use of a refresh token ends the login, as at a provider that detects theft."""

    def __init__(self, clock: Path):
        self.clock = clock
        self.offset = 0
        self.lock = threading.RLock()
        self.refresh_token = ""
        self.refreshes = 0
        self.is_lost = False
        # The tokens of accepted requests.
        self.accepted: list[str] = []
        # The number of accepted requests after which the token ends.
        self.last: int | None = None
        # Whether the command line of a process had the token during a request.
        self.is_shown = False
        # Answers by path, and the files of a WebDAV server. A folder has no content.
        self.pages: dict[str, Response] = {}
        self.files: dict[str, bytes | None] = {"/dav/": None}
        super().__init__(LIFETIME)
        self.host = self.url.removeprefix("http://")
        self.advance(0)

    def advance(self, seconds: int) -> None:
        """Sets the clock of the processes under test."""
        self.offset += seconds
        new = self.clock.with_suffix(".new")
        new.write_text(f"{self.offset:+d}s")
        new.rename(self.clock)

    def end_token(self) -> None:
        self.living = set()
        self.advance(LIFETIME)

    def end_token_after(self, requests: int) -> None:
        self.last = len(self.accepted) + requests

    def respond(self, request: Request) -> Response:
        with self.lock:
            if request.path == "/token":
                return self.exchange(request)
            token = credential(request)
            if token not in self.living:
                return Response(401, b"", {"WWW-Authenticate": 'Basic realm="hosts"'})
            self.accept(token)
            return self.answer(request)

    def exchange(self, request: Request) -> Response:
        form = dict(urllib.parse.parse_qsl(request.body.decode()))
        if form["grant_type"] == "refresh_token":
            self.refreshes += 1
            self.is_lost |= form["refresh_token"] != self.refresh_token
        if self.is_lost:
            return Response.of({"error": "invalid_grant"}, 400)
        response = self.issue()
        self.refresh_token = json.loads(response.body)["refresh_token"]
        return response

    def accept(self, token: str) -> None:
        self.is_shown |= any(token in line for line in command_lines())
        self.accepted.append(token)
        if len(self.accepted) == self.last:
            self.end_token()

    def answer(self, request: Request) -> Response:
        path = urllib.parse.unquote(request.path)
        if path in self.pages:
            return self.pages[path]
        if path.startswith("/dav/"):
            return self.file(request.method, path, request.body)
        # Each client finds what it needs, and a test the number of the answer.
        return Response.of({"answer": len(self.accepted), "id": 1, "login": "demo", "username": "demo", "data": []})

    def file(self, method: str, path: str, body: bytes) -> Response:
        path = next((each for each in (path, path + "/") if each in self.files), path)
        if method == "MKCOL":
            self.files[path.removesuffix("/") + "/"] = None
            return Response(201)
        if method == "PUT":
            self.files[path] = body
            return Response(201)
        if path not in self.files:
            return Response(404)
        if method == "DELETE":
            self.files = {name: content for name, content in self.files.items() if name != path}
            return Response(204)
        if method == "PROPFIND":
            inside = [name for name in self.files if name.startswith(path) and "/" not in name.removeprefix(path).rstrip("/")]
            return Response(207, self.properties(inside).encode(), {"Content-Type": "application/xml"})
        return Response(200, self.files[path] or b"")

    def properties(self, names: list[str]) -> str:
        """Returns the properties of files (RFC 4918, 9.1)."""
        found = ""
        for name in names:
            content = self.files[name]
            kind = "<D:collection/>" if content is None else ""
            found += (
                f"<D:response><D:href>{urllib.parse.quote(name)}</D:href><D:propstat><D:prop><D:resourcetype>{kind}</D:resourcetype>"
                f"<D:getcontentlength>{len(content or b'')}</D:getcontentlength></D:prop><D:status>HTTP/1.1 200 OK</D:status>"
                "</D:propstat></D:response>")
        return f'<?xml version="1.0"?><D:multistatus xmlns:D="DAV:">{found}</D:multistatus>'

    def over_tls(self, certificate) -> Provider:
        """Returns the same server for programs that insist on TLS."""
        return Provider(self.respond, certificate=certificate)


def credential(request: Request) -> str:
    """Returns the token: the value with any scheme or without one (cargo), or the password."""
    # Some clients write names of headers small.
    scheme, _, value = next((value for name, value in request.headers.items() if name.lower() == "authorization"), "").rpartition(" ")
    return base64.b64decode(value).decode().partition(":")[2] if scheme == "Basic" else value


def command_lines() -> list[str]:
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            found.append(Path("/proc", process, "cmdline").read_text(errors="replace"))
        except OSError:
            # It has ended.
            continue
    return found

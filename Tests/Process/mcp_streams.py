"""An MCP server of Streamable HTTP whose test decides how each message is answered, and a host that starts the bridge to it."""

import http.server
import json
import queue
import socket
import ssl
import subprocess
import threading

import pytest

import browser
from ports import reserve_port
from provider import Response
from rpc import BINARY, PATIENCE, Peer
from signing_in import TokenProvider, redirect
from waiting import wait_until

INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "host", "version": "1"}}


class Exchange:
    """One request to the server: its headers and message, and the ways to answer it."""

    def __init__(self, handler, message):
        self.handler, self.message = handler, message
        self.verb, self.headers = handler.command, {name.lower(): value for name, value in handler.headers.items()}

    @property
    def method(self) -> str | None:
        return self.message.get("method") if isinstance(self.message, dict) else None

    def head(self, status: int, headers: dict) -> None:
        self.handler.send_response_only(status)
        for name, value in headers.items():
            self.handler.send_header(name, value)
        self.handler.end_headers()

    def answer(self, body: bytes | dict = b"", status: int = 200, **headers) -> None:
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        usual = {"Content-Type": "application/json", "Content-Length": len(body)}
        self.head(status, {**usual, **{name.replace("_", "-"): value for name, value in headers.items()}})
        self.handler.wfile.write(body)

    def result(self, result: dict, **headers) -> None:
        self.answer({"jsonrpc": "2.0", "id": self.message["id"], "result": result}, **headers)

    def stream(self, **headers) -> "Exchange":
        """Begins a stream of events, which ends when the test's function returns."""
        self.head(200, {"Content-Type": "text/event-stream", "Connection": "close", **{name.replace("_", "-"): value for name, value in headers.items()}})
        self.handler.close_connection = True
        return self

    def write(self, text: str) -> None:
        self.handler.wfile.write(text.encode())

    def event(self, message: dict | str = "", **fields) -> None:
        data = message if isinstance(message, str) else json.dumps(message)
        self.write("".join(f"{name}: {value}\n" for name, value in fields.items()) + f"data: {data}\n\n")

    def event_result(self, result: dict, **fields) -> None:
        self.event({"jsonrpc": "2.0", "id": self.message["id"], "result": result}, **fields)

    def drop(self) -> None:
        """Closes the connection without a response."""
        self.handler.close_connection = True
        self.handler.connection.shutdown(socket.SHUT_RDWR)

    def wait_for_close(self) -> None:
        """Returns when the client has closed the connection."""
        self.handler.connection.recv(1)


class LoginServer(TokenProvider):
    """The authorization server of an MCP server: clients register themselves, and a refresh token that is used twice ends the login."""

    def __init__(self, **more):
        super().__init__(**more)
        self.registrations, self.codes, self.refreshes = [], [], []
        self.refresh_token: str | None = None
        self.scopes: set[str] = set()
        self.instead["/.well-known/oauth-authorization-server"] = self.publish
        self.instead["/register"] = self.register
        self.instead["/token"] = self.token

    def publish(self, request) -> Response:
        places = {f"{name}_endpoint": f"{self.url}/{path}" for name, path in (("authorization", "authorize"), ("token", "token"), ("registration", "register"))}
        return Response.of({"issuer": self.url, **places, "code_challenge_methods_supported": ["S256"]})

    def register(self, request) -> Response:
        self.registrations.append(json.loads(request.body))
        return Response.of({**self.registrations[-1], "client_id": f"client-{len(self.registrations)}"}, 201)

    def approve(self, url: str) -> None:
        self.scopes |= set(browser.query(url).get("scope", "").split())
        super().approve(url)

    def deny(self, url: str) -> None:
        browser.deliver(redirect(url, error="access_denied"))

    def token(self, request) -> Response:
        sent = browser.query("?" + request.body.decode())
        if sent["grant_type"] == "refresh_token":
            self.refreshes.append(sent["refresh_token"])
            if sent["refresh_token"] != self.refresh_token:
                return Response.of({"error": "invalid_grant"}, 400)
        else:
            self.codes.append(sent["code"])
        response = self.issue()
        answer = json.loads(response.body)
        self.refresh_token = answer["refresh_token"]
        return Response.of({**answer, "scope": " ".join(sorted(self.scopes))})


class StreamServer:
    """`instead["tools/call"] = function(exchange)` answers in the place of the server. The verbs GET and DELETE are names as well."""

    def __init__(self, session: str | None = "s-1", path: str = "/mcp", login: LoginServer | None = None, certificate: tuple | None = None, address: str = "127.0.0.1"):
        self.session, self.path, self.login = session, path, login
        # The scopes of its metadata, and those that a method needs.
        self.scopes = ["mcp"]
        self.needs: dict[str, str] = {}
        # Whether it refuses every token.
        self.refuses = False
        self.instead: dict = {}
        self.exchanges: list[Exchange] = []
        self.tools = [{"name": "echo", "inputSchema": {"type": "object"}}, {"name": "other", "inputSchema": {"type": "object"}}]
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def handle_one(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                exchange = Exchange(self, json.loads(body) if body else None)
                exchange.body = body
                exchange.path = self.path
                server.exchanges.append(exchange)
                if not server.lets_in(exchange):
                    return
                function = server.instead.get(exchange.method or self.command) or server.instead.get(self.path)
                (function or server.usual)(exchange)

            do_GET = do_POST = do_DELETE = handle_one

            def log_message(self, *arguments) -> None:
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, request, client_address) -> None:
                """Ignores a client that has disconnected."""

        self.port = reserve_port()
        self.server = Server((address, self.port), Handler)
        if certificate:
            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.load_cert_chain(*certificate)
            self.server.socket = tls.wrap_socket(self.server.socket, server_side=True)
        self.url = f"{'https' if certificate else 'http'}://{address}:{self.port}{path}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def lets_in(self, exchange: Exchange) -> bool:
        """Answers a request that its login does not allow."""
        place = "/.well-known/oauth-protected-resource" + self.path
        if not self.login or exchange.path == place:
            if self.login:
                exchange.answer({"resource": self.url, "authorization_servers": [self.login.url], "scopes_supported": self.scopes})
            return not self.login
        challenge = f'Bearer resource_metadata="{self.url.removesuffix(self.path)}{place}"'
        if self.refuses or exchange.headers.get("authorization", "").removeprefix("Bearer ") not in self.login.living:
            exchange.answer({"error": "invalid_token"}, status=401, WWW_Authenticate=challenge)
            return False
        needed = self.needs.get(exchange.method)
        if needed and needed not in self.login.scopes:
            exchange.answer(status=403, WWW_Authenticate=f'{challenge}, error="insufficient_scope", scope="{needed}"')
            return False
        return True

    def usual(self, exchange: Exchange) -> None:
        if exchange.verb != "POST":
            return exchange.answer(status=405 if exchange.verb == "GET" else 200)
        if exchange.message is not None and "id" not in exchange.message or "method" not in exchange.message:
            return exchange.answer(status=202)
        headers = {"Mcp-Session-Id": self.session} if self.session and exchange.method == "initialize" else {}
        about = {"capabilities": {"tools": {}}, "serverInfo": {"name": "scripted", "version": "1"}}
        result = {
            "initialize": {"protocolVersion": exchange.message.get("params", {}).get("protocolVersion"), **about},
            "tools/list": {"tools": self.tools},
            "tools/call": {"content": [{"type": "text", "text": "echoed"}]},
        }.get(exchange.method, {})
        exchange.result(result, **headers)

    def sent(self, name: str) -> list[Exchange]:
        """Returns the exchanges of a method or a verb."""
        return [exchange for exchange in self.exchanges if name in (exchange.method, exchange.verb)]

    def __enter__(self) -> "StreamServer":
        return self

    def __exit__(self, *arguments) -> None:
        self.server.shutdown()
        self.server.server_close()


class Host:
    """An MCP host that starts `oauth-stdio mcp URL` and speaks to it in lines."""

    def __init__(self, home, url: str, *words, options=(), environment: dict | None = None):
        self.home = home
        home.mkdir(exist_ok=True)
        command = [BINARY, "--store", str(home / "store"), *map(str, options), "mcp", url, *map(str, words)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=Peer.environment(self, environment), cwd=home)
        self.lines: list[bytes] = []
        self.stderr: list[bytes] = []
        self.last_id = 0
        self.readers = [
            threading.Thread(target=self.read, args=(self.process.stdout, self.lines), daemon=True),
            threading.Thread(target=self.read, args=(self.process.stderr, self.stderr), daemon=True),
        ]
        for reader in self.readers:
            reader.start()

    @staticmethod
    def read(pipe, lines: list) -> None:
        for line in pipe:
            lines.append(line)

    @property
    def messages(self) -> list:
        return [json.loads(line) for line in list(self.lines)]

    def write(self, line: bytes) -> None:
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, message: dict) -> None:
        self.write(json.dumps(message).encode())

    def notify(self, method: str, params: dict | None = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, **({"params": params} if params is not None else {})})

    def ask(self, method: str, params: dict | None = None) -> int:
        self.last_id += 1
        self.send({"jsonrpc": "2.0", "id": self.last_id, "method": method, **({"params": params} if params is not None else {})})
        return self.last_id

    def wait(self, condition, seconds: float = PATIENCE) -> dict:
        """Returns the first message that meets the condition."""
        found: list[dict] = []

        def is_there() -> bool:
            found[:] = [message for message in self.messages if condition(message)]
            return bool(found)

        wait_until(is_there, seconds)
        return found[0]

    def answer(self, number, seconds: float = PATIENCE) -> dict:
        return self.wait(lambda message: isinstance(message, dict) and message.get("id") == number and "method" not in message, seconds)

    def request(self, method: str, params: dict | None = None) -> dict:
        return self.answer(self.ask(method, params))

    def call(self, tool: str = "echo", **arguments) -> dict:
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def event(self, method: str) -> dict:
        return self.wait(lambda message: message.get("method") == method)

    def begin(self, **params) -> dict:
        """Does the handshake and returns the answer to `initialize`."""
        answer = self.request("initialize", {**INITIALIZE, **params})
        self.notify("notifications/initialized")
        return answer

    def end(self, seconds: float = PATIENCE) -> int:
        self.process.stdin.close()
        status = self.process.wait(seconds)
        for reader in self.readers:
            reader.join(seconds)
        return status

    def log(self) -> str:
        return b"".join(self.stderr).decode()

    def __enter__(self) -> "Host":
        return self

    def __exit__(self, *arguments) -> None:
        self.process.kill()
        self.process.wait()


class Gate:
    """Holds a scripted answer back until the test opens it, and counts what has arrived."""

    def __init__(self):
        self.arrived, self.opened = queue.SimpleQueue(), threading.Event()

    def __call__(self) -> None:
        self.arrived.put(None)
        self.opened.wait(100)

    def wait(self) -> None:
        self.arrived.get(timeout=PATIENCE)

    def open(self) -> None:
        self.opened.set()


def hold_calls(server: StreamServer, host: Host) -> tuple[Gate, list[int]]:
    """Sends 20 calls. The gate holds back the answers to the 16 that the server has; the others wait, because a small server has a short queue."""
    gate = Gate()

    def slow(exchange):
        gate()
        exchange.result({"content": []})

    server.instead["tools/call"] = slow
    calls = [host.ask("tools/call", {"name": "echo"}) for _ in range(20)]
    for _ in range(16):
        gate.wait()
    return gate, calls


META = "io.modelcontextprotocol/"


def stateless(params: dict | None = None, **meta) -> dict:
    """Returns the params of a request of 2026-07-28."""
    own = {META + "protocolVersion": "2026-07-28", META + "clientCapabilities": {}, META + "clientInfo": {"name": "host", "version": "1"}}
    return {**(params or {}), "_meta": {**own, **meta}}


class StatelessServer(StreamServer):
    """Knows 2026-07-28 only."""

    def usual(self, exchange: Exchange) -> None:
        if exchange.verb != "POST":
            return exchange.answer(status=405)
        params = exchange.message.get("params", {})
        version = params.get("_meta", {}).get(META + "protocolVersion")
        if version != "2026-07-28" or exchange.headers.get("mcp-protocol-version") != version:
            return self.refuse(exchange, -32022, {"supported": ["2026-07-28"], "requested": str(version)})
        if exchange.headers.get("mcp-method") != exchange.method:
            return self.refuse(exchange, -32020, {})
        result = {
            "server/discover": {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "instructions": "read me"},
            "tools/list": {"tools": self.tools, "ttlMs": 0},
            "tools/call": {"content": [{"type": "text", "text": "echoed"}]},
        }.get(exchange.method, {})
        exchange.result({"resultType": "complete", **result, "_meta": {META + "serverInfo": {"name": "stateless", "version": "2"}}})

    @staticmethod
    def refuse(exchange: Exchange, code: int, data: dict) -> None:
        exchange.answer({"jsonrpc": "2.0", "id": exchange.message.get("id"), "error": {"code": code, "message": "no", "data": data}}, status=400)


@pytest.fixture
def connect(home):
    """Starts hosts at a server or a URL, and ends them."""
    hosts = []

    def connect(server, *words, **more) -> Host:
        hosts.append(Host(home, server if isinstance(server, str) else server.url, *words, **more))
        return hosts[-1]

    yield connect
    for host in hosts:
        host.__exit__()

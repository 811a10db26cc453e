"""A loopback provider: an HTTP server whose responses the test chooses."""

import http.server
import json
import os
import socket
import ssl
import threading
import time
from dataclasses import dataclass, field

from ports import reserve_port


@dataclass
class Request:
    method: str
    target: str
    headers: dict
    body: bytes
    # The client's port, and the name in the certificate of its connection.
    port: int = 0
    certificate: str | None = None

    @property
    def path(self) -> str:
        return self.target.split("?")[0]


@dataclass
class Response:
    status: int
    body: bytes = b""
    # The value is a list if the header is repeated.
    headers: dict = field(default_factory=dict)
    # True if the connection is closed without a response.
    is_dropped: bool = False
    # Bytes in the place of an HTTP response.
    raw: bytes = b""
    # Seconds of pause in the middle of the body.
    pause: float = 0
    # The second half of the body waits for it.
    until: threading.Event | None = None
    # The connection is closed after so many bytes of the body.
    limit: int | None = None

    @classmethod
    def of(cls, value, status: int = 200, **headers) -> "Response":
        return cls(status, json.dumps(value).encode(), {"Content-Type": "application/json", **headers})


def body_of(handler: http.server.BaseHTTPRequestHandler) -> bytes:
    """Reads the body of a request, which has a length or comes in chunks."""
    if handler.headers.get("Transfer-Encoding") != "chunked":
        return handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
    pieces = []
    while size := int(handler.rfile.readline(), 16):
        pieces.append(handler.rfile.read(size))
        handler.rfile.readline()
    handler.rfile.readline()
    return b"".join(pieces)


class Provider:
    """A context manager that calls `respond(Request) -> Response` for every request.

    `host` is the host of its URL. With a `certificate`, a file that includes the key, it uses TLS. With `clients`, a file with the authority of
    their certificates, each client must have one; `is_optional` only looks at it. `version` is the latest of TLS that it speaks.
    """

    def __init__(
        self, respond, host: str | None = None, address: str = "127.0.0.1", certificate=None, clients=None, is_optional: bool = False,
        version: ssl.TLSVersion = ssl.TLSVersion.MAXIMUM_SUPPORTED
    ):
        self.requests: list[Request] = []
        # Those whose response is written.
        self.answered: list[Request] = []
        # All connections, including failed ones.
        self.connections = 0
        provider = self
        tls = None
        if certificate:
            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.load_cert_chain(certificate)
            tls.maximum_version = version
        if clients:
            tls.load_verify_locations(clients)
            tls.verify_mode = ssl.CERT_OPTIONAL if is_optional else ssl.CERT_REQUIRED

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Headers and body are two writes. With Nagle's algorithm the second would wait 40 ms for the client's acknowledgement.
            disable_nagle_algorithm = True

            def handle_one(self) -> None:
                body = body_of(self)
                request = Request(self.command, self.path, dict(self.headers.items()), body, self.client_address[1])
                if clients and (subject := self.connection.getpeercert()):
                    request.certificate = dict(pair for names in subject["subject"] for pair in names)["commonName"]
                provider.requests.append(request)
                response = respond(request)
                if response.is_dropped or response.raw:
                    self.close_connection = True
                    self.wfile.write(response.raw)
                    self.connection.close()
                    return
                # `send_response` would add Server and Date, which vary from run to run.
                self.send_response_only(response.status)
                for name, values in response.headers.items():
                    for value in values if isinstance(values, list) else [values]:
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(response.body)))
                self.end_headers()
                if self.command == "HEAD":
                    return
                if response.limit is not None:
                    self.wfile.write(response.body[: response.limit])
                    self.close_connection = True
                    return
                middle = len(response.body) // 2 if response.pause or response.until else 0
                self.wfile.write(response.body[:middle])
                time.sleep(response.pause)
                if response.until:
                    response.until.wait(100)
                self.wfile.write(response.body[middle:])
                provider.answered.append(request)

            do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_PROPFIND = do_MKCOL = handle_one

            def log_message(self, *arguments) -> None:
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            # With a full queue, a client's next attempt to connect comes a second later.
            request_queue_size = 128

            def get_request(self):
                connection, client = self.socket.accept()
                provider.connections += 1
                # The connection's own thread does the handshake.
                return tls.wrap_socket(connection, server_side=True, do_handshake_on_connect=False) if tls else connection, client

            def finish_request(self, request, client_address) -> None:
                try:
                    if tls:
                        request.do_handshake()
                except ssl.SSLError:
                    # Reads what the client has sent already: closing at once would take the alert away from it.
                    with socket.socket(fileno=os.dup(request.fileno())) as rest:
                        while rest.recv(1 << 16):
                            pass
                    raise
                super().finish_request(request, client_address)

            def handle_error(self, request, client_address) -> None:
                """Ignores a client that has disconnected. `requests` has what it sent."""

        # The port stays reserved when the server is gone, so that no other test's server answers in its place.
        self.port = reserve_port(address)
        self.server = Server((address, self.port), Handler)
        self.url = f"{'https' if tls else 'http'}://{host or address}:{self.port}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def description(self) -> dict:
        """Returns the `provider` object for `authorize`."""
        return {
            "authorizationEndpoint": self.url + "/authorize",
            "tokenEndpoint": self.url + "/token",
            "revocationEndpoint": self.url + "/revoke",
            "apiBase": self.url + "/api/",
        }

    def __enter__(self) -> "Provider":
        return self

    def __exit__(self, *arguments) -> None:
        self.server.shutdown()
        self.server.server_close()

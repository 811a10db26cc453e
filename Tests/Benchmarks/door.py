#!/usr/bin/env python3
"""Compares the HTTP door with direct calls, and with an nginx of one worker that puts the same token in, in one run: A B C A B C, medians of five.

The service is an nginx with https and HTTP/1.1, an answer of 900 bytes and a token of 800; all connections are kept.

GET, POST   milliseconds that a call takes longer than a direct one, the POST with 1 KiB; and the same of nginx, without a target
in flight   calls a second with 64 at a time, relative to `callAPI` of the same process, and relative to nginx
events      milliseconds from the service's sending of an event to its arrival, less those of a direct connection
idle        MiB for 200 connections that wait
1 GB        bytes a second in each direction, relative to curl without the door, and the MiB that they take at most

Ratios are only meaningful on a machine that is otherwise idle. A missed target is reported, but is no failure.
"""

import http.client
import shutil
import socket
import ssl
import statistics
import subprocess
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from run import GIGABYTE, Bench, request

PROXY = """
upstream service {{ server localhost:$HTTP1; keepalive 64; }}
server {{
  listen 127.0.0.1:{port}; keepalive_requests 1000000;
  location / {{
    proxy_pass https://service; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Authorization "Bearer {token}";
    proxy_ssl_server_name on;
  }}
}}
"""


class Service(BaseHTTPRequestHandler):
    """Sends 20 events, or a gigabyte, or takes one."""

    protocol_version = "HTTP/1.1"
    sent: list[float] = []

    def do_GET(self) -> None:
        self.send_response(200)
        if self.path == "/events":
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            for _ in range(20):
                time.sleep(0.02)
                self.sent.append(time.perf_counter())
                self.wfile.write(b"data: x\n\n")
            return
        self.send_header("Content-Length", str(GIGABYTE))
        self.end_headers()
        piece = bytes(1_000_000)
        for _ in range(GIGABYTE // len(piece)):
            self.wfile.write(piece)

    def do_PUT(self) -> None:
        left, room = int(self.headers["Content-Length"]), bytearray(1 << 20)
        while left:
            left -= self.rfile.readinto1(memoryview(room)[:min(left, len(room))])
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments) -> None:
        pass


class Door(Bench):
    def measure(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            proxy = probe.getsockname()[1]
        nginx, certificate, ports = self.nginx(PROXY.format(port=proxy, token=self.accessToken))
        service = ThreadingHTTPServer(("localhost", 0), Service)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, self.folder / "key.pem")
        service.socket = context.wrap_socket(service.socket, server_side=True)
        threading.Thread(target=service.serve_forever, daemon=True).start()
        self.environment["SSL_CERT_FILE"] = str(certificate)
        self.import_accounts(f"https://localhost:{ports['1.1']}")
        secret = self.folder / "secret"
        process = subprocess.Popen(
            [*self.usual, "http", "user7", "--listen", "127.0.0.1:0", "--secret-file", secret], env=self.environment, stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL)
        try:
            door = process.stdout.readline().strip() + "/user7"
            self.secret, self.certificate = secret.read_text().strip(), str(certificate)
            direct, there = f"https://localhost:{ports['1.1']}/items", door + "/items"
            python = f"https://localhost:{service.server_port}"
            # The first calls take memory that the others don't.
            self.taken("easy", 10, 1, there)
            self.gigabyte(process.pid, python, f"{door}/@localhost:{service.server_port}")
            self.idle(process.pid, door)
            self.calls(direct, there, f"http://127.0.0.1:{proxy}/items")
            self.flight(direct, there, f"http://127.0.0.1:{proxy}/items")
            self.events(python, f"{door}/@localhost:{service.server_port}")
        finally:
            process.terminate()
            nginx.terminate()
            service.shutdown()

    def taken(self, kind: str, count: int, window: int, url: str, *words: str) -> float:
        """Nanoseconds of a call."""
        secret = self.accessToken if url.startswith("https") else self.secret
        command = [str(self.folder / "https"), kind, str(count), str(window), url, self.certificate, secret, "http1", *words]
        return int(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout) / count

    def calls(self, *urls: str) -> None:
        for name, words in (("GET", []), ("POST", ["post"])):
            times = [[], [], []]
            for _ in range(5):
                for url, found in zip(urls, times):
                    found.append(self.taken("easy", self.count(2_000), 1, url, *words) / 1e6)
            direct, door, nginx = map(statistics.median, times)
            self.row(f"door, {name}", f"{door:.3f} ms - {direct:.3f} ms", door - direct, 0.5, "ms")
            self.row(f"nginx, {name}", f"{nginx:.3f} ms - {direct:.3f} ms", nginx - direct, None, "ms")

    def flight(self, direct: str, *urls: str) -> None:
        count, ask = self.count(8_000), request("callAPI", account="user7", url=direct)
        times = [[], [], []]
        for _ in range(5):
            for url, found in zip(urls, times):
                found.append(1e9 / self.taken("multi", count, 64, url))
            times[2].append(count * 1e9 / self.driver("rate", count, 64, ask, "--", *self.usual)[0][0])
        door, nginx, calls = map(statistics.median, times)
        self.row("door, 64 in flight, callAPI", f"{door:,.0f}/s / {calls:,.0f}/s", door / calls, 1, atLeast=True)
        self.row("door, 64 in flight, nginx", f"{door:,.0f}/s / {nginx:,.0f}/s", door / nginx, 0.2, atLeast=True)

    def events(self, *origins: str) -> None:
        delays = [[], []]
        for _ in range(5):
            for origin, found in zip(origins, delays):
                Service.sent.clear()
                url = origin.partition("://")[2]
                host, _, path = url.partition("/")
                if origin.startswith("https"):
                    connection = http.client.HTTPSConnection(host, context=ssl.create_default_context(cafile=self.certificate))
                else:
                    connection = http.client.HTTPConnection(host)
                connection.request("GET", f"/{path}/events".replace("//", "/"), headers={"Authorization": f"Bearer {self.secret}"})
                response = connection.getresponse()
                arrived = [time.perf_counter() for line in iter(response.readline, b"") if line.startswith(b"data")]
                assert len(arrived) == 20, (origin, response.status, len(arrived))
                found += [(there - sent) * 1e3 for there, sent in zip(arrived, Service.sent)]
        direct, door = map(statistics.median, delays)
        self.row("door, an event", f"{door:.2f} ms - {direct:.2f} ms", door - direct, 5, "ms")

    def idle(self, process: int, door: str) -> None:
        host, path = door.removeprefix("http://").split("/", 1)
        before, connections = memory(process, "VmRSS"), []
        for _ in range(200):
            connection = http.client.HTTPConnection(host)
            connection.request("GET", f"/{path}/items", headers={"Authorization": f"Bearer {self.secret}"})
            assert connection.getresponse().read()
            connections.append(connection)
        self.row("door, 200 idle connections", "", memory(process, "VmRSS") - before, 6, "MiB")

    def gigabyte(self, process: int, *origins: str) -> None:
        upload = self.folder / "upload"
        with upload.open("wb") as file:
            file.truncate(GIGABYTE)
        for name, words in (("down", ["-o", "/dev/null"]), ("up", ["-T", str(upload), "-H", "Expect:", "-o", "/dev/null"])):
            before, times = memory(process, "VmHWM"), [[], []]
            for _ in range(3):
                for origin, found in zip(origins, times):
                    began = time.perf_counter()
                    subprocess.run(
                        ["curl", "-sSf", "--http1.1", "--cacert", self.certificate, "-H", f"Authorization: Bearer {self.secret}", *words, origin + "/big"],
                        check=True)
                    found.append(time.perf_counter() - began)
            direct, door = map(statistics.median, times)
            self.row(f"door, 1 GB {name}", f"{1 / door:.2f} GB/s / {1 / direct:.2f} GB/s", direct / door, 0.5, atLeast=True)
            self.row(f"door, 1 GB {name}, memory", "", memory(process, "VmHWM") - before, 4, "MiB")


def memory(process: int, name: str) -> float:
    """MiB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name + ":")) / 1024


if __name__ == "__main__":
    assert shutil.which("curl")
    with tempfile.TemporaryDirectory() as name:
        Door(Path(name), 1.0, 800).measure()

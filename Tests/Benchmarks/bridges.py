#!/usr/bin/env python3
"""Compares `oauth-stdio mcp URL` with two bridges in Python, mcp-stdio and fastmcp-remote, against one small MCP server on this machine.

start        from spawning the bridge to its answer to `initialize`, with a stored login
call         a tools/call through the bridge, and one without a bridge
large        a tools/call whose result has 1 MB of text
events       a tools/call that sends 1,000 notifications before its result
memory       resident MiB of the bridge after these calls
slow         seconds until three calls of a second each are answered, and until a `ping` that is sent after them is
five         five bridges at once without a login: the pages that were asked for, the clients that were registered, and the codes that were exchanged;
             fastmcp-remote asks for each page twice, once before the browser does

The ratios are those of oauth-stdio to each rival; a missed target is reported, but is no failure. `OAUTH_STDIO` names another binary, and `BRIDGES` the
folder of the rivals' programs. `--rounds N` scales the work (default 1.0).
"""

import argparse
import asyncio
import http.client
import json
import os
import statistics
import subprocess
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

HERE = Path(__file__).resolve().parent
BINARY = os.environ.get("OAUTH_STDIO") or str(HERE.parents[1] / ".build" / "release" / "oauth-stdio")
BRIDGES = Path(os.environ.get("BRIDGES") or HERE.parents[1] / ".build-peers" / "bin")
COMMANDS = {
    "oauth-stdio": [BINARY, "mcp"],
    "mcp-stdio": [str(BRIDGES / "mcp-stdio"), "--oauth", "--protocol-era", "auto"],
    "fastmcp-remote": [str(BRIDGES / "fastmcp-remote")],
}
# Figures of mcp-stdio that oauth-stdio should not exceed, as ratios.
TARGETS = {"start": 1 / 3, "call": 1, "large": 0.7, "events": 1, "memory": 1}
TOKEN = "eyJ" + "t" * 797
# It has the token's first letter, as prose does.
LINE = "The server returned these lines for the call.\n"
# A result of 1 MB. Written once, because the server's time for that is no bridge's.
LARGE = json.dumps({"content": [{"type": "text", "text": LINE * 21_739}]})
# The user: waits, so that each bridge has time to open a page of its own, and approves.
BROWSER = '#!/bin/sh\n(sleep 2; exec curl -sL -o /dev/null "$1") >/dev/null 2>&1 &\n'


class Server:
    """An MCP server with an authorization server, in a thread of its own. It grants everything."""

    def __init__(self):
        self.counts = {"/authorize": 0, "/register": 0, "/token": 0}
        started = threading.Event()

        async def serve():
            server = await asyncio.start_server(self.connection, "127.0.0.1", 0)
            self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            started.set()
            await server.serve_forever()

        threading.Thread(target=lambda: asyncio.run(serve()), daemon=True).start()
        started.wait()

    async def connection(self, reader, writer):
        try:
            while line := await reader.readline():
                method, target, _ = line.decode().split()
                headers = {}
                while (header := await reader.readline()) not in (b"\r\n", b""):
                    name, _, value = header.decode().partition(":")
                    headers[name.lower()] = value.strip()
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                status, more, answer = await self.answer(method, target, headers, body)
                head = "".join(f"{name}: {value}\r\n" for name, value in {"Content-Length": len(answer), **more}.items())
                writer.write(f"HTTP/1.1 {status} x\r\n{head}\r\n".encode() + answer)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def answer(self, method, target, headers, body):
        path, _, query = target.partition("?")
        self.counts[path] = self.counts.get(path, 0) + 1
        if path == "/.well-known/oauth-protected-resource/mcp":
            return self.json({"resource": self.url + "/mcp", "authorization_servers": [self.url]})
        if path == "/.well-known/oauth-authorization-server":
            names = {"authorization": "/authorize", "token": "/token", "registration": "/register"}
            places = {f"{name}_endpoint": self.url + place for name, place in names.items()}
            return self.json({"issuer": self.url, **places, "code_challenge_methods_supported": ["S256"], "token_endpoint_auth_methods_supported": ["none"]})
        if path == "/register":
            return self.json({**json.loads(body), "client_id": f"c-{self.counts[path]}"}, 201)
        if path == "/authorize":
            asked = dict(urllib.parse.parse_qsl(query))
            return 302, {"Location": asked["redirect_uri"] + "?" + urllib.parse.urlencode({"code": "c", "state": asked["state"]})}, b""
        if path == "/token":
            return self.json({"access_token": TOKEN, "refresh_token": "r", "token_type": "Bearer", "expires_in": 36000})
        if path != "/mcp" or method != "POST":
            return 404 if path != "/mcp" else 405, {}, b""
        if headers.get("authorization") != f"Bearer {TOKEN}":
            place = self.url + "/.well-known/oauth-protected-resource/mcp"
            return 401, {"WWW-Authenticate": f'Bearer resource_metadata="{place}"'}, b""
        message = json.loads(body)
        if "id" not in message:
            return 202, {}, b""
        name = message["method"]
        if name == "server/discover":
            return self.json({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "Method not found"}}, 404)
        if name == "tools/call" and message["params"]["name"] == "slow":
            await asyncio.sleep(1)
        about = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "bench", "version": "1"}}
        tools = [{"name": tool, "inputSchema": {"type": "object"}} for tool in ("echo", "slow", "large", "events")]
        results = {"initialize": about, "tools/list": {"tools": tools}, "tools/call": {"content": [{"type": "text", "text": LINE}]}}
        result = json.dumps(results.get(name, {}))
        if name == "tools/call" and message["params"]["name"] == "large":
            result = LARGE
        status, more, answer = 200, {"Content-Type": "application/json"}, f'{{"jsonrpc": "2.0", "id": {message["id"]}, "result": {result}}}'.encode()
        if name == "tools/call" and message["params"]["name"] == "events":
            note = {"progressToken": 1, "progress": 5, "total": 10, "message": "The server reads the lines of the file, one after the other"}
            notes = [json.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": note})] * 1_000
            answer = "".join(f"event: message\r\ndata: {event}\r\n\r\n" for event in [*notes, answer.decode()]).encode()
            more = {"Content-Type": "text/event-stream"}
        return status, {**more, **({"Mcp-Session-Id": f"s-{self.counts[path]}"} if name == "initialize" else {})}, answer

    @staticmethod
    def json(value, status=200):
        return status, {"Content-Type": "application/json"}, json.dumps(value).encode()


class Bridge:
    """A bridge with a host that talks to it."""

    def __init__(self, name: str, home: Path, url: str):
        home.mkdir(exist_ok=True)
        browser = home / "browser"
        browser.write_text(BROWSER)
        browser.chmod(0o755)
        environment = {"PATH": os.environ["PATH"], "HOME": str(home), "BROWSER": f"{browser} %s" if name != "oauth-stdio" else str(browser), "LANG": "C.UTF-8"}
        self.began = time.perf_counter()
        self.process = subprocess.Popen(
            [*COMMANDS[name], url + "/mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, cwd=home)
        self.last = 0

    def send(self, method: str, params: dict | None = None) -> int:
        self.last += 1
        self.write({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params or {}})
        return self.last

    def write(self, message: dict) -> None:
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def answer(self, number: int) -> dict:
        while line := self.process.stdout.readline():
            message = json.loads(line)
            if message.get("id") == number and "method" not in message:
                return message
        raise SystemExit(f"{self.process.args[0]} ended")

    def begin(self) -> float:
        """Does the handshake. Returns the seconds from the start to its answer."""
        host = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        self.answer(self.send("initialize", host))
        took = time.perf_counter() - self.began
        self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return took

    def call(self, tool: str = "echo") -> int:
        return self.send("tools/call", {"name": tool, "arguments": {}})

    def sign_in(self) -> None:
        """Calls until the user has signed in, as a person would."""
        deadline = time.monotonic() + 30
        while (answer := self.answer(self.call())) and ("error" in answer or answer["result"].get("isError")):
            if time.monotonic() > deadline:
                raise SystemExit(f"{self.process.args[0]} did not sign in: {answer}")
            time.sleep(0.2)

    def memory(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def end(self) -> None:
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def milliseconds(seconds: list[float]) -> float:
    return statistics.median(seconds) * 1000


def direct(url: str, count: int) -> float:
    connection = http.client.HTTPConnection(url.removeprefix("http://"))
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "echo", "arguments": {}}})
    taken = []
    for _ in range(count):
        began = time.perf_counter()
        connection.request("POST", "/mcp", body, {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"})
        connection.getresponse().read()
        taken.append(time.perf_counter() - began)
    return milliseconds(taken)


def measure(folder: Path, server: Server, scale: float) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, list[float]]] = {name: {"start": [], "call": [], "large": [], "events": [], "memory": []} for name in COMMANDS}
    slow = {}
    for name in COMMANDS:
        bridge = Bridge(name, folder / name, server.url)
        bridge.begin()
        bridge.sign_in()
        began = time.perf_counter()
        numbers = [bridge.call("slow") for _ in range(3)]
        ping = bridge.send("ping")
        taken = {}
        while len(taken) < 4:
            message = json.loads(bridge.process.stdout.readline())
            if message.get("id") in {*numbers, ping}:
                taken[message["id"]] = time.perf_counter() - began
        slow[name] = {"slow": max(taken.values()), "ping": taken[ping]}
        bridge.end()
    for _ in range(max(2, int(10 * scale))):
        for name in COMMANDS:
            bridge = Bridge(name, folder / name, server.url)
            found[name]["start"].append(bridge.begin())
            for tool, row, count in (("echo", "call", 100), ("large", "large", 10), ("events", "events", 10)):
                for _ in range(max(2, int(count * scale))):
                    began = time.perf_counter()
                    bridge.answer(bridge.call(tool))
                    found[name][row].append(time.perf_counter() - began)
            found[name]["memory"].append(bridge.memory())
            bridge.end()
    return {
        name: {**{row: milliseconds(own[row]) for row in ("start", "call", "large", "events")}, "memory": statistics.median(own["memory"]), **slow[name]}
        for name, own in found.items()
    }


def five(folder: Path, name: str) -> dict[str, int]:
    """Starts five bridges without a login at once, and returns what the server saw."""
    server = Server()
    bridges = [Bridge(name, folder / f"{name}-five", server.url) for _ in range(5)]

    def use(bridge: Bridge) -> None:
        bridge.begin()
        bridge.sign_in()

    hosts = [threading.Thread(target=use, args=(bridge,)) for bridge in bridges]
    for host in hosts:
        host.start()
    for host in hosts:
        host.join()
    for bridge in bridges:
        bridge.end()
    return {"pages": server.counts["/authorize"], "clients": server.counts["/register"], "codes": server.counts["/token"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=float, default=1.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, server = Path(name), Server()
        found = measure(folder, server, options.rounds)
        print(f"{'direct call':<16} {direct(server.url, 500):8.2f} ms")
        for bridge, own in found.items():
            figures = f"start {own['start']:7.1f} ms  call {own['call']:6.2f} ms  1 MB {own['large']:6.2f} ms  events {own['events']:6.2f} ms  memory {own['memory']:5.1f} MiB"
            print(f"{bridge:<16} {figures}  slow {own['slow']:4.1f} s  ping {own['ping']:5.2f} s  five {five(folder, bridge)}")
        ours = found["oauth-stdio"]
        for rival in ("mcp-stdio", "fastmcp-remote"):
            for row, target in TARGETS.items():
                ratio = ours[row] / found[rival][row]
                judged = f"  ≤ {target:.2f}  {'met' if ratio <= target else 'missed'}" if rival == "mcp-stdio" else ""
                print(f"{row:<8} of {rival:<16} {ratio:6.2f} ×{judged}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""A small program that speaks JSON-RPC, correctly or wrongly, to test the tests' own tools."""

import json
import socket
import sys
import threading
import time
import urllib.request

framing = "lines"
seq = 0


def write(text: str) -> None:
    body = text.encode()
    head = b"Content-Length: %d\r\n\r\n" % len(body) if framing == "headers" else b""
    sys.stdout.buffer.write(head + body + (b"" if head else b"\n"))
    sys.stdout.buffer.flush()


def send(message: dict) -> None:
    write(json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")))


def read() -> dict | None:
    global framing
    line = sys.stdin.buffer.readline()
    if not line:
        return None
    framing = "headers" if line.startswith(b"Content-Length:") else "lines"
    if framing == "headers":
        sys.stdin.buffer.readline()
        line = sys.stdin.buffer.read(int(line.split(b":")[1]))
    return json.loads(line)


def event(name: str, **params) -> None:
    global seq
    seq += 1
    send({"method": name, "params": {"seq": seq, **params}})


def fetch(params: dict) -> dict:
    request = urllib.request.Request(params["url"], data=params["body"].encode(), headers={"X-Stub": "yes"})
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as answer:
        return {"status": answer.status, "body": answer.read().decode()}


def authorize(params: dict) -> dict:
    """A minimal sign-in: one redirect, one token request."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        redirect = f"http://127.0.0.1:{server.getsockname()[1]}/cb"
        event("signInWasRequested", url=f"http://h/a?redirect_uri={redirect}&state=s")
        connection, _ = server.accept()
        with connection:
            line = connection.recv(4096).split(b"\r\n")[0].decode()
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    answer = fetch({"url": params["provider"]["tokenEndpoint"], "body": "a=b"})
    return {"line": line, "tokens": answer["body"], "client": params["clientId"]}


def main() -> int:
    while (message := read()) is not None:
        identifier, params = message.get("id"), message.get("params", {})
        match message["method"]:
            case "echo":
                send({"id": identifier, "result": params})
            case "time":
                send({"id": identifier, "result": {"expiresAt": int(time.time()) + 3600, "name": "x"}})
            case "fail":
                send({"id": identifier, "error": {"code": 1000, "message": "no", "data": {"kind": "k", "retryable": False}}})
            case "tell":
                for _ in range(params.get("times", 1)):
                    event("told", what=params.get("what", ""))
                send({"id": identifier, "result": {}})
            case "twice":
                threading.Timer(0.02, event, ["late"]).start()
                send({"id": identifier, "result": {}})
            case "authorize":
                signed_in = authorize(params)
                send({"id": identifier, "result": signed_in})
            case "signedIn":
                send({"id": identifier, "result": signed_in})
            case "arguments":
                send({"id": identifier, "result": {"arguments": sys.argv[1:]}})
            case "fetch":
                send({"id": identifier, "result": fetch(params)})
            case "raw":
                write(params["text"])
            case "exit":
                return params.get("status", 0)
    return 0


if __name__ == "__main__":
    sys.exit(main())

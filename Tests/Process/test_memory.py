"""Requests leave no memory behind."""

import json
import subprocess
import threading
import time
from pathlib import Path

import pytest

from provider import Response
from rpc import BINARY
from waiting import wait_until

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux's /proc")


def import_token(peer, provider) -> None:
    provider.living.add("token")
    data = {"access_token": "token", "refresh_token": "refresh", "expires_in": 36000}
    peer.request("importGrant", {"account": "a", "format": "json", "data": data, "clientId": "c", "provider": provider.description})


def send(pipe, lines: bytes) -> None:
    pipe.write(lines)
    pipe.flush()


def work(process, method: str, params: str, count: int, width: int = 200) -> None:
    """Sends that many requests, `width` at a time. It uses the bare pipe, so that the client stores nothing either."""
    done = 0
    while done < count:
        lines = "".join(f'{{"jsonrpc":"2.0","id":{number},"method":"{method}","params":{params}}}\n' for number in range(width))
        writer = threading.Thread(target=send, args=(process.stdin, lines.encode()))
        writer.start()
        answers = 0
        while answers < width:
            answers += process.stdout.readline().count(b'"id"')
        writer.join()
        done += width


@pytest.mark.parametrize("method,params,count,width", [("accessToken", '{"account":"a"}', 30_000, 200), ("callAPI", '{"account":"a","url":"me"}', 5_000, 20)])
def test_memory_does_not_grow(start, provider, method, params, count, width):
    import_token(first := start(), provider)
    first.finish()
    environment = first.environment(None)
    process = subprocess.Popen(
        [BINARY, "--store", str(first.store), "--events", "none"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    )
    try:
        status = Path(f"/proc/{process.pid}/status")
        resident = lambda: int(status.read_text().split("VmRSS:")[1].split()[0])
        work(process, method, params, 1000, width)
        before = resident()
        work(process, method, params, count, width)
        # A leak of 100 bytes a request would show. The allocator's own variation is below 3 MB.
        assert resident() - before < 3_000 + count // 40
        process.stdin.close()
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_a_client_that_does_not_read(start, provider):
    """The answers would take 200 MiB. The process stops before that, and loses none."""
    import_token(first := start(), provider)
    first.finish()
    provider.instead["/api/big"] = lambda request: Response(200, b"x" * (1 << 20), {"Content-Type": "text/plain"})
    process = subprocess.Popen(
        [BINARY, "--store", str(first.store), "--events", "none"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env=first.environment(None))
    params = {"account": "a", "url": "big"}
    lines = [json.dumps({"jsonrpc": "2.0", "id": number, "method": "callAPI", "params": params}).encode() + b"\n" for number in range(200)]

    def arrives(number: int) -> bool:
        # The process stops after about 128. Before 60, only a busy machine is late.
        deadline = time.monotonic() + (30 if number < 60 else 5)
        while len(provider.requests) <= number and time.monotonic() < deadline:
            time.sleep(0.001)
        return len(provider.requests) > number

    try:
        sent = 0
        while sent < len(lines):
            send(process.stdin, lines[sent])
            sent += 1
            if not arrives(sent - 1):
                break
        peak = int(Path(f"/proc/{process.pid}/status").read_text().split("VmHWM:")[1].split()[0])
        # 64 that are unread, and 64 that are on their way.
        assert 60 < sent < 130 and peak < 300_000, (sent, peak)
        writer = threading.Thread(target=send, args=(process.stdin, b"".join(lines[sent:])))
        writer.start()
        answers = [json.loads(process.stdout.readline()) for _ in lines]
        assert sorted(answer["id"] for answer in answers) == list(range(200))
        assert all(answer["result"]["bytes"] == 1 << 20 for answer in answers)
        writer.join()
        process.stdin.close()
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_bodies_that_arrive_together_count(start, provider):
    """64 of 200 calls have half of their bodies when the rest arrives, as a host has 64 connections. The client reads nothing."""
    import_token(first := start(), provider)
    first.finish()
    gate = threading.Event()
    provider.instead["/api/big"] = lambda request: Response(200, b"x" * (1 << 20), {"Content-Type": "text/plain"}, until=gate)
    process = subprocess.Popen(
        [BINARY, "--store", str(first.store), "--events", "none"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env=first.environment(None))
    try:
        params = {"account": "a", "url": "big", "timeout": 300}
        lines = [json.dumps({"jsonrpc": "2.0", "id": number, "method": "callAPI", "params": params}).encode() + b"\n" for number in range(200)]
        send(process.stdin, b"".join(lines))
        status = Path(f"/proc/{process.pid}/status")
        sizes = [0]

        def is_settled() -> bool:
            sizes.append(int(status.read_text().split("VmRSS:")[1].split()[0]))
            return len(provider.requests) >= 64 and len(set(sizes[-50:])) == 1

        wait_until(is_settled)
        gate.set()
        sizes.append(0)
        wait_until(is_settled)
        # 64 MiB, the program and what the calls themselves need.
        assert max(sizes) < 230_000, max(sizes)
        answers = [json.loads(process.stdout.readline()) for _ in lines]
        assert sorted(answer["id"] for answer in answers if answer["result"]["bytes"] == 1 << 20) == list(range(200))
        process.stdin.close()
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()

"""A command of the user in a process of its own, with its answer like that of a request."""

import json
import subprocess
from pathlib import Path

from rpc import BINARY, PATIENCE, Peer, RPCFault


class Work:
    """Starts a method as a command. `answer()` waits for its end, and a process that says nothing about it fails the test."""

    def __init__(self, method: str, params: dict, *options, home, binary=None, environment=None):
        self.home = Path(home)
        command = list(binary) if isinstance(binary, (list, tuple)) else [binary or BINARY]
        if "--store" not in options:
            options = ("--store", self.home / "store", *options)
        words = [f"--{name}={json.dumps(value) if isinstance(value, bool) else value}" for name, value in params.items()]
        self.process = subprocess.Popen(
            [*map(str, command), "--events", "json", *map(str, options), method, *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=Peer.environment(self, environment),
        )

    def answer(self) -> dict:
        result, errors = self.process.communicate(timeout=PATIENCE)
        if self.process.returncode == 0:
            return {"result": json.loads(result)}
        found = [line for line in errors.splitlines() if line.startswith(b'{"error":')]
        assert found, (self.process.returncode, errors)
        return json.loads(found[-1])

    def result(self) -> dict:
        answer = self.answer()
        assert "result" in answer, answer
        return answer["result"]

    def fault(self) -> RPCFault:
        answer = self.answer()
        assert "error" in answer, answer
        return RPCFault(answer["error"])

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()

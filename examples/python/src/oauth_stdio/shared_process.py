"""One run of the program for all threads of a Python process. The requests wait for their answers."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import shutil
import subprocess
import sysconfig
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from functools import lru_cache
from typing import Any

from .client import PATIENCE, ProcessEnded
from .generated import Client

__all__ = ["SharedProcess", "find_program", "shared_process"]


class Run:
    """One run of the program. A thread reads its answers, so a caller that is interrupted leaves nothing half read."""

    def __init__(self, command: list[str]):
        # Without buffers, a child process can close its copies of the pipes.
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        assert self.process.stdin and self.process.stdout
        self.input, self.output = self.process.stdin, self.process.stdout
        self.pending: dict[int, Future[Any]] = {}
        self.last_id = 0
        self.has_ended = False
        self.lock = threading.Lock()
        self.reader = threading.Thread(target=self.read, name="oauth-stdio", daemon=True)
        self.reader.start()

    def post(self, method: str, params: Mapping[str, object]) -> Future[Any]:
        answer: Future[Any] = Future()
        with self.lock:
            if self.has_ended:
                raise ProcessEnded("the program has ended", self.process.poll())
            self.last_id += 1
            self.pending[self.last_id] = answer
            message = json.dumps({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}).encode() + b"\n"
            # If the program has ended, the reader reports it.
            with contextlib.suppress(OSError):
                while message:
                    message = message[self.input.write(message) :]
        return answer

    def read(self) -> None:
        """Handles messages until the program ends."""
        reason = "the program has ended"
        rest = b""
        try:
            while chunk := self.output.read(1 << 16):
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    self.receive(json.loads(line))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as fault:
            reason = f"the program printed something that is not JSON: {fault}"
            self.process.kill()
        with self.lock:
            self.has_ended = True
            pending, self.pending = self.pending, {}
        status = self.process.wait()
        self.input.close()
        self.output.close()
        for answer in pending.values():
            answer.set_exception(ProcessEnded(f"{reason}, with status {status}", status))

    def receive(self, message: Any) -> None:
        if "method" in message:
            return
        with self.lock:
            answer = self.pending.pop(message["id"])
        if "error" in message:
            answer.set_exception(Client._error(message["error"]))
        else:
            answer.set_result(message["result"])

    def close(self) -> None:
        """Ends the program, and waits until it has ended."""
        self.input.close()
        self.reader.join(PATIENCE)
        if self.reader.is_alive():
            self.process.terminate()


class SharedProcess:
    """Starts the program at the first request, and again at the first request after it has ended. Any thread may request."""

    def __init__(self, *command: str):
        self._command = list(command)
        self._run: Run | None = None
        self._start = threading.Lock()
        # Held while a rejected token is replaced, so that one thread does it.
        self.renewal = threading.Lock()
        # The time from which on an account's rejected token may be replaced again.
        self.next_renewals: dict[str, float] = {}
        atexit.register(self.close)
        os.register_at_fork(after_in_child=self._after_fork)

    @property
    def process_id(self) -> int | None:
        """The ID of the running process."""
        return self._run.process.pid if self._run and not self._run.has_ended else None

    def request(self, method: str, params: Mapping[str, object]) -> Any:
        """Returns the result. Asks a second process if the first one ends, so the request must be one that may be repeated."""
        try:
            return self._running().post(method, params).result()
        except ProcessEnded:
            return self._running().post(method, params).result()

    def close(self) -> None:
        with self._start:
            if self._run:
                self._run.close()

    def _running(self) -> Run:
        with self._start:
            if self._run is None or self._run.has_ended:
                self._run = Run(self._command)
            return self._run

    def _after_fork(self) -> None:
        """A child process runs a program of its own. It has no copy of the thread that reads, and its locks may be held for ever."""
        self._start, self.renewal = threading.Lock(), threading.Lock()
        if self._run:
            # The parent's program ends when the parent has closed the last copy of its input.
            self._run.input.close()
            self._run.output.close()
            self._run = None


@lru_cache(maxsize=None)
def shared_process(*command: str) -> SharedProcess:
    """Returns the one process for this command."""
    return SharedProcess(*command)


def find_program() -> str:
    """Returns the program that was installed with this package, or the one in PATH."""
    return shutil.which("oauth-stdio", path=sysconfig.get_path("scripts")) or shutil.which("oauth-stdio") or "oauth-stdio"

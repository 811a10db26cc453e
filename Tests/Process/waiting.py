"""What a test awaits instead of pausing: a condition, a request whose response it holds back, or a system call that it holds back."""

import os
import re
import signal
import threading
import time
from pathlib import Path

from rpc import BINARY, PATIENCE


def wait_until(condition, seconds: float = PATIENCE) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"{seconds} s went by"
        time.sleep(0.01)


def target(link: Path) -> str:
    """Where a link of /proc leads; empty if the process has closed the descriptor meanwhile."""
    try:
        return os.readlink(link)
    except FileNotFoundError:
        return ""


class Hold:
    """Holds back responses: `provider.instead["/token"] = hold = Hold()`. At the release the provider sends its usual response or `response`."""

    def __init__(self, response=None):
        self.response = response
        self.arrived = threading.Semaphore(0)
        self.released = threading.Event()

    def __call__(self, request):
        self.arrived.release()
        # The test's own time limit ends it earlier.
        self.released.wait(100)
        return self.response

    def wait(self, requests: int = 1) -> None:
        """Waits until this many requests more have arrived."""
        for _ in range(requests):
            assert self.arrived.acquire(timeout=PATIENCE), "a request did not arrive"

    def release(self) -> None:
        self.released.set()


def traced(log, *options) -> list[str]:
    """Returns the program under strace, which is no parent of the process: signals and the exit status are the process's own."""
    # It exists before strace writes it.
    Path(log).touch()
    return ["strace", "-D", "-f", "-qq", "-o", str(log), *options, BINARY]


class HeldCall:
    """Holds back each system call of one name: `start(binary=held.command)`."""

    def __init__(self, name: str, log, *options):
        self.name, self.log = name, Path(log)
        self.command = traced(log, *options, "-e", f"trace={name}", "-e", f"inject={name}:delay_enter=100000000")

    def wait(self) -> None:
        """Waits until the process calls."""
        wait_until(lambda: f"{self.name}(" in self.log.read_text())

    def tracer(self, process) -> int:
        return int(re.search(r"^TracerPid:\s+([1-9]\d*)$", Path(f"/proc/{process.pid}/status").read_text(), re.MULTILINE)[1])

    def release(self, process) -> None:
        """Ends strace, so that the process goes on, also with what it calls later."""
        os.kill(self.tracer(process), signal.SIGKILL)

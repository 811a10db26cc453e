"""Runs the quickstart, with or without a terminal, and checks that it leaves nothing behind."""

import json
import os
import pty
import signal
import subprocess
import threading
import time
import uuid
from pathlib import Path

from conftest import DEMO
from rpc import BINARY, PATIENCE, ROOT

QUICKSTART = ROOT / "examples" / "quickstart.sh"


class Machine:
    """The quickstart's environment, its folder for temporary files, and a mark in the environment that identifies its processes."""

    def __init__(self, folder: Path):
        self.temporary = folder / "tmp"
        self.temporary.mkdir(parents=True)
        self.mark = f"QUICKSTART_MARK={uuid.uuid4()}"
        name, value = self.mark.split("=")
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "TMPDIR": str(self.temporary),
            "LANG": "C.UTF-8",
            "TERM": "xterm",
            "QUICKSTART_SKIP_BUILD": "1",
            "OAUTH_STDIO": BINARY,
            "DEMO_PROVIDER": DEMO,
            name: value,
        }

    def run(self, **environment) -> subprocess.CompletedProcess:
        """Runs the quickstart from a folder other than the project's, without a terminal."""
        ended = subprocess.run(
            [str(QUICKSTART)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, cwd="/",
            env={**self.environment, **environment},
        )  # fmt: skip
        self.check_nothing_left()
        return ended

    def fails(self, **environment) -> str:
        """Returns the one-line reason of the failure."""
        ended = self.run(**environment)
        assert ended.returncode == 1, ended
        last = ended.stderr.splitlines()[-1]
        assert last.startswith("quickstart: "), ended.stderr
        return last.removeprefix("quickstart: ")

    def check_nothing_left(self) -> None:
        assert list(self.temporary.iterdir()) == []
        assert self.processes() == []

    def processes(self) -> list[str]:
        """Returns the running processes with the mark in their environment."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                try:
                    is_ours = self.mark.encode() in (process / "environ").read_bytes().split(b"\0")
                except PermissionError:
                    # Only root can read the program's own environment, but its store is in our folder.
                    is_ours = str(self.temporary) in command
                if is_ours:
                    found.append(command)
            except OSError:
                continue
        return found


class Terminal:
    """The quickstart on a terminal."""

    def __init__(self, machine: Machine, **environment):
        self.output = ""
        ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [str(QUICKSTART)], stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
            env={**machine.environment, **environment},
        )  # fmt: skip
        os.close(theirs)
        self.reader = threading.Thread(target=self.read, args=[ours])
        self.reader.start()

    def read(self, descriptor: int) -> None:
        try:
            while chunk := os.read(descriptor, 1 << 16):
                self.output += chunk.decode(errors="replace")
        except OSError:
            pass  # The other side of the terminal is closed.
        os.close(descriptor)

    def wait_for(self, text: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while text not in self.output:
            assert time.monotonic() < deadline and self.process.poll() is None, self.output
            time.sleep(0.02)

    def end(self) -> int:
        try:
            return self.process.wait(PATIENCE)
        finally:
            if self.process.poll() is None:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
            self.reader.join(PATIENCE)


def program(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def check_transcript(output: str) -> None:
    """Checks that every step was requested and answered, in this order. On a terminal, a long line goes on in the next one."""
    output = output.replace("\n    ", "")
    sent = [json.loads(line[4:]) for line in output.splitlines() if line.startswith("--> ")]
    received = [json.loads(line[4:]) for line in output.splitlines() if line.startswith("<-- ")]
    answers = {message["id"]: message["result"] for message in received if "id" in message}
    assert [message["method"] for message in sent] == ["authorize", "callAPI", "refresh", "callAPI", "revoke"]
    steps = [answers[message["id"]] for message in sent]
    assert steps[0]["via"] == "signedIn"
    assert steps[1]["json"]["user"] == steps[3]["json"]["user"] == "demo"
    assert steps[2]["refreshed"] is True and steps[4]["revoked"] is True
    events = [message["method"] for message in received if message.get("method", "accountWasChanged") != "accountWasChanged"]
    assert events[:2] == ["signInWasRequested", "authorizationWasSuccessful"] and events[-1] == "accessTokenWasRevoked"

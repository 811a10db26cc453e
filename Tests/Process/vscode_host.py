"""The VS Code extension in a host without a window, and the test as its user."""

import json
import shutil
import subprocess
import threading
import time
from pathlib import Path

import typescript
from example_user import Home
from rpc import PATIENCE, ROOT

EXTENSION = ROOT / "examples" / "vscode"
HOST = ROOT / "Tests" / "Process" / "Editors" / "vscode"


class HostFault(Exception):
    """An error that the extension throws at VS Code."""

    def __init__(self, name: str, message: str):
        super().__init__(message)
        self.name = name
        self.message = message


class Compiled:
    """The compiled host, and the extension with the files that its package has. `complaints` are those of the compiler."""

    def __init__(self, folder: Path):
        self.host = folder / "host" / "host.mjs"
        self.extension = folder / "extension"
        self.complaints = typescript.tsc(HOST, self.host.parent) + typescript.tsc(EXTENSION, self.extension / "dist")
        for name in ("package.json", "README.md"):
            shutil.copy(EXTENSION / name, self.extension / name)


class Host:
    """A context manager that runs the host and leaves no process behind."""

    def __init__(self, compiled: Compiled, home: Home, settings: dict, **world):
        self.lines: list[dict] = []
        self.log = ""
        self.last_id = 0
        self.has_ended = False
        self.changed = threading.Condition()
        self.process = subprocess.Popen(
            ["node", str(compiled.host), str(compiled.extension), json.dumps({"settings": settings, **world})],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=home.environment, text=True,
        )  # fmt: skip
        self.readers = [threading.Thread(target=self.read_lines), threading.Thread(target=self.read_log)]
        for reader in self.readers:
            reader.start()

    def __enter__(self) -> "Host":
        return self

    def __exit__(self, *_) -> None:
        try:
            self.process.stdin.close()
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self.process.wait()
            for reader in self.readers:
                reader.join()

    def read_lines(self) -> None:
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(json.loads(line))
                self.changed.notify_all()
        with self.changed:
            self.has_ended = True
            self.changed.notify_all()

    def read_log(self) -> None:
        for line in self.process.stderr:
            self.log += line

    # Commands

    def send(self, **command) -> None:
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()

    def start(self, action: str, *values) -> int:
        """Starts a call of the extension and returns its ID."""
        self.last_id += 1
        self.send(id=self.last_id, do=action, **{"with": values})
        return self.last_id

    def result(self, identifier: int):
        answer = self.take(id=identifier)
        if "error" in answer:
            raise HostFault(**answer["error"])
        return answer["result"]

    def run(self, action: str, *values):
        return self.result(self.start(action, *values))

    def answer(self, shown: dict, value=None) -> None:
        """Answers what the extension shows. None is the key Escape."""
        self.send(answer=shown["key"], value=value)

    # What the extension shows

    def take(self, **members) -> dict:
        """Waits for the first line with these members, and removes it."""
        deadline = time.monotonic() + PATIENCE
        with self.changed:
            while True:
                for line in self.lines:
                    if members.items() <= {key: value for key, value in line.items() if not isinstance(value, (list, dict))}.items():
                        self.lines.remove(line)
                        return line
                left = deadline - time.monotonic()
                assert left > 0 and not self.has_ended, f"no line with {members} in {self.lines}; log: {self.log[-2000:]}"
                self.changed.wait(left)

    def shows(self, kind: str) -> dict:
        return self.take(shows=kind)

    def has_shown(self, kind: str) -> bool:
        with self.changed:
            return any(line.get("shows") == kind for line in self.lines)

    def change(self) -> dict:
        """Waits for a change of the sessions, and returns the sessions by the kind of change, without the empty kinds."""
        deadline = time.monotonic() + PATIENCE
        with self.changed:
            while True:
                for line in self.lines:
                    if "sessions" in line:
                        self.lines.remove(line)
                        return {kind: sessions for kind, sessions in line["sessions"].items() if sessions}
                left = deadline - time.monotonic()
                assert left > 0 and not self.has_ended, f"no change in {self.lines}; log: {self.log[-2000:]}"
                self.changed.wait(left)

    def programs(self) -> list[int]:
        """Returns the IDs of the running processes that the extension has started."""
        found = subprocess.run(["pgrep", "-P", str(self.process.pid)], stdout=subprocess.PIPE, text=True).stdout
        return [int(number) for number in found.split()]

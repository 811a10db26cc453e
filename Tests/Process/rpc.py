"""A JSON-RPC client for one process under test. It checks every received message against the wire rules."""

import json
import os
import resource
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import wire

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("OAUTH_STDIO") or str(ROOT / ".build" / "release" / "oauth-stdio")
# Seconds to wait for an immediate answer. The value is generous because test machines are slow.
PATIENCE = 60


class RPCFault(Exception):
    """An error answer."""

    def __init__(self, error: dict):
        super().__init__(f"{error['code']} {error['message']} {json.dumps(error.get('data'))}")
        self.code = error["code"]
        self.message = error["message"]
        self.data = error.get("data") or {}
        self.kind = self.data.get("kind")


@dataclass
class Message:
    raw: bytes
    framing: str
    json: object


class Peer:
    """Starts the program and talks to it. A context manager that leaves no process behind.

    The process writes only into `home`. Two peers with one home share their grants.
    """

    def __init__(self, *arguments, home, binary=None, environment=None, framing="lines", schema="project", piece=None, on_message=None, **popen):
        self.home = Path(home)
        self.store = self.home / "store"
        self.framing = framing
        self.piece = piece
        self.on_message = on_message
        self.messages: list[Message] = []
        self.faults: list[Exception] = []
        self.stderr = b""
        self.stdout = bytearray()
        self.ended = False
        self.next_id = 0
        self.changed = threading.Condition()
        self.checker = wire.Checker(wire.project_schema() if schema == "project" else schema)
        command = [binary or BINARY] if not isinstance(binary, (list, tuple)) else list(binary)
        if not any(str(argument).startswith("--store") for argument in arguments):
            arguments = ("--store", str(self.store), *arguments)
        popen.setdefault("stdin", subprocess.PIPE)
        popen.setdefault("stdout", subprocess.PIPE)
        self.process = subprocess.Popen(
            [*command, *map(str, arguments)], stderr=subprocess.PIPE, env=self.environment(environment), bufsize=0, **popen
        )
        self.readers = [threading.Thread(target=self.read_stderr, daemon=True)]
        if self.process.stdout:
            self.readers.append(threading.Thread(target=self.read_stdout, daemon=True))
        for reader in self.readers:
            reader.start()

    def environment(self, extra: dict | None) -> dict:
        """Returns an environment without the caller's desktop, proxies and configuration."""
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_DATA_HOME": str(self.home / "data"),
            "LANG": "C.UTF-8",
            "BROWSER": "/bin/true",
        }
        environment.update(extra or {})
        # None removes a variable.
        return {name: value for name, value in environment.items() if value is not None}

    # Sending

    def write(self, data: bytes) -> None:
        """Writes exactly these bytes, in small pieces if the peer was created with `piece`."""
        if not self.piece:
            view = memoryview(data)
            while view:
                view = view[self.process.stdin.write(view) :]
            return
        for start in range(0, len(data), self.piece):
            self.process.stdin.write(data[start : start + self.piece])

    def send_text(self, text: str, framing: str | None = None) -> None:
        """Sends one message unchanged, in the peer's framing or another."""
        try:
            self.checker.sent(json.loads(text))
        except ValueError:
            pass
        self.write(frame(text.encode(), framing or self.framing))

    def send(self, method: str, params=None, framing: str | None = None, **members) -> object:
        """Sends a request and returns its id."""
        if "id" not in members:
            self.next_id += 1
            members["id"] = self.next_id
        message = {"jsonrpc": "2.0", "id": members["id"], "method": method}
        if params is not None:
            message["params"] = params
        self.send_text(json.dumps(message), framing)
        return members["id"]

    def notify(self, method: str, params=None) -> None:
        message = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message["params"] = params
        self.send_text(json.dumps(message))

    def request(self, method: str, params=None, timeout: float = PATIENCE) -> dict:
        """Sends a request, waits and returns the result. Raises `RPCFault` for an error answer."""
        return self.result(self.send(method, params), timeout)

    # Receiving

    def result(self, identifier, timeout: float = PATIENCE) -> dict:
        answer = self.answer(identifier, timeout)
        if "error" in answer:
            raise RPCFault(answer["error"])
        return answer["result"]

    def answer(self, identifier, timeout: float = PATIENCE) -> dict:
        """Returns the answer with this id. Ids of different JSON types are different."""

        def matches(message):
            return "id" in message and message["id"] == identifier and type(message["id"]) is type(identifier)

        return self.wait_for(matches, f"an answer to {identifier!r}", timeout)

    def event(self, name: str, timeout: float = PATIENCE, **members) -> dict:
        """Returns the first event of this name whose params have these members."""

        def matches(message):
            params = message.get("params", {})
            return message.get("method") == name and all(params.get(key) == value for key, value in members.items())

        return self.wait_for(matches, f"the event {name}", timeout)["params"]

    @property
    def events(self) -> list[dict]:
        return [message for message in self.all_json() if "method" in message]

    def all_json(self) -> list[dict]:
        with self.changed:
            found = []
            for message in self.messages:
                found.extend(message.json if isinstance(message.json, list) else [message.json])
            return found

    def wait_for(self, matches, what: str, timeout: float = PATIENCE):
        deadline = time.monotonic() + timeout
        with self.changed:
            while True:
                self.raise_faults()
                for message in self.all_json():
                    if matches(message):
                        return message
                left = deadline - time.monotonic()
                if self.ended or left <= 0:
                    state = "the stream ended" if self.ended else f"{timeout} s went by"
                    raise AssertionError(f"{state} without {what}; stderr: {self.stderr[-2000:].decode(errors='replace')}")
                self.changed.wait(left)

    def wait_messages(self, count: int, timeout: float = PATIENCE) -> list[Message]:
        """Returns the first `count` messages."""
        deadline = time.monotonic() + timeout
        with self.changed:
            while len(self.messages) < count:
                self.raise_faults()
                left = deadline - time.monotonic()
                if self.ended or left <= 0:
                    raise AssertionError(f"{len(self.messages)} of {count} messages: {self.messages!r:.2000}")
                self.changed.wait(left)
            return self.messages[:count]

    def raise_faults(self) -> None:
        if self.faults:
            raise self.faults[0]

    # Ending

    def close_stdin(self) -> None:
        self.process.stdin.close()

    def kill(self, name: str) -> None:
        self.process.send_signal(getattr(signal, "SIG" + name))

    def wait(self, timeout: float = PATIENCE) -> int:
        """Returns the exit status after all output was read."""
        status = self.process.wait(timeout)
        for reader in self.readers:
            reader.join(timeout)
        self.raise_faults()
        return status

    def finish(self, timeout: float = PATIENCE) -> int:
        self.close_stdin()
        return self.wait(timeout)

    def __enter__(self) -> "Peer":
        return self

    def __exit__(self, kind, error, traceback) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        # Processes that strace started outlive it and end with their input.
        self.close(self.process.stdin)
        for reader in self.readers:
            reader.join(PATIENCE)
        self.close(self.process.stdout)
        self.close(self.process.stderr)
        if kind is None:
            self.raise_faults()

    @staticmethod
    def close(stream) -> None:
        if stream:
            try:
                stream.close()
            except OSError:
                pass

    # Reading threads

    def read_stderr(self) -> None:
        while chunk := self.read_chunk(self.process.stderr):
            self.stderr += chunk

    def read_stdout(self) -> None:
        buffer = bytearray()
        while chunk := self.read_chunk(self.process.stdout):
            self.stdout += chunk
            buffer += chunk
            # A process that ends waits 2 s for its reader, so a line of megabytes is copied once.
            if buffer[:1] in (b"{", b"[") and b"\n" not in chunk:
                continue
            try:
                while (found := take(buffer)) is not None:
                    raw, framing, buffer = bytes(found[0]), *found[1:]
                    self.took(Message(raw, framing, wire.parse(raw)))
            except Exception as fault:
                with self.changed:
                    self.faults.append(fault)
                    self.changed.notify_all()
                buffer = bytearray()
        with self.changed:
            if buffer:
                self.faults.append(wire.WireViolation(f"the stream ended inside a message: {bytes(buffer[:200])!r}"))
            self.ended = True
            self.changed.notify_all()
        if self.on_message:
            self.on_message(None)

    @staticmethod
    def read_chunk(stream) -> bytes:
        try:
            return stream.read(1 << 16)
        except (OSError, ValueError):
            return b""

    def took(self, message: Message) -> None:
        self.checker.received(message.json)
        with self.changed:
            self.messages.append(message)
            self.changed.notify_all()
        if self.on_message:
            self.on_message(message)


# faketime names its memory for its process, and refuses that of a killed one which had the same number.
CLEAN = "rm -f /dev/shm/faketime_shm_$$ /dev/shm/sem.faketime_sem_$$"


def faketime(offset: str) -> list[str]:
    """Returns what stands before a command that gets another clock."""
    return ["sh", "-c", f'{CLEAN}; exec faketime -f "$@"', "sh", offset]


def shifted(seconds: int) -> list[str]:
    """Returns the command of the program with another clock."""
    return [*faketime(f"{seconds:+d}"), BINARY]


def processor_seconds() -> float:
    """Returns the processor time of the awaited child processes in seconds. Unlike wall time, it is independent of the machine's load."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def frame(body: bytes, framing: str) -> bytes:
    return body + b"\n" if framing == "lines" else b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def take(buffer: bytearray) -> tuple[bytearray, str, bytearray] | None:
    """Splits off the first whole message of our output: its bytes, its framing and the rest. Rejects stray bytes between messages."""
    header = b"Content-Length: "
    if buffer[: len(header)] == header[: len(buffer)]:
        end = buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(buffer) > 64:
                raise wire.WireViolation(f"a header that does not end: {buffer[:80]!r}")
            return None
        digits = buffer[len(header) : end]
        if not digits.isdigit():
            raise wire.WireViolation(f"more than Content-Length in a header: {buffer[: end + 4]!r}")
        start, length = end + 4, int(digits)
        if len(buffer) < start + length:
            return None
        return buffer[start : start + length], "headers", buffer[start + length :]
    if buffer and buffer[:1] not in b"{[":
        raise wire.WireViolation(f"neither a header nor a message: {buffer[:80]!r}")
    line, feed, rest = buffer.partition(b"\n")
    if not feed:
        return None
    if line.endswith(b"\r"):
        raise wire.WireViolation("a line ends in CR LF")
    return line, "lines", rest

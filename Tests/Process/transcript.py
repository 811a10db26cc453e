"""Plays golden transcripts: what goes in, what comes out, and what passes between us and the provider, byte for byte.

    # comment
    % args --events all        arguments for the program; also: % env NAME=value, % exit 1, % framing lines, % timeout 5
    --> {…}                    a message to us, in the framing that is played
    ->> "raw\\n"                bytes to us as they are, written as a Python string; wants a `% framing`
    <-- {…}                    the next message from us
    ==> POST /token  a=b&c=d   the next request to the provider, with its body after two blanks
    ==>   Accept: x            a header that it has to have
    <== 200 {…}                what the provider answers; `<== drop` closes the connection
    <==   Retry-After: 1       a header of the answer
    $ get URL                  the browser opens a loopback address; `=> 404` after it waits for that status
    { … }                      around lines of ours or of the provider that may come in any order
    ~ 300                      milliseconds in which nothing may come
    close, kill TERM           the end of our input, a signal

Placeholders are described in template.py; `<<provider>>` and `<<dir>>` (a folder of the test's own) are there from the start.
At the end the input is closed, and nothing more may come. With RECORD=1 lines that do not match are rewritten; the run fails all the same.
"""

import ast
import os
import queue
import shlex
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

import browser
import template
from provider import Provider, Request, Response
from rpc import Peer

STEPS = ("-->", "->>", "<--", "==>", "<==", "$", "~", "close", "kill", "{", "}")


class TranscriptError(Exception):
    """The transcript itself is wrong."""


class Mismatch(AssertionError):
    def __init__(self, file: Path, line: int, wanted: str, got: str):
        super().__init__(f"{file.name}:{line}\n  wanted {wanted}\n  got    {got}")
        self.line = line


@dataclass
class Step:
    kind: str
    text: str
    line: int
    headers: list[str] = field(default_factory=list)
    # For `==>` the `<==` that answers it; for `{` the steps inside.
    answer: "Step | None" = None
    members: list["Step"] = field(default_factory=list)


@dataclass
class Transcript:
    file: Path
    lines: list[str]
    steps: list[Step] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    environment: dict = field(default_factory=dict)
    exit_status: int = 0
    framing: str | None = None
    timeout: float = 10

    @classmethod
    def read(cls, file: Path) -> "Transcript":
        transcript = cls(file, file.read_text().splitlines())
        open_group = None
        for number, line in enumerate(transcript.lines, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            if line.startswith("%"):
                transcript.set(line[1:].split(None, 1), number)
                continue
            kind = next((kind for kind in STEPS if line.startswith(kind)), None)
            if kind is None:
                raise TranscriptError(f"{file.name}:{number}: {line}")
            step = Step(kind, line[len(kind) :], number)
            into = open_group.members if open_group else transcript.steps
            if kind in ("==>", "<==") and step.text.startswith("   "):
                last = into[-1] if kind == "==>" else into[-1].answer
                last.headers.append(step.text.strip())
            elif kind == "<==":
                if not into or into[-1].kind != "==>":
                    raise TranscriptError(f"{file.name}:{number}: an answer to no request")
                into[-1].answer = step
            elif kind == "{":
                open_group = step
                transcript.steps.append(step)
            elif kind == "}":
                open_group = None
            elif open_group and kind not in ("<--", "==>"):
                raise TranscriptError(f"{file.name}:{number}: {kind} cannot come in any order")
            else:
                if kind == "->>" and not transcript.framing:
                    raise TranscriptError(f"{file.name}:{number}: raw bytes want a `% framing`")
                into.append(step)
            step.text = step.text.strip()
        return transcript

    def set(self, words: list[str], number: int) -> None:
        name, value = words[0], words[1] if len(words) > 1 else ""
        if name == "args":
            self.arguments += shlex.split(value)
        elif name == "env":
            variable, _, content = value.partition("=")
            self.environment[variable] = content
        elif name == "exit":
            self.exit_status = int(value)
        elif name == "framing":
            self.framing = value
        elif name == "timeout":
            self.timeout = float(value)
        else:
            raise TranscriptError(f"{self.file.name}:{number}: % {name}")


class Exchange:
    """A request that waits at the provider for what the transcript has for it."""

    def __init__(self, request: Request):
        self.request = request
        self.response: queue.Queue[Response] = queue.Queue()

    @property
    def line(self) -> str:
        body = self.request.body.decode("utf-8", "backslashreplace")
        return f"{self.request.method} {self.request.target}" + (f"  {body}" if body else "")

    def header(self, name: str) -> str:
        """Its value; empty where there is none."""
        return next((value for key, value in self.request.headers.items() if key.lower() == name.lower()), "")


class Player:
    """One transcript against one process, in one framing and with input in pieces of so many bytes."""

    def __init__(self, transcript: Transcript, folder: Path, framing: str, piece: int | None = None, is_recording: bool = False, **peer):
        self.transcript = transcript
        self.is_recording = is_recording
        self.rewritten: dict[int, str] = {}
        self.first_mismatch: Mismatch | None = None
        self.inbox: queue.Queue = queue.Queue()
        self.waiting = {"<--": deque(), "==>": deque()}
        self.ended = False
        self.browsers: list[threading.Thread] = []
        self.browser_faults: list[str] = []
        self.folder = folder
        self.options = {"framing": framing, "piece": piece, **peer}

    def play(self) -> None:
        directory = self.folder / "dir"
        directory.mkdir(parents=True)
        with Provider(self.hold) as provider:
            self.bound = {"provider": provider.url, "dir": str(directory)}
            arguments = [template.fill(argument, self.bound) for argument in self.transcript.arguments]
            with Peer(
                *arguments,
                home=self.folder / "home",
                environment=self.transcript.environment,
                on_message=lambda message: self.inbox.put(("<--", message)),
                **self.options,
            ) as self.peer:
                try:
                    for step in self.transcript.steps:
                        self.do(step)
                    self.end()
                finally:
                    self.release()
        if self.is_recording and self.rewritten:
            self.save()
        if self.first_mismatch:
            raise self.first_mismatch

    def hold(self, request: Request) -> Response:
        exchange = Exchange(request)
        self.inbox.put(("==>", exchange))
        return exchange.response.get(timeout=60)

    def release(self) -> None:
        """Lets go of requests that nobody expected, so that the server can end."""
        while self.poll(0):
            pass
        for exchange in self.waiting["==>"]:
            exchange.response.put(Response(500, is_dropped=True))

    # Steps

    def do(self, step: Step) -> None:
        match step.kind:
            case "-->":
                self.peer.send_text(template.fill(step.text, self.bound))
            case "->>":
                text = ast.literal_eval(step.text)
                self.peer.write(template.fill(text, self.bound).encode("latin-1"))
            case "<--" | "==>":
                self.expect([step])
            case "{":
                self.expect(step.members)
            case "$":
                self.browse(step)
            case "~":
                self.keep_silence(step)
            case "close":
                self.peer.close_stdin()
            case "kill":
                self.peer.kill(step.text)

    def expect(self, steps: list[Step]) -> None:
        """All of these, in any order."""
        steps = list(steps)
        while steps:
            kinds = {step.kind for step in steps}
            kind = self.next_kind(kinds, steps[0])
            if kind is None:
                return
            found = self.waiting[kind].popleft()
            candidates = [step for step in steps if step.kind == kind]
            step = next((step for step in candidates if self.fits(step, found)), None)
            if step is None:
                step = candidates[0]
                self.mismatch(step, found)
            if kind == "==>":
                found.response.put(self.response(step))
            steps.remove(step)

    def next_kind(self, kinds: set[str], first: Step) -> str | None:
        """Waits for something of one of these kinds."""
        deadline = time.monotonic() + self.transcript.timeout
        while True:
            for kind in kinds:
                if self.waiting[kind]:
                    return kind
            left = deadline - time.monotonic()
            if left <= 0 or self.ended:
                got = "the end of the stream" if self.ended else f"nothing in {self.transcript.timeout} s"
                others = [other.line for other in self.waiting["==>"]] + [self.text(other) for other in self.waiting["<--"]]
                got += f", but also {others}" if others else ""
                stderr = self.peer.stderr[-1000:].decode(errors="replace")
                raise Mismatch(self.transcript.file, first.line, f"{first.kind} {first.text}", got + (f"\n{stderr}" if stderr else ""))
            self.poll(left)

    def poll(self, seconds: float) -> bool:
        """Takes one thing out of the inbox."""
        try:
            kind, found = self.inbox.get(timeout=seconds) if seconds > 0 else self.inbox.get_nowait()
        except queue.Empty:
            self.peer.raise_faults()
            return False
        if found is None:
            self.ended = True
            self.peer.raise_faults()
        elif kind == "<--" and not self.transcript.framing and found.framing != self.peer.framing:
            raise Mismatch(self.transcript.file, 1, f"framing {self.peer.framing}", f"{found.framing}: {self.text(found)}")
        else:
            self.waiting[kind].append(found)
        return True

    @staticmethod
    def text(message) -> str:
        return message.raw.decode()

    def fits(self, step: Step, found) -> bool:
        """Binds the placeholders only when all of it fits."""
        bound = dict(self.bound)
        got = found.line if isinstance(found, Exchange) else self.text(found)
        if step.text == "?" or not template.fits(step.text, got, bound):
            return False
        for header in step.headers:
            name, _, value = header.partition(":")
            if not template.fits(value.strip(), found.header(name), bound):
                return False
        self.bound.update(bound)
        return True

    def mismatch(self, step: Step, found) -> None:
        got, wanted = self.text(found) if step.kind == "<--" else found.line, f"{step.kind} {step.text}"
        for header in step.headers:
            wanted += f"\n         {header}"
            got += f"\n         {header.partition(':')[0]}: {found.header(header.partition(':')[0])}"
        failure = Mismatch(self.transcript.file, step.line, wanted, got)
        if not self.is_recording:
            raise failure
        self.first_mismatch = self.first_mismatch or failure
        if isinstance(found, Exchange):
            text = template.record_request(step.text, found.line, self.bound)
        else:
            text = template.record(step.text, self.text(found), self.bound)
        self.rewritten[step.line] = f"{step.kind} {text}"

    def response(self, step: Step) -> Response:
        if step.answer is None:
            raise TranscriptError(f"{self.transcript.file.name}:{step.line}: no answer for it")
        status, _, body = step.answer.text.partition(" ")
        if status == "drop":
            return Response(500, is_dropped=True)
        body = template.fill(body, self.bound)
        headers = {"Content-Type": "application/json" if body[:1] in ("{", "[") else "text/plain"}
        for header in step.answer.headers:
            name, _, value = header.partition(":")
            headers[name] = template.fill(value.strip(), self.bound)
        return Response(int(status), body.encode(), headers)

    def browse(self, step: Step) -> None:
        words = step.text.split()
        if words[0] != "get":
            raise TranscriptError(f"{self.transcript.file.name}:{step.line}: {step.text}")
        url = template.fill(words[1], self.bound)
        wanted = int(words[3]) if len(words) == 4 and words[2] == "=>" else None

        def get():
            try:
                status = browser.deliver(url).status
            except Exception as error:
                status = f"{error}"
            if wanted is not None and status != wanted:
                self.browser_faults.append(f"line {step.line}: {url} gave {status}")

        thread = threading.Thread(target=get, daemon=True)
        thread.start()
        self.browsers.append(thread)
        if wanted is not None:
            thread.join(self.transcript.timeout)
            if self.browser_faults or thread.is_alive():
                raise Mismatch(self.transcript.file, step.line, str(wanted), "; ".join(self.browser_faults) or "no answer")

    def keep_silence(self, step: Step) -> None:
        deadline = time.monotonic() + int(step.text) / 1000
        while (left := deadline - time.monotonic()) > 0:
            self.poll(left)
        self.refuse_unexpected(step.line, "silence")

    def refuse_unexpected(self, line: int, wanted: str) -> None:
        unexpected = [f"<-- {self.text(message)}" for message in self.waiting["<--"]]
        unexpected += [f"==> {exchange.line}" for exchange in self.waiting["==>"]]
        if not unexpected:
            return
        if self.is_recording:
            for message in self.waiting["<--"]:
                text = template.record("", self.text(message), self.bound)
                self.rewritten[line] = self.rewritten.get(line, self.transcript.lines[line - 1]) + f"\n<-- {text}"
            self.waiting["<--"].clear()
        failure = Mismatch(self.transcript.file, line, wanted, "\n         ".join(unexpected))
        if not self.is_recording:
            raise failure
        self.first_mismatch = self.first_mismatch or failure

    def end(self) -> None:
        """Closes the input if the transcript did not, and looks at the last words and the exit status."""
        if not self.peer.process.stdin.closed:
            self.peer.close_stdin()
        status = self.peer.wait(self.transcript.timeout)
        while self.poll(0):
            pass
        last = len(self.transcript.lines)
        self.refuse_unexpected(last, "nothing more")
        if status != self.transcript.exit_status:
            raise Mismatch(self.transcript.file, last, f"exit {self.transcript.exit_status}", f"exit {status}")

    def save(self) -> None:
        lines = [self.rewritten.get(number, line) for number, line in enumerate(self.transcript.lines, 1)]
        self.transcript.file.write_text("\n".join(lines) + "\n")


def is_recording() -> bool:
    return os.environ.get("RECORD") == "1"

"""Reads golden transcripts: what goes in, what comes out, and what passes between us and the provider, byte for byte.

    # comment
    % args --events all        arguments for the program; also: % env NAME=value, % exit 1, % framing lines, % timeout 5
    % provider NAME {…}        a provider's file of the user's own, found under NAME
    % config {…}               the configuration file, `<<config>>`, which `--config` then names
    % account {…}              members to merge into what `authorize` is told of the account `me`
    % signed-in {…}            before the first step somebody signs in as `me`, and the provider gives these tokens: JSON, or a form with OAuth 1.0a
    --> {…}                    a message to us, in the framing that is played
    ->> "raw\\n"                bytes to us as they are, written as a Python string; wants a `% framing`
    <-- {…}                    the next message from us
    <-+ {…}                    the next message from us, and all that come after it and fit as well
    ==> POST /token  a=b&c=d   the next request to the provider, with its body after two blanks; line ends are written \\r and \\n
    ==>   Accept: x            a header that it has to have; without a value: that it must not have
    ==>   signed-with: a&b     that it has to be signed with HMAC-SHA1 and these two secrets (OAuth 1.0a)
    ==>   body-signed-with: a  that its header `sign` signs its body and its `timestamp` with this secret (HMAC-SHA256)
    <== 200 {…}                what the provider answers, or b"…" for bytes; `<== drop` closes the connection
    <==   Retry-After: 1       a header of the answer; `~ 2000` instead: milliseconds that pass in the middle of the body
    $ get URL                  the browser opens a loopback address; `=> 404` after it waits for that status
    $ is VALUE  TEMPLATE       a value taken before is of this form
    $ write PATH  TEXT         puts a file there; `$ file PATH  TEXT` wants one there, with exactly this in it
    { … }                      around lines of ours or of the provider that may come in any order
    ~ 300                      milliseconds in which nothing may come
    close, kill TERM           the end of our input, a signal

Placeholders are described in template.py. From the start there are `<<provider>>`, `<<port>>` (the provider's), `<<dir>>` (a folder of the test's own), `<<utc>>` (now, as RFC 3339
has it), `<<account>>` (the members of `authorize` that describe `me`) and `<<description>>` (its provider alone). `<<jwks>>` is the provider's key set; in its
answers `<<jwt {…}>>` is an ID token with these claims beside the usual ones, and `<<forged {…}>>` one that another key has signed.
At the end the input is closed, and nothing more may come. With RECORD=1 lines that do not match are rewritten; the run fails all the same.
"""

import json
import shlex
from dataclasses import dataclass, field
from pathlib import Path

STEPS = ("-->", "->>", "<--", "<-+", "==>", "<==", "$", "~", "close", "kill", "{", "}")


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
    configuration: str | None = None
    # The user's own provider files by name.
    providers: dict = field(default_factory=dict)
    # Members that differ from the usual account's, and the token answer of a sign-in before the first step.
    account: dict = field(default_factory=dict)
    signed_in: str | None = None

    @classmethod
    def read(cls, file: Path) -> "Transcript":
        transcript = cls(file, file.read_text().removesuffix("\n").split("\n"))
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
            elif open_group and kind not in ("<--", "<-+", "==>"):
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
        elif name == "provider":
            own, _, text = value.partition(" ")
            self.providers[own] = text
        elif name == "config":
            self.configuration = value
        elif name == "account":
            self.account = json.loads(value)
        elif name == "signed-in":
            self.signed_in = value
        else:
            raise TranscriptError(f"{self.file.name}:{number}: % {name}")

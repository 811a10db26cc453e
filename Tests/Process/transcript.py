"""Reads golden transcripts: the input, the output, and the exchange between the process and the provider, byte for byte.

    # comment
    % args --events all        arguments for the program; also: % env NAME=value, % exit 1, % framing lines, % timeout 5
    % provider NAME {…}        a provider file of the user, named NAME
    % config {…}               the configuration file `<<config>>`, passed as `--config`
    % account {…}              members to merge into the params of `authorize` for the account `me`
    % signed-in {…}            the token response of a sign-in as `me` before the first step: JSON, or a form for OAuth 1.0a
    --> {…}                    a message to the process, in the played framing
    ->> "raw\\n"                raw bytes to the process, written as a Python string; requires a `% framing`
    <-- {…}                    the next message from the process
    <-+ {…}                    the next message from the process, and all following ones that fit too
    ==> POST /token  a=b&c=d   the next request to the provider, with its body after two blanks; line ends are written \\r and \\n
    ==>   Accept: x            a required header of the request; without a value: a forbidden one
    ==>   signed-with: a&b     the request must be signed with HMAC-SHA1 and these two secrets (OAuth 1.0a)
    ==>   body-signed-with: a  the header `sign` must sign the body and the header `timestamp` with this secret (HMAC-SHA256)
    ==>   assertion: {…} {…}   the client's assertion, which the key of `<<key>>` must sign: its header and its claims
    <== 200 {…}                the provider's response, or b"…" for bytes; `<== drop` closes the connection
    <==   Retry-After: 1       a header of the response; `~ 2000` instead: milliseconds of pause in the middle of the body
    $ get URL                  the browser opens a loopback address; with `=> 404` it waits for that status
    $ is VALUE  TEMPLATE       a bound value has this form
    $ write PATH  TEXT         creates a file; `$ file PATH  TEXT` requires one with exactly this content
    { … }                      around messages or requests that may come in any order
    ~ 300                      milliseconds without any message or request
    close, kill TERM           the end of the input, a signal

template.py describes placeholders. These are bound from the start: `<<provider>>`, `<<port>>` (the provider's), `<<dir>>` (the test's folder),
`<<utc>>` (now, as in RFC 3339), `<<account>>` (the params of `authorize` for `me`) and `<<description>>` (its provider alone).
`<<jwks>>` is the provider's key set, and `<<key>>` its private key as a JWK in a JSON string. In its responses `<<jwt {…}>>` is an ID token with these claims beside the default ones,
and `<<forged {…}>>` is one with the signature of another key.
At the end the input is closed, and no message may follow. With RECORD=1 lines that do not match are rewritten, but the run still fails.
"""

import json
import shlex
from dataclasses import dataclass, field
from pathlib import Path

STEPS = ("-->", "->>", "<--", "<-+", "==>", "<==", "$", "~", "close", "kill", "{", "}")


class TranscriptError(Exception):
    """The transcript itself is invalid."""


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
    # For `==>` its `<==`; for `{` the steps inside.
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
    timeout: float = 60
    configuration: str | None = None
    # The user's own provider files, by name.
    providers: dict = field(default_factory=dict)
    # Members that differ from the default account's, and the token response of a sign-in before the first step.
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

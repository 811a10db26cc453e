"""Plays a transcript against the program, with the test's own provider."""

import ast
import json
import os
import queue
import re
import threading
import time
from collections import deque
from pathlib import Path

import browser
import id_tokens
import signature
import template
from provider import Provider, Request, Response
from rpc import Peer
from transcript import Mismatch, Step, Transcript, TranscriptError

CONTROLS = {"\r": "\\r", "\n": "\\n", "\t": "\\t"}
FORM = "application/x-www-form-urlencoded"
# The id of the sign-in request before the first step.
BEFORE = "signed-in"


class Exchange:
    """A request to the provider that waits for the transcript's response."""

    def __init__(self, request: Request):
        self.request = request
        self.response: queue.Queue[Response] = queue.Queue()

    @property
    def line(self) -> str:
        body = self.request.body.decode("utf-8", "backslashreplace")
        # One line of a transcript is one request, so control characters are escaped.
        body = re.sub(r"[\x00-\x1f\x7f]", lambda match: CONTROLS.get(match[0], f"\\x{ord(match[0]):02x}"), body)
        return f"{self.request.method} {self.request.target}" + (f"  {body}" if body else "")

    def header(self, name: str) -> str:
        """Returns the header's value, or an empty string."""
        return next((value for key, value in self.request.headers.items() if key.lower() == name.lower()), "")


class Player:
    """One transcript, played against one process in one framing and in input pieces of one size."""

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
            self.bound = {
                "provider": provider.url, "port": str(provider.port), "dir": str(directory), "jwks": id_tokens.KEY_SET, "key": id_tokens.PRIVATE,
                "utc": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            }
            self.describe(provider)
            arguments = [template.fill(argument, self.bound) for argument in self.transcript.arguments]
            if self.transcript.configuration is not None:
                configuration = self.folder / "config.json"
                configuration.write_text(template.fill(self.transcript.configuration, self.bound))
                arguments += ["--config", str(configuration)]
                self.bound["config"] = str(configuration)
            for name, text in self.transcript.providers.items():
                own = self.folder / "home" / "config" / "oauth-stdio" / "providers" / f"{name}.json"
                own.parent.mkdir(parents=True, exist_ok=True)
                own.write_text(template.fill(text, self.bound))
                self.bound["providers"] = str(own.parent)
            with Peer(
                *arguments,
                home=self.folder / "home",
                environment=self.transcript.environment,
                on_message=lambda message: self.inbox.put(("<--", message)),
                **self.options,
            ) as self.peer:
                try:
                    if self.transcript.signed_in is not None:
                        self.sign_in(self.transcript.signed_in)
                    for step in self.transcript.steps:
                        self.do(step)
                    self.end()
                finally:
                    self.release()
                    if self.is_recording and self.rewritten:
                        self.save()
        if self.first_mismatch:
            raise self.first_mismatch

    def describe(self, provider: Provider) -> None:
        """Binds the params of `authorize` for the account, merged with the transcript's own members."""
        changes = json.loads(template.fill(json.dumps(self.transcript.account), self.bound))
        described = {**provider.description, **changes.pop("provider", {})}
        described = {name: member for name, member in described.items() if member is not None}
        account = {"account": "me", "provider": described, "clientId": "c", "scopes": ["read"], "openBrowser": False, **changes}
        account = {name: member for name, member in account.items() if member is not None}
        self.bound["account"] = json.dumps(account)[1:-1]
        self.bound["description"] = json.dumps(described)
        self.is_oauth1 = described.get("protocol") == "oauth1"

    def sign_in(self, tokens: str) -> None:
        """Signs in as `me` before the first step. Its messages are not compared."""
        if self.is_oauth1:
            return self.sign_in_by_oauth1(tokens)
        message = f'{{"jsonrpc":"2.0","id":"{BEFORE}","method":"authorize","params":{{{self.bound["account"]}}}}}'
        self.peer.send_text(message)
        while True:
            while not any(self.waiting.values()):
                if not self.poll(self.transcript.timeout) or self.ended:
                    raise TranscriptError(f"{self.transcript.file.name}: the sign-in failed: {self.peer.stderr.decode(errors='replace')}")
            if self.waiting["==>"]:
                exchange = self.waiting["==>"].popleft()
                body = self.fill(id_tokens.KEY_SET if exchange.request.path == "/keys" else tokens).encode()
                exchange.response.put(Response(200, body, {"Content-Type": "application/json"}))
                continue
            said = self.waiting["<--"].popleft().json
            if said.get("method") == "signInWasRequested":
                url = said["params"]["url"]
                self.bound["signedInUrl"] = url
                asked = browser.query(url)
                self.get(f"{asked['redirect_uri']}?code=c0de&state={asked['state']}")
            elif "error" in said:
                raise TranscriptError(f"{self.transcript.file.name}: the sign-in failed: {said['error']['message']}")
            elif "result" in said:
                return

    def sign_in_by_oauth1(self, tokens: str) -> None:
        """Signs in by OAuth 1.0a with a typed verifier."""
        self.send(BEFORE, "authorize", f'{{{self.bound["account"]},"redirectUri":"oob"}}')
        answers = ["oauth_token=rt-0&oauth_token_secret=rts-0&oauth_callback_confirmed=true", template.fill(tokens, self.bound)]
        left = {BEFORE, "typed"}
        while left:
            while not any(self.waiting.values()):
                if not self.poll(self.transcript.timeout) or self.ended:
                    raise TranscriptError(f"{self.transcript.file.name}: the sign-in failed: {self.peer.stderr.decode(errors='replace')}")
            if self.waiting["==>"]:
                self.waiting["==>"].popleft().response.put(Response(200, answers.pop(0).encode(), {"Content-Type": FORM}))
                continue
            said = self.waiting["<--"].popleft().json
            if said.get("method") == "signInWasRequested":
                self.send("typed", "handleRedirect", json.dumps({"verifier": "v", "signIn": said["params"]["signIn"]}))
            elif "error" in said:
                raise TranscriptError(f"{self.transcript.file.name}: the sign-in failed: {said['error']['message']}")
            left.discard(said.get("id"))

    def send(self, identifier: str, method: str, params: str) -> None:
        self.peer.send_text(f'{{"jsonrpc":"2.0","id":"{identifier}","method":"{method}","params":{params}}}')

    def hold(self, request: Request) -> Response:
        exchange = Exchange(request)
        self.inbox.put(("==>", exchange))
        return exchange.response.get(timeout=100)

    def release(self) -> None:
        """Closes the connections of unexpected requests, because the server waits for them at its end."""
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
            case "<--" | "<-+" | "==>":
                self.expect([step])
            case "{":
                self.expect(step.members)
            case "$":
                self.act(step)
            case "~":
                self.keep_silence(step)
            case "close":
                self.peer.close_stdin()
            case "kill":
                self.peer.kill(step.text)

    def expect(self, steps: list[Step]) -> None:
        """Expects all of these steps, in any order."""
        steps = list(steps)
        while steps:
            kinds = {self.source(step) for step in steps}
            kind = self.next_kind(kinds, steps[0])
            if kind is None:
                return
            found = self.waiting[kind].popleft()
            candidates = [step for step in steps if self.source(step) == kind]
            step = next((step for step in candidates if self.fits(step, found)), None)
            if step is None:
                step = candidates[0]
                self.mismatch(step, found)
            if kind == "==>":
                found.response.put(self.response(step))
            steps.remove(step)
            if step.kind == "<-+":
                self.skip(step)

    @staticmethod
    def source(step: Step) -> str:
        """Returns the inbox kind that the step waits for."""
        return "<--" if step.kind == "<-+" else step.kind

    def skip(self, step: Step) -> None:
        """Takes the following messages that also fit."""
        while self.next_kind({"<--"}, step) and self.fits(step, self.waiting["<--"][0]):
            self.waiting["<--"].popleft()

    def next_kind(self, kinds: set[str], first: Step) -> str | None:
        """Waits for a message or request of one of these kinds."""
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
        """Moves one item out of the inbox."""
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
        """Compares the item with the step, and binds its placeholders only if the whole item fits."""
        bound = dict(self.bound)
        got = found.line if isinstance(found, Exchange) else self.text(found)
        if step.text == "?" or not template.fits(step.text, got, bound):
            return False
        for header in step.headers:
            name, _, value = header.partition(":")
            if name == "signed-with":
                if not signature.is_signed(found.request, template.fill(value.strip(), bound)):
                    return False
            elif name == "body-signed-with":
                if not signature.is_body_signed(found.request, value.strip()):
                    return False
            elif name == "assertion":
                if not template.fits(value.strip(), id_tokens.assertion(found.request.body.decode()), bound):
                    return False
            elif not template.fits(value.strip(), found.header(name), bound):
                return False
        self.bound.update(bound)
        return True

    def mismatch(self, step: Step, found) -> None:
        got, wanted = found.line if isinstance(found, Exchange) else self.text(found), f"{step.kind} {step.text}"
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
        status, _, text = step.answer.text.partition(" ")
        if status == "drop":
            return Response(500, is_dropped=True)
        body = ast.literal_eval(text) if text.startswith('b"') else self.fill(text).encode()
        headers = {"Content-Type": "application/json" if body[:1] in (b"{", b"[") else "text/plain"} if body else {}
        response = Response(int(status), body, headers)
        for header in step.answer.headers:
            name, _, value = header.partition(":")
            if header.startswith("~"):
                response.pause = int(header[1:]) / 1000
            else:
                value = template.fill(value.strip(), self.bound)
                headers[name] = [headers[name], value] if name in headers and name != "Content-Type" else value
        return response

    def fill(self, text: str) -> str:
        """Returns the provider's response with its placeholders and ID tokens filled in."""
        return id_tokens.fill(template.fill(text, self.bound), self.bound["provider"])

    def act(self, step: Step) -> None:
        """Performs a step outside of the program and the provider."""
        action, _, rest = step.text.partition(" ")
        subject, _, text = rest.partition("  ")
        if action == "get":
            url, _, status = rest.partition(" => ")
            self.get(template.fill(url, self.bound), int(status) if status else None, step.line)
            return
        subject = template.fill(subject, self.bound)
        if action == "write":
            Path(subject).write_text(template.fill(text, self.bound))
        elif action == "file":
            found = Path(subject).read_text() if Path(subject).exists() else "no such file"
            if found != template.fill(text, self.bound):
                raise Mismatch(self.transcript.file, step.line, step.text, found)
        elif action == "is":
            if not template.fits(text, subject, self.bound):
                raise Mismatch(self.transcript.file, step.line, text, subject)
        else:
            raise TranscriptError(f"{self.transcript.file.name}:{step.line}: {step.text}")

    def get(self, url: str, wanted: int | None = None, line: int = 0) -> None:
        def deliver():
            try:
                status = browser.deliver(url).status
            except Exception as error:
                status = f"{error}"
            if wanted is not None and status != wanted:
                self.browser_faults.append(f"line {line}: {url} gave {status}")

        thread = threading.Thread(target=deliver, daemon=True)
        thread.start()
        self.browsers.append(thread)
        if wanted is not None:
            thread.join(self.transcript.timeout)
            if self.browser_faults or thread.is_alive():
                raise Mismatch(self.transcript.file, line, str(wanted), "; ".join(self.browser_faults) or "no answer")

    def keep_silence(self, step: Step) -> None:
        deadline = time.monotonic() + int(step.text) / 1000
        while (left := deadline - time.monotonic()) > 0 and not any(self.waiting.values()):
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
        """Closes the input if it is still open, and checks the remaining messages and the exit status."""
        if not self.peer.process.stdin.closed:
            self.peer.close_stdin()
        status = self.peer.wait()
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

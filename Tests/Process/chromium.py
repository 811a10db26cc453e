"""A headless Chromium, driven through its debugging pipe (messages ending in NUL on descriptors 3 and 4)."""

import json
import os
import select
import subprocess
import time
from pathlib import Path


class Chromium:
    """One browser with one page; a context manager."""

    def __init__(self, profile: Path, language: str = "en"):
        to_browser, self.writer = os.pipe()
        self.reader, from_browser = os.pipe()
        arguments = [
            "chromium",
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--no-proxy-server",
            "--remote-debugging-pipe",
            f"--user-data-dir={profile}",
            f"--lang={language}",
            f"--accept-lang={language}",
        ]
        # The shell moves the pipe's ends to the descriptors that the browser expects.
        shell = f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}'
        self.log = (profile.parent / "chromium.log").open("wb")
        self.process = subprocess.Popen(
            ["bash", "-c", shell, *arguments],
            pass_fds=(to_browser, from_browser),
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
            env={**os.environ, "LANGUAGE": language},
        )
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        target = self.command("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.command("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def command(self, method: str, session: str | None = None, **params) -> dict:
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + 60
        while True:
            answer = self.receive(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self, deadline: float) -> dict:
        while b"\0" not in self.buffer:
            if not select.select([self.reader], [], [], max(0, deadline - time.monotonic()))[0]:
                raise RuntimeError("chromium does not answer")
            chunk = os.read(self.reader, 1 << 16)
            if not chunk:
                raise RuntimeError("chromium has gone")
            self.buffer += chunk
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def open(self, url: str) -> None:
        self.command("Page.navigate", self.session, url=url)

    def evaluate(self, expression: str):
        answer = self.command("Runtime.evaluate", self.session, expression=expression, returnByValue=True)
        return answer["result"].get("value")

    def wait_until(self, expression: str, seconds: float = 60):
        """Returns the expression's value as soon as it is true."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                if value := self.evaluate(expression):
                    return value
            except RuntimeError:
                # The browser is replacing the page.
                if self.process.poll() is not None:
                    raise
            time.sleep(0.05)
        raise AssertionError(f"{expression} stayed false at {self.evaluate('location.href')}: {self.text}")

    @property
    def text(self) -> str:
        return self.evaluate("document.body ? document.body.innerText : ''") or ""

    def __enter__(self) -> "Chromium":
        return self

    def __exit__(self, *arguments) -> None:
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.writer)
        os.close(self.reader)
        self.log.close()

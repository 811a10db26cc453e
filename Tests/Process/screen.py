"""A terminal with a person: runs a program on it, reads what it shows, and types."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time

from rpc import PATIENCE


class Screen:
    """The terminal is so wide that each message has one line, unless a test wants another width."""

    def __init__(self, words: list[str], environment: dict, cwd, columns: int = 1000):
        self.terminal, self.end = pty.openpty()
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        # The program's session has this terminal, so that Ctrl-C reaches it.
        self.process = subprocess.Popen(
            words, stdin=self.end, stdout=self.end, stderr=self.end, env=environment, cwd=cwd, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.shown = ""
        self.seen = 0

    def read(self, seconds: float) -> bool:
        ready = select.select([self.terminal], [], [], seconds)[0]
        if ready:
            self.shown += os.read(self.terminal, 1 << 16).decode(errors="replace").replace("\r\n", "\n")
        return bool(ready)

    def until(self, text: str, seconds: float = PATIENCE) -> str:
        """Waits for the text. Returns what was shown since the last wait."""
        deadline = time.monotonic() + seconds
        while text not in self.shown[self.seen :]:
            assert time.monotonic() < deadline, self.shown
            self.read(0.1)
        place = self.shown.index(text, self.seen) + len(text)
        found, self.seen = self.shown[self.seen : place], place
        return found

    def type(self, text: str) -> None:
        os.write(self.terminal, text.encode())

    def line(self, text: str) -> str:
        """Waits for the line that begins with the text, and returns the line."""
        self.until("\n" + text)
        return text + self.until("\n").strip()

    @property
    def echoes(self) -> bool:
        return bool(termios.tcgetattr(self.terminal)[3] & termios.ECHO)

    def ended(self) -> int:
        """Waits for the end and returns the exit status."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < deadline, self.shown
            self.read(0.05)
        while self.read(0):
            pass
        return self.process.returncode

    def __enter__(self) -> "Screen":
        return self

    def __exit__(self, *arguments) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)
        os.close(self.end)

#!/usr/bin/env python3
"""Writes examples/session.svg: what a terminal shows in the first ten seconds, with the demo provider. Light and dark.

  Tests/session.py PROGRAM     prints the SVG; PROGRAM is oauth-stdio
"""

import html
import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import threading
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COLUMNS, SECONDS = 80, 10
# Pixels.
CHARACTER, LINE, MARGIN = 8.4, 19, 14
# Each command, with the seconds at which it is typed and at which its output is there.
STEPS = [
    ("oauth-stdio login demo", 0.3, 2.6), ("oauth-stdio call demo me | jq .user", 4.2, 5.2), ("oauth-stdio status", 6.0, 6.6),
    ('curl -s -H "$(oauth-stdio header demo $API)" $API | jq .user', 7.8, 9.2),
]


def main() -> None:
    program = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen(
        [ROOT / "examples" / "demo-provider", "--port", "0"], stdout=subprocess.PIPE, text=True
    ) as demo:
        try:
            port = json.loads(demo.stdout.readline())["port"]
            place = Path(folder, ".config", "oauth-stdio")
            place.mkdir(parents=True)
            text = (ROOT / "examples" / "demo.json").read_text().replace("examples/demo-provider --port 8040", "Demo").replace(":8040", f":{port}")
            (place / "config.json").write_text(text)
            Path(folder, "oauth-stdio").symlink_to(program)
            # The person's browser: it presses the button of the page.
            browser = Path(folder, "browser")
            browser.write_text('#!/bin/sh\npage=$(curl -fsS -o /dev/null -w "%{redirect_url}" "$1")\nexec curl -fsSL -o /dev/null "$page&demo_auto=allow"\n')
            browser.chmod(0o755)
            environment = {
                "PATH": f"{folder}:{os.environ['PATH']}", "HOME": folder, "BROWSER": str(browser), "LANG": "C.UTF-8", "TERM": "xterm",
                "COLUMNS": str(COLUMNS), "API": json.loads(text)["accounts"]["demo"]["provider"]["apiBase"] + "me",
            }
            lines = []
            for command, typed, shown in STEPS:
                lines.append((typed, "$ " + command, True))
                output = run(command, environment, folder).replace(f":{port}", ":8040")
                lines += [(shown, line, False) for line in output.splitlines() if line.strip()]
            sys.stdout.write(picture(lines))
        finally:
            demo.kill()


def run(command: str, environment: dict, folder: str) -> str:
    """Returns what a terminal shows."""
    own, other = pty.openpty()
    found: list[bytes] = []

    def read() -> None:
        try:
            while data := os.read(own, 4096):
                found.append(data)
        except OSError:
            pass

    reader = threading.Thread(target=read)
    reader.start()
    status = subprocess.run(["bash", "-c", command], stdin=other, stdout=other, stderr=other, env=environment, cwd=folder, timeout=60).returncode
    os.close(other)
    reader.join()
    os.close(own)
    text = b"".join(found).decode()
    if status != 0:
        raise SystemExit(f"{command}: {status}\n{text}")
    return re.sub(r"\x1b\[[0-9;]*m|\r", "", text)


def picture(lines: list[tuple[float, str, bool]]) -> str:
    rows = []
    for moment, text, is_command in lines:
        for start in range(0, max(1, len(text)), COLUMNS):
            rows.append((moment, text[start : start + COLUMNS], is_command))
    width, height = COLUMNS * CHARACTER + 2 * MARGIN, len(rows) * LINE + 2 * MARGIN
    shown = []
    for number, (moment, text, is_command) in enumerate(rows):
        place = f'x="{MARGIN}" y="{MARGIN + LINE * number + 14}" style="animation-delay:{moment}s"'
        shown.append(f'<text {place}{" class=" + chr(34) + "c" + chr(34) if is_command else ""}>{html.escape(text)}</text>')
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" role="img" xml:space="preserve">
<title>A terminal: oauth-stdio signs in at a demo provider, calls its API, and gives curl a header.</title>
<style>
rect {{ fill: #f6f8fa; stroke: #d0d7de }}
text {{ font: 14px ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace; fill: #1f2328; white-space: pre; opacity: 0;
  animation: show 0.1s linear forwards }}
.c {{ fill: #0550ae; font-weight: bold }}
@keyframes show {{ to {{ opacity: 1 }} }}
@media (prefers-reduced-motion: reduce) {{ text {{ opacity: 1; animation: none }} }}
@media (prefers-color-scheme: dark) {{ rect {{ fill: #0d1117; stroke: #30363d }} text {{ fill: #e6edf3 }} .c {{ fill: #79c0ff }} }}
</style>
<rect width="{width:g}" height="{height:g}" rx="8"/>
{chr(10).join(shown)}
</svg>
"""


main()

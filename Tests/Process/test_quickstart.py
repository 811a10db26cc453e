"""The quickstart works headless and with a browser, and leaves nothing behind, however it ends."""

import os
import re
import signal
import time

import pytest

from ports import reserve_port
from quickstart import Machine, Terminal, check_transcript, program
from rpc import PATIENCE

pytestmark = pytest.mark.ci


@pytest.fixture
def machine(tmp_path) -> Machine:
    return Machine(tmp_path / "machine")


def test_without_a_browser(machine):
    ended = machine.run()
    assert (ended.returncode, ended.stderr) == (0, "")
    check_transcript(ended.stdout)
    assert "no browser here" in ended.stdout and "\x1b" not in ended.stdout


def test_proxies_of_the_environment_do_not_matter(machine):
    """All connections stay on this machine."""
    dead = f"http://127.0.0.1:{reserve_port()}"
    ended = machine.run(http_proxy=dead, https_proxy=dead, all_proxy=dead)
    assert ended.returncode == 0, ended
    check_transcript(ended.stdout)


def test_a_display_without_a_terminal_is_no_browser(machine):
    ended = machine.run(DISPLAY=":0", BROWSER="/bin/true")
    assert ended.returncode == 0 and "no browser here" in ended.stdout


def test_with_a_browser(machine, tmp_path):
    """oauth-stdio opens the page, and the user presses the button."""
    # The address on the browser's command line leads to the page.
    script = """#!/bin/sh
page=$(curl -fsS --noproxy '*' -o /dev/null -w '%{redirect_url}' "$1")
exec curl -fsSL --noproxy '*' -o /dev/null "$page&demo_auto=allow"
"""
    browser = program(tmp_path / "browser", script)
    terminal = Terminal(machine, BROWSER=browser)
    assert terminal.end() == 0, terminal.output
    assert "your browser shows this page" in terminal.output and "no browser here" not in terminal.output
    assert "\x1b[" in terminal.output
    output = re.sub("\x1b\\[[0-9;]*m|\r", "", terminal.output)
    check_transcript(output)
    # Only a value that is longer than the line leaves it.
    long = [line for line in output.splitlines() if line[:4] in ("--> ", "<-- ", "    ") and len(line) > 80]
    assert all(line.count(',"') == 0 for line in long) and '"url":"http' in output
    assert "oauth-stdio login github" in output.splitlines()[-3]
    machine.check_nothing_left()


@pytest.mark.parametrize("environment", [{"BROWSER": ""}, {"BROWSER": "/bin/true", "QUICKSTART_HEADLESS": "1"}])
def test_headless_on_a_terminal(machine, environment):
    terminal = Terminal(machine, DISPLAY=":0", **environment)
    assert terminal.end() == 0, terminal.output
    assert "no browser here" in terminal.output
    machine.check_nothing_left()


@pytest.mark.parametrize("name, status", [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_while_the_page_is_open(machine, name, status):
    terminal = Terminal(machine, BROWSER="/bin/true")
    terminal.wait_for("your browser shows this page")
    # A terminal's Ctrl-C signals the whole group. bash ignores a SIGINT that its foreground command survives.
    send = os.killpg if name == "SIGINT" else os.kill
    send(terminal.process.pid, getattr(signal, name))
    assert terminal.end() == status, terminal.output
    machine.check_nothing_left()


def test_killed_it_leaves_no_process_behind(machine):
    terminal = Terminal(machine, BROWSER="/bin/true")
    terminal.wait_for("your browser shows this page")
    terminal.process.kill()
    terminal.end()
    deadline = time.monotonic() + PATIENCE
    while machine.processes() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert machine.processes() == []

"""`--config` with a pipe, as in bash's `--config <(…)`: it is read once, and nothing is saved in it."""

import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest

from rpc import BINARY
from screen import Screen
from test_login import ID, shell  # noqa: F401, a fixture
from waiting import target, wait_until


def piped(content: dict) -> int:
    """Returns the reading end of a pipe with the configuration."""
    reading, writing = os.pipe()
    os.write(writing, json.dumps(content).encode())
    os.close(writing)
    return reading


def test_a_process_keeps_what_it_read(shell, provider):
    account = {"provider": provider.description, "clientId": "c", "scopes": ["read"]}
    pipe = piped({"accounts": {"a": account, "b": account}})
    messages = [{"jsonrpc": "2.0", "id": number, "method": "accounts"} for number in (1, 2, 3)]
    done = subprocess.run(
        [BINARY, "--store", "memory", "--config", f"/dev/fd/{pipe}"], input="".join(json.dumps(one) + "\n" for one in messages),
        capture_output=True, text=True, timeout=60, env=shell.environment, pass_fds=[pipe])
    os.close(pipe)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [[state["account"] for state in one["result"]["accounts"]] for one in answers] == [["a", "b"]] * 3, done


@pytest.mark.parametrize("form", ["{program} --config <(cat {file}) accounts", "{program} --config /dev/stdin accounts < <(cat {file})"])
def test_what_a_shell_passes(shell, form):
    file = shell.home / "any"
    file.write_text(json.dumps({"accounts": {"a": {"provider": "github"}}}))
    line = form.format(program=shlex.join(shell.words()), file=file)
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60, env=shell.environment, cwd=shell.home)
    assert [state["account"] for state in json.loads(done.stdout)["accounts"]] == ["a"], done


def test_a_pipe_that_no_program_writes_yet(shell):
    pipe = shell.home / "pipe"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [*shell.words(), "--config", pipe, "accounts"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=shell.environment, cwd=shell.home)
    wait_until(lambda: any(link.name.isdigit() and target(link) == str(pipe) for link in Path(f"/proc/{process.pid}/fd").iterdir()))
    pipe.write_text(json.dumps({"accounts": {"a": {"provider": "github"}}}))
    shown, said = process.communicate(timeout=60)
    assert [state["account"] for state in json.loads(shown)["accounts"]] == ["a"], said


def test_login_saves_nothing(shell, provider):
    description = {**provider.description, "name": "Example"}
    file = shell.home / "any"
    file.write_text(json.dumps({"accounts": {"work": {"provider": description, "scopes": ["read"]}}}))
    words = shlex.join(shell.words("login", "work", "--openBrowser=false")[1:])
    line = f"exec {BINARY} --config <(cat {file}) {words}"
    with Screen(["bash", "-c", line], shell.environment, shell.home) as screen:
        screen.until("Client ID: ")
        screen.type(ID + "\n")
        screen.until("(Enter if there is none): ")
        screen.type("\n")
        screen.until("The client is not saved, because the configuration is a pipe.\n")
        provider.approve(screen.line("http"))
        assert screen.ended() == 0, screen.shown
    assert "Save the client" not in screen.shown and not (shell.home / "config/oauth-stdio").exists()


def test_setup_needs_a_file(shell):
    pipe = piped({"accounts": {}})
    done = subprocess.run(
        shell.words("--config", f"/dev/fd/{pipe}", "setup", "git", "git.example"), capture_output=True, text=True, timeout=60,
        env=shell.environment, cwd=shell.home, pass_fds=[pipe])
    os.close(pipe)
    assert done.returncode == 2 and "no pipe" in done.stderr, done

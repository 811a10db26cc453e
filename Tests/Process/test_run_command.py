"""`oauth-stdio run`: a command with a door of its own, by which it uses accounts without their tokens."""

import json
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from door import log_in, service, shell, user  # noqa: F401, fixtures
from rpc import PATIENCE
from screen import Screen
from waiting import Hold, wait_until


@pytest.mark.parametrize("line, status", [("exit 7", 7), ("kill -TERM $$", 143), ("kill -KILL $$", 137)])
def test_the_status_is_that_of_the_command(user, line, status):
    assert user.run("run", "me", "--", "sh", "-c", line, status=status).stderr == ""


def test_the_status_under_a_parent_that_ignores_the_end_of_children(user):
    words = user.words("run", "me", "--", "sh", "-c", "exit 7")
    done = subprocess.run(words, env=user.environment, timeout=PATIENCE, preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    assert done.returncode == 7


def test_a_command_that_does_not_exist(user):
    assert "no-such-command" in user.run("run", "me", "--", "no-such-command", status=127).stderr


WAITING = (
    "import signal, sys\nsignals = {signal.SIGTERM, signal.SIGHUP}\nsignal.pthread_sigmask(signal.SIG_BLOCK, signals)\nprint('ready', flush=True)\n"
    "print(int(signal.sigwait(signals)))\nsys.exit(9)\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_goes_on_to_the_command(user, number):
    process = user.start("run", "me", "--", sys.executable, "-c", WAITING)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    assert process.communicate(timeout=PATIENCE) == (f"{int(number)}\n", "") and process.returncode == 9


def test_the_command_has_the_terminal(user, service):
    """A command that stays at Ctrl-C has its door still."""
    script = (
        # A Ctrl-C just before `read` blocks would wait for a line.
        'trap "echo caught; caught=1" INT; echo ready; until [ "$caught" ]; do sleep 0.05; done; read -r line </dev/tty; echo "got $line"; '
        'curl -sS -H "X-Api-Key: $OAUTH_STDIO_SECRET" "$OAUTH_STDIO_URL/x"; trap - INT; echo waits; exec sleep 100')
    with Screen(user.words("run", "me", "--", "sh", "-c", script), user.environment, user.home) as screen:
        screen.until("ready")
        screen.type("\x03")
        screen.until("caught")
        screen.type("text\n")
        screen.until("got text")
        screen.until(service.word)
        screen.until("waits")
        screen.type("\x03")
        assert screen.ended() == 130


def test_a_login_that_is_missing_is_named_before_the_command_starts(shell, service):
    config = shell.home / "config.json"
    config.write_text(json.dumps({"accounts": {"work": {"provider": service.description, "clientId": "c"}}}))
    done = shell.run("--config", config, "run", "work", "--", "touch", "started", status=3)
    assert re.search(r" oauth-stdio .* login work$", done.stderr, re.MULTILINE), done.stderr
    assert not (shell.home / "started").exists() and not service.requests


def test_the_command_starts_as_from_a_shell(user):
    """It has the three descriptors and the signals of any command, and none of the secrets that the configuration names."""
    config = user.home / "config.json"
    config.write_text(json.dumps({"accounts": {"b": {"provider": "github", "clientId": "c", "clientSecret": {"env": "SECRET_OF_B"}}}}))
    user.environment |= {"SECRET_OF_B": "s3cret", "OWN": "kept"}
    line = "ls /proc/$$/fd; sed -En 's/^Sig(Blk|Ign):.//p' /proc/self/status; cat; env"
    done = user.run("--config", config, "run", "me", "--", "sh", "-c", line, text="typed\n")
    first, second, third, blocked, ignored, typed, *environment = done.stdout.splitlines()
    assert (first, second, third, typed) == ("0", "1", "2", "typed"), done
    # glibc has two signals of its own, 32 and 33.
    assert int(blocked, 16) == 0 and int(ignored, 16) & 0x7FFFFFFF == 0
    assert "OWN=kept" in environment and "s3cret" not in done.stdout and done.stderr == ""


def test_a_client_that_is_an_account_itself_needs_no_login(shell, service):
    config = shell.home / "config.json"
    account = {"provider": service.description, "clientId": "c", "clientSecret": {"env": "S"}, "flow": "clientCredentials"}
    config.write_text(json.dumps({"accounts": {"robot": account}}))
    shell.environment["S"] = "s3cret"
    line = 'curl -sSf -H "Authorization: Bearer $OAUTH_STDIO_SECRET" "$OAUTH_STDIO_URL/x"; echo "$S"'
    assert shell.run("--config", config, "run", "robot", "--", "sh", "-c", line).stdout.endswith("}\n")
    assert len(service.passed) == 1 and service.rejected == 0


def test_a_refresh_is_not_lost_at_the_end_of_the_command(user, service):
    ask = 'curl -sS -H "X-Api-Key: $OAUTH_STDIO_SECRET" "$OAUTH_STDIO_URL/x"'
    service.living = {"another"}
    service.instead["/token"] = hold = Hold()
    process = user.start("run", "me", "--", "sh", "-c", f"{ask} >/dev/null 2>&1 & read -r line; echo ends; kill $!", stdin=subprocess.PIPE)
    hold.wait()
    process.stdin.write("\n")
    process.stdin.flush()
    assert process.stdout.readline() == "ends\n"
    wait_until(lambda: not Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text())
    hold.release()
    assert process.wait(PATIENCE) == 0
    assert service.word in user.run("run", "me", "--", "sh", "-c", ask).stdout
    assert sum(request.path == "/token" for request in service.requests) == 1


def test_several_accounts(shell, service):
    """Each has an address. The secret and the door end with the command."""
    tokens = [log_in(shell, service, name) for name in ("a", "b c/d")]
    line = 'for url in "$OAUTH_STDIO_URL" "$OTHER"; do curl -sSf -H "PRIVATE-TOKEN: $OAUTH_STDIO_SECRET" "$url/x" >/dev/null; echo "$url"; done; echo "$TEXT"'
    env = ["--env", "OTHER={url:b c/d}", "--env", "TEXT={url} <{secret}>"]
    first, second, text = shell.run("run", "a", "b c/d", *env, "--", "sh", "-c", line).stdout.splitlines()
    port, secret = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/a <([\w-]{43})>", text).groups()
    assert (first, second) == (f"http://127.0.0.1:{port}/a", f"http://127.0.0.1:{port}/b%20c%2Fd")
    assert [request.headers["Authorization"] for request in service.passed] == [f"Bearer {token}" for token in tokens]
    service.check(secret)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", int(port)))


def test_without_a_name_the_only_account_is_meant(user, service):
    assert user.run("run", "--", "sh", "-c", "echo $OAUTH_STDIO_URL").stdout.endswith("/me\n")
    log_in(user, service, "other")
    assert "me, other" in user.run("run", "--", "true", status=2).stderr
    assert user.run("--accounts", "other", "run", "--", "sh", "-c", "echo $OAUTH_STDIO_URL").stdout.endswith("/other\n")


@pytest.mark.parametrize("words, problem", [
    (["run", "me"], "--"),
    (["run", "me", "--"], "--"),
    (["run", "me", "--env", "X", "--", "true"], "NAME=TEXT"),
    (["run", "me", "--env", "X={url:you}", "--", "true"], "{url:you}"),
    (["http", "me"], "--listen"),
    (["http", "me", "--listen", "127.0.0.1:0", "--listen", "unix:door"], "one --listen"),
    (["http", "me", "--listen", "unix:door", "--socket-mode", "0666"], "--secret-file"),
    (["http", "me", "--listen", "0.0.0.0:0"], "127.0.0.1"),
    (["http", "me", "--listen", "127.0.0.1:0"], "--secret-file"),
    (["http", "me", "--listen", "unix:door", "--socket-mode", "0777"], "--socket-mode"),
])
def test_wrong_usage(user, words, problem):
    assert problem in user.run(*words, status=2).stderr


@pytest.mark.parametrize("words, status, problem", [
    (["--accounts", "you", "run", "me", "--", "true"], 4, "the client may use you only"),
    (["--allow", "accounts", "run", "me", "--", "true"], 4, "may not call callAPI"),
    (["--allow", "accounts", "http", "--listen", "127.0.0.1:0", "--secret-file", "secret"], 4, "may not call callAPI"),
    (["http", "mee", "--listen", "127.0.0.1:0", "--secret-file", "secret"], 3, "there is no account mee"),
])
def test_an_account_that_cannot_be_used(user, words, status, problem):
    assert problem in user.run(*words, status=status).stderr


@pytest.mark.parametrize("own, expected", [
    ({}, ["127.0.0.1", "127.0.0.1"]), ({"no_proxy": "a.example"}, ["a.example,127.0.0.1"] * 2),
    ({"no_proxy": "a.example", "NO_PROXY": "b.example"}, ["a.example,127.0.0.1", "b.example,127.0.0.1"])])
def test_a_proxy_does_not_get_the_secret(user, own, expected):
    """curl reads the first of the variables first, Go's library the second."""
    user.environment |= {"http_proxy": "http://127.0.0.1:9", **own}
    script = 'echo "$no_proxy $NO_PROXY"; curl -sS -o /dev/null -w "%{http_code}" "$OAUTH_STDIO_URL/x"'
    assert user.run("run", "me", "--", "sh", "-c", script).stdout == f"{expected[0]} {expected[1]}\n401"


def test_a_profile_names_the_account(user):
    folder = user.home / "config" / "oauth-stdio"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"profiles": {"agent": {"accounts": ["me"], "allow": ["callAPI"]}}}))
    assert user.run("run", "--profile", "agent", "--", "sh", "-c", "echo ${OAUTH_STDIO_URL##*/}").stdout == "me\n"

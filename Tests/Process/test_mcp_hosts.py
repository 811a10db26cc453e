"""MCP servers that are their own authorization servers, and hosts that start the bridge to them while signed out. All are real, from PyPI."""

import asyncio
import json
import os
import re
import subprocess
import threading
import urllib.request
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

import browser
from conftest import SERVERS, run_server
from ports import reserve_port
from rpc import BINARY, PATIENCE, ROOT
from test_command_line import Shell
from waiting import wait_until

pytestmark = pytest.mark.ci

# The environments of Tests/install.sh: no host of the one works with the other's SDK.
MCP1, MCP2 = (str(ROOT / ".build-tests" / name / "bin" / "python") for name in ("mcp1", "mcp2"))
HOSTS = {"langchain": MCP1, "smolagents": MCP1, "openai-agents": MCP2, "pydantic-ai": MCP2, "fastmcp": MCP2}
ECHOED = {"tools": ["echo"], "text": "hello"}


class LoginServer:
    """The server behind the bridge. `seen` is what has arrived since the test's start."""

    def __init__(self, url: str):
        self.url, self.mcp = url, url + "/mcp"
        self.before: list[str] = []

    def control(self, path: str) -> dict:
        with urllib.request.urlopen(urllib.request.Request(self.url + path), timeout=PATIENCE) as answer:
            return json.load(answer)

    def seen(self) -> dict:
        """Returns how many pages were shown, and how many clients and tokens the bridge asked for."""
        new = self.control("/seen")["requests"][len(self.before) :]
        return {name: new.count(request) for name, request in (("pages", "GET /authorize"), ("clients", "POST /register"), ("tokens", "POST /token"))}

    def bridges(self) -> list[int]:
        """Returns the processes of bridges to this server."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                words = (folder / "cmdline").read_bytes().decode().split("\0")
            except OSError:
                continue
            if words[0] == BINARY and self.mcp in words:
                found.append(int(folder.name))
        return found


ONE_SIGN_IN = {"pages": 1, "clients": 1, "tokens": 1}


def run_login_server(kind: str, folder: Path):
    port = reserve_port()
    for _ in run_server([MCP2, str(SERVERS / "hosts" / "server.py"), kind, str(port)], port, folder):
        yield LoginServer(f"http://127.0.0.1:{port}")


@pytest.fixture(scope="module")
def sdk(tmp_path_factory):
    yield from run_login_server("sdk", tmp_path_factory.mktemp("sdk"))


@pytest.fixture(scope="module")
def fastmcp(tmp_path_factory):
    yield from run_login_server("fastmcp", tmp_path_factory.mktemp("fastmcp"))


@pytest.fixture
def server(request):
    """The server of the parameter, by default the SDK's."""
    running = request.getfixturevalue(getattr(request, "param", "sdk"))
    running.before = running.control("/seen")["requests"]
    return running


class Person:
    """A user whose browser loads each page at once. The user approves the first one when some seconds went by or the test lets it happen."""

    def __init__(self, home: Path, seconds: float | None, has_browser: bool):
        self.seconds, self.log, self.environment = seconds, home / "host.log", {}
        if has_browser:
            self.log = home / "browser.log"
            script = home / "browser"
            script.write_text(f'#!/bin/sh\necho "$1" >> "{self.log}"\n')
            script.chmod(0o755)
            self.environment = {"BROWSER": str(script)}
        self.approves, self.is_gone = threading.Event(), threading.Event()
        threading.Thread(target=self.watch, daemon=True).start()

    @property
    def opened(self) -> list[str]:
        """The addresses that the browser was started with, or those that the bridge wrote where the host's log is."""
        return re.findall(r"^(?:.* open )?(http\S+).*\n", self.log.read_text(), re.MULTILINE) if self.log.exists() else []

    def watch(self) -> None:
        loaded = 0
        while not self.is_gone.wait(0.01):
            for address in self.opened[loaded:]:
                loaded += 1
                try:
                    page = address if "response_type=" in address else browser.Browser().get(address).location
                    redirect = browser.Browser().sign_in(page)
                except OSError:
                    # The test sees that the page was not shown.
                    continue
                if loaded == 1:
                    threading.Thread(target=self.approve, args=(redirect,), daemon=True).start()

    def approve(self, redirect: str) -> None:
        self.approves.wait(self.seconds)
        while not self.is_gone.wait(0.1):
            try:
                browser.deliver(redirect)
                return
            except OSError:
                # The browser shows that no process listens, and the user reloads.
                continue


@pytest.fixture
def person(home):
    """Returns `person(seconds)`; None waits for `approves`."""
    home.mkdir()
    people = []

    def new(seconds: float | None = None, has_browser: bool = True) -> Person:
        people.append(Person(home, seconds, has_browser))
        return people[-1]

    yield new
    for each in people:
        each.is_gone.set()
        each.approves.set()


# Servers


@pytest.mark.parametrize("server", ["sdk", "fastmcp"], indirect=True)
def test_a_server_with_a_login_of_its_own(server, person, home):
    """It takes a client's ID from the form alone, and lists two ways of sending the secret."""
    user, shell = person(0), Shell(home)
    shell.environment |= user.environment

    def call() -> str:
        return shell.run("mcp", server.mcp, "--call", "echo", '{"text": "hello"}').stdout

    shell.run("login", server.mcp)
    assert call() == "hello\n" and server.seen() == ONE_SIGN_IN
    server.control("/forget")
    assert call() == "hello\n" and server.seen() == {**ONE_SIGN_IN, "tokens": 2}
    shell.run("logout", server.mcp)
    assert server.mcp.removeprefix("http://") not in shell.run("status").stdout
    assert server.control("/seen")["refresh_tokens"] == 0


@pytest.mark.parametrize(("mode", "version"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
@pytest.mark.parametrize("server", ["sdk", "fastmcp"], indirect=True)
def test_a_server_with_a_login_in_each_era(server, person, home, mode, version):
    """The host is the official SDK. The first start signs in, and the next one knows what the server speaks."""
    user = person(0)
    command = StdioServerParameters(command=BINARY, args=["mcp", server.mcp], env={"HOME": str(home), **user.environment})

    async def run() -> tuple:
        async with Client(command, mode=mode) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            return client.protocol_version, {"tools": tools, "text": (await client.call_tool("echo", {"text": "hello"})).content[0].text}

    assert asyncio.run(run())[1] == ECHOED
    assert asyncio.run(run()) == (version, ECHOED)
    assert server.seen() == ONE_SIGN_IN and len(user.opened) == 1


# Hosts


class Host:
    """A program that starts the bridge as a host does, as often as it is told."""

    def __init__(self, name: str):
        environment = {name: value for name, value in os.environ.items() if name in ("PATH", "TERM", "USER")}
        self.process = subprocess.Popen(
            [HOSTS[name], str(SERVERS / "hosts" / "host.py"), name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True)
        self.answers: dict[int, dict] = {}
        self.count = 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        for line in self.process.stdout:
            answer = json.loads(line)
            self.answers[answer.pop("id")] = answer

    def start(self, home: Path, server: LoginServer, user: Person, *words, **more) -> int:
        """Lets it start `oauth-stdio mcp URL`. Hosts pass HOME, PATH and four other variables on, so its entry of the server names the browser."""
        self.count += 1
        entry = {"command": BINARY, "args": ["mcp", server.mcp, *words], **({"env": user.environment} if user.environment else {})}
        self.process.stdin.write(json.dumps({"id": self.count, "home": str(home), "server": entry, **more}) + "\n")
        self.process.stdin.flush()
        return self.count

    def answer(self, number: int) -> dict:
        """Returns what a start has come to."""
        wait_until(lambda: number in self.answers or self.process.poll() is not None, 2 * PATIENCE)
        return self.answers[number]

    def check(self, number: int) -> None:
        """Checks that a start has listed and called the tool."""
        answer = self.answer(number)
        assert "error" not in answer, answer["error"]
        assert answer == ECHOED

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture(scope="module")
def hosts():
    running: dict[str, Host] = {}

    def host(name: str) -> Host:
        if name not in running:
            running[name] = Host(name)
        return running[name]

    yield host
    for each in running.values():
        each.end()


@pytest.fixture(params=HOSTS)
def host(request, hosts):
    return hosts(request.param)


@pytest.mark.parametrize("has_browser", [True, False], ids=["with a browser", "without one"])
def test_the_first_start_waits_for_the_user(host, server, person, home, has_browser):
    """Without an entry for them, hosts drop DISPLAY and BROWSER. The address is where the host shows what its servers log."""
    user = person(2, has_browser)
    host.check(host.start(home, server, user))
    assert server.seen() == ONE_SIGN_IN and len(user.opened) == 1


def test_the_next_start_goes_on_with_the_page(request, host, server, person, home):
    """The starts before it give up while the user is still reading: smolagents after the 25 s for lists, openai-agents after its own 5 s."""
    user = person()
    is_default = request.node.callspec.params["host"] in ("openai-agents", "smolagents")
    for words in [[]] if is_default else [["--wait", "1"]] * 3:
        assert "error" in host.answer(host.start(home, server, user, *words))
        wait_until(lambda: not server.bridges())
    user.approves.set()
    host.check(host.start(home, server, user))
    assert server.seen() == ONE_SIGN_IN and len(user.opened) == 1


def test_five_starts_show_one_page(host, server, person, home):
    user = person()
    starts = [host.start(home, server, user) for _ in range(5)]
    wait_until(lambda: len(server.bridges()) == 5 or any(start in host.answers for start in starts))
    user.approves.set()
    for start in starts:
        host.check(start)
    assert server.seen() == ONE_SIGN_IN and len(user.opened) == 1


def test_a_host_that_gives_few_seconds_can_be_told_to_wait(hosts, server, person, home):
    """As examples/mcp.md says of openai-agents, which gives five."""
    user, host = person(7), hosts("openai-agents")
    host.check(host.start(home, server, user, seconds=60))
    assert server.seen() == ONE_SIGN_IN and len(user.opened) == 1

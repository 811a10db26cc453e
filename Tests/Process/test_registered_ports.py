"""A provider that redirects to one registered port: every sign-in is finished there, of one process or of several."""

import contextlib
import hashlib
import json
import os
import signal
import socket
import stat
import subprocess
import sys

import pytest

import browser
from ports import reserve_port
from rpc import BINARY
from signing_in import redirect
from test_command_line import Shell
from waiting import wait_until

STORES = pytest.mark.parametrize("store", [None, "memory"], ids=["folder", "memory"])


@pytest.fixture
def port():
    return reserve_port()


def begin(peer, provider, port: int, account: str, host: str = "127.0.0.1", path: str = "/callback") -> tuple[object, str]:
    identifier = peer.send("authorize", provider.parameters(account=account, redirectUri=f"http://{host}:{port}{path}"))
    return identifier, peer.event("signInWasRequested", request=identifier)["url"]


def finish(peer, provider, begun, form: bool = False) -> None:
    """Approves as the user. The browser keeps the method and the form if it is sent elsewhere."""
    identifier, url = begun
    target = redirect(url, code=provider.secret())
    if form:
        target, _, query = target.partition("?")
        fields = browser.query("?" + query)
        page = browser.Browser().request("POST", target, fields)
        assert page.status == 307
        page = browser.Browser().request("POST", page.location, fields)
    else:
        page = browser.deliver(target)
    assert page.status == 200 and "You are signed in to" in page.text
    assert peer.result(identifier)["via"] == "signedIn"


def is_served(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def options(store) -> list[str]:
    return ["--store", store] if store else []


def notes(folder) -> list:
    return sorted(folder.glob("*.note"))


@pytest.mark.parametrize("other", [("127.0.0.1", "/callback"), ("127.0.0.1", "/other"), ("localhost", "/callback"), ("localhost", "")])
def test_the_accounts_of_one_process(peer, provider, port, other):
    host, path = other
    first, second = begin(peer, provider, port, "a"), begin(peer, provider, port, "b", host, path)
    assert [browser.query(url)["redirect_uri"] for _, url in (first, second)] == [f"http://127.0.0.1:{port}/callback", f"http://{host}:{port}{path}"]
    finish(peer, provider, second)
    finish(peer, provider, first)
    finish(peer, provider, begin(peer, provider, port, "c"))


def test_a_redirect_to_another_uri_of_the_port_is_rejected(peer, start, provider, port):
    """Otherwise one provider's page could end a sign-in at another provider (RFC 9700, 4.4)."""
    other = start()
    begun = [begin(peer, provider, port, "a", path="/a"), begin(peer, provider, port, "b", path="/b"), begin(other, provider, port, "c", path="/c")]
    for _, url in begun:
        wrong = redirect(url, code="stolen").replace(browser.query(url)["redirect_uri"], f"http://127.0.0.1:{port}/d")
        for target in (wrong, wrong.replace("/d?", "/b?" if begun[1][1] != url else "/a?"), redirect(url, code="stolen").replace("127.0.0.1", "localhost")):
            assert browser.Browser().get(target).status == 404
    assert not provider.requests
    for process, each in zip((peer, peer, other), begun):
        finish(process, provider, each)


def test_a_redirect_of_thousands_of_parameters_is_not_looked_up(peer, start, provider, port):
    """Each would cost the look-up of a file, and any web page can send such a redirect."""
    other = start()
    begin(peer, provider, port, "a")
    begun = begin(other, provider, port, "b")
    address, _, query = redirect(begun[1], code="x").partition("?")
    assert browser.Browser().get(f"{address}?{'a&' * 2000}{query}").status == 404
    finish(other, provider, begun)


@pytest.mark.parametrize("form", [False, True], ids=["query", "form"])
def test_a_forwarded_browser_is_sent_to_no_other_port(peer, start, provider, port, form):
    """The process that listens brings the redirect to the other one, whose page it returns."""
    other = start()
    begin(peer, provider, port, "a")
    identifier, url = begin(other, provider, port, "b")
    address, _, query = redirect(url, code=provider.secret()).partition("?")
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        length = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(query)}\r\n"
        request = f"POST /callback HTTP/1.1\r\n{length}" if form else f"GET /callback?{query} HTTP/1.1\r\n"
        connection.sendall(f"{request}Host: box.example\r\nAccept-Language: de\r\n\r\n{query if form else ''}".encode())
        head, _, page = b"".join(iter(lambda: connection.recv(1 << 16), b"")).decode().partition("\r\n\r\n")
    assert head.startswith("HTTP/1.1 200 ") and "Content-Language: de\r\n" in head and "box.example" not in head + page
    assert 'lang="de"' in page and other.result(identifier)["via"] == "signedIn"


@STORES
@pytest.mark.parametrize("form", [False, True], ids=["query", "form"])
def test_three_processes_at_once(start, provider, port, store, form):
    peers = [start(*options(store)) for _ in range(3)]
    begun = [begin(peer, provider, port, name) for peer, name in zip(peers, "abc")]
    assert {browser.query(url)["redirect_uri"] for _, url in begun} == {f"http://127.0.0.1:{port}/callback"}
    for index in (2, 1):
        finish(peers[index], provider, begun[index], form)
    finish(peers[0], provider, begun[0])
    # The listener of an ended sign-in is not needed for the next one.
    finish(peers[1], provider, begin(peers[1], provider, port, "d"))


class Login:
    """`login` in a shell of its own."""

    def __init__(self, shell: Shell, provider, port: int, account: str, store):
        description = {**provider.description, "redirectPolicy": "pinnedPort", "redirectPorts": [port]}
        words = ["login", account, "--provider", json.dumps(description), "--clientId", "c", "--scopes", "read", "--openBrowser=false"]
        command = [BINARY, "--store", store or str(shell.home / "store"), *words]
        self.process = subprocess.Popen(command, env=shell.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.url = next(line for line in self.process.stderr if line.startswith("http")).strip()

    def ended(self) -> int:
        self.process.communicate(timeout=60)
        return self.process.returncode


@STORES
@pytest.mark.parametrize("end", ["finished", "killed", "interrupted", "waiting"])
def test_logins_in_two_shells(home, provider, port, store, end):
    shell = Shell(home)
    first, second = Login(shell, provider, port, "a", store), Login(shell, provider, port, "b", store)
    if end == "finished":
        provider.approve(first.url)
        assert first.ended() == 0
    elif end != "waiting":
        first.process.send_signal(signal.SIGKILL if end == "killed" else signal.SIGINT)
        assert first.ended() != 0
    # The second process tries again and again to listen.
    wait_until(lambda: is_served(port))
    assert browser.deliver(redirect(second.url, code=provider.secret())).status == 200
    assert second.ended() == 0
    if end == "waiting":
        provider.approve(first.url)
        assert first.ended() == 0


def test_a_note_counts_as_long_as_its_process_lives(peer, start, provider, port, home):
    """A port that another program may have by now gets no code. No file has the state, and no other user can read one."""
    other = start()
    (_, _), (_, url) = begin(peer, provider, port, "a"), begin(other, provider, port, "b")
    folder = home / "data/oauth-stdio/redirects"
    state = browser.query(url)["state"]
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700 and len(notes(folder)) == 3
    for note in notes(folder):
        assert stat.S_IMODE(note.stat().st_mode) == 0o600 and state not in note.name + note.read_text()
    target = browser.Browser().get(redirect(url, code="x")).location
    assert target.endswith("/callback?" + redirect(url, code="x").partition("?")[2]) and f":{port}/" not in target
    other.kill("KILL")
    other.process.wait()
    page = browser.Browser().get(redirect(url, code="x"))
    assert page.status == 404 and page.location is None
    assert len(notes(folder)) == 2


def test_a_planted_note_is_not_followed(peer, provider, port, home):
    """A file without a living process, such as one from a backup, is none."""
    _, url = begin(peer, provider, port, "a")
    folder = home / "data/oauth-stdio/redirects"
    before = {note.name for note in notes(folder)}
    for number in range(3):
        (folder / (hashlib.sha256(str(number).encode()).hexdigest() + ".note")).write_text("http://127.0.0.1:1")
        os.utime(folder / (hashlib.sha256(str(number).encode()).hexdigest() + ".note"), (1, 1))
    assert browser.Browser().get(redirect(url, code="x", state="2")).status == 404
    # The next sign-in removes them.
    begin(peer, provider, port, "b")
    assert len(notes(folder)) == len(before) + 1


def test_processes_with_and_without_a_runtime_folder(start, provider, port, tmp_path):
    """A shell has XDG_RUNTIME_DIR. A host that starts an MCP server or plug-in with few variables leaves it out."""
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    peers = [start(environment={"XDG_RUNTIME_DIR": str(runtime)}), start()]
    begun = [begin(peer, provider, port, account) for peer, account in zip(peers, "ab")]
    for peer, each in reversed(list(zip(peers, begun))):
        finish(peer, provider, each)


def test_without_a_folder_one_process_serves_its_sign_ins(start, provider, port, home):
    home.mkdir()
    (home / "data").write_text("not a folder")
    peer = start("--store", "memory")
    begun = [begin(peer, provider, port, account) for account in "ab"]
    for each in reversed(begun):
        finish(peer, provider, each)
    # Another process cannot tell who has the port.
    begin(peer, provider, port, "c")
    other = start("--store", "memory")
    answer = other.answer(other.send("authorize", provider.parameters(redirectUri=f"http://127.0.0.1:{port}/callback")))
    assert answer["error"]["data"]["kind"] == "portInUse"


def test_another_users_redirect_is_not_forwarded(peer, start, provider, port):
    if os.geteuid() != 0 or not sys.platform.startswith("linux"):
        pytest.skip("becomes another user, and looks owners up as Linux has them")
    other = start()
    begin(peer, provider, port, "a")
    begun = begin(other, provider, port, "b")
    script = "import sys, urllib.request\ntry: urllib.request.build_opener(urllib.request.ProxyHandler({})).open(sys.argv[1])\nexcept OSError as error: print(error)"
    done = subprocess.run(
        [sys.executable, "-c", script, redirect(begun[1], code="x")], capture_output=True, text=True, user=12345, group=12345, extra_groups=[], cwd="/")
    assert "HTTP Error" not in done.stdout and done.stdout and not provider.requests
    finish(other, provider, begun)


def test_a_foreign_program_is_named_as_one(home, provider):
    """On either address of localhost: the browser may try that one first."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        for host in ("127.0.0.1", "localhost"):
            description = json.dumps(provider.description)
            said = Shell(home).message(
                "login", "a", "--provider", description, "--clientId", "c", "--openBrowser=false", "--redirectUri", f"http://{host}:{port}/callback", status=1)
            assert said == (
                f"oauth-stdio: another program uses the port {port} of the redirect URI. "
                "End that program, or take another port for the redirect URI or for listen\n")
    assert notes(home / "data/oauth-stdio/redirects") == []


def test_a_foreign_program_that_took_the_port_meanwhile_is_named(start, provider, port):
    """The process waited for another of the user's. Its next sign-in must not send the browser to the foreign program."""
    first, second = start(), start()
    begin(first, provider, port, "a")
    waiting = begin(second, provider, port, "b")
    second.kill("STOP")
    first.kill("KILL")
    first.process.wait()
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", port))
        taken.listen()
        second.kill("CONT")
        answer = second.answer(second.send("authorize", provider.parameters(account="c", redirectUri=f"http://127.0.0.1:{port}/callback")))
        assert answer["error"]["data"]["kind"] == "portInUse"
    wait_until(lambda: is_served(port))
    finish(second, provider, waiting)
    finish(second, provider, begin(second, provider, port, "c"))

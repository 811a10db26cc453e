"""The VS Code extension with the real program and real HTTP, in a host that the compiler compares with VS Code's declarations."""

import json
import os
import re
import signal
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

import browser
from example_user import Home, visit
from provider import Response
from rpc import BINARY, PATIENCE, ROOT, Peer
from signing_in import TokenProvider, authorize, redirect
from vscode_host import EXTENSION, Compiled, Host, HostFault

pytestmark = pytest.mark.ci

MANIFEST = json.loads((EXTENSION / "package.json").read_text())


@pytest.fixture(scope="module")
def compiled(tmp_path_factory) -> Compiled:
    return Compiled(tmp_path_factory.mktemp("vscode"))


class User(Home):
    """A home with several accounts, whose store the host shares with the test's own processes."""

    def __init__(self, folder: Path):
        super().__init__(folder)
        self.has_browser_started = folder / "browser"
        starter = folder / "start-browser"
        starter.write_text(f"#!/bin/sh\n: >{self.has_browser_started}\n")
        starter.chmod(0o755)
        self.environment["BROWSER"] = str(starter)

    def configure(self, provider: dict, *names: str, **account) -> None:
        account = {"provider": provider, "clientId": "demo", "scopes": ["read"], **account}
        self.configuration.write_text(json.dumps({"accounts": {name: account for name in names or ["demo"]}}))

    @property
    def settings(self) -> dict:
        arguments = ["--config", str(self.configuration), "--store", str(self.folder / "store")]
        return {"oauth-stdio.program": BINARY, "oauth-stdio.arguments": arguments}


@pytest.fixture
def user(home, demo):
    user = User(home)
    user.configure(demo.provider)
    yield user
    assert not user.has_browser_started.exists(), "the program opened the page itself"


@pytest.fixture
def open_host(user, compiled):
    """Returns a function that starts a host and waits for the extension's activation."""
    hosts = []

    def new(settings=None, **world) -> Host:
        host = Host(compiled, user, {**user.settings, **(settings or {})}, **world)
        hosts.append(host)
        host.take(registered="oauth-stdio")
        return host

    yield new
    for host in hosts:
        host.__exit__()


@pytest.fixture
def host(open_host) -> Host:
    return open_host()


def sign_in(host: Host, scopes=("read",), account=None, user=visit) -> dict:
    """Creates a session: opens the page, and approves as the user."""
    options = {"account": {"id": account, "label": account}} if account else {}
    creation = host.start("createSession", list(scopes), options)
    page = host.shows("page")
    host.answer(page, True)
    user(page["url"])
    return host.result(creation)


def names(sessions: list[dict]) -> list[str]:
    return [session["id"] for session in sessions]


def other_process(start, user: User) -> Peer:
    return start("--config", user.configuration)


# The package


def test_the_extension_and_the_host_compile(compiled):
    assert compiled.complaints == []


def test_the_package_is_consistent(compiled, host):
    contributed = MANIFEST["contributes"]
    commands = [command["command"] for command in contributed["commands"]]
    activated = next(line for line in [host.take()] if "activated" in line)
    assert sorted(activated["activated"]) == sorted(commands)
    assert [f"{command['category']}: {command['title']}" for command in contributed["commands"]] == ["OAuth: Sign In", "OAuth: Sign Out"]
    (declared,) = contributed["authentication"]
    assert declared == {"id": "oauth-stdio", "label": "OAuth"}
    expected = [f"onAuthenticationRequest:{declared['id']}", *(f"onCommand:{command}" for command in commands)]
    assert MANIFEST["activationEvents"] == expected
    assert (compiled.extension / MANIFEST["main"]).is_file()
    sources = "".join(path.read_text() for path in (EXTENSION / "src").iterdir())
    read = set(re.findall(r'settings\.get(?:<[^>]*>)?\("(\w+)"', sources))
    assert {f"oauth-stdio.{name}" for name in read} == set(contributed["configuration"]["properties"])
    # A workspace must not choose the program that runs.
    assert {each["scope"] for each in contributed["configuration"]["properties"].values()} == {"machine"}
    for name in set(re.findall(r'"(oauth-stdio\.\w+)"', sources)):
        assert name in commands or name in contributed["configuration"]["properties"], name


def test_the_package_has_what_vs_code_needs():
    assert MANIFEST["version"] == json.loads((ROOT / "schemas" / "openrpc.json").read_text())["info"]["version"]
    # VS Code loads modules since 1.100, and the declarations must not be newer than the oldest VS Code.
    assert MANIFEST["type"] == "module" and MANIFEST["engines"]["vscode"] == "^1.100.0"
    assert MANIFEST["devDependencies"]["@types/vscode"] == "~1.100.0" and "dependencies" not in MANIFEST
    assert (EXTENSION / ".vscodeignore").read_text().split() == ["**", "!package.json", "!README.md", "!dist/**"]
    # The packager rejects relative links if the package names no repository.
    assert not re.search(r"\]\((?!https://)", (EXTENSION / "README.md").read_text())


# Signing in


def test_a_sign_in_and_then_no_page(host):
    assert host.run("getSessions", ["read"]) == []
    session = sign_in(host)
    token = session.pop("accessToken")
    assert session == {"id": "demo", "account": {"id": "demo", "label": "demo"}, "scopes": ["read"]}
    (added,) = host.change()["added"]
    assert added == {**session, "accessToken": token}
    for scopes in (["read"], [], None):
        assert host.run("getSessions", scopes) == [{**session, "accessToken": token}]
    assert not host.has_shown("page") and host.log == ""


def test_scopes_that_are_not_granted_give_no_session_until_they_are_added(host):
    sign_in(host)
    assert "added" in host.change()
    assert host.run("getSessions", ["read", "write"]) == []
    assert not host.has_shown("page")
    creation = host.start("createSession", ["write"])
    page = host.shows("page")
    assert set(browser.query(page["url"])["scope"].split()) == {"read", "write"}
    host.answer(page, True)
    visit(page["url"])
    assert sorted(host.result(creation)["scopes"]) == ["read", "write"]
    change = host.change()
    assert list(change) == ["changed"] and sorted(change["changed"][0]["scopes"]) == ["read", "write"]
    assert names(host.run("getSessions", ["read"])) == names(host.run("getSessions", ["write", "read"])) == ["demo"]


def test_a_scope_that_the_provider_does_not_grant(host, user, provider):
    user.configure(provider.description)
    for _ in range(2):
        # The second time, the page asks again for what was declined.
        with pytest.raises(HostFault, match=r"^demo: write was not granted\. Sign in again and allow it\.$"):
            sign_in(host, ["read", "write"], user=provider.approve)
    assert names(host.run("getSessions", ["read"])) == ["demo"] and host.run("getSessions", ["write"]) == []


def test_a_scope_with_two_names(host, user, provider):
    user.configure({**provider.description, "scopeAliases": {"email": "read"}})
    sign_in(host, user=provider.approve)
    assert names(host.run("getSessions", ["email"])) == ["demo"] and host.run("getSessions", ["profile"]) == []
    assert [request.path for request in provider.requests] == ["/token"]


def test_two_accounts(host, user, demo):
    user.configure(demo.provider, "work", "home")
    creation = host.start("createSession", ["read"])
    choice = host.shows("quickPick")
    assert choice["labels"] == ["home", "work"]
    host.answer(choice, "work")
    page = host.shows("page")
    host.answer(page, True)
    visit(page["url"])
    assert host.result(creation)["id"] == "work"
    assert names(host.run("getSessions", ["read"])) == ["work"]
    assert sign_in(host, account="home")["id"] == "home"
    assert names(host.run("getSessions", ["read"])) == ["home", "work"]
    work = {"account": {"id": "work", "label": "work"}}
    assert names(host.run("getSessions", ["read"], work)) == names(host.run("getSessions", None, work)) == ["work"]
    tokens = [session["accessToken"] for session in host.run("getSessions", None)]
    assert len(set(tokens)) == 2
    creation = host.start("createSession", ["read"])
    choice = host.shows("quickPick")
    assert [text.startswith("signed in") for text in choice["descriptions"]] == [True, True]
    host.answer(choice)
    with pytest.raises(HostFault) as cancelled:
        host.result(creation)
    assert cancelled.value.name == "Canceled" and not host.has_shown("error")


def test_no_account(host, user):
    user.configuration.write_text('{"accounts": {}}')
    with pytest.raises(HostFault, match='^No account is configured. Run "oauth-stdio login github" in a terminal'):
        host.run("createSession", ["read"])
    assert host.run("getSessions", []) == []


def test_two_extensions_share_one_page(host):
    first, second = host.start("createSession", ["read"]), host.start("createSession", [])
    page = host.shows("page")
    host.answer(page, True)
    visit(page["url"])
    assert host.result(first) == host.result(second)
    assert not host.has_shown("page")


def test_two_accounts_at_once_open_one_page_each(host, user, demo):
    user.configure(demo.provider, "work", "home")
    creations = []
    for name in ("work", "home"):
        creations.append(host.start("createSession", ["read"], {"account": {"id": name, "label": name}}))
    for page in [host.shows("page"), host.shows("page")]:
        host.answer(page, True)
        visit(page["url"])
    assert [host.result(creation)["id"] for creation in creations] == ["work", "home"]
    assert not host.has_shown("page")


def test_cancelling_ends_the_sign_in(host, start, user):
    other = other_process(start, user)
    creation = host.start("createSession", ["read"])
    progress, page = host.shows("progress"), host.shows("page")
    assert (progress["title"], progress["cancellable"], progress["location"]) == ("Sign in: demo", True, 15)
    host.answer(page, True)
    host.send(cancel=progress["key"])
    with pytest.raises(HostFault) as cancelled:
        host.result(creation)
    assert cancelled.value.name == "Canceled" and not host.has_shown("error")
    host.take(closed=progress["key"])
    # The redirect is too late: it finds an error page, or no listener.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with pytest.raises(urllib.error.URLError):
        opener.open(page["url"] + "&demo_auto=allow", timeout=PATIENCE)
    assert other.request("accounts")["accounts"][0]["canAuthorize"] is False
    assert sign_in(host)["id"] == "demo"


def test_the_user_denies(host):
    creation = host.start("createSession", ["read"])
    page = host.shows("page")
    host.answer(page, True)
    visit(page["url"], "deny")
    with pytest.raises(HostFault, match=r"^demo: Access was denied\. To use the account, sign in again and allow the access\.$") as denied:
        host.result(creation)
    assert host.shows("error")["text"] == denied.value.message


def test_the_page_is_opened_as_it_is(host, user, demo):
    """A login hint with characters that separate parameters, or are a space, when they are decoded."""
    user.configure(demo.provider, parameters={"login_hint": "a+b&c=d#e f%"})
    creation = host.start("createSession", ["read"])
    page = host.shows("page")
    asked = urllib.parse.parse_qs(urllib.parse.urlsplit(page["url"]).query)
    assert asked["login_hint"] == ["a+b&c=d#e f%"] and asked["scope"] == ["read"]
    host.answer(page, True)
    visit(page["url"])
    host.result(creation)


def device_provider(provider) -> dict:
    code = {"device_code": provider.secret(), "user_code": "WDJB-MJHT", "expires_in": 60, "interval": 1}
    code["verification_uri"] = provider.url + "/device"
    provider.instead["/device-authorization"] = lambda request: Response.of(code)
    return {**provider.description, "deviceAuthorizationEndpoint": provider.url + "/device-authorization"}


def test_a_device_code_is_shown(host, user, provider):
    user.configure(device_provider(provider), flow="device")
    waiting = threading.Event()
    pending = lambda request: None if waiting.is_set() else Response.of({"error": "authorization_pending"}, 400)
    provider.instead["/token"] = pending
    creation = host.start("createSession", ["read"])
    shown = host.shows("information")
    assert (shown["text"], shown["modal"], shown["buttons"]) == ("The code is WDJB-MJHT", True, ["Copy Code and Open Page"])
    assert provider.url + "/device" in shown["detail"]
    host.answer(shown, "Copy Code and Open Page")
    assert host.take(copied="WDJB-MJHT")
    page = host.shows("page")
    assert page["url"] == provider.url + "/device"
    host.answer(page, True)
    waiting.set()
    assert host.result(creation)["accessToken"] in provider.living
    assert not host.has_shown("inputBox")


def test_closing_the_device_code_cancels(host, user, provider):
    user.configure(device_provider(provider), flow="device")
    provider.instead["/token"] = lambda request: Response.of({"error": "authorization_pending"}, 400)
    creation = host.start("createSession", ["read"])
    host.answer(host.shows("information"))
    with pytest.raises(HostFault) as cancelled:
        host.result(creation)
    assert cancelled.value.name == "Canceled" and not host.has_shown("page")


def test_a_code_of_a_cancelled_sign_in_opens_no_page(host, user, provider):
    user.configure(device_provider(provider), flow="device")
    provider.instead["/token"] = lambda request: Response.of({"error": "authorization_pending"}, 400)
    creation = host.start("createSession", ["read"])
    progress, shown = host.shows("progress"), host.shows("information")
    host.send(cancel=progress["key"])
    with pytest.raises(HostFault):
        host.result(creation)
    host.answer(shown, "Copy Code and Open Page")
    host.run("getSessions", [])
    assert not host.has_shown("page") and not any("copied" in line for line in host.lines)


# Windows on another machine


def test_a_remote_window_that_forwards_the_port(open_host, user, demo, tmp_path):
    """Without `external`, the host forwards each port under its own number, as VS Code does over SSH."""
    host = open_host(remoteName="ssh-remote")
    creation = host.start("createSession", ["read"])
    page = host.shows("page")
    redirected = urllib.parse.urlsplit(browser.query(page["url"])["redirect_uri"])
    assert host.take(forwards=f"http://{redirected.netloc}/")
    host.answer(page, True)
    visit(page["url"])
    assert host.result(creation)["id"] == "demo" and not host.has_shown("inputBox")


@pytest.mark.parametrize(
    "world",
    [
        {"remoteName": "codespaces", "uiKind": "web", "external": "https://name-41947.app.example.com/"},
        {"remoteName": "ssh-remote", "external": "http://127.0.0.1:1/"},
        {"remoteName": "editor.example.com:8000", "uiKind": "web"},
    ],
)
def test_a_pasted_redirect(open_host, user, provider, world):
    user.configure(provider.description)
    host = open_host(**world)
    creation = host.start("createSession", ["read"])
    page = host.shows("page")
    host.answer(page, True)
    box = host.shows("inputBox")
    assert box["prompt"].startswith("If the browser ends on a page that does not load, paste") and box["ignoreFocusOut"] is True
    host.answer(box, "http://127.0.0.1:1/callback?code=c&state=s")
    box = host.shows("inputBox")
    assert box["prompt"].endswith("Paste the whole address of the page that does not load.")
    host.answer(box, f" {redirect(page['url'], code=provider.secret())} ")
    assert host.result(creation)["accessToken"] in provider.living


def test_the_box_closes_when_the_redirect_arrives(host):
    """The user copied the address instead of opening it, so VS Code says that it is not open."""
    creation = host.start("createSession", ["read"])
    page = host.shows("page")
    host.answer(page, False)
    box = host.shows("inputBox")
    visit(page["url"])
    assert host.result(creation)["id"] == "demo"
    assert host.take(closed=box["key"])


# Changes


def test_a_sign_out_is_reported(host):
    session = sign_in(host)
    assert list(host.change()) == ["added"]
    host.run("removeSession", "demo")
    assert host.change() == {"removed": [{**session, "accessToken": ""}]}
    assert host.run("getSessions", ["read"]) == []


def test_changes_by_another_process(host, start, user, provider):
    user.configure(provider.description)
    assert host.run("getSessions", None) == []
    other = other_process(start, user)
    authorize(other, provider.approve, account="demo", openBrowser=False)
    (added,) = host.change()["added"]
    assert added["id"] == "demo" and added["accessToken"] in provider.living
    other.request("refresh", {"account": "demo", "force": True})
    (changed,) = host.change()["changed"]
    (session,) = host.run("getSessions", ["read"])
    assert changed == session and session["accessToken"] in provider.living and session["accessToken"] != added["accessToken"]
    other.request("signOut", {"account": "demo"})
    assert names(host.change()["removed"]) == ["demo"]
    authorize(other, provider.approve, account="demo", openBrowser=False)
    assert names(host.change()["added"]) == ["demo"]


def test_an_account_whose_grant_is_rejected(host, user, provider):
    user.configure(provider.description)
    sign_in(host, user=provider.approve)
    host.change()
    provider.instead["/token"] = lambda request: Response.of({"error": "invalid_grant"}, 400)
    with Peer("--config", user.configuration, home=user.folder) as other:
        other.answer(other.send("refresh", {"account": "demo", "force": True}))
        assert names(host.change()["removed"]) == ["demo"]
    assert host.run("getSessions", None) == []


# The process


def test_a_killed_process_is_started_again(host, start, user):
    sign_in(host)
    host.change()
    (killed,) = host.programs()
    os.kill(killed, signal.SIGKILL)
    # What happens now, no event reports.
    other = other_process(start, user)
    other.request("signOut", {"account": "demo"})
    assert host.run("getSessions", ["read"]) == []
    assert names(host.change()["removed"]) == ["demo"]
    (started,) = host.programs()
    assert started != killed
    # The new process leaves pages to VS Code as well.
    assert sign_in(host)["id"] == "demo"


def test_a_process_that_is_killed_while_it_answers(host):
    sign_in(host)
    (program,) = host.programs()
    os.kill(program, signal.SIGSTOP)
    question = host.start("getSessions", ["read"])
    # The host has sent the question when it has answered this.
    host.run("set", "editor.fontSize", 12)
    os.kill(program, signal.SIGKILL)
    assert names(host.result(question)) == ["demo"]


def test_killing_the_process_ends_an_open_sign_in(host):
    creation = host.start("createSession", ["read"])
    host.answer(host.shows("page"), True)
    os.kill(*host.programs(), signal.SIGKILL)
    with pytest.raises(HostFault, match="^The program ended with SIGKILL. Try again.$"):
        host.result(creation)
    assert sign_in(host)["id"] == "demo"


def test_a_missing_program_and_its_correction(open_host, user):
    host = open_host({"oauth-stdio.program": "/nonexistent/oauth-stdio"})
    expected = 'The program "/nonexistent/oauth-stdio" was not found. Install oauth-stdio, or set "oauth-stdio.program" in the settings to its path.'
    for action in ("getSessions", "createSession"):
        with pytest.raises(HostFault) as missing:
            host.run(action, ["read"])
        assert missing.value.message == expected
    assert host.shows("error")["text"] == expected
    host.run("set", "oauth-stdio.program", BINARY)
    assert sign_in(host)["id"] == "demo"


def test_a_program_that_is_installed_later(open_host, tmp_path):
    program = tmp_path / "oauth-stdio"
    host = open_host({"oauth-stdio.program": str(program)})
    with pytest.raises(HostFault, match="was not found"):
        host.run("getSessions", None)
    program.symlink_to(BINARY)
    # As `user` checks, this process leaves pages to VS Code as well.
    assert sign_in(host)["id"] == "demo"


def test_programs_that_are_not_ours(open_host, user, tmp_path):
    talker, plain = tmp_path / "talker", tmp_path / "plain"
    talker.write_text("#!/bin/sh\necho hello\nread -r line\nread -r line\n")
    talker.chmod(0o755)
    plain.write_text("")
    wrong = {"oauth-stdio.arguments": ["--no-such-option"]}
    for settings, expected in (
        ({"oauth-stdio.program": str(talker)}, "This is not oauth-stdio: "),
        ({"oauth-stdio.program": str(plain)}, f'"{plain}" cannot be executed. Correct "oauth-stdio.program" in the settings.'),
        (wrong, 'The program ended with status 2. Check "oauth-stdio.arguments" in the settings'),
    ):
        host = open_host(settings)
        with pytest.raises(HostFault, match="^" + re.escape(expected)):
            host.run("getSessions", None)


def wait_until_gone(number: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while Path(f"/proc/{number}").exists():
        assert time.monotonic() < deadline, "the process still runs"
        time.sleep(0.02)


def test_other_settings_restart_the_process(host, user, demo):
    sign_in(host)
    (first,) = host.programs()
    host.run("set", "oauth-stdio.arguments", [*user.settings["oauth-stdio.arguments"], "--no-tokens"])
    wait_until_gone(first)
    with pytest.raises(HostFault, match="^demo: .*doctor demo"):
        host.run("getSessions", ["read"])
    (second,) = host.programs()
    assert second != first


@pytest.mark.parametrize("is_signing_in", [False, True])
def test_deactivation_ends_the_process(host, is_signing_in):
    host.run("getSessions", None)
    if is_signing_in:
        creation = host.start("createSession", ["read"])
        host.answer(host.shows("page"), True)
    (running,) = host.programs()
    host.run("deactivate")
    assert host.programs() == [] and not Path(f"/proc/{running}").exists()
    if is_signing_in:
        with pytest.raises(HostFault):
            host.result(creation)


def test_nothing_starts_the_process_after_the_deactivation(host, user, demo):
    user.configure(demo.provider, "work", "home")
    creation = host.start("createSession", ["read"])
    choice = host.shows("quickPick")
    host.run("deactivate")
    host.answer(choice, "work")
    with pytest.raises(HostFault):
        host.result(creation)
    assert host.programs() == []


def test_the_process_ends_with_the_host(host):
    host.run("getSessions", None)
    (running,) = host.programs()
    host.process.kill()
    wait_until_gone(running)


# Commands and the log


def test_the_commands(host):
    host.run("executeCommand", "oauth-stdio.signOut")
    assert host.shows("information")["text"] == "No account is signed in."
    command = host.start("executeCommand", "oauth-stdio.signIn")
    page = host.shows("page")
    host.answer(page, True)
    visit(page["url"])
    host.result(command)
    assert host.shows("information")["text"] == "demo: signed in"
    command = host.start("executeCommand", "oauth-stdio.signOut")
    choice = host.shows("quickPick")
    assert choice["labels"] == ["demo"]
    host.answer(choice, "demo")
    host.result(command)
    assert host.shows("information")["text"] == "demo: signed out"
    assert host.run("getSessions", None) == []


def test_nothing_that_the_user_or_the_log_sees_has_a_token(open_host, user, provider):
    user.configure(provider.description)
    host = open_host({"oauth-stdio.arguments": [*user.settings["oauth-stdio.arguments"], "--log-level", "debug"]})
    sign_in(host, user=provider.approve)
    provider.instead["/token"] = lambda request: Response.of({"error": "invalid_grant"}, 400)
    creation = host.start("createSession", ["write"])
    page = host.shows("page")
    host.answer(page, True)
    provider.approve(page["url"])
    with pytest.raises(HostFault):
        host.result(creation)
    host.run("deactivate")
    host.__exit__()
    shown = host.log + "".join(json.dumps(line) for line in host.lines if "sessions" not in line)
    assert len(provider.secrets) > 3 and "debug" in host.log
    assert not [secret for secret in provider.secrets if secret in shown]

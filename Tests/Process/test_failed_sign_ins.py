"""The last failed sign-in: what it says of a client that registered itself, and how long `doctor` shows it."""

import json

import pytest

from mcp_streams import LoginServer, StreamServer, connect  # noqa: F401, a fixture
from provider import Response
from test_bridge_login import page
from test_command_line import Shell
from test_doctor import findings
from waiting import wait_until

REGISTERED = "it rejects the client that this program registered, and the next sign-in registers another"


@pytest.fixture
def server():
    with LoginServer() as login, StreamServer(login=login) as running:
        yield running


@pytest.fixture
def shell(home):
    return Shell(home)


def refuse(server, *answers: dict) -> None:
    """Lets the token endpoint answer so, or as usual."""
    server.login.instead["/token"] = (lambda request: Response.of(answers[0], 401)) if answers else server.login.token


def login(shell, server, status: int, deny: bool = False) -> str:
    process = shell.start("login", server.url, "--openBrowser=false")
    url = next(line for line in process.stderr if line.startswith("http")).strip()
    (server.login.deny if deny else server.login.approve)(url)
    _, said = process.communicate(timeout=60)
    assert process.returncode == status, said
    return said


def failure(shell, server) -> str | None:
    """Returns what `doctor` shows of the last sign-in, without its time."""
    found = findings(shell, server.url).get("signIn", [])
    assert len(found) < 2 and all(finding["state"] == "failed" for finding in found)
    return found[0]["message"].split(" s ago, a sign-in failed: ")[1] if found else None


@pytest.mark.parametrize("error", ["invalid_client", "unauthorized_client"])
def test_the_message_names_the_registration(shell, server, error):
    refuse(server, {"error": error, "error_description": "unknown"})
    said = login(shell, server, status=1)
    assert f"{error}: unknown: {REGISTERED}" in said and "page for apps" not in said
    assert failure(shell, server) == f"the authorization server answered with {error}: unknown: {REGISTERED}"
    assert shell.run("doctor", server.url, status=1).stdout.count("FAILED") == 1


@pytest.mark.parametrize("end", ["success", "logout"])
def test_it_is_shown_until_the_next_success_or_the_sign_out(shell, server, end):
    refuse(server, {"error": "server_error", "error_description": "secret-1"})
    assert login(shell, server, status=1) and failure(shell, server).endswith("server_error: secret-1")
    # It outlives an open page, and the next failure replaces it.
    process = shell.start("login", server.url, "--openBrowser=false")
    url = next(line for line in process.stderr if line.startswith("http")).strip()
    assert failure(shell, server).endswith("server_error: secret-1")
    server.login.deny(url)
    process.communicate(timeout=60)
    assert failure(shell, server).startswith("the sign-in was denied")
    if end == "success":
        refuse(server)
        login(shell, server, status=0)
    else:
        # There is no grant to delete.
        shell.run("logout", server.url, status=3)
    assert failure(shell, server) is None
    assert not [path for path in (shell.home / "store").iterdir() if path.name.endswith(".sign-in")]


def test_a_sign_in_without_a_page_fails_too(shell, server):
    server.login.instead["/register"] = lambda request: Response.of({"error": "invalid_redirect_uri", "error_description": "not here"}, 400)
    shell.run("login", server.url, status=1)
    assert "could not be registered" in failure(shell, server) and "not here" in failure(shell, server)


def test_a_cancelled_one_says_nothing(shell, server):
    process = shell.start("login", server.url, "--openBrowser=false")
    next(line for line in process.stderr if line.startswith("http"))
    process.send_signal(2)
    process.communicate(timeout=60)
    assert failure(shell, server) is None


def test_that_of_the_bridge_counts(shell, server, connect):  # noqa: F811
    refuse(server, {"error": "invalid_client"})
    host = connect(server)
    host.begin()
    server.login.approve(page(host.call()["result"]))
    wait_until(lambda: failure(shell, server) is not None)
    assert failure(shell, server).endswith(REGISTERED)
    # The host's next list says the same, and the next tool opens another page.
    assert REGISTERED in host.request("tools/list")["error"]["message"]
    refuse(server)
    server.login.approve(page(host.call()["result"]))
    wait_until(lambda: failure(shell, server) is None)
    assert len(server.login.registrations) == 2


def test_no_secret_is_stored_with_it(shell, server):
    """The server repeats what it was sent."""
    server.login.instead["/register"] = lambda request: Response.of(
        {**json.loads(request.body), "client_id": "c-1", "client_secret": "s3cret-0f-the-client", "token_endpoint_auth_method": "client_secret_post"}, 201)
    server.login.instead["/token"] = lambda request: Response.of({"error": "invalid_client", "error_description": request.body.decode()}, 401)
    said = login(shell, server, status=1)
    shown = json.dumps(shell.result("diagnose", server.url))
    assert "s3cret-0f" not in said + shown and not [secret for secret in server.login.secrets if secret in shown]


def test_the_secret_of_a_registration_is_no_refresh_token(shell, server):
    login(shell, server, status=0)
    refuse(server, {"error": "invalid_client"})
    said = shell.message("refresh", "--account", server.url.removeprefix("http://"), "--force", status=3)
    assert "the provider rejected the client that this program registered. The next sign-in registers another." in said and "refresh token" not in said
    shown = shell.run("status").stdout + shell.run("doctor", server.url, status=1).stdout
    assert "rejected the client's registration" in shown and "refresh token" not in shown and "provider's page" not in shown


def test_doctor_compares_no_registered_client_with_a_page(shell, server):
    """The made-up code is sent as the registration says, and the page is asked for with its redirect URI."""
    login(shell, server, status=0)
    registered = server.login.registrations[0]["redirect_uris"][0]
    refuse(server, {"error": "invalid_client"})
    found = findings(shell, server.url)
    assert found["redirect"][0]["message"] == f"the process sends the redirect URI {registered}" and "advice" not in found["redirect"][0]
    (rejected,) = [finding for finding in found["client"] if finding["state"] == "failed"]
    assert rejected["advice"] == "delete the account with logout and sign in again: that registers another client"
    assert "the provider's page" not in json.dumps(found)
    shell.run("logout", server.url)
    refuse(server)
    login(shell, server, status=0)
    assert len(server.login.registrations) == 2

"""The examples do what their head comments say, against the demo provider, and report failures clearly."""

import errno
import json
import os
import pty
import re
import subprocess

import jsonschema
import pytest

import browser
import typescript
from example_user import CLIENTS, COMMANDS, EXAMPLES, PAGE, SIGN_IN, Home, compile_go, visit
from provider import Response
from signing_in import TokenProvider

pytestmark = pytest.mark.ci

# The command login says this also to a user who has signed in before.
SIGNED_IN = "oauth-stdio: demo: signed in\n"


@pytest.fixture(scope="module", autouse=True)
def compiled():
    typescript.compile_client()
    compile_go()


@pytest.fixture(params=CLIENTS)
def client(request) -> list[str]:
    """The command line of an example that prints the user's name, without the account and the URL."""
    return CLIENTS[request.param]


@pytest.fixture(params=[name for name in CLIENTS if name not in COMMANDS])
def protocol_client(request) -> list[str]:
    """The same of an example that speaks JSON-RPC."""
    return CLIENTS[request.param]


def reason(told: str) -> str:
    """Returns the last line, without what Go says about the command that failed."""
    return [line for line in told.splitlines() if "exit status" not in line][-1]


def test_the_short_examples_have_at_most_30_lines():
    for name in ["shell.sh", "ruby.rb", "perl.pl", "lua.lua", "go/main.go"]:
        assert len((EXAMPLES / name).read_text().splitlines()) <= 30, name
    assert subprocess.run(["gofmt", "-l", EXAMPLES / "go"], capture_output=True, text=True, check=True).stdout == ""


@pytest.fixture
def user(tmp_path, demo) -> Home:
    home = Home(tmp_path / "user")
    home.configure(provider=demo.provider)
    return home


# Every client


def test_it_says_who_signed_in_and_asks_only_once(user, client):
    status, said, told = user.run(*client, "demo", "me")
    assert (status, said) == (0, "demo\n"), told
    assert len(PAGE.findall(told)) == 1
    assert user.run(*client, "demo", "me") in [(0, "demo\n", ""), (0, "demo\n", SIGNED_IN)]


def test_they_share_their_grants(user):
    assert user.run(*CLIENTS["python"], "demo", "me")[0] == 0
    assert user.run(*CLIENTS["typescript"], "demo", "me") == (0, "demo\n", "")
    assert user.run(*CLIENTS["shell"], "demo", "userinfo") == (0, "Demo Person\n", SIGNED_IN)


def test_an_error_of_the_service(user, client):
    status, said, told = user.run(*client, "demo", "status/404")
    assert (status, said) == (1, "")
    assert reason(told).endswith("the service answered with status 404")


def test_the_user_denies(user, client):
    status, said, told = user.run(*client, "demo", "me", user=lambda url: visit(url, "deny"))
    assert (status, said) == (1, "")
    assert "the sign-in was denied" in reason(told)


def test_the_user_does_not_sign_in(user, demo, client):
    user.configure(provider=demo.provider, timeout=1)
    status, said, told = user.run(*client, "demo", "me", user=lambda url: None)
    assert (status, said) == (1, "")
    assert "the sign-in was not finished within 1 s" in reason(told)


def test_the_provider_is_gone(tmp_path, client):
    home = Home(tmp_path / "user")
    with TokenProvider() as provider:
        home.configure(provider=provider.description)
        assert len(PAGE.findall(home.run(*client, "demo", "me", user=provider.approve)[2])) == 1
    status, said, told = home.run(*client, "demo", "me")
    assert (status, said) == (1, "")
    assert "127.0.0.1 could not be reached: nothing accepts connections there, or a firewall blocks them" in reason(told)


def test_an_unconfigured_account(user, client):
    status, said, told = user.run(*client, "unknown", "me")
    assert (status, said) == (1, "")
    # The command login takes another word for a provider.
    missing = "/provider is missing: neither the configuration nor a stored grant names one for this account"
    lists = re.search(r'there is no provider "unknown"\. This lists them: oauth-stdio --config \S+ providers$', reason(told))
    assert lists or reason(told).endswith(missing), told


def test_a_code_that_is_typed_elsewhere(tmp_path, client):
    home = Home(tmp_path / "user")
    with TokenProvider() as provider:
        provider.instead["/device"] = lambda request: Response.of(
            {"device_code": provider.secret(), "user_code": "WDJB-MJHT", "verification_uri": provider.url + "/type", "expires_in": 60, "interval": 1})
        description = {**provider.description, "deviceAuthorizationEndpoint": provider.url + "/device"}
        provider.instead["/api/me"] = lambda request: Response.of({"user": "demo"})
        home.configure(provider=description, flow="device")
        status, said, told = home.run(*client, "demo", "me", user=lambda url: None)
    assert (status, said) == (0, "demo\n"), told
    assert f"{provider.url}/type" in told and re.search(r"type (this|the) code:? WDJB-MJHT\b", told), told


@pytest.mark.parametrize("name", ["python", "typescript"])
def test_the_address_is_pasted(user, name):
    """As over SSH: the browser runs elsewhere, and the user pastes its final address into the terminal."""
    terminal, end = pty.openpty()
    try:
        def paste(url: str) -> None:
            os.write(terminal, b"what a user may type by mistake\n" + browser.Browser().get(url + "&demo_auto=allow").location.encode() + b"\n")

        assert user.run(*CLIENTS[name], "demo", "me", user=paste, stdin=end)[:2] == (0, "demo\n")
    finally:
        os.close(terminal)
        os.close(end)


def test_numbers_that_a_parser_may_choke_on(user):
    """This answer has no name, so the client prints it whole."""
    assert user.run(*CLIENTS["python"], "demo", "numbers")[:2] == (0, "{'price': 19.99, 'id': 18446744073709551616, 'x': inf}\n")
    assert user.run(*CLIENTS["typescript"], "demo", "numbers")[:2] == (0, "{ price: 19.99, id: 18446744073709552000, x: Infinity }\n")
    assert user.run(*CLIENTS["ruby"], "demo", "numbers")[0] == 0
    assert user.run(*CLIENTS["shell"], "demo", "numbers")[0] == 0


def test_a_program_that_is_not_there(user, client):
    status, said, told = user.run(*client, "demo", "me", OAUTH_STDIO="/nonexistent/oauth-stdio")
    # Perl ends with the errno.
    assert status in (1, errno.ENOENT) and said == ""
    assert "/nonexistent/oauth-stdio" in told


def test_a_program_that_ends_without_an_answer(user, protocol_client, tmp_path):
    program = tmp_path / "mute"
    program.write_text("#!/bin/sh\nread -r line\nexit 1\n")
    program.chmod(0o755)
    status, said, told = user.run(*protocol_client, "demo", "me", OAUTH_STDIO=str(program))
    assert (status, said) == (1, "")
    # The second one is Emacs's own message.
    assert "ended" in told or "Server died" in told


# The configuration


def test_the_configuration_meets_its_schema():
    configuration = json.loads((EXAMPLES / "config.json").read_text())
    schema = EXAMPLES / configuration["$schema"]
    jsonschema.validate(configuration, json.loads(schema.read_text()))


def test_the_program_takes_every_account_of_the_configuration(start, tmp_path):
    """The test does not sign in. The process read the configuration correctly if it looked up the secrets and then demands a sign-in."""
    password_store = tmp_path / "pass"
    password_store.write_text('#!/bin/sh\n[ "$*" = "show oauth/gitlab.example.com" ] && echo secret\n')
    password_store.chmod(0o755)
    environment = {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "GOOGLE_CLIENT_SECRET": "secret",
        "GITHUB_CLIENT_SECRET": "secret",
    }
    peer = start("--config", EXAMPLES / "config.json", environment=environment)
    for account in json.loads((EXAMPLES / "config.json").read_text())["accounts"]:
        answer = peer.answer(peer.send("authorize", {"account": account, "interaction": "never"}))
        assert answer["error"]["data"]["kind"] == "signInRequired", answer

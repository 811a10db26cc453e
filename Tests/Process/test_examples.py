"""The examples do what their head comments say, against the demo provider, and report failures clearly."""

import importlib.util
import json
import os
import pty
import threading
import time

import jsonschema
import pytest

import browser
from example_user import CLIENTS, EXAMPLES, SIGN_IN, Home, visit
from provider import Response
from rpc import BINARY, PATIENCE
from signing_in import TokenProvider


@pytest.fixture(params=CLIENTS)
def client(request) -> list[str]:
    """The command line of an example that prints the user's name, without the account and the URL."""
    return CLIENTS[request.param]


@pytest.fixture
def user(tmp_path, demo) -> Home:
    home = Home(tmp_path / "user")
    home.configure(provider=demo.provider)
    return home


# The three clients


def test_it_says_who_signed_in_and_asks_only_once(user, client):
    status, said, told = user.run(*client, "demo", "me")
    assert (status, said) == (0, "demo\n"), told
    assert told.count(SIGN_IN) == 1
    assert user.run(*client, "demo", "me") == (0, "demo\n", "")


def test_they_share_their_grants(user):
    assert user.run(*CLIENTS["python"], "demo", "me")[0] == 0
    assert user.run(*CLIENTS["node"], "demo", "me") == (0, "demo\n", "")
    assert user.run(*CLIENTS["shell"], "demo", "userinfo") == (0, "Demo Person\n", "")


def test_an_error_of_the_service(user, client):
    status, said, told = user.run(*client, "demo", "status/404")
    assert (status, said) == (1, "")
    assert told.splitlines()[-1].endswith("the service answered with status 404")


def test_the_user_denies(user, client):
    status, said, told = user.run(*client, "demo", "me", user=lambda url: visit(url, "deny"))
    assert (status, said) == (1, "")
    assert told.splitlines()[-1].endswith("the sign-in was denied")


def test_the_user_does_not_sign_in(user, demo, client):
    user.configure(provider=demo.provider, timeout=1)
    status, said, told = user.run(*client, "demo", "me", user=lambda url: None)
    assert (status, said) == (1, "")
    assert told.splitlines()[-1].endswith("the sign-in was not finished within 1 s")


def test_the_provider_is_gone(tmp_path, client):
    home = Home(tmp_path / "user")
    with TokenProvider() as provider:
        home.configure(provider=provider.description)
        assert home.run(*client, "demo", "me", user=provider.approve)[2].count(SIGN_IN) == 1
    status, said, told = home.run(*client, "demo", "me")
    assert (status, said) == (1, "")
    assert told.splitlines()[-1].endswith("127.0.0.1 could not be reached: nothing accepts connections there, or a firewall blocks them")


def test_an_unconfigured_account(user, client):
    status, said, told = user.run(*client, "unknown", "me")
    assert (status, said) == (1, "")
    assert told.splitlines()[-1].endswith("/provider is missing: neither the configuration nor a stored grant names one for this account")


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
    assert told.endswith(f"{SIGN_IN}{provider.url}/type\nand type this code: WDJB-MJHT\n")


@pytest.mark.parametrize("name", ["python", "node"])
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
    assert user.run(*CLIENTS["node"], "demo", "numbers")[:2] == (0, "{ price: 19.99, id: 18446744073709552000, x: Infinity }\n")
    assert user.run(str(EXAMPLES / "shell.sh"), "get", "demo", "numbers")[0] == 0


def test_a_program_that_is_not_there(user, client):
    status, said, told = user.run(*client, "demo", "me", OAUTH_STDIO="/nonexistent/oauth-stdio")
    assert (status, said) == (1, "")
    assert "/nonexistent/oauth-stdio" in told


def test_a_program_that_ends_without_an_answer(user, client, tmp_path):
    program = tmp_path / "mute"
    program.write_text("#!/bin/sh\nread -r line\nexit 1\n")
    program.chmod(0o755)
    status, said, told = user.run(*client, "demo", "me", OAUTH_STDIO=str(program))
    assert (status, said) == (1, "")
    # The second one is Emacs's own message.
    assert "ended" in told or "Server died" in told


# Tests of single clients


def test_the_shell_script_passes_parameters(user):
    status, said, told = user.run(str(EXAMPLES / "shell.sh"), "get", "demo", "me", "q=a b&c=d", "q2=")
    assert status == 0, told
    assert json.loads(said)["query"] == {"q": "a b&c=d", "q2": ""}
    assert user.run(str(EXAMPLES / "shell.sh"), "get", "demo", "me", "q")[:2] == (1, "")
    assert user.run(str(EXAMPLES / "shell.sh"), "get", "demo")[0] == 2


def test_the_shell_script_signs_out(user):
    assert user.run(*CLIENTS["shell"], "demo", "me")[0] == 0
    status, said, _ = user.run(str(EXAMPLES / "shell.sh"), "sign-out", "demo")
    assert status == 0 and json.loads(said)["revoked"] is True
    assert user.run(*CLIENTS["shell"], "demo", "me")[2].count(SIGN_IN) == 1


def test_the_shell_script_lists_repositories(tmp_path):
    home = Home(tmp_path / "user")
    with TokenProvider() as provider:
        names = [("2024-05-06T07:08:09Z", "octocat/spoon"), ("2023-01-02T03:04:05Z", "o/p")]
        listed = [{"pushed_at": pushed, "full_name": name} for pushed, name in names]
        provider.instead["/api/user/repos"] = lambda request: Response.of(listed)
        home.configure(provider=provider.description)
        status, said, told = home.run(str(EXAMPLES / "shell.sh"), "repos", "demo", user=provider.approve)
        assert status == 0, told
        assert said == "2024-05-06  octocat/spoon\n2023-01-02  o/p\n"
        assert provider.requests[-1].target == "/api/user/repos?sort=pushed&per_page=20"


def python_module():
    spec = importlib.util.spec_from_file_location("python_client", EXAMPLES / "python_client.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_python_class(user):
    module = python_module()
    events = []

    def hear(name, params):
        events.append(name)
        if name == "signInWasRequested":
            # In another thread, because the causing request is still being read.
            threading.Thread(target=visit, args=[params["url"]]).start()

    arguments = ["--config", str(user.configuration), "--store", str(user.folder / "data")]
    with module.OAuth(*arguments, program=BINARY, on_event=hear) as oauth:
        assert oauth.request("authorize", account="demo")["via"] == "signedIn"
        with pytest.raises(module.OAuthError) as error:
            oauth.request("callAPI", account="demo", url="status/404", as_="json")
        assert error.value.kind == "serviceError" and error.value.data["httpStatus"] == 404
        assert oauth.request("callAPI", account="demo", url="me", as_="json")["json"]["user"] == "demo"
    assert oauth.process.returncode == 0
    assert events[:3] == ["signInWasRequested", "accountWasChanged", "authorizationWasSuccessful"]


def test_the_python_class_leaves_no_process_behind(user):
    module = python_module()

    def interrupt(name, params):
        raise KeyboardInterrupt

    arguments = ["--config", str(user.configuration), "--store", str(user.folder / "data")]
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        with module.OAuth(*arguments, program=BINARY, on_event=interrupt) as oauth:
            oauth.request("authorize", account="demo")
    assert oauth.process.returncode is not None and time.monotonic() - began < PATIENCE


def test_the_node_class_has_several_requests_open(user, tmp_path):
    assert user.run(*CLIENTS["node"], "demo", "me")[0] == 0
    script = tmp_path / "several.mjs"
    script.write_text(
        f"""
        import {{ OAuth }} from {json.dumps((EXAMPLES / "node_client.mjs").as_uri())};
        const oauth = new OAuth({{ program: process.env.OAUTH_STDIO, args: ["--config", process.env.OAUTH_CONFIG] }});
        const done = [];
        const get = (url) => oauth.request("callAPI", {{ account: "demo", url, as: "json" }}).then(
          () => done.push(url), (error) => done.push(error.kind));
        await Promise.all([get("slow?seconds=2"), get("status/404"), get("me")]);
        const status = await oauth.close();
        console.log(JSON.stringify(done));
        await oauth.request("accounts").catch((error) => console.log(error.message));
        """
    )
    status, said, told = user.run("node", str(script))
    assert status == 0, told
    done, refusal = said.splitlines()
    assert json.loads(done)[-1] == "slow?seconds=2" and sorted(json.loads(done)) == ["me", "serviceError", "slow?seconds=2"]
    assert refusal == "the program ended with status 0"


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

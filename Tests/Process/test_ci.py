"""Accounts for the client itself (client credentials): every use gets the token, without a sign-in, and examples/ci.md is true."""

import base64
import json
import os
import re
import subprocess
import urllib.parse

import pytest

from provider import Response
from rpc import BINARY, ROOT, RPCFault
from waiting import Hold, wait_until

SECRET = "s3cret-of-the-build"


def tokens(provider) -> list[dict]:
    return [dict(urllib.parse.parse_qsl(request.body.decode())) for request in provider.requests if request.path == "/token"]


@pytest.fixture
def configure(home, provider):
    """Writes the configuration, and returns the options that name it."""
    provider.instead["/introspect"] = lambda request: Response.of({"active": True})

    def write(**members) -> list:
        home.mkdir(exist_ok=True)
        description = {
            "tokenEndpoint": provider.url + "/token", "introspectionEndpoint": provider.url + "/introspect",
            "apiBase": provider.url + "/api/", "userInfoEndpoint": provider.url + "/api/me", "clientAuthentication": "body",
            "gitHosts": ["git.example.com"], "registryHosts": ["registry.example.com"],
        }
        account = {"provider": description, "flow": "clientCredentials", "clientId": "builder", "clientSecret": SECRET, "scopes": ["read"]}
        (home / "config.json").write_text(json.dumps({"accounts": {"ci": {**account, **members}}}))
        (home / "config.json").chmod(0o600)
        return ["--config", home / "config.json"]

    return write


def test_the_recipe_in_the_examples(tmp_path, provider):
    """In a job: no home directory, no terminal, and the secret in the environment."""
    text = (ROOT / "examples" / "ci.md").read_text()
    (recipe,) = re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert len(recipe.splitlines()) == 6
    recipe = recipe.replace("https://login.example.com/", provider.url + "/").replace("https://api.example.com/", provider.url + "/api/")
    (tmp_path / "oauth-stdio").symlink_to(BINARY)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "CLIENT_SECRET": SECRET}
    run = subprocess.run(
        ["sh", "-e", "-c", recipe + 'echo; echo "$TOKEN"'], cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
        text=True, start_new_session=True, timeout=60)
    called, token = run.stdout.splitlines()
    assert (run.returncode, run.stderr) == (0, "") and json.loads(called)["path"] == "/api/builds/7" and {token} == provider.living
    assert tokens(provider) == 2 * [{"grant_type": "client_credentials", "scope": "read"}]
    basic = base64.b64encode(f"builder:{SECRET}".encode()).decode()
    assert provider.requests[0].headers["Authorization"] == "Basic " + basic


@pytest.mark.parametrize("store", ["memory", "folder"])
@pytest.mark.parametrize(("method", "params"), [
    ("accessToken", {}), ("callAPI", {"url": "x"}), ("authorizeRequest", {"url": "x"}), ("refresh", {}), ("refresh", {"force": True}),
    ("introspect", {}), ("userInfo", {}), ("hostCredential", {"host": "git.example.com", "interaction": "never"})])
def test_every_method_gets_the_token_even_read_only(start, configure, provider, method, params, store):
    peer = start(*configure(), "--read-only", *(["--store", "memory"] if store == "memory" else []))
    before = peer.request("account", {"account": "ci"})
    assert (before["canAuthorize"], before["signedIn"]) == (True, False)
    params = params if method == "hostCredential" else {"account": "ci", **params}
    peer.request(method, params)
    assert peer.event("accessTokenWasRefreshed")["account"] == "ci"
    peer.request("accessToken", {"account": "ci"})
    assert tokens(provider) == [{"grant_type": "client_credentials", "scope": "read", "client_id": "builder", "client_secret": SECRET}]


@pytest.mark.parametrize(("words", "given"), [
    (["token", "ci"], ""), (["exec-credential", "ci"], ""), (["git-credential", "get"], "protocol=https\nhost=git.example.com\n"),
    (["docker-credential", "get"], "https://registry.example.com"), (["header", "ci", "x"], "")])
def test_every_command_prints_the_token(configure, provider, words, given):
    command = [BINARY, *map(str, configure()), "--store", "memory", *words]
    run = subprocess.run(command, env={"PATH": os.environ["PATH"]}, input=given, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0 and "".join(provider.living) in run.stdout, run.stderr


@pytest.mark.parametrize("processes", [1, 3])
def test_one_request_serves_all_callers(start, configure, provider, processes):
    provider.instead["/token"] = hold = Hold()
    peers = [start(*configure()) for _ in range(processes)]
    asked = [(peer, peer.send("accessToken", {"account": "ci"})) for peer in peers for _ in range(3)]
    hold.wait()
    # Those that wait answer nothing meanwhile.
    assert all(peer.request("account", {"account": "ci"})["signedIn"] is False for peer in peers)
    hold.release()
    assert {peer.result(number)["accessToken"] for peer, number in asked} == provider.living
    assert len(tokens(provider)) == 1


def test_the_next_token_is_that_of_the_configuration(start, configure, provider):
    peer = start(*configure())
    assert peer.request("authorize", {"account": "ci", "interaction": "never"})["via"] == "signedIn"
    assert peer.request("authorize", {"account": "ci"})["via"] == "stored"
    configure(scopes=["write"], parameters={"audience": "x"}, clientId="other")
    peer.request("refresh", {"account": "ci", "force": True})
    sent = tokens(provider)[-1]
    assert (len(tokens(provider)), sent["scope"], sent["audience"], sent["client_id"]) == (2, "write", "x", "other")


def test_the_servers_refusal_is_the_answer_and_ends_nothing(start, configure, provider):
    refusal = Response.of({"error": "invalid_client", "error_description": "the secret has ended"}, 401)
    provider.instead["/token"] = lambda request: refusal
    peer = start(*configure(), "--store", "memory")
    for _ in range(2):
        with pytest.raises(RPCFault) as fault:
            peer.request("callAPI", {"account": "ci", "url": "x"})
        assert fault.value.kind == "authorizationServerError" and "the secret has ended" in fault.value.message
        assert fault.value.data["account"] == "ci"
    del provider.instead["/token"]
    assert peer.request("callAPI", {"account": "ci", "url": "x"})["status"] == 200


def test_a_fault_of_the_entry_names_its_place(start, configure, provider):
    peer = start(*configure(clientSecret={"env": "NOT_SET"}))
    with pytest.raises(RPCFault) as fault:
        peer.request("accessToken", {"account": "ci"})
    assert fault.value.kind == "configurationInvalid" and fault.value.data["path"] == "/accounts/ci/clientSecret" and tokens(provider) == []

"""A client secret that the user has replaced since the sign-in: the configuration decides at each use, and no login is lost."""

import json
import urllib.parse

import pytest

from provider import Response
from rpc import RPCFault
from signing_in import authorize
from test_command_line import Shell

OLD, NEW = "the-old-s3cret", "the-new-s3cret"


def secrets(provider) -> list:
    """The client secrets of the token requests."""
    forms = [dict(urllib.parse.parse_qsl(request.body.decode())) for request in provider.requests if request.path == "/token"]
    return [form.get("client_secret") for form in forms]


def accept(provider, *accepted) -> None:
    """From now on, the provider accepts these secrets alone."""

    def token(request):
        if secrets(provider)[-1] not in accepted:
            return Response.of({"error": "invalid_client"}, 401)

    provider.instead["/token"] = token


@pytest.fixture
def configure(home, provider):
    def write(secret=None, **members) -> None:
        (home / "config" / "oauth-stdio").mkdir(parents=True, exist_ok=True)
        description = {**provider.description, "clientAuthentication": "body"}
        account = {"provider": description, "clientId": "c", "scopes": ["read"], "openBrowser": False, **members}
        account |= {"clientSecret": secret} if secret else {}
        file = home / "config" / "oauth-stdio" / "config.json"
        file.write_text(json.dumps({"accounts": {"a": account}}))
        file.chmod(0o600)

    return write


@pytest.fixture
def asked(tmp_path):
    """A command that prints the file `secret`, and notes each run in the file `runs`."""
    script = tmp_path / "print-secret"
    script.write_text(f"#!/bin/sh\necho run >> {tmp_path}/runs\ncat {tmp_path}/secret\n")
    script.chmod(0o755)
    return script


def refresh(peer, **params) -> bool:
    return peer.request("refresh", {"account": "a", "force": True, **params})["refreshed"]


def test_each_refresh_reads_text_and_files(start, configure, provider, tmp_path):
    configure(OLD)
    peer = start()
    authorize(peer, provider.approve, account="a")
    accept(provider, NEW)
    configure(NEW)
    assert refresh(peer)
    (tmp_path / "secret").write_text(NEW + "\n")
    (tmp_path / "secret").chmod(0o600)
    configure({"file": str(tmp_path / "secret")})
    assert refresh(peer)
    (tmp_path / "secret").write_text("another")
    accept(provider, "another")
    assert refresh(peer) and refresh(start())
    assert secrets(provider) == [OLD, NEW, NEW, "another", "another"]


def test_a_call_and_the_next_process_use_it_too(start, configure, provider):
    configure(OLD)
    provider.lifetime = 0.5
    authorize(start(), provider.approve, account="a")
    accept(provider, NEW)
    configure({"env": "SECRET"})
    peer = start(environment={"SECRET": NEW})
    provider.lifetime = 3600
    assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    assert secrets(provider) == [OLD, NEW]


def test_a_command_is_asked_once_and_again_after_invalid_client(start, configure, provider, asked, tmp_path):
    runs = tmp_path / "runs"
    (tmp_path / "secret").write_text(OLD + "\n")
    configure({"command": [str(asked)]})
    peer = start()
    authorize(peer, provider.approve, account="a")
    assert refresh(peer) and refresh(peer) and runs.read_text() == "run\n"
    (tmp_path / "secret").write_text(NEW + "\n")
    assert refresh(peer) and runs.read_text() == "run\n"
    accept(provider, NEW)
    # The provider's refusal is the reason to ask, and the same request goes on with the answer.
    assert refresh(peer) and runs.read_text() == 2 * "run\n"
    assert secrets(provider) == 5 * [OLD] + [NEW]
    # The same secret is not sent twice.
    accept(provider, "a third")
    with pytest.raises(RPCFault) as fault:
        refresh(peer)
    assert fault.value.kind == "authorizationServerError" and len(secrets(provider)) == 7
    (tmp_path / "secret").write_text("a third")
    assert refresh(peer)


@pytest.mark.parametrize("entry", ["none", "without the secret", "with a missing variable"])
def test_without_a_secret_nothing_is_sent_and_the_login_stays(start, home, configure, provider, entry):
    configure(OLD)
    authorize(start(), provider.approve, account="a")
    match entry:
        case "none": (home / "config" / "oauth-stdio" / "config.json").unlink()
        case "without the secret": configure()
        case _: configure({"env": "NOT_SET"})
    peer = start()
    for method, params in [("refresh", {"force": True}), ("revoke", {})]:
        with pytest.raises(RPCFault) as fault:
            peer.request(method, {"account": "a", **params})
        assert fault.value.kind == "configurationInvalid" and fault.value.data["path"] == "/accounts/a/clientSecret"
        assert "/accounts/a/clientSecret" in fault.value.message
    assert len(provider.requests) == 1
    configure(NEW)
    assert refresh(peer) and secrets(provider) == [OLD, NEW]


def test_a_stored_copy_is_the_fallback(start, home, configure, provider):
    """A grant with the request's own secret, as earlier versions stored every secret."""
    configure()
    authorize(start(), provider.approve, account="a", clientSecret=OLD)
    assert refresh(start())
    configure(NEW)
    assert refresh(start())
    # The configuration's secret has not replaced the copy.
    (home / "config" / "oauth-stdio" / "config.json").unlink()
    assert refresh(start())
    configure({"env": "NOT_SET"})
    assert refresh(start())
    assert secrets(provider) == [OLD, OLD, NEW, OLD, OLD]


@pytest.mark.parametrize("own", [OLD, None])
def test_an_imported_grant_does_not_get_the_secret_for_another_server(start, configure, provider, own):
    """A client can import a grant whose description names its own server."""
    foreign = "http://localhost:" + provider.url.rpartition(":")[2]
    configure()
    peer = start()
    data = {"access_token": "at", "refresh_token": "rt", "expires_in": 3600}
    description = {**provider.description, "tokenEndpoint": foreign + "/token", "clientAuthentication": "body"}
    params = {"provider": description, "clientId": "c", **({"clientSecret": own} if own else {})}
    peer.request("importGrant", {"account": "b", "format": "json", "data": data, **params})
    file = peer.home / "config" / "oauth-stdio" / "config.json"
    entry = {"provider": {**provider.description, "clientAuthentication": "body"}, "clientId": "c", "clientSecret": NEW}
    file.write_text(json.dumps({"accounts": {"b": entry}}))
    if own:
        assert peer.request("refresh", {"account": "b", "force": True})["refreshed"]
    else:
        with pytest.raises(RPCFault) as fault:
            peer.request("refresh", {"account": "b", "force": True})
        assert fault.value.kind == "configurationInvalid" and "stays here" in fault.value.message
    assert secrets(provider) == ([own] if own else [])
    # The entry is for another client.
    file.write_text(json.dumps({"accounts": {"b": {**entry, "clientId": "other"}}}))
    assert peer.request("refresh", {"account": "b", "force": True})["refreshed"] and secrets(provider)[-1] == own


def test_a_request_does_not_replace_the_secret_of_a_registration(start, provider):
    """No user knows that secret, so the login would be lost."""
    published = {
        "issuer": provider.url, "authorization_endpoint": provider.url + "/authorize", "token_endpoint": provider.url + "/token",
        "registration_endpoint": provider.url + "/register", "code_challenge_methods_supported": ["S256"],
    }
    provider.instead["/.well-known/oauth-authorization-server"] = lambda request: Response.of(published)
    provider.instead["/register"] = lambda request: Response.of(
        {**json.loads(request.body), "client_id": "c", "client_secret": OLD, "token_endpoint_auth_method": "client_secret_post"}, 201)
    authorize(start(), provider.approve, account="a", provider=provider.url, openBrowser=False)
    accept(provider, OLD)
    assert start().request("authorize", {"account": "a", "clientSecret": NEW})["via"] == "stored"
    assert refresh(start()) and secrets(provider) == [OLD, OLD]


@pytest.mark.parametrize("flow", ["browser", "clientCredentials"])
def test_a_secret_that_the_provider_has_replaced_is_told_by_every_command(home, provider, flow):
    """The API rejects the token, which nothing else can tell, and the provider rejects the secret that would bring another one."""
    shell = Shell(home)
    file = home / "config.json"

    def configure(secret: str) -> None:
        members = {"provider": {**provider.description, "clientAuthentication": "body"}, "clientId": "c", "clientSecret": secret, "openBrowser": False}
        file.write_text(json.dumps({"accounts": {"a": members if flow == "browser" else {**members, "flow": flow}}}))
        file.chmod(0o600)

    def said(*words, status: int = 1) -> str:
        return shell.run("--config", file, *words, status=status).stderr

    def state() -> str:
        return shell.run("--config", file, "status").stdout

    configure(OLD)
    if flow == "browser":
        shell.run("--config", file, "importGrant", "a", "json", '{"access_token":"at","refresh_token":"rt","expires_in":3600}')
    else:
        shell.run("--config", file, "token", "a")
    provider.living.clear()
    accept(provider, NEW)
    assert "invalid_client" in said("call", "a", "x")
    sent = len(secrets(provider))
    for words in (["token", "a"], ["header", "a", provider.url + "/api/x"], ["call", "a", "x"]):
        message = said(*words)
        assert "a service rejected the access token, and the authorization server answered with invalid_client. Compare the client's" in message
    assert len(secrets(provider)) == sent and "the provider rejected the client's secret or key" in state()
    # A sign-in asks the provider again.
    assert "invalid_client" in said("login", "a") and len(secrets(provider)) > sent
    configure("another")
    assert "invalid_client" in said("token", "a") and secrets(provider)[-1] == "another"
    configure(NEW)
    token = shell.run("--config", file, "token", "a").stdout
    assert token and token != "at\n" and secrets(provider)[-1] == NEW and "rejected" not in state()
    assert shell.run("--config", file, "call", "a", "x").stdout

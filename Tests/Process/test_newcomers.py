"""The first errors that a new user meets, and their messages."""

import json
import subprocess

import pytest

import browser
from conftest import DEMO
from provider import Response
from signing_in import authorize, redirect



@pytest.mark.parametrize("flow", ["browser", "device"])
def test_no_page_opens_without_a_token_endpoint(peer, provider, flow):
    description = {name: value for name, value in provider.description.items() if name != "tokenEndpoint"}
    description["deviceAuthorizationEndpoint"] = f"{provider.url}/device"
    error = peer.answer(peer.send("authorize", provider.parameters(provider=description, flow=flow)))["error"]
    assert error["data"]["kind"] == "configurationInvalid" and error["data"]["path"] == "/provider/tokenEndpoint"
    assert error["message"] == "the provider's description has no tokenEndpoint"
    assert "signInWasRequested" not in [event["method"] for event in peer.events]


@pytest.mark.parametrize("description,flow,member", [
    ({"tokenEndpoint": "https://id.example/t"}, "browser", "authorizationEndpoint"), ({}, "browser", "authorizationEndpoint"),
    ({"authorizationEndpoint": "https://id.example/a"}, "clientCredentials", "tokenEndpoint"), ({}, "device", "deviceAuthorizationEndpoint"),
    ({"protocol": "oauth1", "authorizationEndpoint": "https://id.example/a"}, "browser", "requestTokenEndpoint"),
    ({"authorizationEndpoint": "https://id.example/a", "tokenEndpoint": "https://id.example/t", "pushedAuthorizationRequests": "on"}, "browser",
     "pushedAuthorizationRequestEndpoint"),
])
def test_a_member_that_a_description_lacks_is_named(peer, description, flow, member):
    params = {"account": "a", "provider": description, "clientId": "c", "clientSecret": "s", "flow": flow, "openBrowser": False}
    assert f" {member}" in peer.answer(peer.send("authorize", params))["error"]["message"]


def test_a_token_type_that_the_api_does_not_take_as_its_scheme(peer, provider):
    type = {"token_type": "BearerToken"}
    provider.instead["/token"] = lambda request: Response.of({"access_token": "at-1", "expires_in": 3600, **type})
    provider.instead["/api/x"] = lambda request: None if request.headers["Authorization"] == "Bearer at-1" else Response(401)
    provider.living.add("at-1")
    authorize(peer, provider.approve, **provider.parameters())
    message = peer.answer(peer.send("callAPI", {"account": "a", "url": "x"}))["error"]["message"]
    assert "to the scheme BearerToken, which is the token's type" in message and "set tokenType in the provider's description" in message
    authorize(peer, provider.approve, **provider.parameters(account="b", provider={**provider.description, "tokenType": "Bearer"}))
    assert peer.request("callAPI", {"account": "b", "url": "x"})["status"] == 200
    # Its user has chosen the type, and a rejected token of the usual one has another reason.
    provider.instead["/api/x"] = lambda request: Response(401)
    for chosen in ("Custom", "Bearer"):
        authorize(peer, provider.approve, **provider.parameters(account=chosen, provider={**provider.description, "tokenType": chosen}))
        assert "tokenType" not in peer.answer(peer.send("callAPI", {"account": chosen, "url": "x"}))["error"]["message"]


def test_a_file_based_on_itself_is_not_suggested(start, home):
    folder = home / "config" / "oauth-stdio" / "providers"
    folder.mkdir(parents=True)
    (folder / "ourselves.json").write_text('{"preset": "ourselves"}')
    peer = start()
    error = peer.answer(peer.send("provider", {"provider": "ourselves"}))["error"]
    assert error["message"] == 'the provider ourselves names the preset "ourselves", which does not exist'


def test_another_port_is_named(peer, provider):
    authorize(peer, provider.approve, **provider.parameters())
    error = peer.answer(peer.send("callAPI", {"account": "a", "url": "http://127.0.0.1:1/x"}))["error"]
    assert error["message"].startswith("the token must not be sent to 127.0.0.1:1: ") and error["data"]["host"] == "127.0.0.1:1"


def test_a_configured_account_that_is_imported_is_configured(start, home, provider):
    home.mkdir(exist_ok=True)
    config = home / "config.json"
    config.write_text(json.dumps({"accounts": {"a": {"provider": provider.description, "clientId": "c"}}}))
    peer = start("--config", config)
    token = {"access_token": "curl-has-brought-this", "token_type": "bearer", "expires_in": 3600}
    for account, params in (("a", {}), ("b", {"provider": provider.description, "clientId": "c"})):
        answer = peer.request("importGrant", {"account": account, "format": "json", "data": token, **params})
        assert answer == peer.request("account", {"account": account})
        assert answer.get("configured", False) == (account == "a")


def test_a_configured_account_without_a_provider_names_the_missing_member(start, home):
    home.mkdir(exist_ok=True)
    config = home / "config.json"
    config.write_text(json.dumps({"accounts": {"a": {"clientId": "c"}}}))
    peer = start("--config", config)
    error = peer.answer(peer.send("authorize", {"account": "a"}))["error"]
    assert error["message"] == "/provider is missing: neither the configuration nor a stored grant names one for this account"


@pytest.mark.parametrize(("base", "path"), [("/api/v1/", "/api/v1/user"), ("/api/v1", "/api/user")])
def test_a_base_ends_in_a_slash(peer, provider, base, path):
    authorize(peer, provider.approve, **provider.parameters(provider={**provider.description, "apiBase": provider.url + base}))
    peer.request("callAPI", {"account": "a", "url": "user"})
    assert provider.requests[-1].path == path


def test_an_account_by_a_url_is_named_for_it(peer, provider):
    metadata = {
        "issuer": provider.url,
        "authorization_endpoint": provider.url + "/authorize",
        "token_endpoint": provider.url + "/token",
        "response_types_supported": ["code"],
    }
    provider.instead["/.well-known/oauth-authorization-server"] = lambda request: Response.of(metadata)
    params = {"provider": provider.url, "clientId": "c", "openBrowser": False}
    assert authorize(peer, provider.approve, **params)["account"] == provider.url.removeprefix("http://")
    assert authorize(peer, provider.approve, account="named", **params)["account"] == "named"


@pytest.mark.parametrize(
    ("end", "event"),
    [("code", "authorizationWasSuccessful"), ("error", "errorOccuredWithShortDescription"), ("timeout", "signInWasAbandoned")],
)
def test_an_event_reports_the_end_of_a_sign_in_without_a_waiter(peer, provider, end, event):
    asked = peer.send("authorize", provider.parameters(wait=False, timeout=3 if end == "timeout" else 60))
    url = peer.result(asked)["signIn"]["url"]
    if end == "code":
        provider.approve(url)
    elif end == "error":
        browser.deliver(redirect(url, error="access_denied"))
    assert peer.event(event, request=asked)["account"] == "a"


def test_the_demo_provider_says_how_it_is_started():
    shown = subprocess.run([DEMO, "--help"], capture_output=True, text=True)
    assert shown.returncode == 0 and shown.stdout.startswith("usage: demo-provider [--port N]") and not shown.stderr

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
    assert error["message"] == "the provider has no token endpoint"
    assert "signInWasRequested" not in [event["method"] for event in peer.events]


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
    asked = peer.send("authorize", provider.parameters(wait=False, timeout=1 if end == "timeout" else 60))
    url = peer.result(asked)["signIn"]["url"]
    if end == "code":
        provider.approve(url)
    elif end == "error":
        browser.deliver(redirect(url, error="access_denied"))
    assert peer.event(event, request=asked)["account"] == "a"


def test_the_demo_provider_says_how_it_is_started():
    shown = subprocess.run([DEMO, "--help"], capture_output=True, text=True)
    assert shown.returncode == 0 and shown.stdout.startswith("usage: demo-provider [--port N]") and not shown.stderr

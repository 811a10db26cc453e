"""The demo provider describes itself, asks for consent and has a device flow. Its pages and redirects are safe, and it ends as it is told to."""

import base64
import hashlib
import json
import re
import signal
import subprocess
import urllib.parse
import urllib.request

import pytest

import browser
from conftest import DEMO
from rpc import PATIENCE, RPCFault
from signing_in import authorize

VERIFIER = "v" * 43
ASKED = {
    "client_id": "demo", "redirect_uri": "http://127.0.0.1:1/callback?q=1", "response_type": "code", "scope": "read write openid", "state": "s&t",
    "code_challenge": base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("="), "code_challenge_method": "S256",
}


def parameters(demo, **more) -> dict:
    return {"account": "a", "provider": demo.url, "clientId": "demo", "openBrowser": False, **more}


def post(url: str, **form) -> tuple[int, dict]:
    try:
        with urllib.request.urlopen(url, urllib.parse.urlencode(form).encode()) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def get(demo, **more) -> browser.Page:
    """Opens the authorization page. An argument that is None leaves its parameter out."""
    query = {name: value for name, value in {**ASKED, **more}.items() if value is not None}
    return browser.Browser().get(f"{demo.url}/authorize?{urllib.parse.urlencode(query, doseq=True)}")


def approve(url: str) -> None:
    browser.deliver(browser.Browser().get(url + "&demo_auto=allow").location)


def test_an_issuer_is_all_that_a_client_needs(peer, demo):
    assert authorize(peer, approve, **parameters(demo, scopes=["email"]))["grantedScopes"] == ["email"]
    assert peer.request("userInfo", {"account": "a"})["claims"]["email"] == "demo@example.com"
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
    assert peer.request("revoke", {"account": "a"})["revoked"] is True
    described = peer.request("provider", {"provider": f"{demo.url}/.well-known/openid-configuration"})["endpoints"]
    assert described["deviceAuthorizationEndpoint"] == demo.url + "/device_authorization" and "jwksUri" not in described


def test_the_consent_form_and_a_code_that_is_used_twice(demo):
    """The user can deselect scopes. The server ignores those that it does not know."""
    page = get(demo)
    assert page.status == 200 and "openid</label>" not in page.text
    (form,) = browser.FormParser(page).forms
    # The parser keeps the last scope, which is `write`.
    decided = browser.Browser().request("POST", form.action, {**form.fields, "decision": "allow"})
    answer = urllib.parse.urlsplit(decided.location)
    fields = dict(urllib.parse.parse_qsl(answer.query))
    assert answer.netloc == "127.0.0.1:1" and (fields.pop("q"), fields.pop("state"), fields.pop("iss")) == ("1", "s&t", demo.url)
    redemption = {"grant_type": "authorization_code", "client_id": "demo", "redirect_uri": ASKED["redirect_uri"], **fields}
    assert post(demo.url + "/token", **redemption, code_verifier="w" * 43)[1]["error"] == "invalid_grant"
    status, tokens = post(demo.url + "/token", **redemption, code_verifier=VERIFIER)
    assert (status, tokens["scope"]) == (200, "write")
    assert post(demo.url + "/token", **redemption, code_verifier=VERIFIER)[1]["error"] == "invalid_grant"
    refresh = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"], "client_id": "demo"}
    assert post(demo.url + "/token", **refresh)[1]["error_description"] == "the grant was revoked"


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"code_challenge": None}, "invalid_request"), ({"code_challenge_method": None}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"), ({"scope": "openid"}, "invalid_scope"), ({"demo_auto": "deny"}, "access_denied"),
    ],
)
def test_the_client_is_told_of_an_error(demo, changed, error):
    fields = browser.query(get(demo, **{"demo_auto": "allow", **changed}).location)
    assert (fields["error"], fields["state"], fields["iss"]) == (error, "s&t", demo.url)


@pytest.mark.parametrize(
    "changed",
    [
        {"client_id": "other"}, {"redirect_uri": None}, {"redirect_uri": "https://127.0.0.1/"}, {"redirect_uri": "http://127.0.0.1.example/"},
        {"redirect_uri": "http://127.0.0.1:1@example.com/"}, {"redirect_uri": "http://127.0.0.1/\r\nSet-Cookie: a=b"},
        {"redirect_uri": "http://127.0.0.1/#f"}, {"scope": ["read", "write"]}, {"demo_auto": "perhaps"},
    ],
)
def test_nothing_is_sent_to_an_unsafe_address(demo, changed):
    page = get(demo, **{"demo_auto": "allow", **changed})
    assert page.status == 400 and page.location is None and "Set-Cookie" not in page.headers


def test_a_page_has_no_markup_of_a_request(demo):
    attack = "\"'><script>"
    page = browser.Browser().get(f"{demo.url}/device?{urllib.parse.urlencode({'user_code': attack})}")
    shown = get(demo, redirect_uri=f"http://127.0.0.1/{attack}", scope=f"read {attack}", state=attack, **{attack: attack})
    assert browser.FormParser(page).forms[0].fields["user_code"] == attack and "http://127.0.0.1/" in shown.text
    for found in (page, shown):
        assert "<script>" not in found.text and found.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("decision", ["allow", "deny"])
def test_a_code_is_typed_on_its_page(peer, demo, decision):
    identifier = peer.send("authorize", parameters(demo, flow="device", scopes=["read"], openBrowser=True))
    event = peer.event("signInWasRequested", request=identifier)
    assert event["verificationUri"] == demo.url + "/device"
    page = browser.Browser().get(event["url"])
    assert f'value="{event["userCode"]}"' in page.text
    data = urllib.parse.urlencode({"user_code": event["userCode"].lower(), "decision": decision}).encode()
    assert urllib.request.urlopen(event["verificationUri"], data).status == 200
    if decision == "allow":
        assert peer.result(identifier)["grantedScopes"] == ["read"]
    else:
        with pytest.raises(RPCFault) as fault:
            peer.result(identifier)
        assert fault.value.kind == "accessDenied"


def test_a_hasty_client_is_told_to_slow_down(demo):
    _, codes = post(demo.url + "/device_authorization", client_id="demo", scope="read")
    asked = {"grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": codes["device_code"], "client_id": "demo"}
    assert [post(demo.url + "/token", **asked)[1]["error"] for _ in range(2)] == ["slow_down", "slow_down"]
    assert post(demo.url + "/token", **{**asked, "device_code": "x"})[1]["error"] == "invalid_grant"
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(f"{demo.url}/device?user_code=UNKNOWNX&demo_auto=allow")


def test_the_api_names_what_is_wrong_with_a_token(demo):
    for header, challenge in (({}, 'Bearer realm="demo"'), ({"Authorization": "Bearer x"}, 'Bearer realm="demo", error="invalid_token", ')):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(urllib.request.Request(f"{demo.url}/api/me", headers=header))
        assert refused.value.code == 401 and refused.value.headers["WWW-Authenticate"].startswith(challenge)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_and_a_port_is_not_shared(number):
    with subprocess.Popen([DEMO], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        port = json.loads(process.stdout.readline())["port"]
        second = subprocess.run([DEMO, "--port", str(port)], capture_output=True, text=True, timeout=PATIENCE)
        assert second.returncode == 1 and re.fullmatch(f"demo-provider: .* port {port}: address already in use\n", second.stderr)
        process.send_signal(number)
        assert (process.wait(PATIENCE), process.stderr.read()) == (0, "")


def test_a_wrong_option_is_refused():
    for arguments in (["--port", "65536"], ["--port", "x"], ["other"]):
        ended = subprocess.run([DEMO, *arguments], capture_output=True, text=True, timeout=PATIENCE)
        assert ended.returncode == 2 and ended.stderr.startswith("usage: demo-provider ") and not ended.stdout

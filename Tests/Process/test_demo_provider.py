"""The demo provider: it describes itself, signs ID tokens, and has a device flow."""

import json
import urllib.parse
import urllib.request

import pytest

import browser
from rpc import RPCFault
from signing_in import authorize


def parameters(demo, **more) -> dict:
    return {"account": "a", "provider": demo.url, "clientId": "demo", "openBrowser": False, **more}


def post(url: str, **form) -> tuple[int, dict]:
    try:
        with urllib.request.urlopen(url, urllib.parse.urlencode(form).encode()) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def test_its_id_tokens_are_valid(peer, demo):
    """The program checks the signature and the nonce."""
    approve = lambda url: browser.deliver(browser.Browser().get(url + "&demo_auto=allow").location)
    granted = authorize(peer, approve, **parameters(demo, scopes=["openid", "email"]))
    assert granted["subject"] == "demo" and granted["email"] == "demo@example.com"
    token = peer.request("accessToken", {"account": "a", "idToken": True})["idToken"]
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
    assert peer.request("accessToken", {"account": "a", "idToken": True})["idToken"] != token
    assert peer.request("userInfo", {"account": "a"})["claims"]["sub"] == "demo"


@pytest.mark.parametrize("decision", ["allow", "deny"])
def test_a_code_is_typed_on_its_page(peer, demo, decision):
    identifier = peer.send("authorize", parameters(demo, flow="device", scopes=["openid", "read"], openBrowser=True))
    event = peer.event("signInWasRequested", request=identifier)
    assert event["verificationUri"] == demo.url + "/device"
    page = browser.Browser().get(event["url"])
    assert f'value="{event["userCode"]}"' in page.text
    data = urllib.parse.urlencode({"user_code": event["userCode"].lower(), "decision": decision}).encode()
    assert urllib.request.urlopen(event["verificationUri"], data).status == 200
    if decision == "allow":
        assert peer.result(identifier)["grantedScopes"] == ["openid", "read"] and peer.request("account", {"account": "a"})["subject"] == "demo"
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

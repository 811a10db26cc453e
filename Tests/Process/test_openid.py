"""OpenID 2.0 against a real provider (python3-openid): every way to sign in, and the responses that must be rejected."""

import json

import pytest

import browser
from openid_user import Answer, approve, sign_in
from rpc import RPCFault
from signing_in import authorize

EMAIL = "http://axschema.org/contact/email"


def described(url: str, **members) -> dict:
    """An OpenID provider, described as params of `authorize`."""
    return {"name": "Test", "protocol": "openid2", "openidEndpoint": f"{url}/openid", "openidClaimedIds": f"{url}/id/", **members}


def asked(provider: dict, **more) -> dict:
    return {"account": "a", "provider": provider, "openBrowser": False, **more}


def control(url: str, **what) -> list[dict]:
    """Returns the requests to the server since the last call."""
    return json.loads(browser.Browser().request("POST", url + "/control", json_body=what).text)


def page(peer, provider: dict, **more) -> tuple[int, str]:
    identifier = peer.send("authorize", asked(provider, **more))
    return identifier, peer.event("signInWasRequested", request=identifier)["url"]


# Ways to sign in


def test_sign_in(peer, openid_url):
    granted = authorize(peer, approve, **asked(described(openid_url)))
    assert granted["subject"] == f"{openid_url}/id/user1" and granted["via"] == "signedIn" and "tokenType" not in granted
    assert peer.request("account", {"account": "a"})["subject"] == f"{openid_url}/id/user1"


def asked_of_the_endpoint(url: str) -> list[str]:
    """Returns the modes of the endpoint's direct requests since the last call, without those of a browser."""
    return [request["form"].get("openid.mode") for request in control(url) if request["path"] == "/openid" and request["method"] == "POST"]


def test_the_provider_is_asked_about_each_answer(peer, openid_url):
    """The process establishes no shared key (OpenID Authentication 2.0, 11.4.2)."""
    control(openid_url)
    for _ in range(2):
        granted = authorize(peer, approve, **asked(described(openid_url), interaction="always"))
        assert granted["subject"] == f"{openid_url}/id/user1"
        assert asked_of_the_endpoint(openid_url) == ["check_authentication"]
    _, url = page(peer, described(openid_url), interaction="always")
    assert "openid.assoc_handle" not in browser.query(url)
    assert asked_of_the_endpoint(openid_url) == []


def test_a_provider_that_has_forgotten_what_it_signed(peer, openid_url):
    identifier, url = page(peer, described(openid_url))
    answer = sign_in(url)
    control(openid_url, forget=True)
    assert answer.deliver().status == 400
    assert fault_of(peer, identifier).kind == "responseUntrusted"
    assert authorize(peer, approve, **asked(described(openid_url)))["subject"] == f"{openid_url}/id/user1"


def test_attributes(peer, openid_url):
    """The signed attributes; one that the provider does not know is left out."""
    provider = described(openid_url, openidAttributes={"required": {"email": EMAIL, "name": "http://axschema.org/namePerson", "none": "urn:example:unknown"}})
    authorize(peer, approve, **asked(provider))
    account = peer.request("account", {"account": "a"})
    assert account["attributes"] == {"email": "user1@example.org", "name": "User One"}
    assert account["email"] == "user1@example.org" and account["canRefresh"] is False


def test_an_answer_by_form(peer, openid_url):
    """A response that is too long for a URL arrives as a form at the loopback address."""
    provider = described(openid_url, openidAttributes={"required": {"long": "http://example.org/long"}})
    identifier, url = page(peer, provider)
    answer = sign_in(url)
    assert answer.form and len(answer.form["openid.sig"]) > 20
    assert answer.deliver().status == 200
    assert peer.result(identifier)["subject"] == f"{openid_url}/id/user1"
    assert peer.request("account", {"account": "a"})["attributes"] == {"long": "x" * 3000}


def test_an_answer_that_the_client_catches(peer, openid_url):
    identifier, url = page(peer, described(openid_url), redirectUri="https://app.example/back?x=1")
    answer = sign_in(url)
    assert answer.url.startswith("https://app.example/back?x=1&state=")
    assert peer.request("handleRedirect", {"url": answer.changed(mode="id_res").replace("state=", "state=x")})["handled"] is False
    assert peer.request("handleRedirect", {"url": answer.as_get}) == {"handled": True}
    assert peer.result(identifier)["subject"] == f"{openid_url}/id/user1"
    assert peer.request("handleRedirect", {"url": answer.as_get})["handled"] is False


def test_a_stored_identity(peer, openid_url):
    """A stored identity needs no page. Another provider needs another sign-in."""
    authorize(peer, approve, **asked(described(openid_url)))
    assert peer.request("authorize", asked(described(openid_url)))["via"] == "stored"
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", asked(described(openid_url, openidEndpoint=f"{openid_url}/other"), interaction="never"))
    assert fault.value.kind == "signInRequired"


def test_an_identity_is_no_token(peer, openid_url):
    authorize(peer, approve, **asked(described(openid_url, apiBase=f"{openid_url}/v1/")))
    for method, parameters in [("accessToken", {}), ("refresh", {}), ("refresh", {"force": True}), ("callAPI", {"url": "me"}), ("authorizeRequest", {"url": f"{openid_url}/v1/me"})]:
        with pytest.raises(RPCFault) as fault:
            peer.request(method, {"account": "a", **parameters})
        assert fault.value.kind == "unsupportedByProvider", method
    assert peer.request("revoke", {"account": "a"}) == {"account": "a", "revoked": False, "remote": "unsupported"}
    with pytest.raises(RPCFault) as fault:
        peer.request("accessToken", {"account": "a"})
    assert fault.value.kind == "signInRequired"


# Failed sign-ins


def fault_of(peer, identifier) -> RPCFault:
    with pytest.raises(RPCFault) as fault:
        peer.result(identifier)
    return fault.value


def test_cancelled_and_refused(peer, openid_url):
    identifier, url = page(peer, described(openid_url))
    sign_in(url, deny=True).deliver()
    assert fault_of(peer, identifier).kind == "accessDenied"

    identifier, url = page(peer, described(openid_url))
    answer = Answer(browser.query(url)["openid.return_to"] + "&openid.mode=error&openid.error=not+today")
    assert answer.deliver().status == 400
    fault = fault_of(peer, identifier)
    assert fault.kind == "authorizationServerError" and fault.data["error"] == "not today"


CHANGES = {
    "another user": {"claimed_id": "http://127.0.0.1:1/id/user2", "identity": "http://127.0.0.1:1/id/user2"},
    "another signature": {"sig": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="},
    "no signature": {"sig": None},
    "a signature over less": {"signed": "op_endpoint,return_to,response_nonce,assoc_handle"},
    "fields cut off": {"identity": None},
    "another provider": {"op_endpoint": "https://evil.example/openid"},
    "another place": {"return_to": "http://127.0.0.1:1/callback"},
    "another nonce": {"response_nonce": "2020-01-01T00:00:00Zabc"},
    "another key": {"assoc_handle": "{HMAC-SHA256}{0}{x}"},
    "an older protocol": {"ns": "http://openid.net/signon/1.1"},
    "no mode": {"mode": "checkid_setup"},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_forged_answers(peer, openid_url, change):
    """Any change ends the sign-in, and nothing is stored."""
    identifier, url = page(peer, described(openid_url))
    assert Answer(sign_in(url).changed(**change)).deliver().status == 400
    assert fault_of(peer, identifier).kind == "responseUntrusted"
    with pytest.raises(RPCFault) as fault:
        peer.request("accessToken", {"account": "a"})
    assert fault.value.kind == "signInRequired"


def test_replayed_answers(peer, openid_url):
    """A response is valid once and only for its own sign-in, even with the next one's state."""
    provider = described(openid_url)
    identifier, url = page(peer, provider, redirectUri="https://app.example/back")
    answer = sign_in(url)
    assert peer.request("handleRedirect", {"url": answer.as_get})["handled"] is True
    peer.result(identifier)
    identifier, url = page(peer, provider, interaction="always", redirectUri="https://app.example/back")
    assert peer.request("handleRedirect", {"url": answer.as_get})["handled"] is False
    state = browser.query(browser.query(url)["openid.return_to"])["state"]
    old = browser.query(answer.url)["state"]
    assert peer.request("handleRedirect", {"url": answer.as_get.replace(f"?state={old}", f"?state={state}")})["handled"] is True
    assert fault_of(peer, identifier).kind == "responseUntrusted"


def test_strangers_do_not_end_a_sign_in(peer, openid_url):
    identifier, url = page(peer, described(openid_url))
    answer = sign_in(url)
    place = answer.url.split("?")[0]
    for stranger in (place, place + "?openid.mode=cancel", place + "?state=x&openid.mode=cancel", place + "?openid.mode=error&openid.error=x"):
        assert Answer(stranger).deliver().status == 404
    answer.deliver()
    assert peer.result(identifier)["subject"] == f"{openid_url}/id/user1"


# Descriptions that are not enough


@pytest.mark.parametrize("member", ["openidEndpoint", "openidClaimedIds"])
def test_a_member_that_is_missing(peer, openid_url, member):
    """The process looks up neither the endpoint nor an identifier, so the description must have both."""
    provider = {name: value for name, value in described(openid_url).items() if name != member}
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", asked(provider))
    assert fault.value.kind == "configurationInvalid" and fault.value.data["path"] == f"/provider/{member}"
    assert f"has no {member}: add the URL" in fault.value.message


def test_an_identifier_of_another_provider(peer, openid_url):
    """The provider's own signature does not prove a user of another one."""
    identifier, url = page(peer, described(openid_url, openidClaimedIds=f"{openid_url}/other/"))
    assert sign_in(url).deliver().status == 400
    assert fault_of(peer, identifier).kind == "responseUntrusted"

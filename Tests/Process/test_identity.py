"""Identity: ID tokens of authlib's server with every type of key, key rotation, and a start without the network."""

import time
import urllib.request

import pytest

import browser
import id_tokens
from provider import Provider, Response
from rpc import RPCFault
from signing_in import authorize, redirect


def post(url: str) -> None:
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(urllib.request.Request(url, b"", method="POST")) as answer:
        assert answer.status == 200


@pytest.mark.parametrize("authlib", ["RS256", "RS512", "PS256", "ES256", "ES384", "EdDSA"], indirect=True)
def test_every_kind_of_key(peer, authlib):
    granted = authorize(peer, **authlib.parameters(account="a"))
    assert granted["subject"] == "u-1" and granted["email"] == "user1@example.org"
    state = peer.request("account", {"account": "a"})
    assert state["subject"] == "u-1" and state["email"] == "user1@example.org"
    first = peer.request("accessToken", {"account": "a"})["idToken"]
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
    assert peer.request("accessToken", {"account": "a"})["idToken"].count(".") == 2
    assert first.count(".") == 2
    # An event would report a fault of the new ID token.
    assert not [event for event in peer.events if event["method"] == "errorOccuredWithShortDescription"]
    info = peer.request("userInfo", {"account": "a"})
    assert info["subject"] == "u-1" and info["claims"]["name"] == "User One"
    assert peer.request("introspect", {"account": "a"})["active"] is True


@pytest.mark.parametrize("authlib", ["HS256"], indirect=True)
def test_a_secret_that_everybody_may_know_signs_nothing(peer, authlib):
    with pytest.raises(RPCFault) as fault:
        authorize(peer, **authlib.parameters(account="a"))
    assert fault.value.kind == "responseUntrusted" and "HS256" in fault.value.message
    assert peer.request("account", {"account": "a"})["canAuthorize"] is False


def test_keys_that_rotate(peer, authlib):
    authorize(peer, **authlib.parameters(account="a"))
    post(authlib.url + "/test/rotate?forget=1")
    granted = authorize(peer, **authlib.parameters(account="b"))
    assert granted["subject"] == "u-1"


def test_a_forged_signature(peer, authlib):
    authorize(peer, **authlib.parameters(account="a"))
    post(authlib.url + "/test/forge")
    with pytest.raises(RPCFault) as fault:
        authorize(peer, **authlib.parameters(account="b"))
    assert fault.value.kind == "responseUntrusted"
    # A refresh keeps the tokens and reports that it rejects the ID token.
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
    assert peer.event("errorOccuredWithShortDescription", account="a")["kind"] == "responseUntrusted"
    assert peer.request("callAPI", {"account": "a", "url": "userinfo"})["status"] == 200


@pytest.mark.parametrize("authlib", [{"AUTHLIB_ID_TOKEN_ON_REFRESH": "0"}], indirect=True)
def test_a_refresh_without_an_id_token(peer, authlib):
    authorize(peer, **authlib.parameters(account="a"))
    assert peer.request("refresh", {"account": "a", "force": True})["subject"] == "u-1"
    assert peer.request("refresh", {"account": "a"})["refreshed"] is False


def test_scopes_that_are_added(peer, authlib):
    authorize(peer, **authlib.parameters(account="a"))
    identifier = peer.send("addScopes", {"account": "a", "scopes": ["write"], "openBrowser": False})
    url = peer.event("signInWasRequested", request=identifier)["url"]
    assert browser.query(url)["login_hint"] == "user1@example.org"
    browser.deliver(browser.Browser().sign_in(url))
    assert sorted(peer.result(identifier)["grantedScopes"]) == ["email", "openid", "read", "write"]
    assert peer.request("addScopes", {"account": "a", "scopes": ["write"]})["via"] == "stored"


def test_an_id_token_of_dot(peer, dot):
    """django-oauth-toolkit signs with RS256. Its user info is about the same user."""
    provider = {**dot.provider, "jwksUri": f"{dot.url}/o/.well-known/jwks.json", "userInfoEndpoint": f"{dot.url}/o/userinfo/"}
    granted = authorize(peer, **dot.parameters(account="a", provider=provider, scopes=["openid", "read"]))
    assert granted["subject"]
    assert peer.request("userInfo", {"account": "a"})["subject"] == granted["subject"]


def test_an_id_token_of_glewlwyd(peer, glewlwyd):
    """glewlwyd requires a nonce and names its signing key."""
    provider = {**glewlwyd.provider, "jwksUri": f"{glewlwyd.provider['issuer']}/jwks", "userInfoEndpoint": f"{glewlwyd.provider['issuer']}/userinfo"}
    granted = authorize(peer, **glewlwyd.parameters(account="a", provider=provider, scopes=["openid", "scope1"]))
    assert granted["subject"]
    assert peer.request("userInfo", {"account": "a"})["subject"] == granted["subject"]


def test_a_start_without_the_network(start):
    """A signed-in account stays signed in at the next start while the provider is unreachable."""

    def respond(request):
        if request.path == "/keys":
            return Response(200, id_tokens.KEY_SET.encode())
        token = id_tokens.sign({"nonce": nonce, "email": "u1@example.org"}, provider.url)
        return Response.of({"access_token": "at-1", "refresh_token": "rt-1", "token_type": "Bearer", "expires_in": 3600, "id_token": token})

    with Provider(respond) as provider:
        described = {**provider.description, "issuer": provider.url, "jwksUri": f"{provider.url}/keys"}
        parameters = {"account": "a", "provider": described, "clientId": "c", "scopes": ["openid"], "openBrowser": False}
        peer = start()
        identifier = peer.send("authorize", parameters)
        url = peer.event("signInWasRequested", request=identifier)["url"]
        nonce = browser.query(url)["nonce"]
        browser.deliver(redirect(url, code="c0de"))
        assert peer.result(identifier)["subject"] == "u-1"
        assert peer.finish() == 0
    second = start()
    restored = second.request("authorize", {"account": "a"})
    assert restored["via"] == "stored" and restored["subject"] == "u-1" and restored["email"] == "u1@example.org"
    assert second.request("accessToken", {"account": "a"})["idToken"].count(".") == 2
    assert second.request("account", {"account": "a"})["canAuthorize"] is True
    # signOut only deletes the grant, so it needs no provider.
    assert second.request("signOut", {"account": "a"})
    assert second.request("account", {"account": "a"})["canAuthorize"] is False


def test_an_id_token_that_ends_before_the_access_token(peer):
    """Each credential has its own end. A client that needs an ID token gets a valid one or has to sign in."""
    lives, count = [3600, None], iter(range(1, 9))

    def respond(request):
        if request.path == "/keys":
            return Response(200, id_tokens.KEY_SET.encode())
        life = lives.pop(0)
        token = {} if life is None else {"id_token": id_tokens.sign({"exp": int(time.time()) + life}, provider.url)}
        return Response.of({"access_token": f"at-{next(count)}", "refresh_token": "rt", "token_type": "Bearer", "expires_in": 3600, **token})

    with Provider(respond) as provider:
        described = {**provider.description, "issuer": provider.url, "jwksUri": f"{provider.url}/keys"}
        ended = id_tokens.sign({"exp": int(time.time()) - 1}, provider.url)
        data = {"access_token": "at-0", "refresh_token": "rt", "expires_in": 3600, "id_token": ended}

        def restore():
            peer.request(
                "importGrant", {"account": "a", "format": "json", "data": data, "provider": described, "clientId": "c", "replace": True})

        restore()
        first = peer.request("accessToken", {"account": "a"})
        assert first["accessToken"] == "at-0" and "idToken" not in first and len(lives) == 2
        second = peer.request("accessToken", {"account": "a", "idToken": True})
        assert second["accessToken"] == "at-1" and second["idToken"] != ended and second["idTokenExpiresAt"] > time.time() + 3000
        assert peer.request("accessToken", {"account": "a", "idToken": True}) == second
        # The provider sends no ID token with the next refresh.
        restore()
        with pytest.raises(RPCFault) as fault:
            peer.request("accessToken", {"account": "a", "idToken": True})
        assert fault.value.kind == "signInRequired" and "the ID token has expired" in fault.value.message and not lives
        assert peer.request("accessToken", {"account": "a"})["accessToken"] == "at-2"

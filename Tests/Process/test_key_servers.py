"""Keys instead of secrets at servers that others wrote: assertions of clients, DPoP and certificates at glewlwyd, authlib's strict classes, idpyoidc."""

import json
import urllib.request

import pytest

import browser
from certificates import Authority
from rpc import RPCFault
from signing_in import authorize
from strict_server import pem

EXCHANGE = "urn:ietf:params:oauth:token-type:"


def told(server, issuer: str = "oidc", **provider) -> dict:
    """Returns params of `authorize` for glewlwyd, with all endpoints of one issuer. Its assertions name the endpoint that they are for."""
    base = f"{server.url}/api/{issuer}"
    places = {"authorization": "auth", "token": "token", "revocation": "revoke", "introspection": "introspect", "pushedAuthorizationRequest": "par"}
    endpoints = {f"{name}Endpoint": f"{base}/{place}" for name, place in places.items()}
    described = {"issuer": base, **endpoints, "apiBase": base + "/", "assertionAudience": "tokenEndpoint", **provider}
    return {**server.parameters(account="a"), "provider": described}


def at_every_endpoint(peer, server, wanted: dict) -> None:
    """Signs in by a pushed request, refreshes, introspects and revokes."""

    def approve(url: str) -> None:
        assert set(browser.query(url)) == {"client_id", "request_uri"}
        browser.deliver(browser.Browser().sign_in(url, redirect_uri=server.redirect_uri))

    assert authorize(peer, approve, **wanted)["via"] == "signedIn"
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
    assert peer.request("callAPI", {"account": "a", "url": "userinfo", "as": "json"})["json"]["name"] == "User One"
    assert peer.request("introspect", {"account": "a"})["active"] is True
    assert peer.request("revoke", {"account": "a"})["remote"] == "revoked"


@pytest.mark.parametrize("algorithm", ["RS256", "ES256", "EdDSA"])
def test_a_key_authenticates_at_every_endpoint(peer, glewlwyd, algorithm):
    """The keys are PKCS#1, SEC1 and PKCS#8 PEM as openssl writes them."""
    key = (glewlwyd.state / f"{algorithm}.pem").read_text()
    wanted = told(glewlwyd, clientAuthentication="privateKeyJwt", pushedAuthorizationRequests="on")
    at_every_endpoint(peer, glewlwyd, {**wanted, "clientId": f"jwt-{algorithm}", "privateKey": key})


def test_a_secret_signs_at_every_endpoint(peer, glewlwyd):
    wanted = told(glewlwyd, clientAuthentication="clientSecretJwt", pushedAuthorizationRequests="on")
    at_every_endpoint(peer, glewlwyd, {**wanted, "clientId": "jwt-secret", "clientSecret": "a-secret-that-is-long-enough-to-sign-with"})


def test_the_key_of_another_client(peer, glewlwyd):
    wanted = told(glewlwyd, clientAuthentication="privateKeyJwt")
    wanted |= {"flow": "clientCredentials", "clientId": "jwt-ES256", "privateKey": (glewlwyd.state / "RS256.pem").read_text()}
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", wanted)
    assert fault.value.kind == "authorizationServerError" and "PRIVATE KEY" not in str(fault.value)


# DPoP


@pytest.mark.parametrize("issuer", ["oidc", "nonce"])
def test_proofs_at_glewlwyd(start, glewlwyd, issuer):
    """The issuer `nonce` wants a nonce in each proof, another one after each third. The second process has the key and no nonce yet."""
    first, pages = start(), []

    def approve(url: str) -> None:
        pages.append(browser.query(url))
        browser.deliver(browser.Browser().sign_in(url))

    assert authorize(first, approve, **told(glewlwyd, issuer), dpop=True)["via"] == "signedIn"
    assert len(pages) == 1 and len(pages[0]["dpop_jkt"]) == 43
    for peer in (first, start()):
        for _ in range(4):
            assert peer.request("callAPI", {"account": "a", "url": "userinfo?fields=all", "as": "json"})["json"]["name"] == "User One"
            assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True


# Certificates


@pytest.fixture
def tls(start, tls_glewlwyd):
    return start(environment={"SSL_CERT_FILE": str(tls_glewlwyd.authority.file)})


def certified(server, authority=None) -> dict:
    """Returns params of `authorize`. glewlwyd accepts certificates at the aliases alone, which its metadata name."""
    issuer = server.provider["issuer"]
    described = {"discovery": issuer, "apiBase": issuer + "/", "clientAuthentication": "tlsClientAuth", "pushedAuthorizationRequests": "on"}
    certificate = (authority or server.authority).client("tls").params
    return {**server.parameters(account="a"), "provider": described, "clientId": "tls", "clientCertificate": certificate}


def test_a_certificate_authenticates_at_every_endpoint(tls, tls_glewlwyd, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(tls_glewlwyd.authority.file))
    at_every_endpoint(tls, tls_glewlwyd, certified(tls_glewlwyd))


def test_a_certificate_of_another_authority(tls, tls_glewlwyd, tmp_path):
    with pytest.raises(RPCFault) as fault:
        tls.request("authorize", {**certified(tls_glewlwyd, Authority(tmp_path)), "flow": "clientCredentials"})
    assert fault.value.kind == "authorizationServerError" and fault.value.data["httpStatus"] == 403


# One audience, each assertion once


def client_credentials(strict, algorithm: str, token: str = "/token", **provider) -> dict:
    described = strict.provider(token, clientAuthentication="privateKeyJwt", **provider)
    return {"account": "a", "provider": described, "flow": "clientCredentials", "clientId": algorithm, "scopes": ["read"],
            "privateKey": pem(strict.keys[algorithm]), "signingAlgorithm": algorithm, "keyId": "k-1"}


@pytest.mark.parametrize("algorithm", ["RS256", "ES256"])
def test_the_issuer_is_the_only_audience(peer, strict, algorithm):
    assert peer.request("authorize", client_credentials(strict, algorithm))["via"] == "signedIn"
    seen = strict.seen()[-1]
    assert seen["header"] == {"alg": algorithm, "kid": "k-1", "typ": "client-authentication+jwt"}
    claims = seen["claims"]
    assert claims.pop("exp") - claims.pop("iat") == 60 and len(claims.pop("jti")) > 20
    assert claims == {"iss": algorithm, "sub": algorithm, "aud": strict.url}
    # The server would refuse the first assertion again.
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
    assert peer.request("callAPI", {"account": "a", "url": "api", "as": "json"})["json"]["client"] == algorithm
    assert peer.request("revoke", {"account": "a"})["remote"] == "revoked"


@pytest.mark.parametrize("audience", ["tokenEndpoint", "URL"])
def test_an_old_server_takes_its_endpoint_alone(peer, strict, audience):
    endpoint = strict.url + "/old/token"
    wanted = client_credentials(strict, "ES256", "/old/token", assertionAudience=endpoint if audience == "URL" else audience, assertionType="JWT")
    assert peer.request("authorize", wanted)["via"] == "signedIn"
    assert strict.seen()[-1]["header"]["typ"] == "JWT" and strict.seen()[-1]["claims"]["aud"] == endpoint
    del wanted["provider"]["assertionAudience"]
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", {**wanted, "account": "b"})
    assert fault.value.kind == "authorizationServerError" and fault.value.data["error"] == "invalid_client"


# Assertions and exchanges as grants


@pytest.mark.parametrize("algorithm", ["RS256", "ES256"])
def test_a_signed_assertion_is_a_grant(peer, strict, algorithm):
    wanted = {"account": "a", "provider": strict.provider(), "flow": "jwtBearer", "scopes": ["read"], "privateKey": pem(strict.keys[algorithm]),
              "signingAlgorithm": algorithm, "assertionClaims": {"iss": algorithm, "sub": "u-1"}}
    assert peer.request("authorize", wanted)["via"] == "signedIn"
    assert strict.seen()[-1]["claims"]["aud"] == strict.url and strict.seen()[-1]["form"]["scope"] == "read"
    assert peer.request("callAPI", {"account": "a", "url": "api", "as": "json"})["json"] == {"client": algorithm, "user": "u-1"}
    first = strict.seen()[-1]["claims"]["jti"]
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
    assert strict.seen()[-1]["claims"]["jti"] != first


def test_the_assertion_of_an_identity_provider(start, strict, home):
    """authlib's server of ID-JAG compares `client_id` with the client that authenticates, here by a key."""
    client = "ES256"
    idp = {"issuer": strict.url + "/idp", "authorizationEndpoint": strict.url + "/idp/authorize", "tokenEndpoint": strict.url + "/idp/token"}
    described = strict.provider("/jag/token", clientAuthentication="privateKeyJwt")
    accounts = {
        "idp": {"provider": idp, "clientId": "idp-client"},
        "a": {"provider": described, "clientId": client, "privateKey": pem(strict.keys[client]), "flow": "identityAssertion",
              "subjectToken": {"account": "idp"}, "resource": strict.url + "/api", "scopes": ["read"]},
    }
    home.mkdir(exist_ok=True)
    (home / "config.json").write_text(json.dumps({"accounts": accounts}))
    peer = start("--config", home / "config.json")
    id_token = strict.id_token()
    peer.request("importGrant", {"account": "idp", "format": "json", "data": {"access_token": "unused", "id_token": id_token}})
    before = len(strict.seen())
    assert peer.request("authorize", {"account": "a"})["via"] == "signedIn"
    assert peer.request("callAPI", {"account": "a", "url": "api", "as": "json"})["json"] == {"client": client, "user": "u-1"}
    exchange = strict.seen()[before]["form"]
    assert exchange["subject_token"] == id_token and exchange["audience"] == strict.url and exchange["resource"] == strict.url + "/api"
    assert [each["path"] for each in strict.seen()[before:]] == ["/idp/token", "/jag/token", "/jag/token"]


def test_an_exchange_of_tokens(peer, idpyoidc_url):
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(idpyoidc_url + "/subject") as answer:
        subject = json.load(answer)
    described = {"issuer": idpyoidc_url, "tokenEndpoint": idpyoidc_url + "/token", "clientAuthentication": "basic"}
    wanted = {"account": "a", "provider": described, "flow": "tokenExchange", "clientId": "exchanger", "scopes": ["read"],
              "clientSecret": "a-secret-that-is-long-enough-to-sign-with", "subjectToken": subject["access_token"],
              "subjectTokenType": EXCHANGE + "access_token", "requestedTokenType": EXCHANGE + "access_token", "audience": "https://api.example"}
    assert peer.request("authorize", wanted)["grantedScopes"] == ["read"]
    first = peer.request("accessToken", {"account": "a"})["accessToken"]
    assert first not in subject.values() and peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
    assert peer.request("accessToken", {"account": "a"})["accessToken"] != first
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", {**wanted, "account": "b", "subjectToken": "n0t-a-token"})
    assert fault.value.kind == "authorizationServerError" and "n0t-a-token" not in str(fault.value)

"""What issuers do differently: signatures by the client's secret, several audiences, signed userinfo responses, and an issuer for each tenant."""

import hmac
import json

import pytest

import browser
import id_tokens
from provider import Response
from rpc import RPCFault
from signing_in import TokenProvider, authorize, redirect

SECRET = "the client's own secret of 32 bytes"


def by_secret(claims: dict, secret: str = SECRET, algorithm: str = "HS256") -> str:
    text = ".".join(id_tokens.encode(json.dumps(part).encode()) for part in ({"alg": algorithm}, claims))
    return f"{text}.{id_tokens.encode(hmac.digest(secret.encode(), text.encode(), 'sha' + algorithm[2:]))}"


class Issuer(TokenProvider):
    """An OpenID provider. A test changes its metadata, its claims, and how it signs."""

    def __init__(self, metadata: dict | None = None, claims: dict | None = None, sign=None, keys: str = id_tokens.KEY_SET):
        super().__init__()
        self.metadata, self.claims, self.nonce, self.scope = metadata or {}, claims or {}, None, "openid"
        self.sign = sign or (lambda claims: id_tokens.sign(claims, self.url))
        self.instead["/.well-known/openid-configuration"] = self.publish
        self.instead["/keys"] = lambda _: Response(200, keys.encode())
        self.instead["/token"] = self.tokens

    def publish(self, request) -> Response:
        places = {"authorization_endpoint": "/authorize", "token_endpoint": "/token", "jwks_uri": "/keys", "userinfo_endpoint": "/userinfo"}
        return Response.of({"issuer": self.url, **{name: self.url + path for name, path in places.items()}, **self.metadata})

    def tokens(self, request) -> Response:
        claims = {"iss": self.url, "sub": "u-1", "aud": "c", "iat": 1_600_000_000, "exp": 4_000_000_000, "nonce": self.nonce, **self.claims}
        return Response.of(
            {
                "access_token": self.secret(),
                "refresh_token": self.secret(),
                "expires_in": 3600,
                "scope": self.scope,
                "id_token": self.sign({name: value for name, value in claims.items() if value is not None}),
            }
        )

    def approve(self, url: str) -> None:
        self.nonce = browser.query(url).get("nonce")
        browser.deliver(redirect(url, code=self.secret()))

    def sign_in(self, peer, **more) -> dict:
        asked = {"account": "a", "provider": self.url, "clientId": "c", "scopes": ["openid"], "openBrowser": False, **more}
        return authorize(peer, self.approve, **asked)


LISTED = {"id_token_signing_alg_values_supported": ["HS256"]}


@pytest.mark.parametrize("keys", ["{}", '{"keys": []}', id_tokens.KEY_SET])
def test_an_id_token_that_the_clients_secret_signs(peer, keys):
    with Issuer(LISTED, sign=by_secret, keys=keys) as issuer:
        assert issuer.sign_in(peer, clientSecret=SECRET)["subject"] == "u-1"
        assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True


@pytest.mark.parametrize("algorithm", ["HS256", "HS384", "HS512"])
def test_a_description_may_list_the_algorithm(peer, algorithm):
    with Issuer(sign=lambda claims: by_secret(claims, algorithm=algorithm)) as issuer:
        described = {"discovery": issuer.url, "idTokenAlgorithms": [algorithm]}
        assert issuer.sign_in(peer, clientSecret=SECRET, provider=described)["subject"] == "u-1"


@pytest.mark.parametrize(
    ("metadata", "secret", "parameters"),
    [
        (LISTED, "another secret", {"clientSecret": SECRET}),
        (LISTED, "", {}),
        (LISTED, "", {"clientSecret": ""}),
        ({}, SECRET, {"clientSecret": SECRET}),
    ],
    ids=["another secret", "no secret", "an empty secret", "an algorithm that is not listed"],
)
def test_a_secret_signature_that_proves_nothing(peer, metadata, secret, parameters):
    with Issuer(metadata, sign=lambda claims: by_secret(claims, secret)) as issuer:
        with pytest.raises(RPCFault) as fault:
            issuer.sign_in(peer, **parameters)
        assert fault.value.kind == "responseUntrusted" and "HS256" in fault.value.message
        assert peer.request("account", {"account": "a"})["canAuthorize"] is False


def test_several_audiences_without_an_authorized_party(peer):
    with Issuer(claims={"aud": ["c", "project-1"]}) as issuer:
        assert issuer.sign_in(peer)["subject"] == "u-1"
        with pytest.raises(RPCFault) as fault:
            issuer.sign_in(peer, account="b", provider={**issuer.description, "jwksUri": issuer.url + "/keys"})
        assert fault.value.kind == "responseUntrusted" and "azp" in fault.value.message


def test_openid_that_was_not_requested(peer):
    with Issuer() as issuer:
        issuer.scope = "openid email read"
        issuer.instead["/token"] = lambda _: Response.of({"access_token": "at", "scope": issuer.scope})
        assert issuer.sign_in(peer, scopes=["read"])["grantedScopes"] == ["openid", "email", "read"]


def test_a_signed_userinfo_response(peer):
    with Issuer() as issuer:
        issuer.sign_in(peer)

        def user(token: str) -> dict:
            issuer.instead["/userinfo"] = lambda _: Response(200, token.encode(), {"Content-Type": "application/jwt"})
            return peer.request("userInfo", {"account": "a"})

        claims = {"iss": issuer.url, "sub": "u-1", "email": "x@y.example"}
        assert user(id_tokens.sign(claims, issuer.url) + "\n")["claims"]["email"] == "x@y.example"
        assert user(id_tokens.sign({"aud": None, "iss": None}, issuer.url))["subject"] == "u-1"
        forged = [
            id_tokens.sign(claims, issuer.url, id_tokens.FORGED),
            id_tokens.sign({"aud": "another"}, issuer.url),
            id_tokens.sign({"iss": "https://evil.example"}, issuer.url),
            id_tokens.sign({"sub": "u-2"}, issuer.url),
            by_secret({**claims, "aud": "c"}),
            "no.signed.token",
        ]
        for token in forged:
            with pytest.raises(RPCFault) as fault:
                user(token)
            assert fault.value.kind == "responseUntrusted" and token not in str(fault.value)


def test_tenants_of_the_server_that_an_api_names(peer):
    """Entra's metadata name every tenant's issuer at once. The ID token says which tenant the user belongs to."""
    with Issuer(claims={"tid": "t-1"}) as issuer:
        server, tenant = issuer.url + "/common/v2.0", issuer.url + "/t-1/v2.0"
        issuer.metadata["issuer"] = issuer.url + "/{tenantid}/v2.0"
        issuer.instead["/common/v2.0/.well-known/openid-configuration"] = issuer.publish
        named = {"resource": issuer.url + "/mcp", "authorization_servers": [server]}
        issuer.instead["/.well-known/oauth-protected-resource/mcp"] = lambda _: Response.of(named)
        issuer.claims["iss"] = tenant
        api = issuer.url + "/mcp"
        assert issuer.sign_in(peer, provider=api)["subject"] == "u-1"
        assert b"resource" not in [request for request in issuer.requests if request.path == "/token"][-1].body
        assert peer.request("authorize", {"account": "a", "provider": api, "clientId": "c", "scopes": ["openid"]})["via"] == "stored"
        for claims in [{"tid": "t-2"}, {"tid": None}, {"iss": issuer.url + "/t-1/evil", "tid": "t-1"}]:
            issuer.claims = {"iss": tenant, **claims}
            with pytest.raises(RPCFault) as fault:
                issuer.sign_in(peer, account="b", provider=api)
            assert fault.value.kind == "responseUntrusted"
        # Without an API that names the server, a claim would decide which issuer is trusted.
        with pytest.raises(RPCFault) as fault:
            peer.request("authorize", {"account": "b", "provider": server, "clientId": "c", "openBrowser": False})
        assert "{tenantid}" in fault.value.message


@pytest.mark.parametrize(("place", "described"), [
    ("redirect", "by hand"), ("redirect", "by hand with an issuer"), ("redirect", "by metadata"), ("ID token", "by hand with an issuer"),
    ("ID token", "by metadata")])
def test_another_issuer_is_named_beside_the_one_that_was_asked(peer, place, described):
    """The description may be wrong, the metadata not: what else would an attacker's redirect be measured by?"""
    with Issuer(claims={"iss": "https://other.example"} if place == "ID token" else {}) as issuer:
        written = {"authorizationEndpoint": issuer.url + "/authorize", "tokenEndpoint": issuer.url + "/token", "jwksUri": issuer.url + "/keys"}
        provider = {"by hand": written, "by hand with an issuer": {**written, "issuer": issuer.url}, "by metadata": issuer.url}[described]

        def approve(url: str) -> None:
            issuer.nonce = browser.query(url).get("nonce")
            browser.deliver(redirect(url, code=issuer.secret(), **({"iss": "https://other.example"} if place == "redirect" else {})))

        with pytest.raises(RPCFault) as fault:
            authorize(peer, approve, account="a", provider=provider, clientId="c", scopes=["openid"], openBrowser=False)
    message = fault.value.message
    assert message.startswith(f"the {place} names the issuer https://other.example, but {issuer.url} was asked")
    assert ("name the first as issuer in its description" in message) == (described != "by metadata")
    assert fault.value.data["issuer"] == "https://other.example" and fault.value.data["wantedIssuer"] == issuer.url

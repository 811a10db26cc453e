"""Signing in to MCP servers with keys: by the server's URL and a key or an assertion, without a page unless a user signs in.

The cases are those of the official conformance suite for clients. The servers check signatures, audiences and proofs.
"""

import base64
import json
import secrets
import time
import urllib.parse

import jwt
import pytest

from bound_tokens import BoundAuthorizationServer, BoundMCPServer
from mcp_server import AuthorizationServer, MCPServer, form, header
from provider import Provider, Response
from rpc import RPCFault
from signing_in import authorize
from strict_server import generated, pem, signed
from test_mcp_authorization import call, result

ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
TYPE = "urn:ietf:params:oauth:token-type:"


class KeyServer(AuthorizationServer):
    """Grants tokens to those whose request `check` accepts, which returns an error's name or None. It has no page."""

    def __init__(self, check, **metadata):
        self.check = check
        super().__init__(**metadata)

    def token(self, request) -> Response:
        sent = form(request)
        self.exchanges.append(sent)
        error = self.check(sent, request)
        # Tokens without users have no refresh tokens.
        return Response.of({"error": error}, 400) if error else Response.of({**json.loads(self.grant({}).body), "refresh_token": None})


def claims(token: str, key, audience: str, **header) -> dict:
    """Returns the claims of a token that the key has signed for the audience. Raises an error for any other."""
    found = jwt.decode_complete(token, key.public_key, algorithms=["ES256"], audience=audience, options={"require": ["exp", "iat", "jti"]})
    assert all(found["header"].get(name) == value for name, value in header.items())
    return found["payload"]


def without_a_page(peer, mcp, count: int) -> None:
    """The token serves calls, and nothing else has been asked for."""
    assert result(peer, call(peer, mcp))["content"]
    server = mcp.authorization
    assert len(server.exchanges) == count and not server.pages and not server.clients
    assert not [event for event in peer.events if event["method"] == "signInWasRequested"]


def test_a_client_with_a_key(peer):
    """The metadata name the method, so the caller need not."""
    key, used = generated("ES256"), set()

    def check(sent, request):
        found = claims(sent["client_assertion"], key, server.issuer, typ="client-authentication+jwt")
        is_new = found["jti"] not in used
        used.add(found["jti"])
        told = (sent["grant_type"], sent["client_assertion_type"], found["iss"], found["sub"], found["aud"])
        return None if is_new and told == ("client_credentials", ASSERTION, "robot", "robot", server.issuer) else "invalid_client"

    methods = {"token_endpoint_auth_methods_supported": ["private_key_jwt"], "token_endpoint_auth_signing_alg_values_supported": ["ES256"]}
    with KeyServer(check, **methods, grant_types_supported=["client_credentials"]) as server, MCPServer(server) as mcp:
        told = mcp.told(flow="clientCredentials", clientId="robot", privateKey=pem(key), signingAlgorithm="ES256")
        assert peer.request("authorize", told)["via"] == "signedIn"
        assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
        without_a_page(peer, mcp, 2)
        assert all(sent["resource"] == mcp.mcp and "client_secret" not in sent for sent in server.exchanges)


@pytest.mark.parametrize(("audience", "life", "error"), [(None, 300, None), ("https://other.example", 300, "invalid_grant"), (None, -60, "invalid_grant")])
def test_the_identity_of_a_workload(peer, audience, life, error):
    """A refused assertion is not sent again, and nothing else is tried."""
    key = generated("ES256")

    def check(sent, request):
        if sent["grant_type"] != BEARER:
            return "unsupported_grant_type"
        try:
            return None if claims(sent["assertion"], key, server.issuer)["sub"] == "workload" else "invalid_grant"
        except jwt.InvalidTokenError:
            return "invalid_grant"

    metadata = {"grant_types_supported": [BEARER], "token_endpoint_auth_methods_supported": ["none"], "registration_endpoint": None}
    with KeyServer(check, **metadata) as server, MCPServer(server) as mcp:
        own = {"iss": "https://platform.example", "sub": "workload", "aud": audience or server.issuer, "jti": secrets.token_urlsafe()}
        own["exp"] = int(time.time()) + life
        told = mcp.told(flow="jwtBearer", clientId="c-1", subjectToken=signed(key, "ES256", own))
        if not error:
            assert peer.request("authorize", told)["via"] == "signedIn"
            return without_a_page(peer, mcp, 1)
        with pytest.raises(RPCFault) as fault:
            peer.request("authorize", told)
        assert fault.value.data["error"] == error and told["subjectToken"] not in str(fault.value)
        assert peer.answer(call(peer, mcp))["error"]["data"]["kind"] == "signInRequired"
        assert len(server.exchanges) == 1 and not server.pages


def test_the_identity_provider_of_an_enterprise(start, home):
    """The user's ID token becomes an assertion for the server's authorization server, which then issues the token to its own client."""
    idp_key, jag_key = generated("ES256"), generated("ES256")

    def exchange(request) -> Response:
        sent = form(request)
        kinds = (sent.get("grant_type"), sent.get("subject_token_type"), sent.get("requested_token_type"))
        assert kinds == (EXCHANGE, TYPE + "id_token", TYPE + "id-jag") and sent["client_id"] == "at-idp"
        user = claims(sent["subject_token"], idp_key, "at-idp")["sub"]
        own = {"iss": idp.url, "sub": user, "aud": sent["audience"], "resource": sent["resource"], "client_id": "at-server", "jti": secrets.token_urlsafe()}
        assertion = signed(jag_key, "ES256", own, typ="oauth-id-jag+jwt")
        return Response.of({"access_token": assertion, "issued_token_type": TYPE + "id-jag", "token_type": "N_A"})

    def check(sent, request):
        client, _, secret = base64.b64decode(header(request, "Authorization").removeprefix("Basic ")).decode().partition(":")
        found = claims(sent["assertion"], jag_key, server.issuer, typ="oauth-id-jag+jwt")
        told = (sent["grant_type"], urllib.parse.unquote(client), urllib.parse.unquote(secret), found["client_id"], found["resource"], found["sub"])
        return None if told == (BEARER, "at-server", "s%cret", client, mcp.mcp, "u-1") else "invalid_grant"

    metadata = {"grant_types_supported": [BEARER], "token_endpoint_auth_methods_supported": ["client_secret_basic"]}
    with Provider(exchange) as idp, KeyServer(check, **metadata) as server, MCPServer(server) as mcp:
        described = {"issuer": idp.url, "authorizationEndpoint": idp.url + "/authorize", "tokenEndpoint": idp.url + "/token"}
        accounts = {
            "idp": {"provider": described, "clientId": "at-idp"},
            "a": {"provider": mcp.mcp, "clientId": "at-server", "clientSecret": "s%cret", "flow": "identityAssertion", "subjectToken": {"account": "idp"}},
        }
        home.mkdir()
        (home / "config.json").write_text(json.dumps({"accounts": accounts}))
        peer = start("--config", home / "config.json")
        id_token = signed(idp_key, "ES256", {"iss": idp.url, "sub": "u-1", "aud": "at-idp", "jti": "1"})
        peer.request("importGrant", {"account": "idp", "format": "json", "data": {"access_token": "unused", "id_token": id_token}})
        assert peer.request("authorize", {"account": "a"})["via"] == "signedIn"
        without_a_page(peer, mcp, 1)
        assert len(idp.requests) == 1


@pytest.mark.parametrize("nonces", [(None, None), ("of-the-server", "of-the-resource")], ids=["plain", "nonce"])
def test_a_server_that_binds_tokens(peer, nonces):
    """The challenge demands it. Both servers have a nonce of their own, and a challenge costs no second page and no second code."""
    with BoundAuthorizationServer(dpop_signing_alg_values_supported=["ES256"]) as server, BoundMCPServer(server) as mcp:
        server.proofs.nonce, mcp.proofs.nonce = nonces
        assert authorize(peer, server.approve, **mcp.told())["tokenType"] == "DPoP"
        for method in ("initialize", "tools/list", "tools/call"):
            assert result(peer, call(peer, mcp, method))
        assert len(server.pages) == 1 and [sent["grant_type"] for sent in server.exchanges] == ["authorization_code"]
        challenged = ["the proof needs the nonce"] if nonces[0] else []
        assert server.proofs.faults == challenged and mcp.proofs.faults == challenged
        assert server.proofs.keys == mcp.proofs.keys == {server.pages[0]["dpop_jkt"]} and len(mcp.proofs.taken) == 3

"""Which provider gets a configured secret, and which grants a configured account accepts: only the configuration decides."""

import base64
import json
import threading

import pytest

from mcp_server import AuthorizationServer, MCPServer
from provider import Response
from rpc import PATIENCE, RPCFault
from signing_in import TokenProvider, authorize

SECRET = "s3cr3tvalue"


class Issuer(TokenProvider):
    """A provider that publishes its endpoints; `published` replaces or adds members."""

    def __init__(self):
        super().__init__()
        self.asked = 0
        self.published: dict = {}
        self.instead["/.well-known/oauth-authorization-server"] = self.publish

    def publish(self, request) -> Response:
        self.asked += 1
        places = {"authorization_endpoint": self.url + "/authorize", "token_endpoint": self.url + "/token"}
        return Response.of({"issuer": self.url, **places, **self.published})

    @property
    def has_the_secret(self) -> bool:
        headers = [request.headers.get("Authorization", "") for request in self.requests]
        bodies = [request.body.decode(errors="replace") for request in self.requests]
        return any(SECRET in body for body in bodies) or any(
            header.startswith("Basic ") and SECRET in base64.b64decode(header.split()[1]).decode() for header in headers
        )


@pytest.fixture
def issuer():
    with Issuer() as running:
        yield running


@pytest.fixture
def mine():
    """The server of a malicious client."""
    with Issuer() as running:
        yield running


@pytest.fixture
def configure(home):
    def write(**accounts) -> None:
        folder = home / "config" / "oauth-stdio"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").write_text(json.dumps({"accounts": accounts}))

    return write


TOKENS = {"access_token": "at", "refresh_token": "rt", "expires_in": 1}


def import_evil(peer, issuer, mine) -> dict:
    """Imports a grant with a provider discovered from the issuer and a foreign token endpoint. Returns that provider."""
    evil = {"discovery": issuer.url, "tokenEndpoint": mine.url + "/token"}
    params = {"account": "evil", "format": "json", "data": TOKENS, "provider": evil, "clientId": "c"}
    peer.request("importGrant", params)
    return evil


def use(peer, evil) -> None:
    """Makes the process read the imported grant's provider."""
    peer.answer(peer.send("authorize", {"account": "evil", "provider": evil, "clientId": "c", "interaction": "never", "scopes": []}))


def test_a_grants_overrides_are_not_what_the_server_published(start, issuer, mine):
    with start() as peer:
        authorize(peer, issuer.approve, provider=issuer.url, clientId="c", scopes=["read"], openBrowser=False)
        evil = import_evil(peer, issuer, mine)
    with start() as peer:
        use(peer, evil)
        assert peer.request("provider", {"provider": issuer.url})["endpoints"]["tokenEndpoint"] == issuer.url + "/token"


@pytest.mark.parametrize("way", ["importGrant", "authorize"])
def test_an_imported_grant_moves_no_other_accounts_secret(start, configure, issuer, mine, way):
    entry = {"provider": issuer.url, "clientId": "c", "scopes": ["read"], "openBrowser": False}
    configure(work={**entry, "clientSecret": SECRET})
    with start() as peer:
        authorize(peer, issuer.approve, account="work")
        evil = import_evil(peer, issuer, mine)
    with start() as peer:
        use(peer, evil)
        if way == "importGrant":
            peer.answer(peer.send("importGrant", {"account": "work", "format": "json", "data": TOKENS, "replace": True}))
        else:
            peer.answer(peer.send("authorize", {"account": "work", "provider": evil, "flow": "clientCredentials"}))
        peer.answer(peer.send("refresh", {"account": "work", "force": True}))
    assert issuer.has_the_secret and not mine.has_the_secret


def test_the_published_document_is_kept_without_what_lay_over_it(start, home, issuer):
    """Without the provider file's override the account uses the published endpoint, without the network."""
    issuer.instead["/published/revoke"] = lambda request: Response(200)
    providers = home / "config" / "oauth-stdio" / "providers"
    providers.mkdir(parents=True)
    file = providers / "corp.json"
    issuer.published = {"revocation_endpoint": issuer.url + "/published/revoke"}
    file.write_text(json.dumps({"discovery": issuer.url, "revocationEndpoint": issuer.url + "/own/revoke"}))
    with start() as peer:
        authorize(peer, issuer.approve, provider="corp", clientId="c", scopes=["read"], openBrowser=False)
    asked = issuer.asked
    file.write_text(json.dumps({"discovery": issuer.url}))
    with start() as peer:
        assert peer.request("provider", {"provider": "corp"})["endpoints"]["revocationEndpoint"] == issuer.url + "/published/revoke"
        assert peer.request("revoke", {"account": "corp"})["revoked"] is True
    assert issuer.asked == asked and any(request.path == "/published/revoke" for request in issuer.requests)


def test_a_grant_of_the_same_origin_decides_nothing_and_costs_no_network(start, configure, issuer):
    """The configuration names the origin, so a stored grant is used without a request for metadata."""
    configure(work={"provider": issuer.url, "clientId": "c", "clientSecret": SECRET, "scopes": ["read"], "openBrowser": False})
    with start() as peer:
        authorize(peer, issuer.approve, account="work")
    asked = issuer.asked
    with start() as peer:
        assert peer.request("authorize", {"account": "work"})["via"] == "stored"
        assert peer.request("refresh", {"account": "work", "force": True})["refreshed"] is True
    assert issuer.asked == asked


def test_another_origin_has_to_be_published_to_this_process(start, configure, issuer, mine):
    """The secret is sent to another origin only after this process has read the metadata. The grant has no copy of the secret."""
    issuer.published = {"token_endpoint": mine.url + "/token"}
    configure(work={"provider": issuer.url, "clientId": "c", "clientSecret": SECRET, "scopes": ["read"], "openBrowser": False})
    with start() as peer:
        authorize(peer, mine.approve, account="work")
    asked = issuer.asked
    with start() as peer:
        assert peer.request("refresh", {"account": "work", "force": True})["refreshed"]
    assert issuer.asked - asked == 1 and mine.has_the_secret


def refused(peer, method: str, **params) -> dict:
    with pytest.raises(RPCFault) as fault:
        peer.request(method, params)
    return {"code": fault.value.code, "path": fault.value.data.get("path")}


def test_a_configured_account_accepts_no_other_provider_and_no_other_client(start, configure, issuer, mine):
    entry = {"provider": issuer.url, "clientId": "c", "clientSecret": SECRET, "scopes": ["read"], "openBrowser": False}
    configure(work=entry)
    with start() as peer:
        authorize(peer, issuer.approve, account="work")
        stored = peer.request("account", {"account": "work"})
        brought = {"account": "work", "format": "json", "data": TOKENS, "replace": True}
        others = [mine.url, mine.description, {"discovery": issuer.url, "tokenEndpoint": mine.url + "/token"}]
        others.append({"discovery": issuer.url, "revocationEndpoint": mine.url + "/revoke"})
        for other in others:
            assert refused(peer, "importGrant", **brought, provider=other) == {"code": -32602, "path": "/provider"}
            assert refused(peer, "authorize", account="work", provider=other, interaction="always") == {"code": -32602, "path": "/provider"}
        assert refused(peer, "importGrant", **brought, clientId="other") == {"code": -32602, "path": "/clientId"}
        assert refused(peer, "authorize", account="work", clientId="other") == {"code": -32602, "path": "/clientId"}
        assert peer.request("account", {"account": "work"}) == stored
        # The same provider, spelled differently, is accepted.
        named = {"discovery": issuer.url, "authorizationParameters": {"prompt": "consent"}}
        assert peer.request("authorize", {"account": "work", "provider": named, "clientId": "c"})["via"] == "stored"
        assert peer.request("importGrant", {**brought, "provider": issuer.url})["clientId"] == "c"
        # An account under another name accepts any provider.
        assert peer.request("importGrant", {**brought, "account": "play", "provider": mine.description, "clientId": "x"})
    assert not mine.has_the_secret


def test_configured_variables_are_the_configurations(start, configure):
    """A caller may set variables only if the configuration does not set them."""
    configure(
        work={"provider": {"preset": "gitlab", "variables": {"host": "gitlab.example.com"}}, "clientId": "c"},
        tenants={"provider": "microsoft", "clientId": "c"},
    )
    with start() as peer:
        asked = {"redirectUri": "app.example:/cb", "dryRun": True}
        assert refused(peer, "authorize", account="work", variables={"host": "evil.example"}, **asked)["path"] == "/variables"
        page = peer.request("authorize", {"account": "tenants", "variables": {"tenant": "contoso"}, **asked})["dryRun"]["url"]
        assert page.startswith("https://login.microsoftonline.com/contoso/")


@pytest.mark.parametrize("given", [{}, {"redirectUri": "app.example:/cb"}])
def test_a_grant_is_no_proof_of_whom_a_secret_is_for(start, configure, mine, given):
    """The configuration has a client without a provider, and the account's grant was imported without a secret."""
    with start() as peer:
        brought = {"account": "a", "format": "json", "data": TOKENS, "clientId": "c"}
        peer.request("importGrant", {**brought, "provider": mine.description})
    configure(a={"clientId": "c", "clientSecret": SECRET})
    with start() as peer:
        for params in ({}, {"provider": mine.description}):
            with pytest.raises(RPCFault) as fault:
                peer.request("authorize", {"account": "a", "scopes": [], **params, **given})
            assert fault.value.kind == "configurationInvalid" and fault.value.data["path"] == "/accounts/a/provider"
    assert not mine.has_the_secret


def test_a_wrong_secret_of_one_request_fails_no_other(start, configure):
    """Both requests ask for the client's own token, and the first one's secret is wrong."""
    arrived, released = threading.Event(), threading.Event()

    def answer(request) -> Response | None:
        if SECRET in base64.b64decode(request.headers["Authorization"].split()[1]).decode():
            return None
        arrived.set()
        released.wait(PATIENCE)
        return Response.of({"error": "invalid_client"}, 401)

    with TokenProvider() as provider, start() as peer:
        provider.instead["/token"] = answer
        configure(a={"provider": provider.description, "flow": "clientCredentials", "clientId": "c", "clientSecret": SECRET})
        wrong = peer.send("authorize", {"account": "a", "clientSecret": "wrong-secret"})
        assert arrived.wait(PATIENCE)
        right = peer.send("accessToken", {"account": "a"})
        peer.request("providers")
        released.set()
        assert "error" in peer.answer(wrong)
        assert {peer.result(right)["accessToken"]} == provider.living


@pytest.fixture
def moved(start, configure):
    """The configured client is signed in at the first server, and the API names the second one by now. Ends unless that has got nothing."""
    with AuthorizationServer() as first, AuthorizationServer(userinfo_endpoint="http://127.0.0.1:1/") as second, MCPServer(first) as mcp:
        entry = {"provider": mcp.mcp, "clientId": "c", "clientSecret": SECRET}
        configure(a=entry)
        with start() as peer:
            authorize(peer, first.approve, account="a", openBrowser=False)
        mcp.servers = [second]
        yield entry
        assert not second.exchanges and not second.clients and SECRET not in str([vars(request) for request in second.requests])


@pytest.mark.parametrize("written", [{}, {"resource": "off"}, {"provider": "description"}, {"flow": "clientCredentials"}])
def test_a_secret_stays_at_its_server_however_the_provider_is_written(start, configure, moved, written):
    if "provider" in written:
        written = {"provider": {"discovery": moved["provider"]}}
    configure(a={**moved, **written})
    with start() as peer:
        with pytest.raises(RPCFault) as fault:
            peer.request("authorize", {"account": "a", "openBrowser": False, "interaction": "always", "wait": False})
        assert fault.value.kind == "configurationInvalid" and "issuer" in fault.value.message
        with pytest.raises(RPCFault) as fault:
            peer.request("authorize", {"account": "a", "provider": {"discovery": moved["provider"]}, "openBrowser": False, "interaction": "always", "wait": False})
        assert fault.value.code in (1007, -32602)
        findings = peer.request("diagnose", {"account": "a"})["findings"]
        assert any(finding["state"] == "failed" and "issuer" in finding["message"] for finding in findings), findings


def test_metadata_of_another_issuer_do_not_say_who_gets_a_token(start):
    """The account has endpoints of its own, and another account of the API brings the metadata of the new server."""
    with AuthorizationServer() as first, AuthorizationServer() as second, MCPServer(first) as mcp:
        second.metadata["userinfo_endpoint"] = second.url + "/userinfo"
        own = {"discovery": mcp.mcp, "authorizationEndpoint": first.url + "/authorize", "tokenEndpoint": first.url + "/token"}
        with start() as peer:
            authorize(peer, first.approve, account="a", provider=own, clientId="c", openBrowser=False)
        mcp.servers = [second]
        with start() as peer:
            peer.request("authorize", mcp.told(account="b", wait=False))
            with pytest.raises(RPCFault) as fault:
                peer.request("userInfo", {"account": "a"})
            assert fault.value.kind == "unsupportedByProvider"
        assert not any("Authorization" in request.headers for request in second.requests)


def test_a_resource_is_a_uri(start, configure):
    configure(a={"provider": "https://mcp.example.com/mcp", "clientId": "c", "resource": "all"})
    with start() as peer:
        with pytest.raises(RPCFault) as fault:
            peer.request("authorize", {"account": "a", "wait": False})
    assert fault.value.data["path"] == "/accounts/a/resource" and "must be a URI, a list of URIs, or off" in fault.value.message

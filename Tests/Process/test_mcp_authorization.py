"""Signing in to MCP servers by their URL alone, by the rules of each version. The cases are those of the official conformance suite for clients."""

import json

import pytest

import browser
from mcp_server import AuthorizationServer, MCPServer
from provider import Response
from rpc import RPCFault
from signing_in import authorize, redirect
from waiting import Hold, wait_until

HANDSHAKE = {"initialize", "notifications/initialized"}


@pytest.fixture
def server():
    with AuthorizationServer() as running:
        yield running


@pytest.fixture
def mcp(server):
    with MCPServer(server) as running:
        yield running


def page(peer, mcp, **more) -> dict:
    """Returns the parameters of the page that a sign-in opens."""
    return browser.query(peer.request("authorize", mcp.told(wait=False, **more))["signIn"]["url"])


def call(peer, mcp, method: str = "tools/call", **more) -> object:
    """Sends a message of MCP with the account's token, and returns the id of the request."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"name": "echo", "arguments": {}}}
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    return peer.send("callAPI", {"account": "a", "url": mcp.mcp, "method": "POST", "headers": headers, "body": {"json": message}, **more})


def result(peer, identifier) -> dict:
    answer = peer.result(identifier)
    assert answer["status"] == 200
    return json.loads(answer["body"])["result"]


# What the server demands.


@pytest.mark.parametrize(
    ("is_stateless", "is_open", "messages"),
    [
        (False, set(), ["initialize"]),
        (False, HANDSHAKE, ["initialize", "notifications/initialized", "tools/list", "DELETE"]),
        (True, set(), ["initialize"]),
        (True, {"initialize"}, ["initialize", "server/discover"]),
        (True, {"initialize", "server/discover"}, ["initialize", "server/discover", "tools/list"]),
    ],
)
def test_a_server_that_challenges_messages_alone(peer, server, mcp, is_stateless, is_open, messages):
    """Its metadata are at a place that only the challenge names."""
    mcp.is_stateless, mcp.open = is_stateless, is_open
    mcp.place, mcp.challenge = "/elsewhere", {"scope": "mcp:basic"}
    mcp.metadata = {"scopes_supported": ["mcp:profile"]}
    authorize(peer, server.approve, **mcp.told())
    assert server.pages[0]["scope"] == "mcp:basic" and server.pages[0]["resource"] == mcp.mcp
    assert mcp.methods() == messages and not mcp.sessions
    mcp.is_stateless = False
    assert result(peer, call(peer, mcp))["content"]


def test_a_challenge_of_get_that_names_scopes_is_enough(peer, mcp):
    mcp.get = lambda request: mcp.refuse(401, scope="mcp:basic")
    assert page(peer, mcp)["scope"] == "mcp:basic" and mcp.messages == []


@pytest.mark.parametrize(
    ("own", "challenged", "published", "asked"),
    [
        (["own"], "mcp:basic", ["mcp:profile"], "own"),
        (None, "mcp:basic", ["mcp:profile"], "mcp:basic"),
        (None, None, ["mcp:profile", "mcp:files"], "mcp:profile mcp:files"),
        (None, None, [], None),
        (None, None, None, None),
    ],
)
def test_whose_scopes_are_requested(peer, server, mcp, own, challenged, published, asked):
    server.metadata["scopes_supported"] = ["all"]
    mcp.challenge = {} if challenged is None else {"scope": challenged}
    mcp.metadata = {} if published is None else {"scopes_supported": published}
    assert page(peer, mcp, **({} if own is None else {"scopes": own})).get("scope") == asked


def test_metadata_of_another_resource_are_refused(peer, mcp):
    mcp.metadata = {"resource": "https://other.example/mcp"}
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", mcp.told())
    assert fault.value.kind in ("responseUntrusted", "unsupportedByProvider") and "other.example" in fault.value.message


# More scopes.


def test_a_step_up_asks_for_what_was_requested_before_too(peer, server, mcp):
    """The server granted less than was requested."""
    mcp.challenge, mcp.needs = {"scope": "mcp:basic mcp:extra"}, {"tools/call": {"mcp:write"}}
    server.grants = lambda scopes: [scope for scope in scopes if scope != "mcp:extra"]
    authorize(peer, server.approve, **mcp.told())
    identifier = call(peer, mcp, stepUp=True)
    server.approve(peer.event("signInWasRequested", request=identifier)["url"])
    assert result(peer, identifier)["content"]
    assert set(server.pages[1]["scope"].split()) == {"mcp:basic", "mcp:extra", "mcp:write"}


def test_a_scope_that_is_never_granted_is_not_asked_for_again_and_again(peer, server, mcp):
    mcp.challenge, mcp.needs = {"scope": "mcp:basic"}, {"tools/call": {"mcp:admin"}}
    server.grants = lambda scopes: ["mcp:basic"]
    authorize(peer, server.approve, **mcp.told())
    seen = {event["params"]["url"] for event in peer.events if event["method"] == "signInWasRequested"}

    def refused(**more) -> int:
        """Approves each page of a call that ends with `insufficientScope`, and returns how many there were."""
        identifier, before = call(peer, mcp, **more), len(seen)
        while True:
            found = peer.wait_for(
                lambda message: message.get("id") == identifier or message.get("method") == "signInWasRequested" and message["params"]["url"] not in seen,
                "a page or the answer")
            if "error" in found:
                assert found["error"]["data"]["kind"] == "insufficientScope" and found["error"]["data"]["scopes"] == ["mcp:admin"]
                return len(seen) - before
            seen.add(found["params"]["url"])
            server.approve(found["params"]["url"])

    assert refused() == 0
    assert refused(stepUp=True) in (1, 2)
    assert refused(stepUp=True) == 0
    # The user signs in again: the server may grant it now.
    authorize(peer, server.approve, **mcp.told(interaction="always"))
    seen.update(event["params"]["url"] for event in peer.events if event["method"] == "signInWasRequested")
    assert refused(stepUp=True) in (1, 2)


def stepped_up(peer, server, identifier) -> tuple[dict, int]:
    """Approves each page of a call. Returns its answer, and how many pages there were."""
    seen: set[str] = set()
    while True:
        found = peer.wait_for(
            lambda message: message.get("id") == identifier
            or message.get("method") == "signInWasRequested" and message["params"].get("request") == identifier and message["params"]["url"] not in seen,
            "a page or the answer")
        if "method" not in found:
            return found, len(seen)
        seen.add(found["params"]["url"])
        server.approve(found["params"]["url"])


def test_each_refusal_of_scopes_is_remembered(peer, server, mcp):
    """Neither another refusal nor a granted step-up is a new login."""
    server.grants = lambda scopes: [scope for scope in scopes if scope not in ("mcp:admin", "mcp:root")]
    authorize(peer, server.approve, **mcp.told(scopes=["mcp:basic"]))
    pages = []
    for scope in ("mcp:admin", "mcp:root", "mcp:admin", "mcp:write", "mcp:admin", "mcp:root"):
        mcp.needs = {"tools/call": {scope}}
        answer, count = stepped_up(peer, server, call(peer, mcp, stepUp=True))
        pages.append(count)
        assert ("result" in answer) == (scope == "mcp:write")
    assert pages == [1, 1, 0, 1, 0, 0]


# The client.

DOCUMENT = "https://app.example.com/oauth-stdio.json"


@pytest.mark.parametrize(
    ("metadata", "more", "client"),
    [
        ({"client_id_metadata_document_supported": True}, {"clientMetadata": DOCUMENT}, DOCUMENT),
        ({"client_id_metadata_document_supported": True}, {"clientMetadata": DOCUMENT, "clientId": "own"}, "own"),
        ({}, {"clientMetadata": DOCUMENT}, "registered"),
        ({"client_id_metadata_document_supported": True}, {}, "registered"),
    ],
)
def test_which_client_is_used(peer, server, mcp, metadata, more, client):
    server.metadata.update(metadata)
    asked = page(peer, mcp, **more)
    assert (asked["client_id"] if not server.clients else "registered") == client
    if server.clients:
        sent = [json.loads(request.body) for request in server.requests if request.path == "/register"]
        assert sent[0]["application_type"] == "native" and [asked["client_id"]] == list(server.clients)


def test_a_server_that_takes_no_client_by_itself(peer, server, mcp):
    server.metadata["registration_endpoint"] = None
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", mcp.told(clientMetadata=DOCUMENT))
    assert fault.value.code == -32602 and fault.value.data["path"] == "/clientId"


def test_a_client_of_its_own_with_a_secret(peer, server, mcp):
    authorize(peer, server.approve, **mcp.told(clientId="own", clientSecret="s3cret"))
    assert (server.exchanges[0]["client_id"], server.exchanges[0]["client_secret"]) == ("own", "s3cret") and not server.clients
    # Without a user.
    peer.request("authorize", mcp.told(account="b", clientId="own", clientSecret="s3cret", flow="clientCredentials"))
    assert server.exchanges[1]["grant_type"] == "client_credentials" and server.exchanges[1]["resource"] == mcp.mcp


# The server names another authorization server.


def test_a_new_authorization_server_gets_a_client_of_its_own(peer, server, mcp):
    with AuthorizationServer() as other:
        authorize(peer, server.approve, **mcp.told())
        assert result(peer, call(peer, mcp))
        mcp.servers = [other]
        fault = peer.answer(call(peer, mcp))["error"]
        assert fault["data"]["kind"] == "signInRequired" and server.issuer in fault["message"] and other.issuer in fault["message"]
        assert peer.request("account", {"account": "a"})["clientId"] in server.clients
        authorize(peer, other.approve, **mcp.told())
        assert result(peer, call(peer, mcp)) and len(other.clients) == 1
        assert all(client not in str(request) for client in server.clients for request in other.requests)


def test_a_configured_client_is_not_sent_to_another_authorization_server(peer, server, mcp):
    own = {"clientId": "own-client", "clientSecret": "s3cret"}
    with AuthorizationServer() as other:
        authorize(peer, server.approve, **mcp.told(**own))
        mcp.servers = [other]
        assert "error" in peer.answer(call(peer, mcp))
        with pytest.raises(RPCFault) as fault:
            peer.request("authorize", mcp.told(**own))
        assert server.issuer in fault.value.message and other.issuer in fault.value.message
        assert not any("own-client" in str(request) or "s3cret" in str(request) for request in other.requests)


@pytest.mark.parametrize("names_provider", [True, False])
def test_an_authorization_server_that_is_named_for_a_moment(peer, server, mcp, names_provider):
    """The grant is as good as before, and no page of the other server replaces it."""
    with AuthorizationServer() as other:
        authorize(peer, server.approve, **mcp.told())
        scopes, mcp.servers = dict(server.scopes), [other]
        server.revoke_access_tokens()
        assert peer.answer(call(peer, mcp))["error"]["data"]["reason"] == "issuerChanged"
        server.scopes, mcp.servers = scopes, [server]
        asked = mcp.told() if names_provider else {"account": "a"}
        for interaction in ("never", "ifNeeded"):
            assert peer.request("authorize", {**asked, "interaction": interaction, "wait": False})["via"] == "stored"
        assert result(peer, call(peer, mcp)) and not other.clients


def test_an_outage_of_the_first_of_two_servers_does_not_move_the_account(peer, server, mcp):
    with AuthorizationServer() as other:
        mcp.servers = [server, other]
        authorize(peer, server.approve, **mcp.told())
        for place in ("oauth-authorization-server", "openid-configuration"):
            server.instead["/.well-known/" + place] = lambda request: Response(503)
        server.revoke_access_tokens()
        assert result(peer, call(peer, mcp))
        assert peer.request("authorize", mcp.told(interaction="never"))["status"] == "authorized"
        assert page(peer, mcp, interaction="always")["client_id"] in server.clients
        # An account without a login has no reason to wait for the first.
        assert page(peer, mcp, account="b")["client_id"] in other.clients


def test_calls_that_meet_the_move_together_get_the_same_error(peer, server, mcp):
    """None of them refreshes in vain."""
    with AuthorizationServer() as other:
        other.instead["/.well-known/oauth-authorization-server"] = hold = Hold(other.publish(None))
        authorize(peer, server.approve, **mcp.told())
        mcp.servers = [other]
        calls = [call(peer, mcp)]
        hold.wait()
        calls += [call(peer, mcp) for _ in range(3)]
        wait_until(lambda: mcp.messages.count(("tools/call", 401)) >= 4)
        # Now they have been read too.
        for _ in range(10):
            peer.request("account", {"account": "a"})
        hold.release()
        assert {peer.answer(identifier)["error"]["data"].get("reason") for identifier in calls} == {"issuerChanged"}
        assert [sent["grant_type"] for sent in server.exchanges] == ["authorization_code"]


# The challenge of a call.


@pytest.mark.parametrize(("path", "decides"), [("/other", False), ("/mcp-2", False), ("/mcp/%2e%2e/other", False), ("/mcp/below", True)])
def test_the_challenge_of_another_path_decides_nothing(peer, server, mcp, path, decides):
    """Other paths of the host may be of others."""
    with AuthorizationServer() as other:
        named = {"resource": mcp.mcp, "authorization_servers": [other.issuer]}
        mcp.instead["/document"] = lambda request: Response.of(named)
        challenge = f'Bearer scope="all", resource_metadata="{mcp.url}/document"'
        mcp.instead[path] = lambda request: Response.of({}, 401, **{"WWW-Authenticate": challenge})
        authorize(peer, server.approve, **mcp.told())
        peer.answer(call(peer, mcp, url=mcp.url + path))
        asked = page(peer, mcp, account="b")
        assert (asked.get("scope"), asked["client_id"] in other.clients) == (("all", True) if decides else (None, False))


def test_a_challenge_is_of_the_sign_in_that_follows_alone(peer, server, mcp):
    mcp.metadata = {"scopes_supported": ["mcp:profile"]}
    authorize(peer, server.approve, **mcp.told())
    server.revoke_access_tokens()
    server.refresh_tokens.clear()
    mcp.challenge = {"scope": "mcp:more"}
    assert "error" in peer.answer(call(peer, mcp))
    mcp.challenge = {}
    authorize(peer, server.approve, **mcp.told())
    assert "mcp:more" in server.pages[1]["scope"].split()
    assert page(peer, mcp, account="b")["scope"] == "mcp:profile"


def test_a_challenge_that_comes_during_a_fetch_is_heeded(peer, server, mcp):
    mcp.metadata = {"scopes_supported": ["mcp:profile"]}
    authorize(peer, server.approve, **mcp.told())
    server.revoke_access_tokens()
    server.refresh_tokens.clear()
    server.instead["/.well-known/oauth-authorization-server"] = hold = Hold(server.publish(None))
    calls = []
    for scope in ("mcp:first", "mcp:second"):
        mcp.challenge = {"scope": scope}
        calls.append(call(peer, mcp))
        wait_until(lambda: mcp.messages.count(("tools/call", 401)) == len(calls))
        hold.wait(1 if scope == "mcp:first" else 0)
    for _ in range(10):
        peer.request("account", {"account": "a"})
    hold.release()
    assert all("error" in peer.answer(identifier) for identifier in calls)
    assert page(peer, mcp, account="b")["scope"] == "mcp:second"



def test_the_next_sign_in_asks_for_what_the_last_401_demanded(peer, server, mcp):
    mcp.challenge = {"scope": "mcp:basic"}
    authorize(peer, server.approve, **mcp.told())
    server.revoke_access_tokens()
    server.instead["/token"] = lambda request: Response.of({"error": "invalid_grant"}, 400)
    mcp.challenge = {"scope": "mcp:more"}
    assert peer.answer(call(peer, mcp))["error"]["data"]["kind"] == "signInRequired"
    assert "mcp:more" in page(peer, mcp)["scope"].split()


def test_an_account_with_endpoints_of_its_own_keeps_its_provider(peer, server, mcp):
    """What a challenge names is not looked at."""
    described = {**server.description, "apiBase": mcp.mcp}
    authorize(peer, server.approve, **mcp.told(provider=described, clientId="own", scopes=["mcp:basic"]))
    server.revoke_access_tokens()
    mcp.place = "/elsewhere"
    peer.answer(call(peer, mcp))
    assert not [request for request in mcp.requests if request.path == "/elsewhere"]


# Servers of 2025-03-26, and servers that say too little.


def old_server(status: int = 404, post: int = 401) -> AuthorizationServer:
    """An MCP server that publishes nothing, with its authorization endpoints at the root of its host."""
    server = AuthorizationServer()
    server.instead["/.well-known/oauth-authorization-server"] = lambda request: Response(status)
    server.instead["/mcp"] = lambda request: Response(post if request.method == "POST" else 405)
    return server


def told(server, **more) -> dict:
    return {"account": "a", "provider": server.url + "/mcp", "openBrowser": False, **more}


@pytest.mark.parametrize("status", [404, 405])
def test_the_endpoints_of_a_server_without_metadata(peer, status):
    with old_server(status) as server:
        authorize(peer, server.approve, **told(server))
        assert server.pages[0]["client_id"] in server.clients and server.pages[0]["code_challenge_method"] == "S256"
        assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True


@pytest.mark.parametrize(("status", "post"), [(503, 401), (404, 404), (404, 500)])
def test_an_outage_is_not_a_server_without_metadata(peer, status, post):
    with old_server(status, post) as server:
        with pytest.raises(RPCFault):
            peer.request("authorize", told(server, wait=False))
        assert not server.clients


@pytest.mark.parametrize("methods", [None, ["plain"]])
def test_a_server_that_does_not_list_s256(peer, server, mcp, methods):
    server.metadata["code_challenge_methods_supported"] = methods
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", mcp.told())
    assert fault.value.kind == "unsupportedByProvider" and "S256" in fault.value.message and not server.clients
    assert page(peer, mcp, provider={"discovery": mcp.mcp, "pkce": "S256"})["code_challenge_method"] == "S256"


@pytest.mark.parametrize("issuer", [None, "{}/", "{}:80"])
def test_a_redirect_without_the_announced_issuer_is_refused(peer, server, mcp, issuer):
    """Issuers are compared letter by letter (RFC 9207)."""
    server.metadata["authorization_response_iss_parameter_supported"] = True
    identifier = peer.send("authorize", mcp.told())
    url = peer.event("signInWasRequested", request=identifier)["url"]
    browser.deliver(redirect(url, code="c0de", iss=issuer and issuer.format(server.issuer)))
    with pytest.raises(RPCFault) as fault:
        peer.result(identifier)
    assert fault.value.kind == "responseUntrusted" and not server.exchanges

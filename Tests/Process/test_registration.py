"""Dynamic client registration (RFC 7591), and servers that no client here can use."""

import base64
import contextlib
import json
import socket
import time
import urllib.parse

import pytest

import browser
from ports import reserve_port
from provider import Response
from rpc import RPCFault
from signing_in import TokenProvider, authorize
from test_command_line import Shell


class Registrar(TokenProvider):
    """A provider that publishes metadata and registers clients. A test adds members to the metadata and the responses."""

    def __init__(self, metadata: dict | None = None, registered: dict | None = None):
        super().__init__()
        self.metadata = metadata or {}
        self.registered = registered or {}
        self.clients = 0
        self.instead["/.well-known/oauth-authorization-server"] = self.publish
        self.instead["/register"] = self.register
        self.instead["/par"] = self.push

    def publish(self, request) -> Response:
        places = {
            "authorization_endpoint": "/authorize",
            "token_endpoint": "/token",
            "registration_endpoint": "/register",
            "pushed_authorization_request_endpoint": "/par",
        }
        return Response.of({"issuer": self.url, **{name: self.url + path for name, path in places.items()}, **self.metadata})

    def register(self, request) -> Response:
        self.clients += 1
        return Response.of({"client_id": f"reg-{self.clients}", **self.registered}, 201)

    def push(self, request) -> Response:
        return Response.of({"request_uri": f"urn:r{len(self.sent('/par'))}", "expires_in": 1}, 201)

    def approve(self, url: str) -> None:
        """The URL of a pushed request has only the request_uri."""
        pushed = self.sent("/par")
        if pushed:
            url += "&" + urllib.parse.urlencode(form(pushed[-1]))
        super().approve(url)

    def sent(self, path: str) -> list:
        return [request for request in self.requests if request.path == path]

    def told(self, **more) -> dict:
        return {"account": "a", "provider": self.url, "scopes": ["read"], "openBrowser": False, **more}


def form(request) -> dict:
    return browser.query("?" + request.body.decode())


@pytest.mark.parametrize(
    ("metadata", "method"),
    [
        ({}, "none"),
        ({"token_endpoint_auth_methods_supported": ["client_secret_basic", "none"]}, "none"),
        ({"token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"]}, "client_secret_post"),
        ({"token_endpoint_auth_methods_supported": ["private_key_jwt", "client_secret_basic"]}, "client_secret_basic"),
        ({"token_endpoint_auth_methods_supported": ["client_secret_post", "private_key_jwt"]}, "client_secret_post"),
    ],
)
def test_what_a_client_asks_for(peer, metadata, method):
    with Registrar(metadata) as server:
        peer.request("authorize", server.told(wait=False))
        assert json.loads(server.sent("/register")[0].body)["token_endpoint_auth_method"] == method


@pytest.mark.parametrize("client", ["reg-1", 12345])
def test_a_secret_without_a_method_is_for_basic(peer, client):
    with Registrar(registered={"client_id": client, "client_secret": "s3cret"}) as server:
        authorize(peer, server.approve, **server.told())
        assert server.sent("/token")[0].headers["Authorization"] == "Basic " + base64.b64encode(f"{client}:s3cret".encode()).decode()


@pytest.mark.parametrize("way", ["none", "client_secret_post", "client_secret_basic"])
def test_the_method_that_the_response_names_is_used_alone(peer, way):
    """The server lists others as well. Its refusal is not followed by another method."""
    metadata = {"token_endpoint_auth_methods_supported": ["none", "client_secret_post", "client_secret_basic"]}
    with Registrar(metadata, {"client_secret": "s3cret", "token_endpoint_auth_method": way}) as server:
        server.instead["/token"] = lambda request: Response.of({"error": "invalid_client"}, 401)
        with pytest.raises(RPCFault):
            authorize(peer, server.approve, **server.told())
        (sent,) = server.sent("/token")
        assert ("Authorization" in sent.headers) is (way == "client_secret_basic") is ("client_id" not in form(sent))
        assert ("client_secret" in form(sent)) is (way == "client_secret_post")


def refuse_basic(request) -> Response | None:
    return Response.of({"error": "invalid_client"}, 401) if "Authorization" in request.headers else None


@pytest.mark.parametrize("body", [b'{"error":"unauthorized_client","error_description":"missing CLIENT_ID"}', b"<p>Missing client_id</p>"])
def test_a_server_that_misses_the_id_beside_basic_gets_it(peer, body):
    """The servers of the MCP Python SDK look for it in the form alone."""
    with Registrar(registered={"client_secret": "s3cret", "token_endpoint_auth_method": "client_secret_basic"}) as server:
        server.instead["/token"] = lambda request: None if "client_id" in form(request) else Response(401, body)
        server.instead["/revoke"] = lambda request: Response(200 if form(request).get("client_id") == "reg-1" else 400)
        server.metadata["revocation_endpoint"] = server.url + "/revoke"
        authorize(peer, server.approve, **server.told())
        assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
        sent = server.sent("/token")
        assert [form(request).get("client_id") for request in sent] == [None, "reg-1", "reg-1"]
        assert all(request.headers["Authorization"].startswith("Basic ") and "client_secret" not in form(request) for request in sent)
        assert peer.request("revoke", {"account": "a"})["remote"] == "revoked"


def test_no_other_refusal_of_basic_sends_the_id_beside_it(peer):
    """Strict servers take it for a second method (RFC 6749, 2.3)."""
    with Registrar(registered={"client_secret": "s3cret", "token_endpoint_auth_method": "client_secret_basic"}) as server:
        server.instead["/token"] = lambda request: Response.of({"error": "invalid_client", "error_description": "Invalid client_id"}, 401)
        with pytest.raises(RPCFault):
            authorize(peer, server.approve, **server.told())
        assert ["client_id" in form(request) for request in server.sent("/token")] == [False]


@pytest.mark.parametrize("pushes", [False, True])
def test_the_body_follows_basic_once_and_is_remembered(peer, pushes):
    metadata = {"token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"]}
    if pushes:
        metadata["require_pushed_authorization_requests"] = True
    with Registrar(metadata, {"client_secret": "s3cret"}) as server:
        server.instead["/token"] = refuse_basic
        push = server.instead["/par"]
        server.instead["/par"] = lambda request: refuse_basic(request) or push(request)
        authorize(peer, server.approve, **server.told())
        assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
        # Only the first request uses Basic.
        sent = server.sent("/par") + server.sent("/token")
        assert ["Authorization" in request.headers for request in sent] == [True] + [False] * (len(sent) - 1)
        assert len(sent) == (4 if pushes else 3)
        assert all(form(request)["client_secret"] == "s3cret" for request in sent[1:])


def test_another_error_repeats_no_code(peer):
    metadata = {"token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"]}
    with Registrar(metadata, {"client_secret": "s3cret"}) as server:
        server.instead["/token"] = lambda request: Response.of({"error": "unauthorized_client"}, 401)
        with pytest.raises(RPCFault) as fault:
            authorize(peer, server.approve, **server.told())
        assert fault.value.data["error"] == "unauthorized_client" and len(server.sent("/token")) == 1


def test_a_registered_client_is_used_again(start):
    """The client is used again for its account and with its registered port, in another process too."""
    with Registrar() as server:
        with start() as peer:
            authorize(peer, server.approve, **server.told())
        with start() as peer:
            asked = peer.request("authorize", server.told(interaction="always", wait=False))
            sent = browser.query(asked["signIn"]["url"])
            registered = json.loads(server.sent("/register")[0].body)["redirect_uris"]
            assert server.clients == 1 and sent["client_id"] == "reg-1" and [sent["redirect_uri"]] == registered
            # Another account has its own client and therefore another redirect URI.
            peer.request("authorize", server.told(account="b", wait=False))
            assert server.clients == 2


@pytest.mark.parametrize("change", ["port", "scopes", "redirect"])
def test_what_was_not_registered_needs_another_client(start, change):
    with Registrar() as server:
        with start() as peer:
            authorize(peer, server.approve, **server.told())
        port = urllib.parse.urlsplit(json.loads(server.sent("/register")[0].body)["redirect_uris"][0]).port
        asked = server.told(interaction="always", wait=False)
        with socket.socket() as other, start() as peer:
            if change == "port":
                other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                # Another program may have it by now, which does as well.
                with contextlib.suppress(OSError):
                    other.bind(("127.0.0.1", port))
                    other.listen()
            elif change == "scopes":
                asked["scopes"] = ["read", "write"]
            else:
                asked["redirectUri"] = "com.example.app:/cb"
            pending = peer.request("authorize", asked)
            assert browser.query(pending["signIn"]["url"])["client_id"] == "reg-2"


def test_a_client_that_the_server_rejects_is_not_used_again(peer):
    with Registrar() as server:
        authorize(peer, server.approve, **server.told())
        server.instead["/token"] = lambda request: Response.of({"error": "invalid_client"}, 401)
        with pytest.raises(RPCFault) as fault:
            peer.request("refresh", {"account": "a", "force": True})
        assert fault.value.data["reason"] == "clientRejected" and "the client that this program registered" in fault.value.message
        assert peer.request("account", {"account": "a"})["problem"] == "the provider rejected the client's registration"
        pending = peer.request("authorize", server.told(wait=False))
        assert browser.query(pending["signIn"]["url"])["client_id"] == "reg-2"


def test_a_client_whose_page_brought_nothing_is_not_used_again(peer):
    """A server that has deleted the client reports this only on its page."""
    with Registrar() as server:
        authorize(peer, server.approve, **server.told())
        for number in (1, 2):
            pending = peer.request("authorize", server.told(interaction="always", wait=False))
            assert browser.query(pending["signIn"]["url"])["client_id"] == f"reg-{number}"


def test_nor_in_another_process(start):
    """The user has closed the server's page about an unknown client, and the command has ended."""
    with Registrar() as server:
        with start() as peer:
            authorize(peer, server.approve, **server.told())
            with pytest.raises(RPCFault) as fault:
                peer.request("authorize", server.told(interaction="always", timeout=3))
            assert fault.value.kind == "timedOut"
        with start() as peer:
            pending = peer.request("authorize", server.told(interaction="always", wait=False))
            assert browser.query(pending["signIn"]["url"])["client_id"] == "reg-2"


def test_a_client_says_lists_and_objects_of_itself(peer):
    own = {"contacts": ["a@example.com"], "jwks": {"keys": []}, "require_auth_time": True, "client_name": "My Editor"}
    with Registrar() as server:
        peer.request("authorize", server.told(provider={"discovery": server.url, "registrationParameters": own}, wait=False))
        sent = json.loads(server.sent("/register")[0].body)
        assert {name: sent[name] for name in own} == own


def test_unsupported_demands_are_reported_before_a_page_opens(peer):
    with Registrar({"token_endpoint_auth_methods_supported": ["private_key_jwt"]}) as server:
        with pytest.raises(RPCFault) as fault:
            peer.request("authorize", server.told(wait=False))
        assert fault.value.kind == "unsupportedByProvider" and not server.sent("/register")
        assert "private_key_jwt" in fault.value.message


@pytest.mark.parametrize(
    ("server", "resource", "demands"),
    [
        ({"dpop_bound_access_tokens_required": True}, {}, True), ({}, {"dpop_bound_access_tokens_required": True}, True),
        ({"dpop_signing_alg_values_supported": ["ES256"]}, {"dpop_signing_alg_values_supported": ["ES256"]}, False),
    ],
    ids=["server", "resource", "listed"],
)
def test_metadata_demand_bound_tokens(peer, server, resource, demands):
    with Registrar(server) as running:
        described = {"resource": running.url + "/mcp", "authorization_servers": [running.url], **resource}
        running.instead["/.well-known/oauth-protected-resource/mcp"] = lambda request: Response.of(described)
        page = peer.request("authorize", running.told(provider=running.url + "/mcp", wait=False))["signIn"]["url"]
        assert ("dpop_jkt" in browser.query(page)) is demands
        # RFC 9449, 5.2.
        assert json.loads(running.sent("/register")[0].body).get("dpop_bound_access_tokens") == (True if demands else None)


def test_a_pushed_request_that_has_ended_is_replaced(peer):
    """A page that was opened in time can still end the sign-in with its redirect."""
    with Registrar({"require_pushed_authorization_requests": True}) as server:
        before = int(time.time())
        waiting = peer.send("authorize", server.told())
        first = peer.event("signInWasRequested", request=waiting)
        assert first["expiresAt"] <= int(time.time()) + 1 and first["url"].endswith("request_uri=urn%3Ar1")
        time.sleep(max(0, before + 3 - time.time()))
        second = peer.request("authorize", server.told(wait=False))["signIn"]
        assert second["id"] == first["signIn"] and second["url"].endswith("request_uri=urn%3Ar2")
        assert first["expiresAt"] < second["expiresAt"] <= int(time.time()) + 1
        pushed = [form(request) for request in server.sent("/par")]
        assert pushed[0] == pushed[1]
        server.approve(first["url"])
        assert peer.result(waiting)["via"] == "signedIn"


def test_a_page_of_glewlwyd_ends_with_its_pushed_request(peer, glewlwyd):
    """Glewlwyd deletes a pushed request after 90 seconds."""
    issuer = glewlwyd.provider["issuer"]
    told = {"discovery": issuer, "apiBase": glewlwyd.provider["apiBase"], "pushedAuthorizationRequests": "on"}
    asked = glewlwyd.parameters(account="a", wait=False)
    page = peer.request("authorize", {**asked, "provider": told})["signIn"]
    assert "request_uri=" in page["url"] and page["expiresAt"] <= int(time.time()) + 90


@pytest.mark.parametrize("empty", [None, ""])
def test_an_empty_member_is_a_missing_one(peer, empty):
    endpoints = ("revocation_endpoint", "jwks_uri", "userinfo_endpoint", "introspection_endpoint", "device_authorization_endpoint")
    metadata = dict.fromkeys([*endpoints, "pushed_authorization_request_endpoint", "token_endpoint_auth_methods_supported"], empty)
    registered = {"client_secret": "s3cret", **dict.fromkeys(["token_endpoint_auth_method", "client_secret_expires_at"], empty)}
    tokens = dict.fromkeys(["refresh_token", "id_token", "token_type", "expires_in", "error", "refresh_token_expires_in"], empty)
    with Registrar(metadata, registered) as server:
        server.instead["/token"] = lambda _: Response.of({"access_token": "at", **tokens})
        granted = authorize(peer, server.approve, **server.told())
        assert (granted["grantedScopes"], granted["tokenType"], granted["canRefresh"]) == (["read"], "Bearer", False)
        assert server.sent("/token")[0].headers["Authorization"].startswith("Basic ")
        # An empty scope means no scope.
        server.instead["/token"] = lambda _: Response.of({"access_token": "at", "scope": ""})
        assert authorize(peer, server.approve, **server.told(account="b"))["grantedScopes"] == []
        server.instead["/token"] = lambda _: Response.of({"access_token": empty, "token_type": "Bearer"})
        with pytest.raises(RPCFault, match="has no access token"):
            authorize(peer, server.approve, **server.told(account="c"))


def test_white_space_around_a_response_does_not_count(peer):
    with Registrar() as server:
        server.instead["/token"] = lambda _: Response(200, b"\r\n\naccess_token=at&scope=read+write\n")
        assert authorize(peer, server.approve, **server.told())["grantedScopes"] == ["read", "write"]


def test_a_server_that_registers_apps_by_a_form(peer):
    """Mastodon and its relatives name an endpoint of their own, which takes a form."""
    with Registrar({"registration_endpoint": None}) as server:
        server.metadata["app_registration_endpoint"] = server.url + "/api/v1/apps"
        apps = {"id": "1", "name": "x", "client_id": "app-1", "client_secret": "s3cret", "client_secret_expires_at": 0}
        server.instead["/api/v1/apps"] = lambda _: Response.of(apps)
        authorize(peer, server.approve, **server.told(scopes=["read", "write"]))
        sent = form(server.sent("/api/v1/apps")[0])
        assert (sent["scopes"], sent["client_name"], "scope" in sent) == ("read write", "oauth-stdio", False)
        assert sent["redirect_uris"] == form(server.sent("/token")[0])["redirect_uri"]
        assert peer.request("account", {"account": "a"})["clientId"] == "app-1"


def test_a_grant_stays_while_the_api_names_another_server(start):
    """Another process learns of the change at its own 401. No client and no token of the old server goes to the new one."""
    listed = {"code_challenge_methods_supported": ["S256"]}
    with Registrar(listed) as old, Registrar(listed) as new:
        api, place = old.url + "/api/mcp", "/.well-known/oauth-protected-resource/api/mcp"
        old.instead[place] = lambda request: Response.of({"resource": api, "authorization_servers": [old.url]})
        with start() as peer:
            authorize(peer, old.approve, **old.told(provider=api))
            # An expired token is a reason to look at the metadata, too. The server moves a moment later.
            old.living.clear()
            assert peer.request("callAPI", {"account": "a", "url": api})["status"] == 200
            old.instead[place] = lambda request: Response.of({"resource": api, "authorization_servers": [new.url]})
            old.instead["/api/mcp"] = lambda request: Response(401)
            for kind, params in [("callAPI", {"url": api}), ("authorize", {"interaction": "never"})]:
                with pytest.raises(RPCFault) as fault:
                    peer.request(kind, {"account": "a", **params})
                assert fault.value.kind == "signInRequired" and fault.value.data["reason"] == "issuerChanged"
                assert (fault.value.data["previousIssuer"], fault.value.data["issuer"]) == (old.url, new.url)
            assert peer.request("account", {"account": "a"})["clientId"] == "reg-1"
        with start() as peer:
            assert peer.request("authorize", {"account": "a"})["via"] == "stored"
            refreshes = len(old.sent("/token"))
            with pytest.raises(RPCFault):
                peer.request("callAPI", {"account": "a", "url": api})
            assert len(old.sent("/token")) == refreshes
            identifier = peer.send("authorize", {"account": "a", "openBrowser": False})
            page = peer.event("signInWasRequested", request=identifier)
            assert (page["previousIssuer"], page["issuer"]) == (old.url, new.url)
            new.approve(page["url"])
            assert peer.result(identifier)["via"] == "signedIn" and new.clients == 1
        assert not [secret for secret in old.secrets for request in new.requests if secret in str(request)]


# A document of metadata in the place of a registration (draft-ietf-oauth-client-id-metadata-document).
DOCUMENT = "https://app.example.com/oauth-stdio.json"
READS_DOCUMENTS = {"client_id_metadata_document_supported": True}


def configure(home, **content) -> None:
    home.mkdir(exist_ok=True)
    (home / "config.json").write_text(json.dumps(content))


@pytest.mark.parametrize("place", ["all", "account"])
def test_the_configured_document_is_the_client(start, home, place):
    """The published document names the redirect URI that the sign-in uses."""
    ports = [reserve_port(), reserve_port()]
    own = {"clientMetadata": DOCUMENT, "redirectPorts": ports}
    configure(home, **(own if place == "all" else {"accounts": {"a": own}}))
    words = ["--account", "a"] if place == "account" else []
    published = Shell(home).result("--config", home / "config.json", "client-metadata", *words)
    uris = [f"http://127.0.0.1:{port}/callback" for port in ports]
    assert (published["client_id"], published["redirect_uris"]) == (DOCUMENT, uris)
    assert published["grant_types"] == ["authorization_code", "refresh_token"] and published["token_endpoint_auth_method"] == "none"
    with Registrar(READS_DOCUMENTS) as server, start("--config", home / "config.json") as peer:
        authorize(peer, server.approve, **server.told())
        assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
        sent = [form(request) for request in server.sent("/token")]
        assert [request["client_id"] for request in sent] == [DOCUMENT] * 2 and sent[0]["redirect_uri"] == uris[0] and not server.clients
        assert peer.request("authorize", server.told())["via"] == "stored"


def test_a_registered_client_stays_until_the_server_forgets_it(start, home):
    with Registrar(READS_DOCUMENTS) as server, start() as peer:
        authorize(peer, server.approve, **server.told())
        asked = server.told(clientMetadata=DOCUMENT)
        assert peer.request("authorize", asked)["via"] == "stored"
        server.instead["/token"] = lambda request: Response.of({"error": "invalid_client"}, 401)
        with pytest.raises(RPCFault):
            peer.request("refresh", {"account": "a", "force": True})
        del server.instead["/token"]
        authorize(peer, server.approve, **asked)
        assert peer.request("account", {"account": "a"})["clientId"] == DOCUMENT and server.clients == 1


@pytest.mark.parametrize("url", ["http://app.example.com/x", "https://app.example.com", "https://app.example.com/x#y", "x"])
def test_a_document_is_at_an_https_url_with_a_path(peer, url):
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", {"account": "a", "provider": "https://id.example", "clientMetadata": url})
    assert fault.value.code == -32602 and fault.value.data["path"] == "/clientMetadata"


def test_a_document_without_a_url_has_no_text(home):
    assert "/clientMetadata" in Shell(home).message("client-metadata", status=2)

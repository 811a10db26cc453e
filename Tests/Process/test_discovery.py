"""Providers named by a URL alone, against servers that publish their endpoints."""

import base64
import json
import re
import threading
import time
import urllib.parse
import urllib.request

import browser
import pytest

from ports import reserve_port
from provider import Response
from rpc import ROOT, RPCFault
from signing_in import TokenProvider, authorize, redirect
from waiting import Hold, wait_until


@pytest.fixture(params=["dot", "glewlwyd"])
def server(request):
    return request.getfixturevalue(request.param)


def test_an_issuer_alone_is_enough(peer, server):
    told = {"discovery": server.provider["issuer"], "apiBase": server.provider["apiBase"]}
    granted = authorize(peer, **{**server.parameters(account="a"), "provider": told})
    assert granted["via"] == "signedIn"
    assert peer.request("callAPI", {"account": "a", "url": server.api})["status"] == 200
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
    found = peer.request("provider", {"provider": told})
    assert found["issuer"] == server.provider["issuer"]
    assert {name: found["endpoints"][name] for name in ("authorizationEndpoint", "tokenEndpoint")} == {
        name: server.provider[name] for name in ("authorizationEndpoint", "tokenEndpoint")
    }


def test_a_list_of_dpop_algorithms_demands_nothing(peer, glewlwyd):
    issuer = glewlwyd.provider["issuer"]
    with urllib.request.urlopen(issuer + "/.well-known/openid-configuration") as answer:
        assert json.load(answer)["dpop_signing_alg_values_supported"]
    told = {"discovery": issuer, "apiBase": glewlwyd.provider["apiBase"]}
    assert authorize(peer, **{**glewlwyd.parameters(account="a"), "provider": told})["via"] == "signedIn"
    assert peer.request("callAPI", {"account": "a", "url": glewlwyd.api})["status"] == 200


def test_a_client_is_registered_if_none_is_given(peer, dot):
    """django-oauth-toolkit compares the whole redirect URI, including the port, with the registered one."""
    told = {"discovery": dot.provider["issuer"], "apiBase": dot.provider["apiBase"]}
    asked = {"account": "a", "provider": told, "scopes": ["read"], "openBrowser": False}
    assert authorize(peer, **asked)["via"] == "signedIn"
    first = peer.request("account", {"account": "a"})["clientId"]
    assert peer.request("callAPI", {"account": "a", "url": dot.api})["status"] == 200
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
    assert peer.request("authorize", asked)["via"] == "stored"
    # Another sign-in uses the same port, so it uses the same client.
    assert authorize(peer, **asked, interaction="always")["via"] == "signedIn"
    assert peer.request("account", {"account": "a"})["clientId"] == first
    assert peer.request("callAPI", {"account": "a", "url": dot.api})["status"] == 200
    assert peer.request("revoke", {"account": "a"})["revoked"] is True


class Issuer(TokenProvider):
    """A provider that publishes its endpoints and counts the requests for them."""

    def __init__(self, lifetime: int = 3600):
        super().__init__(lifetime)
        self.asked = 0
        self.token_path = "/token"
        # The metadata wait for it.
        self.gate = threading.Event()
        self.gate.set()
        self.instead["/.well-known/oauth-authorization-server"] = self.publish

    def publish(self, request) -> Response:
        self.asked += 1
        self.gate.wait(100)
        places = {"authorization_endpoint": self.url + "/authorize", "token_endpoint": self.url + self.token_path}
        return Response.of({"issuer": self.url, **places})

    def told(self, **more) -> dict:
        return {"provider": self.url, "clientId": "c", "scopes": ["read"], "openBrowser": False, **more}


def test_a_stored_grant_needs_no_discovery(start):
    """Every request names the provider by its URL, as a script does that runs repeatedly."""
    with Issuer() as issuer:
        with start() as peer:
            assert authorize(peer, issuer.approve, **issuer.told())["account"] == issuer.url.removeprefix("http://")
        assert issuer.asked == 1
        with start() as peer:
            assert peer.request("authorize", issuer.told())["via"] == "stored"
            assert peer.request("refresh", {"account": issuer.url.removeprefix("http://"), "force": True})["refreshed"] is True
            assert issuer.asked == 1
            # A new authorization page uses the endpoint of the latest metadata.
            pending = peer.request("authorize", issuer.told(interaction="always", wait=False))
            assert pending["status"] == "pending" and issuer.asked == 2


def test_concurrent_requests_share_one_discovery(start):
    with Issuer() as issuer, start() as peer:
        issuer.gate.clear()
        asked = [peer.send("authorize", issuer.told(account=f"a{number}", wait=False)) for number in range(10)]
        wait_until(lambda: issuer.asked)
        peer.request("accounts")
        issuer.gate.set()
        assert all(peer.result(identifier)["status"] == "pending" for identifier in asked)
        assert issuer.asked == 1


def test_a_cancelled_request_does_not_stop_a_shared_discovery(start):
    with Issuer() as issuer, start() as peer:
        issuer.gate.clear()
        first = peer.send("authorize", issuer.told(account="a", wait=False))
        wait_until(lambda: issuer.asked)
        second = peer.send("authorize", issuer.told(account="b", wait=False))
        peer.notify("$/cancelRequest", {"id": first})
        with pytest.raises(RPCFault) as fault:
            peer.result(first)
        assert fault.value.code == -32800
        issuer.gate.set()
        assert peer.result(second)["status"] == "pending" and issuer.asked == 1


def test_a_token_endpoint_that_moves_is_found_again(start):
    """The new endpoint has the same origin, so no secret is sent to a new server."""
    with Issuer(lifetime=1) as issuer, start() as peer:
        authorize(peer, issuer.approve, **issuer.told(account="a"))
        issuer.token_path = "/new/token"
        issuer.instead["/new/token"] = lambda request: issuer.issue()
        # Metadata is cached for a while. Another process fetches it when a sign-in is required.
        with start() as other:
            other.request("authorize", issuer.told(account="a", interaction="always", wait=False))
            issuer.instead["/token"] = lambda request: Response(404)
            assert other.request("refresh", {"account": "a", "force": True})["refreshed"] is True


def test_a_pasted_place_of_metadata_is_its_issuer(peer, server):
    issuer = server.provider["issuer"]
    found = peer.request("provider", {"provider": issuer + "/.well-known/openid-configuration"})
    assert found["issuer"] == issuer and found["endpoints"] == peer.request("provider", {"provider": issuer})["endpoints"]
    url = urllib.parse.urlsplit(issuer)
    pasted = f"{url.scheme}://{url.netloc}/.well-known/oauth-authorization-server{url.path}"
    assert peer.request("provider", {"provider": {"discovery": pasted}})["issuer"] == issuer


def test_an_account_of_a_pasted_place_is_the_issuers(start):
    with Issuer() as issuer, start() as peer:
        pasted = issuer.url + "/.well-known/oauth-authorization-server"
        assert authorize(peer, issuer.approve, **issuer.told(provider=pasted))["account"] == issuer.url.removeprefix("http://")
        assert peer.request("authorize", issuer.told())["via"] == "stored"


def test_the_documents_of_an_issuer_are_merged(start):
    """The first document takes precedence, and the other fills gaps."""
    with Issuer() as issuer, start() as peer:
        openid = {"token_endpoint": "/other", "userinfo_endpoint": "/userinfo", "jwks_uri": "/jwks"}
        openid = {"issuer": issuer.url, **{name: issuer.url + path for name, path in openid.items()}}
        issuer.instead["/.well-known/openid-configuration"] = lambda request: Response.of(openid)
        found = peer.request("provider", {"provider": issuer.url})["endpoints"]
        paths = {name: url.removeprefix(issuer.url) for name, url in found.items()}
        assert paths == {
            "authorizationEndpoint": "/authorize", "tokenEndpoint": "/token", "userInfoEndpoint": "/userinfo", "jwksUri": "/jwks"
        }


@pytest.mark.parametrize("change", [{"issuer": "https://other.example"}, {"jwks_uri": "http://other.example/jwks"}, {"jwks_uri": 7}])
def test_a_second_document_that_is_wrong_is_left_out(start, change):
    with Issuer() as issuer, start() as peer:
        openid = {"issuer": issuer.url, "token_endpoint": issuer.url + "/t", "jwks_uri": issuer.url + "/jwks", **change}
        issuer.instead["/.well-known/openid-configuration"] = lambda request: Response.of(openid)
        assert list(peer.request("provider", {"provider": issuer.url})["endpoints"]) == ["authorizationEndpoint", "tokenEndpoint"]


def test_a_resource_that_names_the_url_comes_before_an_issuer_of_the_same_url(start):
    with Issuer() as issuer, Issuer() as both, start() as peer:
        described = {"resource": both.url, "authorization_servers": [issuer.url]}
        both.instead["/.well-known/oauth-protected-resource"] = lambda request: Response.of(described)
        assert peer.request("provider", {"provider": both.url})["issuer"] == issuer.url
        assert both.asked == 0


def test_a_resource_around_an_issuer_does_not_hide_it(start):
    """The whole host is a resource of another server. The issuer below it is looked up by its own name."""
    with Issuer() as issuer, Issuer() as both, start() as peer:
        described = {"resource": both.url, "authorization_servers": [issuer.url]}
        both.instead["/.well-known/oauth-protected-resource"] = lambda request: Response.of(described)
        own = {"issuer": both.url + "/t", "authorization_endpoint": both.url + "/a", "token_endpoint": both.url + "/token"}
        both.instead["/.well-known/oauth-authorization-server/t"] = lambda request: Response.of(own)
        assert peer.request("provider", {"provider": both.url + "/t"})["issuer"] == both.url + "/t"


def test_a_host_that_is_not_there(peer):
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", {"account": "a", "provider": "http://127.0.0.1:9/", "clientId": "c"})
    assert fault.value.kind == "networkFailure" and fault.value.data["retryable"] is True and fault.value.data["account"] == "a"


class Resource(Issuer):
    """An API whose tokens are from another server."""

    def __init__(self, issuers, **more):
        super().__init__()
        self.instead["/.well-known/oauth-authorization-server"] = lambda request: Response(404)
        described = {"resource": self.url + "/mcp", "authorization_servers": issuers, **more}
        self.instead["/.well-known/oauth-protected-resource/mcp"] = lambda request: Response.of(described)


def test_each_resource_has_its_own_token(start):
    """Both resources use one server, and the process requests a token for each."""
    with Issuer() as issuer, Resource([issuer.url]) as one, Resource([issuer.url]) as two, start() as peer:
        asked = issuer.told(account="a", provider=one.url + "/mcp")
        authorize(peer, issuer.approve, **asked)
        assert peer.request("authorize", asked)["via"] == "stored"
        other = peer.request("authorize", {**asked, "provider": two.url + "/mcp", "wait": False})
        assert other["status"] == "pending" and "resource=" + urllib.parse.quote(two.url, safe="") in other["signIn"]["url"]


@pytest.mark.parametrize("resource", ["off", "urn:other"])
def test_the_resource_of_an_account_is_set_or_left_out(start, home, resource):
    """Entra rejects `resource` (AADSTS9010010)."""
    with Issuer() as issuer, Resource([issuer.url]) as server:
        configure(home, provider=server.url + "/mcp", clientId="c", scopes=["read"], openBrowser=False, resource=resource)
        wanted = None if resource == "off" else resource
        with start() as peer:
            identifier = peer.send("authorize", {"account": "a"})
            url = peer.event("signInWasRequested", request=identifier)["url"]
            issuer.approve(url)
            assert peer.result(identifier)["via"] == "signedIn" and browser.query(url).get("resource") == wanted
            # The provider by its URL is the configured one.
            assert peer.request("authorize", {"account": "a", "provider": server.url + "/mcp"})["via"] == "stored"
        with start() as peer:
            assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
        sent = [browser.query("?" + request.body.decode()) for request in issuer.requests if request.path == "/token"]
        assert [request.get("resource") for request in sent] == [wanted] * 2


def test_the_example_of_an_mcp_server(start, home):
    """With this test's server and port in the place of the example's."""
    text = (ROOT / "examples" / "providers.md").read_text()
    example = json.loads(re.search(r"^```json\n(\{\"clientMetadata[^`]*)^```", text, re.MULTILINE)[1])
    port = reserve_port()
    with Issuer() as issuer, Resource([issuer.url], scopes_supported=["all"]) as server:
        publish, example["redirectPorts"] = issuer.publish, [port]
        issuer.instead["/.well-known/oauth-authorization-server"] = lambda request: Response.of(
            {**json.loads(publish(request).body), "client_id_metadata_document_supported": True})
        example["accounts"]["tools"]["provider"] = server.url + "/mcp"
        home.mkdir(exist_ok=True)
        (home / "config.json").write_text(json.dumps(example))
        with start("--config", home / "config.json") as peer:
            asked = browser.query(peer.request("authorize", {"account": "tools", "openBrowser": False, "wait": False})["signIn"]["url"])
        assert (asked["client_id"], asked["scope"], asked.get("resource")) == (example["clientMetadata"], "tools:read", None)
        assert asked["redirect_uri"] == f"http://127.0.0.1:{port}/callback"


@pytest.mark.parametrize("waits", [True, False])
def test_offline_access_that_is_rejected_is_left_out(start, waits):
    """Some servers list it for other clients only. The user's own scopes are never changed."""
    with Issuer() as issuer, Resource([issuer.url], scopes_supported=["read"]) as server, start() as peer:
        publish = issuer.publish
        listed = {"scopes_supported": ["read", "offline_access"]}
        issuer.instead["/.well-known/oauth-authorization-server"] = lambda request: Response.of({**json.loads(publish(request).body), **listed})
        asked = {"account": "a", "provider": server.url + "/mcp", "clientId": "c", "openBrowser": False, "wait": waits}
        identifier = peer.send("authorize", asked)
        first = peer.event("signInWasRequested", request=identifier)["url"]
        assert browser.query(first)["scope"] == "read offline_access"
        browser.deliver(redirect(first, error="invalid_scope"))
        if not waits:
            with pytest.raises(RPCFault):
                peer.request("awaitSignIn", {"id": peer.result(identifier)["signIn"]["id"]})
            identifier = peer.send("authorize", asked)
        wait_until(lambda: [event for event in peer.events if event["method"] == "signInWasRequested"][-1]["params"]["url"] != first)
        second = [event for event in peer.events if event["method"] == "signInWasRequested"][-1]["params"]["url"]
        assert browser.query(second)["scope"] == "read"
        issuer.approve(second)
        assert peer.result(identifier)["status"] == ("authorized" if waits else "pending")


def test_the_next_server_is_used_if_the_first_publishes_nothing(start):
    with Issuer() as issuer, Issuer() as mute, Resource([mute.url, issuer.url]) as resource, start() as peer:
        mute.instead["/.well-known/oauth-authorization-server"] = lambda request: Response(404)
        assert peer.request("provider", {"provider": resource.url + "/mcp"})["issuer"] == issuer.url


def test_an_api_that_drops_the_request_is_found(start):
    with Issuer() as issuer, Resource([issuer.url]) as resource, start() as peer:
        resource.instead["/mcp"] = lambda request: Response(200, is_dropped=True)
        assert peer.request("provider", {"provider": resource.url + "/mcp"})["issuer"] == issuer.url


def test_the_error_names_the_server_at_fault(start):
    """If the resource's server is missing, the error names that server and not the resource."""
    with Issuer() as mute, Resource([mute.url + "/as"]) as resource, start() as peer:
        resource.instead["/.well-known/openid-configuration/mcp"] = lambda request: Response.of({"issuer": "https://other.example"})
        with pytest.raises(RPCFault) as fault:
            peer.request("provider", {"provider": resource.url + "/mcp"})
        assert fault.value.kind == "unsupportedByProvider" and mute.url + "/as" in fault.value.message


def test_a_hanging_server_is_limited_by_the_timeout(start):
    with Issuer() as issuer, start() as peer:
        issuer.instead["/.well-known/oauth-authorization-server"] = hold = Hold()
        with pytest.raises(RPCFault) as fault:
            peer.request("authorize", issuer.told(account="a", timeout=1))
        assert fault.value.kind == "timedOut" and fault.value.data["account"] == "a"
        hold.release()


def test_interaction_never_sends_no_discovery_request(peer):
    """`interaction: "never"` is for background programs, with or without a network."""
    asked = {"provider": "http://127.0.0.1:9/", "clientId": "c", "interaction": "never"}
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", asked)
    assert fault.value.kind == "signInRequired" and fault.value.data["account"] == "127.0.0.1:9"


def test_a_dry_run_sends_discovery_requests(start):
    with Issuer() as issuer, start() as peer:
        assert peer.request("authorize", issuer.told(interaction="never", dryRun=True))["status"] == "dryRun"


def test_a_provider_file_with_a_url_needs_no_discovery_for_a_stored_grant(start, home):
    providers = home / "config" / "oauth-stdio" / "providers"
    providers.mkdir(parents=True)
    with Issuer() as issuer:
        (providers / "corp.json").write_text(json.dumps({"discovery": issuer.url}))
        asked = issuer.told(provider="corp")
        with start() as peer:
            assert authorize(peer, issuer.approve, **asked)["account"] == "corp"
    with start() as peer:
        assert peer.request("authorize", asked)["via"] == "stored"


def configure(home, **account) -> None:
    folder = home / "config" / "oauth-stdio"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps({"accounts": {"a": account}}))


def test_an_unreachable_configured_provider_is_named(start, home):
    """The caller's provider cannot be compared with the configured one, so the account rejects it."""
    configure(home, provider="http://127.0.0.1:9/", clientId="c", clientSecret="s3cret")
    with Issuer() as issuer, start() as peer:
        with pytest.raises(RPCFault) as fault:
            peer.request("authorize", issuer.told(account="a"))
        assert fault.value.kind == "networkFailure" and "the provider that the configuration names" in fault.value.message
        assert not any(b"s3cret" in request.body or "Authorization" in request.headers for request in issuer.requests)


@pytest.mark.parametrize("flow", ["browser", "clientCredentials"])
def test_a_replaced_configured_secret_is_used_for_the_stored_grant(start, home, flow):
    with Issuer(lifetime=1) as issuer, start() as peer:
        described = {"provider": issuer.url, "clientId": "c", "scopes": ["read"], "flow": flow, "openBrowser": False}
        configure(home, clientSecret="first", **described)
        if flow == "browser":
            authorize(peer, issuer.approve, account="a")
        else:
            peer.request("authorize", {"account": "a"})
        configure(home, clientSecret="second", **described)
        # The token's lifetime is one second.
        time.sleep(1)
        assert peer.request("authorize", {"account": "a"})["via"] == "refreshed"
        assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
        sent = [request.headers["Authorization"] for request in issuer.requests if request.path == "/token"]
        assert [base64.b64decode(header.split()[1]) for header in sent] == [b"c:first", b"c:second", b"c:second"]


def test_each_issuer_of_a_registered_client_has_its_own_redirect_path(start):
    """A redirect of one issuer is then never mistaken for another issuer's."""

    def path(peer, server, **more) -> str:
        server.instead["/register"] = lambda request: Response.of({"client_id": "registered"}, 201)
        described = {**server.description, "registrationEndpoint": server.url + "/register", **more}
        pending = peer.request("authorize", {"account": server.url, "provider": described, "openBrowser": False, "wait": False})
        page = browser.query(pending["signIn"]["url"])
        registered = json.loads(next(request.body for request in reversed(server.requests) if request.path == "/register"))
        assert registered["redirect_uris"] == [page["redirect_uri"]]
        peer.request("signOut", {"account": server.url})
        return urllib.parse.urlsplit(page["redirect_uri"]).path

    with Issuer() as one, Issuer() as two, start() as peer:
        paths = [path(peer, one), path(peer, one), path(peer, two), path(peer, one, issuer=one.url + "/tenant")]
        assert paths[0] == paths[1] and len(set(paths)) == 3 and all(found.startswith("/callback/") for found in paths)
        # redirectPath of the description or the caller takes precedence.
        assert path(peer, one, redirectPath="/cb") == "/cb"
        # A manually registered client uses the registered path.
        pending = peer.request("authorize", {**one.parameters(), "wait": False})
        assert urllib.parse.urlsplit(browser.query(pending["signIn"]["url"])["redirect_uri"]).path == "/callback"
        # The redirect arrives at this path.
        described = {**one.description, "registrationEndpoint": one.url + "/register"}
        assert authorize(peer, one.approve, account="r", provider=described, scopes=["read"], openBrowser=False)["via"] == "signedIn"


@pytest.mark.parametrize("methods", [["plain"], ["plain", "S256"], []])
def test_metadata_does_not_switch_the_challenge_off(start, methods):
    with Issuer() as issuer, start() as peer:
        places = {"authorization_endpoint": issuer.url + "/authorize", "token_endpoint": issuer.url + "/token"}
        published = {"issuer": issuer.url, **places, "code_challenge_methods_supported": methods}
        issuer.instead["/.well-known/oauth-authorization-server"] = lambda request: Response.of(published)
        url = peer.request("authorize", issuer.told(account="a", wait=False))["signIn"]["url"]
        assert browser.query(url)["code_challenge_method"] == "S256"
        # pkce of the description takes precedence.
        described = issuer.told(account="b", provider={"discovery": issuer.url, "pkce": "off"}, wait=False)
        assert "code_challenge" not in browser.query(peer.request("authorize", described)["signIn"]["url"])


def test_a_server_does_not_have_a_claim_fill_its_issuer(start, home):
    """A provider file may fill an issuer from a claim. Published metadata may not."""
    providers = home / "config" / "oauth-stdio" / "providers"
    providers.mkdir(parents=True)
    with Issuer() as issuer, start() as peer:
        template = issuer.url + "/{tenantid}/v2.0"
        places = {"authorization_endpoint": issuer.url + "/authorize", "token_endpoint": issuer.url + "/token"}
        issuer.instead["/.well-known/oauth-authorization-server/common/v2.0"] = lambda request: Response.of({"issuer": template, **places})
        for provider in (issuer.url + "/common/v2.0", {**issuer.description, "issuer": template}):
            for method in ("authorize", "provider"):
                asked = {"provider": provider} if method == "provider" else issuer.told(account="a", provider=provider)
                with pytest.raises(RPCFault) as fault:
                    peer.request(method, asked)
                assert fault.value.data["path"] == "/provider/issuer" and "a preset or a provider file" in fault.value.message
        (providers / "tenants.json").write_text(json.dumps({"discovery": issuer.url + "/common/v2.0", "issuer": template}))
        assert peer.request("provider", {"provider": "tenants"})["issuer"] == template


def test_metadata_behind_the_issuers_path(peer):
    """Some servers below a path answer only there, although RFC 8414 puts the well-known part before the path."""
    with TokenProvider() as provider:
        issuer = provider.url + "/api/auth"
        places = {"authorization_endpoint": provider.url + "/authorize", "token_endpoint": provider.url + "/token"}
        provider.instead["/api/auth/.well-known/oauth-authorization-server"] = lambda _: Response.of({"issuer": issuer, **places})
        resource = {"resource": provider.url + "/mcp", "authorization_servers": [issuer]}
        provider.instead["/.well-known/oauth-protected-resource/mcp"] = lambda _: Response.of(resource)
        for account, url in (("a", issuer), ("b", provider.url + "/mcp")):
            granted = authorize(peer, provider.approve, **provider.parameters(account=account, provider=url))
            assert granted["via"] == "signedIn"


@pytest.mark.parametrize("target", ["/moved/", "{}/moved/"])
def test_metadata_that_a_server_has_moved(peer, target):
    """One redirect within the origin is followed."""
    with TokenProvider() as provider:
        places = {"authorization_endpoint": provider.url + "/authorize", "token_endpoint": provider.url + "/token"}
        provider.instead["/.well-known/oauth-authorization-server"] = lambda _: Response(301, b"", {"Location": target.format(provider.url)})
        provider.instead["/moved/"] = lambda _: Response.of({"issuer": provider.url, **places})
        assert authorize(peer, provider.approve, **provider.parameters(provider=provider.url))["via"] == "signedIn"
        # A target that is no document hides no other place.
        provider.instead["/.well-known/oauth-authorization-server"] = lambda _: Response(302, b"", {"Location": "/login"})
        provider.instead["/login"] = lambda _: Response(200, b"{" + b" " * (1 << 20))
        provider.instead["/.well-known/openid-configuration"] = lambda _: Response.of({"issuer": provider.url, **places})
        assert authorize(peer, provider.approve, **provider.parameters(account="c", provider=provider.url + "/"))["via"] == "signedIn"
        provider.instead.pop("/.well-known/openid-configuration")
        provider.instead.pop("/.well-known/oauth-authorization-server")
        provider.instead["/.well-known/openid-configuration/round"] = lambda _: Response(302, b"", {"Location": "/.well-known/openid-configuration/round"})
        with pytest.raises(RPCFault) as fault:
            peer.request("authorize", provider.parameters(account="b", provider=provider.url + "/round"))
        assert fault.value.kind == "unsupportedByProvider"
        assert len([request for request in provider.requests if request.path == "/.well-known/openid-configuration/round"]) <= 2


def test_metadata_that_are_elsewhere(peer):
    """A redirect to another origin is not followed, since another server could answer for this one. The error names its target."""
    with TokenProvider() as provider:
        target = "https://www.example.com/.well-known/oauth-authorization-server"
        provider.instead["/.well-known/oauth-authorization-server"] = lambda _: Response(301, b"", {"Location": target})
        with pytest.raises(RPCFault) as fault:
            peer.request("authorize", provider.parameters(provider=provider.url))
        assert (fault.value.kind, fault.value.data["location"]) == ("unsupportedByProvider", target)
        assert f"it redirects to {target}, which is not followed" in fault.value.message

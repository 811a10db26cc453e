"""The whole flow against real servers: django-oauth-toolkit and glewlwyd."""

import threading
import time
import urllib.error
import urllib.request

import pytest

import browser
from rpc import RPCFault
from signing_in import approve, authorize


@pytest.fixture(params=["dot", "glewlwyd"])
def server(request):
    return request.getfixturevalue(request.param)


def who(peer, server, account: str = "a") -> str:
    """Returns the user that the API assigns to the token."""
    answer = peer.request("callAPI", {"account": account, "url": server.api, "as": "json"})
    assert answer["status"] == 200
    return answer["json"][server.api_member]


NAMES = {"user": "user1", "name": "User One"}


def test_authorize_call_refresh_call_revoke(peer, server):
    granted = authorize(peer, **server.parameters(account="a", clientId="conf", clientSecret="s3cret-conf"))
    assert granted["via"] == "signedIn" and granted["grantedScopes"] == server.scopes and granted["canRefresh"] is True
    assert abs(granted["expiresAt"] - time.time() - 3600) < 60
    assert who(peer, server) == NAMES[server.api_member]

    first_token = peer.request("accessToken", {"account": "a"})["accessToken"]
    refreshed = peer.request("refresh", {"account": "a", "force": True})
    assert refreshed["refreshed"] is True
    assert peer.request("accessToken", {"account": "a"})["accessToken"] != first_token
    assert peer.request("refresh", {"account": "a"})["refreshed"] is False
    assert who(peer, server) == NAMES[server.api_member]

    assert peer.request("revoke", {"account": "a"}) == {"account": "a", "revoked": True, "remote": "revoked"}
    with pytest.raises(RPCFault) as fault:
        peer.request("callAPI", {"account": "a", "url": server.api})
    assert fault.value.kind == "signInRequired" and fault.value.data["reason"] == "noGrant"


def test_a_public_client(peer, server):
    authorize(peer, **server.parameters(account="a"))
    assert who(peer, server) == NAMES[server.api_member]
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
    assert who(peer, server) == NAMES[server.api_member]


@pytest.mark.parametrize("client", [{}, {"clientId": "conf", "clientSecret": "s3cret-conf"}], ids=["public", "confidential"])
def test_a_request_that_is_pushed_before_the_page(peer, glewlwyd, client):
    endpoint = glewlwyd.provider["issuer"] + "/par"
    provider = {**glewlwyd.provider, "pushedAuthorizationRequestEndpoint": endpoint, "pushedAuthorizationRequests": "on"}
    pages = []

    def approve_pushed(url: str) -> None:
        pages.append(url)
        browser.deliver(browser.Browser().sign_in(url, redirect_uri=glewlwyd.redirect_uri))

    told = {**glewlwyd.parameters(account="p", **client), "provider": provider}
    assert authorize(peer, approve_pushed, **told)["via"] == "signedIn"
    assert peer.request("callAPI", {"account": "p", "url": glewlwyd.api, "as": "json"})["json"]["name"] == NAMES["name"]
    assert set(browser.query(pages[0])) == {"client_id", "request_uri"}


def test_a_token_for_the_client_itself(peer, server):
    client, secret, scopes = server.service
    asked = {"account": "c", "provider": server.provider, "flow": "clientCredentials", "clientId": client, "clientSecret": secret}
    granted = peer.request("authorize", {**asked, "scopes": scopes})
    assert granted["via"] == "signedIn" and granted["grantedScopes"] == scopes and granted["canRefresh"] is True
    first_token = peer.request("accessToken", {"account": "c"})["accessToken"]
    assert peer.request("refresh", {"account": "c", "force": True})["refreshed"] is True
    assert peer.request("accessToken", {"account": "c"})["accessToken"] != first_token
    assert peer.request("authorize", asked)["via"] == "stored"
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", {**asked, "account": "d", "clientSecret": "wr0ng", "scopes": scopes})
    assert fault.value.kind == "authorizationServerError" and "wr0ng" not in str(fault.value.data)


def test_a_provider_that_will_not_revoke_for_this_client(peer, glewlwyd):
    """glewlwyd requires a client secret for it. The result says that nothing was revoked, and the grant is deleted."""
    authorize(peer, **glewlwyd.parameters(account="a"))
    assert peer.request("revoke", {"account": "a"}) == {"account": "a", "revoked": False, "remote": "refused"}
    with pytest.raises(RPCFault) as fault:
        peer.request("accessToken", {"account": "a"})
    assert fault.value.kind == "signInRequired"


def test_a_revoked_token_is_invalid_at_the_provider(peer, dot):
    authorize(peer, **dot.parameters(account="a"))
    request = peer.request("authorizeRequest", {"account": "a", "url": dot.url + "/api/me"})
    peer.request("revoke", {"account": "a"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(urllib.request.Request(request["url"], headers=request["headers"]))
    assert refused.value.code in (401, 403)


def test_the_user_denies(peer, dot):
    identifier = peer.send("authorize", dot.parameters(account="a"))
    url = peer.event("signInWasRequested", request=identifier)["url"]
    browser.deliver(browser.Browser().sign_in(url, deny=True))
    error = peer.answer(identifier)["error"]
    assert error["code"] == 1001 and error["data"]["kind"] == "accessDenied"
    assert peer.event("errorOccuredWithShortDescription")["kind"] == "accessDenied"


def test_a_wrong_client_secret(peer, server):
    parameters = server.parameters(account="a", clientId="conf", clientSecret="wrong")
    identifier = peer.send("authorize", parameters)
    approve(peer.event("signInWasRequested", request=identifier)["url"])
    error = peer.answer(identifier)["error"]
    assert error["data"]["kind"] == "authorizationServerError"
    assert error["data"]["error"] in ("invalid_client", "unauthorized_client")
    assert error["data"]["httpStatus"] in (400, 401, 403)


def test_a_redirect_that_was_pasted(peer, server):
    """The browser runs on another machine, and the client hands in its address."""
    identifier = peer.send("authorize", server.parameters(account="a"))
    target = browser.Browser().sign_in(peer.event("signInWasRequested", request=identifier)["url"])
    assert peer.request("handleRedirect", {"url": target}) == {"handled": True}
    assert peer.result(identifier)["via"] == "signedIn"
    assert peer.request("handleRedirect", {"url": target})["handled"] is False
    assert who(peer, server) == NAMES[server.api_member]


def test_a_custom_scheme(peer, server):
    answer = peer.request("authorize", server.parameters(account="a", redirectUri="com.example.app:/cb", wait=False))
    target = browser.Browser().sign_in(answer["signIn"]["url"])
    assert target.startswith("com.example.app:/cb?")
    assert peer.request("handleRedirect", {"url": target}) == {"handled": True}
    assert peer.request("awaitSignIn", {"id": answer["signIn"]["id"]})["via"] == "signedIn"
    assert who(peer, server) == NAMES[server.api_member]


def test_a_stored_grant_needs_no_page(start, server):
    first = start()
    authorize(first, **server.parameters(account="a"))
    assert first.finish() == 0
    second = start()
    assert second.request("authorize", server.parameters(account="a", interaction="never"))["via"] == "stored"
    assert who(second, server) == NAMES[server.api_member]


def test_an_expired_grant_is_refreshed_by_authorize(peer, short_lived_dot):
    authorize(peer, **short_lived_dot.parameters(account="a"))
    time.sleep(2.1)
    assert peer.request("authorize", short_lived_dot.parameters(account="a", interaction="never"))["via"] == "refreshed"


def test_a_revoked_refresh_token_requires_a_sign_in(peer, dot):
    """At this server the revocation of either token ends both, so the provider rejects the next refresh."""
    authorize(peer, **dot.parameters(account="a"))
    token = peer.request("accessToken", {"account": "a"})["accessToken"]
    form = {"token": token, "client_id": "native"}
    assert browser.Browser().request("POST", dot.provider["revocationEndpoint"], form=form).status == 200
    with pytest.raises(RPCFault) as fault:
        peer.request("refresh", {"account": "a", "force": True})
    assert fault.value.kind == "signInRequired" and fault.value.data["reason"] == "refreshRefused"
    assert authorize(peer, **dot.parameters(account="a"))["via"] == "signedIn"


def test_a_missing_scope_asks_for_the_union(peer, dot):
    authorize(peer, **dot.parameters(account="a"))
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", dot.parameters(account="a", scopes=["write"], interaction="never"))
    assert fault.value.kind == "signInRequired" and fault.value.data["reason"] == "scopesMissing"
    granted = authorize(peer, **dot.parameters(account="a", scopes=["write"]))
    assert sorted(granted["grantedScopes"]) == ["read", "write"]


def both(peers, method: str, parameters: dict) -> list[dict]:
    """Sends the same request to both at the same moment."""
    barrier, results = threading.Barrier(len(peers)), []

    def run(peer):
        barrier.wait()
        results.append(peer.request(method, parameters))

    threads = [threading.Thread(target=run, args=(peer,)) for peer in peers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(results) == len(peers)
    return results


def test_two_processes_refresh_the_same_account_at_the_same_time(start, dot):
    """A refresh token that is used twice revokes the whole family, so the processes must take turns."""
    peers = [start(), start()]
    authorize(peers[0], **dot.parameters(account="a"))
    for _ in range(5):
        both(peers, "refresh", {"account": "a", "force": True})
    for peer in peers:
        assert who(peer, dot) == "user1"


def test_two_processes_call_with_a_token_that_has_run_out(start, short_lived_dot):
    peers = [start(), start()]
    authorize(peers[0], **short_lived_dot.parameters(account="a"))
    for _ in range(2):
        time.sleep(2.1)
        for result in both(peers, "callAPI", {"account": "a", "url": "me", "as": "json"}):
            assert result["json"]["user"] == "user1"

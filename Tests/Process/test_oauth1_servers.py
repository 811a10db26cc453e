"""The whole OAuth 1.0a flow against real servers: oauthlib's and authlib's endpoints."""

import json
import urllib.error
import urllib.request

import pytest

import browser
from rpc import RPCFault

METHODS = ["HMAC-SHA1", "HMAC-SHA256", "HMAC-SHA512", "RSA-SHA1", "RSA-SHA256", "RSA-SHA512", "PLAINTEXT"]
CAUGHT = "com.example.app:/cb"


@pytest.fixture(params=["oauthlib1", "authlib1"])
def server(request):
    return request.getfixturevalue(request.param)


def begin(peer, parameters: dict) -> tuple[object, dict]:
    identifier = peer.send("authorize", parameters)
    return identifier, peer.event("signInWasRequested", request=identifier)


def sign_in(peer, parameters: dict) -> dict:
    """Signs in over the loopback: the user approves, and the browser follows the redirect."""
    identifier, prompt = begin(peer, parameters)
    approve(prompt["url"])
    return peer.result(identifier)


def approve(url: str) -> None:
    browser.deliver(redirect(url))


def redirect(url: str, deny: bool = False) -> str:
    """Returns the URL that the provider redirects the browser to, the first one outside of the provider."""
    visitor = browser.Browser()
    page = visitor.get(url)
    origin = "/".join(url.split("/")[:3])
    for _ in range(10):
        if page.location is None:
            page = visitor.fill_in(page, deny)
        elif page.location.startswith(origin + "/"):
            page = visitor.get(page.location)
        else:
            return page.location
    raise RuntimeError(f"no redirect from {page.url}")


def me(peer, **more) -> dict:
    answer = peer.request("callAPI", {"account": "a", "url": "me", "as": "json", **more})
    assert answer["status"] == 200 and answer["json"]["user"] == "user1"
    return answer["json"]


def send(request: dict, method: str = "GET", body: bytes | None = None) -> dict:
    """Sends the request as any HTTP client would."""
    made = urllib.request.Request(request["url"], data=body, headers=request["headers"], method=method)
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(made) as answer:
        return json.load(answer)


def every_method_of_the_wire(peer, server) -> None:
    """Calls callAPI and authorizeRequest with everything that a signature may cover."""
    is_authlib = "HMAC-SHA256" not in server.methods
    # Flask reads a non-ASCII query as an IRI, which authlib rejects. Of a form's repeated names authlib reads only the first.
    odd, repeated = (("u", "/?"), {}) if is_authlib else (("ü", "é/?"), {"x2": ["", "b"]})
    echoed = me(peer, query={"b": "2", "a": ["1 +&", "z", ""], odd[0]: odd[1]})
    assert sorted(map(tuple, echoed["query"])) == sorted([("b", "2"), ("a", "1 +&"), ("a", "z"), ("a", ""), odd])
    form = me(peer, method="POST", body={"form": {"x": "y z+&", "ünï": "✓", **repeated}})
    assert form["body"] == "x=y+z%2B%26&%C3%BCn%C3%AF=%E2%9C%93" + ("&x2=&x2=b" if repeated else "")
    assert me(peer, method="PUT", body={"json": {"a": 1}})["body"] == '{"a":1}'
    assert me(peer, method="POST", body={"text": "a=b"})["body"] == "a=b"
    assert me(peer, method="DELETE")["method"] == "DELETE"

    signed = peer.request("authorizeRequest", {"account": "a", "url": "me?a=b%20c&a=%7E", "headers": {"Accept": "application/json"}})
    assert send(signed)["user"] == "user1"
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    body = {"account": "a", "url": "me", "method": "POST", "headers": headers, "body": "status=Hello+Ladies+%2b+Gentlemen&x"}
    signed = peer.request("authorizeRequest", body)
    assert send(signed, "POST", signed["body"].encode())["method"] == "POST"


@pytest.mark.parametrize("method", METHODS)
def test_every_signature_method(peer, server, method):
    if method not in server.methods:
        pytest.skip("this server has no such method")
    granted = sign_in(peer, server.parameters({"signatureMethod": method}))
    assert granted["via"] == "signedIn" and granted["tokenType"] == "OAuth" and granted["canRefresh"] is False
    every_method_of_the_wire(peer, server)


@pytest.mark.parametrize("placement", ["header", "query", "body"])
def test_every_placement(peer, oauthlib1, placement):
    provider = {"signaturePlacement": placement, "signatureMethod": "HMAC-SHA256", "realm": 'Photos "of" all'}
    sign_in(peer, oauthlib1.parameters(provider))
    assert me(peer, method="POST", body={"form": {"x": "y z"}})["body"].startswith("x=y+z")
    assert me(peer, method="PUT", body={"json": {"a": 1}})["body"] == '{"a":1}'
    assert bool(me(peer)["authorization"]) == (placement != "query")


def test_credentials_that_have_to_be_encoded(peer, server):
    sign_in(peer, server.parameters(clientId="odd key&1", clientSecret="s+e/c=r%t"))
    assert me(peer)["user"] == "user1"


def test_a_verifier_that_is_typed(peer, server):
    pending = peer.request("authorize", server.parameters(redirectUri="oob", wait=False))
    identifier = pending["signIn"]["id"]
    verifier = browser.Browser().read_verifier(pending["signIn"]["url"])
    # A copied verifier may have blanks around it.
    assert peer.request("handleRedirect", {"verifier": f" {verifier}\n", "signIn": identifier}) == {"handled": True}
    assert peer.request("awaitSignIn", {"id": identifier})["via"] == "signedIn"
    assert peer.request("handleRedirect", {"verifier": verifier, "signIn": identifier})["handled"] is False
    assert me(peer)["user"] == "user1"


def test_a_wrong_verifier_ends_the_sign_in(peer, server):
    pending = peer.request("authorize", server.parameters(redirectUri="oob", wait=False))
    browser.Browser().read_verifier(pending["signIn"]["url"])
    assert peer.request("handleRedirect", {"verifier": "123456", "signIn": pending["signIn"]["id"]}) == {"handled": True}
    with pytest.raises(RPCFault) as fault:
        peer.request("awaitSignIn", {"id": pending["signIn"]["id"]})
    assert fault.value.kind == "authorizationServerError"
    assert peer.request("account", {"account": "a"})["canAuthorize"] is False


def test_a_redirect_that_the_client_catches(peer, oauthlib1):
    pending = peer.request("authorize", oauthlib1.parameters(redirectUri=CAUGHT, wait=False))
    target = redirect(pending["signIn"]["url"])
    assert target.startswith(CAUGHT + "?")
    assert peer.request("handleRedirect", {"url": target}) == {"handled": True}
    assert peer.request("awaitSignIn", {"id": pending["signIn"]["id"]})["via"] == "signedIn"
    account = peer.request("account", {"account": "a"})
    assert account["canAuthorize"] is True and account["attributes"]["screen_name"] == "user1"


def test_a_redirect_that_is_pasted(peer, server):
    identifier, prompt = begin(peer, server.parameters())
    target = redirect(prompt["url"])
    assert peer.request("handleRedirect", {"url": f"  {target}\n"}) == {"handled": True}
    assert peer.result(identifier)["via"] == "signedIn"
    assert peer.request("handleRedirect", {"url": target})["handled"] is False


def test_a_callback_for_another_token_is_refused_and_the_wait_goes_on(peer, server):
    identifier, prompt = begin(peer, server.parameters())
    _, other = begin(peer, server.parameters(account="b"))
    mine, theirs = redirect(prompt["url"]), redirect(other["url"])
    place = mine.split("?")[0]
    query = browser.query(mine)
    assert query["oauth_token"] != browser.query(theirs)["oauth_token"]
    forged = [
        f"{place}?oauth_token=forged&oauth_verifier={query['oauth_verifier']}",
        f"{place}?oauth_verifier={query['oauth_verifier']}",
        f"{place}?oauth_token={query['oauth_token']}&oauth_token=forged&oauth_verifier={query['oauth_verifier']}",
        f"{place}?oauth_token={query['oauth_token'][:-1]}&oauth_verifier={query['oauth_verifier']}",
        f"{place}?denied=forged",
        f"{place}?error=access_denied",
    ]
    for url in forged:
        # The listener itself rejects repeated parameters.
        assert browser.deliver(url).status == (400 if url.count("oauth_token=") == 2 else 404)
        assert peer.request("handleRedirect", {"url": url})["handled"] is False
    # Another order and an additional parameter leave the callback valid.
    assert browser.deliver(f"{place}?x=1&oauth_verifier={query['oauth_verifier']}&oauth_token={query['oauth_token']}").status == 200
    assert peer.result(identifier)["via"] == "signedIn"
    assert me(peer)["user"] == "user1"


def test_a_listener_takes_no_other_sign_ins_redirect(peer, oauthlib1):
    first, prompt = begin(peer, oauthlib1.parameters())
    second, other = begin(peer, oauthlib1.parameters(account="b"))
    # The callback arrives at the first sign-in's port.
    place = redirect(prompt["url"]).split("?")[0]
    theirs = redirect(other["url"])
    assert browser.deliver(place + "?" + theirs.split("?")[1]).status == 404
    browser.deliver(theirs)
    assert peer.result(second)["account"] == "b"
    approve(prompt["url"])
    assert peer.result(first)["account"] == "a"


def test_the_user_denies(peer, oauthlib1):
    identifier, prompt = begin(peer, oauthlib1.parameters())
    target = redirect(prompt["url"], deny=True)
    assert "denied=" in target
    browser.deliver(target)
    error = peer.answer(identifier)["error"]
    assert error["code"] == 1001 and error["data"]["kind"] == "accessDenied"


def test_a_wrong_client_secret(peer, server):
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", server.parameters(clientSecret="wrong"))
    assert fault.value.kind == "authorizationServerError"
    assert fault.value.data["httpStatus"] in (400, 401)


def test_a_wrong_private_key(peer, server, oauthlib1, authlib1):
    other = authlib1 if server is oauthlib1 else oauthlib1
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", server.parameters({"signatureMethod": "RSA-SHA1", "privateKey": other.private_key}))
    assert fault.value.kind == "authorizationServerError"


def test_a_clock_that_is_an_hour_off(peer, oauthlib1_ahead):
    """The server rejects the first request and sends its time as Date. All later requests are accepted."""
    sign_in(peer, oauthlib1_ahead.parameters())
    assert peer.request("callAPI", {"account": "a", "url": "me"})["attempts"] == 1


def test_a_clock_that_a_call_finds_to_be_off(start, oauthlib1_ahead):
    first = start()
    sign_in(first, oauthlib1_ahead.parameters())
    assert first.finish() == 0
    # The clock correction is not stored.
    second = start()
    answer = second.request("callAPI", {"account": "a", "url": "me", "as": "json", "method": "POST", "body": {"form": {"a": "b"}}})
    assert answer["json"]["user"] == "user1" and answer["attempts"] == 2
    assert second.request("callAPI", {"account": "a", "url": "me"})["attempts"] == 1


def test_a_redirect_is_signed_again_and_never_replayed(peer, oauthlib1):
    """The server accepts a nonce once, and each hop needs a signature for its own URL."""
    sign_in(peer, oauthlib1.parameters())
    target = f"{oauthlib1.url}/oauth1/me?x=1"
    answer = peer.request("callAPI", {"account": "a", "url": "moved", "query": {"to": target}, "as": "json"})
    assert answer["json"]["query"] == [["x", "1"]]
    posted = {"account": "a", "url": "moved", "query": {"to": target}, "as": "json", "method": "POST", "body": {"form": {"a": "b"}}}
    assert peer.request("callAPI", posted)["json"]["body"] == "a=b"


def test_a_redirect_to_another_host_has_no_signature(peer, oauthlib1, authlib1):
    hosts = [oauthlib1.url.removeprefix("http://")]
    sign_in(peer, oauthlib1.parameters({"apiHosts": hosts}))
    with pytest.raises(RPCFault) as fault:
        peer.request("callAPI", {"account": "a", "url": "moved", "query": {"to": f"{authlib1.url}/oauth1/me"}})
    # The other server rejects a request without a signature.
    assert fault.value.kind == "serviceError" and fault.value.data["httpStatus"] in (400, 401)
    with pytest.raises(RPCFault) as fault:
        peer.request("authorizeRequest", {"account": "a", "url": f"{authlib1.url}/oauth1/me"})
    assert fault.value.kind == "hostNotAllowed"


def test_stored_refreshed_and_signed_out(start, server):
    first = start()
    sign_in(first, server.parameters())
    assert first.finish() == 0
    second = start()
    assert second.request("authorize", server.parameters(interaction="never"))["via"] == "stored"
    assert second.request("authorize", {"account": "a", "interaction": "never"})["via"] == "stored"
    assert second.request("refresh", {"account": "a"})["refreshed"] is False
    with pytest.raises(RPCFault) as fault:
        second.request("refresh", {"account": "a", "force": True})
    assert fault.value.kind == "unsupportedByProvider" and "cannot be refreshed" in fault.value.message
    assert me(second)["user"] == "user1"
    account = second.request("account", {"account": "a"})
    assert account["canAuthorize"] is True and account["canRefresh"] is False and account["tokenType"] == "OAuth"
    assert second.request("signOut", {"account": "a"})["wasSignedIn"] is True
    assert second.request("account", {"account": "a"})["canAuthorize"] is False


def test_a_request_token_signs_nothing(peer, oauthlib1):
    """GTMOAuth signed calls with a request token."""
    peer.request("authorize", oauthlib1.parameters(redirectUri=CAUGHT, wait=False))
    assert peer.request("account", {"account": "a"})["canAuthorize"] is False
    for method in ("callAPI", "authorizeRequest"):
        with pytest.raises(RPCFault) as fault:
            peer.request(method, {"account": "a", "url": f"{oauthlib1.url}/oauth1/me"})
        assert fault.value.kind == "signInRequired"


def test_revoked_by_a_signed_request(peer, oauthlib1):
    provider = {"revocationEndpoint": f"{oauthlib1.url}/oauth1/invalidate_token", "revocationStyle": "signed"}
    sign_in(peer, oauthlib1.parameters(provider))
    signed = peer.request("authorizeRequest", {"account": "a", "url": "me"})
    assert peer.request("revoke", {"account": "a"}) == {"account": "a", "revoked": True, "remote": "revoked"}
    with pytest.raises(urllib.error.HTTPError) as refused:
        send(signed)
    assert refused.value.code == 401
    assert peer.request("account", {"account": "a"})["canAuthorize"] is False


def test_nothing_to_revoke_with(peer, server):
    sign_in(peer, server.parameters())
    assert peer.request("revoke", {"account": "a"}) == {"account": "a", "revoked": False, "remote": "unsupported"}
    with pytest.raises(RPCFault) as fault:
        peer.request("callAPI", {"account": "a", "url": "me"})
    assert fault.value.kind == "signInRequired"


def test_no_secret_is_shown(start, oauthlib1, tmp_path):
    peer = start("--log-level", "debug")
    key = oauthlib1.private_key
    sign_in(peer, oauthlib1.parameters({"signatureMethod": "RSA-SHA256"}))
    me(peer)
    described = peer.request("provider", {"provider": oauthlib1.provider(signatureMethod="RSA-SHA256")})
    assert {"member": "privateKey", "value": "…"} in described["deviations"]
    with pytest.raises(RPCFault):
        peer.request("authorize", oauthlib1.parameters({"signatureMethod": "RSA-SHA256", "privateKey": key[:200]}, account="b"))
    peer.request("accounts", {})
    assert peer.finish() == 0
    piece = key.splitlines()[3]
    assert piece.encode() not in peer.stdout + peer.stderr
    for file in peer.store.rglob("*"):
        assert not file.is_file() or piece.encode() not in file.read_bytes()


def test_a_key_from_the_configuration(start, home, oauthlib1):
    home.mkdir()
    (home / "key.pem").write_text(oauthlib1.private_key)
    provider = oauthlib1.provider(signatureMethod="RSA-SHA1")
    del provider["privateKey"]
    accounts = {
        "command": {"provider": provider, "clientId": "ck1", "openBrowser": False, "privateKey": {"command": ["cat", str(home / "key.pem")]}},
        "variable": {"provider": provider, "clientId": "ck1", "openBrowser": False, "privateKey": {"env": "KEY"}},
        "nothing": {"provider": provider, "clientId": "ck1", "openBrowser": False, "privateKey": {"env": "NOT_THERE"}},
    }
    (home / "config.json").write_text(json.dumps({"accounts": accounts}))
    peer = start("--config", home / "config.json", environment={"KEY": oauthlib1.private_key})
    for account in ("command", "variable"):
        assert sign_in(peer, {"account": account})["via"] == "signedIn"
        assert peer.request("callAPI", {"account": account, "url": "me"})["status"] == 200
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", {"account": "nothing"})
    assert fault.value.data["path"] == "/accounts/nothing/privateKey"

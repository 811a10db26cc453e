"""What servers write in another way than the specifications: token responses, claims about the user, credentials, and parameters."""

import base64
import json
import urllib.parse

import pytest

import browser
from provider import Response
from rpc import RPCFault
from signing_in import authorize
from test_client_keys import assertions, configure, form, machine  # noqa: F401, a fixture
from test_issuers import Issuer


@pytest.mark.parametrize("answer", [
    {"accessToken": "at", "refreshToken": "rt", "expiresIn": 600, "tokenType": "bearer", "scope": "read"},
    {"AccessToken": "at", "RefreshToken": "rt", "ExpiresIn": "600", "Scope": ["read"]},
    {"access-token": "at", "refresh-token": "rt", "expires": 600, "scopes": "read"},
    {"code": 0, "data": {"access_token": "at", "refresh_token": "rt", "expires_in": 600, "scope": "read"}},
    {"result": {"accessToken": "at", "refreshToken": "rt", "expireIn": 600}, "meta": {"id": 1}},
    {"token": "at", "refresh_token": "rt", "expires_in": 600},
], ids=["camel case", "capitals", "hyphens", "an object", "an object in camel case", "token"])
def test_names_of_a_token_response(peer, provider, answer):
    provider.instead["/token"] = lambda request: Response.of(answer)
    result = authorize(peer, provider.approve, **provider.parameters())
    assert result["canRefresh"] and result["grantedScopes"] == ["read"] and result["tokenType"] == "Bearer"
    token = peer.request("accessToken", {"account": "a"})
    assert token["accessToken"] == "at" and 0 < token["expiresAt"] - peer.request("account", {"account": "a"})["refreshedAt"] <= 600
    peer.request("refresh", {"account": "a", "force": True})
    assert form(provider.requests[-1])["refresh_token"] == "rt"


@pytest.mark.parametrize("answer", [
    {"one": {"access_token": "a"}, "two": {"access_token": "b"}}, {"accessToken": "a", "AccessToken": "b"},
], ids=["two objects", "two spellings"])
def test_an_ambiguous_token_response_is_rejected(peer, provider, answer):
    provider.instead["/token"] = lambda request: Response.of(answer)
    with pytest.raises(RPCFault) as fault:
        authorize(peer, provider.approve, **provider.parameters())
    assert "has no access token" in fault.value.message


@pytest.mark.parametrize(("answer", "subject"), [
    ({"id": "u-1"}, "u-1"), ({"user_id": 17}, "17"), ({"userId": "u-1", "name": "A"}, "u-1"), ([{"sub": "u-1"}], "u-1"), ({"sub": 17, "id": "x"}, "17"),
    ({"name": "A"}, None),
])
def test_names_of_the_user(peer, provider, answer, subject):
    provider.instead["/userinfo"] = lambda request: Response.of(answer)
    description = {**provider.description, "userInfoEndpoint": provider.url + "/userinfo"}
    authorize(peer, provider.approve, **provider.parameters(provider=description))
    info = peer.request("userInfo", {"account": "a"})
    assert info.get("subject") == subject and info["claims"] == (answer[0] if isinstance(answer, list) else answer)


def test_a_user_that_is_a_number(peer):
    """In the ID token, too, and the claims about another user are still rejected."""
    with Issuer(claims={"sub": 17}) as issuer:
        issuer.instead["/userinfo"] = lambda request: Response.of({"id": 17, "name": "A"})
        assert issuer.sign_in(peer)["subject"] == "17"
        assert peer.request("userInfo", {"account": "a"})["subject"] == "17"
        for answer in ({"id": 18}, {"sub": "18", "id": 17}, {"name": "A"}):
            issuer.instead["/userinfo"] = lambda request, answer=answer: Response.of(answer)
            with pytest.raises(RPCFault) as fault:
                peer.request("userInfo", {"account": "a"})
            assert "about a user other than" in fault.value.message


def test_the_user_in_an_object(peer, provider):
    provider.instead["/userinfo"] = lambda request: Response.of({"id": "a request's", "data": {"id": "u-1"}})
    description = {**provider.description, "userInfoEndpoint": provider.url + "/userinfo", "userInfoPath": "data"}
    authorize(peer, provider.approve, **provider.parameters(provider=description))
    assert peer.request("userInfo", {"account": "a"}) == {"account": "a", "subject": "u-1", "claims": {"id": "u-1"}}


def test_the_probe_tries_basic_without_encoding(peer, provider):
    """The server decodes nothing. Later requests begin with what it has accepted."""
    pair = base64.b64encode(b"c:a+b/%").decode()
    provider.instead["/token"] = lambda request: None if request.headers.get("Authorization") == f"Basic {pair}" else Response.of({"error": "invalid_client"}, 401)
    params = provider.parameters(provider={**provider.description, "clientAuthentication": "probe"}, clientSecret="a+b/%")
    authorize(peer, provider.approve, **params)
    peer.request("refresh", {"account": "a", "force": True})
    sent = [request.headers.get("Authorization") for request in provider.requests if request.path == "/token"]
    encoded = base64.b64encode(b"c:a%2Bb%2F%25").decode()
    assert sent == [f"Basic {encoded}", f"Basic {pair}", f"Basic {pair}"]


def test_the_probe_repeats_no_method(peer, provider):
    provider.instead["/token"] = lambda request: Response.of({"error": "invalid_client"}, 401)
    params = machine(provider, clientSecret="plain")
    params["provider"]["clientAuthentication"] = "probe"
    with pytest.raises(RPCFault):
        peer.request("authorize", params)
    assert ["Authorization" in request.headers for request in provider.requests] == [True, False]


def test_a_consumer_alone_signs(peer, provider):
    """WooCommerce has no tokens: the consumer's key and secret sign each request (RFC 5849, 3.1)."""
    provider.instead["/api/orders"] = lambda request: Response.of([])
    description = {"protocol": "oauth1", "apiBase": provider.url + "/api/"}
    params = {"account": "a", "provider": description, "flow": "clientCredentials", "clientId": "ck", "clientSecret": "cs"}
    assert peer.request("authorize", params)["via"] == "signedIn"
    assert peer.request("callAPI", {"account": "a", "url": "orders?status="})["body"] == "[]"
    (sent,) = provider.requests
    header = sent.headers["Authorization"]
    assert 'oauth_consumer_key="ck"' in header and "oauth_token" not in header and sent.target == "/api/orders?status="
    assert peer.request("account", {"account": "a"})["canAuthorize"]
    with pytest.raises(RPCFault) as fault:
        peer.request("accessToken", {"account": "a"})
    assert fault.value.kind == "unsupportedByProvider" and "the client's key alone signs calls" in fault.value.message
    del params["clientSecret"]
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", {**params, "account": "b"})
    assert fault.value.data["path"] == "/clientSecret"


def query(url: str) -> list[tuple[str, str]]:
    return urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query)


def names(pairs) -> list[str]:
    return [name for name, _ in pairs]


def test_a_parameter_is_sent_once(peer, provider):
    """What the description sets replaces what the process would send, and the endpoint's own query has no second one of a name."""
    description = {
        **provider.description, "authorizationEndpoint": provider.url + "/authorize?prompt=none&scope=old&tenant=t",
        "authorizationParameters": {"scope": "a b", "prompt": "login"}, "tokenParameters": {"client_secret": "own", "audience": "x"},
        "clientAuthentication": "body", "revocationParameters": {"token_type_hint": "any"},
    }
    identifier = peer.send("authorize", provider.parameters(provider=description, clientSecret="s"))
    url = peer.event("signInWasRequested", request=identifier)["url"]
    provider.approve(url)
    peer.result(identifier)
    sent = query(url)
    assert len(names(sent)) == len(set(names(sent))) and {("scope", "a b"), ("prompt", "login"), ("tenant", "t")} <= set(sent)
    (token,) = (urllib.parse.parse_qsl(request.body.decode()) for request in provider.requests if request.path == "/token")
    assert len(names(token)) == len(set(names(token))) and {("client_secret", "own"), ("audience", "x")} <= set(token)
    peer.request("revoke", {"account": "a"})
    (first, _) = (urllib.parse.parse_qsl(request.body.decode()) for request in provider.requests if request.path == "/revoke")
    assert [value for name, value in first if name == "token_type_hint"] == ["any"]


@pytest.mark.parametrize(("member", "name"), [
    *(("authorizationParameters", name) for name in ("state", "redirect_uri", "client_id", "response_type", "code_challenge", "code_challenge_method")),
    ("authorizationParameters", "request_uri"), ("authorizationParameters", "nonce"), ("consentRetry", "redirect_uri"),
    *(("tokenParameters", name) for name in ("grant_type", "code", "code_verifier", "redirect_uri")), ("refreshParameters", "refresh_token"),
])
def test_what_protects_a_sign_in_cannot_be_configured(peer, provider, member, name):
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", provider.parameters(provider={**provider.description, member: {name: "mine"}}, scopes=["openid"], wait=False))
    assert fault.value.kind == "configurationInvalid" and fault.value.data["path"] == f"/provider/{member}/{name}"


@pytest.mark.parametrize(("member", "standard"), [("authorizationParameters", "client_id"), ("tokenParameters", "code_verifier")])
def test_nor_under_the_providers_name(peer, provider, member, standard):
    description = {**provider.description, "parameterNames": {standard: "renamed"}, member: {"renamed": "mine"}}
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", provider.parameters(provider=description, wait=False))
    assert fault.value.kind == "configurationInvalid" and fault.value.data["path"] == f"/provider/{member}/renamed"


@pytest.mark.parametrize("name", ["nonce", "request_uri", "code"])
def test_nor_by_an_account(start, provider, configure, name):  # noqa: F811
    configure(a={"provider": provider.description, "clientId": "c", "scopes": ["openid"], "parameters": {name: "mine"}})
    with start() as peer, pytest.raises(RPCFault) as fault:
        peer.request("authorize", {"account": "a", "openBrowser": False, "wait": False})
    assert fault.value.kind == "configurationInvalid" and fault.value.data["path"] == f"/accounts/a/parameters/{name}"


def test_a_parameter_with_another_name_is_free(peer, provider):
    """eBay's redirect_uri is no URI."""
    description = {**provider.description, "parameterNames": {"redirect_uri": "back"}, "authorizationParameters": {"redirect_uri": "ru-name"}}
    identifier = peer.send("authorize", provider.parameters(provider=description))
    sent = dict(query(peer.event("signInWasRequested", request=identifier)["url"]))
    assert sent["redirect_uri"] == "ru-name" and sent["back"].startswith("http://127.0.0.1:")


def test_several_resources(start, provider, configure):  # noqa: F811
    """Each is a parameter of its own, on the page and in every token request (RFC 8707, 2)."""
    resources = ["https://one.example/", "urn:two"]
    configure(
        a={"provider": provider.description, "clientId": "c", "resource": resources},
        m={"provider": provider.description, "clientId": "c", "clientSecret": "s", "flow": "clientCredentials", "resource": resources})
    with start() as peer:
        identifier = peer.send("authorize", {"account": "a", "openBrowser": False})
        url = peer.event("signInWasRequested", request=identifier)["url"]
        assert [value for name, value in query(url) if name == "resource"] == resources
        provider.approve(url)
        peer.result(identifier)
        peer.request("refresh", {"account": "a", "force": True})
        peer.request("accessToken", {"account": "m"})
    for request in provider.requests:
        assert [value for name, value in urllib.parse.parse_qsl(request.body.decode()) if name == "resource"] == resources
    assert len(provider.requests) == 3


@pytest.mark.parametrize("resource", [[], ["https://one.example/", "off"], ["no URI"]])
def test_a_list_of_resources_has_only_uris(start, provider, configure, resource):  # noqa: F811
    configure(a={"provider": provider.description, "clientId": "c", "resource": resource})
    with start() as peer, pytest.raises(RPCFault) as fault:
        peer.request("authorize", {"account": "a", "wait": False})
    assert "/accounts/a/resource, must be a URI, a list of URIs, or off" in fault.value.message


def test_the_type_of_an_assertion(start, provider, configure, tmp_path):  # noqa: F811
    """A workload's own document of SPIFFE (draft-ietf-oauth-spiffe-client-auth)."""
    (tmp_path / "svid").write_text("jwt-svid")
    configure(a={
        "provider": provider.description, "clientId": "spiffe://example.org/job", "flow": "clientCredentials",
        "clientAssertion": {"file": str(tmp_path / "svid")}, "clientAssertionType": "jwt-spiffe"})
    with start() as peer:
        peer.request("accessToken", {"account": "a"})
        peer.request("revoke", {"account": "a"})
    for sent in assertions(provider):
        assert sent["client_assertion"] == "jwt-svid" and sent["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-spiffe"
    assert [request.path for request in provider.requests] == ["/token", "/revoke"]

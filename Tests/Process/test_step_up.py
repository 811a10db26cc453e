"""What a service demands beyond a valid token: more scopes (RFC 6750, 3.1), or a stronger or newer sign-in (RFC 9470)."""

import base64
import json

import pytest

import browser
from provider import Response
from rpc import RPCFault
from signing_in import authorize, redirect

SCOPE = 'Bearer realm="x", error="insufficient_scope", scope="write send"'
AGAIN = 'Bearer error="insufficient_user_authentication", acr_values="urn:mfa urn:key", max_age="60"'


def demand(provider, challenge: str, status: int, times: int = 99) -> None:
    left = [times]

    def answer(request):
        left[0] -= 1
        return Response.of({"error": "no"}, status, **{"WWW-Authenticate": challenge}) if left[0] >= 0 else None

    provider.instead["/api/x"] = answer


def refreshes(provider) -> int:
    return sum(b"refresh_token=" in request.body for request in provider.requests if request.path == "/token")


@pytest.mark.parametrize("status", [401, 403])
def test_a_missing_scope_is_reported_without_a_refresh(peer, provider, status):
    authorize(peer, provider.approve, **provider.parameters())
    demand(provider, SCOPE, status)
    with pytest.raises(RPCFault) as fault:
        peer.request("callAPI", {"account": "a", "url": "x"})
    assert fault.value.kind == "insufficientScope" and fault.value.code == 1013
    assert fault.value.data["scopes"] == ["write", "send"] and fault.value.data["httpStatus"] == status
    assert json.loads(fault.value.data["body"]) == {"error": "no"} and fault.value.data["attempts"] == 1
    assert refreshes(provider) == 0


def test_a_weak_sign_in_is_reported_without_a_refresh(peer, provider):
    authorize(peer, provider.approve, **provider.parameters())
    demand(provider, AGAIN, 401)
    with pytest.raises(RPCFault) as fault:
        peer.request("callAPI", {"account": "a", "url": "x"})
    assert fault.value.kind == "insufficientUserAuthentication" and fault.value.code == 1014
    assert fault.value.data["acrValues"] == ["urn:mfa", "urn:key"] and fault.value.data["maxAge"] == 60
    assert refreshes(provider) == 0
    assert peer.request("account", {"account": "a"})["canAuthorize"] is True


def stepping_up(peer, provider, **scope) -> tuple[object, dict]:
    identifier = peer.send("callAPI", {"account": "a", "url": "x", "stepUp": True})
    url = peer.event("signInWasRequested", request=identifier)["url"]
    issue = provider.issue

    def more(request):
        answer = json.loads(issue().body)
        return Response.of({**answer, **scope})

    provider.instead["/token"] = more
    provider.approve(url)
    return identifier, browser.query(url)


def test_missing_scopes_are_requested_and_the_call_is_repeated(peer, provider):
    authorize(peer, provider.approve, **provider.parameters())
    demand(provider, SCOPE, 403, times=1)
    identifier, asked = stepping_up(peer, provider, scope="read write send")
    answer = peer.result(identifier)
    assert answer["status"] == 200 and answer["attempts"] == 2
    assert asked["scope"].split() == ["write", "send", "read"]
    assert refreshes(provider) == 0


def test_another_sign_in_is_asked_for_as_the_service_wants_it(peer, provider):
    authorize(peer, provider.approve, **provider.parameters())
    demand(provider, AGAIN, 401, times=1)
    identifier, asked = stepping_up(peer, provider)
    assert peer.result(identifier)["status"] == 200
    assert asked["acr_values"] == "urn:mfa urn:key" and asked["max_age"] == "60" and asked["scope"] == "read"


# Claims that Microsoft Entra demands of the next sign-in (continuous access evaluation).
CLAIMS = '{"access_token":{"nbf":{"essential":true,"value":"1657834417"}}}'
IN_BASE64 = base64.b64encode(CLAIMS.encode()).decode()
ESCAPED = CLAIMS.replace('"', '\\"')
ENTRA = (
    'Bearer realm="", authorization_uri=https://login.example.com/common/oauth2/authorize, client_id="00000003-0000-0000-c000-000000000000", '
    f'error="insufficient_claims", claims="{IN_BASE64}", errorDescription="Continuous access evaluation resulted in a challenge"')


@pytest.mark.parametrize("challenge", [ENTRA, f'Bearer error="insufficient_claims", claims="{ESCAPED}"', f'Bearer claims="{IN_BASE64.rstrip("=")}"'])
def test_demanded_claims_are_reported(peer, provider, challenge):
    authorize(peer, provider.approve, **provider.parameters())
    demand(provider, challenge, 401)
    with pytest.raises(RPCFault) as fault:
        peer.request("callAPI", {"account": "a", "url": "x"})
    assert fault.value.kind == "insufficientUserAuthentication" and fault.value.data["claims"] == CLAIMS
    assert refreshes(provider) == 0 and peer.request("account", {"account": "a"})["canAuthorize"] is True


def test_claims_that_are_none_are_left_out(peer, provider):
    """A token, a text, an empty object and more than 4 KiB demand nothing. The 401 is an ordinary one."""
    authorize(peer, provider.approve, **provider.parameters())
    token = peer.request("accessToken", {"account": "a"})["accessToken"]
    for claims in ("x", "{}", "[]", json.dumps({"a": "b" * 4096})):
        text = base64.b64encode(claims.encode()).decode()
        demand(provider, f'Bearer error="insufficient_claims", claims="{text}"', 403)
        error = peer.answer(peer.send("callAPI", {"account": "a", "url": "x"}))["error"]
        assert error["data"]["kind"] == "serviceError" and "claims" not in error["data"]
    text = base64.b64encode(json.dumps({"a": token}).encode()).decode()
    demand(provider, f'Bearer error="insufficient_claims", claims="{text}"', 403)
    error = peer.answer(peer.send("callAPI", {"account": "a", "url": "x"}))["error"]
    assert error["data"]["kind"] == "serviceError" and token not in json.dumps(error)


@pytest.mark.parametrize("place", ["parameters", "authorizationParameters"])
def test_a_step_up_brings_the_demanded_and_the_configured_claims(start, home, provider, place):
    own = {"claims": '{"access_token":{"nbf":{"value":"1"},"xms_cc":{"values":["CP1"]}},"id_token":{"email":null}}'}
    entry = {"provider": provider.description, "clientId": "c", "scopes": ["read"]}
    (entry if place == "parameters" else entry["provider"])[place] = own
    home.mkdir(exist_ok=True)
    (home / "config.json").write_text(json.dumps({"accounts": {"a": entry}}))
    peer = start("--config", home / "config.json")
    authorize(peer, provider.approve, account="a")
    demand(provider, ENTRA, 401, times=1)
    identifier, asked = stepping_up(peer, provider)
    assert peer.result(identifier)["status"] == 200
    assert json.loads(asked["claims"]) == {
        "access_token": {"nbf": {"essential": True, "value": "1657834417"}, "xms_cc": {"values": ["CP1"]}}, "id_token": {"email": None}}
    assert "prompt" not in asked


def begin_stepping_up(peer) -> tuple[object, dict]:
    identifier = peer.send("callAPI", {"account": "a", "url": "x", "stepUp": True})
    return identifier, peer.event("signInWasRequested", request=identifier)


@pytest.mark.parametrize("challenge, status", [(SCOPE, 403), (AGAIN, 401)])
def test_calls_with_the_same_demand_share_a_page(peer, provider, challenge, status):
    authorize(peer, provider.approve, **provider.parameters())
    demand(provider, challenge, status, times=2)
    (first, page), (second, same) = begin_stepping_up(peer), begin_stepping_up(peer)
    assert same["signIn"] == page["signIn"] and same["url"] == page["url"]
    issue = provider.issue
    provider.instead["/token"] = lambda request: Response.of({**json.loads(issue().body), "scope": "read write send"})
    provider.approve(page["url"])
    assert [peer.result(identifier)["status"] for identifier in (first, second)] == [200, 200]
    assert not [event for event in peer.events if event["method"] == "signInWasAbandoned"]


def test_a_call_with_another_demand_fails_at_once(peer, provider):
    authorize(peer, provider.approve, **provider.parameters())
    demand(provider, SCOPE, 403)
    _, page = begin_stepping_up(peer)
    demand(provider, SCOPE.replace("write", "delete"), 403)
    with pytest.raises(RPCFault) as fault:
        peer.request("callAPI", {"account": "a", "url": "x", "stepUp": True})
    assert fault.value.kind == "signInInProgress" and fault.value.data["signIn"] == page["signIn"]
    assert peer.request("account", {"account": "a"})["signIn"]["id"] == page["signIn"]


def test_the_call_is_repeated_once(peer, provider):
    authorize(peer, provider.approve, **provider.parameters())
    demand(provider, SCOPE, 403)
    identifier, _ = stepping_up(peer, provider, scope="read write send")
    with pytest.raises(RPCFault) as fault:
        peer.result(identifier)
    assert fault.value.kind == "insufficientScope"
    assert sum(request.path == "/api/x" for request in provider.requests) == 2


def test_a_user_who_says_no_ends_the_call(peer, provider):
    authorize(peer, provider.approve, **provider.parameters())
    demand(provider, SCOPE, 403)
    identifier = peer.send("callAPI", {"account": "a", "url": "x", "stepUp": True})
    browser.deliver(redirect(peer.event("signInWasRequested", request=identifier)["url"], error="access_denied"))
    with pytest.raises(RPCFault) as fault:
        peer.result(identifier)
    assert fault.value.kind == "accessDenied"


def test_an_error_that_is_no_oauth_error_is_shown(peer, provider):
    """A proxy's HTML page that quotes the code."""
    provider.instead["/token"] = lambda request: Response(
        502, b"<h1>Bad gateway</h1>\n" + request.body + b"\x00" + b"x" * 9000, {"Content-Type": "text/html"}
    )
    identifier = peer.send("authorize", provider.parameters())
    provider.approve(peer.event("signInWasRequested", request=identifier)["url"])
    with pytest.raises(RPCFault) as fault:
        peer.result(identifier)
    body = fault.value.data["body"]
    assert body.startswith("<h1>Bad gateway</h1>\n") and 3900 < len(body.encode()) <= 4096 and "\x00" not in body
    assert not [secret for secret in provider.secrets if secret in body]


def test_an_oauth_error_has_no_body_beside_it(peer, provider):
    provider.instead["/token"] = lambda request: Response.of({"error": "invalid_grant"}, 400)
    identifier = peer.send("authorize", provider.parameters())
    provider.approve(peer.event("signInWasRequested", request=identifier)["url"])
    with pytest.raises(RPCFault) as fault:
        peer.result(identifier)
    assert fault.value.data["error"] == "invalid_grant" and "body" not in fault.value.data


# Members that a sign-in of a known account reuses.


def test_a_pinned_redirect_uri_is_taken_again(peer, provider):
    first = peer.send("authorize", provider.parameters(redirectUri="com.example.app:/cb"))
    url = peer.event("signInWasRequested", request=first)["url"]
    assert peer.request("handleRedirect", {"url": redirect(url, code="c0de")})["handled"] is True
    peer.result(first)
    for method, params in [
        ("addScopes", {"account": "a", "scopes": ["write"]}), ("authorize", provider.parameters(interaction="always")),
        ("authorize", {"account": "a", "interaction": "always"}),
    ]:
        pending = peer.request(method, {**params, "openBrowser": False, "wait": False})
        assert browser.query(pending["signIn"]["url"])["redirect_uri"] == "com.example.app:/cb", method


def test_a_port_that_the_process_chose_is_not_pinned(peer, provider):
    authorize(peer, provider.approve, **provider.parameters())
    before = browser.query(peer.event("signInWasRequested")["url"])["redirect_uri"]
    pending = peer.request("addScopes", {"account": "a", "scopes": ["write"], "openBrowser": False, "wait": False})
    uri = browser.query(pending["signIn"]["url"])["redirect_uri"]
    assert uri.startswith("http://127.0.0.1:") and uri != before


def test_scopes_are_added_with_the_configured_secret(tmp_path, start, provider):
    config = tmp_path / "config.json"
    account = {"provider": provider.description, "clientId": "c", "clientSecret": "first-s3cret", "scopes": ["read"], "openBrowser": False}
    config.write_text(json.dumps({"accounts": {"a": account}}))
    config.chmod(0o600)
    peer = start("--config", config)
    authorize(peer, provider.approve, account="a")
    config.write_text(json.dumps({"accounts": {"a": {**account, "clientSecret": "second-s3cret"}}}))
    identifier = peer.send("addScopes", {"account": "a", "scopes": ["write"]})
    provider.approve(peer.event("signInWasRequested", request=identifier)["url"])
    peer.result(identifier)
    sent = [base64.b64decode(request.headers["Authorization"].split()[1]) for request in provider.requests if request.path == "/token"]
    assert [pair.split(b":")[1] for pair in sent] == [b"first-s3cret", b"second-s3cret"]


# Errors before any request is sent.


def test_never_for_an_unknown_account_is_sign_in_required(peer):
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", {"account": "unknown", "interaction": "never"})
    assert fault.value.kind == "signInRequired" and fault.value.data["reason"] == "noGrant"


@pytest.mark.parametrize(
    ("preset", "more", "page"),
    [
        ("github", {}, "https://github.com/settings/developers"),
        ("gitlab", {"variables": {"host": "git.example.org"}}, "https://git.example.org/-/user_settings/applications"),
    ],
)
def test_a_missing_client_says_where_one_is_registered(peer, preset, more, page):
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", {"account": "a", "provider": preset, **more})
    assert fault.value.code == -32602 and fault.value.data["path"] == "/clientId"
    assert page in fault.value.message and "configuration" in fault.value.message, fault.value.message
    assert peer.request("provider", {"provider": preset, **more})["registrationPage"] == page


# Redirects and devices.


def test_a_code_that_is_typed_with_oauth2(peer, provider):
    pending = peer.request("authorize", provider.parameters(redirectUri="oob", wait=False))
    assert browser.query(pending["signIn"]["url"])["redirect_uri"] == "oob"
    assert peer.request("handleRedirect", {"verifier": "c0de", "signIn": pending["signIn"]["id"]})["handled"] is True
    assert peer.request("awaitSignIn", {"id": pending["signIn"]["id"]})["via"] == "signedIn"


def test_an_http_callback_elsewhere_is_for_protocols_that_can_take_it(peer, provider):
    caught = "http://www.example.com/OAuthCallback"
    openid = {"protocol": "openid2", "openidEndpoint": provider.url + "/op", "openidClaimedIds": provider.url + "/id/"}
    pending = peer.request("authorize", {"account": "o", "provider": openid, "redirectUri": caught, "openBrowser": False, "wait": False})
    assert browser.query(pending["signIn"]["url"])["openid.return_to"].startswith(caught)
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", provider.parameters(redirectUri=caught))
    assert fault.value.data["path"] == "/redirectUri"


def test_an_oauth1_callback_elsewhere(peer, provider):
    caught = "http://www.example.com/OAuthCallback"
    provider.instead["/request_token"] = lambda request: Response(200, b"oauth_token=t&oauth_token_secret=ts&oauth_callback_confirmed=true")
    provider.instead["/access_token"] = lambda request: Response(200, b"oauth_token=at&oauth_token_secret=ats")
    pending = peer.request("authorize", {**signed(provider), "redirectUri": caught, "wait": False})
    assert "oauth_callback=\"http%3A%2F%2Fwww.example.com%2FOAuthCallback\"" in provider.requests[0].headers["Authorization"]
    assert peer.request("handleRedirect", {"url": caught + "?oauth_token=t&oauth_verifier=v"})["handled"] is True
    assert peer.request("awaitSignIn", {"id": pending["signIn"]["id"]})["via"] == "signedIn"


@pytest.mark.parametrize("name", ["verification_uri", "verification_url"])
def test_the_device_answer_of_either_name(peer, provider, name):
    answer = {"device_code": "dev1ce", "user_code": "AB-12", name: provider.url + "/d", "interval": 1}
    seen = []

    def device(request):
        seen.append(request.body)
        return Response.of({**answer, **({"verification_uri_complete": provider.url + "/d?c=AB-12"} if len(seen) == 2 else {})})

    provider.instead["/device"] = device
    described = {**provider.description, "deviceAuthorizationEndpoint": provider.url + "/device", "deviceParameterNames": {"scope": "scopes"}}
    for account in ("a", "b"):
        peer.request("authorize", provider.parameters(account=account, provider=described, flow="device", wait=False))
    first, second = (peer.event("signInWasRequested", account=account) for account in ("a", "b"))
    assert first["url"] == first["verificationUri"] == second["verificationUri"] == provider.url + "/d"
    assert second["url"] == provider.url + "/d?c=AB-12"
    assert b"scopes=read" in seen[0] and b"scope=" not in seen[0]


# The base string of OAuth 1.0a.


def signed(provider) -> dict:
    return {
        "account": "a", "clientId": "c", "clientSecret": "s3cret", "openBrowser": False, "redirectUri": "com.example.app:/cb",
        "provider": {
            "protocol": "oauth1", "authorizationEndpoint": provider.url + "/authorize",
            "requestTokenEndpoint": provider.url + "/request_token", "accessTokenEndpoint": provider.url + "/access_token",
        },
    }


def test_a_dry_run_shows_the_base_string(peer, provider):
    steps = {step["step"]: step for step in peer.request("authorize", {**signed(provider), "dryRun": True})["dryRun"]["requests"]}
    assert steps["requestToken"]["baseString"].startswith("POST&http%3A%2F%2F127.0.0.1")
    assert "oauth_token%3D…" in steps["accessToken"]["baseString"] and "oauth_verifier%3D…" in steps["accessToken"]["baseString"]


def test_a_refused_step_shows_the_base_string(peer, provider):
    provider.instead["/request_token"] = lambda request: Response(401, b"oauth_problem=signature_invalid")
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", signed(provider))
    assert "oauth_callback%3Dcom.example.app" in fault.value.data["baseString"] and "s3cret" not in str(fault.value)
    provider.instead["/request_token"] = lambda request: Response(200, b"oauth_token=t0ken&oauth_token_secret=t-s3cret&oauth_callback_confirmed=true")
    provider.instead["/access_token"] = lambda request: Response(401, b"oauth_problem=token_rejected")
    pending = peer.request("authorize", {**signed(provider), "wait": False})
    peer.request("handleRedirect", {"url": "com.example.app:/cb?oauth_token=t0ken&oauth_verifier=v3rifier"})
    with pytest.raises(RPCFault) as fault:
        peer.request("awaitSignIn", {"id": pending["signIn"]["id"]})
    text = fault.value.data["baseString"]
    assert "oauth_token%3D…" in text and "oauth_verifier%3D…" in text
    assert not [secret for secret in ("t0ken", "t-s3cret", "v3rifier") if secret in str(fault.value)]


BOTH = f'Bearer error="insufficient_scope", scope="write", claims="{IN_BASE64}"'


def test_claims_beside_missing_scopes_are_reported_and_asked_for(peer, provider):
    authorize(peer, provider.approve, **provider.parameters())
    demand(provider, BOTH, 403)
    with pytest.raises(RPCFault) as fault:
        peer.request("callAPI", {"account": "a", "url": "x"})
    assert fault.value.kind == "insufficientScope" and fault.value.data["scopes"] == ["write"] and fault.value.data["claims"] == CLAIMS
    demand(provider, BOTH, 403, times=1)
    identifier, asked = stepping_up(peer, provider, scope="read write")
    assert peer.result(identifier)["status"] == 200
    assert asked["scope"].split() == ["write", "read"] and json.loads(asked["claims"]) == json.loads(CLAIMS)

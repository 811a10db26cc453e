"""Logins that have ended, or may have: what each command says, and what `login` does."""

import json
import re

import pytest

import browser
from provider import Response
from rpc import RPCFault
from signing_in import authorize
from test_command_line import Shell, log_in, waiting_login
from test_validity import import_token

FIRST = "the first refresh after the sign-in was rejected, and the provider's description or the client is the likely cause"
REJECTED = "sign-in is required: the provider rejected the refresh token"
INVALID_TOKEN = {"WWW-Authenticate": 'Bearer error="invalid_token"'}


@pytest.fixture
def shell(home):
    return Shell(home)


def refuse(provider, body, status: int) -> None:
    """Refuses each refresh from now on. Sign-ins go on."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    provider.instead["/token"] = lambda request: Response(status, content) if b"=refresh_token" in request.body else None


def without_refresh_token(provider) -> None:
    def issue(request):
        token = provider.secret()
        provider.living.add(token)
        return Response.of({"access_token": token, "token_type": "Bearer", "scope": "read"})

    provider.instead["/token"] = issue


def describe(provider, **more) -> None:
    parameters, described = provider.parameters, {**provider.description, **more}
    provider.parameters = lambda **given: parameters(**{"provider": described, **given})


@pytest.mark.parametrize(
    ("status", "body", "said", "code"),
    [
        (403, {"error": "unauthorized_client", "error_description": "used already"},
         f"sign-in is required: {FIRST}: the authorization server answered with unauthorized_client: used already. Sign in with: oauth-stdio login a", 3),
        (400, {"error": "invalid_grant"}, f"{REJECTED}: the authorization server answered with invalid_grant. Sign in with: oauth-stdio login a", 3),
        (400, {"error": "invalid_grant", "error_description": "Session not active"},
         f"{REJECTED}: the authorization server answered with invalid_grant: Session not active. Sign in with: oauth-stdio login a", 3),
        # Some servers send their errors with status 200.
        (200, {"error": "invalid_grant"}, f"{REJECTED}: the authorization server answered with invalid_grant. Sign in with: oauth-stdio login a", 3),
        (400, b"<html>", "the authorization server answered with status 400", 1),
        (400, {"error": "Bad Request"}, "the authorization server answered with Bad Request", 1),
        (404, {"error": "invalid_grant"}, "the authorization server answered with invalid_grant", 1),
        (404, {"error": "invalid_request", "error_description": "no such scope."}, f"{FIRST}: the authorization server answered with invalid_request: no such scope", 1),
    ],
)
def test_login_opens_a_page_after_every_refusal(shell, provider, status, body, said, code):
    """A refusal that ends the login is told by each command in the same way, and the server is asked once."""
    # The token expires on arrival.
    provider.lifetime = 0.5
    log_in(shell, provider)
    refuse(provider, body, status)
    for command in (["token"], ["exec-credential"], ["refresh"], ["call", "a", "x"], ["header", "a", "x"]):
        message = shell.run(*command, *([] if "a" in command else ["a"]), status=code).stderr
        assert re.sub(r"oauth-stdio --store \S+", "oauth-stdio", message) == f"oauth-stdio: {said}\n"
    refreshes = [request for request in provider.requests if b"=refresh_token" in request.body]
    assert len(refreshes) == (1 if code == 3 else 5)
    assert ("rejected" in shell.run("status").stdout) == (code == 3)
    provider.lifetime = 3600
    assert log_in(shell, provider).endswith("oauth-stdio: a: signed in\n")
    assert shell.run("token", "a").stdout.strip() in provider.living


def test_the_next_sign_in_brings_the_claims_of_a_rejected_refresh(shell, provider):
    """Also one of another process."""
    claims = '{"access_token":{"capolids":{"essential":true,"values":["c1"]}}}'
    log_in(shell, provider)
    refuse(provider, {"error": "invalid_grant", "suberror": "basic_action", "claims": claims}, 400)
    for words in (("refresh", "a", "--force"), ("accessToken", "a")):
        done = shell.run("--events", "none", *words, status=3)
        assert "sign-in is required" in done.stderr
    process, url = waiting_login(shell, provider)
    assert browser.query(url)["claims"] == claims
    provider.approve(url)
    assert process.wait(60) == 0
    process = shell.start("login", "a", "--openBrowser=false", "--interaction", "always")
    url = next(line for line in process.stderr if line.startswith("http")).strip()
    assert "claims" not in browser.query(url)
    process.terminate()
    process.wait(60)


def test_authorize_opens_no_second_page_by_itself(peer, provider):
    provider.lifetime = 0.5
    authorize(peer, provider.approve, **provider.parameters())
    refuse(provider, {"error": "invalid_request", "error_description": "no session"}, 400)
    for _ in range(2):
        with pytest.raises(RPCFault) as fault:
            peer.request("authorize", provider.parameters(wait=False))
        assert fault.value.kind == "signInRequired" and "no session" in fault.value.message and FIRST in fault.value.message
    provider.instead.clear()
    assert authorize(peer, provider.approve, **provider.parameters(interaction="always"))["via"] == "signedIn"
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
    # The description and the client have shown that they can refresh.
    refuse(provider, {"error": "invalid_request"}, 400)
    assert peer.request("authorize", provider.parameters(wait=False))["status"] == "pending"


def test_a_refusal_spares_a_valid_access_token(peer, provider):
    import_token(peer, provider, 3600, 1000, refresh_token="r")
    refuse(provider, {"error": "invalid_grant"}, 400)
    with pytest.raises(RPCFault) as fault:
        peer.request("accessToken", {"account": "a", "minimumValidity": 7200})
    assert fault.value.kind == "signInRequired"
    assert peer.request("accessToken", {"account": "a"})["accessToken"] in provider.living
    assert peer.request("account", {"account": "a"})["canRefresh"] is True


@pytest.mark.parametrize("ends", ["challenge", "description"])
def test_a_token_that_the_service_ends(shell, provider, ends):
    """No command hands it out again, and login needs no option."""
    without_refresh_token(provider)
    if ends == "description":
        describe(provider, expired={"certain": True})
    log_in(shell, provider)
    provider.instead["/api/x"] = lambda request: Response(401, b"Bad credentials", INVALID_TOKEN if ends == "challenge" else {})
    done = shell.run("call", "a", "x", status=1)
    assert done.stdout == "Bad credentials"
    assert "oauth-stdio: the service answered with status 401. Sign in again with: oauth-stdio " in done.stderr
    for command in (["token", "a"], ["call", "a", "x"], ["header", "a", "x"], ["--allow-export", "exportGrant", "a"]):
        said = shell.message(*command, status=3)
        assert said.startswith("oauth-stdio: sign-in is required: the service rejected the access token. Sign in with: oauth-stdio ")
    assert "the provider rejected the access token" in shell.run("status").stdout
    assert "FAILED   grant" in shell.run("doctor", "a", status=1).stdout
    provider.instead.pop("/api/x")
    log_in(shell, provider)
    assert shell.run("call", "a", "x").stdout


def test_a_token_in_doubt(shell, provider):
    """A 401 without a reason may be about the request. The token stays in use, and the next success ends the doubt."""
    without_refresh_token(provider)
    log_in(shell, provider)
    provider.instead["/api/x"] = lambda request: Response(401, b"no")
    assert "status 401. Sign in again with: oauth-stdio " in shell.run("call", "a", "x", status=1).stderr
    assert "in doubt: see doctor" in shell.run("status").stdout
    assert "warning  doubt" in shell.run("doctor", "a").stdout
    assert shell.run("token", "a").stdout.strip() in provider.living
    shell.run("call", "a", "y")
    assert "doubt" not in shell.run("status").stdout
    shell.run("call", "a", "x", status=1)
    assert log_in(shell, provider).endswith("oauth-stdio: a: signed in\n")
    assert "doubt" not in shell.run("status").stdout


def test_a_grant_that_can_be_refreshed_is_not_ended_by_a_service(peer, provider):
    authorize(peer, provider.approve, **provider.parameters())
    provider.instead["/api/x"] = lambda request: Response(401, b"", INVALID_TOKEN)
    with pytest.raises(RPCFault):
        peer.request("callAPI", {"account": "a", "url": "x"})
    state = peer.request("account", {"account": "a"})
    assert state["canAuthorize"] is True and state["inDoubt"] is True
    assert peer.request("accessToken", {"account": "a"})["accessToken"] in provider.living


@pytest.mark.parametrize(("endpoint", "answer", "state", "isUsable"), [
    ("userInfoEndpoint", Response.of({"sub": "u"}), "ok", True), ("userInfoEndpoint", Response(401, b"", INVALID_TOKEN), "failed", False),
    ("userInfoEndpoint", Response(503), "warning", True),
    ("introspectionEndpoint", Response.of({"active": True}), "ok", True), ("introspectionEndpoint", Response.of({"active": False}), "failed", False),
])
def test_doctor_asks_about_a_token_in_doubt(shell, provider, endpoint, answer, state, isUsable):
    without_refresh_token(provider)
    describe(provider, **{endpoint: provider.url + "/ask"})
    log_in(shell, provider)
    provider.instead["/api/x"] = lambda request: Response(401, b"no")
    shell.run("call", "a", "x", status=1)
    provider.instead["/ask"] = lambda request: answer
    found = {each["check"]: each["state"] for each in shell.result("diagnose", "a")["findings"]}
    assert found["token"] == state and found["grant"] == ("ok" if isUsable else "failed") and ("doubt" in found) == (state == "warning"), found
    shell.run("token", "a", status=0 if isUsable else 3)

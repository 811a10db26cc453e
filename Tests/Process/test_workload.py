"""Tokens without a user: assertions and exchanged tokens, and the sources that the configuration has for them. Each exchange reads them."""

import json
import os
import subprocess
import urllib.parse

import jwt
import pytest

from provider import Response
from rpc import BINARY, RPCFault
from signing_in import TokenProvider, authorize
from waiting import Hold

JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
TYPE = "urn:ietf:params:oauth:token-type:"


def sent(provider) -> list[dict]:
    """Returns the forms of the token requests."""
    return [dict(urllib.parse.parse_qsl(request.body.decode(), keep_blank_values=True)) for request in provider.requests if request.path == "/token"]


@pytest.fixture
def platform():
    """What issues the tokens to exchange: the server of a job's tokens, or an identity provider."""
    with TokenProvider() as running:
        yield running


@pytest.fixture
def configure(home, provider):
    """Writes accounts of the configuration, and returns the options that name it. Members are merged into each account."""

    def write(**accounts) -> list:
        home.mkdir(exist_ok=True)
        for name, members in accounts.items():
            accounts[name] = {"provider": provider.description, "flow": "tokenExchange", "scopes": ["read"], **members}
        (home / "config.json").write_text(json.dumps({"accounts": accounts}))
        (home / "config.json").chmod(0o600)
        return ["--config", home / "config.json"]

    return write


@pytest.mark.parametrize("flow", ["jwtBearer", "tokenExchange"])
@pytest.mark.parametrize("source", ["file", "env", "command", "literal"])
def test_every_exchange_reads_the_source(start, configure, provider, tmp_path, source, flow):
    file = tmp_path / "token"
    file.write_text("first.platform.token\n")
    # The platform sets the mode, so that is no reason for a warning.
    file.chmod(0o644)
    sources = {"file": {"file": str(file)}, "env": {"env": "TOKEN"}, "command": {"command": ["cat", str(file)]}, "literal": "first.platform.token"}
    peer = start(*configure(a={"flow": flow, "subjectToken": sources[source]}), environment={"TOKEN": "first.platform.token"})
    before = peer.request("account", {"account": "a"})
    assert (before["canAuthorize"], before["signedIn"]) == (True, False)
    assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    assert peer.request("account", {"account": "a"})["expiresAt"]
    file.write_text("second.platform.token")
    peer.request("authorize", {"account": "a"})
    assert len(sent(provider)) == 1
    peer.request("refresh", {"account": "a", "force": True})
    second = "second.platform.token" if source in ("file", "command") else "first.platform.token"
    if flow == "jwtBearer":
        wanted = [{"grant_type": JWT_BEARER, "assertion": token, "scope": "read"} for token in ("first.platform.token", second)]
    else:
        wanted = [
            {"grant_type": EXCHANGE, "subject_token": token, "subject_token_type": TYPE + "jwt", "scope": "read"}
            for token in ("first.platform.token", second)]
    assert sent(provider) == wanted
    assert peer.finish() == 0 and peer.stderr == b""


def test_no_token_of_the_configuration_is_stored_or_logged(start, configure, provider, tmp_path):
    options = ("--allow-export", "--log-level", "debug", "--audit", tmp_path / "audit")
    peer = start(*configure(a={"subjectToken": {"env": "TOKEN"}}), *options, environment={"TOKEN": "the.platform.token"})
    peer.request("accessToken", {"account": "a"})
    assert "the.platform.token" not in json.dumps(peer.request("exportGrant", {"account": "a"}))
    peer.request("authorize", {"account": "b", "provider": provider.description, "flow": "jwtBearer", "subjectToken": "the.brought.token"})
    assert "the.brought.token" in json.dumps(peer.request("exportGrant", {"account": "b"}))
    assert peer.finish() == 0
    written = peer.stderr.decode() + (tmp_path / "audit").read_text()
    assert provider.url.removeprefix("http://") in written and "the.platform.token" not in written and "the.brought.token" not in written


@pytest.mark.parametrize("processes", [1, 3])
def test_one_request_serves_all_processes(start, configure, provider, processes):
    provider.instead["/token"] = hold = Hold()
    options = configure(a={"subjectToken": "the.token"})
    peers = [start(*options) for _ in range(processes)]
    asked = [(peer, peer.send("accessToken", {"account": "a"})) for peer in peers for _ in range(3)]
    hold.wait()
    hold.release()
    assert {peer.result(number)["accessToken"] for peer, number in asked} == provider.living
    assert len(sent(provider)) == 1


def test_an_ended_token_is_replaced_by_authorize_and_by_calls(start, configure, provider):
    provider.instead["/token"] = lambda request: Response.of({"access_token": "short", "expires_in": 1, "refresh_token": "unused"})
    peer = start(*configure(a={"subjectToken": {"env": "TOKEN"}}), "--read-only", environment={"TOKEN": "the.token"})
    peer.request("accessToken", {"account": "a"})
    peer.request("authorize", {"account": "a", "interaction": "never"})
    assert [form["subject_token"] for form in sent(provider)] == ["the.token"] * len(sent(provider))
    assert {form["grant_type"] for form in sent(provider)} == {EXCHANGE}


@pytest.mark.parametrize("error", ["invalid_grant", "invalid_scope", "unauthorized_client", "invalid_client"])
@pytest.mark.parametrize("way", ["basic", "probe"])
def test_a_call_sends_a_refused_assertion_once(start, configure, provider, tmp_path, error, way):
    provider.instead["/token"] = lambda request: Response.of({"error": error}, 400)
    (tmp_path / "token").write_text("x.y.z")
    description = {**provider.description, "clientAuthentication": way}
    source = {"file": str(tmp_path / "token")}
    peer = start(*configure(a={"provider": description, "flow": "jwtBearer", "clientId": "c", "subjectToken": source}))
    for method, params in (("callAPI", {"url": "x"}), ("accessToken", {}), ("authorize", {})):
        with pytest.raises(RPCFault) as fault:
            peer.request(method, {"account": "a", **params})
        assert fault.value.data["error"] == error and "x.y.z" not in json.dumps(fault.value.data)
    assert sent(provider) == [{"grant_type": JWT_BEARER, "assertion": "x.y.z", "scope": "read", "client_id": "c"}] * 3
    (tmp_path / "token").write_text("u.v.w")
    del provider.instead["/token"]
    assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200 and sent(provider)[-1]["assertion"] == "u.v.w"


def test_the_end_does_not_wait_for_a_source_that_hangs(start, configure, provider):
    peer = start(*configure(a={"subjectToken": {"command": ["sleep", "50"]}}))
    with pytest.raises(RPCFault) as fault:
        peer.request("accessToken", {"account": "a", "timeout": 1})
    assert fault.value.kind == "timedOut" and peer.finish() == 0 and sent(provider) == []


def test_a_client_that_is_corrected_at_the_server_is_asked_again(start, configure, provider):
    provider.instead["/token"] = lambda request: Response.of({"error": "invalid_client"}, 401)
    peer = start(*configure(a={"clientId": "c", "clientSecret": "s3cret", "subjectToken": "x.y.z"}))
    with pytest.raises(RPCFault):
        peer.request("accessToken", {"account": "a"})
    del provider.instead["/token"]
    assert peer.request("accessToken", {"account": "a"})["accessToken"] in provider.living


# Sources of jobs

@pytest.mark.parametrize("query", ["?api-version=2", ""])
def test_a_job_of_github_actions(start, configure, provider, platform, query):
    platform.instead["/job"] = lambda request: Response.of({"value": f"job.token.{len(platform.requests)}"})
    environment = {"ACTIONS_ID_TOKEN_REQUEST_URL": platform.url + "/job" + query, "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "of-the-job"}
    peer = start(*configure(a={"flow": "jwtBearer", "subjectToken": {"githubActions": "https://api.example/?a b"}}), environment=environment)
    peer.request("accessToken", {"account": "a"})
    peer.request("refresh", {"account": "a", "force": True})
    assert [form["assertion"] for form in sent(provider)] == ["job.token.1", "job.token.2"]
    (asked, _) = platform.requests
    assert dict(urllib.parse.parse_qsl(asked.target.partition("?")[2]))["audience"] == "https://api.example/?a b"
    assert asked.target.startswith("/job" + query) and asked.headers["Authorization"] == "bearer of-the-job"


@pytest.mark.parametrize(("variables", "problem"), [
    ({}, "ACTIONS_ID_TOKEN_REQUEST_URL is not set. Outside of a job there is none, and a job needs permissions: id-token: write"),
    ({"ACTIONS_ID_TOKEN_REQUEST_URL": "http://job.example.com/", "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "t"}, "ACTIONS_ID_TOKEN_REQUEST_URL is not an https URL"),
    ({"ACTIONS_ID_TOKEN_REQUEST_URL": "<<platform>>/job", "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "t"}, "answered with status 403")])
def test_a_job_without_a_token(start, configure, provider, platform, variables, problem):
    platform.instead["/job"] = lambda request: Response.of({"message": "t"}, 403)
    variables = {name: value.replace("<<platform>>", platform.url) for name, value in variables.items()}
    peer = start(*configure(a={"subjectToken": {"githubActions": "x"}}), environment=variables)
    with pytest.raises(RPCFault) as fault:
        peer.request("accessToken", {"account": "a"})
    assert problem in fault.value.message and fault.value.data["account"] == "a" and sent(provider) == []


def test_child_processes_see_no_credential_of_the_job(start, configure, provider):
    command = ["sh", "-c", 'echo "seen.$ACTIONS_ID_TOKEN_REQUEST_TOKEN.$OTHER"']
    peer = start(*configure(a={"flow": "jwtBearer", "subjectToken": {"command": command}}), environment={"ACTIONS_ID_TOKEN_REQUEST_TOKEN": "x", "OTHER": "y"})
    peer.request("accessToken", {"account": "a"})
    assert sent(provider)[0]["assertion"] == "seen..y"


# Tokens of other accounts

@pytest.mark.parametrize(("members", "token", "kind"), [
    ({}, "at-1", "access_token"), ({"subjectTokenType": "id_token"}, "an.id.token", "id_token"), ({"subjectTokenType": "refresh_token"}, "rt-1", "refresh_token")])
def test_the_token_of_another_account(start, configure, provider, platform, members, token, kind):
    peer = start(*configure(a={"subjectToken": {"account": "idp"}, **members}))
    with pytest.raises(RPCFault) as fault:
        peer.request("accessToken", {"account": "a"})
    assert (fault.value.kind, fault.value.data["account"]) == ("signInRequired", "idp")
    peer.request("importGrant", {
        "account": "idp", "provider": platform.description, "clientId": "i", "format": "json",
        "data": {"access_token": "at-1", "id_token": "an.id.token", "refresh_token": "rt-1", "expires_in": 3600}})
    peer.request("accessToken", {"account": "a"})
    assert sent(provider) == [{"grant_type": EXCHANGE, "subject_token": token, "subject_token_type": TYPE + kind, "scope": "read"}]


def test_limits_of_accounts_hold_for_sources(start, configure, provider):
    options = configure(a={"subjectToken": {"account": "idp"}}, idp={"subjectToken": "x"})
    with pytest.raises(RPCFault) as fault:
        start(*options, "--accounts", "a").request("accessToken", {"account": "a"})
    assert fault.value.kind == "notAllowed" and sent(provider) == []
    start(*options, "--accounts", "a,idp").request("accessToken", {"account": "a"})
    assert [form["subject_token"] for form in sent(provider)][0] == "x" and len(sent(provider)) == 2


def test_accounts_that_need_each_other(start, configure, provider):
    options = configure(a={"subjectToken": {"account": "b"}}, b={"subjectToken": "x", "actorToken": {"account": "a"}})
    for name in "ab":
        with pytest.raises(RPCFault) as fault:
            start(*options).request("accessToken", {"account": name})
        assert "depends on itself" in fault.value.message and sent(provider) == []


def test_tokens_go_only_where_the_configuration_says(start, configure, provider, platform):
    peer = start(*configure(a={"provider": None, "subjectToken": {"env": "TOKEN"}}, b={"subjectToken": {"env": "TOKEN"}}), environment={"TOKEN": "x.y.z"})
    for account in "ab":
        with pytest.raises(RPCFault) as fault:
            peer.request("authorize", {"account": account, "provider": platform.description})
        assert "configuration names" in fault.value.message
    peer.request("importGrant", {"account": "a", "provider": platform.description, "data": {"access_token": "x", "expires_in": 0}, "format": "json"})
    with pytest.raises(RPCFault):
        peer.request("refresh", {"account": "a", "force": True})
    assert platform.requests == []


def api(platform, is_issuer: bool = False) -> str:
    """Lets the platform be an API that names its authorization server, on the same host, or says that it is an issuer. Returns its URL."""
    url = platform.url + "/mcp"
    places = {"authorization_endpoint": platform.url + "/authorize", "token_endpoint": platform.url + "/token"}
    issuer = url if is_issuer else platform.url
    if not is_issuer:
        platform.instead["/.well-known/oauth-protected-resource/mcp"] = lambda request: Response.of({"resource": url, "authorization_servers": [platform.url]})
    platform.instead["/.well-known/oauth-authorization-server" + "/mcp" * is_issuer] = lambda request: Response.of(
        {"issuer": issuer, "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"], **places})
    return url


@pytest.mark.parametrize(("members", "is_issuer"), [({}, False), ({"issuer": "https://honest.example"}, False), ({"issuer": "https://honest.example"}, True)])
def test_an_api_gets_no_token_of_another_account(start, configure, provider, platform, members, is_issuer):
    peer = start(*configure(a={"provider": {"discovery": api(platform, is_issuer), **members}, "subjectToken": {"account": "idp"}}))
    peer.request("importGrant", {"account": "idp", "provider": provider.description, "format": "json", "data": {"access_token": "at-1"}})
    with pytest.raises(RPCFault) as fault:
        peer.request("accessToken", {"account": "a"})
    message = fault.value.message
    assert "subjectToken goes only to a server that the configuration names" in message or "and not https://honest.example" in message
    assert sent(platform) == []


def test_an_api_with_the_named_issuer_gets_it(start, configure, provider, platform):
    peer = start(*configure(a={"provider": {"discovery": api(platform), "issuer": platform.url}, "subjectToken": {"account": "idp"}}))
    peer.request("importGrant", {"account": "idp", "provider": provider.description, "format": "json", "data": {"access_token": "at-1"}})
    peer.request("accessToken", {"account": "a"})
    assert sent(platform)[0]["subject_token"] == "at-1"


@pytest.mark.parametrize(("members", "problem"), [
    ({"clientAssertion": {"account": "other"}}, "clientAssertion goes only to a server"), ({"provider": {"issuer": "https://honest.example"}}, "and not https://honest.example")])
def test_an_api_gets_no_more_by_an_identity_assertion(start, configure, provider, platform, members, problem):
    """Neither another account's token, nor an assertion for an issuer that is not its own."""
    own = {**members, "provider": {"discovery": api(platform), **members.get("provider", {})}}
    peer = start(*configure(a={"flow": "identityAssertion", "clientId": "c", "subjectToken": {"account": "idp"}, **own}))
    with pytest.raises(RPCFault) as fault:
        peer.request("accessToken", {"account": "a"})
    assert problem in fault.value.message and sent(platform) == []


@pytest.mark.parametrize("member", ["subjectToken", "actorToken"])
def test_a_caller_does_not_choose_the_type_of_a_configured_token(start, configure, provider, member):
    """It would send the refresh token in the place of the access token."""
    peer = start(*configure(a={"subjectToken": "x", member: {"account": "idp"}}))
    peer.request("importGrant", {
        "account": "idp", "provider": provider.description, "clientId": "i", "format": "json", "data": {"access_token": "at-1", "refresh_token": "rt-1", "expires_in": 3600}})
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", {"account": "a", member + "Type": "refresh_token"})
    assert "belongs to the configuration" in fault.value.message and sent(provider) == []


# Identity assertions

@pytest.fixture
def federation(configure, provider, platform):
    """An account `a` whose tokens come from the login of the account `idp`."""
    platform.instead["/token"] = lambda request: Response.of({
        "access_token": "an.identity.assertion", "issued_token_type": TYPE + "id-jag", "token_type": "N_A", "expires_in": 300})
    description = {**provider.description, "issuer": provider.url}
    member = {"resource": "https://api.example/", "flow": "identityAssertion", "provider": description, "clientId": "c", "clientSecret": "s3cret", "subjectToken": {"account": "idp"}}
    entry = {"provider": platform.description, "flow": "auto", "clientId": "i", "clientSecret": "idp-s3cret"}
    return configure(a=member, idp=entry)


@pytest.mark.parametrize(("tokens", "subject"), [
    ({"access_token": "at-1", "id_token": "an.id.token"}, ("an.id.token", TYPE + "id_token")),
    ({"access_token": "at-1", "refresh_token": "rt-1", "expires_in": 3600}, ("rt-1", TYPE + "refresh_token"))])
def test_an_identity_assertion(start, federation, provider, platform, tokens, subject):
    peer = start(*federation)
    peer.request("importGrant", {"account": "idp", "data": tokens, "format": "json"})
    assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    peer.request("refresh", {"account": "a", "force": True})
    exchange = {
        "grant_type": EXCHANGE, "subject_token": subject[0], "subject_token_type": subject[1], "requested_token_type": TYPE + "id-jag",
        "audience": provider.url, "scope": "read", "resource": "https://api.example/"}
    assert sent(platform) == 2 * [exchange]
    assert platform.requests[0].headers["Authorization"].startswith("Basic aTpp")
    bearer = {"grant_type": JWT_BEARER, "assertion": "an.identity.assertion", "scope": "read", "resource": "https://api.example/"}
    assert sent(provider) == 2 * [bearer]
    (first, *_) = [request for request in provider.requests if request.path == "/token"]
    assert first.headers["Authorization"] == "Basic YzpzM2NyZXQ="


def test_a_dry_run_of_an_identity_assertion_has_both_requests(start, federation, provider, platform):
    steps = start(*federation).request("authorize", {"account": "a", "dryRun": True})["dryRun"]["requests"]
    assert [(step["step"], step["url"]) for step in steps[:2]] == [("token", platform.url + "/token"), ("token", provider.url + "/token")]
    exchange = dict(urllib.parse.parse_qsl(steps[0]["body"]))
    assert exchange == {
        "grant_type": EXCHANGE, "subject_token": "SUBJECT_TOKEN", "subject_token_type": TYPE + "id_token", "requested_token_type": TYPE + "id-jag",
        "audience": provider.url, "scope": "read", "resource": "https://api.example/"}
    assert steps[0]["headers"]["Authorization"] == "Basic …" and platform.requests + provider.requests == []


def test_the_exchange_proves_the_key_of_the_login(start, federation, provider, platform):
    """A refresh token that is bound to a key is no use without a proof of that key."""
    exchanged = platform.instead["/token"]
    bound = {"access_token": "at-1", "token_type": "DPoP", "refresh_token": "rt-1", "expires_in": 3600}
    platform.instead["/token"] = lambda request: exchanged(request) if sent(platform)[-1]["grant_type"] == EXCHANGE else Response.of(bound)
    peer = start(*federation)
    authorize(peer, platform.approve, account="idp", dpop=True, openBrowser=False)
    assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    keys = [jwt.get_unverified_header(request.headers["DPoP"])["jwk"] for request in platform.requests if request.path == "/token"]
    assert len(keys) == 2 and keys[0] == keys[1] and sent(platform)[-1]["subject_token"] == "rt-1"


def test_a_caller_does_not_say_for_whom_the_identity_provider_signs(start, federation, provider, platform):
    peer = start(*federation)
    peer.request("importGrant", {"account": "idp", "data": {"access_token": "at-1", "id_token": "an.id.token"}, "format": "json"})
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", {"account": "a", "provider": {**provider.description, "issuer": "https://other.example"}})
    assert "is not the provider" in fault.value.message and sent(platform) + sent(provider) == []


def test_a_refresh_token_outlives_the_id_token(start, federation, provider, platform):
    """The provider refreshes without a new ID token."""
    exchanged = platform.instead["/token"]
    platform.instead["/token"] = lambda request: (
        Response.of({"access_token": "at-2", "expires_in": 3600}) if sent(platform)[-1]["grant_type"] == "refresh_token" else exchanged(request))
    peer = start(*federation)
    ended = jwt.encode({"iss": "i", "exp": 1_700_000_000}, "k" * 32)
    peer.request("importGrant", {
        "account": "idp", "format": "json", "data": {"access_token": "at-1", "id_token": ended, "refresh_token": "rt-1", "expires_in": 3600}})
    assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    assert (sent(platform)[-1]["subject_token"], sent(platform)[-1]["subject_token_type"]) == ("rt-1", TYPE + "refresh_token")


def test_a_login_that_brings_no_identity_assertion(start, federation, provider, platform):
    peer = start(*federation)
    with pytest.raises(RPCFault) as fault:
        peer.request("accessToken", {"account": "a"})
    assert (fault.value.kind, fault.value.data["account"]) == ("signInRequired", "idp")
    peer.request("importGrant", {"account": "idp", "data": {"access_token": "at-1", "id_token": "an.id.token"}, "format": "json"})
    platform.instead["/token"] = lambda request: Response.of({"access_token": "t", "issued_token_type": TYPE + "access_token", "token_type": "N_A"})
    with pytest.raises(RPCFault) as fault:
        peer.request("accessToken", {"account": "a"})
    assert fault.value.kind == "responseUntrusted"
    platform.instead["/token"] = lambda request: Response.of({"error": "invalid_grant", "error_description": "an.id.token is not for it"}, 400)
    with pytest.raises(RPCFault) as fault:
        peer.request("accessToken", {"account": "a"})
    assert (fault.value.data["account"], fault.value.data["error"]) == ("idp", "invalid_grant") and "an.id.token" not in fault.value.message
    assert len(sent(platform)) == 2 and sent(provider) == []


# Faults of the configuration

@pytest.mark.parametrize(("members", "place", "problem"), [
    ({"flow": "browser", "subjectToken": "x"}, "subjectToken", "needs a flow without a user"),
    ({"flow": "auto", "audience": "x"}, "audience", "needs a flow without a user"),
    ({"flow": "identityAssertion", "subjectToken": "x"}, "subjectToken", "the account of the user's identity provider"),
    ({"clientId": "c", "clientSecret": {"account": "b"}, "subjectToken": "x"}, "clientSecret", "must be a string, {\"env\": …}"),
    ({"clientId": "c", "clientSecret": {"sign": ["sh"]}, "subjectToken": "x"}, "clientSecret", "{\"keyring\": …} or {\"file\": …}"),
    ({"subjectToken": "x", "actorTokenType": "jwt"}, "actorTokenType", "needs an actorToken"),
    ({"subjectToken": {"file": "token"}}, "subjectToken/file", "must be an absolute path"),
    ({"flow": "jwtBearer", "subjectToken": "x", "assertionClaims": {"iat": 1}}, "assertionClaims/iat", "the process sets this claim itself")])
def test_a_fault_of_the_entry_names_its_place(start, configure, provider, members, place, problem):
    with pytest.raises(RPCFault) as fault:
        start(*configure(a=members)).request("accessToken", {"account": "a"})
    assert fault.value.data["path"] == "/accounts/a/" + place and problem in fault.value.message and provider.requests == []


def test_more_scopes_of_a_configured_token(start, configure, provider):
    peer = start(*configure(a={"subjectToken": "x.y.z"}))
    peer.request("accessToken", {"account": "a"})
    assert peer.request("addScopes", {"account": "a", "scopes": ["write"]})["missingScopes"] == ["write"]
    assert [(form["subject_token"], form["scope"]) for form in sent(provider)] == [("x.y.z", "read"), ("x.y.z", "write read")]


def test_status_says_that_no_sign_in_is_needed(start, configure, provider):
    options = configure(a={"subjectToken": "x.y.z"})

    def status() -> str:
        return subprocess.run([BINARY, *map(str, options), "--store", store, "status"], capture_output=True, text=True, timeout=60).stdout

    store = str(options[1].parent / "store")
    before = status()
    with start(*options, "--store", store) as peer:
        peer.request("accessToken", {"account": "a"})
        assert "not needed" not in status()
        peer.request("signOut", {"account": "a"})
    assert "a        -         not needed" in before and status() == before


@pytest.mark.parametrize(("words", "path", "answer"), [
    (["login", "a"], "/token", Response.of({"error": "invalid_grant"}, 400)), (["call", "a", "x"], "/api/x", Response.of({}, 401))])
def test_a_refusal_names_no_sign_in(configure, provider, words, path, answer):
    """Neither a code nor a login would help."""
    options = configure(a={"flow": "jwtBearer", "subjectToken": "x.y.z"})
    provider.instead[path] = lambda request: answer
    run = subprocess.run([BINARY, *map(str, options), *words], env={"PATH": os.environ["PATH"], "HOME": str(options[1].parent)}, capture_output=True, text=True, timeout=60)
    assert run.returncode == 1 and "invalid_grant" in run.stderr or "status 401" in run.stderr
    assert "code" not in run.stderr and "ign in" not in run.stderr


def test_the_command_token(configure, provider):
    options = configure(a={"flow": "jwtBearer", "subjectToken": {"env": "TOKEN"}})
    command = [BINARY, *map(str, options), "--store", "memory", "token", "a"]
    run = subprocess.run(command, env={"PATH": os.environ["PATH"], "TOKEN": "x.y.z"}, capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stderr) == (0, "") and "".join(provider.living) in run.stdout

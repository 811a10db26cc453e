"""Tokens bound to a key (DPoP, RFC 9449): the servers check each proof."""

import json
import urllib.request

import pytest
from joserfc.jwk import ECKey

import browser
from bound_tokens import BoundAPI, BoundAuthorizationServer, BoundMCPServer
from mcp_server import header
from mcp_streams import Host
from provider import Response
from rpc import RPCFault
from signing_in import TokenProvider, authorize
from test_bridge_hosts import call, pages
from test_command_line import Shell


@pytest.fixture
def server():
    with BoundAuthorizationServer() as running:
        yield running


@pytest.fixture
def api(server):
    with BoundAPI(server) as running:
        yield running


def wanted(server, api, **more) -> dict:
    described = {**server.description, "apiBase": api.url + "/api/", "userInfoEndpoint": api.url + "/me", **more.pop("provider", {})}
    return {"account": "a", "provider": described, "clientId": "c", "scopes": ["read"], "openBrowser": False, "dpop": True, **more}


@pytest.fixture
def signed_in(server, api, peer):
    assert authorize(peer, server.approve, **wanted(server, api))["tokenType"] == "DPoP"
    return peer


def call_api(peer, url: str = "x", **more) -> dict:
    return peer.request("callAPI", {"account": "a", "url": url, "as": "json", **more})


def fault(peer, method: str, **params) -> RPCFault:
    with pytest.raises(RPCFault) as caught:
        peer.request(method, {"account": "a", **params})
    return caught.value


def grant_types(server) -> list[str]:
    return [exchange["grant_type"] for exchange in server.exchanges]


def test_every_request_has_a_proof_of_the_key_that_the_page_named(signed_in, server, api, start, home):
    assert call_api(signed_in, "x?q=1&r=a%2Fb")["json"]["path"] == "/api/x"
    assert call_api(signed_in, method="POST", body={"json": {"a": 1}})["json"]["method"] == "POST"
    api.instead["/me"] = lambda request: api.refusal(request) or Response.of({"sub": "u"})
    assert signed_in.request("userInfo", {"account": "a"})["claims"] == {"sub": "u"}
    # Another process has the same key, also for the refresh token.
    assert signed_in.finish() == 0
    other = start()
    assert other.request("refresh", {"account": "a", "force": True})["tokenType"] == "DPoP"
    assert call_api(other)["status"] == 200
    assert not server.proofs.faults + api.proofs.faults
    assert server.proofs.keys == api.proofs.keys == {server.pages[0]["dpop_jkt"]}
    assert all("ath" not in claims and "nonce" not in claims for claims in server.proofs.taken)
    assert (home / "store" / "a.grant").read_bytes().startswith(b"oauth-stdio grant 1 ")


def test_each_sign_in_has_a_key_of_its_own(signed_in, server, api):
    authorize(signed_in, server.approve, **wanted(server, api, interaction="always"))
    assert call_api(signed_in)["status"] == 200
    assert len(server.proofs.keys) == 2 and server.pages[0]["dpop_jkt"] != server.pages[1]["dpop_jkt"]


def test_a_login_that_was_bound_stays_so(signed_in, server, api):
    again = {name: value for name, value in wanted(server, api, interaction="always").items() if name != "dpop"}
    assert authorize(signed_in, server.approve, **again)["tokenType"] == "DPoP"
    assert not server.proofs.faults


def test_a_bearer_token_is_not_enough_for_a_request_with_dpop(server, api, peer):
    data = {"access_token": "t", "token_type": "Bearer"}
    asked = wanted(server, api)
    peer.request("importGrant", {"account": "a", "format": "json", "data": data, "provider": asked["provider"], "clientId": "c"})
    assert fault(peer, "authorize", **{**asked, "interaction": "never"}).kind == "signInRequired"


@pytest.mark.parametrize(("rotates", "error"), [(False, "use_dpop_nonce"), (True, "use_dpop_nonce"), (False, "invalid_dpop_proof")])
def test_each_origin_has_its_nonce(server, api, peer, rotates, error):
    for proofs, nonce in ((server.proofs, "as-"), (api.proofs, "rs-")):
        (proofs.nonce, proofs.rotates, proofs.nonce_error) = (nonce, rotates, error)
    authorize(peer, server.approve, **wanted(server, api))
    answers = [call_api(peer) for _ in range(3)]
    # The nonce of the first answer serves the next request.
    assert [answer["attempts"] for answer in answers] == [2, 1, 1]
    assert not any(answer.get("refreshed") for answer in answers)
    peer.request("refresh", {"account": "a", "force": True})
    assert server.proofs.faults == api.proofs.faults == ["the proof needs the nonce"]
    assert grant_types(server) == ["authorization_code", "refresh_token"]


@pytest.mark.parametrize(("status", "challenge"), [
    (400, None), (401, 'Bearer realm="x", DPoP algs="ES256", error="use_dpop_nonce"'), (401, 'Bearer error="use_dpop_nonce"'), (401, "dpop error=use_dpop_nonce")])
def test_a_service_says_in_other_ways_that_it_wants_a_nonce(signed_in, api, status, challenge):
    def ask(request):
        headers = {"DPoP-Nonce": "n", **({"WWW-Authenticate": challenge} if challenge else {})}
        return Response.of({} if challenge else {"error": "use_dpop_nonce"}, status, **headers) if len(api.requests) == 1 else None

    api.instead["/api/x"] = ask
    assert call_api(signed_in)["attempts"] == 2 and not api.proofs.faults


def test_a_nonce_that_fits_into_no_header_is_not_remembered(signed_in, api):
    api.proofs.nonce = "n" * 60_000
    assert fault(signed_in, "callAPI", url="me").kind == "serviceError"
    api.proofs.nonce = None
    assert call_api(signed_in)["status"] == 200


@pytest.mark.parametrize(("nonce", "requests"), [("new", 2), ("same", 2), (None, 1)])
def test_a_server_that_is_never_content_gets_one_more_request(signed_in, server, api, nonce, requests):
    told = iter(range(9))

    def refuse(request):
        headers = {} if nonce is None else {"DPoP-Nonce": f"n{next(told)}" if nonce == "new" else "n"}
        return Response.of({}, 401, **{"WWW-Authenticate": 'DPoP error="use_dpop_nonce"', **headers})

    api.instead["/api/never"] = refuse
    failure = fault(signed_in, "callAPI", url="never")
    assert failure.kind == "serviceError" and failure.data["attempts"] == requests == len(api.requests)
    assert grant_types(server) == ["authorization_code"] and "inDoubt" not in signed_in.request("account", {"account": "a"})


def test_calls_side_by_side_survive_a_new_nonce(signed_in, server, api):
    api.proofs.nonce = "first"
    call_api(signed_in)
    api.proofs.nonce = "second"
    numbers = [signed_in.send("callAPI", {"account": "a", "url": f"x{index}"}) for index in range(8)]
    assert [signed_in.result(number)["status"] for number in numbers] == [200] * 8
    assert grant_types(server) == ["authorization_code"]


@pytest.mark.parametrize("ahead", [600, -600])
def test_a_wrong_clock_costs_one_request_at_each_server(server, api, peer, ahead):
    server.proofs.ahead = api.proofs.ahead = ahead
    # The two servers share the host, whose clock counts for both.
    authorize(peer, server.approve, **wanted(server, api))
    assert call_api(peer)["status"] == 200
    peer.request("refresh", {"account": "a", "force": True})
    assert server.proofs.faults + api.proofs.faults == ["DPoP proof is not active"]


def test_a_refused_proof_ends_no_login(signed_in, server, api):
    server.proofs.ahead = 600
    server.instead["/token"] = lambda request: Response.of({"error": "invalid_request", "error_description": "DPoP proof is not active"}, 400)
    assert fault(signed_in, "refresh", force=True).kind == "authorizationServerError"
    server.instead["/token"] = lambda request: Response.of({"error": "invalid_dpop_proof"}, 400)
    assert fault(signed_in, "refresh", force=True).data["error"] == "invalid_dpop_proof"
    assert signed_in.request("account", {"account": "a"})["canRefresh"] is True


def test_the_look_up_after_a_sign_in_has_a_proof(server, api, peer):
    api.instead["/me"] = lambda request: api.refusal(request) or Response.of({"tenant": "t1"})
    lookup = {"apiBase": api.url + "/api/{tenant}/", "afterSignIn": {"url": api.url + "/me", "variables": {"tenant": "tenant"}}}
    authorize(peer, server.approve, **wanted(server, api, provider=lookup))
    assert call_api(peer)["json"]["path"] == "/api/t1/x" and not api.proofs.faults


def test_a_redirect_gets_a_proof_of_its_own(signed_in, api):
    api.instead["/api/old"] = lambda request: api.refusal(request) or Response(307, b"", {"Location": "/api/new?a=b"})
    assert call_api(signed_in, "old", method="PUT", body={"text": "x"})["json"] == {"path": "/api/new", "method": "PUT"}
    assert not api.proofs.faults


def test_a_reused_connection_that_breaks_repeats_no_proof(signed_in, api):
    """libcurl would send a GET again by itself."""
    assert call_api(signed_in)["status"] == 200
    dropped = iter([Response(0, is_dropped=True)])
    api.instead["/api/y"] = lambda request: next(dropped, None)
    assert call_api(signed_in, "y")["status"] == 200
    assert not api.proofs.faults


@pytest.mark.parametrize("kind", ["Bearer", "bearer", "N_A"])
def test_a_token_that_is_not_bound_is_rejected(server, api, peer, home, kind):
    server.type = kind
    identifier = peer.send("authorize", wanted(server, api))
    server.approve(peer.event("signInWasRequested", request=identifier)["url"])
    error = peer.answer(identifier)["error"]
    assert error["data"]["kind"] == "responseUntrusted" and "not DPoP" in error["message"] and "with dpop false" in error["message"]
    assert not list((home / "store").glob("*.grant"))


def test_a_refresh_that_brings_another_type_keeps_the_login(signed_in, server):
    server.type = "Bearer"
    assert fault(signed_in, "refresh", force=True).kind == "responseUntrusted"
    server.type = "dpop"
    assert signed_in.request("refresh", {"account": "a", "force": True})["tokenType"] == "DPoP"
    # The refresh token of the rejected response was kept.
    assert grant_types(server) == ["authorization_code", "refresh_token", "refresh_token"]


def test_an_imported_login_takes_the_place_of_a_bound_one(signed_in, server, api):
    data = {"access_token": "t", "token_type": "Bearer", "expires_in": 3600}
    imported = {"format": "json", "data": data, "provider": wanted(server, api)["provider"], "clientId": "c", "replace": True}
    signed_in.request("importGrant", {"account": "a", **imported})
    assert signed_in.request("authorize", {"account": "a", "interaction": "never"})["tokenType"] == "Bearer"


def test_a_bound_token_does_not_move_without_its_key(signed_in, server, api, start):
    with start("--allow-export") as exporting:
        assert "DPoP" in fault(exporting, "exportGrant").message
    data = {"access_token": "t", "token_type": "DPoP", "refresh_token": "r"}
    with pytest.raises(RPCFault, match="bound to a key"):
        signed_in.request("importGrant", {"account": "b", "format": "json", "data": data, "provider": wanted(server, api)["provider"], "clientId": "c"})


def test_no_bare_token_is_handed_out(signed_in, server, api, home):
    for method, params in [("accessToken", {}), ("accessToken", {"idToken": True})]:
        failure = fault(signed_in, method, **params)
        assert failure.kind in ("unsupportedByProvider", "signInRequired")
    assert "authorizeRequest" in fault(signed_in, "accessToken").message
    for words in (["token", "a"], ["sasl", "a", "--user", "u"], ["exec-credential", "a"]):
        process = Shell(home).start(*words)
        assert process.wait(60) != 0
        assert "DPoP" in "".join(process.stderr), words


def test_git_gets_no_bound_token(server, api, peer):
    host = api.url.removeprefix("http://")
    authorize(peer, server.approve, **wanted(server, api, provider={"gitHosts": [host]}))
    with pytest.raises(RPCFault, match="authorizeRequest"):
        peer.request("hostCredential", {"host": host, "protocol": "http"})


@pytest.mark.parametrize("nonce", [None, "n"])
def test_a_client_sends_the_request_itself(signed_in, api, nonce):
    api.proofs.nonce = nonce
    params = {"account": "a", "url": "x?q=1", "method": "POST", "body": "text", **({"dpopNonce": nonce} if nonce else {})}
    request = signed_in.request("authorizeRequest", params)
    assert request["headers"]["Authorization"].startswith("DPoP ") and request["url"] == api.url + "/api/x?q=1"
    own = urllib.request.Request(request["url"], request["body"].encode(), request["headers"], method="POST")
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(own) as answer:
        assert answer.status == 200


def test_a_pushed_request_has_a_proof(server, api, peer):
    server.proofs.nonce = "n"
    authorize(peer, server.approve, **wanted(server, api, provider={"pushedAuthorizationRequests": "on"}))
    assert call_api(peer)["status"] == 200
    assert server.pages[0]["dpop_jkt"] in server.proofs.keys and server.proofs.faults == ["the proof needs the nonce"]


@pytest.mark.parametrize("nonce", [None, "n"])
@pytest.mark.parametrize("place", ["token", "par"])
def test_a_server_demands_proofs_by_its_error(server, api, peer, place, nonce):
    server.proofs.nonce = nonce
    asked = wanted(server, api, provider={"pushedAuthorizationRequests": "on"} if place == "par" else {})
    del asked["dpop"]
    assert authorize(peer, server.approve, **asked)["tokenType"] == "DPoP"
    assert call_api(peer)["status"] == 200
    peer.request("refresh", {"account": "a", "force": True})
    assert server.proofs.faults == ["there is no proof"]
    # The next page names the key.
    authorize(peer, server.approve, **{**asked, "interaction": "always"})
    assert "dpop_jkt" in server.pages[-1] and len(server.proofs.faults) == 1


@pytest.mark.parametrize(
    "flow",
    [
        {"flow": "clientCredentials", "clientSecret": "s"}, {"flow": "jwtBearer", "subjectToken": "assertion"},
        {"flow": "tokenExchange", "subjectToken": "t", "subjectTokenType": "urn:ietf:params:oauth:token-type:jwt"},
    ],
    ids=lambda flow: flow["flow"],
)
def test_a_token_without_a_user(server, api, start, flow):
    described = {**wanted(server, api), **flow}
    first, second = start(), start()
    assert first.request("authorize", described)["tokenType"] == "DPoP"
    assert call_api(first)["status"] == call_api(second)["status"] == 200
    second.request("refresh", {"account": "a", "force": True})
    first.request("authorize", {**described, "interaction": "always"})
    assert call_api(second)["status"] == 200
    assert len(server.proofs.keys) == 1 and not server.proofs.faults + api.proofs.faults


def test_a_client_that_signs_its_assertions_signs_one_for_each_try(server, api, peer):
    server.proofs.nonce = "n"
    key = ECKey.generate_key("P-256").as_pem(private=True).decode()
    described = wanted(server, api, provider={"issuer": server.url, "clientAuthentication": "privateKeyJwt"}, privateKey=key, flow="clientCredentials")
    assert peer.request("authorize", described)["tokenType"] == "DPoP"
    assert len(set(server.assertions)) == 2 == len(server.assertions)


def test_a_typed_code_brings_a_bound_token(server, api, peer):
    assert peer.request("authorize", wanted(server, api, flow="device", timeout=30))["tokenType"] == "DPoP"
    assert call_api(peer)["status"] == 200 and not server.proofs.faults


def test_a_server_without_proofs_introspects_and_revokes(signed_in, server):
    assert signed_in.request("introspect", {"account": "a"})["active"] is True
    assert signed_in.request("revoke", {"account": "a"})["remote"] == "revoked"


def test_the_configuration_and_a_description_ask_for_it(server, api, start, home):
    folder = home / "config" / "oauth-stdio"
    folder.mkdir(parents=True)
    asked = wanted(server, api)
    configured = {"provider": asked["provider"], "clientId": "c", "scopes": ["read"], "openBrowser": False}
    accounts = {"a": {**configured, "dpop": True}, "b": {**configured, "provider": {**asked["provider"], "dpop": True}}}
    (folder / "config.json").write_text(json.dumps({"accounts": accounts}))
    peer = start()
    for account in accounts:
        assert authorize(peer, server.approve, account=account)["tokenType"] == "DPoP"
    assert not server.proofs.faults


def test_the_end_of_a_binding(start, home):
    """The server binds what it gets with a proof. A login changes when the user signs in, and a client's own token at each refresh."""

    def issue(request) -> Response:
        kind = "DPoP" if header(request, "DPoP") else "Bearer"
        return Response.of({"access_token": server.secret(), "token_type": kind, "refresh_token": "r", "expires_in": 3600})

    home.mkdir()
    with TokenProvider() as server:
        server.instead["/token"] = issue
        peer = start("--config", home / "config.json")

        def kind(method: str, account: str, *dpop: bool, **params) -> str:
            places = {"authorizationEndpoint": server.url + "/authorize", "tokenEndpoint": server.url + "/token"}
            entry = {"provider": places, "clientId": "c", "openBrowser": False, **{"dpop": value for value in dpop}}
            accounts = {"user": entry, "machine": {**entry, "flow": "clientCredentials", "clientSecret": "s"}}
            (home / "config.json").write_text(json.dumps({"accounts": accounts}))
            if method == "login":
                return authorize(peer, server.approve, account=account, interaction="always")["tokenType"]
            return peer.request(method, {"account": account, **params})["tokenType"]

        assert [kind("login", "user", True), kind("login", "user"), kind("refresh", "user", False, force=True)] == 3 * ["DPoP"]
        assert [kind("login", "user", False), kind("refresh", "user", True, force=True)] == 2 * ["Bearer"]
        assert [kind("authorize", "machine", True), kind("refresh", "machine", force=True)] == 2 * ["DPoP"]
        assert [kind("refresh", "machine", dpop, force=True) for dpop in (False, True)] == ["Bearer", "DPoP"]


def test_a_bearer_token_at_an_api_that_takes_bound_ones(server, api, peer, home):
    """The login is not in doubt: the message says what to set, and the login with it is enough."""
    server.proofs.check = lambda request, token=None: "none"
    server.type = "Bearer"
    authorize(peer, server.approve, **wanted(server, api, dpop=False))
    said = fault(peer, "callAPI", url="x")
    assert "bound to a key: set dpop to true" in said.message and "inDoubt" not in peer.request("account", {"account": "a"})
    assert peer.finish() == 0
    assert Shell(home).run("call", "a", "x", status=1).stderr.endswith("login a --dpop\n")


def test_a_dry_run_masks_the_proofs(server, api, peer):
    steps = peer.request("authorize", wanted(server, api, dryRun=True))["dryRun"]
    shown = {step["step"]: step["headers"].get("DPoP") for step in steps["requests"]}
    assert shown == {"token": "…", "refresh": "…", "callAPI": "…", "revocation": None}
    assert browser.query(steps["url"])["dpop_jkt"]


def test_neither_the_key_nor_a_proof_is_in_a_log(server, api, start, home, tmp_path):
    peer = start("--audit", str(tmp_path / "audit"), "--log-level", "debug")
    authorize(peer, server.approve, **wanted(server, api))
    call_api(peer)
    assert peer.finish() == 0
    proofs = [header(request, "DPoP") for request in server.requests + api.requests if header(request, "DPoP")]
    written = peer.stderr + bytes(peer.stdout) + (tmp_path / "audit").read_bytes()
    assert len(proofs) == 2 and not any(proof.encode() in written for proof in proofs)
    for file in [path for path in home.rglob("*") if path.is_file()]:
        written += file.read_bytes()
    assert b"PRIVATE KEY" not in written


# The bridge.


@pytest.fixture
def login(server):
    with BoundMCPServer(server) as running:
        yield running


@pytest.fixture
def hosts(home, login):
    """Returns `hosts(count)`, which starts hosts and does their handshakes."""
    running: list[Host] = []

    def start(count: int) -> list[Host]:
        new = [Host(home, login.mcp) for _ in range(count)]
        running.extend(new)
        for host in new:
            number = host.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "host", "version": "1"}})
            assert "result" in host.answer(number), host.log()
            host.notify("notifications/initialized")
        return new

    yield start
    for host in running:
        host.__exit__()


@pytest.mark.parametrize("nonce", [None, "n"])
def test_the_bridge_proves_each_request(login, server, hosts, nonce):
    """The server's challenge names DPoP and no bearer tokens."""
    server.proofs.nonce = login.proofs.nonce = nonce
    both = hosts(2)
    (url,) = pages(both)
    server.approve(url)
    for host in both:
        host.event("notifications/tools/list_changed")
    assert call(both) == ["echoed"] * 2
    assert json.loads(next(request for request in server.requests if request.path == "/register").body)["dpop_bound_access_tokens"] is True
    assert server.proofs.keys == login.proofs.keys == {server.pages[0]["dpop_jkt"]}
    assert "invalid_token" not in str(login.proofs.faults) and grant_types(server) == ["authorization_code"]


@pytest.mark.parametrize("error", ["use_dpop_nonce", "invalid_dpop_proof"])
def test_no_page_is_opened_for_a_rejected_proof(login, server, hosts, error):
    (host,) = hosts(1)
    (url,) = pages([host])
    server.approve(url)
    host.event("notifications/tools/list_changed")
    nonces = iter(range(9))
    headers = {"WWW-Authenticate": f'DPoP error="{error}"'}
    login.refusal = lambda request, method: Response.of({}, 401, **headers, **{"DPoP-Nonce": f"n{next(nonces)}"})
    answer = host.answer(host.ask("tools/call", {"name": "echo", "arguments": {"text": "x"}}))
    assert "rejects the proof of the token's key (DPoP)" in answer["error"]["message"]
    del login.refusal
    assert call([host]) == ["echoed"]
    assert grant_types(server) == ["authorization_code"] and len(server.pages) == 1


def test_a_process_that_takes_up_a_page_has_its_key(login, server, hosts):
    """The first process is killed between the page and the token."""
    (first,) = hosts(1)
    (url,) = pages([first])
    first.process.kill()
    first.process.wait()
    (second,) = hosts(1)
    assert pages([second]) == {url}
    server.approve(url)
    second.event("notifications/tools/list_changed")
    assert call([second]) == ["echoed"]
    assert server.proofs.keys == {server.pages[0]["dpop_jkt"]} and not server.proofs.faults

"""One login, many tokens: for some of its scopes, for another resource or audience, by the request or by an entry of the configuration."""

import base64
import concurrent.futures
import dataclasses
import json
import sys
import urllib.parse

import pytest

from bound_tokens import BoundAPI, BoundAuthorizationServer
from conftest import SERVERS, run_server
from mcp_streams import LoginServer, StreamServer, connect  # noqa: F401
from ports import reserve_port
from provider import Provider, Request, Response
from rpc import RPCFault
from signing_in import TokenProvider, authorize
from test_command_line import shell  # noqa: F401
from waiting import wait_until

SCOPES = ["mail", "files", "offline_access"]


def unsigned(**claims) -> str:
    """A JWT as a resource server would get it. No test verifies its signature."""
    encode = lambda data: base64.urlsafe_b64encode(json.dumps(data).encode()).rstrip(b"=").decode()
    return f"{encode({'alg': 'RS256'})}.{encode(claims)}.c2ln"


class ScopeServer(TokenProvider):
    """Issues tokens for what a refresh asks, and knows each token's scopes and audience. The newest refresh token alone is valid."""

    rotates = True
    # Whether it repeats its newest answer to the refresh token before it, so that a client which lost that answer can go on.
    repeats = False

    def __init__(self, **where):
        self.asked: list[dict] = []
        self.tokens: dict[str, dict] = {}
        self.refresh_token = ""
        self.scopes = SCOPES
        super().__init__(**where)

    def token(self, form: dict) -> Response:
        scopes = form["scope"].split() if "scope" in form else self.scopes
        if not set(scopes) <= {*SCOPES, "openid"}:
            return Response.of({"error": "invalid_scope"}, 400)
        return self.answer(scopes, form.get("resource") or form.get("audience"))

    def answer(self, scopes: list, audience=None) -> Response:
        token = self.secret()
        self.tokens[token] = {"scopes": scopes, "audience": audience}
        answer = {"access_token": token, "token_type": "Bearer", "expires_in": self.lifetime, "scope": " ".join(scopes)}
        if self.rotates or not self.refresh_token:
            self.refresh_token = answer["refresh_token"] = self.secret()
        return Response.of(answer)

    def respond(self, request: Request) -> Response:
        if request.path in self.instead and (answer := self.instead[request.path](request)):
            return answer
        if request.path == "/token":
            form = dict(urllib.parse.parse_qsl(request.body.decode()))
            self.asked.append(form)
            if form["grant_type"] == "refresh_token" and form["refresh_token"] != self.refresh_token:
                is_former = self.repeats and form["refresh_token"] == self.newest[0]
                return self.newest[1] if is_former else Response.of({"error": "invalid_grant"}, 400)
            self.newest = self.refresh_token, self.token(form)
            return self.newest[1]
        if request.path.startswith("/api/"):
            held = self.tokens.get(request.headers.get("Authorization", "").removeprefix("Bearer "))
            return Response.of(held, 200) if held else Response.of({"error": "invalid_token"}, 401)
        return super().respond(request)

    def sign_in(self, peer, **description) -> None:
        provider = {**self.description, **description}
        authorize(peer, self.approve, **self.parameters(provider=provider, scopes=SCOPES))

    def refreshes(self) -> list[dict]:
        return [form for form in self.asked if form["grant_type"] == "refresh_token"]


@pytest.fixture
def scoped():
    with ScopeServer() as server:
        yield server


def fault(peer, method: str, **params) -> RPCFault:
    with pytest.raises(RPCFault) as raised:
        peer.request(method, {"account": "a", **params})
    return raised.value


def test_a_token_with_fewer_scopes(peer, scoped):
    scoped.sign_in(peer, otherTokens={"scopes": "refresh"})
    own = peer.request("accessToken", {"account": "a"})["accessToken"]
    mail = peer.request("accessToken", {"account": "a", "scopes": ["mail"]})["accessToken"]
    assert scoped.tokens[mail]["scopes"] == ["mail", "offline_access"] and scoped.tokens[own]["scopes"] == SCOPES
    assert peer.request("accessToken", {"account": "a", "scopes": ["mail"]})["accessToken"] == mail
    assert peer.request("accessToken", {"account": "a"})["accessToken"] == own
    answer = peer.request("callAPI", {"account": "a", "url": "x", "as": "json", "scopes": ["files"]})
    assert answer["json"]["scopes"] == ["files", "offline_access"]
    assert len(scoped.refreshes()) == 2
    state = peer.request("account", {"account": "a"})
    assert state["grantedScopes"] == SCOPES and "lostScopes" not in state


def test_a_server_that_replaces_the_refresh_token_is_not_asked_for_fewer_scopes(peer, scoped):
    """Such a server may bind the new refresh token to these scopes. Only one plain refresh tells that it replaces it."""
    scoped.sign_in(peer)
    assert fault(peer, "accessToken", scopes=["mail"]).kind == "unsupportedByProvider"
    assert [form.get("scope") for form in scoped.refreshes()] == [None]
    assert fault(peer, "accessToken", scopes=["mail"]).kind == "unsupportedByProvider"
    assert len(scoped.refreshes()) == 1


def test_a_server_that_keeps_the_refresh_token_is(peer, scoped):
    scoped.rotates = False
    scoped.sign_in(peer)
    token = peer.request("accessToken", {"account": "a", "scopes": ["mail"]})["accessToken"]
    assert scoped.tokens[token]["scopes"] == ["mail", "offline_access"]
    assert [form.get("scope") for form in scoped.refreshes()] == [None, "mail offline_access"]


@pytest.mark.parametrize("member", ["resource", "audience"])
def test_what_the_description_does_not_name_is_never_asked(peer, scoped, member):
    scoped.sign_in(peer)
    raised = fault(peer, "accessToken", **{member: "https://other.example"})
    assert raised.kind == "unsupportedByProvider" and f"otherTokens.{member}" in raised.message
    assert scoped.refreshes() == []


def test_a_server_that_ignores_scopes(peer, scoped):
    """Its token would be as wide as the login. The refresh token that came with it is the only valid one."""
    scoped.token = lambda form: scoped.answer(SCOPES)
    scoped.sign_in(peer, otherTokens={"scopes": "refresh"})
    raised = fault(peer, "accessToken", scopes=["mail"])
    assert raised.kind == "unsupportedByProvider" and "files" in raised.message
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True


def test_the_scopes_of_a_token_that_only_its_claims_name(peer, scoped):
    def token(form):
        answer = scoped.answer(form.get("scope", " ".join(SCOPES)).split())
        body = json.loads(answer.body)
        body["access_token"] = unsigned(scp="mail files" if "scope" in form else "mail files", aud="api")
        del body["scope"]
        return Response.of(body)

    scoped.token = token
    scoped.sign_in(peer, otherTokens={"scopes": "refresh"})
    assert fault(peer, "accessToken", scopes=["mail"]).kind == "unsupportedByProvider"


def test_another_resource_by_a_parameter_of_the_server(peer, scoped):
    """As Entra has it: the resource is a scope of its own form."""
    scoped.token = lambda form: scoped.answer(form.get("scope", "mail").split())
    way = {"refresh": {"parameter": "scope", "value": "{resource}/.default"}}
    scoped.sign_in(peer, otherTokens={"scopes": "refresh", "resource": way})
    peer.request("accessToken", {"account": "a", "resource": "api://reports"})
    assert scoped.refreshes()[-1]["scope"].split()[0] == "api://reports/.default"


def test_another_audience_by_an_exchange(peer, scoped):
    scoped.sign_in(peer, otherTokens={"audience": "exchange"})
    own = peer.request("accessToken", {"account": "a"})["accessToken"]
    token = peer.request("accessToken", {"account": "a", "audience": "billing"})["accessToken"]
    asked = scoped.asked[-1]
    assert asked["subject_token"] == own and asked["audience"] == "billing" and scoped.tokens[token]["audience"] == "billing"
    # The refresh token of the answer is not the login's.
    scoped.refresh_token = [form for form in scoped.asked if "code" in form] and scoped.refresh_token
    assert peer.request("account", {"account": "a"})["canRefresh"] is True


@pytest.mark.parametrize("answer", [{"error": "invalid_scope"}, {"error": "interaction_required", "claims": '{"x":1}'}, {"error": "invalid_grant", "suberror": "consent_required"}])
def test_a_refusal_says_what_is_missing(peer, scoped, answer):
    scoped.sign_in(peer, otherTokens={"scopes": "refresh"})
    own = scoped.token
    scoped.token = lambda form: Response.of(answer, 400) if "scope" in form else own(form)
    raised = fault(peer, "accessToken", scopes=["mail"])
    assert raised.kind == "signInRequired" and raised.data["reason"] == "scopesMissing" and raised.data.get("claims") == answer.get("claims")
    count = len(scoped.asked)
    assert fault(peer, "accessToken", scopes=["mail"]).kind == "signInRequired"
    assert len(scoped.asked) == count
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True


def test_a_refused_refresh_ends_the_login_only_if_a_plain_one_is_refused_too(peer, scoped):
    scoped.sign_in(peer, otherTokens={"scopes": "refresh"})
    own = scoped.token
    scoped.token = lambda form: Response.of({"error": "invalid_grant"}, 400) if "scope" in form else own(form)
    assert fault(peer, "accessToken", scopes=["mail"]).kind == "authorizationServerError"
    assert peer.request("callAPI", {"account": "a", "url": "x", "as": "json"})["json"]["scopes"] == SCOPES
    scoped.token = lambda form: Response.of({"error": "invalid_grant"}, 400)
    raised = fault(peer, "accessToken", scopes=["files"])
    assert raised.kind == "signInRequired" and raised.data["reason"] == "refreshRefused"


def test_a_token_that_a_service_rejects_is_replaced_once(peer, scoped):
    scoped.sign_in(peer, otherTokens={"scopes": "refresh"})
    mail = peer.request("accessToken", {"account": "a", "scopes": ["mail"]})["accessToken"]
    del scoped.tokens[mail]
    answer = peer.request("callAPI", {"account": "a", "url": "x", "as": "json", "scopes": ["mail"]})
    assert answer["status"] == 200 and answer["refreshed"] is True and answer["json"]["scopes"] == ["mail", "offline_access"]
    assert "inDoubt" not in peer.request("account", {"account": "a"})


def test_a_server_that_repeats_a_token_that_a_service_rejects(peer, scoped):
    scoped.sign_in(peer, otherTokens={"audience": "refresh"})
    scoped.rotates = False
    first = scoped.answer(SCOPES, "api")
    scoped.token = lambda form: first
    peer.request("accessToken", {"account": "a", "audience": "api"})
    scoped.tokens.clear()
    raised = fault(peer, "callAPI", url="x", audience="api")
    assert raised.kind == "serviceError" and raised.data["httpStatus"] == 401
    assert len(scoped.refreshes()) == 2


def test_a_rejected_token_of_the_login_while_another_process_stores_others(start, scoped):
    peer, other = start(), start()
    scoped.sign_in(peer, otherTokens={"scopes": "refresh", "audience": "refresh"})
    own = peer.request("accessToken", {"account": "a"})["accessToken"]

    def api(request):
        if own in request.headers["Authorization"]:
            for index in range(10):
                other.request("accessToken", {"account": "a", "audience": f"api{index}"})
            return Response.of({"error": "invalid_token"}, 401)

    scoped.instead["/api/x"] = api
    count = len(scoped.refreshes())
    assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    assert len(scoped.refreshes()) - count == 11


def test_a_refresh_token_of_an_exchange_is_not_the_login_s(peer, scoped):
    scoped.sign_in(peer, otherTokens={"audience": "exchange"})
    own = scoped.token
    for answer in ({"refresh_token": "of-the-exchange"}, {"access_token": "x", "token_type": "Bearer", "refresh_token": "of-the-exchange"}):
        scoped.token = lambda form: Response.of(answer) if "audience" in form else own(form)
        try:
            peer.request("accessToken", {"account": "a", "audience": "api"})
        except RPCFault as fault:
            assert fault.kind == "responseUntrusted"
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True


def test_an_exchange_of_a_token_that_the_server_has_ended(peer, scoped):
    scoped.sign_in(peer, otherTokens={"audience": "exchange"})
    own, ended = scoped.token, peer.request("accessToken", {"account": "a"})["accessToken"]
    scoped.token = lambda form: Response.of({"error": "invalid_request"}, 400) if form.get("subject_token") == ended else own(form)
    peer.request("accessToken", {"account": "a", "audience": "api"})


@pytest.mark.parametrize("asked", [["mail"], ["api://reports/.default"]])
def test_a_wide_token_is_none_although_the_login_s_scopes_are_unknown(peer, scoped, asked):
    data = {"access_token": scoped.answer(SCOPES) and "x", "refresh_token": scoped.refresh_token, "expires_at": 4102444800}
    scoped.token = lambda form: scoped.answer(SCOPES)
    provider = {**scoped.description, "otherTokens": {"scopes": "refresh"}}
    peer.request("importGrant", {"account": "a", "format": "json", "data": data, "provider": provider, "clientId": "c"})
    raised = fault(peer, "accessToken", scopes=asked)
    assert raised.kind == "unsupportedByProvider" and "files" in raised.message


def test_a_key_that_the_server_wants_at_the_first_narrow_request_is_that_of_the_login(peer):
    with BoundAuthorizationServer() as server, BoundAPI(server) as api:
        described = {**server.description, "apiBase": api.url + "/api/", "otherTokens": {"resource": "refresh"}}
        server.proofs.check = lambda request, token=None: None
        server.type = "Bearer"
        authorize(peer, server.approve, account="a", provider=described, clientId="c", scopes=["read"], openBrowser=False)
        del server.proofs.check
        server.type = "DPoP"
        for page in server.refresh_tokens.values():
            page.pop("dpop_jkt", None)
        answer = peer.request("callAPI", {"account": "a", "url": "x", "resource": "https://other.example"})
        assert answer["status"] == 200 and peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True


def test_an_id_token_is_the_login_s_alone(peer, scoped):
    scoped.sign_in(peer, otherTokens={"scopes": "refresh"})
    assert fault(peer, "accessToken", scopes=["mail"], idToken=True).kind == "unsupportedByProvider"


def test_an_own_parameter_for_scopes(peer, scoped):
    scoped.token = lambda form: scoped.answer(form.get("permissions", " ".join(SCOPES)).split())
    scoped.sign_in(peer, otherTokens={"scopes": {"refresh": {"parameter": "permissions"}}})
    peer.request("accessToken", {"account": "a", "scopes": ["mail"]})
    assert scoped.refreshes()[-1]["permissions"] == "mail" and "scope" not in scoped.refreshes()[-1]


def test_requests_that_meet_a_repeated_access_token_refresh_once(peer, scoped):
    """Some servers give the same access token until it ends. That is new enough for all who wait."""
    scoped.sign_in(peer)
    scoped.rotates = False
    token = json.loads(scoped.answer(SCOPES).body)["access_token"]
    own = scoped.token
    scoped.token = lambda form: Response.of({**json.loads(own(form).body), "access_token": token})
    peer.request("refresh", {"account": "a", "force": True})
    count = len(scoped.refreshes())
    waiting = [peer.send("refresh", {"account": "a", "force": True}) for _ in range(8)]
    assert all(peer.result(each)["refreshed"] for each in waiting) and len(scoped.refreshes()) - count < 8


# Entries of the configuration


@pytest.fixture
def entries(start, scoped, tmp_path):
    """Starts a process with entries of a login, which `a` is."""

    def new(*options, **described):
        config = tmp_path / "config.json"
        config.write_text(json.dumps({"accounts": described}))
        return start("--config", config, *options)

    return new


def test_an_entry_is_an_account(entries, scoped):
    peer = entries(mail={"login": "a", "scopes": ["mail"]})
    raised = pytest.raises(RPCFault, peer.request, "authorize", {"account": "mail"}).value
    assert raised.kind == "signInRequired" and raised.data["account"] == "a"
    scoped.sign_in(peer, otherTokens={"scopes": "refresh"})
    assert peer.request("authorize", {"account": "mail"})["via"] == "refreshed"
    token = peer.request("accessToken", {"account": "mail"})["accessToken"]
    assert scoped.tokens[token]["scopes"] == ["mail", "offline_access"]
    assert peer.request("callAPI", {"account": "mail", "url": "x", "as": "json"})["json"]["scopes"] == ["mail", "offline_access"]
    assert peer.request("refresh", {"account": "mail", "force": True})["refreshed"] is True
    assert peer.request("accessToken", {"account": "mail"})["accessToken"] != token
    states = {state["account"]: state for state in peer.request("accounts")["accounts"]}
    assert states["mail"]["login"] == "a" and states["mail"]["confirmed"] is True and states["mail"]["grantedScopes"] == ["mail", "offline_access"]
    assert peer.request("account", {"account": "mail"}) == states["mail"]
    assert peer.request("revoke", {"account": "mail"}) == {"account": "mail", "revoked": False, "remote": "unsupported"}
    assert "tokenType" not in peer.request("account", {"account": "mail"}) and peer.request("account", {"account": "a"})["canAuthorize"] is True
    for method, params in [
        ("addScopes", {"scopes": ["files"]}), ("importGrant", {"format": "json", "data": {"access_token": "x"}}),
        ("authorize", {"interaction": "always"}), ("authorize", {"scopes": ["files"]}), ("authorize", {"dryRun": True}),
    ]:
        raised = pytest.raises(RPCFault, peer.request, method, {"account": "mail", **params}).value
        assert raised.code == -32602 and "a" in raised.message


def test_the_hosts_of_an_entry_are_its_own(entries, scoped):
    with Provider(lambda request: Response.of({"token": request.headers.get("Authorization", "")[7:]})) as billing:
        peer = entries(billing={"login": "a", "audience": "billing", "apiBase": billing.url + "/v1/"})
        scoped.sign_in(peer, otherTokens={"audience": "refresh"})
        token = peer.request("callAPI", {"account": "billing", "url": "bills", "as": "json"})["json"]["token"]
        assert scoped.tokens[token]["audience"] == "billing"
        for account, url in [("billing", scoped.url + "/api/x"), ("a", billing.url + "/v1/bills")]:
            raised = pytest.raises(RPCFault, peer.request, "callAPI", {"account": account, "url": url}).value
            assert raised.kind == "hostNotAllowed"


def test_an_agent_gets_the_narrow_token_alone(entries, start, scoped):
    peer = entries("--accounts", "mail", mail={"login": "a", "scopes": ["mail"]})
    scoped.sign_in(start(), otherTokens={"scopes": "refresh"})
    assert peer.request("callAPI", {"account": "mail", "url": "x", "as": "json"})["json"]["scopes"] == ["mail", "offline_access"]
    for params in [{"account": "a"}, {"account": "mail", "scopes": ["files"]}]:
        raised = pytest.raises(RPCFault, peer.request, "accessToken", params).value
        assert raised.kind == "notAllowed"


@pytest.mark.parametrize(
    ("entry", "place"),
    [
        ({"login": "a"}, "login"), ({"login": "a", "scopes": ["x"], "clientId": "c"}, "clientId"), ({"apiBase": "https://x.example/"}, "apiBase"),
        ({"login": "a", "audience": "x", "apiBase": "https://{tenant}.example/"}, "apiBase"), ({"login": "a", "scopes": []}, "scopes"), ({"login": "a", "scopes": ["x"], "apiHosts": ["https://x"]}, "apiHosts"),
    ],
)
def test_a_wrong_entry_names_what_is_wrong(entries, entry, place):
    raised = pytest.raises(RPCFault, entries(mail=entry).request, "authorize", {"account": "mail"}).value
    assert f"/accounts/mail/{place}" in raised.message


# Several processes, and servers by others


def test_many_tokens_in_many_processes(start, scoped):
    """The server takes its newest refresh token alone. Each process asks for all."""
    peers = [start() for _ in range(8)]
    scoped.sign_in(peers[0], otherTokens={"audience": "refresh"})
    count = len(scoped.refreshes())

    def ask(peer):
        return [peer.request("accessToken", {"account": "a", "audience": f"api{index}"})["accessToken"] for index in range(16)]

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        tokens = list(pool.map(ask, peers))
    assert all(each == tokens[0] for each in tokens) and len(set(tokens[0])) == 16
    assert len(scoped.refreshes()) - count == 16
    assert peers[0].request("refresh", {"account": "a", "force": True})["refreshed"] is True


def test_processes_that_die_lose_no_login(start, scoped):
    scoped.repeats = True
    scoped.sign_in(start(), otherTokens={"audience": "refresh"})
    for number in range(8):
        peer = start()
        scoped.instead["/token"] = lambda request: peer.process.kill()
        peer.send("accessToken", {"account": "a", "audience": f"api{number}"})
        peer.process.wait(60)
    del scoped.instead["/token"]
    peer = start()
    for number in range(8):
        peer.request("accessToken", {"account": "a", "audience": f"api{number}"})
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True


def test_a_token_for_the_client_itself(entries, scoped):
    provider = {**scoped.description, "otherTokens": {}}
    own = {"provider": provider, "clientId": "c", "clientSecret": "s", "flow": "clientCredentials", "scopes": SCOPES}
    peer = entries(own=own, mail={"login": "own", "scopes": ["mail"]})
    scoped.refresh_token = "none"
    answer = peer.request("callAPI", {"account": "mail", "url": "x", "as": "json"})
    assert answer["json"]["scopes"] == ["mail"] and [form["grant_type"] for form in scoped.asked] == ["client_credentials"] * 2
    assert peer.request("account", {"account": "own"})["grantedScopes"] == SCOPES


def test_a_bound_token_has_the_key_of_the_login(peer):
    with BoundAuthorizationServer() as server, BoundAPI(server) as api:
        wanted = {"provider": {**server.description, "apiBase": api.url + "/api/", "otherTokens": {"resource": "refresh"}}, "dpop": True}
        authorize(peer, server.approve, account="a", clientId="c", scopes=["read"], openBrowser=False, **wanted)
        answer = peer.request("callAPI", {"account": "a", "url": "x", "as": "json", "resource": "https://other.example"})
        assert answer["status"] == 200 and server.exchanges[-1]["resource"] == "https://other.example" and len(server.proofs.keys) == 1


def test_the_commands(scoped, start, shell):
    scoped.sign_in(start(), otherTokens={"scopes": "refresh"})
    mail = shell.run("token", "a", "--scopes", "mail").stdout.strip()
    assert scoped.tokens[mail]["scopes"] == ["mail", "offline_access"]
    assert shell.run("header", "a", "x", "--scopes", "mail").stdout.strip() == f"Authorization: Bearer {mail}"
    assert json.loads(shell.run("call", "a", "x", "--scopes", "mail").stdout)["scopes"] == ["mail", "offline_access"]
    assert mail not in shell.run("--allow-export", "exportGrant", "a").stdout
    credential = json.loads(shell.run("exec-credential", "a", "--scopes", "mail").stdout)
    assert credential["status"]["token"] == mail and len(scoped.refreshes()) == 1
    message = shell.message("token", "a", "--scopes", "calendar", status=3)
    assert message.endswith("Sign in with: oauth-stdio login a --scopes calendar\n")


def test_the_status_and_the_end_of_an_entry(scoped, start, shell, tmp_path):
    scoped.sign_in(start(), otherTokens={"audience": "refresh"})
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"accounts": {"api": {"login": "a", "audience": "api"}}}))
    shell.run("--config", config, "token", "api")
    assert "by a, as asked, not confirmed" in shell.run("--config", config, "status").stdout
    shell.run("--config", config, "logout", "api")
    assert "api" in shell.run("--config", config, "status").stdout and len(scoped.refreshes()) == 1
    shell.run("--config", config, "token", "api")
    assert len(scoped.refreshes()) == 2
    # The end of the login is that of its entries.
    assert "api" not in shell.run("--config", config, "logout", "--all").stderr
    assert "no account a" in shell.message("--config", config, "token", "api", status=3)


@pytest.mark.parametrize(("options", "names"), [((), {"a", "mail"}), (("--accounts", "mail"), {"mail"})])
def test_a_change_of_the_login_names_its_entries(entries, scoped, start, options, names):
    peer = entries(*options, mail={"login": "a", "scopes": ["mail"]})
    peer.request("initialize", {})
    peer.request("accounts")
    scoped.sign_in(start(), otherTokens={"scopes": "refresh"})
    wait_until(lambda: {event["params"]["account"] for event in peer.events if event["method"] == "accountWasChanged"} == names)


def test_a_host_credential_of_an_entry_is_asked_for_by_its_name(start, scoped, tmp_path):
    host = urllib.parse.urlsplit(scoped.url).netloc
    scoped.sign_in(start(), otherTokens={"scopes": "refresh"}, gitHosts=[host])
    config = tmp_path / "config.json"
    described = {"mail": {"login": "a", "scopes": ["mail"]}, "else": {"login": "a", "scopes": ["mail"], "apiBase": "https://else.example/"}}

    def scopes(hosts: dict, **more) -> list:
        config.write_text(json.dumps({"accounts": described, "hosts": hosts}))
        password = start("--config", config).request("hostCredential", {"protocol": "http", "host": host, **more})["password"]
        return scoped.tokens[password]["scopes"]

    narrow = ["mail", "offline_access"]
    assert scopes({}) == SCOPES and scopes({}, username="mail") == narrow and scopes({host: "mail"}) == narrow
    # The name that the host wants beside the token chooses no account.
    assert scopes({host: "mail"}, username="oauth2") == narrow and scopes({host: "mail"}, username="a") == SCOPES
    with pytest.raises(RPCFault, match="else does not serve"):
        scopes({}, username="else")
    held = start("--config", config).request("accessToken", {"account": "mail"})["accessToken"]
    assert scopes({host: "mail"}, username="oauth2", rejected=held) == narrow and held in scoped.tokens and len(scoped.refreshes()) == 2


def test_an_mcp_server_gets_the_token_of_an_entry(start, connect, tmp_path):
    """Its host is asked for no page, and the login's own token goes nowhere."""
    with LoginServer() as login, StreamServer(login=login) as server:
        provider = {**login.description, "otherTokens": {"resource": "refresh"}}
        authorize(start(), login.approve, account="a", provider=provider, clientId="c", scopes=["read"], openBrowser=False)
        config = tmp_path / "config.json"
        config.write_text(json.dumps({"accounts": {"tools": {"login": "a", "resource": server.url, "apiBase": server.url}}}))
        host = connect(server, "--account", "tools", options=["--config", config])
        host.begin()
        assert "tools" in host.request("tools/list")["result"]
        assert len(login.codes) == 1 and len(login.refreshes) == 1
        login.living.clear()
        assert "tools" in host.request("tools/list")["result"]
        assert len(login.codes) == 1 and len(login.refreshes) == 2
        server.refuses = True
        assert "refuses the token of tools" in json.dumps(host.request("tools/list"))
        assert len(login.codes) == 1 and len(login.refreshes) == 3


# Servers by others, and servers like those that are services only


@dataclasses.dataclass
class Narrowed:
    """A real server, the scopes of the login and those of the narrow token."""

    server: object
    scopes: list[str]
    narrow: list[str]
    more: dict = dataclasses.field(default_factory=dict)


@pytest.fixture
def mcp_sdk(tmp_path):
    port = reserve_port()
    for _ in run_server([sys.executable, str(SERVERS / "mcp_sdk" / "authorization.py"), str(port)], port, tmp_path / "sdk"):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(params=["dot", "glewlwyd", "authlib"])
def narrowed(request):
    scopes = {"dot": ["read", "write"], "glewlwyd": ["scope1", "scope2"], "authlib": ["email", "read"]}[request.param]
    secret = {"clientId": "conf", "clientSecret": "s3cret-conf"} if request.param == "glewlwyd" else {}
    return Narrowed(request.getfixturevalue(request.param), scopes, scopes[:1], secret)


def sign_in(start, narrowed, tmp_path, **described):
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"accounts": {"one": {"login": "a", "scopes": narrowed.narrow}}}))
    peer = start("--config", config)
    parameters = narrowed.server.parameters(account="a", **{"scopes": narrowed.scopes, **narrowed.more})
    authorize(peer, **{**parameters, "provider": {**parameters["provider"], **described}})
    return peer


def test_no_real_server_takes_scopes_from_the_login(start, narrowed, tmp_path):
    """A hundred requests for fewer scopes, answered or refused. The login then has all of its own, without another page."""
    peer = sign_in(start, narrowed, tmp_path)
    for _ in range(100):
        try:
            assert set(peer.request("refresh", {"account": "one", "force": True})["grantedScopes"]) >= set(narrowed.narrow)
        except RPCFault as fault:
            assert fault.kind == "unsupportedByProvider", fault
    renewed = peer.request("refresh", {"account": "a", "force": True})
    assert renewed["refreshed"] is True and sorted(renewed["grantedScopes"]) == sorted(narrowed.scopes)


def test_a_real_server_that_narrows_the_login_is_told(start, dot, tmp_path):
    """django-oauth-toolkit binds the new refresh token to the scopes of the request, other than this description says."""
    peer = sign_in(start, Narrowed(dot, ["read", "write"], ["read"]), tmp_path, otherTokens={"scopes": "refresh"})
    assert peer.request("refresh", {"account": "one", "force": True})["grantedScopes"] == ["read"]
    for _ in range(2):
        peer.request("refresh", {"account": "a", "force": True})
        assert peer.request("account", {"account": "a"})["lostScopes"] == ["write"]


def test_the_authorization_server_of_the_mcp_sdk(start, mcp_sdk):
    peer = start()
    authorize(peer, account="a", provider={"issuer": mcp_sdk, "discovery": mcp_sdk, "otherTokens": {"resource": "refresh"}}, scopes=["read", "write"], openBrowser=False)
    tokens = {peer.request("accessToken", {"account": "a", "resource": f"{mcp_sdk}/{index}"})["accessToken"] for index in range(3)}
    assert len(tokens) == 3 and fault(peer, "accessToken", scopes=["read"]).kind == "unsupportedByProvider"
    renewed = peer.request("refresh", {"account": "a", "force": True})
    assert renewed["refreshed"] is True and renewed["grantedScopes"] == ["read", "write"]


class Entra(ScopeServer):
    """As Microsoft documents its token endpoint: one resource a request, a consent for each, and claims `scp` and `aud` in the token.

    https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow and reference-error-codes, 2026-11."""

    consented = {"https://graph.microsoft.com": ["Mail.Read", "Files.Read"], "api://reports": ["Reports.Read", "Reports.Write"]}

    def token(self, form: dict) -> Response:
        names = [name for name in form.get("scope", "Mail.Read Files.Read").split() if name not in ("openid", "offline_access", "profile", "email")]
        whole = [name if "://" in name else f"https://graph.microsoft.com/{name}" for name in names]
        resources = {name.rpartition("/")[0] for name in whole}
        if len(resources) != 1:
            return self.refusal("invalid_request", 28000, "AADSTS28000: the scopes are of more than one resource")
        resource = resources.pop()
        asked, allowed = {name.rpartition("/")[2] for name in whole}, self.consented.get(resource, [])
        if not allowed or not asked <= {*allowed, ".default"}:
            return self.refusal("invalid_grant", 65001, "AADSTS65001: the user has not consented", suberror="consent_required")
        # Entra adds what the user has consented to of that resource.
        answer = json.loads(self.answer(allowed).body)
        prefix = "" if resource == "https://graph.microsoft.com" else resource + "/"
        answer["access_token"] = unsigned(aud=resource, scp=" ".join(allowed), jti=self.secret())
        self.tokens[answer["access_token"]] = {"scopes": allowed, "audience": resource}
        return Response.of({**answer, "scope": " ".join(prefix + name for name in allowed)})

    def refusal(self, error: str, code: int, text: str, **more) -> Response:
        return Response.of({"error": error, "error_description": text, "error_codes": [code], **more}, 400)


def test_the_preset_of_entra(peer):
    with Entra() as server:
        scopes = ["https://graph.microsoft.com/Mail.Read", "https://graph.microsoft.com/Files.Read", "offline_access"]
        places = {name: server.description[name] for name in ("authorizationEndpoint", "tokenEndpoint", "apiBase")}
        authorize(peer, server.approve, **server.parameters(provider={"preset": "microsoft", **places}, scopes=scopes))
        reports = peer.request("callAPI", {"account": "a", "url": "x", "as": "json", "resource": "api://reports"})["json"]
        assert reports == {"scopes": ["Reports.Read", "Reports.Write"], "audience": "api://reports"}
        # The server adds scopes of the other resource, which the login has not. The token is taken, and shows them.
        peer.request("accessToken", {"account": "a", "scopes": ["api://reports/Reports.Read"]})
        raised = fault(peer, "accessToken", resource="api://payroll")
        assert raised.kind == "signInRequired" and raised.data["reason"] == "scopesMissing" and raised.data["scopes"] == ["api://payroll/.default"]
        raised = fault(peer, "accessToken", resource="api://reports", scopes=["Reports.Read"])
        assert raised.kind == "unsupportedByProvider" and "api://reports/Reports.Read" in raised.message
        # Of Graph, it adds those that the login has: such a token would not be narrow.
        raised = fault(peer, "accessToken", scopes=["Mail.Read"])
        assert raised.kind == "unsupportedByProvider" and "Files.Read" in raised.message
        assert peer.request("callAPI", {"account": "a", "url": "x", "as": "json"})["json"]["audience"] == "https://graph.microsoft.com"
        assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True


class Auth0(ScopeServer):
    """As Auth0 documents multi-resource refresh tokens: for an audience without a policy, the token is for the sign-in's.

    https://auth0.com/docs/secure/tokens/refresh-tokens/multi-resource-refresh-token, 2026-11."""

    audiences = ["https://api.example", "https://billing.example"]

    def token(self, form: dict) -> Response:
        audience = form.get("audience") if form.get("audience") in self.audiences else self.audiences[0]
        answer = json.loads(self.answer(form.get("scope", " ".join(SCOPES)).split()).body)
        answer["access_token"] = unsigned(aud=audience, scope=answer["scope"], jti=self.secret())
        return Response.of(answer)


def test_the_preset_of_auth0(peer):
    with Auth0() as server:
        places = {name: server.description[name] for name in ("authorizationEndpoint", "tokenEndpoint", "apiBase")}
        authorize(peer, server.approve, **server.parameters(provider={"preset": "auth0", **places, "redirectPolicy": "anyPort"}, variables={"domain": "x.example"}, scopes=SCOPES))
        peer.request("accessToken", {"account": "a", "audience": "https://billing.example"})
        raised = fault(peer, "accessToken", audience="https://unknown.example")
        assert raised.kind == "unsupportedByProvider" and "https://unknown.example" in raised.message
        assert peer.request("refresh", {"account": "a", "force": True})["grantedScopes"] == SCOPES


class Keycloak(ScopeServer):
    """As Keycloak documents its standard token exchange: of a confidential client, for an audience that is another client's ID.

    https://www.keycloak.org/securing-apps/token-exchange, 2026-11."""

    def token(self, form: dict) -> Response:
        if not form["grant_type"].endswith(":token-exchange"):
            return super().token(form)
        if form["subject_token"] not in self.tokens or form["subject_token_type"] != "urn:ietf:params:oauth:token-type:access_token":
            return Response.of({"error": "invalid_request", "error_description": "Invalid token"}, 400)
        if form.get("audience") not in (None, "billing"):
            return Response.of({"error": "invalid_client", "error_description": "Audience not found"}, 400)
        held = [scope for scope in form.get("scope", "mail files").split()]
        answer = json.loads(self.answer(held, form.get("audience")).body)
        # An exchange gives no refresh token, unless that is asked for.
        answer.pop("refresh_token", None)
        return Response.of({**answer, "issued_token_type": "urn:ietf:params:oauth:token-type:access_token"})

    rotates = False


def test_the_preset_of_keycloak(peer):
    with Keycloak() as server:
        places = {name: server.description[name] for name in ("authorizationEndpoint", "tokenEndpoint", "apiBase")}
        described = {"preset": "keycloak", **places}
        authorize(peer, server.approve, **server.parameters(provider=described, variables={"host": "x.example", "realm": "r"}, scopes=SCOPES, clientSecret="s"))
        billing = peer.request("callAPI", {"account": "a", "url": "x", "as": "json", "audience": "billing", "scopes": ["mail"]})["json"]
        assert billing == {"scopes": ["mail"], "audience": "billing"}
        assert fault(peer, "accessToken", audience="payroll").kind == "authorizationServerError"
        assert peer.request("refresh", {"account": "a", "force": True})["grantedScopes"] == SCOPES


def test_a_large_answer_for_another_token_is_bounded(peer, scoped):
    """At most 16 tokens and 64 KiB are kept: the one that ends first goes."""
    scoped.sign_in(peer, otherTokens={"audience": "refresh"})
    for index in range(20):
        peer.request("accessToken", {"account": "a", "audience": f"api{index}"})
    peer.request("accessToken", {"account": "a", "audience": "api19"})
    assert len(scoped.refreshes()) == 20
    peer.request("accessToken", {"account": "a", "audience": "api0"})
    assert len(scoped.refreshes()) == 21

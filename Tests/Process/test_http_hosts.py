"""`httpHosts`: the hosts outside this machine that http may reach, such as a server in a container that has one name for the browser and another one
for this process."""

import json
import resource

import pytest

from own_network import LOOPBACK, PRIVATE, PUBLIC, move, name
from provider import Response
from signing_in import TokenProvider, authorize
from test_doctor import findings, states
from test_doctor import shell  # noqa: F401, a fixture
from test_network_scope import Listener, Site, assert_refused, certificate  # noqa: F401, a fixture

pytestmark = pytest.mark.own_network


class Keycloak(TokenProvider):
    """A server that the browser reaches by an address. The process reaches it by a host's name."""

    def __init__(self, address: str):
        super().__init__(host="keycloak", address=address)
        self.host = f"keycloak:{self.port}"
        self.page = f"http://127.0.0.1:{self.port}/authorize"

    @property
    def description(self) -> dict:
        return {**super().description, "authorizationEndpoint": self.page}


def configured(start, home, server, hosts: list[str], **options):
    home.mkdir(exist_ok=True)
    path = home / "config.json"
    account = {"provider": server.description, "clientId": "c", "clientSecret": {"env": "S"}, "scopes": ["read"]}
    path.write_text(json.dumps({"httpHosts": hosts, "accounts": {"a": account}}))
    options["environment"] = {"S": "s3cret", **options.get("environment", {})}
    return start("--config", path, **options)


def sign_in(peer, server) -> str:
    seen = []
    authorize(peer, lambda url: (seen.append(url), server.approve(url)), account="a", openBrowser=False)
    return seen[0]


def call(peer, url: str = "me") -> dict:
    return peer.request("callAPI", {"account": "a", "url": url})


@pytest.mark.parametrize("address", [LOOPBACK, PRIVATE])
def test_one_server_with_two_names(start, home, address):
    name(keycloak=address)
    with Keycloak(address) as server:
        # No proxy runs there: the host is reached without it.
        dead = {"http_proxy": "http://127.0.0.1:1", "all_proxy": "http://127.0.0.1:1"}
        with configured(start, home, server, [server.host], environment=dead) as peer:
            assert sign_in(peer, server).startswith(server.page + "?")
            assert call(peer)["status"] == 200
            assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
        assert {request.headers["Host"] for request in server.requests} == {server.host}
        # Without the entry, the stored grant's token stays here.
        seen = len(server.requests)
        with configured(start, home, server, []) as peer:
            error = peer.answer(peer.send("callAPI", {"account": "a", "url": "me"}))["error"]
            assert "may use http" in error["message"] and "httpHosts" in error["message"], error
        assert len(server.requests) == seen


def test_an_issuer_at_such_a_host(start, home):
    """Its metadata name endpoints at the same host."""
    name(keycloak=PRIVATE)
    with Keycloak(PRIVATE) as server:
        server.instead["/.well-known/openid-configuration"] = lambda request: Response.of({
            "issuer": server.url, "authorization_endpoint": server.url + "/authorize", "token_endpoint": server.url + "/token",
            "jwks_uri": server.url + "/jwks"})
        path = home / "config.json"
        home.mkdir(exist_ok=True)
        path.write_text(json.dumps({"httpHosts": [server.host], "accounts": {"a": {"provider": server.url, "clientId": "c"}}}))
        with start("--config", path) as peer:
            assert sign_in(peer, server).startswith(server.url + "/authorize?")


@pytest.mark.parametrize("hosts", [["other:8080"], ["keycloak:1"], ["keycloak.example:{port}"]])
def test_only_that_host_and_port(start, home, hosts):
    name(keycloak=LOOPBACK)
    with Keycloak(LOOPBACK) as server:
        with configured(start, home, server, [host.format(port=server.port) for host in hosts]) as peer:
            error = peer.answer(peer.send("authorize", {"account": "a", "openBrowser": False}))["error"]
            assert error["data"]["path"] == "/accounts/a/provider/tokenEndpoint", error
        assert server.connections == 0


@pytest.mark.parametrize("entry", ["keycloak", "*:8080", "*.corp:8080", "http://keycloak:8080", "a@keycloak:8080", "keycloak:8080/x", ""])
def test_an_entry_is_a_host_with_its_port(start, home, entry):
    home.mkdir(exist_ok=True)
    path = home / "config.json"
    path.write_text(json.dumps({"httpHosts": ["keycloak:8080", entry]}))
    with start("--config", path) as peer:
        error = peer.answer(peer.send("accounts", {}))["error"]
        assert error["data"]["path"] == "/httpHosts/1" and "such as keycloak:8080" in error["message"], error


def test_a_public_address_is_never_reached(start, home):
    """The address that counts is the one of the connection: a name may move after it was looked at."""
    name(keycloak=PRIVATE)
    with Keycloak(PRIVATE) as server, Listener(PUBLIC, server.port) as public:
        with configured(start, home, server, [server.host]) as peer:
            sign_in(peer, server)
        move("keycloak", PUBLIC)
        with configured(start, home, server, [server.host]) as peer:
            for method in ("refresh", "callAPI"):
                params = {"account": "a", **({"force": True} if method == "refresh" else {"url": "me"})}
                assert_refused(lambda: peer.request(method, params), "keycloak")
        assert public.connections == 0


def test_no_redirect_from_https_leads_there(start, home, certificate):
    name(id_example=PRIVATE, keycloak=PRIVATE)
    with Site("id.example", PRIVATE, certificate) as api, Keycloak(PRIVATE) as server:
        api.answer("/stay", {"is": "here"})
        api.instead["/away"] = lambda request: Response(307, b"", {"Location": server.url + "/api/me"})
        server.instead["/api/away"] = lambda request: Response(307, b"", {"Location": server.url + "/api/me"})
        home.mkdir(exist_ok=True)
        path = home / "config.json"
        hosts = [api.url.removeprefix("https://"), server.host]
        account = {"provider": {**server.description, "apiHosts": hosts}, "clientId": "c", "scopes": ["read"]}
        path.write_text(json.dumps({"httpHosts": [server.host], "accounts": {"a": account}}))
        with start("--config", path, environment={"SSL_CERT_FILE": str(certificate.with_suffix(".crt"))}) as peer:
            sign_in(peer, server)
            assert call(peer, api.url + "/stay")["status"] == 200
            assert call(peer, "away")["status"] == 200
            before = len(server.requests)
            assert_refused(lambda: call(peer, api.url + "/away"), server.host)
            assert len(server.requests) == before


def test_no_request_names_such_a_host(start):
    name(keycloak=LOOPBACK)
    with Keycloak(LOOPBACK) as server, start() as peer:
        error = peer.answer(peer.send("authorize", {**server.parameters(), "httpHosts": [server.host]}))["error"]
        assert error["code"] == -32602 and server.connections == 0


def test_a_process_checks_as_often_as_it_likes(start, home):
    """More than 20,000 checks. The stack is too small for a check that adds to it; Tests/Endurance measures its time."""
    endpoints = ("authorizationEndpoint", "tokenEndpoint", "revocationEndpoint", "introspectionEndpoint", "userInfoEndpoint", "registrationEndpoint",
                 "deviceAuthorizationEndpoint", "endSessionEndpoint", "jwksUri")
    described = {**{name: f"http://keycloak:8080/{name}" for name in endpoints}, "apiHosts": ["keycloak:8080"]}
    path = home / "config.json"
    home.mkdir(exist_ok=True)
    path.write_text(json.dumps({"httpHosts": ["keycloak:8080"], "accounts": {"a": {"provider": described, "clientId": "c"}}}))
    small = (1 << 20, 1 << 20)
    with start("--config", path, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, small)) as peer:
        sent = [peer.send("authorize", {"account": "a", "dryRun": True}) for _ in range(1200)]
        assert {peer.result(identifier)["status"] for identifier in sent} == {"dryRun"}


def test_doctor_warns(shell):
    file = shell.home / "config.json"
    file.write_text(json.dumps({"httpHosts": ["keycloak:8080"]}))
    found = findings(shell, "--config", file, "")
    assert states(found, "configuration", "httpHosts") == {"configuration": ["ok"], "httpHosts": ["warning"]}
    assert "keycloak:8080" in found["httpHosts"][0]["message"]

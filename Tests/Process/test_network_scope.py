"""A public server names hosts with private addresses: the process sends nothing to them unless the user names the host."""

import http.server
import json
import select
import socket
import subprocess
import threading

import pytest

import browser
import id_tokens
from own_network import LOOPBACK, OTHER_PRIVATE, PRIVATE, PUBLIC, move, name
from provider import Response
from rpc import RPCFault
from signing_in import TokenProvider, authorize, redirect

pytestmark = pytest.mark.own_network

NAMES = ["id.example", "in.example", "keys.corp.example", "corp.example", "moving.example", "other.example"]


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    """A self-signed certificate for all names, with its key in the same file."""
    file = tmp_path_factory.mktemp("certificate") / "certificate.pem"
    names = ",".join(f"DNS:{host}" for host in NAMES)
    made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=test"]
    subprocess.run(
        ["openssl", *made, "-addext", f"subjectAltName={names}", "-keyout", file, "-out", file.with_suffix(".crt")],
        check=True, capture_output=True,
    )
    file.write_text(file.read_text() + file.with_suffix(".crt").read_text())
    return file


@pytest.fixture
def trusting(start, certificate):
    """Returns `trusting(**variables)`, which starts a process that trusts the test's certificate."""
    return lambda **variables: start(environment={"SSL_CERT_FILE": str(certificate.with_suffix(".crt")), **variables})


class Site(TokenProvider):
    """A host that responds as a provider and publishes what the test tells it to."""

    paths = {
        "token_endpoint": "/token", "userinfo_endpoint": "/userinfo", "jwks_uri": "/jwks", "introspection_endpoint": "/introspect",
        "revocation_endpoint": "/revoke", "device_authorization_endpoint": "/device", "registration_endpoint": "/register",
        "pushed_authorization_request_endpoint": "/par",
    }

    def __init__(self, host: str, address: str, certificate):
        super().__init__(host=host, address=address, certificate=certificate)
        device = {"device_code": "dev1ce", "user_code": "AB-12", "verification_uri": self.url + "/d", "expires_in": 900}
        self.answer("/userinfo", {"sub": "u-1"})
        self.answer("/jwks", json.loads(id_tokens.KEY_SET))
        self.answer("/introspect", {"active": True})
        self.answer("/device", device)
        self.answer("/register", {"client_id": "registered"}, 201)
        self.answer("/par", {"request_uri": "urn:x", "expires_in": 60}, 201)

    def answer(self, path: str, value, status: int = 200) -> None:
        self.instead[path] = lambda request: Response.of(value, status)

    def publish(self, **places) -> None:
        own = {"issuer": self.url, "authorization_endpoint": self.url + "/authorize", "token_endpoint": self.url + "/token"}
        self.answer("/.well-known/oauth-authorization-server", {**own, **places})

    def places(self, *members: str) -> dict:
        """Returns these members of a server's metadata, with URLs of this host."""
        return {member: self.url + self.paths[member] for member in members}

    def asked(self, path: str) -> int:
        return sum(request.path == path for request in self.requests)


def told(issuer, **more) -> dict:
    return {"account": "a", "provider": issuer.url, "clientId": "c", "scopes": ["read"], "openBrowser": False, **more}


def use(peer, method: str) -> dict:
    return peer.request(method, {"account": "a", **({"force": True} if method == "refresh" else {})})


def assert_refused(work, host: str) -> None:
    with pytest.raises(RPCFault) as fault:
        work()
    assert (fault.value.kind, fault.value.data.get("host")) == ("hostNotAllowed", host), fault.value


KEPT = {"userinfo_endpoint": "userInfo", "introspection_endpoint": "introspect", "revocation_endpoint": "revoke"}


@pytest.mark.parametrize("address", [PRIVATE, LOOPBACK])
def test_a_public_server_leads_nowhere_inside(trusting, certificate, address):
    name(id_example=PUBLIC, in_example=address)
    with Site("id.example", PUBLIC, certificate) as issuer, Site("in.example", address, certificate) as inside:
        for member, more in [
            ("token_endpoint", {}), ("jwks_uri", {"scopes": ["openid"]}), ("registration_endpoint", {"clientId": None, "wait": False}),
            ("device_authorization_endpoint", {"flow": "device", "wait": False}),
            ("pushed_authorization_request_endpoint", {"wait": False}),
        ]:
            issuer.publish(**inside.places(member), require_pushed_authorization_requests="push" in member)
            asked = {name: value for name, value in told(issuer, **more).items() if value is not None}
            with trusting() as peer:
                if "wait" in more:
                    assert_refused(lambda: peer.request("authorize", asked), "in.example")
                else:
                    assert_refused(lambda: authorize(peer, issuer.approve, **asked), "in.example")
        issuer.publish(**inside.places(*KEPT))
        with trusting() as peer:
            authorize(peer, issuer.approve, **told(issuer))
            for method in KEPT.values():
                assert_refused(lambda: use(peer, method), "in.example")
        # After a restart only the stored grant is left.
        with trusting() as peer:
            for method in KEPT.values():
                assert_refused(lambda: use(peer, method), "in.example")
        assert inside.connections == 0
        # The finished sign-in's token is used, refreshed and introspected as usual.
        assert issuer.asked("/token") == 1


def test_a_name_that_moves_inside_after_the_sign_in_is_not_followed(trusting, certificate):
    name(id_example=PUBLIC, moving_example=PUBLIC)
    with Site("id.example", PUBLIC, certificate) as issuer, Site("moving.example", PUBLIC, certificate) as outside:
        issuer.publish(**outside.places("token_endpoint", "userinfo_endpoint"))
        with trusting() as peer:
            authorize(peer, outside.approve, **told(issuer))
            assert use(peer, "refresh")["refreshed"] is True and use(peer, "userInfo")["subject"] == "u-1"
        with Listener(PRIVATE, outside.port) as inside:
            move("moving.example", PRIVATE)
            with trusting() as peer:
                for method in ("refresh", "userInfo"):
                    assert_refused(lambda: use(peer, method), "moving.example")
            assert inside.connections == 0
            # The stored grant is still usable.
            move("moving.example", PUBLIC)
            with trusting() as peer:
                assert use(peer, "refresh")["refreshed"] is True


def test_keys_are_not_fetched_inside_after_a_restart(trusting, certificate):
    name(id_example=PUBLIC, moving_example=PUBLIC)
    with Site("id.example", PUBLIC, certificate) as issuer, Site("moving.example", PUBLIC, certificate) as outside:
        issuer.publish(**outside.places("jwks_uri"))
        asked = {}

        def issue(request) -> Response:
            claims = {"nonce": asked["nonce"]} if b"authorization_code" in request.body else {}
            return Response.of({**json.loads(issuer.issue().body), "id_token": id_tokens.sign(claims, issuer.url)})

        def approve(url: str) -> None:
            asked.update(browser.query(url))
            browser.deliver(redirect(url, code="c"))

        issuer.instead["/token"] = issue
        with trusting() as peer:
            assert authorize(peer, approve, **told(issuer, scopes=["openid"]))["via"] == "signedIn"
        assert outside.asked("/jwks") == 1
        with Listener(PRIVATE, outside.port) as inside:
            move("moving.example", PRIVATE)
            with trusting() as peer:
                # The new access token is usable without the keys.
                assert use(peer, "refresh")["refreshed"] is True
                assert peer.event("errorOccuredWithShortDescription")["kind"] == "hostNotAllowed"
                assert inside.connections == 0


class Listener:
    """Counts connections and never responds."""

    def __init__(self, address: str, port: int):
        self.socket = socket.create_server((address, port))
        self.connections = 0
        threading.Thread(target=self.count, daemon=True).start()

    def count(self) -> None:
        while True:
            try:
                self.socket.accept()[0].close()
            except OSError:
                return
            self.connections += 1

    def __enter__(self) -> "Listener":
        return self

    def __exit__(self, *arguments) -> None:
        self.socket.close()


class Proxy(http.server.ThreadingHTTPServer):
    """Tunnels to any host and records the hosts."""

    daemon_threads = True

    def __init__(self):
        self.hosts: list[str] = []
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_CONNECT(self) -> None:
                host, port = self.path.split(":")
                proxy.hosts.append(host)
                with socket.create_connection((host, int(port))) as there:
                    self.send_response_only(200)
                    self.end_headers()
                    ends = {self.connection: there, there: self.connection}
                    while True:
                        for end in select.select(list(ends), [], [])[0]:
                            if not (data := end.recv(1 << 16)):
                                return
                            ends[end].sendall(data)

            def log_message(self, *arguments) -> None:
                pass

        super().__init__((LOOPBACK, 0), Handler)
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def variables(self) -> dict:
        return {"https_proxy": f"http://{LOOPBACK}:{self.server_address[1]}"}


@pytest.mark.parametrize("excepted", ["in.example", ".example", "other.example, in.example"])
def test_an_exception_from_the_proxy_is_looked_at_as_without_one(trusting, certificate, excepted):
    name(id_example=PUBLIC, in_example=PRIVATE)
    with Site("id.example", PUBLIC, certificate) as issuer, Site("in.example", PRIVATE, certificate) as inside, Proxy() as proxy:
        issuer.publish(**inside.places("userinfo_endpoint"))
        variables = {**proxy.variables, "no_proxy": excepted}
        with trusting(**variables) as peer:
            authorize(peer, issuer.approve, **told(issuer))
            assert_refused(lambda: use(peer, "userInfo"), "in.example")
        with trusting(**variables) as peer:
            assert_refused(lambda: use(peer, "userInfo"), "in.example")
        assert inside.connections == 0 and "in.example" not in proxy.hosts
        assert ("id.example" in proxy.hosts) == (excepted != ".example")
        # The proxy resolves names itself and chooses where it connects to.
        with trusting(**proxy.variables) as peer:
            assert use(peer, "userInfo")["subject"] == "u-1" and proxy.hosts[-1] == "in.example"


@pytest.mark.parametrize("by", ["the configuration", "the request"])
def test_a_host_that_the_user_names_may_be_anywhere(trusting, certificate, home, by):
    name(id_example=PUBLIC, in_example=PRIVATE)
    with Site("id.example", PUBLIC, certificate) as issuer, Site("in.example", PRIVATE, certificate) as inside:
        issuer.publish(**inside.places("userinfo_endpoint", "introspection_endpoint"))
        # This is the URL that the server names. A host is allowed for all of its URLs.
        provider = {"discovery": issuer.url, "userInfoEndpoint": inside.url + "/userinfo"}
        asked = told(issuer, provider=provider)
        if by == "the configuration":
            folder = home / "config" / "oauth-stdio"
            folder.mkdir(parents=True)
            (folder / "config.json").write_text(json.dumps({"accounts": {"a": {"provider": asked.pop("provider"), "clientId": "c"}}}))
        with trusting() as peer:
            authorize(peer, issuer.approve, **asked)
            assert use(peer, "userInfo")["subject"] == "u-1"
        with trusting() as peer:
            assert use(peer, "userInfo")["subject"] == "u-1" and use(peer, "introspect")["active"] is True


def test_a_host_may_be_named_once_it_was_refused(trusting, certificate):
    """The stored grant is still used, without another sign-in."""
    name(id_example=PUBLIC, in_example=PRIVATE)
    with Site("id.example", PUBLIC, certificate) as issuer, Site("in.example", PRIVATE, certificate) as inside:
        issuer.publish(**inside.places("userinfo_endpoint"))
        with trusting() as peer:
            authorize(peer, issuer.approve, **told(issuer))
            assert_refused(lambda: use(peer, "userInfo"), "in.example")
        provider = {"discovery": issuer.url, "userInfoEndpoint": inside.url + "/userinfo"}
        with trusting() as peer:
            assert peer.request("authorize", told(issuer, provider=provider))["via"] == "stored"
            assert use(peer, "userInfo")["subject"] == "u-1"
        with trusting() as peer:
            assert peer.request("authorize", told(issuer))["via"] == "stored"
            assert use(peer, "userInfo")["subject"] == "u-1"


def test_a_companys_own_server_names_hosts_of_its_network(trusting, certificate):
    """It may name hosts of its network, but none on this machine."""
    name(corp_example=PRIVATE, keys_corp_example=OTHER_PRIVATE, in_example=LOOPBACK)
    with (
        Site("corp.example", PRIVATE, certificate) as issuer, Site("keys.corp.example", OTHER_PRIVATE, certificate) as other,
        Site("in.example", LOOPBACK, certificate) as inside,
    ):
        issuer.publish(**other.places("token_endpoint", "userinfo_endpoint"), **inside.places("introspection_endpoint"))
        with trusting() as peer:
            authorize(peer, other.approve, **told(issuer))
            assert use(peer, "userInfo")["subject"] == "u-1"
            assert_refused(lambda: use(peer, "introspect"), "in.example")
        with trusting() as peer:
            assert use(peer, "refresh")["refreshed"] is True and use(peer, "userInfo")["subject"] == "u-1"
            assert_refused(lambda: use(peer, "introspect"), "in.example")
        assert inside.connections == 0


@pytest.mark.parametrize("address", [PRIVATE, LOOPBACK])
def test_a_redirect_leads_nowhere_inside(trusting, certificate, address):
    name(id_example=PUBLIC, in_example=address, other_example=PUBLIC)
    with (
        Site("id.example", PUBLIC, certificate) as service, Site("in.example", address, certificate) as inside,
        Site("other.example", PUBLIC, certificate) as other,
    ):
        for site in (inside, other):
            site.answer("/file", {"is": "here"})
            service.instead["/api/" + site.server.server_address[0]] = lambda request, to=site.url: Response(302, b"", {"Location": to + "/file"})
        with trusting() as peer:
            authorize(peer, service.approve, **service.parameters())
            call = {"account": "a", "url": PUBLIC}
            assert peer.request("callAPI", call)["status"] == 200 and other.asked("/file") == 1
            assert_refused(lambda: peer.request("callAPI", {**call, "url": address}), inside.url.removeprefix("https://"))
            assert inside.connections == 0
            # A description that names the host allows it.
            hosts = [url.removeprefix("https://") for url in (service.url, inside.url)]
            described = {**service.description, "apiHosts": hosts}
            authorize(peer, service.approve, **service.parameters(account="b", provider=described))
            assert peer.request("callAPI", {"account": "b", "url": address})["status"] == 200


def test_a_resource_names_no_server_inside(trusting, certificate):
    name(id_example=PUBLIC, in_example=PRIVATE)
    with Site("id.example", PUBLIC, certificate) as resource, Site("in.example", PRIVATE, certificate) as inside:
        inside.publish()
        described = {"resource": resource.url + "/mcp", "authorization_servers": [inside.url]}
        resource.answer("/.well-known/oauth-protected-resource/mcp", described)
        with trusting() as peer:
            assert_refused(lambda: peer.request("provider", {"provider": resource.url + "/mcp"}), "in.example")
        assert inside.connections == 0

"""Clients that authenticate by a certificate (RFC 8705), against servers that demand one."""

import base64
import json
import platform
import ssl
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes

import browser
from certificates import Authority
from provider import Response
from rpc import BINARY, RPCFault
from signing_in import TokenProvider, authorize


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def secure(authority):
    """A provider that lets only clients of the authority in."""
    with Secure(authority) as running:
        yield running


class Secure(TokenProvider):
    def __init__(self, authority, **options):
        super().__init__(host="localhost", certificate=authority.server(), clients=authority.file, **options)
        self.instead["/device"] = lambda request: Response.of(
            {"device_code": self.secret(), "user_code": "ABCD", "verification_uri": self.url + "/page", "expires_in": 60, "interval": 1}
        )
        self.instead["/par"] = lambda request: Response.of({"request_uri": "urn:example:1", "expires_in": 60}, 201)
        self.instead["/introspect"] = lambda request: Response.of({"active": True})
        self.instead["/userinfo"] = lambda request: Response.of({"sub": "1"})

    def issue(self) -> Response:
        """Lets the tokens of all accounts live."""
        living = self.living
        response = super().issue()
        self.living |= living
        return response

    @property
    def account(self) -> dict:
        return {"provider": {**self.description, "clientAuthentication": "tlsClientAuth"}, "clientId": "c", "flow": "clientCredentials"}

    def approve(self, page: str) -> None:
        """Approves a request that was pushed."""
        pushed = [request.body.decode() for request in self.requests if request.path == "/par"][-1]
        super().approve(page.split("?")[0] + "?" + pushed)

    def seen(self, path: str) -> list:
        return [request.certificate for request in self.requests if request.path == path]


@pytest.fixture
def begin(start, authority):
    return lambda *arguments: start(*arguments, environment={"SSL_CERT_FILE": str(authority.file)})


@pytest.fixture
def configure(home):
    def write(**accounts) -> None:
        folder = home / "config" / "oauth-stdio"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").write_text(json.dumps({"accounts": accounts}))
        (folder / "config.json").chmod(0o600)

    return write


def fault(peer, method: str, **params) -> RPCFault:
    with pytest.raises(RPCFault) as caught:
        peer.request(method, params)
    return caught.value


ALIASES = {
    "token_endpoint": "/token", "revocation_endpoint": "/revoke", "introspection_endpoint": "/introspect", "userinfo_endpoint": "/userinfo",
    "device_authorization_endpoint": "/device", "pushed_authorization_request_endpoint": "/par",
}  # fmt: skip


@pytest.fixture
def published(provider, secure):
    """The metadata of a server whose aliases are at the secure one."""
    document = {"issuer": provider.url, "authorization_endpoint": provider.url + "/authorize", "require_pushed_authorization_requests": True}
    document |= {name: provider.url + path for name, path in ALIASES.items()}
    document["mtls_endpoint_aliases"] = {name: secure.url + path for name, path in ALIASES.items()}
    document["token_endpoint_auth_methods_supported"] = ["tls_client_auth"]
    provider.instead["/.well-known/oauth-authorization-server"] = lambda request: Response.of(document)
    return {"discovery": provider.url, "apiBase": secure.url + "/api/"}


def test_a_client_with_a_certificate_uses_the_aliases(begin, provider, secure, published, authority):
    peer = begin("--log-level", "debug")
    alice = authority.client("alice")
    params = {"account": "a", "provider": published, "clientId": "c", "clientCertificate": alice.params, "openBrowser": False}
    shown = peer.request("authorize", {**params, "dryRun": True})["dryRun"]["requests"]
    assert [(step["step"], step["url"]) for step in shown[:2]] == [("pushedAuthorization", secure.url + "/par"), ("token", secure.url + "/token")]
    authorize(peer, secure.approve, **params)
    peer.request("userInfo", {"account": "a"})
    peer.request("introspect", {"account": "a"})
    assert peer.request("callAPI", {"account": "a", "url": "me"})["status"] == 200
    assert peer.request("revoke", {"account": "a"})["revoked"]
    peer.request("authorize", {**params, "flow": "device"})
    paths = [request.path for request in secure.requests]
    assert {*ALIASES.values(), "/api/me"} <= set(paths)
    assert {request.certificate for request in secure.requests} == {"alice"}
    assert all(request.path.startswith("/.well-known/") for request in provider.requests)
    forms = [browser.query("?" + request.body.decode()) for request in secure.requests if request.body]
    assert all(form["client_id"] == "c" and "client_secret" not in form for form in forms)
    assert not any("Authorization" in request.headers for request in secure.requests if request.body)
    assert peer.finish() == 0
    assert alice.key.split("\n")[1].encode() not in peer.stderr + bytes(peer.stdout)


def test_without_a_certificate_the_aliases_stay_unused(begin, provider, secure, published):
    peer = begin()
    published |= {"clientAuthentication": "none", "pushedAuthorizationRequests": "off"}
    authorize(peer, provider.approve, account="a", provider=published, clientId="c", openBrowser=False)
    assert "/token" in [request.path for request in provider.requests] and not secure.requests
    said = fault(peer, "callAPI", account="a", url="me")
    assert said.kind == "networkFailure" and said.data["cause"] == "clientCertificate" and not said.data.get("retryable")
    assert "localhost demands a client certificate: name one that it accepts as clientCertificate" in said.message


def test_a_server_of_tls_1_2_that_demands_a_certificate(begin, authority):
    """Its alert says only that the handshake failed."""
    with Secure(authority, version=ssl.TLSVersion.TLSv1_2) as old:
        said = fault(begin(), "authorize", account="a", provider=old.description, clientId="c", clientSecret="s", flow="clientCredentials")
    assert said.data["cause"] == "tls" and "shares no encryption with this machine, or demands a clientCertificate" in said.message


@pytest.mark.parametrize("other", ["http://example.com/token", "ftp://localhost/token", None])
def test_the_aliases_do_not_matter_without_a_certificate(begin, configure, provider, published, other):
    """Their servers may be others, and may change, and an alias may be wrong."""
    document = json.loads(provider.instead["/.well-known/oauth-authorization-server"](None).body)
    document["token_endpoint_auth_methods_supported"] = ["client_secret_basic"]
    document["require_pushed_authorization_requests"] = False
    provider.instead["/.well-known/oauth-authorization-server"] = lambda request: Response.of(document)
    configure(a={"provider": {**published, "apiBase": provider.url + "/api/"}, "clientId": "c", "clientSecret": "s"})
    authorize(begin(), provider.approve, account="a", openBrowser=False)
    document["mtls_endpoint_aliases"] = {"token_endpoint": other} if other else {}
    peer = begin()
    authorize(peer, provider.approve, account="a", openBrowser=False, interaction="always")
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"]
    document["mtls_endpoint_aliases"] = {"token_endpoint": "https://example.com/token"}
    peer = begin()
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"]
    authorize(peer, provider.approve, account="a", openBrowser=False, interaction="always")


def test_an_alias_does_not_stand_for_an_endpoint_that_the_description_names(begin, secure, published, authority):
    with Secure(authority) as own:
        described = {**published, "tokenEndpoint": own.url + "/token"}
        alice = authority.client("alice")
        begin().request("authorize", {"account": "a", "provider": described, "clientId": "c", "flow": "clientCredentials", "clientCertificate": alice.params})
        assert own.seen("/token") == ["alice"] and not secure.requests


def test_the_certificate_of_a_request_is_kept_with_the_login(begin, home, secure, authority):
    account = {"account": "a", **secure.account}
    begin().request("authorize", {**account, "clientCertificate": authority.client("alice").params})
    (file,) = [file for file in (home / "store").iterdir() if file.read_bytes().startswith(b"oauth-stdio grant")]
    assert file.read_bytes().startswith(b"oauth-stdio grant 1 ")
    peer = begin()
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"]
    assert peer.request("callAPI", {"account": "a", "url": "me"})["status"] == 200
    assert peer.request("authorize", account)["account"] == "a"
    assert {request.certificate for request in secure.requests} == {"alice"} and len(secure.seen("/token")) == 2


def test_clients_do_not_share_a_connection(begin, provider, secure, authority):
    peer = begin()
    alice, bob = authority.client("alice"), authority.client("bob")
    for name, identity in (("a", alice), ("b", bob)):
        peer.request("authorize", {"account": name, **secure.account, "clientCertificate": identity.params})
    for _ in range(2):
        for name in ("a", "b"):
            assert peer.request("callAPI", {"account": name, "url": name})["status"] == 200
    assert secure.seen("/api/a") == ["alice"] * 2 and secure.seen("/api/b") == ["bob"] * 2
    ports = [request.port for request in secure.requests if request.path.startswith("/api")]
    assert ports[:2] == ports[2:]
    # A certificate is public. Without its key, it must not open the connection that its owner has left.
    thief = {"certificate": alice.certificate, "key": bob.key}
    description = {"tokenEndpoint": provider.url + "/token", "apiBase": secure.url + "/api/", "clientAuthentication": "none"}
    peer.request("authorize", {"account": "c", **secure.account, "provider": description, "clientCertificate": thief})
    said = fault(peer, "callAPI", account="c", url="c")
    assert said.kind == "configurationInvalid" and said.data["path"] == "/clientCertificate"
    assert "the key is damaged, or not that of the certificate" in said.message
    assert secure.seen("/api/c") == []


def test_a_redirect_to_a_foreign_host_gets_no_certificate(begin, secure, authority):
    peer = begin()
    peer.request("authorize", {"account": "a", **secure.account, "clientCertificate": authority.client("alice").params})
    with Secure(authority, is_optional=True) as foreign:
        foreign.instead["/api/there"] = lambda request: Response(302, headers={"Location": secure.url + "/api/back"})
        secure.instead["/api/go"] = lambda request: Response(302, headers={"Location": foreign.url + "/api/there"})
        said = fault(peer, "callAPI", account="a", url="go")
        assert foreign.seen("/api/there") == [None] and "Authorization" not in foreign.requests[0].headers
        # The way back is one without the certificate, too.
        assert said.data["cause"] == "clientCertificate" and not secure.seen("/api/back")


@pytest.mark.parametrize("form", ["text", "files", "one file", "encrypted", "variable", "command", "pkcs12"])
def test_the_configuration_has_the_certificate(start, home, configure, secure, authority, tmp_path, form):
    alice = authority.client("alice")
    parts = {"alice.pem": alice.certificate, "alice.key": alice.key, "both.pem": alice.combined, "locked.key": alice.locked("open sesame")}
    for name, text in parts.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o600)
    (tmp_path / "alice.p12").write_bytes(alice.pkcs12("open sesame"))
    (tmp_path / "alice.p12").chmod(0o600)
    certificate, key = {"file": f"{tmp_path}/alice.pem"}, {"file": f"{tmp_path}/alice.key"}
    written = {
        "text": alice.params,
        "files": {"certificate": certificate, "key": key},
        "one file": {"certificate": {"file": f"{tmp_path}/both.pem"}},
        "encrypted": {"certificate": certificate, "key": {"file": f"{tmp_path}/locked.key"}, "password": "open sesame"},
        "variable": {"certificate": {"env": "CERTIFICATE"}, "key": {"env": "KEY"}},
        "command": {"certificate": {"command": ["cat", f"{tmp_path}/both.pem"]}},
        "pkcs12": {"pkcs12": {"file": f"{tmp_path}/alice.p12"}, "password": {"command": ["echo", "open sesame"]}},
    }[form]
    configure(a={**secure.account, "clientCertificate": written})
    environment = {"SSL_CERT_FILE": str(authority.file), "CERTIFICATE": alice.certificate, "KEY": alice.key}
    with start(environment=environment) as peer:
        assert peer.request("callAPI", {"account": "a", "url": "me"})["status"] == 200
    assert {request.certificate for request in secure.requests} == {"alice"}
    # The configuration decides at each use, and the login has no copy.
    configure(a=secure.account)
    with start(environment=environment) as peer:
        said = fault(peer, "callAPI", account="a", url="me")
        assert said.kind == "configurationInvalid" and said.data["path"] == "/accounts/a/clientCertificate"
    configure(a={**secure.account, "clientCertificate": authority.client("bob").params})
    with start(environment=environment) as peer:
        assert peer.request("callAPI", {"account": "a", "url": "me"})["status"] == 200
    assert secure.seen("/api/me") == ["alice", "bob"] and secure.seen("/token") == ["alice"]


def test_an_entry_for_another_api_shows_the_certificate_of_the_login(begin, configure, secure, authority):
    with Secure(authority) as other:
        other.instead["/api/me"] = lambda request: Response.of({})
        entry = {"login": "a", "scopes": ["read"], "apiBase": other.url + "/api/"}
        configure(a={**secure.account, "clientCertificate": authority.client("alice").params}, other=entry)
        assert begin().request("callAPI", {"account": "other", "url": "me"})["status"] == 200
        assert other.seen("/api/me") == ["alice"] and secure.seen("/api/me") == []


def test_a_command_takes_a_file_with_both(work, secure, authority, tmp_path):
    (tmp_path / "both.pem").write_text("Bag Attributes\n" + authority.client("alice").combined)
    params = {"account": "a", **secure.account, "provider": json.dumps(secure.account["provider"]), "clientCertificate": f"@{tmp_path}/both.pem"}
    work("authorize", params, environment={"SSL_CERT_FILE": str(authority.file)}).result()
    assert secure.seen("/token") == ["alice"]


@pytest.mark.parametrize("first", ["other", "damaged"])
def test_commands_are_asked_again_for_what_cannot_be_used(begin, configure, secure, authority, tmp_path, first):
    """A certificate may be replaced between the two commands."""
    alice = authority.client("alice")
    (tmp_path / "key").write_text(alice.key)
    (tmp_path / "certificate").write_text(authority.client("bob").certificate if first == "other" else "x")
    configure(a={**secure.account, "clientCertificate": {name: {"command": ["cat", str(tmp_path / name)]} for name in ("certificate", "key")}})
    peer = begin()
    assert fault(peer, "callAPI", account="a", url="me").kind == "configurationInvalid"
    (tmp_path / "certificate").write_text(alice.certificate)
    assert peer.request("callAPI", {"account": "a", "url": "me"})["status"] == 200 and secure.seen("/api/me") == ["alice"]


def test_the_provider_of_an_import_does_not_get_the_configured_certificate(begin, configure, secure, authority):
    configure(a={**secure.account, "clientCertificate": authority.client("alice").params})
    with Secure(authority, is_optional=True) as mine:
        evil = {**secure.account["provider"], "mtlsEndpoints": {"tokenEndpoint": mine.url + "/token"}}
        for provider in (evil, {**secure.account["provider"], "apiBase": mine.url + "/api/"}):
            said = fault(begin(), "importGrant", account="a", format="json", data={"access_token": "at"}, provider=provider)
            assert said.data["path"] == "/provider", said
        # A grant that was there before the account was configured.
        configure()
        peer = begin()
        grant = {"account": "a", "format": "json", "data": {"access_token": "at", "refresh_token": "rt", "expires_in": 1}, "clientId": "c"}
        peer.request("importGrant", {**grant, "provider": evil})
        configure(a={**secure.account, "flow": "auto", "clientCertificate": authority.client("alice").params})
        said = fault(peer, "refresh", account="a", force=True)
        assert "stays here" in said.message and said.data["path"] == "/accounts/a/clientCertificate"
        configure()
        elsewhere = {**secure.account["provider"], "apiBase": mine.url + "/api/"}
        peer.request("importGrant", {**grant, "provider": elsewhere, "replace": True})
        configure(a={**secure.account, "flow": "auto", "clientCertificate": authority.client("alice").params})
        said = fault(peer, "callAPI", account="a", url="me")
        assert "stays here" in said.message and secure.seen("/token") == ["alice"]
        assert not any(request.certificate for request in mine.requests) and not mine.seen("/token")


def test_the_certificate_of_the_key_that_signs_is_named(begin, secure, authority):
    """As Microsoft wants it."""
    peer = begin()
    alice = authority.client("alice")
    description = {**secure.description, "clientAuthentication": "privateKeyJwt", "issuer": secure.url}
    for more in ({}, {"privateKey": alice.key}, {"privateKey": authority.client("other").key}):
        account = {"account": "a", **secure.account, "provider": description, "clientCertificate": alice.params, "interaction": "always", **more}
        peer.request("authorize", account)
    forms = [browser.query("?" + request.body.decode()) for request in secure.requests]
    headers = [json.loads(base64.urlsafe_b64decode(form["client_assertion"].split(".")[0] + "==")) for form in forms]
    digest = base64.urlsafe_b64encode(alice.of.fingerprint(hashes.SHA256())).decode().rstrip("=")
    assert [header.get("x5t#S256") for header in headers] == [digest, digest, None]


@pytest.mark.parametrize("form", ["PKCS#12 without a password", "PKCS#12 in lines of base64", "the key first", "line ends as text", "carriage returns"])
def test_a_certificate_as_platforms_hand_it_over(start, configure, secure, authority, tmp_path, form):
    alice = authority.client("alice")
    (tmp_path / "file").write_text(alice.key + alice.certificate + authority.file.read_text())
    parts = {"certificate": {"file": str(tmp_path / "file")}}
    variables = {"C": alice.certificate.replace("\n", "\\n"), "K": alice.key.replace("\n", "\\n")}
    match form:
        case "PKCS#12 without a password":
            (tmp_path / "file").write_bytes(alice.pkcs12(""))
            parts = {"pkcs12": {"file": str(tmp_path / "file")}}
        case "PKCS#12 in lines of base64":
            variables["P"] = base64.encodebytes(alice.pkcs12("x")).decode()
            parts = {"pkcs12": {"env": "P"}, "password": "x"}
        case "line ends as text": parts = {"certificate": {"env": "C"}, "key": {"env": "K"}}
        case "carriage returns": parts = {name: text.replace("\n", "\r\n") for name, text in alice.params.items()}
    configure(a={**secure.account, "clientCertificate": parts})
    start(environment={"SSL_CERT_FILE": str(authority.file), **variables}).request("authorize", {"account": "a"})
    assert secure.seen("/token") == ["alice"]


def test_another_certificate_replaces_the_stored_one(begin, secure, authority):
    with begin() as peer:
        for name in ("alice", "bob"):
            peer.request("authorize", {"account": "a", **secure.account, "clientCertificate": authority.client(name).params})
    with begin() as peer:
        peer.request("refresh", {"account": "a", "force": True})
    assert secure.seen("/token") == ["alice", "bob"]


def test_a_token_that_is_bound_to_the_certificate_follows_it(start, configure, secure, authority, tmp_path):
    """The file is replaced before the certificate ends, and the API takes the token with the old one alone."""
    bound: dict = {}

    def token(request) -> Response:
        response = secure.issue()
        bound[json.loads(response.body)["access_token"]] = request.certificate
        return response

    def check(request) -> Response | None:
        is_own = bound.get(request.headers["Authorization"].removeprefix("Bearer ")) == request.certificate
        return None if is_own else Response.of({}, 401, **{"WWW-Authenticate": 'Bearer error="invalid_token"'})

    secure.instead |= {"/token": token, "/api/x": check}
    file = tmp_path / "client.pem"
    configure(a={**secure.account, "clientCertificate": {"certificate": {"file": str(file)}}})
    peer = start(environment={"SSL_CERT_FILE": str(authority.file)})
    for name in ("old", "new"):
        file.write_text(authority.client(name).combined)
        assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    assert secure.seen("/token") == ["old", "new"] and secure.seen("/api/x") == ["old", "new", "new"]


def problems(authority, folder) -> dict:
    alice, old = authority.client("alice"), authority.client("old", days=-1)
    stranger = Authority(folder, "stranger").client("mallory")
    (folder / "alice.p12").write_bytes(alice.pkcs12("right"))
    return {
        "no PEM": ({"certificate": "MII", "key": alice.key}, "/certificate, must be a certificate in PEM"),
        "no key": ({"certificate": alice.certificate}, "/key, must be the certificate's private key in PEM"),
        "damaged": ({**alice.params, "certificate": alice.certificate.replace("M", "N")}, "the certificate cannot be read"),
        "locked": ({**alice.params, "key": alice.locked("right")}, "the key cannot be read: it is encrypted, and the password"),
        "wrong password": ({**alice.params, "key": alice.locked("right"), "password": "wrong"}, "the password is missing or wrong"),
        "wrong PKCS#12 password": ({"pkcs12": {"file": f"{folder}/alice.p12"}, "password": "wrong"}, "the PKCS#12 data cannot be opened"),
        "expired": (old.params, "localhost says that the client certificate has expired: name one"),
        "unknown": (stranger.params, "localhost does not know the authority that issued the client certificate: name one"),
        "missing": (None, "the client authenticates by its certificate, which is missing: name it as clientCertificate"),
    }


@pytest.mark.parametrize(
    "kind", ["no PEM", "no key", "damaged", "locked", "wrong password", "wrong PKCS#12 password", "expired", "unknown", "missing"]
)
def test_a_certificate_that_cannot_be_used_is_named(begin, configure, secure, authority, tmp_path, kind):
    written, said = problems(authority, tmp_path)[kind]
    configure(a={**secure.account, **({"clientCertificate": written} if written else {})})
    peer = begin("--log-level", "debug")
    found = fault(peer, "authorize", account="a")
    assert said in found.message, found
    if kind in ("expired", "unknown"):
        assert found.kind == "networkFailure" and found.data["cause"] == "clientCertificate"
    elif kind != "missing":
        assert found.kind == "configurationInvalid" and found.data["path"].endswith("/clientCertificate") or "clientCertificate/" in found.message
    assert not secure.requests and peer.finish() == 0
    for key in (written or {}).get("key", "").split("\n"):
        assert len(key) < 20 or key.encode() not in peer.stderr + bytes(peer.stdout)


GNUTLS = Path(f"/usr/lib/{platform.machine()}-linux-gnu/libcurl-gnutls.so.4")


@pytest.mark.skipif(not GNUTLS.exists(), reason="needs libcurl with GnuTLS")
def test_a_libcurl_that_takes_no_certificate_is_named(start, secure, authority, tmp_path):
    (tmp_path / "libcurl.so.4").symlink_to(GNUTLS)
    peer = start(environment={"LD_LIBRARY_PATH": str(tmp_path), "SSL_CERT_FILE": str(authority.file)})
    said = fault(peer, "authorize", account="a", **secure.account, clientCertificate=authority.client("alice").params)
    assert "takes none from memory: install libcurl 7.71 or newer with OpenSSL" in said.message and not secure.requests


def test_the_bridge_shows_the_certificate(start, configure, home, secure, authority):
    def answer(request) -> Response:
        message = json.loads(request.body or b"{}")
        results = {
            "initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}},
            "tools/list": {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]},
        }
        if "id" not in message:
            return Response(202)
        if message["method"] not in results:
            return Response.of({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "no"}})
        return Response.of({"jsonrpc": "2.0", "id": message["id"], "result": results[message["method"]]})

    secure.instead["/api/mcp"] = answer
    configure(a={**secure.account, "clientCertificate": authority.client("alice").params})
    environment = start(environment={"SSL_CERT_FILE": str(authority.file)}).environment({"SSL_CERT_FILE": str(authority.file)})
    command = [BINARY, "mcp", secure.url + "/api/mcp", "--account", "a", "--list"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
    assert done.stdout == "echo  \n", done.stderr
    assert set(secure.seen("/api/mcp")) == {"alice"}

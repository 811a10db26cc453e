"""Fixtures: the program under test, the demo provider, and the real servers, each on a free port with its state in a temporary folder."""

import dataclasses
import json
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from certificates import Authority
from oauth1_server import OAuth1Server
from own_network import pytest_pyfunc_call  # noqa: F401, a hook of pytest's
from ports import ports_for_now, reserve_port
from rpc import ROOT, Peer
from signing_in import TokenProvider
from strict_server import StrictServer
from work import Work

SERVERS = ROOT / "Tests" / "Servers"
DEMO = os.environ.get("DEMO_PROVIDER") or str(ROOT / "examples" / "demo-provider")


# nohup and some runners ignore these signals for their children. A shell cannot trap a signal that was ignored at its start.
for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)


@dataclass
class Server:
    """A running provider, with its description as params of `authorize`."""

    url: str
    provider: dict
    scopes: list[str]
    # The path of the API that names the user, relative to the provider's apiBase, and the member with the name.
    api: str
    api_member: str
    # A pinned redirect URI, for a provider that compares the whole URI.
    redirect_uri: str | None = None
    client_id: str = "native"
    # A client for the client credentials flow, its secret and its scopes.
    service: tuple[str, str, list[str]] | None = None
    # The folder with the keys of its clients.
    state: Path | None = None
    # The authority whose certificates it accepts.
    authority: Authority | None = None

    def parameters(self, **more) -> dict:
        parameters = {"provider": self.provider, "clientId": self.client_id, "scopes": self.scopes, "openBrowser": False, **more}
        if self.redirect_uri:
            parameters.setdefault("redirectUri", self.redirect_uri)
        return parameters


@pytest.fixture(autouse=True)
def ports():
    """Releases the ports that a test has reserved. Servers of the whole session keep theirs."""
    with ports_for_now():
        yield


def wait_for_port(port: int, process: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            if process.poll() is not None:
                break
            time.sleep(0.05)
    raise RuntimeError(f"{process.args} does not listen:\n{log.read_text()}")


def run_server(command: list[str], port: int, folder: Path, environment: dict | None = None):
    """Starts a server and waits for its port. The generator stops it at the end."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env={**os.environ, **(environment or {})}
        )
        try:
            wait_for_port(port, process, log)
            yield process
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def run_dot(folder: Path, **environment):
    port = reserve_port()
    command = [sys.executable, str(SERVERS / "dot" / "server.py"), str(port), str(folder / "state")]
    url = f"http://127.0.0.1:{port}"
    for _ in run_server(command, port, folder, environment):
        provider = {
            "issuer": f"{url}/o",
            "authorizationEndpoint": f"{url}/o/authorize/",
            "tokenEndpoint": f"{url}/o/token/",
            "revocationEndpoint": f"{url}/o/revoke_token/",
            "apiBase": f"{url}/api/",
        }
        yield Server(url, provider, ["read"], "me", "user", service=("svc", "s3cret-svc", ["read"]))


@pytest.fixture(scope="session")
def dot(tmp_path_factory):
    """django-oauth-toolkit with rotation. A refresh token that is used twice revokes the whole family."""
    yield from run_dot(tmp_path_factory.mktemp("dot"), DOT_REUSE="1", DOT_ROTATE="1")


@pytest.fixture(scope="session")
def short_lived_dot(tmp_path_factory):
    """The same, with access tokens that expire after two seconds."""
    yield from run_dot(tmp_path_factory.mktemp("short-lived-dot"), DOT_ACCESS_TOKEN_LIFETIME="2")


def run_glewlwyd(folder: Path, scheme: str = "http", **environment):
    port, redirect_port = reserve_port(), reserve_port()
    url = f"{scheme}://127.0.0.1:{port}"
    redirect_uri = f"http://127.0.0.1:{redirect_port}/callback"
    environment["GLEWLWYD_SQL"] = str(ROOT / ".build-tests")
    for _ in run_server([str(SERVERS / "glewlwyd" / "start.sh"), str(port), str(folder / "state")], port, folder, environment):
        setup = [sys.executable, str(SERVERS / "glewlwyd" / "setup.py"), url, str(folder / "state"), redirect_uri, "com.example.app:/cb"]
        subprocess.run(setup, check=True, env={**os.environ, **environment})
        issuer = f"{url}/api/oidc"
        provider = {
            "issuer": issuer,
            "authorizationEndpoint": f"{issuer}/auth",
            "tokenEndpoint": f"{issuer}/token",
            "revocationEndpoint": f"{issuer}/revoke",
            "apiBase": f"{issuer}/",
        }
        service = ("conf", "s3cret-conf", ["scope1"])
        yield Server(url, provider, ["scope1"], "userinfo", "name", redirect_uri, service=service, state=folder / "state")


@pytest.fixture(scope="session")
def glewlwyd(tmp_path_factory):
    yield from run_glewlwyd(tmp_path_factory.mktemp("glewlwyd"))


@pytest.fixture(scope="session")
def tls_glewlwyd(tmp_path_factory):
    """The same with TLS. Its client `tls` has certificates of the authority, whose own a process needs as SSL_CERT_FILE."""
    folder = tmp_path_factory.mktemp("tls-glewlwyd")
    (folder / "state").mkdir()
    authority = Authority(folder / "state", "ca")
    authority.server()
    for server in run_glewlwyd(folder, "https", SSL_CERT_FILE=str(authority.file)):
        yield dataclasses.replace(server, authority=authority)


def run_authlib(folder: Path, **environment):
    port = reserve_port()
    url = f"http://127.0.0.1:{port}"
    for _ in run_server([sys.executable, str(SERVERS / "authlib" / "server.py"), str(port)], port, folder, environment):
        provider = {
            "issuer": url,
            "authorizationEndpoint": f"{url}/authorize",
            "tokenEndpoint": f"{url}/token",
            "revocationEndpoint": f"{url}/revoke",
            "introspectionEndpoint": f"{url}/introspect",
            "userInfoEndpoint": f"{url}/userinfo",
            "jwksUri": f"{url}/jwks",
            "apiBase": f"{url}/",
        }
        yield Server(url, provider, ["openid", "email", "read"], "userinfo", "name")


@pytest.fixture
def authlib(request, tmp_path):
    """authlib's OpenID provider. The parameter is its ID tokens' algorithm or its environment variables."""
    wanted = getattr(request, "param", "ES256")
    yield from run_authlib(tmp_path / "authlib", **(wanted if isinstance(wanted, dict) else {"AUTHLIB_ALG": wanted}))


@pytest.fixture(scope="session")
def strict(tmp_path_factory):
    """Returns authlib's classes as a strict server of assertions, with the keys of its clients and of the identity provider."""
    folder = tmp_path_factory.mktemp("strict")
    port = reserve_port()
    server = StrictServer(f"http://127.0.0.1:{port}", folder)
    for _ in run_server([sys.executable, str(SERVERS / "authlib" / "strict.py"), str(port), str(folder)], port, folder):
        yield server


@pytest.fixture(scope="session")
def idpyoidc_url(tmp_path_factory):
    """Returns the address of idpyoidc's token exchange."""
    port = reserve_port()
    for _ in run_server([sys.executable, str(SERVERS / "idpyoidc" / "server.py"), str(port)], port, tmp_path_factory.mktemp("idpyoidc")):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="session")
def openid_url(tmp_path_factory):
    """Returns the address of a python3-openid server with Spark's endpoints."""
    port = reserve_port()
    for _ in run_server([sys.executable, str(SERVERS / "openid2" / "server.py"), str(port)], port, tmp_path_factory.mktemp("openid2")):
        yield f"http://127.0.0.1:{port}"


def run_oauth1(script: str, folder: Path, methods: list[str], **environment):
    port = reserve_port()
    for _ in run_server([sys.executable, str(SERVERS / script), str(port), str(folder / "state")], port, folder, environment):
        yield OAuth1Server(f"http://127.0.0.1:{port}", (folder / "state" / "rsa.pem").read_text(), methods)


OAUTHLIB_METHODS = ["HMAC-SHA1", "HMAC-SHA256", "HMAC-SHA512", "RSA-SHA1", "RSA-SHA256", "RSA-SHA512", "PLAINTEXT"]


@pytest.fixture(scope="session")
def oauthlib1(tmp_path_factory):
    yield from run_oauth1("oauthlib1/server.py", tmp_path_factory.mktemp("oauthlib1"), OAUTHLIB_METHODS)


@pytest.fixture(scope="session")
def oauthlib1_ahead(tmp_path_factory):
    """The same, with a clock that is an hour ahead."""
    yield from run_oauth1("oauthlib1/server.py", tmp_path_factory.mktemp("oauthlib1-ahead"), OAUTHLIB_METHODS, CLOCK_AHEAD="3600")


@pytest.fixture(scope="session")
def authlib1(tmp_path_factory):
    yield from run_oauth1("authlib/oauth1.py", tmp_path_factory.mktemp("authlib1"), ["HMAC-SHA1", "RSA-SHA1", "PLAINTEXT"])


@pytest.fixture(scope="session")
def demo():
    """The demo provider, started as in the quickstart."""
    process = subprocess.Popen([DEMO, "--until-stdin-closes"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        issuer = json.loads(process.stdout.readline())["issuer"]
        provider = {
            "issuer": issuer,
            "authorizationEndpoint": f"{issuer}/authorize",
            "tokenEndpoint": f"{issuer}/token",
            "revocationEndpoint": f"{issuer}/revoke",
            "apiBase": f"{issuer}/api/",
        }
        yield Server(issuer, provider, ["read"], "userinfo", "name", client_id="demo")
    finally:
        process.stdin.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@pytest.fixture
def provider():
    """A provider that issues tokens. A test can replace its responses."""
    with TokenProvider() as running:
        yield running


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture
def open_home(home):
    """Makes the folder accessible to other users: pytest and its workers create the four above it for one user alone."""
    home.mkdir()
    for folder in [home, *home.parents][:5]:
        folder.chmod(folder.stat().st_mode | 0o055)
    return home


@pytest.fixture
def start(home):
    """Returns `start(*arguments, **options)`, which starts a `Peer` in the test's home. The fixture ends all of them after the test."""
    peers = []

    def new(*arguments, **options) -> Peer:
        home.mkdir(exist_ok=True)
        peer = Peer(*arguments, home=home, **options)
        peers.append(peer)
        return peer

    yield new
    faults = []
    for peer in peers:
        peer.__exit__(Exception, None, None)
        faults += peer.faults
    if faults:
        raise faults[0]


@pytest.fixture
def work(home):
    """Returns `work(method, params, *options, **more)`, which starts a command in the test's home."""
    started = []

    def new(*arguments, **more) -> Work:
        home.mkdir(exist_ok=True)
        started.append(Work(*arguments, **{"home": home, **more}))
        return started[-1]

    yield new
    for each in started:
        each.end()


@pytest.fixture
def peer(start):
    return start()

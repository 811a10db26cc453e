"""What is told about a server that cannot be reached: what is wrong with its certificate, its handshake, its encoding or the proxy. `doctor` says the same."""

import gzip
import json
import platform
import socket
import ssl
import threading
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from certificates import Authority, Identity
from test_command_line import Shell

GNUTLS = Path(f"/usr/lib/{platform.machine()}-linux-gnu/libcurl-gnutls.so.4")
TOKEN = b'{"access_token":"at-1","token_type":"Bearer","expires_in":3600}'
LIBRARIES = ["openssl", pytest.param("gnutls", marks=pytest.mark.skipif(not GNUTLS.exists(), reason="needs libcurl with GnuTLS"))]


class Server:
    """Answers each connection by a function, which gets its socket."""

    def __init__(self, answer):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.serve, args=(answer,), daemon=True).start()

    def serve(self, answer) -> None:
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.one, args=(answer, connection), daemon=True).start()

    @staticmethod
    def one(answer, connection) -> None:
        with connection:
            try:
                answer(connection)
            except OSError:
                pass

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *arguments) -> None:
        self.socket.close()


def head(connection) -> bytes:
    received = b""
    while b"\r\n\r\n" not in received and (piece := connection.recv(1 << 16)):
        received += piece
    return received


def answering(body: bytes, **headers):
    lines = {"Content-Type": "application/json", "Content-Length": str(len(body)), **{name.replace("_", "-"): value for name, value in headers.items()}}

    def answer(connection) -> None:
        if head(connection):
            connection.sendall("".join(["HTTP/1.1 200 OK\r\n", *(f"{name}: {value}\r\n" for name, value in lines.items()), "\r\n"]).encode() + body)

    return answer


def encrypted(context: ssl.SSLContext, answer=answering(TOKEN)):
    def wrapped(connection) -> None:
        with context.wrap_socket(connection, server_side=True) as secured:
            answer(secured)

    return wrapped


def context(certificate: str, folder: Path, **members) -> ssl.SSLContext:
    file = folder / "served.pem"
    file.write_text(certificate)
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.set_ciphers("ALL:@SECLEVEL=0")
    for name, value in members.items():
        setattr(made, name, value)
    made.load_cert_chain(file)
    return made


@pytest.fixture
def authority(tmp_path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture
def shell(home, authority, request):
    made = Shell(home)
    made.environment |= {"SSL_CERT_FILE": str(authority.file), "no_proxy": ""}
    if getattr(request, "param", None) == "gnutls":
        (home / "libcurl.so.4").symlink_to(GNUTLS)
        made.environment["LD_LIBRARY_PATH"] = str(home)
    return made


def told(shell, url: str, status: int = 5) -> str:
    """Returns what `token` says about the server. `doctor` says the same, and the same advice."""
    file = shell.home / "config.json"
    file.write_text(json.dumps({"accounts": {"a": {
        "provider": {"tokenEndpoint": f"{url}/token", "apiBase": url}, "flow": "clientCredentials", "clientId": "c", "clientSecret": "s"}}}))
    file.chmod(0o600)
    message = shell.run("--config", file, "token", "a", status=status).stderr.removeprefix("oauth-stdio: ").strip()
    seen = shell.run("--config", file, "doctor", "a", status=1).stdout
    found = " ".join(seen[seen.index("FAILED"):].split())
    for part in message.split(". "):
        assert part[1:] in found, (message, found)
    return message


def served(authority, name: str = "localhost", **issued) -> str:
    key = issued.pop("key", None) or ec.generate_private_key(ec.SECP256R1())
    return Identity(name, authority.issue(name, key, **issued), key).combined


def alert(number: int):
    def answer(connection) -> None:
        connection.recv(1 << 16)
        connection.sendall(bytes([21, 3, 3, 0, 2, 2, number]))

    return answer


def plain(connection) -> None:
    connection.recv(1 << 16)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


CERTIFICATES = {
    "expired": (lambda a: served(a, days=-1), "has expired, or one that certifies it has. Check this machine's clock; if it is right, the server needs another"),
    "early": (lambda a: served(a, days=9, begin=1), "is not valid yet. Check this machine's clock"),
    "of an unknown authority": (lambda a: served(Authority(a.folder, "other")), "is not trusted. Add the CA certificate: set SSL_CERT_FILE"),
    "of another host": (lambda a: served(a, names=["other.example"]), "is for another name. Check the address"),
}


@pytest.mark.parametrize("shell", LIBRARIES, indirect=True)
@pytest.mark.parametrize("kind", CERTIFICATES)
def test_what_is_wrong_with_the_certificate(shell, authority, tmp_path, kind):
    certificate, said = CERTIFICATES[kind]
    with Server(encrypted(context(certificate(authority), tmp_path))) as server:
        assert told(shell, f"https://127.0.0.1:{server.port}").startswith(f"127.0.0.1 could not be reached: its certificate {said}")


def test_a_certificate_with_a_weak_key(shell, authority, tmp_path):
    """GnuTLS takes it."""
    with Server(encrypted(context(served(authority, key=rsa.generate_private_key(65537, 1024)), tmp_path))) as server:
        assert told(shell, f"https://127.0.0.1:{server.port}").endswith("its certificate, or one that certifies it, is too weak")


@pytest.mark.parametrize("shell", LIBRARIES, indirect=True)
def test_a_file_of_authorities_that_cannot_be_read(shell, authority, tmp_path):
    shell.environment["SSL_CERT_FILE"] = str(tmp_path / "nowhere.pem")
    with Server(encrypted(context(served(authority), tmp_path))) as server:
        said = told(shell, f"https://127.0.0.1:{server.port}")
    assert said.endswith("the file of CA certificates cannot be read. Correct SSL_CERT_FILE or CURL_CA_BUNDLE")


HANDSHAKES = {
    "no TLS": (plain, "could not be reached: no TLS is spoken there. Check the port"),
    "an old version": (alert(70), "could not be reached: it has no TLS 1.2 or newer"),
    "no cipher": (alert(40), "could not be reached: it shares no encryption with this machine, or demands a clientCertificate"),
    "another name": (alert(112), "could not be reached: it serves no host of this name. Check the address"),
    "an end": (lambda connection: connection.recv(1 << 16), "broke off the connection in the handshake of TLS"),
    "an unknown problem": (alert(80), "could not be reached: TLS failed ("),
}


@pytest.mark.parametrize("shell", LIBRARIES, indirect=True)
@pytest.mark.parametrize("kind", HANDSHAKES)
def test_what_is_wrong_with_the_handshake(shell, kind):
    answer, said = HANDSHAKES[kind]
    with Server(answer) as server:
        found = told(shell, f"https://127.0.0.1:{server.port}")
    assert found.startswith(f"127.0.0.1 {said}")
    assert kind != "an unknown problem" or "internal error" in found.lower()


# Proxies


def refusing(status: str):
    def answer(connection) -> None:
        if head(connection):
            connection.sendall(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode())

    return answer


def socks(connection) -> None:
    connection.recv(99)
    connection.sendall(b"\5\0")
    connection.recv(99)
    connection.sendall(b"\5\5\0\1\0\0\0\0\0\0")


PROXIES = {
    "wants a login": (refusing("407 Proxy Authentication Required"), "http://", "wants a user name and a password (407). Set HTTPS_PROXY to http://NAME:PASSWORD@"),
    "rejects the login": (refusing("407 No"), "http://me:p4ss@", "does not accept the user name and the password (407)"),
    "forbids the host": (refusing("403 Forbidden"), "http://me:p4ss@", "does not allow this host (403). Ask its operator, or add the host to NO_PROXY"),
    "does not reach it": (refusing("502 Bad Gateway"), "http://", "did not connect to the host: it answered 502. Check HTTPS_PROXY and NO_PROXY"),
    "speaks no TLS": (plain, "https://", "could not be reached: no TLS is spoken there. Check the port, or write http:// in HTTPS_PROXY"),
    "connects no further": (socks, "socks5h://", "did not connect to the host: Can't complete SOCKS5 connection"),
}


@pytest.mark.parametrize("kind", PROXIES)
def test_what_the_proxy_does(shell, kind):
    answer, scheme, said = PROXIES[kind]
    with Server(answer) as proxy:
        shell.environment["https_proxy"] = f"{scheme}127.0.0.1:{proxy.port}"
        found = told(shell, "https://login.example.com")
        assert found.startswith(f"the proxy 127.0.0.1:{proxy.port} for login.example.com {said}") and "p4ss" not in found


@pytest.mark.parametrize("proxy,said", [
    ("me:p4ss@127.0.0.1:1", "the proxy 127.0.0.1:1 for login.example.com could not be reached: nothing accepts connections there"),
    ("http://proxy.invalid:3128", "the proxy proxy.invalid:3128 for login.example.com could not be reached: its name could not be resolved"),
    ("ftp://me:p4ss@127.0.0.1:1", "the proxy 127.0.0.1:1 for login.example.com cannot be used. Set HTTPS_PROXY to http://HOST:PORT"),
])
def test_a_proxy_that_is_not_there(shell, proxy, said):
    shell.environment["https_proxy"] = proxy
    found = told(shell, "https://login.example.com")
    assert found.startswith(said) and "p4ss" not in found


@pytest.mark.parametrize("shell", LIBRARIES, indirect=True)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_certificate_behind_a_proxy_is_the_hosts(shell, authority, tmp_path, scheme):
    """A proxy's own certificate is the proxy's."""
    old = encrypted(context(served(authority, days=-1), tmp_path))

    def tunnel(connection) -> None:
        head(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        old(connection)

    with Server(tunnel if scheme == "http" else old) as proxy:
        shell.environment["https_proxy"] = f"{scheme}://127.0.0.1:{proxy.port}"
        found = told(shell, "https://login.example.com")
    place = "login.example.com" if scheme == "http" else f"the proxy 127.0.0.1:{proxy.port} for login.example.com"
    assert found.startswith(f"{place} could not be reached: its certificate has expired")


def test_a_silent_proxy_is_named(shell):
    """The time limit is the request's own."""
    with Server(lambda connection: threading.Event().wait(60)) as proxy:
        shell.environment["https_proxy"] = f"http://127.0.0.1:{proxy.port}"
        file = shell.home / "config.json"
        file.write_text(json.dumps({"accounts": {"a": {"provider": {"tokenEndpoint": "https://login.example.com/token"}, "clientId": "c"}}}))
        data = {"access_token": "at", "expires_in": 3600}
        shell.run("--config", file, "importGrant", "a", "json", json.dumps(data))
        said = shell.run("call", "a", "https://login.example.com/x", "--timeout", "1", status=5).stderr
    assert f"the proxy 127.0.0.1:{proxy.port} for login.example.com did not answer in time" in said


# Encodings


@pytest.mark.parametrize("encoding", ["UTF-8", "none", "binary", "utf8, identity"])
def test_an_encoding_that_is_none_changes_nothing(shell, encoding):
    with Server(answering(TOKEN, Content_Encoding=encoding)) as server:
        assert reached(shell, server) == "at-1\n"


def reached(shell, server, status: int = 0) -> str:
    provider = {"tokenEndpoint": f"http://127.0.0.1:{server.port}/token"}
    file = shell.home / "config.json"
    file.write_text(json.dumps({"accounts": {"a": {"provider": provider, "flow": "clientCredentials", "clientId": "c", "clientSecret": "s"}}}))
    done = shell.run("--config", file, "token", "a", status=status)
    return done.stdout or done.stderr


def test_a_token_request_asks_for_no_encoding_and_reads_one(shell):
    asked: list[bytes] = []

    def answer(connection) -> None:
        asked.append(head(connection))
        body = gzip.compress(TOKEN)
        connection.sendall(f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)

    with Server(answer) as server:
        assert reached(shell, server) == "at-1\n"
    assert [b"accept-encoding: identity" in request.lower() for request in asked] == [True]


@pytest.mark.parametrize("encoding", ["br", "gzip"])
def test_a_body_that_cannot_be_decompressed_is_named(shell, encoding):
    with Server(answering(TOKEN, Content_Encoding=encoding)) as server:
        assert f"127.0.0.1 sent a response that cannot be decompressed: its Content-Encoding is {encoding}" in reached(shell, server, status=5)

"""Attempts of a hostile caller, page, server and local user. Each says in one sentence what it tries, and each must fail.

After every attempt, the account still works, no secret is in the process's output, and the provider has received no token where none belongs.
"""

import base64
import gzip
import json
import os
import re
import socket
import subprocess

import pytest

import browser
from provider import Response
from rpc import RPCFault
from signing_in import TokenProvider, redirect

ATTEMPTS: list = []


def attempt(who: str, what: str):
    """Registers an attempt. `what` is the sentence that says what it tries."""

    def register(function):
        ATTEMPTS.append(pytest.param(who, function, id=f"{who}: {what}"))
        return function

    return register


class Stage:
    """A provider with the account `a`, which another process has signed in, and an account `b` that the client must not use."""

    def __init__(self, start, home, tmp_path, provider, elsewhere):
        self.start, self.home, self.folder, self.provider, self.elsewhere = start, home, tmp_path, provider, elsewhere
        self.store = home / "store"
        (tmp_path / "files").mkdir()
        (tmp_path / "secret").write_text("s3cret-file")
        self.hidden: set[str] = {"s3cret-file"}
        peer = start()
        for account in "ab":
            token = provider.secret()
            provider.living.add(token)
            data = {"access_token": token, "refresh_token": provider.secret()}
            peer.request(
                "importGrant", {"account": account, "format": "json", "data": data, "provider": provider.description, "clientId": "c"}
            )
        peer.finish()
        self.grants = {file.name: file.read_bytes() for file in self.store.glob("*.grant")}
        self.peers = []

    def peer(self, *options, **more):
        peer = self.start(*options, **more)
        self.peers.append(peer)
        return peer

    def limited(self):
        """The process that an editor gives to a plug-in which it does not trust."""
        return self.peer(
            "--accounts", "a", "--read-only", "--no-tokens", "--known-providers", "--allow-export", "--files", str(self.folder / "files"),
            "--allow-call", f"GET {self.provider.url}/api/public/**",
        )

    def call(self, url: str = "public/x", **params) -> dict:
        return {"account": "a", "url": url, **params}

    def refused(self, peer, method: str, params, *kinds: str) -> RPCFault:
        """The request fails, and the provider hears nothing of it."""
        before = len(self.provider.requests)
        with pytest.raises(RPCFault) as caught:
            peer.request(method, params)
        assert not kinds or caught.value.kind in kinds, caught.value
        assert len(self.provider.requests) == before
        return caught.value

    def sign_in(self, peer, **parameters) -> tuple:
        """Opens a sign-in. Returns the request's id and the page's URL."""
        identifier = peer.send("authorize", self.provider.parameters(account="new", **parameters))
        return identifier, peer.event("signInWasRequested", request=identifier)["url"]

    def check(self) -> None:
        peer = self.start()
        assert peer.request("callAPI", self.call())["status"] == 200
        assert peer.request("account", {"account": "b"})["canAuthorize"]
        for each in self.peers:
            assert each.process.poll() is None or each.process.returncode in (0, 2)
            for secret in self.provider.secrets | self.elsewhere.secrets | self.hidden:
                assert secret.encode() not in each.stderr + each.stdout, "a secret was in the output"
        for request in self.elsewhere.requests:
            shown = json.dumps(request.headers) + request.target + request.body.decode("latin-1")
            assert not any(secret in shown for secret in self.provider.secrets), "a token went to another server"


@pytest.fixture
def stage(start, home, tmp_path, provider):
    with TokenProvider() as elsewhere:
        yield Stage(start, home, tmp_path, provider, elsewhere)


def test_there_are_enough_attempts():
    counts = {who: sum(param.values[0] == who for param in ATTEMPTS) for who in ["caller", "page", "server", "local user"]}
    assert len(ATTEMPTS) >= 60 and min(counts.values()) >= 8, counts


# The caller


def caller(what: str, method: str, params, *kinds: str) -> None:
    attempt("caller", what)(lambda stage: stage.refused(stage.limited(), method, params(stage) if callable(params) else params, *kinds))


caller("It asks for the access token.", "accessToken", {"account": "a"}, "notAllowed")
caller("It asks for signed headers, which contain the token.", "authorizeRequest", lambda s: s.call(), "notAllowed")
caller("It exports the whole grant.", "exportGrant", {"account": "a"}, "notAllowed")
caller("It asks for the state of an account that it may not use.", "account", {"account": "b"}, "notAllowed")
caller("It calls the API with another account.", "callAPI", lambda s: {**s.call(), "account": "b"}, "notAllowed")
caller("It names another account in another Unicode form or case.", "account", {"account": "B"}, "notAllowed")
caller("It lets the provider name the account.", "authorize", {"provider": "github", "clientId": "c"}, "notAllowed")
caller("It signs the user out.", "signOut", {"account": "a"}, "notAllowed")
caller("It revokes the login.", "revoke", {"account": "a"}, "notAllowed")
caller("It replaces the login by its own.", "importGrant", lambda s: {
    "account": "a", "format": "json", "data": {"access_token": "mine"}, "provider": "github", "clientId": "c", "replace": True}, "notAllowed")
caller("It asks the user for more scopes.", "addScopes", {"account": "a", "scopes": ["admin"]}, "notAllowed")
caller("It starts a sign-in that replaces the login.", "authorize", {"account": "a", "interaction": "always"}, "notAllowed")
caller("It moves the key that seals the grants.", "rekey", {"to": "file"})
caller("It moves the grants to a database of its own.", "copy", {"to": "postgresql://evil.example/x"})
caller("It hands over a redirect of its own.", "handleRedirect", {"url": "http://127.0.0.1:1/callback?code=x&state=y"}, "notAllowed")
caller("It describes a provider whose token endpoint is its own server.", "authorize", lambda s: s.elsewhere.parameters(account="a"), "notAllowed")
caller("It lets the process fetch metadata from its own server.", "provider", lambda s: {"provider": s.elsewhere.url}, "notAllowed")
caller("It fills its own host into a preset.", "authorize", {
    "account": "a", "provider": "keycloak", "variables": {"host": "evil.example", "realm": "x"}, "clientId": "c"}, "notAllowed")
caller("It calls a URL outside the rule.", "callAPI", lambda s: s.call("private"), "notAllowed")
caller("It leaves the allowed path with dots.", "callAPI", lambda s: s.call("public/%2e%2e/private"), "notAllowed")
caller("It leaves the allowed path with an escaped slash.", "callAPI", lambda s: s.call("public/..%2fprivate"), "notAllowed")
caller("It leaves the allowed path with a backslash.", "callAPI", lambda s: s.call("public/..%5cprivate"), "notAllowed")
caller("It leaves the allowed path with parameters of a segment.", "callAPI", lambda s: s.call("public/..;x=1/private"), "notAllowed")
caller("It leaves the allowed path with an escape that is decoded twice.", "callAPI", lambda s: s.call("public/%252e%252e/private"), "notAllowed")
caller("It sends a method that changes something.", "callAPI", lambda s: s.call(method="DELETE"), "notAllowed")
caller("It hides the method in a header.", "callAPI", lambda s: s.call(headers={"X-HTTP-Method-Override": "DELETE"}), "notAllowed")
caller("It sends the token to its own server.", "callAPI", lambda s: s.call(s.elsewhere.url + "/x"), "hostNotAllowed", "notAllowed")
caller("It writes the host with a user name.", "callAPI", lambda s: s.call(s.provider.url.replace("http://", "http://user@") + "/api/public/x"))
caller("It sets its own Host header.", "callAPI", lambda s: s.call(headers={"Host": "evil.example"}))
caller("It breaks the header lines.", "callAPI", lambda s: s.call(headers={"X": "y\r\nAuthorization: other"}))
caller("It breaks the request line with the method.", "callAPI", lambda s: s.call(method="GET / HTTP/1.1\r\nX:"))
caller("It saves a body outside its folder.", "callAPI", lambda s: s.call(saveTo=str(s.folder / "secret"), overwrite=True), "notAllowed")
caller("It saves a body over the grants.", "callAPI", lambda s: s.call(saveTo=str(s.store / "a.grant"), overwrite=True), "notAllowed")
caller("It finds no method by another spelling.", "accesstoken", {"account": "a"})


@attempt("caller", "It sends a file from outside its folder through a link.")
def _(stage):
    (stage.folder / "files" / "link").symlink_to(stage.folder / "secret")
    peer = stage.peer("--files", str(stage.folder / "files"))
    stage.refused(peer, "callAPI", stage.call(method="POST", body={"file": "link"}), "notAllowed")


@attempt("caller", "It sends the key file as a body.")
def _(stage):
    peer = stage.peer("--no-tokens")
    stage.refused(peer, "callAPI", stage.call(method="POST", body={"file": str(stage.store / "key")}), "notAllowed")


@attempt("caller", "It writes a folder whose key runs a command, and moves grants from there.")
def _(stage):
    (stage.folder / "other").mkdir(mode=0o700)
    (stage.folder / "other" / "key").write_text(f"oauth-stdio key 1 command touch {stage.folder}/ran\n")
    stage.refused(stage.peer(), "copy", {"from": str(stage.folder / "other")})
    assert not (stage.folder / "ran").exists()


@attempt("caller", "It reads the secrets of the process from /proc.")
def _(stage):
    peer = stage.peer("--no-tokens")
    stage.refused(peer, "callAPI", stage.call(method="POST", body={"file": f"/proc/{peer.process.pid}/environ"}), "notAllowed")


@attempt("caller", "It changes the limits with initialize.")
def _(stage):
    peer = stage.limited()
    peer.request("initialize", {"capabilities": {"limits": {}}, "limits": {}, "profile": None})
    stage.refused(peer, "accessToken", {"account": "a"}, "notAllowed")


@attempt("caller", "It repeats a forbidden request as a notification and in a batch.")
def _(stage):
    peer = stage.limited()
    peer.notify("signOut", {"account": "a"})
    peer.send_text('[{"jsonrpc":"2.0","id":"x","method":"revoke","params":{"account":"a"}}]')
    assert peer.request("accounts", {})["accounts"][0]["canAuthorize"]


@attempt("caller", "It sends a message of 10,000 nested arrays and continues.")
def _(stage):
    peer = stage.peer()
    peer.write(b'{"jsonrpc":"2.0","id":1,"method":"accounts","params":' + b"[" * 10_000 + b"\n")
    assert peer.answer(None)["error"]["code"] in (-32700, -32600) and peer.request("accounts", {})["accounts"]


@attempt("caller", "It names a file of the store by an account with slashes and dots.")
def _(stage):
    with pytest.raises(RPCFault):
        stage.peer().request("accessToken", {"account": "../a"})
    assert not list(stage.home.glob("*.grant*"))


# The page


def speak(stage, peer, *requests: bytes) -> list[bytes]:
    """Opens a sign-in, sends each request to its listener, and finishes the sign-in: the requests have not disturbed it."""
    identifier, url = stage.sign_in(peer)
    port = int(re.search(r"127\.0\.0\.1%3A(\d+)", url)[1])
    answers = []
    for request in requests:
        with socket.create_connection(("127.0.0.1", port), 60) as connection:
            connection.settimeout(60)
            answer = b""
            try:
                connection.sendall(request.replace(b"PORT", str(port).encode()).replace(b"STATE", browser.query(url)["state"].encode()))
                while chunk := connection.recv(1 << 16):
                    answer += chunk
            except OSError:
                pass
            answers.append(answer)
    before = len(stage.provider.requests)
    assert not any(request.path == "/token" for request in stage.provider.requests[:before])
    stage.provider.approve(url)
    assert peer.result(identifier)["status"] == "authorized"
    return answers


def page(what: str, request: bytes, status: int) -> None:
    def run(stage):
        (answer,) = speak(stage, stage.peer(), request)
        assert answer.startswith(f"HTTP/1.1 {status} ".encode()), answer[:100]

    attempt("page", what)(run)


HOST = b"Host: 127.0.0.1:PORT\r\n"
page("It sends a code without the state.", b"GET /callback?code=evil HTTP/1.1\r\n" + HOST + b"\r\n", 404)
page("It guesses the state.", b"GET /callback?code=evil&state=xxxxxxxxxxxxxxxxxxxxxx HTTP/1.1\r\n" + HOST + b"\r\n", 404)
page("It reaches the listener under a name of its own (DNS rebinding).", b"GET /callback?code=e&state=guess HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421)
page("It sends two codes.", b"GET /callback?code=evil&code=x&state=STATE HTTP/1.1\r\n" + HOST + b"\r\n", 400)
page("It sends the state twice.", b"GET /callback?code=evil&state=x&state=STATE HTTP/1.1\r\n" + HOST + b"\r\n", 400)
page("It lets the browser fetch the redirect ahead of time.", b"GET /callback?code=e&state=STATE HTTP/1.1\r\nSec-Purpose: prefetch\r\n" + HOST + b"\r\n", 503)
page("It sends a form of another kind.", b"POST /callback HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n" + HOST + b"\r\nx", 415)
page("It smuggles a second request in a chunked body.", b"POST /callback HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + HOST + b"\r\n0\r\n\r\n", 501)
page("It asks for another path.", b"GET /../../etc/passwd HTTP/1.1\r\n" + HOST + b"\r\n", 404)
page("It uses the listener as a proxy.", b"GET http://evil.example/callback?code=e&state=guess HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421)
page("It fills the memory with headers.", b"GET /callback HTTP/1.1\r\n" + HOST + b"X: " + b"a" * 100_000 + b"\r\n\r\n", 431)


@attempt("page", "It puts a script into the description of an error.")
def _(stage):
    peer = stage.peer()
    identifier, url = stage.sign_in(peer)
    asked = browser.query(url)
    query = f"error=access_denied&error_description=%3Cscript%3Ealert(1)%3C/script%3E&state={asked['state']}"
    port = int(asked["redirect_uri"].split(":")[2].split("/")[0])
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(f"GET /callback?{query} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        answer = connection.makefile("rb").read()
    assert b"<script" not in answer and b"default-src 'none'" in answer
    assert peer.answer(identifier)["error"]["data"]["kind"] == "accessDenied"


@attempt("page", "It sends a used redirect again.")
def _(stage):
    peer = stage.peer()
    identifier, url = stage.sign_in(peer)
    target = redirect(url, code=stage.provider.secret())
    browser.deliver(target)
    assert peer.result(identifier)["status"] == "authorized"
    tokens = sum(request.path == "/token" for request in stage.provider.requests)
    try:
        browser.deliver(target)
    except Exception:
        pass
    # The process would finish an exchange before it ends.
    assert peer.finish() == 0
    assert sum(request.path == "/token" for request in stage.provider.requests) == tokens


# The server


def answering(stage, path: str, response) -> None:
    stage.provider.instead[path] = response if callable(response) else lambda request: response


def service(what: str, answer, check) -> None:
    def run(stage):
        answering(stage, "/api/public/x", answer(stage))
        peer = stage.peer()
        check(stage, peer)
        del stage.provider.instead["/api/public/x"]

    attempt("server", what)(run)


def follows(stage, peer):
    try:
        peer.request("callAPI", stage.call())
    except RPCFault:
        pass


BOMB = gzip.compress(b"\0" * (16 << 20))


def moved(place):
    return lambda stage: Response(302, headers={"Location": place(stage)})


service("It redirects a call to another server and expects the token there.", moved(lambda s: s.elsewhere.url + "/api/x"), follows)
service("It redirects a call to a file of this machine.", moved(lambda s: "file:///etc/passwd"), follows)
service("It redirects a call to a URL with a user name.", moved(lambda s: s.elsewhere.url.replace("//", "//u:p@") + "/x"), follows)
service("It redirects a call for ever.", moved(lambda s: "/api/public/x"), lambda s, p: s_fails(s, p, "networkFailure"))
service("It sends more than the client can hold.", lambda s: Response(200, b"x" * (9 << 20)), lambda s, p: s_fails(s, p, "responseTooLarge"))
service("It answers with a script in a JSON error.", lambda s: Response.of({"error": "<script>\u202e"}, 400), lambda s, p: s_fails(s, p, "serviceError"))
service("It sends a body that unpacks to a thousand times its size.", lambda s: Response(200, BOMB, {"Content-Encoding": "gzip"}), lambda s, p: s_fails(s, p, "responseTooLarge"))


def s_fails(stage, peer, kind: str) -> None:
    with pytest.raises(RPCFault) as caught:
        peer.request("callAPI", stage.call())
    assert caught.value.kind == kind


def token_answer(what: str, response, *kinds: str) -> None:
    def run(stage):
        peer = stage.peer()
        answering(stage, "/token", response(stage) if callable(response) else response)
        identifier, url = stage.sign_in(peer)
        stage.provider.approve(url)
        assert peer.answer(identifier)["error"]["data"]["kind"] in kinds
        del stage.provider.instead["/token"]

    attempt("server", what)(run)


def echo(request):
    return Response.of({"error": "invalid_grant", "error_description": request.body.decode()}, 400)


token_answer("It quotes the code and the verifier in its error.", lambda s: echo, "authorizationServerError", "accessDenied")
token_answer("It quotes a token in an error with status 200.", lambda s: Response.of({"error": s.provider.secret(), "error_description": s.provider.secret()}), "authorizationServerError")
token_answer("It redirects the token request, with the code, to another server.", lambda s: Response(307, headers={"Location": s.elsewhere.url + "/token"}), "authorizationServerError", "responseUntrusted")
token_answer("It answers with a page instead of tokens.", Response(200, b"<html>", {"Content-Type": "text/html"}), "authorizationServerError", "responseUntrusted")
token_answer("It sends a token with line ends, which would break the headers of calls.", Response.of({"access_token": "a\r\nX: y", "token_type": "Bearer"}), "authorizationServerError", "responseUntrusted")
token_answer("It sends an answer without end.", Response(200, b"{" + b" " * (20 << 20)), "responseTooLarge")
token_answer("It sends a token of an unknown kind.", Response.of({"access_token": "x", "token_type": "mac"}), "authorizationServerError", "unsupportedByProvider", "responseUntrusted")


@attempt("server", "It answers a sign-in in the name of another issuer (mix-up).")
def _(stage):
    peer = stage.peer()
    description = {**stage.provider.description, "issuer": stage.provider.url}
    identifier, url = stage.sign_in(peer, provider=description)
    browser.deliver(redirect(url, code=stage.provider.secret(), iss="https://evil.example"))
    assert peer.answer(identifier)["error"]["data"]["kind"] == "responseUntrusted"
    assert not any(request.path == "/token" for request in stage.provider.requests)


@attempt("server", "It gives an unsigned ID token.")
def _(stage):
    peer = stage.peer()
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    forged = part({"alg": "none"}) + "." + part({"sub": "admin", "iss": stage.provider.url, "aud": "c", "exp": 1 << 33, "iat": 1}) + "."
    answering(stage, "/token", Response.of({"access_token": stage.provider.secret(), "token_type": "Bearer", "id_token": forged}))
    description = {**stage.provider.description, "issuer": stage.provider.url, "jwksUri": stage.provider.url + "/jwks"}
    identifier, url = stage.sign_in(peer, provider=description, scopes=["openid"])
    stage.provider.approve(url)
    assert peer.answer(identifier)["error"]["data"]["kind"] in ("responseUntrusted", "authorizationServerError")
    del stage.provider.instead["/token"]


# The local user


def fails_with_storage(stage, account: str = "a") -> None:
    peer = stage.peer()
    with pytest.raises(RPCFault) as caught:
        peer.request("accessToken", {"account": account})
    assert caught.value.kind == "storageFailure"


def restored(stage, name: str) -> None:
    path = stage.store / name
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    else:
        path.unlink(missing_ok=True)
    path.write_bytes(stage.grants[name])


@attempt("local user", "It exchanges the grants of two accounts.")
def _(stage):
    (stage.store / "a.grant").write_bytes(stage.grants["b.grant"])
    fails_with_storage(stage)
    for leftover in stage.store.glob("*unreadable*"):
        leftover.unlink()
    restored(stage, "a.grant")


@attempt("local user", "It changes one byte of a grant.")
def _(stage):
    broken = bytearray(stage.grants["a.grant"])
    broken[-1] ^= 1
    (stage.store / "a.grant").write_bytes(broken)
    fails_with_storage(stage)
    restored(stage, "a.grant")


@attempt("local user", "It puts a pipe in the place of a grant, to hang the process.")
def _(stage):
    (stage.store / "a.grant").unlink()
    os.mkfifo(stage.store / "a.grant")
    fails_with_storage(stage)
    restored(stage, "a.grant")


def links(stage, name: str, make, method: str, **params) -> None:
    """Puts a link to a file of the user in the place of a store's file. The request fails, and the user's file stays as it was."""
    victim = stage.folder / "victim"
    victim.write_text("precious")
    victim.chmod(0o644)
    os.utime(victim, (1, 1))
    (stage.store / name).unlink(missing_ok=True)
    make(victim, stage.store / name)
    peer = stage.peer()
    if method == "callAPI":
        peer.request(method, stage.call())
    else:
        with pytest.raises(RPCFault) as caught:
            peer.request(method, {"account": "a", **params})
        assert caught.value.kind == "storageFailure" and "link" in caught.value.message
    assert peer.finish() == 0
    status = victim.stat()
    assert victim.read_text() == "precious" and status.st_mode & 0o777 == 0o644 and status.st_mtime == 1
    (stage.store / name).unlink()


@attempt("local user", "It links a lock file to a file that the process would change.")
def _(stage):
    for make in (lambda victim, place: place.symlink_to(victim), os.link):
        links(stage, "a.grant.lock", make, "refresh", force=True)


@attempt("local user", "It links a grant to a file whose mode the process would change.")
def _(stage):
    links(stage, "a.grant", lambda victim, place: place.symlink_to(victim), "accessToken")
    restored(stage, "a.grant")


@attempt("local user", "It links the note of a use to a file whose time the process would change.")
def _(stage):
    for make in (lambda victim, place: place.symlink_to(victim), os.link):
        links(stage, "a.grant.used", make, "callAPI")


@attempt("local user", "It links the audit file to a file that the process would change.")
def _(stage):
    victim = stage.folder / "victim"
    victim.write_text("precious")
    os.link(victim, stage.folder / "audit")
    peer = stage.peer("--audit", str(stage.folder / "audit"))
    assert peer.wait() == 2 and "one name (no hard links)" in peer.stderr.decode() and victim.read_text() == "precious"


@attempt("local user", "It reads the tokens from the files.")
def _(stage):
    for file in stage.store.iterdir():
        assert not any(secret.encode() in file.read_bytes() for secret in stage.provider.secrets)
        assert file.stat().st_mode & 0o077 == 0


@attempt("local user", "It copies one grant file to a folder of its own and opens it there.")
def _(stage):
    copy = stage.folder / "copy"
    copy.mkdir(mode=0o700)
    (copy / "a.grant").write_bytes(stage.grants["a.grant"])
    with pytest.raises(RPCFault) as caught:
        stage.start("--store", str(copy)).request("accessToken", {"account": "a"})
    assert caught.value.kind == "storageFailure"


@attempt("local user", "It reads the token from the list of processes.")
def _(stage):
    peer = stage.peer()
    peer.request("callAPI", stage.call())
    shown = subprocess.run(["ps", "-ewwo", "args", "e"], capture_output=True, text=True).stdout
    assert not any(secret in shown for secret in stage.provider.secrets)


@attempt("local user", "It puts a configuration that others can write in the user's place.")
def _(stage):
    folder = stage.home / "config" / "oauth-stdio"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text('{"accounts":{"a":{"clientId":"evil"}}}')
    (folder / "config.json").chmod(0o666)
    with pytest.raises(RPCFault) as caught:
        stage.start().request("authorize", {"account": "a"})
    assert caught.value.kind in ("configurationInvalid", "storageFailure")
    (folder / "config.json").unlink()


@attempt("local user", "It lets the loader log the keys of TLS connections.")
def _(stage):
    keys = stage.folder / "keys"
    peer = stage.peer(environment={"SSLKEYLOGFILE": str(keys)})
    peer.request("callAPI", stage.call())
    assert not keys.exists()


@pytest.mark.parametrize(("who", "function"), ATTEMPTS)
def test_an_attempt_fails(stage, who, function):
    function(stage)
    stage.check()

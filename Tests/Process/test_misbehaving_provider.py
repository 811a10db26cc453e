"""A provider and a service that answer with anything: a clear error of the right kind, and everything else goes on."""

import gzip
import json
import urllib.parse

import pytest

from provider import Response
from rpc import Peer, RPCFault
from signing_in import TokenProvider, authorize

CLIENT_SECRET = "cl13nt/s3cret+%&=\u00e9v"
# The demo provider's user who says yes.
YES = {"demo_auto": "allow"}
GOOD = {"access_token": "at", "token_type": "Bearer", "refresh_token": "rt", "expires_in": 3600, "scope": "read"}


@pytest.fixture
def provider():
    with TokenProvider() as running:
        yield running


def sign_in(peer: Peer, server: TokenProvider, /, **more) -> dict:
    """The answer to `authorize` for somebody who says yes."""
    identifier = peer.send("authorize", {**server.parameters(), **more})
    server.approve(peer.event("signInWasRequested", request=identifier)["url"])
    return peer.answer(identifier)


def everything_else_goes_on(peer: Peer, provider: TokenProvider) -> None:
    """Another account signs in and is used, in the same process."""
    provider.instead.clear()
    authorize(peer, provider.approve, **{**provider.parameters(), "account": "other"})
    assert peer.request("callAPI", {"account": "other", "url": "x"})["status"] == 200
    peer.request("accounts")


def resident(peer: Peer) -> int:
    """KiB of memory."""
    with open(f"/proc/{peer.process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))


@pytest.mark.parametrize(
    ("mode", "kinds"),
    [
        ("huge", ["responseTooLarge"]), ("garbage", ["networkFailure"]), ("html-200", ["responseUntrusted"]), ("html-502", ["authorizationServerError"]),
        ("redirect-loop", ["authorizationServerError", "networkFailure"]), ("redirect-elsewhere", ["authorizationServerError"]), ("drop", ["networkFailure"]),
        ("drop-after", ["networkFailure"]), ("empty-200", ["responseUntrusted"]), ("empty-400", ["authorizationServerError"]), ("nul-token", ["responseUntrusted"]),
        ("nested-error-object", ["authorizationServerError"]), ("no-access-token", ["responseUntrusted"]), ("wrong-iss", ["responseUntrusted"]),
    ],
)
def test_the_token_endpoint(start, demo, mode, kinds):
    peer = start()
    sick = {name: url.replace(demo.url, f"{demo.url}/m/{mode}") if name != "apiBase" else url for name, url in demo.provider.items()}
    with pytest.raises(RPCFault) as fault:
        authorize(peer, **{**demo.parameters(account="a", parameters=YES), "provider": sick})
    assert fault.value.kind in kinds and fault.value.data["account"] == "a", fault.value
    assert resident(peer) < 200_000
    authorize(peer, **demo.parameters(account="b", parameters=YES))
    assert peer.request("callAPI", {"account": "b", "url": "me"})["status"] == 200


@pytest.mark.parametrize(
    "expires", ["-1", "0", "1e308", "1e999", "-1e308", "1" + "0" * 30, "9223372036854775807", "9223372036854775808", '"soon"', '"1e309"', '"nan"', '"inf"', '"0x10"', "null", "[]", "{}", "true", "0.1", '"\u0663"']
)
def test_a_lifetime_that_is_none(peer, provider, expires):
    text = json.dumps({**GOOD, "expires_in": "@", "refresh_token_expires_in": "@"}).replace('"@"', expires)
    provider.instead["/token"] = lambda request: Response(200, text.encode(), {"Content-Type": "application/json"})
    answer = sign_in(peer, provider)
    assert "result" in answer or answer["error"]["data"]["kind"] == "responseUntrusted"
    peer.request("accounts")
    everything_else_goes_on(peer, provider)


@pytest.mark.parametrize("token", ["", "a b", "a\n", "a\r\nX: y", "\u00e9", "a\0", 1, 1.5, None, True, [], ["a"], {"a": 1}, "x" * 900_000], ids=lambda value: repr(value)[:12])
def test_an_access_token_that_is_none(peer, provider, token):
    provider.instead["/token"] = lambda request: Response.of({**GOOD, "access_token": token})
    answer = sign_in(peer, provider)
    if not isinstance(token, str) or len(token) < 100:
        assert answer["error"]["data"]["kind"] == "responseUntrusted"
    everything_else_goes_on(peer, provider)


@pytest.mark.parametrize("value", [None, 1, -0.5, True, [], ["a", 1, None], {}, {"a": ["b"]}, "", "\u0000", "x\r\ny", "x" * 400_000], ids=lambda value: repr(value)[:12])
def test_any_value_in_any_other_member(peer, provider, value):
    for member in ("token_type", "refresh_token", "scope", "id_token", "expires_in", "sub", "error_description"):
        provider.instead["/token"] = lambda request: Response.of({**GOOD, member: value})
        answer = sign_in(peer, provider, interaction="always")
        assert "result" in answer or answer["error"]["data"]["kind"] == "responseUntrusted", (member, answer)
        peer.request("account", {"account": "a"})
    everything_else_goes_on(peer, provider)


DEEP: list = []
for _ in range(500):
    DEEP = [DEEP]


@pytest.mark.parametrize("value", [None, 1, 0.5, 2**60, 1e300, True, [], {}, "\0", "\u202e" * 3000, "x" * 900_000, DEEP, {"a\0b": 1, "n": [2**62, 0.25]}], ids=lambda value: repr(value)[:12])
def test_any_value_in_any_member_of_an_error(peer, provider, value):
    """The rules of the wire are checked in every message that comes."""
    for member in ("error", "error_description", "error_uri", "error_codes", "suberror", "error_subcode"):
        provider.instead["/token"] = lambda request: Response.of({"error": "invalid_request", member: value}, 400)
        error = sign_in(peer, provider)["error"]
        assert error["data"]["kind"] == "authorizationServerError" and len(json.dumps(error)) < 20_000, member
    everything_else_goes_on(peer, provider)


def spellings(secret: str) -> list[str]:
    return [secret, urllib.parse.quote_plus(secret), urllib.parse.quote(secret, safe=""), json.dumps(secret)[1:-1]]


ECHOES = {
    "plain": lambda secret: secret,
    "form-encoded": urllib.parse.quote_plus,
    "with a combining mark behind": lambda secret: secret + "\u0301!",
    "cut off in the middle": lambda secret: "x" * (500 - len(secret) + 2) + secret,
    "with a control character inside": lambda secret: secret[:5] + "\u0001" + secret[5:],
    "in a url": lambda secret: "https://p.example/?x=" + urllib.parse.quote(secret, safe=""),
}


@pytest.mark.parametrize("member", ["error", "error_description", "error_uri", "error_codes"])
@pytest.mark.parametrize("echo", ECHOES)
def test_an_error_that_quotes_a_secret(start, provider, echo, member):
    peer = start("--log-level", "debug")
    seen, turns = [], iter(range(100))

    def refuse(request):
        form = dict(urllib.parse.parse_qsl(request.body.decode()))
        secrets = [form[name] for name in ("code", "code_verifier", "refresh_token", "client_secret") if name in form]
        seen.extend(secrets)
        secret = secrets[next(turns) % len(secrets)]
        value = ECHOES[echo](secret)
        return Response.of({"error": "invalid_request", member: [value] if member == "error_codes" else value}, 400)

    provider.instead["/token"] = refuse
    description = {**provider.description, "clientAuthentication": "body"}
    for _ in range(4):
        assert "error" in sign_in(peer, provider, clientSecret=CLIENT_SECRET, provider=description)
    del provider.instead["/token"]
    sign_in(peer, provider, clientSecret=CLIENT_SECRET, provider=description)
    provider.instead["/token"] = refuse
    for _ in range(2):
        assert "error" in peer.answer(peer.send("refresh", {"account": "a", "force": True}))
    peer.finish()
    assert len(seen) > 12
    for secret in seen:
        for spelling in [*spellings(secret), secret[: len(secret) - 4]]:
            assert spelling.encode() not in peer.stderr, f"{spelling} on stderr"
            assert spelling.encode() not in peer.stdout, f"{spelling!r} of {secret!r} in an answer"


@pytest.mark.parametrize("status", [400, 401])
def test_an_error_that_quotes_the_basic_credentials(start, provider, status):
    peer = start("--log-level", "debug")
    seen = []

    def refuse(request):
        seen.append(request.headers["Authorization"].split()[-1])
        return Response.of({"error": "invalid_client", "error_description": f"you sent {seen[-1]}"}, status)

    provider.instead["/token"] = refuse
    assert "error" in sign_in(peer, provider, clientSecret=CLIENT_SECRET)
    peer.finish()
    assert seen and seen[0].encode() not in peer.stdout + peer.stderr


@pytest.mark.parametrize(
    "headers",
    [
        {f"X-{number}": "a" for number in range(10_000)}, {"X": "a" * (1 << 20)}, {"Retry-After": "9" * 30}, {"Retry-After": "9223372036854775807"},
        {"Retry-After": "-1"}, {"Location": "http://["}, {"Content-Type": "\x01\x02"}, {"X": "caf\u00e9"}, {"Content-Encoding": "gzip"}, {"Content-Encoding": "br, zstd, x"},
        {"WWW-Authenticate": "Bearer " + ", " * 5000}, {"Date": "never"}, {"Link": "<>" * 10_000},
    ],
    ids=lambda value: repr(value)[:24],
)
@pytest.mark.parametrize("status", [200, 302, 503])
def test_headers_of_a_service(peer, provider, headers, status):
    authorize(peer, provider.approve, **provider.parameters())
    provider.instead["/api/odd"] = lambda request: Response(status, b"{}", headers)
    identifier = peer.send("callAPI", {"account": "a", "url": "odd", "timeout": 3, "retry": "Retry-After" in headers})
    answer = peer.answer(identifier)
    assert "result" in answer or answer["error"]["data"]["kind"] in ("serviceError", "networkFailure", "timedOut", "responseTooLarge"), answer
    everything_else_goes_on(peer, provider)


def test_a_compressed_bomb(peer, provider):
    bomb = gzip.compress(b"\0" * (256 << 20), 9)
    authorize(peer, provider.approve, **provider.parameters())
    provider.instead["/api/bomb"] = lambda request: Response(200, bomb, {"Content-Encoding": "gzip", "Content-Type": "application/json"})
    for params in ({"maxBytes": 100_000}, {}, {"maxBytes": 1, "as": "json"}):
        error = peer.answer(peer.send("callAPI", {"account": "a", "url": "bomb", **params}))["error"]
        assert error["data"]["kind"] == "responseTooLarge", error
    assert resident(peer) < 100_000
    everything_else_goes_on(peer, provider)


@pytest.mark.parametrize(
    "location",
    [
        "https://evil.invalid/", "http://localhost:{port}/", "http://127.0.0.1:1/", "file:///etc/passwd", "gopher://127.0.0.1:{port}/", "javascript:1", "http://127.1:{port}/x",
        "http://0x7f.1:{port}/", "http://[::ffff:127.0.0.1]:{port}/", "//user:pass@127.0.0.1:{port}/", "http://127.0.0.1:{port}@evil.invalid/", "\\\\evil.invalid\\", "http://a b/", "x\x01y", "",
        "ftp://127.0.0.1/", "data:text/plain,x", "http://2130706433:{port}/", "http://127.0.0.1.nip.io:{port}/", "unix:/run/x",
    ],
)
def test_redirects_of_a_service_elsewhere(peer, provider, location):
    """Nobody but the account's own host ever sees the token, wherever a redirect leads."""
    authorize(peer, provider.approve, **provider.parameters())
    token = peer.request("accessToken", {"account": "a"})["accessToken"]
    provider.instead["/api/go"] = lambda request: Response(307, b"", {"Location": location.format(port=provider.port)})
    before = len(provider.requests)
    answer = peer.answer(peer.send("callAPI", {"account": "a", "url": "go", "timeout": 5, "retry": False}))
    assert "result" in answer or answer["error"]["data"]["kind"] in ("networkFailure", "hostNotAllowed", "serviceError", "timedOut"), answer
    for request in provider.requests[before:]:
        assert request.path == "/api/go" or token not in str(request.headers), request
    everything_else_goes_on(peer, provider)


def test_a_redirect_to_a_url_with_a_user_name(peer, provider):
    """It is said what is wrong, and that it will not pass."""
    authorize(peer, provider.approve, **provider.parameters())
    provider.instead["/api/go"] = lambda request: Response(302, b"", {"Location": f"http://user:secret@127.0.0.1:{provider.port}/api/x"})
    error = peer.answer(peer.send("callAPI", {"account": "a", "url": "go"}))["error"]
    assert error["message"] == "a redirect leads to a url with a user name"
    assert error["data"] == {"kind": "networkFailure", "retryable": False, "account": "a", "host": "127.0.0.1", "cause": "redirects"}


def test_blanks_in_a_redirect(peer, provider):
    """As services leave them in the names of files, and every browser mends them."""
    authorize(peer, provider.approve, **provider.parameters())
    provider.instead["/api/go"] = lambda request: Response(302, b"", {"Location": "/api/my file.txt?q=a b"})
    provider.instead["/api/my%20file.txt"] = lambda request: Response.of({"target": request.target})
    answer = peer.request("callAPI", {"account": "a", "url": "go"})
    assert json.loads(answer["body"]) == {"target": "/api/my%20file.txt?q=a%20b"}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"access_token":"a","access_token":"b"}', "names a member twice"), (b'{"access_token":"a","x":{"y":1,"y":2}}', "names a member twice"),
        (b'{"access_token":"a"', "cannot be read"), (b'{"access_token":"a","n":"\xe9"}', "cannot be read"), (b'{"access_token":"a","n":"\\ud800"}', "cannot be read"),
        (b'{"access_token":"a"}{}', "cannot be read"), (b"{}", "has no access token"), (b"", "has no access token"),
    ],
)
def test_why_a_token_answer_has_no_token(peer, provider, body, words):
    provider.instead["/token"] = lambda request: Response(200, body, {"Content-Type": "application/json"})
    error = sign_in(peer, provider)["error"]
    assert error["data"]["kind"] == "responseUntrusted" and words in error["message"], error
    everything_else_goes_on(peer, provider)


def test_details_whose_names_are_the_same_once_they_are_clean(peer, provider):
    """No object that is written has a member twice."""
    description = {**provider.description, "apiErrors": {"success": "ok", "details": "details"}}
    authorize(peer, provider.approve, **provider.parameters(provider=description))
    provider.instead["/api/x"] = lambda request: Response.of({"ok": False, "details": {"a": 1, "a\u0001": 2, "x" * 600: 3, "x" * 700: 4}})
    error = peer.answer(peer.send("callAPI", {"account": "a", "url": "x"}))["error"]
    assert error["data"]["serviceDetails"] == {"a": 1, "x" * 500: 3}


@pytest.mark.parametrize("challenge", ['Bearer error="invalid_token"', 'Bearer realm="x", error = "invalid_token", error_description="revoked"', 'Bearer error="insufficient_scope"', 'Basic realm="x"'])
def test_a_dead_token_that_nothing_replaces(peer, provider, challenge):
    """Taken back at the provider, with neither an end nor a refresh token: `authorize` must not give it again for ever."""
    provider.instead["/token"] = lambda request: Response.of({"access_token": provider.secret(), "token_type": "Bearer"})
    authorize(peer, provider.approve, **provider.parameters())
    provider.instead["/api/x"] = lambda request: Response(401, b"", {"WWW-Authenticate": challenge})
    error = peer.answer(peer.send("callAPI", {"account": "a", "url": "x"}))["error"]
    assert error["data"]["kind"] == ("insufficientScope" if "insufficient_scope" in challenge else "serviceError")
    assert error["data"]["httpStatus"] == 401
    answer = peer.answer(peer.send("authorize", provider.parameters(interaction="never")))
    if "invalid_token" in challenge:
        assert answer["error"]["data"]["kind"] == "signInRequired" and answer["error"]["data"]["reason"] == "expired"
        assert sign_in(peer, provider)["result"]["via"] == "signedIn"
    else:
        assert answer["result"]["via"] == "stored"

"""A provider with arbitrary responses: the error is clear and of the right kind, and other accounts keep working."""

import json
import time
import urllib.parse

import pytest

from misbehaving import everything_else_goes_on, resident, sign_in
from provider import Response
from rpc import Peer, RPCFault
from signing_in import TokenProvider

CLIENT_SECRET = "cl13nt/s3cret+%&=\u00e9v"
GOOD = {"access_token": "at", "token_type": "Bearer", "refresh_token": "rt", "expires_in": 3600, "scope": "read"}


PAGE = {"Content-Type": "text/html"}
# What the token endpoint answers, and the kind of the error.
SICK = {
    "huge": (lambda url: Response(200, b'{"token_type":"Bearer","access_token":"' + b"a" * (64 << 20) + b'"}'), "responseTooLarge"),
    "garbage": (lambda url: Response(200, raw=b"\x16\x03\x01 this is no HTTP\r\n\r\n"), "networkFailure"),
    "a page": (lambda url: Response(200, b"<html>wrong", PAGE), "responseUntrusted"),
    "a page with 502": (lambda url: Response(502, b"<html>wrong", PAGE), "authorizationServerError"),
    "a loop": (lambda url: Response(307, headers={"Location": url + "/token"}), "authorizationServerError"),
    "another host": (lambda url: Response(307, headers={"Location": url.replace("127.0.0.1", "localhost") + "/elsewhere"}), "authorizationServerError"),
    "nothing": (lambda url: Response(200, is_dropped=True), "networkFailure"),
    "an empty body": (lambda url: Response(200), "responseUntrusted"),
    "an empty body with 400": (lambda url: Response(400), "authorizationServerError"),
    "a token with control characters": (lambda url: Response.of({**GOOD, "access_token": "at\0\n"}), "responseUntrusted"),
    "an error that is an object": (lambda url: Response.of({"error": {"message": "m", "type": "OAuthException", "code": 190}}, 400), "authorizationServerError"),
    "no access token": (lambda url: Response.of({"token_type": "Bearer", "refresh_token": "rt"}), "responseUntrusted"),
}


@pytest.mark.parametrize("name", SICK)
def test_the_token_endpoint(peer, provider, name):
    respond, kind = SICK[name]
    provider.instead["/token"] = lambda request: respond(provider.url)
    error = sign_in(peer, provider)["error"]
    assert error["data"]["kind"] == kind and error["data"]["account"] == "a", error
    assert resident(peer) < 200_000 and not [request for request in provider.requests if request.path == "/elsewhere"]
    everything_else_goes_on(peer, provider)


def answer_tokens(provider, text: str) -> None:
    provider.instead["/token"] = lambda request: Response(200, text.encode(), {"Content-Type": "application/json"})


def with_lifetime(expires: str) -> str:
    return json.dumps({**GOOD, "expires_in": "@", "refresh_token_expires_in": "@"}).replace('"@"', expires)


@pytest.mark.parametrize(
    "expires", ["-1", "0", "1e308", "-1e308", "1" + "0" * 30, "9223372036854775807", "9223372036854775808", '"soon"', '"1e309"', '"nan"', '"inf"', '"0x10"', "null", "[]", "{}", "true", '"\u0663"']
)
def test_an_invalid_lifetime_is_unknown(peer, provider, expires):
    answer_tokens(provider, with_lifetime(expires))
    result = sign_in(peer, provider)["result"]
    assert "expiresAt" not in result and result["canRefresh"] is True
    assert peer.request("accessToken", {"account": "a"})["accessToken"] == "at"
    everything_else_goes_on(peer, provider)


def test_a_lifetime_below_a_second_ends_at_once(peer, provider):
    answer_tokens(provider, with_lifetime("0.1"))
    before = int(time.time())
    assert before <= sign_in(peer, provider)["result"]["expiresAt"] <= time.time() + 1
    everything_else_goes_on(peer, provider)


def test_a_lifetime_that_no_number_holds_makes_the_answer_unreadable(peer, provider):
    answer_tokens(provider, with_lifetime("1e999"))
    assert sign_in(peer, provider)["error"]["data"]["kind"] == "responseUntrusted"
    everything_else_goes_on(peer, provider)


@pytest.mark.parametrize("token", ["", "a b", "a\n", "a\r\nX: y", "\u00e9", "a\0", 1, 1.5, None, True, [], ["a"], {"a": 1}], ids=repr)
def test_an_invalid_access_token_is_rejected(peer, provider, token):
    provider.instead["/token"] = lambda request: Response.of({**GOOD, "access_token": token})
    assert sign_in(peer, provider)["error"]["data"]["kind"] == "responseUntrusted"
    everything_else_goes_on(peer, provider)


def test_a_large_access_token_is_accepted(peer, provider):
    token = "x" * 900_000
    provider.instead["/token"] = lambda request: Response.of({**GOOD, "access_token": token})
    assert sign_in(peer, provider)["result"]["status"] == "authorized"
    assert peer.request("accessToken", {"account": "a"})["accessToken"] == token
    everything_else_goes_on(peer, provider)


def sign_in_with(peer: Peer, provider: TokenProvider, member: str, value) -> dict:
    """Returns the answer to `authorize` when the token response has this value in this member."""
    provider.instead["/token"] = lambda request: Response.of({**GOOD, member: value})
    return sign_in(peer, provider, interaction="always")


TEXTS = ["\0", "x\r\ny", "x" * 400_000]


@pytest.mark.parametrize("value", TEXTS, ids=lambda value: repr(value)[:12])
@pytest.mark.parametrize("member", ["token_type", "id_token"])
def test_an_invalid_token_type_or_id_token_is_rejected(peer, provider, member, value):
    assert sign_in_with(peer, provider, member, value)["error"]["data"]["kind"] == "responseUntrusted"
    everything_else_goes_on(peer, provider)


@pytest.mark.parametrize("value", TEXTS, ids=lambda value: repr(value)[:12])
def test_any_text_in_any_other_member_is_accepted(peer, provider, value):
    for member in ("refresh_token", "expires_in", "sub", "error_description"):
        result = sign_in_with(peer, provider, member, value)["result"]
        assert result["status"] == "authorized" and result["canRefresh"] is True and ("expiresAt" in result) is (member != "expires_in"), member
    everything_else_goes_on(peer, provider)


@pytest.mark.parametrize("value", [None, 1, -0.5, True, [], ["a", 1, None], {}, {"a": ["b"]}, ""], ids=repr)
def test_a_member_that_is_no_text_counts_as_absent(peer, provider, value):
    for member in ("token_type", "refresh_token", "id_token", "expires_in", "sub", "error_description"):
        result = sign_in_with(peer, provider, member, value)["result"]
        assert result["tokenType"] == "Bearer" and result["canRefresh"] is (member != "refresh_token"), member
        # Of these values, only a number is a valid lifetime.
        assert ("expiresAt" in result) is (member != "expires_in" or value is not True and value == 1), member
    everything_else_goes_on(peer, provider)


@pytest.mark.parametrize(
    ("value", "granted"),
    [
        *((value, ["read"]) for value in (None, 1, -0.5, True, {}, {"a": ["b"]})), *((value, []) for value in ("", "\0", "x\r\ny", 'a"b', [])),
        (["a", 1, None], ["a"]), ("a,b c", ["a", "b", "c"]), ("x" * 400_000, ["x" * 400_000]),
    ],
    ids=lambda value: repr(value)[:12],
)
def test_scopes_of_any_kind(peer, provider, value, granted):
    """A token response without a list of scopes grants the requested ones (RFC 6749, 5.1)."""
    assert sign_in_with(peer, provider, "scope", value)["result"]["grantedScopes"] == granted
    everything_else_goes_on(peer, provider)


DEEP: list = []
for _ in range(500):
    DEEP = [DEEP]


@pytest.mark.parametrize("value", [None, 1, 0.5, 2**60, 1e300, True, [], {}, "\0", "\u202e" * 3000, "x" * 900_000, DEEP, {"a\0b": 1, "n": [2**62, 0.25]}], ids=lambda value: repr(value)[:12])
def test_any_value_in_any_member_of_an_error(peer, provider, value):
    """Every received message is checked against the wire rules."""
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
    ("body", "words"),
    [
        (b'{"access_token":"a","access_token":"b"}', "names a member twice"), (b"access_token=a&access_token=b", "names a member twice"),
        (b'{"access_token":"a","x":{"y":1,"y":2}}', "names a member twice"),
        (b'{"access_token":"a"', "cannot be read"), (b'{"access_token":"a","n":"\xe9"}', "cannot be read"), (b'{"access_token":"a","n":"\\ud800"}', "cannot be read"),
        (b'{"access_token":"a"}{}', "cannot be read"), (b"{}", "has no access token"), (b"", "has no access token"),
    ],
)
def test_why_a_token_answer_has_no_token(peer, provider, body, words):
    provider.instead["/token"] = lambda request: Response(200, body, {"Content-Type": "application/json"})
    error = sign_in(peer, provider)["error"]
    assert error["data"]["kind"] == "responseUntrusted" and words in error["message"], error
    everything_else_goes_on(peer, provider)

"""A service with arbitrary responses: odd headers, bombs and redirects cause a clear error, and no other host gets the token."""

import gzip
import json

import pytest

from misbehaving import everything_else_goes_on, resident, sign_in
from provider import Response
from rpc import Peer
from signing_in import TokenProvider, authorize


def call_with(peer: Peer, provider: TokenProvider, status: int, headers: dict) -> dict:
    """Returns the answer to `callAPI` when the service responds with this status and these headers."""
    authorize(peer, provider.approve, **provider.parameters())
    provider.instead["/api/odd"] = lambda request: Response(status, b"{}", headers)
    return peer.answer(peer.send("callAPI", {"account": "a", "url": "odd", "timeout": 30, "retry": "Retry-After" in headers}))


@pytest.mark.parametrize(
    "headers",
    [
        {f"X-{number}": "a" for number in range(10_000)}, {"Retry-After": "9" * 30}, {"Retry-After": "9223372036854775807"}, {"Retry-After": "-1"},
        {"Content-Type": "\x01\x02"}, {"X": "caf\u00e9"}, {"WWW-Authenticate": "Bearer " + ", " * 5000}, {"Date": "never"}, {"Link": "<>" * 10_000},
    ],
    ids=lambda value: repr(value)[:24],
)
@pytest.mark.parametrize("status", [200, 302, 503])
def test_strange_headers_of_a_service_change_nothing(peer, provider, headers, status):
    answer = call_with(peer, provider, status, headers)
    if status == 503:
        assert answer["error"]["data"]["kind"] == "serviceError" and answer["error"]["data"]["httpStatus"] == 503
    else:
        assert answer["result"]["status"] == status and answer["result"]["body"] == "{}"
    everything_else_goes_on(peer, provider)


@pytest.mark.parametrize(
    ("headers", "cause"), [({"X": "a" * (1 << 20)}, "broken"), ({"Content-Encoding": "gzip"}, "protocol"), ({"Content-Encoding": "br, zstd, x"}, "protocol")],
    ids=lambda value: repr(value)[:24],
)
@pytest.mark.parametrize("status", [200, 302, 503])
def test_headers_that_make_an_answer_unreadable(peer, provider, headers, cause, status):
    data = call_with(peer, provider, status, headers)["error"]["data"]
    assert data["kind"] == "networkFailure" and data["cause"] == cause
    everything_else_goes_on(peer, provider)


def test_a_location_without_a_redirect_counts_for_nothing(peer, provider):
    assert call_with(peer, provider, 200, {"Location": "http://["})["result"]["status"] == 200


def test_a_compressed_bomb(peer, provider):
    bomb = gzip.compress(b"\0" * (256 << 20), 9)
    authorize(peer, provider.approve, **provider.parameters())
    provider.instead["/api/bomb"] = lambda request: Response(200, bomb, {"Content-Encoding": "gzip", "Content-Type": "application/json"})
    for params in ({"maxBytes": 100_000}, {}, {"maxBytes": 1, "as": "json"}):
        error = peer.answer(peer.send("callAPI", {"account": "a", "url": "bomb", **params}))["error"]
        assert error["data"]["kind"] == "responseTooLarge", error
    assert resident(peer) < 100_000
    everything_else_goes_on(peer, provider)


def follow(peer: Peer, provider: TokenProvider, location: str) -> tuple[dict, list]:
    """Returns the error data of a redirect to this location, and the requests after the first. None of those has the token."""
    authorize(peer, provider.approve, **provider.parameters())
    token = peer.request("accessToken", {"account": "a"})["accessToken"]
    provider.instead["/api/go"] = lambda request: Response(307, b"", {"Location": location.format(port=provider.port)})
    before = len(provider.requests)
    data = peer.answer(peer.send("callAPI", {"account": "a", "url": "go", "timeout": 30, "retry": False}))["error"]["data"]
    first, *rest = provider.requests[before:]
    assert token in first.headers["Authorization"]
    for request in rest:
        assert request.path == "/api/go" or token not in str(request.headers), request
    everything_else_goes_on(peer, provider)
    return data, [request for request in rest if request.path != "/api/go"]


@pytest.mark.parametrize(
    "location",
    [
        "file:///etc/passwd", "gopher://127.0.0.1:{port}/", "javascript:1", "http://127.1:{port}/x", "http://0x7f.1:{port}/", "http://[::ffff:127.0.0.1]:{port}/",
        "ftp://127.0.0.1/", "data:text/plain,x", "http://2130706433:{port}/", "http://127.0.0.1.nip.io:{port}/", "unix:/run/x",
    ],
)
def test_a_redirect_to_a_place_that_is_not_allowed(peer, provider, location):
    data, elsewhere = follow(peer, provider, location)
    assert data["kind"] == "hostNotAllowed" and not elsewhere


@pytest.mark.parametrize(
    "location", ["//user:pass@127.0.0.1:{port}/", "http://127.0.0.1:{port}@evil.invalid/", "\\\\evil.invalid\\", "http://a b/", "x\x01y", "http://[", ""]
)
def test_a_redirect_that_leads_nowhere(peer, provider, location):
    """An empty location leads back to the same URL until the redirect limit."""
    data, elsewhere = follow(peer, provider, location)
    assert (data["kind"], data["cause"]) == ("networkFailure", "redirects") and not elsewhere


@pytest.mark.parametrize(
    ("location", "cause"),
    # Outside the isolated network, a resolver that does not respond would exceed the test's time.
    [pytest.param("https://evil.invalid/", "resolve", marks=pytest.mark.own_network), ("http://127.0.0.1:1/", "connect")],
)
def test_a_redirect_to_a_host_that_is_not_there(peer, provider, location, cause):
    data, elsewhere = follow(peer, provider, location)
    assert (data["kind"], data["cause"]) == ("networkFailure", cause) and not elsewhere


def test_a_redirect_to_another_name_of_the_host_goes_without_the_token(peer, provider):
    data, elsewhere = follow(peer, provider, "http://localhost:{port}/")
    assert data["kind"] == "serviceError" and data["httpStatus"] == 404
    assert [request.path for request in elsewhere] == ["/"] and "Authorization" not in elsewhere[0].headers


def test_a_redirect_to_a_url_with_a_user_name(peer, provider):
    """The error names the fault and is not retryable."""
    authorize(peer, provider.approve, **provider.parameters())
    provider.instead["/api/go"] = lambda request: Response(302, b"", {"Location": f"http://user:secret@127.0.0.1:{provider.port}/api/x"})
    error = peer.answer(peer.send("callAPI", {"account": "a", "url": "go"}))["error"]
    assert error["message"] == "a redirect leads to a URL with a user name"
    assert error["data"] == {"kind": "networkFailure", "retryable": False, "account": "a", "host": "127.0.0.1", "cause": "redirects"}


def test_blanks_in_a_redirect(peer, provider):
    """Services leave blanks in file names, and every browser encodes them."""
    authorize(peer, provider.approve, **provider.parameters())
    provider.instead["/api/go"] = lambda request: Response(302, b"", {"Location": "/api/my file.txt?q=a b"})
    provider.instead["/api/my%20file.txt"] = lambda request: Response.of({"target": request.target})
    answer = peer.request("callAPI", {"account": "a", "url": "go"})
    assert json.loads(answer["body"]) == {"target": "/api/my%20file.txt?q=a%20b"}


def test_details_whose_names_are_the_same_once_they_are_clean(peer, provider):
    """No written object has a duplicate member."""
    description = {**provider.description, "apiErrors": {"success": "ok", "details": "details"}}
    authorize(peer, provider.approve, **provider.parameters(provider=description))
    provider.instead["/api/x"] = lambda request: Response.of({"ok": False, "details": {"a": 1, "a\u0001": 2, "x" * 600: 3, "x" * 700: 4}})
    error = peer.answer(peer.send("callAPI", {"account": "a", "url": "x"}))["error"]
    assert error["data"]["serviceDetails"] == {"a": 1, "x" * 500: 3}


@pytest.mark.parametrize("challenge", ['Bearer error="invalid_token"', 'Bearer realm="x", error = "invalid_token", error_description="revoked"', 'Bearer error="insufficient_scope"', 'Basic realm="x"'])
def test_a_revoked_token_without_a_refresh_token(peer, provider, challenge):
    """The provider has revoked the token, which has neither expiry nor refresh token. `authorize` must not return it forever."""
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

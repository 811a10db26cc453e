"""Tokens that must be renewed before they expire: each use renews them early, and a failed renewal has no effect on it."""

import time

import pytest

from provider import Request, Response
from signing_in import TokenProvider

USES = {
    "callAPI": {"url": "me"},
    "accessToken": {},
    "authorizeRequest": {"url": "me"},
    "refresh": {},
}


@pytest.fixture
def renewing():
    with TokenProvider() as provider:
        yield provider


def described(provider) -> dict:
    own = {"refreshStyle": "accessToken", "refreshTokenParameter": "access_token", "refreshGrantType": "x_refresh", "renewWithin": 86400}
    return {**provider.description, **own}


def import_token(peer, provider, left: int, age: int, account: str = "a") -> None:
    """Imports a token that was issued `age` seconds ago and is valid for `left` seconds more."""
    provider.secrets.add("old-token")
    provider.living.add("old-token")
    now = int(time.time())
    data = {"access_token": "old-token", "expires_in": age + left}
    peer.request(
        "importGrant",
        {"account": account, "format": "json", "data": data, "clientId": "c", "issuedAt": now - age, "provider": described(provider)},
    )


def token_requests(provider) -> int:
    return sum(request.path == "/token" for request in provider.requests)


@pytest.mark.parametrize("method", USES)
def test_each_use_renews_the_token(peer, renewing, method):
    import_token(peer, renewing, left=3600, age=7200)
    peer.request(method, {"account": "a", **USES[method]})
    assert token_requests(renewing) == 1
    assert peer.request("accessToken", {"account": "a"})["accessToken"] != "old-token"
    assert token_requests(renewing) == 1


def test_authorize_renews_it_too(peer, renewing):
    import_token(peer, renewing, left=3600, age=7200)
    assert peer.request("authorize", {"account": "a", "interaction": "never"})["via"] == "refreshed"


@pytest.mark.parametrize("left,age", [(7200, 3600), (90000, 200000)])
def test_not_before_its_time(peer, renewing, left, age):
    import_token(peer, renewing, left=left, age=age)
    assert peer.request("authorize", {"account": "a", "interaction": "never"})["via"] == "stored"
    assert token_requests(renewing) == 0


@pytest.mark.parametrize("status,body", [(503, b"old-token is busy"), (400, b'{"error":"invalid_grant","error_description":"old-token"}')])
def test_a_failed_renewal_fails_no_request(peer, renewing, status, body):
    import_token(peer, renewing, left=3600, age=7200)
    renewing.instead["/token"] = lambda request: Response(status, body)
    for _ in range(3):
        assert peer.request("callAPI", {"account": "a", "url": "me"})["status"] == 200
    assert peer.request("authorize", {"account": "a", "interaction": "never"})["via"] == "stored"
    # The process tries again only after five minutes, and reports one failure once.
    assert token_requests(renewing) == 1
    told = [event["params"]["errorDetails"] for event in peer.events if event["method"] == "errorOccuredWithShortDescription"]
    assert len(told) == 1 and told[0].startswith("the access token could not be renewed early")
    assert "old-token" not in told[0]

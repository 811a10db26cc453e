"""Tokens of a minute and less: each use, each process and each open page takes the token that is there."""

import time

import pytest

from rpc import RPCFault
from signing_in import TokenProvider, authorize


@pytest.fixture
def provider():
    with TokenProvider(lifetime=40) as running:
        yield running


def refreshes(provider) -> int:
    return sum(b"refresh_token=" in request.body for request in provider.requests)


def import_token(peer, provider, lifetime: int, age: int) -> None:
    provider.living.add("old-token")
    data = {"access_token": "old-token", "refresh_token": "old-refresh", "expires_in": lifetime}
    peer.request(
        "importGrant",
        {"account": "a", "format": "json", "data": data, "clientId": "c", "issuedAt": int(time.time()) - age, "provider": provider.description},
    )


def test_a_token_of_40_seconds_is_used_again(peer, provider):
    authorize(peer, provider.approve, **provider.parameters())
    for _ in range(3):
        peer.request("accessToken", {"account": "a"})
        assert peer.request("callAPI", {"account": "a", "url": "me"})["status"] == 200
    assert peer.request("refresh", {"account": "a"})["refreshed"] is False
    assert peer.request("authorize", {"account": "a", "interaction": "never"})["via"] == "stored"
    assert refreshes(provider) == 0


@pytest.mark.parametrize("age,wanted", [(45, 0), (65, 1)])
def test_it_counts_as_expired_a_quarter_of_its_lifetime_early(peer, provider, age, wanted):
    import_token(peer, provider, lifetime=80, age=age)
    peer.request("accessToken", {"account": "a"})
    assert refreshes(provider) == wanted


def test_another_process_adopts_it(start, provider):
    one, other = start(), start()
    import_token(one, provider, lifetime=40, age=100)
    # Both have seen the expired token before it is refreshed.
    for peer in (one, other):
        assert peer.request("account", {"account": "a"})["canAuthorize"] is True
    first = one.request("accessToken", {"account": "a"})["accessToken"]
    assert other.request("accessToken", {"account": "a"})["accessToken"] == first
    assert refreshes(provider) == 1


def test_processes_that_refresh_at_once_send_one_request(start, provider):
    peers = [start() for _ in range(4)]
    import_token(peers[0], provider, lifetime=40, age=100)
    provider.instead["/token"] = lambda request: time.sleep(0.5)
    asked = [peer.send("accessToken", {"account": "a"}) for peer in peers]
    assert len({peer.result(identifier)["accessToken"] for peer, identifier in zip(peers, asked)}) == 1
    assert refreshes(provider) == 1


def test_it_ends_the_sign_in_of_another_process(start, provider):
    one, other = start(), start()
    first, second = (peer.send("authorize", provider.parameters()) for peer in (one, other))
    url = one.event("signInWasRequested", request=first)["url"]
    other.event("signInWasRequested", request=second)
    provider.approve(url)
    assert one.result(first)["via"] == "signedIn"
    assert other.result(second)["via"] == "stored"


def test_a_caller_that_wants_more_than_a_lifetime_gets_a_new_token(peer, provider):
    authorize(peer, provider.approve, **provider.parameters())
    before = peer.request("accessToken", {"account": "a"})["accessToken"]
    assert peer.request("accessToken", {"account": "a", "minimumValidity": 60})["accessToken"] != before
    assert refreshes(provider) == 1

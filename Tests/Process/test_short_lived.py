"""Tokens of a minute or less: each use, process and open page takes the stored token."""

import time

import pytest

from signing_in import authorize


@pytest.fixture
def short_lived_provider(provider):
    """The provider, with tokens that are valid for 40 seconds."""
    provider.lifetime = 40
    return provider


def refreshes(provider) -> int:
    return sum(b"refresh_token=" in request.body for request in provider.requests)


def import_token(peer, provider, lifetime: int, age: int) -> None:
    provider.living.add("old-token")
    data = {"access_token": "old-token", "refresh_token": "old-refresh", "expires_in": lifetime}
    peer.request(
        "importGrant",
        {"account": "a", "format": "json", "data": data, "clientId": "c", "issuedAt": int(time.time()) - age, "provider": provider.description},
    )


def test_a_token_of_40_seconds_is_used_again(peer, short_lived_provider):
    authorize(peer, short_lived_provider.approve, **short_lived_provider.parameters())
    for _ in range(3):
        peer.request("accessToken", {"account": "a"})
        assert peer.request("callAPI", {"account": "a", "url": "me"})["status"] == 200
    assert peer.request("refresh", {"account": "a"})["refreshed"] is False
    assert peer.request("authorize", {"account": "a", "interaction": "never"})["via"] == "stored"
    assert refreshes(short_lived_provider) == 0


@pytest.mark.parametrize("age,wanted", [(45, 0), (65, 1)])
def test_it_counts_as_expired_a_quarter_of_its_lifetime_early(peer, short_lived_provider, age, wanted):
    import_token(peer, short_lived_provider, lifetime=80, age=age)
    peer.request("accessToken", {"account": "a"})
    assert refreshes(short_lived_provider) == wanted


def test_another_process_adopts_it(start, short_lived_provider):
    one, other = start(), start()
    import_token(one, short_lived_provider, lifetime=40, age=100)
    # Both have read the expired token before the refresh.
    for peer in (one, other):
        assert peer.request("account", {"account": "a"})["canAuthorize"] is True
    first = one.request("accessToken", {"account": "a"})["accessToken"]
    assert other.request("accessToken", {"account": "a"})["accessToken"] == first
    assert refreshes(short_lived_provider) == 1


def test_processes_that_refresh_at_once_send_one_request(start, short_lived_provider):
    peers = [start() for _ in range(4)]
    import_token(peers[0], short_lived_provider, lifetime=40, age=100)
    short_lived_provider.instead["/token"] = lambda request: time.sleep(0.5)
    asked = [peer.send("accessToken", {"account": "a"}) for peer in peers]
    assert len({peer.result(identifier)["accessToken"] for peer, identifier in zip(peers, asked)}) == 1
    assert refreshes(short_lived_provider) == 1


def test_it_ends_the_sign_in_of_another_process(start, short_lived_provider):
    one, other = start(), start()
    first, second = (peer.send("authorize", short_lived_provider.parameters()) for peer in (one, other))
    url = one.event("signInWasRequested", request=first)["url"]
    other.event("signInWasRequested", request=second)
    short_lived_provider.approve(url)
    assert one.result(first)["via"] == "signedIn"
    assert other.result(second)["via"] == "stored"

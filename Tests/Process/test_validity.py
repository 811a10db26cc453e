"""A token that another program gets lasts for a while: a quarter of its life, at most 300 seconds. The process's own calls need less."""

import threading
import time

import pytest

from provider import Response
from rpc import RPCFault, shifted
from test_other_tokens import scoped  # noqa: F401
from test_short_lived import refreshes

# Every method that hands a credential out. The provider's host is that of its API, its Git repositories and its registry.
HANDS_OUT = {
    "accessToken": {"account": "a"},
    "authorizeRequest": {"account": "a", "url": "me"},
    **{f"hostCredential {use}": {"use": use, "protocol": "http"} for use in ("git", "registry", "api")},
}


def hand_out(peer, provider, name: str, **more) -> str:
    """Returns the token."""
    params = {**HANDS_OUT[name], **more}
    if "use" in params:
        params["host"] = provider.url.removeprefix("http://")
    result = peer.request(name.split()[0], params)
    return result.get("accessToken") or result.get("password") or result["headers"]["Authorization"].split()[1]


def import_token(peer, provider, lifetime: int, left: int, **data) -> None:
    host = provider.url.removeprefix("http://")
    provider.living.add("old-token")
    peer.request(
        "importGrant",
        {"account": "a", "format": "json", "data": {"access_token": "old-token", "expires_in": lifetime, **data}, "clientId": "c",
         "issuedAt": int(time.time()) - lifetime + left, "provider": {**provider.description, "gitHosts": [host], "registryHosts": [host]}})


REFRESHED = {"refresh_token": "r"}


@pytest.mark.parametrize("name", HANDS_OUT)
@pytest.mark.parametrize("lifetime,left,wanted", [(3600, 290, 1), (3600, 310, 0), (400, 90, 1), (400, 110, 0)])
def test_a_credential_is_renewed_before_the_other_program_could_meet_its_end(peer, provider, name, lifetime, left, wanted):
    import_token(peer, provider, lifetime, left, **REFRESHED)
    assert (hand_out(peer, provider, name) != "old-token") == wanted == refreshes(provider)


def test_a_call_uses_the_same_token_to_its_last_minute(peer, provider):
    import_token(peer, provider, 3600, 120, **REFRESHED)
    assert peer.request("callAPI", {"account": "a", "url": "me"})["status"] == 200
    assert refreshes(provider) == 0


@pytest.mark.parametrize("name", HANDS_OUT)
@pytest.mark.parametrize("status,error", [(503, "temporarily_unavailable"), (400, "invalid_grant")])
def test_a_server_that_does_not_renew_yet_costs_no_working_token(peer, provider, name, status, error):
    import_token(peer, provider, 3600, 120, **REFRESHED)
    provider.instead["/token"] = lambda request: Response.of({"error": error}, status)
    assert hand_out(peer, provider, name) == "old-token"
    assert peer.request("account", {"account": "a"})["canAuthorize"] is True


@pytest.mark.parametrize("name", ["accessToken", "hostCredential git"])
def test_a_number_above_half_the_life_counts_as_half(peer, provider, name):
    """A line with a fixed number would otherwise renew at each call, and a provider of 5 minutes would end a login that renews too often."""
    import_token(peer, provider, 300, 140, **REFRESHED)
    provider.lifetime = 300
    tokens = [hand_out(peer, provider, name, minimumValidity=600) for _ in range(3)]
    assert "old-token" not in tokens and len(set(tokens)) == refreshes(provider) == 1


def test_a_caller_that_names_a_number_gets_no_token_that_ends_before(peer, provider):
    import_token(peer, provider, 3600, 500, **REFRESHED)
    provider.instead["/token"] = lambda request: Response.of({"error": "temporarily_unavailable"}, 503)
    with pytest.raises(RPCFault):
        hand_out(peer, provider, "accessToken", minimumValidity=600)
    assert hand_out(peer, provider, "accessToken", minimumValidity=400) == "old-token"


def test_a_token_without_a_way_to_renew_it_is_given_to_its_end(peer, provider):
    import_token(peer, provider, 3600, 100)
    assert hand_out(peer, provider, "accessToken") == "old-token"


@pytest.mark.parametrize("status", [200, 503])
def test_another_token_of_a_login_lasts_as_long(start, scoped, status):
    asked = {"account": "a", "scopes": ["mail"]}
    with start() as peer:
        scoped.sign_in(peer, otherTokens={"scopes": "refresh"})
        first = peer.request("accessToken", asked)["accessToken"]
    if status != 200:
        scoped.instead["/token"] = lambda request: Response.of({"error": "temporarily_unavailable"}, status)
    later = start(binary=shifted(3400))
    assert (later.request("accessToken", asked)["accessToken"] == first) == (status != 200)
    assert later.request("callAPI", {**asked, "url": "x"})["status"] == 200


def test_a_server_that_hangs_costs_seconds(start, provider):
    """Some programs give a helper ten seconds. Each process returns the good token within that time, also if another one holds the lock."""
    peers = [start() for _ in range(3)]
    import_token(peers[0], provider, 3600, 120, **REFRESHED)
    is_over = threading.Event()
    provider.instead["/token"] = lambda request: is_over.wait(60)
    asked = [peer.send("accessToken", {"account": "a"}) for peer in peers]
    tokens = [peer.result(identifier)["accessToken"] for peer, identifier in zip(peers, asked)]
    # The server has not answered yet.
    assert tokens == ["old-token"] * 3 and not is_over.is_set()
    is_over.set()

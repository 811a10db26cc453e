"""A token endpoint that never answers, and two processes on one store: nobody waits for what somebody else waits for."""

import threading
import time

import pytest

from rpc import RPCFault
from signing_in import TokenProvider, authorize, redirect


@pytest.fixture
def provider():
    with TokenProvider() as running:
        running.gate = threading.Event()
        yield running
        running.gate.set()


def hang(provider) -> None:
    """From now on a refresh is answered when the gate opens."""

    def token(request):
        if b"refresh_token" in request.body:
            provider.gate.wait(40)

    provider.instead["/token"] = token


def refreshing(peer, provider) -> object:
    """An account whose refresh hangs."""
    described = {**provider.description, **({"userInfoEndpoint": provider.userinfo} if hasattr(provider, "userinfo") else {})}
    authorize(peer, provider.approve, **provider.parameters(provider=described))
    hang(provider)
    before = len(provider.requests)
    identifier = peer.send("refresh", {"account": "a", "force": True})
    deadline = time.monotonic() + 10
    while len(provider.requests) == before and time.monotonic() < deadline:
        time.sleep(0.02)
    return identifier


def test_a_page_finished_in_one_process_ends_the_other_ones(start, provider):
    one, other = start(), start()
    first, second = (peer.send("authorize", provider.parameters()) for peer in (one, other))
    url = one.event("signInWasRequested", request=first)["url"]
    other.event("signInWasRequested", request=second)
    provider.approve(url)
    assert one.result(first)["via"] == "signedIn"
    result = other.result(second)
    assert result["via"] == "stored" and result["grantedScopes"] == ["read"]
    assert other.event("authorizationWasSuccessful", request=second)["via"] == "stored"


def test_a_call_ends_in_its_time(start, provider):
    one, other = start(), start()
    refreshing(one, provider)
    provider.living = set()
    for peer in (one, other):
        began = time.monotonic()
        with pytest.raises(RPCFault) as fault:
            peer.request("callAPI", {"account": "a", "url": "x", "timeout": 2})
        assert fault.value.kind == "timedOut" and time.monotonic() - began < 6


TOKEN_METHODS = {
    "refresh": {},
    "accessToken": {},
    "authorizeRequest": {"url": "x"},
    "userInfo": {},
    "authorize": {},
    "callAPI": {"url": "x"},
}


@pytest.mark.parametrize("method", TOKEN_METHODS)
def test_whatever_needs_a_token_ends_in_its_time(start, provider, method):
    """Both the process whose refresh hangs and the one that waits for its lock; the refresh goes on and is kept."""
    one, other = start(), start()
    provider.lifetime = 30
    provider.userinfo = provider.url + "/api/userinfo"
    refreshing(one, provider)
    params = {"account": "a", "timeout": 1, **TOKEN_METHODS[method]}
    for peer in (one, other):
        began = time.monotonic()
        with pytest.raises(RPCFault) as fault:
            peer.request(method, params)
        assert fault.value.kind == "timedOut" and fault.value.data["retryable"] is True
        assert fault.value.data["account"] == "a" and 0.9 < time.monotonic() - began < 3
    provider.lifetime = 3600
    provider.gate.set()
    one.event("accessTokenWasRefreshed")
    for peer in (one, other):
        assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    assert sum(b"refresh_token=" in request.body for request in provider.requests) == 1


def test_revoking_does_not_wait_for_the_lock(start, provider):
    one, other = start(), start()
    refreshing(one, provider)
    began = time.monotonic()
    assert other.request("revoke", {"account": "a"})["revoked"] is True
    assert time.monotonic() - began < 5


def test_the_answer_that_came_while_the_process_was_stopped_is_taken(peer, provider):
    """A laptop is closed, or a job is stopped, for longer than the answer may take."""
    authorize(peer, provider.approve, **provider.parameters())
    provider.instead["/api/x"] = lambda request: time.sleep(0.5)
    before = len(provider.requests)
    identifier = peer.send("callAPI", {"account": "a", "url": "x", "timeout": 2})
    deadline = time.monotonic() + 10
    while len(provider.requests) == before and time.monotonic() < deadline:
        time.sleep(0.01)
    peer.kill("STOP")
    time.sleep(3)
    peer.kill("CONT")
    assert peer.result(identifier)["status"] == 200


def test_the_refresh_of_a_call_that_gave_up_is_kept(peer, provider):
    refreshing(peer, provider)
    provider.living = set()
    with pytest.raises(RPCFault):
        peer.request("callAPI", {"account": "a", "url": "x", "timeout": 1})
    provider.gate.set()
    peer.event("accessTokenWasRefreshed")
    assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200


@pytest.mark.parametrize("who", ["the one that refreshes", "another process"])
def test_signing_out_does_not_wait(start, provider, who):
    one, other = start(), start()
    refresh = refreshing(one, provider)
    peer = one if who == "the one that refreshes" else other
    began = time.monotonic()
    assert peer.request("signOut", {"account": "a"})["wasSignedIn"] is True
    assert time.monotonic() - began < 5
    provider.gate.set()
    with pytest.raises(RPCFault) as fault:
        one.result(refresh)
    assert fault.value.kind == "signInRequired"
    time.sleep(0.3)
    for peer in (one, other):
        assert peer.request("account", {"account": "a"})["canAuthorize"] is False


def test_exit_after_shutdown_does_not_wait_again(peer, provider):
    refreshing(peer, provider)
    assert peer.request("shutdown", timeout=30) is None
    began = time.monotonic()
    peer.notify("exit")
    assert peer.wait(30) == 0
    assert time.monotonic() - began < 5


def test_the_same_signal_again_ends_at_once(peer, provider):
    refreshing(peer, provider)
    peer.kill("TERM")
    # Sent twice in one breath it is one wish, and the refresh has its time.
    peer.kill("TERM")
    time.sleep(1.5)
    assert peer.process.poll() is None
    began = time.monotonic()
    peer.kill("TERM")
    peer.wait(30)
    assert time.monotonic() - began < 3


def exchanging(peer, provider, **more) -> tuple[object, object]:
    """The ids of an authorize and of a handleRedirect whose code the token endpoint says nothing to."""
    provider.instead["/token"] = lambda request: provider.gate.wait(40) and None
    first = peer.send("authorize", provider.parameters(redirectUri="app.example:/cb", **more))
    url = peer.event("signInWasRequested", request=first)["url"]
    before = len(provider.requests)
    second = peer.send("handleRedirect", {"url": redirect(url, code="c0de")})
    deadline = time.monotonic() + 10
    while len(provider.requests) == before and time.monotonic() < deadline:
        time.sleep(0.02)
    return first, second


def nothing_was_granted(peer, provider) -> None:
    provider.gate.set()
    time.sleep(0.3)
    assert peer.request("account", {"account": "a"})["canAuthorize"] is False
    assert not [event for event in peer.events if event["method"] == "authorizationWasSuccessful"]


def test_the_timeout_counts_while_a_code_is_exchanged(peer, provider):
    first, second = exchanging(peer, provider, timeout=2)
    with pytest.raises(RPCFault) as fault:
        peer.result(first)
    assert fault.value.kind == "timedOut" and not provider.gate.is_set()
    assert peer.event("signInWasAbandoned", request=first)["reason"] == "timedOut"
    assert peer.result(second)["handled"] is True
    nothing_was_granted(peer, provider)


def test_the_last_cancelled_request_stops_the_exchange(peer, provider):
    first, _ = exchanging(peer, provider)
    peer.notify("$/cancelRequest", {"id": first})
    assert peer.answer(first)["error"]["code"] == -32800
    assert peer.event("signInWasAbandoned", request=first)["reason"] == "cancelled"
    nothing_was_granted(peer, provider)


def test_signing_out_stops_the_exchange(peer, provider):
    first, _ = exchanging(peer, provider)
    assert peer.request("signOut", {"account": "a"})["wasSignedIn"] is False
    with pytest.raises(RPCFault) as fault:
        peer.result(first)
    assert fault.value.kind == "signInRequired" and not provider.gate.is_set()
    nothing_was_granted(peer, provider)


def test_a_cancelled_redirect_ends_its_own_wait(peer, provider):
    first, second = exchanging(peer, provider)
    peer.notify("$/cancelRequest", {"id": second})
    assert peer.answer(second)["error"]["code"] == -32800
    provider.gate.set()
    assert peer.result(first)["via"] == "signedIn"


def test_a_page_wanted_anew_waits_for_an_exchange_no_longer_than_asked(peer, provider):
    exchanging(peer, provider)
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", provider.parameters(redirectUri="app.example:/cb", interaction="always", timeout=1))
    assert fault.value.kind == "timedOut" and not provider.gate.is_set()

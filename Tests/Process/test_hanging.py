"""A token endpoint that never responds, and two processes on one store: each request keeps its own timeout.

Cases that wait for seconds run side by side in the one test at the end.
"""

import contextlib
import functools
import threading
import time

import pytest

from rpc import RPCFault
from signing_in import TokenProvider, authorize, redirect
from together import Peers, run_together
from waiting import Hold, traced, wait_until

# The cases by name, in the order of their start. Each is called with `start`, a provider and its own values.
CASES = {}


def case(*values):
    """Registers a function as a case, or once for each of the values."""

    def register(function):
        for value in values or [()]:
            value = value if isinstance(value, tuple) else (value,)
            CASES[" ".join([function.__name__, *value])] = functools.partial(run_case, function, value)
        return function

    return register


def run_case(function, values, folder) -> None:
    with Peers(folder / "home") as start, hanging_provider() as provider:
        function(start, provider, *values)


@contextlib.contextmanager
def hanging_provider():
    with TokenProvider() as running:
        running.gate = threading.Event()
        try:
            yield running
        finally:
            running.gate.set()


@pytest.fixture
def gated_provider():
    """A provider whose token endpoint waits for `gate` when a test makes it hang."""
    with hanging_provider() as running:
        yield running


def hang(provider) -> None:
    """Holds back the responses to refreshes until the gate opens."""

    def token(request):
        if b"refresh_token" in request.body:
            provider.gate.wait(100)

    provider.instead["/token"] = token


def refreshing(peer, provider) -> object:
    """Starts a refresh that hangs and returns its id."""
    described = {**provider.description, **({"userInfoEndpoint": provider.userinfo} if hasattr(provider, "userinfo") else {})}
    authorize(peer, provider.approve, **provider.parameters(provider=described))
    hang(provider)
    before = len(provider.requests)
    identifier = peer.send("refresh", {"account": "a", "force": True})
    wait_until(lambda: len(provider.requests) > before)
    return identifier


def answer_and_end(peer, provider, asked: int | None) -> None:
    """Opens the gate. The process then ends, by itself or after the answer to the `shutdown` request `asked`."""
    provider.gate.set()
    if asked is not None:
        assert peer.result(asked) is None
        peer.notify("exit")
    peer.wait(60)


# The number of longest cases, each with its own thread from the start.
LONG = 4


@case("TERM", "INT", "shutdown")
def a_refresh_has_the_time_that_an_exchange_may_take(start, provider, how):
    peer = start()
    began = time.monotonic()
    refreshing(peer, provider)
    asked = None
    if how == "shutdown":
        asked = peer.send("shutdown")
    else:
        peer.kill(how)
    # The provider is slow but working: an exchange may take 30 seconds, and a busy machine needs some of them.
    time.sleep(max(0, began + 20 - time.monotonic()))
    assert peer.process.poll() is None
    answer_and_end(peer, provider, asked)
    # The response is stored: the call uses the new token without another refresh.
    assert start().request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    assert sum(b"refresh_token=" in request.body for request in provider.requests) == 1


@case()
def exit_after_shutdown_does_not_wait_again(start, provider):
    peer = start()
    refreshing(peer, provider)
    assert peer.request("shutdown", timeout=100) is None
    peer.notify("exit")
    assert peer.wait(60) == 0


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


@case()
def a_call_ends_in_its_time(start, provider):
    one, other = start(), start()
    refreshing(one, provider)
    provider.living = set()
    for peer in (one, other):
        with pytest.raises(RPCFault) as fault:
            peer.request("callAPI", {"account": "a", "url": "x", "timeout": 2})
        assert fault.value.kind == "timedOut"


TOKEN_METHODS = {
    "refresh": {},
    "accessToken": {},
    "authorizeRequest": {"url": "x"},
    "userInfo": {},
    "authorize": {},
    "callAPI": {"url": "x"},
}


@case(*TOKEN_METHODS)
def every_use_of_a_token_keeps_its_timeout(start, provider, method):
    """The process whose refresh hangs and the one that waits for its lock both time out. The refresh continues and is stored."""
    one, other = start(), start()
    # The token expires on arrival, so every use needs a refresh.
    provider.lifetime = 0.5
    provider.userinfo = provider.url + "/api/userinfo"
    refreshing(one, provider)
    params = {"account": "a", "timeout": 1, **TOKEN_METHODS[method]}
    for peer in (one, other):
        began = time.monotonic()
        with pytest.raises(RPCFault) as fault:
            peer.request(method, params)
        assert fault.value.kind == "timedOut" and fault.value.data["retryable"] is True
        assert fault.value.data["account"] == "a" and time.monotonic() - began > 0.9
    provider.lifetime = 3600
    provider.gate.set()
    one.event("accessTokenWasRefreshed")
    for peer in (one, other):
        assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    assert sum(b"refresh_token=" in request.body for request in provider.requests) == 1


@case("the one that refreshes", "another process")
def revoking_waits_for_the_tokens_that_are_on_their_way(start, provider, who):
    one, other = start(), start()
    refresh = refreshing(one, provider)
    revoker = one if who == "the one that refreshes" else other
    revocation = revoker.send("revoke", {"account": "a"})
    time.sleep(0.5)
    assert not [request for request in provider.requests if request.path == "/revoke"]
    provider.gate.set()
    assert revoker.result(revocation)["revoked"] is True
    # The grant is stored before it is revoked.
    assert one.result(refresh)["refreshed"] is True
    (living,) = provider.living
    revoked = [request.body for request in provider.requests if request.path == "/revoke"]
    assert any(f"token={living}&".encode() in body + b"&" for body in revoked)
    for peer in (one, other):
        assert peer.request("account", {"account": "a"})["canAuthorize"] is False


@case()
def a_response_that_arrives_while_the_process_is_stopped_is_used(start, provider):
    """A closed laptop or a stopped job pauses the process for longer than the exchange may take."""
    peer = start()
    authorize(peer, provider.approve, **provider.parameters())
    provider.instead["/api/x"] = hold = Hold()
    identifier = peer.send("callAPI", {"account": "a", "url": "x", "timeout": 8})
    hold.wait()
    peer.kill("STOP")
    hold.release()
    # Longer than the call may take.
    time.sleep(9)
    peer.kill("CONT")
    assert peer.result(identifier)["status"] == 200


@case()
def the_refresh_of_a_timed_out_call_is_stored(start, provider):
    peer = start()
    refreshing(peer, provider)
    provider.living = set()
    with pytest.raises(RPCFault):
        peer.request("callAPI", {"account": "a", "url": "x", "timeout": 1})
    provider.gate.set()
    peer.event("accessTokenWasRefreshed")
    assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200


@case("the one that refreshes", "another process")
def signing_out_does_not_wait(start, provider, who):
    one, other = start(), start()
    refresh = refreshing(one, provider)
    peer = one if who == "the one that refreshes" else other
    assert peer.request("signOut", {"account": "a"})["wasSignedIn"] is True
    provider.gate.set()
    with pytest.raises(RPCFault) as fault:
        one.result(refresh)
    assert fault.value.kind == "signInRequired"
    assert one.request("account", {"account": "a"})["canAuthorize"] is False
    # The process would store its tokens before it ends.
    assert one.finish() == 0
    for peer in (other, start()):
        assert peer.request("account", {"account": "a"})["canAuthorize"] is False


@case("TERM", "INT", "HUP")
def a_second_signal_ends_at_once(start, provider, second):
    peer = start()
    refreshing(peer, provider)
    # Two signals in quick succession count as one, and the refresh keeps its time. The process gets both when it goes on.
    peer.kill("STOP")
    peer.kill("TERM")
    peer.kill("HUP")
    peer.kill("CONT")
    # It says so a second later, when other signals count again.
    wait_until(lambda: b"A second signal ends this now" in peer.stderr)
    assert peer.process.poll() is None
    peer.kill(second)
    # The token endpoint does not respond before the end of the test.
    assert peer.wait() > 128


def code_exchange(peer, provider) -> None:
    """Starts a sign-in whose code is sent and whose token endpoint does not respond yet."""

    def token(request):
        provider.gate.wait(100)

    provider.instead["/token"] = token
    identifier = peer.send("authorize", provider.parameters())
    url = peer.event("signInWasRequested", request=identifier)["url"]
    threading.Thread(target=provider.approve, args=(url,), daemon=True).start()
    wait_until(lambda: provider.requests)


@case(*((how, exchange) for how in ("TERM", "INT", "shutdown", "end of input") for exchange in ("code", "refresh")))
def a_token_exchange_is_waited_for(start, provider, how, exchange):
    peer = start()
    if exchange == "code":
        code_exchange(peer, provider)
    else:
        refreshing(peer, provider)
    sent = len(provider.requests)
    asked = None
    match how:
        case "shutdown": asked = peer.send("shutdown")
        case "end of input": peer.close_stdin()
        case signal: peer.kill(signal)
    # Longer than a process needs to end if it does not wait.
    time.sleep(3)
    assert peer.process.poll() is None
    answer_and_end(peer, provider, asked)
    provider.instead.clear()
    assert start().request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    assert len([request for request in provider.requests if request.path == "/token"]) == sent


def test_a_process_that_waits_for_a_lock_ends_without_it(start, gated_provider, tmp_path):
    trace = tmp_path / "trace"
    one, other = start(), start(binary=traced(trace, "-e", "trace=flock"))
    refreshing(one, gated_provider)
    identifier = other.send("refresh", {"account": "a", "force": True})
    wait_until(lambda: "EAGAIN" in trace.read_text())
    other.kill("TERM")
    assert other.answer(identifier)["error"]["data"]["kind"] == "ending"
    other.wait()
    assert one.process.poll() is None


def exchanging(peer, provider, **more) -> tuple[object, object]:
    """Returns the ids of an authorize and of a handleRedirect whose token endpoint does not respond."""
    provider.instead["/token"] = lambda request: provider.gate.wait(100) and None
    first = peer.send("authorize", provider.parameters(redirectUri="app.example:/cb", **more))
    url = peer.event("signInWasRequested", request=first)["url"]
    before = len(provider.requests)
    second = peer.send("handleRedirect", {"url": redirect(url, code="c0de")})
    wait_until(lambda: len(provider.requests) > before)
    return first, second


def nothing_was_granted(start, peer, provider) -> None:
    provider.gate.set()
    assert peer.request("account", {"account": "a"})["canAuthorize"] is False
    # The process would finish an exchange before it ends.
    assert peer.finish() == 0
    assert start().request("account", {"account": "a"})["canAuthorize"] is False
    assert not [event for event in peer.events if event["method"] == "authorizationWasSuccessful"]


@case()
def the_timeout_counts_while_a_code_is_exchanged(start, provider):
    peer = start()
    first, second = exchanging(peer, provider, timeout=2)
    with pytest.raises(RPCFault) as fault:
        peer.result(first)
    assert fault.value.kind == "timedOut" and not provider.gate.is_set()
    assert peer.event("signInWasAbandoned", request=first)["reason"] == "timedOut"
    assert peer.result(second)["handled"] is True
    nothing_was_granted(start, peer, provider)


def test_the_last_cancelled_request_stops_the_exchange(start, peer, gated_provider):
    first, _ = exchanging(peer, gated_provider)
    peer.notify("$/cancelRequest", {"id": first})
    assert peer.answer(first)["error"]["code"] == -32800
    assert peer.event("signInWasAbandoned", request=first)["reason"] == "cancelled"
    nothing_was_granted(start, peer, gated_provider)


def test_signing_out_stops_the_exchange(start, peer, gated_provider):
    first, _ = exchanging(peer, gated_provider)
    assert peer.request("signOut", {"account": "a"})["wasSignedIn"] is False
    with pytest.raises(RPCFault) as fault:
        peer.result(first)
    assert fault.value.kind == "signInRequired" and not gated_provider.gate.is_set()
    nothing_was_granted(start, peer, gated_provider)


def test_a_cancelled_redirect_ends_its_own_wait(peer, gated_provider):
    first, second = exchanging(peer, gated_provider)
    peer.notify("$/cancelRequest", {"id": second})
    assert peer.answer(second)["error"]["code"] == -32800
    gated_provider.gate.set()
    assert peer.result(first)["via"] == "signedIn"


@case()
def interaction_always_waits_for_an_exchange_until_its_timeout(start, provider):
    peer = start()
    exchanging(peer, provider)
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", provider.parameters(redirectUri="app.example:/cb", interaction="always", timeout=1))
    assert fault.value.kind == "timedOut" and not provider.gate.is_set()


def test_cases_that_wait_for_seconds(tmp_path):
    # Eight of the short cases at a time, so that a small machine meets their time limits.
    run_together({name: functools.partial(run, tmp_path / str(number)) for number, (name, run) in enumerate(CASES.items())}, LONG + 8)

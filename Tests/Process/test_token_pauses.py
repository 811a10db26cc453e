"""An overloaded token endpoint: it gets no more requests than it asks for, and an old token is used while it is valid."""

import email.utils
import json
import threading
import time

import pytest

from provider import Response
from rpc import RPCFault
from test_command_line import Shell
from waiting import wait_until


def import_token(peer, provider, left: int, account: str = "a", client: str = "c") -> None:
    """Imports a token of an hour that is valid for `left` seconds more."""
    provider.living.add("old-token")
    data = {"access_token": "old-token", "refresh_token": "old-refresh", "expires_in": 3600}
    issued = int(time.time()) - 3600 + left
    peer.request(
        "importGrant",
        {"account": account, "format": "json", "data": data, "clientId": client, "issuedAt": issued, "provider": provider.description},
    )


def answer(provider, status: int, **headers) -> None:
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    provider.instead["/token"] = lambda request: Response(status, b"", headers)


def token_requests(provider) -> int:
    return sum(request.path == "/token" for request in provider.requests)


def fails(peer, method: str, **params) -> dict:
    with pytest.raises(RPCFault) as fault:
        peer.request(method, {"account": "a", **params})
    return fault.value.data


USES = {"callAPI": {"url": "me"}, "accessToken": {}, "authorizeRequest": {"url": "me"}, "refresh": {}, "authorize": {"interaction": "never"}}


@pytest.mark.parametrize("method", USES)
@pytest.mark.parametrize("status,left", [(500, 40), (429, 40), (503, 4), (200, 40)])
def test_the_old_token_is_used(peer, provider, method, status, left):
    import_token(peer, provider, left=left)
    # With status 200, the network answers with a sign-in page of its own.
    provider.instead["/token"] = lambda request: Response(status, b"<html>Welcome", {"Content-Type": "text/html"})
    result = peer.request(method, {"account": "a", **USES[method]})
    assert token_requests(provider) == 1
    assert result.get("refreshed", False) is False and result.get("via", "stored") == "stored"
    assert result.get("accessToken", "old-token") == "old-token"


def test_a_token_at_its_end_is_not_used(peer, provider):
    import_token(peer, provider, left=0)
    answer(provider, 503)
    data = fails(peer, "accessToken")
    assert data["retryable"] is True and data["retryAfter"] == 1 and data["httpStatus"] == 503


def test_a_minimum_validity_returns_the_failure(peer, provider):
    import_token(peer, provider, left=40)
    answer(provider, 503)
    assert fails(peer, "accessToken", minimumValidity=60)["retryAfter"] == 1


def test_64_calls_make_one_request(peer, provider):
    import_token(peer, provider, left=-10)
    answer(provider, 429, Retry_After="600")
    asked = [peer.send("callAPI", {"account": "a", "url": "me"}) for _ in range(64)]
    told = [peer.answer(identifier)["error"]["data"] for identifier in asked]
    assert token_requests(provider) == 1
    assert all(data["retryable"] is True and 590 < data["retryAfter"] <= 600 for data in told)
    assert 590 < fails(peer, "accessToken")["retryAfter"] <= 600
    assert token_requests(provider) == 1


def test_the_pause_is_the_clients(peer, provider):
    import_token(peer, provider, left=-10)
    import_token(peer, provider, left=-10, account="b")
    import_token(peer, provider, left=-10, account="c", client="another")
    answer(provider, 503, Retry_After="600")
    for account, requests in (("a", 1), ("b", 1), ("c", 2)):
        with pytest.raises(RPCFault) as fault:
            peer.request("accessToken", {"account": account})
        assert fault.value.data["account"] == account and fault.value.data["retryAfter"] > 590
        assert token_requests(provider) == requests


def test_force_overrides_it(peer, provider):
    import_token(peer, provider, left=-10)
    answer(provider, 429, Retry_After="600")
    fails(peer, "refresh")
    fails(peer, "refresh", force=True)
    assert token_requests(provider) == 2
    provider.instead.clear()
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
    assert peer.request("callAPI", {"account": "a", "url": "me"})["status"] == 200


@pytest.mark.parametrize("given,seconds", [("7200", range(3600, 3601)), ("date", range(80, 101)), ("0", range(1, 2)), ("soon", range(1, 2))])
def test_the_value_of_retry_after(peer, provider, given, seconds):
    import_token(peer, provider, left=-10)
    answer(provider, 429, Retry_After=email.utils.formatdate(time.time() + 100, usegmt=True) if given == "date" else given)
    assert fails(peer, "accessToken")["retryAfter"] in seconds


def test_retry_after_counts_with_any_status(peer, provider):
    import_token(peer, provider, left=-10)
    answer(provider, 400, Retry_After="600")
    fails(peer, "accessToken")
    assert fails(peer, "accessToken")["retryAfter"] > 590
    assert token_requests(provider) == 1


def test_other_failures_cause_no_pause(peer, provider):
    import_token(peer, provider, left=-10)
    answer(provider, 500)
    for _ in range(2):
        assert "retryAfter" not in fails(peer, "accessToken")
    assert token_requests(provider) == 2


def test_a_code_exchange_waits_for_the_end_of_a_pause(peer, provider):
    import_token(peer, provider, left=-10)
    times = []

    def pause(request):
        times.append(time.monotonic())
        return Response(429, b"", {"Retry-After": "2"}) if len(times) == 1 else None

    provider.instead["/token"] = pause
    assert fails(peer, "accessToken")["retryAfter"] == 2
    identifier = peer.send("authorize", provider.parameters(account="b"))
    url = peer.event("signInWasRequested", request=identifier)["url"]
    threading.Thread(target=provider.approve, args=(url,), daemon=True).start()
    assert peer.result(identifier)["via"] == "signedIn"
    assert times[1] - times[0] > 1.5


# Commands


@pytest.fixture
def machine(home, provider):
    """Runs a command with the account of a machine."""
    shell = Shell(home)
    file = home / "config.json"
    file.write_text(json.dumps({"accounts": {"a": {"provider": provider.description, "flow": "clientCredentials", "clientId": "c", "clientSecret": "s"}}}))
    file.chmod(0o600)
    return lambda *words, status=0: shell.run("--config", file, *words, status=status)


def busy(provider, *answers) -> None:
    """The first token requests get these answers."""
    left = list(answers)
    provider.instead["/token"] = lambda request: left.pop(0) if left else None


LATER = {"Retry-After": "1"}


@pytest.mark.parametrize("answer", [Response(429, b"", LATER), Response(429), Response(503, b"", LATER)], ids=["429 with a time", "429", "503 with a time"])
def test_a_command_asks_a_busy_server_once_more(machine, provider, answer):
    busy(provider, answer)
    assert machine("token", "a").stdout and token_requests(provider) == 2


@pytest.mark.parametrize("answer,seconds", [
    (Response.of({"error": "slow_down"}, 429, **{"Retry-After": "11"}), 11), (Response(429, b"", {"Retry-After": "7"}), 7), (Response(503), 1)],
    ids=["a long time", "more than the command's time", "503 without a time"])
def test_a_command_that_cannot_wait_says_when_to_try_again(machine, provider, answer, seconds):
    busy(provider, answer)
    assert machine("token", "a", "--timeout", "7", status=1).stderr.endswith(f". Try again in {seconds} s\n") and token_requests(provider) == 1


def test_a_command_asks_no_third_time(machine, provider):
    busy(provider, *[Response(429, b"", LATER)] * 9)
    assert machine("token", "a", status=1).stderr.endswith(". Try again in 1 s\n") and token_requests(provider) == 2


@pytest.mark.parametrize("status,requests", [(429, 2), (503, 1)])
def test_a_code_is_sent_again_after_429_alone(home, provider, status, requests):
    busy(provider, Response(status, b"", LATER))
    shell = Shell(home)
    words = ("--provider", json.dumps(provider.description), "--clientId", "c", "--openBrowser=false")
    process = shell.start("login", "a", *words)
    provider.approve(next(line for line in process.stderr if line.startswith("http")).strip())
    process.communicate(timeout=60)
    assert token_requests(provider) == requests and (process.returncode == 0) == (requests == 2)


def test_the_page_of_a_network_in_the_place_of_an_answer(peer, provider):
    import_token(peer, provider, left=-10)
    provider.instead["/token"] = lambda request: Response(200, b"<html>Welcome to the hotel", {"Content-Type": "text/html; charset=utf-8"})
    with pytest.raises(RPCFault) as fault:
        peer.request("accessToken", {"account": "a"})
    assert fault.value.kind == "responseUntrusted" and fault.value.data["retryable"] is True and "captive portal" in fault.value.message
    provider.instead.clear()
    assert peer.request("accessToken", {"account": "a"})["accessToken"] in provider.living


@pytest.mark.parametrize("named", [True, False])
def test_a_pause_is_told_as_what_it_is(peer, provider, named):
    import_token(peer, provider, left=-10)
    answer(provider, 503, **({"Retry_After": "600"} if named else {}))
    # The process's own pauses become longer.
    for _ in range(3):
        fails(peer, "refresh", force=True)
    with pytest.raises(RPCFault) as fault:
        peer.request("accessToken", {"account": "a"})
    assert ("the authorization server asked it to wait for another" in fault.value.message) is named, fault.value.message
    assert fault.value.data["retryAfter"] > 1


@pytest.mark.parametrize("named", [True, False])
def test_the_success_of_another_process_ends_a_pause_that_this_one_has_chosen(start, provider, named):
    peer = start()
    import_token(peer, provider, left=-10)
    answer(provider, 503, **({"Retry_After": "600"} if named else {}))
    for _ in range(6):
        fails(peer, "refresh", force=True)
    provider.instead.clear()
    # Its token has ended when this process looks.
    provider.lifetime = 1
    start().request("refresh", {"account": "a"})
    end = time.time() + 1
    wait_until(lambda: time.time() > end)
    before = token_requests(provider)
    if named:
        assert fails(peer, "accessToken")["retryAfter"] > 500
    else:
        peer.request("accessToken", {"account": "a"})
    assert token_requests(provider) == before + (not named)

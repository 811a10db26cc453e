"""The errors that count as a rejection of a refresh token, and the state after a rejection."""

import json

import pytest

from provider import Response
from rpc import RPCFault
from signing_in import authorize


INVALID = b'{"error":"invalid_grant"}'


def refused(peer, **params) -> RPCFault:
    with pytest.raises(RPCFault) as fault:
        peer.request("refresh", {"account": "a", "force": True, **params})
    return fault.value


def refresh_tokens(provider) -> list[bytes]:
    found = []
    for request in provider.requests:
        found += [part.split(b"=")[1] for part in request.body.split(b"&") if part.startswith(b"refresh_token=")]
    return found


def test_force_tries_again_after_a_rejection(peer, provider):
    authorize(peer, provider.approve, **provider.parameters())
    provider.instead["/token"] = lambda request: Response(400, INVALID)
    assert refused(peer).data["reason"] == "refreshRefused"
    assert peer.request("account", {"account": "a"})["canRefresh"] is False
    provider.instead.clear()
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
    assert peer.request("account", {"account": "a"})["canRefresh"] is True
    assert peer.request("authorize", {"account": "a", "interaction": "never"})["via"] == "stored"


@pytest.mark.parametrize("status,body", [(500, INVALID), (503, INVALID), (400, b""), (400, b"<html>")])
def test_no_rejection(peer, provider, status, body):
    authorize(peer, provider.approve, **provider.parameters())
    provider.instead["/token"] = lambda request: Response(status, body)
    assert refused(peer).kind == "authorizationServerError"
    assert peer.request("account", {"account": "a"})["canRefresh"] is True


@pytest.mark.parametrize("status,body,code", [(500, INVALID, "invalid_grant"), (400, b"", "400")])
def test_the_description_lists_a_rejection(peer, provider, status, body, code):
    described = {**provider.description, "tokenErrors": {"refused": [code]}}
    authorize(peer, provider.approve, **provider.parameters(provider=described))
    provider.instead["/token"] = lambda request: Response(status, body)
    assert refused(peer).data["reason"] == "refreshRefused"
    assert peer.request("account", {"account": "a"})["canRefresh"] is False


@pytest.mark.parametrize(
    ("answer", "kind"),
    [({}, "responseUntrusted"), ({"access_token": "with blank"}, "responseUntrusted"), ({"access_token": "bound", "token_type": "DPoP"}, "unsupportedByProvider")],
    ids=["none", "unsendable", "bound"],
)
def test_a_rotated_refresh_token_is_kept_without_a_usable_access_token(start, provider, answer, kind):
    peer = start()
    authorize(peer, provider.approve, **provider.parameters())
    provider.instead["/token"] = lambda request: Response(200, json.dumps({"refresh_token": "rotated", **answer}).encode())
    assert refused(peer).kind == kind
    peer.finish()
    provider.instead.clear()
    assert start().request("refresh", {"account": "a", "force": True})["refreshed"] is True
    assert refresh_tokens(provider)[-1] == b"rotated"


def test_the_server_is_asked_once_after_the_announced_end(peer, provider):
    """Both announced expiries have passed before the first refresh."""
    first = {"access_token": "short", "refresh_token": "announced", "expires_in": 0.5, "refresh_token_expires_in": 0.5}
    described = {**provider.description, "expiresZero": "expired"}
    provider.instead["/token"] = lambda request: Response.of(first)
    authorize(peer, provider.approve, **provider.parameters(provider=described))
    provider.instead["/token"] = lambda request: Response(400, INVALID)
    for _ in range(2):
        with pytest.raises(RPCFault) as fault:
            peer.request("accessToken", {"account": "a"})
        assert fault.value.kind == "signInRequired" and fault.value.data["reason"] == "refreshRefused"
    assert refresh_tokens(provider) == [b"announced"]


def test_a_wrong_announced_end_costs_no_login(peer, provider):
    first = {"access_token": "short", "refresh_token": "announced", "expires_in": 1, "refresh_token_expires_in": 0.5}
    described = {**provider.description, "expiresZero": "expired"}
    provider.instead["/token"] = lambda request: Response.of(first)
    authorize(peer, provider.approve, **provider.parameters(provider=described))
    provider.instead.clear()
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
    assert peer.request("accessToken", {"account": "a"})["accessToken"] != "short"
    assert peer.request("account", {"account": "a"})["canRefresh"] is True

"""`importGrant` with bare tokens, and the provider names that distinguish accounts."""

import time

import pytest

from signing_in import authorize


def imported(peer, provider, data, **more) -> dict:
    params = {"account": "a", "format": "json", "data": data, "provider": provider.description, "clientId": "c", "replace": True, **more}
    return peer.request("importGrant", params)


@pytest.mark.parametrize("token", ["ya29.a0Af", "gho_16C7e42F", "12345", "-._~+/=="])
def test_an_access_token_by_itself(peer, provider, token):
    assert imported(peer, provider, token)["canAuthorize"]
    assert peer.request("accessToken", {"account": "a"})["accessToken"] == token


@pytest.mark.parametrize("data", ["", "two words", "a\nb", '"quoted"', '{"access_token":', "[]", "é"])
def test_invalid_tokens(peer, provider, data):
    error = peer.answer(peer.send("importGrant", {"account": "a", "format": "json", "data": data, "provider": provider.description, "clientId": "c"}))["error"]
    assert error["code"] == -32602 and error["data"]["path"] == "/data" and (not data or data not in error["message"])


@pytest.mark.parametrize("refresh", [{}, {"refresh_token": "r"}], ids=["alone", "with a refresh token"])
def test_without_issued_at_the_life_counts_from_now(peer, provider, refresh):
    before = int(time.time())
    state = imported(peer, provider, {"access_token": "t", "expires_in": 3600, **refresh})
    assert before + 3600 <= state["expiresAt"] <= int(time.time()) + 3600
    assert peer.request("accessToken", {"account": "a"})["accessToken"] == "t" and not provider.requests
    assert imported(peer, provider, {"access_token": "t", "expires_in": 3600, **refresh}, issuedAt=1_600_000_000)["expiresAt"] == 1_600_003_600


def test_two_issuers_on_one_host_have_two_names(peer, provider):
    for name in ("one", "two"):
        description = {**provider.description, "issuer": f"{provider.url}/{name}"}
        authorize(peer, provider.approve, **{**provider.parameters(), "account": name, "provider": description})
    names = {state["account"]: state["provider"] for state in peer.request("accounts")["accounts"]}
    assert names == {name: f"127.0.0.1:{provider.port}/{name}" for name in ("one", "two")}

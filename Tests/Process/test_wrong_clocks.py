"""This machine's clock is wrong, or a response comes late: the `Date` of a token response dates ID tokens and the ends of tokens."""

import email.utils
import time

import pytest

import browser
from id_tokens import sign
from provider import Response
from rpc import shifted
from signing_in import authorize
from waiting import wait_until

ISSUER = "https://issuer.example"


def date(ahead: float) -> str:
    """The time of a server, whose clock this machine's is so many seconds ahead of."""
    return email.utils.formatdate(time.time() - ahead, usegmt=True)


def serve(provider, ahead: float, life: int, more=lambda: {}) -> None:
    """Answers token requests with tokens of so many seconds, and with the time of the server."""

    def token(request):
        response = {"access_token": provider.secret(), "refresh_token": provider.secret(), "token_type": "Bearer", "expires_in": life, **more()}
        provider.living = {response["access_token"]}
        return Response.of(response, Date=date(ahead))

    provider.instead["/token"] = token


def token_requests(provider) -> int:
    return sum(request.path == "/token" for request in provider.requests)


def sign_in(peer, provider, **more) -> dict:
    asked = {}

    def user(url):
        asked["nonce"] = browser.query(url).get("nonce")
        serve(provider, **more, more=lambda: {"scope": "openid", "id_token": id_token(asked["nonce"], more["ahead"])})
        provider.approve(url)

    description = {**provider.description, "issuer": ISSUER}
    return authorize(peer, user, **provider.parameters(provider=description, scopes=["openid"]))


def id_token(nonce, ahead: float) -> str:
    """An ID token of five minutes."""
    now = int(time.time() - ahead)
    return sign({"iat": now, "exp": now + 300, **({"nonce": nonce} if nonce else {})}, ISSUER)


@pytest.mark.parametrize("ahead", [600, 80000, -1200])
def test_a_sign_in_with_an_id_token_of_five_minutes(peer, provider, ahead):
    assert sign_in(peer, provider, ahead=ahead, life=3600)["subject"] == "u-1"


@pytest.mark.parametrize("ahead", [90000, -90000])
def test_a_date_that_is_off_by_more_than_a_day_counts_for_nothing(peer, provider, ahead):
    identifier = peer.send("authorize", provider.parameters(provider={**provider.description, "issuer": ISSUER}, scopes=["openid"]))
    url = peer.event("signInWasRequested", request=identifier)["url"]
    serve(provider, ahead, 3600, lambda: {"id_token": id_token(browser.query(url)["nonce"], ahead)})
    provider.approve(url)
    assert peer.answer(identifier)["error"]["data"]["kind"] == "responseUntrusted"


def test_the_id_token_of_a_refresh_and_its_use(peer, provider):
    sign_in(peer, provider, ahead=600, life=3600)
    serve(provider, 600, 3600, lambda: {"id_token": id_token(None, 600)})
    assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
    before = token_requests(provider)
    assert peer.request("accessToken", {"account": "a", "idToken": True})["idToken"]
    assert token_requests(provider) == before, "it is valid as long as the clock stays as it is"


@pytest.mark.parametrize("life,ahead", [(3600, 1200), (300, 600)])
def test_a_token_ends_although_the_clock_was_set_back(start, provider, life, ahead):
    """The token was got while the clock was ahead. It has ended by the time at which another process looks, whose clock is right."""
    serve(provider, ahead, life)
    peer = start()
    first = authorize(peer, provider.approve, **provider.parameters())
    assert first["via"] == "signedIn"
    peer.finish()
    serve(provider, 0, life)
    later = start(binary=shifted(life - ahead + 30))
    before = token_requests(provider)
    later.request("accessToken", {"account": "a"})
    assert token_requests(provider) == before + 1
    assert later.request("callAPI", {"account": "a", "url": "me"})["status"] == 200
    assert token_requests(provider) == before + 1


@pytest.mark.parametrize("ahead", [1200, 30000, -1200])
def test_a_clock_that_stays_wrong_causes_no_other_refresh(start, provider, ahead):
    serve(provider, ahead, 300)
    authorize(start(), provider.approve, **provider.parameters())
    for _ in range(2):
        start().request("accessToken", {"account": "a"})
    assert token_requests(provider) == 1
    assert start().request("account", {"account": "a"})["expiresAt"] > time.time() + 200


def test_the_life_of_a_token_counts_from_its_request(peer, provider):
    """As when the process stands still before it reads the response."""
    authorize(peer, provider.approve, **provider.parameters())

    def come_late(request):
        del provider.instead["/token"]
        asked = time.time()
        provider.lifetime = 2
        response = provider.issue()
        wait_until(lambda: time.time() > asked + provider.lifetime)
        return response

    provider.instead["/token"] = come_late
    peer.request("refresh", {"account": "a", "force": True})
    provider.lifetime = 3600
    before = token_requests(provider)
    peer.request("accessToken", {"account": "a"})
    assert token_requests(provider) == before + 1

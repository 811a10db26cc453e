"""One sign-in with a real browser, from the consent page to the result page."""

import shutil

import pytest

from chromium import Chromium


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    assert shutil.which("chromium"), "Tests/install.sh installs it"
    with Chromium(tmp_path_factory.mktemp("chromium") / "profile", language="de") as running:
        yield running


def test_a_user_approves_in_german(peer, demo, chromium):
    identifier = peer.send("authorize", demo.parameters(account="a"))
    chromium.open(peer.event("signInWasRequested", request=identifier)["url"])
    chromium.wait_until("document.querySelector('button[value=allow]') !== null")
    chromium.evaluate("document.querySelector('button[value=allow]').click()")
    assert peer.result(identifier)["via"] == "signedIn"
    chromium.wait_until("document.title === 'Angemeldet'")
    assert "angemeldet" in chromium.text
    assert chromium.evaluate("document.documentElement.lang") == "de"


def test_a_user_denies_in_german(peer, demo, chromium):
    identifier = peer.send("authorize", demo.parameters(account="a"))
    chromium.open(peer.event("signInWasRequested", request=identifier)["url"])
    chromium.wait_until("document.querySelector('button[value=deny]') !== null")
    chromium.evaluate("document.querySelector('button[value=deny]').click()")
    assert peer.answer(identifier)["error"]["data"]["kind"] == "accessDenied"
    chromium.wait_until("document.title === 'Zugriff nicht erlaubt'")

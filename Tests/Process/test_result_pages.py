"""The result pages in a real browser: their languages, their text direction, and their content after the sign-in has ended."""

import base64
import os
import shutil
from pathlib import Path

import pytest

from chromium import Chromium
from provider import Response
from signing_in import redirect

# The page's languages by their browser names, with a word of the refusal's title.
LANGUAGES = {
    "en": ("en", "Access not granted"), "de-AT": ("de", "Zugriff"), "fr": ("fr", "Accès"), "es-MX": ("es", "Acceso"), "pt-BR": ("pt", "Acesso"),
    "ar": ("ar", "الإذن"), "he": ("he", "הגישה"), "fa-IR": ("fa", "دسترسی"), "zh-CN": ("zh", "访问"), "zh-TW": ("zh-Hant", "存取"),
    "zh-HK": ("zh-Hant", "存取"), "ja": ("ja", "アクセス"), "ko-KR": ("ko", "접근"), "hi-IN": ("hi", "अनुमति"), "nl": ("en", "Access"),
}


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    assert shutil.which("chromium"), "Tests/install.sh installs it"
    with Chromium(tmp_path_factory.mktemp("chromium") / "profile") as running:
        running.command("Network.enable", running.session)
        yield running


def show(chromium, url: str, language: str, marker: str) -> None:
    chromium.command("Network.setExtraHTTPHeaders", chromium.session, headers={"Accept-Language": language})
    chromium.open(url)
    chromium.wait_until(f"document.readyState === 'complete' && document.title.includes({marker!r})")


def keep_picture(chromium, name: str) -> None:
    """Saves a picture for readers of the language. The variable PICTURES names the folder."""
    if folder := os.environ.get("PICTURES"):
        Path(folder, f"{name}.png").write_bytes(base64.b64decode(chromium.command("Page.captureScreenshot", chromium.session)["data"]))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_in_the_users_language(peer, provider, chromium, language):
    """The page names the provider, and a reload shows it again."""
    tag, word = LANGUAGES[language]
    identifier = peer.send("authorize", provider.parameters(provider={**provider.description, "name": "Example <Co>"}))
    url = peer.event("signInWasRequested", request=identifier)["url"]
    show(chromium, redirect(url, error="access_denied"), language, word)
    assert peer.answer(identifier)["error"]["data"]["kind"] == "accessDenied"
    assert chromium.evaluate("document.documentElement.lang") == tag
    assert "Example <Co>" in chromium.text
    direction = "rtl" if tag in ("ar", "he", "fa") else "ltr"
    assert chromium.evaluate("getComputedStyle(document.body).direction") == direction
    # The mark is at the start of the line in the reading direction.
    assert chromium.evaluate("(e => e.offsetLeft + e.clientLeft)(document.querySelector('main')) >= 0")
    side = "Right" if direction == "rtl" else "Left"
    assert float(chromium.evaluate(f"parseFloat(getComputedStyle(document.querySelector('main')).border{side}Width)")) > 3
    assert chromium.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # Korean lines break between words, Chinese and Japanese ones at any character.
    assert chromium.evaluate("getComputedStyle(document.querySelector('p')).wordBreak") == ("keep-all" if tag == "ko" else "normal")
    before = chromium.text
    keep_picture(chromium, f"denied-{language}")
    chromium.command("Page.reload", chromium.session)
    chromium.wait_until(f"document.readyState === 'complete' && document.title.includes({word!r})")
    assert chromium.text == before
    assert peer.finish() == 0


@pytest.mark.parametrize(("language", "words"), [("en", "was reached"), ("de", "abgelaufen"), ("he", "הזמן לכניסה הזאת תם"), ("fa", "به پایان رسید"), ("hi", "समय समाप्त"), ("ko", "제한 시간"), ("zh-TW", "時間已用完"), ("pt", "esgotou-se")])
def test_a_reason_in_the_users_language(peer, provider, chromium, language, words):
    identifier = peer.send("authorize", provider.parameters(timeout=3))
    url = peer.event("signInWasRequested", request=identifier)["url"]
    assert peer.answer(identifier)["error"]["data"]["kind"] == "timedOut"
    show(chromium, redirect(url, code="x"), language, "")
    chromium.wait_until(f"document.body.innerText.includes({words!r})")
    keep_picture(chromium, f"timed-out-{language}")


def test_the_start_address_leads_a_browser_to_the_page(start, home, provider, chromium):
    """A second tab with this address shows the result."""
    provider.instead["/authorize"] = lambda request: Response(200, b"<title>consent</title>", {"Content-Type": "text/html"})
    home.mkdir(exist_ok=True)
    (home / "browser").write_text('#!/bin/sh\necho "$1" > "$0.part"; mv "$0.part" "$0.url"\n')
    (home / "browser").chmod(0o755)
    peer = start(environment={"BROWSER": str(home / "browser")})
    identifier = peer.send("authorize", provider.parameters(openBrowser=True))
    url = peer.event("signInWasRequested", request=identifier)["url"]
    while not (home / "browser.url").exists():
        peer.request("accounts")
    address = (home / "browser.url").read_text().strip()
    show(chromium, address, "en", "consent")
    assert chromium.evaluate("location.href") == url and chromium.evaluate("document.referrer") == ""
    show(chromium, redirect(url, code="x"), "en", "Signed in")
    peer.result(identifier)
    show(chromium, address, "en", "Signed in")

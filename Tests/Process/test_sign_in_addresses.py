"""The loopback addresses of a sign-in: their responses to other users, to foreign redirects, and after the end."""

import json
import os
import subprocess
import sys

import pytest

import browser
from ports import reserve_port
from provider import Response
from rpc import RPCFault
from signing_in import authorize, redirect
from waiting import wait_until

FETCH = """
import sys, urllib.request
class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments): return None
try:
    print(urllib.request.build_opener(Stay, urllib.request.ProxyHandler({})).open(sys.argv[1]).status)
except urllib.error.HTTPError as error:
    print(error.code, error.headers.get("Location"))
except OSError:
    print("closed")
"""


def begin(peer, source, **more) -> tuple[object, str]:
    identifier = peer.send("authorize", source.parameters(**more))
    return identifier, peer.event("signInWasRequested", request=identifier)["url"]


def pinned(port: int) -> dict:
    return {"redirectUri": f"http://127.0.0.1:{port}/callback"}


def start_address(peer, provider, home) -> tuple[object, str, str]:
    home.mkdir(exist_ok=True)
    script = home / "browser"
    script.write_text('#!/bin/sh\necho "$1" > "$0.part"; mv "$0.part" "$0.url"\n')
    script.chmod(0o755)
    identifier, url = begin(peer, provider, openBrowser=True)
    while not (home / "browser.url").exists():
        peer.request("accounts")
    return identifier, url, (home / "browser.url").read_text().strip()


@pytest.mark.skipif(os.geteuid() != 0 or not sys.platform.startswith("linux"), reason="becomes another user, and looks owners up as Linux has them")
def test_another_user_is_not_served(start, provider, home):
    """Every local user can read the start address on the browser's command line."""
    peer = start(environment={"BROWSER": str(home / "browser")})
    identifier, url, address = start_address(peer, provider, home)

    def fetch(target: str, user: int) -> str:
        return subprocess.run(
            [sys.executable, "-c", FETCH, target], capture_output=True, text=True, check=True, user=user, group=user, extra_groups=[], cwd="/"
        ).stdout.strip()

    assert fetch(address, 12345) == "closed"
    assert fetch(redirect(url, code="x"), 12345) == "closed" and fetch(redirect(url, error="access_denied"), 12345) == "closed"
    assert fetch(address, 0) == f"302 {url}"
    provider.approve(url)
    assert peer.result(identifier)["via"] == "signedIn"
    assert peer.finish() == 0
    assert b"a connection from the user 12345 to the redirect address of a sign-in was rejected" in peer.stderr
    assert address.encode() not in peer.stderr


def own_browser(home, provider, words: list, **more) -> None:
    file = home / "config" / "oauth-stdio" / "config.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"accounts": {"a": {"provider": provider.description, "clientId": "c", "scopes": ["read"], "browser": words, **more}}}))
    file.chmod(0o600)


def test_an_account_has_its_own_browser(start, provider, home):
    """Of the page's URL it sees nothing: any local user could read that on its command line. No other browser opens the page."""
    home.mkdir()
    for name in ("own", "other"):
        (home / name).write_text('#!/bin/sh\necho "$@" > "$0.part"; mv "$0.part" "$0.url"\n')
        (home / name).chmod(0o755)
    own_browser(home, provider, [str(home / "own"), "-P", "work", "--url=%s"])
    peer = start(environment={"BROWSER": str(home / "other")})
    identifier = peer.send("authorize", {"account": "a"})
    url = peer.event("signInWasRequested", request=identifier)["url"]
    wait_until((home / "own.url").exists)
    said = (home / "own.url").read_text().strip()
    assert said.startswith("-P work --url=http://127.0.0.1:") and browser.query(url)["state"] not in said
    assert browser.Browser().get(said.partition("--url=")[2]).location == url
    provider.approve(url)
    assert peer.result(identifier)["via"] == "signedIn" and not (home / "other.url").exists()


@pytest.mark.parametrize(("words", "more"), [(["/bin/false"], {}), (["no-such-browser"], {}), (["{home}/own"], {"redirectUri": "https://a.example/callback"})])
def test_an_own_browser_that_opens_nothing(start, provider, home, words, more):
    """The client shows the address. Without a listener there is no start address, and the page's own URL reaches no command line."""
    home.mkdir()
    for name in ("own", "other"):
        (home / name).write_text('#!/bin/sh\ntouch "$0.url"\n')
        (home / name).chmod(0o755)
    own_browser(home, provider, [word.format(home=home) for word in words], **more)
    peer = start(environment={"BROWSER": str(home / "other")})
    identifier = peer.send("authorize", {"account": "a"})
    url = peer.event("signInWasRequested", request=identifier, opened=False)["url"]
    assert peer.request("handleRedirect", {"url": redirect(url, code="x")}) == {"handled": True}
    assert peer.result(identifier)["via"] == "signedIn" and not list(home.glob("*.url"))


@pytest.mark.parametrize("words", [[], [""], "firefox"])
def test_a_browser_is_named_by_the_configuration_alone(peer, provider, home, words):
    with pytest.raises(RPCFault, match="browser"):
        peer.request("authorize", provider.parameters(browser=["/bin/true"]))
    own_browser(home, provider, words)
    with pytest.raises(RPCFault, match="/accounts/a/browser"):
        peer.request("authorize", {"account": "a"})


def test_the_start_address_works_until_the_callback_arrives(start, provider, home):
    peer = start(environment={"BROWSER": str(home / "browser")})
    identifier, url, address = start_address(peer, provider, home)
    assert "?" not in address and browser.query(url)["state"] not in address
    assert browser.Browser().request("POST", address, {"a": "b"}).status == 405
    for _ in range(3):
        page = browser.Browser().get(address)
        assert page.status == 302 and page.location == url and page.headers["Referrer-Policy"] == "no-referrer"
    assert browser.Browser().get(address + "x").status == 404
    provider.approve(url)
    peer.result(identifier)
    page = browser.Browser().get(address)
    assert page.status == 200 and "You are signed in to" in page.text


def test_a_listener_takes_no_other_sign_ins_redirect(peer, provider):
    """Otherwise one provider's page could end a sign-in at another provider (RFC 9700, 4.4)."""
    (first, url_a), (second, url_b) = begin(peer, provider), begin(peer, provider, account="b")
    wrong = redirect(url_b, code="stolen", state=browser.query(url_a)["state"])
    assert browser.deliver(wrong).status == 404
    assert browser.deliver(redirect(url_b, error="access_denied", state=browser.query(url_a)["state"])).status == 404
    assert not provider.requests
    provider.approve(url_a)
    provider.approve(url_b)
    assert peer.result(first)["via"] == peer.result(second)["via"] == "signedIn"


def test_the_result_can_be_loaded_again(peer, provider):
    identifier, url = begin(peer, provider)
    good = redirect(url, code=provider.secret())
    pages = [browser.deliver(good) for _ in range(3)]
    peer.result(identifier)
    pages += [browser.deliver(good), browser.deliver(redirect(url, error="access_denied"))]
    assert {page.status for page in pages} == {200} and len({page.text for page in pages}) == 1
    assert [request.path for request in provider.requests] == ["/token"]
    assert browser.deliver(redirect(url, code="x", state="other")).status == 404


@pytest.mark.parametrize(
    ("end", "words"),
    [
        ("cancelled", "The program that asked for the sign-in cancelled it."), ("signed out", "The program that asked for the sign-in cancelled it."),
        ("replaced", "Another sign-in of the same account replaced it."), ("timed out", "The time limit for this sign-in was reached."),
        ("denied", "was denied, so you are not signed in."), ("failed", "The provider rejected the sign-in."), ("pasted", "You are signed in to"),
    ],
)
@pytest.mark.parametrize("is_pinned", [False, True], ids=["any port", "pinned"])
def test_a_late_redirect_gets_the_truth(peer, provider, end, words, is_pinned):
    port = reserve_port()
    more = pinned(port) if is_pinned else {}
    identifier, url = begin(peer, provider, **more, timeout=3 if end == "timed out" else 60)
    if end == "cancelled":
        peer.notify("$/cancelRequest", {"id": identifier})
        peer.answer(identifier)
    elif end == "signed out":
        peer.request("signOut", {"account": "a"})
    elif end == "replaced":
        again, _ = begin(peer, provider, interaction="always", **more)
    elif end == "timed out":
        peer.answer(identifier)
    elif end == "denied":
        peer.request("handleRedirect", {"url": redirect(url, error="access_denied")})
    elif end == "failed":
        provider.instead["/token"] = lambda request: Response.of({"error": "invalid_grant", "error_description": "N\u00e3o <b>"}, 400)
        peer.request("handleRedirect", {"url": redirect(url, code="x")})
    else:
        peer.request("handleRedirect", {"url": redirect(url, code="x")})
    page = browser.deliver(redirect(url, code="late"))
    assert words in page.text
    if end == "failed":
        assert "<bdi>N\u00e3o &lt;b&gt;</bdi>" in page.text and "authorization server" not in page.text
    assert not any(b"late" in request.body for request in provider.requests)


def test_a_pinned_port_is_free_when_the_page_was_delivered(peer, start, provider):
    """The port is free for another process too. A later sign-in of this process never waits for the earlier one."""
    port = reserve_port()
    for _ in range(3):
        assert authorize(peer, provider.approve, **provider.parameters(interaction="always", **pinned(port)))["via"] == "signedIn"
    other = start()
    assert authorize(other, provider.approve, **provider.parameters(interaction="always", **pinned(port)))["via"] == "signedIn"
    for _ in range(2):
        identifier, _ = begin(peer, provider, interaction="always", **pinned(port))
        peer.notify("$/cancelRequest", {"id": identifier})
        peer.answer(identifier)
    assert authorize(peer, provider.approve, **provider.parameters(interaction="always", **pinned(port)))["via"] == "signedIn"


def test_a_refusal_needs_no_issuer(peer, provider):
    """RFC 9207 protects codes. An error without the announced `iss` still ends the sign-in with that error."""
    described = {"provider": {**provider.description, "issuer": "https://issuer.example", "redirectIssuer": "required"}}
    identifier, url = begin(peer, provider, **described)
    browser.deliver(redirect(url, error="access_denied"))
    assert peer.answer(identifier)["error"]["data"]["kind"] == "accessDenied"
    identifier, url = begin(peer, provider, **described)
    browser.deliver(redirect(url, code="x"))
    assert peer.answer(identifier)["error"]["data"]["kind"] == "responseUntrusted"
    assert not provider.requests


def test_a_useless_redirect_leaves_the_sign_in_open(peer, provider):
    identifier, url = begin(peer, provider)
    state = browser.query(url)["state"]
    useless = {
        "": "nothing was pasted", redirect(url): "neither a code nor an error", redirect(url, code="", foo="bar"): "neither a code nor an error",
        url: "the sign-in page itself", url.split("?")[0] + "?step=2": "the sign-in page itself", "4/0AVMBsJ": "a code alone",
        "c0de": "a code alone", redirect(url, code="x") + f"&state={state}": "twice", redirect(url, code="x", state="y"): "no open sign-in",
    }
    for text, words in useless.items():
        answer = peer.request("handleRedirect", {"url": text})
        assert answer["handled"] is False and words in answer["reason"], text
        assert state not in answer["reason"] and "4/0" not in answer["reason"]
    assert not provider.requests
    assert peer.request("account", {"account": "a"})["signIn"]["url"] == url
    assert peer.request("handleRedirect", {"url": redirect(url, code="x")}) == {"handled": True}
    assert peer.result(identifier)["via"] == "signedIn"


def test_a_bare_code_is_taken_where_the_page_shows_one(peer, provider):
    identifier, url = begin(peer, provider, redirectUri="urn:ietf:wg:oauth:2.0:oob")
    assert peer.request("handleRedirect", {"url": " 4/c0de== \n"}) == {"handled": True}
    assert peer.result(identifier)["via"] == "signedIn"
    assert browser.query("?" + provider.requests[-1].body.decode())["code"] == "4/c0de=="


@pytest.mark.parametrize("address", ["urn:ietf:wg:oauth:2.0:oob", "https://console.example.com/oauth/code/callback"])
def test_a_code_with_its_state(peer, provider, address):
    """Some pages show `CODE#STATE` to copy."""
    identifier, url = begin(peer, provider, redirectUri=address)
    assert peer.request("handleRedirect", {"url": "c0de#another"})["handled"] is False
    assert peer.request("handleRedirect", {"url": f"c0de==#{browser.query(url)['state']}."}) == {"handled": True}
    assert peer.result(identifier)["via"] == "signedIn"
    assert browser.query("?" + provider.requests[-1].body.decode())["code"] == "c0de=="

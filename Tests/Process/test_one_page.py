"""Several processes that sign in to one account open one page together. Each of them still works if another one ends."""

import os
import time
from pathlib import Path

import pytest

from rpc import PATIENCE, RPCFault
from signing_in import redirect
from waiting import wait_until
import browser as user_agent


@pytest.fixture
def pages(home) -> Path:
    """A file with the start address of every page that a browser was started with."""
    known.clear()
    home.mkdir(exist_ok=True)
    script = home / "browser"
    script.write_text('#!/bin/sh\necho "$1" >> "$0.urls"\n')
    script.chmod(0o755)
    return home / "browser.urls"


# The authorization page by start address, while the address is valid.
known: dict[str, str] = {}


def page_behind(address: str) -> str:
    if address not in known:
        known[address] = user_agent.Browser().get(address).location
    return known[address]


def opened(pages: Path, count: int, seconds: float = PATIENCE) -> list[str]:
    """Returns the opened pages once there are this many."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        addresses = pages.read_text().splitlines() if pages.exists() else []
        if len(addresses) >= count:
            return [page_behind(address) for address in addresses]
        time.sleep(0.02)
    raise AssertionError(f"{pages.read_text() if pages.exists() else 'nothing'} instead of {count} pages")


class Asked:
    """A process with an open `authorize`."""

    def __init__(self, peer, provider, **more):
        self.peer = peer
        self.id = peer.send("authorize", provider.parameters(openBrowser=True, **more))
        self.url = peer.event("signInWasRequested", request=self.id)["url"]


def age_notes(peer, seconds: int = 10) -> None:
    """Lets the notes of all processes about pages be that old."""
    notes = list(peer.store.glob("*.grant.page"))
    assert notes
    for note in notes:
        os.utime(note, (time.time() - seconds,) * 2)


@pytest.fixture
def two(start, provider, pages):
    """Two processes: one whose page was opened, and one that opened none."""
    peers = [start("--log-level", "debug", environment={"BROWSER": str(pages.with_suffix(""))}) for _ in range(2)]
    asked = [Asked(peer, provider) for peer in peers]
    url = opened(pages, 1)[0]
    # Its event comes before it finds that the other one has opened a page.
    wait_until(lambda: any(b"another process has just opened one" in peer.stderr for peer in peers))
    return sorted(asked, key=lambda each: each.url != url)


def test_one_page_ends_both(two, provider, pages):
    provider.approve(two[0].url)
    assert two[0].peer.result(two[0].id)["via"] == "signedIn"
    assert two[1].peer.result(two[1].id)["via"] == "stored"
    time.sleep(1.5)
    assert opened(pages, 1) == [two[0].url]


def test_the_page_that_was_not_opened_is_good(two, provider, pages):
    """A user who has closed the tab opens the URL that the client shows."""
    provider.approve(two[1].url)
    assert two[1].peer.result(two[1].id)["via"] == "signedIn"
    assert two[0].peer.result(two[0].id)["via"] == "stored"
    assert opened(pages, 1) == [two[0].url]


@pytest.mark.parametrize("end", ["killed", "cancelled", "denied", "end of input"])
def test_the_other_takes_over(two, provider, pages, end):
    first, second = two
    time.sleep(1.2)
    assert opened(pages, 1) == [first.url]
    if end == "killed":
        first.peer.kill("KILL")
    elif end == "cancelled":
        first.peer.notify("$/cancelRequest", {"id": first.id})
    elif end == "denied":
        user_agent.deliver(redirect(first.url, error="access_denied"))
    else:
        first.peer.kill("TERM")
    assert opened(pages, 2) == [first.url, second.url]
    provider.approve(second.url)
    assert second.peer.result(second.id)["via"] == "signedIn"


def test_a_later_request_opens_a_page(two, start, provider, pages):
    """The user may have closed the tab by then."""
    age_notes(two[0].peer)
    third = Asked(start(environment={"BROWSER": str(pages.with_suffix(""))}), provider)
    assert opened(pages, 2) == [two[0].url, third.url]
    # The same for the process that opened none before.
    age_notes(two[0].peer)
    again = two[1].peer.send("authorize", provider.parameters(openBrowser=True))
    assert opened(pages, 3) == [two[0].url, third.url, two[1].url]
    provider.approve(two[1].url)
    for peer, identifier in ((two[0].peer, two[0].id), (two[1].peer, two[1].id), (two[1].peer, again), (third.peer, third.id)):
        assert peer.result(identifier)["status"] == "authorized"


def test_interaction_always_opens_another_page(two, start, provider, pages):
    third = Asked(start(environment={"BROWSER": str(pages.with_suffix(""))}), provider, interaction="always")
    assert opened(pages, 2) == [two[0].url, third.url]


def test_another_account_has_a_page_of_its_own(two, start, provider, pages):
    third = Asked(start(environment={"BROWSER": str(pages.with_suffix(""))}), provider, account="b")
    assert opened(pages, 2) == [two[0].url, third.url]


@pytest.mark.parametrize("store", ["another folder", "memory"])
def test_another_store_has_a_page_of_its_own(two, start, provider, pages, tmp_path, store):
    store = store if store == "memory" else str(tmp_path / "another")
    third = Asked(start("--store", store, environment={"BROWSER": str(pages.with_suffix(""))}), provider)
    assert opened(pages, 2) == [two[0].url, third.url]


def test_the_same_folder_by_another_path_shares_the_page(two, start, provider, pages, tmp_path):
    """A host may start its programs with another home."""
    (tmp_path / "link").symlink_to(two[0].peer.store)
    environment = {"BROWSER": str(pages.with_suffix("")), "HOME": str(tmp_path), "XDG_DATA_HOME": None}
    peer = start("--log-level", "debug", "--store", str(tmp_path / "link"), environment=environment)
    Asked(peer, provider)
    wait_until(lambda: b"another process has just opened one" in peer.stderr)
    assert opened(pages, 1) == [two[0].url]


@pytest.mark.parametrize("end", ["killed", "signed in"])
def test_the_lock_of_the_page_is_released(start, provider, pages, end):
    """The lock is released when its process ends, because the started browser does not inherit it."""
    script = pages.with_suffix("")
    script.write_text(script.read_text() + "sleep 100\n")
    peer = start(environment={"BROWSER": str(script)})
    first = Asked(peer, provider)
    opened(pages, 1)
    if end == "killed":
        peer.kill("KILL")
        peer.process.wait()
    else:
        provider.approve(first.url)
        peer.result(first.id)
        peer.request("signOut", {"account": "a"})
    second = Asked(start(environment={"BROWSER": str(script)}), provider)
    assert opened(pages, 2) == [first.url, second.url]
    with pytest.raises(RPCFault):
        second.peer.request("awaitSignIn", {"id": second.peer.event("signInWasRequested")["signIn"], "timeout": 1})


def test_windows_that_come_back_at_once_open_one_page(start, provider, pages):
    """What a killed process has left is old for the moment until the next one writes."""
    environment = {"BROWSER": str(pages.with_suffix(""))}
    for _ in range(4):
        first = start(environment=environment)
        Asked(first, provider)
        opened(pages, 1)
        first.kill("KILL")
        first.process.wait()
        age_notes(first, 30)
        pages.unlink()
        peers = [start("--log-level", "debug", environment=environment) for _ in range(6)]
        for peer in peers:
            peer.request("providers")
        for peer in peers:
            peer.send("authorize", provider.parameters(openBrowser=True))
        wait_until(lambda: sum(b"another process has just opened one" in peer.stderr for peer in peers) == 5)
        assert len(opened(pages, 1)) == 1
        for peer in peers:
            peer.kill("KILL")
            peer.process.wait()
        age_notes(first, 30)
        pages.unlink()
        known.clear()


def test_a_process_without_a_browser_delays_no_other(start, provider, pages):
    Asked(start(environment={"BROWSER": "/nonexistent/browser"}), provider, flow="browser")
    second = Asked(start(environment={"BROWSER": str(pages.with_suffix(""))}), provider)
    assert opened(pages, 1) == [second.url]

"""`accounts` with many grants: no other request waits for it, and each file is read once."""

import re

from rpc import BINARY


def keep(peer, provider, count: int) -> None:
    parameters = {"format": "json", "data": {"access_token": "s3cr3t", "expires_at": 4102444800}, "provider": provider.description, "clientId": "c"}
    for identifier in [peer.send("importGrant", {**parameters, "account": f"k{index}"}) for index in range(count)]:
        peer.result(identifier)


def test_other_requests_are_answered_while_a_file_is_slow(start, provider, home):
    """A file system may need seconds for one file, as a network's does. strace delays its opening here."""
    keep(start(), provider, 3)
    slow = home / "store" / "k1.grant"
    trace = ["strace", "-f", "-o", "/dev/null", "-P", str(slow), "-e", "trace=openat", "-e", "inject=openat:delay_enter=3000000", BINARY]
    peer = start(binary=trace)
    listing, other = peer.send("accounts"), peer.send("account", {"account": "k2"})
    assert peer.result(other)["canAuthorize"] is True
    assert not any(message.get("id") == listing for message in peer.all_json())
    assert [state["account"] for state in peer.result(listing)["accounts"]] == ["k0", "k1", "k2"]
    # A killed strace would leave the program behind, and the test would wait for it.
    assert peer.finish() == 0


def test_each_file_is_opened_once_and_not_again(start, provider, home, tmp_path):
    keep(start(), provider, 300)
    log = tmp_path / "trace"
    peer = start(binary=["strace", "-f", "-o", str(log), "-e", "trace=file", BINARY])
    for _ in range(3):
        states = peer.request("accounts")["accounts"]
        assert len(states) == 300 and all(state["canAuthorize"] and state["expiresAt"] == 4102444800 for state in states)
    assert peer.finish() == 0
    calls = [line for line in log.read_text().splitlines() if re.search(r"/k[0-9]+\.grant\"", line)]
    opens = [line for line in calls if re.search(r" open(at)?\(", line)]
    assert len(opens) == 300, "one for each file, whatever the number of listings"
    assert len(calls) - len(opens) <= 3 * 300, "one look for each file and listing"


def test_a_listing_sees_what_has_changed(start, provider, home):
    peer, other = start(), start()
    keep(peer, provider, 3)
    peer.request("accounts")
    other.request("signOut", {"account": "k1"})
    parameters = {"format": "json", "data": {"access_token": "x", "scope": "new"}, "provider": provider.description, "clientId": "c", "replace": True}
    other.request("importGrant", {**parameters, "account": "k2"})
    states = {state["account"]: state for state in peer.request("accounts")["accounts"]}
    assert sorted(states) == ["k0", "k2"] and states["k2"]["grantedScopes"] == ["new"]


def test_another_process_opens_no_grant_that_is_unchanged(start, provider, home, tmp_path):
    first = start()
    keep(first, provider, 300)
    before = first.request("accounts")
    # The index is written before the process ends, even if that is at once.
    assert first.finish() == 0
    index = home / "store" / "oauth-stdio.listing"
    assert index.stat().st_mode & 0o777 == 0o600
    log = tmp_path / "trace"
    peer = start(binary=["strace", "-f", "-o", str(log), "-e", "trace=file", BINARY])
    assert peer.request("accounts") == before
    assert not re.search(r" open(at)?\(.*/k[0-9]+\.grant\"", log.read_text())
    peer.request("signOut", {"account": "k7"})
    assert not index.exists()
    assert len(peer.request("accounts")["accounts"]) == 299
    assert peer.finish() == 0
    states = start().request("accounts")["accounts"]
    assert states == [state for state in before["accounts"] if state["account"] != "k7"]

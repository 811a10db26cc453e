"""`accounts` with many grants: no other request waits for it, and each file is read once."""

import re

from rpc import BINARY


def keep(peer, provider, count: int) -> None:
    parameters = {"format": "json", "data": {"access_token": "s3cr3t", "expires_at": 4102444800}, "provider": provider.description, "clientId": "c"}
    for identifier in [peer.send("importGrant", {**parameters, "account": f"k{index}"}) for index in range(count)]:
        peer.result(identifier)


def test_other_requests_are_answered_while_a_file_is_slow(start, provider):
    """A file system may need seconds for one file, as a network's does. strace delays its opening here."""
    keep(start(), provider, 3)
    trace = ["strace", "-f", "-o", "/dev/null", "-P", "k1.grant", "-e", "trace=openat", "-e", "inject=openat:delay_enter=3000000", BINARY]
    peer = start(binary=trace)
    listing, other = peer.send("accounts"), peer.send("account", {"account": "k2"})
    assert peer.result(other)["canAuthorize"] is True
    assert not any(message.get("id") == listing for message in peer.all_json())
    assert [state["account"] for state in peer.result(listing)["accounts"]] == ["k0", "k1", "k2"]
    # A killed strace would leave the program behind, and the test would wait for it.
    assert peer.finish() == 0


def test_each_file_is_opened_once(start, provider, tmp_path):
    keep(start(), provider, 100)
    log = tmp_path / "trace"
    # The comparison for the event accountWasChanged is another listing.
    peer = start("--events", "none", binary=["strace", "-f", "-o", str(log), "-e", "trace=openat", BINARY])
    states = peer.request("accounts")["accounts"]
    assert len(states) == 100 and all(state["canAuthorize"] and state["expiresAt"] == 4102444800 for state in states)
    assert peer.finish() == 0
    assert len(re.findall(r" openat\(\d+, \"k\d+\.grant\"", log.read_text())) == 100


def test_a_listing_sees_what_has_changed(start, provider):
    peer, other = start(), start()
    keep(peer, provider, 3)
    peer.request("accounts")
    other.request("signOut", {"account": "k1"})
    parameters = {"format": "json", "data": {"access_token": "x", "scope": "new"}, "provider": provider.description, "clientId": "c", "replace": True}
    other.request("importGrant", {**parameters, "account": "k2"})
    states = {state["account"]: state for state in peer.request("accounts")["accounts"]}
    assert sorted(states) == ["k0", "k2"] and states["k2"]["grantedScopes"] == ["new"]

"""`accounts` with many grants: no other request waits for it, and it looks at each file once."""

import re

from rpc import BINARY


def keep(peer, provider, count: int) -> None:
    parameters = {"format": "json", "data": {"access_token": "s3cr3t", "expires_at": 4102444800}, "provider": provider.description, "clientId": "c"}
    for identifier in [peer.send("importGrant", {**parameters, "account": f"k{index}"}) for index in range(count)]:
        peer.result(identifier)


def test_other_requests_are_answered_while_a_file_is_slow(start, provider, home):
    """A file system that takes seconds for one file, as a network's may: the system delays opening it."""
    keep(start(), provider, 3)
    slow = home / "store" / "k1.grant"
    trace = ["strace", "-f", "-o", "/dev/null", "-P", str(slow), "-e", "trace=openat", "-e", "inject=openat:delay_enter=3000000", BINARY]
    peer = start(binary=trace)
    listing, other = peer.send("accounts"), peer.send("account", {"account": "k2"})
    assert peer.result(other)["canAuthorize"] is True
    assert not any(message.get("id") == listing for message in peer.all_json())
    assert [state["account"] for state in peer.result(listing)["accounts"]] == ["k0", "k1", "k2"]
    # A strace that is killed leaves the program behind, which would be waited for.
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

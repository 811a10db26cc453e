"""Helpers for the tests of misbehaving providers and services."""

from rpc import Peer
from signing_in import TokenProvider, authorize


def sign_in(peer: Peer, server: TokenProvider, /, **more) -> dict:
    """Returns the answer to `authorize` after the user approves."""
    identifier = peer.send("authorize", {**server.parameters(), **more})
    server.approve(peer.event("signInWasRequested", request=identifier)["url"])
    return peer.answer(identifier)


def everything_else_goes_on(peer: Peer, provider: TokenProvider) -> None:
    """Checks that another account signs in and is used in the same process."""
    provider.instead.clear()
    authorize(peer, provider.approve, **{**provider.parameters(), "account": "other"})
    assert peer.request("callAPI", {"account": "other", "url": "x"})["status"] == 200
    peer.request("accounts")


def resident(peer: Peer) -> int:
    """Returns the resident memory in KiB."""
    with open(f"/proc/{peer.process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))

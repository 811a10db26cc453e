"""An idle process sleeps: editors keep one open all day, also on batteries."""

import functools
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from provider import Response
from rpc import BINARY
from signing_in import TokenProvider, authorize
from together import Peers, run_together

# Seconds after which libdispatch's spare threads have ended. Each of them waits 5 seconds for more work.
SETTLING = 12
# Seconds of the measurement.
WATCHING = 8


def sleeps(process) -> dict[str, int]:
    """Returns how often each thread of the process has gone to sleep."""
    counts = {}
    for task in Path(f"/proc/{process.pid}/task").iterdir():
        try:
            status = (task / "status").read_text()
        except OSError:
            continue  # The thread has just ended.
        counts[task.name] = int(status.split("\nvoluntary_ctxt_switches:")[1].split()[0])
    return counts


def wake_ups(process) -> tuple[int, float]:
    """Returns the wake-ups of all threads during the measurement, and its seconds. A thread that ends counts as one wake-up."""
    time.sleep(SETTLING)
    before, began = sleeps(process), time.monotonic()
    time.sleep(WATCHING)
    after, seconds = sleeps(process), time.monotonic() - began
    assert process.poll() is None
    return sum(count - before.get(thread, 0) for thread, count in after.items()) + len(before.keys() - after.keys()), seconds


def never_used(start, provider) -> None:
    assert wake_ups(start().process)[0] == 0


def signed_in(start, provider) -> None:
    """After a sign-in with a kept-alive connection, and after every type of work that uses threads."""
    peer = start()
    peer.request("initialize", {})
    authorize(peer, provider.approve, **provider.parameters())
    peer.request("accessToken", {"account": "a"})
    peer.request("refresh", {"account": "a", "force": True})
    assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    assert peer.request("callAPI", {"account": "a", "url": "x", "saveTo": str(peer.home / "x")})["status"] == 200
    peer.request("accounts")
    assert wake_ups(peer.process)[0] == 0


def the_store_is_watched(start, provider) -> None:
    """After the event of another process's sign-in."""
    peer, other = start(), start()
    peer.request("initialize", {})
    peer.request("accounts")
    authorize(other, provider.approve, **provider.parameters())
    peer.event("accountWasChanged", account="a", by="elsewhere")
    assert wake_ups(peer.process)[0] == 0


def a_page_is_open(start, provider, options=(), accounts=1, ends_input=False, **more) -> None:
    """The store reports the grant of another process, so nothing is checked."""
    peer = start(*options)
    for number in range(accounts):
        identifier = peer.send("authorize", provider.parameters(account=f"a{number}", **more))
        peer.event("signInWasRequested", request=identifier)
    if ends_input:
        peer.close_stdin()
    assert wake_ups(peer.process)[0] == 0


def a_page_is_held_back(start, provider) -> None:
    """The process checks once a second whether another process's page is still open, by a timer, a task and a look at the disk."""
    peers = [start(), start()]
    for peer in peers:
        identifier = peer.send("authorize", provider.parameters(openBrowser=True))
        peer.event("signInWasRequested", request=identifier)
    with ThreadPoolExecutor(2) as pool:
        (least, _), (most, seconds) = sorted(pool.map(wake_ups, [peer.process for peer in peers]))
    assert least == 0 and most <= 5 * (seconds + 1)


def a_code_is_typed_elsewhere(start, provider) -> None:
    """The process sleeps between two requests to the token endpoint."""
    provider.instead["/device"] = lambda request: Response.of(
        {"device_code": "d", "user_code": "u", "verification_uri": provider.url, "expires_in": 300, "interval": 60}
    )
    peer = start()
    described = {**provider.description, "deviceAuthorizationEndpoint": provider.url + "/device"}
    identifier = peer.send("authorize", provider.parameters(provider=described, flow="device"))
    peer.event("signInWasRequested", request=identifier)
    count, seconds = wake_ups(peer.process)
    assert count <= seconds + 1


CASES = {
    "never used": never_used,
    "signed in": signed_in,
    "the store is watched": the_store_is_watched,
    "a page is open": a_page_is_open,
    "five pages are open": functools.partial(a_page_is_open, accounts=5),
    "the grants lie in memory": functools.partial(a_page_is_open, options=("--store", "memory")),
    "the redirect is pasted": functools.partial(a_page_is_open, redirectUri="app.example:/cb"),
    "a page is held back": a_page_is_held_back,
    "the input has ended": functools.partial(a_page_is_open, ends_input=True),
    "a code is typed elsewhere": a_code_is_typed_elsewhere,
}


def run_case(case, folder) -> None:
    with Peers(folder / "home") as start, TokenProvider() as provider:
        case(start, provider)


@pytest.mark.skipif(sys.platform != "linux", reason="wake-ups are counted in /proc")
@pytest.mark.skipif(b"libdispatch.so" in Path(BINARY).read_bytes(), reason="a debug build has the system's libdispatch, which looks every second")
def test_it_wakes_for_nothing(tmp_path):
    run_together(
        {name: functools.partial(run_case, case, tmp_path / str(number)) for number, (name, case) in enumerate(CASES.items())}, len(CASES)
    )

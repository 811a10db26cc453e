"""Every change of an account is one event in every process with its store, and a sign-in in one process ends the waiting in all others."""

import json
import os
import shutil
import time
from pathlib import Path

import pytest

from provider import Response
from rpc import PATIENCE, RPCFault
from signing_in import authorize
from waiting import target, wait_until


def watching(start, *options, **more):
    """Returns a process that knows the state of all accounts. Its changes are counted from here."""
    peer = start(*options, **more)
    peer.request("initialize", {})
    peer.request("accounts")
    return peer


def changes(peer) -> list[tuple[str, str, str]]:
    found = [event["params"] for event in peer.events if event["method"] == "accountWasChanged"]
    return [(params["account"], params["change"], params["by"]) for params in found]


def wait_for_changes(peer, *expected) -> None:
    """Waits for the last of these changes. All of them must have come, in this order, and no other."""
    deadline = time.monotonic() + PATIENCE
    while (found := changes(peer)) != list(expected):
        assert time.monotonic() < deadline and found == list(expected)[: len(found)], found
        time.sleep(0.01)


def import_grant(peer, provider, account="a", token="s3cr3t", **more) -> dict:
    data = {"access_token": token, "refresh_token": "r", "expires_at": 4102444800, "scope": "read"}
    parameters = {"account": account, "format": "json", "data": data, "provider": provider.description, "clientId": "c", "replace": True}
    return peer.request("importGrant", {**parameters, **more})


def sign_in(peer, provider, **more) -> None:
    authorize(peer, provider.approve, **provider.parameters(interaction="always", **more))


def reject(request):
    return Response.of({"error": "invalid_grant"}, 400)


def test_both_processes_report_each_change_once(start, provider):
    here, there = watching(start), watching(start)
    # One change after another: several that a process has not seen count as the last one.
    sign_in(here, provider)
    wait_for_changes(there, ("a", "signedIn", "elsewhere"))
    here.request("refresh", {"account": "a", "force": True})
    wait_for_changes(there, ("a", "signedIn", "elsewhere"), ("a", "refreshed", "elsewhere"))
    here.request("callAPI", {"account": "a", "url": "x"})
    provider.instead["/token"] = reject
    here.answer(here.send("refresh", {"account": "a", "force": True}))
    del provider.instead["/token"]
    wait_for_changes(there, *[("a", change, "elsewhere") for change in ["signedIn", "refreshed", "rejected"]])
    assert here.request("account", {"account": "a"})["problem"] == "the provider rejected the refresh token"
    sign_in(here, provider)
    wait_for_changes(there, *[("a", change, "elsewhere") for change in ["signedIn", "refreshed", "rejected", "signedIn"]])
    here.request("revoke", {"account": "a"})
    wait_for_changes(there, *[("a", change, "elsewhere") for change in ["signedIn", "refreshed", "rejected", "signedIn", "removed"]])
    sign_in(there, provider)
    own = ["signedIn", "refreshed", "rejected", "signedIn", "revoked"]
    wait_for_changes(here, *[("a", change, "here") for change in own], ("a", "signedIn", "elsewhere"))
    here.request("signOut", {"account": "a"})
    wait_for_changes(here, *[("a", change, "here") for change in own], ("a", "signedIn", "elsewhere"), ("a", "signedOut", "here"))
    wait_for_last(there, ("a", "removed", "elsewhere"))
    assert changes(there)[-2:] == [("a", "signedIn", "here"), ("a", "removed", "elsewhere")]


def wait_for_last(peer, expected) -> None:
    deadline = time.monotonic() + PATIENCE
    while changes(peer)[-1:] != [expected]:
        assert time.monotonic() < deadline, changes(peer)
        time.sleep(0.01)


def test_the_event_precedes_the_answer(start, provider):
    peer = watching(start)
    import_grant(peer, provider)
    peer.request("signOut", {"account": "a"})
    kinds = [message.get("method") or "answer" for message in peer.all_json()]
    assert kinds[2:] == ["accountWasChanged", "answer", "accountWasChanged", "answer"]
    assert peer.request("signOut", {"account": "a"})["wasSignedIn"] is False
    assert len(changes(peer)) == 2


def test_files_that_the_user_removes_and_brings_back(start, provider, home):
    peer = watching(start)
    import_grant(start(), provider)
    wait_for_changes(peer, ("a", "signedIn", "elsewhere"))
    grant, aside = home / "store" / "a.grant", home / "aside"
    grant.rename(aside)
    wait_for_changes(peer, ("a", "signedIn", "elsewhere"), ("a", "removed", "elsewhere"))
    aside.rename(grant)
    wait_for_changes(peer, *[("a", change, "elsewhere") for change in ["signedIn", "removed", "signedIn"]])
    grant.unlink()
    wait_for_changes(peer, *[("a", change, "elsewhere") for change in ["signedIn", "removed", "signedIn", "removed"]])


@pytest.mark.parametrize("name", ["a b/Ü", "é" * 100])
def test_every_name_of_an_account(start, provider, name):
    peer, other = watching(start), start()
    import_grant(other, provider, name)
    wait_for_changes(peer, (name, "signedIn", "elsewhere"))
    other.request("signOut", {"account": name})
    wait_for_changes(peer, (name, "signedIn", "elsewhere"), (name, "removed", "elsewhere"))


def final(peer) -> dict[str, str]:
    """Returns the last change of each account."""
    return {account: change for account, change, by in changes(peer)}


def test_no_final_state_is_lost_in_a_burst(start, provider):
    """100 accounts change at once, each of them several times, while the watching process is stopped."""
    peer, other = watching(start), start()
    names = [f"k{index}" for index in range(100)]
    peer.kill("STOP")
    for name in names:
        import_grant(other, provider, name, token="1")
    for name in names[::2]:
        import_grant(other, provider, name, token="2")
    for name in names[::3]:
        other.request("signOut", {"account": name})
    peer.kill("CONT")
    import_grant(other, provider, "last")
    # Changes that are read together are reported in any order.
    deadline = time.monotonic() + PATIENCE
    while {name for name, change in final(peer).items() if change != "removed"} != {*names, "last"} - set(names[::3]):
        assert time.monotonic() < deadline, changes(peer)
        time.sleep(0.01)


@pytest.mark.parametrize("is_there", [True, False])
def test_a_folder_that_is_deleted_and_created_again(start, provider, home, is_there):
    other = start()
    if is_there:
        import_grant(other, provider, "other")
    peer = watching(start)
    if is_there:
        shutil.rmtree(home / "store")
        wait_for_changes(peer, ("other", "removed", "elsewhere"))
    for _ in range(3):
        before = changes(peer)
        import_grant(start(), provider)
        wait_for_changes(peer, *before, ("a", "signedIn", "elsewhere"))
        shutil.rmtree(home / "store")
        wait_for_changes(peer, *before, ("a", "signedIn", "elsewhere"), ("a", "removed", "elsewhere"))


def test_moving_the_key_and_facts_about_the_user_are_no_changes(work, start, provider):
    peer, other = watching(start), start()
    import_grant(other, provider)
    wait_for_changes(peer, ("a", "signedIn", "elsewhere"))
    assert work("rekey", {"to": "file"}).result()["grants"] == 1
    other.request("refresh", {"account": "a", "force": True})
    wait_for_changes(peer, ("a", "signedIn", "elsewhere"), ("a", "refreshed", "elsewhere"))


def test_a_damaged_grant_is_logged_and_stays(start, provider, home):
    peer = watching(start)
    import_grant(start(), provider)
    wait_for_changes(peer, ("a", "signedIn", "elsewhere"))
    grant, new = home / "store" / "a.grant", home / "store" / "new"
    whole = grant.read_bytes()
    new.write_bytes(whole[:-1])
    new.rename(grant)
    deadline = time.monotonic() + PATIENCE
    while b"a change of a is not reported" not in peer.stderr:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert grant.exists()
    # The grant that can be read again is no news.
    new.write_bytes(whole)
    new.rename(grant)
    import_grant(start(), provider)
    wait_for_changes(peer, ("a", "signedIn", "elsewhere"), ("a", "signedIn", "elsewhere"))


def test_hidden_accounts_change_unseen(start, provider):
    peer, other = watching(start, "--accounts", "b"), start()
    for account in ["a", "b"]:
        import_grant(other, provider, account)
    wait_for_changes(peer, ("b", "signedIn", "elsewhere"))


def watches(peer) -> list[Path]:
    """Returns the process's descriptors that watch folders."""
    return [link for link in Path(f"/proc/{peer.process.pid}/fd").iterdir() if "inotify" in target(link)]


def test_only_a_process_that_reports_changes_watches(start, provider):
    assert len(watches(watching(start))) == 1
    silent = start("--events", "none")
    silent.request("initialize", {})
    silent.request("accounts")
    chosen = start()
    chosen.request("initialize", {"events": ["authorizationWasSuccessful"]})
    chosen.request("accounts")
    unused = start()
    unused.request("providers")
    assert [watches(peer) for peer in (silent, chosen, unused)] == [[], [], []]


@pytest.mark.parametrize("events", ["all", "none"])
def test_a_sign_in_ends_the_waiting_of_all_processes(start, provider, events):
    """A process that holds no page back polls nothing: each is told by its watch."""
    peers = [start("--events", events) for _ in range(3)]
    waiting = [(peer, peer.send("authorize", provider.parameters(wait=True))) for peer in peers]
    other = start()
    identifier = other.send("authorize", provider.parameters())
    url = other.event("signInWasRequested", request=identifier)["url"]
    deadline = time.monotonic() + PATIENCE
    while any(not watches(peer) for peer in peers):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    provider.approve(url)
    for peer, identifier in waiting:
        assert peer.result(identifier)["via"] == "stored"


def test_uses_are_remembered_by_all_processes(start, provider, home):
    peer, other = start(), start()
    sign_in(peer, provider)
    began = int(time.time())
    refreshed = peer.request("account", {"account": "a"})["refreshedAt"]
    assert began - 20 <= refreshed <= began
    peer.request("callAPI", {"account": "a", "url": "x"})
    for process in (peer, other, start()):
        state = process.request("account", {"account": "a"})
        assert began - 60 <= state["usedAt"] <= time.time()
        assert process.request("accounts")["accounts"] == [state]
    used = home / "store" / "a.grant.used"
    os.utime(used, (1_700_000_000, 1_700_000_000))
    assert other.request("account", {"account": "a"})["usedAt"] == 1_700_000_000
    assert used.stat().st_mode & 0o777 == 0o600 and used.stat().st_size == 0
    other.request("signOut", {"account": "a"})
    assert not used.exists()


def test_problems_say_why_the_user_must_sign_in(start, provider):
    peer = start()
    import_grant(peer, provider, "ended", data={"access_token": "x", "expires_at": 1_700_000_000})
    import_grant(peer, provider, "good")
    states = {state["account"]: state for state in peer.request("accounts")["accounts"]}
    assert states["ended"]["problem"] == "the access token expired and cannot be refreshed"
    assert "problem" not in states["good"]
    assert peer.request("account", {"account": "ended"}) == states["ended"]


def test_the_end_of_the_folder_is_among_too_many_changes(start, provider, home):
    peer, other = watching(start), start()
    import_grant(other, provider)
    wait_for_last(peer, ("a", "signedIn", "elsewhere"))
    peer.kill("STOP")
    names = [home / "store" / f"{number}.tmp" for number in range(2)]
    names[0].write_bytes(b"")
    for number in range(int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())):
        names[number % 2].rename(names[1 - number % 2])
    shutil.rmtree(home / "store")
    import_grant(other, provider, account="b")
    peer.kill("CONT")
    deadline = time.monotonic() + PATIENCE
    while not {("a", "removed", "elsewhere"), ("b", "signedIn", "elsewhere")} <= set(changes(peer)):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    import_grant(other, provider, account="c")
    wait_for_last(peer, ("c", "signedIn", "elsewhere"))


def test_watching_goes_on_after_a_fault(start, provider, home):
    peer, other = watching(start), start()
    import_grant(other, provider)
    wait_for_last(peer, ("a", "signedIn", "elsewhere"))
    store, away = home / "store", home / "away"
    waiting = peer.send("authorize", provider.parameters(account="b", interaction="ifNeeded"))
    peer.event("signInWasRequested", request=waiting)
    store.rename(away)
    store.symlink_to(store)
    # A fast process looks before the link is there, and finds no account.
    faults = (b"too many levels of symbolic links", b"no such file or directory")
    wait_until(lambda: any(fault in peer.stderr for fault in faults) or ("a", "removed", "elsewhere") in changes(peer))
    store.unlink()
    away.rename(store)
    import_grant(other, provider, account="b")
    assert peer.result(waiting)["via"] == "stored"
    wait_for_last(peer, ("b", "signedIn", "elsewhere"))


@pytest.mark.parametrize("fault", ["garbage", "empty", "folder"])
def test_an_unreadable_moment_does_not_end_the_waiting(start, provider, home, fault):
    peer, other = watching(start), start()
    import_grant(other, provider, account="b")
    waiting = peer.send("authorize", provider.parameters(interaction="ifNeeded"))
    peer.event("signInWasRequested", request=waiting)
    new, grant = home / "store" / "new", home / "store" / "a.grant"
    new.mkdir() if fault == "folder" else new.write_bytes(b"x" * 500 if fault == "garbage" else b"")
    new.rename(grant)
    peer.event("errorOccuredWithShortDescription", request=waiting)
    if grant.is_dir():
        grant.rmdir()
    try:
        import_grant(other, provider)
    except RPCFault as error:
        # The process that reported the file may have left it in place. Its first use sets it aside.
        assert error.data["setAside"]
        import_grant(other, provider)
    assert peer.result(waiting)["via"] == "stored"


def test_no_state_is_older_than_an_event(start, provider):
    peer = watching(start)
    for number in range(10):
        import_grant(peer, provider, token=f"token-{number}")
        before = len(peer.all_json())
        asked = [{"jsonrpc": "2.0", "id": f"{number}-{place}", "method": "account", "params": {"account": "a"}} for place in range(600)]
        asked.insert(300, {"jsonrpc": "2.0", "id": f"{number}-out", "method": "signOut", "params": {"account": "a"}})
        peer.write("".join(json.dumps(request) + "\n" for request in asked).encode())
        for request in asked:
            peer.answer(request["id"])
        messages = peer.all_json()[before:]
        told = next(place for place, message in enumerate(messages) if message.get("params", {}).get("change") == "signedOut")
        results = [message.get("result") or {} for message in messages[told:]]
        # One answer may be on its way while the account changes.
        assert len([result for result in results if result.get("canAuthorize")]) <= 1


@pytest.mark.parametrize("first", ["authorize", "refresh", "account"])
def test_what_another_process_does_at_once_is_reported(start, provider, first):
    """The client sends no `initialize`, so the process watches the store a moment after its first answer."""
    other = start("--events", "none")
    import_grant(other, provider)
    peer = start()
    params = {"authorize": {"interaction": "never"}, "refresh": {"force": False}, "account": {}}[first]
    peer.request(first, {"account": "a", **params})
    other.request("signOut", {"account": "a"})
    wait_for_changes(peer, ("a", "removed", "elsewhere"))

"""Several processes share a store, and some are stopped or killed: no grant is lost, and no lock outlives its process."""

import os
import shutil
import signal
import time

import pytest

from signing_in import authorize
from waiting import Hold


def sign_in(peer, provider, account: str = "a", **more) -> None:
    authorize(peer, provider.approve, **{**provider.parameters(interaction="always"), "account": account, **more})


def test_64_processes_at_once_with_an_empty_store(start, provider, home):
    """All of them create the key at once, and the first grants are stored before the last process reads the store."""
    # One that reports events takes one of the user's 128 instances of inotify.
    peers = [start(*options) for options in [[], ["--events", "none"]] * 32]
    parameters = {"format": "json", "data": {"access_token": "s3cr3t"}, "provider": provider.description, "clientId": "c"}
    for round in range(3):
        identifiers = [(peer, peer.send("importGrant", {**parameters, "account": f"x{round}-{index}"})) for index, peer in enumerate(peers)]
        for peer, identifier in identifiers:
            peer.result(identifier)
        assert len(peers[0].request("accounts")["accounts"]) == 64
        shutil.rmtree(home / "store")


def test_a_hanging_holder_of_a_lock_is_named(start, provider, home):
    first, second = start(), start()
    sign_in(first, provider)
    provider.instead["/token"] = hold = Hold()
    began = int(time.time())
    first.send("refresh", {"account": "a", "force": True})
    hold.wait()
    first.kill("STOP")
    try:
        error = second.answer(second.send("refresh", {"account": "a", "force": True, "timeout": 1}))["error"]
        assert error["data"]["kind"] == "timedOut" and error["data"]["pid"] == first.process.pid
        assert began <= error["data"]["since"] <= time.time() and f"the process {first.process.pid}, since " in error["message"]
    finally:
        first.kill("CONT")
        hold.release()


@pytest.mark.parametrize("count", [2, 8])
def test_processes_that_refresh_at_once(start, demo, count):
    """The demo provider revokes the whole grant when a refresh token is used twice."""
    peers = [start() for _ in range(count)]
    authorize(peers[0], **demo.parameters(account="a", parameters={"demo_auto": "allow"}))
    for _ in range(4):
        identifiers = [(peer, peer.send("refresh", {"account": "a", "force": True})) for peer in peers]
        for peer, identifier in identifiers:
            peer.result(identifier)
    assert peers[-1].request("callAPI", {"account": "a", "url": "me"})["status"] == 200


@pytest.mark.parametrize("pause", [0.02, 0.1, 0.25, 0.35, 0.5])
def test_a_process_killed_in_the_middle_of_a_refresh(start, provider, pause):
    """As at many providers, the old refresh token stays valid until the new one is used. The next process refreshes with it."""
    provider.lifetime = 1

    def slow(request):
        time.sleep(0.3)

    first = start()
    sign_in(first, provider)
    provider.instead["/token"] = slow
    first.send("refresh", {"account": "a", "force": True})
    time.sleep(pause)
    first.process.kill()
    first.process.wait()
    second = start()
    assert second.request("refresh", {"account": "a", "force": True})["refreshed"] is True
    assert second.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    # The killed process's temporary file is deleted when it is an hour old.
    assert len(list(second.store.glob("*.tmp"))) <= 1


def test_a_process_that_was_stopped_holds_the_lock_and_others_go_on(start, provider):
    first, second = start(), start()
    sign_in(first, provider)
    sign_in(first, provider, "b")
    provider.instead["/token"] = hold = Hold()
    refreshing = first.send("refresh", {"account": "a", "force": True})
    hold.wait()
    first.process.send_signal(signal.SIGSTOP)
    del provider.instead["/token"]
    waiting = second.send("refresh", {"account": "a", "force": True})
    assert second.request("refresh", {"account": "b", "force": True})["refreshed"] is True
    second.notify("$/cancelRequest", {"id": waiting})
    assert second.answer(waiting)["error"]["code"] == -32800
    first.process.send_signal(signal.SIGCONT)
    hold.release()
    assert first.result(refreshing)["refreshed"] is True


def test_files_of_a_killed_process_are_deleted(start, provider, home):
    """The test kills the process in the middle of a write. With 100 imports it nearly always writes."""
    sign_in(start(), provider, "other")
    data = {"access_token": "s3cr3t", "expires_at": 4102444800}
    left = []
    for round in range(100):
        killed = start()
        for index in range(100):
            parameters = {"account": f"k{index % 4}", "format": "json", "data": data, "provider": provider.description, "clientId": "c", "replace": True}
            killed.send("importGrant", parameters)
        killed.answer(round % 40 + 1)
        killed.process.kill()
        killed.process.wait()
        left = list((home / "store").glob("*.tmp"))
        if left:
            break
    assert left and all(file.name.startswith("k") for file in left)
    foreign = home / "store" / "notes.tmp"
    foreign.write_text("x")
    # A recent file may still be in use.
    sign_in(start(), provider, "b")
    assert all(file.exists() for file in left)
    for file in (*left, foreign):
        os.utime(file, (time.time() - 7200,) * 2)
    peer = start()
    sign_in(peer, provider, "a")
    assert not any(file.exists() for file in left) and foreign.exists()
    assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200


def test_of_two_imports_at_once_one_is_kept(start, provider, home):
    """Two processes import at once, and neither may overwrite the other's grant."""
    peers = [start(), start()]
    for round in range(20):
        grants = [{"access_token": f"at-{index}-{round}", "expires_at": 4102444800} for index in range(2)]
        parameters = [{"account": f"x{round}", "format": "json", "data": data, "provider": provider.description, "clientId": "c"} for data in grants]
        identifiers = [peer.send("importGrant", params) for peer, params in zip(peers, parameters)]
        answers = [peer.answer(identifier) for peer, identifier in zip(peers, identifiers)]
        assert sum("result" in answer for answer in answers) == 1, answers
        kept = next(index for index, answer in enumerate(answers) if "result" in answer)
        assert answers[1 - kept]["error"]["data"]["path"] == "/account"
        assert peers[0].request("accessToken", {"account": f"x{round}"})["accessToken"] == grants[kept]["access_token"]

"""`saveTo` where nothing can be saved: an error that says so, and what was there stays as it was."""

import os
import stat

import pytest

from provider import Response
from signing_in import TokenProvider, authorize

IS_ROOT = os.geteuid() == 0


@pytest.fixture
def provider():
    with TokenProvider() as running:
        yield running


def sign_in(peer, provider) -> None:
    authorize(peer, provider.approve, **provider.parameters())


def fault(peer, method: str, **params) -> dict:
    """The data of the error that this ends in."""
    answer = peer.answer(peer.send(method, params))
    assert "error" in answer, answer
    return answer["error"]["data"]


@pytest.mark.parametrize("place", ["a missing folder", "a folder", "a full device", "no permission"])
def test_a_download_to_nowhere(peer, provider, home, place):
    sign_in(peer, provider)
    target = {"a missing folder": home / "none" / "x", "a folder": home, "a full device": "/proc/x", "no permission": "/proc/self/x"}[place]
    data = fault(peer, "callAPI", account="a", url="x", saveTo=str(target))
    assert data["kind"] == "storageFailure"
    assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200


def test_a_file_stays_as_it_was_when_its_download_fails(peer, provider, home):
    sign_in(peer, provider)
    target = home / "kept"
    target.write_text("before")
    provider.instead["/api/cut"] = lambda request: Response(200, b"xxx", {"Content-Encoding": "gzip"})
    provider.instead["/api/drop"] = lambda request: Response(200, is_dropped=True)
    provider.instead["/api/no"] = lambda request: Response(500, b"no")
    for url in ("cut", "drop", "no"):
        fault(peer, "callAPI", account="a", url=url, saveTo=str(target), retry=False)
        assert target.read_text() == "before" and [file.name for file in home.glob(".*")] == []


@pytest.mark.skipif(not IS_ROOT, reason="makes a device")
@pytest.mark.parametrize("kind", ["device", "pipe", "link"])
def test_a_download_replaces_no_device(peer, provider, home, kind):
    """`saveTo: /dev/null` as root must not make a file of it."""
    sign_in(peer, provider)
    target = home / "special"
    if kind == "link":
        target.symlink_to(home / "elsewhere")
    else:
        os.mknod(target, (stat.S_IFCHR if kind == "device" else stat.S_IFIFO) | 0o666, os.makedev(1, 3))
    before = target.lstat().st_mode
    peer.answer(peer.send("callAPI", {"account": "a", "url": "x", "saveTo": str(target)}))
    assert target.lstat().st_mode == before

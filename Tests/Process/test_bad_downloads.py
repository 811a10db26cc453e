"""`saveTo` with an unusable target: the error says why, and an existing file stays unchanged."""

import gzip
import os
import re
import stat

import pytest

from provider import Response
from signing_in import authorize
from waiting import traced, wait_until

IS_ROOT = os.geteuid() == 0


def sign_in(peer, provider) -> None:
    authorize(peer, provider.approve, **provider.parameters())


def fault(peer, method: str, **params) -> dict:
    """Returns the error's data."""
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
        fault(peer, "callAPI", account="a", url=url, saveTo=str(target), overwrite=True, retry=False)
        assert target.read_text() == "before" and [file.name for file in home.glob(".*")] == []


@pytest.mark.parametrize("is_there", [True, False])
def test_a_killed_process_leaves_nothing_half(start, provider, home, tmp_path, is_there):
    trace = tmp_path / "trace"
    peer = start(binary=traced(trace, "-e", "trace=write"))
    sign_in(peer, provider)
    folder = home / "downloads"
    folder.mkdir()
    if is_there:
        (folder / "kept").write_text("before")
    provider.instead["/api/slow"] = lambda request: Response(200, b"x" * 1_000_000, pause=20)
    before = trace.stat().st_size
    peer.send("callAPI", {"account": "a", "url": "slow", "saveTo": str(folder / "kept"), "overwrite": True})
    # No other write has so many bytes.
    wait_until(lambda: re.search(r"write\(\d+, .*, \d{5,}\) += \d{4,}$", trace.read_text()[before:], re.MULTILINE))
    peer.kill("KILL")
    peer.process.wait()
    # A hidden part may stay.
    assert [file.name for file in folder.iterdir() if not file.name.startswith(".")] == (["kept"] if is_there else [])
    assert not is_there or (folder / "kept").read_text() == "before"


@pytest.mark.skipif(not IS_ROOT, reason="makes a device")
@pytest.mark.parametrize("kind", ["device", "pipe", "link"])
def test_a_download_replaces_no_device(peer, provider, home, kind):
    """As root, `saveTo: /dev/null` must not replace the device with a file."""
    sign_in(peer, provider)
    target = home / "special"
    if kind == "link":
        target.symlink_to(home / "elsewhere")
    else:
        os.mknod(target, (stat.S_IFCHR if kind == "device" else stat.S_IFIFO) | 0o666, os.makedev(1, 3))
    before = target.lstat().st_mode
    peer.answer(peer.send("callAPI", {"account": "a", "url": "x", "saveTo": str(target)}))
    assert target.lstat().st_mode == before


@pytest.mark.parametrize("way", ["saveTo", "stream"])
def test_an_error_inside_a_success_is_no_download(peer, provider, home, way):
    """An error inside a success is an error even with saveTo. An expired token is renewed once."""
    description = {**provider.description, "apiErrors": {"success": "ok", "code": "error"}, "expired": {"codes": ["expired"]}}
    authorize(peer, provider.approve, **provider.parameters(provider=description))
    answers = []
    provider.instead["/api/x"] = lambda request: answers.pop(0)
    target = home / "saved"
    options = {"account": "a", "url": "x", **({"saveTo": str(target)} if way == "saveTo" else {"stream": True})}

    answers[:] = [Response.of({"ok": False, "error": "no_such_file"})]
    data = fault(peer, "callAPI", **options)
    assert data["kind"] == "serviceError" and data["httpStatus"] == 200 and data["code"] == "no_such_file"
    assert not target.exists() and [file.name for file in home.glob(".*")] == []

    answers[:] = [Response.of({"ok": False, "error": "expired"}), Response.of({"ok": True})]
    result = peer.request("callAPI", options)
    assert result["refreshed"] is True and result["attempts"] == 2 and not answers
    if way == "saveTo":
        assert target.read_bytes() == Response.of({"ok": True}).body
        target.unlink()
    else:
        assert peer.event("bodyChunkWasReceived")["chunk"] == '{"ok": true}'

    answers[:] = [Response.of({"ok": False, "error": "expired"})] * 2
    assert fault(peer, "callAPI", **options)["code"] == "expired" and not answers and not target.exists()

    large = b'{"ok":false,"x":"' + b"y" * 70_000 + b'"}'
    answers[:] = [Response(200, large, {"Content-Type": "application/json"})]
    assert peer.request("callAPI", options)["bytes"] == len(large)


@pytest.mark.parametrize("options", [{"saveTo": "x\0y"}, {"method": "POST", "body": {"file": "x\0y"}}, {"method": "POST", "body": {"file": ""}}, {"method": "POST", "body": {"multipart": [{"name": "a", "file": "x\0y"}]}}])
def test_an_invalid_path(peer, provider, home, options):
    """The system ends a path at the NUL and would use another file."""
    sign_in(peer, provider)
    error = peer.answer(peer.send("callAPI", {"account": "a", "url": "x", **options}))["error"]
    assert error["code"] == -32602 and error["message"].endswith("must be a path"), error


def test_head_has_nothing_to_save(peer, provider, home):
    sign_in(peer, provider)
    target = home / "kept"
    target.write_text("before")
    error = peer.answer(peer.send("callAPI", {"account": "a", "url": "x", "method": "HEAD", "saveTo": str(target)}))["error"]
    assert error["code"] == -32602 and error["data"]["path"] == "/saveTo" and target.read_text() == "before"


@pytest.mark.parametrize("size", [3_000, 3_000_000])
@pytest.mark.parametrize("status", [302, 307])
def test_a_redirects_own_body_is_no_answer(peer, provider, home, size, status):
    """The body of a redirect neither counts against the limit nor is saved."""
    sign_in(peer, provider)
    provider.instead["/api/x"] = lambda request: Response(status, b"r" * size, {"Location": "/api/y"})
    provider.instead["/api/y"] = lambda request: Response(200, b"good")
    for _ in range(2):
        assert peer.request("callAPI", {"account": "a", "url": "x", "maxBytes": 4})["body"] == "good"
        peer.request("callAPI", {"account": "a", "url": "x", "maxBytes": 4, "saveTo": str(home / "saved"), "overwrite": True})
        assert (home / "saved").read_text() == "good"
    provider.instead["/api/x"] = lambda request: Response(status, b"r" * 9)
    assert peer.request("callAPI", {"account": "a", "url": "x"})["body"] == "r" * 9


def test_a_part_that_cannot_be_read_names_the_account(peer, provider, home):
    sign_in(peer, provider)
    path = str(home / "none")
    for body in ({"multipart": [{"name": "a", "file": path}]}, {"file": path}):
        error = peer.answer(peer.send("callAPI", {"account": "a", "url": "x", "method": "POST", "body": body}))["error"]
        assert error["data"] == {"kind": "storageFailure", "retryable": False, "account": "a", "path": path}
        assert error["message"] == f"the file {path} cannot be used: no such file or directory"


def test_an_existing_file_is_replaced_only_on_request(peer, provider, home):
    sign_in(peer, provider)
    target = home / "saved"
    target.write_text("before")
    sent = len(provider.requests)
    answer = peer.answer(peer.send("callAPI", {"account": "a", "url": "x", "saveTo": str(target)}))
    assert answer["error"]["data"]["kind"] == "storageFailure" and "overwrite:true" in answer["error"]["message"]
    assert target.read_text() == "before" and len(provider.requests) == sent
    peer.request("callAPI", {"account": "a", "url": "x", "saveTo": str(target), "overwrite": True})
    assert target.read_text() != "before"
    error = peer.answer(peer.send("callAPI", {"account": "a", "url": "x", "overwrite": True}))["error"]
    assert error["code"] == -32602 and error["data"]["path"] == "/overwrite"


@pytest.mark.skipif(not IS_ROOT, reason="needs another user")
def test_a_file_of_another_user_is_never_replaced(peer, provider, home):
    sign_in(peer, provider)
    target = home / "saved"
    target.write_text("before")
    os.chown(target, 65534, 65534)
    answer = peer.answer(peer.send("callAPI", {"account": "a", "url": "x", "saveTo": str(target), "overwrite": True}))
    assert "another user" in answer["error"]["message"] and target.read_text() == "before"


@pytest.mark.parametrize("options", [{}, {"saveTo": "saved"}, {"stream": True}])
def test_decompressed_bytes_count_against_the_limit(peer, provider, home, options):
    """10 MB of zeros compress to 10 KB."""
    sign_in(peer, provider)
    body = gzip.compress(b"\0" * 10_000_000)
    provider.instead["/api/bomb"] = lambda request: Response(200, body, {"Content-Encoding": "gzip", "Content-Type": "text/plain"})
    options = {name: str(home / value) if name == "saveTo" else value for name, value in options.items()}
    data = fault(peer, "callAPI", account="a", url="bomb", maxBytes=1_000_000, **options)
    assert data["kind"] == "responseTooLarge" and data["maxBytes"] == 1_000_000
    assert not (home / "saved").exists()


@pytest.mark.parametrize("options", [{}, {"saveTo": "saved"}, {"saveTo": "saved", "resume": True}, {"stream": True}])
def test_a_compressed_body_that_ends_early(peer, provider, home, options):
    sign_in(peer, provider)
    whole = gzip.compress(b"text " * 1000)
    provider.instead["/api/cut"] = lambda request: Response(200, whole[:-1], {"Content-Encoding": "gzip", "Content-Type": "text/plain"})
    options = {name: str(home / value) if name == "saveTo" else value for name, value in options.items()}
    data = fault(peer, "callAPI", account="a", url="cut", **options)
    assert data["kind"] == "networkFailure" and data["cause"] == "broken" and not (home / "saved").exists()

"""Downloads that go on where they broke off, and the progress bar."""

import gzip
import json
import os
import re
import signal
import subprocess
import threading
import time

import pytest

from provider import Response
from screen import Screen
from test_command_line import Shell, log_in
from test_raw_answers import RawService
from waiting import HeldCall, wait_until

CONTENT = os.urandom(3 << 20)


@pytest.fixture
def shell(home):
    return Shell(home)


class Service:
    """Serves the content with its version, and breaks off after `limit` bytes."""

    def __init__(self, provider, version='"v1"'):
        self.version, self.limit, self.content, self.ranges = version, None, CONTENT, []
        self.takes_ranges = True
        self.date = "Mon, 23 Nov 2026 10:00:01 GMT"
        provider.instead["/api/file"] = self.answer

    def answer(self, request) -> Response:
        wanted = request.headers.get("Range")
        self.ranges.append(wanted)
        headers = {"ETag": self.version} if self.version and self.version.startswith(('"', "W/")) else {}
        if self.version and not headers:
            headers = {"Last-Modified": self.version, "Date": self.date}
        first, status = 0, 200
        if wanted and self.takes_ranges and request.headers.get("If-Range") == self.version:
            first, status = int(re.fullmatch(r"bytes=(\d+)-", wanted)[1]), 206
            if first >= len(self.content):
                return Response(416, headers={"Content-Range": f"bytes */{len(self.content)}"})
            headers["Content-Range"] = f"bytes {first}-{len(self.content) - 1}/{len(self.content)}"
        body = self.content[first:]
        return Response(status, body, headers, limit=self.limit)


def broken(shell, service, limit=1 << 20, name="file"):
    service.limit = limit
    assert "broke off" in shell.run("call", "a", "file", "-o", name, "--retry=false", status=5).stderr
    service.limit = None


def files(shell) -> list[str]:
    return sorted(name for name in os.listdir(shell.home) if name.startswith("file"))


@pytest.mark.parametrize("version", ['"v1"', "Mon, 23 Nov 2026 10:00:00 GMT"])
def test_a_download_goes_on_where_it_broke_off(shell, provider, version):
    log_in(shell, provider)
    service = Service(provider, version)
    broken(shell, service)
    assert files(shell) == ["file.oauth-stdio-part", "file.oauth-stdio-part.version"]
    assert os.path.getsize(shell.home / "file.oauth-stdio-part") == 1 << 20 and os.stat(shell.home / "file.oauth-stdio-part").st_mode & 0o777 == 0o600
    result = shell.result("callAPI", "a", "file", "--saveTo", shell.home / "file", "--resume")
    assert result["status"] == 206 and result["bytes"] == len(CONTENT)
    assert (shell.home / "file").read_bytes() == CONTENT and files(shell) == ["file"]
    assert service.ranges == [None, f"bytes={1 << 20}-"]


@pytest.mark.parametrize("change", ["the version", "ranges", "the end"])
def test_a_part_of_another_version_is_not_continued(shell, provider, change):
    log_in(shell, provider)
    service = Service(provider)
    broken(shell, service)
    if change == "the version":
        service.version, service.content = '"v2"', os.urandom(2 << 20)
    elif change == "ranges":
        service.takes_ranges = False
    else:
        service.content = CONTENT[: 1 << 20]
    shell.run("call", "a", "file", "-o", "file")
    assert (shell.home / "file").read_bytes() == service.content and files(shell) == ["file"]


@pytest.mark.parametrize("version", [None, 'W/"weak"'])
def test_without_a_version_no_part_stays(shell, provider, version):
    log_in(shell, provider)
    service = Service(provider, version)
    broken(shell, service)
    assert files(shell) == []


def test_a_date_of_the_same_second_is_no_version(shell, provider):
    log_in(shell, provider)
    service = Service(provider, "Mon, 23 Nov 2026 10:00:01 GMT")
    broken(shell, service)
    assert files(shell) == []


def test_a_weak_version_is_none_even_with_a_date(shell, provider):
    log_in(shell, provider)
    headers = {"ETag": 'W/"v1"', "Last-Modified": "Mon, 23 Nov 2026 10:00:00 GMT", "Date": "Mon, 23 Nov 2026 11:00:00 GMT"}
    provider.instead["/api/file"] = lambda request: Response(200, CONTENT, headers, limit=1 << 20)
    shell.run("call", "a", "file", "-o", "file", "--retry=false", status=5)
    assert files(shell) == []


@pytest.mark.parametrize(
    ("content_range", "size", "version"), [
        ("bytes 1048576-3145727/3145728", 2 << 20, '"v2"'), ("bytes 1048576-1048676/3145728", 101, '"v1"'), ("bytes 1048576-3145727/*", 2 << 20, '"v1"'),
        ("bytes 1048576-3145727/4000000", 2 << 20, '"v1"'), ("bytes 1048576-garbage", 2 << 20, '"v1"'), ("bytes 1048576-3145727/3145728", 5, '"v1"'),
        ("bytes 500-3145727/3145728", 2 << 20, '"v1"'), (None, 2 << 20, '"v1"')],
    ids=["another version", "a piece", "an unknown size", "another size", "garbage", "too few bytes", "another start", "no range"])
def test_a_wrong_rest_is_not_joined(shell, provider, content_range, size, version):
    log_in(shell, provider)
    service = Service(provider)
    broken(shell, service)
    headers = {"ETag": version, **({"Content-Range": content_range} if content_range else {})}
    provider.instead["/api/file"] = lambda request: Response(206, bytes(size), headers)
    shell.run("call", "a", "file", "-o", "file", "--retry=false", status=5)
    assert "file" not in files(shell)
    # The next download is whole.
    provider.instead["/api/file"] = service.answer
    shell.run("call", "a", "file", "-o", "file")
    assert (shell.home / "file").read_bytes() == CONTENT and files(shell) == ["file"]


@pytest.mark.parametrize(("first", "status"), [(1 << 20, 0), (1 << 19, 5), (0, 0)], ids=["the rest", "another part", "the whole"])
def test_a_part_with_the_status_of_a_whole(shell, provider, first, status):
    """Some servers name the range that they send beside 200."""
    log_in(shell, provider)
    service = Service(provider)
    broken(shell, service)
    headers = {"ETag": '"v1"', "Content-Range": f"bytes {first}-{len(CONTENT) - 1}/{len(CONTENT)}"}
    provider.instead["/api/file"] = lambda request: Response(200, CONTENT[first:], headers)
    shell.run("call", "a", "file", "-o", "file", "--retry=false", status=status)
    assert ("file" in files(shell)) == (status == 0)
    if status == 0:
        assert (shell.home / "file").read_bytes() == CONTENT


@pytest.mark.parametrize("version", ["Mon, 23 Nov 2026 10:00:00 GMT", '"v1"'])
def test_a_rest_without_the_same_version_is_not_joined(shell, provider, version):
    log_in(shell, provider)
    service = Service(provider, version)
    broken(shell, service)
    headers = {"Content-Range": f"bytes {1 << 20}-{len(CONTENT) - 1}/{len(CONTENT)}", **({} if version.startswith('"') else {"ETag": '"new"'})}
    provider.instead["/api/file"] = lambda request: Response(206, bytes(2 << 20), headers)
    shell.run("call", "a", "file", "-o", "file", "--retry=false", status=5)
    assert "file" not in files(shell)


def test_a_compressed_answer_has_no_part(shell, provider):
    log_in(shell, provider)
    body = gzip.compress(CONTENT)
    answers = [Response(200, body, {"ETag": '"v1"', "Content-Encoding": "gzip"}, limit=1 << 20), Response(200, body, {"ETag": '"v1"', "Content-Encoding": "gzip"})]
    provider.instead["/api/file"] = lambda request: answers.pop(0)
    shell.run("call", "a", "file", "-o", "file", "--retry=false", status=5)
    assert files(shell) == [] and provider.requests[-1].headers["Accept-Encoding"] == "identity"
    shell.run("call", "a", "file", "-o", "file")
    assert (shell.home / "file").read_bytes() == CONTENT


@pytest.mark.parametrize("change", ["a header", "a redirect", "a sign-in"])
def test_a_part_of_another_request_is_not_continued(shell, provider, change):
    log_in(shell, provider)
    service = Service(provider)
    target = ["/api/one"]
    for path in ("/api/one", "/api/two"):
        provider.instead[path] = service.answer
    provider.instead["/api/file"] = lambda request: Response(302, b"", {"Location": target[0]})
    service.limit = 1 << 20
    shell.run("call", "a", "file", "-o", "file", "--retry=false", "-H", "X-Path: one", status=5)
    service.limit = None
    words = ["-H", "X-Path: two" if change == "a header" else "X-Path: one"]
    if change == "a redirect":
        target[0] = "/api/two"
        # The service names another file's bytes as the rest.
        shell.run("call", "a", "file", "-o", "file", *words, "--retry=false", status=5)
    elif change == "a sign-in":
        shell.run("signOut", "a")
        log_in(shell, provider)
    shell.run("call", "a", "file", "-o", "file", *words)
    assert service.ranges[-1] is None and (shell.home / "file").read_bytes() == CONTENT


class SlowService(RawService):
    """Sends a few bytes for long enough that progress is shown."""

    def serve(self, connection):
        with connection:
            connection.recv(1 << 16)
            connection.sendall(self.head)
            for _ in range(8):
                connection.sendall(b"x")
                time.sleep(0.4)


def test_an_impossible_length_ends_no_process(shell, start, provider, home):
    """The largest number times ten is none, and clients cannot read it."""
    log_in(shell, provider)
    slow = SlowService(b"HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n")
    provider.instead["/api/file"] = lambda request: Response(302, b"", {"Location": f"http://127.0.0.1:{slow.port}/"})
    with Screen(shell.words("call", "a", "file", "-o", "file", "--retry=false"), shell.environment, shell.home) as screen:
        assert screen.ended() == 5 and "8 B" in screen.shown and "broke off" in screen.shown
    peer = start()
    identifier = peer.send("callAPI", {"account": "a", "url": "file", "saveTo": str(home / "file"), "retry": False})
    assert "total" not in peer.event("progressWasMade", received=8)
    assert peer.answer(identifier)["error"]["data"]["kind"] == "networkFailure"


def test_an_old_part_does_not_count_for_a_new_version(shell, provider):
    log_in(shell, provider)
    service = Service(provider)
    service.content = b"1" * 2000
    broken(shell, service, limit=1000)
    service.version, service.content = '"v2"', b"2" * 500
    shell.run("call", "a", "file", "-o", "file", "--maxBytes", "1200")
    assert (shell.home / "file").read_bytes() == b"2" * 500


def test_a_part_that_cannot_be_emptied_is_not_used(shell, provider):
    log_in(shell, provider)
    service = Service(provider)
    broken(shell, service)
    service.version, service.content = '"v2"', b"2" * 500
    command = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=ftruncate", "-e", "inject=ftruncate:error=EIO", *shell.words("call", "a", "file", "-o", "file")]
    done = subprocess.run(command, capture_output=True, timeout=60, env=shell.environment, cwd=shell.home, stdin=subprocess.DEVNULL)
    assert done.returncode != 0 and "file" not in files(shell), done


@pytest.mark.parametrize("words", [["-X", "POST"], ["-d", "x=1"], ["--json", "{}"], ["-H", "Range: bytes=0-"], ["-H", "If-Range: \"v1\""]])
def test_what_cannot_be_continued_is_downloaded_whole(shell, provider, words):
    log_in(shell, provider)
    Service(provider)
    shell.run("call", "a", "file", "-o", "@file", *words)
    assert (shell.home / "@file").read_bytes() == CONTENT


@pytest.mark.parametrize(("account", "url"), [("a", "file?id=2"), ("b", "file?id=1")])
def test_a_part_of_another_query_or_account_is_not_continued(shell, provider, account, url):
    log_in(shell, provider)
    grant = {"access_token": next(iter(provider.living))}
    shell.run("importGrant", "b", "--format", "json", "--data", json.dumps(grant), "--provider", json.dumps(provider.description), "--clientId", "c")
    service = Service(provider)
    service.limit = 1 << 20
    shell.run("call", "a", "file?id=1", "-o", "file", "--retry=false", status=5)
    service.limit = None
    shell.run("call", account, url, "-o", "file")
    assert service.ranges == [None, None] and (shell.home / "file").read_bytes() == CONTENT


def test_a_download_behind_a_redirect_goes_on(shell, provider):
    """A storage service gets another signature with each redirect."""
    log_in(shell, provider)
    service = Service(provider)
    storage = provider.instead["/api/file"]
    provider.instead["/api/storage"] = storage
    provider.instead["/api/file"] = lambda request: Response(302, b"", {"Location": f"/api/storage?signature={os.urandom(4).hex()}"})
    broken(shell, service)
    shell.run("call", "a", "file", "-o", "file")
    assert service.ranges == [None, f"bytes={1 << 20}-"] and (shell.home / "file").read_bytes() == CONTENT and files(shell) == ["file"]


def test_the_rest_is_no_answer_of_the_service(shell, provider):
    """The description says that a success may contain an error, and the rest of this file looks like an answer."""
    provider.description["apiErrors"] = {"success": "ok"}
    log_in(shell, provider)
    service = Service(provider)
    service.content = b'{"n":1234567}\n' * 9000
    broken(shell, service, limit=14 * 8000)
    shell.run("call", "a", "file", "-o", "file")
    assert (shell.home / "file").read_bytes() == service.content and files(shell) == ["file"]
    # A small answer in place of the rest is one.
    broken(shell, service, limit=14 * 8000, name="file2")
    provider.instead["/api/file"] = lambda request: Response.of({"ok": True})
    shell.run("call", "a", "file", "-o", "file2")
    assert (shell.home / "file2").read_bytes() == b'{"ok": true}' and files(shell) == ["file", "file2"]


def test_the_part_of_another_program_stays(shell, provider):
    log_in(shell, provider)
    (shell.home / "file.part").write_text("a browser's")
    provider.instead["/api/file"] = lambda request: Response(404)
    shell.run("call", "a", "file", "-o", "file", status=1)
    assert (shell.home / "file.part").read_text() == "a browser's"


def test_a_file_with_a_long_name_is_downloaded_without_a_part(shell, provider):
    log_in(shell, provider)
    Service(provider)
    name = "file" + "n" * 251
    shell.run("call", "a", "file", "-o", name)
    assert (shell.home / name).read_bytes() == CONTENT


def test_a_finished_file_is_not_taken_for_its_part(shell, provider):
    """The other process gives the file its name between this one's open and lock."""
    log_in(shell, provider)
    rest = threading.Event()
    provider.instead["/api/one"] = lambda request: Response(200, b"A" * 2000, {"ETag": '"s"'}, until=rest)
    provider.instead["/api/two"] = lambda request: Response(200, b"B" * 2000, {"ETag": '"t"'})
    first = shell.start("call", "a", "one", "-o", "file")
    part = shell.home / "file.oauth-stdio-part"
    wait_until(part.exists)
    held = HeldCall("flock", shell.home / "trace", "-P", str(part))
    words = [*held.command, *shell.words("call", "a", "two", "-o", "file")[1:]]
    second = subprocess.Popen(words, env=shell.environment, cwd=shell.home, stdin=subprocess.DEVNULL)
    held.wait()
    rest.set()
    assert first.wait(60) == 0 and (shell.home / "file").read_bytes() == b"A" * 2000
    held.release(second)
    assert second.wait(60) == 0
    assert (shell.home / "file").read_bytes() == b"B" * 2000


def test_a_part_of_another_resource_is_not_continued(shell, provider):
    log_in(shell, provider)
    service = Service(provider)
    broken(shell, service)
    provider.instead["/api/other"] = lambda request: Response(200, b"other", {"ETag": '"v1"'}) if "Range" not in request.headers else Response(400)
    shell.run("call", "a", "other", "-o", "file")
    assert (shell.home / "file").read_bytes() == b"other" and files(shell) == ["file"]


def test_a_failed_call_keeps_the_part_of_another_resource(shell, provider):
    log_in(shell, provider)
    service = Service(provider)
    broken(shell, service)
    provider.instead["/api/missing"] = lambda request: Response(404)
    assert "404" in shell.run("call", "a", "missing", "-o", "file", "--retry=false", status=1).stderr
    assert files(shell) == ["file.oauth-stdio-part", "file.oauth-stdio-part.version"]
    shell.run("call", "a", "file", "-o", "file")
    assert service.ranges == [None, f"bytes={1 << 20}-"]
    assert (shell.home / "file").read_bytes() == CONTENT and files(shell) == ["file"]


def test_the_wrong_part_is_no_success(shell, provider):
    log_in(shell, provider)
    service = Service(provider)
    broken(shell, service)
    provider.instead["/api/file"] = lambda request: Response(206, b"x", {"Content-Range": "bytes 5-5/9", "ETag": '"v1"'})
    shell.run("call", "a", "file", "-o", "file", status=5)
    assert "file" not in files(shell)
    service = Service(provider)
    shell.run("call", "a", "file", "-o", "file")
    assert (shell.home / "file").read_bytes() == CONTENT


def halves(provider, service) -> threading.Event:
    """Lets the service send one half of the file. Returns the event that the other half waits for."""
    rest = threading.Event()

    def answer(request):
        response = service.answer(request)
        response.until = rest
        return response

    provider.instead["/api/file"] = answer
    return rest


def test_a_killed_download_goes_on(shell, provider):
    log_in(shell, provider)
    service = Service(provider)

    rest = halves(provider, service)
    process = shell.start("call", "a", "file", "-o", "file")
    part = shell.home / "file.oauth-stdio-part"
    wait_until(lambda: part.exists() and part.stat().st_size > 1 << 20)
    process.send_signal(signal.SIGKILL)
    process.wait()
    rest.set()
    provider.instead["/api/file"] = service.answer
    shell.run("call", "a", "file", "-o", "file")
    assert (shell.home / "file").read_bytes() == CONTENT and service.ranges[-1].startswith("bytes=")


def test_two_processes_do_not_write_one_part(shell, provider):
    log_in(shell, provider)
    rest = halves(provider, Service(provider))
    process = shell.start("call", "a", "file", "-o", "file")
    # The part is locked before it has a byte.
    part = shell.home / "file.oauth-stdio-part"
    wait_until(lambda: part.exists() and part.stat().st_size > 0)
    assert "another process downloads it" in shell.run("call", "a", "file", "-o", "file", status=1).stderr
    rest.set()
    assert process.wait(60) == 0 and (shell.home / "file").read_bytes() == CONTENT


def test_a_link_in_the_place_of_the_part_is_not_followed(shell, provider):
    log_in(shell, provider)
    Service(provider)
    (shell.home / "victim").write_text("mine")
    (shell.home / "file.oauth-stdio-part").symlink_to(shell.home / "victim")
    shell.run("call", "a", "file", "-o", "file", status=1)
    assert (shell.home / "victim").read_text() == "mine"


@pytest.mark.parametrize("words", [["--resume"], ["--saveTo", "f", "--resume", "--method", "POST"], ["--saveTo", "f", "--resume", "--headers", '{"Range":"bytes=1-"}']])
def test_resuming_needs_a_whole_file(shell, provider, words):
    log_in(shell, provider)
    shell.message("callAPI", "a", "file", *words, status=2)


def slow_service(provider):
    provider.instead["/api/file"] = lambda request: Response(200, CONTENT, pause=2.5)


def test_a_terminal_shows_the_progress(shell, provider):
    log_in(shell, provider)
    slow_service(provider)
    with Screen(shell.words("call", "a", "file", "-o", "file"), shell.environment, shell.home) as screen:
        assert screen.ended() == 0
    bars = re.findall(r"\[(#+-*)\] (\d+) %  ([\d.]+) MB of 3\.1 MB", screen.shown)
    assert bars and {len(bar) for bar, _, _ in bars} == {24}, screen.shown
    # Nothing of it remains.
    assert screen.shown.endswith("\r\x1b[K")


def test_a_pipe_shows_no_progress(shell, provider):
    log_in(shell, provider)
    slow_service(provider)
    done = subprocess.run(shell.words("call", "a", "file"), capture_output=True, timeout=60, env=shell.environment)
    assert done.stdout == CONTENT and done.stderr == b""

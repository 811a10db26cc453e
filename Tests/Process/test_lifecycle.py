"""The process from the first byte to the exit status: ends of input, hang-ups, signals, and what must hold at each of them."""

import contextlib
import fcntl
import functools
import json
import os
import pty
import signal
import socket
import subprocess
import sys
import termios
import threading
import time
from pathlib import Path

import pytest

import browser
from ports import reserve_port
from provider import Response
from rpc import BINARY, RPCFault
from signing_in import authorize, redirect
from together import run_together
from waiting import Hold, traced, wait_until


def begin_sign_in(peer, provider, **more) -> tuple[object, str]:
    """Starts an `authorize` that waits for the user, and returns its id and the page."""
    identifier = peer.send("authorize", provider.parameters(**more))
    return identifier, peer.event("signInWasRequested", request=identifier)["url"]


def redirect_port(url: str) -> int:
    return int(browser.query(url)["redirect_uri"].split(":")[2].split("/")[0])


def accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


def test_the_end_of_input_ends_an_idle_process_at_once(peer):
    peer.request("accounts")
    assert peer.finish() == 0


def spent(process) -> int:
    """Returns the process's processor time so far, in ticks."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def end_after(requests: int, home) -> float:
    """Returns the processor time of the end, as a share of that of this many requests before it."""
    process = subprocess.Popen(
        [BINARY, "--store", str(home / "store")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env={"HOME": str(home)}
    )
    lines = b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"accounts"}\n' % number for number in range(requests))
    writer = threading.Thread(target=process.stdin.write, args=(lines,))
    writer.start()
    answers = 0
    while answers < requests:
        answers += process.stdout.read(1 << 16).count(b"\n")
    writer.join()
    before = spent(process)
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    assert process.returncode == 0
    after = (usage.ru_utime + usage.ru_stime) * os.sysconf("SC_CLK_TCK")
    return (after - before) / before


@pytest.mark.skipif(sys.platform != "linux", reason="the processor's time is read in /proc")
def test_the_end_does_not_grow_with_the_work_before(home):
    """The process does not clean up at its end. 3 % are usual."""
    home.mkdir()
    assert end_after(20_000, home) < 0.2


def test_an_empty_input_is_a_valid_session(peer):
    assert peer.finish() == 0
    assert peer.stdout == b""


def test_a_last_line_without_line_feed_counts(peer):
    peer.checker.sent({"id": 1, "method": "accounts"})
    peer.write(b'{"jsonrpc":"2.0","id":1,"method":"accounts"}')
    assert peer.finish() == 0
    assert "accounts" in peer.answer(1)["result"]


def test_a_process_of_one_request_watches_nothing(start, home):
    """Ending a watch takes longer than the request. Only a client that stays needs one."""
    log = home.parent / "trace"
    for method, params, watches in ("account", {"account": "a"}, False), ("initialize", {}, True):
        log.unlink(missing_ok=True)
        peer = start(binary=traced(log, "-e", "trace=inotify_init1,exit_group"))
        peer.send(method, params)
        assert peer.finish() == 0
        wait_until(lambda: "exit_group" in log.read_text())
        assert ("inotify_init1" in log.read_text()) is watches


def test_an_awaited_sign_in_is_finished_after_the_end_of_input(peer, provider):
    identifier, url = begin_sign_in(peer, provider)
    peer.close_stdin()
    time.sleep(0.3)
    assert peer.process.poll() is None
    provider.approve(url)
    assert peer.wait() == 0
    assert peer.result(identifier)["via"] == "signedIn"


def test_a_call_under_way_is_finished_after_the_end_of_input(peer, provider):
    authorize(peer, provider.approve, **provider.parameters())

    provider.instead["/api/slow"] = hold = Hold()
    identifier = peer.send("callAPI", {"account": "a", "url": "slow"})
    hold.wait()
    peer.close_stdin()
    # Longer than a process needs to end if it does not wait.
    time.sleep(1)
    hold.release()
    assert peer.wait() == 0
    assert peer.result(identifier)["status"] == 200


def test_a_signal_after_the_end_of_input_is_not_kept_waiting(peer, provider):
    authorize(peer, provider.approve, **provider.parameters())
    provider.instead["/api/slow"] = hold = Hold()
    identifier = peer.send("callAPI", {"account": "a", "url": "slow"})
    hold.wait()
    peer.close_stdin()
    # By then it has read the end.
    time.sleep(0.5)
    peer.kill("HUP")
    # The response is not there yet.
    assert peer.wait() == 129
    hold.release()
    assert peer.answer(identifier)["error"]["data"]["kind"] == "ending"


def test_a_sign_in_without_a_waiter_is_abandoned_at_the_end_of_input(peer, provider):
    answer = peer.request("authorize", provider.parameters(wait=False))
    assert answer["status"] == "pending" and "grantedScopes" not in answer and "tokenType" not in answer
    port = redirect_port(answer["signIn"]["url"])
    assert accepts(port)
    assert peer.finish(5) == 0
    assert not accepts(port)
    assert peer.event("signInWasAbandoned")["account"] == "a"


def test_shutdown_and_exit(start):
    orderly = start()
    assert orderly.request("shutdown") is None
    assert orderly.answer(orderly.send("accounts"))["error"]["code"] == -32600
    orderly.notify("exit")
    assert orderly.wait() == 0
    abrupt = start()
    abrupt.notify("exit")
    assert abrupt.wait() == 1


def test_exit_with_an_id_is_answered(start):
    peer = start()
    peer.request("shutdown")
    assert peer.request("exit") == {} and peer.wait() == 0


def test_a_task_before_exit_in_its_batch_is_answered(peer):
    # The answers have no defined order.
    peer.send_text(json.dumps([{"jsonrpc": "2.0", "id": 1, "method": "accounts"}, {"jsonrpc": "2.0", "id": 2, "method": "exit"}]))
    assert peer.answer(1)["result"] == {"accounts": []} and peer.answer(2)["result"] == {} and peer.wait() == 1


def test_exit_cancels_what_its_batch_waits_for(peer, provider):
    waiting = {"jsonrpc": "2.0", "id": 1, "method": "authorize", "params": provider.parameters()}
    peer.send_text(json.dumps([waiting, {"jsonrpc": "2.0", "method": "exit"}]))
    assert peer.answer(1)["error"]["data"]["kind"] == "ending" and peer.wait() == 1


def test_nothing_that_comes_along_keeps_exit_from_ending(start):
    peer = start()
    peer.notify("exit", {"reason": "quit"})
    assert peer.wait() == 1


@contextlib.contextmanager
def unread(home):
    """A process whose answers are not read. Most tests soon make it write one of 8 MiB."""
    home.mkdir()
    process = subprocess.Popen(
        [BINARY, "--store", str(home / "store")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env={"HOME": str(home)}
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


def unread_bytes(stream) -> int:
    """Returns the number of bytes in the pipe."""
    count = bytearray(4)
    fcntl.ioctl(stream, termios.FIONREAD, count)
    return int.from_bytes(count, sys.byteorder)


def wait_until_it_writes(process) -> None:
    wait_until(lambda: unread_bytes(process.stdout) >= 4096)


def fill(process) -> bytes:
    """Sends a request whose answer is longer than any pipe, and returns that answer."""
    identifier = "x" * (8 << 20)
    process.stdin.write(f'{{"jsonrpc":"2.0","id":"{identifier}","method":"none"}}\n'.encode())
    wait_until_it_writes(process)
    message = {"jsonrpc": "2.0", "id": identifier, "error": {"code": -32601, "message": "there is no method none"}}
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def a_signal_ends_it_with_unread_output(unread, name):
    fill(unread)
    began = time.monotonic()
    unread.send_signal(getattr(signal, "SIG" + name))
    assert unread.wait(60) == 128 + getattr(signal, "SIG" + name) and time.monotonic() - began > 1


def a_signal_after_the_end_of_input_ends_it_with_unread_output(unread):
    fill(unread)
    unread.stdin.close()
    time.sleep(0.5)
    assert unread.poll() is None
    unread.terminate()
    unread.wait(60)


def a_signal_throws_answers_away_and_says_so(unread):
    """The requests have all been answered, and the process only waits for its reader."""
    for number in range(600):
        unread.stdin.write(f'{{"jsonrpc":"2.0","id":{number},"method":"callAPI","params":{{"account":"a","url":"x"}}}}\n'.encode())
    unread.stdin.close()
    wait_until_it_writes(unread)
    time.sleep(0.5)
    unread.terminate()
    assert unread.wait(60) == 143


def a_reader_gets_the_rest_of_a_batch_after_a_signal(unread):
    requests = [f'{{"jsonrpc":"2.0","id":{number},"method":"accounts"}}' for number in range(4000)]
    unread.stdin.write(f"[{','.join(requests)}]\n".encode())
    unread.stdin.close()
    wait_until_it_writes(unread)
    unread.terminate()
    # A process that can write everything at once may end before it has seen the signal.
    time.sleep(0.5)
    assert len(json.loads(unread.stdout.read())) == 4000 and unread.wait(60) == 143


def the_end_of_the_parent_ends_it_with_unread_output(unread):
    parent = subprocess.Popen(["sleep", "100"])
    unread.stdin.write(f'{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"processId":{parent.pid}}}}}\n'.encode())
    unread.stdout.read(1)
    fill(unread)
    parent.kill()
    parent.wait()
    assert unread.wait(60) == 1


def a_signals_status_stays(unread):
    """The parent ends after the signal, while the process waits for its reader since the end of input."""
    parent = subprocess.Popen(["sleep", "100"])
    unread.stdin.write(f'{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"processId":{parent.pid}}}}}\n'.encode())
    unread.stdout.read(1)
    fill(unread)
    unread.stdin.close()
    time.sleep(0.5)
    unread.terminate()
    time.sleep(0.3)
    parent.kill()
    parent.wait()
    assert unread.wait(60) == 143


def a_slow_reader_gets_its_answer_to_the_last_byte(unread, end):
    """The client reads for longer than the process waits for a client that reads nothing, but it never stops reading."""
    answer = fill(unread)
    if end == "signal":
        unread.terminate()
    else:
        unread.stdin.close()
    read = b""
    for _ in range(8):
        time.sleep(0.5)
        read += unread.stdout.read(16 << 10)
    rest = unread.stdout.read(2 << 20)
    while rest:
        read += rest
        rest = unread.stdout.read(2 << 20)
    assert read == answer and unread.wait(60) == (143 if end == "signal" else 0)


def test_unread_output(tmp_path):
    """Each case takes seconds, so they run side by side."""
    cases = {
        "a slow reader, signal": (a_slow_reader_gets_its_answer_to_the_last_byte, "signal"),
        "a slow reader, input": (a_slow_reader_gets_its_answer_to_the_last_byte, "input"),
        "TERM": (a_signal_ends_it_with_unread_output, "TERM"),
        "HUP": (a_signal_ends_it_with_unread_output, "HUP"),
        "INT": (a_signal_ends_it_with_unread_output, "INT"),
        "a signal after the end of input": (a_signal_after_the_end_of_input_ends_it_with_unread_output,),
        "answers are thrown away": (a_signal_throws_answers_away_and_says_so,),
        "a batch": (a_reader_gets_the_rest_of_a_batch_after_a_signal,),
        "a signal, then the end of the parent": (a_signals_status_stays,),
        "the end of the parent": (the_end_of_the_parent_ends_it_with_unread_output,),
    }

    def run(case, home):
        with unread(home) as process:
            case[0](process, *case[1:])

    run_together({name: functools.partial(run, case, tmp_path / name) for name, case in cases.items()}, len(cases))


def test_calls_reach_the_service_though_another_writer_has_filled_the_pipe(home, provider):
    """As with `2>&1`: the pipe had room for the last frame, and has none for the next."""
    provider.living = {"t"}
    with unread(home) as process:

        def send(identifier, method, **params):
            message = {"jsonrpc": "2.0", "id": identifier, "method": method, "params": {"account": "a", **params}}
            process.stdin.write(json.dumps(message).encode() + b"\n")

        def answered(identifier):
            wait_until(lambda: b'"id":%d,' % identifier in os.read(process.stdout.fileno(), 1 << 16))

        send(0, "importGrant", format="json", provider=provider.description, clientId="c", data={"access_token": "t"})
        answered(0)
        send(1, "callAPI", url="x")
        answered(1)
        other = os.open(f"/proc/self/fd/{process.stdout.fileno()}", os.O_WRONLY | os.O_NONBLOCK)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(other, b"z" * 4096)
        os.close(other)
        before = len(provider.requests)
        for identifier in range(2, 102):
            send(identifier, "callAPI", url="x")
        wait_until(lambda: len(provider.requests) == before + 100)
        process.terminate()
        assert process.wait(60) == 143


@pytest.mark.parametrize("name", ["TERM", "HUP", "INT"])
def test_a_signal_answers_what_is_pending_and_ends(peer, provider, name):
    identifier, url = begin_sign_in(peer, provider)
    peer.kill(name)
    peer.wait()
    error = peer.answer(identifier)["error"]
    # -32800 is only for requests that the client cancelled.
    assert error["code"] != -32800
    assert not accepts(redirect_port(url))


def test_a_hang_up_of_both_ends_cancels_what_is_pending(home, provider):
    """As when an editor crashes: the client never reads the answer."""
    home.mkdir()
    ours, theirs = socket.socketpair()
    process = subprocess.Popen(
        [BINARY, "--store", str(home / "store")], stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, env={"HOME": str(home), "PATH": "/bin"}
    )
    theirs.close()
    try:
        request = {"jsonrpc": "2.0", "id": 1, "method": "authorize", "params": provider.parameters()}
        ours.sendall(json.dumps(request).encode() + b"\n")
        assert b"signInWasRequested" in ours.recv(1 << 16)
        ours.close()
        process.wait(60)
        assert b"atal error" not in process.stderr.read()
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def test_a_broken_pipe_ends_it_quietly(home):
    home.mkdir()
    process = subprocess.Popen(
        [BINARY, "--store", str(home / "store")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.close()
    try:
        try:
            for _ in range(100):
                process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"accounts"}\n')
                process.stdin.flush()
                time.sleep(0.01)
        except BrokenPipeError:
            pass
        status = process.wait(60)
        assert status >= 0, f"died of {signal.Signals(-status).name}"
        assert process.stderr.read() == b""
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="what the process has open is root's alone to see")
def test_standard_output_belongs_to_the_protocol(peer):
    """Stray output of our code or of a library goes to stderr, because descriptor 1 is a copy of it."""
    peer.request("accounts")
    descriptors = f"/proc/{peer.process.pid}/fd"
    assert os.readlink(f"{descriptors}/1") == os.readlink(f"{descriptors}/2")


def test_a_child_does_not_get_the_protocol_either(start, home, provider):
    """The browser command's output must not be in the stream. The checks of every message would report it."""
    home.mkdir()
    script = home / "browser"
    script.write_text('#!/bin/sh\necho stray output\necho "$1" > "$0.url"\n')
    script.chmod(0o755)
    peer = start(environment={"BROWSER": str(script)})
    parameters = provider.parameters()
    del parameters["openBrowser"]
    identifier = peer.send("authorize", parameters)
    url = peer.event("signInWasRequested", request=identifier)["url"]
    opened = home / "browser.url"
    wait_until(lambda: opened.exists() and opened.read_text().endswith("\n"))
    assert browser.Browser().get(opened.read_text().strip()).location == url
    provider.approve(url)
    peer.result(identifier)
    assert b"stray" not in peer.stdout


def test_it_ends_with_the_process_that_initialize_names(start):
    editor = subprocess.Popen(["sleep", "100"])
    try:
        peer = start()
        peer.request("initialize", {"processId": editor.pid, "capabilities": {}})
        editor.kill()
        editor.wait()
        peer.wait(60)
    finally:
        editor.kill()
        editor.wait()


def test_initialize_ignores_unknown_members(peer):
    result = peer.request(
        "initialize", {"processId": None, "rootUri": "file:///x", "capabilities": {"workspace": {"applyEdit": True}}, "trace": "off"}
    )
    assert result["protocolVersion"] == 1 and result["serverInfo"]["name"] == "oauth-stdio"
    assert "authorize" in result["capabilities"]["methods"]
    peer.notify("initialized", {})
    peer.request("accounts")


def test_a_cancelled_request_is_answered_as_such(peer, provider):
    identifier, url = begin_sign_in(peer, provider)
    peer.notify("$/cancelRequest", {"id": identifier})
    assert peer.answer(identifier)["error"]["code"] == -32800
    peer.event("signInWasAbandoned")
    assert "cancelled" in browser.deliver(redirect(url, code="x")).text


def test_an_mcp_cancellation_may_have_more_members(peer, provider):
    identifier, _ = begin_sign_in(peer, provider)
    peer.notify("notifications/cancelled", {"requestId": identifier, "reason": "enough", "_meta": {"x": 1}})
    peer.event("signInWasAbandoned", request=identifier)


def test_mcp_cancels_silently(peer, provider):
    identifier, _ = begin_sign_in(peer, provider)
    peer.notify("notifications/cancelled", {"requestId": identifier})
    peer.event("signInWasAbandoned")
    peer.request("accounts")
    assert not any(message.get("id") == identifier for message in peer.all_json())


def test_the_id_of_an_open_request_is_rejected(peer, provider):
    identifier, url = begin_sign_in(peer, provider)
    # As bytes, so that the test's client still assigns the id to the first request.
    peer.write(json.dumps({"jsonrpc": "2.0", "id": identifier, "method": "accounts"}).encode() + b"\n")
    assert peer.answer(None)["error"]["code"] == -32600
    provider.approve(url)
    assert peer.result(identifier)["via"] == "signedIn"


def test_a_reported_grant_is_on_disk(start, provider):
    """Emacs kills the process at once after `exit`. The grant of an answered request must be on disk by then."""
    first = start()
    authorize(first, provider.approve, **provider.parameters())
    first.process.kill()
    second = start()
    assert second.request("account", {"account": "a"})["canAuthorize"] is True
    assert second.request("authorize", provider.parameters())["via"] == "stored"


def test_the_memory_store_leaves_nothing(start, home, provider):
    peer = start("--store", "memory")
    authorize(peer, provider.approve, **provider.parameters())
    assert peer.finish() == 0
    assert [file for file in home.rglob("*") if file.is_file()] == []


def test_requests_are_answered_while_a_sign_in_waits(peer, provider):
    identifier, url = begin_sign_in(peer, provider)
    peer.request("accounts")
    second = peer.send("authorize", provider.parameters())
    provider.approve(url)
    assert peer.result(identifier)["status"] == peer.result(second)["status"]
    asked = [event["params"]["signIn"] for event in peer.events if event["method"] == "signInWasRequested"]
    assert len(set(asked)) == 1


def test_a_sign_in_has_its_time(peer, provider):
    identifier, url = begin_sign_in(peer, provider, timeout=3)
    assert peer.answer(identifier)["error"]["data"]["kind"] == "timedOut"
    assert "was reached" in browser.deliver(redirect(url, code="x")).text


def test_foreign_redirects_are_ignored(peer, provider):
    identifier, url = begin_sign_in(peer, provider)
    for bad in (redirect(url, state="wrong", code="x"), redirect(url, state=None, code="x"), redirect(url, state="wrong", error="access_denied")):
        assert browser.deliver(bad).status == 404
        answer = peer.request("handleRedirect", {"url": bad})
        assert answer == {"handled": False, "reason": "the address belongs to no open sign-in: paste the whole address that the browser shows after signing in"}
    provider.approve(url)
    peer.result(identifier)


def test_the_port_is_free_before_the_end_is_reported(peer, provider):
    port = reserve_port()
    for _ in range(5):
        pinned = provider.parameters(redirectUri=f"http://127.0.0.1:{port}/callback", interaction="always")
        authorize(peer, lambda url: threading.Thread(target=provider.approve, args=(url,)).start(), **pinned)


def test_a_port_that_is_taken_is_named(peer, provider):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(RPCFault) as fault:
            peer.request("authorize", provider.parameters(redirectUri=f"http://127.0.0.1:{port}/callback"))
    assert fault.value.kind == "portInUse" and fault.value.data["port"] == port


def test_two_processes_refresh_once(start, provider):
    """The second process uses the grant that the first has stored. The provider receives each refresh token once."""
    provider.lifetime = 1
    first, second = start(), start()
    authorize(first, provider.approve, **provider.parameters())
    provider.lifetime = 3600
    time.sleep(1.1)
    before = len(provider.requests)
    answers = [peer.send("callAPI", {"account": "a", "url": "x"}) for peer in (first, second)]
    for peer, identifier in zip((first, second), answers):
        assert peer.result(identifier)["status"] == 200
    assert [request.path for request in provider.requests[before:]].count("/token") == 1


def test_one_refresh_for_many_calls(peer, provider):
    authorize(peer, provider.approve, **provider.parameters())
    provider.living = set()

    # A call that began after the refresh would be sent with the new token at once.
    have_begun = threading.Event()
    provider.instead["/token"] = lambda request: have_begun.wait(100) and provider.issue()
    identifiers = [peer.send("callAPI", {"account": "a", "url": f"{number}"}) for number in range(8)]
    peer.request("account", {"account": "a"})
    have_begun.set()
    for identifier in identifiers:
        result = peer.result(identifier)
        assert result["status"] == 200 and result["refreshed"] is True
    assert [request.path for request in provider.requests].count("/token") == 2
    assert [event["method"] for event in peer.events].count("accessTokenWasRefreshed") == 1


def test_a_terminal_gets_five_lines_on_what_to_type(home):
    home.mkdir()
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [BINARY, "--store", str(home / "store")], stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={"HOME": str(home)}
    )
    os.close(slave)
    try:
        hint = [process.stderr.readline().decode() for _ in range(5)]
        assert "JSON-RPC" in hint[0] and hint[3:] == ["  oauth-stdio accounts\n", "  oauth-stdio --help\n"]
        # What it suggests works.
        os.write(master, hint[1].strip().encode() + b"\n")
        assert json.loads(process.stdout.readline())["result"] == {"accounts": []}
        os.write(master, b"\x04")
        assert process.wait(60) == 0
        assert process.stderr.read() == b"" and process.stdout.read() == b""
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()
        os.close(master)


def test_the_command_line(home):
    def run(*arguments):
        return subprocess.run([BINARY, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)

    version = run("--version")
    assert version.returncode == 0 and version.stdout.count("\n") == 1
    usage = run("--help")
    assert usage.returncode == 0 and usage.stdout.startswith("oauth-stdio signs users in")
    for arguments in (["--config", ""], ["--store="], ["--events", ""], ["--version=1"], ["--help=x"], ["--allow-export=yes"], ["--store"]):
        refused = run(*arguments)
        first = refused.stderr.splitlines()[0]
        option = arguments[0].split("=")[0]
        assert refused.returncode == 2 and refused.stdout == "" and first.startswith(f"oauth-stdio: {option} ") and "value" in first, refused
    wrong = run("--no-such-option")
    assert wrong.returncode != 0 and wrong.stdout == "" and "--no-such-option" in wrong.stderr


def test_events_are_chosen(start, provider):
    silent = start("--events", "none")
    answer = silent.request("authorize", provider.parameters(wait=False))
    provider.approve(answer["signIn"]["url"])
    assert silent.request("awaitSignIn", {"id": answer["signIn"]["id"]})["via"] == "signedIn"
    assert silent.events == []
    chosen = start("--events", "authorizationWasSuccessful")
    assert chosen.request("authorize", provider.parameters())["via"] == "stored"
    assert [event["method"] for event in chosen.events] == ["authorizationWasSuccessful"]


def test_events_report_the_result_of_a_notification(peer, provider):
    authorize(peer, provider.approve, **provider.parameters())
    peer.notify("callAPI", {"account": "a", "url": "x", "as": "json"})
    assert peer.event("responseFromServiceWasReceived")["json"] == {"path": "/api/x", "method": "GET"}


def test_a_service_error_carries_the_whole_response(peer, provider):
    authorize(peer, provider.approve, **provider.parameters())
    provider.instead["/api/bad"] = lambda request: Response(422, b'{"code":"E1"}', {"X-Extra": "1"})
    with pytest.raises(RPCFault) as fault:
        peer.request("callAPI", {"account": "a", "url": "bad"})
    assert fault.value.kind == "serviceError" and fault.value.data["httpStatus"] == 422
    assert fault.value.data["body"] == '{"code":"E1"}'

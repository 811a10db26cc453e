"""An audit file whose disk is slow or hangs: no answer is lost, and none waits for ever."""

import json
import subprocess
from pathlib import Path

import pytest

from provider import Response
from rpc import BINARY
from test_command_line import Shell
from test_limits import call, held_audit, lines, signed_in  # noqa: F401
from waiting import wait_until


def delayed(audit, seconds: int) -> list[str]:
    """The words that run the program so that each line of its audit file takes these seconds."""
    audit.touch()
    return ["strace", "-f", "-o", "/dev/null", "-P", str(audit), "-e", "trace=write", "-e", f"inject=write:delay_enter={seconds * 1_000_000}", BINARY]


def start(home, audit, *words) -> subprocess.Popen:
    """Starts a command of which each line of the audit file takes 6 s."""
    shell = Shell(home)
    words = [*delayed(audit, 6), *shell.words("--audit", audit, *words)[1:]]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=shell.environment)


def end(process) -> None:
    subprocess.run(["pkill", "-TERM", "-P", str(process.pid)], check=True)


def was_called(provider, path: str) -> bool:
    return any(request.path == path for request in provider.requests)


@pytest.mark.parametrize("ends", [True, False])
@pytest.mark.parametrize("method", ["authorize", "awaitSignIn"])
def test_a_failed_sign_in_is_answered_after_a_late_cancellation(held_audit, provider, method, ends):  # noqa: F811
    peer, audit, held = held_audit
    provider.instead["/token"] = lambda request: Response.of({"error": "invalid_grant"}, 400)
    params = provider.parameters(account="c")
    if method == "authorize":
        identifier = peer.send(method, params)
    else:
        identifier = peer.send(method, {"id": peer.request("authorize", dict(params, wait=False))["signIn"]["id"]})
    provider.approve(peer.event("signInWasRequested")["url"])
    assert peer.event("errorOccuredWithShortDescription")["kind"] == "authorizationServerError"
    held.wait()
    assert not lines(audit)
    if ends:
        peer.process.terminate()
        status = Path(f"/proc/{peer.process.pid}/status")
        wait_until(lambda: "ShdPnd:\t0000000000000000" in status.read_text())
    else:
        peer.notify("$/cancelRequest", {"id": identifier})
        peer.request("accounts", {})
    held.release(peer.process)
    assert peer.answer(identifier)["error"]["data"]["kind"] == "authorizationServerError"
    assert (peer.wait() if ends else peer.finish()) == (143 if ends else 0)


@pytest.mark.parametrize("status", [200, 404])
def test_a_command_prints_its_answer_after_a_signal(signed_in, tmp_path, home, provider, status):  # noqa: F811
    audit = tmp_path / "audit"
    provider.instead["/api/root"] = lambda request: Response(status, b"the answer", {"Content-Type": "text/plain"})
    process = start(home, audit, "call", "a", "root", "-X", "POST", "-d", "x")
    wait_until(lambda: was_called(provider, "/api/root"))
    end(process)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 143 and out.strip() == "the answer", err
    assert [line["status"] for line in lines(audit)] == [status]
    assert "waiting for the audit file" in err


def test_an_answer_to_an_mcp_client_is_not_lost(signed_in, tmp_path, home, provider):  # noqa: F811
    audit = tmp_path / "audit"
    process = start(home, audit, "mcp", "--allow-writes")
    process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "callAPI", "arguments": call(method="POST")}}) + "\n")
    process.stdin.flush()
    wait_until(lambda: was_called(provider, "/api/root"))
    end(process)
    out = process.stdout.read()
    assert process.wait(30) == 143 and json.loads(out)["result"]["isError"] is False, process.stderr.read()


def test_no_answer_waits_for_ever(signed_in, tmp_path):  # noqa: F811
    audit = tmp_path / "audit"
    peer = signed_in("--audit", str(audit), binary=delayed(audit, 60))
    answer = peer.request("accessToken", {"account": "a"})
    event = peer.event("errorOccuredWithShortDescription")
    assert answer["accessToken"] and event["kind"] == "storageFailure" and str(audit) in event["errorDetails"]
    assert not lines(audit)
    # The line of the first call still hangs, and these calls have none.
    assert peer.request("signOut", {"account": "b"}) and peer.request("diagnose", {"account": "a"})["findings"]
    assert not lines(audit)
    peer.process.kill()
    subprocess.run(["pkill", "-KILL", "-f", str(audit)])

"""The audit file: which uses of credentials it records, and what happens if its disk is full, slow or hangs."""

import json
import os
import signal
import time

import pytest

from provider import Response
from rpc import BINARY, RPCFault
from test_limits import call, signed_in  # noqa: F401
from waiting import HeldCall, Hold, wait_until


def lines(path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def uses(path) -> list[dict]:
    """Waits for the second lines. Returns the two lines of each request as one, without the time, the id and the profile."""

    def found() -> list[dict]:
        found: dict = {}
        for number, line in enumerate(lines(path)):
            shown = {name: value for name, value in line.items() if name not in ("time", "id", "profile")}
            first = found.setdefault(line.get("id", number), shown)
            assert first.items() <= shown.items(), (first, shown)
            first.update(shown)
        return list(found.values())

    wait_until(lambda: all("method" not in use or "status" in use or "failure" in use for use in found()))
    return found()


@pytest.fixture
def audited(signed_in, tmp_path):  # noqa: F811
    """Returns a process with an audit file, and the file."""
    audit = tmp_path / "audit"
    return signed_in("--audit", str(audit), "--allow-export"), audit


@pytest.fixture
def held_audit(signed_in, tmp_path):  # noqa: F811
    """Returns a process whose lines wait for `held.release`, the audit file, and `held`."""
    audit = tmp_path / "audit"
    audit.touch()
    held = HeldCall("write", tmp_path / "held", "-P", str(audit))
    return signed_in("--audit", str(audit), binary=held.command), audit, held


def fill(audit) -> None:
    """Lets no process write further lines."""
    wait_until(audit.exists)
    audit.rename(audit.with_suffix(".1"))
    audit.mkdir()


def test_the_audit_file_names_every_use(signed_in, provider, tmp_path, home):  # noqa: F811
    folder = home / "config" / "oauth-stdio"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"profiles": {"agent": {}}}))
    audit = tmp_path / "audit"
    provider.instead["/api/moved"] = lambda request: Response(302, headers={"Location": "/api/root"})
    provider.instead["/api/wrong"] = lambda request: Response(404, b"", {})
    peer = signed_in("--audit", str(audit), "--profile", "agent", "--allow-export")
    peer.request("callAPI", call("root?secret=s3cret", method="POST", body={"text": "s3cret"}))
    peer.request("refresh", {"account": "a", "force": True})
    token = peer.request("accessToken", {"account": "a"})["accessToken"]
    peer.request("authorizeRequest", call())
    peer.request("exportGrant", {"account": "a"})
    peer.request("callAPI", call("moved"))
    peer.answer(peer.send("callAPI", call("wrong")))
    peer.request("revoke", {"account": "a"})
    peer.finish()
    host = provider.url.removeprefix("http://")

    def sent(use: str, path: str, status: int = 200, method: str = "POST") -> dict:
        return {"account": "a", "use": use, "method": method, "host": host, "path": path, "status": status}

    assert uses(audit) == [
        sent("callAPI", "/api/root"), sent("token", "/token"), *({"account": "a", "use": use} for use in ["accessToken", "authorizeRequest", "exportGrant"]),
        sent("callAPI", "/api/moved", 302, "GET"), sent("callAPI", "/api/root", method="GET"), sent("callAPI", "/api/wrong", 404, "GET"),
        sent("revoke", "/revoke"), sent("revoke", "/revoke"),
    ]
    assert all(line["profile"] == "agent" and abs(line["time"] - time.time()) < 60 for line in lines(audit))
    text = audit.read_text()
    assert "s3cret" not in text and token not in text and not any(secret in text for secret in provider.secrets)
    assert audit.stat().st_mode & 0o777 == 0o600


def test_a_sign_in_is_recorded(audited, provider):
    peer, audit = audited
    provider.instead["/token"] = lambda request: Response.of({"error": "invalid_grant"}, 400)
    waiting = peer.send("authorize", provider.parameters(account="c"))
    provider.approve(peer.event("signInWasRequested")["url"])
    assert peer.answer(waiting)["error"]["data"]["kind"] == "authorizationServerError"
    assert [(use["account"], use["use"], use["status"]) for use in uses(audit)] == [("c", "token", 400)]


def test_processes_share_the_audit_file_and_a_rotation_is_followed(signed_in, tmp_path):  # noqa: F811
    audit = tmp_path / "audit"
    peers = [signed_in("--audit", str(audit)) for _ in range(3)]
    for _ in range(5):
        for peer in peers:
            peer.request("callAPI", call())
    assert len(uses(audit)) == 15
    audit.rename(tmp_path / "audit.1")
    for peer in peers:
        peer.request("callAPI", call())
        peer.finish()
    assert len(lines(tmp_path / "audit.1")) == 30 and len(uses(audit)) == 3


def test_a_use_that_cannot_be_recorded_does_not_happen(audited, provider):
    peer, audit = audited
    fill(audit)
    for method, params in [
        ("callAPI", call()), ("refresh", {"account": "a", "force": True}), ("revoke", {"account": "a"}),
        ("accessToken", {"account": "a"}), ("authorizeRequest", call()), ("exportGrant", {"account": "a"}),
    ]:
        with pytest.raises(RPCFault) as caught:
            peer.request(method, params)
        assert (caught.value.kind, caught.value.data["path"]) == ("storageFailure", str(audit)), method
    assert not provider.requests
    # These use no credential.
    assert peer.request("account", {"account": "a"}) and peer.request("signOut", {"account": "b"})
    audit.rmdir()
    assert peer.request("callAPI", call())["status"] == 200 and len(uses(audit)) == 1


def test_a_redirect_and_a_retry_that_cannot_be_recorded_are_not_sent(audited, provider):
    peer, audit = audited
    for response in [Response(302, headers={"Location": "/api/two"}), Response(503, b"", {})]:

        def answer(request):
            fill(audit)
            return response

        provider.instead["/api/root"] = answer
        before = len(provider.requests)
        assert peer.answer(peer.send("callAPI", call()))["error"]["data"]["kind"] == "storageFailure"
        assert len(provider.requests) == before + 1
        audit.rmdir()


@pytest.mark.parametrize("method, params", [("callAPI", call()), ("refresh", {"account": "a", "force": True})])
def test_a_second_line_that_cannot_be_written_is_an_event(audited, provider, method, params):
    peer, audit = audited
    path = {"callAPI": "/api/root", "refresh": "/token"}[method]
    usual = provider.instead.get(path)
    provider.instead[path] = hold = Hold()
    identifier = peer.send(method, params)
    hold.wait()
    fill(audit)
    if usual is None:
        del provider.instead[path]
    hold.release()
    # By then, the new tokens are stored.
    if method == "refresh":
        peer.event("accessTokenWasRefreshed")
    event = peer.event("errorOccuredWithShortDescription")
    assert event["kind"] == "storageFailure" and str(audit) in event["errorDetails"]
    assert peer.result(identifier)
    assert len(lines(audit.with_suffix(".1"))) == 1


def test_only_uses_wait_for_a_hanging_disk(held_audit, provider):
    peer, audit, held = held_audit
    token = peer.send("accessToken", {"account": "a"})
    held.wait()
    # More than the threads that may block at the same time.
    sent = [peer.send("callAPI", call(timeout=2)) for _ in range(12)] + [peer.send("accessToken", {"account": "b", "timeout": 2})]
    refresh = peer.send("refresh", {"account": "b", "force": True, "timeout": 2})
    for method, params in [("account", {"account": "a"}), ("accounts", {}), ("provider", {"provider": "github"}), ("signOut", {"account": "c"})]:
        assert peer.request(method, params)
    for identifier in sent:
        error = peer.answer(identifier)["error"]
        assert error["data"]["kind"] == "storageFailure" and "more than 2 s" in error["message"]
    assert peer.answer(refresh)["error"]["data"]["kind"] == "timedOut"
    assert not provider.requests and not lines(audit) and not any(message.get("id") == token for message in peer.all_json())
    held.release(peer.process)
    assert peer.result(token)["accessToken"]
    assert peer.finish() == 0


def test_a_signal_ends_the_wait_for_a_hanging_disk(held_audit, provider):
    peer, audit, held = held_audit
    sent = peer.send("callAPI", call())
    held.wait()
    tracer = held.tracer(peer.process)
    peer.kill("TERM")
    assert peer.answer(sent)["error"]["data"]["kind"] == "ending"
    wait_until(lambda: b"the last lines of the audit file" in peer.stderr)
    # Until then, it keeps the thread that writes.
    os.kill(tracer, signal.SIGKILL)
    assert peer.wait() == 143 and not provider.requests


def test_the_audit_file_is_synced(signed_in, tmp_path):  # noqa: F811
    audit, log = tmp_path / "audit", tmp_path / "trace"
    audit.touch()
    trace = ["strace", "-f", "-o", str(log), "-P", str(audit), "-e", "trace=write,fsync", BINARY]
    peer = signed_in("--audit", str(audit), binary=trace)
    peer.request("accessToken", {"account": "a"})
    wait_until(lambda: "fsync(" in log.read_text())
    assert peer.finish() == 0 and len(lines(audit)) == 1

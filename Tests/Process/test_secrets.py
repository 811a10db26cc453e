"""No token, code, secret or verifier is in our output, even at the most detailed log level."""

import base64
import json
import os
import shutil
import stat
import subprocess
import tempfile
import urllib.parse

import pytest

import browser
from provider import Response
from rpc import BINARY, RPCFault
from signing_in import authorize, redirect
from waiting import wait_until

CLIENT_SECRET = "cl13nt-s3cret-%+value"


def spellings(secret: str) -> set[bytes]:
    """Returns the encodings in which a value could appear."""
    plain = secret.encode()
    return {
        plain,
        urllib.parse.quote_plus(secret).encode(),
        base64.b64encode(plain).rstrip(b"="),
        base64.urlsafe_b64encode(plain).rstrip(b"="),
        plain.hex().encode(),
    }


def assert_absent(secrets: set[str], **places: bytes) -> None:
    assert len(secrets) > 3, "the provider has seen too little for this test to mean anything"
    for name, content in places.items():
        for secret in secrets:
            for spelling in spellings(secret):
                assert spelling not in content, f"a secret stands in {name}"


def files(folder) -> bytes:
    return b"\n".join(file.name.encode() + file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


@pytest.fixture
def talkative(start):
    return start("--log-level", "debug")


def test_no_secret_of_a_whole_session_is_shown(talkative, provider, home):
    peer = talkative
    provider.secrets.add(CLIENT_SECRET)
    # Every use of a secret: a redirect, its exchange, calls, a refresh after a 401, and revocation.
    authorize(peer, provider.approve, **provider.parameters(clientSecret=CLIENT_SECRET))
    peer.request("callAPI", {"account": "a", "url": "x", "as": "json"})
    provider.living = set()
    assert peer.request("callAPI", {"account": "a", "url": "y"})["refreshed"] is True
    peer.request("refresh", {"account": "a", "force": True})
    peer.request("account", {"account": "a"})
    peer.request("accounts")
    peer.answer(peer.send("provider", {"provider": provider.description}))
    stored = files(home)
    peer.request("revoke", {"account": "a"})
    assert peer.finish() == 0
    assert_absent(provider.secrets, stderr=peer.stderr, stdout=peer.stdout, store=stored, files=files(home))
    assert peer.stderr, "the debug log says something"


def test_the_two_methods_that_hand_a_token_out_log_nothing_of_it(talkative, provider):
    peer = talkative
    authorize(peer, provider.approve, **provider.parameters())
    token = peer.request("accessToken", {"account": "a"})["accessToken"]
    request = peer.request("authorizeRequest", {"account": "a", "url": provider.url + "/api/x"})
    assert request["headers"]["Authorization"] == f"Bearer {token}"
    assert peer.finish() == 0
    assert_absent(provider.secrets, stderr=peer.stderr)


@pytest.mark.parametrize("status", [400, 401, 500])
def test_a_provider_that_repeats_secrets_in_its_errors(talkative, provider, status):
    """An error body may quote the request."""
    peer = talkative
    provider.secrets.add(CLIENT_SECRET)

    def repeat(request):
        return Response(status, b"you sent " + request.body + str(request.headers).encode(), {"Content-Type": "text/plain"})

    provider.instead["/token"] = repeat
    identifier = peer.send("authorize", provider.parameters(clientSecret=CLIENT_SECRET))
    provider.approve(peer.event("signInWasRequested", request=identifier)["url"])
    assert "error" in peer.answer(identifier)
    assert peer.finish() == 0
    assert_absent(provider.secrets, stderr=peer.stderr, stdout=peer.stdout)


@pytest.mark.parametrize(
    "body", [b'{"access_token":"%s"', b'{"%s":1}', b'{"error":"%s","error_description":"no"}', b'{"access_token":["%s"],"token_type":"Bearer"}', b'{"token_type":"Bearer","refresh_token":"%s"}', b"%s"]
)
def test_a_token_answer_that_cannot_be_read(talkative, provider, body):
    peer = talkative
    provider.secrets.add(CLIENT_SECRET)
    token = provider.secret()
    provider.instead["/token"] = lambda request: Response(200, body % token.encode(), {"Content-Type": "application/json"})
    identifier = peer.send("authorize", provider.parameters(clientSecret=CLIENT_SECRET))
    provider.approve(peer.event("signInWasRequested", request=identifier)["url"])
    assert peer.answer(identifier)["error"]["data"]["kind"] == ("authorizationServerError" if b"error" in body else "responseUntrusted")
    assert peer.finish() == 0
    assert_absent(provider.secrets, stderr=peer.stderr, stdout=peer.stdout)


def test_a_redirect_handed_in_wrongly(talkative, provider):
    peer = talkative
    identifier = peer.send("authorize", provider.parameters())
    url = peer.event("signInWasRequested", request=identifier)["url"]
    codes = {provider.secret() for _ in range(4)}
    for code in codes:
        browser.deliver(redirect(url, state="wrong", code=code))
        peer.request("handleRedirect", {"url": redirect(url, state="other", code=code)})
        peer.answer(peer.send("handleRedirect", {"uri": redirect(url, code=code)}))
        peer.send_text('{"jsonrpc":"2.0","id":"x","method":"handleRedirect","params":{"url":"' + code + '"')
        peer.answer(peer.send("handleRedirect", {code: code}))
    peer.close_stdin()
    peer.kill("TERM")
    peer.wait()
    # The path of an unknown member is shown, because the caller chose it.
    assert_absent(provider.secrets, stderr=peer.stderr)


def test_a_client_secret_in_a_wrong_place(talkative):
    """Rejected params are not quoted."""
    peer = talkative
    for params in ({"account": "a", "clientSecret": {"x": CLIENT_SECRET}}, {"account": {"x": CLIENT_SECRET}}, [["x", CLIENT_SECRET]]):
        assert "error" in peer.answer(peer.send("authorize", params))
    assert peer.finish() == 0
    for spelling in spellings(CLIENT_SECRET):
        assert spelling not in peer.stderr and spelling not in peer.stdout


def test_only_the_owner_can_read_the_store(start, provider, home):
    old = os.umask(0)
    try:
        peer = start()
    finally:
        os.umask(old)
    authorize(peer, provider.approve, **provider.parameters())
    assert peer.finish() == 0
    assert stat.S_IMODE(peer.store.stat().st_mode) == 0o700
    written = [file for file in home.rglob("*") if file.is_file()]
    assert written
    for file in written:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file.name


def test_the_command_line_of_a_browser_has_no_state(start, provider, home):
    """`ps` shows every local user only the start address, without the page, its state and its code challenge."""
    home.mkdir(exist_ok=True)
    (home / "browser").write_text('#!/bin/sh\ntr "\\0" "\\n" < /proc/$$/cmdline > "$0.part"; mv "$0.part" "$0.line"\n')
    (home / "browser").chmod(0o755)
    peer = start(environment={"BROWSER": str(home / "browser")})
    identifier = peer.send("authorize", provider.parameters(openBrowser=True))
    url = peer.event("signInWasRequested", request=identifier)["url"]
    wait_until((home / "browser.line").exists)
    line = (home / "browser.line").read_text()
    asked = browser.query(url)
    assert line.splitlines()[-1].startswith(asked["redirect_uri"].removesuffix("callback") + "start/")
    for secret in (asked["state"], asked["code_challenge"], "/authorize"):
        assert secret not in line
    assert browser.Browser().get(line.splitlines()[-1]).location == url
    provider.approve(url)
    peer.result(identifier)
    for secret in provider.secrets:
        assert secret not in url


def test_a_service_error_is_not_logged(talkative, provider):
    peer = talkative
    authorize(peer, provider.approve, **provider.parameters())
    private = provider.secret()
    provider.instead["/api/bad"] = lambda request: Response(400, private.encode())
    with pytest.raises(RPCFault) as fault:
        peer.request("callAPI", {"account": "a", "url": "bad?token=" + private, "headers": {"X-Key": private}})
    assert fault.value.data["body"] == private
    assert peer.finish() == 0
    assert_absent(provider.secrets, stderr=peer.stderr)


def test_an_error_of_a_service_quotes_no_token(talkative, provider):
    token = "s3cr3t/t0ken+x=="
    data = {"access_token": token, "refresh_token": "r"}
    talkative.request("importGrant", {"account": "a", "format": "json", "data": data, "provider": provider.description, "clientId": "c"})
    body = '{"a":"%s","b":"%s","c":"%s"}' % (token, urllib.parse.quote_plus(token), token.replace("/", "\\/"))
    provider.instead["/api/bad"] = lambda request: Response(400, body.encode(), {"Content-Type": "application/json", "X-Seen": token})
    for form in ("json", "text"):
        with pytest.raises(RPCFault) as fault:
            talkative.request("callAPI", {"account": "a", "url": "bad", "as": form})
        shown = fault.value.data["json"] if form == "json" else json.loads(fault.value.data["body"])
        assert shown == dict.fromkeys("abc", "…") and fault.value.data["headers"]["x-seen"] == "…"


def test_secrets_of_a_description_are_sent_and_not_shown(start, provider, home):
    """The secret is in the params, in a provider file, and in the configuration."""
    secret = "wr1tten-s3cret"
    description = {
        **provider.description, "tokenHeaders": {"X-Api-Key": secret}, "apiHeaders": {"Cookie": secret, "X-Version": "7"},
        "tokenParameters": {"client_secret": secret, "type": "web"},
    }
    (home / "config" / "oauth-stdio" / "providers").mkdir(parents=True)
    (home / "config" / "oauth-stdio" / "providers" / "own.json").write_text(json.dumps(description))
    (home / "config" / "oauth-stdio" / "config.json").write_text(json.dumps({"accounts": {"b": {"provider": description, "clientId": "c"}}}))
    peer = start("--log-level", "debug")
    for reference in (description, "own"):
        shown = peer.request("provider", {"provider": reference})
        deviations = {deviation["member"]: deviation["value"] for deviation in shown["deviations"]}
        assert deviations["tokenHeaders"] == {"X-Api-Key": "…"} and deviations["apiHeaders"] == {"Cookie": "…", "X-Version": "7"}
        assert deviations["tokenParameters"] == {"client_secret": "…", "type": "web"}
        peer.request("authorize", {"account": "x", "provider": reference, "clientId": "c", "dryRun": True})
    peer.request("authorize", {"account": "b", "dryRun": True})
    authorize(peer, provider.approve, **provider.parameters(provider=description))
    provider.instead["/token"] = lambda request: Response.of({"error": "invalid_request", "error_description": f"bad key {secret}"}, 400)
    assert "bad key …" in str(peer.answer(peer.send("refresh", {"account": "a", "force": True}))["error"])
    assert any(request.headers.get("X-Api-Key") == secret for request in provider.requests)
    assert peer.finish() == 0
    assert secret.encode() not in peer.stdout + peer.stderr


@pytest.mark.skipif(not os.path.exists("/proc/self/environ"), reason="looks at /proc")
def test_other_processes_cannot_read_the_memory():
    """Another process of the same user has no access. The environment has the same protection as the memory (PTRACE_MODE_READ)."""
    with tempfile.TemporaryDirectory() as folder:
        # Root may read everything, so both processes run as another user.
        options = {"user": 65534, "group": 65534, "extra_groups": [], "cwd": "/"} if os.geteuid() == 0 else {}
        os.chmod(folder, 0o755)
        program = shutil.copy(BINARY, folder)

        def may_be_read(command: list[str], request: bytes) -> bool:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)
            try:
                process.stdin.write(request)
                process.stdin.flush()
                assert process.stdout.readline()
                return subprocess.run(["cat", f"/proc/{process.pid}/environ"], capture_output=True, **options).returncode == 0
            finally:
                process.stdin.close()
                process.stdout.close()
                process.wait(60)

        assert may_be_read(["cat"], b"x\n") is True
        assert may_be_read([program, "--store", "memory"], b'{"jsonrpc":"2.0","id":1,"method":"accounts"}\n') is False

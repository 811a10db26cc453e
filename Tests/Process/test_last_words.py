"""Messages about faults that are otherwise hard to find: the configured provider, the folder, a full output stream."""

import json
import signal
import subprocess

import pytest

from rpc import BINARY
from signing_in import authorize


@pytest.mark.parametrize("reference", ["GitHub", {"preset": "gthub"}], ids=["name", "preset"])
def test_a_misspelt_preset_in_the_configuration(start, home, reference):
    home.mkdir()
    path = home / "config.json"
    path.write_text(json.dumps({"accounts": {"work/me": {"provider": reference, "clientId": "c"}}}))
    peer = start("--config", path)
    error = peer.answer(peer.send("authorize", {"account": "work/me"}))["error"]
    written = reference if isinstance(reference, str) else reference["preset"]
    assert error["message"] == f'the configuration {path}, /accounts/work~1me/provider, is wrong: there is no provider "{written}": did you mean "github"?'
    assert error["data"]["file"] == str(path) and error["data"]["account"] == "work/me" and "github" in error["data"]["known"]


def test_a_misspelt_preset_in_the_params(peer):
    error = peer.answer(peer.send("authorize", {"provider": "Github", "clientId": "c"}))["error"]
    assert error["code"] == -32602 and error["message"] == 'there is no provider "Github": did you mean "github"?'


def test_configured_accounts_are_listed(start, home, provider):
    home.mkdir()
    path = home / "config.json"
    path.write_text(json.dumps({"accounts": {"a": {"provider": provider.description, "clientId": "c"}, "b": {"provider": "github", "clientId": "c"}}}))
    peer = start("--config", path)
    authorize(peer, provider.approve, account="a", openBrowser=False)
    authorize(peer, provider.approve, **{**provider.parameters(), "account": "c"})
    states = {state["account"]: state for state in peer.request("accounts")["accounts"]}
    assert {name: (state.get("configured"), state["canAuthorize"]) for name, state in states.items()} == {"a": (True, True), "b": (True, False), "c": (None, True)}
    assert peer.request("account", {"account": "b"}) == states["b"]


@pytest.mark.parametrize("place", ["file", "/proc/nope"])
def test_an_unwritable_store_is_reported_before_the_page(start, home, provider, place):
    home.mkdir()
    (home / "file").write_text("x")
    peer = start("--store", place if place.startswith("/") else home / place)
    error = peer.answer(peer.send("authorize", provider.parameters()))["error"]
    assert error["data"]["kind"] == "storageFailure"
    assert not [event for event in peer.events if event["method"] == "signInWasRequested"]


def test_an_answer_that_cannot_be_written(home):
    home.mkdir()
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [BINARY, "--store", home / "store"], input=b'{"jsonrpc":"2.0","id":1,"method":"providers"}\n', stdout=full, stderr=subprocess.PIPE,
            timeout=60, env={"HOME": str(home)},
        )
    assert done.returncode == 1
    assert done.stderr.decode().splitlines() == ["oauth-stdio: an answer could not be written: no space left on device"]


@pytest.mark.parametrize("setting", [None, "enable=yes", "enable=yes,interactive=yes,output-to=/dev/stdout"])
def test_a_crash_ends_the_process_and_prints_no_memory(start, provider, setting):
    peer = start(environment={"SWIFT_BACKTRACE": setting} if setting else {})
    authorize(peer, provider.approve, **provider.parameters())
    peer.process.send_signal(signal.SIGSEGV)
    assert peer.process.wait(60) == -signal.SIGSEGV
    assert b"Backtrac" not in peer.stderr + peer.stdout and b"crash" not in peer.stderr + peer.stdout


def test_a_closed_output_is_no_error(home):
    home.mkdir()
    process = subprocess.Popen([BINARY, "--store", home / "store"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={"HOME": str(home)})
    process.stdout.close()
    process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"providers"}\n')
    process.stdin.close()
    assert process.wait(60) == 0 and process.stderr.read() == b""
    process.stderr.close()


def test_a_request_that_ends_with_the_process_has_a_kind(peer, provider):
    identifier = peer.send("authorize", provider.parameters())
    peer.event("signInWasRequested", request=identifier)
    peer.kill("TERM")
    assert peer.answer(identifier)["error"]["data"] == {"kind": "ending", "retryable": True}


def test_a_preset_is_named_as_it_can_be_asked_for_again(start):
    peer = start("--allow-export")
    data = {"access_token": "at-1", "expires_in": 3600}
    peer.request("importGrant", {"account": "g", "format": "json", "data": data, "provider": "github", "clientId": "c"})
    state = peer.request("account", {"account": "g"})
    assert state["provider"] == "GitHub" and state["preset"] == "github"
    exported = peer.request("exportGrant", {"account": "g"})
    assert exported["preset"] == "github"
    again = {name: exported[name] for name in ("format", "data", "clientId")}
    peer.request("importGrant", {"account": "h", "provider": exported["preset"], **again})
    assert peer.request("account", {"account": "h"})["preset"] == "github"

"""`listen` of an account: a tunnel, an ingress or a container leads the redirect to another address than that of the redirect URI."""

import json
import os
import socket
import subprocess
import sys

import pytest

import browser
from ports import reserve_port
from rpc import BINARY, RPCFault
from signing_in import authorize, redirect
from waiting import wait_until

URI = "https://tunnel.example/oauth/callback?tenant=1"


@pytest.fixture
def account(home, provider):
    """Returns `account(name?, **members)`, which configures an account and returns its port."""
    accounts = {}

    def new(name: str = "a", host: str = "127.0.0.1", **more) -> int:
        port = reserve_port()
        accounts[name] = {"provider": provider.description, "clientId": "c", "scopes": ["read"], "redirectUri": URI, "listen": f"{host}:{port}", **more}
        file = home / "config" / "oauth-stdio" / "config.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"accounts": accounts}))
        file.chmod(0o600)
        return port

    return new


def begin(peer, account: str = "a", **more) -> tuple[object, str]:
    identifier = peer.send("authorize", {"account": account, "openBrowser": False, **more})
    return identifier, peer.event("signInWasRequested", request=identifier)["url"]


def forward(port: int, url: str, *, address: str = "127.0.0.1", host: str = "tunnel.example", path: str = "/oauth/callback", **parameters) -> str:
    """Brings a redirect, as a tunnel does. Returns the response."""
    query = redirect(url, **parameters).rpartition("?")[2]
    with socket.create_connection((address, port), 60) as connection:
        connection.sendall(f"GET {path}?tenant=1&{query} HTTP/1.1\r\nHost: {host}\r\nX-Forwarded-Proto: https\r\n\r\n".encode())
        return b"".join(iter(lambda: connection.recv(1 << 16), b"")).decode()


def is_forwarded_by_another_user(port: int, url: str, provider) -> bool:
    query = redirect(url, code=provider.secret()).rpartition("?")[2]
    fetch = f"import urllib.request; print(urllib.request.urlopen('http://127.0.0.1:{port}/oauth/callback?{query}').status)"
    command = [sys.executable, "-c", fetch]
    return subprocess.run(command, user=12345, group=12345, extra_groups=[], cwd="/", env={}, stderr=subprocess.DEVNULL).returncode == 0


def is_open(port: int, address: str = "127.0.0.1") -> bool:
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as connection:
        return connection.connect_ex((address, port)) == 0


@pytest.mark.parametrize(("host", "addresses"), [("127.0.0.1", ["127.0.0.1"]), ("0.0.0.0", ["127.0.0.1"]), ("[::1]", ["::1"]), ("[::]", ["::1", "127.0.0.1"])])
def test_the_redirect_arrives_there(peer, provider, account, host, addresses):
    """The port is open while the sign-in is. The exchange sends the redirect URI as it is registered."""
    port = account(host=host)
    for address in addresses:
        peer.request("authorize", {"account": "a", "dryRun": True})
        assert not is_open(port, address)
        identifier, url = begin(peer, interaction="always")
        assert browser.query(url)["redirect_uri"] == URI and "listen" not in url and str(port) not in url
        assert forward(port, url, address=address, code=provider.secret()).startswith("HTTP/1.1 200 ")
        assert peer.result(identifier)["via"] == "signedIn" and not is_open(port, address)
        form = browser.query("?" + provider.requests[-1].body.decode())
        assert form["redirect_uri"] == URI and len(form["code_verifier"]) >= 43
    assert peer.finish() == 0
    assert (b"in clear" in peer.stderr) is (host in ("0.0.0.0", "[::]"))


@pytest.mark.parametrize("end", ["denied", "cancelled", "timed out", "signed out"])
def test_the_port_is_closed_with_the_sign_in(peer, provider, account, end):
    port = account()
    identifier, url = begin(peer, timeout=3 if end == "timed out" else 60)
    assert is_open(port)
    if end == "denied":
        assert "was denied" in forward(port, url, error="access_denied")
    elif end == "cancelled":
        peer.notify("$/cancelRequest", {"id": identifier})
    elif end == "signed out":
        peer.request("signOut", {"account": "a"})
    assert "error" in peer.answer(identifier) and not is_open(port)


def test_it_takes_nothing_but_its_redirect(start, provider, account, home):
    port, other = account(), account("b", redirectUri="https://tunnel.example/oauth/callback")
    peer = start(environment={"BROWSER": f"{home}/browser"})
    (home / "browser").write_text('#!/bin/sh\necho "$1" > "$0.part"; mv "$0.part" "$0.url"\n')
    (home / "browser").chmod(0o755)
    local, page = (peer.send("authorize", {**provider.parameters(account="local"), "openBrowser": True}), None)
    page = peer.event("signInWasRequested", request=local)["url"]
    wait_until((home / "browser.url").exists)
    start_path = "/start/" + (home / "browser.url").read_text().strip().rpartition("/")[2]
    (first, url), (second, other_url) = begin(peer), begin(peer, "b")
    code = provider.secret()
    wrong = [
        forward(port, url, code=code, state="x" * 22), forward(port, url, code=code, state=None), forward(port, url, code=code, path="/oauth/callback/"), forward(port, url, code=code, path="/"),
        # The states of other sign-ins of this process, and the start address.
        forward(port, other_url, code=code), forward(port, page, code=code), forward(port, page, code=code, path="/callback"), forward(port, url, path=start_path),
    ]
    assert {answer.split(" ")[1] for answer in wrong} == {"404"} and not any("Location" in answer or code in answer for answer in wrong)
    peer.request("accounts")
    assert not provider.requests
    for at, of, identifier in [(port, url, first), (other, other_url, second)]:
        assert forward(at, of, code=provider.secret()).startswith("HTTP/1.1 200 ")
        assert peer.result(identifier)["via"] == "signedIn"


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another user")
def test_the_forwarder_may_be_another_user(peer, provider, account):
    port = account()
    identifier, url = begin(peer)
    assert is_forwarded_by_another_user(port, url, provider)
    assert peer.result(identifier)["via"] == "signedIn"


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another user")
def test_also_at_a_port_that_another_account_has_registered(peer, provider, account):
    """That account's sign-in rejects other users at it."""
    port = account()
    authorize(peer, provider.approve, **provider.parameters(account="b", redirectUri=f"http://127.0.0.1:{port}/callback"))
    identifier, url = begin(peer)
    # The listener of the other sign-in answers for some seconds more.
    wait_until(lambda: is_forwarded_by_another_user(port, url, provider))
    assert peer.result(identifier)["via"] == "signedIn"


def test_another_process_takes_the_port_over(start, provider, account):
    """One page is open at a time, and the second process needs the port only after the first one."""
    port = account()
    first, second = start(), start()
    (one, url), (other, later) = begin(first), begin(second, interaction="always")
    assert forward(port, url, code=provider.secret()).startswith("HTTP/1.1 200 ") and first.result(one)["via"] == "signedIn"
    wait_until(lambda: is_open(port))
    assert forward(port, later, code=provider.secret()).startswith("HTTP/1.1 200 ") and second.result(other)["via"] == "signedIn"


def test_two_processes_at_once(start, provider, account):
    """The browser does not reach the second one's own port, so the first one brings the redirect there."""
    port = account()
    account("b", listen=f"127.0.0.1:{port}")
    first, second = start(), start()
    begin(first)
    identifier, url = begin(second, "b")
    assert forward(port, url, code=provider.secret()).startswith("HTTP/1.1 200 ")
    assert second.result(identifier)["via"] == "signedIn"


def test_only_the_configuration_names_it(peer, provider, account):
    """What a client, a file of a provider or a server says opens no port."""
    port = account()
    with pytest.raises(RPCFault, match="listen"):
        peer.request("authorize", provider.parameters(account="x", redirectUri=URI, listen=f"127.0.0.1:{port}"))
    with pytest.raises(RPCFault, match="listen"):
        peer.request("authorize", provider.parameters(account="x", redirectUri=URI, provider={**provider.description, "listen": f"127.0.0.1:{port}"}))
    # A redirect URI of the request is the client's to catch.
    begin(peer, redirectUri="https://other.example/callback")
    assert not is_open(port)


@pytest.mark.parametrize("listen", ["8000", "127.0.0.1", "localhost:8000", "tunnel.example:8000", "127.0.0.1:0", "127.0.0.1:70000", "::1:8000", "http://127.0.0.1:8000", ""])
def test_a_wrong_address_is_named(peer, account, home, listen):
    account(listen=listen)
    with pytest.raises(RPCFault, match="/accounts/a/listen, must be an IP address and a port"):
        peer.request("authorize", {"account": "a"})


@pytest.mark.parametrize(("members", "problem"), [({"redirectUri": None}, "needs a redirectUri"), ({"pkce": "off"}, "S256"), ({"listen": "192.0.2.1:8000"}, "cannot assign requested address")])
def test_what_it_needs(peer, provider, account, members, problem):
    """A code that another user or machine has seen must be useless, so there is no sign-in without the challenge."""
    pkce = {"pkce": members["pkce"]} if "pkce" in members else {}
    port = account(provider={**provider.description, **pkce}, **{name: value for name, value in members.items() if name != "pkce"})
    with pytest.raises(RPCFault) as caught:
        peer.request("authorize", {"account": "a", "openBrowser": False})
    assert problem in caught.value.message and not is_open(port)


def test_doctor_and_login_warn_of_a_network(peer, account):
    account(host="0.0.0.0")
    words = ["--store", str(peer.store)]
    doctor = subprocess.run([BINARY, *words, "doctor", "a"], env=peer.environment(None), capture_output=True, text=True)
    assert "in clear" in doctor.stdout and "0.0.0.0" in doctor.stdout
    login = subprocess.run([BINARY, *words, "login", "a", "--timeout", "1"], env=peer.environment(None), capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert login.stderr.count("in clear") == 1 and "0.0.0.0" in login.stderr

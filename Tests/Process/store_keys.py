"""Shared by the tests of the store's key: grants to keep, a real keyring and a real password store."""

import base64
import os
import subprocess

import pytest

from keyrings import PASSWORD, Keyring
from rpc import RPCFault

PROVIDER = {"tokenEndpoint": "https://example.com/token", "authorizationEndpoint": "https://example.com/authorize"}


def token(account: str) -> str:
    return f"s3cr3t-{account}"


def store_grant(peer, account: str) -> None:
    data = {"access_token": token(account), "refresh_token": "r"}
    peer.request("importGrant", {"account": account, "format": "json", "data": data, "provider": PROVIDER, "clientId": "c"})


def tokens(peer, accounts) -> list[str]:
    return [peer.request("accessToken", {"account": account})["accessToken"] for account in accounts]


def fault(peer, method: str, params: dict) -> RPCFault:
    with pytest.raises(RPCFault) as caught:
        peer.request(method, params)
    return caught.value


def key_of(peer, account: str = "a") -> str:
    return peer.request("account", {"account": account})["key"]


@pytest.fixture
def keyring(tmp_path):
    keyring = Keyring(tmp_path / "keyring")
    keyring.start(PASSWORD)
    yield keyring
    keyring.close()


@pytest.fixture
def command(tmp_path):
    """A password store with a key, and the command that prints it."""
    home = tmp_path / "pass"
    home.mkdir(mode=0o700)
    environment = {**os.environ, "HOME": str(home), "GNUPGHOME": str(home / "gpg"), "PASSWORD_STORE_DIR": str(home / "store")}
    (home / "gpg").mkdir(mode=0o700)
    generate = ["gpg", "--batch", "--passphrase", "", "--quick-generate-key", "tester@example.com", "default", "default", "never"]
    subprocess.run(generate, env=environment, check=True, capture_output=True)
    subprocess.run(["pass", "init", "tester@example.com"], env=environment, check=True, capture_output=True)
    text = base64.b64encode(os.urandom(32)) + b"\n"
    subprocess.run(["pass", "insert", "-m", "oauth/key"], env=environment, input=text, check=True, capture_output=True)
    yield f"command:env GNUPGHOME={home}/gpg PASSWORD_STORE_DIR={home}/store pass show oauth/key"
    subprocess.run(["gpgconf", "--kill", "all"], env=environment)



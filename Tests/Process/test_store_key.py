"""The key of the store: in a file, in a real keyring, or printed by `pass`; and moving it without losing a grant."""

import base64
import os
import subprocess
import threading

import pytest

from keyrings import PASSWORD, Keyring
from rpc import BINARY, RPCFault

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


def test_the_key_is_a_file_if_the_user_chooses_nothing(start, home):
    peer = start()
    store_grant(peer, "a")
    assert key_of(peer) == "file"
    assert len((home / "store" / "key").read_bytes()) == 32


def test_a_key_in_the_keyring_is_not_in_the_folder(start, home, keyring):
    peer = start("--key", "keyring", environment=keyring.environment)
    store_grant(peer, "a")
    assert key_of(peer) == "keyring"
    line = (home / "store" / "key").read_text()
    assert line.startswith("oauth-stdio key 1 keyring ") and len(line) < 60
    # The store remembers the place: the next process needs no option.
    other = start(environment=keyring.environment)
    assert tokens(other, "a") == [token("a")] and key_of(other) == "keyring"


def test_the_configuration_chooses_the_place(start, home, keyring):
    (home / "config" / "oauth-stdio").mkdir(parents=True)
    (home / "config" / "oauth-stdio" / "config.json").write_text('{"key":"keyring"}')
    peer = start(environment=keyring.environment)
    store_grant(peer, "a")
    assert key_of(peer) == "keyring"


def test_a_locked_keyring_is_named_and_works_once_it_is_unlocked(start, home, keyring):
    peer = start("--key", "keyring", environment=keyring.environment)
    store_grant(peer, "a")
    keyring.start(None)
    other = start(environment=keyring.environment)
    for method, params in [("accessToken", {"account": "a"}), ("account", {"account": "a"})]:
        error = fault(other, method, params)
        assert error.kind == "storageFailure" and error.data["retryable"] and "the keyring is locked" in error.message
    # The process that has the key needs the keyring no more.
    assert tokens(peer, "a") == [token("a")]
    keyring.start(PASSWORD)
    assert tokens(other, "a") == [token("a")]


def test_a_locked_keyring_takes_no_new_key(start, home, keyring):
    keyring.start(PASSWORD)
    first = start("--key", "keyring", environment=keyring.environment)
    store_grant(first, "a")
    keyring.start(None)
    peer = start("--key", "keyring", "--store", str(home / "second"), environment=keyring.environment)
    data = {"account": "a", "format": "json", "data": {"access_token": "x"}, "provider": PROVIDER, "clientId": "c"}
    error = fault(peer, "importGrant", data)
    assert error.kind == "storageFailure" and "keyring" in error.message
    assert not (home / "second" / "key").exists()


def test_without_a_session_no_weaker_key_is_made(start, home):
    peer = start("--key", "keyring")
    data = {"account": "a", "format": "json", "data": {"access_token": "x"}, "provider": PROVIDER, "clientId": "c"}
    error = fault(peer, "importGrant", data)
    assert error.kind == "storageFailure" and "no keyring can be reached" in error.message
    assert [file.name for file in (home / "store").iterdir() if not file.name.endswith(".lock")] == []


def test_a_keyring_that_is_gone_is_named(start, home, keyring):
    store_grant(start("--key", "keyring", environment=keyring.environment), "a")
    error = fault(start(), "accessToken", {"account": "a"})
    assert error.kind == "storageFailure" and "no keyring can be reached" in error.message
    assert (home / "store" / "key").read_text().startswith("oauth-stdio key 1 keyring ")


def test_a_keyring_without_the_key_is_named(start, home, keyring, tmp_path):
    store_grant(start("--key", "keyring", environment=keyring.environment), "a")
    empty = Keyring(tmp_path / "other")
    try:
        empty.start(PASSWORD)
        error = fault(start(environment=empty.environment), "accessToken", {"account": "a"})
    finally:
        empty.close()
    assert error.kind == "storageFailure" and "the keyring has no key for this store" in error.message


def test_a_hanging_keyring_delays_no_other_request(start, home, keyring):
    store_grant(start("--key", "keyring", environment=keyring.environment), "a")
    keyring.pause()
    peer = start(environment=keyring.environment)
    waiting = peer.send("accessToken", {"account": "a"})
    assert peer.request("providers", {}, timeout=5)["providers"]
    error = peer.answer(waiting, timeout=20)["error"]
    assert error["data"]["kind"] == "storageFailure" and "did not answer within 10 s" in error["message"]
    keyring.resume()
    assert tokens(peer, "a") == [token("a")]


def test_a_command_prints_the_key(start, home, command):
    peer = start("--key", command)
    store_grant(peer, "a")
    assert key_of(peer) == "command"
    other = start()
    assert tokens(other, "a") == [token("a")]


@pytest.mark.parametrize("command", ["command:echo no-key", "command:exit 3", "command:printf AAAA", "command:head -c 32 /dev/urandom | base64"])
def test_a_command_that_prints_no_usable_key_is_an_error(start, home, keyring, command):
    first = start("--key", "command:echo MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")
    store_grant(first, "a")
    path = home / "store" / "key"
    path.write_text(path.read_text().split("\n")[0] + "\n" + command.removeprefix("command:") + "\n")
    error = fault(start(), "accessToken", {"account": "a"})
    assert error.kind == "storageFailure" and "command" in error.message
    assert "MDEy" not in error.message


def test_the_key_moves_and_every_grant_stays(start, home, keyring, command):
    accounts = ["a", "b", "c"]
    peer = start("--key", command, environment=keyring.environment)
    for account in accounts:
        store_grant(peer, account)
    other = start(environment=keyring.environment)
    assert tokens(other, accounts) == [token(account) for account in accounts]
    sealed = {account: (home / "store" / f"{account}.grant").read_bytes() for account in accounts}
    for place in ["keyring", "file", "keyring", "command", "file", "file"]:
        assert peer.request("rekey", {"to": place}) == {"key": place, "grants": 3}
        assert key_of(peer) == place
        assert tokens(peer, accounts) == [token(account) for account in accounts]
        # A process that has the old key gets the new one, at the latest at its second request.
        try:
            assert key_of(other) == place
        except RPCFault as error:
            assert error.data["retryable"] and "moved" in error.message
            assert key_of(other) == place
        assert tokens(other, accounts) == [token(account) for account in accounts]
        new = {account: (home / "store" / f"{account}.grant").read_bytes() for account in accounts}
        assert all(new[account] != sealed[account] for account in accounts)
        sealed = new
    assert sorted(file.name for file in (home / "store").iterdir() if not file.name.endswith(".lock")) == ["a.grant", "b.grant", "c.grant", "key"]


def test_a_client_cannot_name_a_command(start, home):
    peer = start()
    store_grant(peer, "a")
    error = fault(peer, "rekey", {"to": "command"})
    assert error.code == -32602 and "--key command" in error.message
    assert fault(peer, "rekey", {"to": "command:id"}).code == -32602


def test_a_key_that_cannot_move_leaves_everything_as_it_was(start, home):
    peer = start()
    store_grant(peer, "a")
    before = {file.name: file.read_bytes() for file in (home / "store").iterdir()}
    error = fault(peer, "rekey", {"to": "keyring"})
    assert error.kind == "storageFailure" and "no keyring can be reached" in error.message
    after = {file.name: file.read_bytes() for file in (home / "store").iterdir()}
    assert {name: after[name] for name in before} == before and set(after) - set(before) <= {"key.lock"}


@pytest.mark.parametrize("target", ["file", "keyring"])
@pytest.mark.parametrize("call", ["fsync", "rename", "openat"])
def test_a_process_killed_while_it_moves_the_key_loses_no_grant(start, home, keyring, call, target):
    accounts = ["a", "b", "c", "d"]
    peer = start("--key", "keyring" if target == "file" else "file", environment=keyring.environment)
    for account in accounts:
        store_grant(peer, account)
    killed = 0
    # A count beyond the last call means that the move was not killed.
    for count in range(1, 80, 3 if call == "openat" else 1):
        trace = ["strace", "-f", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={count}", BINARY]
        victim = start(binary=trace, environment=keyring.environment)
        identifier = victim.send("rekey", {"to": target})
        try:
            victim.answer(identifier)
            moved = True
        except Exception:
            moved = False
            killed += 1
        survivor = start(environment=keyring.environment)
        assert tokens(survivor, accounts) == [token(account) for account in accounts], count
        if moved:
            break
    else:
        pytest.fail("every move was killed")
    assert start(environment=keyring.environment).request("rekey", {"to": "file"})["grants"] == len(accounts)
    last = start()
    assert tokens(last, accounts) == [token(account) for account in accounts]
    assert not (home / "store" / "key.next").exists()
    assert killed > 3


def test_writers_and_the_move_wait_for_each_other(start, home):
    writers = [start() for _ in range(3)]
    for number, peer in enumerate(writers):
        store_grant(peer, f"first-{number}")
    mover = start()
    stop = threading.Event()
    stored: list[str] = []
    progress = threading.Condition()

    def write(peer, number):
        count = 0
        while not stop.is_set():
            account = f"w{number}-{count}"
            store_grant(peer, account)
            count += 1
            with progress:
                stored.append(account)
                progress.notify_all()

    threads = [threading.Thread(target=write, args=(peer, number)) for number, peer in enumerate(writers)]
    for thread in threads:
        thread.start()
    moved = []
    for _ in range(15):
        with progress:
            # The writers get a turn between two moves.
            before = len(stored)
            assert progress.wait_for(lambda: len(stored) > before, timeout=20)
        moved.append(mover.request("rekey", {"to": "file"})["grants"])
    stop.set()
    for thread in threads:
        thread.join()
    assert moved == sorted(moved) and moved[-1] >= 15
    last = start()
    assert tokens(last, stored) == [token(account) for account in stored]

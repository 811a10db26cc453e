"""Moving the store's key loses no grant: killed, with a failing disk, beside writers, readers and open sign-ins."""

import fcntl
import json
import threading
import time

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from bound_tokens import BoundAPI, BoundAuthorizationServer
from keyrings import PASSWORD
from rpc import BINARY
from signing_in import authorize
from store_keys import PROVIDER, command, fault, key_of, keyring, store_grant, token, tokens  # noqa: F401, two are fixtures
from test_dpop import wanted
from waiting import HeldCall, traced, wait_until

ACCOUNTS = ["a", "b", "c"]


def files(folder) -> dict:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file() and file.suffix not in (".lock", ".used")}


def test_a_grant_that_is_bound_to_a_key_moves(work, start, home, keyring):
    with BoundAuthorizationServer() as server, BoundAPI(server) as api:
        peer = start(environment=keyring.environment)
        authorize(peer, server.approve, **wanted(server, api))
        assert work("rekey", {"to": "keyring"}, environment=keyring.environment).result()["grants"] == 1
        assert start(environment=keyring.environment).request("callAPI", {"account": "a", "url": "x"})["status"] == 200


def test_the_key_moves_and_every_grant_stays(work, start, home, keyring, command):
    peer = start("--key", command, environment=keyring.environment)
    for account in ACCOUNTS:
        store_grant(peer, account)
    other = start(environment=keyring.environment)
    assert tokens(other, ACCOUNTS) == [token(account) for account in ACCOUNTS]
    sealed = files(home / "store")
    for place in ["keyring", "file", "keyring", "command", "file", "file"]:
        mover = work("rekey", {"to": place}, "--key", command if place == "command" else place, environment=keyring.environment)
        assert mover.result() == {"key": place, "grants": 3}
        # A process that has the old key gets the new one at its next request.
        assert key_of(other) == place
        assert tokens(other, ACCOUNTS) == [token(account) for account in ACCOUNTS]
        new = files(home / "store")
        assert sorted(new) == ["a.grant", "b.grant", "c.grant", "key"]
        assert all(new[f"{account}.grant"] != sealed[f"{account}.grant"] for account in ACCOUNTS)
        sealed = new
    assert keyring.keys() == []


@pytest.mark.parametrize("method, params", [("accounts", {}), ("accessToken", {"account": "a"}), ("importGrant", {}), ("revoke", {"account": "a"})])
def test_the_first_request_after_a_move_of_another_process_works(work, start, home, keyring, method, params):
    peer = start(environment=keyring.environment)
    store_grant(peer, "a")
    assert work("rekey", {"to": "keyring"}, environment=keyring.environment).result()["grants"] == 1
    if method == "importGrant":
        store_grant(peer, "b")
    else:
        peer.request(method, params)
    accounts = [] if method == "revoke" else ["a", "b"] if method == "importGrant" else ["a"]
    assert [entry["account"] for entry in peer.request("accounts", {})["accounts"]] == accounts
    assert tokens(start(environment=keyring.environment), accounts) == [token(account) for account in accounts]


def test_a_sign_in_that_is_open_while_the_key_moves_is_stored(work, start, home, keyring, provider):
    peer = start(environment=keyring.environment)
    store_grant(peer, "first")
    waiting = peer.send("authorize", provider.parameters())
    url = peer.event("signInWasRequested", request=waiting)["url"]
    assert work("rekey", {"to": "keyring"}, environment=keyring.environment).result()["grants"] == 1
    provider.approve(url)
    assert peer.result(waiting)["account"] == "a"
    assert start(environment=keyring.environment).request("accessToken", {"account": "a"})["accessToken"]


def test_a_client_moves_no_key_and_no_grants(start, home):
    peer = start()
    store_grant(peer, "a")
    for method, params in [("rekey", {"to": "file"}), ("copy", {"to": str(home / "other")})]:
        error = fault(peer, method, params)
        assert error.code == -32601 and error.message == f"there is no method {method}"


def test_a_profile_that_names_them_starts_with_a_warning(start):
    peer = start("--allow", "rekey,copy,accounts")
    assert peer.request("accounts") == {"accounts": []}
    assert fault(peer, "rekey", {"to": "file"}).code == -32601
    assert peer.finish() == 0
    assert b"warning: --allow names rekey, which is a command only: no client can call it" in peer.stderr


def test_the_words_name_no_other_place_than_the_options(work, start, home, keyring):
    assert "--key command" in work("rekey", {"to": "command"}).fault().message
    assert work("rekey", {"to": "command:id"}).fault().code == -32602
    (home / "config" / "oauth-stdio").mkdir(parents=True)
    (home / "config" / "oauth-stdio" / "config.json").write_text(json.dumps({"key": "keyring"}))
    peer = start(environment=keyring.environment)
    store_grant(peer, "a")
    error = work("rekey", {"to": "file"}, environment=keyring.environment).fault()
    assert error.code == -32602 and "must be keyring" in error.message
    error = work("rekey", {"to": "file"}, "--read-only", environment=keyring.environment).fault()
    assert error.kind == "notAllowed"
    assert key_of(peer) == "keyring"


def test_a_key_that_cannot_move_leaves_everything_as_it_was(work, start, home):
    peer = start()
    store_grant(peer, "a")
    before = files(home / "store")
    error = work("rekey", {"to": "keyring"}).fault()
    assert error.kind == "storageFailure" and "no keyring can be reached" in error.message
    assert files(home / "store") == before


def damage_folder(store):
    (store / "z.grant").mkdir()


def damage_version(store):
    file = (store / "a.grant").read_bytes()
    (store / "z.grant").write_bytes(file.replace(b"oauth-stdio grant 1 ", b"oauth-stdio grant 3 ", 1))


@pytest.mark.parametrize("damage", [damage_folder, damage_version])
def test_a_grant_that_cannot_be_read_keeps_the_old_key(work, start, home, keyring, damage):
    peer = start(environment=keyring.environment)
    store_grant(peer, "a")
    damage(home / "store")
    before = files(home / "store")
    error = work("rekey", {"to": "keyring"}, environment=keyring.environment).fault()
    assert error.kind == "storageFailure" and "z.grant" in error.message
    assert files(home / "store") == before and keyring.keys() == []


def test_a_damaged_grant_stays_and_stops_nothing(work, start, home):
    peer = start()
    store_grant(peer, "a")
    (home / "store" / "z.grant").write_bytes(b"no grant")
    assert work("rekey", {"to": "file"}).result()["grants"] == 1
    assert (home / "store" / "z.grant").read_bytes() == b"no grant"


def test_members_of_a_later_version_stay(work, start, home):
    """The text of a grant is sealed again byte for byte."""
    store_grant(start(), "a")

    def opened() -> tuple[bytes, bytes]:
        file = (home / "store" / "a.grant").read_bytes()
        clear = b"\n".join(file.split(b"\n", 2)[:2]) + b"\n"
        sealed = file[len(clear) :]
        return clear, AESGCM((home / "store" / "key").read_bytes()).decrypt(sealed[:12], sealed[12:], clear)

    clear, text = opened()
    later = json.dumps({**json.loads(text), "laterMember": [1, 2]}).encode()
    sealed = AESGCM((home / "store" / "key").read_bytes()).encrypt(b"n" * 12, later, clear)
    (home / "store" / "a.grant").write_bytes(clear + b"n" * 12 + sealed)
    assert work("rekey", {"to": "file"}).result()["grants"] == 1
    assert opened()[1] == later and opened()[0] != clear


def test_an_unfinished_move_is_finished_by_a_process_that_knows_only_the_old_key(work, start, home, keyring):
    peer = start(environment=keyring.environment)
    for account in ACCOUNTS:
        store_grant(peer, account)
    with (home / "store" / "b.grant.lock").open("r+") as lock:
        # The move waits for this account, after it has moved the one before.
        fcntl.flock(lock, fcntl.LOCK_EX)
        before = (home / "store" / "a.grant").read_bytes()
        victim = work("rekey", {"to": "keyring"}, environment=keyring.environment)
        wait_until(lambda: (home / "store" / "a.grant").read_bytes() != before)
        victim.end()
    assert tokens(start(environment=keyring.environment), ACCOUNTS) == [token(account) for account in ACCOUNTS]
    assert (home / "store" / "key.previous").exists() and len(keyring.keys()) == 1
    # Two keys are in use.
    assert [peer.request("account", {"account": account})["key"] for account in ACCOUNTS] == ["keyring", "file", "file"]
    assert work("rekey", {"to": "keyring"}, environment=keyring.environment).result()["grants"] == 3
    assert key_of(peer) == "keyring"
    assert not (home / "store" / "key.previous").exists() and len(keyring.keys()) == 1
    assert tokens(start(environment=keyring.environment), ACCOUNTS) == [token(account) for account in ACCOUNTS]


@pytest.mark.parametrize("content", [b"", b"oauth-stdio key 1 keyring 0123456789abcdef\n", b"oauth-stdio key 9 cloud\n"])
def test_a_previous_key_that_no_grant_needs_stops_nothing(work, start, home, content):
    peer = start()
    store_grant(peer, "a")
    (home / "store" / "key.previous").write_bytes(content)
    assert tokens(start(), "a") == [token("a")]
    assert work("rekey", {"to": "file"}).result()["grants"] == 1
    assert not (home / "store" / "key.previous").exists()


def test_a_previous_key_that_a_grant_needs_is_kept(work, start, home, keyring):
    """The keyring with the previous key is gone. The grant that needs it says so, and no move forgets the key."""
    peer = start("--key", "keyring", environment=keyring.environment)
    store_grant(peer, "a")
    grant = (home / "store" / "a.grant").read_bytes()
    reference = (home / "store" / "key").read_bytes()
    assert work("rekey", {"to": "file"}, "--key", "file", environment=keyring.environment).result()["grants"] == 1
    (home / "store" / "key.previous").write_bytes(reference)
    (home / "store" / "old.grant").write_bytes(grant)
    cold = start()
    assert tokens(cold, "a") == [token("a")]
    for error in [fault(cold, "accessToken", {"account": "old"}), work("rekey", {"to": "file"}).fault()]:
        assert error.kind == "storageFailure" and error.data["retryable"] and "no keyring can be reached" in error.message
    assert (home / "store" / "key.previous").read_bytes() == reference


# The system call and its fault, the place of the key before and after, and the step between two counted calls.
FAULTS = [
    ("fsync:signal=KILL", "file", "keyring", 1),
    ("fsync:signal=KILL", "keyring", "file", 1),
    ("/rename:signal=KILL", "file", "keyring", 1),
    ("/rename:signal=KILL", "keyring", "file", 1),
    ("openat:signal=KILL", "file", "keyring", 5),
    ("write:signal=KILL", "file", "file", 1),
    ("/unlink:signal=KILL", "file", "keyring", 1),
    ("fsync:error=EIO", "file", "keyring", 1),
    ("/rename:error=EIO", "file", "keyring", 1),
    ("write:error=ENOSPC", "file", "file", 1),
    ("/unlink:error=EIO", "keyring", "keyring", 1),
]


@pytest.mark.parametrize("injected, origin, target, step", FAULTS)
def test_no_fault_while_the_key_moves_loses_a_grant(work, start, home, keyring, injected, origin, target, step):
    """The fault hits each call in turn. Every move begins from what the fault before it has left."""
    call = injected.split(":")[0]
    peer = start("--key", origin, environment=keyring.environment)
    for account in ACCOUNTS:
        store_grant(peer, account)
    trace = home / "trace"
    hits = 0
    for count in range(1, 200, step):
        command = ["strace", "-f", "-o", trace, "-e", f"trace={call}", "-e", f"inject={injected}:when={count}", BINARY]
        victim = work("rekey", {"to": target}, "--key", target, binary=command, environment=keyring.environment)
        moved = has_moved(victim)
        survivor = start(environment=keyring.environment)
        assert tokens(survivor, ACCOUNTS) == [token(account) for account in ACCOUNTS], count
        if not any(mark in trace.read_text() for mark in ["INJECTED", "+++ killed by SIGKILL"]):
            # The move makes fewer calls.
            assert moved
            break
        hits += 1
    else:
        pytest.fail("every move was hit")
    # strace counts the calls of each thread, and the work may change threads. A move unlinks only the previous key.
    assert hits > (call != "/unlink")
    # The old process knows only the first key.
    assert peer.request("accessToken", {"account": "a"})["accessToken"] == token("a")
    mover = work("rekey", {"to": "file"}, "--key", "file", environment=keyring.environment)
    assert mover.result()["grants"] == len(ACCOUNTS)
    assert tokens(start(), ACCOUNTS) == [token(account) for account in ACCOUNTS]
    assert not (home / "store" / "key.previous").exists()


def has_moved(victim) -> bool:
    """Returns whether the move succeeded. A process that dies or fails gives False."""
    victim.process.communicate()
    return victim.process.returncode == 0


def test_writers_and_the_move_wait_for_each_other(work, start, home):
    writers = [start() for _ in range(3)]
    for number, peer in enumerate(writers):
        store_grant(peer, f"first-{number}")
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
            # A move takes longer with every account.
            stop.wait(0.02)

    threads = [threading.Thread(target=write, args=(peer, number)) for number, peer in enumerate(writers)]
    for thread in threads:
        thread.start()
    moved = []
    for _ in range(8):
        with progress:
            # The writers get a turn between two moves.
            before = len(stored)
            assert progress.wait_for(lambda: len(stored) > before, timeout=60)
        moved.append(work("rekey", {"to": "file"}).result()["grants"])
    stop.set()
    for thread in threads:
        thread.join()
    assert moved == sorted(moved) and moved[-1] >= 8
    last = start()
    assert tokens(last, stored) == [token(account) for account in stored]


# What an attack on the first version of the move found


def test_a_command_that_prints_another_key_each_time_is_no_key(work, start, home):
    random = "command:head -c 32 /dev/urandom | base64"
    new = start("--key", random, "--store", str(home / "new"))
    data = {"access_token": "x"}
    error = fault(new, "importGrant", {"account": "a", "format": "json", "data": data, "provider": PROVIDER, "clientId": "c"})
    assert error.kind == "storageFailure" and "a key other than" in error.message and not (home / "new" / "key").exists()
    store_grant(start(), "a")
    assert "a key other than" in work("rekey", {"to": "command"}, "--key", random).fault().message
    assert tokens(start(), "a") == [token("a")] and key_of(start()) == "file"


def test_a_command_that_is_too_long_is_rejected_at_the_start(start, home):
    peer = start("--key", "command:" + "x" * 4000)
    assert peer.wait() == 2 and "at most" in peer.stderr.decode()


def test_a_command_that_reads_the_file_which_the_move_replaces(work, start, home):
    for account in ACCOUNTS:
        store_grant(start(), account)
    assert work("rekey", {"to": "command"}, "--key", f"command:base64 -w0 {home}/store/key").fault().kind == "storageFailure"
    assert tokens(start(), ACCOUNTS) == [token(account) for account in ACCOUNTS]
    assert work("rekey", {"to": "file"}, "--key", "file").result()["grants"] == 3
    assert tokens(start(), ACCOUNTS) == [token(account) for account in ACCOUNTS]


def test_a_keyring_that_forgets_the_new_key_during_the_move(work, start, home, keyring, tmp_path):
    store_grant(start(), "a")
    with (home / "store" / "a.grant.lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        mover = work("rekey", {"to": "keyring"}, environment=keyring.environment)
        wait_until(lambda: (home / "store" / "key.previous").exists() and keyring.keys())
        for identifier in keyring.keys():
            keyring.forget(identifier)
    error = mover.fault()
    assert error.kind == "storageFailure" and "no key" in error.message
    # The move is not finished, so the old key is there.
    assert (home / "store" / "key.previous").exists()


def test_a_sign_in_whose_key_has_moved_to_a_locked_keyring_is_kept(work, start, home, keyring, provider):
    first = start(environment=keyring.environment)
    authorize(first, provider.approve, **provider.parameters(interaction="always"))
    peer = start(environment=keyring.environment)
    waiting = peer.send("authorize", provider.parameters(interaction="always"))
    url = peer.event("signInWasRequested", request=waiting)["url"]
    assert work("rekey", {"to": "keyring"}, environment=keyring.environment).result()["grants"] == 1
    keyring.start(None)
    provider.approve(url)
    assert peer.answer(waiting)["error"]["data"]["kind"] == "storageFailure"
    keyring.start(PASSWORD)
    assert peer.request("accessToken", {"account": "a"})["accessToken"] in provider.living
    assert start(environment=keyring.environment).request("accessToken", {"account": "a"})["accessToken"] in provider.living


def test_a_move_removes_what_killed_moves_have_left(work, start, home, keyring):
    store = home / "store"
    peer = start("--key", "keyring", environment=keyring.environment)
    store_grant(peer, "a")
    for name in ["key.12.AAAAAAAA.tmp", "key.previous.12.AAAAAAAA.tmp"]:
        (store / name).write_bytes(b"k" * 32)
    (store / "notes.tmp").write_bytes(b"not ours")
    assert work("rekey", {"to": "keyring"}, "--key", "keyring", environment=keyring.environment).result()["grants"] == 1
    assert [file.name for file in store.glob("*.tmp")] == ["notes.tmp"]


def test_a_key_file_that_is_a_link_is_not_replaced(work, start, home, tmp_path):
    peer = start()
    store_grant(peer, "a")
    (home / "store" / "key").rename(tmp_path / "key")
    (home / "store" / "key").symlink_to(tmp_path / "key")
    assert "is a link" in work("rekey", {"to": "file"}).fault().message
    assert tokens(start(), "a") == [token("a")]


def test_a_folder_that_is_exchanged_during_the_move_keeps_the_old_key(work, start, home, keyring):
    peer = start("--key", "keyring", environment=keyring.environment)
    for account in ACCOUNTS:
        store_grant(peer, account)
    with (home / "store" / "b.grant.lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        mover = work("rekey", {"to": "keyring"}, "--key", "keyring", environment=keyring.environment)
        wait_until(lambda: (home / "store" / "key.previous").exists())
        (home / "store").rename(home / "backup")
        (home / "store").mkdir(mode=0o700)
    mover.fault()
    backup = start("--store", str(home / "backup"), environment=keyring.environment)
    assert tokens(backup, ACCOUNTS) == [token(account) for account in ACCOUNTS]


def test_a_new_account_that_is_written_while_the_key_moves(work, start, home, tmp_path):
    """The writer has the old key. When the move lists the folder, its account has only a lock file."""
    store_grant(start(), "a")
    held, trace = HeldCall("renameat", tmp_path / "held"), tmp_path / "trace"
    slow = start(binary=held.command)
    data = {"access_token": token("new"), "refresh_token": "r"}
    waiting = slow.send("importGrant", {"account": "new", "format": "json", "data": data, "provider": PROVIDER, "clientId": "c"})
    held.wait()
    assert list((home / "store").glob("new.grant.*.tmp"))
    mover = work("rekey", {"to": "file"}, binary=traced(trace, "-e", "trace=flock"))
    # The move waits for the writer's lock.
    wait_until(lambda: "EAGAIN" in trace.read_text())
    held.release(slow.process)
    assert mover.result()["grants"] == 2
    slow.result(waiting)
    assert tokens(start(), ["a", "new"]) == [token("a"), token("new")]


def test_a_grant_that_is_replaced_during_the_move(work, start, home):
    """The move waits for the first account while another account gets a new grant."""
    peer = start()
    for account in "ab":
        store_grant(peer, account)
    with (home / "store" / "a.grant.lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        mover = work("rekey", {"to": "file"})
        wait_until(lambda: (home / "store" / "key.previous").exists())
        data = {"access_token": "later", "refresh_token": "r"}
        peer.request("importGrant", {"account": "b", "format": "json", "data": data, "provider": PROVIDER, "clientId": "c", "replace": True})
    assert mover.result()["grants"] == 2
    assert tokens(start(), "b") == ["later"]


def test_refreshes_that_wait_for_the_move(work, start, home, keyring, provider, tmp_path):
    traces = [tmp_path / f"trace{number}" for number in range(4)]
    peers = [start(binary=traced(trace, "-e", "trace=flock"), environment=keyring.environment) for trace in traces]
    data = {"access_token": "x", "refresh_token": "r", "expires_in": 3600}
    peers[0].request("importGrant", {"account": "a", "format": "json", "data": data, "provider": provider.description, "clientId": "c"})
    for peer in peers:
        peer.request("accessToken", {"account": "a"})
    with (home / "store" / "a.grant.lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        waiting = [(peer, peer.send("refresh", {"account": "a", "force": True})) for peer in peers]
        wait_until(lambda: all("EAGAIN" in trace.read_text() for trace in traces))
        mover = work("rekey", {"to": "keyring"}, environment=keyring.environment)
        wait_until(lambda: (home / "store" / "key.previous").exists())
        time.sleep(0.05)
    assert all("result" in peer.answer(identifier) for peer, identifier in waiting)
    assert mover.result()["grants"] == 1

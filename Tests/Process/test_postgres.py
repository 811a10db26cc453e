"""Grants in a real PostgreSQL server. Each "machine" is a home of its own with a copy of the key file."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import threading
import time

import pytest

from bound_tokens import BoundAPI, BoundAuthorizationServer
from databases import PASSWORD, Database
from rpc import BINARY, Peer, RPCFault
from signing_in import authorize
from store_keys import PROVIDER, fault, store_grant, token, tokens
from test_command_line import Shell
from test_dpop import wanted
from waiting import Hold

TABLE = "oauth_stdio_grants"
# No process has this number: it is above the kernel's limit.
OTHER_MACHINE = "another-machine/4194305/x/1"


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    database = Database(tmp_path_factory.mktemp("postgresql") / "server").start()
    yield database
    database.stop("immediate")


@pytest.fixture
def database(server):
    """The server with an empty database."""
    server.query(f"DROP TABLE IF EXISTS {TABLE}")
    yield server


@pytest.fixture
def own_database(tmp_path):
    """A server that a test may stop."""
    database = Database(tmp_path / "postgresql").start()
    yield database
    database.signal("CONT")
    database.stop("immediate")


@pytest.fixture
def machine(tmp_path):
    """Returns `machine(name, uri, *arguments)`, which starts a process on that machine. All machines have one key."""
    peers = []

    def start(name: str, uri: str, *arguments, key: bool = True, **options) -> Peer:
        home = tmp_path / name
        home.mkdir(exist_ok=True)
        folder = home / "data" / "oauth-stdio"
        others = list(tmp_path.glob("*/data/oauth-stdio/key"))
        if key and others and not folder.exists():
            folder.mkdir(parents=True, mode=0o700)
            shutil.copy(others[0], folder / "key")
        peer = Peer("--store", uri, *arguments, home=home, **options)
        peers.append(peer)
        return peer

    start.peers = peers
    yield start
    for peer in peers:
        peer.__exit__(Exception, None, None)
        assert not peer.faults, peer.faults


def sign_in(peer, provider, account: str = "a", **more) -> None:
    authorize(peer, provider.approve, **{**provider.parameters(interaction="always"), "account": account, **more})


def column(database, name: str, account: str = "a") -> str:
    return database.query(f"SELECT {name} FROM {TABLE} WHERE account = '{account}'")[0][0]


def refresh_tokens(provider) -> int:
    return sum(request.path == "/token" and b"refresh_token" in request.body for request in provider.requests)


def test_advice_names_the_database_without_its_password(database, home):
    assert PASSWORD in database.uri
    for option in (["--store", database.uri], ["--store=" + database.uri]):
        done = subprocess.run([BINARY, *option, "token", "nope"], capture_output=True, text=True, env=Peer.environment(Shell(home), None), timeout=60)
        assert "Sign in with: oauth-stdio " in done.stderr and "--store" in done.stderr and "postgresql://…" in done.stderr and PASSWORD not in done.stderr, done


# Sharing


def test_machines_share_accounts_and_the_database_sees_no_token(machine, provider, database):
    first = machine("one", database.uri)
    sign_in(first, provider)
    store_grant(first, "b")
    second = machine("two", database.uri)
    assert [state["account"] for state in second.request("accounts")["accounts"]] == ["a", "b"]
    assert second.request("refresh", {"account": "a", "force": True})["refreshed"] is True
    assert first.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    assert tokens(first, "a") == tokens(second, "a") and refresh_tokens(provider) == 1
    dump = subprocess.run([f"{database.programs}/pg_dump", database.uri], check=True, capture_output=True).stdout
    assert TABLE.encode() in dump and not any(secret.encode() in dump for secret in [*provider.secrets, token("b")])
    assert not list(first.home.parent.rglob("*.grant"))
    second.request("signOut", {"account": "a"})
    assert fault(first, "accessToken", {"account": "a"}).kind == "signInRequired"
    # The row goes with the lock, which is released beside the answer.
    database.wait_until(lambda: database.query(f"SELECT count(*) FROM {TABLE} WHERE account = 'a'") == [["0"]])


@pytest.mark.parametrize("name", ["%", "%00", "a\u0301", "ü" * 100, "x'; DROP TABLE oauth_stdio_grants; --", " "])
def test_every_name_is_an_account(machine, database, name):
    peer = machine("one", database.uri)
    data = {"format": "json", "data": {"access_token": "t"}, "provider": PROVIDER, "clientId": "c"}
    peer.request("importGrant", {"account": name, **data})
    store_grant(peer, "other")
    assert tokens(machine("two", database.uri), [name, "other"]) == ["t", token("other")]
    assert {state["account"] for state in peer.request("accounts")["accounts"]} == {name, "other"}


def test_a_machine_with_another_key_reads_and_writes_nothing(machine, database):
    store_grant(machine("one", database.uri), "a")
    for second in (machine("two", database.uri, key=False), machine("three", database.uri, "--key", "command:head -c 32 /dev/zero | base64", key=False)):
        for method, params in [
            ("accessToken", {"account": "a"}),
            ("importGrant", {"account": "b", "format": "json", "data": {"access_token": "t"}, "provider": PROVIDER, "clientId": "c"}),
        ]:
            error = fault(second, method, params)
            assert error.kind == "storageFailure" and "a key other than" in error.message
        assert "a key other than" in fault(second, "accounts", {}).message
    assert not (second.home.parent / "two" / "data" / "oauth-stdio" / "key").exists()


def test_a_command_prints_the_key_for_all_machines(machine, database):
    key = "command:head -c 32 /dev/zero | base64"
    store_grant(machine("one", database.uri, "--key", key, key=False), "a")
    second = machine("two", database.uri, "--key", key, key=False)
    assert tokens(second, "a") == [token("a")]
    store_grant(second, "b")
    assert tokens(machine("three", database.uri, "--key", key, key=False), "b") == [token("b")]
    assert second.request("account", {"account": "a"})["key"] == "command"


def test_a_bound_login_has_one_key_on_all_machines(machine, database):
    with BoundAuthorizationServer() as server, BoundAPI(server) as api:
        first = machine("one", database.uri)
        authorize(first, server.approve, **wanted(server, api))
        second = machine("two", database.uri)
        second.request("refresh", {"account": "a", "force": True})
        assert first.request("callAPI", {"account": "a", "url": "x"})["status"] == second.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
        assert len(server.proofs.keys | api.proofs.keys) == 1 and not server.proofs.faults + api.proofs.faults
    sealed = database.query(f"SELECT convert_from(substring(sealed FOR 20), 'UTF8') FROM {TABLE} WHERE account = 'a'")
    assert "oauth-stdio grant 1 " in str(sealed)


def test_rekey_says_what_to_do(machine, database, work, tmp_path):
    store_grant(machine("one", database.uri), "a")
    error = work("rekey", {"to": "file"}, "--store", database.uri, home=tmp_path / "one").fault()
    assert error.kind == "storageFailure" and "copy the grants to a folder" in error.message


def test_tables_of_others_stay_unchanged(machine, database):
    database.query(f"CREATE TABLE {TABLE} (x int)")
    assert "not one of oauth-stdio" in fault(machine("one", database.uri), "accessToken", {"account": "a"}).message
    database.query(f"DROP TABLE {TABLE}")
    store_grant(machine("one", database.uri), "a")
    database.query(f"COMMENT ON TABLE {TABLE} IS 'Grants of oauth-stdio, version 2'")
    newer = machine("one", database.uri)
    assert "newer version" in fault(newer, "accessToken", {"account": "a"}).message


def test_64_processes_create_the_table_at_once(machine, database):
    peers = [machine("one", database.uri) for _ in range(64)]
    data = {"format": "json", "data": {"access_token": "t"}, "provider": PROVIDER, "clientId": "c"}
    identifiers = [(peer, peer.send("importGrant", {**data, "account": f"x{index}"})) for index, peer in enumerate(peers)]
    for peer, identifier in identifiers:
        peer.result(identifier)
    assert len(peers[0].request("accounts")["accounts"]) == 64


# Locks


def test_one_refresh_across_machines(machine, demo, database):
    """The demo provider revokes the whole grant when a refresh token is used twice."""
    peers = [machine(f"machine{index % 4}", database.uri) for index in range(8)]
    authorize(peers[0], **demo.parameters(account="a", parameters={"demo_auto": "allow"}))
    peers[4:] = [machine(f"machine{index}", database.uri) for index in range(4)]
    for index in range(1, 4):
        shutil.copytree(peers[0].home / "data", peers[index].home / "data", dirs_exist_ok=True)
    for _ in range(4):
        identifiers = [(peer, peer.send("refresh", {"account": "a", "force": True})) for peer in peers]
        for peer, identifier in identifiers:
            peer.result(identifier)
    assert peers[-1].request("callAPI", {"account": "a", "url": "me"})["status"] == 200


def test_a_killed_process_of_this_machine_delays_nobody(machine, provider, database):
    first = machine("one", database.uri)
    sign_in(first, provider)
    provider.instead["/token"] = hold = Hold()
    first.send("refresh", {"account": "a", "force": True})
    hold.wait()
    first.kill("KILL")
    first.process.wait()
    assert column(database, "refresh_holder") != ""
    hold.release()
    # Its lease of a minute would be longer than the peer waits for an answer.
    assert machine("two", database.uri).request("refresh", {"account": "a", "force": True})["refreshed"] is True
    assert column(database, "refresh_holder") == ""


def test_a_refresh_of_another_machine_is_awaited(machine, provider, database):
    """A machine has announced its refresh and its lock has ended. Its result may still come."""
    peer = machine("one", database.uri, "--log-level", "info")
    sign_in(peer, provider)
    announce = f"UPDATE {TABLE} SET refresh_holder = '{OTHER_MACHINE}', refresh_started_at = now() - interval '72 seconds' WHERE account = 'a'"
    database.query(announce)
    waiting = peer.send("refresh", {"account": "a", "force": True})
    database.wait_until(lambda: b"another machine has announced a refresh of a" in peer.stderr)
    assert refresh_tokens(provider) == 0
    assert peer.result(waiting)["refreshed"] is True
    assert refresh_tokens(provider) == 1
    # The other machine's result arrives: nothing is sent.
    second = machine("two", database.uri)
    assert second.request("refresh", {"account": "a", "force": True})["refreshed"] is True
    database.query(announce.replace("72 seconds", "10 seconds"))
    waiting = peer.send("refresh", {"account": "a"})
    sealed = column(database, "encode(sealed, 'hex')")
    assert peer.result(waiting)["refreshed"] is False
    waiting = peer.send("refresh", {"account": "a", "force": True})
    database.wait_until(lambda: column(database, "holder") != "")
    database.query(f"UPDATE {TABLE} SET refresh_holder = NULL, refresh_started_at = NULL, sealed = decode('{sealed}', 'hex') WHERE account = 'a'")
    peer.result(waiting)


def test_a_lock_ends_with_its_lease(machine, provider, database):
    peer = machine("one", database.uri)
    sign_in(peer, provider)
    database.query(f"UPDATE {TABLE} SET holder = '{OTHER_MACHINE}', lease_until = now() + interval '1 hour' WHERE account = 'a'")
    waiting = peer.send("refresh", {"account": "a", "force": True})
    # The process has tried to take the lock, and asks who holds it.
    asks = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT holder FROM%'"
    database.wait_until(lambda: database.query(asks) != [["0"]])
    assert refresh_tokens(provider) == 0 and column(database, "holder") == OTHER_MACHINE
    database.query(f"UPDATE {TABLE} SET lease_until = now() WHERE account = 'a'")
    assert peer.result(waiting)["refreshed"] is True


def test_a_machine_that_was_suspended_loses_no_login(machine, provider, database):
    """Its lock has ended when it wakes up, and another machine has refreshed. Its own result is older and is dropped."""
    first, second = machine("one", database.uri), None
    sign_in(first, provider)
    arrived, answer = threading.Event(), threading.Event()

    def slow(request):
        if not arrived.is_set():
            arrived.set()
            answer.wait(100)

    provider.instead["/token"] = slow
    waiting = first.send("refresh", {"account": "a", "force": True})
    assert arrived.wait(60)
    first.kill("STOP")
    # As after its lease.
    database.query(
        f"UPDATE {TABLE} SET lease_until = now() - interval '1 second', refresh_started_at = now() - interval '81 seconds' WHERE account = 'a'"
    )
    # The process is not dead, and counts as one of another machine.
    second = machine("two", database.uri)
    fresh = second.request("refresh", {"account": "a", "force": True})
    assert fresh["refreshed"] is True
    answer.set()
    first.kill("CONT")
    first.answer(waiting)
    assert tokens(first, "a") == tokens(second, "a")
    assert second.request("refresh", {"account": "a", "force": True})["refreshed"] is True


# Failures


def test_a_restart_of_the_server_is_not_noticed(machine, provider, own_database):
    peer = machine("one", own_database.uri)
    sign_in(peer, provider)
    for mode in ("fast", "immediate"):
        own_database.restart(mode)
        assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True
        assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200


def test_a_rotated_token_waits_for_the_server(machine, provider, own_database):
    """The server stops while the provider rotates the token, and is back a few seconds later."""
    peer = machine("one", own_database.uri)
    sign_in(peer, provider)
    provider.instead["/token"] = lambda request: own_database.stop("immediate")
    waiting = peer.send("refresh", {"account": "a", "force": True})
    own_database.wait_until(lambda: refresh_tokens(provider) == 1)
    time.sleep(2)
    provider.instead.clear()
    own_database.start()
    assert peer.result(waiting)["refreshed"] is True
    assert tokens(machine("two", own_database.uri), "a") == tokens(peer, "a")
    assert list(provider.living) == tokens(peer, "a")


def test_a_rotated_token_that_cannot_be_written_is_kept(machine, provider, own_database):
    """The server is back after the process has given up writing. The process has the token and writes it with the next use."""
    peer = machine("one", own_database.uri)
    sign_in(peer, provider)
    provider.instead["/token"] = lambda request: own_database.stop("immediate")
    waiting = peer.send("refresh", {"account": "a", "force": True, "timeout": 60})
    error = peer.answer(waiting, 60)["error"]
    assert error["data"]["kind"] == "storageFailure" and error["data"]["retryable"] is True
    provider.instead.clear()
    own_database.start()
    # Another machine waits, because this one has announced its refresh.
    assert column(own_database, "refresh_holder") != ""
    assert tokens(peer, "a") == list(provider.living)
    assert tokens(machine("two", own_database.uri), "a") == list(provider.living)
    assert column(own_database, "refresh_holder") == ""


def test_errors_of_the_server_are_clear(machine, own_database):
    peer = machine("one", own_database.uri)
    store_grant(peer, "a")
    own_database.stop()
    error = fault(peer, "accessToken", {"account": "a"})
    assert error.kind == "storageFailure" and error.data["retryable"] is True
    assert "the database cannot be reached" in error.message and f"no connection to 127.0.0.1, port {own_database.port}" in error.message
    own_database.start()
    assert tokens(peer, "a") == [token("a")]
    own_database.query("ALTER DATABASE postgres SET default_transaction_read_only = on")
    own_database.restart()
    assert tokens(peer, "a") == [token("a")]
    data = {"format": "json", "data": {"access_token": "t"}, "provider": PROVIDER, "clientId": "c"}
    error = fault(peer, "importGrant", {"account": "b", **data})
    assert "read-only" in error.message and "target_session_attrs=read-write" in error.message


def test_a_server_that_does_not_answer_has_a_time_limit(machine, own_database):
    peer = machine("one", own_database.uri + "?connect_timeout=2")
    store_grant(peer, "a")
    own_database.signal("STOP")
    identifier = peer.send("accessToken", {"account": "a"})
    # Requests that need no database are answered meanwhile.
    assert peer.request("providers")["providers"]
    error = peer.answer(identifier)["error"]
    assert error["data"]["kind"] == "storageFailure" and error["data"]["retryable"] is True
    own_database.signal("CONT")
    assert tokens(peer, "a") == [token("a")]


def test_a_password_is_in_no_message(machine, database):
    peer = machine("one", database.uri.replace(PASSWORD, "wr0ng-s3cr3t"), "--log-level", "debug")
    error = fault(peer, "accessToken", {"account": "a"})
    assert f"127.0.0.1, port {database.port} rejects the user, the password" in error.message and "s3cr3t" not in str(error)
    peer.close_stdin()
    peer.wait()
    assert b"s3cr3t" not in peer.stderr + peer.stdout
    # The password is in the wrong part of these.
    for uri in (f"tester:{PASSWORD}%zz@127.0.0.1/x", f"tester:{PASSWORD}%40127.0.0.1:5/x", f"tester:1@{PASSWORD}@h/x", f"tester:1@h/{PASSWORD}@h"):
        peer = machine("one", "postgresql://" + uri)
        assert peer.wait() == 2
        assert b"not a PostgreSQL URI" in peer.stderr and b"s3cr3t" not in peer.stderr


@pytest.mark.parametrize("end", ["postgres?sslmode=require%3Bpassword%3Ds3cr3t", "db%20password:s3cr3t", "postgres?options=pass%3Ds3cr3t"])
def test_a_misplaced_password_is_in_no_message(database, home, end):
    """libpq quotes the first one, and the server quotes the others as the name of a database."""
    done = subprocess.run(
        [BINARY, "--store", database.uri.rpartition("/")[0] + "/" + end, "token", "a"], capture_output=True, text=True, env={"HOME": str(home)}, timeout=60)
    assert done.returncode in (1, 2) and re.search("database|--store", done.stderr) and "s3cr3t" not in done.stdout + done.stderr, done


def test_a_database_may_have_signs_in_its_name(machine, database):
    database.query('DROP DATABASE IF EXISTS "R&D; x"')
    database.query('CREATE DATABASE "R&D; x"')
    peer = machine("one", database.uri.rpartition("/")[0] + "/R%26D%3B%20x")
    store_grant(peer, "a")


def test_missing_privileges_are_named(machine, database):
    store_grant(machine("one", database.uri), "a")
    database.query("DROP ROLE IF EXISTS reader")
    database.query(f"CREATE ROLE reader LOGIN PASSWORD '{PASSWORD}'")
    database.query(f"GRANT SELECT ON {TABLE} TO reader")
    reader = machine("one", database.uri.replace("tester", "reader"))
    assert tokens(reader, "a") == [token("a")]
    data = {"format": "json", "data": {"access_token": "t"}, "provider": PROVIDER, "clientId": "c"}
    assert "permission denied" in fault(reader, "importGrant", {"account": "b", **data}).message
    database.query(f"REVOKE ALL ON {TABLE} FROM reader")
    database.query("DROP ROLE reader")


# Attacks by another user of the database, and by a server


@pytest.fixture
def roles(database):
    """Returns `roles(name)`, which makes a role that may sign in."""
    names = []

    def make(name: str) -> str:
        names.append(name)
        database.query(f"CREATE ROLE {name} LOGIN PASSWORD '{PASSWORD}'")
        return name

    yield make
    for name in names:
        database.query(f"DROP OWNED BY {name} CASCADE")
        database.query(f"DROP ROLE {name}")


NOOP = "CREATE OR REPLACE FUNCTION noop() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'"


@pytest.mark.parametrize("change, reason", [
    ((NOOP, f"CREATE TRIGGER t BEFORE UPDATE ON {TABLE} FOR EACH ROW EXECUTE FUNCTION noop()"), "has triggers"),
    ((f"CREATE RULE r AS ON UPDATE TO {TABLE} DO ALSO NOTHING",), "has rules"),
    ((f"ALTER TABLE {TABLE} ENABLE ROW LEVEL SECURITY",), "has row security"),
    ((f"CREATE TABLE child () INHERITS ({TABLE})",), "is not a plain table"),
])
def test_a_table_that_does_more_than_hold_rows_is_not_used(machine, database, change, reason):
    store_grant(machine("one", database.uri), "a")
    for statement in change:
        database.query(statement)
    peer = machine("one", database.uri)
    sealed = column(database, "version")
    data = {"format": "json", "data": {"access_token": "t"}, "provider": PROVIDER, "clientId": "c"}
    for method, params in (("accessToken", {"account": "a"}), ("accounts", {}), ("importGrant", {"account": "a", "replace": True, **data})):
        error = fault(peer, method, params)
        assert error.kind == "storageFailure" and f"{TABLE} is not used: it {reason}" in error.message
    assert column(database, "version") == sealed and column(database, "holder") == ""
    database.query(f"DROP TABLE {TABLE} CASCADE")


def test_another_role_s_operator_is_never_called(machine, database, roles):
    """PostgreSQL prefers an operator for the exact types to the system's, also in a schema that another role may write to."""
    victim, mallory = roles("victim"), roles("mallory")
    database.query("GRANT CREATE ON SCHEMA public TO PUBLIC")
    for left, right, sign in [("numeric", "integer", "*"), ("name", "name", "||"), ("text", "name", "||"), ("integer", "numeric", "*")]:
        name = f"m_{left}_{right}"
        body = "BEGIN RAISE EXCEPTION 'mallory ran as %', current_user; END"
        database.query(
            f"SET ROLE {mallory}; CREATE FUNCTION public.{name}({left}, {right}) RETURNS text LANGUAGE plpgsql AS $f${body}$f$; "
            f"CREATE OPERATOR public.{sign} (LEFTARG = {left}, RIGHTARG = {right}, FUNCTION = public.{name})")
    peer = machine("one", database.uri.replace("tester", victim))
    store_grant(peer, "a")
    assert peer.request("accessToken", {"account": "a"})["accessToken"] and peer.request("accounts", {})["accounts"]
    database.query("REVOKE CREATE ON SCHEMA public FROM PUBLIC")


def test_a_view_is_not_used(machine, database):
    store_grant(machine("one", database.uri), "a")
    database.query(f"ALTER TABLE {TABLE} RENAME TO other; CREATE VIEW {TABLE} AS SELECT * FROM other")
    message = fault(machine("one", database.uri), "accessToken", {"account": "a"}).message
    database.query(f"DROP VIEW {TABLE}; DROP TABLE other")
    assert "is not a plain table" in message


def test_a_foreign_owner_is_named(machine, database, roles):
    """An owner may add a trigger that runs as the user who writes. A superuser is a member of every role, but does not trust each."""
    store_grant(machine("one", database.uri), "a")
    app, stranger = roles("app"), roles("stranger")
    database.query(f"ALTER TABLE {TABLE} OWNER TO {stranger}; GRANT ALL ON {TABLE} TO {app}")
    for user in ("tester", app):
        message = fault(machine("one", database.uri.replace("tester", user)), "accessToken", {"account": "a"}).message
        assert f"belongs to the role {stranger}, which is neither {user}," in message
    database.query(f"GRANT {stranger} TO {app}")
    assert tokens(machine("one", database.uri.replace("tester", app)), "a") == [token("a")]
    database.query(f"ALTER TABLE {TABLE} OWNER TO {app}; REVOKE {stranger} FROM {app}")
    assert tokens(machine("one", database.uri.replace("tester", app)), "a") == [token("a")]


def test_the_owner_of_the_database_may_own_the_table(machine, database, roles):
    app, boss = roles("app"), roles("boss")
    database.query("DROP DATABASE IF EXISTS owned")
    database.query(f"CREATE DATABASE owned OWNER {boss}")
    uri = database.uri.rpartition("/")[0] + "/owned"
    store_grant(machine("one", uri.replace("tester", boss)), "a")
    psql = [f"{database.programs}/psql", uri, "-c", f"GRANT ALL ON {TABLE} TO {app}"]
    subprocess.run(psql, check=True, capture_output=True)
    assert tokens(machine("one", uri.replace("tester", app)), "a") == [token("a")]
    for peer in [*machine.peers]:
        peer.kill("KILL")
        peer.process.wait()
    database.query("DROP DATABASE owned WITH (FORCE)")


def test_a_long_listing(machine, database):
    peer = machine("one", database.uri)
    store_grant(peer, "a")
    copies = f"INSERT INTO {TABLE} (account, sealed, version) SELECT '\"\\' || n, sealed, 1 FROM {TABLE}, generate_series({{}}) n WHERE account = 'a'"
    database.query(copies.format("1, 1200"))
    listed = peer.request("accounts")["accounts"]
    assert len(listed) == 1201 and {state["account"] for state in listed} > {'"\\1', '"\\1200'}
    assert tokens(peer, "a") == [token("a")]


def test_a_repeated_listing_reads_what_has_changed(machine, database):
    """The version of a row says whether it has."""
    peer = machine("one", database.uri)
    names = ["a", 'b"\u0301\\\u0301{}', "c"]
    for name in names:
        peer.request("importGrant", {"account": name, "format": "json", "data": {"access_token": "t"}, "provider": PROVIDER, "clientId": "c"})

    def problems() -> dict:
        return {state["account"]: state.get("problem", "") for state in peer.request("accounts")["accounts"]}

    assert problems() == dict.fromkeys(names, "")
    database.query(f"UPDATE {TABLE} SET sealed = 'x' WHERE account <> '%'")
    assert problems() == dict.fromkeys(names, "")
    database.query(f"UPDATE {TABLE} SET version = 7 WHERE account LIKE 'b%'")
    database.query(f"DELETE FROM {TABLE} WHERE account = 'c'")
    found = problems()
    assert found["a"] == "" and "damaged" in found[names[1]] and "c" not in found
    store_grant(machine("two", database.uri), "c")
    assert problems()["c"] == ""


class FakeServer:
    """Accepts each login, sends a notice and then a fatal error."""

    def __init__(self, answers: bool = True):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        if answers:
            threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            # A client that has read enough may reset the connection.
            with connection, contextlib.suppress(ConnectionError):
                # The request for TLS; then the login.
                if int.from_bytes(connection.recv(1000)[4:8]) == 80877103:
                    connection.sendall(b"N")
                    connection.recv(1000)
                text = b"SWARNING\0C01000\0Ms3cr3t-n0tice\0\0"
                fatal = b"SFATAL\0C3D000\0Mdatabase s3cr3t \x1b[31m does not exist\0\0"
                connection.sendall(b"R\0\0\0\x08\0\0\0\0" + b"N" + (len(text) + 4).to_bytes(4) + text + b"E" + (len(fatal) + 4).to_bytes(4) + fatal)


def test_a_servers_text_is_shown_only_without_a_password(machine):
    """Its notices are not shown at all: libpq would write them to stderr."""
    server = FakeServer()
    for user, isShown in (("u", True), ("u:x", False)):
        peer = machine("one", f"postgresql://{user}@127.0.0.1:{server.port}/db")
        message = fault(peer, "accessToken", {"account": "a"}).message
        assert ("database s3cr3t" in message) == isShown and "\x1b" not in message
        assert isShown or f"127.0.0.1, port {server.port} rejects" in message
        peer.close_stdin()
        peer.wait()
        assert b"n0tice" not in peer.stderr and b"\x1b" not in peer.stderr
    environment = {"PGPASSWORD": "x"}
    peer = machine("one", f"postgresql://u@127.0.0.1:{server.port}/db", environment=environment)
    assert "s3cr3t" not in fault(peer, "accessToken", {"account": "a"}).message


def test_a_host_that_does_not_answer_is_passed_over(machine, database):
    silent = FakeServer(answers=False)
    uri = f"postgresql://tester:{PASSWORD}@127.0.0.1:{silent.port},127.0.0.1:{database.port}/postgres?connect_timeout=5"
    store_grant(machine("one", uri), "a")
    alone = machine("one", f"postgresql://tester:{PASSWORD}@127.0.0.1:{silent.port}/postgres?connect_timeout=1")
    assert f"127.0.0.1, port {silent.port} did not answer within 1 s" in fault(alone, "accessToken", {"account": "a"}).message


def test_a_key_that_another_process_makes_meanwhile_is_used(machine, database, tmp_path):
    """Four processes of a new machine start at once, and one is the first. The others have looked for the key before it was there."""
    key = "command:head -c 32 /dev/zero | base64"
    store_grant(machine("one", database.uri, "--key", key), "a")
    psql = subprocess.Popen([f"{database.programs}/psql", database.uri, "-q"], stdin=subprocess.PIPE, text=True)
    psql.stdin.write(f"BEGIN; LOCK TABLE {TABLE};\n")
    psql.stdin.flush()
    database.wait_until(lambda: database.query("SELECT count(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted") != [["0"]])
    peers = [machine("two", database.uri, "--key", key, key=False) for _ in range(4)]
    requests = [(peer, peer.send("accessToken", {"account": "a"})) for peer in peers]
    database.wait_until(lambda: database.query("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")[0][0] >= "4")
    folder = tmp_path / "two" / "data" / "oauth-stdio"
    folder.mkdir(parents=True, mode=0o700)
    shutil.copy(tmp_path / "one" / "data" / "oauth-stdio" / "key", folder / "key")
    psql.communicate("COMMIT;\n")
    for peer, identifier in requests:
        assert peer.result(identifier)["accessToken"] == token("a")


# What libpq offers


def test_several_hosts_password_files_and_services(machine, database, tmp_path):
    store_grant(machine("one", database.uri), "a")
    # The first host refuses the connection.
    several = f"postgresql://tester:{PASSWORD}@127.0.0.1:1,127.0.0.1:{database.port}/postgres"
    assert tokens(machine("one", several), "a") == [token("a")]
    passwords, services = tmp_path / "pgpass", tmp_path / "services"
    passwords.write_text(f"127.0.0.1:{database.port}:*:tester:{PASSWORD}\n")
    passwords.chmod(0o600)
    without = f"postgresql://tester@127.0.0.1:{database.port}/postgres"
    assert tokens(machine("one", without, environment={"PGPASSFILE": str(passwords)}), "a") == [token("a")]
    services.write_text(f"[grants]\nhost=127.0.0.1\nport={database.port}\nuser=tester\npassword={PASSWORD}\ndbname=postgres\n")
    assert tokens(machine("one", "postgresql:///?service=grants", environment={"PGSERVICEFILE": str(services)}), "a") == [token("a")]


def test_tls_modes(machine, own_database, tmp_path):
    folder = own_database.folder / "data"
    for name, days in (("server", 2), ("other", 2)):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", str(days), "-subj", f"/CN={name}", "-addext",
             "subjectAltName=IP:127.0.0.1", "-keyout", folder / f"{name}.key", "-out", folder / f"{name}.crt"],
            check=True, stderr=subprocess.DEVNULL)
        for suffix in ("key", "crt"):
            (folder / f"{name}.{suffix}").chmod(0o600)
            shutil.chown(folder / f"{name}.{suffix}", own_database.user)
        shutil.copy(folder / f"{name}.crt", tmp_path / f"{name}.crt")
    with (folder / "postgresql.conf").open("a") as settings:
        settings.write("ssl = on\n")
    own_database.restart()
    peer = machine("one", f"{own_database.uri}?sslmode=verify-full&sslrootcert={tmp_path}/server.crt")
    store_grant(peer, "a")
    assert own_database.query("SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE ssl AND application_name = 'oauth-stdio'") != [["0"]]
    refused = machine("one", f"{own_database.uri}?sslmode=verify-full&sslrootcert={tmp_path}/other.crt")
    assert "its certificate is not trusted" in fault(refused, "accessToken", {"account": "a"}).message


def test_another_machine_must_have_a_trusted_certificate(machine, own_database, tmp_path):
    """0.0.0.0 leads to this machine, but only the kernel knows that."""
    folder = own_database.folder / "data"
    uri = own_database.uri.replace("127.0.0.1", "0.0.0.0")
    plain = fault(machine("one", uri), "accessToken", {"account": "a"}).message
    assert "offers none" in plain and "sslmode" in plain and "sslrootcert=FILE" in plain
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=server", "-addext", "subjectAltName=IP:0.0.0.0",
         "-keyout", folder / "server.key", "-out", folder / "server.crt"], check=True, stderr=subprocess.DEVNULL)
    for name in ("server.key", "server.crt"):
        (folder / name).chmod(0o600)
        shutil.chown(folder / name, own_database.user)
    trusted = tmp_path / "ca.crt"
    shutil.copy(folder / "server.crt", trusted)
    with (folder / "postgresql.conf").open("a") as settings:
        settings.write("ssl = on\n")
    own_database.restart()
    message = fault(machine("one", uri), "accessToken", {"account": "a"}).message
    assert "not trusted" in message and "sslmode" in message and "sslrootcert=FILE" in message and PASSWORD not in message
    store_grant(machine("one", uri, environment={"SSL_CERT_FILE": str(trusted)}), "a")
    assert own_database.query("SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE ssl AND application_name = 'oauth-stdio'") != [["0"]]
    assert tokens(machine("one", uri, environment={"PGSSLROOTCERT": str(trusted)}), "a") == [token("a")]
    (tmp_path / "one" / ".postgresql").mkdir()
    shutil.copy(trusted, tmp_path / "one" / ".postgresql" / "root.crt")
    assert tokens(machine("one", uri), "a") == [token("a")]
    (tmp_path / "one" / ".postgresql" / "root.crt").unlink()
    # The user decides.
    assert tokens(machine("one", uri + "?sslmode=require"), "a") == [token("a")]
    assert tokens(machine("one", uri, environment={"PGSSLMODE": "prefer"}), "a") == [token("a")]


def test_without_the_option_libpq_is_not_opened(start, tmp_path):
    peer = start()
    store_grant(peer, "a")
    assert "libpq" not in open(f"/proc/{peer.process.pid}/maps").read()


# Copying


def test_copy_moves_grants_to_a_database_and_back(machine, work, provider, database, tmp_path):
    home, folder = tmp_path / "one", tmp_path / "one" / "data" / "oauth-stdio"

    def copy(own, **params) -> dict:
        return work("copy", params, "--store", own, home=home).result()

    local = machine("one", str(folder))
    sign_in(local, provider)
    store_grant(local, "b")
    shared = machine("one", database.uri)
    assert copy(database.uri, **{"from": folder}) == {"moved": ["a", "b"], "skipped": []}
    assert not list(folder.glob("*.grant")) and tokens(shared, ["a", "b"])[1] == token("b")
    assert fault(local, "accessToken", {"account": "a"}).kind == "signInRequired"
    assert shared.request("refresh", {"account": "a", "force": True})["refreshed"] is True
    # Back, and one account already has another grant there.
    store_grant(local, "b")
    assert copy(folder, **{"from": database.uri}) == {"moved": ["a"], "skipped": ["b"]}
    assert local.request("refresh", {"account": "a", "force": True})["refreshed"] is True
    assert copy(folder, **{"from": database.uri, "replace": True, "keep": True}) == {"moved": ["b"], "skipped": []}
    assert tokens(shared, "b") == tokens(local, "b")
    # A repetition finds nothing to do.
    assert copy(folder, **{"from": database.uri}) == {"moved": ["b"], "skipped": []}
    assert shared.request("accounts") == {"accounts": []}
    # In the order of the names, not of the files.
    store_grant(local, "z")
    store_grant(local, "~")
    assert copy(database.uri, **{"from": folder})["moved"] == ["a", "b", "z", "~"]


def test_copy_needs_the_same_key(machine, work, database, tmp_path):
    home, folder = tmp_path / "one", tmp_path / "one" / "data" / "oauth-stdio"
    local = machine("one", str(folder))
    store_grant(local, "a")
    other = tmp_path / "other"
    error = work("copy", {"to": other}, "--store", folder, home=home).fault()
    assert error.kind == "storageFailure" and "need the same key" in error.message
    assert tokens(local, "a") == [token("a")] and not list(other.glob("*.grant"))
    assert work("copy", {"to": "relative"}, "--store", folder, home=home).fault().code == -32602
    assert work("copy", {"to": database.uri}, "--store", folder, "--read-only", home=home).fault().kind == "notAllowed"


@pytest.mark.parametrize("round", range(4))
def test_copy_that_is_killed_loses_no_grant(machine, work, database, tmp_path, round):
    home, folder = tmp_path / "one", tmp_path / "one" / "data" / "oauth-stdio"
    local = machine("one", str(folder))
    names = [f"x{index}" for index in range(40)]
    for name in names:
        store_grant(local, name)
    victim = work("copy", {"from": folder}, "--store", database.uri, home=home)
    database.wait_until(lambda: len(list(folder.glob("*.grant"))) < 40 - 8 * round)
    victim.end()
    assert victim.process.returncode != 0
    work("copy", {"from": folder}, "--store", database.uri, home=home).result()
    assert tokens(machine("two", database.uri), names) == [token(name) for name in names]
    assert not list(folder.glob("*.grant"))

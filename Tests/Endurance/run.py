#!/usr/bin/env python3
"""Runs processes against real servers for minutes or hours, kills them, and counts what is lost. Prints each figure beside its target.

    Tests/Endurance/run.py [race] [machines] [disk] [kill] [starvation] [clock] [accounts] [methods] [upgrade] [--seconds N] [--rounds N] [--previous BINARY]

race        8 processes share a folder. Tokens live 2 seconds, refresh tokens rotate, and a second use ends the login (django-oauth-toolkit).
            Half of the kills hit the holder of the account's lock.
machines    the same with 4 machines of 8 processes each, which share a PostgreSQL server that restarts three times. Each machine has its own home,
            and its own process numbers where the system allows that.
disk        the race without kills, on a disk that is full, over quota, failing, read-only, on a lost server, or slow for half of the time
kill        processes are killed at each system call that changes the store, in refresh, sign-in, revoke, import, signOut, copy and rekey
starvation  64 processes at once; 1,000 calls in flight; a client that never reads
clock       the machine's clock is off by a day, a year and 40 years, in both directions
accounts    10,000 accounts in a folder and in PostgreSQL, fewer with fewer rounds
methods     10,000 requests of each method in one process with a stack of 1 MiB, and 1,000 of those that wait for a server or the disk.
            The second half needs no more memory, descriptors, processor time and stack than the first
upgrade     the race with 4 processes of this version and 4 of the version that --previous names; then the key moves away and back

Needs a release build and what Tests/install.sh installs. Exits with status 1 if a target is missed.
"""

import argparse
import base64
import json
import os
import random
import re
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests" / "Process"), str(ROOT / "Tests" / "Servers")]

from conftest import run_dot  # noqa: E402
from databases import Database  # noqa: E402
from ports import ports_for_now  # noqa: E402
from rpc import faketime  # noqa: E402
from signing_in import TokenProvider, approve  # noqa: E402
from work import Work  # noqa: E402

BINARY = os.environ.get("OAUTH_STDIO") or str(ROOT / ".build" / "release" / "oauth-stdio")
PROVIDER = {"tokenEndpoint": "https://example.com/token", "authorizationEndpoint": "https://example.com/authorize"}
LIFETIME, MARGIN = 2, 0.5
missed = []


def row(name: str, value: float, target: float | None = None, at_least: bool = False, unit: str = "") -> None:
    line = f"{name:<62} {value:>12,.2f} {unit:<6}"
    if target is not None:
        is_met = value >= target if at_least else value <= target
        line += f" {'≥' if at_least else '≤'} {target:,.2f} {'met' if is_met else 'MISSED'}"
        if not is_met:
            missed.append(name)
    print(line, flush=True)


class Ended(Exception):
    pass


class Failed(Exception):
    def __init__(self, error: dict):
        super().__init__(error["message"])
        self.kind = (error.get("data") or {}).get("kind")
        self.reason = (error.get("data") or {}).get("reason")


class Client:
    """A minimal client that keeps no messages. `prefix` is the command that starts the program."""

    def __init__(self, home: Path, store: str, *arguments: str, prefix=(), events="none", on_event=None, environment=None, binary=BINARY):
        home.mkdir(parents=True, exist_ok=True)
        own = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "XDG_CONFIG_HOME": str(home / "config"),
               "LANG": "C.UTF-8", "BROWSER": "/bin/true", **(environment or {})}
        command = [*prefix, binary, "--store", store, "--events", events, "--log-level", "error", *arguments]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=own, bufsize=0)
        self.number = 0
        self.rest = b""
        self.on_event = on_event

    def send(self, method: str, params: dict) -> int:
        self.number += 1
        text = json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}) + "\n"
        try:
            self.process.stdin.write(text.encode())
        except OSError:
            raise Ended from None
        return self.number

    def message(self, timeout: float) -> dict:
        deadline = time.monotonic() + timeout
        while b"\n" not in self.rest:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError
            chunk = os.read(self.process.stdout.fileno(), 1 << 16)
            if not chunk:
                raise Ended
            self.rest += chunk
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def answer(self, number: int, timeout: float = 120) -> dict:
        while True:
            message = self.message(timeout)
            if message.get("id") == number and "method" not in message:
                if "error" in message:
                    raise Failed(message["error"])
                return message["result"]
            if self.on_event and "method" in message:
                self.on_event(message)

    def succeeded(self, wanted: set[int]) -> int:
        """Returns how many of these requests succeed. Their answers come in any order."""
        done = 0
        while wanted:
            message = self.message(120)
            if message.get("id") in wanted and "method" not in message:
                wanted.discard(message["id"])
                done += "result" in message
        return done

    def request(self, method: str, timeout: float = 120, **params) -> dict:
        return self.answer(self.send(method, params), timeout)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            stream.close()


def sign_in(client: Client, server) -> None:
    number = client.send("authorize", {**server.parameters(account="a"), "interaction": "always", "wait": True})
    while True:
        message = client.message(60)
        if message.get("method") == "signInWasRequested":
            threading.Thread(target=approve, args=(message["params"]["url"],), daemon=True).start()
        elif message.get("id") == number:
            if "error" in message:
                raise Failed(message["error"])
            return


class Race:
    """Processes call an API with one account. Each uses the token, so that most refreshes are due for several at once."""

    def __init__(self, server, log: Path, seconds: float):
        self.server, self.log, self.seconds = server, log, seconds
        self.lock = threading.Lock()
        self.clients: dict[int, tuple[Client, Path]] = {}
        self.calls = self.kills = self.holder_kills = self.losses = self.unexplained = self.failures = 0
        # When a holder was last killed, and when a refresh was last stored.
        self.killed_at, self.stored_at = 0.0, time.monotonic()
        self.kinds: dict[str, int] = {}

    def start(self, index: int) -> Client:
        raise NotImplementedError

    def holder(self) -> int | None:
        """The process that holds the account's lock."""
        raise NotImplementedError

    def noticed(self, message: dict) -> None:
        if message["method"] in ("accessTokenWasRefreshed", "authorizationWasSuccessful"):
            self.stored_at = time.monotonic()

    def work(self, index: int, end: float) -> None:
        while time.monotonic() < end:
            client = self.start(index)
            with self.lock:
                self.clients[index] = client
            try:
                while time.monotonic() < end:
                    try:
                        client.request("callAPI", account="a", url=self.server.api)
                        self.calls += 1
                    except Failed as error:
                        self.failed(error, client)
                    time.sleep(random.random() * 0.3)
            except Ended:
                pass
            except TimeoutError:
                self.kinds["no answer"] = self.kinds.get("no answer", 0) + 1
            finally:
                client.close()

    def failed(self, error: Failed, client: Client) -> None:
        if error.kind != "signInRequired":
            self.failures += 1
            self.kinds[str(error)[:60]] = self.kinds.get(str(error)[:60], 0) + 1
            return
        with self.lock:
            try:
                client.request("callAPI", account="a", url=self.server.api)
                return
            except Failed as again:
                if again.kind != "signInRequired":
                    return
            self.losses += 1
            # A process that is killed between the provider's answer and the disk takes the new token with it.
            if self.killed_at < self.stored_at - 1:
                self.unexplained += 1
            sign_in(client, self.server)
            self.stored_at = time.monotonic()

    def kill(self, end: float) -> None:
        while time.monotonic() < end:
            time.sleep(random.uniform(*self.pause))
            victim = None
            if self.kills % 2 == 0:
                for _ in range(2000):
                    victim = self.holder()
                    if victim or time.monotonic() > end:
                        break
                    time.sleep(0.001)
                self.holder_kills += victim is not None
            if victim is None:
                with self.lock:
                    living = [client.process.pid for client in self.clients.values() if client.process.poll() is None]
                victim = random.choice(living) if living else None
            if victim:
                try:
                    os.kill(victim, 9)
                except ProcessLookupError:
                    continue
                self.kills += 1
                self.killed_at = time.monotonic()

    def run(self, count: int) -> None:
        first = self.start(0)
        sign_in(first, self.server)
        self.ready(first)
        before = len(re.findall(r'"POST /o/token/ ', self.log.read_text(errors="replace")))
        self.stored_at = time.monotonic()
        end = time.monotonic() + self.seconds
        threads = [threading.Thread(target=self.work, args=(index, end)) for index in range(count)]
        threads += [threading.Thread(target=task, args=(end,)) for task in self.others]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        requests = len(re.findall(r'"POST /o/token/ ', self.log.read_text(errors="replace"))) - before - self.losses
        self.check()
        first.close()
        name = self.name
        row(f"{name}: API calls that succeeded", self.calls, self.seconds, at_least=True)
        if self.kills:
            row(f"{name}: processes killed, the holder of the lock", self.holder_kills, None)
            row(f"{name}: processes killed in all", self.kills, None)
            row(f"{name}: logins lost with an answer of the provider", self.losses, self.holder_kills)
        row(f"{name}: logins lost for another reason", self.unexplained, 0)
        row(f"{name}: token requests", requests, 1.2 * self.seconds / (LIFETIME - MARGIN) + self.kills)
        row(f"{name}: other failures of calls", self.failures, None)
        for text, times in sorted(self.kinds.items(), key=lambda kind: -kind[1])[:10]:
            print(f"    {times} × {text}")

    pause = (0.3, 1.5)

    @property
    def others(self):
        """What runs beside the clients."""
        return (self.kill,)

    def ready(self, first: Client) -> None:
        pass

    def check(self) -> None:
        """Called when all clients have ended."""


class FolderRace(Race):
    name = "race"

    def __init__(self, server, log, seconds, folder: Path):
        super().__init__(server, log, seconds)
        self.folder = folder

    def start(self, index: int) -> Client:
        return Client(self.folder, str(self.folder / "store"), events="all", on_event=self.noticed)

    def holder(self) -> int | None:
        try:
            text = (self.folder / "store" / "a.grant.lock").read_text().split()
        except OSError:
            return None
        return int(text[0]) if len(text) == 2 else None


class MachineRace(Race):
    name = "machines"
    pause = (5, 20)

    def __init__(self, server, log, seconds, folder: Path, database: Database):
        super().__init__(server, log, seconds)
        self.folder, self.database = folder, database
        apart = ["unshare", "--pid", "--fork", "--kill-child=KILL"] + ([] if os.geteuid() == 0 else ["--user", "--map-root-user"])
        self.prefix = apart if subprocess.run([*apart, "true"], stderr=subprocess.DEVNULL).returncode == 0 else []
        print(f"    the machines have {'their own' if self.prefix else 'common'} process numbers")

    @property
    def others(self):
        return (self.kill, self.restart)

    def start(self, index: int) -> Client:
        return Client(self.folder / f"machine{index % 4}", self.database.uri, prefix=self.prefix, events="all", on_event=self.noticed)

    def ready(self, first: Client) -> None:
        for index in range(1, 4):
            shutil.copytree(self.folder / "machine0" / "data", self.folder / f"machine{index}" / "data", dirs_exist_ok=True)

    def holder(self) -> int | None:
        time.sleep(0.02)
        try:
            found = self.database.query("SELECT holder FROM oauth_stdio_grants WHERE account = 'a'")
        except subprocess.CalledProcessError:
            return None
        if not found or not found[0][0]:
            return None
        space = found[0][0].split("/")[0].split(".")[-1]
        with self.lock:
            clients = list(self.clients.values())
        for client in clients:
            # With a namespace of its own, the program is a child of the process that was started.
            children = subprocess.run(["pgrep", "-P", str(client.process.pid)], capture_output=True, text=True).stdout.split() or [client.process.pid]
            try:
                if os.readlink(f"/proc/{children[0]}/ns/pid") == f"pid:[{space}]" and self.prefix:
                    return int(children[0])
            except OSError:
                continue
        return None

    def restart(self, end: float) -> None:
        for mode in ("fast", "immediate", "fast"):
            time.sleep(self.seconds / 4)
            if time.monotonic() < end:
                self.database.restart(mode)


class DiskRace(FolderRace):
    """No process is killed, but the store's disk has a fault for half of the time."""

    def __init__(self, server, log, seconds, folder: Path, fault: str):
        super().__init__(server, log, seconds, folder)
        self.name, self.fault = f"disk, {fault}", fault

    # What strace returns from, or does to, the calls that the store makes: from the second of a thread on, each fifth.
    INJECTED = {"over quota": "error=EDQUOT", "failing": "error=EIO", "lost server": "error=ESTALE", "slow": "delay_enter=2s"}

    @property
    def others(self):
        return () if self.fault in self.INJECTED else (self.break_down,)

    def start(self, index: int) -> Client:
        calls = "fsync,fdatasync,/rename,link,pwrite64,ftruncate,fallocate"
        # Half of the processes meet the fault. The first, which signs in, and every second one do not.
        if index % 2 and self.fault in self.INJECTED:
            inject = f"{calls}:{self.INJECTED[self.fault]}:when=2+5"
            prefix = ["strace", "-f", "-o", "/dev/null", "-e", f"trace={calls}", "-e", f"inject={inject}"]
            return Client(self.folder, str(self.folder / "store"), events="all", on_event=self.noticed, prefix=prefix)
        return super().start(index)

    def break_down(self, end: float) -> None:
        while time.monotonic() < end:
            time.sleep(random.uniform(1, 3))
            if self.fault == "full":
                with (self.folder / "filler").open("wb", buffering=0) as file:
                    try:
                        while file.write(b"x" * 512):
                            pass
                    except OSError:
                        pass
            else:
                subprocess.run(["mount", "-o", "remount,ro", self.folder], stderr=subprocess.DEVNULL)
            time.sleep(random.uniform(1, 5))
            (self.folder / "filler").unlink() if self.fault == "full" else subprocess.run(["mount", "-o", "remount,rw", self.folder], check=True)

    def check(self) -> None:
        client = super().start(0)
        try:
            client.request("refresh", account="a", force=True)
        except Failed as error:
            print(f"    after the fault: {error}")
            self.unexplained += 1
        client.close()
        row(f"{self.name}: files set aside", len(list(self.folder.glob("store/*unreadable*"))), 0)


class UpgradeRace(FolderRace):
    """Half of the processes are of the previous version."""

    name = "upgrade"

    def __init__(self, server, log, seconds, folder: Path, previous: str):
        super().__init__(server, log, seconds, folder)
        self.previous = previous

    def start(self, index: int) -> Client:
        binary = self.previous if index % 2 else BINARY
        return Client(self.folder, str(self.folder / "store"), events="all", on_event=self.noticed, binary=binary)

    def check(self) -> None:
        """The previous version cannot read a key that moved away. It says so, keeps everything, and works again when the key is back."""
        wrong = 0
        secret = self.folder / "secret"
        secret.write_bytes(base64.b64encode(os.urandom(32)))
        old = self.start(1)
        for to in ("command", "file"):
            new = Client(self.folder, str(self.folder / "store"), "--key", f"command:cat {secret}" if to == "command" else to)
            Work("rekey", {"to": to}, "--key", f"command:cat {secret}" if to == "command" else to, home=self.folder).result()
            for client, reads_command in ((new, True), (old, False), (self.start(1), False)):
                try:
                    client.request("refresh", account="a", force=True)
                    wrong += to == "command" and not reads_command
                except Failed as error:
                    wrong += error.kind != "storageFailure" or reads_command or to == "file"
                    print(f"    the key is in the {to}: {error}")
        row("upgrade: wrong answers while the key moves away and back", wrong, 0)
        row("upgrade: files set aside", len(list(self.folder.glob("store/*unreadable*"))), 0)


def race(options, folder: Path) -> None:
    for server in run_dot(folder / "dot", DOT_REUSE="1", DOT_ROTATE="1", DOT_ACCESS_TOKEN_LIFETIME=str(LIFETIME)):
        FolderRace(server, folder / "dot" / "log", options.seconds, folder / "home").run(8)


def machines(options, folder: Path) -> None:
    database = Database(folder / "postgresql").start()
    try:
        for server in run_dot(folder / "dot", DOT_REUSE="1", DOT_ROTATE="1", DOT_ACCESS_TOKEN_LIFETIME=str(LIFETIME)):
            MachineRace(server, folder / "dot" / "log", options.seconds, folder / "homes", database).run(32)
    finally:
        database.stop("immediate")


def disk(options, folder: Path) -> None:
    # Everyone may mount in a namespace of their own, unless the system forbids that.
    apart = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]
    if subprocess.run([*apart, "mount", "-t", "tmpfs", "none", folder], stderr=subprocess.DEVNULL).returncode:
        return print("disk: left out, because nothing can be mounted here")
    if os.geteuid() != 0:
        command = [*apart, sys.executable, __file__, "disk", "--seconds", str(options.seconds)]
        if subprocess.run(command).returncode:
            missed.append("disk")
        return
    faults = ["full", "read-only", *DiskRace.INJECTED]
    for number, fault in enumerate(faults):
        home = folder / f"home{number}"
        home.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", home], check=True)
        try:
            for server in run_dot(folder / f"dot{number}", DOT_REUSE="1", DOT_ROTATE="1", DOT_ACCESS_TOKEN_LIFETIME=str(LIFETIME)):
                DiskRace(server, folder / f"dot{number}" / "log", options.seconds / len(faults), home, fault).run(6)
        finally:
            subprocess.run(["umount", "-l", home], check=True)


def upgrade(options, folder: Path) -> None:
    if not options.previous:
        return print("upgrade: left out, because --previous names no binary")
    for server in run_dot(folder / "dot", DOT_REUSE="1", DOT_ROTATE="1", DOT_ACCESS_TOKEN_LIFETIME=str(LIFETIME)):
        UpgradeRace(server, folder / "dot" / "log", options.seconds, folder / "home", options.previous).run(8)


# The system calls that change a store.
CALLS = ["fsync", "/rename", "pwrite64", "write", "/unlink", "link", "ftruncate", "openat"]


def approves(provider: TokenProvider):
    def on_event(message: dict) -> None:
        if message["method"] == "signInWasRequested":
            try:
                provider.approve(message["params"]["url"])
            except OSError:
                # The process was killed.
                pass

    return on_event


def kill(options, folder: Path) -> None:
    with TokenProvider() as provider:
        home = folder / "home"
        store, other = home / "store", home / "other"
        seed = Client(home, str(store))
        for account in ("a", "b"):
            seed.request("importGrant", account=account, format="json", provider=provider.description, clientId="c",
                         data={"access_token": f"s3cr3t-{account}", "refresh_token": "r", "expires_at": 4102444800})
        other.mkdir(mode=0o700)
        shutil.copy(store / "key", other / "key")
        works = {
            "refresh": ("refresh", {"account": "a", "force": True}),
            "import": ("importGrant", {"account": "b", "format": "json", "replace": True, "provider": provider.description, "clientId": "c",
                                       "data": {"access_token": "s3cr3t-b", "refresh_token": "r"}}),
            "signOut": ("signOut", {"account": "new"}),
            "copy": ("copy", {"from": str(other)}),
            "rekey": ("rekey", {"to": "file"}),
            "sign-in": ("authorize", provider.parameters(account="new", interaction="always")),
            "revoke": ("revoke", {"account": "new"}),
        }
        points = [(name, call) for name in works for call in CALLS]
        # The call of each point at which the next process is killed. After one that makes fewer calls, the count starts again.
        counts = dict.fromkeys(points, 0)
        killed = lost = rounds = 0
        for number in range(options.rounds):
            name, call = points[number % len(points)]
            counts[name, call] += 1
            count = counts[name, call]
            if name == "copy":
                # Its own two stores, whose key no rekey has changed.
                mine = home / f"copy{number}"
                (mine / "from").mkdir(parents=True, mode=0o700)
                source = Client(home, str(mine / "from"))
                for account in ("a", "b"):
                    source.request("importGrant", account=account, format="json", provider=PROVIDER, clientId="c", data={"access_token": "t"})
                source.close()
                (mine / "to").mkdir(mode=0o700)
                shutil.copy(mine / "from" / "key", mine / "to" / "key")
                place, (method, params) = str(mine / "to"), ("copy", {"from": str(mine / "from")})
            else:
                place, (method, params) = str(store), works[name]
            if name in ("signOut", "revoke"):
                seed.request("importGrant", account="new", format="json", replace=True, provider=provider.description, clientId="c",
                             data={"access_token": "t"})
            trace = folder / "trace"
            strace = ["strace", "-f", "-o", str(trace), "-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={count}"]
            was_answered = False
            if name in ("copy", "rekey"):
                Work(method, params, "--store", place, home=home, binary=[*strace, BINARY]).process.communicate(timeout=60)
            else:
                victim = Client(home, place, prefix=strace, events="all", on_event=approves(provider))
                try:
                    victim.request(method, timeout=30, **params)
                    was_answered = True
                except (Ended, Failed):
                    pass
                victim.process.stdin.close()
                try:
                    victim.process.wait(60)
                except subprocess.TimeoutExpired:
                    victim.process.kill()
                victim.process.wait()
                victim.process.stdout.close()
            if "+++ killed by SIGKILL" in trace.read_text(errors="replace"):
                killed += 1
            else:
                counts[name, call] = 0
            survivor = Client(home, place, events="all", on_event=approves(provider))
            try:
                if name == "copy":
                    Work("copy", params, "--store", place, home=home).result()
                if name in ("signOut", "revoke", "sign-in") and was_answered:
                    assert survivor.request("account", account="new")["canAuthorize"] is (name == "sign-in")
                if name == "revoke":
                    survivor.request("signOut", account="new")
                if name == "sign-in":
                    # A killed sign-in leaves nothing behind that the next one waits for.
                    survivor.request("authorize", timeout=30, **params)
                    survivor.request("callAPI", account="new", url="x")
                for account in ("a", "b"):
                    survivor.request("accessToken", account=account)
            except (Failed, Ended, TimeoutError, AssertionError) as error:
                lost += 1
                print(f"    {name}, call {count} of {call}: {error!r}")
            survivor.close()
            if name == "copy":
                shutil.rmtree(mine)
            rounds += 1
        seed.close()
        row("kill: rounds", rounds, options.rounds, at_least=True)
        row("kill: processes that were killed at a system call", killed, rounds / 2, at_least=True)
        row("kill: grants lost, and answers that were not true", lost, 0)


def starvation(options, folder: Path) -> None:
    # A server that answers so many at once.
    subprocess.run(["cc", "-O2", "-pthread", "-o", folder / "files", ROOT / "Tests" / "Benchmarks" / "files.c"], check=True)
    files = subprocess.Popen([folder / "files"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    provider = {**PROVIDER, "apiBase": f"http://127.0.0.1:{files.stdout.readline().strip()}/api/"}
    home = folder / "home"
    first = Client(home, str(home / "store"))
    first.request("importGrant", account="a", format="json", provider=provider, clientId="c", data={"access_token": "t", "expires_at": 4102444800})
    call = {"account": "a", "url": "blob?bytes=100", "timeout": 120}
    clients = [Client(home, str(home / "store")) for _ in range(64)]
    began = time.monotonic()
    wanted = [(client, {client.send("callAPI", call) for _ in range(4)}) for client in clients]
    done = sum(client.succeeded(numbers) for client, numbers in wanted)
    row("starvation: calls of 64 processes that succeeded", done, 256, at_least=True)
    row("starvation: their time", time.monotonic() - began, None, unit="s")
    for client in clients:
        client.close()
    began = time.monotonic()
    done = first.succeeded({first.send("callAPI", call) for _ in range(1000)})
    row("starvation: 1,000 calls in flight that succeeded", done, 1000, at_least=True)
    row("starvation: their time", time.monotonic() - began, None, unit="s")
    # The client never reads: the process stops reading, too, and uses no more memory.
    deaf = Client(home, str(home / "store"))
    os.set_blocking(deaf.process.stdin.fileno(), False)
    text = (json.dumps({"jsonrpc": "2.0", "id": 1, "method": "providers", "params": {}}) + "\n").encode() * 100
    sent, still = 0, 0
    while still < 20 and sent < 1 << 30:
        try:
            written = deaf.process.stdin.write(text)
        except BlockingIOError:
            written = None
        still = still + 1 if not written else 0
        sent += written or 0
        if not written:
            time.sleep(0.1)
    resident = int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{deaf.process.pid}/status").read_text())[1]) / 1024
    row("starvation: memory for a client that never reads", resident, 64, unit="MiB")
    first.request("accessToken", account="a")
    for client in (deaf, first):
        client.close()
    files.stdin.close()
    files.wait()


def clock(options, folder: Path) -> None:
    """A wrong clock may cost refreshes, but no login. faketime moves the clock of one process."""
    with TokenProvider() as provider:
        home = folder / "home"
        lost = runs = 0
        for offset in ("+1d", "-1d", "+365d", "-365d", "+40y", "-40y"):
            account = "x" + re.sub(r"\W", "", offset) + ("past" if offset[0] == "-" else "")
            right = Client(home, str(home / "store"), events="all")
            server = type("Server", (), {"parameters": staticmethod(lambda **more: provider.parameters(**more))})
            number = right.send("authorize", {**server.parameters(account=account), "interaction": "always"})
            while (message := right.message(30)).get("id") != number:
                if message.get("method") == "signInWasRequested":
                    provider.approve(message["params"]["url"])
            for prefix in (faketime(offset), []):
                other = Client(home, str(home / "store"), prefix=prefix)
                for method, params in (("callAPI", {"url": "x"}), ("refresh", {"force": True}), ("callAPI", {"url": "x"})):
                    runs += 1
                    try:
                        other.request(method, account=account, **params)
                    except (Failed, Ended, TimeoutError) as error:
                        lost += 1
                        print(f"    {offset}, {'wrong' if prefix else 'right'} clock, {method}: {error!r}")
                other.close()
            right.close()
        row("clock: requests", runs, None)
        row("clock: requests that failed", lost, 0)


def accounts(options, folder: Path) -> None:
    count = 50 * max(1, min(200, options.rounds * 2 // 5))
    database = Database(folder / "postgresql").start()
    try:
        home = folder / "home"
        for name, store in (("folder", str(home / "data" / "oauth-stdio")), ("PostgreSQL", database.uri)):
            client = Client(home, store)
            began = time.monotonic()
            for start in range(0, count, 50):
                data = {"format": "json", "provider": PROVIDER, "clientId": "c", "data": {"access_token": "t", "refresh_token": "r"}}
                numbers = {client.send("importGrant", {"account": f"x{index}", **data}) for index in range(start, start + 50)}
                assert client.succeeded(numbers) == 50
            row(f"accounts: {count:,} imports, {name}", time.monotonic() - began, None, unit="s")
            client.close()
            for turn in ("first", "second"):
                fresh = Client(home, store)
                began = time.monotonic()
                assert len(fresh.request("accounts")["accounts"]) == count
                row(f"accounts: the {turn} process's listing, {name}", (time.monotonic() - began) * 1000, None, unit="ms")
                began = time.monotonic()
                fresh.request("accounts")
                row(f"accounts: its second listing, {name}", (time.monotonic() - began) * 1000, None, unit="ms")
                began = time.monotonic()
                for index in range(100):
                    fresh.request("accessToken", account=f"x{index * 97 % count}")
                row(f"accounts: accessToken, {name}", (time.monotonic() - began) * 10, None, unit="ms")
                fresh.close()
    finally:
        database.stop("immediate")


class Worker:
    """One process with a small stack, which answers each request with one line."""

    WIDTH = 20
    STACK = 1 << 20

    def __init__(self, home: Path, *arguments):
        own = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "XDG_CONFIG_HOME": str(home / "config"),
               "LANG": "C.UTF-8", "BROWSER": "/bin/true"}
        limit = ["prlimit", f"--stack={self.STACK}:{self.STACK}"]
        self.process = subprocess.Popen([*limit, BINARY, "--events", "none", "--log-level", "error", *arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=own, bufsize=0)
        self.proc = Path(f"/proc/{self.process.pid}")

    def send(self, method: str, params: dict, count: int) -> int:
        """Returns how many of the answers are errors."""
        text = json.dumps({"method": method, "params": params})[1:]
        errors = 0
        for start in range(0, count, self.WIDTH):
            width = min(self.WIDTH, count - start)
            lines = "".join(f'{{"jsonrpc":"2.0","id":{number},{text}\n' for number in range(width)).encode()
            writer = threading.Thread(target=self.process.stdin.write, args=(lines,), daemon=True)
            writer.start()
            answers = []
            while width > 0:
                ready, _, _ = select.select([self.process.stdout], [], [], 120)
                answers.append(os.read(self.process.stdout.fileno(), 1 << 20) if ready else b"")
                if not answers[-1]:
                    raise Ended(f"{method}: no answer, status {self.process.wait(10) if ready else None}")
                width -= answers[-1].count(b"\n")
            writer.join()
            errors += sum(b',"error":{' in line[:60] for line in b"".join(answers).split(b"\n"))
        return errors

    def figures(self) -> tuple[float, float, float, float]:
        """Returns seconds of the processor, MiB of memory, open descriptors, and KiB of the main thread's stack."""
        status = (self.proc / "status").read_text()
        ticks = (self.proc / "stat").read_text().rsplit(")", 1)[1].split()[11:13]
        resident, stack = (int(re.search(rf"{name}:\s+(\d+)", status)[1]) for name in ("VmRSS", "VmStk"))
        return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK"), resident / 1024, len(list((self.proc / "fd").iterdir())), stack


def methods(options, folder: Path) -> None:
    """A cost that grows by request ends an editor's process after days."""
    subprocess.run(["cc", "-O2", "-pthread", "-o", folder / "files", ROOT / "Tests" / "Benchmarks" / "files.c"], check=True)
    files = subprocess.Popen([folder / "files"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    api = f"http://127.0.0.1:{files.stdout.readline().strip()}/api/"
    plain = {name: "http://keycloak:8080/" + name for name in ("authorizationEndpoint", "tokenEndpoint", "userInfoEndpoint")}
    served = {**PROVIDER, "tokenEndpoint": api + "token", "userInfoEndpoint": api + "token", "introspectionEndpoint": api + "token", "apiBase": api}
    home = folder / "home"
    (home / "config" / "oauth-stdio").mkdir(parents=True)
    (home / "config" / "oauth-stdio" / "config.json").write_text(json.dumps(
        {"httpHosts": ["keycloak:8080"], "accounts": {"plain": {"provider": plain, "clientId": "c", "scopes": ["read"]}}}))
    grant = {"format": "json", "provider": served, "clientId": "c", "scopes": ["read"], "replace": True,
             "data": {"access_token": "t", "refresh_token": "r", "scope": "read", "expires_at": 4102444800}}
    many, few = 10_000, 1_000
    # A method, its params, the number of requests, and whether the answers are results.
    kinds = [
        ("initialize", {}, many, False), ("initialized", {}, many, True), ("$/cancelRequest", {"id": "none"}, many, True),
        ("notifications/cancelled", {"requestId": "none"}, many, True), ("rpc.discover", {}, many, True),
        ("authorize", {"account": "plain", "dryRun": True}, many, True), ("authorize", {"account": "a", "interaction": "never"}, many, True),
        ("awaitSignIn", {"id": "none"}, many, False), ("handleRedirect", {"url": "http://127.0.0.1:1/?state=none&code=c"}, many, True),
        ("refresh", {"account": "a"}, many, True), ("refresh", {"account": "a", "force": True}, few, True),
        ("callAPI", {"account": "a", "url": "blob?bytes=100"}, many, True), ("revoke", {"account": "none"}, many, False),
        ("signOut", {"account": "none"}, many, True), ("accessToken", {"account": "a"}, many, True),
        ("authorizeRequest", {"account": "a", "url": "me"}, many, True), ("hostCredential", {"host": "none.example"}, many, False),
        ("account", {"account": "plain"}, many, True), ("accounts", {}, many, True), ("provider", {"provider": plain}, many, True),
        ("providers", {}, many, True), ("importGrant", {"account": "a"}, many, False), ("importGrant", {"account": "b", **grant}, few, True),
        ("exportGrant", {"account": "a"}, many, True), ("addScopes", {"account": "a", "scopes": ["read"]}, many, True),
        ("userInfo", {"account": "a"}, few, True), ("introspect", {"account": "a"}, few, False), ("diagnose", {}, few, True),
        ("shutdown", {}, many, False),
    ]
    setting = Client(home, str(home / "store"))
    listed = {method["name"] for method in setting.request("rpc.discover")["methods"]} - {"exit"}
    setting.request("importGrant", account="a", **grant)
    setting.close()
    row("methods: methods that are not sent", len(listed - {method for method, *_ in kinds}), 0)
    worker = Worker(home, "--store", str(home / "store"), "--allow-export")
    most = {"descriptors": 0.0, "KiB of the stack": 0.0}
    try:
        for method, params, count, succeeds in kinds:
            # The first requests open files and connections, and fill caches.
            worker.send(method, params, count // 10)
            seen, errors = [worker.figures()], 0
            for _ in range(2):
                errors += worker.send(method, params, count // 2)
                seen.append(worker.figures())
            (first, second), growth = ([seen[i + 1][0] - seen[i][0] for i in (0, 1)], [seen[2][i] - seen[1][i] for i in (1, 2, 3)])
            name = " ".join([method, *(key for key in params if key in ("dryRun", "force", "data")), *(["× 1,000"] if count == few else [])])
            row(f"methods: {name}: {'errors' if succeeds else 'results'}", errors if succeeds else count - errors, 0)
            row(f"methods: {name}: processor time, µs a request", second / (count // 2) * 1e6, (1.5 * first + 0.5) / (count // 2) * 1e6)
            row(f"methods: {name}: memory, second half", growth[0], 4, unit="MiB")
            most = {key: max(value, grown) for (key, value), grown in zip(most.items(), growth[1:])}
        for name, value in most.items():
            # libcurl keeps up to 100 connections for some minutes.
            row(f"methods: {name}, most growth in a second half", value, 100)
    except (Ended, OSError) as error:
        print(f"    {error}")
        row("methods: processes that ended", 1, 0)
    finally:
        worker.process.kill()
        worker.process.wait()
        files.stdin.close()
        files.wait()


def main() -> None:
    parts = {part.__name__: part for part in (race, machines, disk, kill, starvation, clock, accounts, methods, upgrade)}
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", help=f"{', '.join(parts)}; all by default")
    parser.add_argument("--seconds", type=float, default=180, help="the duration of race, machines, disk and upgrade, each")
    parser.add_argument("--previous", help="a binary of the previous version")
    parser.add_argument("--rounds", type=int, default=1000, help="the rounds of kill; accounts has 20 accounts a round, at most 10,000")
    options = parser.parse_args()
    for name in options.parts or parts:
        with tempfile.TemporaryDirectory() as folder, ports_for_now():
            parts[name](options, Path(folder))
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()

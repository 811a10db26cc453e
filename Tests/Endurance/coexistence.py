#!/usr/bin/env python3
"""Lets this version and an earlier one share a store for minutes or hours, and counts the logins and the members of grants that are lost.

    Tests/Endurance/coexistence.py --previous BINARY [--seconds N] [--round N]

An editor of the earlier version stays open for the whole time, and so does one of this version. Four more processes, two of each, are killed again
and again. All use the same accounts: they call an API, refresh, sign in and sign out. Tokens live 3 seconds, refresh tokens rotate, and a
second use ends the login. A process is killed only while the store has what the provider has issued, so no login may be lost at all.

After each round, both versions use every account, and each grant is opened. Members that only this version has must stay while the earlier one
only reads. What it drops when it refreshes is printed. Grants that it can't use must stay as they are, byte for byte. It doesn't find the secret of
the configuration in the grants of this version, and may fail for that reason alone.

Runs OAUTH_STDIO, or else the release build. Exits with status 1 if a target is missed.
"""

import argparse
import base64
import json
import random
import secrets
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from collections import Counter
from pathlib import Path

import run
from run import BINARY, Client, Ended, Failed, row

import browser  # noqa: E402
from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: E402
from ports import ports_for_now  # noqa: E402
from provider import Provider, Request, Response  # noqa: E402
from signing_in import redirect  # noqa: E402

LIFETIME = 3
SECRET = "s3cret-of-the-configuration"


def proven_key(request: Request) -> str:
    """Returns the public key of the request's proof (DPoP); empty without a proof."""
    head = request.headers.get("DPoP", "").split(".")[0]
    return json.dumps(json.loads(base64.urlsafe_b64decode(head + "=="))["jwk"], sort_keys=True) if head else ""


class Rotating(Provider):
    """Issues tokens for families. A refresh token that is used twice ends its family. It refuses token requests for as long as `is_closed`."""

    def __init__(self):
        self.lock = threading.Lock()
        self.families: list[dict] = []
        self.by_refresh: dict[str, dict] = {}
        # Access tokens with their ends.
        self.living: dict[str, tuple[float, str]] = {}
        self.is_closed = False
        self.killed_at = 0.0
        self.counts: Counter = Counter()
        super().__init__(self.respond)

    def approve(self, url: str) -> None:
        browser.deliver(redirect(url, code=secrets.token_urlsafe(16)))

    def respond(self, request: Request) -> Response:
        # An hour's requests are too many to keep.
        del self.requests[:-50], self.answered[:-50]
        if request.path == "/token":
            with self.lock:
                if self.is_closed:
                    return Response.of({"error": "temporarily_unavailable"}, 503)
                return self.token(request, dict(urllib.parse.parse_qsl(request.body.decode())))
        if request.path.startswith("/api/"):
            return self.call(request)
        return Response(404)

    def token(self, request: Request, form: dict) -> Response:
        kind = form.get("grant_type", "").split(":")[-1]
        client, secret = form.get("client_id"), form.get("client_secret")
        if basic := request.headers.get("Authorization"):
            client, secret = map(urllib.parse.unquote_plus, base64.b64decode(basic.removeprefix("Basic ")).decode().split(":", 1))
        if client in ("configured", "service") and secret != SECRET or client == "keyed" and "client_assertion" not in form:
            self.counts[f"requests of {client} without its secret or key"] += 1
            return Response.of({"error": "invalid_client"}, 401)
        key = proven_key(request)
        answer = {"token_type": "DPoP" if key else "Bearer", "expires_in": LIFETIME, "scope": "read"}
        access = answer["access_token"] = secrets.token_urlsafe(16)
        if kind in ("authorization_code", "refresh_token"):
            family = {"isDead": False} if kind == "authorization_code" else self.by_refresh.get(form["refresh_token"], {"isDead": True})
            if kind == "refresh_token" and not family["isDead"] and family["refresh"] != form["refresh_token"]:
                family["isDead"] = True
                self.counts["refresh tokens that were used twice"] += 1
                age, killed = (time.monotonic() - moment for moment in (family["at"], self.killed_at))
                agent = request.headers.get("User-Agent")
                print(f"    {agent} used a token of {client} again, {age:.2f} s after {family['by']}, {killed:.2f} s after a kill", flush=True)
            if family.setdefault("key", key) != key:
                self.counts["requests with another key than the login's"] += 1
                return Response.of({"error": "invalid_dpop_proof"}, 400)
            if family["isDead"]:
                return Response.of({"error": "invalid_grant"}, 400)
            family["refresh"] = answer["refresh_token"] = secrets.token_urlsafe(16)
            family["at"], family["by"] = time.monotonic(), request.headers.get("User-Agent")
            self.by_refresh[family["refresh"]] = family
        elif kind in ("jwt-bearer", "token-exchange"):
            if not (form.get("assertion") or form.get("subject_token")):
                return Response.of({"error": "invalid_request"}, 400)
            answer["issued_token_type"] = "urn:ietf:params:oauth:token-type:access_token"
        self.counts[kind] += 1
        self.living[access] = time.monotonic() + LIFETIME + 2, key
        return Response.of(answer)

    def is_idle(self) -> bool:
        """Whether the server has read all that was sent to it, also by processes that have ended."""
        rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        return all(row[4].endswith(":00000000") for row in rows if row[1].endswith(f":{self.port:04X}"))

    def call(self, request: Request) -> Response:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        end, key = self.living.get(token, (0, ""))
        if end < time.monotonic() or key != proven_key(request) or (scheme == "DPoP") != bool(key):
            return Response.of({"error": "invalid_token"}, 401, **{"WWW-Authenticate": f'{scheme} error="invalid_token"'})
        if request.path == "/api/more":
            return Response.of({}, 403, **{"WWW-Authenticate": 'Bearer error="insufficient_scope", scope="send"'})
        if request.path == "/api/doubt":
            return Response.of({}, 401)
        return Response.of({"path": request.path})


class Store:
    """Opens the grants of a folder."""

    def __init__(self, folder: Path):
        self.folder = folder

    def file(self, account: str) -> bytes:
        try:
            return (self.folder / f"{account}.grant").read_bytes()
        except OSError:
            return b""

    def grant(self, account: str) -> dict:
        """Returns the members; none if there is no grant."""
        file = self.file(account)
        if not file:
            return {}
        clear = b"\n".join(file.split(b"\n", 2)[:2]) + b"\n"
        sealed = file[len(clear) :]
        return json.loads(AESGCM((self.folder / "key").read_bytes()).decrypt(sealed[:12], sealed[12:], clear))


class Coexistence:
    def __init__(self, provider: Rotating, previous: str, home: Path):
        self.provider, self.previous, self.home = provider, previous, home
        self.store = Store(home / "store")
        self.counts: Counter = Counter()
        self.kinds: Counter = Counter()
        self.dropped: dict[str, set[str]] = {}
        self.said: dict[str, str] = {}
        self.clients: dict[int, Client] = {}
        # The accounts that a process is signing in or out, by its index. A refusal that comes meanwhile says nothing.
        self.changing: dict[int, str] = {}
        self.changes: Counter = Counter()
        self.lock = threading.Lock()
        self.configure()

    def configure(self) -> None:
        """Names the accounts. Those of flows that this version doesn't have are left out."""
        described = self.provider.description
        later = {**described, "scopeCase": "ignore", "scopePrefix": "x.", "expired": {"certain": True}, "pkce": "S256-hex"}
        self.requests = {
            "plain": {"provider": described, "clientId": "plain"},
            "earlier": {"provider": described, "clientId": "earlier"},
            "later": {"provider": later, "clientId": "later"},
            "marked": {"provider": described, "clientId": "marked"},
            "preset": {"provider": "improved", "clientId": "preset"},
            "configured": {},
        }
        self.users = list(self.requests)
        # Providers of these names have more members in this version, as some presets have.
        assured = {**described, "clientAuthentication": "privateKeyJwt", "issuer": self.provider.url}
        for is_new, descriptions in ((True, {"improved": later, "assured": assured}), (False, {"improved": described, "assured": described})):
            folder = self.folder(is_new) / "oauth-stdio" / "providers"
            folder.mkdir(parents=True)
            for name, description in descriptions.items():
                (folder / f"{name}.json").write_text(json.dumps(description))
        configured = {
            "configured": {"provider": described, "clientId": "configured", "clientSecret": SECRET},
            "service": {"provider": described, "clientId": "service", "clientSecret": SECRET, "flow": "clientCredentials"},
        }
        new = {
            "proved": {"provider": described, "clientId": "proved", "dpop": True},
            "keyed": {"provider": assured, "clientId": "keyed", "privateKey": {"file": str(self.home / "key.pem")}},
            "named": {"provider": "assured", "clientId": "keyed", "privateKey": {"file": str(self.home / "key.pem")}},
            "bearer": {"provider": described, "clientId": "bearer", "flow": "jwtBearer", "subjectToken": {"file": str(self.home / "assertion")}},
            "exchange": {"provider": described, "clientId": "exchange", "flow": "tokenExchange",
                         "subjectToken": {"file": str(self.home / "assertion")}, "subjectTokenType": "urn:ietf:params:oauth:token-type:jwt"},
        }
        subprocess.run(["openssl", "genpkey", "-quiet", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", self.home / "key.pem"], check=True)
        (self.home / "assertion").write_text("an-assertion")
        (self.home / "assertion").chmod(0o600)
        schema = json.loads(subprocess.run([BINARY, "--schema=config"], capture_output=True, check=True, text=True).stdout)["definitions"]
        members, flows = set(schema["ConfiguredAccount"]["properties"]), set(schema["Flow"]["enum"])
        ways = set(schema["ClientAuthentication"]["enum"])
        for name, entry in new.items():
            if set(entry) <= members and entry.get("flow", "auto") in flows and ("privateKey" not in entry or "privateKeyJwt" in ways):
                configured[name] = entry
                if "flow" not in entry:
                    self.requests[name] = {}
        # Only this version uses these. The earlier one meets them, too.
        self.new = ["later", *(name for name in new if name in configured)]
        self.services = [name for name, entry in configured.items() if "flow" in entry]
        self.configuration = self.home / "config.json"
        self.configuration.write_text(json.dumps({"accounts": configured}))
        self.configuration.chmod(0o600)

    def accounts(self, is_new: bool) -> list[str]:
        """Returns the accounts that this version, or the earlier one, can use."""
        return [name for name in [*self.users, *self.new[1:], "service"] if is_new or name not in self.new]

    def folder(self, is_new: bool) -> Path:
        """The version's folder of configurations."""
        return self.home / ("config" if is_new else "earlier")

    def start(self, is_new: bool) -> Client:
        return Client(
            self.home, str(self.home / "store"), "--config", str(self.configuration), events="all", on_event=self.noticed,
            environment={"XDG_CONFIG_HOME": str(self.folder(is_new))}, binary=BINARY if is_new else self.previous)

    def noticed(self, message: dict) -> None:
        if message["method"] == "signInWasRequested":
            threading.Thread(target=self.visit, args=(message["params"]["url"],), daemon=True).start()

    def visit(self, url: str) -> None:
        try:
            self.provider.approve(url)
        except OSError:
            # The process was killed.
            pass

    def sign_in(self, client: Client, account: str) -> None:
        if account in self.services:
            client.request("authorize", account=account)
            return
        parameters = {"account": account, "scopes": ["read"], "openBrowser": False, "interaction": "always", **self.requests[account]}
        # The provider may be closed for a moment.
        for attempt in range(20):
            try:
                client.request("authorize", **parameters)
                return
            except Failed as error:
                if error.kind == "signInRequired" or attempt == 19:
                    raise
                time.sleep(0.5)

    def change(self, client: Client, index: int, account: str, method: str | None = None) -> None:
        """Signs in, after another method. If the process is killed meanwhile, its successor goes on."""
        with self.lock:
            if account in self.changing.values() and self.changing.get(index) != account:
                return
            self.changing[index] = account
            self.changes[account] += 1
        if method:
            client.request(method, account=account)
        self.sign_in(client, account)
        self.counts["sign-ins"] += 1
        del self.changing[index]

    def act(self, client: Client, index: int) -> None:
        is_new = index % 2 == 1
        account = random.choice(self.accounts(True))
        choice = random.random()
        if choice < 0.06 and account in self.requests and account in self.accounts(is_new):
            return self.change(client, index, account, "signOut" if choice < 0.02 else None)
        count = self.changes[account]
        method, params = random.choices(
            [("callAPI", {"url": "x"}), ("accessToken", {}), ("refresh", {"force": True}), ("account", {})], [70, 10, 10, 10])[0]
        if account == "proved" and method == "accessToken":
            # There is no bare token.
            return
        try:
            client.request(method, account=account, **params)
            self.counts["calls of this version" if is_new else "calls of the earlier version"] += 1
        except Failed as error:
            if error.kind != "signInRequired":
                self.kinds[f"{account}: {str(error)[:90]}"] += 1
            elif self.is_lost(client, account, count):
                print(f"    {'this version' if is_new else 'the earlier version'}, {account}, {method}: {error}")
                self.counts["logins lost"] += 1
                self.change(client, index, account)

    def is_lost(self, client: Client, account: str, count: int) -> bool:
        """Asks once more. A login that a process has replaced or removed meanwhile is not lost."""
        try:
            client.request("callAPI", account=account, url="x")
            return False
        except Failed as error:
            return error.kind == "signInRequired" and self.changes[account] == count and account not in self.changing.values()

    def work(self, index: int, end: float) -> None:
        """Runs one process after the other, of one version."""
        while time.monotonic() < end:
            client = self.clients.get(index)
            if client is None or client.process.poll() is not None:
                client = self.clients[index] = self.start(index % 2 == 1)
            try:
                if index in self.changing:
                    self.change(client, index, self.changing[index])
                while time.monotonic() < end:
                    self.act(client, index)
                    time.sleep(random.random() * 0.4)
            except Ended:
                client.close()
                self.clients[index] = None
            except TimeoutError:
                self.counts["requests without an answer"] += 1
                client.close()
                self.clients[index] = None

    def finish(self) -> None:
        """Signs in where a process was killed last."""
        for index, account in list(self.changing.items()):
            self.change(self.clients[1], index, account)

    def settle(self) -> bool:
        """Waits until the store has the refresh tokens that the provider issued last. The provider must be closed."""
        for _ in range(400):
            tokens = [self.store.grant(account).get("refreshToken") for account in self.requests]
            if all(token is None or self.provider.by_refresh[token].get("refresh") == token for token in tokens) and not self.in_flight():
                return True
            time.sleep(0.05)
        return False

    def in_flight(self) -> bool:
        """Whether a process writes, as after a sign-in that replaces a grant."""
        stamps = {file: file.stat().st_mtime_ns for file in self.store.folder.glob("*.grant")}
        time.sleep(0.7)
        return stamps != {file: file.stat().st_mtime_ns for file in self.store.folder.glob("*.grant")}

    def kill(self, end: float) -> None:
        while time.monotonic() < end - 3:
            time.sleep(random.uniform(1, 4))
            with self.provider.lock:
                self.provider.is_closed = True
            if self.settle():
                living = [client for index, client in self.clients.items() if index > 1 and client and client.process.poll() is None]
                for victim in random.sample(living, min(len(living), 2)):
                    victim.process.kill()
                    victim.process.wait()
                    self.provider.killed_at = time.monotonic()
                    self.counts["processes killed"] += 1
                # What a killed process has just sent would otherwise take a token that no process receives.
                for _ in range(3):
                    time.sleep(0.2)
                    while not self.provider.is_idle():
                        time.sleep(0.05)
            else:
                self.counts["times at which a token was not stored"] += 1
            self.provider.is_closed = False

    def check(self) -> None:
        """Uses each account with both versions, one after the other, and compares the grants before and after."""
        earlier, new = self.clients[0], self.clients[1]
        for _ in range(2):
            for client, is_new in ((earlier, False), (new, True)):
                for account in self.accounts(is_new):
                    self.must("accounts that do not work", account, client, "callAPI", url="x")
        self.provider_is_right()
        # Members that only this version has. A call of the earlier one neither refreshes nor drops them.
        self.must("accounts that do not work", "marked", new, "refresh", force=True)
        for url in ("more", "doubt"):
            number = new.send("callAPI", {"account": "marked", "url": url, "stepUp": url == "more"})
            try:
                new.answer(number)
            except Failed:
                pass
        for account in [name for name in self.users if name not in self.new]:
            before = self.store.grant(account)
            for method, params in (("account", {}), ("callAPI", {"url": "x"})):
                self.must("accounts that do not work", account, earlier, method, **params)
            after = self.store.grant(account)
            if before.get("accessToken") == after.get("accessToken"):
                lost = set(before) - set(after)
                self.counts["members lost without a refresh"] += len(lost)
                if lost:
                    print(f"    {account}: the earlier version dropped {sorted(lost)} without a refresh")
            if account != "marked":
                # A refresh would end the doubt.
                self.must("accounts that do not work", account, new, "refresh", force=True)
            before = self.store.grant(account)
            self.must("accounts that do not work", account, earlier, "refresh", force=True)
            after = self.store.grant(account)
            if before.get("refreshToken") != after.get("refreshToken"):
                self.dropped.setdefault(account, set()).update(set(before) - set(after))
            self.must("accounts that do not work", account, new, "callAPI", url="x")
        # This version takes them from its own description again.
        self.must("accounts that do not work", "preset", new, "refresh", force=True)
        if self.store.grant("preset").get("providerExtras", {}).get("scopePrefix") != "x.":
            self.counts["descriptions that stay poorer"] += 1
        self.leave_alone(earlier, new)

    def must(self, name: str, account: str, client: Client, method: str, **params) -> None:
        for _ in range(20):
            try:
                return client.request(method, account=account, **params)
            except (Failed, Ended, TimeoutError) as failure:
                error = failure
            # The provider was closed a moment ago, and the process waits before it asks again.
            if "temporarily_unavailable" not in str(error):
                break
            time.sleep(0.5)
        else:
            error = TimeoutError("the provider has been open for ten seconds")
        if client is self.clients[0] and account in ("configured", "service") and "invalid_client" in str(error):
            self.counts["requests of the earlier version without the configured secret"] += 1
            return
        self.counts[name] += 1
        print(f"    {'the earlier version' if client is self.clients[0] else 'this version'}, {account}, {method}: {error}")

    def provider_is_right(self) -> None:
        for account in self.requests:
            token = self.store.grant(account).get("refreshToken")
            if token is None or self.provider.by_refresh[token].get("refresh") != token or self.provider.by_refresh[token]["isDead"]:
                self.counts["accounts that do not work"] += 1
                print(f"    {account}: the store has no living refresh token")

    def leave_alone(self, earlier: Client, new: Client) -> None:
        """The earlier version changes no grant that it can't use, and says why."""
        for account in self.new:
            before = self.store.file(account)
            methods = [("account", {}), ("callAPI", {"url": "x"}), ("refresh", {"force": True})]
            # A user may sign out where the format is known.
            if not before.startswith(b"oauth-stdio grant 1 "):
                methods += [("signOut", {}), ("revoke", {})]
            for method, params in methods:
                try:
                    earlier.request(method, account=account, **params)
                    said = "done"
                except Failed as error:
                    said = str(error)
                self.said[f"{account}, {method}"] = said.replace(str(self.home), "…")[:150]
                if self.store.file(account) != before:
                    self.counts["grants that it can't use and changed"] += 1
                    before = self.store.file(account)
            self.must("accounts that do not work", account, new, "callAPI", url="x")

    def run(self, seconds: float, round_seconds: float) -> None:
        self.clients = {0: self.start(False), 1: self.start(True)}
        for account in [*self.requests, *self.services]:
            self.sign_in(self.clients[0 if account == "earlier" else 1], account)
        finish = time.monotonic() + seconds
        rounds = 0
        while time.monotonic() < finish:
            end = min(finish, time.monotonic() + round_seconds)
            threads = [threading.Thread(target=self.work, args=(index, end)) for index in range(6)]
            threads.append(threading.Thread(target=self.kill, args=(end,)))
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.finish()
            self.check()
            rounds += 1
            print(f"    round {rounds}: {dict(self.counts)}", flush=True)
        self.report(rounds)

    def report(self, rounds: int) -> None:
        row("coexistence: rounds", rounds)
        for name in ("calls of this version", "calls of the earlier version", "sign-ins", "processes killed"):
            row(f"coexistence: {name}", self.counts[name], 1, at_least=True)
        for name in ("logins lost", "accounts that do not work", "members lost without a refresh", "descriptions that stay poorer",
                     "grants that it can't use and changed", "requests without an answer", "times at which a token was not stored"):
            row(f"coexistence: {name}", self.counts[name], 0)
        for name in ("refresh tokens that were used twice", "requests with another key than the login's"):
            row(f"coexistence: {name}", self.provider.counts.pop(name, 0), 0)
        row("coexistence: files set aside", len(list(self.store.folder.glob("*unreadable*"))), 0)
        row("coexistence: an editor that stayed open has ended", sum(self.clients[index].process.poll() is not None for index in (0, 1)), 0)
        for account, members in sorted(self.dropped.items()):
            print(f"    a refresh by the earlier version drops of {account}: {', '.join(sorted(members)) or 'nothing'}")
        for what, said in self.said.items():
            print(f"    the earlier version, {what}: {said}")
        for text, times in self.provider.counts.most_common():
            print(f"    {times} × {text}")
        for text, times in self.kinds.most_common(20):
            print(f"    {times} × {text}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--previous", required=True, help="a binary of the earlier version")
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--round", type=float, default=20, help="the seconds after which all accounts are checked")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ports_for_now(), Rotating() as provider:
        coexistence = Coexistence(provider, options.previous, Path(folder) / "home")
        try:
            coexistence.run(options.seconds, options.round)
        finally:
            for client in coexistence.clients.values():
                if client:
                    client.close()
    sys.exit(1 if run.missed else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Compares the speed of oauth-stdio with programs that do the minimum for the same work, in one run: A B A B, medians.

start        from spawning the process to its first answer, relative to a C program with jansson and the same answer (server.c)
memory       resident MiB after that answer, and those of them that the process has for itself: the others are pages of the program's file, of which the
             system maps more or fewer around each one that is used
sequence     requests a second, one after the other, relative to the C program; `account` of a stored account and of an unknown one
in flight    the same with 64 requests in flight
callAPI      a JSON body of 1 MB in the answer, relative to `curl URL` in the same run: a script pays for curl's start and 1 MB through a pipe;
             and, without a target, relative to the minimum: libcurl's own time on a kept connection + 1 MB through a pipe
process      spawn, `accessToken` of a stored account, its answer, end of input and exit, relative to a C program with the same answer
token        the same as process, relative to Debian's `oidc-token` with a running oidc-agent; and, without targets, the command `token ACCOUNT`
             relative to `oidc-token`, and to programs in Go and Python that read the token from a file of JSON
durable      what a refresh takes longer with a store on the disk than with one in memory, relative to the same difference of a C program with libcurl,
             which makes the same system calls; and, without targets, the whole refresh relative to that program, and relative to the program's own
             call that posts the same form
https        warm `callAPI` against nginx, with HTTP/1.1 and HTTP/2: one after the other relative to libcurl's easy interface, and 64 in flight
             relative to a multi loop in C, and 256 and 1,000 in flight relative to 64; with events, 20 accounts and an access token of 800 bytes, as users have them (`--token-bytes N`)
peers        the call of https over HTTP/1.1, with a body of 900 bytes, relative to the same call by golang/oauth2, Node's fetch, requests-oauthlib and httpx; and the processor
             time of a call, with that of the client in C on our pipe, and with the start of each
counts       what one call of https over HTTP/1.1 takes, as the difference of 661 and 111 calls: instructions (callgrind), allocations (memcheck), system
             calls (strace) and context switches; and the instructions of the command `token`. These hold on a machine that is busy, too
signing      OAuth 1.0a: HMAC-SHA1 signatures a second of processor time (Twitter's own example), relative to oauthlib
saveTo       1 GB into a file on the disk, relative to `curl -o`, both as whole processes: the median ratio of pairs in alternating order, each run
             after a sync; and the highest resident MiB of oauth-stdio

Ratios are only meaningful on a machine that is otherwise idle. A missed target is reported, but is no failure.
`OAUTH_STDIO` and `DEMO_PROVIDER` name other binaries. Arguments choose rows by their prefix. `--rounds N` scales the work (default 1.0).
"""

import argparse
import base64
import hashlib
import http.client
import json
import os
import re
import resource
import shutil
import socket
import statistics
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
RELEASE = HERE.parents[1] / ".build" / "release"
BINARY = os.environ.get("OAUTH_STDIO") or str(RELEASE / "oauth-stdio")
DEMO = os.environ.get("DEMO_PROVIDER") or str(HERE.parents[1] / "examples" / "demo-provider")
GIGABYTE = 1_000_000_000
SIGNING = os.environ.get("SIGNING") or str(RELEASE / "signing")
# The tests' Python, which has oauthlib.
PYTHON = os.environ.get("PYTHON") or str(HERE.parents[1] / ".build-tests" / "venv" / "bin" / "python")
# Another one, with the libraries of the row peers.
PEERS = os.environ.get("PEERS") or str(HERE.parents[1] / ".build-peers" / "bin" / "python")
OAUTHLIB = """
import sys, time
from oauthlib.oauth1 import Client
count = int(sys.argv[1])
began = time.process_time_ns()
for _ in range(count):
    client = Client(
        "xvz1evFS4wEEPTGEFPHBog", "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw", "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb",
        "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE", nonce="kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", timestamp="1318622958")
    client.sign(
        "https://api.twitter.com/1.1/statuses/update.json?include_entities=true", "POST",
        "status=Hello%20Ladies%20%2b%20Gentlemen%2c%20a%20signed%20OAuth%20request%21", {"Content-Type": "application/x-www-form-urlencoded"})
print(time.process_time_ns() - began)
"""


def request(method: str, /, **params) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": 0, "method": method, "params": params}, separators=(",", ":")).replace('"id":0', '"id":%ld')


class Bench:
    def __init__(self, folder: Path, scale: float, tokenBytes: int):
        self.folder = folder
        self.scale = scale
        self.accessToken = "t" * tokenBytes
        self.rows: list[tuple] = []
        for name in ("server", "driver", "files"):
            subprocess.run(["cc", "-O2", "-o", folder / name, HERE / f"{name}.c", "-ljansson", "-pthread"], check=True)
        # By the file's name, because the plain name requires libcurl's development package.
        subprocess.run(["cc", "-O2", "-o", folder / "https", HERE / "https.c", "-l:libcurl.so.4"], check=True)
        # A copy, as installing makes one. The system maps a file that the linker wrote in smaller parts, and such a process starts 0.5 ms later.
        program = shutil.copy(BINARY, folder / "oauth-stdio")
        self.ours = [str(program), "--store", str(folder / "store"), "--events", "none"]
        # As users have it: with events and many accounts.
        self.usual = [str(program), "--store", str(folder / "usual")]
        # The environment excludes the caller's desktop, proxies and configuration.
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "BROWSER": "/bin/true"}

    def count(self, number: int) -> int:
        return max(2, int(number * self.scale))

    def driver(self, *arguments) -> list[list[int]]:
        command = [str(self.folder / "driver"), *map(str, arguments)]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=self.environment).stdout
        return [[int(word) for word in line.split()] for line in output.splitlines()]

    def theirs(self, *arguments) -> list[str]:
        return [str(self.folder / "server"), *map(str, arguments)]

    def row(self, name: str, measured: str, value: float, target: float | None, unit: str = "×", atLeast: bool = False) -> None:
        line = f"{name:<34} {measured:<40} {value:6.2f} {unit:<3}"
        if target is not None:
            isMet = value >= target if atLeast else value <= target
            line += f"  {'≥' if atLeast else '≤'} {target:g} {unit:<3}  {'met' if isMet else 'missed'}"
        print(line, flush=True)

    def serve(self, command: list[str]) -> tuple[subprocess.Popen, str]:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return process, process.stdout.readline().strip()

    def sign_in(self, origin: str, port: str) -> None:
        """Stores a grant of the demo provider, with the fast server as the account's API."""
        provider = {
            "authorizationEndpoint": origin + "/authorize",
            "tokenEndpoint": origin + "/token",
            "apiBase": f"http://127.0.0.1:{port}/api/",
            "apiHosts": ["127.0.0.1", "localhost"],
        }
        process = subprocess.Popen(
            self.ours, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env=self.environment)

        def ask(method: str, **params) -> dict:
            process.stdin.write(request(method, **params) % 1 + "\n")
            answer = json.loads(process.stdout.readline())
            if "error" in answer:
                raise SystemExit(f"{method}: {answer['error']}")
            return answer["result"]

        pending = ask("authorize", account="known", provider=provider, clientId="demo", scopes=["read"], openBrowser=False, wait=False)
        urllib.request.urlopen(pending["signIn"]["url"] + "&demo_auto=allow").read()
        ask("awaitSignIn", id=pending["signIn"]["id"])
        process.stdin.close()
        process.wait()

    # Rows

    def start(self) -> None:
        ask = request("account", account="unknown")
        self.driver("start", 5, ask, "--", *self.ours, "--", *self.theirs("unknown"))
        pairs = self.driver("start", self.count(300), ask, "--", *self.ours, "--", *self.theirs("unknown"))
        ours, memory, own, theirs, _, _ = (statistics.median(column) for column in zip(*pairs))
        self.row("start", f"{ours / 1e6:.2f} ms / {theirs / 1e6:.2f} ms", ours / theirs, None)
        self.row("memory", "", memory / 1024, None, "MiB")
        self.row("memory, its own", "", own / 1024, 1.5, "MiB")

    def rate(self, window: int, account: str) -> None:
        count = self.count(20_000 if window == 1 else 60_000)
        ask = request("account", account=account)
        ours, theirs = [], []
        for _ in range(7):
            ours.append(self.driver("rate", count, window, ask, "--", *self.ours)[0][0])
            theirs.append(self.driver("rate", count, window, ask, "--", *self.theirs(account))[0][0])
        a, b = (count / statistics.median(times) * 1e9 for times in (ours, theirs))
        name = f"{'sequence' if window == 1 else 'in flight'}, {account}"
        self.row(name, f"{a:,.0f}/s / {b:,.0f}/s", a / b, 0.6 if window == 1 else 0.8, atLeast=True)

    def call(self, port: str, spelling: str) -> None:
        url = f"http://127.0.0.1:{port}/api/big"
        size = len(urllib.request.urlopen(url).read())
        ask = request("callAPI", account="known", url="big", **{"as": spelling})
        rounds = self.count(40)
        ours, program, fetch, pipe = [], [], [], []
        for _ in range(7):
            # The first request of each opens its connection and warms its memory, so it is not counted.
            ours += self.driver("each", rounds, ask, "--", *self.ours)[0][1:-1]
            program += self.driver("run", rounds, "", "--", shutil.which("curl"), "-q", "-s", url)[0][1:]
            output = subprocess.run(
                ["curl", "-q", "-s", "-w", "%{stderr}%{time_total}\\n", *[url, "-o", "/dev/null"] * rounds], check=True, stderr=subprocess.PIPE,
                env=self.environment).stderr
            fetch += [float(line) * 1e9 for line in output.split()][1:]
            pipe += self.driver("each", rounds, "%ld", "--", *self.theirs("bytes", size))[0][1:-1]
        a, b, c, d = (statistics.median(times) for times in (ours, program, fetch, pipe))
        self.row(f"callAPI, as {spelling}", f"{a / 1e6:.2f} ms / {b / 1e6:.2f} ms", a / b, 1.5)
        self.row(f"callAPI, as {spelling}, over the least", f"{a / 1e6:.2f} ms / ({c / 1e6:.2f} + {d / 1e6:.2f}) ms", a / (c + d), None)

    def save(self, port: str) -> None:
        url = f"http://127.0.0.1:{port}/api/blob?bytes={GIGABYTE}"
        target = self.folder / "saved"
        ask = request("callAPI", account="known", url=f"blob?bytes={GIGABYTE}", saveTo=str(target), timeout=600, maxBytes=2 * GIGABYTE)
        ours, theirs, highest = [], [], []

        def timed(times: list[float], work) -> None:
            # Earlier writes must not count in the measurement.
            os.sync()
            began = time.monotonic()
            work()
            times.append(time.monotonic() - began)
            assert target.stat().st_size == GIGABYTE
            target.unlink()

        def our_way() -> None:
            highest.append(self.driver("each", 1, ask, "--", *self.ours)[0][-1])

        def curls_way() -> None:
            subprocess.run(["curl", "-q", "-s", "-o", target, url], check=True, env=self.environment)

        for pair in range(max(3, self.count(7))):
            runs = [(ours, our_way), (theirs, curls_way)]
            for run in runs if pair % 2 == 0 else reversed(runs): timed(*run)
        ratio = statistics.median(a / b for a, b in zip(ours, theirs))
        self.row("saveTo, 1 GB", f"{statistics.median(ours):.2f} s / {statistics.median(theirs):.2f} s", ratio, 1.1)
        self.row("saveTo, highest resident", "", max(highest) / 1024, 25, "MiB")

    def process(self) -> None:
        ask = request("accessToken", account="known")
        ours, theirs = [], []
        theirs_command = [str(self.folder / "https"), "token"]
        for _ in range(7):
            count = self.count(60)
            ours += self.driver("whole", count, ask, "--", *self.ours)[0]
            theirs += self.driver("whole", count, ask, "--", *theirs_command)[0]
        a, b = statistics.median(ours), statistics.median(theirs)
        self.row("process, accessToken", f"{a / 1e6:.2f} ms / {b / 1e6:.2f} ms", a / b, 2.8)

    def token(self, origin: str) -> None:
        self.sign_in_to_agent(origin)
        ask = request("accessToken", account="known")
        ours, theirs = [], []
        for _ in range(7):
            count = self.count(60)
            ours += self.driver("whole", count, ask, "--", *self.ours)[0]
            theirs += self.driver("run", count, "", "--", shutil.which("oidc-token"), "bench")[0]
        a, b = statistics.median(ours), statistics.median(theirs)
        self.row("token, of oidc-token", f"{a / 1e6:.2f} ms / {b / 1e6:.2f} ms", a / b, 2.7)
        file = self.folder / "token.json"
        file.write_text(json.dumps({"access_token": "t" * 40, "expires_at": 1795231455}))
        commands = {
            "the command": [*self.ours, "token", "known"], "oidc-token": [shutil.which("oidc-token"), "bench"],
            "Python": ["/usr/bin/python3", "-c", "import json, sys; print(json.load(open(sys.argv[1]))['access_token'])", str(file)]}
        if go := shutil.which("go"):
            program = self.folder / "token-go"
            subprocess.run([go, "build", "-o", program, HERE / "token.go"], check=True, env={**os.environ, "GOTOOLCHAIN": "local"})
            commands["Go"] = [str(program), str(file)]
        times: dict[str, list] = {name: [] for name in commands}
        for _ in range(7):
            for name, command in commands.items():
                times[name] += self.driver("run", self.count(60), "", "--", *command)[0]
        medians = {name: statistics.median(taken) / 1e6 for name, taken in times.items()}
        ours = medians.pop("the command")
        for name, other in medians.items():
            self.row(f"token ACCOUNT, of {name}", f"{ours:.2f} ms / {other:.2f} ms", ours / other, None)
        subprocess.run(["oidc-agent", "--kill"], check=True, env=self.environment, stdout=subprocess.DEVNULL)

    def sign_in_to_agent(self, origin: str) -> None:
        """Starts an oidc-agent, and gives it an account of the demo provider."""
        self.environment["OIDC_CONFIG_DIR"] = str(self.folder)
        variables = subprocess.run(["oidc-agent", "--json"], check=True, env=self.environment, stdout=subprocess.PIPE).stdout
        found = json.loads(variables)
        self.environment |= {"OIDC_SOCK": found["socket"], "OIDCD_PID": str(found["dpid"])}
        verifier, redirect = "v" * 50, "http://localhost:8080"
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        query = urllib.parse.urlencode({
            "response_type": "code", "client_id": "demo", "redirect_uri": redirect, "scope": "read offline_access", "state": "s",
            "code_challenge": challenge, "code_challenge_method": "S256", "demo_auto": "allow"})
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(origin).netloc)
        connection.request("GET", f"/authorize?{query}")
        response = connection.getresponse()
        response.read()
        code = urllib.parse.parse_qs(urllib.parse.urlsplit(response.headers["Location"]).query)["code"][0]
        form = urllib.parse.urlencode({
            "grant_type": "authorization_code", "code": code, "redirect_uri": redirect, "client_id": "demo", "code_verifier": verifier}).encode()
        refresh_token = json.load(urllib.request.urlopen(origin + "/token", form))["refresh_token"]
        subprocess.run(
            ["oidc-gen", "bench", "--manual", f"--issuer={origin}", "--client-id=demo", "--client-secret=", f"--redirect-uri={redirect}",
             "--scope=read", "--flow=refresh", f"--refresh-token={refresh_token}", "--pw-cmd=echo secret", "--prompt=none", "--confirm-yes"],
            check=True, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def durable(self, port: str) -> None:
        url = f"http://127.0.0.1:{port}/api/token"
        provider = {"authorizationEndpoint": url, "tokenEndpoint": url, "apiBase": f"http://127.0.0.1:{port}/api/"}
        data = {"access_token": "a", "refresh_token": "0"}
        kept = request("importGrant", account="kept", replace=True, format="json", provider=provider, clientId="c", data=data)
        memory = [*self.ours, "--store", "memory"]
        form = {"grant_type": "refresh_token", "refresh_token": "0", "client_id": "c"}
        refresh = request("refresh", account="kept", force=True)
        post = request("callAPI", account="kept", url="token", method="POST", body={"form": form})
        program = [str(self.folder / "https"), "post", url]
        runs = [
            ([refresh, kept], self.ours), ([refresh, kept], memory), (["%ld"], [*program, str(self.folder)]), (["%ld"], program), ([post, kept], memory)]
        times = [[] for _ in runs]
        # Many short turns, because the disk is slower for seconds at a time.
        for _ in range(30):
            for (ask, command), taken in zip(runs, times):
                # The first request opens the connection, so it is not counted.
                taken += self.driver("each", self.count(30), *ask, "--", *command)[0][1:-1]
        a, b, c, d, e = (statistics.median(taken) / 1e6 for taken in times)
        self.row("durable write of a refresh", f"({a:.2f} - {b:.2f}) ms / ({c:.2f} - {d:.2f}) ms", (a - b) / (c - d), 1.3)
        self.row("durable write, whole refresh", f"{a:.2f} ms / {c:.2f} ms", a / c, None)
        self.row("durable write, of a call", f"({a:.2f} - {e:.2f}) ms / ({c:.2f} - {d:.2f}) ms", (a - e) / (c - d), None)

    def import_accounts(self, origin: str) -> None:
        """Stores 20 accounts whose API is at `origin`."""
        provider = {"authorizationEndpoint": origin, "tokenEndpoint": origin, "apiBase": origin + "/", "apiHosts": ["localhost"]}
        data = {"access_token": self.accessToken}
        asked = [
            request("importGrant", account=f"user{number}", replace=True, format="json", provider=provider, clientId="c", data=data) % number for number in range(20)]
        output = subprocess.run(self.usual, check=True, input="\n".join(asked), stdout=subprocess.PIPE, text=True, env=self.environment).stdout
        assert output.count('"result":') == 20, output

    def https(self, certificate: Path, ports: dict[str, int]) -> None:
        self.environment["SSL_CERT_FILE"] = str(certificate)
        self.import_accounts(f"https://localhost:{ports['2']}")
        for version, port in ports.items():
            url = f"https://localhost:{port}/items"
            ask = request("callAPI", account="user7", url=url)
            for window, name, target in ((1, "easy", 0.3), (64, "multi", 0.5)):
                count = self.count(2_000 if window == 1 else 8_000)
                ours, theirs = [], []
                for _ in range(5):
                    ours.append(self.driver("rate", count, window, ask, "--", *self.usual)[0][0])
                    command = [str(self.folder / "https"), name, str(count), str(window), url, str(certificate), self.accessToken]
                    theirs.append(int(subprocess.run(command + ["http1"] * (version == "1.1"), check=True, stdout=subprocess.PIPE).stdout))
                a, b = (count / statistics.median(times) * 1e9 for times in (ours, theirs))
                self.row(f"https, HTTP/{version}, {window} in flight", f"{a:,.0f}/s / {b:,.0f}/s", a / b, target, atLeast=True)
        ask, count = request("callAPI", account="user7", url=f"https://localhost:{ports['1.1']}/items"), self.count(8_000)
        times: dict[int, list[int]] = {64: [], 256: [], 1000: []}
        for _ in range(5):
            for window, taken in times.items():
                taken.append(self.driver("rate", count, window, ask, "--", *self.usual)[0][0])
        usual, *crowds = (count / statistics.median(taken) * 1e9 for taken in times.values())
        for window, rate in zip((256, 1000), crowds):
            self.row(f"https, {window} in flight to 64", f"{rate:,.0f}/s / {usual:,.0f}/s", rate / usual, 0.9, atLeast=True)
        del self.environment["SSL_CERT_FILE"]

    def peers(self, certificate: Path, port: int) -> None:
        """Those that are not installed are left out, which is reported."""
        url = f"https://localhost:{port}/items"
        self.environment["SSL_CERT_FILE"] = str(certificate)
        self.import_accounts(f"https://localhost:{port}")
        go = self.folder / "peer"
        # Debian's packages of Go lie where its compiler looked before modules.
        environment = {**os.environ, "GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOCACHE": str(self.folder / "go")}
        isBuilt = shutil.which("go") and subprocess.run(["go", "build", "-o", go, HERE / "peers" / "peer.go"], env=environment).returncode == 0
        python = [PEERS, str(HERE / "peers" / "peer.py")]
        commands = {
            "golang/oauth2": ([str(go)] if isBuilt else None, (0.45, 0.3)), "Node's fetch": (["node", str(HERE / "peers" / "peer.mjs")], (1.4, 1.4)),
            "requests-oauthlib": (python + ["requests"], (1.4, 1.4)), "httpx": (python + ["httpx"], (1.4, 1.4)),
        }
        ask = request("callAPI", account="user7", url=url)
        for window in (1, 64):
            count = self.count(2_000 if window == 1 else 8_000) // window * window
            for name, (command, targets) in commands.items():
                if command is None or not shutil.which(command[0]):
                    print(f"peers, {name}: left out, because it is not installed")
                    continue
                ours, theirs, cost = [], [], [0.0, 0.0]
                words = [*command, str(count), str(window), url, str(certificate), self.accessToken]
                for _ in range(3):
                    for side, times in enumerate((ours, theirs)):
                        before = resource.getrusage(resource.RUSAGE_CHILDREN)
                        if side == 0:
                            times.append(self.driver("rate", count, window, ask, "--", *self.usual)[0][0])
                        else:
                            environment = {**os.environ, "NODE_EXTRA_CA_CERTS": str(certificate)}
                            times.append(int(subprocess.run(words, check=True, stdout=subprocess.PIPE, env=environment).stdout))
                        after = resource.getrusage(resource.RUSAGE_CHILDREN)
                        cost[side] += (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / count / 3 * 1e6
                a, b = (count / statistics.median(times) * 1e9 for times in (ours, theirs))
                shown = f"{a:,.0f}/s / {b:,.0f}/s, {cost[0]:.0f} / {cost[1]:.0f} µs"
                self.row(f"peers, {name}, {window} in flight", shown, a / b, targets[window > 1], atLeast=True)
        del self.environment["SSL_CERT_FILE"]

    def counts(self, certificate: Path, port: int) -> None:
        self.environment["SSL_CERT_FILE"] = str(certificate)
        self.import_accounts(f"https://localhost:{port}")
        ask = request("callAPI", account="user7", url=f"https://localhost:{port}/items")
        found = self.folder / "found"
        switches = "import resource, subprocess, sys; subprocess.run(sys.argv[2:]); "
        switches += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_nvcsw, file=open(sys.argv[1], 'w'))"
        callgrind = ["valgrind", "--tool=callgrind", "--log-file=/dev/null", f"--callgrind-out-file={found}"]
        tools = {
            "instructions": (callgrind, r"^(?:summary|totals): (\d+)", 500_000),
            "allocations": (["valgrind", f"--log-file={found}"], r"total heap usage: ([\d,]+) allocs", 200),
            "system calls": (["strace", "-f", "-qq", "-c", "-o", str(found)], r"^100\.00 +\S+ +\S+ +(\d+)", 16),
            "context switches": ([PYTHON, "-c", switches, str(found)], r"^(\d+)$", 3.5),
        }

        def count(command: list[str], pattern: str) -> int:
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=self.environment)
            return int(re.findall(pattern, found.read_text(), re.MULTILINE)[-1].replace(",", ""))

        for name, (tool, pattern, target) in tools.items():
            few, many = (
                count([str(self.folder / "driver"), "rate", str(calls), "1", ask, "--", shutil.which(tool[0]), *tool[1:], *self.usual], pattern)
                for calls in (100, 600))
            # The driver makes a tenth of its calls before it measures.
            self.row(f"counts, {name}", f"({many:,} - {few:,}) / 550", (many - few) / 550, target, "")
        tool, pattern, _ = tools["instructions"]
        self.row("counts, instructions of token", "", count([*tool, *self.usual, "token", "user7"], pattern), 5_200_000, "")
        del self.environment["SSL_CERT_FILE"]

    def nginx(self, more: str = "") -> tuple[subprocess.Popen, Path, dict[str, int]]:
        """Starts an nginx with its own certificate: one port for HTTP/1.1 only, and one that also has HTTP/2. `more` is configuration with their names."""
        certificate, key = self.folder / "certificate.pem", self.folder / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate], check=True, stderr=subprocess.DEVNULL)
        with socket.socket() as one, socket.socket() as two:
            for probe in (one, two):
                probe.bind(("127.0.0.1", 0))
            ports = {"1.1": one.getsockname()[1], "2": two.getsockname()[1]}
        items = json.dumps([{"id": number, "name": f"item {number}"} for number in range(30)]).replace('"', '\\"')
        listen = "".join(
            f"server {{ listen 127.0.0.1:{port} ssl{' http2' if version == '2' else ''}; keepalive_requests 1000000;"
            f" ssl_certificate {certificate}; ssl_certificate_key {key};"
            f' location / {{ default_type application/json; return 200 "{items}"; }} }}\n'
            for version, port in ports.items())
        configuration = self.folder / "nginx.conf"
        configuration.write_text(
            f"daemon off; master_process off; worker_processes 1; pid {self.folder}/nginx.pid; error_log stderr crit;\n"
            f"events {{ worker_connections 1024; }}\nhttp {{ access_log off; client_body_temp_path {self.folder}/body;\n"
            f"{listen}{more.replace('$HTTP1', str(ports['1.1']))}}}\n")
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        process = subprocess.Popen([program, "-p", self.folder, "-c", configuration, "-e", "stderr"], stderr=subprocess.DEVNULL)
        for port in ports.values():
            for _ in range(200):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.05)
            else:
                raise SystemExit("nginx does not listen")
        return process, certificate, ports

    def signing(self) -> None:
        count, fewer = self.count(100_000), self.count(4_000)
        ours, theirs = [], []
        for _ in range(7):
            ours.append(int(subprocess.run([SIGNING, str(count)], check=True, stdout=subprocess.PIPE).stdout) / count)
            theirs.append(int(subprocess.run([PYTHON, "-c", OAUTHLIB, str(fewer)], check=True, stdout=subprocess.PIPE).stdout) / fewer)
        a, b = statistics.median(ours), statistics.median(theirs)
        self.row("signing, HMAC-SHA1", f"{1e9 / a:,.0f}/s / {1e9 / b:,.0f}/s", b / a, 20, atLeast=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("rows", nargs="*", help="start, sequence, flight, callAPI, process, token, durable, https, peers, counts, saveTo, signing; all by default")
    parser.add_argument("--rounds", type=float, default=1.0)
    parser.add_argument("--token-bytes", type=int, default=800, help="the length of the access token in the row https")
    options = parser.parse_args()

    def wanted(name: str) -> bool:
        return not options.rows or name in options.rows

    with tempfile.TemporaryDirectory() as name:
        bench = Bench(Path(name), options.rounds, options.token_bytes)
        files, port = bench.serve([str(bench.folder / "files")])
        demo, line = bench.serve([DEMO, "--until-stdin-closes"])
        try:
            bench.sign_in(json.loads(line)["issuer"], port)
            if wanted("start"): bench.start()
            for window, word in ((1, "sequence"), (64, "flight")):
                if wanted(word):
                    for account in ("known", "unknown"): bench.rate(window, account)
            if wanted("callAPI"):
                for spelling in ("text", "json"): bench.call(port, spelling)
            if wanted("process"): bench.process()
            if wanted("token"): bench.token(json.loads(line)["issuer"])
            if wanted("durable"): bench.durable(port)
            if wanted("https") or wanted("peers") or wanted("counts"):
                nginx, certificate, ports = bench.nginx()
                try:
                    if wanted("https"): bench.https(certificate, ports)
                    if wanted("counts"): bench.counts(certificate, ports["1.1"])
                    if wanted("peers"): bench.peers(certificate, ports["1.1"])
                finally:
                    nginx.terminate()
                    nginx.wait()
            if wanted("saveTo"): bench.save(port)
            if wanted("signing"): bench.signing()
        finally:
            for process in (files, demo):
                process.stdin.close()
                process.wait()


if __name__ == "__main__":
    main()

"""Each line of examples/hosts.md that has no mark serves its program before and after the token's end, and the login stays."""

import contextlib
import hashlib
import io
import json
import os
import re
import shlex
import shutil
import signal
import ssl
import subprocess
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

import pytest

import test_bridge_login
import test_git
import test_helpers
import test_mail
import test_refresh_all
from certificates import Authority
from example_user import EXAMPLES
from hosts_page import PAGE, HostServer, Row, rows
from imap_server import IMAPServer
from provider import Response
from rpc import BINARY, CLEAN, ROOT, Peer

pytestmark = pytest.mark.ci

# The environment of Tests/install.sh.
PYTHON = ROOT / ".build-tests" / "hosts" / "bin"
# A program in the worst case: Go's compiler on a busy machine.
SECONDS = 120
ROWS = {row.name: row for row in rows()}
# Rows that other tests run.
ELSEWHERE = {
    "skopeo": test_helpers.test_skopeo_pushes_and_pulls,
    # That module imports this one.
    "twine": "test_keyring.py",
    "poetry": "test_keyring.py",
    "msmtp": test_mail.test_msmtp_asks_for_the_token,
    "systemd": test_refresh_all.test_the_timer_of_systemd,
    "MCP hosts": test_bridge_login.test_five_hosts_ask_the_user_once,
}
RUNNERS = {}


def runs(*names):
    """Registers what prepares a row's program. It returns a function that runs the program once, with one request or two."""

    def register(prepare):
        RUNNERS.update(dict.fromkeys(names, prepare))
        return prepare

    return register


class User:
    """A user with the login `me`, whose programs find `oauth-stdio` in PATH, with the tests' clock."""

    def __init__(self, home: Path):
        self.home = home
        self.programs = home / "bin"
        self.programs.mkdir(parents=True)
        self.server = HostServer(home / "clock")
        self.runs = 0
        program = self.programs / "oauth-stdio"
        # Timers of the kernel know the real monotonic clock only.
        preload = subprocess.run(f"{CLEAN}; exec faketime -f +0 printenv LD_PRELOAD", shell=True, capture_output=True, check=True, text=True).stdout.strip()
        clock = str(self.server.clock)
        self.fake_time = {"LD_PRELOAD": preload, "DONT_FAKE_MONOTONIC": "1", "FAKETIME_NO_CACHE": "1", "FAKETIME_TIMESTAMP_FILE": clock}
        self.write_program(program, BINARY)
        path = f"{self.programs}:{PYTHON}:{os.environ['PATH']}"
        self.environment = {**Peer.environment(self, None), "PATH": path}
        self.stack = [self.server.__exit__]
        self.git_hosts: list[str] = []

    def write(self, name: str, text: str) -> Path:
        file = self.home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def write_program(self, place: Path, program) -> None:
        """Makes a script that runs the program with the tests' clock."""
        # A running program sees each change of the file. The command faketime would start another process.
        variables = " ".join(f"{name}={shlex.quote(value)}" for name, value in self.fake_time.items())
        place.write_text(f'#!/bin/sh\n{CLEAN}\n{variables} exec {program} "$@"\n')
        place.chmod(0o755)

    def set_up(self, line: str, file: str) -> str:
        """Runs a line with `setup`, and puts what it prints into the file of the program, as the user is told."""
        done = self.run(f"{line} >{self.home}/lines")
        assert done.returncode == 0 and "Add this to" in done.stderr, done
        folder = self.home / ".local" / "bin"
        self.environment["PATH"] = f"{folder}:{self.environment['PATH']}"
        for link in [*folder.iterdir()] if folder.exists() else []:
            real = self.home / "links" / link.name
            real.parent.mkdir(exist_ok=True)
            link.rename(real)
            self.write_program(link, real)
        lines = (self.home / "lines").read_text().replace("https://", "http://")
        self.write(file, lines)
        return lines

    def sign_in(self, server=None, provider: dict = {}, **account) -> None:
        """Signs in at this server or another one. `provider` are members of its description."""
        server = server or self.server
        description = {**server.description, "gitHosts": self.git_hosts, **provider}
        accounts = {"me": {"provider": description, "clientId": "c", "scopes": ["read"], **account}}
        self.write("config/oauth-stdio/config.json", json.dumps({"accounts": accounts}))
        words = [self.programs / "oauth-stdio", "login", "me", "--openBrowser=false"]
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=self.environment)
        said = [""]
        while not said[-1].startswith("http"):
            said.append(process.stderr.readline())
            assert said[-1], (process.wait(60), said)
        server.approve(said[-1].strip())
        assert process.communicate(timeout=60) and process.returncode == 0

    def line(self, text: str, host: str | None = None) -> str:
        """Returns a line of the page for this server. Where the line has https, the program also takes http to this machine."""
        text = re.sub(r"\bHOST\b", host or self.server.host, text)
        return re.sub(r"\bURL\b", self.server.url + "/api/x", text).replace("https://", "http://")

    def run(self, line: str, **environment) -> subprocess.CompletedProcess:
        """Runs a line in an empty folder."""
        self.runs += 1
        folder = self.home / f"run{self.runs}"
        folder.mkdir()
        process = subprocess.Popen(
            ["bash", "-c", line], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder,
            env={**self.environment, **{name: str(value) for name, value in environment.items()}}, start_new_session=True)
        try:
            said = process.communicate(timeout=SECONDS)
            return subprocess.CompletedProcess(line, process.returncode, *said)
        finally:
            # Also what the line has started.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    def python(self, text: str, **environment) -> subprocess.CompletedProcess:
        return self.run(f"python {self.write('program.py', text)}", **environment)

    def tls(self) -> str:
        """Returns the host of the same server with TLS, whose certificates most programs find by a variable."""
        authority = Authority(self.home)
        self.environment |= dict.fromkeys(("SSL_CERT_FILE", "GIT_SSL_CAINFO"), str(authority.file))
        self.certificate = authority.server()
        provider = self.server.over_tls(self.certificate)
        self.stack.append(provider.__exit__)
        return provider.url.removeprefix("https://")


@pytest.fixture
def user(home):
    user = User(home)
    yield user
    for end in user.stack:
        end()


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.is_run and name not in ELSEWHERE])
def test_a_line_goes_on_after_the_end_of_the_token(name, user):
    row, server = ROWS[name], user.server
    run = RUNNERS[name](row, user)
    if not user.server.living:
        user.sign_in()
    if row.renews == "per run":
        succeeds(run(), server, 1)
        server.end_token()
        succeeds(run(), server, 1)
    else:
        server.end_token_after(1)
        assert row.renews == "asks again"
        succeeds(run(), server, 2)
    assert len(set(server.accepted)) == 2 and server.refreshes == 1 and not server.is_lost
    assert server.is_shown == ("²" in row.marks)


def succeeds(done: subprocess.CompletedProcess, server: HostServer, requests: int) -> None:
    assert done.returncode == 0, done
    assert len(server.accepted) >= requests and server.accepted[-1] in server.living, done


def test_each_row_is_run_or_marked():
    running = {name for name, row in ROWS.items() if row.is_run}
    assert len(rows()) == len(ROWS) and running == {*RUNNERS, *ELSEWHERE} and not RUNNERS.keys() & ELSEWHERE.keys()
    assert len(RUNNERS) >= 30 and len(ROWS) >= 50 and "test_hosts.py" in PAGE
    keyring = Path(__file__).with_name("test_keyring.py").read_text()
    assert all(f"def test_{name}_finds_the_login(" in keyring for name, place in ELSEWHERE.items() if place == "test_keyring.py")


# Fetch


@runs("curl", "curl, as an option", "wget", "wget, with a file", "httpie", "httpie, hidden", "aria2c")
def fetch(row: Row, user: User):
    def run():
        done = user.run(user.line(row.code[0]))
        # It shows this answer, not an earlier one.
        assert f'"answer": {len(user.server.accepted)}' in done.stdout, done
        return done

    return run


# Clone and synchronize


@runs("git, git-lfs")
def git(row: Row, user: User):
    content = b"large"
    object = hashlib.sha256(content).hexdigest()
    lfs = user.tls()
    repositories = test_git.GitServer(user.home, user.server)
    user.stack.append(repositories.close)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(user.certificate)
    repositories.http.socket = tls.wrap_socket(repositories.http.socket, server_side=True)
    action = {"download": {"href": f"https://{lfs}/object"}}
    user.server.pages |= {
        "/objects/batch": Response.of({"transfer": "basic", "objects": [{"oid": object, "size": len(content), "actions": action}]}, 200,
                                      **{"Content-Type": "application/vnd.git-lfs+json"}),
        "/object": Response(200, content),
    }
    user.git_hosts = [repositories.host, lfs]
    user.sign_in()
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{object}\nsize {len(content)}\n"
    done = user.run(
        f"git init -q . && printf '%s' '{pointer}' >file && git add file && git -c user.name=n -c user.email=e commit -qm m && "
        f"git push -q {user.home}/repository.git HEAD:main")
    assert done.returncode == 0, done
    done = user.run(f"git config --global filter.lfs.smudge 'git-lfs smudge -- %f'; {user.line(row.code[0], ' '.join(user.git_hosts))}")
    assert done.returncode == 0, done
    # The program would write its name alone if the one in PATH were no script.
    settings = user.home / ".gitconfig"
    settings.write_text(settings.read_text().replace(os.path.realpath(BINARY), "oauth-stdio"))
    attributes = user.write("attributes", "file filter=lfs\n")

    def run():
        command = f"git -c core.attributesFile={attributes} -c lfs.url=https://{lfs} clone -q https://{repositories.host}/repository.git c"
        done = user.run(f"{command} && grep -x large c/file", GIT_TERMINAL_PROMPT=0)
        assert not done.returncode or "401" not in done.stderr, done
        return done

    return run


@runs("gh")
def gh(row: Row, user: User):
    host = user.tls()
    return lambda: user.run(user.line(row.code[0], host), GH_CONFIG_DIR=user.home)


@runs("python-gitlab's command")
def gitlab(row: Row, user: User):
    file = user.write("gitlab.cfg", f"[global]\ndefault = x\n[x]\nurl = {user.server.url}\n{row.code[0]}\n")
    return lambda: user.run("gitlab current-user get", PYTHON_GITLAB_CFG=file)


def remote(user: User) -> None:
    user.write("config/rclone/rclone.conf", f"[REMOTE]\ntype = webdav\nvendor = other\nurl = {user.server.url}/dav\n{ROWS['rclone'].code[0]}\n")


@runs("rclone")
def rclone(row: Row, user: User):
    remote(user)
    user.server.files |= {"/dav/a": b"1", "/dav/b": b"2"}
    return lambda: user.run("rclone copy REMOTE: . && cat a b | grep -x 12")


@runs("restic")
def restic(row: Row, user: User):
    remote(user)
    user.sign_in()
    user.environment |= {"RESTIC_PASSWORD": "p", "RESTIC_CACHE_DIR": str(user.home / "cache")}
    done = user.run(row.code[0].replace("snapshots", "init"))
    assert done.returncode == 0, done
    return lambda: user.run(row.code[0])


# Install packages


def wheel() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("x.py", "")
        archive.writestr("x-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: X\nVersion: 1.0\n")
        archive.writestr("x-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr("x-1.0.dist-info/RECORD", "x.py,,\nx-1.0.dist-info/METADATA,,\nx-1.0.dist-info/WHEEL,,\nx-1.0.dist-info/RECORD,,\n")
    return content.getvalue()


def serve_wheel(user: User) -> str:
    name, content = "x-1.0-py3-none-any.whl", wheel()
    link = f'<a href="/files/{name}#sha256={hashlib.sha256(content).hexdigest()}">{name}</a>'
    user.server.pages |= {
        "/simple/x/": Response(200, link.encode(), {"Content-Type": "text/html"}),
        f"/files/{name}": Response(200, content),
    }
    return user.server.url + "/simple/"


@runs("pip")
def pip(row: Row, user: User):
    serve_wheel(user)
    user.sign_in()
    user.set_up(user.line(row.code[0]), "config/pip/pip.conf")
    own = {"PIP_TARGET": "target", "PIP_NO_CACHE_DIR": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}
    return lambda: user.run("pip install x && ls target/x.py", **own)


@runs("uv")
def uv(row: Row, user: User):
    serve_wheel(user)
    user.sign_in()
    user.set_up(user.line(row.code[0]), "config/uv/uv.toml")
    return lambda: user.run("uv venv -q && uv pip install x", UV_NO_CACHE=1, UV_PYTHON_DOWNLOADS="never")


@runs("npm")
def npm(row: Row, user: User):
    user.server.pages["/X"] = Response.of({"name": "X", "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": {"name": "X", "version": "1.0.0", "dist": {}}}})
    user.write(".npmrc", f"registry={user.server.url}/\n{user.line(row.code[1])}\n")
    return lambda: user.run(f"{row.code[0]} version | grep -x 1.0.0", npm_config_cache="cache", npm_config_update_notifier="false")


@runs("cargo")
def cargo(row: Row, user: User):
    rustup = os.environ.get("RUSTUP_HOME") or str(Path.home() / ".rustup")
    version = re.match(r"cargo 1\.(\d+)", subprocess.run("cargo --version", shell=True, capture_output=True, text=True).stdout)
    if not version or int(version[1]) < 74:
        pytest.skip("needs cargo 1.74, which Debian 12 does not have")
    entry = {"name": "x", "vers": "1.0.0", "deps": [], "cksum": "0" * 64, "features": {}, "yanked": False}
    user.server.pages |= {
        "/index/config.json": Response.of({"dl": user.server.url + "/dl", "api": user.server.url, "auth-required": True}),
        "/index/1/x": Response.of(entry),
    }
    user.sign_in()
    lines = user.set_up(row.code[0].replace("INDEX", user.server.url + "/index/"), "cargo/config.toml")
    user.write("cargo/config.toml", f'{lines}[registries.X]\nindex = "sparse+{user.server.url}/index/"\n')
    settings = '[package]\nname = "p"\nversion = "0.1.0"\n[lib]\npath = "p.rs"\n[dependencies]\nx = { version = "1", registry = "X" }\n'

    def run():
        shutil.rmtree(user.home / "cargo" / "registry", ignore_errors=True)
        return user.run(f"printf '%s' '{settings}' >Cargo.toml && touch p.rs && cargo generate-lockfile", CARGO_HOME=user.home / "cargo", RUSTUP_HOME=rustup)

    return run


# Clusters


@runs("kubectl")
def kubectl(row: Row, user: User):
    host = user.tls()
    file = user.write("kubeconfig", (
        "{apiVersion: v1, kind: Config, current-context: c, contexts: [{name: c, context: {cluster: c, user: u}}], clusters: [{name: c, cluster: "
        f"{{server: 'https://{host}', certificate-authority: {user.environment['SSL_CERT_FILE']}}}}}], users: [{{name: u, user: {{{row.code[0]}}}}}]}}"))

    def run():
        process = subprocess.Popen(
            ["kubectl", "--kubeconfig", file, "proxy", "--port=0"], stdout=subprocess.PIPE, text=True, env=user.environment)
        try:
            url = "http://" + process.stdout.readline().split()[-1]
            statuses = []
            for _ in range(4):
                try:
                    statuses.append(urllib.request.urlopen(url + "/version", timeout=60).status)
                except urllib.error.HTTPError as error:
                    statuses.append(error.code)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
        # The request that finds the end fails, and the next one has a new token.
        return subprocess.CompletedProcess(statuses, statuses[-2:] != [200, 200])

    return run


@runs("ansible")
def ansible(row: Row, user: User):
    task = f"    - uri:\n        url: {user.server.url}/api/x\n        headers:\n          {row.code[0]}\n"
    file = user.write("play.yml", f"- hosts: localhost\n  connection: local\n  gather_facts: false\n  tasks:\n{task}{task}")
    return lambda: user.run(f"ansible-playbook -i localhost, {file}", ANSIBLE_LOCALHOST_WARNING="false", ANSIBLE_HOME=user.home)


# Mail


def imap_port(user: User) -> int:
    user.tls()
    server = IMAPServer(user.certificate, lambda: user.server.living, user.server.accept)
    user.stack.append(server.close)
    return server.port


@runs("mutt")
def mutt(row: Row, user: User):
    port = imap_port(user)
    settings = "\n".join(code for code in row.code if code.startswith("set "))
    user.write(".muttrc", f"{settings}\nset ssl_ca_certificates_file={user.environment['SSL_CERT_FILE']}\nset folder={user.home}\n")
    # It ends at once with status 1 if the folder has no mail.
    return lambda: user.run(f"script -qec 'mutt -z -f imaps://u@127.0.0.1:{port}/INBOX' /dev/null | grep 'Mailbox is empty'", TERM="xterm")


@runs("getmail6")
def getmail(row: Row, user: User):
    port = imap_port(user)
    settings = "\n".join(row.code)
    # As root, it runs a command only if that is allowed.
    user.write("getmail/getmailrc", (
        f"[retriever]\ntype = SimpleIMAPSSLRetriever\nserver = localhost\nport = {port}\nca_certs = {user.environment['SSL_CERT_FILE']}\nusername = u\n"
        f"{settings}\n[destination]\ntype = MDA_external\npath = /usr/bin/tee\narguments = (\"-a\", \"mail\")\nallow_root_commands = true\n"))
    return lambda: user.run(f"getmail -q --getmaildir {user.home}/getmail && grep 'Subject: hello' mail")


# Libraries

# LINE is the row's.
PROGRAMS = {
    "requests": "import requests\nsession = requests.Session()\nLINE\nask = lambda: session.get(URL).raise_for_status()",
    "httpx": "import httpx\nclient = LINE\nask = lambda: client.get(URL).raise_for_status()",
    "aiohttp": (
        "import aiohttp, asyncio\nasync def main():\n  async with LINE as session:\n    for _ in range(2):\n"
        "      (await session.get(URL)).raise_for_status()\nask = lambda: None\nasyncio.run(main())\n"),
    "openai": "from openai import OpenAI\nclient = LINE\nask = lambda: client.models.list()",
    "anthropic": "from anthropic import Anthropic\nclient = LINE\nask = lambda: client.models.list()",
    "azure-core": (
        "from azure.core import PipelineClient\nfrom azure.core.pipeline.policies import BearerTokenCredentialPolicy\n"
        "from azure.core.rest import HttpRequest\ndef BlobServiceClient(url, credential):\n"
        "  return PipelineClient(url, policies=[BearerTokenCredentialPolicy(credential, 'scope')])\nclient = LINE\n"
        "ask = lambda: client.send_request(HttpRequest('GET', URL), enforce_https=False).raise_for_status()"),
    "google-auth": (
        "from google.auth.transport.requests import AuthorizedSession\nsession = LINE\nask = lambda: session.get(URL).raise_for_status()"),
    "PyGithub": (
        "import functools, github\nGithub = functools.partial(github.Github, base_url=URL)\nclient = LINE\nask = lambda: client.get_user().login"),
}


@runs(*PROGRAMS)
def library(row: Row, user: User):
    url = user.server.url + "/api"
    program = f"from oauth_stdio import Login\nURL = '{url}'\n{PROGRAMS[row.name].replace('LINE', row.code[0])}\nask()\nask()\n"
    own = {"OPENAI_BASE_URL": url, "ANTHROPIC_BASE_URL": url, "PYTHONPATH": EXAMPLES / "python" / "src"}
    if row.name == "azure-core":
        # It holds a token until its end.
        own |= user.fake_time
    return lambda: user.python(program, **own)


def build_go(user: User, text: str) -> Path:
    """Returns a program that may import examples/go/login."""
    source = user.write("go/src/example.com/login/login.go", (EXAMPLES / "go" / "login" / "login.go").read_text())
    # Debian's packages of libraries are for programs without a module.
    path = f"{source.parents[3]}:/usr/share/gocode"
    own = {"GOPATH": path, "GO111MODULE": "off", "GOCACHE": ROOT / ".build-tests" / "go-cache", "GOTOOLCHAIN": "local"}
    done = user.run(f"go build -o {user.home}/program {user.write('main.go', text)}", **own)
    assert done.returncode == 0, done
    return user.home / "program"


@runs("Go")
def go(row: Row, user: User):
    program = build_go(user, (
        'package main\n\nimport (\n\t"net/http"\n\t"os"\n\n\t"example.com/login"\n)\n\n'
        f'func main() {{\n\tclient := {row.code[0]}\n\tfor i := 0; i < 2; i++ {{\n\t\tanswer, err := client.Get("{user.server.url}/api/x")\n'
        "\t\tif err != nil || answer.StatusCode != 200 {\n\t\t\tos.Exit(1)\n\t\t}\n\t}\n}\n"))
    return lambda: user.run(f"{program}")


@runs("Node")
def node(row: Row, user: User):
    file = user.write("program.mjs", (
        f'import {{execFileSync}} from "node:child_process";\nfor (let i = 0; i < 2; i++) {{\n  const answer = await fetch("{user.server.url}/api/x", '
        f"{{{row.code[0]}}});\n  if (!answer.ok) process.exit(1);\n}}\n"))
    return lambda: user.run(f"node {file}")


@runs("Perl")
def perl(row: Row, user: User):
    file = user.write("program.pl", (
        f'use LWP::UserAgent;\nmy $ua = LWP::UserAgent->new;\n{row.code[0]};\nfor (1, 2) {{ $ua->get("{user.server.url}/api/x")->is_success or exit 1 }}\n'))
    return lambda: user.run(f"perl {file}")


@runs("Emacs")
def emacs(row: Row, user: User):
    file = user.write("program.el", f'(dotimes (_ 2) (with-current-buffer {user.line(row.code[0])} (goto-char 1) (search-forward "200 OK")))\n')
    return lambda: user.run(f"emacs --batch -Q -l url -l {file}")


@runs("Neovim")
def neovim(row: Row, user: User):
    file = user.write("program.lua", f'local URL = "{user.server.url}/api/x"\nfor _ = 1, 2 do {row.code[0]} end\nos.exit(0)\n')
    return lambda: user.run(f"nvim --headless -u NONE -i NONE -n -c 'luafile {file}'")


@runs("Vim")
def vim(row: Row, user: User):
    file = user.write("program.vim", f'let URL = "{user.server.url}/api/x"\ncall {row.code[0]}\ncall {row.code[0]}\nqa!\n')
    return lambda: user.run(f"vim -es -N -u NONE -i NONE -n -S {file}")

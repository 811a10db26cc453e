"""Unchanged programs and libraries use a login through the HTTP door, by its address and its secret. None of them sees the token."""

import json
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass, field

import pytest

import test_git
import test_hosts
from door import Service, log_in, shell  # noqa: F401, a fixture
from hosts_page import HostServer
from provider import Response
from rpc import ROOT
from test_command_line import Shell
from waiting import wait_until

pytestmark = pytest.mark.ci

# The environment of Tests/install.sh.
PYTHON = ROOT / ".build-tests" / "hosts" / "bin" / "python"
# Seconds for a program in the worst case: Go's compiler on a busy machine.
SECONDS = 120
# Bytes that need many pieces.
LARGE = 3_000_000


@dataclass
class Client:
    """A program, as a line of a shell. FILE is a file with the text."""

    line: str
    text: str = ""
    # The name of the file, for a language that wants one.
    name: str = "program"
    # More variables of the command.
    env: list[str] = field(default_factory=list)
    # Where the provider's API takes the token.
    header: str = "Authorization"


def python(text: str, *env: str, **more) -> Client:
    start = 'import os\nURL, SECRET = os.environ["OAUTH_STDIO_URL"], os.environ["OAUTH_STDIO_SECRET"]\nHEADERS = {"Authorization": "Bearer " + SECRET}\n'
    return Client(f"{PYTHON} FILE", start + text, env=list(env), **more)


# Each reads, and prints what it reads.
READERS = {
    "curl": Client('curl -sSf -H "Authorization: Bearer $OAUTH_STDIO_SECRET" "$OAUTH_STDIO_URL/x"'),
    "curl, with a password": Client('curl -sSf -u "any:$OAUTH_STDIO_SECRET" "$OAUTH_STDIO_URL/x"'),
    # It asks for HTTP/2 by an Upgrade.
    "curl, with HTTP/2": Client('curl -sSf --http2 -H "Authorization: Bearer $OAUTH_STDIO_SECRET" "$OAUTH_STDIO_URL/x"'),
    # It asks without a password first.
    "wget": Client('wget -qO- --user=any --password="$OAUTH_STDIO_SECRET" "$OAUTH_STDIO_URL/x"'),
    "httpie": Client('http --ignore-stdin --check-status -A bearer -a "$OAUTH_STDIO_SECRET" GET "$OAUTH_STDIO_URL/x"'),
    "requests": python("import requests\nanswer = requests.get(URL + '/moved', headers=HEADERS)\nanswer.raise_for_status()\nprint(answer.text)\n"),
    "httpx": python("import httpx\nclient = httpx.Client(base_url=URL, headers=HEADERS)\nprint(client.get('/x').raise_for_status().text)\n"),
    "aiohttp": python(
        "import aiohttp, asyncio\nasync def main():\n  async with aiohttp.ClientSession(URL + '/', headers=HEADERS, raise_for_status=True) as session:\n"
        "    async with session.get('x') as answer:\n      print(await answer.text())\nasyncio.run(main())\n"),
    "urllib3": python("import urllib3\nprint(urllib3.request('GET', URL + '/x', headers=HEADERS).data.decode())\n"),
    "PyGithub": python(
        "import github\nclient = github.Github(base_url=URL, auth=github.Auth.Token(SECRET))\nprint(client.get_user().login)\n"
        "assert [repo.name for repo in client.get_user().get_repos()] == ['one', 'two']\n"),
    "python-gitlab": python(
        "import gitlab\nclient = gitlab.Gitlab(URL, private_token=SECRET)\nclient.auth()\nprint(client.user.username)\n"
        "assert [project.name for project in client.projects.list(iterator=True)] == ['one', 'two']\n"),
    "openai": python("from openai import OpenAI\nprint(OpenAI().models.list().data[0].id)\n", "OPENAI_BASE_URL={url}", "OPENAI_API_KEY={secret}"),
    "anthropic": python(
        "from anthropic import Anthropic\nprint(Anthropic().models.list().data[0].id)\n", "ANTHROPIC_BASE_URL={url}", "ANTHROPIC_API_KEY={secret}",
        header="X-Api-Key"),
    "azure-core": python(
        "import time\nfrom azure.core import PipelineClient\nfrom azure.core.credentials import AccessToken\n"
        "from azure.core.pipeline.policies import BearerTokenCredentialPolicy\nfrom azure.core.rest import HttpRequest\n"
        "class Login:\n  def get_token(self, *scopes, **options):\n    return AccessToken(SECRET, int(time.time()) + 3600)\n"
        "client = PipelineClient(URL, policies=[BearerTokenCredentialPolicy(Login(), 'scope')])\n"
        "answer = client.send_request(HttpRequest('GET', client.format_url('/x')), enforce_https=False)\nanswer.raise_for_status()\nprint(answer.text())\n"),
    "google-api-core": python(
        "from google.api_core.operations_v1 import AbstractOperationsClient, OperationsRestTransport\nfrom google.oauth2.credentials import Credentials\n"
        "transport = OperationsRestTransport(host=URL, credentials=Credentials(SECRET))\n"
        "print([operation.name for operation in AbstractOperationsClient(transport=transport).list_operations(name='jobs', filter_='')])\n"),
    "Go": Client("go run FILE", (
        'package main\n\nimport (\n\t"io"\n\t"net/http"\n\t"os"\n)\n\nfunc main() {\n\trequest, _ := http.NewRequest("GET", os.Getenv("OAUTH_STDIO_URL")+"/x", nil)\n'
        '\trequest.SetBasicAuth("any", os.Getenv("OAUTH_STDIO_SECRET"))\n\tanswer, err := http.DefaultClient.Do(request)\n\tif err != nil {\n\t\tpanic(err)\n\t}\n'
        '\tio.Copy(os.Stdout, answer.Body)\n}\n'), "main.go"),
    "Node": Client("node FILE", (
        "const {OAUTH_STDIO_URL: url, OAUTH_STDIO_SECRET: secret} = process.env;\n"
        "console.log(await (await fetch(`${url}/x`, {headers: {authorization: `Bearer ${secret}`}})).text());\n"), "main.mjs"),
    "Ruby": Client("ruby FILE", (
        'require "net/http"\nurl = URI(ENV["OAUTH_STDIO_URL"] + "/x")\nrequest = Net::HTTP::Get.new(url)\n'
        'request["Authorization"] = "Bearer #{ENV["OAUTH_STDIO_SECRET"]}"\nputs Net::HTTP.start(url.host, url.port) { |http| http.request(request).body }\n')),
    "Perl": Client("perl FILE", (
        'use LWP::UserAgent;\nmy $answer = LWP::UserAgent->new->get("$ENV{OAUTH_STDIO_URL}/x", Authorization => "Bearer $ENV{OAUTH_STDIO_SECRET}");\n'
        'print $answer->decoded_content;\n')),
    # It asks for HTTP/2 by an Upgrade.
    "Java": Client("java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 FILE", (
        'import java.net.URI;\nimport java.net.http.*;\n\nclass Main {\n  public static void main(String[] words) throws Exception {\n'
        '    var request = HttpRequest.newBuilder(URI.create(System.getenv("OAUTH_STDIO_URL") + "/x"))\n'
        '      .header("Authorization", "Bearer " + System.getenv("OAUTH_STDIO_SECRET")).build();\n'
        '    System.out.println(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body());\n  }\n}\n'), "Main.java"),
}

PIECES = f"def pieces():\n  for _ in range(3):\n    yield b'x' * {LARGE // 3}\n"
# Each sends many bytes, most without their length, and prints the answer.
WRITERS = {
    "curl": Client(f'head -c {LARGE} /dev/zero | curl -sSf -T - -H "Authorization: Bearer $OAUTH_STDIO_SECRET" "$OAUTH_STDIO_URL/x"'),
    "requests": python(PIECES + "import requests\nprint(requests.post(URL + '/x', data=pieces(), headers=HEADERS).text)\n"),
    "httpx": python(PIECES + "import httpx\nprint(httpx.put(URL + '/x', content=pieces(), headers=HEADERS).text)\n"),
    "aiohttp": python(
        "import aiohttp, asyncio\n" + PIECES.replace("def", "async def") + "async def main():\n  async with aiohttp.ClientSession(headers=HEADERS) as session:\n"
        "    async with session.post(URL + '/x', data=pieces()) as answer:\n      print(await answer.text())\nasyncio.run(main())\n"),
    "urllib3": python(PIECES + "import urllib3\nprint(urllib3.request('POST', URL + '/x', body=pieces(), headers=HEADERS).data.decode())\n"),
    "Go": Client("go run FILE", (
        'package main\n\nimport (\n\t"io"\n\t"net/http"\n\t"os"\n\t"strings"\n)\n\nfunc main() {\n'
        f'\tbody := io.MultiReader(strings.NewReader("x"), strings.NewReader(strings.Repeat("y", {LARGE - 1})))\n'
        '\trequest, _ := http.NewRequest("PUT", os.Getenv("OAUTH_STDIO_URL")+"/x", body)\n\trequest.SetBasicAuth("any", os.Getenv("OAUTH_STDIO_SECRET"))\n'
        '\tanswer, err := http.DefaultClient.Do(request)\n\tif err != nil {\n\t\tpanic(err)\n\t}\n\tio.Copy(os.Stdout, answer.Body)\n}\n'), "main.go"),
    "Node": Client("node FILE", (
        "const {OAUTH_STDIO_URL: url, OAUTH_STDIO_SECRET: secret} = process.env;\n"
        f"const body = new Blob(['x'.repeat({LARGE})]).stream();\n"
        "const headers = {authorization: `Bearer ${secret}`};\n"
        "console.log(await (await fetch(`${url}/x`, {method: 'POST', duplex: 'half', body, headers})).text());\n"), "main.mjs"),
}


def paged(service: Service, path: str):
    """Serves a list of two pages, which `Link` connects."""

    def page(request) -> Response:
        if "page=2" in request.target:
            return Response.of([{"id": 2, "name": "two"}])
        return Response.of([{"id": 1, "name": "one"}], Link=f'<{service.url}{path}?page=2>; rel="next"')

    service.pages[path] = page


@pytest.fixture
def service(request):
    client = getattr(request, "param", None)
    with Service(client.header if client else "Authorization") as running:
        word = running.word
        running.pages["/api/moved"] = lambda request: Response(302, headers={"Location": "/api/x"})
        running.pages["/api/v1/jobs/operations"] = lambda request: Response.of({"operations": [{"name": word}]})
        paged(running, "/api/user/repos")
        paged(running, "/api/api/v4/projects")
        yield running


def run(shell: Shell, client: Client, *options, words: tuple = ("me",)) -> str:
    """Runs a client. Returns what it shows and the door's secret."""
    program = client.line.split()[0]
    if not shutil.which(program):
        pytest.skip(f"needs {program}")
    file = shell.home / client.name
    file.write_text(client.text)
    line = f'printf %s "$OAUTH_STDIO_SECRET" >secret; {client.line.replace("FILE", shlex.quote(str(file)))}'
    env = [word for entry in client.env for word in ("--env", entry)]
    # Go compiles its library once.
    shell.environment |= {"GO111MODULE": "off", "GOCACHE": str(ROOT / ".build-tests" / "go-cache"), "GOTOOLCHAIN": "local"}
    done = subprocess.run(
        shell.words(*options, "run", *words, *env, "--", "bash", "-c", line), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS,
        env=shell.environment, cwd=shell.home)
    assert done.returncode == 0, done
    return done.stdout, (shell.home / "secret").read_text()


@pytest.mark.parametrize("name, service", [pytest.param(name, client, id=name) for name, client in READERS.items()], indirect=["service"])
def test_a_client_reads(name, service, shell):
    """The account's API takes the token where the client puts the secret, or the client puts it where other APIs take a key."""
    if name == "Java" and "jdk.compiler" not in subprocess.run("java --list-modules", shell=True, capture_output=True, text=True).stdout:
        pytest.skip("needs a JDK, which Tests/install.sh does not install")
    client = READERS[name]
    place = {"apiCredential": {"header": client.header}} if client.header != "Authorization" else {}
    token = log_in(shell, service, **place)
    shown, secret = run(shell, client)
    assert service.word in shown and token not in shown
    service.check(secret)


@pytest.mark.parametrize("name", WRITERS)
def test_a_client_writes(name, service, shell):
    log_in(shell, service)
    shown, secret = run(shell, WRITERS[name])
    assert json.loads(shown)["length"] == LARGE and len(service.passed[0].body) == LARGE
    service.check(secret)


def test_git_clones_and_pushes(service, shell, tmp_path):
    """A push of megabytes comes in chunks."""
    repositories = test_git.GitServer(tmp_path, service)
    try:
        log_in(shell, service, gitHosts=[repositories.host], gitUserName="git-user")
        helper = '!f() { echo username=any; echo "password=$OAUTH_STDIO_SECRET"; }; f'
        script = (
            f'url="$OAUTH_STDIO_URL/@{repositories.host}/repository.git"; set -e; git config --global credential.helper {shlex.quote(helper)}; '
            f'git clone -q "$url" copy; cd copy; head -c {LARGE} /dev/urandom >file; git add file; '
            'git -c user.name=n -c user.email=e commit -qm m; git push -q origin HEAD:main; git clone -q "$url" ../second; cmp file ../second/file')
        shell.environment |= {"GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1"}
        run(shell, Client("bash FILE", script))
        # The host has the user name that it wants, and the token.
        assert repositories.names == {"git-user"} and repositories.rejected == 0
        assert not service.passed
    finally:
        repositories.close()


def test_pip_installs_from_an_index(service, shell):
    """Its links are relative: the door does not change bodies."""
    log_in(shell, service)
    name = "x-1.0-py3-none-any.whl"
    service.pages["/api/simple/x/"] = lambda request: Response(200, f'<a href="../../files/{name}">{name}</a>'.encode(), {"Content-Type": "text/html"})
    service.pages[f"/api/files/{name}"] = lambda request: Response(200, test_hosts.wheel())
    options = "--target target --no-cache-dir --disable-pip-version-check --no-input"
    client = Client(f'{PYTHON} -m pip install -q {options} --index-url "http://any:$OAUTH_STDIO_SECRET@${{OAUTH_STDIO_URL#http://}}/simple/" x && ls target')
    shown, secret = run(shell, client)
    assert "x.py" in shown.split()
    service.check(secret)


def test_rclone_copies_from_and_to_webdav(shell):
    """The server names files by its own paths, so the account has the name of the first part of them."""
    with HostServer(shell.home / "clock") as service:
        log_in(shell, service, "dav", apiBase=service.url + "/dav/")
        service.files |= {"/dav/a": b"1", "/dav/b": b"2"}
        env = ["RCLONE_CONFIG_REMOTE_TYPE=webdav", "RCLONE_CONFIG_REMOTE_URL={url}", "RCLONE_CONFIG_REMOTE_BEARER_TOKEN={secret}"]
        client = Client("rclone copy REMOTE: . && cat a b && head -c 1000000 /dev/zero >new && rclone copy new REMOTE:", env=env)
        assert run(shell, client, words=("dav",))[0] == "12"
        assert service.files["/dav/new"] == bytes(1_000_000) and set(service.accepted) == service.living and not service.is_shown


def memory(process: int) -> bytes:
    """Returns what a process has in its memory."""
    found = []
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as content:
        for line in maps:
            start, end, writable = re.match(r"([0-9a-f]+)-([0-9a-f]+) (?:r(w)?)?", line).groups()
            if writable:
                content.seek(int(start, 16))
                try:
                    found.append(content.read(int(end, 16) - int(start, 16)))
                except OSError:
                    # The kernel's own.
                    continue
    return b"".join(found)


def test_the_token_is_neither_in_the_client_nor_in_a_log(service, shell):
    """The search finds the secret and the answer in the client's memory."""
    token = log_in(shell, service)
    log, audit = shell.home / "log", shell.home / "audit"
    client = python("import requests\nanswer = requests.post(URL + '/x', 'hello', headers=HEADERS).text\nprint(os.getpid(), flush=True)\ninput()\n")
    (shell.home / "program").write_text(client.text)
    options = ["--log", log, "--log-level", "debug", "--audit", audit]
    process = shell.start(*options, "run", "me", "--", PYTHON, shell.home / "program", stdin=subprocess.PIPE)
    number = int(process.stdout.readline())
    environment = dict(entry.partition(b"=")[::2] for entry in open(f"/proc/{number}/environ", "rb").read().split(b"\0"))
    secret = environment[b"OAUTH_STDIO_SECRET"]
    held = memory(number)
    assert secret in held and service.word.encode() in held and token.encode() not in held
    shown, said = process.communicate("\n", timeout=60)
    assert process.returncode == 0
    wait_until(lambda: audit.exists() and '"http"' in audit.read_text())
    written = shown + said + audit.read_text() + log.read_text()
    assert token not in written and secret.decode() not in written and log.read_text()
    service.check(secret.decode())

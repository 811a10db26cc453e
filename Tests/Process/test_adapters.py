"""The adapters of the Python package and of Go with the real libraries."""

import os
import signal
import subprocess

import pytest

from bound_tokens import BoundAPI, BoundAuthorizationServer
from hosts_page import HostServer
from provider import Provider, Request, Response
from rpc import ROOT
from test_hosts import User, build_go, user  # noqa: F401, a fixture
from waiting import wait_until

pytestmark = pytest.mark.ci

SOURCE = ROOT / "examples" / "python" / "src"
# Code that asks for a URL with each library, and returns the status of the answer. `run` runs a coroutine in the program's one event loop.
START = """\
import asyncio, atexit, os, signal, sys, threading
from oauth_stdio import *
URL = os.environ["URL"]
me = Login("me")
loop = asyncio.new_event_loop()
run = loop.run_until_complete
"""
LIBRARIES = {
    "requests": """\
import requests
session = requests.Session()
session.auth = me.for_requests()
def ask(url=URL, **more):
    return session.request("POST" if more else "GET", url, **more).status_code
""",
    "httpx": """\
import httpx
client = httpx.Client(auth=me.for_httpx(), follow_redirects=True)
def ask(url=URL, **more):
    return client.request("POST" if more else "GET", url, **more).status_code
""",
    "httpx2": """\
import httpx2
client = httpx2.Client(auth=me.for_httpx2(), follow_redirects=True)
def ask(url=URL, **more):
    return client.request("POST" if more else "GET", url, **more).status_code
""",
    "httpx, asynchronous": """\
import httpx
client = httpx.AsyncClient(auth=me.for_httpx(), follow_redirects=True)
async def status(url, **more):
    return (await client.request("POST" if more else "GET", url, **more)).status_code
def ask(url=URL, **more):
    return run(status(url, **more))
""",
    "aiohttp": """\
import aiohttp
async def start():
    return aiohttp.ClientSession(middlewares=[me.for_aiohttp()])
session = run(start())
atexit.register(lambda: run(session.close()))
async def status(url, **more):
    async with session.request("POST" if more else "GET", url, **more) as answer:
        return answer.status
def ask(url=URL, **more):
    return run(status(url, **more))
""",
    "google-auth": """\
from google.auth.transport.requests import AuthorizedSession
session = AuthorizedSession(me.for_google())
def ask(url=URL, **more):
    return session.request("POST" if more else "GET", url, **more).status_code
""",
    "PyGithub": """\
import github
client = github.Github(auth=me.for_pygithub(), base_url=URL)
def ask():
    try:
        return client.get_user().login and 200
    except github.GithubException as error:
        return error.status
""",
    "anthropic": """\
import anthropic
client = anthropic.Anthropic(credentials=me.for_anthropic(), base_url=URL)
def ask():
    try:
        return client.models.list() and 200
    except anthropic.APIStatusError as error:
        return error.status_code
""",
    "anthropic, asynchronous": """\
import anthropic
client = anthropic.AsyncAnthropic(credentials=me.for_anthropic(), base_url=URL)
async def models():
    return await client.models.list()
def ask():
    return run(models()) and 200
""",
    "openai": """\
import openai
client = openai.OpenAI(api_key=me.token, base_url=URL)
def ask():
    return client.models.list() and 200
""",
    "openai, asynchronous": """\
import openai
client = openai.AsyncOpenAI(api_key=me.token_async, base_url=URL)
async def models():
    return await client.models.list()
def ask():
    return run(models()) and 200
""",
    "azure-core": """\
from azure.core import PipelineClient
from azure.core.pipeline.policies import BearerTokenCredentialPolicy
from azure.core.rest import HttpRequest
client = PipelineClient(URL, policies=[BearerTokenCredentialPolicy(me.for_azure(), "scope")])
def ask(url=URL):
    return client.send_request(HttpRequest("GET", url), enforce_https=False).status_code
""",
    "azure-core, asynchronous": """\
from azure.core import AsyncPipelineClient
from azure.core.pipeline.policies import AsyncBearerTokenCredentialPolicy
from azure.core.rest import HttpRequest
client = AsyncPipelineClient(URL, policies=[AsyncBearerTokenCredentialPolicy(me.for_azure_async(), "scope")])
atexit.register(lambda: run(client.close()))
async def send(url):
    async with me.for_azure_async():
        return await client.send_request(HttpRequest("GET", url), enforce_https=False)
def ask(url=URL):
    return run(send(url)).status_code
""",
}
# Libraries whose hook sees the answer 401.
TWICE = ["requests", "httpx", "httpx2", "httpx, asynchronous", "aiohttp", "google-auth", "anthropic"]
# Libraries whose hook sees the URL of each request, or of the server.
WITH_URL = ["requests", "httpx", "httpx, asynchronous", "aiohttp", "google-auth"]


def python(user: User, library: str, text: str, url: str = "", **environment) -> list[str]:
    """Runs a program with the library, and returns the lines that it prints."""
    done = user.python(
        START + LIBRARIES[library] + text, URL=url or user.server.url + "/api", PYTHONPATH=SOURCE, PYTHONWARNINGS="ignore", **environment)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout.splitlines()


class Elsewhere(Provider):
    """Another host, which accepts every request. It redirects one of them to itself."""

    def __init__(self):
        super().__init__(lambda request: Response(302, b"", {"Location": "/y"}) if request.path == "/x" else Response.of({}))

    def received(self, secret: str) -> bool:
        return any(secret in value for request in self.requests for value in request.headers.values())


@pytest.fixture
def elsewhere():
    with Elsewhere() as running:
        yield running


def reject_after(server: HostServer, requests: int) -> None:
    """From then on the server rejects the token, though it has not ended."""
    server.end_token = lambda: setattr(server, "living", set())
    server.end_token_after(requests)


@pytest.mark.parametrize("library", ["httpx, asynchronous", "anthropic, asynchronous", "openai, asynchronous"])
def test_an_asynchronous_client_goes_on_after_the_end_of_the_token(user, library):
    """Tests/Process/test_hosts.py does so with the other ones."""
    user.sign_in()
    user.server.end_token_after(1)
    assert python(user, library, "print(ask(), ask())") == ["200 200"]
    assert (len(set(user.server.accepted)), user.server.refreshes, user.server.is_lost) == (2, 1, False)


@pytest.mark.parametrize("library", ["azure-core", "azure-core, asynchronous"])
def test_azure_asks_again_before_the_end_of_the_token(user, library):
    """azure-core holds a token until 300 seconds before its end. It sees the clock that the program moves."""
    user.sign_in()
    text = f"""
statuses = [ask(), ask()]
open({str(user.server.clock)!r}, "w").write("+3400s")
print(*statuses, ask(), ask())
"""
    assert python(user, library, text, **user.fake_time) == ["200 200 200 200"]
    first, second = user.server.accepted[:2], user.server.accepted[2:]
    assert len(set(first)) == len(set(second)) == 1 and first != second and user.server.refreshes == 1


@pytest.mark.parametrize("library", TWICE)
def test_a_rejected_token_is_replaced_in_the_same_request(user, library):
    user.sign_in()
    reject_after(user.server, 1)
    assert python(user, library, "print(ask(), ask(), ask())") == ["200 200 200"]
    assert (len(set(user.server.accepted)), user.server.refreshes, user.server.is_lost) == (2, 1, False)


@pytest.mark.parametrize("library", TWICE)
def test_a_service_that_rejects_every_token_costs_one_refresh(user, library):
    user.sign_in()
    # It answers each request of the API so.
    user.server.accept = lambda token: setattr(user.server, "living", set())
    user.server.answer = lambda request: Response(401, b"", {"WWW-Authenticate": "Bearer"})
    assert python(user, library, "print(ask(), ask(), ask())") == ["401 401 401"]
    assert user.server.refreshes == 1


@pytest.mark.parametrize("end", [HostServer.end_token_after, reject_after])
@pytest.mark.parametrize("library", ["requests", "google-auth"])
def test_threads_share_one_process_and_one_refresh(user, library, end):
    user.sign_in()
    end(user.server, 1)
    text = """
found = [ask()]
threads = [threading.Thread(target=lambda: found.append(ask())) for _ in range(8)]
[each.start() for each in threads]
[each.join() for each in threads]
print(set(found), len(found))
"""
    assert python(user, library, text) == ["{200} 9"]
    assert (len(set(user.server.accepted)), user.server.refreshes, user.server.is_lost) == (2, 1, False)


@pytest.mark.parametrize("library", ["httpx, asynchronous", "aiohttp"])
def test_coroutines_share_one_refresh(user, library):
    user.sign_in()
    reject_after(user.server, 1)
    text = """
async def work():
    return await asyncio.gather(*(status(URL) for _ in range(8)))
print(ask(), set(run(work())))
"""
    assert python(user, library, text) == ["200 {200}"]
    assert (len(set(user.server.accepted)), user.server.refreshes, user.server.is_lost) == (2, 1, False)


def test_a_request_with_a_body_is_repeated_if_the_body_can_be_sent_again(user):
    user.sign_in()
    bodies = []
    accept = user.server.answer
    user.server.answer = lambda request: bodies.append(request.body) or accept(request)
    for library, body in [
        ("requests", "data=b'body'"), ("requests", "data=open('body', 'rb')"), ("httpx", "content=b'body'"),
        ("httpx, asynchronous", "content=b'body'"), ("aiohttp", "data=b'body'"), ("aiohttp", "data=open('body', 'rb')"), ("google-auth", "data=b'body'"),
    ]:
        bodies.clear()
        reject_after(user.server, 1)
        assert python(user, library, f"open('body', 'w').write('body')\nprint(ask(), ask(URL, {body}))") == ["200 200"], (library, body)
        assert bodies == [b"", b"body"], (library, body)
    for library, body in [
        ("requests", "data=iter([b'body'])"), ("httpx", "content=iter([b'body'])"), ("httpx", "content=open('body', 'rb')"), ("aiohttp", "data=parts()"),
    ]:
        bodies.clear()
        reject_after(user.server, 1)
        # The next request has the new token.
        text = f"async def parts():\n    yield b'body'\nopen('body', 'w').write('body')\nprint(ask(), ask(URL, {body}), ask(URL, {body}))"
        assert python(user, library, text) == ["200 401 200"], (library, body)
        assert bodies == [b"", b"body"], (library, body)


@pytest.mark.parametrize("library", WITH_URL)
def test_a_redirect_to_another_host_takes_no_token_along(user, elsewhere, library):
    user.sign_in()
    user.server.pages["/api/away"] = Response(302, b"", {"Location": elsewhere.url + "/x"})
    assert python(user, library, "print(ask(URL + '/away'), ask())") == ["200 200"]
    assert elsewhere.requests and not elsewhere.received(user.server.accepted[0])


@pytest.mark.parametrize("library", ["requests", "aiohttp"])
def test_a_redirect_takes_no_header_of_the_provider_along(user, elsewhere, library):
    seen = []

    def answer(request: Request) -> Response:
        seen.append(request.headers.get("X-Token"))
        return Response(302, b"", {"Location": elsewhere.url + "/x"}) if request.path == "/api/away" else Response(200)

    with Provider(answer) as service:
        user.sign_in(provider={"apiCredential": {"header": "X-Token"}, "apiBase": service.url + "/api/"})
        assert python(user, library, "print(ask(URL), ask(URL + '/away'))", service.url + "/api") == ["200 200"]
    assert len(seen) == 2 and set(seen) == user.server.living and elsewhere.requests and not elsewhere.received(seen[0])


@pytest.mark.parametrize("library", [*WITH_URL, "PyGithub"])
def test_another_host_gets_no_token(user, elsewhere, library):
    user.sign_in()
    text = """
try:
    ask()
except HostNotAllowed as error:
    print(type(error).__name__)
"""
    assert python(user, library, text, elsewhere.url) == ["HostNotAllowed"]
    assert not elsewhere.requests


def test_a_token_that_is_bound_to_a_key(user):
    """The service wants a nonce, and another one with each request (RFC 9449, 9)."""
    with BoundAuthorizationServer() as server, BoundAPI(server) as api:
        user.sign_in(server, {"apiBase": api.url + "/api/"}, dpop=True)
        api.proofs.nonce, api.proofs.rotates = "n", True
        for library in ("requests", "httpx", "httpx, asynchronous", "aiohttp"):
            assert python(user, library, "print(ask(), ask(), ask(URL, data={'a': 'b'}))", api.url + "/api") == ["200 200 200"], library
        assert set(api.proofs.faults) == {"the proof needs the nonce"}


def test_google_takes_a_token_that_lives_shorter_than_its_threshold(user):
    """Its own `refresh_handler` fails with less than 225 seconds."""
    user.server.lifetime = 100
    user.sign_in()
    text = """
import google.auth.transport.grpc, types
credentials = session.credentials.with_quota_project("p")
credentials.refresh(None)
print(ask(), credentials.expiry.tzinfo, credentials.token == me.token())
headers = dict(google.auth.transport.grpc.AuthMetadataPlugin(credentials, None)._get_authorization_headers(
    types.SimpleNamespace(method_name="Publish", service_url=URL)))
print(headers == {"authorization": "Bearer " + me.token(), "x-goog-user-project": "p"})
"""
    assert python(user, "google-auth", text) == ["200 None True", "True"]


# The process


def test_the_program_is_started_again_after_its_death(user):
    user.sign_in()
    text = """
process = me._process
print(ask())
first = process.process_id
os.kill(first, signal.SIGKILL)
print(ask(), process.process_id not in (None, first), Login("me")._process is process)
# This one dies with an open request.
second = process.process_id
os.kill(second, signal.SIGSTOP)
found = []
thread = threading.Thread(target=lambda: found.append(ask()))
thread.start()
while not process._run.pending:
    pass
os.kill(second, signal.SIGKILL)
thread.join()
print(found)
"""
    assert python(user, "requests", text) == ["200", "200 True True", "[200]"]


def test_a_forked_process_runs_a_program_of_its_own(user):
    user.sign_in()
    text = """
process = me._process
ask()
first = process.process_id
# As if another thread held them.
with process._start, process.renewal:
    child = os.fork()
    if child == 0:
        reader, writer = os.pipe()
        print(ask(), process.process_id != first, flush=True)
        process.close()
        os._exit(0)
os.waitpid(child, 0)
print(ask(), process.process_id == first)
"""
    assert python(user, "requests", text) == ["200 True", "200 True"]


@pytest.mark.parametrize("end", ["", "os.kill(os.getpid(), signal.SIGKILL)", "os.kill(os.getpid(), signal.SIGINT)"])
def test_the_program_ends_with_python(user, end):
    user.sign_in()
    text = START + LIBRARIES["requests"] + f"ask()\nprint(me._process.process_id, flush=True)\n{end}\n"
    file = user.write("program.py", text)
    environment = {**user.environment, "URL": user.server.url + "/api", "PYTHONPATH": str(SOURCE)}
    done = subprocess.run([*user.run("command -v python").stdout.split(), file], capture_output=True, text=True, timeout=60, env=environment)
    process = int(done.stdout)
    wait_until(lambda: not os.path.exists(f"/proc/{process}"))


# Errors


@pytest.mark.parametrize("library", [*LIBRARIES])
def test_a_missing_login_says_what_to_do(user, library):
    user.sign_in()
    assert user.run("oauth-stdio logout me").returncode == 0
    text = """
try:
    ask()
except Exception as error:
    while error and not isinstance(error, SignInRequired):
        error = error.__cause__ or error.__context__
    print(error)
"""
    assert python(user, library, text) == ["me is not signed in: run oauth-stdio login me"]


def test_an_unknown_account_is_no_provider(user):
    text = "try:\n    Login('another').token()\nexcept SignInRequired as error:\n    print(error)\n"
    assert python(user, "requests", text) == ["there is no account another: run oauth-stdio login PROVIDER --account another"]


def test_a_login_whose_end_the_provider_has_decided(user):
    user.sign_in()
    user.server.is_lost = True
    user.server.end_token()
    text = """
try:
    ask()
except SignInRequired as error:
    print(error)
"""
    (said,) = python(user, "requests", text)
    assert said.startswith("me is not signed in: run oauth-stdio login me (sign-in is required: the provider rejected the refresh token")


def test_the_program_is_missing(user):
    user.sign_in()
    text = """
try:
    Login("me", program="/nonexistent/oauth-stdio").token()
except FileNotFoundError as error:
    print(error)
"""
    assert python(user, "requests", text) == ["[Errno 2] No such file or directory: '/nonexistent/oauth-stdio'"]


def test_no_library_is_imported_before_it_is_asked_for(user):
    text = "from oauth_stdio import Login\nimport sys\nLogin('me')\nprint({'requests', 'httpx', 'aiohttp', 'azure', 'google', 'github'} & {*sys.modules})\n"
    assert user.python(text, PYTHONPATH=SOURCE).stdout == "set()\n"


# Go

GO = """\
package main

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"sync"

	"example.com/login"
)

func main() {
	source := login.New("me")
	client := &http.Client{Transport: source.Transport()}
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		var group sync.WaitGroup
		for i := 0; i < 4; i++ {
			group.Add(1)
			go func() {
				defer group.Done()
				if answer, err := client.Get(os.Args[1]); err != nil || answer.StatusCode != 200 {
					fmt.Println(answer, err)
				}
			}()
		}
		group.Wait()
		token, err := source.Token()
		fmt.Println(token != nil && token.Valid(), err)
	}
}
"""


def test_go_takes_no_token_to_another_host(user, elsewhere):
    program = build_go(user, GO)
    user.sign_in()
    user.server.pages["/api/away"] = Response(302, b"", {"Location": elsewhere.url + "/x"})
    done = user.run(f"echo | {program} {user.server.url}/api/away")
    assert done.stdout == "true <nil>\n" and elsewhere.requests and not elsewhere.received(next(iter(user.server.living)))
    assert "127.0.0.1" in user.run(f"echo | {program} {elsewhere.url}").stdout and len(elsewhere.requests) == 8


def test_go_shares_one_process_and_starts_it_again(user):
    program = build_go(user, GO)
    user.sign_in()
    command = [program, user.server.url + "/api/x"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env=user.environment) as process:

        def ask() -> int:
            """Returns the program that answered."""
            process.stdin.write("\n")
            assert process.stdout.readline() == "true <nil>\n"
            (child,) = [int(word) for task in os.listdir(f"/proc/{process.pid}/task") for word in open(f"/proc/{process.pid}/task/{task}/children").read().split()]
            return child

        first = ask()
        user.server.end_token()
        assert ask() == first and user.server.refreshes == 1
        os.kill(first, signal.SIGKILL)
        second = ask()
        assert second != first
        assert user.run("oauth-stdio logout me").returncode == 0
        process.stdin.write("\n")
        said = [process.stdout.readline() for _ in range(5)]
        assert all("me is not signed in: run oauth-stdio login 'me'" in line for line in said), said
        process.kill()
    wait_until(lambda: not os.path.exists(f"/proc/{second}"))

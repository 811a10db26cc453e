"""The Python client against the program and the demo provider, and against the type checker."""

import asyncio
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig

import pytest

import reference
from example_user import EXAMPLES, SIGN_IN, Home, visit
from rpc import BINARY, PATIENCE

PACKAGE = EXAMPLES / "python"
sys.path.insert(0, str(PACKAGE / "src"))
import oauth_stdio  # noqa: E402
from oauth_stdio import Client, OAuthError, ProcessEnded  # noqa: E402

pytestmark = pytest.mark.ci

OPENRPC = reference.schema("openrpc")


@pytest.fixture
def user(tmp_path, demo) -> Home:
    home = Home(tmp_path / "user")
    home.configure(provider=demo.provider)
    return home


def client(user: Home, *arguments: str, program: str = BINARY) -> Client:
    return Client("--config", str(user.configuration), *arguments, program=program, environment=user.environment)


def run(test) -> None:
    """Runs the coroutine and ends it if it hangs."""
    asyncio.run(asyncio.wait_for(test, 2 * PATIENCE))


def visit_pages(client: Client) -> None:
    client.on_sign_in_was_requested(lambda event: asyncio.get_running_loop().run_in_executor(None, visit, event["url"]))


async def next_event(register) -> dict:
    """Waits for an event. `register` is a method such as `client.on_sign_in_was_requested`."""
    event = asyncio.get_running_loop().create_future()
    remove = register(lambda params: event.done() or event.set_result(params))
    try:
        return await event
    finally:
        remove()


# Requests, events and errors


def test_a_sign_in_and_a_call(user):
    async def test():
        events = []
        async with client(user) as oauth:
            visit_pages(oauth)
            oauth.on_authorization_was_successful(events.append)
            oauth.on_response_from_service_was_received(events.append)
            signed_in = await oauth.authorize(account="demo", scopes=["read"])
            assert signed_in["via"] == "signedIn" and signed_in["grantedScopes"] == ["read"]
            answer = await oauth.call_api(account="demo", url="me", query={"q": ["a", "b"]}, as_="json")
            assert answer["json"]["user"] == "demo" and answer["status"] == 200
            assert (await oauth.accounts())["accounts"][0]["canAuthorize"] is True
        assert [event.get("via") or event["status"] for event in events] == ["signedIn", 200]

    run(test())


def test_errors_are_classes_by_kind(user):
    async def test():
        async with client(user) as oauth:
            with pytest.raises(oauth_stdio.SignInRequired) as required:
                await oauth.authorize(account="demo", interaction="never")
            assert (required.value.code, required.value.kind, required.value.retryable) == (1000, "signInRequired", False)
            assert required.value.data["account"] == "demo"
            visit_pages(oauth)
            await oauth.authorize(account="demo")
            with pytest.raises(oauth_stdio.ServiceError) as service:
                await oauth.call_api(account="demo", url="status/404")
            assert service.value.data["httpStatus"] == 404 and str(service.value) == "the service answered with status 404"
            with pytest.raises(oauth_stdio.InvalidParams) as params:
                await oauth.account(account="")
            assert params.value.path == "/account"
            with pytest.raises(oauth_stdio.MethodNotFound):
                await oauth._request("nothing", {})

    run(test())


def test_every_kind_has_a_class_and_an_unknown_kind_has_the_base():
    async def test():
        for kind, error in OPENRPC["components"]["errors"].items():
            made = Client()._error({**error, "data": {"kind": kind, "retryable": True}})
            assert type(made) is getattr(oauth_stdio, kind[0].upper() + kind[1:]) and isinstance(made, OAuthError)
            assert (made.code, str(made), made.kind, made.retryable) == (error["code"], error["message"], kind, True)
        assert type(Client()._error({"code": 2000, "message": "new", "data": {"kind": "brandNew"}})) is OAuthError
        assert type(Client()._error({"code": -32000, "message": "ends", "data": {"kind": "ending"}})) is oauth_stdio.ProcessEnding

    run(test())


def test_every_method_and_event_is_there():
    methods = {method["name"] for method in OPENRPC["methods"]}
    source = (PACKAGE / "src" / "oauth_stdio" / "generated.py").read_text()
    assert set(re.findall(r'self\._request\("([^"]+)"', source)) == methods - {
        "initialized", "shutdown", "exit", "$/cancelRequest", "notifications/cancelled",
    }
    assert set(re.findall(r'self\._on\("([^"]+)"', source)) == {event["name"] for event in OPENRPC["x-notifications"]}


def test_a_quick_request_overtakes_a_slow_one_and_one_process_serves_both(user):
    async def test():
        done = []
        async with client(user) as oauth:
            visit_pages(oauth)

            async def get(url: str) -> int:
                await oauth.call_api(account="demo", url=url)
                done.append(url)
                return oauth.process_id

            # Both start the program if it is not running yet.
            await asyncio.gather(oauth.authorize(account="demo"), oauth.accounts())
            assert len(set(await asyncio.gather(get("slow?seconds=1"), get("me")))) == 1
        assert done == ["me", "slow?seconds=1"]

    run(test())


def test_a_long_line_and_a_line_separator_in_it(user):
    async def test():
        async with client(user) as oauth:
            # asyncio's limit of a line is 64 KiB.
            assert len(str(await oauth.rpc_discover())) > 1 << 17
            visit_pages(oauth)
            await oauth.authorize(account="demo")
            answer = await oauth.call_api(account="demo", url="me", query={"q": "\u2028"}, as_="json")
            assert answer["json"]["query"] == {"q": "\u2028"}

    run(test())


def test_a_callback_that_fails_or_is_removed(user):
    async def test():
        failures, heard = [], []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: failures.append(context["exception"]))
        async with client(user) as oauth:
            oauth.on_sign_in_was_requested(lambda event: event["nothing"])
            remove = oauth.on_sign_in_was_requested(heard.append)
            other = oauth.on_sign_in_was_requested(lambda event: heard.append("other"))
            other()
            other()
            await oauth.authorize(account="demo", wait=False)
            remove()
            await oauth.authorize(account="demo", wait=False)
        assert len(failures) == 2 and isinstance(failures[0], KeyError)
        assert [event["account"] for event in heard] == ["demo"]

    run(test())


# Cancellation


def test_cancelling_a_task_cancels_its_request(user):
    async def test():
        async with client(user) as oauth:
            requested = asyncio.ensure_future(next_event(oauth.on_sign_in_was_requested))
            task = asyncio.create_task(oauth.authorize(account="demo"))
            sign_in = await requested
            process = oauth.process_id
            abandoned = asyncio.ensure_future(next_event(oauth.on_sign_in_was_abandoned))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            event = await abandoned
            assert (event["signIn"], event["reason"]) == (sign_in["signIn"], "cancelled")
            assert "signIn" not in await oauth.account(account="demo") and oauth.process_id == process

    run(test())


def test_a_timeout_cancels_a_request(user):
    async def test():
        async with client(user) as oauth:
            abandoned = asyncio.ensure_future(next_event(oauth.on_sign_in_was_abandoned))
            with pytest.raises(TimeoutError):
                # The time is up when the page is open.
                async with asyncio.timeout(None) as limit:
                    loop = asyncio.get_running_loop()
                    oauth.on_sign_in_was_requested(lambda params: limit.reschedule(loop.time()))
                    await oauth.authorize(account="demo")
            assert (await abandoned)["reason"] == "cancelled"
            assert "signIn" not in await oauth.account(account="demo")

    run(test())


# The end of the process


def test_a_killed_process_is_started_again(user):
    async def test():
        async with client(user) as oauth:
            requested = asyncio.ensure_future(next_event(oauth.on_sign_in_was_requested))
            waiting = [asyncio.create_task(oauth.authorize(account="demo")) for _ in range(2)]
            await requested
            killed = oauth.process_id
            os.kill(killed, signal.SIGKILL)
            for task in waiting:
                with pytest.raises(ProcessEnded, match="status -9") as ended:
                    await task
                assert ended.value.status == -9
            assert oauth.process_id is None
            visit_pages(oauth)
            assert (await oauth.authorize(account="demo"))["via"] == "signedIn"
            assert oauth.process_id not in (None, killed)

    run(test())


def test_initialize_holds_after_a_restart(user):
    async def test():
        heard = []
        async with client(user) as oauth:
            oauth.on_sign_in_was_requested(heard.append)
            oauth.on_authorization_was_successful(heard.append)
            await oauth.initialize(events=["authorizationWasSuccessful"])
            await oauth.authorize(account="demo", wait=False)
            os.kill(oauth.process_id, signal.SIGKILL)
            with contextlib.suppress(ProcessEnded):
                await oauth.accounts()
            await oauth.authorize(account="demo", wait=False)
            await oauth.accounts()
        assert heard == []

    run(test())


def test_closing_cancels_open_requests_and_ends_the_process(user):
    async def test():
        oauth = client(user)
        requested = asyncio.ensure_future(next_event(oauth.on_sign_in_was_requested))
        task = asyncio.create_task(oauth.authorize(account="demo"))
        await requested
        process = oauth.process_id
        await oauth.close()
        with pytest.raises(oauth_stdio.RequestCancelled):
            await task
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)
        with pytest.raises(ProcessEnded, match="the client is closed"):
            await oauth.accounts()
        await oauth.close()

    run(test())


def test_an_error_in_the_block_leaves_no_process_behind(user):
    async def test():
        with pytest.raises(ZeroDivisionError):
            async with client(user) as oauth:
                await oauth.authorize(account="demo", wait=False)
                process = oauth.process_id
                raise ZeroDivisionError
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)

    run(test())


def test_other_programs(user, tmp_path):
    async def test():
        async with client(user, program="/nonexistent/oauth-stdio") as oauth:
            with pytest.raises(FileNotFoundError, match="/nonexistent/oauth-stdio"):
                await oauth.accounts()
        talker = tmp_path / "talker"
        talker.write_text("#!/bin/sh\necho hello\nread -r line\nread -r line\n")
        talker.chmod(0o755)
        async with client(user, program=str(talker)) as oauth:
            with pytest.raises(ProcessEnded, match="not JSON"):
                await oauth.accounts()
        for line in ("1", "[]", "{}", '"x"', "null"):
            talker.write_text(f"#!/bin/sh\necho '{line}'\nread -r line\nread -r line\n")
            async with client(user, program=str(talker)) as oauth:
                with pytest.raises(ProcessEnded, match="not"):
                    await oauth.accounts()

    run(test())


# Installation and types


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The Python of a fresh environment with the package, installed by pip without a network."""
    folder = tmp_path_factory.mktemp("installed")
    # setuptools writes into the tree.
    shutil.copytree(PACKAGE, folder / "python", ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__", ".mypy_cache"))
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    command = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-index", "--no-build-isolation", folder / "python"]
    # The build tool is that of the tests.
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": sysconfig.get_path("purelib")}, timeout=100)
    return python


def test_the_installed_package_signs_in(user, installed, tmp_path):
    script = tmp_path / "example.py"
    shutil.copy(PACKAGE / "example.py", script)
    status, said, told = user.run(str(installed), str(script), "demo", "me")
    assert (status, said) == (0, "demo\n") and told.count(SIGN_IN) == 1
    where = subprocess.run([installed, "-c", "import oauth_stdio; print(oauth_stdio.__file__)"], capture_output=True, check=True, text=True)
    assert where.stdout.startswith(str(installed.parent.parent))


def mypy(*arguments, cwd) -> tuple[int, str]:
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", os.devnull, *map(str, arguments)]
    checked = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100)
    return checked.returncode, checked.stdout


def test_the_package_passes_the_type_checker():
    assert mypy(cwd=PACKAGE) == (0, "")
    assert mypy(PACKAGE.parent / "demo-provider", cwd=PACKAGE.parent) == (0, "")


RIGHT = """\
from oauth_stdio import Client, ServiceError, SignInWasRequested


def show(event: SignInWasRequested) -> None:
    print(event["url"], event.get("userCode", ""))


async def use(client: Client) -> str | None:
    client.on_sign_in_was_requested(show)
    await client.authorize(provider={"preset": "keycloak", "pkce": "off"}, scopes=["read"], flow="device")
    await client.call_api(account="a", url="u", method="POST", body={"form": {"a": 1, "b": ["c", True]}}, query={"q": "r"})
    await client.call_api(account="a", url="u", as_="json")
    try:
        status: int = (await client.call_api(account="a", url="u"))["status"]
    except ServiceError as error:
        return error.data.get("serviceMessage")
    print(status)
    return (await client.authorize(account="a")).get("email")
"""
# Each line is a statement that must not pass.
WRONG = [
    'await client.authorize("github")',
    'await client.authorize(acount="github")',
    "await client.authorize(account=1)",
    'await client.authorize(flow="popup")',
    'await client.authorize(scopes="read")',
    'await client.call_api(account="a")',
    'await client.call_api(account="a", url="u", body={"xml": "<a/>"})',
    '(await client.authorize(account="a"))["token"]',
    'client.account(account="a")["account"]',
    "client.on_sign_in_was_requested(lambda event: event['link'])",
    'client.on_sign_in_was_requested("print")',
    "required.data['nothing']",
    "await client.shutdown()",
]


def test_the_type_checker_knows_the_installed_package_and_rejects_wrong_calls(installed, tmp_path):
    (tmp_path / "right.py").write_text(RIGHT)
    assert mypy("--python-executable", installed, "right.py", cwd=tmp_path) == (0, "")
    head = ["from oauth_stdio import Client, SignInRequired", "", "", "async def use(client: Client, required: SignInRequired) -> None:"]
    (tmp_path / "wrong.py").write_text("\n".join([*head, *(f"    {line}" for line in WRONG)]) + "\n")
    status, told = mypy("--python-executable", installed, "wrong.py", cwd=tmp_path)
    rejected = {int(number) for number in re.findall(r"^wrong\.py:(\d+): error", told, re.MULTILINE)}
    accepted = [line for number, line in enumerate(WRONG, len(head) + 1) if number not in rejected]
    assert status == 1 and not accepted, told

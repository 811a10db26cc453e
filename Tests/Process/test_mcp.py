"""`oauth-stdio mcp`: the methods as tools of the Model Context Protocol, with the official Python SDK."""

import asyncio
import json
import os
import re
import shlex
import subprocess

import jsonschema
import pytest
from mcp import Client, MCPError, StdioServerParameters

from provider import Response
from rpc import BINARY, ROOT
from test_command_line import Shell, log_in
from waiting import Hold

# The SDK speaks the version without a handshake, or the one with it.
MODES = ["auto", "legacy"]


@pytest.fixture
def shell(home):
    return Shell(home)


@pytest.fixture
def connect(shell):
    def connect(*words, options=(), mode="auto", **client) -> Client:
        command = [*shell.words()[1:], *options, "mcp", *words]
        return Client(StdioServerParameters(command=BINARY, args=command, env=shell.environment, cwd=str(shell.home)), mode=mode, **client)

    return connect


def text(result) -> str:
    (content,) = result.content
    return content.text


def value(result):
    assert not result.is_error, text(result)
    return json.loads(text(result))


async def names(client) -> set[str]:
    return {tool.name for tool in (await client.list_tools()).tools}


@pytest.mark.parametrize("mode", MODES)
def test_a_model_calls_an_api(shell, provider, connect, mode):
    log_in(shell, provider)

    async def run():
        async with connect(mode=mode) as client:
            assert client.server_info.name == "oauth-stdio" and "callAPI" in client.instructions
            assert client.protocol_version == {"auto": "2026-07-28", "legacy": "2025-11-25"}[mode]
            assert [account["account"] for account in value(await client.call_tool("accounts"))["accounts"]] == ["a"]
            answer = value(await client.call_tool("callAPI", {"account": "a", "url": "x", "as": "json"}))
            assert answer["status"] == 200 and answer["json"] == {"path": "/api/x", "method": "GET"}

    asyncio.run(run())


CHANGES = {"revoke", "signOut", "addScopes", "importGrant", "handleRedirect"}
TOKENS = {"accessToken", "authorizeRequest", "hostCredential", "exportGrant"}


@pytest.mark.parametrize(
    ("words", "more"), [([], set()), (["--allow-writes"], CHANGES), (["--allow-tokens"], TOKENS), (["--allow-writes", "--allow-tokens"], CHANGES | TOKENS)])
def test_only_allowed_tools_are_listed(connect, words, more):
    async def run():
        async with connect(*words) as client:
            assert await names(client) & (CHANGES | TOKENS) == more
            for name in (CHANGES | TOKENS) - more:
                with pytest.raises(MCPError, match=f"there is no tool {name}"):
                    await client.call_tool(name, {"account": "a"})

    asyncio.run(run())


def test_the_limits_of_the_command_line_hold(shell, provider, connect):
    log_in(shell, provider)

    async def run():
        async with connect("--allow-writes", options=["--accounts", "b", "--allow", "accounts,callAPI"]) as client:
            assert await names(client) == {"accounts", "callAPI"}
            result = await client.call_tool("callAPI", {"account": "a", "url": "x"})
            assert result.is_error and "--accounts does not allow this" in text(result) and "(notAllowed)" in text(result)

    asyncio.run(run())


def test_without_writes_only_reading_calls_are_sent(shell, provider, connect):
    log_in(shell, provider)

    async def run():
        async with connect() as client:
            result = await client.call_tool("callAPI", {"account": "a", "url": "x", "method": "DELETE"})
            assert result.is_error and "--read-only" in text(result)
            assert not [request for request in provider.requests if request.method == "DELETE"]
            assert value(await client.call_tool("callAPI", {"account": "a", "url": "x"}))["status"] == 200

    asyncio.run(run())


def test_files_need_a_folder(shell, provider, connect):
    """A service's answer must not replace a file that a shell runs, and no file may leave with a call."""
    log_in(shell, provider)
    (shell.home / ".bashrc").write_text("mine")
    calls = [{"saveTo": str(shell.home / ".bashrc"), "overwrite": True}, {"saveTo": str(shell.home / "new")}, {"body": {"file": str(shell.home / ".bashrc")}}]
    calls.append({"body": {"multipart": [{"name": "f", "file": str(shell.home / ".bashrc")}]}})

    async def run(*words, options=()):
        async with connect(*words, options=options) as client:
            (call,) = [tool for tool in (await client.list_tools()).tools if tool.name == "callAPI"]
            assert ("saveTo" in call.input_schema["properties"]) == bool(options)
            sent = len(provider.requests)
            for more in calls:
                result = await client.call_tool("callAPI", {"account": "a", "url": "x", "method": "GET", **more})
                assert result.is_error and "--files" in text(result), text(result)
            assert len(provider.requests) == sent and (shell.home / ".bashrc").read_text() == "mine"

    asyncio.run(run())
    asyncio.run(run("--allow-writes"))
    (shell.home / "open").mkdir()
    asyncio.run(run(options=["--files", str(shell.home / "open")]))


def test_an_error_quotes_no_token(shell, provider, connect):
    log_in(shell, provider)
    (token,) = provider.living
    challenge = {"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="x {token} y"'}
    provider.instead["/api/e"] = lambda request: Response(403, request.headers["Authorization"].encode(), challenge)

    async def run():
        async with connect() as client:
            answer = text(await client.call_tool("callAPI", {"account": "a", "url": "e"}))
            assert token not in answer and "Bearer …" in answer

    asyncio.run(run())


def test_a_model_moves_neither_grants_nor_their_key(connect):
    async def run():
        async with connect("--allow-writes", "--allow-tokens") as client:
            assert not await names(client) & {"copy", "rekey"}
            with pytest.raises(MCPError, match="there is no tool copy"):
                await client.call_tool("copy", {"from": "/etc", "to": "postgresql:///x"})

    asyncio.run(run())


def test_the_tools_describe_their_params(connect):
    async def run():
        async with connect("--allow-writes", "--allow-tokens") as client:
            tools = (await client.list_tools()).tools
            for tool in tools:
                jsonschema.Draft7Validator.check_schema(tool.input_schema)
                assert tool.description and all(param["description"] for param in tool.input_schema["properties"].values())
            call = next(tool for tool in tools if tool.name == "callAPI")
            assert call.input_schema["required"] == ["account", "url"] and "stream" not in call.input_schema["properties"]
            jsonschema.validate({"account": "a", "url": "x", "as": "json"}, call.input_schema)
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate({"account": "a", "url": "x", "as": "yaml"}, call.input_schema)
            # All tools together fit into a small part of a model's context.
            assert sum(len(tool.model_dump_json()) for tool in tools) < 40_000

    asyncio.run(run())


def test_an_error_says_what_to_do(connect):
    async def run():
        async with connect() as client:
            result = await client.call_tool("callAPI", {"account": "a", "url": "x"})
            assert result.is_error and "signInRequired" in text(result)
            result = await client.call_tool("callAPI", {"account": "a", "ulr": "x"})
            assert result.is_error and "/ulr" in text(result) and "url" in text(result)

    asyncio.run(run())


def test_the_body_of_an_error_reaches_the_model(shell, provider, connect):
    log_in(shell, provider)
    provider.instead["/api/x"] = lambda request: Response(409, b'{"why":"conflict"}')

    async def run():
        async with connect() as client:
            for form in ("text", "json"):
                result = await client.call_tool("callAPI", {"account": "a", "url": "x", "as": form})
                assert result.is_error and '{"why":"conflict"}' in text(result)

    asyncio.run(run())
    for form in ("text", "json"):
        assert shell.message("callAPI", "a", "x", "--as", form, status=1).endswith('status 409\n{"why":"conflict"}\n')


def test_the_user_signs_in(shell, provider, connect):
    config = shell.home / "config.json"
    config.write_text(json.dumps({"accounts": {"a": {"provider": provider.description, "clientId": "c", "scopes": ["read"], "openBrowser": False}}}))

    async def run():
        async with connect("--allow-writes", options=["--config", str(config)]) as client:
            pending = value(await client.call_tool("authorize", {"account": "a"}))
            assert pending["status"] == "pending"
            waiting = asyncio.create_task(client.call_tool("awaitSignIn", {"id": pending["signIn"]["id"]}))
            await asyncio.to_thread(provider.approve, pending["signIn"]["url"])
            assert value(await waiting)["status"] == "authorized"
            assert value(await client.call_tool("callAPI", {"account": "a", "url": "x"}))["status"] == 200

    asyncio.run(run())


@pytest.mark.parametrize("mode", MODES)
def test_a_cancelled_call_ends(shell, provider, connect, mode):
    log_in(shell, provider)
    provider.instead["/api/slow"] = hold = Hold()

    async def run():
        async with connect(mode=mode) as client:
            call = asyncio.create_task(client.call_tool("callAPI", {"account": "a", "url": "slow", "timeout": 60}))
            await asyncio.to_thread(hold.wait)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            # The next call has its own answer.
            assert value(await client.call_tool("accounts"))["accounts"]

    asyncio.run(run())
    hold.release()


def test_a_long_transfer_shows_its_progress(shell, provider, connect):
    log_in(shell, provider)
    provider.instead["/api/file"] = lambda request: Response(200, os.urandom(1 << 20), pause=2.5)
    seen = []

    async def note(progress, total, message):
        seen.append((progress, total, message))

    async def run():
        (shell.home / "open").mkdir()
        async with connect(options=["--files", str(shell.home / "open")]) as client:
            saved = shell.home / "open" / "file"
            value(await client.call_tool("callAPI", {"account": "a", "url": "file", "saveTo": str(saved)}, progress_callback=note))

    asyncio.run(run())
    assert seen and seen == sorted(seen) and seen[-1][1] == 1 << 20 and "bytes received" in seen[-1][2]


def exchange(shell, *messages, words=(), answered=lambda: None) -> list[dict]:
    """Returns the answers. `answered` is called after each of them."""
    lines = "".join((message if isinstance(message, str) else json.dumps({"jsonrpc": "2.0", **message})) + "\n" for message in messages)
    process = subprocess.Popen(shell.words("mcp", *words), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=shell.environment)
    process.stdin.write(lines)
    process.stdin.flush()
    answers = []
    while len(answers) < sum(not isinstance(message, dict) or "id" in message for message in messages):
        answers.append(json.loads(process.stdout.readline()))
        answered()
    process.stdin.close()
    assert process.wait(60) == 0 and process.stdout.read() == ""
    return answers


@pytest.mark.parametrize(("asked", "chosen"), [("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"), ("2099-01-01", "2025-11-25")])
def test_versions_with_a_handshake(shell, asked, chosen):
    (answer,) = exchange(shell, {"id": 1, "method": "initialize", "params": {"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}})
    assert answer["result"]["protocolVersion"] == chosen and answer["result"]["capabilities"] == {"tools": {"listChanged": False}}


def test_the_probe_of_newer_clients(shell):
    version = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}
    found, unknown = exchange(
        shell, {"id": 1, "method": "server/discover", "params": version},
        {"id": 2, "method": "server/discover", "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "1999-01-01"}}})
    assert found["result"]["supportedVersions"][0] == "2026-07-28" and found["result"]["resultType"] == "complete"
    assert unknown["error"]["code"] == -32022 and "2026-07-28" in unknown["error"]["data"]["supported"]


def test_messages_that_are_wrong(shell):
    answers = exchange(
        shell, "{", "[]", {"id": 1, "method": "resources/list"}, {"id": "x", "method": "tools/call", "params": {"name": "nothing"}},
        {"id": {"a": 1}, "method": "ping"}, {"id": 5, "method": "tools/call", "params": {"name": "accounts", "arguments": "x"}},
        {"id": None, "method": "ping"}, {"id": 2.5, "method": "ping"}, {"id": 3.0, "method": "ping"},
        {"method": "notifications/cancelled", "params": {"requestId": 7}}, {"id": 2, "method": "ping"})
    assert [answer.get("error", {}).get("code") for answer in answers] == [
        -32700, -32600, -32601, -32602, -32600, -32602, None, -32600, None, None]
    # Some clients write whole numbers so.
    assert answers[-2]["id"] == 3
    assert answers[-1] == {"jsonrpc": "2.0", "id": 2, "result": {}}


def test_no_secret_reaches_the_model(shell, provider):
    log_in(shell, provider)
    calls = [{"name": name, "arguments": {"account": "a"}} for name in ("account", "refresh", "userInfo", "diagnose", "accessToken")]
    answers = exchange(shell, *({"id": number, "method": "tools/call", "params": call} for number, call in enumerate(calls)))
    assert len(answers) == 5 and not [secret for secret in provider.secrets if secret in json.dumps(answers)]


def test_an_id_that_a_running_call_has(shell, provider):
    log_in(shell, provider)
    provider.instead["/api/slow"] = hold = Hold(Response.of({"slow": True}))
    call = {"id": 1, "method": "tools/call", "params": {"name": "callAPI", "arguments": {"account": "a", "url": "slow"}}}
    refused, answer = exchange(shell, call, call, answered=hold.release)
    assert refused["error"]["code"] == -32600 and answer["result"]["isError"] is False


def test_a_whole_number_with_a_point_names_a_call(shell, provider):
    log_in(shell, provider)
    provider.instead["/api/slow"] = hold = Hold()
    process = subprocess.Popen(shell.words("mcp"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=shell.environment)

    def send(**message) -> None:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        process.stdin.flush()

    send(id=7.0, method="tools/call", params={"name": "callAPI", "arguments": {"account": "a", "url": "slow"}})
    hold.wait()
    send(method="notifications/cancelled", params={"requestId": 7.0})
    send(id=8.0, method="ping")
    assert json.loads(process.stdout.readline())["id"] == 8
    # The cancelled call is waited for no longer, and has no answer.
    assert process.communicate(timeout=60)[0] == "" and process.returncode == 0
    hold.release()


def test_without_standard_input_it_ends(shell):
    words = "exec " + shlex.join(shell.words("mcp")) + " <&-"
    done = subprocess.run(["sh", "-c", words], capture_output=True, text=True, timeout=60, env=shell.environment)
    assert done.returncode == 1 and "standard input cannot be read" in done.stderr


@pytest.mark.parametrize("word", ["--allow", "github", "--accounts=a"])
def test_a_wrong_word(shell, word):
    words = [word] if word != "--accounts=a" else [word, "login"]
    assert "mcp takes options and their values only" in shell.message("mcp", *words, status=2)


def test_options_stand_before_or_after(shell, provider, connect):
    """Hosts add them at the end."""
    log_in(shell, provider)

    async def run():
        for options, words in ((["--allow", "accounts"], []), ([], ["--allow", "accounts", "--allow-writes"]), (["--accounts=a"], ["--allow=accounts"])):
            async with connect(*words, options=options) as client:
                assert await names(client) == {"accounts"}
                assert len(value(await client.call_tool("accounts"))["accounts"]) == 1

    asyncio.run(run())


def test_an_unknown_account_says_which_is_meant(shell, provider, connect):
    log_in(shell, provider)
    grant = '{"access_token":"t","token_type":"bearer","client_id":"c"}'
    shell.run("import", "github", "-", "--provider", "github", text=grant)

    async def run():
        for options, question in (((), 'did you mean "github"?'), (["--accounts", "a,gihub"], "")):
            async with connect(options=options) as client:
                answer = await client.call_tool("callAPI", {"account": "gihub", "url": "https://api.github.com/user"})
                assert answer.is_error and "signInRequired" in text(answer)
                assert question in text(answer) and ("did you mean" in text(answer)) == bool(question)
                assert question == "" or "login" not in text(answer)

    asyncio.run(run())


def test_tools_have_titles_and_structured_results(shell, provider, connect):
    log_in(shell, provider)

    async def run():
        async with connect() as client:
            titles = {tool.name: tool.title for tool in (await client.list_tools()).tools}
            assert titles["callAPI"] == "Call API" and titles["accounts"] == "Accounts" and all(titles.values())
            answer = await client.call_tool("callAPI", {"account": "a", "url": "x", "as": "json"})
            assert answer.structured_content == value(answer) and answer.structured_content["json"]["path"] == "/api/x"

    asyncio.run(run())


# What each host's entry in examples/mcp.md allows, of calls to the API of GitHub.
HOSTS = {
    "Claude Code": {"GET user": True, "POST repos/o/r/issues": False, "GET https://evil.example/": False},
    "VS Code": {"GET user": True, "POST repos/o/r/issues": False},
    "Cursor": {"GET user": True, "POST repos/o/r/issues": True, "POST repos/o/r/forks": False, "DELETE repos/o/r/issues": False},
}


@pytest.mark.parametrize("host", HOSTS)
def test_the_entry_for_a_host_is_true(shell, provider, host):
    """GitHub's API is the test's own here."""
    example = (ROOT / "examples" / "mcp.md").read_text().partition("## Your accounts as tools")[2]
    entry = json.loads(re.search(rf"^\*\*{host}\*\*.*?^```json\n(.*?)^```", example, re.DOTALL | re.MULTILINE)[1].replace("https://api.github.com/", provider.url + "/api/"))
    (servers,) = entry.values()
    command, words = servers["github"]["command"], servers["github"]["args"]
    assert command == "oauth-stdio"
    for name in ("github", "other"):
        token = json.dumps({"access_token": name, "token_type": "bearer"})
        shell.result("importGrant", name, "json", token, "--provider", json.dumps(provider.description), "--clientId", "c")
    provider.living.add("github")

    async def run():
        async with Client(StdioServerParameters(command=BINARY, args=[*shell.words()[1:], *words], env=shell.environment)) as client:
            assert [account["account"] for account in value(await client.call_tool("accounts"))["accounts"]] == ["github"]
            assert not await names(client) & TOKENS
            for call, works in HOSTS[host].items():
                method, url = call.split()
                answer = await client.call_tool("callAPI", {"account": "github", "url": url, "method": method})
                assert answer.is_error != works, (call, text(answer))
            assert (await client.call_tool("callAPI", {"account": "other", "url": "user"})).is_error

    asyncio.run(run())


def test_a_read_only_server_offers_no_sign_in(connect):
    async def run(*words) -> tuple[set, str, dict]:
        async with connect(*words) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            return set(tools) & {"authorize", "awaitSignIn"}, tools["callAPI"].description, tools["callAPI"].input_schema["properties"]

    offered, description, params = asyncio.run(run())
    assert not offered and "Only GET and HEAD are allowed." in description and "stepUp" not in params
    offered, description, params = asyncio.run(run("--allow-writes"))
    assert offered == {"authorize", "awaitSignIn"} and "HEAD" not in description and "stepUp" in params


def test_a_read_only_server_names_the_command_for_the_user(shell, provider, connect):
    log_in(shell, provider)
    shell.run("signOut", "a")
    login = shlex.join(["oauth-stdio", *shell.words()[1:], "login"])

    async def run():
        async with connect("--allow-tokens", options=["--accounts", "a"]) as client:
            # The options that limit the client would forbid the sign-in, too.
            assert f"ask the user to run this in a terminal: {login} ACCOUNT" in client.instructions and "authorize" not in client.instructions
            for tool in ("callAPI", "authorizeRequest"):
                result = await client.call_tool(tool, {"account": "a", "url": f"{provider.url}/api/x"})
                assert result.is_error and f"the user can sign in with: {login} a (" in text(result) and "call authorize" not in text(result), text(result)

    async def run_with_writes():
        async with connect("--allow-writes") as client:
            assert "show the user the page that authorize returns, and wait with awaitSignIn" in client.instructions
            result = await client.call_tool("callAPI", {"account": "a", "url": f"{provider.url}/api/x"})
            assert result.is_error and "; call authorize (signInRequired)" in text(result)

    asyncio.run(run())
    asyncio.run(run_with_writes())

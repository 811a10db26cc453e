"""The bridge between real programs: the official Python SDK as host and as server, and five hosts that share one login."""

import asyncio
import json
import os
import re
import sys
import threading
import urllib.parse

import anyio
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.sse import sse_client
from mcp.types import ElicitResult

import browser
from conftest import SERVERS, run_server
from mcp_server import AuthorizationServer, MCPServer
from mcp_streams import Host
from ports import reserve_port
from rpc import BINARY, Peer
from waiting import wait_until

# The SDK.


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    """Returns the URLs of the SDK's server: of both eras, or of one alone."""
    port = reserve_port()
    for _ in run_server([sys.executable, str(SERVERS / "mcp_sdk" / "server.py"), str(port)], port, tmp_path_factory.mktemp("sdk")):
        url = f"http://127.0.0.1:{port}"
        yield {"sse": url + "/sse", **{era: f"{url}/{era}/mcp" for era in ("both", "old", "new")}}


@pytest.fixture
def bridge(home):
    """Returns `bridge(url)`, which describes the bridge to the SDK's host."""
    home.mkdir()
    environment = Peer.environment(type("Home", (), {"home": home}), None)
    return lambda url: StdioServerParameters(command=BINARY, args=["--store", str(home / "store"), "mcp", url], env=environment, cwd=str(home))


async def answer_the_question(context, params):
    return ElicitResult(action="accept", content={"name": "Ann"})


async def everything(client) -> list:
    """Does what hosts do, and returns what the server said."""
    steps = []

    async def progress(step, total, message):
        steps.append((step, total, message))

    tools = [(tool.name, tool.input_schema) for tool in (await client.list_tools()).tools]
    called = [await client.call_tool(name, arguments) for name, arguments in (("echo", {"text": "é\u2028"}), ("fail", {}), ("count", {"steps": 0}))]
    called.append(await client.call_tool("count", {"steps": 3}, progress_callback=progress))
    results = [(result.is_error, result.structured_content, [content.text for content in result.content]) for result in called]
    texts = [content.text for content in (await client.read_resource("test://text")).contents]
    messages = [message.content.text for message in (await client.get_prompt("review", {"code": "x"})).messages]
    faults = []
    for name in ("test://missing", ""):
        try:
            await client.read_resource(name)
        except MCPError as fault:
            faults.append((fault.code, fault.message))
    return [client.server_info.name, client.instructions, tools, results, steps, texts, messages, faults]


@pytest.mark.parametrize(
    ("mode", "era", "version"),
    [
        ("auto", "both", "2026-07-28"), ("legacy", "both", "2025-11-25"), ("auto", "old", "2025-11-25"), ("legacy", "old", "2025-11-25"),
        ("auto", "new", "2026-07-28"), ("legacy", "new", "2025-11-25"), ("legacy", "sse", "2025-11-25"),
    ],
)
def test_a_host_and_a_server_of_any_era(servers, bridge, mode, era, version):
    """The host sees what it would see without the bridge."""

    async def run(server, mode):
        async with Client(server, mode=mode, elicitation_callback=answer_the_question) as client:
            return [client.protocol_version, *await everything(client), (await client.call_tool("greet")).content[0].text]

    through = asyncio.run(run(bridge(servers[era]), mode))
    # A host of the handshake reaches a server without one only through the bridge.
    direct = asyncio.run(run(sse_client(servers[era]) if era == "sse" else servers[era], "auto" if era == "new" else mode))
    assert through[0] == version and through[1:-1] == direct[1:-1]
    assert through[-1] == direct[-1] == "Hello Ann"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_calls_go_side_by_side_and_are_cancelled(servers, bridge, mode):
    names = [f"{mode}-{number}" for number in range(3)]

    async def run():
        async with Client(bridge(servers["both"]), mode=mode) as client:

            async def until(index: int) -> None:
                while not set(names) <= set(json.loads((await client.call_tool("waiting")).content[0].text)[index]):
                    await anyio.sleep(0.02)

            with anyio.fail_after(30):
                async with anyio.create_task_group() as group:
                    for name in names:
                        group.start_soon(client.call_tool, "wait", {"name": name})
                    await until(0)
                    group.cancel_scope.cancel()
                await until(1)

    asyncio.run(run())


def test_a_newer_host_opens_the_page_of_the_sign_in(bridge):
    """Without a way to open pages, it shows the address."""

    async def run(url, **more):
        async with Client(bridge(url), mode="2026-07-28", **more) as client:
            return (await client.call_tool("echo")).content[0].text

    with AuthorizationServer() as server, MCPServer(server, is_stateless=True) as mcp:
        assert "The user must sign in" in asyncio.run(run(mcp.mcp))

        async def open_the_page(context, params):
            threading.Thread(target=server.approve, args=(params.url,)).start()
            return ElicitResult(action="accept")

        assert asyncio.run(run(mcp.mcp + "?other", elicitation_callback=open_the_page)) == "echoed"
        assert len(server.pages) == 1


# One login for five hosts.


@pytest.fixture
def login():
    with AuthorizationServer() as server, MCPServer(server) as mcp:
        yield mcp


@pytest.fixture
def five(home, login):
    """Returns `five()`, which starts five hosts at once and does their handshakes."""
    hosts: list[Host] = []

    def start(count: int = 5) -> list[Host]:
        new = [Host(home, login.mcp) for _ in range(count)]
        hosts.extend(new)
        asked = [host.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "host", "version": "1"}}) for host in new]
        for host, number in zip(new, asked):
            assert "result" in host.answer(number), host.log()
            host.notify("notifications/initialized")
        return new

    yield start
    for host in hosts:
        host.__exit__()


def page_of(answer: dict) -> str:
    """Returns the page that a refused call tells, at the authorization server."""
    assert answer["result"]["isError"] is True, answer
    url = re.search(r"https?://[^\s\"<>]+", answer["result"]["content"][0]["text"])[0].rstrip(".,)")
    return url if "response_type=" in url else browser.Browser().get(url).location


def pages(hosts: list[Host]) -> set[str]:
    numbers = [host.ask("tools/call", {"name": "echo", "arguments": {}}) for host in hosts]
    return {page_of(host.answer(number)) for host, number in zip(hosts, numbers)}


def call(hosts: list[Host]) -> list[str]:
    """Calls a tool from all hosts at once."""
    numbers = [host.ask("tools/call", {"name": "echo", "arguments": {}}) for host in hosts]
    return [host.answer(number)["result"]["content"][0]["text"] for host, number in zip(hosts, numbers)]


def sign_in(login: MCPServer, hosts: list[Host], url: str) -> None:
    login.authorization.approve(url)
    for host in hosts:
        host.event("notifications/tools/list_changed")


def kinds(login: MCPServer) -> list[str]:
    return [exchange["grant_type"] for exchange in login.authorization.exchanges]


@pytest.mark.parametrize("end", ["killed", "end of input"])
def test_the_page_outlives_the_host_that_opened_it(login, five, end):
    """Its process is the one that listens for the redirect."""
    hosts = five()
    (url,) = pages(hosts)
    port = port_of(url)
    opener = next(host for host in hosts if listens(host.process.pid, port))
    if end == "killed":
        opener.process.kill()
    else:
        opener.end()
    others = [host for host in hosts if host is not opener]
    wait_until(lambda: any(listens(host.process.pid, port) for host in others))
    sign_in(login, others, url)
    assert call(others) == ["echoed"] * 4
    assert len(login.authorization.clients) == 1 and kinds(login) == ["authorization_code"]


def port_of(url: str) -> int:
    return urllib.parse.urlsplit(browser.query(url)["redirect_uri"]).port


def reserves(port: int) -> bool:
    """Whether the port could be reserved. The kernel frees that of a killed process a moment later."""
    try:
        reserve_port(port=port)
    except OSError:
        return False
    return True


def listens(pid: int, port: int) -> bool:
    """Whether the process listens on the port of this machine."""
    with open("/proc/net/tcp") as table:
        found = {row.split()[9] for row in table if row.split()[3] == "0A" and row.split()[1].endswith(f":{port:04X}")}
    try:
        sockets = {os.readlink(f"/proc/{pid}/fd/{number}") for number in os.listdir(f"/proc/{pid}/fd")}
    except OSError:
        return False
    return any(f"socket:[{inode}]" in sockets for inode in found)


def test_a_page_that_no_process_waits_for_is_taken_up_by_the_next(login, five):
    (first,) = five(1)
    (url,) = pages([first])
    first.process.kill()
    first.process.wait()
    # No other test's program takes it meanwhile.
    wait_until(lambda: reserves(port_of(url)))
    (second,) = five(1)
    assert pages([second]) == {url}
    sign_in(login, [second], url)
    assert call([second]) == ["echoed"] and len(login.authorization.clients) == 1


def test_a_cold_start_refreshes_once(login, five):
    hosts = five()
    (url,) = pages(hosts)
    sign_in(login, hosts, url)
    for count in (1, 2):
        for host in hosts:
            assert host.end() == 0
        login.authorization.revoke_access_tokens()
        hosts = five()
        assert call(hosts) == ["echoed"] * 5
        assert kinds(login) == ["authorization_code", *["refresh_token"] * count]
    assert len(login.authorization.pages) == 1


def test_a_lost_login_opens_one_page(login, five):
    hosts = five()
    (url,) = pages(hosts)
    sign_in(login, hosts, url)
    login.authorization.revoke_access_tokens()
    login.authorization.refresh_tokens.clear()
    (again,) = pages(hosts)
    assert again != url
    hosts += five(2)
    assert pages(hosts) == {again}
    sign_in(login, hosts, again)
    assert call(hosts) == ["echoed"] * 7
    assert kinds(login) == ["authorization_code", "refresh_token", "authorization_code"]


def test_a_server_that_moves_gets_a_page_at_its_new_authorization_server(login, five):
    hosts = five(2)
    (url,) = pages(hosts)
    sign_in(login, hosts, url)
    first = login.authorization
    with AuthorizationServer() as other:
        login.servers = [other]
        answer = hosts[0].request("tools/call", {"name": "echo", "arguments": {}})
        text = answer["result"]["content"][0]["text"]
        assert first.issuer in text and other.issuer in text
        (moved,) = pages(hosts)
        assert moved.startswith(other.url)
        sign_in(login, hosts, moved)
        assert call(hosts) == ["echoed"] * 2 and len(other.clients) == 1

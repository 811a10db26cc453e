"""`oauth-stdio mcp URL` while the server cannot be reached, and what belongs to one session of one login: its id, its stream and its cookies."""

import json

import pytest

from keyrings import PASSWORD
from mcp_streams import INITIALIZE, StreamServer, connect
from store_keys import keyring  # noqa: F401, a fixture
from test_bridge_login import LISTS, login, server, shell, sign_in
from test_command_line import Shell
from waiting import wait_until

PAGE = b"<html>Welcome to our hotel</html>"
OUTAGES = {
    "no network": (lambda exchange: exchange.drop(), "broke off"),
    "a deploy": (lambda exchange: exchange.answer(b"<html>", status=503, Content_Type="text/html"), "answered 503"),
    "a portal": (lambda exchange: exchange.answer(PAGE, Content_Type="text/html; charset=utf-8"), "sent a page instead of an answer: the network may want a sign-in"),
}


@pytest.mark.parametrize("outage", OUTAGES)
def test_a_start_during_an_outage_answers_as_the_server_did(connect, outage):
    """The host looks again when the server is there."""
    fault, message = OUTAGES[outage]
    with StreamServer() as server:
        lets_in = server.lets_in
        server.lets_in = lambda exchange: fault(exchange) and False
        assert message in connect(server).request("initialize", INITIALIZE)["error"]["message"]
        server.lets_in = lets_in
        first = connect(server)
        said = first.begin()["result"]
        first.end()
        server.lets_in = lambda exchange: fault(exchange) and False
        host = connect(server)
        again = host.begin()["result"]
        assert again["serverInfo"] == said["serverInfo"] and again["capabilities"] == {"tools": {"listChanged": True}}
        assert message in host.request("tools/list")["error"]["message"] and message in host.call()["error"]["message"]
        assert host.request("ping")["result"] == {}
        server.exchanges.clear()
        server.lets_in = lets_in
        # Without a request of the host.
        host.event(LISTS[0])
        assert len(host.request("tools/list")["result"]["tools"]) == 2 and "result" in host.call()
        assert len(server.sent("initialize")) == len(server.sent("notifications/initialized")) == 1


def test_a_start_with_a_locked_keyring(home, server, connect, keyring):  # noqa: F811
    shell = Shell(home)
    shell.environment.update(keyring.environment)
    process = shell.start("--key", "keyring", "login", server.url, "--openBrowser=false")
    server.login.approve(next(line for line in process.stderr if line.startswith("http")).strip())
    assert process.wait(60) == 0
    first = connect(server, environment=keyring.environment)
    said = first.begin()["result"]
    assert "result" in first.call()
    first.end()
    keyring.start(None)
    host = connect(server, environment=keyring.environment)
    assert host.begin()["result"]["serverInfo"] == said["serverInfo"]
    assert "keyring" in host.call()["error"]["message"]
    keyring.start(PASSWORD)
    host.event(LISTS[0])
    assert "result" in host.call() and len(server.login.codes) == 1


# The stream of the session.


@pytest.mark.parametrize("status", [400, 409])
def test_a_stream_is_opened_again_although_the_server_refuses_it_once(connect, status):
    """Some servers notice late that the former one has ended."""
    with StreamServer() as server:
        def listen(exchange):
            number = len(server.sent("GET"))
            if number in (2, 3):
                return exchange.answer({"error": "session already exists"}, status=status)
            exchange.stream().event({"jsonrpc": "2.0", "method": f"notifications/{number}"}, retry=100)
            if number == 4:
                exchange.wait_for_close()

        server.instead["GET"] = listen
        host = connect(server)
        host.begin()
        host.event("notifications/4")
        assert len(server.sent("initialize")) == 1


def test_the_second_stream_of_a_session_is_asked_for_again(connect):
    """A server that allows a session one stream, as the official SDKs do, may notice the end of the former one late."""
    with StreamServer() as server:
        def listen(exchange):
            number = len(server.sent("GET"))
            if number == 2:
                return exchange.answer({"error": "Only one SSE stream is allowed per session"}, status=409)
            exchange.stream().event({"jsonrpc": "2.0", "method": f"notifications/{number}"})
            exchange.wait_for_close()

        server.instead["GET"] = listen
        host = connect(server)
        host.begin()
        host.event("notifications/1")
        host.notify("notifications/initialized")
        host.event("notifications/3")


# Another login.


def numbered(server):
    """Gives each session an id of its own."""
    def initialize(exchange):
        server.session = f"s-{len(server.sent('initialize'))}"
        server.usual(exchange)

    server.instead["initialize"] = initialize


def test_another_login_gets_a_session_of_its_own(shell, server, connect):
    """A server may look at the session's id alone."""
    numbered(server)
    sign_in(shell, server)
    host = connect(server)
    host.begin()
    assert "result" in host.call()
    (before,) = server.login.living
    shell.run("logout", server.url)
    sign_in(shell, server)
    assert [host.answer(number)["result"] for number in [host.ask("tools/call", {"name": "echo"}) for _ in range(3)]]
    (after,) = server.login.living
    assert before != after
    sessions = {exchange.headers.get("mcp-session-id") for exchange in server.exchanges if exchange.headers.get("authorization") == f"Bearer {after}"}
    assert len(sessions - {None}) == 1 and len(server.sent("initialize")) == 1 and len(server.sent("notifications/initialized")) == 1
    wait_until(lambda: server.sent("GET"))
    host.end()
    (delete,) = server.sent("DELETE")
    assert {delete.headers["mcp-session-id"]} == sessions - {None}


# Cookies.


def cookies(exchange) -> set[str]:
    return set(filter(None, exchange.headers.get("cookie", "").split("; ")))


def test_cookies_go_back_to_the_server_alone(shell, server, connect):
    """Load balancers find the replica by them, which has the session."""
    login = server.login
    sent = iter([
        ["AWSALB=a1; Expires=Tue, 19 Jan 2038 03:14:07 GMT; Path=/", "ARRAffinity=b; Path=/; HttpOnly; Secure; Domain=example.com"],
        ["AWSALB=a2; Path=/", "none", "=none"],
        ["ARRAffinity=; Max-Age=0"],
        ["AWSALB=; expires=Thu, 01 Jan 1970 00:00:00 GMT", "c=" + "x" * 65535, "d=e"],
    ])

    def set_cookies(exchange):
        body = json.dumps({"jsonrpc": "2.0", "id": exchange.message["id"], "result": {"content": []}}).encode()
        exchange.handler.send_response_only(200)
        for name, value in [("Content-Type", "application/json"), ("Content-Length", str(len(body))), *[("Set-Cookie", value) for value in next(sent)]]:
            exchange.handler.send_header(name, value)
        exchange.handler.end_headers()
        exchange.handler.wfile.write(body)

    sign_in(shell, server)
    host = connect(server)
    host.begin()
    server.instead["tools/call"] = set_cookies
    found = []
    for _ in range(4):
        host.call()
        host.request("tools/list")
        found.append(cookies(server.sent("tools/list")[-1]))
    assert found == [{"AWSALB=a1", "ARRAffinity=b"}, {"AWSALB=a2", "ARRAffinity=b"}, {"AWSALB=a2"}, {"d=e"}]
    # A refresh keeps them, and does not show them to the authorization server.
    login.living.clear()
    assert "tools" in host.request("tools/list")["result"] and cookies(server.sent("tools/list")[-1]) == {"d=e"}
    assert login.refreshes and not [request for request in login.requests if "Cookie" in request.headers]
    # Another session, and another login.
    server.instead["tools/list"] = lambda exchange: server.usual(exchange) if exchange.headers["mcp-session-id"] == "s-2" else exchange.answer(status=404)
    server.session = "s-2"
    assert "tools" in host.request("tools/list")["result"]
    assert not cookies(server.sent("initialize")[-1]) and not cookies(server.sent("tools/list")[-1])
    sent = iter([["again=f"]])
    host.call()
    del server.instead["tools/list"]
    assert "tools" in host.request("tools/list")["result"] and cookies(server.sent("tools/list")[-1]) == {"again=f"}
    shell.run("logout", server.url)
    sign_in(shell, server)
    assert "tools" in host.request("tools/list")["result"] and not [one for one in server.exchanges if cookies(one)]
    host.end()
    assert "d=e" not in host.log()


def test_the_users_own_cookie_wins(connect):
    with StreamServer() as server:
        server.instead["initialize"] = lambda exchange: exchange.result({"protocolVersion": "2025-11-25", "capabilities": {}}, Set_Cookie="a=b")
        host = connect(server, "--header", "Cookie: own=1")
        host.begin()
        assert "result" in host.call() and server.sent("tools/call")[0].headers["cookie"] == "own=1"

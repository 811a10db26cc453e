"""Calls of a host that wait: for a connection, for a new token or for the user. One call never holds another that the server would accept."""

import json
import time

import browser
from mcp_streams import Gate, StatelessServer, StreamServer, connect, hold_calls, stateless
from test_bridge_login import LISTS, login, page, server, shell, sign_in
from test_step_up import CLAIMS, IN_BASE64
from waiting import wait_until


def refuse(exchange, status: int, challenge: str) -> None:
    exchange.answer({"error": "no"}, status=status, WWW_Authenticate=challenge)


def gated_refresh(login) -> Gate:
    """Holds the next answers of the token endpoint back."""
    gate, usual = Gate(), login.instead["/token"]

    def slow(request):
        gate()
        return usual(request)

    login.instead["/token"] = slow
    return gate


def cancel(host, call: int) -> None:
    """Returns when the bridge knows. It takes the host's lines in order."""
    known = len(host.lines)
    host.notify("notifications/cancelled", {"requestId": call})
    host.write(b"no message")
    wait_until(lambda: any(b"-32700" in line for line in host.lines[known:]))


# A cancelled call.


def test_a_cancelled_call_that_waits_for_a_connection_is_not_sent(connect):
    with StreamServer() as server:
        host = connect(server)
        host.begin()
        gate, calls = hold_calls(server, host)
        sent = {exchange.message["id"] for exchange in server.sent("tools/call")}
        waiting = [call for call in calls if call not in sent]
        assert len(waiting) == 4
        for call in waiting[:3]:
            cancel(host, call)
        gate.open()
        assert "result" in host.answer(waiting[3]) and host.request("ping")["result"] == {}
        assert {exchange.message["id"] for exchange in server.sent("tools/call")} == sent | {waiting[3]}
        # The server knows nothing of these calls, and the host wants no answer.
        assert not server.sent("notifications/cancelled")
        assert not [message for message in host.messages if message.get("id") in waiting[:3]]
        assert host.end() == 0 and "tools/call" not in host.log()


def test_a_cancelled_call_that_waits_for_a_refresh_is_not_sent(shell, server, connect):
    server.login.lifetime = 1
    sign_in(shell, server)
    expired, gate = time.time() + server.login.lifetime, gated_refresh(server.login)
    wait_until(lambda: time.time() > expired)
    server.login.lifetime = 3600
    host = connect(server)
    host.begin()
    gate.wait()
    first, second = [host.ask("tools/call", {"name": name}) for name in ("echo", "other")]
    cancel(host, first)
    gate.open()
    assert "result" in host.answer(second)
    host.request("ping")
    assert [exchange.message["id"] for exchange in server.sent("tools/call")] == [second]
    assert not server.sent("notifications/cancelled") and not [message for message in host.messages if message.get("id") == first]


def test_a_cancelled_call_whose_token_the_server_refused_is_not_sent_again(shell, server, connect):
    sign_in(shell, server)
    host = connect(server)
    host.begin()
    host.request("ping")
    server.login.living.clear()
    gate = gated_refresh(server.login)
    first, second = [host.ask("tools/call", {"name": name}) for name in ("echo", "other")]
    wait_until(lambda: len(server.sent("tools/call")) == 2)
    gate.wait()
    cancel(host, first)
    gate.open()
    assert "result" in host.answer(second)
    host.request("ping")
    assert [exchange.message["id"] for exchange in server.sent("tools/call")].count(first) == 1
    assert not [message for message in host.messages if message.get("id") == first]


def test_a_cancelled_call_of_a_stateless_host_that_waits_is_not_sent(login, shell, connect):
    with StatelessServer(login=login) as server:
        sign_in(shell, server)
        host = connect(server)
        assert "result" in host.request("server/discover", stateless())
        login.living.clear()
        gate = gated_refresh(login)
        call = host.ask("tools/call", stateless({"name": "echo"}))
        gate.wait()
        cancel(host, call)
        gate.open()
        assert "result" in host.request("tools/call", stateless({"name": "other"}))
        assert [exchange.message["id"] for exchange in server.sent("tools/call")].count(call) == 1


def test_a_cancelled_call_that_waits_for_the_page_is_forgotten(server, connect):
    gate, usual = Gate(), server.login.register
    server.login.instead["/register"] = lambda request: (gate(), usual(request))[1]
    host = connect(server)
    host.begin()
    call = host.ask("tools/call", {"name": "echo"})
    gate.wait()
    cancel(host, call)
    gate.open()
    page(host.call()["result"])
    assert host.end() == 0 and host.log() == "" and not [message for message in host.messages if message.get("id") == call]


# One tool that needs another login.


def test_one_tools_401_holds_no_other(shell, server, connect):
    sign_in(shell, server)

    def first_refuses(exchange):
        if exchange.message["params"]["name"] == "echo":
            return refuse(exchange, 401, "Bearer")
        server.usual(exchange)

    server.instead["tools/call"] = first_refuses
    host = connect(server)
    host.begin()
    address = page(host.call("echo")["result"])
    for _ in range(3):
        assert host.call("other")["result"]["content"][0]["text"] == "echoed" and "result" in host.request("tools/list")
    assert page(host.call("echo")["result"]) == address
    # The refused token is not refreshed again while the page is open.
    assert len(server.login.refreshes) == 1
    server.instead.clear()
    server.login.approve(address)
    host.event(LISTS[0])
    assert "result" in host.call("echo")


def test_what_needs_no_login_goes_on_without_one(login, connect):
    """Only one tool of the server wants a login."""
    with StreamServer() as server:
        challenge = f'Bearer resource_metadata="{server.url.removesuffix("/mcp")}/.well-known/oauth-protected-resource/mcp"'
        server.instead["/.well-known/oauth-protected-resource/mcp"] = lambda exchange: exchange.answer(
            {"resource": server.url, "authorization_servers": [login.url]})

        def one_refuses(exchange):
            if exchange.message["params"]["name"] == "echo" and "authorization" not in exchange.headers:
                return refuse(exchange, 401, challenge)
            server.usual(exchange)

        server.instead["tools/call"] = one_refuses
        host = connect(server)
        host.begin()
        address = page(host.call("echo")["result"])
        assert host.call("other")["result"]["content"][0]["text"] == "echoed" and "result" in host.request("tools/list")
        login.approve(address)
        host.event(LISTS[0])
        assert host.call("echo")["result"]["content"][0]["text"] == "echoed"


def test_a_page_for_scopes_holds_no_other_tool(shell, server, connect):
    sign_in(shell, server)

    def first_lacks(exchange):
        if exchange.message["params"]["name"] == "echo" and "write" not in server.login.scopes:
            return refuse(exchange, 403, 'Bearer error="insufficient_scope", scope="write"')
        server.usual(exchange)

    server.instead["tools/call"] = first_lacks
    host = connect(server)
    host.begin()
    address = page(host.call("echo")["result"])
    assert browser.query(address)["scope"].split()[0] == "write"
    assert host.call("other")["result"]["content"][0]["text"] == "echoed"
    server.login.approve(address)
    host.event(LISTS[0])
    assert host.call("echo")["result"]["content"][0]["text"] == "echoed"


def test_claims_beside_missing_scopes_are_asked_for_too(shell, server, connect):
    sign_in(shell, server)
    host = connect(server)
    host.begin()
    server.instead["tools/call"] = lambda exchange: refuse(
        exchange, 403, f'Bearer error="insufficient_scope", scope="write", claims="{IN_BASE64}"')
    asked = browser.query(page(host.call()["result"]))
    assert "write" in asked["scope"].split() and json.loads(asked["claims"]) == json.loads(CLAIMS)

"""`oauth-stdio mcp URL` and version 2026-07-28, whose requests carry their version: all pairs of hosts and servers."""

import base64

import pytest

from mcp_streams import META, StatelessServer, StreamServer, connect, stateless
from test_bridge_login import login, page
from test_bridge_waiting import tabs
from waiting import wait_until


@pytest.fixture
def server():
    with StatelessServer() as running:
        yield running


def test_a_newer_host_at_a_newer_server(server, connect):
    host = connect(server)
    assert host.request("server/discover", stateless())["result"]["supportedVersions"] == ["2026-07-28"]
    assert host.request("tools/call", stateless({"name": "Zürich", "arguments": {}}))["result"]["resultType"] == "complete"
    assert "result" in host.request("resources/read", stateless({"uri": "file:///a b"}))
    for method in ("get", "update", "cancel"):
        host.request(f"tasks/{method}", stateless({"taskId": f"t-{method}", "name": "x"}))
        assert server.exchanges.pop().headers["mcp-name"] == f"t-{method}"
    discover, call, read = server.exchanges
    assert discover.headers["mcp-protocol-version"] == "2026-07-28" and discover.headers["mcp-method"] == "server/discover"
    assert "mcp-name" not in discover.headers and read.headers["mcp-name"] == "file:///a b"
    assert call.headers["mcp-name"] == f"=?base64?{base64.b64encode('Zürich'.encode()).decode()}?="
    assert host.end() == 0
    assert len(server.exchanges) == 3 and not any("mcp-session-id" in exchange.headers for exchange in server.exchanges)


def tool(name: str, **properties) -> dict:
    return {"name": name, "inputSchema": {"type": "object", "properties": properties}}


def marked(kind: str, header: object) -> dict:
    return {"type": kind, "x-mcp-header": header}


def test_headers_repeat_marked_arguments(server, connect):
    nested = {"type": "object", "properties": {"deep": marked("string", "Deep")}}
    server.tools = [tool("good", region=marked("string", "Region"), count=marked("integer", "Count"), dry=marked("boolean", "Dry"), place=nested)]
    server.tools += [
        tool("number", a=marked("number", "A")),
        tool("blank", a=marked("string", "A B")),
        tool("twice", a=marked("string", "A"), b=marked("string", "a")),
        tool("items", a={"type": "array", "items": marked("string", "A")}),
        {"name": "root", "inputSchema": {"type": "object", "x-mcp-header": "A"}},
        tool("data", a={"type": "object", "default": {"x-mcp-header": 1}}),
    ]
    host = connect(server)
    listed = host.request("tools/list", stateless())["result"]
    assert [found["name"] for found in listed["tools"]] == ["good", "data"] and listed["ttlMs"] == 0
    arguments = {"region": " a", "count": 7, "dry": False, "place": {"deep": "x"}, "other": "y"}
    host.request("tools/call", stateless({"name": "good", "arguments": arguments}))
    sent = {name: value for name, value in server.sent("tools/call")[0].headers.items() if name.startswith("mcp-param-")}
    assert sent == {"mcp-param-region": "=?base64?IGE=?=", "mcp-param-count": "7", "mcp-param-dry": "false", "mcp-param-deep": "x"}
    host.request("tools/call", stateless({"name": "good", "arguments": {"region": None}}))
    assert not any(name.startswith("mcp-param-") for name in server.sent("tools/call")[1].headers)
    host.end()
    assert host.log().count("breaks the rules of MCP") == 5


def test_a_list_replaces_the_one_before_it(server, connect):
    """A server with other names in each list would fill the memory."""
    marked = {"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": "A"}}}
    server.tools = [{"name": "old", "inputSchema": marked}]
    host = connect(server)
    host.request("tools/list", stateless())
    pages = iter([([{"name": "first", "inputSchema": marked}], {"nextCursor": "2"}), ([{"name": "second", "inputSchema": marked}], {})])

    def page(exchange):
        tools, more = next(pages)
        exchange.result({"resultType": "complete", "tools": tools, **more})

    server.instead["tools/list"] = page
    for _ in range(2):
        host.request("tools/list", stateless())
    for name in ("first", "second", "old"):
        host.request("tools/call", stateless({"name": name, "arguments": {"a": "x"}}))
    assert ["mcp-param-a" in exchange.headers for exchange in server.sent("tools/call")] == [True, True, False]


def test_a_list_without_marks_passes_unchanged(server, connect):
    said = b'{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","x":1.50}],"resultType":"complete"}}'
    server.instead["tools/list"] = lambda exchange: exchange.answer(said)
    host = connect(server)
    host.request("tools/list", stateless())
    assert host.lines == [said + b"\n"]


def test_a_missed_header_is_learnt(server, connect):
    server.tools = [tool("good", region=marked("string", "Region"))]

    def strict(exchange):
        if exchange.headers.get("mcp-param-region") != "eu":
            return server.refuse(exchange, -32020, {})
        server.usual(exchange)

    server.instead["tools/call"] = strict
    host = connect(server)
    assert "result" in host.request("tools/call", stateless({"name": "good", "arguments": {"region": "eu"}}))
    assert [exchange.method for exchange in server.exchanges] == ["tools/call", "tools/list", "tools/call"]
    assert host.request("tools/call", stateless({"name": "unknown"}))["error"]["code"] == -32020


def test_a_cancellation_closes_the_stream(server, connect):
    closed = []

    def slow(exchange):
        exchange.stream()
        exchange.event({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1, "progress": 1}})
        exchange.wait_for_close()
        closed.append(exchange)

    server.instead["tools/call"] = slow
    host = connect(server)
    number = host.ask("tools/call", stateless({"name": "echo"}))
    host.event("notifications/progress")
    host.notify("notifications/cancelled", {"requestId": number})
    wait_until(lambda: closed)
    assert "result" in host.request("tools/list", stateless())
    assert not server.sent("notifications/cancelled") and not [message for message in host.messages if message.get("id") == number]


def test_a_broken_stream_is_an_error(server, connect):
    server.instead["tools/call"] = lambda exchange: exchange.stream().write("id: 1\ndata:\n\n")
    host = connect(server)
    assert "ended without an answer" in host.request("tools/call", stateless({"name": "echo"}))["error"]["message"]
    assert not server.sent("GET") and len(server.sent("tools/call")) == 1


def test_a_newer_host_at_an_older_server_falls_back(connect):
    """The host asks first with the newer version, and begins with the handshake after any error."""
    with StreamServer() as server:
        server.instead["server/discover"] = lambda exchange: exchange.answer(b"Bad Request: Mcp-Session-Id header is required", status=400)
        host = connect(server)
        assert host.request("server/discover", stateless())["error"]["code"] == -32000
        host.begin()
        assert "result" in host.call() and server.sent("tools/call")[0].headers["mcp-session-id"] == "s-1"


def test_a_newer_server_may_answer_the_handshake_with_its_own_version(server, connect):
    about = {"protocolVersion": "2026-07-28", "capabilities": {"tools": {}}, "serverInfo": {"name": "stateless", "version": "2"}}
    server.instead["initialize"] = lambda exchange: exchange.result(about)
    host = connect(server)
    assert host.begin()["result"] == {**about, "protocolVersion": "2025-11-25"}
    assert host.call()["result"]["content"][0]["text"] == "echoed"


@pytest.mark.parametrize("status", [200, 404])
def test_a_newer_server_may_not_know_the_handshake(server, connect, status):
    server.instead["initialize"] = lambda exchange: exchange.answer(
        {"jsonrpc": "2.0", "id": exchange.message["id"], "error": {"code": -32601, "message": "Method not found"}}, status=status)
    host = connect(server)
    assert host.begin()["result"]["serverInfo"]["name"] == "stateless" and "result" in host.call()


def test_an_older_host_at_a_newer_server(server, connect):
    server.tools = [tool("good", region=marked("string", "Region")), tool("bad", a=marked("number", "A"))]
    host = connect(server)
    answer = host.begin(protocolVersion="2025-06-18", capabilities={"roots": {}})["result"]
    assert answer == {
        "protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "stateless", "version": "2"}, "instructions": "read me"}
    assert [found["name"] for found in host.request("tools/list")["result"]["tools"]] == ["good"]
    assert host.request("ping")["result"] == {} and host.request("logging/setLevel", {"level": "debug"})["result"] == {}
    params = {"name": "good", "arguments": {"region": "eu"}, "_meta": {"progressToken": 7}}
    assert host.request("tools/call", params)["result"]["content"][0]["text"] == "echoed"
    (call,) = server.sent("tools/call")
    assert call.headers["mcp-param-region"] == "eu" and call.headers["mcp-name"] == "good"
    meta = call.message["params"]["_meta"]
    assert meta["progressToken"] == 7 and meta[META + "clientCapabilities"] == {"roots": {}} and meta[META + "logLevel"] == "debug"
    assert meta[META + "clientInfo"]["name"] == "host" and call.message["id"] == host.last_id
    assert host.end() == 0
    assert {exchange.method for exchange in server.exchanges} == {"initialize", "server/discover", "tools/list", "tools/call"}


# Input that a newer server wants of an older host.

FORM = {"method": "elicitation/create", "params": {"message": "Who?", "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}}}}
PAGE = {"method": "elicitation/create", "params": {"mode": "url", "message": "Pay.", "url": "https://example.com/pay"}}
SAMPLE = {"method": "sampling/createMessage", "params": {"messages": [], "maxTokens": 1}}
ROOTS = {"method": "roots/list"}
INPUT = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}


def wants(**asked) -> object:
    """Returns the server's function that wants input, with `inputRequests`, `requestState` or both."""
    return lambda exchange: exchange.result({"resultType": "input_required", **asked})


def rounds(server, *functions) -> None:
    """Lets the server answer the calls in this order, the last way for ever."""
    left = list(functions)
    server.instead["tools/call"] = lambda exchange: (left.pop(0) if len(left) > 1 else left[0])(exchange)


def test_an_older_host_is_asked_and_the_call_is_sent_again(server, connect):
    first = {"who": FORM, "pay": PAGE, "say": SAMPLE, "where": ROOTS}
    rounds(server, wants(inputRequests=first, requestState="s-1"), wants(requestState="s-2"), wants(inputRequests={"who": FORM}), server.usual)
    host = connect(server)
    host.begin(capabilities=INPUT)
    number = host.ask("tools/call", {"name": "echo", "arguments": {"a": 1.5}, "_meta": {"progressToken": 7}})
    asked = {message["params"].get("mode", message["method"]): message for message in (host.wait(lambda found, kind=kind: found.get("method") == kind["method"]
             and found["params"].get("mode") == kind.get("params", {}).get("mode")) for kind in first.values())}
    assert asked["elicitation/create"]["params"] == FORM["params"] and asked["sampling/createMessage"]["params"] == SAMPLE["params"]
    assert asked["url"]["params"].items() > PAGE["params"].items() and asked["url"]["params"]["elicitationId"]
    assert len({message["id"] for message in asked.values()}) == 4 and len(server.sent("tools/call")) == 1
    results = {"elicitation/create": {"action": "accept", "content": {"name": "Ann"}}, "url": {"action": "accept"},
               "sampling/createMessage": {"role": "assistant"}, "roots/list": {"roots": []}}
    for kind, result in results.items():
        host.send({"jsonrpc": "2.0", "id": asked[kind]["id"], "result": result})
    again = host.wait(lambda message: message.get("method") == "elicitation/create" and message["id"] not in [found["id"] for found in asked.values()])
    host.send({"jsonrpc": "2.0", "id": again["id"], "result": {"action": "decline"}})
    answer = host.answer(number)
    assert answer["result"]["content"][0]["text"] == "echoed"
    calls = [exchange.message for exchange in server.sent("tools/call")]
    bare = calls[0]["params"]
    assert [call["params"] for call in calls] == [
        bare,
        {**bare, "requestState": "s-1", "inputResponses": {
            "who": results["elicitation/create"], "pay": results["url"], "say": results["sampling/createMessage"], "where": results["roots/list"]}},
        {**bare, "requestState": "s-2"},
        {**bare, "inputResponses": {"who": {"action": "decline"}}},
    ]
    assert len({call["id"] for call in calls}) == 4 and bare["arguments"] == {"a": 1.5} and bare["_meta"]["progressToken"] == 7
    assert all(exchange.headers["mcp-name"] == "echo" for exchange in server.sent("tools/call"))
    host.end()
    assert not [exchange for exchange in server.exchanges if exchange.method is None]


def test_an_older_host_is_asked_ten_times_at_most(server, connect):
    rounds(server, wants(requestState="s"))
    host = connect(server)
    host.begin(capabilities=INPUT)
    assert "input_required" in host.call()["error"]["message"] and len(server.sent("tools/call")) == 11


@pytest.mark.parametrize(
    ("capabilities", "request_"),
    [({}, FORM), ({"elicitation": {"url": {}}}, FORM), ({"elicitation": {}}, PAGE), ({"sampling": {}}, ROOTS), (INPUT, {"method": "x"}), (INPUT, {})],
)
def test_an_older_host_is_not_asked_for_what_it_has_not_declared(server, connect, capabilities, request_):
    rounds(server, wants(inputRequests={"roots": ROOTS, "x": request_} if "roots" in capabilities else {"x": request_}))
    host = connect(server)
    host.begin(capabilities=capabilities)
    message = host.call()["error"]["message"]
    assert "has not declared (input_required)" in message and request_.get("method", "unknown") in message
    assert not [message for message in host.messages if "method" in message] and len(server.sent("tools/call")) == 1


def test_the_error_of_a_host_that_is_asked_is_that_of_the_call(server, connect):
    """The other question needs no answer then."""
    rounds(server, wants(inputRequests={"who": FORM, "say": SAMPLE}))
    host = connect(server)
    host.begin(capabilities=INPUT)
    number = host.ask("tools/call", {"name": "echo"})
    form, sample = host.event("elicitation/create"), host.event("sampling/createMessage")
    host.send({"jsonrpc": "2.0", "id": sample["id"], "error": {"code": -1, "message": "User rejected sampling request"}})
    assert host.answer(number)["error"] == {"code": -1, "message": "User rejected sampling request"}
    assert host.event("notifications/cancelled")["params"]["requestId"] == form["id"] and len(server.sent("tools/call")) == 1


def test_a_cancelled_call_ends_its_questions(server, connect):
    rounds(server, wants(inputRequests={"who": FORM}, requestState="s"))
    host = connect(server)
    host.begin(capabilities=INPUT)
    number = host.ask("tools/call", {"name": "echo"})
    asked = host.event("elicitation/create")
    host.notify("notifications/cancelled", {"requestId": number})
    assert host.event("notifications/cancelled")["params"] == {"requestId": asked["id"]}
    host.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept", "content": {}}})
    assert "result" in host.request("tools/list") and len(server.sent("tools/call")) == 1
    assert not [message for message in host.messages if message.get("id") == number]


def test_a_cancelled_call_that_is_sent_again_is_closed(server, connect):
    closed = []

    def slow(exchange):
        exchange.stream().event({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1, "progress": 1}})
        exchange.wait_for_close()
        closed.append(exchange)

    rounds(server, wants(inputRequests={"who": FORM}), slow)
    host = connect(server)
    host.begin(capabilities=INPUT)
    number = host.ask("tools/call", {"name": "echo"})
    host.send({"jsonrpc": "2.0", "id": host.event("elicitation/create")["id"], "result": {"action": "accept"}})
    host.event("notifications/progress")
    host.notify("notifications/cancelled", {"requestId": number})
    wait_until(lambda: closed)
    assert not [message for message in host.messages if message.get("id") == number]


# The sign-in.

OPENS = {META + "clientCapabilities": {"elicitation": {"form": {}, "url": {}}}}


@pytest.fixture
def locked(login):
    with StatelessServer(login=login) as running:
        yield running


def question(answer: dict) -> dict:
    """Returns the params of the question by which the bridge answers a call."""
    result = answer["result"]
    ((name, asked),) = result["inputRequests"].items()
    assert result["resultType"] == "input_required" and asked["method"] == "elicitation/create" and asked["params"]["mode"] == "url"
    return {"inputResponses": {name: {"action": "accept"}}, "requestState": result["requestState"], "url": asked["params"]["url"]}


def again(asked: dict, **more) -> dict:
    """Returns the params of the call that brings the answer."""
    return stateless({"name": "echo", **{name: value for name, value in asked.items() if name != "url"}, **more}, **OPENS)


def test_a_newer_host_that_opens_pages_is_asked_to(locked, connect, tabs):
    """The bridge opens no tab itself. The call that the host sends again waits for the user, and the server gets only the call."""
    host = connect(locked, environment=tabs.environment)
    asked = question(host.request("tools/call", stateless({"name": "echo"}, **OPENS)))
    assert asked["url"].startswith(locked.login.url) and tabs() == []
    number = host.ask("tools/call", again(asked))
    wait_until(lambda: len(locked.sent("tools/call")) == 2)
    assert host.request("tools/call", stateless({"name": "echo"}))["result"]["isError"] is True
    locked.login.approve(asked["url"])
    assert host.answer(number)["result"]["content"][0]["text"] == "echoed"
    assert "result" in host.request("tools/call", again(asked))
    # What the server itself has asked for reaches it.
    host.request("tools/call", stateless({"name": "echo", "inputResponses": {"a": {}}, "requestState": "its own"}, **OPENS))
    *ours, its = [set(exchange.message["params"]) for exchange in locked.sent("tools/call")]
    assert all(names == {"name", "_meta"} for names in ours) and its == {"name", "_meta", "inputResponses", "requestState"}
    assert not [message for message in host.messages if message.get("method") == "notifications/elicitation/complete"] and tabs() == []


def test_a_user_who_takes_long_is_asked_once(locked, connect):
    """The answer has no question but a state, with which hosts call again at once."""
    host = connect(locked)
    asked = question(host.request("tools/call", stateless({"name": "echo"}, **OPENS)))
    result = host.request("tools/call", again(asked))["result"]
    assert result == {"resultType": "input_required", "requestState": asked["requestState"]}
    number = host.ask("tools/call", again(asked, inputResponses={}))
    locked.login.approve(asked["url"])
    assert host.answer(number)["result"]["content"][0]["text"] == "echoed"


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_user_who_wants_no_page_gets_its_address(locked, connect, action):
    host = connect(locked)
    asked = question(host.request("tools/call", stateless({"name": "echo"}, **OPENS)))
    ((name, _),) = asked["inputResponses"].items()
    result = host.request("tools/call", again(asked, inputResponses={name: {"action": action}}))["result"]
    assert result["resultType"] == "complete" and result["isError"] is True and page(result) == asked["url"]


def test_a_denied_sign_in_ends_the_call(locked, connect):
    """The next call begins another sign-in, for which the host is not asked again within five minutes."""
    host = connect(locked)
    asked = question(host.request("tools/call", stateless({"name": "echo"}, **OPENS)))
    number = host.ask("tools/call", again(asked))
    wait_until(lambda: len(locked.sent("tools/call")) == 2)
    locked.login.deny(asked["url"])
    assert "denied" in host.answer(number)["error"]["message"]
    result = host.request("tools/call", again(asked))["result"]
    assert result["resultType"] == "complete" and page(result).startswith(locked.login.url) and page(result) != asked["url"]


@pytest.mark.parametrize("capabilities", [{}, {"elicitation": {"form": {}}}])
def test_a_newer_host_that_opens_no_pages_gets_the_address(locked, connect, tabs, capabilities):
    host = connect(locked, environment=tabs.environment)
    result = host.request("tools/call", stateless({"name": "echo"}, **{META + "clientCapabilities": capabilities}))["result"]
    assert result["resultType"] == "complete" and result["isError"] is True
    assert page(result).startswith(locked.login.url)
    wait_until(lambda: len(tabs()) == 1)

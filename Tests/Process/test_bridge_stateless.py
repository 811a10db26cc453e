"""`oauth-stdio mcp URL` and version 2026-07-28, whose requests carry their version: all pairs of hosts and servers."""

import base64

import pytest

from mcp_streams import META, StatelessServer, StreamServer, connect, stateless
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
    server.instead["tools/call"] = lambda exchange: exchange.result({"resultType": "input_required", "inputRequests": {}})
    assert "input_required" in host.request("tools/call", params)["error"]["message"]
    assert host.end() == 0
    assert {exchange.method for exchange in server.exchanges} == {"initialize", "server/discover", "tools/list", "tools/call"}

"""`--allow-tool` and `--ignore-tool` hold against a host that a page or a mail has told what to send, and against the server."""

import json

import pytest

from mcp_streams import StreamServer, connect
from waiting import wait_until

OPTIONS = {"allow": ["--allow-tool", "echo"], "ignore": ["--ignore-tool", "o?her"]}


@pytest.fixture
def server():
    with StreamServer() as running:
        yield running


@pytest.fixture(params=OPTIONS)
def host(request, server, connect):
    """A host that may use `echo` but not `other`."""
    host = connect(server, *OPTIONS[request.param])
    host.begin()
    wait_until(lambda: server.sent("GET"))
    server.exchanges.clear()
    return host


def line(**members) -> str:
    return json.dumps({"jsonrpc": "2.0", **members})


def call(tool: str, **members) -> str:
    return line(**members, method="tools/call", params={"name": tool})


def listed(answer: dict) -> list[str]:
    return [tool["name"] for tool in answer["result"]["tools"]]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["--allow-tool", "read-*", "--allow-tool", "echo"], ["echo", "read-file"]),
        (["--ignore-tool", "read-*", "--ignore-tool", "echo"], ["other"]),
        (["--allow-tool", "*e*", "--ignore-tool", "read-*"], ["echo", "other"]),
    ],
)
def test_only_allowed_tools_are_listed_and_called(server, connect, words, names):
    server.tools += [{"name": name, "inputSchema": {"type": "object"}} for name in ("read-file", "echo\0-rm", "\0other")]
    host = connect(server, *words)
    host.begin()
    assert listed(host.request("tools/list")) == names and "error" in host.call("echo\0-rm") and "error" in host.call("\0other")
    for tool in ("echo", "other", "read-file"):
        answer = host.call(tool)
        if tool not in names:
            assert answer["error"]["code"] == -32602 and f"-tool does not allow the tool {tool}" in answer["error"]["message"]
        else:
            assert "result" in answer
    assert [exchange.message["params"]["name"] for exchange in server.sent("tools/call")] == names


# From the host.


@pytest.mark.parametrize(
    "text",
    [
        call("other"),
        "[" + call("other", id=7) + "]",
        "[" + call("echo", id=7) + "," + call("other", id=8) + "]",
        "[" + line(id=7, method="ping") + "," + call("other") + "]",
        '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","name":"other"}}',
        '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":["other"]}}',
        '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"other","arguments":{"a":"\\ud800"}}}',
    ],
)
def test_a_call_of_another_tool_is_not_sent(server, host, text):
    host.write(text.encode())
    assert host.answer(7 if '"id"' in text else None)["error"]["code"] == -32602 and not server.exchanges
    assert "result" in host.call()


@pytest.mark.parametrize(
    "text",
    [
        '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","Name":"other"}}',
        '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","\\u004eAME":"other"}}',
        '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo"},"Params":{"name":"other"}}',
        '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo"},"param\u017f":{"name":"other"}}',
        '{"jsonrpc":"2.0","id":7,"method":"ping","Method":"tools/call","params":{"name":"other"}}',
        '{"jsonrpc":"2.0","id":7,"method":"ping","METHOD":"tools/call","params":{"name":"other"}}',
        '{"jsonrpc":"2.0","id":7,"method":"ping","result":{}}',
        '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{},"Arguments":{}}}',
        '[{"jsonrpc":"2.0","id":7,"method":"ping"},{"jsonrpc":"2.0","method":"x","Params":{}}]',
        # Without an id.
        '{"jsonrpc":"2.0","method":"ping","Method":"tools/call","params":{"name":"other"}}',
        '{"jsonrpc":"2.0","ID":7,"method":"ping"}',
        '{"jsonrpc":"2.0","id":null,"Method":"tools/call","params":{"name":"other"},"result":{}}',
    ],
)
def test_a_line_that_two_readers_read_in_two_ways_is_refused(server, host, text):
    host.write(text.encode())
    assert host.answer(7 if '"id":7' in text else None)["error"]["code"] == -32600
    assert "result" in host.call() and len(server.exchanges) == 1


def test_other_lines_pass_unchanged(server, host):
    lines = [
        "[" + call("echo", id=7) + ", " + line(id=8, method="ping") + "]",
        call("echo"),
        line(id="q-1", result={"content": {"a": 1, "A": 2}, "big": 10**30}),
        '{"jsonrpc":"2.0","id":"q-2","result":{"text":"\\ud800"}}',
    ]
    for text in lines:
        host.write(text.encode())
    wait_until(lambda: len(server.exchanges) == len(lines))
    assert {exchange.body.decode() for exchange in server.exchanges} == set(lines)


def test_without_the_options_the_server_decides(server, connect):
    """Only an id that stands twice in a line is refused, because its answers could not be told apart."""
    host = connect(server)
    host.begin()
    wait_until(lambda: server.sent("GET"))
    server.exchanges.clear()
    host.write(("[" + line(id=7, method="ping") + "," + call("other", id=7) + "]").encode())
    assert host.answer(7)["error"]["code"] == -32600 and not server.exchanges
    text = '{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"echo","Name":"other"}}'
    host.write(text.encode())
    assert "result" in host.answer(8) and server.exchanges[0].body.decode() == text
    assert [message["id"] for message in host.messages].count(7) == 1


# From the server.


@pytest.mark.parametrize("kind", ["json", "stream"])
def test_an_array_of_the_server_is_filtered_by_its_parts(server, host, kind):
    def answer(exchange):
        parts = [{"jsonrpc": "2.0", "id": exchange.message["id"], "result": {"tools": server.tools}}]
        if kind == "json":
            return exchange.answer(json.dumps(parts).encode())
        exchange.stream().event(json.dumps([{"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}}, *parts]))

    server.instead["tools/list"] = answer
    assert listed(host.request("tools/list")) == ["echo"] and not [message for message in host.messages if isinstance(message, list)]


def test_the_handshake_may_be_an_array(server, connect):
    def answer(exchange):
        result = {"protocolVersion": "2025-03-26", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
        exchange.answer(json.dumps([{"jsonrpc": "2.0", "id": exchange.message["id"], "result": result}]).encode(), Mcp_Session_Id="s-2")

    server.instead["initialize"] = answer
    host = connect(server)
    assert host.begin(protocolVersion="2025-03-26")["result"]["serverInfo"]["name"] == "s"
    assert "result" in host.call() and server.sent("tools/call")[0].headers["mcp-session-id"] == "s-2"


@pytest.mark.parametrize(
    "members",
    [
        {"method": "notifications/message", "result": {"tools": [{"name": "other"}]}},
        {"result": {"tools": []}, "Result": {"tools": [{"name": "other"}]}},
        {"method": "sampling/createMessage", "params": {"a": 1}, "Params": {}},
    ],
)
def test_a_part_of_the_server_that_two_readers_read_in_two_ways_is_dropped(server, host, members):
    def answer(exchange):
        exchange.stream()
        exchange.event({"jsonrpc": "2.0", "id": exchange.message["id"], **members})
        exchange.event([{"jsonrpc": "2.0", "id": 99, **members}, {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}}])
        usual = {"jsonrpc": "2.0", "id": exchange.message["id"], "result": {"tools": server.tools}}
        exchange.event(usual)

    server.instead["tools/list"] = answer
    assert listed(host.request("tools/list")) == ["echo"]
    assert not [message for message in host.messages if message.get("id") == 99] and host.event("notifications/progress")


@pytest.mark.parametrize("result", ['{"tools": [{"name": "other", "title": "\\ud800"}]}', '{"tools": [], "Tools": [{"name": "other"}]}'])
def test_a_list_of_tools_that_cannot_be_read_is_not_shown(server, host, result):
    server.instead["tools/list"] = lambda exchange: exchange.answer(
        f'{{"jsonrpc": "2.0", "id": {exchange.message["id"]}, "result": {result}}}'.encode())
    assert "--allow-tool and --ignore-tool need" in host.request("tools/list")["error"]["message"]

"""`oauth-stdio mcp URL`: a host of standard input and output joined with a server of Streamable HTTP."""

import json
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

from mcp_streams import Gate, INITIALIZE, StreamServer, connect, hold_calls
from rpc import PATIENCE, ROOT
from test_command_line import Shell
from test_helpers import certificate
from waiting import wait_until

VERSIONS = ["2025-03-26", "2025-06-18", "2025-11-25"]


@pytest.fixture
def server():
    with StreamServer() as running:
        yield running


@pytest.fixture
def shell(home):
    return Shell(home)


# Messages.


@pytest.mark.parametrize("version", VERSIONS)
def test_messages_pass_unchanged_in_each_version(server, connect, version):
    """Numbers, order, escapes and unknown members are those of the sender."""
    asked = b'{"params":{"arguments":{"n":19.990,"big":123456789012345678901234567890,"s":"\\u00e9\\/"},"name":"echo","_meta":{"x":1}},"id":"a-1","jsonrpc":"2.0","method":"tools/call","extra":[ 1 ]}'
    said = b'{"id":"a-1","result":{"$defs":{},"content":[],"n":1.50,"big":98765432109876543210,"s":"\\u2028"},"jsonrpc":"2.0","x":null}'
    host = connect(server)
    assert host.begin(protocolVersion=version)["result"]["protocolVersion"] == version
    server.instead["tools/call"] = lambda exchange: exchange.answer(said)
    host.write(asked)
    host.answer("a-1")
    (call,) = server.sent("tools/call")
    assert call.body == asked and host.lines[-1] == said + b"\n"
    assert call.headers["mcp-session-id"] == "s-1" and call.headers["mcp-protocol-version"] == version
    assert call.headers["accept"] == "application/json, text/event-stream" and call.headers["content-type"] == "application/json"
    (first,) = server.sent("initialize")
    assert "mcp-session-id" not in first.headers and "mcp-protocol-version" not in first.headers


def test_an_answer_may_be_a_stream_or_have_line_ends(server, connect):
    def stream(exchange):
        exchange.stream()
        exchange.write(": a comment\r\nevent: message\r\n")
        exchange.write('data: {"jsonrpc":"2.0","method":"notifications/progress",\r\ndata: "params":{"progressToken":1,"progress":1}}\r')
        exchange.write("\n\r\n")
        exchange.event_result({"content": []})

    host = connect(server)
    host.begin()
    server.instead["tools/call"] = stream
    assert host.call()["result"] == {"content": []}
    assert host.event("notifications/progress")["params"]["progress"] == 1
    server.instead["tools/call"] = lambda exchange: exchange.answer(json.dumps({"jsonrpc": "2.0", "id": exchange.message["id"], "result": {"b": 1}}, indent=2).encode())
    assert host.call()["result"] == {"b": 1}
    assert all(line.count(b"\n") == 1 for line in host.lines)


def test_calls_pings_and_cancellations_go_side_by_side(server, connect):
    host = connect(server)
    host.begin()
    gate, calls = hold_calls(server, host)
    assert host.request("ping")["result"] == {}
    cancelled = server.sent("tools/call")[0].message["id"]
    host.notify("notifications/cancelled", {"requestId": cancelled, "reason": "no"})
    wait_until(lambda: server.sent("notifications/cancelled"))
    assert len(server.sent("tools/call")) == 16
    gate.open()
    calls.remove(cancelled)
    for number in calls:
        assert "result" in host.answer(number)
    assert not [message for message in host.messages if message.get("id") == cancelled]


def test_the_server_asks_the_host(server, connect):
    """Its question comes on the stream of the call, or on the session's own. The host's answer gets none."""

    def ask(exchange):
        exchange.stream()
        exchange.event({"jsonrpc": "2.0", "id": "q-1", "method": "elicitation/create", "params": {"message": "?"}})
        wait_until(lambda: any(sent.message and sent.message.get("id") == "q-1" for sent in server.exchanges))
        exchange.event_result({"content": []})

    def listen(exchange):
        exchange.stream()
        exchange.event({"jsonrpc": "2.0", "id": "q-2", "method": "roots/list"})
        exchange.wait_for_close()

    host = connect(server)
    server.instead["GET"] = listen
    server.instead["tools/call"] = ask
    host.begin()
    host.send({"jsonrpc": "2.0", "id": host.event("roots/list")["id"], "result": {"roots": []}})
    number = host.ask("tools/call", {"name": "echo"})
    host.send({"jsonrpc": "2.0", "id": host.event("elicitation/create")["id"], "result": {"action": "accept"}})
    assert "result" in host.answer(number)
    answers = [sent for sent in server.exchanges if sent.message and "result" in sent.message]
    assert {sent.message["id"] for sent in answers} == {"q-1", "q-2"} and all(sent.headers["mcp-session-id"] == "s-1" for sent in answers)
    assert [message.get("method") for message in host.messages].count(None) == 2


def test_calls_in_a_row_share_a_connection(server, connect):
    host = connect(server)
    host.begin()
    for _ in range(5):
        assert "result" in host.call()
    assert len({exchange.handler.client_address for exchange in server.sent("tools/call")}) <= 2


def test_nothing_overtakes_the_handshake(server, connect):
    gate = Gate()

    def initialized(exchange):
        gate()
        exchange.answer(status=202)

    host = connect(server)
    server.instead["notifications/initialized"] = initialized
    host.begin()
    number = host.ask("tools/list")
    gate.wait()
    assert not server.sent("tools/list")
    gate.open()
    assert len(host.answer(number)["result"]["tools"]) == 2


def test_a_batch_of_an_old_host_is_answered(server, connect):
    host = connect(server)
    host.begin(protocolVersion="2025-03-26")
    answers = [{"jsonrpc": "2.0", "id": number, "result": {}} for number in (7, 8)]
    server.instead["POST"] = lambda exchange: exchange.answer(json.dumps(answers).encode())
    host.send([{"jsonrpc": "2.0", "id": number, "method": "ping"} for number in (7, 8)])
    assert host.answer(7) and host.answer(8)


def test_an_id_may_be_used_again(server, connect):
    host = connect(server)
    host.begin()
    for number in range(50):
        host.send({"jsonrpc": "2.0", "id": "same", "method": "tools/call", "params": {"name": "echo"}})
        wait_until(lambda: sum(message.get("id") == "same" for message in host.messages) == number + 1)
    assert all("result" in message for message in host.messages if message.get("id") == "same")
    gate = Gate()
    server.instead["tools/call"] = lambda exchange: (gate(), server.usual(exchange))
    for _ in range(2):
        host.send({"jsonrpc": "2.0", "id": "open", "method": "tools/call", "params": {"name": "echo"}})
    assert host.answer("open")["error"]["code"] == -32600
    gate.open()


def test_what_is_no_message_is_refused(server, connect):
    host = connect(server)
    for line in (b"not json", b'{"jsonrpc":"2.0","id":1,"method":"a\0"}', b'{"jsonrpc":"2.0","id":1,"method":"a","params":{"a\\u0000":1}}'):
        known = len(host.lines)
        host.write(line)
        wait_until(lambda: host.lines[known:])
        assert json.loads(host.lines[known])["error"]["code"] == -32700
    assert server.exchanges == []


def test_a_text_may_contain_nul(server, connect, shell):
    host = connect(server)
    host.begin()
    server.instead["tools/call"] = lambda exchange: exchange.result({"content": [{"type": "text", "text": exchange.message["params"]["arguments"]["x"]}]})
    assert host.call(x="a\0b")["result"]["content"][0]["text"] == "a\0b"
    assert shell.run("mcp", server.url, "--call", "echo", '{"x": "a\\u0000b"}').stdout == "a\0b\n"


# Faults. Each request gets exactly one answer.


def test_an_error_of_the_server_keeps_its_data(server, connect):
    host = connect(server)
    host.begin()
    error = {"code": -32602, "message": "no", "data": {"supported": ["x"]}}
    for identifier, status in (("same", 400), (None, 400), (None, 200)):
        server.instead["tools/call"] = lambda exchange: exchange.answer(
            {"jsonrpc": "2.0", "id": exchange.message["id"] if identifier else None, "error": error}, status=status)
        assert host.call()["error"] == error
    server.instead["tools/call"] = lambda exchange: exchange.answer(b"<html>", status=503, Content_Type="text/html")
    assert "answered 503" in host.call()["error"]["message"]
    server.instead["tools/call"] = lambda exchange: exchange.answer(b"<html>", Content_Type="text/html")
    assert "sent a page instead of an answer: the network may want a sign-in" in host.call()["error"]["message"]


def test_a_lost_answer_is_an_error_and_no_repetition(server, connect):
    def cut(exchange):
        exchange.head(200, {"Content-Type": "application/json", "Content-Length": 100})
        exchange.write("{")
        exchange.handler.close_connection = True

    host = connect(server)
    host.begin()
    for function in (cut, lambda exchange: exchange.drop(), lambda exchange: exchange.stream()):
        # The next request goes over the connection of this one.
        server.instead["tools/call"] = server.usual
        assert "result" in host.call()
        server.instead["tools/call"] = function
        before = len(server.sent("tools/call"))
        assert host.call()["error"]["code"] == -32000
        assert len(server.sent("tools/call")) == before + 1
    server.__exit__()
    assert "could not be reached" in host.call()["error"]["message"]


def test_a_broken_stream_is_continued(server, connect):
    """Also by the rule of 2025-11-25: the server closes it after an event with an id, and asks for a pause."""
    times = []

    def begin(exchange):
        number = exchange.message["id"]
        server.instead["GET"] = lambda later: resume(later, number)
        times.append(time.monotonic())
        exchange.stream()
        exchange.write("id: e-1\nretry: 300\ndata:\n\n")

    def resume(exchange, number):
        times.append(time.monotonic())
        if exchange.headers.get("last-event-id") == "e-1":
            exchange.stream().event({"jsonrpc": "2.0", "method": "notifications/message", "params": {}}, id="e-2")
            return
        assert exchange.headers["last-event-id"] == "e-2" and exchange.headers["mcp-session-id"] == "s-1"
        exchange.stream().event({"jsonrpc": "2.0", "id": number, "result": {"content": []}}, id="e-3")

    host = connect(server)
    host.begin()
    wait_until(lambda: server.sent("GET"))
    server.instead["tools/call"] = begin
    assert host.call()["result"] == {"content": []}
    assert len(server.sent("tools/call")) == 1 and all(later - sooner > 0.29 for sooner, later in zip(times, times[1:]))
    assert [exchange.headers.get("last-event-id") for exchange in server.sent("GET")] == [None, "e-1", "e-2"]


def test_a_forgotten_session_is_begun_again(server, connect):
    host = connect(server)
    host.begin()
    wait_until(lambda: server.sent("GET"))

    def forget(status, body=b""):
        def forgotten(exchange):
            if exchange.headers["mcp-session-id"] == server.session:
                return server.usual(exchange)
            exchange.answer(body, status=status)

        return forgotten

    for number, refusal in enumerate([forget(404), forget(400, b"Bad Request: No valid session ID provided")], 2):
        server.session = f"s-{number}"
        server.instead["tools/call"] = refusal
        calls = [host.ask("tools/call", {"name": "echo"}) for _ in range(5)]
        assert all("result" in host.answer(call) for call in calls)
        assert len(server.sent("initialize")) == number == len(server.sent("notifications/initialized"))
        assert server.sent("initialize")[-1].body == server.sent("initialize")[0].body
        assert "mcp-session-id" not in server.sent("initialize")[-1].headers
    assert not [message for message in host.messages if message.get("id") == 1][1:]
    server.instead["tools/call"] = lambda exchange: exchange.answer(status=404)
    assert "answered 404" in host.call()["error"]["message"]


def test_a_server_without_sessions(connect):
    with StreamServer(session=None) as server:
        host = connect(server)
        host.begin()
        assert "result" in host.call()
        server.instead["tools/call"] = lambda exchange: exchange.answer(status=404)
        assert "answered 404" in host.call()["error"]["message"] and len(server.sent("initialize")) == 1
        assert host.end() == 0 and not server.sent("DELETE")


@pytest.mark.parametrize("session", [None, "s-1"])
@pytest.mark.parametrize("answer", [{"status": 405}, {"status": 404}, {"status": 400}, {"status": 409}, {"body": b"{}"}])
def test_a_server_without_a_stream_of_its_own_is_asked_once_for_each_handshake(connect, answer, session):
    """Hosts that asked again and again made most of one service's traffic. Express answers 404 where a program has no route for GET."""
    with StreamServer(session=session) as server:
        server.instead["GET"] = lambda exchange: exchange.answer(**answer)
        host = connect(server)
        host.begin()
        wait_until(lambda: server.sent("GET"))
        host.notify("notifications/initialized")
        wait_until(lambda: len(server.sent("GET")) == 2)
        assert "result" in host.call()
        # Either one would ask again after a second or two.
        time.sleep(2.3)
        assert len(server.sent("GET")) == 2 and len(server.sent("initialize")) == 1


def test_a_certificate_of_a_company_is_added_by_the_usual_variable(connect, tmp_path):
    pair = certificate(tmp_path)
    with StreamServer(certificate=pair) as server:
        host = connect(server)
        assert "certificate" in host.request("initialize", INITIALIZE)["error"]["message"]
        host = connect(server, environment={"SSL_CERT_FILE": pair[0]})
        host.begin()
        assert "result" in host.call()


# A hostile server, and a host that does not read.


@pytest.mark.parametrize("body", [b'{"jsonrpc":"2.0","id":2,"result":{"x":"\xff\xfe"}}', b'{"jsonrpc":"2.0","id":2,"result":' + b"[" * 100000 + b"]" * 100000 + b"}", b'{"id":'])
@pytest.mark.parametrize("is_stream", [False, True])
def test_what_is_no_json_reaches_no_host(server, connect, body, is_stream):
    def answer(exchange):
        if not is_stream:
            return exchange.answer(body)
        exchange.stream()
        exchange.handler.wfile.write(b"data: " + body + b"\n\n")

    host = connect(server)
    host.begin()
    server.instead["tools/call"] = answer
    assert "is not a message of JSON-RPC" in host.call()["error"]["message"]


@pytest.mark.parametrize("is_stream", [False, True])
def test_an_answer_with_another_id_is_named(server, connect, is_stream):
    """Some servers send the id as a text. A stream may still bring the true answer."""
    def answer(exchange):
        message = {"jsonrpc": "2.0", "id": str(exchange.message["id"]), "result": {"n": 1}}
        if not is_stream:
            return exchange.answer(message)
        exchange.stream()
        exchange.event(message)
        exchange.event({"jsonrpc": "2.0", "id": None, "error": {"code": -32603, "message": "of another request"}})
        if exchange.message["params"]["arguments"]:
            exchange.event_result({"n": 2})

    host = connect(server)
    host.begin()
    server.instead["tools/call"] = answer
    error = host.call()["error"]
    assert error["message"] == ("of another request" if is_stream else f'{server.url.split("/")[2]} answered with the id "2", which is not the request\'s')
    if is_stream:
        assert host.call(whole=True)["result"] == {"n": 2}


@pytest.mark.parametrize("data", ['{"a":1,"a":2}', r'"\ud800"', "1e999"])
def test_an_error_that_cannot_be_read_ends_no_process(server, connect, data):
    host = connect(server)
    host.begin()
    server.instead["tools/call"] = lambda exchange: exchange.answer(
        b'{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"no","data":' + data.encode() + b"}}")
    assert "error" in host.call() and "result" in host.request("tools/list")


def test_two_answers_count_once(server, connect):
    host = connect(server)
    host.begin()

    def twice(exchange):
        answers = [{"jsonrpc": "2.0", "id": exchange.message["id"], "result": {"n": number}} for number in range(2)]
        exchange.answer(json.dumps(answers).encode())

    server.instead["tools/call"] = twice
    assert host.call()["result"] == {"n": 0} and "result" in host.request("tools/list")
    assert len([message for message in host.messages if message.get("result") == {"n": 1}]) == 0


def test_a_stream_that_closes_at_once_is_asked_slowly(server, connect):
    def close(exchange):
        exchange.stream().write("id: same\nretry: 0\ndata:\n\n")

    host = connect(server)
    host.begin()
    wait_until(lambda: server.sent("GET"))
    server.instead["tools/call"] = server.instead["GET"] = close
    began = time.monotonic()
    assert "broke" in host.call()["error"]["message"]
    assert len(server.sent("GET")) <= 7 and time.monotonic() - began > 0.5


def test_an_endless_answer_is_stopped(server, connect):
    ended = []

    def endless(exchange):
        exchange.stream()
        try:
            while True:
                exchange.write("data: " + "x" * (1 << 20))
        except OSError:
            ended.append(exchange)

    host = connect(server)
    host.begin()
    server.instead["tools/call"] = endless
    assert "longer than 64 MiB" in host.call()["error"]["message"]
    wait_until(lambda: ended)


def test_a_length_that_nothing_follows_takes_little_memory(server, connect):
    gate = Gate()

    def promise(exchange):
        exchange.head(200, {"Content-Type": "application/json", "Content-Length": 60_000_000})
        exchange.write("{")
        gate()

    def reserved():
        return int(re.search(r"VmSize:\s+(\d+) kB", Path(f"/proc/{host.process.pid}/status").read_text())[1]) << 10

    host = connect(server)
    host.begin()
    before = reserved()
    server.instead["tools/call"] = promise
    for _ in range(40):
        host.ask("tools/call", {"name": "echo"})
    # At most 16 requests wait for a head, so at least 24 heads have come.
    wait_until(lambda: len(server.sent("tools/call")) == 40)
    assert reserved() - before < 500_000_000
    gate.open()


def test_a_host_that_reads_nothing_can_leave(server, home):
    def flood(exchange):
        exchange.stream()
        for _ in range(100):
            exchange.event({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "x" * (1 << 20)}})

    server.instead["tools/call"] = flood
    process = Shell(home).start("mcp", server.url, stdin=subprocess.PIPE)
    for message in ({"id": 1, "method": "initialize", "params": INITIALIZE}, {"id": 2, "method": "tools/call", "params": {"name": "echo"}}):
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    process.stdin.flush()
    wait_until(lambda: server.sent("tools/call"))
    process.stdin.close()
    assert process.wait(PATIENCE) == 0


def test_a_line_that_is_too_long(server, connect):
    host = connect(server)
    host.write(b'"' + b"x" * (17 << 20) + b'"')
    assert "longer than 16777216 bytes" in host.wait(lambda message: message["id"] is None)["error"]["message"]


# Redirects.


def test_a_redirect_within_the_server_is_followed(server, connect):
    def redirect(exchange):
        exchange.answer(status=307, Location="/mcp")

    server.instead["/mcp/"] = redirect
    for method in ("initialize", "notifications/initialized", "tools/call"):
        server.instead[method] = lambda exchange: (redirect if exchange.path == "/mcp/" else server.usual)(exchange)
    host = connect(server.url + "/", "--header", "X-Key: secret-1")
    host.begin()
    assert "result" in host.call() and server.sent("tools/call")[-1].headers["x-key"] == "secret-1"


def test_a_redirect_elsewhere_gets_nothing(server, connect):
    with StreamServer() as other:
        server.instead["initialize"] = lambda exchange: exchange.answer(status=307, Location=other.url)
        host = connect(server, "--header", "X-Key: secret-1")
        assert f"redirects to {other.url}" in host.request("initialize", {})["error"]["message"]
        assert other.exchanges == []


# The end.


@pytest.mark.parametrize("end", ["stdin", signal.SIGTERM, signal.SIGHUP])
def test_the_end_deletes_the_session(server, connect, end):
    hung = threading.Event()
    server.instead["GET"] = lambda exchange: exchange.stream().wait_for_close()
    server.instead["tools/call"] = lambda exchange: hung.wait(100)
    host = connect(server)
    host.begin()
    wait_until(lambda: server.sent("GET"))
    host.ask("tools/call", {"name": "echo"})
    wait_until(lambda: server.sent("tools/call"))
    if end == "stdin":
        assert host.end() == 0
    else:
        host.process.send_signal(end)
        assert host.process.wait(PATIENCE) == 128 + end
    (delete,) = server.sent("DELETE")
    assert delete.headers["mcp-session-id"] == "s-1"
    hung.set()


def test_requests_right_before_the_end_are_answered(server, connect):
    host = connect(server)
    host.begin()
    number = host.ask("tools/list")
    assert host.end() == 0
    assert "result" in host.answer(number)


def test_a_server_that_does_not_answer_the_end_delays_it_little(server, connect):
    hung = threading.Event()
    server.instead["DELETE"] = lambda exchange: hung.wait(100)
    host = connect(server)
    host.begin()
    assert host.end() == 0
    hung.set()


# A shell.


def test_a_shell_lists_and_calls(server, shell):
    server.tools[0]["description"] = "Repeats.\nAt once."
    assert shell.run("mcp", server.url, "--list").stdout == "echo  Repeats.\nother  \n"
    assert shell.run("mcp", server.url, "--call", "echo", '{"a": 1}').stdout == "echoed\n"
    assert server.sent("tools/call")[0].message["params"] == {"name": "echo", "arguments": {"a": 1}} and len(server.sent("DELETE")) == 2
    server.instead["tools/call"] = lambda exchange: exchange.result({"content": [{"type": "text", "text": "no"}], "isError": True})
    done = shell.run("mcp", server.url, "--call", "echo", status=1)
    assert done.stdout == "no\n" and "reports an error" in done.stderr
    server.instead["tools/call"] = lambda exchange: exchange.answer(status=500)
    assert "answered 500" in shell.message("mcp", server.url, "--call", "echo", status=1)


def test_a_shell_takes_an_older_version(server, shell):
    def initialize(exchange):
        asked = exchange.message["params"]["protocolVersion"]
        if asked == "2025-06-18":
            return server.usual(exchange)
        data = {"supported": ["2024-11-05", "2025-06-18"], "requested": asked}
        exchange.answer({"jsonrpc": "2.0", "id": exchange.message["id"], "error": {"code": -32602, "message": "Unsupported protocol version", "data": data}}, status=400)

    server.instead["initialize"] = initialize
    assert shell.run("mcp", server.url, "--call", "echo").stdout == "echoed\n"


def test_an_endless_list_ends(server, shell):
    server.instead["tools/list"] = lambda exchange: exchange.result({"tools": server.tools[:1], "nextCursor": "again"})
    assert shell.run("mcp", server.url, "--list").stdout == 50 * "echo  \n" and len(server.sent("tools/list")) == 50


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["https://example.com", "--call", "a", "b"], "--call needs a tool and its arguments as a JSON object"),
        (["https://example.com", "--header", "a"], "--header must be 'NAME: VALUE'"),
        (["https://example.com", "--header", "A: ${UNSET_VARIABLE}"], "UNSET_VARIABLE, which is not set"),
        (["https://example.com", "https://example.org"], "mcp does not take https://example.org"),
        (["http://example.com/mcp"], "must be an https URL"),
        (["mcp.example.com/mcp"], "the whole address of a server: mcp https://mcp.example.com/mcp"),
        (["--list"], "the whole address of a server: mcp https://HOST/PATH"),
        (["https://example.com", "--client-secret", "s3cret"], "--client-secret must be '${VARIABLE}' or @FILE"),
        (["https://example.com", "--client-secret", "${UNSET_VARIABLE}"], "--client-secret needs the variable UNSET_VARIABLE"),
        (["https://example.com", "--header", "@/nonexistent"], "the file /nonexistent cannot be read: no such file or directory"),
        (["https://example.com", "--log", "/nonexistent/log"], "--log cannot write /nonexistent/log: no such file or directory"),
    ],
)
def test_a_wrong_word(shell, words, message):
    assert message in shell.message("mcp", *words, status=2)


def test_the_log_goes_to_a_file_too(server, connect, home):
    """Options stand before or after the command."""
    host = connect(server, "--log", home / "log", "--log-level", "info", "--header", "X-Key: secret-1")
    host.begin()
    host.call()
    host.end()
    text = (home / "log").read_text()
    assert text == host.log() and f"POST 127.0.0.1 answered 200" in text and "secret-1" not in text and "s-1" not in text


@pytest.mark.parametrize("limits", [{"readOnly": True}, {"allow": ["callAPI"]}])
def test_a_profile_that_the_bridge_cannot_keep_is_refused(home, server, shell, limits):
    (home / "config.json").write_text(json.dumps({"profiles": {"p": limits}}))
    ended = shell.run("--config", home / "config.json", "--profile", "p", "mcp", server.url, "--list", status=2)
    assert "does not run with --" in ended.stderr and not server.exchanges


# What the entry of each host in examples/mcp.md does besides starting the bridge.
HOSTS = {"Claude Code": [], "VS Code": ["--allow-tool"], "Cursor": ["--log"]}


@pytest.mark.parametrize("name", HOSTS)
def test_the_entry_of_a_host_starts_the_bridge(server, connect, tmp_path, name):
    example = (ROOT / "examples" / "mcp.md").read_text().partition("## Your accounts as tools")[0]
    entry = json.loads(re.search(rf"^\*\*{name}\*\*.*?^```json\n(.*?)^```", example, re.DOTALL | re.MULTILINE)[1])
    ((start,),) = [servers.values() for servers in entry.values()]
    mcp, url, *words = [word.replace("/home/me", str(tmp_path)) for word in start["args"]]
    assert start["command"] == "oauth-stdio" and mcp == "mcp" and url.startswith("https://") and words[:1] == HOSTS[name]
    host = connect(server, *words)
    assert host.begin()["result"]["serverInfo"]

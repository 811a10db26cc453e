"""`oauth-stdio mcp URL` and a server of 2024-11-05, whose one stream brings all answers and names the address for the messages."""

import threading

import pytest

from mcp_streams import Host, StreamServer
from waiting import wait_until


class EventServer(StreamServer):
    """Refuses a POST to its URL, and answers what is sent to `/messages` on the last stream."""

    def __init__(self):
        super().__init__(session=None, path="/sse")
        self.instead["GET"] = self.listen
        self.instead["/sse"] = lambda exchange: exchange.answer(status=405)
        self.address = "/messages?id=1"
        self.closing = threading.Event()

    def listen(self, exchange) -> None:
        self.stream = exchange.stream()
        self.closing.clear()
        exchange.write(f"event: endpoint\ndata: {self.address}\n\n")
        self.closing.wait(60)

    def usual(self, exchange) -> None:
        exchange.answer(status=202)
        if "id" in exchange.message:
            result = {"initialize": {"protocolVersion": "2024-11-05", "capabilities": {}, "serverInfo": {"name": "old", "version": "1"}}}
            self.stream.event({"jsonrpc": "2.0", "id": exchange.message["id"], "result": result.get(exchange.method, {"content": []})}, event="message")


@pytest.fixture
def server():
    with EventServer() as running:
        for method in ("initialize", "tools/call"):
            running.instead[method] = lambda exchange: exchange.answer(status=405) if exchange.path == "/sse" else running.usual(exchange)
        yield running
        running.closing.set()


@pytest.fixture
def host(home, server):
    with Host(home, server.url) as running:
        yield running


def test_all_answers_come_on_one_stream(server, host):
    assert host.begin(protocolVersion="2025-11-25")["result"]["serverInfo"]["name"] == "old"
    numbers = [host.ask("tools/call", {"name": "echo"}) for _ in range(3)]
    assert all(host.answer(number)["result"] == {"content": []} for number in numbers)
    assert {exchange.path for exchange in server.exchanges if exchange.method == "tools/call"} == {"/messages?id=1"}
    assert host.end() == 0


def test_a_lost_stream_is_begun_again(server, host):
    """Its open requests are errors, and the next one begins with the handshake."""
    host.begin()
    wait_until(lambda: server.sent("notifications/initialized"))
    usual, server.instead["tools/call"] = server.instead["tools/call"], lambda exchange: exchange.answer(status=202)
    number = host.ask("tools/call", {"name": "echo"})
    wait_until(lambda: server.sent("tools/call"))
    server.closing.set()
    assert "ended without an answer" in host.answer(number)["error"]["message"]
    server.instead["tools/call"] = usual
    assert host.call()["result"] == {"content": []}
    assert len(server.sent("GET")) == 2 and len(server.sent("notifications/initialized")) == 2 and len(server.sent("tools/call")) == 2


def test_the_address_is_of_the_same_server(server, host):
    server.address = "http://127.0.0.1:1/messages"
    assert "names another server" in host.request("initialize", {})["error"]["message"]


def test_a_stream_without_an_answer_is_an_error(server, host):
    server.instead["initialize"] = lambda exchange: exchange.answer(status=405 if exchange.path == "/sse" else 202)
    assert "no answer to initialize in 30 s" in host.request("initialize", {})["error"]["message"]


def test_a_stream_that_ends_before_the_handshake_is_an_error(server, host):
    server.instead["initialize"] = lambda exchange: exchange.answer(status=405) if exchange.path == "/sse" else (
        exchange.answer(status=202), server.closing.set())
    assert "ended without an answer" in host.request("initialize", {})["error"]["message"]

"""What a host gets while the user signs in, and how many tabs that may open: lists wait, calls answer with the address of the page."""

import json
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import browser
from mcp_streams import INITIALIZE, Gate, LoginServer, StreamServer, connect
from provider import Response
from rpc import PATIENCE
from signing_in import redirect
from test_bridge_login import LISTS, listens, page, sign_in
from test_command_line import Shell
from waiting import wait_until

WAITING = ["tools/list", "resources/list", "resources/templates/list", "prompts/list"]


@pytest.fixture
def login():
    with LoginServer() as running:
        yield running


@pytest.fixture
def server(login):
    with StreamServer(login=login) as running:
        yield running


@pytest.fixture
def shell(home):
    return Shell(home)


@pytest.fixture
def tabs(home):
    """Returns `tabs()`, the addresses that a browser was started with. `tabs.environment` has the browser."""
    home.mkdir(exist_ok=True)
    script = home / "browser"
    script.write_text('#!/bin/sh\necho "$1" >> "$0.urls"\n')
    script.chmod(0o755)

    def tabs() -> list[str]:
        log = home / "browser.urls"
        return log.read_text().splitlines() if log.exists() else []

    tabs.environment = {"BROWSER": str(script)}
    return tabs


def address_of(host) -> str:
    """Returns the address that the log has at once."""
    wait_until(lambda: "The user must sign in" in host.log())
    return page({"log": host.log()})


def test_only_a_page_that_appeared_is_counted(server, connect, tabs):
    """A sign-in that fails before its page must not use up the tab that a server may have in five minutes."""
    server.login.instead["/register"] = lambda request: Response(503, b"deploying")
    host = connect(server, environment=tabs.environment)
    host.begin()
    assert "503" in json.dumps(host.call()) and not tabs()
    server.login.instead["/register"] = server.login.register
    server.login.approve(page(host.call()["result"]))
    host.event(LISTS[0])
    assert "result" in host.call()
    wait_until(lambda: len(tabs()) == 1)


# Lists.


@pytest.mark.parametrize("method", WAITING)
def test_a_list_waits_for_the_user(server, connect, method):
    host = connect(server)
    host.begin()
    asked = host.ask(method)
    server.login.approve(address_of(host))
    assert "result" in host.answer(asked)
    assert len(server.login.registrations) == 1 and host.end() == 0


def test_other_requests_do_not_wait(server, connect):
    host = connect(server)
    host.begin()
    list_id = host.ask("tools/list")
    address = address_of(host)
    assert page(host.call()["result"]) == address and host.request("ping")["result"] == {}
    assert not [message for message in host.messages if message.get("id") == list_id]


def test_a_list_fails_with_the_address_in_the_end(server, connect):
    host = connect(server, "--wait", "1")
    host.begin()
    error = host.request("tools/list")["error"]
    assert error["data"]["url"] == address_of(host) and "sign in" in error["message"]
    assert "waiting 1 s" in host.log()


def test_without_a_wait_a_list_fails_at_once(server, connect):
    host = connect(server, "--wait", "0")
    host.begin()
    assert page(host.request("tools/list")) and "waiting" not in host.log()


@pytest.mark.parametrize("is_lost", [False, True])
def test_a_cancelled_list_waits_no_longer(shell, server, connect, is_lost):
    """On a cold start, and after the server has refused it for a lost login: the server has none of it."""
    if is_lost:
        sign_in(shell, server)
    host = connect(server)
    host.begin()
    if is_lost:
        server.login.living.clear()
        server.login.refresh_token = None
    asked = host.ask("tools/list")
    address = address_of(host)
    sent = len(server.sent("tools/list"))
    host.notify("notifications/cancelled", {"requestId": asked})
    host.request("ping")
    server.login.approve(address)
    host.event(LISTS[0])
    assert host.request("prompts/list") and not [message for message in host.messages if message.get("id") == asked]
    assert not server.sent("notifications/cancelled") and len(server.sent("tools/list")) == sent


def test_the_end_of_input_ends_the_wait(server, connect):
    host = connect(server, "--wait", "3600")
    host.begin()
    host.ask("tools/list")
    address_of(host)
    assert host.end() == 0


def test_a_denied_page_ends_the_wait(server, connect):
    host = connect(server)
    host.begin()
    asked = host.ask("tools/list")
    server.login.deny(address_of(host))
    assert "denied" in host.answer(asked)["error"]["message"]


def test_the_first_lists_of_three_hosts_are_answered_by_one_sign_in(server, connect):
    """Those of the processes that do not have the page, too: none of them is told to try again."""
    hosts = [connect(server) for _ in range(3)]
    for host in hosts:
        host.begin()
    asked = [[host.ask(method) for method in WAITING] for host in hosts]
    pages = {address_of(host) for host in hosts}
    server.login.approve(pages.pop())
    for host, numbers in zip(hosts, asked):
        assert all("result" in host.answer(number) for number in numbers)
    assert not pages and len(server.login.codes) == 1


def test_a_call_that_meets_the_end_of_another_process_sign_in_is_sent(shell, server, connect):
    """The page of the other process is never seen, and the call does not fail for it."""
    hosts = [connect(server) for _ in range(4)]
    for host in hosts:
        host.ask("initialize", INITIALIZE)
    address = next(iter({address for host in hosts[:1] if (address := page(host.call()["result"]))}))
    approving = threading.Thread(target=server.login.approve, args=(address,))
    approving.start()
    answers = []
    while approving.is_alive():
        answers += [host.call() for host in hosts]
    approving.join()
    assert not [answer for answer in answers if "error" in answer]


def test_a_redirect_that_came_while_no_process_ran_counts_when_it_is_reloaded(server, connect):
    first = connect(server)
    first.begin()
    address = page(first.call()["result"])
    first.process.kill()
    first.process.wait()
    arrived = redirect(address, code="code-1", iss=None)
    with pytest.raises(OSError):
        browser.deliver(arrived)
    second = connect(server)
    second.begin()
    wait_until(lambda: listens(address))
    browser.deliver(arrived)
    second.event(LISTS[0])
    assert second.call()["result"]["content"][0]["text"] == "echoed" and len(server.login.registrations) == 1


def test_a_redirect_counts_while_the_next_process_prepares_its_page(server, connect):
    gate, pushed = Gate(), []

    def push(request) -> Response:
        pushed.append(browser.query("?" + request.body.decode()))
        if len(pushed) == 2:
            gate()
        return Response.of({"request_uri": f"urn:pushed:{len(pushed)}", "expires_in": 60}, 201)

    def publish(request) -> Response:
        document = json.loads(server.login.publish(request).body)
        return Response.of({**document, "require_pushed_authorization_requests": True, "pushed_authorization_request_endpoint": server.login.url + "/par"})

    server.login.instead |= {"/par": push, "/.well-known/oauth-authorization-server": publish}
    first = connect(server)
    first.begin()
    page(first.call()["result"])
    first.process.kill()
    first.process.wait()
    second = connect(server)
    second.begin()
    gate.wait()
    with ThreadPoolExecutor() as pool:
        reloaded = pool.submit(browser.deliver, f"{pushed[0]['redirect_uri']}?code=code-1&state={pushed[0]['state']}")
        with pytest.raises(TimeoutError):
            reloaded.result(0.5)
        gate.open()
        assert reloaded.result(PATIENCE).status == 200
    second.event(LISTS[0])


def test_a_shell_says_that_it_waits(shell, server):
    process = shell.start("mcp", server.url, "--list")
    line = process.stderr.readline()
    assert "waiting for the sign-in" in line
    server.login.approve(page({"line": line}))
    assert process.stdout.read() == "echo  \nother  \n" and process.wait(60) == 0


# Tabs.


def test_a_host_that_is_started_again_and_again_opens_one_tab(server, connect, tabs):
    pages = set()
    for end in (signal.SIGKILL, signal.SIGTERM) * 3:
        host = connect(server, environment=tabs.environment)
        host.begin()
        pages.add(page(host.call()["result"]))
        wait_until(tabs)
        host.process.send_signal(end)
        host.process.wait()
    assert len(pages) == len(server.login.registrations) == len(tabs()) == 1


def test_a_denied_page_counts(server, connect, tabs):
    """A tool asks the user again, and shows the address."""
    host = connect(server, environment=tabs.environment)
    host.begin()
    first = page(host.call()["result"])
    wait_until(lambda: len(tabs()) == 1)
    server.login.deny(first)
    wait_until(lambda: "denied" in json.dumps(host.request("tools/list")))
    text = host.call()["result"]["content"][0]["text"]
    again = page({"text": text})
    assert again != first and f"open {again} in a browser of this machine" in text
    second = connect(server, environment=tabs.environment)
    second.begin()
    assert page(second.call()["result"]) == again and len(tabs()) == 1
    server.login.approve(again)
    for each in (host, second):
        each.event(LISTS[0])
        assert each.call()["result"]["content"][0]["text"] == "echoed"


def test_a_server_that_takes_the_token_for_all_but_lists_opens_one_tab(server, connect, tabs):
    """The host lists again after each sign-in."""
    usual = server.lets_in

    def lets_in(exchange) -> bool:
        server.refuses = exchange.method == "tools/list"
        return usual(exchange)

    server.lets_in = lets_in
    host = connect(server, environment=tabs.environment)
    host.begin()
    server.login.approve(page(host.call()["result"]))
    host.event(LISTS[0])
    for _ in range(5):
        assert "refuses the token" in (message := host.request("tools/list")["error"]["message"]) or "must sign in" in message
    assert len(tabs()) == 1 and len(server.login.codes) == 1


def test_tokens_that_end_at_once_open_one_tab(server, connect, tabs):
    """Without refresh tokens, each list finds that the token has ended."""
    issue, server.login.lifetime = server.login.issue, 1

    def without_refresh_token():
        answer = json.loads(issue().body)
        server.login.refresh_token = answer.pop("refresh_token", None)
        answer["refresh_token"] = None
        return Response.of(answer)

    server.login.issue = without_refresh_token
    host = connect(server, environment=tabs.environment)
    host.begin()
    server.login.approve(page(host.call()["result"]))
    host.event(LISTS[0])
    wait_until(lambda: "must sign in" in json.dumps(host.request("tools/list")))
    for _ in range(3):
        assert "must sign in" in json.dumps(host.request("tools/list"))
    assert len(server.login.registrations) == 1 and len(tabs()) == 1
    assert page(host.call()["result"]) and len(tabs()) == 1


def test_endless_step_ups_open_two_tabs(shell, server, connect, tabs):
    """A server that wants another scope at each call."""
    sign_in(shell, server)
    host = connect(server, environment=tabs.environment)
    host.begin()
    for number in range(5):
        server.needs["tools/call"] = f"more-{number}"
        address = page(host.call()["result"])
        server.login.approve(address)
        wait_until(lambda: f"more-{number}" in server.login.scopes and "result" in host.request("tools/list"))
        assert host.call()["result"]["content"][0]["text"] == "echoed"
    assert len(tabs()) == 2
    server.needs["tools/call"] = " ".join(f"other-{number}" for number in range(60))
    assert "which the login does not bring" in host.call()["error"]["message"]


def test_a_command_of_the_user_opens_a_tab_at_once(shell, server, connect, tabs):
    host = connect(server, environment=tabs.environment)
    host.begin()
    server.login.deny(page(host.call()["result"]))
    wait_until(lambda: "denied" in json.dumps(host.request("tools/list")) and len(tabs()) == 1)
    shell.environment |= tabs.environment
    process = shell.start("login", server.url)
    wait_until(lambda: len(tabs()) == 2)
    server.login.approve(browser.Browser().get(tabs()[1]).location)
    assert process.wait(60) == 0 and host.call()["result"]["content"][0]["text"] == "echoed"


def test_a_question_to_the_host_is_in_the_place_of_a_tab(server, connect, tabs):
    """The tab of `initialize` counts, and so does the question of a host without a browser of ours."""
    able = {"capabilities": {"elicitation": {"url": {}}}}
    first = connect(server, environment=tabs.environment)
    first.begin(**able)
    assert page(first.call()["result"])
    wait_until(lambda: len(tabs()) == 1)
    second = connect(server, "--account", "other", environment={"BROWSER": None, "DISPLAY": None})
    second.begin(**able)
    assert second.call()["error"]["code"] == -32042
    assert page(second.call()["result"])

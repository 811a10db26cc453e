"""The login of `oauth-stdio mcp URL`: the host never sees a 401, and one page serves every process."""

import json
import re
import signal
import socket
import time
from urllib.parse import urlsplit

import pytest

import browser
from mcp_streams import Gate, INITIALIZE, LoginServer, StatelessServer, StreamServer, connect, stateless
from provider import Response
from signing_in import redirect
from test_command_line import Shell
from waiting import wait_until

LISTS = [f"notifications/{name}/list_changed" for name in ("tools", "resources", "prompts")]


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


def left(home) -> list:
    """Returns the files of the open sign-ins."""
    return [path for path in (home / "store").iterdir() if path.name.endswith(".sign-in")]


def page(message: dict) -> str:
    """Returns the address in an answer."""
    return re.search(r"http://127\.0\.0\.1\S+", json.dumps(message, ensure_ascii=False))[0].rstrip('",}]\\')


def listens(address: str) -> bool:
    """Whether a process waits for the redirect of a page."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", urlsplit(browser.query(address)["redirect_uri"]).port)) == 0


def binds(own: socket.socket, place: tuple) -> bool:
    try:
        own.bind(place)
    except OSError:
        return False
    return True


def account(server) -> str:
    return server.url.removeprefix("http://")


def lose(server) -> None:
    """Ends the login at its server, which takes neither of its tokens any more."""
    server.login.living.clear()
    server.login.refresh_token = None


def sign_in(shell, server) -> None:
    process = shell.start("login", server.url, "--openBrowser=false")
    server.login.approve(next(line for line in process.stderr if line.startswith("http")).strip())
    assert process.wait(60) == 0
    server.exchanges.clear()


def test_a_stored_login_is_used_and_its_name_is_that_of_the_url(shell, server, connect):
    sign_in(shell, server)
    assert account(server) in shell.run("status").stdout
    host = connect(server)
    host.begin()
    assert "result" in host.call()
    (token,) = server.login.living
    assert all(exchange.headers["authorization"] == f"Bearer {token}" for exchange in server.exchanges)
    host.end()
    assert token not in host.log() and len(server.login.codes) == 1
    question = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    assert '"echo"' in shell.run("call", server.url, server.url, "--json", question, "-H", "Accept: application/json, text/event-stream").stdout
    shell.run("logout", server.url)
    assert account(server) not in shell.run("status").stdout


def test_the_host_gets_the_page_until_the_user_has_signed_in(server, connect):
    """The first start knows nothing of the server."""
    host = connect(server)
    answer = host.begin()["result"]
    assert answer["protocolVersion"] == "2025-11-25" and set(answer["capabilities"]) == {"tools", "resources", "prompts"}
    result = host.call()["result"]
    assert result["isError"] is True and page(result).startswith(server.login.url + "/authorize?")
    server.login.approve(page(result))
    for method in LISTS:
        host.event(method)
    assert len(host.request("tools/list")["result"]["tools"]) == 2 and "result" in host.call()
    assert len(server.sent("initialize")) >= 2 and server.sent("initialize")[-1].body == server.sent("initialize")[0].body
    assert len(server.sent("notifications/initialized")) == 1 and len(server.login.registrations) == 1
    assert not [message for message in host.messages if re.search(r"\b401\b", json.dumps(message))]
    assert host.end() == 0


def test_the_next_start_answers_as_the_server_did(home, shell, server, connect):
    """As it did to this account. The answer goes with the login."""
    sign_in(shell, server)
    server.instead["initialize"] = lambda exchange: exchange.result(
        {"protocolVersion": exchange.message["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "n", "version": "1"},
         "instructions": "for alice" + "!" * (1 << 20 if exchange.message["params"]["protocolVersion"] == "2025-03-26" else 0)})
    for version in ("2025-11-25", "2025-03-26"):
        first = connect(server)
        assert "for alice" in first.begin(protocolVersion=version)["result"]["instructions"]
        first.end()
    lose(server)
    again = connect(server).begin()["result"]
    assert again["instructions"] == "for alice" and again["capabilities"] == {"tools": {"listChanged": True}}
    # Another version, an answer of more than 1 MiB, and another account.
    for words, version in (([], "2025-06-18"), ([], "2025-03-26"), (["--account", "bob"], "2025-11-25")):
        other = connect(server, *words).begin(protocolVersion=version)["result"]
        assert "instructions" not in other and set(other["capabilities"]) == {"tools", "resources", "prompts"}
    shell.run("logout", server.url)
    assert "instructions" not in connect(server).begin()["result"]
    assert not [file for file in home.rglob("*") if file.is_file() and b"for alice" in file.read_bytes()]


def test_a_host_that_opens_pages_is_told_to(server, connect):
    host = connect(server, environment={"BROWSER": None, "DISPLAY": None})
    host.begin(capabilities={"elicitation": {"url": {}}})
    error = host.call()["error"]
    (asked,) = error["data"]["elicitations"]
    assert error["code"] == -32042 and asked["mode"] == "url" and asked["url"].startswith(server.login.url)
    server.login.approve(asked["url"])
    assert host.event("notifications/elicitation/complete")["params"] == {"elicitationId": asked["elicitationId"]}
    assert "result" in host.call()


def test_without_a_browser_the_message_says_how_to_go_on(shell, server, connect):
    """The browser of another machine, as over SSH, cannot reach the address that it ends with."""
    hosts = [connect(server, environment={"BROWSER": None, "DISPLAY": None}) for _ in range(2)]
    for host in hosts:
        host.begin()
        text = host.call()["result"]["content"][0]["text"]
        address = page({"text": text})
        assert f"open {address} in a browser anywhere" in text and "on this machine: oauth-stdio handleRedirect --url" in text
    shell.run("handleRedirect", "--url", redirect(address, code="code-1"))
    for host in hosts:
        host.event(LISTS[0])
        assert "echoed" in json.dumps(host.call())


def test_a_server_that_registers_no_client_says_what_is_missing(server, connect):
    usual = server.login.publish
    server.login.instead["/.well-known/oauth-authorization-server"] = lambda request: Response.of(
        {name: value for name, value in json.loads(usual(request).body).items() if name != "registration_endpoint"})
    host = connect(server)
    host.begin()
    message = host.call()["error"]["message"]
    assert message.startswith(f"the account {account(server)} of the configuration: /clientId is missing") and "no registration endpoint" in message
    assert "--client-id ID" in message and "--header 'NAME: ${VARIABLE}'" in message


def test_five_hosts_ask_the_user_once(server, connect):
    """On a cold start, and after a lost login."""
    hosts = [connect(server) for _ in range(5)]
    for host in hosts:
        host.ask("initialize", INITIALIZE)
    for host in hosts:
        host.answer(1)
        host.notify("notifications/initialized")
    address = next(url for host in hosts if (url := page(host.call()["result"])).startswith(server.login.url))
    assert len(server.login.registrations) == 1
    server.login.approve(address)
    for host in hosts:
        host.event(LISTS[0])
        assert host.call()["result"]["content"][0]["text"] == "echoed"
    assert len(server.login.codes) == 1
    # Each host's call finds the token revoked.
    for _ in range(3):
        server.login.living.clear()
        before = len(server.login.refreshes)
        calls = [(host, host.ask("tools/call", {"name": "echo"})) for host in hosts]
        assert all(host.answer(number)["result"]["content"][0]["text"] == "echoed" for host, number in calls)
        assert len(server.login.refreshes) == before + 1 and len(set(server.login.refreshes)) == len(server.login.refreshes)


def test_a_refused_refresh_token_is_never_sent_again(shell, server, connect):
    sign_in(shell, server)
    hosts = [connect(server) for _ in range(3)]
    for host in hosts:
        host.begin()
    lose(server)
    sessions = {}

    def begin(exchange):
        session = f"s-{id(exchange)}"
        sessions[session] = exchange.headers.get("authorization")
        exchange.result({"protocolVersion": exchange.message["params"]["protocolVersion"], "capabilities": {}, "serverInfo": {}}, Mcp_Session_Id=session)

    server.instead["initialize"] = begin
    pages = {page(host.call()["result"]) for host in hosts}
    assert len(server.login.refreshes) == 1
    streams = len(server.sent("GET"))
    server.login.approve(next(url for url in pages if url.startswith(server.login.url)))
    for host in hosts:
        host.event(LISTS[0])
        assert host.call()["result"]["content"][0]["text"] == "echoed"
    (token,) = server.login.living
    assert len(server.login.refreshes) == 1
    new = {session for session, authorization in sessions.items() if authorization == f"Bearer {token}"}
    assert len(new) == 3

    def listening():
        return {stream.headers["mcp-session-id"] for stream in server.sent("GET")[streams:] if stream.headers["authorization"] == f"Bearer {token}"}

    # A session's stream may be opened twice, when its handshake and the sign-in end at the same time.
    wait_until(lambda: listening() == new)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_another_process_takes_over_the_page(server, connect, end):
    """The redirect of the page that is open in the browser arrives at the other process."""
    first = connect(server)
    first.begin()
    address = page(first.call()["result"])
    second = connect(server)
    second.begin()
    second.call()
    first.process.send_signal(end)
    first.process.wait()
    wait_until(lambda: listens(address))
    assert page(second.call()["result"]) == address
    server.login.approve(address)
    second.event(LISTS[0])
    assert second.call()["result"]["content"][0]["text"] == "echoed"
    assert len(server.login.registrations) == len(server.login.codes) == 1


def test_the_next_start_goes_on_with_the_page(home, server, connect):
    first = connect(server)
    first.begin()
    address = page(first.call()["result"])
    first.process.kill()
    first.process.wait()
    sealed = [path.read_bytes() for path in left(home)]
    assert len(sealed) == 1 and browser.query(address)["state"].encode() not in sealed[0] and b"client-1" not in sealed[0]
    second = connect(server)
    second.begin()
    assert page(second.call()["result"]) == address
    server.login.approve(address)
    second.event(LISTS[0])
    assert second.call()["result"]["content"][0]["text"] == "echoed" and len(server.login.registrations) == 1
    wait_until(lambda: not left(home))


def test_a_page_whose_port_is_taken_is_replaced(home, server, connect):
    first = connect(server)
    first.begin()
    address = page(first.call()["result"])
    first.process.kill()
    first.process.wait()
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        place = ("127.0.0.1", urlsplit(browser.query(address)["redirect_uri"]).port)
        # A connection of another program may have the port for a moment.
        wait_until(lambda: binds(other, place))
        other.listen()
        second = connect(server)
        second.begin()
        again = page(second.call()["result"])
        assert browser.query(again)["redirect_uri"] != browser.query(address)["redirect_uri"]
        server.login.approve(again)
        second.event(LISTS[0])
        assert second.call()["result"]["content"][0]["text"] == "echoed"


def test_a_logout_removes_the_open_sign_in(home, shell, server, connect):
    sign_in(shell, server)
    server.login.living.clear()
    server.login.refresh_token = None
    host = connect(server)
    host.begin()
    page(host.call()["result"])
    host.process.kill()
    host.process.wait()
    assert len(left(home)) == 1
    shell.run("logout", server.url)
    assert not left(home)


def test_a_page_for_something_else_is_another_one(server, connect):
    first = connect(server)
    first.begin()
    address = page(first.call()["result"])
    first.process.kill()
    first.process.wait()
    server.scopes = ["mcp", "more"]
    second = connect(server)
    second.begin()
    again = page(second.call()["result"])
    assert browser.query(again)["state"] != browser.query(address)["state"] and len(server.login.registrations) == 2


@pytest.mark.parametrize("answer", [Response(503), Response(429, headers={"Retry-After": "1"}), Response(500, b"<html>"), Response(0, is_dropped=True)])
def test_a_fault_at_the_refresh_keeps_the_login(shell, server, connect, answer):
    sign_in(shell, server)
    host = connect(server)
    host.begin()
    server.login.living.clear()
    usual = server.login.instead["/token"]
    server.login.instead["/token"] = lambda request: answer
    error = host.call()["error"]
    assert "page" not in error["message"] and "sign in" not in error["message"]
    server.login.instead["/token"] = usual
    wait_until(lambda: "result" in host.call())
    assert len(server.login.codes) == 1 and len(server.login.refreshes) == 1


def test_initialize_does_not_wait_for_a_refresh(shell, server, connect):
    server.login.lifetime = 1
    sign_in(shell, server)
    gate, usual = Gate(), server.login.instead["/token"]

    def slow(request):
        gate()
        return usual(request)

    server.login.instead["/token"] = slow
    expired = time.time() + server.login.lifetime
    wait_until(lambda: time.time() > expired)
    host = connect(server)
    assert set(host.begin()["result"]["capabilities"]) == {"tools", "resources", "prompts"}
    gate.wait()
    server.login.lifetime = 3600
    gate.open()
    host.event(LISTS[0])
    assert host.call()["result"]["content"][0]["text"] == "echoed" and len(server.login.refreshes) == 1


def test_a_newer_host_falls_back_until_the_server_is_known(home, login, connect):
    """The next start repeats what the server said last."""
    with StatelessServer(login=login) as server:
        host = connect(server)
        assert host.request("server/discover", stateless())["error"]["code"] == -32601
        host.begin()
        server.login.approve(page(host.call()["result"]))
        host.event(LISTS[0])
        assert host.call()["result"]["content"][0]["text"] == "echoed"
        said = host.request("server/discover", stateless())["result"]
        host.end()
        lose(server)
        again = connect(server).request("server/discover", stateless())["result"]
        assert again["supportedVersions"] == said["supportedVersions"] and again["capabilities"] == {"tools": {"listChanged": True}}


def test_a_denied_sign_in_is_opened_again_for_a_tool_only(server, connect):
    host = connect(server)
    host.begin()
    server.login.deny(page(host.call()["result"]))
    wait_until(lambda: "denied" in json.dumps(host.request("tools/list")))
    assert len(server.login.registrations) == 1
    assert page(host.call()["result"]).startswith(server.login.url)


def test_one_denial_is_for_five_hosts(server, connect):
    hosts = [connect(server) for _ in range(5)]
    for host in hosts:
        host.begin()
    pages = [page(host.call()["result"]) for host in hosts]
    server.login.deny(next(url for url in pages if url.startswith(server.login.url)))
    for host in hosts:
        wait_until(lambda: "denied" in json.dumps(host.request("tools/list")))
    assert len(server.login.registrations) == 1
    address = page(hosts[0].call()["result"])
    server.login.approve(address)
    for host in hosts:
        wait_until(lambda: "result" in host.request("tools/list"))
    assert len(server.login.registrations) == 2 and len(server.login.codes) == 1


def test_a_server_that_refuses_every_token_opens_one_page(shell, server, connect):
    sign_in(shell, server)
    server.refuses = True
    host = connect(server)
    host.begin()
    (address,) = {page(host.call()["result"]) for _ in range(5)}
    assert len(server.login.refreshes) == 1
    server.login.approve(address)
    wait_until(lambda: "refuses the token of the sign-in that ended" in json.dumps(host.call()))
    assert len(server.login.codes) == 2 and len(server.login.refreshes) <= 2
    server.refuses = False
    assert host.call()["result"]["content"][0]["text"] == "echoed"


def test_missing_scopes_are_asked_for(shell, server, connect):
    sign_in(shell, server)
    host = connect(server)
    host.begin()
    server.needs["tools/call"] = "mcp:write"
    address = page(host.call()["result"])
    assert "mcp%3Awrite" in address or "mcp:write" in address
    server.login.approve(address)
    host.event(LISTS[0])
    assert host.call()["result"]["content"][0]["text"] == "echoed"


def test_two_identities_are_two_accounts(shell, server, connect):
    for name in ("work", "home"):
        process = shell.start("login", server.url, "--account", name, "--openBrowser=false")
        server.login.approve(next(line for line in process.stderr if line.startswith("http")).strip())
        assert process.wait(60) == 0
    server.exchanges.clear()
    host = connect(server, "--account", "home")
    host.begin()
    (token,) = server.login.living
    assert "result" in host.call() and server.sent("tools/call")[0].headers["authorization"] == f"Bearer {token}"


def test_a_server_that_repeats_the_token_does_not_show_it_to_the_host(shell, server, connect):
    sign_in(shell, server)
    host = connect(server)
    host.begin()
    server.instead["tools/call"] = lambda exchange: exchange.result({"content": [{"type": "text", "text": json.dumps(exchange.headers)}]})
    assert "Bearer …" in host.call()["result"]["content"][0]["text"]
    assert not any(token.encode() in line for token in server.login.living for line in host.lines)


def test_a_server_that_repeats_secrets_in_its_answer_to_initialize(shell, home, server, connect):
    """Neither the host, the log nor the stored answer has the token or the user's own key."""
    sign_in(shell, server)
    said = {"instructions": ""}

    def repeat(exchange) -> None:
        said["instructions"] = json.dumps(exchange.headers)
        usual = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
        exchange.result({**usual, **said}) if len(server.sent("initialize")) == 1 else exchange.answer(
            {"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": said["instructions"]}}, status=400)

    server.instead["initialize"] = repeat
    for _ in range(2):
        host = connect(server, "--header", "X-Api-Key: k3y-of-the-user")
        host.begin()
        host.end()
        shown = [*host.lines, host.log().encode(), *[file.read_bytes() for file in home.rglob("mcp/*/*.json")]]
        assert shown[0] and not [text for secret in (*server.login.living, "k3y-of-the-user") for text in shown if secret.encode() in text]
    assert "k3y-of-the-user" in said["instructions"]


def test_an_entry_of_the_configuration_decides(home, server, connect):
    home.mkdir(exist_ok=True)
    entry = {"provider": server.url, "clientId": "fixed", "scopes": ["own"]}
    (home / "config.json").write_text(json.dumps({"accounts": {account(server): entry}}))
    host = connect(server, options=["--config", home / "config.json"])
    host.begin()
    address = page(host.call()["result"])
    assert browser.query(address)["client_id"] == "fixed" and browser.query(address)["scope"] == "own" and not server.login.registrations
    server.login.approve(address)
    host.event(LISTS[0])
    assert host.call()["result"]["content"][0]["text"] == "echoed"


def test_a_login_by_url_takes_the_provider_of_the_entry(home, shell, server):
    """A server behind a proxy may publish another URL. The message says what the entry needs."""
    usual = server.lets_in

    def publish(exchange):
        if exchange.path.startswith("/.well-known/oauth-protected-resource"):
            return exchange.answer({"resource": server.url.replace("http:", "https:"), "authorization_servers": [server.login.url]}) and False
        return usual(exchange)

    server.lets_in = publish
    said = shell.message("login", server.url, status=1)
    assert "is about another resource" in said and "its authorization server as discovery and this URL as apiBase" in said
    home.mkdir(exist_ok=True)
    entry = {"provider": {"discovery": server.login.url, "apiBase": server.url}, "clientId": "fixed"}
    (home / "config.json").write_text(json.dumps({"accounts": {account(server): entry}}))
    process = shell.start("--config", home / "config.json", "login", server.url, "--openBrowser=false")
    server.login.approve(next(line for line in process.stderr if line.startswith("http")).strip())
    assert process.wait(60) == 0
    assert shell.run("--config", home / "config.json", "mcp", server.url, "--call", "echo").stdout == "echoed\n"


def test_a_token_goes_to_the_hosts_of_its_account_only(shell, server, connect):
    """An account of another server is no login for this one."""
    sign_in(shell, server)
    with StreamServer() as other:
        host = connect(other, "--account", account(server))
        assert "must not be sent to" in host.request("initialize", INITIALIZE)["error"]["message"]
        assert other.exchanges == []


def test_a_header_may_be_the_login(server, connect):
    server.login.living.add("from-the-environment")
    host = connect(server, "--header", "Authorization: Bearer ${TOKEN}", environment={"TOKEN": "from-the-environment"})
    host.begin()
    assert "result" in host.call()
    server.login.living.clear()
    assert "answered 401" in host.call()["error"]["message"]
    host.end()
    assert server.login.registrations == [] and "from-the-environment" not in host.log()


def test_a_shell_waits_for_the_sign_in(shell, server):
    process = shell.start("mcp", server.url, "--call", "echo", "{}")
    server.login.approve(page({"line": process.stderr.readline()}))
    assert process.stdout.read() == "echoed\n" and process.wait(60) == 0


# Limits.


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--accounts", "other"], "--accounts does not allow this"),
        (["--read-only"], "does not run with --read-only"),
        (["--allow-call", "POST https://example.com/**"], "--allow-call does not allow this"),
    ],
)
def test_limits_are_checked_at_the_start(server, connect, options, message):
    host = connect(server, options=options)
    assert host.process.wait(60) == 2
    wait_until(lambda: message in host.log())
    assert server.exchanges == []


def test_an_allowed_call_and_its_line_of_the_audit_file(shell, home, server, connect):
    sign_in(shell, server)
    audit = home / "audit"
    host = connect(server, options=["--allow-call", f"POST {server.url}", "--audit", audit])
    host.begin()
    assert "result" in host.call() and host.end() == 0
    assert not server.sent("GET") and not server.sent("DELETE")
    lines = [json.loads(line) for line in audit.read_text().splitlines()]
    assert {line["use"] for line in lines} == {"mcp"} and {line["account"] for line in lines} == {account(server)} and len(lines) == 6


# The account of a URL with a query.


class QueryServer(StreamServer):
    """Is another resource for each query, whose metadata are at the same query (RFC 9728, 3.1)."""

    def lets_in(self, exchange) -> bool:
        (path, _, query), place = exchange.path.partition("?"), "/.well-known/oauth-protected-resource/mcp"
        if path == place:
            exchange.answer({"resource": f"{self.url}?{query}", "authorization_servers": [self.login.url], "scopes_supported": ["mcp"]})
            return False
        if exchange.headers.get("authorization", "").removeprefix("Bearer ") in self.tokens.get(query, set()):
            return True
        challenge = f'Bearer resource_metadata="{self.url.removesuffix("/mcp")}{place}?{query}"'
        exchange.answer({"error": "invalid_token"}, status=401, WWW_Authenticate=challenge)
        return False


@pytest.fixture
def queries(login):
    """Tokens are good for the resource of their page alone."""
    with QueryServer(login=login) as running:
        running.tokens, usual = {}, login.instead["/token"]

        def token(request):
            response = usual(request)
            resource = browser.query("?" + request.body.decode())["resource"]
            running.tokens.setdefault(urlsplit(resource).query, set()).add(json.loads(response.body)["access_token"])
            return response

        login.instead["/token"] = token
        yield running


def test_urls_that_differ_in_the_query_have_accounts_of_their_own(shell, queries, connect):
    urls = [f"{queries.url}?project={name}" for name in ("a", "b")]
    hosts = [connect(url) for url in urls]
    for url, host in zip(urls, hosts):
        host.begin()
        address = page(host.call()["result"])
        assert browser.query(address)["resource"] == url
        queries.login.approve(address)
        host.event(LISTS[0])
        assert host.call()["result"]["content"][0]["text"] == "echoed"
    assert all("result" in host.call() for host in hosts) and len(queries.login.codes) == 2
    # A query may contain a key, so the name shows none of it.
    status = shell.run("status").stdout
    assert len(re.findall(re.escape(account(queries)) + r"\?[0-9a-f]{8} ", status)) == 2 and "project" not in status
    assert shell.run("token", urls[0]).stdout.strip() in queries.tokens["project=a"]
    shell.run("logout", urls[0])
    assert shell.message("token", urls[0], status=3) and shell.run("token", urls[1]).stdout.strip() in queries.tokens["project=b"]


# The account of a URL with a long path.


@pytest.fixture
def tenants(login):
    with StreamServer(login=login, path="/" + "a" * 210) as running:
        yield running


def test_urls_with_long_paths_have_accounts_of_their_own(shell, tenants, connect):
    """A gateway has its tenants' keys in paths. The login of the bare host is not for them either."""
    sign_in(shell, tenants)
    process = shell.start("login", tenants.url, "--account", "127.0.0.1", "--openBrowser=false")
    tenants.login.approve(next(line for line in process.stderr if line.startswith("http")).strip())
    assert process.wait(60) == 0
    tenants.exchanges.clear()
    connect(tenants.url.replace("a" * 210, "b" * 210) + "?project=x").begin()
    assert tenants.exchanges and not [exchange for exchange in tenants.exchanges if "authorization" in exchange.headers]
    assert re.search(rf"127\.0\.0\.1:{tenants.port}/[0-9a-f]{{8}} ", shell.run("status").stdout)
    shell.run("logout", tenants.url)


# A device code.


def test_every_host_shows_the_device_code(server, connect):
    """Without a browser. The hosts wait for one code."""
    login, codes = server.login, []
    usual = login.publish
    login.instead["/.well-known/oauth-authorization-server"] = lambda request: Response.of(
        {**json.loads(usual(request).body), "device_authorization_endpoint": login.url + "/device",
         "grant_types_supported": ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"]})

    def device(request):
        codes.append(f"WDJB-MJH{len(codes)}")
        return Response.of({"device_code": "d", "user_code": codes[-1], "verification_uri": login.url + "/activate", "expires_in": 600, "interval": 1})

    login.instead["/device"] = device
    token, approved = login.instead["/token"], Gate()
    login.instead["/token"] = lambda request: (
        token(request) if b"device_code" not in request.body else
        Response.of({"error": "authorization_pending"}, 400) if not approved.opened.is_set() else login.issue())
    hosts = [connect(server, environment={"BROWSER": None, "DISPLAY": None}) for _ in range(3)]
    for host in hosts:
        host.begin()
        wait_until(lambda: f"open {login.url}/activate, type the code WDJB-MJH0" in json.dumps(host.call()))
    assert len(codes) == 1
    approved.open()
    for host in hosts:
        host.event(LISTS[0])
        assert host.call()["result"]["content"][0]["text"] == "echoed"

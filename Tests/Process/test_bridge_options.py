"""The options of `oauth-stdio mcp URL` that stand for an entry of the configuration, and its exit statuses in a shell."""

import json
import re

import pytest

import browser
from mcp_streams import LoginServer, StreamServer, connect
from own_network import PRIVATE, name
from provider import Response
from rpc import ROOT
from test_bridge_login import LISTS, account, login, page, server, shell, sign_in
from test_helpers import certificate
from waiting import wait_until

SECRET = "s3cret-of-the-client"


def authenticated(login) -> list:
    """Returns the requests that carry the secret, or Basic."""
    return [request for request in login.requests if SECRET in request.body.decode() or "Authorization" in request.headers]


def enter(host, server) -> str:
    """Signs in from the host, and returns the page's address."""
    host.begin()
    address = page(host.call()["result"])
    server.login.approve(address)
    host.event(LISTS[0])
    assert "echoed" in json.dumps(host.call())
    return address


def test_options_are_an_entry_of_the_configuration(home, server, connect):
    """For this process alone."""
    asked = browser.query(enter(connect(server, "--client-id", "fixed", "--scopes", "one two"), server))
    assert (asked["client_id"], asked["scope"]) == ("fixed", "one two") and not server.login.registrations
    assert not [file for file in home.rglob("config.json")]


def test_another_client_signs_in_again(shell, server, connect):
    sign_in(shell, server)
    assert browser.query(enter(connect(server, "--client-id", "other"), server))["client_id"] == "other"
    again = connect(server, "--client-id", "other")
    again.begin()
    assert "result" in again.call() and len(server.login.codes) == 2


@pytest.mark.parametrize("source", ["${SECRET}", "@secret"])
def test_a_secret_goes_to_the_named_server(home, server, connect, source):
    home.mkdir(exist_ok=True)
    (home / "secret").write_text(SECRET + "\n")
    words = ["--client-id", "c", "--client-secret", source]
    host = connect(server, *words, environment={"SECRET": SECRET})
    host.begin()
    message = host.call()["error"]["message"]
    assert f"names the authorization server {server.login.url}" in message and f"--provider {server.login.url}" in message
    host = connect(server, *words, "--provider", server.login.url + "/", environment={"SECRET": SECRET})
    enter(host, server)
    server.login.living.clear()
    assert "result" in host.call() and len(authenticated(server.login)) == 2 and len(server.login.refreshes) == 1
    host.end()
    kept = [file for file in home.rglob("*") if file.is_file() and file.name != "secret"]
    assert kept and not [file for file in kept if SECRET.encode() in file.read_bytes()] and SECRET not in host.log()


def test_metadata_alone_name_no_server_that_gets_a_secret(server, connect):
    with LoginServer() as other:
        genuine, server.login = server.login, other
        host = connect(server, "--client-id", "c", "--client-secret", "${SECRET}", "--provider", genuine.url, environment={"SECRET": SECRET})
        host.begin()
        assert f"names the authorization server {other.url}, and not {genuine.url}" in host.call()["error"]["message"]
        assert not [request for request in other.requests + genuine.requests if request.path == "/token"]
        server.login = genuine


def test_a_server_that_is_its_own_authorization_server_may_have_the_secret(connect):
    with LoginServer() as login:
        def mcp(request):
            if request.headers.get("Authorization", "").removeprefix("Bearer ") not in login.living:
                return Response.of({"error": "invalid_token"}, 401, **{"WWW-Authenticate": "Bearer"})
            message = json.loads(request.body or b"{}")
            if "id" not in message:
                return Response(202 if message else 405)
            about = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "own", "version": "1"}}
            return Response.of({"jsonrpc": "2.0", "id": message["id"], "result": {**about, "content": [{"type": "text", "text": "echoed"}]}})

        login.instead["/mcp"] = mcp
        login.login = login
        host = connect(login.url + "/mcp", "--client-id", "c", "--client-secret", "${SECRET}", environment={"SECRET": SECRET})
        enter(host, login)
        assert len([request for request in authenticated(login) if request.path == "/token"]) == 1


def test_an_api_that_publishes_itself_as_a_server_gets_no_secret_of_another(connect):
    with LoginServer() as hostile, LoginServer() as genuine:
        url = hostile.url + "/mcp"
        metadata = {**json.loads(hostile.publish(None).body), "issuer": url}
        hostile.instead["/.well-known/oauth-authorization-server/mcp"] = lambda request: Response.of(metadata)
        hostile.instead["/mcp"] = lambda request: Response.of({"error": "invalid_token"}, 401, **{"WWW-Authenticate": "Bearer"})
        host = connect(url, "--client-id", "c", "--client-secret", "${SECRET}", "--provider", genuine.url, environment={"SECRET": SECRET})
        host.begin()
        assert f"and not {genuine.url}" in host.call()["error"]["message"]
        assert not authenticated(hostile) and not [request for request in hostile.requests if request.path == "/token"]


def test_an_entry_of_the_configuration_keeps_its_provider(home, server, shell):
    (home / "config.json").write_text(json.dumps({"accounts": {account(server): {"provider": server.url, "clientId": "fixed"}}}))
    ended = shell.run("--config", home / "config.json", "mcp", server.url, "--provider", "https://example.com", "--list", status=2)
    assert "/provider is the configuration's for this account" in ended.stderr


def test_headers_from_a_file(home, connect):
    home.mkdir(exist_ok=True)
    (home / "headers").write_text("# of the gateway\nX-Key: ${KEY}\nAuthorization: Bearer t-1\n\n")
    with StreamServer() as server:
        host = connect(server, "--header", "@headers", environment={"KEY": "k-1"})
        host.begin()
        headers = server.sent("initialize")[0].headers
        assert headers["x-key"] == "k-1" and headers["authorization"] == "Bearer t-1"


@pytest.mark.own_network
def test_a_server_among_http_hosts(home, connect):
    name(keycloak=PRIVATE)
    home.mkdir(exist_ok=True)
    with StreamServer(address=PRIVATE) as server:
        url = server.url.replace(PRIVATE, "keycloak")
        (home / "config.json").write_text(json.dumps({"httpHosts": [f"keycloak:{server.port}"]}))
        host = connect(url, options=["--config", home / "config.json"])
        host.begin()
        assert "result" in host.call()
        host = connect(url)
        assert host.process.wait(60) == 2
        wait_until(lambda: "must be an https URL" in host.log())


# A shell.


def test_a_shell_says_each_failure_once(server, shell):
    """Its status is that of the other commands."""
    key = json.dumps({"error": "missing_api_key", "error_description": "x" * 1000})
    with StreamServer() as other:
        assert shell.message("mcp", other.url, "--call", "other", "--allow-tool", "echo", status=4) == "oauth-stdio: --allow-tool does not allow the tool other\n"
        other.lets_in = lambda exchange: exchange.answer(key.encode(), status=401) and False
        said = shell.message("mcp", other.url, "--list", "--header", "Authorization: Bearer x", status=1)
        assert said == f"oauth-stdio: 127.0.0.1:{other.port} answered 401: {key}\n"
        # No metadata, and no client can be registered.
        other.lets_in = lambda exchange: exchange.answer(status=401 if exchange.path == "/mcp" else 404) and False
        said = shell.message("mcp", other.url, "--list", status=1)
        assert "could not be registered" in said and "--header 'NAME: ${VARIABLE}' if the server takes a key or a token" in said
    assert shell.message("mcp", other.url, "--list", status=5).count("could not be reached") == 1


def test_a_denied_sign_in_has_a_status(server, shell):
    process = shell.start("mcp", server.url, "--list")
    server.login.deny(page({"line": process.stderr.readline()}))
    assert process.wait(60) == 4


def test_the_variables_of_the_network_are_named(shell, connect, tmp_path):
    """Hosts start programs without the variables of the shell. The example of an entry with `env` has those that the messages name."""
    with StreamServer(certificate=certificate(tmp_path)) as server:
        message = shell.message("mcp", server.url, "--list", status=5)
        assert "set SSL_CERT_FILE" in message and "in a host, in env of the server's entry" in message
    shell.environment.update(https_proxy="http://127.0.0.1:1")
    example = json.loads(re.search(r'^(\{.*\n.*"env".*)$', (ROOT / "examples" / "mcp.md").read_text(), re.MULTILINE)[1])
    assert list(example["mcpServers"]["linear"]["env"]) == ["SSL_CERT_FILE", "HTTPS_PROXY", "NO_PROXY"]
    message = shell.message("mcp", "https://mcp.example.com/mcp", "--list", status=5)
    assert "the proxy 127.0.0.1:1 for mcp.example.com could not be reached" in message and "check HTTPS_PROXY and NO_PROXY" in message and "in a host, in env of the server's entry" in message

"""The HTTP door and its command `run`: what passes, with which token, and what is refused."""

import base64
import gzip
import http.client
import json
import re
import signal
import socket
import sys
import threading

import pytest

from bound_tokens import BoundAPI, BoundAuthorizationServer
from door import RawService, Service, door, log_in, open_door, service, shell, user  # noqa: F401, fixtures
from provider import Response
from rpc import PATIENCE
from screen import Screen
from signing_in import authorize
from test_audit import uses

# More than the door holds to send it again.
LARGE = b"x" * (3 << 20)



# run


@pytest.mark.parametrize("line, status", [("exit 7", 7), ("kill -TERM $$", 143), ("kill -KILL $$", 137)])
def test_the_status_is_that_of_the_command(user, line, status):
    assert user.run("run", "me", "--", "sh", "-c", line, status=status).stderr == ""


def test_a_command_that_does_not_exist(user):
    assert "no-such-command" in user.run("run", "me", "--", "no-such-command", status=127).stderr


WAITING = (
    "import signal, sys\nsignals = {signal.SIGTERM, signal.SIGHUP}\nsignal.pthread_sigmask(signal.SIG_BLOCK, signals)\nprint('ready', flush=True)\n"
    "print(int(signal.sigwait(signals)))\nsys.exit(9)\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_goes_on_to_the_command(user, number):
    process = user.start("run", "me", "--", sys.executable, "-c", WAITING)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    assert process.communicate(timeout=PATIENCE) == (f"{int(number)}\n", "") and process.returncode == 9


def test_the_command_has_the_terminal(user):
    words = user.words("run", "me", "--", "sh", "-c", 'read -r line </dev/tty; echo "got $line"; exec sleep 100')
    with Screen(words, user.environment, user.home) as screen:
        screen.type("text\n")
        screen.until("got text")
        screen.type("\x03")
        assert screen.ended() == 130


def test_a_login_that_is_missing_is_named_before_the_command_starts(shell, service):
    config = shell.home / "config.json"
    config.write_text(json.dumps({"accounts": {"work": {"provider": service.description, "clientId": "c"}}}))
    done = shell.run("--config", config, "run", "work", "--", "touch", "started", status=3)
    assert re.search(r" oauth-stdio .* login work$", done.stderr, re.MULTILINE), done.stderr
    assert not (shell.home / "started").exists() and not service.requests


def test_several_accounts(shell, service):
    """Each has an address. The secret and the door end with the command."""
    tokens = [log_in(shell, service, name) for name in ("a", "b c/d")]
    line = 'for url in "$OAUTH_STDIO_URL" "$OTHER"; do curl -sSf -H "PRIVATE-TOKEN: $OAUTH_STDIO_SECRET" "$url/x" >/dev/null; echo "$url"; done; echo "$TEXT"'
    env = ["--env", "OTHER={url:b c/d}", "--env", "TEXT={url} <{secret}>"]
    first, second, text = shell.run("run", "a", "b c/d", *env, "--", "sh", "-c", line).stdout.splitlines()
    port, secret = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/a <([\w-]{43})>", text).groups()
    assert (first, second) == (f"http://127.0.0.1:{port}/a", f"http://127.0.0.1:{port}/b%20c%2Fd")
    assert [request.headers["Authorization"] for request in service.passed] == [f"Bearer {token}" for token in tokens]
    service.check(secret)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", int(port)))


def test_without_a_name_the_only_account_is_meant(user, service):
    assert user.run("run", "--", "sh", "-c", "echo $OAUTH_STDIO_URL").stdout.endswith("/me\n")
    log_in(user, service, "other")
    assert "me, other" in user.run("run", "--", "true", status=2).stderr
    assert user.run("--accounts", "other", "run", "--", "sh", "-c", "echo $OAUTH_STDIO_URL").stdout.endswith("/other\n")


@pytest.mark.parametrize("words, problem", [
    (["run", "me"], "--"),
    (["run", "me", "--"], "--"),
    (["run", "me", "--env", "X", "--", "true"], "NAME=TEXT"),
    (["run", "me", "--env", "X={url:you}", "--", "true"], "{url:you}"),
    (["--accounts", "you", "run", "me", "--", "true"], "--accounts"),
    (["--allow", "accounts", "run", "me", "--", "true"], "--allow"),
    (["http", "me"], "--listen"),
    (["http", "me", "--listen", "0.0.0.0:0"], "127.0.0.1"),
    (["http", "me", "--listen", "127.0.0.1:0"], "--secret-file"),
    (["http", "me", "--listen", "unix:door", "--socket-mode", "0777"], "--socket-mode"),
])
def test_wrong_usage(user, words, problem):
    assert problem in user.run(*words, status=2).stderr


# Limits and credentials


@pytest.mark.parametrize("options, words, write, other", [
    (["--read-only"], [], 403, 200),
    (["--allow-call", "GET URL/api/x"], [], 403, 200),
    (["--accounts", "me"], [], 200, 404),
    (["--profile", "agent"], [], 403, 404),
    ([], ["me"], 200, 404),
])
def test_limits_apply(user, service, open_door, options, words, write, other):
    log_in(user, service, "other")
    folder = user.home / "config" / "oauth-stdio"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"profiles": {"agent": {"accounts": ["me"], "readOnly": True}}}))
    door = open_door(*words, options=[option.replace("URL", service.url) for option in options])
    answers = [door.ask("/me/x"), door.ask("/me/x", "POST", b""), door.ask("/other/x")]
    assert [answer.status for answer in answers] == [200, write, other]
    assert [answer.kind for answer in answers] == [None if answer.status == 200 else "notAllowed" for answer in answers]
    assert len(service.passed) == [200, write, other].count(200)


@pytest.mark.parametrize("target, status, kind", [
    ("/me/@example.com/x", 403, "hostNotAllowed"), ("/me/@127.0.0.1:1/x", 403, "hostNotAllowed"), ("/you/x", 404, "signInRequired")])
def test_a_target_that_is_none_of_the_account(user, service, open_door, target, status, kind):
    answer = open_door().ask(target)
    assert (answer.status, answer.kind) == (status, kind)
    assert not service.requests


def test_a_host_of_the_account(door, service):
    assert service.word.encode() in door.ask(f"/me/@127.0.0.1:{service.port}/api/y").body


def test_an_account_without_a_base(shell, service, open_door):
    log_in(shell, service, apiBase=None)
    answer = open_door("me").ask()
    assert (answer.status, answer.kind) == (404, "configurationInvalid") and b"/ACCOUNT/@HOST/PATH" in answer.body


def test_a_login_that_is_missing_is_named_in_the_answer(shell, service, open_door):
    config = shell.home / "config.json"
    config.write_text(json.dumps({"accounts": {"work": {"provider": service.description, "clientId": "c"}}}))
    answer = open_door("work", options=["--config", config]).ask("/work/x")
    assert (answer.status, answer.kind) == (403, "signInRequired") and b" login work" in answer.body


def test_a_wrong_secret(door, service):
    """A program that asks without one is told how to send it, and a wrong one locks no program out."""
    for authorization in [None, "Bearer wrong", "Basic " + base64.b64encode(b"any:wrong").decode(), "Bearer " + door.secret[:-1]]:
        answer = door.ask(Authorization=authorization)
        assert (answer.status, answer.kind) == (401, "unauthorized")
        assert answer.headers["WWW-Authenticate"].startswith('Basic realm="oauth-stdio"')
    assert not service.requests and door.ask().status == 200
    assert door.log.read_text().count("wrong secret") == 1


def test_a_key_in_the_query(shell, open_door):
    """Only its own pair changes."""
    with RawService(lambda connection, head: connection.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")) as service:
        token = log_in(shell, service, apiCredential={"query": "key"})
        door = open_door("me")
        assert door.ask(f"/me/x?b=%2f&key={door.secret}&&c=a+b", Authorization=None).status == 204
        target = service.heads[0].split(b" ")[1].decode()
        assert target == f"/api/x?b=%2f&&c=a+b&key={token}" and b"Authorization" not in service.heads[0]


# Tokens that end


def refreshes(service: Service) -> int:
    return sum(request.path == "/token" for request in service.requests)


def test_a_401_renews_the_token_and_the_request_goes_again(door, service):
    service.living = {"another"}
    answer = door.ask("/me/x", "POST", b"y" * 100_000)
    assert answer.status == 200 and service.word.encode() in answer.body
    assert (refreshes(service), service.rejected) == (1, 1)
    assert [request.body for request in service.passed] == [b"y" * 100_000]


@pytest.mark.parametrize("body", [LARGE, [LARGE]], ids=["of known length", "in chunks"])
def test_a_large_body_is_sent_again_by_the_program(door, service, body):
    service.living = {"another"}
    answer = door.ask("/me/x", "PUT", body if isinstance(body, bytes) else iter(body))
    assert (answer.status, answer.kind, answer.headers["Retry-After"]) == (503, "tokenRenewed", "1")
    assert door.ask("/me/x", "PUT", LARGE).status == 200 and refreshes(service) == 1
    assert [len(request.body) for request in service.passed] == [len(LARGE)]


def test_a_401_that_stays_is_the_services(door, service):
    service.instead["/api/x"] = lambda request: Response.of({"error": "stays"}, 401, **{"WWW-Authenticate": 'Bearer realm="service"'})
    answer = door.ask()
    assert (answer.status, json.loads(answer.body), answer.kind) == (401, {"error": "stays"}, None)
    assert answer.headers["WWW-Authenticate"] is None and refreshes(service) == 1
    assert sum(request.path == "/api/x" for request in service.requests) == 2


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("status", [403, 429, 500, 503])
def test_other_failures_go_to_the_program(door, service, status, method):
    service.pages["/api/x"] = lambda request: Response(status, b"as it is", {"Retry-After": "0"})
    answer = door.ask("/me/x", method, b"")
    assert (answer.status, answer.body, answer.headers["Retry-After"], answer.kind) == (status, b"as it is", "0", None)
    assert len(service.passed) == 1


def test_a_service_that_is_not_there(door, service):
    service.__exit__()
    answer = door.ask()
    assert (answer.status, answer.kind) == (502, "networkFailure")


def test_a_bound_token(shell, start, open_door):
    """The service wants a nonce in the proof, and the request goes again with its body."""
    with BoundAuthorizationServer() as server, BoundAPI(server) as api:
        described = {**server.description, "apiBase": api.url + "/api/"}
        wanted = {"account": "me", "provider": described, "clientId": "c", "scopes": ["read"], "openBrowser": False, "dpop": True}
        with start() as peer:
            assert authorize(peer, server.approve, **wanted)["tokenType"] == "DPoP"
        api.proofs.nonce = "n-1"
        answer = open_door("me").ask("/me/x", "POST", b"text")
        assert (answer.status, json.loads(answer.body)["path"]) == (200, "/api/x")
        assert api.proofs.faults == ["the proof needs the nonce"] and [request.body for request in api.requests] == [b"text"] * 2


def test_each_use_is_in_the_audit_file(user, service, open_door, tmp_path):
    door = open_door("me", options=["--audit", tmp_path / "audit"])
    door.ask("/me/x?secret=s3cret", "PUT", b"s3cret")
    host = service.url.removeprefix("http://")
    assert uses(tmp_path / "audit") == [{"account": "me", "use": "http", "method": "PUT", "host": host, "path": "/api/x", "status": 200}]


# Answers


def answering(text: bytes):
    return lambda connection, head: connection.sendall(text)


def test_events_come_at_once(shell, open_door):
    seen = threading.Event()

    def play(connection, head) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n")
        seen.wait(PATIENCE)
        connection.sendall(b"9\r\ndata: 2\n\n\r\n0\r\n\r\n")

    with RawService(play) as service:
        log_in(shell, service)
        door = open_door("me")
        connection = http.client.HTTPConnection("127.0.0.1", door.port, timeout=PATIENCE)
        connection.request("GET", "/me/events", headers={"X-Api-Key": door.secret})
        answer = connection.getresponse()
        assert answer.read(9) == b"data: 1\n\n"
        seen.set()
        assert answer.read() == b"data: 2\n\n"
        connection.close()


@pytest.mark.parametrize("text", [b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", b"Content-Length: 4\r\n\r\nabc"], ids=["chunks", "length"])
def test_an_answer_that_breaks_off_breaks_off_at_the_program(shell, open_door, text):
    with RawService(answering(b"HTTP/1.1 200 OK\r\n" + text)) as service:
        log_in(shell, service)
        door = open_door("me")
        with pytest.raises((http.client.IncompleteRead, ConnectionResetError)):
            door.ask()


@pytest.mark.parametrize("method, status, fields", [
    ("HEAD", "200 OK", b"Content-Length: 5\r\n"), ("GET", "204 No Content", b""), ("GET", "304 Not Modified", b"ETag: x\r\n")])
def test_an_answer_without_a_body(shell, open_door, method, status, fields):
    """The next request on the connection gets its own answer."""
    with RawService(lambda connection, head: connection.sendall(f"HTTP/1.1 {status}\r\n".encode() + fields + b"\r\n")) as service:
        log_in(shell, service)
        door = open_door("me")
        found = door.talk(door.head(f"{method} /me/a") + door.head(f"{method} /me/b", door.authorization + "Connection: close\r\n"))
        assert found.count(f"HTTP/1.1 {status}".encode()) == 2 and found.endswith(b"\r\n\r\n") and b"chunked" not in found
        assert found.count(fields) >= 2


def test_a_program_of_http_1_0_gets_no_chunks(shell, open_door):
    with RawService(answering(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")) as service:
        log_in(shell, service)
        door = open_door("me")
        found = door.talk(door.head("GET /me/x").replace(b"HTTP/1.1", b"HTTP/1.0"))
        assert b" 200 " in found and b"chunked" not in found and found.endswith(b"\r\n\r\nabc")


def test_compressed_bytes_pass_unchanged(door, service):
    packed = gzip.compress(b"text" * 1000)
    service.pages["/api/x"] = lambda request: Response(200, packed, {"Content-Encoding": "gzip"})
    answer = door.ask("/me/x", "POST", packed, Accept_Encoding="gzip", Content_Encoding="gzip")
    assert (answer.body, answer.headers["Content-Encoding"]) == (packed, "gzip")
    sent = service.passed[0]
    assert (sent.body, sent.headers["Content-Encoding"], sent.headers["Accept-Encoding"]) == (packed, "gzip", "gzip")


def test_headers_of_the_way_do_not_pass(door, service):
    service.pages["/api/x"] = lambda request: Response(200, b"", {"Set-Cookie": "a=b", "X-Own": "1", "Location": "/api/new", "Link": "</api/x?p=2>; rel=next"})
    answer = door.ask(
        Cookie="c=d", Forwarded="for=me", X_Forwarded_For="me", Connection="keep-alive, X-Hop", X_Hop="1", X_Mine="2", User_Agent="mine")
    sent = {name.lower(): value for name, value in service.passed[0].headers.items()}
    assert not {"cookie", "forwarded", "x-forwarded-for", "x-hop"} & sent.keys() and (sent["x-mine"], sent["user-agent"]) == ("2", "mine")
    assert answer.headers["Set-Cookie"] is None and answer.headers["X-Own"] == "1"
    assert (answer.headers["Location"], answer.headers["Link"]) == (f"{door.base}/me/new", f"<{door.base}/me/x?p=2>; rel=next")

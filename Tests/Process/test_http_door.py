"""What passes through the HTTP door, with which token, and what does not."""

import base64
import gzip
import http.client
import json
import re
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from bound_tokens import BoundAPI, BoundAuthorizationServer
from door import RawService, Service, door, log_in, open_door, read_all, service, shell, user  # noqa: F401, fixtures
from provider import Response
from rpc import PATIENCE
from signing_in import TokenProvider, authorize
from test_audit import fill, uses
from test_client_certificates import Secure, authority  # noqa: F401, a fixture
from test_oauth1_servers import sign_in

# More than the door holds to send it again.
LARGE = b"x" * (3 << 20)



def answering(text: bytes):
    return lambda connection, head: connection.sendall(text)


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
    assert [answer.kind for answer in answers] == [{200: None, 403: "notAllowed", 404: "noAccount"}[answer.status] for answer in answers]
    assert len(service.passed) == [200, write, other].count(200)


@pytest.mark.parametrize("target, status, kind", [
    ("/me/@example.com/x", 403, "hostNotAllowed"), ("/me/@127.0.0.1:1/x", 403, "hostNotAllowed"), ("/you/x", 404, "noAccount")])
def test_a_target_that_is_none_of_the_account(user, service, open_door, target, status, kind):
    answer = open_door().ask(target)
    assert (answer.status, answer.kind) == (status, kind)
    assert not service.requests


def test_a_host_of_the_account(door, service):
    assert service.word.encode() in door.ask(f"/me/@127.0.0.1:{service.port}/api/y").body


def test_a_path_is_appended_as_it_is_written(door, service):
    assert door.ask("/me/a//b%2Fc;d?x=%20&y={2}&y").status == 200
    assert [request.target for request in service.passed] == ["/api/a//b%2Fc;d?x=%20&y=%7B2%7D&y"]


def test_an_account_without_a_base(shell, service, open_door):
    log_in(shell, service, apiBase=None)
    answer = open_door("me").ask()
    assert (answer.status, answer.kind) == (404, "configurationInvalid") and b"/ACCOUNT/@HOST/PATH" in answer.body


def test_a_login_that_is_missing_is_named_in_the_answer(shell, service, open_door):
    config = shell.home / "config.json"
    config.write_text(json.dumps({"accounts": {"office": {"provider": service.description, "clientId": "c"}}}))
    answer = open_door("office", options=["--config", config]).ask("/office/x")
    assert (answer.status, answer.kind) == (403, "signInRequired") and b" login office" in answer.body


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
    with RawService(answering(b"HTTP/1.1 204 No Content\r\n\r\n")) as service:
        token = log_in(shell, service, apiCredential={"query": "key"})
        door = open_door("me")
        assert door.ask(f"/me/x?b=%2f&key={door.secret}&&c=a+b", Authorization=None).status == 204
        target = service.heads[0].split(b" ")[1].decode()
        assert target == f"/api/x?b=%2f&&c=a+b&key={token}" and b"Authorization" not in service.heads[0]


@pytest.mark.parametrize("credential", ["Bearer {}", "token {}", "Basic {}"])
def test_a_host_that_takes_the_token_as_a_password(shell, service, open_door, credential):
    with RawService(answering(b"HTTP/1.1 204 No Content\r\n\r\n")) as registry:
        host = registry.url.removeprefix("http://")
        token = log_in(shell, service, registryHosts=[host], registryUserName="puller")
        door = open_door("me")
        secret = base64.b64encode(f"any:{door.secret}".encode()).decode() if "Basic" in credential else door.secret
        assert door.ask(f"/me/@{host}/v2/", Authorization=credential.format(secret)).status == 204
        assert f"Authorization: Basic {base64.b64encode(f'puller:{token}'.encode()).decode()}".encode() in registry.heads[0]
        assert registry.heads[0].startswith(b"GET /v2/ HTTP/1.1\r\n")


def test_a_host_that_takes_the_token_both_ways(shell, open_door):
    """The program decides."""
    with RawService(answering(b"HTTP/1.1 204 No Content\r\n\r\n")) as service:
        host = service.url.removeprefix("http://")
        token = log_in(shell, service, gitHosts=[host])
        door = open_door("me")
        password = base64.b64encode(f"any:{door.secret}".encode()).decode()
        for authorization in (f"Basic {password}", f"Bearer {door.secret}"):
            assert door.ask(f"/me/@{host}/x", Authorization=authorization).status == 204
        expected = [f"Basic {base64.b64encode(f'oauth2:{token}'.encode()).decode()}", f"Bearer {token}"]
        assert [re.search(rb"Authorization: (.*)\r", head)[1].decode() for head in service.heads] == expected


def test_the_base_and_the_headers_of_the_provider(shell, service, open_door):
    """A program's own header counts."""
    token = log_in(
        shell, service, apiBase=service.url + "/{site}/", apiHeaders={"X-Version": "3", "X-Site": "{site}"}, options=["--variables", '{"site": "api"}'])
    service.pages["/api/x"] = lambda request: Response(201, b"", {"Location": service.url + "/api/new"})
    door = open_door("me")
    answers = [door.ask(), door.ask(X_Version="4")]
    assert [answer.headers["Location"] for answer in answers] == [door.base + "/me/new"] * 2
    sent = [{name.lower(): value for name, value in request.headers.items()} for request in service.passed]
    assert [(request["x-version"], request["x-site"]) for request in sent] == [("3", "api"), ("4", "api")]
    assert all(request["authorization"] == f"Bearer {token}" for request in sent)


def test_a_client_with_a_certificate(shell, open_door, authority):  # noqa: F811
    with Secure(authority) as service:
        config = shell.home / "config.json"
        config.write_text(json.dumps({"accounts": {"me": {**service.account, "clientCertificate": authority.client("alice").params}}}))
        config.chmod(0o600)
        shell.environment["SSL_CERT_FILE"] = str(authority.file)
        assert open_door("me", options=["--config", config]).ask("/me/x", "POST", b"text").status == 200
        assert service.seen("/api/x") == ["alice"]


def test_a_signed_request(shell, start, open_door, oauthlib1):
    """OAuth 1.0a signs forms too, and the door passes bodies on unread."""
    with start() as peer:
        sign_in(peer, oauthlib1.parameters({"signatureMethod": "HMAC-SHA256"}))
    door = open_door("a")
    answer = door.ask("/a/me?b=2&a=%7E", "POST", b'{"a":1}', Content_Type="application/json")
    echoed = json.loads(answer.body)
    assert (answer.status, echoed["user"], echoed["body"]) == (200, "user1", '{"a":1}')
    answer = door.ask("/a/me", "POST", b"a=b", Content_Type="application/x-www-form-urlencoded")
    assert (answer.status, answer.kind) == (501, "unsupportedByProvider")


def test_an_entry_for_another_token_of_a_login(shell, service, open_door):
    log_in(shell, service, otherTokens={"scopes": "refresh"})
    with RawService(answering(b"HTTP/1.1 204 No Content\r\n\r\n")) as other:
        folder = shell.home / "config" / "oauth-stdio"
        folder.mkdir(parents=True)
        entry = {"login": "me", "scopes": ["read"], "apiBase": other.url + "/api/"}
        (folder / "config.json").write_text(json.dumps({"accounts": {"more": entry}}))
        assert open_door("more").ask("/more/x").status == 204
        token = re.search(rb"Authorization: Bearer (.*)\r", other.heads[0])[1].decode()
        assert token in service.living and refreshes(service) == 1 and b"scope=read" in service.requests[-1].body


# Tokens that end


def refreshes(service: Service) -> int:
    return sum(request.path == "/token" for request in service.requests)


def test_a_401_renews_the_token_and_the_request_goes_again(door, service):
    service.living = {"another"}
    answer = door.ask("/me/x", "POST", b"y" * 100_000)
    assert answer.status == 200 and service.word.encode() in answer.body
    assert (refreshes(service), service.rejected) == (1, 1)
    assert [request.body for request in service.passed] == [b"y" * 100_000]


def test_a_401_without_a_body_renews_the_token(door, service):
    service.living = {"another"}
    answer = door.ask("/me/x", "HEAD")
    assert (answer.status, answer.body, refreshes(service)) == (200, b"", 1)


def test_requests_at_once_cost_one_refresh(door, service):
    service.living = {"another"}
    with ThreadPoolExecutor(8) as programs:
        statuses = list(programs.map(lambda number: door.ask(f"/me/{number}", "POST", b"text").status, range(8)))
    assert statuses == [200] * 8 and refreshes(service) == 1 and len(service.passed) == 8


def test_a_token_that_has_ended_is_renewed_before(shell, service, open_door):
    log_in(shell, service, options=["--issuedAt", "1600000000"])
    assert open_door("me").ask().status == 200
    assert (refreshes(service), service.rejected) == (1, 0)


def test_an_error_in_an_answer_of_200_renews_the_token(shell, service, open_door):
    """Slack's API says so of an expired token."""
    first = log_in(shell, service, apiErrors={"success": "ok", "code": "error"}, expired={"codes": ["token_expired"]})
    service.pages["/api/x"] = lambda request: Response.of(
        {"ok": False, "error": "token_expired"} if first in request.headers["Authorization"] else {"ok": True, "text": service.word})
    answer = open_door("me").ask("/me/x", "POST", b"text")
    assert json.loads(answer.body) == {"ok": True, "text": service.word}
    assert refreshes(service) == 1 and [request.body for request in service.passed] == [b"text"] * 2


def refusing_early(service: TokenProvider, connection, head: bytes) -> None:
    """Answers without reading the body if the token is old."""
    if any(token.encode() in head for token in service.living):
        length = int(re.search(rb"Content-Length: (\d+)", head)[1])
        while length > 0:
            length -= len(connection.recv(1 << 16))
        connection.sendall(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    else:
        connection.sendall(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        # What comes still: a reset could overtake the answer.
        connection.shutdown(socket.SHUT_WR)
        read_all(connection)


def test_a_401_that_comes_before_the_body_was_sent(shell, service, open_door):
    with RawService(lambda connection, head: refusing_early(service, connection, head)) as api:
        log_in(shell, service, apiBase=api.url + "/api/")
        service.living = {"another"}
        answer = open_door("me").ask("/me/x", "PUT", b"y" * 500_000)
        assert (answer.status, answer.kind) == (201, None)
        assert len(api.heads) == 2 and refreshes(service) == 1


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
        door = open_door("me")
        answer = door.ask("/me/x", "POST", b"text")
        assert (answer.status, json.loads(answer.body)["path"]) == (200, "/api/x")
        assert api.proofs.faults == ["the proof needs the nonce"] and [request.body for request in api.requests] == [b"text"] * 2
        # A body that is not held is for the program to send again.
        api.proofs.nonce = "n-2"
        assert [door.ask("/me/x", "PUT", LARGE).status for _ in range(2)] == [503, 200]


def test_each_use_is_in_the_audit_file(user, service, open_door, tmp_path):
    door = open_door("me", options=["--audit", tmp_path / "audit"])
    door.ask("/me/x?secret=s3cret", "PUT", b"s3cret")
    host = service.url.removeprefix("http://")
    assert uses(tmp_path / "audit") == [{"account": "me", "use": "http", "method": "PUT", "host": host, "path": "/api/x", "status": 200}]


def test_a_use_that_cannot_be_recorded_does_not_happen(user, service, open_door, tmp_path):
    (tmp_path / "audit").mkdir(mode=0o700)
    door = open_door("me", options=["--audit", tmp_path / "audit" / "file"])
    fill(tmp_path / "audit" / "file")
    answer = door.ask()
    assert (answer.status, answer.kind) == (500, "storageFailure") and not service.requests


# Answers


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


@pytest.mark.parametrize("text", [b"hello\r\n", b""], ids=["no head", "nothing"])
def test_an_answer_that_is_not_http(shell, open_door, text):
    with RawService(answering(text)) as service:
        log_in(shell, service)
        door = open_door("me")
        assert [(answer.status, answer.kind) for answer in (door.ask(), door.ask())] == [(502, "networkFailure")] * 2


@pytest.mark.parametrize("coding", ["chunked", "identity"])
def test_a_length_beside_a_coding_does_not_count(shell, open_door, coding):
    """The rest of the body would be read as the beginning of the next answer."""
    body = b"5\r\nabcde\r\n0\r\n\r\n" if coding == "chunked" else b"abcde"
    head = f"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: {coding}\r\nX-Own: 1\r\nX-Odd : 2\r\nX-Split: 3\rX-More: 4\r\n\r\n".encode()
    with RawService(answering(head + body)) as service:
        log_in(shell, service)
        answer = open_door("me").ask()
        assert (answer.body, answer.headers["Content-Length"], answer.headers["X-Own"]) == (b"abcde", None, "1")
        assert not {"x-odd", "x-odd ", "x-split", "x-more"} & {name.lower() for name in answer.headers}


@pytest.mark.parametrize("method, length, status, fields", [
    ("HEAD", "", "200 OK", b"Content-Length: 5\r\n"), ("HEAD", "Content-Length: 0\r\n", "200 OK", b"Content-Length: 5\r\n"),
    ("GET", "", "204 No Content", b""), ("GET", "", "304 Not Modified", b"ETag: x\r\n")])
def test_an_answer_without_a_body(shell, open_door, method, length, status, fields):
    """The next request on the connection gets its own answer."""
    with RawService(lambda connection, head: connection.sendall(f"HTTP/1.1 {status}\r\n".encode() + fields + b"\r\n")) as service:
        log_in(shell, service)
        door = open_door("me")
        found = door.talk(door.head(f"{method} /me/a", door.authorization + length) + door.head(f"{method} /me/b", door.authorization + "Connection: close\r\n"))
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
    # This program accepts nothing in particular.
    assert door.talk(door.head("GET /me/x", door.authorization + "Connection: close\r\n")).endswith(b"\r\n\r\n" + packed)
    assert "Accept-Encoding" not in service.passed[1].headers


def test_headers_of_the_way_do_not_pass(door, service):
    service.pages["/api/x"] = lambda request: Response(200, b"", {"Set-Cookie": "a=b", "X-Own": "1", "Location": "/api/new", "Link": "</api/x?p=2>; rel=next"})
    answer = door.ask(
        Cookie="c=d", Forwarded="for=me", X_Forwarded_For="me", Connection="keep-alive, X-Hop", X_Hop="1", X_Mine="2", User_Agent="mine")
    sent = {name.lower(): value for name, value in service.passed[0].headers.items()}
    assert not {"cookie", "forwarded", "x-forwarded-for", "x-hop"} & sent.keys() and (sent["x-mine"], sent["user-agent"]) == ("2", "mine")
    assert answer.headers["Set-Cookie"] is None and answer.headers["X-Own"] == "1"
    assert (answer.headers["Location"], answer.headers["Link"]) == (f"{door.base}/me/new", f"<{door.base}/me/x?p=2>; rel=next")

"""A service behind the door of `http` cannot write the answer to the program's next request."""

import http.client
import io

import pytest

from door import RawService, log_in, open_door, shell  # noqa: F401, fixtures

FORGED = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
OWN = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class Replay(io.BytesIO):
    """What came on a connection, for several answers in turn. The end of one does not close it."""

    def makefile(self, mode: str) -> "Replay":
        return self

    def close(self) -> None:
        pass

    def answer(self) -> tuple[int, bytes]:
        found = http.client.HTTPResponse(self)
        found.begin()
        return found.status, found.read()


@pytest.mark.parametrize("answer, status, body", [
    pytest.param(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n" + FORGED, 502, None, id="another-protocol"),
    pytest.param(
        b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(FORGED), FORGED), 200, FORGED,
        id="length-beside-chunks"),
    pytest.param(b"HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n2\r\nno\r\n0\r\n\r\n", 404, b"no", id="in-an-error"),
    pytest.param(OWN + FORGED, 200, b"ok", id="more-than-the-length"),
    pytest.param(b"HTTP/1.1 200 OK\r\nX: a\r\r" + FORGED.replace(b"\r\n", b"\r") + b"\r\nContent-Length: 2\r\n\r\nok", 200, b"ok", id="bare-CR"),
    pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 8\r\n\r\nok" + FORGED, 502, None, id="two-lengths"),
])
def test_the_next_answer_is_that_of_the_service(shell, open_door, answer, status, body):  # noqa: F811
    answers = iter([answer])
    with RawService(lambda connection, head: connection.sendall(next(answers, OWN))) as service:
        log_in(shell, service)
        door = open_door("me")
        came = Replay(door.talk(door.head("GET /me/forges") + door.head("GET /me/next", door.authorization + "Connection: close\r\n")))
        first = came.answer()
        assert first[0] == status and (body is None or first[1] == body)
        assert came.answer() == (200, b"ok") and came.read() == b""

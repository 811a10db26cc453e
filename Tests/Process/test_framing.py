"""Bytes in, messages out: the stream continues after every error that allows it."""

import json

import pytest

from rpc import frame, processor_seconds

PING = '{"jsonrpc":"2.0","id":"ping","method":"accounts"}'
MIB = 1 << 20


def ping(peer) -> dict:
    """Checks that the stream continues, and returns the answer."""
    peer.send_text(PING, "lines")
    return peer.result("ping")


def errors(peer) -> list[dict]:
    return [message["error"] for message in peer.all_json() if "error" in message]


def only_error(peer, text: bytes) -> dict:
    """Sends bytes that cause one error with a null id, and checks that the stream continues."""
    peer.write(text)
    error = peer.answer(None)["error"]
    ping(peer)
    assert len(errors(peer)) == 1
    return error


def padded(length: int) -> bytes:
    """Returns a request of exactly this length, for an unknown method."""
    head, tail = b'{"jsonrpc":"2.0","id":"big","method":"none","params":{"x":"', b'"}}'
    return head + b"x" * (length - len(head) - len(tail)) + tail


def test_framings_can_be_mixed_message_by_message(peer):
    for number, framing in enumerate(["lines", "headers", "headers", "lines", "headers"]):
        peer.send("accounts", id=number, framing=framing)
        peer.result(number)
        assert peer.messages[-1].framing == framing


@pytest.mark.parametrize(
    "header",
    [
        "Content-Length: {}\r\n\r\n",
        "content-length:{}\r\n\r\n",
        "CONTENT-LENGTH:   {}\n\n",
        "Content-Type: application/vscode-jsonrpc; charset=utf8\r\nContent-Length: {}\r\n\r\n",
        "X-Unknown: 1\r\nContent-Length: {}\r\nContent-Type: application/vim-jsonrpc; charset=utf-8\r\n\r\n",
    ],
)
@pytest.mark.parametrize("piece", [None, 1])
def test_header_spellings(start, header, piece):
    peer = start(piece=piece)
    body = PING.replace("ping", "pïng").encode()
    peer.write(header.format(len(body)).encode() + body)
    peer.result("pïng")
    assert peer.messages[0].framing == "headers"


@pytest.mark.parametrize("piece", [None, 1])
@pytest.mark.parametrize("before", ["", "\r\n\n", "\ufeff", "  \t"])
def test_lines_with_what_clients_put_around_them(start, before, piece):
    peer = start(piece=piece)
    peer.write((before + PING + "\r\n" + PING.replace("ping", "2") + "\n").encode())
    peer.result("ping")
    peer.result("2")


def test_a_pinned_framing_stays(start):
    peer = start("--framing", "headers")
    peer.write(frame(PING.encode(), "headers"))
    peer.result("ping")
    lines = start("--framing", "lines")
    lines.write(b"Content-Length: 2\n")
    assert lines.answer(None)["error"]["code"] == -32700
    ping(lines)


def test_sixteen_mebibytes_are_accepted(peer):
    for framing in ("lines", "headers"):
        peer.messages.clear()
        peer.write(frame(padded(16 * MIB), framing))
        assert peer.answer("big", 60)["error"]["code"] == -32601


@pytest.mark.parametrize("framing", ["lines", "headers"])
def test_more_than_sixteen_mebibytes_are_rejected_and_the_stream_continues(peer, framing):
    assert only_error(peer, frame(padded(16 * MIB + 1), framing))["code"] == -32600


def test_a_long_line_in_small_pieces_takes_linear_time(start):
    def seconds(length: int) -> float:
        peer = start(piece=4096)
        before = processor_seconds()
        peer.write(padded(length) + b"\n")
        assert peer.answer("big", 60)["error"]["code"] == -32601
        assert peer.finish() == 0
        return processor_seconds() - before

    short, long = (min(seconds(length) for _ in range(3)) for length in (4 * MIB, 16 * MIB))
    # A linear time gives 4, a quadratic one 16. Both are of the processor, and a busy one is slower.
    assert long / max(short, 0.02) < 10, f"{short} s for 4 MiB, {long} s for 16 MiB"


def test_a_header_that_never_ends_takes_no_memory(peer):
    ping(peer)

    def resident() -> int:
        with open(f"/proc/{peer.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    before = resident()
    peer.write(b"X-Long: " + b"a" * (8 * MIB))
    peer.write(b"\n\r\n")
    assert peer.answer(None)["error"]["code"] == -32600
    peer.messages.clear()
    ping(peer)
    assert resident() - before < 4096, "KiB"


def test_endless_headers_are_rejected(peer):
    peer.write(b"X-Many: a\r\n" * 10000 + b"\r\n")
    assert peer.answer(None)["error"]["code"] == -32600
    ping(peer)


@pytest.mark.parametrize(
    "header",
    ["99999999999999999999", "18446744073709551615", "-1", "+5", "0x10", "", "5 5x", "1e1", "5\r\nContent-Length: 6"],
)
def test_invalid_content_lengths(peer, header):
    peer.write(f"Content-Length: {header}\r\n\r\n".encode() + (b"{}\n" if header == "5 5x" else b""))
    assert peer.answer(None)["error"]["code"] in (-32600, -32700)
    peer.messages.clear()
    ping(peer)


def test_a_content_length_that_is_too_small(peer):
    peer.write(b"Content-Length: 5\r\n\r\n" + PING.encode() + b"\n")
    assert peer.answer(None)["error"]["code"] in (-32600, -32700)
    peer.messages.clear()
    ping(peer)


def test_an_end_inside_a_frame(peer):
    peer.write(b"Content-Length: 100\r\n\r\n{}")
    assert peer.finish() == 0
    assert [error["code"] for error in errors(peer)] == [-32700]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"\xc0\xaf"}', -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"\xed\xa0\x80"}', -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', -32700),
        (b'{"jsonrpc":"2.0","id":1\0,"method":"accounts"}', -32700),
        (b"[" * 100000, None),
        (b"[" * 100000 + b"]" * 100000, None),
        (b'{"a":' * 100000, None),
        (b'{"jsonrpc":"2.0","method":"accounts","id":1,"id":2}', -32600),
        (b'{"jsonrpc":"2.0","method":"accounts","id":1,"\\u0069d":2}', -32600),
        (b'{"jsonrpc":"2.0","method":"accounts","id":9223372036854775808}', -32600),
        (b'{"jsonrpc":"2.0","method":"accounts","id":1e400}', None),
        (b"nonsense", -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"accounts"} x', -32700),
        (b"NaN", -32700),
        (b"1", -32600),
        (b'"x"', -32600),
        (b"null", -32600),
        (b"{}", -32600),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_an_invalid_request_gets_one_error_with_a_null_id(peer, body, code):
    # Deep nesting may get either code. The test needs one error and a stream that continues.
    assert only_error(peer, body + b"\n")["code"] in ([code] if code else [-32600, -32700])


def test_a_number_beyond_64_bits_in_params_keeps_the_id(peer):
    peer.write(b'{"jsonrpc":"2.0","id":7,"method":"accounts","params":{"x":9223372036854775808}}\n')
    assert peer.answer(7)["error"]["code"] in (-32600, -32602)


@pytest.mark.parametrize("number", ["1e400", "-1E+999", "18446744073709551616"])
@pytest.mark.parametrize("identifier", ['"a"', "9007199254740993"])
def test_a_large_number_keeps_every_kind_of_id(peer, number, identifier):
    peer.write(f'{{"jsonrpc":"2.0","id":{identifier},"method":"accounts","params":{{"x":{number}}}}}\n'.encode())
    error = peer.answer(json.loads(identifier))["error"]
    assert error["code"] == -32600 and error["data"]["position"] == len(f'{{"jsonrpc":"2.0","id":{identifier},"method":"accounts","params":{{"x":')


def test_megabytes_of_large_numbers_take_no_time(peer):
    peer.write(b'{"jsonrpc":"2.0","id":1,"method":"accounts","params":[' + b",".join([b"1e400"] * (2 << 20)) + b"]}\n")
    assert peer.answer(1)["error"]["code"] == -32600


def test_a_header_behind_blanks_is_one(peer):
    peer.write(b" \tContent-Length: %d\r\n\r\n" % len(PING) + PING.encode())
    peer.result("ping")
    assert not errors(peer)


@pytest.mark.parametrize(
    "identifier", [0, -1, 1, 2147483648, 9007199254740993, "", "1", "a\"\\/b", "é😀", "\u2028", "x" * 5000, None], ids=repr
)
def test_ids_are_echoed(peer, identifier):
    peer.send("accounts", id=identifier)
    peer.result(identifier)


def test_two_and_the_string_two_are_two_ids(peer):
    first, second = peer.send("accounts", id=2), peer.send("none", id="2")
    assert "result" in peer.answer(first) and peer.answer(second)["error"]["code"] == -32601


@pytest.mark.parametrize("identifier", [1.5, True, [], {}, [1]], ids=repr)
def test_invalid_ids(peer, identifier):
    peer.send_text(json.dumps({"jsonrpc": "2.0", "id": identifier, "method": "accounts"}))
    assert peer.answer(None)["error"]["code"] == -32600


@pytest.mark.parametrize("params", ["", ',"params":null', ',"params":[]', ',"params":{}'])
def test_no_params_in_every_spelling(peer, params):
    peer.send_text(f'{{"jsonrpc":"2.0","id":1,"method":"accounts"{params}}}')
    peer.result(1)


def test_names_are_compared_unescaped(peer):
    peer.send_text('{"jsonr\\u0070c":"2.0","\\u0069d":1,"method":"acco\\u0075nts"}')
    assert "result" in peer.answer(1)


def test_unknown_members_are_named_by_their_path(peer):
    answer = peer.answer(peer.send("account", {"account": "a", "acount": 1}))
    assert answer["error"]["code"] == -32602 and answer["error"]["data"]["path"] == "/acount"


def test_params_by_position(peer):
    by_name = peer.answer(peer.send("account", {"account": "unknown"}))
    by_position = peer.answer(peer.send("account", ["unknown"]))
    assert {**by_name, "id": 0} == {**by_position, "id": 0}


# The examples of the specification (section 7), with methods that do not exist here. Only the shape is compared.


def test_notifications_are_never_answered(peer):
    peer.send_text('{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}')
    peer.send_text('{"jsonrpc": "2.0", "method": "foobar"}')
    peer.send_text('[{"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},{"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}]')
    ping(peer)
    # An event reports an invalid notification, and an event has no id.
    assert [message.json["id"] for message in peer.messages if "id" in message.json] == ["ping"]
    assert {message.json["method"] for message in peer.messages if "id" not in message.json} == {"errorOccuredWithShortDescription"}


def test_answers_in_the_input_are_ignored(peer):
    peer.send_text('{"jsonrpc":"2.0","id":1,"result":{}}')
    peer.send_text('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"m"}}')
    ping(peer)
    assert len(peer.messages) == 1


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ('{"jsonrpc": "2.0", "method": "foobar", "id": "1"}', -32601),
        ('{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]', -32700),
        ('{"jsonrpc": "2.0", "method": 1, "params": "bar"}', -32600),
        ('[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},{"jsonrpc": "2.0", "method"]', -32700),
        ("[]", -32600),
        ("[1]", [-32600]),
        ("[1,2,3]", [-32600, -32600, -32600]),
    ],
)
def test_examples_of_the_specification(peer, text, codes):
    peer.send_text(text)
    got = peer.wait_messages(1)[0].json
    if isinstance(codes, list):
        assert [element["error"]["code"] for element in got] == codes
        assert all(element["id"] is None for element in got)
    else:
        assert got["error"]["code"] == codes


def test_the_mixed_batch_of_the_specification(peer):
    peer.send_text(
        '[{"jsonrpc":"2.0","method":"accounts","id":"1"},{"jsonrpc":"2.0","method":"notify_hello","params":[7]},'
        '{"jsonrpc":"2.0","method":"accounts","params":[],"id":"2"},{"foo":"boo"},'
        '{"jsonrpc":"2.0","method":"foo.get","params":{"name":"myself"},"id":"5"},{"jsonrpc":"2.0","method":"accounts","id":"9"}]'
    )
    # The order of the invalid notification's event and the batch's answer is not defined.
    batch = next(message.json for message in peer.wait_messages(2) if isinstance(message.json, list))
    answers = {answer["id"]: answer for answer in batch}
    assert set(answers) == {"1", "2", None, "5", "9"}
    assert answers[None]["error"]["code"] == -32600 and answers["5"]["error"]["code"] == -32601
    assert all("result" in answers[name] for name in ("1", "2", "9"))


def test_a_batch_of_ten_thousand(peer):
    batch = [{"jsonrpc": "2.0", "id": number, "method": "accounts"} for number in range(10000)]
    peer.send_text(json.dumps(batch))
    answers = peer.wait_messages(1, 60)[0].json
    assert sorted(answer["id"] for answer in answers) == list(range(10000))

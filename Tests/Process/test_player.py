"""The tests' own tools: a transcript that does not match must fail, and so must a message that breaks a rule."""

import json
import sys
import time
import urllib.request
from pathlib import Path

import pytest

import template
import wire
from player import Player
from provider import Provider, Response
from rpc import Peer, take
from transcript import Mismatch, Transcript, TranscriptError

STUB = [sys.executable, str(Path(__file__).parent / "stub.py")]


def play(tmp_path, text, framing="lines", **options):
    file = tmp_path / "t.rpc"
    file.write_text(text)
    folder = tmp_path / framing
    Player(Transcript.read(file), folder, framing, binary=STUB, schema=None, **options).play()
    return file.read_text()


ECHO = """
# What goes in comes out.
--> {"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":"<<provider>>"}}
<-- {"jsonrpc":"2.0","id":1,"result":{"a":"<<provider>>"}}
"""


@pytest.mark.parametrize("framing", ["lines", "headers"])
@pytest.mark.parametrize("piece", [None, 1])
def test_a_matching_transcript_passes(tmp_path, framing, piece):
    play(tmp_path, ECHO, framing, piece=piece)


@pytest.mark.parametrize(
    ("wanted", "line"),
    [
        ('<-- {"jsonrpc":"2.0","id":1,"result":{"a":"other"}}', 3),
        ('<-- {"id":1,"jsonrpc":"2.0","result":{"a":"x"}}', 3),
        ('<-- {"jsonrpc": "2.0","id":1,"result":{"a":"x"}}', 3),
        ('<-- {"jsonrpc":"2.0","id":1,"result":{"a":"<<v:int>>"}}', 3),
        ("", 3),
        ('<-- {"jsonrpc":"2.0","id":1,"result":{"a":"x"}}\nclose\n<-- {"jsonrpc":"2.0","id":1,"result":{"a":"x"}}', 5),
    ],
    ids=["value", "order", "blank", "kind", "missing", "one too many"],
)
def test_a_mismatch_names_line_wanted_and_got(tmp_path, wanted, line):
    text = f'# What goes in comes out.\n--> {{"jsonrpc":"2.0","id":1,"method":"echo","params":{{"a":"x"}}}}\n{wanted}\n'
    with pytest.raises(Mismatch) as caught:
        play(tmp_path, text)
    assert caught.value.line == line
    assert f"t.rpc:{line}" in str(caught.value) and "wanted" in str(caught.value) and "got" in str(caught.value)


def test_a_placeholder_binds_once(tmp_path):
    text = """
--> {"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":"s3cr","b":"%s"}}
<-- {"jsonrpc":"2.0","id":1,"result":{"a":"<<x:word>>","b":"<<x>>"}}
"""
    play(tmp_path, text % "s3cr")
    (tmp_path / "second").mkdir()
    with pytest.raises(Mismatch):
        play(tmp_path / "second", text % "other")


def test_groups_take_any_order_and_no_more(tmp_path):
    text = """
--> {"jsonrpc":"2.0","id":1,"method":"tell","params":{"what":"w"}}
{
<-- {"jsonrpc":"2.0","id":1,"result":{}}
<-- {"jsonrpc":"2.0","method":"told","params":{"seq":1,"what":"<<w:word>>"}}
}
--> {"jsonrpc":"2.0","id":2,"method":"echo","params":{"a":"w"}}
<-- {"jsonrpc":"2.0","id":2,"result":{"a":"<<w>>"}}
"""
    play(tmp_path, text)
    (tmp_path / "second").mkdir()
    with pytest.raises(Mismatch):
        play(tmp_path / "second", text.replace('"result":{}', '"result":{"a":1}'))


PROVIDER = """
--> {"jsonrpc":"2.0","id":1,"method":"fetch","params":{"url":"<<provider>>/token?x=1","body":"a=b&c=dé"}}
==> POST /token?x=1  %s
==>   X-Stub: %s
<== 201 {"ok":true}
<-- {"jsonrpc":"2.0","id":1,"result":{"status":201,"body":"{\\"ok\\":true}"}}
"""


def test_the_provider_side_is_checked(tmp_path):
    play(tmp_path, PROVIDER % ("a=b&c=<<c:any>>", "yes"))


@pytest.mark.parametrize(("body", "header"), [("a=c", "yes"), ("a=b&c=<<c:any>>", "no")])
def test_a_provider_mismatch_fails(tmp_path, body, header):
    with pytest.raises(Mismatch) as caught:
        play(tmp_path, PROVIDER % (body, header))
    assert caught.value.line == 3


def test_an_unexpected_request_fails(tmp_path):
    text = '--> {"jsonrpc":"2.0","id":1,"method":"fetch","params":{"url":"<<provider>>/x","body":""}}\n~ 60000\n'
    with pytest.raises(Mismatch) as caught:
        play(tmp_path, text)
    assert "POST /x" in str(caught.value)


def test_silence_and_exit_status(tmp_path):
    with pytest.raises(Mismatch):
        play(tmp_path, '--> {"jsonrpc":"2.0","id":1,"method":"twice"}\n<-- {"jsonrpc":"2.0","id":1,"result":{}}\n~ 300\n')
    (tmp_path / "second").mkdir()
    with pytest.raises(Mismatch) as caught:
        play(tmp_path / "second", '% exit 1\n--> {"jsonrpc":"2.0","id":1,"method":"exit","params":{"status":3}}\n')
    assert "exit 3" in str(caught.value)
    (tmp_path / "third").mkdir()
    play(tmp_path / "third", '% exit 3\n--> {"jsonrpc":"2.0","id":1,"method":"exit","params":{"status":3}}\n')


def test_an_instant_is_compared_with_the_clock(tmp_path):
    now = int(time.time())
    for value, kind in [(now + 3600, "in3600"), (now, "in0"), (now + 3590, "in3600")]:
        assert template.fits(f"<<at:{kind}>>", str(value), {})
    for value, kind in [(now + 3700, "in3600"), (now + 3500, "in3600"), (now + 60, "in0")]:
        assert not template.fits(f"<<at:{kind}>>", str(value), {})


def test_a_placeholder_without_a_name_is_not_taken():
    bound = {}
    assert template.fits("<<_:int>>,<<_:int>>,<<a:int>>,<<_:in0>>", f"1,2,3,{int(time.time())}", bound)
    assert bound == {"a": "3"}


REPEATED = """
--> {"jsonrpc":"2.0","id":1,"method":"tell","params":{"what":"a","times":3}}
<-+ {"jsonrpc":"2.0","method":"told","params":{"seq":<<_:int>>,"what":"a"}}
<-- {"jsonrpc":"2.0","id":1,"result":{}}
"""


def test_one_line_takes_all_that_fit(tmp_path):
    play(tmp_path, REPEATED)
    for wrong in [('"what":"a"}}', '"what":"b"}}'), ("<-+", "<--"), ('"result":{}', '"result":{"a":1}')]:
        folder = tmp_path / f"with {wrong[1][:3]}"
        folder.mkdir()
        with pytest.raises(Mismatch):
            play(folder, REPEATED.replace(*wrong))


def test_files_and_values_are_compared(tmp_path):
    text = """
--> {"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":"x-17"}}
<-- {"jsonrpc":"2.0","id":1,"result":{"a":"<<a:word>>"}}
$ is <<a>>  x-<<n:int>>
$ write <<dir>>/f  number <<n>>
$ file <<dir>>/f  number 17
$ file <<dir>>/g  no such file
"""
    play(tmp_path, text)
    for wrong, line in [(("x-<<n:int>>", "y-<<n:int>>"), 4), (("number 17", "number 18"), 6), (("no such file", ""), 7), (("$ is", "$ was"), 4)]:
        folder = tmp_path / f"without {wrong[0]}"
        folder.mkdir()
        with pytest.raises((Mismatch, TranscriptError)) as caught:
            play(folder, text.replace(*wrong))
        assert f"t.rpc:{line}" in str(caught.value)


def test_answers_of_bytes_and_headers_that_stand_twice(tmp_path):
    text = """
--> {"jsonrpc":"2.0","id":1,"method":"fetch","params":{"url":"<<provider>>/x","body":"a\\r\\nb\\u0001"}}
==> POST /x  a\\r\\nb\\x01
==>   X-Not-There:
<== 200 b"\\xc3\\xbc"
<==   A: b
<==   A: c
<==   ~ 50
<-- {"jsonrpc":"2.0","id":1,"result":{"status":200,"body":"\\u00fc"}}
"""
    play(tmp_path, text)
    with Provider(lambda request: Response(200, b"", {"A": ["b", "c"]})) as provider, urllib.request.urlopen(provider.url) as answer:
        assert answer.headers.items() == [("A", "b"), ("A", "c"), ("Content-Length", "0")]


def test_the_configuration_is_written(tmp_path):
    text = """
% config {"x":"<<provider>>"}
--> {"jsonrpc":"2.0","id":1,"method":"arguments"}
<-- {"jsonrpc":"2.0","id":1,"result":{"arguments":["--store","<<_:any>>","--config","<<config>>"]}}
$ file <<config>>  {"x":"<<provider>>"}
"""
    play(tmp_path, text)


SIGNED_IN = """
% account {"clientId":"d","scopes":null}
% signed-in {"access_token":"<<provider>>"}
--> {"jsonrpc":"2.0","id":1,"method":"signedIn"}
<-- {"jsonrpc":"2.0","id":1,"result":{"line":"GET /cb?code=c0de&state=s HTTP/1.1","tokens":"{\\"access_token\\":\\"<<provider>>\\"}","client":"d"}}
--> {"jsonrpc":"2.0","id":2,"method":"echo","params":{<<account>>}}
<-- {"jsonrpc":"2.0","id":2,"result":{"account":"me","provider":{<<_:rest>>},"clientId":"d","openBrowser":false}}
"""


def test_the_sign_in_comes_before_the_first_step(tmp_path):
    play(tmp_path, SIGNED_IN)


def test_a_failed_sign_in_fails_the_transcript(tmp_path):
    with pytest.raises(TranscriptError):
        play(tmp_path, '% timeout 1\n% account {"provider":{"tokenEndpoint":"http://127.0.0.1:1/"}}\n% signed-in {}\n')


def test_raw_bytes_want_a_framing(tmp_path):
    raw = '->> "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"echo\\"}\\n"\n<-- {"jsonrpc":"2.0","id":1,"result":{}}\n'
    with pytest.raises(TranscriptError):
        play(tmp_path, raw)
    play(tmp_path, "% framing lines\n" + raw)


def test_recording_rewrites_what_differs_and_fails(tmp_path):
    text = """# a comment stays
--> {"jsonrpc":"2.0","id":1,"method":"time"}
<-- {"jsonrpc":"2.0","id":1,"result":{"expiresAt":<<at:int>>,"name":"y"}}
--> {"jsonrpc":"2.0","id":2,"method":"time"}
<-- ?
--> {"jsonrpc":"2.0","id":3,"method":"echo","params":{"a":"<<provider>>/x"}}
<-- ?
--> {"jsonrpc":"2.0","id":4,"method":"tell"}
<-- {"jsonrpc":"2.0","method":"told","params":{"seq":1,"what":""}}
"""
    with pytest.raises(Mismatch):
        play(tmp_path, text, is_recording=True)
    recorded = (tmp_path / "t.rpc").read_text()
    assert recorded.splitlines() == [
        "# a comment stays",
        '--> {"jsonrpc":"2.0","id":1,"method":"time"}',
        '<-- {"jsonrpc":"2.0","id":1,"result":{"expiresAt":<<at:int>>,"name":"x"}}',
        '--> {"jsonrpc":"2.0","id":2,"method":"time"}',
        '<-- {"jsonrpc":"2.0","id":2,"result":{"expiresAt":<<_:in3600>>,"name":"x"}}',
        '--> {"jsonrpc":"2.0","id":3,"method":"echo","params":{"a":"<<provider>>/x"}}',
        '<-- {"jsonrpc":"2.0","id":3,"result":{"a":"<<provider>>/x"}}',
        '--> {"jsonrpc":"2.0","id":4,"method":"tell"}',
        '<-- {"jsonrpc":"2.0","method":"told","params":{"seq":1,"what":""}}',
        '<-- {"jsonrpc":"2.0","id":4,"result":{}}',
    ]
    (tmp_path / "again").mkdir()
    play(tmp_path / "again", recorded)


def test_recording_a_request_keeps_placeholders_and_writes_no_secret():
    bound = {"url": "http://h/a?redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2F"}
    old = "POST /token  grant_type=x&redirect_uri=<<url?redirect_uri>>&code_verifier=<<v:b64url>>"
    got = "POST /token  grant_type=y&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2F&code_verifier=abc-_&client_id=c"
    recorded = "POST /token  grant_type=y&redirect_uri=<<url?redirect_uri>>&code_verifier=<<v:b64url>>&client_id=c"
    assert template.record_request(old, got, dict(bound)) == recorded
    assert template.fits(recorded, got, dict(bound))
    assert template.record_request("?", "POST /t  code_verifier=abc", {}) == "POST /t  code_verifier=<<code_verifier:b64url>>"


def test_query_items_of_captured_urls():
    bound = {}
    assert template.fits('"<<url:url>>"', '"http://h/a?state=s1&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2F"', bound)
    assert template.fill("<<url?redirect_uri>>?state=<<url?state>>", bound) == "http://127.0.0.1:9/?state=s1"
    with pytest.raises(template.TemplateError):
        template.fill("<<url?nonce>>", bound)


@pytest.mark.parametrize(
    "text",
    [
        '{"jsonrpc":"2.0","id":1,"result":null}',
        '{"jsonrpc":"2.0","id":1,"result":[]}',
        '{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":1}}',
        '{"jsonrpc":"2.0","id":1,"result":{"a":1.5}}',
        '{"jsonrpc":"2.0","id":1,"result":{"a":9007199254740992}}',
        '{"jsonrpc":"2.0","id":1,"result":{"a":"\\u0000"}}',
        '{"jsonrpc":"2.0","id":1,"result":{"a":"\\ud800"}}',
        '{"jsonrpc":"2.0","id":1,"result":{},"extra":1}',
        '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}',
        '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m","stack":1}}',
        '{"jsonrpc":"2.0","id":1,"error":{"code":1000,"message":"m"}}',
        '{"jsonrpc":"2.0","method":"m"}',
        '{"jsonrpc":"2.0","method":"m","params":[]}',
        '{"jsonrpc":"2.0","method":"m","params":{"seq":0}}',
        "[]",
        "stray print",
    ],
)
def test_a_message_that_breaks_a_rule_is_noticed(tmp_path, text):
    with Peer(home=tmp_path, binary=STUB, schema=None) as peer:
        peer.send("raw", {"text": text})
        with pytest.raises(wire.WireViolation):
            peer.close_stdin()
            peer.wait()
        peer.faults.clear()


def test_results_and_events_are_checked_against_the_schema():
    closed = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}
    seq = {"type": "object", "properties": {"seq": {"type": "integer"}}, "additionalProperties": False}
    schema = wire.Schema(
        {
            "methods": [{"name": "m", "params": [], "result": {"name": "result", "schema": closed}}],
            "x-notifications": [{"name": "told", "params": seq}],
        }
    )
    checker = wire.Checker(schema)
    checker.sent({"jsonrpc": "2.0", "id": "1", "method": "m"})
    checker.received({"jsonrpc": "2.0", "id": "1", "result": {"a": 1}})
    checker.received({"jsonrpc": "2.0", "method": "told", "params": {"seq": 1}})
    for bad in (
        {"jsonrpc": "2.0", "id": "1", "result": {}},
        {"jsonrpc": "2.0", "id": "1", "result": {"a": 1, "b": 2}},
        {"jsonrpc": "2.0", "method": "told", "params": {"seq": 2, "x": 1}},
        {"jsonrpc": "2.0", "method": "unheard", "params": {"seq": 3}},
    ):
        with pytest.raises(wire.WireViolation):
            checker.received(json.loads(json.dumps(bad)))


@pytest.mark.parametrize(
    "stream", [b"Content-Length:5\r\n\r\nhello", b"Content-Length: 2\r\nX: y\r\n\r\n{}", b"\n{}", b"{}\r\n", b" {}\n", b"x{}\n"]
)
def test_the_stream_is_read_strictly(stream):
    with pytest.raises(wire.WireViolation):
        while stream:
            found = take(stream)
            assert found is not None
            stream = found[2]

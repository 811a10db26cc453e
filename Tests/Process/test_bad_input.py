"""Wrong values in every member of every method: one error of the right kind, and the stream continues."""

import json
import threading

import pytest

import wire
from signing_in import authorize
from waiting import wait_until

DOCUMENT = wire.project_schema().document


def inlined(value):
    """Returns a part of the document with each named schema in the place of its references."""
    if isinstance(value, list):
        return [inlined(element) for element in value]
    if not isinstance(value, dict):
        return value
    if isinstance(reference := value.get("$ref"), str):
        return inlined({**DOCUMENT["components"]["schemas"][reference.rpartition("/")[2]], **{name: value[name] for name in value if name != "$ref"}})
    return {name: inlined(member) for name, member in value.items()}


METHODS = [{**method, "params": inlined(method["params"])} for method in DOCUMENT["methods"]]
# A value of every JSON type except null, which counts as absent where a schema allows it.
SAMPLES = {
    "string": "x\u0301\u2028", "integer": 2**53 - 1, "number": 0.5, "boolean": True, "array": [[]], "object": {"\u0301": {}},
}


@pytest.fixture
def signed_in(peer, provider):
    authorize(peer, provider.approve, **provider.parameters())
    return peer


def accepts(schema: dict, kind: str) -> bool:
    """Whether the schema accepts a value of this type."""
    if "anyOf" in schema:
        return any(accepts(choice, kind) for choice in schema["anyOf"])
    if "type" not in schema:
        return True
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return kind in types or (kind == "integer" and "number" in types)


def kind_of(schema: dict) -> str | None:
    """Returns the schema's type other than null."""
    kind = schema.get("type")
    return kind[0] if isinstance(kind, list) else kind


def good(schema: dict):
    if "anyOf" in schema:
        return good(schema["anyOf"][0])
    if "enum" in schema:
        return schema["enum"][0]
    return {"integer": schema.get("minimum", 1), "boolean": False, "array": [], "object": {}}.get(kind_of(schema), "x")


def wrong_values(schema: dict, path: str = ""):
    """Yields the path and the whole value for every place in the schema and every wrong JSON type there."""
    if not schema:
        return
    for kind, sample in SAMPLES.items():
        if not accepts(schema, kind):
            yield path, sample
    if any("enum" in choice for choice in schema.get("anyOf", [schema])):
        yield path, "no such word"
    if "minimum" in schema:
        for value in (schema["minimum"] - 1, schema["maximum"] + 1, -(2**53 - 1), -(2**63), 2**63 - 1):
            yield path, value
    choices = [choice for choice in schema.get("anyOf", [schema]) if kind_of(choice) in ("object", "array")]
    for choice in choices:
        for name, member in choice.get("properties", {}).items():
            needed = {other: good(choice["properties"][other]) for other in choice.get("required", []) if other != name}
            for inner, value in wrong_values(member, f"{path}/{name}"):
                yield inner, {**needed, name: value}
        if isinstance(choice.get("additionalProperties"), dict):
            for inner, value in wrong_values(choice["additionalProperties"], f"{path}/a~1b"):
                yield inner, {"a/b": value}
        if "items" in choice:
            before = [] if "properties" in choice["items"] else [good(choice["items"])]
            for inner, value in wrong_values(choice["items"], f"{path}/{len(before)}"):
                yield inner, [*before, value]


@pytest.mark.parametrize("method", [method for method in METHODS if method["params"]], ids=lambda method: method["name"])
def test_every_wrong_type_is_named_by_its_path(peer, method):
    needed = {param["name"]: good(param["schema"]) for param in method["params"] if param["required"]}
    cases = []
    for param in method["params"]:
        for path, value in wrong_values(param["schema"], "/" + param["name"]):
            cases.append((path, {**needed, param["name"]: value}))
        if param["required"]:
            cases.append(("/" + param["name"], {name: value for name, value in needed.items() if name != param["name"]}))
    faults = []
    for path, params in cases:
        error = peer.answer(peer.send(method["name"], params)).get("error", {})
        if error.get("code") != -32602 or error["data"].get("path") != path:
            faults.append((path, params, error))
    peer.request("accounts")
    assert not faults, f"{len(faults)} of {len(cases)}: {faults[:5]}"


def test_params_of_every_other_type(peer):
    for params in ("x", 1, True):
        assert peer.answer(peer.send("account", params))["error"]["code"] in (-32600, -32602)
    for version in ("1.0", 2, None, ["2.0"]):
        peer.send_text(json.dumps({"jsonrpc": version, "id": f"v{version}", "method": "accounts"}))
    peer.request("accounts")


@pytest.mark.parametrize("method", ["", "rpc.", "rpc.x", "$/x", "account\0", "accounts ", "a\n", "a" * 100_000, "__proto__"], ids=lambda text: repr(text)[:12])
def test_unknown_methods(peer, method):
    peer.write(json.dumps({"jsonrpc": "2.0", "id": "x", "method": method}).encode() + b"\n")
    error = peer.answer("x")["error"]
    assert error["code"] in (-32600, -32601) and len(error["message"]) < 1000
    peer.request("accounts")


@pytest.mark.parametrize(
    ("account", "good"),
    [
        ("../../etc/passwd", True), ("..", True), ("/", True), ("a" * 200, True), ("é" * 100, True), ("%2e%2e", True), (".grant", True),
        ("key", True), ("a.grant.lock", True), ("", False), ("a" * 201, False), ("x" * (5 << 20), False), ("a\nb", False), ("a\x7fb", False),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_account_names(peer, provider, home, account, good):
    parameters = provider.parameters()
    parameters["account"] = account
    if not good:
        for method in ("account", "signOut", "refresh", "accessToken", "revoke"):
            error = peer.answer(peer.send(method, {"account": account}))["error"]
            assert error["code"] == -32602 and error["data"]["path"] == "/account" and len(json.dumps(error)) < 1000
        peer.request("accounts")
        return
    authorize(peer, provider.approve, **parameters)
    assert [entry["account"] for entry in peer.request("accounts")["accounts"]] == [account]
    assert {file.parent for file in home.rglob("*") if file.is_file()} == {peer.store}
    assert peer.request("signOut", {"account": account})["wasSignedIn"] is True


def test_two_spellings_of_a_name_are_two_accounts(start, provider):
    """The composed and the decomposed spelling are equal for Swift's `==`, but are different names for other programs."""
    for store in ([], ["--store", "memory"]):
        peer = start(*store)
        for name in ("\u00e9", "e\u0301"):
            authorize(peer, provider.approve, **{**provider.parameters(interaction="always"), "account": name})
        tokens = {peer.request("accessToken", {"account": name})["accessToken"] for name in ("\u00e9", "e\u0301")}
        assert len(tokens) == 2, store


@pytest.mark.parametrize(
    "url",
    ["x\ny", "x y", "x\ry", "x\ty", "x\0y", "\x7f", "http://127.0.0.1:1@{host}/", "http://u:p@{host}/api/x", "http://{host}\\@evil.example/", "//u@{host}/x"],
    ids=repr,
)
def test_rejected_urls(signed_in, provider, url):
    url = url.format(host=f"127.0.0.1:{provider.port}")
    before = len(provider.requests)
    for method in ("callAPI", "authorizeRequest"):
        error = signed_in.answer(signed_in.send(method, {"account": "a", "url": url}))["error"]
        assert error["code"] == -32602 and error["data"]["path"] == "/url", error
    assert len(provider.requests) == before
    signed_in.request("accounts")


@pytest.mark.parametrize(
    "url",
    [
        "http://127.1:{port}/api/x", "http://0x7f000001:{port}/", "http://2130706433:{port}/", "http://0177.0.0.1:{port}/", "http://[::ffff:127.0.0.1]:{port}/",
        "http://127.0.0.1.:{port}/", "http://0:{port}/", "http://127.0.0.2:{port}/", "http://localhost:{port}/", "http://127.0.0.1:1/", "https://127.0.0.1.evil.example/",
        "https://evil.example/", "//evil.example/", "https://evil.example/?@127.0.0.1:{port}/", "https://evil.example#@127.0.0.1:{port}/", "http://%31%32%37.0.0.1:{port}/",
        "http://１２７.0.0.1:{port}/", "https://evil.example:{port}/", "file:///etc/passwd", "gopher://127.0.0.1:{port}/", "javascript:alert(1)", "http://127.0.0.1:{port}.evil.example/",
        "http://127.0.0.1:99999/", "http:///api", "http:api/x", "https://127.0.0.1:{port}@evil.example/",
    ],
)
def test_hosts_that_the_token_never_goes_to(signed_in, provider, url):
    url = url.format(port=provider.port)
    before = len(provider.requests)
    for method in ("callAPI", "authorizeRequest"):
        error = signed_in.answer(signed_in.send(method, {"account": "a", "url": url}))["error"]
        assert error["code"] in (-32602, 1008), error
    assert len(provider.requests) == before


@pytest.mark.parametrize(
    ("params", "path"),
    [
        ({"method": "GET /"}, "/method"), ({"method": ""}, "/method"), ({"method": "GET\r\nX: y"}, "/method"), ({"method": "GÉT"}, "/method"),
        ({"headers": {"X": "a\r\nY: b"}}, "/headers/X"), ({"headers": {"X": "a\nb"}}, "/headers/X"), ({"headers": {"X": "a\0"}}, "/headers/X"),
        ({"headers": {"X: y\r\nZ": "a"}}, "/headers"), ({"headers": {"X y": "a"}}, "/headers"), ({"headers": {"": "a"}}, "/headers"),
        ({"headers": {"Host": "evil.example"}}, "/headers/Host"), ({"headers": {"transfer-encoding": "chunked"}}, "/headers/transfer-encoding"),
        ({"headers": {"Content-Length": "1"}}, "/headers/Content-Length"), ({"headers": {"Connection": "Authorization"}}, "/headers/Connection"),
        ({"body": {}}, "/body"), ({"body": {"text": "a", "base64": "YQ=="}}, "/body"), ({"body": {"base64": "!"}}, "/body/base64"),
        ({"method": "HEAD", "body": {"text": "x"}}, "/body"), ({"saveTo": ""}, "/saveTo"), ({"saveTo": "a\0b"}, "/saveTo"), ({"saveTo": "/tmp/x", "stream": True}, "/stream"),
        ({"body": {"multipart": [{"name": "a\r\nb", "text": "x"}]}}, "/body/multipart/0/name"), ({"body": {"multipart": [{"name": "a"}]}}, "/body/multipart/0"),
    ],
    ids=repr,
)
def test_invalid_requests(signed_in, provider, params, path):
    before = len(provider.requests)
    error = signed_in.answer(signed_in.send("callAPI", {"account": "a", "url": "x", **params}))["error"]
    assert error["code"] == -32602 and error["data"]["path"].startswith(path), error
    assert len(provider.requests) == before


def test_a_control_character_that_ends_no_line_is_sent_in_a_header(signed_in, provider):
    signed_in.request("callAPI", {"account": "a", "url": "x", "headers": {"X": "\x01"}})
    assert provider.requests[-1].headers["X"] == "\x01"


def test_a_quote_in_a_multipart_name_stays_inside(signed_in, provider):
    """For Swift a quote with a combining mark is one character. For the server it is still a quote."""
    parts = [{"name": 'a"\u0301; filename="\u0301x', "text": "y"}]
    signed_in.request("callAPI", {"account": "a", "url": "x", "method": "POST", "body": {"multipart": parts}})
    assert provider.requests[-1].body.split(b"\r\n")[1].count(b'"') == 2


def test_unknown_ids(peer):
    for identifier in (1, "x", None, 1.5, {}, []):
        peer.notify("$/cancelRequest", {"id": identifier})
        peer.notify("notifications/cancelled", {"requestId": identifier})
    assert peer.answer(peer.send("awaitSignIn", {"id": "x"}))["error"]["code"] == -32602
    for url in ("", "?", "#", "state=", "x" * (1 << 20), "http://127.0.0.1/?state=a&state=b", "?state=%ff&code=\0"):
        assert peer.request("handleRedirect", {"url": url})["handled"] is False
    peer.request("accounts")


def test_two_thousand_requests_in_flight(peer, demo):
    authorize(peer, **demo.parameters(account="a", parameters={"demo_auto": "allow"}))
    identifiers = [peer.send("callAPI", {"account": "a", "url": "slow?seconds=1", "timeout": 300}) for _ in range(2000)]
    peer.request("accounts")
    # Those, and the two before and after them.
    wait_until(lambda: sum("id" in message for message in peer.all_json()) == len(identifiers) + 2, 200)
    answers = {message["id"]: message for message in peer.all_json() if "id" in message}
    for identifier in identifiers:
        assert "result" in answers[identifier] or answers[identifier]["error"]["data"]["kind"] == "networkFailure", answers[identifier]
    assert peer.request("callAPI", {"account": "a", "url": "me"})["status"] == 200


@pytest.mark.parametrize("name", ["x" * 101, "x" * (1 << 20), "é" * 200, "account" * 30], ids=lambda name: name[:3] + str(len(name)))
def test_a_long_name_has_a_path_as_well(peer, name):
    for params, before in (({"account": "a", "url": "x", name: 1}, "/"), ({"account": "a", "url": "x", "body": {name: 1}}, "/body/"), ({"account": "a", "url": "x", "headers": {name: 1}}, "/headers/")):
        error = peer.answer(peer.send("callAPI", params))["error"]
        path = error["data"]["path"]
        assert error["code"] == -32602 and path.startswith(before + name[:40]) and path.endswith("…") and len(path.encode()) < 200 and error["message"].startswith(path)


@pytest.mark.parametrize("params", [r'{"account":"\ud800"}', r'{"\u0000":1}', '{"account":1,"account":2}', "{'account':1}", '{"account":"\0"}', '{"account":"a" "b"}', "[" * 200 + "]" * 200, '{"account":\x01}'], ids=repr)
@pytest.mark.parametrize("form", ['{{"jsonrpc":"2.0","id":"me","method":"account","params":{}}}', '{{"params":{}, "id" : "me" ,"method":"}}","jsonrpc":"2.0"}}', '{{"jsonrpc":"2.0","id":"me","method":"account","params":{},"x":1}}'])
def test_bad_json_inside_params_is_answered_with_the_id(peer, form, params):
    peer.write(form.format(params).encode() + b"\n")
    assert peer.answer("me")["error"]["code"] in (-32700, -32600)
    peer.write(b"[" + form.format(params).encode() + b',{"jsonrpc":"2.0","id":"other","method":"accounts"}]\n')
    assert peer.answer("other")["error"]["code"] in (-32700, -32600)
    peer.request("accounts")


def test_an_event_reports_an_invalid_notification(start):
    peer = start("--log-level", "debug")
    wrong = [("acounts", None, "methodNotFound"), ("refresh", {}, "invalidParams"), ("awaitSignIn", {"id": "x"}, "invalidParams"), ("importGrant", {"account": "a", "format": "json", "data": {}}, "invalidParams"), ("refresh", {"account": "unknown"}, "signInRequired")]
    for count, (method, params, kind) in enumerate(wrong, 1):
        peer.notify(method, params)
        event = peer.wait_messages(count)[-1].json
        assert (event["method"], event["params"]["kind"]) == ("errorOccuredWithShortDescription", kind)
    peer.notify("$/unknown", {"x": 1})
    peer.request("accounts")
    assert len(peer.events) == len(wrong)
    peer.finish()
    lines = [line for line in peer.stderr.decode().splitlines() if line.startswith("oauth-stdio: debug: a notification was rejected: ")]
    assert len(lines) == len(wrong) + 1 and lines[0].endswith(': there is no method acounts')


# The limits of a call, and the effects of a cancellation


def test_a_cancelled_call_sends_no_failure_event(signed_in, provider):
    released = threading.Event()
    provider.instead["/api/slow"] = provider.instead["/introspect"] = provider.instead["/.well-known/openid-configuration"] = lambda request: released.wait(100) and None
    calls = [("callAPI", {"account": "a", "url": "slow"}), ("provider", {"provider": provider.url})]
    for method, params in calls:
        before = len(provider.requests)
        identifier = signed_in.send(method, params)
        wait_until(lambda: len(provider.requests) > before)
        signed_in.notify("$/cancelRequest", {"id": identifier})
        assert signed_in.answer(identifier)["error"]["code"] == -32800
    released.set()
    signed_in.request("accounts")
    assert not [event for event in signed_in.events if event["method"] == "errorOccuredWithShortDescription"]


@pytest.mark.parametrize("method", ["revoke", "introspect", "provider"])
def test_a_timeout_is_answered(peer, provider, method):
    released = threading.Event()
    description = {**provider.description, "introspectionEndpoint": provider.url + "/introspect"}
    authorize(peer, provider.approve, **{**provider.parameters(), "provider": description})
    for path in ("/revoke", "/introspect", "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource", "/"):
        provider.instead[path] = lambda request: released.wait(100) and None
    params = {"provider": provider.url} if method == "provider" else {"account": "a"}
    try:
        error = peer.answer(peer.send(method, {**params, "timeout": 1}))["error"]
        assert error["data"]["kind"] == "timedOut" and error["data"]["retryable"]
        assert peer.answer(peer.send(method, {**params, "timeout": 0}))["error"]["data"]["path"] == "/timeout"
    finally:
        released.set()
    # The grant stays, because the provider revoked nothing.
    assert peer.request("account", {"account": "a"})["canAuthorize"]

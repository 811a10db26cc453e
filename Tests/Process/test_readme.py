"""Checks README.md against the program: its transcript, its names, its configuration."""

import asyncio
import json
import re
import subprocess

import jsonschema
import pytest

import wire
from example_user import Home
from rpc import BINARY, ROOT

README = (ROOT / "README.md").read_text()
SCHEMA = wire.project_schema()
METHODS = {method["name"]: [parameter["name"] for parameter in method["params"]] for method in SCHEMA.document["methods"]}
KINDS = {kind: error["code"] for kind, error in SCHEMA.document["components"]["errors"].items()}
HELP = subprocess.run([BINARY, "help", "options"], capture_output=True, check=True, text=True).stdout


def blocks(language: str) -> list[str]:
    """Returns the fenced blocks of this language, or those without a language if it is empty."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    return [text for name, text in found if name == language]


def section(title: str) -> str:
    return re.split(r"^## ", README.partition(f"## {title}\n")[2], flags=re.MULTILINE)[0]


def exchange() -> list[tuple[str, str]]:
    """Returns the transcript's lines with their directions."""
    # A long line continues in the next one.
    block = re.sub(r"\n +", "", next(text for text in blocks("") if "--> " in text))
    return [(line[:3], line[4:]) for line in block.splitlines()]


def test_it_is_read_in_five_minutes():
    lines = README.splitlines()
    assert len(lines) <= 140 and max(map(len, lines)) <= 160


@pytest.mark.parametrize("explanation", ["*grant*, the tokens and scopes of one sign-in", "presets, the built-in providers"])
def test_a_word_of_the_field_is_explained_where_it_is_first_used(explanation):
    word = re.search(r"[a-z]+", explanation)[0].removesuffix("s")
    assert README.index(word) == README.index(explanation) + explanation.index(word)


def parameters(schema: dict) -> dict:
    """Returns the schema of params by name."""
    return {
        "type": "object",
        "properties": {parameter["name"]: parameter["schema"] for parameter in schema["params"]},
        "required": [parameter["name"] for parameter in schema["params"] if parameter.get("required")],
        "additionalProperties": False,
        "components": SCHEMA.document["components"],
    }


def test_the_transcript_is_valid():
    # Only strings are abbreviated, so every line is JSON with all of its members.
    checker = wire.Checker(SCHEMA)
    asked, answered = [], []
    for direction, line in exchange():
        message = json.loads(line)
        assert line == json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        if direction == "-->":
            checker.sent(message)
            method = next(method for method in SCHEMA.document["methods"] if method["name"] == message["method"])
            jsonschema.validate(message["params"], parameters(method), jsonschema.Draft7Validator)
            asked.append(message["id"])
        else:
            checker.received(message)
            answered += [message["id"]] if "id" in message else []
    assert asked == answered == [1, 2]


def test_the_pasted_redirect_is_a_call():
    message = json.loads(re.search(r'^(\{.*?"method":"handleRedirect".*\})$', (ROOT / "examples" / "ssh.md").read_text(), re.MULTILINE)[1])
    assert message["jsonrpc"] == "2.0" and message["id"]
    method = next(method for method in SCHEMA.document["methods"] if method["name"] == message["method"])
    jsonschema.validate(message["params"], parameters(method), jsonschema.Draft7Validator)


def test_the_demo_account_works_as_it_is_shown(tmp_path, demo):
    """Only the ports differ from README.md."""
    assert "8040" in (text := (ROOT / "examples" / "demo.json").read_text()) and "--port 8040`" in README
    jsonschema.validate(json.loads(text), json.loads((ROOT / "schemas" / "config.json").read_text()), jsonschema.Draft7Validator)
    command = next(text for text in blocks("sh") if "demo.json" in text).split()
    assert command[:2] == ["OAUTH_STDIO=.build/release/oauth-stdio", "OAUTH_CONFIG=examples/demo.json"]
    for answer, expected in (("deny", (1, "")), ("allow", (0, "demo\n"))):
        home = Home(tmp_path / answer)
        home.configuration.write_text(text.replace("http://127.0.0.1:8040", demo.url))
        visitor = lambda url: subprocess.run(["curl", "-sL", f"{url}&demo_auto={answer}"], stdout=subprocess.DEVNULL, check=True)
        assert home.run(str(ROOT / command[2]), *command[3:], user=visitor)[:2] == expected


@pytest.mark.parametrize(("provider", "redirect"), [("github", "http://127.0.0.1"), ("microsoft", "http://localhost")])
def test_what_to_register_is_what_the_provider_shows(peer, provider, redirect):
    assert f"`{redirect}/callback`" in section("Signing in")
    described = peer.request("provider", {"provider": provider})
    assert (described["redirectUri"], described["redirectPolicy"]) == (f"{redirect}:PORT/callback", "anyPort")
    shown = peer.request("authorize", {"provider": provider, "clientId": "c", "clientSecret": "s", "flow": "browser", "dryRun": True})
    assert re.fullmatch(re.escape(redirect) + r":\d+/callback", shown["dryRun"]["redirectUri"])


def test_asyncio_wants_a_limit():
    async def discover(**options):
        process = await asyncio.create_subprocess_exec(BINARY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)
        try:
            process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}\n')
            return json.loads(await process.stdout.readline())["id"]
        finally:
            process.kill()
            await process.wait()

    assert "`limit` of several megabytes" in section("How it works")
    assert asyncio.run(discover(limit=4 << 20)) == 1
    with pytest.raises(ValueError):
        asyncio.run(discover())


def test_the_default_values():
    params = {(method["name"], parameter["name"]): parameter for method in SCHEMA.document["methods"] for parameter in method["params"]}
    # These defaults depend on other values, so they are in the text.
    assert "60, or 3600 for files and streams" in params["callAPI", "timeout"]["description"]
    assert "8 MiB" in params["callAPI", "maxBytes"]["description"]
    assert "the account's configuration decides, or 300 applies" in params["authorize", "timeout"]["description"]
    configuration = json.loads((ROOT / "schemas" / "config.json").read_text())
    assert configuration["definitions"]["ConfiguredAccount"]["properties"]["timeout"]["default"] == 300
    for method in ("refresh", "accessToken", "authorizeRequest", "userInfo", "revoke", "introspect", "provider"):
        assert params[method, "timeout"]["schema"]["default"] == 60


def method_table() -> dict[str, list[str] | None]:
    """Returns every method of the table with its params as shown."""
    found = {}
    for row in section("Everyday methods").splitlines():
        if not row.startswith("| `"):
            continue
        for name, shown in re.findall(r"`([$\w/.]+)(?: \{([^}]*)\})?`", row.split(" | ")[0]):
            found[name] = [word.strip() for word in shown.split(",")] if shown else None
    return found


def test_the_methods_exist():
    assert len(method_table()) > 10 and set(method_table()) < set(METHODS)
    assert "`rpc.discover`" in README


@pytest.mark.parametrize("name", [name for name, shown in method_table().items() if shown])
def test_a_methods_params_are_in_their_order(name):
    method = next(method for method in SCHEMA.document["methods"] if method["name"] == name)
    shown = method_table()[name]
    # Optional params may be missing. `account` is shown even where it is optional.
    marked = [parameter["name"] + ("" if parameter.get("required") else "?") for parameter in method["params"]]
    assert [word for word in marked if word in shown or word.rstrip("?") in shown] == [
        word if word in marked else word + "?" for word in shown
    ]
    assert {word for word in marked if not word.endswith("?")} <= set(shown)


def test_the_kinds_of_errors_exist():
    paragraph = re.search(r"^The frequent kinds are (.*?);", README, re.MULTILINE)[1]
    assert len(named := re.findall(r"`(\w+)`", paragraph)) == 4 and set(named) < set(KINDS)


def test_the_protocols_own_errors(start, home):
    waiting = {"provider": "github", "clientId": "c", "openBrowser": False}
    peer = start()
    peer.write(b"{\n")
    garbled = peer.answer(None)["error"]
    large = peer.answer(peer.send("accounts", {"x": 1 << 64}))["error"]
    wrong = peer.answer(peer.send("account", {}))["error"]
    cancelled = peer.send("authorize", waiting)
    peer.event("signInWasRequested", request=cancelled)
    peer.notify("$/cancelRequest", {"id": cancelled})
    ended = peer.send("authorize", {**waiting, "account": "b"})
    peer.event("signInWasRequested", request=ended)
    peer.answer(cancelled)
    peer.notify("exit")
    told = [garbled, large, wrong, peer.answer(cancelled)["error"], peer.answer(ended)["error"]]
    assert [error["code"] for error in told] == [-32700, -32600, -32602, -32800, -32000]
    assert garbled["data"] == {"position": 1} and "position" in large["data"] and wrong["data"] == {"path": "/account"}
    assert told[4]["data"]["kind"] == "ending"


def test_what_a_service_says_of_its_error_stands_in_the_data():
    transcript = (ROOT / "Tests" / "Process" / "Transcripts" / "5-providers" / "api-envelope.rpc").read_text()
    for line in transcript.splitlines():
        error = json.loads(line[4:]).get("error") if line.startswith("<-- ") else None
        if error is not None:
            # Our messages begin in lower case and name the status. The service's own message is in the data beside it.
            assert error["message"].startswith("the service answered with ") and error["message"] != error["data"].get("serviceMessage")
            assert {"code", "httpStatus", "headers", "body"} <= set(error["data"])
    assert transcript.count('"serviceMessage":') >= 2


def test_the_options_exist():
    """The reference, to which the table links, has them all."""
    options = set(re.findall(r"^  (--[a-z][a-z-]+)", HELP, re.MULTILINE))
    named = set(re.findall(r"`(--[a-z][a-z-]+)", section("Configuration")))
    assert len(named) > 10 and named < options and "(schemas/README.md#options)" in README
    bridge = subprocess.run([BINARY, "help", "mcp"], capture_output=True, check=True, text=True).stdout
    assert set(re.findall(r"`(?:oauth-stdio )?(--[a-z-]+)", README)) <= options | set(re.findall(r"--[a-z-]+", bridge))


def test_the_values_of_options_are_those_that_help_names():
    for option in ("--store", "--key"):
        values = re.search(rf"`{option} ([^`]*)`", README)[1].replace("\\|", "|")
        assert f"  {option} {values}\n" in HELP


def test_the_configuration_is_valid(tmp_path, start):
    example = next(text for text in blocks("json") if '"accounts"' in text)
    jsonschema.validate(json.loads(example), json.loads((ROOT / "schemas" / "config.json").read_text()), jsonschema.Draft7Validator)
    file = tmp_path / "config.json"
    file.write_text(example)
    peer = start("--config", file)
    # The program accepts the file: its error is about the secret in the keyring, which this machine does not have.
    answer = peer.answer(peer.send("authorize", {"account": "github", "interaction": "never"}))
    assert answer["error"]["data"]["key"] == "keyring"


def test_the_presets_are_as_many_as_it_says(peer):
    shown = {int(count) for count in re.findall(r"(\d+) (?:presets|providers)", README)}
    assert shown == {len(peer.request("providers")["providers"])}
    assert peer.request("provider", {"provider": "github"})["registrationPage"] in README


def test_the_provider_file_is_valid(tmp_path, start):
    example = re.search(r"^```json\n([^`]*\"realm\"[^`]*)^```", (ROOT / "examples" / "providers.md").read_text(), re.MULTILINE)[1]
    jsonschema.validate(json.loads(example), json.loads((ROOT / "schemas" / "provider.json").read_text()), jsonschema.Draft7Validator)
    folder = tmp_path / "oauth-stdio" / "providers"
    folder.mkdir(parents=True)
    (folder / "staff.json").write_text(example)
    peer = start(environment={"XDG_CONFIG_HOME": str(tmp_path)})
    assert "staff" in peer.request("providers")["providers"]
    described = peer.request("provider", {"provider": "staff"})
    assert described["endpoints"]["tokenEndpoint"].startswith("https://id.example.com/")
    assert described["apiHosts"] == ["api.example.com"]


def test_files_that_are_linked_exist():
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
    for target in re.findall(r"^((?:examples|Tests)/[\w./-]+)", "\n".join(blocks("sh")), re.MULTILINE):
        assert (ROOT / target).exists(), target

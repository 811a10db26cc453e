"""The schemas are the same in every place, and they describe the program."""

import copy
import json
import re
import subprocess
from pathlib import Path

import jsonschema
import openrpc
import pytest
import referencing
import referencing.jsonschema

import wire
from rpc import BINARY, ROOT

PRESETS = sorted((ROOT / "Sources" / "OAuthCore" / "Provider" / "Presets").glob("*.json"))
assert PRESETS
OPENRPC, JSON_SCHEMA = (json.loads((Path(__file__).parent / "OpenRPC" / name).read_text()) for name in ("meta-schema.json", "json-schema.json"))
DOCUMENT = wire.project_schema().document


def printed(option: str) -> bytes:
    return subprocess.run([BINARY, option], capture_output=True, check=True).stdout


def committed(name: str) -> bytes:
    return (ROOT / "schemas" / f"{name}.json").read_bytes()


@pytest.mark.parametrize(
    ("option", "name"), [("--schema", "openrpc"), ("--schema=openrpc", "openrpc"), ("--schema=config", "config"), ("--schema=provider", "provider")]
)
def test_a_committed_schema_is_what_the_program_prints(option, name):
    assert printed(option) == committed(name)


def test_discovery_answers_the_same_bytes(peer):
    peer.request("rpc.discover")
    raw = peer.messages[-1].raw
    assert wire.SCHEMA_FILE.read_bytes().strip() in raw


def test_every_schema_is_a_schema():
    document = wire.project_schema()
    for schema in [*document.results.values(), *document.events.values(), *document.document["components"]["schemas"].values()]:
        jsonschema.Draft7Validator.check_schema(schema)
    for method in document.document["methods"]:
        for parameter in method["params"]:
            jsonschema.Draft7Validator.check_schema(parameter["schema"])
    assert document.document["openrpc"] == "1.3.2"


def test_each_word_has_a_meaning():
    """The compiler does not compare the words of an enum with their texts in a JSON file."""
    texts = json.loads((ROOT / "Sources" / "OAuthCore" / "Text" / "EnumTexts.json").read_text())
    places = DOCUMENT["components"]["schemas"], *(json.loads(committed(name))["definitions"] for name in ("config", "provider"))
    words = {name: [word for word in schema["enum"] if word is not None] for place in places for name, schema in place.items() if "enum" in schema}
    assert {name: list(meanings) for name, meanings in texts.items()} == {name: words.get(name) for name in texts}
    assert all(meaning for meanings in texts.values() for meaning in meanings.values())
    sources = "".join(file.read_text() for file in (ROOT / "Sources").rglob("*.swift"))
    assert len(re.findall(r"enum \w+: String, DescribedEnum", sources)) == len(texts)


@pytest.mark.parametrize("name", ["config", "provider"])
def test_files_have_schemas_of_draft_7(name):
    schema = json.loads(committed(name))
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    jsonschema.Draft7Validator.check_schema(schema)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda file: file.stem)
def test_a_preset_is_a_provider(preset):
    jsonschema.validate(json.loads(preset.read_text()), json.loads(committed("provider")), jsonschema.Draft7Validator)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda file: file.stem)
def test_a_presets_reasons_and_doubts_are_about_members_that_are_there(preset):
    described = json.loads(preset.read_text())
    # A reason may be about part of a member, such as variables.tenant.
    parts = {f"{name}.{part}" for name, member in described.items() if isinstance(member, dict) for part in member}
    assert set(described.get("reasons", {})) <= set(described) | parts
    assert set(described.get("unconfirmed", [])) <= set(described)


SOURCES = {"env": "X", "command": ["x"], "keyring": "x", "file": "/x", "githubActions": "x", "account": "x", "sign": ["x"]}


def test_the_schema_has_the_sources_that_each_member_takes(start, home):
    """And no others. A user writes the configuration by it."""
    more = {"privateKey": {"sign"}} | dict.fromkeys(["subjectToken", "actorToken", "clientAssertion"], {"githubActions", "account"})
    entries = {}
    for member in ("clientSecret", "serviceAccount", "certificate", *more):
        for kind, value in SOURCES.items():
            written = {"clientCertificate": {member: {kind: value}}} if member == "certificate" else {member: {kind: value}}
            entries[f"{member} {kind}"] = {"provider": "google", "flow": "tokenExchange", "signingAlgorithm": "RS256", **written}
    (home / "config" / "oauth-stdio").mkdir(parents=True)
    file = home / "config" / "oauth-stdio" / "config.json"
    file.write_text(json.dumps({"accounts": entries}))
    file.chmod(0o600)
    taken = {state["account"] for state in start().request("accounts")["accounts"] if "problem" not in state}
    assert taken == {name for name in entries if (word := name.split())[1] in {"env", "command", "keyring", "file", *more.get(word[0], ())}}
    validator = jsonschema.Draft7Validator(json.loads(committed("config")))
    assert taken == {name for name, entry in entries.items() if validator.is_valid({"accounts": {name: entry}})}


def test_an_invalid_provider_fails_the_schema():
    schema = json.loads(committed("provider"))
    for wrong in ({"tokenEndPoint": "https://a.example/"}, {"scopes": "a"}, {"pkce": "plain"}, {"redirectPorts": ["80"]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema, jsonschema.Draft7Validator)


# OpenRPC


def official() -> jsonschema.Draft7Validator:
    """The official meta-schema. It refers to JSON Schema's by two URLs."""
    resource = referencing.jsonschema.DRAFT7.create_resource(JSON_SCHEMA)
    registry = referencing.Registry().with_resources([(url, resource) for url in ("https://meta.json-schema.tools", "https://meta.json-schema.tools/")])
    return jsonschema.Draft7Validator(OPENRPC, registry=registry)


def check_openrpc(document: dict) -> None:
    """Checks the rules of OpenRPC 1.3, including those that a schema cannot express."""
    official().validate(document)
    names = [method["name"] for method in document["methods"]]
    assert len(set(names)) == len(names), "a method's name must be unique"
    for method in document["methods"]:
        names = [parameter["name"] for parameter in method["params"]]
        assert len(set(names)) == len(names), f"{method['name']}: a parameter's name must be unique"
        required = [parameter.get("required", False) for parameter in method["params"]]
        assert required == sorted(required, reverse=True), f"{method['name']}: a required parameter follows an optional one"
        codes = [error["code"] for error in method.get("errors", []) if "code" in error]
        assert len(set(codes)) == len(codes), f"{method['name']}: an error's code must be unique"


def test_the_document_is_openrpc():
    check_openrpc(DOCUMENT)
    codes = [error["code"] for error in DOCUMENT["components"]["errors"].values()]
    assert len(set(codes)) == len(codes)


def resolved(document: dict, schema: dict) -> dict:
    """Returns the schema that a reference inside the document points to."""
    while "$ref" in schema:
        target = document
        for step in schema["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        schema = target
    return schema


def optional_schemas():
    """Yields the path and the schema of every optional member that the program reads."""

    def inside(document, schema, path):
        whole = resolved(document, schema)
        for choice in (resolved(document, choice) for choice in whole.get("anyOf", [whole])):
            for name, member in choice.get("properties", {}).items():
                if name not in choice.get("required", []):
                    yield f"{path}/{name}", member
                yield from inside(document, member, f"{path}/{name}")
            for inner in ("items", "additionalProperties"):
                if isinstance(choice.get(inner), dict):
                    yield from inside(document, choice[inner], f"{path}/*")

    for method in DOCUMENT["methods"]:
        for parameter in method["params"]:
            path = f"{method['name']}/{parameter['name']}"
            if not parameter["required"]:
                yield path, parameter["schema"]
            yield from inside(DOCUMENT, parameter["schema"], path)
    for name in ("config", "provider"):
        document = json.loads(committed(name))
        yield from inside(document, document, name)


def test_null_is_allowed_where_it_counts_as_absent():
    found = dict(optional_schemas())
    assert {"authorize/scopes", "authorize/provider/pkce", "callAPI/body", "config/accounts/*/timeout"} <= set(found)
    assert not [path for path, schema in found.items() if not allows_null(schema)]


def allows_null(schema: dict) -> bool:
    """Whether `null` is valid. No named schema allows it, so references do not count."""
    choices = [choice for choice in schema.get("anyOf", [schema]) if "$ref" not in choice]
    return any(jsonschema.Draft7Validator(choice).is_valid(None) for choice in choices)


def test_the_program_accepts_null_where_the_schema_does(peer):
    for method in DOCUMENT["methods"]:
        if method["name"] in ("exit", "shutdown", "rpc.discover"):
            continue
        params = {parameter["name"]: None if not parameter["required"] else 0 for parameter in method["params"]}
        answer = peer.answer(peer.send(method["name"], params))
        error = answer.get("error", {})
        optional = {"/" + parameter["name"] for parameter in method["params"] if not parameter["required"]}
        # null counts as absent, and some of these members are required in combination with others.
        assert error.get("data", {}).get("path") not in optional or "is missing" in error["message"], answer


def test_the_document_is_openrpc_to_others():
    """The models are from a framework that writes and reads such documents."""
    model = openrpc.OpenRPC.model_validate(DOCUMENT)
    assert [method.name for method in model.methods] == [method["name"] for method in DOCUMENT["methods"]]
    authorize = next(method for method in model.methods if method.name == "authorize")
    assert [parameter.name for parameter in authorize.params][:3] == ["account", "provider", "clientId"]


def copied():
    """Returns a copy of the document, its first method with several params, and these params."""
    document = copy.deepcopy(DOCUMENT)
    method = next(method for method in document["methods"] if len(method["params"]) > 1)
    return document, method, method["params"]


def unknown_member(document, method, params):
    method["parameters"] = []


def no_version(document, method, params):
    del document["info"]["version"]


def unknown_structure(document, method, params):
    method["paramStructure"] = "any"


def one_name_twice(document, method, params):
    params[1]["name"] = params[0]["name"]


def one_method_twice(document, method, params):
    document["methods"].append(method)


def optional_before_required(document, method, params):
    params[0]["required"], params[1]["required"] = False, True


def no_schema(document, method, params):
    del params[0]["schema"]


def wrong_schema(document, method, params):
    params[0]["schema"] = {"type": "text"}


def code_that_is_a_string(document, method, params):
    document["components"]["errors"]["signInRequired"]["code"] = "1000"


def extension_of_an_error(document, method, params):
    document["components"]["errors"]["signInRequired"]["x-dataMembers"] = {}


@pytest.mark.parametrize(
    "fault",
    [
        unknown_member,
        no_version,
        unknown_structure,
        one_name_twice,
        one_method_twice,
        optional_before_required,
        no_schema,
        wrong_schema,
        code_that_is_a_string,
        extension_of_an_error,
    ],
)
def test_invalid_openrpc_is_noticed(fault):
    document, method, params = copied()
    fault(document, method, params)
    with pytest.raises((jsonschema.ValidationError, AssertionError)):
        check_openrpc(document)


def test_every_method_of_the_protocol_is_there():
    names = set(wire.project_schema().results)
    assert {"authorize", "refresh", "callAPI", "revoke"} <= names
    assert {"initialize", "shutdown", "accounts", "account", "handleRedirect", "awaitSignIn", "accessToken", "signOut"} <= names
    assert {
        "authorizationWasSuccessful",
        "accessTokenWasRevoked",
        "responseFromServiceWasReceived",
        "errorOccuredWithShortDescription",
        "errorInResponseWithBody",
        "signInWasRequested",
        "signInWasAbandoned",
        "accessTokenWasRefreshed",
    } <= set(wire.project_schema().events)

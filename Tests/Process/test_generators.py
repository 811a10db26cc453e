"""Code generators make one class of each concept, and each method's example is from a transcript."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import wire
from template import PLACEHOLDER

pytestmark = pytest.mark.ci

DOCUMENT = wire.project_schema().document
SCHEMAS = DOCUMENT["components"]["schemas"]
TRANSCRIPTS = sorted((Path(__file__).parent / "Transcripts").glob("*/*.rpc"))
# Texts that say what `default` says. "defaults" are the members of a configured account.
DEFAULT_IN_WORDS = r"\bby default\b|\bthe default\b|\bdefaults? to\b"


def places(value, path: str = ""):
    """Yields every object of a document with its place."""
    if isinstance(value, dict):
        yield path, value
        value = list(value.items())
    elif isinstance(value, list):
        value = list(enumerate(value))
    else:
        return
    for name, inner in value:
        yield from places(inner, f"{path}/{name}")


def documents():
    schemas = Path(wire.SCHEMA_FILE).parent
    return {name: json.loads((schemas / f"{name}.json").read_text()) for name in ("openrpc", "config", "provider")}


# One class of each concept


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """The module that datamodel-codegen makes of `components.schemas`."""
    folder = tmp_path_factory.mktemp("generated")
    document = {"openapi": "3.1.0", "info": DOCUMENT["info"], "paths": {}, "components": {"schemas": SCHEMAS}}
    (folder / "schemas.json").write_text(json.dumps(document))
    command = [
        sys.executable, "-m", "datamodel_code_generator", "--input", folder / "schemas.json", "--input-file-type", "openapi",
        "--output", folder / "models.py", "--output-model-type", "pydantic_v2.BaseModel", "--formatters", "builtin",
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    specification = importlib.util.spec_from_file_location("models", folder / "models.py")
    module = importlib.util.module_from_spec(specification)
    # Annotations are resolved in the module of this name.
    sys.modules["models"] = module
    specification.loader.exec_module(module)
    yield folder / "models.py", module
    del sys.modules["models"]


def test_a_generator_makes_one_class_of_each_schema(generated):
    classes = re.findall(r"^class (\w+)\(", generated[0].read_text(), re.MULTILINE)
    # A second class of a concept would have another name, such as Provider1.
    assert sorted(classes) == sorted(SCHEMAS)
    assert {"Provider", "SignIn", "AccountState", "AuthorizationResult", "Body", "SignInRequiredData", "Flow"} <= set(classes)


def test_no_two_schemas_are_the_same():
    texts = {}
    for name, schema in SCHEMAS.items():
        texts.setdefault(json.dumps(schema), []).append(name)
    assert not [names for names in texts.values() if len(names) > 1]


def results(method: str):
    """Yields the method's results in transcripts, with 0 in the place of placeholders outside strings."""
    for file in TRANSCRIPTS:
        asked = {}
        for line in file.read_text().splitlines():
            text = PLACEHOLDER.sub("0", line[4:])
            try:
                message = json.loads(text)
            except ValueError:
                continue
            if not isinstance(message, dict):
                continue
            if line.startswith("--> ") and "id" in message:
                asked[json.dumps(message["id"])] = message.get("method")
            elif line.startswith("<-- ") and "result" in message and asked.get(json.dumps(message["id"])) == method:
                yield message["result"]


@pytest.mark.parametrize("method", ["authorize", "account", "callAPI", "revoke", "provider", "importGrant"])
def test_generated_code_validates_results_of_transcripts(generated, method):
    reference = next(entry["result"]["schema"]["$ref"] for entry in DOCUMENT["methods"] if entry["name"] == method)
    model = getattr(generated[1], reference.rpartition("/")[2])
    found = list(results(method))
    assert found
    for result in found:
        assert model.model_validate(result).model_dump(mode="json", by_alias=True, exclude_unset=True) == result
        with pytest.raises(ValueError):
            model.model_validate({**result, "brandNew": 1})


def test_generated_code_rejects_values_of_another_type(generated):
    models = generated[1]
    assert models.Provider.model_validate({"reasons": {"pkce": "It rejects challenges."}, "scopes": ["read"], "pkce": "off"}).pkce.value == "off"
    assert models.Provider.model_validate({}).refreshGrantType == "refresh_token"
    for wrong in ({"reasons": {"pkce": 1}}, {"scopes": "read"}, {"pkce": "plain"}, {"pagination": {}}, {"renewWithin": -1}):
        with pytest.raises(ValueError):
            models.Provider.model_validate(wrong)


# Declarations


def test_every_reference_leads_to_a_schema_and_every_schema_is_used():
    for name, document in documents().items():
        place = "#/components/schemas/" if name == "openrpc" else "#/definitions/"
        schemas = document["components"]["schemas"] if name == "openrpc" else document["definitions"]
        used = {value["$ref"] for _, value in places(document) if isinstance(value.get("$ref"), str)}
        assert used == {place + schema for schema in schemas}


def test_an_object_with_members_is_always_named():
    """Otherwise a generator makes a class of each place."""
    for name, document in documents().items():
        inline = [
            path for path, value in places(document)
            if "properties" in value and value.get("type") == "object" and not re.fullmatch(r"|/components/schemas/\w+|/definitions/\w+", path)
        ]
        assert not inline, name


def test_descriptions_of_words_are_as_many_as_the_words():
    found = 0
    for name, document in documents().items():
        member = "x-enum-descriptions" if name == "openrpc" else "enumDescriptions"
        for path, value in places(document):
            if member in value:
                found += 1
                assert len(value[member]) == len(value["enum"]) and all(value[member]), path
    assert found > 50


def test_a_default_is_valid_and_only_data():
    found = 0
    for document in documents().values():
        for path, value in places(document):
            for text in (value.get("description"), value.get("summary")):
                # An option of the process is text only.
                assert path.startswith("/x-options/") or not isinstance(text, str) or not re.search(DEFAULT_IN_WORDS, text), path
            if "default" in value and ("type" in value or "anyOf" in value):
                found += 1
                schema = {"allOf": [value], "components": document.get("components"), "definitions": document.get("definitions", {})}
                wire.jsonschema.validate(value["default"], schema, wire.jsonschema.Draft7Validator)
    assert found > 100


# Errors and examples


def test_methods_that_can_fail_name_their_errors():
    without = {method["name"] for method in DOCUMENT["methods"] if "errors" not in method}
    assert without == {
        "initialize", "initialized", "shutdown", "exit", "$/cancelRequest", "notifications/cancelled", "rpc.discover",
    }
    declared = DOCUMENT["components"]["errors"]
    used = [error for method in DOCUMENT["methods"] for error in method.get("errors", [])]
    assert {error["data"]["kind"] for error in used} == set(declared)
    assert all(error == declared[error["data"]["kind"]] for error in used)


@pytest.mark.parametrize("fault", ["kind", "member"])
def test_an_error_that_the_schema_does_not_have_is_noticed(fault):
    checker = wire.Checker(wire.project_schema())
    checker.sent({"jsonrpc": "2.0", "id": 1, "method": "account"})
    data = {"kind": "portInUse" if fault == "kind" else "storageFailure", "retryable": False, **({"brandNew": 1} if fault == "member" else {})}
    with pytest.raises(wire.WireViolation, match="portInUse" if fault == "kind" else "brandNew"):
        checker.received({"jsonrpc": "2.0", "id": 1, "error": {"code": 1000, "message": "it failed", "data": data}})


def example(method: dict) -> tuple[dict, dict]:
    (pairing,) = method["examples"]
    return {param["name"]: param["value"] for param in pairing["params"]}, pairing.get("result", {})


@pytest.mark.parametrize("method", DOCUMENT["methods"], ids=lambda method: method["name"])
def test_an_example_is_valid(method):
    params, result = example(method)
    known = {parameter["name"]: parameter for parameter in method["params"]}
    assert set(params) <= set(known) and {name for name, parameter in known.items() if parameter["required"]} <= set(params)
    for name, value in params.items():
        schema = {"allOf": [known[name]["schema"]], "components": DOCUMENT["components"]}
        wire.jsonschema.validate(value, schema, wire.jsonschema.Draft7Validator)
    if result:
        wire.project_schema().check("result", method["name"], result["value"])


def line(message: dict) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def fits(text: str, shown: str) -> bool:
    """Whether a transcript's line is this text. A placeholder stands for any text."""
    return re.fullmatch(".+".join(map(re.escape, re.split(r"<<[^<>]+>>", text))), shown) is not None


def is_played(name: str, params: dict, result: dict) -> bool:
    for file in TRANSCRIPTS:
        lines = file.read_text().splitlines()
        for number, asked in enumerate(lines):
            request = re.fullmatch(r'--> \{"jsonrpc":"2.0",(?:"id":([^,]+),)?"method":"([^"]+)"(?:,"params":(.*))?\}', asked)
            if not request or request[2] != name or not fits(request[3] or "{}", line(params)):
                continue
            start = f'<-- {{"jsonrpc":"2.0","id":{request[1]},"result":'
            if not result or any(fits(text[len(start):-1], line(result["value"])) for text in lines[number:] if text.startswith(start)):
                return True
    return False


# The result of `rpc.discover` is the document itself.
UNPLAYED = {"rpc.discover"}


@pytest.mark.parametrize("method", DOCUMENT["methods"], ids=lambda method: method["name"])
def test_an_example_is_in_a_transcript(method):
    params, result = example(method)
    assert is_played(method["name"], params, result) == (method["name"] not in UNPLAYED)
    assert not is_played(method["name"], {**params, "brandNew": 1}, result)
    assert not result or not is_played(method["name"], params, {"value": {"brandNew": 1}})

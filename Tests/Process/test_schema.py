"""The OpenRPC document is one thing, wherever it is asked for."""

import json
import subprocess

import jsonschema

import wire
from rpc import BINARY


def test_the_committed_document_is_what_the_program_prints():
    printed = subprocess.run([BINARY, "--schema"], capture_output=True, check=True).stdout
    assert json.loads(printed) == json.loads(wire.SCHEMA_FILE.read_bytes())
    assert printed == wire.SCHEMA_FILE.read_bytes()


def test_discovery_answers_the_same_bytes(peer):
    peer.request("rpc.discover")
    raw = peer.messages[-1].raw
    assert wire.SCHEMA_FILE.read_bytes().strip() in raw


def test_every_schema_is_a_schema():
    document = wire.project_schema()
    for schema in [*document.results.values(), *document.events.values()]:
        jsonschema.Draft7Validator.check_schema(schema)
    for method in document.document["methods"]:
        for parameter in method["params"]:
            jsonschema.Draft7Validator.check_schema(parameter["schema"])
    assert document.document["openrpc"] == "1.3.2"


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

"""The rules of the wire that hold for every byte on stdout, whatever the message."""

import functools
import json
import re
from pathlib import Path

import jsonschema

SCHEMA_FILE = Path(__file__).resolve().parents[2] / "schemas" / "openrpc.json"
# The range of integers that JavaScript, Lua and jq represent exactly.
MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 90


class WireViolation(AssertionError):
    """A message that some client could not parse."""


def parse(raw: bytes):
    """Parses strict JSON: UTF-8, no duplicate members, no NaN, no NUL, no lone surrogate."""

    def members(pairs):
        result = dict(pairs)
        if len(result) != len(pairs):
            raise WireViolation(f"duplicate member among {[name for name, _ in pairs]}")
        return result

    def constant(name):
        raise WireViolation(f"{name} is no JSON")

    try:
        return json.loads(raw.decode("utf-8"), object_pairs_hook=members, parse_constant=constant)
    except ValueError as error:
        raise WireViolation(f"not JSON: {error}: {raw[:200]!r}") from None


def check_values(value, path: str = "", depth: int = 0, is_spliced: bool = False) -> None:
    """Checks that every client can read the numbers, strings and member names. `json` and `claims` members are foreign and exempt."""
    if depth > MAX_DEPTH:
        raise WireViolation(f"{path}: nested too deep")
    if isinstance(value, dict):
        for name, member in value.items():
            check_values(name, f"{path}/{name}", depth + 1)
            check_values(member, f"{path}/{name}", depth + 1, is_spliced or name in ("json", "claims"))
    elif isinstance(value, list):
        for index, element in enumerate(value):
            check_values(element, f"{path}/{index}", depth + 1, is_spliced)
    elif isinstance(value, str):
        try:
            # It accepts no lone surrogate, and is far faster than a look at each character.
            value.encode()
        except UnicodeEncodeError:
            raise WireViolation(f"{path}: a lone surrogate") from None
        if "\0" in value:
            raise WireViolation(f"{path}: a NUL")
    elif isinstance(value, float):
        if not is_spliced:
            raise WireViolation(f"{path}: {value} is no integer")
    elif isinstance(value, int) and not isinstance(value, bool) and abs(value) > MAX_INTEGER:
        raise WireViolation(f"{path}: {value} is beyond 2^53-1")


class Schema:
    """The OpenRPC document, compiled to validators of results and events."""

    def __init__(self, document: dict):
        self.document = document
        self.results = {
            method["name"]: method["result"]["schema"] for method in document["methods"] if "result" in method
        }
        self.events = {event["name"]: self.event_schema(event) for event in document.get("x-notifications", [])}
        self.errors = document.get("x-errorData", {})
        # The error kinds that each method declares.
        self.kinds = {
            method["name"]: {error["data"]["kind"] for error in method.get("errors", [])} for method in document["methods"]
        }

    @staticmethod
    def event_schema(event: dict) -> dict:
        params = event["params"]
        if isinstance(params, dict):
            return params
        return {
            "type": "object",
            "properties": {member["name"]: member["schema"] for member in params},
            "required": [member["name"] for member in params if member.get("required")],
            "additionalProperties": False,
        }

    @functools.lru_cache(maxsize=None)
    def validator(self, kind: str, name: str):
        # References are resolved against the whole document.
        return jsonschema.Draft7Validator({"allOf": [getattr(self, f"{kind}s")[name]], "components": self.document.get("components", {})})

    def check(self, kind: str, name: str, value) -> None:
        if name not in getattr(self, f"{kind}s"):
            raise WireViolation(f"{name} is in no schema")
        for error in self.validator(kind, name).iter_errors(value):
            where = "/".join(str(step) for step in error.absolute_path)
            raise WireViolation(f"{kind} of {name} at /{where}: {error.message}")


class Checker:
    """Checks every message of one stream. It knows the method of each id and the last `seq`."""

    def __init__(self, schema: Schema | None):
        self.schema = schema
        self.methods: dict[str, list[str]] = {}
        self.last_seq = 0

    def sent(self, message) -> None:
        """Records the request, so that its answer can be checked."""
        for request in message if isinstance(message, list) else [message]:
            if isinstance(request, dict) and "id" in request and isinstance(request.get("method"), str):
                self.methods.setdefault(json.dumps(request["id"]), []).append(request["method"])

    def received(self, message) -> None:
        if isinstance(message, list):
            if not message:
                raise WireViolation("an empty batch")
            for element in message:
                self.check_message(element)
        else:
            self.check_message(message)

    def check_message(self, message) -> None:
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            raise WireViolation(f"no JSON-RPC 2.0 message: {message!r:.200}")
        # The id is the client's own and is echoed unchanged.
        check_values({name: member for name, member in message.items() if name != "id"})
        members = list(message)
        if members == ["jsonrpc", "method", "params"]:
            self.check_event(message)
        elif members == ["jsonrpc", "id", "result"]:
            self.check_result(message)
        elif members == ["jsonrpc", "id", "error"]:
            self.check_error(message["error"])
            self.check_data(message)
        else:
            raise WireViolation(f"top-level members {members}")

    def check_event(self, message: dict) -> None:
        params = message["params"]
        if not isinstance(params, dict) or not isinstance(params.get("seq"), int):
            raise WireViolation(f"{message['method']} without an object of params with seq")
        if params["seq"] <= self.last_seq:
            raise WireViolation(f"seq went from {self.last_seq} to {params['seq']}")
        self.last_seq = params["seq"]
        if self.schema:
            self.schema.check("event", message["method"], params)

    def check_result(self, message: dict) -> None:
        # An id may be reused, even while its request is open. That reuse is answered with a null id.
        methods = self.methods.get(json.dumps(message["id"]), [])
        result = message["result"]
        if result is None and "shutdown" in methods:
            return
        if not isinstance(result, dict):
            raise WireViolation(f"the result of {methods} is not an object: {result!r:.100}")
        if self.schema and methods and "rpc.discover" not in methods:
            self.check_any(methods, result)

    def check_any(self, methods: list[str], result: dict) -> None:
        faults = []
        for method in methods:
            try:
                return self.schema.check("result", method, result)
            except WireViolation as fault:
                faults.append(fault)
        raise faults[-1]

    def check_data(self, message: dict) -> None:
        """Checks an error's data against its schema, and that the method declares the error's kind."""
        data = message["error"].get("data")
        kind = data.get("kind") if isinstance(data, dict) else None
        if not self.schema or kind not in self.schema.errors:
            return
        self.schema.check("error", kind, data)
        methods = [method for method in self.methods.get(json.dumps(message["id"]), []) if method in self.schema.kinds]
        if methods and not any(kind in self.schema.kinds[method] for method in methods):
            raise WireViolation(f"{methods} answered with {kind}, which its schema does not have")

    @staticmethod
    def check_error(error) -> None:
        if not isinstance(error, dict) or list(error) not in (["code", "message"], ["code", "message", "data"]):
            raise WireViolation(f"an error must be code, message, data: {error!r:.200}")
        if not isinstance(error["code"], int) or isinstance(error["code"], bool):
            raise WireViolation(f"error code {error['code']!r}")
        if not isinstance(error["message"], str) or not error["message"].strip():
            raise WireViolation("an error without a message")
        if error["message"][0].isupper() or re.search(r"\b(Optional\(|Swift\.|__C\.)", error["message"]):
            raise WireViolation(f"not a lower-case sentence for people: {error['message']!r}")
        data = error.get("data")
        if 1000 <= error["code"] <= 1999:
            if not isinstance(data, dict) or not isinstance(data.get("kind"), str):
                raise WireViolation(f"error {error['code']} without data.kind")
            if not isinstance(data.get("retryable"), bool):
                raise WireViolation(f"error {error['code']} without data.retryable")


@functools.lru_cache(maxsize=None)
def project_schema() -> Schema:
    return Schema(json.loads(SCHEMA_FILE.read_text()))

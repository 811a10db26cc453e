#!/usr/bin/env python3
"""Prints the generated part of a typed client, `python` or `typescript`: types, methods, events and errors from schemas/openrpc.json.

Tests/regenerate.sh writes the files, and a process test compares them with what this program prints.
"""

import json
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WIDTH = 140
NOTE = "Tests/regenerate.sh writes this file from schemas/openrpc.json. Do not edit it by hand."
# The transport sends these itself, when a request is cancelled and when the client is closed.
OF_THE_TRANSPORT = {"initialized", "shutdown", "exit", "$/cancelRequest", "notifications/cancelled"}


class Fault(Exception):
    """The document has something that the generator cannot express."""


def upper(name: str) -> str:
    return name[0].upper() + name[1:]


def snake(name: str) -> str:
    """`callAPI` becomes `call_api`, and `rpc.discover` becomes `rpc_discover`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|\.", "_", name).lower()


def camel(name: str) -> str:
    """`rpc.discover` becomes `rpcDiscover`."""
    first, *others = name.split(".")
    return first + "".join(map(upper, others))


def without_null(schema: dict) -> dict:
    """An optional param that is absent need not be `null`."""
    if "anyOf" in schema:
        inner = [choice for choice in schema["anyOf"] if choice != {"type": "null"}]
        return inner[0] if len(inner) == 1 else {**schema, "anyOf": inner}
    if isinstance(schema.get("type"), list):
        return {**schema, "type": [kind for kind in schema["type"] if kind != "null"]}
    return schema


def described(text: str, schema: dict) -> str:
    """The description of a member or param with its default."""
    return f"{text} Default: `{json.dumps(schema['default'])}`." if "default" in schema else text


def choices(schema: dict) -> list[str]:
    """The description of each value of an enumeration."""
    return [f"* `{value}`: {text}" for value, text in zip(schema.get("enum", []), schema.get("x-enum-descriptions", []))]


class Writer:
    """Writes a document in one language. A subclass has the syntax."""

    scalars: dict[str, str]
    any: str
    union = " | "

    def __init__(self, document: dict):
        self.schemas = document["components"]["schemas"]
        self.methods = [method for method in document["methods"] if method["name"] not in OF_THE_TRANSPORT]
        self.events = document["x-notifications"]
        self.event_names = [event["name"] for event in self.events]
        self.errors = document["components"]["errors"]
        self.data = document["x-errorData"]
        if missing := OF_THE_TRANSPORT - {method["name"] for method in document["methods"]}:
            raise Fault(f"there is no method {', '.join(sorted(missing))}")
        if twice := {"Client", "EventName", "Events", *map(upper, self.errors)} & set(self.schemas):
            raise Fault(f"a schema has the name of another class: {', '.join(sorted(twice))}")

    def array(self, inner: str) -> str:
        raise NotImplementedError

    def mapping(self, inner: str) -> str:
        raise NotImplementedError

    def literal(self, values: list[str]) -> str:
        raise NotImplementedError

    def kind(self, schema: dict) -> str:
        """The type of a value."""
        if "$ref" in schema:
            return schema["$ref"].rpartition("/")[2]
        if "const" in schema:
            return self.literal([schema["const"]])
        if "enum" in schema:
            return "EventName" if schema["enum"] == self.event_names else self.literal(schema["enum"])
        if "anyOf" in schema:
            return self.union.join(map(self.kind, schema["anyOf"]))
        if "type" not in schema:
            return self.any
        kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        return self.union.join(self.simple(kind, schema) for kind in kinds)

    def simple(self, kind: str, schema: dict) -> str:
        if kind == "array":
            return self.array(self.kind(schema["items"]))
        if kind != "object":
            return self.scalars[kind]
        if "properties" in schema:
            raise Fault(f"an object has no name: {sorted(schema['properties'])}")
        return self.mapping(self.kind(schema.get("additionalProperties", {})))

    def result(self, method: dict) -> str:
        return self.kind(method["result"]["schema"])

    def raised(self, method: dict) -> list[str]:
        """The names of the error classes of a method."""
        return [upper(error["data"]["kind"]) for error in method.get("errors", [])]

    def error(self, kind: str) -> str:
        return f"Code {self.errors[kind]['code']}: {self.errors[kind]['message']}."


def broken(line: str, indent: str) -> list[str]:
    """Returns a line of code in pieces that are short enough. A list of words may be broken at each blank."""
    return textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


class Python(Writer):
    scalars = {"string": "str", "integer": "int", "boolean": "bool", "null": "None"}
    any = "Any"

    def array(self, inner: str) -> str:
        return f"list[{inner}]"

    def mapping(self, inner: str) -> str:
        return f"Mapping[str, {inner}]"

    def literal(self, values: list[str]) -> str:
        return f"Literal[{', '.join(map(json.dumps, values))}]"

    def doc(self, paragraphs: list[str], indent: str) -> list[str]:
        """A docstring. Each paragraph starts on a line of its own."""
        texts = [text.replace("\\", "\\\\") for text in paragraphs]
        if len(texts) == 1 and len(texts[0]) + len(indent) + 6 <= WIDTH:
            return [f'{indent}"""{texts[0]}"""']
        lines = [line for text in texts for line in (textwrap.wrap(text, WIDTH - len(indent) - 3) or [""])]
        return [f'{indent}"""{lines[0]}', *(f"{indent}{line}".rstrip() for line in lines[1:]), f'{indent}"""']

    def types(self) -> list[str]:
        lines = []
        for name, schema in self.schemas.items():
            if "properties" not in schema:
                lines += ["", *broken(f"{name} = {self.kind(schema)}", "    ")]
                lines += self.doc(choices(schema), "") if choices(schema) else []
                continue
            required = schema.get("required", [])
            lines += ["", "", f"class {name}(TypedDict):"]
            # `$schema`, which is for editors of files, is not a name in Python.
            members = {member: inner for member, inner in schema["properties"].items() if member.isidentifier()}
            for member, inner in members.items():
                kind = self.kind(inner)
                lines.append(f"    {member}: {kind}" if member in required else f"    {member}: NotRequired[{kind}]")
                lines += self.doc([described(inner["description"], inner)], "    ") if "description" in inner else []
            lines += [] if members else ["    pass"]
            lines += [""]
        # Two blank lines around a class, one between aliases.
        return re.sub(r"\n{4,}", "\n\n\n", "\n".join(lines)).splitlines()

    def method(self, method: dict) -> list[str]:
        arguments, sent, doc = [], [], []
        for parameter in method["params"]:
            name = snake(parameter["name"])
            name += "_" if name in ("as", "from") else ""
            kind = self.kind(without_null(parameter["schema"]))
            arguments.append(f"{name}: {kind}" if parameter.get("required") else f"{name}: {kind} | None = None")
            sent.append(f"{json.dumps(parameter['name'])}: {name}")
            doc.append(f"{name}: {described(parameter.get('description', ''), parameter['schema'])}")
        doc += ["", f"Raises {', '.join(self.raised(method))}."] if self.raised(method) else []
        name, result = snake(method["name"]), self.result(method)
        doc = [method["summary"], *([""] if arguments else []), *doc]
        call = f"        result: {result} = await self._request({json.dumps(method['name'])}, {{"
        return [
            "",
            *self.fitting(f"    async def {name}(", ["self", *(["*"] if arguments else []), *arguments], f") -> {result}:"),
            *self.doc(doc, "        "),
            *self.fitting(call, sent, "})"),
            "        return result",
        ]

    def fitting(self, start: str, parts: list[str], end: str) -> list[str]:
        """One line, or one for each part if they do not fit."""
        line = start + ", ".join(parts) + end
        if len(line) <= WIDTH:
            return [line]
        indent = " " * (len(start) - len(start.lstrip()))
        return [start, *(f"{indent}    {part}," for part in parts), indent + end]

    def event(self, event: dict) -> list[str]:
        return [
            "",
            f"    def on_{snake(event['name'])}(self, callback: Callable[[{self.kind(event['params'])}], object]) -> Callable[[], None]:",
            *self.doc([event["summary"], "", "Calls the callback for each such event, until the returned function is called."], "        "),
            f"        return self._on({json.dumps(event['name'])}, callback)",
        ]

    def text(self) -> str:
        lines = [f'"""The types, errors, methods and events of the program.\n\n{NOTE}\n"""', ""]
        lines += ["from __future__ import annotations", "", "from collections.abc import Callable, Mapping"]
        lines += ["from typing import Any, ClassVar, Literal, NotRequired, TypedDict", "", "from .client import OAuthError, Transport", ""]
        names = ["Client", "EventName", *map(upper, self.errors), *self.schemas]
        lines += ["__all__ = [", *(f"    {json.dumps(name)}," for name in names), "]"]
        lines += ["", f"EventName = Literal[\n{''.join(f'    {json.dumps(name)},{chr(10)}' for name in self.event_names)}]"]
        lines += self.types()
        for kind in self.errors:
            lines += ["", "", f"class {upper(kind)}(OAuthError):", *self.doc([self.error(kind)], "    ")]
            lines += ["", f"    data: {self.kind(self.data[kind])}"] if kind in self.data else []
        lines += ["", "", "class Client(Transport):"]
        lines += self.doc(["Each method sends one request and returns its result, or raises a subclass of `OAuthError`."], "    ")
        lines += ["", "    _errors: ClassVar[Mapping[str, type[OAuthError]]] = {"]
        lines += [*(f"        {json.dumps(kind)}: {upper(kind)}," for kind in self.errors), "    }"]
        lines += [line for method in self.methods for line in self.method(method)]
        lines += [line for event in self.events for line in self.event(event)]
        return re.sub(r"\n{4,}", "\n\n\n", "\n".join(lines)) + "\n"


class TypeScript(Writer):
    scalars = {"string": "string", "integer": "number", "boolean": "boolean", "null": "null"}
    any = "unknown"

    def array(self, inner: str) -> str:
        return f"ReadonlyArray<{inner}>"

    def mapping(self, inner: str) -> str:
        return f"Readonly<Record<string, {inner}>>"

    def literal(self, values: list[str]) -> str:
        return " | ".join(map(json.dumps, values))

    def doc(self, paragraphs: list[str], indent: str) -> list[str]:
        texts = [text.replace("*/", "*\\/") for text in paragraphs]
        if len(texts) == 1 and len(texts[0]) + len(indent) + 7 <= WIDTH:
            return [f"{indent}/** {texts[0]} */"]
        lines = [line for text in texts for line in (textwrap.wrap(text, WIDTH - len(indent) - 3) or [""])]
        return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */"]

    def members(self, declared: dict[str, tuple[dict, bool, str]]) -> list[str]:
        """The members of an interface: of each name the schema, whether it is required, and its description."""
        lines = []
        for name, (schema, required, text) in declared.items():
            lines += self.doc([described(text, schema)], "  ") if text else []
            key = name if name.isidentifier() else json.dumps(name)
            lines.append(f"  readonly {key}{'' if required else '?'}: {self.kind(without_null(schema))};")
        return lines

    def types(self) -> list[str]:
        lines = []
        for name, schema in self.schemas.items():
            lines.append("")
            if "properties" not in schema:
                lines += self.doc(choices(schema), "") if choices(schema) else []
                lines += broken(f"export type {name} = {self.kind(schema)};", "  ")
                continue
            required = schema.get("required", [])
            declared = {member: (inner, member in required, inner.get("description", "")) for member, inner in schema["properties"].items()}
            lines += [f"export interface {name} {{", *self.members(declared), "}"]
        return lines

    def parameters(self, method: dict) -> list[str]:
        """The interface of a method's params."""
        declared = {
            parameter["name"]: (parameter["schema"], parameter.get("required", False), parameter.get("description", ""))
            for parameter in method["params"]
        }
        name = upper(camel(method["name"])) + "Params"
        if name in self.schemas:
            raise Fault(f"both params and a schema have the name {name}")
        return ["", f"export interface {name} {{", *self.members(declared), "}"]

    def method(self, method: dict) -> list[str]:
        name, optional = camel(method["name"]), not any(parameter.get("required") for parameter in method["params"])
        params = f"params: {upper(name)}Params{' = {}' if optional else ''}, " if method["params"] else ""
        thrown = ["", f"Throws {', '.join(self.raised(method))}."] if self.raised(method) else []
        return [
            "",
            *self.doc([method["summary"], *thrown], "  "),
            f"  {name}({params}options: RequestOptions = {{}}): Promise<{self.result(method)}> {{",
            f"    return this.request({json.dumps(method['name'])}, {'params' if params else '{}'}, options);",
            "  }",
        ]

    def text(self) -> str:
        lines = [*self.doc(["The types, errors, methods and events of the program.", "", NOTE], "")]
        lines += ['import { OAuthError, Transport } from "./client.js";']
        lines += ['import type { ClientOptions, RequestOptions } from "./client.js";']
        lines += self.types()
        lines += [line for method in self.methods if method["params"] for line in self.parameters(method)]
        lines += ["", *self.doc(["The members of each event, by its name."], ""), "export interface Events {"]
        for event in self.events:
            lines += [*self.doc([event["summary"]], "  "), f"  readonly {event['name']}: {self.kind(event['params'])};"]
        lines += ["}", "", "export type EventName = keyof Events;"]
        for kind in self.errors:
            data = f"<{self.kind(self.data[kind])}>" if kind in self.data else ""
            lines += ["", *self.doc([self.error(kind)], ""), f"export class {upper(kind)} extends OAuthError{data} {{}}"]
        lines += ["", "const ERRORS = {", *(f"  {kind}: {upper(kind)}," for kind in self.errors), "};", ""]
        lines += self.doc(["Each method sends one request and resolves to its result, or rejects with a subclass of `OAuthError`."], "")
        lines += ["export class Client extends Transport<Events> {"]
        lines += ["  constructor(options: ClientOptions = {}) {", "    super(options, ERRORS);", "  }"]
        lines += [line for method in self.methods for line in self.method(method)]
        return "\n".join([*lines, "}"]) + "\n"


LANGUAGES = {"python": Python, "typescript": TypeScript}


def main(language: str) -> int:
    try:
        sys.stdout.write(LANGUAGES[language](json.loads((ROOT / "schemas" / "openrpc.json").read_text())).text())
    except Fault as fault:
        print(f"Tests/clients.py: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in LANGUAGES:
        sys.exit(f"usage: Tests/clients.py {'|'.join(LANGUAGES)}")
    sys.exit(main(sys.argv[1]))

#!/usr/bin/env python3
"""Prints schemas/README.md: the reference of every method, event, error, option and member, from the schemas and `oauth-stdio help options`.

Tests/regenerate.sh writes the file, and a process test compares it with what this program prints.
"""

import json
import os
import re
import sys
from pathlib import Path

from reference_members import Members, escaped, link, shown, wrapped
from reference_text import GROUPS, HEAD, NOTATION, PROTOCOL_ERRORS

ROOT = Path(__file__).resolve().parents[1]
PROVIDER = "a [provider](#provider-members)"


class Fault(Exception):
    """The schemas and the hand-written parts name different things."""


def schema(name: str) -> dict:
    return json.loads((ROOT / "schemas" / f"{name}.json").read_text())


def paragraphs(text: str) -> list[str]:
    return [*text.strip().splitlines(), ""]


def changes() -> list[str]:
    """schemas/CHANGES.md, whose headings are one level deeper here."""
    text = (ROOT / "schemas" / "CHANGES.md").read_text().partition("\n")[2]
    return paragraphs(re.sub("^##", "###", text, flags=re.MULTILINE))


def result(members: Members, method: dict) -> list[str]:
    schema = members.resolved(method["result"]["schema"])
    if not schema.get("properties") or members.place(schema):
        return ["Result: `null`." if schema.get("type") == "null" else f"Result: {members.kind(schema)}.", ""]
    lines = ["Result:", "", *members.bullets(schema), ""]
    members.know(schema, f"object as {link(method['name'])} returns it", f"objects as {link(method['name'])} returns them")
    return lines


def methods(document: dict, members: Members) -> list[str]:
    lines = []
    for method in document["methods"]:
        lines += [f"### `{method['name']}`", "", *wrapped(escaped(method["summary"])), ""]
        if method["params"]:
            lines += ["Params:", ""]
        for parameter in method["params"]:
            lines += members.bullet(parameter["name"], parameter["schema"], parameter.get("required", False), parameter.get("description"))
        lines += [""] if method["params"] else []
        if method.get("x-acceptsUnknownParams"):
            lines += ["The process ignores params that it does not know.", ""]
        if "result" in method:
            lines += result(members, method)
        if kinds := [members.resolved(error)["data"]["kind"] for error in method.get("errors", [])]:
            lines += [*wrapped(f"Errors: {', '.join(map(link, kinds))}."), ""]
        lines += [line for example in method.get("examples", []) for line in exchange(example)]
    return lines


def exchange(example: dict) -> list[str]:
    """The params of a call and its result, if there is more than an empty object."""
    params = {param["name"]: param["value"] for param in example["params"]}
    result = example.get("result", {}).get("value")
    if not params and not result:
        return []
    lines = shown("--> ", params) + (shown("<-- ", result) if result else [])
    return ["Params and result of an example:" if result else "Params of an example:", "", "```", *lines, "```", ""]


def events(document: dict, members: Members) -> list[str]:
    declared = [{**event, "params": members.resolved(event["params"])} for event in document["x-notifications"]]
    common = set.intersection(*(set(event["params"]["properties"]) for event in declared))
    first = declared[0]["params"]
    lines = ["Every event has these members:", "", *members.bullets(first, without=set(first["properties"]) - common), ""]
    for event in declared:
        lines += [f"### `{event['name']}`", "", *wrapped(escaped(event["summary"])), "", *members.bullets(event["params"], without=common), ""]
    return lines


def errors(document: dict) -> list[str]:
    declared, members = document["components"]["errors"], Members(document)
    data = {kind: members.resolved(schema)["properties"] for kind, schema in document["x-errorData"].items()}
    common = set.intersection(*map(set, data.values()))
    data = {kind: {name: member for name, member in own.items() if name not in common} for kind, own in data.items()}
    lines = [*paragraphs(PROTOCOL_ERRORS), "| kind | code | short description |", "|---|---|---|"]
    lines += [f"| {link(kind)} | {error['code']} | {error['message']} |" for kind, error in declared.items()]
    for kind, error in declared.items():
        own = data.get(kind, {})
        # A kind that reports an answer has all the members of the base kind for such answers.
        base = next((other for other, inner in data.items() if len(inner) > 2 and inner.items() < own.items()), None)
        lines += ["", f"### `{kind}`", "", f"Code {error['code']}. " + ("Further members of `data`:" if own else "`data` has no further members.")]
        lines += [""] if own else []
        for name, member in own.items():
            if base is None or name not in data[base]:
                lines += members.bullet(name, member, False)
        lines += [f"* all members of {link(base)}"] if base else []
    return [*lines, ""]


def options(declared: list[dict]) -> list[str]:
    """The options of the process, with what each does."""
    return [*(line for option in declared for line in wrapped(f"`{option['usage']}`: {option['description']}", "* ", "  ")), ""]


def provider_members(provider: dict) -> list[str]:
    grouped = [name for names in GROUPS.values() for name in names]
    if wrong := set(provider["properties"]) ^ set(grouped):
        raise Fault(f"GROUPS and provider.json differ in {', '.join(sorted(wrong))}")
    members, lines = Members(provider), []
    for title, names in GROUPS.items():
        lines += [f"### {title}", "", *(line for name in names for line in members.bullet(name, provider["properties"][name], False)), ""]
    return lines


def reference(openrpc: dict, configuration: dict, provider: dict) -> str:
    shown = Members(openrpc, [event["name"] for event in openrpc["x-notifications"]])
    configured = Members(configuration)
    for members in (shown, configured):
        members.know(provider, PROVIDER, "[providers](#provider-members)")
    parts = {
        "Changes": changes(),
        "Notation": paragraphs(NOTATION),
        "Methods": methods(openrpc, shown),
        "Events": events(openrpc, shown),
        "Errors": errors(openrpc),
        "Options": options(openrpc["x-options"]),
        "Configuration": [*configured.bullets(configuration), ""],
        "Provider members": provider_members(provider),
    }
    lines = paragraphs(HEAD)
    for title, part in parts.items():
        lines += [f"## {title}", "", *part]
    return "\n".join(lines).rstrip() + "\n"


def main() -> int:
    try:
        sys.stdout.write(reference(schema("openrpc"), schema("config"), schema("provider")))
    except Fault as fault:
        print(f"Tests/reference_text.py: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

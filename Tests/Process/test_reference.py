"""schemas/README.md: generated from the schemas, complete, and readable as text."""

import collections
import json
import re
import subprocess
import sys

import pytest

import reference
from reference_members import anchor
from rpc import BINARY, ROOT

COMMITTED = (ROOT / "schemas" / "README.md").read_text()
OPENRPC, CONFIGURATION, PROVIDER = (reference.schema(name) for name in ("openrpc", "config", "provider"))


def headings(text: str) -> list[str]:
    return re.findall(r"^#+ (.*)$", text, re.MULTILINE)


def test_the_committed_reference_is_what_the_generator_prints():
    """Tests/regenerate.sh writes the schemas and the reference."""
    printed = subprocess.run([sys.executable, ROOT / "Tests" / "reference.py"], capture_output=True, check=True, text=True).stdout
    assert COMMITTED == printed


def test_every_method_event_and_kind_has_a_section():
    names = [item["name"] for item in [*OPENRPC["methods"], *OPENRPC["x-notifications"]]] + list(OPENRPC["components"]["errors"])
    assert {f"`{name}`" for name in names} <= set(headings(COMMITTED))


def test_every_member_and_description_is_there():
    """Except for line breaks and for descriptions that several places share."""
    words = " ".join(COMMITTED.split())
    described = []

    def collect(schema) -> None:
        if isinstance(schema, dict):
            described.extend(text for name, text in schema.items() if name in ("description", "summary") and isinstance(text, str))
            described.extend(text for name in ("x-enum-descriptions", "enumDescriptions") for text in schema.get(name, []))
            schema = list(schema.values())
        for inner in schema if isinstance(schema, list) else []:
            collect(inner)

    collect([OPENRPC["methods"], OPENRPC["components"], OPENRPC["x-notifications"], CONFIGURATION, PROVIDER])
    assert len(described) > 400
    assert not [text for text in described if " ".join(text.split()) not in words.replace("\\", "")]


def test_links_lead_to_sections_and_no_two_have_one_name():
    anchors = collections.Counter(map(anchor, headings(COMMITTED)))
    assert not [name for name, count in anchors.items() if count > 1]
    links = set(re.findall(r"\]\(#([^)]*)\)", COMMITTED))
    assert len(links) > 20 and links <= set(anchors)


def test_the_changes_name_the_version_that_the_program_prints():
    version = subprocess.run([BINARY, "--version"], capture_output=True, check=True, text=True).stdout.split()[-1]
    assert version == OPENRPC["info"]["version"] and version in headings(COMMITTED)


def test_the_examples_carry_the_programs_version():
    shown = {
        file: re.search(pattern, (ROOT / "examples" / file).read_text())[1]
        for file, pattern in (
            ("emacs/oauth-stdio.el", r"(?m)^;; Version: (.*)"), ("python/pyproject.toml", r'(?m)^version = "(.*)"'), ("typescript/package.json", r'"version": "(.*)"'),
            ("vscode/package.json", r'"version": "(.*)"'), ("vscode/README.md", r"oauth-stdio-vscode-([\d.]+)\.vsix"))
    }
    assert set(shown.values()) == {OPENRPC["info"]["version"]}, shown


def test_a_member_without_a_group_is_noticed():
    more = {**PROVIDER, "properties": {**PROVIDER["properties"], "brandNew": {"type": "string"}}}
    with pytest.raises(reference.Fault, match="brandNew"):
        reference.provider_members(more)

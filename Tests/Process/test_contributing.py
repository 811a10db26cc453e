"""Checks Tests/README.md: the files and commands that it names exist, and each recipe is short."""

import functools
import re
import subprocess
from pathlib import Path

import pytest

from rpc import ROOT

pytestmark = pytest.mark.ci

README = (ROOT / "Tests" / "README.md").read_text()
TASKS = [
    "Build", "Test", "Fuzz", "Long tests", "Test the packages", "Test an upgrade", "Record a transcript", "Regenerate the schemas", "Add a method",
    "Find the test of a security claim", "Add a preset", "Add a store", "Add a flag", "Before a commit",
]


def recipes() -> dict[str, list[str]]:
    """Returns each section's commands."""
    sections = re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", README, re.DOTALL | re.MULTILINE)
    return {title: "".join(re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)).splitlines() for title, text in sections}


@functools.cache
def files() -> list[str]:
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard"], capture_output=True, text=True)
    if listed.returncode == 0:
        return [name for name in listed.stdout.splitlines() if (ROOT / name).exists()]
    # An archive of the source has no repository.
    found = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
    return [str(path) for path in found if not path.parts[0].startswith(".build")]


def test_each_recipe_has_at_most_three_commands():
    assert list(recipes()) == TASKS
    assert all(1 <= len(commands) <= 3 for commands in recipes().values())


def test_every_named_file_exists():
    named = [name for name in re.findall(r"`([^`\s]+)`", README) if re.search(r"\.(?:py|sh|swift|json|txt|rpc|md)$|^Tests/|^Sources/", name)]
    named = [name for name in named if "NAME" not in name and not name.endswith("greet.rpc")]
    assert len(named) > 20
    for name in named:
        found = [file for file in files() if file == name or file.startswith(f"{name}/")]
        if "/" not in name:
            found = [file for file in files() if Path(file).name == name]
            # README.md stands in several folders and has a link.
            assert len(found) == 1 or name == "README.md", f"{name} occurs {len(found)} times"
        assert found, name


def test_every_link_leads_somewhere():
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links and all((ROOT / "Tests" / link).exists() for link in links)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Stores.swift", "} else if let files {"), ("Methods.swift", "MethodEntry(Introspect.self, .uses)"), ("cpresets.c", "presets[] = {"),
        ("ProcessOption.swift", "static let all: [ProcessOption] = ["),
        ("AccountStore.swift", "protocol AccountStore"), ("RefreshRaceTests.swift", "enum Kind"), ("AccountStoreTests.swift", "enum Kind"),
        ("LibFuzzer.swift", "static let targets"),
    ],
)
def test_the_named_places_in_the_code_exist(name, text):
    assert f"`{name}`" in README
    assert text in (ROOT / next(file for file in files() if f"/{file}".endswith(f"/{name}"))).read_text()


def test_each_security_claim_has_its_tests():
    section = (ROOT / "README.md").read_text().split("## Security\n")[1].split("\n## ")[0]
    claims = re.findall(r"^\* (.*)$", section, re.MULTILINE)
    rows = re.findall(r"^\| (.+?) \| (`.*`) \|$", README.split("## Find the test of a security claim")[1].split("\n## ")[0], re.MULTILINE)
    assert len(claims) == len(rows) == 11
    assert all(claim.startswith(start) for claim, (start, _) in zip(claims, rows))

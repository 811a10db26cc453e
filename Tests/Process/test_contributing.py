"""Checks Tests/README.md: the files and commands that it names exist, and each recipe is short."""

import fnmatch
import functools
import re
import shlex
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
PYTEST, TESTS, FUZZ = ".build-tests/venv/bin/python", "Tests/Process/", "Tests/Fuzz/run.sh"


def recipes() -> dict[str, list[str]]:
    """Returns each section's commands."""
    sections = re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", README, re.DOTALL | re.MULTILINE)
    return {title: "".join(re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)).splitlines() for title, text in sections}


COMMANDS = sorted({command for commands in recipes().values() for command in commands})


@functools.cache
def files() -> list[str]:
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard"], capture_output=True, text=True)
    if listed.returncode == 0:
        return [name for name in listed.stdout.splitlines() if (ROOT / name).exists()]
    # An archive of the source has no repository.
    found = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
    return [str(path) for path in found if not path.parts[0].startswith(".build")]


def words(command: str) -> list[str]:
    """Returns the command's words without the variables before it."""
    found = shlex.split(command)
    while re.fullmatch(r"[A-Z_]+=\S*", found[0]):
        found.pop(0)
    return found


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


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_valid(command):
    program, *arguments = words(command)
    if program == PYTEST and arguments[0] == "Tests/Endurance/run.py":
        script = (ROOT / arguments[0]).read_text()
        assert all(f"def {part}(" in script for part in arguments[1 : arguments.index("--seconds")])
    elif program == PYTEST:
        assert arguments[:3] == ["-m", "pytest", "-q"]
        chosen, keywords = arguments[3:], []
        if "-k" in chosen:
            keywords = re.split(r" or ", chosen[chosen.index("-k") + 1])
            del chosen[chosen.index("-k") :]
        assert chosen and all(file.startswith(TESTS) and file in files() for file in chosen)
        stems = {Path(file).stem for file in files() if file.endswith(".rpc")} | {"greet"}
        assert all(keyword.removesuffix("-") in stems for keyword in keywords)
    elif program == "swift":
        check_swift(arguments)
    elif command.startswith("git worktree add "):
        assert arguments[2:] == [".build-previous", "HEAD~20"]
    elif program.startswith(".build-previous/"):
        assert program.removeprefix(".build-previous/") in files() and not arguments
    elif program == "git":
        assert arguments[:2] == ["diff", "--stat"] and all((ROOT / path).exists() for path in arguments[2:])
    else:
        assert program in files() and (ROOT / program).stat().st_mode & 0o111
        if program == FUZZ and arguments:
            assert int(arguments.pop(0)) and all((ROOT / "Tests/Fuzz/Seeds" / target).is_dir() for target in arguments)
        else:
            assert all(f'"{argument}"' in (ROOT / program).read_text() for argument in arguments)


def check_swift(arguments: list[str]) -> None:
    """The options of a build are those of run.sh. A filter names tests that exist."""
    script = (ROOT / "Tests" / "run.sh").read_text()
    action, options = arguments[0], arguments[1:]
    if action == "format":
        assert options[:4] == ["lint", "--strict", "-r", "-p"] and all((ROOT / path).exists() for path in options[4:])
        return
    if "--filter" in options:
        place = options.index("--filter")
        stems = [Path(file).stem for file in files() if fnmatch.fnmatch(file, "Tests/*Tests/*.swift")]
        for name in options[place + 1].split("|"):
            assert any(name in stem and stem.endswith("Tests") for stem in stems), name
        del options[place : place + 2]
    used = [line for line in script.splitlines() if f"swift {action} " in line]
    assert used and all(any(option in line.split() for line in used) for option in options)


def test_each_process_test_is_run_by_one_of_two_scripts():
    run, long, both = ((ROOT / name).read_text() for name in ("Tests/run.sh", "Tests/long.sh", ".ci/run"))
    assert 'pytest Tests/Process -m "not ci" ' in run and "pytest Tests/Process -m ci " in long
    assert "Tests/run.sh " in both and both.endswith("exec Tests/long.sh\n")


def test_a_script_says_what_it_does():
    scripts = {words(command)[0] for command in COMMANDS if words(command)[0].startswith("Tests/")}
    expected = {"Tests/install.sh", "Tests/run.sh", "Tests/long.sh", "Tests/packaging.py", "Tests/sanitizers.sh", "Tests/regenerate.sh", FUZZ}
    assert scripts == expected
    assert all((ROOT / script).read_text().splitlines()[1].startswith(("# ", '"""')) for script in scripts)


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


def test_lines_are_short():
    assert max(map(len, README.splitlines())) <= 150


def test_each_security_claim_has_its_tests():
    section = (ROOT / "README.md").read_text().split("## Security\n")[1].split("\n## ")[0]
    claims = re.findall(r"^\* (.*)$", section, re.MULTILINE)
    rows = re.findall(r"^\| (.+?) \| (`.*`) \|$", README.split("## Find the test of a security claim")[1].split("\n## ")[0], re.MULTILINE)
    assert len(claims) == len(rows) == 11
    assert all(claim.startswith(start) for claim, (start, _) in zip(claims, rows))

"""The generator of the typed clients: both are generated from the schema, and complete."""

import json
import subprocess
import sys
import tomllib

import pytest

import clients
import reference
from rpc import ROOT

pytestmark = pytest.mark.ci

OPENRPC = reference.schema("openrpc")
OBJECT = {"type": "object", "properties": {"y": {}}}
COMMITTED = {
    "python": ROOT / "examples" / "python" / "src" / "oauth_stdio" / "generated.py",
    "typescript": ROOT / "examples" / "typescript" / "src" / "generated.ts",
}


@pytest.fixture(params=COMMITTED)
def language(request) -> str:
    return request.param


def written(language: str, document: dict) -> str:
    return clients.LANGUAGES[language](document).text()


def changed(change) -> dict:
    document = json.loads(json.dumps(OPENRPC))
    change(document)
    return document


def test_the_committed_file_is_what_the_generator_prints(language):
    """Tests/regenerate.sh writes the files."""
    printed = subprocess.run([sys.executable, ROOT / "Tests" / "clients.py", language], capture_output=True, check=True, text=True).stdout
    assert COMMITTED[language].read_text() == printed


def test_a_new_method_event_error_and_member_appear(language):
    def add(document: dict) -> None:
        sign_in = {"$ref": "#/components/schemas/SignIn"}
        params = [
            {"name": "from", "required": True, "schema": {"type": "string"}},
            {"name": "newParam", "schema": {"type": ["integer", "null"]}},
        ]
        document["methods"].append({"name": "newMethod", "summary": "Does it.", "params": params, "result": {"schema": sign_in}})
        document["x-notifications"].append({"name": "newEvent", "summary": "It happened.", "params": sign_in})
        document["components"]["errors"]["newKind"] = {"code": 1999, "message": "it failed", "data": {"kind": "newKind"}}
        document["components"]["schemas"]["SignIn"]["properties"]["newMember"] = {"type": "boolean"}

    new = set(written(language, changed(add)).splitlines()) - set(written(language, OPENRPC).splitlines())
    expected = {
        "python": {
            "    async def new_method(self, *, from_: str, new_param: int | None = None) -> SignIn:",
            '        result: SignIn = await self._request("newMethod", {"from": from_, "newParam": new_param})',
            "    def on_new_event(self, callback: Callable[[SignIn], object]) -> Callable[[], None]:",
            "class NewKind(OAuthError):", '    "newKind": NewKind,', "    newMember: NotRequired[bool]",
        },
        "typescript": {
            "export interface NewMethodParams {", "  readonly from: string;", "  readonly newParam?: number;",
            "  newMethod(params: NewMethodParams, options: RequestOptions = {}): Promise<SignIn> {",
            "  readonly newEvent: SignIn;", "  readonly newMember?: boolean;",
            "export class NewKind extends OAuthError {}", "  newKind: NewKind,",
        },
    }
    assert {line.strip() for line in expected[language]} <= {line.strip() for line in new}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda document: document["components"]["schemas"].update(TimedOut={"type": "string"}), "TimedOut"),
        (lambda document: document["components"]["schemas"]["SignIn"]["properties"].update(x=OBJECT), "'y'"),
        (lambda document: document.update(methods=[method for method in document["methods"] if method["name"] != "exit"]), "exit"),
    ],
)
def test_what_cannot_be_expressed_is_noticed(language, change, fault):
    with pytest.raises(clients.Fault, match=fault):
        written(language, changed(change))


def test_lines_are_short(language):
    assert max(map(len, COMMITTED[language].read_text().splitlines())) <= clients.WIDTH


def test_the_packages_have_the_version_of_the_program():
    project = tomllib.loads((ROOT / "examples" / "python" / "pyproject.toml").read_text())["project"]
    package = json.loads((ROOT / "examples" / "typescript" / "package.json").read_text())
    assert project["version"] == package["version"] == OPENRPC["info"]["version"]
    assert "dependencies" not in project and "dependencies" not in package

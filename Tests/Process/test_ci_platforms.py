"""examples/ci.md with the platform's token: the platform's identity is read for each request, and the servers get what their vendors' documents say."""

import json
import os
import re
import subprocess
import urllib.parse
from pathlib import Path

import jsonschema
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from provider import Response
from rpc import BINARY, ROOT

TEXT = (ROOT / "examples" / "ci.md").read_text()
SCHEMA = json.loads((ROOT / "schemas" / "config.json").read_text())
JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


def example(name: str) -> str:
    """Returns the configuration that follows the bold words."""
    found = re.search(rf"^\*\*{name}\.\*\*.*?^```json\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)[1]
    jsonschema.validate(json.loads(found), SCHEMA, jsonschema.Draft7Validator)
    return found


@pytest.fixture
def job(tmp_path, provider):
    """Returns `job(configuration, *words, **environment)`, which runs a command as a job would: with no home, terminal and store."""

    def run(text: str, *words: str, server=provider, **environment) -> subprocess.CompletedProcess:
        for host, path in (("login", "/"), ("api", "/api/")):
            text = text.replace(f"https://{host}.example.com/", server.url + path)
        (tmp_path / "ci.json").write_text(text)
        return subprocess.run(
            [BINARY, "--config", tmp_path / "ci.json", "--store", "memory", *words], cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, env={"PATH": os.environ["PATH"], **environment}, start_new_session=True, timeout=60)

    return run


def replace_preset(folder: Path, name: str, description: dict) -> dict:
    """Describes a provider of the test's own under the name of a preset, and returns the environment that finds it."""
    (folder / "oauth-stdio" / "providers").mkdir(parents=True)
    (folder / "oauth-stdio" / "providers" / f"{name}.json").write_text(json.dumps(description))
    return {"XDG_CONFIG_HOME": str(folder)}


def forms(provider, path: str = "/token") -> list[dict]:
    return [dict(urllib.parse.parse_qsl(request.body.decode())) for request in provider.requests if request.path == path]


def mount(folder: Path, token: str) -> Path:
    """Writes a token as the kubelet does: readable by all, behind two links, one of which it replaces."""
    data = folder / f"..{len(list(folder.iterdir())) if folder.exists() else 0}"
    data.mkdir(parents=True)
    (data / "token").write_text(token)
    (folder / "..new").symlink_to(data.name)
    (folder / "..new").rename(folder / "..data")
    if not (folder / "token").is_symlink():
        (folder / "token").symlink_to("..data/token")
    return folder / "token"


@pytest.fixture
def actions(provider):
    """What a job of GitHub Actions with `id-token: write` has, and the ID tokens that it gets."""
    issued = []

    def issue(request):
        issued.append((request.headers.get("Authorization"), urllib.parse.parse_qs(urllib.parse.urlsplit(request.target).query)))
        return Response.of({"count": 1, "value": f"id-token-{len(issued)}"})

    provider.instead["/idtoken"] = issue
    environment = {"ACTIONS_ID_TOKEN_REQUEST_URL": provider.url + "/idtoken?api-version=2.0", "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "r3quest"}
    return environment, issued


def test_github_exchanges_the_jobs_token_each_time(job, provider, actions):
    environment, issued = actions
    for _ in range(2):
        done = job(example("GitHub Actions"), "call", "ci", "builds/7", **environment)
        assert json.loads(done.stdout)["path"] == "/api/builds/7", done.stderr
    assert issued == 2 * [("bearer r3quest", {"api-version": ["2.0"], "audience": ["https://login.example.com"]})]
    expected = {
        "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token_type": "urn:ietf:params:oauth:token-type:jwt", "scope": "read"}
    assert forms(provider) == [{**expected, "subject_token": f"id-token-{number}"} for number in (1, 2)]


def test_githubs_token_as_the_clients_assertion(job, provider, actions):
    environment, _ = actions
    configuration = json.loads(example("GitHub Actions"))
    assert '`"flow": "clientCredentials"`, the `clientId`, and `clientAssertion`' in TEXT
    entry = configuration["accounts"]["ci"]
    entry |= {"flow": "clientCredentials", "clientId": "builder", "clientAssertion": entry.pop("subjectToken")}
    assert job(json.dumps(configuration), "token", "ci", **environment).stdout.strip() in provider.living
    assert forms(provider) == [{
        "grant_type": "client_credentials", "client_id": "builder", "client_assertion_type": JWT_BEARER, "client_assertion": "id-token-1", "scope": "read"}]


def test_gitlabs_token_is_in_a_variable(job, provider):
    source, place = re.search(r'`(\{"env": "ID_TOKEN"\})` in the place of `(\{"githubActions": )…\}`', TEXT).groups()
    configuration = re.sub(re.escape(place) + r'"[^"]*"\}', source, example("GitHub Actions"))
    assert job(configuration, "token", "ci", ID_TOKEN="of.the.job").stdout.strip() in provider.living
    assert [form["subject_token"] for form in forms(provider)] == ["of.the.job"]


def test_outside_of_a_job_the_permission_is_named(job, provider):
    done = job(example("GitHub Actions"), "token", "ci")
    assert (done.returncode, done.stdout) == (2, "") and "id-token: write" in done.stderr and provider.requests == []


def test_a_refused_token_is_sent_once(job, provider, actions):
    environment, issued = actions
    provider.instead["/token"] = lambda request: Response.of({"error": "invalid_grant", "error_description": "of another repository"}, 400)
    done = job(example("GitHub Actions"), "call", "ci", "builds/7", **environment)
    assert done.returncode == 1 and "of another repository" in done.stderr and "id-token-1" not in done.stderr
    assert len(forms(provider)) == len(issued) == 1


def test_kubernetes_replaces_the_token(job, provider, tmp_path):
    configuration = example("Kubernetes")
    place = re.search(r"as a volume at `(\S+)`", TEXT)[1]
    assert f'"{place}/token"' in configuration
    for token in ("first", "second"):
        file = mount(tmp_path / "login", token)
        done = job(configuration.replace(f"{place}/token", str(file)), "call", "ci", "builds/7")
        assert json.loads(done.stdout)["path"] == "/api/builds/7", done.stderr
    expected = {"grant_type": "client_credentials", "client_id": "builder", "client_assertion_type": JWT_BEARER, "scope": "read"}
    assert forms(provider) == [{**expected, "client_assertion": token} for token in ("first", "second")]


def test_azure(job, provider, tmp_path):
    configuration = example("Azure workload identity")
    entry = json.loads(configuration)["accounts"]["ci"]
    tenant, place = entry["variables"]["tenant"], entry["clientAssertion"]["file"]
    microsoft = json.loads((ROOT / "Sources" / "OAuthCore" / "Provider" / "Presets" / "microsoft.json").read_text())
    here = json.loads(re.sub(r"https://(login.microsoftonline|graph.microsoft).com/(?!\")", provider.url + "/", json.dumps(microsoft)))
    here |= {"apiBase": provider.url + "/api/", "apiHosts": ["127.0.0.1"]}
    environment = replace_preset(tmp_path / "configured", "microsoft", here)
    path = f"/{tenant}/oauth2/v2.0/token"
    provider.instead[path] = lambda request: provider.issue()
    file = mount(tmp_path / "azure", "federated")
    done = job(configuration.replace(place, str(file)), "call", "ci", "users", **environment)
    assert json.loads(done.stdout)["path"] == "/api/users", done.stderr
    assert forms(provider, path) == [{
        "grant_type": "client_credentials", "client_id": entry["clientId"], "client_assertion_type": JWT_BEARER, "client_assertion": "federated",
        "scope": "https://graph.microsoft.com/.default"}]


@pytest.fixture
def google(job, provider, tmp_path):
    """Returns `google(file, words, **members)`, which runs the example with this credential file, and members that its text names."""
    description = json.loads((ROOT / "Sources" / "OAuthCore" / "Provider" / "Presets" / "google.json").read_text())
    description |= {"tokenEndpoint": provider.url + "/token", "apiBase": provider.url + "/api/", "apiHosts": ["127.0.0.1"]}
    environment = replace_preset(tmp_path / "configured", "google", description)

    def run(file: dict, *words: str, **members) -> subprocess.CompletedProcess:
        configuration = json.loads(example("A Google service account"))
        entry = configuration["accounts"]["ci"]
        (tmp_path / "google.json").write_text(json.dumps(file))
        (tmp_path / "google.json").chmod(0o600)
        entry["serviceAccount"]["file"] = str(tmp_path / "google.json")
        named = set(re.findall(r'`"(\w+)": EMAIL`', TEXT))
        assert set(members) < named == {"subject", "impersonate"} < set(SCHEMA["definitions"]["ConfiguredAccount"]["properties"])
        return job(json.dumps({"accounts": {"ci": {**entry, **members}}}), *words, **environment)

    return run


def test_a_google_service_account_signs_for_itself_or_a_user(google, provider):
    key = rsa.generate_private_key(65537, 2048)
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
    robot = "robot@project.iam.gserviceaccount.com"
    file = {
        "type": "service_account", "project_id": "project", "private_key_id": "k1", "private_key": pem, "client_email": robot, "client_id": "1",
        "token_uri": provider.url + "/token"}
    for members, subject in (({}, None), ({"subject": "user@example.com"}, "user@example.com")):
        done = google(file, "call", "ci", "storage/v1/b", **members)
        assert json.loads(done.stdout)["path"] == "/api/storage/v1/b", done.stderr
        form = forms(provider)[-1]
        assert form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer"
        claims = jwt.decode(form["assertion"], key.public_key(), ["RS256"], audience=provider.url + "/token", issuer=robot)
        assert jwt.get_unverified_header(form["assertion"])["kid"] == "k1"
        assert claims.get("sub", robot) == (subject or robot)
        assert claims["scope"] == "https://www.googleapis.com/auth/devstorage.read_only" and claims["exp"] - claims["iat"] <= 3600


def test_googles_file_without_a_key_uses_the_jobs_token(google, provider, actions):
    """The file that GitHub's action for Google writes: a URL with headers, and the service account to act for."""
    environment, issued = actions
    pool = "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/github"
    act = provider.url + "/v1/projects/-/serviceAccounts/robot@project.iam.gserviceaccount.com:generateAccessToken"
    file = {
        "type": "external_account", "audience": pool, "subject_token_type": "urn:ietf:params:oauth:token-type:jwt", "token_url": provider.url + "/token",
        "service_account_impersonation_url": act,
        "credential_source": {
            "url": environment["ACTIONS_ID_TOKEN_REQUEST_URL"] + "&audience=x", "headers": {"Authorization": "Bearer r3quest"},
            "format": {"type": "json", "subject_token_field_name": "value"}}}

    def impersonate(request):
        assert request.headers["Authorization"].removeprefix("Bearer ") in provider.living
        provider.living.add(token := provider.secret())
        return Response.of({"accessToken": token, "expireTime": "2099-01-01T00:00:00Z"})

    provider.instead[urllib.parse.urlsplit(act).path] = impersonate
    done = google(file, "call", "ci", "storage/v1/b")
    assert json.loads(done.stdout)["path"] == "/api/storage/v1/b", done.stderr
    (form,) = forms(provider)
    assert (form["audience"], form["subject_token"]) == (pool, "id-token-1") and len(issued) == 1
    assert form["grant_type"] == "urn:ietf:params:oauth:grant-type:token-exchange"

"""examples/ci.md with a key, a certificate, an app's key, and the login at an identity provider."""

import json
import re
import subprocess

import jsonschema
import jwt
import pytest

import browser
import id_tokens
from certificates import Authority
from provider import Response
from rpc import BINARY, ROOT, RPCFault
from signing_in import TokenProvider, authorize
from test_ci_platforms import JWT_BEARER, SCHEMA, TEXT, example, forms, job, replace_preset  # noqa: F401, job is a fixture
from test_client_certificates import Secure

TYPE = "urn:ietf:params:oauth:token-type:"


@pytest.mark.parametrize("audience", ["issuer", "tokenEndpoint"])
def test_a_key_in_place_of_the_secret(job, provider, tmp_path, audience):  # noqa: F811
    words = re.search(r"`oauth-stdio (key new --file) ~/ci.pem`", TEXT)[1].split()
    made = subprocess.run([BINARY, *words, tmp_path / "ci.pem"], capture_output=True, text=True, timeout=60, check=True)
    public = jwt.PyJWK(json.loads(made.stdout))
    printed = json.loads(next(line for line in made.stderr.splitlines() if line.lstrip().startswith("{")))
    entry = json.loads(example("A key in place of the secret"))["accounts"]["ci"]
    assert printed.keys() < entry.keys() and entry["signingAlgorithm"] == printed["signingAlgorithm"]
    entry |= printed
    wanted = entry["provider"]["issuer"]
    if audience != "issuer":
        name, value = re.search(r'`"(\w+)": "(\w+)"` to the provider', TEXT).groups()
        entry["provider"][name], wanted = value, provider.url + "/token"
    done = job(json.dumps({"accounts": {"ci": entry}}), "call", "ci", "builds/7")
    assert json.loads(done.stdout)["path"] == "/api/builds/7", done.stderr
    (form,) = forms(provider)
    jwt.decode(form["client_assertion"], public.key, ["ES256"], audience=wanted, issuer="builder", subject="builder", options={"strict_aud": True})
    assert jwt.get_unverified_header(form["client_assertion"])["kid"] == public.key_id
    assert (form["grant_type"], form["client_assertion_type"], form["scope"]) == (
        "client_credentials", JWT_BEARER, "read")


def test_a_certificate(job, tmp_path):  # noqa: F811
    authority = Authority(tmp_path)
    builder = authority.client("builder")
    entry = json.loads(example("A certificate"))["accounts"]["ci"]
    for part, text in builder.params.items():
        file = tmp_path / entry["clientCertificate"][part]["file"].rpartition("/")[2]
        file.write_text(text)
        file.chmod(0o600)
        entry["clientCertificate"][part]["file"] = str(file)
    with Secure(authority) as secure:
        configuration = json.dumps({"accounts": {"ci": entry}})
        done = job(configuration, "call", "ci", "builds/7", server=secure, SSL_CERT_FILE=str(authority.file))
        assert json.loads(done.stdout)["path"] == "/api/builds/7", done.stderr
        assert secure.seen("/token") == secure.seen("/api/builds/7") == ["builder"]
        assert forms(secure) == [{"grant_type": "client_credentials", "client_id": "builder", "scope": "read"}]


def test_a_github_app(job, provider, tmp_path):  # noqa: F811
    description = json.loads((ROOT / "Sources" / "OAuthCore" / "Provider" / "Presets" / "github-app.json").read_text())
    path = "/app/installations/{installation}/access_tokens"
    assert description["tokenEndpoint"] == "https://{api}" + path
    description |= {"tokenEndpoint": provider.url + path, "apiBase": provider.url + "/api/", "apiHosts": ["127.0.0.1"]}
    environment = replace_preset(tmp_path / "configured", "github-app", description)
    made = subprocess.run(
        [BINARY, "key", "new", "--file", tmp_path / "app.pem", "--algorithm", "RS256"], capture_output=True, text=True, timeout=60, check=True)
    configuration = example("A GitHub App")
    entry = json.loads(configuration)["accounts"]["ci"]
    provider.living.add("ghs_1")
    place = path.format(**entry["variables"])
    provider.instead[place] = lambda request: Response.of({"token": "ghs_1", "expires_at": "2099-01-01T00:00:00Z"}, 201)
    done = job(configuration.replace(entry["privateKey"]["file"], str(tmp_path / "app.pem")), "call", "ci", "repos", **environment)
    assert json.loads(done.stdout)["path"] == "/api/repos", done.stderr
    (asked,) = [request for request in provider.requests if request.path == place]
    signed = asked.headers["Authorization"].removeprefix("Bearer ")
    assert jwt.decode(signed, jwt.PyJWK(json.loads(made.stdout)).key, ["RS256"])["iss"] == entry["clientId"]


class IdentityProvider(TokenProvider):
    """Signs a user in at the client `cli`, and exchanges the ID token for an assertion."""

    def __init__(self):
        super().__init__()
        self.nonce = None
        places = {"authorization_endpoint": "/authorize", "token_endpoint": "/token", "jwks_uri": "/jwks"}
        metadata = {"issuer": self.url, **{name: self.url + path for name, path in places.items()}}
        self.instead["/.well-known/oauth-authorization-server"] = lambda request: Response.of(metadata)
        self.instead["/jwks"] = lambda request: Response(200, id_tokens.KEY_SET.encode())
        self.instead["/token"] = self.answer

    def approve(self, url: str) -> None:
        self.nonce = browser.query(url).get("nonce")
        super().approve(url)

    def answer(self, request) -> Response:
        if forms(self)[-1]["grant_type"] != "authorization_code":
            return Response.of({"access_token": "an.identity.assertion", "issued_token_type": TYPE + "id-jag", "token_type": "N_A"})
        token = id_tokens.sign({"aud": "cli", "nonce": self.nonce}, self.url)
        return Response.of({"access_token": self.secret(), "token_type": "Bearer", "expires_in": 3600, "id_token": token})


def test_the_users_identity_provider(start, home, provider):
    part = TEXT.partition("## Through the user's identity provider\n")[2]
    configuration = re.search(r"^```json\n(.*?)^```$", part, re.DOTALL | re.MULTILINE)[1]
    jsonschema.validate(json.loads(configuration), SCHEMA, jsonschema.Draft7Validator)
    metadata = {"issuer": provider.url, "authorization_endpoint": provider.url + "/authorize", "token_endpoint": provider.url + "/token"}
    provider.instead["/.well-known/oauth-authorization-server"] = lambda request: Response.of(metadata)
    home.mkdir()
    with IdentityProvider() as idp:
        written = configuration.replace("https://idp.example.com", idp.url).replace("https://chat.example.com", provider.url)
        (home / "config.json").write_text(written)
        peer = start("--config", home / "config.json")
        authorize(peer, idp.approve, account="idp", openBrowser=False)
        assert peer.request("callAPI", {"account": "chat", "url": "messages"})["status"] == 200
        (exchange,) = [form for form in forms(idp) if form["grant_type"].endswith("token-exchange")]
        assert (exchange["client_id"], exchange["audience"], exchange["subject_token_type"]) == ("cli", provider.url, TYPE + "id_token")
        assert forms(provider) == [{
            "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": "an.identity.assertion", "client_id": "rcli",
            "scope": "chat"}]
        with pytest.raises(RPCFault) as fault:
            peer.request("authorize", {"account": "chat", "subjectToken": {"account": "other"}})
        assert fault.value.code == -32602 and fault.value.data["path"] == "/subjectToken"

"""The same files for this program and for google-auth, azure-identity and MSAL: a scripted server compares what each of them sends."""

import base64
import hashlib
import json
import urllib.parse

import jwt
import msal
import pytest
from azure.identity import WorkloadIdentityCredential
from cryptography.hazmat.primitives.serialization import Encoding
from google.auth import identity_pool
from google.auth.transport.requests import Request as Transport
from google.oauth2 import service_account
from joserfc.jwk import RSAKey

from certificates import Authority
from mcp_server import header
from provider import Provider, Response
from strict_server import pem

CLOUD = "https://www.googleapis.com/auth/cloud-platform"
SCOPES = ["https://www.googleapis.com/auth/drive.readonly", CLOUD]
ROBOT = "robot@project.iam.gserviceaccount.com"
GENERATE = f"/v1/projects/-/serviceAccounts/{ROBOT}:generateAccessToken"
KEY = RSAKey.generate_key(2048)


class Cloud(Provider):
    """Issues tokens to everyone. `taken` returns what has arrived since the last time."""

    def __init__(self, **where):
        self.count = 0
        super().__init__(self.respond, **where)

    def respond(self, request) -> Response:
        if request.path.endswith("/.well-known/openid-configuration"):
            issuer = self.url + request.path.removesuffix("/.well-known/openid-configuration")
            return Response.of({"issuer": issuer, "authorization_endpoint": issuer + "/authorize", "token_endpoint": self.token_url(issuer)})
        if request.path == "/job":
            return Response.of({"value": "a.platform.token"})
        if request.path.endswith(":generateAccessToken"):
            return Response.of({"accessToken": "of-the-robot", "expireTime": "2099-01-01T00:00:00Z"})
        return Response.of({"access_token": "federated", "token_type": "Bearer", "expires_in": 3600})

    @staticmethod
    def token_url(issuer: str) -> str:
        return issuer.removesuffix("/v2.0") + "/oauth2/v2.0/token"

    def taken(self) -> list[tuple]:
        new, self.count = self.requests[self.count :], len(self.requests)
        return [told(request) for request in new if "openid-configuration" not in request.path]


def told(request) -> tuple:
    """Returns what counts of a request: method, target, credential and the parsed body, with checked and parsed assertions in it."""
    body = request.body.decode()
    parsed = json.loads(body) if body.startswith("{") else dict(urllib.parse.parse_qsl(body, keep_blank_values=True))
    for name in ("assertion", "client_assertion"):
        if parsed.get(name, "").count(".") == 2 and parsed[name] != "a.platform.token":
            parsed[name] = assertion(parsed[name])
    # MSAL asks for a member of the answer that it alone reads.
    parsed.pop("client_info", None)
    return request.method, request.target, header(request, "Authorization"), parsed


def assertion(text: str) -> tuple[dict, dict]:
    """Returns the header and the claims but for times and ID, after checking the signature."""
    token = jwt.decode_complete(text, KEY.public_key, algorithms=["RS256", "PS256"], options={"verify_aud": False})
    return token["header"], {name: value for name, value in token["payload"].items() if name not in ("iat", "nbf", "exp", "jti")}


@pytest.fixture
def cloud():
    with Cloud() as running:
        yield running


@pytest.fixture
def google(start, home, cloud):
    """Returns what the program sends with a file of Google's."""

    def run(file, **members) -> list[tuple]:
        places = {"tokenEndpoint": cloud.url + "/token", "apiBase": cloud.url + "/", "apiHosts": [cloud.url.removeprefix("http://")]}
        account = {"provider": {"preset": "google", **places}, "scopes": SCOPES, "serviceAccount": {"file": str(file)}, **members}
        return sent(start, home, cloud, account)

    return run


def sent(start, home, cloud, account: dict, **options) -> list[tuple]:
    """Returns what a process with this account sends to get a token."""
    home.mkdir(exist_ok=True)
    (home / "config.json").write_text(json.dumps({"accounts": {"a": account}}))
    assert start("--config", home / "config.json", **options).request("accessToken", {"account": "a"})["accessToken"]
    return cloud.taken()


def transport(cloud):
    """Returns google-auth's transport, for the scripted server alone."""
    inner = Transport()

    def send(url, **more):
        assert url.startswith(cloud.url)
        return inner(url=url, **more)

    return send


def write(folder, content, name: str = "credentials.json"):
    file = folder / name
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    file.chmod(0o600)
    return file


@pytest.mark.parametrize("subject", [None, "user@example.com"])
def test_a_service_account_as_google_auth_uses_it(google, cloud, tmp_path, subject):
    content = {"type": "service_account", "client_email": ROBOT, "private_key": pem(KEY), "private_key_id": "key-7", "token_uri": cloud.url + "/token"}
    file = write(tmp_path, content)
    service_account.Credentials.from_service_account_file(str(file), scopes=SCOPES, subject=subject).refresh(transport(cloud))
    (expected,) = cloud.taken()
    assert expected[3]["assertion"][0]["kid"] == "key-7"
    # google-auth always names Google's own endpoint, which is the one of Google's files.
    claims = expected[3]["assertion"][1]
    assert claims["aud"] == "https://oauth2.googleapis.com/token"
    claims["aud"] = content["token_uri"]
    assert google(file, **({"subject": subject} if subject else {})) == [expected]


PLACES = {
    "file": {"file": "{folder}/token"},
    "JSON in a file": {"file": "{folder}/token.json", "format": {"type": "json", "subject_token_field_name": "access_token"}},
    # As google-github-actions/auth writes it.
    "URL of a job": {"url": "{url}/job?api-version=2.0&audience=x", "headers": {"Authorization": "Bearer of-the-job"},
                     "format": {"type": "json", "subject_token_field_name": "value"}},
}


@pytest.mark.parametrize("impersonates", [False, True], ids=["direct", "impersonating"])
@pytest.mark.parametrize("place", PLACES)
def test_a_workload_as_google_auth_federates_it(google, cloud, tmp_path, place, impersonates):
    write(tmp_path, "a.platform.token", "token")
    write(tmp_path, {"access_token": "a.platform.token"}, "token.json")
    source = json.loads(json.dumps(PLACES[place]).replace("{folder}", str(tmp_path)).replace("{url}", cloud.url))
    content = {
        "type": "external_account",
        "audience": "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q",
        "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
        "token_url": cloud.url + "/v1/token",
        "credential_source": source,
        **({"service_account_impersonation_url": cloud.url + GENERATE} if impersonates else {}),
    }
    file = write(tmp_path, content)
    identity_pool.Credentials.from_file(str(file), scopes=SCOPES).refresh(transport(cloud))
    expected = cloud.taken()
    assert len(expected) == 1 + ("url" in source) + impersonates
    for request in expected:
        # google-auth names no delegates by an empty list.
        assert request[3].pop("delegates", None) is None or impersonates
    assert google(file) == expected


@pytest.fixture
def entra(tmp_path, monkeypatch):
    """A server with TLS, as azure-identity wants it."""
    (tmp_path / "authority").mkdir()
    authority = Authority(tmp_path / "authority")
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(authority.file))
    with Cloud(certificate=authority.server()) as running:
        running.authority = authority
        yield running


def microsoft(entra, start, home, **members) -> list[tuple]:
    provider = {"preset": "microsoft", "issuer": entra.url + "/t-1/v2.0", "tokenEndpoint": entra.url + "/t-1/oauth2/v2.0/token",
                "apiBase": entra.url + "/", "apiHosts": [entra.url.removeprefix("https://")]}
    provider |= members.pop("provider", {})
    account = {"provider": provider, "flow": "clientCredentials", "clientId": "c-1", "scopes": ["https://vault.azure.net/.default"], **members}
    return sent(start, home, entra, account, environment={"SSL_CERT_FILE": str(entra.authority.file)})


def test_a_federated_token_file_as_azure_identity_uses_it(start, home, entra, tmp_path):
    file = write(tmp_path, "a.platform.token", "token")
    options = {"authority": entra.url, "disable_instance_discovery": True}
    with WorkloadIdentityCredential(tenant_id="t-1", client_id="c-1", token_file_path=str(file), **options) as credential:
        assert credential.get_token("https://vault.azure.net/.default").token == "federated"
    (expected,) = entra.taken()
    assert expected[3]["client_assertion"] == "a.platform.token"
    assert microsoft(entra, start, home, clientAssertion={"file": str(file)}) == [expected]


def test_a_certificate_as_msal_signs_with_it(start, home, entra, tmp_path):
    """azure-identity gives MSAL a SHA-1 thumbprint alone. MSAL itself prefers the one that Microsoft's documents name."""
    certificate = entra.authority.issue("c-1", KEY.private_key)
    both = {"certificate": certificate.public_bytes(Encoding.PEM).decode(), "key": pem(KEY)}
    application = msal.ConfidentialClientApplication(
        "c-1", {"private_key": both["key"], "public_certificate": both["certificate"]}, entra.url + "/t-1", instance_discovery=False)
    assert application.acquire_token_for_client(["https://vault.azure.net/.default"])["access_token"] == "federated"
    (expected,) = entra.taken()
    heading = expected[3]["client_assertion"][0]
    # The certificate itself is for those who let Microsoft compare its name.
    del heading["x5c"]
    thumbprint = base64.urlsafe_b64encode(hashlib.sha256(certificate.public_bytes(Encoding.DER)).digest()).decode().rstrip("=")
    assert heading == {"alg": "PS256", "typ": "JWT", "x5t#S256": heading["x5t#S256"]} and heading["x5t#S256"].rstrip("=") == thumbprint
    heading["x5t#S256"] = thumbprint
    wanted = {"privateKey": both["key"], "signingAlgorithm": "PS256", "clientCertificate": both, "provider": {"clientAuthentication": "privateKeyJwt"}}
    assert microsoft(entra, start, home, **wanted) == [expected]

"""Keys in the place of users: assertions that a key signs, service accounts of Google's, and workloads of other platforms."""

import base64
import json
import time
import urllib.parse

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

import id_tokens
from certificates import Authority
from provider import Response
from rpc import RPCFault
from signing_in import authorize
from test_workload import EXCHANGE, JWT_BEARER, TYPE, api, configure, platform, sent  # noqa: F401

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
RSA_PEM = KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
ED_PEM = id_tokens.KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
IAM = "https://www.googleapis.com/auth/iam"
GENERATE = ":generateAccessToken"


def decode(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def claims(token: str) -> tuple[dict, dict]:
    """Returns the header and the claims of a token that one of the keys has signed."""
    head, body, signature = token.split(".")
    header = json.loads(decode(head))
    if header["alg"] == "RS256":
        KEY.public_key().verify(decode(signature), f"{head}.{body}".encode(), padding.PKCS1v15(), hashes.SHA256())
    else:
        id_tokens.KEY.public_key().verify(decode(signature), f"{head}.{body}".encode())
    return header, json.loads(decode(body))


# Assertions that the client's key signs

@pytest.mark.parametrize("way", ["configuration", "request"])
@pytest.mark.parametrize(("own", "audience"), [({"sub": "u@example.com", "exp": 600}, None), ({"aud": "https://sts.example/"}, "https://sts.example/")])
def test_an_assertion_of_the_clients_key(start, configure, provider, tmp_path, way, own, audience):
    (tmp_path / "key.pem").write_text(ED_PEM)
    (tmp_path / "key.pem").chmod(0o600)
    members = {"provider": {**provider.description, "issuer": provider.url}, "clientId": "c", "flow": "jwtBearer", "keyId": "k-1", "assertionClaims": own}
    if way == "configuration":
        peer = start(*configure(a={**members, "privateKey": {"file": str(tmp_path / "key.pem")}}))
        peer.request("accessToken", {"account": "a"})
    else:
        peer = start()
        peer.request("authorize", {**members, "account": "a", "privateKey": ED_PEM, "scopes": ["read"]})
    peer.request("refresh", {"account": "a", "force": True})
    (first, second) = sent(provider)
    assert first.keys() == {"grant_type", "assertion", "scope", "client_id"} and first["grant_type"] == JWT_BEARER
    (header, found), (_, later) = claims(first["assertion"]), claims(second["assertion"])
    assert header == {"alg": "EdDSA", "kid": "k-1", "typ": "JWT"}
    assert found["jti"] != later["jti"] and abs(found["iat"] - time.time()) < 60
    assert found["exp"] - found["iat"] == own.get("exp", 300)
    assert {"iss": "c", "aud": audience or provider.url, "sub": own.get("sub", "c")} == {
        name: value for name, value in found.items() if name not in ("iat", "exp", "jti")}


def test_the_client_authenticates_beside_its_assertion(start, configure, provider):
    description = {**provider.description, "issuer": provider.url, "clientAuthentication": "privateKeyJwt"}
    members = {"provider": description, "clientId": "c", "flow": "jwtBearer", "privateKey": ED_PEM, "assertionClaims": {"sub": "u"}}
    start(*configure(a=members)).request("accessToken", {"account": "a"})
    (form,) = sent(provider)
    assert claims(form["assertion"])[1]["sub"] == "u" and claims(form["client_assertion"])[1]["sub"] == "c"


def test_a_caller_does_not_say_what_the_configured_key_signs(start, configure, provider):
    members = {"provider": {**provider.description, "issuer": provider.url}, "clientId": "c", "flow": "jwtBearer", "privateKey": ED_PEM}
    with pytest.raises(RPCFault) as fault:
        start(*configure(a=members)).request("authorize", {"account": "a", "assertionClaims": {"sub": "root@example.com"}})
    assert "as the key that signs it does" in fault.value.message and sent(provider) == []


@pytest.mark.parametrize(("way", "more"), [("refresh", {"force": True}), ("authorize", {}), ("callAPI", {"url": "x"})])
def test_an_imported_grant_does_not_either(start, configure, provider, way, more):
    members = {"provider": {**provider.description, "issuer": provider.url}, "clientId": "c", "flow": "auto", "privateKey": ED_PEM}
    facts = {"clientRequest": {"flow": "jwtBearer", "assertionClaims": {"sub": "root@example.com", "aud": "https://other.example"}}, "clientParameters": {}}
    peer = start(*configure(a=members))
    peer.request("importGrant", {"account": "a", "format": "json", "data": {"access_token": "x", "expires_in": 0, "oauth_stdio": facts}})
    with pytest.raises(RPCFault) as fault:
        peer.request(way, {"account": "a", **more})
    assert "as the key that signs it does" in fault.value.message and sent(provider) == []


def test_a_stored_key_signs_no_claims_of_another_caller(start, provider):
    """Programs share accounts, and one of them has brought the key."""
    asked = {"account": "a", "provider": {**provider.description, "issuer": provider.url}, "clientId": "c", "flow": "jwtBearer"}
    peer = start()
    peer.request("authorize", {**asked, "privateKey": ED_PEM, "assertionClaims": {"sub": "me"}})
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", {**asked, "assertionClaims": {"sub": "root"}})
    assert "needs the privateKey that signs it in the same request" in fault.value.message
    peer.request("refresh", {"account": "a", "force": True})
    peer.request("authorize", {**asked, "assertionClaims": {"sub": "me"}, "interaction": "always"})
    facts = {"clientRequest": {"flow": "jwtBearer", "assertionClaims": {"sub": "root"}}, "clientParameters": {}}
    peer.request("importGrant", {
        **{name: value for name, value in asked.items() if name != "flow"}, "format": "json", "replace": True,
        "data": {"access_token": "x", "expires_in": 1, "oauth_stdio": facts}})
    with pytest.raises(RPCFault):
        peer.request("refresh", {"account": "a", "force": True})
    assert [claims(form["assertion"])[1]["sub"] for form in sent(provider)] == 3 * ["me"]


@pytest.mark.parametrize("members", [{"assertionAudience": "https://other.example"}, {"issuer": "https://other.example"}, {"assertionPlacement": "header"}])
@pytest.mark.parametrize("holder", ["key", "certificate"])
def test_a_callers_description_does_not_say_for_whom_the_configured_key_signs(start, configure, provider, tmp_path, members, holder):
    own = {**provider.description, "issuer": provider.url, "clientAuthentication": "privateKeyJwt"}
    key = {"privateKey": ED_PEM} if holder == "key" else {"clientCertificate": Authority(tmp_path).client("c").params}
    with pytest.raises(RPCFault) as fault:
        start(*configure(a={"provider": own, "clientId": "c", "flow": "clientCredentials", **key})).request(
            "authorize", {"account": "a", "provider": {**own, **members}})
    assert "is not the provider that the configuration names" in fault.value.message and sent(provider) == []


@pytest.mark.parametrize("members", [{"assertionAudience": "https://other.example"}, {"issuer": "https://other.example"}])
@pytest.mark.parametrize("way", ["configured", "brought"])
def test_another_programs_description_does_not_either(start, configure, provider, way, members):
    """Programs share accounts, and one of them imports a login whose description has the same servers."""
    own = {**provider.description, "issuer": provider.url}
    if way == "configured":
        peer = start(*configure(a={"provider": own, "clientId": "c", "flow": "auto", "privateKey": ED_PEM}))
    else:
        peer = start()
        peer.request("authorize", {"account": "a", "provider": own, "clientId": "c", "flow": "clientCredentials", "privateKey": ED_PEM})
        provider.requests.clear()
    data = {"access_token": "x", "expires_in": 1, **({"refresh_token": "r"} if way == "configured" else {"oauth_stdio": {"clientRequest": {"flow": "clientCredentials"}, "clientParameters": {}}})}
    start().request("importGrant", {"account": "a", "provider": {**own, **members}, "clientId": "c", "replace": True, "format": "json", "data": data})
    try:
        peer.request("refresh", {"account": "a", "force": True})
    except RPCFault as fault:
        assert "Sign in again" in fault.message
    assert [form for form in sent(provider) if "client_assertion" in form] == []


def test_a_login_goes_on_when_the_configured_audience_changes(start, configure, provider):
    own = {**provider.description, "issuer": provider.url}
    client = {"clientId": "c", "flow": "auto", "privateKey": ED_PEM}
    options = configure(a={"provider": own, **client})
    authorize(start(*options), provider.approve, account="a")
    configure(a={"provider": {**own, "assertionAudience": "tokenEndpoint"}, **client})
    assert start(*options).request("refresh", {"account": "a", "force": True})["refreshed"] is True


@pytest.mark.parametrize(("members", "is_issuer"), [
    ({"assertionAudience": "https://honest.example"}, False), ({"assertionClaims": {"aud": "https://honest.example"}}, False),
    ({"issuer": "https://honest.example"}, False), ({"issuer": "https://honest.example"}, True)])
def test_an_api_gets_no_assertion_for_a_fixed_audience(start, configure, platform, members, is_issuer):
    """It names the server that gets the assertion, which would be valid at the honest one."""
    described = {"discovery": api(platform, is_issuer), **{name: value for name, value in members.items() if name != "assertionClaims"}}
    claims = {name: value for name, value in members.items() if name == "assertionClaims"}
    with pytest.raises(RPCFault) as fault:
        start(*configure(a={"provider": described, "clientId": "c", "flow": "jwtBearer", "privateKey": ED_PEM, **claims})).request("accessToken", {"account": "a"})
    assert "issuer" in fault.value.message and sent(platform) == []


def test_a_secret_signs_for_no_other_audience_either(start, configure, provider, platform):
    """Neither a caller's nor one for which an API names the server."""
    own = {**provider.description, "issuer": provider.url, "clientAuthentication": "clientSecretJwt"}
    found = {"discovery": api(platform), "clientAuthentication": "clientSecretJwt", "assertionAudience": "https://honest.example"}
    client = {"flow": "clientCredentials", "clientId": "c", "clientSecret": "s" * 40}
    peer = start(*configure(a={"provider": own, **client}, b={"provider": found, **client}))
    for params, problem in (({"account": "a", "provider": {**own, "assertionAudience": "https://other.example"}}, "is not the provider"), ({"account": "b"}, "name the issuer")):
        with pytest.raises(RPCFault) as fault:
            peer.request("authorize", params)
        assert problem in fault.value.message and sent(provider) + sent(platform) == []


def test_an_api_of_the_named_issuer_gets_an_assertion(start, configure, platform):
    described = {"discovery": api(platform), "issuer": platform.url, "assertionAudience": "https://sts.example/"}
    start(*configure(a={"provider": described, "clientId": "c", "flow": "jwtBearer", "privateKey": ED_PEM})).request("accessToken", {"account": "a"})
    assert claims(sent(platform)[0]["assertion"])[1]["aud"] == "https://sts.example/"


def test_an_installation_of_a_github_app(start, configure, provider):
    """The preset, at the test's host. The assertion has the claims that GitHub names and no others."""
    place = "/app/installations/77/access_tokens"
    provider.instead[place] = lambda request: Response.of({"token": "ghs_1", "expires_at": "2099-01-01T00:00:00Z", "permissions": {}}, 201)
    described = {
        "preset": "github-app", "variables": {"installation": "77"}, "tokenEndpoint": provider.url + "/app/installations/{installation}/access_tokens",
        "apiBase": provider.url + "/api/", "apiHosts": [f"127.0.0.1:{provider.port}"]}
    peer = start(*configure(a={"provider": described, "clientId": "1234", "scopes": [], "flow": "auto", "privateKey": RSA_PEM}))
    assert peer.request("accessToken", {"account": "a"}) == {"accessToken": "ghs_1", "tokenType": "Bearer", "expiresAt": 4070908800}
    (request,) = provider.requests
    header, found = claims(request.headers["Authorization"].removeprefix("Bearer "))
    assert (request.method, request.body, header) == ("POST", b"", {"alg": "RS256", "typ": "JWT"})
    assert found.keys() == {"iss", "iat", "exp"} and found["iss"] == "1234" and found["exp"] - found["iat"] <= 600 and found["iat"] <= time.time() - 59
    assert peer.request("hostCredential", {"host": "github.com"}) == {"account": "a", "username": "x-access-token", "password": "ghs_1", "expiresAt": 4070908800}
    provider.instead[place] = lambda request: Response.of({"message": "'Issued at' claim is in the future", "documentation_url": "https://x"}, 401)
    with pytest.raises(RPCFault) as fault:
        peer.request("refresh", {"account": "a", "force": True})
    assert "'Issued at' claim is in the future" in fault.value.message and len(provider.requests) == 2


# The client's assertion of a platform

def test_the_platform_makes_the_clients_assertion(start, configure, provider, tmp_path):
    file = tmp_path / "azure-identity-token"
    file.write_text("first.platform.assertion")
    members = {"flow": "clientCredentials", "clientId": "c", "scopes": ["https://vault.example/.default"], "clientAssertion": {"file": str(file)}}
    peer = start(*configure(a=members))
    peer.request("accessToken", {"account": "a"})
    file.write_text("second.platform.assertion")
    peer.request("refresh", {"account": "a", "force": True})
    wanted = {
        "grant_type": "client_credentials", "client_id": "c", "scope": "https://vault.example/.default",
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"}
    assert sent(provider) == [{**wanted, "client_assertion": f"{word}.platform.assertion"} for word in ("first", "second")]


@pytest.mark.parametrize("way", ["configuration", "request"])
def test_the_platforms_assertion_authenticates_other_requests(start, configure, provider, way):
    provider.instead["/introspect"] = lambda request: Response.of({"active": True})
    described = {**provider.description, "introspectionEndpoint": provider.url + "/introspect"}
    members = {"provider": described, "flow": "clientCredentials", "clientId": "c"}
    peer = start(*configure(a={**members, "clientAssertion": {"env": "TOKEN"}} if way == "configuration" else {}), environment={"TOKEN": "x.y.z"})
    account = {"account": "a" if way == "configuration" else "b"}
    peer.request("authorize", account if way == "configuration" else {**account, **members, "clientAssertion": "x.y.z"})
    assert peer.request("introspect", account)["active"] and peer.request("revoke", account)["revoked"]
    forms = [dict(urllib.parse.parse_qsl(request.body.decode())) for request in provider.requests]
    assert [request.path for request in provider.requests] == ["/token", "/introspect", "/revoke"]
    assert [form["client_assertion"] for form in forms] == 3 * ["x.y.z"] and all("subject_token" not in form for form in forms)


def test_without_the_platform_an_account_can_be_forgotten(start, configure, provider):
    options = configure(a={"flow": "clientCredentials", "clientId": "c", "clientAssertion": {"env": "TOKEN"}})
    start(*options, environment={"TOKEN": "x.y.z"}).request("authorize", {"account": "a"})
    assert start(*options).request("revoke", {"account": "a"})["revoked"]
    assert "client_assertion" not in provider.requests[-1].body.decode()


def test_a_refused_assertion_of_the_client_is_not_sent_again(start, provider):
    provider.instead["/token"] = lambda request: Response.of({"error": "invalid_client", "error_description": "x.y.z has ended"}, 401)
    peer = start()
    asked = {"account": "a", "provider": provider.description, "clientId": "c", "flow": "clientCredentials", "clientAssertion": "x.y.z"}
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", asked)
    assert fault.value.data["errorDescription"] == "… has ended" and len(sent(provider)) == 1
    shown = peer.request("authorize", {**asked, "dryRun": True})
    assert "x.y.z" not in json.dumps(shown) and "client_assertion=" in json.dumps(shown)


# Google

@pytest.fixture
def google(configure, provider, tmp_path):
    """Writes an account with a file of Google's. Its token endpoint is the test's."""

    def write(file: dict, **members) -> list:
        (tmp_path / "account.json").write_text(json.dumps(file))
        (tmp_path / "account.json").chmod(0o600)
        described = {"preset": "google", "tokenEndpoint": provider.url + "/token", "apiBase": provider.url + "/api/", "apiHosts": [f"127.0.0.1:{provider.port}"]}
        where = members.pop("serviceAccount", {"file": str(tmp_path / "account.json")})
        return configure(a={"provider": described, "flow": "auto", "scopes": ["s-1", "s-2"], "serviceAccount": where, **members})

    return write


def account(provider, **members) -> dict:
    return {
        "type": "service_account", "client_email": "robot@project.example", "private_key": RSA_PEM, "private_key_id": "key-7",
        "token_uri": provider.url + "/token", **members}


@pytest.mark.parametrize(("subject", "source"), [(None, None), ("user@example.com", {"env": "GOOGLE_CREDENTIALS"})])
def test_a_service_account(start, google, provider, subject, source):
    members = {"subject": subject, "serviceAccount": source} if subject else {}
    peer = start(*google(account(provider), **members), environment={"GOOGLE_CREDENTIALS": json.dumps(account(provider))})
    assert peer.request("account", {"account": "a"})["canAuthorize"] is True
    assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    (form,) = sent(provider)
    assert form.keys() == {"grant_type", "assertion"} and form["grant_type"] == JWT_BEARER
    header, found = claims(form["assertion"])
    assert header == {"alg": "RS256", "kid": "key-7", "typ": "JWT"}
    delegation = {"sub": subject} if subject else {}
    assert found == {
        "iss": "robot@project.example", "aud": provider.url + "/token", "scope": "s-1 s-2", "iat": found["iat"], "exp": found["iat"] + 3600, **delegation}


@pytest.mark.parametrize(("members", "problem"), [
    ({"token_uri": "https://evil.example/token"}, "neither Google's nor named by the configured provider"),
    ({"token_uri": "http://evil.example/token"}, "has a token_uri that must be an https URL"),
    ({"private_key": None}, "has no private_key"), ({"private_key": "nonsense"}, "key"),
    ({"token_uri": "https://accounts.google.com/o/oauth2/token", "private_key": "nonsense"}, "the private key is neither PEM"),
    ({"type": "authorized_user"}, "is of the type authorized_user: it must be service_account or external_account"),
    ({"type": "external_account", "subject_token_type": "x", "audience": "a", "credential_source": {"environment_id": "aws1"}}, "no other kind can be used"),
    ({"type": "external_account", "subject_token_type": "x", "audience": "a", "credential_source": {"url": "http://169.254.169.254/x"}}, "must be an https URL")])
def test_a_file_that_cannot_be_used(start, google, provider, members, problem):
    with pytest.raises(RPCFault) as fault:
        start(*google(account(provider, **members))).request("accessToken", {"account": "a"})
    assert fault.value.kind == "configurationInvalid" and problem in fault.value.message and provider.requests == []
    assert "BEGIN" not in json.dumps(fault.value.data) + fault.value.message


def external(provider, source: dict, **members) -> dict:
    return {
        "type": "external_account", "audience": "//iam.example/pools/p", "subject_token_type": TYPE + "jwt", "token_url": provider.url + "/sts",
        "credential_source": source, **members}


@pytest.mark.parametrize("kind", ["file", "json", "url", "executable"])
def test_a_workload_of_another_platform(start, google, provider, platform, tmp_path, kind):
    provider.instead["/sts"] = lambda request: provider.issue()
    platform.instead["/job"] = lambda request: Response.of({"value": "a.platform.token"})
    (tmp_path / "token").write_text("a.platform.token\n")
    (tmp_path / "token.json").write_text(json.dumps({"nested": 1, "id_token": "a.platform.token"}))
    answer = {"version": 1, "success": True, "token_type": TYPE + "id_token", "id_token": "a.platform.token"}
    (tmp_path / "answer.json").write_text(json.dumps(answer))
    command = f"cat {tmp_path}/answer.json"
    source = {
        "file": {"file": str(tmp_path / "token")},
        "json": {"file": str(tmp_path / "token.json"), "format": {"type": "json", "subject_token_field_name": "id_token"}},
        # As google-github-actions/auth writes it.
        "url": {"url": platform.url + "/job?api=2&audience=x", "headers": {"Authorization": "Bearer of-the-job"},
                "format": {"type": "json", "subject_token_field_name": "value"}},
        "executable": {"executable": {"command": command}},
    }[kind]
    options = google(external(provider, source), **({"executable": command} if kind == "executable" else {}))
    assert start(*options).request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    (form,) = [dict(urllib.parse.parse_qsl(request.body.decode())) for request in provider.requests if request.path == "/sts"]
    assert form == {
        "grant_type": EXCHANGE, "audience": "//iam.example/pools/p", "subject_token": "a.platform.token", "subject_token_type": TYPE + "jwt",
        "requested_token_type": TYPE + "access_token", "scope": "s-1 s-2"}
    if kind == "url":
        (asked,) = platform.requests
        assert asked.headers["Authorization"] == "Bearer of-the-job" and asked.target == "/job?api=2&audience=x"


def test_a_command_learns_what_its_token_is_for(start, google, provider, tmp_path):
    """By the variables of google-auth. A token that has ended is not sent."""
    answer = {"version": 1, "success": True, "token_type": TYPE + "jwt", "id_token": "a.platform.token", "expiration_time": 1_700_000_000}
    (tmp_path / "answer.json").write_text(json.dumps(answer))
    (tmp_path / "run").write_text(f'#!/bin/sh\nenv > {tmp_path}/env\nexec cat "$1"\n')
    (tmp_path / "run").chmod(0o755)
    command = f"{tmp_path}/run {tmp_path}/answer.json"
    url = "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/robot@project.example" + GENERATE
    options = google(external(provider, {"executable": {"command": command}}, service_account_impersonation_url=url), executable=command)
    with pytest.raises(RPCFault) as fault:
        start(*options).request("accessToken", {"account": "a"})
    assert "printed an ended token" in fault.value.message and provider.requests == []
    variables = dict(line.split("=", 1) for line in (tmp_path / "env").read_text().splitlines() if line.startswith("GOOGLE_EXTERNAL_ACCOUNT_"))
    assert {name.removeprefix("GOOGLE_EXTERNAL_ACCOUNT_"): value for name, value in variables.items()} == {
        "AUDIENCE": "//iam.example/pools/p", "TOKEN_TYPE": TYPE + "jwt", "INTERACTIVE": "0", "REVOKE": "0", "IMPERSONATED_EMAIL": "robot@project.example"}


@pytest.mark.parametrize("name", ["token_url", "service_account_impersonation_url"])
def test_a_file_sends_what_it_reads_to_no_other_server(start, google, provider, platform, tmp_path, name):
    (tmp_path / "private").write_text("a private file")
    options = google({**external(provider, {"file": str(tmp_path / "private")}), name: platform.url + "/x"})
    with pytest.raises(RPCFault) as fault:
        start(*options).request("accessToken", {"account": "a"})
    assert f"a {name} at a server that is neither Google's" in fault.value.message and provider.requests + platform.requests == []


@pytest.mark.parametrize("executable", [None, "cat /etc/hostname"])
def test_a_command_of_a_file_runs_only_if_the_configuration_names_it(start, google, provider, tmp_path, executable):
    source = {"executable": {"command": f"touch {tmp_path}/ran"}}
    options = google(external(provider, source), **({"executable": executable} if executable else {}))
    with pytest.raises(RPCFault) as fault:
        start(*options).request("accessToken", {"account": "a"})
    assert "runs only if" in fault.value.message and not (tmp_path / "ran").exists() and provider.requests == []


def test_a_workload_impersonates_a_service_account(start, google, provider, platform, tmp_path):
    (tmp_path / "token").write_text("a.platform.token")
    provider.instead["/sts"] = lambda request: Response.of({"access_token": "federated", "token_type": "Bearer", "expires_in": 3600})
    provider.living.add("of-the-robot")
    path = "/v1/robot@project.example" + GENERATE
    provider.instead[path] = lambda request: Response.of({"accessToken": "of-the-robot", "expireTime": "2099-01-01T00:00:00Z"})
    options = google(external(provider, {"file": str(tmp_path / "token")}, service_account_impersonation_url=provider.url + path))
    peer = start(*options)
    assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200
    assert peer.request("account", {"account": "a"})["expiresAt"] == 4070908800
    (exchange, impersonation) = provider.requests[:2]
    assert dict(urllib.parse.parse_qsl(exchange.body.decode()))["scope"] == IAM
    assert json.loads(impersonation.body) == {"scope": ["s-1", "s-2"], "lifetime": "3600s"}
    assert (impersonation.headers["Authorization"], impersonation.path) == ("Bearer federated", path)
    provider.instead[path] = lambda request: Response.of({"error": {"code": 403, "status": "PERMISSION_DENIED", "message": "federated may not"}}, 403)
    with pytest.raises(RPCFault) as fault:
        peer.request("refresh", {"account": "a", "force": True})
    assert "PERMISSION_DENIED" in fault.value.message and "federated" not in json.dumps(fault.value.data) + fault.value.message

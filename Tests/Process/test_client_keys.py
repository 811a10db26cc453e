"""Clients that authenticate by a key: what is signed, where it goes, where the key comes from, and what is said of a wrong one."""

import json
import os
import subprocess
import sys
import time
import urllib.parse
from email.utils import formatdate

import jwt
import pytest
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from jwcrypto import jwk

import browser
from provider import Response
from rpc import BINARY, RPCFault
from signing_in import authorize
from store_keys import keyring  # noqa: F401, a fixture

TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


@pytest.fixture(scope="session")
def keys(tmp_path_factory):
    """Private keys by openssl: their PEM by name."""
    folder = tmp_path_factory.mktemp("keys")

    def made(name: str, *words: str) -> str:
        subprocess.run(["openssl", *words, "-out", folder / name], check=True, capture_output=True, timeout=60)
        return (folder / name).read_text()

    rsa = made("rsa", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")
    sec1 = made("sec1", "ecparam", "-name", "prime256v1", "-genkey")
    return {
        "RS256": rsa,
        "PKCS#1": made("pkcs1", "rsa", "-in", str(folder / "rsa"), "-traditional"),
        "SEC1": sec1,
        "ES256": made("p256", "pkey", "-in", str(folder / "sec1")),
        "ES512": made("p521", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-521"),
        "ES384": made("p384", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"),
        "EdDSA": made("ed", "genpkey", "-algorithm", "ED25519"),
        "encrypted": made("enc", "pkcs8", "-topk8", "-in", str(folder / "sec1"), "-passout", "pass:abcd"),
        "short": made("short", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"),
        "public": made("public", "pkey", "-in", str(folder / "sec1"), "-pubout"),
    }


def form(request) -> dict:
    return dict(urllib.parse.parse_qsl(request.body.decode()))


def assertions(provider) -> list[dict]:
    """The forms of the requests that have an assertion."""
    return [sent for sent in map(form, provider.requests) if "client_assertion" in sent]


def checked(sent: dict, key: str, algorithm: str, audience: str) -> dict:
    """Returns the claims of a form's assertion, which a library has verified."""
    assert sent["client_assertion_type"] == TYPE and sent["client_id"] == "c" and "client_secret" not in sent
    public = load_pem_private_key(key.encode(), None).public_key()
    claims = jwt.decode(sent["client_assertion"], public, [algorithm], audience=audience, issuer="c", subject="c", options={"strict_aud": True})
    assert claims["exp"] - claims["iat"] == 60 and abs(claims["iat"] - time.time()) < 20 and len(claims["jti"]) >= 20
    return claims


def header(sent: dict) -> dict:
    return jwt.get_unverified_header(sent["client_assertion"])


def machine(provider, **more) -> dict:
    """The params for a client that gets a token for itself."""
    description = {**provider.description, "issuer": "https://issuer.example"}
    return provider.parameters(provider=description, flow="clientCredentials", **more)


@pytest.fixture
def configure(home):
    def write(**accounts) -> None:
        folder = home / "config" / "oauth-stdio"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").write_text(json.dumps({"accounts": accounts}))
        (folder / "config.json").chmod(0o600)

    return write


@pytest.mark.parametrize("name, algorithm", [
    ("RS256", "RS256"), *(("RS256", name) for name in ("RS384", "RS512", "PS256", "PS384", "PS512")), ("PKCS#1", "RS256"), ("SEC1", "ES256"),
    ("ES256", "ES256"), ("ES384", "ES384"), ("ES512", "ES512"), ("EdDSA", "EdDSA"),
])
def test_each_form_of_a_key_signs(start, provider, keys, name, algorithm):
    more = {"signingAlgorithm": algorithm} if name == "RS256" != algorithm else {}
    with start() as peer:
        peer.request("authorize", machine(provider, privateKey=keys[name], keyId="k1", **more))
    (sent,) = assertions(provider)
    assert sent["grant_type"] == "client_credentials"
    checked(sent, keys[name], algorithm, "https://issuer.example")
    assert header(sent) == {"alg": algorithm, "kid": "k1", "typ": "client-authentication+jwt"}


@pytest.mark.parametrize("name", ["RS256", "ES256", "ES512", "EdDSA"])
def test_a_jwk_signs_with_its_own_id_and_algorithm(start, provider, keys, name):
    key = json.loads(jwk.JWK.from_pem(keys[name].encode()).export_private())
    key |= {"kid": "own", **({"alg": "PS256"} if name == "RS256" else {})}
    with start() as peer:
        peer.request("authorize", machine(provider, privateKey=json.dumps(key)))
    (sent,) = assertions(provider)
    checked(sent, keys[name], "PS256" if name == "RS256" else name, "https://issuer.example")
    assert header(sent)["kid"] == "own"


@pytest.mark.parametrize("audience", [None, "tokenEndpoint", "https://other.example/"])
def test_every_endpoint_gets_an_assertion_of_its_own(start, provider, keys, audience):
    """Also a request that is sent again: no server accepts an assertion twice."""
    places = {"pushedAuthorizationRequestEndpoint": "/par", "introspectionEndpoint": "/introspect"}
    description = {**provider.description, "issuer": "https://issuer.example", "clientAuthentication": "privateKeyJwt", "assertionType": "JWT"}
    description |= {name: provider.url + path for name, path in places.items()} | {"pushedAuthorizationRequests": "on"}
    description |= {"assertionAudience": audience} if audience else {}
    provider.instead["/par"] = lambda request: Response.of({"request_uri": "urn:x", "expires_in": 60}, 201)
    provider.instead["/introspect"] = lambda request: Response.of({"active": True})
    with start() as peer:
        params = provider.parameters(provider=description, privateKey=keys["EdDSA"])
        identifier = peer.send("authorize", params)
        url = peer.event("signInWasRequested", request=identifier)["url"]
        assert "client_assertion" not in url
        state = form(next(request for request in provider.requests if request.path == "/par"))
        browser.deliver(state["redirect_uri"] + "?" + urllib.parse.urlencode({"code": "x", "state": state["state"]}))
        peer.result(identifier)
        for _ in range(2):
            assert peer.request("refresh", {"account": "a", "force": True})["refreshed"]
        assert peer.request("introspect", {"account": "a"})["active"]
        assert peer.request("revoke", {"account": "a"})["revoked"]
    asked = [request for request in provider.requests if request.method == "POST"]
    assert [request.path for request in asked] == ["/par", "/token", "/token", "/token", "/introspect", "/revoke", "/revoke"]
    seen = set()
    for request in asked:
        wanted = {None: "https://issuer.example", "tokenEndpoint": provider.url + request.path}.get(audience, audience)
        seen.add(checked(form(request), keys["EdDSA"], "EdDSA", wanted)["jti"])
        assert header(form(request)) == {"alg": "EdDSA", "typ": "JWT"} and "Authorization" not in request.headers
    assert len(seen) == len(asked)


def test_a_secret_signs_too(start, provider):
    description = {**provider.description, "issuer": "https://issuer.example", "clientAuthentication": "clientSecretJwt"}
    with start() as peer:
        peer.request("authorize", provider.parameters(provider=description, flow="clientCredentials", clientSecret="s" * 32))
    (sent,) = assertions(provider)
    claims = jwt.decode(sent["client_assertion"], "s" * 32, ["HS256"], audience="https://issuer.example", issuer="c")
    assert claims["sub"] == "c" and header(sent)["typ"] == "client-authentication+jwt" and "client_secret" not in sent


@pytest.mark.parametrize(("way", "member", "algorithm"), [
    ("clientSecretJwt", "clientSecret", "HS384"), ("clientSecretJwt", "clientSecret", "HS512"), ("privateKeyJwt", "privateKey", "HS256"),
])
def test_a_secret_signs_by_the_algorithm_that_is_named(start, provider, configure, way, member, algorithm):
    description = {**provider.description, "issuer": "https://issuer.example", "clientAuthentication": way}
    entry = {"provider": description, "clientId": "c", "flow": "clientCredentials", member: "s" * 64, "signingAlgorithm": algorithm, "keyId": "k1"}
    configure(a=entry)
    with start() as peer:
        peer.request("accessToken", {"account": "a"})
    (sent,) = assertions(provider)
    assert jwt.decode(sent["client_assertion"], "s" * 64, [algorithm], audience="https://issuer.example")["sub"] == "c"
    assert header(sent)["kid"] == "k1"


def test_a_secret_signs_the_assertion_of_a_grant(start, provider, configure):
    """Tableau's connected apps."""
    entry = {"provider": {**provider.description, "assertionAudience": "urn:tableau"}, "clientId": "c", "flow": "jwtBearer"}
    configure(a={**entry, "privateKey": "s" * 64, "signingAlgorithm": "HS256", "assertionClaims": {"sub": "user"}})
    with start() as peer:
        peer.request("accessToken", {"account": "a"})
    (request,) = provider.requests
    assert jwt.decode(form(request)["assertion"], "s" * 64, ["HS256"], audience="urn:tableau")["sub"] == "user"


def test_a_device_sign_in_has_assertions(start, provider, keys):
    codes = {"device_code": "d", "user_code": "U", "verification_uri": "https://x.example/", "expires_in": 60, "interval": 1}
    provider.instead["/device"] = lambda request: Response.of(codes)
    description = {**provider.description, "issuer": "https://issuer.example", "deviceAuthorizationEndpoint": provider.url + "/device"}
    with start() as peer:
        peer.request("authorize", provider.parameters(provider=description, flow="device", privateKey=keys["ES256"]))
    assert [checked(sent, keys["ES256"], "ES256", "https://issuer.example")["aud"] for sent in assertions(provider)] == 2 * ["https://issuer.example"]


def test_metadata_decide_without_being_told(start, provider, keys):
    """A server whose metadata list only private_key_jwt. Its issuer is the audience; a client with an ID does not register itself."""
    published = {
        "issuer": provider.url, "token_endpoint": provider.url + "/token", "registration_endpoint": provider.url + "/register",
        "token_endpoint_auth_methods_supported": ["private_key_jwt"], "grant_types_supported": ["client_credentials"],
    }
    provider.instead["/.well-known/oauth-authorization-server"] = lambda request: Response.of(published)
    with start() as peer:
        params = {"account": "a", "provider": provider.url, "clientId": "c", "flow": "clientCredentials"}
        with pytest.raises(RPCFault) as fault:
            peer.request("authorize", params)
        assert "privateKey" in fault.value.message
        peer.request("authorize", {**params, "privateKey": keys["ES256"]})
    (sent,) = assertions(provider)
    checked(sent, keys["ES256"], "ES256", provider.url)
    assert not any(request.path == "/register" for request in provider.requests)


@pytest.mark.parametrize("preset", ["okta", "okta-org", "microsoft", "microsoft-china"])
def test_the_old_form_where_a_provider_documents_it(start, provider, keys, preset):
    with start() as peer:
        described = {"preset": preset, "tokenEndpoint": provider.url + "/token"}
        variables = {"domain": "example.okta.com"} if preset.startswith("okta") else {}
        peer.request("authorize", machine(provider, privateKey=keys["RS256"]) | {"provider": described, "variables": variables})
    (sent,) = assertions(provider)
    checked(sent, keys["RS256"], "RS256", provider.url + "/token")
    assert header(sent) == {"alg": "RS256", "typ": "JWT"}


def test_a_wrong_clock_is_corrected_once(start, provider, keys):
    """An hour ago here: the server rejects the first assertion, and its Date says why."""
    ahead = 3600

    def token(request):
        claims = jwt.decode(form(request)["client_assertion"], options={"verify_signature": False})
        if abs(claims["iat"] - time.time() - ahead) > 30:
            return Response.of({"error": "invalid_client"}, 401, Date=formatdate(time.time() + ahead, usegmt=True))

    provider.instead["/token"] = token
    with start() as peer:
        peer.request("authorize", machine(provider, privateKey=keys["ES256"]))
        # What was learned counts from the first request on.
        peer.request("refresh", {"account": "a", "force": True})
        first, second, third = [jwt.decode(sent["client_assertion"], options={"verify_signature": False}) for sent in assertions(provider)]
        assert first["jti"] != second["jti"] and second["iat"] - first["iat"] >= 3590 and third["iat"] >= second["iat"]
    provider.instead["/token"] = lambda request: Response.of({"error": "invalid_client"}, 401, Date=formatdate(usegmt=True))
    with start() as peer, pytest.raises(RPCFault):
        peer.request("authorize", machine(provider, account="b", privateKey=keys["ES256"]))
    assert len(assertions(provider)) == 4


def test_a_refused_refresh_token_is_not_sent_again_for_the_clock(start, provider, keys):
    """It is used up, and a server may end the login of a token that comes twice."""
    description = {**provider.description, "issuer": "https://issuer.example"}
    with start() as peer:
        authorize(peer, provider.approve, **provider.parameters(provider=description, privateKey=keys["ES256"]))
        provider.instead["/token"] = lambda request: Response.of({"error": "invalid_grant"}, 400, Date=formatdate(time.time() + 3600, usegmt=True))
        with pytest.raises(RPCFault):
            peer.request("refresh", {"account": "a", "force": True})
    assert [sent["grant_type"] for sent in assertions(provider)] == ["authorization_code", "refresh_token"]


def test_a_key_of_a_request_is_sealed_with_the_grant(start, home, provider, keys):
    description = {**provider.description, "issuer": "https://issuer.example"}
    with start() as peer:
        authorize(peer, provider.approve, **provider.parameters(provider=description, privateKey=keys["ES256"], keyId="k"))
    with start() as peer:
        assert peer.request("refresh", {"account": "a", "force": True})["refreshed"]
    assert [header(sent)["kid"] for sent in assertions(provider)] == ["k", "k"]
    body = "".join(keys["ES256"].splitlines()[1:-1])[:40]
    assert not any(body.encode() in file.read_bytes() for file in home.rglob("*") if file.is_file())


@pytest.mark.parametrize("member", ["privateKey", "keyId", "clientSecret"])
def test_another_credential_replaces_the_stored_one(start, provider, keys, member):
    """A user who replaces it signs in with it once, whether or not the token is still valid. The next renewal has it."""
    old = {"clientSecret": "the old secret"} if member == "clientSecret" else {"privateKey": keys["ES256"], "keyId": "old"}
    new = {"clientSecret": {"clientSecret": "the new secret"}, "keyId": {**old, "keyId": "new"}, "privateKey": {"privateKey": keys["EdDSA"], "keyId": "new"}}[member]
    with start() as peer:
        description = {**provider.description, "issuer": "https://issuer.example", "clientAuthentication": "body"}
        params = provider.parameters(provider=description)
        authorize(peer, provider.approve, **params, **old)
        assert peer.request("authorize", {**params, **new})["via"] == "stored"
    with start() as peer:
        assert peer.request("refresh", {"account": "a", "force": True})["refreshed"]
    first, last = [form(request) for request in provider.requests if request.path == "/token"]
    if member == "clientSecret":
        assert (first["client_secret"], last["client_secret"]) == ("the old secret", "the new secret")
    else:
        checked(last, new["privateKey"], "ES256" if member == "keyId" else "EdDSA", "https://issuer.example")
        assert (header(first)["kid"], header(last)["kid"]) == ("old", "new")


def test_a_key_id_without_its_key_is_rejected(start, provider, keys):
    with start() as peer, pytest.raises(RPCFault) as fault:
        peer.request("authorize", provider.parameters(keyId="k"))
    assert fault.value.message.startswith("/keyId needs a privateKey") and not provider.requests


@pytest.fixture
def signer(tmp_path, keys):
    """A command that signs with openssl, as one of a token or an agent would. Its word is the form of the signature."""
    (tmp_path / "signer.pem").write_text(keys["ES256"])
    script = tmp_path / "sign"
    script.write_text(f"""#!/bin/sh
case $1 in
fail) echo "the PIN 4711 is wrong" >&2; exit 7 ;;
hang) exec sleep 3 ;;
esac
openssl dgst -sha256 -sign {tmp_path}/signer.pem > {tmp_path}/der
test $1 = der && exec cat {tmp_path}/der
exec {sys.executable} -c 'import sys
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
r, s = decode_dss_signature(open("{tmp_path}/der", "rb").read())
sys.stdout.buffer.write(r.to_bytes(32, "big") + s.to_bytes(32, "big"))'
""")
    script.chmod(0o755)
    return script


@pytest.mark.parametrize("source", ["text", "file", "env", "command", "sign"])
def test_a_configured_key_is_never_stored(start, home, configure, provider, keys, signer, tmp_path, source):
    (tmp_path / "key.pem").write_text(keys["ES256"])
    (tmp_path / "key.pem").chmod(0o600)
    # A variable of a container has no line ends.
    variable = keys["ES256"].strip().replace("\n", "\\n")
    key = {
        "text": keys["ES256"], "file": {"file": str(tmp_path / "key.pem")}, "env": {"env": "KEY"},
        "command": {"command": ["cat", str(tmp_path / "key.pem")]}, "sign": {"sign": [str(signer), "raw"]},
    }[source]
    entry = machine(provider, privateKey=key, signingAlgorithm="ES256", keyId="k") | {"flow": "auto"}
    del entry["account"]
    configure(a=entry)
    with start(environment={"KEY": variable}) as peer:
        authorize(peer, provider.approve, account="a")
        assert peer.request("refresh", {"account": "a", "force": True})["refreshed"]
    for sent in assertions(provider):
        checked(sent, keys["ES256"], "ES256", "https://issuer.example")
        assert header(sent)["kid"] == "k"
    assert len(assertions(provider)) == 2
    configure(a={name: value for name, value in entry.items() if name not in ("privateKey", "keyId", "signingAlgorithm")})
    with start() as peer, pytest.raises(RPCFault) as fault:
        peer.request("refresh", {"account": "a", "force": True})
    assert "is missing" in fault.value.message and len(assertions(provider)) == 2
    configure(a=entry)
    with start(environment={"KEY": variable}) as peer:
        assert peer.request("refresh", {"account": "a", "force": True})["refreshed"]


def test_a_configured_key_replaces_the_secret_of_a_login(start, configure, provider, keys):
    entry = machine(provider) | {"flow": "auto"}
    with start() as peer:
        authorize(peer, provider.approve, **entry, clientSecret="the old secret")
    assert not assertions(provider)
    del entry["account"]
    configure(a=entry | {"privateKey": keys["ES256"]})
    with start() as peer:
        assert peer.request("refresh", {"account": "a", "force": True})["refreshed"]
        assert peer.request("revoke", {"account": "a"})["revoked"]
    assert len(assertions(provider)) == 3
    checked(assertions(provider)[0], keys["ES256"], "ES256", "https://issuer.example")


@pytest.mark.parametrize("source", ["file", "sign"])
def test_a_configured_key_signs_only_for_the_configured_provider(start, configure, provider, keys, signer, tmp_path, source):
    (tmp_path / "key.pem").write_text(keys["ES256"])
    entry = machine(provider, privateKey={"file": str(tmp_path / "key.pem")} if source == "file" else {"sign": [str(signer), "raw"]}, signingAlgorithm="ES256")
    del entry["account"]
    configure(a=entry)
    evil = {**entry["provider"], "tokenEndpoint": provider.url.replace("127.0.0.1", "localhost") + "/token"}
    with start() as peer, pytest.raises(RPCFault) as fault:
        peer.request("authorize", {"account": "a", "provider": evil})
    assert "/provider" in fault.value.message and not provider.requests
    del entry["provider"]
    configure(a=entry)
    with start() as peer, pytest.raises(RPCFault) as fault:
        peer.request("authorize", {"account": "a", "provider": evil})
    assert "name the provider here as well" in fault.value.message and not provider.requests


@pytest.mark.parametrize("word, problem", [
    ("fail", "it ended with status 7"), ("der", "R and S concatenated and not DER"), ("hang", "issued no token within 1 s"),
])
def test_what_is_said_of_a_command_that_does_not_sign(start, configure, provider, signer, word, problem):
    entry = machine(provider, privateKey={"sign": [str(signer), word]}, signingAlgorithm="ES256")
    del entry["account"]
    configure(a=entry)
    with start() as peer:
        with pytest.raises(RPCFault) as fault:
            peer.request("authorize", {"account": "a", **({"timeout": 1} if word == "hang" else {})})
        assert problem in fault.value.message and "4711" not in fault.value.message
        assert fault.value.kind == "timedOut" or fault.value.data["path"] == "/accounts/a/privateKey"
    assert not provider.requests


@pytest.mark.parametrize("flow", ["clientCredentials", "jwtBearer"])
def test_the_end_does_not_wait_for_a_command_that_signs(start, configure, provider, tmp_path, flow):
    entry = machine(provider, privateKey={"sign": ["sh", "-c", f"sleep 20; touch {tmp_path}/ended"]}, signingAlgorithm="ES256") | {"flow": flow}
    del entry["account"]
    configure(a=entry)
    peer = start()
    with pytest.raises(RPCFault) as fault:
        peer.request("accessToken", {"account": "a", "timeout": 1})
    assert fault.value.kind == "timedOut" and peer.finish() == 0 and not provider.requests and not (tmp_path / "ended").exists()


@pytest.mark.parametrize("name, more, problem", [
    ("encrypted", {}, "openssl pkey -in FILE -out NEW"), ("short", {}, "less than 2048 bits"), ("public", {}, "is a PUBLIC KEY"),
    ("ES256", {"signingAlgorithm": "RS256"}, "set signingAlgorithm to ES256"),
])
@pytest.mark.parametrize("way", ["request", "configuration"])
def test_what_is_said_of_a_wrong_key(start, configure, provider, keys, tmp_path, name, more, problem, way):
    with start() as peer:
        params = machine(provider, privateKey=keys[name], **more)
        if way == "configuration":
            (tmp_path / "key.pem").write_text(keys[name])
            params.pop("account")
            params["privateKey"] = {"file": str(tmp_path / "key.pem")}
            configure(a=params)
            params = {"account": "a"}
        with pytest.raises(RPCFault) as fault:
            peer.request("authorize", params)
        assert fault.value.kind == "configurationInvalid" and problem in fault.value.message
        assert fault.value.data["path"] == ("/privateKey" if way == "request" else "/accounts/a/privateKey")
        assert keys[name].splitlines()[1] not in json.dumps(peer.all_json())
    assert not provider.requests


def test_the_line_for_an_encrypted_key_opens_it(start, provider, keys, tmp_path):
    (tmp_path / "FILE").write_text(keys["encrypted"])
    line = "openssl pkey -in FILE -out NEW"
    subprocess.run([*line.split(), "-passin", "pass:abcd"], cwd=tmp_path, check=True)
    with start() as peer:
        peer.request("authorize", machine(provider, privateKey=(tmp_path / "NEW").read_text()))
    checked(assertions(provider)[0], keys["ES256"], "ES256", "https://issuer.example")


def test_an_unknown_issuer_is_named_before_a_page(start, provider, keys):
    with start() as peer, pytest.raises(RPCFault) as fault:
        peer.request("authorize", provider.parameters(privateKey=keys["ES256"]))
    assert fault.value.data["path"] == "/provider/issuer" and "assertionAudience" in fault.value.message


def test_neither_key_nor_assertion_is_shown(start, provider, keys, tmp_path):
    params = machine(provider, privateKey=keys["ES256"])
    provider.instead["/token"] = lambda request: Response.of(
        {"error": "invalid_request", "error_description": "wrong: " + form(request)["client_assertion"]}, 400)
    with start("--log-level", "debug", "--log", tmp_path / "log") as peer:
        steps = peer.request("authorize", {**params, "dryRun": True})["dryRun"]["requests"]
        assert "client_assertion=CLIENT_ASSERTION" in next(step["body"] for step in steps if step["step"] == "token")
        with pytest.raises(RPCFault):
            peer.request("authorize", params)
        said = json.dumps(peer.all_json()) + (tmp_path / "log").read_text()
    assert keys["ES256"].splitlines()[1] not in said and assertions(provider)[0]["client_assertion"] not in said


def test_the_help_says_how_to_replace_a_key():
    for words in (["help", "key"], ["--man"]):
        shown = subprocess.run([BINARY, *words], capture_output=True, text=True, timeout=60, check=True).stdout
        assert "register the second one beside the first" in " ".join(shown.split())


def new_key(home, *words, status=0, **environment):
    own = {**os.environ, "HOME": str(home), **environment}
    done = subprocess.run([BINARY, "key", "new", *words], capture_output=True, text=True, timeout=60, cwd=home, env=own)
    assert done.returncode == status, done.stderr
    return done


@pytest.mark.parametrize("algorithm", ["ES256", "RS256", "EdDSA"])
def test_a_new_key_signs_and_is_never_overwritten(start, home, provider, configure, algorithm):
    home.mkdir(exist_ok=True)
    done = new_key(home, "--file", "key.pem", "--algorithm", algorithm)
    public = json.loads(done.stdout)
    assert "d" not in public and public["kid"] == jwk.JWK(**public).thumbprint() and "second" in done.stderr
    assert (home / "key.pem").stat().st_mode & 0o777 == 0o600
    text = (home / "key.pem").read_text()
    assert text.endswith("-----\n") and text not in done.stdout + done.stderr
    assert "exists already" in new_key(home, "--file", "key.pem", status=2).stderr and (home / "key.pem").read_text() == text
    pem = new_key(home, "--file", "other.pem", "--pem").stdout
    assert pem.startswith("-----BEGIN PUBLIC KEY-----\n") and pem.endswith("-----END PUBLIC KEY-----\n")
    # The line that it prints is what the configuration needs.
    members = json.loads(next(line for line in done.stderr.splitlines() if line.strip().startswith("{")))
    entry = machine(provider) | members
    del entry["account"]
    configure(a=entry)
    with start() as peer:
        peer.request("authorize", {"account": "a"})
    (sent,) = assertions(provider)
    checked(sent, text, algorithm, "https://issuer.example")
    assert header(sent)["kid"] == public["kid"]


def test_a_new_key_in_the_keyring(start, home, provider, configure, keyring):
    home.mkdir(exist_ok=True)
    public = json.loads(new_key(home, "--keyring", "work", **keyring.environment).stdout)
    assert "already" in new_key(home, "--keyring", "work", status=2, **keyring.environment).stderr
    entry = machine(provider, privateKey={"keyring": "work"})
    del entry["account"]
    configure(a=entry)
    with start(environment=keyring.environment) as peer:
        peer.request("authorize", {"account": "a"})
    (sent,) = assertions(provider)
    jwt.decode(sent["client_assertion"], jwk.JWK(**public).export_to_pem(), ["ES256"], audience="https://issuer.example")

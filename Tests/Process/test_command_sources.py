"""Sources of keys and tokens among the words of a command. They count as the account's entry in the configuration, for that command."""

import json
import os
import subprocess
import urllib.parse

import jwt
import pytest
from jwcrypto import jwk

from certificates import Authority
from provider import Response
from rpc import BINARY
from test_client_certificates import Secure
from test_client_keys import assertions, checked, keys, signer  # noqa: F401, fixtures
from test_service_accounts import RSA_PEM, claims
from test_workload import sent

ISSUER = "https://issuer.example"


@pytest.fixture
def run(home, provider):
    """Returns `run(*words, **environment)`, which runs a command in a home of its own."""
    home.mkdir(exist_ok=True)

    def command(*words, status: int = 0, **environment) -> subprocess.CompletedProcess:
        own = {"PATH": os.environ["PATH"], "HOME": str(home), **environment}
        done = subprocess.run([BINARY, *map(str, words)], env=own, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, cwd=home)
        assert done.returncode == status, done
        return done

    return command


@pytest.fixture
def words(provider):
    """The words of `login` for an account of a client with an ID."""
    return ["login", "a", "--provider", json.dumps({**provider.description, "issuer": ISSUER}), "--clientId", "c"]


@pytest.mark.parametrize("source", ["file", "env", "command", "sign", "JWK", "@file"])
def test_a_key_has_a_source(run, words, provider, keys, signer, tmp_path, home, source):  # noqa: F811
    (tmp_path / "key").write_text(keys["ES256"])
    (tmp_path / "key").chmod(0o600)
    word = {
        "file": json.dumps({"file": str(tmp_path / "key")}), "env": '{"env": "KEY"}', "command": json.dumps({"command": ["cat", str(tmp_path / "key")]}),
        "sign": json.dumps({"sign": [str(signer), "raw"]}), "JWK": jwk.JWK.from_pem(keys["ES256"].encode()).export_private(), "@file": f"@{tmp_path}/key"}[source]
    run(*words, "--flow", "clientCredentials", "--privateKey", word, "--signingAlgorithm", "ES256", KEY=keys["ES256"])
    checked(assertions(provider)[0], keys["ES256"], "ES256", ISSUER)
    # As with the configuration, a source leaves nothing in the grant, and a text does.
    later = run("refresh", "a", "--force", status=0 if source in ("JWK", "@file") else 2)
    assert later.returncode == 0 or "is missing" in later.stderr
    body = "".join(keys["ES256"].splitlines()[1:-1])[:40]
    assert not any(body.encode() in file.read_bytes() for file in home.rglob("*") if file.is_file())


@pytest.mark.parametrize("member", ["subjectToken", "clientAssertion"])
@pytest.mark.parametrize("source", ["file", "env", "githubActions", "account"])
def test_a_token_has_a_source(run, words, provider, tmp_path, member, source):
    (tmp_path / "token").write_text("t.t.t\n")
    provider.instead["/job"] = lambda request: Response.of({"value": "t.t.t"})
    environment = {"TOKEN": "t.t.t", "ACTIONS_ID_TOKEN_REQUEST_URL": provider.url + "/job", "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "r"}
    if source == "account":
        (tmp_path / "grant").write_text(json.dumps({"access_token": "t.t.t"}))
        run("import", "b", tmp_path / "grant", "--provider", json.dumps(provider.description), "--clientId", "i")
    flow = "jwtBearer" if member == "subjectToken" else "clientCredentials"
    value = {"file": str(tmp_path / "token"), "env": "TOKEN", "githubActions": "x", "account": "b"}[source]
    run(*words, "--flow", flow, f"--{member}", json.dumps({source: value}), **environment)
    (form,) = sent(provider)
    assert form["assertion" if member == "subjectToken" else "client_assertion"] == "t.t.t"


def test_a_variable_is_no_source(run, provider):
    described = {"tokenEndpoint": provider.url + "/{file}"}
    run("login", "a", "--provider", json.dumps(described), "--variables", '{"file": "token"}', "--clientId", "c", "--flow", "jwtBearer", "--subjectToken", "t")
    assert "is missing" not in run("refresh", "a", "--force").stderr and len(sent(provider)) == 2


def test_the_account_may_be_a_param(run, words, provider):
    """The first word need not name an account or a provider."""
    run("login", "--account", "b", *words[2:], "--flow", "jwtBearer", "--subjectToken", '{"env": "TOKEN"}', TOKEN="t.t.t")
    assert sent(provider)[0]["assertion"] == "t.t.t" and run("token", "b").stdout.strip() in provider.living


def test_words_with_a_source_win_over_the_entry(run, words, provider, home):
    (home / "config.json").write_text(json.dumps({"accounts": {"a": {
        "provider": provider.description, "clientId": "of-the-entry", "flow": "tokenExchange", "scopes": ["read"], "subjectToken": {"env": "OTHER"}}}}))
    run("--config", home / "config.json", "login", "a", "--subjectToken", '{"env": "TOKEN"}', TOKEN="t.t.t")
    (form,) = sent(provider)
    assert (form["subject_token"], form["client_id"], form["scope"]) == ("t.t.t", "of-the-entry", "read")
    # The next command reads the configuration alone.
    run("--config", home / "config.json", "refresh", "a", "--force", OTHER="o.o.o")
    assert sent(provider)[-1]["subject_token"] == "o.o.o"


@pytest.mark.parametrize("words", [["--provider", '{"tokenEndpoint": "https://other.example/token"}'], ["--variables", '{"host": "other.example"}']])
def test_words_send_the_secret_of_the_entry_to_no_other_provider(run, provider, home, words):
    (home / "config.json").write_text(json.dumps({"accounts": {"a": {
        "provider": provider.description, "clientId": "c", "clientSecret": "of-the-entry", "flow": "tokenExchange"}}}))
    done = run("--config", home / "config.json", "login", "a", *words, "--subjectToken", '{"env": "TOKEN"}', TOKEN="t.t.t", status=2)
    assert "is the configuration's for this account" in done.stderr and not sent(provider)


@pytest.mark.parametrize("form", ["source", "@file"])
def test_a_service_account(run, provider, tmp_path, form):
    file = tmp_path / "account.json"
    file.write_text(json.dumps({
        "type": "service_account", "client_email": "robot@example.com", "private_key": RSA_PEM, "private_key_id": "k", "token_uri": provider.url + "/token"}))
    file.chmod(0o600)
    google = json.dumps({"preset": "google", "tokenEndpoint": provider.url + "/token"})
    word = json.dumps({"file": str(file)}) if form == "source" else f"@{file}"
    run("login", "a", "--provider", google, "--scopes", "s", "--serviceAccount", word, "--subject", "user@example.com")
    assert claims(sent(provider)[0]["assertion"])[1]["sub"] == "user@example.com"


def test_a_certificate_in_pkcs12(run, tmp_path):
    authority = Authority(tmp_path)
    (tmp_path / "alice.p12").write_bytes(authority.client("alice").pkcs12("open sesame"))
    (tmp_path / "alice.p12").chmod(0o600)
    certificate = {"pkcs12": {"file": str(tmp_path / "alice.p12")}, "password": {"env": "PASSWORD"}}
    with Secure(authority) as secure:
        own = ["--provider", json.dumps(secure.account["provider"]), "--clientId", "c", "--flow", "clientCredentials"]
        run("login", "a", *own, "--clientCertificate", json.dumps(certificate), PASSWORD="open sesame", SSL_CERT_FILE=str(authority.file))
        assert secure.seen("/token") == ["alice"]


@pytest.mark.parametrize(("given", "problem"), [
    (["login", "a", "--subjectToken", '{"file": "token"}', "--flow", "jwtBearer"], "/subjectToken/file must be an absolute path"),
    (["login", "a", "--privateKey", '{"sign": ["x"]}'], "/signingAlgorithm is missing"),
    (["login", "a", "--subjectToken", '{"env": "NOT_SET"}', "--flow", "jwtBearer", "--provider", '{"tokenEndpoint": "https://x.example/"}'], "NOT_SET, which is not set"),
    (["login", "a", "--subject", "u@example.com"], "/subject needs a serviceAccount"),
    (["import", "a", "-", "--provider", "google", "--clientSecret", '{"env": "SECRET"}'], "only login and authorize take a source"),
    (["authorize", "--provider", "google", "--serviceAccount", '{"file": "/x"}'], "a source needs the name of the account")])
def test_what_is_said_of_a_wrong_source(run, given, problem):
    assert problem in run(*given, status=2).stderr


def test_the_help_has_them(run):
    for name in ("login", "authorize"):
        shown = " ".join(run("help", name).stdout.split())
        assert "--serviceAccount TEXT|JSON" in shown and "may also be a source as in the configuration" in shown

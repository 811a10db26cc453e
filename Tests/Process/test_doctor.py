"""`doctor`, and the method `diagnose`: why a sign-in fails, against real servers where they can be made to fail."""

import email.utils
import json
import shlex
import socket
import time

import pytest

import signing_in
from provider import Response
from store_keys import keyring  # noqa: F401, a fixture
from test_command_line import METHODS, Shell
from test_registration import Registrar


@pytest.fixture
def shell(home):
    return Shell(home)


def findings(shell, *words) -> dict[str, list[dict]]:
    """Returns what the method finds, by check."""
    found: dict[str, list[dict]] = {}
    for finding in shell.result(*words[:-1], "diagnose", *([words[-1]] if words[-1] else []))["findings"]:
        found.setdefault(finding["check"], []).append(finding)
    return found


def configure(shell, **account):
    file = shell.home / "config.json"
    file.write_text(json.dumps({"accounts": {"a": account}}))
    file.chmod(0o600)
    return "--config", file


def configured(shell, server, **more) -> tuple:
    parameters = server.parameters(**more)
    known = ["provider", "clientId", "clientSecret", "scopes", "redirectUri"]
    return configure(shell, **{name: parameters[name] for name in known if name in parameters})


def states(found: dict, *checks: str) -> dict[str, list[str]]:
    return {check: [finding["state"] for finding in found.get(check, [])] for check in checks}


def test_a_machine_without_accounts(shell):
    done = shell.run("doctor")
    assert [line.split()[:2] for line in done.stdout.splitlines() if not line.startswith(" ")] == [
        ["ok", "configuration"], ["ok", "store"], ["ok", "key"], ["ok", "browser"], ["oauth-stdio", "0.3.0,"]]
    assert "libcurl/" in done.stdout and "OpenSSL" in done.stdout


def test_an_account_in_order(shell, dot, start):
    config = configured(shell, dot)
    found = findings(shell, *config, "a")
    assert states(found, "provider", "redirect", "client", "page", "clock") == {
        "provider": ["ok"], "redirect": ["ok"], "client": ["ok"], "page": ["ok"], "clock": ["ok"]}
    assert found["redirect"][0]["message"] == "the process sends the redirect URI http://127.0.0.1/callback, with any free port"
    assert shell.run(*config, "doctor", "a").stdout.count("\nok ") >= 8


def test_a_client_that_the_provider_does_not_know(shell, dot):
    config = configured(shell, dot, clientId="unknown")
    found = findings(shell, *config, "a")
    assert states(found, "client") == {"client": ["failed"]}
    assert "compare the client's ID and secret" in found["client"][0]["advice"]
    done = shell.run(*config, "doctor", "a", status=1)
    assert "FAILED   client" in done.stdout and "→ compare the client's ID" in done.stdout


def test_a_secret_that_is_wrong(shell, dot):
    name, secret, scopes = dot.service
    provider = {**dot.provider, "clientAuthentication": "body"}
    assert states(findings(shell, *configure(shell, provider=provider, clientId=name, clientSecret=secret, flow="clientCredentials", scopes=scopes), "a"), "client") == {"client": ["ok"]}
    config = configure(shell, provider=provider, clientId=name, clientSecret="wr0ng-secret", flow="clientCredentials", scopes=scopes)
    done = shell.run(*config, "doctor", "a", status=1)
    assert "FAILED   client" in done.stdout and "wr0ng-secret" not in done.stdout + done.stderr


def test_a_client_that_gets_no_token_for_itself(shell, provider):
    provider.instead["/token"] = lambda request: Response.of({"error": "invalid_scope", "error_description": "not for you"}, 400)
    found = findings(shell, *configure(shell, provider=provider.description, clientId="c", clientSecret="s", flow="clientCredentials"), "a")
    assert states(found, "client") == {"client": ["failed"]} and "invalid_scope: not for you" in found["client"][0]["message"], found


@pytest.mark.parametrize("status", [200, 400])
def test_a_page_is_reported_by_its_status(shell, provider, status):
    provider.instead["/authorize"] = lambda request: Response(status, b"page", {"Location": "/error"})
    (page,) = findings(shell, *configured(shell, provider), "a")["page"]
    assert (page["state"], page["message"]) == (
        "ok" if status == 200 else "warning", f"127.0.0.1 answers the request for the page with status {status}")
    assert ("the redirect URI" in page.get("advice", "")) == (status == 400)


@pytest.mark.parametrize(("answer", "state"), [({"error": "invalid_grant"}, "ok"), ({"error": "invalid_client"}, "failed"), ({}, "warning")])
def test_what_the_provider_answers_to_a_made_up_code(shell, provider, answer, state):
    provider.instead["/token"] = lambda request: Response.of(answer, 400)
    found = findings(shell, *configured(shell, provider), "a")
    assert states(found, "client") == {"client": [state]} and (state == "warning" or answer["error"] in found["client"][0]["message"])


def test_scopes_and_authentication_that_the_provider_does_not_publish(shell, provider):
    published = {
        "issuer": provider.url, "authorization_endpoint": provider.url + "/authorize", "token_endpoint": provider.url + "/token",
        "scopes_supported": ["openid", "read"], "token_endpoint_auth_methods_supported": ["client_secret_post"], "response_types_supported": ["code"]}
    provider.instead["/.well-known/oauth-authorization-server"] = lambda request: Response.of(published)
    described = {**provider.description, "issuer": provider.url}
    found = findings(shell, *configure(shell, provider=described, clientId="c", clientSecret="s", scopes=["read", "raed"]), "a")
    assert states(found, "scopes", "clientAuthentication") == {"scopes": ["warning"], "clientAuthentication": ["warning"]}, found
    assert found["scopes"][0]["message"].endswith("the scopes raed")
    described["clientAuthentication"] = "body"
    found = findings(shell, *configure(shell, provider=described, clientId="c", clientSecret="s", scopes=["read"]), "a")
    assert states(found, "scopes", "clientAuthentication") == {"scopes": [], "clientAuthentication": []}


def test_a_clock_that_is_wrong(shell, provider):
    date = email.utils.formatdate(time.time() + 3600, usegmt=True)
    provider.instead["/authorize"] = lambda request: Response(200, b"page", {"Date": date})
    config = configured(shell, provider)
    found = findings(shell, *config, "a")
    assert states(found, "clock") == {"clock": ["failed"]} and " s behind that of 127.0.0.1" in found["clock"][0]["message"], found


def test_a_redirect_port_that_another_program_holds(shell, provider):
    with socket.create_server(("127.0.0.1", 0)) as other:
        uri = f"http://127.0.0.1:{other.getsockname()[1]}/callback"
        config = configure(shell, provider=provider.description, clientId="c", redirectUri=uri)
        found = findings(shell, *config, "a")
        assert states(found, "redirect", "port") == {"redirect": ["ok"], "port": ["failed"]}
        assert f"another program uses the port {other.getsockname()[1]}" in found["port"][0]["message"]
    assert states(findings(shell, *config, "a"), "port") == {"port": []}


def test_a_sign_in_without_a_page_needs_no_browser(shell, provider):
    shell.environment |= {"BROWSER": "", "DISPLAY": ""}
    for flow, browser in (("auto", ["warning"]), ("device", []), ("clientCredentials", [])):
        config = configure(shell, provider=provider.description, clientId="c", clientSecret="s3cret", flow=flow)
        assert states(findings(shell, *config, "a"), "browser") == {"browser": browser}


def test_the_certificates_in_force(shell, tmp_path):
    file = tmp_path / "ca.pem"
    file.touch()
    shell.environment |= {"SSL_CERT_FILE": str(file)}
    [found] = findings(shell, "")["certificates"]
    assert found == {"check": "certificates", "state": "ok", "message": f"SSL_CERT_FILE is in force: {file}"}
    shell.environment |= {"CURL_CA_BUNDLE": "/missing.pem"}
    [found] = findings(shell, "")["certificates"]
    assert found["state"] == "failed" and found["message"] == (
        "CURL_CA_BUNDLE is in force: /missing.pem, which cannot be read; SSL_CERT_FILE is ignored beside it")


def test_an_error_that_the_page_redirects(shell, provider):
    def page(request):
        target = signing_in.redirect(provider.url + request.target, error="invalid_scope", error_description="no \x1b such")
        return Response(302, b"", {"Location": target})

    provider.instead["/authorize"] = page
    found = findings(shell, *configured(shell, provider), "a")
    assert states(found, "page") == {"page": ["failed"]} and "invalid_scope" in found["page"][0]["message"]
    assert "\x1b" not in found["page"][0]["message"]


def test_the_latest_rejection(shell, provider, start):
    config = configured(shell, provider)
    process = shell.start(*config, "login", "a", "--openBrowser=false")
    url = next(line for line in process.stderr if line.startswith("http")).strip()
    provider.approve(url)
    assert process.wait(60) == 0
    provider.instead["/token"] = lambda request: Response.of({"error": "invalid_grant", "error_description": "Session ended"}, 400)
    shell.run(*config, "refresh", "a", "--force", status=3)
    found = findings(shell, *config, "a")
    assert states(found, "grant", "rejection") == {"grant": ["failed"], "rejection": ["failed"]}
    assert "invalid_grant" in found["rejection"][0]["message"] and "Session ended" in found["rejection"][0]["message"], found
    # A new sign-in forgets it.
    del provider.instead["/token"]
    process = shell.start(*config, "login", "a", "--openBrowser=false")
    provider.approve(next(line for line in process.stderr if line.startswith("http")).strip())
    assert process.wait(60) == 0
    assert states(findings(shell, *config, "a"), "grant", "rejection") == {"grant": ["ok"], "rejection": []}


def test_the_signature_base_string(shell, oauthlib1):
    parameters = oauthlib1.parameters()
    config = configure(shell, provider=parameters["provider"], clientId=parameters["clientId"], clientSecret=parameters["clientSecret"])
    found = findings(shell, *config, "a")
    text = found["baseString"][0]["message"]
    assert text.startswith("POST&http%3A%2F%2F127.0.0.1") and "oauth_callback" in text and states(found, "page") == {"page": ["ok"]}, found
    assert parameters["clientSecret"] not in json.dumps(found)


@pytest.mark.parametrize(
    ("endpoint", "environment", "said"),
    [
        ("https://nowhere.invalid", {}, "check the name"),
        ("http://127.0.0.1:1", {}, "check the address"),
        ("https://id.example", {"https_proxy": "http://user:pa55w0rd@127.0.0.1:1"}, "check"),
    ],
)
def test_a_network_that_fails(shell, endpoint, environment, said):
    shell.environment.update(environment)
    config = configure(shell, provider={"authorizationEndpoint": endpoint + "/a", "tokenEndpoint": endpoint + "/t"}, clientId="c")
    found = findings(shell, *config, "a")
    assert "failed" in states(found, "network")["network"] and said in found["network"][0]["advice"]
    assert "pa55w0rd" not in json.dumps(found)
    if environment:
        assert found["proxy"][0]["message"] == "https_proxy is 127.0.0.1:1"


@pytest.fixture
def silent():
    """A server that takes every connection and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def test_a_server_that_never_answers(shell, silent):
    """By default, all looks together take 20 s."""
    assert next(param for param in METHODS["diagnose"]["params"] if param["name"] == "timeout")["schema"]["default"] == 20
    provider = {"issuer": silent, "authorizationEndpoint": silent + "/a", "tokenEndpoint": silent + "/t"}
    config = configure(shell, provider=provider, clientId="c")
    found = {one["check"]: one for one in shell.result(*config, "diagnose", "a", "--timeout", "4")["findings"]}
    said = f"{silent.removeprefix('http://')} did not answer within 2 s"
    # Two checks fail for this reason, and it is told once.
    assert "metadata" not in found and found["network"]["message"] == said and found["network"]["state"] == "failed"
    assert found["network"]["advice"] == "check the address or the proxy, and try again later"
    assert found["page"]["message"] == "not checked, because the time limit was reached" and found["page"]["state"] == "warning"


def test_a_server_whose_metadata_never_come(shell, silent):
    config = configure(shell, provider=silent, clientId="c")
    last = shell.result(*config, "diagnose", "a", "--timeout", "2")["findings"][-1]
    assert (last["check"], last["state"], last["advice"]) == ("network", "failed", "check the address or the proxy, and try again later")


def test_a_configuration_with_a_fault(shell):
    file = shell.home / "config.json"
    file.write_text('{"accounts": {"a": {"clientID": "c"}}}')
    found = findings(shell, "--config", file, "")
    assert states(found, "configuration") == {"configuration": ["failed"]} and "/accounts/a/clientID" in found["configuration"][0]["message"]
    file.write_text("{")
    for account in ("", "a"):
        (fault,) = findings(shell, "--config", file, account)["configuration"]
        assert "is not valid JSON" in fault["message"] and "correct the file" in fault["advice"]


def test_a_store_that_cannot_be_read(shell):
    (shell.home / "store").write_text("a file")
    assert states(findings(shell, ""), "store") == {"store": ["failed"]}


def test_a_locked_keyring(shell, keyring, dot):
    shell.environment.update(keyring.environment)
    keyring.start(None)
    found = findings(shell, "--key", "keyring", "")
    assert states(found, "key") == {"key": ["failed"]} and "unlock it" in found["key"][0]["message"]


def test_where_an_apis_facts_come_from(shell):
    with Registrar() as server:
        place = server.url + "/.well-known/oauth-protected-resource/mcp"
        described = {"resource": server.url + "/mcp", "authorization_servers": [server.url], "scopes_supported": ["read"]}
        server.instead["/.well-known/oauth-protected-resource/mcp"] = lambda request: Response.of(described)
        found = findings(shell, server.url + "/mcp")
        said = {check: found[check][0]["message"] for check in ("metadata", "issuer", "client", "scopes")}
        assert place in said["metadata"] and server.url in said["issuer"] and "/.well-known/oauth-authorization-server" in said["issuer"]
        assert "registers a client" in said["client"] and said["scopes"] == "read: as the API's metadata says"
        assert {finding["state"] for check, all in found.items() if check != "browser" for finding in all} == {"ok"}
        # The challenge decides over the metadata. A server that publishes nothing has the endpoints of 2025-03-26.
        server.instead["/mcp"] = lambda request: Response(401, b"", {"WWW-Authenticate": 'Bearer scope="more"'})
        server.metadata["code_challenge_methods_supported"] = ["S256"]
        server.metadata["scopes_supported"] = ["other"]
        assert [finding["message"] for finding in findings(shell, server.url + "/mcp")["scopes"]] == ["more: as the API's challenge demands"]
        for name in ("oauth-protected-resource/mcp", "oauth-authorization-server"):
            server.instead["/.well-known/" + name] = lambda request: Response(404)
        assert "2025-03-26" in findings(shell, server.url + "/mcp")["issuer"][0]["message"]


def test_an_account_that_is_not_there(shell):
    shell.environment["https_proxy"] = "http://127.0.0.1:1"
    program = shlex.join(["oauth-stdio", "--store", str(shell.home / "store")])
    for account, login in (("github", "login github"), ("nope", "login PROVIDER --account nope")):
        shown = shell.run("doctor", account, status=1).stdout
        assert f"sign in: {program} {login}\n" in shown
        # A first sign-in that failed has made no account. The provider of this name may be why.
        assert ("FAILED   network" in shown) == (account == "github"), shown


def test_a_misspelled_account(shell):
    (shell.home / "config.json").write_text('{"accounts": {"demo": {"provider": "github", "clientId": "c"}}}')
    config = ["--config", str(shell.home / "config.json")]
    assert 'there is no account dmeo: did you mean "demo"?\n' in shell.run(*config, "doctor", "dmeo", status=1).stdout
    assert "demo" not in shell.run(*config, "--accounts", "dmeo", "doctor", "dmeo", status=1).stdout


def test_limits_hold(shell):
    assert "--accounts does not allow this" in shell.message("--accounts", "b", "diagnose", "a", status=4)

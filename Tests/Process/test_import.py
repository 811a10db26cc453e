"""`importGrant` with bare tokens and the files of other programs, and the provider names that distinguish accounts."""

import base64
import hashlib
import json
import os
import time

import pytest

from provider import Response
from signing_in import authorize
from test_command_line import Shell
from test_discovery import Issuer


def imported(peer, provider, data, **more) -> dict:
    params = {"account": "a", "format": "json", "data": data, "provider": provider.description, "clientId": "c", "replace": True, **more}
    return peer.request("importGrant", params)


@pytest.mark.parametrize("token", ["ya29.a0Af", "gho_16C7e42F", "12345", "-._~+/=="])
def test_an_access_token_by_itself(peer, provider, token):
    assert imported(peer, provider, token)["canAuthorize"]
    assert peer.request("accessToken", {"account": "a"})["accessToken"] == token


@pytest.mark.parametrize("data", ["", "two words", "a\nb", '"quoted"', '{"access_token":', "[]", "é"])
def test_invalid_tokens(peer, provider, data):
    error = peer.answer(peer.send("importGrant", {"account": "a", "format": "json", "data": data, "provider": provider.description, "clientId": "c"}))["error"]
    assert error["code"] == -32602 and error["data"]["path"] == "/data" and (not data or data not in error["message"])


@pytest.mark.parametrize("refresh", [{}, {"refresh_token": "r"}], ids=["alone", "with a refresh token"])
def test_without_issued_at_the_life_counts_from_now(peer, provider, refresh):
    before = int(time.time())
    state = imported(peer, provider, {"access_token": "t", "expires_in": 3600, **refresh})
    assert before + 3600 <= state["expiresAt"] <= int(time.time()) + 3600
    assert peer.request("accessToken", {"account": "a"})["accessToken"] == "t" and not provider.requests
    assert imported(peer, provider, {"access_token": "t", "expires_in": 3600, **refresh}, issuedAt=1_600_000_000)["expiresAt"] == 1_600_003_600


def test_two_issuers_on_one_host_have_two_names(peer, provider):
    for name in ("one", "two"):
        description = {**provider.description, "issuer": f"{provider.url}/{name}"}
        authorize(peer, provider.approve, **{**provider.parameters(), "account": name, "provider": description})
    names = {state["account"]: state["provider"] for state in peer.request("accounts")["accounts"]}
    assert names == {name: f"127.0.0.1:{provider.port}/{name}" for name in ("one", "two")}


def test_an_import_without_scopes_has_those_of_the_entry(home, start, provider):
    """Otherwise each `authorize` would open a page although the token is good."""
    entry = {"provider": provider.description, "clientId": "c", "scopes": ["read"]}
    home.mkdir(exist_ok=True)
    (home / "config.json").write_text(json.dumps({"accounts": {"a": entry}}))
    with start("--config", str(home / "config.json")) as peer:
        params = {"account": "a", "format": "json", "data": {"access_token": "t", "refresh_token": "r", "expires_in": 3600}}
        assert peer.request("importGrant", params)["grantedScopes"] == ["read"]
        assert peer.request("authorize", {"account": "a"})["via"] == "stored" and not provider.requests


# Files of other programs


@pytest.fixture
def shell(home):
    return Shell(home)


def keep(shell, name: str, content) -> str:
    (shell.home / name).write_text(content if isinstance(content, str) else json.dumps(content))
    return name


def test_a_file_of_gcloud_needs_nothing_else(shell, provider):
    """The client and its secret are in the sealed grant, and the first use refreshes."""
    folder = shell.home / ".config" / "oauth-stdio" / "providers"
    folder.mkdir(parents=True)
    (folder / "google.json").write_text(json.dumps(provider.description))
    shell.environment["XDG_CONFIG_HOME"] = str(shell.home / ".config")
    adc = {"account": "", "client_id": "764.apps", "client_secret": "d-FL19", "refresh_token": "1//0r", "type": "authorized_user", "universe_domain": "x"}
    shown = shell.run("import", "gc", keep(shell, "adc.json", adc)).stdout
    assert "imported, not tried" in shown and not provider.requests
    assert shell.result("account", "gc")["untried"] is True
    assert "imported and not tried" in shell.start("doctor", "gc").communicate(timeout=60)[0]
    token = shell.run("token", "gc").stdout.strip()
    assert token in provider.living and "untried" not in shell.result("account", "gc")
    request = provider.requests[-1]
    client = base64.b64decode(request.headers["Authorization"].removeprefix("Basic "))
    assert b"refresh_token=1%2F%2F0r" in request.body and client == b"764.apps:d-FL19"
    for root, _, names in os.walk(shell.home):
        for name in set(names) - {"adc.json"}:
            assert "d-FL19" not in (shell.home / root / name).read_bytes().decode("latin-1")


def test_a_file_of_oidc_agent_names_its_issuer(shell):
    with Issuer() as issuer:
        config = {"name": "kit", "issuer_url": issuer.url, "config_endpoint": "", "client_id": "oa", "client_secret": "os", "refresh_token": "or",
                  "scope": "openid read", "redirect_uris": ["http://localhost:8080"], "username": "", "password": ""}
        shell.run("import", "kit", "-", text=json.dumps(config))
        assert shell.run("token", "kit").stdout.strip() in issuer.living
        state = shell.result("account", "kit")
        assert state["clientId"] == "oa" and state["grantedScopes"] == ["read"]


def test_a_remote_of_rclone_is_refreshed_before_its_first_use(shell, provider):
    token = {"access_token": "old", "token_type": "Bearer", "refresh_token": "r", "expiry": "2024-01-01T02:00:00.8948153+02:00"}
    text = f"[s3]\ntype = s3\n\n[gd]\ntype = drive\nclient_id = cc\nclient_secret = ss\nscope = drive\ntoken = {json.dumps(token)}\n"
    shell.run("import", "gd", keep(shell, "rclone.conf", text), "--provider", json.dumps(provider.description))
    assert shell.result("account", "gd")["grantedScopes"] == ["https://www.googleapis.com/auth/drive"]
    assert shell.run("token", "gd").stdout.strip() in provider.living
    assert b"client_id=cc" in provider.requests[-1].body or "Basic" in provider.requests[-1].headers.get("Authorization", "")


def test_a_folder_of_mcp_remote(shell):
    with Issuer() as issuer:
        name = hashlib.md5(issuer.url.encode()).hexdigest()
        folder = shell.home / ".mcp-auth" / "mcp-remote-0.1.37"
        folder.mkdir(parents=True)
        tokens = folder / f"{name}_tokens.json"
        tokens.write_text(json.dumps({"access_token": "old", "token_type": "bearer", "expires_in": 3600, "refresh_token": "mr", "scope": "read"}))
        (folder / f"{name}_client_info.json").write_text(
            json.dumps({"client_id": "mc", "redirect_uris": ["http://127.0.0.1:3334/oauth/callback"], "client_secret_expires_at": 0}))
        assert "add --provider URL" in shell.message("import", "m", ".mcp-auth", status=2)
        assert "has no tokens for https://other.example/" in shell.message("import", "m", ".mcp-auth", "--provider", "https://other.example/", status=2)
        shell.run("import", "m", ".mcp-auth", "--provider", issuer.url)
        assert shell.run("token", "m").stdout == "old\n"
        # The lifetime counts from when the file was written.
        os.utime(tokens, (1_700_000_000, 1_700_000_000))
        shell.run("import", "m", tokens, "--provider", issuer.url, "--replace")
        assert shell.run("token", "m").stdout.strip() in issuer.living
        assert b"client_id=mc" in issuer.requests[-1].body and b"refresh_token=mr" in issuer.requests[-1].body
        assert json.loads(tokens.read_text())["access_token"] == "old"


def test_a_remote_of_rclone_with_its_own_client_is_no_reason_to_register_one(shell):
    """A client that the user registers can't refresh the login of another."""
    text = '[gd]\ntype = drive\ntoken = {"access_token":"a","refresh_token":"r","expiry":"2024-01-01T02:00:00Z"}\n'
    said = shell.message("import", "gd", keep(shell, "rclone.conf", text), status=2)
    assert "--clientId is missing: nothing names the client that the login belongs to" in said and "register" not in said


@pytest.mark.parametrize(("text", "fault"), [("", "is empty"), ("\n", "is empty"), ("{}", "has neither access_token")])
def test_a_fault_of_the_file_is_named_as_such(shell, text, fault):
    """`gh auth token` prints nothing if gh is not signed in."""
    assert f"FILE {fault}" in shell.message("import", "gh", "-", "--provider", "github", text=text, status=2)


def test_a_refused_refresh_token_is_the_problem_of_an_imported_login(shell, provider):
    provider.instead["/token"] = lambda request: Response.of({"error": "invalid_grant"}, 400)
    grant = {"refresh_token": "r", "client_id": "c"}
    assert "renewed at the next use" in shell.run("import", "a", keep(shell, "a.json", grant), "--provider", json.dumps(provider.description)).stdout
    shell.run("token", "a", status=3)
    assert shell.result("account", "a")["problem"] == "the provider rejected the refresh token"


def test_the_token_of_gh_needs_no_client(shell, provider):
    hosts = "github.com:\n    user: octocat\n    oauth_token: gho_16C7e42F\n    git_protocol: https\n"
    said = shell.message("import", "gh", keep(shell, "hosts.yml", hosts), "--provider", "github", status=2)
    assert "gh auth token | oauth-stdio import ACCOUNT - --provider github" in said and "gho_" not in said
    shell.run("import", "gh", "-", "--provider", "github", text="gho_16C7e42F\n")
    assert "imported, not tried" in shell.run("status").stdout
    assert shell.run("token", "gh").stdout == "gho_16C7e42F\n"
    assert "imported, not tried" not in shell.run("status").stdout
    # Only a sign-in needs one.
    assert "--clientId is missing" in shell.message("login", "gh", "--interaction", "always", status=2)


def test_a_refresh_token_by_itself(peer, provider):
    imported(peer, provider, "rt-1\n", format="refreshToken")
    assert peer.request("accessToken", {"account": "a"})["accessToken"] in provider.living
    assert b"refresh_token=rt-1" in provider.requests[0].body


def test_a_time_that_is_not_understood_is_named(shell):
    data = '{"access_token":"a","client_id":"c","expiresOn":"2030-03-17 17:46:40"}'
    said = shell.run("import", "a", "-", "--provider", "google", text=data).stderr
    assert said.startswith("oauth-stdio: warning: the member expiresOn of the imported a is neither")

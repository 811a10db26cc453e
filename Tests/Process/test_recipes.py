"""The recipes in examples/*.md, run as they are written, with the hosts of the test's servers."""

import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import urllib.parse

import jwt
import pytest

from ports import reserve_port
from provider import Response
from rpc import BINARY, ROOT
from signing_in import redirect
from store_keys import keyring  # noqa: F401, a fixture
from test_command_line import Shell
from test_discovery import Issuer


def blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / "examples" / f"{name}.md").read_text(), re.DOTALL | re.MULTILINE)


@pytest.fixture
def shell(home):
    shell = Shell(home)
    programs = home / "bin"
    programs.mkdir()
    (programs / "oauth-stdio").symlink_to(BINARY)
    shell.environment |= {"HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"), "PATH": f"{programs}:{os.environ['PATH']}"}
    return shell


def run(shell, script: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["sh", "-e", "-c", script], env=shell.environment, cwd=shell.home, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)


def begin(shell, line: str) -> tuple[subprocess.Popen, str]:
    """Starts a sign-in without a terminal, and returns the page's address."""
    words = ["sh", "-c", "exec " + line]
    process = subprocess.Popen(words, env=shell.environment, cwd=shell.home, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return process, next(text for text in process.stderr if text.startswith("http")).strip()


def describe(shell, name: str, text: str) -> None:
    folder = shell.home / ".config" / "oauth-stdio" / "providers"
    folder.mkdir(parents=True)
    (folder / f"{name}.json").write_text(text)


def test_moving(shell):
    script = blocks("moving", "sh")[0]
    adc = {"client_id": "764.apps", "client_secret": "s", "refresh_token": "1//0r", "type": "authorized_user"}
    gcloud = shell.home / ".config" / "gcloud"
    gcloud.mkdir(parents=True)
    (gcloud / "application_default_credentials.json").write_text(json.dumps(adc))
    (shell.home / "secret.txt").write_text("s\n")
    shell.environment["REFRESH_TOKEN"] = "1//0other"
    with Issuer() as issuer:
        kit = {"name": "kit", "issuer_url": issuer.url, "client_id": "oa", "client_secret": "os", "refresh_token": "or", "scope": "openid"}
        token = json.dumps({"access_token": "a", "token_type": "Bearer", "refresh_token": "r", "expiry": "2024-01-01T02:00:00Z"})
        drive = f"[drive]\ntype = drive\nclient_id = cc\nclient_secret = ss\nscope = drive\ntoken = {token}\n"
        for name, words, printed in (("gh", "auth token", "gho_16C7e42F"), ("oidc-gen", "-p kit", json.dumps(kit)), ("rclone", "config show drive", drive)):
            program = shell.home / "bin" / name
            program.write_text(f"#!/bin/sh\n[ \"$*\" = '{words}' ] && cat <<'END'\n{printed}\nEND\n")
            program.chmod(0o755)
        tokens = shell.home / ".mcp-auth" / "mcp-remote-0.1.37"
        tokens.mkdir(parents=True)
        server = tokens / hashlib.md5(issuer.url.encode()).hexdigest()
        server.with_name(server.name + "_tokens.json").write_text(json.dumps({"access_token": "m", "token_type": "bearer"}))
        server.with_name(server.name + "_client_info.json").write_text(json.dumps({"client_id": "mc"}))
        done = run(shell, script.replace("https://mcp.example.com/mcp", issuer.url))
    assert done.returncode == 0, done
    untried = [line.split()[0] for line in done.stdout.splitlines()[-7:] if "imported, not tried" in line]
    assert sorted(untried) == ["drive", "github", "google", "kit", "other", "tickets"], done.stdout


def test_a_new_machine(shell, provider, keyring, tmp_path):  # noqa: F811
    """The old machine's key is in its keyring, which the new one does not have."""
    pack, unpack, forget = blocks("moving", "sh")[1:]
    old, new = shell.home, tmp_path / "new"
    new.mkdir()
    # Each machine has the usual folders.
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        del shell.environment[name]
    shell.environment |= keyring.environment
    describe(shell, "own", json.dumps(provider.description))
    process, url = begin(shell, "oauth-stdio login me --provider own --clientId c --openBrowser=false")
    provider.approve(url)
    assert process.wait(60) == 0
    done = run(shell, f"oauth-stdio rekey keyring\n{pack}")
    assert done.returncode == 0 and keyring.keys() == [], done
    archive = old / "logins.tgz"
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    shutil.copy(archive, new)
    shell.environment["HOME"], shell.home = str(new), new
    del shell.environment["DBUS_SESSION_BUS_ADDRESS"]
    done = run(shell, unpack + "oauth-stdio token me\noauth-stdio refresh me --force\noauth-stdio token me\n")
    assert done.returncode == 0 and done.stdout.splitlines()[-1] in provider.living, done
    assert " file" in done.stdout and not (new / "logins.tgz").exists()
    shell.environment["HOME"], shell.home = str(old), old
    done = run(shell, forget + "oauth-stdio token me")
    assert done.returncode != 0 and not any(request.path == "/revoke" for request in provider.requests), done


def test_another_shell_finishes_a_sign_in(shell, provider):
    describe(shell, "github", json.dumps(provider.description))
    login, paste = blocks("ssh", "sh")[0].splitlines()
    process, url = begin(shell, login.removesuffix(" &") + " --clientId c")
    pasted = re.sub(r"'http://127.0.0.1:41947/callback[^']*'", f"'{redirect(url, code='c0de')}'", paste)
    assert pasted != paste and run(shell, pasted).returncode == 0
    assert process.wait(60) == 0


def test_a_redirect_comes_through_a_tunnel(shell, provider):
    """The tunnel's end is a connection to the same port of this machine."""
    describe(shell, "github", json.dumps(provider.description))
    tunnel, login = blocks("ssh", "sh")[1].splitlines()
    port = str(reserve_port())
    assert tunnel.startswith("ssh -L 8765:127.0.0.1:8765 ") and "127.0.0.1:8765/" in login
    process, url = begin(shell, login.replace("8765", port) + " --clientId c")
    assert redirect(url, code="x").startswith(f"http://127.0.0.1:{port}/callback?")
    provider.approve(url)
    assert process.wait(60) == 0


def test_uninstalling_leaves_nothing(shell, provider):
    (script,) = blocks("leaving", "sh")
    before = {file for file in shell.home.rglob("*")}
    shell.environment |= {"XDG_DATA_HOME": str(shell.home / ".local" / "share"), "OAUTH_STDIO": BINARY, "PATH": f"{shell.home}/.local/bin:{os.environ['PATH']}"}
    description = {**provider.description, "revocationEndpoint": provider.url + "/revoke"}
    grant = json.dumps({"access_token": "t", "token_type": "bearer", "client_id": "c"})
    done = run(
        shell, f"{ROOT}/examples/install.sh && oauth-stdio setup git github.com && oauth-stdio setup docker ghcr.io "
        f"&& echo '{grant}' | oauth-stdio import a - --provider '{json.dumps(description)}'")
    assert done.returncode == 0 and (shell.home / ".local" / "share" / "oauth-stdio" / "a.grant").exists(), done
    done = run(shell, script.replace("examples/install.sh", f"{ROOT}/examples/install.sh"))
    assert done.returncode == 0 and [request.path for request in provider.requests] == ["/revoke"], done
    left = {str(file.relative_to(shell.home)) for file in set(shell.home.rglob("*")) - before if not file.is_dir()}
    assert left <= {".gitconfig", ".docker/config.json"}, left


def test_a_provider_that_is_not_built_in(shell, provider):
    description = blocks("providers", "json")[1]
    for host, path in (("login", "/"), ("api", "/api/")):
        description = description.replace(f"https://{host}.example.com/", provider.url + path)
    describe(shell, "mine", description)
    process, url = begin(shell, "oauth-stdio login mine --account work --clientId c --openBrowser=false")
    provider.approve(url)
    assert process.wait(60) == 0
    done = run(shell, "oauth-stdio call work user && oauth-stdio authorize work --dryRun && oauth-stdio doctor work")
    assert '"path":"/api/user"' in done.stdout.replace(" ", "") and "/authorize?" in done.stdout and "\nok " in done.stdout, done


def test_a_provider_that_describes_itself(shell):
    (login,) = blocks("providers", "sh")
    with Issuer() as issuer:
        process, url = begin(shell, login.replace("https://login.example.com", issuer.url).strip() + " --openBrowser=false")
        assert url.startswith(issuer.url)
        process.terminate()
        process.wait(60)


def test_entries_for_other_tokens_of_a_login(shell):
    folder = shell.home / ".config" / "oauth-stdio"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(blocks("providers", "json")[-1])
    done = run(shell, "oauth-stdio status && ! oauth-stdio token reports && ! oauth-stdio token reader")
    assert all(name in done.stdout for name in ("work", "reports", "shop", "reader")), done
    assert "login work" in done.stderr and "login shop" in done.stderr, done


def test_a_health_records_server(shell, provider):
    """SMART App Launch 2.2: what the page wants, and the assertion of a backend service."""
    entries = blocks("providers", "json")[-2]
    for path in ("authorize", "token"):
        entries = entries.replace(f"https://ehr.example.com/{path}", f"{provider.url}/{path}")
    entries = entries.replace("https://ehr.example.com/fhir/", provider.url + "/api/").replace("/etc/export.pem", str(shell.home / "export.pem"))
    (command,) = re.findall(r"`(oauth-stdio key new .*?)`", (ROOT / "examples" / "providers.md").read_text())
    made = run(shell, command.replace("/etc/export.pem", str(shell.home / "export.pem")))
    public = json.loads(made.stdout)
    folder = shell.home / ".config" / "oauth-stdio"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(entries.replace("KID", public["kid"]))
    provider.instead["/api/Patient"] = lambda request: Response(200, b"{}") if request.headers["Accept"] == "application/fhir+json" else None
    assert run(shell, "oauth-stdio call export 'Patient?_count=10'").stdout == "{}"
    token = next(request for request in provider.requests if request.path == "/token")
    assertion = dict(urllib.parse.parse_qsl(token.body.decode()))["client_assertion"]
    claims = jwt.decode(assertion, jwt.PyJWK(public).key, ["RS384"], audience=provider.url + "/token", issuer="ID", subject="ID")
    assert claims["exp"] - claims["iat"] <= 300 and claims["jti"] and jwt.get_unverified_header(assertion)["kid"] == public["kid"]
    process, url = begin(shell, "oauth-stdio login mine --openBrowser=false")
    asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
    assert asked["aud"] == "https://ehr.example.com/fhir" and asked["scope"].startswith("launch/patient ") and asked["code_challenge_method"] == "S256"
    process.terminate()
    process.wait(60)

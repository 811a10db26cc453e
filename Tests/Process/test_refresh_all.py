"""`refresh --all` keeps the logins alive that no program uses: servers end a refresh token that rests."""

import json
import subprocess
import time

import pytest

import browser
from provider import Response
from rpc import BINARY, ROOT
from test_command_line import Shell

DAY = 86_400


@pytest.fixture
def shell(home):
    return Shell(home)


def keep(shell, provider, account: str, age: float, **more) -> None:
    """Imports a login whose token was issued `age` seconds ago."""
    data = {"access_token": f"t-{account}", "refresh_token": f"r-{account}", "token_type": "bearer", "expires_in": 30 * DAY, **more}
    data = json.dumps({name: value for name, value in data.items() if value})
    shell.result("importGrant", account, "json", data, "--provider", json.dumps(provider.description), "--clientId", "c", "--issuedAt", int(time.time() - age))


def refreshed(provider) -> list[str]:
    """The refresh tokens that the provider got, in their order."""
    return [browser.query("?" + request.body.decode()).get("refresh_token") for request in provider.requests if request.path == "/token"]


def test_what_rested_is_renewed(shell, provider):
    """Without a page: a login without a refresh token and a client's own token have nothing that could rest."""
    client = {"provider": provider.description, "clientId": "c", "clientSecret": "s", "flow": "clientCredentials"}
    (shell.home / "config.json").write_text(json.dumps({"accounts": {"ci": client, "never": {"provider": "github", "clientId": "c"}}}))
    (shell.home / "config.json").chmod(0o600)
    options = ["--config", shell.home / "config.json"]
    shell.run(*options, "token", "ci")
    for account, age in [("b", 2 * DAY), ("a", 1.1 * DAY), ("new", 0.9 * DAY), ("@@odd", 40 * DAY)]:
        # The word @@odd is the account @odd.
        keep(shell, provider, account, age)
    keep(shell, provider, "none", 5 * DAY, refresh_token=None)
    provider.requests.clear()
    done = shell.run(*options, "refresh", "--all")
    assert refreshed(provider) == ["r-@@odd", "r-a", "r-b"] and done.stdout == ""
    assert done.stderr.splitlines() == [f"oauth-stdio: {name}: the access token was refreshed" for name in ("@odd", "a", "b")]
    provider.requests.clear()
    assert shell.run("refresh", "--all").stderr == "" and not provider.requests, "they were used just now"
    shell.run("refresh", "--all", "--older-than", "12h")
    assert refreshed(provider) == ["r-new"]
    shell.run("--accounts", "b", "refresh", "--all", "--older-than=0s")
    assert len(refreshed(provider)) == 2


def test_a_login_that_has_ended_is_told(shell, provider):
    """One that fails stops no other. The status says that a person has to sign in, whatever else has failed."""
    for account in ("a", "busy", "c", "dead"):
        keep(shell, provider, account, 2 * DAY)
    answers = {"r-dead": Response.of({"error": "invalid_grant"}, 400), "r-busy": Response(503)}
    provider.instead["/token"] = lambda request: answers.get(browser.query("?" + request.body.decode())["refresh_token"])
    for _ in range(2):
        done = shell.run("refresh", "--all", status=3)
        assert "login dead" in done.stderr and "503" in done.stderr, done
    assert [refreshed(provider).count(f"r-{account}") for account in ("a", "c", "dead")] == [1, 1, 1]
    shell.run("signOut", "dead")
    assert "503" in shell.run("refresh", "--all", status=1).stderr
    (shell.home / "store" / "a.grant").write_bytes(b"damaged")
    assert "damaged" in shell.run("--accounts", "a", "refresh", "--all", status=1).stderr


@pytest.mark.parametrize("words", [["a"], ["--older-than"], ["--older-than", "1"], ["--older-than", "d"], ["--older-than", "-1d"], ["--older-than", "1y"], ["--force"]])
def test_wrong_words(shell, words):
    assert "such as 12h or 7d" in shell.run("refresh", "--all", *words, status=2).stderr


def test_the_help_shows_it(shell):
    assert "--older-than AGE" in " ".join(shell.run("help", "refresh").stdout.split())


def test_the_timer_of_systemd(shell, provider):
    """The unit runs the command as it is written, and systemd finds no fault in both."""
    folder = ROOT / "examples" / "systemd"
    keep(shell, provider, "a", 2 * DAY)
    (line,) = [line for line in (folder / "oauth-stdio-refresh.service").read_text().splitlines() if line.startswith("ExecStart=")]
    program, *words = line.removeprefix("ExecStart=").split()
    assert program == "%h/.local/bin/oauth-stdio"
    shell.run(*words)
    assert refreshed(provider) == ["r-a"]
    for unit in folder.glob("*.*r*"):
        text = unit.read_text().replace(program, BINARY)
        (shell.home / unit.name).write_text(text)
    units = [shell.home / f"oauth-stdio-refresh.{kind}" for kind in ("service", "timer")]
    checked = subprocess.run(["systemd-analyze", "--user", "--man=no", "verify", *units], capture_output=True, text=True, env={**shell.environment, "XDG_RUNTIME_DIR": str(shell.home)})
    assert checked.returncode == 0 and "oauth-stdio-refresh" not in checked.stderr, checked

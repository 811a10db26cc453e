"""What a person sees on a terminal of 80 columns: no line ends inside a word, and what is to be copied stands alone."""

import json
import re

import pytest

from screen import Screen
from test_command_line import EVERYDAY, METHODS, Shell
from test_login import login


@pytest.fixture
def shell(home):
    return Shell(home)


def shown(shell, *words, columns: int = 80, status: int | None = 0, **environment) -> str:
    """Runs a command on a terminal and returns what it shows."""
    with Screen(shell.words(*words), {**shell.environment, **environment}, shell.home, columns) as screen:
        ended = screen.ended()
        assert status is None or ended == status, screen.shown
        return screen.shown


def lines(text: str, columns: int = 80) -> list[str]:
    """Returns the lines, none of which the terminal breaks, except for what stands alone."""
    found = text.splitlines()
    assert [line for line in found if len(line) > columns and not re.match(r"https?://\S+$|oauth-stdio |\S+$", line)] == []
    return found


def store(shell, account: str, **described) -> None:
    token = {"access_token": "t", "token_type": "bearer", "refresh_token": "r", "expires_in": 9000, "scope": "read:user repo"}
    description = {"name": "Example", "authorizationEndpoint": "https://id.example/a", "tokenEndpoint": "https://id.example/t", **described}
    shell.result("importGrant", account, "json", json.dumps(token), "--provider", json.dumps(description), "--clientId", "c")


@pytest.mark.parametrize("words", [["help"], ["help", "options"], *(["help", name] for name in [*EVERYDAY, *METHODS])], ids=lambda words: words[-1])
def test_help(shell, words):
    text = shown(shell, *words)
    assert max(map(len, lines(text))) <= 80
    # A script gets the same text.
    assert text == shell.run(*words).stdout


def test_help_on_a_narrow_terminal(shell):
    assert max(map(len, shown(shell, "help", "doctor", columns=60).splitlines())) <= 60


def test_a_table_that_is_too_wide(shell):
    """Its widest columns have cells of several lines."""
    store(shell, "a")
    store(shell, "mcp.example.com:8443/mcp", name="Example of a name")
    text = shown(shell, "status")
    rows = lines(text)
    assert len(rows) > 3 and {"mcp.example.com:8443/mcp", "read:user", "renewed"} < set(text.split()), text
    assert text.split().count("ACCOUNT") == 1 and all(row.split()[-1:] != ["file"] or row.endswith("  file") for row in rows)
    # Without a terminal, a row is a line.
    assert len(shell.run("status").stdout.splitlines()) == 3
    assert shown(shell, "status", COLUMNS="200") == shell.run("status").stdout


def test_a_table_with_words_that_are_too_long_is_a_list(shell):
    store(shell, "https-id-example-with-a-long-name-for-an-account-of-a-person/and-a-long-path")
    store(shell, "b")
    first, second = (lines(part) for part in shown(shell, "status").split("\n\n"))
    assert first[0] == "ACCOUNT    b" and first[3] == "SCOPES     read:user repo" and first[5] == "KEY        file"
    # It begins at the left edge, for the user to copy it.
    assert second[1] == "https-id-example-with-a-long-name-for-an-account-of-a-person/and-a-long-path" and second[4] == first[3]


def test_doctor(shell, provider):
    config = shell.home / "config.json"
    config.write_text(json.dumps({"accounts": {"a": {"provider": provider.description, "clientId": "c"}}}))
    config.chmod(0o600)
    found = lines(shown(shell, "--config", config, "doctor", "a"))
    assert "http://127.0.0.1/callback" in map(str.strip, found)
    # Further lines of a finding begin below its text.
    column = next(line for line in found if line.startswith("ok")).index("configuration") + len("configuration") + 2
    assert all(line.startswith(" " * column) or re.match("ok|warning|FAILED|oauth-stdio |/|nghttp2|zstd", line) for line in found[:-4]), found
    assert found[0].startswith("ok ") and "libcurl" not in found[0]
    # An account that has signed in has registered the URI.
    assert any("register" in line for line in found)
    store(shell, "b")
    assert "register this URI" not in shown(shell, "doctor", "b", status=None)


def test_the_wizard(shell, provider):
    words = login(provider, redirectPolicy="pinnedPort", redirectPath="/a-path-of-a-provider-that-is-so-long/callback")
    with Screen(shell.words(*words), shell.environment, shell.home, 80) as screen:
        found = lines(screen.until("Client ID: "))
        assert "https://id.example/apps" in map(str.strip, found)
        assert "http://127.0.0.1:8765/a-path-of-a-provider-that-is-so-long/callback" in map(str.strip, found)


def test_the_wizard_of_a_provider_that_takes_https_only(shell):
    with Screen(shell.words("login", "slack"), shell.environment, shell.home, 80) as screen:
        assert "https://localhost/callback" in map(str.strip, screen.until("Client ID: ").splitlines())


def test_a_page_is_shown_once(shell, provider, home):
    """The browser fails after the page has been shown."""
    bad = home / "bad"
    bad.write_text("#!/bin/sh\nexit 1\n")
    bad.chmod(0o700)
    words = [word for word in login(provider) if not word.startswith("--openBrowser")]
    environment = {**shell.environment, "BROWSER": str(bad), "PATH": f"{home}:/usr/bin:/bin"}
    with Screen(shell.words(*words, "--clientId", "c"), environment, shell.home, 80) as screen:
        url = screen.line("http")
        screen.until("paste it here:\n")
        screen.until("no browser could be started\n")
        provider.approve(url)
        assert screen.ended() == 0
        found = lines(screen.shown)
    assert [line for line in found if line.startswith("http")] == [url]
    text = " ".join(found)
    assert text.count("Copy the address of that page") == text.count("paste it here") == text.count("If none opens") == 1


def test_a_command_in_an_error_is_whole(shell):
    message = shown(shell, "token", "an-account-whose-name-is-not-short", status=3)
    assert f"\noauth-stdio --store {shell.home}/store login PROVIDER --account an-account-whose-name-is-not-short\n" in message
    lines(message)


def test_the_providers_are_a_table(shell):
    rows = lines(shown(shell, "providers"))
    assert rows[0].split() == ["PROVIDER", "NAME"] and ["github", "GitHub"] in map(str.split, rows)
    assert rows[-1].endswith(" login PROVIDER") and "oauth-stdio" in rows[-1]
    assert "github" in shell.result("providers")["providers"]


def test_the_manual_has_the_options_of_a_command(shell):
    assert ".RS\n.TP\n.B \\-\\-account NAME\n" in shell.run("--man").stdout

"""`setup claude-code|codex|cursor|vscode`: what it prints is read as the host reads it, and run as the host runs it."""

import asyncio
import base64
import json
import os
import re
import subprocess
import tomllib
import urllib.parse
import urllib.request

import pytest
from mcp import Client, StdioServerParameters

from rpc import BINARY, PATIENCE, ROOT
from test_command_line import Shell
from test_mcp_hosts import MCP2, ONE_SIGN_IN, person, sdk, server  # noqa: F401, fixtures

LINES = json.loads((ROOT / "Sources" / "CommandLine" / "Commands" / "SetupLines.json").read_text())
# The hosts of agents. The other programs are those of test_host_protocols.py.
TABLE = {host: lines for host, lines in LINES.items() if "title" in lines}
URL = "https://mcp.example.com/mcp"
NAME = re.compile(r"[A-Za-z0-9-]{1,30}")


@pytest.fixture
def shell(home):
    shell = Shell(home)
    # The lines are for another process, so only the user's own variables lead to the store.
    shell.words = lambda *words: [BINARY, *map(str, words)]
    return shell


def words_of(line: str) -> list[str]:
    """Returns the words of a line as the shell reads it."""
    return subprocess.run(["sh", "-c", f"printf '%s\\0' {line}"], capture_output=True, text=True, check=True).stdout.split("\0")[:-1]


def entry(host: str, printed: str) -> tuple[str, dict]:
    """Returns the server that the host knows after its user has done what the lines are for."""
    if host == "claude-code":
        (line,) = printed.splitlines()
        words = words_of(line)
        assert words[:5] == ["claude", "mcp", "add", "--scope", "user"] and words[6] == "--"
        return words[5], {"command": words[7], "args": words[8:]}
    if host == "vscode":
        (line,) = printed.splitlines()
        code, option, text = words_of(line)
        assert (code, option) == ("code", "--add-mcp")
        server = json.loads(text)
        return server.pop("name"), server
    ((name, server),) = (json.loads(printed)["mcpServers"] if host == "cursor" else tomllib.loads(printed)["mcp_servers"]).items()
    return name, server


def environment(host: str, server: dict, shell: Shell) -> dict:
    """Returns the variables that the host gives the server. Codex has a list, and the others give all of theirs."""
    return {name: value for name, value in shell.environment.items() if host != "codex" or name in [*server["env_vars"], "HOME", "PATH"]}


async def tools(server: dict, environment: dict) -> list[str]:
    async with Client(StdioServerParameters(command=server["command"], args=server["args"], env=environment)) as client:
        return [tool.name for tool in (await client.list_tools()).tools]


@pytest.mark.ci
@pytest.mark.parametrize("host", TABLE)
def test_the_printed_server_signs_in_and_lists_its_tools(host, person, shell, server):
    user = person(0)
    shell.environment |= user.environment
    name, printed = entry(host, shell.run("setup", host, server.mcp).stdout)
    assert NAME.fullmatch(name)
    assert asyncio.run(tools(printed, environment(host, printed, shell))) == ["echo"]
    assert server.seen() == ONE_SIGN_IN


@pytest.mark.ci
def test_fastmcp_reads_the_entry_of_cursor(person, shell, server):
    """It gives a server HOME and PATH, and no variable of the user's."""
    shell.environment = {"HOME": str(shell.home), "PATH": shell.environment["PATH"], **person(0).environment}
    shell.run("login", server.mcp)
    (shell.home / "mcp.json").write_text(shell.run("setup", "cursor", server.mcp).stdout)
    listed = subprocess.run(
        [os.path.dirname(MCP2) + "/fastmcp", "list", "mcp.json", "--json"], capture_output=True, text=True, check=True, timeout=PATIENCE,
        env=shell.environment, cwd=shell.home).stdout
    assert "echo" in listed


@pytest.mark.parametrize("host", TABLE)
def test_the_server_is_this_program_without_a_url(host, shell):
    name, printed = entry(host, shell.run("setup", host).stdout)
    assert name == "oauth-stdio" and printed["args"] == ["mcp"]
    assert "accounts" in asyncio.run(tools(printed, environment(host, printed, shell)))
    assert entry(host, shell.run("setup", host, "--allow-writes").stdout)[1]["args"] == ["mcp", "--allow-writes"]


@pytest.mark.parametrize("host", TABLE)
def test_the_line_has_the_options_and_the_path_of_the_program(host, shell):
    """A program that is started from the desktop has another PATH and another folder. A link is the same program after an update."""
    (shell.home / "bin").mkdir()
    (shell.home / "bin" / "oauth-stdio").symlink_to(BINARY)
    words = ["--store", "./it's \\ \"$store\"", "setup", host, URL, "--allow-tool", "list_*", "--header", "X-Key: ${ONLY_IN_THE_HOST}", "--log", "log"]
    printed = entry(host, shell.run(*words).stdout)[1]
    assert printed["args"] == ["--store", f"{shell.home}/./it's \\ \"$store\"", "mcp", URL, "--allow-tool", "list_*", "--header", "X-Key: ${ONLY_IN_THE_HOST}", "--log", f"{shell.home}/log"]
    assert printed["command"] == os.path.realpath(BINARY)
    shell.environment["PATH"] = f"{shell.home}/bin:{shell.environment['PATH']}"
    assert entry(host, shell.run(*words).stdout)[1]["command"] == f"{shell.home}/bin/oauth-stdio"


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ([URL], "example-com"), (["https://mcp.linear.app/mcp?key=x"], r"linear-app-[0-9a-f]{8}"), (["http://127.0.0.1:8080/"], "127-0-0-1-8080"),
        ([URL, "--account", "Work@Home"], "Work-Home"), (["https://mcp.example/mcp", "--account", "mcp"], "mcp"),
        (["https://a.example/" + "long/" * 20], r"a-example-long-.{15}"),
    ],
)
def test_the_name_is_one_that_each_host_takes(shell, words, name):
    """Claude Code takes letters, digits, dashes and underscores, and Cursor hides the tools of a server with a long name."""
    found = {entry(host, shell.run("setup", host, *words).stdout)[0] for host in TABLE}
    assert len(found) == 1 and NAME.fullmatch(*found) and re.fullmatch(name, *found)


def test_the_link_of_cursor_has_the_same_entry(shell):
    """The tildes give signs of base64 that a query must not have."""
    done = shell.run("setup", "cursor", URL + "?~~~~~~")
    name, printed = entry("cursor", done.stdout)
    link = urllib.parse.urlsplit(re.search(r"cursor://\S+", done.stderr)[0])
    asked = {key: values[0] for key, values in urllib.parse.parse_qs(link.query, strict_parsing=True).items()}
    assert asked["name"] == name and json.loads(base64.b64decode(asked["config"], validate=True)) == printed


def test_the_lines_of_the_document(shell):
    lines = re.findall(r"oauth-stdio setup ([^`|>\n]+)", (ROOT / "examples" / "mcp.md").read_text())
    named = [words for words in map(words_of, lines) if words[0] != "HOST"]
    assert {words[0] for words in named} == {*TABLE}
    for words in named:
        assert shell.run("setup", *words).stdout


# Hooks


def headers_helper(host: str, printed: str) -> tuple[str, str]:
    """Returns the server's URL and the command that prints the headers."""
    if host == "codex":
        (server,) = tomllib.loads(printed)["mcp_servers"].values()
        return server["url"], server["http_headers_helper"]
    words = words_of(printed.strip())
    assert words[:5] == ["claude", "mcp", "add-json", "--scope", "user"] and NAME.fullmatch(words[5])
    server = json.loads(words[6])
    assert server["type"] == "http"
    return server["url"], server["headersHelper"]


def output(command: str, shell: Shell) -> str:
    """Returns what a host's hook prints. On standard error, it prints nothing."""
    done = subprocess.run(
        ["sh", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, env=shell.environment, cwd="/")
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


@pytest.mark.ci
@pytest.mark.parametrize("host", ["claude-code", "codex"])
def test_the_hooks_print_the_headers_and_the_token(host, person, shell, server):
    shell.environment |= person(0).environment
    shell.run("login", server.mcp)
    url, command = headers_helper(host, shell.run("setup", host, server.mcp, "--hook").stdout)
    headers = json.loads(output(command, shell))
    token = shell.run("token", server.mcp.removeprefix("http://")).stdout.strip()
    assert url == server.mcp and headers == {"Authorization": f"Bearer {token}"}
    request = urllib.request.Request(url, b'{"jsonrpc":"2.0","id":1,"method":"ping"}', headers | {
        "Content-Type": "application/json", "Accept": "application/json, text/event-stream"})
    try:
        status = urllib.request.urlopen(request, timeout=PATIENCE).status
    except urllib.error.HTTPError as fault:
        status = fault.code
    # The server asks for a session, and for no login.
    assert status not in (401, 403)
    # There is one account, so it is the one for the model.
    printed = shell.run("setup", host, "--hook").stdout
    if host == "codex":
        ((name, provider),) = tomllib.loads(printed)["model_providers"].items()
        assert NAME.fullmatch(name)
        command = " ".join([provider["auth"]["command"], *provider["auth"]["args"]])
    else:
        command = json.loads(printed)["apiKeyHelper"]
    assert output(command, shell) == token + "\n"


def test_the_user_names_the_account_of_a_hook(shell):
    assert json.loads(shell.run("setup", "claude-code", "--hook").stdout)["apiKeyHelper"].endswith(" token ACCOUNT")


# Faults


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["emacs"], "claude-code, codex, cursor, vscode"), ([], "git, docker, "), (["vscode", "--hook"], "VS Code has no hook"),
        (["cursor", "--hook", URL], "Cursor has no hook"), (["codex", "mcp.example.com"], "https://mcp.example.com"), (["codex", "x"], "--allow-writes"),
        (["codex", URL, "--hook", "--wait", "1"], "--hook takes only the URL"), (["codex", URL, "--wiat"], "--wiat"),
    ],
)
def test_wrong_words(shell, words, said):
    assert said in shell.message("setup", *words, status=2)


@pytest.mark.parametrize("words", [["--store", "postgresql://u:secret@h/d", "setup", "codex", URL], ["setup", "codex", URL, "--store", "postgresql://u:secret@h/d"]])
def test_no_password_gets_into_a_line(shell, words):
    message = shell.message(*words, status=2)
    assert "Codex" in message and "~/.pgpass" in message and "secret" not in message


def test_a_configuration_that_ends_with_this_process(shell):
    """As a shell's <(…) is."""
    reader, writer = os.pipe()
    with open(writer, "w") as pipe:
        pipe.write("{}")
    done = subprocess.run(
        [BINARY, "--config", f"/dev/fd/{reader}", "setup", "codex", URL], capture_output=True, text=True, timeout=PATIENCE, env=shell.environment,
        pass_fds=[reader])
    os.close(reader)
    assert done.returncode == 2 and done.stdout == "" and "Codex" in done.stderr and "no pipe" in done.stderr


@pytest.mark.parametrize("program", LINES)
def test_each_program_has_sources_with_their_date(program):
    for source, date in LINES[program]["sources"].items():
        assert source.startswith("https://") and re.fullmatch(r"20\d\d-\d\d-\d\d", date)

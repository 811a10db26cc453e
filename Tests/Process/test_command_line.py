"""METHOD as a command: its params as options, its result on standard output, its events and errors on standard error."""

import fcntl
import json
import os
import pty
import re
import resource
import shlex
import shutil
import signal
import subprocess
import tempfile
import termios
import threading
import time

import pytest

import browser
import reference
import signing_in
from provider import Response
from rpc import BINARY, PATIENCE, Peer
from waiting import wait_until

OPENRPC = reference.schema("openrpc")
METHODS = {method["name"]: method for method in OPENRPC["methods"]}


NO_SIGN_IN = "the address belongs to no open sign-in: paste the whole address that the browser shows after signing in"


class Shell:
    """Runs commands with a home of their own."""

    def __init__(self, home):
        self.home = home
        home.mkdir(exist_ok=True)
        self.environment = Peer.environment(self, None)

    def words(self, *words) -> list[str]:
        return [BINARY, "--store", str(self.home / "store"), *map(str, words)]

    def run(self, *words, text: str | None = None, status: int = 0) -> subprocess.CompletedProcess:
        done = subprocess.run(
            self.words(*words), input=text, stdin=subprocess.DEVNULL if text is None else None, capture_output=True, text=True, timeout=60,
            env=self.environment, cwd=self.home)
        assert done.returncode == status, done
        return done

    def result(self, *words, text: str | None = None, status: int = 0):
        line = self.run(*words, text=text, status=status).stdout
        assert line.count("\n") == 1 and line.endswith("\n")
        return json.loads(line)

    def message(self, *words, status: int, text: str | None = None) -> str:
        """Runs a command that fails, and returns what it says. An advised command repeats the options of this one, which are left out."""
        done = self.run(*words, text=text, status=status)
        assert done.stdout == "" and done.stderr.startswith("oauth-stdio: ") and done.stderr.endswith("\n")
        return re.sub(r"(oauth-stdio) (--(store|config) \S+ )+", r"\1 ", done.stderr)

    def start(self, *words, **popen) -> subprocess.Popen:
        popen = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **popen}
        return subprocess.Popen(self.words(*words), text=True, env=self.environment, cwd=self.home, **popen)

    def sign_in(self, provider) -> None:
        parameters = provider.parameters()
        process = self.start("authorize", "a", "--provider", json.dumps(parameters["provider"]), "--clientId", "c", "--scopes", "read", "--openBrowser=false")
        url = next(line for line in process.stderr if line.startswith("http")).strip()
        provider.approve(url)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0 and json.loads(out)["via"] == "signedIn" and err == "oauth-stdio: a: signed in\n", (out, err)


@pytest.fixture
def shell(home):
    return Shell(home)


# Declarations


def test_the_help_fits_on_one_screen(shell):
    shown = shell.run("--help").stdout.splitlines()
    assert len(shown) <= 24 and max(map(len, shown)) <= 80 and shown == shell.run("-h").stdout.splitlines()
    named = [found[1] for line in shown if (found := re.match(r"  ([a-z]+) .*  \w", line))]
    assert named == ["login", "token", "call", "run", "status", "logout", "doctor", "setup", "mcp"]


def test_the_rest_of_the_help(shell):
    shown = shell.run("help").stdout
    assert re.findall(r"^  (login|logout|status|token|call|header|sasl) ", shown, re.MULTILINE) == ["login", "logout", "status", "token", "call", "header", "sasl"]
    listed, session = re.search(r"\nMethods\. (.*)\nMethods of the protocol.*?:\n(.*?)\n\n", shown, re.DOTALL).groups()
    assert {*re.findall(r"^  (\S+)$", listed, re.MULTILINE), *session.replace(",", "").split()} == {*METHODS, *COMMANDS_ONLY}
    options = shell.run("help", "options").stdout
    assert [option["usage"] for option in OPENRPC["x-options"] if f"\n  {option['usage']}\n" not in options] == []
    assert max(map(len, (shown + options).splitlines())) <= 90 and all(option["description"] for option in OPENRPC["x-options"])
    for name in ("login", "refresh"):
        assert shell.run("help", name).stdout == shell.run(name, "--help").stdout


@pytest.mark.parametrize("name", METHODS)
def test_the_help_of_a_method_names_its_params(shell, name):
    shown = shell.run(name, "--help").stdout
    assert shown.startswith(f"usage: oauth-stdio [OPTION…] {name}")
    own = ["serviceAccount", "executable", "subject", "impersonate"] if name == "authorize" else []
    assert re.findall(r"^  --(\w+)", shown, re.MULTILINE) == [param["name"] for param in METHODS[name]["params"]] + own


# The methods of the command line alone, which no client can call.
COMMANDS_ONLY = {"rekey": ["to"], "copy": ["from", "to", "replace", "keep"], "client-metadata": ["account"]}


@pytest.mark.parametrize("name", COMMANDS_ONLY)
def test_a_method_of_the_command_line_alone_is_described_there(shell, name):
    shown = shell.run(name, "--help").stdout
    assert re.findall(r"^  --(\w+)", shown, re.MULTILINE) == COMMANDS_ONLY[name] and f"\n.SS {name}\n".replace("-", "\\-") in shell.run("--man").stdout
    assert offers(shell, name[:3]) == [name] and offers(shell, name, "--") == [f"--{param}" for param in COMMANDS_ONLY[name]] + ["--help"]


EXAMPLES = {name: method["examples"][0] for name, method in METHODS.items() if method.get("examples")}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_of_the_help_stands_for_the_params_of_the_schema(shell, name):
    """A missing grant may be an error, but no param is wrong."""
    command = shell.run(name, "--help").stdout.split("Example:\n  ")[1].replace(" \\\n", "").splitlines()[0]
    if name == "authorize":
        # It would wait for a user.
        command += " --interaction never"
    words = shlex.split(command)
    assert words[:2] == ["oauth-stdio", name]
    done = subprocess.run(shell.words("--allow-export", *words[1:]), capture_output=True, text=True, timeout=60, env=shell.environment)
    # The example's sign-in does not exist here.
    assert done.returncode != 2 or "is not the ID of a sign-in" in done.stderr or "provider" in done.stderr or "no account serves" in done.stderr, done


# Params


def dry_run(shell, *words, text=None) -> dict:
    provider = {"authorizationEndpoint": "https://id.example/authorize", "tokenEndpoint": "https://id.example/token"}
    result = shell.result("authorize", "a", "--provider", json.dumps(provider), "--clientId", "c", "--dryRun", *words, text=text)
    assert result["status"] == "dryRun"
    return result["dryRun"]


def scope(run: dict) -> list[str]:
    return re.findall(r"[?&]scope=([^&]*)", json.dumps(run))[0].split("%20")


@pytest.mark.parametrize(
    "words", [["--scopes", "read", "--scopes", "write"], ["--scopes", '["read","write"]'], ["--scopes=read", "--scopes", '["write"]'], ["--scopes", "@list"]])
def test_a_list_is_json_or_repeated(shell, words):
    (shell.home / "list").write_text('["read", "write"]\n')
    assert scope(dry_run(shell, *words)) == ["read", "write"]


def test_a_value_comes_from_a_file_or_standard_input(shell):
    (shell.home / "client").write_text("from-a-file\n")
    assert "client_id=from-a-file&" in json.dumps(dry_run_of_client(shell, "@client"))
    assert "client_id=from-input&" in json.dumps(dry_run_of_client(shell, "-", text="from-input\r\n"))
    assert "client_id=%40client&" in json.dumps(dry_run_of_client(shell, "@@client"))


def dry_run_of_client(shell, value, text=None):
    provider = {"authorizationEndpoint": "https://id.example/authorize", "tokenEndpoint": "https://id.example/token"}
    return shell.result("authorize", "a", "--provider", json.dumps(provider), "--clientId", value, "--dryRun", text=text)


def test_options_of_the_process_stand_before_the_method(shell):
    assert "--store is an option of the process: write it before accounts" in shell.message("accounts", "--store", "x", status=2)
    assert shell.result("accounts") == {"accounts": []}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["refrsh"], 'there is no command refrsh: did you mean "refresh"?'),
        (["refresh", "a", "--minimum-validity", "5"], 'refresh has no param --minimum-validity: did you mean "--minimumValidity"?'),
        (["refresh", "a", "--forse"], 'refresh has no param --forse: did you mean "--force"?'),
        (["refresh", "a", "-f"], "the param -f is unknown: a param begins with two dashes"),
        (["refresh", "a", "b"], "refresh does not take the word b: write --PARAM before a value"),
        (["refresh", "a", "--account", "b"], "refresh does not take the word a"),
        (["refresh", "--account", "a", "--account", "b"], "--account is given twice"),
        (["refresh", "a", "--minimumValidity"], "--minimumValidity needs a value"),
        (["refresh", "a", "--minimumValidity", "soon"], "--minimumValidity must be a number"),
        (["refresh", "a", "--minimumValidity", "-1"], "--minimumValidity must be from 0 to 31536000"),
        (["refresh", "a", "--force=maybe"], "--force must be true or false"),
        (["refresh"], "ACCOUNT is missing: write oauth-stdio refresh ACCOUNT [--PARAM VALUE…]"),
        (["callAPI", "a", "x", "--body", "text"], "--body must be JSON"),
        (["callAPI", "a", "x", "--body", '{"json":'], "--body is not valid JSON"),
        (["callAPI", "a", "x", "--body", '{"xml":1}'], "--body/xml is unknown"),
        (["callAPI", "a", "x", "--body", "@missing"], "--body: the file missing cannot be read: no such file or directory"),
        (["callAPI", "a", "x", "--as", "xml"], "--as must be one of text, json, base64, results"),
        (["--no-such-option"], "the option --no-such-option is unknown"),
        (["--read-onyl", "accounts"], 'the option --read-onyl is unknown: did you mean "--read-only"?'),
    ],
)
def test_a_wrong_command_line_is_explained(shell, words, said):
    assert said in shell.message(*words, status=2)


# Results


def test_the_result_is_that_of_the_protocol(shell, start):
    peer = start()
    for words, params in ((["accounts"], {}), (["provider", "github"], {"provider": "github"}), (["providers"], {})):
        assert shell.result(*words) == peer.request(words[0], params)


@pytest.mark.parametrize("words", [["--", "a", "x"], ["a", "--", "x"], ["a", "x", "-o", "-"], ["a", "x", "--stream"]])
def test_the_words_of_a_call(shell, provider, words):
    log_in(shell, provider)
    assert json.loads(shell.run("call", *words).stdout)["path"] == "/api/x"
    assert not (shell.home / "-").exists()


@pytest.mark.parametrize("option", ["-d", "-H", "-X", "-o"])
def test_the_value_of_an_option_asks_for_no_help(shell, provider, option):
    log_in(shell, provider)
    done = subprocess.run(shell.words("call", "a", "x", option, "-h"), capture_output=True, text=True, timeout=60, env=shell.environment, cwd=shell.home)
    assert "Calls the API" not in done.stdout, done
    assert "Calls the API" in shell.run("call", "a", "x", "-h").stdout


def test_a_body_from_standard_input(shell, provider):
    log_in(shell, provider)
    shell.run("call", "a", "x", "-d", "@-", text="from the pipe")
    assert provider.requests[-1].body == b"from the pipe"


@pytest.mark.parametrize(("body", "words"), [(bytes(range(256)), []), (b'{"why": 1}', ["--as", "json"])])
def test_the_body_of_an_error_is_printed_as_it_is(shell, provider, body, words):
    log_in(shell, provider)
    provider.instead["/api/x"] = lambda request: Response(409, body, {"Content-Type": "application/json" if words else "image/png"})
    done = subprocess.run(shell.words("call", "a", "x", *words), capture_output=True, timeout=60, env=shell.environment)
    assert done.returncode == 1 and (json.loads(done.stdout) == {"why": 1} if words else done.stdout == body), done


def test_closed_standard_streams_do_not_matter(shell, provider):
    log_in(shell, provider)
    for closed in ("<&-", "2>&-", "<&- 2>&-"):
        command = "exec " + shlex.join(shell.words("token", "a")) + " " + closed
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, env=shell.environment)
        assert (done.returncode, done.stdout) == (0, next(iter(provider.living)) + "\n"), closed


def test_the_next_step_of_a_newcomer(shell, tmp_path):
    assert "login PROVIDER --account nope" in shell.message("authorize", "nope", "--interaction", "never", status=3)
    assert "there is no account nope. Sign in with: oauth-stdio login PROVIDER" in shell.message("status", "nope", status=1)
    assert "add --clientId ID, or run this in a terminal" in shell.message("login", "github", status=2)
    assert "of the options of curl, it takes -X, -d, --json, -H and -o" in shell.message("call", "a", "x", "-i", status=2)


MISTAKES = [
    # An account that does not exist, and one that can be named for its provider.
    (3, "call nope user", "there is no account nope. Sign in with: oauth-stdio login PROVIDER --account nope"),
    (3, "call http://127.0.0.1:1/mcp user", "there is no account 127.0.0.1:1/mcp. Sign in with: oauth-stdio login URL"),
    (3, "token github", "there is no account github. Sign in with: oauth-stdio login github"),
    (3, "token githbu", "there is no account githbu. Sign in with: oauth-stdio login github"),
    (3, "header nope https://api.example/", "there is no account nope. Sign in with: oauth-stdio login PROVIDER --account nope"),
    (3, "sasl nope --user me", "there is no account nope. Sign in with: oauth-stdio login PROVIDER --account nope"),
    (2, "authorize", "ACCOUNT is missing: write oauth-stdio authorize ACCOUNT [--PARAM VALUE…]"),
    (2, "login work --wait false", "login does not take the word false: write --wait=false\nSee oauth-stdio login --help."),
    (2, "login work --scopes read profile", "login does not take the word profile: write --scopes read --scopes profile\nSee oauth-stdio login --help."),
    (2, "login http://example.com/", "PROVIDER must be an https URL; only this machine, and hosts in httpHosts of the configuration, may use http"),
    (2, "authorize nope", "there is no account nope. Sign in with: oauth-stdio login PROVIDER --account nope"),
    (1, "status nope", "there is no account nope. Sign in with: oauth-stdio login PROVIDER --account nope"),
    (3, "logout nope", "there is no account nope, so there is nothing to delete"),
    (2, 'importGrant a json {"access_token":"t"}', "there is no account a: add --provider PROVIDER"),
    # An account that is known, and not signed in.
    (3, "call work user", "the account work is not signed in. Sign in with: oauth-stdio login work"),
    (3, "logout work", "the account work is not signed in, so there is nothing to delete"),
    (3, "call wrok user", 'there is no account wrok: did you mean "work"?'),
    # A provider.
    (2, "login githbu", 'there is no provider "githbu": did you mean "github"?'),
    (2, "login wrok", 'there is no provider "wrok": did you mean the account "work"?'),
    (2, "login github.com", 'there is no provider "github.com": did you mean "github"?'),
    (2, "login id.example", 'there is no provider "id.example". The address of a server begins with https://'),
    (2, "login mystery", 'there is no provider "mystery". This lists them: oauth-stdio providers'),
    (5, "login https://nowhere.invalid", "nowhere.invalid could not be reached: its name could not be resolved. Check the name, and that this machine is online"),
    # A client.
    (2, "login github", "GitHub needs a client: register one at https://github.com/settings/developers with the redirect URI http://127.0.0.1/callback. "
        "Then add --clientId ID, or run this in a terminal, which asks for the client"),
    # Variables, all at once.
    (2, "login keycloak", "the provider's URL https://{host}/realms/{realm}/protocol/openid-connect/auth needs host and realm. "
        'Add --variables \'{"host":"…","realm":"…"}\''),
    (2, 'login keycloak --variables {"host":"h"}', "the provider's URL https://{host}/realms/{realm}/protocol/openid-connect/auth needs realm. "
        'Add --variables \'{"host":"…","realm":"…"}\''),
    # The name that the user typed, and not that of the method behind it.
    (2, "login github --scope a", 'login has no param --scope: did you mean "--scopes"?'),
    (2, "call a x --store y", "--store is an option of the process: write it before call\nSee oauth-stdio call --help."),
    (2, "login github mine", "login does not take the word mine: write --PARAM before a value\nSee oauth-stdio login --help."),
    (2, "call", "ACCOUNT is missing: write oauth-stdio call ACCOUNT URL [-X METHOD] [-d DATA] [--json DATA] [-H 'NAME: VALUE'] [-o FILE]"),
    (2, "header work", "URL is missing: write oauth-stdio header ACCOUNT URL [-X METHOD] [--format json]"),
    # Words that other programs have.
    (2, "version", 'there is no command version: did you mean "--version"?'),
    (2, "help logni", 'there is no command logni: did you mean "login"?'),
    (2, "hostCredential gitlab.com", "no account serves gitlab.com yet. Sign in with: oauth-stdio login gitlab"),
]


def test_an_advised_command_repeats_the_options(shell, tmp_path):
    file = tmp_path / "two words.json"
    file.write_text(json.dumps({"accounts": {"work": {"provider": "github", "clientId": "c"}}}))
    said = shell.run("--config", file, "token", "work", status=3).stderr
    program = shlex.join(["oauth-stdio", "--store", str(shell.home / "store"), "--config", str(file)])
    assert said == f"oauth-stdio: the account work is not signed in. Sign in with: {program} login work\n"


@pytest.mark.parametrize("uri", [
    "postgresql://me:pa55w0rd@127.0.0.1:1/db", "postgres://127.0.0.1:1/db?user=me&password=pa55w0rd", "postgresql://127.0.0.1:1/db?p%61ssword=pa55w0rd",
    "postgresql://me:pa55@w0rd@127.0.0.1:1/", "postgresql://me:pa55/w0rd@127.0.0.1:1/"])
@pytest.mark.parametrize("form", ["--store={}", "--store {}"])
def test_advice_repeats_no_password(shell, uri, form):
    words = form.format(uri).split(" ")
    for command in (["token", "a"], ["login", "github"], ["setup", "git", "github.com"], ["hostCredential", "github.com"]):
        done = subprocess.run([BINARY, *words, *command], capture_output=True, text=True, env=shell.environment, cwd=shell.home, timeout=60)
        assert done.returncode in (1, 2, 3) and "w0rd" not in done.stdout + done.stderr, done
    assert not (shell.home / ".gitconfig").exists()


@pytest.mark.parametrize("command", ["token", "call", "doctor", "status", "header"])
def test_advice_for_a_strange_account_name_runs_nothing(shell, command):
    """A user pastes the advice into a shell."""
    name = "x; touch $(echo made) 'y"
    done = subprocess.run(
        [BINARY, command, name, *{"call": ["user"], "header": ["https://api.example/"]}.get(command, [])],
        capture_output=True, text=True, env=shell.environment, cwd=shell.home, timeout=60)
    advice = re.search(r"ign in(?: with)?: (oauth-stdio .*)", done.stdout + done.stderr)
    assert shlex.split(advice[1])[-1] == name, done


@pytest.mark.parametrize("store", [
    "POSTGRESQL://me:pa55w0rd@h/db", "mysql://me:pa55w0rd@h/db", "host=127.0.0.1 port=1 password=pa55w0rd", "host=h password = pa55w0rd",
    "host=h PASSWORD=pa55w0rd", "postgres:me:pa55w0rd@h/db", "postgresql//me:pa55w0rd@h/db", " postgresql://me:pa55w0rd@h/db",
    "pgsql:me:pa55w0rd@h/db", "ostgresql:/me:pa55w0rd@h/db", "me:pa55w0rd@h/db", "postgresql%3A%2F%2Fme%3Apa55w0rd@h", "jdbc:postgresql:me:pa55w0rd",
    "host h password pa55w0rd", "pa55w0rd@h", "h,5432,db,pa55w0rd"])
def test_another_database_is_no_folder(shell, store):
    for words in (["status"], ["setup", "git", "github.com"]):
        done = subprocess.run([BINARY, "--store", store, *words], capture_output=True, text=True, env=shell.environment, cwd=shell.home, timeout=60)
        assert done.returncode == 2 and "postgresql://HOST/NAME" in done.stderr and "w0rd" not in done.stderr, done
    assert not [path for path in shell.home.rglob("*") if "w0rd" in path.name or path.name == ".gitconfig"]


def test_doctors_advice_runs_nothing(shell):
    """The name contains the words that advice begins with, and the options contain an apostrophe."""
    name = "oauth-stdio login; echo x > made #"
    options = ["--key", "command:sh -c 'head -c32 /dev/zero | base64'", "--store", str(shell.home / "o'b; touch made")]
    done = subprocess.run([BINARY, *options, "doctor", name], capture_output=True, text=True, env=shell.environment, cwd=shell.home, timeout=60)
    advice = re.search(r"sign in: (oauth-stdio .*)", done.stdout)
    assert shlex.split(advice[1]) == ["oauth-stdio", *options, "login", "PROVIDER", "--account", name], done


@pytest.mark.parametrize("program", ["bash", "dash", "zsh", "fish"])
@pytest.mark.parametrize("name", ["\\'; touch made #", "a\\\\'b", "x'\u0301; touch made #", "=ls", "~", "$(touch made)", "`touch made`", "a\\", "!!", "{a,b}"])
def test_every_shell_takes_an_advised_command_literally(shell, program, name):
    advice = re.search(r"Sign in with: oauth-stdio (.*)", shell.run("token", name, status=3).stderr)[1]
    shown = subprocess.run(
        [program, "-c", f"printf '%s\\n' {advice}"], capture_output=True, text=True, env=shell.environment, cwd=shell.home, timeout=60)
    assert shown.stdout.splitlines()[-1] == name and not (shell.home / "made").exists(), shown


@pytest.mark.parametrize("name", ["-rf", "--help"])
def test_an_account_may_begin_with_a_dash(shell, provider, name):
    advice = shell.message("token", "--", name, status=3)
    assert advice.endswith(f"Sign in with: oauth-stdio login PROVIDER --account={name}\n")
    (shell.home / "config.json").write_text(json.dumps({"accounts": {name: {"provider": provider.description, "clientId": "c"}}}))
    config = ["--config", str(shell.home / "config.json")]
    assert shell.message(*config, "token", "--", name, status=3).endswith(f"Sign in with: oauth-stdio login -- {name}\n")
    shown = json.loads(shell.run(*config, "login", "--", name, "--dryRun").stdout)
    assert shown["account"] == name and shown["dryRun"]["requests"]
    assert "login needs the name" in shell.message("login", name if name != "--help" else "--", status=2)


@pytest.mark.parametrize("words", [["token", "--"], ["logout", "--"], ["login", "--"], ["account", "--"]])
def test_a_word_after_two_dashes_names_no_file(shell, words):
    (shell.home / "file").write_text("other")
    done = subprocess.run(shell.words(*words, "@file"), stdin=subprocess.DEVNULL, capture_output=True, text=True, env=shell.environment, cwd=shell.home)
    assert "@file" in done.stdout + done.stderr and "other" not in done.stdout + done.stderr, done


@pytest.mark.parametrize("uri", [
    "postgresql:///db?host=%2Fvar%2Frun%2Fpostgresql", "postgresql://h/db?user=me@tenant", "postgresql://h/db?application_name=password"])
def test_git_takes_a_database_without_a_password(shell, uri):
    done = subprocess.run(
        [BINARY, "--store", uri, "setup", "git", "github.com"], capture_output=True, text=True, env=shell.environment, cwd=shell.home, timeout=60)
    assert "password" not in done.stderr.replace(uri, ""), done
    assert uri in (shell.home / ".gitconfig").read_text()


def test_a_broken_configuration_is_no_missing_sign_in(shell):
    file = shell.home / "config.json"
    for text, said in (("{", "is not valid JSON at line 1, column 2: it ends too early"), ('{"accounts": {"work": {"provder": "github"}}}', "provder")):
        file.write_text(text)
        for words in (["token", "work"], ["call", "work", "user"]):
            message = shell.message("--config", file, *words, status=2)
            assert said in message and "sign in" not in message.lower(), message


def test_blanks_do_not_separate_scopes(shell):
    message = shell.message("login", "github", "--clientId", "c", "--scopes", "read profile", status=2)
    assert message == "oauth-stdio: --scopes must be one scope without blanks: write --scopes before each value\n"


@pytest.mark.parametrize(("status", "line", "said"), MISTAKES, ids=[line for _, line, _ in MISTAKES])
def test_a_mistake_gets_one_message_with_the_next_step(shell, status, line, said):
    file = shell.home / "config.json"
    file.write_text(json.dumps({"accounts": {"work": {"provider": "github", "clientId": "c"}}}))
    assert shell.message("--config", file, *line.split(), status=status) == f"oauth-stdio: {said}\n"


def test_the_next_step_after_a_sign_in_that_fails(shell, provider):
    """Each ends with one line."""
    for error, said, status in (
        ({"error": "access_denied"}, "the sign-in was denied. Run the command again to try again", 4),
        ({"error": "invalid_scope"}, "the authorization server rejected the sign-in: invalid_scope. Compare --scopes with the provider's documentation", 1),
    ):
        process, url = waiting_login(shell, provider)
        browser.deliver(signing_in.redirect(url, **error))
        assert process.communicate(timeout=60)[1].splitlines()[-1] == f"oauth-stdio: {said}" and process.returncode == status
    provider.instead["/token"] = lambda request: Response.of({"error": "invalid_client"}, 401)
    process, url = waiting_login(shell, provider)
    browser.deliver(signing_in.redirect(url, code="x"))
    assert process.communicate(timeout=60)[1].splitlines()[-1:] == [
        "oauth-stdio: the authorization server answered with invalid_client. Compare the client's ID and secret, or its key, with the provider's page for apps"]
    words = ("--provider", json.dumps(provider.description), "--clientId", "c", "--openBrowser=false", "--timeout", "1")
    # Of an account that only these words describe, nothing is left to look at.
    assert shell.run("login", "new", *words, status=1).stderr.endswith(" with --timeout if you need more seconds\n")
    preset = ("login", "github", "--account", "new", *words[2:])
    assert shell.run(*preset, status=1).stderr.endswith(f"This looks for the reason: oauth-stdio --store {shell.home}/store doctor github\n")
    token = json.dumps({"access_token": "x", "token_type": "bearer"})
    shell.result("importGrant", "a", "json", token, *words[:4])
    done = shell.run("login", "a", *words, "--interaction", "always", status=1)
    asked, _, waiting, elsewhere, told = done.stderr.splitlines()
    # This command opens no page.
    assert asked == "oauth-stdio: a: open this page to sign in:" and re.fullmatch(r"Waiting for at most [01] s\. Ctrl-C ends this\.", waiting)
    program = f"oauth-stdio --store {shell.home}/store"
    assert elsewhere.endswith(f"Copy the address of that page and type in another shell: {program} handleRedirect --url 'ADDRESS'")
    assert told == (
        "oauth-stdio: the sign-in was not finished within 1 s. Run the command again, with --timeout if you need more seconds. "
        f"This looks for the reason: {program} doctor a")


def test_the_next_step_after_a_call_that_fails(shell, provider):
    log_in(shell, provider)
    host = f"127.0.0.1:{provider.port}"
    said = (
        "oauth-stdio: the token must not be sent to elsewhere.example: it is not one of the account's hosts, "
        f"which are {host}. To add one, name it in apiHosts of the provider's description\n")
    assert shell.message("header", "a", "https://elsewhere.example/x", status=4) == said == shell.message("call", "a", "https://elsewhere.example/x", status=4)
    for scope, option in (('scope="write admin"', "--scopes write --scopes admin"), ("", "--scopes SCOPE")):
        challenge = {"WWW-Authenticate": f'Bearer error="insufficient_scope", {scope}'.rstrip(", ")}
        provider.instead["/api/x"] = lambda request: Response(403, b"", challenge)
        assert shell.message("call", "a", "x", status=4) == (
            f"oauth-stdio: the service requires a scope that the token does not have. Sign in with: oauth-stdio login a {option}\n")
    challenge = {"WWW-Authenticate": 'Bearer error="insufficient_user_authentication"'}
    assert shell.message("call", "a", "x", status=3).endswith(". Sign in with: oauth-stdio login a --interaction always\n")
    provider.instead["/api/large"] = lambda request: Response(200, b"large")
    shell.run("callAPI", "a", "large", "--saveTo", "file")
    assert "file cannot be used: it already exists; --overwrite replaces it\n" in shell.message("callAPI", "a", "large", "--saveTo", "file", status=1)
    assert shell.message("call", "a", "large", "--maxBytes", "4", status=1) == (
        "oauth-stdio: the response is larger than 4 bytes: raise --maxBytes, or use --saveTo FILE\n")
    assert shell.message("accessToken", "a", "--idToken", status=3) == (
        "oauth-stdio: sign-in is required: the account has no ID token. Sign in with: oauth-stdio login a --scopes openid\n")
    rules = ("--allow-call", f"GET {provider.url}/api/y/**", "--allow-call", f"GET {provider.url}/api/z")
    assert shell.message(*rules, "call", "a", "x?key=value", status=4).endswith(
        f"no rule matches GET {provider.url}/api/x; the rules are {rules[1]}, {rules[3]}\n")
    assert "an escaped sign that servers read differently: GET " in shell.message(*rules, "call", "a", "y/%2e%2e/x", status=4)
    token = json.dumps({"access_token": "t0ken", "token_type": "bearer"})
    words = ("importGrant", "a", "json", token, "--provider", json.dumps(provider.description), "--clientId", "c")
    assert shell.message(*words, status=2).startswith("oauth-stdio: the account a already has a grant; --replace replaces it\n")
    assert "the file missing cannot be used: no such file or directory\n" in shell.message("call", "a", "x", "-d", "@missing", status=1)
    provider.instead["/api/x"] = lambda request: Response(401)
    provider.instead["/token"] = lambda request: Response.of({"error": "invalid_grant"}, 400)
    assert shell.message("call", "a", "x", status=3) == (
        "oauth-stdio: sign-in is required: the provider rejected the refresh token: the authorization server answered with invalid_grant. "
        "Sign in with: oauth-stdio login a\n")
    assert "--body is not valid JSON: look at the text at byte 2\nSee oauth-stdio call --help.\n" in shell.message("call", "a", "x", "--body", "{x", status=2)
    # The second time, there is nothing left.
    shell.run("logout", "a")
    assert shell.message("logout", "a", status=3) == "oauth-stdio: there is no account a, so there is nothing to delete\n"
    assert shell.message("token", "a", status=3) == "oauth-stdio: there is no account a. Sign in with: oauth-stdio login PROVIDER --account a\n"


def test_a_store_that_is_not_there_cannot_be_copied(shell, tmp_path):
    said = shell.message("copy", "--from", tmp_path / "missing", status=1)
    assert said == "oauth-stdio: there is no store with grants where they should come from\n" and not (tmp_path / "missing").exists()


def test_a_relative_url_of_a_provider_without_a_base(shell, provider):
    description = {name: value for name, value in provider.description.items() if name != "apiBase"}
    token = json.dumps({"access_token": "t0ken", "token_type": "bearer"})
    shell.result("importGrant", "b", "json", token, "--provider", json.dumps(description), "--clientId", "c")
    assert shell.message("call", "b", "user", status=2) == "oauth-stdio: URL must be an absolute URL, because the provider has no apiBase\n"


def test_logging_out_of_all(shell, provider):
    """One that fails stops no other. Accounts without a grant count as signed out."""
    (shell.home / "config.json").write_text(json.dumps({"accounts": {"none": {"provider": "github", "clientId": "c"}}}))
    (shell.home / "config.json").chmod(0o600)
    options = ("--config", shell.home / "config.json")
    for name in ("a", "b", "c"):
        token = json.dumps({"access_token": name, "token_type": "bearer", "refresh_token": f"r-{name}"})
        description = {**provider.description, "revocationEndpoint": provider.url + "/revoke"}
        shell.result("importGrant", name, "json", token, "--provider", json.dumps(description), "--clientId", "c")
    provider.instead["/revoke"] = lambda request: Response(503) if b"r-b" in request.body else None
    assert "logout takes no other word than --all" in shell.message(*options, "logout", "a", "--all", status=2)
    done = shell.run(*options, "logout", "--all", status=1)
    assert [state["account"] for state in shell.result("accounts")["accounts"]] == ["b"] and "503" in done.stderr
    del provider.instead["/revoke"]
    assert shell.run(*options, "--accounts", "a,none", "logout", "--all").stderr == "oauth-stdio: no account is signed in, so nothing was done\n"
    assert [state["account"] for state in shell.result("accounts")["accounts"]] == ["b"]
    shell.run(*options, "logout", "--all")
    shell.run(*options, "logout", "--all")
    assert shell.result("accounts")["accounts"] == []


def test_a_second_account_of_a_provider_that_has_one_of_its_name(shell, tmp_path):
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"accounts": {"github": {"provider": "github", "clientId": "first"}}}))
    shown = shell.run("--config", file, "login", "github", "--account", "work", "--clientId", "second", "--dryRun").stdout
    assert "client_id=second" in shown and "client_id=first" not in shown


def test_a_terminal_gets_indented_json(shell):
    master, slave = pty.openpty()
    process = shell.start("account", "unknown", stdout=slave)
    os.close(slave)
    shown = b""
    while b"\n}\r\n" not in shown.replace(b"\r\n", b"\n").replace(b"\n}\n", b"\n}\r\n"):
        shown += os.read(master, 4096)
    assert process.wait(60) == 0
    os.close(master)
    process.stderr.close()
    text = shown.decode().replace("\r\n", "\n")
    assert text == json.dumps(json.loads(text), indent=2) + "\n"


def test_a_long_message_is_whole(shell):
    """The message is longer than the queue of log lines."""
    word = "x" * 100_000
    assert word in shell.message("account", "a", f"--{word}", status=2)


# Signing in, tokens and calls


def test_from_nothing_to_a_call(shell, provider):
    shell.sign_in(provider)
    assert shell.result("callAPI", "a", "x", "--as", "json")["json"] == {"path": "/api/x", "method": "GET"}
    assert shell.result("callAPI", "a", "x", "--method", "POST", "--body", '{"form":{"b":"c"}}', "--as", "json")["json"]["method"] == "POST"
    token = shell.result("accessToken", "a")["accessToken"]
    assert token in provider.living
    refreshed = shell.run("refresh", "a", "--force")
    assert json.loads(refreshed.stdout)["refreshed"] is True and refreshed.stderr == "oauth-stdio: a: the access token was refreshed\n"
    assert token not in provider.living
    revoked = shell.run("revoke", "a")
    assert json.loads(revoked.stdout) and revoked.stderr == "oauth-stdio: a: signed out, here and at the provider\n"
    assert shell.result("accounts") == {"accounts": []}


def test_events_as_json(shell, provider):
    shell.sign_in(provider)
    lines = shell.run("--events", "json", "refresh", "a", "--force").stderr.splitlines()
    assert [json.loads(line)["method"] for line in lines] == ["accessTokenWasRefreshed", "authorizationWasSuccessful"][: len(lines)] and lines
    failed = shell.run("--events", "json", "refresh", "b", status=3).stderr.splitlines()
    assert json.loads(failed[-1])["error"]["data"]["kind"] == "signInRequired"
    assert shell.run("--events", "none", "refresh", "a", "--force").stderr == ""


def test_the_exit_status_says_what_failed(shell, provider):
    shell.sign_in(provider)
    message = shell.message("refresh", "b", status=3)
    assert "call authorize" not in message and "Sign in with: oauth-stdio login PROVIDER --account b\n" in message
    assert "--read-only" in shell.message("--read-only", "revoke", "a", status=4)
    assert "elsewhere.example" in shell.message("callAPI", "a", "https://elsewhere.example/", status=4)
    assert "404" in shell.message("callAPI", "a", "/missing", status=1)
    provider.__exit__(None, None, None)
    assert "could not be reached" in shell.run("callAPI", "a", "x", status=5).stderr


def test_limits_and_the_audit_file_hold_for_commands(shell, provider):
    shell.sign_in(provider)
    audit = shell.home / "audit"
    assert shell.run("--audit", audit, "callAPI", "a", "x").returncode == 0
    assert json.loads(audit.read_text().splitlines()[0])["path"] == "/api/x"
    for limit, words in (("--no-tokens", ["accessToken", "a"]), ("--accounts=b", ["callAPI", "a", "x"]), ("--allow=accounts", ["refresh", "a"])):
        shell.message(limit, *words, status=4)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_cancels_a_sign_in(shell, provider, number):
    process = shell.start(
        "authorize", "a", "--provider", json.dumps(provider.description), "--clientId", "c", "--openBrowser=false")
    assert any(line.startswith("http") for line in process.stderr)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 128 + number and out == "" and err.splitlines()[-1] == "oauth-stdio: cancelled before the sign-in was finished", err
    # The account can sign in at once.
    shell.sign_in(provider)


def test_a_signal_during_an_exchange_says_what_is_awaited(shell, provider):
    """The user would repeat Ctrl-C, and lose the tokens that the provider is about to send."""
    shell.sign_in(provider)
    begun, ends = threading.Event(), threading.Event()

    def slow(request):
        begun.set()
        ends.wait(100)

    provider.instead["/token"] = slow
    process = shell.start("refresh", "a", "--force")
    assert begun.wait(PATIENCE)
    process.send_signal(signal.SIGINT)
    assert process.stderr.readline() == "oauth-stdio: cancelled\n"
    line = process.stderr.readline()
    assert re.fullmatch(
        r"oauth-stdio: waiting at most (80|7\d|6\d) s for unfinished work, such as new tokens\. A second signal ends this now and may lose the login\n", line), line
    ends.set()
    process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGINT
    del provider.instead["/token"]
    assert shell.result("callAPI", "a", "x")["status"] == 200


def test_a_closed_output_ends_the_command_without_losing_a_token(shell, provider):
    shell.sign_in(provider)
    reading, writing = os.pipe()
    os.close(reading)
    process = shell.start("refresh", "a", "--force", stdout=writing)
    os.close(writing)
    process.communicate(timeout=60)
    assert process.returncode == 1
    assert shell.result("callAPI", "a", "x")["status"] == 200


def test_many_commands_at_once_refresh_once(shell, provider):
    shell.sign_in(provider)
    provider.living = set()
    before = sum(request.path == "/token" for request in provider.requests)
    processes = [shell.start("callAPI", "a", "x") for _ in range(8)]
    for process in processes:
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
    assert sum(request.path == "/token" for request in provider.requests) == before + 1


def test_no_secret_is_in_any_message(shell, provider):
    shell.sign_in(provider)
    said = ""
    for words in (["refresh", "a", "--force"], ["callAPI", "a", "/missing"], ["callAPI", "a", "x"], ["revoke", "a"]):
        done = subprocess.run(
            [*shell.words()[:1], "--log-level", "debug", *shell.words()[1:], *words], capture_output=True, text=True, env=shell.environment, timeout=60)
        said += done.stderr + done.stdout
    assert not [secret for secret in provider.secrets if secret in said]


# Everyday commands


def log_in(shell, provider, *more) -> str:
    """Signs the account a in with `login`, and returns what it says."""
    parameters = provider.parameters()
    process = shell.start("login", "a", "--provider", json.dumps(parameters["provider"]), "--clientId", "c", "--scopes", "read", "--openBrowser=false", *more)
    said = []
    for line in process.stderr:
        said.append(line)
        if line.startswith("http"):
            break
    provider.approve(line.strip())
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0 and out == "", err
    return "".join(said) + err


def waiting_login(shell, provider, **more) -> tuple[subprocess.Popen, str]:
    """Starts `login` in a first shell. Returns it with the page's URL."""
    parameters = provider.parameters()
    process = shell.start(
        "login", "a", "--provider", json.dumps({**parameters["provider"], **more}), "--clientId", "c", "--scopes", "read", "--openBrowser=false")
    return process, next(line for line in process.stderr if line.startswith("http")).strip()


def test_from_login_to_logout(shell, provider):
    program = shlex.join(["oauth-stdio", *shell.words()[1:]])
    assert shell.run("status").stdout == f"There are no accounts. Sign in with: {program} login PROVIDER\n"
    assert log_in(shell, provider).endswith("oauth-stdio: a: signed in\n")
    titles, row = shell.run("status").stdout.splitlines()
    assert titles.split("  ")[0] == "ACCOUNT" and re.fullmatch(r"a +127\.0\.0\.1 +yes +read +in (59|60) minutes, then renewed +file", row), row
    token = shell.run("token", "a").stdout
    assert token.strip() in provider.living and token.endswith("\n")
    assert json.loads(shell.run("call", "a", "x").stdout) == {"path": "/api/x", "method": "GET"}
    assert shell.run("logout", "a").stderr == "oauth-stdio: a: signed out, here and at the provider\n"
    assert "oauth-stdio login PROVIDER --account a" in shell.message("call", "a", "x", status=3)


@pytest.mark.parametrize(("status", "body", "end", "said"), [
    (400, {"error": "invalid_grant"}, 0, "signed out, here and at the provider"),
    (401, {"error": "invalid_client"}, 0, "signed out here. The provider may still accept the tokens: end its session at URL/logout?client_id=c"),
    (410, None, 0, "signed out here. The provider may still accept the tokens: end its session at URL/logout?client_id=c"),
    (429, None, 1, "the login stays, and signOut deletes it here alone"), (503, None, 1, "the login stays, and signOut deletes it here alone"),
])
def test_every_answer_but_an_outage_ends_the_login_here(shell, provider, status, body, end, said):
    log_in(shell, provider)
    provider.instead["/revoke"] = lambda request: Response.of(body, status) if body else Response(status)
    description = {**provider.description, "endSessionEndpoint": provider.url + "/logout"}
    shell.run("import", "b", "-", "--provider", json.dumps(description), "--clientId", "c", text='{"access_token":"at"}')
    assert said.replace("URL", provider.url) in shell.run("logout", "b", status=end).stderr
    assert shell.result("account", "b")["canAuthorize"] == (end == 1)
    # Without a logout page, the provider's own address has to do.
    if "session" in said:
        assert shell.run("logout", "a").stderr.endswith(f"accept the tokens: end its session at {provider.url}\n")


def test_login_finds_the_account_or_names_it_after_the_provider(shell):
    file = shell.home / "config.json"
    provider = {"authorizationEndpoint": "https://id.example/authorize", "tokenEndpoint": "https://id.example/token"}
    file.write_text(json.dumps({"accounts": {"work": {"provider": provider, "clientId": "configured"}}}))

    assert json.loads(shell.run("--config", file, "login", "work", "--dryRun").stdout)["dryRun"]["requests"]
    assert "at https://github.com/settings/developers" in shell.message("login", "github", status=2)
    assert "at https://github.com/settings/developers" in shell.message("login", "github", "--account", "work", status=2)
    assert 'there is no provider "wrok"' in shell.message("--config", file, "login", "wrok", status=2)
    assert "127.0.0.1 could not be reached" in shell.run("login", "http://127.0.0.1:1/", status=5).stderr
    assert "login needs the name" in shell.message("login", status=2)


def test_the_user_pastes_the_redirect_over_ssh(shell, provider):
    parameters = provider.parameters()
    master, slave = pty.openpty()
    process = shell.start(
        "login", "a", "--provider", json.dumps(parameters["provider"]), "--clientId", "c", "--openBrowser=false", stdin=slave)
    os.close(slave)
    lines = []
    while not (lines and lines[-1].startswith("If that browser is on another machine")):
        lines.append(process.stderr.readline())
    url = next(line for line in lines if line.startswith("http")).strip()
    os.write(master, b"https://elsewhere.example/?code=1&state=2\n")
    assert process.stderr.readline() == f"oauth-stdio: {NO_SIGN_IN}\n"
    # The terminal itself cuts this line.
    os.write(master, signing_in.redirect(url, code="x" * 5000).encode() + b"\n")
    assert process.stderr.readline().startswith("oauth-stdio: the address is longer than a terminal's line. In another shell, type: oauth-stdio ")
    os.write(master, (signing_in.redirect(url, code=provider.secret()) + "\n").encode())
    out, err = process.communicate(timeout=60)
    os.close(master)
    assert process.returncode == 0 and err.endswith("oauth-stdio: a: signed in\n"), err
    assert shell.result("callAPI", "a", "x")["status"] == 200


def test_the_user_pastes_the_redirect_in_a_second_shell(shell, provider):
    process, url = waiting_login(shell, provider)
    good = signing_in.redirect(url, code=provider.secret())
    # The listener compares the state.
    done = shell.run("handleRedirect", "--url", signing_in.redirect(url, code="x", state="other"), status=1)
    assert json.loads(done.stdout)["handled"] is False and "no such sign-in is open" in done.stdout and process.poll() is None
    done = shell.run("handleRedirect", f" <{good}#fragment> ")
    assert json.loads(done.stdout) == {"handled": True} and "has the address, and reports how the sign-in ended" in done.stderr
    assert process.communicate(timeout=60)[1].endswith("a: signed in\n") and process.returncode == 0
    assert "none listens at 127.0.0.1" in shell.result("handleRedirect", "--url", good, status=1)["reason"]


def test_the_user_pastes_a_refusal_in_a_second_shell(shell, provider):
    process, url = waiting_login(shell, provider)
    done = shell.run("handleRedirect", "--url", signing_in.redirect(url, error="access_denied"))
    assert json.loads(done.stdout) == {"handled": True} and process.wait(60) == 4


@pytest.mark.parametrize(
    "url", [
        "https://127.0.0.1:{port}/callback?code=x&state=y", "https://app.example/callback?code=x&state=y", "http://app.example:{port}/callback?code=x&state=y",
        "http://user@127.0.0.1:{port}/callback?code=x&state=y", "http://127.0.0.1/callback?code=x&state=y", "http://127.0.0.2:{port}/callback?code=x&state=y",
        "com.example.app:/callback?code=x&state=y", "http://localhost.:{port}/callback?code=x&state=y"])
def test_a_redirect_for_no_listener_here_is_sent_nowhere(shell, provider, url):
    reason = shell.result("handleRedirect", "--url", url.format(port=provider.port), status=1)["reason"]
    assert reason == "the address belongs to a sign-in of another process: paste it at the prompt of the oauth-stdio login that waits for it"
    assert provider.connections == 0


@pytest.mark.parametrize("path", ["shutdown?now=1", "callback?code=x", "callback?state=y", "?code=x", "callback?codex=1&state=y"])
def test_an_address_that_is_no_redirect_is_sent_nowhere(shell, provider, path):
    """No text that the user is tricked into pasting reaches another service of this machine."""
    found = shell.result("handleRedirect", "--url", f"{provider.url}/{path}", status=1)
    assert found == {"handled": False, "reason": NO_SIGN_IN}
    assert provider.connections == 0


def test_the_method_sends_no_redirect_on(peer, provider):
    """A client that others control must not reach the services of this machine."""
    assert peer.request("handleRedirect", {"url": f"{provider.url}/callback?code=x&state=y"})["handled"] is False
    assert provider.connections == 0


@pytest.mark.parametrize(
    ("words", "method", "body", "type"),
    [
        ([], "GET", b"", None),
        (["-X", "DELETE"], "DELETE", b"", None),
        (["-d", "a=b&c=d"], "POST", b"a=b&c=d", "application/x-www-form-urlencoded"),
        (["-d", "<x/>", "-H", "Content-Type: text/xml", "-X", "PUT"], "PUT", b"<x/>", "text/xml"),
        (["-d", "@data"], "POST", b"\x00\xff", None),
        (["-d", "-"], "POST", b"from=input", "application/x-www-form-urlencoded"),
        (["--json", '{"a": [1, 2.50]}'], "POST", b'{"a":[1,2.50]}', "application/json"),
    ],
)
def test_call_takes_the_options_of_curl(shell, provider, words, method, body, type):
    log_in(shell, provider)
    (shell.home / "data").write_bytes(b"\x00\xff")
    provider.instead["/api/x"] = lambda request: Response(200, body=b"\x80bytes")
    done = subprocess.run(
        shell.words("call", "a", "x", *words), input=b"from=input", capture_output=True, timeout=60, env=shell.environment, cwd=shell.home)
    assert done.returncode == 0 and done.stdout == b"\x80bytes" and done.stderr == b"", done
    request = provider.requests[-1]
    assert request.method == method and (request.body == body or json.loads(request.body) == json.loads(body))
    assert type is None or request.headers["Content-Type"].split(";")[0] == type


def test_call_prints_the_body_of_an_error(shell, provider):
    log_in(shell, provider)
    provider.instead["/api/x"] = lambda request: Response(409, body=b'{"why":"conflict"}')
    done = shell.run("call", "a", "x", status=1)
    assert done.stdout == '{"why":"conflict"}' and done.stderr == "oauth-stdio: the service answered with status 409\n"


def test_call_streams_a_body_of_any_size(shell, provider):
    log_in(shell, provider)
    large = os.urandom(1 << 20) * 20
    provider.instead["/api/x"] = lambda request: Response(200, body=large)
    done = subprocess.run(shell.words("call", "a", "x"), capture_output=True, timeout=60, env=shell.environment)
    assert done.returncode == 0 and done.stdout == large and done.stderr == b""
    shell.run("call", "a", "x", "-o", "file")
    assert (shell.home / "file").read_bytes() == large


def test_header_authorizes_curl(shell, provider):
    log_in(shell, provider)
    url = f"http://127.0.0.1:{provider.port}/api/x"
    command = f"{shlex.join(shell.words('header', 'a', url))} | curl -s -H @- {url}"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, env=shell.environment)
    assert json.loads(done.stdout) == {"path": "/api/x", "method": "GET"}, done


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["call", "a", "x", "-d"], "-d needs a value"), (["call", "a", "x", "-H", "none"], "-H must be 'NAME: VALUE'"),
        (["call", "a", "x", "-d", "1", "--json", "2"], "a call has one body"), (["call", "a", "x", "--json", "{"], "--json is not valid JSON"),
        (["token"], "ACCOUNT is missing: write oauth-stdio token ACCOUNT"), (["token", "a", "b"], "does not take the word b"), (["logni"], 'did you mean "login"?'),
    ],
)
def test_a_wrong_everyday_command_is_explained(shell, words, said):
    assert said in shell.message(*words, status=2)


def test_the_help_of_an_everyday_command_has_its_methods_params(shell):
    for name, method in (("login", "authorize"), ("call", "callAPI"), ("token", "accessToken"), ("logout", "revoke"), ("header", "authorizeRequest")):
        param = re.compile(r"^  (--\w+\b.*)$", re.MULTILINE)
        own = {"call": ["--json DATA"], "header": ["--json DATA", "--format text|json"], "token": ["--format bearer|json|google"]}.get(name, [])
        assert sorted(param.findall(shell.run(name, "--help").stdout)) == sorted(param.findall(shell.run(method, "--help").stdout) + own)
    # Those that most users need come first.
    shown = param.findall(shell.run("login", "--help").stdout)
    assert [line.split()[0] for line in shown[:4]] == ["--account", "--provider", "--scopes", "--flow"] and "--openBrowser[=false]" in shown[:8]


EVERYDAY = ["login", "logout", "status", "token", "call", "header", "sasl", "doctor", "mcp", "setup", "key", "import", "exec-credential"]


@pytest.mark.parametrize("name", EVERYDAY)
def test_the_help_of_an_everyday_command_begins_with_examples_that_it_takes(shell, name):
    usage, _, rest = shell.run(name, "--help").stdout.partition("\nExamples:\n  ")
    examples = rest.partition("\n\n")[0].split("\n  ")
    assert usage.startswith(f"usage: oauth-stdio [OPTION…] {name} ") and examples
    shell.environment |= {"URL": "https://api.example/x", "BROWSER": ""}
    for example in examples:
        assert f"oauth-stdio {name}" in example
        command = example.replace("oauth-stdio", shlex.join(shell.words()), 1) + (" --interaction never" if name == "login" else "")
        done = subprocess.run(["bash", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, env=shell.environment, cwd=shell.home)
        assert not re.search("does not take|has no param|unknown|is missing|there is no command|needs a value", done.stderr), done


def test_the_options_of_the_bridge_are_a_list(shell):
    shown = shell.run("mcp", "--help").stdout
    listed = re.findall(r"^  (--[\w-]+)", shown, re.MULTILINE)
    assert {"--account", "--header", "--client-id", "--allow-tool", "--wait", "--list", "--call", "--allow-writes"} < set(listed)
    assert offers(shell, "mcp", "--") == listed + ["--help"]


# Shells and the manual


def offers(shell, *words) -> list[str]:
    return shell.run("--complete", *words).stdout.splitlines()


def test_completions_come_from_the_declarations(shell, provider):
    shell.sign_in(provider)
    assert offers(shell, "log") == ["login", "logout"] and offers(shell, "acc") == ["accessToken", "account", "accounts"]
    assert offers(shell, "--st") == ["--store"] and offers(shell, "--log-level", "w") == ["warning"]
    assert offers(shell, "refresh", "--f") == ["--force"] and offers(shell, "refresh", "--force", "--f") == []
    assert offers(shell, "callAPI", "a", "x", "--as", "") == ["text", "json", "base64", "results"]
    assert offers(shell, "authorize", "x", "--provider", "gitl") == ["gitlab"]
    # The word after `login` is an account, or the provider of a new one.
    assert offers(shell, "--store", str(shell.home / "store"), "login", "")[:2] == ["a", "airtable"] and offers(shell, "login", "gith") == ["github", "github-app"]
    assert offers(shell, "login", "github", "--sc") == ["--scopes"]
    # The options of an everyday command, with their usual values.
    assert offers(shell, "call", "a", "x", "-")[:5] == ["-X", "-d", "--json", "-H", "-o"] and "--maxBytes" in offers(shell, "call", "a", "x", "--m")
    assert offers(shell, "call", "-X", "P") == ["POST", "PUT", "PATCH"] and offers(shell, "call", "a", "x", "-o", "") == []
    assert offers(shell, "--store", str(shell.home / "store"), "call", "-X", "PUT", "") == ["a"]
    assert "-X" not in offers(shell, "call", "a", "x", "-X", "PUT", "-") and "-H" in offers(shell, "call", "a", "x", "-H", "A: b", "-")
    assert offers(shell, "sasl", "a", "--mechanism", "O") == ["OAUTHBEARER"] and offers(shell, "exec-credential", "a", "--id") == ["--id-token"]
    assert offers(shell, "setup", "")[2:] == ["pip", "uv", "bazel", "terraform", "cargo", "pnpm", "claude-code", "codex", "cursor", "vscode"] and offers(shell, "setup", "git", "--r") == ["--remove"]
    assert offers(shell, "mcp", "--allow-w") == ["--allow-writes"] and offers(shell, "git-credential", "e") == ["erase"]
    assert offers(shell, "--store", str(shell.home / "store"), "status", "") == ["a"]
    # Accounts are those of the store that the words name.
    store = str(shell.home / "store")
    assert offers(shell, "--store", store, "refresh", "") == ["a"] == offers(shell, "--store", store, "refresh", "--account", "")
    assert offers(shell, "--store", store + "2", "refresh", "") == [] and offers(shell, "nonsense", "") == []


def test_a_name_that_a_shell_would_run_is_not_offered(shell):
    provider = json.dumps({"authorizationEndpoint": "https://id.example/a", "tokenEndpoint": "https://id.example/t"})
    for name in ("$(touch evil)", "b c", "`id`", "plain@example.com"):
        shell.result("importGrant", name, "json", '{"access_token":"t"}', "--provider", provider, "--clientId", "c")
    assert offers(shell, "--store", str(shell.home / "store"), "refresh", "") == ["plain@example.com"]


SHELLS = {
    "bash": ["bash", "-c", 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _oauth_stdio "$1"; printf "%s\\n" "${COMPREPLY[@]}"', "bash"],
    "zsh": ["zsh", "-f", "-c", 'compdef() { :; }; compadd() { print -l -- ${(P)2}; }; script=$1; shift; words=("$@"); CURRENT=$#; '
            'source $script; _oauth_stdio', "zsh"],
    "fish": ["fish", "--no-config", "-c", 'source $argv[1]; complete -C (string join " " -- (string escape -- $argv[2..]))'],
}


@pytest.mark.parametrize("name", SHELLS)
def test_a_shell_completes(shell, name):
    script = shell.home / "script"
    script.write_text(shell.run("--completion", name).stdout)
    # The shells find the program by its name.
    folder = shell.home / "bin"
    folder.mkdir()
    (folder / "oauth-stdio").symlink_to(BINARY)
    environment = {**shell.environment, "PATH": f"{folder}:{shell.environment['PATH']}"}
    for words, offered in ((["acc"], ["accessToken", "account", "accounts"]), (["refresh", "--f"], ["--force"]), (["--log-level", "w"], ["warning"])):
        done = subprocess.run(
            [*SHELLS[name], str(script), "oauth-stdio", *words], capture_output=True, text=True, timeout=60, env=environment, cwd=shell.home)
        assert done.stdout.split() == offered, done


def test_the_manual_has_no_fault_of_form(shell):
    page = shell.run("--man").stdout
    done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-P-cbou", "-rLL=200n"], input=page, capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == ""
    assert [option["usage"] for option in OPENRPC["x-options"] if not re.search(rf"\n       {re.escape(option['usage'])}( |\n)", done.stdout)] == []
    assert [name for name in METHODS if f"\n   {name}\n" not in done.stdout] == []


@pytest.mark.parametrize("words", [["--completion", "csh"], ["--completion"], ["--man=x"]])
def test_a_wrong_option_of_these_is_explained(shell, words):
    assert words[0].split("=")[0] in shell.message(*words, status=2)


# The reader and the user go away


def endless(provider) -> None:
    provider.instead["/api/x"] = lambda request: Response(200, body=b"x" * (64 << 20))


def test_a_reader_that_has_enough_ends_the_call(shell, provider):
    log_in(shell, provider)
    endless(provider)
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{shlex.join(shell.words('call', 'a', 'x'))} | head -c 10"], capture_output=True, text=True, timeout=60,
        env=shell.environment)
    assert done.stdout == "x" * 10 and done.returncode == 1 and done.stderr == "", done


def test_an_output_that_is_full_is_reported(shell, provider):
    log_in(shell, provider)
    endless(provider)
    for words in (["call", "a", "x"], ["status"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run(shell.words(*words), stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, env=shell.environment)
        assert done.returncode == 1 and done.stderr == "oauth-stdio: standard output cannot be written: no space left on device\n", done


def wait_until_it_reads(pipe) -> None:
    """Gives the process a byte, and waits until it has taken it: it then waits for more."""
    os.write(pipe, b"x")
    left = bytearray(4)

    def is_empty() -> bool:
        fcntl.ioctl(pipe, termios.FIONREAD, left)
        return not any(left)

    wait_until(is_empty)


@pytest.mark.parametrize("words", [["git-credential", "get"], ["callAPI", "a", "x", "--body", "-"], ["callAPI", "a", "x", "--body", "@pipe"]])
def test_a_signal_ends_a_command_that_waits_for_input(shell, words):
    os.mkfifo(shell.home / "pipe")
    with shell.start(*words, stdin=subprocess.PIPE) as process:
        # The open of the named pipe waits for its reader.
        pipe = os.open(shell.home / "pipe", os.O_WRONLY) if "@pipe" in words else process.stdin.fileno()
        wait_until_it_reads(pipe)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == -signal.SIGINT
    if "@pipe" in words:
        os.close(pipe)


# Messages for a newcomer


def test_a_named_configuration_is_read_by_every_command(shell, provider):
    """A token needs no configuration, but a user who names one counts on it."""
    shell.sign_in(provider)
    (shell.home / "broken.json").write_text("{")
    commands = (["token", "a"], ["call", "a", "x"], ["git-credential", "get"], ["login", "github"], ["setup", "git", "github.com"])
    for words in commands:
        assert "does not exist" in shell.message("--config", shell.home / "none.json", *words, status=2, text="host=github.com\n\n")
        assert "is not valid JSON" in shell.message("--config", shell.home / "broken.json", *words, status=2, text="host=github.com\n\n")
    assert len(shell.run("token", "a").stdout) > 10 and not (shell.home / ".gitconfig").exists()


def test_a_broken_configuration_hides_no_login_and_is_named(shell, provider):
    shell.sign_in(provider)
    file = shell.home / "config/oauth-stdio/config.json"
    file.parent.mkdir(parents=True)
    file.write_text("{")
    for options in ((), ("--config", file)):
        done = shell.run(*options, "status", status=2)
        assert [line.split()[0] for line in done.stdout.splitlines()] == ["ACCOUNT", "a"]
        assert f"the configuration {file} is not valid JSON" in done.stderr and done.stderr.count("\n") == 1
    for words in (["call", "a", "x"], ["token", "a"], ["refresh", "a"]):
        done = shell.run(*words)
        assert done.stdout and "is not valid JSON" in done.stderr and done.stderr.endswith("the file, which was not read\n"), done
        assert done.stderr.count("not valid") == 1
    file.write_text("{}")
    assert shell.run("call", "a", "x").stderr == ""
    file.unlink()
    assert shell.run("call", "a", "x").stderr == ""


def test_status_names_the_provider_before_the_first_sign_in(shell):
    described = {"name": "Mine", "authorizationEndpoint": "https://id.example/a", "tokenEndpoint": "https://id.example/t"}
    providers = {"a": "github", "b": described, "c": {"preset": "gitlab", "variables": {"host": "git.example"}}, "d": "https://mcp.example/mcp"}
    file = shell.home / "config.json"
    file.write_text(json.dumps({"accounts": {name: {"provider": provider, "clientId": "c"} for name, provider in providers.items()}}))
    rows = [line.split()[:2] for line in shell.run("--config", file, "status").stdout.splitlines()[1:]]
    assert rows == [["a", "GitHub"], ["b", "Mine"], ["c", "GitLab"], ["d", "https://mcp.example/mcp"]]
    assert shell.run("--config", file, "status", "b").stdout.splitlines()[1].split()[:2] == ["b", "Mine"]


def test_a_faulty_entry_is_marked(shell):
    file = shell.home / "config.json"
    file.write_text(json.dumps({"accounts": {"a": {"provider": "github", "clientId": "c"}, "b": {"provider": "github", "clientId": 5}}}))
    rows = shell.run("--config", file, "status").stdout.splitlines()
    assert rows[1].split()[:3] == ["a", "GitHub", "no"] and " faulty: see doctor " in rows[2], rows
    assert shell.result("--config", file, "accounts")["accounts"][1]["problem"].endswith("/accounts/b/clientId, must be a string, not an integer")


@pytest.mark.parametrize("words, status, said", [
    (["login", "github", "--scopes", "repo,user"], 2, "write each scope by itself: --scopes repo --scopes user\n"),
    (["login", "github", "--openBrowser", "maybe"], 2, "login does not take the word maybe: write --openBrowser=true or --openBrowser=false\n"),
    (["login", "github", "--openBrowser", "false"], 2, "login does not take the word false: write --openBrowser=false\n"),
    (["status", "wrok"], 1, 'there is no account wrok: did you mean "work"?\n'),
    (["token", "wrok"], 3, 'there is no account wrok: did you mean "work"?\n'),
    (["logout", "other"], 3, "there is no account other, so there is nothing to delete\n"),
    (["git-credential", "get"], 2, "git-credential get needs the line host=HOST on standard input\n")])
def test_a_message_names_the_next_step(shell, words, status, said):
    (shell.home / "config.json").write_text(json.dumps({"accounts": {"work": {"provider": "github", "clientId": "c"}}}))
    assert shell.message("--config", shell.home / "config.json", *words, status=status, text="protocol=https\n").startswith("oauth-stdio: " + said)


def test_a_file_that_is_there_is_kept_on_request(shell, provider):
    shell.sign_in(provider)
    (shell.home / "file").write_text("kept")
    shell.message("call", "a", "x", "-o", "file", "--overwrite=false", status=1)
    assert (shell.home / "file").read_text() == "kept"
    for words in (["--overwrite"], []):
        (shell.home / "file").write_text("old")
        shell.run("call", "a", "x", "-o", "file", *words)
        assert json.loads((shell.home / "file").read_text())["path"] == "/api/x"


def test_the_manual_names_files_and_variables(shell):
    shown = shell.run("--man").stdout
    for section in ("FILES", "ENVIRONMENT", "EXAMPLES"):
        assert f".SH {section}\n" in shown
    assert "config.json" in shown and "BROWSER" in shown and "TOKEN=$(oauth\\-stdio token github)" in shown


# Signals and the start


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_an_answer_is_in_the_audit_file_whatever_signal_follows(shell, provider, number):
    shell.sign_in(provider)
    audit = shell.home / "audit"
    for count in range(1, 41):
        with subprocess.Popen(shell.words("--audit", audit, "--events", "none"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=shell.environment) as process:
            process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"accessToken","params":{"account":"a"}}\n')
            process.stdin.flush()
            assert b"accessToken" in process.stdout.readline()
            process.send_signal(number)
            assert abs(process.wait(60)) % 128 == number
        assert len(audit.read_text().splitlines()) == count


def test_a_parent_that_blocks_signals_can_end_the_command(shell):
    blocking = lambda: signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    with subprocess.Popen(shell.words("git-credential", "get"), stdin=subprocess.PIPE, env=shell.environment, preexec_fn=blocking) as process:
        wait_until_it_reads(process.stdin.fileno())
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == -signal.SIGTERM


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_the_parent_ignores_is_ignored(shell, number):
    """nohup ignores SIGHUP for its command, and a script ignores SIGINT for commands behind `&`."""
    ignoring = lambda: signal.signal(number, signal.SIG_IGN)
    request = b'{"jsonrpc":"2.0","id":1,"method":"accounts"}\n'
    with subprocess.Popen(shell.words(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=shell.environment, preexec_fn=ignoring) as process:
        for _ in range(2):
            process.stdin.write(request)
            process.stdin.flush()
            assert b"accounts" in process.stdout.readline()
            process.send_signal(number)
        other = next(each for each in (signal.SIGTERM, signal.SIGHUP) if each != number)
        process.send_signal(other)
        assert process.wait(60) == 128 + other


def test_a_thread_that_cannot_be_started_ends_the_process():
    """The process could neither answer nor be ended by a signal."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        binary = shutil.copy(BINARY, folder)

        def limited():
            resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
            # The limit does not hold for root.
            if os.getuid() == 0:
                os.setgid(54321)
                os.setuid(54321)

        for words, text in ((["accounts"], b""), ([], b'{"jsonrpc":"2.0","id":1,"method":"accounts"}\n')):
            # The request is there before the process, which ends without reading it.
            reader, writer = os.pipe()
            os.write(writer, text)
            process = subprocess.Popen(
                [binary, *words], stdin=reader, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=limited,
                env={"HOME": folder, "PATH": os.environ["PATH"]})
            os.close(reader)
            errors = process.communicate(timeout=60)[1]
            os.close(writer)
            assert process.returncode == 1 and errors == "oauth-stdio: no thread can be started: resource temporarily unavailable\n"


def test_a_command_for_scripts_says_only_what_the_user_must_act_on(shell, provider):
    provider.lifetime = 1
    log_in(shell, provider)
    for words in (["token", "a"], ["header", "a", f"{provider.url}/api/x"], ["sasl", "a", "--user", "me"], ["exec-credential", "a"], ["call", "a", "x"]):
        # Each refreshes the token.
        time.sleep(1.1)
        assert shell.run(*words).stderr == "", words
    time.sleep(1.1)
    assert shell.run("--events", "all", "token", "a").stderr == "oauth-stdio: a: the access token was refreshed\n"
    # Only a page is a sign-in.
    assert shell.run("authorize", "a", "--interaction", "never").stderr in ("", "oauth-stdio: a: the access token was refreshed\n")


def test_login_tells_that_no_page_is_necessary(shell, provider):
    log_in(shell, provider)
    assert shell.run("login", "a").stderr == "oauth-stdio: a: signed in\n"


def test_an_existing_folder_is_a_store(shell):
    (shell.home / "sp ace").mkdir()
    for words in (["--store", "sp ace"], ["--store=sp ace"]):
        done = subprocess.run([BINARY, *words, "accounts"], capture_output=True, text=True, env=shell.environment, cwd=shell.home, timeout=60)
        assert done.returncode == 0, done
    done = subprocess.run([BINARY, "--store", "sp bce", "accounts"], capture_output=True, text=True, env=shell.environment, cwd=shell.home, timeout=60)
    assert done.returncode == 2 and "./NAME for a folder" in done.stderr, done


@pytest.mark.parametrize("store", ["~/grants", "~", "~me/grants"])
def test_no_store_is_below_a_folder_named_like_the_home(shell, store):
    (shell.home / "~").mkdir()
    for words in (["--store", store], [f"--store={store}"]):
        done = subprocess.run([BINARY, *words, "doctor"], capture_output=True, text=True, env=shell.environment, cwd=shell.home, timeout=60)
        assert done.returncode == 2 and f"write the full path of the store {store}: the shell expands ~ only at the start of a word" in done.stderr, done
    assert not list((shell.home / "~").iterdir())


@pytest.mark.parametrize(("line", "said"), [
    ("login linkedin",
     "LinkedIn needs a client: register one at https://www.linkedin.com/developers/apps with the redirect URI http://127.0.0.1:8765/callback. "
     "Then add --clientId ID --redirectUri http://127.0.0.1:8765/callback, or run this in a terminal, which asks for the client"),
    ("login linkedin --clientId c",
     "the provider redirects only to a registered port: register http://127.0.0.1:PORT/callback with a port of your choice, "
     "and add --redirectUri http://127.0.0.1:PORT/callback"),
    ("login linkedin --clientId c --redirectUri http://127.0.0.1/callback",
     "the provider redirects only to a registered port: register http://127.0.0.1:PORT/callback with a port of your choice, "
     "and add --redirectUri http://127.0.0.1:PORT/callback"),
    ("login slack",
     "Slack needs a client: register one at https://api.slack.com/apps with an https redirect URI that your application receives. "
     "Then add --clientId ID --redirectUri URI, or run this in a terminal, which asks for the client"),
    ("login slack --clientId c",
     "the provider does not redirect to loopback addresses: register an https URI that your application receives, add --redirectUri URI, "
     "and paste the received address into oauth-stdio login, which asks for it in a terminal"),
], ids=lambda value: value if value.startswith("login") else "")
def test_a_redirect_uri_is_named_as_an_option(shell, line, said):
    assert shell.message(*line.split(), status=2) == f"oauth-stdio: {said}\n"


def test_a_read_only_command_names_the_sign_in_once(shell, provider):
    log_in(shell, provider)
    shell.run("signOut", "a")
    message = shell.message("--read-only", "token", "a", status=3)
    assert message.count(" login ") == 1 and "--read-only does not allow" not in message

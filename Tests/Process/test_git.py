"""Git's credential helper, with the system's Git and its own HTTP server program."""

import base64
import http.server
import json
import os
import shlex
import subprocess
import threading
import time

import pytest

import browser
from provider import Response, body_of
from rpc import BINARY, Peer
from signing_in import TokenProvider


class GitServer:
    """Serves a repository by smart HTTP (gitprotocol-http) to requests whose password is a living token."""

    def __init__(self, folder, provider: TokenProvider):
        self.rejected = 0
        self.names: set[str] = set()
        repository = folder / "repository.git"
        git("init", "-q", "--bare", "-b", "main", repository)
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one(self) -> None:
                kind, _, value = self.headers.get("Authorization", "").partition(" ")
                name, _, password = base64.b64decode(value).decode().partition(":") if kind == "Basic" else ("", "", "")
                body = body_of(self)
                if password not in provider.living:
                    server.rejected += kind == "Basic"
                    self.send_response(401)
                    self.send_header("WWW-Authenticate", 'Basic realm="repositories"')
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                server.names.add(name)
                path, _, query = self.path.partition("?")
                environment = {
                    **os.environ, "GIT_PROJECT_ROOT": str(folder), "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path, "QUERY_STRING": query,
                    "REQUEST_METHOD": self.command, "CONTENT_TYPE": self.headers.get("Content-Type", ""), "REMOTE_USER": name,
                    "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""), "CONTENT_LENGTH": str(len(body)),
                }
                answer = subprocess.run(["git", "http-backend"], input=body, capture_output=True, env=environment).stdout
                head, _, content = answer.partition(b"\r\n\r\n")
                fields = dict(line.split(": ", 1) for line in head.decode().splitlines())
                self.send_response(int(fields.pop("Status", "200").split()[0]))
                for field in fields.items():
                    self.send_header(*field)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = handle_one

            def log_message(self, *arguments) -> None:
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.http.server_port}"
        self.url = f"http://{self.host}/repository.git"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.http.shutdown()
        self.http.server_close()


def git(*words, environment=None, folder=None, status=0):
    done = subprocess.run(["git", *map(str, words)], capture_output=True, text=True, env=environment, cwd=folder, timeout=60)
    assert done.returncode == status, done
    return done


class User:
    """A user with a configured account, and Git set up as README says."""

    def __init__(self, home, provider: TokenProvider, server: GitServer):
        self.home, self.provider, self.server = home, provider, server
        home.mkdir(exist_ok=True)
        self.store = home / "store"
        self.config = home / "config.json"
        description = {**provider.description, "gitHosts": [server.host], "gitUserName": "git-user"}
        self.config.write_text(json.dumps({"accounts": {"work": {"provider": description, "clientId": "c", "scopes": ["read"]}}}))
        # The browser is a program that approves each page at once, and counts them.
        self.pages = home / "pages"
        script = home / "browser"
        script.write_text(f"#!/bin/sh\necho \"$1\" >>{self.pages}\n")
        script.chmod(0o755)
        self.environment = {**Peer.environment(self, None), "GIT_TERMINAL_PROMPT": "0", "BROWSER": str(script), "GIT_CONFIG_NOSYSTEM": "1"}
        helper = "!" + shlex.join([BINARY, "--store", str(self.store), "--config", str(self.config)]) + " git-credential"
        git("config", "--global", f"credential.http://{server.host}.helper", helper, environment=self.environment)
        threading.Thread(target=self.approve, daemon=True).start()
        self.is_open = True

    def approve(self) -> None:
        seen = 0
        while True:
            pages = self.pages.read_text().split() if self.pages.exists() else []
            for page in pages[seen:]:
                # The page of the process leads on to the provider.
                self.provider.approve(browser.Browser().get(page).location)
            seen = len(pages)
            threading.Event().wait(0.05)

    def shown(self) -> int:
        return len(self.pages.read_text().split()) if self.pages.exists() else 0

    def credential(self, action: str, text: str, status: int = 0) -> subprocess.CompletedProcess:
        done = subprocess.run(
            [BINARY, "--store", str(self.store), "--config", str(self.config), "git-credential", action], input=text, capture_output=True, text=True,
            env=self.environment, timeout=60)
        assert done.returncode == status, done
        return done

    def refreshes(self) -> int:
        return sum(b"grant_type=refresh_token" in request.body for request in self.provider.requests)


@pytest.fixture
def server(tmp_path, provider):
    server = GitServer(tmp_path, provider)
    yield server
    server.close()


@pytest.fixture
def user(home, provider, server):
    return User(home, provider, server)


def test_git_clones_pushes_and_fetches_with_one_page(user, server, tmp_path):
    copy = tmp_path / "copy"
    git("clone", "-q", server.url, copy, environment=user.environment)
    assert user.shown() == 1 and server.names == {"git-user"}
    (copy / "file").write_text("text")
    git("add", "file", environment=user.environment, folder=copy)
    git("-c", "user.name=n", "-c", "user.email=e@example.com", "commit", "-qm", "Add a file", environment=user.environment, folder=copy)
    git("push", "-q", "origin", "HEAD:main", environment=user.environment, folder=copy)
    git("clone", "-q", server.url, tmp_path / "second", environment=user.environment)
    assert (tmp_path / "second" / "file").read_text() == "text"
    assert user.shown() == 1 and user.refreshes() == 0


def test_six_fetches_at_once_cost_one_page_and_one_refresh(user, server, provider, tmp_path):
    def fetch_six_times() -> None:
        command = ["git", "ls-remote", server.url]
        processes = [subprocess.Popen(command, env=user.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(6)]
        for process in processes:
            _, said = process.communicate(timeout=60)
            assert process.returncode == 0, said

    fetch_six_times()
    assert user.shown() == 1 and user.refreshes() == 0
    # The next token lives for a second, which has to pass.
    provider.lifetime = 1
    user.credential("erase", user.credential("get", f"protocol=http\nhost={server.host}\n\n").stdout + f"protocol=http\nhost={server.host}\n\n")
    assert user.refreshes() == 1
    provider.lifetime = 3600
    time.sleep(1.1)
    fetch_six_times()
    assert user.shown() == 1 and user.refreshes() == 2


def test_a_rejected_password_is_replaced(user, server, provider):
    git("ls-remote", server.url, environment=user.environment)
    provider.living = set()
    # Git tells the helper that the host has rejected the token, and fails. The next command works.
    git("ls-remote", server.url, environment=user.environment, status=128)
    assert server.rejected == 1 and user.refreshes() == 1
    git("ls-remote", server.url, environment=user.environment)
    assert user.shown() == 1


def test_a_dead_login_opens_a_page_for_the_next_request_only(user, server, provider):
    request = f"protocol=http\nhost={server.host}\n\n"
    answer = user.credential("get", request).stdout
    provider.instead["/token"] = lambda token_request: Response.of({"error": "invalid_grant"}, 400)
    assert user.credential("erase", answer + request, status=3).stdout == "" and user.shown() == 1
    del provider.instead["/token"]
    assert "password=" in user.credential("get", request).stdout and user.shown() == 2


def test_what_the_helper_says(user, server, provider):
    request = f"protocol=http\nhost={server.host}\nwwwauth[]=Basic realm=\"x\"\ncapability[]=state\n\n"
    answer = dict(line.split("=", 1) for line in user.credential("get", request).stdout.splitlines())
    assert set(answer) == {"username", "password", "password_expiry_utc"} and answer["password"] in provider.living
    assert answer["username"] == "git-user"
    assert user.credential("store", request + "password=x\n").stdout == ""
    before = user.refreshes()
    assert user.credential("erase", f"protocol=http\nhost={server.host}\npassword=another\n\n").stdout == "" and user.refreshes() == before
    user.credential("erase", f"protocol=http\nhost={server.host}\n\n")
    assert user.refreshes() == before


def test_other_hosts_and_requests_get_nothing(user, server):
    # Git asks the next helper.
    other = user.credential("get", "protocol=https\nhost=elsewhere.example\n\n")
    assert other.stdout == "" and other.stderr == ""
    assert "only https is" in user.credential("get", "protocol=http\nhost=git.example.com\n\n", status=4).stderr
    # Git wants a helper to ignore what it does not know.
    assert user.credential("approve", "").stderr == ""
    assert "needs the line host=HOST" in user.credential("get", "protocol=https\n\n", status=2).stderr
    assert user.shown() == 0


def test_no_token_leaves_with_a_limit(user, server):
    done = subprocess.run(
        [BINARY, "--store", str(user.store), "--config", str(user.config), "--no-tokens", "git-credential", "get"],
        input=f"protocol=http\nhost={server.host}\n\n", capture_output=True, text=True, env=user.environment, timeout=60)
    assert done.returncode == 4 and done.stdout == "" and "--no-tokens" in done.stderr and user.shown() == 0


def asked(server, *lines: str) -> str:
    return "\n".join(["protocol=http", f"host={server.host}", *lines]) + "\n\n"


def test_git_without_a_user_gets_the_command_for_the_sign_in(user, server):
    for value in ("false", "0", "never"):
        done = git("-c", f"credential.interactive={value}", "ls-remote", server.url, environment=user.environment, status=128)
        assert "the account work is not signed in. Sign in with: oauth-stdio --store" in done.stderr and " login work\n" in done.stderr, done
    # Neither a browser nor a terminal.
    del user.environment["BROWSER"]
    assert " login work\n" in user.credential("get", asked(server), status=3).stderr and user.shown() == 0


def test_git_that_allows_questions_opens_a_page(user, server):
    git("-c", "credential.interactive=true", "ls-remote", server.url, environment=user.environment)
    # A stored token needs no question.
    git("-c", "credential.interactive=false", "ls-remote", server.url, environment=user.environment)
    assert user.shown() == 1


def test_a_helper_says_only_what_the_user_must_act_on(user, server, provider):
    page = user.credential("get", asked(server)).stderr
    assert "sign in on the page" in page and "signed in" not in page
    assert user.credential("get", asked(server)).stderr == ""
    (token,) = provider.living
    assert user.credential("erase", asked(server, f"password={token}")).stderr == "" and user.refreshes() == 1


@pytest.mark.parametrize(("challenges", "scheme"), [
    (['Bearer realm="git"'], "Bearer"), (['bearer'], "Bearer"), (['Basic realm="git"', 'Bearer realm="git"'], "Basic"),
    (['Bearer realm="git", Basic realm="git"'], "Basic"), (['Negotiate', 'Bearer realm="Basic"'], "Bearer"), ([], "Basic"),
])
def test_the_scheme_that_the_server_wants(user, server, provider, challenges, scheme):
    """Git 2.46 and later take any scheme from a helper, and give the credential back when the server rejects it."""
    lines = ["capability[]=authtype", *(f"wwwauth[]={value}" for value in challenges)]
    got = dict(line.split("=", 1) for line in user.credential("get", asked(server, *lines)).stdout.splitlines())
    (token,) = provider.living
    plain = token if scheme == "Bearer" else base64.b64encode(f"git-user:{token}".encode()).decode()
    assert (got["authtype"], got["credential"], "password" in got) == (scheme, plain, False)
    user.credential("erase", asked(server, *lines, f"authtype={scheme}", f"credential={plain}"))
    assert user.refreshes() == 1 and token not in provider.living


def test_a_signed_out_account_has_nothing_to_store_or_to_erase(user, server):
    for action in ("store", "erase"):
        done = user.credential(action, asked(server, "username=oauth2", "password=x"))
        assert done.stdout == done.stderr == "" and user.shown() == 0


def test_a_time_limit_covers_the_sign_in(user, server):
    done = subprocess.run(
        [BINARY, "--store", str(user.store), "--config", str(user.config), "hostCredential", server.host, "--protocol", "http", "--timeout", "1"],
        capture_output=True, text=True, env={**user.environment, "BROWSER": ""}, timeout=60)
    assert done.returncode == 1 and "the sign-in was not finished within 1 s" in done.stderr, done


def test_the_method_asks_no_user_if_it_must_not(user, server):
    done = subprocess.run(
        [BINARY, "--store", str(user.store), "--config", str(user.config), "hostCredential", server.host, "--protocol", "http", "--interaction", "never"],
        capture_output=True, text=True, env=user.environment, timeout=60)
    assert done.returncode == 3 and " login work\n" in done.stderr and user.shown() == 0, done


@pytest.fixture
def two_accounts(user):
    """Accounts with one host, of which each has a token of its own."""
    entry = json.loads(user.config.read_text())["accounts"]["work"]
    user.config.write_text(json.dumps({"accounts": {"g": entry, "g2": entry}}))
    tokens = {}
    for name in ("g", "g2"):
        words = [BINARY, "--store", str(user.store), "--config", str(user.config)]
        subprocess.run([*words, "login", name], check=True, capture_output=True, env=user.environment, timeout=60)
        tokens[name] = subprocess.run([*words, "token", name], check=True, capture_output=True, text=True, env=user.environment).stdout.strip()
    return tokens


def test_the_user_name_chooses_among_the_accounts_of_a_host(user, server, two_accounts):
    def password(*lines) -> str:
        return dict(line.split("=", 1) for line in user.credential("get", asked(server, *lines)).stdout.splitlines()).get("password", "")

    assert password("username=g") == two_accounts["g"] and password("username=g2") == two_accounts["g2"]
    # What a host wants beside a token is no name of an account.
    assert password("username=git-user") == two_accounts["g"]
    done = user.credential("get", asked(server, "username=octocat"))
    assert done.stdout == "" and done.stderr == (
        f"oauth-stdio: the user name is that of none of the accounts that serve {server.host}: g, g2. Name one in the URL, or with: "
        f"git config credential.http://{server.host}.username ACCOUNT\n")
    git("config", "--global", f"credential.http://{server.host}.username", "g2", environment=user.environment)
    filled = subprocess.run(["git", "credential", "fill"], input=asked(server), capture_output=True, text=True, env=user.environment, timeout=60)
    assert f"password={two_accounts['g2']}\n" in filled.stdout, filled


def test_a_rejected_password_is_that_of_its_own_account(user, server, two_accounts):
    before = user.refreshes()
    # Git repeats the user name that the helper gave.
    user.credential("erase", asked(server, "username=git-user", f"password={two_accounts['g2']}"))
    assert user.refreshes() == before + 1
    assert f"password={two_accounts['g']}\n" in user.credential("get", asked(server, "username=g")).stdout
    assert f"password={two_accounts['g2']}\n" not in user.credential("get", asked(server, "username=g2")).stdout


def test_one_account_serves_every_user_name(user, server):
    assert "password=" in user.credential("get", asked(server, "username=octocat")).stdout


@pytest.mark.parametrize("use", ["git", "registry"])
def test_the_configuration_chooses_among_the_accounts_of_a_host(user, server, two_accounts, use):
    configuration = json.loads(user.config.read_text())
    for account in configuration["accounts"].values():
        account["provider"]["registryHosts"] = [server.host]

    def ask() -> subprocess.CompletedProcess:
        user.config.write_text(json.dumps(configuration))
        if use == "git":
            return user.credential("get", asked(server))
        return subprocess.run(
            [BINARY, "--store", str(user.store), "--config", str(user.config), "docker-credential", "get"], input=f"http://{server.host}",
            capture_output=True, text=True, env=user.environment, timeout=60)

    done = ask()
    assert two_accounts["g"] in done.stdout
    assert done.stderr == f"oauth-stdio: warning: g, g2 serve {server.host}, and g is used: name one in hosts of the configuration\n"
    configuration["hosts"] = {server.host: "g2"}
    done = ask()
    assert two_accounts["g2"] in done.stdout and done.stderr == ""

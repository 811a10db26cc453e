"""The helpers of other programs: git with authtype, docker and skopeo with a real registry, kubectl, and their setup."""

import base64
import hashlib
import http.client
import http.server
import json
import os
import shutil
import ssl
import subprocess
import threading

import pytest

from conftest import run_server
from ports import reserve_port
from rpc import BINARY
from test_command_line import Shell


@pytest.fixture
def shell(home):
    return Shell(home)


@pytest.fixture
def helper(shell, provider):
    """A shell whose default store has the account `a`, signed in at a provider that serves Git and a registry."""

    def helper(**members) -> Shell:
        description = {**provider.description, **members}
        process = subprocess.Popen(
            [BINARY, "login", "a", "--provider", json.dumps(description), "--clientId", "c", "--scopes", "read", "--openBrowser=false"],
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=shell.environment)
        provider.approve(next(line for line in process.stderr if line.startswith("http")).strip())
        assert process.wait(60) == 0
        return shell

    return helper


def run(shell, *words, text="", status=0, **more) -> str:
    environment = {**shell.environment, **more}
    done = subprocess.run([str(word) for word in words], input=text, capture_output=True, text=True, timeout=60, env=environment, cwd=shell.home)
    assert done.returncode == status, done
    return done.stdout


# Git


def test_a_git_that_knows_authtype(helper, provider):
    shell = helper(gitHosts=["git.example.com"], gitUserName="x-token")
    (token,) = provider.living
    asked = "capability[]=authtype\ncapability[]=state\nprotocol=https\nhost=git.example.com\n\n"
    answer = run(shell, BINARY, "git-credential", "get", text=asked).splitlines()
    assert answer[:2] == ["capability[]=authtype", "authtype=Basic"] and answer[3] == "ephemeral=1" and answer[4].startswith("password_expiry_utc=")
    credential = answer[2].removeprefix("credential=")
    assert base64.b64decode(credential).decode() == f"x-token:{token}"
    # A rejected credential is replaced.
    run(shell, BINARY, "git-credential", "erase", text=f"protocol=https\nhost=git.example.com\nauthtype=Basic\ncredential={credential}\n\n")
    assert provider.living != {token}


def configuration(shell) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in run(shell, "git", "config", "--global", "--list").splitlines():
        name, _, value = line.partition("=")
        found.setdefault(name, []).append(value)
    return found


def test_setup_makes_git_ask(helper, provider, shell):
    helper(gitHosts=["git.example.com"])
    run(shell, "git", "config", "--global", "credential.helper", "store")
    for _ in range(2):
        run(shell, BINARY, "setup", "git", "git.example.com", "other.example:8443")
    assert configuration(shell)["credential.https://git.example.com.helper"] == ["", f"!{os.path.realpath(BINARY)} git-credential"]
    assert "credential.https://other.example:8443.helper" in configuration(shell)
    filled = run(shell, "git", "credential", "fill", text="protocol=https\nhost=git.example.com\n\n")
    assert f"password={next(iter(provider.living))}\n" in filled
    # Git hands an approved credential to no other helper.
    run(shell, "git", "credential", "approve", text=filled)
    assert not (shell.home / ".git-credentials").exists()
    run(shell, BINARY, "setup", "git", "git.example.com", "--remove")
    assert "credential.https://git.example.com.helper" not in configuration(shell)


def test_setup_keeps_the_options_and_the_name(shell):
    (shell.home / "bin").mkdir()
    (shell.home / "bin" / "oauth-stdio").symlink_to(BINARY)
    run(shell, BINARY, "--store", "/a b", "setup", "git", "git.example.com", PATH=f"{shell.home}/bin:{os.environ['PATH']}")
    assert configuration(shell)["credential.https://git.example.com.helper"] == ["", "!oauth-stdio --store '/a b' git-credential"]


def test_setup_leaves_the_helpers_of_others(shell):
    key = "credential.https://github.com.helper"
    for value in ("", "!gh auth git-credential"):
        run(shell, "git", "config", "--global", "--add", key, value)
    before = configuration(shell)
    message = shell.message("setup", "git", "github.com", status=1)
    # Only the program is named. What follows may be a secret.
    assert "Git asks !gh for https://github.com" in message and f"git config --global --unset-all {key}" in message
    assert "does not ask oauth-stdio" in run_setup(shell, "git", "github.com", "--remove")
    assert configuration(shell) == before


def run_setup(shell, *words) -> str:
    return subprocess.run([BINARY, "setup", *words], capture_output=True, text=True, check=True, timeout=60, env=shell.environment).stderr


def test_a_setup_that_git_cannot_write(shell):
    run_setup(shell, "git", "github.com")
    before = configuration(shell)
    # Another Git is writing the file.
    (shell.home / ".gitconfig.lock").write_text("")
    for words in (["other.example"], ["github.com", "--remove"]):
        done = subprocess.run([BINARY, "setup", "git", *words], capture_output=True, text=True, timeout=60, env=shell.environment)
        assert done.returncode == 1 and "git config failed" in done.stderr and "Git no" not in done.stderr, done
    assert configuration(shell) == before


def test_setup_writes_whole_paths(shell):
    (shell.home / "c.json").write_text("{}")
    run(shell, BINARY, "--config", "c.json", "--store=s", "--log", "l", "setup", "git", "GitHub.com")
    (value,) = [value for value in configuration(shell)["credential.https://github.com.helper"] if value]
    assert value.endswith(f" --config {shell.home}/c.json --store={shell.home}/s --log {shell.home}/l git-credential")


def test_setup_leaves_what_is_no_path(shell):
    (shell.home / "a:b").write_text("{}")
    run(shell, BINARY, "--config=a:b", "setup", "git", "github.com")
    (value,) = [value for value in configuration(shell)["credential.https://github.com.helper"] if value]
    assert value.endswith(f" --config={shell.home}/a:b git-credential")


@pytest.mark.parametrize(
    ("words", "said"), [
        (["git", "github.com"], "No account serves github.com yet. Sign in with: oauth-stdio login github"),
        (["git", "git.example.com:8443"], "No account serves git.example.com:8443 yet. If the server's software has no preset, add git.example.com:8443 to gitHosts of a "
            "provider in the configuration. If it has, sign in with codeberg, gitea, github or gitlab as PROVIDER: oauth-stdio login PROVIDER "
            """--account git.example.com:8443 --variables '{"host":"git.example.com:8443"}'"""),
        (["git", "[::1]"], "No account serves [::1] yet. If the server's software has no preset, add [::1] to gitHosts of a provider in the configuration. "
            "If it has, sign in with codeberg, gitea, github or gitlab as PROVIDER: oauth-stdio login PROVIDER --account '[::1]' "
            """--variables '{"host":"[::1]"}'"""),
        (["docker", "ghcr.io"], "No account serves ghcr.io yet. Sign in with: oauth-stdio login github"),
        (["docker", "eu.gcr.io"], "No account serves eu.gcr.io yet. Sign in with: oauth-stdio login google"),
        (["docker", "quay.example"], "No account serves quay.example yet. Add quay.example to registryHosts of a provider in the configuration, "
            "and sign in with: oauth-stdio login ACCOUNT"),
    ])
def test_setup_says_how_to_sign_in_for_a_host_without_an_account(shell, words, said):
    assert said in run_setup(shell, *words).splitlines()
    assert "No account" not in run_setup(shell, *words, "--remove")


def test_the_sign_in_for_a_host_has_the_options_of_the_helper(shell):
    (shell.home / "c.json").write_text("{}")
    done = subprocess.run([BINARY, "--config", "c.json", "setup", "git", "github.com"], capture_output=True, text=True, env=shell.environment, cwd=shell.home)
    assert "Sign in with: oauth-stdio --config c.json login github\n" in done.stderr, done


def test_setup_says_nothing_of_a_host_with_an_account(helper, shell):
    helper(gitHosts=["git.example.com"], registryHosts=["registry.example"])
    assert "No account" not in run_setup(shell, "git", "git.example.com") + run_setup(shell, "docker", "registry.example")
    # An account that is only configured signs in when Git asks.
    file = shell.home / "config" / "oauth-stdio" / "config.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"accounts":{"me":{"provider":"github","clientId":"c"}}}')
    assert "No account" not in run_setup(shell, "git", "github.com")


@pytest.mark.parametrize("words", [["--store", "memory", "setup", "git", "github.com"], ["--store=memory", "setup", "docker", "ghcr.io"]])
def test_a_store_that_ends_with_its_process_serves_no_helper(shell, words):
    done = subprocess.run([BINARY, *words], capture_output=True, text=True, env=shell.environment)
    assert done.returncode == 2 and "--store memory ends with each process: name a store on disk" in done.stderr, done
    assert not (shell.home / ".gitconfig").exists() and not docker_file(shell).exists()


@pytest.mark.parametrize("words", [["git", ""], ["git", ":::"], ["git", "["], ["git", "a@b"], ["docker", "a/b"], ["git"], ["svn", "h"], [], ["git", "https://github.com"], ["git", "-x"], ["git", "a;b"], ["git", "a b"]])
def test_a_wrong_setup_changes_nothing(shell, words):
    shell.message("setup", *words, status=2)
    assert not (shell.home / ".gitconfig").exists()


@pytest.mark.parametrize(
    "asked", [
        "protocol=https\nhost=git.example.com#.evil.example", "protocol=https\nhost=git.example.com?.evil.example", "protocol=https\nhost=git.example.com/.evil.example",
        "protocol=https\nhost=evil.example@git.example.com", "protocol=https://git.example.com#\nhost=evil.example", "protocol=https\nhost=\u2028host=git.example.com",
        "protocol=https\nhost=evil.example\u0085host=git.example.com", "protocol=https\nhost=evil.example\x0bhost=git.example.com", "protocol=HTTPS\nhost=git.example.com.",
        "protocol=https\nhost=evil.example\rhost=git.example.com"])
def test_git_gets_no_token_for_what_is_no_host(helper, provider, asked):
    shell = helper(gitHosts=["git.example.com"])
    done = subprocess.run([BINARY, "git-credential", "get"], input=asked + "\n\n", capture_output=True, text=True, timeout=60, env=shell.environment)
    assert done.stdout == "", done
    assert "password=" in run(shell, BINARY, "git-credential", "get", text="protocol=https\nhost=git.example.com\n\n")


# Docker


@pytest.mark.parametrize(
    "server", [
        "registry.example#.evil.example", "registry.example?.evil.example", "https://evil.example@registry.example", "evil.example/https://registry.example",
        "ftp://registry.example", "https://https://registry.example", "registry.example\n.evil.example"])
def test_docker_gets_no_token_for_what_is_no_host(helper, provider, server):
    shell = helper(registryHosts=["registry.example"])
    done = subprocess.run([BINARY, "docker-credential", "get"], input=server, capture_output=True, text=True, timeout=60, env=shell.environment)
    assert done.returncode != 0 and next(iter(provider.living)) not in done.stdout, done


def docker_file(shell, content: str | None = None):
    path = shell.home / ".docker" / "config.json"
    if content is not None:
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
    return path


def test_setup_waits_while_another_command_changes_the_file(shell):
    lock = docker_file(shell, "{}").parent / ".config.json.lock"
    lock.write_text("")
    with subprocess.Popen([BINARY, "setup", "docker", "ghcr.io"], stderr=subprocess.PIPE, text=True, env=shell.environment) as process:
        try:
            # Without waiting, the command fails within this time.
            process.wait(0.5)
        except subprocess.TimeoutExpired:
            lock.unlink()
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 0 and "ghcr.io" in docker_file(shell).read_text(), said


@pytest.mark.parametrize("content", ['{"credHelpers":{"ghcr.io":"gh"},"x":1}', '{"credHelpers":{"ghcr.io":{}}}'])
def test_setup_leaves_the_helpers_of_docker(shell, content):
    path = docker_file(shell, content)
    for words in ([], ["--remove"]):
        done = subprocess.run([BINARY, "setup", "docker", "ghcr.io", *words], capture_output=True, text=True, timeout=60, env=shell.environment)
        assert done.returncode == (0 if words else 1), done
    assert json.loads(path.read_text()) == json.loads(content)
    assert not (shell.home / ".local" / "bin").exists()


@pytest.mark.parametrize("text", ['{"a":01}', '{"a":1 2}', "[]", '{"a":18446744073709551616}', '{"credHelpers":["gh"]}'])
def test_a_file_that_would_not_be_kept_stays(shell, text):
    """The user gets the line to add, and the name by which docker starts the program."""
    path = docker_file(shell, text)
    assert 'Add this to it: "credHelpers": {"ghcr.io": "oauth-stdio"}' in shell_fails(shell, "docker", "ghcr.io")
    assert path.read_text() == text and (shell.home / ".local" / "bin" / "docker-credential-oauth-stdio").is_symlink()
    assert "Remove oauth-stdio from credHelpers there" in shell_fails(shell, "docker", "ghcr.io", "--remove")


def shell_fails(shell, *words) -> str:
    done = subprocess.run([BINARY, "setup", *words], capture_output=True, text=True, timeout=60, env=shell.environment)
    assert done.returncode == 1, done
    return done.stderr


def test_removing_from_docker_leaves_nothing(shell):
    assert "do not ask" in run_setup(shell, "docker", "ghcr.io", "--remove")
    assert not docker_file(shell).exists()
    docker_file(shell, '{"auths":{}}').chmod(0o644)
    assert "Add " in run_setup(shell, "docker", "ghcr.io", "quay.io")
    link = shell.home / ".local" / "bin" / "docker-credential-oauth-stdio"
    run_setup(shell, "docker", "ghcr.io", "--remove")
    assert link.is_symlink() and json.loads(docker_file(shell).read_text())["credHelpers"] == {"quay.io": "oauth-stdio"}
    run_setup(shell, "docker", "quay.io", "--remove")
    assert not link.is_symlink() and json.loads(docker_file(shell).read_text()) == {"auths": {}} and docker_file(shell).stat().st_mode & 0o777 == 0o644


def test_without_a_host_setup_removes_all_of_its_own(shell):
    for host in ("git.example.com", "other.example:8443"):
        run_setup(shell, "git", host)
    run(shell, "git", "config", "--global", "--add", "credential.https://github.com.helper", "!gh auth git-credential")
    docker_file(shell, '{"credHelpers":{"gcr.io":"gh"}}')
    run_setup(shell, "docker", "ghcr.io", "quay.io")
    assert run_setup(shell, "git", "--remove").count("no longer asks oauth-stdio") == 2
    assert run_setup(shell, "docker", "--remove").count("no longer ask oauth-stdio") == 2
    assert configuration(shell) == {"credential.https://github.com.helper": ["!gh auth git-credential"]}
    assert json.loads(docker_file(shell).read_text()) == {"credHelpers": {"gcr.io": "gh"}}
    assert run_setup(shell, "git", "--remove") == run_setup(shell, "docker", "--remove") == ""


def test_a_program_of_another_stays(shell):
    program = shell.home / ".local" / "bin" / "docker-credential-oauth-stdio"
    program.parent.mkdir(parents=True)
    program.write_text("mine")
    done = subprocess.run([BINARY, "setup", "docker", "ghcr.io"], capture_output=True, text=True, timeout=60, env=shell.environment)
    assert done.returncode == 1 and "is another program: move it" in done.stderr and program.read_text() == "mine"


def test_the_program_itself_stays(shell):
    """It has docker's name, and the usual name is the link."""
    program = shell.home / ".local" / "bin" / "docker-credential-oauth-stdio"
    program.parent.mkdir(parents=True)
    shutil.copy(BINARY, program)
    link = shell.home / "oauth-stdio"
    link.symlink_to(program)
    for words in ([], ["--remove"]):
        subprocess.run([link, "setup", "docker", "ghcr.io", *words], check=True, timeout=60, env={**shell.environment, "PATH": f"{program.parent}:{os.environ['PATH']}"})
    assert program.exists()


def test_a_link_to_nothing_stays(shell):
    docker_file(shell, "").unlink()
    docker_file(shell).symlink_to(shell.home / "elsewhere")
    done = subprocess.run([BINARY, "setup", "docker", "ghcr.io"], capture_output=True, text=True, timeout=60, env=shell.environment)
    assert done.returncode == 1 and "is a link to a file that does not exist" in done.stderr and docker_file(shell).is_symlink()

class Registry:
    """docker-registry behind a server that wants a living token as the password."""

    def __init__(self, folder, provider, port: int):
        self.names: set[str] = set()
        registry = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one(self) -> None:
                body = self.body()
                kind, _, value = self.headers.get("Authorization", "").partition(" ")
                name, _, password = base64.b64decode(value).decode().partition(":") if kind == "Basic" else ("", "", "")
                if password not in provider.living:
                    self.send_response(401)
                    self.send_header("WWW-Authenticate", 'Basic realm="images"')
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                registry.names.add(name)
                there = http.client.HTTPConnection("127.0.0.1", port)
                headers = {key: ", ".join(self.headers.get_all(key)) for key in self.headers if key not in ("Authorization", "Transfer-Encoding")}
                there.request(self.command, self.path, body, {**headers, "Content-Length": str(len(body))})
                answer = there.getresponse()
                content = answer.read()
                self.send_response(answer.status)
                for key, value in answer.getheaders():
                    if key != "Content-Length":
                        self.send_header(key, value)
                length = answer.getheader("Content-Length") if self.command == "HEAD" else None
                self.send_header("Content-Length", length or str(len(content)))
                self.end_headers()
                self.wfile.write(content if self.command != "HEAD" else b"")

            def body(self) -> bytes:
                if self.headers.get("Transfer-Encoding") != "chunked":
                    return self.rfile.read(int(self.headers.get("Content-Length") or 0))
                content = b""
                while length := int(self.rfile.readline(), 16):
                    content += self.rfile.read(length)
                    self.rfile.readline()
                self.rfile.readline()
                return content

            do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = handle_one

            def log_message(self, *arguments) -> None:
                pass

        self.port = reserve_port()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()


@pytest.fixture
def registry(tmp_path, provider):
    port = reserve_port()
    config = tmp_path / "registry.json"
    config.write_text(json.dumps({
        "version": 0.1, "storage": {"filesystem": {"rootdirectory": str(tmp_path / "images")}}, "http": {"addr": f"127.0.0.1:{port}", "relativeurls": True}}))
    for _ in run_server(["docker-registry", "serve", str(config)], port, tmp_path / "registry"):
        yield Registry(tmp_path, provider, port)


def image(folder) -> str:
    """Writes an image of one empty layer as an OCI layout."""
    blobs = folder / "blobs" / "sha256"
    blobs.mkdir(parents=True)

    def blob(content: bytes, kind: str) -> dict:
        digest = hashlib.sha256(content).hexdigest()
        (blobs / digest).write_bytes(content)
        return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(content)}

    layer = b"\0" * 1024
    config = {"architecture": "amd64", "os": "linux", "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}"]}}
    manifest = {
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": blob(json.dumps(config).encode(), "application/vnd.oci.image.config.v1+json"),
        "layers": [blob(layer, "application/vnd.oci.image.layer.v1.tar")]}
    index = {"schemaVersion": 2, "manifests": [blob(json.dumps(manifest).encode(), manifest["mediaType"])]}
    (folder / "index.json").write_text(json.dumps(index))
    (folder / "oci-layout").write_text('{"imageLayoutVersion":"1.0.0"}')
    return f"oci:{folder}"


def test_skopeo_pushes_and_pulls(helper, provider, registry, tmp_path):
    host = f"127.0.0.1:{registry.port}"
    shell = helper(registryHosts=[host], registryUserName="robot")
    path = f"{shell.home}/.local/bin:{os.environ['PATH']}"
    (shell.home / ".docker").mkdir()
    (shell.home / ".docker" / "config.json").write_text('{"auths": {"other.example": {}}}')
    run(shell, BINARY, "setup", "docker", host, PATH=path)
    assert json.loads((shell.home / ".docker" / "config.json").read_text()) == {"auths": {"other.example": {}}, "credHelpers": {host: "oauth-stdio"}}
    target = f"docker://{host}/app:1"
    run(shell, "skopeo", "--insecure-policy", "copy", "--dest-tls-verify=false", image(tmp_path / "image"), target, PATH=path)
    shown = json.loads(run(shell, "skopeo", "inspect", "--tls-verify=false", target, PATH=path))
    assert shown["Architecture"] == "amd64" and registry.names == {"robot"}
    # The helper gets the token again when it has expired.
    provider.living.clear()
    run(shell, BINARY, "refresh", "a", "--force")
    assert json.loads(run(shell, "skopeo", "inspect", "--tls-verify=false", target, PATH=path))["Architecture"] == "amd64"
    run(shell, BINARY, "setup", "docker", host, "--remove", PATH=path)
    run(shell, "skopeo", "inspect", "--tls-verify=false", target, status=1, PATH=path)


def test_the_protocol_of_docker(helper, provider):
    shell = helper(registryHosts=["registry.example"])
    (token,) = provider.living
    for server in ("registry.example", "https://registry.example", "https://registry.example/v1/"):
        answer = json.loads(run(shell, BINARY, "docker-credential", "get", text=server))
        assert answer == {"ServerURL": server, "Username": "oauth2", "Secret": token}
    assert run(shell, BINARY, "docker-credential", "get", text="elsewhere.example", status=1) == "credentials not found in native keychain\n"
    for action in ("store", "erase"):
        assert run(shell, BINARY, "docker-credential", action, text='{"ServerURL":"registry.example","Username":"u","Secret":"s"}') == ""
    # docker reads the reason of a failure from standard output.
    assert "only https is" in run(shell, BINARY, "docker-credential", "get", text="http://registry.example", status=1)
    for action in ("get", "store", "erase"):
        assert run(shell, BINARY, "docker-credential", action, status=1) == "no credentials server URL\n"
    assert "get, store, erase, list or version" in run(shell, BINARY, "docker-credential", "other", status=1)


def configure(shell, provider, **accounts) -> None:
    """Writes accounts with members of the provider's description into the usual configuration."""
    file = shell.home / "config" / "oauth-stdio" / "config.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    entries = {name: {"provider": {**provider.description, **members}, "clientId": "c", "scopes": ["read"]} for name, members in accounts.items()}
    file.write_text(json.dumps({"accounts": entries}))


def test_docker_lists_the_registries_of_accounts(helper, provider, shell):
    assert run(shell, BINARY, "docker-credential", "version").startswith("oauth-stdio ")
    shell = helper(registryHosts=["registry.example"])
    configure(shell, provider, b={"registryHosts": ["other.example:5000", "*.wide.example", "registry.example"], "registryUserName": "robot"}, c={})
    listed = json.loads(run(shell, BINARY, "docker-credential", "list"))
    assert listed == {"https://registry.example": "oauth2", "https://other.example:5000": "robot"}
    answer = json.loads(run(shell, BINARY, "docker-credential", "get", text="https://registry.example"))
    assert answer["Username"] == listed["https://registry.example"]


def test_docker_waits_for_no_user_without_a_browser_and_a_terminal(shell, provider):
    configure(shell, provider, a={"registryHosts": ["registry.example"]})
    said = run(shell, BINARY, "docker-credential", "get", text="registry.example", status=1, BROWSER="")
    assert said == "the account a is not signed in. Sign in with: oauth-stdio login a\n"


def test_skopeo_shows_what_a_helper_says(shell, provider, registry):
    host = f"127.0.0.1:{registry.port}"
    configure(shell, provider, a={"registryHosts": [host]})
    path = f"{shell.home}/.local/bin:{os.environ['PATH']}"
    run(shell, BINARY, "setup", "docker", host, PATH=path)
    done = subprocess.run(
        ["skopeo", "inspect", "--tls-verify=false", f"docker://{host}/app:1"], capture_output=True, text=True, timeout=60,
        env={**shell.environment, "PATH": path, "BROWSER": ""})
    assert done.returncode != 0 and "Sign in with: oauth-stdio login a" in done.stderr, done


# Kubernetes


def certificate(folder) -> tuple[str, str]:
    key, file = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", key, "-out", file], check=True, capture_output=True)
    return str(file), str(key)


def test_kubectl_sends_the_token(helper, provider, tmp_path):
    shell = helper()
    (token,) = provider.living
    seen = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.headers.get("Authorization"))
            content = b'{"major":"1","minor":"30","gitVersion":"v1.30.0"}'
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *arguments) -> None:
            pass

    file, key = certificate(tmp_path)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", reserve_port()), Handler)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(file, key)
    server.socket = tls.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    config = {
        "apiVersion": "v1", "kind": "Config", "current-context": "c", "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        "clusters": [{"name": "c", "cluster": {"server": f"https://127.0.0.1:{server.server_port}", "certificate-authority": file}}],
        "users": [{"name": "u", "user": {"exec": {
            "apiVersion": "client.authentication.k8s.io/v1beta1", "command": BINARY, "args": ["exec-credential", "a"], "interactiveMode": "Never",
            "provideClusterInfo": False}}}]}
    (tmp_path / "kubeconfig").write_text(json.dumps(config))
    run(shell, "kubectl", "--kubeconfig", tmp_path / "kubeconfig", "get", "--raw", "/version")
    assert f"Bearer {token}" in seen


def test_an_account_without_an_id_token(helper):
    done = subprocess.run([BINARY, "exec-credential", "a", "--id-token"], capture_output=True, text=True, timeout=60, env=helper().environment)
    assert done.returncode == 3 and done.stdout == "" and "the account has no ID token" in done.stderr, done


@pytest.mark.parametrize("version", ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"])
def test_the_version_that_kubectl_names(helper, provider, version):
    shell = helper()
    asked = json.dumps({"apiVersion": version, "kind": "ExecCredential", "spec": {"interactive": False}})
    answer = json.loads(run(shell, BINARY, "exec-credential", "a", KUBERNETES_EXEC_INFO=asked))
    assert answer["apiVersion"] == version and answer["kind"] == "ExecCredential"
    assert {answer["status"]["token"]} == provider.living and answer["status"]["expirationTimestamp"].endswith("Z")

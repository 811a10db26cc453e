"""The output that other programs read: by their libraries where Debian or PyPI has them, and otherwise by their documents."""

import json
import os
import re
import subprocess
import time
from datetime import datetime
from urllib.parse import parse_qs, urlsplit

import pytest

import id_tokens
from hosts_page import HostServer
from provider import Request, Response
from rpc import BINARY
from test_hosts import User, build_go, user  # noqa: F401

# Commands by the name that their host starts, and by the program's own.
NAMES = {
    "keyring": "keyring", "bazel-credential-oauth-stdio": "bazel-credential", "terraform-credentials-oauth-stdio": "terraform-credentials",
    "cargo-credential-oauth-stdio": "cargo-credential", "docker-credential-oauth-stdio": "docker-credential",
}
QUESTION = {"v": 1, "kind": "get", "operation": "read"}


class Asker:
    """Runs the program by one of its names. A success says nothing on standard error."""

    def __init__(self, user: User, **provider):
        self.user = user
        user.sign_in(provider=provider)

    @property
    def token(self) -> str:
        (token,) = self.user.server.living
        return token

    @property
    def url(self) -> str:
        return self.user.server.url

    def run(self, *words, text: str = "", status: int = 0, silent: bool = True, **environment) -> subprocess.CompletedProcess:
        done = subprocess.run(
            [str(word) for word in words], executable=BINARY if words[0] in NAMES else None, input=text, capture_output=True, text=True, timeout=60,
            cwd=self.user.home, env={**self.user.environment, **environment})
        assert done.returncode == status and (status != 0 or not silent or done.stderr == ""), done
        return done

    def json(self, *words, **more):
        line = self.run(*words, **more).stdout
        assert line.endswith("\n") and line.count("\n") == 1
        return json.loads(line)

    def cargo(self, *questions: dict, **more) -> list[dict]:
        text = "".join(json.dumps({**QUESTION, "registry": {"index-url": f"sparse+{self.url}/index/"}, "args": [self.url + "/index/"], **each}) + "\n" for each in questions)
        return [json.loads(line) for line in self.run("cargo-credential-oauth-stdio", "--cargo-plugin", text=text, **more).stdout.splitlines()]

    def bazel(self, uri: str, **more) -> dict:
        return self.json("bazel-credential-oauth-stdio", "get", text=json.dumps({"uri": uri, "unknown": 1}), **more)


@pytest.fixture
def asker(user):
    return Asker(user)


# Formats of token and header


def test_a_token_in_the_members_of_a_token_response(asker):
    asker.user.server.end_token()
    found = asker.json("oauth-stdio", "token", "me", "--format", "json")
    assert list(found) == ["access_token", "token_type", "expires_in", "expires_at", "expiry"]
    assert (found["access_token"], found["token_type"]) == (asker.token, "Bearer") and 3590 <= found["expires_in"] <= 3600
    assert datetime.fromisoformat(found["expiry"]).timestamp() == found["expires_at"]


def test_the_value_of_an_authorization_header(asker):
    line = f"Bearer {asker.token}\n"
    assert asker.run("oauth-stdio", "token", "me", "--format=bearer").stdout == line
    assert asker.json("oauth-stdio", "header", "me", asker.url + "/api/x", "--format", "json") == {"Authorization": line.strip()}


@pytest.mark.parametrize("words", [("token", "me", "--format", "yaml"), ("token", "me", "--format"), ("header", "me", "URL", "--format=xml")])
def test_a_wrong_format(asker, words):
    assert "--format" in asker.run("oauth-stdio", *words, status=2).stderr


class IDServer(HostServer):
    """Its ID tokens end with the access tokens."""

    def approve(self, url: str) -> None:
        self.nonce = parse_qs(urlsplit(url).query)["nonce"][0]
        super().approve(url)

    def issue(self) -> Response:
        answer = json.loads(super().issue().body)
        now = int(time.time()) + self.offset
        self.id_token = id_tokens.sign({"iat": now, "exp": now + self.lifetime, "jti": self.secret(), "nonce": self.nonce}, self.url)
        return Response.of({**answer, "id_token": self.id_token})

    def respond(self, request: Request) -> Response:
        if request.path == "/jwks":
            return Response(200, id_tokens.KEY_SET.encode())
        if request.path == "/sts":
            # Google's token service.
            self.exchanged.append(re.search(r"subject_token=([^&]*)", request.body.decode())[1])
            return Response.of({"access_token": next(iter(self.living)), "token_type": "Bearer", "expires_in": 3600,
                                "issued_token_type": "urn:ietf:params:oauth:token-type:access_token"})
        return super().respond(request)


GOOGLE = """\
import os, google.auth.pluggable, google.auth.transport.requests
credentials = google.auth.pluggable.Credentials.from_info({
  "type": "external_account", "audience": "//iam.googleapis.com/p", "subject_token_type": "urn:ietf:params:oauth:token-type:id_token",
  "token_url": os.environ["URL"] + "/sts",
  "credential_source": {"executable": {"command": "oauth-stdio token me --format google", "timeout_millis": 30000}}})
request = google.auth.transport.requests.Request()
for _ in range(2):
  credentials.refresh(request)
  session = google.auth.transport.requests.AuthorizedSession(credentials)
  session.get(os.environ["URL"] + "/api/x").raise_for_status()
"""


def ask_google(user: User) -> subprocess.CompletedProcess:
    return user.python(GOOGLE, URL=user.server.url, GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES="1")


def test_google_s_library_exchanges_the_id_token(user):
    with IDServer(user.home / "clock") as server:
        user.server, server.exchanged = server, []
        user.sign_in(provider={"issuer": server.url, "jwksUri": server.url + "/jwks"}, scopes=["openid"])
        server.end_token_after(1)
        done = ask_google(user)
        assert done.returncode == 0 and len(set(server.exchanged)) == 2 and server.exchanged[-1] == server.id_token, done
        assert server.refreshes == 1 and not server.is_lost


def test_google_s_library_shows_why_it_fails(user):
    done = ask_google(user)
    assert done.returncode != 0 and "there is no account me" in done.stderr.splitlines()[-1] and "oauth-stdio login" in done.stderr


# keyring


def test_keyring_answers_pip_and_uv(asker):
    service = asker.url + "/simple/"
    assert asker.run("keyring", "get", service, "u").stdout == asker.token + "\n"
    assert asker.run("keyring", "get", service, "--mode", "creds").stdout == f"oauth2\n{asker.token}\n"
    for user in ("u", "me"):
        assert asker.json("keyring", "--mode=creds", "--output=json", "get", service, user) == {"username": user, "password": asker.token}


def test_the_name_of_another_account_gets_no_token(asker):
    file = asker.user.home / "config/oauth-stdio/config.json"
    entries = json.loads(file.read_text())
    entries["accounts"]["work"] = {"provider": "github", "clientId": "c"}
    file.write_text(json.dumps(entries))
    assert asker.run("keyring", "get", asker.url, "work", status=1, PATH="/usr/bin:/bin").stdout == ""


def test_keyring_gives_no_token_that_would_go_without_tls(user):
    """pip and uv ask for the URL, and then for the host alone. Both would send the password by http."""
    asker = Asker(user, apiHosts=["pkg.example.com", user.server.host])
    assert asker.run("keyring", "get", "https://pkg.example.com/simple/", "u").stdout == asker.token + "\n"
    asker.run("keyring", "get", "http://pkg.example.com/simple/", "u", status=4)
    for host in ("pkg.example.com", user.server.host):
        assert asker.run("keyring", "get", host, "u", status=1, PATH="/usr/bin:/bin").stdout == ""


@pytest.mark.parametrize("service", ["https://pypi.org/simple/", "pypi.org", "poetry-repository-x", "a service", "", "http://127.0.0.1:1/simple/"])
def test_a_service_of_no_account_has_no_password(asker, service):
    done = asker.run("keyring", "get", service, "u", status=1, PATH="/usr/bin:/bin")
    assert done.stdout == done.stderr == ""


def test_a_password_cannot_be_stored(asker):
    assert "stores no passwords" in asker.run("keyring", "set", "pypi.org", "u", status=2, PATH="/usr/bin:/bin").stderr


# Bazel, Terraform and Cargo


def test_bazel_gets_headers_with_their_end(asker):
    answer = asker.bazel(asker.url + "/remote/cache?x")
    assert answer["headers"] == {"Authorization": [f"Bearer {asker.token}"]} and list(answer) == ["headers", "expires"]
    assert 3500 < datetime.fromisoformat(answer["expires"]).timestamp() - time.time() < 3610
    assert asker.bazel("https://bazel.build/x") == asker.bazel("grpcs://bazel.build") == {}
    assert "uri" in asker.run("bazel-credential-oauth-stdio", "get", text="[]", status=2).stderr


TERRAFORM = """\
package main

import (
	"fmt"
	"os"

	svchost "github.com/hashicorp/terraform-svchost"
	"github.com/hashicorp/terraform-svchost/auth"
)

func main() {
	helper := auth.HelperProgramCredentialsSource(os.Args[1], os.Args[3:]...)
	host, err := svchost.ForComparison(os.Args[2])
	if err != nil {
		panic(err)
	}
	found, err := helper.ForHost(host)
	if err != nil {
		fmt.Println(err)
	} else if found == nil {
		fmt.Println("none")
	} else {
		fmt.Println(found.Token())
	}
	fmt.Println(helper.StoreForHost(host, auth.HostCredentialsToken("x")))
	fmt.Println(helper.ForgetForHost(host))
}
"""


def test_terraform_s_library(asker):
    user = asker.user
    host = user.server.host
    done = user.run(f"oauth-stdio setup terraform app.terraform.io {host}")
    assert done.stdout == f'credentials_helper "oauth-stdio" {{\n  args = ["app.terraform.io", "{host}"]\n}}\n' and ".terraformrc" in done.stderr
    helper = user.home / ".terraform.d" / "plugins" / "terraform-credentials-oauth-stdio"
    program = build_go(user, TERRAFORM)
    lines = user.run(f"{program} {helper} {host} app.terraform.io {host}").stdout.splitlines()
    assert lines[0] == asker.token and sum("sign in with oauth-stdio login" in line for line in lines) == 2
    assert user.run(f"{program} {helper} app.terraform.io app.terraform.io {host}").stdout.splitlines()[0] == "none"
    # The file of a host says where Terraform sends the token, so the user names the host.
    assert user.run(f"{program} {helper} {host} app.terraform.io").stdout.splitlines()[0] == "none"


def test_cargo_s_requests(asker):
    unknown = {"registry": {"index-url": "sparse+https://index.crates.io/"}}
    hello, *answers = asker.cargo({}, {"operation": "publish", "name": "x"}, unknown, {**unknown, "args": ["https://index.crates.io/"]}, {"kind": "login"})
    assert hello == {"v": [1]} and all(answer["Ok"].pop("expiration") > time.time() for answer in answers[:2])
    assert answers[0] == answers[1] == {
        "Ok": {"kind": "get", "token": f"Bearer {asker.token}", "cache": "expires", "operation_independent": True}}
    assert answers[2:] == [{"Err": {"kind": kind}} for kind in ("url-not-supported", "url-not-supported", "operation-not-supported")]


def test_cargo_gets_no_token_for_an_index_that_a_project_names(asker):
    """The file of an index says where Cargo sends the token, and users may put files on a host of the account."""
    for index in ("sparse+{}/attacker/index/", "sparse+{}/index", "registry+{}/index/x"):
        assert asker.cargo({"registry": {"index-url": index.format(asker.url)}})[1] == {"Err": {"kind": "url-not-supported"}}
    assert asker.cargo({"args": []})[1] == {"Err": {"kind": "url-not-supported"}}


def test_a_helper_says_how_to_sign_in_and_opens_no_page(asker):
    asker.user.run("oauth-stdio logout me")
    advice = "the account me is not signed in. Sign in with: oauth-stdio login me"
    host = asker.url.removeprefix("http://")
    more = {"BROWSER": str(asker.user.write("browser", "#!/bin/sh\ntouch opened\n")), "DISPLAY": ":0"}
    (asker.user.home / "browser").chmod(0o755)
    for words, text in ((("keyring", "get", asker.url, "u"), ""), (("terraform-credentials-oauth-stdio", host, "get", host), ""),
                        (("bazel-credential-oauth-stdio", "get"), json.dumps({"uri": asker.url}))):
        done = asker.run(*words, text=text, status=3, **more)
        assert done.stdout == "" and done.stderr == f"oauth-stdio: {advice}\n"
    assert asker.cargo({}, **more)[1] == {"Err": {"kind": "other", "message": advice, "caused-by": []}}
    assert not (asker.user.home / "opened").exists()


# setup


def test_pnpm_gets_a_name_for_each_account(asker):
    host = asker.url.removeprefix("http://")
    line = asker.user.run(f"oauth-stdio setup pnpm {host}").stdout
    place, _, program = line.strip().partition(":tokenHelper=")
    assert place == f"//{host}/" and program == str(asker.user.home / ".local/bin/pnpm-token-oauth-stdio-me")
    # pnpm takes the output as the whole header.
    assert asker.run(program).stdout.rstrip() == f"Bearer {asker.token}"
    assert "no longer starts" in asker.user.run("oauth-stdio setup pnpm --remove").stderr and not os.path.lexists(program)


def test_a_name_that_npmrc_cannot_hold(asker):
    file = asker.user.home / "config/oauth-stdio/config.json"
    file.write_text(file.read_text().replace('"me"', '"$(x) y"'))
    asker.user.run("oauth-stdio logout me")
    done = asker.user.run(f"oauth-stdio setup pnpm {asker.user.server.host}")
    assert done.returncode == 1 and "cannot be part of ~/.npmrc" in done.stderr and done.stdout == ""


def test_several_hosts(asker):
    asker.user.run("oauth-stdio setup pip a.example.com b.example.com c.example.com >pip.conf && mkdir -p ~/config/pip && cp pip.conf ~/config/pip/")
    shown = asker.user.run("pip config list").stdout
    assert "global.index-url='https://oauth2@a.example.com/simple/'" in shown
    assert "global.extra-index-url='\\nhttps://oauth2@b.example.com/simple/\\nhttps://oauth2@c.example.com/simple/'" in shown
    lines = asker.user.run("oauth-stdio setup bazel a.example.com:8443 b.example.com").stdout.splitlines()
    assert [line.split("=")[1] for line in lines] == ["a.example.com", "b.example.com"]


@pytest.mark.parametrize("target", ["pip", "uv", "bazel", "terraform", "cargo"])
def test_setup_makes_the_name_and_takes_it_away(asker, target):
    home = asker.user.home
    links = lambda: [path.name for path in [*home.glob(".local/bin/*"), *home.glob(".terraform.d/plugins/*")]]
    index = {"cargo": asker.url + "/index/", "terraform": "tf.example.com"}.get(target, "")
    done = asker.user.run(f"oauth-stdio setup {target} {index}")
    (name,) = links()
    assert done.returncode == 0 and done.stdout and NAMES[name] and f"{name} now starts oauth-stdio" in done.stderr
    done = asker.user.run(f"oauth-stdio setup {target} --remove")
    assert done.returncode == 0 and links() == [] and f"{name} no longer starts" in done.stderr and "out of ~/" in done.stderr


@pytest.mark.parametrize("target", ["file", "../elsewhere/keyring"])
def test_setup_leaves_the_keyring_of_the_user(asker, target):
    """pipx and uv make a link."""
    place = asker.user.write(".local/bin/keyring", "mine")
    if target != "file":
        asker.user.write(".local/elsewhere/keyring", "mine")
        place.unlink()
        place.symlink_to(target)
    done = asker.user.run("oauth-stdio setup pip")
    assert done.returncode == 1 and "is another program: move it" in done.stderr and place.read_text() == "mine"
    done = asker.user.run("oauth-stdio setup pip --remove")
    assert "keyring does not start oauth-stdio" in done.stderr and place.read_text() == "mine"


def test_setup_follows_an_update(asker):
    """The link leads over the one in PATH, and a link to a release that is gone is ours."""
    link = asker.user.home / ".local/bin/cargo-credential-oauth-stdio"
    link.parent.mkdir(parents=True)
    link.symlink_to("/opt/oauth-stdio-0.1/bin/oauth-stdio")
    folder = asker.user.home / "versions"
    folder.mkdir()
    (folder / "oauth-stdio").symlink_to(BINARY)
    done = asker.run("oauth-stdio", "setup", "cargo", "https://crates.example.com/", PATH=f"{folder}:/usr/bin:/bin", silent=False)
    assert os.readlink(link) == str(folder / "oauth-stdio") and str(link) in done.stdout


def test_a_path_that_the_program_s_file_cannot_hold(asker):
    home = asker.user.home / "a b"
    home.mkdir()
    done = asker.run("oauth-stdio", "setup", "cargo", "https://crates.example.com/", HOME=str(home), status=1)
    assert "has a blank or a quote" in done.stderr and done.stdout == ""
    # pip's file has no path.
    assert "keyring-provider" in asker.run("oauth-stdio", "setup", "pip", HOME=str(home), silent=False).stdout


def test_setup_warns_of_a_keyring_that_comes_first(asker):
    (asker.user.programs / "keyring").write_text("#!/bin/sh\n")
    (asker.user.programs / "keyring").chmod(0o755)
    done = asker.user.run("oauth-stdio setup pip")
    assert f"before the folder of {asker.user.programs}/keyring in PATH. Other programs then no longer ask that one" in done.stderr


@pytest.mark.parametrize("line,said", [
    ("setup svn", "setup needs one of git, docker,"),
    ("setup pnpm", "setup pnpm needs a host"),
    ("setup terraform", "setup terraform needs a host"),
    ("setup cargo", "setup cargo needs the index of a registry"),
    ("setup cargo crates.example.com", "crates.example.com is not the index of a registry, such as https://"),
    ("--store s setup bazel", "bazel starts its helper without options"),
    ("setup pip https://x", "https://x is not a host"),
    ("setup bazel localhost", "Bazel takes no host without a dot, such as localhost"),
    ("setup claude-code --remove", "oauth-stdio writes nothing for Claude Code"),
    ("setup pnpm pnpm.example.com --remove", "--remove takes no host"),
])
def test_a_wrong_setup(asker, line, said):
    done = asker.user.run(f"oauth-stdio {line}")
    assert done.returncode == 2 and said in done.stderr and not (asker.user.home / ".local").exists()


def test_setup_says_how_to_sign_in_at_a_host_of_no_account(asker):
    done = asker.user.run("oauth-stdio setup uv pypi.example.com")
    assert "No account serves pypi.example.com yet" in done.stderr and "Add pypi.example.com to apiHosts, beside the API's own host," in done.stderr

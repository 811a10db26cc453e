"""What users of similar programs have reported of keys, clocks and commands: forms in which keys arrive, and servers that are strict about times."""

import base64
import json
import subprocess
import time
import urllib.parse
from email.utils import formatdate

import jwt
import pytest

from provider import Response
from rpc import RPCFault
from test_service_accounts import ED_PEM, GENERATE, RSA_PEM, account, external, google  # noqa: F401
from test_workload import configure, platform, sent  # noqa: F401


def wrapped(text: str) -> str:
    """As the program base64 prints it."""
    return base64.encodebytes(text.encode()).decode()


def machine(provider, **more) -> dict:
    description = {**provider.description, "issuer": "https://issuer.example"}
    return {"account": "a", "provider": description, "clientId": "c", "flow": "clientCredentials", **more}


FORMS = {
    "carriage returns": RSA_PEM.replace("\n", "\r\n"),
    "text around it": "Bag Attributes\n    friendlyName: x\nKey Attributes: <No Attributes>\n" + RSA_PEM + "\nnotes\n",
    "quotes of an env file": '"' + RSA_PEM.replace("\n", "\\n") + '"',
    "escaped twice": RSA_PEM.replace("\n", "\\\\n"),
    "one line without blanks": RSA_PEM.replace("\n", ""),
    "base64": wrapped(RSA_PEM).replace("\n", ""),
    "base64 in lines": wrapped(RSA_PEM),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_key_as_platforms_hand_it_over(start, provider, form):
    start().request("authorize", machine(provider, privateKey=FORMS[form]))
    assert len(sent(provider)) == 1


def openssh(folder) -> str:
    subprocess.run(["ssh-keygen", "-q", "-t", "rsa", "-N", "", "-f", folder / "key"], check=True, timeout=60)
    return (folder / "key").read_text()


@pytest.mark.parametrize(("text", "problem"), [
    # An env file of Docker has no values of several lines.
    ("-----BEGIN PRIVATE KEY-----", "is PEM without an end: where a variable has one line, write \\n for each line end"),
    ("/home/me/key.pem", 'is a path: the configuration names a file as {"file": PATH}'),
    ('{"keys": []}', "give one key of this set"), (json.dumps({"type": "service_account", "private_key": RSA_PEM}), "name Google's file as serviceAccount"),
    (openssh, "`ssh-keygen -p -N '' -m PKCS8 -f COPY` turns a copy")])
def test_what_is_said_of_another_text_than_a_key(start, provider, tmp_path, text, problem):
    peer = start()
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", machine(provider, privateKey=text if isinstance(text, str) else text(tmp_path)))
    assert problem in fault.value.message and fault.value.data["path"] == "/privateKey" and not provider.requests
    if callable(text):
        subprocess.run(["ssh-keygen", "-q", "-p", "-N", "", "-m", "PKCS8", "-f", tmp_path / "key"], check=True, timeout=60, capture_output=True)
        peer.request("authorize", machine(provider, privateKey=(tmp_path / "key").read_text()))


def test_a_variable_has_a_service_account_in_base64(start, google, provider):  # noqa: F811
    options = google(account(provider), serviceAccount={"env": "GOOGLE_CREDENTIALS"})
    text = json.dumps(account(provider))
    start(*options, environment={"GOOGLE_CREDENTIALS": wrapped(text)}).request("accessToken", {"account": "a"})
    # Line ends within a text are no JSON, which happens where a variable is expanded once too often.
    with pytest.raises(RPCFault) as fault:
        start(*options, environment={"GOOGLE_CREDENTIALS": text.replace("\\n", "\n")}).request("refresh", {"account": "a", "force": True})
    assert "is not the JSON of Google's file" in fault.value.message and len(sent(provider)) == 1


class Strict:
    """A server whose clock is `ahead`. It takes no assertion of the future or the past."""

    def __init__(self, ahead: int, status: int = 400, **error):
        self.ahead, self.refusal = ahead, (error or {"error": "invalid_grant"}, status)

    def __call__(self, request) -> Response | None:
        form = dict(urllib.parse.parse_qsl(request.body.decode()))
        token = form.get("assertion") or form.get("client_assertion") or request.headers["Authorization"].removeprefix("Bearer ")
        claims = jwt.decode(token, options={"verify_signature": False})
        now = int(time.time()) + self.ahead
        if claims["iat"] <= now <= claims["exp"]:
            return None
        error, status = self.refusal
        return Response.of(error, status, Date=formatdate(now, usegmt=True))


@pytest.mark.parametrize("ahead", [-4000, 4000])
@pytest.mark.parametrize("kind", ["service account", "own key", "GitHub App"])
def test_the_assertion_of_a_grant_follows_the_servers_clock(start, configure, google, provider, kind, ahead):  # noqa: F811
    path, strict = "/token", Strict(ahead)
    described = {"provider": {**provider.description, "issuer": provider.url}, "clientId": "c", "flow": "jwtBearer", "privateKey": RSA_PEM}
    if kind == "GitHub App":
        path, strict = "/app/installations/7/access_tokens", Strict(ahead, 401, message="'Issued at' claim ('iat') must be in the past")
        described["provider"] = {
            "preset": "github-app", "variables": {"installation": "7"}, "tokenEndpoint": provider.url + path.replace("7", "{installation}"),
            "apiBase": provider.url + "/"}
    installation = {"token": "t", "expires_at": "2099-01-01T00:00:00Z"}
    provider.instead[path] = lambda request: strict(request) or (Response.of(installation, 201) if kind == "GitHub App" else None)
    peer = start(*(google(account(provider)) if kind == "service account" else configure(a=described)))
    for _ in range(2):
        peer.request("refresh", {"account": "a", "force": True})
    # What was learned counts from then on.
    assert len(provider.requests) == 3


def test_another_refusal_costs_no_second_assertion(start, google, provider):  # noqa: F811
    refusal = {"error": "invalid_grant", "error_description": "Invalid grant: account not found"}
    provider.instead["/token"] = lambda request: Response.of(refusal, 400, Date=formatdate(usegmt=True))
    with pytest.raises(RPCFault):
        start(*google(account(provider))).request("accessToken", {"account": "a"})
    assert len(sent(provider)) == 1


@pytest.mark.parametrize("members", [{}, {"flow": "jwtBearer"}])
def test_a_server_that_is_seconds_behind_takes_the_first_assertion(start, provider, members):
    provider.instead["/token"] = Strict(-3, 401, error="invalid_client")
    start().request("authorize", machine(provider, privateKey=ED_PEM, **members))
    assert len(sent(provider)) == 1


@pytest.mark.parametrize("seconds", [600, 43200])
def test_a_file_says_how_long_the_impersonated_account_lives(start, google, provider, tmp_path, seconds):  # noqa: F811
    (tmp_path / "token").write_text("a.platform.token")
    provider.instead["/sts"] = lambda request: provider.issue()
    path = "/v1/robot@project.example" + GENERATE
    provider.instead[path] = lambda request: Response.of({"accessToken": "of-the-robot", "expireTime": "2099-01-01T00:00:00Z"})
    members = {"service_account_impersonation_url": provider.url + path, "service_account_impersonation": {"token_lifetime_seconds": seconds}}
    start(*google(external(provider, {"file": str(tmp_path / "token")}, **members))).request("accessToken", {"account": "a"})
    assert json.loads(provider.requests[-1].body)["lifetime"] == f"{seconds}s"


def test_a_command_may_leave_an_agent_behind(start, configure, provider, tmp_path):  # noqa: F811
    """It has the pipe of the command's output, and no end."""
    agent = f"sleep 100 2>/dev/null & echo $! > {tmp_path}/agent; echo a.b.c"
    peer = start(*configure(a={"flow": "jwtBearer", "subjectToken": {"command": ["sh", "-c", agent]}}))
    try:
        peer.request("accessToken", {"account": "a"})
        assert sent(provider)[0]["assertion"] == "a.b.c"
    finally:
        subprocess.run(["kill", (tmp_path / "agent").read_text().strip()], check=True)


def test_a_file_behind_links_is_read_again(start, configure, provider, tmp_path):  # noqa: F811
    """As Kubernetes replaces a mounted token: by renaming the link to its folder."""
    for name in ("1", "2"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "token").write_text(name * 5)
    (tmp_path / "..data").symlink_to("1")
    (tmp_path / "token").symlink_to("..data/token")
    peer = start(*configure(a={"flow": "jwtBearer", "subjectToken": {"file": str(tmp_path / "token")}}))
    peer.request("accessToken", {"account": "a"})
    (tmp_path / "new").symlink_to("2")
    (tmp_path / "new").rename(tmp_path / "..data")
    peer.request("refresh", {"account": "a", "force": True})
    assert [form["assertion"] for form in sent(provider)] == ["11111", "22222"]


@pytest.mark.parametrize(("statuses", "problem"), [([503, 200], None), ([503] * 3, "answered with status 503"), ([403], "answered with status 403")])
def test_a_platform_that_fails_for_a_moment(start, configure, provider, platform, statuses, problem):  # noqa: F811
    left = list(statuses)
    platform.instead["/job"] = lambda request: Response.of({"value": "of.the.job"}, left.pop(0))
    peer = start(*configure(a={"subjectToken": {"githubActions": "x"}}), environment=job(platform))
    if problem is None:
        peer.request("accessToken", {"account": "a"})
    else:
        with pytest.raises(RPCFault, match=problem):
            peer.request("accessToken", {"account": "a"})
    assert not left and len(sent(provider)) == (problem is None)


def job(platform) -> dict:
    return {"ACTIONS_ID_TOKEN_REQUEST_URL": platform.url + "/job?a=b", "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "of-the-job"}


def test_a_platform_that_issues_an_empty_token(start, configure, provider, platform):  # noqa: F811
    platform.instead["/job"] = lambda request: Response.of({"value": ""})
    with pytest.raises(RPCFault, match="answered without a value"):
        start(*configure(a={"subjectToken": {"githubActions": "x"}}), environment=job(platform)).request("accessToken", {"account": "a"})
    assert not sent(provider)


@pytest.mark.parametrize("member", [{"assertionClaims": {"target_audience": "https://run.example/"}}, {"audience": "x"}, {"subjectToken": "x"}])
def test_what_a_service_account_does_not_use_is_named(start, google, provider, member):  # noqa: F811
    with pytest.raises(RPCFault, match="has no use beside a serviceAccount") as fault:
        start(*google(account(provider), **member)).request("accessToken", {"account": "a"})
    assert fault.value.data["path"] == "/accounts/a/" + next(iter(member)) and not provider.requests


def test_the_key_of_a_file_is_replaced_without_a_restart(start, configure, provider, tmp_path):  # noqa: F811
    file = tmp_path / "key"
    peer = start(*configure(a={key: value for key, value in machine(provider, privateKey={"file": str(file)}).items() if key != "account"}))
    for text in (RSA_PEM, ED_PEM):
        file.write_text(text)
        file.chmod(0o600)
        peer.request("refresh", {"account": "a", "force": True})
    assert [jwt.get_unverified_header(form["client_assertion"])["alg"] for form in sent(provider)] == ["RS256", "EdDSA"]

"""Mail programs sign in with a token: `sasl` prints their first message, and `token` serves a program that asks for a password."""

import base64
import shlex
import smtplib
import subprocess

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from ports import reserve_port
from test_command_line import Shell, log_in


class MailServer:
    """Accepts mail of users who send a living token, as the two mechanisms define."""

    def __init__(self, provider):
        self.provider = provider
        self.users: list[str] = []
        self.mails: list[bytes] = []
        self.fields: list[str] = []
        self.port = reserve_port()
        self.controller = Controller(self, hostname="127.0.0.1", port=self.port, auth_require_tls=False, auth_required=True)
        self.controller.start()

    async def message(self, server, arguments) -> str:
        text = arguments[1] if len(arguments) > 1 else await server.challenge_auth("")
        return base64.b64decode(text).decode() if isinstance(text, str) else text.decode()

    def result(self, user: str, fields: list[str]) -> AuthResult:
        self.fields = fields
        is_valid = any(field == f"auth=Bearer {token}" for field in fields for token in self.provider.living)
        if is_valid:
            self.users.append(user)
        return AuthResult(success=is_valid, handled=False)

    async def auth_XOAUTH2(self, server, arguments) -> AuthResult:
        text = await self.message(server, arguments)
        fields = text.split("\x01")
        assert text.endswith("\x01\x01") and fields[0].startswith("user=")
        return self.result(fields[0].removeprefix("user="), fields[1:])

    async def auth_OAUTHBEARER(self, server, arguments) -> AuthResult:
        text = await self.message(server, arguments)
        header, *fields = text.split("\x01")
        assert text.endswith("\x01\x01") and header.startswith("n,a=") and header.endswith(",")
        return self.result(header[4:-1].replace("=2C", ",").replace("=3D", "="), fields)

    async def handle_DATA(self, server, session, envelope) -> str:
        self.mails.append(envelope.content)
        return "250 OK"


@pytest.fixture
def mail(provider):
    server = MailServer(provider)
    yield server
    server.controller.stop()


@pytest.fixture
def shell(home, provider):
    shell = Shell(home)
    log_in(shell, provider)
    return shell


@pytest.mark.parametrize(
    ("words", "mechanism", "user", "fields"),
    [
        (["--user", "me@example.com"], "XOAUTH2", "me@example.com", []),
        (["--user", "me=,x@example.com", "--mechanism", "oauthbearer"], "OAUTHBEARER", "me=,x@example.com", []),
        (
            ["--user", "me@example.com", "--mechanism", "OAUTHBEARER", "--host", "smtp.example.com", "--port", "587"], "OAUTHBEARER",
            "me@example.com", ["host=smtp.example.com", "port=587"],
        ),
    ],
)
def test_a_mail_program_sends_what_sasl_prints(shell, mail, words, mechanism, user, fields):
    printed = shell.run("sasl", "a", *words).stdout
    assert printed.count("\n") == 1
    with smtplib.SMTP("127.0.0.1", mail.port) as client:
        client.ehlo()
        assert client.docmd("AUTH", f"{mechanism} {printed.strip()}")[0] == 235
        client.sendmail("me@example.com", ["you@example.com"], "Subject: hello\n\ntext\n")
    assert mail.users == [user] and len(mail.mails) == 1 and [field for field in mail.fields if field][:-1] == fields


@pytest.mark.parametrize("mechanism", ["xoauth2", "oauthbearer"])
def test_msmtp_asks_for_the_token(shell, mail, mechanism):
    """msmtp makes the message itself and runs `passwordeval` for the token."""
    file = shell.home / "msmtprc"
    file.write_text(
        f"account default\nhost 127.0.0.1\nport {mail.port}\nfrom me@example.com\nuser me@example.com\nauth {mechanism}\ntls off\n"
        f'passwordeval "{shlex.join(shell.words("token", "a"))}"\n')
    file.chmod(0o600)
    done = subprocess.run(
        ["msmtp", "-C", file, "you@example.com"], input="Subject: hello\n\ntext\n", capture_output=True, text=True, env=shell.environment, timeout=60)
    assert done.returncode == 0, done
    assert mail.users == ["me@example.com"] and b"Subject: hello" in mail.mails[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["a"], "sasl needs --user"), (["a", "--user"], "--user needs a value"), (["a", "--user", "x\ny"], "--user needs a value"),
        (["a", "--user", "x", "--mechanism", "PLAIN"], "--mechanism must be XOAUTH2 or OAUTHBEARER"),
        (["a", "--user", "x", "--port", "0"], "--port must be from 1 to 65535"), (["--user", "x"], "ACCOUNT is missing"),
    ],
)
def test_wrong_words_are_explained(shell, words, said):
    assert said in shell.message("sasl", *words, status=2)


"""The plug-ins in the real editors, installed as a plug-in manager installs them."""

import json
import os
import re
import subprocess

import pytest

from example_user import EDITORS, EXAMPLES, Home, visit
from provider import Response
from signing_in import TokenProvider, redirect
from test_mail import MailServer

pytestmark = pytest.mark.ci

PACKAGES = {"neovim": ".local/share/nvim/site/pack/oauth/start/oauth-stdio", "vim": ".vim/pack/oauth/start/oauth-stdio"}
EDITOR = {
    "neovim": ["nvim", "--headless", "-i", "NONE", "-n", "-S", str(EDITORS / "plugin.lua")],
    "vim": ["vim", "-es", "-N", "-i", "NONE", "-n", "--not-a-term", "-u", "VIMRC", "-S", str(EDITORS / "plugin.vim")],
    "emacs": ["emacs", "--batch", "-Q", "-l", "oauth-stdio", "-l", str(EDITORS / "plugin.el")],
}


@pytest.fixture
def provider():
    with TokenProvider() as provider:
        provider.instead["/api/me"] = lambda request: Response.of({"user": "demo"})
        yield provider


@pytest.fixture
def user(tmp_path, provider):
    home = Home(tmp_path / "user")
    home.configure(provider=provider.description)
    home.environment["XDG_DATA_HOME"] = str(home.folder / ".local" / "share")
    return home


def steps(user, provider, command, **environment) -> dict[str, str]:
    def paste(url: str) -> None:
        """Leaves the address of the error page that a browser on another machine ends with."""
        whole = user.folder / "whole"
        whole.write_text(redirect(url, code=provider.secret()))
        whole.rename(user.folder / "address")

    status, said, told = user.run(*command, user=paste, **environment)
    assert status == 0, (said, told)
    found = dict(line.split(" ", 1) for line in said.splitlines())
    assert told.count("sign in here: ") == 1, told
    return {**found, "told": told}


@pytest.mark.parametrize("name", ["neovim", "vim"])
def test_the_plug_in_signs_in_and_follows_the_account(user, provider, name):
    package = user.folder / PACKAGES[name]
    package.parent.mkdir(parents=True)
    package.symlink_to(EXAMPLES / name)
    vimrc = user.folder / "vimrc"
    # Vim loads its packages after a vimrc, which -es would skip.
    vimrc.write_text("set nocompatible\n")
    command = [str(vimrc) if word == "VIMRC" else word for word in EDITOR[name]]
    if name == "vim":
        command[command.index("-S"):command.index("-S")] = ["-c", "packloadall"]
    found = steps(user, provider, command)
    assert found["completion"] == "demo" and found["status"] == "[demo]"
    assert json.loads(found["call"]) == json.loads(found["killed"]) == {"user": "demo"}
    assert found["elsewhere"] == '""' and found["told"].endswith("demo: signed out\n")


def test_the_package_signs_in_and_serves_auth_source(user, provider):
    """`-L` is what installing the package does."""
    mail = MailServer(provider)
    try:
        command = [*EDITOR["emacs"][:3], "-L", str(EXAMPLES / "emacs"), *EDITOR["emacs"][3:]]
        found = steps(user, provider, command, SMTP_PORT=str(mail.port))
    finally:
        mail.controller.stop()
    assert found["status"] == "[demo]" and found["elsewhere"] == '""'
    assert json.loads(found["call"]) == json.loads(found["killed"]) == {"user": "demo"}
    assert found["user"] == "me@example.org" and found["token"] in provider.living and found["unknown"] == "nil"
    assert mail.users == ["me@example.org"] and b"hello" in mail.mails[0]


def test_the_package_has_the_form_that_emacs_wants(tmp_path):
    source = tmp_path / "oauth-stdio.el"
    source.write_bytes((EXAMPLES / "emacs" / "oauth-stdio.el").read_bytes())
    forms = [
        "(setq byte-compile-error-on-warn t)", f'(unless (byte-compile-file "{source}") (kill-emacs 1))',
        f'(find-file "{source}")', "(checkdoc-current-buffer t)", "(require 'package)", '(princ (package-desc-version (package-buffer-info)))']
    done = subprocess.run(
        ["emacs", "--batch", "-Q", *(word for form in forms for word in ("--eval", form))], capture_output=True, text=True, timeout=60,
        env={**os.environ, "HOME": str(tmp_path)})
    version = re.search("^;; Version: (.*)$", source.read_text(), re.MULTILINE)[1]
    assert done.returncode == 0 and done.stdout == f"({version.replace('.', ' ')})", done
    assert [line for line in done.stderr.splitlines() if ": " in line and ".el:" in line] == []

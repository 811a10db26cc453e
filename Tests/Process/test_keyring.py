"""The wheel's backend for PyPI's keyring, with the programs that use keyring."""

import ast
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from rpc import ROOT
from test_hosts import User, serve_wheel, user, wheel  # noqa: F401, a fixture

pytestmark = pytest.mark.ci

SOURCE = ROOT / "examples" / "python" / "src"
# A keyring of the user's, in a file.
USERS_KEYRING = """\
import json, os, pathlib
from keyring.backend import KeyringBackend
FILE = pathlib.Path(os.environ["HOME"], "keyring.json")
class Users(KeyringBackend):
    priority = 5
    def read(self):
        return json.loads(FILE.read_text()) if FILE.exists() else {}
    def get_password(self, service, username):
        return self.read().get(f"{service} {username}")
    def set_password(self, service, username, password):
        FILE.write_text(json.dumps({**self.read(), f"{service} {username}": password}))
    def delete_password(self, service, username):
        stored = self.read()
        del stored[f"{service} {username}"]
        FILE.write_text(json.dumps(stored))
"""


@pytest.fixture
def packages(user) -> Path:
    """A folder for PYTHONPATH with what the wheel installs, and signs the user in."""
    script = user.write("program", "#!/bin/sh\n")
    words = [sys.executable, ROOT / "Sources" / "packaging" / "wheel.py", script, "0", "any", user.home]
    made = subprocess.run(words, capture_output=True, check=True, text=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
    folder = user.home / "packages"
    with zipfile.ZipFile(user.home / made.stdout.strip()) as wheel:
        wheel.extractall(folder)
    user.environment["PYTHONPATH"] = str(folder)
    user.sign_in()
    return folder


def install_users_keyring(packages: Path) -> None:
    (packages / "users_keyring.py").write_text(USERS_KEYRING)
    info = packages / "users_keyring-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: users-keyring\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[keyring.backends]\nusers = users_keyring\n")


def twice(user: User, line: str, **environment) -> None:
    """Runs a line before and after the end of the token."""
    for _ in range(2):
        done = user.run(line, **environment)
        assert done.returncode == 0 and user.server.accepted[-1] in user.server.living, done
        user.server.end_token()
    assert (len(set(user.server.accepted)), user.server.refreshes, user.server.is_lost) == (2, 1, False)


@pytest.mark.parametrize("has_keyring", [False, True])
def test_twine_finds_the_login(user, packages, has_keyring):
    if has_keyring:
        install_users_keyring(packages)
    (user.home / "x-1.0-py3-none-any.whl").write_bytes(wheel())
    twice(user, f"twine upload --repository-url {user.server.url}/api/ {user.home}/x-1.0-py3-none-any.whl", TWINE_NON_INTERACTIVE=1)


def test_pip_finds_the_login_where_keyring_stands_beside_it(user, packages):
    """Elsewhere it runs the command keyring, which test_host_protocols.py tests."""
    own = {"PIP_TARGET": "target", "PIP_NO_CACHE_DIR": 1, "PIP_DISABLE_PIP_VERSION_CHECK": 1, "PIP_KEYRING_PROVIDER": "import"}
    twice(user, f"pip install --index-url {serve_wheel(user)} X && ls target/x.py", **own)


@pytest.mark.parametrize("has_keyring", [False, True])
def test_poetry_finds_the_login(user, packages, has_keyring):
    if has_keyring:
        install_users_keyring(packages)
    settings = (
        '[tool.poetry]\nname = "p"\nversion = "1"\ndescription = ""\nauthors = []\npackage-mode = false\n[tool.poetry.dependencies]\npython = "*"\n'
        f'x = "1.0"\n[[tool.poetry.source]]\nname = "X"\nurl = "{serve_wheel(user)}"\npriority = "primary"\n')
    own = {"POETRY_CACHE_DIR": "cache", "POETRY_NO_INTERACTION": 1}
    twice(user, f"printf '%s' '{settings}' >pyproject.toml && poetry lock && grep -q x-1.0 poetry.lock", **own)


def test_the_users_keyring_keeps_its_passwords(user, packages):
    install_users_keyring(packages)
    text = """
import os, subprocess, sys, keyring
host = os.environ["URL"]
runs = []
run = subprocess.run
subprocess.run = lambda *words, **more: runs.append(words[0][7:]) or run(*words, **more)
keyring.set_password("https://pypi.example.org/simple/", "u", "p")
keyring.set_password("poetry-repository-x", "u", "q")
keyring.set_password(host, "old", "stored before the login")
print(keyring.get_keyring().name, keyring.get_password("https://pypi.example.org/simple/", "u"))
print(keyring.get_password("poetry-repository-x", "u"), keyring.get_credential("poetry-repository-x", None))
print([service.replace(host, "HOST") for service, *_ in runs])
found = keyring.get_credential(host, None)
print(found.password == keyring.get_password(host, found.username) == run(["oauth-stdio", "token", "me"], capture_output=True, text=True).stdout.strip())
keyring.delete_password("poetry-repository-x", "u")
print(keyring.get_password("poetry-repository-x", "u"))
# As without a desktop.
def lock(self, service, username):
    raise keyring.errors.KeyringLocked
sys.modules["users_keyring"].Users.get_password = lock
print(keyring.get_password(host, "u") == found.password)
"""
    done = user.python(text, URL=user.server.url + "/api/")
    said = ["chainer ChainerBackend p", "q None", "['https://pypi.example.org/simple/']", "True", "None", "True"]
    assert (done.stdout.splitlines(), done.stderr, done.returncode) == (said, "", 0)


def test_without_a_keyring_storing_fails_as_it_does_without_the_backend(user, packages):
    text = """
import keyring
from keyring.errors import NoKeyringError
print(keyring.get_keyring().name, keyring.get_password("https://pypi.example.org/simple/", "u"))
for change in (lambda: keyring.set_password("pypi.example.org", "u", "p"), lambda: keyring.delete_password("pypi.example.org", "u")):
    try:
        change()
    except NoKeyringError as error:
        print(error)
"""
    done = user.python(text)
    said = "oauth-stdio stores no passwords, and this system has no keyring that does. Install one, such as keyrings.alt"
    assert (done.stdout.splitlines(), done.stderr, done.returncode) == (["oauth stdio keyring Keyring None", said, said], "", 0)


def test_without_the_program_there_is_no_backend(user, packages):
    (user.programs / "oauth-stdio").unlink()
    done = user.run("python -m keyring --list-backends")
    assert done.returncode == 0 and "oauth_stdio_keyring.Keyring (priority: -1)" in done.stdout
    assert user.python("import keyring\nprint(keyring.get_keyring().name)\n").stdout == "fail Keyring\n"


def test_an_older_python_has_the_backend_and_is_told_of_the_package():
    for file in (SOURCE / "oauth_stdio_keyring.py", SOURCE / "oauth_stdio" / "__init__.py"):
        ast.parse(file.read_text(), feature_version=(3, 8))
    program = "import sys; sys.version_info = (3, 10); import oauth_stdio"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(SOURCE)})
    assert done.stderr.endswith("ImportError: the package oauth_stdio needs Python 3.11; the program and the keyring backend run without it\n")

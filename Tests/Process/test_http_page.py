"""examples/http.md, run as it is written: commands, an SDK, git, a sandbox, ssh and systemd's unit."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from provider import Response
from test_recipes import blocks
from test_remote import SSHD, Machine, machines, sign_in  # noqa: F401
from waiting import wait_until

pytestmark = [pytest.mark.ci, pytest.mark.skipif(not SSHD or not shutil.which("socat"), reason="needs sshd and socat")]

RUN, SDK, GIT, PORT, AT_PORT, FILE, AT_FILE, SANDBOX, FAR = blocks("http", "sh")
PROFILE, PYTHON, UNIT = blocks("http", "json")[0], blocks("http", "python")[0], blocks("http", "ini")[0]
ANSWER = '{"login": "octocat"}'


@pytest.fixture
def near(machines, provider) -> Machine:  # noqa: F811
    """A home that is signed in to the account, with the page's profile for the test's API."""
    near = machines[0]
    sign_in(near, provider, PROFILE, ["github", "openai"], gitHosts=[provider.url.partition("//")[2]])
    provider.instead["/api/user"] = lambda request: Response.of({"login": "octocat"})
    return near


def shown(near: Machine, script: str, expected: str = ANSWER) -> None:
    done = near.run(script)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.strip() == expected, done


def test_a_command_and_programs_by_base_url(near, provider):
    shown(near, RUN)
    (near.home / "app.py").write_text(
        "import os\nprint(os.environ['OPENAI_BASE_URL'].rpartition('/')[2], len(os.environ['OPENAI_API_KEY']), "
        "os.environ['OPENAI_API_KEY'] == os.environ['OAUTH_STDIO_SECRET'])\n")
    shown(near, SDK, "openai 43 True")
    (near.home / "app.py").write_text(PYTHON)
    shown(near, f"oauth-stdio run github -- {sys.executable} app.py", "octocat")
    calls = [request.headers["Authorization"] for request in provider.requests if request.path == "/api/user"]
    assert len(calls) == 2 and all(call.removeprefix("Bearer ") in provider.living for call in calls)


def test_git_goes_to_another_host_of_the_account(near, provider):
    host = provider.url.partition("//")[2]
    asked = []
    provider.instead["/me/notes/info/refs"] = lambda request: asked.append(request.headers["Authorization"]) or Response(404, b"")
    near.environment["GIT_CONFIG_NOSYSTEM"] = "1"
    done = near.run(GIT.replace("@github.com", "@" + host))
    assert "not found" in done.stderr and done.returncode == 128, done
    assert len(asked) == 1 and asked[0].removeprefix("Bearer ") in provider.living


def test_a_door_that_stays_at_a_port(near):
    near.start(PORT.replace(":8200", ":0") + "wait\n", stdout=(near.home / "out").open("w"))
    wait_until(lambda: (near.home / "out").read_text().endswith("\n"))
    address = (near.home / "out").read_text().strip()
    shown(near, AT_PORT.replace("http://127.0.0.1:8200", address))
    assert (near.home / ".door-secret").stat().st_mode & 0o777 == 0o600


def test_a_sandbox_and_a_far_machine_reach_the_socket_and_no_token(near, machines, provider):  # noqa: F811
    far = machines[1]
    near.start(FILE + "wait\n", stdout=subprocess.DEVNULL)
    wait_until((near.home / ".door" / "socket").exists)
    shown(near, AT_FILE)
    near.start(FAR)
    wait_until((far.home / ".door" / "socket").exists)
    shown(far, AT_FILE)
    done = far.run(AT_FILE.replace("-fsS", "-sS -X DELETE"))
    assert json.loads(done.stdout)["kind"] == "notAllowed"
    if not shutil.which("bwrap") or subprocess.run(["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"], stderr=subprocess.DEVNULL).returncode:
        pytest.skip("this system allows no sandbox")
    # curl says that it tries again until socat listens.
    assert near.run(SANDBOX).stdout.strip() == ANSWER
    # The store, the program and the network are not there.
    inside = re.search(r"sh -c '(.*)'\n$", SANDBOX, re.DOTALL)[1]
    tries = f"ls {near.home} || echo no home; oauth-stdio token github || echo no token; curl -sS {provider.url}/api/user || echo no network"
    done = near.run(SANDBOX.replace(inside, tries))
    assert done.stdout.split("\n")[:3] == ["no home", "no token", "no network"], done


def test_systemds_unit_is_one(near):
    folder = near.home / ".config" / "systemd" / "user"
    folder.mkdir(parents=True)
    (folder / "door.service").write_text(UNIT.replace("%h/.local/bin/oauth-stdio", str(near.home / "bin" / "oauth-stdio")))
    environment = {**near.environment, "SYSTEMD_UNIT_PATH": f"{folder}:", "XDG_RUNTIME_DIR": str(near.home)}
    done = subprocess.run(
        ["systemd-analyze", "--user", "--man=no", "verify", folder / "door.service"], env=environment, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, ""), done
    words = re.search(r"^ExecStart=\S+ (.*)$", UNIT, re.MULTILINE)[1].replace("%t/door", "$HOME/.door")
    near.start(f"mkdir -p ~/.door\nexec oauth-stdio {words}\n", stdout=subprocess.DEVNULL)
    wait_until((near.home / ".door" / "socket").exists)
    assert os.stat(near.home / ".door" / "socket").st_mode & 0o777 == 0o600

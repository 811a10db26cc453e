"""The quickstart reports its failures in one line, and first installs missing tools."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from ports import reserve_port
from provider import Provider, Response
from quickstart import Machine, check_transcript, program
from signing_in import redirect

pytestmark = pytest.mark.ci


@pytest.fixture
def machine(tmp_path) -> Machine:
    return Machine(tmp_path / "machine")


def test_a_provider_that_does_not_start(machine):
    assert machine.fails(DEMO_PROVIDER="/bin/false") == "the provider ended before it said where it is: /bin/false"
    assert machine.fails(DEMO_PROVIDER="/nonexistent/demo") == "there is no program /nonexistent/demo"


def announcing(path: Path, issuer: str) -> str:
    return program(path, f"#!/bin/sh\necho '{json.dumps({'issuer': issuer})}'\ncat >/dev/null\n")


def test_a_provider_that_is_down(machine, tmp_path):
    provider = announcing(tmp_path / "demo", f"http://127.0.0.1:{reserve_port()}")
    assert machine.fails(DEMO_PROVIDER=provider).startswith("the sign-in page could not be fetched: http://127.0.0.1:")


def test_a_provider_whose_token_endpoint_fails(machine, tmp_path):
    def respond(request):
        if request.path == "/authorize":
            return Response(302, headers={"Location": redirect(request.target, code="c0de")})
        return Response.of({"error": "server_error", "error_description": "a bad day"}, 500)

    with Provider(respond) as server:
        provider = announcing(tmp_path / "demo", server.url)
        assert machine.fails(DEMO_PROVIDER=provider) == "authorize: the authorization server answered with server_error: a bad day"


def test_a_program_that_is_missing_or_ends(machine):
    assert machine.fails(OAUTH_STDIO="/nonexistent/oauth-stdio") == "there is no program /nonexistent/oauth-stdio"
    assert machine.fails(OAUTH_STDIO="/bin/false").startswith("authorize: oauth-stdio ")


# Installing, with a fake apt-get


# A version manager's `python3` is a script that needs more tools.
JQ, PYTHON = shutil.which("jq"), os.path.realpath(sys.executable)
TOOLS = "bash cat clang cp curl dirname env git id ldconfig ln mkdir mkfifo mktemp readlink rm sed sleep uname".split()


def bare_machine(folder: Path) -> Path:
    """Returns a folder for PATH that has everything except jq, python3 and apt-get."""
    tools = folder / "bin"
    tools.mkdir(parents=True)
    for name in TOOLS:
        (tools / name).symlink_to(shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin"))
    program(tools / "sudo", '#!/bin/sh\nexec "$@"\n')
    return tools


def test_it_installs_what_is_missing_and_nothing_else(machine, tmp_path):
    tools = bare_machine(tmp_path)
    log = tmp_path / "apt"
    program(
        tools / "apt-get",
        f'#!/bin/sh\necho "$@" >>{log}\ncase "$*" in *install*) ln -s {JQ} {tools}/jq && ln -s {PYTHON} {tools}/python3;; esac\n',
    )
    ended = machine.run(PATH=str(tools))
    assert ended.returncode == 0, ended
    check_transcript(ended.stdout)
    assert log.read_text().splitlines() == ["update -qq", "install -y -qq --no-install-recommends jq python3"]
    assert "# installing jq python3\n" in ended.stdout
    assert machine.run(PATH=str(tools)).returncode == 0
    assert len(log.read_text().splitlines()) == 2


def test_it_says_what_is_missing_where_it_cannot_install(machine, tmp_path):
    tools = bare_machine(tmp_path)
    assert machine.fails(PATH=str(tools)).endswith("no apt-get to install it with; the names are Debian's: jq python3")
    program(tools / "apt-get", "#!/bin/sh\necho 'E: no network' >&2\nexit 100\n")
    ended = machine.run(PATH=str(tools))
    assert ended.returncode == 1
    assert ended.stderr.splitlines() == ["E: no network", "quickstart: apt-get could not install jq python3"]


def test_a_failing_build_shows_what_swift_said(machine, tmp_path):
    tools = bare_machine(tmp_path)
    (tools / "jq").symlink_to(JQ)
    (tools / "python3").symlink_to(PYTHON)
    assert machine.fails(PATH=str(tools), QUICKSTART_SKIP_BUILD="").startswith("swift is missing")
    program(tools / "swift", "#!/bin/sh\necho error: it does not compile\nexit 1\n")
    ended = machine.run(PATH=str(tools), QUICKSTART_SKIP_BUILD="")
    assert ended.returncode == 1
    assert ended.stderr.splitlines() == ["error: it does not compile", "quickstart: the build failed"]

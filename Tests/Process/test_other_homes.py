"""Root in the home of another user, as sudo leads it there: nothing of root stays, or what stays is given to that user."""

import hashlib
import json
import os
import pwd
import subprocess
from pathlib import Path

import pytest

from rpc import BINARY
from signing_in import authorize
from store_keys import store_grant, token, tokens

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can write in every home")
OTHER = 4242
TRUST = ["--trust-owner", str(OTHER)]


@pytest.fixture
def house(tmp_path):
    """The home of another user, with a configuration beside it."""
    house = tmp_path / "house"
    house.mkdir()
    os.chown(house, OTHER, OTHER)
    return house


def in_it(house: Path) -> dict:
    return {"HOME": str(house), "XDG_CONFIG_HOME": str(house / ".config"), "XDG_DATA_HOME": str(house / ".local/share")}


def owners(house: Path) -> dict:
    """The owner of everything in the folder, by its path."""
    return {str(path.relative_to(house)): path.lstat().st_uid for path in house.rglob("*")}


def configuration(tmp_path, provider, **more) -> list[str]:
    accounts = {
        "ci": {"provider": provider.description, "clientId": "c", "clientSecret": "s3cr3t-ci", "flow": "clientCredentials"},
        "me": {"provider": provider.description, "clientId": "c", "scopes": ["read"], **more},
    }
    (tmp_path / "ci.json").write_text(json.dumps({"accounts": accounts}))
    (tmp_path / "ci.json").chmod(0o600)
    return ["--config", str(tmp_path / "ci.json")]


def message(peer, method: str, **params) -> str:
    answer = peer.answer(peer.send(method, params))
    assert "error" in answer, answer
    return answer["error"]["message"]


def test_nothing_of_root_stays(start, provider, tmp_path, house):
    """The token of a client needs no storing. A login that could not be stored is not begun."""
    options = ["--store", house / ".local/share/oauth-stdio", *configuration(tmp_path, provider)]
    peer = start(*options, environment=in_it(house))
    first, second = (peer.request("accessToken", {"account": "ci"})["accessToken"] for _ in range(2))
    assert first == second in provider.living and len(provider.requests) == 1
    for answer in (message(peer, "authorize", account="me"), message(peer, "importGrant", account="x", format="json", data={"access_token": "t"}, provider=provider.description)):
        assert f"sudo -u '#{OTHER}'" in answer and f"--trust-owner {OTHER}" in answer and str(house) in answer, answer
    peer.request("accounts")
    assert peer.finish() == 0 and owners(house) == {} and len(provider.requests) == 1
    assert b"the grant of ci could not be written" in peer.stderr and b"sudo -u" in peer.stderr
    done = subprocess.run([BINARY, *options[2:], "token", "ci"], env={**in_it(house), "PATH": os.environ["PATH"]}, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.strip() in provider.living and "sudo -u" in done.stderr and owners(house) == {}


def test_the_user_is_named(start, provider, tmp_path, house):
    user = next(entry for entry in pwd.getpwall() if entry.pw_uid != 0)
    os.chown(house, user.pw_uid, -1)
    peer = start("--store", house / "store", *configuration(tmp_path, provider))
    assert f"sudo -u {user.pw_name}" in message(peer, "authorize", account="me")


def test_the_users_own_store_is_left_alone(start, provider, tmp_path, house):
    configured = configuration(tmp_path, provider)
    peer = start("--store", tmp_path / "store", *configured)
    peer.request("accessToken", {"account": "ci"})
    store_grant(peer, "kept")
    peer.finish()
    (tmp_path / "store").rename(house / "store")
    options = ["--store", house / "store", *configured]
    for path in [house / "store", *(house / "store").iterdir()]:
        os.chown(path, OTHER, OTHER)
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in (house / "store").iterdir()}
    peer = start(*options)
    own = peer.request("accessToken", {"account": "ci"})["accessToken"]
    assert own in provider.living
    for method in ("accessToken", "refresh", "signOut", "revoke"):
        assert "sudo -u" in message(peer, method, account="kept")
    assert peer.finish() == 0
    assert before == {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in (house / "store").iterdir()}


def test_what_root_makes_is_given_to_a_trusted_user(start, provider, tmp_path, house):
    """Folders and files, first ones and their replacements. The user's processes can use all of them."""
    options = [*TRUST, "--store", house / ".local/share/oauth-stdio", *configuration(tmp_path, provider, redirectUri="http://127.0.0.1:0/callback")]
    peer = start(*options, environment=in_it(house))
    authorize(peer, provider.approve, account="me", openBrowser=False)
    peer.request("accessToken", {"account": "ci"})
    assert peer.request("refresh", {"account": "me", "force": True})["refreshed"] is True
    store_grant(peer, "b")
    assert peer.finish() == 0
    found = owners(house)
    assert set(found.values()) == {OTHER} and ".local/share/oauth-stdio/me.grant" in found, found
    assert {path.stat().st_gid for path in house.rglob("*")} == {OTHER}
    assert all(path.stat().st_mode & 0o077 == 0 for path in house.rglob("*"))
    # An owner that was there stays, unless the file is replaced.
    store = house / ".local/share/oauth-stdio"
    for name in ("key", "me.grant", "me.grant.lock"):
        os.chown(store / name, 0, 0)
    peer = start(*options, environment=in_it(house))
    assert peer.request("refresh", {"account": "me", "force": True})["refreshed"] is True
    assert [(store / name).stat().st_uid for name in ("key", "me.grant", "me.grant.lock")] == [0, OTHER, 0]


@pytest.mark.parametrize("target", ["git", "docker"])
def test_root_sets_up_no_other_program(house, target):
    command = [BINARY, "setup", target, "host.example"]
    done = subprocess.run(command, env={**in_it(house), "PATH": os.environ["PATH"]}, capture_output=True, text=True)
    assert done.returncode == 1 and f"sudo -u '#{OTHER}'" in done.stderr and owners(house) == {}, done


@pytest.mark.parametrize("name", [".local", ".local/share/oauth-stdio", ".local/share/oauth-stdio/b.grant.lock", ".local/share/oauth-stdio/b.grant"])
def test_a_link_in_the_way_is_an_error(start, house, tmp_path, name):
    """A user could lead root to any place with it."""
    (aim := tmp_path / "aim").mkdir()
    (aim / "file").write_text("of root")
    link = house / name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(aim if link.suffix == "" or name == ".local" else aim / "file")
    for path in [*house.rglob("*")]:
        os.chown(path, OTHER, OTHER, follow_symlinks=False)
    peer = start(*TRUST, "--store", house / ".local/share/oauth-stdio", environment=in_it(house))
    text = message(peer, "importGrant", account="b", format="json", data={"access_token": "t"}, provider={"tokenEndpoint": "https://example.com/t"}, clientId="c")
    assert "link" in text, text
    assert list(aim.iterdir()) == [aim / "file"] and (aim / "file").read_text() == "of root" and link.is_symlink()
    assert (aim / "file").stat().st_uid == 0


@pytest.mark.parametrize("option", ["--log", "--audit"])
def test_a_log_of_root_does_not_stay(house, option):
    """Neither a new file nor a line in one of that user. A user who is trusted gets the file."""
    def run(*words) -> subprocess.CompletedProcess:
        return subprocess.run([BINARY, *words, "providers"], env={**in_it(house), "PATH": os.environ["PATH"]}, capture_output=True, text=True)

    (house / "there").touch()
    os.chown(house / "there", OTHER, OTHER)
    for name in ("new", "there"):
        done = run(option, house / name)
        assert done.returncode == 2 and f"sudo -u '#{OTHER}'" in done.stderr and owners(house) == {"there": OTHER}, done
    assert run(option, house / "new", *TRUST).returncode == 0 and owners(house) == {"there": OTHER, "new": OTHER}


def test_a_log_is_not_led_elsewhere(house, tmp_path):
    (aim := tmp_path / "aim").write_text("of root")
    (house / "log").symlink_to(aim)
    done = subprocess.run([BINARY, *TRUST, "--log", house / "log", "providers"], env=in_it(house), capture_output=True, text=True)
    assert done.returncode == 2 and "link" in done.stderr, done


@pytest.mark.parametrize("trust", [[], TRUST], ids=["no trust", "trust"])
def test_a_logout_of_root_empties_no_other_folder(house, tmp_path, trust):
    """The folder of what a server has said to the account is emptied, and the user has made a link to a folder of root of it."""
    (aim := tmp_path / "aim").mkdir()
    (aim / "file").write_text("of root")
    (own := house / ".cache/oauth-stdio/mcp" / hashlib.sha256(b"b").hexdigest()).mkdir(parents=True)
    (link := own.with_name(hashlib.sha256(b"a").hexdigest())).symlink_to(aim)
    (own / "file").touch()
    for path in house.rglob("*"):
        os.chown(path, OTHER, OTHER, follow_symlinks=False)
    environment = {**in_it(house), "XDG_CACHE_HOME": str(house / ".cache"), "PATH": os.environ["PATH"]}
    for account in "ab":
        subprocess.run([BINARY, *trust, "signOut", "--account", account], env=environment, capture_output=True)
    assert (aim / "file").exists() and link.is_symlink() and (own / "file").exists() is (trust == [])


def test_a_link_of_root_is_followed(start, tmp_path):
    """Some systems have one at /home."""
    (real := tmp_path / "real").mkdir(mode=0o755)
    (tmp_path / "link").symlink_to(real)
    (tmp_path / "log").symlink_to(real / "log")
    tmp_path.chmod(0o755)
    store_grant(start("--log", tmp_path / "log", "--store", tmp_path / "link" / "store"), "a")
    assert (real / "store" / "a.grant").exists() and (real / "log").exists()

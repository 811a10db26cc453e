"""Checks .github: the workflows call what exists, hold few rights and one secret, and their actions are those of one commit."""

import os
import re
import shutil
import subprocess

import pytest
import yaml

from rpc import BINARY, ROOT

pytestmark = pytest.mark.ci

GITHUB = ROOT / ".github"
WORKFLOWS = {path.stem: path.read_text() for path in sorted((GITHUB / "workflows").iterdir())}


def jobs(name: str) -> dict[str, dict]:
    return yaml.safe_load(WORKFLOWS[name])["jobs"]


def steps(name: str) -> list[dict]:
    return [step for job in jobs(name).values() for step in job["steps"]]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_may_only_read(name):
    assert yaml.safe_load(WORKFLOWS[name])["permissions"] == {"contents": "read"}
    assert all("permissions" not in job for job in jobs(name).values())
    # The key of the repository is the only secret, and one step has it, which runs no action.
    secret = [step for step in steps(name) if "secrets." in str(step)]
    assert WORKFLOWS[name].count("secrets.") == len(secret) == (1 if name == "release" else 0) and all("uses" not in step for step in secret)
    assert "token" not in WORKFLOWS[name].lower()
    # `pull_request_target` would run a stranger's code with the rights of the repository. YAML reads `on` as a Boolean.
    assert set(yaml.safe_load(WORKFLOWS[name])[True]) <= {"push", "pull_request"}
    checkouts = [step["with"] for step in steps(name) if step.get("uses", "").startswith("actions/checkout@")]
    assert len(checkouts) == len(jobs(name)) and all(given["persist-credentials"] is False for given in checkouts)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_an_action_is_named_by_its_commit_and_an_image_by_its_version(name):
    named = re.findall(r"uses: (.*)", WORKFLOWS[name])
    assert named and all(re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action) for action in named)
    images = re.findall(r"(?:container|image): (\S+)", WORKFLOWS[name])
    assert images and all(re.fullmatch(r"swift:\d+\.\d+\.\d+-bookworm", image) for image in images)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_calls_scripts_that_exist(name):
    """No value that a stranger chooses becomes a part of a command."""
    commands = [step["run"] for step in steps(name) if "run" in step]
    assert all("${{" not in command for command in commands)
    scripts = [command for command in commands if re.match(r"[\w.]+/", command)]
    assert scripts and all(os.access(ROOT / script, os.X_OK) for script in scripts)
    expected = {"test": {".ci/run"}, "release": {"Tests/install.sh", "Sources/packaging/build.sh"}}
    assert set(scripts) == expected[name]


@pytest.mark.skipif(not shutil.which("apt-ftparchive") or not (ROOT / ".git").exists(), reason="makes a repository of Debian packages")
def test_the_secret_signs_one_repository_of_both_architectures(tmp_path):
    (step,) = (step for step in steps("release") if "secrets." in str(step))
    (tmp_path / "Sources").symlink_to(ROOT / "Sources")
    for machine in ("amd64", "arm64"):
        control = tmp_path / machine / "DEBIAN" / "control"
        control.parent.mkdir(parents=True)
        control.write_text(f"Package: oauth-stdio\nVersion: 1\nArchitecture: {machine}\nMaintainer: M <m@example.org>\nDescription: d\n")
        folder = tmp_path / "packages" / f"packages-{machine}"
        folder.mkdir(parents=True)
        subprocess.run(["dpkg-deb", "--root-owner-group", "--build", tmp_path / machine, folder / f"oauth-stdio_1_{machine}.deb"], check=True, capture_output=True)

    def sign(secret: str) -> str:
        environment = {**os.environ, "GIT_DIR": str(ROOT / ".git"), **dict.fromkeys(step["env"], secret)}
        return subprocess.run(["bash", "-e", "-c", step["run"]], cwd=tmp_path, env=environment, check=True, capture_output=True, text=True).stdout

    assert "no apt repository is made" in sign("") and not (tmp_path / "apt").exists()
    home = tmp_path / "gpg"
    home.mkdir(mode=0o700)
    # The signature has the time of the commit, so the key must be older.
    gpg = ["gpg", "--homedir", home, "--batch", "--quiet", "--faked-system-time", "20200101T000000"]
    subprocess.run([*gpg, "--passphrase", "", "--quick-generate-key", "Maintainer <m@example.org>", "ed25519", "sign", "never"], check=True)
    key = subprocess.run([*gpg, "--armor", "--export-secret-keys"], check=True, capture_output=True, text=True).stdout
    subprocess.run(["gpgconf", "--homedir", home, "--kill", "all"], check=True)
    sign(key)
    release = tmp_path / "apt" / "dists" / "stable"
    subprocess.run(["gpgv", "--keyring", tmp_path / "apt/oauth-stdio-archive-keyring.gpg", release / "InRelease"], check=True, capture_output=True)
    assert sorted(path.name for path in release.glob("main/*")) == ["binary-amd64", "binary-arm64"]


@pytest.mark.parametrize(("tag", "status"), [("v", 0), ("v9.", 1)])
def test_a_tag_of_another_version_fails(tmp_path, tag, status):
    (command,) = (step["run"] for step in steps("release") if "GITHUB_REF_NAME" in step.get("run", ""))
    version = subprocess.run([BINARY, "--version"], capture_output=True, check=True, text=True).stdout.split()[1]
    (tmp_path / ".build" / "release").mkdir(parents=True)
    (tmp_path / ".build" / "release" / "oauth-stdio").symlink_to(BINARY)
    environment = {**os.environ, "GITHUB_REF_NAME": tag + version}
    assert subprocess.run(["bash", "-e", "-c", command], cwd=tmp_path, env=environment).returncode == status


def test_the_report_of_a_security_problem():
    text = (GITHUB / "SECURITY.md").read_text()
    assert max(map(len, text.splitlines())) <= 160
    assert all((GITHUB / target).exists() for target in re.findall(r"\]\(([^)#:]+)", text))
    readme = (ROOT / "README.md").read_text()
    assert "## Security\n" in readme and '"What does not"' in text and "\nWhat does not:\n" in readme
    assert all(option in readme for option in re.findall(r"--[a-z-]+", text) if option != "--version")
    assert (ROOT / re.search(r"`(examples/[\w-]+)`", text)[1]).exists()

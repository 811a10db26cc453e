"""examples/install.sh: the program, its manual and its completions, found by real shells and by man."""

import os
import subprocess

import pytest

from rpc import BINARY, ROOT

pytestmark = pytest.mark.ci

SCRIPT = ROOT / "examples" / "install.sh"


def install(home, *words, path: str = "") -> subprocess.CompletedProcess:
    environment = {"PATH": path + os.environ["PATH"], "HOME": str(home), "OAUTH_STDIO": BINARY, "LANG": "C.UTF-8"}
    return subprocess.run([SCRIPT, *map(str, words)], capture_output=True, text=True, env=environment, timeout=60)


def test_everything_is_installed_where_shells_and_man_look(tmp_path):
    prefix = tmp_path / "a folder"
    done = install(tmp_path, prefix, path=f"{prefix}/bin:")
    assert done.returncode == 0 and done.stderr.splitlines()[1:] == ["Next: oauth-stdio login PROVIDER, such as github"], done
    files = sorted(str(file) for file in prefix.rglob("*") if file.is_file())
    assert sorted(done.stdout.splitlines()) == files and len(files) == 5
    environment = {"PATH": f"{prefix}/bin:{os.environ['PATH']}", "HOME": str(tmp_path), "MANPATH": f"{prefix}/share/man", "LANG": "C.UTF-8"}

    def run(*words) -> str:
        return subprocess.run(words, capture_output=True, text=True, env=environment, check=True, timeout=60).stdout

    assert run("oauth-stdio", "--version").startswith("oauth-stdio ")
    assert str(prefix) in run("man", "-w", "oauth-stdio")
    assert "complete -F" in run("bash", "-c", f"source '{prefix}/share/bash-completion/completions/oauth-stdio'; complete -p oauth-stdio")


def test_the_default_is_the_users_own_folder_and_a_second_time_replaces(tmp_path):
    for _ in range(2):
        done = install(tmp_path)
        assert done.returncode == 0 and f"{tmp_path}/.local/bin is not in PATH" in done.stderr
    assert (tmp_path / ".local" / "bin" / "oauth-stdio").stat().st_mode & 0o777 == 0o755
    assert not list(tmp_path.rglob("*.new"))


def test_zsh_finds_the_completion_by_the_line_that_is_printed(tmp_path):
    said = install(tmp_path).stderr
    line = next(line for line in said.splitlines() if "fpath" in line).partition("before compinit: ")[2]
    script = f"{line}; autoload -Uz compinit; compinit -D -u; print $_comps[oauth-stdio]"
    done = subprocess.run(["zsh", "-fc", script], capture_output=True, text=True, env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)})
    assert done.stdout == "_oauth-stdio\n", done
    # It is not said again to a user who has followed it, in any spelling.
    for written in (line, "fpath=(~/.local/share/zsh/site-functions $fpath)", 'fpath+="$HOME/.local/share/zsh/site-functions"'):
        (tmp_path / ".zshrc").write_text(written + "\n")
        assert "fpath" not in install(tmp_path).stderr, written


def test_uninstalling_undoes_the_setup_and_leaves_the_logins(tmp_path):
    install(tmp_path)
    own = {file for file in tmp_path.rglob("*") if not file.is_dir()}
    bin = tmp_path / ".local" / "bin"
    environment = {"PATH": f"{bin}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    grant = '{"access_token":"t","token_type":"bearer","client_id":"c"}'
    subprocess.run([bin / "oauth-stdio", "import", "a", "-", "--provider", "github"], input=grant, env=environment, text=True, check=True, stdout=subprocess.DEVNULL)
    for words in (("git", "github.com"), ("docker", "ghcr.io")):
        subprocess.run([bin / "oauth-stdio", "setup", *words], env=environment, check=True, stderr=subprocess.DEVNULL)
    done = install(tmp_path, "--uninstall")
    data = tmp_path / ".local" / "share" / "oauth-stdio"
    assert done.returncode == 0 and f"your logins stay in {data}" in done.stderr, done
    assert not any(file.exists() for file in own) and not list(bin.iterdir())
    assert (data / "a.grant").exists() and "oauth-stdio" not in (tmp_path / ".docker" / "config.json").read_text()
    assert not (tmp_path / ".gitconfig").exists()
    assert "there is no" in install(tmp_path, "--uninstall").stderr

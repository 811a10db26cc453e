"""A user who runs the examples: a home with a configuration, and a user agent that opens the authorization page."""

import json
import os
import re
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path

import typescript
from rpc import BINARY, PATIENCE, ROOT

EXAMPLES = ROOT / "examples"
CLIENTS = {
    "shell": [str(EXAMPLES / "shell.sh")],
    "ruby": ["ruby", str(EXAMPLES / "ruby.rb")],
    "perl": ["perl", str(EXAMPLES / "perl.pl")],
    "lua": ["lua", str(EXAMPLES / "lua.lua")],
    "go": [str(ROOT / ".build-tests" / "go-example")],
    "python": ["env", f"PYTHONPATH={EXAMPLES}/python/src", sys.executable, str(EXAMPLES / "python" / "example.py")],
    "typescript": ["node", str(typescript.COMPILED / "example.js")],
}
# The editors' examples are files of a package. The scripts in Tests/Process/Editors give them a `me` command.
EDITORS = ROOT / "Tests" / "Process" / "Editors"
CLIENTS |= {
    "emacs": ["emacs", "--batch", "-Q", "-l", str(EXAMPLES / "emacs" / "oauth-stdio.el"), "-l", str(EDITORS / "me.el")],
    "neovim": ["sh", "-c", f'ACCOUNT=$1 URL=$2 exec nvim --headless -u NONE -i NONE -n --cmd "set rtp+={EXAMPLES}/neovim" -S {EDITORS}/me.lua', "sh"],
    "vim": ["sh", "-c", f'ACCOUNT=$1 URL=$2 exec vim -es -N -u NONE -i NONE -n --cmd "set rtp+={EXAMPLES}/vim" -S {EDITORS}/me.vim', "sh"],
}
# These run the program's commands, so the program itself says where to sign in.
COMMANDS = ["shell", "lua", "go"]
SIGN_IN = "sign in here: "
PAGE = re.compile(f"^(?:{SIGN_IN})?(https?://\\S+)$", re.MULTILINE)


def compile_go() -> None:
    """Compiles the Go example with a cache of the tests."""
    program = Path(CLIENTS["go"][0])
    environment = {**os.environ, "GOCACHE": str(program.parent / "go-cache"), "GOTOOLCHAIN": "local", "GOFLAGS": ""}
    subprocess.run(["go", "build", "-o", program, EXAMPLES / "go" / "main.go"], check=True, timeout=120, env=environment)


def visit(url: str, decision: str = "allow") -> None:
    """Opens the page as the user, decides, and sends the redirect to the program."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        opener.open(f"{url}&demo_auto={decision}", timeout=PATIENCE).close()
    except urllib.error.HTTPError as page:
        # The page that reports the failed sign-in.
        assert decision != "allow" and page.code == 400


class Home:
    """A user's environment: the configuration with the account `demo`, and a separate store."""

    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir(parents=True)
        self.configuration = folder / "config.json"
        # The Go example runs the installed program.
        installed = folder / "bin" / "oauth-stdio"
        installed.parent.mkdir()
        installed.write_text('#!/bin/sh\nexec "$OAUTH_STDIO" --config "$OAUTH_CONFIG" "$@"\n')
        installed.chmod(0o755)
        self.environment = {
            "PATH": f"{installed.parent}:{os.environ['PATH']}",
            "HOME": str(folder),
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "LANG": "C.UTF-8",
            "BROWSER": "/bin/true",
            "OAUTH_STDIO": BINARY,
            "OAUTH_CONFIG": str(self.configuration),
        }

    def configure(self, **account) -> None:
        account = {"clientId": "demo", "scopes": ["read"], "openBrowser": False, **account}
        self.configuration.write_text(json.dumps({"accounts": {"demo": account}}))

    def run(self, *command: str, user=visit, stdin=subprocess.DEVNULL, **environment) -> tuple[int, str, str]:
        """Returns the status, stdout and stderr. `user(url)` visits the page."""
        process = subprocess.Popen(
            list(command), stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**self.environment, **environment}, text=True,
        )  # fmt: skip
        watchdog = threading.Timer(60, process.kill)
        watchdog.start()
        said: list[str] = []
        reader = threading.Thread(target=lambda: said.append(process.stdout.read()))
        reader.start()
        try:
            told = ""
            for line in process.stderr:
                told += line
                if page := PAGE.match(line):
                    user(page[1])
            reader.join()
            return process.wait(), said[0], told
        finally:
            watchdog.cancel()
            process.kill()
            process.wait()
            reader.join()
            process.stdout.close()
            process.stderr.close()

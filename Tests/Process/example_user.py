"""A user who runs the examples: a home with a configuration, and a user agent that opens the authorization page."""

import json
import os
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path

from rpc import BINARY, PATIENCE, ROOT

EXAMPLES = ROOT / "examples"
CLIENTS = {
    "shell": [str(EXAMPLES / "shell.sh"), "me"],
    "python": [sys.executable, str(EXAMPLES / "python_client.py")],
    "node": ["node", str(EXAMPLES / "node_client.mjs")],
}
# The editors' examples are files of a package. The scripts in Tests/Process/Editors give them a `me` command.
EDITORS = ROOT / "Tests" / "Process" / "Editors"
CLIENTS |= {
    "emacs": ["emacs", "--batch", "-Q", "-l", str(EXAMPLES / "emacs.el"), "-l", str(EDITORS / "me.el")],
    "neovim": ["sh", "-c", f'ACCOUNT=$1 URL=$2 EXAMPLE={EXAMPLES}/neovim.lua exec nvim --headless -u NONE -i NONE -n -S {EDITORS}/me.lua', "sh"],
    "vim": ["sh", "-c", f'ACCOUNT=$1 URL=$2 exec vim -es -N -u NONE -i NONE -n -S {EXAMPLES}/vim.vim -S {EDITORS}/me.vim', "sh"],
}
SIGN_IN = "sign in here: "


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
        self.environment = {
            "PATH": os.environ["PATH"],
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
                if line.startswith(SIGN_IN):
                    user(line.removeprefix(SIGN_IN).strip())
            reader.join()
            return process.wait(), said[0], told
        finally:
            watchdog.cancel()
            process.kill()
            process.wait()
            reader.join()
            process.stdout.close()
            process.stderr.close()

#!/usr/bin/env python3
"""A client for oauth-stdio in Python with only the standard library. Another program needs only the class.

    python_client.py [ACCOUNT [URL]]     prints who the API says you are (default: github user)

OAUTH_STDIO   the program (default: oauth-stdio)
OAUTH_CONFIG  the configuration file, such as config.json in this folder (default: the program's own)
"""

import contextlib
import json
import os
import subprocess
import sys
import threading


class OAuthError(Exception):
    """An error answer. Branch on `kind`. `data` has the other members."""

    def __init__(self, error: dict):
        super().__init__(error["message"])
        self.code = error["code"]
        self.data = error.get("data") or {}
        self.kind = self.data.get("kind")


class OAuth:
    """Runs the program and sends it requests, one after the other. `on_event(name, params)` receives the events meanwhile."""

    def __init__(self, *arguments: str, program: str = "oauth-stdio", on_event=lambda name, params: None):
        self.on_event = on_event
        self.last_id = 0
        self.process = subprocess.Popen([program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", bufsize=1)

    def request(self, method: str, **params) -> dict:
        """Sends a request, waits and returns the result. Append an underscore to names that Python reserves, as in `as_`."""
        self.last_id += 1
        params = {name.rstrip("_"): value for name, value in params.items()}
        self.send({"id": self.last_id, "method": method, "params": params})
        for line in self.process.stdout:
            message = json.loads(line)
            if "method" in message:
                self.on_event(message["method"], message["params"])
            elif message["id"] == self.last_id:
                if "error" in message:
                    raise OAuthError(message["error"])
                return message["result"]
        raise EOFError(f"{method}: the program ended with status {self.process.wait()}")

    def send(self, message: dict) -> None:
        """Sends one message without waiting. A message without an id is a notification, which gets no answer."""
        with contextlib.suppress(BrokenPipeError):  # The missing answer reports this better.
            self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")

    def __enter__(self) -> "OAuth":
        return self

    def __exit__(self, kind, error, traceback) -> None:
        # After an error or Ctrl-C the program must not wait for a sign-in any longer. Otherwise the end of its input ends it.
        if kind is not None:
            self.process.terminate()
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def show(event: str, params: dict) -> None:
    if event == "signInWasRequested":
        code = f"\nand type this code: {params['userCode']}" if "userCode" in params else ""
        print(f"sign in here: {params['url']}{code}", file=sys.stderr, flush=True)


def paste(oauth: OAuth) -> None:
    """Sends the address that a browser on another machine ended on, as over SSH. Other input has no effect."""
    while line := os.read(0, 1 << 16).decode().strip():
        oauth.send({"method": "handleRedirect", "params": {"url": line}})


def main(account: str = "github", url: str = "user") -> None:
    config = os.environ.get("OAUTH_CONFIG")
    arguments = ["--config", config] if config else []
    with OAuth(*arguments, program=os.environ.get("OAUTH_STDIO", "oauth-stdio"), on_event=show) as oauth:
        if sys.stdin.isatty():
            threading.Thread(target=paste, args=[oauth], daemon=True).start()
        # Does nothing if the user has signed in before.
        oauth.request("authorize", account=account)
        me = json.loads(oauth.request("callAPI", account=account, url=url)["body"])
        print(next((me[name] for name in ("login", "username", "name", "user") if me.get(name)), me))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (OAuthError, OSError, EOFError) as error:
        sys.exit(f"{sys.argv[0]}: {error}")
    except KeyboardInterrupt:
        sys.exit(130)

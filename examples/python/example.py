#!/usr/bin/env python3
"""Prints who the API says you are.

    example.py [ACCOUNT [URL]]     default: github user

OAUTH_STDIO   the program (default: oauth-stdio)
OAUTH_CONFIG  the configuration file, such as config.json in the folder above (default: the program's own)
"""

import asyncio
import contextlib
import json
import os
import sys

from oauth_stdio import Client, OAuthError, ProcessEnded, SignInWasRequested


def show(event: SignInWasRequested) -> None:
    code = f"\nand type this code: {event['userCode']}" if "userCode" in event else ""
    print(f"sign in here: {event['url']}{code}", file=sys.stderr, flush=True)


async def finish(client: Client, address: str) -> None:
    """Sends the address that a browser on another machine ended on, as over SSH."""
    with contextlib.suppress(OAuthError, ProcessEnded):
        answer = await client.handle_redirect(url=address)
        if not answer["handled"]:
            print(answer.get("reason"), file=sys.stderr, flush=True)


async def main(account: str = "github", url: str = "user") -> None:
    config = os.environ.get("OAUTH_CONFIG")
    arguments = ["--config", config] if config else []
    pasted = []
    async with Client(*arguments, program=os.environ.get("OAUTH_STDIO", "oauth-stdio")) as client:
        client.on_sign_in_was_requested(show)
        if sys.stdin.isatty():
            loop = asyncio.get_running_loop()
            loop.add_reader(0, lambda: pasted.append(loop.create_task(finish(client, os.read(0, 1 << 16).decode().strip()))))
        # Does nothing if the user has signed in before.
        await client.authorize(account=account)
        answer = await client.call_api(account=account, url=url)
        me = json.loads(answer["body"])
        print(next((me[name] for name in ("login", "username", "name", "user") if me.get(name)), me))


if __name__ == "__main__":
    try:
        asyncio.run(main(*sys.argv[1:]))
    except (OAuthError, ProcessEnded, OSError) as error:
        sys.exit(f"{sys.argv[0]}: {error}")
    except KeyboardInterrupt:
        sys.exit(130)

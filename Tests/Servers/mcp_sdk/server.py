#!/usr/bin/env python3
"""An MCP server of the official Python SDK: server.py PORT."""

import asyncio
import json
import sys
from typing import Annotated

import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel

server = MCPServer("sdk", instructions="Call echo.")
started, ended = [], []


class Name(BaseModel):
    name: str


@server.tool()
def echo(text: str) -> str:
    """Echoes."""
    return text


@server.tool()
def fail() -> str:
    """Fails."""
    raise ValueError("it failed")


@server.tool()
async def count(steps: int, ctx: Context) -> str:
    """Reports progress."""
    for step in range(steps):
        await ctx.report_progress(step + 1, steps, "counting")
    return str(steps)


@server.tool()
async def wait(name: str) -> str:
    """Waits until it is cancelled."""
    started.append(name)
    try:
        await asyncio.sleep(60)
    finally:
        ended.append(name)
    return name


@server.tool()
def waiting() -> str:
    """Tells which calls of `wait` have started and which have ended."""
    return json.dumps([started, ended])


def who() -> Elicit[Name]:
    return Elicit("Who are you?", Name)


@server.tool()
async def greet(person: Annotated[Name, Resolve(who)]) -> str:
    """Asks the user."""
    return f"Hello {person.name}"


@server.resource("test://text")
def text() -> str:
    return "a text"


@server.prompt()
def review(code: str) -> str:
    return f"Review {code}"


class Eras:
    """Serves /both/mcp, the same as a server that knows only the versions with a handshake (/old/mcp) or the one without (/new/mcp), and /sse."""

    def __init__(self):
        self.app, self.sse = server.streamable_http_app(), server.sse_app()

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        _, era, *rest = scope["path"].split("/")
        if era in ("sse", "messages"):
            return await self.sse(scope, receive, send)
        version = dict(scope["headers"]).get(b"mcp-protocol-version", b"").decode()
        if era != "both" and (version >= "2026") == (era == "old"):
            data = {"supported": ["2026-07-28"], "requested": version}
            error = {"code": -32600, "message": "Bad Request: unsupported version"} if era == "old" else {"code": -32022, "message": "no", "data": data}
            body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
            await send({"type": "http.response.start", "status": 400, "headers": [(b"content-type", b"application/json")]})
            return await send({"type": "http.response.body", "body": body})
        path = "/" + "/".join(rest)
        await self.app({**scope, "path": path, "raw_path": path.encode()}, receive, send)


if __name__ == "__main__":
    uvicorn.run(Eras(), port=int(sys.argv[1]), log_level="warning")

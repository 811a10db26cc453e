#!/usr/bin/env python3
"""MCP hosts without a model: host.py HOST.

Each line of standard input is a start: {"id": …, "home": DIRECTORY, "server": {"command": …, "args": […], "env": {…}}, "seconds": …}. A process
of its own starts the stdio server with the host's defaults (or with `seconds` as its time-out), lists the tools and calls `echo`. It answers
with {"id": …, "tools": […], "text": …} or {"id": …, "error": …}. Its log is in the home.
"""

import asyncio
import json
import os
import sys
import traceback

HOST = sys.argv[1]

if HOST == "langchain":
    from langchain_mcp_adapters.client import MultiServerMCPClient

    async def start(server: dict, seconds: float | None) -> tuple:
        tools = {tool.name: tool for tool in await MultiServerMCPClient({"bridge": {"transport": "stdio", **server}}).get_tools()}
        (content,) = await tools["echo"].ainvoke({"text": "hello"})
        return [*tools], content["text"]

elif HOST == "smolagents":
    import mcpadapt.smolagents_adapter  # noqa: F401, MCPClient imports it
    from mcp import StdioServerParameters
    from smolagents import MCPClient

    async def start(server: dict, seconds: float | None) -> tuple:
        with MCPClient(StdioServerParameters(**server), structured_output=False) as listed:
            tools = {tool.name: tool for tool in listed}
            return [*tools], tools["echo"](text="hello")

elif HOST == "openai-agents":
    from agents.mcp import MCPServerStdio

    async def start(server: dict, seconds: float | None) -> tuple:
        async with MCPServerStdio(server, **({"client_session_timeout_seconds": seconds} if seconds else {})) as bridge:
            tools = [tool.name for tool in await bridge.list_tools()]
            return tools, (await bridge.call_tool("echo", {"text": "hello"})).content[0].text

elif HOST == "pydantic-ai":
    from fastmcp.client.transports import StdioTransport
    from pydantic_ai.mcp import MCPToolset

    async def start(server: dict, seconds: float | None) -> tuple:
        async with MCPToolset(StdioTransport(**server)) as toolset:
            tools = [tool.name for tool in await toolset.list_tools()]
            return tools, await toolset.direct_call_tool("echo", {"text": "hello"})

elif HOST == "fastmcp":
    from fastmcp import Client
    from fastmcp.client.transports import StdioTransport

    async def start(server: dict, seconds: float | None) -> tuple:
        async with Client(StdioTransport(**server)) as client:
            tools = [tool.name for tool in await client.list_tools()]
            return tools, (await client.call_tool("echo", {"text": "hello"})).content[0].text


def answer(asked: dict) -> str:
    os.environ["HOME"] = asked["home"]
    with open(asked["home"] + "/host.log", "ab") as log:
        os.dup2(log.fileno(), 2)
    try:
        tools, text = asyncio.run(start(asked["server"], asked.get("seconds")))
        return json.dumps({"id": asked["id"], "tools": tools, "text": text})
    except BaseException:
        return json.dumps({"id": asked["id"], "error": traceback.format_exc()})


if __name__ == "__main__":
    # A fork is a host that has just started, without the seconds that its imports take.
    while line := sys.stdin.readline():
        if os.fork() == 0:
            os.write(1, answer(json.loads(line)).encode() + b"\n")
            os._exit(0)

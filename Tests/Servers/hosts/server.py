#!/usr/bin/env python3
"""An MCP server with its own authorization server, by the official SDK or by FastMCP: server.py sdk|fastmcp PORT.

Its page approves at once. GET /seen tells which requests have arrived and how many clients and tokens there are, POST /forget forgets the access
tokens.
"""

import secrets
import sys
import time

import uvicorn
from fastmcp import FastMCP
from fastmcp.server.auth.auth import ClientRegistrationOptions, RevocationOptions
from fastmcp.server.auth.providers.in_memory import InMemoryOAuthProvider
from mcp.server.auth.provider import AccessToken, AuthorizationCode, RefreshToken, construct_redirect_uri
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthToken
from starlette.responses import JSONResponse


class MemoryProvider:
    """The SDK's `OAuthAuthorizationServerProvider`. It binds tokens to the resource that the page was for, and rotates refresh tokens."""

    def __init__(self):
        self.clients, self.codes, self.access_tokens, self.refresh_tokens = {}, {}, {}, {}

    async def get_client(self, client_id):
        return self.clients.get(client_id)

    async def register_client(self, client):
        self.clients[client.client_id] = client

    async def authorize(self, client, params):
        code = secrets.token_hex()
        self.codes[code] = AuthorizationCode(
            code=code, client_id=client.client_id, expires_at=time.time() + 300, scopes=params.scopes or [], resource=params.resource,
            code_challenge=params.code_challenge, redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly)
        return construct_redirect_uri(str(params.redirect_uri), code=code, state=params.state)

    async def load_authorization_code(self, client, code):
        return self.codes.get(code)

    async def exchange_authorization_code(self, client, code):
        del self.codes[code.code]
        return self.issue(client, code)

    async def load_refresh_token(self, client, token):
        return self.refresh_tokens.get(token)

    async def exchange_refresh_token(self, client, token, scopes):
        del self.refresh_tokens[token.token]
        return self.issue(client, token)

    def issue(self, client, former) -> OAuthToken:
        about = {"client_id": client.client_id, "scopes": former.scopes, "resource": former.resource}
        access, refresh = secrets.token_hex(), secrets.token_hex()
        self.access_tokens[access] = AccessToken(token=access, expires_at=int(time.time()) + 3600, **about)
        self.refresh_tokens[refresh] = RefreshToken(token=refresh, **about)
        return OAuthToken(access_token=access, refresh_token=refresh, expires_in=3600, scope=" ".join(former.scopes))

    async def load_access_token(self, token):
        return self.access_tokens.get(token)

    async def revoke_token(self, token):
        for tokens in (self.access_tokens, self.refresh_tokens):
            for other in [other for other in tokens.values() if other.client_id == token.client_id]:
                del tokens[other.token]


def sdk(url: str):
    provider = MemoryProvider()
    settings = AuthSettings(
        issuer_url=url, resource_server_url=url + "/mcp", validate_token_resource=True, required_scopes=["use"],
        client_registration_options=OPTIONS, revocation_options=RevocationOptions(enabled=True))
    server = MCPServer("sdk", auth_server_provider=provider, auth=settings)
    server.tool()(echo)
    return provider, server.streamable_http_app()


def fastmcp(url: str):
    provider = InMemoryOAuthProvider(
        base_url=url, client_registration_options=OPTIONS, revocation_options=RevocationOptions(enabled=True), required_scopes=["use"])
    server = FastMCP("fastmcp", auth=provider)
    server.tool(echo)
    return provider, server.http_app()


def echo(text: str) -> str:
    """Echoes."""
    return text


OPTIONS = ClientRegistrationOptions(enabled=True, valid_scopes=["use"], default_scopes=["use"])


class Recorder:
    """Notes the requests to the server, and answers the test's own."""

    def __init__(self, provider, app):
        self.provider, self.app, self.seen = provider, app, []

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        if scope["path"] == "/forget":
            self.provider.access_tokens.clear()
        elif scope["path"] != "/seen":
            self.seen.append(f"{scope['method']} {scope['path']}")
            return await self.app(scope, receive, send)
        counts = {name: len(getattr(self.provider, name)) for name in ("clients", "access_tokens", "refresh_tokens")}
        await JSONResponse({"requests": self.seen, **counts})(scope, receive, send)


if __name__ == "__main__":
    kind, port = sys.argv[1], int(sys.argv[2])
    provider, app = {"sdk": sdk, "fastmcp": fastmcp}[kind](f"http://127.0.0.1:{port}")
    # Streams of bridges that have ended would delay its own end.
    uvicorn.run(Recorder(provider, app), port=port, log_level="warning", timeout_graceful_shutdown=1)

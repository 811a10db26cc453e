#!/usr/bin/env python3
"""An authorization server of the official MCP SDK for Python: authorization.py PORT.

The SDK checks requests, scopes and verifiers. The provider below keeps tokens in memory, with new refresh tokens at each refresh, as the SDK's own
example does. Its refreshes carry the sign-in's resource on, because the SDK passes it no other."""

import secrets
import sys
import time

import uvicorn
from mcp.server.auth.provider import AccessToken, AuthorizationCode, RefreshToken, construct_redirect_uri
from mcp.server.auth.routes import create_auth_routes
from mcp.server.auth.settings import ClientRegistrationOptions
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyHttpUrl
from starlette.applications import Starlette


class Provider:
    def __init__(self):
        self.clients, self.codes, self.refresh_tokens, self.access_tokens = {}, {}, {}, {}

    async def get_client(self, client_id):
        return self.clients.get(client_id)

    async def register_client(self, client: OAuthClientInformationFull):
        self.clients[client.client_id] = client

    async def authorize(self, client, params):
        code = secrets.token_urlsafe(24)
        fields = params.model_dump(exclude={"state", "scopes"})
        self.codes[code] = AuthorizationCode(
            code=code, scopes=params.scopes or [], expires_at=time.time() + 60, client_id=client.client_id, subject="user", **fields)
        return construct_redirect_uri(str(params.redirect_uri), code=code, state=params.state)

    async def load_authorization_code(self, client, code):
        return self.codes.get(code)

    async def load_refresh_token(self, client, token):
        return self.refresh_tokens.get(token)

    async def load_access_token(self, token):
        return self.access_tokens.get(token)

    async def exchange_authorization_code(self, client, code):
        return self.issue(self.codes.pop(code.code), code.scopes)

    async def exchange_refresh_token(self, client, token, scopes):
        return self.issue(self.refresh_tokens.pop(token.token), scopes)

    def issue(self, source, scopes) -> OAuthToken:
        access, refresh = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        common = {"client_id": source.client_id, "scopes": scopes, "resource": source.resource, "subject": source.subject}
        self.access_tokens[access] = AccessToken(token=access, expires_at=int(time.time()) + 3600, **common)
        self.refresh_tokens[refresh] = RefreshToken(token=refresh, **common)
        return OAuthToken(access_token=access, token_type="Bearer", expires_in=3600, refresh_token=refresh, scope=" ".join(scopes))

    async def revoke_token(self, token):
        self.access_tokens.pop(token.token, None)


def app(url: str) -> Starlette:
    scopes = ClientRegistrationOptions(enabled=True, valid_scopes=["read", "write"], default_scopes=["read", "write"])
    return Starlette(routes=create_auth_routes(Provider(), AnyHttpUrl(url), client_registration_options=scopes))


if __name__ == "__main__":
    uvicorn.run(app(f"http://127.0.0.1:{sys.argv[1]}"), port=int(sys.argv[1]), log_level="warning")

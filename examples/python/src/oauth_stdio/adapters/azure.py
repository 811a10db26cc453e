"""azure-core (https://learn.microsoft.com/python/api/azure-core/azure.core.credentials.tokencredential). Its clients send to the URL they were given.

A scope chooses nothing: the token is that of the login.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Self

from azure.core.credentials import AccessToken, AccessTokenInfo

if TYPE_CHECKING:
    from ..login import Login


class AzureCredential:
    """A `TokenCredential`, which also supports token information."""

    def __init__(self, login: Login):
        self._login = login
        self._last: str | None = None

    def get_token(self, *scopes: str, claims: str | None = None, **options: object) -> AccessToken:
        info = self.get_token_info(*scopes, options={"claims": claims})
        return AccessToken(info.token, info.expires_on)

    def get_token_info(self, *scopes: str, options: Mapping[str, object] | None = None) -> AccessTokenInfo:
        # Claims are those of a service that has rejected the last token.
        rejected = self._last if (options or {}).get("claims") else None
        result = self._login.access_token(rejected=rejected)
        self._last = result["accessToken"]
        # azure-core asks again 300 s before the end, so at each request if the token has none.
        return AccessTokenInfo(self._last, result.get("expiresAt", int(time.time())), token_type=result.get("tokenType", "Bearer"))

    def close(self) -> None:
        """Does nothing: other logins use the process, too."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        return None


class AsyncAzureCredential:
    """An `AsyncTokenCredential`, which also supports token information."""

    def __init__(self, login: Login):
        self._credential = AzureCredential(login)

    async def get_token(self, *scopes: str, claims: str | None = None, **options: object) -> AccessToken:
        info = await self.get_token_info(*scopes, options={"claims": claims})
        return AccessToken(info.token, info.expires_on)

    async def get_token_info(self, *scopes: str, options: Mapping[str, object] | None = None) -> AccessTokenInfo:
        return await asyncio.to_thread(self._credential.get_token_info, options=options)

    async def close(self) -> None:
        """Does nothing: other logins use the process, too."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        return None

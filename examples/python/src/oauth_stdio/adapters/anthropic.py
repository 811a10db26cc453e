"""anthropic (https://github.com/anthropics/anthropic-sdk-python), whose client sends to the URL it was given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anthropic import AccessToken

if TYPE_CHECKING:
    from ..login import Login


class AnthropicCredentials:
    """Returns the token for each request. anthropic asks for another one after an answer 401."""

    def __init__(self, login: Login):
        self._login = login
        self._last: str | None = None

    def __call__(self, *, force_refresh: bool = False) -> AccessToken:
        self._last = self._login.access_token(rejected=self._last if force_refresh else None)["accessToken"]
        # With the end 0, anthropic stores no token.
        return AccessToken(self._last, 0)

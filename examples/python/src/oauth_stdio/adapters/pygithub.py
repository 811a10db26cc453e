"""PyGithub (https://pygithub.readthedocs.io/en/stable/utilities.html#authentication)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from github.Auth import Auth
from github.Requester import WithRequester

if TYPE_CHECKING:
    from ..login import Login


class PyGithubAuth(Auth, WithRequester["PyGithubAuth"]):
    """Signs each request for the server that `Github` was given."""

    def __init__(self, login: Login):
        super().__init__()
        self._login = login

    @property
    def token_type(self) -> str:
        return "Bearer"

    @property
    def token(self) -> str:
        return self._login.token()

    def authentication(self, headers: dict[str, str]) -> None:
        headers.update(self._login.sign(self.requester.base_url)["headers"])

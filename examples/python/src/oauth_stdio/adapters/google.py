"""google-auth (https://googleapis.dev/python/google-auth/latest/reference/google.auth.credentials.html)."""

from __future__ import annotations

from collections.abc import MutableMapping
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from google.auth.credentials import CredentialsWithQuotaProject

if TYPE_CHECKING:
    from ..login import Login


class GoogleCredentials(CredentialsWithQuotaProject):
    """Signs each request for its URL. google-auth and its users call `refresh` after an answer 401, or to read `token` and `expiry`.

    A `refresh_handler` would fail for a token with less than 225 s left, so that no short-lived token could be used.
    """

    def __init__(self, login: Login, quota_project: str | None = None):
        super().__init__()
        self._login = login
        self._quota_project_id = quota_project

    def before_request(self, request: object, method: str, url: str, headers: MutableMapping[str, str]) -> None:
        # The method of gRPC is a name of the service's.
        signed = self._login.sign(url, method if method.isupper() else "POST")
        # gRPC takes small letters only.
        headers.update({name.lower(): value for name, value in signed["headers"].items()})
        self.token = headers.get("authorization", "").partition(" ")[2] or None
        if self.quota_project_id:
            headers["x-goog-user-project"] = self.quota_project_id

    def refresh(self, request: object) -> None:
        result = self._login.access_token(rejected=self.token)
        self.token = result["accessToken"]
        end = result.get("expiresAt")
        # google-auth compares with a time of UTC that has no zone.
        self.expiry = datetime.fromtimestamp(end, timezone.utc).replace(tzinfo=None) if end else None

    def with_quota_project(self, quota_project_id: str) -> GoogleCredentials:
        return GoogleCredentials(self._login, quota_project_id)

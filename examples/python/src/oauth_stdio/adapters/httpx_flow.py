"""The flow of httpx and of its successor httpx2, which have the same classes (https://www.python-httpx.org/advanced/authentication/)."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from typing import TYPE_CHECKING, Any

import anyio.to_thread

from ..generated import AuthorizeRequestResult

if TYPE_CHECKING:
    from ..login import Login


class HTTPXFlow:
    """Signs a request, and again once if the service rejects it.

    httpx follows no redirect by default. If it does, it removes only the header `Authorization` on the way to another host.
    """

    # The library's class of a body that can be sent again. That of a file or an iterator may be used up.
    byte_stream: type

    def __init__(self, login: Login):
        self._login = login

    def sync_auth_flow(self, request: Any) -> Generator[Any, Any, None]:
        url = str(request.url)
        signed = self._login.sign(url, request.method)
        response = yield apply(signed, request)
        if response.status_code == 401:
            fresh = self._login.sign_again(*rejection(url, signed, response))
            if fresh and isinstance(response.request.stream, self.byte_stream):
                response = yield apply(fresh, response.request)
        self._login.learn(str(response.request.url), response.headers)

    async def async_auth_flow(self, request: Any) -> AsyncGenerator[Any, Any]:
        url = str(request.url)
        signed = await anyio.to_thread.run_sync(self._login.sign, url, request.method)
        response = yield apply(signed, request)
        if response.status_code == 401:
            fresh = await anyio.to_thread.run_sync(self._login.sign_again, *rejection(url, signed, response))
            if fresh and isinstance(response.request.stream, self.byte_stream):
                response = yield apply(fresh, response.request)
        self._login.learn(str(response.request.url), response.headers)


def apply(signed: AuthorizeRequestResult, request: Any) -> Any:
    if str(request.url) != signed["url"]:
        request.url = type(request.url)(signed["url"])
    request.headers.update(signed["headers"])
    return request


def rejection(url: str, signed: AuthorizeRequestResult, response: Any) -> tuple[str, str, AuthorizeRequestResult, Any]:
    """Returns the arguments of `sign_again`. The request may be the last one of several redirects."""
    request = response.request
    sent = AuthorizeRequestResult(
        url=str(request.url), headers={name: request.headers[name] for name in signed["headers"] if name in request.headers})
    return url if sent["url"] == signed["url"] else sent["url"], request.method, sent, response.headers

"""aiohttp (https://docs.aiohttp.org/en/stable/client_middleware_cookbook.html), which calls a middleware for each redirect, too."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from typing import TYPE_CHECKING

import aiohttp
import yarl

from ..generated import AuthorizeRequestResult, HostNotAllowed

if TYPE_CHECKING:
    from ..login import Login

REDIRECTS = (301, 302, 303, 307, 308)
# Whether the last answer of this task was a redirect, so that the next request may follow it to a host of others.
redirected: ContextVar[bool] = ContextVar("redirected", default=False)


class Middleware:
    """Signs a request, and again once if the service rejects it."""

    def __init__(self, login: Login):
        self._login = login

    async def __call__(self, request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
        url = str(request.url)
        follows = redirected.get()
        redirected.set(False)
        try:
            signed = await asyncio.to_thread(self._login.sign, url, request.method)
        except HostNotAllowed:
            if not follows:
                raise
            response = await handler(request)
            redirected.set(response.status in REDIRECTS)
            return response
        apply(signed, request)
        response = await handler(request)
        if response.status == 401:
            fresh = await asyncio.to_thread(self._login.sign_again, url, request.method, signed, response.headers)
            if fresh and not getattr(request.body, "consumed", False):
                response.release()
                apply(fresh, request)
                response = await handler(request)
        self._login.learn(url, response.headers)
        redirected.set(response.status in REDIRECTS)
        return response


def apply(signed: AuthorizeRequestResult, request: aiohttp.ClientRequest) -> None:
    if str(request.url) != signed["url"]:
        request.url = yarl.URL(signed["url"], encoded=True)
    request.headers.update(signed["headers"])

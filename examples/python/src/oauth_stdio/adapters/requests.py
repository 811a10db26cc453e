"""requests (https://requests.readthedocs.io/en/latest/user/advanced/#custom-authentication)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import requests
from requests.auth import AuthBase

from ..generated import AuthorizeRequestResult

if TYPE_CHECKING:
    from ..login import Login


class RequestsAuth(AuthBase):
    """Signs a request, and again once if the service rejects it."""

    def __init__(self, login: Login):
        self._login = login

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        url = request.url
        signed = self._login.sign(url, request.method)
        apply(signed, request)
        position = request.body.tell() if hasattr(request.body, "tell") else None
        request.register_hook("response", partial(self._answered, url, signed, position))
        return request

    def _answered(
        self, url: str, signed: AuthorizeRequestResult, position: int | None, answer: requests.Response, **options: Any
    ) -> requests.Response:
        """Follows each answer, also each redirect, whose request has no header `Authorization` if it goes to another host."""
        request = answer.request
        if answer.status_code == 401:
            answer = self._again(url, signed, position, answer, **options)
        else:
            self._login.learn(request.url, answer.headers)
        if answer.is_redirect:
            # requests removes the header `Authorization` if the host is another one. This is the same for a provider's own header.
            for name in signed["headers"].keys() - {"Authorization"}:
                request.headers.pop(name, None)
        return answer

    def _again(
        self, url: str, signed: AuthorizeRequestResult, position: int | None, answer: requests.Response, **options: Any
    ) -> requests.Response:
        request = answer.request
        sent = AuthorizeRequestResult(
            url=request.url, headers={name: request.headers[name] for name in signed["headers"] if name in request.headers})
        fresh = self._login.sign_again(url if request.url == signed["url"] else request.url, request.method, sent, answer.headers)
        is_repeatable = position is not None or isinstance(request.body, str | bytes | None)
        if fresh is None or not is_repeatable:
            return answer
        # The connection is free when the answer has been read.
        answer.content
        answer.close()
        again = request.copy()
        apply(fresh, again)
        if position is not None:
            again.body.seek(position)
        second = answer.connection.send(again, **options)
        second.history.append(answer)
        second.request = again
        return second


def apply(signed: AuthorizeRequestResult, request: requests.PreparedRequest) -> None:
    request.url = signed["url"]
    request.headers.update(signed["headers"])

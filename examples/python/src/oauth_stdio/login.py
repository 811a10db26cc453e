"""A login for the libraries of others: each gets what it takes as its credential, and goes on after the end of a token."""

from __future__ import annotations

import asyncio
import logging
import shlex
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from .client import OAuthError
from .generated import AccessTokenResult, AuthorizeRequestResult, HostNotAllowed, SignInRequired
from .shared_process import find_program, shared_process

if TYPE_CHECKING:
    from .adapters.aiohttp import Middleware
    from .adapters.anthropic import AnthropicCredentials
    from .adapters.azure import AsyncAzureCredential, AzureCredential
    from .adapters.google import GoogleCredentials
    from .adapters.httpx import HTTPXAuth
    from .adapters.httpx2 import HTTPX2Auth
    from .adapters.pygithub import PyGithubAuth
    from .adapters.requests import RequestsAuth

__all__ = ["Login"]

# A service that rejects every token costs one refresh in as many seconds.
PAUSE = 60

log = logging.getLogger("oauth_stdio")
Credential = TypeVar("Credential")


class Login:
    """The login of an account. `arguments` are options of the program, such as `"--config", "config.json"`.

    A method whose name begins with `for_` returns what a library takes, and imports that library. Where the library tells the URL, a credential
    goes only to hosts that the account allows. Where the library tells that the service rejected a token, the program replaces it once.

    All logins of a Python process share one process of the program. Each request asks it, which takes a fraction of a millisecond. So a logout, or
    a refresh by another program, counts at once.
    """

    def __init__(self, account: str, *arguments: str, program: str | None = None):
        self.account = account
        self._process = shared_process(program or find_program(), "--events", "none", *arguments)
        # The last header `DPoP-Nonce` of each origin.
        self._nonces: dict[str, str] = {}

    def token(self) -> str:
        """Returns an access token. `OpenAI(api_key=Login("me").token)` calls this for each request."""
        return self.access_token()["accessToken"]

    async def token_async(self) -> str:
        """Returns an access token, for `AsyncOpenAI(api_key=Login("me").token_async)`."""
        return await asyncio.to_thread(self.token)

    def for_requests(self) -> RequestsAuth:
        """Returns the `auth` of requests: `session.auth = Login("me").for_requests()`."""
        from .adapters.requests import RequestsAuth

        return RequestsAuth(self)

    def for_httpx(self) -> HTTPXAuth:
        """Returns the `auth` of httpx: `httpx.Client(auth=Login("me").for_httpx())`, and the same for `AsyncClient`."""
        from .adapters.httpx import HTTPXAuth

        return HTTPXAuth(self)

    def for_httpx2(self) -> HTTPX2Auth:
        """Returns the `auth` of httpx2, the successor of httpx."""
        from .adapters.httpx2 import HTTPX2Auth

        return HTTPX2Auth(self)

    def for_aiohttp(self) -> Middleware:
        """Returns a middleware of aiohttp 3.12: `aiohttp.ClientSession(middlewares=[Login("me").for_aiohttp()])`."""
        from .adapters.aiohttp import Middleware

        return Middleware(self)

    def for_azure(self) -> AzureCredential:
        """Returns a `TokenCredential` of azure-core: `BlobServiceClient(url, credential=Login("me").for_azure())`."""
        from .adapters.azure import AzureCredential

        return AzureCredential(self)

    def for_azure_async(self) -> AsyncAzureCredential:
        """Returns an `AsyncTokenCredential` of azure-core."""
        from .adapters.azure import AsyncAzureCredential

        return AsyncAzureCredential(self)

    def for_google(self) -> GoogleCredentials:
        """Returns `Credentials` of google-auth: `storage.Client(credentials=Login("me").for_google())`."""
        from .adapters.google import GoogleCredentials

        return GoogleCredentials(self)

    def for_pygithub(self) -> PyGithubAuth:
        """Returns the `auth` of PyGithub: `Github(auth=Login("me").for_pygithub())`."""
        from .adapters.pygithub import PyGithubAuth

        return PyGithubAuth(self)

    def for_anthropic(self) -> AnthropicCredentials:
        """Returns the `credentials` of anthropic: `Anthropic(credentials=Login("me").for_anthropic())`."""
        from .adapters.anthropic import AnthropicCredentials

        return AnthropicCredentials(self)

    # For the adapters

    def access_token(self, *, rejected: str | None = None) -> AccessTokenResult:
        """Returns the access token and its end. `rejected` is a token that the service has rejected, so that the program replaces it."""

        def ask() -> AccessTokenResult:
            result: AccessTokenResult = self._request("accessToken")
            return result

        return ask() if rejected is None else self._replace(ask, lambda result: result["accessToken"] == rejected)

    def sign(self, url: str, method: str = "GET") -> AuthorizeRequestResult:
        """Returns the URL and the headers of a request. It raises `HostNotAllowed` if the account does not allow the URL's host."""
        result: AuthorizeRequestResult = self._request("authorizeRequest", url=url, method=method, dpopNonce=self._nonces.get(origin(url)))
        return result

    def sign_again(
        self, url: str, method: str, rejected: AuthorizeRequestResult, answer: Mapping[str, str]
    ) -> AuthorizeRequestResult | None:
        """Returns what replaces a rejected credential, or nothing if the service's answer 401 is final. `answer` has its headers."""
        try:
            if self.learn(url, answer) and "use_dpop_nonce" in answer.get("WWW-Authenticate", ""):
                return self.sign(url, method)
            signed = self._replace(lambda: self.sign(url, method), lambda signed: without_proof(signed) == without_proof(rejected))
        except HostNotAllowed:
            # A redirect led here.
            return None
        except OAuthError as error:
            log.warning("%s", error)
            return None
        return None if without_proof(signed) == without_proof(rejected) else signed

    def learn(self, url: str, answer: Mapping[str, str]) -> bool:
        """Stores the nonce of a service's answer (RFC 9449, 9), and returns whether it has one."""
        nonce = answer.get("DPoP-Nonce")
        if nonce:
            self._nonces[origin(url)] = nonce
        return bool(nonce)

    def _request(self, method: str, /, **params: object) -> Any:
        given = {name: value for name, value in params.items() if value is not None}
        try:
            return self._process.request(method, {"account": self.account, **given})
        except SignInRequired as error:
            name = shlex.quote(self.account)
            why = "" if error.data.get("reason") == "noGrant" else f" ({error.message.partition(';')[0]})"
            message = f"{self.account} is not signed in: run oauth-stdio login {name}{why}"
            if not {"configured", "provider"} & self._process.request("account", {"account": self.account}).keys():
                message = f"there is no account {self.account}: run oauth-stdio login PROVIDER --account {name}"
            raise SignInRequired(error.code, message, error.data) from None

    def _replace(self, ask: Callable[[], Credential], is_rejected: Callable[[Credential], bool]) -> Credential:
        """Returns a credential that is not rejected, unless the token was replaced a moment ago."""
        with self._process.renewal:
            credential = ask()
            # Another thread or program may have replaced the token.
            if is_rejected(credential) and time.monotonic() >= self._process.next_renewals.get(self.account, 0):
                self._process.next_renewals[self.account] = time.monotonic() + PAUSE
                self._request("refresh", force=True)
                credential = ask()
            return credential


def origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def without_proof(signed: AuthorizeRequestResult) -> tuple[str, dict[str, str]]:
    """Returns what depends on the token alone. The proof of DPoP is new for each request."""
    return signed["url"], {name: value for name, value in signed["headers"].items() if name != "DPoP"}

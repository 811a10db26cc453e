"""Shared helpers: sign in with a simulated user, against a real server or our own provider."""

import secrets
import urllib.parse

import browser
from provider import Provider, Request, Response
from rpc import Peer


def approve(url: str) -> None:
    """Signs in and consents as the user, and delivers the redirect."""
    browser.deliver(browser.Browser().sign_in(url))


def authorize(peer: Peer, user=approve, **parameters) -> dict:
    """Calls `authorize` and lets `user(url)` visit the page."""
    identifier = peer.send("authorize", parameters)
    user(peer.event("signInWasRequested", request=identifier)["url"])
    return peer.result(identifier)


def redirect(url: str, **parameters) -> str:
    """Returns the redirect that a provider sends for this authorization URL. `None` removes a parameter."""
    asked = browser.query(url)
    given = {"state": asked["state"], **parameters}
    given = {name: value for name, value in given.items() if value is not None}
    return asked["redirect_uri"] + "?" + urllib.parse.urlencode(given)


class TokenProvider(Provider):
    """Issues a new token for each token request, and remembers every secret that it has received or issued."""

    def __init__(self, lifetime: int = 3600, **where):
        self.lifetime = lifetime
        self.secrets: set[str] = set()
        self.living: set[str] = set()
        # The test's replacement responses by path, as functions of the request.
        self.instead: dict = {}
        super().__init__(self.respond, **where)

    def secret(self) -> str:
        value = secrets.token_urlsafe(24)
        self.secrets.add(value)
        return value

    def approve(self, url: str) -> None:
        """Approves as the user: the browser comes back with a code."""
        browser.deliver(redirect(url, code=self.secret()))

    def parameters(self, **more) -> dict:
        return {"account": "a", "provider": self.description, "clientId": "c", "scopes": ["read"], "openBrowser": False, **more}

    def respond(self, request: Request) -> Response:
        self.note(request)
        if request.path in self.instead:
            response = self.instead[request.path](request)
            if response is not None:
                return response
        if request.path == "/token":
            return self.issue()
        if request.path == "/revoke":
            return Response(200)
        if request.path.startswith("/api/"):
            token = request.headers.get("Authorization", "").removeprefix("Bearer ")
            if token not in self.living:
                return Response.of({"error": "invalid_token"}, 401)
            return Response.of({"path": request.path, "method": request.method})
        return Response(404)

    def issue(self) -> Response:
        access_token, refresh_token = self.secret(), self.secret()
        self.living = {access_token}
        return Response.of(
            {
                "access_token": access_token,
                "refresh_token": refresh_token,
                "token_type": "Bearer",
                "expires_in": self.lifetime,
                "scope": "read",
            }
        )

    def note(self, request: Request) -> None:
        if request.path != "/token":
            return
        form = browser.query("?" + request.body.decode())
        for name in ("code", "code_verifier", "refresh_token", "client_secret"):
            if name in form:
                self.secrets.add(form[name])
        if "Authorization" in request.headers:
            self.secrets.add(request.headers["Authorization"].split()[-1])

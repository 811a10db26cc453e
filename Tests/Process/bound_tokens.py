"""Servers that bind tokens to a key (DPoP, RFC 9449). They check each proof strictly, and take none twice."""

import base64
import hashlib
import json
import time
import urllib.parse
from email.utils import formatdate

import jwt
from joserfc.jwk import ECKey

import browser
from mcp_server import AuthorizationServer, MCPServer, form, header
from provider import Provider, Request, Response

# Seconds that the time of a proof may differ from the server's clock. Some real servers allow as few.
WINDOW = 5


class ProofFault(Exception):
    def __init__(self, error: str, why: str):
        super().__init__(why)
        self.error, self.why = error, why

    def response(self, status: int, proofs: "Proofs") -> Response:
        challenge = {"WWW-Authenticate": f'DPoP error="{self.error}", error_description="{self.why}"'} if status == 401 else {}
        return proofs.told(Response.of({"error": self.error, "error_description": self.why}, status, **challenge))


class Proofs:
    """Checks proofs for one origin. With a `nonce`, a proof needs it; `rotates` gives another one with each response."""

    def __init__(self, server: Provider, nonce: str | None = None, rotates: bool = False):
        self.server, self.nonce, self.rotates = server, nonce, rotates
        # The error for a wrong nonce. Some servers have the general one for a nonce that has become old.
        self.nonce_error = "use_dpop_nonce"
        # Seconds that the server's clock is ahead.
        self.ahead = 0
        self.identifiers: set[str] = set()
        # The claims and the key of each valid proof, and why others were rejected.
        self.taken: list[dict] = []
        self.keys: set[str] = set()
        self.faults: list[str] = []

    @property
    def now(self) -> float:
        return time.time() + self.ahead

    def told(self, response: Response) -> Response:
        """Adds what a proof has to have next."""
        response.headers["Date"] = formatdate(self.now, usegmt=True)
        if self.nonce is not None:
            response.headers["DPoP-Nonce"] = self.nonce
        return response

    def check(self, request: Request, token: str | None = None) -> str:
        """Returns the key's thumbprint (RFC 9449, 4.3)."""
        try:
            return self.checked(request, token)
        except ProofFault as fault:
            self.faults.append(fault.why)
            raise

    def checked(self, request: Request, token: str | None) -> str:
        proof = header(request, "DPoP")
        if proof is None:
            raise ProofFault("invalid_dpop_proof", "there is no proof")
        head = jwt.get_unverified_header(proof)
        if (head.get("typ"), head.get("alg")) != ("dpop+jwt", "ES256") or set(head["jwk"]) != {"kty", "crv", "x", "y"}:
            raise ProofFault("invalid_dpop_proof", f"the header is wrong: {sorted(head['jwk'])}")
        claims = jwt.decode(proof, jwt.PyJWK(head["jwk"], "ES256").key, algorithms=["ES256"], options={"verify_iat": False})
        if claims["jti"] in self.identifiers or len(claims["jti"]) < 16:
            raise ProofFault("invalid_dpop_proof", "the identifier was used before")
        self.identifiers.add(claims["jti"])
        wanted = {"htm": request.method, "htu": self.server.url + urllib.parse.urlsplit(request.target).path}
        if token is not None:
            wanted["ath"] = base64.urlsafe_b64encode(hashlib.sha256(token.encode()).digest()).decode().rstrip("=")
        for name in ("htm", "htu", "ath"):
            if claims.get(name) != wanted.get(name):
                raise ProofFault("invalid_dpop_proof", f"{name} is {claims.get(name)} and not {wanted.get(name)}")
        if self.nonce is not None:
            if claims.get("nonce") != self.nonce:
                raise ProofFault(self.nonce_error, "the proof needs the nonce")
            if self.rotates:
                self.nonce = f"{self.nonce.rstrip('0123456789')}{len(self.identifiers)}"
        # The wording is Keycloak's.
        if type(claims["iat"]) is not int or abs(claims["iat"] - self.now) > WINDOW:
            raise ProofFault("invalid_request", "DPoP proof is not active")
        thumbprint = ECKey.import_key(head["jwk"]).thumbprint()
        self.taken.append(claims)
        self.keys.add(thumbprint)
        return thumbprint


class BoundAuthorizationServer(AuthorizationServer):
    """Binds codes by `dpop_jkt`, and access and refresh tokens by their proofs. Without a proof it rejects the request."""

    def __init__(self, **metadata):
        # The key of each access token.
        self.bound: dict[str, str] = {}
        self.type = "DPoP"
        self.assertions: list[str] = []
        super().__init__(**metadata)
        self.proofs = Proofs(self)
        self.instead["/par"] = self.push
        self.instead["/introspect"] = lambda request: Response.of({"active": form(request)["token"] in self.bound})
        device = {"device_code": "d", "user_code": "u", "verification_uri": self.url, "expires_in": 60, "interval": 1}
        self.instead["/device"] = lambda request: Response.of(device)
        self.pushed: list[dict] = []

    @property
    def description(self) -> dict:
        return {
            **super().description, "introspectionEndpoint": self.url + "/introspect", "pushedAuthorizationRequestEndpoint": self.url + "/par",
            "deviceAuthorizationEndpoint": self.url + "/device",
        }

    def push(self, request: Request) -> Response:
        try:
            thumbprint = self.proofs.check(request)
        except ProofFault as fault:
            return fault.response(400, self.proofs)
        self.pushed.append(form(request))
        assert self.pushed[-1]["dpop_jkt"] == thumbprint
        return self.proofs.told(Response.of({"request_uri": "urn:r", "expires_in": 60}, 201))

    def approve(self, url: str) -> None:
        page = browser.query(url)
        super().approve(url if "request_uri" not in page else url + "&" + urllib.parse.urlencode(self.pushed[-1]))

    def token(self, request: Request) -> Response:
        sent = form(request)
        if "client_assertion" in sent:
            self.assertions.append(sent["client_assertion"])
        try:
            thumbprint = self.proofs.check(request)
        except ProofFault as fault:
            return fault.response(400, self.proofs)
        if sent["grant_type"] not in ("authorization_code", "refresh_token"):
            response = self.grant({"scope": "read"})
        else:
            page = self.codes.get(sent.get("code")) or self.refresh_tokens.get(sent.get("refresh_token")) or {}
            # A public client's refresh token is bound to the key of its sign-in (RFC 9449, 5).
            if page.setdefault("dpop_jkt", thumbprint) != thumbprint:
                return Response.of({"error": "invalid_grant", "error_description": "another key"}, 400)
            response = super().token(request)
        answer = json.loads(response.body)
        if response.status == 200:
            self.bound[answer["access_token"]] = thumbprint
            answer["token_type"] = self.type
        return self.proofs.told(Response.of(answer, response.status))


class BoundAPI(Provider):
    """An API of another origin, which takes bound tokens alone."""

    def __init__(self, server: BoundAuthorizationServer):
        self.authorization = server
        self.instead: dict = {}
        super().__init__(self.respond)
        self.proofs = Proofs(self)

    def respond(self, request: Request) -> Response:
        if request.path in self.instead:
            response = self.instead[request.path](request)
            if response is not None:
                return response
        return self.refusal(request) or self.proofs.told(Response.of({"path": request.path, "method": request.method}))

    def refusal(self, request: Request) -> Response | None:
        scheme, _, token = (header(request, "Authorization") or "").partition(" ")
        try:
            if scheme != "DPoP" or token not in self.authorization.bound:
                raise ProofFault("invalid_token", "the token is unknown")
            if self.proofs.check(request, token) != self.authorization.bound[token]:
                raise ProofFault("invalid_token", "the token is bound to another key")
        except ProofFault as fault:
            return fault.response(401, self.proofs)
        return None


class BoundMCPServer(MCPServer):
    """An MCP server that names DPoP in its challenge, and takes bound tokens alone."""

    def __init__(self, server: BoundAuthorizationServer, **more):
        super().__init__(server, **more)
        self.proofs = Proofs(self)

    def refuse(self, status: int, **parameters) -> Response:
        response = super().refuse(status, **parameters)
        response.headers["WWW-Authenticate"] = response.headers["WWW-Authenticate"].replace("Bearer", "DPoP")
        return response

    def refusal(self, request: Request, method: str) -> Response | None:
        scheme, _, token = (header(request, "Authorization") or "").partition(" ")
        if not token:
            return self.refuse(401)
        try:
            if scheme != "DPoP" or token not in self.authorization.bound or self.proofs.check(request, token) != self.authorization.bound[token]:
                return self.refuse(401, error="invalid_token")
        except ProofFault as fault:
            return fault.response(401, self.proofs)
        return None

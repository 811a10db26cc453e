"""A scripted MCP server and the authorization server that it names. A test sets what each of them says."""

import base64
import hashlib
import json
import urllib.parse

import browser
from provider import Provider, Request, Response
from signing_in import TokenProvider, redirect


def form(request: Request) -> dict:
    return browser.query("?" + request.body.decode())


def header(request: Request, name: str) -> str | None:
    return next((value for own, value in request.headers.items() if own.lower() == name.lower()), None)


class AuthorizationServer(TokenProvider):
    """Publishes metadata and registers clients. It checks each token request against the page: the client, the redirect URI, the verifier and the resource."""

    def __init__(self, path: str = "", lifetime: int = 3600, **metadata):
        self.metadata = metadata
        # The parameters of each page that the user approved, the clients by ID with their secrets, and the requests for tokens.
        self.pages: list[dict] = []
        self.clients: dict[str, str | None] = {}
        self.exchanges: list[dict] = []
        # The page behind each code, and the scopes of each valid token.
        self.codes: dict[str, dict] = {}
        self.scopes: dict[str, set[str]] = {}
        # The refresh token that counts now, by the former ones too.
        self.refresh_tokens: dict[str, dict] = {}
        # The scopes that the user grants of the requested ones.
        self.grants = lambda scopes: scopes
        super().__init__(lifetime)
        self.issuer = self.url + path
        self.instead["/.well-known/oauth-authorization-server" + path] = self.publish
        self.instead["/register"] = self.register
        self.instead["/token"] = self.token

    def publish(self, request: Request) -> Response:
        places = {"authorization_endpoint": "/authorize", "token_endpoint": "/token", "registration_endpoint": "/register"}
        found = {"issuer": self.issuer, **{name: self.url + place for name, place in places.items()}, "code_challenge_methods_supported": ["S256"]}
        return Response.of({name: value for name, value in {**found, **self.metadata}.items() if value is not None})

    def register(self, request: Request) -> Response:
        client = f"{self.port}-{len(self.clients) + 1}"
        self.clients[client] = None
        return Response.of({**json.loads(request.body), "client_id": client}, 201)

    def approve(self, url: str) -> None:
        """Approves as the user does."""
        page = browser.query(url)
        self.pages.append(page)
        code = self.secret()
        self.codes[code] = page
        browser.deliver(redirect(url, code=code, iss=self.issuer if self.metadata.get("authorization_response_iss_parameter_supported") else None))

    def token(self, request: Request) -> Response:
        sent = form(request)
        if "Authorization" in request.headers:
            pair = base64.b64decode(request.headers["Authorization"].split()[1]).decode().split(":")
            sent["client_id"], sent["client_secret"] = map(urllib.parse.unquote, pair)
        self.exchanges.append(sent)
        if sent["grant_type"] == "client_credentials":
            return self.grant({"client_id": sent["client_id"], "scope": sent.get("scope", "")})
        if sent["grant_type"] == "refresh_token":
            page = self.refresh_tokens.get(sent["refresh_token"])
            # A token that is used twice revokes the whole family.
            if page is None or page["refresh_token"] != sent["refresh_token"]:
                (page or {})["refresh_token"] = None
                return Response.of({"error": "invalid_grant"}, 400)
            return self.grant(page)
        page = self.codes.pop(sent["code"], None)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(sent["code_verifier"].encode()).digest()).decode().rstrip("=")
        if page is None or page["code_challenge"] != challenge:
            return Response.of({"error": "invalid_grant"}, 400)
        for name in ("client_id", "redirect_uri", "resource"):
            if sent.get(name) != page.get(name):
                return Response.of({"error": "invalid_request", "error_description": f"another {name} than the page's"}, 400)
        return self.grant(page)

    def grant(self, page: dict) -> Response:
        answer = json.loads(self.issue().body)
        scopes = self.grants(page.get("scope", "").split())
        self.scopes[answer["access_token"]] = set(scopes)
        page["refresh_token"] = answer["refresh_token"]
        self.refresh_tokens[answer["refresh_token"]] = page
        return Response.of({**answer, "scope": " ".join(scopes)})

    def revoke_access_tokens(self) -> None:
        self.scopes.clear()


class MCPServer(Provider):
    """Speaks MCP at /mcp, with a handshake (`is_stateless` False) or without one."""

    def __init__(self, *servers: AuthorizationServer, is_stateless: bool = False):
        self.servers = list(servers)
        self.is_stateless = is_stateless
        # Its metadata (RFC 9728) and their path. None if it publishes none.
        self.metadata: dict | None = {}
        self.place = "/.well-known/oauth-protected-resource/mcp"
        # The parameters of the challenge, and whether it names the metadata.
        self.challenge: dict = {}
        self.names_place = True
        # What needs no token, and the scopes that a method needs.
        self.open: set[str] = set()
        self.needs: dict[str, set[str]] = {}
        # The answer to a GET without a session.
        self.get = lambda request: Response(405)
        self.instead: dict = {}
        # The messages that arrived, with the response's status, and the sessions that live.
        self.messages: list[tuple[str, int]] = []
        self.sessions: set[str] = set()
        super().__init__(self.respond)
        self.mcp = self.url + "/mcp"

    def told(self, **more) -> dict:
        return {"account": "a", "provider": self.mcp, "openBrowser": False, **more}

    @property
    def authorization(self) -> AuthorizationServer:
        return self.servers[0]

    def methods(self) -> list[str]:
        return [method for method, _ in self.messages]

    def respond(self, request: Request) -> Response:
        if request.path in self.instead:
            return self.instead[request.path](request)
        if request.path == self.place and self.metadata is not None:
            return Response.of({"resource": self.mcp, "authorization_servers": [server.issuer for server in self.servers], **self.metadata})
        if request.path != "/mcp":
            return Response(404)
        if request.method == "GET":
            return self.get(request)
        if request.method == "DELETE":
            self.sessions.discard(header(request, "Mcp-Session-Id"))
            self.messages.append(("DELETE", 200))
            return Response(200)
        message = json.loads(request.body)
        response = self.refusal(request, message["method"]) or self.answer(request, message)
        self.messages.append((message["method"], response.status))
        return response

    def refuse(self, status: int, **parameters) -> Response:
        parameters |= {"resource_metadata": self.url + self.place} if self.names_place else {}
        challenge = ", ".join(f'{name}="{value}"' for name, value in parameters.items())
        return Response.of({"error": "no"}, status, **{"WWW-Authenticate": f"Bearer {challenge}".rstrip()})

    def refusal(self, request: Request, method: str) -> Response | None:
        """Returns None if the request's token is good enough."""
        if method in self.open:
            return None
        token = (header(request, "Authorization") or "").removeprefix("Bearer ")
        scopes = next((server.scopes[token] for server in self.servers if token in server.scopes), None)
        if scopes is None:
            return self.refuse(401, **self.challenge)
        missing = self.needs.get(method, set()) - scopes
        return self.refuse(403, error="insufficient_scope", scope=" ".join(sorted(missing))) if missing else None

    def answer(self, request: Request, message: dict) -> Response:
        method, headers = message["method"], {}
        if self.is_stateless:
            meta = message.get("params", {}).get("_meta", {})
            version = meta.get("io.modelcontextprotocol/protocolVersion")
            if version != "2026-07-28" or header(request, "MCP-Protocol-Version") != version:
                data = {"supported": ["2026-07-28"], "requested": str(version)}
                error = {"code": -32022, "message": "Unsupported protocol version", "data": data}
                return Response.of({"jsonrpc": "2.0", "id": message.get("id"), "error": error}, 400)
        elif method == "initialize":
            headers["Mcp-Session-Id"] = f"s-{len(self.requests)}"
            self.sessions.add(headers["Mcp-Session-Id"])
        elif header(request, "Mcp-Session-Id") not in {None, *self.sessions}:
            return Response(404)
        if "id" not in message:
            return Response(202)
        about = {"capabilities": {"tools": {"listChanged": True}}, "serverInfo": {"name": "scripted", "version": "1"}}
        result = {
            "initialize": {"protocolVersion": message.get("params", {}).get("protocolVersion"), **about},
            "server/discover": {"supportedVersions": ["2026-07-28"], **about},
            "tools/list": {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]},
            "tools/call": {"content": [{"type": "text", "text": "echoed"}]},
        }.get(method, {})
        if self.is_stateless:
            result = {"resultType": "complete", **({} if method == "tools/call" else {"ttlMs": 0, "cacheScope": "private"}), **result}
        return Response.of({"jsonrpc": "2.0", "id": message["id"], "result": result}, **headers)

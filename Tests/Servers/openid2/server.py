#!/usr/bin/env python3
"""An OpenID 2.0 provider on python3-openid, with Spark's endpoints: `server.py PORT`, stopped by a signal.

User `user1`/`password`. All data is in memory.

- `/openid` is the endpoint: direct verification, attribute exchange. The user's identifier is /id/user1.
- A request with `openid.spark.client_id` follows Spark's protocol: no namespaces, realm or identity. `openid.spark.combined_flow` requests a code,
  and the response has `openid.spark.state`. Codes and refresh tokens are exchanged at /v1/oauth2/grant (client `sparkid`/`sparksecret`).
  /v1/... is the API for the tokens.
- `POST /control {"expire": true}` makes every access token expire, and `{"forget": true}` deletes the signatures that the server stored.
  `GET /control` returns the requests so far.
"""

import http.cookies
import http.server
import json
import secrets
import socketserver
import sys
import urllib.parse

from openid.extensions import ax
from openid.server import server as openid_server
from openid.store.memstore import MemoryStore

PORT = int(sys.argv[1])
BASE = f"http://127.0.0.1:{PORT}"
ENDPOINT = BASE + "/openid"
OPENID2 = "http://specs.openid.net/auth/2.0"
IDENTIFIER_SELECT = OPENID2 + "/identifier_select"
SPARK = "http://sparkplatform.com/extensions/spark/1.0"

PASSWORDS = {"user1": "password"}
SPARK_CLIENTS = {"sparkid": "sparksecret"}
ATTRIBUTES = {
    "http://openid.net/schema/namePerson/first": ["Ünï"],
    "http://openid.net/schema/namePerson/last": ["O'One & Co"],
    "http://openid.net/schema/namePerson/middle": ["M"],
    "http://openid.net/schema/namePerson/friendly": ["user one"],
    "http://openid.net/schema/person/guid": ["20140811174925623895000000"],
    "http://openid.net/schema/contact/internet/email": ["user1@example.org"],
    "http://axschema.org/contact/email": ["user1@example.org"],
    "http://axschema.org/namePerson": ["User One"],
    # So long that the response must be a form.
    "http://example.org/long": ["x" * 3000],
}


class State:
    def __init__(self):
        self.associations = MemoryStore()
        self.provider = openid_server.Server(self.associations, ENDPOINT)
        self.sessions: dict[str, str] = {}
        self.waiting: dict[str, tuple] = {}
        self.codes: dict[str, tuple] = {}
        self.access_tokens: set[str] = set()
        self.refresh_tokens: set[str] = set()
        self.seen: list[dict] = []


state = State()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    # Answering

    def answer(self, status: int, body: str | bytes = "", **headers: str) -> None:
        body = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer_json(self, status: int, value) -> None:
        self.answer(status, json.dumps(value), Content_Type="application/json", Cache_Control="no-store")

    def answer_openid(self, response) -> None:
        """Sends a response of the library: a redirect, a page with a form, or the key-value form."""
        try:
            web = state.provider.encodeResponse(response)
        except openid_server.EncodingError as error:
            return self.answer(500, error.response.encodeToKVForm())
        headers = {name.replace("-", "_"): value for name, value in web.headers.items()}
        body = web.body.encode() if isinstance(web.body, str) else web.body
        if "location" not in headers:
            headers["Content_Type"] = "text/html; charset=utf-8" if body.lstrip().startswith(b"<") else "text/plain"
        self.answer(web.code, body, **headers)

    # Routing

    def handle_request(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        url = urllib.parse.urlsplit(self.path)
        kind = self.headers.get("Content-Type") or ""
        self.query = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
        self.form, self.json = {}, None
        if "urlencoded" in kind:
            self.form = dict(urllib.parse.parse_qsl(body.decode(), keep_blank_values=True))
        elif "json" in kind:
            self.json = json.loads(body or b"null")
        if url.path != "/control":
            state.seen.append({"method": self.command, "path": url.path, "query": self.query, "form": self.form, "json": self.json, "headers": dict(self.headers)})
        try:
            for prefix, route in ROUTES:
                if url.path == prefix or (prefix.endswith("/") and url.path.startswith(prefix)):
                    return route(self, url)
            self.answer(404, "nothing here")
        except openid_server.ProtocolError as error:
            self.answer_openid(error) if error.whichEncoding() else self.answer(400, str(error))

    do_GET = do_POST = do_PUT = do_DELETE = handle_request

    # OpenID

    def endpoint(self, url) -> None:
        asked = {**self.query, **self.form}
        if "openid.spark.client_id" in asked:
            asked = self.completed(asked)
            if asked.get("openid.mode") == "checkid_setup" and asked["openid.spark.client_id"] not in SPARK_CLIENTS:
                return self.back(asked, {"openid.mode": "error", "openid.error": "unknown client"})
        request = state.provider.decodeRequest(asked)
        if request is None:
            return self.answer(200, "an openid endpoint")
        if request.mode != "checkid_setup":
            return self.answer_openid(state.provider.handleRequest(request))
        key = secrets.token_hex(8)
        state.waiting[key] = (request, asked)
        self.answer(302, Location=f"/decide?key={key}")

    def completed(self, asked: dict) -> dict:
        """Adds what the library requires to Spark's request, as Spark itself must do."""
        more = {"openid.ns": OPENID2, "openid.identity": IDENTIFIER_SELECT, "openid.claimed_id": IDENTIFIER_SELECT, "openid.ns.spark": SPARK}
        if any(name.startswith("openid.ax.") for name in asked):
            more["openid.ns.ax"] = ax.AXMessage.ns_uri
        return {**more, **asked}

    def back(self, asked: dict, answer: dict) -> None:
        """Redirects without the library, and adds Spark's state."""
        if "openid.spark.state" in asked:
            answer["openid.spark.state"] = asked["openid.spark.state"]
        target = asked.get("openid.return_to", "")
        self.answer(302, Location=target + ("&" if "?" in target else "?") + urllib.parse.urlencode(answer))

    def decide(self, url) -> None:
        if self.query.get("key") not in state.waiting:
            return self.answer(400, "unknown request")
        cookies = http.cookies.SimpleCookie(self.headers.get("Cookie") or "")
        user = state.sessions.get(cookies["session"].value) if "session" in cookies else None
        if self.command == "POST" and "password" in self.form:
            headers = {"Location": self.path}
            if PASSWORDS.get(self.form.get("username")) == self.form["password"]:
                session = secrets.token_hex(8)
                state.sessions[session] = self.form["username"]
                headers["Set_Cookie"] = f"session={session}; Path=/; HttpOnly"
            return self.answer(303, **headers)
        if self.command == "GET" or user is None:
            fields = "<p>may it?</p>" if user else '<input name=username><input name=password type=password>'
            return self.answer(200, f"<form method=post>{fields}</form>", Content_Type="text/html")
        request, asked = state.waiting.pop(self.query["key"])
        if "allow" in self.form:
            return self.answer_openid(self.assertion(request, user, asked))
        if "openid.spark.client_id" in asked:
            return self.back(asked, {"openid.mode": "cancel"})
        self.answer_openid(request.answer(False))

    def assertion(self, request, user: str, asked: dict):
        identity = f"{BASE}/id/{user}"
        if not request.idSelect() and request.identity != identity:
            return request.answer(False)
        if request.idSelect():
            response = request.answer(True, identity=identity, claimed_id=identity)
        else:
            response = request.answer(True)
        wanted = ax.FetchRequest.fromOpenIDRequest(request)
        if wanted:
            answered = ax.FetchResponse(wanted)
            for attribute in wanted.iterAttrs():
                values = ATTRIBUTES.get(attribute.type_uri, [])
                if values:
                    answered.setValues(attribute.type_uri, values if attribute.wantsUnlimitedValues() else values[: attribute.count])
            response.addExtension(answered)
        if "openid.spark.client_id" in asked:
            self.add_spark(response, request, asked)
        return response

    def add_spark(self, response, request, asked: dict) -> None:
        response.fields.namespaces.addAlias(SPARK, "spark")
        if "openid.spark.state" in asked:
            response.fields.setArg(SPARK, "state", asked["openid.spark.state"])
        if asked.get("openid.spark.combined_flow") == "true":
            code = secrets.token_hex(12)
            state.codes[code] = request.return_to
            response.fields.setArg(SPARK, "code", code)

    # Spark's grant and API

    def grant(self, url) -> None:
        asked = self.json if isinstance(self.json, dict) else {}
        if SPARK_CLIENTS.get(asked.get("client_id")) != asked.get("client_secret"):
            return self.answer_json(401, {"error": "invalid_client", "error_description": "The client is not authorized."})
        if asked.get("grant_type") == "authorization_code":
            known = state.codes.pop(asked.get("code"), None) == asked.get("redirect_uri")
        else:
            known = asked.get("grant_type") == "refresh_token" and asked.get("refresh_token") in state.refresh_tokens and "redirect_uri" in asked
            state.refresh_tokens.discard(asked.get("refresh_token"))
        if not known:
            return self.answer_json(400, {"error": "invalid_grant", "error_description": "The access grant you supplied is invalid"})
        access, refresh = secrets.token_hex(12), secrets.token_hex(12)
        state.access_tokens.add(access)
        state.refresh_tokens.add(refresh)
        self.answer_json(200, {"access_token": access, "refresh_token": refresh, "expires_in": 86400})

    def api(self, url) -> None:
        def failed(status: int, code: int | None, message: str):
            answer = {"Success": False, "Message": message}
            return self.answer_json(status, {"D": answer if code is None else {**answer, "Code": code}})

        scheme, _, token = (self.headers.get("Authorization") or "").partition(" ")
        if not self.headers.get("X-SparkApi-User-Agent"):
            return failed(400, 1016, "X-SparkApi-User-Agent is missing")
        if scheme != "OAuth" or token not in state.access_tokens:
            return failed(401, 1020, "Session token has expired")
        match url.path:
            case "/v1/me":
                self.answer_json(200, {"D": {"Success": True, "Results": [{"Id": ATTRIBUTES["http://openid.net/schema/person/guid"][0]}]}})
            case "/v1/refused":
                failed(200, 1050, "Missing parameter")
            case "/v1/codeless":
                failed(500, None, "Something broke")
            case "/v1/key":
                failed(401, 1000, "Invalid key")
            case "/v1/dying":
                failed(401, 1020, "Session token has expired, again")
            case "/v1/listings":
                echo = {"method": self.command, "query": self.query, "json": self.json, "contentType": self.headers.get("Content-Type")}
                pages = {"TotalRows": 51, "PageSize": 25, "TotalPages": 3, "CurrentPage": int(self.query.get("_page", 1))}
                self.answer_json(200, {"D": {"Success": True, "Results": [echo], "Pagination": pages}})
            case _:
                failed(404, 404, "Not found")

    # Requests from the tests

    def control(self, url) -> None:
        if self.command == "POST":
            if self.json.get("expire"):
                state.access_tokens.clear()
            if self.json.get("forget"):
                state.associations = MemoryStore()
                state.provider = openid_server.Server(state.associations, ENDPOINT)
        seen, state.seen = state.seen, []
        self.answer_json(200, seen)


ROUTES = [
    ("/openid", Handler.endpoint),
    ("/decide", Handler.decide),
    ("/v1/oauth2/grant", Handler.grant),
    ("/v1/", Handler.api),
    ("/control", Handler.control),
]


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 64


if __name__ == "__main__":
    Server(("127.0.0.1", PORT), Handler).serve_forever()

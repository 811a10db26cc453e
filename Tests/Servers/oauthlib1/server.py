#!/usr/bin/env python3
"""oauthlib's OAuth 1.0a endpoints as a test server: `server.py PORT STATE_DIR`, stopped by a signal.

User `user1`/`password`. Clients: `ck1`/`cs1`, and `odd key&1`/`s+e/c=r%t`, whose credentials must be encoded. The public half of STATE_DIR/rsa.pem,
which is created at the start, verifies the RSA methods. /oauth1/me echoes requests with any signature method. /oauth1/moved?to=URL redirects there.
/oauth1/invalidate_token revokes the token that signed the request. CLOCK_AHEAD is the error of the server's clock in seconds.
"""

import html
import http.cookies
import http.server
import json
import os
import secrets
import sys
import time
import urllib.parse
from pathlib import Path

if os.environ.get("CLOCK_AHEAD"):
    right_time = time.time
    time.time = lambda: right_time() + int(os.environ["CLOCK_AHEAD"])

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from oauthlib.oauth1 import OAuth1Error, RequestValidator, WebApplicationServer

CLIENTS = {"ck1": "cs1", "odd key&1": "s+e/c=r%t"}
FORM = "application/x-www-form-urlencoded"


def create_key(file: Path) -> str:
    """Writes a private key to the file and returns its public half."""
    key = rsa.generate_private_key(65537, 2048)
    encodings = serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    file.write_bytes(key.private_bytes(*encodings))
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return public.decode()


class Validator(RequestValidator):
    """The server's whole state."""

    enforce_ssl = False
    # 300 s, so a clock that is off by ten minutes is rejected.
    timestamp_lifetime = 300
    client_key_length = (1, 60)
    request_token_length = access_token_length = (10, 60)
    verifier_length = (5, 60)
    dummy_client = dummy_request_token = dummy_access_token = "dummydummydummy"
    realms = [""]
    allowed_signature_methods = ("HMAC-SHA1", "HMAC-SHA256", "HMAC-SHA512", "RSA-SHA1", "RSA-SHA256", "RSA-SHA512", "PLAINTEXT")

    def __init__(self, public_key: str):
        super().__init__()
        self.public_key = public_key
        self.requested: dict[str, dict] = {}
        self.granted: dict[str, dict] = {}
        self.seen: set = set()

    # oauthlib's own check of nonces stays active: 20 to 30 letters and digits.

    def check_client_key(self, key):
        return bool(key)

    def check_request_token(self, token):
        return True

    def check_access_token(self, token):
        return True

    def check_verifier(self, verifier):
        return True

    def check_realms(self, realms):
        return True

    def validate_client_key(self, key, request):
        return key in CLIENTS

    def validate_request_token(self, key, token, request):
        return self.requested.get(token, {}).get("client") == key

    def validate_access_token(self, key, token, request):
        return self.granted.get(token, {}).get("client") == key

    def validate_timestamp_and_nonce(self, key, timestamp, nonce, request, request_token=None, access_token=None):
        use = (key, timestamp, nonce, request_token, access_token)
        if use in self.seen:
            return False
        self.seen.add(use)
        return True

    def validate_redirect_uri(self, key, uri, request):
        return uri == "oob" or uri.startswith(("http://127.0.0.1", "com.example.app:"))

    def validate_requested_realms(self, key, realms, request):
        return True

    def validate_realms(self, key, token, request, uri=None, realms=None):
        return True

    def validate_verifier(self, key, token, verifier, request):
        return self.requested.get(token, {}).get("verifier") == verifier

    def verify_request_token(self, token, request):
        return token in self.requested

    def verify_realms(self, token, realms, request):
        return True

    def get_client_secret(self, key, request):
        return CLIENTS.get(key, "dummy")

    def get_rsa_key(self, key, request):
        return self.public_key

    def get_request_token_secret(self, key, token, request):
        return self.requested.get(token, {}).get("secret", "dummy")

    def get_access_token_secret(self, key, token, request):
        return self.granted.get(token, {}).get("secret", "dummy")

    def get_default_realms(self, key, request):
        return []

    def get_realms(self, token, request):
        return []

    def get_redirect_uri(self, token, request):
        return self.requested[token]["callback"]

    def save_request_token(self, token, request):
        self.requested[token["oauth_token"]] = {
            "client": request.client_key,
            "secret": token["oauth_token_secret"],
            "callback": request.redirect_uri,
        }

    def save_access_token(self, token, request):
        user = self.requested[request.resource_owner_key]["user"]
        # An answer has another member besides the token, as with Twitter.
        token["screen_name"] = user
        self.granted[token["oauth_token"]] = {"client": request.client_key, "secret": token["oauth_token_secret"], "user": user}

    def save_verifier(self, token, verifier, request):
        self.requested[token]["verifier"] = verifier["oauth_verifier"]

    def invalidate_request_token(self, key, token, request):
        self.requested.pop(token, None)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_one(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode("utf-8", "replace")
        url = self.server.url + self.path
        place = urllib.parse.urlsplit(self.path)
        try:
            self.answer(place, url, body, dict(self.headers.items()))
        except OAuth1Error as error:
            self.say(error.status_code or 400, error.urlencoded, {"Content-Type": FORM})

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = handle_one

    def answer(self, place, url: str, body: str, headers: dict):
        endpoints, validator = self.server.endpoints, self.server.validator
        match place.path:
            case "/oauth1/request_token":
                given, text, status = endpoints.create_request_token_response(url, self.command, body, headers)
                self.say(status, text or "", given)
            case "/oauth1/access_token":
                given, text, status = endpoints.create_access_token_response(url, self.command, body, headers)
                self.say(status, text or "", given)
            case "/oauth1/authorize":
                self.authorize(dict(urllib.parse.parse_qsl(place.query)), dict(urllib.parse.parse_qsl(body)), url)
            case "/oauth1/me" | "/oauth1/moved" | "/oauth1/invalidate_token":
                is_good, request = endpoints.validate_protected_resource_request(url, self.command, body, headers, realms=[])
                if not is_good:
                    self.say(401, '{"error":"unauthorized"}', {"WWW-Authenticate": 'OAuth realm=""', "Content-Type": "application/json"})
                elif place.path == "/oauth1/moved":
                    self.say(307, "", {"Location": dict(urllib.parse.parse_qsl(place.query))["to"]})
                elif place.path == "/oauth1/invalidate_token":
                    del validator.granted[request.resource_owner_key]
                    self.say(200, "{}", {"Content-Type": "application/json"})
                else:
                    echo = {
                        "user": validator.granted[request.resource_owner_key]["user"],
                        "method": self.command,
                        "signedBy": request.signature_method,
                        "query": urllib.parse.parse_qsl(place.query, keep_blank_values=True),
                        "contentType": self.headers.get("Content-Type"),
                        "authorization": self.headers.get("Authorization", "")[:40],
                        "body": body,
                    }
                    self.say(200, json.dumps(echo), {"Content-Type": "application/json"})
            case _:
                self.say(404, "nothing is here")

    def authorize(self, query: dict, form: dict, url: str):
        """Handles login, consent and the redirect. With `oob`, shows the verifier."""
        token, validator = query.get("oauth_token", ""), self.server.validator
        cookie = http.cookies.SimpleCookie(self.headers.get("Cookie") or "")
        user = self.server.sessions.get(cookie["session"].value) if "session" in cookie else None
        if (form.get("username"), form.get("password")) == ("user1", "password"):
            session = secrets.token_hex(8)
            self.server.sessions[session] = form["username"]
            self.say(303, "", {"Location": self.path, "Set-Cookie": f"session={session}; Path=/; HttpOnly"})
        elif token not in validator.requested:
            self.say(400, "unknown token")
        elif not user:
            self.say(200, "<form method=post><input name=username><input name=password type=password></form>", {"Content-Type": "text/html"})
        elif self.command == "GET":
            client = html.escape(validator.requested[token]["client"])
            self.say(200, f"<form method=post>{client}<input name=consent value=asked></form>", {"Content-Type": "text/html"})
        else:
            self.decide(token, user, is_allowed="allow" in form, url=url)

    def decide(self, token: str, user: str, is_allowed: bool, url: str):
        requested = self.server.validator.requested[token]
        callback = requested["callback"]
        if not is_allowed and callback == "oob":
            self.say(200, "denied")
        elif not is_allowed:
            # As Twitter does.
            self.say(302, "", {"Location": f"{callback}{'&' if '?' in callback else '?'}denied={token}"})
        else:
            requested["user"] = user
            given, text, status = self.server.endpoints.create_authorization_response(url, "GET", None, {}, credentials={"user": user})
            self.say(status, f"verifier: {requested['verifier']}" if status == 200 else text or "", given if status != 200 else {})

    def say(self, status: int, text: str, headers: dict | None = None):
        body = text.encode()
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


def main() -> None:
    port, state = int(sys.argv[1]), Path(sys.argv[2])
    state.mkdir(parents=True, exist_ok=True)
    server = Server(("127.0.0.1", port), Handler, bind_and_activate=False)
    server.validator = Validator(create_key(state / "rsa.pem"))
    server.endpoints = WebApplicationServer(server.validator)
    server.sessions = {}
    server.url = f"http://127.0.0.1:{port}"
    server.server_bind()
    server.server_activate()
    server.serve_forever()


if __name__ == "__main__":
    main()

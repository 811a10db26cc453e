#!/usr/bin/env python3
"""idpyoidc's token exchange (RFC 8693) as a test server: `server.py PORT`, stopped by a signal. All data is in memory.

POST /token is idpyoidc's endpoint, for the client `exchanger`/SECRET. GET /subject returns an access token and a refresh token that a user gave
another client, for the exchange. The new access token is a JWT, and GET /jwks has the keys.
"""

import json
import sys
import tempfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlencode

from idpyoidc.message.oauth2 import AuthorizationRequest
from idpyoidc.server import Server
from idpyoidc.server.authn_event import create_authn_event
from idpyoidc.server.configure import ASConfiguration
from idpyoidc.server.exception import ClientAuthenticationError
from idpyoidc.server.user_authn.authn_context import INTERNETPROTOCOLPASSWORD

PORT = int(sys.argv[1])
ISSUER = f"http://127.0.0.1:{PORT}"
SECRET = "a-secret-that-is-long-enough-to-sign-with"
METHODS = ["client_secret_basic", "client_secret_post", "client_secret_jwt"]
JWT = "idpyoidc.server.token.jwt_token.JWTToken"
KEYS = [{"type": "EC", "crv": "P-256", "use": ["sig"]}]
CRYPT = {"kwargs": {"keys": {"key_defs": [{"type": "OCT", "use": ["enc"], "kid": name} for name in ("password", "salt")]}, "iterations": 1}}
MINTING = {"supports_minting": ["access_token", "refresh_token"]}

folder = tempfile.mkdtemp()
configuration = {
    "issuer": ISSUER,
    "keys": {"uri_path": "jwks", "key_defs": KEYS},
    "endpoint": {
        "authorization": {"path": "authorize", "class": "idpyoidc.server.oauth2.authorization.Authorization", "kwargs": {}},
        "token": {"path": "token", "class": "idpyoidc.server.oidc.token.Token", "kwargs": {"client_authn_method": METHODS}},
    },
    "authentication": {
        "anon": {"acr": INTERNETPROTOCOLPASSWORD, "class": "idpyoidc.server.user_authn.user.NoAuthn", "kwargs": {"user": "user1"}}
    },
    "userinfo": {"class": "idpyoidc.server.user_info.UserInfo", "kwargs": {"db": {"user1": {}}}},
    "authz": {
        "class": "idpyoidc.server.authz.AuthzHandling",
        "kwargs": {
            "grant_config": {
                "usage_rules": {"authorization_code": {**MINTING, "max_usage": 1}, "access_token": MINTING, "refresh_token": MINTING},
                "expires_in": 3600,
            }
        },
    },
    "token_handler_args": {
        "jwks_def": {"private_path": folder + "/token.json", "read_only": False, "key_defs": [{"type": "oct", "bytes": 24, "use": ["enc"], "kid": "code"}]},
        "code": {"lifetime": 600, "kwargs": {"crypt_conf": CRYPT}},
        "token": {"class": JWT, "kwargs": {"lifetime": 3600}},
        "refresh": {"class": JWT, "kwargs": {"lifetime": 3600}},
    },
    "session_params": {"encrypter": CRYPT},
}
server = Server(ASConfiguration(conf=configuration, base_path=folder), cwd=folder)
context = server.context
context.map_supported_to_preferred()
for name, allowed in (("subject", ["authorization_code", "refresh_token"]), ("exchanger", ["urn:ietf:params:oauth:grant-type:token-exchange"])):
    context.cdb[name] = {
        "client_secret": SECRET,
        "redirect_uris": [(ISSUER + "/cb", None)],
        "client_salt": "salt",
        "grant_types_supported": allowed,
        "response_types": ["code"],
        "allowed_scopes": ["read", "write", "offline_access"],
    }
    server.keyjar.add_symmetric(name, SECRET)
endpoint = server.get_endpoint("token")


def answer(body: str, headers: dict) -> dict:
    headers = {name.lower(): value for name, value in headers.items()}
    try:
        parsed = endpoint.parse_request(body, http_info={"headers": headers, "method": "POST", "url": ISSUER + "/token"})
    except ClientAuthenticationError:
        return {"error": "invalid_client"}
    done = parsed if "error" in parsed else endpoint.process_request(request=parsed)
    done = done.get("response_args", done) if isinstance(done, dict) else done
    fields = done.to_dict() if hasattr(done, "to_dict") else dict(done)
    return {name: " ".join(value) if name == "scope" and isinstance(value, list) else value for name, value in fields.items()}


def subject() -> dict:
    """Lets the user give the client `subject` tokens, as if by the page."""
    asked = AuthorizationRequest(client_id="subject", redirect_uri=ISSUER + "/cb", scope=["read", "write", "offline_access"], state="s", response_type="code")
    manager = context.session_manager
    session = manager.create_session(create_authn_event("user1"), asked, "user1", client_id="subject", sub_type="public")
    grant = context.authz(session, asked)
    handler = manager.token_handler["authorization_code"]
    code = grant.mint_token(session_id=session, context=context, token_class="authorization_code", token_handler=handler, usage_rules={**MINTING, "max_usage": 1})
    form = {"grant_type": "authorization_code", "code": code.value, "redirect_uri": ISSUER + "/cb", "client_id": "subject", "client_secret": SECRET}
    return answer(urlencode(form), {})


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send(subject() if self.path == "/subject" else server.keyjar.export_jwks(issuer_id=""))

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.send(answer(body, dict(self.headers.items())))

    def send(self, value):
        data = json.dumps(value).encode()
        self.send_response(400 if "error" in value else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()

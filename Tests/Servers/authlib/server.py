#!/usr/bin/env python3
"""authlib's provider classes as a test server: `server.py PORT`, stopped by a signal. All data is in memory.

User `user1`/`password` (sub `u-1`). Clients: `native` (public), `conf`/`s3cret-conf`. AUTHLIB_ALG is the algorithm of its ID tokens: RS256, ES256,
EdDSA, HS256 … With AUTHLIB_ID_TOKEN_ON_REFRESH=0, refreshes return no ID token. POST /test/rotate adds a key for the issuer, and `?forget=1` removes
the old one. POST /test/forge makes an unpublished key sign the ID tokens.
"""

import os
import secrets
import sys
import time
import warnings

warnings.simplefilter("ignore")
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token  # noqa: E402
from authlib.oauth2.rfc6749 import AuthorizationCodeMixin, ClientMixin, TokenMixin, grants, list_to_scope, scope_to_list  # noqa: E402
from authlib.oauth2.rfc6750 import BearerTokenValidator  # noqa: E402
from authlib.oauth2.rfc7009 import RevocationEndpoint  # noqa: E402
from authlib.oauth2.rfc7636 import CodeChallenge  # noqa: E402
from authlib.oauth2.rfc7662 import IntrospectionEndpoint  # noqa: E402
from authlib.oidc.core import OpenIDCode, OpenIDToken, UserInfo  # noqa: E402
from flask import Flask, jsonify, redirect, render_template_string, request, session  # noqa: E402
from joserfc.jwk import ECKey, KeySet, OctKey, OKPKey, RSAKey  # noqa: E402
from werkzeug.serving import WSGIRequestHandler, make_server  # noqa: E402

PORT = int(sys.argv[1])
ISSUER = f"http://127.0.0.1:{PORT}"
ALGORITHM = os.environ.get("AUTHLIB_ALG", "RS256")
SCOPES = ["openid", "profile", "email", "read", "write"]
METHODS = ["client_secret_basic", "client_secret_post", "none"]


def new_key():
    if ALGORITHM[0] in "RP":
        key = RSAKey.generate_key(2048)
    elif ALGORITHM[0] == "H":
        key = OctKey.import_key(secrets.token_hex(32))
    else:
        key = OKPKey.generate_key("Ed25519") if ALGORITHM == "EdDSA" else ECKey.generate_key({"ES256": "P-256", "ES384": "P-384"}[ALGORITHM])
    key.ensure_kid()
    return key


class Keys:
    """The signing key and the published keys."""

    signing = new_key()
    published = [signing]


class User(dict):
    def get_user_id(self):
        return self["id"]


USERS = {"user1": User(id="u-1", name="User One", email="user1@example.org", password="password")}


class Client(dict, ClientMixin):
    id_token_signed_response_alg = ALGORITHM

    @property
    def client_id(self):
        return self["client_id"]

    def get_client_id(self):
        return self["client_id"]

    def get_default_redirect_uri(self):
        return None

    def get_allowed_scope(self, scope):
        return list_to_scope([name for name in scope_to_list(scope or "") if name in SCOPES])

    def check_redirect_uri(self, uri):
        return uri.startswith(("http://127.0.0.1:", "http://localhost:")) or uri == "com.example.app:/cb"

    def check_client_secret(self, secret):
        return secrets.compare_digest(self["secret"], secret)

    def check_endpoint_auth_method(self, method, endpoint):
        return (method == "none") == (not self["secret"])

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return True


CLIENTS = {name: Client(client_id=name, secret=secret) for name, secret in [("native", ""), ("conf", "s3cret-conf")]}
CODES, TOKENS = {}, []


class Code(dict, AuthorizationCodeMixin):
    __getattr__ = dict.get

    def get_redirect_uri(self):
        return self["redirect_uri"]

    def get_scope(self):
        return self["scope"]

    def get_nonce(self):
        return self["nonce"]

    def get_auth_time(self):
        return self["auth_time"]

    def get_acr(self):
        return None

    def get_amr(self):
        return None


class Token(dict, TokenMixin):
    __getattr__ = dict.get

    def check_client(self, client):
        return self["client_id"] == client["client_id"]

    def get_scope(self):
        return self.get("scope", "")

    def get_expires_in(self):
        return self["expires_in"]

    def is_expired(self):
        return time.time() > self["issued_at"] + self["expires_in"]

    def is_revoked(self):
        return bool(self.get("is_dead"))

    def get_user(self):
        return self["user"]

    def get_client(self):
        return CLIENTS[self["client_id"]]


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    def save_authorization_code(self, code, request):
        data = request.payload.data
        CODES[code] = Code(
            code=code,
            client_id=request.client.client_id,
            redirect_uri=request.payload.redirect_uri,
            scope=request.payload.scope,
            user=request.user,
            nonce=data.get("nonce"),
            code_challenge=data.get("code_challenge"),
            code_challenge_method=data.get("code_challenge_method"),
            auth_time=int(time.time()),
        )

    def query_authorization_code(self, code, client):
        found = CODES.get(code)
        return found if found and found["client_id"] == client.client_id else None

    def delete_authorization_code(self, code):
        CODES.pop(code["code"], None)

    def authenticate_user(self, code):
        return code["user"]


class RefreshGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token):
        return next((token for token in TOKENS if token.get("refresh_token") == refresh_token and not token.get("is_used")), None)

    def authenticate_user(self, token):
        return token["user"]

    def revoke_old_credential(self, token):
        token["is_used"] = True


class Signing:
    def resolve_client_private_key(self, client):
        return Keys.signing

    def get_client_algorithm(self, client):
        return ALGORITHM

    def get_encode_header(self, client):
        return {"alg": ALGORITHM, "kid": Keys.signing.kid}

    def get_client_claims(self, client):
        return {"iss": ISSUER}

    def get_jwt_config(self, *_, **__):
        return {"key": Keys.signing, "alg": ALGORITHM, "iss": ISSUER, "exp": 3600}

    def exists_nonce(self, nonce, request):
        return False

    def generate_user_info(self, user, scope):
        return user_info(user)


class IDTokenWithCode(Signing, OpenIDCode):
    pass


class IDTokenWithRefresh(Signing, OpenIDToken):
    pass


def user_info(user):
    return UserInfo(sub=user["id"], name=user["name"], email=user["email"])


def find(token):
    return next((found for found in TOKENS if token in (found.get("access_token"), found.get("refresh_token"))), None)


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = METHODS

    def query_token(self, token, hint):
        return find(token)

    def revoke_token(self, token, request):
        token["is_dead"] = token["is_used"] = True


class Introspection(IntrospectionEndpoint):
    CLIENT_AUTH_METHODS = METHODS

    def check_permission(self, token, client, request):
        return True

    def query_token(self, token, hint):
        return find(token)

    def introspect_token(self, token):
        return {"active": not token.get("is_dead") and not token.is_expired(), "client_id": token["client_id"], "scope": token.get_scope()}


class Bearer(BearerTokenValidator):
    def authenticate_token(self, token):
        return next((found for found in TOKENS if found.get("access_token") == token), None)


def save_token(token, request):
    TOKENS.append(Token(token, client_id=request.client.get_client_id(), user=request.user, issued_at=int(time.time())))


app = Flask(__name__)
app.secret_key = secrets.token_hex()
app.config.update(OAUTH2_REFRESH_TOKEN_GENERATOR=True, OAUTH2_SCOPES_SUPPORTED=SCOPES)
server = AuthorizationServer(app, query_client=CLIENTS.get, save_token=save_token)
server.register_grant(CodeGrant, [IDTokenWithCode(require_nonce=False), CodeChallenge(required=True)])
server.register_grant(RefreshGrant, [IDTokenWithRefresh()] if os.environ.get("AUTHLIB_ID_TOKEN_ON_REFRESH", "1") == "1" else [])
server.register_endpoint(Revocation)
server.register_endpoint(Introspection)
protected = ResourceProtector()
protected.register_token_validator(Bearer())

PAGE = """<title>authorize</title><form method=post>
{% if user %}<p>{{ client }} wants {{ scope }}</p>{% else %}<input name=username><input name=password type=password>{% endif %}
</form>"""


@app.route("/authorize", methods=["GET", "POST"])
def authorize():
    if request.method == "POST" and "password" in request.form:
        user = USERS.get(request.form["username"])
        if user and user["password"] == request.form["password"]:
            session["user"] = request.form["username"]
        return redirect(request.url, 303)
    user = USERS.get(session.get("user"))
    grant = server.get_consent_grant(end_user=user)
    if request.method == "GET" or not user:
        return render_template_string(PAGE, user=user, client=grant.client.client_id, scope=grant.request.payload.scope)
    return server.create_authorization_response(grant=grant, grant_user=user if request.form.get("allow") else None)


@app.post("/token")
def token():
    return server.create_token_response()


@app.post("/revoke")
def revoke():
    return server.create_endpoint_response("revocation")


@app.post("/introspect")
def introspect():
    return server.create_endpoint_response("introspection")


@app.get("/userinfo")
@protected("openid")
def userinfo():
    return jsonify(user_info(current_token.user))


@app.get("/jwks")
def jwks():
    return jsonify({"keys": []} if ALGORITHM[0] == "H" else KeySet(Keys.published).as_dict(private=False))


@app.post("/test/rotate")
def rotate():
    Keys.signing = new_key()
    Keys.published = [Keys.signing] if request.args.get("forget") else [*Keys.published, Keys.signing]
    return ""


@app.post("/test/forge")
def forge():
    """Signs with an unpublished key that has the id of a published one."""
    forged = new_key().as_dict(private=True)
    Keys.signing = type(Keys.signing).import_key({**forged, "kid": Keys.signing.kid})
    return ""


WSGIRequestHandler.log_request = lambda *_, **__: None
WSGIRequestHandler.protocol_version = "HTTP/1.1"
make_server("127.0.0.1", PORT, app, threaded=True).serve_forever()

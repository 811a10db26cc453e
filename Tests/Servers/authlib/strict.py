#!/usr/bin/env python3
"""authlib's provider classes as a strict server of keys and assertions: `strict.py PORT KEY_FOLDER`, stopped by a signal. All data is in memory.

Clients authenticate with assertions, and each place takes one audience alone: /token (client credentials, JWT bearer grant) and /revoke the issuer
`http://127.0.0.1:PORT`, /old/token the URL of itself, /jag/token (ID-JAG) the issuer. A `jti` counts once. Clients `RS256`, `ES256` … have the public keys
KEY_FOLDER/NAME.json, JWKs; `secret`/SECRET signs with its secret. /idp/token is the ID-JAG's issuer: it exchanges ID tokens of the key `idp` for
assertions. GET /test/seen returns the header and the claims of each assertion and the forms. /api tells whom a token is for.
"""

import json
import os
import secrets
import sys
import time
import warnings
from pathlib import Path

warnings.simplefilter("ignore")
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token  # noqa: E402
from authlib.oauth2.drafts.id_jag import IDJAGGrant  # noqa: E402
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants  # noqa: E402
from authlib.oauth2.rfc6750 import BearerTokenValidator  # noqa: E402
from authlib.oauth2.rfc7009 import RevocationEndpoint  # noqa: E402
from authlib.oauth2.rfc7523 import JWTBearerClientAssertion, JWTBearerGrant  # noqa: E402
from flask import Flask, jsonify, request  # noqa: E402
from joserfc import jws, jwt  # noqa: E402
from joserfc.jwk import JWKRegistry, OctKey  # noqa: E402
from werkzeug.serving import WSGIRequestHandler, make_server  # noqa: E402

PORT, FOLDER = int(sys.argv[1]), Path(sys.argv[2])
ISSUER = f"http://127.0.0.1:{PORT}"
SECRET = "a-secret-that-is-long-enough-to-sign-with"
METHOD = JWTBearerClientAssertion.CLIENT_AUTH_METHOD
JAG_TYPE = "urn:ietf:params:oauth:token-type:id-jag"
KEYS = {path.stem: JWKRegistry.import_key(json.loads(path.read_text())) for path in FOLDER.glob("*.json")}
KEYS["secret"] = OctKey.import_key(SECRET)
USERS = {"u-1": {"id": "u-1"}}
TOKENS, SEEN, USED = {}, [], set()


class Client(dict, ClientMixin):
    def get_client_id(self):
        return self["client_id"]

    def get_allowed_scope(self, scope):
        return scope or ""

    def check_client_secret(self, secret):
        return secret == SECRET

    def check_endpoint_auth_method(self, method, endpoint):
        return method == METHOD

    def check_grant_type(self, grant_type):
        return True


CLIENTS = {name: Client(client_id=name) for name in KEYS if name != "idp"}


class Token(dict, TokenMixin):
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


def note(assertion):
    parsed = jws.extract_compact(assertion.encode())
    SEEN.append({"path": request.path, "header": parsed.headers(), "claims": json.loads(parsed.payload), "form": dict(request.form)})


def is_first(claims, jti):
    """Whether this issuer uses the `jti` for the first time."""
    use = (claims["iss"], jti)
    known = use in USED
    USED.add(use)
    return not known


class Assertion(JWTBearerClientAssertion):
    def __init__(self, audience):
        super().__init__()
        self.audience = audience

    def __call__(self, query_client, asked):
        if "client_assertion" in asked.form:
            note(asked.form["client_assertion"])
        return super().__call__(query_client, asked)

    def get_audiences(self):
        return [self.audience]

    def validate_jti(self, claims, jti):
        return is_first(claims, jti)

    def resolve_client_public_key(self, client):
        return KEYS[client.get_client_id()]


class Bearer(JWTBearerGrant):
    def process_assertion_claims(self, assertion):
        note(assertion)
        return super().process_assertion_claims(assertion)

    def get_audiences(self):
        return [ISSUER]

    def resolve_issuer_client(self, issuer):
        return CLIENTS.get(issuer)

    def resolve_client_public_key(self, client):
        return KEYS[client.get_client_id()]

    def authenticate_user(self, subject):
        return USERS.get(subject)

    def has_granted_permission(self, client, user):
        return True


class IDJAG(IDJAGGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = [METHOD]

    def get_audiences(self):
        return [ISSUER]

    def resolve_issuer_key(self, issuer, headers):
        return KEYS["idp"]

    def authenticate_user(self, subject):
        return USERS.get(subject)

    def check_jti(self, claims, jti):
        note(self.request.form["assertion"])
        return claims["iss"] == ISSUER + "/idp" and is_first(claims, jti)

    def check_id_jag_permission(self, client, user, scopes):
        return self.request.id_jag_claims.get("resource") == ISSUER + "/api"


class ClientCredentials(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = [METHOD]


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = [METHOD]

    def query_token(self, token, hint):
        return TOKENS.get(token)

    def revoke_token(self, token, request):
        token["is_dead"] = True


class Validator(BearerTokenValidator):
    def authenticate_token(self, token):
        return TOKENS.get(token)


def save_token(token, asked):
    user = asked.user["id"] if asked.user else None
    TOKENS[token["access_token"]] = Token(token, client_id=asked.client.get_client_id(), user=user, issued_at=int(time.time()))


app = Flask(__name__)


def serve(path, audience, *grant_types):
    """Serves tokens at the path to clients whose assertions have the audience."""
    server = AuthorizationServer(app, query_client=CLIENTS.get, save_token=save_token)
    server.register_client_auth_method(METHOD, Assertion(audience))
    for grant_type in grant_types:
        server.register_grant(grant_type)
    app.add_url_rule(path, path, server.create_token_response, methods=["POST"])
    return server


new = serve("/token", ISSUER, ClientCredentials, Bearer)
new.register_endpoint(Revocation)
serve("/old/token", ISSUER + "/old/token", ClientCredentials)
serve("/jag/token", ISSUER, IDJAG)
protected = ResourceProtector()
protected.register_token_validator(Validator())


@app.post("/revoke")
def revoke():
    return new.create_endpoint_response("revocation")


@app.post("/idp/token")
def exchange():
    """Takes an ID token of this issuer's own for the client `idp-client` (draft-ietf-oauth-identity-assertion-authz-grant, 4.3)."""
    form = request.form
    SEEN.append({"path": request.path, "form": dict(form)})
    kinds = form.get("grant_type"), form.get("subject_token_type"), form.get("requested_token_type")
    if kinds != ("urn:ietf:params:oauth:grant-type:token-exchange", "urn:ietf:params:oauth:token-type:id_token", JAG_TYPE):
        return jsonify(error="invalid_request"), 400
    claims = jwt.decode(form["subject_token"], KEYS["idp"]).claims
    if claims["aud"] != form.get("client_id"):
        return jsonify(error="invalid_grant"), 400
    now = int(time.time())
    claims = {"iss": ISSUER + "/idp", "sub": claims["sub"], "aud": form["audience"], "resource": form["resource"], "client_id": "ES256",
              "jti": secrets.token_urlsafe(), "iat": now, "exp": now + 300, **({"scope": form["scope"]} if "scope" in form else {})}
    assertion = jwt.encode({"alg": "ES256", "typ": IDJAGGrant.REQUIRED_TYP}, claims, KEYS["idp"])
    return jsonify(access_token=assertion, issued_token_type=JAG_TYPE, token_type="N_A", expires_in=300)


@app.get("/api")
@protected()
def api():
    return jsonify(client=current_token["client_id"], user=current_token["user"])


@app.get("/test/seen")
def seen():
    return jsonify(SEEN)


WSGIRequestHandler.log_request = lambda *_, **__: None
WSGIRequestHandler.protocol_version = "HTTP/1.1"
make_server("127.0.0.1", PORT, app, threaded=True).serve_forever()

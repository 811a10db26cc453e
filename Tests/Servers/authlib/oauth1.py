#!/usr/bin/env python3
"""Authlib's OAuth 1.0a provider as a test server: `oauth1.py PORT STATE_DIR`, stopped by a signal.

User `user1`/`password`; clients `ck1`/`cs1` and `odd key&1`/`s+e/c=r%t`; HMAC-SHA1, RSA-SHA1 (the public half of STATE_DIR/rsa.pem) and PLAINTEXT.
Differences from oauthlib's answers: errors are forms with `error`, without WWW-Authenticate, and a denial is `error=access_denied` on the callback.
"""

import os
import sys
import urllib.parse
from pathlib import Path

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.integrations.flask_oauth1 import AuthorizationServer, ResourceProtector, current_credential
from authlib.oauth1 import ClientMixin, TemporaryCredential, TokenCredentialMixin
from authlib.oauth1.errors import OAuth1Error
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from flask import Flask, jsonify, redirect, request, session
from werkzeug.serving import WSGIRequestHandler, make_server

LOGIN = "<form method=post><input name=username><input name=password type=password></form>"
CONSENT = "<form method=post><input name=consent value=asked></form>"


class Client(dict, ClientMixin):
    def get_default_redirect_uri(self):
        return "oob"

    def get_client_secret(self):
        return self["secret"]

    def get_rsa_public_key(self):
        return self["public_key"]


class Token(dict, TokenCredentialMixin):
    def get_oauth_token(self):
        return self["oauth_token"]

    def get_oauth_token_secret(self):
        return self["oauth_token_secret"]


def create_app(public_key: str) -> Flask:
    app = Flask(__name__)
    app.secret_key = "k"
    app.config["OAUTH1_SUPPORTED_SIGNATURE_METHODS"] = ["HMAC-SHA1", "RSA-SHA1", "PLAINTEXT"]
    clients = {
        name: Client(id=name, secret=secret, public_key=public_key) for name, secret in (("ck1", "cs1"), ("odd key&1", "s+e/c=r%t"))
    }
    requested, granted, seen = {}, {}, set()

    def exists_nonce(nonce, timestamp, client, token):
        use = (nonce, timestamp, client, token)
        known = use in seen
        seen.add(use)
        return known

    def create_temporary_credential(token, client, callback):
        credential = TemporaryCredential(token, client_id=client, oauth_callback=callback, oauth_callback_confirmed="true")
        requested[token["oauth_token"]] = credential
        return credential

    def create_verifier(credential, user, verifier):
        credential["oauth_verifier"] = verifier
        credential["user"] = user

    def create_token_credential(token, temporary):
        granted[temporary["client_id"], token["oauth_token"]] = Token(token, user=temporary["user"])
        return Token(token)

    server = AuthorizationServer(app, query_client=clients.get)
    server.register_hook("exists_nonce", exists_nonce)
    server.register_hook("create_temporary_credential", create_temporary_credential)
    server.register_hook("get_temporary_credential", requested.get)
    server.register_hook("delete_temporary_credential", lambda token: requested.pop(token, None))
    server.register_hook("create_authorization_verifier", create_verifier)
    server.register_hook("create_token_credential", create_token_credential)
    protected = ResourceProtector(
        app, query_client=clients.get, query_token=lambda client, token: granted.get((client, token)), exists_nonce=exists_nonce
    )

    @app.post("/oauth1/request_token")
    def request_token():
        return server.create_temporary_credentials_response()

    @app.route("/oauth1/authorize", methods=["GET", "POST"])
    def authorize():
        if (request.form.get("username"), request.form.get("password")) == ("user1", "password"):
            session["user"] = "user1"
            return redirect(request.url, 303)
        try:
            asked = server.check_authorization_request()
        except OAuth1Error as error:
            return jsonify(error.get_body()), 400
        if "user" not in session:
            return LOGIN
        if request.method == "GET":
            return CONSENT
        answer = server.create_authorization_response(grant_user=session["user"] if "allow" in request.form else None)
        if (asked.credential.get_redirect_uri() or "oob") == "oob":
            return "verifier: " + asked.credential.get("oauth_verifier", "denied")
        return answer

    @app.post("/oauth1/access_token")
    def access_token():
        return server.create_token_response()

    @app.route("/oauth1/me", methods=["GET", "POST", "PUT", "DELETE"])
    @protected()
    def me():
        # The original body, unless Flask has parsed it as a form.
        body = urllib.parse.urlencode(list(request.form.items(multi=True))) or request.get_data(as_text=True)
        return jsonify(
            user=current_credential["user"],
            method=request.method,
            query=[[name, value] for name, values in request.args.lists() for value in values],
            contentType=request.headers.get("Content-Type"),
            body=body,
        )

    return app


def main() -> None:
    port, state = int(sys.argv[1]), Path(sys.argv[2])
    state.mkdir(parents=True, exist_ok=True)
    key = rsa.generate_private_key(65537, 2048)
    (state / "rsa.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    WSGIRequestHandler.protocol_version = "HTTP/1.1"
    make_server("127.0.0.1", port, create_app(public.decode()), threaded=True).serve_forever()


if __name__ == "__main__":
    main()

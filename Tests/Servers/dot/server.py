#!/usr/bin/env python3
"""django-oauth-toolkit as a test server: `server.py PORT STATE_DIR`, stopped by a signal.

User `user1`/`password`. Clients: `native` (public), `conf`/`s3cret-conf` (confidential), `svc`/`s3cret-svc`
(client credentials), `device` (public, device code). The resource /api/me requires the scope `read`.
DOT_ROTATE, DOT_REUSE, DOT_GRACE and DOT_ACCESS_TOKEN_LIFETIME configure it (see settings.py).
"""

import os
import socketserver
import sys
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

REDIRECT_URIS = [
    # RFC 8252 §7.3: a registered loopback address without a port matches any port.
    "http://127.0.0.1/",
    "http://127.0.0.1",
    "http://127.0.0.1/callback",
    "http://localhost/",
    "http://localhost/callback",
    "com.example.app:/cb",
]


class ThreadingWSGIServer(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 64


class AccessLog(WSGIRequestHandler):
    """Writes one line per request to stderr, for the log of a failing test."""

    def address_string(self):
        return self.client_address[0]


def create_key(file: Path) -> None:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    key = rsa.generate_private_key(65537, 2048)
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )


def create_rows() -> None:
    """Creates the user and the clients."""
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from oauth2_provider.models import get_application_model

    call_command("migrate", verbosity=0, interactive=False)
    user = User.objects.create_user("user1", "user1@example.org", "password")
    clients = [
        ("native", "public", "authorization-code", ""),
        ("conf", "confidential", "authorization-code", "s3cret-conf"),
        ("svc", "confidential", "client-credentials", "s3cret-svc"),
        ("device", "public", "urn:ietf:params:oauth:grant-type:device_code", ""),
    ]
    for client_id, client_type, grant_type, secret in clients:
        get_application_model().objects.create(
            user=user,
            name=client_id,
            client_id=client_id,
            client_type=client_type,
            client_secret=secret,
            authorization_grant_type=grant_type,
            algorithm="RS256",
            redirect_uris=" ".join(REDIRECT_URIS) if grant_type == "authorization-code" else "",
        )


def main() -> None:
    port, state = int(sys.argv[1]), Path(sys.argv[2])
    state.mkdir(parents=True, exist_ok=True)
    create_key(state / "rsa.pem")
    os.environ.update(
        DOT_PORT=str(port),
        DOT_STATE=str(state),
        DJANGO_SETTINGS_MODULE="settings",
        OAUTHLIB_INSECURE_TRANSPORT="1",
    )

    import django

    django.setup()
    create_rows()

    from django.core.wsgi import get_wsgi_application

    make_server(
        "127.0.0.1", port, get_wsgi_application(), server_class=ThreadingWSGIServer, handler_class=AccessLog
    ).serve_forever()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Configures a fresh glewlwyd with issuers, scopes, user and clients: `setup.py BASE_URL KEY_FOLDER REDIRECT_URI…`.

Issuers: /api/oidc (OpenID Connect, one-time refresh tokens if the client is configured so), /api/nonce (the same, and proofs of DPoP need a nonce, which
changes after each third one) and /api/oauth2 (plain). User `user1`/`password`. Redirect URIs are compared exactly, including the port.
Clients `native` (public), `conf`/`s3cret-conf` (confidential), `jwt-secret` (a secret that signs assertions: `SIGNING_SECRET`), and `jwt-ALGORITHM` with the
private key KEY_FOLDER/ALGORITHM.pem. With TLS, client `tls` has any certificate for `localhost` of the authority.
"""

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from browser import Browser  # noqa: E402

SCOPES = ["scope1", "scope2", "offline_access"]

LIFETIMES = {"access-token-duration": 3600, "refresh-token-duration": 1209600, "code-duration": 60}

OIDC = {
    **LIFETIMES,
    "jwt-type": "rsa",
    "jwt-key-size": "256",
    "refresh-token-rolling": True,
    "refresh-token-one-use": "client-driven",
    "client-refresh-token-one-use-parameter": "refresh_one_use",
    "allow-non-oidc": True,
    "auth-type-code-enabled": True,
    "auth-type-token-enabled": False,
    "auth-type-id-token-enabled": False,
    "auth-type-none-enabled": False,
    "auth-type-password-enabled": False,
    "auth-type-client-enabled": True,
    "auth-type-device-enabled": True,
    "auth-type-refresh-enabled": True,
    "auth-type-code-revoke-replayed": True,
    "device-authorization-expiration": 600,
    "device-authorization-interval": 1,
    "pkce-allowed": True,
    "pkce-method-plain-allowed": False,
    "introspection-revocation-allowed": True,
    "introspection-revocation-allow-target-client": True,
    "request-parameter-allow": True,
    "request-uri-allow-https-non-secure": True,
    "oauth-as-iss-id": True,
    "jwks-show": True,
    "jwks-x5c": [],
    "subject-type": "public",
    "name-claim": "mandatory",
    "email-claim": "mandatory",
    "scope-claim": "mandatory",
    "resource-allowed": False,
    "oauth-rar-allowed": False,
    "oauth-par-allowed": True,
    "oauth-par-required": False,
    "oauth-par-request_uri-prefix": "urn:ietf:params:oauth:request_uri:",
    "oauth-par-duration": 90,
    "oauth-dpop-allowed": True,
    "oauth-dpop-iat-duration": 60,
    "client-pubkey-parameter": "pubkey",
    "client-cert-source": "TLS",
    "client-cert-use-endpoint-aliases": True,
    "client-cert-self-signed-allowed": False,
}

PLAIN = {
    **LIFETIMES,
    "jwt-type": "sha",
    "jwt-key-size": "256",
    "key": "the key of a server that lives for one test run",
    "refresh-token-rolling": True,
    "auth-type-code-enabled": True,
    "auth-type-implicit-enabled": False,
    "auth-type-password-enabled": False,
    "auth-type-client-enabled": True,
    "auth-type-refresh-enabled": True,
    "auth-type-device-enabled": False,
    "pkce-allowed": True,
    "introspection-revocation-allowed": True,
    "introspection-revocation-allow-target-client": True,
}


NONCE = {**OIDC, "oauth-dpop-nonce-mandatory": True, "oauth-dpop-nonce-counter": 2}

SIGNING_SECRET = "a-secret-that-is-long-enough-to-sign-with"

# OpenSSL's words for the keys, one of each kind of PEM: PKCS#1, SEC1 and PKCS#8.
KEYS = {
    "RS256": ["genrsa", "-traditional", "2048"],
    "ES256": ["ecparam", "-name", "prime256v1", "-genkey", "-noout"],
    "EdDSA": ["genpkey", "-algorithm", "ed25519"],
}


def openssl(*arguments: str, stdin: str = "") -> str:
    return subprocess.run(["openssl", *arguments], input=stdin, capture_output=True, text=True, check=True).stdout


def set_up(base_url: str, folder: Path, redirect_uris: list[str]) -> None:
    api = base_url + "/api"
    browser = Browser()

    def send(method: str, path: str, body: dict) -> None:
        answer = browser.request(method, f"{api}/{path}", json_body=body)
        if answer.status != 200:
            raise RuntimeError(f"{method} {path}: {answer.status} {answer.text}")

    send("POST", "auth/", {"username": "admin", "password": "password"})
    for scope in SCOPES:
        send("POST", "scope/", {"name": scope, "display_name": scope, "password_required": False, "scheme": {}})

    key = openssl("genrsa", "2048")
    pair = {"key": key, "cert": openssl("rsa", "-pubout", stdin=key)}
    oidc, nonce = ({**parameters, **pair, "iss": f"{api}/{name}"} for name, parameters in (("oidc", OIDC), ("nonce", NONCE)))
    for name, module, parameters in (("oidc", "oidc", oidc), ("nonce", "oidc", nonce), ("oauth2", "oauth2-glewlwyd", PLAIN)):
        send(
            "POST",
            "mod/plugin/",
            {"name": name, "module": module, "display_name": name, "enabled": True, "parameters": parameters},
        )

    send(
        "POST",
        "user/",
        {
            "username": "user1",
            "password": "password",
            "name": "User One",
            "email": "user1@example.org",
            "enabled": True,
            "scope": ["openid", "g_profile", *SCOPES],
        },
    )
    client = {
        "enabled": True,
        "redirect_uri": redirect_uris,
        "authorization_type": ["code", "client_credentials", "refresh_token", "device_authorization", "delete_token"],
        "scope": ["scope1"],
    }
    send(
        "POST",
        "client/",
        {**client, "client_id": "native", "confidential": False, "token_endpoint_auth_method": ["none"]},
    )

    def send_confidential(client_id: str, methods: list[str], **more) -> None:
        send("POST", "client/", {**client, "client_id": client_id, "confidential": True, "token_endpoint_auth_method": methods, **more})

    secret = {"client_secret": "s3cret-conf", "password": "s3cret-conf"}
    send_confidential("conf", ["client_secret_basic", "client_secret_post"], **secret)
    send_confidential("jwt-secret", ["client_secret_jwt"], client_secret=SIGNING_SECRET)
    folder.mkdir(parents=True, exist_ok=True)
    for algorithm, words in KEYS.items():
        private = openssl(*words)
        (folder / f"{algorithm}.pem").write_text(private)
        send_confidential(f"jwt-{algorithm}", ["private_key_jwt"], pubkey=openssl("pkey", "-pubout", stdin=private))
    if (folder / "server.pem").exists():
        send_confidential("tls", ["tls_client_auth"], tls_client_auth_san_dns="localhost")


if __name__ == "__main__":
    set_up(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])

"""ID tokens for the tests' providers, signed with one fixed key."""

import base64
import json
import re
import time
import urllib.parse

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
# The key of another signer.
FORGED = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
# `<<jwt {claims}>>` without inner placeholders. The signature of `<<forged {claims}>>` is from an unpublished key.
TOKEN = re.compile(r"<<(jwt|forged) (\{[^<>]*\})>>")


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


KEY_SET = json.dumps(
    {"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "test", "x": encode(KEY.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))}]},
    separators=(",", ":"),
)


# The private key, as a JWK in a JSON string.
PRIVATE = json.dumps(json.dumps({**json.loads(KEY_SET)["keys"][0], "d": encode(bytes(range(32)))}, separators=(",", ":")))[1:-1]


def assertion(body: str) -> str:
    """Returns the header and the claims of a form's assertion if the key has signed it; otherwise an empty text."""
    token = urllib.parse.parse_qs(body).get("client_assertion", [""])[0]
    signed, _, signature = token.rpartition(".")
    try:
        KEY.public_key().verify(base64.urlsafe_b64decode(signature + "=="), signed.encode())
    except InvalidSignature:
        return ""
    return " ".join(base64.urlsafe_b64decode(part + "==").decode() for part in signed.split("."))


def sign(claims: dict, issuer: str, key=KEY, **header) -> str:
    """Returns a token for the client `c` that is valid for an hour. `claims` replace the default ones, and `null` removes one."""
    now = int(time.time())
    claims = {"iss": issuer, "sub": "u-1", "aud": "c", "iat": now, "exp": now + 3600, **claims}
    claims = {name: value for name, value in claims.items() if value is not None}
    header = {"alg": "EdDSA", "kid": "test", **header}
    signed = ".".join(encode(json.dumps(part, separators=(",", ":")).encode()) for part in (header, claims))
    return f"{signed}.{encode(key.sign(signed.encode()))}"


def fill(text: str, issuer: str) -> str:
    """Returns the text with its tokens filled in."""
    return TOKEN.sub(lambda match: sign(json.loads(match[2]), issuer, KEY if match[1] == "jwt" else FORGED), text)

"""ID tokens for the providers of tests: signed with a key of the tests' own, which is always the same."""

import base64
import json
import re
import time

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
# Somebody else's.
FORGED = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
# `<<jwt {claims}>>`, with other placeholders filled in already; `<<forged {claims}>>` has the signature of a key that is not published.
TOKEN = re.compile(r"<<(jwt|forged) (\{[^<>]*\})>>")


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


KEY_SET = json.dumps(
    {"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "test", "x": encode(KEY.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))}]},
    separators=(",", ":"),
)


def sign(claims: dict, issuer: str, key=KEY, **header) -> str:
    """A token for the client `c` that is good for an hour, with other claims in their place; `null` takes one away."""
    now = int(time.time())
    claims = {"iss": issuer, "sub": "u-1", "aud": "c", "iat": now, "exp": now + 3600, **claims}
    claims = {name: value for name, value in claims.items() if value is not None}
    header = {"alg": "EdDSA", "kid": "test", **header}
    signed = ".".join(encode(json.dumps(part, separators=(",", ":")).encode()) for part in (header, claims))
    return f"{signed}.{encode(key.sign(signed.encode()))}"


def fill(text: str, issuer: str) -> str:
    """The text with its tokens."""
    return TOKEN.sub(lambda match: sign(json.loads(match[2]), issuer, KEY if match[1] == "jwt" else FORGED), text)

"""The strict server of assertions in Tests/Servers/authlib/strict.py, with the keys that its clients have."""

import json
import time
import urllib.request
from pathlib import Path

from joserfc import jwt
from joserfc.jwk import ECKey, OKPKey, RSAKey


def generated(algorithm: str):
    """Returns a new key for the algorithm."""
    if algorithm[0] in "RP":
        return RSAKey.generate_key(2048)
    if algorithm == "EdDSA":
        return OKPKey.generate_key("Ed25519")
    return ECKey.generate_key({"ES256": "P-256", "ES384": "P-384"}[algorithm])


def signed(key, algorithm: str, claims: dict, **header) -> str:
    """Returns a JWT of these claims that is valid for five minutes."""
    now = int(time.time())
    return jwt.encode({"alg": algorithm, **header}, {"iat": now, "exp": now + 300, **claims}, key, algorithms=[algorithm])


def pem(key) -> str:
    return key.as_pem(private=True).decode()


class StrictServer:
    SECRET = "a-secret-that-is-long-enough-to-sign-with"

    def __init__(self, url: str, folder: Path):
        self.url = url
        self.keys = {algorithm: generated(algorithm) for algorithm in ("RS256", "ES256")}
        self.idp = generated("ES256")
        for name, key in self.keys.items():
            (folder / f"{name}.json").write_text(json.dumps(key.as_dict(private=False)))
        (folder / "idp.json").write_text(json.dumps(self.idp.as_dict(private=True)))

    def provider(self, token: str = "/token", **more) -> dict:
        return {"issuer": self.url, "tokenEndpoint": self.url + token, "revocationEndpoint": self.url + "/revoke", "apiBase": self.url + "/", **more}

    def id_token(self, **claims) -> str:
        """Returns an ID token of the identity provider for its client `idp-client`."""
        return signed(self.idp, "ES256", {"iss": self.url + "/idp", "sub": "u-1", "aud": "idp-client", **claims})

    def seen(self) -> list[dict]:
        """Returns the assertions and exchanges that have arrived, in order."""
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(self.url + "/test/seen") as answer:
            return json.load(answer)

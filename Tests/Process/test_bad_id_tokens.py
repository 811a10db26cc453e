"""ID tokens with one fault each: the sign-in ends, nothing is stored, and no message quotes the token."""

import base64
import hashlib
import hmac
import html
import json
import time

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

import browser
import id_tokens
from provider import Provider, Response
from signing_in import redirect

NOW = int(time.time())
PUBLIC = id_tokens.KEY.public_key()

# The changed claims of each faulty token.
CLAIMS = {
    "another issuer": {"iss": "https://evil.example"},
    "no issuer": {"iss": None},
    "another audience": {"aud": "another"},
    "other audiences": {"aud": ["another", "third"]},
    "another authorized party": {"azp": "another"},
    "no audience": {"aud": None},
    "expired": {"exp": NOW - 3600},
    "no end": {"exp": None},
    "an end in words": {"exp": "tomorrow"},
    "issued tomorrow": {"iat": NOW + 86_400},
    "no date": {"iat": None},
    "not before tomorrow": {"nbf": NOW + 86_400},
    "another nonce": {"nonce": "another"},
    "no nonce": {"nonce": None},
    "no subject": {"sub": None},
    "an empty subject": {"sub": ""},
    "an endless subject": {"sub": "u" * 256},
    "another access token": {"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"},
}


def signed(header: dict, claims: dict, sign) -> str:
    text = ".".join(id_tokens.encode(json.dumps(part).encode()) for part in (header, claims))
    return f"{text}.{id_tokens.encode(sign(text.encode()))}"


def with_public_key(encoding: Encoding, form: PublicFormat):
    """Signs with the public key as an HMAC secret. A verifier that accepts the token's algorithm would accept this."""
    secret = PUBLIC.public_bytes(encoding, form)
    return lambda claims: signed({"alg": "HS256", "kid": "test"}, claims, lambda text: hmac.digest(secret, text, hashlib.sha256))


def with_its_own_key(claims: dict) -> str:
    x = id_tokens.encode(id_tokens.FORGED.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))
    header = {"alg": "EdDSA", "kid": "test", "jwk": {"kty": "OKP", "crv": "Ed25519", "x": x}}
    return signed(header, claims, id_tokens.FORGED.sign)


def with_header(**members):
    return lambda claims: signed({"alg": "EdDSA", "kid": "test", **members}, claims, id_tokens.KEY.sign)


def changed(claims: dict) -> str:
    """Changes the claims to another user's under the old signature."""
    header, payload, signature = with_header()(claims).split(".")
    other = base64.urlsafe_b64decode(payload + "==").replace(b"u-1", b"u-2")
    return ".".join([header, id_tokens.encode(other), signature])


# Functions that make an invalid token from the right claims.
TOKENS = {
    "not signed": lambda claims: signed({"alg": "none"}, claims, lambda _: b""),
    "not signed, with a signature": lambda claims: signed({"alg": "nOnE", "kid": "test"}, claims, id_tokens.KEY.sign),
    "the signature cut off": lambda claims: with_header()(claims).rsplit(".", 1)[0] + ".",
    "the public key as a secret": with_public_key(Encoding.Raw, PublicFormat.Raw),
    "the public key in PEM as a secret": with_public_key(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
    "another algorithm's name": with_header(alg="ES256"),
    "an unknown algorithm": with_header(alg="XX999"),
    "an unknown key": with_header(kid="unknown"),
    "a key of its own": with_its_own_key,
    "an extension to be understood": with_header(crit=["exp"]),
    "a token of another kind": with_header(typ="at+jwt"),
    "changed claims": changed,
    "a key's name that is no name": with_header(kid=7),
    "four parts": lambda claims: with_header()(claims) + ".e30",
    "padding": lambda claims: with_header()(claims) + "=",
    "no token at all": lambda claims: "c2VjcmV0",
}


@pytest.fixture
def sign_in(peer):
    """Signs in with the token from `make(claims)` and returns the answer and the token."""
    issued = {}

    def respond(request):
        if request.path == "/keys":
            return Response(200, id_tokens.KEY_SET.encode())
        return Response.of({"access_token": "at-1", "refresh_token": "rt-1", "token_type": "Bearer", "id_token": issued["token"]})

    with Provider(respond) as provider:

        def run(make, changes: dict | None = None) -> tuple[dict, str]:
            described = {**provider.description, "issuer": provider.url, "jwksUri": f"{provider.url}/keys"}
            parameters = {"account": "a", "provider": described, "clientId": "c", "scopes": ["openid"], "openBrowser": False}
            identifier = peer.send("authorize", parameters)
            url = peer.event("signInWasRequested", request=identifier)["url"]
            claims = {"iss": provider.url, "sub": "u-1", "aud": "c", "iat": NOW, "exp": NOW + 3600, "nonce": browser.query(url)["nonce"]}
            claims.update(changes or {})
            issued["token"] = make({name: value for name, value in claims.items() if value is not None})
            run.page = browser.deliver(redirect(url, code="c0de")).text
            return peer.answer(identifier), issued["token"]

        yield run


def test_a_valid_token_is_accepted(sign_in):
    answer, _ = sign_in(with_header())
    assert answer["result"]["subject"] == "u-1"


@pytest.mark.parametrize("name", CLAIMS)
def test_a_wrong_claim(peer, sign_in, name):
    answer, token = sign_in(with_header(), CLAIMS[name])
    assert_refused(peer, answer, token)


@pytest.mark.parametrize("name", ["expired", "issued tomorrow"])
def test_the_page_asks_about_the_clock(sign_in, name):
    """A fast clock finds every ID token expired, and a slow one finds it issued in the future."""
    sign_in(with_header(), CLAIMS[name])
    assert "is this machine's clock right?" in html.unescape(sign_in.page)


@pytest.mark.parametrize("name", TOKENS)
def test_a_wrong_token(peer, sign_in, name):
    answer, token = sign_in(TOKENS[name])
    assert_refused(peer, answer, token)


def assert_refused(peer, answer: dict, token: str) -> None:
    error = answer["error"]
    assert error["data"]["kind"] == "responseUntrusted" and error["data"]["retryable"] is False
    assert peer.request("account", {"account": "a"})["canAuthorize"] is False
    said = json.dumps(peer.all_json()) + peer.stderr.decode()
    for part in token.split("."):
        assert len(part) < 8 or part not in said

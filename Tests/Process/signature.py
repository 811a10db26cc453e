"""Checks signatures of requests: OAuth 1.0a's with HMAC-SHA1, computed by oauthlib, and those of signed bodies."""

import base64
import hmac
import urllib.parse

from oauthlib.oauth1.rfc5849 import signature

from provider import Request

FORM = "application/x-www-form-urlencoded"


def parameters(request: Request) -> dict:
    """Returns the OAuth parameters from the header, the query and the form."""
    return dict(collected(request, without_signature=False))


def collected(request: Request, without_signature: bool) -> list:
    is_form = request.headers.get("Content-Type", "").startswith(FORM)
    return signature.collect_parameters(
        uri_query=urllib.parse.urlsplit(request.target).query,
        body=request.body.decode() if is_form else [],
        headers={"Authorization": request.headers["Authorization"]} if "Authorization" in request.headers else {},
        exclude_oauth_signature=without_signature,
    )


def is_signed(request: Request, key: str) -> bool:
    """Whether the OAuth signature is right. `key` is both secrets, joined by `&`."""
    url = f"http://{request.headers['Host']}{request.target}"
    normalized = signature.normalize_parameters(collected(request, without_signature=True))
    base = signature.signature_base_string(request.method, signature.base_string_uri(url), normalized)
    expected = base64.b64encode(hmac.digest(key.encode(), base.encode(), "sha1")).decode()
    return parameters(request).get("oauth_signature") == expected


def is_body_signed(request: Request, key: str) -> bool:
    """Whether the header `sign` is the HMAC-SHA256 of the body and the header `timestamp`."""
    message = request.body + request.headers.get("timestamp", "").encode()
    return request.headers.get("sign") == hmac.digest(key.encode(), message, "sha256").hex()

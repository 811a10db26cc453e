"""Writes oauthlib.json: what oauthlib signs for many odd requests, with every signature method.

    python3 -m venv venv && venv/bin/pip install oauthlib pyjwt cryptography
    venv/bin/python oauthlib_vectors.py > oauthlib.json

Keys are kept in the output and read from it again, so that a second run gives the same signatures.
"""

import json
import pathlib
import sys

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from oauthlib.oauth1 import Client
from oauthlib.oauth1.rfc5849 import signature
from oauthlib.common import Request

FORM = "application/x-www-form-urlencoded"
METHODS = ["HMAC-SHA1", "HMAC-SHA256", "HMAC-SHA512", "RSA-SHA1", "RSA-SHA256", "RSA-SHA512", "PLAINTEXT"]
PLACEMENTS = {"header": "AUTH_HEADER", "query": "QUERY", "body": "BODY"}

# name, method, url, Content-Type, body. A body is a form, because oauthlib adds its hash to every other one.
REQUESTS = [
    ("plain", "GET", "https://example.com/r", None, None),
    ("no path", "GET", "https://example.com", None, None),
    ("no path but a query", "GET", "https://example.com?a=b", None, None),
    ("a slash", "GET", "https://example.com/", None, None),
    ("upper-case host and scheme", "GET", "HTTPS://EXAMPLE.Com/R?A=B", None, None),
    ("lower-case method", "get", "https://example.com/r", None, None),
    ("a method of its own", "Report", "https://example.com/r", None, None),
    ("default port", "GET", "https://example.com:443/r", None, None),
    ("default port of http", "GET", "http://127.0.0.1:80/r", None, None),
    ("the other scheme's port", "GET", "https://example.com:80/r", None, None),
    ("another port", "GET", "https://example.com:8443/r", None, None),
    ("an address", "GET", "https://192.0.2.7:8080/r", None, None),
    ("an IPv6 address", "GET", "https://[2001:DB8::1]/r?x=1", None, None),
    ("an IPv6 address and a port", "GET", "https://[::1]:8080/r", None, None),
    ("an IPv6 address and the default port", "GET", "https://[::1]:443/r", None, None),
    ("escapes in the path", "GET", "https://example.com/a%20b%2Fc%2fd/%E3%81%82", None, None),
    ("lower-case escapes in the path", "GET", "https://example.com/%c3%a9%7e~", None, None),
    ("sub-delimiters in the path", "GET", "https://example.com/a;b=c,d/(e)!*'$&+@:", None, None),
    ("empty segments and dots", "GET", "https://example.com//a/./b/../c/", None, None),
    ("parameters of a segment", "GET", "https://example.com/a;v=1.1/b;c", None, None),
    ("empty value", "GET", "https://example.com/r?a=&b=", None, None),
    ("no equals sign", "GET", "https://example.com/r?a&b", None, None),
    ("repeated names", "GET", "https://example.com/r?a=2&a=10&a=1&a=&a=b", None, None),
    ("names that begin alike", "GET", "https://example.com/r?ab=1&a=2&a1=3&A=4&a-=5&a~=6&a_=7&a.=8", None, None),
    ("plus in the query", "GET", "https://example.com/r?a+b=c+d&e%2Bf=g%2Bh&i=j%20k", None, None),
    ("order by encoded names", "GET", "https://example.com/r?z=1&%E3%81%82=2&%7E=3&a%20b=4&a0=5&a%2Bb=6&~a=7", None, None),
    ("order by encoded values", "GET", "https://example.com/r?a=~&a=z&a=%20&a=%E3%81%82&a=0&a=-&a=.&a=_", None, None),
    ("unreserved characters escaped", "GET", "https://example.com/r?%61%7e=%41%2d%5F%2e%7E", None, None),
    ("reserved characters escaped", "GET", "https://example.com/r?a=%3D%26%25%23%3F%2F%3A%40", None, None),
    ("equals signs in a value", "GET", "https://example.com/r?a=b=c&d==", None, None),
    ("slashes and colons in a value", "GET", "https://example.com/r?u=http://x.y/z?q", None, None),
    ("unicode", "GET", "https://example.com/r?name=%C3%A9%E2%82%AC%F0%9F%98%80&%C3%BC=%E4%BD%A0%E5%A5%BD", None, None),
    ("combining marks", "GET", "https://example.com/r?a=e%CC%81&b=%C3%A9", None, None),
    ("control characters", "GET", "https://example.com/r?a=%00%0A%0D%7F&b=%09", None, None),
    ("asterisk and quotes", "GET", "https://example.com/r?a=*'()!&b=%2A%27%28%29%21", None, None),
    ("double escapes", "GET", "https://example.com/r?a=%2525&b=%25%32%35", None, None),
    ("a fragment", "GET", "https://example.com/r?a=b#f", None, None),
    ("RFC 5849, 3.4.1.3.1", "POST", "https://example.com/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b", FORM, "c2&a3=2+q"),
    ("a form", "POST", "https://example.com/r", FORM, "a=1&b=2"),
    ("a form and a query", "POST", "https://example.com/r?a=3&c=4", FORM, "a=1&b=2"),
    ("a form with odd values", "PUT", "https://example.com/r", FORM, "a=%E2%82%AC&b=x+y&c&d=&e=%2B%25&a=1"),
    ("an empty form", "POST", "https://example.com/r", FORM, ""),
    ("a form by PATCH", "PATCH", "https://example.com/r?x=y", FORM, "x=z&x=a"),
    ("a form by DELETE", "DELETE", "https://example.com/r", FORM, "id=7"),
]

# consumer key, consumer secret, token, token secret
CREDENTIALS = [
    ("key", "secret", "token", "token-secret"),
    ("dpf43f3p2l4k3l03", "kd94hf93k423kf44", None, None),
    ("a b+c%d&e=\u00e9", "s%cr&t=+ \u20ac", "1/t+ok/en==", "t&s %+\U0001f511"),
    ("anonymous", "anonymous", "tok", ""),
]


def keys():
    try:
        kept = json.loads(pathlib.Path(__file__).with_name("oauthlib.json").read_text())
        return kept["pkcs1"], kept["pkcs8"]
    except (FileNotFoundError, KeyError, ValueError):
        key = rsa.generate_private_key(65537, 2048)
        return tuple(
            key.private_bytes(Encoding.PEM, form, NoEncryption()).decode()
            for form in (PrivateFormat.TraditionalOpenSSL, PrivateFormat.PKCS8)
        )


def vector(name, placement, signature_method, request, credentials, pem):
    _, method, url, content_type, body = request
    key, secret, token, token_secret = credentials
    client = Client(
        key, secret, token, token_secret, signature_method=signature_method, signature_type=PLACEMENTS[placement],
        rsa_key=pem, nonce="n0nce-7~" + str(len(name)), timestamp="1318622958",
    )
    headers = {"Content-Type": content_type} if content_type else {}
    signed = Request(url, method, body, dict(headers))
    signed.oauth_params = client.get_oauth_params(signed)
    base = {}

    def base_string(*arguments, **named):
        base["string"] = original(*arguments, **named)
        return base["string"]

    original = signature.signature_base_string
    signature.signature_base_string = base_string
    try:
        client.get_oauth_signature(signed)
        uri, sent, sent_body = client.sign(url, method, body, dict(headers))
    finally:
        signature.signature_base_string = original
    return {
        "name": name, "placement": placement, "signatureMethod": signature_method, "method": method, "url": url,
        "contentType": content_type, "body": body, "consumerKey": key, "consumerSecret": secret, "token": token,
        "tokenSecret": token_secret, "nonce": client.nonce, "timestamp": int(client.timestamp), "baseString": base.get("string"),
        "signedURL": uri, "authorization": sent.get("Authorization"), "signedBody": sent_body,
    }


def main():
    pkcs1, pkcs8 = keys()
    vectors = []
    for number, request in enumerate(REQUESTS):
        for index, method in enumerate(METHODS):
            if method == "PLAINTEXT" and number % 4:
                continue  # its signature doesn't depend on the request
            credentials = CREDENTIALS[(number + index) % len(CREDENTIALS)]
            places = ["header"]
            if method == "HMAC-SHA1":
                places += ["query"] + (["body"] if request[3] == FORM else [])
            for place in places:
                try:
                    vectors.append(vector(request[0], place, method, request, credentials, pkcs1))
                except ValueError as refusal:
                    print("refused:", request[0], method, place, refusal, file=sys.stderr)
    json.dump({"pkcs1": pkcs1, "pkcs8": pkcs8, "vectors": vectors}, sys.stdout, ensure_ascii=True, indent=0)
    print(len(vectors), "vectors", file=sys.stderr)


main()

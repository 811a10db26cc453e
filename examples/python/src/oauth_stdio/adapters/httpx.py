"""httpx (https://www.python-httpx.org)."""

from __future__ import annotations

import httpx

from .httpx_flow import HTTPXFlow


class HTTPXAuth(HTTPXFlow, httpx.Auth):
    """Signs requests of httpx."""

    byte_stream = httpx.ByteStream

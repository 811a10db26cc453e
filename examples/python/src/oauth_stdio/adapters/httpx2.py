"""httpx2 (https://pypi.org/project/httpx2/)."""

from __future__ import annotations

import httpx2

from .httpx_flow import HTTPXFlow


class HTTPX2Auth(HTTPXFlow, httpx2.Auth):
    """Signs requests of httpx2."""

    byte_stream = httpx2.ByteStream

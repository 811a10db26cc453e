"""Calls a URL with requests-oauthlib or httpx. Prints the nanoseconds that the calls took."""

import asyncio
import concurrent.futures
import ssl
import sys
import time

library, count, window, url, certificate, token = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:7]


def requests() -> int:
    from requests.adapters import HTTPAdapter
    from requests_oauthlib import OAuth2Session

    session = OAuth2Session(token={"access_token": token, "token_type": "Bearer"})
    session.verify = certificate
    # Otherwise REQUESTS_CA_BUNDLE would win over it.
    session.trust_env = False
    session.mount("https://", HTTPAdapter(pool_maxsize=window))

    def calls(number: int) -> None:
        for _ in range(number):
            session.get(url).raise_for_status()

    calls(1)
    began = time.perf_counter_ns()
    with concurrent.futures.ThreadPoolExecutor(window) as pool:
        list(pool.map(calls, [count // window] * window))
    return time.perf_counter_ns() - began


async def httpx() -> int:
    import httpx

    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(verify=ssl.create_default_context(cafile=certificate), headers=headers) as client:

        async def calls(number: int) -> None:
            for _ in range(number):
                (await client.get(url)).raise_for_status()

        await calls(1)
        began = time.perf_counter_ns()
        await asyncio.gather(*(calls(count // window) for _ in range(window)))
        return time.perf_counter_ns() - began


print(requests() if library == "requests" else asyncio.run(httpx()))

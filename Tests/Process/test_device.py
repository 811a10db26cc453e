"""The device flow against a real server: django-oauth-toolkit."""

import pytest

import browser
from rpc import RPCFault


def parameters(dot, **more) -> dict:
    provider = {**dot.provider, "deviceAuthorizationEndpoint": dot.url + "/o/device-authorization/"}
    return dot.parameters(account="a", clientId="device", provider=provider, flow="device", timeout=30, **more)


def type_code(url: str, code: str, action: str) -> None:
    """Opens the page as the user, logs in, types the code, and approves or denies."""
    user = browser.Browser()
    page = user.get(url)
    for _ in range(10):
        if page.location:
            page = user.get(page.location)
            continue
        form = next((form for form in browser.FormParser(page).forms if form.method == "post"), None)
        if form is None:
            return
        filled = dict(form.fields)
        if "user_code" in filled:
            filled["user_code"] = code
            page = user.request("POST", form.action, form=filled, referer=page.url)
        elif 'name="action"' in page.text:
            page = user.request("POST", form.action, form={**filled, "action": action}, referer=page.url)
        else:
            page = user.fill_in(page, deny=False)
    raise RuntimeError(f"no end of pages, last at {page.url}")


def test_a_typed_code_brings_a_grant(peer, dot):
    identifier = peer.send("authorize", parameters(dot))
    event = peer.event("signInWasRequested", request=identifier)
    assert event["url"].startswith(dot.url + "/o/device/") and event["userCode"]
    type_code(event["url"], event["userCode"], "accept")
    granted = peer.result(identifier)
    assert granted["via"] == "signedIn" and granted["grantedScopes"] == ["read"]
    answer = peer.request("callAPI", {"account": "a", "url": dot.api, "as": "json"})
    assert answer["json"]["user"] == "user1"
    if granted["canRefresh"]:
        assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True


def test_the_user_denies(peer, dot):
    identifier = peer.send("authorize", parameters(dot))
    event = peer.event("signInWasRequested", request=identifier)
    type_code(event["url"], event["userCode"], "deny")
    assert peer.answer(identifier)["error"]["data"]["kind"] == "accessDenied"


def test_a_client_that_may_not(peer, dot):
    """No sign-in is open, and the error has the provider's words."""
    with pytest.raises(RPCFault) as fault:
        peer.request("authorize", {**parameters(dot), "clientId": "unknown"})
    assert fault.value.kind == "authorizationServerError"

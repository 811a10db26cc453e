"""Spark: the hybrid of OpenID 2.0 and OAuth 2.0 with its JSON grant and its API's envelope, from the presets."""

import json

import pytest

import browser
from openid_user import Answer, approve, sign_in
from rpc import RPCFault
from signing_in import authorize
from test_openid import control, fault_of

APP = "https://app.example/oauth2/callback"


def spark(url: str, preset: str = "spark", **members) -> dict:
    """The preset with the test server's address instead of Spark's."""
    moved = {"preset": preset, "openidEndpoint": f"{url}/openid", "redirectPolicy": "anyPort"}
    if preset == "spark":
        moved |= {"variables": {"application": "Test Agent"}, "tokenEndpoint": f"{url}/v1/oauth2/grant", "apiBase": f"{url}/v1/", "apiHosts": ["127.0.0.1"]}
    return {**moved, **members}


def asked(provider: dict, **more) -> dict:
    return {"account": "a", "provider": provider, "clientId": "sparkid", "clientSecret": "sparksecret", "openBrowser": False, **more}


def page(peer, provider: dict, **more) -> tuple[int, str]:
    identifier = peer.send("authorize", asked(provider, **more))
    return identifier, peer.event("signInWasRequested", request=identifier)["url"]


@pytest.fixture
def signed_in(peer, openid_url):
    authorize(peer, approve, **asked(spark(openid_url)))
    control(openid_url)
    return peer


def names(url: str) -> list[str]:
    return [part.split("=")[0] for part in url.split("?")[1].split("&")]


def test_the_page(peer, openid_url):
    """The parameters have the order of Spark's own clients, and our state is the last one."""
    _, url = page(peer, spark(openid_url), redirectUri=APP)
    state = browser.query(url)["openid.spark.state"]
    assert url == (
        f"{openid_url}/openid?openid.mode=checkid_setup&openid.spark.client_id=sparkid"
        "&openid.return_to=https%3A%2F%2Fapp.example%2Foauth2%2Fcallback&openid.spark.combined_flow=true"
        f"&openid.spark.state={state}"
    )


@pytest.mark.parametrize("caught", [False, True])
def test_the_hybrid(peer, openid_url, caught):
    """A JSON object exchanges the code in addition to the identity, with the same redirect URI."""
    control(openid_url)
    identifier, url = page(peer, spark(openid_url), **({"redirectUri": APP} if caught else {}))
    answer = sign_in(url)
    assert "openid.spark.code" in answer.parameters
    if caught:
        assert peer.request("handleRedirect", {"url": answer.as_get})["handled"] is True
    else:
        answer.deliver()
    granted = peer.result(identifier)
    assert granted["tokenType"] == "OAuth" == peer.request("accessToken", {"account": "a"})["tokenType"]
    assert granted["subject"] == f"{openid_url}/id/user1" and granted["canRefresh"] is True and granted["expiresAt"] > 0
    (sent,) = [request for request in control(openid_url) if request["path"] == "/v1/oauth2/grant"]
    assert sent["headers"]["Content-Type"] == "application/json" and sent["headers"]["X-SparkApi-User-Agent"] == "Test Agent"
    assert sent["json"] == {
        "client_id": "sparkid",
        "client_secret": "sparksecret",
        "grant_type": "authorization_code",
        "code": answer.parameters["openid.spark.code"],
        "redirect_uri": browser.query(url)["openid.return_to"],
    }


def test_an_answer_without_its_state_is_not_ours(peer, openid_url):
    """A forger does not know the state. The sign-in stays open, and the forged code is never exchanged."""
    identifier, url = page(peer, spark(openid_url))
    answer = sign_in(url)
    control(openid_url)
    for state in (None, "x" * 22, ""):
        assert Answer(answer.changed(spark__state=state)).deliver().status == 404
    assert Answer(answer.changed(spark__state=None) + "&state=" + answer.parameters["openid.spark.state"]).deliver().status == 404
    assert control(openid_url) == []
    answer.deliver()
    assert peer.result(identifier)["via"] == "signedIn"


@pytest.mark.parametrize("change", [{"spark__code": "forged"}, {"claimed_id": "http://127.0.0.1:1/id/2"}, {"sig": "AAAA"}, {"spark__code": None}])
def test_a_forged_hybrid_answer(peer, openid_url, change):
    """Even with the right state, a response that Spark does not confirm causes no exchange."""
    identifier, url = page(peer, spark(openid_url))
    answer = sign_in(url)
    control(openid_url)
    Answer(answer.changed(**change)).deliver()
    assert fault_of(peer, identifier).kind == "responseUntrusted"
    assert "/v1/oauth2/grant" not in [request["path"] for request in control(openid_url)]


def test_an_unsigned_identity_is_ignored(peer, openid_url):
    """The code is verified by its exchange. The unsigned identity is ignored, because any sender could have written it."""
    identifier, url = page(peer, spark(openid_url))
    Answer(sign_in(url).changed(sig=None, signed=None)).deliver()
    granted = peer.result(identifier)
    assert granted["canRefresh"] is True and "subject" not in granted


def test_cancelled_and_refused(peer, openid_url):
    identifier, url = page(peer, spark(openid_url))
    sign_in(url, deny=True).deliver()
    assert fault_of(peer, identifier).kind == "accessDenied"
    identifier, url = page(peer, spark(openid_url), clientId="unknown")
    sign_in(url).deliver()
    fault = fault_of(peer, identifier)
    assert fault.kind == "authorizationServerError" and fault.data["error"] == "unknown client"


def test_a_wrong_secret(peer, openid_url):
    identifier, url = page(peer, spark(openid_url), clientSecret="wrong")
    approve(url)
    fault = fault_of(peer, identifier)
    assert fault.kind == "authorizationServerError" and fault.data["error"] == "invalid_client"


def test_identity_alone(peer, openid_url):
    """The other preset gives no token, but the identity and Spark's attributes of the user."""
    identifier, url = page(peer, spark(openid_url, "spark-openid"))
    assert names(url) == ["openid.mode", "openid.spark.client_id", "openid.return_to", "openid.ax.mode"] + [
        f"openid.ax.type.{name}" for name in ("first_name", "last_name", "middle_name", "friendly", "id", "email")
    ] + ["openid.ax.required", "openid.spark.state"]
    assert browser.query(url)["openid.ax.required"] == "first_name,last_name,middle_name,friendly,id,email"
    assert "first_name%2Clast_name" in url and "openid.ax.type.id=http%3A%2F%2Fopenid.net%2Fschema%2Fperson%2Fguid" in url
    approve(url)
    assert peer.result(identifier)["subject"] == f"{openid_url}/id/user1"
    assert peer.request("account", {"account": "a"})["attributes"] == {
        "first_name": "Ünï", "last_name": "O'One & Co", "middle_name": "M", "friendly": "user one",
        "id": "20140811174925623895000000", "email": "user1@example.org",
    }


# The API


def call(peer, url: str, **more) -> dict:
    return peer.request("callAPI", {"account": "a", "url": url, "as": "json", **more})


def test_calls(signed_in, openid_url):
    """Every call has `Authorization: OAuth` and the application's name. Pages and results are returned unchanged."""
    answer = call(signed_in, "listings", parameters={"_pagination": "1", "_page": "2"})
    data = answer["json"]["D"]
    assert data["Success"] is True and data["Pagination"] == {"TotalRows": 51, "PageSize": 25, "TotalPages": 3, "CurrentPage": 2}
    (sent,) = control(openid_url)
    assert sent["headers"]["Authorization"].startswith("OAuth ") and sent["headers"]["X-SparkApi-User-Agent"] == "Test Agent"


@pytest.mark.parametrize("method", ["GET", "DELETE", "POST", "PUT"])
def test_parameters(signed_in, method):
    """The parameters are in the query for GET and DELETE, and JSON for POST and PUT."""
    (echo,) = call(signed_in, "listings", method=method, parameters={"a": "1 ü", "b": "x"})["json"]["D"]["Results"]
    if method in ("GET", "DELETE"):
        assert echo["query"] == {"a": "1 ü", "b": "x"} and echo["json"] is None
    else:
        assert echo["json"] == {"a": "1 ü", "b": "x"} and echo["query"] == {} and echo["contentType"] == "application/json"


def test_errors(signed_in):
    """An error inside a 200 is an error. The service's code is beside its message, or -1 without a code."""
    for url, status, code, message in [("refused", 200, 1050, "Missing parameter"), ("codeless", 500, -1, "Something broke"), ("key", 401, 1000, "Invalid key")]:
        with pytest.raises(RPCFault) as fault:
            call(signed_in, url, retry=False)
        assert fault.value.kind == "serviceError", url
        assert (fault.value.data["httpStatus"], fault.value.data["code"], fault.value.data["serviceMessage"]) == (status, code, message)


def test_an_expired_session(signed_in, openid_url):
    """1020: one refresh and one repeated call. The JSON object has the refresh token and the redirect URI."""
    control(openid_url, expire=True)
    answer = call(signed_in, "me")
    assert answer["json"]["D"]["Results"][0]["Id"] == "20140811174925623895000000" and answer["refreshed"] is True
    sent = control(openid_url)
    assert [request["path"] for request in sent] == ["/v1/me", "/v1/oauth2/grant", "/v1/me"]
    assert sent[1]["json"]["grant_type"] == "refresh_token" and sent[1]["json"]["redirect_uri"].startswith("http://127.0.0.1:")


def test_a_session_that_stays_expired(signed_in, openid_url):
    """The process renews once. A second 1020 is returned unchanged."""
    with pytest.raises(RPCFault) as fault:
        call(signed_in, "dying")
    assert fault.value.kind == "serviceError" and fault.value.data["code"] == 1020
    assert [request["path"] for request in control(openid_url)] == ["/v1/dying", "/v1/oauth2/grant", "/v1/dying"]


def test_another_401_is_no_expired_session(signed_in, openid_url):
    with pytest.raises(RPCFault):
        call(signed_in, "key")
    assert [request["path"] for request in control(openid_url)] == ["/v1/key"]


def test_revoking(signed_in):
    logout = "https://sparkplatform.com/openid/logout"
    assert signed_in.request("revoke", {"account": "a"}) == {
        "account": "a", "revoked": False, "remote": "unsupported", "logoutUrl": logout,
    }


def test_secrets_are_kept(start, openid_url, home):
    """No log has the code, a token or the client secret, and on disk they are unreadable."""
    peer = start("--log-level", "debug")
    identifier, url = page(peer, spark(openid_url))
    answer = sign_in(url)
    answer.deliver()
    peer.result(identifier)
    secrets = [answer.parameters["openid.spark.code"], "sparksecret", peer.request("accessToken", {"account": "a"})["accessToken"]]
    kept = b"".join(file.read_bytes() for file in home.rglob("*") if file.is_file())
    for secret in secrets:
        assert secret.encode() not in peer.stderr and secret.encode() not in kept
    assert json.dumps(peer.request("account", {"account": "a"})).count("sparksecret") == 0

"""Presets sign in at a scripted server that rejects what their providers reject. The host of a preset's URL is the first part of the path there."""

import base64
import hashlib
import hmac
import json
import re
from collections import Counter
from dataclasses import dataclass, field

import pytest

import browser
from id_tokens import KEY_SET, encode, sign
from ports import reserve_port
from provider import Provider, Request, Response
from rpc import ROOT
from signing_in import authorize, redirect

FOLDER = ROOT / "Sources" / "OAuthCore" / "Provider" / "Presets"
PRESETS = {file.stem: json.loads(file.read_text()) for file in sorted(FOLDER.glob("*.json"))}
BASIC = "Basic " + base64.b64encode(b"c:s3cret").decode()


@dataclass
class Rules:
    """What a provider accepts. Addresses are without their scheme."""

    page: str
    token: str
    # Where the secret is: `body`, `basic`, or `none` for a public client.
    secret: str = "body"
    # What follows the redirect URI on the page, as written in the URL, up to the state.
    scope: str = ""
    # The code challenge: `plain` base64url, `hex`, or `off`.
    challenge: str = "plain"
    # Members of every token request and of the token response, beyond the usual ones.
    wanted: dict = field(default_factory=dict)
    answer: dict = field(default_factory=dict)
    # The issuer of the ID token, and whether the client's secret signs it.
    issuer: str | None = None
    hs256: bool = False
    keys: str | None = None
    refreshes: bool = True
    # The user's address, and how the claims lie in its answer.
    user: str | None = None
    nested: str | None = None
    # A call, and the address that it goes to.
    call: tuple[str, str] | None = None
    scheme: str = "Bearer"
    # The address of the revocation, and the forms, in which `at` and `rt` are the last tokens.
    revocation: str | None = None
    revoked: list[dict] = field(default_factory=list)
    variables: dict = field(default_factory=dict)
    client: str = "client_id"
    host: str = "127.0.0.1"


OKTA = "example.okta.com/oauth2/v1"
RULES = {
    "yandex": Rules(
        "oauth.yandex.com/authorize", "oauth.yandex.com/token", user="login.yandex.ru/info?format=json", scheme="OAuth",
        call=("info", "login.yandex.ru/info"),
    ),
    "battlenet": Rules(
        "oauth.battlenet.com.cn/authorize", "oauth.battlenet.com.cn/token", scope="&scope=openid", issuer="https://oauth.battlenet.com.cn",
        refreshes=False, user="oauth.battlenet.com.cn/userinfo", variables={"host": "oauth.battlenet.com.cn"},
    ),
    "pinterest": Rules(
        "www.pinterest.com/oauth/", "api.pinterest.com/v5/oauth/token", "basic", "&scope=boards%3Aread%2Cpins%3Aread",
        wanted={"authorization_code": {"continuous_refresh": "true"}},
        user="api.pinterest.com/v5/user_account", call=("boards", "api.pinterest.com/v5/boards"),
    ),
    "paypal": Rules(
        "www.sandbox.paypal.com/signin/authorize", "api-m.sandbox.paypal.com/v1/oauth2/token", "basic", issuer="https://www.sandbox.paypal.com",
        hs256=True, keys="api.sandbox.paypal.com/v1/oauth2/certs", user="api-m.sandbox.paypal.com/v1/identity/oauth2/userinfo?schema=paypalv1.1",
        call=("v2/checkout/orders", "api-m.sandbox.paypal.com/v2/checkout/orders"), variables={"host": "www.sandbox.paypal.com"},
    ),
    "naver": Rules(
        "nid.naver.com/oauth2.0/authorize", "nid.naver.com/oauth2.0/token", user="openapi.naver.com/v1/nid/me", nested="response",
        call=("v1/nid/me", "openapi.naver.com/v1/nid/me"), revocation="nid.naver.com/oauth2.0/token",
        revoked=[{"grant_type": "delete", "access_token": "at"}],
    ),
    "line": Rules(
        "access.line.me/oauth2/v2.1/authorize", "api.line.me/oauth2/v2.1/token", scope="&scope=openid%20profile", issuer="https://access.line.me",
        hs256=True, user="api.line.me/oauth2/v2.1/userinfo", call=("v2/profile", "api.line.me/v2/profile"),
        revocation="api.line.me/oauth2/v2.1/revoke", revoked=[{"access_token": "at"}],
    ),
    "kakao": Rules(
        "kauth.kakao.com/oauth/authorize", "kauth.kakao.com/oauth/token", scope="&scope=account_email%2Cgender", user="kapi.kakao.com/v2/user/me",
        call=("v2/user/me", "kapi.kakao.com/v2/user/me"),
    ),
    # The issuer is the pool, whose keys are not at the domain. A `+` between scopes is no space there.
    "cognito": Rules(
        "auth.example.com/oauth2/authorize", "auth.example.com/oauth2/token", "basic", "&scope=openid%20email",
        issuer="https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_abc", keys="cognito-idp.eu-west-1.amazonaws.com/eu-west-1_abc/.well-known/jwks.json",
        user="auth.example.com/oauth2/userinfo", revocation="auth.example.com/oauth2/revoke", revoked=[{"token": "rt"}],
        variables={"region": "eu-west-1", "pool": "eu-west-1_abc", "domain": "auth.example.com"},
    ),
    "eventbrite": Rules(
        "www.eventbrite.com/oauth/authorize", "www.eventbrite.com/oauth/token", refreshes=False, answer={"expires_in": None},
        user="www.eventbriteapi.com/v3/users/me/", call=("categories/", "www.eventbriteapi.com/v3/categories/"),
    ),
    "coinbase": Rules(
        "login.coinbase.com/oauth2/auth", "login.coinbase.com/oauth2/token", scope="&scope=wallet%3Auser%3Aread%2Coffline_access",
        user="api.coinbase.com/v2/user", nested="data", call=("accounts", "api.coinbase.com/v2/accounts"),
        revocation="login.coinbase.com/oauth2/revoke", revoked=[{"token": "at", "access_token": "at"}],
    ),
    "uber": Rules(
        "login.uber.com/oauth/v2/authorize", "login.uber.com/oauth/v2/token", user="api.uber.com/v1/me", call=("me", "api.uber.com/v1/me"),
    ),
    "openstreetmap": Rules(
        "www.openstreetmap.org/oauth2/authorize", "www.openstreetmap.org/oauth2/token", scope="&scope=read_prefs", refreshes=False,
        user="api.openstreetmap.org/api/0.6/user/details.json", nested="user",
        call=("map.json", "api.openstreetmap.org/api/0.6/map.json"),
    ),
    # The token response names the API's host.
    "pipedrive": Rules(
        "oauth.pipedrive.com/oauth/authorize", "oauth.pipedrive.com/oauth/token", "basic", challenge="off", answer={"api_domain": "{url}/example"},
        user="api.pipedrive.com/users/me", nested="data", call=("deals", "example/api/v1/deals"),
    ),
    "orcid": Rules(
        "sandbox.orcid.org/oauth/authorize", "sandbox.orcid.org/oauth/token", scope="&scope=openid", issuer="https://sandbox.orcid.org",
        user="sandbox.orcid.org/oauth/userinfo", call=("0000-0001/record", "pub.sandbox.orcid.org/v3.0/0000-0001/record"),
        variables={"host": "sandbox.orcid.org"},
    ),
    # Each request names the lifetimes, and each refresh ends the refresh token before it.
    "zendesk": Rules(
        "example.zendesk.com/oauth/authorizations/new", "example.zendesk.com/oauth/tokens", scope="&scope=read",
        wanted={grant: {"expires_in": "1800", "refresh_token_expires_in": "2592000"} for grant in ("authorization_code", "refresh_token")},
        user="example.zendesk.com/api/v2/users/me.json", nested="user", call=("tickets.json", "example.zendesk.com/api/v2/tickets.json"),
        variables={"subdomain": "example"},
    ),
    "huggingface": Rules(
        "huggingface.co/oauth/authorize", "huggingface.co/oauth/token", "none", "&scope=openid%20profile", issuer="https://huggingface.co",
        keys="huggingface.co/oauth/jwks", user="huggingface.co/oauth/userinfo", call=("whoami-v2", "huggingface.co/api/whoami-v2"),
    ),
    "zoom-public": Rules(
        "zoom.us/oauth/authorize", "zoom.us/oauth/token", "none", user="api.zoom.us/v2/users/me", call=("users", "api.zoom.us/v2/users"),
    ),
    "slack-user-pkce": Rules(
        "slack.com/oauth/v2/authorize", "slack.com/api/oauth.v2.access", "none", "&user_scope=chat%3Awrite%2Cusers%3Aread", answer={"ok": True},
        user="slack.com/api/users.identity", call=("team.info", "slack.com/api/team.info"), revocation="slack.com/api/auth.revoke", revoked=[{}],
        host="localhost",
    ),
    "tiktok-desktop": Rules(
        "www.tiktok.com/v2/auth/authorize/", "open.tiktokapis.com/v2/oauth/token/", scope="&scope=user.info.basic%2Cvideo.list", challenge="hex",
        client="client_key", answer={"open_id": "u-1"}, user="open.tiktokapis.com/v2/user/info/", call=("video/list/", "open.tiktokapis.com/v2/video/list/"),
        revocation="open.tiktokapis.com/v2/oauth/revoke/", revoked=[{"token": "at"}],
    ),
    "okta-org": Rules(
        f"{OKTA}/authorize", f"{OKTA}/token", "basic", "&scope=openid%20offline_access", issuer="https://example.okta.com", keys=f"{OKTA}/keys",
        user=f"{OKTA}/userinfo", call=("users", "example.okta.com/api/v1/users"), revocation=f"{OKTA}/revoke",
        revoked=[{"token": "rt"}, {"token": "at"}], variables={"domain": "example.okta.com"},
    ),
}
# Presets of a description's own default scopes, where the test names none.
SCOPES = {
    "pinterest": ["boards:read", "pins:read"], "kakao": ["account_email", "gender"], "cognito": ["openid", "email"],
    "slack-user-pkce": ["chat:write", "users:read"], "tiktok-desktop": ["user.info.basic", "video.list"],
}


class Strict(Provider):
    """A provider with these rules. It notes in `faults` each request that breaks one, and answers it with an error."""

    def __init__(self, rules: Rules):
        self.rules, self.faults, self.count, self.challenge, self.nonce = rules, [], 0, None, None
        self.revoked: list[dict] = []
        super().__init__(self.respond)

    def look_at(self, url: str) -> None:
        """The user looks at the page and approves."""
        rules, query = self.rules, browser.query(url)
        self.challenge, self.nonce = query.get("code_challenge"), query.get("nonce")
        written = rf"{re.escape(self.url)}/{re.escape(rules.page)}\?response_type=code&{rules.client}=c&redirect_uri=http%3A%2F%2F{rules.host}%3A\d+"
        assert re.match(rf"{written}%2Fcallback{re.escape(rules.scope)}&state=", url), url
        assert (self.challenge is None) == (rules.challenge == "off") and "+" not in url, url
        browser.deliver(redirect(url, code="the-code"))

    def respond(self, request: Request) -> Response:
        address = request.target.removeprefix("/")
        form = browser.query("?" + request.body.decode())
        fault = None
        if address == self.rules.keys:
            return Response.of(json.loads(KEY_SET))
        if address == self.rules.revocation and form.get("grant_type") in (None, "delete"):
            fault = self.fault_in_client(request, form) if self.rules.revoked != [{}] else None
            self.revoked.append({name: value for name, value in form.items() if name not in ("client_id", "client_key", "client_secret", "token_type_hint")})
            answer = {"ok": True}
        elif address == self.rules.token:
            fault = self.fault_in_client(request, form) or self.fault_in_grant(form)
            answer = self.tokens()
        else:
            fault = None if request.headers.get("Authorization") == f"{self.rules.scheme} at-{self.count}" else "no token of this scheme"
            claims = {"sub": "u-1", "name": "Ada"}
            answer = {self.rules.nested: claims, "status": "ok"} if self.rules.nested and address == self.rules.user else claims
        if fault:
            self.faults.append(f"{fault}: {request}")
            return Response.of({"error": "invalid_request", "error_description": fault, "ok": False}, 400)
        return Response.of(answer)

    def fault_in_client(self, request: Request, form: dict) -> str | None:
        given = (form.get(self.rules.client), form.get("client_secret"), request.headers.get("Authorization"))
        wanted = {"body": ("c", "s3cret", None), "basic": (None, None, BASIC), "none": ("c", None, None)}[self.rules.secret]
        return None if given == wanted else f"the client is {given}"

    def fault_in_grant(self, form: dict) -> str | None:
        grant = form["grant_type"]
        if any(form.get(name) != value for name, value in self.rules.wanted.get(grant, {}).items()):
            return "a parameter is missing"
        if grant == "refresh_token":
            return None if self.rules.refreshes and form["refresh_token"] == f"rt-{self.count}" else "not the last refresh token"
        verifier = hashlib.sha256(form.get("code_verifier", "").encode())
        proof = {"plain": encode(verifier.digest()), "hex": verifier.hexdigest(), "off": None}[self.rules.challenge]
        return None if form["code"] == "the-code" and proof == self.challenge and ("code_verifier" in form) == (proof is not None) else "no proof"

    def tokens(self) -> dict:
        self.count += 1
        tokens = {"access_token": f"at-{self.count}", "token_type": "bearer", "expires_in": 3600}
        if self.rules.refreshes:
            tokens["refresh_token"] = f"rt-{self.count}"
        if self.rules.issuer and self.count == 1:
            tokens["id_token"] = self.id_token(self.rules.issuer)
        answer = json.loads(json.dumps(self.rules.answer).replace("{url}", self.url))
        # Slack's first response has the user's token inside, and later ones do not.
        tokens = {"authed_user": {"id": "U1", **tokens}} if self.rules.page.startswith("slack") and self.count == 1 else tokens
        return {name: value for name, value in {**tokens, **answer}.items() if value is not None}

    def id_token(self, issuer: str) -> str:
        if not self.rules.hs256:
            return sign({"nonce": self.nonce}, issuer)
        token = sign({"nonce": self.nonce}, issuer, alg="HS256")
        signed = token.rpartition(".")[0]
        return f"{signed}.{encode(hmac.new(b's3cret', signed.encode(), 'sha256').digest())}"


def moved(name: str, server: Strict) -> dict:
    """The preset with the test server's address before each host."""
    members = {
        member: text.replace("https://", f"{server.url}/", 1)
        for member, text in PRESETS[name].items()
        if (member.endswith("Endpoint") or member in ("apiBase", "jwksUri")) and text.startswith("https://")
    }
    hosts = {"apiHosts": [f"127.0.0.1:{server.port}"]} | ({"endpointHosts": [f"127.0.0.1:{server.port}"]} if name == "pipedrive" else {})
    return {"preset": name, **members, **hosts}


@pytest.mark.parametrize("name", RULES)
def test_a_preset_signs_in_as_its_provider_wants_it(peer, name):
    rules = RULES[name]
    with Strict(rules) as server:
        asked = {"account": "a", "provider": moved(name, server), "clientId": "c", "variables": rules.variables, "openBrowser": False}
        if rules.secret != "none":
            asked["clientSecret"] = "s3cret"
        if PRESETS[name]["redirectPolicy"] == "pinnedPort":
            asked["redirectUri"] = f"http://{rules.host}:{reserve_port()}/callback"
        if name in SCOPES:
            asked["scopes"] = SCOPES[name]
        granted = authorize(peer, server.look_at, **asked)
        assert granted["canRefresh"] == rules.refreshes and granted.get("subject") == ("u-1" if rules.issuer else None), granted
        if rules.user:
            assert peer.request("userInfo", {"account": "a"})["claims"] == {"sub": "u-1", "name": "Ada"}
        if rules.call:
            assert peer.request("callAPI", {"account": "a", "url": rules.call[0]})["status"] == 200
            assert server.requests[-1].target == f"/{rules.call[1]}"
        if rules.refreshes:
            for count in (2, 3):
                assert peer.request("refresh", {"account": "a", "force": True})["refreshed"] is True and server.count == count
        assert peer.request("revoke", {"account": "a"})["remote"] == ("revoked" if rules.revocation else "unsupported")
        last = {"at": f"at-{server.count}", "rt": f"rt-{server.count}"}
        assert server.revoked == [{member: last.get(value, value) for member, value in form.items()} for form in rules.revoked]
        assert server.faults == []


# Sources

# Presets without a user's sign-in. test_service_accounts.py has their tests.
APPS = {"github-app"}
# A description's own words, which state nothing about the provider.
WORDS = {"name", "preset", "protocol", "variables", "variablesByHost", "reasons", "unconfirmed", "sources"}
# Presets of protocols other than OAuth 2.0, whose tests have their providers' examples.
WITHOUT_SOURCES = {name for name, preset in PRESETS.items() if preset.get("protocol", "oauth2") != "oauth2"}


@pytest.mark.parametrize("name", sorted(set(PRESETS) - WITHOUT_SOURCES))
def test_every_fact_has_a_source_or_a_doubt(peer, name):
    """`*` stands for all facts of which no other source is told and that are not doubted."""
    preset = PRESETS[name]
    sources, facts = preset["sources"], set(preset) - WORDS
    for source, members in sources.items():
        assert re.fullmatch(r"[!-~ ]+, 20\d\d-\d\d(-\d\d)?", source), source
        assert set(members) <= facts | {"*"} and not any(count > 1 for count in Counter(members).values()), source
    stated = {member for members in sources.values() for member in members}
    assert "*" in stated or facts - stated <= set(preset.get("unconfirmed", [])), name
    # A new preset says of each fact where it comes from.
    assert ("*" in stated) != (name in RULES or name in APPS), name


def test_the_sources_are_shown(peer):
    described = peer.request("provider", {"provider": "kakao"})
    assert described["sources"] == PRESETS["kakao"]["sources"] and described["unconfirmed"] == PRESETS["kakao"]["unconfirmed"]


def test_the_doubts_become_fewer():
    """Lists and documents have confirmed some facts of the 72 presets of November 2026."""
    marks = [len(preset.get("unconfirmed", [])) for name, preset in PRESETS.items() if name not in RULES and name not in APPS]
    assert len(marks) == 72 and sum(marks) <= 467

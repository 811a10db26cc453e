#!/usr/bin/env python3
"""Simulates a user with a browser: signs in, consents or denies, and opens the redirect.

`browser.py AUTHORIZATION_URL` prints the redirect and opens it. DENY=1 denies, DELIVER=0 only prints.
"""

import html.parser
import http.cookiejar
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field

USER, PASSWORD = "user1", "password"


@dataclass
class Page:
    url: str
    status: int
    headers: object
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    @property
    def location(self) -> str | None:
        """The absolute URL of a redirect."""
        if self.status not in (301, 302, 303, 307, 308) or "Location" not in self.headers:
            return None
        return urllib.parse.urljoin(self.url, self.headers["Location"])


@dataclass
class Form:
    action: str
    method: str
    fields: dict = field(default_factory=dict)


class FormParser(html.parser.HTMLParser):
    """Collects a page's forms with the values that they send."""

    def __init__(self, page: Page):
        super().__init__()
        self.page = page
        self.forms: list[Form] = []
        self.feed(page.text)

    def handle_starttag(self, tag, attributes):
        attribute = {name: value or "" for name, value in attributes}
        if tag == "form":
            action = urllib.parse.urljoin(self.page.url, attribute.get("action", ""))
            self.forms.append(Form(action, attribute.get("method", "get").lower()))
        elif tag == "input" and self.forms and attribute.get("name"):
            kind = attribute.get("type", "text").lower()
            if kind not in ("submit", "image", "button") and (kind not in ("checkbox", "radio") or "checked" in attribute):
                self.forms[-1].fields[attribute["name"]] = attribute.get("value", "")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None


class Browser:
    """One session. It keeps cookies, follows redirects itself and uses no proxy."""

    def __init__(self, accept_language: str = "en"):
        self.accept_language = accept_language
        self.opener = urllib.request.build_opener(
            NoRedirect,
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()),
            urllib.request.ProxyHandler({}),
        )

    def request(self, method: str, url: str, form: dict | None = None, json_body=None, referer: str = "") -> Page:
        headers = {"Accept": "text/html,*/*", "Accept-Language": self.accept_language}
        data = None
        if referer:
            headers["Referer"] = referer
        if form is not None:
            data = urllib.parse.urlencode(form).encode()
        elif json_body is not None:
            data = json.dumps(json_body).encode()
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(url, data=data, headers=headers, method=method)
        try:
            answer = self.opener.open(request, timeout=60)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            return Page(url, answer.status, answer.headers, answer.read())

    def get(self, url: str) -> Page:
        return self.request("GET", url)

    def sign_in(self, authorization_url: str, deny: bool = False, redirect_uri: str | None = None) -> str:
        """Completes the sign-in and returns the redirect to the client. OAuth 1.0a's URL does not contain its target."""
        redirect_uri = redirect_uri or query(authorization_url)["redirect_uri"]
        page = self.get(authorization_url)
        for _ in range(20):
            target = page.location
            if target is None:
                page = self.fill_in(page, deny)
            elif target.split("?")[0].split("#")[0] == redirect_uri.split("?")[0]:
                return target
            elif "/login.html" in target:
                page = self.sign_in_by_script(target, deny)
            else:
                page = self.get(target)
        raise RuntimeError(f"no end of redirects, last at {page.url}")

    def read_verifier(self, authorization_url: str) -> str:
        """Completes the sign-in up to the page with the code that the user has to type."""
        page = self.get(authorization_url)
        for _ in range(5):
            shown, _, verifier = page.text.partition("verifier: ")
            if verifier:
                return verifier
            page = self.get(page.location) if page.location else self.fill_in(page, deny=False)
        raise RuntimeError(f"no verifier at {page.url}: {page.text[:500]}")

    def fill_in(self, page: Page, deny: bool) -> Page:
        """Submits the page's login or consent form."""
        form = next((form for form in FormParser(page).forms if form.method == "post"), None)
        if page.status != 200 or form is None:
            raise RuntimeError(f"stuck at {page.url}: {page.status} {page.text[:500]}")
        filled = dict(form.fields)
        if "password" in filled:
            filled.update(username=USER, password=PASSWORD)
        elif not deny:
            filled["allow"] = "Authorize"
        return self.request("POST", form.action, form=filled, referer=page.url)

    def sign_in_by_script(self, login_url: str, deny: bool) -> Page:
        """Does the same as the script on glewlwyd's login page."""
        given = query(login_url)
        origin = "/".join(login_url.split("/")[:3])
        answer = self.request("POST", origin + "/api/auth/", json_body={"username": USER, "password": PASSWORD})
        if answer.status != 200:
            raise RuntimeError(f"login refused: {answer.status} {answer.text[:200]}")
        scope = "" if deny else given.get("scope", "")
        client_id = urllib.parse.quote(given.get("client_id", ""), safe="")
        self.request("PUT", f"{origin}/api/auth/grant/{client_id}", json_body={"scope": scope})
        callback = given["callback_url"]
        return self.get(callback + ("&" if "?" in callback else "?") + "g_continue")


def query(url: str) -> dict:
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query, keep_blank_values=True))


def deliver(redirect: str, accept_language: str = "en") -> Page:
    """Opens the redirect as the browser would, but only on this machine."""
    host = urllib.parse.urlsplit(redirect).hostname
    if host not in ("127.0.0.1", "localhost", "::1"):
        raise ValueError(f"{host} is not this machine")
    page = Browser(accept_language).get(redirect)
    # Another process of the user has the sign-in.
    return deliver(page.location, accept_language) if page.status == 307 else page


if __name__ == "__main__":
    redirect = Browser().sign_in(sys.argv[1], deny=os.environ.get("DENY") == "1")
    print(redirect)
    if os.environ.get("DELIVER") != "0":
        print(deliver(redirect).text, file=sys.stderr)

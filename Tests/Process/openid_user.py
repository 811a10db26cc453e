"""A user of an OpenID 2.0 provider: the provider's pages, and the response by GET or by a form."""

import urllib.parse
from dataclasses import dataclass

import browser


@dataclass
class Answer:
    """The browser's request to `return_to`. `form` is set if the provider's response is a form that submits itself (5.2.2)."""

    url: str
    form: dict | None = None

    @property
    def parameters(self) -> dict:
        return {**browser.query(self.url), **(self.form or {})}

    @property
    def as_get(self) -> str:
        return self.url if self.form is None else self.url + ("&" if "?" in self.url else "?") + urllib.parse.urlencode(self.form)

    def deliver(self) -> browser.Page:
        return browser.Browser().request("POST" if self.form is not None else "GET", self.url, form=self.form)

    def changed(self, **fields) -> str:
        """Returns the response as a URL with these OpenID fields replaced. `None` removes a field. A dot in a name is written as __."""
        parameters = browser.query(self.as_get)
        for name, value in fields.items():
            parameters["openid." + name.replace("__", ".")] = value
        kept = {name: value for name, value in parameters.items() if value is not None}
        return self.url.split("?")[0] + "?" + urllib.parse.urlencode(kept)


def sign_in(url: str, deny: bool = False) -> Answer:
    """Signs in as the user and returns the response without delivering it."""
    return_to = browser.query(url)["openid.return_to"].split("?")[0]
    user = browser.Browser()
    page = user.get(url)
    for _ in range(10):
        target = page.location
        if target is not None and target.split("?")[0] == return_to:
            return Answer(target)
        if target is not None:
            page = user.get(target)
            continue
        form = browser.FormParser(page).forms[0]
        if form.action.split("?")[0] == return_to:
            return Answer(form.action, form.fields)
        page = user.fill_in(page, deny)
    raise RuntimeError(f"no end at {page.url}")


def approve(url: str) -> None:
    sign_in(url).deliver()

"""Lines with placeholders: `<<name:kind>>` binds a value at its first use. Later uses must be equal.

`<<name>>` is a bound value, and `<<name?item>>` a query item of a bound URL. The name `_` is never bound, so it fits every value of its kind.
The kind `in3600` is a timestamp that many seconds from now.
"""

import json
import re
import time
import urllib.parse

from ports import reserve_port

KINDS = {
    "int": r"-?\d+",
    "port": r"\d{1,5}",
    "b64url": r"[A-Za-z0-9_-]+",
    "uuid": r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}",
    "word": r"[A-Za-z0-9._~-]+",
    "url": r'[^"\\\s<>]+',
    "any": r'(?:[^"\\]|\\.)*',
    "rest": r".*",
}
# A timestamp that was computed some seconds ago still fits, because test machines are slow.
SLACK = 60
PLACEHOLDER = re.compile(r"<<(\w+)(?::(\w+))?(?:\?(\w+))?>>")


class TemplateError(Exception):
    pass


def bound_value(match: re.Match, bound: dict) -> str | None:
    """Returns the placeholder's value, or None if it is unbound."""
    name, kind, item = match.groups()
    if name not in bound:
        if kind is None or item:
            raise TemplateError(f"nothing was taken as {name}")
        if kind not in KINDS and not re.fullmatch(r"in\d+", kind):
            raise TemplateError(f"there is no kind {kind}")
        return None
    if not item:
        return bound[name]
    # The value is from JSON text, where a URL may be escaped.
    url = json.loads(f'"{bound[name]}"')
    items = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query, keep_blank_values=True))
    if item not in items:
        raise TemplateError(f"{url} has no {item}")
    return items[item]


def pattern(text: str, bound: dict) -> re.Pattern:
    """Returns a regular expression with a group for each unbound value."""
    parts, free, end = [], set(), 0
    for match in PLACEHOLDER.finditer(text):
        parts.append(re.escape(text[end : match.start()]))
        end = match.end()
        name, kind = match[1], match[2]
        if name == "_":
            name = f"_{len(parts)}"
            free.add(name)
            parts.append(f"(?P<{name}>{KINDS.get(kind, KINDS['int'])})")
        elif name in free and not match[3]:
            parts.append(f"(?P={name})")
        elif (value := bound_value(match, bound)) is not None:
            # A query item may appear again in a form or a query, encoded.
            spellings = {value, urllib.parse.quote(value, safe=""), urllib.parse.quote(value)} if match[3] else {value}
            parts.append("(?:" + "|".join(re.escape(spelling) for spelling in sorted(spellings)) + ")")
        else:
            free.add(name)
            parts.append(f"(?P<{name}>{KINDS.get(kind, KINDS['int'])})")
    return re.compile("".join(parts) + re.escape(text[end:]), re.DOTALL)


def fits(text: str, got: str, bound: dict) -> bool:
    """Whether `got` fits `text`. If it does, the new values are bound."""
    match = pattern(text, bound).fullmatch(got)
    if match is None:
        return False
    now = time.time()
    for placeholder, value in zip(taken(text, bound), match.groupdict().values(), strict=True):
        if placeholder[2].startswith("in") and placeholder[2] != "int":
            if not -SLACK <= int(value) - now - int(placeholder[2][2:]) <= 1:
                return False
    bound.update({name: value for name, value in match.groupdict().items() if not name.startswith("_")})
    return True


def taken(text: str, bound: dict) -> list[re.Match]:
    """Returns the placeholders that bind a value, in order."""
    free, found = set(), []
    for match in PLACEHOLDER.finditer(text):
        name = match[1]
        if name == "_" or (name not in bound and name not in free and not match[3]):
            free.add(name)
            found.append(match)
    return found


def fill(text: str, bound: dict) -> str:
    """Returns the text with its values filled in. An unbound port becomes a free one."""

    def value(match: re.Match) -> str:
        known = bound_value(match, bound)
        if known is not None:
            return known
        if match[2] != "port":
            raise TemplateError(f"{match[0]} has no value to send")
        bound[match[1]] = str(reserve_port())
        return bound[match[1]]

    return PLACEHOLDER.sub(value, text)


# Recording

# Members whose values vary from run to run, for lines recorded for the first time.
VOLATILE = {"url": "url", "signIn": "word", "id": "word"}
# Query and form items that vary from run to run.
SECRET_ITEMS = {"state", "nonce", "code_verifier", "code_challenge"}
# Marks a placeholder outside a string, where JSON has a number.
BARE = "\ue000"


def record(text: str, got: str, bound: dict) -> str:
    """Returns the line `text` rewritten to match `got`. It keeps every placeholder that still fits and binds its value."""
    try:
        actual = json.loads(got)
        compact = json.dumps(actual, ensure_ascii=False, separators=(",", ":"))
    except ValueError:
        return got
    if compact != got:
        return got
    try:
        old = json.loads(quoted_bare(text))
    except ValueError:
        old = None
    merged = json.dumps(merge(old, actual, bound), ensure_ascii=False, separators=(",", ":"))
    line = re.sub(f'"{BARE}(<<.*?>>)"', r"\1", merged)
    return line if fits(line, got, bound) else got


def record_request(text: str, got: str, bound: dict) -> str:
    """Returns the request line rewritten to match `got`. Query and form items keep placeholders that still fit."""
    old = dict(re.findall(r"(\w+)=((?:<<.*?>>|[^&\s])*)", text))

    def item(match: re.Match) -> str:
        name, value = match.groups()
        kept = old.get(name, "")
        if "<<" not in kept and name in SECRET_ITEMS:
            kept = f"<<{name}:b64url>>"
        if "<<" in kept and fits(kept, value, dict(bound)):
            fits(kept, value, bound)
            return f"{name}={kept}"
        return match[0]

    line = re.sub(r"(\w+)=([^&\s]*)", item, got)
    for name, value in bound.items():
        if len(value) >= 8:
            line = line.replace(value, f"<<{name}>>")
    return line


def quoted_bare(text: str) -> str:
    """Returns the template as JSON, with quotes around bare placeholders."""
    result, in_string, end = [], False, 0
    for match in re.finditer(r'\\.|"|<<.*?>>', text):
        token = match[0]
        result.append(text[end : match.start()])
        end = match.end()
        if token == '"':
            in_string = not in_string
        result.append(f'"{BARE}{token}"' if token.startswith("<<") and not in_string else token)
    return "".join(result) + text[end:]


def merge(old, new, bound: dict, path: tuple = ()):
    """Returns the tree `new` with the placeholders of `old` that still fit, and new ones for volatile values."""
    if isinstance(new, dict):
        olds = old if isinstance(old, dict) else {}
        return {key: merge(olds.get(key), value, bound, (*path, key)) for key, value in new.items()}
    if isinstance(new, list):
        olds = old if isinstance(old, list) else []
        return [merge(olds[index] if index < len(olds) else None, value, bound, (*path, index)) for index, value in enumerate(new)]
    text = json.dumps(new, ensure_ascii=False).strip('"') if isinstance(new, str) else str(new)
    if isinstance(old, str) and "<<" in old and not isinstance(new, bool):
        is_bare = old.startswith(BARE)
        if is_bare == isinstance(new, int) and fits(old.removeprefix(BARE), text, dict(bound)):
            return old
    # The message's own id is chosen by the test.
    name = path[-1] if len(path) > 1 else ""
    if name == "expiresAt" and isinstance(new, int):
        # The timestamp was computed moments ago from a round lifetime.
        return f"{BARE}<<_:in{round((new - time.time()) / 10) * 10}>>"
    if isinstance(new, str):
        is_secret = name in VOLATILE and new not in bound.values() and (name != "url" or "state=" in new)
        if is_secret and re.fullmatch(KINDS[VOLATILE[name]], text):
            return f"<<{unused(name, bound)}:{VOLATILE[name]}>>"
        # Longest values first, because a provider's URL begins with the provider.
        for known, value in sorted(bound.items(), key=lambda item: -len(item[1])):
            # Short values would match by chance.
            if len(value) >= 8 and value in new:
                new = new.replace(value, f"<<{known}>>")
    return new


def unused(name: str, bound: dict) -> str:
    """Returns `url`, else `url2` and so on."""
    name = "signIn" if name == "id" else name
    numbers = (f"{name}{number or ''}" for number in (0, *range(2, 100)))
    return next(candidate for candidate in numbers if candidate not in bound)

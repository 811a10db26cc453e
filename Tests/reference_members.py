"""Formats members of a JSON Schema as Markdown bullets: the name, the possible values, and the description."""

import json
import re
import textwrap

WIDTH = 160
DOTTED_PATH = r"^[^.]+(\.[^.]+)*$"
PLURALS = {kind: f"{kind}s" for kind in ("string", "integer", "boolean", "object", "dotted path")}


def anchor(heading: str) -> str:
    """GitHub's anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def link(name: str) -> str:
    return f"[`{name}`](#{anchor(name)})"


def escaped(text: str) -> str:
    """Escapes text for Markdown, except code between backticks."""
    parts = text.split("`")
    return "`".join(part if index % 2 else re.sub(r"([*<])", r"\\\1", part) for index, part in enumerate(parts))


def wrapped(text: str, start: str = "", indent: str = "") -> list[str]:
    lines = textwrap.wrap(text, WIDTH, initial_indent=start, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    # A continued line must not start like a list or a heading.
    return [lines[0], *(re.sub(r"^(\s*)([-+*#>]|\d+[.)])(?= )", r"\1\\\2", line) for line in lines[1:])]


def shown(start: str, value) -> list[str]:
    """JSON in lines for a code block."""
    text = json.dumps(value, ensure_ascii=False)
    return textwrap.wrap(text, WIDTH, initial_indent=start, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def listed(words: list[str]) -> str:
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def bounds(schema: dict) -> str:
    """The limits of a number or a text, as words after its type."""
    low, high, length = schema.get("minimum"), schema.get("maximum"), schema.get("maxLength")
    text = ""
    if low is not None:
        text += f" from {low}"
    if high is not None:
        text += f" to {high}"
    if length is not None:
        text += f" of {schema.get('minLength', 0)} to {length} characters"
    if "pattern" in schema:
        text += f" that matches `{schema['pattern']}`"
    return text


def is_small(schema: dict) -> bool:
    """Whether an object is shown in its member's own line, because its members have no descriptions."""
    properties = schema.get("properties", {})
    return bool(properties) and not any("description" in member or "properties" in member for member in properties.values())


class Members:
    """Shows the members of one document and follows its references."""

    def __init__(self, document: dict, events: list[str] = ()):
        self.document = document
        self.events = events
        # The objects that are described elsewhere, with a singular and a plural name for each.
        self.known: list[tuple[set, str, str]] = []

    def know(self, schema: dict, one: str, several: str) -> None:
        self.known.append((set(schema["properties"]), one, several))

    def place(self, schema: dict) -> tuple[str, str] | None:
        """The names for an object that is described elsewhere."""
        names = set(schema.get("properties", {}))
        return next(((one, several) for known, one, several in self.known if known == names), None)

    def resolved(self, schema: dict) -> dict:
        """Returns the schema that a reference inside the document points to."""
        while "$ref" in schema:
            target = self.document
            for step in schema["$ref"].removeprefix("#/").split("/"):
                target = target[step]
            schema = {**target, **{name: value for name, value in schema.items() if name != "$ref"}}
        return schema

    def choices(self, schema: dict) -> list[dict]:
        """The possible values, without null, which every optional member allows."""
        schema = self.resolved(schema)
        if "anyOf" in schema:
            return [choice for inner in schema["anyOf"] for choice in self.choices(inner)]
        return [] if schema.get("type") == "null" else [schema]

    def kind(self, schema: dict) -> str:
        """The possible values, in a few words."""
        return listed([word for choice in self.choices(schema) for word in self.words(choice)])

    def kinds(self, schema: dict) -> str:
        """The same as a plural."""
        choices = self.choices(schema)
        if len(choices) == 1 and (place := self.place(choices[0])):
            return place[1]
        kind = self.kind(schema)
        return PLURALS.get(kind) or (kind if kind.isalpha() or kind == "any JSON" or kind.startswith("names") else f"({kind})")

    def words(self, schema: dict) -> list[str]:
        values = [value for value in schema.get("enum", [schema["const"]] if "const" in schema else []) if value is not None]
        if values:
            return ["names of [events](#events)"] if values == self.events else [f"`{value}`" for value in values]
        types = schema.get("type", [])
        types = [kind for kind in ([types] if isinstance(types, str) else types) if kind != "null"]
        if types == ["array"]:
            return [f"array of {self.kinds(schema.get('items', {}))}"]
        if types == ["object"]:
            return [self.object_words(schema)]
        if schema.get("pattern") == DOTTED_PATH:
            return ["dotted path"]
        return [kind + bounds(schema) for kind in types] or ["any JSON"]

    def object_words(self, schema: dict) -> str:
        if place := self.place(schema):
            return place[0]
        if is_small(schema):
            return "`{" + ", ".join(f'"{name}": {self.kind(member)}' for name, member in schema["properties"].items()) + "}`"
        values = schema.get("additionalProperties")
        return f"object of {self.kinds(values)}" if values and "properties" not in schema else "object"

    def inner(self, schema: dict) -> dict | None:
        """The object whose members are shown below this member."""
        for choice in self.choices(schema):
            if "properties" in choice:
                if not self.place(choice) and not is_small(choice):
                    return choice
                continue
            for part in ("items", "additionalProperties"):
                if isinstance(choice.get(part), dict) and (found := self.inner(choice[part])):
                    return found
        return None

    def meanings(self, schema: dict) -> list[tuple[str, str]]:
        """The words of an enum that have descriptions, with these. OpenRPC and editors have different names for the descriptions."""
        found = []
        for choice in self.choices(schema):
            texts = choice.get("x-enum-descriptions") or choice.get("enumDescriptions") or []
            found += [(word, text) for word, text in zip(choice.get("enum", []), texts) if text]
        return found

    def bullet(self, name: str, schema: dict, is_required: bool, description: str | None = None, indent: str = "") -> list[str]:
        """The lines of a member and, below it, of its own members."""
        whole = self.resolved(schema)
        description = description or whole.get("description")
        facts = self.kind(schema) + (f", default `{json.dumps(whole['default'], ensure_ascii=False)}`" if "default" in whole else "")
        text = f"`{name}{'' if is_required else '?'}` ({facts})" + (f": {escaped(description)}" if description else "")
        inner = self.inner(schema)
        lines = wrapped(text, f"{indent}* ", f"{indent}  ")
        for word, meaning in self.meanings(schema):
            lines += wrapped(f"`{word}`: {escaped(meaning)}", f"{indent}  * ", f"{indent}    ")
        return lines + (self.bullets(inner, f"{indent}  ") if inner else [])

    def bullets(self, schema: dict, indent: str = "", without: set = frozenset()) -> list[str]:
        required = schema.get("required", [])
        members = [(name, member) for name, member in schema["properties"].items() if name not in without]
        return [line for name, member in members for line in self.bullet(name, member, name in required, indent=indent)]

"""The key or the text at the cursor, and the keywords that the parser would accept there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from croupier.authoring.fmt.kinds import is_scenarios, kinds_of
from croupier.diagnostics import JsonObject, Source
from croupier.scenarios.document import json_schema as scenario_schema
from croupier.schema.export import json_schema
from croupier.source import RuleText, YamlMapping, YamlNode, YamlScalar, YamlSequence, read
from croupier.syntax.lines import mask
from croupier.syntax.parser import accepted, lark_parser


# ---------------------------------------------------------------- places
# The place of an offset in a document: the keys above it, whether it is on a key or in a value, and its JSON
# Schema.
@dataclass(frozen=True)
class CursorPlace:
    """`path`: the keys above, with `None` for a list; `key`: the key at or before the offset; `taken`: the
    keys that stand beside it.
    """

    path: tuple[str | None, ...]
    on_key: bool
    key: YamlScalar | None
    node: YamlNode
    taken: frozenset[str]
    scenarios: bool
    model: str  # what the file is: `RulesetDoc`, `VariantDoc`, `ModuleDoc`
    starts: tuple[str, ...]  # the kinds of rule text that may stand here

    @property
    def variant(self) -> bool:
        """Tell whether the file is a variant."""
        return self.model == "VariantDoc"

    @property
    def rule(self) -> bool:
        """Tell whether rule text stands here."""
        return bool(self.starts)


def at_place(source: Source, offset: int) -> CursorPlace | None:
    """The place of an offset; `None` if the text is not YAML or nothing stands there."""
    root, _ = read(source)
    if root is None:
        return None
    found = _descend(root, offset, ())
    if found is None:
        return None
    path, on_key, key, node, taken = found
    keys = {entry.text for entry, _ in root.entries} if isinstance(root, YamlMapping) else set()
    if "extends" in keys:
        model = "VariantDoc"
    else:
        model = "ModuleDoc" if "module" in keys else "RulesetDoc"
    starts = kinds_of(root).starts(node) if isinstance(node, YamlScalar) and not on_key else ()
    if len(starts) > 1 and "module" in starts:  # rule text, whose kind the keys above tell for certain
        starts = ("module",) if path[:1] == ("definitions",) or "powers" in path else ("block",)
    return CursorPlace(path, on_key, key, node, taken, is_scenarios(root), model, starts)


_Found = tuple[tuple[str | None, ...], bool, YamlScalar | None, YamlNode, frozenset[str]]


def _descend(
    node: YamlNode, offset: int, path: tuple[str | None, ...], key: YamlScalar | None = None
) -> _Found | None:
    if isinstance(node, YamlMapping):
        beside = frozenset(k.text for k, _ in node.entries)
        for k, value in node.entries:
            if k.span.start <= offset <= k.span.end:
                return path, True, k, k, beside - {k.text}
            if value.span.start <= offset <= value.span.end and value.span.end > value.span.start:
                return _descend(value, offset, (*path, k.text), k)
        for k, value in node.entries:  # an empty value, behind its colon
            if value.span.start == value.span.end and k.span.end <= offset <= value.span.end + 1:
                return (*path, k.text), False, k, value, frozenset()
        return None
    if isinstance(node, YamlSequence):
        for item in node.items:
            if item.span.start <= offset <= item.span.end:
                return _descend(item, offset, (*path, None), key)
        return None
    return path, False, key, node, frozenset()


# ---------------------------------------------------------------- the JSON Schema
@lru_cache(maxsize=2)
def _schema(scenarios: bool) -> JsonObject:
    return scenario_schema() if scenarios else json_schema()


def schemas_at(path: tuple[str | None, ...], scenarios: bool, model: str) -> list[JsonObject]:
    """The schemas that a value under these keys may have: several where there is a choice."""
    whole = _schema(scenarios)
    definitions = whole["definitions"]
    here = [definitions["ScenarioFile" if scenarios else model]]
    for step in path:
        here = [inner for schema in here for inner in _step(schema, step, definitions)]
    return [plain for schema in here for plain in _plain(schema, definitions)]


def _plain(schema: object, definitions: JsonObject, depth: int = 0) -> Iterator[JsonObject]:
    """A schema without references and choices."""
    if not isinstance(schema, dict) or depth > 12:
        return
    if "$ref" in schema:
        yield from _plain(definitions[schema["$ref"].rsplit("/", 1)[1]], definitions, depth + 1)
        return
    inner = [*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())]
    for choice in inner:
        yield from _plain(choice, definitions, depth + 1)
    if not inner or "properties" in schema or "enum" in schema:
        yield schema


def _step(schema: object, step: str | None, definitions: JsonObject) -> Iterator[object]:
    for plain in _plain(schema, definitions):
        if step is None:
            if "items" in plain:
                yield plain["items"]
        elif step in plain.get("properties", {}):
            yield plain["properties"][step]
        elif isinstance(plain.get("additionalProperties"), dict):
            yield plain["additionalProperties"]


def keys_at(place: CursorPlace) -> dict[str, str]:
    """The keys that may stand at the place of a key, with what each is for."""
    found: dict[str, str] = {}
    for schema in schemas_at(place.path, place.scenarios, place.model):
        for key, inner in schema.get("properties", {}).items():
            found.setdefault(key, inner.get("description", ""))
    return found


def words_at(place: CursorPlace) -> list[str]:
    """The words that may stand as a value."""
    words: dict[str, None] = {}
    for schema in schemas_at(place.path, place.scenarios, place.model):
        words.update(dict.fromkeys(str(word) for word in schema.get("enum", ())))
        if schema.get("type") == "boolean":
            words.update(dict.fromkeys(("true", "false")))
    return list(words)


def describe_place(place: CursorPlace) -> str | None:
    """Return what the key at a place is for; `None` if there is no key."""
    return keys_at(place).get(place.key.text) if place.on_key and place.key is not None else None


__all__ = ["CursorPlace", "at_place", "describe_place", "keys_at", "schemas_at", "words_at"]


# ---------------------------------------------------------------- keywords
# The keywords of rule text, and which of them the parser would accept.
_LETTERS = re.compile(r"(?<!\\)\b[a-z]{2,}\b")
WORD_BEFORE = re.compile(r"\w*\Z")
_NO_WORDS = ("NAME", "INT", "STRING", "TRIVIA", "_NL")


@lru_cache(maxsize=1)
def terminals() -> dict[str, tuple[str, ...]]:
    """The words of each terminal of the grammar that can be written in letters: of `PLACE`, `bottom` and
    `top`.
    """
    found = {
        t.name: tuple(_LETTERS.findall(t.pattern.value.split("(?=")[0]))
        for t in lark_parser().terminals
        if t.name not in _NO_WORDS
    }
    return {name: words for name, words in found.items() if words}


@lru_cache(maxsize=1)
def keywords() -> tuple[str, ...]:
    """Every keyword."""
    return tuple(sorted({word for words in terminals().values() for word in words}))


@dataclass(frozen=True)
class AcceptedTokens:
    """The tokens that the parser would accept at an offset: the keywords, and whether a name."""

    keywords: tuple[str, ...]
    names: bool


def accepted_tokens(text: RuleText, starts: tuple[str, ...], offset: int) -> AcceptedTokens | None:
    """The tokens that the parser would accept in place of the word at an offset; `None` if the text before it
    has a mistake.

    `starts`: the kinds of rule text that this may be.
    """
    before = text.text[: rule_offset(text, offset)]
    word = WORD_BEFORE.search(before)
    before = before[: word.start()] if word is not None else before
    for code, start in _readings(before, starts):
        kinds = accepted(code, start)
        if kinds is not None:
            words = {word for kind in kinds for word in terminals().get(kind, ())}
            return AcceptedTokens(tuple(sorted(words)), "NAME" in kinds)
    return None


def rule_offset(text: RuleText, offset: int) -> int:
    """The offset in a rule text of an offset in its document."""
    here, there = max((pair for pair in text.lines if pair[1] <= offset), default=text.lines[0])
    return max(here, min(len(text.text), here + offset - there))


def _readings(before: str, starts: tuple[str, ...]) -> list[tuple[str, str]]:
    """The texts to parse, with their kinds: an open part of a template by itself, else all, else the last
    line.
    """
    line = before[before.rfind("\n") + 1 :]
    if mask(line).count('"') % 2:
        body = line[line.rfind('"') + 1 :]
        opened = _open_brace(body)
        return [] if opened is None else [(body[opened + 1 :], "expression")]
    return [
        *((before, start) for start in starts),
        *([(line.lstrip(), "block")] if {"block", "module"} & set(starts) else []),
    ]


def _open_brace(body: str) -> int | None:
    opened: list[int] = []
    for at, sign in enumerate(body):
        if sign == "{":
            opened.append(at)
        elif sign == "}" and opened:
            opened.pop()
    return opened[0] if opened else None

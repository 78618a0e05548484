"""The differences of two resolved rulesets, declaration by declaration.

Layout, comments, the order of keys and documentation make no difference; rule text is compared as it is
parsed. Each difference says what was there, what is there now, and where both stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from textwrap import dedent
from typing import Any, Literal, TypeAlias, TypeVar

from croupier.diagnostics import JsonObject, Span
from croupier.diagnostics.render import short_place
from croupier.resolve import DefinitionsText, ResolvedRuleset
from croupier.schema import (
    Audience,
    Component,
    Enumeration,
    Limits,
    Parameter,
    Phase,
    Players,
    Row,
    Table,
    Text,
    Value,
)
from croupier.schema.declaration import Declaration
from croupier.semantics.texts import listener_head, same_event, without_places
from croupier.source import YamlNode
from croupier.source.ruletext import RuleText
from croupier.source.splicing import SplicedText
from croupier.syntax import nodes as n
from croupier.syntax import parse_block, parse_declaration, parse_expression, parse_module
from croupier.syntax.steps import parts_of_module

Kind = Literal["added", "removed", "changed"]
MOST_LINES = 40
_BLANKS = re.compile(r'"[^"]*"|\s*(?<!\S)#.*|\s+')


def kind_of(before: object, after: object) -> Kind:
    """Return whether something was added, removed or changed; `None` stands for nothing."""
    if before is None:
        return "added"
    if after is None:
        return "removed"
    return "changed"


@dataclass(frozen=True)
class Difference:
    """A difference: `section` and `name` as in the file, `part` the part of it that differs (`type`,
    `default`, the id of a row and a column).

    `before` and `after` are the texts, `None` where there was or is nothing; the spans say where they stand.
    """

    kind: Kind
    section: str
    name: str
    part: str | None = None
    before: str | None = None
    after: str | None = None
    before_span: Span | None = None
    after_span: Span | None = None

    @property
    def words(self) -> str:
        """The difference in one line."""
        what = f"{self.section} `{self.name}`" if self.name else self.section
        if self.part is not None:
            what = f"{what}, {self.part}"
        if self.kind != "changed":
            value = self.after if self.kind == "added" else self.before
            return f"{what}: {self.kind}" + (f" ({value})" if value and "\n" not in value else "")
        if self.before is None or self.after is None or "\n" in self.before + self.after:
            return f"{what}: changed"
        return f"{what}: {self.before} → {self.after}"

    @property
    def lines(self) -> tuple[str, ...]:
        """For texts of several lines: what goes with `-`, what comes with `+`, without blank lines."""
        if (
            self.kind != "changed"
            or self.before is None
            or self.after is None
            or "\n" not in self.before + self.after
        ):
            return ()
        return first_lines(_changed_lines(_clean(self.before), _clean(self.after)))

    def to_json(self) -> JsonObject:
        """The difference for programs."""
        return {
            "kind": self.kind,
            "section": self.section,
            "name": self.name,
            "part": self.part,
            "before": self.before,
            "after": self.after,
            "before_place": short_place(self.before_span),
            "after_place": short_place(self.after_span),
            "words": self.words,
        }


def first_lines(lines: list[str]) -> tuple[str, ...]:
    """The first of some lines, and how many more there are."""
    more = len(lines) - MOST_LINES
    return (*lines[:MOST_LINES], f"… {more} more lines") if more > 0 else tuple(lines)


def _changed_lines(old: list[str], new: list[str]) -> list[str]:
    """The lines that went and came; blanks between words and comments make no difference."""
    found: list[str] = []
    for kind, a, b, c, d in SequenceMatcher(
        None, [*map(spaced, old)], [*map(spaced, new)], autojunk=False
    ).get_opcodes():
        if kind != "equal":
            found += [*(f"- {line}" for line in old[a:b]), *(f"+ {line}" for line in new[c:d])]
    return found


def spaced(line: str) -> str:
    """A line with one blank between words and no comment, but as it is in front of the first word and in
    texts.
    """
    code = line.lstrip()
    return (line[: len(line) - len(code)] + _BLANKS.sub(_narrow, code)).rstrip()


def _narrow(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith('"') else " "


def _clean(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip()]


# ---------------------------------------------------------------- rules
Key: TypeAlias = tuple[str, str, int]  # the kind of an item, its name, its number among those with that name
KINDS = {
    n.Def: "definition",
    n.Window: "window",
    n.Hook: "hook",
    n.Watch: "watcher",
    n.EndWhen: "watcher",
    n.AnyTime: "at any time",
}


def meaning(node: object) -> object:
    """A node without places, as it acts: that it replaces another, and how a text is written, is left out."""
    return without_places(node, ("replace", "raw"))


def same_text(old: Text, new: Text, parse: Callable[[object], tuple[object, object]]) -> bool:
    """Tell whether two rule texts mean the same; texts with mistakes do if they are written alike."""
    if old.text.split() == new.text.split() and old.text.splitlines() == new.text.splitlines():
        return True
    (first, bad), (second, worse) = parse(old.rule), parse(new.rule)
    return not bad and not worse and meaning(first) == meaning(second)


def whole(
    section: str,
    name: str,
    old: Text | None,
    new: Text | None,
    parse: Callable[[Any], tuple[Any, Any]] = parse_block,
) -> Iterator[Difference]:
    """One rule text against another."""
    if old is None or new is None:
        if old is not None or new is not None:
            yield _of_texts(section, name, None, old, new)
    elif not same_text(old, new, parse):
        rule = new.rule
        change = rule.change_within(0, len(rule.text)) if isinstance(rule, SplicedText) else None
        yield Difference("changed", section, name, None, old.text, new.text, old.span, change or new.span)


def expressions(section: str) -> Callable[[str, Text, Text], Iterator[Difference]]:
    """Named expressions: invariants."""
    return lambda name, old, new: whole(section, name, old, new, parse_expression)


# ---------------------------------------------------------------- phases
def phases(old: Sequence[tuple[Text, Phase]], new: Sequence[tuple[Text, Phase]]) -> Iterator[Difference]:
    """Phases by name, with the groups around them; then whether those that both have run in the same
    order.
    """
    before, after = dict(_walk(old, ())), dict(_walk(new, ()))
    for path, (name, phase) in before.items():
        if path not in after:
            yield Difference("removed", "phase", _path(path), before_span=name.span)
        else:
            yield from _phase(_path(path), phase, after[path][1])
    for path, (name, _) in after.items():
        if path not in before:
            yield Difference(
                "added", "phase", _path(path), None, None, _place(list(after), path), None, name.span
            )
    common, other = [p for p in before if p in after], [p for p in after if p in before]
    if common != other:
        moved = next(path for path, there in zip(other, common, strict=True) if path != there)
        yield Difference(
            "changed", "phase", _path(moved), "order", _place(list(before), moved), _place(list(after), moved)
        )


def _walk(
    phases: Sequence[tuple[Text, Phase]], outer: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], tuple[Text, Phase]]]:
    for name, phase in phases:
        yield (*outer, name.text), (name, phase)
        yield from _walk(phase.phases, (*outer, name.text))


def _phase(name: str, old: Phase, new: Phase) -> Iterator[Difference]:
    if old.text is not None or new.text is not None:
        yield from whole("phase", name, old.text, new.text)
    loops = (
        ("for", old.for_each, new.for_each),
        ("repeat until", old.repeat_until, new.repeat_until),
        ("repeat", old.repeat, new.repeat),
    )
    for word, before, after in loops:
        if _spaced(before) != _spaced(after):
            yield _of_texts("phase", name, word, before, after)


def _path(path: tuple[str, ...]) -> str:
    return " / ".join(path)


def _place(paths: list[tuple[str, ...]], path: tuple[str, ...]) -> str:
    """Return the place of a phase within its group, in words."""
    group = [p for p in paths if p[:-1] == path[:-1]]
    at = group.index(path)
    return f"after `{group[at - 1][-1]}`" if at else "first"


# ---------------------------------------------------------------- definitions, powers
def definitions(old: Sequence[DefinitionsText], new: Sequence[DefinitionsText]) -> Iterator[Difference]:
    """Definitions and windows by name, hooks and watchers by what they listen to; `replace` is followed."""
    before, after = ({key: item for key, (_, item) in _resolved(texts).items()} for texts in (old, new))
    yield from _items(before, after, new)


def in_force(texts: Sequence[DefinitionsText]) -> tuple[tuple[n.Item, ...], ...]:
    """For each section what holds there: an item that replaces another stands where that one stood, in the
    section of that one.
    """
    found = _resolved(texts).values()
    return tuple(tuple(item for section, item in found if section == place) for place in range(len(texts)))


def _items(
    before: dict[Key, n.Item], after: dict[Key, n.Item], texts: Sequence[DefinitionsText]
) -> Iterator[Difference]:
    """Items removed, changed and added; `texts` are the sections of those after."""
    for key, item in before.items():
        if key not in after:
            yield Difference("removed", key[0], key[1], before=_source(item), before_span=item.span)
        elif (other := after[key]) is not item and meaning(item) != meaning(other):
            revised = revised_item(texts, other)
            text, span = (_source(other), other.span) if revised is None else revised
            yield Difference("changed", key[0], key[1], None, _source(item), text, item.span, span)
    for key, item in after.items():
        if key not in before:
            yield Difference("added", key[0], key[1], after=_source(item), after_span=item.span)


def revised_item(texts: Sequence[DefinitionsText], item: n.Item) -> tuple[str, Span] | None:
    """The lines of an item within which a variant has changed something, and where; `None` of an item that
    stands in its file as it is.
    """
    for rule in (text.rule for text in texts):
        items = parsed_items(rule) if isinstance(rule, SplicedText) else ()
        number = next((number for number, other in enumerate(items) if other is item), None)
        parts = parts_of_module(rule) if number is not None else None
        if number is not None and parts is not None and isinstance(rule, SplicedText):
            part = parts[number]
            start, end = rule.text.rfind("\n", 0, part.start) + 1, rule.text.find("\n", part.end)
            lines = rule.text[start : len(rule.text) if end < 0 else end]
            return dedent(lines).rstrip() + "\n", rule.change_within(part.start, part.end) or item.span
    return None


def _resolved(texts: Sequence[DefinitionsText]) -> dict[Key, tuple[int, n.Item]]:
    """Every item with the number of the section in which it stands, or in which what it replaces stood."""
    found: dict[Key, tuple[int, n.Item]] = {}
    for place, text in enumerate(texts):
        for item in parsed_items(text.rule):
            replaced = _replaced(found, item)
            found[replaced or _key(found, item)] = (place if replaced is None else found[replaced][0], item)
    return found


@lru_cache(maxsize=256)
def parsed_items(rule: RuleText) -> tuple[n.Item, ...]:
    """The items of a text: a ruleset is compared with each of its variants, and all of them hold its
    texts.
    """
    return tuple(item for item in parse_module(rule)[0] if isinstance(item, n.Item))


def _replaced(found: dict[Key, tuple[int, n.Item]], item: n.Item) -> Key | None:
    """The key of what an item takes the place of."""
    if not getattr(item, "replace", None):
        return None
    kind, name = KINDS[type(item)], item_name(item)
    keys = [
        key for key, (_, old) in found.items() if key[0] == kind and (key[1] == name or _alike(old, item))
    ]
    exact = [key for key in keys if key[1] == name]
    return next(iter(exact or keys), None)


def _alike(one: n.Item, other: n.Item) -> bool:
    if isinstance(one, n.Hook) and isinstance(other, n.Hook):
        return same_event(one, other)
    return type(one) is type(other) and not isinstance(one, n.Def)


def _key(found: dict[Key, tuple[int, n.Item]], item: n.Item) -> Key:
    kind, name = KINDS[type(item)], item_name(item)
    return kind, name, sum(key[:2] == (kind, name) for key in found)


def item_name(item: n.Item) -> str:
    """Return the name of an item: that of a definition or window, or what a hook or watcher listens to."""
    if isinstance(item, (n.Def, n.Window)):
        return item.name
    if isinstance(item, n.AnyTime):
        return f"by {item.player}"
    assert isinstance(item, (n.Hook, n.Watch, n.EndWhen))
    return listener_head(item)


def powers(name: str, old: Component, new: Component) -> Iterator[Difference]:
    """The powers of the components of a class."""
    before, after = (
        {"" if id is None else id.text: text for id, text in component.all_powers} for component in (old, new)
    )
    for key in dict.fromkeys((*before, *after)):
        yield from whole("powers", f"{name} {key}".strip(), before.get(key), after.get(key), parse_module)


def _source(item: n.Item) -> str:
    """The lines of an item: from its head to the line before the next thing that is indented as little."""
    source, line = item.span.source, item.span.line
    indent = item.span.column - 1
    lines = [source.line(line)[indent:].removeprefix("replace ")]
    for number in range(line + 1, source.line_count + 1):
        text = source.line(number)
        if text.strip() and len(text) - len(text.lstrip()) <= indent:
            break
        lines.append(text[indent:])
    return "\n".join(lines).rstrip() + "\n"


def _of_texts(section: str, name: str, part: str | None, old: Text | None, new: Text | None) -> Difference:
    """The difference of two texts, one of which may not be there."""
    before, after = (None if text is None else text.text for text in (old, new))
    spans = (None if text is None else text.span for text in (old, new))
    return Difference(kind_of(old, new), section, name, part, before, after, *spans)


def _spaced(text: Text | None) -> str | None:
    return None if text is None else spaced(text.text)


# ---------------------------------------------------------------- things
T = TypeVar("T")
Named = Sequence[tuple[Text, T]]
QUIET = ("doc", "cites", "table", "powers", "values", "columns", "declaration")
Placed = tuple[str, Span | None]


def entries(
    section: str, old: Named[T], new: Named[T], inner: Callable[[str, T, T], Iterator[Difference]]
) -> Iterator[Difference]:
    """Entries removed, changed (by `inner`) and added, in the order of the old ones, then of the new ones."""
    before = {name.text: (name, thing) for name, thing in old}
    after = {name.text: (name, thing) for name, thing in new}
    for key, (name, thing) in before.items():
        if key not in after:
            yield Difference("removed", section, key, before_span=name.span)
        else:
            yield from inner(key, thing, after[key][1])
    for key, (name, _) in after.items():
        if key not in before:
            yield Difference("added", section, key, after_span=name.span)


def fields(section: str) -> Callable[[str, Any, Any], Iterator[Difference]]:
    """Return a function that yields the differences of two declarations of a section, key by key."""

    def compare(name: str, old: Declaration, new: Declaration) -> Iterator[Difference]:
        yield from pairs(section, name, _flat(old), _flat(new))
        yield from inside(section, name, old, new)

    return compare


def pairs(
    section: str, name: str, old: Mapping[str, Placed], new: Mapping[str, Placed]
) -> Iterator[Difference]:
    """Yield the differences of two tables of texts."""
    for part in dict.fromkeys((*old, *new)):
        (before, here), (after, there) = old.get(part, (None, None)), new.get(part, (None, None))
        if before is None or after is None:
            yield Difference(kind_of(before, after), section, name, part, before, after, here, there)
        elif " ".join(before.split()) != " ".join(after.split()):
            yield Difference("changed", section, name, part, before, after, here, there)


def inside(section: str, name: str, old: object, new: object) -> Iterator[Difference]:
    """Rows of a component's table, values of an enumeration."""
    if isinstance(old, Enumeration) and isinstance(new, Enumeration):
        yield from parts(section, name, "value", _values(old), _values(new))
    table, other = getattr(old, "table", None), getattr(new, "table", None)
    if isinstance(table, Table) or isinstance(other, Table):
        yield from parts(section, name, "row", _rows(table), _rows(other))


def parts(
    section: str,
    name: str,
    word: str,
    old: Mapping[str, tuple[Span, dict[str, Placed]]],
    new: Mapping[str, Any],
) -> Iterator[Difference]:
    """Rows or values: gone, changed cell by cell, come."""
    for key, (span, cells) in old.items():
        if key not in new:
            yield Difference("removed", section, name, f"{word} `{key}`", before_span=span)
            continue
        for found in pairs(section, name, cells, new[key][1]):
            part = f"{word} `{key}`, `{found.part}`"
            yield Difference(
                "changed",
                section,
                name,
                part,
                found.before or "nothing",
                found.after or "nothing",
                found.before_span,
                found.after_span,
            )
    for key, (span, cells) in new.items():
        if key not in old:
            shown = ", ".join(f"{column} {text}" for column, (text, _) in cells.items())
            yield Difference("added", section, name, f"{word} `{key}`", None, shown or None, None, span)


def _rows(table: Table | None) -> dict[str, tuple[Span, dict[str, Placed]]]:
    rows: Sequence[Row] = () if table is None else table.rows
    return {
        row.id.text if row.id is not None else f"number {i}": (row.span, _cells(row.cells))
        for i, row in enumerate(rows, 1)
    }


def _values(form: Enumeration) -> dict[str, tuple[Span, dict[str, Placed]]]:
    return {value.name.text: (value.name.span, _cells(value.cells)) for value in form.values}


def _cells(cells: Sequence[tuple[Text, YamlNode]]) -> dict[str, Placed]:
    return {column.text: (cell.span.text, cell.span) for column, cell in cells}


def _flat(thing: Declaration) -> dict[str, Placed]:
    """The keys of a declaration as texts; parts of a short declaration as if they were written at length."""
    found: dict[str, Placed] = {}
    for name, field in type(thing).model_fields.items():
        value = getattr(thing, name)
        if name == "declaration" and isinstance(value, Text):
            found.update(_declared(value))
        elif name not in QUIET:
            found.update(_texts(field.alias or name, value))
    if isinstance(thing, Parameter) and thing.default is None and thing.one_of:
        found["default"] = (thing.one_of[0].text, thing.one_of[0].span)
    return found


def _declared(text: Text) -> dict[str, Placed]:
    """The parts of a declaration in one line, as if they had keys of their own."""
    declared, _ = parse_declaration(text.rule)
    if declared is None:
        return {"declaration": (text.text, text.span)}
    parts = {
        "type": declared.type,
        "start": declared.start,
        "seen_by": declared.seen_by,
        "label": declared.label,
    }
    return {key: (part.span.text, part.span) for key, part in parts.items() if part is not None}


def _texts(key: str, value: object) -> Iterator[tuple[str, Placed]]:
    match value:
        case None | ():
            return
        case Text():
            yield key, (value.text, value.span)
        case Audience() | YamlNode():
            yield key, (value.span.text, value.span)
        case Declaration():
            for part, placed in _flat(value).items():
                yield f"{key} {part}", placed
        case tuple() if all(isinstance(item, tuple) and len(item) == 2 for item in value):
            for name, item in value:
                yield from _texts(key if name is None else f"{key} `{name.text}`", item)
        case tuple() if all(isinstance(item, (Text, YamlNode, Value)) for item in value):
            yield key, (", ".join(item.span.text for item in value), value[0].span)


# ---------------------------------------------------------------- compare
def diff_rulesets(old: ResolvedRuleset, new: ResolvedRuleset) -> tuple[Difference, ...]:
    """Return every difference that somebody who knows `old` has to be told about `new`."""
    return tuple(_all(old, new))


def _all(old: ResolvedRuleset, new: ResolvedRuleset) -> Iterator[Difference]:
    if old.title != new.title:
        yield Difference("changed", "title", "", None, old.title, new.title)
    before, after = (_players(r.players) for r in (old, new))
    if before != after:
        yield Difference("changed", "players", "", None, before, after, old.players.span, new.players.span)
    empty = Limits.model_construct()
    yield from fields("limits")("", old.limits or empty, new.limits or empty)
    yield from entries("type", old.types, new.types, fields("type"))
    yield from entries("parameter", old.parameters, new.parameters, fields("parameter"))
    yield from entries("component", old.components, new.components, _component)
    yield from entries("zone", old.zones, new.zones, fields("zone"))
    yield from entries("board", old.boards, new.boards, fields("board"))
    yield from entries("state", old.state, new.state, fields("state"))
    yield from definitions(old.definitions, new.definitions)
    yield from entries("claim", old.claims, new.claims, fields("claim"))
    yield from phases(old.phases, new.phases)
    yield from whole("scoring", "", old.scoring, new.scoring)
    yield from entries("invariant", old.invariants, new.invariants, expressions("invariant"))
    for id in dict.fromkeys((*old.rule_list, *new.rule_list)):
        mine, theirs = old.rule_list.get(id), new.rule_list.get(id)
        before_text, after_text = (None if entry is None else entry.text.text for entry in (mine, theirs))
        if before_text != after_text:
            kind = kind_of(before_text, after_text)
            spans = (None if entry is None else entry.span for entry in (mine, theirs))
            yield Difference(kind, "rule", id, None, before_text, after_text, *spans)


def _component(name: str, old: Component, new: Component) -> Iterator[Difference]:
    yield from fields("component")(name, old, new)
    yield from powers(name, old, new)


def _players(players: Players) -> str:
    numbers = ", ".join(map(str, players.counts))
    if players.by is not None:
        numbers = f"{numbers} by {players.by.text}: " + "; ".join(f"{k.text} {c}" for k, c in players.cases)
    return numbers if players.default is None else f"{numbers} (default {players.default})"

"""Rule text: phases, definitions, hooks and powers, compared as they are parsed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from croupier.authoring.diff.model import Difference, kind_of, spaced
from croupier.diagnostics import Span
from croupier.resolve import DefinitionsText
from croupier.schema import Component, Phase, Text
from croupier.semantics.listeners import head
from croupier.source.ruletext import RuleText
from croupier.syntax import nodes as n
from croupier.syntax import parse_block, parse_expression, parse_module

Key: TypeAlias = tuple[str, str, int]  # the kind of an item, its name, its number among those with that name
KINDS = {n.Def: "definition", n.Window: "window", n.Hook: "hook", n.Watch: "watcher", n.EndWhen: "watcher"}


def meaning(node: Any) -> Any:
    """A node without places: equal for texts that differ in layout and comments only."""
    if isinstance(node, tuple):
        return tuple(meaning(part) for part in node if not isinstance(part, Span))
    if dataclasses.is_dataclass(node) and not isinstance(node, type):
        values = (getattr(node, f.name) for f in dataclasses.fields(node) if f.name not in ("replace", "raw"))
        return (type(node).__name__, *(meaning(value) for value in values if not isinstance(value, Span)))
    return node


def same_text(old: Text, new: Text, parse: Callable[[Any], tuple[Any, Any]]) -> bool:
    """Whether two rule texts say the same; texts with mistakes do if they are written alike."""
    if old.text.split() == new.text.split() and old.text.splitlines() == new.text.splitlines():
        return True
    (first, bad), (second, worse) = parse(old.rule), parse(new.rule)
    return not bad and not worse and meaning(first) == meaning(second)


def whole(section: str, name: str, old: Text | None, new: Text | None, parse: Callable[[Any], tuple[Any, Any]] = parse_block) -> Iterator[Difference]:
    """One rule text against another."""
    if old is None or new is None:
        if old is not None or new is not None:
            yield Difference(kind_of(old, new), section, name, None, _text(old), _text(new), _span(old), _span(new))
    elif not same_text(old, new, parse):
        yield Difference("changed", section, name, None, old.text, new.text, old.span, new.span)


def expressions(section: str) -> Callable[[str, Text, Text], Iterator[Difference]]:
    """Named expressions: invariants."""
    return lambda name, old, new: whole(section, name, old, new, parse_expression)


# ---------------------------------------------------------------- phases
def phases(old: Sequence[tuple[Text, Phase]], new: Sequence[tuple[Text, Phase]]) -> Iterator[Difference]:
    """Phases by name, with the groups around them; then whether those that both have run in the same order."""
    before, after = dict(_walk(old, ())), dict(_walk(new, ()))
    for path, (name, phase) in before.items():
        if path not in after:
            yield Difference("removed", "phase", _path(path), before_span=name.span)
        else:
            yield from _phase(_path(path), phase, after[path][1])
    for path, (name, _) in after.items():
        if path not in before:
            yield Difference("added", "phase", _path(path), None, None, _place(list(after), path), None, name.span)
    common, other = [p for p in before if p in after], [p for p in after if p in before]
    if common != other:
        moved = next(path for path, there in zip(other, common, strict=True) if path != there)
        yield Difference("changed", "phase", _path(moved), "order", _place(list(before), moved), _place(list(after), moved))


def _walk(phases: Sequence[tuple[Text, Phase]], outer: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], tuple[Text, Phase]]]:
    for name, phase in phases:
        yield (*outer, name.text), (name, phase)
        yield from _walk(phase.phases, (*outer, name.text))


def _phase(name: str, old: Phase, new: Phase) -> Iterator[Difference]:
    if old.text is not None or new.text is not None:
        yield from whole("phase", name, old.text, new.text)
    loops = (("for", old.for_each, new.for_each), ("repeat until", old.repeat_until, new.repeat_until), ("repeat", old.repeat, new.repeat))
    for word, before, after in loops:
        if _spaced(before) != _spaced(after):
            yield Difference(kind_of(before, after), "phase", name, word, _text(before), _text(after), _span(before), _span(after))


def _path(path: tuple[str, ...]) -> str:
    return " / ".join(path)


def _place(paths: list[tuple[str, ...]], path: tuple[str, ...]) -> str:
    """Where a phase stands among those of its group."""
    group = [p for p in paths if p[:-1] == path[:-1]]
    at = group.index(path)
    return f"after `{group[at - 1][-1]}`" if at else "first"


# ---------------------------------------------------------------- definitions, powers
def definitions(old: Sequence[DefinitionsText], new: Sequence[DefinitionsText]) -> Iterator[Difference]:
    """Definitions and windows by name, hooks and watchers by what they listen to; `replace` is followed."""
    before, after = ({key: item for key, (_, item) in _resolved(texts).items()} for texts in (old, new))
    yield from _items("", before, after)


def in_force(texts: Sequence[DefinitionsText]) -> tuple[tuple[n.Item, ...], ...]:
    """For each section what holds there: an item that replaces another stands where that one stood, in the section of that one."""
    found = _resolved(texts).values()
    return tuple(tuple(item for section, item in found if section == place) for place in range(len(texts)))


def _items(owner: str, before: dict[Key, n.Item], after: dict[Key, n.Item]) -> Iterator[Difference]:
    for key, item in before.items():
        if key not in after:
            yield Difference("removed", key[0], owner + key[1], before_span=item.span)
        elif meaning(item) != meaning(after[key]):
            other = after[key]
            yield Difference("changed", key[0], owner + key[1], None, _source(item), _source(other), item.span, other.span)
    for key, item in after.items():
        if key not in before:
            yield Difference("added", key[0], owner + key[1], after_span=item.span)


def _resolved(texts: Sequence[DefinitionsText]) -> dict[Key, tuple[int, n.Item]]:
    """Every item with the number of the section in which it stands, or in which what it replaces stood."""
    found: dict[Key, tuple[int, n.Item]] = {}
    for place, text in enumerate(texts):
        for item in _parsed(text.rule):
            replaced = _replaced(found, item)
            found[replaced or _key(found, item)] = (place if replaced is None else found[replaced][0], item)
    return found


@lru_cache(maxsize=256)
def _parsed(rule: RuleText) -> tuple[n.Item, ...]:
    """The items of a text: a ruleset is compared with each of its variants, and all of them hold its texts."""
    return tuple(item for item in parse_module(rule)[0] if isinstance(item, n.Item))


def _replaced(found: dict[Key, tuple[int, n.Item]], item: n.Item) -> Key | None:
    """The key of what an item takes the place of."""
    if not getattr(item, "replace", None):
        return None
    kind, name = KINDS[type(item)], _name(item)
    keys = [key for key, (_, old) in found.items() if key[0] == kind and (key[1] == name or _alike(old, item))]
    exact = [key for key in keys if key[1] == name]
    return next(iter(exact or keys), None)


def _alike(one: n.Item, other: n.Item) -> bool:
    if isinstance(one, n.Hook) and isinstance(other, n.Hook):
        return (one.kind, one.pattern.name) == (other.kind, other.pattern.name)
    return type(one) is type(other) and not isinstance(one, n.Def)


def _key(found: dict[Key, tuple[int, n.Item]], item: n.Item) -> Key:
    kind, name = KINDS[type(item)], _name(item)
    return kind, name, sum(key[:2] == (kind, name) for key in found)


def _name(item: n.Item) -> str:
    if isinstance(item, (n.Def, n.Window)):
        return item.name
    assert isinstance(item, (n.Hook, n.Watch, n.EndWhen))
    return head(item)


def powers(name: str, old: Component, new: Component) -> Iterator[Difference]:
    """The powers of the pieces of a component."""
    before, after = ({"" if id is None else id.text: text for id, text in component.all_powers} for component in (old, new))
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


def _text(text: Text | None) -> str | None:
    return None if text is None else text.text


def _spaced(text: Text | None) -> str | None:
    return None if text is None else spaced(text.text)


def _span(text: Text | None) -> Span | None:
    return None if text is None else text.span

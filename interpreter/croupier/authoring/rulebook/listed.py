"""The definitions, windows, hooks and watchers of a ruleset as they hold, by section.

What a variant replaces is not among them, and neither is what no rule of the game reaches: the definitions
that only the `policies:` or `measures:` of a ruleset call.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass

from croupier.authoring.diff import in_force, parsed_items, revised_item
from croupier.authoring.rulebook.rule_sentences import ids_in
from croupier.diagnostics import Source, Span
from croupier.resolve.resolved import ResolvedRuleset
from croupier.schema import Text
from croupier.schema.declaration import Declaration
from croupier.semantics.context import spread
from croupier.source import YamlNode, whole
from croupier.source.renaming import renamed_text
from croupier.source.splicing import SplicedText
from croupier.syntax import nodes as n
from croupier.syntax.builder import find_cites

_CALL = re.compile(r"(\w+)\s*\(")
# the parts of a ruleset that say what happens, what there is and what must hold
GAME = (
    "players", "types", "parameters", "components", "zones", "boards", "state", "claims", "phases", "scoring",
    "invariants", "table",
)  # fmt: skip


@dataclass(frozen=True)
class ListedDefinition:
    """A definition, window, hook or watcher as it holds: its name if it has one, its text, the rules that it
    cites, and its parsed form.
    """

    name: str
    text: str
    ids: tuple[str, ...]
    span: Span
    item: n.Item
    doc: str = ""


@dataclass(frozen=True)
class Section:
    """Definitions under one title, as far as they hold."""

    title: str | None
    items: tuple[ListedDefinition, ...]

    @property
    def text(self) -> str:
        """The rule text of all of them."""
        return "\n\n".join(item.text for item in self.items)

    @property
    def ids(self) -> tuple[str, ...]:
        """The rules that they cite."""
        return tuple(i for item in self.items for i in item.ids)


def sections_of(doc: ResolvedRuleset) -> list[Section]:
    """The sections of definitions, without what a variant has replaced."""
    found = []
    starts: dict[str, list[int]] = {}  # by file: where a definition begins, or a section ends
    cites: dict[str, list[n.Cite]] = {}
    for section in doc.definitions:
        places = starts.setdefault(section.span.source.name, [])
        places += [item.span.start for item in parsed_items(section.rule)] + [section.span.end]
        cites.setdefault(section.span.source.name, []).extend(cite for _, cite in find_cites(section.rule))
    # only these have items that a variant has revised
    spliced = [section for section in doc.definitions if isinstance(section.rule, SplicedText)]
    for section, items in zip(doc.definitions, in_force(doc.definitions), strict=True):
        parts = []
        for item in items:
            # of a variant that replaced what stood here, perhaps
            first, file = item.span.start, item.span.source.name
            last = min(start for start in starts[file] if start > first)
            ids = tuple(i for cite in cites[file] if first <= cite.span.start < last for i in spread(cite))
            called, explanation = (getattr(item, word, None) or "" for word in ("name", "doc"))
            revised = revised_item(spliced, item)
            text = _lines(item.span.source, first, last) if revised is None else revised[0]
            if revised is not None:
                ids = tuple(ids_in(whole(Source(file, text))))
            elif file == section.span.source.name:
                text = renamed_text(whole(Source(file, text)), section.names).text
            parts.append(ListedDefinition(called, text, ids, item.span, item, explanation))
        found.append(Section(section.title.text if section.title is not None else None, tuple(parts)))
    return found


def _lines(source: Source, first: int, last: int) -> str:
    """The lines of a definition, as far to the left as they go, without what stands before the next one."""
    column = first - (source.text.rfind("\n", 0, first) + 1)
    head, *rest = source.text[first:last].split("\n")
    lines = [head, *(line[column:] if not line[:column].strip() else line.lstrip() for line in rest)]
    while lines and (not lines[-1].strip() or lines[-1].startswith("#")):
        lines.pop()
    return "\n".join(lines)


# ---------------------------------------------------------------- what a rule of the game reaches
def reached(doc: ResolvedRuleset) -> list[Section]:
    """The sections with what the rules of the game reach; those with nothing of that are left out. Of a
    module, all: another game may use it.
    """
    sections = sections_of(doc)
    if doc.is_module:
        return sections
    names = _reached_names(doc, [item for section in sections for item in section.items])
    kept = (
        Section(section.title, tuple(item for item in section.items if _name_of(item.item) in {None, *names}))
        for section in sections
    )
    return [section for section in kept if section.items]


def _name_of(item: n.Item) -> str | None:
    """The name of the definition or window that an item is, or whose calls it waits for; `None` of an item
    that waits for something else.
    """
    match item:
        case n.Def() | n.Window():
            return item.name
        case n.Hook():
            return item.pattern.name
    return None


def _reached_names(doc: ResolvedRuleset, items: Iterable[ListedDefinition]) -> frozenset[str]:
    """The definitions and windows that something in the game calls, and those that these call."""
    texts: dict[str, list[str]] = {}
    waiting = [text for part in GAME for text in _texts(getattr(doc, part))]
    for item in items:
        called = _name_of(item.item)
        if called is None:
            waiting.append(item.text)
        else:
            texts.setdefault(called, []).append(item.text)
    return frozenset(names_called(waiting, texts))


def names_called(calling: Iterable[str], texts: Mapping[str, Sequence[str]]) -> list[str]:
    """The names in a table of texts that some rule texts call, and those that the texts of these call."""
    waiting = list(calling)
    found: dict[str, None] = {}
    while waiting:
        for word in _CALL.findall(waiting.pop()):
            if word in texts and word not in found:
                found[word] = None
                waiting += texts[word]
    return list(found)


def _texts(part: object) -> Iterator[str]:
    """Every text in a part of a ruleset, prose among them."""
    match part:
        case Text():
            yield part.text
        case YamlNode():
            yield part.span.text
        case tuple() | list():
            for each in part:
                yield from _texts(each)
        case Declaration():
            for name in type(part).model_fields:
                yield from _texts(getattr(part, name))
        case _ if is_dataclass(part):
            for each in fields(part):
                yield from _texts(getattr(part, each.name))

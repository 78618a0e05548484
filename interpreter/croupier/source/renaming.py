"""A copy of a tree with names replaced: the declarations of a module, with the names of the ruleset that uses
it.

Spans stay those of the module's file. A name is renamed wherever it is code: as the key of a declaration, as
a plain text, in rule text, in the braces of templates; not in prose, not in the words of a text, not in words
of the document such as `order: pile`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cached_property

from croupier.diagnostics import Diagnostic, Span
from croupier.records import dataclass
from croupier.source.ruletext import RuleText, plain
from croupier.source.yaml_tree import YamlMapping, YamlNode, YamlScalar, YamlSequence

_CODE = re.compile(r'"[^"\n]*"?|#[^\n]*|@[A-Z]{1,8}-[\w,.]*|@[a-z]\w*|(?<!\w)[^\W\d]\w*')
_MARKED = re.compile(r'^(?:[^"#\n]|"[^"\n]*")*@([a-z]\w*)', re.MULTILINE)
_QUOTED = re.compile(r'"[^"\n]*"')
_BRACES = re.compile(r"\{([^{}]*)\}")
_DECLARED = {  # keys whose own keys are names that somebody declares
    "types", "components", "zones", "boards", "state", "parameters", "claims", "attributes", "mutable",
    "record", "fields", "table", "values",
    "start", "default", "powers",
}  # fmt: skip
_WORDS = {
    "doc",
    "title",
    "cites",
    "order",
    "shape",
    "adjacency",
    "live",
    "counted_by",
    "module",
    "croupier",
    "players",
    "one_of",
    "ids",
}


# ---------------------------------------------------------------- texts
@dataclass(frozen=True)
class RenamedPart:
    """A name that replaces another: its offsets in the new text, and in the author's file."""

    start: int
    end: int
    there: int
    length: int


@dataclass(frozen=True)
class RenamedText(RuleText):
    """Rule text with names replaced. `written` is the text in the author's file."""

    written: RuleText | None = field(default=None, repr=False)
    parts: tuple[RenamedPart, ...] = field(default=(), repr=False)

    def span(self, start: int, end: int) -> Span:
        """The span in the author's file of the characters from `start` up to `end`; a part of a name is the
        whole name.
        """
        assert self.written is not None
        start = max(0, min(start, len(self.text)))
        end = max(start, min(end, len(self.text)))
        return self.written.span(self._there(start, first=True), self._there(end, first=start == end))

    def offset(self, at: int) -> int:
        """The offset in the author's file of the character at an offset of the text."""
        assert self.written is not None
        return self.written.offset(self._there(at, first=True))

    def _there(self, at: int, *, first: bool) -> int:
        """The offset in the text as it stands in the file; within a name its beginning, or its end where that
        is not `first`.
        """
        i = bisect_right(self._part_starts, at if first else at - 1) - 1
        if i < 0:
            return at
        part = self.parts[i]
        if at < part.end:
            return part.there if first else part.there + part.length
        return part.there + part.length + at - part.end

    @cached_property
    def _part_starts(self) -> tuple[int, ...]:
        return tuple(part.start for part in self.parts)


def renamed_text(text: RuleText, names: Mapping[str, str], *, template: bool = False) -> RuleText:
    """A rule text, or a template, with names replaced; the same object where no name occurs.

    What stands behind a dot is another name: `.suit` is the name of an attribute. `@winner` is the name of a
    part that is marked, and `"winner` that of the words on the line that is marked so.
    """
    parts: list[RenamedPart] = []
    out: list[str] = []
    at = longer = 0
    words = {} if template else dict(_words(text.text, names))
    for start, end in sorted({*words, *(_parts_in_braces(text.text) if template else _code(text.text))}):
        member = text.text[start - 1 : start] == "." and text.text[start - 2 : start] != ".."
        new = words.get((start, end)) or names.get(
            f".{text.text[start:end]}" if member else text.text[start:end]
        )
        if new is None or start < at:
            continue
        out += [text.text[at:start], new]
        parts.append(RenamedPart(start + longer, start + longer + len(new), start, end - start))
        longer += len(new) - (end - start)
        at = end
    if not parts:
        return text
    return RenamedText("".join([*out, text.text[at:]]), text.source, text.lines, text, tuple(parts))


def _words(text: str, names: Mapping[str, str]) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the offsets of each marked line whose words are replaced, and the new words."""
    for line in _MARKED.finditer(text):
        quoted, new = _QUOTED.search(line[0]), names.get(f'"{line[1]}')
        if quoted is not None and new is not None:
            yield (line.start() + quoted.start(), line.start() + quoted.end()), f'"{new}"'


def marks(text: str) -> list[tuple[str, bool]]:
    """The marks of a rule text, `@winner`, each with whether its line has words."""
    return [(line[1], _QUOTED.search(line[0]) is not None) for line in _MARKED.finditer(text)]


def _code(text: str, begin: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """Yield the ranges of rule text in which names stand: comments are left out, and of quoted texts all but
    the parts in braces.
    """
    for found in _CODE.finditer(text, begin, len(text) if end is None else end):
        if found.group().startswith('"'):
            yield from _parts_in_braces(text, found.start(), found.end())
        elif found.group()[0] != "#":
            yield found.span()


def _parts_in_braces(text: str, begin: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    for found in _BRACES.finditer(text, begin, len(text) if end is None else end):
        yield from _code(text, found.start(1), found.end(1))


# ---------------------------------------------------------------- trees
@dataclass(frozen=True)
class RenamedScalar(YamlScalar):
    """A scalar with names replaced; `written` is the scalar in the author's file."""

    written: YamlScalar | None = None
    names: Mapping[str, str] = field(default_factory=dict)

    def rule_problem(self) -> Diagnostic | None:
        assert self.written is not None
        return self.written.rule_problem()

    def rule_text(self) -> RuleText:
        assert self.written is not None
        return renamed_text(self.written.rule_text(), self.names)

    def template_text(self) -> RuleText:
        assert self.written is not None
        return renamed_text(self.written.template_text(), self.names, template=True)

    @property
    def is_verbatim(self) -> bool:
        assert self.written is not None
        return self.written.is_verbatim


def renamed(node: YamlNode, names: Mapping[str, str]) -> YamlNode:
    """A copy of a tree with names replaced."""
    return _Renaming(names).node(node, "") if names else node


@dataclass(frozen=True)
class _Renaming:
    names: Mapping[str, str]

    def node(self, node: YamlNode, under: str, *, declares: bool = False) -> YamlNode:
        """A part of a tree that stands under a key; `declares`: keys in it are names."""
        match node:
            case YamlMapping():
                names = declares or under in _DECLARED
                return YamlMapping(
                    node.span,
                    tuple(self.entry(key, value, under, names) for key, value in node.entries),
                    node.flow,
                )
            case YamlSequence():
                inside = under == "table"
                return YamlSequence(
                    node.span,
                    tuple(self.node(item, under, declares=inside) for item in node.items),
                    node.flow,
                )
            case YamlScalar() if under not in _WORDS:
                return self.scalar(node)
        return node

    def entry(self, key: YamlScalar, value: YamlNode, under: str, names: bool) -> tuple[YamlScalar, YamlNode]:
        """An entry of a mapping whose keys are names, or words of the document."""
        if not names:
            return key, self.node(value, key.text)
        new = self.names.get(key.text)
        return key if new is None else self.exact(key, new), self.node(value, f"{under}.")

    def scalar(self, node: YamlScalar) -> YamlScalar:
        if not isinstance(node.value, str):
            return node
        text = renamed_text(
            plain(node.span.source, node.span.start, node.text),
            self.names,
            template=node.style in ("single", "double"),
        ).text
        return node if text == node.text else self.exact(node, text)

    def exact(self, node: YamlScalar, text: str) -> YamlScalar:
        """The scalar with another text, at the same place."""
        return RenamedScalar(node.span, text, node.style, text, node.in_flow, node, self.names)

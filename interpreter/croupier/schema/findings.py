"""The diagnostics of a validation by pydantic, and how a value is refused.

pydantic's own messages are not used.  A check that fails adds a `Diagnostic` to the `Findings` of the run, at
the narrowest span, and calls `refuse`.  The nearest container that does not need the value leaves it out and
goes on.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field
from typing import Any, NoReturn, TypeVar

from pydantic import ValidationError, ValidationInfo
from pydantic_core import PydanticCustomError

from croupier.diagnostics import Diagnostic, Label, Span, diagnose
from croupier.records import dataclass
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence

T = TypeVar("T")
_LISTED = re.compile(r"\w+(?:, \w+)+")
Refused = PydanticCustomError
"""Raised to refuse a value, after the reason was reported."""


@dataclass(frozen=True)
class Dropped:
    """A named declaration that was refused: later stages do not report its name as unknown."""

    section: str
    name: str
    span: Span


@dataclass
class Findings:
    """The context of one validation run."""

    root: YamlNode | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    # the `Leaf` that each scalar was read as, by its offset
    leaves: dict[int, Any] = field(default_factory=dict)
    _keys: dict[int, tuple[YamlScalar, YamlNode]] = field(default_factory=dict)
    # what the key of a value is for; the values are those of `_keys`
    _purposes: dict[int, str] = field(default_factory=dict)
    _made: dict[tuple[int, type], tuple[YamlNode, Any]] = field(default_factory=dict)
    _seen: set[tuple[str, int, int, str]] = field(default_factory=set)

    def add(self, code: str, span: Span, **words: Any) -> None:
        """Report a diagnostic with this code once, even if the value is validated again."""
        self.report(diagnose(code, span, **words))

    def report(self, diagnostic: Diagnostic) -> None:
        """Report a diagnostic once."""
        span = diagnostic.span
        start, end = (-1, -1) if span is None else (span.start, span.end)
        place = (diagnostic.code, start, end, diagnostic.message)
        if place not in self._seen:
            self._seen.add(place)
            self.diagnostics.append(diagnostic)

    def attempt(self, read: Callable[[YamlNode, Findings], T], node: YamlNode) -> T | None:
        """The result of a reader for a node; `None` where it refuses the node."""
        try:
            return read(node, self)
        except Refused:
            return None

    def refuse(self, code: str, span: Span, **words: object) -> NoReturn:
        """Report and refuse the value that is being validated."""
        self.add(code, span, **words)
        refuse()

    def enter(self, key: YamlScalar, value: YamlNode, purpose: str | None = None) -> None:
        """Remember under which key a value stands, and what the key is for."""
        self._keys[id(value)] = (key, value)
        if purpose is not None:
            self._purposes[id(value)] = purpose

    def key(self, value: YamlNode) -> YamlScalar | None:
        """The key under which a value stands, or `None` for an item of a list or the whole document."""
        entry = self._keys.get(id(value))
        return None if entry is None else entry[0]

    def place(self, value: YamlNode) -> str:
        """The key in back-ticks, or words for a value without a key."""
        key = self.key(value)
        if key is None:
            return "the file" if value is self.root else "this place"
        return f"`{key.text}`"

    def head(self, value: YamlNode) -> Span:
        """Return the span at which a declaration begins: its key, otherwise its first key, otherwise
        itself.
        """
        key = self.key(value)
        if key is not None:
            return key.span
        if isinstance(value, YamlMapping) and value.entries:
            return value.entries[0][0].span
        return value.span

    def once(self, model: type[T], node: YamlNode, make: Callable[[], T]) -> T:
        """The result of `make` for a model and a node, cached; raises again if `make` refused.

        A declaration is validated again when one of its values was refused; the cache saves validating the
        values below it again.
        """
        place = (id(node), model)
        if place not in self._made:
            try:
                self._made[place] = (node, make())
            except (Refused, ValidationError):
                self._made[place] = (node, None)
                raise
        made: T | None = self._made[place][1]
        if made is None:
            refuse()
        return made

    def duplicate(self, second: YamlNode, first: YamlNode, name: str | None = None) -> None:
        """Report a name that is in a list twice."""
        self.add(
            "D201",
            second.span,
            labels=(Label(first.span, "it stands here already"),),
            name=name or second.span.text,
        )

    def excludes(self, second: YamlScalar, first: YamlScalar, notes: tuple[str, ...] = ()) -> None:
        """Report a key that cannot stand beside another."""
        self.add(
            "D005",
            second.span,
            labels=(Label(first.span, f"`{first.text}` stands here"),),
            notes=notes,
            key=second.text,
            other=first.text,
        )

    def wrong_kind(self, node: YamlNode, wanted: str, help: str | None = None) -> NoReturn:
        """Refuse a value that is of another kind than wanted ("a whole number", "a list of names"); without
        help with what its key is for.
        """
        purpose = self._purposes.get(id(node))
        if (
            help is None
            and isinstance(node, YamlScalar)
            and not node.text.strip()
            and node.span.source.name.casefold().endswith(".csv")
        ):
            line = node.span.source.line(node.span.line)
            help = (
                "this row is empty: remove it"
                if not line.strip(", ")
                else "fill in the cell: in this column each row needs something"
            )
        if (
            help is None
            and isinstance(node, YamlScalar)
            and wanted.startswith("a list of")
            and _LISTED.fullmatch(node.text)
        ):
            help = f"write it in brackets: `[{node.text}]`"
        if help is None and purpose is not None:
            help = f"{self.place(node)} says {purpose}"
        self.refuse(
            "D003", first_line(node), help=help, place=self.place(node), wanted=wanted, found=describe(node)
        )


def findings_of(info: ValidationInfo) -> Findings:
    """The context of the run. Raises TypeError if a model is not validated by `parse`."""
    if not isinstance(info.context, Findings):
        raise TypeError("the models of a ruleset are validated by croupier.schema.document only")
    return info.context


def refuse() -> NoReturn:
    """Refuse a value whose mistake was reported. Raises `Refused`."""
    raise Refused("refused", "refused")


def type_of(node: YamlNode) -> str | None:
    """The type of a plain value, as an author would write it: `0..5` for 5, `list of 2..5 up to 3` for [2, 3,
    5].
    """
    if isinstance(node, YamlSequence):
        numbers = [
            item.value for item in node.items if isinstance(item, YamlScalar) and type(item.value) is int
        ]
        return (
            f"list of {min(numbers)}..{max(numbers)} up to {len(numbers)}"
            if numbers and len(numbers) == len(node.items)
            else None
        )
    if not isinstance(node, YamlScalar) or node.value is None or isinstance(node.value, str):
        return None
    if isinstance(node.value, bool):
        return "bool"
    return f"{min(0, node.value)}..{max(0, node.value)}" if isinstance(node.value, int) else None


def describe(node: YamlNode) -> str:
    """A value in the words of an author: "a list", "nothing", "the number `3`"."""
    if isinstance(node, YamlMapping):
        return "a group of keys" if node.entries else "an empty group `{}`"
    if isinstance(node, YamlSequence):
        return "a list" if node.items else "an empty list `[]`"
    if not isinstance(node, YamlScalar):
        return "something else"
    if node.value is None:
        return "an empty value" if not node.text else f"`{node.text}`, which means nothing"
    if isinstance(node.value, bool):
        return f"the switch `{node.text}`"
    if isinstance(node.value, int):
        return f"the number `{node.text}`"
    if not node.text.strip():
        return "an empty text"
    if "\n" in node.text.strip("\n") or node.style == "plain" and "\n" in node.span.text:
        return "a text of several lines"
    return f"the text `{node.text}`" if " " in node.text else f"the word `{node.text}`"


def first_line(node: YamlNode) -> Span:
    """The first line of a value's span, so that a long block is not underlined as a whole."""
    text = node.span.text
    end = min((i for i in (text.find("\n"), text.find("\r")) if i >= 0), default=len(text))
    return (
        node.span
        if end == len(text) or end == 0
        else Span(node.span.source, node.span.start, node.span.start + end)
    )

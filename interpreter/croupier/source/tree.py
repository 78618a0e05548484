"""From events to the located tree.

The events have passed the guard, so nesting is at most 64 and recursion is safe.  Mistakes that leave the rest readable
are collected: keys that come twice, keys that are no names, fractions, numbers beyond 64 bits, merge keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ruamel.yaml.events import Event, MappingEndEvent, MappingStartEvent, ScalarEvent, SequenceEndEvent, SequenceStartEvent

from croupier.diagnostics import Diagnostic, Label, Source, Span, diagnose
from croupier.source.nodes import Mapping, Node, Scalar, Sequence, Style
from croupier.source.scalars import resolve
from croupier.source.wording_layout import no_space

_STYLES: dict[str | None, Style] = {None: "plain", "": "plain", "|": "literal", ">": "folded", "'": "single", '"': "double"}
_COLON = re.compile(r"\s*:")
_KINDS = {Sequence: "a list", Mapping: "a mapping"}


class TreeBuilder:
    """Builds one tree; `diagnostics` holds what was wrong with it."""

    def __init__(self, source: Source, events: Iterator[Event]) -> None:
        self.source = source
        self.events = events
        self.diagnostics: list[Diagnostic] = []

    def build(self) -> Node:
        """The tree of all events, of which there is at least one."""
        return self._node(next(self.events), False)

    def _node(self, event: Event, in_flow: bool) -> Node:
        if isinstance(event, MappingStartEvent):
            return self._mapping(event)
        if isinstance(event, SequenceStartEvent):
            return self._sequence(event)
        if isinstance(event, ScalarEvent):
            return self._scalar(event, in_flow)
        return Scalar(Span(self.source, event.start_mark.index, event.end_mark.index), "", "plain", None, in_flow)  # an alias, refused already

    def _scalar(self, event: ScalarEvent, in_flow: bool) -> Scalar:
        style = _STYLES[event.style]
        start, end = event.start_mark.index, event.end_mark.index
        if style in ("literal", "folded"):
            end = start + len(self.source.text[start:end].rstrip())
        span = Span(self.source, start, end)
        text: str = event.value
        if style != "plain":
            return Scalar(span, text, style, text, in_flow)
        value, problem = resolve(text, span)
        if problem is not None:
            self.diagnostics.append(problem)
        return Scalar(span, text, style, value, in_flow)

    def _sequence(self, start: SequenceStartEvent) -> Sequence:
        flow = bool(start.flow_style)
        items: list[Node] = []
        while not isinstance(event := next(self.events), SequenceEndEvent):
            items.append(self._node(event, flow))
        return Sequence(self._span(start, event, items), tuple(items), flow)

    def _mapping(self, start: MappingStartEvent) -> Mapping:
        flow = bool(start.flow_style)
        entries: list[tuple[Scalar, Node]] = []
        parts: list[Node] = []
        seen: dict[str, Scalar] = {}
        while not isinstance(event := next(self.events), MappingEndEvent):
            key = self._node(event, flow)
            value = self._behind(key, self._node(next(self.events), flow))
            parts += (key, value)
            if not isinstance(key, Scalar) or key.style in ("literal", "folded"):
                self.diagnostics.append(diagnose("Y302", key.span, kind=_KINDS.get(type(key), "a block of text")))
            elif key.style == "plain" and flow and ":" in key.text and value.span.start == value.span.end == key.span.end:
                colon = key.span.start + key.text.index(":")
                self.diagnostics.append(no_space(Span(self.source, colon, colon + 1)))
            elif not key.text:
                if key.span.text[:1] not in ("*", "&", "!"):  # refused already
                    self.diagnostics.append(diagnose("Y303", key.span))
            elif key.text == "<<" and key.style == "plain":
                self.diagnostics.append(diagnose("Y103", key.span))
            elif key.text in seen:
                first = Label(seen[key.text].span, "first given here")
                self.diagnostics.append(diagnose("Y301", key.span, name=key.text, labels=[first]))
            else:
                seen[key.text] = key
                entries.append((key, value))
        return Mapping(self._span(start, event, parts), tuple(entries), flow)

    def _behind(self, key: Node, value: Node) -> Node:
        """A value of nothing, which the parser places before what comes next, placed behind its key's colon."""
        if not isinstance(value, Scalar) or value.style != "plain" or value.span.start != value.span.end:
            return value
        colon = _COLON.match(self.source.text, key.span.end)
        return replace(value, span=Span(self.source, colon.end(), colon.end())) if colon else value

    def _span(self, start: Event, end: Event, parts: list[Node]) -> Span:
        """From the first sign to the closing bracket, or else to the end of the last part."""
        begin: int = start.start_mark.index
        if self.source.text[begin : begin + 1] in ("[", "{") and getattr(start, "flow_style", False):
            return Span(self.source, begin, max(begin, end.end_mark.index))
        return Span(self.source, begin, max([begin, *(part.span.end for part in parts[-2:])]))

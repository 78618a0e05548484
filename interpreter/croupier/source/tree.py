"""From events to the located tree.

The events have passed the guard, so nesting is at most 64 and recursion is safe.  Mistakes that leave the rest readable
are collected: keys that come twice, keys that are no names, fractions, numbers beyond 64 bits, merge keys.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruamel.yaml.events import Event, MappingEndEvent, MappingStartEvent, ScalarEvent, SequenceEndEvent, SequenceStartEvent

from croupier.diagnostics import Diagnostic, Label, Source, Span, diagnose
from croupier.source.nodes import Mapping, Node, Scalar, Sequence, Style
from croupier.source.scalars import resolve

_STYLES: dict[str | None, Style] = {None: "plain", "": "plain", "|": "literal", ">": "folded", "'": "single", '"': "double"}
_KINDS = {Sequence: "a list", Mapping: "a mapping"}


class TreeBuilder:
    """Builds one tree; `diagnostics` holds what was wrong with it."""

    def __init__(self, source: Source, events: Iterator[Event]) -> None:
        self.source = source
        self.events = events
        self.diagnostics: list[Diagnostic] = []

    def node(self, event: Event, in_flow: bool = False) -> Node:
        """The node that begins with this event."""
        if isinstance(event, MappingStartEvent):
            return self._mapping(event)
        if isinstance(event, SequenceStartEvent):
            return self._sequence(event)
        assert isinstance(event, ScalarEvent)
        return self._scalar(event, in_flow)

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
            items.append(self.node(event, flow))
        return Sequence(self._span(start, event, items), tuple(items), flow)

    def _mapping(self, start: MappingStartEvent) -> Mapping:
        flow = bool(start.flow_style)
        entries: list[tuple[Scalar, Node]] = []
        parts: list[Node] = []
        seen: dict[str, Scalar] = {}
        while not isinstance(event := next(self.events), MappingEndEvent):
            key = self.node(event, flow)
            value = self.node(next(self.events), flow)
            parts += (key, value)
            if not isinstance(key, Scalar) or key.style in ("literal", "folded"):
                self.diagnostics.append(diagnose("Y302", key.span, kind=_KINDS.get(type(key), "a block of text")))
            elif not key.text:
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

    def _span(self, start: Event, end: Event, parts: list[Node]) -> Span:
        """From the first sign to the closing bracket, or else to the end of the last part."""
        begin: int = start.start_mark.index
        if self.source.text[begin : begin + 1] in ("[", "{") and getattr(start, "flow_style", False):
            return Span(self.source, begin, max(begin, end.end_mark.index))
        return Span(self.source, begin, max([begin, *(part.span.end for part in parts[-2:])]))

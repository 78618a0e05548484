"""Rule texts that cite no rule, where the ruleset names a rule list.

Proves: no citation stands in the text, none in the `cites` of what it belongs to or of the groups around that. The rule texts are phases, sections
of definitions, powers and scoring; of variants only what the first one extends is looked at, because a house rule stands in no rulebook.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from croupier.diagnostics import Diagnostic, Span, diagnose
from croupier.semantics.program import Program


def find(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    """One report for each such text."""
    doc = program.resolved
    if not program.rule_ids or doc is None:
        return []
    own = set(_of_variants(doc))
    help = _help(program)
    places = [span for spans in program.cited.values() for span in spans]
    return [
        diagnose("L040", _head(span), what=what, help=help)
        for what, span, cited in _texts(doc)
        if not cited and span.source.name not in own and not any(_inside(place, span) for place in places)
    ]


def _of_variants(doc: Any) -> Iterator[str]:
    """The names of the files of a variant, and of all variants that it extends."""
    while doc is not None and doc.base is not None:
        yield from (source.name for source in doc.own_sources)
        doc = doc.base


def _help(program: Program) -> str:
    """How to cite. No id is proposed: which rule a text states, only its author knows."""
    listed = program.resolved.rule_list.values() if program.resolved is not None else ()
    place = next((f"`{entry.span.source.name.rsplit('/', 1)[-1]}`" for entry in listed), "the rule list")
    return f"cite the rule that it states at the end of a line: `@` and its id in {place}"


def _texts(doc: Any) -> Iterator[tuple[str, Span, bool]]:
    """Every rule text: what it is, where it stands, whether something around it cites."""
    yield from _phases(doc.phases, False)
    for d in doc.definitions:
        yield "these definitions" if d.title is None else f"the definitions `{d.title.text}`", d.span, False
    for name, component in doc.components:
        rows = {row.id.text: bool(row.cites) for row in (component.table.rows if component.table is not None else ()) if row.id is not None}
        for id, text in component.all_powers:
            cited = bool(component.cites) or (id is not None and rows.get(id.text, False))
            yield f"the powers of `{name.text if id is None else id.text}`", text.span, cited
    if doc.scoring is not None:
        yield "the scoring", doc.scoring.span, False


def _phases(phases: Iterable[Any], cited: bool) -> Iterator[tuple[str, Span, bool]]:
    for name, phase in phases:
        here = cited or bool(phase.cites)
        if phase.text is not None:
            yield f"phase `{name.text}`", phase.text.span, here
        yield from _phases(phase.phases, here)


def _inside(place: Span, text: Span) -> bool:
    return place.source is text.source and text.start <= place.start < text.end


def _head(span: Span) -> Span:
    """The first line of a text that is more than the sign of a block."""
    text = span.text
    start = 0
    while start < len(text) and (text[start] in "|>+-0123456789 \n\r" or text[start] == "#"):
        start = text.find("\n", start) if text[start] == "#" and "\n" in text[start:] else start + 1
    end = text.find("\n", start)
    return Span(span.source, span.start + start, span.start + (len(text) if end < 0 else end))

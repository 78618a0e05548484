"""Diagnostics for programs: a JSON array, one object a diagnostic.

Prose (messages, notes, helps, titles) is sanitised; file names and replacements are exact, because programs use them, and
the output is ASCII, so that they cannot reach a terminal as anything but escapes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from croupier.diagnostics.diagnostic import Diagnostic
from croupier.diagnostics.sanitise import sanitise
from croupier.diagnostics.source import Span

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    """A JSON array of the diagnostics, indented, with a line feed at its end."""
    return json.dumps([as_json(diagnostic) for diagnostic in diagnostics], indent=2, ensure_ascii=True) + "\n"


def as_json(diagnostic: Diagnostic) -> dict[str, Json]:
    """One diagnostic as a JSON object.  Lines and columns count from 1 in code points; `place` and `fix` may be null."""
    fix = diagnostic.fix
    return {
        "code": diagnostic.code,
        "name": diagnostic.name,
        "severity": diagnostic.severity,
        "message": sanitise(diagnostic.message),
        "place": _place(diagnostic.span),
        "labels": [{"place": _place(label.span), "text": sanitise(label.text)} for label in diagnostic.labels],
        "notes": [sanitise(note) for note in diagnostic.notes],
        "help": sanitise(diagnostic.help) if diagnostic.help is not None else None,
        "fix": {"title": sanitise(fix.title), "safe": fix.safe, "place": _place(fix.span), "replacement": fix.replacement} if fix else None,
    }


def _place(span: Span | None) -> Json:
    if span is None:
        return None
    end_line, end_column = span.end_position
    return {"file": span.source.name, "line": span.line, "column": span.column, "end_line": end_line, "end_column": end_column}

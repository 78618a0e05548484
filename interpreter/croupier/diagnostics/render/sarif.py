"""Diagnostics as a SARIF 2.1.0 log, the format that code hosts and editors read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from urllib.parse import quote

from croupier.diagnostics.catalogue import CODES
from croupier.diagnostics.diagnostic import Diagnostic, Fix
from croupier.diagnostics.render.json import Json
from croupier.diagnostics.sanitise import sanitise
from croupier.diagnostics.source import Span

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render_sarif(diagnostics: Iterable[Diagnostic], version: str = "") -> str:
    """A SARIF log with one run, indented, with a line feed at its end.  `version`: of the tool that made the diagnostics."""
    found = list(diagnostics)
    codes = sorted({diagnostic.code for diagnostic in found})
    rules: list[Json] = [_rule(code) for code in codes]
    driver: dict[str, Json] = {"name": "croupier", "rules": rules}
    if version:
        driver["version"] = version
    results: list[Json] = [_result(diagnostic, codes.index(diagnostic.code)) for diagnostic in found]
    run: Json = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    log: Json = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=True) + "\n"


def _rule(code: str) -> Json:
    entry = CODES[code]
    return {
        "id": code,
        "name": entry.name,
        "shortDescription": {"text": entry.title},
        "fullDescription": {"text": entry.explanation},
        "defaultConfiguration": {"level": entry.severity},
    }


def _result(diagnostic: Diagnostic, rule: int) -> Json:
    lines = [diagnostic.message, *(f"note: {note}" for note in diagnostic.notes)]
    if diagnostic.help is not None:
        lines.append(f"help: {diagnostic.help}")
    result: dict[str, Json] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": diagnostic.severity,
        "message": {"text": "\n".join(map(sanitise, lines))},
        "locations": [{"physicalLocation": _location(diagnostic.span)}] if diagnostic.span is not None else [],
    }
    if diagnostic.labels:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _location(label.span), "message": {"text": sanitise(label.text)}}
            for number, label in enumerate(diagnostic.labels, 1)
        ]
    if diagnostic.fix is not None:
        result["fixes"] = [_fix(diagnostic.fix)]
    return result


def _fix(fix: Fix) -> Json:
    replacement: Json = {"deletedRegion": _region(fix.span), "insertedContent": {"text": fix.replacement}}
    change: Json = {"artifactLocation": _artifact(fix.span), "replacements": [replacement]}
    return {"description": {"text": sanitise(fix.title)}, "artifactChanges": [change]}


def _location(span: Span) -> Json:
    return {"artifactLocation": _artifact(span), "region": _region(span)}


def _artifact(span: Span) -> Json:
    return {"uri": quote(span.source.name.encode("utf-8", "surrogatepass"), safe="/")}


def _region(span: Span) -> Json:
    end_line, end_column = span.end_position
    return {"startLine": span.line, "startColumn": span.column, "endLine": end_line, "endColumn": end_column}
